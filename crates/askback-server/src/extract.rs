//! Extractors for handlers: the caller, the body and the path of a call.

use crate::app::{App, Connection};
use crate::body::{self, ReceivedBody};
use crate::connection_slots::ConnectionSlot;
use crate::fault::Fault;
use crate::limits::BODY_BYTES;
use crate::service::Caller;
use askback_api::{ProblemCode, read_body};
use askback_hub::Purpose;
use axum::body::Body;
use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::header::{AUTHORIZATION, ORIGIN};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap};
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// The secret of a call, by the way it was sent.
#[derive(Clone, Copy)]
pub(crate) enum Credential<'a> {
    /// `Authorization: Bearer SECRET`, or a subprotocol of a WebSocket: the token of a program, or the session of the page.
    Bearer(&'a str),
    /// `?token=SECRET`, only for the tokens of programs: addresses end up in logs.
    Query(&'a str),
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Fault> {
        let address = parts.extensions.get::<Connection>().and_then(Connection::address);
        let credential = bearer(&parts.headers).transpose().unwrap_or_else(|| {
            let why = "there is no token: send `Authorization: Bearer TOKEN`, or log in with `askback open`";
            Err(Fault::new(ProblemCode::Unauthenticated, why))
        });
        let caller = credential.and_then(|credential| authenticate(app, credential, &parts.headers));
        let caller = app.service.limit_failures(address, caller)?;
        admit(app, &parts.extensions, &caller)?;
        // The response of a call that changes something is never refused, so the call is, before it takes effect.
        if !parts.method.is_safe() {
            app.responses.check(caller.holder())?;
        }
        // Browsers send the origin of the page that makes the call, and the gate has compared it with the hub's own.
        if caller.is_browser() && !parts.method.is_safe() {
            app.gate.check_own_origin(&parts.headers)?;
        }
        // The commands of this machine share a token: there a call counts only for the request that it is about.
        let caller = if address.is_none() { caller.sharing_token() } else { caller };
        app.service.note_call(&caller);
        Ok(caller)
    }
}

/// Counts an authenticated call: its connection, and its rate.
pub(crate) fn admit(app: &App, extensions: &Extensions, caller: &Caller) -> Result<(), Fault> {
    if let Some(slot) = extensions.get::<Arc<ConnectionSlot>>() {
        slot.hold(caller.holder())?;
    }
    app.service.admit_call(caller)
}

/// The bearer token in the headers of a call.
pub(crate) fn bearer(headers: &HeaderMap) -> Result<Option<Credential<'_>>, Fault> {
    let Some(value) = headers.get(AUTHORIZATION) else { return Ok(None) };
    let secret = value.to_str().ok().and_then(|text| {
        let (scheme, secret) = text.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim())
    });
    let why = "the Authorization header is not `Bearer TOKEN`";
    secret.map(|secret| Some(Credential::Bearer(secret))).ok_or_else(|| Fault::new(ProblemCode::Unauthenticated, why))
}

/// The caller to which a secret belongs.
pub(crate) fn authenticate(app: &App, credential: Credential<'_>, headers: &HeaderMap) -> Result<Caller, Fault> {
    let (Credential::Bearer(secret) | Credential::Query(secret)) = credential;
    let unknown =
        || Fault::new(ProblemCode::Unauthenticated, "the token is unknown, expired or revoked: get another one");
    let token = app.service.hub.authenticate(secret).ok_or_else(unknown)?;
    match (token.purpose, credential) {
        (Purpose::Token, _) => Ok(Caller::program(token)),
        (Purpose::Session, Credential::Bearer(_)) => {
            // A session is valid for the page of one origin.
            if headers.contains_key(ORIGIN) {
                app.gate.check_own_origin(headers)?;
            }
            Ok(Caller::browser(token))
        }
        // A session of the page without scripts is valid only below its own path.
        (Purpose::Session | Purpose::PlainSession | Purpose::Login, _) => Err(unknown()),
    }
}

impl Caller {
    /// Reads a body of at most this many bytes, for as long as the token is valid.
    pub(crate) async fn bytes(&self, app: &App, sent: Body, most: usize) -> Result<ReceivedBody, Fault> {
        body::check_announced(&sent, most)?;
        self.while_valid(body::receive(sent, most, app.in_flight.lease(self.holder()))).await
    }

    /// Reads and parses a body. An invalid one is refused with this code.
    pub(crate) async fn body<T: DeserializeOwned>(&self, app: &App, sent: Body, code: ProblemCode) -> Result<T, Fault> {
        parse(&self.bytes(app, sent, BODY_BYTES).await?, code)
    }
}

/// Parses a body. An invalid one is refused with this code.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8], code: ProblemCode) -> Result<T, Fault> {
    read_body(bytes).map_err(|problems| Fault::of_problems(code, &problems))
}

/// The id in a path: its last parameter.
pub(crate) struct PathId(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for PathId {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Fault> {
        let found = RawPathParams::from_request_parts(parts, state).await.ok();
        let value = found.as_ref().and_then(|found| found.iter().last()).map(|(_, value)| value.to_owned());
        // Bytes that are not UTF-8 are no id.
        value.map(Self).ok_or_else(|| Fault::new(ProblemCode::NotFound, "the path is not text in UTF-8"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Gate;
    use crate::routes::router;
    use crate::service::Service;
    use crate::service::audience::Audience;
    use askback_core::{Name, Role};
    use askback_hub::{Hub, HubOptions, NewToken};
    use axum::http::header::HOST;
    use axum::http::{Request, StatusCode};
    use tokio::sync::watch;
    use tower_service::Service as _;

    /// Calls of an asker past its rate get 429. The rate is refilled meanwhile, so that a call may pass now and then.
    async fn is_refused(app: &Arc<App>, caller: &Caller, secret: &str, path: &str) -> bool {
        let mut router = router(Arc::clone(app));
        for _ in 0..100 {
            while app.service.admit_call(caller).is_ok() {}
            let call =
                Request::get(path).header(HOST, "127.0.0.1:4770").header(AUTHORIZATION, format!("Bearer {secret}"));
            let mut call = call.body(Body::empty()).unwrap();
            call.extensions_mut().insert(Connection::Local);
            if router.call(call).await.unwrap().status() == StatusCode::TOO_MANY_REQUESTS {
                return true;
            }
        }
        false
    }

    // S3, S8
    #[tokio::test]
    async fn calls_that_read_no_list_have_a_rate() {
        let hub = Hub::in_memory(HubOptions::default()).await.unwrap();
        let (_stopping, is_stopping) = watch::channel(false);
        let service = Service::new(hub.clone(), "http://127.0.0.1:4770", Vec::new(), Audience::default(), is_stopping);
        let gate = Gate::new("127.0.0.1:4770".parse().unwrap(), None);
        let app = Arc::new(App::new(Arc::new(service), gate, None));
        let (purpose, role, name) = (Purpose::Token, Role::Asker, Name::parse("agents").unwrap());
        let new = NewToken { purpose, role, name, room: None, expires_at: None, issued_by: None };
        let (token, secret) = hub.issue(new).await.unwrap();
        let caller = Caller::program(token);
        for path in
            ["/api/v1/me", "/api/v1/requests/unknown", "/api/v1/requests/unknown/request", "/api/v1/scripts/unknown"]
        {
            assert!(is_refused(&app, &caller, secret.as_str(), path).await, "{path}");
        }
    }
}
