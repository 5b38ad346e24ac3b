//! Rating (F10): a place on a scale of stars, numbers or faces, moved along or typed.

use super::field::Field;
use super::{Body, Machine, Step};
use crate::input::{Input, Key, Lines};
use crate::line::{Line, Role, Span, Style as Letters};
use crate::page::Page;
use crate::safe::safe;
use crate::theme::Alphabet;
use crate::wrap::{Break, wrap, wrap_after};
use askback_core::kind::rating::{Rating, Style};
use askback_core::show::{Layout, Purpose};
use askback_core::{Answer, Question};

/// From the worst to the best.
const FACES: [&str; 5] = ["😡", "🙁", "😐", "🙂", "😄"];
/// Stars that are counted at a glance; a longer scale counts its places.
const STARS: i64 = 21;

pub(crate) struct RatingPrompt<'q> {
    field: Field<'q>,
    rating: &'q Rating,
    /// Whether the place was gone to, or filled in: then what is typed stands in its stead.
    is_gone_to: bool,
}

impl<'q> RatingPrompt<'q> {
    pub(super) fn open(question: &'q Question, rating: &'q Rating) -> Self {
        Self { field: Field::open(question, Lines::One), rating, is_gone_to: true }
    }

    /// The place that is chosen, if what is typed is one.
    fn place(&self) -> Option<i64> {
        let places = self.rating.min()..=self.rating.max();
        self.field.editor.text().parse().ok().filter(|place| places.contains(place))
    }

    fn choose(&mut self, place: i64) -> Step {
        let text = place.clamp(self.rating.min(), self.rating.max()).to_string();
        self.is_gone_to = true;
        self.field.write(&text, text.len())
    }

    /// Along the scale; from nowhere to the end that is gone away from.
    fn step(&mut self, by: i64) -> Step {
        match self.place() {
            Some(place) => self.choose(place + by),
            None if by > 0 => self.choose(self.rating.min()),
            None => self.choose(self.rating.max()),
        }
    }

    /// The scale, its labels at the ends, or below where there is no room beside it.
    fn scale(&self, page: &Page) -> Vec<Line> {
        let label = |text: Option<&str>| {
            text.map(|text| safe(text, Layout::Line, Purpose::Prose, Role::Muted, page.alphabet)).unwrap_or_default()
        };
        let (low, high) = (label(self.rating.low()), label(self.rating.high()));
        let apart = |spans: &[Span], gap| if spans.is_empty() { Vec::new() } else { vec![Span::new(gap, Role::Muted)] };
        let places = self.cells(page.alphabet).concat();
        let beside = [low.clone(), apart(&low, "  "), places, apart(&high, "  "), high.clone()].concat();
        let beside = wrap(&beside, page.width(), Break::Words);
        if beside.len() == 1 {
            return beside;
        }
        let mut lines = self.rows(page);
        for (place, label) in [(self.rating.min(), low), (self.rating.max(), high)] {
            if !label.is_empty() {
                let lead = Line::of(format!("{place}: "), Role::Muted);
                lines.extend(wrap_after(lead, &label, page.width(), Break::Words));
            }
        }
        lines
    }

    /// A face, or a number where the alphabet has no faces.
    fn sign(&self, place: i64, alphabet: Alphabet) -> String {
        if self.rating.style() != Style::Emoji || alphabet != Alphabet::Unicode {
            return place.to_string();
        }
        let (places, last) = (self.rating.max() - self.rating.min(), FACES.len() as i64 - 1);
        let nearest = ((place - self.rating.min()) * last * 2 + places) / (places * 2);
        usize::try_from(nearest).ok().and_then(|index| FACES.get(index)).copied().unwrap_or(FACES[0]).to_owned()
    }

    /// The places in rows below each other, where one is not enough.
    fn rows(&self, page: &Page) -> Vec<Line> {
        if self.rating.style() == Style::Stars {
            return wrap(&self.stars(page.alphabet), page.width(), Break::Words);
        }
        let cells: Vec<Line> = self.cells(page.alphabet).into_iter().map(|spans| Line { spans }).collect();
        let widest = cells.iter().map(Line::width).max().unwrap_or(1);
        let rows = cells.chunks((page.width() / widest).max(1));
        rows.map(|row| {
            let cells = row.iter().map(|cell| cell.clone().with(" ".repeat(widest - cell.width()), Role::Plain));
            cells.fold(Line::blank(), Line::then).cut(page.width(), "")
        })
        .collect()
    }

