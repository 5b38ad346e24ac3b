//! The audit log over HTTP (L6).

use crate::app::{HandlerResult, Shared, ok};
use crate::parameters::Parameters;
use crate::service::Caller;
use askback_api::AuditQuery;
use askback_api::limits::LARGEST_EXACT_INTEGER;
use axum::http::Uri;

/// `GET /audit`
pub(super) async fn audit(app: Shared, caller: Caller, uri: Uri) -> HandlerResult {
    caller.answers()?;
    let known = ["room", "by", "status", "id", "from", "until", "after", "cursor", "limit"];
    let parameters = Parameters::parse(uri.query(), &known)?;
    let query = AuditQuery {
        room: parameters.room()?,
        by: parameters.name("by")?,
        status: parameters.status()?,
        id: parameters.id()?,
        from: parameters.moment("from")?,
        until: parameters.moment("until")?,
        after: parameters.number("after", 0, LARGEST_EXACT_INTEGER)?,
        cursor: parameters.text("cursor").map(str::to_owned),
        limit: parameters.limit()?,
    };
    Ok(ok(&app.service.audit(&caller, query).await?))
}
