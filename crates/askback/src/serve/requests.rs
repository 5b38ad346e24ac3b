//! The life of a request over HTTP: asked, waited for, answered, declined, cancelled, listed.

use super::PathId;
use super::app::{App, json, ok};
use super::caller::Caller;
use super::claims::Said;
use super::limits::{BETWEEN_WAITS, BODY_BYTES, DISMISS_SECONDS, WAIT_SECONDS};
use super::parameters::Parameters;
use super::wire::{self, GivenAnswer};
use crate::fault::{Fault, Kind};
use crate::mcp::desk::Delivery;
use askback_core::{Json, Limits, Object, Outcome, Path, RawAnswer, Refusal, Request, Rule, State, Surface};
use askback_hub::{Ask, Asked, HubError, Query, Record, Role, Room, Signature, Timestamp};
use axum::body::Body;
use axum::extract::State as Shared;
use axum::http::header::LOCATION;
use axum::http::{HeaderValue, StatusCode, Uri};
use axum::response::Response;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// `POST /requests`
pub(super) async fn ask(
    Shared(app): Shared<Arc<App>>,
    caller: Caller,
    uri: Uri,
    sent: Body,
) -> Result<Response, Fault> {
    caller.asks()?;
    let parameters = Parameters::parse(uri.query(), &["id", "askedAt", "attach", "deliverLater"])?;
    let (id, asked_at) = (parameters.id()?, parameters.moment("askedAt")?);
    let (attach, later) = (parameters.flag("attach")?, parameters.flag("deliverLater")?);
    if app.asks.take(caller.token.number, Instant::now()).is_err() {
        return Err(too_often());
    }
    let bytes = caller.body(sent, Limits::DEFAULT.request_bytes).await?;
    let request = Request::parse(&bytes, &Limits::DEFAULT)
        .map_err(|problems| Fault::of_problems(Kind::InvalidRequest, &problems))?;
    let room = room_of(&caller, &request)?;
    let ask = caller.ask(request, room);
    let ask = id.into_iter().fold(ask, Ask::with_id);
    let ask = asked_at.into_iter().fold(ask, Ask::asked_at);
    let ask = match (attach, later) {
        (false, _) => ask,
        (true, false) => ask.attaching(),
        (true, true) => ask.attaching_to_deliver(),
    };
    let asked = app.hub.ask(ask).await?;
    let status = match asked {
        Asked::New(_) => StatusCode::CREATED,
        Asked::Known(_) => StatusCode::OK,
    };
    let record = asked.record();
    let mut response = json(status, &wire::record(record, app.hub.attendance(record)));
    if let Ok(location) = HeaderValue::from_str(&format!("/api/v1/requests/{}", record.id)) {
        response.headers_mut().insert(LOCATION, location);
    }
    Ok(response)
}

pub(super) fn too_often() -> Fault {
    Fault::new(Kind::TooMany, "this token asks too often: ask again in a second")
}

/// Where it is asked: where it says, if the token may ask there, or else in the token's room (L8).
pub(super) fn room_of(caller: &Caller, request: &Request) -> Result<Room, Fault> {
    let named = request.room().map(Room::parse).transpose();
    let named = named.map_err(|refusal| Fault::refused(Kind::InvalidRequest, "room", refusal))?;
    match (&caller.token.room, named) {
        (Some(own), Some(named)) if *own != named => Err(caller.elsewhere(own)),
        (own, named) => named.or_else(|| own.clone()).ok_or_else(|| {
            let refusal = Refusal {
                rule: Rule::Required,
                message: "neither the request nor the token names a room".to_owned(),
                expected: "the name of a project or a session, at /mcp also as ?room=NAME".to_owned(),
            };
            Fault::refused(Kind::InvalidRequest, "room", refusal)
        }),
    }
}

