//! The one way somebody else's text becomes spans (S2): what would act on the terminal, or hide, is a visible mark.

use crate::line::{Line, Role, Span, Style};
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
    mark_pieces(pieces(text, layout, purpose), style.into(), alphabet, &mut Tower::default())
}

/// How many marks stand on the last character, for a text that comes in parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tower(usize);

/// A part of a block of prose, safe where it follows on the parts before; together they are what [`safe`] makes of the whole.
pub(crate) fn safe_part(part: &str, style: impl Into<Style>, alphabet: Alphabet, tower: &mut Tower) -> Vec<Span> {
    mark_pieces(pieces(part, Layout::Block, Purpose::Prose), style.into(), alphabet, tower)
}

fn mark_pieces(pieces: Vec<Piece<'_>>, style: Style, alphabet: Alphabet, Tower(marks): &mut Tower) -> Vec<Span> {
    let mut line = Line::blank();
    for piece in pieces {
        match piece {
            Piece::Text(text) if text.is_ascii() => {
                line.push(text, style);
                *marks = 0;
            }
            Piece::Hidden(c) => {
                line.push(mark(c), Role::Warning);
                *marks = 0;
            }
            Piece::Text(text) => {
                for c in text.chars() {
                    *marks = if char_width(c) == 0 && !matches!(c, '\n' | '\t') { *marks + 1 } else { 0 };
                    // Where the locale has no such letters, their bytes could be control characters of an old terminal.
                    let is_foreign = alphabet == Alphabet::Ascii && !c.is_ascii();
                    if is_foreign || *marks > MARKS_ON_ONE {
                        line.push(mark(c), Role::Warning);
                    } else {
                        line.push(&*c.encode_utf8(&mut [0; 4]), style);
                    }
                }
            }
        }
    }
    line.spans
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
