//! The one way agent text reaches a screen (S2): what would act on the screen, or hide from it, becomes a visible mark.

use crate::limits::QUOTED_LENGTH;
use crate::text::{is_bidi_control, is_invisible, is_odd_space};

/// How much room the text has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// One line: line breaks and tabs are marked too.
    Line,
    /// Many lines: line breaks and tabs stay.
    Block,
}

/// What the reader is going to do with the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Read it: joiners and variation selectors stay, because emoji and many scripts need them.
    Prose,
    /// Approve exactly this: every invisible character is marked, and every space that is not the plain one.
    Exact,
}

/// A stretch of text that is safe to paint, or a character that is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Safe as it is.
    Text(&'a str),
    /// To be painted as [`mark`] says, in a colour that tells it from text.
    Hidden(char),
}

/// Cuts `text` into what may be painted and what must be marked. Nothing is dropped, except in a block the carriage
/// return of an ordinary line end.
pub fn pieces(text: &str, layout: Layout, purpose: Purpose) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        // A carriage return before a line feed is an ordinary line end; alone it would overwrite the line.
        let ends_line = layout == Layout::Block && c == '\r' && rest.peek().is_some_and(|(_, next)| *next == '\n');
        if !ends_line && !must_hide(c, layout, purpose) {
            continue;
        }
        if start < at {
            pieces.push(Piece::Text(&text[start..at]));
        }
        if !ends_line {
            pieces.push(Piece::Hidden(c));
        }
        start = at + c.len_utf8();
    }
    if start < text.len() {
        pieces.push(Piece::Text(&text[start..]));
    }
    pieces
}

/// `text` with every hidden character replaced by its [`mark`].
pub fn show(text: &str, layout: Layout, purpose: Purpose) -> String {
    pieces(text, layout, purpose).into_iter().fold(String::with_capacity(text.len()), |mut shown, piece| {
        match piece {
            Piece::Text(text) => shown.push_str(text),
            Piece::Hidden(c) => shown.push_str(&mark(c)),
        }
        shown
    })
}

/// How a hidden character is written: `<U+202E>`, in ASCII so that every terminal can show it.
pub fn mark(c: char) -> String {
    format!("<U+{:04X}>", u32::from(c))
}

/// JSON text in which everything hidden is written as an escape. It reads as the same value.
pub fn show_json(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for c in json.chars() {
        // Outside of texts JSON has no such characters, except the line breaks of pretty printing.
        if must_hide(c, Layout::Block, Purpose::Exact) {
            let mut units = [0; 2];
            shown.extend(c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// `text` in quotes, on one line and not too long, for use inside a sentence of ours.
pub fn quote(text: &str) -> String {
    let head: String = text.chars().take(QUOTED_LENGTH).collect();
    let more = if head.len() < text.len() { "…" } else { "" };
    format!("\"{}{more}\"", show(&head, Layout::Line, Purpose::Exact))
}

/// Who asks, in one line: the name of the asker's token, and beside it what the request claims (S9), which may be anything:
/// `ada's agents (calls itself "claude-code")`. It is still to be made safe by [`show`].
pub fn asker(name: &str, claim: Option<&str>) -> String {
    match claim.filter(|claim| *claim != name) {
        Some(claim) => format!("{name} ({})", self::claim(claim)),
        None => name.to_owned(),
    }
}

/// The claim of a request (`from`), in quotes that it can't end by itself: `calls itself "claude-code"`.
pub fn claim(claim: &str) -> String {
    format!("calls itself \"{}\"", claim.replace(is_double_quotation_mark, "'"))
}

/// Whether a character may pass for the end of a quotation. The page has the same list in `hub/request.ts`.
fn is_double_quotation_mark(c: char) -> bool {
    "\"\u{ab}\u{bb}\u{2ba}\u{2dd}\u{2ee}\u{2f5}\u{2f6}\u{5f4}\u{201c}\u{201d}\u{201e}\u{201f}\u{2033}\u{2036}\u{275d}\u{275e}\u{2760}\u{276e}\u{276f}\u{2e42}\u{3003}\u{300a}\u{300b}\u{301d}\u{301e}\u{301f}\u{ff02}\u{1f676}\u{1f677}\u{1f678}"
        .contains(c)
}

fn must_hide(c: char, layout: Layout, purpose: Purpose) -> bool {
    if c.is_control() {
        return layout == Layout::Line || !matches!(c, '\n' | '\t');
    }
    if is_bidi_control(c) {
        return true;
    }
    match purpose {
        Purpose::Exact => is_invisible(c) || is_odd_space(c),
        Purpose::Prose => is_invisible(c) && !shapes_its_neighbours(c),
    }
}

/// Zero-width joiners and variation selectors: invisible alone, but emoji and Indic and Persian text are wrong without them.
fn shapes_its_neighbours(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{34f}' | '\u{ad}')
}

#[cfg(test)]
mod tests {
    // S9
    #[test]
    fn claim_stands_beside_the_name_and_never_looks_like_one() {
        assert_eq!(super::asker("ada's agents", None), "ada's agents");
        assert_eq!(super::asker("ada's agents", Some("codex")), "ada's agents (calls itself \"codex\")");
        assert_eq!(super::asker("release-agent", Some("release-agent")), "release-agent", "it claims what is known");
        let escape = "x\"), approved by rita (\"";
        assert_eq!(super::asker("ci", Some(escape)), "ci (calls itself \"x'), approved by rita ('\")");
        assert_eq!(super::claim("“a” „b‟ ＂c＂ «d» 〝e〞 ″f″ ❝g❞"), "calls itself \"'a' 'b' 'c' 'd' 'e' 'f' 'g'\"");
    }

    use super::*;
    use proptest::prelude::*;

    proptest! {
        // S2
        #[test]
        fn nothing_shown_can_act_on_a_terminal(text in any::<String>(), block in any::<bool>(), exact in any::<bool>()) {
            let layout = if block { Layout::Block } else { Layout::Line };
            let purpose = if exact { Purpose::Exact } else { Purpose::Prose };
            let shown = show(&text, layout, purpose);
            prop_assert!(!shown.chars().any(is_bidi_control));
            prop_assert!(!shown.chars().any(|c| c.is_control() && !(block && matches!(c, '\n' | '\t'))));
            prop_assert!(!exact || !shown.chars().any(|c| is_invisible(c) || is_odd_space(c)));
        }
    }

    // S2
    #[test]
    fn json_is_shown_safely_and_reads_as_the_same() {
        let value = serde_json::json!({"a\u{202e}": ["\u{9b}31m\u{200b}\u{e0041}", "plain é 👩\u{200d}💻"]});
        let shown = show_json(&format!("{value:#}"));
        assert!(!shown.contains(|c| is_bidi_control(c) || is_invisible(c) || (c.is_control() && c != '\n')));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
    }

    // S2
    #[test]
    fn quotes_are_short_and_safe() {
        assert_eq!(quote("a\u{1b}[31m"), "\"a<U+001B>[31m\"");
        assert_eq!(quote(&"é".repeat(61)), format!("\"{}…\"", "é".repeat(60)));
    }
}
