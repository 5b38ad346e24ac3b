//! Approval (F0): `approve` or `reject`, under two labels.

use super::{Asked, choose_word};
use crate::answer::{RawAnswer, Written};
use crate::fields::{Fields, Shape};
use crate::json::Object;
use crate::limits::Limits;
use crate::problem::Refusal;
use crate::rule::Rule;
use crate::text::trim;
use crate::word::word_of;
use serde_json::{Value, json};

/// A question that is approved or rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    labels: [String; 2],
}

/// What the person decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Go on.
    Approve,
    /// Don't.
    Reject,
}

impl Approval {
    const LABELS: [&'static str; 2] = ["Approve", "Reject"];

    /// What the button that approves says.
    pub fn approve_label(&self) -> &str {
        &self.labels[0]
    }

    /// What the button that rejects says.
    pub fn reject_label(&self) -> &str {
        &self.labels[1]
    }

    /// With labels a dialect has read; they must differ.
    pub(crate) fn with_labels(labels: [&str; 2]) -> Result<Self, Refusal> {
        let labels = labels.map(|label| trim(label).to_owned());
        Rule::Unique.unless(labels[0] != labels[1], || ("both labels are the same", "two different labels"))?;
        Ok(Self { labels })
    }
}

impl Default for Approval {
    fn default() -> Self {
        Self { labels: Self::LABELS.map(str::to_owned) }
    }
}

impl Asked for Approval {
    const NAME: &'static str = "approval";
    const SUMMARY: &'static str = "Go ahead or not. Rejecting makes the outcome `declined`.";
    const WRITTEN: &'static str = "`approve` or `reject`";
    const FIELDS: &'static [&'static str] = &["labels"];
    const RULES: &'static [Rule] = &[Rule::Word, Rule::Answers];
    const STARTS_OPEN: bool = true;
    const MAY_DEFAULT: bool = false;
    type Answer = Decision;

    fn read(fields: &mut Fields<'_, '_>) -> Option<Self> {
        if !fields.has("labels") {
            fields.value("labels");
            return Some(Self::default());
        }
        let items = fields.counted_array("labels", 2..=2, "texts, first to approve, then to reject")?;
        let here = fields.place();
        let place = here.field("labels");
        let longest = fields.limits.line_length;
        let mut label = |index: usize| {
            let item = items.get(index)?;
            fields.text_at(item, place.index(index), Shape::Line, 1..=longest)
        };
        let (approve, reject) = (label(0), label(1));
        match Self::with_labels([approve?, reject?]) {
            Ok(approval) => Some(approval),
            Err(refusal) => {
                fields.refuse(refusal, place);
                None
            }
        }
    }

    fn write(&self, object: Object) -> Object {
        let labels = (*self != Self::default()).then(|| self.labels.to_vec());
        object.put_some("labels", labels)
    }

    fn properties(limits: &Limits) -> Value {
        json!({"labels": {
            "description": "What the two buttons say: first to approve, then to reject. `Approve` and `Reject` by default.",
            "type": "array", "minItems": 2, "maxItems": 2,
            "items": {"type": "string", "minLength": 1, "maxLength": limits.line_length},
        }})
    }

    fn parse_answer(&self, raw: RawAnswer<'_>) -> Result<Decision, Refusal> {
        choose_word(raw.single()?, &Decision::WORDS)
    }
}

impl Decision {
    const WORDS: [(&'static str, Self); 2] = [("approve", Self::Approve), ("reject", Self::Reject)];
}

impl Written for Decision {
    fn written(&self) -> String {
        word_of(&Self::WORDS, self).to_owned()
    }

    fn rejects(&self) -> bool {
        *self == Self::Reject
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // F0
    #[test]
    fn only_the_two_words_decide() {
        let approval = Approval::default();
        let decide = |text| approval.parse_answer(RawAnswer::Response(text)).map(|decision| decision.rejects());
        assert_eq!(decide("approve"), Ok(false));
        assert_eq!(decide("reject"), Ok(true));
        for text in ["", "Approve", "approve ", "yes", "a", "1"] {
            assert_eq!(decide(text).unwrap_err().rule, Rule::Word, "{text:?}");
        }
    }
}
