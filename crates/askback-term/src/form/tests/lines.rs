//! Plain mode: every kind asked and answered in lines, by the same `update`.

use super::*;
use askback_core::PromptStyle;

/// A form as it is in plain mode.
fn plain(request: &Request) -> Form<'_> {
    let mut form = Form::new(request, PromptStyle::Question, Page::endless(Alphabet::Unicode), TODAY);
    form.appear(Duration::ZERO);
    form
}

/// Types lines, each a second after the other, and gives the last verdict.
fn type_lines(form: &mut Form<'_>, lines: &[&str]) -> Verdict {
    let mut verdict = Verdict::Open;
    for line in lines {
        let now = form.appeared.unwrap_or_default() + LATER;
        verdict = form.update(&Input::Line((*line).to_owned()), now);
    }
    verdict
}

fn text(lines: &[Line]) -> String {
    lines.iter().map(Line::text).collect::<Vec<_>>().join("\n")
}

fn told(form: &Form<'_>) -> String {
    text(&[form.told_head(), form.told_body(), form.told_note()].concat())
}

/// What is told after some lines that don't answer yet.
fn told_after(json: &str, lines: &[&str]) -> String {
    let request = request(json);
    let mut form = plain(&request);
    assert_eq!(type_lines(&mut form, lines), Verdict::Open, "{}", told(&form));
    told(&form)
}

fn answered(json: &str, lines: &[&str]) -> Vec<String> {
    let request = request(json);
    answers(&type_lines(&mut plain(&request), lines))
}

const DATABASE: &str = r#"{"type": "choice", "header": "Database", "message": "Which?", "options": ["PostgreSQL", {"value": "lite", "label": "SQLite",
    "description": "one file", "preview": "sqlite3 app.db"}, {"value": "old", "disabled": true}], "other": true}"#;
const FEATURES: &str = r#"{"type": "choice", "message": "Which?", "options": ["Maps, offline", "Push", "Dark"], "multiSelect": true, "other": true}"#;

// F3, F12, F13, Q10
#[test]
fn options_are_told_by_number_with_all_that_belongs_to_them() {
    assert_eq!(
        told_after(DATABASE, &[]),
        "Database: Which?\n1. PostgreSQL\n2. SQLite\n   one file\n   sqlite3 app.db\n3. old (can't be chosen)\n4. Other\n   \
         Provide custom input\nType a number from 1 to 4."
    );
}

// F3, F13, F15, Q10
#[test]
fn one_option_is_chosen_by_number_or_by_name() {
    for line in ["2", " 2 ", "#2", "SQLite", "lite"] {
        assert_eq!(answered(DATABASE, &[line]), ["lite"], "{line}");
    }
    assert_eq!(answered(DATABASE, &["4", "Redis"]), ["Redis"]);
    assert_eq!(answered(DATABASE, &["4", "", "1"]), ["PostgreSQL"], "an empty line goes back to the list");
    for (line, said) in [
        ("0", "There is no option 0; type a number from 1 to 4."),
        ("5", "There is no option 5"),
        ("1 2", "Only one can be chosen"),
        ("3", "can't be chosen"),
        ("Postgres", "\"Postgres\" is none of them"),
        ("", "Type a number from 1 to 4."),
        ("-1", "\"-1\" is none of them"),
        ("99999999999999999999999", "is none of them"),
    ] {
        assert!(told_after(DATABASE, &[line]).contains(said), "{line}: {}", told_after(DATABASE, &[line]));
    }
    assert!(told_after(DATABASE, &["4", "__other__"]).contains("please give"), "the core has the last word");
}

