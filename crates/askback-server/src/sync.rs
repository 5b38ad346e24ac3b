//! Rooms over WebSocket, in the protocol of Yjs clients: requests go out, proposals of people come in, and the hub decides.

use crate::app::{App, Connection, HandlerResult, Shared};
use crate::connection_slots::ConnectionSlot;
use crate::extract::{self, Credential, authenticate, bearer};
use crate::fault::Fault;
use crate::limits::{
    FREE_BYTES, MESSAGE_UNIT, MESSAGES, PEER_PING, PEER_TIMEOUT, PROPOSAL_PAUSE, QUEUED_WHILE_ENTERING,
};
use crate::parameters::Parameters;
use crate::service::Caller;
use crate::service::rate::Bucket;
use askback_api::ProblemCode;
use askback_core::Json;
use askback_hub::limits::ROOM_KEEP_ALIVE;
use askback_hub::{Member, Role, RoomError, Scope, empty_awareness};
use askback_websocket::{Message, Opcode};
use axum::body::Body;
use axum::extract::{FromRequestParts, RawPathParams, Request, State};
use axum::http::header::{
    CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL, SEC_WEBSOCKET_VERSION, UPGRADE,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use bytes::Bytes;
use closing::{CloseReason, close};
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use socket::{Socket, SocketError};
use std::pin::pin;
use std::sync::Arc;
use std::time::Instant;
use tokio::task::yield_now;
use tokio::time::{interval_at, sleep};

mod closing;
mod proposals;
mod socket;

/// `GET /sync/{room}`
pub(super) async fn sync(State(app): Shared, request: Request) -> HandlerResult {
    let (mut parts, _) = request.into_parts();
    let path = RawPathParams::from_request_parts(&mut parts, &()).await.ok();
    let room = path.as_ref().and_then(|path| path.iter().next()).map(|(_, name)| name).unwrap_or_default();
    let (Some(accepted), Some(upgrade)) = (accepted(&parts.headers), parts.extensions.remove::<OnUpgrade>()) else {
        scope_of(room)?;
        let why = "this is for WebSocket clients of Yjs, such as y-websocket: ask for an upgrade to websocket";
        return Err(Fault::new(ProblemCode::UpgradeRequired, why));
    };
    let admitted = admit(&app, &parts, room);
    if let Err(fault) = &admitted
        && fault.code == ProblemCode::TooMany
    {
        // A rate-limited client gets no connection.
        return Err(fault.clone());
    }
    let slot = parts.extensions.remove::<Arc<ConnectionSlot>>();
    tokio::spawn(async move {
        let _slot = slot;
        let Ok(upgraded) = upgrade.await else { return };
        let _open = app.counters.connections.enter();
        let lease = admitted.as_ref().ok().map(|(caller, _)| app.in_flight.lease(caller.holder()));
        let mut socket = Socket::new(TokioIo::new(upgraded), lease);
        let reason = match admitted {
            Ok((caller, scope)) => serve(&app, &caller.in_room(scope.clone()), scope, &mut socket).await,
            // Only a connection carries the reason; a client would retry a refused upgrade for ever.
            Err(fault) => CloseReason::from(fault),
        };
        Box::pin(close(socket, reason)).await;
    });
    Ok(switching(&accepted, subprotocols(&parts.headers).is_offered))
}

/// The subprotocol that a client may offer, and the prefix of the one that carries its secret: browsers can't set headers here.
const SUBPROTOCOL: &str = "askback.v1";
const SECRET_SUBPROTOCOL: &str = "askback.bearer.";

/// The subprotocols that a client offers.
struct Subprotocols<'a> {
    is_offered: bool,
    secret: Option<Credential<'a>>,
}

fn subprotocols(headers: &HeaderMap) -> Subprotocols<'_> {
    let offered = || {
        let lines = headers.get_all(SEC_WEBSOCKET_PROTOCOL).into_iter().filter_map(|value| value.to_str().ok());
        lines.flat_map(|line| line.split(',')).map(str::trim)
    };
    let secret = offered().find_map(|name| name.strip_prefix(SECRET_SUBPROTOCOL));
    Subprotocols { is_offered: offered().any(|name| name == SUBPROTOCOL), secret: secret.map(Credential::Bearer) }
}

/// The accept key for a client that requests a WebSocket; `None` for other calls.
fn accepted(headers: &HeaderMap) -> Option<String> {
    let has = |name: HeaderName, word: &str| {
        let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
        values.flat_map(|value| value.split(',')).any(|value| value.trim().eq_ignore_ascii_case(word))
    };
    let is_upgrade = has(CONNECTION, "upgrade") && has(UPGRADE, "websocket") && has(SEC_WEBSOCKET_VERSION, "13");
    let key = headers.get(SEC_WEBSOCKET_KEY).and_then(|key| key.to_str().ok());
    key.filter(|_| is_upgrade).and_then(askback_websocket::accept)
}

