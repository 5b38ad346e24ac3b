//! A list of any length in a few rows: the focus is always among them, and what is not shown is counted.

use super::{Body, Extent, more};
use crate::line::Line;
use crate::page::Page;

/// Below this many rows there is no room to say what is left out.
const ROWS_WITH_COUNTS: usize = 4;

/// All items if they fit in `rows`, else as many whole ones around the focus as do.
pub(crate) fn window(count: usize, focus: usize, rows: usize, page: &Page, item: impl Fn(usize) -> Vec<Line>) -> Body {
    let mut all = Vec::new();
    for index in 0..count {
        all.extend(item(index));
        if all.len() > rows {
            return Body { extent: Extent::Part, ..Body::of(some(count, focus, rows, page, item)) };
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
        let below = (last + 1 < count).then(|| item(last + 1)).filter(|lines| lines.len() <= left);
        let grew_below = below.is_some();
        if let Some(lines) = below {
            left -= lines.len();
            shown.extend(lines);
            last += 1;
        }
        let above = first.checked_sub(1).map(&item).filter(|lines| lines.len() <= left);
        let grew_above = above.is_some();
        if let Some(lines) = above {
            left -= lines.len();
            shown.splice(0..0, lines);
            first -= 1;
        }
        if !grew_below && !grew_above {
            break;
        }
    }
    if rows < ROWS_WITH_COUNTS {
        return shown;
    }
    let mut lines = Vec::with_capacity(shown.len() + 2);
    if first > 0 {
        lines.push(more(page.signs().above, first, "", page));
    }
    lines.extend(shown);
    if last + 1 < count {
        lines.push(more(page.signs().below, count - last - 1, "", page));
    }
    lines
}
