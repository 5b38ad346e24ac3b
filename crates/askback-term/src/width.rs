//! How wide text is, by the widest opinion: terminals disagree about emoji, and a line that wraps breaks the frame.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// What a person takes for one character.
pub(crate) fn clusters(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.graphemes(true)
}

/// The columns `text` takes at most. A terminal that joins emoji needs fewer than one that shows each part, and the
/// frame must hold on both.
pub(crate) fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    clusters(text).map(|cluster| cluster.chars().map(char_width).sum::<usize>().max(cluster.width())).sum()
}

pub(crate) fn char_width(c: char) -> usize {
    c.width().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::width;

    // Q3
    #[test]
    fn the_widest_opinion_counts() {
        assert_eq!([width("abc"), width("日本"), width("e\u{301}")], [3, 4, 1]);
        assert_eq!(width("👩\u{200d}💻"), 4, "a terminal without joined emoji shows both");
        assert_eq!(width("❤\u{fe0f}"), 2, "one that honours the selector shows it wide");
    }
}
