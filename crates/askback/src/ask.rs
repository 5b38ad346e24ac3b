//! The commands that ask: a request is made, a person answers it, and the outcome becomes output and an exit status.

use crate::console::say;
use crate::error::CliError;
use crate::exit::Exit;
use crate::report::Report;
use crate::sign;
use crate::signals::{block_on, unless_signalled};
use crate::source;
use askback_core::{Json, Limits, Object, PromptEnd, Request, Resolution, Surface};
use askback_term::{Prompt, Settings};
use question_args::{AskArgs, CommonArgs, Via};

pub(crate) mod answers;
mod context;
pub(crate) mod on_hub;
pub(crate) mod output;
pub(crate) mod question_args;
pub(crate) mod terminal;

/// Asks one question whose fields are known.
pub(crate) fn single(question: Object, common: &CommonArgs) -> Result<Exit, CliError> {
    ask_of_arguments(question.into(), common, |index| format!("option {}", index + 1))
}

/// Asks for one of some options, or several: those given, or else the lines of standard input.
pub(crate) fn with_options(question: Object, options: &[String], common: &CommonArgs) -> Result<Exit, CliError> {
    let put = |options: Vec<&str>| question.put("options", options);
    if !options.is_empty() {
        return single(put(options.iter().map(String::as_str).collect()), common);
    }
    let lines = source::option_lines()?;
    let question = put(lines.iter().map(|(_, line)| line.as_str()).collect());
    let number = |index: usize| lines.get(index).map_or(index + 1, |(number, _)| *number);
    ask_of_arguments(question.into(), common, |index| format!("line {} of standard input", number(index)))
}

pub(crate) fn file(arguments: &AskArgs) -> Result<Exit, CliError> {
    let (name, source) = source::read(&arguments.request)?;
    let common = &arguments.common;
    // The file is to blame only for what is wrong without the command line.
    let parsed = Json::parse(&source, &Limits::DEFAULT)
        .and_then(|json| Request::from_json(&json, &Limits::DEFAULT).map(|_| json));
    match parsed {
        Ok(json) => ask_of_arguments(json, common, |index| format!("option {}", index + 1)),
        Err(problems) => {
            Report::for_terminal(common.manner.caps()).source(&name, &source, &problems, "a valid request")?;
            Ok(Exit::Wrong)
        }
    }
}

/// Asks a request to which the command line adds; `option` names an option by its position.
fn ask_of_arguments(json: Json, common: &CommonArgs, option: impl Fn(usize) -> String) -> Result<Exit, CliError> {
    match Request::from_json(&with_common(json, common)?, &Limits::DEFAULT) {
        Ok(request) => ask(&request, common),
        Err(problems) => {
            Report::for_terminal(common.manner.caps()).usage(&problems, option)?;
            Ok(Exit::Wrong)
        }
    }
}

/// The request with what the command line says of it, which counts more than what the file says.
fn with_common(json: Json, common: &CommonArgs) -> Result<Json, CliError> {
    let Json::Object(mut fields) = json else {
        return Ok(json);
    };
    let mut put = |name: &str, value: Json| {
        fields.retain(|(field, _)| field != name);
        fields.push((name.to_owned(), value));
    };
    if let Some(timeout) = common.timeout {
        put("timeout", timeout.into());
    }
    if !common.defaults.is_empty() {
        let defaults: Vec<Json> = common.defaults.iter().map(|answer| answer.as_str().into()).collect();
        put("onTimeout", Object::new().put("default", defaults).into());
    }
    for (name, value) in [("room", &common.room), ("key", &common.key)] {
        if let Some(value) = value {
            put(name, value.as_str().into());
        }
    }
    if !common.contexts.is_empty() {
        let pieces: Result<Vec<Json>, _> = common.contexts.iter().map(|path| context::read(path)).collect();
        put("context", pieces?.into());
    }
    Ok(Json::Object(fields))
}

fn ask(request: &Request, common: &CommonArgs) -> Result<Exit, CliError> {
    if let Some(path) = &common.answers {
        let resolution = answers::take(request, path, common.manner.caps())?;
        return output::outcome(request, &sign::sign(resolution, Surface::Cli)?, common.json);
    }
    match common.via {
        Some(Via::Terminal) => ask_terminal(request, common),
        Some(Via::Hub) => on_hub::there(request, common, "the hub alone was to be asked"),
        // Another machine's hub is asked because it was named.
        None if common.hub.is_remote() => on_hub::there(request, common, "the hub alone was to be asked"),
        None if askback_term::is_person_here() => match common.hub.racers() {
            Ok(Some(clients)) => on_hub::here_and_there(request, common, clients),
            Ok(None) => ask_terminal(request, common),
            // A hub that can't be talked to is no reason not to ask.
            Err(error) => {
                say(&error.to_string());
                ask_terminal(request, common)
            }
        },
        None => on_hub::there(request, common, "there is no terminal"),
    }
}

fn ask_terminal(request: &Request, common: &CommonArgs) -> Result<Exit, CliError> {
    // Dropped by a signal, the prompt puts the terminal back.
    let settings = Settings { caps: common.manner.caps(), ..Settings::default() };
    let resolution = match block_on(unless_signalled(Prompt::new(request, settings).ask()))??? {
        PromptEnd::Decided(resolution) => resolution,
        _ => Resolution::cancelled(None),
    };
    output::outcome(request, &sign::sign(resolution, Surface::Terminal)?, common.json)
}
