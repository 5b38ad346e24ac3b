//! Date (F8): a real calendar day, written `YYYY-MM-DD`.

use super::{Asked, Consent};
use crate::answer::{AnswerInput, Checked};
use crate::fields::{Fields, wrong_type};
use crate::json::{Json, Object};
use crate::limits::Limits;
use crate::problem::Refusal;
use crate::rule::Rule;
use crate::show::quote;
use jiff::{Span, civil};
use serde_json::{Value, json};

/// A question that is answered with a day.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Date {
    min: Option<civil::Date>,
    max: Option<civil::Date>,
}

impl Date {
    /// The first day that passes.
    pub fn min(&self) -> Option<civil::Date> {
        self.min
    }

    /// The last day that passes.
    pub fn max(&self) -> Option<civil::Date> {
        self.max
    }

    /// The day so many years, months or days after another, before it where `count` is negative, and no further than the
    /// bounds. Where a month lacks the day, it is the month's last.
    pub fn moved(&self, from: civil::Date, part: Part, count: i32) -> civil::Date {
        let span = match part {
            Part::Year => Span::new().try_years(count),
            Part::Month => Span::new().try_months(count),
            Part::Day => Span::new().try_days(count),
        };
        let moved = span.map_or(from, |span| from.saturating_add(span));
        self.nearest(moved)
    }

    /// The day that passes nearest to another.
    pub fn nearest(&self, day: civil::Date) -> civil::Date {
        let (first, last) = (civil::date(1, 1, 1), civil::date(9999, 12, 31));
        day.clamp(self.min.unwrap_or(first), self.max.unwrap_or(last))
    }

    /// What passes, in words.
    pub fn expected(&self) -> String {
        match (self.min, self.max) {
            (None, None) => "a day such as 2026-02-28".to_owned(),
            (Some(min), None) => format!("a day from {min} on"),
            (None, Some(max)) => format!("a day up to {max}"),
            (Some(min), Some(max)) => format!("a day from {min} to {max}"),
        }
    }
}

/// A part of a day's written form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The first four digits.
    Year,
    /// The two after them.
    Month,
    /// The last two.
    Day,
}

impl Asked for Date {
    const NAME: &'static str = "date";
    const SUMMARY: &'static str = "A calendar day, between two days if they are given.";
    const WRITTEN: &'static str = "`YYYY-MM-DD`";
    const FIELDS: &'static [&'static str] = &["min", "max"];
    const RULES: &'static [Rule] = &[Rule::Date, Rule::Min, Rule::Max, Rule::Answers];
    const CONSENT: Consent = Consent::Absent;
    type Answer = Checked<civil::Date>;

    fn read(fields: &mut Fields<'_, '_>) -> Option<Self> {
        let (min, max) = (read_day(fields, "min"), read_day(fields, "max"));
        if let (Some(min), Some(max)) = (min, max)
            && min > max
        {
            fields.report("max", Rule::Unanswerable, format!("`max` is before `min`, {min}"), "`min` or a later day");
            return None;
        }
        Some(Self { min, max })
    }

    fn write(&self, object: Object) -> Object {
        let day = |day: civil::Date| day.to_string();
        object.put_some("min", self.min.map(day)).put_some("max", self.max.map(day))
    }

    fn properties(_: &Limits) -> Value {
        json!({
            "min": {"description": "The first day that passes.", "type": "string", "format": "date"},
            "max": {"description": "The last day that passes.", "type": "string", "format": "date"},
        })
    }

    fn parse_answer(&self, input: &AnswerInput) -> Result<Checked<civil::Date>, Refusal> {
        let given = input.single()?;
        let Some(day) = parse_day(given) else {
            return Err(Refusal::new(Rule::Date, not_a_day(given), self.expected()));
        };
        Rule::Min.unless(self.min.is_none_or(|min| day >= min), || (format!("{day} is too early"), self.expected()))?;
        Rule::Max.unless(self.max.is_none_or(|max| day <= max), || (format!("{day} is too late"), self.expected()))?;
        Ok(Checked(day))
    }
}

fn read_day(fields: &mut Fields<'_, '_>, name: &'static str) -> Option<civil::Date> {
    let value = fields.value(name)?;
    let day = value.as_str().and_then(parse_day);
    if day.is_none() {
        let expected = "a day such as \"2026-02-28\"";
        let refusal = match value {
            Json::String(text) => Refusal::new(Rule::Date, not_a_day(text), expected),
            other => wrong_type(other, expected),
        };
        fields.refuse_field(name, refusal);
    }
    day
}

fn not_a_day(text: &str) -> String {
    format!("{} is not a calendar day written YYYY-MM-DD", quote(text))
}

/// A day in its written form: exactly ten characters, years 0001 to 9999, what a native date picker can give.
pub fn parse_day(text: &str) -> Option<civil::Date> {
    let bytes = text.as_bytes();
    let is_shaped = bytes.len() == 10
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    text.parse().ok().filter(|day: &civil::Date| is_shaped && day.year() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    // F8
    #[test]
    fn leap_days_are_real_only_in_leap_years() {
        for (text, real) in [("2024-02-29", true), ("2023-02-29", false), ("2000-02-29", true), ("1900-02-29", false)] {
            assert_eq!(parse_day(text).is_some(), real, "{text}");
        }
    }

    // F8
    #[test]
    fn a_day_moves_by_its_parts_and_within_its_bounds() {
        let day = |text| parse_day(text).unwrap();
        let any = Date::default();
        let moved = |from, part, count| any.moved(day(from), part, count).to_string();
        assert_eq!(moved("2024-02-29", Part::Year, 1), "2025-02-28");
        assert_eq!(moved("2026-01-31", Part::Month, 1), "2026-02-28");
        assert_eq!(moved("2026-12-31", Part::Day, 1), "2027-01-01");
        assert_eq!(moved("0001-01-01", Part::Day, -1), "0001-01-01");
        assert_eq!(moved("9999-12-31", Part::Year, 1), "9999-12-31");
        let date = Date { min: Some(day("2026-01-10")), max: Some(day("2026-02-10")) };
        assert_eq!(date.moved(day("2026-01-15"), Part::Month, 1), day("2026-02-10"));
        assert_eq!(date.nearest(day("1999-01-01")), day("2026-01-10"));
    }

    // F8
    #[test]
    fn only_ten_plain_characters_are_a_day() {
        for text in
            ["2024-2-9", "02024-02-09", "0000-01-01", "２０２４-01-01", "2024-01-01T00:00", " 2024-01-01", "+024-01-01"]
        {
            assert_eq!(parse_day(text), None, "{text}");
        }
    }
}
