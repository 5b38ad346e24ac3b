//! Text (F1): one line, kept as typed.

use super::field::FieldKind;
use askback_core::kind::text::Text;

impl FieldKind for &Text {
    fn told(&self) -> String {
        format!("a line of text, of at most {} characters", self.max_length())
    }
}
