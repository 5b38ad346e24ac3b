//! How long a person waits for a prompt and for a key, in a real pty, beside the prompts people use today.
//!
//! `cargo xtask bench` prepares the peers in `bench/peers` and runs this; a peer that is not there is left out, and said.

use askback_testkit::screen::{Screen, Size};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

mod search;

const WINDOW: Size = Size { columns: 80, rows: 24 };
/// The last option of every contender's list.
const MARK: &[u8] = b"MongoDB";
const PATIENCE: Duration = Duration::from_secs(20);
/// Output is over when nothing has come for this long.
const QUIET: Duration = Duration::from_millis(25);
const DOWN: &str = "\x1b[B";

struct Contender {
    name: &'static str,
    program: PathBuf,
    arguments: Vec<String>,
    rounds: usize,
}

impl Contender {
    fn new(name: &'static str, program: impl Into<PathBuf>, arguments: &[&str], rounds: usize) -> Self {
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        Self { name, program: program.into(), arguments, rounds }
    }

    fn start(&self) -> Screen {
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        Screen::start(WINDOW, &self.program.to_string_lossy(), &arguments).expect("a contender starts")
    }

    fn is_there(&self) -> bool {
        self.program.is_absolute()
            && self.program.exists()
            && self.arguments.iter().all(|argument| !argument.contains("/peers/") || Path::new(argument).exists())
    }
}

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the root is there");
    let target = PathBuf::from(env!("CARGO_BIN_EXE_askback"));
    let target = target.parent().expect("the binary is in a folder").to_owned();
    let peers = root.join("bench/peers");
    let rust = root.join("target/peers/release");
    let file = |path: &str| peers.join(path).to_string_lossy().into_owned();
    let askback = Contender::new(
        "askback",
        env!("CARGO_BIN_EXE_askback"),
        &["choice", "Which database?", "PostgreSQL", "SQLite", "MongoDB"],
        60,
    );
    let others = vec![
        Contender::new("askback-term", rust.join("askback_term"), &[], 60),
        Contender::new("dialoguer", rust.join("dialoguer"), &[], 60),
        Contender::new("inquire", rust.join("inquire"), &[], 60),
        Contender::new("@clack/prompts", on_path("node"), &[&file("node/clack.mjs")], 15),
        Contender::new("@inquirer/prompts", on_path("node"), &[&file("node/inquirer.mjs")], 15),
        Contender::new("questionary", peers.join("python/venv/bin/python"), &[&file("python/questionary_list.py")], 15),
        Contender::new("gum", on_path("gum"), &["choose", "PostgreSQL", "SQLite", "MongoDB"], 30),
    ];
    let contenders = with_those_there(askback, others);
    let (paints, keys) = measure(&contenders);
    let live = Contender::new("askback", target.join("examples/live"), &["3000", "forever"], 20);
    let plain = Contender::new("plain printing", rust.join("plain"), &[], 20);
    let of = |name: &str| contenders.iter().position(|contender| contender.name == name);
    let names: Vec<&str> = contenders.iter().map(|contender| contender.name).collect();
    let mut results = Vec::new();
    for (ours, what) in [(of("askback"), "the command"), (of("askback-term"), "the library")] {
        let Some(ours) = ours else { continue };
        let mut order = vec![ours];
        order.extend((0..names.len()).filter(|index| !names[*index].starts_with("askback")));
        let pick = |times: &[Vec<Duration>]| order.iter().map(|index| times[*index].clone()).collect();
        let names: Vec<&str> = order.iter().map(|index| names[*index]).collect();
        results.push(result(&format!("{what}: from process start to the first painting"), &names, pick(&paints)));
        results.push(result(&format!("{what}: from a key to its painting"), &names, pick(&keys)));
    }
    results.push(search::measure(&peers, &rust));
    if live.is_there() && plain.is_there() {
        let times = stream(&[live, plain]);
        results.push(result("3000 lines printed above a live prompt", &["askback", "plain printing"], times));
    }
    println!("[{}]", results.join(",\n"));
}

/// Ours, and of the others those that are installed.
fn with_those_there(ours: Contender, others: Vec<Contender>) -> Vec<Contender> {
    for missing in others.iter().filter(|contender| !contender.is_there()) {
        eprintln!("{} is not installed, and left out", missing.name);
    }
    let mut contenders = vec![ours];
    contenders.extend(others.into_iter().filter(Contender::is_there));
    contenders
}

