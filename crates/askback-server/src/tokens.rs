//! Tokens over HTTP.

use crate::app::{App, json, ok};
use crate::extract::PathId;
use crate::fault::Fault;
use crate::parameters::Parameters;
use crate::service::Caller;
use askback_api::{ProblemCode, RoomQuery, TokenBody};
use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// `GET /me`
pub(super) async fn me(State(app): State<Arc<App>>, caller: Caller, uri: Uri) -> Result<Response, Fault> {
    let parameters = Parameters::parse(uri.query(), &["room"])?;
    Ok(ok(&app.service.me(&caller, RoomQuery { room: parameters.room()? })?))
}

/// `POST /tokens`
pub(super) async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    uri: Uri,
    sent: Body,
) -> Result<Response, Fault> {
    caller.administers()?;
    Parameters::none(&uri)?;
    let body: TokenBody = caller.body(sent, ProblemCode::InvalidParameter).await?;
    Ok(json(StatusCode::CREATED, &app.service.issue_token(&caller, body).await?))
}

/// `GET /tokens`
pub(super) async fn list(State(app): State<Arc<App>>, caller: Caller, uri: Uri) -> Result<Response, Fault> {
    caller.administers()?;
    Parameters::none(&uri)?;
    Ok(ok(&app.service.tokens(&caller)?))
}

/// `DELETE /tokens/{number}`
pub(super) async fn revoke(
    State(app): State<Arc<App>>,
    caller: Caller,
    PathId(number): PathId,
    uri: Uri,
) -> Result<Response, Fault> {
    caller.administers()?;
    Parameters::none(&uri)?;
    // As it is written, and in no other way.
    let number = number.parse::<u64>().ok().filter(|parsed| parsed.to_string() == number);
    app.service.revoke_token(&caller, number).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