/// `GET /requests`
pub(super) async fn list(Shared(app): Shared<Arc<App>>, caller: Caller, uri: Uri) -> Result<Response, Fault> {
    let parameters = Parameters::parse(uri.query(), &["status", "room", "asker", "cursor", "limit"])?;
    let query = Query {
        status: parameters.status()?,
        room: parameters.room()?,
        asker: parameters.name("asker")?,
        after: parameters.cursor()?,
        limit: parameters.limit()?,
        ..Query::default()
    };
    let asker = query.asker.clone();
    let query = caller.narrow(query)?;
    // An asker that may see its own alone has nothing to see of another.
    if asker.is_some() && query.asker != asker {
        return Err(Fault::new(Kind::Forbidden, "this token sees its own requests alone: name no other asker"));
    }
    let page = app.hub.list(query).await?;
    let items: Vec<Json> = page.items.iter().map(wire::listed).collect();
    Ok(ok(&wire::page(items, page.next)))
}

/// `GET /requests/unattended`
pub(super) async fn unattended(Shared(app): Shared<Arc<App>>, caller: Caller, uri: Uri) -> Result<Response, Fault> {
    caller.answers()?;
    let parameters = Parameters::parse(uri.query(), &["room"])?;
    let room = caller.narrow_room(parameters.room()?)?;
    // Whoever is between two calls is there, here as on every list.
    let since = Timestamp::now().checked_sub(BETWEEN_WAITS).unwrap_or(Timestamp::MIN);
    let unattended = app.hub.unattended(room.clone(), since).await?;
    let items: Vec<Json> = unattended.iter().map(wire::unattended).collect();
    // A room's document holds the newest alone: whoever shows that can say that it is not all.
    let pending = app.hub.count_pending(room).await?;
    Ok(ok(&Object::new().put("items", items).put("pending", pending as f64).into()))
}

/// `GET /requests/{id}`
pub(super) async fn outcome(
    Shared(app): Shared<Arc<App>>,
    caller: Caller,
    PathId(id): PathId,
    uri: Uri,
) -> Result<Response, Fault> {
    let parameters = Parameters::parse(uri.query(), &["wait"])?;
    let wait = Duration::from_secs(parameters.number("wait", 0, WAIT_SECONDS)?.unwrap_or(0));
    let record = app.visible(&caller, &id).await?;
    if record.outcome.is_some() || wait.is_zero() {
        return Ok(ok(&wire::state(&record, record.outcome.as_deref())));
    }
    let _waiting = app.counters.waiting.enter();
    let waiting = async {
        match caller.token.role {
            Role::Asker => app.hub.wait(&record.id, Some(wait)).await,
            // That a person looks does not mean that the asker waits (L9).
            Role::Answerer | Role::Admin => app.hub.watch(&record.id, wait).await,
        }
    };
    let state = caller.while_valid(async {
        tokio::select! {
            biased;
            state = waiting => state.map_err(come_back),
            () = app.stopped() => Err(stopping()),
        }
    });
    let state = state.await?;
    let outcome = match &state {
        State::Final(outcome) => Some(outcome),
        State::Pending(_) => None,
    };
    Ok(ok(&wire::state(&record, outcome)))
}

fn come_back(error: HubError) -> Fault {
    match Fault::from(error) {
        fault if fault.kind == Kind::Stopping => stopping(),
        fault => fault,
    }
}

fn stopping() -> Fault {
    Fault::new(Kind::Stopping, "the hub is stopping, and the request stays as it is: come back and wait again")
}

/// `GET /requests/{id}/request`
pub(super) async fn request(
    Shared(app): Shared<Arc<App>>,
    caller: Caller,
    PathId(id): PathId,
    uri: Uri,
) -> Result<Response, Fault> {
    Parameters::parse(uri.query(), &[])?;
    let record = app.visible(&caller, &id).await?;
    Ok(ok(&wire::record(&record, app.hub.attendance(&record))))
}

/// `POST /requests/{id}/answer`
pub(super) async fn answer(
    Shared(app): Shared<Arc<App>>,
    caller: Caller,
    PathId(id): PathId,
    uri: Uri,
    sent: Body,
) -> Result<Response, Fault> {
    may_answer(&app, &caller)?;
    Parameters::parse(uri.query(), &[])?;
    let record = app.visible(&caller, &id).await?;
    let bytes = caller.body(sent, BODY_BYTES).await?;
    let body = wire::Body::parse(&bytes, &["responses", "answers", "key", "surface", "client"], Kind::InvalidAnswer)?;
    let (given, field) = body.answers()?;
    let signature = signature(&app, &caller, &record, &body)?;
    let signature = body.name("key")?.into_iter().fold(signature, Signature::with_key);
    let outcome = give(&app, &record, &given, field, signature).await?;
    Ok(ok(&outcome.to_json(&record.request)))
}

