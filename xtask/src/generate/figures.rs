//! The README's figures, taken from the newest committed measurements.

use crate::project::read;
use serde_json::Value;

/// The measurements that are shown, by the names of their files.
const SHOWN: [&str; 3] = ["terminal", "conversation", "core"];
const END: &str = "<!-- end of figures -->";

/// The page with its figures filled in.
pub(super) fn fill(page: &str) -> Result<String, String> {
    SHOWN.iter().try_fold(page.to_owned(), |page, name| fill_one(&page, name))
}

fn fill_one(page: &str, name: &str) -> Result<String, String> {
    let path = format!("bench/results/{name}.json");
    let start = format!("<!-- figures: from {path} by `cargo xtask gen` -->\n");
    let (before, rest) = page.split_once(&start).ok_or_else(|| format!("README.md has no line `{}`", start.trim()))?;
    let (_, after) = rest.split_once(END).ok_or_else(|| format!("README.md has no line `{END}`"))?;
    let results: Value = serde_json::from_str(&read(&path)?).map_err(|error| format!("{path}: {error}"))?;
    Ok(format!("{before}{start}{}{END}{after}", table(&results)))
}

fn table(results: &Value) -> String {
    let mut text = String::from("\n| | time | compared with |\n|---|---|---|\n");
    for result in results["results"].as_array().into_iter().flatten().filter(|result| result["headline"] == true) {
        let peers = result["peers"].as_array().into_iter().flatten();
        let peers: Vec<String> = peers
            .map(|peer| {
                let (name, ratio) = (peer["name"].as_str().unwrap_or_default(), peer["ratio"].as_f64().unwrap_or(1.0));
                // A small fraction says more the other way round.
                if ratio < 0.2 {
                    format!("{:.0} times faster than {name}", 1.0 / ratio)
                } else {
                    format!("{ratio:.1} × the time of {name}")
                }
            })
            .collect();
        let time = duration(result["median_ns"].as_f64().unwrap_or_default());
        text.push_str(&format!(
            "| {} | {time} | {} |\n",
            result["name"].as_str().unwrap_or_default(),
            peers.join("; ")
        ));
    }
    text.push('\n');
    text
}

fn duration(ns: f64) -> String {
    match ns {
        ns if ns < 1e3 => format!("{ns:.0} ns"),
        ns if ns < 1e6 => format!("{:.1} µs", ns / 1e3),
        ns => format!("{:.1} ms", ns / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_written_in_the_unit_people_use() {
        assert_eq!([duration(940.4), duration(1_500.0), duration(12_340_000.0)], ["940 ns", "1.5 µs", "12.3 ms"]);
    }

    #[test]
    fn only_headlines_are_shown() {
        let results = serde_json::json!({"results": [
            {"name": "a", "headline": true, "median_ns": 10.0, "peers": [{"name": "b", "ratio": 2.04}]},
            {"name": "c", "headline": false, "median_ns": 10.0, "peers": []},
        ]});
        assert_eq!(
            table(&results),
            "\n| | time | compared with |\n|---|---|---|\n| a | 10 ns | 2.0 × the time of b |\n\n"
        );
    }
}
