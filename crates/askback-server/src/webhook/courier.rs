//! Who carries events out of the outbox: one at a time to each hook, to all hooks at once.
//!
//! Everything that must not be lost is in the outbox. What is known here, who is busy and who rests, may be lost: then
//! something is tried a little sooner.

use super::{Hook, backoff, post};
use crate::limits::{HOOK_GATHER, HOOK_LOOK, HOOK_LOOK_BUSY, HOOK_REST, HOOK_ROUND};
use askback_core::Name;
use askback_hub::{Dispatch, Hub, HubError, Settled, Timestamp};
use futures_util::future::join_all;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::task::{Id, JoinError, JoinSet};

pub(super) struct Courier {
    hub: Hub,
    hooks: HashMap<Name, Arc<Hook>>,
    link: Arc<str>,
    stopping: watch::Receiver<bool>,
    rounds: JoinSet<Round>,
    /// The hooks that are being told something.
    busy: HashMap<Id, Name>,
    /// The hooks that failed last.
    resting: HashMap<Name, Rest>,
}

/// A hook that does not take what it is sent is left alone for a while, with everything else that waits for it.
struct Rest {
    failures: u32,
    until: Instant,
}

/// What came of telling a hook some of what is due for it.
enum Round {
    /// It took all of it.
    Taken,
    /// It did not, and wants to be left alone for so long.
    Failed { asked_for: Option<Duration> },
}

impl Courier {
    pub(super) fn new(hub: Hub, hooks: &[Arc<Hook>], link: &str, stopping: watch::Receiver<bool>) -> Self {
        let hooks = hooks.iter().map(|hook| (hook.name.clone(), Arc::clone(hook))).collect();
        let (rounds, busy, resting) = (JoinSet::new(), HashMap::new(), HashMap::new());
        Self { hub, hooks, link: link.into(), stopping, rounds, busy, resting }
    }

    /// Works until it is told to stop, and then ends what is under way.
    pub(super) async fn work(mut self) {
        let mut stopping = self.stopping.clone();
        while !*stopping.borrow() {
            // Whatever happens after this is a reason to look again, and everything before it is in the log by now.
            let seen = self.hub.last_event();
            let pause = self.send_out().await.unwrap_or_else(|error| {
                tracing::warn!(%error, "the outbox can't be read; it is tried again");
                HOOK_LOOK_BUSY
            });
            tokio::select! {
                _ = stopping.changed() => break,
                Some(ended) = self.rounds.join_next_with_id() => self.ended(ended),
                () = more_than(&self.hub, seen) => tokio::time::sleep(HOOK_GATHER).await,
                () = tokio::time::sleep(pause) => {}
            }
        }
        while self.rounds.join_next().await.is_some() {}
    }

    /// Sends out what is due to everyone who is free, and says how long nothing more has to be done.
    async fn send_out(&mut self) -> Result<Duration, HubError> {
        let added = self.hub.fill_outbox().await?;
        let due = self.hub.due_deliveries(self.hooks.len().saturating_mul(HOOK_ROUND)).await?;
        let (wanted, unwanted): (Vec<_>, Vec<_>) = due.into_iter().partition(|dispatch| {
            // Of a hook that was not configured nothing waits.
            self.hooks.get(&dispatch.hook).is_some_and(|hook| hook.wants(&dispatch.event))
        });
        // Together, so that they share a sync of the disk.
        let settling = unwanted.iter().map(|dispatch| self.hub.settle_delivery(dispatch.number, Settled::Done));
        join_all(settling).await.into_iter().collect::<Result<Vec<()>, _>>()?;
        let mut of_hooks: HashMap<Name, Vec<Dispatch>> = HashMap::new();
        for dispatch in wanted {
            of_hooks.entry(dispatch.hook.clone()).or_default().push(dispatch);
        }
        for (name, deliveries) in of_hooks {
            self.send_to(name, deliveries);
        }
        if added > 0 || !unwanted.is_empty() {
            return Ok(Duration::ZERO);
        }
        self.pause().await
    }

    fn send_to(&mut self, name: Name, deliveries: Vec<Dispatch>) {
        let is_resting = self.resting.get(&name).is_some_and(|rest| rest.until > Instant::now());
        if is_resting || self.busy.values().any(|busy| *busy == name) {
            return;
        }
        let Some(hook) = self.hooks.get(&name) else { return };
        let round =
            round(self.hub.clone(), Arc::clone(hook), Arc::clone(&self.link), deliveries, self.stopping.clone());
        let task = self.rounds.spawn(round);
        self.busy.insert(task.id(), name);
    }

