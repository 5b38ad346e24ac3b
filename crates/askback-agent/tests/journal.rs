//! Sessions as files: what is in them at any moment, and what can be read back.

#![expect(clippy::unwrap_used, reason = "what fails in a test should fail it")]

use askback_agent::{
    Asked, AskedAs, ConversationTurn, Journal, JournalError, Note, Pace, Part, Script, Scripted, Session, ToolStatus,
    ToolUse, TurnEnd, Usage,
};
use proptest::prelude::*;
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::{Arc, Mutex};
use support::{Act, Folder, Person, answer, decline, outcome, request};

mod support;

fn scripted(script: &str) -> Scripted {
    Scripted::new("test", Script::parse(script).unwrap(), Pace::Instant)
}

const SCRIPT: &str = r#"
[[step]]
say = "Let me ask. "
[[step]]
as = "name"
ask = { type = "text", message = "Name?" }
[[step]]
say = "Hello, {name}. "
[[step]]
request = { prompt = "Go?", choices = ["Yes", "No"] }
[[step]]
say = "Gone."
"#;

/// The lines of a file.
fn lines(path: &Path) -> Vec<Value> {
    std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn types(path: &Path) -> Vec<String> {
    lines(path).iter().map(|line| line["type"].as_str().unwrap().to_owned()).collect()
}

fn resume(folder: &Folder, id: &str) -> (Journal, askback_agent::Saved) {
    Journal::resume(&folder.path(), id).unwrap()
}

// T6, L5
#[tokio::test]
async fn what_happens_is_in_the_file_when_it_happens() {
    let folder = Folder::new();
    let journal = Journal::create(&folder.path(), "one", "scripted:test").unwrap();
    let path = journal.path().to_owned();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&seen);
    let watched = path.clone();
    let mut acts = [answer("Ada"), decline("Where to?")].into_iter();
    let mut person = Person::who(move |_| {
        noted.lock().unwrap().push(lines(&watched));
        acts.next().unwrap()
    });
    let mut session = Session::kept(journal, vec![]);
    let turn = session.take_turn(&mut scripted(SCRIPT), &mut person, "Hi").await.unwrap();
    assert_eq!(turn.end, TurnEnd::Rejected);
    let seen = seen.lock().unwrap();
    // While the first question is open, it is there, and what was said before it.
    let first = seen[0].last().unwrap();
    assert_eq!((seen[0].len(), &seen[0][1]["text"], &first["type"]), (4, &"Hi".into(), &"asking".into()));
    assert_eq!(first["request"]["questions"][0]["message"], "Name?");
    // While the second is open, so is the answer to the first.
    let types_then: Vec<&str> = seen[1].iter().map(|line| line["type"].as_str().unwrap()).collect();
    assert_eq!(types_then, ["session", "message", "text", "asking", "asked", "text", "asking"]);
    assert_eq!(seen[1][2]["text"], "Let me ask. ");
    assert_eq!(seen[1][4]["outcome"]["response"], "Ada");
    assert_eq!(seen[1][4]["outcome"]["answeredBy"], "reviewer");
    let whole = ["session", "message", "text", "asking", "asked", "text", "asking", "asked", "turn"];
    assert_eq!(types(&path), whole);
    assert_eq!(lines(&path)[7]["outcome"]["reason"], "Where to?");
    assert!(lines(&path).iter().all(|line| line["at"].as_str().unwrap().ends_with('Z')));
}

