//! The client: the API of askers and people over a connection.

use crate::asking::new_id;
use crate::attended::{AttendedRequests, keep_attended};
use crate::connection::{Call, Connection, HubStarter, Start, refusal};
use crate::events::ConnectionEvents;
use crate::limits::{DISMISSAL, RETRY, SHORTEST_POLL};
use crate::retry::{Absence, retry};
use crate::transport::Target;
use askback_api::limits::WAIT_SECONDS;
use askback_api::{
    AnswerBody, ApiError, ApiFuture, AskQuery, Asked, AskerApi, AuditEvent, AuditQuery, CancelBody, Changed,
    DeclineBody, DeliveryBody, DismissBody, Dismissed, EventStream, HubApi, IssuedToken, ListQuery, LoginLink,
    LoginLinkBody, Me, Page, PersonApi, ProblemCode, ProblemDetails, Record, RequestRef, RoomQuery, Script, ScriptBody,
    ScriptQuery, TokenBody, TokenList, UnattendedList, WaitQuery, path, read_state, with_query,
};
use askback_core::{Outcome, Request, RequestId, Room, Status, show};
use hyper::Method;
use hyper::body::Bytes;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};

/// The room of a request (L8).
#[derive(Debug, Clone)]
pub enum RoomRule {
    /// This room alone: a request that names another one is refused.
    Only(Room),
    /// For a request that names none: the room of the token, or else this one, of the folder that the asker works in.
    Folder(Room),
    /// For a request that names none: the room of the token.
    Token,
}

/// A client of one hub, with one token.
#[derive(Clone)]
pub struct Client {
    connection: Connection,
    url: Option<String>,
    rooms: RoomRule,
    /// How long a call is retried while it fails with a transient error.
    call_patience: Duration,
    /// How long the hub may be away during a wait; without a limit if there is none.
    wait_patience: Option<Duration>,
    /// The longest that one poll of a wait asks the hub to wait.
    poll: Duration,
    start: Start,
    /// The requests that are kept attended between calls.
    pub(crate) attended: Option<Arc<AttendedRequests>>,
}

impl Client {
    /// Creates a client of the hub at an address.
    pub fn at(url: &str, token: String) -> Result<Self, ApiError> {
        let target = Target::parse(url).map_err(ApiError::Unavailable)?;
        Ok(Self::new(Connection::new(target, token, None), Some(url.to_owned())))
    }

    /// Creates a client of the local hub, which it can start. Browsers find that hub at `url`.
    pub fn of_this_machine(target: Target, token: String, url: Option<String>, starter: Arc<dyn HubStarter>) -> Self {
        Self::new(Connection::new(target, token, Some(starter)), url)
    }

    fn new(connection: Connection, url: Option<String>) -> Self {
        let wait_patience = Some(Duration::ZERO);
        let (rooms, start, poll) = (RoomRule::Token, Start::OnlyDied, Duration::from_secs(WAIT_SECONDS));
        Self { connection, url, rooms, call_patience: Duration::ZERO, wait_patience, poll, start, attended: None }
    }

    /// Keeps what this client asks attended for as long as the client lives, also between two calls (L9).
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime.
    #[must_use]
    pub fn keeping_attended(mut self) -> Self {
        let attended = Arc::new(AttendedRequests::default());
        let client = self.clone();
        let is_pending = move |id| {
            let client = client.clone();
            async move { client.is_pending(&id).await }
        };
        tokio::spawn(keep_attended(Arc::downgrade(&attended), is_pending));
        self.attended = Some(attended);
        self
    }

    /// Makes calls start a hub that was stopped, so that an answer that a person has given is not lost. Waiting never starts one.
    #[must_use]
    pub fn starting_hub(self) -> Self {
        Self { start: Start::Stopped, ..self }
    }

    /// Sets the room of requests that name none.
    #[must_use]
    pub fn asking_in(self, rooms: RoomRule) -> Self {
        Self { rooms, ..self }
    }

    /// Sets how long calls are retried while they fail with a transient error.
    #[must_use]
    pub fn retrying(self, call_patience: Duration) -> Self {
        Self { call_patience, ..self }
    }

    /// Sets how long the hub may be away during a wait, or removes that limit.
    #[must_use]
    pub fn waiting_through(self, wait_patience: Option<Duration>) -> Self {
        Self { wait_patience, ..self }
    }

    /// Makes waits poll for at most so many whole seconds at a time, so that a hub that is frozen meanwhile is noticed earlier.
    #[must_use]
    pub fn polling(self, poll: Duration) -> Self {
        Self { poll, ..self }
    }

