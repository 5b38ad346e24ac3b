//! The options of a choice or a dropdown (F12): trimmed, told apart by value and by label.

use crate::answer::OTHER_PLACEHOLDER;
use crate::controls::{OTHER_ON_A_PAGE, imitated};
use crate::fields::Fields;
use crate::json::Json;
use crate::limits::{Imitations, Limits, OPTIONS_IN_MESSAGE};
use crate::path::Place;
use crate::problem::Refusal;
use crate::rule::Rule;
use crate::show::quote;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::ops::RangeInclusive;

mod option;

pub use option::ChoiceOption;

/// Whether a question offers Other: a text of the person's own instead of an option (F13).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Other {
    /// It does.
    Offered,
    /// It doesn't.
    Absent,
}

/// The options of one question: at least one, no two alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options(Vec<ChoiceOption>);

impl Options {
    /// The options in the order given.
    pub fn iter(&self) -> std::slice::Iter<'_, ChoiceOption> {
        self.0.iter()
    }

    /// How many there are; never 0.
    #[expect(clippy::len_without_is_empty, reason = "there is always one")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The option that has this value.
    pub fn find(&self, value: &str) -> Option<&ChoiceOption> {
        self.0.iter().find(|option| option.value() == value)
    }

    /// The enabled option that has this value, or why there is none.
    pub(crate) fn choose(&self, value: &str) -> Result<&ChoiceOption, Refusal> {
        let Some(option) = self.find(value) else {
            return Err(Refusal::new(Rule::Option, format!("{} is not an option", quote(value)), self.describe()));
        };
        Rule::Option.unless(!option.disabled(), || (format!("{} is disabled", quote(value)), self.describe()))?;
        Ok(option)
    }

    /// "one of A, B, C".
    pub(crate) fn describe(&self) -> String {
        let enabled = || self.0.iter().filter(|option| !option.disabled());
        let named: Vec<_> = enabled().take(OPTIONS_IN_MESSAGE).map(|option| quote(option.value())).collect();
        match enabled().count() - named.len() {
            _ if named.is_empty() => "a text of your own: every option is disabled".to_owned(),
            0 => format!("one of {}", named.join(", ")),
            more => format!("one of {}, or {more} more", named.join(", ")),
        }
    }

    /// Reads the field `options`.
    pub(crate) fn read(fields: &mut Fields<'_, '_>, count: RangeInclusive<usize>, other: Other) -> Option<Self> {
        let items = fields.counted_array("options", count, "options");
        let items = fields.need("options", items, "a list of options, such as [\"A\", \"B\"]")?;
        let here = fields.place();
        let place = here.field("options");
        let read = items
            .iter()
            .enumerate()
            .map(|(index, item)| ChoiceOption::read(fields, item, place.index(index)))
            .collect();
        let imitations = fields.limits.imitations;
        Self::gather(fields, read, place, other, imitations)
    }

    /// Makes options of what was read at a place, or reports what is wrong with them together.
    pub(crate) fn gather(
        fields: &mut Fields<'_, '_>,
        read: Vec<Option<ChoiceOption>>,
        place: Place<'_>,
        other: Other,
        imitations: Imitations,
    ) -> Option<Self> {
        Self::new(read, other, imitations)
            .map_err(|refusals| {
                for (index, refusal) in refusals {
                    fields.refuse(refusal, index.map_or(place, |index| place.index(index)));
                }
            })
            .ok()
    }

    /// Options that can be told apart, or what is wrong and with which of them. Those that could not be read are
    /// nothing: their problems are known, and the others are looked at all the same.
    pub(crate) fn new(
        read: Vec<Option<ChoiceOption>>,
        other: Other,
        imitations: Imitations,
    ) -> Result<Self, Vec<(Option<usize>, Refusal)>> {
        let mut refusals = check_apart(&read);
        if imitations == Imitations::Refused {
            refusals.extend(check_imitations(&read, other));
        }
        let Some(mut options) = read.into_iter().collect::<Option<Vec<ChoiceOption>>>() else {
            return Err(refusals);
        };
        let answerable = match other {
            Other::Offered => {
                // A stored question may have nothing else; it stays as it was.
                if imitations == Imitations::Refused || options.iter().any(|option| !option.is_other()) {
                    options.retain(|option| !option.is_other());
                }
                !options.is_empty()
            }
            Other::Absent => options.iter().any(|option| !option.disabled()),
        };
        let choice = Rule::Unanswerable.unless(answerable, || match other {
            Other::Offered => ("only Other is left, which is offered anyway", "at least one option besides Other"),
            Other::Absent => ("there is nothing to choose", "at least one option that is not disabled"),
        });
        refusals.extend(choice.err().map(|refusal| (None, refusal)));
        if refusals.is_empty() { Ok(Self(options)) } else { Err(refusals) }
    }

    pub(crate) fn to_json(&self) -> Json {
        self.0.iter().map(ChoiceOption::to_json).collect::<Vec<_>>().into()
    }

    pub(crate) fn property(limits: &Limits, least: usize) -> Value {
        let text = |description: &str, longest: usize| json!({"description": description, "type": "string", "minLength": 1, "maxLength": longest});
        json!({
            "description": "What can be chosen. Values and labels are trimmed and must differ.",
            "type": "array", "minItems": least, "maxItems": limits.options,
            "items": {"anyOf": [
                text("The option's value, which is also its label.", limits.value_length),
                {
                    "type": "object", "required": ["value"], "additionalProperties": false,
                    "properties": {
                        "value": text("What the answer says.", limits.value_length),
                        "label": text("What the person sees; the value if there is none.", limits.line_length),
                        "description": text("What choosing it means.", limits.message_length),
                        "preview": text("What to look at while it is focused.", limits.preview_length),
                        "disabled": {"description": "Shown, but can't be chosen.", "type": "boolean", "default": false},
                    },
                },
            ]},
        })
    }
}

