//! The API in process: the same calls as over HTTP.

use super::ending::Ended;
use super::reading::FollowedEvents;
use super::{Caller, Service};
use crate::fault::Fault;
use askback_api::{
    AnswerBody, ApiError, ApiFuture, AskQuery, Asked, AskerApi, AuditEvent, AuditQuery, CancelBody, Change,
    DeclineBody, DeliveryBody, DismissBody, Ended as EndedRequest, EndedHead, EventStream, HubApi, IssuedToken,
    ListQuery, LoginLink, LoginLinkBody, Me, Page, PersonApi, ProblemCode, Record, RequestRef, RoomQuery, Script,
    ScriptBody, ScriptQuery, StreamEvent, TokenBody, TokenList, UnattendedList,
};
use askback_client::{new_id, retry};
use askback_core::{Outcome, Request, RequestId, Room, Status};
use askback_hub::Event;
use futures_util::TryFutureExt;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// The time for which a call is retried while the hub is busy, as a client over a connection does.
const RETRY_TIMEOUT: Duration = Duration::from_secs(20);

/// The pause after which a wait that met a busy hub goes on.
const WAIT_PAUSE: Duration = Duration::from_millis(500);

fn is_busy(fault: &Fault) -> bool {
    matches!(fault.code, ProblemCode::TooMany | ProblemCode::StoreFailed)
}

/// A caller of a hub in this process.
#[derive(Clone)]
pub(crate) struct CallerSession {
    service: Arc<Service>,
    caller: Caller,
    /// The room of requests that name none.
    room: Option<Room>,
}

impl CallerSession {
    pub(crate) fn new(service: Arc<Service>, caller: Caller, room: Option<Room>) -> Self {
        Self { service, caller, room }
    }

    /// Calls a use case with a copy of its body, and again while the hub is busy.
    fn retry<'a, B, T, F>(&'a self, body: B, call: impl Fn(&'a Self, B) -> F + Send + 'a) -> ApiFuture<'a, T>
    where
        B: Clone + Send + 'a,
        T: Send + 'a,
        F: Future<Output = Result<T, Fault>> + Send + 'a,
    {
        Box::pin(retry(RETRY_TIMEOUT, move || call(self, body.clone()).map_err(ApiError::from)))
    }
}

/// The outcome of a use case that ends a request.
fn outcome((_, outcome): Ended) -> Outcome {
    Arc::unwrap_or_clone(outcome)
}

impl HubApi for CallerSession {
    fn me(&self, query: RoomQuery) -> ApiFuture<'_, Me> {
        Box::pin(async move { Ok(self.service.me(&self.caller, query).await?) })
    }

    fn show<'a>(&'a self, id: &'a RequestId) -> ApiFuture<'a, Record> {
        self.retry((), move |session, ()| session.service.show(&session.caller, id.as_str()))
    }

    fn list(&self, query: ListQuery) -> ApiFuture<'_, Page<Record>> {
        self.retry(query, |session, query| session.service.list(&session.caller, query))
    }

    fn wait<'a>(&'a self, request: RequestRef<'a>, at_most: Option<Duration>) -> ApiFuture<'a, Option<Outcome>> {
        Box::pin(async move {
            // The caller keeps the request while it waits, which this token may do with so many bytes. Past that, the call ends at once.
            let record = self.service.visible(&self.caller, request.id.as_str()).await?;
            let Ok(_held) = self.service.hold_waiting(&self.caller, record.size) else {
                return Ok(record.outcome.as_deref().cloned());
            };
            drop(record);
            let end = at_most.and_then(|at_most| Instant::now().checked_add(at_most));
            loop {
                let left = end.map(|end| end.saturating_duration_since(Instant::now()));
                match self.service.wait(&self.caller, request.id.as_str(), left).await {
                    // A busy hub does not end the wait. One that stops does: the caller comes back to the next one.
                    Err(fault) if is_busy(&fault) && left.is_none_or(|left| !left.is_zero()) => {
                        sleep(left.map_or(WAIT_PAUSE, |left| left.min(WAIT_PAUSE))).await;
                    }
                    waited => return Ok(waited?.1.map(Arc::unwrap_or_clone)),
                }
            }
        })
    }

    fn cancel<'a>(&'a self, request: RequestRef<'a>, body: CancelBody) -> ApiFuture<'a, Outcome> {
        self.retry(body, move |session, body| {
            session.service.cancel(&session.caller, request.id.as_str(), body).map_ok(outcome)
        })
    }

    fn events(&self, query: RoomQuery, after: Option<u64>) -> ApiFuture<'_, Box<dyn EventStream>> {
        Box::pin(async move {
            let followed = self.service.follow(&self.caller, query, after).await?;
            let events = SessionEvents { caller: self.caller.clone(), followed, replayed: VecDeque::new() };
            Ok(Box::new(events) as Box<dyn EventStream>)
        })
    }
}