    /// The address at which browsers find the hub.
    pub fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    async fn get<T: DeserializeOwned>(&self, path: String) -> Result<T, ApiError> {
        read(&self.call(Call::new(Method::GET, path), None).await?.1)
    }

    async fn post<T: DeserializeOwned>(&self, path: String, body: &impl Serialize) -> Result<T, ApiError> {
        read(&self.call(post_call(path, body)?, None).await?.1)
    }

    /// Ends a request in one of the ways of the API.
    async fn end(&self, path: &str, request: RequestRef<'_>, body: &impl Serialize) -> Result<Outcome, ApiError> {
        let call = post_call(path::with(path, request.id), body)?;
        let (_, bytes) = self.call(call, Some(request.request)).await?;
        let outcome = read_state(&bytes, request.request).map_err(ApiError::Foreign)?;
        outcome.ok_or_else(|| ApiError::Foreign("what has ended is pending".to_owned()))
    }

    /// Makes a call, with retries. `about` is the request whose outcome a refusal may carry.
    async fn call(&self, call: Call, about: Option<&Request>) -> Result<(u16, Bytes), ApiError> {
        // On the heap: a caller that waits for many calls at once would carry it in each of its own branches.
        Box::pin(retry(self.call_patience, || async {
            let (status, bytes) = self.connection.call(Call { start: self.start, ..call.clone() }).await?;
            if (200..300).contains(&status) { Ok((status, bytes)) } else { Err(refusal(status, &bytes, about)) }
        }))
        .await
    }

    /// Polls until `find` returns a value, or until the time is over, whether or not the hub can be reached then.
    async fn poll<T>(
        &self,
        path: &str,
        at_most: Option<Duration>,
        find: impl Fn(&[u8]) -> Result<Option<T>, ApiError>,
    ) -> Result<Option<T>, ApiError> {
        let until = at_most.map(|at_most| Instant::now() + at_most);
        let mut absence = Absence::default();
        loop {
            let begun = Instant::now();
            match self.poll_once(path, until).await {
                Ok(None) => return Ok(None),
                Ok(Some(bytes)) => {
                    if let Some(found) = find(&bytes)? {
                        return Ok(Some(found));
                    }
                    absence = Absence::default();
                }
                Err(error)
                    if !error.is_transient()
                        || absence.lasts_longer_than(self.wait_patience, begun + self.poll, Instant::now()) =>
                {
                    return Err(error);
                }
                Err(_) => {}
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                return Ok(None);
            }
            if begun.elapsed() < SHORTEST_POLL {
                sleep(RETRY).await;
            }
        }
    }

    /// Makes one long poll; nothing if the time was over first.
    async fn poll_once(&self, path: &str, until: Option<Instant>) -> Result<Option<Bytes>, ApiError> {
        let left = until.map_or(Duration::MAX, |until| until.saturating_duration_since(Instant::now()));
        // In whole seconds; the deadline may cut the last one short.
        let seconds = left.as_secs().saturating_add(1).min(self.poll.as_secs());
        let wait = Duration::from_secs(seconds);
        let call = Call { wait, ..Call::new(Method::GET, with_query(path, &WaitQuery { wait: seconds })) };
        let called = self.connection.call(call);
        let (status, bytes) = match until {
            Some(until) => match timeout_at(until, called).await {
                Ok(called) => called?,
                Err(_) => return Ok(None),
            },
            None => called.await?,
        };
        if status == 200 { Ok(Some(bytes)) } else { Err(refusal(status, &bytes, None)) }
    }

    /// Whether a request is pending, which counts as a call of its asker.
    pub(crate) async fn is_pending(&self, id: &RequestId) -> Result<bool, ApiError> {
        #[derive(Deserialize)]
        struct State {
            status: Status,
        }
        let path = with_query(&path::with(path::OUTCOME, id), &WaitQuery { wait: 0 });
        Ok(self.get::<State>(path).await?.status == Status::Pending)
    }

    /// Refuses another room than the only one.
    fn check_room(&self, named: Option<&str>) -> Result<(), ApiError> {
        match (&self.rooms, named) {
            (RoomRule::Only(only), Some(named)) if only.as_str() != named => {
                let only = show::quote(only.as_str());
                let why = format!("this client asks in the room {only} alone: name no other");
                Err(ApiError::Refused(Box::new(ProblemDetails::new(ProblemCode::Forbidden, why))))
            }
            _ => Ok(()),
        }
    }

