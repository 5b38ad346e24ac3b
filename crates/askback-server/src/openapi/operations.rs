//! Every call of the API, described.

use super::bodies;
use super::operation::{Access, Operation, answer, text_answer};
use super::parameters as parameter;
use askback_api::ProblemCode;
use serde_json::{Value, json};

/// What can go wrong where something is read from the store.
const READS: &[ProblemCode] = &[ProblemCode::StoreFailed, ProblemCode::Stopping];

/// Where something is written to it, about a request that must be there.
const ENDS: &[ProblemCode] = &[
    ProblemCode::NoSuchRequest,
    ProblemCode::AlreadyEnded,
    ProblemCode::TooLarge,
    ProblemCode::StoreFailed,
    ProblemCode::StoreFull,
    ProblemCode::Stopping,
];

/// Where something is written to it that needs no request.
const WRITES: &[ProblemCode] =
    &[ProblemCode::TooLarge, ProblemCode::StoreFailed, ProblemCode::StoreFull, ProblemCode::Stopping];

/// An answer without a body.
fn empty(description: &str) -> Value {
    json!({"description": description})
}

fn header(description: &str) -> Value {
    json!({"description": description, "required": true, "schema": {"type": "string"}})
}

pub(crate) fn ask() -> Operation {
    let with_location = |description: &str| {
        let mut answer = answer(description, "Record");
        answer["headers"] = json!({"Location": header("Where its outcome will be.")});
        answer["links"] = links();
        answer
    };
    Operation {
        description: "For askers. A request is asked in the room that it names, or else in the token's.",
        parameters: vec![
            parameter::own_id(),
            parameter::moment(
                "askedAt",
                "When it was asked first, where it took a while to get here. Its time counts from then.",
            ),
            parameter::flag(
                "attach",
                "For an asker that may ask the same again because it did not hear the outcome: it then gets the request that is \
                 pending, or an outcome that was not delivered. One that was is never used again.",
            ),
            parameter::flag(
                "deliverLater",
                "Attaching, for an asker that hands the outcome on: one that is found counts as delivered when it says so, and not with \
                 this answer.",
            ),
        ],
        body: Some(bodies::ask()),
        answers: vec![
            (201, with_location("It is asked, and will be until it ends.")),
            (
                200,
                with_location("It had been asked before: with the same key or id, or, attaching, in the same words."),
            ),
        ],
        faults: &[
            ProblemCode::InvalidRequest,
            ProblemCode::KeyTaken,
            ProblemCode::TooLarge,
            ProblemCode::StoreFailed,
            ProblemCode::StoreFull,
            ProblemCode::Stopping,
        ],
        ..Operation::new("ask", Access::Some, "Ask")
    }
}

/// What can be done with a request that was asked.
fn links() -> Value {
    let link = |operation: &str| json!({"operationId": operation, "parameters": {"id": "$response.body#/id"}});
    json!({
        "outcome": link("getOutcome"), "request": link("getRequest"), "answer": link("answer"),
        "decline": link("decline"), "cancel": link("cancel"),
    })
}

pub(crate) fn list() -> Operation {
    let [cursor, limit] = parameter::page();
    let status = parameter::status("Only requests that have come this far.");
    let asker = parameter::name("asker", "Only what this asker asked.");
    Operation {
        description: "The newest first. Askers without a room see their own.",
        parameters: vec![status, parameter::room(), asker, cursor, limit],
        answers: vec![(200, answer("A page of them.", "RecordPage"))],
        faults: READS,
        ..Operation::new("listRequests", Access::Some, "List requests")
    }
}

pub(crate) fn dismiss() -> Operation {
    Operation {
        description: "For answerers. Cancels what is pending and nobody has waited for in this time.",
        body: Some(bodies::dismiss()),
        answers: vec![(200, answer("How many they were.", "Dismissed"))],
        faults: WRITES,
        ..Operation::new("dismiss", Access::Some, "Dismiss requests that nobody waits for")
    }
}