    /// How long until something may be due for someone who is free.
    async fn pause(&self) -> Result<Duration, HubError> {
        let Some(next) = self.hub.next_delivery().await? else { return Ok(HOOK_LOOK) };
        let until_next = Duration::try_from(next.duration_since(Timestamp::now())).unwrap_or_default();
        if !until_next.is_zero() {
            return Ok(until_next.min(HOOK_LOOK));
        }
        // It is due, and still here: whoever gets it is busy, or rests.
        let now = Instant::now();
        let rests = self.resting.values().map(|rest| rest.until.saturating_duration_since(now));
        Ok(rests.filter(|rest| !rest.is_zero()).fold(HOOK_LOOK_BUSY, Duration::min))
    }

    fn ended(&mut self, ended: Result<(Id, Round), JoinError>) {
        let (id, round) = match ended {
            Ok(ended) => ended,
            Err(error) => {
                tracing::error!(%error, "telling a webhook has failed in a way that it should not");
                (error.id(), Round::Failed { asked_for: None })
            }
        };
        let Some(name) = self.busy.remove(&id) else { return };
        match round {
            Round::Taken => drop(self.resting.remove(&name)),
            Round::Failed { asked_for } => {
                let failures = self.resting.get(&name).map_or(0, |rest| rest.failures);
                let usual = backoff::delay(failures, 0).min(HOOK_REST);
                let until = Instant::now() + usual.max(asked_for.unwrap_or_default());
                self.resting.insert(name, Rest { failures: failures.saturating_add(1), until });
            }
        }
    }
}

/// Completes when there are events after this one. If the hub was closed there won't be any.
async fn more_than(hub: &Hub, seen: u64) {
    if let Ok(mut events) = hub.events(seen).await
        && events.next().await.is_ok()
    {
        return;
    }
    std::future::pending::<()>().await;
}

/// Tells a hook what is due for it, one after the other, until it does not take one.
async fn round(
    hub: Hub,
    hook: Arc<Hook>,
    link: Arc<str>,
    deliveries: Vec<Dispatch>,
    stopping: watch::Receiver<bool>,
) -> Round {
    for dispatch in deliveries {
        if *stopping.borrow() {
            break;
        }
        let (settled, round) = deliver(&hook, &dispatch, &link).await;
        if let Err(error) = hub.settle_delivery(dispatch.number, settled).await {
            // It is due again. If this goes on, the hook is not to get it over and over.
            tracing::warn!(%error, hook = %hook.name, "what came of a webhook can't be written down");
            return Round::Failed { asked_for: None };
        }
        if matches!(round, Round::Failed { .. }) {
            return round;
        }
    }
    Round::Taken
}

async fn deliver(hook: &Hook, dispatch: &Dispatch, link: &str) -> (Settled, Round) {
    let (event, failures) = (&dispatch.event, dispatch.attempts);
    let reply = post::post(hook, event, link, Timestamp::now()).await;
    let now = Timestamp::now();
    let (why, asked_for) = match reply {
        Ok(reply) if (200..300).contains(&reply.status) => return (Settled::Done, Round::Taken),
        Ok(reply) => {
            let why = format!("it answers {} {}", reply.status, reply.said);
            if reply.status == 410 {
                tracing::warn!(hook = %hook.name, event = event.number, why, "a webhook does not want this");
                return (Settled::GivenUp, Round::Taken);
            }
            (why, reply.retry_after.and_then(|text| backoff::asked_for(&text, now)))
        }
        Err(error) => (error.to_string(), None),
    };
    if backoff::is_over(failures, event.at(), now) {
        tracing::warn!(hook = %hook.name, event = event.number, failures, why, "a webhook can't be delivered");
        return (Settled::GivenUp, Round::Failed { asked_for });
    }
    let delay = backoff::delay(failures, backoff::chance()).max(asked_for.unwrap_or_default());
    tracing::warn!(hook = %hook.name, event = event.number, failures, why, again_in = ?delay, "a webhook was not delivered");
    let at = now.checked_add(delay).unwrap_or(Timestamp::MAX);
    (Settled::Retry { at }, Round::Failed { asked_for })
}
