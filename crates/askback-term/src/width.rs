//! How wide text is, by the widest opinion: terminals disagree about emoji, and a line that wraps breaks the frame.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthChar;

/// What a person takes for one character.
pub(crate) fn clusters(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.graphemes(true)
}

/// The columns `text` takes at most. A terminal that joins emoji needs fewer than one that shows each part, one that
/// honours a selector for emoji more than one that does not, and the frame must hold on all of them.
pub(crate) fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.chars().map(|c| if c == EMOJI_SELECTOR { 1 } else { char_width(c) }).sum()
}

/// Makes a narrow character a wide one, where it is honoured.
const EMOJI_SELECTOR: char = '\u{fe0f}';

pub(crate) fn char_width(c: char) -> usize {
    c.width().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::width;
    use proptest::prelude::*;
    use unicode_width::UnicodeWidthStr;

    proptest! {
        // Q3
        #[test]
        fn no_opinion_is_wider(text in "(\\PC|[❤⚠☺👍👩💻🏽\u{200d}\u{fe0f}\u{20e3}#日é])*") {
            prop_assert!(text.width() <= width(&text));
        }
    }

    // Q3
    #[test]
    fn the_widest_opinion_counts() {
        assert_eq!([width("abc"), width("日本"), width("e\u{301}")], [3, 4, 1]);
        assert_eq!(width("👩\u{200d}💻"), 4, "a terminal without joined emoji shows both");
        assert_eq!(width("❤\u{fe0f}"), 2, "one that honours the selector shows it wide");
    }
}
