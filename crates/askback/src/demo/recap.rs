//! What the person decided, when it is over.

use askback_agent::{ConversationTurn, TurnEnd};
use askback_core::{Answer, Outcome, Request};

/// Every question with its answer, and where to go from here.
pub(super) fn of(turn: &ConversationTurn) -> String {
    let decided: Vec<String> =
        turn.questions().map(|asked| format!("  {}", answers(&asked.request, asked.outcome.as_ref().ok()))).collect();
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

/// Every question by its short name, with its answer.
pub(super) fn answers(request: &Request, outcome: Option<&Outcome>) -> String {
    let given = outcome.and_then(|outcome| outcome.resolution().answers());
    let given: Vec<String> = given.into_iter().flat_map(|answers| answers.iter().map(Answer::written)).collect();
    let status = outcome.map_or("no answer", |outcome| outcome.resolution().status().name());
    let questions = request.questions().iter().enumerate().map(|(index, question)| {
        let name = question.header().unwrap_or_else(|| question.message());
        format!("{name}: {}", given.get(index).map_or(status, String::as_str))
    });
    questions.collect::<Vec<_>>().join(", ")
}
