//! The use cases of a hub.
//!
//! Rights, rates, the validity of tokens, names and deliveries (S1, S5, S8, S9) are checked here and nowhere else. The ports (HTTP,
//! WebSocket, the page without scripts, scripts, MCP) translate. [`CallerSession`] implements the traits of the API in process.

use crate::counters::Gauge;
use crate::fault::Fault;
use crate::limits::{ASKS, FAILURES, READ_TURNS, REPLAY_TURNS, REPLAYS, WAITING_REQUESTS};
use crate::pool::Pool;
use askback_api::ProblemCode;
use askback_core::{RequestId, show};
use askback_hub::{Hub, HubError, Record, RunToEnd};
use askback_script::WorkerProgram;
use audience::Audience;
use call_rates::CallRates;
use delivery_claims::DeliveryClaims;
use rate::Rates;
use script_registry::Scripts;
use std::net::IpAddr;
use std::sync::Arc;
use tokio::sync::watch;
use turns::Turns;

mod asking;
pub(crate) mod audience;
mod call_rates;
pub(crate) mod caller;
mod delivery;
mod delivery_claims;
mod ending;
mod logins;
pub(crate) mod page_path;
pub(crate) mod rate;
mod reading;
mod script_host;
mod script_registry;
mod scripts;
mod session;
mod tokens;
mod turns;
pub(crate) mod views;

#[cfg(test)]
mod tests;

pub(crate) use asking::AskPermit;
pub(crate) use caller::Caller;
pub(crate) use reading::FollowedEvents;
pub(crate) use session::CallerSession;

/// The state of the use cases.
pub(crate) struct Service {
    pub(crate) hub: Hub,
    /// The names of the MCP clients whose own dialog is accepted as a surface (S1).
    dialogs: Vec<String>,
    pub(crate) audience: Audience,
    /// The origin of links.
    origin: String,
    /// Requests and scripts made, by the number of the token.
    asks: Rates<u64>,
    calls: CallRates,
    /// Failed authentications, by address.
    failures: Rates<IpAddr>,
    scripts: Scripts,
    claims: DeliveryClaims,
    /// Event streams that read old events.
    replays: Pool,
    replay_turns: Arc<Turns>,
    read_turns: Turns,
    /// The memory of requests that calls of tools and scripts hold while they wait.
    waiting_requests: Pool,
    /// Calls that wait for an outcome.
    pub(crate) waiting: Gauge,
    stopping: watch::Receiver<bool>,
}

impl Service {
    pub(crate) fn new(
        hub: Hub,
        origin: &str,
        dialogs: Vec<String>,
        audience: Audience,
        stopping: watch::Receiver<bool>,
    ) -> Self {
        Self {
            hub,
            dialogs,
            audience,
            origin: origin.to_owned(),
            asks: Rates::new(ASKS),
            calls: CallRates::default(),
            failures: Rates::new(FAILURES),
            scripts: Scripts::default(),
            claims: DeliveryClaims::default(),
            replays: Pool::new(REPLAYS),
            replay_turns: Arc::new(Turns::new(REPLAY_TURNS)),
            read_turns: Turns::new(READ_TURNS),
            waiting_requests: Pool::new(WAITING_REQUESTS),
            waiting: Gauge::default(),
            stopping,
        }
    }

    /// Has this program run the scripts of askers; without one there are none.
    pub(crate) fn with_script_worker(mut self, program: Option<WorkerProgram>) -> Self {
        self.scripts = program.map(Scripts::run_by).unwrap_or_default();
        self
    }

    /// Whether the server is about to stop.
    pub(crate) fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Completes when the server is about to stop.
    pub(crate) async fn stopped(&self) {
        let mut stopping = self.stopping.clone();
        // A dropped sender means that the server has stopped, too.
        let _ = stopping.wait_for(|is_stopping| *is_stopping).await;
    }

    /// A request that the caller may see; any other is refused as unknown.
    pub(crate) async fn visible(&self, caller: &Caller, id: &str) -> Result<Arc<Record>, Fault> {
        caller.check_valid()?;
        let unknown = || {
            let id = show::quote(id);
            Fault::new(ProblemCode::NoSuchRequest, format!("there is no request {id} that this token may see"))
        };
        let id = RequestId::parse(id).map_err(|_| unknown())?;
        let hub = self.hub.clone();
        let record =
            self.read(caller, async move { hub.record(&id).await }).await.map_err(|fault| match fault.code {
                ProblemCode::NoSuchRequest => unknown(),
                _ => fault,
            })?;
        if caller.sees(&record) { Ok(record) } else { Err(unknown()) }
    }

    /// Reads the store when it is the caller's turn. The turn lasts until the read ends, even if the call is dropped before.
    async fn read<T: Send + 'static>(
        &self,
        caller: &Caller,
        read: impl Future<Output = Result<T, HubError>> + Send + 'static,
    ) -> Result<T, Fault> {
        let turn = self.read_turns.take(caller.holder()).await;
        let reading = RunToEnd::new(async move {
            let result = read.await;
            drop(turn);
            result
        });
        Ok(reading.await?)
    }
}
