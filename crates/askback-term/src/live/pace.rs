//! How often to paint what comes in pieces: often enough to be smooth, and never more often than a screen shows.

use std::time::Duration;

/// From one painting to the next.
const STEP: Duration = Duration::from_millis(16);

/// When something was painted last, and whether there is something to paint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Pace {
    painted: Option<Duration>,
    waiting: bool,
}

impl Pace {
    /// There is something to paint.
    pub(crate) fn arrived(&mut self) {
        self.waiting = true;
    }

    /// Everything that had arrived was painted.
    pub(crate) fn painted(&mut self, now: Duration) {
        *self = Self { painted: Some(now), waiting: false };
    }

    /// When to paint what is there; a moment that has passed is now.
    pub(crate) fn next(self) -> Option<Duration> {
        self.waiting.then(|| self.painted.map_or(Duration::ZERO, |painted| painted + STEP))
    }

    pub(crate) fn is_due(self, now: Duration) -> bool {
        self.next().is_some_and(|next| next <= now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        // Q8
        #[test]
        fn there_is_one_painting_a_step_and_nothing_waits_longer(gaps in proptest::collection::vec(0u64..40_000, 1..200)) {
            let mut pace = Pace::default();
            let mut now = Duration::from_secs(5);
            // When each painting was, and since when the oldest of what it showed had waited.
            let mut paintings: Vec<(Duration, Duration)> = Vec::new();
            let mut oldest: Option<Duration> = None;
            for gap in gaps {
                let arrival = now + Duration::from_micros(gap);
                // Between two arrivals somebody sleeps until the next painting.
                if let Some(next) = pace.next().filter(|next| *next < arrival) {
                    let at = next.max(now);
                    prop_assert!(pace.is_due(at));
                    paintings.push((at, oldest.take().unwrap_or(at)));
                    pace.painted(at);
                }
                now = arrival;
                pace.arrived();
                oldest.get_or_insert(now);
                if pace.is_due(now) {
                    paintings.push((now, oldest.take().unwrap_or(now)));
                    pace.painted(now);
                }
            }
            prop_assert_eq!(paintings[0].0, paintings[0].1, "the first is painted at once");
            for pair in paintings.windows(2) {
                prop_assert!(pair[1].0 - pair[0].0 >= STEP);
            }
            for (at, since) in paintings {
                prop_assert!(at - since <= STEP);
            }
        }
    }
}
