//! The demo's script: whatever is answered it makes sense, and no kind of question is missing from it.

use super::play;
use super::support::{Act, Person, answer, decline};
use askback_agent::{Part, TurnEnd};
use askback_core::kind::KINDS;
use askback_core::kind::choice::Select;
use askback_core::{AnswerInput, ChoiceOption, Kind, Question, Request};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

const DEMO: &str = include_str!("../../../askback/assets/demo.toml");

/// Answers that pass: each option, all of them and words of one's own; of what has no options or a great many, enough.
fn ways(question: &Question) -> Vec<String> {
    let odd = "it's {odd} \"text\"";
    match question.kind() {
        Kind::Approval(_) => vec!["approve".into()],
        Kind::Confirm(_) => vec!["yes".into(), "no".into()],
        Kind::Choice(choice) => {
            let values: Vec<String> = choice.options().iter().map(|option| option.value().to_owned()).collect();
            let more = [values.join(", "), "my own".to_owned()];
            let takes = |text: &String| question.parse_answer(&AnswerInput::from(text)).is_ok();
            values.into_iter().chain(more.into_iter().filter(takes)).collect()
        }
        Kind::Dropdown(dropdown) => {
            let values: Vec<&str> = dropdown.options().iter().map(ChoiceOption::value).collect();
            [values.first(), values.last()].into_iter().flatten().map(|value| (*value).to_owned()).collect()
        }
        Kind::Rating(rating) => (rating.min()..=rating.max()).map(|place| place.to_string()).collect(),
        Kind::Number(number) => vec![number.min().or(number.max()).unwrap_or_default().to_string()],
        Kind::Date(date) => vec![date.min().or(date.max()).unwrap_or(jiff::civil::date(2028, 2, 29)).to_string()],
        Kind::Email(email) => vec![format!("it's{{odd}}@{}", email.domain().unwrap_or("example.com"))],
        Kind::Text(_) => vec![odd.into()],
        Kind::Multiline(_) => vec![format!("{odd}\n\n{odd}\n")],
    }
}

/// Everything that somebody may do with a request: every answer with every other, and no answer at all.
fn all_acts(request: &Request) -> Vec<Act> {
    let mut answered = vec![Vec::new()];
    for question in request.questions() {
        let ways = ways(question);
        answered = answered
            .iter()
            .flat_map(|before| ways.iter().map(move |way| [before.as_slice(), std::slice::from_ref(way)].concat()))
            .collect();
    }
    let mut acts: Vec<Act> = answered.into_iter().map(Act::Answer).collect();
    acts.extend([Act::Decline(None), decline("Why?"), Act::Cancel]);
    acts.extend(request.timeout_s().map(|_| Act::Expire));
    acts
}

/// Paths that go on from one question in every way.
const MANY_PATHS: usize = 10;

// T3, L5
#[tokio::test(start_paused = true)]
async fn the_demo_plays_through_whatever_is_answered() {
    let mut paths = vec![Vec::<Act>::new()];
    let (mut played, mut met) = (0, HashMap::<String, usize>::new());
    // A path that is played up to a question it has no answer to is gone on with in every way there is. Where many paths
    // have met in the same question, the others go on in one way each, in turn: together they would be many thousands.
    while let Some(path) = paths.pop() {
        let next = Arc::new(Mutex::new(None));
        let (mut acts, found) = (path.clone().into_iter(), Arc::clone(&next));
        let person = Person::who(move |request| {
            acts.next().unwrap_or_else(|| {
                *found.lock().unwrap() = Some(request.clone());
                Act::Interrupt
            })
        });
        let (turn, log) = play(DEMO, person).await;
        assert_eq!(log.errors(), Vec::<String>::new(), "{path:?}");
        let next = next.lock().unwrap().take();
        match next {
            Some(request) => {
                let mut acts = all_acts(&request);
                let times = met.entry(request.to_json().to_string()).or_default();
                *times += 1;
                if *times > MANY_PATHS {
                    acts = vec![acts.swap_remove(*times % acts.len())];
                }
                paths.extend(acts.into_iter().map(|act| [path.as_slice(), &[act]].concat()));
            }
            None => {
                assert_eq!(turn.end, TurnEnd::Done);
                assert!(
                    matches!(turn.parts.last(), Some(Part::Text(text)) if !text.trim().is_empty()),
                    "{path:?}: {turn:?}"
                );
                assert!(!turn.text().replace("{odd}", "").contains('{'), "{path:?}: {}", turn.text());
                played += 1;
            }
        }
    }
    assert!(played > 300, "{played}");
}

/// Everything answered, each question in the first way there is.
fn agreeable() -> Person {
    Person::who(|request| all_acts(request).swap_remove(0))
}

// T3
#[tokio::test(start_paused = true)]
async fn the_demo_asks_every_kind_of_question_there_is() {
    let (_, log) = play(DEMO, agreeable()).await;
    let requests = log.prompts();
    let questions = || requests.iter().flat_map(Request::questions);
    let missing: Vec<&str> = KINDS
        .iter()
        .map(|entry| entry.name)
        .filter(|name| !questions().any(|question| question.kind().name() == *name))
        .collect();
    assert_eq!(missing, Vec::<&str>::new(), "crates/askback/assets/demo.toml should ask these kinds as well");
    let selects: Vec<Select> = questions()
        .filter_map(|question| if let Kind::Choice(choice) = question.kind() { Some(choice.select()) } else { None })
        .collect();
    assert!(selects.contains(&Select::One) && selects.contains(&Select::Many), "{selects:?}");
}

// L5, L7, T3
#[tokio::test(start_paused = true)]
async fn without_an_answer_the_demo_releases_and_rates_nothing() {
    for (asked, act, said, is_planned) in [
        ("Before I commit", Act::Cancel, "The change is written but not committed", false),
        ("Before I release", Act::Cancel, "Nothing is released: you did not say when and where", false),
        ("Before I release", decline("Why now?"), "I release nothing; the commit waits where it is", false),
        ("How was it to be asked?", Act::Cancel, "No rating, then", true),
        ("How was it to be asked?", decline("Why?"), "No rating, then", true),
        ("How was it to be asked?", answer("2"), "2 of 5: then I ask less, and better.", true),
        ("How was it to be asked?", answer("5"), "5 of 5: then I go on asking.", true),
    ] {
        let deed = act.clone();
        let person = Person::who(move |request| {
            let name = request.title().unwrap_or_else(|| request.questions()[0].message());
            if name == asked { deed.clone() } else { all_acts(request).swap_remove(0) }
        });
        let (turn, _) = play(DEMO, person).await;
        assert!(turn.text().contains(said), "{asked} {act:?}: {}", turn.text());
        let deploys = turn.tools().any(|tool| tool.input.to_string().contains("deploy"));
        assert_eq!(deploys, is_planned, "{asked} {act:?}");
    }
}
