//! Query parameters: unknown and repeated names are refused.

use crate::fault::Fault;
use askback_api::ProblemCode;
use askback_api::limits::{PAGE_ITEMS, WAIT_SECONDS};
use askback_core::{Name, Refusal, RequestId, Room, Status, show};
use askback_hub::Timestamp;
use axum::http::Uri;
use std::time::Duration;

/// The parameters of a call.
pub(crate) struct Parameters(Vec<(String, String)>);

impl Parameters {
    pub(crate) fn parse(query: Option<&str>, known: &[&str]) -> Result<Self, Fault> {
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

    /// Refuses any parameter.
    pub(crate) fn none(uri: &Uri) -> Result<(), Fault> {
        Self::parse(uri.query(), &[]).map(drop)
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    fn read<T>(&self, name: &str, read: impl Fn(&str) -> Result<T, Refusal>) -> Result<Option<T>, Fault> {
        let read = self.text(name).map(read).transpose();
        read.map_err(|refusal| Fault::refused(ProblemCode::InvalidParameter, name, refusal))
    }

    pub(crate) fn room(&self) -> Result<Option<Room>, Fault> {
        self.read("room", Room::parse)
    }

    pub(crate) fn name(&self, name: &str) -> Result<Option<Name>, Fault> {
        self.read(name, Name::parse)
    }

    pub(crate) fn id(&self) -> Result<Option<RequestId>, Fault> {
        self.read("id", RequestId::parse)
    }

    pub(crate) fn status(&self) -> Result<Option<Status>, Fault> {
        self.value("status", &Status::ALL.map(Status::name).join(", "), Status::parse)
    }

    pub(crate) fn moment(&self, name: &str) -> Result<Option<Timestamp>, Fault> {
        self.value(name, "a moment such as 2026-11-15T17:40:00Z", |text| text.parse().ok())
    }

    /// The maximum number of items on a page.
    pub(crate) fn limit(&self) -> Result<Option<usize>, Fault> {
        Ok(self.number("limit", 1, PAGE_ITEMS as u64)?.map(|limit| limit as usize))
    }

    /// The time to wait, zero unless given.
    pub(crate) fn wait(&self) -> Result<Duration, Fault> {
        Ok(Duration::from_secs(self.number("wait", 0, WAIT_SECONDS)?.unwrap_or(0)))
    }

    pub(crate) fn flag(&self, name: &str) -> Result<bool, Fault> {
        match self.text(name) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(text) => Err(Fault::parameter(name, format!("{} is neither", show::quote(text)), "true or false")),
        }
    }

    pub(crate) fn number(&self, name: &str, min: u64, max: u64) -> Result<Option<u64>, Fault> {
        let expected =
            if max == u64::MAX { "a whole number".to_owned() } else { format!("a whole number from {min} to {max}") };
        self.value(name, &expected, |text| {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<u64>().ok().filter(|number| digits && (min..=max).contains(number))
        })
    }

    fn value<T>(&self, name: &str, expected: &str, parse: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>, Fault> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let refused = || Fault::parameter(name, format!("{} is none", show::quote(text)), expected);
        parse(text).map(Some).ok_or_else(refused)
    }
}
