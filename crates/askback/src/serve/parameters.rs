//! What stands behind the question mark: every name known, none twice.

use crate::fault::{Fault, Kind};
use askback_core::{Name, Refusal, RequestId, Status, show};
use askback_hub::limits::PAGE_ITEMS;
use askback_hub::{Cursor, Room, Timestamp};

/// The parameters of a call.
pub(super) struct Parameters(Vec<(String, String)>);

impl Parameters {
    pub(super) fn parse(query: Option<&str>, known: &[&str]) -> Result<Self, Fault> {
        let mut found: Vec<(String, String)> = Vec::new();
        for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
            if !known.contains(&&*name) {
                let expected = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                return Err(Fault::parameter(&name, "there is no such parameter", expected));
            }
            if found.iter().any(|(other, _)| *other == name) {
                return Err(Fault::parameter(&name, "this parameter is there twice", "it once"));
            }
            found.push((name.into_owned(), value.into_owned()));
        }
        Ok(Self(found))
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    fn read<T>(&self, name: &str, read: impl Fn(&str) -> Result<T, Refusal>) -> Result<Option<T>, Fault> {
        let read = self.text(name).map(read).transpose();
        read.map_err(|refusal| Fault::refused(Kind::InvalidParameter, name, refusal))
    }

    pub(super) fn room(&self) -> Result<Option<Room>, Fault> {
        self.read("room", Room::parse)
    }

    pub(super) fn name(&self, name: &str) -> Result<Option<Name>, Fault> {
        self.read(name, Name::parse)
    }

    pub(super) fn id(&self) -> Result<Option<RequestId>, Fault> {
        self.read("id", RequestId::parse)
    }

    pub(super) fn status(&self) -> Result<Option<Status>, Fault> {
        const STATUSES: [Status; 5] =
            [Status::Pending, Status::Answered, Status::Declined, Status::Cancelled, Status::Expired];
        let Some(text) = self.text("status") else { return Ok(None) };
        let found = STATUSES.into_iter().find(|status| status.name() == text);
        let words = STATUSES.map(Status::name).join(", ");
        found.map(Some).ok_or_else(|| Fault::parameter("status", format!("{} is none", show::quote(text)), words))
    }

    pub(super) fn cursor(&self) -> Result<Option<Cursor>, Fault> {
        Ok(self.text("cursor").map(Cursor::parse).transpose()?)
    }

    pub(super) fn moment(&self, name: &str) -> Result<Option<Timestamp>, Fault> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let parsed = text.parse::<Timestamp>();
        let expected = "a moment such as 2026-11-15T17:40:00Z";
        parsed.map(Some).map_err(|_| Fault::parameter(name, format!("{} is none", show::quote(text)), expected))
    }

    /// How many on a page.
    pub(super) fn limit(&self) -> Result<usize, Fault> {
        Ok(self.number("limit", 1, PAGE_ITEMS as u64)?.map_or(50, |limit| limit as usize))
    }

    pub(super) fn flag(&self, name: &str) -> Result<bool, Fault> {
        match self.text(name) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(text) => Err(Fault::parameter(name, format!("{} is neither", show::quote(text)), "true or false")),
        }
    }

    pub(super) fn number(&self, name: &str, min: u64, max: u64) -> Result<Option<u64>, Fault> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse::<u64>().ok().filter(|number| digits && (min..=max).contains(number));
        let expected =
            if max == u64::MAX { "a whole number".to_owned() } else { format!("a whole number from {min} to {max}") };
        number.map(Some).ok_or_else(|| Fault::parameter(name, format!("{} is none", show::quote(text)), expected))
    }
}
