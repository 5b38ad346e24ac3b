//! The list of pending requests.

use super::html::Html;
use super::request;
use askback_core::relative_time::ahead;
use askback_core::show::Purpose;
use askback_hub::{Listed, Page, Record, Timestamp};

/// The path of a request's page, relative to any page of the session.
pub(super) fn path(record: &Record) -> String {
    record.id.to_string()
}

pub(super) fn render(page: &Page<Listed>, now: Timestamp) -> Html {
    let mut html = Html::default();
    html.markup("<h1>Waiting for an answer</h1>");
    if page.items.is_empty() {
        html.markup("<p>Nothing is. This page looks again by itself.</p>");
    } else {
        html.markup("<ul class=\"requests\">");
        page.items.iter().for_each(|listed| item(&mut html, listed, now));
        html.markup("</ul>");
    }
    if let Some(next) = &page.next {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("cursor", &next.to_string());
        html.markup("<p><a class=\"more\"")
            .attribute("href", &format!("?{}", query.finish()))
            .markup(">Older ones</a></p>");
    }
    html
}

fn item(html: &mut Html, listed: &Listed, now: Timestamp) {
    let record = &listed.record;
    html.markup("<li><a").attribute("href", &path(record)).markup(">");
    html.line(&request::title(&record.request), Purpose::Exact).markup("</a><p class=\"meta\">");
    request::about(html, record, now);
    if let Some(deadline) = record.deadline {
        html.markup(" · expires ").text(&ahead(deadline, now));
    }
    if listed.attendance.is_absent() {
        html.markup(" · <strong>nobody is waiting</strong>");
    }
    html.markup("</p></li>");
}
