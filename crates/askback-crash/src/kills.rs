//! The kills: when they come, and what follows on each.

use crate::Failure;
use crate::driver::Driver;
use crate::hub::{Hub, HubProgram};
use crate::load::Load;
use crate::report::Moment;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The moments of kills, as often as they stand here.
const MOMENTS: [Moment; 10] = [
    Moment::AnyTime,
    Moment::AnyTime,
    Moment::AnyTime,
    Moment::AfterAcknowledgement,
    Moment::AfterAcknowledgement,
    Moment::AfterSend,
    Moment::AfterSend,
    Moment::Idle,
    Moment::Startup,
    Moment::Startup,
];

/// The longest wait for a moment.
const MOMENT_PATIENCE: Duration = Duration::from_secs(2);

/// Violations after which a campaign ends early.
const ENOUGH_VIOLATIONS: usize = 20;

/// Kills between two respites.
const RESPITE: u64 = 25;

/// How long a respite lasts at least: a call of an MCP client waits for a second.
const RESPITE_TIME: Duration = Duration::from_millis(1_500);

/// How long it lasts at most.
const RESPITE_PATIENCE: Duration = Duration::from_secs(20);

/// Kills between two lines of progress.
const PROGRESS: u64 = 100;

/// Lets clients end what takes longer than the time between two kills, such as opening a large room on a busy machine.
fn let_clients_finish(load: &Load) {
    load.asking.pause();
    let start = Instant::now();
    sleep(RESPITE_TIME);
    while load.has_jobs() && start.elapsed() < RESPITE_PATIENCE {
        sleep(Duration::from_millis(10));
    }
    load.asking.resume();
}

impl Driver {
    /// Kills the hub so many times at least, and compares what has changed after every restart.
    pub(crate) fn kill_repeatedly(
        &mut self,
        program: &HubProgram,
        mut hub: Hub,
        load: &Load,
        kills: u64,
    ) -> Result<Hub, Failure> {
        let (mut printed, mut respites) = (0, 0);
        while self.report.all_kills() < kills && self.checker.violations.len() < ENOUGH_VIOLATIONS {
            load.check_clients()?;
            let moment = *self.random.pick(&MOMENTS);
            self.wait_for(moment, load);
            hub.kill()?;
            load.asking.resume();
            load.answering.resume();
            if moment == Moment::Startup {
                self.count(Moment::AnyTime);
                hub = program.spawn()?;
                sleep(self.random.micros(0, 25_000));
                hub.kill()?;
            }
            self.count(moment);
            hub = self.restart(program)?;
            self.check_changes(load)?;
            if self.report.all_kills() / RESPITE > respites {
                respites = self.report.all_kills() / RESPITE;
                let_clients_finish(load);
            }
            if self.report.all_kills() / PROGRESS > printed {
                printed = self.report.all_kills() / PROGRESS;
                println!("{} kills, {} asked", self.report.all_kills(), load.ledger.len());
            }
        }
        Ok(hub)
    }

    fn count(&mut self, moment: Moment) {
        *self.report.kills.entry(moment).or_default() += 1;
    }

    fn wait_for(&mut self, moment: Moment, load: &Load) {
        match moment {
            Moment::AnyTime | Moment::Startup => sleep(self.random.micros(1_000, 300_000)),
            Moment::Idle => {
                load.asking.pause();
                load.answering.pause();
                sleep(self.random.micros(40_000, 120_000));
            }
            Moment::AfterAcknowledgement => {
                let count = 1 + self.random.below(60) as u64;
                load.ledger.wait_for_acknowledgements(count, MOMENT_PATIENCE);
            }
            Moment::AfterSend => {
                let (start, sent) = (Instant::now(), load.api.sent() + 1 + self.random.below(60) as u64);
                while load.api.sent() < sent && start.elapsed() < MOMENT_PATIENCE {
                    std::thread::yield_now();
                }
                sleep(self.random.micros(0, 800));
            }
        }
    }
}
