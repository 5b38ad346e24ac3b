//! A list of any length in a few rows: the focus is always among them, and what is not shown is counted.

use super::{Body, more};
use crate::input::Key;
use crate::line::Line;
use crate::page::Page;

/// Below this many rows there is no room to say what is left out.
const ROWS_WITH_COUNTS: usize = 4;
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
    let room = if rows >= ROWS_WITH_COUNTS { rows - 2 } else { rows };
    let mut shown = item(focus);
    let left = (shown.len() + 1).saturating_sub(room);
    shown.truncate(if left > 1 && room > 1 { room - 1 } else { room });
    if left > 1 && room > 1 {
        shown.push(more(page.signs().below, left, "rows", page));
    }
    let (mut first, mut last) = (focus, focus);
    let mut left = room - shown.len();
    loop {
        let before = (first, last);
        if let Some(lines) = (last + 1 < count).then(|| item(last + 1)).filter(|lines| lines.len() <= left) {
            left -= lines.len();
            shown.extend(lines);
            last += 1;
        }
        if let Some(lines) = first.checked_sub(1).map(&item).filter(|lines| lines.len() <= left) {
            left -= lines.len();
            shown.splice(0..0, lines);
            first -= 1;
        }
        if (first, last) == before {
            break;
        }
    }
    if rows >= ROWS_WITH_COUNTS && first > 0 {
        shown.insert(0, more(page.signs().above, first, "", page));
    }
    if rows >= ROWS_WITH_COUNTS && last + 1 < count {
        shown.push(more(page.signs().below, count - last - 1, "", page));
    }
    shown
}
