//! How long a person waits for a key typed into the search of a long list. The goal is one frame of a screen: 16 ms.
//!
//! Every contender reads the same file of options, and finds and shows them as it does by default: askback, inquire and
//! dialoguer rank the options that have the letters in their order, the others keep those that have the text.
//! Each shows as many rows as it likes.

use super::{Contender, PATIENCE, key, on_path, result, with_those_there};
use askback_testkit::screen::Screen;
use std::path::Path;
use std::time::{Duration, Instant};

const NAME: &str = "10,000 options: from a key typed into the search to its painting";
const OPTIONS: usize = 10_000;
/// The options are the files of a made-up program: each area has all layers, each layer all subjects in all roles.
const AREAS: &str = "account billing catalog checkout delivery inventory messaging reporting search support";
const LAYERS: &str = "api cache client domain events forms jobs queries storage views";
const SUBJECTS: &str = "address basket campaign coupon currency customer discount invoice language location \
                        order payment permission product receipt refund schedule session shipment warehouse";
const ROLES: &str = "handler mapper model policy tests";
/// How every option ends.
const ENDING: &str = ".rs";
/// What is typed, key by key: a piece of an area, of a layer, of a subject and of a role, that all contenders find.
const QUERIES: [&str; 4] = ["invent", "cache", "refund", "polic"];
const ROUNDS: usize = 4;
/// Some paint what was typed, look through the options, and paint what they found: the pause between is no end. The
/// longest that was seen is 160 ms.
const QUIET: Duration = Duration::from_millis(300);
/// A list is painted anew when the terminal has said where the cursor is, which takes the slowest a third of a second;
/// that painting must not be taken for a key's.
const SETTLED: Duration = Duration::from_millis(800);

/// Every key of every query, query by query so that all contenders meet the same weather.
pub(super) fn measure(peers: &Path, rust: &Path) -> String {
    let list = std::env::temp_dir().join(format!("askback-bench-options-{}", std::process::id()));
    std::fs::write(&list, options().join("\n")).expect("the options are written");
    let contenders = contenders(peers, rust, &list.to_string_lossy());
    let mut times = vec![Vec::new(); contenders.len()];
    for query in QUERIES {
        contenders.iter().for_each(|contender| rehearse(contender, query));
    }
    for query in QUERIES.iter().cycle().take(QUERIES.len() * ROUNDS) {
        for (contender, times) in contenders.iter().zip(&mut times) {
            let mut screen = open(contender);
            times.extend(query.chars().map(|letter| key(&mut screen, &letter.to_string(), QUIET)));
            // Ctrl+C, which every contender takes as the end.
            screen.keys("\x03");
        }
    }
    std::fs::remove_file(&list).expect("the options are removed");
    let names: Vec<&str> = contenders.iter().map(|contender| contender.name).collect();
    result(NAME, &names, times)
}

fn contenders(peers: &Path, rust: &Path, list: &str) -> Vec<Contender> {
    let file = |path: &str| peers.join(path).to_string_lossy().into_owned();
    // Ours reads options from its standard input: a shell makes that the file.
    let script = r#"exec "$0" dropdown "Which file?" < "$1""#;
    let ours = ["-c", script, env!("CARGO_BIN_EXE_askback"), list];
    let askback = Contender::new("askback", on_path("sh"), &ours, ROUNDS);
    let python = peers.join("python/venv/bin/python");
    let others = vec![
        Contender::new("dialoguer", rust.join("dialoguer_search"), &[list], ROUNDS),
        Contender::new("inquire", rust.join("inquire_search"), &[list], ROUNDS),
        Contender::new("@clack/prompts", on_path("node"), &[&file("node/clack_search.mjs"), list], ROUNDS),
        Contender::new("@inquirer/prompts", on_path("node"), &[&file("node/inquirer_search.mjs"), list], ROUNDS),
        Contender::new("questionary", python, &[&file("python/questionary_search.py"), list], ROUNDS),
    ];
    with_those_there(askback, others)
}

fn options() -> Vec<String> {
    let mut options = vec!["src".to_owned()];
    for (between, words) in [("/", AREAS), ("/", LAYERS), ("/", SUBJECTS), ("_", ROLES)] {
        let longer = |option: String| words.split_whitespace().map(move |word| format!("{option}{between}{word}"));
        options = options.into_iter().flat_map(longer).collect();
    }
    assert_eq!(options.len(), OPTIONS, "the words make as many options as are promised");
    options.into_iter().map(|option| format!("{option}{ENDING}")).collect()
}

/// A contender that shows its list, and waits for a key.
fn open(contender: &Contender) -> Screen {
    let mut screen = contender.start();
    let start = Instant::now();
    let mut answered = 0;
    let mut last = start;
    while last.elapsed() < SETTLED || shown(&screen).is_empty() {
        assert!(start.elapsed() < PATIENCE, "{} never painted:\n{}", contender.name, screen.text());
        if screen.pump(Duration::from_millis(10)) {
            last = Instant::now();
        }
        // Some ask the terminal where the cursor is, and complain later if it does not say.
        let answers = screen.answers();
        answers.iter().skip(answered).for_each(|answer| screen.keys(answer));
        answered = answers.len();
    }
    screen
}

/// The rows that show an option.
fn shown(screen: &Screen) -> Vec<String> {
    screen.text().lines().filter(|line| line.contains(ENDING)).map(str::to_owned).collect()
}

/// A contender is measured only if it finds what is typed, which is looked at once, on its screen.
fn rehearse(contender: &Contender, query: &str) {
    let mut screen = open(contender);
    for letter in query.chars() {
        screen.keys(&letter.to_string());
        screen.pump(PATIENCE);
        screen.settle(QUIET);
    }
    let finds = |screen: &Screen| {
        let shown = shown(screen);
        !shown.is_empty() && shown.iter().all(|option| option.contains(query))
    };
    screen.wait_until(&format!("{} to find {query:?}", contender.name), finds);
    screen.keys("\x03");
}
