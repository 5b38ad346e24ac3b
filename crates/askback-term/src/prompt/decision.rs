//! A decision between two: a letter typed and confirmed with Enter, so that no single stray key decides (T7).

use super::field::typed;
use super::{Body, Machine, Note, Step, is_movement, sentence};
use crate::editor::{Edit, Editor};
use crate::input::{Input, Key, Lines};
use crate::line::{Line, Role, Span};
use crate::page::Page;
use crate::safe::safe;
use crate::theme::Alphabet;
use crate::wrap::{Break, wrap};
use askback_core::kind::approval::{Approval, Caption, Decision};
use askback_core::show::{Layout, Purpose};
use askback_core::{AnswerInput, Question};

struct Side<'q> {
    /// What is typed for it, besides its number.
    letter: char,
    caption: Caption<'q>,
    role: Role,
    /// What typing it is for.
    purpose: &'static str,
    /// The answer in its written form.
    written: &'static str,
}

pub(super) struct DecisionPrompt<'q> {
    question: &'q Question,
    sides: [Side<'q>; 2],
    typed: Editor,
}

impl Side<'_> {
    /// Its label, and beside it what it means unless the label says so itself.
    fn spans(&self, role: Role, alphabet: Alphabet) -> Vec<Span> {
        let mut spans = safe(self.caption.label, Layout::Line, Purpose::Exact, role, alphabet);
        spans.extend(meaning_span(self.caption, role));
        spans
    }
}

/// ` (approve)`, where the label is not that word.
pub(crate) fn meaning_span(caption: Caption<'_>, role: Role) -> Option<Span> {
    caption.word.map(|word| Span::new(format!(" ({word})"), role))
}

impl<'q> DecisionPrompt<'q> {
    /// An approval: approve is first and in the info colour, reject second and in the error colour, whatever the labels
    /// say (S7).
    pub(super) fn approval(question: &'q Question, approval: &'q Approval) -> Self {
        let side = |letter, decision: Decision, role, purpose| {
            let caption = approval.caption(decision);
            Side { letter, caption, role, purpose, written: decision.word() }
        };
        let approve = side('a', Decision::Approve, Role::Info, "to approve");
        Self::new(question, [approve, side('r', Decision::Reject, Role::Error, "to reject")])
    }

    /// A confirm (F5): the labels are ours and say what they mean.
    pub(super) fn confirm(question: &'q Question) -> Self {
        let side = |letter, label, role, purpose, written| {
            let caption = Caption { label, word: None };
            Side { letter, caption, role, purpose, written }
        };
        let yes = side('y', "Yes", Role::Info, "for yes", "yes");
        Self::new(question, [yes, side('n', "No", Role::Error, "for no", "no")])
    }

    fn new(question: &'q Question, sides: [Side<'q>; 2]) -> Self {
        Self { question, sides, typed: Editor::new("", Lines::One) }
    }

    fn hint(&self) -> String {
        let [first, second] = self.sides.each_ref().map(|side| (side.letter, side.purpose));
        format!("type {} or 1 {}, {} or 2 {}, then Enter", first.0, first.1, second.0, second.1)
    }

    /// Which side the typed letter or number means, if it means one.
    fn meant(&self) -> Option<usize> {
        let typed = self.typed.text().trim().to_lowercase();
        let mut sides = self.sides.iter().enumerate();
        let is_meant =
            |(index, side): &(usize, &Side<'_>)| typed == side.letter.to_string() || typed == (index + 1).to_string();
        sides.find(is_meant).map(|(index, _)| index)
    }

    fn decide(&mut self) -> Step {
        let meant = self.meant();
        self.typed.clear();
        let answer = meant.map(|side| self.question.parse_answer(&AnswerInput::from(self.sides[side].written)));
        match answer {
            Some(Ok(answer)) => Step::Answer(answer),
            _ => Step::Say(Note::hint(self.hint())),
        }
    }
}

impl Machine for DecisionPrompt<'_> {
    fn update(&mut self, input: &Input) -> Step {
        match input {
            Input::Paste(_) => Step::Say(Note::hint(format!("a paste decides nothing; {}", self.hint()))),
            Input::Line(line) => {
                self.typed.write(line, line.len());
                self.decide()
            }
            Input::Key(Key::Enter) => self.decide(),
            Input::Key(Key::Char('?')) if self.typed.is_empty() => Step::Ignored,
            input => match self.typed.update(input) {
                Edit::Ignored => Step::Ignored,
                Edit::Done | Edit::Said(_) => Step::Stay,
            },
        }
    }

    fn told(&self, alphabet: Alphabet) -> Vec<Line> {
        let side = |side: &Side<'_>| {
            let spans = side.spans(Role::Plain, alphabet);
            Line::of(format!("{}. ", side.letter), Role::Plain).then(Line { spans })
        };
        self.sides.iter().map(side).chain([Line::of(sentence(&self.hint()), Role::Plain)]).collect()
    }

    fn would_consent(&self) -> bool {
        self.meant() == Some(0)
    }

    fn view(&self, page: &Page, rows: usize) -> Body {
        let label = |side: &Side<'_>| {
            let mut spans = vec![Span::new(format!("[{}] ", side.letter), side.role)];
            spans.extend(side.spans(side.role, page.alphabet));
            spans
        };
        let [first, second] = self.sides.each_ref().map(label);
        let both = [first.as_slice(), &[Span::new("  ", Role::Plain)], second.as_slice()].concat();
        let beside = wrap(&both, page.width(), Break::Words);
        // An asker's label has its line to itself, so that nothing in it passes for the other side.
        let has_own_label = self.sides.iter().any(|side| side.caption.word.is_some());
        let lines = if beside.len() == 1 && !has_own_label {
            beside
        } else {
            [first, second].iter().flat_map(|spans| wrap(spans, page.width(), Break::Words)).collect()
        };
        let mut body = Body::of(lines);
        body.append(typed(&self.typed, ("? ", Role::Info), None, page));
        body.clipped(rows, page)
    }

    fn hints(&self, _: &Page) -> Vec<String> {
        vec![format!("{}/1 or {}/2, then enter", self.sides[0].letter, self.sides[1].letter)]
    }

    fn takes_letters(&self) -> bool {
        !self.typed.is_empty()
    }

    fn needs_calm(&self) -> bool {
        true
    }

    fn only_moves(&self, key: Key) -> bool {
        is_movement(key)
    }
}
