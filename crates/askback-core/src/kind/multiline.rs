//! Multiline (F2): text over several lines, line ends written as `\n`.

use super::Asked;
use super::text::{max_length_property, read_max_length, write_max_length};
use crate::answer::RawAnswer;
use crate::fields::Fields;
use crate::free_text::{Typed, check_free_text, with_line_feeds};
use crate::json::Object;
use crate::limits::{FREE_TEXT_LENGTH, Limits};
use crate::problem::Refusal;
use crate::rule::Rule;
use serde_json::Value;

/// A question that is answered with text over several lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Multiline {
    max_length: usize,
}

impl Multiline {
    /// The longest answer, in code points, line ends counted once.
    pub fn max_length(&self) -> usize {
        self.max_length
    }
}

impl Default for Multiline {
    fn default() -> Self {
        Self { max_length: FREE_TEXT_LENGTH }
    }
}

impl Asked for Multiline {
    const NAME: &'static str = "multiline";
    const SUMMARY: &'static str = "Text over several lines; blank is refused.";
    const WRITTEN: &'static str = "the text; `\\r\\n` and `\\r` become `\\n`";
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
        let text = with_line_feeds(raw.single()?);
        check_free_text(&text, self.max_length, &['\t', '\n'])?;
        Ok(Typed::checked(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // F2
    #[test]
    fn line_ends_become_line_feeds() {
        let text = Multiline::default().parse_answer(RawAnswer::Response("a\r\nb\rc\n\r\nd")).unwrap();
        assert_eq!(text.as_str(), "a\nb\nc\n\nd");
    }
}