// T6, L5
#[tokio::test]
async fn a_program_that_is_killed_in_the_middle_leaves_question_and_answer() {
    let folder = Folder::new();
    let journal = Journal::create(&folder.path(), "one", "scripted:test").unwrap();
    let mut acts = [answer("Ada"), Act::Wait].into_iter();
    let mut person = Person::who(move |_| acts.next().unwrap());
    let log = person.log();
    {
        let (mut session, mut agent) = (Session::kept(journal, vec![]), scripted(SCRIPT));
        let turn = session.take_turn(&mut agent, &mut person, "Hi");
        let both = support::until("both are asked", || (log.prompts().len() == 2).then_some(()));
        tokio::select! {
            _ = turn => panic!("it waits"),
            () = both => {}
        }
    }
    let (journal, saved) = resume(&folder, "one");
    let [turn] = saved.turns.as_slice() else { panic!("{saved:?}") };
    assert_eq!((turn.message.as_str(), saved.unreadable), ("Hi", 0));
    assert!(matches!(&turn.end, TurnEnd::Failed(why) if why.contains("in the middle")), "{:?}", turn.end);
    let asked: Vec<&Asked> = turn.questions().collect();
    assert_eq!((asked.len(), asked[0].by, asked[1].by), (2, AskedAs::AskUser, AskedAs::InputRequest));
    assert_eq!(turn.text(), "Let me ask. Hello, Ada. ", "and what was said");
    assert_eq!(asked[0].outcome, outcome(&asked[0].request, &answer("Ada")).map_err(|_| String::new()));
    assert!(asked[1].outcome.as_ref().is_err_and(|why| why.contains("before anyone answered")));
    // It goes on from there.
    let mut session = Session::kept(journal, saved.turns);
    session.take_turn(&mut scripted("[[step]]\nsay = \"Hi.\""), &mut Person::watches(), "Again").await.unwrap();
    drop(session);
    let (_, saved) = resume(&folder, "one");
    assert_eq!(saved.turns.iter().map(|turn| turn.message.as_str()).collect::<Vec<_>>(), ["Hi", "Again"]);
}

