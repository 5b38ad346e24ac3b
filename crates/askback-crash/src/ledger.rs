//! The acknowledgement log: what clients sent, and what the hub acknowledged or told them.
//!
//! It lives in the process that kills the hub. Every call that changes something is noted before it is sent, and every
//! acknowledgement when it has arrived.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How a client may ask the same again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeats {
    /// Not at all: without an id or a key, the call is sent once.
    Never,
    /// By its id or its key: it is one request.
    Identified,
    /// By asking exactly the same: it is one request until its outcome was delivered.
    Attaching,
}

/// One thing that is asked. Its number stands in its text, and so leads from a stored request back to it.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    pub(crate) repeats: Repeats,
    /// Whether it has a timeout.
    pub(crate) may_expire: bool,
    /// Which answerers are to answer it.
    pub(crate) answerers: Vec<usize>,
    /// The ids that were acknowledged.
    pub(crate) ids: BTreeSet<String>,
    /// Whether the hub said of its only call that nothing was stored.
    pub(crate) is_refused: bool,
    pub(crate) endings: Vec<Ending>,
    /// Outcomes that somebody was told, or fields of them.
    pub(crate) told: Vec<Value>,
}

impl Ask {
    pub(crate) fn new(repeats: Repeats) -> Self {
        let (ids, endings, told) = Default::default();
        Self { repeats, may_expire: false, answerers: Vec::new(), ids, is_refused: false, endings, told }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Answer,
    Decline,
    Cancel,
}

impl Action {
    /// The status that it gives a request.
    fn status(self) -> &'static str {
        match self {
            Self::Answer => "answered",
            Self::Decline => "declined",
            Self::Cancel => "cancelled",
        }
    }

    /// The last part of its path.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Decline => "decline",
            Self::Cancel => "cancel",
        }
    }
}

/// An attempt to end a request, which may be sent several times.
#[derive(Debug, Clone)]
pub(crate) struct Ending {
    /// The name of the token.
    pub(crate) by: String,
    pub(crate) action: Action,
    /// The answer or the reason, which nobody else sends.
    pub(crate) text: String,
    pub(crate) verdict: Verdict,
}

/// What is known of an attempt to end a request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Verdict {
    /// It was sent, and perhaps decided.
    Unknown,
    /// It counts, with this outcome.
    Counted(Value),
    /// Another one was faster, with this outcome.
    Late(Value),
}

impl Ending {
    /// Whether this attempt has led to an outcome.
    pub(crate) fn made(&self, outcome: &Value) -> bool {
        let text = if self.action == Action::Answer { &outcome["response"] } else { &outcome["reason"] };
        outcome["status"] == self.action.status() && outcome["answeredBy"] == *self.by && *text == *self.text
    }
}

/// The name of an attempt: its mark, and its number there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EndingId {
    pub(crate) mark: usize,
    number: usize,
}

#[derive(Debug, Default)]
struct Entries {
    asks: Vec<Ask>,
    /// What has changed since it was last compared with the store.
    changed: BTreeSet<usize>,
    /// Requests and endings that were acknowledged.
    acknowledgements: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Ledger {
    entries: Mutex<Entries>,
    acknowledged: Condvar,
}

impl Ledger {
    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, mark: usize, change: impl FnOnce(&mut Ask) -> T) -> T {
        let mut entries = self.entries();
        entries.changed.insert(mark);
        change(&mut entries.asks[mark])
    }

    fn acknowledge(&self, mark: usize, change: impl FnOnce(&mut Ask)) {
        self.change(mark, change);
        self.entries().acknowledgements += 1;
        self.acknowledged.notify_all();
    }

    /// Notes that something is about to be asked; its mark.
    pub(crate) fn begin(&self, ask: Ask) -> usize {
        let mut entries = self.entries();
        entries.asks.push(ask);
        entries.asks.len() - 1
    }

    /// Notes that a request was acknowledged; whether this is the first time.
    pub(crate) fn asked(&self, mark: usize, id: &str) -> bool {
        let is_new = self.change(mark, |ask| ask.ids.insert(id.to_owned()));
        if is_new {
            self.acknowledge(mark, |_| ());
        }
        is_new
    }

    /// Notes that the hub has refused a request, and so has stored nothing.
    pub(crate) fn refused(&self, mark: usize) {
        self.change(mark, |ask| ask.is_refused = true);
    }

    /// Notes that an attempt to end a request is about to be made; its text is made from its name.
    pub(crate) fn end(&self, mark: usize, by: &str, action: Action) -> (EndingId, String) {
        self.change(mark, |ask| {
            let number = ask.endings.len();
            let text = format!("{} {mark}.{number}", action.name());
            let ending = Ending { by: by.to_owned(), action, text: text.clone(), verdict: Verdict::Unknown };
            ask.endings.push(ending);
            (EndingId { mark, number }, text)
        })
    }

    /// Notes the verdict on an attempt.
    pub(crate) fn decided(&self, ending: EndingId, verdict: Verdict) {
        self.acknowledge(ending.mark, |ask| ask.endings[ending.number].verdict = verdict);
    }

    /// Notes an outcome that somebody was told, or fields of it with the request's `id`.
    pub(crate) fn told(&self, mark: usize, outcome: Value) {
        self.change(mark, |ask| {
            if !ask.told.contains(&outcome) {
                ask.told.push(outcome);
            }
        });
    }

    /// Who is to answer it.
    pub(crate) fn answerers(&self, mark: usize) -> Vec<usize> {
        self.entries().asks.get(mark).map(|ask| ask.answerers.clone()).unwrap_or_default()
    }

    /// How much was asked.
    pub(crate) fn len(&self) -> usize {
        self.entries().asks.len()
    }

    /// What is known of these.
    pub(crate) fn get(&self, marks: impl IntoIterator<Item = usize>) -> BTreeMap<usize, Ask> {
        let entries = self.entries();
        marks.into_iter().filter_map(|mark| Some((mark, entries.asks.get(mark)?.clone()))).collect()
    }

    /// What has changed since this was last called.
    pub(crate) fn take_changed(&self) -> BTreeMap<usize, Ask> {
        let changed = std::mem::take(&mut self.entries().changed);
        self.get(changed)
    }

    /// Waits for so many more acknowledgements.
    pub(crate) fn wait_for_acknowledgements(&self, count: u64, patience: Duration) {
        let entries = self.entries();
        let enough = entries.acknowledgements + count;
        let waited =
            self.acknowledged.wait_timeout_while(entries, patience, |entries| entries.acknowledgements < enough);
        drop(waited);
    }
}

/// A mark as it stands in a question.
pub(crate) fn written(mark: usize) -> String {
    format!("#{mark:08}#")
}

/// The mark in a question.
pub(crate) fn read_mark(text: &str) -> Option<usize> {
    let (_, rest) = text.split_once('#')?;
    rest.split_once('#')?.0.parse().ok()
}
