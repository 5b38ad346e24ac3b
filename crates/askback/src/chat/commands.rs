//! What begins with a slash.

use super::audit;
use super::conversation::Conversation;
use askback_agent::Surface;
use askback_core::show::quote;
use askback_term::{Manner, TermError, Tone};
use std::ops::ControlFlow;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command<'l> {
    Help,
    /// Names the agent, or changes it.
    Agent(&'l str),
    Audit,
    /// Lists the saved sessions, or goes on with one.
    Resume(&'l str),
    Quit,
    Unknown(&'l str),
}

const HELP: &str = "\
/agent [NAME]  which agent this is; with a name, change it
/audit         every question of this session, and what became of it
/resume [ID]   go on with a saved session
/quit          end the conversation; it can be resumed
/help          this
";
const KEYS: &str = "Enter sends, Alt+Enter begins a new line, ↑ and ↓ go through what you said. Ctrl+C stops the agent; here it \
                    clears the line, and twice it quits.";
const KEYS_IN_LINES: &str = "Enter sends. Ctrl+C stops the agent; here, twice it quits.";

/// The command that a line is, if it is one.
pub(super) fn read(line: &str) -> Option<Command<'_>> {
    let line = line.trim();
    if !line.starts_with('/') || line.contains('\n') {
        return None;
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    // A path is something to say.
    if word[1..].contains('/') {
        return None;
    }
    Some(match word {
        "/help" => Command::Help,
        "/agent" => Command::Agent(rest.trim()),
        "/audit" => Command::Audit,
        "/resume" => Command::Resume(rest.trim()),
        "/quit" | "/exit" => Command::Quit,
        other => Command::Unknown(other),
    })
}

impl Conversation {
    /// Does what a command says; it may end the conversation.
    pub(super) async fn obey(&mut self, command: Command<'_>) -> Result<ControlFlow<()>, TermError> {
        match command {
            Command::Help => {
                let keys = if self.terminal.manner == Manner::Plain { KEYS_IN_LINES } else { KEYS };
                self.terminal.answer(&format!("{HELP}\n{keys}"));
            }
            Command::Agent("") => {
                let name = self.agent.name();
                let said = format!("The agent is {name}. /agent NAME changes it:\n{}", askback_agent::usage());
                self.terminal.answer(&said);
            }
            Command::Agent(name) => self.change_agent(name),
            Command::Audit => match audit::lines(self.session.turns()).as_slice() {
                [] => self.terminal.answer("Nothing was asked in this session yet."),
                lines => self.terminal.audit(lines),
            },
            Command::Resume(id) => self.resume_other(id).await?,
            Command::Quit => return Ok(ControlFlow::Break(())),
            Command::Unknown(word) => {
                self.terminal.error(&format!("There is no command {}; /help lists them.", quote(word)));
            }
        }
        self.terminal.live.print(Tone::Plain, "");
        Ok(ControlFlow::Continue(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // T6
    #[test]
    fn commands_are_told_from_messages() {
        assert_eq!(read(" /agent  process:./a.py x "), Some(Command::Agent("process:./a.py x")));
        assert_eq!(read("/quit"), Some(Command::Quit));
        assert_eq!(read("/helpme"), Some(Command::Unknown("/helpme")));
        assert_eq!(read("/usr/bin is a path"), None);
        assert_eq!(read("what does /help do?"), None);
        assert_eq!(read("/help\nme"), None);
    }
}