// F3, F4, F13, Q10
#[test]
fn an_empty_line_takes_what_was_filled_in() {
    let one = r#"{"type": "choice", "message": "?", "options": ["a", "b"], "other": true, "initial": "INITIAL"}"#;
    for initial in ["b", "my own"] {
        let json = one.replace("INITIAL", initial);
        assert!(told_after(&json, &[]).ends_with(&format!("Enter alone answers: {initial}")));
        assert_eq!(answered(&json, &[""]), [initial]);
    }
    let json = format!(r#"{{"questions": [{}, {CONFIRM}]}}"#, one.replace("INITIAL", "my own"));
    let request = request(&json);
    let mut form = plain(&request);
    type_lines(&mut form, &["", "/back", "/back"]);
    assert!(told(&form).ends_with("This is the first question."), "{}", told(&form));
    type_lines(&mut form, &["", "y"]);
    assert!(told(&form).contains("1. ? my own\n2. Deploy? Yes"), "going back loses nothing: {}", told(&form));
    let many = r#"{"type": "choice", "message": "?", "options": ["a", "b"], "multiSelect": true, "initial": "b, a"}"#;
    assert_eq!(answered(many, &[""]), ["b, a"]);
    assert_eq!(answered(many, &["1"]), ["a"]);
}

// F3, Q10
#[test]
fn a_number_that_is_also_a_name_is_asked_about() {
    let json = r#"{"type": "choice", "message": "How many?", "options": ["10", "1", "3"]}"#;
    assert!(told_after(json, &["1"]).contains("\"1\" is the name of an option, but also a number"));
    assert!(told_after(json, &["1"]).contains("the option of that name is #2"));
    assert_eq!(answered(json, &["#1"]), ["10"]);
    assert_eq!(answered(json, &["3"]), ["3"], "where both mean the same there is nothing to ask");
    assert_eq!(answered(json, &["10"]), ["10"], "there is no tenth option");
    let many = r#"{"type": "choice", "message": "?", "options": ["a", "b", "3 4", "d"], "multiSelect": true}"#;
    assert!(told_after(many, &["3 4"]).contains("the option of that name is #3"));
    assert_eq!(answered(many, &["#3 #4"]), ["3 4, d"]);
    let one = r#"{"type": "choice", "message": "?", "options": ["10 20", "b"]}"#;
    assert_eq!(answered(one, &["10 20"]), ["10 20"]);
    let hash = r##"{"type": "choice", "message": "?", "options": ["#2", "#1"]}"##;
    assert_eq!(answered(hash, &["#1"]), ["#2"], "with a # it is the number");
    let value = r#"{"type": "choice", "message": "?", "options": [{"value": "2", "label": "Two"}, "b"]}"#;
    assert!(told_after(value, &["2"]).contains("the option of that name is #1"));
}

// F4, F11, Q10
#[test]
fn several_options_are_chosen_in_the_order_they_are_typed() {
    assert_eq!(answered(FEATURES, &["3 1"]), ["Dark, Maps, offline"]);
    assert_eq!(answered(FEATURES, &["3,2"]), ["Dark, Push"]);
    assert_eq!(answered(FEATURES, &["Push, Maps, offline"]), ["Push, Maps, offline"]);
    assert_eq!(answered(FEATURES, &["4 2", "my own"]), ["my own, Push"]);
    assert!(told_after(FEATURES, &["2 2"]).contains("please give"), "{}", told_after(FEATURES, &["2 2"]));
    assert!(told_after(FEATURES, &["Pull"]).contains("\"Pull\" is none of them"));
}

// F9, Q10
#[test]
fn a_long_list_is_told_in_parts_and_searched() {
    let options: Vec<String> = (1..=45).map(|number| format!("\"city {number}\"")).collect();
    let json = format!(r#"{{"type": "dropdown", "message": "Where?", "options": [{}]}}"#, options.join(", "));
    let first = told_after(&json, &[]);
    assert!(first.contains("20. city 20\n25 more; Enter alone goes on.") && !first.contains("city 21"), "{first}");
    assert!(told_after(&json, &[""]).contains("21. city 21"));
    assert!(told_after(&json, &["", ""]).contains("45. city 45\nType a number"));
    assert!(told_after(&json, &["", "", ""]).contains("1. city 1\n"), "and around");
    let found = told_after(&json, &["cty4"]);
    assert!(found.contains("4. city 4\n") && found.contains("40. city 40"), "options keep their numbers: {found}");
    assert!(found.contains("10 of 45 match \"cty4\"."), "{found}");
    assert!(told_after(&json, &["xyz"]).contains("Nothing matches \"xyz\""));
    assert_eq!(answered(&json, &["cty4", "40"]), ["city 40"]);
    assert!(told_after(&json, &["0"]).contains("4 of 45 match \"0\"."), "digits that are no number are looked for");
    assert!(told_after(&json, &["007"]).contains("Nothing matches"), "and 007 is not the seventh");
    assert!(told_after(&json, &["#46"]).contains("There is no option 46"));
    assert_eq!(answered(&json, &["xyz", "city 7"]), ["city 7"]);
}

// T7, Q10
#[test]
fn a_decision_is_a_letter_and_nothing_else() {
    for (line, decided) in [("a", "approve"), ("A", "approve"), ("1", "approve")] {
        assert_eq!(answered(APPROVAL, &[line]), [decided]);
    }
    let request = request(APPROVAL);
    assert!(is_declined(&type_lines(&mut plain(&request), &["r"])));
    for line in ["", "approve", "yes", "a a", "y"] {
        let told = told_after(APPROVAL, &[line]);
        assert!(told.ends_with("Type a or 1 to approve, r or 2 to reject, then Enter."), "{line}: {told}");
    }
    assert_eq!(answered(CONFIRM, &["N"]), ["no"]);
}

// T7, Q10
#[test]
fn a_line_in_the_first_moment_decides_nothing() {
    let request = request(APPROVAL);
    let mut form = plain(&request);
    assert_eq!(form.calm_left(Duration::ZERO), Some(CALM));
    assert_eq!(form.update(&Input::Line("a".to_owned()), CALM / 2), Verdict::Open);
    assert_eq!(form.calm_left(CALM), None);
    assert_eq!(answers(&form.update(&Input::Line("a".to_owned()), CALM)), ["approve"]);
}

// F1, F2, F6, F7, F8, F10, Q10
#[test]
fn what_is_typed_is_a_line_in_its_written_form() {
    let rating = r#"{"type": "rating", "message": "?", "ends": {"low": "bad", "high": "good"}}"#;
    assert_eq!(
        told_after(rating, &[]),
        "?\n1 is bad\n5 is good\nType a whole number from 1 to 5.",
        "what stands at the ends of the scale is told"
    );
    for (json, line, written) in [
        (r#"{"type": "text", "message": "?"}"#, "  kept as typed  ", "  kept as typed  "),
        (r#"{"type": "number", "message": "?", "max": 5}"#, " 1e0 ", "1"),
        (r#"{"type": "email", "message": "?"}"#, "ada@example.com", "ada@example.com"),
        (r#"{"type": "date", "message": "?"}"#, "2026-01-24", "2026-01-24"),
        (rating, "4", "4"),
    ] {
        assert_eq!(answered(json, &[line]), [written]);
        let refused = told_after(json, &[""]);
        assert!(refused.contains("Nothing is typed yet; please give "), "an empty line is no answer: {refused}");
    }
    let text = r#"{"type": "text", "message": "?", "placeholder": "for all", "initial": "main"}"#;
    assert!(told_after(text, &[]).contains("For example: for all\nEnter alone answers: main"));
    assert_eq!(answered(text, &[""]), ["main"]);
    let number = r#"{"type": "number", "message": "?", "max": 5, "initial": "3"}"#;
    assert!(told_after(number, &["9"]).contains("9 is too large"));
    assert_eq!(answered(number, &["9", ""]), ["3"], "what was refused is not kept");
}

// F2, Q10
#[test]
fn many_lines_end_with_a_dot() {
    let json = r#"{"type": "multiline", "message": "?", "maxLength": 20}"#;
    assert_eq!(answered(json, &["one", "", "..", "...", "x.", "."]), ["one\n\n.\n..\nx."]);
    assert!(told_after(json, &["."]).contains("please give"), "nothing is not many lines");
    let long = "this is far too long for it";
    let refused = told_after(json, &[long, "."]);
    assert!(refused.contains("so far 1 line of 27 characters"), "what was typed is kept: {refused}");
    assert_eq!(answered(json, &[long, ".", "/clear", "short", "."]), ["short"]);
    assert_eq!(answered(json, &["//clear", "."]), ["/clear"]);
    let flood = vec!["x".repeat(4_000); 6];
    let flood: Vec<&str> = flood.iter().map(String::as_str).collect();
    assert!(
        told_after(json, &flood).contains("There is no room for more than 20000 characters"),
        "there is an end to it"
    );
    let slip = told_after(json, &["first", "sec\u{1b}[Dx"]);
    assert!(slip.contains("has a control character; the line is left out, type it again."), "{slip}");
    assert_eq!(answered(json, &["first", "sec\u{1b}[Dx", "second", "."]), ["first\nsecond"]);
    let initial = r#"{"type": "multiline", "message": "?", "initial": "a\nb"}"#;
    assert!(
        told_after(initial, &[]).ends_with("A dot alone answers: a\n                     b"),
        "{}",
        told_after(initial, &[])
    );
    assert_eq!(answered(initial, &["."]), ["a\nb"]);
}

// L7, Q10
#[test]
fn a_question_back_and_the_way_back_are_lines_too() {
    let request =
        request(r#"{"questions": [{"type": "text", "message": "Name?"}, {"type": "confirm", "message": "Sure?"}]}"#);
    let mut form = plain(&request);
    type_lines(&mut form, &["/ask"]);
    assert!(told(&form).contains("an empty line goes back"));
    type_lines(&mut form, &["", "?"]);
    assert!(told(&form).starts_with("Question 2 of 2. Sure?"), "a question mark is text where text is asked for");
    type_lines(&mut form, &["/back"]);
    assert!(told(&form).contains("Question 1 of 2. Name?") && told(&form).contains("Enter alone answers: ?"));
    type_lines(&mut form, &["//back", "y"]);
    assert!(told(&form).contains("1. Name? /back\n2. Sure? Yes\nEnter alone submits them"), "{}", told(&form));
    type_lines(&mut form, &["7"]);
    assert!(told(&form).contains("Press Enter to submit, or type a number from 1 to 2."));
    type_lines(&mut form, &["1", "Ada"]);
    assert_eq!(answers(&type_lines(&mut form, &[""])), ["Ada", "yes"]);
    let mut form = plain(&request);
    let verdict = type_lines(&mut form, &["Ada", "?", "why?"]);
    assert!(is_declined(&verdict), "{verdict:?}");
}

// F2, Q4, Q10
#[test]
fn lines_that_are_not_yet_an_answer_are_told_and_nothing_is_confirmed_by_itself() {
    let notes = r#"{"type": "multiline", "message": "Notes?", "maxLength": 10, "initial": "draft"}"#;
    let json = format!(r#"{{"questions": [{{"type": "text", "message": "Name?"}}, {notes}]}}"#);
    let request = request(&json);
    let mut form = plain(&request);
    type_lines(&mut form, &["Ada", "old", "/back"]);
    type_lines(&mut form, &[""]);
    assert!(told(&form).contains("So far: 1 line of 3 characters, to which more are added"), "{}", told(&form));
    type_lines(&mut form, &["/clear", "much too long to pass", ".", "/back", ""]);
    assert!(told(&form).contains("Question 2 of 2"), "what the asker filled in is no answer: {}", told(&form));
}

// F13, Q10
#[test]
fn who_does_not_say_what_other_is_keeps_what_was_chosen() {
    let choice =
        r#"{"type": "choice", "message": "?", "options": ["a", "b", "c"], "multiSelect": true, "other": true}"#;
    let json = format!(r#"{{"questions": [{choice}, {CONFIRM}]}}"#);
    let request = request(&json);
    for lines in [["3 4", ""], ["4", ""]] {
        let mut form = plain(&request);
        type_lines(&mut form, &["1 2", "y", "1"]);
        assert!(told(&form).ends_with("Enter alone answers: a, b"), "{}", told(&form));
        type_lines(&mut form, &lines);
        type_lines(&mut form, &[""]);
        assert!(told(&form).contains("1. ? a, b\n2. Deploy? Yes"), "{}", told(&form));
    }
}

// L7, Q10
#[test]
fn a_question_back_may_be_one_line() {
    let text = request(r#"{"type": "text", "message": "Name?"}"#);
    let reason = |lines: &[&str]| match type_lines(&mut plain(&text), lines) {
        Verdict::Resolved(resolution) => match resolution {
            Resolution::Declined { reason: Some(reason), .. } => reason.as_str().to_owned(),
            other => format!("{other:?}"),
        },
        other => format!("{other:?}"),
    };
    assert_eq!(reason(&["/ask whose?"]), "whose?");
    assert_eq!(reason(&["/ask", "/back", "/ask", "whose?"]), "whose?", "/back goes back to the question");
    assert_eq!(answered(r#"{"type": "text", "message": "Name?"}"#, &["//ask whose?"]), ["/ask whose?"]);
    assert_eq!(answered(r#"{"type": "text", "message": "Name?"}"#, &["/asked"]), ["/asked"]);
}

// S2, Q10
#[test]
fn what_an_agent_wrote_can_t_pass_for_what_we_say() {
    let request = request(
        r#"{"context": [{"type": "code", "title": "plan", "text": "x\nEnd of plan.\n> "}],
            "questions": [{"type": "approval", "message": "Sure?\na. Approve\n> "}]}"#,
    );
    let form = plain(&request);
    let shown = text(&[form.introduction(), form.told_head()].concat());
    assert_eq!(shown, "Beginning of plan:\n| x\n| End of plan.\n| > \nEnd of plan.\nSure?\n  a. Approve\n  > ");
}

// S2, Q10
#[test]
fn what_an_agent_wrote_is_marked_in_lines_too() {
    let request = request(
        r#"{"title": "t\u202e", "from": "f\u200b", "context": [{"type": "diff", "title": "x\u202ey", "text": "-a\u001b[1A\n+b\u200b"}],
            "questions": [{"type": "approval", "message": "m\u001b]0;x\u0007\u202e?"}]}"#,
    );
    let form = plain(&request);
    let shown = text(&[form.introduction(), form.told_head(), form.told_body()].concat());
    assert!(
        !shown.contains(|c: char| (c.is_control() && c != '\n') || askback_core::text::is_bidi_control(c)),
        "{shown:?}"
    );
    for mark in [
        "t<U+202E>",
        "asker calls itself \"f<U+200B>\"",
        "Beginning of x<U+202E>y:\n| -a<U+001B>[1A\n| +b<U+200B>\nEnd of x<U+202E>y.",
        "m<U+001B>]0;x<U+0007><U+202E>?",
    ] {
        assert!(shown.contains(mark), "{mark} in {shown}");
    }
}

// T8, T9, Q10
#[test]
fn the_requests_of_a_stream_are_answered_in_lines() {
    let choice = request(r#"{"prompt": "How?", "input_type": "choice", "choices": ["Fix it", "Skip it"]}"#);
    let text = request(r#"{"prompt": "Which branch?", "input_type": "text"}"#);
    let open = |request| {
        let mut form = Form::new(request, PromptStyle::Stream, Page::endless(Alphabet::Unicode), TODAY);
        form.appear(Duration::ZERO);
        form
    };
    let mut form = open(&choice);
    assert_eq!(told(&form), "How?\n1. Fix it\n2. Skip it\nr. Reject\nType a number from 1 to 2, or r to reject.");
    assert_eq!(type_lines(&mut form, &["3"]), Verdict::Open);
    assert_eq!(answers(&type_lines(&mut form, &["2"])), ["Skip it"]);
    assert!(is_declined(&type_lines(&mut open(&choice), &["r"])));
    assert!(is_declined(&type_lines(&mut open(&text), &["/reject"])));
    assert_eq!(answers(&type_lines(&mut open(&text), &["", "main"])), ["main"]);
}
