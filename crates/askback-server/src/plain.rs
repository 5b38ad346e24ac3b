//! The page without scripts: the list of pending requests, and a form for each, below the path of a session.

use crate::app::{App, Shared, typed};
use crate::extract::PathId;
use crate::fault::Fault;
use crate::limits::BODY_BYTES;
use crate::parameters::Parameters;
use crate::service::Caller;
use askback_api::{AnswerBody, DeclineBody, ListQuery, ProblemCode};
use askback_core::show::{Layout, Purpose, show};
use askback_core::{Outcome, Reason, Status};
use askback_hub::{Attendance, Record, Timestamp};
use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION, REFERRER_POLICY};
use axum::http::{HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use controls::Complaint;
use form::{Submission, complaints};
use html::Html;
use request::{FormState, View};
use session::Reader;
use std::sync::Arc;

mod controls;
mod form;
pub(super) mod html;
mod kinds;
mod list;
mod login;
mod question;
mod request;
mod session;
#[cfg(test)]
mod tests;

/// Requests on one page of the list.
const ITEMS: usize = 50;

/// Allows only the page's own style and forms: it has no scripts.
const POLICY: &str = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'; trusted-types 'none'";

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/plain", get(login::without_session))
        .route("/plain/login", get(login::form).post(login::submit))
        // Links are relative, so that the key stays in the path.
        .route("/plain/{key}/", get(inbox))
        .route("/plain/{key}/logout", post(login::logout))
        .route("/plain/{key}/{id}", get(request).post(submit))
        .route(
            "/plain.css",
            get(async || typed(StatusCode::OK, "text/css; charset=utf-8", include_str!("plain/style.css").to_owned())),
        )
}

/// `GET /plain/{key}/`
async fn inbox(State(app): Shared, reader: Result<Reader, Fault>, uri: Uri) -> Result<Response, PageFault> {
    let Reader { caller, .. } = reader?;
    let parameters = Parameters::parse(uri.query(), &["cursor"])?;
    let cursor = parameters.text("cursor").map(str::to_owned);
    let query = ListQuery { status: Some(Status::Pending), cursor, limit: Some(ITEMS), ..ListQuery::default() };
    let page = app.service.listed(&caller, query).await?;
    let title = format!("{} waiting", if page.items.is_empty() { "Nothing" } else { "Questions" });
    let document = Document { title: &title, refresh: Refresh::Soon, reader: Some(&caller) };
    Ok(document.response(StatusCode::OK, &list::render(&page, Timestamp::now())))
}

/// `GET /plain/{key}/{id}`
async fn request(
    State(app): Shared,
    reader: Result<Reader, Fault>,
    id: Result<PathId, Fault>,
    uri: Uri,
) -> Result<Response, PageFault> {
    let (Reader { caller, .. }, PathId(id)) = (reader?, id?);
    Parameters::parse(uri.query(), &[])?;
    let record = app.service.visible(&caller, &id).await?;
    Ok(match &record.outcome {
        Some(outcome) => ended(&app, &caller, &record, outcome, StatusCode::OK),
        None => pending(&app, &caller, &record, StatusCode::OK, &FormState::initial(&record.request)).await?,
    })
}

/// `POST /plain/{key}/{id}`
async fn submit(
    State(app): Shared,
    reader: Result<Reader, Fault>,
    id: Result<PathId, Fault>,
    uri: Uri,
    sent: Body,
) -> Result<Response, PageFault> {
    let (Reader { caller, .. }, PathId(id)) = (reader?, id?);
    Parameters::parse(uri.query(), &[])?;
    let record = app.service.visible(&caller, &id).await?;
    let bytes = caller.bytes(&app, sent, BODY_BYTES).await?;
    let submission = Submission::read(&record.request, &bytes)?;
    let fault = match act(&app, &caller, &record, &submission).await {
        Ok(_) => return Ok(see_other(&list::path(&record))),
        Err(fault) => fault,
    };
    let status = StatusCode::from_u16(fault.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if fault.code == ProblemCode::AlreadyEnded {
        let record = app.service.visible(&caller, &id).await?;
        if let Some(outcome) = &record.outcome {
            return Ok(ended(&app, &caller, &record, outcome, status));
        }
    }
    // The page keeps the person's input after any error.
    Ok(pending(&app, &caller, &record, status, &refused(&record, submission, &fault)).await?)
}

async fn act(app: &App, caller: &Caller, record: &Record, submission: &Submission) -> Result<(), Fault> {
    let id = record.id.as_str();
    let ended = match submission {
        Submission::Answer(values) => {
            let answers = Some(values.answers(&record.request)?);
            app.service.answer(caller, id, AnswerBody { answers, ..AnswerBody::default() }).await
        }
        Submission::Decline { reason } => {
            // A reason that does not pass is refused with the status of an answer that does not.
            Reason::parse(reason)
                .map_err(|refusal| Fault::refused(ProblemCode::InvalidAnswer, form::REASON, refusal))?;
            let reason = Some(reason.clone());
            app.service.decline(caller, id, DeclineBody { reason, ..DeclineBody::default() }).await
        }
    };
    ended.map(drop)
}

fn refused(record: &Record, submission: Submission, fault: &Fault) -> FormState {
    let initial = FormState::initial(&record.request);
    let state = match submission {
        Submission::Answer(values) => {
            let complaints = complaints(&record.request, &values, fault);
            FormState { values, complaints, ..initial }
        }
        Submission::Decline { reason } => {
            FormState { reason, reason_complaint: fault.errors().first().map(Complaint::of), ..initial }
        }
    };
    let notice = state.has_no_complaints().then(|| fault.detail.clone());
    FormState { notice, ..state }
}

fn view<'a>(caller: &'a Caller, record: &'a Record, attendance: Attendance) -> View<'a> {
    View { record, attendance, reader: caller.name(), now: Timestamp::now() }
}

async fn pending(
    app: &App,
    caller: &Caller,
    record: &Record,
    status: StatusCode,
    state: &FormState,
) -> Result<Response, Fault> {
    let title = request::title(&record.request);
    let title = if status == StatusCode::OK { title } else { format!("Problem: {title}") };
    let content = view(caller, record, app.service.hub.attendance(record).await?).pending(state);
    Ok(Document { title: &title, refresh: Refresh::Never, reader: Some(caller) }.response(status, &content))
}

fn ended(app: &App, caller: &Caller, record: &Record, outcome: &Outcome, status: StatusCode) -> Response {
    let notice = (status != StatusCode::OK).then_some("What you sent came too late and does not count.");
    let title = format!("{}: {}", sentence(outcome.status().name()), request::title(&record.request));
    let content = view(caller, record, app.service.hub.attendance_here(record)).ended(outcome, notice);
    Document { title: &title, refresh: Refresh::Never, reader: Some(caller) }.response(status, &content)
}

fn see_other(path: &str) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    if let Ok(path) = HeaderValue::from_str(path) {
        response.headers_mut().insert(LOCATION, path);
    }
    response
}

