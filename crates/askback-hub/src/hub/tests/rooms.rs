//! Being in a room: what one is told, in how many pieces, and what is kept of it.

use super::{Hub, HubOptions, answer, asked, by, hub, hub_on};
use crate::limits::{
    EMPTY_ROOM_STAYS, NEWS_PAUSE, OPEN_ROOMS, OPEN_ROOMS_OF_TOKEN, PRESENCE_PAUSE, ROOM_KEEP_ALIVE, ROOM_SWEEP,
    SNAPSHOT_EVENTS,
};
use crate::store::memory::{Faults, MemoryStore};
use crate::store::{SnapshotStore, StoredSnapshot};
use crate::testing::{TokioClock, name, question, room};
use crate::{Member, NewToken, Purpose, Role, RoomError, Scope, SessionKind, Token};
use askback_core::{Json, Object};
use askback_yjs::message::{self, ProtocolMessage};
use askback_yjs::{AwarenessEntry, ByteReader, awareness, state_vector};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{advance, timeout};

async fn token(hub: &Hub, holder: &str) -> Arc<Token> {
    let new = NewToken {
        purpose: Purpose::Token,
        role: Role::Answerer,
        name: name(holder),
        room: None,
        expires_at: None,
        issued_by: None,
    };
    hub.issue(new).await.unwrap().0
}

fn shop() -> Scope {
    Scope::Room(room("shop"))
}

async fn enter(hub: &Hub, scope: Scope, holder: &str) -> Member {
    let token = token(hub, holder).await;
    hub.enter(scope, &token).await.unwrap()
}

/// What a member is told next, if it is told at once.
async fn told(member: &mut Member) -> Option<Vec<u8>> {
    timeout(Duration::from_millis(1), member.next()).await.ok().map(|message| message.unwrap().to_vec())
}

/// The next update; who is looking is passed over.
async fn update(member: &mut Member) -> Option<Vec<u8>> {
    advance(NEWS_PAUSE).await;
    while let Some(message) = told(member).await {
        if let ProtocolMessage::Update(update) = message::read(&message).unwrap() {
            return Some(update.to_vec());
        }
    }
    None
}

/// All there is to tell of the document, one behind the other.
async fn updates(member: &mut Member) -> Vec<u8> {
    let mut all = Vec::new();
    while let Some(update) = update(member).await {
        all.extend(update);
    }
    all
}

/// The same within the next seconds.
async fn presence(member: &mut Member) -> Vec<AwarenessEntry> {
    advance(PRESENCE_PAUSE).await;
    while let Some(message) = told(member).await {
        if let ProtocolMessage::Awareness(entries) = message::read(&message).unwrap() {
            return awareness::read(entries).unwrap();
        }
    }
    Vec::new()
}

/// How a client says that it knows an author's items up to a clock.
fn step1(knows: &[(u64, u64)]) -> Vec<u8> {
    message::step1(&state_vector::write(knows))
}

/// The author of a room's document and the clock after its last item, as the room greets with them.
async fn greeted(member: &mut Member) -> Option<(u64, u64)> {
    let greeting = told(member).await.unwrap();
    let ProtocolMessage::StateVector(bytes) = message::read(&greeting).unwrap() else { panic!("{greeting:?}") };
    let mut reader = ByteReader::new(bytes);
    (reader.unsigned().unwrap() == 1).then(|| (reader.unsigned().unwrap(), reader.unsigned().unwrap()))
}

async fn synchronized(hub: &Hub, holder: &str) -> Member {
    let mut member = enter(hub, shop(), holder).await;
    greeted(&mut member).await;
    assert_eq!(member.receive(&step1(&[])).unwrap().count(), 0);
    update(&mut member).await.unwrap();
    // And who is looking.
    while told(&mut member).await.is_some() {}
    member
}

fn awareness_of(client: u64, clock: u64, state: Option<Object>) -> Vec<u8> {
    message::awareness(&awareness::write(&[AwarenessEntry { client, clock, state: state.map(Json::from) }]))
}

// W3
#[tokio::test]
async fn what_happens_is_told_in_one_piece_however_late() {
    let hub = hub().await;
    asked(&hub, question("Before?")).await;
    let mut member = synchronized(&hub, "rita").await;
    let mut other = synchronized(&hub, "paul").await;
    assert_eq!(update(&mut member).await, None, "it was told everything");
    asked(&hub, question("First?")).await;
    let first = update(&mut member).await.unwrap();
    let second = asked(&hub, question("Second?")).await;
    answer(&hub, &second, "this", by("rita")).await.unwrap();
    // By then the room has heard of both.
    tokio::time::sleep(Duration::from_millis(1)).await;
    let rest = update(&mut member).await.unwrap();
    assert_eq!(update(&mut member).await, None, "three events later there is nothing to tell");
    let all = update(&mut other).await.unwrap();
    assert_eq!(update(&mut other).await, None, "whoever comes late is told once");
    assert!(all.len() < first.len() + rest.len(), "and what came and went meanwhile not at all");
}

