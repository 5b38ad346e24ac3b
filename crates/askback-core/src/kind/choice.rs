//! Choice (F3, F4, F11, F13): one option or several, and perhaps Other with a text of the person's own.

use super::{Asked, Consent};
use crate::answer::AnswerInput;
use crate::fields::Fields;
use crate::joined::{Joined, SEPARATOR};
use crate::json::Object;
use crate::limits::Limits;
use crate::options::{ChoiceOption, Options, Other};
use crate::problem::Refusal;
use crate::rule::Rule;
use crate::show::quote;
use serde_json::{Value, json};

mod reader;

pub use reader::{Selection, Selections};

/// A question that is answered by choosing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    options: Options,
    select: Select,
    other: Other,
}

/// How many may be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Select {
    /// Exactly one.
    One,
    /// One or more.
    Many,
}

impl Choice {
    /// What can be chosen, besides Other.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// How many may be chosen.
    pub fn select(&self) -> Select {
        self.select
    }

    /// Whether a text of the person's own will do.
    pub fn other(&self) -> Other {
        self.other
    }

    /// A choice whose answers can be read back from their written form.
    pub(crate) fn new(options: Options, select: Select, other: Other, limits: &Limits) -> Result<Self, Refusal> {
        let choice = Self { options, select, other };
        if select == Select::One {
            return Ok(choice);
        }
        let values: Vec<&str> = choice.options.iter().map(ChoiceOption::value).collect();
        let parts: usize = values.iter().map(|value| value.matches(SEPARATOR).count() + 1).sum();
        let most = limits.multi_select_parts;
        Rule::Decodable.unless(parts <= most, || {
            let message = format!("the options have {parts} comma-separated parts together");
            (message, format!("at most {most} together, where several may be chosen"))
        })?;
        if parts == values.len() {
            return Ok(choice); // None has a comma of its own to be mistaken for another's.
        }
        let ambiguity = Joined::new(values.iter().copied()).ambiguity();
        Rule::Decodable.unless(ambiguity.is_none(), || {
            let named = ambiguity.map_or_else(String::new, |(left, right)| {
                format!(", beginning with {} and {}", quote(values[left]), quote(values[right]))
            });
            let message = format!("joined by \", \" the options can be read in two ways{named}");
            (
                message,
                "options that stay apart when joined: leave \", \" out of their values and put it in their labels",
            )
        })?;
        Ok(choice)
    }
}

