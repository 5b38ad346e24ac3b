//! Giving and taking tokens, and who one is.

use super::app::{App, json, ok};
use super::caller::Caller;
use super::limits::BODY_BYTES;
use super::parameters::Parameters;
use super::{PathId, wire};
use crate::fault::{Fault, Kind};
use askback_core::{Json, Object};
use askback_hub::{NewToken, Purpose, Role, Room, Timestamp, Token};
use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// `GET /me`
pub(super) async fn me(State(app): State<Arc<App>>, caller: Caller, uri: Uri) -> Result<Response, Fault> {
    let parameters = Parameters::parse(uri.query(), &["room"])?;
    let room = caller.narrow_room(parameters.room()?)?;
    let mut shown = wire::token(&caller.token);
    if let Json::Object(fields) = &mut shown {
        let dialogs: Vec<Json> = app.options.dialogs.iter().map(|name| name.as_str().into()).collect();
        fields.push(("dialogs".to_owned(), dialogs.into()));
        fields.push(("people".to_owned(), (app.audience.people(room.as_ref()) as f64).into()));
        fields.push(("told".to_owned(), app.audience.is_told(room.as_ref()).into()));
    }
    Ok(ok(&shown))
}

/// `POST /tokens`
pub(super) async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    uri: Uri,
    sent: Body,
) -> Result<Response, Fault> {
    caller.administers()?;
    Parameters::parse(uri.query(), &[])?;
    let bytes = caller.body(sent, BODY_BYTES).await?;
    let body = wire::Body::parse(&bytes, &["role", "name", "room", "expiresAt"], Kind::InvalidParameter)?;
    let role = Role::parse(body.text("role")?.unwrap_or_default());
    let role = role.map_err(|refusal| Fault::refused(Kind::InvalidParameter, "role", refusal))?;
    let name = body.name("name")?;
    let name = name.ok_or_else(|| Fault::parameter("name", "there is none", "the name of a person or of an agent"))?;
    let room = body.text("room")?.map(Room::parse).transpose();
    let room = room.map_err(|refusal| Fault::refused(Kind::InvalidParameter, "room", refusal))?;
    if role == Role::Admin && room.is_some() {
        return Err(Fault::parameter("room", "an admin is not bound to a room", "no room, or another role"));
    }
    // What an asker without a room sees is what was asked under its name.
    let has_name = |token: &Arc<Token>| token.role == Role::Asker && token.name == name;
    if role == Role::Asker
        && app.hub.tokens().iter().any(|token| has_name(token) && (room.is_none() || token.room.is_none()))
    {
        let why = "another asker has this name, and without a room it is known by that alone: give this one a name of its own, or both a room";
        return Err(Fault::new(Kind::NameTaken, why));
    }
    let expires_at = body.text("expiresAt")?.map(str::parse::<Timestamp>).transpose();
    let expires_at =
        expires_at.map_err(|_| Fault::parameter("expiresAt", "this is no moment", "such as 2026-11-15T17:40:00Z"))?;
    // It outlives whoever made it: an agent is not to stop because an admin got another laptop.
    let new = NewToken { purpose: Purpose::Token, role, name, room, expires_at, issued_by: None };
    let (token, secret) = app.hub.issue_as(&caller.token, new).await?;
    tracing::info!(
        number = token.number,
        name = token.name.as_str(),
        role = role.name(),
        by = caller.name().as_str(),
        "a token is made"
    );
    let mut shown = wire::token(&token);
    if let Json::Object(fields) = &mut shown {
        // Here and nowhere else: what is kept of it is its hash.
        fields.push(("token".to_owned(), secret.as_str().into()));
    }
    Ok(json(StatusCode::CREATED, &shown))
}

/// `GET /tokens`
pub(super) async fn list(State(app): State<Arc<App>>, caller: Caller, uri: Uri) -> Result<Response, Fault> {
    caller.administers()?;
    Parameters::parse(uri.query(), &[])?;
    let tokens = app.hub.tokens();
    let items: Vec<Json> = tokens.iter().map(|token| wire::token(token)).collect();
    Ok(ok(&Object::new().put("items", items).into()))
}

/// `DELETE /tokens/{number}`
pub(super) async fn revoke(
    State(app): State<Arc<App>>,
    caller: Caller,
    PathId(number): PathId,
    uri: Uri,
) -> Result<Response, Fault> {
    caller.administers()?;
    Parameters::parse(uri.query(), &[])?;
    let unknown = || Fault::new(Kind::NotFound, "there is no such token: GET /api/v1/tokens lists them");
    // As it is written, and in no other way.
    let number = number.parse::<u64>().ok().filter(|parsed| parsed.to_string() == number).ok_or_else(unknown)?;
    let revoked = app.hub.revoke_as(&caller.token, number).await?.ok_or_else(unknown)?;
    tracing::info!(number, name = revoked.name.as_str(), by = caller.name().as_str(), "a token is revoked");
    Ok(StatusCode::NO_CONTENT.into_response())
}
