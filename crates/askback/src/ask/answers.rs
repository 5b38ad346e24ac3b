//! `--answers`: scripted answers, found by a question's id or text.

use crate::exit::Exit;
use crate::report::Report;
use crate::source;
use askback_core::show::quote;
use askback_core::{Json, Limits, Path, Problems, Question, RawAnswer, Request, Resolution};
use askback_term::Caps;
use std::io::{self, Write};

/// What a script says to one question.
enum Scripted<'j> {
    Response(&'j str),
    Selections(Vec<String>),
}

/// The resolution of a script, or why there is none: an exit status, after saying what is wrong.
pub(super) fn take(request: &Request, path: &std::path::Path, caps: Caps) -> io::Result<Result<Resolution, Exit>> {
    let (name, source) = source::read(path)?;
    let script = match Json::parse(&source, &Limits::DEFAULT) {
        Ok(script @ Json::Object(_)) => script,
        Ok(_) => {
            return Err(io::Error::other(format!("{name} is not an object: write {{\"<question>\": \"answer\", …}}")));
        }
        Err(problems) => {
            Report::for_terminal(caps).source(&name, &source, &problems, "a file of answers")?;
            return Ok(Err(Exit::Wrong));
        }
    };
    match resolve(request, &script) {
        Ok(resolution) => Ok(Ok(resolution)),
        Err(Unscripted::Missing(why)) => {
            let _ = writeln!(io::stderr(), "askback: nobody can be asked: {name} {why}");
            Ok(Err(Exit::Nobody))
        }
        Err(Unscripted::NoText(asked)) => {
            Err(io::Error::other(format!("{name}: the answer to {asked} is neither a text nor a list of texts")))
        }
        Err(Unscripted::Refused(problems)) => {
            Report::for_terminal(caps).answers(request.questions(), &problems)?;
            Ok(Err(Exit::Wrong))
        }
    }
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
    let mut scripted = Vec::new();
    for question in request.questions() {
        match find(script, question) {
            Some(Json::String(text)) => scripted.push(Scripted::Response(text)),
            Some(Json::Array(items)) if items.iter().all(|item| item.as_str().is_some()) => {
                scripted.push(Scripted::Selections(items.iter().filter_map(Json::as_str).map(str::to_owned).collect()));
            }
            Some(_) => return Err(Unscripted::NoText(quote(question.message()))),
            None => {
                let (asked, id) = (quote(question.message()), question.id());
                return Err(Unscripted::Missing(format!("has no answer to {asked} (id {id:?})")));
            }
        }
    }
    let raw: Vec<RawAnswer<'_>> = scripted
        .iter()
        .map(|scripted| match scripted {
            Scripted::Response(text) => RawAnswer::Response(text),
            Scripted::Selections(selections) => RawAnswer::Selections { selections, custom: None },
        })
        .collect();
    let answers = request.parse_answers(&raw, &Path::root().field("answers"));
    answers.map(Resolution::from_answers).map_err(Unscripted::Refused)
}

fn find<'j>(script: &'j Json, question: &Question) -> Option<&'j Json> {
    script.get(question.id()).or_else(|| script.get(question.message()))
}