/// A session of two turns with a question each, as a file's bytes and as turns.
fn two_turns(folder: &Folder) -> Vec<ConversationTurn> {
    let mut journal = Journal::create(&folder.path(), "one", "a").unwrap();
    let asked = |message: &str, text: &str| {
        let request = request(&format!(r#"{{"type": "text", "message": "{message}"}}"#));
        let outcome = outcome(&request, &answer(text)).unwrap();
        Asked { request, by: AskedAs::AskUser, outcome: Ok(outcome) }
    };
    let turns = [("first", "Ä?", "ä"), ("second", "Ö?", "ö")].map(|(message, question, text)| {
        let parts = vec![Part::Text("Hm. ".into()), Part::Question(asked(question, text)), Part::Text(text.into())];
        ConversationTurn { message: message.into(), parts, usage: Usage::default(), end: TurnEnd::Done }
    });
    turns.iter().for_each(|turn| write(&mut journal, turn));
    turns.into()
}

/// Writes a turn as a session does.
fn write(journal: &mut Journal, turn: &ConversationTurn) {
    let mut note = |note: Note<'_>| journal.note(note).unwrap();
    note(Note::Message(&turn.message));
    for part in &turn.parts {
        match part {
            Part::Text(text) => note(Note::Text(text)),
            Part::Tool(tool) => {
                note(Note::Tool(&ToolUse { result: None, ..tool.clone() }));
                if tool.result.is_some() {
                    note(Note::Tool(tool));
                }
            }
            Part::Question(asked) => {
                note(Note::Asking(&asked.request, asked.by));
                note(Note::Asked(asked));
            }
            Part::Error(message) => note(Note::Error(message)),
        }
    }
    note(Note::End(turn.usage, &turn.end));
}

// T6
#[test]
fn a_last_line_that_is_torn_anywhere_costs_nothing_else() {
    let folder = Folder::new();
    let turns = two_turns(&folder);
    let path = folder.file("one.jsonl");
    let whole = std::fs::read(&path).unwrap();
    let last = whole[..whole.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    for cut in last..=whole.len() {
        std::fs::write(&path, &whole[..cut]).unwrap();
        let (mut journal, saved) = resume(&folder, "one");
        // Without its line feed, a line is whole.
        let is_whole = cut >= whole.len() - 1;
        assert_eq!((saved.turns.len(), &saved.turns[0]), (2, &turns[0]), "cut at {cut}");
        assert_eq!(saved.turns[1] == turns[1], is_whole, "cut at {cut}");
        assert_eq!(saved.turns[1].questions().collect::<Vec<_>>(), turns[1].questions().collect::<Vec<_>>());
        assert_eq!(saved.unreadable, usize::from(!is_whole && cut > last), "cut at {cut}");
        write(&mut journal, &turns[0]);
        drop(journal);
        let (_, saved) = resume(&folder, "one");
        assert_eq!((saved.turns.len(), &saved.turns[2]), (3, &turns[0]), "cut at {cut}");
    }
}

// T6, S3
#[test]
fn garbage_in_the_middle_is_counted_and_the_rest_is_read() {
    let folder = Folder::new();
    let turns = two_turns(&folder);
    let path = folder.file("one.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let count = text.lines().count();
    for broken in 0..count {
        let lines =
            text.lines().enumerate().map(|(number, line)| if number == broken { "\u{0}garbage\u{1b}" } else { line });
        std::fs::write(&path, lines.collect::<Vec<_>>().join("\n")).unwrap();
        let (_, saved) = resume(&folder, "one");
        assert_eq!((saved.unreadable, saved.turns.len()), (1, 2), "line {broken}");
        // What became of each question is in its place, or is said to be lost; it never stands under another.
        for (saved, turn) in saved.turns.iter().zip(&turns) {
            for (found, asked) in saved.questions().zip(turn.questions()) {
                assert_eq!(found.request, asked.request, "line {broken}");
                assert!(found.outcome == asked.outcome || found.outcome.is_err(), "line {broken}");
            }
            assert_eq!(saved.questions().count(), 1, "line {broken}");
        }
    }
    std::fs::write(&path, [b"\xff\xfe\n{}\n[]\n{\"type\": \"new\"}\n", text.as_bytes()].concat()).unwrap();
    let (_, saved) = resume(&folder, "one");
    assert_eq!((saved.unreadable, saved.turns), (4, turns));
}

// S3
#[test]
fn an_input_too_deep_to_be_read_back_is_kept_as_text() {
    let folder = Folder::new();
    let deep = (0..125).fold(Value::from(1), |inner, _| serde_json::json!([inner]));
    let result = Some(("seen".to_owned(), ToolStatus::Succeeded));
    let tool = ToolUse { id: "1".into(), name: "look".into(), input: deep.clone(), result };
    let parts = vec![Part::Text("Let me look.".into()), Part::Tool(tool)];
    let turn = ConversationTurn { message: "Hi".into(), parts, usage: Usage::default(), end: TurnEnd::Done };
    write(&mut Journal::create(&folder.path(), "one", "a").unwrap(), &turn);
    let (_, saved) = resume(&folder, "one");
    assert_eq!((saved.unreadable, saved.turns[0].text().as_str()), (0, "Let me look."));
    let [read] = saved.turns[0].tools().collect::<Vec<_>>()[..] else { panic!("{saved:?}") };
    assert_eq!((&read.input, read.result.is_some()), (&deep.to_string().into(), true));
}

// S3
#[test]
fn a_session_is_open_in_one_place() {
    let folder = Folder::new();
    let journal = Journal::create(&folder.path(), "one", "a").unwrap();
    assert!(matches!(Journal::resume(&folder.path(), "one"), Err(JournalError::InUse)));
    assert!(matches!(Journal::create(&folder.path(), "one", "a"), Err(JournalError::Io { .. })));
    drop(journal);
    let first = resume(&folder, "one");
    assert!(matches!(Journal::resume(&folder.path(), "one"), Err(JournalError::InUse)));
    drop(first);
    assert_eq!(resume(&folder, "one").0.id(), "one");
}

// S2
#[test]
fn an_id_is_the_name_of_a_file_and_nothing_else() {
    let folder = Folder::new();
    folder.write("secret.jsonl", "");
    std::fs::create_dir(folder.file("inner")).unwrap();
    let inner = folder.file("inner");
    for id in ["../secret", "a/b", ".", "..", "", "a.b", "a\0", "ä", "/etc/passwd", "a b"] {
        assert!(matches!(Journal::resume(&inner, id), Err(JournalError::Unknown(_))), "{id:?}");
        assert!(matches!(Journal::create(&inner, id, "a"), Err(JournalError::Unknown(_))), "{id:?}");
    }
    assert!(matches!(Journal::resume(&inner, "missing"), Err(JournalError::Unknown(id)) if id == "missing"));
}

// S2
#[test]
fn nobody_else_can_read_a_session() {
    let folder = Folder::new();
    let sessions = folder.file("data").join("sessions");
    let journal = Journal::create(&sessions, "one", "a").unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(journal.path()), mode(&sessions), mode(&folder.file("data"))), (0o600, 0o700, 0o700));
}

// T6
#[test]
fn the_session_that_was_used_last_is_listed_first() {
    let folder = Folder::new();
    assert_eq!(Journal::list(&folder.file("missing")), []);
    for (id, said, used) in [("2026-01-02", Some("two"), 20), ("2026-01-03", None, 10), ("2026-01-01", Some("one"), 20)]
    {
        let mut journal = Journal::create(&folder.path(), id, "a").unwrap();
        said.into_iter().for_each(|said| journal.note(Note::Message(said)).unwrap());
        let used = std::time::UNIX_EPOCH + std::time::Duration::from_secs(used);
        std::fs::File::options().append(true).open(journal.path()).unwrap().set_modified(used).unwrap();
    }
    folder.write("2026-01-04.jsonl", "no session");
    folder.write("notes.txt", "");
    std::fs::create_dir(folder.file("2026-01-05.jsonl")).unwrap();
    let listed: Vec<_> =
        Journal::list(&folder.path()).into_iter().map(|saved| (saved.id, saved.first_message)).collect();
    assert_eq!(
        listed,
        [
            ("2026-01-02".to_owned(), Some("two".to_owned())),
            ("2026-01-01".to_owned(), Some("one".to_owned())),
            ("2026-01-03".to_owned(), None),
        ]
    );
}

// T6
#[test]
fn the_agent_of_a_session_is_the_last_one() {
    let folder = Folder::new();
    let mut session = Session::kept(Journal::create(&folder.path(), "one", "a").unwrap(), vec![]);
    session.note_agent("b").unwrap();
    drop(session);
    assert_eq!(resume(&folder, "one").1.agent.as_deref(), Some("b"));
    assert_eq!(Journal::list(&folder.path())[0].agent, "a", "the list tells the first");
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".*".prop_map(Value::from)
    ];
    leaf.prop_recursive(4, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map(".*", inner, 0..4).prop_map(|fields| fields.into_iter().collect()),
        ]
    })
}

