//! The table of the resources that all callers share (S3, S8): the share of one token, what all askers may use together, and the total.
//! Each row reads the limits themselves; docs/security.md prints the table.

use crate::connection_slots::most_unheld;
use crate::limits::{
    ASKER_CALLS, ASKER_LISTS, ASKS, CLAIMS_KEPT, COMMANDS, CONNECTIONS, FAILURES, FREE_BYTES, IN_FLIGHT,
    LOCAL_CONNECTIONS, MESSAGES, PERSON_CALLS, PERSON_LISTS, READ_TURNS, REPLAY_TURNS, REPLAYS, RESPONSES, Rate,
    SCRIPTS_KEPT, SCRIPTS_OF_ASKER, WAITING_REQUESTS,
};
use crate::pool::{Quota, Unit};
use askback_hub::limits::{
    OPEN_ROOMS, OPEN_ROOMS_OF_TOKEN, PENDING_BYTES, PENDING_BYTES_OF_ASKER, PENDING_ENTRIES, PENDING_ENTRIES_OF_ASKER,
    PRESENT, PRESENT_OF_TOKEN,
};
use askback_hub::{HubLimits, TokenLimits};
use askback_mcp::limits::{SESSIONS_IN_MEMORY, SESSIONS_IN_MEMORY_OF_TOKEN, SESSIONS_KEPT, SESSIONS_KEPT_OF_TOKEN};
use askback_script::WorkerLimits;
use askback_sqlite::limits::{READERS, READS_WAITING, WRITE_BYTES_WAITING, WRITES_WAITING};
use std::path::Path;

/// One shared resource. What has no bound of its own is a dash.
struct SharedResource {
    name: String,
    of_token: String,
    of_askers: String,
    total: String,
    past_it: &'static str,
}

impl SharedResource {
    fn new(
        name: impl Into<String>,
        of_token: impl Into<String>,
        total: impl Into<String>,
        past_it: &'static str,
    ) -> Self {
        let of_askers = "–".to_owned();
        Self { name: name.into(), of_token: of_token.into(), of_askers, total: total.into(), past_it }
    }

    fn of_quota(name: &str, quota: Quota) -> Self {
        let Quota { unit, of_token, of_askers, total, .. } = quota;
        Self {
            of_askers: unit.amount(of_askers),
            ..Self::new(name, unit.amount(of_token), unit.amount(total), REFUSED)
        }
    }

    fn counted(name: &str, of_token: impl Into<Option<usize>>, total: usize, past_it: &'static str) -> Self {
        let of_token = of_token.into().map_or_else(|| "–".to_owned(), |of_token| Unit::Items.amount(of_token));
        Self::new(name, of_token, Unit::Items.amount(total), past_it)
    }

    fn of_rate(name: impl Into<String>, rate: Rate) -> Self {
        let amount = |count: u32| Unit::Items.amount(usize::try_from(count).unwrap_or(usize::MAX));
        Self::new(name, format!("{} a second, {} at once", amount(rate.each_second), amount(rate.burst)), "–", REFUSED)
    }
}

/// The connections of a listener that belong to no token.
fn unheld(name: &str, quota: Quota) -> SharedResource {
    let past_it = "the longest idle one is closed, a second after its last call at the earliest";
    SharedResource::new(name, "–", Unit::Items.amount(most_unheld(quota.total)), past_it)
}

const REFUSED: &str = "429 `too-many`";

