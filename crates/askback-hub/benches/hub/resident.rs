//! How much memory this process has.

use crate::Done;

/// The bytes of memory that are resident.
pub(crate) fn bytes() -> Done<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|rest| rest.split_whitespace().next()).ok_or("there is no VmRSS")?;
    Ok(kibibytes.parse::<f64>()? * 1024.0)
}
