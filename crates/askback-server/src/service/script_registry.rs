//! The scripts of a hub: those that run, and those that have ended and are still kept.

use super::Service;
use super::delivery::attempt;
use crate::fault::Fault;
use crate::limits::{SCRIPT_KEPT, SCRIPT_MESSAGE, SCRIPTS_KEPT, SCRIPTS_KEPT_BYTES, SCRIPTS_OF_ASKER};
use askback_api::{DeliveryBody, ProblemCode, Script as ApiScript, ScriptRequest, ScriptStatus};
use askback_core::{Json, Name, Outcome, Reason, RequestId, Status, Surface, show};
use askback_hub::{Room, Signature, Token};
use askback_script::{Ended, Finished, Level, Script, Transcript, WorkerLimits, WorkerProgram, Workers};
use futures_util::FutureExt;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Instant;

/// The scripts of a hub.
#[derive(Default)]
pub(super) struct Scripts {
    /// None in a hub that runs no scripts.
    workers: Option<Workers>,
    kept: Mutex<Vec<Arc<TrackedScript>>>,
}

/// A script to start.
pub(super) struct NewScript {
    pub(super) id: RequestId,
    /// The asker's token; the script ends when it is revoked.
    pub(super) owner: Arc<Token>,
    pub(super) room: Option<Room>,
    /// Whether its requests may name no other room.
    pub(super) only_room: bool,
    /// The asker's claim (S9) on every request of the script.
    pub(super) claim: Option<Name>,
    pub(super) code: String,
    /// Whether to attach to a script with the same code whose end was not delivered (S5).
    pub(super) attach: bool,
}

/// A script in the registry.
pub(super) struct TrackedScript {
    pub(super) id: RequestId,
    owner: Name,
    pub(super) room: Option<Room>,
    /// Whether its requests may name no other room.
    pub(super) only_room: bool,
    pub(super) claim: Option<Name>,
    fingerprint: [u8; 32],
    script: OnceLock<Script>,
    asked: Mutex<Vec<TrackedRequest>>,
    /// The attempt that delivered it last, with its key if the caller distinguishes several.
    delivered: Mutex<Option<Option<Name>>>,
    ended: OnceLock<End>,
}

/// The end of a script, and the bytes that are kept of it.
struct End {
    at: Instant,
    bytes: usize,
}

/// A request of a script.
struct TrackedRequest {
    id: RequestId,
    /// The beginning of its message.
    message: String,
    ended: Option<Status>,
}

impl Scripts {
    /// Scripts that this program runs in processes of its own. It is called on the server's runtime.
    pub(super) fn run_by(program: WorkerProgram) -> Self {
        let workers = Workers::new(program, WorkerLimits::default(), tokio::runtime::Handle::current());
        Self { workers: Some(workers), kept: Mutex::default() }
    }

    pub(super) fn get(&self, id: &RequestId) -> Option<Arc<TrackedScript>> {
        self.lock().iter().find(|kept| kept.id == *id).cloned()
    }

    /// Starts a script, or finds one that was started before. Returns whether it was found.
    pub(super) fn start(
        &self,
        new: NewScript,
        service: &Arc<Service>,
        start: impl FnOnce(&Workers, String, &Arc<TrackedScript>) -> Script,
    ) -> Result<(Arc<TrackedScript>, bool), Fault> {
        let fingerprint = Sha256::digest(&new.code).into();
        let Some(workers) = &self.workers else {
            return Err(Fault::new(ProblemCode::NotFound, "this hub runs no scripts: ask by requests instead"));
        };
        let mut kept = self.lock();
        let matches = |other: &&Arc<TrackedScript>| {
            let is_same = other.fingerprint == fingerprint
                && other.owner == new.owner.name
                && (&other.room, other.only_room) == (&new.room, new.only_room)
                && other.claim == new.claim;
            other.id == new.id || (new.attach && is_same && !other.is_delivered())
        };
        if let Some(known) = kept.iter().rev().find(matches) {
            // An id does not reveal another asker's script.
            return if known.owner == new.owner.name && known.fingerprint == fingerprint {
                Ok((Arc::clone(known), true))
            } else {
                Err(Fault::new(ProblemCode::KeyTaken, "another script has this id"))
            };
        }
        forget_old(&mut kept);
        if kept.len() >= SCRIPTS_KEPT {
            return Err(Fault::new(
                ProblemCode::TooMany,
                format!("there are {SCRIPTS_KEPT} scripts: stop one, or try again later"),
            ));
        }
        let running = kept.iter().filter(|kept| kept.owner == new.owner.name && kept.ended.get().is_none()).count();
        if running >= SCRIPTS_OF_ASKER {
            let why = format!(
                "{} has {SCRIPTS_OF_ASKER} scripts that run or wait, and may have no more: stop one, or try again later",
                show::quote(new.owner.name.as_str())
            );
            return Err(Fault::new(ProblemCode::TooMany, why));
        }
        let script = Arc::new(TrackedScript {
            id: new.id,
            owner: new.owner.name.clone(),
            room: new.room,
            only_room: new.only_room,
            claim: new.claim,
            fingerprint,
            script: OnceLock::new(),
            asked: Mutex::default(),
            delivered: Mutex::default(),
            ended: OnceLock::new(),
        });
        let _ = script.script.set(start(workers, new.code, &script));
        kept.push(Arc::clone(&script));
        tokio::spawn(stop_when_revoked(Arc::clone(&script), new.owner));
        tokio::spawn(cancel_open_requests(Arc::clone(&script), Arc::downgrade(service)));
        Ok((script, false))
    }

