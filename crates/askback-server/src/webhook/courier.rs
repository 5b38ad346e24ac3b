//! The courier, which delivers the events of the outbox: one at a time to each hook, and to all hooks in parallel.
//!
//! The outbox persists everything that must not be lost. The state here, busy and paused hooks, may be lost: then a retry comes a
//! little sooner.

use super::{Hook, backoff, post};
use crate::limits::{HOOK_BATCH, HOOK_BATCH_DELAY, HOOK_PAUSE, HOOK_POLL, HOOK_POLL_BUSY};
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
    batches: JoinSet<BatchResult>,
    /// The hooks with a running batch.
    busy: HashMap<Id, Name>,
    /// The hooks whose last batch failed.
    paused: HashMap<Name, Pause>,
}

/// The pause of a failing hook, during which all of its events wait.
struct Pause {
    failures: u32,
    until: Instant,
}

/// The result of sending due events to a hook.
enum BatchResult {
    /// The hook accepted all of them.
    Delivered,
    /// The hook failed, and may have requested a delay.
    Failed { requested_delay: Option<Duration> },
}

impl Courier {
    pub(super) fn new(hub: Hub, hooks: &[Arc<Hook>], link: &str, stopping: watch::Receiver<bool>) -> Self {
        let hooks = hooks.iter().map(|hook| (hook.name.clone(), Arc::clone(hook))).collect();
        let (batches, busy, paused) = (JoinSet::new(), HashMap::new(), HashMap::new());
        Self { hub, hooks, link: link.into(), stopping, batches, busy, paused }
    }

    /// Delivers events until the server stops, and then finishes running batches.
    pub(super) async fn run(mut self) {
        let mut stopping = self.stopping.clone();
        while !*stopping.borrow() {
            // Events up to this one are in the log by now, and later ones wake the courier.
            let seen = self.hub.last_event();
            let pause = self.send_out().await.unwrap_or_else(|error| {
                tracing::warn!(%error, "the outbox can't be read; it is tried again");
                HOOK_POLL_BUSY
            });
            tokio::select! {
                _ = stopping.changed() => break,
                                Some(ended) = self.batches.join_next_with_id() => self.finish(ended),
                                () = event_after(&self.hub, seen) => tokio::time::sleep(HOOK_BATCH_DELAY).await,
                () = tokio::time::sleep(pause) => {}
            }
        }
        while self.batches.join_next().await.is_some() {}
    }

    /// Sends due events to all idle hooks. Returns the time until the next poll.
    async fn send_out(&mut self) -> Result<Duration, HubError> {
        let added = self.hub.fill_outbox().await?;
        let due = self.hub.due_deliveries(self.hooks.len().saturating_mul(HOOK_BATCH)).await?;
        let (wanted, unwanted): (Vec<_>, Vec<_>) = due.into_iter().partition(|dispatch| {
            // The outbox has no events of hooks that are not configured.
            self.hooks.get(&dispatch.hook).is_some_and(|hook| hook.wants(&dispatch.event))
        });
        // Together, so that they share one sync of the disk.
        let settling = unwanted.iter().map(|dispatch| self.hub.settle_delivery(dispatch, Settled::Done));
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
        let is_paused = self.paused.get(&name).is_some_and(|pause| pause.until > Instant::now());
        if is_paused || self.busy.values().any(|busy| *busy == name) {
            return;
        }
        let Some(hook) = self.hooks.get(&name) else { return };
        let batch =
            send_batch(self.hub.clone(), Arc::clone(hook), Arc::clone(&self.link), deliveries, self.stopping.clone());
        let task = self.batches.spawn(batch);
        self.busy.insert(task.id(), name);
    }

