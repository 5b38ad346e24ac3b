//! Fitting a form into the rows there are: all of it if possible, else panes that say what they leave out.

use super::{Form, Place};
use crate::line::{Frame, Light, Line, Role, Span, Style};
use crate::page::{Page, Spacing};
use crate::prompt::field::typed;
use crate::prompt::{Body, Preview, Way, hint_lines, shortened};
use crate::safe::safe;
use crate::summary;
use crate::wrap::{Break, wrap};
use askback_core::PromptStyle;
use askback_core::show::{Layout, Purpose, claim};
use std::time::Duration;

/// Some rows of a longer text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pane {
    total: usize,
    rows: usize,
}

impl Pane {
    fn all(total: usize) -> Self {
        Self { total, rows: total }
    }

    /// The rows that show text; where some is left out, the last row says so.
    fn text_rows(self) -> usize {
        if self.rows < self.total && self.rows > 1 { self.rows - 1 } else { self.rows }
    }

    fn first(self, from: usize) -> usize {
        from.min(self.total.saturating_sub(self.text_rows()))
    }

    /// Moves by a screen, if there is anything left that way.
    pub(super) fn scroll(self, from: &mut usize, way: Way) -> bool {
        let here = self.first(*from);
        let step = self.text_rows().saturating_sub(1).max(1);
        let there = match way {
            Way::Up => here.saturating_sub(step),
            Way::Down => self.first(here + step),
        };
        *from = there;
        there != here && self.rows > 0
    }
}

/// In a low window, one row in so many may be spent on hints.
const ROWS_PER_HINT: usize = 4;
/// Rows that a prompt has before anything else, in a low window: a label of two, the one above a list, and the count of what
/// is left out.
const BODY_LEAST: usize = 4;
/// Rows that the question and what there is to read have before the prompt gets more.
const READING_LEAST: usize = 2;

/// In fewer rows, every one is needed for the question: it has no rule below it, and no tabs above.
const ROOM_FOR_RULE: usize = 12;

/// Which rows each part gets.
struct Plan {
    page: Page,
    title: Vec<Line>,
    tabs: Vec<Line>,
    /// The question, with its frame.
    head: Vec<Line>,
    /// Whether the head is too long to stand still, and is read with the rest.
    head_scrolls: bool,
    preview_lines: Vec<Line>,
    note: Vec<Line>,
    /// What closes the frame.
    rule: Option<Line>,
    footer: Vec<Line>,
    reading: Pane,
    body: Body,
    preview: Pane,
}

