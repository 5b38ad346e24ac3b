//! Rooms over WebSocket, as any Yjs client speaks it: what is asked goes out, what people propose comes in, and the hub decides.

use crate::app::{App, Connection, ConnectionSlot};
use crate::extract::{Credential, authenticate, bearer};
use crate::fault::Fault;
use crate::limits::{MESSAGE_UNIT, MESSAGES, PEER_PATIENCE, PEER_PING, SAID_WHILE_ENTERING};
use crate::parameters::Parameters;
use crate::service::Caller;
use crate::service::rate::Bucket;
use askback_api::ProblemCode;
use askback_core::Json;
use askback_hub::limits::ROOM_KEEP_ALIVE;
use askback_hub::{Member, Role, RoomError, Scope, nobody_is_looking};
use axum::body::Body;
use axum::extract::{FromRequestParts, RawPathParams, Request, State};
use axum::http::header::{
    CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL, SEC_WEBSOCKET_VERSION, UPGRADE,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use bytes::Bytes;
use closing::{Farewell, close};
use frame::Purpose;
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use socket::{Lost, Said, Socket};
use std::pin::pin;
use std::sync::Arc;
use std::time::Instant;
use tokio::task::yield_now;
use tokio::time::{interval_at, sleep};

mod closing;
mod frame;
mod proposals;
pub(super) mod socket;

/// `GET /sync/{room}`
pub(super) async fn sync(State(app): State<Arc<App>>, request: Request) -> Result<Response, Fault> {
    let (mut parts, _) = request.into_parts();
    let path = RawPathParams::from_request_parts(&mut parts, &()).await.ok();
    let room = path.as_ref().and_then(|path| path.iter().next()).map(|(_, name)| name).unwrap_or_default();
    let (Some(accepted), Some(upgrade)) = (accepted(&parts.headers), parts.extensions.remove::<OnUpgrade>()) else {
        scope_of(room)?;
        let why = "this is for WebSocket clients of Yjs, such as y-websocket: ask for an upgrade to websocket";
        return Err(Fault::new(ProblemCode::UpgradeRequired, why));
    };
    let let_in = admit(&app, &parts, room);
    if let Err(fault) = &let_in
        && fault.code == ProblemCode::TooMany
    {
        // Whoever tries that often is not worth a connection.
        return Err(fault.clone());
    }
    let place = parts.extensions.remove::<Arc<ConnectionSlot>>();
    tokio::spawn(async move {
        let _place = place;
        let Ok(upgraded) = upgrade.await else { return };
        let _open = app.counters.connections.enter();
        let mut socket = Socket::new(TokioIo::new(upgraded), Arc::clone(&app.space));
        let farewell = match let_in {
            Ok((caller, scope)) => attend(&app, &caller.in_room(scope.clone()), scope, &mut socket).await,
            // Only a connection can say why; a call that was refused would be tried for ever.
            Err(fault) => Farewell::from(fault),
        };
        Box::pin(close(socket, farewell)).await;
    });
    Ok(switching(&accepted, subprotocol(&parts.headers).is_offered))
}

/// The subprotocol that a client may offer, and the start of the one that carries its secret: browsers can set no header here.
const SUBPROTOCOL: &str = "askback.v1";
const SECRET_SUBPROTOCOL: &str = "askback.bearer.";

/// The subprotocols that a client offers.
struct Subprotocols<'a> {
    is_offered: bool,
    secret: Option<Credential<'a>>,
}

fn subprotocol(headers: &HeaderMap) -> Subprotocols<'_> {
    let offered = || {
        let lines = headers.get_all(SEC_WEBSOCKET_PROTOCOL).into_iter().filter_map(|value| value.to_str().ok());
        lines.flat_map(|line| line.split(',')).map(str::trim)
    };
    let secret = offered().find_map(|name| name.strip_prefix(SECRET_SUBPROTOCOL));
    Subprotocols { is_offered: offered().any(|name| name == SUBPROTOCOL), secret: secret.map(Credential::Bearer) }
}

