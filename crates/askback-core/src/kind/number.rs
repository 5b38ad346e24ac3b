//! Number (F6): one finite number, its bounds and steps checked in exact decimals.

use super::Asked;
use crate::answer::{RawAnswer, Written};
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

    fn describe(&self) -> String {
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

    fn parse_answer(&self, raw: RawAnswer<'_>) -> Result<Finite, Refusal> {
        let given = text::trim(raw.single()?);
        check_typed(given, FREE_TEXT_LENGTH, || self.describe())?;
        let Some(number) = decimal::parse(given) else {
            let message = format!("{} is not a finite number written like -1, 0.5 or 1e3", quote(given));
            return Err(Refusal::new(Rule::Number, message, self.describe()));
        };
        let written = decimal::to_text(number);
        let keep = |rule: Rule, kept, what: &str| rule.unless(kept, || (format!("{written} {what}"), self.describe()));
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
    fn a_refusal_says_what_would_pass() {
        let number = Number { min: Some(0.0), max: Some(1.0), step: Some(0.1), integer: false };
        let refusal = number.parse_answer(RawAnswer::Response("0.25")).unwrap_err();
        assert_eq!(refusal.to_string(), "0.25 is between two steps (expected a number from 0 to 1 in steps of 0.1)");
    }
}
