//! Who is calling, and what they may do and see (S1).

use super::app::{App, Connection};
use crate::fault::{Fault, Kind};
use askback_core::{Name, Request, Surface};
use askback_hub::{Ask, Event, HubError, Purpose, Query, Record, Role, Room, Signature, Token};
use axum::body::{Body, Bytes};
use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, ORIGIN};
use axum::http::request::Parts;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

/// A caller with a valid token.
#[derive(Clone)]
pub(crate) struct Caller {
    pub(crate) token: Arc<Token>,
    /// The surface of a call that names none.
    surface: Surface,
}

/// The secret that a call carries, and how it carries it.
#[derive(Clone, Copy)]
pub(super) enum Credential<'a> {
    /// As `Authorization: Bearer SECRET`, or as a subprotocol of a WebSocket: the token of a program, or the session of the page.
    Bearer(&'a str),
    /// As `?token=SECRET`, which only the tokens of programs may: addresses end up in logs.
    Query(&'a str),
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Fault> {
        let address = parts.extensions.get::<Connection>().and_then(Connection::address);
        let credential = bearer(&parts.headers).transpose().unwrap_or_else(|| {
            let why = "there is no token: send `Authorization: Bearer TOKEN`, or log in with `askback open`";
            Err(Fault::new(Kind::Unauthenticated, why))
        });
        let caller = credential.and_then(|credential| Self::authenticate(app, credential, &parts.headers));
        let caller = limit_failures(app, address, caller)?;
        // Browsers name the page that makes a call, and the gate has compared it with the hub's own.
        if caller.is_browser() && !parts.method.is_safe() {
            app.gate.check_own_origin(&parts.headers)?;
        }
        Ok(caller)
    }
}

/// The bearer token in the headers of a call, if there is one.
pub(super) fn bearer(headers: &HeaderMap) -> Result<Option<Credential<'_>>, Fault> {
    let Some(value) = headers.get(AUTHORIZATION) else { return Ok(None) };
    let secret = value.to_str().ok().and_then(|text| {
        let (scheme, secret) = text.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim())
    });
    let why = "the Authorization header is not `Bearer TOKEN`";
    secret.map(|secret| Some(Credential::Bearer(secret))).ok_or_else(|| Fault::new(Kind::Unauthenticated, why))
}

/// Counts failed authentications of an address, and refuses more once they exceed their rate. A valid token always passes:
/// any program here, and any page in a browser, can call without one, and must not lock the others out.
pub(super) fn limit_failures<T>(
    app: &App,
    address: Option<IpAddr>,
    authenticated: Result<T, Fault>,
) -> Result<T, Fault> {
    if let (Err(fault), Some(address)) = (&authenticated, address)
        && fault.kind == Kind::Unauthenticated
        && app.failures.take(address, Instant::now()).is_err()
    {
        let why = "too many calls from this address had no valid token: wait a second, and use one";
        return Err(Fault::new(Kind::TooMany, why));
    }
    authenticated
}

impl Caller {
    /// The caller that a secret belongs to.
    pub(super) fn authenticate(app: &App, credential: Credential<'_>, headers: &HeaderMap) -> Result<Self, Fault> {
        let (Credential::Bearer(secret) | Credential::Query(secret)) = credential;
        let unknown = || Fault::new(Kind::Unauthenticated, "the token is unknown, expired or revoked: get another one");
        let token = app.hub.authenticate(secret).ok_or_else(unknown)?;
        match (token.purpose, credential) {
            (Purpose::Token, _) => Ok(Self { token, surface: Surface::Http }),
            (Purpose::Session, Credential::Bearer(_)) => {
                // A session belongs to the page of one origin.
                if headers.contains_key(ORIGIN) {
                    app.gate.check_own_origin(headers)?;
                }
                Ok(Self { token, surface: Surface::Page })
            }
            // A session of the page without scripts is good below its own path, and nowhere else.
            (Purpose::Session | Purpose::PlainSession | Purpose::Login, _) => Err(unknown()),
        }
    }

