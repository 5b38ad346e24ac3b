//! A whole request on the screen: its questions one at a time, a review, a question back, a clock. Pure: inputs and
//! moments go in, frames and a verdict come out.

use crate::editor::{Edit, Editor};
use crate::input::{Input, Key, Lines};
use crate::line::Line;
use crate::page::Page;
use crate::prompt::{self, Machine, Note, Step, Way, is_fresh, is_movement};
use crate::reading;
use askback_core::{Answer, AnswerInput, Path, PromptStyle, Reason, Request, Resolution};
use jiff::civil::Date;
use std::time::Duration;

mod clock;
mod edge;
mod layout;
mod review;
mod tabs;
#[cfg(test)]
mod tests;
mod told;

pub(crate) use clock::Clock;

/// What became of the request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Verdict {
    Open,
    /// The person has decided.
    Resolved(Resolution),
    /// The person wants the shell back for a while.
    Suspend,
    /// The person cancels this, and whatever asked.
    Interrupted,
}

/// Where the person is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Question(usize),
    Review,
}

pub(crate) struct Form<'r> {
    request: &'r Request,
    look: PromptStyle,
    prompts: Vec<Box<dyn Machine + Send + 'r>>,
    answers: Vec<Option<Answer>>,
    place: Place,
    /// Of the review: a question, or past the last one the way to submit.
    review_focus: usize,
    /// The question back, while it is being typed (L7).
    back: Option<Editor>,
    note: Option<Note>,
    /// Until when the frame has the colour of an error.
    flash_until: Option<Duration>,
    /// When the current place appeared.
    appeared: Option<Duration>,
    clock: Clock,
    page: Page,
    /// What there is to read before answering, laid out for the page.
    reading: Vec<Line>,
    /// The first line of it on the screen.
    reading_from: usize,
    /// Whether its end has been on the screen.
    is_read: bool,
    preview_from: usize,
    /// Whether the answer was taken: the frame is for a moment in the colour of success (Q8).
    is_taken: bool,
}

impl<'r> Form<'r> {
    pub(crate) fn new(request: &'r Request, look: PromptStyle, page: Page, today: Date) -> Self {
        let open = |question| prompt::open(question, look, today);
        let prompts: Vec<_> = request.questions().iter().map(open).collect();
        let mut form = Self {
            request,
            look,
            answers: vec![None; prompts.len()],
            prompts,
            place: Place::Question(0),
            review_focus: request.questions().len(),
            back: None,
            note: None,
            flash_until: None,
            appeared: None,
            clock: Clock::new(request.timeout_s()),
            page,
            reading: Vec::new(),
            reading_from: 0,
            is_read: false,
            preview_from: 0,
            is_taken: false,
        };
        form.fit(page);
        form
    }

    pub(crate) fn fit(&mut self, page: Page) {
        self.page = page;
        self.reading = reading::lay_out(self.request.context(), &page);
        let inside = self.inside(&page);
        self.prompts.iter_mut().for_each(|prompt| prompt.fit(&inside));
    }

    /// Says that the frame is on the screen, now or again: what was typed before it was not meant for it.
    pub(crate) fn appear(&mut self, now: Duration) {
        self.appeared = Some(now);
    }

    pub(crate) fn place(&self) -> Place {
        self.place
    }

    pub(crate) fn clock(&self) -> Clock {
        self.clock
    }

    pub(crate) fn take(&mut self) {
        self.is_taken = true;
        self.note = None;
    }

    pub(crate) fn update(&mut self, input: &Input, now: Duration) -> Verdict {
        match input {
            Input::Key(Key::Interrupt) => return Verdict::Interrupted,
            Input::Key(Key::Close) => return Verdict::Resolved(Resolution::cancelled(None)),
            Input::Key(Key::Suspend) => return Verdict::Suspend,
            _ if self.is_calming(now) => return Verdict::Open,
            _ => {}
        }
        self.take_input(input, now)
    }

    /// The same for an input that came in one read with the one that led here: the person has not seen this place yet, so
    /// only keys that end everything or move on count.
    pub(crate) fn update_unseen(&mut self, input: &Input, now: Duration) -> Verdict {
        match input {
            Input::Key(Key::Interrupt | Key::Close | Key::Suspend) => self.update(input, now),
            Input::Key(key) if self.only_moves(*key) => {
                // Nothing was on the screen here that could have been read.
                let is_read = self.is_read;
                let verdict = self.take_input(input, now);
                self.is_read = is_read;
                verdict
            }
            Input::Key(_) | Input::Paste(_) | Input::Line(_) => Verdict::Open,
        }
    }

    fn only_moves(&self, key: Key) -> bool {
        match self.place {
            _ if matches!(key, Key::Tab | Key::BackTab) => true,
            Place::Question(index) => self.prompts[index].only_moves(key),
            Place::Review => is_movement(key),
        }
    }

    fn take_input(&mut self, input: &Input, now: Duration) -> Verdict {
        self.note = None;
        let before = self.place;
        let verdict = match (input, self.place) {
            (Input::Line(line), _) => self.update_line(line),
            _ if self.back.is_some() => self.update_back(input),
            (input, Place::Question(index)) => self.update_question(index, input),
            (input, Place::Review) => self.update_review(input),
        };
        self.flash_for_error(now);
        if self.place != before {
            self.appear(now);
            self.preview_from = 0;
        }
        verdict
    }

    /// Whether what is on the screen has only just appeared, and a key could have been meant for something else.
    fn is_calming(&self, now: Duration) -> bool {
        let needs_calm = match self.place {
            Place::Question(index) => self.prompts[index].needs_calm(),
            Place::Review => self.prompts.iter().any(|prompt| prompt.needs_calm()),
        };
        needs_calm && self.back.is_none() && is_fresh(self.appeared, now)
    }

