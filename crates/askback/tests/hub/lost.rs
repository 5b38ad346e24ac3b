//! A write-ahead log that is removed while no hub runs: commands and the doctor say which events are gone.

use crate::ASKBACK;
use askback_testkit::home::{Home, printed, said};
use askback_testkit::wait::wait_until;

// L2
#[test]
fn lost_events_are_told_by_commands_and_the_doctor_until_the_person_decides() {
    let home = Home::with_hub(ASKBACK);
    home.ask(r#"{"type": "confirm", "message": "Deploy?", "room": "shop"}"#);
    let mark = home.data().join("askback.db.mark");
    wait_until("the mark is written", || std::fs::read_to_string(&mark).is_ok_and(|mark| mark.trim().ends_with(" 1")));
    home.kill_hub();
    std::fs::remove_file(home.data().join("askback.db-wal")).unwrap();
    let mut refused = home.run(&["list"]);
    // A command that comes while the hub it has started ends may find it unreachable, and not hear why.
    wait_until("the hub says why it does not start", || {
        if said(&refused).contains("can't be reached") {
            refused = home.run(&["list"]);
            return false;
        }
        true
    });
    assert!(!refused.status.success() && said(&refused).contains("has lost the events 1 to 1"), "{}", said(&refused));
    let doctor = home.run(&["doctor"]);
    assert_eq!(doctor.status.code(), Some(1));
    assert!(printed(&doctor).contains("has lost the events 1 to 1"), "{}", printed(&doctor));
    std::fs::remove_file(mark).unwrap();
    assert!(home.run(&["list"]).status.success());
    assert!(home.run(&["doctor"]).status.success());
}
