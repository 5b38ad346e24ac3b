//! `askback check`: is this request valid, and would these answers pass?

use crate::ask::output;
use crate::console::print;
use crate::error::CliError;
use crate::exit::Exit;
use crate::report::Report;
use crate::source;
use crate::subcommand::Subcommand;
use askback_api::ProblemItem;
use askback_core::show::{quote, show_json};
use askback_core::{AnswerInput, AnswerJson, Answers, Json, Limits, Path, Problems, Request};
use clap::Args;
use serde::Serialize;
use std::io;
use std::path::PathBuf;

/// Say whether a request is valid, and whether answers would pass
///
/// Prints the request in full (its canonical form), or with --response the written form of each answer. What is
/// wrong is reported on standard error with its place, the rule it breaks and what would pass.
#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 valid · 1 an answer would not pass · 2 the request or the usage is wrong\n\n\
                        For example: askback check request.json")]
pub(crate) struct CheckArgs {
    /// A file with a request in any of its shapes; - reads standard input
    request: PathBuf,

    /// An answer in its written form; one for each question, in order
    #[arg(long = "response", short, value_name = "ANSWER", allow_hyphen_values = true)]
    responses: Vec<String>,

    /// Print the verdict, what was checked and what is wrong as one JSON object
    #[arg(long)]
    json: bool,
}

impl Subcommand for CheckArgs {
    fn run(&self) -> Result<Exit, CliError> {
        let (name, source) = source::read(&self.request)?;
        let (exit, said) = check(self, &name, &source, &Limits::DEFAULT);
        match said {
            // Whoever read our output has seen enough; the verdict stands.
            Err(CliError::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(exit),
            said => said.map(|()| exit),
        }
    }
}

/// The verdict, and whether it could be printed.
fn check(arguments: &CheckArgs, name: &str, source: &[u8], limits: &Limits) -> (Exit, Result<(), CliError>) {
    let request = match Request::parse(source, limits) {
        Ok(request) => request,
        Err(problems) if arguments.json => return (Exit::Wrong, print_json(None, None, Some(&problems))),
        Err(problems) => {
            let said = Report::to_stderr().source(name, source, &problems, "a valid request");
            return (Exit::Wrong, said.map_err(CliError::Io));
        }
    };
    match check_answers(&request, &arguments.responses) {
        Ok(answers) if arguments.json => (Exit::Done, print_json(Some(&request), answers.as_ref(), None)),
        Ok(None) => (Exit::Done, print_request(name, &request)),
        Ok(Some(answers)) => (Exit::Done, print_answers(&request, &answers)),
        Err(problems) if arguments.json => (Exit::Refused, print_json(Some(&request), None, Some(&problems))),
        Err(problems) => {
            let said = Report::to_stderr().answers(request.questions(), &problems);
            (Exit::Refused, said.map_err(CliError::Io))
        }
    }
}

fn check_answers(request: &Request, responses: &[String]) -> Result<Option<Answers>, Problems> {
    if responses.is_empty() {
        return Ok(None);
    }
    let inputs: Vec<AnswerInput> = responses.iter().map(AnswerInput::from).collect();
    request.parse_answers(&inputs, &Path::root().field("responses")).map(Some)
}

/// The canonical form, and for people that it is valid.
fn print_request(name: &str, request: &Request) -> Result<(), CliError> {
    let count = request.questions().len();
    let questions = if count == 1 { "1 question".to_owned() } else { format!("{count} questions") };
    Report::to_stderr().note(&format!("{name} is a valid request with {questions}; in full it is"))?;
    print(&show_json(&request.to_json().to_pretty())).map(drop)
}

/// Prints the written form of each answer.
fn print_answers(request: &Request, answers: &Answers) -> Result<(), CliError> {
    output::print_answers(answers)?;
    // An answer that is no option may be a slip of the pen, and passes all the same.
    for (index, (question, answer)) in request.questions().iter().zip(answers.iter()).enumerate() {
        if let Some(custom) = answer.custom() {
            let (message, custom) = (quote(question.message()), quote(custom));
            Report::to_stderr()
                .note(&format!("response {} to {message}: {custom} is Other's text, not an option", index + 1))?;
        }
    }
    Ok(())
}

fn print_json(
    request: Option<&Request>,
    answers: Option<&Answers>,
    problems: Option<&Problems>,
) -> Result<(), CliError> {
    let answers = request.zip(answers).map(|(request, answers)| {
        let pairs = request.questions().iter().zip(answers.iter());
        pairs.map(|(question, answer)| AnswerJson::new(question, answer)).collect()
    });
    let verdict = Verdict {
        valid: problems.is_none(),
        request: request.map(Request::to_json),
        answers,
        errors: problems.into_iter().flatten().map(ProblemItem::from).collect(),
        more_errors: problems.map_or(0, Problems::more),
    };
    let text = serde_json::to_string(&verdict).expect("texts as keys can always be written");
    print(&show_json(&text)).map(drop)
}

/// The output of `--json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Verdict {
    valid: bool,
    request: Option<Json>,
    answers: Option<Vec<AnswerJson>>,
    errors: Vec<ProblemItem>,
    more_errors: usize,
}