    /// The time until an event may be due for an idle hook.
    async fn pause(&self) -> Result<Duration, HubError> {
        let Some(next) = self.hub.next_delivery().await? else { return Ok(HOOK_POLL) };
        let until_next = Duration::try_from(next.duration_since(Timestamp::now())).unwrap_or_default();
        if !until_next.is_zero() {
            return Ok(until_next.min(HOOK_POLL));
        }
        // A due event is still in the outbox: its hook is busy or paused.
        let now = Instant::now();
        let pauses = self.paused.values().map(|pause| pause.until.saturating_duration_since(now));
        Ok(pauses.filter(|pause| !pause.is_zero()).fold(HOOK_POLL_BUSY, Duration::min))
    }

    fn finish(&mut self, ended: Result<(Id, BatchResult), JoinError>) {
        let (id, result) = match ended {
            Ok(ended) => ended,
            Err(error) => {
                tracing::error!(%error, "telling a webhook has failed in a way that it should not");
                (error.id(), BatchResult::Failed { requested_delay: None })
            }
        };
        let Some(name) = self.busy.remove(&id) else { return };
        match result {
            BatchResult::Delivered => drop(self.paused.remove(&name)),
            BatchResult::Failed { requested_delay } => {
                let failures = self.paused.get(&name).map_or(0, |pause| pause.failures);
                let delay = backoff::delay(failures, 0).min(HOOK_PAUSE);
                let until = Instant::now() + delay.max(requested_delay.unwrap_or_default());
                self.paused.insert(name, Pause { failures: failures.saturating_add(1), until });
            }
        }
    }
}

/// Completes when there is an event after this one; never if the hub is closed.
async fn event_after(hub: &Hub, seen: u64) {
    if let Ok(mut events) = hub.events(seen).await
        && events.next().await.is_ok()
    {
        return;
    }
    std::future::pending::<()>().await;
}

/// Sends due events to a hook, one after the other, until one fails.
async fn send_batch(
    hub: Hub,
    hook: Arc<Hook>,
    link: Arc<str>,
    deliveries: Vec<Dispatch>,
    stopping: watch::Receiver<bool>,
) -> BatchResult {
    for dispatch in deliveries {
        // Events that are not sent stay due, here or on the node that has the lease by then.
        if *stopping.borrow() || !hub.may_deliver(&dispatch) {
            break;
        }
        let (settled, result) = deliver(&hook, &dispatch, &link).await;
        if let Err(error) = hub.settle_delivery(&dispatch, settled).await {
            // The event stays due. The pause keeps the hook from receiving it over and over.
            tracing::warn!(%error, hook = %hook.name, "what came of a webhook can't be written down");
            return BatchResult::Failed { requested_delay: None };
        }
        if matches!(result, BatchResult::Failed { .. }) {
            return result;
        }
    }
    BatchResult::Delivered
}

async fn deliver(hook: &Hook, dispatch: &Dispatch, link: &str) -> (Settled, BatchResult) {
    let (event, failures) = (&dispatch.event, dispatch.attempts);
    let reply = post::post(hook, event, link, Timestamp::now()).await;
    let now = Timestamp::now();
    let (why, requested_delay) = match reply {
        Ok(reply) if (200..300).contains(&reply.status) => return (Settled::Done, BatchResult::Delivered),
        Ok(reply) => {
            let why = format!("it answers {} {}", reply.status, reply.body);
            if reply.status == 410 {
                tracing::warn!(hook = %hook.name, event = event.number, why, "a webhook does not want this");
                return (Settled::GivenUp, BatchResult::Delivered);
            }
            (why, reply.retry_after.and_then(|text| backoff::requested_delay(&text, now)))
        }
        Err(error) => (error.to_string(), None),
    };
    if backoff::is_over(failures, event.at(), now) {
        tracing::warn!(hook = %hook.name, event = event.number, failures, why, "a webhook can't be delivered");
        return (Settled::GivenUp, BatchResult::Failed { requested_delay });
    }
    let delay = backoff::delay(failures, backoff::jitter()).max(requested_delay.unwrap_or_default());
    tracing::warn!(hook = %hook.name, event = event.number, failures, why, again_in = ?delay, "a webhook was not delivered");
    let at = now.checked_add(delay).unwrap_or(Timestamp::MAX);
    (Settled::Retry { at }, BatchResult::Failed { requested_delay })
}