fn any_asked() -> impl Strategy<Value = Asked> {
    let acts = vec![answer("b"), Act::Decline(None), decline("Why?\nSo."), Act::Cancel, Act::Expire, Act::Leave];
    let by = prop_oneof![Just(AskedAs::AskUser), Just(AskedAs::InputRequest)];
    (prop::sample::select(acts), by, "x[a-zé\u{202e}\u{1b}]{0,9}").prop_map(|(act, by, message)| {
        let json = serde_json::json!({"type": "choice", "message": message, "options": ["a", "b"], "timeout": 9});
        let request = request(&json.to_string());
        let outcome = outcome(&request, &act).map_err(|error| error.to_string());
        Asked { request, by, outcome }
    })
}

fn any_turn() -> impl Strategy<Value = ConversationTurn> {
    let status = prop_oneof![Just(ToolStatus::Succeeded), Just(ToolStatus::Failed)];
    let tool = (".*", ".*", any_value(), prop::option::of((".*", status)));
    let part = prop_oneof![
        ".*".prop_map(Part::Text),
        tool.prop_map(|(id, name, input, result)| Part::Tool(ToolUse { id, name, input, result })),
        any_asked().prop_map(Part::Question),
        ".*".prop_map(Part::Error),
    ];
    let end = prop_oneof![
        Just(TurnEnd::Done),
        Just(TurnEnd::Rejected),
        Just(TurnEnd::Cancelled),
        ".*".prop_map(TurnEnd::Failed),
        ".*".prop_map(TurnEnd::Lost),
    ];
    let usage = any::<(u64, u64)>().prop_map(|(input_tokens, output_tokens)| Usage { input_tokens, output_tokens });
    (".*", prop::collection::vec(part, 0..6), usage, end).prop_map(|(message, parts, usage, end)| ConversationTurn {
        message,
        parts,
        usage,
        end,
    })
}