    /// The person behind a session of the page without scripts.
    pub(super) fn of_plain_session(token: Arc<Token>) -> Self {
        Self { token, surface: Surface::Page }
    }

    /// Whether it is a page of the hub, with a session.
    pub(crate) fn is_browser(&self) -> bool {
        self.surface == Surface::Page
    }

    pub(crate) fn name(&self) -> &Name {
        &self.token.name
    }

    /// Reads a body of at most this many bytes, for as long as the token is valid.
    pub(super) async fn body(&self, sent: Body, most: usize) -> Result<Bytes, Fault> {
        self.while_valid(super::body(sent, most)).await
    }

    /// Waits for something for as long as the token is valid (S8): a body or an outcome may take long to arrive, and a token that is
    /// revoked meanwhile gets and does nothing more.
    pub(super) async fn while_valid<T>(&self, waiting: impl Future<Output = Result<T, Fault>>) -> Result<T, Fault> {
        tokio::select! {
            biased;
            () = self.token.gone() => Err(HubError::Revoked.into()),
            result = waiting => result,
        }
    }

    /// A request that they ask. The hub checks their token again when it stores it.
    pub(super) fn ask(&self, request: Request, room: Room) -> Ask {
        Ask::by_token(request, &self.token, room)
    }

    /// An asker, who alone may ask.
    pub(crate) fn asks(&self) -> Result<(), Fault> {
        self.acts_as(Role::Asker, "ask")
    }

    /// A person: an asker can never answer.
    pub(crate) fn answers(&self) -> Result<(), Fault> {
        self.acts_as(Role::Answerer, "do this")
    }

    /// Who gives and takes tokens.
    pub(crate) fn administers(&self) -> Result<(), Fault> {
        self.acts_as(Role::Admin, "do this")
    }

    fn acts_as(&self, role: Role, what: &str) -> Result<(), Fault> {
        let own = self.token.role;
        if own.may_act_as(role) {
            return Ok(());
        }
        let why = format!("a token of role {} can't {what}: use an {}'s", own.name(), role.name());
        Err(Fault::new(Kind::Forbidden, why))
    }

    /// Whether a request is theirs to see: in the token's room, or else, for an asker, one of its own.
    pub(crate) fn sees(&self, record: &Record) -> bool {
        match (&self.token.room, self.token.role) {
            (Some(room), _) => record.room == *room,
            (None, Role::Asker) => record.asker == self.token.name,
            (None, Role::Answerer | Role::Admin) => true,
        }
    }

    pub(crate) fn hears(&self, event: &Event) -> bool {
        self.sees(&event.record)
    }

    /// Narrows what is looked for to what they may see.
    pub(crate) fn narrow(&self, query: Query) -> Result<Query, Fault> {
        let room = self.narrow_room(query.room)?;
        let asker = match (&self.token.room, self.token.role) {
            (None, Role::Asker) => Some(self.token.name.clone()),
            _ => query.asker,
        };
        Ok(Query { room, asker, ..query })
    }

    /// The room to look in: the one that was named, if they may, or else their own.
    pub(crate) fn narrow_room(&self, named: Option<Room>) -> Result<Option<Room>, Fault> {
        match (&self.token.room, named) {
            (Some(own), Some(named)) if *own != named => Err(self.elsewhere(own)),
            (own, named) => Ok(named.or_else(|| own.clone())),
        }
    }

    pub(crate) fn elsewhere(&self, own: &Room) -> Fault {
        let own = askback_core::show::quote(own.as_str());
        Fault::new(Kind::Forbidden, format!("this token is for the room {own} alone: name no other"))
    }

    /// How they sign: with the name of their token, whatever a body says. The hub checks the token again when it stores the outcome.
    pub(crate) fn signature(&self, surface: Option<Surface>) -> Signature {
        // A browser is a browser; only a program may say that a person sits before it.
        let surface = if self.surface == Surface::Page { Surface::Page } else { surface.unwrap_or(self.surface) };
        Signature::by_token(&self.token, surface)
    }
}
