//! Asking here and on the hub at once, or on the hub alone: the first answer counts, wherever it is given.

use super::output;
use super::terminal::{Elsewhere, Terminal};
use crate::cli::CommonArgs;
use crate::client::link::HubLink;
use crate::client::{Absent, Client};
use crate::exit::Exit;
use crate::fault::Kind;
use crate::sign;
use crate::signals::Signals;
use askback_core::show::{Layout, Purpose, show};
use askback_core::{Ending, Outcome, Reason, Request, RequestId, Resolution, Surface};
use askback_hub::limits::RACE_PATIENCE;
use askback_hub::race::{Link, LocalSurface, Race, RaceError, Raced};
use askback_hub::{Ask, Room, Signature, SystemClock, new_id};
use askback_term::Settings;
use std::io::{self, Write};
use std::time::Duration;
use tokio::signal::unix::SignalKind;
use tokio::time::{sleep, timeout};

/// Asks at the terminal and on the hub of this machine, which runs.
pub(super) fn here_and_there(request: &Request, common: &CommonArgs, clients: (Client, Client)) -> io::Result<Exit> {
    let settings = Settings { caps: common.manner.caps(), ..Settings::default() };
    let (asker, person) = clients;
    let link = HubLink::new(asker, Some(person));
    run(request, common, &link, &Terminal { settings })
}

/// Asks on a hub alone, which is started if it is this machine's.
pub(super) fn there(request: &Request, common: &CommonArgs, why: &str) -> io::Result<Exit> {
    let client = match common.hub.asker(Absent::Start) {
        Ok(Some(client)) => client,
        Ok(None) => return Ok(nobody("no hub is running")),
        Err(error) => {
            let exit = error.exit();
            let _ = nobody(&error.to_string());
            return Ok(exit);
        }
    };
    let link = HubLink::new(client, None).telling();
    run(request, common, &link, &Elsewhere { why: why.to_owned() })
}

fn run(request: &Request, common: &CommonArgs, link: &HubLink, surface: &dyn LocalSurface) -> io::Result<Exit> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let exit = runtime.block_on(async {
        let mut signals = Signals::listen()?;
        let ask = asking(request)?;
        let id = ask.id().cloned();
        let race = race(link, surface)?;
        let raced = tokio::select! {
            raced = race.run(ask) => raced,
            // A prompt that is dropped puts the terminal back.
            signal = signals.next() => return ended_by_signal(request, common, link, id, signal).await,
            // A hub that is away can't say that time is up.
            () = time_is_up(request, link) => return expired_here(request, common),
        };
        settle(request, common, link, raced).await
    });
    // A hub that is being started in a thread of its own is not worth waiting for.
    runtime.shutdown_background();
    exit
}

/// Completes when the time of a question that nobody sees here is over, and the hub should have said so long ago.
async fn time_is_up(request: &Request, link: &HubLink) {
    match request.timeout_s().filter(|_| link.is_telling()) {
        Some(seconds) => sleep(Duration::from_secs(seconds.into()) + RACE_PATIENCE).await,
        None => std::future::pending().await,
    }
}

fn expired_here(request: &Request, common: &CommonArgs) -> io::Result<Exit> {
    say("its time is up, and the hub can't be asked whether somebody answered");
    output::outcome(request, &sign::sign(Resolution::from_silence(request), Surface::Hub)?, common.json)
}

/// A request on its way: in its own room, or that of the folder (L8).
pub(crate) fn asking(request: &Request) -> io::Result<Ask> {
    asking_in(request, Room::of_folder(&std::env::current_dir()?))
}

/// The same with another room for a request that names none.
pub(crate) fn asking_in(request: &Request, room: Room) -> io::Result<Ask> {
    Ok(Ask::new(request.clone(), sign::agents_name()?, room).with_id(new_id()))
}

