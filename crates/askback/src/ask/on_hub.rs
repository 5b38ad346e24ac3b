//! Asking on the hub, alone or at the same time as at this terminal: the first answer counts, wherever it is given.

use super::output;
use super::question_args::CommonArgs;
use super::terminal::Terminal;
use crate::console::{ended_by, report, say};
use crate::error::CliError;
use crate::exit::Exit;
use crate::hub_args::Caller;
use crate::sign;
use crate::signals::{Signals, block_on};
use askback_api::{ApiError, AskQuery, Asked, AskerApi, CancelBody, ClaimedSurface, HubApi, PersonApi, RequestRef};
use askback_client::limits::RACE_PATIENCE;
use askback_client::race::{HubReplies, LocalSurface, Race, RaceError, Raced, Signer};
use askback_client::{AskProgress, Client, RoomRule, ask_and_wait, new_id};
use askback_core::{Outcome, Request, RequestId, Resolution, Surface};
use askback_term::Settings;
use jiff::Timestamp;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::signal::unix::SignalKind;
use tokio::time::{sleep, timeout};

/// How long an interrupted program tries to cancel a request that the hub has not acknowledged.
const UNACKNOWLEDGED_PATIENCE: Duration = Duration::from_secs(1);

/// Asks at the terminal and on the hub of this machine, which runs.
pub(super) fn here_and_there(
    request: &Request,
    common: &CommonArgs,
    clients: (Client, Client),
) -> Result<Exit, CliError> {
    let settings = Settings { caps: common.manner.caps(), ..Settings::default() };
    let (surface, (asker, person), id) = (Terminal { settings }, racers(clients)?, new_id());
    block_on(async {
        let mut signals = Signals::listen()?;
        let race = race(&asker, &person, &surface)?;
        let raced = tokio::select! {
            raced = race.run(Arc::new(request.clone()), id.clone()) => raced,
            // A prompt that is dropped puts the terminal back.
            signal = signals.next() => {
                return ended_by_signal(&asker, request, common, race.replies.asked_id(), &id, signal).await;
            }
        };
        settle(request, common, &race, raced).await
    })?
}

/// Asks on a hub alone, which is started if it is this machine's.
pub(super) fn there(request: &Request, common: &CommonArgs, why: &str) -> Result<Exit, CliError> {
    let client = match common.hub.client(Caller::Asker) {
        Ok(client) => client.asking_in(folder_rule()?),
        Err(error) => {
            report(&CliError::Nobody(error.to_string()));
            return Ok(Exit::from(&error));
        }
    };
    block_on(async {
        let mut signals = Signals::listen()?;
        let mut waiting = Waiting { client: &client, asked: None, was_away: false };
        let (shared, own) = (Arc::new(request.clone()), new_id());
        let query = AskQuery { id: Some(own.clone()), asked_at: Some(Timestamp::now()), ..AskQuery::default() };
        let asked = tokio::select! {
            asked = ask_and_wait(&client, &shared, query, |progress| waiting.report(&progress)) => asked,
            signal = signals.next() => {
                return ended_by_signal(&client, request, common, waiting.asked.as_ref(), &own, signal).await;
            }
            // A hub that is away can't say that time is up.
            () = time_is_up(request, RACE_PATIENCE) => {
                say("its time is up, and the hub can't be asked whether somebody answered");
                let expired = sign::sign(Resolution::from_silence(request), Surface::Hub)?;
                return output::outcome(request, &expired, common.json);
            }
        };
        match asked {
            Ok(outcome) => {
                say_end(&outcome);
                output::outcome(request, &outcome, common.json)
            }
            Err(error) => {
                let exit = report(&CliError::Nobody(format!("{why}, and {error}")));
                // What is wrong with the question is not that nobody is there.
                Ok(error.code().filter(|_| waiting.asked.is_none()).map_or(exit, Exit::from))
            }
        }
    })?
}

/// The room of requests that name none: the folder's (L8).
pub(crate) fn folder_rule() -> io::Result<RoomRule> {
    Ok(RoomRule::Folder(askback_hub::folder_room(&std::env::current_dir()?)))
}

/// The clients of a race: the asker of this folder, and the person, whose decision is worth starting a hub for.
pub(crate) fn racers((asker, person): (Client, Client)) -> io::Result<(Client, Client)> {
    Ok((asker.asking_in(folder_rule()?), person.starting_hub()))
}

/// The race of a surface here with the hub.
pub(crate) fn race<'a>(
    asker: &'a dyn AskerApi,
    person: &'a dyn PersonApi,
    surface: &'a dyn LocalSurface,
) -> Result<Race<'a>, CliError> {
    let signer = Signer { by: sign::user_name()?, surface: Surface::Terminal };
    Ok(Race { asker, person, surface, clock: &Timestamp::now, signer, replies: HubReplies::default() })
}

/// What is said while a question that is not shown here waits on the hub.
struct Waiting<'c> {
    client: &'c Client,
    asked: Option<RequestId>,
    was_away: bool,
}