    /// The room to name for a request that names none; none to use the token's.
    async fn room_to_name(&self) -> Result<Option<Room>, ApiError> {
        match &self.rooms {
            RoomRule::Token => Ok(None),
            RoomRule::Only(room) => Ok(Some(room.clone())),
            // Only an issued token has a room; the local hub's own has none.
            RoomRule::Folder(room) if self.connection.is_local() => Ok(Some(room.clone())),
            RoomRule::Folder(room) => {
                let has_own = self.me(RoomQuery::default()).await?.token.room.is_some();
                Ok(Some(room.clone()).filter(|_| !has_own))
            }
        }
    }
}

/// A key for a call that has none: the hub recognises a retry whose first reply was lost.
fn retry_key() -> Option<String> {
    Some(new_id().to_string())
}

fn post_call(path: String, body: &impl Serialize) -> Result<Call, ApiError> {
    let body = serde_json::to_vec(body)
        .map_err(|error| ApiError::Unavailable(format!("the body can't be written: {error}")))?;
    Ok(Call { body: Some(body.into()), ..Call::new(Method::POST, path) })
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    serde_json::from_slice(bytes).map_err(|error| ApiError::Foreign(format!("its response can't be read: {error}")))
}

impl HubApi for Client {
    fn me(&self, query: RoomQuery) -> ApiFuture<'_, Me> {
        Box::pin(self.get(with_query(path::ME, &query)))
    }

    fn show<'a>(&'a self, id: &'a RequestId) -> ApiFuture<'a, Record> {
        Box::pin(self.get(path::with(path::REQUEST, id)))
    }

    fn list(&self, query: ListQuery) -> ApiFuture<'_, Page<Record>> {
        Box::pin(self.get(with_query(path::REQUESTS, &query)))
    }

    fn wait<'a>(&'a self, request: RequestRef<'a>, at_most: Option<Duration>) -> ApiFuture<'a, Option<Outcome>> {
        Box::pin(async move {
            let find = |bytes: &[u8]| read_state(bytes, request.request).map_err(ApiError::Foreign);
            if let Some(attended) = &self.attended {
                attended.add(request.id);
            }
            let outcome = self.poll(&path::with(path::OUTCOME, request.id), at_most, find).await?;
            if let (Some(attended), Some(_)) = (&self.attended, &outcome) {
                attended.remove(request.id);
            }
            Ok(outcome)
        })
    }

    fn cancel<'a>(&'a self, request: RequestRef<'a>, body: CancelBody) -> ApiFuture<'a, Outcome> {
        let body = CancelBody { key: body.key.or_else(retry_key), ..body };
        Box::pin(async move { self.end(path::CANCEL, request, &body).await })
    }

    fn events(&self, query: RoomQuery, after: Option<u64>) -> ApiFuture<'_, Box<dyn EventStream>> {
        Box::pin(async move {
            let call = Call { after, ..Call::new(Method::GET, with_query(path::EVENTS, &query)) };
            let events = ConnectionEvents::new(self.connection.stream(call).await?);
            Ok(Box::new(events) as Box<dyn EventStream>)
        })
    }
}

