//! Reads the fields of one JSON object, reporting every problem with its path instead of stopping at the first.

use crate::controls::imitated;
use crate::hint::nearest;
use crate::json::Json;
use crate::limits::{Imitations, Limits};
use crate::path::Place;
use crate::problem::{Problem, Problems, Refusal};
use crate::rule::Rule;
use crate::show::quote;
use crate::text;
use crate::word::{meaning_of, words_of};
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// Whether a text may have line breaks and other control characters, which are then marked when shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Names and labels: control characters are refused, since such a text may end up in a shell or a log.
    Line,
    /// Prose, code and diffs: stored as they are.
    Block,
}

/// Fields that can't be left out wherever they may stand, so that leaving them out is no advice.
const ALWAYS_NEEDED: &[&str] = &["type", "message", "questions", "question", "prompt", "options", "value", "default"];

/// An object whose fields are asked for by name; what nobody asked for is reported by [`Fields::close`].
pub(crate) struct Fields<'j, 'r> {
    entries: &'j [(String, Json)],
    known: Vec<&'static str>,
    place: Place<'r>,
    problems: &'r mut Problems,
    /// The limits of the port that reads.
    pub(crate) limits: &'r Limits,
}

impl<'j, 'r> Fields<'j, 'r> {
    /// Opens `json`, or reports that it is no object.
    pub(crate) fn open(
        json: &'j Json,
        place: Place<'r>,
        expected: &str,
        problems: &'r mut Problems,
        limits: &'r Limits,
    ) -> Option<Self> {
        if let Json::Object(entries) = json {
            return Some(Self { entries, known: Vec::new(), place, problems, limits });
        }
        problems.add(wrong_type(json, expected).at(place.path()));
        None
    }

