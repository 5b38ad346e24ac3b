//! A conversation in lines: text is written as it comes, nothing spins, and messages are lines.

use super::{Console, Event, PlainSession, Typed};
use crate::caps::Caps;
use crate::error::TermError;
use crate::line::{Line, Role};
use crate::live::{Attention, Entered, Outbox};
use crate::prompt::Look;
use crate::remote::connect;
use crate::safe::{Tower, safe, safe_part};
use crate::session::Ended;
use crate::stage::Return;
use crate::tty::{self, Echo};
use crate::wrap::{Break, wrap};
use askback_core::Request;
use askback_core::show::{Layout, Purpose};

/// Before the message that is to be typed.
const INVITATION: &str = "> ";
const LEAVING: &str = "Press Ctrl+C again to quit.";

/// A terminal held for a conversation in lines.
pub(crate) struct Conversation {
    console: Console,
    /// How the text so far ends, for what follows on it.
    tower: Tower,
    /// What was received while another program was in front.
    unsaid: Outbox,
    /// The line of text that has begun meanwhile.
    begun: String,
    failed: Option<TermError>,
}

impl Conversation {
    pub(crate) fn open(caps: Caps) -> Result<Self, TermError> {
        let mut console = Console::open(caps)?;
        console.enter(Echo::Unseen, tty::Typed::Kept)?;
        let (tower, unsaid) = (Tower::default(), Outbox::default());
        Ok(Self { console, tower, unsaid, begun: String::new(), failed: None })
    }

    pub(crate) fn text(&mut self, delta: &str) {
        let alphabet = self.console.page().alphabet;
        let spans = safe_part(delta, Role::Plain, alphabet, &mut self.tower);
        let shown: String = spans.into_iter().map(|span| span.text).collect();
        if self.may_write() {
            let wrote = self.console.write(&shown);
            self.note_failure(wrote);
            return;
        }
        self.begun.push_str(&shown);
        while let Some(end) = self.begun.find('\n') {
            let line: String = self.begun.drain(..=end).collect();
            self.unsaid.push(Line::of(line.trim_end_matches('\n'), Role::Plain));
        }
    }

    pub(crate) fn finish_text(&mut self) {
        self.tower = Tower::default();
        if !self.begun.is_empty() {
            let line = std::mem::take(&mut self.begun);
            self.unsaid.push(Line::of(line, Role::Plain));
        }
        if self.may_write() {
            let wrote = self.console.end_line();
            self.note_failure(wrote);
        }
    }

    pub(crate) fn print(&mut self, text: &str) {
        self.finish_text();
        let spans = safe(text, Layout::Block, Purpose::Prose, Role::Plain, self.console.page().alphabet);
        self.say(wrap(&spans, usize::MAX, Break::Words));
    }

    fn say(&mut self, lines: Vec<Line>) {
        if self.may_write() {
            let wrote = self.console.say(&lines);
            self.note_failure(wrote);
        } else {
            lines.into_iter().for_each(|line| self.unsaid.push(line));
        }
    }

    pub(crate) async fn attend(&mut self) -> Result<Attention, TermError> {
        if self.console.is_here() {
            self.console.enter(Echo::Unseen, tty::Typed::Kept)?;
        }
        loop {
            self.check()?;
            match self.console.next().await? {
                Event::Typed(Typed::Interrupt) => return Ok(Attention::Interrupted),
                Event::Typed(Typed::Suspend) => {
                    let found = self.console.suspend()?;
                    self.come_back(found)?;
                }
                // Nobody was asked anything; what is not seen does not end a line either.
                Event::Typed(_) => {}
                Event::PerhapsBack => {
                    let found = self.console.come_back()?;
                    self.come_back(found)?;
                }
            }
        }
    }

    pub(crate) async fn ask(&mut self, request: &Request, look: Look) -> Result<Ended, TermError> {
        self.be_in_front().await?;
        if self.console.discard_typed()? {
            return Ok(Ended::Interrupted);
        }
        // Nobody else can reach this prompt.
        let (_, mut orders) = connect();
        let mut session = PlainSession::new(&mut self.console, request, look);
        let ended = session.run(&mut orders).await;
        let unsaid = session.take_unsaid();
        unsaid.into_iter().for_each(|line| self.unsaid.push(line));
        ended
    }

    pub(crate) async fn read_line(&mut self) -> Result<Entered, TermError> {
        self.be_in_front().await?;
        let mut is_leaving = false;
        let mut typed = tty::Typed::Kept;
        loop {
            self.console.enter(Echo::Seen, typed)?;
            self.console.say_and_begin(&[], INVITATION)?;
            let was_leaving = std::mem::take(&mut is_leaving);
            typed = tty::Typed::Kept;
            match self.next_typed().await? {
                Typed::Line(line) if line.trim().is_empty() => {}
                Typed::Line(line) => {
                    self.console.enter(Echo::Unseen, tty::Typed::Kept)?;
                    return Ok(Entered::Line(line));
                }
                Typed::Refused(why) => self.console.say(&[Line::of(why, Role::Plain)])?,
                Typed::Close => {
                    self.console.end_line()?;
                    return Ok(Entered::Closed);
                }
                Typed::Interrupt if was_leaving => {
                    self.console.end_line()?;
                    return Ok(Entered::Closed);
                }
                Typed::Interrupt => {
                    is_leaving = true;
                    self.console.say(&[Line::of(LEAVING, Role::Plain)])?;
                }
                Typed::Suspend => {
                    // What is typed meanwhile is for others.
                    typed = tty::Typed::Discarded;
                    if self.console.suspend()? == Return::Away {
                        self.be_in_front().await?;
                    }
                }
            }
        }
    }

    /// What is typed next, here.
    async fn next_typed(&mut self) -> Result<Typed, TermError> {
        loop {
            match self.console.next().await? {
                Event::Typed(typed) => return Ok(typed),
                Event::PerhapsBack => match self.console.come_back()? {
                    Return::Away | Return::Unchanged => {}
                    Return::Back => {
                        self.console.enter(Echo::Seen, tty::Typed::Discarded)?;
                        self.console.write(INVITATION)?;
                    }
                },
            }
        }
    }

    /// Finishes what was said and waits until we are in front, so that something can be asked.
    async fn be_in_front(&mut self) -> Result<(), TermError> {
        self.finish_text();
        self.check()?;
        while !self.console.is_here() {
            if matches!(self.console.next().await?, Event::PerhapsBack) {
                let found = self.console.come_back()?;
                self.come_back(found)?;
            }
        }
        Ok(())
    }

    fn come_back(&mut self, found: Return) -> Result<(), TermError> {
        if found != Return::Back {
            return Ok(());
        }
        self.console.enter(Echo::Unseen, tty::Typed::Discarded)?;
        let lines = self.unsaid.take(&self.console.page());
        self.console.say(&lines)?;
        let begun = std::mem::take(&mut self.begun);
        self.console.write(&begun)
    }

    fn may_write(&mut self) -> bool {
        self.failed.is_none() && self.console.is_here()
    }

    fn note_failure(&mut self, wrote: Result<(), TermError>) {
        if self.failed.is_none() {
            self.failed = wrote.err();
        }
    }

    /// The failure that nobody has been told of.
    fn check(&mut self) -> Result<(), TermError> {
        self.failed.take().map_or(Ok(()), Err)
    }
}

impl Drop for Conversation {
    /// All text that was received ends its line.
    fn drop(&mut self) {
        self.finish_text();
    }
}
