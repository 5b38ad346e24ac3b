//! Asking: once, whatever is tried twice.

use super::Hub;
use crate::clock::{new_uuid, whole_microseconds};
use crate::error::HubError;
use crate::limits::UNDELIVERED_FOR;
use crate::on_drop::OnDrop;
use crate::record::Record;
use crate::room::Room;
use crate::store::{AttemptId, Created, Delivery, NewRequest, Sameness};
use crate::token::{Permit, Token, permit_of};
use crate::waiters::Waiter;
use askback_core::{Name, Outcome, Refusal, Request, RequestId, State};
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// A request on its way to the hub.
#[derive(Debug, Clone)]
pub struct Ask {
    request: Arc<Request>,
    asker: Name,
    /// Refused only where a request was read with larger limits than a name has.
    room: Result<Room, Refusal>,
    id: Option<RequestId>,
    asked_at: Option<Timestamp>,
    again: Again,
    /// The token on whose behalf it is asked, if there is one.
    actor: Option<Arc<Token>>,
}

/// What asking the same again means, where the request has no key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Again {
    /// Another request.
    Another,
    /// The same request, while it is pending or its outcome has not been delivered (S5).
    Same,
    /// The same, and whoever asks says when that is.
    SameDeliveredLater,
}

impl Ask {
    /// Asks in the request's own room, or else in this one.
    pub fn new(request: impl Into<Arc<Request>>, asker: Name, room: Room) -> Self {
        let request = request.into();
        let room = request.room().map_or(Ok(room), Room::parse);
        Self { request, asker, room, id: None, asked_at: None, again: Again::Another, actor: None }
    }

    /// The same on behalf of a token, under the token's name. The hub refuses it unless the token is valid when the request is
    /// stored (S8).
    pub fn by_token(request: impl Into<Arc<Request>>, token: &Arc<Token>, room: Room) -> Self {
        Self { actor: Some(Arc::clone(token)), ..Self::new(request, token.name.clone(), room) }
    }

    /// Under an id that the asker has chosen, so that it knows it whatever happens on the way.
    pub fn with_id(self, id: RequestId) -> Self {
        Self { id: Some(id), ..self }
    }

    /// As of this moment: a timeout counts from when the person was first asked, wherever that was, and not from when the hub
    /// was reached.
    pub fn asked_at(self, moment: Timestamp) -> Self {
        Self { asked_at: Some(moment), ..self }
    }

    /// For an asker that may ask the same again because it did not hear the outcome (S5): of what it has asked attaching, it
    /// then gets the request that is pending, or the outcome that was not delivered, which counts as delivered from then on. An
    /// outcome that was delivered, or that nobody came for in [`UNDELIVERED_FOR`], is never used again. Whoever waits for such
    /// an asker says so with [`Hub::delivered`]. A key is stronger: it leads to its request in any case.
    pub fn attaching(self) -> Self {
        Self { again: Again::Same, ..self }
    }

    /// [Attaching](Ask::attaching), for whoever carries the outcome further and says in any case when it is handed over: one that is
    /// found is not delivered before [`Hub::delivered`] says so. Should this answer get lost, asking once more finds it again.
    pub fn attaching_to_deliver(self) -> Self {
        Self { again: Again::SameDeliveredLater, ..self }
    }

    fn fingerprint(&self) -> Option<[u8; 32]> {
        (self.again != Again::Another).then(|| Sha256::digest(self.request.to_json().to_string()).into())
    }
}

/// A request that the hub has.
#[derive(Debug, Clone)]
pub enum Asked {
    /// It is new.
    New(Arc<Record>),
    /// It was there before.
    Known(Arc<Record>),
}

impl Asked {
    /// The request.
    pub fn record(&self) -> &Arc<Record> {
        match self {
            Self::New(record) | Self::Known(record) => record,
        }
    }

    /// Its id.
    pub fn id(&self) -> &RequestId {
        &self.record().id
    }
}

/// An id for a new request, which no other has.
pub fn new_id() -> RequestId {
    RequestId::parse(&new_uuid().to_string()).expect("a UUID written by its own crate is an id")
}

