//! Scripted agents: what a script can do, what is wrong with one, and the scripts there are.

#![expect(clippy::unwrap_used, reason = "what fails in a test should fail it")]

use askback_agent::{
    AgentSettings, ConversationTurn, Pace, Part, Script, Scripted, Session, ToolStatus, TurnEnd, Usage, open_agent,
};
use std::sync::Arc;
use support::{Act, Folder, Log, Person, Seen, answer, answers, decline};

mod demo;
#[path = "../support/mod.rs"]
mod support;

fn agent(script: &str) -> Scripted {
    Scripted::new("test", Script::parse(script).unwrap(), Pace::Instant)
}

async fn play(script: &str, person: Person) -> (Arc<ConversationTurn>, Log) {
    let (mut person, mut agent) = (person, agent(script));
    let turn = Session::new().take_turn(&mut agent, &mut person, "Hello.").await.unwrap();
    (turn, person.log())
}

fn wrong(script: &str) -> String {
    Script::parse(script).unwrap_err().to_string()
}

const EVERYTHING: &str = r#"
[[step]]
say = "You said {message} "
[[step]]
use = "look"
input = { at = "{message}", deep = ["{message}"] }
output = "seen {message}"
[[step]]
use = "fall"
fails = true
[[step]]
as = "name"
request = { prompt = "Name?", input_type = "text" }
[[step]]
as = "form"
[step.ask]
[[step.ask.questions]]
id = "day"
type = "date"
message = "When, {name}?"
[[step.ask.questions]]
id = "sure"
type = "confirm"
message = "Sure?"
[[step]]
usage = { input_tokens = 3, output_tokens = 4 }
[[step]]
fail = "Oh, {name}."
[[step]]
say = "{name} {form.day} {form.sure} {form.status} {form} {nobody} {"
"#;

// T1, T3
#[tokio::test(start_paused = true)]
async fn every_step_becomes_what_it_says() {
    let person = Person::does([answer("Ada"), answers(&["2026-11-15", "no"])]);
    let (turn, log) = play(EVERYTHING, person).await;
    assert_eq!(turn.end, TurnEnd::Done);
    assert_eq!(turn.text(), "You said Hello. Ada 2026-11-15 no answered answered {nobody} {");
    assert_eq!(turn.usage, Usage { input_tokens: 3, output_tokens: 4 });
    let tools: Vec<_> = turn.tools().map(|tool| (tool.name.as_str(), tool.result.clone().unwrap())).collect();
    let seen = ("seen Hello.".to_owned(), ToolStatus::Succeeded);
    assert_eq!(tools, [("look", seen), ("fall", (String::new(), ToolStatus::Failed))]);
    let input = &turn.tools().next().unwrap().input;
    assert_eq!(*input, serde_json::json!({"at": "Hello.", "deep": ["Hello."]}));
    assert_eq!(log.errors(), ["Oh, Ada."]);
    assert_eq!(log.prompts()[1].questions()[0].message(), "When, Ada?");
    let kinds: Vec<&str> = turn
        .parts
        .iter()
        .map(|part| match part {
            Part::Text(_) => "text",
            Part::Tool(_) => "tool",
            Part::Question(_) => "question",
            Part::Error(_) => "error",
        })
        .collect();
    assert_eq!(kinds, ["text", "tool", "tool", "question", "question", "error", "text"]);
}

// T3
#[tokio::test(start_paused = true)]
async fn at_a_human_pace_it_is_the_same_only_slower() {
    let script = "[[step]]\nsay = \"one two three\"\n[[step]]\nuse = \"look\"\ntakes_ms = 500";
    let begun = tokio::time::Instant::now();
    let (turn, _) = play(script, Person::watches()).await;
    assert!(begun.elapsed().is_zero());
    let mut slow = Scripted::new("test", Script::parse(script).unwrap(), Pace::Human);
    let mut person = Person::watches();
    let same = Session::new().take_turn(&mut slow, &mut person, "Hello.").await.unwrap();
    assert_eq!(*same, *turn);
    assert_eq!(begun.elapsed().as_millis(), 3 * 25 + 500);
    assert_eq!(person.log().entries().iter().filter(|seen| matches!(seen, Seen::Text(_))).count(), 3);
}

