//! Options joined by `", "` and told apart again (F11), although an option may itself contain `", "`.
//!
//! An option is a word whose letters are its comma-separated parts. A joined answer is a sentence of such words,
//! and it can be read back in one way only if the words form a uniquely decodable code.

use std::collections::{HashMap, HashSet};

mod reader;
#[cfg(test)]
mod tests;

pub(crate) use reader::Stretch;

/// What stands between two selections.
pub(crate) const SEPARATOR: &str = ", ";

/// A part of an option, as a number; equal parts have equal numbers.
type Part = u32;

/// A set of options as a tree of their parts.
#[derive(Debug)]
pub(crate) struct Joined<'o> {
    parts: HashMap<&'o str, Part>,
    words: Vec<Vec<Part>>,
    next: HashMap<(usize, Part), usize>,
    nodes: Vec<Node>,
}

/// A place in the tree.
#[derive(Debug, Default)]
struct Node {
    /// The option that ends here.
    option: Option<usize>,
    /// The options that go on from here.
    beyond: Vec<usize>,
}

impl<'o> Joined<'o> {
    /// Over distinct options.
    pub(crate) fn new(options: impl Iterator<Item = &'o str>) -> Self {
        let mut tree =
            Self { parts: HashMap::new(), words: Vec::new(), next: HashMap::new(), nodes: vec![Node::default()] };
        for option in options {
            tree.add(option);
        }
        tree
    }

    /// How many parts the options have together, which is what reading them costs.
    pub(crate) fn size(&self) -> usize {
        self.words.iter().map(Vec::len).sum()
    }

    /// Two options with which the ambiguity begins, if some joined answer could be read in two ways
    /// (Sardinas–Patterson). Every rest that can dangle is the tail of an option, so there are at most
    /// [`Self::size`] of them, and each is followed through the tree once.
    pub(crate) fn ambiguity(&self) -> Option<(usize, usize)> {
        let mut seen: HashSet<&[Part]> = HashSet::new();
        let mut open: Vec<(&[Part], (usize, usize))> = Vec::new();
        for (longer, word) in self.words.iter().enumerate() {
            for (shorter, length) in self.options_along(word).filter(|(shorter, _)| *shorter != longer) {
                if seen.insert(&word[length..]) {
                    open.push((&word[length..], (shorter, longer)));
                }
            }
        }
        while let Some((rest, origin)) = open.pop() {
            let shorter = self.options_along(rest).map(|(_, length)| &rest[length..]);
            let longer = self.options_beyond(rest).iter().map(|word| &self.words[*word][rest.len()..]);
            for next in shorter.chain(longer) {
                if next.is_empty() {
                    return Some(origin);
                }
                if seen.insert(next) {
                    open.push((next, origin));
                }
            }
        }
        None
    }

    fn add(&mut self, option: &'o str) {
        let index = self.words.len();
        let mut word = Vec::new();
        let mut at = 0;
        for text in option.split(SEPARATOR) {
            let fresh = self.parts.len() as Part;
            let part = *self.parts.entry(text).or_insert(fresh);
            word.push(part);
            self.nodes[at].beyond.push(index);
            let fresh = self.nodes.len();
            at = *self.next.entry((at, part)).or_insert(fresh);
            if at == fresh {
                self.nodes.push(Node::default());
            }
        }
        self.nodes[at].option = Some(index);
        self.words.push(word);
    }

    /// Every option that `parts` begins with, and its length.
    fn options_along<'p>(&'p self, parts: &'p [Part]) -> impl Iterator<Item = (usize, usize)> + 'p {
        let mut at = 0;
        parts
            .iter()
            .enumerate()
            .map_while(move |(offset, part)| {
                at = *self.next.get(&(at, *part))?;
                Some(self.nodes[at].option.map(|option| (option, offset + 1)))
            })
            .flatten()
    }

    /// Every longer option that begins with `parts`.
    fn options_beyond(&self, parts: &[Part]) -> &[usize] {
        let end = parts.iter().try_fold(0, |at, part| self.next.get(&(at, *part)).copied());
        end.map_or(&[], |end| &self.nodes[end].beyond)
    }
}
