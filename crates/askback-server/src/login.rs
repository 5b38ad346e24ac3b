//! Logging a browser in and out, over HTTP.

use crate::app::{App, Connection, json, ok};
use crate::extract::{parse, read_bytes};
use crate::fault::Fault;
use crate::limits::BODY_BYTES;
use crate::parameters::Parameters;
use crate::service::Caller;
use askback_api::{LoginLinkBody, ProblemCode, SessionBody};
use axum::body::Body;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// `POST /login-links`
pub(super) async fn link(State(app): State<Arc<App>>, caller: Caller, uri: Uri, sent: Body) -> Result<Response, Fault> {
    caller.answers()?;
    Parameters::none(&uri)?;
    let body: LoginLinkBody = caller.body(sent, ProblemCode::InvalidParameter).await?;
    Ok(json(StatusCode::CREATED, &app.service.login_link(&caller, body).await?))
}

/// `POST /sessions`
pub(super) async fn session(
    State(app): State<Arc<App>>,
    connection: Option<Extension<Connection>>,
    uri: Uri,
    headers: HeaderMap,
    sent: Body,
) -> Result<Response, Fault> {
    Parameters::none(&uri)?;
    app.gate.check_own_origin(&headers)?;
    let bytes = read_bytes(sent, BODY_BYTES).await?;
    let SessionBody { code, redeem } = parse(&bytes, ProblemCode::InvalidParameter)?;
    let address = connection.and_then(|Extension(connection)| connection.address());
    if redeem {
        return Ok(json(StatusCode::CREATED, &app.service.log_in(&code, address).await?));
    }
    Ok(ok(&app.service.show_login(&code, address)?))
}

/// `POST /logout`
pub(super) async fn logout(State(app): State<Arc<App>>, caller: Caller, uri: Uri) -> Result<Response, Fault> {
    Parameters::none(&uri)?;
    app.service.log_out(&caller).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
