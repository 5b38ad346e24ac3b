//! The outcomes that cargo-mutants writes, against the list of accepted mutants.

use super::functions::AcceptedMutant;
use serde_json::Value;
use std::fmt;

/// The outcomes of some mutants.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Mutants that tests notice.
    pub(super) noticed: usize,
    /// Mutants that make the tests hang, which is noticed, too.
    pub(super) hanging: usize,
    /// Mutants that do not compile.
    pub(super) unviable: usize,
    /// Mutants that no test notices, as the list says, with the reasons.
    pub(super) accepted: Vec<String>,
    /// Mutants that no test notices although one should, with their places.
    pub(super) survived: Vec<String>,
}

impl Tally {
    pub(super) fn add(&mut self, other: Self) {
        self.noticed += other.noticed;
        self.hanging += other.hanging;
        self.unviable += other.unviable;
        self.accepted.extend(other.accepted);
        self.survived.extend(other.survived);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { noticed, hanging, unviable, accepted, survived } = self;
        let (accepted, survived) = (accepted.len(), survived.len());
        let all = noticed + hanging + unviable + accepted + survived;
        write!(f, "{all} mutants, of which {noticed} are noticed, {hanging} hang, {unviable} do not compile, ")?;
        write!(f, "{accepted} are accepted, {survived} survive")
    }
}

/// Counts the outcomes in the text of an `outcomes.json`. It is an error if a function has no mutant that compiles, or if an accepted
/// mutant of a function is noticed: then the list is out of date.
pub(super) fn tally(
    outcomes: &str,
    source: &str,
    functions: &[&str],
    accepted: &[AcceptedMutant],
) -> Result<Tally, String> {
    let json: Value = serde_json::from_str(outcomes).map_err(|error| format!("outcomes.json: {error}"))?;
    let mut tally = Tally::default();
    let (mut viable, mut used) = (Vec::new(), Vec::new());
    for outcome in json["outcomes"].as_array().into_iter().flatten() {
        let mutant = &outcome["scenario"]["Mutant"];
        let summary = outcome["summary"].as_str().unwrap_or_default();
        let (Some(name), Some(function)) = (mutant["name"].as_str(), mutant["function"]["function_name"].as_str())
        else {
            return Err(format!("outcomes.json has an outcome without a mutant of a function: {outcome}"));
        };
        if summary != "Unviable" {
            viable.push(function);
        }
        let line =
            mutant["span"]["start"]["line"].as_u64().and_then(|line| usize::try_from(line).ok()).unwrap_or_default();
        let line = source.lines().nth(line.saturating_sub(1)).unwrap_or_default();
        match summary {
            "CaughtMutant" => tally.noticed += 1,
            "Timeout" => tally.hanging += 1,
            "Unviable" => tally.unviable += 1,
            "MissedMutant" => match accepted.iter().find(|accepted| accepted.is(name, line)) {
                Some(accepted) => {
                    tally.accepted.push(format!("{name}: {}", accepted.reason));
                    used.push(accepted);
                }
                None => tally.survived.push(name.to_owned()),
            },
            other => return Err(format!("cargo-mutants could not test {name}: {other}")),
        }
    }
    if let Some(function) = functions.iter().find(|function| !viable.contains(function)) {
        return Err(format!("{function} has no mutant that compiles: is that its name?"));
    }
    let is_stale = |accepted: &&AcceptedMutant| {
        !used.contains(accepted) && functions.iter().any(|function| accepted.is_of(function))
    };
    match accepted.iter().find(is_stale) {
        Some(stale) => Err(format!("a test notices \"{}\" now: remove it from the accepted mutants", stale.mutant)),
        None => Ok(tally),
    }
}

#[cfg(test)]
mod tests {
    use super::{AcceptedMutant, Tally, tally};
    use serde_json::{Value, json};

    const SOURCE: &str = "fn is_over(left: u32, most: u32) -> bool {\n    left == 0 || left > most\n}\n";

    const ACCEPTED: &[AcceptedMutant] = &[AcceptedMutant {
        mutant: "replace > with >= in is_over",
        line: "left > most",
        reason: "the two are never equal",
    }];

    fn outcome(mutant: &str, line: u32, summary: &str) -> Value {
        let function = json!({"function_name": "is_over"});
        let span = json!({"start": {"line": line, "column": 5}});
        let name = format!("src/over.rs:{line}:5: {mutant}");
        json!({"scenario": {"Mutant": {"name": name, "function": function, "span": span}}, "summary": summary})
    }

    fn tallied(outcomes: &[Value]) -> Result<Tally, String> {
        tally(&json!({"outcomes": outcomes}).to_string(), SOURCE, &["is_over"], ACCEPTED)
    }

    #[test]
    fn missed_mutant_survives_unless_it_is_accepted_in_its_line() {
        let outcomes = [
            outcome("replace is_over -> bool with true", 2, "CaughtMutant"),
            outcome("replace is_over -> bool with false", 2, "Timeout"),
            outcome("replace || with && in is_over", 2, "Unviable"),
            outcome("replace > with >= in is_over", 2, "MissedMutant"),
            outcome("replace > with >= in is_over", 1, "MissedMutant"),
            outcome("replace > with == in is_over", 2, "MissedMutant"),
        ];
        let survived = vec![
            "src/over.rs:1:5: replace > with >= in is_over".to_owned(),
            "src/over.rs:2:5: replace > with == in is_over".to_owned(),
        ];
        let accepted = vec!["src/over.rs:2:5: replace > with >= in is_over: the two are never equal".to_owned()];
        let expected = Tally { noticed: 1, hanging: 1, unviable: 1, accepted, survived };
        assert_eq!(tallied(&outcomes), Ok(expected));
    }

    #[test]
    fn function_without_viable_mutant_and_accepted_mutant_that_is_noticed_are_errors() {
        let noticed = outcome("replace > with >= in is_over", 2, "CaughtMutant");
        assert!(tallied(&[noticed]).unwrap_err().contains("remove it from the accepted mutants"));
        let unviable = outcome("replace is_over -> bool with true", 2, "Unviable");
        assert!(tallied(&[unviable]).unwrap_err().contains("is_over has no mutant that compiles"));
        assert!(tallied(&[]).is_err());
        let untested = outcome("replace > with == in is_over", 2, "Failure");
        assert!(tallied(&[untested]).unwrap_err().contains("could not test"));
    }
}
