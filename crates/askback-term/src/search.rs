//! What is typed to look for something, word by word.

use nucleo_matcher::pattern::{Atom, AtomKind, CaseMatching, Normalization, Pattern};

/// Every word that is typed, as it is: nothing in it has a meaning of its own.
pub(crate) fn pattern(typed: &str, kind: AtomKind) -> Pattern {
    let mut pattern = Pattern::default();
    let atom = |word| Atom::new(word, CaseMatching::Ignore, Normalization::Smart, kind, false);
    pattern.atoms = typed.split_whitespace().map(atom).collect();
    pattern
}
