//! A form in lines, for plain mode: what is told of it, and what a line means that is no answer.

use super::{Form, Note, Place, Verdict};
use crate::editor::Editor;
use crate::input::{Input, Lines};
use crate::line::{Line, Role};
use crate::prompt::{CALM, Way, sentence};
use crate::safe::safe;
use crate::summary::{self, answer_spans};
use crate::wrap::{Break, wrap, wrap_after};
use askback_core::show::{Layout, Purpose};
use askback_core::{Context, Reason};
use std::time::Duration;

/// Lines that are commands wherever they stand alone. With another slash before it, one is text.
const ASK_BACK: &str = "/ask";
const GO_BACK: &str = "/back";

impl Form<'_> {
    /// What is told first: what this is about, who asks, what there is to see, and how long there is.
    pub(crate) fn introduction(&self) -> Vec<Line> {
        let mut lines = self.title(&self.page);
        lines.extend(self.request.context().iter().flat_map(|piece| self.told_context(piece)));
        if let Some(left) = self.clock.text(Duration::ZERO) {
            let time = format!("Time: {left}; {}.", summary::silence(self.request));
            lines.push(Line { spans: safe(&time, Layout::Line, Purpose::Exact, Role::Plain, self.page.alphabet) });
        }
        lines
    }

    /// How to do anything but answer.
    pub(crate) fn told_commands(&self) -> Line {
        let back = if self.prompts.len() > 1 { format!("{GO_BACK} goes back, ") } else { String::new() };
        Line::of(format!("{ASK_BACK} asks back, {back}Ctrl+C cancels."), Role::Plain)
    }

    /// What there is to see, whole, between its beginning and its end. A bar before each line tells it from what we say.
    fn told_context(&self, piece: &Context) -> Vec<Line> {
        let shown = |text: &str, layout| safe(text, layout, Purpose::Exact, Role::Plain, self.page.alphabet);
        let name = piece.title().unwrap_or_else(|| piece.form().name());
        let edge = |word: &str, end: &str| {
            let name = Line { spans: shown(name, Layout::Line) };
            Line::of(format!("{word} of "), Role::Plain).then(name).with(end, Role::Plain)
        };
        let text = piece.text().strip_suffix('\n').unwrap_or(piece.text());
        let bar = Line::of(format!("{} ", self.page.signs().quote), Role::Plain);
        let told = text.split('\n').map(|line| {
            let line = line.strip_suffix('\r').unwrap_or(line);
            bar.clone().then(Line { spans: shown(line, Layout::Block) })
        });
        [edge("Beginning", ":")].into_iter().chain(told).chain([edge("End", ".")]).collect()
    }

    pub(crate) fn told_head(&self) -> Vec<Line> {
        let Place::Question(index) = self.place else {
            return vec![Line::of("Your answers:", Role::Plain)];
        };
        let question = &self.request.questions()[index];
        let mut lead = Line::blank();
        if self.prompts.len() > 1 {
            lead.push(format!("Question {} of {}. ", index + 1, self.prompts.len()), Role::Plain);
        }
        if let Some(header) = question.header() {
            lead.spans.extend(safe(header, Layout::Line, Purpose::Exact, Role::Plain, self.page.alphabet));
            lead.push(": ", Role::Plain);
        }
        let purpose = if self.prompts[index].needs_calm() { Purpose::Exact } else { Purpose::Prose };
        let message = safe(question.message(), Layout::Block, purpose, Role::Plain, self.page.alphabet);
        // What an agent wrote never stands at the start of a line, where we speak.
        let indent = Line::of("  ", Role::Plain);
        let mut lines: Vec<Line> = wrap(&message, usize::MAX, Break::Words)
            .into_iter()
            .enumerate()
            .map(|(row, line)| if row == 0 { lead.clone() } else { indent.clone() }.then(line))
            .collect();
        // What a decision was so far; other prompts say themselves what an empty line would take.
        if let (Some(answer), true) = (&self.answers[index], self.prompts[index].needs_calm()) {
            let spans = answer_spans(question, answer, self.page.alphabet);
            lines.push(Line::of("So far: ", Role::Plain).then(Line { spans }));
        }
        if let Some(so_far) = self.prompts[index].so_far() {
            lines.push(Line::of(format!("So far: {so_far}."), Role::Plain));
        }
        lines
    }

    /// What there is to choose from, and what to type.
    pub(crate) fn told_body(&self) -> Vec<Line> {
        match (&self.back, self.place) {
            (Some(_), _) => {
                vec![Line::of("Type your question to the one who asks; an empty line goes back.", Role::Plain)]
            }
            (None, Place::Question(index)) => self.prompts[index].told(self.page.alphabet),
            (None, Place::Review) => self.told_review(),
        }
    }

    fn told_review(&self) -> Vec<Line> {
        let answer = |(index, question): (usize, _)| {
            let lead = Line::of(format!("{}. ", index + 1), Role::Plain);
            let spans = self.review_spans(index, question, [Role::Plain; 2]);
            wrap_after(lead, &spans, usize::MAX, Break::Words)
        };
        let mut lines: Vec<Line> = self.request.questions().iter().enumerate().flat_map(answer).collect();
        lines.push(Line::of("Enter alone submits them; a number changes that answer.", Role::Plain));
        lines
    }

    pub(crate) fn told_note(&self) -> Vec<Line> {
        let told = self.note.iter().map(|note| Note { text: sentence(&note.text), role: Role::Plain });
        told.flat_map(|note| note.rows(usize::MAX, self.page.alphabet)).collect()
    }

    /// How long keys and lines are still ignored, because what is asked has only just appeared.
    pub(crate) fn calm_left(&self, now: Duration) -> Option<Duration> {
        let left = self.appeared.map_or(CALM, |appeared| (appeared + CALM).saturating_sub(now));
        self.is_calming(now).then_some(left)
    }

    /// A line: a command, the question back, something about the review, or an answer. In lines everything there is to
    /// read has been told.
    pub(super) fn update_line(&mut self, line: &str) -> Verdict {
        if self.back.is_some() {
            return self.ask_back(line);
        }
        self.is_read = true;
        if let Some(question) = line.trim_start().strip_prefix(ASK_BACK).filter(|rest| rest.starts_with(' ')) {
            return self.ask_back(question);
        }
        match line.trim() {
            ASK_BACK => self.back = Some(Editor::new("", Lines::One)),
            "?" if !self.takes_letters() => self.back = Some(Editor::new("", Lines::One)),
            GO_BACK if self.place == Place::Question(0) => {
                self.note = Some(Note::hint("this is the first question"));
            }
            GO_BACK => self.turn(Way::Up),
            typed => match self.place {
                Place::Question(index) => {
                    let step = self.prompts[index].update(&Input::Line(unescaped(line).to_owned()));
                    return self.follow(index, step);
                }
                Place::Review => return self.review_line(typed),
            },
        }
        Verdict::Open
    }

    fn ask_back(&mut self, line: &str) -> Verdict {
        if line.trim() == GO_BACK {
            self.back = None;
            return Verdict::Open;
        }
        match Reason::parse(line.trim()) {
            Ok(Some(reason)) => return Verdict::Resolved(askback_core::Resolution::declined(Some(reason))),
            Ok(None) => self.back = None,
            Err(refusal) => self.note = Some(Note::refusal(&refusal)),
        }
        Verdict::Open
    }

    fn review_line(&mut self, typed: &str) -> Verdict {
        match typed.parse::<usize>() {
            _ if typed.is_empty() => return self.submit(),
            Ok(number @ 1..) if number <= self.prompts.len() => self.place = Place::Question(number - 1),
            _ => {
                let last = self.prompts.len();
                self.note = Some(Note::hint(format!("press Enter to submit, or type a number from 1 to {last}")));
            }
        }
        Verdict::Open
    }
}

/// The line without the slash that keeps it from being a command.
fn unescaped(line: &str) -> &str {
    let is_command = |rest: &str| {
        let word = rest.split_whitespace().next().unwrap_or_default();
        word == ASK_BACK || (word == GO_BACK && rest.trim() == GO_BACK)
    };
    line.strip_prefix('/').filter(|rest| is_command(rest)).unwrap_or(line)
}
