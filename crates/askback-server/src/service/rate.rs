//! Rate limits with token buckets.

use crate::limits::{RATES_KEPT, Rate};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// One bucket for each key.
pub(crate) struct Rates<K> {
    rate: Rate,
    buckets: Mutex<HashMap<K, Bucket>>,
}

/// A token bucket.
pub(crate) struct Bucket {
    rate: Rate,
    left: f64,
    at: Instant,
}

impl Bucket {
    pub(crate) fn full(rate: Rate, now: Instant) -> Self {
        Self { rate, left: f64::from(rate.burst), at: now }
    }

    /// Takes this many units. The error is the time until there are enough.
    pub(crate) fn take_some(&mut self, count: u32, now: Instant) -> Result<(), Duration> {
        let count = f64::from(count.min(self.rate.burst));
        let (full, each_second) = (f64::from(self.rate.burst), f64::from(self.rate.each_second));
        self.left += now.saturating_duration_since(self.at).as_secs_f64() * each_second;
        self.left = self.left.min(full);
        self.at = now;
        if self.left < count {
            return Err(Duration::from_secs_f64((count - self.left) / each_second));
        }
        self.left -= count;
        Ok(())
    }
}

impl<K: Eq + Hash> Rates<K> {
    pub(crate) fn new(rate: Rate) -> Self {
        Self { rate, buckets: Mutex::new(HashMap::new()) }
    }

    /// Takes one unit of a key's bucket. The error is the time until there is one.
    pub(crate) fn take(&self, key: K, now: Instant) -> Result<(), Duration> {
        let mut buckets = self.buckets.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if buckets.len() >= RATES_KEPT && !buckets.contains_key(&key) {
            // A bucket that is full again need not be kept.
            let refilled = Duration::from_secs_f64(f64::from(self.rate.burst) / f64::from(self.rate.each_second));
            buckets.retain(|_, bucket| now.saturating_duration_since(bucket.at) < refilled);
        }
        if buckets.len() >= RATES_KEPT && !buckets.contains_key(&key) {
            return Err(Duration::from_secs(1));
        }
        buckets.entry(key).or_insert_with(|| Bucket::full(self.rate, now)).take_some(1, now)
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
