//! The table of the resources that all callers share (S3, S8): the share of one token, what all askers may use together, and the total.
//! Each row reads the limits themselves; docs/security.md prints the table.

use crate::limits::{
    ASKER_CALLS, ASKER_LISTS, ASKERS_REPLAYING, ASKS, CONNECTIONS, FAILURES, FREE_BYTES, IN_FLIGHT, LOCAL_CONNECTIONS,
    MESSAGES, PEOPLE_REPLAYING, PERSON_CALLS, PERSON_LISTS, REPLAYS, Rate, SCRIPTS_KEPT, SCRIPTS_OF_ASKER,
};
use crate::pool::{Quota, Unit};
use askback_hub::limits::{OPEN_ROOMS, OPEN_ROOMS_OF_TOKEN, PRESENT, PRESENT_OF_TOKEN};
use askback_hub::{HubLimits, TokenLimits};
use askback_mcp::limits::{SESSIONS_IN_MEMORY, SESSIONS_IN_MEMORY_OF_TOKEN, SESSIONS_KEPT, SESSIONS_KEPT_OF_TOKEN};
use askback_script::WorkerLimits;
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

    fn counted(name: &str, of_token: usize, total: usize, past_it: &'static str) -> Self {
        Self::new(name, Unit::Items.amount(of_token), Unit::Items.amount(total), past_it)
    }

    fn of_rate(name: impl Into<String>, rate: Rate) -> Self {
        let amount = |count: u32| Unit::Items.amount(usize::try_from(count).unwrap_or(usize::MAX));
        Self::new(name, format!("{} a second, {} at once", amount(rate.each_second), amount(rate.burst)), "–", REFUSED)
    }
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
    vec![
        Row { past_it: "429 `too-many`; a room's connection closes with 1013", ..Row::of_quota(&in_flight, IN_FLIGHT) },
        Row::of_quota("connections over TCP", CONNECTIONS),
        Row::of_quota("connections over the Unix socket", LOCAL_CONNECTIONS),
        Row::of_rate("calls of an asker", ASKER_CALLS),
        Row::of_rate("calls of a person", PERSON_CALLS),
        Row::of_rate("lists, pages of the audit log and event streams that an asker opens", ASKER_LISTS),
        Row::of_rate("the same of a person", PERSON_LISTS),
        Row::of_rate("requests and scripts asked", ASKS),
        Row::of_rate("calls without a valid token, by address", FAILURES),
        Row::counted("pending requests", HUB.pending_of_asker, HUB.pending, REFUSED),
        Row::of_quota("event streams that read old events", REPLAYS),
        Row {
            of_askers: Unit::Items.amount(ASKERS_REPLAYING),
            ..Row::counted(
                "of these, reading at the same time",
                1,
                ASKERS_REPLAYING + PEOPLE_REPLAYING,
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
        Row::new("tokens", "–", Unit::Items.amount(TOKENS.tokens), REFUSED),
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
fn every_quota_has_a_share_for_each_token_and_a_part_that_askers_never_take() {
    for quota in [IN_FLIGHT, CONNECTIONS, LOCAL_CONNECTIONS, REPLAYS] {
        assert!(quota.of_token <= quota.of_askers && quota.of_askers < quota.total, "{quota:?}");
    }
}
