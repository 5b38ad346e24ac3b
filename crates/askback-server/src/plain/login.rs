//! Logins to the page without scripts: opening a link shows a form, and only submitting the form redeems the link.

use super::html::Html;
use super::session::{self, Reader};
use super::{Document, PageFault, Refresh, see_other};
use crate::app::{Connection, Shared};
use crate::body::receive_small;
use crate::fault::Fault;
use crate::parameters::Parameters;
use crate::service::page_path::PagePath;
use askback_core::RequestId;
use askback_core::show::Purpose;
use askback_hub::SessionKind;
use axum::body::Body;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;

/// `GET /plain`: how to log in.
pub(super) async fn without_session() -> Response {
    let mut content = Html::default();
    content.markup(
        "<h1>The page without scripts</h1><p>Log in with a link: on the machine of the hub, run</p>\
         <pre>askback open --plain</pre><p>and open the link that it prints in this browser. It works once, for ten minutes.</p>",
    );
    Document { title: "Log in", refresh: Refresh::Never, reader: None }.response(StatusCode::OK, &content)
}

/// `GET /plain/login`
pub(super) async fn form(State(app): Shared, uri: Uri) -> Result<Response, PageFault> {
    let parameters = Parameters::parse(uri.query(), &["code", "to"])?;
    let code = parameters.text("code").unwrap_or_default();
    let link = app.service.show_login(code, None).map_err(PageFault::LoginLink)?;
    let mut content = Html::default();
    content.markup("<h1>Log in as ").line(link.name.as_str(), Purpose::Exact).markup("?</h1>");
    content.markup("<form method=\"post\" action=\"/plain/login\">");
    for (name, value) in [("code", code), ("to", parameters.text("to").unwrap_or("/"))] {
        content.markup("<input type=\"hidden\"").attribute("name", name).attribute("value", value).markup(">");
    }
    content.markup("<button type=\"submit\">Log in</button></form>");
    Ok(Document { title: "Log in", refresh: Refresh::Never, reader: None }.response(StatusCode::OK, &content))
}

/// `POST /plain/login`
pub(super) async fn submit(
    State(app): Shared,
    connection: Option<Extension<Connection>>,
    headers: HeaderMap,
    sent: Body,
) -> Result<Response, PageFault> {
    app.gate.check_own_form(&headers)?;
    let bytes = receive_small(sent).await?;
    let text = std::str::from_utf8(&bytes).ok();
    let parameters = Parameters::parse(text, &["code", "to"])?;
    let address = connection.and_then(|Extension(connection)| connection.address());
    let code = parameters.text("code").unwrap_or_default();
    let redeemed = app.service.redeem(code, SessionKind::PlainPage, address).await;
    let (_, secret) = redeemed.map_err(PageFault::LoginLink)?;
    let path = session::path_of(&session::key_of(secret.as_str()));
    let mut response = see_other(&format!("{path}{}", request_in(parameters.text("to").unwrap_or("/"))));
    session::set_cookie(&app, &mut response, &secret);
    Ok(response)
}

/// The id of the request in a path of the page; empty for all other paths, which lead to the list.
fn request_in(path: &str) -> String {
    let path = PagePath::parse(path).ok();
    let id = path.as_ref().and_then(|path| path.as_str().strip_prefix("/r/"));
    id.and_then(|id| RequestId::parse(id).ok()).map(|id| id.to_string()).unwrap_or_default()
}

/// `POST /plain/{key}/logout`
pub(super) async fn logout(State(app): Shared, reader: Result<Reader, Fault>) -> Result<Response, PageFault> {
    let Reader { caller, key } = reader?;
    app.service.hub.revoke(caller.token.number).await.map_err(Fault::from)?;
    let mut response = see_other("/plain");
    session::expire_cookie(&app, &mut response, &key);
    Ok(response)
}
