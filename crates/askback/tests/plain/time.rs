//! How long there is, told in lines.

use super::{Plain, Way};

// Q10, L4, Q8
#[test]
fn time_is_told_and_warned_of_once_and_then_it_is_over() {
    let mut plain = Plain::answered(Way::Flag, &["text", "Name?", "--timeout", "10"]);
    plain.invited();
    assert!(
        plain.text().starts_with("Time: 0:10 left; without an answer this request expires.\n\nName?\n"),
        "{}",
        plain.text()
    );
    plain.typed("hal");
    plain.wait_for("> hal\n0:01 left: without an answer this request expires.\n>");
    plain.wait_for("status 124 <>");
    plain.ends_with(0);
    let text = plain.text();
    assert_eq!(text.matches("left: without an answer this request expires").count(), 1, "{text}");
    assert!(text.ends_with("\n>\nno: Name? nobody answered within 10s\nstatus 124 <>"), "{text}");
}

// Q10, L4, F1
#[test]
fn what_was_typed_before_the_warning_is_kept() {
    let mut plain = Plain::answered(Way::Flag, &["text", "Name?", "--timeout", "10"]);
    plain.typed("Ad");
    plain.wait_for("> Ad\n0:01 left");
    plain.line("a");
    plain.wait_for("status 0 <Ada>");
}

// Q10, L4, L5
#[test]
fn silence_uses_only_a_declared_default() {
    let mut plain = Plain::answered(Way::Flag, &["confirm", "Deploy?", "--timeout", "1"]);
    plain.wait_for("no: Deploy? nobody answered within 1s\nstatus 124 <>");
    assert!(!plain.text().contains("0:00 left"), "what is over is not warned of: {}", plain.text());
    let default = ["choice", "Which?", "a", "b", "--timeout", "1", "--default", "b", "--header", "X"];
    let mut plain = Plain::answered(Way::Variable, &default);
    plain.wait_for("no: X: nobody answered within 1s; the default is used: b\nstatus 0 <b>");
    assert!(plain.text().contains("Time: 0:01 left; without an answer the default is used: b."), "{}", plain.text());
    let mut plain = Plain::answered(Way::DumbTerminal, &["confirm", "Deploy?", "--timeout", "1", "--default", "no"]);
    plain.wait_for("the default is used: no\nstatus 1 <no>");
}

// Q10, L4, S6
#[test]
fn what_was_half_typed_when_time_ran_out_is_nobody_s() {
    let mut plain = Plain::shell("askback text 'Name?' --timeout 1; read -r line; echo \"the next gets <$line>\"");
    plain.wait_for("\n>");
    plain.keys("rm -rf x");
    plain.wait_for("nobody answered within 1s");
    plain.settle(super::millis(50));
    plain.keys("y\r");
    plain.wait_for("the next gets <y>");
    plain.ends_with(0);
}
