//! An asker over HTTP: with an id, with a key or with neither; it waits, asks the same again, or cancels.

use crate::Failure;
use crate::counters::Port;
use crate::ledger::{Action, Ask, Repeats, Verdict, written};
use crate::load::{Load, ROOM, Token};
use crate::random::Random;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Seconds of one wait.
const WAIT_S: u64 = 2;

/// How long a request may stay pending that somebody is to end.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn run(load: &Load, token: &Token, mut random: Random) -> Result<(), Failure> {
    while load.goes_on_asking() {
        ask_one(load, token, &mut random)?;
    }
    Ok(())
}

/// How the hub recognises a request that is asked again.
enum Identity {
    None,
    Id,
    Key,
}

fn ask_one(load: &Load, token: &Token, random: &mut Random) -> Result<(), Failure> {
    let identity = match random.below(10) {
        0..=1 => Identity::None,
        2..=5 => Identity::Id,
        _ => Identity::Key,
    };
    let repeats = if matches!(identity, Identity::None) { Repeats::Never } else { Repeats::Identified };
    let may_expire = random.one_in(12);
    let answerers = choose_answerers(load, random);
    let is_answered = may_expire || !answerers.is_empty();
    let mark = load.ledger.begin(Ask { may_expire, answerers, ..Ask::new(repeats) });
    let mut request = json!({"room": ROOM, "type": "text", "message": message(mark, random)});
    if may_expire {
        request["timeout"] = (1 + random.below(2)).into();
    }
    let mut path = "/api/v1/requests".to_owned();
    match identity {
        Identity::None => {}
        Identity::Id => path = format!("{path}?id={}", Uuid::now_v7()),
        Identity::Key => request["key"] = format!("key {mark}").into(),
    }
    let call = load.api.post(&path, &token.secret, &request);
    let response = match repeats {
        Repeats::Never => match load.api.send(&call) {
            Ok(response) => response,
            // Whether it is stored is not known, and it has nothing by which it could be asked again.
            Err(_) => return Ok(()),
        },
        _ => load.api.send_until_decided(&call)?,
    };
    match response.status {
        200 | 201 => {}
        507 => {
            load.ledger.refused(mark);
            return Ok(());
        }
        429 | 503 => return Ok(()),
        _ => return Err(format!("asking got {response:?}").into()),
    }
    let id = note_creation(load, mark, &response.json())?;
    if repeats == Repeats::Identified && random.one_in(10) {
        note_creation(load, mark, &load.api.send_until_decided(&call)?.json())?;
    }
    match random.below(10) {
        0 => cancel(load, token, mark, &id),
        1..=3 if is_answered => wait(load, token, mark, &id),
        _ => Ok(()),
    }
}

/// Mostly one or several answerers, who then contest it; sometimes nobody, so that it stays pending.
pub(crate) fn choose_answerers(load: &Load, random: &mut Random) -> Vec<usize> {
    let mut all: Vec<usize> = (0..load.answerers.len()).collect();
    let count = *random.pick(&[0, 1, 1, 1, 1, 2, 2, 3]);
    while all.len() > count {
        all.swap_remove(random.below(all.len()));
    }
    all
}

/// A question with its mark. Mostly a few words, and sometimes more than a page of the database has room for.
pub(crate) fn message(mark: usize, random: &mut Random) -> String {
    let words = if random.one_in(10) { random.below(1_200) } else { random.below(30) };
    format!("{} Which name? {}", written(mark), "really ".repeat(words))
}

/// Notes an acknowledged request; its id.
pub(crate) fn note_creation(load: &Load, mark: usize, record: &Value) -> Result<String, Failure> {
    let id = record["id"].as_str().ok_or_else(|| format!("a request without an id: {record}"))?;
    if load.ledger.asked(mark, id) {
        load.api.counters.created(Port::Http);
    }
    Ok(id.to_owned())
}

/// Waits for the outcome, however often the hub is killed meanwhile.
pub(crate) fn wait(load: &Load, token: &Token, mark: usize, id: &str) -> Result<(), Failure> {
    let call = load.api.call("GET", &format!("/api/v1/requests/{id}?wait={WAIT_S}"), &token.secret);
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        let response = load.api.send_until_decided(&call)?;
        let outcome = response.json();
        match (response.status, outcome["status"].as_str()) {
            (200, Some("pending")) => {}
            (200, Some(_)) => {
                load.api.counters.waits_ended.add();
                load.ledger.told(mark, outcome);
                return Ok(());
            }
            _ => return Err(format!("waiting for {id} got {response:?}").into()),
        }
    }
    Err(format!("{id}, mark {mark}, is pending after {PATIENCE:?}").into())
}

/// Cancels a request, while others may be answering it.
pub(crate) fn cancel(load: &Load, token: &Token, mark: usize, id: &str) -> Result<(), Failure> {
    let (ending, text) = load.ledger.end(mark, &token.name, Action::Cancel);
    let body = json!({"reason": text, "key": format!("key {text}")});
    let path = format!("/api/v1/requests/{id}/cancel");
    let response = load.api.send_until_decided(&load.api.post(&path, &token.secret, &body))?;
    load.ledger.decided(ending, verdict(load, &response.json(), response.status)?);
    Ok(())
}

/// The verdict in a reply over HTTP to a call that ends a request.
pub(crate) fn verdict(load: &Load, body: &Value, status: u16) -> Result<Verdict, Failure> {
    match status {
        200 => {
            load.api.counters.ended(Port::Http);
            Ok(Verdict::Counted(body.clone()))
        }
        409 if body["outcome"].is_object() => {
            load.api.counters.late.add();
            Ok(Verdict::Late(body["outcome"].clone()))
        }
        _ => Err(format!("ending a request got {status}: {body}").into()),
    }
}
