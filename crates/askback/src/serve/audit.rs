//! The audit log over HTTP (L6).

use super::app::{App, ok};
use super::caller::Caller;
use super::limits::EXACT;
use super::parameters::Parameters;
use super::wire;
use crate::fault::Fault;
use askback_core::Json;
use askback_hub::{AuditQuery, Cursor, Event};
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use std::sync::Arc;

/// `GET /audit`
pub(super) async fn audit(State(app): State<Arc<App>>, caller: Caller, uri: Uri) -> Result<Response, Fault> {
    caller.answers()?;
    let known = ["room", "by", "status", "id", "from", "until", "after", "cursor", "limit"];
    let parameters = Parameters::parse(uri.query(), &known)?;
    let after = parameters.number("after", 0, EXACT)?;
    let query = AuditQuery {
        room: caller.narrow_room(parameters.room()?)?,
        by: parameters.name("by")?,
        status: parameters.status()?,
        id: parameters.id()?,
        from: parameters.moment("from")?,
        until: parameters.moment("until")?,
        after: parameters.cursor()?.or(after.map(Cursor::after_event)),
        limit: parameters.limit()?,
    };
    let page = app.hub.audit(query).await?;
    let items: Vec<Json> = page.items.iter().map(Event::to_json).collect();
    Ok(ok(&wire::page(items, page.next)))
}
