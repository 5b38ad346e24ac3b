//! The options of a choice or a dropdown (F12): trimmed, told apart by value and by label.

use crate::answer::OTHER_PLACEHOLDER;
use crate::fields::{Fields, Shape};
use crate::json::{Json, Object};
use crate::limits::{Limits, OPTIONS_IN_MESSAGE};
use crate::path::Place;
use crate::problem::Refusal;
use crate::rule::Rule;
use crate::show::quote;
use crate::text::trim;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::ops::RangeInclusive;

/// Whether a question offers Other: a text of the person's own instead of an option (F13).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Other {
    /// It does.
    Offered,
    /// It doesn't.
    Absent,
}

/// One thing that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChoiceOption {
    value: String,
    label: Option<String>,
    description: Option<String>,
    preview: Option<String>,
    disabled: bool,
}

impl ChoiceOption {
    pub(crate) fn new(value: &str) -> Self {
        Self { value: trim(value).to_owned(), label: None, description: None, preview: None, disabled: false }
    }

    pub(crate) fn with_description(mut self, description: &str) -> Self {
        self.description = Some(description.to_owned());
        self
    }

    /// What the answer says when it is chosen.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// What the person sees.
    pub fn label(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.value)
    }

    /// What choosing it means.
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// What to look at while it is focused.
    pub fn preview(&self) -> Option<&str> {
        self.preview.as_deref()
    }

    /// Whether it is shown but can't be chosen.
    pub fn disabled(&self) -> bool {
        self.disabled
    }

    /// Whether the asker recommends it (Q2). The label keeps its suffix everywhere.
    pub fn recommended(&self) -> bool {
        self.label().ends_with("(Recommended)")
    }

    /// Whether this is an asker's own "Other", which the flag on the question replaces (F13).
    fn is_other(&self) -> bool {
        self.label().eq_ignore_ascii_case("other")
    }

    /// Whether it says no more than its value.
    pub(crate) fn is_plain(&self) -> bool {
        self.label.is_none() && self.description.is_none() && self.preview.is_none() && !self.disabled
    }

    fn to_json(&self) -> Json {
        if self.is_plain() {
            return self.value.as_str().into();
        }
        Object::new()
            .put("value", self.value.as_str())
            .put_some("label", self.label.as_deref())
            .put_some("description", self.description.as_deref())
            .put_some("preview", self.preview.as_deref())
            .put_some("disabled", self.disabled.then_some(true))
            .into()
    }
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
        self.0.iter().find(|option| option.value == value)
    }

    /// The enabled option that has this value, or why there is none.
    pub(crate) fn choose(&self, value: &str) -> Result<&ChoiceOption, Refusal> {
        let Some(option) = self.find(value) else {
            return Err(Refusal::new(Rule::Option, format!("{} is not an option", quote(value)), self.describe()));
        };
        Rule::Option.unless(!option.disabled, || (format!("{} is disabled", quote(value)), self.describe()))?;
        Ok(option)
    }

    /// "one of A, B, C".
    pub(crate) fn describe(&self) -> String {
        let enabled = || self.0.iter().filter(|option| !option.disabled);
        let named: Vec<_> = enabled().take(OPTIONS_IN_MESSAGE).map(|option| quote(&option.value)).collect();
        match enabled().count() - named.len() {
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
        let read =
            items.iter().enumerate().map(|(index, item)| read_option(fields, item, place.index(index))).collect();
        Self::gather(fields, read, place, other)
    }

    /// Makes options of what was read at a place, or reports what is wrong with them together.
    pub(crate) fn gather(
        fields: &mut Fields<'_, '_>,
        read: Vec<Option<ChoiceOption>>,
        place: Place<'_>,
        other: Other,
    ) -> Option<Self> {
        Self::new(read, other)
            .map_err(|refusals| {
                for (index, refusal) in refusals {
                    fields.refuse(refusal, index.map_or(place, |index| place.index(index)));
                }
            })
            .ok()
    }

    /// Options that can be told apart, or what is wrong and with which of them. Those that could not be read are
    /// nothing: their problems are known, and the others are looked at all the same.
    pub(crate) fn new(read: Vec<Option<ChoiceOption>>, other: Other) -> Result<Self, Vec<(Option<usize>, Refusal)>> {
        let mut refusals = check_apart(&read);
        let Some(mut options) = read.into_iter().collect::<Option<Vec<ChoiceOption>>>() else {
            return Err(refusals);
        };
        let answerable = match other {
            Other::Offered => {
                options.retain(|option| !option.is_other());
                !options.is_empty()
            }
            Other::Absent => options.iter().any(|option| !option.disabled),
        };
        let choice = Rule::Unanswerable
            .unless(answerable, || ("there is nothing to choose", "at least one option that is not disabled"));
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
    let labelled = read.iter().flatten().any(|option| option.label.is_some());
    for (index, option) in read.iter().enumerate().filter_map(|(index, option)| Some((index, option.as_ref()?))) {
        let reserved = Rule::Reserved.unless(option.value != OTHER_PLACEHOLDER, || {
            (format!("`{OTHER_PLACEHOLDER}` stands for Other"), "another value, or `other: true`")
        });
        let same_value = values.insert(option.value(), index).map(|first| ("value", option.value(), first));
        let same_label = if labelled {
            labels.insert(option.label(), index).map(|first| ("label", option.label(), first))
        } else {
            None
        };
        let same = same_value.or(same_label);
        let unique = Rule::Unique.unless(same.is_none(), || {
            let (what, text, first) = same.unwrap_or_default();
            (
                format!("the {what} {} stands here twice, first in position {}", quote(text), first + 1),
                "options that differ",
            )
        });
        refusals.extend([reserved, unique].into_iter().filter_map(Result::err).map(|refusal| (Some(index), refusal)));
    }
    refusals
}

fn read_option<'j>(fields: &mut Fields<'j, '_>, item: &'j Json, place: Place<'_>) -> Option<ChoiceOption> {
    let limits = fields.limits;
    if let Json::String(_) = item {
        let value = fields.text_at(item, place, Shape::Line, 1..=limits.value_length)?;
        return Some(ChoiceOption::new(value));
    }
    let mut inner =
        fields.open_inner(item, place, "a text, or an object such as {\"value\": \"a\", \"label\": \"A\"}")?;
    let value = inner.text("value", Shape::Line, 1..=limits.value_length);
    let value = inner.need("value", value, "the text that the answer says");
    let label = inner.text("label", Shape::Line, 1..=limits.line_length);
    let description = inner.text("description", Shape::Block, 1..=limits.message_length);
    let preview = inner.text("preview", Shape::Block, 1..=limits.preview_length);
    let disabled = inner.flag("disabled").unwrap_or(false);
    inner.close();
    let value = trim(value?);
    Some(ChoiceOption {
        value: value.to_owned(),
        label: label.map(trim).filter(|label| *label != value).map(str::to_owned),
        description: description.map(str::to_owned),
        preview: preview.map(str::to_owned),
        disabled,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    // F12
    #[test]
    fn options_are_trimmed_and_told_apart() {
        let options =
            Options::new(vec![Some(ChoiceOption::new(" A ")), Some(ChoiceOption::new("B"))], Other::Absent).unwrap();
        assert_eq!(options.find("A").map(ChoiceOption::label), Some("A"));
        let twice =
            Options::new(vec![Some(ChoiceOption::new("A")), None, Some(ChoiceOption::new(" A"))], Other::Absent);
        let refusals = twice.unwrap_err();
        assert_eq!((refusals[0].0, refusals[0].1.rule), (Some(2), Rule::Unique), "beside one that could not be read");
    }

    // F13
    #[test]
    fn an_askers_own_other_gives_way_to_the_flag() {
        let listed = || vec![Some(ChoiceOption::new("A")), Some(ChoiceOption::new(" oTHER "))];
        assert_eq!(Options::new(listed(), Other::Offered).unwrap().len(), 1);
        assert_eq!(Options::new(listed(), Other::Absent).unwrap().len(), 2);
    }

    // Q2
    #[test]
    fn a_recommended_option_keeps_its_suffix() {
        let option = ChoiceOption::new("PostgreSQL (Recommended)");
        assert!(option.recommended());
        assert_eq!(option.value(), "PostgreSQL (Recommended)");
        assert!(!ChoiceOption::new("(Recommended) no").recommended());
    }
}
