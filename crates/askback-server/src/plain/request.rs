//! The page of one request: its content, and its forms or its outcome.

use super::controls::{Complaint, field};
use super::form::{ANSWER, DECLINE, FORM, FormValues, REASON};
use super::html::Html;
use super::question::QuestionView;
use super::{kinds, sentence};
use askback_core::relative_time::{ago, ahead};
use askback_core::show::{self, Layout, Purpose};
use askback_core::{Answers, Context, Form, Name, Outcome, Question, Request, Resolution, Surface};
use askback_hub::{Attendance, Record, Timestamp};

/// Maximum characters of a request's title in a list; its own page shows all of it.
const TITLE: usize = 200;

/// The page of a request, for one reader.
pub(super) struct View<'a> {
    pub(super) record: &'a Record,
    pub(super) attendance: Attendance,
    pub(super) reader: &'a Name,
    pub(super) now: Timestamp,
}

/// The state of the forms: the values, and the complaints of a refused submission.
pub(super) struct FormState {
    pub(super) values: FormValues,
    /// The complaint about each question.
    pub(super) complaints: Vec<Option<Complaint>>,
    /// The reason for declining.
    pub(super) reason: String,
    pub(super) reason_complaint: Option<Complaint>,
    /// The error of the whole submission.
    pub(super) notice: Option<String>,
}

impl FormState {
    /// The state before any submission.
    pub(super) fn initial(request: &Request) -> Self {
        let values = FormValues::initial(request);
        let complaints = vec![None; request.questions().len()];
        Self { values, complaints, reason: String::new(), reason_complaint: None, notice: None }
    }

    pub(super) fn has_no_complaints(&self) -> bool {
        self.reason_complaint.is_none() && self.complaints.iter().all(Option::is_none)
    }
}

/// The title of a request on one line, clipped: its own title, or its first message.
pub(super) fn title(request: &Request) -> String {
    let first = || request.questions().first().map(Question::message);
    let whole = request.title().or_else(first).unwrap_or_default();
    let head: String = whole.chars().take(TITLE).collect();
    let more = if head.len() < whole.len() { "…" } else { "" };
    format!("{}{more}", head.replace(['\r', '\n'], " "))
}

impl View<'_> {
    /// The page with the forms.
    pub(super) fn pending(&self, state: &FormState) -> Html {
        let mut html = Html::default();
        let request = &self.record.request;
        problems(&mut html, state);
        self.head(&mut html);
        request.context().iter().for_each(|context| show_context(&mut html, context));
        html.markup("<form method=\"post\"><input type=\"hidden\"").attribute("name", FORM).attribute("value", ANSWER);
        html.markup(">");
        let count = request.questions().len();
        for (index, question) in request.questions().iter().enumerate() {
            let (controls, complaint) = (&state.values.0[index], state.complaints[index].as_ref());
            let kind = kinds::of(question.kind());
            QuestionView { index, count, question, kind, controls, complaint }.render(&mut html);
        }
        html.markup("<button type=\"submit\">Send answer</button></form>");
        decline(&mut html, state);
        html
    }

    /// The page with the outcome.
    pub(super) fn ended(&self, outcome: &Outcome, notice: Option<&'static str>) -> Html {
        let mut html = Html::default();
        html.markup("<div class=\"notice\" role=\"status\"><p>");
        if let Some(notice) = notice {
            html.markup(notice).markup(" ");
        }
        self.actor(&mut html, outcome);
        html.markup("</p>");
        match outcome.resolution() {
            Resolution::Answered { answers, .. } | Resolution::Rejected { answers, .. } => {
                self.answers(&mut html, answers);
            }
            Resolution::Expired { default: Some(answers), .. } => {
                html.markup("<p>The asker’s default is used:</p>");
                self.answers(&mut html, answers);
            }
            Resolution::Declined { reason: Some(reason), .. } | Resolution::Cancelled { reason: Some(reason), .. } => {
                html.markup("<p class=\"message\" dir=\"auto\">").shown(reason.as_str(), Layout::Block, Purpose::Exact);
                html.markup("</p>");
            }
            _ => {}
        }
        html.markup("<p><a href=\"./\">Back to the pending requests</a></p></div>");
        self.head(&mut html);
        self.record.request.context().iter().for_each(|context| show_context(&mut html, context));
        html
    }

    fn head(&self, html: &mut Html) {
        let (record, now) = (self.record, self.now);
        html.markup("<h1 class=\"message\" dir=\"auto\">");
        match record.request.title() {
            Some(title) => html.shown(title, Layout::Line, Purpose::Exact),
            None => html.markup("A question"),
        };
        html.markup("</h1><p class=\"meta\">");
        about(html, record, now);
        html.markup("</p>");
        if record.outcome.is_some() {
            return;
        }
        if let Attendance::Absent(seen) = self.attendance {
            html.markup("<p class=\"hint\">Nobody is waiting for the answer any more: its asker was last seen ");
            html.text(&ago(seen, now)).markup(".</p>");
        }
        if let Some(deadline) = record.deadline {
            html.markup("<p class=\"hint\">Open until ").text(&deadline.strftime("%F %H:%M UTC").to_string());
            html.markup(" (").text(&ahead(deadline, now)).markup("). ");
            match record.request.default_answers() {
                Some(answers) => {
                    html.markup("Without an answer the asker’s default is used:</p>");
                    self.answers(html, answers);
                }
                None => {
                    html.markup("Without an answer it expires.</p>");
                }
            }
        }
    }

    /// The actor of the outcome, and its surface.
    fn actor(&self, html: &mut Html, outcome: &Outcome) {
        html.text(&sentence(outcome.status().name()));
        match outcome.surface() {
            Surface::Hub => html.markup(" because nobody answered in time"),
            _ if outcome.by() == self.reader.as_str() => html.markup(" by you, ").line(outcome.by(), Purpose::Exact),
            _ => html.markup(" by ").line(outcome.by(), Purpose::Exact),
        };
        html.markup(match outcome.surface() {
            Surface::Terminal => ", in a terminal",
            Surface::Page => ", on this page",
            Surface::Yjs => ", in another client of the room",
            Surface::Mcp => ", in the dialog of an MCP client",
            Surface::Cli => ", on the command line",
            Surface::Http => ", by a program",
            Surface::Hub => "",
        });
        html.markup(", ").text(&ago(outcome.at(), self.now)).markup(".");
    }

    fn answers(&self, html: &mut Html, answers: &Answers) {
        html.markup("<dl>");
        for (question, answer) in self.record.request.questions().iter().zip(answers.iter()) {
            html.markup("<dt class=\"message\" dir=\"auto\">").shown(question.message(), Layout::Block, Purpose::Exact);
            html.markup("</dt><dd class=\"message\" dir=\"auto\">");
            let text = kinds::of(question.kind()).answer_text(answer);
            html.shown(&text, Layout::Block, Purpose::Exact).markup("</dd>");
        }
        html.markup("</dl>");
    }
}

