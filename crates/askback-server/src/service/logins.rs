//! Logins of browsers with one-time links, and logouts.

use super::page_path::PagePath;
use super::{Caller, Service, views};
use crate::fault::Fault;
use crate::limits::{LOGIN_LINK, SESSION};
use askback_api::{Login, LoginLink, LoginLinkBody, ProblemCode, Session};
use askback_hub::{NewToken, Purpose, Role, Secret, SessionKind, Timestamp, Token};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

impl Service {
    /// Makes a link that logs a browser in as the caller, once.
    pub(crate) async fn login_link(&self, caller: &Caller, body: LoginLinkBody) -> Result<LoginLink, Fault> {
        caller.answers()?;
        let path = body.path.as_deref().map(PagePath::parse).transpose();
        let path = path.map_err(|refusal| Fault::refused(ProblemCode::InvalidParameter, "path", refusal))?;
        let expires_at = Timestamp::now().checked_add(LOGIN_LINK).unwrap_or(Timestamp::MAX);
        let token = &caller.token;
        let new = NewToken {
            purpose: Purpose::Login,
            // A browser's session can answer, and issues no tokens that outlive it.
            role: Role::Answerer,
            name: token.name.clone(),
            room: token.room.clone(),
            expires_at: Some(expires_at),
            issued_by: Some(token.number),
        };
        let (_, secret) = self.hub.issue(new).await?;
        let (origin, code) = (&self.origin, secret.as_str());
        let to = path.as_ref().map(to_parameter).unwrap_or_default();
        let url = if body.plain == Some(true) {
            format!("{origin}/plain/login?code={code}{to}")
        } else {
            // Browsers, previews and proxies never send a fragment: only the page's own script reads the code.
            format!("{origin}/login#code={code}{to}")
        };
        Ok(LoginLink { url, expires_at })
    }

    /// The login that the code of a link stands for.
    pub(crate) fn show_login(&self, code: &str, address: Option<IpAddr>) -> Result<Login, Fault> {
        let link = self.hub.login_link(code).ok_or_else(no_link);
        Ok(views::login(&*self.limit_failures(address, link)?))
    }

    /// Redeems the code of a link for a session of the page.
    pub(crate) async fn log_in(&self, code: &str, address: Option<IpAddr>) -> Result<Session, Fault> {
        let (session, secret) = self.redeem(code, SessionKind::Page, address).await?;
        Ok(Session { login: views::login(&session), secret: secret.as_str().to_owned() })
    }

    /// Redeems the code of a link for a session of either page.
    pub(crate) async fn redeem(
        &self,
        code: &str,
        kind: SessionKind,
        address: Option<IpAddr>,
    ) -> Result<(Arc<Token>, Secret), Fault> {
        let redeemed = self.hub.redeem(code, kind, SESSION).await?.ok_or_else(no_link);
        let (session, secret) = self.limit_failures(address, redeemed)?;
        tracing::info!(number = session.number, name = session.name.as_str(), "a browser has logged in");
        Ok((session, secret))
    }

    /// Ends the session of a browser, and closes its connections.
    pub(crate) async fn log_out(&self, caller: &Caller) -> Result<(), Fault> {
        if caller.token.purpose != Purpose::Session {
            let why = "only a browser's session logs out; an admin revokes a token";
            return Err(Fault::new(ProblemCode::Forbidden, why));
        }
        self.hub.revoke(caller.token.number).await?;
        Ok(())
    }

    /// Counts failed authentications of an address, and refuses more beyond their rate. A valid token always passes: any program on
    /// this machine, and any page in a browser, can call without one, and must not lock out others.
    pub(crate) fn limit_failures<T>(
        &self,
        address: Option<IpAddr>,
        authenticated: Result<T, Fault>,
    ) -> Result<T, Fault> {
        if let (Err(fault), Some(address)) = (&authenticated, address)
            && fault.code == ProblemCode::Unauthenticated
            && self.failures.take(address, Instant::now()).is_err()
        {
            let why = "too many calls from this address had no valid token: wait a second, and use one";
            return Err(Fault::new(ProblemCode::TooMany, why));
        }
        authenticated
    }
}

/// The parameter of a link with the path to open after the login.
fn to_parameter(path: &PagePath) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("to", path.as_str());
    // Slashes are allowed there, and keep the link readable.
    format!("&{}", query.finish().replace("%2F", "/"))
}

/// The refusal of a link that was used or has expired.
pub(crate) fn no_link() -> Fault {
    let why = "this link was used, or has expired: it works once, for ten minutes; `askback open` prints another";
    Fault::new(ProblemCode::Unauthenticated, why)
}
