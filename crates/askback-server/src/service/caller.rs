//! Who is calling, and what they may do and see (S1).

use crate::fault::Fault;
use askback_api::{ClaimedSurface, ProblemCode};
use askback_core::{Name, Request, Room, Surface, show};
use askback_hub::{Ask, HubError, Query, Record, Role, Scope, Signature, Token};
use std::sync::Arc;

/// A caller with a valid token.
#[derive(Clone)]
pub(crate) struct Caller {
    pub(crate) token: Arc<Token>,
    /// The surface of a call that names none.
    surface: Surface,
    /// The part of the inbox that the call may see, if not all that the token allows.
    scope: Option<Scope>,
}

impl Caller {
    /// A program, with a token of its own.
    pub(crate) fn program(token: Arc<Token>) -> Self {
        Self { token, surface: Surface::Http, scope: None }
    }

    /// A person behind a session of a page.
    pub(crate) fn browser(token: Arc<Token>) -> Self {
        Self { token, surface: Surface::Page, scope: None }
    }

    /// The same caller as a Yjs client in a room.
    pub(crate) fn in_room(self, scope: Scope) -> Self {
        let surface = if self.is_browser() { Surface::Page } else { Surface::Yjs };
        Self { surface, scope: Some(scope), ..self }
    }

    /// Whether it is a page of the hub, with a session.
    pub(crate) fn is_browser(&self) -> bool {
        self.surface == Surface::Page
    }

    pub(crate) fn name(&self) -> &Name {
        &self.token.name
    }

    /// Waits for something for as long as the token is valid (S8): a body or an outcome may take long to arrive, and a token that is
    /// revoked meanwhile gets and does nothing more.
    pub(crate) async fn while_valid<T>(&self, waiting: impl Future<Output = Result<T, Fault>>) -> Result<T, Fault> {
        tokio::select! {
            biased;
            () = self.token.gone() => Err(HubError::Revoked.into()),
            result = waiting => result,
        }
    }

    /// Requires that the token is valid now (S8): a caller in process, or of a call that waits, may have been revoked meanwhile. Every use
    /// case passes here by the check of a role, of a room or of a request.
    pub(super) fn check_valid(&self) -> Result<(), Fault> {
        if self.token.is_valid() { Ok(()) } else { Err(HubError::Revoked.into()) }
    }

    /// A request that they ask. The hub checks their token again when it stores it.
    pub(super) fn ask(&self, request: Request, room: Room) -> Ask {
        Ask::by_token(request, &self.token, room)
    }

    /// Requires an asker, who alone may ask.
    pub(crate) fn asks(&self) -> Result<(), Fault> {
        self.acts_as(Role::Asker, "ask")
    }

    /// Requires a person: an asker can never answer.
    pub(crate) fn answers(&self) -> Result<(), Fault> {
        self.acts_as(Role::Answerer, "do this")
    }

    /// Requires an admin, who issues and revokes tokens.
    pub(crate) fn administers(&self) -> Result<(), Fault> {
        self.acts_as(Role::Admin, "do this")
    }

    fn acts_as(&self, role: Role, what: &str) -> Result<(), Fault> {
        self.check_valid()?;
        let own = self.token.role;
        if own.may_act_as(role) {
            return Ok(());
        }
        let why = format!("a token of role {} can't {what}: use an {}'s", own.name(), role.name());
        Err(Fault::new(ProblemCode::Forbidden, why))
    }

    /// Whether a request is theirs to see: in the token's room, or else, for an asker, one of its own.
    pub(crate) fn sees(&self, record: &Record) -> bool {
        if self.scope.as_ref().is_some_and(|scope| !scope.shows(&record.room)) {
            return false;
        }
        match (&self.token.room, self.token.role) {
            (Some(room), _) => record.room == *room,
            (None, Role::Asker) => record.asker == self.token.name,
            (None, Role::Answerer | Role::Admin) => true,
        }
    }

    /// Requires that a request is their own: in a room that several askers share, each acts on what it asked, and nothing else.
    pub(super) fn owns(&self, record: &Record, what: &str) -> Result<(), Fault> {
        if record.asker == *self.name() {
            return Ok(());
        }
        Err(Fault::new(ProblemCode::Forbidden, format!("another asker asked this, and it alone can {what}")))
    }

    /// Narrows what is looked for to what they may see.
    pub(super) fn narrow(&self, query: Query) -> Result<Query, Fault> {
        let room = self.narrow_room(query.room)?;
        let asker = match (&self.token.room, self.token.role) {
            (None, Role::Asker) => Some(self.token.name.clone()),
            _ => query.asker,
        };
        Ok(Query { room, asker, ..query })
    }

    /// The room to look in: the one that was named, if they may, or else their own.
    pub(crate) fn narrow_room(&self, named: Option<Room>) -> Result<Option<Room>, Fault> {
        self.check_valid()?;
        match (&self.token.room, named) {
            (Some(own), Some(named)) if *own != named => Err(self.elsewhere(own)),
            (own, named) => Ok(named.or_else(|| own.clone())),
        }
    }

    pub(crate) fn elsewhere(&self, own: &Room) -> Fault {
        let own = show::quote(own.as_str());
        Fault::new(ProblemCode::Forbidden, format!("this token is for the room {own} alone: name no other"))
    }

    /// How they sign: with the name of their token, whatever a body says. The hub checks the token again when it stores the outcome.
    pub(super) fn signature(&self, claimed: Option<ClaimedSurface>) -> Signature {
        // Only a program may claim that a person sits before it.
        let claimed = claimed.filter(|_| !self.is_browser());
        Signature::by_token(&self.token, claimed.map_or(self.surface, Surface::from))
    }
}
