//! What `cargo xtask torture power` runs on a disk that loses its power.
//!
//! `power write <database> <run>` asks and answers until it is killed, and says what was acknowledged. `power check
//! <database> <ledger>` reads a file of what was said, and says what of it is not true of the database; `power check-lost`
//! does so for a database that may have lost events, which a hub refuses to open while its mark is there.

use acknowledged::Failure;
use acknowledged::check::check;
use acknowledged::clients::{Says, work};
use acknowledged::ledger::{Ledger, Line};
use std::path::Path;

#[path = "../tests/acknowledged/mod.rs"]
#[expect(dead_code, reason = "the tests that kill a hub use all of it")]
mod acknowledged;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match *words {
        ["write", database, run] => work(Path::new(database), run, Says::Truly, usize::MAX),
        [check_or_lost @ ("check" | "check-lost"), database, said] => {
            let mut ledger = Ledger::default();
            for line in std::fs::read_to_string(said)?.lines() {
                ledger.note(&Line::parse(line)?)?;
            }
            let acknowledged = ledger.acknowledged();
            if check_or_lost == "check-lost" {
                // There is none before its first second.
                let _ = std::fs::remove_file(format!("{database}.mark"));
            }
            for fault in check(Path::new(database), &mut ledger)?.faults {
                println!("{fault}");
            }
            println!("checked: {acknowledged}");
            Ok(())
        }
        _ => Err("power write <database> <run>, or power check[-lost] <database> <ledger>".into()),
    }
}