const BRANCHES: &str = r#"
[[step]]
as = "pick"
ask = { type = "choice", message = "Which?", multiSelect = true, options = ["a", "b", "c"], other = true }
[[step]]
when = { pick = ["a", "b"] }
say = "a or b;"
[[step]]
unless = { pick = "c" }
say = "not c;"
[[step]]
when = { "pick.status" = "answered", pick = "own" }
say = "own words;"
[[step]]
when = { "pick.status" = ["declined", "cancelled", "expired"] }
say = "{pick.status}: {pick.reason};"
[[step]]
when = { nothing = "x" }
say = "never"
"#;

// T3, L5, L7
#[tokio::test(start_paused = true)]
async fn steps_depend_on_answers() {
    for (act, said) in [
        (answer("a"), "a or b;not c;"),
        (answer("b, c"), "a or b;"),
        (answer("c, own"), "own words;"),
        (answer("own"), "not c;own words;"),
        (decline("Why?"), "not c;declined: Why?;"),
        (Act::Cancel, "not c;cancelled: ;"),
        (Act::Expire, "not c;expired: ;"),
    ] {
        let (turn, _) = play(BRANCHES, Person::does([act.clone()])).await;
        assert_eq!((turn.text().as_str(), &turn.end), (said, &TurnEnd::Done), "{act:?}");
    }
}

// T4, T6
#[tokio::test(start_paused = true)]
async fn a_request_is_remembered_and_rejecting_it_ends_the_turn() {
    let script = r#"
        [[step]]
        as = "go"
        request = { prompt = "Go?", choices = ["Yes", "No"] }
        [[step]]
        as = "size"
        request = { prompt = "Size?", input_type = "choice", choices = ["small", "large"] }
        [[step]]
        say = "{go} {go.status} {size}"
        [[step]]
        listen = true
        [[step]]
        say = "{go} {go.status}, {size}."
    "#;
    let mut agent = agent(script);
    let mut session = Session::new();
    let mut person = Person::does([answer("approve"), answer("large")]);
    let turn = session.take_turn(&mut agent, &mut person, "1").await.unwrap();
    assert_eq!(turn.text(), "approve answered large");
    let mut agent = self::agent(script);
    let mut person = Person::does([Act::Decline(None)]);
    let turn = session.take_turn(&mut agent, &mut person, "1").await.unwrap();
    assert_eq!((&turn.end, turn.text().as_str()), (&TurnEnd::Rejected, ""));
    assert_eq!(person.log().infos(), ["Rejected. Agent response cancelled."]);
    // The next message plays the next turn.
    let turn = session.take_turn(&mut agent, &mut Person::watches(), "2").await.unwrap();
    assert!(turn.text().ends_with(", {size}."), "{}", turn.text());
    let turn = session.take_turn(&mut agent, &mut Person::watches(), "3").await.unwrap();
    assert_eq!(turn.text(), "The script is over; there is nothing more for me to say.");
}

// T5
#[tokio::test(start_paused = true)]
async fn a_wrong_request_is_an_error_and_a_rejection() {
    let script = "[[step]]\nrequest = { prompt = \"Go?\", choices = [\"One\"] }\n[[step]]\nsay = \"never\"";
    let (turn, log) = play(script, Person::watches()).await;
    assert_eq!((turn.text().as_str(), &turn.end), ("", &TurnEnd::Rejected));
    assert!(log.errors()[0].contains("choices"), "{:?}", log.errors());
}

// T5
#[tokio::test(start_paused = true)]
async fn a_question_that_an_answer_makes_wrong_is_an_error_and_the_script_goes_on() {
    let script = r#"
        [[step]]
        as = "word"
        request = { prompt = "Word?", input_type = "text" }
        [[step]]
        as = "next"
        ask = { type = "choice", message = "Which?", options = ["{word}", "b"] }
        [[step]]
        say = "Still here."
    "#;
    let (turn, log) = play(script, Person::does([answer("b")])).await;
    assert_eq!((turn.text().as_str(), &turn.end), ("Still here.", &TurnEnd::Done));
    assert!(log.errors()[0].contains("The script's question is not valid"), "{:?}", log.errors());
}

