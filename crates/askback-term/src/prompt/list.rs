//! A list of any length in a few rows: the focus is always among them, and what is not shown is counted.

use super::{Body, more, shortened};
use crate::input::Key;
use crate::line::{Line, Role};
use crate::page::Page;

/// In fewer rows, what is left out above and below is said in one.
const APART: usize = 6;
/// In fewer rows, none is spent on saying how much of the focus itself is left out: a sign at its end has to do.
const ROWS_WITH_REST: usize = 4;
/// Rows that Page Up and Page Down move over.
const PAGE: usize = 10;
/// Items told at once in plain mode; a listener can't keep more in mind.
pub(crate) const TOLD_AT_ONCE: usize = 20;

/// The row that a key moves the focus to, if it moves over the rows of a list and there are any.
pub(crate) fn walked(key: Key, focus: usize, count: usize) -> Option<usize> {
    let last = count.checked_sub(1)?;
    match key {
        Key::Up => Some(focus.checked_sub(1).unwrap_or(last)),
        Key::Down => Some((focus + 1) % count),
        Key::PageUp => Some(focus.saturating_sub(PAGE)),
        Key::PageDown => Some((focus + PAGE).min(last)),
        Key::Home => Some(0),
        Key::End => Some(last),
        _ => None,
    }
}

/// A number as it is told before an item, with a # before it or without.
pub(crate) fn told_number(typed: &str) -> Option<usize> {
    let digits = typed.strip_prefix('#').unwrap_or(typed);
    digits.parse().ok().filter(|number: &usize| number.to_string() == digits)
}

/// All items if they fit in `rows`, else as many whole ones around the focus as do.
pub(crate) fn window(count: usize, focus: usize, rows: usize, page: &Page, item: impl Fn(usize) -> Vec<Line>) -> Body {
    let mut all = Vec::new();
    for index in 0..count {
        all.extend(item(index));
        if all.len() > rows {
            return Body { is_cut: true, ..Body::of(some(count, focus, rows, page, item)) };
        }
    }
    Body::of(all)
}

fn some(count: usize, focus: usize, rows: usize, page: &Page, item: impl Fn(usize) -> Vec<Line>) -> Vec<Line> {
    let mut shown = item(focus);
    // Of the last two rows, a label that needs both has both.
    let least = if shown.len() == 1 { 2 } else { 3 };
    let counts = |first: usize, last: usize| {
        let sides = usize::from(first > 0) + usize::from(last + 1 < count);
        sides.min(if rows >= APART { 2 } else { usize::from(rows >= least) })
    };
    let room = rows - counts(focus, focus).min(rows);
    if shown.len() > room && room >= ROWS_WITH_REST {
        let rest = shown.len() + 1 - room;
        shown.truncate(room - 1);
        shown.push(more(page.signs().below, rest, "rows", page));
    }
    let mut shown = shortened(shown, room, page);
    let (mut first, mut last) = (focus, focus);
    loop {
        let before = (first, last);
        let fits = |used: usize, lines: &[Line], first, last| used + lines.len() + counts(first, last) <= rows;
        let next = (last + 1 < count).then(|| item(last + 1));
        if let Some(lines) = next.filter(|lines| fits(shown.len(), lines, first, last + 1)) {
            shown.extend(lines);
            last += 1;
        }
        let previous = first.checked_sub(1).map(&item);
        if let Some(lines) = previous.filter(|lines| fits(shown.len(), lines, first - 1, last)) {
            shown.splice(0..0, lines);
            first -= 1;
        }
        if (first, last) == before {
            break;
        }
    }
    let above = (first > 0).then(|| more(page.signs().above, first, "", page));
    let below = (last + 1 < count).then(|| more(page.signs().below, count - last - 1, "", page));
    match (above, below, counts(first, last)) {
        (_, _, 0) => {}
        (Some(above), Some(below), 1) => shown.push(above.with("  ", Role::Plain).then(below).cut(page.width(), "")),
        (above, below, 1) => shown.extend(above.or(below)),
        (above, below, _) => {
            shown.splice(0..0, above);
            shown.extend(below);
        }
    }
    shown
}
