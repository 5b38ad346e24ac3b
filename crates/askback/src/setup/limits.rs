//! Every limit of setting up (S3), in one place.

/// Bytes of a configuration. Claude Code keeps more than settings in its own.
pub(super) const FILE_BYTES: usize = 64 << 20;

/// Links that are followed to a file, as many as Linux follows.
pub(super) const LINKS: usize = 40;

/// Backups of one file that are kept beside each other.
pub(super) const BACKUPS: u32 = 1_000;

/// Seconds that Claude Code gives the hook: more than the hook gives a person, or it would be cut off before it has taken its question away.
pub(super) const HOOK_SECONDS: u32 = 660;

/// Seconds that Codex and Qwen Code give a call.
pub(super) const TOOL_SECONDS: u32 = 3_600;

/// How long a call may wait for a person there: less than the agent waits for the call.
pub(super) const TOOL_WAIT: &str = "55m";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::duration::seconds;
    use crate::hook::limits::{LATE, TAKING_AWAY, TIMEOUT};
    use std::time::Duration;

    // L3
    #[test]
    fn an_agent_waits_longer_than_the_person_is_given() {
        let given = Duration::from_secs(seconds(TIMEOUT).unwrap().into());
        assert!(Duration::from_secs(HOOK_SECONDS.into()) > given + LATE + TAKING_AWAY);
        assert!(seconds(TOOL_WAIT).unwrap() < TOOL_SECONDS);
    }
}
