//! The one way somebody else's text becomes spans (S2): what would act on the terminal, or hide, is a visible mark.

use crate::line::{Role, Span, Style};
use crate::theme::Alphabet;
use crate::width::char_width;
use askback_core::show::{Layout, Piece, Purpose, mark, pieces};

/// Marks that may stand on one character; no script needs more, and a tower of them paints over the lines around it.
const MARKS_ON_ONE: usize = 8;

/// `text` as spans of `style`, with what hides marked in a colour of its own. Tabs and line feeds of a block stay, for
/// [`crate::wrap`] to lay out.
pub(crate) fn safe(
    text: &str,
    layout: Layout,
    purpose: Purpose,
    style: impl Into<Style>,
    alphabet: Alphabet,
) -> Vec<Span> {
    let mut spans = Spans { spans: Vec::new(), style: style.into() };
    let mut tower = Tower::default();
    for piece in pieces(text, layout, purpose) {
        add(piece, alphabet, &mut tower, &mut spans);
    }
    spans.spans
}

/// How many marks stand on the last character, for a text that comes in parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tower(usize);

/// A part of a block of prose, safe where it follows on the parts before; together they are what [`safe`] makes of the whole.
pub(crate) fn safe_part(part: &str, style: impl Into<Style>, alphabet: Alphabet, tower: &mut Tower) -> Vec<Span> {
    let mut spans = Spans { spans: Vec::new(), style: style.into() };
    for piece in pieces(part, Layout::Block, Purpose::Prose) {
        add(piece, alphabet, tower, &mut spans);
    }
    spans.spans
}

fn add(piece: Piece<'_>, alphabet: Alphabet, tower: &mut Tower, spans: &mut Spans) {
    match piece {
        Piece::Text(text) if !text.is_ascii() => return plain(text, alphabet, tower, spans),
        Piece::Text(text) => spans.text(text),
        Piece::Hidden(c) => spans.mark(c),
    }
    *tower = Tower::default();
}

fn plain(text: &str, alphabet: Alphabet, Tower(marks): &mut Tower, spans: &mut Spans) {
    for c in text.chars() {
        *marks = if char_width(c) == 0 && !matches!(c, '\n' | '\t') { *marks + 1 } else { 0 };
        // Where the locale has no such letters, their bytes could be control characters of an old terminal.
        let foreign = alphabet == Alphabet::Ascii && !c.is_ascii();
        if foreign || *marks > MARKS_ON_ONE {
            spans.mark(c);
        } else {
            spans.text(c.encode_utf8(&mut [0; 4]));
        }
    }
}

struct Spans {
    spans: Vec<Span>,
    style: Style,
}

impl Spans {
    fn text(&mut self, text: &str) {
        self.push(text, self.style);
    }

    fn mark(&mut self, c: char) {
        self.push(&mark(c), Role::Warning.into());
    }

    fn push(&mut self, text: &str, style: Style) {
        match self.spans.last_mut() {
            Some(last) if last.style == style => last.text.push_str(text),
            _ => self.spans.push(Span::new(text, style)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str, alphabet: Alphabet) -> String {
        let spans = safe(text, Layout::Line, Purpose::Prose, Role::Plain, alphabet);
        spans.into_iter().map(|span| span.text).collect()
    }

    // S2
    #[test]
    fn marks_stand_out_and_towers_are_taken_apart() {
        assert_eq!(text("a\u{1b}[31m", Alphabet::Unicode), "a<U+001B>[31m");
        assert_eq!(text("é日", Alphabet::Ascii), "<U+00E9><U+65E5>");
        let tower = format!("a{}", "\u{301}".repeat(10));
        assert_eq!(text(&tower, Alphabet::Unicode), format!("a{}<U+0301><U+0301>", "\u{301}".repeat(8)));
        let spans = safe("a\u{202e}b", Layout::Line, Purpose::Exact, Role::Text, Alphabet::Unicode);
        assert_eq!(
            spans.iter().map(|span| span.style.role).collect::<Vec<_>>(),
            [Role::Text, Role::Warning, Role::Text]
        );
    }
}
