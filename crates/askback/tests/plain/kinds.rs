//! Every kind by its command: a line that would not pass is explained, and the next one is the answer.

use super::{Plain, Way};
use askback_core::kind::KINDS;

/// A command, a line it refuses, what it says to that, the lines it takes, and what comes of them.
struct Case {
    kind: &'static str,
    command: &'static [&'static str],
    refused: (&'static [&'static str], &'static str),
    lines: &'static [&'static str],
    answer: &'static str,
    status: i32,
}

const CASES: &[Case] = &[
    Case {
        kind: "approval",
        command: &["approve", "Delete 3 files?"],
        refused: (&["yes"], "\nType a or 1 to approve, r or 2 to reject, then Enter.\n> "),
        lines: &["a"],
        answer: "approve",
        status: 0,
    },
    Case {
        kind: "approval",
        command: &["approve", "Delete 3 files?", "--labels", "Delete", "Keep"],
        refused: (&[""], "\nType a or 1 to approve, r or 2 to reject, then Enter.\n> "),
        lines: &["R"],
        answer: "reject",
        status: 1,
    },
    Case {
        kind: "confirm",
        command: &["confirm", "Deploy?"],
        refused: (&["1 2"], "\nType y or 1 for yes, n or 2 for no, then Enter.\n> "),
        lines: &["n"],
        answer: "no",
        status: 1,
    },
    Case {
        kind: "choice",
        command: &["choice", "Which database?", "PostgreSQL", "SQLite", "--other"],
        refused: (&["4"], "There is no option 4; type a number from 1 to 3."),
        lines: &["2"],
        answer: "SQLite",
        status: 0,
    },
    Case {
        kind: "choice",
        command: &["choice", "Which database?", "PostgreSQL", "SQLite", "--other"],
        refused: (&["Redis"], "\"Redis\" is none of them; type a number from 1 to 3."),
        lines: &["3", "Redis"],
        answer: "Redis",
        status: 0,
    },
    Case {
        kind: "choice",
        command: &["choice", "Which features?", "A", "B", "C", "--multi"],
        refused: (&["2 2"], "\"B\" is selected twice; please give each option at most once."),
        lines: &["3 1"],
        answer: "C, A",
        status: 0,
    },
    Case {
        kind: "dropdown",
        command: &["dropdown", "Where?", "Amsterdam", "Berlin", "Paris"],
        refused: (&["xyz"], "Nothing matches \"xyz\"; type a number from 1 to 3, or some letters to search."),
        lines: &["er", "2"],
        answer: "Berlin",
        status: 0,
    },
    Case {
        kind: "text",
        command: &["text", "Name?", "--max-length", "6"],
        refused: (&["too long"], "8 characters are too many; please give at most 6 characters."),
        lines: &["  Zoë"],
        answer: "  Zoë",
        status: 0,
    },
    Case {
        kind: "multiline",
        command: &["multiline", "What changed?", "--max-length", "10"],
        refused: (&["far too long", "."], "12 characters are too many; please give at most 10 characters"),
        lines: &["/clear", "one", "", "..", "two", "."],
        answer: "one\n\n.\ntwo",
        status: 0,
    },
    Case {
        kind: "number",
        command: &["number", "How many?", "--min", "1", "--max", "5", "--integer"],
        refused: (&["9"], "9 is too large; please give a whole number from 1 to 5."),
        lines: &[" 3e0 "],
        answer: "3",
        status: 0,
    },
    Case {
        kind: "email",
        command: &["email", "Whom to tell?", "--domain", "example.com"],
        refused: (&["ada"], "\"ada\" is not an email address; please give an address such as name@example.com."),
        lines: &["ada@example.com"],
        answer: "ada@example.com",
        status: 0,
    },
    Case {
        kind: "date",
        command: &["date", "When?", "--min", "2026-01-01"],
        refused: (&["2025-12-31"], "2025-12-31 is too early; please give a day from 2026-01-01 on."),
        lines: &["2026-02-28"],
        answer: "2026-02-28",
        status: 0,
    },
    Case {
        kind: "rating",
        command: &["rating", "How was it?", "--max", "10", "--low", "bad", "--high", "good"],
        refused: (&["11"], "11 is too high; please give a whole number from 1 to 10."),
        lines: &["10"],
        answer: "10",
        status: 0,
    },
];

fn is_asked_in(way: Way) {
    for case in CASES {
        let mut plain = Plain::answered(way, case.command);
        let (lines, said) = case.refused;
        for line in lines {
            plain.line(line);
        }
        plain.invited();
        let told = plain.text();
        assert!(told.contains(case.command[1]) && told.contains("/ask asks back, Ctrl+C cancels."), "{way:?}: {told}");
        assert!(String::from_utf8_lossy(plain.raw()).replace('\r', "").contains(said), "{way:?}: {said}\n{told}");
        for line in case.lines {
            plain.line(line);
        }
        plain.wait_for(&format!("status {} <{}>", case.status, case.answer));
        plain.ends_with(0);
    }
}

// Q10, F0, F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, F15
#[test]
fn every_kind_is_asked_and_answered_in_lines() {
    for kind in KINDS {
        assert!(CASES.iter().any(|case| case.kind == kind.name), "{} is never asked", kind.name);
    }
    is_asked_in(Way::Flag);
}

// Q10
#[test]
fn every_kind_is_in_lines_where_the_environment_wants_it() {
    is_asked_in(Way::Variable);
}

// Q10
#[test]
fn every_kind_is_in_lines_where_the_terminal_is_dumb() {
    is_asked_in(Way::DumbTerminal);
}

// Q10, F9
#[test]
fn a_long_list_is_told_in_parts_and_searched() {
    let mut plain = Plain::shell("seq -f 'city %g' 1 45 | askback dropdown 'Where?'");
    plain.line("");
    plain.wait_for("21. city 21");
    plain.line("4 ty");
    plain.invited();
    plain.line("cty44");
    plain.wait_for("\n44. city 44\n");
    plain.line("44");
    plain.ends_with(0);
    let text = plain.text();
    assert!(text.contains("20. city 20\n25 more; Enter alone goes on."), "{text}");
    assert!(text.ends_with("\nok: Where? city 44\ncity 44"), "{text}");
}

// Q10, Q3
#[test]
fn a_locale_without_other_letters_gets_none() {
    let mut plain = Plain::shell("LANG=C askback choice 'Which é?' a b --header 'Ü'");
    plain.line("2");
    plain.ends_with(0);
    assert!(plain.raw().is_ascii() && plain.text().starts_with("<U+00DC>: Which <U+00E9>?"), "{}", plain.text());
}
