//! What a terminal makes of keys: ends of lines that are no lines, its own editing, and lines that can't be taken.

use super::{CONTROL_C, CONTROL_D, Plain, Way, millis};

// Q10, Q4, L5, S6
#[test]
fn control_c_and_control_d_cancel() {
    for (keys, shown) in [(CONTROL_C, "> ^C"), (CONTROL_D, ">"), ("half\x03", "> half^C"), ("half\x04", "> half")] {
        for way in [Way::Flag, Way::DumbTerminal] {
            let mut plain = Plain::answered(way, &["text", "Commit message?", "--header", "Commit"]);
            plain.typed(keys);
            plain.wait_for("status 130 <>");
            plain.ends_with(0);
            let end = format!("\n{shown}\nno: Commit: cancelled\nstatus 130 <>");
            assert!(plain.text().ends_with(&end), "{keys:?}: {}", plain.text());
        }
    }
}

// Q10, S6
#[test]
fn control_c_is_a_line_and_no_signal_to_those_beside_us() {
    let mut plain = Plain::shell("trap 'echo caught' INT; askback text 'Name?' | cat; echo status ${PIPESTATUS[@]}");
    plain.typed(CONTROL_C);
    plain.wait_for("status 130 0");
    plain.ends_with(0);
    assert!(!plain.text().contains("caught"), "{}", plain.text());
}

// Q10, S6
#[test]
fn the_terminal_has_every_setting_it_had() {
    for keys in ["Ada\r", CONTROL_C, CONTROL_D] {
        let mut plain = Plain::shell("before=$(stty -g); askback text 'Name?'; test \"$before\" = \"$(stty -g)\"");
        plain.typed(keys);
        plain.ends_with(0);
    }
}

// Q10
#[test]
fn the_terminal_edits_its_lines_itself() {
    let mut plain = Plain::askback(&["text", "Name?"]);
    // Ctrl+U, Backspace, and Ctrl+W, as everywhere else.
    plain.typed("nobody\x15Zoée\x7f\x7fë my name\x17\x17\r");
    plain.ends_with(0);
    assert!(plain.text().ends_with("\nok: Name? Zoë\nZoë"), "{}", plain.text());
}

// Q10, F14
#[test]
fn arrows_and_escapes_are_no_text() {
    let mut plain = Plain::askback(&["text", "Name?"]);
    plain.line("Ada\x1b[D\x1b");
    plain.wait_for("> Ada^[[D^[");
    plain.invited();
    assert!(plain.text().contains("please give"), "{}", plain.text());
    plain.line("Ada");
    plain.ends_with(0);
}

// Q10, S3
#[test]
fn a_line_that_the_terminal_would_cut_is_refused() {
    let mut plain = Plain::askback(&["text", "Why?"]);
    plain.line(&"x".repeat(5_000));
    plain.wait_for("takes no more than 4095 bytes in a line, so the end may be missing; type less");
    plain.line(&"ä".repeat(2_048));
    plain.wait_until("it is refused again", |screen| screen.text().matches("takes no more than").count() == 2);
    plain.line("because");
    plain.ends_with(0);
    assert!(plain.text().ends_with("\nok: Why? because\nbecause"), "{}", plain.text());
}

// Q10, S3, F1
#[test]
fn the_longest_line_there_is_arrives_whole() {
    let line = format!("{}end", "x".repeat(4_091));
    let mut plain = Plain::answered(Way::Flag, &["text", "Why?"]);
    plain.line(&line);
    plain.wait_for("status 0 <x");
    plain.ends_with(0);
    let text = plain.text().replace('\n', "");
    assert!(text.ends_with(&format!("status 0 <{line}>")), "{text}");
}

// Q10, F15
#[test]
fn a_line_that_is_no_text_is_refused() {
    // A terminal that takes bytes for letters: Backspace leaves half of one.
    let mut plain = Plain::shell("stty -iutf8; askback text 'Name?'");
    plain.typed("Zoé\x7f\r");
    plain.wait_for("his line is not UTF-8 text; type it again");
    plain.line("Zoe");
    plain.ends_with(0);
    assert!(plain.text().ends_with("\nok: Name? Zoe\nZoe"), "{}", plain.text());
}

// Q10, F2
#[test]
fn lines_pasted_into_a_text_of_many_are_all_there() {
    let lines: Vec<String> = (1..=60).map(|number| format!("line {number} of what was pasted")).collect();
    let mut plain = Plain::answered(Way::Flag, &["multiline", "What changed?"]);
    plain.typed(&format!("{}\r.\r", lines.join("\r")));
    plain.wait_for("status 0 <");
    plain.settle(millis(50));
    let text = plain.history();
    assert!(text.ends_with(&format!("status 0 <{}>", lines.join("\n"))), "{text}");
}
