//! Logins and logouts of browsers over HTTP.

use crate::app::{Connection, HandlerResult, Shared, json, ok};
use crate::body::receive_small;
use crate::extract::parse;
use crate::parameters::Parameters;
use crate::service::Caller;
use askback_api::{LoginLinkBody, ProblemCode, SessionBody};
use axum::body::Body;
use axum::extract::Extension;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::IntoResponse;

/// `POST /login-links`
pub(super) async fn link(app: Shared, caller: Caller, uri: Uri, sent: Body) -> HandlerResult {
    caller.answers()?;
    Parameters::none(&uri)?;
    let body: LoginLinkBody = caller.body(&app, sent, ProblemCode::InvalidParameter).await?;
    Ok(json(StatusCode::CREATED, &app.service.login_link(&caller, body).await?))
}

/// `POST /sessions`
pub(super) async fn session(
    app: Shared,
    connection: Option<Extension<Connection>>,
    uri: Uri,
    headers: HeaderMap,
    sent: Body,
) -> HandlerResult {
    Parameters::none(&uri)?;
    app.gate.check_own_origin(&headers)?;
    let bytes = receive_small(sent).await?;
    let SessionBody { code, redeem } = parse(&bytes, ProblemCode::InvalidParameter)?;
    let address = connection.and_then(|Extension(connection)| connection.address());
    if redeem {
        return Ok(json(StatusCode::CREATED, &app.service.log_in(&code, address).await?));
    }
    Ok(ok(&app.service.show_login(&code, address)?))
}

/// `POST /logout`
pub(super) async fn logout(app: Shared, caller: Caller, uri: Uri) -> HandlerResult {
    Parameters::none(&uri)?;
    app.service.log_out(&caller).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
