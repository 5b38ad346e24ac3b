//! The document follows from the log, byte for byte, and every client that was told some of it can be told the rest.

use super::{Document, HAS_ORIGIN, ROOT, Standing};
use crate::limits::{FINAL_ENTRIES, PART_BYTES, PENDING_BYTES, PENDING_ENTRIES};
use crate::record::{Event, Record};
use crate::room::{Author, Scope};
use crate::testing::{answers, id, moment, name, question, request, room};
use askback_core::{Outcome, Request, Resolution, Surface};
use askback_yjs::{ByteReader, ValueBudget};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

fn author() -> Author {
    Author::new(&[7; 16], &Scope::Inbox)
}

/// A log as a hub would write it.
#[derive(Debug, Default)]
struct Log(Vec<Event>);

impl Log {
    fn next(&self) -> u64 {
        self.0.len() as u64 + 1
    }

    fn ask_in(&mut self, place: &str, request: Request) -> u64 {
        self.ask_by("bot", place, request)
    }

    fn ask_by(&mut self, asker: &str, place: &str, request: Request) -> u64 {
        let (number, size) = (self.next(), request.to_json().to_string().len());
        self.0.push(Event::created(Arc::new(Record {
            number,
            id: id(number),
            room: room(place),
            asker: name(asker),
            request: Arc::new(request),
            created_at: moment(0),
            deadline: None,
            waited_at: moment(0),
            outcome: None,
            size,
        })));
        number
    }

    fn ask(&mut self) -> u64 {
        self.ask_in("shop", question("Which?"))
    }

    fn end(&mut self, number: u64) {
        let record = Arc::clone(&self.0[number as usize - 1].record);
        let resolution = Resolution::from_answers(answers(&record.request, &["this one"]));
        let outcome = Outcome::new(record.id.clone(), resolution, "rita", Surface::Yjs, moment(1)).unwrap();
        self.0.push(Event::ended(self.next(), &record, &Arc::new(outcome), 10));
    }
}

fn replayed<'e>(events: impl IntoIterator<Item = &'e Event>) -> Document {
    let mut document = Document::new(author());
    events.into_iter().for_each(|event| assert!(document.apply(event), "{}", event.number));
    document
}

/// What a client makes of updates, as far as this one author is concerned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Replica {
    end: u64,
    here: BTreeMap<u64, Vec<u8>>,
}

impl Replica {
    fn apply(&mut self, update: &[u8]) {
        let mut reader = ByteReader::new(update);
        if reader.unsigned().unwrap() == 1 {
            let count = reader.unsigned().unwrap();
            assert_eq!(reader.unsigned().unwrap(), author().number());
            let mut clock = reader.unsigned().unwrap();
            assert_eq!(clock, self.end, "nothing is missing, and nothing told twice");
            for _ in 0..count {
                clock = self.apply_run(&mut reader, clock);
            }
            self.end = clock;
        }
        if reader.unsigned().unwrap() == 1 {
            assert_eq!(reader.unsigned().unwrap(), author().number());
            for _ in 0..reader.unsigned().unwrap() {
                let (start, length) = (reader.unsigned().unwrap(), reader.unsigned().unwrap());
                assert!(start + length <= self.end, "only what there is can be deleted");
                self.here.retain(|clock, _| !(start..start + length).contains(clock));
            }
        }
        assert!(reader.is_empty());
    }

    fn apply_run(&mut self, reader: &mut ByteReader<'_>, clock: u64) -> u64 {
        let info = reader.byte().unwrap();
        if info & HAS_ORIGIN == 0 {
            assert_eq!((clock, reader.unsigned().unwrap(), reader.text().unwrap()), (0, 1, ROOT));
        } else {
            assert_eq!((reader.unsigned().unwrap(), reader.unsigned().unwrap()), (author().number(), clock - 1));
        }
        let length = reader.unsigned().unwrap();
        for at in clock..clock + length {
            if info & 0x1f == super::kind::ANY {
                let before = reader.clone();
                reader.skip_any().unwrap();
                let taken = before.remaining() - reader.remaining();
                let mut before = before;
                self.here.insert(at, (0..taken).map(|_| before.byte().unwrap()).collect());
            }
        }
        clock + length
    }

