//! The controls: copies of the store are damaged, each in one way that must never happen, and the checker must notice.

use crate::Failure;
use crate::api::HubApi;
use crate::check::Checker;
use crate::hub::{HubProgram, copy_data, free_address};
use crate::ledger::{Action, Repeats, Verdict};
use crate::load::Load;
use crate::report::Control;
use crate::violation::{Breach, Violation};
use rusqlite::Connection;
use std::path::Path;

/// The database in a data directory.
const DATABASE: &str = "askback.db";

/// A damage: SQL in which `REQUEST` stands for the number of a request whose answer was acknowledged.
struct Damage {
    what: &'static str,
    expected: Breach,
    sql: &'static str,
}

const DAMAGES: [Damage; 5] = [
    Damage {
        what: "an acknowledged request is removed",
        expected: Breach::Lost,
        sql: "DELETE FROM events WHERE request = REQUEST; DELETE FROM requests WHERE number = REQUEST;",
    },
    Damage {
        what: "an acknowledged answer is removed",
        expected: Breach::Lost,
        sql: "DELETE FROM events WHERE request = REQUEST AND status <> 0;
              UPDATE requests SET status = 0, ended = NULL WHERE number = REQUEST;",
    },
    Damage {
        what: "an acknowledged answer is changed",
        expected: Breach::Wrong,
        sql: "UPDATE events SET outcome = replace(outcome, 'answer ', 'another ') WHERE request = REQUEST AND status <> 0;",
    },
    Damage {
        what: "a request is stored twice",
        expected: Breach::Doubled,
        sql: "CREATE TEMP TABLE next AS SELECT max(number) + 1 AS number FROM events;
              INSERT INTO requests
                  SELECT (SELECT number FROM next), CAST(substr(id, 1, 14) || randomblob(2) AS BLOB), room, asker, 0, NULL, created_at, deadline,
                  waited_at, delivered_at, NULL, NULL, request FROM requests WHERE number = REQUEST;
              INSERT INTO events (number, request, status, at, by)
                  SELECT (SELECT number FROM next), (SELECT number FROM next), 0, at, by FROM events
                  WHERE request = REQUEST AND status = 0;",
    },
    Damage {
        what: "a request has a second outcome",
        expected: Breach::Doubled,
        sql: "DROP INDEX events_once;
              INSERT INTO events (number, request, status, at, by, outcome)
                  SELECT (SELECT max(number) + 1 FROM events), request, status, at, by, outcome FROM events
                  WHERE request = REQUEST AND status <> 0;",
    },
];

/// Damages copies of a data directory whose hub does not run.
pub(crate) fn run(
    program: &HubProgram,
    folder: &Path,
    load: &Load,
    checked: &Checker,
) -> Result<Vec<Control>, Failure> {
    let target = acknowledged_answer(load, checked).ok_or("no answer was acknowledged: there is nothing to damage")?;
    let mut controls = Vec::new();
    for (number, damage) in DAMAGES.iter().enumerate() {
        let data = folder.join(format!("control-{number}"));
        copy_data(&program.data, &data)?;
        make(&data, damage, target)?;
        // The hub refuses to start where the mark names an event that is gone: the checker must notice by itself.
        let _ = std::fs::remove_file(data.join(format!("{DATABASE}.mark")));
        let address = free_address(number as u64)?;
        let copy = HubProgram { data, address, environment: Vec::new(), ..program.clone() };
        let (hub, _) = copy.start()?;
        let mut checker = Checker::default();
        checker.check_all(&HubApi::new(address), &load.person.secret, &load.ledger)?;
        hub.kill()?;
        // What was wrong before is no success of the control.
        let is_new = |violation: &&Violation| !checked.violations.contains(violation);
        let mut found = checker.violations.iter().filter(is_new);
        let noticed = found.find(|violation| violation.breach == damage.expected).map(Violation::to_string);
        controls.push(Control { damage: damage.what, expected: damage.expected, noticed });
    }
    Ok(controls)
}

/// The number of a request whose answer was acknowledged over HTTP, and that may be there only once.
fn acknowledged_answer(load: &Load, checked: &Checker) -> Option<usize> {
    let asks = load.ledger.get(0..load.ledger.len());
    let once = asks.into_values().filter(|ask| ask.repeats != Repeats::Attaching);
    let endings = once.flat_map(|ask| ask.endings);
    let mut counted =
        endings.filter(|ending| ending.action == Action::Answer).filter_map(|ending| match ending.verdict {
            Verdict::Counted(outcome) => outcome["id"].as_str().map(str::to_owned),
            Verdict::Unknown | Verdict::Late(_) => None,
        });
    counted.find_map(|id| checked.log.requests.get(&id).map(|request| request.created))
}

fn make(data: &Path, damage: &Damage, target: usize) -> Result<(), Failure> {
    let database = Connection::open(data.join(DATABASE))?;
    let sql = damage.sql.replace("REQUEST", &target.to_string());
    database.execute_batch(&sql).map_err(|error| format!("{}: {error}", damage.what))?;
    Ok(())
}

/// Has SQLite check the whole database of a data directory.
pub(crate) fn integrity(data: &Path) -> Result<Option<Violation>, Failure> {
    let database = Connection::open(data.join(DATABASE))?;
    let found: String = database.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
    Ok((found != "ok").then(|| Violation::wrong(format!("the database is damaged: {found}"))))
}
