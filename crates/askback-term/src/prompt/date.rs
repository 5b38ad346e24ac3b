//! Date (F8): typed, or moved by its year, month or day; the weekday is shown.

use super::field::{Field, FieldKind, below};
use super::{Body, Note, Step, Way};
use crate::input::{Input, Key};
use crate::line::{Line, Role, Style};
use crate::page::Page;
use askback_core::kind::date::{Date, Part, parse_day};
use jiff::civil;
use std::ops::Range;

/// Where the parts of a day end.
const END_OF_YEAR: usize = 4;
const END_OF_MONTH: usize = 7;
const END_OF_DAY: usize = 10;

pub(super) struct DateField<'q> {
    pub(super) date: &'q Date,
    pub(super) today: civil::Date,
}

impl DateField<'_> {
    fn step(&self, field: &mut Field<'_>, part: Part, count: i32) -> Step {
        let day = match day(field) {
            Some(day) => day,
            None if field.editor.is_empty() => {
                let text = self.date.nearest(self.today).to_string();
                return field.write(&text, text.len());
            }
            None => return field.submit(),
        };
        let reached = self.date.moved(day, part, count);
        if reached == day {
            let end = if count > 0 { "last" } else { "first" };
            return Step::Say(Note::hint(format!("this is the {end}: please give {}", self.date.expected())));
        }
        let at = field.editor.at();
        field.write(&reached.to_string(), at)
    }

    fn bounds(&self) -> Option<String> {
        (self.date.min().is_some() || self.date.max().is_some()).then(|| self.date.expected())
    }
}

impl FieldKind for DateField<'_> {
    fn update(&self, field: &mut Field<'_>, input: &Input) -> Step {
        match input {
            Input::Key(key @ (Key::Left | Key::Right)) if day(field).is_some() => go(field, *key),
            Input::Key(Key::Up) => self.step(field, part(field).0, 1),
            Input::Key(Key::Down) => self.step(field, part(field).0, -1),
            input => field.update(input),
        }
    }

    fn view(&self, field: &Field<'_>, page: &Page) -> Body {
        let mut body = field.body(Some("YYYY-MM-DD"), page);
        if let Some(day) = day(field) {
            let name = day.strftime("%A").to_string();
            if let [line] = body.lines.as_mut_slice() {
                mark(line, part(field).1);
            }
            match body.lines.as_mut_slice() {
                // On the same row where there is room, else below.
                [line] if line.width() + 2 + name.len() <= page.width() => line.push(format!("  {name}"), Role::Info),
                _ => body.append(below(&name, Role::Muted, page)),
            }
        }
        if let Some(bounds) = self.bounds() {
            body.append(below(&bounds, Role::Muted, page));
        }
        body
    }

    fn told(&self) -> String {
        self.bounds().map_or_else(|| self.date.expected(), |bounds| format!("{bounds}, as YYYY-MM-DD"))
    }

    fn hints(&self, field: &Field<'_>, page: &Page) -> Vec<String> {
        let (up_down, left_right) = (page.signs().up_down, page.signs().left_right);
        let part = match part(field).0 {
            Part::Year => "year",
            Part::Month => "month",
            Part::Day => "day",
        };
        match day(field) {
            Some(_) => vec![format!("{up_down} {part}"), format!("{left_right} part")],
            None if !field.editor.is_empty() => Vec::new(),
            None => match self.date.nearest(self.today) {
                today if today == self.today => vec![format!("{up_down} today")],
                nearest => vec![format!("{up_down} {nearest}")],
            },
        }
    }

    fn page(&self, field: &mut Field<'_>, way: Way) {
        // What is no day stays as it is; Enter says why.
        self.step(field, Part::Month, if way == Way::Up { 1 } else { -1 });
    }
}

/// What is typed, if it is a day, whatever the bounds.
fn day(field: &Field<'_>) -> Option<civil::Date> {
    parse_day(field.editor.text())
}

/// The part of the day that the cursor stands on, and where that part stands.
fn part(field: &Field<'_>) -> (Part, Range<usize>) {
    match field.editor.at() {
        at if at <= END_OF_YEAR => (Part::Year, 0..END_OF_YEAR),
        at if at <= END_OF_MONTH => (Part::Month, END_OF_YEAR + 1..END_OF_MONTH),
        _ => (Part::Day, END_OF_MONTH + 1..END_OF_DAY),
    }
}

/// To the end of the part before or after, once there is a day whose parts can be moved.
fn go(field: &mut Field<'_>, key: Key) -> Step {
    let end = match (part(field).0, key) {
        (Part::Day, Key::Left) | (Part::Year, Key::Right) => END_OF_MONTH,
        (Part::Month, Key::Left) | (Part::Year, _) => END_OF_YEAR,
        (Part::Month | Part::Day, _) => END_OF_DAY,
    };
    let text = field.editor.text().to_owned();
    field.editor.write(&text, end);
    Step::Stay
}

/// Makes the part that ↑ and ↓ move stand out, in a line that ends with a day.
fn mark(line: &mut Line, part: Range<usize>) {
    let Some(last) = line.spans.pop() else {
        return;
    };
    if last.text.len() < part.end {
        return line.spans.push(last);
    }
    line.push(&last.text[..part.start], last.style);
    line.push(&last.text[part.clone()], Style::bold(Role::Primary));
    line.push(&last.text[part.end..], last.style);
}