    /// Opens an object that stands inside this one.
    pub(crate) fn open_inner<'s>(
        &'s mut self,
        json: &'j Json,
        place: Place<'s>,
        expected: &str,
    ) -> Option<Fields<'j, 's>> {
        Fields::open(json, place, expected, self.problems, self.limits)
    }

    /// Reads the objects in the list `name`; those that are wrong are none.
    pub(crate) fn objects<T>(
        &mut self,
        name: &str,
        items: &'j [Json],
        expected: &str,
        mut read: impl FnMut(Fields<'j, '_>, usize) -> Option<T>,
    ) -> Vec<Option<T>> {
        let here = self.place;
        let place = here.field(name);
        let items = items.iter().enumerate();
        items.map(|(index, item)| read(self.open_inner(item, place.index(index), expected)?, index)).collect()
    }

    /// Where this object stands.
    pub(crate) fn place(&self) -> Place<'r> {
        self.place
    }

    /// Whether the field is there, known or not.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.peek(name).is_some()
    }

    /// The field as it stands, without asking for it.
    pub(crate) fn peek(&self, name: &str) -> Option<&'j Json> {
        self.entries.iter().find(|(field, _)| field == name).map(|(_, value)| value)
    }

    /// The field as it stands.
    pub(crate) fn value(&mut self, name: &'static str) -> Option<&'j Json> {
        self.know(&[name]);
        self.peek(name)
    }

    /// Reports a problem with the field `name`.
    pub(crate) fn report(&mut self, name: &str, rule: Rule, message: impl Into<String>, expected: impl Into<String>) {
        self.refuse_field(name, Refusal::new(rule, message, expected));
    }

    /// Reports why the field `name` is refused.
    pub(crate) fn refuse_field(&mut self, name: &str, refusal: Refusal) {
        let here = self.place;
        self.refuse(refusal, here.field(name));
    }

    /// Reports a problem at any place inside this object.
    pub(crate) fn refuse(&mut self, refusal: Refusal, place: Place<'_>) {
        self.add(refusal.at(place.path()));
    }

    /// Reports a problem that already has its path.
    pub(crate) fn add(&mut self, problem: Problem) {
        self.problems.add(problem);
    }

    /// Reports that a field is missing, unless it is there and was already found wrong.
    pub(crate) fn need<T>(&mut self, name: &str, value: Option<T>, expected: &str) -> Option<T> {
        if value.is_none() && !self.has(name) {
            self.report(name, Rule::Required, format!("`{name}` is missing"), expected);
        }
        value
    }

    /// A text that shows something, of an allowed length.
    pub(crate) fn text(&mut self, name: &'static str, shape: Shape, length: RangeInclusive<usize>) -> Option<&'j str> {
        let value = self.value(name)?;
        if *value == Json::Null {
            return self.wrong_type(name, value, "a text");
        }
        let here = self.place;
        self.text_at(value, here.field(name), shape, length)
    }

    /// A one-line text of ordinary length.
    pub(crate) fn line(&mut self, name: &'static str) -> Option<String> {
        let longest = self.limits.line_length;
        self.text(name, Shape::Line, 1..=longest).map(str::to_owned)
    }

    /// The field `header`, which may not look like a control of ours (F12).
    pub(crate) fn header(&mut self, length: RangeInclusive<usize>) -> Option<&'j str> {
        let header = self.text("header", Shape::Line, length)?;
        let control = imitated(header).filter(|_| self.limits.imitations == Imitations::Refused);
        let Some(control) = control else { return Some(header) };
        let message = format!("{} looks like askback's own {}", quote(header), quote(control));
        self.report("header", Rule::Reserved, message, "another text");
        None
    }

    /// The same for a text that is an item of a list.
    pub(crate) fn text_at(
        &mut self,
        value: &'j Json,
        place: Place<'_>,
        shape: Shape,
        length: RangeInclusive<usize>,
    ) -> Option<&'j str> {
        let checked = match value {
            Json::String(text) => check_text(text, shape, &length).map(|()| text.as_str()),
            other => Err(wrong_type(other, "a text")),
        };
        checked.map_err(|refusal| self.refuse(refusal, place)).ok()
    }

    /// `true` or `false`.
    pub(crate) fn flag(&mut self, name: &'static str) -> Option<bool> {
        match self.value(name)? {
            Json::Bool(value) => Some(*value),
            other => self.wrong_type(name, other, "true or false"),
        }
    }

    /// What was read of a field, or the default of one that is not there.
    pub(crate) fn or<T>(&self, name: &str, read: Option<T>, default: T) -> Option<T> {
        if self.has(name) { read } else { Some(default) }
    }

    /// `true` or `false`, or what it is when nothing is said.
    pub(crate) fn flag_or(&mut self, name: &'static str, default: bool) -> Option<bool> {
        let flag = self.flag(name);
        self.or(name, flag, default)
    }

    /// Any number.
    pub(crate) fn number(&mut self, name: &'static str) -> Option<f64> {
        match self.value(name)? {
            Json::Number(number) if number.is_finite() => Some(*number),
            other => self.wrong_type(name, other, "a finite number"),
        }
    }

    /// A whole number within a range; `what` says of what.
    pub(crate) fn whole(&mut self, name: &'static str, range: RangeInclusive<i64>, what: &str) -> Option<i64> {
        let expected = format!("{what} from {} to {}", range.start(), range.end());
        let number = match self.value(name)? {
            Json::Number(number) if number.is_finite() => *number,
            other => return self.wrong_type(name, other, &expected),
        };
        if number.fract() != 0.0 {
            self.report(name, Rule::Type, format!("{} is not whole", Json::Number(number)), expected);
            return None;
        }
        // Doubles beyond the range saturate in the conversion and fail the test.
        if !range.contains(&(number as i64)) {
            self.report(name, Rule::Range, format!("{} is out of range", Json::Number(number)), expected);
            return None;
        }
        Some(number as i64)
    }

    /// A list.
    pub(crate) fn array(&mut self, name: &'static str, expected: &str) -> Option<&'j [Json]> {
        match self.value(name)? {
            Json::Array(items) => Some(items),
            other => self.wrong_type(name, other, expected),
        }
    }

    /// A list of an allowed length; `what` says of what. A shorter one is still looked into for other problems, and a
    /// longer one as far as is allowed, so that work stays bounded.
    pub(crate) fn counted_array(
        &mut self,
        name: &'static str,
        count: RangeInclusive<usize>,
        what: &str,
    ) -> Option<&'j [Json]> {
        let expected = match (*count.start(), *count.end()) {
            (_, 0) => format!("no `{name}`"),
            (0, most) => format!("a list of at most {most} {what}"),
            (least, usize::MAX) => format!("a list of at least {least} {what}"),
            (least, most) if least == most => format!("a list of exactly {least} {what}"),
            (least, most) => format!("a list of {least} to {most} {what}"),
        };
        let items = self.array(name, &expected)?;
        if count.contains(&items.len()) {
            return Some(items);
        }
        let message = match items.len() {
            0 => "the list is empty".to_owned(),
            1 => "there is one item in the list".to_owned(),
            items => format!("there are {items} items in the list"),
        };
        self.report(name, Rule::Count, message, expected);
        (!items.is_empty()).then(|| &items[..items.len().min(*count.end())])
    }

    /// One word of a closed list.
    pub(crate) fn word<T: Copy>(&mut self, name: &'static str, words: &[(&'static str, T)]) -> Option<T> {
        let names = words_of(words);
        let expected = format!("one of {}", names.join(", "));
        match self.value(name)? {
            Json::String(text) => {
                let found = meaning_of(words, text);
                if found.is_none() {
                    let hint = nearest(text, &names).map_or_else(String::new, |meant| format!("`{meant}`, perhaps; "));
                    let message = format!("{} is no known `{name}`", quote(text));
                    self.report(name, Rule::Word, message, format!("{hint}{expected}"));
                }
                found
            }
            other => self.wrong_type(name, other, &expected),
        }
    }

    /// Takes these fields as known without looking at them: what the object is could not be told.
    pub(crate) fn know(&mut self, names: &[&'static str]) {
        for name in names {
            if !self.known.contains(name) {
                self.known.push(name);
            }
        }
    }

    /// Reports every field that nobody asked for.
    pub(crate) fn close(self) {
        let mut seen = HashSet::new();
        let names = self.entries.iter().map(|(name, _)| name.as_str());
        // A name that stands here again is another problem, and reported as such.
        let unknown: Vec<&str> = names.filter(|name| !self.known.contains(name) && seen.insert(*name)).collect();
        for (described, name) in unknown.iter().enumerate() {
            if self.problems.is_full() {
                self.problems.count(unknown.len() - described);
                return;
            }
            let expected = match nearest(name, &self.known) {
                Some(known) => format!("`{known}`, perhaps"),
                // What was asked for last is the most particular.
                None => format!("one of {}", self.known.iter().rev().copied().collect::<Vec<_>>().join(", ")),
            };
            let message = format!("there is no field {} here", quote(name));
            self.problems.add(Refusal::new(Rule::UnknownField, message, expected).at(self.place.field(name).path()));
        }
    }

    /// Reports that the field `name` is of another type.
    pub(crate) fn wrong_type<T>(&mut self, name: &str, found: &Json, expected: &str) -> Option<T> {
        let may_be_left_out = !ALWAYS_NEEDED.contains(&name) && !expected.starts_with("no ");
        let hint = if *found == Json::Null && may_be_left_out { ", or no such field" } else { "" };
        self.refuse_field(name, wrong_type(found, &format!("{expected}{hint}")));
        None
    }
}

/// What is wrong with a text of this shape and length, if anything. One that may be empty may be blank.
pub(crate) fn check_text(text: &str, shape: Shape, length: &RangeInclusive<usize>) -> Result<(), Refusal> {
    let found = text::length(text);
    Rule::Length.unless(length.contains(&found), || {
        let message =
            if found == 0 { "the text is empty".to_owned() } else { format!("{found} characters are too many") };
        (message, format!("{} to {} characters", length.start(), length.end()))
    })?;
    let may_be_blank = *length.start() == 0;
    Rule::Blank.unless(may_be_blank || !text::is_blank(text), || ("the text is blank", "something to read"))?;
    Rule::Control.unless(shape == Shape::Block || !text::has_control(text), || {
        (format!("{} has control characters", quote(text)), "one line of plain text")
    })
}

/// Says that a value is of another type.
pub(crate) fn wrong_type(found: &Json, expected: &str) -> Refusal {
    Refusal::new(Rule::Type, format!("this is {}", found.describe()), expected)
}
