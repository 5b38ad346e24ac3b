//! The descriptions of all calls.

use super::operation::{Access, Operation};
use super::parameters as parameter;
use askback_api::ProblemCode::{
    self, AlreadyEnded, InvalidAnswer, InvalidParameter, InvalidRequest, KeyTaken, NameTaken, NoSuchEvent,
    NoSuchRequest, NotFound, Stopping, StoreFailed, StoreFull, TooLarge, TooMany, Unauthenticated, UpgradeRequired,
};
use askback_api::schema::{body, reference};
use askback_api::{
    AnswerBody, CancelBody, DeclineBody, DeliveryBody, DismissBody, LoginLinkBody, ScriptBody, SessionBody, TokenBody,
};
use serde_json::json;

/// The refusals of a call that reads from the store.
const READS: &[ProblemCode] = &[StoreFailed, Stopping];

/// The refusals of a call that changes the store without a body.
const CHANGES: &[ProblemCode] = &[StoreFailed, StoreFull, Stopping];

/// The refusals of a call that writes its body to the store.
const WRITES: &[ProblemCode] = &[TooLarge, StoreFailed, StoreFull, Stopping];

/// The calls that take the id of a request.
const ABOUT_REQUEST: &[&str] = &["getOutcome", "getRequest", "answer", "decline", "cancel", "deliver"];

/// The calls that take the id of a script.
const ABOUT_SCRIPT: &[&str] = &["getScript", "stopScript", "deliverScript"];

pub(crate) fn ask() -> Operation {
    let about = "For askers. A request is asked in the room that it names, or else in the token's.";
    let asked_at = "When it was asked first, where it took a while to get here. Its time counts from then.";
    let attach = "For an asker that may ask the same again because it did not get the outcome: it then gets the request that is \
                  pending, or an outcome that was not delivered. One that was delivered is never used again.";
    let deliver_later = "With `attach`, for an asker that hands the outcome on: an outcome that is found counts as delivered when the \
                         asker reports it, and not with this response.";
    let example = json!({
        "room": "shop", "title": "Before I touch production", "key": "deploy-2.4", "timeout": 3600,
        "context": [{"type": "command", "title": "what I will run", "text": "./deploy --env production"}],
        "questions": [
            {"id": "ok", "type": "approval", "message": "Deploy version 2.4 to production?"},
            {"id": "region", "type": "choice", "message": "Which region first?", "options": ["eu-west", "us-east"]},
        ],
    });
    Operation::new("ask", Access::Some, "Ask", about)
        .parameters([
            parameter::own_id(),
            parameter::moment("askedAt", asked_at),
            parameter::flag("attach", attach),
            parameter::flag("deliverLater", deliver_later),
        ])
        .body(&reference("Request"), &example)
        .returns(201, "It is asked, and will be until it ends.", "Record")
        .returns(200, "It had been asked before: with the same key or id, or, attaching, in the same words.", "Record")
        .header("Location", "Where its outcome will be.")
        .links("id", ABOUT_REQUEST)
        .refuses(&[InvalidRequest, KeyTaken])
        .refuses(WRITES)
}

pub(crate) fn list() -> Operation {
    let about = "The newest first. Askers without a room see their own.";
    let [cursor, limit] = parameter::page();
    let status = parameter::status("Only requests that have come this far.");
    let asker = parameter::name("asker", "Only what this asker asked.");
    Operation::new("listRequests", Access::Some, "List requests", about)
        .parameters([status, parameter::room(), asker, cursor, limit])
        .returns(200, "A page of them.", "RecordPage")
        .refuses(READS)
}

pub(crate) fn dismiss() -> Operation {
    let about = "For answerers. Cancels pending requests for which no asker has waited in this time.";
    Operation::new("dismiss", Access::Some, "Dismiss requests that no asker waits for", about)
        .body(&body::<DismissBody>(), &json!({"unwaitedFor": 86_400, "room": "shop"}))
        .returns(200, "How many they were.", "Dismissed")
        .refuses(WRITES)
}

pub(crate) fn unattended() -> Operation {
    let about = "For answerers. The newest first, without what they ask: for a client that shows them and calls every few seconds. \
                 Of very many, the newest. Beside them, how many are pending in all.";
    Operation::new("listUnattended", Access::Some, "List pending requests that no asker waits for", about)
        .parameters([parameter::room()])
        .returns(200, "Which they are.", "UnattendedList")
        .refuses(READS)
}

pub(crate) fn outcome() -> Operation {
    let about = "With `wait` it responds as soon as there is an outcome, and otherwise at the end of that time, with the status \
                 `pending`. A client that waits calls again until there is one.";
    Operation::new("getOutcome", Access::Holder, "Wait for an outcome", about)
        .parameters([parameter::path_id(), parameter::wait()])
        .returns(200, "The outcome, or that it is pending.", "Outcome")
        .refuses(&[NoSuchRequest])
        .refuses(READS)
}

pub(crate) fn request() -> Operation {
    Operation::new("getRequest", Access::Holder, "Read a request", "")
        .parameters([parameter::path_id()])
        .returns(200, "The request and what is known of it.", "Record")
        .refuses(&[NoSuchRequest])
        .refuses(READS)
}

