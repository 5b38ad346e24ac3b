//! One question of a form, and the part of it that each kind has of its own.

use super::controls::{Complaint, Controls, field};
use super::html::Html;
use super::sentence;
use askback_api::AnswerItem;
use askback_core::show::{Layout, Piece, Purpose, pieces, show};
use askback_core::{Answer, Question};

/// A kind of question on the page.
pub(super) trait PlainKind {
    fn shape(&self) -> Shape;

    /// Renders the control with its values.
    fn control(&self, view: &QuestionView<'_>, html: &mut Html);

    /// The answer; `None` if a chosen value is not one of the page's options, since as a text it could pass for Other's.
    fn answer(&self, controls: &Controls) -> Option<AnswerItem>;

    /// An answer in terms of the page.
    fn answer_text(&self, answer: &Answer) -> String;

    /// The values of the controls for an answer that the asker has set.
    fn initial(&self, answer: &Answer) -> Controls {
        Controls::of(answer.written())
    }

    /// The expected answer, if it is not obvious.
    fn hint(&self) -> Option<String> {
        None
    }

    /// The part of an answer that is free text, in which characters can hide.
    fn free_text(&self, _answer: &Answer) -> Option<String> {
        None
    }

    /// The expected choice, where nothing is chosen; `None` for kinds whose answers are typed.
    fn expected_choice(&self) -> Option<String> {
        None
    }

    /// The complaint about controls that contradict each other.
    fn conflict(&self, _controls: &Controls) -> Option<Complaint> {
        None
    }
}

/// The shape of a control.
pub(super) enum Shape {
    /// One field, which the label of the question names.
    Single,
    /// Several fields with labels of their own.
    Group,
}

/// A question with the values of its controls.
pub(super) struct QuestionView<'a> {
    pub(super) index: usize,
    /// The number of questions.
    pub(super) count: usize,
    pub(super) question: &'a Question,
    pub(super) kind: &'a dyn PlainKind,
    pub(super) controls: &'a Controls,
    pub(super) complaint: Option<&'a Complaint>,
}

/// A radio button or a checkbox.
pub(super) struct Checkable<'a> {
    pub(super) kind: &'static str,
    pub(super) value: &'a str,
    pub(super) label: &'a str,
    pub(super) purpose: Purpose,
}

impl Checkable<'_> {
    /// Ends its open tag, and renders its label.
    pub(super) fn end(&self, html: &mut Html, description: Option<&str>) {
        html.markup("><span>").line(self.label, self.purpose);
        if let Some(description) = description {
            html.markup("<small class=\"message\" dir=\"auto\">")
                .shown(description, Layout::Block, Purpose::Prose)
                .markup("</small>");
        }
        html.markup("</span></label>");
    }
}

impl QuestionView<'_> {
    pub(super) fn render(&self, html: &mut Html) {
        match self.kind.shape() {
            Shape::Group => {
                html.markup("<fieldset class=\"question\"").attribute("id", &self.name());
                self.describe(html);
                html.markup("><legend>");
                self.head(html);
                html.markup("</legend>");
                self.notes(html);
                self.kind.control(self, html);
                html.markup("</fieldset>");
            }
            Shape::Single => {
                html.markup("<div class=\"question\"><label").attribute("for", &self.name()).markup(">");
                self.head(html);
                html.markup("</label>");
                self.notes(html);
                self.kind.control(self, html);
                html.markup("</div>");
            }
        }
    }

    /// An input with the typed text. `kind` is its attributes of its own.
    pub(super) fn input(&self, html: &mut Html, kind: &'static str) {
        html.markup("<input ").markup(kind);
        self.field(html, "off", self.question.placeholder());
        html.attribute("value", self.controls.typed()).markup(">");
    }

    /// The attributes of every single control.
    pub(super) fn field(&self, html: &mut Html, autocomplete: &'static str, placeholder: Option<&str>) {
        html.attribute("id", &self.name()).attribute("name", &self.name());
        html.markup(" required").attribute("autocomplete", autocomplete);
        if let Some(placeholder) = placeholder {
            html.attribute("placeholder", &show(placeholder, Layout::Line, Purpose::Exact));
        }
        if self.complaint.is_some() {
            html.markup(" aria-invalid=\"true\"");
        }
        self.describe(html);
    }

    /// A radio button, unchecked at first unless the asker has set an initial value.
    pub(super) fn radio(&self, html: &mut Html, value: &str, label: &str, purpose: Purpose) {
        let checkable = Checkable { kind: "radio", value, label, purpose };
        self.begin(html, &checkable);
        html.markup(if self.controls.contains(value) { " checked" } else { "" });
        html.markup(" required");
        checkable.end(html, None);
    }

    /// The open tag of a radio button or a checkbox.
    pub(super) fn begin(&self, html: &mut Html, checkable: &Checkable<'_>) {
        html.markup("<label class=\"option\"><input").attribute("type", checkable.kind);
        html.attribute("name", &self.name()).attribute("value", checkable.value);
    }

    /// The name of its controls.
    pub(super) fn name(&self) -> String {
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
        let ids = [self.complaint.map(|_| "error"), self.kind.hint().map(|_| "hint")];
        let ids: Vec<String> = ids.into_iter().flatten().map(|what| format!("{}-{what}", self.name())).collect();
        if !ids.is_empty() {
            html.attribute("aria-describedby", &ids.join(" "));
        }
    }

    fn notes(&self, html: &mut Html) {
        if let Some(hint) = self.kind.hint() {
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

    /// The initial value, if a field would hide a part of it (S2).
    fn hidden(&self) -> Option<String> {
        let text = self.kind.free_text(self.question.initial()?)?;
        let hides = |piece: &Piece<'_>| matches!(piece, Piece::Hidden(_));
        pieces(&text, Layout::Block, Purpose::Exact).iter().any(hides).then_some(text)
    }
}