    /// Whether a running script waits for a request.
    fn is_waited_for(&self, id: &RequestId) -> bool {
        let kept = self.lock();
        let running = kept.iter().filter(|kept| kept.ended.get().is_none());
        running.into_iter().any(|kept| kept.asked().iter().any(|asked| asked.id == *id))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<TrackedScript>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stops a script when the token that started it is revoked or expires (S8).
async fn stop_when_revoked(kept: Arc<TrackedScript>, owner: Arc<Token>) {
    tokio::select! {
        () = owner.gone() => kept.stop("the token that started it was revoked or has expired"),
        _ = kept.finished() => {}
    }
}

/// Cancels the pending requests of a script once it has ended. Those of a script that ends with the hub stay pending, and the script
/// finds them when it runs again.
async fn cancel_open_requests(kept: Arc<TrackedScript>, service: Weak<Service>) {
    let finished = kept.finished().await;
    let asked: usize = kept.asked().iter().map(|asked| size_of::<TrackedRequest>() + asked.message.len()).sum();
    let bytes = asked + finished.map_or(0, |finished| bytes_of(&finished));
    let _ = kept.ended.set(End { at: Instant::now(), bytes });
    if let Some(service) = service.upgrade() {
        kept.cancel_open_if_ended(&service).await;
        forget_old(&mut service.scripts.lock());
    }
}

fn bytes_of(finished: &Finished) -> usize {
    let result = match &finished.ended {
        Ended::Returned(value) => value.as_ref().map_or(0, |value| value.to_string().len()),
        Ended::Threw(why) | Ended::Limit(why) | Ended::Stopped(why) | Ended::Lost(why) => why.len(),
    };
    result + finished.console.lines.iter().map(|line| line.text.len()).sum::<usize>()
}

/// Removes scripts that ended long ago, and beyond the limits those of the asker that has most, first the ones that were
/// delivered, and then the oldest.
fn forget_old(kept: &mut Vec<Arc<TrackedScript>>) {
    let is_old = |end: &End| end.at.elapsed() > SCRIPT_KEPT;
    kept.retain(|kept| !kept.ended.get().is_some_and(is_old));
    let mut bytes: usize = kept.iter().filter_map(|kept| kept.ended.get()).map(|end| end.bytes).sum();
    while kept.len() >= SCRIPTS_KEPT || bytes > SCRIPTS_KEPT_BYTES {
        let Some(owner) = largest_owner(kept) else { return };
        let ended = |kept: &&Arc<TrackedScript>| kept.owner == owner && kept.ended.get().is_some();
        let delivered = kept.iter().position(|kept| ended(&kept) && kept.is_delivered());
        let Some(position) = delivered.or_else(|| kept.iter().position(|kept| ended(&kept))) else { return };
        let forgotten = kept.remove(position);
        bytes -= forgotten.ended.get().map_or(0, |end| end.bytes);
    }
}

/// The asker with the largest share of what is kept of ended scripts, in number and bytes.
fn largest_owner(kept: &[Arc<TrackedScript>]) -> Option<Name> {
    let mut shares = HashMap::<&Name, usize>::new();
    for (owner, end) in kept.iter().filter_map(|kept| Some((&kept.owner, kept.ended.get()?))) {
        *shares.entry(owner).or_default() += end.bytes + SCRIPTS_KEPT_BYTES / SCRIPTS_KEPT;
    }
    shares.into_iter().max_by_key(|(_, share)| *share).map(|(owner, _)| owner.clone())
}

impl TrackedScript {
    pub(super) fn belongs_to(&self, name: &Name, room: Option<&Room>) -> bool {
        self.owner == *name && room.is_none_or(|room| self.room.as_ref() == Some(room))
    }

    pub(super) async fn finished(&self) -> Option<Arc<Finished>> {
        match self.script.get() {
            Some(script) => Some(script.finished().await),
            None => None,
        }
    }

    pub(super) fn stop(&self, why: &str) {
        if let Some(script) = self.script.get() {
            script.stop(why);
        }
    }

    fn is_delivered(&self) -> bool {
        self.delivered.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Records a delivery report. Returns whether it changed anything, as for requests.
    pub(super) fn deliver(&self, body: &DeliveryBody) -> Result<bool, Fault> {
        let attempt = attempt(body)?;
        let mut last = self.delivered.lock().unwrap_or_else(PoisonError::into_inner);
        let (has_key, is_same) = (attempt.is_some(), attempt.is_some() && last.as_ref() == Some(&attempt));
        Ok(match body.delivered {
            true => last.replace(attempt).is_none() || is_same,
            false if has_key && !is_same => false,
            false => last.take().is_some(),
        })
    }

    fn asked(&self) -> MutexGuard<'_, Vec<TrackedRequest>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Cancels the pending requests of a script that has ended, unless another running script waits for them, too.
    pub(super) async fn cancel_open_if_ended(&self, service: &Service) {
        if self.ended.get().is_none() || service.is_stopping() {
            return;
        }
        let open: Vec<RequestId> =
            self.asked().iter().filter(|asked| asked.ended.is_none()).map(|asked| asked.id.clone()).collect();
        let is_lost = self.finished().now_or_never().flatten().is_some_and(|end| matches!(end.ended, Ended::Lost(_)));
        let reason = Reason::parse("the script that asked it has ended").ok().flatten();
        for id in open.into_iter().filter(|id| !service.scripts.is_waited_for(id)) {
            let signature = Signature::new(self.owner.clone(), Surface::Http);
            // An answer that arrives first counts.
            if service.hub.cancel(&id, reason.clone(), signature).await.is_ok() && is_lost {
                // The script is to be run again, and is not to find this end.
                let _ = service.hub.delivered(&id).await;
            }
        }
    }

    pub(super) fn track(&self, id: &RequestId, message: &str) {
        let mut asked = self.asked();
        if asked.iter().all(|known| known.id != *id) {
            let message = message.chars().take(SCRIPT_MESSAGE).collect();
            asked.push(TrackedRequest { id: id.clone(), message, ended: None });
        }
    }

    pub(super) fn track_end(&self, outcome: &Outcome) {
        if let Some(asked) = self.asked().iter_mut().find(|asked| asked.id == *outcome.id()) {
            asked.ended = Some(outcome.status());
        }
    }

    pub(super) fn to_api(&self) -> ApiScript {
        let finished = self.finished().now_or_never().flatten();
        let (status, result, error) = match finished.as_ref().map(|finished| &finished.ended) {
            None => (ScriptStatus::Running, Json::Null, None),
            Some(Ended::Returned(value)) => {
                (ScriptStatus::Finished, value.clone().map_or(Json::Null, Json::from), None)
            }
            Some(Ended::Threw(why) | Ended::Limit(why) | Ended::Stopped(why) | Ended::Lost(why)) => {
                (ScriptStatus::Failed, Json::Null, Some(why.clone()))
            }
        };
        let console = match (&finished, self.script.get()) {
            (Some(finished), _) => console(&finished.console),
            (None, Some(script)) => console(&script.snapshot().console),
            (None, None) => Vec::new(),
        };
        let request = |asked: &TrackedRequest| ScriptRequest {
            id: asked.id.clone(),
            status: asked.ended.unwrap_or(Status::Pending),
            message: asked.message.clone(),
        };
        let requests = self.asked().iter().map(request).collect();
        ApiScript { id: self.id.clone(), status, result, error, console, requests }
    }
}

/// The console output of a script, one item for each call.
fn console(transcript: &Transcript) -> Vec<String> {
    let line = |line: &askback_script::ConsoleLine| match line.level {
        Level::Warn | Level::Error => format!("{}: {}", line.level.name(), line.text),
        Level::Debug | Level::Log | Level::Info => line.text.clone(),
    };
    let mut lines: Vec<String> = transcript.lines.iter().map(line).collect();
    if transcript.dropped > 0 {
        lines.push(format!("… and {} more that were not kept", transcript.dropped));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use askback_hub::new_id;

    fn ended(owner: &str, bytes: usize) -> Arc<TrackedScript> {
        Arc::new(TrackedScript {
            id: new_id(),
            owner: Name::parse(owner).unwrap(),
            room: None,
            only_room: false,
            claim: None,
            fingerprint: [0; 32],
            script: OnceLock::new(),
            asked: Mutex::default(),
            delivered: Mutex::default(),
            ended: OnceLock::from(End { at: Instant::now(), bytes }),
        })
    }

    // S3
    #[test]
    fn asker_that_fills_the_place_loses_its_own_scripts() {
        for (count, bytes) in [(SCRIPTS_KEPT, 0), (100, SCRIPTS_KEPT_BYTES / 99)] {
            let mut kept = vec![ended("bo", 1_000)];
            kept.extend((0..count).map(|_| ended("ada", bytes)));
            forget_old(&mut kept);
            assert!(kept.len() < SCRIPTS_KEPT && kept.len() >= 98, "{}", kept.len());
            assert_eq!(kept[0].owner.as_str(), "bo", "it is the oldest");
        }
    }
}
