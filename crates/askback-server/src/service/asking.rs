//! Asking, and waiting for outcomes.

use super::{Caller, Service, views};
use crate::fault::Fault;
use crate::limits::FREE_BYTES;
use crate::pool::{PoolError, PoolLease};
use askback_api::{AskAgain, AskQuery, Asked, ProblemCode};
use askback_core::{Outcome, Refusal, Request, RequestId, Room, Rule, State};
use askback_hub::{Ask, Asked as HubAsked, HubError, Record, Role};
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The permission for one request or script, within the rate of a token.
pub(crate) struct AskPermit(());

impl Service {
    /// Counts a request or script of an asker, and refuses it beyond the rate: before its body is read, valid or not.
    pub(crate) fn admit_ask(&self, caller: &Caller) -> Result<AskPermit, Fault> {
        caller.asks()?;
        let counted = self.asks.take(caller.token.number, Instant::now());
        counted.map_err(|_| Fault::new(ProblemCode::TooMany, "this token asks too often: ask again in a second"))?;
        Ok(AskPermit(()))
    }

    /// Asks in the request's room, if the token may ask there, or else in the token's (L8).
    pub(crate) async fn ask(
        &self,
        caller: &Caller,
        _: AskPermit,
        request: impl Into<Arc<Request>>,
        query: AskQuery,
    ) -> Result<HubAsked, Fault> {
        let request = request.into();
        caller.asks()?;
        let room = room_of(caller, &request)?;
        let ask = caller.ask(request, room);
        let ask = query.id.into_iter().fold(ask, Ask::with_id);
        let ask = query.asked_at.into_iter().fold(ask, Ask::asked_at);
        let ask = match query.again {
            AskAgain::Anew => ask,
            AskAgain::Attach => ask.attaching(),
            AskAgain::AttachAndDeliverLater => ask.attaching_to_deliver(),
        };
        Ok(self.hub.ask(ask).await?)
    }

    /// The result of asking, as the API returns it.
    pub(crate) fn asked(&self, asked: &HubAsked) -> Asked {
        let record = views::record(asked.record(), self.hub.attendance_here(asked.record()));
        Asked { record, is_known: matches!(asked, HubAsked::Known(_)) }
    }

    /// Waits for the outcome of a request, for this time at most.
    pub(crate) async fn wait(
        &self,
        caller: &Caller,
        id: &str,
        at_most: Option<Duration>,
    ) -> Result<(Arc<Record>, Option<Arc<Outcome>>), Fault> {
        let record = self.visible(caller, id).await?;
        if record.outcome.is_some() || at_most.is_some_and(|at_most| at_most.is_zero()) {
            if record.outcome.is_none() && caller.token.role == Role::Asker {
                self.hub.asker_looked(&record.id);
            }
            let outcome = record.outcome.clone();
            return Ok((record, outcome));
        }
        let id = record.id.clone();
        // A large request is read again when it is over: thousands of calls may wait with one.
        let record = (record.size <= FREE_BYTES).then_some(record);
        let _waiting = self.waiting.enter();
        let _attending = self.attending_call(caller);
        let state = {
            // Pinned here: a future that is passed by value takes its memory twice, for every call that waits.
            let waiting = pin!(async {
                tokio::select! {
                    biased;
                    state = self.hub_wait(caller, &id, at_most) => state.map_err(as_stopping),
                    () = self.stopped() => Err(stopping()),
                }
            });
            caller.while_valid(waiting).await?
        };
        let outcome = match state {
            State::Final(outcome) => Some(Arc::new(outcome)),
            State::Pending(_) => None,
        };
        let record = match record {
            Some(record) => record,
            None => self.visible(caller, id.as_str()).await?,
        };
        Ok((record, outcome))
    }

    async fn hub_wait(&self, caller: &Caller, id: &RequestId, at_most: Option<Duration>) -> Result<State, HubError> {
        match caller.token.role {
            Role::Asker => self.hub.wait(id, at_most).await,
            // A person who waits does not count as the asker waiting (L9).
            Role::Answerer | Role::Admin => {
                // Boxed: it is rare, and larger than the wait of an asker, of which there may be thousands.
                Box::pin(self.hub.watch(id, at_most.unwrap_or(Duration::MAX))).await
            }
        }
    }
}

impl Service {
    /// The lease for a request of this size that a call keeps in memory while it waits; none if the caller has its share.
    pub(super) fn hold_waiting(&self, caller: &Caller, size: usize) -> Result<PoolLease, PoolError> {
        let mut lease = self.waiting_requests.lease(caller.holder());
        lease.grow_to(size.saturating_sub(FREE_BYTES)).map(|()| lease)
    }
}

fn as_stopping(error: HubError) -> Fault {
    match Fault::from(error) {
        fault if fault.code == ProblemCode::Stopping => stopping(),
        fault => fault,
    }
}

fn stopping() -> Fault {
    Fault::new(ProblemCode::Stopping, "the hub is stopping, and the request stays as it is: come back and wait again")
}

/// The room of a request.
pub(super) fn room_of(caller: &Caller, request: &Request) -> Result<Room, Fault> {
    let named = request.room().map(Room::parse).transpose();
    let named = named.map_err(|refusal| Fault::refused(ProblemCode::InvalidRequest, "room", refusal))?;
    caller.narrow_room(named)?.ok_or_else(|| {
        let refusal = Refusal {
            rule: Rule::Required,
            message: "neither the request nor the token names a room".to_owned(),
            expected: "the name of a project or a session, at /mcp also as ?room=NAME".to_owned(),
        };
        Fault::refused(ProblemCode::InvalidRequest, "room", refusal)
    })
}