    fn update_question(&mut self, index: usize, input: &Input) -> Verdict {
        // What can't be seen at all is not consented to, not even to be remembered.
        if self.prompts[index].needs_calm() && *input == Input::Key(Key::Enter) && !self.can_be_read() {
            self.note = Some(Note::error("make the window larger to see what this is about"));
            return Verdict::Open;
        }
        // Laying everything out takes a while, and most requests ask for no consent.
        if !self.is_read && self.prompts.iter().any(|prompt| prompt.needs_calm()) {
            self.is_read = self.shows_the_end();
        }
        if !self.is_read && *input == Input::Key(Key::Enter) && self.prompts[index].would_consent() {
            self.note = Some(Note::error("there is more to read: go to its end with Page Down first"));
            return Verdict::Open;
        }
        let preview_before = self.prompts[index].preview().map(|preview| preview.text());
        let step = self.prompts[index].update(input);
        if self.prompts[index].preview().map(|preview| preview.text()) != preview_before {
            self.preview_from = 0;
        }
        match step {
            Step::Ignored => self.leftover(input),
            step => self.follow(index, step),
        }
    }

    fn follow(&mut self, index: usize, step: Step) -> Verdict {
        match step {
            Step::Stay | Step::Ignored => {}
            Step::Say(note) => self.note = Some(note),
            Step::Answer(answer) => {
                self.answers[index] = Some(answer);
                return self.go_on(index);
            }
            Step::Decline => return Verdict::Resolved(Resolution::declined(None)),
        }
        Verdict::Open
    }

    /// To the next question that has no answer yet, or to the review; a request with one question is done.
    fn go_on(&mut self, index: usize) -> Verdict {
        let count = self.prompts.len();
        if count == 1 {
            return self.submit();
        }
        let next = (1..count).map(|step| (index + step) % count).find(|next| self.answers[*next].is_none());
        self.place = next.map_or(Place::Review, Place::Question);
        self.review_focus = count;
        Verdict::Open
    }

    fn takes_letters(&self) -> bool {
        matches!(self.place, Place::Question(index) if self.prompts[index].takes_letters())
    }

    /// What the keys mean that the prompt has no use for.
    fn leftover(&mut self, input: &Input) -> Verdict {
        let Input::Key(key) = input else {
            return Verdict::Open;
        };
        let letters = self.takes_letters();
        match key {
            Key::Escape => return Verdict::Resolved(Resolution::cancelled(None)),
            Key::AskBack => self.back = Some(Editor::new("", Lines::One)),
            Key::Char('?') if !letters => self.back = Some(Editor::new("", Lines::One)),
            Key::Tab => self.turn(Way::Down),
            Key::BackTab => self.turn(Way::Up),
            Key::Right if !letters => self.turn(Way::Down),
            Key::Left if !letters => self.turn(Way::Up),
            Key::PageUp => self.scroll(Way::Up),
            Key::PageDown => self.scroll(Way::Down),
            _ => {}
        }
        Verdict::Open
    }

    /// To another question, or the review after the last, keeping what was chosen here.
    fn turn(&mut self, way: Way) {
        let count = self.prompts.len();
        if count == 1 {
            return;
        }
        let here = match self.place {
            Place::Question(index) => {
                self.answers[index] = self.prompts[index].leave(self.answers[index].take());
                index
            }
            Place::Review => count,
        };
        let there = match way {
            Way::Down => (here + 1) % (count + 1),
            Way::Up => (here + count) % (count + 1),
        };
        self.place = if there == count { Place::Review } else { Place::Question(there) };
        self.review_focus = count;
    }

    /// Through what there is to read, then through the preview, then through the list.
    fn scroll(&mut self, way: Way) {
        let (reading, preview) = self.panes();
        if reading.scroll(&mut self.reading_from, way) || preview.scroll(&mut self.preview_from, way) {
            return;
        }
        if let Place::Question(index) = self.place {
            self.prompts[index].page(way);
        }
    }

    fn update_back(&mut self, input: &Input) -> Verdict {
        let Some(editor) = &mut self.back else {
            return Verdict::Open;
        };
        match input {
            Input::Key(Key::Escape) => self.back = None,
            Input::Key(Key::Enter) => match Reason::parse(editor.text()) {
                Ok(Some(reason)) => return Verdict::Resolved(Resolution::declined(Some(reason))),
                Ok(None) => self.note = Some(Note::hint("type your question, or Esc to go back")),
                Err(refusal) => self.note = Some(Note::refusal(&refusal)),
            },
            input => {
                if let Edit::Said(text) = editor.update(input) {
                    self.note = Some(Note::hint(text));
                }
            }
        }
        Verdict::Open
    }

    /// All answers together, as the core takes them.
    fn submit(&mut self) -> Verdict {
        if let Some(missing) = self.answers.iter().position(Option::is_none) {
            self.place = Place::Question(missing);
            self.note = Some(Note::error("this question is not answered yet"));
            return Verdict::Open;
        }
        let inputs: Vec<AnswerInput> = self.answers.iter().flatten().map(AnswerInput::from).collect();
        match self.request.parse_answers(&inputs, &Path::root()) {
            Ok(answers) => Verdict::Resolved(Resolution::from_answers(answers)),
            // Each of them passed before; if the core thinks otherwise, the person should know.
            Err(problems) => {
                self.note = problems.iter().next().map(|problem| Note::error(problem.to_string()));
                Verdict::Open
            }
        }
    }
}
