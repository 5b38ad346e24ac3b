//! A conversation in lines: text is written as it comes, nothing spins, and messages are lines.

use super::{Console, Entry, Event, INVITATION, PlainSession};
use crate::browser::{Browsed, Browser, Step};
use crate::caps::Caps;
use crate::error::TermError;
use crate::input::{Input, Key};
use crate::line::{Line, Role};
use crate::live::{Attention, Entered, Outbox};
use crate::prompt::Look;
use crate::remote::Orders;
use crate::safe::{Tower, safe, safe_part};
use crate::session::Ended;
use crate::stage::Return;
use crate::summary;
use crate::tty::{Echo, Typed};
use crate::wrap::{Break, wrap};
use askback_core::Request;
use askback_core::show::{Layout, Purpose};
use std::time::Duration;

/// Bytes of a line that has begun in the background; a longer one is kept in parts, so that there is an end to it (S3).
const BEGUN: usize = 64 * 1024;
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
    /// Whether somebody has waited for Ctrl+C since the last message: what else was typed then is not meant for the next.
    has_attended: bool,
    /// Whether lines are meant for a list that was told.
    is_browsing: bool,
}

impl Conversation {
    pub(crate) fn open(caps: Caps) -> Result<Self, TermError> {
        let mut console = Console::open(caps)?;
        console.enter(Echo::Unseen, Typed::Kept)?;
        let (tower, unsaid) = (Tower::default(), Outbox::default());
        Ok(Self { console, tower, unsaid, begun: String::new(), failed: None, has_attended: false, is_browsing: false })
    }

