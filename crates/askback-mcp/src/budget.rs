//! How long a call may wait for a person, client by client: a little less than the client itself would wait, so that what it gets
//! is an answer or "still pending", and never its own timeout.

use crate::limits::LONGEST_WAIT;
use std::time::Duration;

/// What is known of a client.
struct Row {
    /// What it calls itself, or how that begins.
    client: &'static str,
    /// The budget of a call of which it wants to hear progress.
    with_progress: Duration,
    /// The budget of any other.
    silent: Duration,
}

const fn row(client: &'static str, with_progress: Duration, silent: Duration) -> Row {
    Row { client, with_progress, silent }
}

const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// One that nobody knows: the SDKs give up after a minute, and that a client wants to hear progress does not say that it waits longer.
const UNKNOWN: Row = row("", seconds(45), seconds(45));

/// Measured with the clients themselves, where they can be had; docs/clients says what each of them does.
const CLIENTS: &[Row] = &[
    // Gives up after minutes without progress, and never while there is some.
    row("claude-code", LONGEST_WAIT, seconds(45)),
    // 300 seconds, whatever it hears.
    row("codex", seconds(270), seconds(270)),
    // Ten minutes, whatever it hears.
    row("gemini-cli", seconds(540), seconds(540)),
    // Ten minutes, and five without progress.
    row("qwen-cli", seconds(540), seconds(270)),
    // Has no limit of its own; whoever waits there can stop it.
    row("Visual Studio Code", seconds(600), seconds(600)),
];

/// How long a call of this client may wait of which it hears progress.
pub(crate) fn with_progress(client: Option<&str>) -> Duration {
    row_of(client).with_progress
}

/// How long any other may.
pub(crate) fn silent(client: Option<&str>) -> Duration {
    row_of(client).silent
}

fn row_of(client: Option<&str>) -> &'static Row {
    let known = client.and_then(|client| CLIENTS.iter().find(|row| client.starts_with(row.client)));
    known.unwrap_or(&UNKNOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    // L3
    #[test]
    fn a_call_ends_before_its_client_gives_up() {
        assert_eq!(with_progress(None), seconds(45));
        assert_eq!(silent(Some("mcp-inspector")), seconds(45));
        assert_eq!(with_progress(Some("codex-mcp-client")), seconds(270));
        assert_eq!(with_progress(Some("claude-code")), LONGEST_WAIT);
        assert_eq!(silent(Some("claude-code")), seconds(45));
        assert!(CLIENTS.iter().all(|row| row.silent <= row.with_progress && row.with_progress <= LONGEST_WAIT));
    }
}
