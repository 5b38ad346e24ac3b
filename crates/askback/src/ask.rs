//! The commands that ask: a request is made, a person answers it, and the outcome becomes output and an exit status.

use crate::cli::{AskArgs, ChoiceArgs, CommonArgs, Via};
use crate::exit::Exit;
use crate::report::Report;
use crate::source;
use askback_core::{Json, Limits, Object, Problems, Request, Resolution, Surface};
use askback_term::{Ended, Prompt, Settings, TermError};
use std::io::{self, Write};
use tokio::signal::unix::{SignalKind, signal};

mod answers;
mod context;
mod output;
mod sign;

/// Asks one question whose fields are known.
pub(crate) fn single(question: Object, common: &CommonArgs) -> io::Result<Exit> {
    let json = with_common(question.into(), common)?;
    match Request::from_json(&json, &Limits::DEFAULT) {
        Ok(request) => ask(&request, common),
        Err(problems) => refuse(&problems, "option"),
    }
}

/// Asks for a choice, whose options may come from standard input.
pub(crate) fn choice(arguments: &ChoiceArgs) -> io::Result<Exit> {
    if !arguments.options.is_empty() {
        let json = with_common(arguments.question(&arguments.options).into(), &arguments.common)?;
        return match Request::from_json(&json, &Limits::DEFAULT) {
            Ok(request) => ask(&request, &arguments.common),
            Err(problems) => refuse(&problems, "option"),
        };
    }
    let lines = source::option_lines()?;
    let options: Vec<String> = lines.iter().map(|(_, line)| line.clone()).collect();
    let json = with_common(arguments.question(&options).into(), &arguments.common)?;
    match Request::from_json(&json, &Limits::DEFAULT) {
        Ok(request) => ask(&request, &arguments.common),
        Err(problems) => {
            let number = |index: usize| lines.get(index).map_or(index + 1, |(number, _)| *number);
            Report::to_stderr().usage(&problems, |index| format!("line {} of standard input", number(index)))?;
            Ok(Exit::Wrong)
        }
    }
}

/// Asks a request from a file.
pub(crate) fn file(arguments: &AskArgs) -> io::Result<Exit> {
    let (name, source) = source::read(&arguments.request)?;
    let json = match Json::parse(&source, &Limits::DEFAULT) {
        // The file is to blame only for what is wrong without the command line.
        Ok(json) => Request::from_json(&json, &Limits::DEFAULT).map(|_| json),
        Err(problems) => Err(problems),
    };
    let json = match json {
        Ok(json) => with_common(json, &arguments.common)?,
        Err(problems) => {
            Report::to_stderr().request(&name, &source, &problems)?;
            return Ok(Exit::Wrong);
        }
    };
    match Request::from_json(&json, &Limits::DEFAULT) {
        Ok(request) => ask(&request, &arguments.common),
        Err(problems) => refuse(&problems, "option"),
    }
}

fn refuse(problems: &Problems, option: &str) -> io::Result<Exit> {
    Report::to_stderr().usage(problems, |index| format!("{option} {}", index + 1))?;
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
        return match answers::take(request, path)? {
            Ok(resolution) => output::outcome(request, &sign::sign(resolution, Surface::Cli)?, common.json),
            Err(exit) => Ok(exit),
        };
    }
    match common.via {
        Via::Terminal => ask_terminal(request, common),
    }
}

fn ask_terminal(request: &Request, common: &CommonArgs) -> io::Result<Exit> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let resolution = match runtime.block_on(prompt(request))? {
        Ok(Ended::Resolved(resolution)) => resolution,
        Ok(_) => Resolution::cancelled(None),
        Err(Stopped::Signal(number)) => return Ok(Exit::Signal(number)),
        Err(Stopped::Terminal(error)) if error.means_nobody() => {
            let _ = writeln!(io::stderr(), "askback: nobody can be asked: {error}");
            return Ok(Exit::Nobody);
        }
        Err(Stopped::Terminal(error)) => return Err(io::Error::other(error)),
    };
    output::outcome(request, &sign::sign(resolution, Surface::Terminal)?, common.json)
}

/// Why there is no outcome.
enum Stopped {
    Terminal(TermError),
    Signal(u8),
}

/// Prompts, until the person decides or a signal ends it; then dropping the prompt puts the terminal back.
async fn prompt(request: &Request) -> io::Result<Result<Ended, Stopped>> {
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    let (mut hangup, mut quit) = (signal(SignalKind::hangup())?, signal(SignalKind::quit())?);
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup(), SignalKind::quit()];
    let [interrupted, terminated, hung_up, quitted] = kinds.map(|kind| u8::try_from(kind.as_raw_value()).unwrap_or(0));
    Ok(tokio::select! {
        ended = Prompt::new(request, Settings::default()).ask() => ended.map_err(Stopped::Terminal),
        _ = interrupt.recv() => Err(Stopped::Signal(interrupted)),
        _ = terminate.recv() => Err(Stopped::Signal(terminated)),
        _ = hangup.recv() => Err(Stopped::Signal(hung_up)),
        _ = quit.recv() => Err(Stopped::Signal(quitted)),
    })
}
