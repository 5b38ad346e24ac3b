//! The commands that ask: one for each kind of question, and one for whole requests.

use crate::ask;
use crate::duration::seconds;
use crate::error::CliError;
use crate::exit::Exit;
use crate::hub_args::HubArgs;
use crate::style::MannerArgs;
use crate::subcommand::{Subcommand, help};
use askback_core::Object;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

const STATUS: &str = "Exit status: 0 answered, or the declared default was used · 1 declined · 2 the request or the usage \
                      is wrong · 69 nobody can be asked · 124 expired · 130 cancelled";
const CONFIRM_STATUS: &str = "Exit status: 0 yes · 1 no, or declined · 2 the request or the usage is wrong · 69 nobody can \
                              be asked · 124 expired · 130 cancelled";

/// What every command that asks takes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Asking")]
pub(crate) struct CommonArgs {
    /// Print the whole outcome as JSON instead of the answer
    #[arg(long)]
    pub(crate) json: bool,

    /// Stop waiting after this long: 90, 45s, 10m, 1h30m
    #[arg(long, value_name = "DURATION", value_parser = seconds)]
    pub(crate) timeout: Option<u32>,

    /// The answer to use when time runs out; one for each question, in order
    #[arg(long = "default", value_name = "ANSWER", requires = "timeout", allow_hyphen_values = true)]
    pub(crate) defaults: Vec<String>,

    /// A file that the person should see, whole, above the question; - reads standard input
    #[arg(long = "context", value_name = "FILE")]
    pub(crate) contexts: Vec<PathBuf>,

    /// Take the answers from a JSON file instead of a person: {"<question's id or text>": "answer", …}
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) manner: MannerArgs,

    /// Where to ask. Unless given: at the terminal, and also on the hub if one runs, where the first answer counts; without a
    /// terminal on the hub, which is started if need be
    #[arg(long, value_enum)]
    pub(crate) via: Option<Via>,

    /// The room the request belongs to; that of the folder unless given
    #[arg(long)]
    pub(crate) room: Option<String>,

    /// An idempotency key: on the hub, asking again with it is the same request
    #[arg(long)]
    pub(crate) key: Option<String>,

    #[command(flatten)]
    pub(crate) hub: HubArgs,
}

/// Where a person can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Via {
    /// At the terminal this command runs in
    Terminal,
    /// On the hub
    Hub,
}

/// What every command for a single question takes besides.
#[derive(Debug, Args)]
pub(crate) struct QuestionArgs {
    /// What to ask
    pub(crate) message: String,

    /// A short label for the question
    #[arg(long)]
    pub(crate) header: Option<String>,
}

impl QuestionArgs {
    fn question(&self, kind: &str) -> Object {
        Object::new().put("type", kind).put("message", self.message.as_str()).put_some("header", self.header.as_deref())
    }
}

/// Ask for approval: a is typed to approve, r to reject, and Enter confirms
#[derive(Debug, Args)]
#[command(after_help = help(STATUS, "askback approve \"Delete 3 files?\" --labels Delete Keep"))]
pub(crate) struct ApproveArgs {
    #[command(flatten)]
    pub(crate) question: QuestionArgs,

    /// What approving and rejecting are called
    #[arg(long, num_args = 2, value_names = ["APPROVE", "REJECT"])]
    pub(crate) labels: Vec<String>,

    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

impl Subcommand for ApproveArgs {
    fn run(&self) -> Result<Exit, CliError> {
        let labels: Vec<&str> = self.labels.iter().map(String::as_str).collect();
        let labels = (!labels.is_empty()).then_some(labels);
        ask::single(self.question.question("approval").put_some("labels", labels), &self.common)
    }
}

/// Ask for yes or no: y or n is typed, and Enter confirms
#[derive(Debug, Args)]
#[command(after_help = help(CONFIRM_STATUS, "askback confirm \"Deploy?\" && ./deploy"))]
pub(crate) struct ConfirmArgs {
    #[command(flatten)]
    pub(crate) question: QuestionArgs,

    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

impl Subcommand for ConfirmArgs {
    fn run(&self) -> Result<Exit, CliError> {
        ask::single(self.question.question("confirm"), &self.common)
    }
}

/// Ask for one of several options, or for several of them
///
/// Options are arguments or, if there are none, lines of standard input.
#[derive(Debug, Args)]
#[command(after_help = help(STATUS, "askback choice \"Which database?\" PostgreSQL SQLite --other"))]
pub(crate) struct ChoiceArgs {
    #[command(flatten)]
    pub(crate) question: QuestionArgs,

