//! The terminal agrees with the core: every answer of every vector, of every kind in the registry, is given by a person at a
//! real pty, once by keys and once by lines, and the verdict must be the vector's.

#![expect(clippy::unwrap_used, reason = "what fails in a test should fail it")]

use askback_core::kind::KINDS;
use askback_testkit::screen::{Screen, Size};
use expression::Expression;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use vector::{Asked, Vector, Verdict};

mod by_keys;
mod by_lines;
mod expression;
mod vector;

const ASKBACK: &str = env!("CARGO_BIN_EXE_askback");
const WINDOW: Size = Size { columns: 100, rows: 40 };
/// Terminals at once: most of the time each of them waits.
const TERMINALS: usize = 6;

/// Answers that a person can give, of nearly five hundred: the others are shapes of JSON, or other words of the prompt's own.
const LEAST: usize = 380;

/// Why there is nothing to compare.
enum Trouble {
    /// A person can't say this here, and why.
    Inexpressible(&'static str),
    Wrong(String),
}

/// What was said on a screen, and what the core thinks of exactly that.
struct Said {
    verdict: Verdict,
    /// Why it is not what the vector gives, if it is not: then it is tried, but not counted.
    instead: Option<&'static str>,
}

impl From<Verdict> for Said {
    fn from(verdict: Verdict) -> Self {
        Self { verdict, instead: None }
    }
}

type Give = fn(&Vector, &Expression, &mut Screen) -> Result<Said, Trouble>;

/// Gives every vector's answer. Of each kind at least a third can be given, and for the others there are reasons.
fn give_all(give: Give, flags: &[&str]) -> BTreeMap<&'static str, usize> {
    let vectors: Vec<Vector> = KINDS.iter().flat_map(|kind| Vector::of_kind(kind.name)).collect();
    let next = AtomicUsize::new(0);
    let (agreed, troubles) = (Mutex::new(BTreeMap::<&str, usize>::new()), Mutex::new(Vec::new()));
    let work = || {
        while let Some(vector) = vectors.get(next.fetch_add(1, Ordering::Relaxed)) {
            match give_one(vector, give, flags) {
                Ok(()) => *agreed.lock().unwrap().entry(vector.kind).or_default() += 1,
                Err(trouble) => troubles.lock().unwrap().push(trouble),
            }
        }
    };
    std::thread::scope(|scope| (0..TERMINALS).for_each(|_| drop(scope.spawn(work))));
    let (mut reasons, mut wrong) = (BTreeMap::new(), Vec::new());
    for trouble in troubles.into_inner().unwrap() {
        match trouble {
            Trouble::Inexpressible(why) => *reasons.entry(why).or_default() += 1,
            Trouble::Wrong(why) => wrong.push(why),
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), vectors.len(), wrong.join("\n\n"));
    let agreed = agreed.into_inner().unwrap();
    assert_eq!(agreed.values().chain(reasons.values()).sum::<usize>(), vectors.len());
    for kind in KINDS {
        let all = vectors.iter().filter(|vector| vector.kind == kind.name).count();
        let given = agreed.get(kind.name).copied().unwrap_or(0);
        assert!(given * 3 >= all, "only {given} of {all} for {} can be given: {reasons:?}", kind.name);
    }
    agreed
}

fn give_one(vector: &Vector, give: Give, flags: &[&str]) -> Result<(), Trouble> {
    let expression = Expression::of(vector).map_err(Trouble::Inexpressible)?;
    let asked = Asked::new(vector);
    let mut screen = asked.ask(flags);
    let said = give(vector, &expression, &mut screen).map_err(|trouble| match trouble {
        Trouble::Wrong(why) => Trouble::Wrong(format!("{vector}: {why}\n{}", screen.text())),
        inexpressible => inexpressible,
    })?;
    screen.exit_status();
    let compared = asked.compare(&said.verdict);
    compared.map_err(|why| Trouble::Wrong(format!("{vector}: {why}\n{}", screen.text())))?;
    said.instead.map_or(Ok(()), |why| Err(Trouble::Inexpressible(why)))
}

// F15, F16, F0, F1, F2, F3, F4, F5, F6, F7, F8, F9, F10
#[test]
fn by_keys_the_terminal_agrees_with_the_core_on_every_vector() {
    let agreed = give_all(by_keys::give, &[]);
    assert!(agreed.values().sum::<usize>() >= LEAST, "{agreed:?}");
}

// F15, F16, F0, F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, Q10
#[test]
fn by_lines_the_terminal_agrees_with_the_core_on_every_vector() {
    let agreed = give_all(by_lines::give, &["--plain"]);
    assert!(agreed.values().sum::<usize>() >= LEAST, "{agreed:?}");
}