pub(crate) fn unattended() -> Operation {
    Operation {
        description: "For answerers. The newest first, without what they ask: for whoever shows them and asks every few seconds. \
                      Of very many, the newest. Beside them, how many are pending in all.",
        parameters: vec![parameter::room()],
        answers: vec![(200, answer("Which they are.", "UnattendedList"))],
        faults: READS,
        ..Operation::new("listUnattended", Access::Some, "List pending requests that nobody waits for")
    }
}

pub(crate) fn outcome() -> Operation {
    Operation {
        description: "With `wait` it answers as soon as there is one, and otherwise at the end of that time, with the status \
                      `pending`. Whoever waits comes back until there is one.",
        parameters: vec![parameter::path_id(), parameter::wait()],
        answers: vec![(200, answer("The outcome, or that it is pending.", "Outcome"))],
        faults: &[ProblemCode::NoSuchRequest, ProblemCode::StoreFailed, ProblemCode::Stopping],
        ..Operation::new("getOutcome", Access::Holder, "Wait for an outcome")
    }
}

pub(crate) fn request() -> Operation {
    Operation {
        parameters: vec![parameter::path_id()],
        answers: vec![(200, answer("The request and what is known of it.", "Record"))],
        faults: &[ProblemCode::NoSuchRequest, ProblemCode::StoreFailed, ProblemCode::Stopping],
        ..Operation::new("getRequest", Access::Holder, "Read a request")
    }
}

pub(crate) fn answer_request() -> Operation {
    Operation {
        description: "For answerers, and for an asker in whose MCP client's dialog somebody answered, where the person lets such answers \
                      count; never for an approval. One answer for each question, in their order; the first valid one counts, once. \
                      Whoever comes too late gets the outcome that counted.",
        parameters: vec![parameter::path_id()],
        body: Some(bodies::answer()),
        answers: vec![(200, answer("The answers count.", "Outcome"))],
        faults: &[
            ProblemCode::InvalidAnswer,
            ProblemCode::NoSuchRequest,
            ProblemCode::AlreadyEnded,
            ProblemCode::TooLarge,
            ProblemCode::StoreFailed,
            ProblemCode::StoreFull,
            ProblemCode::Stopping,
        ],
        ..Operation::new("answer", Access::Some, "Answer a request")
    }
}

pub(crate) fn decline() -> Operation {
    Operation {
        description: "For answerers, and as with an answer for an asker in whose MCP client's dialog somebody declined.",
        parameters: vec![parameter::path_id()],
        body: Some(bodies::decline()),
        answers: vec![(200, answer("It is declined.", "Outcome"))],
        faults: ENDS,
        ..Operation::new("decline", Access::Some, "Decline a request")
    }
}

pub(crate) fn cancel() -> Operation {
    Operation {
        description: "For answerers, and for the asker that asked it.",
        parameters: vec![parameter::path_id()],
        body: Some(bodies::cancel()),
        answers: vec![(200, answer("It is cancelled.", "Outcome"))],
        faults: ENDS,
        ..Operation::new("cancel", Access::Some, "Cancel a request")
    }
}

pub(crate) fn delivery() -> Operation {
    Operation {
        description: "For the asker, of what it asked attaching: to be said before the outcome is handed over, and taken back if that \
                      failed. What was delivered is never handed to somebody who asks the same again.",
        parameters: vec![parameter::path_id()],
        body: Some(bodies::delivery()),
        answers: vec![(200, answer("Whether that was news.", "Changed"))],
        faults: &[
            ProblemCode::NoSuchRequest,
            ProblemCode::TooLarge,
            ProblemCode::StoreFailed,
            ProblemCode::StoreFull,
            ProblemCode::Stopping,
        ],
        ..Operation::new("deliver", Access::Some, "Say that an outcome reaches its asker")
    }
}

pub(crate) fn start_script() -> Operation {
    Operation {
        description: "For askers. The code is the body of an async function in JavaScript; `await requestUserInput({…})` asks. It runs on the \
                      hub, without files, network or timers, and ends with the hub at the latest.",
        parameters: vec![
            parameter::own_id(),
            parameter::flag(
                "attach",
                "Whether the same code that was started before is meant, if nobody has heard how it ended.",
            ),
        ],
        body: Some(bodies::script()),
        answers: vec![
            (201, answer("It is running.", "Script")),
            (200, answer("It had been started before.", "Script")),
        ],
        faults: &[ProblemCode::KeyTaken, ProblemCode::TooLarge],
        ..Operation::new("startScript", Access::Some, "Run a script that asks")
    }
}

