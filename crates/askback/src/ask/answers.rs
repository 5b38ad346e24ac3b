//! `--answers`: scripted answers, found by a question's id or text.

use crate::error::CliError;
use crate::exit::Exit;
use crate::report::Report;
use crate::source;
use askback_core::show::quote;
use askback_core::{AnswerInput, Json, Limits, Path, Problems, Request, Resolution};
use askback_term::Caps;

/// The resolution of a script, unless it is wrong or lacks an answer.
pub(super) fn take(request: &Request, path: &std::path::Path, caps: Caps) -> Result<Resolution, CliError> {
    let (name, source) = source::read(path)?;
    let script = match Json::parse(&source, &Limits::DEFAULT) {
        Ok(script @ Json::Object(_)) => script,
        Ok(_) => {
            return Err(CliError::Wrong(format!("{name} is not an object: write {{\"<question>\": \"answer\", …}}")));
        }
        Err(problems) => {
            Report::for_terminal(caps).source(&name, &source, &problems, "a file of answers")?;
            return Err(CliError::Ended(Exit::Wrong));
        }
    };
    resolve(request, &script).map_err(|unscripted| match unscripted {
        Unscripted::Missing(why) => CliError::Nobody(format!("{name} {why}")),
        Unscripted::NoText(asked) => {
            CliError::Wrong(format!("{name}: the answer to {asked} is neither a text nor a list of texts"))
        }
        Unscripted::Refused(problems) => match Report::for_terminal(caps).answers(request.questions(), &problems) {
            Ok(()) => CliError::Ended(Exit::Wrong),
            Err(error) => error.into(),
        },
    })
}

/// Why a script does not answer a request.
pub(crate) enum Unscripted {
    /// It has no answer to a question.
    Missing(String),
    /// An answer is no text and no list of texts.
    NoText(String),
    /// The answers don't pass.
    Refused(Problems),
}

/// What a script says to a request.
pub(crate) fn resolve(request: &Request, script: &Json) -> Result<Resolution, Unscripted> {
    let mut inputs = Vec::new();
    for question in request.questions() {
        match script.get(question.id()).or_else(|| script.get(question.message())) {
            Some(Json::String(text)) => inputs.push(AnswerInput::from(text)),
            Some(Json::Array(items)) if items.iter().all(|item| item.as_str().is_some()) => {
                let selections = items.iter().filter_map(Json::as_str).map(str::to_owned).collect();
                inputs.push(AnswerInput::Selections { selections, custom: None });
            }
            Some(_) => return Err(Unscripted::NoText(quote(question.message()))),
            None => {
                let (asked, id) = (quote(question.message()), question.id());
                return Err(Unscripted::Missing(format!("has no answer to {asked} (id {id:?})")));
            }
        }
    }
    let answers = request.parse_answers(&inputs, &Path::root().field("answers"));
    answers.map(Resolution::from_answers).map_err(Unscripted::Refused)
}