/// The first painting and a key of every contender, round by round so that all meet the same weather.
fn measure(contenders: &[Contender]) -> (Vec<Vec<Duration>>, Vec<Vec<Duration>>) {
    let mut paints = vec![Vec::new(); contenders.len()];
    let mut keys = vec![Vec::new(); contenders.len()];
    let rounds = contenders.iter().map(|contender| contender.rounds).max().unwrap_or(0);
    for round in 0..rounds {
        for (index, contender) in contenders.iter().enumerate().filter(|(_, contender)| round < contender.rounds) {
            let start = Instant::now();
            let mut screen = contender.start();
            wait_for(&mut screen, MARK, contender.name);
            paints[index].push(start.elapsed());
            while screen.read_unseen(Duration::from_millis(60)) > 0 {}
            for _ in 0..2 {
                keys[index].push(key(&mut screen, DOWN, QUIET));
            }
            // Ctrl+C, which every contender takes as the end.
            screen.keys("\x03");
        }
    }
    (paints, keys)
}

fn wait_for(screen: &mut Screen, mark: &[u8], name: &str) {
    let start = Instant::now();
    while !screen.raw().windows(mark.len()).any(|window| window == mark) {
        assert!(start.elapsed() < PATIENCE, "{name} never painted: {:?}", String::from_utf8_lossy(screen.raw()));
        screen.read_unseen(Duration::from_millis(200));
    }
}

/// From a key to the last byte that it makes the program write.
fn key(screen: &mut Screen, key: &str, quiet: Duration) -> Duration {
    let start = Instant::now();
    screen.keys(key);
    let mut last = start;
    let mut patience = PATIENCE;
    while screen.read_unseen(patience) > 0 {
        last = Instant::now();
        patience = quiet;
    }
    assert!(last > start, "{key:?} painted nothing: {:?}", String::from_utf8_lossy(screen.raw()));
    last - start
}

/// From the first line to the last.
fn stream(contenders: &[Contender]) -> Vec<Vec<Duration>> {
    let mut times = vec![Vec::new(); contenders.len()];
    for _ in 0..contenders[0].rounds {
        for (index, contender) in contenders.iter().enumerate() {
            let mut screen = contender.start();
            wait_for(&mut screen, b"line 1 of", contender.name);
            let start = Instant::now();
            // Only what is new is looked through, with the end of what was there.
            let mut seen = 0;
            while !contains(&screen.raw()[seen..], b"line 3000 of") {
                seen = screen.raw().len().saturating_sub(20);
                assert!(start.elapsed() < PATIENCE, "{} stopped", contender.name);
                screen.read_unseen(Duration::from_millis(200));
            }
            times[index].push(start.elapsed());
            screen.keys("\x03");
        }
    }
    times
}

fn contains(bytes: &[u8], mark: &[u8]) -> bool {
    bytes.windows(mark.len()).any(|window| window == mark)
}

/// One result as JSON: ours first, and the others as its peers.
fn result(name: &str, names: &[&str], times: Vec<Vec<Duration>>) -> String {
    let ns: Vec<(f64, f64)> = times.into_iter().map(|times| (quantile(&times, 50), quantile(&times, 95))).collect();
    let (ours, p95) = ns[0];
    let peers: Vec<String> = names
        .iter()
        .zip(&ns)
        .skip(1)
        .map(|(name, (median, p95))| {
            format!(
                r#"{{"name": "{name}", "median_ns": {median:.0}, "p95_ns": {p95:.0}, "ratio": {:.4}}}"#,
                ours / median
            )
        })
        .collect();
    format!(
        r#"{{"name": "{name}", "headline": true, "median_ns": {ours:.0}, "p95_ns": {p95:.0}, "peers": [{}]}}"#,
        peers.join(", ")
    )
}

fn quantile(times: &[Duration], percent: usize) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort();
    sorted.get((sorted.len() * percent / 100).min(sorted.len() - 1)).map_or(0.0, |time| time.as_nanos() as f64)
}

fn on_path(program: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file()).unwrap_or_default()
}
