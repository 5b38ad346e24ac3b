//! A request as a hub tells of it, read back.

use super::ClientError;
use askback_core::{Json, Limits, Outcome, Request, Status, show};

/// A request on a hub.
#[derive(Debug, Clone)]
pub(crate) struct HubRecord {
    pub(crate) id: String,
    pub(crate) room: String,
    pub(crate) asker: String,
    pub(crate) created_at: String,
    pub(crate) expires_at: Option<String>,
    pub(crate) is_waited_for: bool,
    pub(crate) last_waited_at: Option<String>,
    pub(crate) request: Request,
    pub(crate) outcome: Option<Outcome>,
}

impl HubRecord {
    pub(crate) fn read(json: &Json) -> Result<Self, ClientError> {
        Self::find(json).ok_or_else(|| ClientError::Foreign("it tells of a request that can't be read".to_owned()))
    }

    fn find(json: &Json) -> Option<Self> {
        let text = |name: &str| json.get(name).and_then(Json::as_str).map(str::to_owned);
        let request = Request::from_json(json.get("request")?, &Limits::STORED).ok()?;
        let outcome = match json.get("outcome") {
            None | Some(Json::Null) => None,
            Some(outcome) => Some(Outcome::from_json(outcome, &request).ok()?),
        };
        Some(Self {
            id: text("id")?,
            room: text("room")?,
            asker: text("asker")?,
            created_at: text("createdAt")?,
            expires_at: text("expiresAt"),
            is_waited_for: matches!(json.get("waiting"), Some(Json::Bool(true))),
            last_waited_at: text("lastWaitedAt"),
            request,
            outcome,
        })
    }

    pub(crate) fn status(&self) -> Status {
        self.outcome.as_ref().map_or(Status::Pending, Outcome::status)
    }

    /// The request with the time that is left of its timeout: the hub's clock has been running.
    pub(crate) fn on_time(&self, now: jiff::Timestamp) -> Request {
        let until = self.expires_at.as_ref().and_then(|text| text.parse::<jiff::Timestamp>().ok());
        let (Some(until), Json::Object(mut fields)) = (until, self.request.to_json()) else {
            return self.request.clone();
        };
        let left = until.duration_since(now).as_secs().max(1);
        fields.retain(|(name, _)| name != "timeout");
        fields.push(("timeout".to_owned(), Json::Number(left as f64)));
        Request::from_json(&Json::Object(fields), &Limits::STORED).unwrap_or_else(|_| self.request.clone())
    }

    /// The asker's name, and what the request claims beside it (S9).
    pub(crate) fn asker_and_claim(&self) -> String {
        show::asker(&self.asker, self.request.from())
    }

    /// What it is about, in a line.
    pub(crate) fn title(&self) -> String {
        match (self.request.title(), self.request.questions()) {
            (Some(title), _) => title.to_owned(),
            (None, [only]) => only.message().to_owned(),
            (None, [first, rest @ ..]) => format!("{} (and {} more)", first.message(), rest.len()),
            (None, []) => String::new(),
        }
    }
}

/// The outcome in what a hub says of a request; none while it is pending.
pub(crate) fn outcome(json: &Json, request: &Request) -> Result<Option<Outcome>, ClientError> {
    if json.get("status").and_then(Json::as_str) == Some(Status::Pending.name()) {
        return Ok(None);
    }
    let outcome = Outcome::from_json(json, request);
    outcome.map(Some).map_err(|_| ClientError::Foreign("it tells of an outcome that can't be read".to_owned()))
}
