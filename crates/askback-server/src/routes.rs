//! The routes: one list, from which the router and the description of the API are built.

use super::openapi::operation::Operation;
use super::openapi::{self, operations as described};
use super::{assets, audit, events, guard, login, mcp, metrics, plain, requests, scripts, sync, tokens};
use crate::app::{App, HandlerResult, Shared, ok};
use crate::fault::Fault;
use askback_api::ProblemCode;
use askback_api::{API_VERSION, Health, path};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{Method, Uri};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, any, on};
use std::sync::Arc;

/// A call of the API.
pub(super) struct Route {
    pub(super) verb: Verb,
    pub(super) path: &'static str,
    handler: fn(MethodFilter) -> MethodRouter<Arc<App>>,
    pub(super) describe: fn() -> Operation,
}

/// The HTTP method of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Get,
    Post,
    Delete,
}

impl Verb {
    /// The name in the description of the API.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Post => "post",
            Self::Delete => "delete",
        }
    }

    fn filter(self) -> MethodFilter {
        match self {
            Self::Get => MethodFilter::GET,
            Self::Post => MethodFilter::POST,
            Self::Delete => MethodFilter::DELETE,
        }
    }
}

const fn route(
    verb: Verb,
    path: &'static str,
    handler: fn(MethodFilter) -> MethodRouter<Arc<App>>,
    describe: fn() -> Operation,
) -> Route {
    Route { verb, path, handler, describe }
}

/// Every call.
pub(super) const ROUTES: &[Route] = &[
    route(Verb::Post, path::REQUESTS, |verb| on(verb, requests::ask), described::ask),
    route(Verb::Get, path::REQUESTS, |verb| on(verb, requests::list), described::list),
    route(Verb::Post, path::DISMISS, |verb| on(verb, requests::dismiss), described::dismiss),
    route(Verb::Get, path::UNATTENDED, |verb| on(verb, requests::unattended), described::unattended),
    route(Verb::Get, path::OUTCOME, |verb| on(verb, requests::outcome), described::outcome),
    route(Verb::Get, path::REQUEST, |verb| on(verb, requests::request), described::request),
    route(Verb::Post, path::ANSWER, |verb| on(verb, requests::answer), described::answer_request),
    route(Verb::Post, path::DECLINE, |verb| on(verb, requests::decline), described::decline),
    route(Verb::Post, path::CANCEL, |verb| on(verb, requests::cancel), described::cancel),
    route(Verb::Post, path::DELIVERY, |verb| on(verb, requests::delivery), described::delivery),
    route(Verb::Post, path::SCRIPTS, |verb| on(verb, scripts::start), described::start_script),
    route(Verb::Get, path::SCRIPT, |verb| on(verb, scripts::state), described::script),
    route(Verb::Post, path::STOP_SCRIPT, |verb| on(verb, scripts::stop), described::stop_script),
    route(Verb::Post, path::SCRIPT_DELIVERY, |verb| on(verb, scripts::delivery), described::deliver_script),
    route(Verb::Get, path::EVENTS, |verb| on(verb, events::events), described::events),
    route(Verb::Get, path::AUDIT, |verb| on(verb, audit::audit), described::audit),
    route(Verb::Get, path::ME, |verb| on(verb, tokens::me), described::me),
    route(Verb::Post, path::TOKENS, |verb| on(verb, tokens::create), described::create_token),
    route(Verb::Get, path::TOKENS, |verb| on(verb, tokens::list), described::tokens),
    route(Verb::Delete, path::TOKEN, |verb| on(verb, tokens::revoke), described::revoke_token),
    route(Verb::Post, path::LOGIN_LINKS, |verb| on(verb, login::link), described::login_link),
    route(Verb::Post, path::SESSIONS, |verb| on(verb, login::session), described::session),
    route(Verb::Post, path::LOGOUT, |verb| on(verb, login::logout), described::logout),
    route(Verb::Get, path::OPENAPI, |verb| on(verb, openapi::document), described::document),
    route(Verb::Get, "/sync/{*room}", |verb| on(verb, sync::sync), described::sync),
    // The same below the prefix of the API.
    route(Verb::Get, "/api/v1/sync/{*room}", |verb| on(verb, sync::sync), described::sync_in_api),
    route(Verb::Get, "/healthz", |verb| on(verb, health), described::health),
    route(Verb::Get, "/readyz", |verb| on(verb, ready), described::ready),
    route(Verb::Get, "/metrics", |verb| on(verb, metrics::metrics), described::metrics),
];

pub(super) fn router(app: Arc<App>) -> Router {
    let known = ROUTES.iter().fold(Router::new(), |router, route| {
        let handler = (route.handler)(route.verb.filter());
        router.route(route.path, handler)
    });
    // Pages are for people and not part of the API.
    let pages = assets::routes().merge(plain::routes());
    let pages = pages.layer(from_fn_with_state(Arc::clone(&app), guard::redirect));
    known
        .merge(mcp::routes(&app))
        .merge(pages)
        .fallback(any(unknown_path))
        .method_not_allowed_fallback(not_allowed)
        .layer(from_fn_with_state(Arc::clone(&app), guard::guard))
        .with_state(app)
}

/// The response at a path without a route: a page for a browser that navigates there, a problem for programs.
async fn unknown_path(State(app): Shared, request: Request) -> Response {
    let Some(page) = assets::unknown_page(request.method(), request.uri(), request.headers()) else {
        return not_found(request.uri()).into_response();
    };
    guard::redirection(&app, &request).unwrap_or(page)
}

pub(super) fn not_found(uri: &Uri) -> Fault {
    let path = askback_core::show::quote(uri.path());
    Fault::new(ProblemCode::NotFound, format!("there is nothing at {path}: /api/v1/openapi.json lists what there is"))
}

/// The refusal of a method. The router adds the header `Allow`.
async fn not_allowed(method: Method, uri: Uri) -> Fault {
    let path = askback_core::show::quote(uri.path());
    Fault::new(ProblemCode::MethodNotAllowed, format!("{method} is not for {path}: /api/v1/openapi.json says what is"))
}

/// `GET /healthz`
async fn health(State(app): Shared) -> Response {
    ok(&health_of(&app))
}

/// `GET /readyz`
async fn ready(State(app): Shared) -> HandlerResult {
    if app.service.is_stopping() {
        return Err(Fault::new(ProblemCode::Stopping, "the hub is stopping"));
    }
    // Whatever the reason is, one status says that the hub takes nothing.
    let unready = |why| Fault::new(ProblemCode::StoreFailed, why);
    app.readiness.check(&app.service.hub).await.map_err(unready)?;
    Ok(ok(&health_of(&app)))
}

fn health_of(app: &App) -> Health {
    Health {
        status: "ok".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        api: API_VERSION,
        last_event: app.service.hub.last_event(),
    }
}
