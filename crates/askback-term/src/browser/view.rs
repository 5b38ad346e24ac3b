//! How a list looks: the heading, the filter, the items around the focus, and what the keys do.

use super::{Browser, BrowserItem, Target};
use crate::line::{Frame, Line, Role, Span, Style};
use crate::page::{Page, Spacing};
use crate::prompt::field::typed;
use crate::prompt::{Body, FILTER, ROWS_PER_HINT, hint_lines, list};
use crate::safe::safe;
use crate::width::width;
use crate::wrap::{Break, wrap};
use askback_core::show::{Layout, Purpose};

/// Columns below which there is no room to set the items off from the pointer.
const NARROW: usize = 12;

struct Around {
    heading: Vec<Line>,
    filter: Body,
    note: Vec<Line>,
    footer: Vec<Line>,
}

impl Browser {
    /// What the screen shows: all of it if it fits, else the focus first.
    pub(crate) fn view(&self, page: &Page) -> Frame {
        let roomy = self.view_all(&Page { spacing: Spacing::Roomy, ..*page });
        let tight = Page { spacing: Spacing::Tight, ..*page };
        roomy.or_else(|| self.view_all(&tight)).unwrap_or_else(|| self.view_some(&tight))
    }

    /// Everything, if it fits.
    fn view_all(&self, page: &Page) -> Option<Frame> {
        let around = self.around(page);
        let above = around.heading.len() + around.filter.lines.len();
        let gaps = if page.is_roomy() { usize::from(above > 0) + 1 } else { 0 };
        let fixed = above + around.note.len() + around.footer.len() + gaps;
        let left = page.height().checked_sub(fixed).filter(|left| *left > 0)?;
        let items = self.rows(page, left);
        (!items.is_cut).then(|| together(around, items, page))
    }

    /// As much as fits: a row of what has the focus, then the filter, what is said, hints and the heading, and then more items.
    fn view_some(&self, page: &Page) -> Frame {
        let height = page.height();
        let mut around = self.around(page);
        // Nothing can be opened while the filter is typed, so that in a single row the filter may stand alone.
        let least = if self.is_typing { 1.min(height - 1) } else { 1 };
        let mut left = height - least;
        let mut spend = |wanted: usize, most: usize| {
            let rows = wanted.min(most).min(left);
            left -= rows;
            rows
        };
        let rows = spend(around.filter.lines.len(), (height / 3).max(1));
        around.filter = if rows > 0 { around.filter.clipped(rows, page) } else { Body::default() };
        around.note.truncate(spend(around.note.len(), (height / 3).max(1)));
        around.footer.truncate(spend(around.footer.len(), height / ROWS_PER_HINT));
        // The item in focus has two rows.
        let heading = if height > 3 { spend(around.heading.len(), 1) } else { 0 };
        around.heading.truncate(heading);
        let rows = least + left;
        let items = if rows > 0 { self.rows(page, rows) } else { Body::default() };
        together(around, items, page)
    }

    fn around(&self, page: &Page) -> Around {
        let heading = match self.heading.trim() {
            "" => Vec::new(),
            heading => vec![cut(Line::blank(), &shown(heading, Style::bold(Role::Plain), page), page)],
        };
        let filter = match self.filter.is_empty() {
            _ if self.is_typing => typed(&self.filter, FILTER, Some("type to filter"), page),
            true => Body::default(),
            false => Body::of(vec![self.kept_filter(page)]),
        };
        let note = self.note.iter().flat_map(|note| note.rows(page.width(), page.alphabet));
        Around { heading, filter, note: note.collect(), footer: hint_lines(self.hints(page), page) }
    }

    /// `/ auth  2 of 7`.
    fn kept_filter(&self, page: &Page) -> Line {
        let count = format!("  {} of {}", self.visible.len(), self.items.len());
        let lead = Line::of(FILTER.0, FILTER.1);
        let typed = Line { spans: shown(self.filter.text(), Role::Text, page) };
        let room = page.width().saturating_sub(width(&count));
        let line =
            if room > 2 * lead.width() { lead.then(typed).cut(room, page.signs().more) } else { lead.then(typed) };
        line.with(count, Role::Muted).cut(page.width(), page.signs().more)
    }