impl AskerApi for Client {
    fn connect(&self) -> ApiFuture<'_, ()> {
        Box::pin(self.connection.reach(self.start))
    }

    fn ask(&self, request: Arc<Request>, query: AskQuery) -> ApiFuture<'_, Asked> {
        Box::pin(async move {
            // The id is known before the request is sent, so that sending it twice asks once.
            let query = AskQuery { id: Some(query.id.unwrap_or_else(new_id)), ..query };
            self.check_room(request.room())?;
            let room = if request.room().is_none() { self.room_to_name().await? } else { None };
            let request = match room {
                Some(room) => Arc::new(Arc::unwrap_or_clone(request).with_room(&room)),
                None => request,
            };
            let call = post_call(with_query(path::REQUESTS, &query), &request.to_json())?;
            let (status, bytes) = self.call(call, None).await?;
            Asked::read(&bytes, request, status != 201).map_err(ApiError::Foreign)
        })
    }

    fn list_own(&self, status: Option<Status>, limit: usize) -> ApiFuture<'_, Page<Record>> {
        Box::pin(async move {
            let room = self.room_to_name().await?;
            // Requests of other askers in the same room are not delivered to this one.
            let asker = Some(self.me(RoomQuery::default()).await?.token.name);
            self.list(ListQuery { status, room, asker, limit: Some(limit), cursor: None }).await
        })
    }

    fn deliver<'a>(&'a self, id: &'a RequestId, body: DeliveryBody) -> ApiFuture<'a, bool> {
        Box::pin(async move { Ok(self.post::<Changed>(path::with(path::DELIVERY, id), &body).await?.changed) })
    }

    fn answer_in_dialog<'a>(&'a self, request: RequestRef<'a>, body: AnswerBody) -> ApiFuture<'a, Outcome> {
        let body = AnswerBody { key: body.key.or_else(retry_key), ..body };
        Box::pin(async move { self.end(path::ANSWER, request, &body).await })
    }

    fn decline_in_dialog<'a>(&'a self, request: RequestRef<'a>, body: DeclineBody) -> ApiFuture<'a, Outcome> {
        let body = DeclineBody { key: body.key.or_else(retry_key), ..body };
        Box::pin(async move { self.end(path::DECLINE, request, &body).await })
    }

    fn start_script(&self, body: ScriptBody, query: ScriptQuery) -> ApiFuture<'_, Script> {
        Box::pin(async move {
            let query = ScriptQuery { id: Some(query.id.unwrap_or_else(new_id)), ..query };
            self.check_room(body.room.as_deref())?;
            let only_room = body.only_room || matches!(self.rooms, RoomRule::Only(_));
            let room = match body.room {
                Some(room) => Some(room),
                None => self.room_to_name().await?.map(|room| room.as_str().to_owned()),
            };
            self.post(with_query(path::SCRIPTS, &query), &ScriptBody { room, only_room, ..body }).await
        })
    }

    fn wait_for_script<'a>(&'a self, id: &'a RequestId, at_most: Duration) -> ApiFuture<'a, Script> {
        Box::pin(async move {
            let path = path::with(path::SCRIPT, id);
            let find = |bytes: &[u8]| read::<Script>(bytes).map(|script| (!script.is_running()).then_some(script));
            let ended = if at_most.is_zero() { None } else { self.poll(&path, Some(at_most), find).await? };
            match ended {
                Some(ended) => Ok(ended),
                None => self.get(path).await,
            }
        })
    }

    fn stop_script<'a>(&'a self, id: &'a RequestId) -> ApiFuture<'a, Script> {
        Box::pin(async move { self.post(path::with(path::STOP_SCRIPT, id), &serde_json::Map::new()).await })
    }

    fn deliver_script<'a>(&'a self, id: &'a RequestId, body: DeliveryBody) -> ApiFuture<'a, bool> {
        Box::pin(async move { Ok(self.post::<Changed>(path::with(path::SCRIPT_DELIVERY, id), &body).await?.changed) })
    }
}

impl PersonApi for Client {
    fn answer<'a>(&'a self, request: RequestRef<'a>, body: AnswerBody) -> ApiFuture<'a, Outcome> {
        let body = AnswerBody { key: body.key.or_else(retry_key), ..body };
        Box::pin(async move { self.end(path::ANSWER, request, &body).await })
    }

    fn decline<'a>(&'a self, request: RequestRef<'a>, body: DeclineBody) -> ApiFuture<'a, Outcome> {
        let body = DeclineBody { key: body.key.or_else(retry_key), ..body };
        Box::pin(async move { self.end(path::DECLINE, request, &body).await })
    }

    fn dismiss(&self, body: DismissBody) -> ApiFuture<'_, u64> {
        Box::pin(async move {
            let call = Call { wait: DISMISSAL, ..post_call(path::DISMISS.to_owned(), &body)? };
            Ok(read::<Dismissed>(&self.call(call, None).await?.1)?.dismissed)
        })
    }

    fn unattended(&self, query: RoomQuery) -> ApiFuture<'_, UnattendedList> {
        Box::pin(self.get(with_query(path::UNATTENDED, &query)))
    }

    fn audit(&self, query: AuditQuery) -> ApiFuture<'_, Page<AuditEvent>> {
        Box::pin(self.get(with_query(path::AUDIT, &query)))
    }

    fn issue_token(&self, body: TokenBody) -> ApiFuture<'_, IssuedToken> {
        Box::pin(async move { self.post(path::TOKENS.to_owned(), &body).await })
    }

    fn tokens(&self) -> ApiFuture<'_, TokenList> {
        Box::pin(self.get(path::TOKENS.to_owned()))
    }

    fn revoke_token(&self, number: u64) -> ApiFuture<'_, ()> {
        let call = Call::new(Method::DELETE, path::with(path::TOKEN, &number));
        Box::pin(async move { self.call(call, None).await.map(drop) })
    }

    fn login_link(&self, body: LoginLinkBody) -> ApiFuture<'_, LoginLink> {
        Box::pin(async move { self.post(path::LOGIN_LINKS.to_owned(), &body).await })
    }
}
