//! The figures of pages, taken from the newest committed measurements.

use crate::project::read;
use serde_json::Value;

/// The measurements that the README shows, by the names of their files.
const SHOWN: [&str; 7] = ["terminal", "conversation", "mcp", "server", "page", "hub", "core"];
const END: &str = "<!-- end of figures -->";

/// Which of the results are shown.
#[derive(Clone, Copy, PartialEq)]
enum Rows {
    Headlines,
    All,
}

/// The README with its figures filled in.
pub(super) fn fill(page: &str) -> Result<String, String> {
    SHOWN.iter().try_fold(page.to_owned(), |page, name| fill_one(&page, name, Rows::Headlines))
}

/// A page with everything that was measured under this name.
pub(super) fn fill_all(page: &str, name: &str) -> Result<String, String> {
    fill_one(page, name, Rows::All)
}

fn fill_one(page: &str, name: &str, rows: Rows) -> Result<String, String> {
    let path = format!("bench/results/{name}.json");
    let start = format!("<!-- figures: from {path} by `cargo xtask gen` -->\n");
    let (before, rest) = page.split_once(&start).ok_or_else(|| format!("a page has no line `{}`", start.trim()))?;
    let (_, after) = rest.split_once(END).ok_or_else(|| format!("a page has no line `{END}`"))?;
    let results: Value = serde_json::from_str(&read(&path)?).map_err(|error| format!("{path}: {error}"))?;
    Ok(format!("{before}{start}{}{END}{after}", table(&results, rows)))
}

fn table(results: &Value, rows: Rows) -> String {
    let results = results["results"].as_array().into_iter().flatten();
    let shown: Vec<&Value> = results.filter(|result| rows == Rows::All || result["headline"] == true).collect();
    // Rates and sizes are no times.
    let unit = |result: &&Value| result["per_second"].is_null() && result["bytes"].is_null();
    let column = if shown.iter().all(unit) { "time" } else { "" };
    let mut text = format!("\n| | {column} | compared with |\n|---|---|---|\n");
    for result in shown {
        let peers = result["peers"].as_array().into_iter().flatten();
        let peers: Vec<String> = peers.map(|peer| compared(result, peer)).collect();
        let name = result["name"].as_str().unwrap_or_default();
        text.push_str(&format!("| {name} | {} | {} |\n", figure(result), peers.join("; ")));
    }
    text.push('\n');
    text
}

/// What was measured, in its unit.
fn figure(result: &Value) -> String {
    match (result["bytes"].as_f64(), result["per_second"].as_f64()) {
        (Some(bytes), _) => size(bytes),
        (None, Some(rate)) => format!("{} a second", with_commas(rate)),
        (None, None) => duration(result["median_ns"].as_f64().unwrap_or_default()),
    }
}

fn compared(result: &Value, peer: &Value) -> String {
    let (name, ratio) = (peer["name"].as_str().unwrap_or_default(), peer["ratio"].as_f64().unwrap_or(1.0));
    let (is_size, is_rate) = (!result["bytes"].is_null(), !result["per_second"].is_null());
    match ratio {
        // A small fraction says more the other way round.
        ratio if ratio < 0.2 && is_size => format!("{:.0} times smaller than {name}", 1.0 / ratio),
        ratio if ratio < 0.2 => format!("{:.0} times faster than {name}", 1.0 / ratio),
        ratio if is_size => format!("{ratio:.1} × the size of {name}"),
        ratio if is_rate => format!("{:.1} × the rate of {name}", 1.0 / ratio),
        ratio => format!("{ratio:.1} × the time of {name}"),
    }
}

fn duration(ns: f64) -> String {
    match ns {
        ns if ns < 1e3 => format!("{ns:.0} ns"),
        ns if ns < 1e6 => format!("{:.1} µs", ns / 1e3),
        ns => format!("{:.1} ms", ns / 1e6),
    }
}

fn size(bytes: f64) -> String {
    match bytes {
        bytes if bytes < 1e4 => format!("{} bytes", with_commas(bytes)),
        bytes if bytes < 1e6 => format!("{:.1} kB", bytes / 1e3),
        bytes if bytes < 1e9 => format!("{:.1} MB", bytes / 1e6),
        bytes => format!("{:.1} GB", bytes / 1e9),
    }
}

/// A whole number as people read it: 12,345.
fn with_commas(number: f64) -> String {
    let digits = format!("{number:.0}");
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    groups.iter().map(|group| String::from_utf8_lossy(group)).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_and_sizes_are_no_times() {
        let results = serde_json::json!({"results": [
            {"name": "a", "headline": true, "median_ns": 80_000.0, "per_second": 12_500.4, "peers": [
                {"name": "b", "ratio": 0.5}, {"name": "c", "ratio": 0.01},
            ]},
            {"name": "d", "headline": true, "bytes": 1_021.0, "peers": []},
            {"name": "f", "headline": true, "bytes": 12_340.0, "peers": [
                {"name": "g", "ratio": 0.5}, {"name": "h", "ratio": 0.1},
            ]},
            {"name": "e", "headline": true, "bytes": 626_298_880.0, "peers": []},
        ]});
        let rows = "| a | 12,500 a second | 2.0 × the rate of b; 100 times faster than c |\n\
                    | d | 1,021 bytes |  |\n\
                    | f | 12.3 kB | 0.5 × the size of g; 10 times smaller than h |\n| e | 626.3 MB |  |\n";
        assert_eq!(table(&results, Rows::Headlines), format!("\n| |  | compared with |\n|---|---|---|\n{rows}\n"));
        assert_eq!([0.0, 999.0, 1_000.0, 1_234_567.0].map(with_commas), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn figures_are_written_in_the_unit_people_use() {
        assert_eq!([duration(940.4), duration(1_500.0), duration(12_340_000.0)], ["940 ns", "1.5 µs", "12.3 ms"]);
    }

    #[test]
    fn only_headlines_are_shown_unless_all_are_wanted() {
        let results = serde_json::json!({"results": [
            {"name": "a", "headline": true, "median_ns": 10.0, "peers": [{"name": "b", "ratio": 2.04}]},
            {"name": "c", "headline": false, "median_ns": 10.0, "peers": []},
        ]});
        assert_eq!(
            table(&results, Rows::Headlines),
            "\n| | time | compared with |\n|---|---|---|\n| a | 10 ns | 2.0 × the time of b |\n\n"
        );
        assert!(table(&results, Rows::All).ends_with("| c | 10 ns |  |\n\n"));
    }
}
