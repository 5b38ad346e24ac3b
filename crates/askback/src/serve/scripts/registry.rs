//! The scripts of a hub: those that run, and those whose end nobody has heard yet.

use super::console;
use crate::fault::{Fault, Kind};
use crate::mcp::desk::Delivery;
use crate::serve::app::App;
use crate::serve::claims::Said;
use crate::serve::limits::{SCRIPT_KEPT, SCRIPT_MESSAGE, SCRIPTS_KEPT, SCRIPTS_KEPT_BYTES};
use askback_core::{Json, Limits, Name, Object, Outcome, RequestId, Status, Surface};
use askback_hub::{Room, Signature, Token};
use askback_script::{Ended, Engine, Finished, Script};
use futures_util::FutureExt;
use sha2::{Digest, Sha256};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Instant;

/// All of them.
#[derive(Default)]
pub(in crate::serve) struct Scripts {
    /// Started with the first script: most hubs have none.
    engine: Mutex<Option<Engine>>,
    kept: Mutex<Vec<Arc<Kept>>>,
}

/// A script that is to be started.
pub(super) struct NewScript {
    pub(super) id: RequestId,
    /// The asker's token; the script ends when it is revoked.
    pub(super) owner: Arc<Token>,
    pub(super) room: Option<Room>,
    /// The claim of who asks (S9) on every request of the script.
    pub(super) claim: Option<Name>,
    pub(super) code: String,
    /// Whether the same one that was started before is meant, if nobody has heard how it ended (S5).
    pub(super) attach: bool,
}

/// A script, and whose it is.
pub(super) enum Begun {
    New(Arc<Kept>),
    Known(Arc<Kept>),
}

/// A script that was started.
pub(in crate::serve) struct Kept {
    pub(super) id: RequestId,
    owner: Name,
    pub(super) room: Option<Room>,
    pub(super) claim: Option<Name>,
    fingerprint: [u8; 32],
    script: OnceLock<Script>,
    asked: Mutex<Vec<AskedByIt>>,
    /// By which way it was delivered, if it was.
    delivered: Mutex<Option<Way>>,
    ended: OnceLock<End>,
}

/// A way on which something is delivered, if the caller tells several apart.
#[derive(Debug, PartialEq, Eq)]
struct Way(Option<String>);

/// When a script ended, and how many bytes are kept of it.
struct End {
    at: Instant,
    bytes: usize,
}

/// Something that a script has asked.
struct AskedByIt {
    id: RequestId,
    /// The beginning of it.
    message: String,
    ended: Option<Status>,
}

impl Scripts {
    pub(super) fn get(&self, id: &RequestId) -> Option<Arc<Kept>> {
        self.lock().iter().find(|kept| kept.id == *id).cloned()
    }

    /// Starts a script, or finds the one that is meant.
    pub(super) fn begin(
        &self,
        new: NewScript,
        app: &Arc<App>,
        start: impl FnOnce(&Engine, &Arc<Kept>) -> Script,
    ) -> Result<Begun, Fault> {
        let fingerprint = Sha256::digest(&new.code).into();
        let engine = self.engine()?;
        let mut kept = self.lock();
        let is_meant = |other: &&Arc<Kept>| {
            let is_same = other.fingerprint == fingerprint
                && other.owner == new.owner.name
                && other.room == new.room
                && other.claim == new.claim;
            other.id == new.id || (new.attach && is_same && !other.is_delivered())
        };
        if let Some(known) = kept.iter().rev().find(is_meant) {
            // Another's id is nobody's business.
            return if known.owner == new.owner.name && known.fingerprint == fingerprint {
                Ok(Begun::Known(Arc::clone(known)))
            } else {
                Err(Fault::new(Kind::KeyTaken, "another script has this id"))
            };
        }
        forget_old(&mut kept);
        if kept.len() >= SCRIPTS_KEPT {
            return Err(Fault::new(
                Kind::TooMany,
                format!("there are {SCRIPTS_KEPT} scripts: stop one, or try again later"),
            ));
        }
        let script = Arc::new(Kept {
            id: new.id,
            owner: new.owner.name.clone(),
            room: new.room,
            claim: new.claim,
            fingerprint,
            script: OnceLock::new(),
            asked: Mutex::default(),
            delivered: Mutex::default(),
            ended: OnceLock::new(),
        });
        let _ = script.script.set(start(&engine, &script));
        kept.push(Arc::clone(&script));
        tokio::spawn(stop_when_revoked(Arc::clone(&script), new.owner));
        tokio::spawn(clear_up(Arc::clone(&script), Arc::downgrade(app)));
        Ok(Begun::New(script))
    }

    /// Whether a script that has not ended waits for a request.
    fn is_waited_for(&self, id: &RequestId) -> bool {
        let kept = self.lock();
        let running = kept.iter().filter(|kept| kept.ended.get().is_none());
        running.into_iter().any(|kept| kept.asked().iter().any(|asked| asked.id == *id))
    }

