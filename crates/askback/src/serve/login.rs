//! Logging in with a link that works once, and logging out.

use super::app::{App, json, typed};
use super::caller::{COOKIE_NAME, Caller, cookie};
use super::limits::{BODY_BYTES, LOGIN_LINK, SESSION};
use super::page_path::PagePath;
use super::parameters::Parameters;
use super::plain::PageFault;
use super::plain::html::Html;
use super::wire;
use crate::fault::{Fault, Kind};
use askback_core::Object;
use askback_hub::{NewToken, Purpose, Role, Timestamp};
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{ACCEPT, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// `POST /login-links`
pub(super) async fn link(State(app): State<Arc<App>>, caller: Caller, uri: Uri, sent: Body) -> Result<Response, Fault> {
    caller.answers()?;
    Parameters::parse(uri.query(), &[])?;
    let bytes = caller.body(sent, BODY_BYTES).await?;
    let body = wire::Body::parse(&bytes, &["path"], Kind::InvalidParameter)?;
    let path = body.text("path")?.map(PagePath::parse).transpose();
    let path = path.map_err(|refusal| Fault::refused(Kind::InvalidParameter, "path", refusal))?;
    let expires_at = Timestamp::now().checked_add(LOGIN_LINK).ok();
    let token = &caller.token;
    let (_, secret) = app
        .hub
        .issue(NewToken {
            purpose: Purpose::Login,
            // Whoever gets hold of a browser's cookie can answer, and not make tokens that outlive it.
            role: Role::Answerer,
            name: token.name.clone(),
            room: token.room.clone(),
            expires_at,
            issued_by: Some(token.number),
        })
        .await?;
    let to = path.as_ref().map(to_parameter).unwrap_or_default();
    let url = format!("{}/login?code={}{to}", app.gate.address(), secret.as_str());
    let link = Object::new().put("url", url).put("expiresAt", expires_at.map(|at| at.to_string()));
    Ok(json(StatusCode::CREATED, &link.into()))
}

/// The end of a link that leads on to a path.
fn to_parameter(path: &PagePath) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("to", path.as_str());
    // In a query a slash is a slash, and a link is read by people, too.
    format!("&{}", query.finish().replace("%2F", "/"))
}

/// `GET /login`
pub(super) async fn login(State(app): State<Arc<App>>, uri: Uri, headers: HeaderMap) -> Response {
    let accepted = headers.get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    match log_in(&app, &uri).await {
        Ok(response) => response,
        // Whoever sits before a browser reads a page.
        Err(fault) if accepted.contains("text/html") => PageFault::OfLoginLink(fault).into_response(),
        Err(fault) => fault.into_response(),
    }
}

async fn log_in(app: &App, uri: &Uri) -> Result<Response, Fault> {
    let parameters = Parameters::parse(uri.query(), &["code", "to"])?;
    // Before the link is used up.
    let to = parameters.page_path("to")?.unwrap_or_else(PagePath::start);
    let used = || {
        Fault::new(
            Kind::Unauthenticated,
            "this link has been used, or is too old: it works once, for ten minutes; get another with `askback open`",
        )
    };
    let code = parameters.text("code").ok_or_else(used)?;
    let (session, secret) = app.hub.redeem(code, SESSION).await?.ok_or_else(used)?;
    tracing::info!(number = session.number, name = session.name.as_str(), "somebody is logged in");
    let mut response = typed(StatusCode::OK, "text/html; charset=utf-8", logged_in(&to));
    set_cookie(app, &mut response, secret.as_str(), SESSION.as_secs());
    Ok(response)
}

/// The page that leads on. No redirect: a browser that came here from another site would not send a strict cookie along with it.
fn logged_in(to: &PagePath) -> String {
    let mut html = Html::default();
    html.markup("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>askback</title>");
    html.markup("<meta http-equiv=\"refresh\"").attribute("content", &format!("0;url={}", to.as_str()));
    html.markup("></head><body><p>You are logged in. <a").attribute("href", to.as_str());
    html.markup(">Go on</a></p></body></html>\n");
    html.into_string()
}

/// `POST /logout`
pub(super) async fn logout(
    State(app): State<Arc<App>>,
    caller: Caller,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    Parameters::parse(uri.query(), &[])?;
    if cookie(&headers).is_none() || caller.token.purpose != Purpose::Session {
        return Err(Fault::new(Kind::Forbidden, "only a browser logs out; a token is revoked by an admin"));
    }
    app.hub.revoke(caller.token.number).await?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    set_cookie(&app, &mut response, "", 0);
    Ok(response)
}

fn set_cookie(app: &App, response: &mut Response, value: &str, seconds: u64) {
    let secure = if app.gate.is_secure { "; Secure" } else { "" };
    let text = format!("{COOKIE_NAME}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
    if let Ok(value) = HeaderValue::from_str(&text) {
        response.headers_mut().insert(SET_COOKIE, value);
    }
}
