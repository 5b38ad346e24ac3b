//! Text (F1): one line, kept as typed. Multiline (F2): text over several lines, line ends written as `\n`.

use super::{Asked, Consent};
use crate::answer::{AnswerInput, Checked};
use crate::fields::Fields;
use crate::free_text::{check_free_text, with_line_feeds};
use crate::json::Object;
use crate::limits::{FREE_TEXT_LENGTH, Limits};
use crate::problem::Refusal;
use crate::rule::Rule;
use serde_json::{Value, json};

/// A question that is answered with text, over several lines if `LINES`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreeText<const LINES: bool> {
    max_length: usize,
}

/// A question that is answered with one line of text.
pub type Text = FreeText<false>;

/// A question that is answered with text over several lines.
pub type Multiline = FreeText<true>;

impl<const LINES: bool> FreeText<LINES> {
    /// The longest answer, in code points, line ends counted once.
    pub fn max_length(&self) -> usize {
        self.max_length
    }
}

impl<const LINES: bool> Default for FreeText<LINES> {
    fn default() -> Self {
        Self { max_length: FREE_TEXT_LENGTH }
    }
}

impl<const LINES: bool> Asked for FreeText<LINES> {
    const NAME: &'static str = if LINES { "multiline" } else { "text" };
    const SUMMARY: &'static str = if LINES {
        "Text over several lines; blank is refused."
    } else {
        "One line of text, kept as typed; blank is refused."
    };
    const WRITTEN: &'static str =
        if LINES { "the text; `\\r\\n` and `\\r` become `\\n`" } else { "the text, unchanged" };
    const FIELDS: &'static [&'static str] = &["maxLength"];
    const RULES: &'static [Rule] = &[Rule::Blank, Rule::Length, Rule::Control, Rule::Answers];
    const CONSENT: Consent = Consent::Absent;
    type Answer = Checked<String>;

    fn read(fields: &mut Fields<'_, '_>) -> Option<Self> {
        let length = fields.whole("maxLength", 1..=FREE_TEXT_LENGTH as i64, "a whole number of characters");
        let max_length = fields.or("maxLength", length.map(|length| length as usize), FREE_TEXT_LENGTH)?;
        Some(Self { max_length })
    }

    fn write(&self, object: Object) -> Object {
        object.put_some("maxLength", (self.max_length != FREE_TEXT_LENGTH).then_some(self.max_length as f64))
    }

    fn properties(_: &Limits) -> Value {
        json!({"maxLength": {
            "description": "The longest answer, in code points.",
            "type": "integer", "minimum": 1, "maximum": FREE_TEXT_LENGTH, "default": FREE_TEXT_LENGTH,
        }})
    }

    fn parse_answer(&self, input: &AnswerInput) -> Result<Checked<String>, Refusal> {
        let given = input.single()?;
        let given = if LINES { with_line_feeds(given) } else { given.to_owned() };
        check_free_text(&given, self.max_length, if LINES { &['\t', '\n'] } else { &['\t'] })?;
        Ok(Checked(given))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // F1, F14
    #[test]
    fn text_is_kept_as_typed_or_refused() {
        let text = Text { max_length: 5 };
        let answer = |given| text.parse_answer(&AnswerInput::from(given));
        assert_eq!(answer("  a\t "), Ok(Checked("  a\t ".to_owned())));
        assert_eq!(answer("ééééé"), Ok(Checked("ééééé".to_owned())));
        assert_eq!(answer("éééééé").unwrap_err().rule, Rule::Length);
        assert_eq!(answer("a\nb").unwrap_err().rule, Rule::Control);
        assert_eq!(answer("   ").unwrap_err().rule, Rule::Blank);
    }

    // F2
    #[test]
    fn line_ends_become_line_feeds() {
        let text = Multiline::default().parse_answer(&AnswerInput::from("a\r\nb\rc\n\r\nd"));
        assert_eq!(text, Ok(Checked("a\nb\nc\n\nd".to_owned())));
    }
}