/// What keeps options from being told apart, with the position of each that stands in the way.
fn check_apart(read: &[Option<ChoiceOption>]) -> Vec<(Option<usize>, Refusal)> {
    let mut refusals = Vec::new();
    let mut values = HashMap::with_capacity(read.len());
    let mut labels = HashMap::new();
    // Without labels of their own, options that differ in value differ in label.
    let labelled = read.iter().flatten().any(|option| option.own_label().is_some());
    for (index, option) in read.iter().enumerate().filter_map(|(index, option)| Some((index, option.as_ref()?))) {
        let reserved = Rule::Reserved.unless(option.value() != OTHER_PLACEHOLDER, || {
            (format!("`{OTHER_PLACEHOLDER}` stands for Other"), "another value, or `other: true`")
        });
        let first_value = *values.entry(option.value()).or_insert(index);
        let first_label = if labelled { *labels.entry(option.label()).or_insert(index) } else { index };
        let (what, text, first) = match first_value < index {
            true => ("value", option.value(), first_value),
            false => ("label", option.label(), first_label),
        };
        let unique = Rule::Unique.unless(first == index, || {
            let message = format!("the {what} {} stands here again, first in position {}", quote(text), first + 1);
            (message, "options that differ")
        });
        refusals.extend([reserved, unique].into_iter().filter_map(Result::err).map(|refusal| (Some(index), refusal)));
    }
    refusals
}

/// Options that look like a control of ours, by value or by label (F12). An asker's own Other gives way to the flag.
fn check_imitations(read: &[Option<ChoiceOption>], other: Other) -> Vec<(Option<usize>, Refusal)> {
    let mut refusals = Vec::new();
    for (index, option) in read.iter().enumerate().filter_map(|(index, option)| Some((index, option.as_ref()?))) {
        let gives_way = other == Other::Offered && option.is_other();
        // The placeholder itself is reported already.
        let known = option.value() == OTHER_PLACEHOLDER;
        let texts = [Some(option.value()), option.own_label()].into_iter().flatten();
        let found = texts.filter(|_| !gives_way && !known).find_map(|text| Some((text, imitated(text)?)));
        let reserved = Rule::Reserved.unless(found.is_none(), || {
            let (text, control) = found.unwrap_or_default();
            let expected = match control {
                OTHER_ON_A_PAGE | OTHER_PLACEHOLDER => {
                    "`other: true` for an answer of the person's own, or another text"
                }
                _ => "another text",
            };
            (format!("{} looks like askback's own {}", quote(text), quote(control)), expected)
        });
        refusals.extend(reserved.err().map(|refusal| (Some(index), refusal)));
    }
    refusals
}

#[cfg(test)]
mod tests {
    use super::*;

    // F12
    #[test]
    fn options_are_trimmed_and_told_apart() {
        let options = Options::new(
            vec![Some(ChoiceOption::new(" A ")), Some(ChoiceOption::new("B"))],
            Other::Absent,
            Imitations::Refused,
        )
        .unwrap();
        assert_eq!(options.find("A").map(ChoiceOption::label), Some("A"));
        let twice = Options::new(
            vec![Some(ChoiceOption::new("A")), None, Some(ChoiceOption::new(" A"))],
            Other::Absent,
            Imitations::Refused,
        );
        let refusals = twice.unwrap_err();
        assert_eq!((refusals[0].0, refusals[0].1.rule), (Some(2), Rule::Unique), "beside one that could not be read");
        let thrice = Options::new(
            ["A"; 3].map(|value| Some(ChoiceOption::new(value))).to_vec(),
            Other::Absent,
            Imitations::Refused,
        );
        assert!(thrice.unwrap_err()[1].1.message.ends_with("first in position 1"));
    }

    // F13
    #[test]
    fn an_askers_own_other_gives_way_to_the_flag() {
        let listed = || vec![Some(ChoiceOption::new("A")), Some(ChoiceOption::new(" oTHER "))];
        assert_eq!(Options::new(listed(), Other::Offered, Imitations::Refused).unwrap().len(), 1);
        assert_eq!(Options::new(listed(), Other::Absent, Imitations::Refused).unwrap().len(), 2);
        for other in ["Оther", "Ｏｔｈｅｒ", "Other…", "3. Other", "Other (please specify)"] {
            let listed = || ["A", "B", other].map(|value| Some(ChoiceOption::new(value))).to_vec();
            for imitations in [Imitations::Refused, Imitations::Kept] {
                assert_eq!(Options::new(listed(), Other::Offered, imitations).unwrap().len(), 2, "{other}");
            }
        }
    }

    // F12
    #[test]
    fn options_that_imitate_a_control_are_refused_unless_they_were_stored() {
        let listed = || ["A", "r) Reject", "Reject"].map(|value| Some(ChoiceOption::new(value))).to_vec();
        let refusals = Options::new(listed(), Other::Absent, Imitations::Refused).unwrap_err();
        assert_eq!(
            refusals.iter().map(|(index, refusal)| (*index, refusal.rule)).collect::<Vec<_>>(),
            [(Some(1), Rule::Reserved)]
        );
        assert_eq!(Options::new(listed(), Other::Absent, Imitations::Kept).unwrap().len(), 3);
    }
}