    /// What can be chosen
    #[arg(value_name = "OPTION")]
    pub(crate) options: Vec<String>,

    /// Let several be chosen; the answer joins them by ", "
    #[arg(long)]
    pub(crate) multi: bool,

    /// Also take a text of the person's own
    #[arg(long)]
    pub(crate) other: bool,

    /// What is chosen at first
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) initial: Option<String>,

    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

impl Subcommand for ChoiceArgs {
    fn run(&self) -> Result<Exit, CliError> {
        let question = self
            .question
            .question("choice")
            .put("multiSelect", self.multi)
            .put("other", self.other)
            .put_some("initial", filled_in(&self.initial));
        ask::with_options(question, &self.options, &self.common)
    }
}

/// Ask for one of any number of options, found by typing some of its letters
///
/// Options are arguments or, if there are none, lines of standard input.
#[derive(Debug, Args)]
#[command(after_help = help(STATUS, "ls | askback dropdown \"Which file?\""))]
pub(crate) struct DropdownArgs {
    #[command(flatten)]
    pub(crate) question: QuestionArgs,

    /// What can be chosen
    #[arg(value_name = "OPTION")]
    pub(crate) options: Vec<String>,

    /// What is in focus at first
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) initial: Option<String>,

    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

impl Subcommand for DropdownArgs {
    fn run(&self) -> Result<Exit, CliError> {
        let question = self.question.question("dropdown").put_some("initial", filled_in(&self.initial));
        ask::with_options(question, &self.options, &self.common)
    }
}

/// What is filled in at first; what a script has not got yet is nothing.
fn filled_in(initial: &Option<String>) -> Option<&str> {
    initial.as_deref().filter(|initial| !initial.is_empty())
}

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

    fn ask(&self, question: Object) -> Result<Exit, CliError> {
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
    fn run(&self) -> Result<Exit, CliError> {
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
    fn run(&self) -> Result<Exit, CliError> {
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
    fn run(&self) -> Result<Exit, CliError> {
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
    fn run(&self) -> Result<Exit, CliError> {
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
    fn run(&self) -> Result<Exit, CliError> {
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
    fn run(&self) -> Result<Exit, CliError> {
        let ends = Object::new().put_some("low", self.low.as_deref()).put_some("high", self.high.as_deref());
        let ends = (self.low.is_some() || self.high.is_some()).then_some(ends);
        let question = self.typed.question("rating").put("style", self.style.as_str()).put_some("ends", ends);
        self.typed.ask(question.put_some("min", self.min.map(f64::from)).put_some("max", self.max.map(f64::from)))
    }
}

/// Ask a whole request: a form, with what there is to look at
///
/// Prints one answer for each question, each on a line of its own; --json prints the outcome.
#[derive(Debug, Args)]
#[command(after_help = help(STATUS, "askback ask request.json --json"))]
pub(crate) struct AskArgs {
    /// A file with a request in any of its shapes; - reads standard input
    pub(crate) request: PathBuf,

    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

impl Subcommand for AskArgs {
    fn run(&self) -> Result<Exit, CliError> {
        ask::file(self)
    }
}

fn whole(text: &str) -> Result<i32, &'static str> {
    text.parse().map_err(|_| "expected a whole number such as 5")
}

/// A number that JSON has.
fn finite(text: &str) -> Result<f64, &'static str> {
    text.parse().ok().filter(|number: &f64| number.is_finite()).ok_or("expected a number such as 0.5")
}