    pub(crate) fn text(&mut self, delta: &str) {
        self.leave_list();
        let alphabet = self.console.page().alphabet;
        let spans = safe_part(delta, Role::Plain, alphabet, &mut self.tower);
        let shown: String = spans.into_iter().map(|span| span.text).collect();
        if self.may_write() {
            let wrote = self.console.write(&shown);
            self.note_failure(wrote);
            return;
        }
        for (index, part) in shown.split('\n').enumerate() {
            if index > 0 || self.begun.len() > BEGUN {
                let line = std::mem::take(&mut self.begun);
                self.unsaid.push(Line::of(line, Role::Plain));
            }
            self.begun.push_str(part);
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
        self.has_attended = true;
        self.leave_list();
        if self.console.is_here() {
            self.console.enter(Echo::Unseen, Typed::Kept)?;
        }
        loop {
            self.check()?;
            match self.console.next().await? {
                Event::Entered(Entry::Interrupt) => return Ok(Attention::Interrupted),
                Event::Entered(Entry::Suspend) => {
                    let found = self.console.suspend()?;
                    self.come_back(found)?;
                }
                // Nobody was asked anything.
                Event::Entered(_) => {}
                Event::PerhapsBack => {
                    let found = self.console.come_back()?;
                    self.come_back(found)?;
                }
            }
        }
    }

    pub(crate) async fn ask(&mut self, request: &Request, look: Look, orders: &mut Orders) -> Result<Ended, TermError> {
        self.leave_list();
        let withdrawn = tokio::select! {
            biased;
            here = self.be_in_front() => {
                here?;
                None
            }
            // While another program is in front nobody can hear the prompt, and somebody else may have answered.
            notice = orders.withdrawal() => Some(notice),
        };
        if withdrawn.is_none() && self.console.discard_typed()? {
            return Ok(Ended::Interrupted);
        }
        if let Some(notice) = withdrawn.or_else(|| orders.next_withdrawal()) {
            // What was printed before is printed before it.
            orders.prints().iter().for_each(|text| self.print(text));
            self.say(summary::withdrawn(request, &notice, &self.console.page()));
            return Ok(Ended::Withdrawn);
        }
        let mut session = PlainSession::new(&mut self.console, request, look);
        let ended = session.run(orders).await;
        let unsaid = session.take_unsaid();
        unsaid.into_iter().for_each(|line| self.unsaid.push(line));
        ended
    }

    pub(crate) async fn browse(&mut self, browser: &mut Browser) -> Result<Browsed, TermError> {
        if !self.is_browsing {
            self.be_in_front().await?;
            if self.console.discard_typed()? {
                return Ok(Browsed::Closed);
            }
            browser.appear();
            self.tell_list(browser)?;
        } else if self.console.is_here() {
            // Something may have been printed in between.
            let said = browser.told_note(&self.console.page());
            if !said.is_empty() || self.console.is_line_over() {
                self.console.say_and_begin(&said, INVITATION)?;
            }
        }
        loop {
            self.check()?;
            let typed = match self.console.next().await? {
                Event::Entered(typed) => typed,
                Event::PerhapsBack => {
                    let found = self.console.come_back()?;
                    self.hear_list_again(browser, found)?;
                    continue;
                }
            };
            let input = match typed {
                Entry::Interrupt => Input::Key(Key::Interrupt),
                Entry::Close => Input::Key(Key::Close),
                Entry::Suspend => Input::Key(Key::Suspend),
                Entry::Line(line) => Input::Line(line),
                Entry::Refused(why) => {
                    self.console.say_and_begin(&[Line::of(why, Role::Plain)], INVITATION)?;
                    continue;
                }
            };
            // A number means what was told under it, however long ago.
            match browser.update(&input, Duration::ZERO) {
                Step::Stay => {
                    let said = browser.told_note(&self.console.page());
                    self.console.say_and_begin(&said, INVITATION)?;
                }
                Step::Tell => self.tell_list(browser)?,
                Step::Suspend => {
                    let found = self.console.suspend()?;
                    self.hear_list_again(browser, found)?;
                }
                Step::Ended(browsed) => {
                    self.leave_list();
                    self.check()?;
                    return Ok(browsed);
                }
            }
        }
    }

    /// Tells the list, and that it is the person's turn. What was typed before it was told is not about it, nor is it shown.
    fn tell_list(&mut self, browser: &mut Browser) -> Result<(), TermError> {
        self.is_browsing = true;
        let lines = browser.tell(&self.console.page());
        self.console.enter(Echo::Unseen, Typed::Kept)?;
        self.console.say(&lines)?;
        self.console.enter(Echo::Seen, Typed::Discarded)?;
        self.console.say_and_begin(&[], INVITATION)
    }

    fn hear_list_again(&mut self, browser: &mut Browser, found: Return) -> Result<(), TermError> {
        self.come_back(found)?;
        if found != Return::Back {
            return Ok(());
        }
        browser.appear();
        self.tell_list(browser)
    }

    /// Lines are not meant for the list any more, and keys are not seen.
    fn leave_list(&mut self) {
        if std::mem::take(&mut self.is_browsing) && self.may_write() {
            let left = self.console.enter(Echo::Unseen, Typed::Kept).and_then(|()| self.console.end_line());
            self.note_failure(left);
        }
    }

    pub(crate) async fn read_line(&mut self) -> Result<Entered, TermError> {
        self.leave_list();
        self.be_in_front().await?;
        let mut is_leaving = false;
        let mut typed = if std::mem::take(&mut self.has_attended) { Typed::Discarded } else { Typed::Kept };
        loop {
            self.console.enter(Echo::Seen, typed)?;
            self.console.say_and_begin(&[], INVITATION)?;
            let was_leaving = std::mem::take(&mut is_leaving);
            typed = Typed::Kept;
            match self.next_typed().await? {
                Entry::Line(line) if line.trim().is_empty() => {}
                Entry::Line(line) => {
                    self.console.enter(Echo::Unseen, Typed::Kept)?;
                    return Ok(Entered::Line(line));
                }
                Entry::Refused(why) => self.console.say(&[Line::of(why, Role::Plain)])?,
                Entry::Close => {
                    self.console.end_line()?;
                    return Ok(Entered::Closed);
                }
                Entry::Interrupt if was_leaving => {
                    self.console.end_line()?;
                    return Ok(Entered::Closed);
                }
                Entry::Interrupt => {
                    is_leaving = true;
                    self.console.say(&[Line::of(LEAVING, Role::Plain)])?;
                }
                Entry::Suspend => {
                    // What is typed meanwhile is for others.
                    typed = Typed::Discarded;
                    if self.console.suspend()? == Return::Away {
                        self.be_in_front().await?;
                    }
                }
            }
        }
    }

    /// What is typed next, here.
    async fn next_typed(&mut self) -> Result<Entry, TermError> {
        loop {
            match self.console.next().await? {
                Event::Entered(typed) => return Ok(typed),
                Event::PerhapsBack => match self.console.come_back()? {
                    Return::Away | Return::Unchanged => {}
                    Return::Back => {
                        self.console.enter(Echo::Seen, Typed::Discarded)?;
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
        self.console.enter(Echo::Unseen, Typed::Discarded)?;
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
