//! How long a call may wait for a person, by client: a little less than the client itself waits, so that its result is an answer
//! or "still pending", and never the client's own timeout.

use crate::limits::LONGEST_WAIT;
use std::time::Duration;

/// The longest waits of one client's calls.
pub(crate) struct Budget {
    /// For a call that reports its progress.
    pub(crate) with_progress: Duration,
    /// For any other.
    pub(crate) silent: Duration,
}

const fn seconds(with_progress: u64, silent: u64) -> Budget {
    Budget { with_progress: Duration::from_secs(with_progress), silent: Duration::from_secs(silent) }
}

/// For an unknown client: the SDKs give up after a minute, whether or not the client takes progress reports.
const UNKNOWN: Budget = seconds(45, 45);

/// By the beginning of the client's name. Measured with the clients themselves where possible; docs/clients describes each of them.
const CLIENTS: &[(&str, Budget)] = &[
    // Gives up after minutes without progress, and never while there is some.
    ("claude-code", seconds(LONGEST_WAIT.as_secs(), 45)),
    // Gives up after 300 seconds, with or without progress.
    ("codex", seconds(270, 270)),
    // Gives up after ten minutes, with or without progress.
    ("gemini-cli", seconds(540, 540)),
    // Gives up after ten minutes, and after five without progress.
    ("qwen-cli", seconds(540, 270)),
    // Has no limit of its own; the person there can stop the call.
    ("Visual Studio Code", seconds(600, 600)),
];

impl Budget {
    /// The budget of a client by its name.
    pub(crate) fn of(client: Option<&str>) -> &'static Self {
        let known = client.and_then(|client| CLIENTS.iter().find(|(name, _)| client.starts_with(name)));
        known.map_or(&UNKNOWN, |(_, budget)| budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // L3
    #[test]
    fn a_call_ends_before_its_client_gives_up() {
        let waits = |client| (Budget::of(client).with_progress.as_secs(), Budget::of(client).silent.as_secs());
        assert_eq!(waits(None), (45, 45));
        assert_eq!(waits(Some("mcp-inspector")), (45, 45));
        assert_eq!(waits(Some("codex-mcp-client")), (270, 270));
        assert_eq!(waits(Some("claude-code")), (LONGEST_WAIT.as_secs(), 45));
        assert!(
            CLIENTS.iter().all(|(_, known)| known.silent <= known.with_progress && known.with_progress <= LONGEST_WAIT)
        );
    }
}
