//! Durations on the command line.

use askback_core::Limits;

/// Seconds as people write them.
pub(crate) fn seconds(text: &str) -> Result<u32, String> {
    const EXPECTED: &str = "expected a duration such as 90, 45s, 10m or 1h30m";
    if let Ok(seconds) = text.parse() {
        return within(seconds);
    }
    let mut total: u64 = 0;
    let mut smallest = u64::MAX;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).ok_or(EXPECTED)?;
        let count: u64 = rest[..digits].parse().map_err(|_| EXPECTED)?;
        let unit = match rest[digits..].chars().next() {
            Some('d') => 86_400,
            Some('h') => 3_600,
            Some('m') => 60,
            Some('s') => 1,
            _ => return Err(EXPECTED.to_owned()),
        };
        if unit >= smallest {
            return Err(EXPECTED.to_owned());
        }
        smallest = unit;
        total = count.checked_mul(unit).and_then(|part| total.checked_add(part)).ok_or(EXPECTED)?;
        rest = &rest[digits + 1..];
    }
    if smallest == u64::MAX { Err(EXPECTED.to_owned()) } else { within(total) }
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

    // L4
    #[test]
    fn durations_are_read_as_people_write_them() {
        let read: Vec<_> = ["90", "45s", "10m", "1h30m", "2d"].into_iter().map(seconds).collect();
        assert_eq!(read, [Ok(90), Ok(45), Ok(600), Ok(5_400), Ok(172_800)]);
        for text in ["", "0", "0s", "m", "10x", "1m1h", "5 m", "-5", "1.5h", "9999999999d", "99999999999999999999s"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
