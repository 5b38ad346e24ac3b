//! The middleware of every call: the gate, and the security headers of every response.

use crate::app::{App, Connection, Shared};
use crate::connection_slots::ConnectionSlot;
use crate::gate::cookies;
use crate::sent_body;
use axum::extract::{Request, State};
use axum::http::header::{LOCATION, SET_COOKIE};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// Security headers: a browser may show a response and call back, and nothing else.
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
    // Showing a link in an agent's text must not leak: its name is resolved only when the link is followed.
    ("x-dns-prefetch-control", "off"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
    ("cache-control", "no-store"),
];

/// Checks a call at the gate, and adds the security headers to its response.
pub(super) async fn guard(State(app): Shared, request: Request, next: Next) -> Response {
    let checked = match request.extensions().get::<Connection>() {
        // No browser can connect to a Unix socket.
        Some(Connection::Local) => Ok(()),
        // An unknown origin is treated like TCP.
        Some(Connection::Tcp(_)) | None => app.gate.check(request.headers()),
    };
    let sends_old_cookie = cookies(request.headers(), OLD_COOKIE).next().is_some();
    let method = request.method().clone();
    let slot = request.extensions().get::<Arc<ConnectionSlot>>().cloned();
    let mut response = match checked {
        Ok(()) => next.run(request).await,
        Err(fault) => fault.into_response(),
    };
    // To a connection without a token only small responses are sent, and constant ones.
    if let Some(holder) = slot.and_then(|slot| slot.holder()) {
        response = match method {
            Method::HEAD => response,
            Method::GET => sent_body::admit(response, holder, &app.responses),
            _ => sent_body::count(response, holder, &app.responses),
        };
    }
    app.counters.count(response.status());
    let headers = response.headers_mut();
    if sends_old_cookie {
        // So that it stops reaching other ports of this host.
        let expired = HeaderValue::from_static("askback_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict");
        headers.append(SET_COOKIE, expired);
    }
    for (name, value) in HEADERS {
        headers.entry(HeaderName::from_static(name)).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Redirects a browser that opens a page under another name than the canonical one.
pub(super) async fn redirect(State(app): Shared, request: Request, next: Next) -> Response {
    match redirection(&app, &request) {
        Some(redirection) => redirection,
        None => next.run(request).await,
    }
}

/// The redirect to the canonical name, if a page was opened under another one.
pub(super) fn redirection(app: &App, request: &Request) -> Option<Response> {
    let canonical = match request.extensions().get::<Connection>() {
        Some(Connection::Local) => None,
        Some(Connection::Tcp(_)) | None => app.gate.canonical(request),
    };
    let address = HeaderValue::from_str(&canonical?).ok()?;
    Some((StatusCode::TEMPORARY_REDIRECT, [(LOCATION, address)]).into_response())
}

/// The cookie that logged a browser in before sessions became bearer tokens.
const OLD_COOKIE: &str = "askback_session";