/// The race of a surface here with the hub behind a link.
pub(crate) fn race<'a>(link: &'a dyn Link, surface: &'a dyn LocalSurface) -> io::Result<Race<'a>> {
    let signature = Signature::new(sign::user_name()?, Surface::Terminal);
    Ok(Race { link, surface, clock: &SystemClock, signature })
}

async fn settle(
    request: &Request,
    common: &CommonArgs,
    link: &HubLink,
    raced: Result<Raced, RaceError>,
) -> io::Result<Exit> {
    match raced {
        Ok(Raced::Ended { outcome, late, leftover, apart }) => {
            if late.is_some() {
                say(&say_late(&outcome));
            }
            if let Some(why) = apart {
                say(&format!("this was decided here alone: {why}"));
            }
            if link.is_telling() {
                say_end(&outcome);
            }
            let exit = output::outcome(request, &outcome, common.json)?;
            if let Some(leftover) = leftover {
                // What can't be taken away now expires, or is dismissed: nobody waits for it.
                let _ = timeout(RACE_PATIENCE, leftover.settle(link)).await;
            }
            Ok(exit)
        }
        Ok(Raced::Detached(id)) => {
            say(&stays(&id));
            Ok(Exit::Nobody)
        }
        Err(error) => {
            let exit = nobody_said(&error.to_string());
            // What is wrong with the question is not that nobody is there.
            Ok(link.refused().map_or(exit, Kind::exit))
        }
    }
}

/// Ctrl+C takes away what this program asked, and nothing else. Whatever else ends it leaves the question where people can
/// answer it.
async fn ended_by_signal(
    request: &Request,
    common: &CommonArgs,
    link: &HubLink,
    own: Option<RequestId>,
    signal: SignalKind,
) -> io::Result<Exit> {
    let exit = Exit::Signal(u8::try_from(signal.as_raw_value()).unwrap_or(0));
    match link.asked_id() {
        Some(id) if signal == SignalKind::interrupt() && Some(&id) == own.as_ref() => {
            match timeout(RACE_PATIENCE, link.take_away(&id)).await {
                // The answer was faster.
                Ok(Ok(Some(outcome))) => output::outcome(request, &outcome, common.json),
                // Should that not have arrived, it is a question that nobody waits for.
                _ => Ok(exit),
            }
        }
        Some(id) => {
            say(&stays(&id));
            Ok(exit)
        }
        // Nobody has said that it is there; if it is, nobody waits for it.
        None => Ok(exit),
    }
}

fn stays(id: &RequestId) -> String {
    format!("the question stays on the hub: `askback wait {id}` waits for its answer")
}

/// What is said to somebody whose answer does not count.
pub(crate) fn say_late(outcome: &Outcome) -> String {
    format!("too late: {}", who(outcome))
}

/// What became of a question that nobody saw here, where the answer alone does not tell.
fn say_end(outcome: &Outcome) {
    match outcome.resolution().ending() {
        Ending::Answered(_) => {}
        Ending::Expired { .. } => say("nobody answered in time"),
        // A reason of the person's is said with the answer.
        Ending::Declined { reason: Some(_), .. } => {}
        Ending::Declined { reason: None, .. } => say(&who(outcome)),
        Ending::Cancelled { reason } => match reason.map(Reason::as_str) {
            Some(reason) => say(&format!("{}: {reason}", who(outcome))),
            None => say(&who(outcome)),
        },
    }
}

/// Who was faster.
pub(crate) fn who(outcome: &Outcome) -> String {
    format!("{} by {} ({})", outcome.status().name(), outcome.by(), outcome.surface().name())
}

pub(super) fn nobody(why: &str) -> Exit {
    nobody_said(&format!("nobody can be asked: {why}"))
}

fn nobody_said(text: &str) -> Exit {
    say(text);
    Exit::Nobody
}

/// Says something beside the answer. It may repeat what others say.
pub(crate) fn say(text: &str) {
    let text = show(text, Layout::Block, Purpose::Exact);
    let _ = writeln!(io::stderr(), "askback: {text}");
}
