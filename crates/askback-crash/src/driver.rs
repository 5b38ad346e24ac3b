//! The thread that drives the campaign: its chance, what it has compared, and its report.

use crate::Failure;
use crate::api::HubApi;
use crate::check::Checker;
use crate::clients::follower::Followed;
use crate::clients::room;
use crate::hub::{Hub, HubProgram};
use crate::load::Load;
use crate::random::Random;
use crate::report::Report;
use crate::violation::Violation;

/// The room of everything.
pub(crate) const INBOX: &str = "/sync/@inbox";

/// Newest outcomes that are looked for in a room.
const OUTCOMES_IN_ROOM: usize = 50;

pub(crate) struct Driver {
    pub(crate) random: Random,
    pub(crate) checker: Checker,
    pub(crate) report: Report,
}

impl Driver {
    /// Starts the hub, and notes how long it took to answer.
    pub(crate) fn restart(&mut self, program: &HubProgram) -> Result<Hub, Failure> {
        let (hub, took) = program.start()?;
        self.report.restarts.push(took);
        Ok(hub)
    }

    /// Compares what was acknowledged since the last check.
    pub(crate) fn check_changes(&mut self, load: &Load) -> Result<(), Failure> {
        self.checker.check_changes(&load.api, &load.person.secret, &load.ledger)
    }

    /// Compares everything, once nobody writes any more.
    pub(crate) fn compare_everything(&mut self, load: &Load, followed: &Followed) -> Result<(), Failure> {
        // The clients' own calls end by now.
        let api = HubApi::new(load.api.address);
        self.checker.check_all(&api, &load.person.secret, &load.ledger)?;
        let stored = &self.checker.log.events;
        for (index, (name, id)) in followed.events.iter().enumerate() {
            if stored.get(index).is_none_or(|event| event.name != *name || event.id != *id) {
                let what = format!("event {} was told as {name} of {id}, and is {:?}", index + 1, stored.get(index));
                self.checker.violations.push(Violation::wrong(what));
            }
        }
        let document = room::read_document(load, INBOX, &load.person)?;
        let mut ended: Vec<_> =
            self.checker.log.requests.values().filter_map(|request| request.ended.as_ref()).collect();
        ended.sort_by_key(|(number, _)| std::cmp::Reverse(*number));
        for (number, outcome) in ended.into_iter().take(OUTCOMES_IN_ROOM) {
            let Some(response) = outcome["response"].as_str() else { continue };
            if !document.windows(response.len()).any(|bytes| bytes == response.as_bytes()) {
                let what = format!("the room does not show the outcome of event {number}: {outcome}");
                self.checker.violations.push(Violation::lost(what));
            }
        }
        Ok(())
    }

    /// The report, once everything was compared.
    pub(crate) fn finish(mut self, load: &Load) -> Report {
        let asks = load.ledger.get(0..load.ledger.len());
        let contested = asks.values().filter(|ask| {
            let first = ask.endings.first().map(|ending| &ending.by);
            ask.endings.iter().any(|ending| Some(&ending.by) != first)
        });
        self.report.contested = contested.count() as u64;
        self.report.set_counters(&load.api.counters);
        self.report.counts.push(("events stored", self.checker.log.events.len() as u64));
        self.report.restarts.sort();
        self.report.violations = self.checker.violations;
        self.report
    }
}
