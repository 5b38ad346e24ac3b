//! A short crash campaign: `cargo xtask torture kills` runs the same for longer.

use askback_crash::{Options, Port, run};

/// Enough for several moments of kills; the campaign of a thousand has them all.
const KILLS: u64 = 16;

// L1, L2, L3, L6
#[test]
fn acknowledged_requests_and_outcomes_survive_kills_and_disk_faults() {
    let program = env!("CARGO_BIN_EXE_askback").into();
    let report = run(&Options { program, kills: KILLS, disk_fault_rounds: 1, seed: 1 });
    let report = report.unwrap_or_else(|error| panic!("{error}"));
    println!("{report}");
    assert!(report.is_good(), "{report}");
    assert!(report.all_kills() >= KILLS);
    assert!(report.creations[&Port::Http] > 0 && report.creations[&Port::Mcp] > 0, "{report}");
    assert!(report.endings[&Port::Http] > 0 && report.endings[&Port::Room] > 0 && report.contested > 0, "{report}");
    assert_eq!(report.controls.len(), 5, "{report}");
}
