//! Date (F8): typed, or moved by its year, month or day; the weekday is shown.

use super::field::{Field, below};
use super::{Body, Machine, Note, Step, Way};
use crate::input::{Input, Key, Lines};
use crate::line::{Line, Role, Style};
use crate::page::Page;
use crate::theme::Alphabet;
use askback_core::kind::date::{Date, Part, parse_day};
use askback_core::{Answer, Question};
use jiff::civil::{self, Weekday};
use std::ops::Range;

/// Where the parts of a day end.
const END_OF_YEAR: usize = 4;
const END_OF_MONTH: usize = 7;
const END_OF_DAY: usize = 10;

pub(crate) struct DatePrompt<'q> {
    field: Field<'q>,
    date: &'q Date,
    today: civil::Date,
}

impl<'q> DatePrompt<'q> {
    pub(super) fn open(question: &'q Question, date: &'q Date, today: civil::Date) -> Self {
        Self { field: Field::open(question, Lines::One), date, today }
    }

    /// What is typed, if it is a day, whatever the bounds.
    fn day(&self) -> Option<civil::Date> {
        parse_day(self.field.editor.text())
    }

    /// The part of the day that the cursor stands on, and where that part stands.
    fn part(&self) -> (Part, Range<usize>) {
        match self.field.editor.at() {
            at if at <= END_OF_YEAR => (Part::Year, 0..END_OF_YEAR),
            at if at <= END_OF_MONTH => (Part::Month, END_OF_YEAR + 1..END_OF_MONTH),
            _ => (Part::Day, END_OF_MONTH + 1..END_OF_DAY),
        }
    }

    fn step(&mut self, part: Part, count: i32) -> Step {
        let day = match self.day() {
            Some(day) => day,
            None if self.field.editor.is_empty() => {
                let text = self.date.nearest(self.today).to_string();
                return self.field.write(&text, text.len());
            }
            None => return self.field.submit(),
        };
        let reached = self.date.moved(day, part, count);
        if reached == day {
            let end = if count > 0 { "last" } else { "first" };
            return Step::Say(Note::hint(format!("this is the {end}: please give {}", self.date.expected())));
        }
        let at = self.field.editor.at();
        self.field.write(&reached.to_string(), at)
    }

    /// To the end of the part before or after, once there is a day whose parts can be moved.
    fn go(&mut self, key: Key) -> Step {
        let end = match (self.part().0, key) {
            (Part::Day, Key::Left) | (Part::Year, Key::Right) => END_OF_MONTH,
            (Part::Month, Key::Left) | (Part::Year, _) => END_OF_YEAR,
            (Part::Month | Part::Day, _) => END_OF_DAY,
        };
        let text = self.field.editor.text().to_owned();
        self.field.editor.write(&text, end);
        Step::Stay
    }

    /// The bounds, where there are any.
    fn bounds(&self) -> Option<String> {
        (self.date.min().is_some() || self.date.max().is_some()).then(|| self.date.expected())
    }
}

impl Machine for DatePrompt<'_> {
    fn update(&mut self, input: &Input) -> Step {
        match input {
            Input::Key(key @ (Key::Left | Key::Right)) if self.day().is_some() => self.go(*key),
            Input::Key(Key::Up) => self.step(self.part().0, 1),
            Input::Key(Key::Down) => self.step(self.part().0, -1),
            input => self.field.update(input),
        }
    }

    fn view(&self, page: &Page, rows: usize) -> Body {
        let mut body = self.field.body(Some("YYYY-MM-DD"), page);
        if let Some(day) = self.day() {
            let name = weekday(day.weekday());
            if let [line] = body.lines.as_mut_slice() {
                mark(line, self.part().1);
                // On the same row where there is room, else below.
                if line.width() + 2 + name.len() <= page.width() {
                    line.push(format!("  {name}"), Role::Info);
                } else {
                    body.append(below(name, page));
                }
            } else {
                body.append(below(name, page));
            }
        }
        if let Some(bounds) = self.bounds() {
            body.append(below(&bounds, page));
        }
        body.clipped(rows, page)
    }

    fn told(&self, alphabet: Alphabet) -> Vec<Line> {
        let expected = self.bounds().map_or_else(|| self.date.expected(), |bounds| format!("{bounds}, as YYYY-MM-DD"));
        self.field.told(&expected, alphabet)
    }

    fn leave(&mut self) -> Option<Answer> {
        self.field.leave()
    }

    fn hints(&self, page: &Page) -> Vec<String> {
        let (up_down, left_right) = (page.signs().up_down, page.signs().left_right);
        let part = match self.part().0 {
            Part::Year => "year",
            Part::Month => "month",
            Part::Day => "day",
        };
        let arrows = match self.day() {
            Some(_) => vec![format!("{up_down} {part}"), format!("{left_right} part")],
            None if !self.field.editor.is_empty() => Vec::new(),
            None => match self.date.nearest(self.today) {
                today if today == self.today => vec![format!("{up_down} today")],
                nearest => vec![format!("{up_down} {nearest}")],
            },
        };
        arrows.into_iter().chain(["enter submit".to_owned()]).collect()
    }

    fn takes_letters(&self) -> bool {
        true
    }

    fn page(&mut self, way: Way) {
        // What is no day stays as it is; Enter says why.
        self.step(Part::Month, if way == Way::Up { 1 } else { -1 });
    }
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

fn weekday(day: Weekday) -> &'static str {
    match day {
        Weekday::Monday => "Monday",
        Weekday::Tuesday => "Tuesday",
        Weekday::Wednesday => "Wednesday",
        Weekday::Thursday => "Thursday",
        Weekday::Friday => "Friday",
        Weekday::Saturday => "Saturday",
        Weekday::Sunday => "Sunday",
    }
}
