//! A conversation that is painted: text that streams in, a spinner, lines that stay, prompts and messages, one after the
//! other, without a moment in which keys would echo.

use super::line_reader::{self, Reader, Reading};
use super::show::Show;
use super::{Entered, Window};
use crate::browser::{Browsed, Browser, Step};
use crate::caps::Caps;
use crate::error::TermError;
use crate::input::{Input, Key};
use crate::line::{Frame, Role};
use crate::page::Page;
use crate::remote::Orders;
use crate::session::Session;
use crate::stage::{Event, Stage};
use crate::summary;
use crate::tty::{Return, Typed, until};
use askback_core::{PromptEnd, PromptStyle, Request};
use std::time::Duration;
use tokio::time::Instant;

pub(super) struct Painted {
    stage: Stage,
    started: Instant,
    show: Show,
    /// What was typed and read together with the end of a message.
    ahead: Vec<Input>,
    /// The list that is on the screen, as it was painted last: it stays while nobody browses for a moment.
    list: Option<Frame>,
    /// Whether keys are meant for that list.
    is_browsing: bool,
    failed: Option<TermError>,
}

impl Painted {
    pub(super) fn open(caps: Caps) -> Result<Self, TermError> {
        let mut stage = Stage::open(caps)?;
        stage.begin(&Frame::default(), Typed::Kept)?;
        Ok(Self {
            stage,
            started: Instant::now(),
            show: Show::default(),
            ahead: Vec::new(),
            list: None,
            is_browsing: false,
            failed: None,
        })
    }

    pub(super) fn text(&mut self, delta: &str) {
        self.take_list_away();
        self.show.text(delta);
        self.paint_if_due();
    }

    pub(super) fn start_spinner(&mut self, label: &str) {
        let now = self.now();
        self.take_list_away();
        self.change(|show, _| show.start_spinner(label, now));
    }

