//! `askback answer`, `decline` and `cancel`: ending a request from a command.

use super::{Failure, anybody, find, line, person, record, run};
use crate::cli::{Runs, print};
use crate::client::record::HubRecord;
use crate::client::{Client, ClientError, HubArgs};
use crate::exit::Exit;
use crate::report::Report;
use askback_core::show::quote;
use askback_core::{Answer, Json, Object, Path, RawAnswer};
use clap::Args;
use std::io;

const STATUS: &str = "Exit status: 0 done · 1 the answer does not pass, or somebody was faster · 2 the usage is wrong · 69 no hub, \
                      or nobody here can be taken for a person";

/// Answer a request on the hub: one response for each question, in order
///
/// Only a person can: at a terminal the person of this machine, and anywhere whoever has a person's token in ASKBACK_TOKEN.
#[derive(Debug, Args)]
#[command(after_help = format!("{STATUS}\n\nFor example: askback answer 58fb8350 yes"))]
pub(crate) struct AnswerArgs {
    /// The request's id, or the end of it
    id: String,

    /// The answers in their written form
    #[arg(required = true, value_name = "RESPONSE", allow_hyphen_values = true)]
    responses: Vec<String>,

    #[command(flatten)]
    hub: HubArgs,
}

impl Runs for AnswerArgs {
    const NAME: &'static str = "answer";

    fn run(&self) -> io::Result<Exit> {
        run(async {
            let client = person(&self.hub)?;
            let id = find(&client, &self.id).await?;
            let record = record(&client, &id).await?;
            let raw: Vec<RawAnswer<'_>> = self.responses.iter().map(|text| RawAnswer::Response(text)).collect();
            match record.request.parse_answers(&raw, &Path::root().field("responses")) {
                Ok(answers) => {
                    // It may be a slip of the pen, and passes all the same.
                    for custom in answers.iter().filter_map(Answer::custom) {
                        Report::to_stderr().note(&format!("{} is Other's text, not an option", quote(custom)))?;
                    }
                }
                // Said here with the questions beside it; the hub says no by itself, and too late is too late.
                Err(problems) if record.outcome.is_none() => {
                    Report::to_stderr().answers(record.request.questions(), &problems)?;
                    return Ok(Exit::Refused);
                }
                Err(_) => {}
            }
            let responses: Vec<Json> = self.responses.iter().map(|text| text.as_str().into()).collect();
            end(&client, &record, "answer", Object::new().put("responses", responses)).await
        })
    }
}

/// Decline to answer a request on the hub, perhaps with a reason or a question back
#[derive(Debug, Args)]
#[command(after_help = format!("{STATUS}\n\nFor example: askback decline 58fb8350 --reason \"which region do you mean?\""))]
pub(crate) struct DeclineArgs {
    /// The request's id, or the end of it
    id: String,

    /// Why, or a question back
    #[arg(long, allow_hyphen_values = true)]
    reason: Option<String>,

    #[command(flatten)]
    hub: HubArgs,
}

impl Runs for DeclineArgs {
    const NAME: &'static str = "decline";

    fn run(&self) -> io::Result<Exit> {
        run(async {
            let client = person(&self.hub)?;
            let id = find(&client, &self.id).await?;
            let record = record(&client, &id).await?;
            end(&client, &record, "decline", Object::new().put_some("reason", self.reason.as_deref())).await
        })
    }
}

/// Take a request away from the hub: for whoever asked it, and for any person
#[derive(Debug, Args)]
#[command(after_help = format!("{STATUS}\n\nFor example: askback cancel 58fb8350"))]
pub(crate) struct CancelArgs {
    /// The request's id, or the end of it
    id: String,

    /// Why
    #[arg(long, allow_hyphen_values = true)]
    reason: Option<String>,

    #[command(flatten)]
    hub: HubArgs,
}

impl Runs for CancelArgs {
    const NAME: &'static str = "cancel";

    fn run(&self) -> io::Result<Exit> {
        run(async {
            let client = anybody(&self.hub)?;
            let id = find(&client, &self.id).await?;
            let record = record(&client, &id).await?;
            end(&client, &record, "cancel", Object::new().put_some("reason", self.reason.as_deref())).await
        })
    }
}

async fn end(client: &Client, record: &HubRecord, how: &str, body: Object) -> Result<Exit, Failure> {
    // Should nobody hear whether it counted, the same once more counts once.
    let key = format!("cli {}", askback_hub::new_id());
    let body: Json = body.put("surface", "cli").put("key", key).into();
    let path = format!("/requests/{}/{how}", record.id);
    let ended = match client.post(&path, &body).await {
        Err(ClientError::Lost(_)) => client.post(&path, &body).await,
        ended => ended,
    };
    let (_, outcome) = ended?;
    let status = outcome.get("status").and_then(Json::as_str).unwrap_or(how);
    Ok(print(&format!("{}: {} ({})", line(status), line(&record.title()), line(&record.id)))?)
}
