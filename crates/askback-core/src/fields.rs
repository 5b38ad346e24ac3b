//! Reads the fields of one JSON object, reporting every problem with its path instead of stopping at the first.

use crate::json::Json;
use crate::limits::Limits;
use crate::path::Place;
use crate::problem::{Problem, Problems, Refusal};
use crate::rule::Rule;
use crate::show::quote;
use crate::text;
use std::ops::RangeInclusive;

/// Whether a text may have line breaks and other control characters, which are then marked when shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Names and labels: control characters are refused, since such a text may end up in a shell or a log.
    Line,
    /// Prose, code and diffs: stored as they are.
    Block,
}

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
        problems: &'r mut Problems,
        limits: &'r Limits,
    ) -> Option<Self> {
        if let Json::Object(entries) = json {
            return Some(Self { entries, known: Vec::new(), place, problems, limits });
        }
        problems.add(wrong_type(json, "an object").at(place.path()));
        None
    }

    /// Opens an object that stands inside this one.
    pub(crate) fn open_inner<'s>(&'s mut self, json: &'j Json, place: Place<'s>) -> Option<Fields<'j, 's>> {
        Fields::open(json, place, self.problems, self.limits)
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
        self.known.push(name);
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
        let here = self.place;
        self.text_at(value, here.field(name), shape, length)
    }

    /// A one-line text of ordinary length.
    pub(crate) fn line(&mut self, name: &'static str) -> Option<String> {
        let longest = self.limits.line_length;
        self.text(name, Shape::Line, 1..=longest).map(str::to_owned)
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

    /// Any number.
    pub(crate) fn number(&mut self, name: &'static str) -> Option<f64> {
        match self.value(name)? {
            Json::Number(number) => Some(*number),
            other => self.wrong_type(name, other, "a number"),
        }
    }

    /// A whole number within a range; `what` says of what.
    pub(crate) fn whole(&mut self, name: &'static str, range: RangeInclusive<i64>, what: &str) -> Option<i64> {
        let expected = format!("{what} from {} to {}", range.start(), range.end());
        let number = match self.value(name)? {
            Json::Number(number) => *number,
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
    pub(crate) fn array(&mut self, name: &'static str) -> Option<&'j [Json]> {
        match self.value(name)? {
            Json::Array(items) => Some(items),
            other => self.wrong_type(name, other, "a list"),
        }
    }

    /// A list of an allowed length. A shorter one is still looked into for other problems; a longer one is not,
    /// so that work stays bounded.
    pub(crate) fn counted_array(&mut self, name: &'static str, count: RangeInclusive<usize>) -> Option<&'j [Json]> {
        let items = self.array(name)?;
        if count.contains(&items.len()) {
            return Some(items);
        }
        self.report(name, Rule::Count, format!("{} in `{name}`", counted(items.len())), range_text(&count));
        (!items.is_empty() && items.len() < *count.start()).then_some(items)
    }

    /// One word of a closed list.
    pub(crate) fn word<T: Copy>(&mut self, name: &'static str, words: &[(&'static str, T)]) -> Option<T> {
        let expected = || words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
        match self.value(name)? {
            Json::String(text) => {
                let found = words.iter().find(|(word, _)| word == text).map(|(_, value)| *value);
                if found.is_none() {
                    let message = format!("{} is not a `{name}`", quote(text));
                    self.report(name, Rule::Word, message, format!("one of {}", expected()));
                }
                found
            }
            other => self.wrong_type(name, other, &format!("one of {}", expected())),
        }
    }

    /// Takes every field as known: what the object is could not be told, so neither could its fields.
    pub(crate) fn forgive(&mut self) {
        self.entries = &[];
    }

    /// Reports every field that nobody asked for.
    pub(crate) fn close(self) {
        for (name, _) in self.entries.iter().filter(|(name, _)| !self.known.contains(&name.as_str())) {
            let expected = match nearest(name, &self.known) {
                Some(known) => format!("`{known}`, perhaps"),
                None => format!("only {}", self.known.join(", ")),
            };
            self.problems.add(Problem {
                path: self.place.field(name).path(),
                rule: Rule::UnknownField,
                message: format!("there is no field {} here", quote(name)),
                expected,
            });
        }
    }

    fn wrong_type<T>(&mut self, name: &str, found: &Json, expected: &str) -> Option<T> {
        self.refuse_field(name, wrong_type(found, expected));
        None
    }
}

/// What is wrong with a text of this shape and length, if anything.
pub(crate) fn check_text(text: &str, shape: Shape, length: &RangeInclusive<usize>) -> Result<(), Refusal> {
    let found = text::length(text);
    Rule::Length.unless(length.contains(&found), || {
        let message = if found == 0 { "the text is empty".to_owned() } else { format!("{found} characters") };
        let (start, end) = (length.start(), length.end());
        let expected =
            if *end == usize::MAX { format!("at least {start}") } else { format!("{start} to {end} characters") };
        (message, expected)
    })?;
    Rule::Blank.unless(!text::is_blank(text), || ("the text is blank", "something to read"))?;
    Rule::Control.unless(shape == Shape::Block || !text.contains(char::is_control), || {
        (format!("{} has control characters", quote(text)), "one line of plain text")
    })
}

pub(crate) fn wrong_type(found: &Json, expected: &str) -> Refusal {
    let hint = if *found == Json::Null { ", or no such field" } else { "" };
    Refusal::new(Rule::Type, format!("this is {}", found.describe()), format!("{expected}{hint}"))
}

fn counted(count: usize) -> String {
    match count {
        0 => "there is nothing".to_owned(),
        1 => "there is one item".to_owned(),
        _ => format!("there are {count} items"),
    }
}

fn range_text(range: &RangeInclusive<usize>) -> String {
    match (*range.start(), *range.end()) {
        (start, usize::MAX) => format!("at least {start}"),
        (start, end) if start == end => format!("exactly {start}"),
        (start, end) => format!("{start} to {end}"),
    }
}

/// The known name that a mistyped one probably means: the same letters in another case or style, two slips away, or
/// one cut short (`min` for `minimum`).
fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    const LONGEST_TYPO: usize = 32;
    const SLIPS: usize = 2;
    const SHORTEST_STEM: usize = 3;
    if name.len() > LONGEST_TYPO {
        return None;
    }
    let plain = |text: &str| text.replace(['_', '-'], "").to_ascii_lowercase();
    let slips = |field: &&'k str| edit_distance(&plain(name), &plain(field));
    let mistyped = known.iter().copied().min_by_key(slips).filter(|field| slips(field) <= SLIPS.min(name.len() / 3));
    mistyped.or_else(|| {
        known.iter().copied().find(|field| field.len() >= SHORTEST_STEM && plain(name).starts_with(&plain(field)))
    })
}

fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in right.iter().enumerate() {
            let substituted = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    // F15
    #[test]
    fn a_slip_of_the_pen_gets_a_hint() {
        let known = ["multiSelect", "options", "header", "min", "max"];
        assert_eq!(nearest("multiselect", &known), Some("multiSelect"));
        assert_eq!(nearest("multi_select", &known), Some("multiSelect"));
        assert_eq!(nearest("optoins", &known), Some("options"));
        assert_eq!(nearest("mix", &known), Some("min"));
        assert_eq!(nearest("minimum", &known), Some("min"));
        assert_eq!(nearest("colour", &known), None);
        assert_eq!(nearest("x", &known), None);
    }
}