pub(crate) fn script() -> Operation {
    Operation {
        description: "For its asker. With `wait` it answers as soon as it has ended, and otherwise at the end of that time.",
        parameters: vec![parameter::path_id(), parameter::wait()],
        answers: vec![(200, answer("How far it has come.", "Script"))],
        faults: &[ProblemCode::NotFound, ProblemCode::Stopping],
        ..Operation::new("getScript", Access::Some, "Wait for a script")
    }
}

pub(crate) fn stop_script() -> Operation {
    Operation {
        description: "For its asker. What it has asked and nobody has answered is cancelled.",
        parameters: vec![parameter::path_id()],
        answers: vec![(200, answer("How it ended.", "Script"))],
        faults: &[ProblemCode::NotFound],
        ..Operation::new("stopScript", Access::Some, "Stop a script")
    }
}

pub(crate) fn deliver_script() -> Operation {
    Operation {
        description: "For its asker, as of the outcome of a request.",
        parameters: vec![parameter::path_id()],
        body: Some(bodies::delivery()),
        answers: vec![(200, answer("Whether that was news.", "Changed"))],
        faults: &[ProblemCode::NotFound, ProblemCode::TooLarge],
        ..Operation::new("deliverScript", Access::Some, "Say that the end of a script reaches its asker")
    }
}

pub(crate) fn events() -> Operation {
    let [after, last_event_id] = parameter::since();
    Operation {
        description: "Server-sent events, without gaps: `request.created` with the record, and `request.answered`, \
                      `request.declined`, `request.cancelled` or `request.expired` with the outcome. The id of each is its \
                      number, to come back with.",
        parameters: vec![parameter::room(), after, last_event_id],
        answers: vec![(200, text_answer("The stream, which does not end by itself.", "text/event-stream"))],
        faults: &[ProblemCode::NoSuchEvent, ProblemCode::StoreFailed, ProblemCode::Stopping],
        ..Operation::new("followEvents", Access::Some, "Follow what happens")
    }
}

pub(crate) fn audit() -> Operation {
    let [cursor, limit] = parameter::page();
    let parameters = vec![
        parameter::room(),
        parameter::name("by", "Only what this person, agent or hub did."),
        parameter::status("Only changes to this status."),
        parameter::id(),
        parameter::moment("from", "Only what happened at this moment or later."),
        parameter::moment("until", "Only what happened before this moment."),
        parameter::after(),
        cursor,
        limit,
    ];
    Operation {
        description: "For answerers. The oldest first.",
        parameters,
        answers: vec![(200, answer("A page of it.", "EventPage"))],
        faults: READS,
        ..Operation::new("readAuditLog", Access::Some, "Read the audit log")
    }
}

pub(crate) fn me() -> Operation {
    Operation {
        description: "Also who would notice a request now, so that an asker knows whether to wait.",
        parameters: vec![parameter::audience_room()],
        answers: vec![(200, answer("The token that was shown, without its secret, and who is there.", "Me"))],
        ..Operation::new("whoAmI", Access::Some, "Say whose token this is, and who is there")
    }
}

pub(crate) fn create_token() -> Operation {
    let mut created = answer("The token, and this once its secret.", "NewToken");
    created["links"] = json!({
        "revoke": {"operationId": "revokeToken", "parameters": {"number": "$response.body#/number"}},
    });
    Operation {
        description: "For admins. An admin is not bound to a room.",
        body: Some(bodies::token()),
        answers: vec![(201, created)],
        faults: &[
            ProblemCode::NameTaken,
            ProblemCode::TooLarge,
            ProblemCode::StoreFailed,
            ProblemCode::StoreFull,
            ProblemCode::Stopping,
        ],
        ..Operation::new("createToken", Access::Some, "Give a token")
    }
}

