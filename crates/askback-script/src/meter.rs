//! CPU time of a script: counted while it runs, never while it waits.

use crate::ended::Ended;
use crate::limits::Limits;
use rustix::time::{ClockId, clock_gettime};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Read by the script's interrupt handler, which may not lock anything. Written by one thread at a time, but for `over`.
#[derive(Debug)]
pub(crate) struct Meter {
    /// Nanoseconds in all turns before this one.
    used: AtomicU64,
    /// The worker's clock when this turn began.
    began: AtomicU64,
    over: AtomicU8,
    cpu: Duration,
    cpu_at_once: Duration,
}

/// Why a script must not go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Over {
    Told = 1,
    AtOnce = 2,
    InAll = 3,
}

impl Meter {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            used: AtomicU64::new(0),
            began: AtomicU64::new(0),
            over: AtomicU8::new(0),
            cpu: limits.cpu,
            cpu_at_once: limits.cpu_at_once,
        }
    }

    /// A turn begins, on this thread.
    pub(crate) fn begin(&self) {
        self.began.store(thread_nanoseconds(), Relaxed);
    }

    /// The turn ends, on the same thread.
    pub(crate) fn end(&self) {
        self.used.store(self.used.load(Relaxed) + self.turn_nanoseconds(), Relaxed);
    }

    /// CPU time in this turn.
    pub(crate) fn turn(&self) -> Duration {
        Duration::from_nanos(self.turn_nanoseconds())
    }

    /// Whether the script must stop. Once it must, that stays.
    pub(crate) fn is_over(&self) -> bool {
        if self.over.load(Relaxed) != 0 {
            return true;
        }
        let turn = self.turn();
        let over = if turn > self.cpu_at_once {
            Over::AtOnce
        } else if turn + Duration::from_nanos(self.used.load(Relaxed)) > self.cpu {
            Over::InAll
        } else {
            return false;
        };
        self.set(over);
        true
    }

    /// Somebody else ends the script, from any thread.
    pub(crate) fn tell(&self) {
        self.set(Over::Told);
    }

    fn over(&self) -> Option<Over> {
        match self.over.load(Relaxed) {
            1 => Some(Over::Told),
            2 => Some(Over::AtOnce),
            3 => Some(Over::InAll),
            _ => None,
        }
    }

    /// How a script ends that had to stop.
    pub(crate) fn ended(&self) -> Option<Ended> {
        Some(Ended::Limit(match self.over()? {
            Over::AtOnce => format!("it ran for {} ms of CPU time without a pause", self.cpu_at_once.as_millis()),
            Over::InAll => format!("it used {} ms of CPU time", self.cpu.as_millis()),
            // The caller of `tell` has said why, before.
            Over::Told => "it was stopped".to_owned(),
        }))
    }

    fn set(&self, over: Over) {
        // The first reason is the one that is told.
        let _ = self.over.compare_exchange(0, over as u8, Relaxed, Relaxed);
    }

    fn turn_nanoseconds(&self) -> u64 {
        thread_nanoseconds().saturating_sub(self.began.load(Relaxed))
    }
}

/// CPU time of this thread: a machine that is busy with other things must not fail a script.
fn thread_nanoseconds() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    u64::try_from(time.tv_sec).unwrap_or(0) * 1_000_000_000 + u64::try_from(time.tv_nsec).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{Meter, Over};
    use crate::limits::Limits;
    use std::time::Duration;

    // S3
    #[test]
    fn waiting_costs_nothing_and_working_does() {
        let limits = Limits { cpu_at_once: Duration::from_millis(20), ..Limits::default() };
        let meter = Meter::new(&limits);
        meter.begin();
        std::thread::sleep(Duration::from_millis(60));
        assert!(!meter.is_over());
        while !meter.is_over() {}
        assert_eq!(meter.over(), Some(Over::AtOnce));
        meter.tell();
        assert_eq!(meter.over(), Some(Over::AtOnce), "the first reason stays");
    }

    // S3
    #[test]
    fn turns_add_up() {
        let limits = Limits { cpu: Duration::from_millis(20), ..Limits::default() };
        let meter = Meter::new(&limits);
        while meter.over().is_none() {
            meter.begin();
            while meter.turn() < Duration::from_millis(5) && !meter.is_over() {}
            meter.end();
        }
        assert_eq!(meter.over(), Some(Over::InAll));
    }
}
