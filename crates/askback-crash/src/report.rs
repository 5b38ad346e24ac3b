//! The report: what the campaign did and found, as JSON and as text.

use crate::counters::{Counter, Counters, Port};
use crate::violation::{Breach, Violation};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// The moment at which the hub is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Moment {
    /// While nobody writes.
    Idle,
    /// At any time under load.
    AnyTime,
    /// Right after an acknowledgement has arrived.
    AfterAcknowledgement,
    /// Right after a call was sent.
    AfterSend,
    /// While it starts.
    Startup,
}

impl Moment {
    /// Its name in the report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::AnyTime => "any time under load",
            Self::AfterAcknowledgement => "after an acknowledgement",
            Self::AfterSend => "after a call was sent",
            Self::Startup => "during startup",
        }
    }
}

/// What became of a disk that failed for a while.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiskFault {
    /// The error, such as `EIO`.
    pub error: &'static str,
    /// The calls that failed: `write` or `sync`.
    pub calls: &'static str,
    /// How many calls failed.
    pub failed_calls: u64,
    /// What the hub did when the fault was over.
    pub afterwards: &'static str,
}

/// A control: the checker over a store that was damaged on purpose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Control {
    /// The damage.
    pub damage: &'static str,
    /// What the checker must call it.
    pub expected: Breach,
    /// The first violation of that kind that it found, if any.
    pub noticed: Option<String>,
}

/// What a campaign did and found.
#[derive(Debug)]
pub struct Report {
    /// The seed of its choices.
    pub seed: u64,
    /// How often the hub was killed, by the moment.
    pub kills: BTreeMap<Moment, u64>,
    /// Requests that were acknowledged, by port.
    pub creations: BTreeMap<Port, u64>,
    /// Answers, rejections and cancellations that were acknowledged, by port.
    pub endings: BTreeMap<Port, u64>,
    /// Requests that several people ended at once.
    pub contested: u64,
    /// Other counts, by name.
    pub counts: Vec<(&'static str, u64)>,
    /// The times from the start of the process to the first answer, sorted.
    pub restarts: Vec<Duration>,
    /// The disk faults.
    pub disk_faults: Vec<DiskFault>,
    /// The controls.
    pub controls: Vec<Control>,
    /// Everything that is wrong.
    pub violations: Vec<Violation>,
}

impl Report {
    /// The report of a campaign that has not begun.
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            seed,
            kills: BTreeMap::new(),
            creations: BTreeMap::new(),
            endings: BTreeMap::new(),
            contested: 0,
            counts: Vec::new(),
            restarts: Vec::new(),
            disk_faults: Vec::new(),
            controls: Vec::new(),
            violations: Vec::new(),
        }
    }

    pub(crate) fn set_counters(&mut self, counters: &Counters) {
        let by_port = |counts: &[Counter; 3]| -> BTreeMap<Port, u64> {
            Port::ALL.map(|port| (port, counts[port as usize].get())).into()
        };
        (self.creations, self.endings) = (by_port(&counters.creations), by_port(&counters.endings));
        self.counts.extend([
            ("endings refused as late, with the outcome that counts", counters.late.get()),
            ("replies lost", counters.replies_lost.get()),
            ("calls repeated", counters.retries.get()),
            ("event streams resumed", counters.streams_resumed.get()),
            ("rooms opened again", counters.rooms_reopened.get()),
            ("waits that ended with an outcome", counters.waits_ended.get()),
            ("deliveries acknowledged", counters.deliveries.get()),
            ("outcomes given to MCP clients", counters.mcp_results.get()),
            ("MCP clients killed", counters.mcp_kills.get()),
        ]);
    }

    /// The number of kills.
    pub fn all_kills(&self) -> u64 {
        self.kills.values().sum()
    }

    /// The number of violations of a kind.
    pub fn count(&self, breach: Breach) -> usize {
        self.violations.iter().filter(|violation| violation.breach == breach).count()
    }

    /// Whether nothing is wrong, and every control was noticed.
    pub fn is_good(&self) -> bool {
        self.violations.is_empty() && self.controls.iter().all(|control| control.noticed.is_some())
    }

    /// The restart time that so many of a hundred do not exceed.
    fn restart_ms(&self, percent: usize) -> f64 {
        let index = (self.restarts.len() * percent / 100).min(self.restarts.len().saturating_sub(1));
        let time = self.restarts.get(index).copied().unwrap_or_default();
        (time.as_secs_f64() * 10_000.0).round() / 10.0
    }

    /// The report as JSON.
    pub fn to_json(&self) -> Value {
        let named = |counts: Vec<(&str, u64)>| {
            Value::Object(counts.into_iter().map(|(name, count)| (name.to_owned(), count.into())).collect())
        };
        let by_port = |counts: &BTreeMap<Port, u64>| named(counts.iter().map(|(port, n)| (port.name(), *n)).collect());
        let faults = self.disk_faults.iter().map(|fault| {
            json!({"error": fault.error, "calls": fault.calls, "failedCalls": fault.failed_calls, "afterwards": fault.afterwards})
        });
        let controls = self.controls.iter();
        let controls = controls.map(|control| json!({"damage": control.damage, "noticed": control.noticed}));
        json!({
            "seed": self.seed,
            "kills": self.all_kills(),
            "killsByMoment": named(self.kills.iter().map(|(moment, count)| (moment.name(), *count)).collect()),
            "requestsAcknowledged": by_port(&self.creations),
            "endingsAcknowledged": by_port(&self.endings),
            "contestedRequests": self.contested,
            "counts": named(self.counts.clone()),
            "restartMs": {"median": self.restart_ms(50), "p95": self.restart_ms(95), "max": self.restart_ms(100)},
            "diskFaults": faults.collect::<Vec<_>>(),
            "controls": controls.collect::<Vec<_>>(),
            "lost": self.count(Breach::Lost),
            "doubled": self.count(Breach::Doubled),
            "wrong": self.count(Breach::Wrong),
            "violations": self.violations.iter().map(Violation::to_string).collect::<Vec<_>>(),
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {}: {} SIGKILLs", self.seed, self.all_kills())?;
        for (moment, count) in &self.kills {
            writeln!(f, "  {count} {}", moment.name())?;
        }
        for (what, counts) in [("requests", &self.creations), ("endings", &self.endings)] {
            let ports: Vec<String> = counts.iter().map(|(port, count)| format!("{} {count}", port.name())).collect();
            writeln!(f, "{what} acknowledged: {} ({})", counts.values().sum::<u64>(), ports.join(", "))?;
        }
        writeln!(f, "requests that several ended at once: {}", self.contested)?;
        for (name, count) in &self.counts {
            writeln!(f, "{name}: {count}")?;
        }
        let [median, p95, max] = [50, 95, 100].map(|percent| self.restart_ms(percent));
        writeln!(f, "restart to the first answer: median {median} ms, p95 {p95} ms, max {max} ms")?;
        for DiskFault { error, calls, failed_calls, afterwards } in &self.disk_faults {
            writeln!(f, "disk fault {error} on {calls}: {failed_calls} calls failed; {afterwards}")?;
        }
        for Control { damage, noticed, .. } in &self.controls {
            writeln!(f, "control, {damage}: {}", noticed.as_deref().unwrap_or("NOT NOTICED"))?;
        }
        for violation in &self.violations {
            writeln!(f, "{violation}")?;
        }
        let [lost, doubled, wrong] = [Breach::Lost, Breach::Doubled, Breach::Wrong].map(|breach| self.count(breach));
        write!(f, "{lost} lost, {doubled} doubled, {wrong} wrong")
    }
}
