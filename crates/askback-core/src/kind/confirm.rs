//! Confirm (F5): `yes` or `no`. A no is an answer.

use super::{Asked, choose_word};
use crate::answer::{RawAnswer, Written};
use crate::fields::Fields;
use crate::json::Object;
use crate::limits::Limits;
use crate::problem::Refusal;
use crate::rule::Rule;
use serde_json::{Value, json};

/// A question that is answered with yes or no.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Confirm {}

/// What the person said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confirmation {
    /// `yes`
    Yes,
    /// `no`
    No,
}

impl Asked for Confirm {
    const NAME: &'static str = "confirm";
    const SUMMARY: &'static str = "Yes or no. `no` is an answer, not a refusal to answer.";
    const WRITTEN: &'static str = "`yes` or `no`";
    const RULES: &'static [Rule] = &[Rule::Word, Rule::Answers];
    const STARTS_OPEN: bool = true;
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

    fn parse_answer(&self, raw: RawAnswer<'_>) -> Result<Confirmation, Refusal> {
        choose_word(raw.single()?, &[("yes", Confirmation::Yes), ("no", Confirmation::No)])
    }
}

impl Written for Confirmation {
    fn written(&self) -> String {
        match self {
            Self::Yes => "yes".to_owned(),
            Self::No => "no".to_owned(),
        }
    }

    fn may_be_default(&self) -> bool {
        *self == Self::No
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // F5
    #[test]
    fn a_no_is_an_answer() {
        let no = Confirm {}.parse_answer(RawAnswer::Response("no")).unwrap();
        assert!(!no.rejects());
        assert_eq!(no.written(), "no");
    }
}
