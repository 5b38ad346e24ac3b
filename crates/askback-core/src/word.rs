//! Closed lists of words: enums whose every value stands for one word.

/// Defines an enum of words and its tables: each variant stands once, beside its word.
macro_rules! words {
    ($(#[$attribute:meta])+ pub enum $type:ident { $($(#[$of_variant:meta])+ $variant:ident = $word:literal,)+ }) => {
        $(#[$attribute])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $type { $($(#[$of_variant])+ $variant,)+ }

        impl $type {
            pub(crate) const NAMES: &'static [&'static str] = &[$($word,)+];
            pub(crate) const WORDS: [(&'static str, Self); Self::NAMES.len()] = [$(($word, Self::$variant),)+];

            /// All values in the order of their definition.
            pub const ALL: [Self; Self::NAMES.len()] = [$(Self::$variant,)+];

            /// Its name in JSON.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }
    };
}

pub(crate) use words;

/// The value of a word.
pub(crate) fn meaning_of<T: Copy>(words: &[(&'static str, T)], word: &str) -> Option<T> {
    words.iter().find(|(other, _)| *other == word).map(|(_, meaning)| *meaning)
}

/// The words of a table alone.
pub(crate) fn words_of<T>(words: &[(&'static str, T)]) -> Vec<&'static str> {
    words.iter().map(|(word, _)| *word).collect()
}

#[cfg(test)]
mod tests {
    use super::{meaning_of, words_of};
    use crate::kind::confirm::Confirmation;

    // F0
    #[test]
    fn a_word_is_found_by_its_meaning() {
        assert_eq!(Confirmation::No.name(), "no");
        assert_eq!(meaning_of(&Confirmation::WORDS, "no"), Some(Confirmation::No));
        assert_eq!(words_of(&Confirmation::WORDS), Confirmation::NAMES);
        assert_eq!(Confirmation::ALL, [Confirmation::Yes, Confirmation::No]);
    }
}