pub(crate) fn answer_request() -> Operation {
    let about = "For answerers, and for an asker in whose MCP client's dialog a person answered, where the person lets such answers \
                 count; never for an approval. One answer for each question, in their order; the first valid one counts, once. \
                 A late call gets the outcome that counted.";
    Operation::new("answer", Access::Some, "Answer a request", about)
        .parameters([parameter::path_id()])
        .body(&body::<AnswerBody>(), &json!({"responses": ["approve", "eu-west"]}))
        .returns(200, "The answers count.", "Outcome")
        .refuses(&[InvalidAnswer, NoSuchRequest, AlreadyEnded])
        .refuses(WRITES)
}

pub(crate) fn decline() -> Operation {
    let about = "For answerers, and as with an answer for an asker in whose MCP client's dialog a person declined.";
    Operation::new("decline", Access::Some, "Decline a request", about)
        .parameters([parameter::path_id()])
        .optional_body(&body::<DeclineBody>(), &json!({"reason": "Which of the two regions do you mean?"}))
        .returns(200, "It is declined.", "Outcome")
        .refuses(&[NoSuchRequest, AlreadyEnded])
        .refuses(WRITES)
}

pub(crate) fn cancel() -> Operation {
    Operation::new("cancel", Access::Some, "Cancel a request", "For answerers, and for the asker that asked it.")
        .parameters([parameter::path_id()])
        .optional_body(&body::<CancelBody>(), &json!({"reason": "The build has failed meanwhile."}))
        .returns(200, "It is cancelled.", "Outcome")
        .refuses(&[NoSuchRequest, AlreadyEnded])
        .refuses(WRITES)
}

pub(crate) fn delivery() -> Operation {
    let about = "For the asker of a request that it asked with `attach`: reported before the outcome is handed over, and reverted if \
                 that failed. An outcome that was delivered is never handed to a caller that asks the same again.";
    Operation::new("deliver", Access::Some, "Report that an outcome reaches its asker", about)
        .parameters([parameter::path_id()])
        .body(&body::<DeliveryBody>(), &json!({"delivered": true}))
        .returns(200, "Whether that was news.", "Changed")
        .refuses(&[NoSuchRequest])
        .refuses(WRITES)
}

pub(crate) fn start_script() -> Operation {
    let about = "For askers. The code is the body of an async function in JavaScript; `await requestUserInput({…})` asks. It runs on the \
                 hub, without files, network or timers, and ends with the hub at the latest.";
    let attach = "Whether the same code that was started before is meant, if its end was not delivered.";
    let code = "const answer = await requestUserInput({type: 'confirm', message: 'Deploy?'}); return answer.response";
    Operation::new("startScript", Access::Some, "Run a script that asks", about)
        .parameters([parameter::own_id(), parameter::flag("attach", attach)])
        .body(&body::<ScriptBody>(), &json!({"code": code, "room": "shop"}))
        .returns(201, "It is running.", "Script")
        .returns(200, "It had been started before.", "Script")
        .links("id", ABOUT_SCRIPT)
        .refuses(&[KeyTaken, TooLarge])
}

pub(crate) fn script() -> Operation {
    let about = "For its asker. With `wait` it responds as soon as the script has ended, and otherwise at the end of that time.";
    Operation::new("getScript", Access::Some, "Wait for a script", about)
        .parameters([parameter::path_id(), parameter::wait()])
        .returns(200, "How far it has come.", "Script")
        .refuses(&[NotFound, Stopping])
}

pub(crate) fn stop_script() -> Operation {
    let about = "For its asker. Its requests that are still pending are cancelled.";
    Operation::new("stopScript", Access::Some, "Stop a script", about)
        .parameters([parameter::path_id()])
        .returns(200, "How it ended.", "Script")
        .refuses(&[NotFound])
}

pub(crate) fn deliver_script() -> Operation {
    let about = "For its asker, as of the outcome of a request.";
    Operation::new("deliverScript", Access::Some, "Report that the end of a script reaches its asker", about)
        .parameters([parameter::path_id()])
        .body(&body::<DeliveryBody>(), &json!({"delivered": true}))
        .returns(200, "Whether that was news.", "Changed")
        .refuses(&[NotFound, TooLarge])
}

pub(crate) fn events() -> Operation {
    let about = "Server-sent events, without gaps: `request.created` with the record, and `request.answered`, \
                 `request.declined`, `request.cancelled` or `request.expired` with the outcome. The id of each is its \
                 number, to come back with.";
    let [after, last_event_id] = parameter::since();
    Operation::new("followEvents", Access::Some, "Follow events", about)
        .parameters([parameter::room(), after, last_event_id])
        .returns_text(200, "The stream, which does not end by itself.", "text/event-stream")
        .refuses(&[NoSuchEvent])
        .refuses(READS)
}

