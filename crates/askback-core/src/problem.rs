//! What is wrong with a request or an answer: where, which rule, and what would pass.

use crate::limits;
use crate::path::Path;
use crate::rule::Rule;
use thiserror::Error;

/// One broken rule at one place.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{path}: {message} (expected {expected})")]
pub struct Problem {
    /// The field, as in `questions[1].step`; the whole request is `$`.
    pub path: Path,
    /// The rule that was broken.
    pub rule: Rule,
    /// What is wrong.
    pub message: String,
    /// What would pass, as a phrase after "expected".
    pub expected: String,
}

/// Why one answer does not pass its question.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message} (expected {expected})")]
pub struct Refusal {
    /// The rule that was broken.
    pub rule: Rule,
    /// What is wrong.
    pub message: String,
    /// What would pass, as a phrase after "expected".
    pub expected: String,
}

impl Refusal {
    pub(crate) fn new(rule: Rule, message: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { rule: rule.as_reported(), message: message.into(), expected: expected.into() }
    }

    /// The same, said of a place.
    pub fn at(self, path: Path) -> Problem {
        Problem { path, rule: self.rule, message: self.message, expected: self.expected }
    }
}

impl Rule {
    /// Passes if `kept`; otherwise refuses with what is wrong and what would pass.
    pub(crate) fn unless<W: Into<String>, E: Into<String>>(
        self,
        kept: bool,
        says: impl FnOnce() -> (W, E),
    ) -> Result<(), Refusal> {
        if kept || !self.is_enforced() {
            return Ok(());
        }
        let (message, expected) = says();
        Err(Refusal::new(self, message, expected))
    }
}

/// Everything that is wrong, in the order it was found; never empty as an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems {
    found: Vec<Problem>,
    more: usize,
}

impl Problems {
    /// The problems, at most [`limits::PROBLEMS`] of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Problem> {
        self.found.iter()
    }

    /// How many there are beyond those listed.
    pub fn more(&self) -> usize {
        self.more
    }

    /// Whether nothing is wrong; never so in an error.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// How many are listed.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// The same problems of a value that stands at `path`.
    #[must_use]
    pub fn under(mut self, path: &Path) -> Self {
        self.found.iter_mut().for_each(|problem| problem.path = path.join(&problem.path));
        self
    }

    pub(crate) fn add(&mut self, problem: Problem) {
        if !problem.rule.is_enforced() {
            return;
        }
        if self.is_full() {
            self.more += 1;
        } else {
            self.found.push(problem);
        }
    }

    /// Whether further problems are only counted, so that nobody need describe them.
    pub(crate) fn is_full(&self) -> bool {
        self.found.len() >= limits::PROBLEMS
    }

    /// Counts problems that nobody described.
    pub(crate) fn count(&mut self, more: usize) {
        self.more += more;
    }

    /// Nothing wrong yet.
    pub(crate) fn none() -> Self {
        Self { found: Vec::new(), more: 0 }
    }

    /// The value, if nothing is wrong.
    pub(crate) fn into_result<T>(mut self, value: Option<T>) -> Result<T, Self> {
        match value {
            Some(value) if self.is_empty() => Ok(value),
            _ => {
                // Whoever finds no value reports why; should one forget, the error is still not empty.
                debug_assert!(!self.is_empty() || cfg!(test), "a refusal says why");
                if self.is_empty() {
                    self.found.push(Refusal::new(Rule::Type, "this can't be read", "another value").at(Path::root()));
                }
                Err(self)
            }
        }
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        let mut problems = Self::none();
        problems.add(problem);
        problems
    }
}

impl<'a> IntoIterator for &'a Problems {
    type Item = &'a Problem;
    type IntoIter = std::slice::Iter<'a, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl std::fmt::Display for Problems {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, problem) in self.found.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{problem}")?;
        }
        if self.more > 0 {
            write!(f, "; and {} more", self.more)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}
