//! How one row of a choice looks (Q3).

use super::super::Body;
use super::super::field::typed;
use super::{ChoicePrompt, Pick, QUICK};
use crate::line::{Line, Role, Span, Style};
use crate::page::Page;
use crate::safe::safe;
use crate::width::clusters;
use crate::wrap::{Break, wrap_after};
use askback_core::ChoiceOption;
use askback_core::controls;
use askback_core::kind::choice::Select;
use askback_core::show::{Layout, Purpose};

const SUFFIX: &str = " (Recommended)";
/// From so many characters, or so many rows, a description is long.
const LONG: (usize, usize) = (400, 5);
/// Columns left of a label beyond which there is no room for it.
const NARROW: usize = 12;
/// Columns that a text being typed has beside a label at least.
const ROOM_TO_TYPE: usize = 10;

impl ChoicePrompt<'_> {
    /// The rows of one item: its label, and its description indented under it.
    pub(super) fn item(&self, row: usize, page: &Page) -> Vec<Line> {
        let pick = self.pick(row);
        let is_focused = row == self.focus;
        let style = self.style(pick, is_focused);
        let option = self.option(pick);
        let description = option.map_or(Some(controls::OTHER_DESCRIPTION), ChoiceOption::description);
        let label = match option {
            Some(option) => {
                let found = self.filter.as_ref().map(|filter| filter.found_in(option.label())).unwrap_or_default();
                label(option, &found, style, page)
            }
            None => {
                let mut spans = vec![Span::new(controls::OTHER, style)];
                if self.is_picked(Pick::Other) {
                    spans.push(Span::new(": ", style));
                    spans.extend(safe(self.custom.text(), Layout::Line, Purpose::Prose, style, page.alphabet));
                }
                spans
            }
        };
        let lead = self.lead(row, page);
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

    /// What is checked has another colour than what is not, and what is in focus stands out.
    fn style(&self, pick: Pick, is_focused: bool) -> Style {
        match (self.select, self.is_picked(pick)) {
            _ if !self.can_be_chosen(pick) => Role::Muted.into(),
            (Select::Many, true) if is_focused => Style::bold(Role::Success),
            (Select::Many, true) => Role::Success.into(),
            _ if is_focused => Role::Text.into(),
            _ => Role::Secondary.into(),
        }
    }

    /// `> ● 1. `, or as much of it as there is room for.
    fn lead(&self, row: usize, page: &Page) -> Line {
        let (pick, is_focused, signs) = (self.pick(row), row == self.focus, page.signs());
        let chosen = self.is_picked(pick);
        let (sign, role) = match self.select {
            Select::One if chosen || is_focused => (signs.chosen, Role::Primary),
            Select::One => (signs.open, Role::Primary),
            Select::Many if chosen => (signs.checked, Role::Success),
            Select::Many => (signs.unchecked, Role::Primary),
        };
        let pointer_role = if self.can_be_chosen(pick) { Role::Text } else { Role::Muted };
        let pointer = if is_focused { Line::of(">", Style::bold(pointer_role)) } else { Line::of(" ", Role::Plain) };
        match self.select {
            Select::One if page.width() < NARROW => pointer,
            Select::Many if page.width() < NARROW => pointer.with(sign, role),
            _ => {
                let lead = pointer.with(" ", Role::Plain).with(sign, role).with(" ", Role::Plain);
                if self.has_quick_select() { lead.then(self.quick_number(row)) } else { lead }
            }
        }
    }

    /// The digit that takes a row at once; where none does, the room for one.
    fn quick_number(&self, row: usize) -> Line {
        if row < QUICK && self.can_be_chosen(self.pick(row)) {
            Line::of(format!("{}. ", row + 1), Role::Info)
        } else {
            Line::of("   ", Role::Plain)
        }
    }

    /// "Please specify:" below Other's label, and what is typed after it.
    pub(super) fn specify_body(&self, page: &Page) -> Body {
        let indent = " ".repeat(self.lead(self.focus, page).width());
        let label = format!("{indent}{} ", controls::SPECIFY);
        if page.width() >= label.len() + ROOM_TO_TYPE {
            return typed(&self.custom, (&label, Role::Primary), None, page);
        }
        let indent = if page.width() >= indent.len() + ROOM_TO_TYPE { indent } else { String::new() };
        let lead = Line::of(indent.as_str(), Role::Plain);
        let mut body =
            Body::of(wrap_after(lead, &[Span::new(controls::SPECIFY, Role::Primary)], page.width(), Break::Words));
        body.append(typed(&self.custom, (&indent, Role::Primary), None, page));
        body
    }
}

/// Whether a description is too long to stand under its option; it is then shown below the list, where it can be scrolled.
pub(super) fn is_long(description: &str) -> bool {
    description.chars().nth(LONG.0).is_some() || description.matches('\n').nth(LONG.1).is_some()
}

/// The label, what was searched for standing out in it, and its recommendation in the colour of success (Q2).
fn label(option: &ChoiceOption, found: &[u32], style: Style, page: &Page) -> Vec<Span> {
    let (text, suffix) = match option.label().strip_suffix(SUFFIX) {
        Some(text) => (text, SUFFIX),
        None => (option.label(), ""),
    };
    let mut spans = Vec::new();
    let mut stretch = |text: &str, is_found: bool| {
        let style = if is_found { Style::bold(Role::Primary) } else { style };
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
