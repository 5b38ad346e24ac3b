//! Entering a room, to see what is asked there and to answer it, as any Yjs client does.

use super::Hub;
use crate::error::{HubError, StoreError};
use crate::room::Scope;
use crate::room::member::Member;
use crate::room::open::Phase;
use crate::rooms::{self, Entered};
use crate::token::Token;
use std::sync::Arc;

impl Hub {
    /// Enters a room with a token; whether that may see it is for the caller to say.
    pub async fn enter(&self, scope: Scope, token: &Token) -> Result<Member, HubError> {
        let shared = &self.shared;
        let Entered { room, member: id, is_new, evicted } = shared.rooms.enter(&scope)?;
        if let Some(evicted) = evicted {
            let shared = Arc::clone(shared);
            tokio::spawn(async move { rooms::save(&shared, evicted).await });
        }
        if is_new {
            // On its own: others wait for it, too, should this one not wait any more.
            tokio::spawn(rooms::load(Arc::clone(shared), scope, Arc::clone(&room)));
        }
        let mut member = Member::new(room, id, token.number, token.name.clone());
        match member.let_in().await {
            Phase::Live => Ok(member),
            Phase::Unreadable => Err(StoreError::Failed("the room can't be read now".to_owned()).into()),
            Phase::Loading | Phase::Over => Err(StoreError::Closed.into()),
        }
    }
}
