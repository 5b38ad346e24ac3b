//! An asker without a key whose calls may be cut off: it asks the same again, and finds its request until it has said that
//! the outcome was delivered.

use super::asker::{cancel, choose_answerers, message, note_creation, wait};
use crate::Failure;
use crate::ledger::{Ask, Repeats};
use crate::load::{Load, ROOM, Token};
use crate::random::Random;
use serde_json::json;

pub(crate) fn run(load: &Load, token: &Token, mut random: Random) -> Result<(), Failure> {
    while load.goes_on_asking() {
        ask_one(load, token, &mut random)?;
    }
    Ok(())
}

fn ask_one(load: &Load, token: &Token, random: &mut Random) -> Result<(), Failure> {
    let mut answerers = choose_answerers(load, random);
    if answerers.is_empty() {
        answerers.push(0);
    }
    let mark = load.ledger.begin(Ask { answerers, ..Ask::new(Repeats::Attaching) });
    let request = json!({"room": ROOM, "type": "text", "message": message(mark, random)});
    let call = load.api.post("/api/v1/requests?attach=true&deliverLater=true", &token.secret, &request);
    let ask = || note_creation(load, mark, &load.api.send_until_decided(&call)?.json());
    let id = ask()?;
    wait(load, token, mark, &id)?;
    let again = ask()?;
    if again != id {
        return Err(format!("{id} was not delivered, and asked again it is {again}").into());
    }
    deliver(load, token, mark, &id)?;
    let anew = ask()?;
    if anew == id {
        return Err(format!("{id} was delivered, and is used again").into());
    }
    cancel(load, token, mark, &anew)?;
    wait(load, token, mark, &anew)?;
    deliver(load, token, mark, &anew)
}

/// Reports that an outcome was delivered.
fn deliver(load: &Load, token: &Token, mark: usize, id: &str) -> Result<(), Failure> {
    let body = json!({"delivered": true, "key": format!("delivery {mark}")});
    let path = format!("/api/v1/requests/{id}/delivery");
    let response = load.api.send_until_decided(&load.api.post(&path, &token.secret, &body))?;
    if response.status != 200 {
        return Err(format!("reporting a delivery got {response:?}").into());
    }
    load.api.counters.deliveries.add();
    Ok(())
}
