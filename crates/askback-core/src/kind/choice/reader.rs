//! Reads the answers to a choice: from a list, or from the written form alone.

use super::{Choice, Select};
use crate::answer::{OTHER_PLACEHOLDER, Written};
use crate::free_text::check_free_text;
use crate::joined::{Joined, SEPARATOR, Stretch};
use crate::limits::FREE_TEXT_LENGTH;
use crate::options::{ChoiceOption, Other};
use crate::problem::Refusal;
use crate::rule::Rule;
use crate::show::quote;
use crate::text::trim;
use std::collections::HashSet;

/// How often an answer is read again because trimming changed it; each round removes a space beside a comma.
const ROUNDS: usize = 16;

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

impl Choice {
    /// From the written form.
    pub(super) fn read_response(&self, text: &str) -> Result<Selections, Refusal> {
        if self.select == Select::One {
            return self.check(vec![self.read_item(text)?]);
        }
        // Trimming Other's text may bring an option to light, and what is written must read as itself.
        let mut text = text.to_owned();
        for _ in 0..ROUNDS {
            let selections = self.read_joined(&text)?;
            let written = selections.written();
            if written == text {
                return Ok(selections);
            }
            text = written;
        }
        let message = format!("{} has stray spaces around commas", quote(&text));
        Err(Refusal::new(Rule::Other, message, "values joined by \", \" and nothing else"))
    }

    /// From a list, with Other's text inside it or beside it.
    pub(super) fn read_list(&self, selections: &[String], custom: Option<&str>) -> Result<Selections, Refusal> {
        self.check_count(selections.len())?;
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
        let selections = self.check(items)?;
        self.check_written(&selections)?;
        Ok(selections)
    }

    /// A choice of many, from what joining gave.
    fn read_joined(&self, text: &str) -> Result<Selections, Refusal> {
        let joined = Joined::new(self.options.iter().map(ChoiceOption::value));
        // Each option once, and a longest Other made of nothing but separators.
        let most_parts = joined.size() + FREE_TEXT_LENGTH / SEPARATOR.len() + 1;
        let parts = text.matches(SEPARATOR).count() + 1;
        Rule::Length.unless(parts <= most_parts, || {
            (format!("{parts} comma-separated parts are too many"), format!("at most {most_parts}"))
        })?;
        let Some(stretches) = joined.read(text, self.other) else {
            let message = format!("{} is not made of options", quote(text));
            let expected = format!("values joined by \", \", each {}", self.options.describe());
            return Err(Refusal::new(Rule::Option, message, expected));
        };
        let values: Vec<&str> = self.options.iter().map(ChoiceOption::value).collect();
        let items = stretches.into_iter().map(|stretch| match stretch {
            Stretch::Option(index) => self.read_item(values[index]),
            Stretch::Other(text) => self.read_item(&text),
        });
        self.check(items.collect::<Result<_, _>>()?)
    }

    /// One selection: an option, else Other's text where the question has Other.
    fn read_item(&self, text: &str) -> Result<Selection, Refusal> {
        if self.other == Other::Offered && self.options.find(text).is_none() {
            return self.read_other(text);
        }
        self.options.choose(text).map(|option| Selection::Option(option.value().to_owned()))
    }

    fn read_other(&self, text: &str) -> Result<Selection, Refusal> {
        Rule::Other.unless(self.other == Other::Offered, || {
            (format!("the text {} comes with a question that has no Other", quote(text)), self.options.describe())
        })?;
        let text = trim(text);
        // Text equal to an option is that option.
        if self.options.find(text).is_some() {
            return self.read_item(text);
        }
        Rule::Other
            .unless(text != OTHER_PLACEHOLDER, || ("Other was selected without its text", "a text of your own"))?;
        check_free_text(text, FREE_TEXT_LENGTH, &[])?;
        Ok(Selection::Other(text.to_owned()))
    }

    /// More selections than could pass are not looked into, so that work stays bounded.
    fn check_count(&self, count: usize) -> Result<(), Refusal> {
        let (most, expected) = match self.select {
            Select::One => (1, "exactly one".to_owned()),
            Select::Many => (self.options.len() + 1, format!("at most {}, each once", self.options.len() + 1)),
        };
        Rule::Answers.unless(count <= most, || (format!("{count} selections are too many"), expected))
    }

    /// Enough of them, none twice, and Other at most once.
    fn check(&self, items: Vec<Selection>) -> Result<Selections, Refusal> {
        let enough = match self.select {
            Select::One => items.len() == 1,
            Select::Many => !items.is_empty(),
        };
        Rule::Answers.unless(enough, || {
            let expected = if self.select == Select::One { "exactly one" } else { "at least one" };
            (format!("{} selections", items.len()), expected)
        })?;
        let mut seen = HashSet::new();
        let repeated = items.iter().find(|item| !seen.insert(item.text()));
        Rule::Repeat.unless(repeated.is_none(), || {
            let text = repeated.map_or("", Selection::text);
            (format!("{} is selected twice", quote(text)), "each option at most once")
        })?;
        let others = items.iter().filter(|item| matches!(item, Selection::Other(_))).count();
        Rule::Other.unless(others <= 1, || {
            let expected = format!("one text of your own at most, and otherwise {}", self.options.describe());
            (format!("{others} selections are no options"), expected)
        })?;
        Ok(Selections { items })
    }

    /// What a list says must also pass as the string that stands for it, though it may read differently there.
    fn check_written(&self, selections: &Selections) -> Result<(), Refusal> {
        let refusal = match selections.custom() {
            Some(_) if self.select == Select::Many => self.read_response(&selections.written()).err(),
            _ => None,
        };
        Rule::Other.unless(refusal.is_none(), || {
            let why = refusal.map_or_else(String::new, |refusal| refusal.message);
            (format!("joined with the other selections, Other's text reads as options, and {why}"), "another text")
        })
    }
}
