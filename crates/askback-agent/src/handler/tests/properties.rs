//! The eight correctness properties of a stream that asks, over generated streams and people.
//!
//! Each has a mutant of the handler in `xtask/src/torture.rs` that makes it fail.

use super::recording::{Act, Ears, Entry, Heard, Log, Played, Recording, Waiting, data};
use crate::event::{
    AskResult, AskUser, CallResult, InputRequest, InputResponse, StreamEvent, ToolCall, ToolStatus, Usage,
};
use crate::handler::StreamHandler;
use crate::responder::Responder;
use crate::turn::{ConversationTurn, TurnEnd};
use askback_core::dialect::stream::Reply;
use askback_core::{Limits, Object, Request, Status};
use proptest::prelude::*;
use std::collections::VecDeque;

/// An event to be sent.
#[derive(Debug, Clone)]
enum Plan {
    Text(String),
    ToolUse,
    ToolResult,
    Usage,
    Error,
    Input { input_type: &'static str, prompt: Option<&'static str>, choices: Vec<String>, has_responder: bool },
    Ask,
    Done,
}

fn plan() -> impl Strategy<Value = Plan> {
    let input_type = prop_oneof![4 => Just("approval"), 4 => Just("choice"), 4 => Just("text"), 1 => Just("riddle")];
    let prompt = prop::option::weighted(0.9, prop::sample::select(vec!["Well?", "Well?", "Well?", ""]));
    let choices = prop::collection::vec(choice(), 0..5);
    let input = (input_type, prompt, choices, prop::bool::weighted(0.9)).prop_map(
        |(input_type, prompt, choices, has_responder)| {
            // Most are as they should be.
            let choices = match input_type {
                "approval" if !choices.is_empty() => vec!["choice 0".to_owned(), "choice 1".to_owned()],
                "text" => Vec::new(),
                _ => choices,
            };
            Plan::Input { input_type, prompt, choices, has_responder }
        },
    );
    prop_oneof![
        6 => "[a-z\n ]{0,6}".prop_map(Plan::Text),
        1 => Just(Plan::ToolUse),
        1 => Just(Plan::ToolResult),
        1 => Just(Plan::Usage),
        1 => Just(Plan::Error),
        4 => input,
        2 => Just(Plan::Ask),
        1 => prop::bool::weighted(0.1).prop_map(|done| if done { Plan::Done } else { Plan::Usage }),
    ]
}

/// A choice as agents write them: plain, padded, wide, repeated, with control characters in it, or any text at all.
fn choice() -> impl Strategy<Value = String> {
    let wide = vec!["選択肢を選んでください", "👩\u{200d}💻 👩\u{200d}💻", "ｗｉｄｅ　ｗｉｄｅ", "\u{202e}thgir"];
    let known = vec!["a", "a", "b", "__other__", "r) Reject", "Other", "\"a\" (choice 2)", "<U+001B>"];
    prop_oneof![
        2 => "[a-z]{1,6}",
        3 => "[ \t\n\u{a0}\u{3000}\u{200b}]{0,3}[ab]{0,2}[ \t\r\n\u{a0}]{0,3}",
        1 => (prop::sample::select(wide), 1usize..30).prop_map(|(text, times)| text.repeat(times)),
        3 => prop::sample::select(known).prop_map(str::to_owned),
        2 => "[ab]{0,2}[\x00-\x1f\x7f-\u{9f}]{1,3}\\[31m[ab]{0,2}",
        1 => any::<String>(),
    ]
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        12 => ("[a-z]{1,8}|reject|r", 0usize..9).prop_map(|(text, number)| Act::Answer(text, number)),
        1 => Just(Act::Reject),
        1 => "[a-z]{1,8}".prop_map(Act::AskBack),
        1 => Just(Act::Escape),
        1 => Just(Act::Interrupt),
        1 => Just(Act::Lose),
    ]
}

/// What is to be sent and done.
#[derive(Debug, Clone)]
struct Story {
    plans: Vec<Plan>,
    acts: Vec<Act>,
}

fn story() -> impl Strategy<Value = Story> {
    let (plans, acts) = (prop::collection::vec(plan(), 0..16), prop::collection::vec(act(), 16));
    (plans, acts).prop_map(|(plans, acts)| Story { plans, acts })
}

/// What came of a story.
struct Told {
    log: Vec<Entry>,
    turn: ConversationTurn,
}

fn tell(story: &Story) -> Told {
    let log = Log::default();
    let (mut events, mut responses) = (VecDeque::new(), VecDeque::new());
    for (number, plan) in story.plans.iter().enumerate() {
        events.push_back(event(plan, number, &mut responses));
    }
    let ears = Ears::new(responses);
    let mut surface = Recording { log: log.clone(), ears: ears.clone(), acts: story.acts.iter().cloned().collect() };
    let played = Played { log: log.clone(), events, ears, pulled: 0 };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let turn = runtime.block_on(StreamHandler::new(&mut surface, &mut |_| {}).handle(played, "hello"));
    let log = log.entries().clone();
    Told { log, turn }
}

