//! HTML of ours with text of others in it (S2): markup is always a literal of this program, and whatever else comes is escaped.

use askback_core::show::{Layout, Piece, Purpose, mark, pieces};

/// A piece of a page. There is no way to put in a text that is read as markup.
#[derive(Debug, Default)]
pub(crate) struct Html(String);

impl Html {
    /// Markup, which only the source of this program can hold.
    pub(crate) fn markup(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Anybody's text, between tags or between the quotes of an attribute, exactly as it is.
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        escape_into(&mut self.0, text);
        self
    }

    /// An attribute of the tag that was begun.
    pub(crate) fn attribute(&mut self, name: &'static str, value: &str) -> &mut Self {
        self.markup(" ").markup(name).markup("=\"").text(value).markup("\"")
    }

    /// Anybody's text to read, with a mark for everything that would hide in it.
    pub(crate) fn shown(&mut self, text: &str, layout: Layout, purpose: Purpose) -> &mut Self {
        for piece in pieces(text, layout, purpose) {
            match piece {
                Piece::Text(text) => self.text(text),
                Piece::Hidden(hidden) => self.markup("<span class=\"mark\">").text(&mark(hidden)).markup("</span>"),
            };
        }
        self
    }

    /// The same on one line, apart from what stands around it: letters that run from right to left would move that, too.
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

/// The one way for a text into a page. Every character that could end a text or an attribute, quoted either way, or begin
/// anything else, becomes a reference; a carriage return, too, which a browser would otherwise read as a line feed.
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

    /// What a browser makes of the references that there are.
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
