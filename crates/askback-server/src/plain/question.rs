//! One question of a form, with the control of its kind.

use super::form::{Complaint, Controls, OTHER, field, other_field};
use super::html::Html;
use super::sentence;
use askback_core::kind::approval::{Approval, Decision};
use askback_core::kind::choice::{Choice, Select};
use askback_core::kind::rating::{Rating, Style};
use askback_core::limits::FREE_TEXT_LENGTH;
use askback_core::show::{Layout, Piece, Purpose, pieces, show};
use askback_core::{ChoiceOption, Kind, Options, Other, Question};
use std::collections::HashSet;

/// A question with the values of its controls.
pub(super) struct QuestionView<'a> {
    pub(super) index: usize,
    /// The number of questions.
    pub(super) count: usize,
    pub(super) question: &'a Question,
    pub(super) controls: &'a Controls,
    pub(super) complaint: Option<&'a Complaint>,
}

/// A radio button or a checkbox.
struct Checkable<'a> {
    kind: &'static str,
    value: &'a str,
    label: &'a str,
    purpose: Purpose,
}

impl QuestionView<'_> {
    pub(super) fn render(&self, html: &mut Html) {
        match self.question.kind() {
            Kind::Approval(_) | Kind::Confirm(_) | Kind::Choice(_) | Kind::Rating(_) => self.group(html),
            _ => self.single(html),
        }
    }

    fn group(&self, html: &mut Html) {
        html.markup("<fieldset class=\"question\"").attribute("id", &self.name());
        self.describe(html);
        html.markup("><legend>");
        self.head(html);
        html.markup("</legend>");
        self.notes(html);
        match self.question.kind() {
            Kind::Approval(approval) => {
                self.decision(html, approval, Decision::Approve);
                self.decision(html, approval, Decision::Reject);
            }
            Kind::Choice(choice) => self.choice(html, choice),
            Kind::Rating(rating) => self.rating(html, rating),
            _ => {
                self.radio(html, "yes", "Yes", Purpose::Exact);
                self.radio(html, "no", "No", Purpose::Exact);
            }
        }
        html.markup("</fieldset>");
    }

    fn single(&self, html: &mut Html) {
        html.markup("<div class=\"question\"><label").attribute("for", &self.name()).markup(">");
        self.head(html);
        html.markup("</label>");
        self.notes(html);
        let typed = self.controls.typed();
        match self.question.kind() {
            Kind::Multiline(_) => {
                html.markup("<textarea rows=\"6\"");
                self.field(html);
                // A browser drops a leading line feed.
                html.markup(">\n").text(typed).markup("</textarea>");
            }
            Kind::Dropdown(dropdown) => self.select(html, dropdown.options()),
            Kind::Email(_) => self.input(html, "type=\"email\"", typed),
            // On some phones the keyboard for decimals has no minus.
            Kind::Number(number) if number.min().is_some_and(|min| min >= 0.0) => {
                self.input(html, "type=\"text\" inputmode=\"decimal\"", typed);
            }
            Kind::Date(date) => {
                html.markup("<input type=\"date\"");
                for (name, day) in [("min", date.min()), ("max", date.max())] {
                    if let Some(day) = day {
                        html.attribute(name, &day.to_string());
                    }
                }
                self.field(html);
                html.attribute("value", typed).markup(">");
            }
            _ => self.input(html, "type=\"text\"", typed),
        }
        html.markup("</div>");
    }

    fn input(&self, html: &mut Html, kind: &'static str, typed: &str) {
        html.markup("<input ").markup(kind);
        self.field(html);
        html.attribute("value", typed).markup(">");
    }

    /// The attributes of every single control.
    fn field(&self, html: &mut Html) {
        html.attribute("id", &self.name()).attribute("name", &self.name());
        html.markup(match self.question.kind() {
            Kind::Email(_) => " required autocomplete=\"email\"",
            _ => " required autocomplete=\"off\"",
        });
        if let (Some(placeholder), false) =
            (self.question.placeholder(), matches!(self.question.kind(), Kind::Dropdown(_)))
        {
            html.attribute("placeholder", &show(placeholder, Layout::Line, Purpose::Exact));
        }
        if self.complaint.is_some() {
            html.markup(" aria-invalid=\"true\"");
        }
        self.describe(html);
    }

    fn select(&self, html: &mut Html, options: &Options) {
        html.markup("<select");
        self.field(html);
        let first = self.question.placeholder().unwrap_or("Choose one");
        html.markup("><option value=\"\">").shown(first, Layout::Line, Purpose::Prose).markup("</option>");
        for (at, option) in options.iter().enumerate() {
            let position = at.to_string();
            html.markup("<option").attribute("value", &position);
            html.markup(if self.controls.typed() == position { " selected" } else { "" });
            html.markup(if option.disabled() { " disabled>" } else { ">" });
            // An option can contain only text.
            html.text(&show(option.label(), Layout::Line, Purpose::Prose));
            if let Some(description) = option.description() {
                html.markup(" — ").text(&show(description, Layout::Line, Purpose::Prose));
            }
            html.markup("</option>");
        }
        html.markup("</select>");
        options.iter().for_each(|option| preview(html, option));
    }

    fn choice(&self, html: &mut Html, choice: &Choice) {
        let kind = if choice.select() == Select::Many { "checkbox" } else { "radio" };
        let is_required = choice.select() == Select::One && choice.other() == Other::Absent;
        let chosen: HashSet<&str> = self.controls.values.iter().map(String::as_str).collect();
        let state = |value: &str| if chosen.contains(value) { " checked" } else { "" };
        for (at, option) in choice.options().iter().enumerate() {
            let position = at.to_string();
            let checkable = Checkable { kind, value: &position, label: option.label(), purpose: Purpose::Prose };
            self.begin(html, &checkable);
            html.markup(state(&position));
            html.markup(if is_required { " required" } else { "" });
            html.markup(if option.disabled() { " disabled" } else { "" });
            end(html, &checkable, option.description());
            preview(html, option);
        }
        if choice.other() == Other::Offered {
            let checkable = Checkable { kind, value: OTHER, label: "Other", purpose: Purpose::Prose };
            self.begin(html, &checkable);
            html.markup(state(OTHER));
            end(html, &checkable, None);
            let name = other_field(self.index);
            html.markup("<div class=\"own\"><label")
                .attribute("for", &name)
                .markup(">Your own text</label><input type=\"text\"");
            html.attribute("id", &name).attribute("name", &name).markup(" autocomplete=\"off\"");
            html.attribute("value", self.controls.other.as_deref().unwrap_or_default()).markup("></div>");
        }
    }

    fn rating(&self, html: &mut Html, rating: &Rating) {
        html.markup("<div class=\"scale\">");
        for value in rating.min()..=rating.max() {
            let end = match value {
                value if value == rating.min() => rating.low(),
                value if value == rating.max() => rating.high(),
                _ => None,
            };
            let label = [Some(value.to_string()), sign(rating, value), end.map(|end| format!("({end})"))];
            let label = label.into_iter().flatten().collect::<Vec<_>>().join(" ");
            self.radio(html, &value.to_string(), &label, Purpose::Prose);
        }
        html.markup("</div>");
    }

    /// A radio button, unchecked at first unless the asker has set an initial value.
    fn radio(&self, html: &mut Html, value: &str, label: &str, purpose: Purpose) {
        let checkable = Checkable { kind: "radio", value, label, purpose };
        self.begin(html, &checkable);
        html.markup(if self.controls.values.iter().any(|chosen| chosen == value) { " checked" } else { "" });
        html.markup(" required");
        end(html, &checkable, None);
    }

    /// One side of an approval: the asker's label, and below it the meaning of the choice (S7).
    fn decision(&self, html: &mut Html, approval: &Approval, decision: Decision) {
        let (caption, value) = (approval.caption(decision), decision.word());
        let (label, sign) = match decision {
            Decision::Approve => ("<label class=\"option approve\"><input", "✓ "),
            Decision::Reject => ("<label class=\"option reject\"><input", "✗ "),
        };
        html.markup(label).attribute("type", "radio").attribute("name", &self.name()).attribute("value", value);
        html.markup(if self.controls.values.iter().any(|chosen| chosen == value) { " checked" } else { "" });
        html.markup(" required><span>").line(caption.label, Purpose::Exact);
        if let Some(word) = caption.word {
            html.markup(" <small class=\"meaning\"><span aria-hidden=\"true\">").markup(sign).markup("</span>");
            html.text(word).markup("</small>");
        }
        html.markup("</span></label>");
    }

    fn begin(&self, html: &mut Html, checkable: &Checkable<'_>) {
        html.markup("<label class=\"option\"><input").attribute("type", checkable.kind);
        html.attribute("name", &self.name()).attribute("value", checkable.value);
    }

    fn name(&self) -> String {
        field(self.index)
    }

    /// The number and the message of the question. The message of a decision is shown exactly.
    fn head(&self, html: &mut Html) {
        let purpose = if self.question.kind().asks_consent() { Purpose::Exact } else { Purpose::Prose };
        if self.count > 1 {
            let number = format!("{} of {}", self.index + 1, self.count);
            html.markup("<span class=\"number\">").text(&number).markup("</span> ");
        }
        if let Some(header) = self.question.header() {
            html.markup("<span class=\"chip\">").line(header, Purpose::Exact).markup("</span> ");
        }
        html.markup("<span class=\"message\" dir=\"auto\">").shown(self.question.message(), Layout::Block, purpose);
        html.markup("</span>");
    }

    fn describe(&self, html: &mut Html) {
        let ids = [self.complaint.map(|_| "error"), self.hint().map(|_| "hint")];
        let ids: Vec<String> = ids.into_iter().flatten().map(|what| format!("{}-{what}", self.name())).collect();
        if !ids.is_empty() {
            html.attribute("aria-describedby", &ids.join(" "));
        }
    }

    fn notes(&self, html: &mut Html) {
        if let Some(hint) = self.hint() {
            html.markup("<p class=\"hint\"").attribute("id", &format!("{}-hint", self.name())).markup(">");
            html.line(&sentence(&hint), Purpose::Exact).markup(".</p>");
        }
        if let Some(hidden) = self.hidden() {
            html.markup("<p class=\"hint\">What is filled in has characters that can’t be seen: ");
            html.markup("<span class=\"message\" dir=\"auto\">")
                .shown(&hidden, Layout::Block, Purpose::Exact)
                .markup("</span></p>");
        }
        if let Some(Complaint { message, expected }) = self.complaint {
            html.markup("<p class=\"error\"").attribute("id", &format!("{}-error", self.name())).markup(">");
            html.line(&sentence(message), Purpose::Exact)
                .markup(". Expected: ")
                .line(expected, Purpose::Exact)
                .markup(".</p>");
        }
    }

    /// The expected answer, if it is not obvious.
    fn hint(&self) -> Option<String> {
        let longest = |length: usize| (length < FREE_TEXT_LENGTH).then(|| format!("at most {length} characters"));
        match self.question.kind() {
            Kind::Text(text) => longest(text.max_length()),
            Kind::Multiline(text) => longest(text.max_length()),
            Kind::Number(number) => Some(number.expected()),
            Kind::Email(email) => email.domain().map(|_| email.expected()),
            Kind::Date(date) => (date.min().is_some() || date.max().is_some()).then(|| date.expected()),
            Kind::Choice(choice) => (choice.select() == Select::Many).then(|| "one or more".to_owned()),
            _ => None,
        }
    }

    /// The initial value, if a field would hide a part of it (S2).
    fn hidden(&self) -> Option<String> {
        let initial = self.question.initial()?;
        let text = match self.question.kind() {
            Kind::Text(_) | Kind::Multiline(_) => initial.written(),
            Kind::Choice(_) => initial.custom()?.to_owned(),
            _ => return None,
        };
        let hides = |piece: &Piece<'_>| matches!(piece, Piece::Hidden(_));
        pieces(&text, Layout::Block, Purpose::Exact).iter().any(hides).then_some(text)
    }
}

fn end(html: &mut Html, checkable: &Checkable<'_>, description: Option<&str>) {
    html.markup("><span>").line(checkable.label, checkable.purpose);
    if let Some(description) = description {
        html.markup("<small class=\"message\" dir=\"auto\">")
            .shown(description, Layout::Block, Purpose::Prose)
            .markup("</small>");
    }
    html.markup("</span></label>");
}

fn preview(html: &mut Html, option: &ChoiceOption) {
    if let Some(preview) = option.preview() {
        html.markup("<details><summary>Preview of ").line(option.label(), Purpose::Prose).markup("</summary><pre>\n");
        html.shown(preview, Layout::Block, Purpose::Exact).markup("</pre></details>");
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