/// A person may; an asker only where somebody lets the dialogs of MCP clients count, of which there must be one (S1).
fn may_answer(app: &App, caller: &Caller) -> Result<(), Fault> {
    if caller.token.role == Role::Asker && !app.options.dialogs.is_empty() { Ok(()) } else { caller.answers() }
}

/// How an answer is signed: by a person, or by the asker in whose client's dialog a person gave it.
fn signature(app: &App, caller: &Caller, record: &Record, body: &wire::Body) -> Result<Signature, Fault> {
    let client = body.text("client")?.unwrap_or_default();
    if caller.token.role != Role::Asker {
        return Ok(caller.signature(body.surface()?));
    }
    is_own(caller, record, "show it in a dialog of its client's")?;
    if !app.options.dialogs.iter().any(|name| name == client) {
        // As if there were none at all.
        caller.answers()?;
    }
    if record.request.questions().iter().any(|question| matches!(question.kind(), askback_core::Kind::Approval(_))) {
        return Err(Fault::new(Kind::Forbidden, "an approval is never decided in a client's own dialog"));
    }
    Ok(Signature::by_token(&caller.token, Surface::Mcp))
}

/// Answers a request with what was given in a body's field: by a program, or by the form of a page.
pub(super) async fn give(
    app: &App,
    record: &Record,
    given: &[GivenAnswer],
    field: &str,
    signature: Signature,
) -> Result<Arc<Outcome>, Fault> {
    let raw: Vec<RawAnswer<'_>> = given.iter().map(GivenAnswer::raw).collect();
    let answers = record.request.parse_answers(&raw, &Path::root().field(field)).map_err(|problems| {
        // Too late is too late, whatever it says.
        match &record.outcome {
            Some(outcome) => Fault::already_ended(record, outcome),
            None => Fault::of_problems(Kind::InvalidAnswer, &problems),
        }
    })?;
    app.hub.answer(&record.id, answers, signature).await.map_err(|error| Fault::from(error).about(record))
}

/// `POST /requests/{id}/decline`
pub(super) async fn decline(
    Shared(app): Shared<Arc<App>>,
    caller: Caller,
    PathId(id): PathId,
    uri: Uri,
    sent: Body,
) -> Result<Response, Fault> {
    may_answer(&app, &caller)?;
    Parameters::parse(uri.query(), &[])?;
    let record = app.visible(&caller, &id).await?;
    let bytes = caller.body(sent, BODY_BYTES).await?;
    let body = wire::Body::parse(&bytes, &["reason", "key", "surface", "client"], Kind::InvalidParameter)?;
    let signature = signature(&app, &caller, &record, &body)?;
    let signature = body.name("key")?.into_iter().fold(signature, Signature::with_key);
    let reason = body.reason()?;
    ended(&record, app.hub.decline(&record.id, reason, signature).await)
}

/// `POST /requests/{id}/cancel`
pub(super) async fn cancel(
    Shared(app): Shared<Arc<App>>,
    caller: Caller,
    PathId(id): PathId,
    uri: Uri,
    sent: Body,
) -> Result<Response, Fault> {
    Parameters::parse(uri.query(), &[])?;
    let record = app.visible(&caller, &id).await?;
    may_cancel(&caller, &record)?;
    let (reason, signature) = ending(&caller, sent).await?;
    ended(&record, app.hub.cancel(&record.id, reason, signature).await)
}

/// In a room that several askers share, each takes away what it asked, and nothing else.
pub(super) fn may_cancel(caller: &Caller, record: &Record) -> Result<(), Fault> {
    if caller.token.role == Role::Asker { is_own(caller, record, "cancel it") } else { Ok(()) }
}

fn is_own(caller: &Caller, record: &Record, what: &str) -> Result<(), Fault> {
    if record.asker != *caller.name() {
        return Err(Fault::new(Kind::Forbidden, format!("another asker asked this, and it alone can {what}")));
    }
    Ok(())
}