fn event(plan: &Plan, number: usize, responses: &mut VecDeque<(usize, Waiting)>) -> StreamEvent {
    match plan {
        Plan::Text(text) => StreamEvent::TextDelta(text.clone()),
        Plan::ToolUse => {
            StreamEvent::ToolUseStart(ToolCall { id: "t".into(), name: "look".into(), input: serde_json::Value::Null })
        }
        Plan::ToolResult => {
            StreamEvent::ToolResult(CallResult { id: "t".into(), output: "seen".into(), status: ToolStatus::Succeeded })
        }
        Plan::Usage => StreamEvent::Usage(Usage { input_tokens: 1, output_tokens: 2 }),
        Plan::Error => StreamEvent::Error("oh".into()),
        Plan::Done => StreamEvent::Done,
        Plan::Input { input_type, prompt, choices, has_responder } => {
            let choices = (!choices.is_empty()).then(|| choices.clone());
            let data = Object::new().put("input_type", *input_type).put_some("choices", choices);
            let data = data.put_some("prompt", *prompt);
            let (responder, response) = Responder::<InputResponse>::pair();
            if *has_responder {
                responses.push_back((number, Waiting::Input(response)));
            }
            StreamEvent::InputRequest(InputRequest { data: data.into(), responder: has_responder.then_some(responder) })
        }
        Plan::Ask => {
            let json = data(
                r#"{"questions": [{"type": "text", "message": "Name?"}, {"type": "approval", "message": "Go?"}]}"#,
            );
            let request = Request::from_json(&json, &Limits::DEFAULT).unwrap();
            let (responder, response) = Responder::<AskResult>::pair();
            responses.push_back((number, Waiting::Asked(response)));
            StreamEvent::AskUser(AskUser { request, responder })
        }
    }
}

impl Told {
    fn pulls(&self) -> usize {
        self.log.iter().filter(|entry| matches!(entry, Entry::Pulled(_))).count()
    }

    /// The plans whose events were taken, with their numbers.
    fn taken<'s>(&self, story: &'s Story) -> impl Iterator<Item = (usize, &'s Plan)> {
        story.plans.iter().enumerate().take(self.pulls())
    }

    fn response(&self, number: usize) -> Vec<&Heard> {
        let found = self.log.iter().filter_map(|entry| match entry {
            Entry::Responded(of, response) if *of == number => Some(response),
            _ => None,
        });
        found.collect()
    }
}

