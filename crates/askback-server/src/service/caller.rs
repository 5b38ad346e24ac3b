//! Callers and their rights (S1).

use crate::fault::Fault;
use crate::pool::Holder;
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
    /// The part of the inbox that the caller may see, if it is less than the token allows.
    scope: Option<Scope>,
    /// Whether other programs use the same token, as the commands of this machine do.
    shares_token: bool,
}

impl Caller {
    /// A program with its own token.
    pub(crate) fn program(token: Arc<Token>) -> Self {
        Self { token, surface: Surface::Http, scope: None, shares_token: false }
    }

    /// A person with a session of a page.
    pub(crate) fn browser(token: Arc<Token>) -> Self {
        Self { token, surface: Surface::Page, scope: None, shares_token: false }
    }

    /// The same caller, one of several programs with this token.
    pub(crate) fn sharing_token(self) -> Self {
        Self { shares_token: true, ..self }
    }

    /// Whether the caller is an asker whose every call shows that all it has asked is attended (L9).
    pub(crate) fn attends_by_calls(&self) -> bool {
        self.token.role == Role::Asker && !self.shares_token
    }

    /// The same caller as a Yjs client in a room.
    pub(crate) fn in_room(self, scope: Scope) -> Self {
        let surface = if self.is_browser() { Surface::Page } else { Surface::Yjs };
        Self { surface, scope: Some(scope), ..self }
    }

    /// Whether the caller is a page of the hub with a session.
    pub(crate) fn is_browser(&self) -> bool {
        self.surface == Surface::Page
    }

    /// The holder of this caller's shares: of a session, the program's token that it descends from.
    pub(crate) fn holder(&self) -> Holder {
        Holder { token: self.token.root, is_person: self.token.role.may_act_as(Role::Answerer) }
    }

    pub(crate) fn name(&self) -> &Name {
        &self.token.name
    }

    /// Waits for a future for as long as the token is valid (S8): a body or an outcome may take long to arrive, and a token that is
    /// revoked meanwhile gets and does nothing more.
    pub(crate) async fn while_valid<T>(&self, waiting: impl Future<Output = Result<T, Fault>>) -> Result<T, Fault> {
        tokio::select! {
            biased;
            () = self.token.gone() => Err(HubError::Revoked.into()),
            result = waiting => result,
        }
    }

    /// Requires that the token is still valid (S8): the token of a caller in process, or of a waiting call, may have been revoked. Every
    /// use case calls this through the check of a role, of a room or of a request.
    pub(super) fn check_valid(&self) -> Result<(), Fault> {
        if self.token.is_valid() { Ok(()) } else { Err(HubError::Revoked.into()) }
    }

    /// A request of this caller. The hub checks the token again when it stores the request.
    pub(super) fn ask(&self, request: Arc<Request>, room: Room) -> Ask {
        Ask::by_token(request, &self.token, room)
    }

    /// Requires an asker.
    pub(crate) fn asks(&self) -> Result<(), Fault> {
        self.acts_as(Role::Asker, "ask")
    }

    /// Requires a person: an asker can never answer.
    pub(crate) fn answers(&self) -> Result<(), Fault> {
        self.acts_as(Role::Answerer, "do this")
    }

    /// Requires an admin.
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

    /// Whether the caller may see a request: of the token's room, or else, for an asker, one of its own.
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

    /// Requires that the caller asked the request: in a shared room each asker acts on its own requests alone.
    pub(super) fn owns(&self, record: &Record, what: &str) -> Result<(), Fault> {
        if record.asker == *self.name() {
            return Ok(());
        }
        Err(Fault::new(ProblemCode::Forbidden, format!("another asker asked this, and it alone can {what}")))
    }

    /// Narrows a query to the requests that the caller may see.
    pub(super) fn narrow(&self, query: Query) -> Result<Query, Fault> {
        let room = self.narrow_room(query.room)?;
        let asker = match (&self.token.room, self.token.role) {
            (None, Role::Asker) => Some(self.token.name.clone()),
            _ => query.asker,
        };
        Ok(Query { room, asker, ..query })
    }

    /// The named room, if the token allows it, or else the token's own.
    pub(crate) fn narrow_room(&self, named: Option<Room>) -> Result<Option<Room>, Fault> {
        self.check_valid()?;
        match (&self.token.room, named) {
            (Some(own), Some(named)) if *own != named => Err(self.wrong_room(own)),
            (own, named) => Ok(named.or_else(|| own.clone())),
        }
    }

    pub(crate) fn wrong_room(&self, own: &Room) -> Fault {
        let own = show::quote(own.as_str());
        Fault::new(ProblemCode::Forbidden, format!("this token is for the room {own} alone: name no other"))
    }

    /// The caller's signature, with the name of its token. The hub checks the token again when it stores the outcome.
    pub(super) fn signature(&self, claimed: Option<ClaimedSurface>) -> Signature {
        // Only a program may claim the surface of its person.
        let claimed = claimed.filter(|_| !self.is_browser());
        Signature::by_token(&self.token, claimed.map_or(self.surface, Surface::from))
    }
}