impl AskerApi for CallerSession {
    fn connect(&self) -> ApiFuture<'_, ()> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn ask(&self, request: Arc<Request>, query: AskQuery) -> ApiFuture<'_, Asked> {
        Box::pin(async move {
            let request = match &self.room {
                Some(room) if request.room().is_none() => Arc::new(Arc::unwrap_or_clone(request).with_room(room)),
                _ => request,
            };
            // The body that it came with no longer counts.
            let _held =
                self.service.hold_waiting(&self.caller, request.to_json().to_string().len()).map_err(Fault::from)?;
            // With one id, so that a retry finds the same request.
            let query = AskQuery { id: Some(query.id.unwrap_or_else(new_id)), ..query };
            retry(RETRY_TIMEOUT, || async {
                let permit = self.service.admit_ask(&self.caller)?;
                match self.service.ask(&self.caller, permit, Arc::clone(&request), query.clone()).await {
                    Ok(asked) => Ok(Ok(self.service.asked(&asked))),
                    // Only answers make place for other requests, and each attempt reads the whole request again.
                    Err(fault) if fault.code == ProblemCode::TooMany => Ok(Err(ApiError::from(fault))),
                    Err(fault) => Err(ApiError::from(fault)),
                }
            })
            .await?
        })
    }

    fn list_own(&self, status: Option<Status>, limit: usize) -> ApiFuture<'_, Page<Record>> {
        let asker = Some(self.caller.name().clone());
        self.list(ListQuery { status, room: self.room.clone(), asker, cursor: None, limit: Some(limit) })
    }

    fn deliver<'a>(&'a self, id: &'a RequestId, body: DeliveryBody) -> ApiFuture<'a, bool> {
        self.retry(body, async move |session, body| session.service.deliver(&session.caller, id.as_str(), &body).await)
    }

    fn answer_in_dialog<'a>(&'a self, request: RequestRef<'a>, body: AnswerBody) -> ApiFuture<'a, Outcome> {
        self.answer(request, body)
    }

    fn decline_in_dialog<'a>(&'a self, request: RequestRef<'a>, body: DeclineBody) -> ApiFuture<'a, Outcome> {
        self.decline(request, body)
    }

    fn start_script(&self, body: ScriptBody, query: ScriptQuery) -> ApiFuture<'_, Script> {
        Box::pin(async move {
            let room = body.room.or_else(|| self.room.as_ref().map(|room| room.as_str().to_owned()));
            let (body, query) =
                (ScriptBody { room, ..body }, ScriptQuery { id: Some(query.id.unwrap_or_else(new_id)), ..query });
            retry(RETRY_TIMEOUT, || async {
                let permit = self.service.admit_ask(&self.caller)?;
                Ok(self.service.start_script(&self.caller, permit, body.clone(), query.clone())?.0)
            })
            .await
        })
    }

    fn wait_for_script<'a>(&'a self, id: &'a RequestId, at_most: Duration) -> ApiFuture<'a, Script> {
        Box::pin(async move { Ok(self.service.wait_for_script(&self.caller, id.as_str(), at_most).await?) })
    }

    fn stop_script<'a>(&'a self, id: &'a RequestId) -> ApiFuture<'a, Script> {
        Box::pin(async move { Ok(self.service.stop_script(&self.caller, id.as_str()).await?) })
    }

    fn deliver_script<'a>(&'a self, id: &'a RequestId, body: DeliveryBody) -> ApiFuture<'a, bool> {
        self.retry(body, async move |session, body| {
            session.service.deliver_script(&session.caller, id.as_str(), &body).await
        })
    }
}

