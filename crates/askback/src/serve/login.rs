//! Logging a browser in with a link that works once, and logging it out.

use super::app::{App, Connection, json, ok};
use super::caller::{Caller, limit_failures};
use super::limits::{BODY_BYTES, LOGIN_LINK, SESSION};
use super::page_path::PagePath;
use super::parameters::Parameters;
use super::{body, wire};
use crate::fault::{Fault, Kind};
use askback_core::{Json, Object};
use askback_hub::{NewToken, Purpose, Role, Secret, SessionKind, Timestamp, Token};
use axum::body::Body;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// `POST /login-links`
pub(super) async fn link(State(app): State<Arc<App>>, caller: Caller, uri: Uri, sent: Body) -> Result<Response, Fault> {
    caller.answers()?;
    Parameters::parse(uri.query(), &[])?;
    let bytes = caller.body(sent, BODY_BYTES).await?;
    let body = wire::Body::parse(&bytes, &["path", "plain"], Kind::InvalidParameter)?;
    let path = body.text("path")?.map(PagePath::parse).transpose();
    let path = path.map_err(|refusal| Fault::refused(Kind::InvalidParameter, "path", refusal))?;
    let is_plain = body.flag("plain")?.unwrap_or(false);
    let expires_at = Timestamp::now().checked_add(LOGIN_LINK).ok();
    let token = &caller.token;
    let (_, secret) = app
        .hub
        .issue(NewToken {
            purpose: Purpose::Login,
            // A browser's session can answer, and issue no tokens that outlive it.
            role: Role::Answerer,
            name: token.name.clone(),
            room: token.room.clone(),
            expires_at,
            issued_by: Some(token.number),
        })
        .await?;
    let (origin, code) = (app.gate.address(), secret.as_str());
    let to = path.as_ref().map(to_parameter).unwrap_or_default();
    let url = if is_plain {
        format!("{origin}/plain/login?code={code}{to}")
    } else {
        // No browser, preview or proxy sends a fragment: only the page's own script reads the code.
        format!("{origin}/login#code={code}{to}")
    };
    let link = Object::new().put("url", url).put("expiresAt", expires_at.map(|at| at.to_string()));
    Ok(json(StatusCode::CREATED, &link.into()))
}

/// The part of a link that names the path to go to after logging in.
fn to_parameter(path: &PagePath) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("to", path.as_str());
    // Slashes are allowed there, and people read links.
    format!("&{}", query.finish().replace("%2F", "/"))
}

/// `POST /sessions`
pub(super) async fn session(
    State(app): State<Arc<App>>,
    connection: Option<Extension<Connection>>,
    uri: Uri,
    headers: HeaderMap,
    sent: Body,
) -> Result<Response, Fault> {
    Parameters::parse(uri.query(), &[])?;
    app.gate.check_own_origin(&headers)?;
    let bytes = body(sent, BODY_BYTES).await?;
    let body = wire::Body::parse(&bytes, &["code", "redeem"], Kind::InvalidParameter)?;
    let code = body.text("code")?.unwrap_or_default();
    let redeems = body.flag("redeem")?.ok_or_else(|| {
        Fault::parameter("redeem", "it is missing", "false to see whose login this is, true to log in")
    })?;
    let address = connection.and_then(|Extension(connection)| connection.address());
    if redeems {
        let (session, secret) = limit_failures(&app, address, redeem(&app, code, SessionKind::Page).await)?;
        let session = login(&session).put("secret", secret.as_str());
        return Ok(json(StatusCode::CREATED, &session.into()));
    }
    let link = app.hub.login_link(code).ok_or_else(no_link);
    Ok(ok(&login(&*limit_failures(&app, address, link)?).into()))
}

/// The person that a login is for.
fn login(token: &Token) -> Object {
    let room: Json = token.room.as_ref().map(|room| room.as_str().to_owned()).into();
    let expires_at = token.expires_at.map(|at| at.to_string());
    Object::new().put("name", token.name.as_str()).put("room", room).put("expiresAt", expires_at)
}

/// Redeems the code of a login link for a session.
pub(super) async fn redeem(app: &App, code: &str, kind: SessionKind) -> Result<(Arc<Token>, Secret), Fault> {
    let (session, secret) = app.hub.redeem(code, kind, SESSION).await?.ok_or_else(no_link)?;
    tracing::info!(number = session.number, name = session.name.as_str(), "a browser has logged in");
    Ok((session, secret))
}

pub(super) fn no_link() -> Fault {
    let why = "this link was used, or has expired: it works once, for ten minutes; `askback open` prints another";
    Fault::new(Kind::Unauthenticated, why)
}

/// `POST /logout`
pub(super) async fn logout(State(app): State<Arc<App>>, caller: Caller, uri: Uri) -> Result<Response, Fault> {
    Parameters::parse(uri.query(), &[])?;
    if caller.token.purpose != Purpose::Session {
        return Err(Fault::new(Kind::Forbidden, "only a browser's session logs out; an admin revokes a token"));
    }
    app.hub.revoke(caller.token.number).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
