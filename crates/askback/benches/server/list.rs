//! `askback list` while a hub runs, as a whole process, beside curl getting the same page. The goal: 10 ms.

use crate::client::{API, Call, Connection};
use crate::report::{Peer, Show, latency};
use crate::server::{Server, askback};
use crate::times::Times;
use crate::{Done, on_one_thread};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const TIMES: usize = 50;
/// As many as it shows.
const REQUESTS: usize = 50;
const QUESTION: &str = r#"{"type": "choice", "header": "Database", "message": "Which database?",
    "options": ["PostgreSQL", "SQLite", "MySQL"]}"#;

pub(crate) fn measure(folder: &Path) -> Done<Vec<Value>> {
    let server = Server::start(folder)?;
    on_one_thread(ask(&server))?;
    let mut ours = askback(folder);
    ours.args(["list"]);
    let mut curl = Command::new("curl");
    curl.args(["--silent", "--fail", "--unix-socket"]).arg(&server.socket);
    curl.args(["--header", &format!("authorization: Bearer {}", server.person)]);
    curl.arg(format!("http://hub{API}/requests?limit={REQUESTS}")).stdin(Stdio::null()).stdout(Stdio::null());
    let mut nothing = Command::new("true");
    let has_curl = Command::new("curl").arg("--version").stdout(Stdio::null()).status().is_ok();
    if !has_curl {
        eprintln!("curl is not installed, and left out");
    }
    let [mut listed, mut curled, mut idle] = [const { Vec::new() }; 3];
    // Round by round, so that all meet the same weather.
    for _ in 0..TIMES {
        listed.push(whole(&mut ours)?);
        idle.push(whole(&mut nothing)?);
        if has_curl {
            curled.push(whole(&mut curl)?);
        }
    }
    let [listed, curled, idle] = [listed, curled, idle].map(|times| times.into_iter().collect::<Times>());
    let mut peers = vec![Peer { name: "a process that does nothing", times: &idle }];
    peers.extend(has_curl.then_some(Peer { name: "curl getting the same page", times: &curled }));
    Ok(vec![latency(Show::Detail, "`askback list` of 50 requests, the whole process", &listed, &peers)])
}

async fn ask(server: &Server) -> Done<()> {
    let askers = server.askers().await?;
    let mut connection = Connection::open(server.address).await?;
    for asker in askers.iter().cycle().take(REQUESTS) {
        connection.must(&Call::post("/requests", asker, server.address, QUESTION)).await?;
    }
    Ok(())
}

/// From the start of a process to its end.
fn whole(command: &mut Command) -> Done<Duration> {
    let start = Instant::now();
    let status = command.status()?;
    let time = start.elapsed();
    if status.success() { Ok(time) } else { Err(format!("{command:?} failed: {status}").into()) }
}