/// The asker, the room and the time.
pub(super) fn about(html: &mut Html, record: &Record, now: Timestamp) {
    html.line(&show::asker(record.asker.as_str(), record.request.from()), Purpose::Exact);
    html.markup(" in ").line(record.room.as_str(), Purpose::Exact).markup(" · <time");
    html.attribute("datetime", &record.created_at.to_string()).markup(">");
    html.text(&ago(record.created_at, now)).markup("</time>");
}

/// The context of a decision: in full, and before the controls.
fn show_context(html: &mut Html, context: &Context) {
    html.markup("<figure><figcaption>").line(context.title().unwrap_or(context.form().name()), Purpose::Exact);
    if let Some(language) = context.language() {
        html.markup(" (").line(language, Purpose::Exact).markup(")");
    }
    // Code is always left to right.
    html.markup("</figcaption><pre").attribute("dir", if context.form() == Form::Markdown { "auto" } else { "ltr" });
    html.markup(">\n").shown(context.text(), Layout::Block, Purpose::Exact).markup("</pre></figure>");
}

/// All complaints, at the top of the page, each with a link to its question.
fn problems(html: &mut Html, state: &FormState) {
    if let Some(notice) = &state.notice {
        html.markup("<div class=\"problems\" role=\"alert\"><p>This did not work. ");
        html.line(&sentence(notice), Purpose::Exact).markup(".</p></div>");
    }
    if state.has_no_complaints() {
        return;
    }
    html.markup("<div class=\"problems\" role=\"alert\"><p>Nothing was sent. This does not pass yet:</p><ul>");
    for (index, complaint) in state.complaints.iter().enumerate() {
        if let Some(complaint) = complaint {
            let number = format!("Question {}: ", index + 1);
            html.markup("<li><a").attribute("href", &format!("#{}", field(index))).markup(">");
            html.text(&number).line(&complaint.message, Purpose::Exact).markup("</a></li>");
        }
    }
    if let Some(complaint) = &state.reason_complaint {
        html.markup("<li><a").attribute("href", &format!("#{REASON}")).markup(">Declining: ");
        html.line(&complaint.message, Purpose::Exact).markup("</a></li>");
    }
    html.markup("</ul></div>");
}

fn decline(html: &mut Html, state: &FormState) {
    html.markup("<form method=\"post\" class=\"decline\"><input type=\"hidden\"");
    html.attribute("name", FORM).attribute("value", DECLINE);
    html.markup("><h2>Or don’t answer</h2><label").attribute("for", REASON).markup(">Say why, or ask back</label>");
    if let Some(Complaint { message, expected }) = &state.reason_complaint {
        html.markup("<p class=\"error\">").line(&sentence(message), Purpose::Exact).markup(". Expected: ");
        html.line(expected, Purpose::Exact).markup(".</p>");
    }
    html.markup("<textarea rows=\"3\"").attribute("id", REASON).attribute("name", REASON).markup(">\n");
    html.text(&state.reason).markup("</textarea><button type=\"submit\" class=\"quiet\">Decline</button></form>");
}
