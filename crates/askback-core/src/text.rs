//! What counts as a space, a blank and a control character: one meaning for every rule and every language.

/// The characters JavaScript's `String.prototype.trim` removes, so that Rust and TypeScript agree.
pub fn is_space(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}

/// `text` without leading and trailing space, as JavaScript's `trim` would leave it.
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Whether a person would see nothing at all in `text`.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| is_space(c) || c.is_control() || is_invisible(c))
}

/// How many code points `text` has, which is how JSON Schema counts.
pub fn length(text: &str) -> usize {
    text.chars().count()
}

/// Whether `text` has a control character. Most text is ASCII, where bytes tell.
pub fn has_control(text: &str) -> bool {
    if text.is_ascii() {
        return text.bytes().any(|byte| byte.is_ascii_control());
    }
    text.contains(char::is_control)
}

/// Characters that reorder the text around them: a way to show one thing and mean another.
pub fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Spaces that look like the plain one and are another: in a command they change what it means.
pub fn is_odd_space(c: char) -> bool {
    !c.is_ascii() && is_space(c)
}

/// Characters that leave no mark on the screen.
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{13430}'..='\u{1343f}' | '\u{1d159}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    // F1
    #[test]
    fn blank_means_that_nothing_is_seen() {
        for text in ["", " ", "\t\r\n", "\u{a0}\u{3000}", "\u{200b}", "\u{feff}", "\u{3164}\u{2800}", "\u{7}"] {
            assert!(is_blank(text), "{text:?}");
        }
        for text in ["0", " a ", "\u{301}", "👩\u{200d}💻", "。"] {
            assert!(!is_blank(text), "{text:?}");
        }
    }

    // F13
    #[test]
    fn trim_is_javascripts() {
        assert_eq!(trim("\u{feff}\u{a0}\t x y \u{2029}\n"), "x y");
        assert_eq!(trim("\u{85}x"), "\u{85}x", "JavaScript keeps U+0085");
        assert_eq!(trim("\u{200b}x"), "\u{200b}x", "and U+200B");
    }
}