impl PersonApi for CallerSession {
    fn answer<'a>(&'a self, request: RequestRef<'a>, body: AnswerBody) -> ApiFuture<'a, Outcome> {
        self.retry(body, move |session, body| {
            session.service.answer(&session.caller, request.id.as_str(), body).map_ok(outcome)
        })
    }

    fn decline<'a>(&'a self, request: RequestRef<'a>, body: DeclineBody) -> ApiFuture<'a, Outcome> {
        self.retry(body, move |session, body| {
            session.service.decline(&session.caller, request.id.as_str(), body).map_ok(outcome)
        })
    }

    fn dismiss(&self, body: DismissBody) -> ApiFuture<'_, u64> {
        Box::pin(async move { Ok(self.service.dismiss(&self.caller, body).await?) })
    }

    fn unattended(&self, query: RoomQuery) -> ApiFuture<'_, UnattendedList> {
        Box::pin(async move { Ok(self.service.unattended(&self.caller, query).await?) })
    }

    fn audit(&self, query: AuditQuery) -> ApiFuture<'_, Page<AuditEvent>> {
        Box::pin(async move { Ok(self.service.audit(&self.caller, query).await?) })
    }

    fn issue_token(&self, body: TokenBody) -> ApiFuture<'_, IssuedToken> {
        Box::pin(async move { Ok(self.service.issue_token(&self.caller, body).await?) })
    }

    fn tokens(&self) -> ApiFuture<'_, TokenList> {
        Box::pin(async move { Ok(self.service.tokens(&self.caller)?) })
    }

    fn revoke_token(&self, number: u64) -> ApiFuture<'_, ()> {
        Box::pin(async move { Ok(self.service.revoke_token(&self.caller, Some(number)).await?) })
    }

    fn login_link(&self, body: LoginLinkBody) -> ApiFuture<'_, LoginLink> {
        Box::pin(async move { Ok(self.service.login_link(&self.caller, body).await?) })
    }
}

/// The event stream of a hub in this process.
struct SessionEvents {
    caller: Caller,
    followed: FollowedEvents,
    /// Old events that were read together, so that no turn to read is kept between two calls.
    replayed: VecDeque<Event>,
}

impl SessionEvents {
    async fn next_event(&mut self) -> Result<Event, Fault> {
        self.caller.check_valid()?;
        if let Some(event) = self.replayed.pop_front() {
            return Ok(event);
        }
        let event = self.followed.next(&self.caller).await?;
        self.replayed.extend(std::iter::from_fn(|| self.followed.next_replayed(&self.caller)));
        self.followed.end_turn();
        Ok(event)
    }
}