    fn of(document: &Document) -> Self {
        let mut replica = Self::default();
        replica.catch_up(document);
        replica
    }

    /// Is told whatever it lacks, as one that comes back.
    fn catch_up(&mut self, document: &Document) {
        loop {
            let (part, end) = document.part_since(self.end);
            self.apply(&part);
            assert_eq!(self.end, end);
            if end == document.end {
                return;
            }
        }
    }

    /// Is told what is new, as one that is there.
    fn follow(&mut self, document: &Document) {
        match document.news_since(self.end) {
            Some(news) => self.apply(&news),
            None => self.catch_up(document),
        }
    }
}

/// What happens next: something is asked here or elsewhere, or one of what is pending ends.
#[derive(Debug, Clone, Copy)]
enum Step {
    Ask { is_here: bool },
    End(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => any::<bool>().prop_map(|is_here| Step::Ask { is_here }),
        2 => any::<usize>().prop_map(Step::End),
    ];
    vec(step, 1..60)
}

/// The events of one room, out of a log that has others, too.
fn shop(steps: &[Step]) -> Vec<Event> {
    let mut log = Log::default();
    let mut pending: Vec<u64> = Vec::new();
    for step in steps {
        match step {
            Step::Ask { is_here } => {
                pending.push(log.ask_in(if *is_here { "shop" } else { "garden" }, question("Which?")));
            }
            Step::End(which) if !pending.is_empty() => log.end(pending.remove(which % pending.len())),
            Step::End(_) => {}
        }
    }
    log.0.into_iter().filter(|event| event.record.room == room("shop")).collect()
}

proptest! {
    // W3
    #[test]
    fn a_replay_and_a_snapshot_with_the_rest_write_the_same_bytes(steps in steps(), cut in any::<prop::sample::Index>()) {
        let events = shop(&steps);
        let whole = replayed(&events);
        let cut = cut.index(events.len() + 1);
        let kept = replayed(&events[..cut]).to_snapshot();
        let mut other = Document::from_snapshot(&kept, author()).unwrap();
        events[cut..].iter().for_each(|event| assert!(other.apply(event)));
        prop_assert_eq!(other.part_since(0), whole.part_since(0));
        prop_assert_eq!(other.to_snapshot(), whole.to_snapshot());
        prop_assert!(events.iter().all(|event| !other.apply(event)), "what is shown is not shown twice");
    }

    // W3
    #[test]
    fn whoever_was_told_some_of_it_is_told_the_rest(steps in steps(), cuts in vec(any::<prop::sample::Index>(), 0..6)) {
        let events = shop(&steps);
        let whole = replayed(&events);
        let cuts: BTreeSet<usize> = cuts.iter().map(|cut| cut.index(events.len() + 1)).collect();
        let mut document = Document::new(author());
        // One was there all along, in as many pieces; the other comes back at the end with what it had at the first cut.
        let (mut told, mut returning) = (Replica::default(), Replica::default());
        for (index, event) in events.iter().enumerate() {
            if cuts.contains(&index) {
                told.follow(&document);
                prop_assert_eq!(&told, &Replica::of(&document));
                if returning.end == 0 {
                    returning = told.clone();
                }
            }
            document.apply(event);
        }
        told.follow(&document);
        returning.catch_up(&document);
        prop_assert_eq!(&told, &Replica::of(&whole));
        prop_assert_eq!(&returning, &told);
    }
}

// W3
#[test]
fn a_request_that_ends_takes_the_place_of_itself() {
    let mut log = Log::default();
    let (first, second) = (log.ask(), log.ask());
    log.end(first);
    let replica = Replica::of(&replayed(&log.0));
    assert_eq!(replica.here.keys().copied().collect::<Vec<_>>(), [second - 1, 2], "at the end, and once");
}

