//! How often somebody may do something: a bucket that fills by itself.

use super::limits::{RATES_KEPT, Rate};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A bucket for each of them.
pub(super) struct Rates<K> {
    rate: Rate,
    buckets: Mutex<HashMap<K, Bucket>>,
}

struct Bucket {
    left: f64,
    at: Instant,
}

impl<K: Eq + Hash> Rates<K> {
    pub(super) fn new(rate: Rate) -> Self {
        Self { rate, buckets: Mutex::new(HashMap::new()) }
    }

    /// Takes one, or says how long it is until there is one again.
    pub(super) fn take(&self, whose: K, now: Instant) -> Result<(), Duration> {
        let each_second = f64::from(self.rate.each_second);
        let full = f64::from(self.rate.burst);
        let mut buckets = self.buckets.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if buckets.len() >= RATES_KEPT && !buckets.contains_key(&whose) {
            // Who has been quiet until the bucket was full again is as good as new.
            let refilled = Duration::from_secs_f64(full / each_second);
            buckets.retain(|_, bucket| now.saturating_duration_since(bucket.at) < refilled);
        }
        if buckets.len() >= RATES_KEPT && !buckets.contains_key(&whose) {
            return Err(Duration::from_secs(1));
        }
        let bucket = buckets.entry(whose).or_insert(Bucket { left: full, at: now });
        bucket.left += now.saturating_duration_since(bucket.at).as_secs_f64() * each_second;
        bucket.left = bucket.left.min(full);
        bucket.at = now;
        if bucket.left < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - bucket.left) / each_second));
        }
        bucket.left -= 1.0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // S3
    #[test]
    fn a_burst_passes_and_then_so_many_each_second() {
        let rates = Rates::new(Rate { burst: 3, each_second: 2 });
        let start = Instant::now();
        for _ in 0..3 {
            assert_eq!(rates.take("ci", start), Ok(()));
        }
        assert_eq!(rates.take("ci", start), Err(Duration::from_millis(500)));
        assert_eq!(rates.take("other", start), Ok(()), "each has its own");
        let later = start + Duration::from_millis(500);
        assert_eq!(rates.take("ci", later), Ok(()));
        assert!(rates.take("ci", later).is_err());
    }

    // S3
    #[test]
    fn only_so_many_are_remembered() {
        let rates = Rates::new(Rate { burst: 2, each_second: 1 });
        let start = Instant::now();
        for whose in 0..RATES_KEPT {
            assert_eq!(rates.take(whose, start), Ok(()));
        }
        assert!(rates.take(RATES_KEPT, start).is_err(), "whoever floods it is not remembered instead of others");
        assert_eq!(rates.take(RATES_KEPT, start + Duration::from_secs(3)), Ok(()));
    }
}