/// The response that switches to WebSocket. It never repeats the subprotocol with the secret.
fn switching(accepted: &str, selects_subprotocol: bool) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    let headers = response.headers_mut();
    headers.insert(CONNECTION, HeaderValue::from_static("upgrade"));
    headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
    let selected = selects_subprotocol.then_some(HeaderValue::from_static(SUBPROTOCOL));
    headers.extend(selected.map(|value| (SEC_WEBSOCKET_PROTOCOL, value)));
    headers.extend(HeaderValue::from_str(accepted).ok().map(|value| (SEC_WEBSOCKET_ACCEPT, value)));
    response
}

fn scope_of(room: &str) -> Result<Scope, Fault> {
    Scope::parse(room).map_err(|refusal| Fault::new(ProblemCode::NotFound, format!("the room: {refusal}")))
}

/// Authenticates a client, and determines the scope that it may see.
fn admit(app: &App, parts: &Parts, room: &str) -> Result<(Caller, Scope), Fault> {
    let Parts { uri, headers, extensions, .. } = parts;
    let address = extensions.get::<Connection>().and_then(Connection::address);
    let parameters = Parameters::parse(uri.query(), &["token"]);
    let credential = bearer(headers).and_then(|bearer| {
        let query = || parameters.as_ref().ok().and_then(|parameters| parameters.text("token"));
        let credential = bearer.or_else(|| subprotocols(headers).secret).or_else(|| query().map(Credential::Query));
        let why = "there is no token: send it as a bearer header, as a subprotocol, or as ?token=";
        credential.ok_or_else(|| Fault::new(ProblemCode::Unauthenticated, why))
    });
    // Before any other check: a call without a valid token counts against its address.
    let caller = credential.and_then(|credential| authenticate(app, credential, headers));
    let caller = app.service.limit_failures(address, caller)?;
    extract::admit(app, extensions, &caller)?;
    parameters?;
    if caller.is_browser() {
        app.gate.check_own_origin(headers)?;
    }
    let scope = match (&caller.token.room, scope_of(room)?) {
        // The inbox of a token that is bound to a room is that room.
        (Some(own), Scope::Inbox) => Scope::Room(own.clone()),
        (Some(own), Scope::Room(named)) if *own != named => return Err(caller.wrong_room(own)),
        (None, _) if caller.token.role == Role::Asker => {
            let why =
                "an asker without a room sees its own requests alone: follow /api/v1/events, or use a room's token";
            return Err(Fault::new(ProblemCode::Forbidden, why));
        }
        (_, scope) => scope,
    };
    Ok((caller, scope))
}

async fn serve(app: &App, caller: &Caller, scope: Scope, socket: &mut Socket) -> CloseReason {
    let _syncing = app.counters.syncing.enter();
    let at = match &scope {
        Scope::Room(room) => Some(room.clone()),
        Scope::Inbox => None,
    };
    let _presence = app.service.person_presence(caller, at);
    match Box::pin(enter(app, caller, &scope, socket)).await {
        Ok((member, queued)) => {
            let bucket = Bucket::full(MESSAGES, Instant::now());
            RoomConnection { app, caller, member, bucket, socket }.run(queued).await
        }
        Err(reason) => reason,
    }
}

/// Enters the room. Loading a large room may take a while; messages that arrive meanwhile are queued.
async fn enter(
    app: &App,
    caller: &Caller,
    scope: &Scope,
    socket: &mut Socket,
) -> Result<(Member, Vec<Message>), CloseReason> {
    let mut queued = Vec::new();
    let mut entering = pin!(app.service.hub.enter(scope.clone(), &caller.token));
    let mut keep_alive = interval_at(tokio::time::Instant::now() + ROOM_KEEP_ALIVE, ROOM_KEEP_ALIVE);
    loop {
        tokio::select! {
            biased;
                        () = caller.token.gone() => return Err(CloseReason::revoked()),
                        () = app.service.stopped() => return Err(CloseReason::Stopping),
                        entered = &mut entering => {
                            let member = entered.map_err(|error| CloseReason::from(Fault::from(error)))?;
                            return Ok((member, queued));
                        }
                        message = socket.recv(), if !is_full(&queued) => queued.push(message?),
                        _ = keep_alive.tick() => socket.send(Opcode::Binary, &empty_awareness()).await?,
        }
    }
}

/// Whether no more is received before the room is loaded. A large message is the last: its memory counts as in flight until then.
fn is_full(queued: &[Message]) -> bool {
    let is_large = |message: &Message| matches!(message, Message::Binary(bytes) if bytes.len() > FREE_BYTES);
    queued.len() >= QUEUED_WHILE_ENTERING || queued.last().is_some_and(is_large)
}

/// One step of a connection.
enum Step {
    /// A message to send, or `None` at the end of the room.
    Send(Option<Bytes>),
    Receive(Result<Message, SocketError>),
}