// S3
#[test]
fn the_newest_are_shown_and_the_rest_is_not() {
    let mut log = Log::default();
    let asked: Vec<u64> = (0..PENDING_ENTRIES + 3).map(|_| log.ask()).collect();
    let document = replayed(&log.0);
    assert_eq!(document.pending.entries, PENDING_ENTRIES);
    assert_eq!(document.entries.keys().next(), Some(&3), "the oldest made place");
    // One that is not shown any more ends all the same.
    log.end(asked[0]);
    let document = replayed(&log.0);
    assert_eq!((document.pending.entries, document.finals.entries), (PENDING_ENTRIES, 1));
    asked.iter().skip(1).for_each(|number| log.end(*number));
    let document = replayed(&log.0);
    assert_eq!((document.pending.entries, document.finals.entries), (0, FINAL_ENTRIES));
    assert_eq!(document.pending.bytes, 0);
    let finals = document.entries.values().filter(|entry| entry.standing == Standing::Final);
    assert_eq!(document.finals.bytes, finals.map(|entry| entry.written.len()).sum::<usize>());
}

/// How many pending requests a document shows of an asker.
fn shown_of(document: &Document, asker: &str) -> usize {
    document.pending_by_asker.get(&name(asker)).map_or(0, |share| share.entries)
}

// S3, S8
#[test]
fn asker_with_more_requests_than_fit_leaves_half_of_the_places_to_others() {
    let mut log = Log::default();
    let first = log.ask_by("other", "shop", question("Which?"));
    for _ in 0..PENDING_ENTRIES + 100 {
        log.ask();
    }
    let document = replayed(&log.0);
    assert_eq!((shown_of(&document, "other"), shown_of(&document, "bot")), (1, PENDING_ENTRIES - 1));
    assert!(document.entries.contains_key(&(first - 1)), "it is the oldest, and stays");
    let others: Vec<u64> = (0..PENDING_ENTRIES).map(|_| log.ask_by("other", "shop", question("Which?"))).collect();
    let document = replayed(&log.0);
    let half = PENDING_ENTRIES / 2;
    assert_eq!((shown_of(&document, "other"), shown_of(&document, "bot")), (half, half));
    assert!(document.entries.contains_key(&(others[PENDING_ENTRIES - 1] - 1)), "the newest are shown");
    // Among askers with no more than their part, the oldest gives way.
    let third = log.ask_by("third", "shop", question("Which?"));
    let document = replayed(&log.0);
    assert_eq!((shown_of(&document, "other"), shown_of(&document, "bot")), (half, half - 1));
    let restored = Document::from_snapshot(&document.to_snapshot(), author()).unwrap();
    assert_eq!(restored.pending_by_asker, document.pending_by_asker);
    [third].iter().chain(&others).for_each(|number| log.end(*number));
    let document = replayed(&log.0);
    assert_eq!((document.pending_by_asker.len(), shown_of(&document, "bot")), (1, half - 1));
    assert_eq!(document.pending, document.pending_by_asker[&name("bot")]);
}

