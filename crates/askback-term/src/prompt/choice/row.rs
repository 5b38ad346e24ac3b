//! How one row of a choice looks (Q3).

use super::super::Body;
use super::super::field::typed;
use super::{ChoicePrompt, Pick};
use crate::editor::Editor;
use crate::line::{Line, Role, Span, Style};
use crate::page::Page;
use crate::safe::safe;
use crate::width::clusters;
use crate::wrap::{Break, wrap, wrap_after};
use askback_core::ChoiceOption;
use askback_core::controls;
use askback_core::kind::choice::Select;
use askback_core::show::{Layout, Purpose};

const SUFFIX: &str = " (Recommended)";
/// From so many characters, or so many rows, a description is long.
const LONG: (usize, usize) = (400, 5);
/// Columns left of a label beyond which there is no room for it.
const NARROW: usize = 12;

impl ChoicePrompt<'_> {
    /// The rows of one item: its label, and its description indented under it.
    pub(super) fn item(&self, row: usize, page: &Page) -> Vec<Line> {
        let pick = self.pick(row);
        let is_focused = row == self.focus;
        let role = if is_focused { Role::Text } else { Role::Secondary };
        let role = if self.can_be_chosen(pick) { role } else { Role::Muted };
        let option = self.option(pick);
        let description = option.map_or(Some(controls::OTHER_DESCRIPTION), ChoiceOption::description);
        let label = match option {
            Some(option) => {
                let found = self.filter.as_ref().map(|filter| filter.found_in(option.label())).unwrap_or_default();
                label(option, &found, role, page)
            }
            None => {
                let mut spans = vec![Span::new(controls::OTHER, role)];
                if self.is_picked(Pick::Other) {
                    spans.push(Span::new(": ", role));
                    spans.extend(safe(self.custom.text(), Layout::Line, Purpose::Prose, role, page.alphabet));
                }
                spans
            }
        };
        let lead = self.lead(pick, is_focused, role, page);
        let indent = lead.width();
        let mut lines = wrap_after(lead, &label, page.width(), Break::Words);
        if let Some(description) = description {
            let spans = safe(description, Layout::Block, Purpose::Prose, Role::Muted, page.alphabet);
            let blank = Line::of(" ".repeat(indent.min(page.width() / 2)), Role::Plain);
            let mut rows = wrap_after(blank, &spans, page.width(), Break::Words);
            if is_long(description) && rows.len() > LONG.1 {
                rows.truncate(LONG.1);
                let said = if is_focused { "all of it is below the list" } else { "there is more of this" };
                rows.push(Line::of(format!("{}{} {said}", " ".repeat(indent), page.signs().more), Role::Warning));
                rows = rows.into_iter().map(|line| line.cut(page.width(), "")).collect();
            }
            lines.extend(rows);
            if page.is_roomy() && row + 1 < self.count() {
                lines.push(Line::blank());
            }
        }
        lines
    }

    /// `> ● `, or as much of it as there is room for.
    fn lead(&self, pick: Pick, is_focused: bool, role: Role, page: &Page) -> Line {
        let signs = page.signs();
        let chosen = self.is_picked(pick);
        let sign = match self.select {
            Select::One if chosen || is_focused => signs.chosen,
            Select::One => signs.open,
            Select::Many if chosen => signs.checked,
            Select::Many => signs.unchecked,
        };
        let pointer = if is_focused { Line::of(">", Style::bold(role)) } else { Line::of(" ", Role::Plain) };
        match self.select {
            Select::One if page.width() < NARROW => pointer,
            Select::Many if page.width() < NARROW => pointer.with(sign, Role::Primary),
            _ => pointer.with(" ", Role::Plain).with(sign, Role::Primary).with(" ", Role::Plain),
        }
    }
}

/// Whether a description is too long to stand under its option; it is then shown below the list, where it can be scrolled.
pub(super) fn is_long(description: &str) -> bool {
    description.chars().nth(LONG.0).is_some() || description.matches('\n').nth(LONG.1).is_some()
}

/// The label, what was searched for standing out in it, and its recommendation in the colour of success (Q2).
fn label(option: &ChoiceOption, found: &[u32], role: Role, page: &Page) -> Vec<Span> {
    let (text, suffix) = match option.label().strip_suffix(SUFFIX) {
        Some(text) => (text, SUFFIX),
        None => (option.label(), ""),
    };
    let mut spans = Vec::new();
    let mut stretch = |text: &str, is_found: bool| {
        let style = if is_found { Style::bold(Role::Primary) } else { role.into() };
        spans.extend(safe(text, Layout::Line, Purpose::Prose, style, page.alphabet));
    };
    // Stretches of characters that were found, or not.
    let (mut start, mut at, mut was_found) = (0, 0, false);
    for (index, cluster) in (0u32..).zip(clusters(text)) {
        let is_found = found.binary_search(&index).is_ok();
        if is_found != was_found {
            stretch(&text[start..at], was_found);
            (start, was_found) = (at, is_found);
        }
        at += cluster.len();
    }
    stretch(&text[start..], was_found);
    if !suffix.is_empty() {
        spans.push(Span::new(suffix, Role::Success));
    }
    if option.disabled() {
        spans.push(Span::new(" (can't be chosen)", Role::Muted));
    }
    spans
}

/// "Please specify:" and what is typed after it.
pub(super) fn specify(custom: &Editor, page: &Page) -> Body {
    let mut body = Body::default();
    if page.is_roomy() {
        body.lines.push(Line::blank());
    }
    if page.width() > 24 {
        body.append(typed(custom, (&format!("{} ", controls::SPECIFY), Role::Primary), None, page));
    } else {
        body.lines.extend(wrap(&[Span::new(controls::SPECIFY, Role::Primary)], page.width(), Break::Words));
        body.append(typed(custom, ("", Role::Primary), None, page));
    }
    body
}
