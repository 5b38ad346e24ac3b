//! Number (F6): one finite number, its bounds and steps checked in exact decimals.

use super::{Asked, Consent};
use crate::answer::{AnswerInput, Written};
use crate::fields::Fields;
use crate::free_text::check_typed;
use crate::json::Object;
use crate::limits::{FREE_TEXT_LENGTH, Limits};
use crate::problem::Refusal;
use crate::rule::Rule;
use crate::{decimal, show::quote, text};
use serde_json::{Value, json};

/// A question that is answered with a number.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Number {
    min: Option<f64>,
    max: Option<f64>,
    step: Option<f64>,
    integer: bool,
}

impl Number {
    /// The smallest answer.
    pub fn min(&self) -> Option<f64> {
        self.min
    }

    /// The largest answer.
    pub fn max(&self) -> Option<f64> {
        self.max
    }

    /// The distance between answers, counted from the minimum, else from 0.
    pub fn step(&self) -> Option<f64> {
        self.step
    }

    /// Whether only whole numbers pass.
    pub fn integer(&self) -> bool {
        self.integer
    }

    /// What is typed, taken so many steps up, or down where `count` is negative: steps of `step`, else of 1, and no further
    /// than the bounds. From nothing it is the first number from zero on that passes, or the last below; what is no number goes nowhere.
    pub fn stepped(&self, typed: &str, count: i32) -> Option<String> {
        let reached = match text::trim(typed) {
            "" => self.walk(0.0, 0),
            typed => self.walk(decimal::parse(typed)?, count),
        };
        let lowest = self.min.map(|min| self.walk(min, 0));
        let highest = self.max.map(|max| match self.walk(max, 0) {
            above if above > max => self.walk(max, -1),
            max => max,
        });
        let reached = lowest.map_or(reached, |lowest| reached.max(lowest));
        Some(decimal::to_text(highest.map_or(reached, |highest| reached.min(highest))))
    }

    /// So many steps from a number, or with none of them to the step at it or above it.
    fn walk(&self, from: f64, count: i32) -> f64 {
        let grid = match (self.step, self.integer) {
            (Some(step), _) => Some((self.min.unwrap_or(0.0), step)),
            (None, true) => Some((0.0, 1.0)),
            (None, false) => None,
        };
        let walked = match (grid, count) {
            (None, 0) => None,
            (None, count) => decimal::walk(from, count, from, 1.0),
            (Some((base, step)), 0) if decimal::is_on_step(from, base, step) => None,
            (Some((base, step)), count) => decimal::walk(from, if count == 0 { 1 } else { count }, base, step),
        };
        walked.unwrap_or(from)
    }

    fn check(&self, fields: &mut Fields<'_, '_>) -> bool {
        let (min, max) = (self.min.unwrap_or(f64::MIN), self.max.unwrap_or(f64::MAX));
        let mut passes = true;
        let mut refuse = |name: &str, rule, message: String, expected: &str| {
            fields.report(name, rule, message, expected);
            passes = false;
        };
        if self.step.is_some_and(|step| step <= 0.0) {
            refuse("step", Rule::Range, "the step is not above 0".to_owned(), "a number above 0, such as 0.5");
        }
        if self.integer && self.step.is_some_and(|step| step.fract() != 0.0) {
            refuse("step", Rule::Range, "the step is not whole, but `integer` is true".to_owned(), "a whole number");
        }
        if self.integer && self.step.is_some() && self.min.is_some_and(|min| min.fract() != 0.0) {
            let message = "steps count from `min`, which is not whole, but `integer` is true";
            refuse("min", Rule::Range, message.to_owned(), "a whole number");
        }
        if min > max {
            let message = format!("`max` is below `min`, {}", decimal::to_text(min));
            refuse("max", Rule::Unanswerable, message, "at least `min`");
        } else if self.integer && min.ceil() > max.floor() {
            refuse(
                "max",
                Rule::Unanswerable,
                "no whole number lies between `min` and `max`".to_owned(),
                "a wider range",
            );
        }
        passes
    }

    /// What passes, in words.
    pub fn expected(&self) -> String {
        let what = if self.integer { "a whole number" } else { "a number" };
        let bound = |bound: Option<f64>, word| bound.map(|bound| format!(" {word} {}", decimal::to_text(bound)));
        let (from, to) = match (self.min, self.max) {
            (Some(_), Some(_)) => (bound(self.min, "from"), bound(self.max, "to")),
            _ => (bound(self.min, "of at least"), bound(self.max, "of at most")),
        };
        let steps = bound(self.step, "in steps of");
        [Some(what.to_owned()), from, to, steps].into_iter().flatten().collect()
    }
}

