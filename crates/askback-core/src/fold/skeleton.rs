//! The skeleton of a text: one form for all texts that look alike (UTS #39).
//!
//! The table is generated from `unicode-security` and holds no pointers. As that crate's table of slices, it is relocated at every
//! start of the program, which takes 0.1 ms, and only requests with letters beyond ASCII need it.

use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;

/// A character, a tab and the characters that it looks like on each line, in the order of the first.
const TABLE: &str = include_str!("confusables.txt");

static PROTOTYPES: LazyLock<Vec<(char, &str)>> = LazyLock::new(|| {
    let entries = TABLE.lines().filter_map(|line| line.split_once('\t'));
    entries.filter_map(|(character, prototype)| Some((character.chars().next()?, prototype))).collect()
});

/// The characters that a text looks like, without those that leave no mark on the screen.
pub(super) fn skeleton(text: &str) -> impl Iterator<Item = char> {
    text.nfd().filter(|c| !is_ignorable(*c)).flat_map(prototype).nfd()
}

fn prototype(c: char) -> impl Iterator<Item = char> {
    let found = PROTOTYPES.binary_search_by_key(&c, |(character, _)| *character).map(|index| PROTOTYPES[index].1);
    found.unwrap_or_default().chars().chain(found.is_err().then_some(c))
}

/// Whether a character has the property Default_Ignorable_Code_Point.
fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::skeleton;
    use proptest::prelude::*;

    // F0
    #[test]
    fn every_character_has_the_skeleton_of_the_standard() {
        for c in '\0'..=char::MAX {
            let text = c.to_string();
            assert!(skeleton(&text).eq(unicode_security::skeleton(&text)), "U+{:04X}", u32::from(c));
        }
    }

    proptest! {
        // F0
        #[test]
        fn every_text_has_the_skeleton_of_the_standard(text in "\\PC{0,20}|[\u{300}-\u{36f}a-zа-я]{0,12}") {
            prop_assert!(skeleton(&text).eq(unicode_security::skeleton(&text)));
        }
    }
}