    fn engine(&self) -> Result<Engine, Fault> {
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(engine) = &*engine {
            return Ok(engine.clone());
        }
        let started = Engine::new(askback_script::Limits::default(), tokio::runtime::Handle::current());
        let started =
            started.map_err(|error| Fault::new(Kind::TooMany, format!("scripts can't be run now: {error}")))?;
        Ok(engine.insert(started).clone())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Kept>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stops a script when the token that started it is revoked or expires (S8).
async fn stop_when_revoked(kept: Arc<Kept>, owner: Arc<Token>) {
    tokio::select! {
        () = owner.gone() => kept.stop("the token that started it was revoked or has expired"),
        _ = kept.finished() => {}
    }
}

/// Takes away what a script has asked and nobody will ever read: it has ended without it. What it has asked stays if it ends with the
/// hub, and is found by the script that is run again.
async fn clear_up(kept: Arc<Kept>, app: Weak<App>) {
    let finished = kept.finished().await;
    let asked: usize = kept.asked().iter().map(|asked| size_of::<AskedByIt>() + asked.message.len()).sum();
    let bytes = asked + finished.map_or(0, |finished| bytes_of(&finished));
    let _ = kept.ended.set(End { at: Instant::now(), bytes });
    if let Some(app) = app.upgrade() {
        kept.clear_up_if_ended(&app).await;
        forget_old(&mut app.scripts.lock());
    }
}

fn bytes_of(finished: &Finished) -> usize {
    let said = match &finished.ended {
        Ended::Returned(value) => value.as_ref().map_or(0, |value| value.to_string().len()),
        Ended::Threw(why) | Ended::Limit(why) | Ended::Stopped(why) => why.len(),
    };
    said + finished.console.lines.iter().map(|line| line.text.len()).sum::<usize>()
}

/// Forgets what has ended long ago, and what is in the way: first what was heard, and then the oldest.
fn forget_old(kept: &mut Vec<Arc<Kept>>) {
    let is_old = |end: &End| end.at.elapsed() > SCRIPT_KEPT;
    kept.retain(|kept| !kept.ended.get().is_some_and(is_old));
    let has_ended = |kept: &Arc<Kept>| kept.ended.get().is_some();
    let mut bytes: usize = kept.iter().filter_map(|kept| kept.ended.get()).map(|end| end.bytes).sum();
    while (kept.len() >= SCRIPTS_KEPT || bytes > SCRIPTS_KEPT_BYTES)
        && let Some(position) = kept
            .iter()
            .position(|kept| has_ended(kept) && kept.is_delivered())
            .or_else(|| kept.iter().position(has_ended))
    {
        let forgotten = kept.remove(position);
        bytes -= forgotten.ended.get().map_or(0, |end| end.bytes);
    }
}

impl Kept {
    pub(super) fn is_of(&self, name: &Name, room: Option<&Room>) -> bool {
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

    /// Whether that was news, as for requests.
    pub(super) fn deliver(&self, Said { delivery, key }: Said) -> bool {
        let mut delivered = self.delivered.lock().unwrap_or_else(PoisonError::into_inner);
        let way = Way(key);
        let is_its = way.0.is_some() && delivered.as_ref() == Some(&way);
        match delivery {
            Delivery::Made => delivered.replace(way).is_none() || is_its,
            Delivery::Failed if way.0.is_some() && !is_its => false,
            Delivery::Failed => delivered.take().is_some(),
        }
    }

    fn asked(&self) -> MutexGuard<'_, Vec<AskedByIt>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes away what is still open of a script that has ended, unless another that is run waits for it, too.
    pub(super) async fn clear_up_if_ended(&self, app: &App) {
        if self.ended.get().is_none() || app.is_stopping() {
            return;
        }
        let open: Vec<RequestId> =
            self.asked().iter().filter(|asked| asked.ended.is_none()).map(|asked| asked.id.clone()).collect();
        let reason = askback_core::Reason::parse("the script that asked it has ended").ok().flatten();
        for id in open.into_iter().filter(|id| !app.scripts.is_waited_for(id)) {
            let signature = Signature::new(self.owner.clone(), Surface::Http);
            // Whoever answers in this very moment is not disturbed.
            let _ = app.hub.cancel(&id, reason.clone(), signature).await;
        }
    }

    pub(super) fn asks(&self, id: &RequestId, message: &str) {
        let mut asked = self.asked();
        if asked.iter().all(|known| known.id != *id) {
            let message = message.chars().take(SCRIPT_MESSAGE).collect();
            asked.push(AskedByIt { id: id.clone(), message, ended: None });
        }
    }

    pub(super) fn heard(&self, outcome: &Outcome) {
        if let Some(asked) = self.asked().iter_mut().find(|asked| asked.id == *outcome.id()) {
            asked.ended = Some(outcome.status());
        }
    }

    pub(super) fn to_json(&self) -> Json {
        let finished = self.finished().now_or_never().flatten();
        let (status, returned, error) = match finished.as_ref().map(|finished| &finished.ended) {
            None => ("running", Json::Null, None),
            Some(Ended::Returned(value)) => {
                let text = value.as_ref().map_or_else(|| "null".to_owned(), ToString::to_string);
                ("finished", Json::parse(text.as_bytes(), &Limits::STORED).unwrap_or(Json::Null), None)
            }
            Some(Ended::Threw(why) | Ended::Limit(why) | Ended::Stopped(why)) => {
                ("failed", Json::Null, Some(why.as_str()))
            }
        };
        let written = match (&finished, self.script.get()) {
            (Some(finished), _) => console(&finished.console),
            (None, Some(script)) => console(&script.snapshot().console),
            (None, None) => Vec::new(),
        };
        let asked = |asked: &AskedByIt| -> Json {
            let status = asked.ended.map_or("pending", Status::name);
            Object::new()
                .put("id", asked.id.as_str())
                .put("status", status)
                .put("message", asked.message.as_str())
                .into()
        };
        Object::new()
            .put("id", self.id.as_str())
            .put("status", status)
            .put("result", returned)
            .put("error", error)
            .put("console", written)
            .put("requests", self.asked().iter().map(asked).collect::<Vec<_>>())
            .into()
    }
}
