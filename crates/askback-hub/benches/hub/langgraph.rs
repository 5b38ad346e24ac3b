//! The peer: LangGraph, which keeps interrupted graphs in SQLite.

use crate::Done;
use crate::times::Times;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// LangGraph as it is installed beside the benchmark, and what it did so far.
pub(crate) struct LangGraph {
    python: PathBuf,
    script: PathBuf,
    /// Times by the number of clients and by when checkpoints are written.
    times: BTreeMap<(u64, String), Times>,
    /// What it said of itself.
    about: Value,
}

impl LangGraph {
    /// None where it is not installed, which is said.
    pub(crate) fn find() -> Option<Self> {
        let peers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/peers/python");
        let (python, script) = (peers.join("venv/bin/python"), peers.join("langgraph_cycles.py"));
        let import = ["-c", "import langgraph.checkpoint.sqlite"];
        let imported = Command::new(&python).args(import).stderr(Stdio::null()).status();
        if !imported.is_ok_and(|status| status.success()) {
            eprintln!("LangGraph is not installed, and left out");
            return None;
        }
        Some(Self { python, script, times: BTreeMap::new(), about: Value::Null })
    }

    /// Lets it take its turn, with its database in this folder.
    pub(crate) fn turn(&mut self, folder: &Path) -> Done<()> {
        let mut command = Command::new(&self.python);
        let output = command.arg(&self.script).arg(folder.join("langgraph.db")).stderr(Stdio::inherit()).output()?;
        if !output.status.success() {
            return Err(format!("LangGraph failed: {}", output.status).into());
        }
        let told: Value = serde_json::from_slice(&output.stdout)?;
        for run in told["runs"].as_array().into_iter().flatten() {
            let rate = run["cycles_per_second"].as_f64().ok_or("LangGraph tells no rate")?;
            let clients = run["clients"].as_u64().ok_or("LangGraph tells no clients")?;
            let durability = run["durability"].as_str().unwrap_or_default().to_owned();
            self.times.entry((clients, durability)).or_default().add(1e9 / rate);
        }
        self.about = told["about"].clone();
        Ok(())
    }

    /// Its times with this many clients or, where it was not tried with so many, with as many as it was tried with.
    pub(crate) fn times(&self, clients: usize) -> Vec<(String, &Times)> {
        let tried = self.times.keys().map(|(tried, _)| *tried).filter(|tried| *tried <= clients as u64).max();
        let those = self.times.iter().filter(|((of, _), _)| Some(*of) == tried);
        those
            .map(|((of, durability), times)| (format!("LangGraph, durability={durability}, threads: {of}"), times))
            .collect()
    }

    pub(crate) fn about(&self) -> &Value {
        &self.about
    }
}
