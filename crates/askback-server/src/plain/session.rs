//! Sessions of the page without scripts: a cookie that a browser sends below one unguessable path only.
//!
//! Browsers send cookies to every port of a host, but only below the cookie's path. The path contains 128 bits derived from the secret
//! in the cookie, so that no other server knows it, and both are checked.

use crate::app::{App, Connection};
use crate::extract::admit;
use crate::fault::Fault;
use crate::gate::cookies;
use crate::limits::SESSION;
use crate::service::Caller;
use askback_api::ProblemCode;
use askback_hub::{Purpose, Secret};
use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::header::SET_COOKIE;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use std::sync::Arc;

const COOKIE_NAME: &str = "askback_plain";

/// Bytes of the key in a path.
const KEY_BYTES: usize = 16;

/// The key in the path of a session. It reveals nothing about the secret.
pub(super) fn key_of(secret: &str) -> String {
    let hash = Sha256::new().chain_update(b"askback plain page\0").chain_update(secret).finalize();
    BASE64_URL_SAFE_NO_PAD.encode(&hash[..KEY_BYTES])
}

/// The path below which a session's cookie is sent.
pub(super) fn path_of(key: &str) -> String {
    format!("/plain/{key}/")
}

/// A person with a session of this page.
pub(super) struct Reader {
    pub(super) caller: Caller,
    pub(super) key: String,
}

impl FromRequestParts<Arc<App>> for Reader {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Fault> {
        let address = parts.extensions.get::<Connection>().and_then(Connection::address);
        let path = RawPathParams::from_request_parts(parts, app).await.ok();
        let key = path.as_ref().and_then(|path| path.iter().find(|(name, _)| *name == "key"));
        let key = key.map(|(_, key)| key.to_owned()).unwrap_or_default();
        let caller = app.service.limit_failures(address, authenticate(app, &parts.headers, &key))?;
        admit(app, &parts.extensions, &caller)?;
        if !parts.method.is_safe() {
            app.gate.check_own_form(&parts.headers)?;
        }
        Ok(Self { caller, key })
    }
}

/// The caller of the first cookie that belongs to this path. Another port may have set cookies with the same name.
fn authenticate(app: &App, headers: &HeaderMap, key: &str) -> Result<Caller, Fault> {
    let sessions = cookies(headers, COOKIE_NAME).filter(|secret| key_of(secret) == key);
    let mut tokens = sessions.filter_map(|secret| app.service.hub.authenticate(secret));
    let token = tokens.find(|token| token.purpose == Purpose::PlainSession);
    token.map(Caller::browser).ok_or_else(|| {
        let why = "this browser is not logged in here, or its session has ended: log in with `askback open --plain`";
        Fault::new(ProblemCode::Unauthenticated, why)
    })
}

/// Sets the cookie of a new session.
pub(super) fn set_cookie(app: &App, response: &mut Response, secret: &Secret) {
    cookie(app, response, &key_of(secret.as_str()), secret.as_str(), SESSION.as_secs());
}

/// Expires the cookie of a session.
pub(super) fn expire_cookie(app: &App, response: &mut Response, key: &str) {
    cookie(app, response, key, "", 0);
}

fn cookie(app: &App, response: &mut Response, key: &str, value: &str, seconds: u64) {
    let secure = if app.gate.is_secure { "; Secure" } else { "" };
    let path = path_of(key);
    let text = format!("{COOKIE_NAME}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
    response.headers_mut().extend(HeaderValue::from_str(&text).ok().map(|value| (SET_COOKIE, value)));
}

#[cfg(test)]
mod tests {
    use super::key_of;

    // S7
    #[test]
    fn key_has_128_bits_and_differs_per_secret() {
        let [one, same, other] = ["askback_a", "askback_a", "askback_b"].map(key_of);
        assert_eq!((one.len(), &one), (22, &same));
        assert_ne!(one, other);
        assert!(one.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)), "{one}");
    }
}
