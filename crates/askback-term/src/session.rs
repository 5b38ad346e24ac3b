//! One prompt from its first painting to its last line: keys, the clock, the window and the outside world in one loop.

use crate::error::TermError;
use crate::form::{Form, Verdict};
use crate::input::Input;
use crate::line::{Line, Role};
use crate::prompt::needs_today;
use crate::remote::{Hearing, Order, Orders};
use crate::safe::safe;
use crate::stage::{Event, Stage};
use crate::summary;
use crate::theme::Alphabet;
use crate::tty::{Return, Typed, until};
use askback_core::show::{Layout, Purpose};
use askback_core::{PromptEnd, PromptStyle, Request, Resolution};
use jiff::civil::Date;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How long the answer stands in the colour of success (Q8).
const TAKEN: Duration = Duration::from_millis(90);
/// Bytes printed above the prompt before it is painted again.
const PRINTED: usize = 64 * 1024;

/// A request on a terminal that may show other things before and after it.
pub(crate) struct Session<'s, 'r> {
    request: &'r Request,
    stage: &'s mut Stage,
    form: Form<'r>,
    started: Instant,
    /// What should have stayed on the screen while another program had it.
    pub(crate) unshown: Vec<Line>,
}

impl<'s, 'r> Session<'s, 'r> {
    pub(crate) fn new(stage: &'s mut Stage, request: &'r Request, look: PromptStyle) -> Self {
        let form = Form::new(request, look, stage.page, today(request));
        Self { request, stage, form, started: Instant::now(), unshown: Vec::new() }
    }

    pub(crate) async fn run(&mut self, orders: &mut Orders) -> Result<PromptEnd, TermError> {
        self.begin()?;
        loop {
            let is_still = !self.stage.is_resizing();
            // While the window moves nothing is painted, so nothing that only needs painting is waited for.
            let change = self.form.next_change(self.now()).filter(|_| is_still);
            let tick = change.map(|at| self.started + at);
            let hearing = if self.stage.is_here() && is_still { Hearing::Everything } else { Hearing::Withdrawals };
            let mut verdict = Verdict::Open;
            tokio::select! {
                biased;
                event = self.stage.next() => match event? {
                    Event::Inputs(inputs) => verdict = self.take_inputs(&inputs)?,
                    Event::WindowChanged => continue,
                    Event::WindowQuiet => {}
                    Event::PerhapsBack => self.come_back()?,
                },
                () = until(tick) => {}
                order = orders.next(hearing) => match order {
                    Order::Print(text) => self.print_above(&text, orders)?,
                    Order::Withdraw(notice) => {
                        // What was printed before is printed before it.
                        if let Some(text) = orders.next_print() {
                            self.print_above(&text, orders)?;
                        }
                        self.finish(summary::withdrawn(self.request, &notice, &self.stage.page))?;
                        return Ok(PromptEnd::Withdrawn);
                    }
                },
            }
            if verdict == Verdict::Open && self.form.clock().has_expired(self.now()) {
                verdict = Verdict::Resolved(Resolution::from_silence(self.request));
            }
            match verdict {
                Verdict::Open => self.paint()?,
                Verdict::Suspend => self.suspend()?,
                Verdict::Resolved(resolution) => {
                    self.end(&resolution, orders.left_as).await?;
                    return Ok(PromptEnd::Decided(resolution));
                }
                Verdict::Interrupted => {
                    self.end(&Resolution::cancelled(None), orders.left_as).await?;
                    return Ok(PromptEnd::Interrupted);
                }
            }
        }
    }

    fn take_inputs(&mut self, inputs: &[Input]) -> Result<Verdict, TermError> {
        // What was typed before a question appeared was not meant for it, except to move on from there.
        let mut has_moved = false;
        for input in inputs {
            let before = self.form.place();
            let now = self.now();
            let verdict = if has_moved { self.form.update_unseen(input, now) } else { self.form.update(input, now) };
            match verdict {
                Verdict::Open => has_moved |= self.form.place() != before,
                Verdict::Suspend => self.suspend()?,
                verdict => return Ok(verdict),
            }
        }
        Ok(Verdict::Open)
    }

    fn begin(&mut self) -> Result<(), TermError> {
        let frame = self.form.view(self.now());
        self.stage.begin(&frame, Typed::Discarded)?;
        self.form.appear(self.now());
        Ok(())
    }

    fn paint(&mut self) -> Result<(), TermError> {
        let Some(opening) = self.stage.opening() else {
            return Ok(());
        };
        if !opening.is_empty() {
            self.form.fit(self.stage.page);
        }
        let frame = self.form.view(self.now());
        self.stage.paint(&opening, &[], &frame)
    }

    /// Prints what has arrived, as much as is there, and paints once.
    fn print_above(&mut self, text: &str, orders: &mut Orders) -> Result<(), TermError> {
        let alphabet = self.stage.page.alphabet;
        let mut printed = safe_lines(text, alphabet);
        while printed.len() < PRINTED {
            let Some(more) = orders.next_print() else {
                break;
            };
            printed.push_str(&safe_lines(&more, alphabet));
        }
        self.stage.print_above(&printed)
    }

    fn suspend(&mut self) -> Result<(), TermError> {
        self.stage.suspend()?;
        self.come_back()
    }

    fn come_back(&mut self) -> Result<(), TermError> {
        match self.stage.come_back() {
            Return::Away => Ok(()),
            Return::Unchanged => self.paint(),
            Return::Back => {
                self.form.fit(self.stage.page);
                self.begin()
            }
        }
    }

    async fn end(&mut self, resolution: &Resolution, left_as: &str) -> Result<(), TermError> {
        if resolution.answers().is_some() && !self.form.clock().has_expired(self.now()) {
            self.form.take();
            self.paint()?;
            sleep(TAKEN).await;
        }
        self.finish(summary::of(self.request, resolution, left_as, &self.stage.page))
    }

    fn finish(&mut self, lines: Vec<Line>) -> Result<(), TermError> {
        if !self.stage.finish(&lines)? {
            self.unshown = lines;
        }
        Ok(())
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }
}

impl Drop for Session<'_, '_> {
    /// Dropped in the middle, the prompt leaves nothing behind.
    fn drop(&mut self) {
        self.stage.erase();
    }
}

/// The day it is here, if a question is about days: to know it, files must be read.
pub(crate) fn today(request: &Request) -> Date {
    let asks = request.questions().iter().any(|question| needs_today(question.kind()));
    if asks { jiff::Zoned::now().date() } else { Date::ZERO }
}

/// Whole lines that can't act on the terminal.
fn safe_lines(text: &str, alphabet: Alphabet) -> String {
    let spans = safe(text, Layout::Block, Purpose::Prose, Role::Plain, alphabet);
    let mut shown: String = spans.into_iter().map(|span| span.text).collect();
    if !shown.ends_with('\n') {
        shown.push('\n');
    }
    shown.replace('\n', "\r\n")
}
