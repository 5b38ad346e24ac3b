//! What stands before every call: the gate, and what browsers are told of every response.

use crate::app::{App, Connection};
use crate::gate::cookies;
use axum::extract::{Request, State};
use axum::http::header::{LOCATION, SET_COOKIE};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// What a browser may do with anything that comes from here: nothing but show it and call back.
const HEADERS: [(&str, &str); 9] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    // That a link in an agent's text is on the screen must not tell anybody: its name is looked up when it is followed.
    ("x-dns-prefetch-control", "off"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
    ("cache-control", "no-store"),
];

/// Lets a call pass, or not, and seals what comes back.
pub(super) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let checked = match request.extensions().get::<Connection>() {
        // No browser finds its way to a socket in a folder.
        Some(Connection::Local) => Ok(()),
        // What nobody knows of is taken for the worst.
        Some(Connection::Tcp(_)) | None => app.gate.check(request.headers()),
    };
    let sends_old_cookie = cookies(request.headers(), OLD_COOKIE).next().is_some();
    let mut response = match checked {
        Ok(()) => next.run(request).await,
        Err(fault) => fault.into_response(),
    };
    app.counters.count(response.status());
    expire_old_cookie(sends_old_cookie, &mut response);
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(HeaderName::from_static(name)).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Redirects a browser that asks for a page under another name than the canonical one.
pub(super) async fn redirect(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let canonical = match request.extensions().get::<Connection>() {
        Some(Connection::Local) => None,
        Some(Connection::Tcp(_)) | None => app.gate.canonical(&request),
    };
    match canonical.and_then(|address| HeaderValue::from_str(&address).ok()) {
        Some(address) => (StatusCode::TEMPORARY_REDIRECT, [(LOCATION, address)]).into_response(),
        None => next.run(request).await,
    }
}

/// The cookie that logged a browser in before sessions became bearer tokens.
const OLD_COOKIE: &str = "askback_session";

/// Expires the old cookie in browsers that still send it, so that it stops reaching other ports of this host.
fn expire_old_cookie(sent: bool, response: &mut Response) {
    if sent {
        let expired = HeaderValue::from_static("askback_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict");
        response.headers_mut().append(SET_COOKIE, expired);
    }
}
