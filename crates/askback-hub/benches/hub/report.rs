//! Measurements as results: the shape that `cargo xtask bench` keeps and prints.

use crate::times::Times;
use serde_json::{Value, json};

/// Whether the README shows a result.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Show {
    Headline,
    Detail,
}

/// Someone else's times for the same.
#[derive(Clone)]
pub(crate) struct Peer<'a> {
    pub(crate) name: &'a str,
    pub(crate) times: &'a Times,
}

/// A time that people wait for.
pub(crate) fn latency(show: Show, name: &str, ours: &Times, peers: &[Peer<'_>]) -> Value {
    let median = ours.median();
    let peers: Vec<Value> = peers
        .iter()
        .map(|Peer { name, times }| {
            let (theirs, p95) = (times.median(), times.quantile(95));
            json!({"name": name, "median_ns": theirs, "p95_ns": p95, "ratio": median / theirs})
        })
        .collect();
    json!({
        "name": name,
        "headline": show == Show::Headline,
        "median_ns": median,
        "p95_ns": ours.quantile(95),
        "p99_ns": ours.quantile(99),
        "samples": ours.len(),
        "peers": peers,
    })
}

/// A rate: the time that one takes while many are under way, and how many that are in a second.
pub(crate) fn rate(show: Show, name: &str, ours: &Times, peers: &[Peer<'_>]) -> Value {
    let mut result = latency(show, name, ours, peers);
    result["per_second"] = json!(ours.per_second());
    result
}

/// A size.
pub(crate) fn size(show: Show, name: &str, bytes: f64) -> Value {
    json!({"name": name, "headline": show == Show::Headline, "bytes": bytes, "peers": []})
}
