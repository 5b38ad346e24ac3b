//! What a hook tells Claude Code, as it reads it; nothing where it is to ask by itself.

use super::permission::PLAN;
use askback_core::dialect::claude_code::Call;
use askback_core::{Json, Object, Outcome, Request, Resolution, format};

/// The answers to its questions. What was cancelled or expired was answered by nobody, which is not for a hook to say.
pub(super) fn question(call: &Call, outcome: &Outcome, request: &Request) -> Option<Json> {
    let output = Object::new().put("hookEventName", "PreToolUse");
    let output = match outcome.resolution() {
        Resolution::Answered { answers, .. } => output
            .put("permissionDecision", "allow")
            .put("permissionDecisionReason", format!("answered by {} (askback)", outcome.by()))
            .put("updatedInput", call.answered(answers)),
        Resolution::Rejected { .. } | Resolution::Declined { .. } => output
            .put("permissionDecision", "deny")
            .put("permissionDecisionReason", format::model_text(request, outcome)),
        Resolution::Cancelled { .. } | Resolution::Expired { .. } => return None,
    };
    Some(Object::new().put("hookSpecificOutput", output).into())
}

/// Whether it may use the tool, this once: no rule is written, and nothing is remembered (S5).
pub(super) fn permission(tool: &str, input: &Json, outcome: &Outcome, request: &Request) -> Option<Json> {
    let decision = match outcome.resolution() {
        Resolution::Answered { .. } => allow(tool, input),
        Resolution::Rejected { .. } | Resolution::Declined { .. } => {
            Object::new().put("behavior", "deny").put("message", format::model_text(request, outcome))
        }
        Resolution::Cancelled { .. } | Resolution::Expired { .. } => return None,
    };
    let output = Object::new().put("hookEventName", "PermissionRequest").put("decision", decision);
    Some(Object::new().put("hookSpecificOutput", output).into())
}

fn allow(tool: &str, input: &Json) -> Object {
    let decision = Object::new().put("behavior", "allow");
    // A plan is for people to approve: Claude Code takes a hook's word only with what they were shown.
    if tool == PLAN { decision.put("updatedInput", input.clone()) } else { decision }
}
