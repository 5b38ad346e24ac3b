//! Relative times for people: one wording for every list and page.

use jiff::Timestamp;

/// "5 minutes ago", or "just now" for anything less than a minute old.
pub fn ago(at: Timestamp, now: Timestamp) -> String {
    length(at, now).map_or_else(|| "just now".to_owned(), |length| format!("{length} ago"))
}

/// "in 5 minutes".
pub fn ahead(at: Timestamp, now: Timestamp) -> String {
    format!("in {}", length(now, at).as_deref().unwrap_or(LESS))
}

/// "5 minutes left".
pub fn left(until: Timestamp, now: Timestamp) -> String {
    format!("{} left", length(now, until).as_deref().unwrap_or(LESS))
}

const LESS: &str = "less than a minute";

/// The time between two timestamps in its largest whole unit, unless it is less than a minute: seconds would only flicker.
fn length(from: Timestamp, to: Timestamp) -> Option<String> {
    let seconds = to.duration_since(from).as_secs();
    let (count, unit) = match seconds {
        ..60 => return None,
        60..3_600 => (seconds / 60, "minute"),
        3_600..86_400 => (seconds / 3_600, "hour"),
        86_400.. => (seconds / 86_400, "day"),
    };
    let plural = if count == 1 { "" } else { "s" };
    Some(format!("{count} {unit}{plural}"))
}

#[cfg(test)]
mod tests {
    use super::{ago, ahead, left};
    use jiff::{SignedDuration, Timestamp};

    // L9
    #[test]
    fn relative_time_has_one_whole_unit() {
        let now: Timestamp = "2026-11-15T17:40:00Z".parse().unwrap();
        for (seconds, length) in [
            (60, "1 minute"),
            (119, "1 minute"),
            (3_599, "59 minutes"),
            (3_600, "1 hour"),
            (86_399, "23 hours"),
            (86_400, "1 day"),
            (200_000, "2 days"),
        ] {
            let distance = SignedDuration::from_secs(seconds);
            assert_eq!(ago(now - distance, now), format!("{length} ago"));
            assert_eq!(ahead(now + distance, now), format!("in {length}"));
            assert_eq!(left(now + distance, now), format!("{length} left"));
        }
    }

    // L9
    #[test]
    fn time_of_less_than_a_minute_or_in_the_other_direction_has_no_number() {
        let now: Timestamp = "2026-11-15T17:40:00Z".parse().unwrap();
        for seconds in [0, 59, -3_600] {
            let distance = SignedDuration::from_secs(seconds);
            assert_eq!(ago(now - distance, now), "just now");
            assert_eq!(ahead(now + distance, now), "in less than a minute");
            assert_eq!(left(now + distance, now), "less than a minute left");
        }
    }
}