    fn rows(&self, page: &Page, rows: usize) -> Body {
        let count = self.visible.len();
        if count == 0 {
            let text = if self.items.is_empty() { self.empty.as_str() } else { "nothing matches" };
            let spans = shown(text, Role::Muted, page);
            return Body::of(wrap(&spans, page.width(), Break::Words)).clipped(rows, page);
        }
        let focus = self.focus_row();
        list::window(count, focus, rows, page, |row| {
            self.item(row).map(|item| item_rows(item, row == focus, page)).unwrap_or_default()
        })
    }

    fn hints(&self, page: &Page) -> Vec<String> {
        if self.is_typing {
            return vec!["enter keep".to_owned(), "esc clear".to_owned(), format!("{} navigate", page.signs().up_down)];
        }
        let mut hints = Vec::new();
        if !self.visible.is_empty() {
            hints.push(format!("{} navigate", page.signs().up_down));
            hints.push("enter open".to_owned());
        }
        if !self.items.is_empty() {
            hints.push("/ filter".to_owned());
        }
        let actions = self.actions.iter().filter(|action| action.target == Target::List || !self.visible.is_empty());
        hints.extend(actions.map(|action| format!("{} {}", action.key, action.label)));
        if !self.filter.is_empty() {
            hints.push("esc clear filter".to_owned());
        }
        hints.push("q close".to_owned());
        hints
    }
}

fn together(mut around: Around, items: Body, page: &Page) -> Frame {
    let mut body = Body::of(around.heading);
    body.append(around.filter);
    if page.is_roomy() && !body.lines.is_empty() {
        body.lines.push(Line::blank());
    }
    body.append(items);
    if page.is_roomy() {
        body.lines.push(Line::blank());
    }
    body.lines.append(&mut around.note);
    body.lines.append(&mut around.footer);
    Frame { lines: body.lines, cursor: body.cursor, ..Frame::default() }
}

/// What it is, and below it what else there is to say: one row each.
fn item_rows(item: &BrowserItem, is_focused: bool, page: &Page) -> Vec<Line> {
    let role = if is_focused { Role::Text } else { Role::Secondary };
    let pointer = if is_focused { Line::of(">", Style::bold(role)) } else { Line::of(" ", Role::Plain) };
    let gap = if page.width() < NARROW { "" } else { " " };
    let lead = pointer.with(gap, Role::Plain);
    let indent = Line::of(" ".repeat(lead.width()), Role::Plain);
    let mut lines = vec![cut(lead, &shown(&item.title, role, page), page)];
    let warning = item.warning.iter().map(|warning| shown(warning, Role::Warning, page));
    let details = item.details.iter().map(|detail| shown(detail, Role::Muted, page));
    let mut below = Vec::new();
    for part in warning.chain(details).filter(|part| !part.is_empty()) {
        if !below.is_empty() {
            below.push(Span::new(format!(" {} ", page.signs().dot), Role::Muted));
        }
        below.extend(part);
    }
    if !below.is_empty() {
        lines.push(cut(indent, &below, page));
    }
    lines
}

/// An asker's text on one row; what would begin another is a space.
pub(super) fn shown(text: &str, style: impl Into<Style>, page: &Page) -> Vec<Span> {
    let text = text.trim_matches([' ', '\n', '\t']).replace(['\n', '\t'], " ");
    safe(&text, Layout::Line, Purpose::Exact, style, page.alphabet)
}

/// As much as fits after `lead`, with a sign if that is not all.
fn cut(lead: Line, spans: &[Span], page: &Page) -> Line {
    let lead = lead.cut(page.width(), "");
    let room = page.width() - lead.width();
    let sign = page.signs().more;
    let more = if width(sign) < room { sign } else { "~" };
    lead.then(Line { spans: spans.to_vec() }.cut(room, more))
}
