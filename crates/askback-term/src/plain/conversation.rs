//! A conversation in lines: text is written as it comes, nothing spins, and messages are lines.

use super::{Console, Entry, PlainSession};
use crate::browser::{Browsed, Browser, Step};
use crate::caps::Caps;
use crate::error::TermError;
use crate::line::{Line, Role};
use crate::live::{Entered, Outbox};
use crate::remote::Orders;
use crate::safe::{Tower, safe, safe_part};
use crate::summary;
use crate::tty::{Echo, Return, Typed};
use crate::wrap::{Break, wrap_after};
use askback_core::show::{Layout, Purpose};
use askback_core::{PromptEnd, PromptStyle, Request};
use std::time::Duration;

/// Bytes of a line that has begun in the background; a longer one is kept in parts, so that there is an end to it (S3).
const BEGUN: usize = 64 * 1024;
const LEAVING: &str = "Press Ctrl+C again to quit.";

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
        let spans = safe_part(delta, Role::Plain, self.console.page.alphabet, &mut self.tower);
        let shown: String = spans.into_iter().map(|span| span.text).collect();
        if self.write(|console| console.write(&shown)) {
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
        self.write(Console::end_line);
    }

    pub(crate) fn print(&mut self, text: &str) {
        self.print_after("", text);
    }

    pub(crate) fn print_after(&mut self, sign: &str, text: &str) {
        self.finish_text();
        let spans = safe(text, Layout::Block, Purpose::Prose, Role::Plain, self.console.page.alphabet);
        self.say(wrap_after(Line::of(sign, Role::Plain), &spans, usize::MAX, Break::Words));
    }

    fn say(&mut self, lines: Vec<Line>) {
        if !self.write(|console| console.say(&lines)) {
            lines.into_iter().for_each(|line| self.unsaid.push(line));
        }
    }

    /// Writes if that may be done now, and returns whether it may; a failure is told later.
    fn write(&mut self, write: impl FnOnce(&mut Console) -> Result<(), TermError>) -> bool {
        let may_write = self.failed.is_none() && self.console.is_here();
        if may_write {
            self.failed = write(&mut self.console).err();
        }
        may_write
    }

    pub(crate) async fn attend(&mut self) -> Result<(), TermError> {
        self.has_attended = true;
        self.leave_list();
        if self.console.is_here() {
            self.console.enter(Echo::Unseen, Typed::Kept)?;
        }
        loop {
            self.check()?;
            match self.console.next().await? {
                Some(Entry::Interrupt) => return Ok(()),
                Some(Entry::Suspend) => {
                    self.console.suspend()?;
                    self.come_back()?;
                }
                // Nobody was asked anything.
                Some(Entry::Line(_) | Entry::Refused(_) | Entry::Close) => {}
                None => {
                    self.come_back()?;
                }
            }
        }
    }

    pub(crate) async fn ask(
        &mut self,
        request: &Request,
        look: PromptStyle,
        orders: &mut Orders,
    ) -> Result<PromptEnd, TermError> {
        self.leave_list();
        let withdrawn = orders.withdrawal_before(self.be_in_front()).await?;
        if withdrawn.is_none() && self.console.discard_typed()? {
            return Ok(PromptEnd::Interrupted);
        }
        if let Some(notice) = withdrawn.or_else(|| orders.next_withdrawal()) {
            // What was printed before is printed before it.
            orders.prints().iter().for_each(|text| self.print(text));
            self.say(summary::withdrawn(request, &notice, &self.console.page));
            return Ok(PromptEnd::Withdrawn);
        }
        let mut session = PlainSession::new(&mut self.console, request, look);
        let ended = session.run(orders).await;
        session.unsaid.into_iter().for_each(|line| self.unsaid.push(line));
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
            let said = browser.told_note(&self.console.page);
            if !said.is_empty() || self.console.is_line_over {
                self.console.invite(&said)?;
            }
        }
        loop {
            self.check()?;
            let Some(entry) = self.console.next().await? else {
                self.hear_list_again(browser)?;
                continue;
            };
            let input = match entry.input() {
                Ok(input) => input,
                Err(why) => {
                    self.console.invite(&[Line::of(why, Role::Plain)])?;
                    continue;
                }
            };
            // A number means what was told under it, however long ago.
            match browser.update(&input, Duration::ZERO) {
                Step::Stay => {
                    let said = browser.told_note(&self.console.page);
                    self.console.invite(&said)?;
                }
                Step::Tell => self.tell_list(browser)?,
                Step::Suspend => {
                    self.console.suspend()?;
                    self.hear_list_again(browser)?;
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
        let lines = browser.tell(&self.console.page);
        self.console.enter(Echo::Unseen, Typed::Kept)?;
        self.console.say(&lines)?;
        self.console.enter(Echo::Seen, Typed::Discarded)?;
        self.console.invite(&[])
    }

    fn hear_list_again(&mut self, browser: &mut Browser) -> Result<(), TermError> {
        if self.come_back()? != Return::Back {
            return Ok(());
        }
        browser.appear();
        self.tell_list(browser)
    }

    /// Lines are not meant for the list any more, and keys are not seen.
    fn leave_list(&mut self) {
        if std::mem::take(&mut self.is_browsing) {
            self.write(|console| console.enter(Echo::Unseen, Typed::Kept).and_then(|()| console.end_line()));
        }
    }

    pub(crate) async fn read_line(&mut self) -> Result<Entered, TermError> {
        self.leave_list();
        self.be_in_front().await?;
        let mut is_leaving = false;
        let mut typed = if std::mem::take(&mut self.has_attended) { Typed::Discarded } else { Typed::Kept };
        loop {
            self.console.enter(Echo::Seen, typed)?;
            self.console.invite(&[])?;
            let was_leaving = std::mem::take(&mut is_leaving);
            typed = Typed::Kept;
            match self.next_typed().await? {
                Entry::Line(line) if line.trim().is_empty() => {}
                Entry::Line(line) => {
                    self.console.enter(Echo::Unseen, Typed::Kept)?;
                    return Ok(Entered::Line(line));
                }
                Entry::Refused(why) => self.console.say(&[Line::of(why, Role::Plain)])?,
                Entry::Interrupt if !was_leaving => {
                    is_leaving = true;
                    self.console.say(&[Line::of(LEAVING, Role::Plain)])?;
                }
                Entry::Close | Entry::Interrupt => {
                    self.console.end_line()?;
                    return Ok(Entered::Closed);
                }
                Entry::Suspend => {
                    // What is typed meanwhile is for others.
                    typed = Typed::Discarded;
                    self.console.suspend()?;
                    if self.console.come_back() == Return::Away {
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
                Some(entry) => return Ok(entry),
                None if self.console.come_back() == Return::Back => {
                    self.console.enter(Echo::Seen, Typed::Discarded)?;
                    self.console.invite(&[])?;
                }
                None => {}
            }
        }
    }

    /// Finishes what was said and waits until we are in front, so that something can be asked.
    async fn be_in_front(&mut self) -> Result<(), TermError> {
        self.finish_text();
        self.check()?;
        while !self.console.is_here() {
            if self.console.next().await?.is_none() {
                self.come_back()?;
            }
        }
        Ok(())
    }

    fn come_back(&mut self) -> Result<Return, TermError> {
        let found = self.console.come_back();
        if found == Return::Back {
            self.console.enter(Echo::Unseen, Typed::Discarded)?;
            let lines = self.unsaid.take(&self.console.page);
            self.console.say(&lines)?;
            let begun = std::mem::take(&mut self.begun);
            self.console.write(&begun)?;
        }
        Ok(found)
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
