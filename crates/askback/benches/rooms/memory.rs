//! How much memory a process has.

use crate::{Done, usage};
use serde_json::{Value, json};

/// At one moment.
#[derive(Clone, Copy)]
pub(crate) struct Memory {
    /// What is resident.
    pub(crate) resident: f64,
    /// The same with its share of what others have, too; not every system tells.
    proportional: Option<f64>,
}

impl Memory {
    pub(crate) fn of(pid: u32) -> Done<Self> {
        let rollup = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
        let kibibytes = rollup.lines().find_map(|line| line.strip_prefix("Pss:")?.split_whitespace().next());
        let kibibytes = kibibytes.and_then(|kibibytes| kibibytes.parse::<f64>().ok());
        Ok(Self { resident: usage::resident(pid)?, proportional: kibibytes.map(|kibibytes| kibibytes * 1024.0) })
    }

    pub(crate) fn told(self) -> Value {
        json!({"resident": self.resident, "proportional": self.proportional})
    }
}
