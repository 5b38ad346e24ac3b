//! What people decide, in the words in which Claude Code reads it.

use crate::ASKBACK;
use crate::hooked::{PATIENT, asking, command, database, decision, permission, questions};
use askback_testkit::home::{Home, signal};
use rustix::process::Signal;
use serde_json::{Value, json};

fn decline(home: &Home, id: &str, reason: &str) {
    let body = json!({ "reason": reason }).to_string();
    let (status, answer) = home.call("POST", &format!("/requests/{id}/decline"), "person", &body);
    assert_eq!(status, 200, "{answer}");
}

// F3, Q2
#[test]
fn an_answer_fills_the_call_in() {
    let home = Home::with_hub(ASKBACK);
    let (hook, id) = asking(&home, PATIENT, &database());
    home.answer(&id, "SQLite");
    assert_eq!(
        decision(hook),
        r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"answered by reviewer (askback)","updatedInput":{"questions":[{"question":"Which database?","header":"DB","multiSelect":false,"options":[{"label":"SQLite","description":"Small"},{"label":"PostgreSQL","description":"Big"}]}],"answers":{"Which database?":"SQLite"}}}}"#
    );
}

// F4, F13
#[test]
fn several_are_joined_and_a_text_of_ones_own_is_kept() {
    let home = Home::with_hub(ASKBACK);
    let asked = json!([
        {"question": "Which features?", "header": "F", "multiSelect": true, "options": [{"label": "A"}, {"label": "B"}, {"label": "C"}]},
        {"question": "Where?", "header": "W", "options": [{"label": "Here"}, {"label": "There"}]},
    ]);
    let (hook, id) = asking(&home, PATIENT, &questions(&asked));
    let body = json!({"responses": ["C, A", "\"Else\", where"]}).to_string();
    let (status, answer) = home.call("POST", &format!("/requests/{id}/answer"), "person", &body);
    assert_eq!(status, 200, "{answer}");
    let decided: Value = serde_json::from_str(&decision(hook)).unwrap();
    let input = &decided["hookSpecificOutput"]["updatedInput"];
    assert_eq!(input["answers"], json!({"Which features?": "C, A", "Where?": "\"Else\", where"}));
    assert_eq!(input["questions"], asked, "as it was asked");
}

// L5, L7
#[test]
fn declining_the_questions_tells_the_model_why() {
    let home = Home::with_hub(ASKBACK);
    let (hook, id) = asking(&home, PATIENT, &database());
    decline(&home, &id, "What is it for?");
    let decided: Value = serde_json::from_str(&decision(hook)).unwrap();
    let output = &decided["hookSpecificOutput"];
    assert_eq!((&output["hookEventName"], &output["permissionDecision"]), (&json!("PreToolUse"), &json!("deny")));
    let reason = output["permissionDecisionReason"].as_str().unwrap();
    assert!(reason.contains("declined") && reason.contains("What is it for?"), "{reason}");
    assert_eq!(output.get("updatedInput"), None);
}

// S5
#[test]
fn an_approval_allows_this_use_and_no_other() {
    let home = Home::with_hub(ASKBACK);
    let event = command("touch it");
    let (hook, first) = asking(&home, PATIENT, &event);
    home.answer(&first, "approve");
    assert_eq!(
        decision(hook),
        r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}"#
    );
    // The same again is asked again, and nothing of the first answer is left for it.
    let (again, second) = asking(&home, PATIENT, &event);
    assert_ne!(first, second);
    signal(again.id(), Signal::TERM);
    assert_eq!(again.wait_with_output().unwrap().stdout, b"");
}

// S5, L5, F0
#[test]
fn a_rejection_forbids_it_and_says_why() {
    let home = Home::with_hub(ASKBACK);
    let (hook, id) = asking(&home, PATIENT, &command("rm -r ."));
    decline(&home, &id, "Not \"here\".");
    assert_eq!(
        decision(hook),
        r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"The user rejected this. Reason: Not \"here\"."}}}"#
    );
    let (hook, id) = asking(&home, PATIENT, &command("rm -r ."));
    home.answer(&id, "reject");
    assert_eq!(
        decision(hook),
        r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"The user rejected this."}}}"#
    );
}

// S5
#[test]
fn a_plan_is_given_back_as_it_was_shown() {
    let home = Home::with_hub(ASKBACK);
    let plan = json!({"plan": "# Plan\n\n1. Rest\n", "planFilePath": "/plans/a.md"});
    let (hook, id) = asking(&home, PATIENT, &permission("ExitPlanMode", &plan));
    home.answer(&id, "approve");
    let decided: Value = serde_json::from_str(&decision(hook)).unwrap();
    assert_eq!(decided["hookSpecificOutput"]["decision"], json!({"behavior": "allow", "updatedInput": plan}));
}

// L8
#[test]
fn it_asks_in_the_room_of_claude_codes_folder_or_in_the_one_it_is_given() {
    let home = Home::with_hub(ASKBACK);
    let rooms = [PATIENT.to_vec(), [PATIENT, &["--room", "ops"]].concat()].map(|arguments| {
        let (hook, id) = asking(&home, &arguments, &command("ls"));
        let pending = home.pending().remove(0);
        home.answer(&id, "reject");
        decision(hook);
        assert_eq!(pending["request"]["from"], "claude-code");
        pending["room"].as_str().unwrap().to_owned()
    });
    assert!(rooms[0].starts_with("shop-"), "{rooms:?}");
    assert_eq!(rooms[1], "ops");
}

// L2
#[test]
fn a_hub_that_dies_meanwhile_comes_back_with_the_question() {
    let home = Home::with_hub(ASKBACK);
    let (hook, id) = asking(&home, PATIENT, &command("touch it"));
    home.kill_hub();
    home.wait_for_pending(1);
    home.answer(&id, "approve");
    assert!(decision(hook).contains(r#""behavior":"allow""#));
}
