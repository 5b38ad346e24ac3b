//! The comparison of what is stored with what was acknowledged.

use crate::Failure;
use crate::api::HubApi;
use crate::ledger::{Ask, Ledger, Repeats, Verdict};
use crate::stored_log::{StoredLog, StoredRequest};
use crate::violation::Violation;
use serde_json::Value;
use std::collections::BTreeMap;

/// What was read of the store so far, and what was found wrong.
#[derive(Debug, Default)]
pub(crate) struct Checker {
    pub(crate) log: StoredLog,
    pub(crate) violations: Vec<Violation>,
}

impl Checker {
    /// Compares what was acknowledged since the last check with the store, while clients go on.
    pub(crate) fn check_changes(&mut self, api: &HubApi, token: &str, ledger: &Ledger) -> Result<(), Failure> {
        // What was acknowledged before the log is read must be in it.
        let acknowledged = ledger.take_changed();
        let new = self.log.read_on(api, token, &mut self.violations)?;
        self.compare_acknowledged(&acknowledged);
        // What is stored was sent before, and so is noted by now.
        self.compare_stored(&ledger.get(new));
        Ok(())
    }

    /// Compares everything with the store, read from its beginning. Nobody writes meanwhile.
    pub(crate) fn check_all(&mut self, api: &HubApi, token: &str, ledger: &Ledger) -> Result<(), Failure> {
        let mut log = StoredLog::default();
        log.read_on(api, token, &mut self.violations)?;
        log.compare_with_earlier(&self.log, &mut self.violations);
        self.log = log;
        let asks = ledger.get(0..ledger.len());
        self.compare_acknowledged(&asks);
        self.compare_stored(&asks);
        let unknown: Vec<usize> = self.log.marks().filter(|mark| !asks.contains_key(mark)).collect();
        self.violations.extend(unknown.iter().map(|mark| Violation::wrong(format!("nobody asked {mark}"))));
        self.compare_lists(api, token)
    }

    /// What was acknowledged or told is stored.
    fn compare_acknowledged(&mut self, asks: &BTreeMap<usize, Ask>) {
        for (mark, ask) in asks {
            for id in &ask.ids {
                if !self.log.of_mark(*mark).any(|request| request.id == *id) {
                    self.violations.push(Violation::lost(format!("request {id}, mark {mark}")));
                }
            }
            for ending in &ask.endings {
                match &ending.verdict {
                    Verdict::Unknown => {}
                    Verdict::Counted(outcome) => {
                        self.compare_outcome(*mark, outcome);
                        if !is_stored_by(&self.log, outcome, |stored| ending.made(stored)) {
                            let what = format!("\"{}\" counted, and is not what is stored", ending.text);
                            self.violations.push(Violation::lost(what));
                        }
                    }
                    Verdict::Late(outcome) => {
                        self.compare_outcome(*mark, outcome);
                        if is_stored_by(&self.log, outcome, |stored| ending.made(stored)) {
                            let what = format!("\"{}\" was refused as late, and counts: {outcome}", ending.text);
                            self.violations.push(Violation::wrong(what));
                        }
                    }
                }
            }
            let told = ask.told.iter();
            told.for_each(|outcome| self.compare_outcome(*mark, outcome));
        }
    }

    /// Every field of an outcome that somebody was told is stored.
    fn compare_outcome(&mut self, mark: usize, told: &Value) {
        let id = told["id"].as_str().unwrap_or_default();
        let Some(stored) = self.log.outcome(id) else {
            self.violations.push(Violation::lost(format!("the outcome of {id}, mark {mark}: {told}")));
            return;
        };
        let differs = told.as_object().into_iter().flatten().any(|(name, value)| stored[name] != *value);
        if differs {
            let what = format!("the outcome of {id}, mark {mark}, was told as {told}, and is {stored}");
            self.violations.push(Violation::wrong(what));
        }
    }

    /// What is stored was sent, and once.
    fn compare_stored(&mut self, asks: &BTreeMap<usize, Ask>) {
        for (mark, ask) in asks {
            let stored: Vec<&StoredRequest> = self.log.of_mark(*mark).collect();
            let mut found = Vec::new();
            if ask.is_refused && !stored.is_empty() {
                found.push(Violation::wrong(format!("mark {mark} was refused as not stored, and is")));
            }
            for (first, second) in stored.iter().zip(stored.iter().skip(1)) {
                let is_again = ask.repeats == Repeats::Attaching
                    && first.ended.as_ref().is_some_and(|(ended, _)| *ended < second.created);
                if !is_again {
                    found.push(Violation::doubled(format!("mark {mark} is {} and {}", first.id, second.id)));
                }
            }
            for request in stored {
                let Some((_, outcome)) = &request.ended else { continue };
                let is_expiry = ask.may_expire && outcome["status"] == "expired";
                if !is_expiry && !ask.endings.iter().any(|ending| ending.made(outcome)) {
                    found.push(Violation::wrong(format!("nobody sent the outcome of {}: {outcome}", request.id)));
                }
                let winners =
                    ask.endings.iter().filter(|ending| counted(&ending.verdict) == Some(request.id.as_str())).count();
                if winners > 1 {
                    found.push(Violation::doubled(format!(
                        "{winners} answers to {} were told that they count",
                        request.id
                    )));
                }
            }
            self.violations.extend(found);
        }
    }

    /// The lists of requests tell the same as the log.
    fn compare_lists(&mut self, api: &HubApi, token: &str) -> Result<(), Failure> {
        let mut page = String::new();
        let mut listed = 0;
        loop {
            let call = api.call("GET", &format!("/api/v1/requests?limit=200{page}"), token);
            let body = api.send_until_decided(&call)?.json();
            for item in body["items"].as_array().into_iter().flatten() {
                listed += 1;
                let id = item["id"].as_str().unwrap_or_default();
                let outcome = self.log.outcome(id);
                if !self.log.requests.contains_key(id) || item["outcome"] != *outcome.unwrap_or(&Value::Null) {
                    self.violations.push(Violation::wrong(format!("the list has {item}, and the log {outcome:?}")));
                }
            }
            match body["next"].as_str() {
                Some(next) => page = format!("&cursor={next}"),
                None => break,
            }
        }
        if listed != self.log.requests.len() {
            let what = format!("{listed} requests are listed, and {} are in the log", self.log.requests.len());
            self.violations.push(Violation::lost(what));
        }
        Ok(())
    }
}

/// The request whose outcome a verdict claims to have made.
fn counted(verdict: &Verdict) -> Option<&str> {
    match verdict {
        Verdict::Counted(outcome) => outcome["id"].as_str(),
        Verdict::Unknown | Verdict::Late(_) => None,
    }
}

/// Whether the stored outcome of the same request is the one that is looked for.
fn is_stored_by(log: &StoredLog, outcome: &Value, is_it: impl Fn(&Value) -> bool) -> bool {
    outcome["id"].as_str().and_then(|id| log.outcome(id)).is_some_and(is_it)
}
