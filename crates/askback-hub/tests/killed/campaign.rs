//! Kills one child after another over the same database, and keeps the ledger of what they said.

use crate::CHILD;
use crate::acknowledged::check::{Fault, check};
use crate::acknowledged::clients::{READY, Says};
use crate::acknowledged::ledger::{Answer, Ledger, Line};
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use tempfile::TempDir;

/// Exchanges that each client would make if it were not killed: more than any stage is waited for.
pub(crate) const EXCHANGES: usize = 500;

const SIGKILL: i32 = 9;

/// Where in a durable write a child is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    BeforeWrite,
    AfterWrite,
    AfterSync,
    AfterAcknowledgement,
}

pub(crate) const STAGES: [Stage; 4] =
    [Stage::BeforeWrite, Stage::AfterWrite, Stage::AfterSync, Stage::AfterAcknowledgement];

impl Stage {
    /// The name by which the shim knows it, too.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::BeforeWrite => "before-write",
            Self::AfterWrite => "after-write-before-sync",
            Self::AfterSync => "after-sync-before-acknowledgement",
            Self::AfterAcknowledgement => "after-acknowledgement",
        }
    }

    /// How often it may be passed before the child is killed there: a transaction writes many times, and syncs once.
    fn passes(self) -> u64 {
        match self {
            Self::BeforeWrite => 400,
            Self::AfterWrite | Self::AfterSync => 16,
            Self::AfterAcknowledgement => 64,
        }
    }
}

/// A child that was killed.
#[derive(Debug)]
pub(crate) struct Kill {
    stage: Stage,
    /// Requests and answers that were acknowledged to its clients.
    pub(crate) acknowledged: usize,
    /// Requests that were not.
    pub(crate) asking: usize,
    /// Answers that were not.
    pub(crate) answering: usize,
    /// Exchanges of which something that was not acknowledged was found to be kept.
    pub(crate) unheard: usize,
}

pub(crate) struct Campaign {
    folder: TempDir,
    says: Says,
    random: u64,
    ledger: Ledger,
    pub(crate) kills: Vec<Kill>,
    pub(crate) faults: Vec<Fault>,
}

impl Campaign {
    pub(crate) fn new(seed: u64, says: Says) -> Self {
        let folder = TempDir::new().unwrap();
        Self { folder, says, random: seed, ledger: Ledger::default(), kills: Vec::new(), faults: Vec::new() }
    }

    pub(crate) fn kills_at(&self, stage: Stage) -> impl Iterator<Item = &Kill> {
        self.kills.iter().filter(move |kill| kill.stage == stage)
    }

    /// Starts a child, and kills it when it has come to the stage so many times, which differs from kill to kill.
    pub(crate) fn kill(&mut self, stage: Stage) {
        let passes = 1 + self.random() % stage.passes();
        let said = listen_and_kill(self.start(stage, passes), stage, passes);
        let asking = said.0.values().filter(|entry| entry.id.is_none()).count();
        let answering = said.0.values().filter(|entry| entry.answer == Answer::Sent).count();
        self.kills.push(Kill { stage, acknowledged: said.acknowledged(), asking, answering, unheard: 0 });
        self.ledger.add(said);
    }

    /// Compares the database with everything that was ever said.
    pub(crate) fn check(&mut self) {
        let report = check(&self.database(), &mut self.ledger).unwrap();
        self.faults.extend(report.faults);
        for key in report.unheard {
            let run: usize = key.split('.').next().unwrap().parse().unwrap();
            self.kills[run].unheard += 1;
        }
    }

    fn start(&self, stage: Stage, passes: u64) -> Child {
        let says = if self.says == Says::TooEarly { "early" } else { "truly" };
        let run = self.kills.len();
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["--exact", "child", "--nocapture"])
            .env(CHILD, format!("{run} {says} {}", self.database().display()))
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        if stage != Stage::AfterAcknowledgement {
            let at = passes.to_string();
            command.env("LD_PRELOAD", shim()).env("ASKBACK_SHIM_STAGE", stage.name()).env("ASKBACK_SHIM_AT", at);
        }
        command.spawn().unwrap()
    }

    fn database(&self) -> PathBuf {
        self.folder.path().join("hub.db")
    }

    /// Numbers without a pattern, the same for the same seed (splitmix64).
    fn random(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.random ^ (self.random >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// Kills the child as soon as it says that it is there, and returns all that it said.
fn listen_and_kill(mut child: Child, stage: Stage, passes: u64) -> Ledger {
    let there = format!("stage {} {passes}", stage.name());
    let mut ledger = Ledger::default();
    let (mut acknowledgements, mut is_there) = (0, false);
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    for line in lines.skip_while(|line| line != READY).skip(1) {
        if line != there {
            let line = Line::parse(&line).unwrap_or_else(|error| panic!("{error}, before it came to \"{there}\""));
            ledger.note(&line).unwrap();
            acknowledgements += u64::from(line.is_acknowledgement());
        }
        let at_last = stage == Stage::AfterAcknowledgement && acknowledgements == passes;
        if !is_there && (at_last || line == there) {
            is_there = true;
            child.kill().unwrap();
        }
    }
    let status = child.wait().unwrap();
    assert!(is_there, "the child ended ({status}) before it came to \"{there}\"");
    assert_eq!(status.signal(), Some(SIGKILL), "the child ended by itself: {status}");
    ledger
}

/// The shim, built once. It gets its name when it is whole: another run of these tests may be using it.
pub(crate) fn shim() -> &'static Path {
    static SHIM: OnceLock<PathBuf> = OnceLock::new();
    SHIM.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let (building, built) = (folder.join(format!("{}.so", std::process::id())), folder.join("sync_shim.so"));
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shim/sync_shim.c");
        let status = Command::new("cc").args(["-O1", "-shared", "-fPIC", source, "-o"]).arg(&building).status();
        assert!(status.expect("a C compiler is needed, as for SQLite").success(), "the shim does not compile");
        std::fs::rename(building, &built).unwrap();
        built
    })
}
