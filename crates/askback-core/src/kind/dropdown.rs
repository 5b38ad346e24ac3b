//! Dropdown (F9): one of any number of options, searchable, without Other.

use super::{Asked, Consent};
use crate::answer::{AnswerInput, Written};
use crate::fields::Fields;
use crate::json::Object;
use crate::limits::Limits;
use crate::options::{Options, Other};
use crate::problem::Refusal;
use crate::rule::Rule;
use serde_json::{Value, json};

/// A question that is answered by picking from a list of any length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropdown {
    options: Options,
}

impl Dropdown {
    /// What can be picked.
    pub fn options(&self) -> &Options {
        &self.options
    }
}

impl Asked for Dropdown {
    const NAME: &'static str = "dropdown";
    const SUMMARY: &'static str = "One of any number of options, found by searching.";
    const WRITTEN: &'static str = "the option's value";
    const RULES: &'static [Rule] = &[Rule::Option, Rule::Answers];
    const FIELDS: &'static [&'static str] = &["options"];
    const REQUIRED: &'static [&'static str] = &["options"];
    const CONSENT: Consent = Consent::Absent;
    type Answer = Picked;

    fn read(fields: &mut Fields<'_, '_>) -> Option<Self> {
        let most = fields.limits.options;
        Options::read(fields, 1..=most, Other::Absent).map(|options| Self { options })
    }

    fn write(&self, object: Object) -> Object {
        object.put("options", self.options.to_json())
    }

    fn properties(limits: &Limits) -> Value {
        json!({"options": Options::property(limits, 1)})
    }

    fn parse_answer(&self, input: &AnswerInput) -> Result<Picked, Refusal> {
        self.options.choose(input.single()?).map(|option| Picked(option.value().to_owned()))
    }

    fn options(&self) -> Option<&Options> {
        Some(&self.options)
    }
}

/// The value of the option that was picked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picked(String);

impl Written for Picked {
    fn written(&self) -> String {
        self.0.clone()
    }

    fn selections(&self) -> Vec<&str> {
        vec![&self.0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Imitations;
    use crate::options::ChoiceOption;

    // F9
    #[test]
    fn only_an_option_passes() {
        let options = Options::new(
            vec![Some(ChoiceOption::new("Norway")), Some(ChoiceOption::new("Other"))],
            Other::Absent,
            Imitations::Refused,
        )
        .unwrap();
        let dropdown = Dropdown { options };
        let pick = |text| dropdown.parse_answer(&AnswerInput::from(text)).map_err(|refusal| refusal.rule);
        assert_eq!(pick("Norway").unwrap().selections(), ["Norway"]);
        assert_eq!(pick("norway"), Err(Rule::Option));
        assert_eq!(pick("Other").unwrap().written(), "Other", "a label like any other");
    }
}