impl Waiting<'_> {
    fn report(&mut self, progress: &AskProgress<'_>) {
        match progress {
            AskProgress::Asked(asked) => self.report_asked(asked),
            AskProgress::Away(error) if !std::mem::replace(&mut self.was_away, true) => {
                say(&format!("{error}; waiting until it is back"));
            }
            AskProgress::Away(_) => {}
        }
    }

    fn report_asked(&mut self, Asked { record, .. }: &Asked) {
        let id = &record.id;
        self.asked = Some(id.clone());
        match (&record.outcome, record.request.key()) {
            (None, _) => {
                let url = self.client.url().map_or_else(String::new, |url| format!(", {url}"));
                say(&format!("waiting for an answer to {id}: `askback inbox`, `askback answer {id} …`{url}"));
            }
            (Some(outcome), Some(key)) => say(&format!(
                "this was asked before with the key {key}, and {} at {}: another key asks again",
                ended_by(outcome),
                outcome.at()
            )),
            (Some(_), None) => {}
        }
    }
}

/// Completes when the time of a question is over, and the hub, which keeps it (L4), should have said so by then.
pub(crate) async fn time_is_up(request: &Request, patience: Duration) {
    match request.timeout_s() {
        Some(seconds) => sleep(Duration::from_secs(seconds.into()) + patience).await,
        None => std::future::pending().await,
    }
}

async fn settle(
    request: &Request,
    common: &CommonArgs,
    race: &Race<'_>,
    raced: Result<Raced, RaceError>,
) -> Result<Exit, CliError> {
    match raced {
        Ok(Raced::Ended { outcome, late, leftover, apart }) => {
            if late.is_some() {
                say(&say_late(&outcome));
            }
            if let Some(why) = apart {
                say(&format!("this was decided here alone: {why}"));
            }
            let exit = output::outcome(request, &outcome, common.json)?;
            if let Some(leftover) = leftover {
                // What can't be cancelled now expires, or is dismissed: nobody waits for it.
                let _ = timeout(RACE_PATIENCE, leftover.settle(race.asker, race.person)).await;
            }
            Ok(exit)
        }
        Ok(Raced::Detached(id)) => {
            say(&stays(&id));
            Ok(Exit::Nobody)
        }
        Err(error) => {
            say(&error.to_string());
            Ok(race.replies.refusal().map_or(Exit::Nobody, Exit::from))
        }
    }
}

/// Ctrl+C cancels what this program asked, and nothing else. Whatever else ends it leaves the question where people can answer it.
/// A signal is the asker's own act: every prompt turns off the terminal's signals, so that a person's Ctrl+C arrives there as a key
/// and is proposed like an answer (S9).
async fn ended_by_signal(
    client: &Client,
    request: &Request,
    common: &CommonArgs,
    asked: Option<&RequestId>,
    own: &RequestId,
    signal: SignalKind,
) -> Result<Exit, CliError> {
    let exit = Exit::from(signal);
    // A request that the hub has not acknowledged may be there as well.
    let (id, patience) = asked.map_or((own, UNACKNOWLEDGED_PATIENCE), |id| (id, RACE_PATIENCE));
    if signal == SignalKind::interrupt() && id == own {
        let body = CancelBody { surface: Some(ClaimedSurface::Terminal), ..CancelBody::default() };
        return match timeout(patience, cancel_as_asker(client, RequestRef { id, request }, body)).await {
            // The answer was faster.
            Ok(Some(outcome)) => output::outcome(request, &outcome, common.json),
            // Should that not have arrived, it is a question that nobody waits for.
            Ok(None) | Err(_) => Ok(exit),
        };
    }
    if asked.is_some() {
        say(&stays(id));
    }
    Ok(exit)
}

/// Cancels a request as the asker's own act, and returns its outcome if it had already ended.
pub(crate) async fn cancel_as_asker(client: &Client, request: RequestRef<'_>, body: CancelBody) -> Option<Outcome> {
    match client.cancel(request, body).await {
        Err(ApiError::AlreadyEnded { outcome, .. }) => Some(*outcome),
        _ => None,
    }
}

fn stays(id: &RequestId) -> String {
    format!("the question stays on the hub: `askback wait {id}` waits for its answer")
}

/// What is said to a person whose answer does not count.
pub(crate) fn say_late(outcome: &Outcome) -> String {
    format!("too late: {}", ended_by(outcome))
}

/// What became of a question that was not shown here, where the answer alone does not tell.
fn say_end(outcome: &Outcome) {
    match outcome.resolution() {
        // A reason of the person's is said with the answer.
        Resolution::Answered { .. } | Resolution::Declined { reason: Some(_), .. } => {}
        Resolution::Expired { .. } => say("nobody answered in time"),
        Resolution::Cancelled { reason: Some(reason), .. } => {
            say(&format!("{}: {}", ended_by(outcome), reason.as_str()));
        }
        Resolution::Rejected { .. }
        | Resolution::Declined { reason: None, .. }
        | Resolution::Cancelled { reason: None, .. } => say(&ended_by(outcome)),
    }
}
