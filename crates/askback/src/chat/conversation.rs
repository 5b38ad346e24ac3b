//! The conversation itself: messages, turns, commands, until the person has had enough.

use super::commands;
use super::saved;
use super::surface::Terminal;
use askback_agent::{Agent, AgentSettings, Journal, Saved, Session, Surface, open_agent};
use askback_term::{Entered, TermError, Tone};
use std::path::PathBuf;

/// Turns that are shown again when a session is resumed.
const RECALLED: usize = 3;

pub(super) struct Conversation {
    pub(super) terminal: Terminal,
    pub(super) session: Session,
    pub(super) agent: Box<dyn Agent>,
    settings: AgentSettings<'static>,
    pub(super) folder: PathBuf,
    /// Messages, for going back to them.
    history: Vec<String>,
}

impl Conversation {
    pub(super) fn new(
        mut terminal: Terminal,
        agent: Box<dyn Agent>,
        settings: AgentSettings<'static>,
        folder: PathBuf,
    ) -> Self {
        terminal.live.print(Tone::Muted, &format!("askback chat with {}\n/help lists the commands", agent.name()));
        terminal.live.print(Tone::Plain, "");
        Self { terminal, session: Session::new(), agent, settings, folder, history: Vec::new() }
    }

    pub(super) async fn run(&mut self) -> Result<(), TermError> {
        while let Entered::Line(line) = self.terminal.live.read_line(&self.history).await? {
            if self.history.last() != Some(&line) {
                self.history.push(line.clone());
            }
            self.terminal.said();
            if let Some(command) = commands::read(&line) {
                if self.obey(command).await?.is_break() {
                    break;
                }
            } else {
                // Where the terminal is lost, the next attempt to read says why.
                self.take_turn(&line).await;
            }
        }
        if let Some(journal) = self.session.journal() {
            let said = format!("This session is kept. To go on with it:\n  askback chat --resume {}", journal.id());
            self.terminal.live.print(Tone::Muted, &said);
        }
        Ok(())
    }

    async fn take_turn(&mut self, message: &str) {
        self.begin();
        let taken = self.session.take_turn(self.agent.as_mut(), &mut self.terminal, message).await;
        if let Err(error) = taken {
            self.terminal.error(&format!("Not all of this turn is saved: {error}"));
        }
        let usage = self.session.turns().last().map(|turn| turn.usage).unwrap_or_default();
        if usage.input_tokens + usage.output_tokens > 0 {
            let said = format!("{} tokens read, {} written", usage.input_tokens, usage.output_tokens);
            self.terminal.live.print(Tone::Muted, &said);
        }
        self.terminal.live.print(Tone::Plain, "");
    }

    /// A session is kept from its first message on.
    fn begin(&mut self) {
        if self.session.journal().is_some() || !self.session.turns().is_empty() {
            return;
        }
        let id = askback_client::new_id().to_string();
        match Journal::create(&self.folder, &id, &self.agent.name()) {
            Ok(journal) => self.session = Session::kept(journal, Vec::new()),
            Err(error) => self.terminal.error(&format!("This session is not saved: {error}")),
        }
    }

    pub(super) fn resume(&mut self, journal: Journal, saved: Saved) {
        let Saved { turns, unreadable, .. } = saved;
        self.history = turns.iter().map(|turn| turn.message.clone()).collect();
        let count = turns.len();
        self.session = Session::kept(journal, turns);
        if count > RECALLED {
            let said = format!("… {} turns before these; /audit has their questions", count - RECALLED);
            self.terminal.live.print(Tone::Muted, &said);
            self.terminal.live.print(Tone::Plain, "");
        }
        for turn in self.session.turns().iter().rev().take(RECALLED).rev() {
            self.terminal.recall(turn);
        }
        if unreadable > 0 {
            let said =
                format!("{unreadable} line(s) of the session could not be read: a program was stopped while writing.");
            self.terminal.live.print(Tone::Warning, &said);
        }
        self.terminal.live.print(Tone::Muted, &format!("resumed after {count} turn(s), with {}", self.agent.name()));
    }

    pub(super) fn change_agent(&mut self, name: &str) {
        match open_agent(name, &self.settings) {
            Ok(agent) => {
                self.agent = agent;
                let name = self.agent.name();
                if let Err(error) = self.session.note_agent(&name) {
                    self.terminal.error(&error.to_string());
                }
                self.terminal.info(&format!("The agent is {name} now."));
            }
            Err(error) => self.terminal.error(&error.to_string()),
        }
    }

    pub(super) async fn resume_other(&mut self, id: &str) -> Result<(), TermError> {
        self.terminal.begin_answer();
        let chosen = match id {
            "" => saved::choose(&self.folder, self.session.journal().map(Journal::id), &mut self.terminal.live).await?,
            id => Some(id.to_owned()),
        };
        let Some(id) = chosen else { return Ok(()) };
        if self.session.journal().is_some_and(|journal| journal.id() == id) {
            self.terminal.info("This is that session.");
            return Ok(());
        }
        match saved::find(&self.folder, &id) {
            Ok((journal, mut saved)) => {
                // A conversation has an agent of its own: what this one remembers, and what was approved here, stays here.
                let name = saved.agent.take().unwrap_or_else(|| self.agent.name());
                match open_agent(&name, &self.settings) {
                    Ok(agent) => {
                        self.agent = agent;
                        self.resume(journal, saved);
                    }
                    Err(error) => self.terminal.error(&format!("Its agent can't be had: {error}")),
                }
            }
            Err(error) => self.terminal.error(&error.to_string()),
        }
        Ok(())
    }
}
