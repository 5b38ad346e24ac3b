//! One request, told and answered in lines.

use super::{Console, Entry};
use crate::error::TermError;
use crate::form::{Form, Verdict};
use crate::input::Input;
use crate::line::{Line, Role};
use crate::remote::{Hearing, Order, Orders};
use crate::safe::safe;
use crate::session::today;
use crate::summary;
use crate::tty::{Echo, Return, Typed, until};
use crate::wrap::{Break, wrap};
use askback_core::show::{Layout, Purpose};
use askback_core::{PromptEnd, PromptStyle, Request, Resolution, Status};
use std::time::Duration;
use tokio::time::Instant;

/// Bytes printed in between before it is the person's turn again.
const PRINTED: usize = 64 * 1024;

pub(crate) struct PlainSession<'c, 'r> {
    request: &'r Request,
    console: &'c mut Console,
    form: Form<'r>,
    started: Instant,
    /// When lines are taken: not in the moment in which an approval or a confirm appears (T7).
    calm: Option<Instant>,
    /// Whether it was said that time is running out.
    has_warned: bool,
    /// What should have been said while another program was in front.
    pub(super) unsaid: Vec<Line>,
}

impl<'c, 'r> PlainSession<'c, 'r> {
    pub(crate) fn new(console: &'c mut Console, request: &'r Request, look: PromptStyle) -> Self {
        let form = Form::new(request, look, console.page, today(request));
        Self { request, console, form, started: Instant::now(), calm: None, has_warned: false, unsaid: Vec::new() }
    }

    pub(crate) async fn run(&mut self, orders: &mut Orders) -> Result<PromptEnd, TermError> {
        let introduction = self.form.introduction();
        self.console.say(&introduction)?;
        if !introduction.is_empty() {
            self.console.say(&[Line::blank()])?;
        }
        let commands = self.form.told_commands();
        self.tell(&[commands])?;
        loop {
            let tick = self.form.clock().next_change(self.now()).map(|at| self.started + at);
            let hearing = if self.console.is_here() { Hearing::Everything } else { Hearing::Withdrawals };
            // While another program is in front the person is not invited.
            let calm = self.calm.filter(|_| hearing == Hearing::Everything);
            let mut verdict = Verdict::Open;
            tokio::select! {
                biased;
                entry = self.console.next() => match entry? {
                    Some(entry) => verdict = self.take(entry)?,
                    None => self.come_back()?,
                },
                () = until(calm) => {
                    self.calm = None;
                    self.console.enter(Echo::Seen, Typed::Discarded)?;
                    self.console.invite(&[])?;
                }
                () = until(tick) => self.warn()?,
                order = orders.next(hearing) => match order {
                    Order::Print(text) => self.print(text, orders)?,
                    Order::Withdraw(notice) => {
                        // What was printed before is printed before it.
                        if let Some(text) = orders.next_print() {
                            self.print(text, orders)?;
                        }
                        self.finish(Typed::Discarded, summary::withdrawn(self.request, &notice, &self.console.page))?;
                        return Ok(PromptEnd::Withdrawn);
                    }
                },
            }
            if verdict == Verdict::Open && self.form.clock().has_expired(self.now()) {
                verdict = Verdict::Resolved(Resolution::from_silence(self.request));
            }
            match verdict {
                Verdict::Open => {}
                Verdict::Suspend => {
                    self.console.suspend()?;
                    self.come_back()?;
                }
                Verdict::Resolved(resolution) => {
                    // What was half typed when time ran out is not for whoever comes next.
                    let typed = if resolution.status() == Status::Expired { Typed::Discarded } else { Typed::Kept };
                    self.finish(typed, summary::of(self.request, &resolution, orders.left_as, &self.console.page))?;
                    return Ok(PromptEnd::Decided(resolution));
                }
                Verdict::Interrupted => {
                    let cancelled = Resolution::cancelled(None);
                    let lines = summary::of(self.request, &cancelled, orders.left_as, &self.console.page);
                    self.finish(Typed::Kept, lines)?;
                    return Ok(PromptEnd::Interrupted);
                }
            }
        }
    }

