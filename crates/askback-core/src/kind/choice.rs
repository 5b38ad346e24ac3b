//! Choice (F3, F4, F11, F13): one option or several, and perhaps Other with a text of the person's own.

use super::Asked;
use super::text::check_free_text;
use crate::answer::{OTHER_PLACEHOLDER, RawAnswer, Written};
use crate::fields::Fields;
use crate::joined::{Joined, SEPARATOR, Stretch};
use crate::json::Object;
use crate::limits::{FREE_TEXT_LENGTH, Limits};
use crate::options::{ChoiceOption, Options};
use crate::problem::Refusal;
use crate::rule::Rule;
use crate::show::quote;
use crate::text::trim;
use serde_json::{Value, json};

/// A question that is answered by choosing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    options: Options,
    select: Select,
    other: bool,
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
    pub fn other(&self) -> bool {
        self.other
    }

    /// A choice whose answers can be read back from their written form.
    pub(crate) fn new(options: Options, select: Select, other: bool, limits: &Limits) -> Result<Self, Refusal> {
        let choice = Self { options, select, other };
        if select == Select::One {
            return Ok(choice);
        }
        let values: Vec<&str> = choice.options.iter().map(ChoiceOption::value).collect();
        let joined = Joined::new(values.iter().copied());
        let most = limits.multi_select_parts;
        Rule::Decodable.unless(joined.size() <= most, || {
            let message = format!("the options have {} comma-separated parts together", joined.size());
            (message, format!("at most {most} where several may be chosen; or ask with a dropdown"))
        })?;
        let ambiguity = joined.ambiguity();
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

    /// From the written form.
    fn read_response(&self, text: &str) -> Result<Vec<Selection>, Refusal> {
        if self.select == Select::One {
            return Ok(vec![self.read_item(text)?]);
        }
        let joined = Joined::new(self.options.iter().map(ChoiceOption::value));
        // Each option once, and a longest Other made of nothing but separators.
        let most_parts = joined.size() + FREE_TEXT_LENGTH / SEPARATOR.len() + 1;
        let parts = text.matches(SEPARATOR).count() + 1;
        Rule::Length.unless(parts <= most_parts, || {
            (format!("{parts} comma-separated parts are too many"), format!("at most {most_parts}"))
        })?;
        let Some(stretches) = joined.read(text, self.other) else {
            let message = format!("{} is not made of options", quote(text));
            return Err(Refusal::new(
                Rule::Option,
                message,
                format!("values joined by \", \", each {}", self.options.describe()),
            ));
        };
        let values: Vec<&str> = self.options.iter().map(ChoiceOption::value).collect();
        stretches
            .into_iter()
            .map(|stretch| match stretch {
                Stretch::Option(index) => self.read_item(values[index]),
                Stretch::Other(text) => self.read_item(&text),
            })
            .collect()
    }

    /// From a list, with Other's text inside it or beside it.
    fn read_list(&self, selections: &[String], custom: Option<&str>) -> Result<Vec<Selection>, Refusal> {
        let custom = custom.filter(|custom| !custom.is_empty());
        let mut placed = false;
        let mut items = Vec::with_capacity(selections.len() + 1);
        for selection in selections {
            let stands_for_custom =
                selection == OTHER_PLACEHOLDER || custom.is_some_and(|custom| trim(custom) == trim(selection));
            match custom {
                Some(custom) if stands_for_custom && self.options.find(selection).is_none() => {
                    items.push(self.read_other(custom)?);
                    placed = true;
                }
                _ => items.push(self.read_item(selection)?),
            }
        }
        if let Some(custom) = custom.filter(|_| !placed) {
            items.push(self.read_other(custom)?);
        }
        Ok(items)
    }

    /// One selection: an option, else Other's text where the question has Other.
    fn read_item(&self, text: &str) -> Result<Selection, Refusal> {
        if self.other && self.options.find(text).is_none() {
            return self.read_other(text);
        }
        self.options.choose(text).map(|option| Selection::Option(option.value().to_owned()))
    }

    fn read_other(&self, text: &str) -> Result<Selection, Refusal> {
        Rule::Other.unless(self.other, || {
            (format!("the text {} comes with a question that has no Other", quote(text)), self.options.describe())
        })?;
        let text = trim(text);
        // Text equal to an option is that option.
        if self.options.find(text).is_some() {
            return self.options.choose(text).map(|option| Selection::Option(option.value().to_owned()));
        }
        Rule::Other
            .unless(text != OTHER_PLACEHOLDER, || ("Other was selected without its text", "a text of your own"))?;
        check_free_text(text, FREE_TEXT_LENGTH, &[])?;
        Ok(Selection::Other(text.to_owned()))
    }

    fn check(&self, items: &[Selection]) -> Result<(), Refusal> {
        let enough = match self.select {
            Select::One => items.len() == 1,
            Select::Many => !items.is_empty(),
        };
        Rule::Answers.unless(enough, || {
            let expected = if self.select == Select::One { "exactly one" } else { "at least one" };
            (format!("{} selections", items.len()), expected)
        })?;
        let mut seen = std::collections::HashSet::new();
        let repeated = items.iter().find(|item| !seen.insert(item.text()));
        Rule::Repeat.unless(repeated.is_none(), || {
            let text = repeated.map_or("", Selection::text);
            (format!("{} is selected twice", quote(text)), "each option at most once")
        })?;
        let others = items.iter().filter(|item| matches!(item, Selection::Other(_))).count();
        Rule::Other.unless(others <= 1, || {
            (
                format!("{others} selections are no options"),
                format!("one text of your own at most, and otherwise {}", self.options.describe()),
            )
        })
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
    const REQUIRED: &'static [&'static str] = &["options"];
    type Answer = Selections;

    fn read(fields: &mut Fields<'_, '_>) -> Option<Self> {
        let limits = fields.limits;
        let select = if fields.flag("multiSelect").unwrap_or(false) { Select::Many } else { Select::One };
        let other = fields.flag("other").unwrap_or(false);
        let options = Options::read(fields, limits.choice_options_min..=limits.options, other)?;
        match Self::new(options, select, other, limits) {
            Ok(choice) => Some(choice),
            Err(refusal) => {
                fields.refuse_field("options", refusal);
                None
            }
        }
    }

    fn write(&self, object: Object) -> Object {
        object
            .put("options", self.options.to_json())
            .put("multiSelect", self.select == Select::Many)
            .put("other", self.other)
    }

    fn properties(limits: &Limits) -> Value {
        json!({
            "options": Options::property(limits, limits.choice_options_min),
            "multiSelect": {"description": "Whether several may be chosen.", "type": "boolean", "default": false},
            "other": {"description": "Whether the person may write a text of their own instead.", "type": "boolean", "default": false},
        })
    }

    fn parse_answer(&self, raw: RawAnswer<'_>) -> Result<Selections, Refusal> {
        let items = match raw {
            RawAnswer::Response(text) => self.read_response(text)?,
            RawAnswer::Selections { selections, custom } => self.read_list(selections, custom)?,
        };
        self.check(&items)?;
        Ok(Selections { items })
    }
}

