//! `askback check`: is this request valid, and would these answers pass?

use crate::cli::CheckArgs;
use crate::exit::Exit;
use crate::report::Report;
use askback_core::{Answers, Json, Limits, Object, Path, Problem, Problems, RawAnswer, Request, answer_json};
use std::fs::File;
use std::io::{self, Read, Write};

/// Checks what the arguments name, and says so.
pub(crate) fn run(arguments: &CheckArgs) -> io::Result<Exit> {
    let limits = Limits::DEFAULT;
    let name = if arguments.request.as_os_str() == "-" {
        "standard input".to_owned()
    } else {
        arguments.request.display().to_string()
    };
    let source = read(arguments, &limits)
        .map_err(|error| io::Error::new(error.kind(), format!("can't read {name}: {error}")))?;
    let checked = Request::parse(&source, &limits);
    let request = match &checked {
        Ok(request) => request,
        Err(problems) => {
            if arguments.json {
                print_json(None, None, problems)?;
            } else {
                Report::to_stderr().request(&name, &source, problems)?;
            }
            return Ok(Exit::Wrong);
        }
    };
    match check_answers(request, &arguments.responses) {
        Ok(answers) if arguments.json => print_json(Some(request), answers.as_ref(), &Problems::default())?,
        Ok(answers) => print(request, answers.as_ref())?,
        Err(problems) => {
            if arguments.json {
                print_json(Some(request), None, &problems)?;
            } else {
                Report::to_stderr().answers(request.questions(), &problems)?;
            }
            return Ok(Exit::Refused);
        }
    }
    Ok(Exit::Done)
}

/// The request's bytes, never many more than a request may have.
fn read(arguments: &CheckArgs, limits: &Limits) -> io::Result<Vec<u8>> {
    let enough = limits.request_bytes as u64 + 1;
    let mut bytes = Vec::new();
    if arguments.request.as_os_str() == "-" {
        io::stdin().lock().take(enough).read_to_end(&mut bytes)?;
    } else {
        File::open(&arguments.request)?.take(enough).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn check_answers(request: &Request, responses: &[String]) -> Result<Option<Answers>, Problems> {
    if responses.is_empty() {
        return Ok(None);
    }
    let raw: Vec<RawAnswer<'_>> = responses.iter().map(|response| RawAnswer::Response(response)).collect();
    request.parse_answers(&raw, &Path::root().field("responses")).map(Some)
}

fn print(request: &Request, answers: Option<&Answers>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match answers {
        Some(answers) => {
            for answer in answers.iter() {
                writeln!(out, "{}", answer.written())?;
            }
        }
        None => writeln!(out, "{}", request.to_json().to_pretty())?,
    }
    out.flush()
}

fn print_json(request: Option<&Request>, answers: Option<&Answers>, problems: &Problems) -> io::Result<()> {
    let answers = request.zip(answers).map(|(request, answers)| {
        let pairs = request.questions().iter().zip(answers.iter());
        pairs.map(|(question, answer)| answer_json(question, answer)).collect::<Vec<_>>()
    });
    let json: Json = Object::new()
        .put("valid", problems.is_empty())
        .put("request", request.map(Request::to_json))
        .put("answers", answers)
        .put("errors", problems.iter().map(Problem::to_json).collect::<Vec<_>>())
        .put("moreErrors", problems.more() as f64)
        .into();
    let mut out = io::stdout().lock();
    writeln!(out, "{json}")?;
    out.flush()
}