/// What to answer a client that asks for a WebSocket; none if it does not.
fn accepted(headers: &HeaderMap) -> Option<String> {
    let says = |name: HeaderName, word: &str| {
        let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
        values.flat_map(|value| value.split(',')).any(|value| value.trim().eq_ignore_ascii_case(word))
    };
    let is_asked = says(CONNECTION, "upgrade") && says(UPGRADE, "websocket") && says(SEC_WEBSOCKET_VERSION, "13");
    let key = headers.get(SEC_WEBSOCKET_KEY).and_then(|key| key.to_str().ok());
    key.filter(|_| is_asked).and_then(socket::accept)
}

/// The answer that makes a connection a WebSocket. It never repeats the subprotocol with the secret.
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

/// Authenticates a client, and says which part of the document it may see.
fn admit(app: &App, parts: &Parts, room: &str) -> Result<(Caller, Scope), Fault> {
    let Parts { uri, headers, extensions, .. } = parts;
    let address = extensions.get::<Connection>().and_then(Connection::address);
    let parameters = Parameters::parse(uri.query(), &["token"]);
    let credential = bearer(headers).and_then(|bearer| {
        let query = || parameters.as_ref().ok().and_then(|parameters| parameters.text("token"));
        let credential = bearer.or_else(|| subprotocol(headers).secret).or_else(|| query().map(Credential::Query));
        let why = "there is no token: send it as a bearer header, as a subprotocol, or as ?token=";
        credential.ok_or_else(|| Fault::new(ProblemCode::Unauthenticated, why))
    });
    // Before any other check: a call without a valid token counts against its address.
    let caller = credential.and_then(|credential| authenticate(app, credential, headers));
    let caller = app.service.limit_failures(address, caller)?;
    parameters?;
    if caller.is_browser() {
        app.gate.check_own_origin(headers)?;
    }
    let scope = match (&caller.token.room, scope_of(room)?) {
        // All that it may see is one room.
        (Some(own), Scope::Inbox) => Scope::Room(own.clone()),
        (Some(own), Scope::Room(named)) if *own != named => return Err(caller.elsewhere(own)),
        (None, _) if caller.token.role == Role::Asker => {
            let why =
                "an asker without a room sees its own requests alone: follow /api/v1/events, or use a room's token";
            return Err(Fault::new(ProblemCode::Forbidden, why));
        }
        (_, scope) => scope,
    };
    Ok((caller, scope))
}

async fn attend(app: &App, caller: &Caller, scope: Scope, socket: &mut Socket) -> Farewell {
    let _syncing = app.counters.syncing.enter();
    let at = match &scope {
        Scope::Room(room) => Some(room.clone()),
        Scope::Inbox => None,
    };
    let _presence = app.service.audience.enter(caller, at);
    match Box::pin(enter(app, caller, &scope, socket)).await {
        Ok((member, said)) => {
            let pace = Bucket::full(MESSAGES, Instant::now());
            Attended { app, caller, member, pace, socket }.go(said).await
        }
        Err(farewell) => farewell,
    }
}

/// Enters the room. That may take a while, the first time after very much has happened; what is said meanwhile is kept.
async fn enter(
    app: &App,
    caller: &Caller,
    scope: &Scope,
    socket: &mut Socket,
) -> Result<(Member, Vec<Said>), Farewell> {
    let mut said = Vec::new();
    let mut entering = pin!(app.service.hub.enter(scope.clone(), &caller.token));
    let mut still_here = interval_at(tokio::time::Instant::now() + ROOM_KEEP_ALIVE, ROOM_KEEP_ALIVE);
    loop {
        tokio::select! {
            biased;
            () = caller.token.gone() => return Err(Farewell::revoked()),
            () = app.service.stopped() => return Err(Farewell::Stopping),
            entered = &mut entering => {
                let member = entered.map_err(|error| Farewell::from(Fault::from(error)))?;
                return Ok((member, said));
            }
            heard = socket.hear(), if said.len() < SAID_WHILE_ENTERING => said.push(heard?),
            _ = still_here.tick() => socket.say(Purpose::Binary, &nobody_is_looking()).await?,
        }
    }
}

/// Whose turn it is.
enum Turn {
    /// Something is to be told; nothing more ever, if there is none.
    Tell(Option<Bytes>),
    /// Something was said.
    Hear(Result<Said, Lost>),
}

/// A connection that was let in.
struct Attended<'a> {
    app: &'a App,
    caller: &'a Caller,
    member: Member,
    pace: Bucket,
    socket: &'a mut Socket,
}

