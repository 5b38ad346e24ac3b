//! Rating: a radio button for each place of the scale, with its stars or its face.

use crate::plain::controls::Controls;
use crate::plain::html::Html;
use crate::plain::question::{PlainKind, QuestionView, Shape};
use askback_api::AnswerItem;
use askback_core::Answer;
use askback_core::kind::rating::{Rating, Style};
use askback_core::show::Purpose;

impl PlainKind for Rating {
    fn shape(&self) -> Shape {
        Shape::Group
    }

    fn control(&self, view: &QuestionView<'_>, html: &mut Html) {
        html.markup("<div class=\"scale\">");
        for value in self.min()..=self.max() {
            let end = match value {
                value if value == self.min() => self.low(),
                value if value == self.max() => self.high(),
                _ => None,
            };
            let label = [Some(value.to_string()), sign(self, value), end.map(|end| format!("({end})"))];
            let label = label.into_iter().flatten().collect::<Vec<_>>().join(" ");
            view.radio(html, &value.to_string(), &label, Purpose::Prose);
        }
        html.markup("</div>");
    }

    fn answer(&self, controls: &Controls) -> Option<AnswerItem> {
        controls.single_answer()
    }

    fn answer_text(&self, answer: &Answer) -> String {
        answer.written()
    }

    fn expected_choice(&self) -> Option<String> {
        Some(self.expected())
    }
}

/// The symbol beside a rating: its stars, or its face.
fn sign(rating: &Rating, value: i64) -> Option<String> {
    const MOST_STARS: i64 = 10;
    const FACES: [&str; 5] = ["😞", "🙁", "😐", "🙂", "😀"];
    match rating.style() {
        Style::Stars if rating.min() >= 0 && rating.max() <= MOST_STARS => {
            Some("★".repeat(usize::try_from(value).unwrap_or_default()))
        }
        Style::Emoji => {
            let (range, last) = ((rating.max() - rating.min()).max(1), FACES.len() as i64 - 1);
            let nearest = ((value - rating.min()) * last * 2 + range) / (range * 2);
            usize::try_from(nearest).ok().and_then(|index| FACES.get(index)).map(|face| (*face).to_owned())
        }
        _ => None,
    }
}
