//! Closed lists of words, each with what it stands for: one table for both directions.

/// The word that stands for a value of the table.
pub(crate) fn word_of<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> &'static str {
    words.iter().find(|(_, meaning)| meaning == value).map_or("", |(word, _)| word)
}

/// What a word means.
pub(crate) fn meaning_of<T: Copy>(words: &[(&'static str, T)], word: &str) -> Option<T> {
    words.iter().find(|(other, _)| *other == word).map(|(_, meaning)| *meaning)
}

/// The words alone, for a schema.
pub(crate) fn words_of<T>(words: &[(&'static str, T)]) -> Vec<&'static str> {
    words.iter().map(|(word, _)| *word).collect()
}

#[cfg(test)]
mod tests {
    use super::word_of;

    // F0
    #[test]
    fn a_word_is_found_by_its_meaning() {
        assert_eq!(word_of(&[("yes", 1), ("no", 0)], &0), "no");
    }
}
