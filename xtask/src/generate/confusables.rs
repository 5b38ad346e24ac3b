//! The table of characters that look like others, from `unicode-security`.

use unicode_normalization::UnicodeNormalization;
use unicode_security::skeleton;

/// A line for each character that looks like others: the character, a tab, and those others. A character that leaves no mark is
/// not in the table, and neither is one that is decomposed first.
pub(super) fn table() -> String {
    let is_decomposed = |c: &char| c.nfd().eq([*c]);
    let line = |c: char| {
        let text = c.to_string();
        let prototype: String = skeleton(&text).collect();
        (!prototype.is_empty() && prototype != text).then(|| format!("{c}\t{prototype}\n"))
    };
    ('\0'..=char::MAX).filter(is_decomposed).filter_map(line).collect()
}