impl Asked for Choice {
    const NAME: &'static str = "choice";
    const SUMMARY: &'static str =
        "One of the options, or several with `multiSelect`; with `other`, also a text of the person's own.";
    const WRITTEN: &'static str =
        "the option's value; several joined by `\", \"` in the order selected; Other's text as it is";
    const RULES: &'static [Rule] =
        &[Rule::Option, Rule::Repeat, Rule::Other, Rule::Blank, Rule::Length, Rule::Control, Rule::Answers];
    const FIELDS: &'static [&'static str] = &["options", "multiSelect", "other"];
    const REQUIRED: &'static [&'static str] = &["options"];
    const CONSENT: Consent = Consent::Absent;
    type Answer = Selections;

    fn read(fields: &mut Fields<'_, '_>) -> Option<Self> {
        let limits = fields.limits;
        // A flag that can't be read leaves open what the options and `initial` mean; the options are looked at all the same.
        let (many, other) = (fields.flag_or("multiSelect", false), fields.flag_or("other", false));
        let offered = if other == Some(true) { Other::Offered } else { Other::Absent };
        let options = Options::read(fields, limits.choice_options_min..=limits.options, offered);
        let select = if many? { Select::Many } else { Select::One };
        other?;
        Self::new(options?, select, offered, limits).map_err(|refusal| fields.refuse_field("options", refusal)).ok()
    }

    fn write(&self, object: Object) -> Object {
        object
            .put("options", self.options.to_json())
            .put("multiSelect", self.select == Select::Many)
            .put("other", self.other == Other::Offered)
    }

    fn properties(limits: &Limits) -> Value {
        json!({
            "options": Options::property(limits, limits.choice_options_min),
            "multiSelect": {"description": "Whether several may be chosen.", "type": "boolean", "default": false},
            "other": {"description": "Whether the person may write a text of their own instead.", "type": "boolean", "default": false},
        })
    }

    fn parse_answer(&self, input: &AnswerInput) -> Result<Selections, Refusal> {
        match input {
            AnswerInput::Response(text) => self.read_response(text),
            AnswerInput::Selections { selections, custom } => self.read_list(selections, custom.as_deref()),
        }
    }

    fn options(&self) -> Option<&Options> {
        Some(&self.options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::{OTHER_PLACEHOLDER, Written};
    use crate::limits::Imitations;

    fn choice(options: &[&str], select: Select, other: Other) -> Choice {
        let options = options.iter().map(|value| Some(ChoiceOption::new(value))).collect();
        Choice::new(Options::new(options, other, Imitations::Refused).unwrap(), select, other, &Limits::DEFAULT)
            .unwrap()
    }

    fn list(choice: &Choice, selections: &[&str], custom: Option<&str>) -> Result<Selections, Rule> {
        let selections: Vec<String> = selections.iter().map(|&text| text.to_owned()).collect();
        choice
            .parse_answer(&AnswerInput::Selections { selections, custom: custom.map(str::to_owned) })
            .map_err(|refusal| refusal.rule)
    }

    // F3
    #[test]
    fn a_choice_of_one_is_its_options_value() {
        let choice = choice(&["a, b", "c"], Select::One, Other::Absent);
        let answer = |text| choice.parse_answer(&AnswerInput::from(text)).map(|answer| answer.written());
        assert_eq!(answer("a, b"), Ok("a, b".to_owned()));
        assert_eq!(answer("a").unwrap_err().rule, Rule::Option);
    }

    // F4, F13
    #[test]
    fn others_text_stands_where_other_was_selected() {
        let choice = choice(&["a", "b"], Select::Many, Other::Offered);
        let written = |selections: &[&str], custom| list(&choice, selections, custom).map(|answer| answer.written());
        assert_eq!(written(&["b", OTHER_PLACEHOLDER, "a"], Some(" mine ")), Ok("b, mine, a".to_owned()));
        assert_eq!(written(&["b", "mine", "a"], Some("mine")), Ok("b, mine, a".to_owned()));
        assert_eq!(written(&["b", "a"], Some("mine")), Ok("b, a, mine".to_owned()));
        assert_eq!(
            written(&["b", OTHER_PLACEHOLDER], Some("a")),
            Ok("b, a".to_owned()),
            "text equal to an option is it"
        );
        assert_eq!(written(&[OTHER_PLACEHOLDER], None), Err(Rule::Other));
        assert_eq!(written(&["a", "a"], None), Err(Rule::Repeat));
        assert_eq!(written(&[], None), Err(Rule::Answers));
        assert_eq!(written(&["a"; 5], None), Err(Rule::Answers), "too many to be looked into");
    }

    // F11
    #[test]
    fn what_is_written_reads_as_itself() {
        let choice = choice(&["a", "b"], Select::Many, Other::Offered);
        let read = |text: &str| choice.parse_answer(&AnswerInput::from(text)).map_err(|refusal| refusal.rule);
        for text in [" a, x", "x, b ", "a,  b, x", " x ,  y ", "a, x"] {
            let answer = read(text).unwrap();
            assert_eq!(read(&answer.written()), Ok(answer), "{text:?}");
        }
        assert_eq!(read(" a, x").unwrap().selections(), ["a", "x"], "without the space that hid it");
        assert_eq!(read(" a,  a"), Err(Rule::Repeat));
        assert_eq!(list(&choice, &[OTHER_PLACEHOLDER], Some("a, a")), Err(Rule::Other), "alone it would be refused");
    }

    proptest::proptest! {
        // F11
        #[test]
        fn whatever_is_accepted_reads_back(
            options in proptest::sample::select(vec![vec!["a", "b"], vec!["a, b", "b"], vec!["a", "x, b", "b, a"]]),
            text in "[abx, ]{1,9}|[abx](,  ?[abx]){0,3}",
            selections in proptest::collection::vec("[abx]|__other__", 0..3),
        ) {
            let choice = choice(&options, Select::Many, Other::Offered);
            if let Ok(answer) = choice.parse_answer(&AnswerInput::from(&text)) {
                let again = choice.parse_answer(&AnswerInput::from(&answer.written()));
                proptest::prop_assert_eq!(again, Ok(answer));
            }
            if let Ok(answer) = choice.parse_answer(&AnswerInput::Selections { selections: selections.clone(), custom: Some(text.clone()) }) {
                let alone = choice.parse_answer(&AnswerInput::from(&answer.written()));
                proptest::prop_assert!(alone.is_ok(), "{:?}: {:?}", answer, alone);
            }
        }
    }

    // F11
    #[test]
    fn options_that_could_be_read_in_two_ways_are_refused() {
        let options = ["a", "b", "a, b"].map(|value| Some(ChoiceOption::new(value))).to_vec();
        let options = Options::new(options, Other::Absent, Imitations::Refused).unwrap();
        let refusal = Choice::new(options.clone(), Select::Many, Other::Absent, &Limits::DEFAULT).unwrap_err();
        assert!(refusal.message.ends_with("beginning with \"a\" and \"a, b\""), "{refusal}");
        assert!(
            Choice::new(options, Select::One, Other::Absent, &Limits::DEFAULT).is_ok(),
            "alone they are never joined"
        );
    }
}
