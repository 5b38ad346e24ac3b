//! Issuing, listing and revoking tokens.

use super::ending::room;
use super::{Caller, Service, views};
use crate::fault::Fault;
use askback_api::{IssuedToken, ProblemCode, TokenBody, TokenList};
use askback_core::{Name, Refusal, Rule};
use askback_hub::{NewToken, Purpose, Role, Timestamp};

impl Service {
    /// Issues a token.
    pub(crate) async fn issue_token(&self, caller: &Caller, body: TokenBody) -> Result<IssuedToken, Fault> {
        caller.administers()?;
        let role = body.role;
        let name = Name::parse(&body.name)
            .map_err(|refusal| Fault::refused(ProblemCode::InvalidParameter, "name", refusal))?;
        let room = room("room", body.room.as_deref())?;
        if role == Role::Admin && room.is_some() {
            return Err(Fault::parameter("room", "an admin is not bound to a room", "no room, or another role"));
        }
        let now = Timestamp::now();
        if body.expires_at.is_some_and(|expires_at| expires_at <= now) {
            let (message, expected) = ("this time has passed".to_owned(), format!("a time after {now:.0}"));
            let refusal = Refusal { rule: Rule::Range, message, expected };
            return Err(Fault::refused(ProblemCode::InvalidParameter, "expiresAt", refusal));
        }
        // It outlives the token that issued it: an agent keeps working when an admin replaces a laptop.
        let new = NewToken { purpose: Purpose::Token, role, name, room, expires_at: body.expires_at, issued_by: None };
        let (token, secret) = self.hub.issue_as(&caller.token, new).await?;
        tracing::info!(
            number = token.number,
            name = token.name.as_str(),
            role = role.name(),
            by = caller.name().as_str(),
            "a token is issued"
        );
        // The only time that the secret is returned: the hub stores its hash.
        Ok(IssuedToken { info: views::token(&token), token: secret.as_str().to_owned() })
    }

    /// The valid tokens.
    pub(crate) fn tokens(&self, caller: &Caller) -> Result<TokenList, Fault> {
        caller.administers()?;
        Ok(TokenList { items: self.hub.tokens().iter().map(|token| views::token(token)).collect() })
    }

    /// Revokes a token, and all tokens that it has issued.
    pub(crate) async fn revoke_token(&self, caller: &Caller, number: Option<u64>) -> Result<(), Fault> {
        caller.administers()?;
        let unknown = || Fault::new(ProblemCode::NotFound, "there is no such token: GET /api/v1/tokens lists them");
        let number = number.ok_or_else(unknown)?;
        let revoked = self.hub.revoke_as(&caller.token, number).await?.ok_or_else(unknown)?;
        tracing::info!(number, name = revoked.name.as_str(), by = caller.name().as_str(), "a token is revoked");
        Ok(())
    }
}