pub(crate) fn audit() -> Operation {
    let [cursor, limit] = parameter::page();
    Operation::new("readAuditLog", Access::Some, "Read the audit log", "For answerers. The oldest first.")
        .parameters([
            parameter::room(),
            parameter::name("by", "Only what this person, agent or hub did."),
            parameter::status("Only changes to this status."),
            parameter::id(),
            parameter::moment("from", "Only what happened at this time or later."),
            parameter::moment("until", "Only what happened before this time."),
            parameter::after(),
            cursor,
            limit,
        ])
        .returns(200, "A page of it.", "EventPage")
        .refuses(READS)
}

pub(crate) fn me() -> Operation {
    let about = "Also how many people would notice a request now, so that an asker knows whether to wait.";
    Operation::new("whoAmI", Access::Some, "Read the caller's token and the audience", about)
        .parameters([parameter::audience_room()])
        .returns(200, "The token of the call, without its secret, and the audience.", "Me")
}

pub(crate) fn create_token() -> Operation {
    Operation::new("createToken", Access::Some, "Create a token", "For admins. An admin is not bound to a room.")
        .body(&body::<TokenBody>(), &json!({"role": "asker", "name": "ci", "room": "shop"}))
        .returns(201, "The token, and this once its secret.", "NewToken")
        .links("number", &["revokeToken"])
        .refuses(&[NameTaken])
        .refuses(WRITES)
}

pub(crate) fn tokens() -> Operation {
    let about = "For admins. The oldest first: of programs, of browsers, and links that are not used yet.";
    Operation::new("listTokens", Access::Some, "List tokens", about).returns(200, "All valid tokens.", "TokenList")
}

pub(crate) fn revoke_token() -> Operation {
    let about = "For admins. Everything that it has issued is revoked with it, and connections that use one of them are closed.";
    Operation::new("revokeToken", Access::Some, "Revoke a token", about)
        .parameters([parameter::path_number()])
        .returns_nothing(204, "It is revoked.")
        .refuses(&[NotFound])
        .refuses(CHANGES)
}

pub(crate) fn login_link() -> Operation {
    let about = "For answerers. The link logs a browser in, once, as the holder of the token that made it, \
                 and may lead to any path of the page.";
    Operation::new("makeLoginLink", Access::Some, "Make a login link", about)
        .optional_body(&body::<LoginLinkBody>(), &json!({"path": "/history"}))
        .returns(201, "The link.", "LoginLink")
        .refuses(WRITES)
}

pub(crate) fn session() -> Operation {
    let about = "For the page of the hub's canonical origin, which must be in `Origin`. With `redeem: false` it returns whose \
                 login the code of a link stands for. With `redeem: true` the link is used up and the secret of a new \
                 session is returned, to be sent as a bearer token.";
    let example = json!({"code": "askback_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG", "redeem": false});
    Operation::new("createSession", Access::Anyone, "Log a browser in", about)
        .body(&body::<SessionBody>(), &example)
        .returns(200, "Whose login it is.", "Login")
        .returns(201, "The session.", "Session")
        .refuses(&[Unauthenticated, InvalidParameter, TooMany])
        .refuses(WRITES)
}

pub(crate) fn logout() -> Operation {
    let about = "For the session of a page. It is revoked, and its connections are closed.";
    Operation::new("logout", Access::Some, "Log out", about)
        .returns_nothing(204, "The session is over.")
        .refuses(CHANGES)
}

pub(crate) fn document() -> Operation {
    Operation::new("getDescription", Access::Anyone, "Read this description", "").returns(
        200,
        "This document.",
        "Document",
    )
}

pub(crate) fn sync() -> Operation {
    let about = "For Yjs clients: an upgrade to WebSocket, and then the protocol of y-websocket. The token is sent as a \
                 bearer header, as the subprotocols `askback.v1` and `askback.bearer.SECRET`, of which the server selects \
                 `askback.v1`, or, for the tokens of programs, as `token` in the query. A connection that may not see the \
                 room is opened, and closed with a code that says why.";
    Operation::new("syncRoom", Access::Anyone, "Follow a room, and answer in it", about)
        .parameters([parameter::path_room(), parameter::sync_token()])
        .returns_nothing(101, "The connection is a WebSocket now.")
        .refuses(&[NotFound, UpgradeRequired, TooMany])
}

pub(crate) fn sync_in_api() -> Operation {
    let mut operation = sync();
    operation.id = "syncRoomInApi";
    operation
}

pub(crate) fn health() -> Operation {
    let about = "It says nothing of the store: GET /readyz does.";
    Operation::new("getHealth", Access::Anyone, "Check that the hub is alive", about).returns(
        200,
        "It is alive.",
        "Health",
    )
}

pub(crate) fn ready() -> Operation {
    let about = "A small write is made, at most once a second.";
    Operation::new("getReadiness", Access::Anyone, "Check that the hub's store takes requests", about)
        .returns(200, "It does.", "Health")
        .refuses(READS)
}

pub(crate) fn metrics() -> Operation {
    let about = "Numbers alone, without names of rooms or people.";
    Operation::new("getMetrics", Access::Anyone, "Read the metrics", about).returns_text(
        200,
        "The Prometheus text format.",
        "text/plain",
    )
}
