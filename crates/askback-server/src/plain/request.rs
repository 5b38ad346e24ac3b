//! The page of one request: what it is about, and its forms, or what became of it.

use super::form::{ANSWER, Complaint, DECLINE, Filled, REASON, WHICH, field, told};
use super::html::Html;
use super::question::Asked;
use super::{sentence, time};
use crate::service::views::is_waiting;
use askback_core::show::{self, Layout, Purpose};
use askback_core::{Answers, Context, Ending, Form, Name, Outcome, Question, Request, Surface};
use askback_hub::{Attendance, Record, Timestamp};

/// Characters of what a request is called in a list; all of it is on its own page.
const TITLE: usize = 200;

/// A request, for somebody who looks at it now.
pub(super) struct View<'a> {
    pub(super) record: &'a Record,
    pub(super) attendance: Attendance,
    pub(super) reader: &'a Name,
    pub(super) now: Timestamp,
}

/// What was posted and did not count, and why.
pub(super) struct Refused {
    pub(super) filled: Filled,
    /// One for each question, if there is something to say of it.
    pub(super) complaints: Vec<Option<Complaint>>,
    /// The reason for declining, and what is wrong with it.
    pub(super) reason: String,
    pub(super) reason_complaint: Option<Complaint>,
    /// What is wrong with the whole.
    pub(super) notice: Option<String>,
}

impl Refused {
    /// Nothing was posted yet.
    pub(super) fn nothing(request: &Request) -> Self {
        let filled = Filled::initial(request);
        let complaints = vec![None; request.questions().len()];
        Self { filled, complaints, reason: String::new(), reason_complaint: None, notice: None }
    }

    /// Whether nothing says yet what is wrong.
    pub(super) fn is_unexplained(&self) -> bool {
        self.reason_complaint.is_none() && self.complaints.iter().all(Option::is_none)
    }
}

/// What a request is called, on one line and not too long: its title, or what it asks first.
pub(super) fn title(request: &Request) -> String {
    let first = || request.questions().first().map(Question::message);
    let whole = request.title().or_else(first).unwrap_or_default();
    let head: String = whole.chars().take(TITLE).collect();
    let more = if head.len() < whole.len() { "…" } else { "" };
    format!("{}{more}", head.replace(['\r', '\n'], " "))
}

