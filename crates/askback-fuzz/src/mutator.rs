//! A deterministic mutational fuzzer: the same seed and corpus give the same inputs.

/// The longest input.
const INPUT_BYTES: usize = 4_096;

/// The most mutations of one input. Half of the inputs have one, so that many stay valid.
const MUTATIONS: usize = 4;

/// An endless sequence of mutated corpus entries.
#[derive(Debug)]
pub struct Mutator<'a> {
    random: Random,
    corpus: &'a [Vec<u8>],
    words: &'a [&'a str],
}

impl<'a> Mutator<'a> {
    /// A mutator of this corpus. `words` are inserted as they are.
    pub fn new(seed: u64, corpus: &'a [Vec<u8>], words: &'a [&'a str]) -> Self {
        Self { random: Random(seed.max(1)), corpus, words }
    }

    fn entry(&mut self) -> &'a [u8] {
        let index = self.random.below(self.corpus.len());
        self.corpus.get(index).map_or(&[], Vec::as_slice)
    }

    /// Changes an input in one of the ways that readers get wrong.
    fn mutate(&mut self, input: &mut Vec<u8>) {
        let at = self.random.below(input.len() + 1);
        let end = at + self.random.below((input.len() - at).min(64) + 1);
        match self.random.below(13) {
            0 | 1 if at < input.len() => input[at] ^= 1 << self.random.below(8),
            2 if at < input.len() => input[at] = self.random.byte(),
            // Small numbers are lengths, counts and kinds of binary formats.
            3 if at < input.len() => input[at] = self.random.byte() % 16,
            // Another letter or digit leaves a text valid.
            4 | 5 if input.get(at).is_some_and(u8::is_ascii_alphanumeric) => {
                input[at] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[self.random.below(62)];
            }
            6 => input.truncate(at),
            7 => drop(input.drain(at..end)),
            8 => {
                let repeated = input[at..end].repeat(1 + self.random.below(8));
                drop(input.splice(at..at, repeated));
            }
            9 => {
                let (other, start) = (self.entry(), self.random.below(usize::MAX));
                let start = start % (other.len() + 1);
                drop(input.splice(at.., other[start..].iter().copied()));
            }
            // A length that is as large as it can be written, or larger.
            10 => {
                let mut inflated = vec![0xff; self.random.below(9)];
                inflated.push([0x7f, 0x0f, 0x01, 0x00][self.random.below(4)]);
                drop(input.splice(at..end.min(at + 1), inflated));
            }
            _ => {
                let word = self.words.get(self.random.below(self.words.len())).copied().unwrap_or_default();
                let end = if self.random.below(2) == 0 { at } else { end };
                drop(input.splice(at..end, word.bytes()));
            }
        }
        input.truncate(INPUT_BYTES);
    }
}

impl Iterator for Mutator<'_> {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let mut input = self.entry().to_vec();
        let mutations = if self.random.below(2) == 0 { 1 } else { 1 + self.random.below(MUTATIONS) };
        for _ in 0..mutations {
            self.mutate(&mut input);
        }
        Some(input)
    }
}

/// A random number generator (xorshift64*).
#[derive(Debug)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `end`, or 0 if `end` is 0.
    fn below(&mut self, end: usize) -> usize {
        ((self.next() >> 32) as usize) % end.max(1)
    }

    fn byte(&mut self) -> u8 {
        self.next().to_be_bytes()[0]
    }
}

#[cfg(test)]
mod tests {
    use super::{INPUT_BYTES, Mutator};
    use std::collections::BTreeSet;

    #[test]
    fn same_seed_gives_the_same_inputs_and_another_seed_gives_others() {
        let corpus = [b"{\"type\":\"done\"}".to_vec(), vec![0xff; INPUT_BYTES], Vec::new()];
        let inputs = |seed| Mutator::new(seed, &corpus, &["type", ", "]).take(2_000).collect::<Vec<_>>();
        let first = inputs(1);
        assert_eq!(first, inputs(1));
        assert_ne!(first, inputs(2));
        assert!(first.iter().all(|input| input.len() <= INPUT_BYTES));
        let distinct = first.iter().collect::<BTreeSet<_>>().len();
        assert!(distinct > 1_000, "{distinct}");
    }

    #[test]
    fn empty_corpus_gives_inputs_of_words() {
        let inputs: Vec<Vec<u8>> = Mutator::new(1, &[], &["type"]).take(200).collect();
        assert!(inputs.iter().any(|input| input.starts_with(b"type")));
    }
}