pub(crate) fn tokens() -> Operation {
    Operation {
        description: "For admins. The oldest first: of programs, of browsers, and links that nobody has used yet.",
        answers: vec![(200, answer("All that are good now.", "TokenList"))],
        ..Operation::new("listTokens", Access::Some, "List tokens")
    }
}

pub(crate) fn revoke_token() -> Operation {
    Operation {
        description: "For admins. With it goes whatever it has issued, and whoever was let in with one of them is cut off.",
        parameters: vec![parameter::path_number()],
        answers: vec![(204, empty("It is good for nothing any more."))],
        faults: &[ProblemCode::NotFound, ProblemCode::StoreFailed, ProblemCode::StoreFull, ProblemCode::Stopping],
        ..Operation::new("revokeToken", Access::Some, "Take a token back")
    }
}

pub(crate) fn login_link() -> Operation {
    Operation {
        description: "For answerers. The link logs a browser in, once, as the holder of the token that made it, \
                      and may lead to any path of the page.",
        body: Some(bodies::login_link()),
        answers: vec![(201, answer("The link.", "LoginLink"))],
        faults: WRITES,
        ..Operation::new("makeLoginLink", Access::Some, "Make a login link")
    }
}

pub(crate) fn session() -> Operation {
    Operation {
        description: "For the page of the hub's canonical origin, which must be in `Origin`. With `redeem: false` it returns whose \
                      login the code of a link stands for. With `redeem: true` the link is used up and the secret of a new \
                      session is returned, to be sent as a bearer token.",
        body: Some(bodies::session()),
        answers: vec![(200, answer("Whose login it is.", "Login")), (201, answer("The session.", "Session"))],
        faults: &[
            ProblemCode::Unauthenticated,
            ProblemCode::InvalidParameter,
            ProblemCode::TooLarge,
            ProblemCode::TooMany,
            ProblemCode::StoreFailed,
            ProblemCode::StoreFull,
            ProblemCode::Stopping,
        ],
        ..Operation::new("createSession", Access::Anyone, "Log a browser in")
    }
}

pub(crate) fn logout() -> Operation {
    Operation {
        description: "For the session of a page. It is revoked, and its connections are closed.",
        answers: vec![(204, empty("The session is over."))],
        faults: &[ProblemCode::StoreFailed, ProblemCode::StoreFull, ProblemCode::Stopping],
        ..Operation::new("logout", Access::Some, "Log out")
    }
}

pub(crate) fn document() -> Operation {
    Operation {
        answers: vec![(200, answer("This document.", "Document"))],
        ..Operation::new("getDescription", Access::Anyone, "Read this description")
    }
}

pub(crate) fn sync() -> Operation {
    Operation {
        description: "For Yjs clients: an upgrade to WebSocket, and then the protocol of y-websocket. The token is sent as a \
                      bearer header, as the subprotocols `askback.v1` and `askback.bearer.SECRET`, of which the server selects \
                      `askback.v1`, or, for the tokens of programs, as `token` in the query. A connection that may not see the \
                      room is opened, and closed with a code that says why.",
        parameters: vec![parameter::path_room(), parameter::sync_token()],
        answers: vec![(101, empty("The connection is a WebSocket now."))],
        faults: &[ProblemCode::NotFound, ProblemCode::UpgradeRequired, ProblemCode::TooMany],
        ..Operation::new("syncRoom", Access::Anyone, "Follow a room, and answer in it")
    }
}

pub(crate) fn sync_in_api() -> Operation {
    Operation { id: "syncRoomInApi", ..sync() }
}

pub(crate) fn health() -> Operation {
    Operation {
        answers: vec![(200, answer("It is here.", "Health"))],
        ..Operation::new("getHealth", Access::Anyone, "Say that the hub is here")
    }
}

pub(crate) fn metrics() -> Operation {
    Operation {
        description: "Numbers alone, without names of rooms or people.",
        answers: vec![(200, text_answer("As Prometheus reads it.", "text/plain"))],
        ..Operation::new("getMetrics", Access::Anyone, "Read what is counted")
    }
}