impl View<'_> {
    /// With its forms.
    pub(super) fn pending(&self, refused: &Refused) -> Html {
        let mut html = Html::default();
        let request = &self.record.request;
        problems(&mut html, refused);
        self.head(&mut html);
        request.context().iter().for_each(|context| see(&mut html, context));
        html.markup("<form method=\"post\"><input type=\"hidden\"").attribute("name", WHICH).attribute("value", ANSWER);
        html.markup(">");
        let count = request.questions().len();
        for (index, question) in request.questions().iter().enumerate() {
            let (controls, complaint) = (&refused.filled.0[index], refused.complaints[index].as_ref());
            Asked { index, count, question, controls, complaint }.render(&mut html);
        }
        html.markup("<button type=\"submit\">Send answer</button></form>");
        decline(&mut html, refused);
        html
    }

    /// With what became of it.
    pub(super) fn ended(&self, outcome: &Outcome, notice: Option<&'static str>) -> Html {
        let mut html = Html::default();
        html.markup("<div class=\"notice\" role=\"status\"><p>");
        if let Some(notice) = notice {
            html.markup(notice).markup(" ");
        }
        self.who(&mut html, outcome);
        html.markup("</p>");
        match outcome.resolution().ending() {
            Ending::Answered(answers) | Ending::Declined { answers: Some(answers), .. } => {
                self.answers(&mut html, answers);
            }
            Ending::Expired { default: Some(answers) } => {
                html.markup("<p>The asker’s default is used:</p>");
                self.answers(&mut html, answers);
            }
            Ending::Declined { reason: Some(reason), .. } | Ending::Cancelled { reason: Some(reason) } => {
                html.markup("<p class=\"message\" dir=\"auto\">").shown(reason.as_str(), Layout::Block, Purpose::Exact);
                html.markup("</p>");
            }
            _ => {}
        }
        html.markup("<p><a href=\"./\">Back to the pending requests</a></p></div>");
        self.head(&mut html);
        self.record.request.context().iter().for_each(|context| see(&mut html, context));
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
        if let (false, Attendance::LastSeen(seen)) = (is_waiting(self.attendance, now), self.attendance) {
            html.markup("<p class=\"hint\">Nobody is waiting for the answer any more: its asker was last seen ");
            html.text(&time::ago(seen, now)).markup(".</p>");
        }
        if let Some(deadline) = record.deadline {
            html.markup("<p class=\"hint\">Open until ").text(&deadline.strftime("%F %H:%M UTC").to_string());
            html.markup(" (").text(&time::ahead(deadline, now)).markup("). ");
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

    /// Who ended it, and where.
    fn who(&self, html: &mut Html, outcome: &Outcome) {
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
        html.markup(", ").text(&time::ago(outcome.at(), self.now)).markup(".");
    }

    fn answers(&self, html: &mut Html, answers: &Answers) {
        html.markup("<dl>");
        for (question, answer) in self.record.request.questions().iter().zip(answers.iter()) {
            html.markup("<dt class=\"message\" dir=\"auto\">").shown(question.message(), Layout::Block, Purpose::Exact);
            html.markup("</dt><dd class=\"message\" dir=\"auto\">");
            html.shown(&told(question, answer), Layout::Block, Purpose::Exact).markup("</dd>");
        }
        html.markup("</dl>");
    }
}

/// Where, who and when.
pub(super) fn about(html: &mut Html, record: &Record, now: Timestamp) {
    html.line(&show::asker(record.asker.as_str(), record.request.from()), Purpose::Exact);
    html.markup(" in ").line(record.room.as_str(), Purpose::Exact).markup(" · <time");
    html.attribute("datetime", &record.created_at.to_string()).markup(">");
    html.text(&time::ago(record.created_at, now)).markup("</time>");
}

/// What must be seen to decide: whole, and before anything that decides.
fn see(html: &mut Html, context: &Context) {
    html.markup("<figure><figcaption>").line(context.title().unwrap_or(context.form().name()), Purpose::Exact);
    if let Some(language) = context.language() {
        html.markup(" (").line(language, Purpose::Exact).markup(")");
    }
    // Code is read from left to right, whatever letters it begins with.
    html.markup("</figcaption><pre").attribute("dir", if context.form() == Form::Markdown { "auto" } else { "ltr" });
    html.markup(">\n").shown(context.text(), Layout::Block, Purpose::Exact).markup("</pre></figure>");
}

/// What is wrong, before all else, with the way to each place.
fn problems(html: &mut Html, refused: &Refused) {
    if let Some(notice) = &refused.notice {
        html.markup("<div class=\"problems\" role=\"alert\"><p>This did not work. ");
        html.line(&sentence(notice), Purpose::Exact).markup(".</p></div>");
    }
    if refused.is_unexplained() {
        return;
    }
    html.markup("<div class=\"problems\" role=\"alert\"><p>Nothing was sent. This does not pass yet:</p><ul>");
    for (index, complaint) in refused.complaints.iter().enumerate() {
        if let Some(complaint) = complaint {
            let number = format!("Question {}: ", index + 1);
            html.markup("<li><a").attribute("href", &format!("#{}", field(index))).markup(">");
            html.text(&number).line(&complaint.message, Purpose::Exact).markup("</a></li>");
        }
    }
    if let Some(complaint) = &refused.reason_complaint {
        html.markup("<li><a").attribute("href", &format!("#{REASON}")).markup(">Declining: ");
        html.line(&complaint.message, Purpose::Exact).markup("</a></li>");
    }
    html.markup("</ul></div>");
}

fn decline(html: &mut Html, refused: &Refused) {
    html.markup("<form method=\"post\" class=\"decline\"><input type=\"hidden\"");
    html.attribute("name", WHICH).attribute("value", DECLINE);
    html.markup("><h2>Or don’t answer</h2><label").attribute("for", REASON).markup(">Say why, or ask back</label>");
    if let Some(Complaint { message, expected }) = &refused.reason_complaint {
        html.markup("<p class=\"error\">").line(&sentence(message), Purpose::Exact).markup(". Expected: ");
        html.line(expected, Purpose::Exact).markup(".</p>");
    }
    html.markup("<textarea rows=\"3\"").attribute("id", REASON).attribute("name", REASON).markup(">\n");
    html.text(&refused.reason).markup("</textarea><button type=\"submit\" class=\"quiet\">Decline</button></form>");
}
