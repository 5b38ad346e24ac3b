//! Times: taking them, and what they come to.

use crate::{Done, Failure};
use serde_json::{Value, json};
use std::future::Future;
use std::time::{Duration, Instant};

/// What takes long is done less often than it should be, for about this long.
const PATIENCE: Duration = Duration::from_secs(2);

/// What something took, again and again, in nanoseconds.
#[derive(Debug, Clone, Default)]
pub(crate) struct Times(Vec<f64>);

impl Times {
    pub(crate) fn add(&mut self, ns: f64) {
        self.0.push(ns);
    }

    /// The time below which this share of them is.
    pub(crate) fn quantile(&self, percent: usize) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len().saturating_sub(1);
        sorted.get((sorted.len() * percent / 100).min(last)).copied().unwrap_or_default()
    }

    pub(crate) fn median(&self) -> f64 {
        self.quantile(50)
    }

    pub(crate) fn per_second(&self) -> f64 {
        1e9 / self.median()
    }

    /// The same work counted in smaller pieces.
    pub(crate) fn divided_by(&self, pieces: f64) -> Self {
        Self(self.0.iter().map(|time| time / pieces).collect())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The median and the tail, for where both are told beside something else.
    pub(crate) fn summary(&self) -> Value {
        json!({"median_ns": self.median(), "p95_ns": self.quantile(95), "p99_ns": self.quantile(99)})
    }
}

impl FromIterator<Duration> for Times {
    fn from_iter<I: IntoIterator<Item = Duration>>(times: I) -> Self {
        Self(times.into_iter().map(|time| time.as_nanos() as f64).collect())
    }
}

/// The times of something that is done again and again: this often, or until patience ends.
pub(crate) async fn repeat<T, E, F>(times: usize, mut work: impl FnMut() -> F) -> Done<Times>
where
    E: Into<Failure>,
    F: Future<Output = Result<T, E>>,
{
    let begun = Instant::now();
    let mut all = Vec::with_capacity(times);
    while all.len() < times && begun.elapsed() < PATIENCE {
        let start = Instant::now();
        work().await.map_err(Into::into)?;
        all.push(start.elapsed());
    }
    Ok(all.into_iter().collect())
}
