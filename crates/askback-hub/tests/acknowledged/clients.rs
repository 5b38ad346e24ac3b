//! Clients that ask and answer until they are stopped, and say what was acknowledged to them.

use super::exchange::Exchange;
use super::ledger::Line;
use super::{Failure, open};
use askback_core::RequestId;
use askback_hub::Hub;
use std::fmt::Display;
use std::fs::File;
use std::io::Write;
use std::os::fd::AsFd;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use uuid::Uuid;

/// How many write at once, and so share batches.
pub(crate) const CLIENTS: usize = 8;

/// What is said when the hub is open: the lines after it are the ledger.
pub(crate) const READY: &str = "ready";

/// When a client says that something was acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Says {
    /// When it was.
    Truly,
    /// When it is about to send it: the mistake that the check must notice.
    TooEarly,
}

/// Opens a hub on the database, and has every client make so many exchanges there, with keys that begin with the run's name.
pub(crate) fn work(path: &Path, run: &str, says: Says, exchanges: usize) -> Result<(), Failure> {
    let voice = Arc::new(Voice(File::from(std::io::stdout().as_fd().try_clone_to_owned()?)));
    // Should the hub hang, whoever waits for a line must not.
    std::thread::spawn(|| {
        std::thread::sleep(Duration::from_secs(60));
        eprintln!("the clients are still at work after a minute");
        std::process::exit(1);
    });
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build()?;
    runtime.block_on(async {
        let hub = open(path).await?;
        arm_shim(path)?;
        // What stood on this line before is not ours.
        voice.say(format_args!("\n{READY}"))?;
        let mut clients = JoinSet::new();
        for client in 0..CLIENTS {
            let (hub, voice, run) = (hub.clone(), Arc::clone(&voice), run.to_owned());
            clients.spawn(async move {
                for number in 0..exchanges {
                    let exchange = Exchange::new(&format!("{run}.{client}.{number}"));
                    match says {
                        Says::Truly => make(&hub, &exchange, &voice).await?,
                        Says::TooEarly => make_too_early(&hub, &exchange, &voice).await?,
                    }
                }
                Ok::<(), Failure>(())
            });
        }
        while let Some(ended) = clients.join_next().await {
            ended??;
        }
        Ok(())
    })
}

async fn make(hub: &Hub, exchange: &Exchange, voice: &Voice) -> Result<(), Failure> {
    let (key, response) = (exchange.key().to_owned(), exchange.response());
    voice.say(Line::Asking { key: key.clone() })?;
    let asked = hub.ask(exchange.ask()?).await?;
    let id = asked.id().clone();
    voice.say(Line::Created { id: id.clone(), key })?;
    voice.say(Line::Answering { id: id.clone(), response: response.clone() })?;
    exchange.answer(hub, &id).await?;
    Ok(voice.say(Line::Answered { id, response })?)
}

async fn make_too_early(hub: &Hub, exchange: &Exchange, voice: &Voice) -> Result<(), Failure> {
    let (key, response) = (exchange.key().to_owned(), exchange.response());
    let id = RequestId::parse(&Uuid::now_v7().to_string())?;
    voice.say(Line::Asking { key: key.clone() })?;
    voice.say(Line::Created { id: id.clone(), key })?;
    hub.ask(exchange.ask_as(&id)?).await?;
    voice.say(Line::Answering { id: id.clone(), response: response.clone() })?;
    voice.say(Line::Answered { id: id.clone(), response })?;
    exchange.answer(hub, &id).await?;
    Ok(())
}

/// Tells the shim, if there is one, that from now on it counts.
fn arm_shim(path: &Path) -> std::io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push("-armed");
    File::create(name)?.sync_all()
}

/// Standard output without a buffer: a line is one write, and so comes whole or not at all, whoever else writes there.
struct Voice(File);

impl Voice {
    fn say(&self, line: impl Display) -> std::io::Result<()> {
        (&self.0).write_all(format!("{line}\n").as_bytes())
    }
}
