//! Whether somebody is there to answer, and how long a hook waits while nobody is.

use super::limits::LEFT;
use askback_api::Me;
use std::time::{Duration, Instant};

/// Who would notice what is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    Nobody,
    /// Somebody looks at the hub.
    Somebody,
    /// Somebody is told wherever they are: by a webhook, or by the command for new requests.
    Told,
}

impl Presence {
    /// What the hub says of itself.
    pub(super) fn of(me: &Me) -> Self {
        match (me.told, me.people) {
            (true, _) => Self::Told,
            (false, 0) => Self::Nobody,
            (false, _) => Self::Somebody,
        }
    }
}

/// How long it is still worth waiting for somebody to come, or to come back.
#[derive(Debug)]
pub(super) struct Patience {
    after_leaving: Duration,
    until: Instant,
}

impl Patience {
    /// It begins when the question is asked: somebody may be on their way.
    pub(super) fn new(nobody: Duration, now: Instant) -> Self {
        Self { after_leaving: nobody.max(LEFT), until: now + nobody }
    }

    /// What is left of it, with this seen now; none where it does not matter who looks.
    pub(super) fn left(&mut self, seen: Presence, now: Instant) -> Option<Duration> {
        match seen {
            Presence::Told => return None,
            Presence::Somebody => self.until = now + self.after_leaving,
            Presence::Nobody => {}
        }
        Some(self.until.saturating_duration_since(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use askback_api::TokenInfo;
    use askback_core::{Name, Purpose, Role};

    const SECOND: Duration = Duration::from_secs(1);

    // L9
    #[test]
    fn who_would_notice_is_what_the_hub_says() {
        let token = TokenInfo {
            number: 1,
            purpose: Purpose::Token,
            role: Role::Asker,
            name: Name::parse("agents").unwrap(),
            room: None,
            created_at: jiff::Timestamp::UNIX_EPOCH,
            expires_at: None,
        };
        let seen = |people, told| Presence::of(&Me { token: token.clone(), dialogs: Vec::new(), people, told });
        assert_eq!(seen(0, false), Presence::Nobody);
        assert_eq!(seen(1, false), Presence::Somebody);
        assert_eq!(seen(2, true), Presence::Told);
        assert_eq!(seen(0, true), Presence::Told);
    }

    // L4
    #[test]
    fn nobody_is_waited_for_a_little_and_somebody_who_left_for_longer() {
        let begun = Instant::now();
        let mut patience = Patience::new(15 * SECOND, begun);
        assert_eq!(patience.left(Presence::Nobody, begun), Some(15 * SECOND));
        assert_eq!(patience.left(Presence::Nobody, begun + 14 * SECOND), Some(SECOND));
        assert_eq!(patience.left(Presence::Somebody, begun + 14 * SECOND), Some(LEFT), "just in time");
        let left = begun + 20 * SECOND;
        assert_eq!(patience.left(Presence::Somebody, left), Some(LEFT));
        assert_eq!(patience.left(Presence::Nobody, left + LEFT - SECOND), Some(SECOND), "gone since");
        assert_eq!(patience.left(Presence::Somebody, left + LEFT - SECOND), Some(LEFT), "and back");
        assert_eq!(patience.left(Presence::Nobody, left + LEFT + LEFT), Some(Duration::ZERO), "gone for good");
    }

    // L4
    #[test]
    fn who_wants_to_wait_long_for_anybody_waits_as_long_for_who_left() {
        let begun = Instant::now();
        let mut patience = Patience::new(10 * LEFT, begun);
        assert_eq!(patience.left(Presence::Somebody, begun), Some(10 * LEFT));
        assert_eq!(patience.left(Presence::Told, begun + 100 * LEFT), None, "told is told");
    }
}