fn is_dropped(response: &Heard) -> bool {
    let reason = match response {
        Heard::Input(response) => response.reason.clone().unwrap_or_default(),
        Heard::Asked(Err(error)) => error.to_string(),
        Heard::Asked(Ok(_)) => String::new(),
    };
    reason.contains("dropped")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    // T3
    #[test]
    fn property_1_nothing_is_pulled_while_a_person_is_asked(story in story()) {
        let told = tell(&story);
        let mut is_prompting = false;
        for entry in &told.log {
            match entry {
                Entry::Prompted(_) => is_prompting = true,
                Entry::PromptEnded => is_prompting = false,
                Entry::Pulled(number) => prop_assert!(!is_prompting, "event {number} was pulled during a prompt"),
                _ => {}
            }
        }
        let asks = told.taken(&story).filter(|(_, plan)| is_asked(plan)).count();
        let prompts = told.log.iter().filter(|entry| matches!(entry, Entry::Prompted(_))).count();
        prop_assert_eq!(prompts, asks, "every valid request is prompted for, once");
    }

    // T3
    #[test]
    fn property_2_every_responder_is_resolved_once_before_the_stream_goes_on(story in story()) {
        let told = tell(&story);
        for (number, plan) in told.taken(&story) {
            if !waits(plan) {
                continue;
            }
            let responses = told.response(number);
            prop_assert_eq!(responses.len(), 1);
            prop_assert!(!is_dropped(responses[0]), "it was resolved, not let go");
            let responded = told.log.iter().position(|entry| matches!(entry, Entry::Responded(of, _) if *of == number));
            let next = told.log.iter().position(|entry| *entry == Entry::Pulled(number + 1));
            prop_assert!(next.is_none_or(|next| responded < Some(next)), "before the next event");
        }
    }

    // T2, T4
    #[test]
    fn property_3_an_approval_is_approved_or_rejected(story in story()) {
        let told = tell(&story);
        for (number, _) in told.taken(&story).filter(|(_, plan)| matches!(plan, Plan::Input { input_type: "approval", has_responder: true, .. })) {
            for response in told.response(number) {
                let Heard::Input(response) = response else { panic!("an input request") };
                prop_assert!(matches!(response.reply, Reply::Approve | Reply::Reject));
                prop_assert_eq!(response.reply == Reply::Approve, response.status == Status::Answered);
            }
        }
    }

    // T2, T4
    #[test]
    fn property_4_a_choice_is_one_of_those_there_are_to_the_byte(story in story()) {
        let told = tell(&story);
        for (number, plan) in told.taken(&story) {
            let Plan::Input { input_type: "choice", choices, has_responder: true, .. } = plan else { continue };
            let asked_before = story.plans[..number].iter().filter(|plan| is_asked(plan)).count();
            for response in told.response(number) {
                let Heard::Input(InputResponse { reply, .. }) = response else { panic!("an input request") };
                match reply {
                    Reply::Choice { index, value } => {
                        prop_assert_eq!(Some(value), choices.get(*index));
                        let Act::Answer(_, taken) = &story.acts[asked_before] else { panic!("nothing was taken") };
                        prop_assert_eq!(*index, taken % choices.len(), "the one that the person took");
                    }
                    other => prop_assert_eq!(other, &Reply::Reject),
                }
            }
        }
    }

    // T6
    #[test]
    fn property_5_a_rejection_ends_the_stream_and_keeps_what_was_said(story in story()) {
        let told = tell(&story);
        let rejected = told.log.iter().find_map(|entry| match entry {
            Entry::Responded(number, Heard::Input(response)) if response.reply == Reply::Reject && !is_dropped(&Heard::Input(response.clone())) => Some((*number, response)),
            _ => None,
        });
        let said: String = told.taken(&story).filter_map(|(_, plan)| if let Plan::Text(text) = plan { Some(text.as_str()) } else { None }).collect();
        prop_assert_eq!(told.turn.text(), said, "what was pulled was kept");
        let shown: String = told.log.iter().filter_map(|entry| if let Entry::Text(text) = entry { Some(text.as_str()) } else { None }).collect();
        prop_assert_eq!(told.turn.text(), shown, "and shown");
        let notices = told.log.iter().filter(|entry| **entry == Entry::Info("Rejected. Agent response cancelled.".into())).count();
        if let Some((number, response)) = rejected {
            prop_assert_eq!(told.pulls(), number + 1, "nothing was pulled after it");
            let is_lost = response.reason.as_deref().is_some_and(|reason| reason.contains("terminal"));
            prop_assert_eq!(matches!(told.turn.end, TurnEnd::Lost(_)), is_lost);
            prop_assert_eq!(told.turn.end == TurnEnd::Rejected, !is_lost);
            prop_assert_eq!(notices, usize::from(!is_lost));
        } else {
            prop_assert_ne!(&told.turn.end, &TurnEnd::Rejected);
            prop_assert_eq!(notices, 0);
        }
        prop_assert!(told.log.contains(&Entry::Dropped), "the agent's side is gone");
    }

    // T3
    #[test]
    fn property_6_nothing_moves_while_a_person_is_asked(story in story()) {
        let told = tell(&story);
        let (mut spins, mut writes) = (false, false);
        for entry in &told.log {
            match entry {
                Entry::SpinnerStarted => {
                    prop_assert!(!spins && !writes, "one thing moves at a time");
                    spins = true;
                }
                Entry::SpinnerStopped => spins = false,
                Entry::Text(_) => {
                    prop_assert!(!spins);
                    writes = true;
                }
                Entry::TextFinished => writes = false,
                Entry::Prompted(_) | Entry::Info(_) | Entry::Error(_) | Entry::ToolStarted(_) | Entry::ToolFinished(..) => {
                    prop_assert!(!spins && !writes, "{entry:?}");
                }
                _ => {}
            }
        }
        prop_assert!(!spins && !writes, "and at the end nothing moves");
    }

    // T3
    #[test]
    fn property_8_nothing_is_resolved_before_the_person_has_decided(story in story()) {
        let told = tell(&story);
        // Whatever a person types, the prompt ends with a decision; until then the agent hears nothing.
        let asked: Vec<usize> = told.taken(&story).filter(|(_, plan)| is_asked(plan)).map(|(number, _)| number).collect();
        let (mut is_prompting, mut decided) = (false, 0);
        for entry in &told.log {
            match entry {
                Entry::Prompted(_) => is_prompting = true,
                Entry::PromptEnded => {
                    is_prompting = false;
                    decided += 1;
                }
                Entry::Responded(number, _) => {
                    prop_assert!(!is_prompting);
                    let rank = asked.iter().position(|asked| asked == number);
                    prop_assert!(rank.is_none_or(|rank| rank < decided), "event {number} was decided by nobody");
                }
                _ => {}
            }
        }
    }
}

/// Whether the agent of an event waits for a response.
fn waits(plan: &Plan) -> bool {
    matches!(plan, Plan::Ask | Plan::Input { has_responder: true, .. })
}

/// Whether the person is asked: the request is valid, and somebody waits for it.
fn is_asked(plan: &Plan) -> bool {
    match plan {
        Plan::Ask => true,
        Plan::Input { input_type, choices, has_responder: true, .. } => match *input_type {
            "approval" => choices.len() == 2,
            "choice" => !choices.is_empty(),
            kind => kind == "text",
        },
        _ => false,
    }
}
