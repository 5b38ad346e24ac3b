//! A room in which a hundred thousand requests were made, of which five hundred are pending: what a client loads, and what the
//! hub has to do for it.

use crate::client::{Call, Connection};
use crate::contender::room_name;
use crate::crowd::document;
use crate::memory::Memory;
use crate::report::{Peer, Show, latency, size};
use crate::server::Server;
use crate::socket::{Door, Socket, shared};
use crate::times::Times;
use crate::{Done, Effort, on_one_thread, yjs};
use askback_core::{Limits, Name, Request, Surface};
use askback_hub::{Ask, HubOptions, Room, Signature};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// Every so many, one stays pending: the worst case, for what has ended lies between any two of them.
const PENDING_EVERY: usize = 200;
/// Those who ask at once, so that they share the disk's syncs.
const AT_ONCE: usize = 500;
const QUESTION: &str = r#"{"type": "choice", "header": "Database",
    "message": "Which database should the new service use?",
    "options": [
        {"value": "PostgreSQL", "description": "What we run elsewhere; needs a server"},
        {"value": "SQLite", "description": "One file, no server"},
        {"value": "MySQL", "description": "What the old service uses"}]}"#;
const FRESH: &str = "a document of the same requests without a past";

/// A room that was opened.
struct Opened {
    /// From the connection's first byte to the whole document.
    time: Duration,
    document: Vec<Vec<u8>>,
    before: Memory,
    after: Memory,
}

pub(crate) fn measure(folder: &Path, effort: Effort) -> Done<Vec<Value>> {
    let requests = effort.of(100_000, 5_000);
    let filled = folder.join("filled");
    // So that there is a token.
    Server::start(&filled)?.stop();
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(fill(&filled, requests))?;
    let (mut first, mut again) = (Vec::new(), Vec::new());
    for number in 0..effort.of(5, 2) {
        // A hub keeps what it has read of a room; so each is the first in a folder of its own.
        let data = folder.join(format!("data-{number}"));
        copy(&filled, &data)?;
        first.push(open(&data)?);
        again.extend((0..effort.of(4, 2)).map(|_| open(&data)).collect::<Done<Vec<_>>>()?);
        std::fs::remove_dir_all(&data)?;
    }
    let times = |opened: &[Opened]| opened.iter().map(|opened| opened.time).collect::<Times>();
    let past = format!("a room with {} requests in its past", if requests == 100_000 { "100,000" } else { "5,000" });
    let opened = again.last().ok_or("no room was opened")?;
    let mut results = loaded(folder, &opened.document, &past, effort)?;
    let mut memory =
        size(Show::Detail, &format!("memory of the hub, after a client has opened {past}"), opened.after.resident);
    memory["details"] = json!({"before": opened.before.told(), "after": opened.after.told(),
        "after_the_first_time": first.first().map(|opened| opened.after.told())});
    let name = format!("{past}: from connecting to the whole document");
    results.extend([
        latency(Show::Detail, &name, &times(&again), &[]),
        latency(Show::Detail, &format!("{name}, for the first time"), &times(&first), &[]),
        memory,
    ]);
    Ok(results)
}

/// Fills a database, while no server has it.
async fn fill(folder: &Path, requests: usize) -> Done<()> {
    let hub = askback_sqlite::open_hub(folder.join("askback.db"), HubOptions::default()).await?;
    let request = Request::parse(QUESTION.as_bytes(), &Limits::DEFAULT)?;
    let (room, person) = (Room::parse(&room_name(0))?, Name::parse("reviewer")?);
    let mut asking = JoinSet::new();
    for first in 0..AT_ONCE {
        let asker = Name::parse(&format!("agent-{first}"))?;
        let (hub, request, room, person) = (hub.clone(), request.clone(), room.clone(), person.clone());
        asking.spawn(async move {
            for number in (first..requests).step_by(AT_ONCE) {
                let asked = hub.ask(Ask::new(request.clone(), asker.clone(), room.clone())).await?;
                if !(number / AT_ONCE + first).is_multiple_of(PENDING_EVERY) {
                    hub.answer(asked.id(), &["SQLite".into()], Signature::new(person.clone(), Surface::Http)).await?;
                }
            }
            Done::Ok(())
        });
    }
    while let Some(asked) = asking.join_next().await {
        asked??;
    }
    Ok(hub.close().await?)
}

fn copy(from: &Path, to: &Path) -> Done<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// Starts a hub, and opens the room as its first client.
fn open(data: &Path) -> Done<Opened> {
    let server = Server::start(data)?;
    on_one_thread(async {
        // It has answered before: what every hub does first is not what is measured.
        let mut connection = Connection::open(server.address).await?;
        connection.must(&Call::get("/requests?limit=1", &server.person, server.address)).await?;
        let before = Memory::of(server.id())?;
        let door = Door::new(server.address, &format!("/sync/{}", room_name(0))).with_token(&server.person);
        let start = Instant::now();
        let mut socket = Socket::open(&door, shared()).await?;
        socket.send(&yjs::STEP_1).await?;
        let document = document(&mut socket).await?;
        let time = start.elapsed();
        Ok(Opened { time, document, before, after: Memory::of(server.id())? })
    })
}

/// What a client in Node.js takes to load the document, beside another that shows the same.
fn loaded(folder: &Path, document: &[Vec<u8>], past: &str, effort: Effort) -> Done<Vec<Value>> {
    let mut bytes =
        size(Show::Headline, &format!("the document of {past}"), document.iter().map(Vec::len).sum::<usize>() as f64);
    let file = folder.join("document");
    // Each part behind its length.
    let parts = document.iter().flat_map(|part| [(part.len() as u32).to_le_bytes().to_vec(), part.clone()]);
    std::fs::write(&file, parts.collect::<Vec<_>>().concat())?;
    let mut node = Command::new("node");
    node.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/peers/node"));
    node.args(["--expose-gc", "y_load.mjs"]).arg(&file).arg(effort.of("200", "20"));
    let output = match node.output() {
        Ok(output) if output.status.success() => output.stdout,
        other => {
            eprintln!("Yjs does not run in Node.js, and is left out: {other:?}");
            return Ok(vec![bytes]);
        }
    };
    let loaded: Value = serde_json::from_slice(&output)?;
    bytes["shown"] = loaded["shown"].clone();
    bytes["pending"] = loaded["pending"].clone();
    let [ours, theirs] = ["ours", "theirs"].map(|whose| &loaded[whose]);
    let times = |of: &Value| {
        let ns = of["ns"].as_array().into_iter().flatten().filter_map(Value::as_f64);
        ns.map(|ns| Duration::from_nanos(ns as u64)).collect::<Times>()
    };
    let compared = |field: &str| {
        let [ours, theirs] = [ours, theirs].map(|of| of[field].as_f64().unwrap_or_default());
        json!([{"name": FRESH, "bytes": theirs, "ratio": ours / theirs}])
    };
    bytes["peers"] = compared("bytes");
    let mut heap =
        size(Show::Detail, "the same in the memory of a client in Node.js", ours["heap"].as_f64().unwrap_or_default());
    heap["peers"] = compared("heap");
    let fresh = times(theirs);
    let peer = Peer { name: FRESH, times: &fresh };
    Ok(vec![bytes, latency(Show::Detail, "the same, loaded by a client in Node.js", &times(ours), &[peer]), heap])
}
