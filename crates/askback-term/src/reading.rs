//! What the person must see to decide: the request's context in rows, whole, every hidden character marked.

use crate::line::{Line, Role, Span, Style};
use crate::page::Page;
use crate::safe::safe;
use crate::wrap::{Break, wrap, wrap_after};
use askback_core::show::{Layout, Purpose};
use askback_core::{Context, Form};

pub(crate) fn lay_out(context: &[Context], page: &Page) -> Vec<Line> {
    context.iter().flat_map(|piece| lay_out_one(piece, page)).collect()
}

fn lay_out_one(piece: &Context, page: &Page) -> Vec<Line> {
    let bar = Line::of(format!("{} ", page.signs().quote), Role::Muted);
    let mut lines = heading(piece, page);
    // A line feed at the end ends the last line; it does not begin another.
    let text = piece.text().strip_suffix('\n').unwrap_or(piece.text());
    for line in text.split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let mut spans = safe(line, Layout::Block, Purpose::Exact, role(piece.form(), line), page.alphabet);
        if piece.form() == Form::Command {
            spans.insert(0, Span::new("$ ", Role::Muted));
        }
        lines.extend(beside(&bar, &spans, setting(piece.form(), page)));
    }
    lines
}

fn heading(piece: &Context, page: &Page) -> Vec<Line> {
    let mut spans = vec![Span::new(format!("{} ", page.signs().quote), Role::Muted)];
    if let Some(title) = piece.title() {
        spans.extend(safe(title, Layout::Line, Purpose::Exact, Style::bold(Role::Secondary), page.alphabet));
        spans.push(Span::new(" ", Role::Muted));
    }
    let language = piece.language().map(|language| format!(", {language}")).unwrap_or_default();
    let what = format!("({}{language})", piece.form().name());
    spans.extend(safe(&what, Layout::Line, Purpose::Exact, Role::Muted, page.alphabet));
    wrap(&spans, page.width(), Break::Words)
}

/// The columns that a line of this form may take, and where it may be broken: prose is for reading, and everything else
/// means what it means by its lines and spaces.
fn setting(form: Form, page: &Page) -> (usize, Break) {
    match form {
        Form::Markdown => (page.width(), Break::Words),
        Form::Diff | Form::Code | Form::Command | Form::Json => (page.full_width(), Break::Anywhere),
    }
}

/// The rows of a line, each behind the bar, so that what an agent wrote can't pass for what we say.
fn beside(bar: &Line, spans: &[Span], (columns, breaks): (usize, Break)) -> Vec<Line> {
    let width = bar.width();
    if width * 2 > columns {
        return wrap_after(Line::blank(), spans, columns, breaks);
    }
    let rows = wrap(spans, columns - width, breaks);
    rows.into_iter().map(|row| bar.clone().then(row)).collect()
}

fn role(form: Form, line: &str) -> Role {
    match form {
        Form::Diff if line.starts_with("+++") || line.starts_with("---") => Role::Secondary,
        Form::Diff if line.starts_with('+') => Role::Success,
        Form::Diff if line.starts_with('-') => Role::Error,
        Form::Diff if line.starts_with("@@") => Role::Info,
        Form::Markdown if line.starts_with('#') => Role::Primary,
        Form::Command => Role::Info,
        _ => Role::Plain,
    }
}