/// What was chosen, in the order selected; never empty, nothing twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selections {
    items: Vec<Selection>,
}

/// One thing that was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selection {
    /// An option, by its value.
    Option(String),
    /// Other, by the person's text.
    Other(String),
}

impl Selection {
    /// The option's value or Other's text.
    pub fn text(&self) -> &str {
        match self {
            Self::Option(text) | Self::Other(text) => text,
        }
    }
}

impl Selections {
    /// The selections in the order they were made.
    pub fn iter(&self) -> std::slice::Iter<'_, Selection> {
        self.items.iter()
    }
}

impl Written for Selections {
    fn written(&self) -> String {
        self.selections().join(SEPARATOR)
    }

    fn selections(&self) -> Vec<&str> {
        self.items.iter().map(Selection::text).collect()
    }

    fn custom(&self) -> Option<&str> {
        self.items.iter().find_map(|item| match item {
            Selection::Other(text) => Some(text.as_str()),
            Selection::Option(_) => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(options: &[&str], select: Select, other: bool) -> Choice {
        let options = options.iter().map(|value| ChoiceOption::new(value)).collect();
        Choice::new(Options::new(options, other).unwrap(), select, other, &Limits::DEFAULT).unwrap()
    }

    fn list(choice: &Choice, selections: &[&str], custom: Option<&str>) -> Result<Selections, Rule> {
        let selections: Vec<String> = selections.iter().map(|&text| text.to_owned()).collect();
        choice.parse_answer(RawAnswer::Selections { selections: &selections, custom }).map_err(|refusal| refusal.rule)
    }

    // F3
    #[test]
    fn a_choice_of_one_is_its_options_value() {
        let choice = choice(&["a, b", "c"], Select::One, false);
        let answer = |text| choice.parse_answer(RawAnswer::Response(text)).map(|answer| answer.written());
        assert_eq!(answer("a, b"), Ok("a, b".to_owned()));
        assert_eq!(answer("a").unwrap_err().rule, Rule::Option);
    }

    // F4, F13
    #[test]
    fn others_text_stands_where_other_was_selected() {
        let choice = choice(&["a", "b"], Select::Many, true);
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
    }

    // F11
    #[test]
    fn options_that_could_be_read_in_two_ways_are_refused() {
        let options = ["a", "b", "a, b"].map(ChoiceOption::new).to_vec();
        let options = Options::new(options, false).unwrap();
        let refusal = Choice::new(options.clone(), Select::Many, false, &Limits::DEFAULT).unwrap_err();
        assert!(refusal.message.ends_with("beginning with \"a\" and \"a, b\""), "{refusal}");
        assert!(Choice::new(options, Select::One, false, &Limits::DEFAULT).is_ok(), "alone they are never joined");
    }
}
