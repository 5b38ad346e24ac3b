//! An answerer in a room: a Yjs client that sets proposals in its replica and waits for the verdict on each. Proposals without
//! a verdict are set again under their keys in a new replica, as a client does whose connection is gone.

use super::answerer::choose_action;
use super::websocket::WebSocket;
use crate::Failure;
use crate::counters::Port;
use crate::ledger::{Action, EndingId, Verdict};
use crate::load::{Job, Load, Token};
use crate::random::Random;
use askback_core::{Json, Limits};
use askback_yjs::update::{IN_ROOT, kind};
use askback_yjs::{ByteReader, ByteWriter, message, state_vector};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The pause before a room is opened again.
const RETRY: Duration = Duration::from_millis(5);

/// Proposals that wait for their verdicts at once.
const PROPOSALS: usize = 8;

/// How long a proposal waits for its verdict before it counts as stuck.
const PATIENCE: Duration = Duration::from_secs(60);

/// Marks an item with a key in its parent.
const HAS_KEY: u8 = 0x20;

/// The type of a message that carries a verdict.
const VERDICT: u64 = 100;

/// A proposal without a verdict.
struct Proposal {
    ending: EndingId,
    value: Value,
    since: Instant,
}

/// Ends the jobs of the answerer with this number, in the room at this path.
pub(crate) fn run(load: &Load, number: usize, path: &str, mut random: Random) -> Result<(), Failure> {
    let token = &load.answerers[number];
    let mut open: BTreeMap<String, Proposal> = BTreeMap::new();
    let mut client = 1 + random.below(1 << 20) as u64;
    let mut is_first = true;
    while load.answering.goes_on() || !open.is_empty() {
        if load.api.is_abandoned() {
            return Ok(());
        }
        if let Some((key, _)) = open.iter().find(|(_, proposal)| proposal.since.elapsed() > PATIENCE) {
            return Err(format!("\"{key}\" has no verdict after {PATIENCE:?}").into());
        }
        client += 1;
        let Ok(socket) = WebSocket::open(load.api.address, path, token) else {
            sleep(RETRY);
            continue;
        };
        if !std::mem::take(&mut is_first) {
            load.api.counters.rooms_reopened.add();
        }
        let mut room = Room { load, token, number, socket, client, clock: 0 };
        if let Err(Interruption::Wrong(why)) = room.answer(&mut open, &mut random) {
            return Err(why.into());
        }
    }
    Ok(())
}

/// Why a connection is left.
enum Interruption {
    /// It is gone, or the hub can't judge now.
    Gone,
    /// The hub says what it must not.
    Wrong(String),
}

impl From<std::io::Error> for Interruption {
    fn from(_: std::io::Error) -> Self {
        Self::Gone
    }
}

struct Room<'l> {
    load: &'l Load,
    token: &'l Token,
    number: usize,
    socket: WebSocket,
    /// The Yjs client of this replica, and the clock of its next item.
    client: u64,
    clock: u64,
}

impl Room<'_> {
    fn answer(&mut self, open: &mut BTreeMap<String, Proposal>, random: &mut Random) -> Result<(), Interruption> {
        self.socket.send(&message::step1(&state_vector::write(&[])))?;
        for (key, proposal) in &*open {
            self.set(key, &proposal.value)?;
        }
        while !open.is_empty() || self.load.answering.goes_on() {
            while open.len() < PROPOSALS
                && let Some(job) = self.load.jobs[self.number].pop()
            {
                let (key, proposal) = self.propose(&job, random);
                // Kept before it is sent: if the connection is gone, it is set again in the next one.
                let proposal = open.entry(key.clone()).or_insert(proposal);
                self.set(&key, &proposal.value)?;
            }
            if !open.is_empty() {
                let message = self.socket.receive()?;
                self.take_verdict(&message, open)?;
            }
        }
        Ok(())
    }

    fn propose(&self, job: &Job, random: &mut Random) -> (String, Proposal) {
        let action = choose_action(random);
        let (ending, text) = self.load.ledger.end(job.mark, &self.token.name, action);
        let value = match action {
            Action::Answer => json!({"requestId": job.id, "response": text}),
            Action::Decline | Action::Cancel => json!({"requestId": job.id, "action": action.name(), "reason": text}),
        };
        (text, Proposal { ending, value, since: Instant::now() })
    }

    /// Sets a key in the map `answers`.
    fn set(&mut self, key: &str, value: &Value) -> Result<(), Interruption> {
        let value = Json::parse(value.to_string().as_bytes(), &Limits::DEFAULT);
        let value = value.map_err(|error| Interruption::Wrong(format!("a proposal is no JSON: {error:?}")))?;
        let mut update = ByteWriter::default();
        // One client with one item.
        [1, 1, self.client, self.clock].into_iter().for_each(|number| update.unsigned(number));
        update.byte(kind::ANY | HAS_KEY);
        update.unsigned(IN_ROOT);
        update.text("answers");
        update.text(key);
        update.unsigned(1);
        update.any(&value);
        // Nothing is deleted.
        update.unsigned(0);
        self.clock += 1;
        Ok(self.socket.send(&message::update(&update.into_vec()))?)
    }

    /// Notes the verdict in a message, if it is one.
    fn take_verdict(&self, message: &[u8], open: &mut BTreeMap<String, Proposal>) -> Result<(), Interruption> {
        let mut reader = ByteReader::new(message);
        if reader.unsigned() != Ok(VERDICT) {
            return Ok(());
        }
        let said: Value = reader.text().ok().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        let key = said["key"].as_str().unwrap_or_default();
        let verdict = match (said["success"].as_bool(), said["code"].as_str()) {
            (Some(true), _) => Verdict::Counted(said["outcome"].clone()),
            (_, Some("already-ended")) => Verdict::Late(said["outcome"].clone()),
            (_, Some("too-many" | "stopping" | "store-full" | "store-failed")) => {
                sleep(RETRY);
                return Err(Interruption::Gone);
            }
            _ => return Err(Interruption::Wrong(format!("a proposal got {said}"))),
        };
        let Some(proposal) = open.remove(key) else { return Ok(()) };
        match verdict {
            Verdict::Counted(_) => self.load.api.counters.ended(Port::Room),
            _ => self.load.api.counters.late.add(),
        }
        self.load.ledger.decided(proposal.ending, verdict);
        Ok(())
    }
}

/// The bytes of the document of a room, as a client that has nothing is told them.
pub(crate) fn read_document(load: &Load, path: &str, token: &Token) -> Result<Vec<u8>, Failure> {
    let mut socket = WebSocket::open(load.api.address, path, token)?;
    socket.send(&message::step1(&state_vector::write(&[])))?;
    let mut document = Vec::new();
    loop {
        let message = socket.receive()?;
        // The last part is the second step of the synchronization.
        let is_last = message.starts_with(&[0, 1]);
        document.extend(message);
        if is_last {
            return Ok(document);
        }
    }
}
