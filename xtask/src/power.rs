//! `cargo xtask torture power`: what a hub acknowledged survives power cuts.
//!
//! A hub writes to a database on a disk in a file, with clients that say what was acknowledged to them. Then the power
//! is cut: what had not been synced is gone, and what is left is mounted and compared with what was said.

use crate::Done;
use crate::project::{capture, root, run as execute};
use disk::Disk;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

mod disk;

/// Power cuts in each campaign.
const ROUNDS: u64 = 30;

/// How long clients are at work before one: at least, and how much longer.
const AT_WORK_MS: (u64, u64) = (50, 600);

/// What the clients say when they begin.
const READY: &str = "ready";

/// Says that the mounts of this process are its own.
const INSIDE: &str = "ASKBACK_OWN_MOUNTS";

/// What becomes of a sync of the database's log at a commit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Commits {
    /// It is made, as the hub wants it.
    Synced,
    /// It is not. This is the control: a write-ahead log that is not synced at commit, while it is synced at
    /// checkpoints, which is exactly what PRAGMA synchronous=NORMAL does. It must lose something.
    Unsynced,
}

impl Commits {
    fn name(self) -> &'static str {
        match self {
            Self::Synced => "as shipped",
            Self::Unsynced => "control, commits not synced",
        }
    }

    /// The command that checks a database afterwards. Only the control's has lost events that its mark tells of.
    fn check(self) -> &'static str {
        match self {
            Self::Synced => "check",
            Self::Unsynced => "check-lost",
        }
    }

    /// Power cuts that one database goes through. What a round of the control has lost would be lost in all that follow.
    fn rounds_of_a_disk(self) -> u64 {
        match self {
            Self::Synced => 10,
            Self::Unsynced => 1,
        }
    }
}

/// Runs the campaign and its control.
pub(crate) fn run() -> Done {
    if std::env::var_os(INSIDE).is_some() {
        return both();
    }
    capture("unshare", &["--mount", "true"]).map_err(|error| {
        format!("this can't be run here: it mounts a disk in a file, which needs root and loop devices ({error})")
    })?;
    // Mounts in a namespace of our own are gone with us, however we end.
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut inside = Command::new("unshare");
    inside.args(["--mount", "--"]).arg(this).args(["torture", "power"]).env(INSIDE, "yes");
    let status = inside.status().map_err(|error| format!("can't run unshare: {error}"))?;
    if status.success() { Ok(()) } else { Err("the power campaign failed; see above".to_owned()) }
}

fn both() -> Done {
    let folder = root().join("target/power");
    std::fs::create_dir_all(&folder).map_err(|error| format!("can't make {}: {error}", folder.display()))?;
    let tools = Tools::build(&folder)?;
    let shipped = campaign(&folder, &tools, Commits::Synced)?;
    let control = campaign(&folder, &tools, Commits::Unsynced)?;
    if shipped.lost + shipped.wrong > 0 {
        return Err("power cuts break what was acknowledged".to_owned());
    }
    if control.lost == 0 {
        return Err("the control lost nothing: these power cuts are none, and the campaign proves nothing".to_owned());
    }
    // A disk is large; one that lost something stays, to be looked at.
    std::fs::remove_dir_all(&folder).map_err(|error| format!("can't remove {}: {error}", folder.display()))
}

/// What was found in a campaign.
#[derive(Default)]
struct Tally {
    /// Requests and answers that were acknowledged,
    acknowledged: usize,
    /// those of them that were not there after a power cut,
    lost: usize,
    /// in so many rounds,
    losing_rounds: usize,
    /// and what was there but not right.
    wrong: usize,
}

/// What the campaign runs.
struct Tools {
    program: PathBuf,
    shim: PathBuf,
}

impl Tools {
    fn build(folder: &Path) -> Result<Self, String> {
        execute("cargo", &["build", "--quiet", "--package", "askback-hub", "--example", "power"])?;
        let this = std::env::current_exe().map_err(|error| error.to_string())?;
        let shim = folder.join("sync_shim.so");
        let source = root().join("crates/askback-hub/tests/shim/sync_shim.c");
        let (from, to) = (source.to_string_lossy(), shim.to_string_lossy());
        execute("cc", &["-O1", "-shared", "-fPIC", &from, "-o", &to])?;
        Ok(Self { program: this.with_file_name("examples").join("power"), shim })
    }
}

