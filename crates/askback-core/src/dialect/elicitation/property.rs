//! A question as one field of a form, or two where it has Other.

use super::super::{Inexpressible, question_path};
use super::{Asked, Dialog, NAME, block, field_name, line, other_name};
use crate::decimal;
use crate::json::{Json, Object};
use crate::kind::choice::{Choice, Select};
use crate::kind::number::Number;
use crate::kind::rating::Rating;
use crate::kind::{Answer, Kind};
use crate::limits::FREE_TEXT_LENGTH;
use crate::options::{Options, Other};

/// Bounds beyond this are left to the rules: readers of whole numbers stop at different ends.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// One field of the form.
pub(super) struct Property {
    pub(super) name: String,
    pub(super) schema: Json,
    pub(super) required: bool,
}

/// What can be chosen: a value, and what the person sees.
type Chosen = (String, String);

impl Asked<'_> {
    /// The fields that ask this question.
    pub(super) fn properties(&self) -> Result<Vec<Property>, Inexpressible> {
        let field = match self.question.kind() {
            // The dialog belongs to the program that asks, and no stray key may decide there (S1, T7).
            Kind::Approval(_) => return Err(self.lost("type", "consent is given where askback shows what it is for")),
            Kind::Choice(choice) => return self.choice(choice),
            Kind::Dropdown(dropdown) => self.one_of(&enabled(dropdown.options())),
            Kind::Rating(rating) => self.one_of(&places(rating)),
            Kind::Number(number) => self.number(number),
            Kind::Text(kind) => self.text(None, kind.max_length(), None),
            Kind::Multiline(kind) => self.text(None, kind.max_length(), None),
            // A dialog answers a checkbox that nobody touched, and a list at a single key; a word has to be typed (T7).
            Kind::Confirm(_) => self.text(Some("type yes or no"), "yes".len(), None),
            Kind::Email(kind) => self.text(Some(&kind.expected()), FREE_TEXT_LENGTH, Some("email")),
            Kind::Date(kind) => self.text(Some(&kind.expected()), "YYYY-MM-DD".len(), Some("date")),
        };
        Ok(vec![self.needed(field)])
    }

    fn choice(&self, choice: &Choice) -> Result<Vec<Property>, Inexpressible> {
        let options = enabled(choice.options());
        let field = match (choice.select(), self.dialog) {
            (Select::One, _) => self.one_of(&options),
            (Select::Many, Dialog::Full) => self.any_of(&options, choice.other()),
            (Select::Many, _) => {
                return Err(self.lost("multiSelect", "this client's dialog has no lists to choose several from"));
            }
        };
        if choice.other() == Other::Absent {
            return Ok(vec![self.needed(field)]);
        }
        let instead = match choice.select() {
            Select::One => "your own text instead of an option; empty if an option will do",
            Select::Many => "your own text beside the options or instead of them; empty if they will do",
        };
        let other = Object::new()
            .put("type", "string")
            .put("title", self.titled("Other"))
            .put("description", instead)
            .put("maxLength", FREE_TEXT_LENGTH as f64);
        // Either of the two will do, which a flat form can't say; the rules do.
        let other = Property { name: other_name(self.position), schema: other.into(), required: options.is_empty() };
        let field = Property { required: false, ..self.needed(field) };
        // A list of nothing is no schema: then a text of one's own is all there is.
        Ok(if options.is_empty() { vec![other] } else { vec![field, other] })
    }

    /// One of a few.
    fn one_of(&self, chosen: &[Chosen]) -> Object {
        let field = self.field("string", None);
        let field = match self.dialog {
            Dialog::Full => field.put("oneOf", titles(chosen)),
            Dialog::First | Dialog::Plain => {
                let values: Vec<&str> = chosen.iter().map(|(value, _)| value.as_str()).collect();
                let names: Vec<&str> = chosen.iter().map(|(_, title)| title.as_str()).collect();
                let say_more = names != values;
                field.put("enum", values).put_some("enumNames", say_more.then_some(names))
            }
        };
        field.put_some("default", self.initial().map(Answer::written))
    }

    /// Several of a few.
    fn any_of(&self, chosen: &[Chosen], other: Other) -> Object {
        let least = (other == Other::Absent).then_some(1.0);
        let initial = self.initial().map(|answer| answer.selections());
        self.field("array", Some("one or more"))
            .put_some("minItems", least)
            .put("items", Object::new().put("anyOf", titles(chosen)))
            .put_some("default", initial)
    }

    fn number(&self, number: &Number) -> Object {
        let expected = number.expected();
        if self.dialog == Dialog::Plain {
            return self.text(Some(&expected), FREE_TEXT_LENGTH, None);
        }
        let initial = self.initial().and_then(|answer| decimal::parse(&answer.written()));
        let (name, [min, max, initial]) = match number.integer() {
            false => ("number", [number.min(), number.max(), initial]),
            true => {
                let bounds = [number.min().map(f64::ceil), number.max().map(f64::floor), initial];
                ("integer", bounds.map(|bound| bound.filter(|bound| bound.abs() <= LARGEST_WHOLE)))
            }
        };
        let field = self.field(name, Some(&expected));
        field.put_some("minimum", min).put_some("maximum", max).put_some("default", initial)
    }

    fn text(&self, hint: Option<&str>, longest: usize, format: Option<&str>) -> Object {
        self.field("string", hint)
            .put("minLength", 1.0)
            .put("maxLength", longest as f64)
            .put_some("format", format)
            .put_some("default", self.initial().map(Answer::written))
    }

    /// What every field has. A question that stands alone is in the dialog's message already.
    fn field(&self, name: &str, hint: Option<&str>) -> Object {
        let hint = [hint.map(str::to_owned), self.question.placeholder().map(line)];
        let hint = hint.into_iter().flatten().collect::<Vec<_>>().join("; ");
        let description = match (self.count, hint.as_str()) {
            (1, "") => None,
            (1, hint) => Some(hint.to_owned()),
            (_, "") => Some(block(self.question.message())),
            (_, hint) => Some(format!("{} ({hint})", block(self.question.message()))),
        };
        let title = self.titled(&line(self.question.header().unwrap_or("Answer")));
        Object::new().put("type", name).put("title", title).put_some("description", description)
    }

    fn titled(&self, title: &str) -> String {
        if self.count == 1 { title.to_owned() } else { format!("{}. {title}", self.position + 1) }
    }

    /// What is filled in at first. Other's text is not, since some clients put back what a person has emptied, and neither is
    /// what a dialog would hide.
    fn initial(&self) -> Option<&Answer> {
        let fits = |answer: &&Answer| answer.custom().is_none() && block(&answer.written()) == answer.written();
        self.question.initial().filter(|_| self.dialog == Dialog::Full).filter(fits)
    }

    fn needed(&self, field: Object) -> Property {
        Property { name: field_name(self.position), schema: field.into(), required: true }
    }

    fn lost(&self, field: &str, reason: &str) -> Inexpressible {
        Inexpressible::new(NAME, question_path(self.position).field(field), reason)
    }
}

fn enabled(options: &Options) -> Vec<Chosen> {
    let enabled = options.iter().filter(|option| !option.disabled());
    enabled.map(|option| (option.value().to_owned(), line(option.label()))).collect()
}

/// A rating is a short list: its ends can say what they mean there, and every client draws one.
fn places(rating: &Rating) -> Vec<Chosen> {
    let end = |place: i64| match place {
        place if place == rating.min() => rating.low(),
        place if place == rating.max() => rating.high(),
        _ => None,
    };
    let title = |place: i64| end(place).map_or_else(|| place.to_string(), |end| format!("{place} ({})", line(end)));
    (rating.min()..=rating.max()).map(|place| (place.to_string(), title(place))).collect()
}

fn titles(chosen: &[Chosen]) -> Vec<Object> {
    chosen
        .iter()
        .map(|(value, title)| Object::new().put("const", value.as_str()).put("title", title.as_str()))
        .collect()
}
