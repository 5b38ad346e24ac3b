//! Requests over HTTP: asking, waiting, answering, declining, cancelling, listing.
//!
//! A caller that the service would refuse is refused before its body is read; the service checks again when the use case runs (S8).

use crate::app::{HandlerResult, Shared, json, ok};
use crate::extract::PathId;
use crate::fault::Fault;
use crate::parameters::Parameters;
use crate::service::Caller;
use askback_api::{
    AnswerBody, AskAgain, AskQuery, CancelBody, Changed, DeclineBody, DeliveryBody, DismissBody, Dismissed, ListQuery,
    ProblemCode, RequestRef, RoomQuery, path, state_json,
};
use askback_core::{Limits, Outcome, Request};
use askback_hub::Record;
use axum::body::Body;
use axum::http::header::LOCATION;
use axum::http::{HeaderValue, StatusCode, Uri};
use axum::response::Response;
use std::sync::Arc;

/// `POST /requests`
pub(super) async fn ask(app: Shared, caller: Caller, uri: Uri, sent: Body) -> HandlerResult {
    caller.asks()?;
    let parameters = Parameters::parse(uri.query(), &["id", "askedAt", "attach", "deliverLater"])?;
    let again = match (parameters.flag("attach")?, parameters.flag("deliverLater")?) {
        (false, _) => AskAgain::Anew,
        (true, false) => AskAgain::Attach,
        (true, true) => AskAgain::AttachAndDeliverLater,
    };
    let query = AskQuery { id: parameters.id()?, asked_at: parameters.moment("askedAt")?, again };
    let permit = app.service.admit_ask(&caller)?;
    let bytes = caller.bytes(&app, sent, Limits::DEFAULT.request_bytes).await?;
    let request = Request::parse(&bytes, &Limits::DEFAULT)
        .map_err(|problems| Fault::of_problems(ProblemCode::InvalidRequest, &problems))?;
    let asked = app.service.asked(&app.service.ask(&caller, permit, request, query).await?);
    let status = if asked.is_known { StatusCode::OK } else { StatusCode::CREATED };
    let mut response = json(status, &asked.record);
    if let Ok(location) = HeaderValue::from_str(&path::with(path::OUTCOME, &asked.record.id)) {
        response.headers_mut().insert(LOCATION, location);
    }
    Ok(response)
}

/// `GET /requests`
pub(super) async fn list(app: Shared, caller: Caller, uri: Uri) -> HandlerResult {
    let parameters = Parameters::parse(uri.query(), &["status", "room", "asker", "cursor", "limit"])?;
    let query = ListQuery {
        status: parameters.status()?,
        room: parameters.room()?,
        asker: parameters.name("asker")?,
        cursor: parameters.text("cursor").map(str::to_owned),
        limit: parameters.limit()?,
    };
    Ok(ok(&app.service.list(&caller, query).await?))
}

/// `GET /requests/unattended`
pub(super) async fn unattended(app: Shared, caller: Caller, uri: Uri) -> HandlerResult {
    caller.answers()?;
    let parameters = Parameters::parse(uri.query(), &["room"])?;
    Ok(ok(&app.service.unattended(&caller, RoomQuery { room: parameters.room()? }).await?))
}

/// `GET /requests/{id}`
pub(super) async fn outcome(app: Shared, caller: Caller, PathId(id): PathId, uri: Uri) -> HandlerResult {
    let wait = Parameters::parse(uri.query(), &["wait"])?.wait()?;
    let (record, outcome) = app.service.wait(&caller, &id, Some(wait)).await?;
    Ok(state(&record, outcome.as_deref()))
}

fn state(record: &Record, outcome: Option<&Outcome>) -> Response {
    ok(&state_json(RequestRef { id: &record.id, request: &record.request }, outcome))
}

fn ended((record, outcome): (Arc<Record>, Arc<Outcome>)) -> Response {
    state(&record, Some(&outcome))
}

/// `GET /requests/{id}/request`
pub(super) async fn request(app: Shared, caller: Caller, PathId(id): PathId, uri: Uri) -> HandlerResult {
    Parameters::none(&uri)?;
    Ok(ok(&app.service.show(&caller, &id).await?))
}

/// `POST /requests/{id}/answer`
pub(super) async fn answer(app: Shared, caller: Caller, PathId(id): PathId, uri: Uri, sent: Body) -> HandlerResult {
    app.service.may_answer(&caller)?;
    Parameters::none(&uri)?;
    let record = app.service.visible(&caller, &id).await?;
    let body: AnswerBody = caller.body(&app, sent, ProblemCode::InvalidAnswer).await?;
    app.service.answer_visible(&caller, record, body).await.map(ended)
}

/// `POST /requests/{id}/decline`
pub(super) async fn decline(app: Shared, caller: Caller, PathId(id): PathId, uri: Uri, sent: Body) -> HandlerResult {
    app.service.may_answer(&caller)?;
    Parameters::none(&uri)?;
    let record = app.service.visible(&caller, &id).await?;
    let body: DeclineBody = caller.body(&app, sent, ProblemCode::InvalidParameter).await?;
    app.service.decline_visible(&caller, record, body).await.map(ended)
}

/// `POST /requests/{id}/cancel`
pub(super) async fn cancel(app: Shared, caller: Caller, PathId(id): PathId, uri: Uri, sent: Body) -> HandlerResult {
    Parameters::none(&uri)?;
    let record = app.service.cancellable(&caller, &id).await?;
    let body: CancelBody = caller.body(&app, sent, ProblemCode::InvalidParameter).await?;
    app.service.cancel_visible(&caller, record, body).await.map(ended)
}

/// `POST /requests/{id}/delivery`
pub(super) async fn delivery(app: Shared, caller: Caller, PathId(id): PathId, uri: Uri, sent: Body) -> HandlerResult {
    Parameters::none(&uri)?;
    app.service.deliverable(&caller, &id).await?;
    let body: DeliveryBody = caller.body(&app, sent, ProblemCode::InvalidParameter).await?;
    Ok(ok(&Changed { changed: app.service.deliver(&caller, &id, &body).await? }))
}

/// `POST /requests/dismiss`
pub(super) async fn dismiss(app: Shared, caller: Caller, uri: Uri, sent: Body) -> HandlerResult {
    caller.answers()?;
    Parameters::none(&uri)?;
    let body: DismissBody = caller.body(&app, sent, ProblemCode::InvalidParameter).await?;
    Ok(ok(&Dismissed { dismissed: app.service.dismiss(&caller, body).await? }))
}