/// A connection to a room.
struct RoomConnection<'a> {
    app: &'a App,
    caller: &'a Caller,
    member: Member,
    bucket: Bucket,
    socket: &'a mut Socket,
}

impl RoomConnection<'_> {
    /// Sends and receives until the connection ends. Returns the reason.
    async fn run(mut self, queued: Vec<Message>) -> CloseReason {
        let (app, token) = (self.app, Arc::clone(&self.caller.token));
        tokio::pin! {
            let stopped = app.service.stopped();
            let gone = token.gone();
        }
        for message in queued {
            if let Err(reason) = Box::pin(self.receive(message)).await {
                return reason;
            }
        }
        let mut received_at = Instant::now();
        loop {
            let step = async {
                // Fair: neither a long document nor a busy client blocks the other direction.
                tokio::select! {
                    message = self.member.next() => Step::Send(message),
                    message = self.socket.recv() => Step::Receive(message),
                }
            };
            let step = tokio::select! {
                // Nothing more is sent to a client whose token was revoked.
                biased;
                () = &mut gone => return CloseReason::revoked(),
                () = &mut stopped => return CloseReason::Stopping,
                step = step => step,
            };
            let result = match step {
                Step::Send(Some(message)) => {
                    let sent = self.socket.send(Opcode::Binary, &message).await.map_err(CloseReason::from);
                    if self.member.has_more() {
                        // A long document in many messages does not block other connections.
                        yield_now().await;
                    }
                    sent
                }
                Step::Send(None) => Err(CloseReason::Stopping),
                Step::Receive(message) => {
                    let received = match message {
                        // Boxed: it is rare, and large.
                        Ok(message) => Box::pin(self.receive(message)).await,
                        Err(error) => Err(CloseReason::from(error)),
                    };
                    // Only now: the time to process a message is not idle time.
                    received_at = Instant::now();
                    received
                }
            };
            let result = match result {
                Ok(()) if received_at.elapsed() > PEER_TIMEOUT => Err(CloseReason::Unreachable),
                // A client that is idle answers with a pong.
                Ok(()) if received_at.elapsed() > PEER_PING => {
                    self.socket.send(Opcode::Ping, &[]).await.map_err(CloseReason::from)
                }
                result => result,
            };
            if let Err(reason) = result {
                return reason;
            }
        }
    }

    async fn receive(&mut self, message: Message) -> Result<(), CloseReason> {
        let size = if let Message::Binary(bytes) = &message { bytes.len() } else { 0 };
        self.limit_rate(1 + size / MESSAGE_UNIT).await?;
        let bytes = match message {
            Message::Binary(bytes) => bytes,
            Message::Text(_) => return Err(CloseReason::unreadable("it is text, and Yjs speaks in bytes")),
            Message::Ping(payload) => return Ok(self.socket.send(Opcode::Pong, &payload).await?),
            Message::Pong(_) => return Ok(()),
            Message::Close(_) => return Err(CloseReason::ClosedByClient),
        };
        let proposals = self.member.receive(&bytes).map_err(|error| match error {
            RoomError::Malformed(why) => CloseReason::unreadable(&why.to_string()),
            RoomError::AnotherHistory => CloseReason::AnotherHistory,
        })?;
        for proposal in proposals {
            self.limit_rate(1).await?;
            self.admit_proposal().await?;
            // One after the other, in their order: of two for one request the first counts.
            let verdict = proposals::judge(&self.app.service, self.caller, proposal).await;
            let verdict = serde_json::to_value(verdict).map_or(Json::Null, Json::from);
            self.socket.send(Opcode::Binary, &askback_hub::verdict(&verdict)).await?;
        }
        Ok(())
    }

    /// Delays a client that exceeds its rate, without losing messages. One message may contain thousands of proposals, so the wait
    /// ends when the token is revoked or the hub stops.
    async fn limit_rate(&mut self, count: usize) -> Result<(), CloseReason> {
        let Self { app, caller, bucket, .. } = self;
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let refilled = async {
            while let Err(pause) = bucket.take_some(count, Instant::now()) {
                sleep(pause).await;
            }
        };
        while_open(app, caller, refilled).await
    }

    /// Counts a proposal as a call of its token: each one reads the store, and a token may have thousands of connections.
    async fn admit_proposal(&mut self) -> Result<(), CloseReason> {
        let Self { app, caller, .. } = self;
        let admitted = async {
            while app.service.admit_call(caller).is_err() {
                sleep(PROPOSAL_PAUSE).await;
            }
        };
        while_open(app, caller, admitted).await
    }
}

/// Waits for as long as the token is valid and the hub does not stop.
async fn while_open(app: &App, caller: &Caller, waiting: impl Future<Output = ()>) -> Result<(), CloseReason> {
    tokio::select! {
        biased;
        () = caller.token.gone() => Err(CloseReason::revoked()),
        () = app.service.stopped() => Err(CloseReason::Stopping),
        () = waiting => Ok(()),
    }
}