fn all() -> Vec<SharedResource> {
    const HUB: HubLimits = HubLimits::DEFAULT;
    const TOKENS: TokenLimits = TokenLimits::DEFAULT;
    type Row = SharedResource;
    let scripts = WorkerLimits::default();
    let in_flight = format!(
        "bytes of bodies and of messages in rooms that arrive or are read, beyond the first {} KiB of each",
        FREE_BYTES >> 10
    );
    let responses = format!("bytes of responses of more than {} KiB that clients have not read", FREE_BYTES >> 10);
    let waiting = format!(
        "bytes of requests that MCP calls and scripts wait with, beyond the first {} KiB of each",
        FREE_BYTES >> 10
    );
    vec![
        Row { past_it: "429 `too-many`; a room's connection closes with 1013", ..Row::of_quota(&in_flight, IN_FLIGHT) },
        Row { past_it: "429 `too-many`; an event stream ends", ..Row::of_quota(&responses, RESPONSES) },
        Row {
            past_it: "the call ends as pending, the script with an error",
            ..Row::of_quota(&waiting, WAITING_REQUESTS)
        },
        Row::of_quota("connections over TCP", CONNECTIONS),
        Row::of_quota("connections over the Unix socket", LOCAL_CONNECTIONS),
        unheld("of those over TCP, connections that have shown no token", CONNECTIONS),
        unheld("the same over the Unix socket", LOCAL_CONNECTIONS),
        Row::of_rate("calls of an asker", ASKER_CALLS),
        Row::of_rate("calls of a person", PERSON_CALLS),
        Row::of_rate("lists, pages of the audit log and event streams that an asker opens", ASKER_LISTS),
        Row::of_rate("the same of a person", PERSON_LISTS),
        Row::of_rate("requests and scripts asked", ASKS),
        Row::of_rate("calls without a valid token, by address", FAILURES),
        Row::counted("pending requests", HUB.pending_of_asker, HUB.pending, REFUSED),
        Row::of_quota("event streams that read old events", REPLAYS),
        Row {
            of_askers: Unit::Items.amount(REPLAY_TURNS.of_askers),
            ..Row::counted(
                "of these, reading at the same time",
                REPLAY_TURNS.of_asker,
                REPLAY_TURNS.of_askers + REPLAY_TURNS.of_people,
                "the others wait their turn",
            )
        },
        Row { past_it: "it is read more slowly", ..Row::of_rate("messages of one connection in a room", MESSAGES) },
        Row::counted(
            "rooms that a token has opened and somebody is in",
            OPEN_ROOMS_OF_TOKEN,
            OPEN_ROOMS,
            "the connection closes with 1013",
        ),
        Row::counted("people shown in a room", PRESENT_OF_TOKEN, PRESENT, "the others are not shown"),
        Row::counted("tokens", None, TOKENS.tokens, REFUSED),
        Row::counted("login links that were not opened", TOKENS.login_links_of_token, TOKENS.logins, REFUSED),
        Row::counted(
            "sessions of browsers, with those links",
            TOKENS.sessions_of_token,
            TOKENS.logins,
            "its oldest session ends",
        ),
        Row::counted(
            "MCP sessions in memory",
            SESSIONS_IN_MEMORY_OF_TOKEN,
            SESSIONS_IN_MEMORY,
            "the longest idle one is kept on disk alone",
        ),
        Row::counted(
            "MCP sessions on disk",
            SESSIONS_KEPT_OF_TOKEN,
            SESSIONS_KEPT,
            "the oldest one of the token that has the most ends",
        ),
        Row::counted("scripts that run, wait or were not delivered", SCRIPTS_OF_ASKER, SCRIPTS_KEPT, REFUSED),
        Row::new(
            "memory of scripts that wait",
            Unit::Bytes.amount(scripts.owner_bytes),
            Unit::Bytes.amount(scripts.waiting_bytes),
            "the script that goes over it ends",
        ),
        Row::counted(
            "processes that run scripts",
            None,
            scripts.processes,
            "scripts share them, and the time of each is limited",
        ),
        Row::counted(
            "pending requests that a room's document shows",
            PENDING_ENTRIES_OF_ASKER,
            PENDING_ENTRIES,
            "the oldest of an asker past its part are shown on HTTP alone",
        ),
        Row::new(
            "bytes of these",
            Unit::Bytes.amount(PENDING_BYTES_OF_ASKER),
            Unit::Bytes.amount(PENDING_BYTES),
            "the same",
        ),
        Row::new(
            "calls that wait for an outcome",
            "as many as connections and scripts",
            Unit::Items.amount(HUB.waiters),
            REFUSED,
        ),
        Row::counted(
            "claims of deliveries",
            None,
            CLAIMS_KEPT,
            "all are forgotten, and none of them can be taken back",
        ),
        Row::counted(
            "events that wait for one webhook",
            None,
            HUB.outbox,
            "the oldest are not delivered, which is logged",
        ),
        Row::counted("commands of `on_request` that run", None, COMMANDS, "further requests wait in the log"),
        Row::counted("writes that wait for the disk", None, WRITES_WAITING, REFUSED),
        Row::new("bytes of these", "–", Unit::Bytes.amount(WRITE_BYTES_WAITING), REFUSED),
        Row {
            of_askers: Unit::Items.amount(READ_TURNS.of_askers),
            ..Row::counted("reads of the database at the same time", READ_TURNS.of_asker, READERS, "the others wait")
        },
        Row::counted("reads that wait", None, READS_WAITING, REFUSED),
    ]
}

const START: &str = "<!-- shared resources: from the code, by `ASKBACK_WRITE_DOCS=1 cargo test -p askback-server shared_resources` -->\n";
const END: &str = "<!-- end of shared resources -->";

fn table() -> String {
    let mut text = "\n| resource | one token | all askers | everybody | past it |\n|---|---|---|---|---|\n".to_owned();
    for SharedResource { name, of_token, of_askers, total, past_it } in all() {
        text.push_str(&format!("| {name} | {of_token} | {of_askers} | {total} | {past_it} |\n"));
    }
    text.push('\n');
    text
}

// S3, S8
#[test]
fn table_of_the_documentation_is_the_table_of_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/security.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(START).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let expected = format!("{before}{START}{}{END}{after}", table());
    if std::env::var_os("ASKBACK_WRITE_DOCS").is_some() {
        std::fs::write(&path, expected).unwrap();
    } else {
        assert!(
            page == expected,
            "docs/security.md is stale: run the command that its table names, and commit the page"
        );
    }
}

// S8
#[test]
fn askers_and_connections_without_a_token_leave_connections_to_people() {
    for quota in [CONNECTIONS, LOCAL_CONNECTIONS] {
        assert!(quota.of_askers + most_unheld(quota.total) < quota.total, "{quota:?}");
    }
}

// S8
#[test]
fn every_quota_has_a_share_for_each_token_and_a_part_that_askers_never_take() {
    for quota in [IN_FLIGHT, RESPONSES, WAITING_REQUESTS, CONNECTIONS, LOCAL_CONNECTIONS, REPLAYS] {
        assert!(quota.of_token <= quota.of_askers && quota.of_askers < quota.total, "{quota:?}");
    }
}
