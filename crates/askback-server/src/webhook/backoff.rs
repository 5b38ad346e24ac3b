//! Delays between retries, and the end of retrying.

use crate::limits::{HOOK_FIRST_RETRY, HOOK_GIVE_UP, HOOK_LAST_RETRY, HOOK_RETRY_AFTER, HOOK_TRIES};
use askback_hub::Timestamp;
use std::time::Duration;

/// The delay after a failure, with exponential backoff. The jitter adds up to a quarter, so that deliveries that failed together are
/// not retried together.
pub(super) fn delay(earlier_failures: u32, jitter: u32) -> Duration {
    let doubled = HOOK_FIRST_RETRY.saturating_mul(2_u32.saturating_pow(earlier_failures)).min(HOOK_LAST_RETRY);
    doubled + doubled.mul_f64(f64::from(jitter) / f64::from(u32::MAX) / 4.0)
}

/// A random number; zero if the system has none, since a retry without jitter is better than none.
pub(super) fn jitter() -> u32 {
    getrandom::u32().unwrap_or_default()
}

/// Whether an event that has failed again is given up.
pub(super) fn is_over(earlier_failures: u32, event_at: Timestamp, now: Timestamp) -> bool {
    let age = Duration::try_from(now.duration_since(event_at)).unwrap_or_default();
    earlier_failures.saturating_add(1) >= HOOK_TRIES && age >= HOOK_GIVE_UP
}

/// The delay that a receiver requests with `Retry-After`, in seconds or as a date.
pub(super) fn requested_delay(retry_after: &str, now: Timestamp) -> Option<Duration> {
    let delay = match retry_after.parse() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => {
            let until = jiff::fmt::rfc2822::parse(retry_after).ok()?.timestamp();
            Duration::try_from(until.duration_since(now)).unwrap_or_default()
        }
    };
    Some(delay.min(HOOK_RETRY_AFTER))
}

#[cfg(test)]
mod tests {
    use super::*;

    // S3
    #[test]
    fn each_wait_is_twice_the_one_before_up_to_an_hour() {
        let seconds = |failures| delay(failures, 0).as_secs();
        assert_eq!([0, 1, 2, 3, 11, 12, 40, u32::MAX].map(seconds), [1, 2, 4, 8, 2_048, 3_600, 3_600, 3_600]);
        assert_eq!(delay(2, u32::MAX), Duration::from_secs(5), "a quarter more at most");
    }

    // S3
    #[test]
    fn an_event_is_given_up_when_it_is_old_and_was_tried_often() {
        let now: Timestamp = "2026-11-17T09:30:00Z".parse().unwrap();
        let [old, young] = ["2026-11-16T09:30:00Z", "2026-11-16T09:30:01Z"].map(|at| at.parse().unwrap());
        assert!(is_over(HOOK_TRIES - 1, old, now));
        assert!(!is_over(HOOK_TRIES - 2, old, now), "a hub that was off tries what is old");
        assert!(!is_over(u32::MAX, young, now));
        assert!(!is_over(100, now, old), "a clock that was set back");
    }

    // S3
    #[test]
    fn a_receiver_says_when_to_come_back_in_seconds_or_as_a_date() {
        let now: Timestamp = "1994-11-06T08:49:30Z".parse().unwrap();
        let seconds = |text| requested_delay(text, now).map(|delay| delay.as_secs());
        assert_eq!(seconds("120"), Some(120));
        assert_eq!(seconds("Sun, 06 Nov 1994 08:49:37 GMT"), Some(7));
        assert_eq!(seconds("Sun, 06 Nov 1994 08:49:07 GMT"), Some(0), "a date that is past");
        assert_eq!(seconds("99999999999"), Some(24 * 60 * 60), "nobody is left alone for ever");
        for text in ["", "soon", "-1", "1.5"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
