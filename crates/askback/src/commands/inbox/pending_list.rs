//! The requests that are pending, and how each is shown.

use askback_api::{ApiError, Change, HubApi, ListQuery, Record, StreamEvent};
use askback_client::Client;
use askback_core::{Outcome, Question, Reason, RequestId, Resolution, Room, Status, relative_time};
use askback_term::{BrowserItem, Tone};

/// Requests that are shown; a person who has more filters by room.
const SHOWN: usize = 200;

/// The pending requests, the newest first, each once.
pub(super) struct PendingList {
    records: Vec<Record>,
    /// What was taken away and what came since a list was asked for, which may not know of it.
    taken: Vec<RequestId>,
    added: Vec<Record>,
}

impl PendingList {
    /// All there is, the newest first.
    pub(super) fn of(records: Vec<Record>) -> Self {
        Self { records, taken: Vec::new(), added: Vec::new() }
    }

    /// A list is on its way: what happens from now on is not in it.
    pub(super) fn note_changes(&mut self) {
        self.taken.clear();
        self.added.clear();
    }

    /// Puts a list in place of what was known when it was asked for.
    pub(super) fn renew(&mut self, mut records: Vec<Record>) {
        records.retain(|record| !self.taken.contains(&record.id));
        let is_known = |new: &Record, records: &[Record]| records.iter().any(|record| record.id == new.id);
        for new in std::mem::take(&mut self.added) {
            if !is_known(&new, &records) && !self.taken.contains(&new.id) {
                records.insert(0, new);
            }
        }
        self.records = records;
    }

    /// How many there are, as far as they are shown.
    pub(super) fn count(&self) -> String {
        let count = self.records.len();
        if count < SHOWN { count.to_string() } else { format!("more than {}", SHOWN - 1) }
    }

    pub(super) fn get(&self, id: &RequestId) -> Option<&Record> {
        self.records.iter().find(|record| record.id == *id)
    }

    /// Puts one on top; false if it was there.
    pub(super) fn add(&mut self, record: Record) -> bool {
        if record.outcome.is_some() || self.get(&record.id).is_some() {
            return false;
        }
        self.added.push(record.clone());
        self.records.insert(0, record);
        true
    }

    pub(super) fn take(&mut self, id: &RequestId) -> Option<Record> {
        self.taken.push(id.clone());
        let index = self.records.iter().position(|record| record.id == *id)?;
        Some(self.records.remove(index))
    }

    /// How many nobody has waited for in so many seconds.
    pub(super) fn unwaited(&self, now: jiff::Timestamp, seconds: u32) -> usize {
        let is_unwaited = |record: &&Record| {
            !record.is_waited_for
                && record.last_waited_at.is_some_and(|seen| now.duration_since(seen).as_secs() >= i64::from(seconds))
        };
        self.records.iter().filter(is_unwaited).count()
    }

    pub(super) fn items(&self, now: jiff::Timestamp) -> Vec<BrowserItem> {
        self.records.iter().map(|record| item(record, now)).collect()
    }
}

fn item(record: &Record, now: jiff::Timestamp) -> BrowserItem {
    let mut details = vec![record.room.as_str().to_owned(), relative_time::ago(record.created_at, now)];
    details.extend(record.expires_at.map(|until| relative_time::left(until, now)));
    // Last: a claim may be long, and must not push out what the hub knows.
    details.push(record.asker_and_claim());
    BrowserItem {
        id: record.id.as_str().to_owned(),
        title: record.title(),
        details,
        warning: (!record.is_waited_for).then(|| "nobody is waiting".to_owned()),
        keywords: record.request.questions().iter().map(Question::message).collect::<Vec<_>>().join(" "),
    }
}

/// What a person reads when a question is answered, here or elsewhere.
pub(super) fn ended(record: &Record, outcome: &Outcome) -> (Tone, String) {
    let title = record.title();
    let by = format!("by {} ({})", outcome.by(), outcome.surface().name());
    match outcome.resolution() {
        Resolution::Answered { .. } => {
            (Tone::Success, format!("{title} answered {by}: {}", outcome.responses().join(", ")))
        }
        Resolution::Rejected { .. } => (Tone::Warning, format!("{title} declined {by}")),
        Resolution::Declined { reason, .. } => {
            (Tone::Warning, with_reason(format!("{title} declined {by}"), reason.as_ref()))
        }
        Resolution::Cancelled { reason, .. } => {
            (Tone::Muted, with_reason(format!("{title} cancelled {by}"), reason.as_ref()))
        }
        Resolution::Expired { .. } => (Tone::Muted, format!("{title} expired: nobody answered in time")),
    }
}

fn with_reason(text: String, reason: Option<&Reason>) -> String {
    match reason {
        Some(reason) => format!("{text}: {}", reason.as_str()),
        None => text,
    }
}

/// What takes a prompt away: the end of the request that it is about.
pub(super) fn notice(event: &StreamEvent, about: Option<&RequestId>) -> Option<String> {
    let Change::Ended(ended) = &event.change else { return None };
    let head = &ended.head;
    if about != Some(&head.id) {
        return None;
    }
    Some(match head.status {
        Status::Expired => "nobody answered in time".to_owned(),
        status => format!("{} by {} ({})", status.name(), head.answered_by, head.surface.name()),
    })
}

/// The pending requests of a hub, the newest first.
pub(super) async fn load(client: Client, room: Option<Room>) -> Result<Vec<Record>, ApiError> {
    let mut query = ListQuery { status: Some(Status::Pending), room, limit: Some(SHOWN), ..ListQuery::default() };
    let mut records = Vec::new();
    loop {
        let page = client.list(query.clone()).await?;
        records.extend(page.items);
        match page.next {
            // Large ones come in smaller pages.
            Some(next) if records.len() < SHOWN => query.cursor = Some(next),
            _ => return Ok(records),
        }
    }
}