/// One turn of a story: what is said, what is asked, what the person does, and how it would end by itself.
#[derive(Debug, Clone)]
struct Telling {
    said: String,
    asks: Option<(bool, Act)>,
    fails: bool,
}

fn telling() -> impl Strategy<Value = Telling> {
    let acts = vec![
        answer("approve"),
        answer("reject"),
        decline("Why?"),
        Act::Cancel,
        Act::Expire,
        Act::Interrupt,
        Act::Leave,
    ];
    ("[a-z ]{1,12}", prop::option::of((any::<bool>(), prop::sample::select(acts))), any::<bool>())
        .prop_map(|(said, asks, fails)| Telling { said, asks, fails })
}

impl Telling {
    fn script(&self) -> String {
        let ask = match self.asks {
            Some((true, _)) => "[[step]]\nrequest = { prompt = \"Go?\", choices = [\"Yes\", \"No\"] }\n",
            Some((false, _)) => "[[step]]\nask = { type = \"approval\", message = \"Go?\" }\n",
            None => "",
        };
        let fail = if self.fails { "[[step]]\nfail = \"oh\"\n" } else { "" };
        format!("[[step]]\nsay = \"{}\"\n{ask}[[step]]\nsay = \"!\"\n{fail}", self.said)
    }

    /// Whether the stream went on after the question.
    fn goes_on(&self) -> bool {
        match &self.asks {
            None => true,
            Some((_, Act::Interrupt | Act::Leave)) => false,
            Some((true, act)) => *act == answer("approve"),
            Some((false, _)) => true,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    // T6, L5
    #[test]
    fn what_was_written_is_read_back(turns in prop::collection::vec(any_turn(), 0..4)) {
        let folder = Folder::new();
        let mut journal = Journal::create(&folder.path(), "one", "a").unwrap();
        turns.iter().for_each(|turn| write(&mut journal, turn));
        drop(journal);
        let (_, saved) = resume(&folder, "one");
        prop_assert_eq!(saved.unreadable, 0);
        prop_assert_eq!(saved.turns, turns);
    }

    // T6
    #[test]
    fn property_7_the_history_keeps_every_turn_however_it_ends(story in prop::collection::vec(telling(), 1..6)) {
        let folder = Folder::new();
        let mut session = Session::kept(Journal::create(&folder.path(), "one", "a").unwrap(), vec![]);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        for (number, telling) in story.iter().enumerate() {
            let before = session.turns().to_vec();
            let mut person = Person::does(telling.asks.iter().map(|(_, act)| act.clone()));
            let mut agent = scripted(&telling.script());
            let turn = runtime.block_on(session.take_turn(&mut agent, &mut person, &number.to_string())).unwrap();
            prop_assert_eq!(&session.turns()[..number], before.as_slice(), "what was before is as it was");
            prop_assert_eq!(&session.turns()[number..], &[Arc::clone(&turn)], "and this one is after it");
            let said = if telling.goes_on() { format!("{}!", telling.said) } else { telling.said.clone() };
            prop_assert_eq!((turn.message.clone(), turn.text()), (number.to_string(), said));
            prop_assert_eq!(turn.questions().count(), usize::from(telling.asks.is_some()));
            prop_assert_eq!(turn.end == TurnEnd::Done, telling.goes_on());
        }
        let turns: Vec<ConversationTurn> = session.turns().iter().map(|turn| (**turn).clone()).collect();
        drop(session);
        prop_assert_eq!(resume(&folder, "one").1.turns, turns, "and so it is in the file");
    }
}