/// Cuts the power again and again.
fn campaign(folder: &Path, tools: &Tools, commits: Commits) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let (mut disk, mut said) = (Disk::format(folder)?, Vec::new());
    for round in 0..ROUNDS {
        if round > 0 && round % commits.rounds_of_a_disk() == 0 {
            (disk, said) = (Disk::format(folder)?, Vec::new());
        }
        let mounted = disk.mount()?;
        let new = write(tools, &mounted.database(), round, commits)?;
        disk.cut_power()?;
        drop(mounted);

        let acknowledgements = new.iter().filter(|line| line.starts_with("created ") || line.starts_with("answered "));
        tally.acknowledged += acknowledgements.count();
        said.extend(new);

        let mounted = disk.mount()?;
        let faults = check(folder, tools, commits, &mounted.database(), &said)?;
        drop(mounted);

        let lost = faults.iter().filter(|fault| fault.starts_with("lost: ")).count();
        tally.lost += lost;
        tally.losing_rounds += usize::from(lost > 0);
        tally.wrong += faults.len() - lost;
        if commits == Commits::Synced {
            faults.iter().for_each(|fault| println!("  after power cut {round}: {fault}"));
        }
    }
    let Tally { acknowledged, lost, losing_rounds, wrong } = &tally;
    println!(
        "{}: {ROUNDS} power cuts, {acknowledged} acknowledged, {lost} lost by {losing_rounds} of them, {wrong} wrong",
        commits.name()
    );
    Ok(tally)
}

/// Has clients write for a while, kills them, and returns what they said.
fn write(tools: &Tools, database: &Path, round: u64, commits: Commits) -> Result<Vec<String>, String> {
    let mut command = Command::new(&tools.program);
    command.arg("write").arg(database).arg(round.to_string()).stdin(Stdio::null()).stdout(Stdio::piped());
    if commits == Commits::Unsynced {
        command.env("LD_PRELOAD", &tools.shim).env("ASKBACK_SHIM_UNSYNCED", "yes");
    }
    let mut writer =
        Writer(command.spawn().map_err(|error| format!("can't run {}: {error}", tools.program.display()))?);
    let pipe = writer.0.stdout.take().ok_or("the clients have no voice")?;
    let mut lines = BufReader::new(pipe).lines().map_while(Result::ok);
    if !lines.by_ref().any(|line| line == READY) {
        return Err("the clients ended before they began".to_owned());
    }
    let listening = std::thread::spawn(move || lines.collect::<Vec<String>>());
    let (least, more) = AT_WORK_MS;
    std::thread::sleep(Duration::from_millis(least + random(round) % more));
    drop(writer);
    listening.join().map_err(|_| "nobody listened".to_owned())
}

/// The process that writes, which is killed when this is dropped.
struct Writer(Child);

impl Drop for Writer {
    fn drop(&mut self) {
        // Either fails only if it has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What of all that was said is not true of the database.
fn check(
    folder: &Path,
    tools: &Tools,
    commits: Commits,
    database: &Path,
    said: &[String],
) -> Result<Vec<String>, String> {
    let ledger = folder.join("ledger");
    std::fs::write(&ledger, said.join("\n")).map_err(|error| format!("can't write {}: {error}", ledger.display()))?;
    let mut command = Command::new(&tools.program);
    command.arg(commits.check()).arg(database).arg(&ledger);
    let output = command.output().map_err(|error| format!("can't run {}: {error}", tools.program.display()))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let mut lines: Vec<String> = printed.lines().map(str::to_owned).collect();
    match lines.pop() {
        Some(last) if output.status.success() && last.starts_with("checked: ") => Ok(lines),
        _ => Err(format!("the check failed: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// A number without a pattern, the same for the same round (splitmix64).
fn random(round: u64) -> u64 {
    let mixed = (round + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