async fn ending(caller: &Caller, sent: Body) -> Result<(Option<askback_core::Reason>, askback_hub::Signature), Fault> {
    let bytes = caller.body(sent, BODY_BYTES).await?;
    let body = wire::Body::parse(&bytes, &["reason", "key", "surface"], Kind::InvalidParameter)?;
    let signature = caller.signature(body.surface()?);
    let signature = body.name("key")?.into_iter().fold(signature, askback_hub::Signature::with_key);
    Ok((body.reason()?, signature))
}

fn ended(record: &Record, ended: Result<Arc<Outcome>, HubError>) -> Result<Response, Fault> {
    match ended {
        Ok(outcome) => Ok(ok(&outcome.to_json(&record.request))),
        Err(error) => Err(Fault::from(error).about(record)),
    }
}

/// `POST /requests/{id}/delivery`
pub(super) async fn delivery(
    Shared(app): Shared<Arc<App>>,
    caller: Caller,
    PathId(id): PathId,
    uri: Uri,
    sent: Body,
) -> Result<Response, Fault> {
    caller.asks()?;
    Parameters::parse(uri.query(), &[])?;
    let record = app.visible(&caller, &id).await?;
    is_own(&caller, &record, "say what reached it")?;
    let Said { delivery, key } = read_delivery(&caller, sent).await?;
    let _permit = caller.token.permit().await?;
    let changed = match (delivery, key) {
        // What is pending is nobody's yet.
        (Delivery::Made, Some(_)) if record.outcome.is_none() => false,
        (Delivery::Made, Some(key)) => {
            let is_new = app.hub.delivered(&record.id).await?;
            app.claims.claim(record.id.as_str(), &key) || is_new
        }
        (Delivery::Made, None) => app.hub.delivered(&record.id).await?,
        (Delivery::Failed, Some(key)) if !app.claims.give_up(record.id.as_str(), &key) => false,
        (Delivery::Failed, _) => app.hub.not_delivered(&record.id).await?,
    };
    Ok(ok(&Object::new().put("changed", changed).into()))
}

/// Whether something was delivered, as a body says it.
pub(super) async fn read_delivery(caller: &Caller, sent: Body) -> Result<Said, Fault> {
    let bytes = caller.body(sent, BODY_BYTES).await?;
    let body = wire::Body::parse(&bytes, &["delivered", "key"], Kind::InvalidParameter)?;
    let delivery = match body.get("delivered") {
        Some(Json::Bool(true)) => Delivery::Made,
        Some(Json::Bool(false)) => Delivery::Failed,
        _ => return Err(Fault::parameter("delivered", "it does not say whether", "true or false")),
    };
    Ok(Said { delivery, key: body.name("key")?.map(|key| key.as_str().to_owned()) })
}

/// `POST /requests/dismiss`
pub(super) async fn dismiss(
    Shared(app): Shared<Arc<App>>,
    caller: Caller,
    uri: Uri,
    sent: Body,
) -> Result<Response, Fault> {
    caller.answers()?;
    Parameters::parse(uri.query(), &[])?;
    let bytes = caller.body(sent, BODY_BYTES).await?;
    let body = wire::Body::parse(&bytes, &["room", "unwaitedFor", "reason", "surface"], Kind::InvalidParameter)?;
    let room = body.text("room")?.map(Room::parse).transpose();
    let room = room.map_err(|refusal| Fault::refused(Kind::InvalidParameter, "room", refusal))?;
    let among = caller.narrow(Query { room, ..Query::default() })?;
    let seconds = match body.get("unwaitedFor") {
        Some(Json::Number(seconds)) if DISMISS_SECONDS.contains(seconds) => *seconds,
        _ => return Err(Fault::parameter("unwaitedFor", "there is no such time", "a number of seconds, at least 1")),
    };
    let signature = caller.signature(body.surface()?);
    let count = app.hub.dismiss(among, Duration::from_secs_f64(seconds), body.reason()?, signature).await?;
    Ok(ok(&Object::new().put("dismissed", count as f64).into()))
}
