//! The questions of a form side by side (Q3): those that are answered have a tick, and the one on the screen stands out.

use super::{Form, Place};
use crate::line::{Line, Role, Span, Style};
use crate::page::Page;
use crate::safe::safe;
use askback_core::show::{Layout, Purpose};

/// How the tabs that are not on the screen are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Names {
    Headers,
    Numbers,
}

impl Form<'_> {
    /// One row of tabs, if there is more than one question. Where the headers don't fit, numbers do.
    pub(super) fn tabs(&self, page: &Page) -> Vec<Line> {
        if self.prompts.len() == 1 {
            return Vec::new();
        }
        let whole = self.tab_row(page, Names::Headers);
        if whole.width() <= page.full_width() {
            return vec![whole];
        }
        vec![self.tab_row(page, Names::Numbers).cut(page.full_width(), page.signs().more)]
    }

    fn tab_row(&self, page: &Page, names: Names) -> Line {
        let questions = (0..self.prompts.len()).map(|index| self.tab(index, page, names));
        let is_here = self.place == Place::Review;
        let review = Line::of(" Review ", tab_style(is_here));
        questions.chain([review]).reduce(|row, tab| row.with(" ", Role::Plain).then(tab)).unwrap_or_default()
    }

    /// ` ✔ Database `, on the ground of a chip where the person is.
    fn tab(&self, index: usize, page: &Page, names: Names) -> Line {
        let signs = page.signs();
        let is_here = self.place == Place::Question(index);
        let style = tab_style(is_here);
        let (sign, role) = match &self.answers[index] {
            Some(answer) if answer.rejects() => (signs.undone, Role::Error),
            Some(_) => (signs.done, Role::Success),
            None => (signs.unchecked, Role::Muted),
        };
        let name = match self.request.questions()[index].header() {
            Some(header) if (is_here || names == Names::Headers) && !imitates_tabs(header, page) => {
                safe(header, Layout::Line, Purpose::Exact, style, page.alphabet)
            }
            _ => vec![Span::new((index + 1).to_string(), style)],
        };
        let sign_style = if is_here { style } else { role.into() };
        Line::of(" ", style).with(sign, sign_style).with(" ", style).then(Line { spans: name }).with(" ", style)
    }
}

/// Whether a header would read as several tabs. It stands whole above its question.
fn imitates_tabs(header: &str, page: &Page) -> bool {
    let signs = page.signs();
    let has_gap = header.chars().zip(header.chars().skip(1)).any(|(c, next)| c.is_whitespace() && next.is_whitespace());
    has_gap || [signs.done, signs.undone, signs.unchecked].iter().any(|sign| header.contains(*sign))
}

fn tab_style(is_here: bool) -> Style {
    if is_here { Style::bold(Role::Chip) } else { Role::Secondary.into() }
}