impl Form<'_> {
    pub(crate) fn view(&self, now: Duration) -> Frame {
        let mut plan = self.plan(now);
        let page = plan.page;
        let mut frame = Body::of(self.reading_rows(&plan));
        let gap = |rows: &mut Body| {
            if page.is_roomy() && !rows.lines.is_empty() {
                rows.lines.push(Line::blank());
            }
        };
        gap(&mut frame);
        frame.lines.append(&mut plan.tabs);
        let has_head = !plan.head_scrolls && !plan.head.is_empty();
        if has_head {
            frame.lines.append(&mut plan.head);
        }
        let mut inside = self.inside_rows(&mut plan, has_head);
        let edge = self.edge(now);
        match edge {
            Some(edge) => edge.along(&mut inside),
            None => gap(&mut inside),
        }
        frame.append(inside);
        if edge.is_none() {
            frame.lines.append(&mut plan.note);
        }
        frame.lines.extend(plan.rule);
        frame.lines.extend(plan.footer);
        // The row where the person types stays, even if nothing fits on it.
        let least = frame.cursor.map_or(1, |(row, _)| row + 1);
        while frame.lines.last().is_some_and(|line| line.spans.is_empty()) && frame.lines.len() > least {
            frame.lines.pop();
        }
        let cursor = frame.cursor.filter(|_| !self.is_taken);
        let light = if self.clock.is_urgent(now) { Light::Dimmed } else { Light::Full };
        Frame { lines: frame.lines, cursor, light }
    }

    /// What the frame is drawn along, below the question: the prompt, the preview, and what is said.
    fn inside_rows(&self, plan: &mut Plan, has_head: bool) -> Body {
        let page = self.inside(&plan.page);
        let mut rows = Body::default();
        let gap = |rows: &mut Body| {
            if page.is_roomy() {
                rows.lines.push(Line::blank());
            }
        };
        if has_head {
            gap(&mut rows);
        }
        let mut body = std::mem::take(&mut plan.body);
        if self.is_taken {
            tint(&mut body, Role::Success);
        }
        rows.append(body);
        if plan.preview.rows > 0 {
            gap(&mut rows);
            let preview = |index: usize| plan.preview_lines[index].clone();
            rows.lines.extend(pane(plan.preview, self.preview_from, preview, &page));
        }
        if self.is_framed() {
            rows.lines.append(&mut plan.note);
        }
        rows
    }

    /// Whether there is room for some of what there is to read, at least for the sign that there is more.
    pub(super) fn can_be_read(&self) -> bool {
        let (reading, _) = self.panes();
        reading.rows > 0 || reading.total == 0
    }

    /// Whether the end of what there is to read is on the screen.
    pub(super) fn shows_the_end(&self) -> bool {
        let (reading, _) = self.panes();
        reading.first(self.reading_from) + reading.text_rows() >= reading.total
    }

    pub(super) fn panes(&self) -> (Pane, Pane) {
        let plan = self.plan(Duration::ZERO);
        (plan.reading, plan.preview)
    }

    fn plan(&self, now: Duration) -> Plan {
        let roomy = self.plan_all(now, Spacing::Roomy);
        roomy.or_else(|| self.plan_all(now, Spacing::Tight)).unwrap_or_else(|| self.plan_some(now))
    }

    /// Everything, if it fits.
    fn plan_all(&self, now: Duration, spacing: Spacing) -> Option<Plan> {
        let page = Page { spacing, ..self.page };
        let height = page.height();
        let mut plan = self.parts(page, now);
        let above = plan.title.len() + self.reading.len();
        // The rule stands where there is a gap without a frame.
        let last = usize::from(plan.rule.is_none());
        let gaps = match spacing {
            Spacing::Roomy => usize::from(above > 0) + 1 + last + usize::from(!plan.preview_lines.is_empty()),
            Spacing::Tight | Spacing::Endless => 0,
        };
        let question = plan.tabs.len() + plan.head.len() + plan.preview_lines.len() + plan.note.len();
        let fixed = above + question + usize::from(plan.rule.is_some()) + plan.footer.len() + gaps;
        let left = height.checked_sub(fixed).filter(|left| *left > 0)?;
        plan.body = self.body(&page, left);
        plan.reading = Pane::all(above);
        plan.preview = Pane::all(plan.preview_lines.len());
        (!plan.body.is_cut).then_some(plan)
    }

    /// As much as fits: the focus and the keys first, then what is said, then what there is to read.
    fn plan_some(&self, now: Duration) -> Plan {
        let page = Page { spacing: Spacing::Tight, ..self.page };
        let height = page.height();
        let mut plan = self.parts(page, now);
        if height < ROOM_FOR_RULE {
            plan.rule = None;
            plan.tabs.clear();
        }
        plan.footer = self.footer(&page, height / ROWS_PER_HINT);
        plan.note = shortened(plan.note, (height / 3).max(1).min(height - 1), &self.inside(&page));
        let around = plan.tabs.len() + usize::from(plan.rule.is_some()) + plan.note.len() + plan.footer.len();
        let left = height.saturating_sub(around);
        let least = self.body(&page, left.max(1)).lines.len().min(BODY_LEAST);
        let others = plan.title.len() + self.reading.len() + plan.preview_lines.len();
        let beside = least + others.min(READING_LEAST);
        plan.head_scrolls = plan.head.len() > (height / 3).max(1) || plan.head.len() + beside > left;
        let pinned = if plan.head_scrolls { 0 } else { plan.head.len() };
        let left = left.saturating_sub(pinned);
        let total = plan.title.len() + self.reading.len() + if plan.head_scrolls { plan.head.len() } else { 0 };
        let wants = total + plan.preview_lines.len();
        let least = least.min(left.saturating_sub(total.min(1)));
        let most = left.saturating_sub(wants).max(left.div_ceil(2)).max(least).max(1);
        plan.body = self.body(&page, most);
        let rest = left.saturating_sub(plan.body.lines.len());
        let reading = total.min(rest.saturating_sub(plan.preview_lines.len().min(rest / 2)));
        plan.reading = Pane { total, rows: reading };
        if plan.head_scrolls && reading == total {
            // There was room for all of it.
            plan.head_scrolls = false;
            plan.reading = Pane::all(total - plan.head.len());
        }
        plan.preview = Pane { total: plan.preview_lines.len(), rows: plan.preview_lines.len().min(rest - reading) };
        plan
    }

    fn parts(&self, page: Page, now: Duration) -> Plan {
        let preview = match self.place {
            Place::Question(index) if self.back.is_none() => self.prompts[index].preview(),
            _ => None,
        };
        let inside = self.inside(&page);
        Plan {
            page,
            title: self.title(&page),
            tabs: self.tabs(&page),
            head: self.head(&page, now),
            head_scrolls: false,
            preview_lines: preview.map(|preview| preview_lines(preview, &inside)).unwrap_or_default(),
            note: self.note_lines(&inside, now),
            rule: self.edge(now).map(|edge| edge.rule(&page)),
            footer: self.footer(&page, usize::MAX),
            reading: Pane::all(0),
            body: Body::default(),
            preview: Pane::all(0),
        }
    }

    fn reading_rows(&self, plan: &Plan) -> Vec<Line> {
        let line = |index: usize| {
            // A question that is too long to stand still comes first: nothing may push it out of sight.
            let head = if plan.head_scrolls { plan.head.len() } else { 0 };
            let title = head + plan.title.len();
            match index {
                _ if index < head => plan.head[index].clone(),
                _ if index < title => plan.title[index - head].clone(),
                _ => self.reading[index - title].clone(),
            }
        };
        pane(plan.reading, self.reading_from, line, &plan.page)
    }

    fn body(&self, page: &Page, rows: usize) -> Body {
        let page = &self.inside(page);
        match (&self.back, self.place) {
            (Some(editor), _) => {
                let label = Span::new("Ask back instead of answering:", Role::Primary);
                let mut body = Body::of(wrap(&[label], page.width(), Break::Words));
                body.append(typed(editor, ("> ", Role::Primary), None, page));
                body.clipped(rows, page)
            }
            (None, Place::Question(index)) => self.prompts[index].view(page, rows),
            (None, Place::Review) => self.review_body(page, rows),
        }
    }

    /// What the request is about, and who asks.
    pub(super) fn title(&self, page: &Page) -> Vec<Line> {
        let text = |text: &str, style: Style| safe(text, Layout::Line, Purpose::Exact, style, page.alphabet);
        let mut spans = self.request.title().map(|title| text(title, Style::bold(Role::Plain))).unwrap_or_default();
        if let Some(from) = self.request.from() {
            let dot = if spans.is_empty() { String::new() } else { format!(" {} ", page.signs().dot) };
            spans.push(Span::new(format!("{dot}asker "), Role::Muted));
            spans.extend(text(&claim(from), Role::Muted.into()));
        }
        if spans.is_empty() { Vec::new() } else { wrap(&spans, page.width(), Break::Words) }
    }

    /// The header's chip, how far one has come, how long there is, and the message, with the frame.
    pub(super) fn head(&self, page: &Page, now: Duration) -> Vec<Line> {
        let (header, message) = match self.place {
            Place::Question(index) => {
                let question = &self.request.questions()[index];
                let prompt = &self.prompts[index];
                // What is consented to is shown to the last character.
                let purpose = if prompt.needs_calm() { Purpose::Exact } else { Purpose::Prose };
                let style =
                    if self.look == PromptStyle::Stream { Role::Plain.into() } else { Style::bold(Role::Plain) };
                let mut message = safe(question.message(), Layout::Block, purpose, style, page.alphabet);
                message.extend(prompt.remark().map(|remark| Span::new(format!(" {remark}"), Role::Muted)));
                (question.header(), message)
            }
            Place::Review => (Some("Review"), vec![Span::new("Are these your answers?", Style::bold(Role::Plain))]),
        };
        let mut lines = self.top(header, page, now);
        let mut message = wrap(&message, self.inside(page).width(), Break::Words);
        if let Some(edge) = self.edge(now) {
            edge.along_lines(&mut message);
        }
        lines.append(&mut message);
        lines
    }

    /// The row that begins the frame: the header's chip, how far one has come, and how long there is.
    fn top(&self, header: Option<&str>, page: &Page, now: Duration) -> Vec<Line> {
        let signs = page.signs();
        let edge = Style::bold(self.edge_role(now));
        let mut top = Vec::new();
        if let Some(header) = header {
            let chip = Style::bold(Role::Chip);
            top.extend([Span::new(signs.chip.0, edge), Span::new(" ", chip)]);
            top.extend(safe(header, Layout::Line, Purpose::Exact, chip, page.alphabet));
            top.extend([Span::new(" ", chip), Span::new(signs.chip.1, edge)]);
        }
        let progress = match self.place {
            Place::Question(index) if self.prompts.len() > 1 => {
                Some(format!("Question {} of {}", index + 1, self.prompts.len()))
            }
            _ => None,
        };
        let said: Vec<String> = progress.into_iter().chain(self.clock.text(now)).collect();
        if !said.is_empty() {
            let gap = match header {
                Some(_) => "  ",
                None if self.is_framed() => {
                    top.push(Span::new(signs.chip.0, edge));
                    " "
                }
                None => "",
            };
            top.push(Span::new(format!("{gap}{}", said.join("  ")), Role::Muted));
        }
        if top.is_empty() { Vec::new() } else { wrap(&top, page.width(), Break::Words) }
    }

    fn note_lines(&self, page: &Page, now: Duration) -> Vec<Line> {
        let mut lines = Vec::new();
        if self.clock.is_urgent(now) && !self.is_taken {
            let left = self.clock.text(now).unwrap_or_default();
            let text = format!("! {left}: {}", summary::silence(self.request));
            let spans = safe(&text, Layout::Line, Purpose::Exact, Role::Warning, page.alphabet);
            lines.extend(wrap(&spans, page.width(), Break::Words));
        }
        lines.extend(self.note.iter().flat_map(|note| note.rows(page.width(), page.alphabet)));
        lines
    }

    /// What the keys do, in at most so many rows: what nobody can do without first, and in a low window alone.
    fn footer(&self, page: &Page, rows: usize) -> Vec<Line> {
        let (mut essential, mut further) = self.hints(page);
        if rows == usize::MAX {
            essential.append(&mut further);
            return hint_lines(essential, page);
        }
        let least = hint_lines(essential.clone(), page).len();
        let with = |count: usize| hint_lines([&essential, &further[..count]].concat(), page);
        let fitting = (0..=further.len()).rev().map(with).find(|lines| lines.len() <= least);
        shortened(fitting.unwrap_or_default(), rows, page)
    }

    /// The hints for keys that are needed, and for those that are good to know.
    fn hints(&self, page: &Page) -> (Vec<String>, Vec<String>) {
        let mut essential = match (&self.back, self.place) {
            (Some(_), _) => return (vec!["enter send".to_owned(), "esc back to the question".to_owned()], Vec::new()),
            (None, Place::Question(index)) => self.prompts[index].hints(page),
            (None, Place::Review) => {
                vec![format!("{} navigate", page.signs().up_down), "enter submit or change".to_owned()]
            }
        };
        if !essential.iter().any(|hint| hint.starts_with("esc ")) {
            essential.push("esc cancel".to_owned());
        }
        let mut further = Vec::new();
        if self.prompts.len() > 1 {
            further.push("tab next".to_owned());
        }
        further.push(if self.takes_letters() { "ctrl+o ask back" } else { "? ask back" }.to_owned());
        (essential, further)
    }
}

