//! Scripts that ask (`execute_code`) over HTTP: started, waited for, stopped. They run here, so that they outlive the call and the client
//! that started them; they end with the hub, and what they have asked stays.

use super::app::{App, json, ok};
use super::caller::Caller;
use super::limits::{BODY_BYTES, WAIT_SECONDS};
use super::parameters::Parameters;
use super::{PathId, requests, wire};
use crate::fault::{Fault, Kind};
use askback_core::{Json, Object, RequestId, Status, show};
use askback_hub::{Query, Room, new_id};
use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use registry::{Begun, Kept, NewScript};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::timeout;

mod host;
pub(super) mod registry;

/// What requests of scripts say of where they come from.
const SOURCE: &str = "execute_code";

/// `POST /scripts`
pub(super) async fn start(
    State(app): State<Arc<App>>,
    caller: Caller,
    uri: Uri,
    sent: Body,
) -> Result<Response, Fault> {
    caller.asks()?;
    let parameters = Parameters::parse(uri.query(), &["id", "attach"])?;
    let (id, attach) = (parameters.id()?.unwrap_or_else(new_id), parameters.flag("attach")?);
    if app.asks.take(caller.token.number, Instant::now()).is_err() {
        return Err(requests::too_often());
    }
    let bytes = caller.body(sent, BODY_BYTES).await?;
    let body = wire::Body::parse(&bytes, &["code", "room", "from"], Kind::InvalidParameter)?;
    let code = body.text("code")?.filter(|code| !code.trim().is_empty());
    let code =
        code.ok_or_else(|| Fault::parameter("code", "there is none", "JavaScript: the body of an async function"))?;
    let room = body.text("room")?.map(Room::parse).transpose();
    let room = room.map_err(|refusal| Fault::refused(Kind::InvalidParameter, "room", refusal))?;
    let (owner, room, claim) = (Arc::clone(&caller.token), caller.narrow_room(room)?, body.name("from")?);
    let new = NewScript { id, owner, room, claim, code: code.to_owned(), attach };
    let begun = app.scripts.begin(new, &app, |engine, script| {
        let host = host::Asking::new(Arc::downgrade(&app), caller.clone(), Arc::downgrade(script));
        engine.start(code.to_owned(), Arc::new(host))
    })?;
    Ok(match begun {
        Begun::New(kept) => json(StatusCode::CREATED, &kept.to_json()),
        Begun::Known(kept) => ok(&kept.to_json()),
    })
}

/// `GET /scripts/{id}`
pub(super) async fn state(
    State(app): State<Arc<App>>,
    caller: Caller,
    PathId(id): PathId,
    uri: Uri,
) -> Result<Response, Fault> {
    let parameters = Parameters::parse(uri.query(), &["wait"])?;
    let wait = Duration::from_secs(parameters.number("wait", 0, WAIT_SECONDS)?.unwrap_or(0));
    let kept = find(&app, &caller, &id).await?;
    let _waiting = app.counters.waiting.enter();
    let waiting = async {
        tokio::select! {
            biased;
            _ = timeout(wait, kept.finished()) => Ok(()),
            () = app.stopped() => Err(Fault::new(Kind::Stopping, "the hub is stopping, and its scripts end with it")),
        }
    };
    caller.while_valid(waiting).await?;
    Ok(ok(&kept.to_json()))
}

/// `POST /scripts/{id}/stop`
pub(super) async fn stop(
    State(app): State<Arc<App>>,
    caller: Caller,
    PathId(id): PathId,
    uri: Uri,
) -> Result<Response, Fault> {
    Parameters::parse(uri.query(), &[])?;
    let kept = find(&app, &caller, &id).await?;
    kept.stop("it was cancelled");
    kept.finished().await;
    Ok(ok(&kept.to_json()))
}

/// `POST /scripts/{id}/delivery`
pub(super) async fn delivery(
    State(app): State<Arc<App>>,
    caller: Caller,
    PathId(id): PathId,
    uri: Uri,
    sent: Body,
) -> Result<Response, Fault> {
    Parameters::parse(uri.query(), &[])?;
    let kept = find(&app, &caller, &id).await?;
    let changed = kept.deliver(requests::read_delivery(&caller, sent).await?);
    Ok(ok(&Object::new().put("changed", changed).into()))
}

/// A script of this asker's; for all others it is not there.
async fn find(app: &App, caller: &Caller, id: &str) -> Result<Arc<Kept>, Fault> {
    caller.asks()?;
    let found = RequestId::parse(id).ok().and_then(|id| app.scripts.get(&id));
    match found.filter(|kept| kept.is_of(caller.name(), caller.token.room.as_ref())) {
        Some(kept) => Ok(kept),
        None => Err(gone(app, caller, id).await),
    }
}

/// What to say of a script that is not there: a hub that was started again has none, and what they asked is still open.
async fn gone(app: &App, caller: &Caller, id: &str) -> Fault {
    let mut said = format!(
        "there is no request and no script {} that this token may see. A script ends with the hub that runs it, and what it returned is kept for a day, \
         or until there is too much of it: run the script once more",
        show::quote(id)
    );
    let query = Query { status: Some(Status::Pending), asker: Some(caller.name().clone()), ..Query::default() };
    if let Ok(query) = caller.narrow(query)
        && let Ok(page) = app.hub.list(query).await
    {
        let left = page.items.iter().filter(|listed| listed.record.request.source() == Some(SOURCE));
        let left: Vec<String> = left
            .map(|listed| {
                let message = listed.record.request.questions().first().map_or("", |question| question.message());
                format!("{} ({})", listed.record.id, show::quote(message))
            })
            .collect();
        if !left.is_empty() {
            said.push_str(&format!(
                "; it finds again what scripts have asked and is still pending: {}",
                left.join(", ")
            ));
        }
    }
    Fault::new(Kind::NotFound, said)
}

/// A script's console, a text for each call.
fn console(transcript: &askback_script::Transcript) -> Vec<Json> {
    use askback_script::Level;
    let mut lines: Vec<Json> = transcript
        .lines
        .iter()
        .map(|line| match line.level {
            Level::Warn | Level::Error => format!("{}: {}", line.level.name(), line.text).into(),
            Level::Debug | Level::Log | Level::Info => line.text.as_str().into(),
        })
        .collect();
    if transcript.dropped > 0 {
        lines.push(format!("… and {} more that were not kept", transcript.dropped).into());
    }
    lines
}