    /// Every place, the chosen one in brackets: colour alone would tell nothing to some. Stars are one cell.
    fn cells(&self, alphabet: Alphabet) -> Vec<Vec<Span>> {
        if self.rating.style() == Style::Stars {
            return vec![self.stars(alphabet)];
        }
        let cell = |place: i64| {
            let is_chosen = self.place() == Some(place);
            let (open, close) = if is_chosen { ("[", "]") } else { (" ", " ") };
            let style = if is_chosen { Letters::bold(Role::Primary) } else { Role::Secondary.into() };
            let gap = if place < self.rating.max() { " " } else { "" };
            vec![Span::new(format!("{open}{}{close}", self.sign(place, alphabet)), style), Span::new(gap, Role::Plain)]
        };
        (self.rating.min()..=self.rating.max()).map(cell).collect()
    }

    /// As many stars as the place says, out of as many as there can be; where places are not counted from none or one, a
    /// star for each.
    fn stars(&self, alphabet: Alphabet) -> Vec<Span> {
        let (min, max) = (self.rating.min(), self.rating.max());
        let counts = min >= 0 && max <= STARS;
        let (before, all) = if counts { (0, max) } else { (min - 1, max - min + 1) };
        let full = self.place().map_or(0, |place| place - before);
        let signs = alphabet.signs();
        let row = |sign: &str, count: i64| vec![sign; usize::try_from(count).unwrap_or(0)].join(" ");
        let gap = if full > 0 && full < all { " " } else { "" };
        vec![
            Span::new(row(signs.star, full), Letters::bold(Role::Warning)),
            Span::new(format!("{gap}{}", row(signs.no_star, all - full)), Role::Secondary),
        ]
    }
}

impl Machine for RatingPrompt<'_> {
    fn update(&mut self, input: &Input) -> Step {
        match input {
            Input::Key(Key::Right | Key::Up) => self.step(1),
            Input::Key(Key::Left | Key::Down) => self.step(-1),
            Input::Key(Key::Home) => self.choose(self.rating.min()),
            Input::Key(Key::End) => self.choose(self.rating.max()),
            Input::Key(Key::Char('?')) if self.field.editor.is_empty() => Step::Ignored,
            Input::Key(Key::Char(_)) | Input::Paste(_) if self.is_gone_to => {
                self.is_gone_to = false;
                self.field.editor.clear();
                self.field.update(input)
            }
            input => self.field.update(input),
        }
    }

    fn view(&self, page: &Page, rows: usize) -> Body {
        let mut body = Body::of(self.scale(page));
        let expected = format!("{} to {}", self.rating.min(), self.rating.max());
        body.append(self.field.body(Some(&expected), page));
        body.clipped(rows, page)
    }

    fn told(&self, alphabet: Alphabet) -> Vec<Line> {
        let end = |place: i64, text: Option<&str>| {
            let shown = |text: &str| safe(text, Layout::Line, Purpose::Prose, Role::Plain, alphabet);
            text.map(|text| Line {
                spans: [vec![Span::new(format!("{place} is "), Role::Plain)], shown(text)].concat(),
            })
        };
        let (rating, expected) = (self.rating, self.rating.expected());
        let ends = [end(rating.min(), rating.low()), end(rating.max(), rating.high())];
        ends.into_iter().flatten().chain(self.field.told(&expected, "Enter", alphabet)).collect()
    }

    fn leave(&mut self, _: Option<Answer>) -> Option<Answer> {
        self.field.leave()
    }

    fn hints(&self, page: &Page) -> Vec<String> {
        vec![format!("{} or digits", page.signs().left_right), "enter submit".to_owned()]
    }

    fn takes_letters(&self) -> bool {
        !self.field.editor.is_empty()
    }
}