// S3, S8
#[test]
fn large_requests_of_one_asker_do_not_hide_those_of_another() {
    let mut log = Log::default();
    let first = log.ask_by("other", "shop", question("Which?"));
    let context = "x".repeat(200_000);
    let large =
        format!(r#"{{"type": "text", "message": "Which?", "context": [{{"type": "code", "text": "{context}"}}]}}"#);
    for _ in 0..60 {
        log.ask_in("shop", request(&large));
    }
    let document = replayed(&log.0);
    assert!(document.pending.bytes <= PENDING_BYTES && document.entries.contains_key(&(first - 1)));
}

// S3
#[test]
fn large_requests_are_shown_in_part_and_few_of_them() {
    let mut log = Log::default();
    let context = "x".repeat(900_000);
    let large =
        format!(r#"{{"type": "text", "message": "Which?", "context": [{{"type": "code", "text": "{context}"}}]}}"#);
    log.ask_in("shop", request(&large));
    let options = (0..30_000).map(|number| format!("\"option {number}\"")).collect::<Vec<_>>().join(",");
    log.ask_in("shop", request(&format!(r#"{{"type": "dropdown", "message": "Which?", "options": [{options}]}}"#)));
    let replica = Replica::of(&replayed(&log.0));
    let omitted = |clock: u64| {
        let mut reader = ByteReader::new(&replica.here[&clock]);
        let json = reader.any(&mut ValueBudget::new(1_000, 8)).unwrap();
        json.get("omitted").map(ToString::to_string)
    };
    assert_eq!(omitted(0).as_deref(), Some(r#"["context"]"#));
    assert_eq!(omitted(1).as_deref(), Some(r#"["options"]"#));
    let medium = large.replace(&context, &"x".repeat(200_000));
    for _ in 0..60 {
        log.ask_in("shop", request(&medium));
    }
    let document = replayed(&log.0);
    assert!(document.pending.bytes <= PENDING_BYTES && document.pending.entries < 60, "{:?}", document.pending);
}

/// If this fails because entries look different now, or others are shown: raise `PROJECTION` in `author.rs`, so that no replica of the old
/// document is mixed with the new one, and then write down what the document is now.
// W3
#[test]
fn the_same_log_is_always_the_same_document() {
    let mut log = Log::default();
    let first = log.ask();
    log.ask_in("garden", request(r#"{"title": "T", "questions": [{"type": "confirm", "message": "A?"}, {"type": "rating", "message": "B?"}]}"#));
    let choice = r#"{"type": "choice", "message": "C?", "options": ["x", {"value": "y", "description": "d"}], "context": [{"type": "code", "text": "c"}]}"#;
    log.ask_in("shop", request(choice));
    log.end(first);
    let bytes = replayed(&log.0).part_since(0).0;
    let hash = sha2::Digest::finalize(<sha2::Sha256 as sha2::Digest>::new_with_prefix(&bytes));
    let written: String = hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    assert_eq!((bytes.len(), written.as_str()), (780, "e4c8c39721a48e0b"));
}

// W3
#[test]
fn a_long_document_is_told_in_parts() {
    let mut log = Log::default();
    let asked: Vec<u64> = (0..300).map(|_| log.ask()).collect();
    asked.iter().step_by(2).for_each(|number| log.end(*number));
    let document = replayed(&log.0);
    let (mut known, mut parts) = (0, 0);
    while known < document.end {
        let (part, end) = document.part_since(known);
        assert!(part.len() < PART_BYTES + 2_000, "{}", part.len());
        (known, parts) = (end, parts + 1);
    }
    assert!(parts > 3, "{parts}");
    assert_eq!(document.news_since(0), None, "so much is no news");
    assert_eq!(Replica::of(&document).here.len(), 300);
}

// W3
#[test]
fn another_room_another_log_and_a_damaged_snapshot_are_noticed() {
    let scopes = [Scope::Inbox, Scope::Room(room("shop")), Scope::Room(room("garden"))];
    let authors: BTreeSet<u64> =
        scopes.iter().flat_map(|scope| [[7; 16], [8; 16]].map(|log| Author::new(&log, scope).number())).collect();
    assert_eq!(authors.len(), 6);
    assert!(authors.iter().all(|number| Author::is_one(*number) && *number < 1 << 53), "JavaScript counts that far");
    let mut log = Log::default();
    log.ask();
    let kept = replayed(&log.0).to_snapshot();
    assert!(Document::from_snapshot(&kept, Author::new(&[8; 16], &Scope::Inbox)).is_err());
    assert!(Document::from_snapshot(&kept, author()).is_ok());
    for at in 0..kept.len() {
        assert!(Document::from_snapshot(&kept[..at], author()).is_err());
        let mut damaged = kept.clone();
        damaged[at] ^= 1;
        assert!(Document::from_snapshot(&damaged, author()).is_err(), "at {at}");
    }
}