/// The rows of a pane, the last of which says what is left out.
fn pane(pane: Pane, from: usize, line: impl Fn(usize) -> Line, page: &Page) -> Vec<Line> {
    let (first, count) = (pane.first(from), pane.text_rows());
    let last = (first + count).min(pane.total);
    let mut lines: Vec<Line> = (first..last).map(line).collect();
    let signs = page.signs();
    match pane.rows {
        rows if rows >= pane.total => {}
        0 => {}
        // In a single row the free column at the edge has to do.
        1 if page.columns > page.full_width() && last < pane.total => {
            lines[0].push(if signs.below.len() > 1 { signs.below } else { "v" }, Role::Warning);
        }
        1 => {}
        _ => {
            let (total, to, dot, rule) = (pane.total, signs.to, signs.dot, signs.rule.repeat(2));
            let text = format!("{rule} {}{to}{last} of {total} rows {dot} pgup/pgdn {rule}", first + 1);
            lines.push(Line::of(text, Role::Warning).cut(page.width(), signs.more));
        }
    }
    lines
}

/// A description at the measure of prose, and below it the sample, which may need the whole window.
fn preview_lines(preview: Preview<'_>, page: &Page) -> Vec<Line> {
    let bar = Line::of(format!("{} ", page.signs().quote), Role::Muted);
    let rows = |text: &str, columns: usize, breaks: Break| {
        let spans = safe(text, Layout::Block, Purpose::Prose, Role::Secondary, page.alphabet);
        wrap(&spans, columns.saturating_sub(bar.width()).max(1), breaks)
    };
    let mut lines = preview.description.map(|text| rows(text, page.width(), Break::Words)).unwrap_or_default();
    if let Some(sample) = preview.sample {
        if !lines.is_empty() {
            lines.push(Line::blank());
        }
        lines.extend(rows(sample, page.full_width(), Break::Anywhere));
    }
    lines.into_iter().map(|row| bar.clone().then(row).cut(page.full_width(), "")).collect()
}

/// Everything that had the focus in another colour.
fn tint(body: &mut Body, role: Role) {
    for span in body.lines.iter_mut().flat_map(|line| &mut line.spans) {
        if matches!(span.style.role, Role::Text | Role::Primary) {
            span.style.role = role;
        }
    }
}
