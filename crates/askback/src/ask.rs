//! The commands that ask: a request is made, a person answers it, and the outcome becomes output and an exit status.

use crate::console::say;
use crate::exit::Exit;
use crate::report::Report;
use crate::sign;
use crate::signals::unless_signalled;
use crate::source;
use askback_core::{Json, Limits, Object, Problems, Request, Resolution, Surface};
use askback_term::{Ended, Prompt, Settings, TermError};
use question_args::{AskArgs, CommonArgs, Via};
use std::io::{self, Write};

pub(crate) mod answers;
mod context;
pub(crate) mod on_hub;
pub(crate) mod output;
pub(crate) mod question_args;
pub(crate) mod terminal;
pub(crate) mod typed_args;

/// Asks one question whose fields are known.
pub(crate) fn single(question: Object, common: &CommonArgs) -> io::Result<Exit> {
    let json = with_common(question.into(), common)?;
    match Request::from_json(&json, &Limits::DEFAULT) {
        Ok(request) => ask(&request, common),
        Err(problems) => refuse(&problems, common),
    }
}

/// Asks for one of some options, or several: those given, or else the lines of standard input.
pub(crate) fn with_options(question: Object, options: &[String], common: &CommonArgs) -> io::Result<Exit> {
    let put = |options: &[String]| {
        let options: Vec<Json> = options.iter().map(|option| option.as_str().into()).collect();
        question.put("options", options)
    };
    if !options.is_empty() {
        return single(put(options), common);
    }
    let lines = source::option_lines()?;
    let options: Vec<String> = lines.iter().map(|(_, line)| line.clone()).collect();
    let json = with_common(put(&options).into(), common)?;
    match Request::from_json(&json, &Limits::DEFAULT) {
        Ok(request) => ask(&request, common),
        Err(problems) => {
            let number = |index: usize| lines.get(index).map_or(index + 1, |(number, _)| *number);
            Report::for_terminal(common.manner.caps())
                .usage(&problems, |index| format!("line {} of standard input", number(index)))?;
            Ok(Exit::Wrong)
        }
    }
}

/// Asks a request from a file.
pub(crate) fn file(arguments: &AskArgs) -> io::Result<Exit> {
    let (name, source) = source::read(&arguments.request)?;
    let common = &arguments.common;
    let refuse_file = |problems: &Problems| {
        Report::for_terminal(common.manner.caps()).request(&name, &source, problems)?;
        Ok(Exit::Wrong)
    };
    let json = match Json::parse(&source, &Limits::DEFAULT) {
        Ok(json) => json,
        Err(problems) => return refuse_file(&problems),
    };
    // The file is to blame only for what is wrong without the command line.
    let request = match Request::from_json(&json, &Limits::DEFAULT) {
        Ok(request) => request,
        Err(problems) => return refuse_file(&problems),
    };
    let merged = with_common(json.clone(), common)?;
    if merged == json {
        return ask(&request, common);
    }
    match Request::from_json(&merged, &Limits::DEFAULT) {
        Ok(request) => ask(&request, common),
        Err(problems) => refuse(&problems, common),
    }
}

fn refuse(problems: &Problems, common: &CommonArgs) -> io::Result<Exit> {
    Report::for_terminal(common.manner.caps()).usage(problems, |index| format!("option {}", index + 1))?;
    Ok(Exit::Wrong)
}

/// The request with what the command line says of it, which counts more than what the file says.
fn with_common(json: Json, common: &CommonArgs) -> io::Result<Json> {
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
        put("context", context::read(&common.contexts)?.into());
    }
    Ok(Json::Object(fields))
}

fn ask(request: &Request, common: &CommonArgs) -> io::Result<Exit> {
    if let Some(path) = &common.answers {
        return match answers::take(request, path, common.manner.caps())? {
            Ok(resolution) => output::outcome(request, &sign::sign(resolution, Surface::Cli)?, common.json),
            Err(exit) => Ok(exit),
        };
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

fn ask_terminal(request: &Request, common: &CommonArgs) -> io::Result<Exit> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    // Dropped by a signal, the prompt puts the terminal back.
    let settings = Settings { caps: common.manner.caps(), ..Settings::default() };
    let prompt = Prompt::new(request, settings).ask();
    let resolution = match runtime.block_on(unless_signalled(prompt))? {
        Ok(Ok(Ended::Resolved(resolution))) => resolution,
        Ok(Ok(_)) => Resolution::cancelled(None),
        Ok(Err(error)) => return unasked(error),
        Err(exit) => return Ok(exit),
    };
    output::outcome(request, &sign::sign(resolution, Surface::Terminal)?, common.json)
}

/// What a terminal that can't be used comes to.
pub(crate) fn unasked(error: TermError) -> io::Result<Exit> {
    if !error.means_nobody() {
        return Err(io::Error::other(error));
    }
    let _ = writeln!(io::stderr(), "askback: nobody can be asked: {error}");
    Ok(Exit::Nobody)
}
