//! Login links and sessions of browsers: how many one token may have, and how a link becomes a session (S3, S7).

use super::Shared;
use super::tokens::earlier;
use crate::clock::whole_microseconds;
use crate::error::HubError;
use crate::store::StoredToken;
use crate::token::{Purpose, SecretHash, SessionKind, Token};
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use std::time::Duration;

impl Shared {
    /// Checks that one more login link is within the share of the program's token that it descends from, and within what browsers may
    /// have of all tokens.
    pub(super) fn check_login_limits(&self, valid: &[Arc<Token>], issuer: Option<u64>) -> Result<(), HubError> {
        let limits = &self.token_limits;
        let is_login = |token: &Token| token.purpose == Purpose::Login || token.purpose.is_session();
        if valid.iter().filter(|token| is_login(token)).count() >= limits.logins {
            let what = "all login links and sessions that there may be are in use";
            return Err(HubError::Limit { what, limit: limits.logins, advice: "revoke some, or try again later" });
        }
        let Some(issuer) = issuer.and_then(|issuer| self.keyring.by_number(issuer)) else { return Ok(()) };
        let is_own_link = |token: &Token| token.purpose == Purpose::Login && token.root == issuer.root;
        if valid.iter().filter(|token| is_own_link(token)).count() >= limits.login_links_of_token {
            let (what, limit) =
                ("this token has too many login links that were not opened", limits.login_links_of_token);
            return Err(HubError::Limit { what, limit, advice: "open one, or wait until one expires" });
        }
        Ok(())
    }

    /// Ends the oldest session of the token that a link descends from, if that token has as many as it may have. The sessions that
    /// the link itself descends from stay.
    async fn end_oldest_session(&self, login: &Token) -> Result<(), HubError> {
        let (now, issuers) = (self.now(), self.keyring.issuers(login.number));
        let Some(root) = issuers.last() else { return Ok(()) };
        let family = self.keyring.family(*root);
        let sessions = family.iter().filter_map(|number| self.keyring.by_number(*number));
        let sessions = sessions.filter(|token| token.purpose.is_session() && token.is_live(now));
        let sessions: Vec<u64> = sessions.map(|token| token.number).collect();
        if sessions.len() < self.token_limits.sessions_of_token {
            return Ok(());
        }
        match sessions.iter().find(|number| !issuers.contains(number)) {
            Some(oldest) => self.forget(&self.keyring.family(*oldest)).await,
            None => Ok(()),
        }
    }

    pub(super) async fn redeem(
        &self,
        login: SecretHash,
        kind: SessionKind,
        lifetime: Duration,
        hash: SecretHash,
    ) -> Result<Option<Arc<Token>>, HubError> {
        let _turn = self.keyring.turn().await;
        let now = self.now();
        let Some(login) = self.login_link(&login) else { return Ok(None) };
        self.end_oldest_session(&login).await?;
        let issuer = login.parent.and_then(|number| self.keyring.by_number(number));
        let until = SignedDuration::try_from(lifetime).ok().and_then(|long| now.checked_add(long).ok());
        let until = whole_microseconds(until.unwrap_or(Timestamp::MAX));
        let session = StoredToken {
            hash,
            purpose: match kind {
                SessionKind::Page => Purpose::Session,
                SessionKind::PlainPage => Purpose::PlainSession,
            },
            created_at: now,
            expires_at: earlier(Some(until), issuer.and_then(|issuer| issuer.expires_at)),
            is_local: false,
            ..StoredToken::clone(&login)
        };
        let number = self.store.redeem_token(login.number, session.clone()).await?;
        self.keyring.remove(&[login.number]);
        // None where an earlier try went through of which nobody heard: a link is good for one try.
        Ok(number.map(|number| self.keyring.add(number, session)))
    }

    pub(super) fn login_link(&self, login: &SecretHash) -> Option<Arc<Token>> {
        let now = self.now();
        self.keyring.by_secret(login).filter(|token| token.purpose == Purpose::Login && token.is_live(now))
    }

    pub(super) async fn revoke_sessions(&self) -> Result<usize, HubError> {
        let _turn = self.keyring.turn().await;
        let numbers = self.keyring.sessions_and_links();
        // Where there are none, nothing is written: the disk may be full.
        if !numbers.is_empty() {
            self.forget(&numbers).await?;
        }
        Ok(numbers.len())
    }
}
