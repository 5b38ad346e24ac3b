//! Relative times for people.

use askback_hub::Timestamp;

/// "5 min ago".
pub(super) fn ago(moment: Timestamp, now: Timestamp) -> String {
    match length(now.duration_since(moment).as_secs()) {
        Some(length) => format!("{length} ago"),
        None => "just now".to_owned(),
    }
}

/// "in 5 min".
pub(super) fn ahead(moment: Timestamp, now: Timestamp) -> String {
    match length(moment.duration_since(now).as_secs()) {
        Some(length) => format!("in {length}"),
        None => "in less than a minute".to_owned(),
    }
}

fn length(seconds: i64) -> Option<String> {
    match seconds {
        ..60 => None,
        60..3_600 => Some(format!("{} min", seconds / 60)),
        3_600..86_400 => Some(format!("{} h", seconds / 3_600)),
        86_400..172_800 => Some("1 day".to_owned()),
        _ => Some(format!("{} days", seconds / 86_400)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::SignedDuration;

    // L9
    #[test]
    fn lengths_are_told_as_people_say_them() {
        let now = Timestamp::now();
        let told = |seconds: i64| {
            let moment = now + SignedDuration::from_secs(seconds);
            if seconds > 0 { ahead(moment, now) } else { ago(moment, now) }
        };
        assert_eq!([told(-3), told(-60), told(-7_300)], ["just now", "1 min ago", "2 h ago"]);
        assert_eq!([told(59), told(86_400), told(200_000)], ["in less than a minute", "in 1 day", "in 2 days"]);
    }
}