impl Hub {
    /// Asks. What comes back is durable: it survives whatever happens to this process.
    pub async fn ask(&self, ask: Ask) -> Result<Asked, HubError> {
        let fingerprint = ask.fingerprint();
        let Ask { request, asker, room, id, asked_at, again, actor } = ask;
        let room = room.map_err(|refusal| HubError::Refused { what: "the room", refusal })?;
        let created_at = self.shared.now();
        let asked_at = asked_at.map_or(created_at, |moment| whole_microseconds(moment).min(created_at));
        let deadline = request.timeout_s().map(|seconds| after(asked_at, seconds));
        let id = id.unwrap_or_else(new_id);
        let attempt = AttemptId::new();
        let new = NewRequest { id, room, asker, request, created_at, deadline, fingerprint, attempt };
        let permit = permit_of(actor.as_ref()).await?.map(Arc::new);
        loop {
            match self.create(new.clone(), permit.clone()).await? {
                Created::New(record) => {
                    self.shared.recent.keep_new(&record);
                    return Ok(Asked::New(record));
                }
                Created::Repeated(record) => return Ok(Asked::New(record)),
                Created::Same(Sameness::Id, found) if is_same(&found, &new) => return Ok(Asked::Known(found)),
                Created::Same(Sameness::Id, _) => return Err(HubError::IdTaken(new.id)),
                Created::Same(Sameness::Key, found) if asks_the_same(&found, &new) => return Ok(Asked::Known(found)),
                Created::Same(Sameness::Key, found) => {
                    let key = new.request.key().unwrap_or_default().to_owned();
                    return Err(HubError::KeyTaken { key, id: found.id.clone() });
                }
                Created::Same(Sameness::Fingerprint, found) if found.outcome.is_none() => {
                    return Ok(Asked::Known(found));
                }
                Created::Same(Sameness::Fingerprint, found) => {
                    let ended = found.outcome.as_ref().map_or(created_at, |outcome| outcome.at());
                    let is_fresh = created_at.duration_since(ended) <= UNDELIVERED_FOR;
                    if is_fresh && again == Again::SameDeliveredLater {
                        return Ok(Asked::Known(found));
                    }
                    // It is ours to deliver now, unless somebody who asked at the same time was faster. What is too old is
                    // nobody's: the same words may mean something else by now.
                    let is_ours = self.delivered(&found.id).await?;
                    if is_ours && is_fresh {
                        return Ok(Asked::Known(found));
                    }
                }
            }
        }
    }

    async fn create(&self, new: NewRequest, permit: Option<Arc<Permit>>) -> Result<Created, HubError> {
        if let Err(limit) = self.shared.gauge.enter(&new.id, &new.asker) {
            // A retry is no new request, and so not one too many.
            return self.shared.store.find(new).await?.ok_or(limit);
        }
        self.to_its_end(|shared| async move {
            let created = shared.write(|store| store.create(new.clone())).await;
            drop(permit);
            if !matches!(created, Ok(Created::New(_))) {
                shared.gauge.give_back(&new.id, &new.asker);
            }
            Ok(created?)
        })
        .await
    }

    /// How far a request has come.
    pub async fn outcome(&self, id: &RequestId) -> Result<State, HubError> {
        Ok(self.record(id).await?.state())
    }

    /// A request with everything known of it.
    pub async fn record(&self, id: &RequestId) -> Result<Arc<Record>, HubError> {
        self.shared.read(id).await
    }

    /// Waits for the outcome as its asker does, for as long as it takes or this long. Whoever only watches follows the
    /// [events](Hub::events): that an asker waits is known to everyone (L9).
    pub async fn wait(&self, id: &RequestId, at_most: Option<Duration>) -> Result<State, HubError> {
        // Whatever happens from here on wakes the waiter, so that nothing falls between reading and waiting.
        let waiter = self.shared.waiters.register(id)?;
        if self.shared.recent.get(id).is_none() {
            let record = self.shared.read(id).await?;
            if record.outcome.is_some() {
                return Ok(record.state());
            }
        }
        let waiting = self.wait_with(&waiter, id);
        let outcome = match at_most {
            None => waiting.await?,
            Some(at_most) => match timeout(at_most, waiting).await {
                Ok(outcome) => outcome?,
                Err(_) => return Ok(State::Pending(id.clone())),
            },
        };
        Ok(State::Final(Outcome::clone(&outcome)))
    }

    /// Waits, and marks until when the asker waited, if it left before the end.
    pub(super) async fn wait_with(&self, waiter: &Waiter<'_>, id: &RequestId) -> Result<Arc<Outcome>, HubError> {
        let seen = OnDrop(|| self.shared.waited.mark(id, self.shared.now()));
        let outcome = waiter.outcome().await?;
        std::mem::forget(seen);
        Ok(outcome)
    }

    /// Says that the outcome is about to reach its asker (S5): from now on, asking the same again is another request. To be
    /// said before it is handed over, since what can't be known afterwards must not be used twice. True if that was news;
    /// false if it was said before, or there is no outcome to deliver.
    pub async fn delivered(&self, id: &RequestId) -> Result<bool, HubError> {
        Ok(self.shared.store.deliver(id.clone(), Delivery::Made(self.shared.now())).await?)
    }

    /// Says that it did not reach its asker after all.
    pub async fn not_delivered(&self, id: &RequestId) -> Result<bool, HubError> {
        Ok(self.shared.store.deliver(id.clone(), Delivery::Failed).await?)
    }
}

/// Whether a request is the one that is asked again under its id.
fn is_same(found: &Record, new: &NewRequest) -> bool {
    asks_the_same(found, new) && found.asker == new.asker && found.room == new.room
}

/// Whether they ask the same, whether or not the request itself names the room.
fn asks_the_same(found: &Record, new: &NewRequest) -> bool {
    found.request.is_same_apart_from_room(&new.request)
}

fn after(moment: Timestamp, seconds: u32) -> Timestamp {
    moment.checked_add(jiff::SignedDuration::from_secs(seconds.into())).unwrap_or(Timestamp::MAX)
}
