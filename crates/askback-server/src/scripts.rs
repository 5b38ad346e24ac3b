//! Scripts that ask (`execute_code`) over HTTP.

use crate::app::{App, json, ok};
use crate::extract::PathId;
use crate::fault::Fault;
use crate::parameters::Parameters;
use crate::service::Caller;
use askback_api::limits::WAIT_SECONDS;
use askback_api::{Changed, DeliveryBody, ProblemCode, ScriptBody, ScriptQuery};
use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use std::sync::Arc;
use std::time::Duration;

/// `POST /scripts`
pub(super) async fn start(
    State(app): State<Arc<App>>,
    caller: Caller,
    uri: Uri,
    sent: Body,
) -> Result<Response, Fault> {
    caller.asks()?;
    let parameters = Parameters::parse(uri.query(), &["id", "attach"])?;
    let query = ScriptQuery { id: parameters.id()?, attach: parameters.flag("attach")? };
    let permit = app.service.admit_ask(&caller)?;
    let body: ScriptBody = caller.body(sent, ProblemCode::InvalidParameter).await?;
    let (script, is_known) = app.service.start_script(&caller, permit, body, query)?;
    Ok(json(if is_known { StatusCode::OK } else { StatusCode::CREATED }, &script))
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
    Ok(ok(&app.service.wait_for_script(&caller, &id, wait).await?))
}

/// `POST /scripts/{id}/stop`
pub(super) async fn stop(
    State(app): State<Arc<App>>,
    caller: Caller,
    PathId(id): PathId,
    uri: Uri,
) -> Result<Response, Fault> {
    Parameters::none(&uri)?;
    Ok(ok(&app.service.stop_script(&caller, &id).await?))
}

/// `POST /scripts/{id}/delivery`
pub(super) async fn delivery(
    State(app): State<Arc<App>>,
    caller: Caller,
    PathId(id): PathId,
    uri: Uri,
    sent: Body,
) -> Result<Response, Fault> {
    Parameters::none(&uri)?;
    let body: DeliveryBody = caller.body(sent, ProblemCode::InvalidParameter).await?;
    Ok(ok(&Changed { changed: app.service.deliver_script(&caller, &id, &body).await? }))
}
