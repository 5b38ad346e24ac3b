//! Issuing tokens, knowing them again, and taking them back (S1).

use super::{Hub, Shared};
use crate::clock::whole_microseconds;
use crate::error::HubError;
use crate::limits::TOKEN_SWEEP;
use crate::run_to_end::RunToEnd;
use crate::store::{AskerRename, StoredToken};
use crate::token::{NewToken, Purpose, Role, Secret, SecretHash, SessionKind, Token, hash_of};
use askback_core::Name;
use jiff::Timestamp;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

impl Hub {
    /// Issues a token, which is durable when this returns. Its secret is returned this once. Expired tokens are deleted in the
    /// same change. An asker's name must be free: see [`HubError::NameTaken`].
    pub async fn issue(&self, new: NewToken) -> Result<(Arc<Token>, Secret), HubError> {
        self.issue_for(None, Lifecycle::Independent, new).await
    }

    /// Issues a credential whose secret the data directory of the hub's machine keeps. It replaces the one of the same role that
    /// was issued before, in one change: when the file was lost, its secret must not stay valid.
    pub async fn issue_local(&self, role: Role, name: Name) -> Result<(Arc<Token>, Secret), HubError> {
        let new = NewToken { purpose: Purpose::Token, role, name, room: None, expires_at: None, issued_by: None };
        self.issue_for(None, Lifecycle::ReplacesLocal, new).await
    }

    /// Issues a token on behalf of another one, which must be valid at that moment (S8).
    pub async fn issue_as(&self, actor: &Arc<Token>, new: NewToken) -> Result<(Arc<Token>, Secret), HubError> {
        self.issue_for(Some(Arc::clone(actor)), Lifecycle::Independent, new).await
    }

    async fn issue_for(
        &self,
        actor: Option<Arc<Token>>,
        lifecycle: Lifecycle,
        new: NewToken,
    ) -> Result<(Arc<Token>, Secret), HubError> {
        let (secret, hash) = new_secret()?;
        let issue = |shared: Arc<Shared>| async move { shared.issue(actor.as_deref(), lifecycle, new, hash).await };
        let token = self.to_its_end(issue).await?;
        Ok((token, secret))
    }

    /// The token that a program or a browser shows, if it is good. Looked for in memory, so that every call can ask.
    pub fn authenticate(&self, secret: &str) -> Option<Arc<Token>> {
        let token = self.shared.keyring.by_secret(&hash_of(secret)?)?;
        (token.purpose != Purpose::Login && token.is_live(self.shared.now())).then_some(token)
    }

    /// The login link ([`Purpose::Login`]) that this secret belongs to, without redeeming it. None if the link was redeemed
    /// before, has expired, was revoked, or never existed.
    pub fn login_link(&self, secret: &str) -> Option<Arc<Token>> {
        self.shared.login_link(&hash_of(secret)?)
    }

    /// Redeems the secret of a login link for a session of the same person, exactly once, also under concurrent calls and after
    /// a restart. The session is valid for `lifetime`, or until the token that issued the link ends, or until that token has more
    /// sessions than it may have: then the oldest one ends. None where [`Self::login_link`] gives none.
    pub async fn redeem(
        &self,
        login: &str,
        kind: SessionKind,
        lifetime: Duration,
    ) -> Result<Option<(Arc<Token>, Secret)>, HubError> {
        let Some(login) = hash_of(login) else { return Ok(None) };
        let (secret, hash) = new_secret()?;
        let redeem = |shared: Arc<Shared>| async move { shared.redeem(login, kind, lifetime, hash).await };
        let session = self.to_its_end(redeem).await?;
        Ok(session.map(|session| (session, secret)))
    }

    /// Revokes every browser session and every login link, and returns how many there were.
    pub async fn revoke_sessions(&self) -> Result<usize, HubError> {
        self.to_its_end(|shared| async move { shared.revoke_sessions().await }).await
    }

    /// Another valid asker token with the same name, if there is one. Requests belong to a name, so the two share theirs.
    pub fn asker_of_same_name(&self, token: &Token) -> Option<Arc<Token>> {
        let is_same =
            |other: &Arc<Token>| other.number != token.number && other.role == Role::Asker && other.name == token.name;
        self.tokens().into_iter().find(is_same)
    }

    /// Renames an asker, with every request that it has asked, and closes the hub: what it holds in memory has the old name. Open it
    /// again to go on. Nothing is renamed if there is no such token, or if [`Self::asker_of_same_name`] finds another one, whose
    /// requests can't be told from its own.
    pub async fn rename_asker(self, number: u64, to: Name) -> Result<(), HubError> {
        let token = self.shared.keyring.by_number(number).filter(|token| token.role == Role::Asker);
        if let Some(token) = token.filter(|token| self.asker_of_same_name(token).is_none()) {
            self.shared.store.rename_asker(number, AskerRename { from: token.name.clone(), to }).await?;
        }
        self.close().await
    }

    /// The tokens that are good now, the oldest first: those of programs, sessions, and links that nobody has redeemed.
    pub fn tokens(&self) -> Vec<Arc<Token>> {
        self.shared.keyring.live(self.shared.now())
    }

    /// Revokes a token and whatever it has issued: links, the sessions they were redeemed for, and what those issued. It is
    /// durable when this returns, every write that one of them had begun has ended (S8), and whoever was let in with one of them is
    /// told by [`Token::gone`]. None if there is no such token any more.
    pub async fn revoke(&self, number: u64) -> Result<Option<Arc<Token>>, HubError> {
        self.revoke_for(None, number).await
    }

