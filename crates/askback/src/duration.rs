//! Durations on the command line.

use askback_core::Limits;
use jiff::{Span, SpanRelativeTo};

/// Seconds as people write them: a number, or numbers with the units d, h, m and s in this order.
pub(crate) fn seconds(text: &str) -> Result<u32, String> {
    const EXPECTED: &str = "expected a duration such as 90, 45s, 10m or 1h30m";
    if let Ok(seconds) = text.parse() {
        return within(seconds);
    }
    // The format of jiff has many more units and spellings; fractions of a second would be dropped.
    let is_short = text.bytes().all(|byte| byte.is_ascii_digit() || b"dhms".contains(&byte)) && !text.contains("ms");
    let span: Span = text.parse().ok().filter(|_| is_short).ok_or(EXPECTED)?;
    let duration = span.to_duration(SpanRelativeTo::days_are_24_hours()).map_err(|_| EXPECTED)?;
    within(duration.as_secs().unsigned_abs())
}

fn within(seconds: u64) -> Result<u32, String> {
    let most = Limits::DEFAULT.timeout_s;
    u32::try_from(seconds)
        .ok()
        .filter(|seconds| (1..=most).contains(seconds))
        .ok_or_else(|| format!("expected from 1 second to {} days", most / 86_400))
}

#[cfg(test)]
mod tests {
    use super::seconds;

    const DAY: u32 = 86_400;

    // L4
    #[test]
    fn duration_of_descending_units_is_read() {
        for (text, expected) in [
            ("1", 1),
            ("90", 90),
            ("0090", 90),
            ("+90", 90),
            ("45s", 45),
            ("90s", 90),
            ("10m", 600),
            ("90m", 5_400),
            ("1h30m", 5_400),
            ("1h0m5s", 3_605),
            ("0h5m", 300),
            ("007m", 420),
            ("2d", 2 * DAY),
            ("1d1h1m1s", DAY + 3_661),
            ("1d5s", DAY + 5),
            ("366d", 366 * DAY),
            ("31622400s", 366 * DAY),
        ] {
            assert_eq!(seconds(text), Ok(expected), "{text}");
        }
    }

    // L4
    #[test]
    fn text_that_is_no_duration_is_refused_with_examples() {
        for text in [
            "",
            " ",
            "m",
            "s5",
            "10x",
            "10M",
            "1m1h",
            "1h1h",
            "5 m",
            " 5m",
            "5m ",
            "1h 30m",
            "1h,30m",
            "-5",
            "-5m",
            "+5m",
            "1.5h",
            "1,5h",
            "1h30",
            "10ms",
            "5s0ms",
            "1us",
            "5min",
            "5 minutes",
            "2 days ago",
            "1w",
            "1y",
            "1mo",
            "PT5M",
            "1:30",
            "00:01:30",
            "5µs",
            "٥m",
            "1h-5m",
            "99999999999999999999s",
        ] {
            let message = seconds(text).unwrap_err();
            assert_eq!(message, "expected a duration such as 90, 45s, 10m or 1h30m", "{text}");
        }
    }

    // L4
    #[test]
    fn duration_out_of_range_is_refused_with_the_range() {
        for text in ["0", "0s", "0d0h", "367d", "31622401", "31622401s", "366d1s", "99999999999", "99999999999s"] {
            assert_eq!(seconds(text).unwrap_err(), "expected from 1 second to 366 days", "{text}");
        }
    }
}
