//! Reads a joined answer: options only if possible, else options around one stretch of other text.

use super::{Joined, Part, SEPARATOR};
use crate::options::Other;

/// A stretch of a joined answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stretch {
    /// The option at this index.
    Option(usize),
    /// Text that is no option: Other's.
    Other(String),
}

impl Joined<'_> {
    /// Reads a joined answer: of options only if it can be, else with one stretch of other text if `other` allows it.
    /// Among several such stretches, with no option twice around them, the shortest counts, then the first.
    pub(crate) fn read(&self, text: &str, other: Other) -> Option<Vec<Stretch>> {
        let texts: Vec<&str> = text.split(SEPARATOR).collect();
        let parts: Vec<Part> = texts.iter().map(|text| self.parts.get(text).copied().unwrap_or(Part::MAX)).collect();
        let before = Sweep::forward(self, &parts);
        if let Some(options) = before.reading(parts.len()) {
            return Some(options.into_iter().map(Stretch::Option).collect());
        }
        if other == Other::Absent {
            return None;
        }
        let after = Sweep::backward(self, &parts);
        let (start, end) = shortest_gap(&texts, &before.used(self.words.len()), &after.used(self.words.len()))?;
        let mut stretches: Vec<Stretch> = before.reading(start)?.into_iter().map(Stretch::Option).collect();
        stretches.push(Stretch::Other(texts[start..end].join(SEPARATOR)));
        stretches.extend(after.reading(end)?.into_iter().map(Stretch::Option));
        Some(stretches)
    }
}

/// Which beginnings (or endings) of an answer are made of options only. Each is so in one way, because the
/// options are uniquely decodable, so one link per place is enough.
struct Sweep {
    links: Vec<Option<Link>>,
    /// The place where the sweep begins: the first one, or the last one of a sweep backwards.
    origin: usize,
}

/// The option last read on the way to a place, and the place before it.
#[derive(Clone, Copy)]
struct Link {
    option: usize,
    from: usize,
}

impl Sweep {
    fn forward(options: &Joined<'_>, parts: &[Part]) -> Self {
        let mut sweep = Self { links: vec![None; parts.len() + 1], origin: 0 };
        for from in 0..parts.len() {
            if !sweep.reaches(from) {
                continue;
            }
            for (option, length) in options.options_along(&parts[from..]) {
                sweep.links[from + length].get_or_insert(Link { option, from });
            }
        }
        sweep
    }

    fn backward(options: &Joined<'_>, parts: &[Part]) -> Self {
        let mut sweep = Self { links: vec![None; parts.len() + 1], origin: parts.len() };
        for place in (0..parts.len()).rev() {
            let mut fitting =
                options.options_along(&parts[place..]).filter(|(_, length)| sweep.reaches(place + length));
            let link = fitting.next().map(|(option, length)| Link { option, from: place + length });
            drop(fitting);
            sweep.links[place] = link;
        }
        sweep
    }

    fn reaches(&self, place: usize) -> bool {
        place == self.origin || self.links[place].is_some()
    }

    /// The options between the origin and `place`, in the order of the text.
    fn reading(&self, place: usize) -> Option<Vec<usize>> {
        let mut options = Vec::new();
        let mut at = place;
        while at != self.origin {
            let link = self.links[at]?;
            options.push(link.option);
            at = link.from;
        }
        if self.origin == 0 {
            options.reverse();
        }
        Some(options)
    }

    /// For each place the options on the way to it; none where there is no way, or one uses an option twice.
    fn used(&self, options: usize) -> Vec<Option<Used>> {
        let mut used: Vec<Option<Used>> = vec![None; self.links.len()];
        used[self.origin] = Some(Used(vec![0; options.div_ceil(Used::BITS)]));
        let last = self.links.len() - 1;
        for step in 0..=last {
            let place = if self.origin == 0 { step } else { last - step };
            if let Some(link) = self.links[place] {
                used[place] = used[link.from].as_ref().and_then(|before| before.with(link.option));
            }
        }
        used
    }
}

/// A set of options.
#[derive(Clone)]
struct Used(Vec<u64>);

impl Used {
    const BITS: usize = u64::BITS as usize;

    fn with(&self, option: usize) -> Option<Self> {
        let (word, bit) = (option / Self::BITS, 1 << (option % Self::BITS));
        if self.0[word] & bit != 0 {
            return None;
        }
        let mut with = self.clone();
        with.0[word] |= bit;
        Some(with)
    }

    fn is_disjoint(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(left, right)| left & right == 0)
    }
}

/// The shortest run of parts, in code points, that leaves only options before and after it, none of them twice.
fn shortest_gap(texts: &[&str], before: &[Option<Used>], after: &[Option<Used>]) -> Option<(usize, usize)> {
    // Code points up to each part, so that the length of any run is one subtraction.
    let mut offsets = vec![0];
    for text in texts {
        offsets.push(offsets[offsets.len() - 1] + text.chars().count() + SEPARATOR.len());
    }
    let length = |(start, end): (usize, usize)| offsets[end] - offsets[start];
    let mut best: Option<(usize, usize)> = None;
    for (start, left) in before.iter().enumerate() {
        let Some(left) = left else { continue };
        let shorter =
            (start + 1..after.len()).take_while(|end| best.is_none_or(|best| length((start, *end)) < length(best)));
        let fits = |end: &usize| after[*end].as_ref().is_some_and(|right| left.is_disjoint(right));
        if let Some(end) = shorter.into_iter().find(fits) {
            best = Some((start, end));
        }
    }
    best
}
