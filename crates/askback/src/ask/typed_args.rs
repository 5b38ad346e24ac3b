//! The commands that ask for something typed: text, a number, an address, a day, a place on a scale.

use super::question_args::{CommonArgs, QuestionArgs, STATUS, filled_in};
use crate::ask;
use crate::cli::{Subcommand, help};
use crate::exit::{Exit, Failure};
use askback_core::Object;
use clap::Args;

/// What every command for something typed takes besides.
#[derive(Debug, Args)]
pub(crate) struct TypedArgs {
    #[command(flatten)]
    question: QuestionArgs,

    /// What the empty field shows
    #[arg(long)]
    placeholder: Option<String>,

    /// What is filled in at first
    #[arg(long, allow_hyphen_values = true)]
    initial: Option<String>,

    #[command(flatten)]
    common: CommonArgs,
}

impl TypedArgs {
    fn question(&self, kind: &str) -> Object {
        self.question
            .question(kind)
            .put_some("placeholder", self.placeholder.as_deref())
            .put_some("initial", filled_in(&self.initial))
    }

    fn ask(&self, question: Object) -> Result<Exit, Failure> {
        ask::single(question, &self.common)
    }
}

/// Ask for a line of text
#[derive(Debug, Args)]
#[command(after_help = help(STATUS, "askback text \"Commit message?\""))]
pub(crate) struct TextArgs {
    /// The most characters the answer may have
    #[arg(long, value_name = "COUNT")]
    max_length: Option<u32>,

    #[command(flatten)]
    typed: TypedArgs,
}

impl Subcommand for TextArgs {
    fn run(&self) -> Result<Exit, Failure> {
        self.typed.ask(self.typed.question("text").put_some("maxLength", self.max_length))
    }
}

/// Ask for a text of many lines: Enter begins a line, Alt+Enter or Ctrl+S submits
#[derive(Debug, Args)]
#[command(after_help = help(STATUS, "askback multiline \"Release notes?\""))]
pub(crate) struct MultilineArgs {
    /// The most characters the answer may have
    #[arg(long, value_name = "COUNT")]
    max_length: Option<u32>,

    #[command(flatten)]
    typed: TypedArgs,
}

impl Subcommand for MultilineArgs {
    fn run(&self) -> Result<Exit, Failure> {
        self.typed.ask(self.typed.question("multiline").put_some("maxLength", self.max_length))
    }
}

/// Ask for a number: typed, or reached by its steps with the arrows
#[derive(Debug, Args)]
#[command(after_help = help(STATUS, "askback number \"Port?\" --min 1 --max 65535 --integer"))]
pub(crate) struct NumberArgs {
    /// The smallest number that passes
    #[arg(long, value_name = "NUMBER", value_parser = finite, allow_hyphen_values = true)]
    min: Option<f64>,

    /// The largest number that passes
    #[arg(long, value_name = "NUMBER", value_parser = finite, allow_hyphen_values = true)]
    max: Option<f64>,

    /// The distance between numbers that pass, counted from the smallest, else from 0
    #[arg(long, value_name = "NUMBER", value_parser = finite, allow_hyphen_values = true)]
    step: Option<f64>,

    /// Take only whole numbers
    #[arg(long)]
    integer: bool,

    #[command(flatten)]
    typed: TypedArgs,
}

impl Subcommand for NumberArgs {
    fn run(&self) -> Result<Exit, Failure> {
        let question = self.typed.question("number").put_some("min", self.min).put_some("max", self.max);
        self.typed.ask(question.put_some("step", self.step).put("integer", self.integer))
    }
}

/// Ask for an email address
#[derive(Debug, Args)]
#[command(after_help = help(STATUS, "askback email \"Reviewer?\" --domain company.com"))]
pub(crate) struct EmailArgs {
    /// The only domain that passes, without @
    #[arg(long)]
    domain: Option<String>,

    #[command(flatten)]
    typed: TypedArgs,
}

impl Subcommand for EmailArgs {
    fn run(&self) -> Result<Exit, Failure> {
        self.typed.ask(self.typed.question("email").put_some("domain", self.domain.as_deref()))
    }
}

/// Ask for a day: typed as YYYY-MM-DD, or moved by year, month and day with the arrows
#[derive(Debug, Args)]
#[command(after_help = help(STATUS, "askback date \"Ship on?\" --min 2026-01-01"))]
pub(crate) struct DateArgs {
    /// The first day that passes
    #[arg(long, value_name = "DAY", allow_hyphen_values = true)]
    min: Option<String>,

    /// The last day that passes
    #[arg(long, value_name = "DAY", allow_hyphen_values = true)]
    max: Option<String>,

    #[command(flatten)]
    typed: TypedArgs,
}

impl Subcommand for DateArgs {
    fn run(&self) -> Result<Exit, Failure> {
        let question = self.typed.question("date");
        self.typed.ask(question.put_some("min", self.min.as_deref()).put_some("max", self.max.as_deref()))
    }
}

/// Ask for a place on a scale: stars, numbers or faces
#[derive(Debug, Args)]
#[command(after_help = help(STATUS, "askback rating \"How was it?\" --style stars"))]
pub(crate) struct RatingArgs {
    /// The lowest place; 1 if not given
    #[arg(long, value_name = "NUMBER", value_parser = whole, allow_hyphen_values = true)]
    min: Option<i32>,

    /// The highest place, at most 20 above the lowest; 5 if not given
    #[arg(long, value_name = "NUMBER", value_parser = whole, allow_hyphen_values = true)]
    max: Option<i32>,

    /// How the scale looks
    #[arg(long, value_parser = ["stars", "numbers", "emoji"], default_value = "stars")]
    style: String,

    /// What stands at the low end
    #[arg(long, value_name = "LABEL")]
    low: Option<String>,

    /// What stands at the high end
    #[arg(long, value_name = "LABEL")]
    high: Option<String>,

    #[command(flatten)]
    typed: TypedArgs,
}

impl Subcommand for RatingArgs {
    fn run(&self) -> Result<Exit, Failure> {
        let ends = Object::new().put_some("low", self.low.as_deref()).put_some("high", self.high.as_deref());
        let ends = (self.low.is_some() || self.high.is_some()).then_some(ends);
        let question = self.typed.question("rating").put("style", self.style.as_str()).put_some("ends", ends);
        self.typed.ask(question.put_some("min", self.min.map(f64::from)).put_some("max", self.max.map(f64::from)))
    }
}

fn whole(text: &str) -> Result<i32, &'static str> {
    text.parse().map_err(|_| "expected a whole number such as 5")
}

/// A number that JSON has.
fn finite(text: &str) -> Result<f64, &'static str> {
    text.parse().ok().filter(|number: &f64| number.is_finite()).ok_or("expected a number such as 0.5")
}