// S3
#[tokio::test]
async fn what_happens_at_once_is_told_together() {
    let hub = hub().await;
    let mut member = synchronized(&hub, "rita").await;
    asked(&hub, question("First?")).await;
    assert!(told(&mut member).await.is_some(), "the first is told at once");
    for _ in 0..10 {
        asked(&hub, question("More?")).await;
        assert_eq!(told(&mut member).await, None, "and the others a moment later");
    }
    advance(NEWS_PAUSE).await;
    assert!(told(&mut member).await.is_some());
    assert!(updates(&mut member).await.is_empty(), "in one piece");
}

// W3
#[tokio::test]
async fn whoever_comes_back_is_told_what_it_missed() {
    let hub = hub().await;
    for _ in 0..50 {
        asked(&hub, question("Many?")).await;
    }
    let mut member = enter(&hub, shop(), "rita").await;
    let (author, end) = greeted(&mut member).await.unwrap();
    assert_eq!(end, 50);
    member.receive(&step1(&[])).unwrap();
    let whole = updates(&mut member).await;
    // A client's own id says nothing to us.
    member.receive(&step1(&[(author, 49), (12, 7)])).unwrap();
    let missed = update(&mut member).await.unwrap();
    assert!(missed.len() * 20 < whole.len(), "{} of {}", missed.len(), whole.len());
    member.receive(&step1(&[(author, 50)])).unwrap();
    assert_eq!(update(&mut member).await.unwrap(), [0, 0]);
}

// W3
#[tokio::test]
async fn a_replica_of_another_history_is_not_mixed_with_this_one() {
    let hub = hub().await;
    asked(&hub, question("One?")).await;
    let mut member = enter(&hub, shop(), "rita").await;
    let (author, end) = greeted(&mut member).await.unwrap();
    for knows in [(author, end + 1), (author ^ 1, 1)] {
        assert_eq!(member.receive(&step1(&[knows])).unwrap_err(), RoomError::AnotherHistory, "{knows:?}");
    }
    assert!(matches!(member.receive(&[0, 0, 9]), Err(RoomError::Malformed(_))));
    member.receive(&step1(&[(author, end)])).unwrap();
}

// W3, L6
#[tokio::test]
async fn the_inbox_shows_all_rooms_and_a_room_itself_alone() {
    let hub = hub().await;
    let mut inbox = enter(&hub, Scope::Inbox, "rita").await;
    let mut garden = enter(&hub, Scope::Room(room("garden")), "rita").await;
    for member in [&mut inbox, &mut garden] {
        assert_eq!(greeted(member).await, None);
        member.receive(&step1(&[])).unwrap();
        assert_eq!(update(member).await.unwrap(), [0, 0], "there is nothing yet");
    }
    asked(&hub, question("In the shop?")).await;
    assert!(update(&mut inbox).await.is_some());
    assert_eq!(update(&mut garden).await, None);
}

// S3
#[tokio::test]
async fn a_silent_client_hears_that_the_room_is_there() {
    let hub = hub().await;
    let mut member = synchronized(&hub, "rita").await;
    for _ in 0..3 {
        let message = timeout(ROOM_KEEP_ALIVE, member.next()).await.unwrap().unwrap();
        assert_eq!(message::read(&message).unwrap(), ProtocolMessage::Awareness(&[0]));
    }
}

