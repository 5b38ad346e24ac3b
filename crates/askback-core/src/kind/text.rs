//! Text (F1): one line, kept as typed.

use super::Asked;
use crate::answer::RawAnswer;
use crate::fields::Fields;
use crate::free_text::{Typed, check_free_text};
use crate::json::Object;
use crate::limits::{FREE_TEXT_LENGTH, Limits};
use crate::problem::Refusal;
use crate::rule::Rule;
use serde_json::{Value, json};

/// A question that is answered with one line of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    max_length: usize,
}

impl Text {
    /// The longest answer, in code points.
    pub fn max_length(&self) -> usize {
        self.max_length
    }
}

impl Default for Text {
    fn default() -> Self {
        Self { max_length: FREE_TEXT_LENGTH }
    }
}

impl Asked for Text {
    const NAME: &'static str = "text";
    const SUMMARY: &'static str = "One line of text, kept as typed; blank is refused.";
    const WRITTEN: &'static str = "the text, unchanged";
    const FIELDS: &'static [&'static str] = &["maxLength"];
    const RULES: &'static [Rule] = &[Rule::Blank, Rule::Length, Rule::Control, Rule::Answers];
    type Answer = Typed;

    fn read(fields: &mut Fields<'_, '_>) -> Option<Self> {
        read_max_length(fields).map(|max_length| Self { max_length })
    }

    fn write(&self, object: Object) -> Object {
        write_max_length(self.max_length, object)
    }

    fn properties(_: &Limits) -> Value {
        max_length_property()
    }

    fn parse_answer(&self, raw: RawAnswer<'_>) -> Result<Typed, Refusal> {
        let given = raw.single()?;
        check_free_text(given, self.max_length, &['\t'])?;
        Ok(Typed::checked(given))
    }
}

pub(super) fn read_max_length(fields: &mut Fields<'_, '_>) -> Option<usize> {
    if !fields.has("maxLength") {
        fields.value("maxLength");
        return Some(FREE_TEXT_LENGTH);
    }
    fields.whole("maxLength", 1..=FREE_TEXT_LENGTH as i64, "a whole number of characters").map(|length| length as usize)
}

pub(super) fn write_max_length(max_length: usize, object: Object) -> Object {
    object.put_some("maxLength", (max_length != FREE_TEXT_LENGTH).then_some(max_length as f64))
}

pub(super) fn max_length_property() -> Value {
    json!({"maxLength": {
        "description": "The longest answer, in code points.",
        "type": "integer", "minimum": 1, "maximum": FREE_TEXT_LENGTH, "default": FREE_TEXT_LENGTH,
    }})
}

#[cfg(test)]
mod tests {
    use super::*;

    // F1, F14
    #[test]
    fn text_is_kept_as_typed_or_refused() {
        let text = Text { max_length: 5 };
        let answer = |given| text.parse_answer(RawAnswer::Response(given));
        assert_eq!(answer("  a\t "), Ok(Typed::checked("  a\t ")));
        assert_eq!(answer("ééééé"), Ok(Typed::checked("ééééé")));
        assert_eq!(answer("éééééé").unwrap_err().rule, Rule::Length);
        assert_eq!(answer("a\nb").unwrap_err().rule, Rule::Control);
        assert_eq!(answer("   ").unwrap_err().rule, Rule::Blank);
    }
}
