//! What the person decided, when it is over.

use crate::chat::audit;
use askback_agent::{ConversationTurn, TurnEnd};

/// Every question with its answer, and where to go from here.
pub(super) fn of(turn: &ConversationTurn) -> String {
    let decided: Vec<String> = turn
        .questions()
        .map(|asked| format!("  {}", audit::answers(&asked.request, asked.outcome.as_ref().ok())))
        .collect();
    let how = match &turn.end {
        TurnEnd::Done => "The agent is done. ",
        _ => "The agent was stopped. ",
    };
    let decided = match decided.as_slice() {
        [] => "You decided nothing.".to_owned(),
        lines => format!("You decided:\n{}", lines.join("\n")),
    };
    format!(
        "\n{how}{decided}\n\nGo on with:\n  askback chat --agent scripted:examples/agents/greeter.toml\n  \
         askback chat --agent \"process:python3 examples/agents/agent.py\"\n  \
         askback approve \"Apply this patch?\" --context examples/plan.diff"
    )
}