// W3, S1
#[tokio::test]
async fn people_are_seen_under_the_names_that_the_hub_knows() {
    let hub = hub().await;
    let (mut rita, mut paul) = (synchronized(&hub, "rita").await, synchronized(&hub, "paul").await);
    let looks = |at: &str| Some(Object::new().put("name", "somebody else").put("at", at));
    rita.receive(&awareness_of(11, 1, looks("one"))).unwrap();
    let seen = |entries: &[AwarenessEntry]| {
        let state = |entry: &AwarenessEntry| entry.state.as_ref().map(ToString::to_string);
        entries.iter().map(|entry| (entry.client, state(entry))).collect::<Vec<_>>()
    };
    let here = Some(r#"{"name":"rita","at":"one"}"#.to_owned());
    assert_eq!(seen(&presence(&mut paul).await), [(11, here.clone())]);
    // What others say of her says nothing, whatever they are called.
    paul.receive(&awareness_of(11, 9, looks("elsewhere"))).unwrap();
    paul.receive(&awareness_of(11, 9, None)).unwrap();
    assert_eq!(presence(&mut paul).await, []);
    // Nor does one connection speak for two.
    rita.receive(&awareness_of(12, 1, looks("two"))).unwrap();
    let mut late = enter(&hub, shop(), "eve").await;
    assert_eq!(seen(&presence(&mut late).await), [(11, here)]);
    drop(rita);
    for member in [&mut paul, &mut late] {
        assert_eq!(seen(&presence(member).await), [(11, None)], "that she left is told");
    }
}

// S3
#[tokio::test]
async fn rooms_are_written_down_and_forgotten_when_all_have_left() {
    tokio::time::pause();
    let (kept, clock) = (MemoryStore::default(), Arc::new(TokioClock::new()));
    let hub = hub_on(&kept, &clock).await;
    let mut member = synchronized(&hub, "rita").await;
    for _ in 0..3 {
        asked(&hub, question("Three?")).await;
    }
    while update(&mut member).await.is_some() {}
    assert_eq!(kept.snapshot(shop()).await.unwrap(), None, "a few are not worth it");
    drop(member);
    for _ in 0..2 {
        advance(EMPTY_ROOM_STAYS.max(ROOM_SWEEP)).await;
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(kept.snapshot(shop()).await.unwrap().map(|kept| kept.through), Some(3));
    let mut member = synchronized(&hub, "rita").await;
    for _ in 0..SNAPSHOT_EVENTS {
        asked(&hub, question("Many?")).await;
        // The store in memory never waits, and hints that nobody takes are dropped.
        tokio::task::yield_now().await;
    }
    while update(&mut member).await.is_some() {}
    let through = kept.snapshot(shop()).await.unwrap().map(|kept| kept.through);
    assert!(through >= Some(SNAPSHOT_EVENTS as u64), "{through:?}");
}

/// What a room was told is written down with it; what came after it was taken out of memory is not, or nobody would ever see that.
// W3
#[tokio::test]
async fn a_room_that_was_taken_out_claims_nothing_that_it_was_not_told() {
    let hub = hub().await;
    drop(synchronized(&hub, "rita").await);
    asked(&hub, question("While it is here?")).await;
    tokio::time::sleep(Duration::from_millis(1)).await;
    let [taken] = hub.shared.rooms.sweep(Duration::ZERO).try_into().unwrap();
    asked(&hub, question("After that?")).await;
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(hub.shared.rooms.told(), 2);
    crate::hub::rooms::save(&hub.shared, taken).await;
    assert_eq!(hub.shared.store.snapshot(shop()).await.unwrap().map(|kept| kept.through), Some(1));
    assert_eq!(greeted(&mut enter(&hub, shop(), "rita").await).await.unwrap().1, 2, "both are shown");
}

// W3, L2
#[tokio::test]
async fn the_next_hub_shows_the_same_bytes_with_and_without_what_was_written_down() {
    tokio::time::pause();
    let (kept, clock) = (MemoryStore::default(), Arc::new(TokioClock::new()));
    let mut shown = Vec::new();
    for round in 0..4 {
        let hub = hub_on(&kept, &clock).await;
        if round == 0 {
            for number in 0..40 {
                let id = asked(&hub, question("Many?")).await;
                if number % 3 == 0 {
                    answer(&hub, &id, "this", by("rita")).await.unwrap();
                }
            }
        }
        if round == 2 {
            // One that nobody can read, and which claims to have come further than the log.
            let damaged = StoredSnapshot { through: 1 << 40, document: vec![1, 2, 3] };
            kept.put_snapshot(shop(), damaged).await.unwrap();
        }
        let mut member = enter(&hub, shop(), "rita").await;
        member.receive(&step1(&[])).unwrap();
        shown.push(updates(&mut member).await);
        hub.close().await.unwrap();
        assert!(member.next().await.is_none(), "nobody waits in the room of a hub that was closed");
    }
    assert!(shown[0].len() > 1_000 && shown.iter().all(|bytes| *bytes == shown[0]));
    let other = Hub::in_memory(HubOptions::default()).await.unwrap();
    let mut member = enter(&other, shop(), "rita").await;
    assert_eq!(greeted(&mut member).await, None, "another log has another document");
}

// W3, S3
#[tokio::test]
async fn what_can_not_be_read_any_more_turns_nobody_away() {
    let faults = Faults::default();
    let (kept, clock) = (MemoryStore::with_faults(faults.clone()), Arc::new(TokioClock::new()));
    let hub = hub_on(&kept, &clock).await;
    for message in ["Plain?", "Strange?"] {
        asked(&hub, question(message)).await;
    }
    let known = greeted(&mut enter(&hub, shop(), "rita").await).await.unwrap();
    hub.shared.close();
    hub.shared.store.close().await.unwrap();
    drop(hub);
    faults.unreadable.set("Strange?".to_owned()).unwrap();
    let hub = hub_on(&kept, &clock).await;
    let mut member = enter(&hub, shop(), "rita").await;
    assert_eq!(
        greeted(&mut member).await.unwrap(),
        (known.0, known.1 - 1),
        "the room has come less far than the client"
    );
    member.receive(&step1(&[known])).unwrap();
    while !matches!(message::read(&member.next().await.unwrap()).unwrap(), ProtocolMessage::Update(_)) {}
    asked(&hub, question("Next?")).await;
    while !matches!(message::read(&member.next().await.unwrap()).unwrap(), ProtocolMessage::Update(update) if update.len() > 100)
    {
    }
}

// S3
#[tokio::test]
async fn people_can_be_in_so_many_rooms_at_once() {
    let hub = hub().await;
    let mut tokens = Vec::new();
    for number in 0..=OPEN_ROOMS / OPEN_ROOMS_OF_TOKEN {
        tokens.push(token(&hub, &format!("person {number}")).await);
    }
    let room_of = |number: usize| Scope::Room(room(&format!("room {number}")));
    let mut members = Vec::new();
    for number in 0..OPEN_ROOMS {
        members.push(hub.enter(room_of(number), &tokens[number / OPEN_ROOMS_OF_TOKEN]).await.unwrap());
    }
    let token = tokens.last().unwrap();
    let error = hub.enter(shop(), token).await.unwrap_err().to_string();
    assert!(error.contains("too many rooms") && error.contains("1000"), "{error}");
    assert!(hub.enter(room_of(7), token).await.is_ok(), "one that somebody is in has place for all");
    members.swap_remove(7);
    assert!(hub.enter(shop(), token).await.is_ok(), "one that nobody is in makes place");
}

// S3, S8
#[tokio::test]
async fn token_that_has_opened_its_share_of_rooms_leaves_rooms_to_others() {
    let hub = hub().await;
    let [greedy, other] = [token(&hub, "rita").await, token(&hub, "ada").await];
    let room_of = |number: usize| Scope::Room(room(&format!("room {number}")));
    let mut members = Vec::new();
    for number in 0..OPEN_ROOMS_OF_TOKEN {
        members.push(hub.enter(room_of(number), &greedy).await.unwrap());
    }
    let error = hub.enter(shop(), &greedy).await.unwrap_err().to_string();
    assert!(error.contains("too many rooms") && error.contains("200"), "{error}");
    members.push(hub.enter(room_of(0), &greedy).await.unwrap());
    members.push(hub.enter(shop(), &other).await.unwrap());
    members.push(hub.enter(shop(), &greedy).await.unwrap());
    members.swap_remove(1);
    assert!(hub.enter(Scope::Inbox, &greedy).await.is_ok(), "a room that it left counts no more");
}

// S3, S8
#[tokio::test]
async fn rooms_that_sessions_of_a_token_open_count_for_the_token() {
    let hub = hub().await;
    let issuer = token(&hub, "rita").await;
    let mut sessions = Vec::new();
    for _ in 0..2 {
        let link = NewToken {
            purpose: Purpose::Login,
            role: Role::Answerer,
            name: name("rita"),
            room: None,
            expires_at: None,
            issued_by: Some(issuer.number),
        };
        let code = hub.issue(link).await.unwrap().1;
        let redeemed = hub.redeem(code.as_str(), SessionKind::Page, Duration::from_secs(3_600)).await.unwrap();
        sessions.push(redeemed.unwrap().0);
    }
    let mut members = Vec::new();
    for number in 0..OPEN_ROOMS_OF_TOKEN {
        let scope = Scope::Room(room(&format!("room {number}")));
        members.push(hub.enter(scope, &sessions[number % 2]).await.unwrap());
    }
    for token in [&sessions[0], &sessions[1], &issuer] {
        hub.enter(shop(), token).await.unwrap_err();
    }
}