impl Attended<'_> {
    /// Tells and hears until one of them ends it; says how.
    async fn go(mut self, said: Vec<Said>) -> Farewell {
        let (app, token) = (self.app, Arc::clone(&self.caller.token));
        tokio::pin! {
            let stopped = app.service.stopped();
            let gone = token.gone();
        }
        for said in said {
            if let Err(farewell) = Box::pin(self.heard(said)).await {
                return farewell;
            }
        }
        let mut heard_at = Instant::now();
        loop {
            let turn = async {
                // Neither keeps the other waiting: a long document takes many turns, and so does somebody who says much.
                tokio::select! {
                    message = self.member.next() => Turn::Tell(message),
                    said = self.socket.hear() => Turn::Hear(said),
                }
            };
            let turn = tokio::select! {
                // Who was let in before is not told anything after.
                biased;
                () = &mut gone => return Farewell::revoked(),
                () = &mut stopped => return Farewell::Stopping,
                turn = turn => turn,
            };
            let told = match turn {
                Turn::Tell(Some(message)) => {
                    let told = self.socket.say(Purpose::Binary, &message).await.map_err(Farewell::from);
                    if self.member.has_more() {
                        // A long document in many messages is not to keep the others waiting.
                        yield_now().await;
                    }
                    told
                }
                Turn::Tell(None) => Err(Farewell::Stopping),
                Turn::Hear(said) => {
                    let heard = match said {
                        // Seldom, and large.
                        Ok(said) => Box::pin(self.heard(said)).await,
                        Err(lost) => Err(Farewell::from(lost)),
                    };
                    // Only now: much of it takes long, and is no silence.
                    heard_at = Instant::now();
                    heard
                }
            };
            let told = match told {
                Ok(()) if heard_at.elapsed() > PEER_PATIENCE => Err(Farewell::Silent),
                // Whoever has nothing to say answers this.
                Ok(()) if heard_at.elapsed() > PEER_PING => {
                    self.socket.say(Purpose::Ping, &[]).await.map_err(Farewell::from)
                }
                told => told,
            };
            if let Err(farewell) = told {
                return farewell;
            }
        }
    }

    async fn heard(&mut self, said: Said) -> Result<(), Farewell> {
        let size = if let Said::Binary(message) = &said { message.len() } else { 0 };
        self.keep_pace(1 + size / MESSAGE_UNIT).await?;
        let message = match said {
            Said::Binary(message) => message,
            Said::Text => return Err(Farewell::unreadable("it is text, and Yjs speaks in bytes")),
            Said::Ping(carried) => return Ok(self.socket.say(Purpose::Pong, &carried).await?),
            Said::Pong => return Ok(()),
            Said::Close => return Err(Farewell::Returned),
        };
        let proposals = self.member.receive(&message).map_err(|error| match error {
            RoomError::Malformed(why) => Farewell::unreadable(&why.to_string()),
            RoomError::AnotherHistory => Farewell::AnotherHistory,
        })?;
        for proposal in proposals {
            self.keep_pace(1).await?;
            // One after the other, as they were written: of two for one request the first counts.
            let verdict = proposals::judge(&self.app.service, self.caller, proposal).await;
            let verdict = serde_json::to_value(verdict).map_or(Json::Null, Json::from);
            self.socket.say(Purpose::Binary, &askback_hub::verdict(&verdict)).await?;
        }
        Ok(())
    }

    /// Whoever says too much is heard more slowly, and nothing of it is lost. One message may hold thousands of proposals, so
    /// that there is time for the token to be revoked and for the hub to stop.
    async fn keep_pace(&mut self, count: usize) -> Result<(), Farewell> {
        let Self { app, caller, pace, .. } = self;
        tokio::select! {
            biased;
            () = caller.token.gone() => Err(Farewell::revoked()),
            () = app.service.stopped() => Err(Farewell::Stopping),
            () = take(pace, u32::try_from(count).unwrap_or(u32::MAX)) => Ok(()),
        }
    }
}

async fn take(pace: &mut Bucket, count: u32) {
    while let Err(pause) = pace.take_some(count, Instant::now()) {
        sleep(pause).await;
    }
}
