//! Who is calling, and what they may do and see (S1).

use super::app::{App, Connection};
use crate::fault::{Fault, Kind};
use askback_core::{Name, Request, Surface};
use askback_hub::{Ask, Event, HubError, Purpose, Query, Record, Role, Room, Signature, Token};
use axum::body::{Body, Bytes};
use axum::extract::FromRequestParts;
use axum::http::header::{AUTHORIZATION, COOKIE, ORIGIN};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

/// The cookie of a browser that is logged in.
pub(super) const COOKIE_NAME: &str = "askback_session";

/// Somebody with a token that counts.
#[derive(Clone)]
pub(crate) struct Caller {
    pub(crate) token: Arc<Token>,
    /// Where somebody is who does not say it.
    surface: Surface,
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Fault> {
        let address = parts.extensions.get::<Connection>().and_then(Connection::address);
        known(app, address, &parts.headers, &parts.method, None)
    }
}

/// Who is calling, by what they show: in a header, or, where a browser can't set one, in the address.
pub(super) fn known(
    app: &App,
    address: Option<IpAddr>,
    headers: &HeaderMap,
    method: &Method,
    shown: Option<&str>,
) -> Result<Caller, Fault> {
    let found = find(app, headers, method, shown);
    // Whoever has a token that counts always passes: any program here, and any page that a browser shows, can call without
    // one, and must not be able to keep the others out.
    if let (Err(fault), Some(address)) = (&found, address)
        && fault.kind == Kind::Unauthenticated
        && app.failures.take(address, Instant::now()).is_err()
    {
        return Err(Fault::new(
            Kind::TooMany,
            "too many calls from this address had no token that counts: wait a second, and use one",
        ));
    }
    found
}

fn find(app: &App, headers: &HeaderMap, method: &Method, shown: Option<&str>) -> Result<Caller, Fault> {
    let unknown = |why: &str| Fault::new(Kind::Unauthenticated, why);
    // What a browser has is for browsers alone, and a program's token for programs.
    let program = |secret: &str| {
        let token = app.hub.authenticate(secret).filter(|token| token.purpose == Purpose::Token);
        let token = token.ok_or_else(|| unknown("the token is unknown, expired or revoked: get another one"))?;
        Ok(Caller { token, surface: Surface::Http })
    };
    if let Some(value) = headers.get(AUTHORIZATION) {
        let secret = value.to_str().ok().and_then(|text| {
            let (scheme, secret) = text.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim())
        });
        let secret = secret.ok_or_else(|| unknown("the Authorization header is not `Bearer TOKEN`"))?;
        return program(secret);
    }
    if let Some(secret) = shown {
        return program(secret);
    }
    let Some(secret) = cookie(headers) else {
        return Err(unknown("there is no token: send `Authorization: Bearer TOKEN`, or log in with `askback open`"));
    };
    let token = app.hub.authenticate(secret).filter(|token| token.purpose == Purpose::Session);
    let token = token.ok_or_else(|| unknown("the login has ended: log in again with `askback open`"))?;
    // A browser sends its cookie wherever a page tells it to; it always says which page that was.
    if !method.is_safe() && !headers.contains_key(ORIGIN) {
        return Err(Fault::new(Kind::ForeignOrigin, "a call with a cookie must say its Origin"));
    }
    Ok(Caller { token, surface: Surface::Page })
}

/// The secret in the cookie.
pub(super) fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == COOKIE_NAME).map(|(_, value)| value)
}

impl Caller {
    /// Whether it is a browser that somebody has logged in with.
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