    /// Revokes a token on behalf of another one, which must be valid at that moment (S8).
    pub async fn revoke_as(&self, actor: &Arc<Token>, number: u64) -> Result<Option<Arc<Token>>, HubError> {
        self.revoke_for(Some(Arc::clone(actor)), number).await
    }

    async fn revoke_for(&self, actor: Option<Arc<Token>>, number: u64) -> Result<Option<Arc<Token>>, HubError> {
        self.to_its_end(|shared| async move { shared.revoke(actor.as_deref(), number).await }).await
    }

    /// Brings a change to its end even if the caller stops waiting, so that memory and store stay the same.
    pub(super) async fn to_its_end<T: Send + 'static, F>(
        &self,
        change: impl FnOnce(Arc<Shared>) -> F,
    ) -> Result<T, HubError>
    where
        F: Future<Output = Result<T, HubError>> + Send + 'static,
    {
        RunToEnd::new(change(Arc::clone(&self.shared))).await
    }
}

/// Deletes tokens that have expired, from time to time, for as long as it is let: a clock that is set back must not make them valid
/// again after a restart.
pub(super) async fn sweep(shared: Arc<Shared>) {
    loop {
        sleep(TOKEN_SWEEP).await;
        if let Err(error) = shared.sweep_tokens().await {
            tracing::warn!(%error, "expired tokens can't be deleted; it is tried again");
        }
    }
}

fn new_secret() -> Result<(Secret, SecretHash), HubError> {
    let secret = Secret::new()?;
    let hash = hash_of(secret.as_str()).expect("a secret that was just made is as long as secrets are");
    Ok((secret, hash))
}

/// Which earlier tokens end when a token is issued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lifecycle {
    /// None that is valid.
    Independent,
    /// The local credential of the same role.
    ReplacesLocal,
}

impl Shared {
    async fn issue(
        &self,
        actor: Option<&Token>,
        lifecycle: Lifecycle,
        new: NewToken,
        hash: SecretHash,
    ) -> Result<Arc<Token>, HubError> {
        let _turn = self.keyring.turn().await;
        let now = self.now();
        check_live(actor, now)?;
        let is_local = lifecycle == Lifecycle::ReplacesLocal;
        let replaced = self
            .keyring
            .descendants(|token| !token.is_live(now) || (is_local && token.is_local && token.role == new.role));
        let remaining = self.keyring.except(&replaced);
        if remaining.iter().any(|token| shares_requests(token, &new)) {
            return Err(HubError::NameTaken(new.name));
        }
        if remaining.len() >= self.token_limits.tokens {
            let advice = "revoke some, or wait until they expire";
            return Err(HubError::Limit { what: "too many tokens are good", limit: self.token_limits.tokens, advice });
        }
        let NewToken { purpose, role, name, room, expires_at, issued_by: parent } = new;
        let issuer = |number| remaining.iter().find(|token| token.number == number && token.purpose != Purpose::Login);
        let issuer = parent.map(|number| issuer(number).ok_or(HubError::NoSuchToken(number)));
        let issuer_until = issuer.transpose()?.and_then(|issuer| issuer.expires_at);
        let expires_at = earlier(expires_at.map(whole_microseconds), issuer_until);
        if purpose == Purpose::Login {
            self.check_login_limits(&remaining, parent)?;
        }
        let stored = StoredToken { hash, purpose, role, name, room, parent, created_at: now, expires_at, is_local };
        let number = self.store.add_token(stored.clone(), replaced.clone()).await?;
        self.end(&replaced).await;
        Ok(self.keyring.add(number, stored))
    }

    async fn revoke(&self, actor: Option<&Token>, number: u64) -> Result<Option<Arc<Token>>, HubError> {
        let _turn = self.keyring.turn().await;
        let now = self.now();
        check_live(actor, now)?;
        let Some(token) = self.keyring.by_number(number).filter(|token| token.is_live(now)) else { return Ok(None) };
        self.forget(&self.keyring.family(number)).await?;
        Ok(Some(token))
    }

    async fn sweep_tokens(&self) -> Result<(), HubError> {
        let _turn = self.keyring.turn().await;
        let now = self.now();
        let expired = self.keyring.descendants(|token| !token.is_live(now));
        if expired.is_empty() { Ok(()) } else { self.forget(&expired).await }
    }

    /// Deletes tokens, and waits until every write that they had begun has ended. The caller holds the turn to change tokens.
    pub(super) async fn forget(&self, numbers: &[u64]) -> Result<(), HubError> {
        self.store.remove_tokens(numbers.to_vec()).await?;
        self.end(numbers).await;
        Ok(())
    }

    /// Removes deleted tokens from memory, and waits until every write that they had begun has ended.
    async fn end(&self, numbers: &[u64]) {
        for deleted in self.keyring.remove(numbers) {
            deleted.settle().await;
        }
    }
}

/// Whether a new asker would see the requests of another one, or be seen: requests belong to a name, within a room if both are
/// bound to one.
fn shares_requests(token: &Token, new: &NewToken) -> bool {
    let are_askers = token.role == Role::Asker && new.role == Role::Asker;
    are_askers && token.name == new.name && (new.room.is_none() || token.room.is_none())
}

/// Checks that an acting token is valid. The caller holds the turn to change tokens, so that it stays valid meanwhile.
fn check_live(actor: Option<&Token>, now: Timestamp) -> Result<(), HubError> {
    if actor.is_none_or(|actor| actor.is_live(now)) { Ok(()) } else { Err(HubError::Revoked) }
}

/// The earlier of two ends, of which there may be none.
pub(super) fn earlier(one: Option<Timestamp>, other: Option<Timestamp>) -> Option<Timestamp> {
    [one, other].into_iter().flatten().min()
}
