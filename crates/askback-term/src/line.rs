//! Lines of a screen: safe text in roles, never escape sequences.

use crate::width::{clusters, width};

/// What a stretch of text is for; the theme gives it a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Role {
    /// The terminal's own colour.
    #[default]
    Plain,
    /// What has the focus.
    Text,
    /// What could have it.
    Secondary,
    /// Descriptions and hints.
    Muted,
    /// Marks of selection, the cursor.
    Primary,
    /// A header's chip.
    Chip,
    /// What is recommended or done.
    Success,
    /// Approving, numbers, added lines.
    Info,
    /// Rejecting, broken rules, removed lines.
    Error,
    /// Time running out, text that does not fit, characters that would hide.
    Warning,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Style {
    pub(crate) role: Role,
    pub(crate) is_bold: bool,
}

impl Style {
    pub(crate) fn bold(role: Role) -> Self {
        Self { role, is_bold: true }
    }
}

impl From<Role> for Style {
    fn from(role: Role) -> Self {
        Self { role, is_bold: false }
    }
}

/// A stretch of text with one look. The text is safe to paint: whoever makes a span of somebody else's text takes it
/// from [`crate::safe`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) text: String,
    pub(crate) style: Style,
}

impl Span {
    pub(crate) fn new(text: impl Into<String>, style: impl Into<Style>) -> Self {
        Self { text: text.into(), style: style.into() }
    }
}

/// One row of the screen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Line {
    pub(crate) spans: Vec<Span>,
}

impl Line {
    pub(crate) fn blank() -> Self {
        Self::default()
    }

    pub(crate) fn of(text: impl Into<String>, style: impl Into<Style>) -> Self {
        Self { spans: vec![Span::new(text, style)] }
    }

    pub(crate) fn with(mut self, text: impl AsRef<str> + Into<String>, style: impl Into<Style>) -> Self {
        self.push(text, style);
        self
    }

    pub(crate) fn push(&mut self, text: impl AsRef<str> + Into<String>, style: impl Into<Style>) {
        let style = style.into();
        match self.spans.last_mut() {
            Some(last) if last.style == style => last.text.push_str(text.as_ref()),
            _ if text.as_ref().is_empty() => {}
            _ => self.spans.push(Span::new(text, style)),
        }
    }

    /// The same with what stands on another line after it.
    pub(crate) fn then(mut self, other: Self) -> Self {
        other.spans.into_iter().for_each(|span| self.push(span.text, span.style));
        self
    }

    /// The columns it takes, counted so that no terminal needs more.
    pub(crate) fn width(&self) -> usize {
        self.spans.iter().map(|span| width(&span.text)).sum()
    }

    /// As much of its start as fits, with `more` at the end if that is not all.
    pub(crate) fn cut(self, columns: usize, more: &str) -> Self {
        if self.width() <= columns {
            return self;
        }
        let room = columns.saturating_sub(width(more));
        let mut kept = Self::blank();
        let mut used = 0;
        'spans: for span in &self.spans {
            for cluster in clusters(&span.text) {
                used += width(cluster);
                if used > room {
                    break 'spans;
                }
                kept.push(cluster, span.style);
            }
        }
        if width(more) <= columns {
            kept.push(more, Role::Warning);
        }
        kept
    }
}

/// What a view asks the painter to show.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Frame {
    pub(crate) lines: Vec<Line>,
    /// Where the person types: a row, and a column in it.
    pub(crate) cursor: Option<(usize, usize)>,
    pub(crate) light: Light,
}

/// Whether the frame has the reader's full attention.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Light {
    #[default]
    Full,
    /// Time is running out (Q8): all but the warning is dimmed.
    Dimmed,
}

#[cfg(test)]
mod tests {
    use super::Line;

    impl Line {
        pub(crate) fn text(&self) -> String {
            self.spans.iter().map(|span| span.text.as_str()).collect()
        }
    }
}
