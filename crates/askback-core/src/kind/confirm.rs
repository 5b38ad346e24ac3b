//! Confirm (F5): `yes` or `no`. A no is an answer.

use super::{Asked, Consent, choose_word};
use crate::answer::{AnswerInput, Written};
use crate::fields::Fields;
use crate::json::Object;
use crate::limits::Limits;
use crate::problem::Refusal;
use crate::rule::Rule;
use crate::word::words;
use serde_json::{Value, json};

/// A question that is answered with yes or no.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Confirm {}

words! {
    /// What the person said.
    pub enum Confirmation {
        /// `yes`
        Yes = "yes",
        /// `no`
        No = "no",
    }
}

impl Asked for Confirm {
    const NAME: &'static str = "confirm";
    const SUMMARY: &'static str = "Yes or no. `no` is an answer, not a refusal to answer.";
    const WRITTEN: &'static str = "`yes` or `no`";
    const FIELDS: &'static [&'static str] = &[];
    const RULES: &'static [Rule] = &[Rule::Word, Rule::Answers];
    const CONSENT: Consent = Consent::Confirmation;
    type Answer = Confirmation;

    fn read(_: &mut Fields<'_, '_>) -> Option<Self> {
        Some(Self {})
    }

    fn write(&self, object: Object) -> Object {
        object
    }

    fn properties(_: &Limits) -> Value {
        json!({})
    }

    fn parse_answer(&self, input: &AnswerInput) -> Result<Confirmation, Refusal> {
        choose_word(input.single()?, &Confirmation::WORDS)
    }
}

impl Written for Confirmation {
    fn written(&self) -> String {
        self.name().to_owned()
    }

    fn refuses_silence(&self) -> Option<Refusal> {
        let consents = *self == Self::Yes;
        consents.then(|| Refusal::new(Rule::Default, "silence is never consent", "\"no\", or no default"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // F5
    #[test]
    fn a_no_is_an_answer() {
        let no = Confirm {}.parse_answer(&AnswerInput::from("no")).unwrap();
        assert!(!no.rejects());
        assert_eq!(no.written(), "no");
    }
}