// S3
#[test]
fn what_is_wrong_with_a_script_is_said_with_what_would_pass() {
    for (script, said) in [
        ("", vec!["[[step]]", "say, use, ask"]),
        ("[[step]]\nlisten = true", vec!["[[step]]"]),
        ("[[step]]\nsya = \"x\"", vec!["sya", "say", "line 2"]),
        ("[[stop]]\nsay = \"x\"", vec!["stop", "step"]),
        ("[[step]]\nsay = \"x\"\nfail = \"y\"", vec!["step 1", "exactly one of say"]),
        ("[[step]]\nsay = \"x\"\n[[step]]", vec!["step 2", "exactly one of say"]),
        ("[[step]]\nsay = \"x\"\n[[step]]\nlisten = true\nsay = \"y\"", vec!["step 2", "exactly one of say"]),
        ("[[step]]\nsay = \"x\"\noutput = \"y\"", vec!["step 1", "`use`"]),
        ("[[step]]\nsay = \"x\"\nas = \"y\"", vec!["step 1", "`as`", "`ask` or `request`"]),
        ("[[step]]\nask = { type = \"choice\", message = \"?\", options = [\"a\"] }", vec!["step 1", "ask.options"]),
        (
            "[[step]]\nask = { questions = [{ type = \"riddle\", message = \"?\" }] }",
            vec!["ask.questions[0].type", "riddle"],
        ),
        ("[[step]]\nask = { type = \"text\" }", vec!["ask.message"]),
        ("not toml", vec!["line 1"]),
        ("[[step]]\nwhen = { a = 1 }\nsay = \"x\"", vec!["line 2"]),
    ] {
        let found = wrong(script);
        assert!(said.iter().all(|part| found.contains(part)), "{script:?} gives {found:?}, not {said:?}");
    }
}

fn settings<R>(folder: &Folder, run: impl FnOnce(&AgentSettings<'_>) -> R) -> R {
    run(&AgentSettings { folder: folder.path(), variable: &|_| None })
}

// S3
#[tokio::test]
async fn agents_are_named_and_what_is_wrong_with_a_name_is_said() {
    let folder = Folder::new();
    folder.write("good.toml", "[[step]]\nsay = \"hi\"");
    folder.write("bad.toml", "[[step]]\nsya = \"hi\"");
    folder.write("large.toml", "#".repeat(2 << 20));
    let open = |name: &str| settings(&folder, |settings| open_agent(name, settings).map(|agent| agent.name()));
    assert_eq!(open("scripted:good.toml").unwrap(), "scripted:good.toml");
    for (name, said) in [
        ("scripted:bad.toml", "sya"),
        ("scripted:large.toml", "more than"),
        ("scripted:none.toml", "can't be read"),
        ("scripted:.", "can't be read"),
        ("scripted", "needs a script"),
        ("process", "needs a command"),
        ("anthropic", "ANTHROPIC_API_KEY"),
        ("oracle", "scripted:FILE"),
        ("\u{1b}[2J", "there is no agent"),
    ] {
        let error = open(name).err().unwrap().to_string();
        assert!(error.contains(said) && !error.contains('\u{1b}'), "{name}: {error}");
    }
}

// T3
#[tokio::test(start_paused = true)]
async fn the_greeter_greets() {
    let script = include_str!("../../../../examples/agents/greeter.toml");
    for (drink, said) in [
        (answer("Tea"), "One Tea for Ada."),
        (answer("Cocoa"), "One Cocoa for Ada."),
        (Act::Cancel, "Nothing for Ada, then."),
        (decline("What else is there?"), "Nothing for Ada, then."),
    ] {
        let mut agent = agent(script);
        let mut session = Session::new();
        let mut person = Person::does([answer("Ada"), drink]);
        let turn = session.take_turn(&mut agent, &mut person, "Hi").await.unwrap();
        assert_eq!(turn.text(), format!("Hello! You said: Hi\nNice to meet you, Ada. {said}"));
        let turn = session.take_turn(&mut agent, &mut person, "Bye").await.unwrap();
        assert_eq!(turn.text(), "Goodbye, Ada.");
    }
}
