//! One option: a value, and perhaps more to see.

use crate::controls;
use crate::fields::{Fields, Shape};
use crate::json::{Json, Object};
use crate::path::Place;
use crate::text::trim;

/// One thing that can be chosen. A list may have very many, so what most don't have costs most of them nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChoiceOption {
    value: String,
    details: Option<Box<Details>>,
}

/// What an option may have besides its value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Details {
    label: Option<String>,
    description: Option<String>,
    preview: Option<String>,
    disabled: bool,
}

impl ChoiceOption {
    pub(crate) fn new(value: &str) -> Self {
        Self { value: trim(value).to_owned(), details: None }
    }

    pub(crate) fn with_details(value: &str, description: Option<&str>, preview: Option<&str>) -> Self {
        let (description, preview) = (description.map(str::to_owned), preview.map(str::to_owned));
        Self::detailed(value, Details { description, preview, ..Details::default() })
    }

    fn detailed(value: &str, details: Details) -> Self {
        let details = (details != Details::default()).then(|| Box::new(details));
        Self { details, ..Self::new(value) }
    }

    /// What the answer says when it is chosen.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// What the person sees.
    pub fn label(&self) -> &str {
        self.own_label().unwrap_or(&self.value)
    }

    /// What choosing it means.
    pub fn description(&self) -> Option<&str> {
        self.details.as_ref()?.description.as_deref()
    }

    /// What to look at while it is focused.
    pub fn preview(&self) -> Option<&str> {
        self.details.as_ref()?.preview.as_deref()
    }

    /// Whether it is shown but can't be chosen.
    pub fn disabled(&self) -> bool {
        self.details.as_ref().is_some_and(|details| details.disabled)
    }

    /// The label, if it is not the value.
    pub(super) fn own_label(&self) -> Option<&str> {
        self.details.as_ref()?.label.as_deref()
    }

    /// Whether this is an asker's own "Other", which the flag on the question replaces (F13).
    pub(super) fn is_other(&self) -> bool {
        controls::is_other(self.label())
    }

    /// Whether it says no more than its value.
    pub(crate) fn is_plain(&self) -> bool {
        self.details.is_none()
    }

    /// Reads an item of a list of options.
    pub(super) fn read<'j>(fields: &mut Fields<'j, '_>, item: &'j Json, place: Place<'_>) -> Option<Self> {
        const EXPECTED: &str = "a text, or an object such as {\"value\": \"a\", \"label\": \"A\"}";
        let limits = fields.limits;
        if let Json::String(_) = item {
            return fields.text_at(item, place, Shape::Line, 1..=limits.value_length).map(Self::new);
        }
        let mut inner = fields.open_inner(item, place, EXPECTED)?;
        let value = inner.text("value", Shape::Line, 1..=limits.value_length);
        let value = inner.need("value", value, "the text that the answer says, or a text alone instead of the object");
        let label = inner.text("label", Shape::Line, 1..=limits.line_length);
        let description = inner.text("description", Shape::Block, 1..=limits.message_length);
        let preview = inner.text("preview", Shape::Block, 1..=limits.preview_length);
        let disabled = inner.flag("disabled").unwrap_or(false);
        inner.close();
        let value = trim(value?);
        let details = Details {
            label: label.map(trim).filter(|label| *label != value).map(str::to_owned),
            description: description.map(str::to_owned),
            preview: preview.map(str::to_owned),
            disabled,
        };
        Some(Self::detailed(value, details))
    }

    pub(super) fn to_json(&self) -> Json {
        if self.is_plain() {
            return self.value.as_str().into();
        }
        Object::new()
            .put("value", self.value.as_str())
            .put_some("label", self.own_label())
            .put_some("description", self.description())
            .put_some("preview", self.preview())
            .put_some("disabled", self.disabled().then_some(true))
            .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Q2
    #[test]
    fn a_recommended_option_keeps_its_suffix() {
        let option = ChoiceOption::new("PostgreSQL (Recommended)");
        assert_eq!(option.label(), "PostgreSQL (Recommended)");
        assert_eq!(option.value(), "PostgreSQL (Recommended)");
    }
}
