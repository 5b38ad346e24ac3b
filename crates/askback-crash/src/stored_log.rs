//! The stored log, as the hub's audit log tells it over HTTP.

use crate::Failure;
use crate::api::HubApi;
use crate::ledger::read_mark;
use crate::violation::Violation;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Events on one page.
const PAGE: usize = 200;

/// A stored request.
#[derive(Debug)]
pub(crate) struct StoredRequest {
    pub(crate) id: String,
    mark: usize,
    /// The number of the event that created it.
    pub(crate) created: usize,
    /// The event that ended it: its number and the outcome.
    pub(crate) ended: Option<(usize, Value)>,
}

/// An event as it is compared with the same event later: its name, its request and a hash of the whole of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredEvent {
    pub(crate) name: String,
    pub(crate) id: String,
    hash: u64,
}

/// Every event that was read, and the requests that they tell of.
#[derive(Debug, Default)]
pub(crate) struct StoredLog {
    /// The events in order.
    pub(crate) events: Vec<StoredEvent>,
    /// The number of the last one.
    last: usize,
    pub(crate) requests: HashMap<String, StoredRequest>,
    by_mark: BTreeMap<usize, Vec<String>>,
}

impl StoredLog {
    /// Reads the events after those that were read before; the marks that they are about.
    ///
    /// The last event that was read before is read again: it must still be there, and the same.
    pub(crate) fn read_on(
        &mut self,
        api: &HubApi,
        token: &str,
        violations: &mut Vec<Violation>,
    ) -> Result<BTreeSet<usize>, Failure> {
        let mut marks = BTreeSet::new();
        let mut page = format!("after={}", self.last.saturating_sub(1));
        let mut is_first = !self.events.is_empty();
        loop {
            let call = api.call("GET", &format!("/api/v1/audit?{page}&limit={PAGE}"), token);
            let response = api.send_until_decided(&call)?;
            if response.status != 200 {
                violations.push(Violation::lost(format!("events after {page}: {}", response.body)));
                return Ok(marks);
            }
            let body = response.json();
            for item in body["items"].as_array().into_iter().flatten() {
                if std::mem::take(&mut is_first) {
                    self.compare_last(item, violations);
                } else {
                    marks.extend(self.add(item, violations));
                }
            }
            if is_first {
                violations.push(Violation::lost(format!("event {}: the log ends before it", self.last)));
                return Ok(marks);
            }
            match body["next"].as_str() {
                Some(next) => page = format!("cursor={next}"),
                None => return Ok(marks),
            }
        }
    }

    fn compare_last(&self, item: &Value, violations: &mut Vec<Violation>) {
        if self.events.last() != Some(&StoredEvent::read(item)) {
            violations.push(Violation::wrong(format!("event {} is another one now: {item}", self.last)));
        }
    }

    /// Adds an event; the mark it is about.
    fn add(&mut self, item: &Value, violations: &mut Vec<Violation>) -> Option<usize> {
        let event = StoredEvent::read(item);
        let number = item["number"].as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or_default();
        if number != self.last + 1 {
            violations.push(Violation::wrong(format!("event {number} follows on event {}", self.last)));
        }
        self.last = number;
        let id = event.id.clone();
        let is_creation = event.name == "request.created";
        self.events.push(event);
        if is_creation {
            let Some(mark) = item["request"]["questions"][0]["message"].as_str().and_then(read_mark) else {
                violations.push(Violation::wrong(format!("nobody asked the request of event {number}: {item}")));
                return None;
            };
            let request = StoredRequest { id: id.clone(), mark, created: number, ended: None };
            if self.requests.insert(id.clone(), request).is_some() {
                violations
                    .push(Violation::doubled(format!("{id} was created twice; the second time is event {number}")));
            }
            self.by_mark.entry(mark).or_default().push(id);
            return Some(mark);
        }
        match self.requests.get_mut(&id) {
            None => {
                violations.push(Violation::wrong(format!("event {number} ends {id}, which was not created")));
                None
            }
            Some(request) => {
                if request.ended.is_some() {
                    let what = format!("{id} has two outcomes; the second is event {number}: {item}");
                    violations.push(Violation::doubled(what));
                } else {
                    request.ended = Some((number, item["outcome"].clone()));
                }
                Some(request.mark)
            }
        }
    }

    /// The requests with a mark, in the order in which they were created.
    pub(crate) fn of_mark(&self, mark: usize) -> impl Iterator<Item = &StoredRequest> {
        self.by_mark.get(&mark).into_iter().flatten().filter_map(move |id| self.requests.get(id))
    }

    /// The marks of stored requests.
    pub(crate) fn marks(&self) -> impl Iterator<Item = usize> {
        self.by_mark.keys().copied()
    }

    /// The stored outcome of a request.
    pub(crate) fn outcome(&self, id: &str) -> Option<&Value> {
        self.requests.get(id)?.ended.as_ref().map(|(_, outcome)| outcome)
    }

    /// Compares a log that was read before with this one, which was read from its beginning.
    pub(crate) fn compare_with_earlier(&self, earlier: &Self, violations: &mut Vec<Violation>) {
        for (index, event) in earlier.events.iter().enumerate() {
            match self.events.get(index) {
                Some(same) if same == event => {}
                Some(other) => {
                    violations.push(Violation::wrong(format!("event {} was {event:?} and is {other:?}", index + 1)));
                }
                None => violations.push(Violation::lost(format!("event {}, {} {}", index + 1, event.name, event.id))),
            }
        }
    }
}

impl StoredEvent {
    fn read(item: &Value) -> Self {
        let text = |name: &str| item[name].as_str().unwrap_or_default().to_owned();
        let mut hasher = DefaultHasher::new();
        item.to_string().hash(&mut hasher);
        Self { name: text("event"), id: text("id"), hash: hasher.finish() }
    }
}
