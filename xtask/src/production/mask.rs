//! A mask over Rust source: comments and the contents of literals become spaces, and every byte offset stays.

use super::is_identifier;

/// A comment or a literal at the start of a text. Offsets are in bytes.
struct Span {
    length: usize,
    /// How much of its start is a delimiter, which stays.
    open: usize,
    /// How much of its end is a delimiter, which stays.
    close: usize,
}

/// The source with spaces in place of comments and of the contents of literals. Line breaks stay.
pub(crate) fn mask(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let in_word = masked.chars().next_back().is_some_and(is_identifier);
        let length = if let Some(Span { length, open, close }) = span(rest, in_word) {
            masked.push_str(&rest[..open]);
            masked.extend(rest[open..length - close].chars().flat_map(blank));
            masked.push_str(&rest[length - close..length]);
            length
        } else {
            masked.push(char);
            char.len_utf8()
        };
        rest = &rest[length..];
    }
    masked
}

/// As many spaces as a character has bytes; a line break stays.
fn blank(char: char) -> impl Iterator<Item = char> {
    let (blank, count) = if char == '\n' { ('\n', 1) } else { (' ', char.len_utf8()) };
    std::iter::repeat_n(blank, count)
}

/// The comment or literal that the text begins with.
fn span(text: &str, in_word: bool) -> Option<Span> {
    match text.as_bytes() {
        [b'/', b'/', ..] => Some(Span { length: text.find('\n').unwrap_or(text.len()), open: 0, close: 0 }),
        [b'/', b'*', ..] => Some(block_comment(text)),
        [b'"', ..] => Some(string(text)),
        [b'\'', ..] => character(text),
        [b'r' | b'b' | b'c', ..] if !in_word => raw_string(text),
        _ => None,
    }
}

/// A block comment, with the comments that are nested in it.
fn block_comment(text: &str) -> Span {
    let mut depth = 0_usize;
    let mut length = 0;
    while length < text.len() {
        let rest = &text[length..];
        if rest.starts_with("/*") {
            depth += 1;
            length += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            length += 2;
        } else {
            length += rest.chars().next().map_or(1, char::len_utf8);
        }
        if depth == 0 {
            break;
        }
    }
    Span { length, open: 0, close: 0 }
}

fn string(text: &str) -> Span {
    let mut escaped = false;
    for (offset, char) in text.char_indices().skip(1) {
        match char {
            '"' if !escaped => return Span { length: offset + 1, open: 1, close: 1 },
            _ => escaped = char == '\\' && !escaped,
        }
    }
    Span { length: text.len(), open: 1, close: 0 }
}

/// A character literal, but no lifetime, which begins with the same quote.
fn character(text: &str) -> Option<Span> {
    let mut chars = text.char_indices().skip(1);
    let (_, first) = chars.next()?;
    let (second_offset, second) = chars.next()?;
    let quote = if first == '\\' {
        // The character behind the backslash may itself be a quote.
        let behind = second_offset + second.len_utf8();
        behind + text[behind..].find('\'')?
    } else {
        (second == '\'').then_some(second_offset)?
    };
    Some(Span { length: quote + 1, open: 1, close: 1 })
}

/// A raw string of any kind: `r"…"`, `r#"…"#`, `br"…"`, `cr"…"`.
fn raw_string(text: &str) -> Option<Span> {
    let marked = text.strip_prefix(['b', 'c']).unwrap_or(text).strip_prefix('r')?;
    let quoted = marked.trim_start_matches('#');
    let content = quoted.strip_prefix('"')?;
    let open = text.len() - content.len();
    let closing = format!("\"{}", "#".repeat(marked.len() - quoted.len()));
    let length = open + content.find(&closing)? + closing.len();
    Some(Span { length, open, close: closing.len() })
}

#[cfg(test)]
mod tests {
    use super::mask;

    #[test]
    fn comments_and_contents_of_literals_become_spaces() {
        for (text, masked) in [
            ("a // b\nc", "a     \nc"),
            ("a /* b /* c */ d */ e", "a                   e"),
            (r#"f("a\"b", c)"#, r#"f("    ", c)"#),
            ("f(\"a\nb\")", "f(\" \n \")"),
            ("f(r#\"a\"b\"#)", "f(r#\"   \"#)"),
            ("f(br\"\\\")", "f(br\" \")"),
            ("for\"a\"", "for\" \""),
            ("r#type", "r#type"),
            ("f('\"', '\\'', '\\u{1F}', 'ä')", "f(' ', '  ', '      ', '  ')"),
            ("f<'a>(&'a str)", "f<'a>(&'a str)"),
        ] {
            assert_eq!(mask(text), masked);
            assert_eq!(mask(text).len(), text.len());
        }
    }
}
