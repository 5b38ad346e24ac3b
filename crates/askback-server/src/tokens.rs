//! Tokens over HTTP.

use crate::app::{HandlerResult, Shared, json, ok};
use crate::extract::PathId;
use crate::parameters::Parameters;
use crate::service::Caller;
use askback_api::{ProblemCode, RoomQuery, TokenBody};
use axum::body::Body;
use axum::http::{StatusCode, Uri};
use axum::response::IntoResponse;

/// `GET /me`
pub(super) async fn me(app: Shared, caller: Caller, uri: Uri) -> HandlerResult {
    let parameters = Parameters::parse(uri.query(), &["room"])?;
    Ok(ok(&app.service.me(&caller, RoomQuery { room: parameters.room()? }).await?))
}

/// `POST /tokens`
pub(super) async fn create(app: Shared, caller: Caller, uri: Uri, sent: Body) -> HandlerResult {
    caller.administers()?;
    Parameters::none(&uri)?;
    let body: TokenBody = caller.body(&app, sent, ProblemCode::InvalidParameter).await?;
    Ok(json(StatusCode::CREATED, &app.service.issue_token(&caller, body).await?))
}

/// `GET /tokens`
pub(super) async fn list(app: Shared, caller: Caller, uri: Uri) -> HandlerResult {
    caller.administers()?;
    Parameters::none(&uri)?;
    Ok(ok(&app.service.tokens(&caller)?))
}

/// `DELETE /tokens/{number}`
pub(super) async fn revoke(app: Shared, caller: Caller, PathId(number): PathId, uri: Uri) -> HandlerResult {
    caller.administers()?;
    Parameters::none(&uri)?;
    // Only the canonical form, without leading zeros or a sign.
    let number = number.parse::<u64>().ok().filter(|parsed| parsed.to_string() == number);
    app.service.revoke_token(&caller, number).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
