//! Scripts (`execute_code`) over HTTP.

use crate::app::{HandlerResult, Shared, json, ok};
use crate::extract::PathId;
use crate::parameters::Parameters;
use crate::service::Caller;
use askback_api::{Changed, DeliveryBody, ProblemCode, ScriptBody, ScriptQuery};
use axum::body::Body;
use axum::http::{StatusCode, Uri};

/// `POST /scripts`
pub(super) async fn start(app: Shared, caller: Caller, uri: Uri, sent: Body) -> HandlerResult {
    caller.asks()?;
    let parameters = Parameters::parse(uri.query(), &["id", "attach"])?;
    let query = ScriptQuery { id: parameters.id()?, attach: parameters.flag("attach")? };
    let permit = app.service.admit_ask(&caller)?;
    let body: ScriptBody = caller.body(&app, sent, ProblemCode::InvalidParameter).await?;
    let (script, is_known) = app.service.start_script(&caller, permit, body, query)?;
    Ok(json(if is_known { StatusCode::OK } else { StatusCode::CREATED }, &script))
}

/// `GET /scripts/{id}`
pub(super) async fn state(app: Shared, caller: Caller, PathId(id): PathId, uri: Uri) -> HandlerResult {
    let wait = Parameters::parse(uri.query(), &["wait"])?.wait()?;
    Ok(ok(&app.service.wait_for_script(&caller, &id, wait).await?))
}

/// `POST /scripts/{id}/stop`
pub(super) async fn stop(app: Shared, caller: Caller, PathId(id): PathId, uri: Uri) -> HandlerResult {
    Parameters::none(&uri)?;
    Ok(ok(&app.service.stop_script(&caller, &id).await?))
}

/// `POST /scripts/{id}/delivery`
pub(super) async fn delivery(app: Shared, caller: Caller, PathId(id): PathId, uri: Uri, sent: Body) -> HandlerResult {
    Parameters::none(&uri)?;
    let body: DeliveryBody = caller.body(&app, sent, ProblemCode::InvalidParameter).await?;
    Ok(ok(&Changed { changed: app.service.deliver_script(&caller, &id, &body).await? }))
}