    /// Changes what is shown, and paints it.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Show, &Page)) {
        change(&mut self.show, &self.stage.page);
        self.paint_if_still();
    }

    pub(super) fn window(&self) -> Window {
        Window { columns: self.stage.page.columns, rows: self.stage.page.rows }
    }

    pub(super) async fn attend(&mut self) -> Result<(), TermError> {
        self.take_list_away();
        loop {
            let ahead = std::mem::take(&mut self.ahead);
            if self.discard(&ahead)? {
                return Ok(());
            }
            self.paint_if_due();
            self.check()?;
            // What needs painting is waited for where there can be painting.
            let can_paint = self.stage.is_here() && !self.stage.is_resizing();
            let next = self.show.next_change().filter(|_| can_paint).map(|at| self.started + at);
            let event = tokio::select! {
                biased;
                event = self.stage.next() => event?,
                () = until(next) => continue,
            };
            match event {
                Event::Inputs(inputs) if self.discard(&inputs)? => return Ok(()),
                Event::Inputs(_) | Event::WindowChanged => {}
                Event::WindowQuiet => self.paint(),
                Event::PerhapsBack => self.come_back()?,
            }
        }
    }

    pub(super) async fn ask(
        &mut self,
        request: &Request,
        look: PromptStyle,
        orders: &mut Orders,
    ) -> Result<PromptEnd, TermError> {
        let withdrawn = orders.withdrawal_before(self.clear_stage()).await?;
        if withdrawn.is_none() && self.discard_typed()? {
            return Ok(PromptEnd::Interrupted);
        }
        if let Some(notice) = withdrawn.or_else(|| orders.next_withdrawal()) {
            // What was printed before is printed before it.
            for text in orders.prints() {
                self.change(|show, page| show.print(Role::Plain, &text, page));
            }
            self.change(|show, page| show.print_lines(summary::withdrawn(request, &notice, page), page));
            return Ok(PromptEnd::Withdrawn);
        }
        self.show.touch();
        let mut session = Session::new(&mut self.stage, request, look);
        let ended = session.run(orders).await;
        let unshown = std::mem::take(&mut session.unshown);
        drop(session);
        if !unshown.is_empty() {
            self.show.print_lines(unshown, &self.stage.page);
        }
        ended
    }

    pub(super) async fn read_line(&mut self, history: &[String]) -> Result<Entered, TermError> {
        self.clear_stage().await?;
        self.show.touch();
        let mut reader = Reader::new(history);
        let shown = Shown(&mut self.stage);
        let stage = &mut *shown.0;
        let mut inputs = std::mem::take(&mut self.ahead).into_iter();
        loop {
            while let Some(input) = inputs.next() {
                match reader.update(&input) {
                    Reading::Open => {}
                    Reading::Suspend => {
                        stage.suspend()?;
                        stage.take_again()?;
                    }
                    Reading::Closed => {
                        stage.finish(&[])?;
                        return Ok(Entered::Closed);
                    }
                    Reading::Entered(text) => {
                        self.ahead = inputs.collect();
                        let lines = line_reader::entered(&text, &stage.page);
                        if !stage.finish(&lines)? {
                            self.show.print_lines(lines, &stage.page);
                        }
                        return Ok(Entered::Line(text));
                    }
                }
            }
            if let Some(opening) = stage.opening() {
                let frame = reader.view(&stage.page);
                stage.paint(&opening, &[], &frame)?;
            }
            loop {
                match stage.next().await? {
                    Event::Inputs(typed) => inputs = typed.into_iter(),
                    // Nothing is painted until the window keeps its size.
                    Event::WindowChanged => continue,
                    Event::WindowQuiet => {}
                    Event::PerhapsBack => {
                        stage.take_again()?;
                    }
                }
                break;
            }
        }
    }

    pub(super) async fn browse(&mut self, browser: &mut Browser) -> Result<Browsed, TermError> {
        if !self.is_browsing {
            self.clear_stage().await?;
            if self.discard_typed()? {
                return Ok(Browsed::Closed);
            }
            self.begin_list(browser);
        }
        self.stage.notice_window();
        let mut may_paint = !self.stage.is_resizing();
        loop {
            if may_paint {
                self.paint_list(browser);
            }
            self.check()?;
            may_paint = true;
            let mut inputs = std::mem::take(&mut self.ahead);
            if inputs.is_empty() {
                match self.stage.next().await? {
                    Event::Inputs(typed) => inputs = typed,
                    // Nothing is painted until the window keeps its size.
                    Event::WindowChanged => may_paint = false,
                    Event::WindowQuiet => {}
                    Event::PerhapsBack => self.take_list_again(browser)?,
                }
            }
            if let Some(browsed) = self.take_in_list(browser, inputs)? {
                return Ok(browsed);
            }
        }
    }

    fn take_in_list(&mut self, browser: &mut Browser, inputs: Vec<Input>) -> Result<Option<Browsed>, TermError> {
        let mut inputs = inputs.into_iter();
        while let Some(input) = inputs.next() {
            match browser.update(&input, self.now()) {
                Step::Stay | Step::Tell => {}
                Step::Suspend => {
                    self.stage.suspend()?;
                    self.take_list_again(browser)?;
                    // The rest was typed before the list was there again.
                    return Ok(None);
                }
                Step::Ended(browsed) => {
                    match browsed {
                        // What was typed after it was typed for the list.
                        Browsed::Acted { .. } => self.ahead = inputs.collect(),
                        // The list stays until the prompt takes its place.
                        Browsed::Opened(_) => self.is_browsing = false,
                        Browsed::Closed => {
                            self.take_list_away();
                            self.stage.finish(&[])?;
                        }
                    }
                    return Ok(Some(browsed));
                }
            }
        }
        Ok(None)
    }

    fn begin_list(&mut self, browser: &mut Browser) {
        self.list = Some(Frame::default());
        self.is_browsing = true;
        browser.appear();
    }

    fn take_list_again(&mut self, browser: &mut Browser) -> Result<(), TermError> {
        if self.stage.take_again()? == Return::Back {
            self.begin_list(browser);
        }
        Ok(())
    }

    /// Paints the list as it is now, below what was printed.
    fn paint_list(&mut self, browser: &mut Browser) {
        let Some(opening) = self.opening() else {
            return;
        };
        let now = self.now();
        let page = self.stage.page;
        let frame = browser.view(&page);
        let (lines, _) = self.show.paint(&page, now);
        // Whatever races the list may let it be painted very often.
        if !opening.is_empty() || !lines.is_empty() || self.list.as_ref() != Some(&frame) {
            self.failed = self.stage.paint(&opening, &lines, &frame).err();
            self.list = Some(frame);
        }
        browser.be_seen(now);
    }

    /// Something else is about to be painted where the list is.
    fn take_list_away(&mut self) {
        // What was typed for the list is not for others, except for what stops anything.
        if std::mem::take(&mut self.is_browsing) {
            self.ahead.retain(|input| *input == Input::Key(Key::Interrupt));
        }
        if self.list.take().is_some() {
            self.show.touch();
        }
    }

    /// Forgets what was typed until now; whether Ctrl+C was among it.
    fn discard_typed(&mut self) -> Result<bool, TermError> {
        let ahead = std::mem::take(&mut self.ahead);
        let was_interrupted = ahead.contains(&Input::Key(Key::Interrupt));
        Ok(self.stage.discard_typed()? || was_interrupted)
    }

    /// Lets go of keys that were not meant for anything; whether Ctrl+C was among them.
    fn discard(&mut self, inputs: &[Input]) -> Result<bool, TermError> {
        for input in inputs {
            match input {
                Input::Key(Key::Interrupt) => return Ok(true),
                Input::Key(Key::Suspend) => {
                    self.stage.suspend()?;
                    self.come_back()?;
                }
                _ => {}
            }
        }
        Ok(false)
    }

    fn come_back(&mut self) -> Result<(), TermError> {
        if self.stage.take_again()? != Return::Away {
            self.paint();
        }
        Ok(())
    }

    fn finish_live(&mut self) {
        self.take_list_away();
        self.show.finish_text(&self.stage.page);
        self.show.stop_spinner();
    }

    /// Finishes what is live and waits until we are in front, so that something else can be shown.
    async fn clear_stage(&mut self) -> Result<(), TermError> {
        self.finish_live();
        loop {
            self.paint();
            self.check()?;
            if self.stage.is_here() {
                return Ok(());
            }
            if matches!(self.stage.next().await?, Event::PerhapsBack) {
                self.stage.take_again()?;
            }
        }
    }

    fn paint_if_due(&mut self) {
        if self.show.is_due(self.now()) {
            self.paint_if_still();
        }
    }

    /// Paints, but not while the window moves.
    fn paint_if_still(&mut self) {
        self.stage.notice_window();
        if self.stage.is_here() && !self.stage.is_resizing() {
            self.paint();
        } else {
            self.show.take_in_much(&self.stage.page);
        }
    }

    fn paint(&mut self) {
        let Some(opening) = self.opening() else {
            self.show.take_in_much(&self.stage.page);
            return;
        };
        let now = self.now();
        let (lines, frame) = self.show.paint(&self.stage.page, now);
        let frame = match &mut self.list {
            // It stays below what is printed, unless the window is another: whoever browses on paints it anew.
            Some(list) if opening.is_empty() => list.clone(),
            Some(list) => {
                list.clone_from(&frame);
                frame
            }
            None => frame,
        };
        self.failed = self.stage.paint(&opening, &lines, &frame).err();
    }

    /// The same as [`Stage::opening`]; a terminal that has failed is not painted on.
    fn opening(&mut self) -> Option<String> {
        if self.failed.is_none() { self.stage.opening() } else { None }
    }

    /// The failure that nobody has been told of.
    fn check(&mut self) -> Result<(), TermError> {
        self.failed.take().map_or(Ok(()), Err)
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }
}

impl Drop for Painted {
    /// All text that was received stays, and nothing else.
    fn drop(&mut self) {
        // After a panic its message is on the screen, where the frame was.
        if !std::thread::panicking() {
            self.finish_live();
            self.paint();
        }
    }
}

/// What a message is typed on, which disappears when nobody waits for the message any more.
struct Shown<'s>(&'s mut Stage);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        self.0.erase();
    }
}
