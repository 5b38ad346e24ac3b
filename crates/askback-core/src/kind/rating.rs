//! Rating (F10): a whole number on a short scale.

use super::{Asked, Consent};
use crate::answer::{AnswerInput, Checked};
use crate::fields::Fields;
use crate::json::Object;
use crate::limits::{Limits, RATING_BOUNDS, RATING_STEPS};
use crate::problem::Refusal;
use crate::rule::Rule;
use crate::show::quote;
use crate::word::words;
use serde_json::{Value, json};

/// A question that is answered with a place on a scale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rating {
    min: i64,
    max: i64,
    style: Style,
    low: Option<String>,
    high: Option<String>,
}

words! {
    /// How the scale looks.
    #[derive(Default)]
    pub enum Style {
        /// ★★★☆☆
        #[default]
        Stars = "stars",
        /// 1 2 3 4 5
        Numbers = "numbers",
        /// Faces.
        Emoji = "emoji",
    }
}

impl Rating {
    const MIN: i64 = 1;
    const MAX: i64 = 5;

    /// The lowest place.
    pub fn min(&self) -> i64 {
        self.min
    }

    /// The highest place.
    pub fn max(&self) -> i64 {
        self.max
    }

    /// How the scale looks.
    pub fn style(&self) -> Style {
        self.style
    }

    /// What stands at the low end.
    pub fn low(&self) -> Option<&str> {
        self.low.as_deref()
    }

    /// What stands at the high end.
    pub fn high(&self) -> Option<&str> {
        self.high.as_deref()
    }

    /// What passes, in words.
    pub fn expected(&self) -> String {
        format!("a whole number from {} to {}", self.min, self.max)
    }
}

impl Asked for Rating {
    const NAME: &'static str = "rating";
    const SUMMARY: &'static str = "A place on a scale of at most 21 whole numbers, 1 to 5 by default.";
    const WRITTEN: &'static str = "the whole number";
    const FIELDS: &'static [&'static str] = &["min", "max", "style", "ends"];
    const RULES: &'static [Rule] = &[Rule::Integer, Rule::Min, Rule::Max, Rule::Answers];
    const CONSENT: Consent = Consent::Absent;
    type Answer = Checked<i64>;

    fn read(fields: &mut Fields<'_, '_>) -> Option<Self> {
        let mut bound = |name, default| {
            let bound = fields.whole(name, RATING_BOUNDS, "a whole number");
            fields.or(name, bound, default)
        };
        let (min, max) = (bound("min", Self::MIN), bound("max", Self::MAX));
        let style = fields.word("style", &Style::WORDS).unwrap_or_default();
        let (low, high) = read_ends(fields).unwrap_or_default();
        let (min, max) = (min?, max?);
        if max <= min {
            let default = if fields.has("max") { "" } else { ", where it ends unless `max` is given," };
            let message = format!("a scale from {min} to {max}{default} has no two places");
            fields.report("max", Rule::Range, message, format!("`max` above {min}"));
            return None;
        }
        if max - min >= RATING_STEPS {
            let message = format!("a scale from {min} to {max} has {} places", max - min + 1);
            fields.report(
                "max",
                Rule::Range,
                message,
                format!("at most {RATING_STEPS} places; for more ask for a number"),
            );
            return None;
        }
        Some(Self { min, max, style, low, high })
    }

    fn write(&self, object: Object) -> Object {
        let ends = (self.low.is_some() || self.high.is_some())
            .then(|| Object::new().put_some("low", self.low.as_deref()).put_some("high", self.high.as_deref()));
        object
            .put("min", self.min as f64)
            .put("max", self.max as f64)
            .put("style", self.style.name())
            .put_some("ends", ends)
    }

    fn properties(limits: &Limits) -> Value {
        let end = json!({"type": "string", "minLength": 1, "maxLength": limits.line_length});
        let (lowest, highest) = (RATING_BOUNDS.start(), RATING_BOUNDS.end());
        json!({
            "min": {"description": "The lowest place.", "type": "integer", "minimum": lowest, "maximum": highest, "default": Self::MIN},
            "max": {"description": "The highest place, at most 20 above `min`.", "type": "integer", "minimum": lowest, "maximum": highest, "default": Self::MAX},
            "style": {"description": "How the scale looks.", "enum": Style::NAMES, "default": "stars"},
            "ends": {
                "description": "What stands at the ends of the scale.",
                "type": "object", "properties": {"low": end, "high": end}, "additionalProperties": false,
            },
        })
    }

    fn parse_answer(&self, input: &AnswerInput) -> Result<Checked<i64>, Refusal> {
        let given = input.single()?;
        // Only the written form itself: no "05", no "+5", no "5.0".
        let whole = given.parse::<i64>().ok().filter(|whole| whole.to_string() == given);
        let Some(whole) = whole else {
            return Err(Refusal::new(
                Rule::Integer,
                format!("{} is not a whole number", quote(given)),
                self.expected(),
            ));
        };
        Rule::Min.unless(whole >= self.min, || (format!("{whole} is too low"), self.expected()))?;
        Rule::Max.unless(whole <= self.max, || (format!("{whole} is too high"), self.expected()))?;
        Ok(Checked(whole))
    }
}

fn read_ends(fields: &mut Fields<'_, '_>) -> Option<(Option<String>, Option<String>)> {
    let json = fields.value("ends")?;
    let here = fields.place();
    let mut ends =
        fields.open_inner(json, here.field("ends"), "an object such as {\"low\": \"bad\", \"high\": \"good\"}")?;
    let pair = (ends.line("low"), ends.line("high"));
    ends.close();
    Some(pair)
}

#[cfg(test)]
mod tests {
    use super::*;

    // F10
    #[test]
    fn only_the_written_form_of_a_place_passes() {
        let rating = Rating { min: -10, max: 10, style: Style::Numbers, low: None, high: None };
        let answer = |given| rating.parse_answer(&AnswerInput::from(given)).map_err(|refusal| refusal.rule);
        assert_eq!(answer("-10"), Ok(Checked(-10)));
        assert_eq!(answer("11"), Err(Rule::Max));
        assert_eq!(answer("-11"), Err(Rule::Min));
        for given in ["05", "+5", "5.0", " 5", "-0", "", "five", "99999999999999999999"] {
            assert_eq!(answer(given), Err(Rule::Integer), "{given:?}");
        }
    }
}
