//! The check: what a ledger says was acknowledged is there, once and whole, and what was not acknowledged can be tried again.

use super::exchange::Exchange;
use super::ledger::{Answer, Entry, Ledger};
use super::{Failure, open};
use askback_core::{Outcome, RequestId};
use askback_hub::{Asked, AuditQuery, Hub, Query, limits::PAGE_ITEMS};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Something that must not be.
#[derive(Debug)]
pub(crate) enum Fault {
    /// It was acknowledged, and it is not there.
    Lost(String),
    /// It is there, and it is not right.
    Wrong(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost(what) => write!(f, "lost: {what}"),
            Self::Wrong(what) => write!(f, "wrong: {what}"),
        }
    }
}

/// What a check found.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) faults: Vec<Fault>,
    /// The keys of exchanges of which something was kept that was not acknowledged, as it may be.
    pub(crate) unheard: Vec<String>,
}

/// Opens the database, compares it with the ledger, and tries again what was not tried again before; that is
/// acknowledged then, and the ledger says so.
pub(crate) fn check(path: &Path, ledger: &mut Ledger) -> Result<Report, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    runtime.block_on(async {
        let hub = open(path).await?;
        let mut report = Report::default();
        let before = read_log(&hub, &mut report.faults).await?;
        report.compare(&before, ledger);
        report.retry(&hub, &before, ledger).await?;
        if report.faults.is_empty() {
            let after = read_log(&hub, &mut report.faults).await?;
            report.compare(&after, ledger);
            report.compare_inbox(&hub, &after).await?;
        }
        hub.close().await?;
        Ok(report)
    })
}

/// What the log tells of a request.
struct Kept {
    id: RequestId,
    outcome: Option<Arc<Outcome>>,
}

/// Every request in the log, by its key. The log has no gaps, and in it everything begins once and ends at most once.
async fn read_log(hub: &Hub, faults: &mut Vec<Fault>) -> Result<BTreeMap<String, Kept>, Failure> {
    let mut kept: BTreeMap<String, Kept> = BTreeMap::new();
    let mut query = Some(AuditQuery { limit: PAGE_ITEMS, ..AuditQuery::default() });
    let mut last = 0;
    while let Some(asked) = query.take() {
        let page = hub.audit(asked.clone()).await?;
        for event in page.items {
            let (number, record) = (event.number, &event.record);
            let mut wrong = |what: &str| faults.push(Fault::Wrong(format!("event {number}, {}: {what}", event.name())));
            if number != last + 1 {
                wrong(&format!("it follows on event {last}"));
            }
            last = number;
            let key = record.request.key().unwrap_or_default();
            match (&record.outcome, kept.get_mut(key)) {
                (None, None) => {
                    kept.insert(key.to_owned(), Kept { id: record.id.clone(), outcome: None });
                }
                (None, Some(_)) => wrong(&format!("{key} was asked before")),
                (Some(outcome), Some(Kept { id, outcome: ended @ None })) if *id == record.id => {
                    *ended = Some(Arc::clone(outcome));
                    if !Exchange::new(key).is_ended_by(outcome) {
                        wrong(&format!("{key} was ended by something that nobody sent: {outcome:?}"));
                    }
                }
                (Some(_), _) => wrong(&format!("{key} was not pending")),
            }
        }
        query = page.next.map(|next| AuditQuery { after: Some(next), ..asked });
    }
    Ok(kept)
}

impl Report {
    /// What was acknowledged is there; what is there was sent.
    fn compare(&mut self, kept: &BTreeMap<String, Kept>, ledger: &Ledger) {
        for (key, Entry { id, answer, .. }) in &ledger.0 {
            let found = kept.get(key);
            match (id, found) {
                (Some(id), Some(found)) if *id != found.id => {
                    self.wrong(format!("{key} was acknowledged as {}, and is {}", id.as_str(), found.id.as_str()));
                }
                (Some(id), None) => self.faults.push(Fault::Lost(format!("request {} {key}", id.as_str()))),
                _ => {}
            }
            if *answer == Answer::Acknowledged && found.is_none_or(|found| found.outcome.is_none()) {
                self.faults.push(Fault::Lost(format!("the answer to {key}")));
            }
        }
        for (key, found) in kept {
            match ledger.0.get(key) {
                None => self.wrong(format!("nobody asked {key}")),
                Some(entry) if entry.answer == Answer::NotSent && found.outcome.is_some() => {
                    self.wrong(format!("nobody answered {key}"));
                }
                Some(_) => {}
            }
        }
    }

    /// Tries everything again that was sent: it counts once, whether it had been acknowledged or not.
    async fn retry(&mut self, hub: &Hub, kept: &BTreeMap<String, Kept>, ledger: &mut Ledger) -> Result<(), Failure> {
        for (key, entry) in ledger.0.iter_mut().filter(|(_, entry)| !entry.is_settled) {
            entry.is_settled = true;
            let (exchange, found) = (Exchange::new(key), kept.get(key));
            if entry.id.is_some() && found.is_none() {
                // It is lost. Asked again it would be there, and nobody would be the wiser.
                continue;
            }
            let asked = hub.ask(exchange.ask()?).await?;
            match (&asked, found) {
                (Asked::New(_), None) => {}
                (Asked::Known(record), Some(found)) if record.id == found.id => {}
                _ => self.wrong(format!("asked again, {key} is {asked:?}")),
            }
            let ended = found.and_then(|found| found.outcome.as_ref());
            let is_unheard = entry.id.is_none() && found.is_some() || entry.answer == Answer::Sent && ended.is_some();
            if is_unheard {
                self.unheard.push(key.clone());
            }
            entry.id = Some(asked.id().clone());
            if entry.answer == Answer::NotSent || entry.answer == Answer::Acknowledged && ended.is_none() {
                continue;
            }
            match exchange.answer(hub, asked.id()).await {
                Ok(outcome) if ended.is_none_or(|ended| *ended == outcome) => entry.answer = Answer::Acknowledged,
                other => self.wrong(format!("answered again, {key} gives {other:?}")),
            }
        }
        Ok(())
    }

    /// The requests say the same as the log.
    async fn compare_inbox(&mut self, hub: &Hub, kept: &BTreeMap<String, Kept>) -> Result<(), Failure> {
        let mut seen = 0;
        let mut query = Some(Query { limit: PAGE_ITEMS, ..Query::default() });
        while let Some(asked) = query.take() {
            let page = hub.list(asked.clone()).await?;
            for listed in page.items {
                seen += 1;
                let (record, key) = (&listed.record, listed.record.request.key().unwrap_or_default());
                if kept.get(key).is_none_or(|kept| kept.id != record.id || kept.outcome != record.outcome) {
                    self.wrong(format!("the log tells something else of {key} than {record:?}"));
                }
            }
            query = page.next.map(|next| Query { after: Some(next), ..asked });
        }
        if seen != kept.len() {
            self.wrong(format!("there are {seen} requests, and {} in the log", kept.len()));
        }
        Ok(())
    }

    fn wrong(&mut self, what: String) {
        self.faults.push(Fault::Wrong(what));
    }
}