impl EventStream for SessionEvents {
    fn next(&mut self) -> ApiFuture<'_, StreamEvent> {
        Box::pin(async move {
            let event = self.next_event().await?;
            let record = &event.record;
            let change = match &record.outcome {
                None => Change::Created(Box::new(super::views::new_record(record))),
                Some(outcome) => Change::Ended(EndedRequest {
                    head: EndedHead {
                        id: record.id.clone(),
                        status: outcome.status(),
                        answered_by: outcome.by().to_owned(),
                        surface: outcome.surface(),
                    },
                    outcome: Some(Box::new(outcome.to_json(&record.request))),
                }),
            };
            Ok(StreamEvent { number: event.number, change })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{FREE_BYTES, WAITING_REQUESTS};
    use crate::service::audience::Audience;
    use askback_core::{Limits, Name, Purpose, Role};
    use askback_hub::limits::REPLAYED_EVENTS;
    use askback_hub::{Ask, Hub, HubLimits, HubOptions, NewToken};
    use futures_util::FutureExt;
    use serde_json::json;
    use tokio::sync::watch;

    fn request() -> Arc<Request> {
        Arc::new(Request::parse(br#"{"type": "confirm", "message": "Deploy?"}"#, &Limits::DEFAULT).unwrap())
    }

    /// Sessions of an asker and of a person. The server stops when the sender is dropped.
    async fn sessions(limits: HubLimits) -> (Hub, watch::Sender<bool>, [CallerSession; 2]) {
        let hub = Hub::in_memory(HubOptions { limits, ..HubOptions::default() }).await.unwrap();
        let (stopping, is_stopping) = watch::channel(false);
        let service =
            Arc::new(Service::new(hub.clone(), "http://127.0.0.1:4770", Vec::new(), Audience::default(), is_stopping));
        let mut sessions = Vec::new();
        for (role, name) in [(Role::Asker, "agents"), (Role::Admin, "rita")] {
            let name = Name::parse(name).unwrap();
            let new = NewToken { purpose: Purpose::Token, role, name, room: None, expires_at: None, issued_by: None };
            let caller = Caller::program(hub.issue(new).await.unwrap().0);
            sessions.push(CallerSession::new(Arc::clone(&service), caller, Room::parse("shop").ok()));
        }
        (hub, stopping, sessions.try_into().ok().unwrap())
    }

    // S1, L1
    #[tokio::test]
    async fn asker_asks_and_waits_and_only_a_person_answers() {
        let (_hub, _server, [asker, person]) = sessions(HubLimits::DEFAULT).await;
        let asked = asker.ask(request(), AskQuery::default()).await.unwrap();
        assert_eq!((asked.record.room.as_str(), asked.is_known), ("shop", false));
        let yes = || AnswerBody { responses: Some(vec!["yes".to_owned()]), ..AnswerBody::default() };
        let refused = asker.answer_in_dialog(asked.record.as_ref(), yes()).await.unwrap_err();
        assert_eq!(refused.code(), Some(ProblemCode::Forbidden), "no dialog counts here");
        assert_eq!(person.ask(request(), AskQuery::default()).await.unwrap_err().code(), Some(ProblemCode::Forbidden));
        person.answer(asked.record.as_ref(), yes()).await.unwrap();
        let outcome = asker.wait(asked.record.as_ref(), None).await.unwrap().unwrap();
        assert_eq!((outcome.responses(), outcome.by()), (vec!["yes".to_owned()], "rita"));
        let late = person.answer(asked.record.as_ref(), yes()).await.unwrap_err();
        assert!(matches!(late, ApiError::AlreadyEnded { outcome, .. } if outcome.by() == "rita"));
    }

    // S8, L3
    #[tokio::test]
    async fn replay_keeps_no_turn_between_two_events_and_misses_none() {
        let (hub, _server, [asker, person]) = sessions(HubLimits::DEFAULT).await;
        let (name, room) = (asker.caller.name(), asker.room.as_ref().unwrap());
        let count = REPLAYED_EVENTS + 10;
        for _ in 0..count {
            hub.ask(Ask::new(Request::clone(&request()), name.clone(), room.clone())).await.unwrap();
        }
        hub.events(count - 1).await.unwrap().next().await.unwrap();
        let mut streams = Vec::new();
        for _ in 0..4 {
            streams.push(person.events(RoomQuery::default(), Some(0)).await.unwrap());
        }
        for number in 1..=count {
            for stream in &mut streams {
                let next = stream.next().now_or_never().expect("no other stream keeps a turn");
                assert_eq!(next.unwrap().number, number);
            }
        }
    }

    // L3, S3
    #[tokio::test(start_paused = true)]
    async fn wait_on_a_busy_hub_lasts_until_its_time_is_up() {
        let (_hub, _server, [asker, _]) = sessions(HubLimits { waiters: 0, ..HubLimits::DEFAULT }).await;
        let record = asker.ask(request(), AskQuery::default()).await.unwrap().record;
        let (begun, at_most) = (Instant::now(), Duration::from_secs(20));
        assert!(asker.wait(record.as_ref(), Some(at_most)).await.unwrap().is_none());
        assert!(begun.elapsed() >= at_most, "{:?}", begun.elapsed());
    }

    // S3, S8
    #[tokio::test]
    async fn large_requests_past_the_share_of_waiting_calls_are_refused_before_they_are_asked() {
        let (hub, _server, [asker, person]) = sessions(HubLimits::DEFAULT).await;
        let large =
            json!({"type": "text", "message": "?", "context": [{"type": "code", "text": "x".repeat(2 * FREE_BYTES)}]});
        let large = || Arc::new(Request::parse(large.to_string().as_bytes(), &Limits::DEFAULT).unwrap());
        let before = asker.ask(large(), AskQuery::default()).await.unwrap().record;
        let others = asker.service.hold_waiting(&asker.caller, WAITING_REQUESTS.of_token).unwrap();
        let refused = asker.ask(large(), AskQuery::default()).await.unwrap_err();
        assert_eq!(refused.code(), Some(ProblemCode::TooMany));
        assert_eq!(hub.counts().await.unwrap().pending, 1);
        assert!(asker.ask(request(), AskQuery::default()).await.is_ok(), "a small one needs no share");
        assert!(asker.wait(before.as_ref(), None).await.unwrap().is_none(), "still pending");
        let body = AnswerBody { responses: Some(vec!["a".to_owned()]), ..AnswerBody::default() };
        person.answer(before.as_ref(), body).await.unwrap();
        assert!(asker.wait(before.as_ref(), None).await.unwrap().is_some());
        drop(others);
        assert!(asker.ask(large(), AskQuery::default()).await.is_ok());
    }

    // S3
    #[tokio::test(start_paused = true)]
    async fn request_past_the_pending_quota_is_refused_at_once() {
        let limits = HubLimits { pending_of_asker: 1, ..HubLimits::DEFAULT };
        let (_hub, _server, [asker, _]) = sessions(limits).await;
        asker.ask(request(), AskQuery::default()).await.unwrap();
        let begun = Instant::now();
        let refused = asker.ask(request(), AskQuery::default()).await.unwrap_err();
        assert_eq!((refused.code(), begun.elapsed()), (Some(ProblemCode::TooMany), Duration::ZERO));
    }

    // S8
    #[tokio::test]
    async fn session_of_a_revoked_token_reads_and_does_nothing_more() {
        let (hub, _server, [asker, person]) = sessions(HubLimits::DEFAULT).await;
        let record = asker.ask(request(), AskQuery::default()).await.unwrap().record;
        for session in [&asker, &person] {
            hub.revoke(session.caller.token.number).await.unwrap().unwrap();
        }
        let delivery = || DeliveryBody { delivered: true, key: None };
        let codes = [
            asker.me(RoomQuery::default()).await.err(),
            asker.show(&record.id).await.err(),
            asker.list_own(None, 1).await.err(),
            asker.wait(record.as_ref(), Some(Duration::ZERO)).await.err(),
            asker.events(RoomQuery::default(), None).await.err(),
            asker.ask(request(), AskQuery::default()).await.err(),
            asker.deliver(&record.id, delivery()).await.err(),
            asker.cancel(record.as_ref(), CancelBody::default()).await.err(),
            asker.wait_for_script(&record.id, Duration::ZERO).await.err(),
            person.audit(AuditQuery::default()).await.err(),
            person.unattended(RoomQuery::default()).await.err(),
            person.tokens().await.err(),
            person.login_link(LoginLinkBody::default()).await.err(),
            person.decline(record.as_ref(), DeclineBody::default()).await.err(),
        ];
        for (call, error) in codes.iter().enumerate() {
            let code = error.as_ref().and_then(ApiError::code);
            assert_eq!(code, Some(ProblemCode::Unauthenticated), "call {call}: {error:?}");
        }
    }
}
