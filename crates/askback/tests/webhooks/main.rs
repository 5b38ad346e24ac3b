//! Webhooks and the command for new requests, by the real hub and receivers of every temper.

mod command;
mod configuration;
mod delivery;

use askback_testkit::hub_process::{DataDir, HubProcess};
use serde_json::json;

fn data_with(config: &str) -> DataDir {
    DataDir::with_config(env!("CARGO_BIN_EXE_askback"), config)
}

/// Asks a text question in the room `shop`; the request's id.
fn ask(hub: &HubProcess, message: &str) -> String {
    ask_in(hub, "shop", message)
}

fn ask_in(hub: &HubProcess, room: &str, message: &str) -> String {
    hub.ask_request(&json!({"type": "text", "message": message, "room": room}))
}

fn answer(hub: &HubProcess, id: &str, response: &str) {
    hub.answer(&hub.person, id, response).is(200);
}
