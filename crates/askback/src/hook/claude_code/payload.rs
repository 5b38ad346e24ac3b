//! What Claude Code tells a hook: which event it is, which tool it is about, and where Claude Code works.

use super::{Declined, permission, unasked};
use askback_core::dialect::claude_code::Call;
use askback_core::{Json, Limits, Request, show, tool};
use std::path::PathBuf;

/// An event that people can decide.
pub(super) struct Payload {
    pub(super) asked: Asked,
    /// The folder that Claude Code works in.
    pub(super) folder: Option<PathBuf>,
}

/// What is to be decided.
pub(super) enum Asked {
    /// Claude Code's own questions.
    Question(Box<Call>),
    /// Whether a tool may be used, with exactly this input.
    Permission { tool: String, input: Json },
}

impl Payload {
    /// Reads an event, or says why it is none that people are asked about.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Declined> {
        let unreadable = |problems| Declined::Because(format!("the hook's input can't be read: {problems}"));
        let payload = Json::parse(bytes, &Limits::DEFAULT).map_err(unreadable)?;
        let text = |name: &str| payload.get(name).and_then(Json::as_str);
        let event = text("hook_event_name").ok_or("the hook's input names no event")?;
        let named = text("tool_name").ok_or("the hook's input names no tool")?;
        let input = payload.get("tool_input").cloned().ok_or("the hook's input has no input of a tool")?;
        let asked = match (event, named) {
            ("PreToolUse", tool::NAME) => {
                let call = Call::read(input, &Limits::DEFAULT).map_err(|problems| unasked(&problems))?;
                Asked::Question(Box::new(call))
            }
            // It was asked before, as a question: consent to asking is none of a person's business here.
            ("PermissionRequest", tool::NAME) => return Err("its questions are none to approve".into()),
            // Who has seen nothing of it approves nothing (S5).
            ("PermissionRequest", permission::PLAN) if !permission::has_plan(&input) => {
                return Err("there is no plan to be seen".into());
            }
            ("PermissionRequest", named) => Asked::Permission { tool: named.to_owned(), input },
            (event, named) => {
                let why = format!("{} of {} is not decided here", show::quote(event), show::quote(named));
                return Err(Declined::Because(why));
            }
        };
        Ok(Self { asked, folder: text("cwd").filter(|cwd| !cwd.is_empty()).map(PathBuf::from) })
    }

    pub(super) fn request(&self) -> Result<Request, Declined> {
        match &self.asked {
            Asked::Question(call) => Ok(call.request().clone()),
            Asked::Permission { tool, input } => {
                let folder = self.folder.as_ref().map(|folder| folder.to_string_lossy());
                permission::request(tool, input, folder.as_deref()).map_err(|problems| unasked(&problems))
            }
        }
    }
}