/// Whether a page reloads itself, which would lose the input of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refresh {
    Soon,
    Never,
}

/// The frame of every page.
struct Document<'a> {
    title: &'a str,
    refresh: Refresh,
    /// The person who is logged in.
    reader: Option<&'a Caller>,
}

impl Document<'_> {
    fn response(&self, status: StatusCode, content: &Html) -> Response {
        secure(typed(status, "text/html; charset=utf-8", self.render(content)))
    }

    fn render(&self, content: &Html) -> String {
        let mut html = Html::default();
        html.markup(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
             <meta name=\"color-scheme\" content=\"light dark\"><link rel=\"stylesheet\" href=\"/plain.css\">",
        );
        if self.refresh == Refresh::Soon {
            html.markup("<meta http-equiv=\"refresh\" content=\"15\">");
        }
        // A title can't contain markup.
        html.markup("<title>").text(&show(self.title, Layout::Line, Purpose::Exact));
        html.markup(" · askback</title></head><body><header>");
        html.markup(if self.reader.is_some() { "<a href=\"./\">askback</a>" } else { "askback" });
        if let Some(reader) = self.reader {
            html.markup("<form method=\"post\" action=\"logout\"><span>").line(reader.name().as_str(), Purpose::Exact);
            html.markup("</span> <button type=\"submit\" class=\"quiet\">Log out</button></form>");
        }
        html.markup("</header><main>").append(content).markup("</main></body></html>\n");
        html.into_string()
    }
}

/// Adds the security headers of a page.
fn secure(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    // Without any referrer, a browser posts the page's own form with `Origin: null`, which looks like that of another site.
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    response
}

/// An error as a page.
pub(super) enum PageFault {
    /// An error of any other page.
    Page(Fault),
    /// An error of a login link, which a reload does not fix.
    LoginLink(Fault),
}

impl From<Fault> for PageFault {
    fn from(fault: Fault) -> Self {
        Self::Page(fault)
    }
}

impl PageFault {
    /// The title and the content.
    fn render(&self) -> (&'static str, Html) {
        let mut content = Html::default();
        let title = match self {
            Self::Page(fault) if fault.code == ProblemCode::Unauthenticated => {
                content.markup("<h1>Log in</h1><p>").text(&sentence(&fault.detail)).markup("</p>");
                content.markup(
                    "<p>On the machine of the hub, run</p><pre>askback open --plain</pre>\
                     <p>and open the link that it prints in this browser. It works once, for ten minutes.</p>\
                     <p>Logged in already, and came from a link on another site? <a href=\"\">Open this page again</a>: \
                     browsers send no session to a page that another site opens.</p>",
                );
                "Log in"
            }
            Self::LoginLink(fault) if fault.code == ProblemCode::Unauthenticated => {
                content.markup(
                    "<h1>This link no longer works</h1>\
                     <p>It was used, or has expired: a link works once, for ten minutes.</p>\
                     <p>For a new one, run this on the machine of the hub:</p><pre>askback open --plain</pre>",
                );
                "This link no longer works"
            }
            Self::Page(fault) | Self::LoginLink(fault) => {
                content.markup("<h1>This did not work</h1><p>").text(&sentence(&fault.detail));
                content.markup("</p><p><a href=\"./\">Back to the pending requests</a></p>");
                "This did not work"
            }
        };
        (title, content)
    }
}

impl IntoResponse for PageFault {
    fn into_response(self) -> Response {
        let (title, content) = self.render();
        let page = Document { title, refresh: Refresh::Never, reader: None }.render(&content);
        let (Self::Page(fault) | Self::LoginLink(fault)) = self;
        // With the same status and headers as in the API.
        let mut response = fault.into_response();
        *response.body_mut() = Body::from(page);
        response.headers_mut().insert(CONTENT_TYPE, HTML);
        secure(response)
    }
}

/// Capitalizes the first letter.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}", letters.as_str())
}