impl Asked for Number {
    const NAME: &'static str = "number";
    const SUMMARY: &'static str = "A finite number, within bounds and on a step if they are given.";
    const WRITTEN: &'static str = "what JavaScript's `String(Number(x))` gives";
    const FIELDS: &'static [&'static str] = &["min", "max", "step", "integer"];
    const RULES: &'static [Rule] =
        &[Rule::Number, Rule::Integer, Rule::Min, Rule::Max, Rule::Step, Rule::Blank, Rule::Length, Rule::Answers];
    const CONSENT: Consent = Consent::Absent;
    type Answer = Finite;

    fn read(fields: &mut Fields<'_, '_>) -> Option<Self> {
        let number = Self {
            min: fields.number("min"),
            max: fields.number("max"),
            step: fields.number("step"),
            integer: fields.flag("integer").unwrap_or(false),
        };
        number.check(fields).then_some(number)
    }

    fn write(&self, object: Object) -> Object {
        object
            .put_some("min", self.min)
            .put_some("max", self.max)
            .put_some("step", self.step)
            .put_some("integer", self.integer.then_some(true))
    }

    fn properties(_: &Limits) -> Value {
        json!({
            "min": {"description": "The smallest number that passes.", "type": "number"},
            "max": {"description": "The largest number that passes.", "type": "number"},
            "step": {
                "description": "The distance between numbers that pass, counted from `min`, else from 0, in exact decimals.",
                "type": "number", "exclusiveMinimum": 0,
            },
            "integer": {"description": "Whether only whole numbers pass.", "type": "boolean", "default": false},
        })
    }

    fn parse_answer(&self, input: &AnswerInput) -> Result<Finite, Refusal> {
        let given = text::trim(input.single()?);
        check_typed(given, FREE_TEXT_LENGTH, || self.expected())?;
        let Some(number) = decimal::parse(given) else {
            let message = format!("{} is not a finite number written like -1, 0.5 or 1e3", quote(given));
            return Err(Refusal::new(Rule::Number, message, self.expected()));
        };
        let written = decimal::to_text(number);
        let keep = |rule: Rule, kept, what: &str| rule.unless(kept, || (format!("{written} {what}"), self.expected()));
        keep(Rule::Integer, !self.integer || number.fract() == 0.0, "is not whole")?;
        keep(Rule::Min, self.min.is_none_or(|min| number >= min), "is too small")?;
        keep(Rule::Max, self.max.is_none_or(|max| number <= max), "is too large")?;
        let base = self.min.unwrap_or(0.0);
        let on_step = self.step.is_none_or(|step| decimal::is_on_step(number, base, step));
        keep(Rule::Step, on_step, "is between two steps")?;
        Ok(Finite(number))
    }
}

/// A number that is neither infinite nor NaN.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Finite(f64);

impl Finite {
    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl Written for Finite {
    fn written(&self) -> String {
        decimal::to_text(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // F6
    #[test]
    fn steps_stay_within_what_passes() {
        let number = |min, max, step, integer| Number { min, max, step, integer };
        let walked = |number: &Number, walks: &[(&str, i32)]| -> Vec<String> {
            walks.iter().filter_map(|(typed, count)| number.stepped(typed, *count)).collect()
        };
        let port = number(Some(1.0), Some(65_535.0), None, true);
        let walks = [("", 1), ("1", -1), ("65530", 10), ("80.5", 1), (" 80.5 ", -1), ("eighty", 1), ("-7", 1)];
        assert_eq!(walked(&port, &walks), ["1", "1", "65535", "81", "80", "1"]);
        let share = number(Some(0.0), Some(1.0), Some(0.3), false);
        assert_eq!(walked(&share, &[("0.6", 1), ("0.9", 1), ("7", 1), ("0.25", -1)]), ["0.9", "0.9", "0.9", "0"]);
        assert_eq!(
            walked(&number(Some(-1.0), None, Some(2.0), false), &[("", 1), ("0", 1), ("0", -1)]),
            ["1", "1", "-1"]
        );
        let free = number(None, Some(10.0), None, false);
        assert_eq!(walked(&free, &[("0.1", 1), ("9.5", 1), ("-0.5", -10)]), ["1.1", "10", "-10.5"]);
        assert_eq!(walked(&number(Some(f64::MIN), Some(-5.0), None, false), &[("", -1)]), ["-5"]);
    }

    // F6
    #[test]
    fn a_refusal_says_what_would_pass() {
        let number = Number { min: Some(0.0), max: Some(1.0), step: Some(0.1), integer: false };
        let refusal = number.parse_answer(&AnswerInput::from("0.25")).unwrap_err();
        assert_eq!(refusal.to_string(), "0.25 is between two steps (expected a number from 0 to 1 in steps of 0.1)");
    }
}