    fn take(&mut self, entry: Entry) -> Result<Verdict, TermError> {
        let input = match entry.input() {
            Ok(Input::Line(_)) | Err(_) if self.calm.is_some() => return Ok(Verdict::Open),
            Ok(input) => input,
            Err(why) => {
                self.console.invite(&[Line::of(why, Role::Error)])?;
                return Ok(Verdict::Open);
            }
        };
        let (place, told) = (self.form.place(), self.form.told_body());
        let verdict = self.form.update(&input, self.now());
        if verdict != Verdict::Open {
            return Ok(verdict);
        }
        if self.form.place() != place {
            self.console.say(&[Line::blank()])?;
            self.tell(&[])?;
            return Ok(verdict);
        }
        let mut lines = self.form.told_note();
        // What was searched for, or what is asked for next.
        let now = self.form.told_body();
        if now != told {
            lines.extend(now);
        }
        self.console.invite(&lines)?;
        Ok(verdict)
    }

    /// Tells what is asked here. What was typed before it was told is no answer to it.
    fn tell(&mut self, besides: &[Line]) -> Result<(), TermError> {
        let mut lines = self.form.told_head();
        lines.extend(self.form.told_body());
        lines.extend(self.form.told_note());
        lines.extend_from_slice(besides);
        // Nor is it shown: whoever reads the last of these lines and types at once finds the terminal already quiet.
        self.console.enter(Echo::Unseen, Typed::Kept)?;
        self.console.say(&lines)?;
        let now = self.now();
        self.form.appear(now);
        self.calm = self.form.calm_left(now).map(|left| Instant::now() + left);
        match self.calm {
            Some(_) => self.console.enter(Echo::Unseen, Typed::Discarded),
            None => {
                self.console.enter(Echo::Seen, Typed::Discarded)?;
                self.console.invite(&[])
            }
        }
    }

    /// Says once that time is running out. What was typed so far is kept by the terminal, though it can't be shown again.
    fn warn(&mut self) -> Result<(), TermError> {
        let now = self.now();
        let is_urgent = self.form.clock().is_urgent(now) && !self.form.clock().has_expired(now);
        if self.has_warned || !is_urgent || !self.console.is_here() {
            return Ok(());
        }
        self.has_warned = true;
        let left = self.form.clock().text(now).unwrap_or_default();
        let warning = format!("{left}: {}.", summary::silence(self.request));
        let spans = safe(&warning, Layout::Line, Purpose::Exact, Role::Plain, self.console.page.alphabet);
        self.interject(&[Line { spans }])
    }

    /// Prints what has arrived, as much as is there, and goes on once.
    fn print(&mut self, mut text: String, orders: &mut Orders) -> Result<(), TermError> {
        while text.len() < PRINTED {
            let Some(more) = orders.next_print() else {
                break;
            };
            text.push('\n');
            text.push_str(&more);
        }
        let spans = safe(&text, Layout::Block, Purpose::Prose, Role::Plain, self.console.page.alphabet);
        self.interject(&wrap(&spans, usize::MAX, Break::Words))
    }

    /// Says something in between.
    fn interject(&mut self, lines: &[Line]) -> Result<(), TermError> {
        if self.calm.is_none() { self.console.invite(lines) } else { self.console.say(lines) }
    }

    fn come_back(&mut self) -> Result<(), TermError> {
        match self.console.come_back() {
            Return::Away | Return::Unchanged => Ok(()),
            Return::Back => self.tell(&[]),
        }
    }

    fn finish(&mut self, typed: Typed, lines: Vec<Line>) -> Result<(), TermError> {
        if !self.console.is_here() {
            self.unsaid = lines;
            return Ok(());
        }
        self.console.enter(Echo::Unseen, typed)?;
        self.console.say(&lines)
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }
}
