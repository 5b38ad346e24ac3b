//! HTML with foreign text (S2): markup is always a literal of this program, and everything else is escaped.

use askback_core::show::{Layout, Piece, Purpose, mark, pieces};

/// A fragment of a page. No text can become markup.
#[derive(Debug, Default)]
pub(crate) struct Html(String);

impl Html {
    /// Markup: only a literal of this program.
    pub(crate) fn markup(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Foreign text, verbatim, between tags or between the quotes of an attribute.
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        escape_into(&mut self.0, text);
        self
    }

    /// An attribute of the open tag.
    pub(crate) fn attribute(&mut self, name: &'static str, value: &str) -> &mut Self {
        self.markup(" ").markup(name).markup("=\"").text(value).markup("\"")
    }

    /// Foreign text to read, with a mark for every invisible character.
    pub(crate) fn shown(&mut self, text: &str, layout: Layout, purpose: Purpose) -> &mut Self {
        for piece in pieces(text, layout, purpose) {
            match piece {
                Piece::Text(text) => self.text(text),
                Piece::Hidden(hidden) => self.markup("<span class=\"mark\">").text(&mark(hidden)).markup("</span>"),
            };
        }
        self
    }

    /// The same on one line, isolated from its surroundings, which right-to-left text would reorder.
    pub(crate) fn line(&mut self, text: &str, purpose: Purpose) -> &mut Self {
        self.markup("<bdi>").shown(text, Layout::Line, purpose).markup("</bdi>")
    }

    pub(crate) fn append(&mut self, other: &Self) -> &mut Self {
        self.0.push_str(&other.0);
        self
    }

    pub(crate) fn into_string(self) -> String {
        self.0
    }
}

/// Escapes a text: the only way into a page. Every character that could end a text or an attribute, quoted either way, or begin markup
/// becomes a reference; so does a carriage return, which a browser would read as a line feed.
fn escape_into(page: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '>', '"', '\'', '\r']) {
        page.push_str(&rest[..at]);
        page.push_str(match rest.as_bytes()[at] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            b'\'' => "&#39;",
            _ => "&#13;",
        });
        rest = &rest[at + 1..];
    }
    page.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Resolves the references as a browser does.
    fn unescape(text: &str) -> String {
        let references =
            [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#13;", "\r"), ("&amp;", "&")];
        references.iter().fold(text.to_owned(), |text, (reference, stands_for)| text.replace(reference, stands_for))
    }

    proptest! {
        // S2
        #[test]
        fn no_text_can_close_a_tag_or_an_attribute(text in "(?s).*|[<>&\"'/=a-z;#\r\n-]{0,40}") {
            let mut html = Html::default();
            html.text(&text);
            let escaped = html.into_string();
            prop_assert!(!escaped.contains(['<', '>', '"', '\'', '\r']), "{}", escaped);
            for (at, _) in escaped.match_indices('&') {
                let reference = escaped[at..].split_inclusive(';').next().unwrap_or_default();
                prop_assert!(["&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "&#13;"].contains(&reference), "{}", escaped);
            }
            prop_assert_eq!(unescape(&escaped), text, "nothing is lost");
        }
    }

    // S2
    #[test]
    fn what_would_hide_is_marked() {
        let mut html = Html::default();
        html.shown("rm \u{202e}<b>\n", Layout::Block, Purpose::Exact);
        assert_eq!(html.into_string(), "rm <span class=\"mark\">&lt;U+202E&gt;</span>&lt;b&gt;\n");
    }
}
