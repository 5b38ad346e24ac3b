//! `askback answer`, `decline` and `cancel`: ending a request from a command.

use super::find_record;
use crate::console::{line, print};
use crate::error::CliError;
use crate::exit::Exit;
use crate::hub_args::{Caller, HubArgs};
use crate::report::Report;
use crate::signals::block_on;
use crate::subcommand::{Subcommand, help};
use askback_api::{AnswerBody, CancelBody, ClaimedSurface, DeclineBody, HubApi, PersonApi, Record};
use askback_client::new_id;
use askback_core::show::quote;
use askback_core::{Answer, AnswerInput, Outcome, Path};
use clap::Args;
use std::time::Duration;

const STATUS: &str = "Exit status: 0 done · 1 the answer does not pass, or somebody was faster · 2 the usage is wrong · 69 no hub, \
                      or nobody here can be taken for a person";

/// Where the person is.
const SURFACE: Option<ClaimedSurface> = Some(ClaimedSurface::Cli);

/// How long an ending is sent again whose response was lost.
const RETRY: Duration = Duration::from_secs(1);

/// Answer a request on the hub: one response for each question, in order
///
/// Only a person can: at a terminal the person of this machine, and anywhere whoever has a person's token in ASKBACK_TOKEN.
#[derive(Debug, Args)]
#[command(after_help = help(STATUS, "askback answer 58fb8350 yes"))]
pub(crate) struct AnswerArgs {
    /// The request's id, or the end of it
    id: String,

    /// The answers in their written form
    #[arg(required = true, value_name = "RESPONSE", allow_hyphen_values = true)]
    responses: Vec<String>,

    #[command(flatten)]
    hub: HubArgs,
}

impl Subcommand for AnswerArgs {
    fn run(&self) -> Result<Exit, CliError> {
        block_on(async {
            let client = self.hub.client(Caller::Person)?.retrying(RETRY);
            let record = find_record(&client, &self.id).await?;
            let inputs: Vec<AnswerInput> = self.responses.iter().map(AnswerInput::from).collect();
            match record.request.parse_answers(&inputs, &Path::root().field("responses")) {
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
            let responses = Some(self.responses.clone());
            let body = AnswerBody { responses, key: key(), surface: SURFACE, ..AnswerBody::default() };
            told(&record, &client.answer(record.as_ref(), body).await?)
        })?
    }
}

/// Decline to answer a request on the hub, perhaps with a reason or a question back
#[derive(Debug, Args)]
#[command(after_help = help(STATUS, "askback decline 58fb8350 --reason \"which region do you mean?\""))]
pub(crate) struct DeclineArgs {
    /// The request's id, or the end of it
    id: String,

    /// Why, or a question back
    #[arg(long, allow_hyphen_values = true)]
    reason: Option<String>,

    #[command(flatten)]
    hub: HubArgs,
}

impl Subcommand for DeclineArgs {
    fn run(&self) -> Result<Exit, CliError> {
        block_on(async {
            let client = self.hub.client(Caller::Person)?.retrying(RETRY);
            let record = find_record(&client, &self.id).await?;
            let body = DeclineBody { reason: self.reason.clone(), key: key(), surface: SURFACE, client: None };
            told(&record, &client.decline(record.as_ref(), body).await?)
        })?
    }
}

/// Take a request away from the hub: for whoever asked it, and for any person
#[derive(Debug, Args)]
#[command(after_help = help(STATUS, "askback cancel 58fb8350"))]
pub(crate) struct CancelArgs {
    /// The request's id, or the end of it
    id: String,

    /// Why
    #[arg(long, allow_hyphen_values = true)]
    reason: Option<String>,

    #[command(flatten)]
    hub: HubArgs,
}

impl Subcommand for CancelArgs {
    fn run(&self) -> Result<Exit, CliError> {
        block_on(async {
            let client = self.hub.client(Caller::Anybody)?.retrying(RETRY);
            let record = find_record(&client, &self.id).await?;
            let body = CancelBody { reason: self.reason.clone(), key: key(), surface: SURFACE };
            told(&record, &client.cancel(record.as_ref(), body).await?)
        })?
    }
}

/// A key for one ending: should its response be lost, the same call once more counts once.
fn key() -> Option<String> {
    Some(format!("cli {}", new_id()))
}

/// Says what a request has come to.
fn told(record: &Record, outcome: &Outcome) -> Result<Exit, CliError> {
    let status = outcome.status().name();
    print(&format!("{status}: {} ({})", line(&record.title()), record.id))
}
