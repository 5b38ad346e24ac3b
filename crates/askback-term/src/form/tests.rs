//! Forms driven by keys, without a terminal.

use super::*;
use crate::page::Spacing;
use crate::prompt::CALM;
use crate::theme::Alphabet;
use askback_core::{Limits, PromptStyle, Resolution};

mod decisions;
mod keys;
mod kinds;
mod lines;
mod look;
mod low;
mod screens;
mod sizes;
mod streams;
mod widths;

const PAGE: Page = Page { columns: 80, rows: 24, alphabet: Alphabet::Unicode, spacing: Spacing::Roomy };
const APPROVAL: &str = r#"{"type": "approval", "message": "Delete 3 files?"}"#;
const CONFIRM: &str = r#"{"type": "confirm", "message": "Deploy?"}"#;
/// A Monday.
const TODAY: Date = jiff::civil::date(2026, 11, 16);
/// Long after anything has appeared.
const LATER: Duration = Duration::from_secs(1);

fn request(json: &str) -> Request {
    Request::parse(json.as_bytes(), &Limits::DEFAULT).unwrap()
}

/// A form that has been on the screen for a while.
fn shown(request: &Request, look: PromptStyle) -> Form<'_> {
    let mut form = Form::new(request, look, PAGE, TODAY);
    form.appear(Duration::ZERO);
    form
}

/// Presses keys, each a second after the other, and gives the last verdict.
fn press(form: &mut Form<'_>, keys: &[Key]) -> Verdict {
    let mut now = form.appeared.unwrap_or_default();
    let mut verdict = Verdict::Open;
    for key in keys {
        now += LATER;
        verdict = form.update(&Input::Key(*key), now);
    }
    verdict
}

fn letters(text: &str) -> Vec<Key> {
    text.chars().map(Key::Char).collect()
}

fn paste(form: &mut Form<'_>, text: &str) -> Verdict {
    let now = form.appeared.unwrap_or_default() + LATER;
    form.update(&Input::Paste(text.to_owned()), now)
}

/// What the screen shows.
fn screen(form: &Form<'_>) -> String {
    form.view(LATER).lines.iter().map(Line::text).collect::<Vec<_>>().join("\n")
}

/// The written forms of what was answered.
fn answers(verdict: &Verdict) -> Vec<String> {
    match verdict {
        Verdict::Resolved(resolution) => {
            resolution.answers().into_iter().flat_map(|answers| answers.iter()).map(Answer::written).collect()
        }
        other => panic!("not answered: {other:?}"),
    }
}

fn open(request: &Request) -> Form<'_> {
    shown(request, PromptStyle::Question)
}

fn is_declined(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Resolved(resolution) if matches!(resolution, Resolution::Rejected { .. } | Resolution::Declined { .. }))
}

fn is_cancelled(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Resolved(resolution) if matches!(resolution, Resolution::Cancelled { .. }))
}
