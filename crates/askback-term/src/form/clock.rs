//! How long a request stays open, and what is said about it (L4, Q8).

use std::time::Duration;

/// The warning comes in the last tenth, but no earlier than this.
const WARNING_AT_MOST: Duration = Duration::from_secs(30);

/// A request's time, counted from when it was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Clock {
    timeout: Option<Duration>,
}

impl Clock {
    pub(crate) fn new(timeout_s: Option<u32>) -> Self {
        Self { timeout: timeout_s.map(|seconds| Duration::from_secs(seconds.into())) }
    }

    pub(crate) fn has_expired(self, now: Duration) -> bool {
        self.timeout.is_some_and(|timeout| now >= timeout)
    }

    /// When what is said changes next.
    pub(crate) fn next_change(self, now: Duration) -> Option<Duration> {
        let left = self.timeout?.saturating_sub(now);
        let into_second = Duration::from_nanos(left.subsec_nanos().into());
        Some(now + if into_second.is_zero() { Duration::from_secs(1).min(left) } else { into_second })
    }

    /// "4:59 left".
    pub(crate) fn text(self, now: Duration) -> Option<String> {
        let left = self.timeout?.saturating_sub(now);
        let seconds = left.as_secs() + u64::from(left.subsec_nanos() > 0);
        let (days, hours, minutes, rest) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
        Some(match (days, hours) {
            (0, 0) => format!("{minutes}:{rest:02} left"),
            (0, _) => format!("{hours}:{minutes:02}:{rest:02} left"),
            _ => format!("{days}d {hours}h left"),
        })
    }

    pub(crate) fn is_urgent(self, now: Duration) -> bool {
        self.timeout.is_some_and(|timeout| timeout.saturating_sub(now) <= (timeout / 10).min(WARNING_AT_MOST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    // L4, Q8
    #[test]
    fn the_countdown_is_exact_and_warns_in_the_last_tenth() {
        let clock = Clock::new(Some(100));
        assert_eq!(clock.text(at(0)).as_deref(), Some("1:40 left"));
        assert_eq!(clock.text(at(400)).as_deref(), Some("1:40 left"));
        assert_eq!(clock.next_change(at(400)), Some(at(1_000)));
        assert_eq!(clock.next_change(at(1_000)), Some(at(2_000)));
        assert_eq!(clock.text(at(99_500)).as_deref(), Some("0:01 left"));
        assert!(!clock.is_urgent(at(89_999)) && clock.is_urgent(at(90_000)));
        assert!(!clock.has_expired(at(99_999)) && clock.has_expired(at(100_000)));
        assert!(!Clock::new(Some(86_400)).is_urgent(at(86_400_000 - 30_001)), "never earlier than 30 s");
        assert_eq!(Clock::new(Some(90_061)).text(at(0)).as_deref(), Some("1d 1h left"));
        assert_eq!(Clock::new(None).text(at(0)), None);
    }
}
