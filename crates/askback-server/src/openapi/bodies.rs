//! The bodies of calls, with examples.

use askback_api::schema::{self, reference};
use askback_api::{
    AnswerBody, CancelBody, DeclineBody, DeliveryBody, DismissBody, LoginLinkBody, ScriptBody, SessionBody, TokenBody,
};
use serde_json::{Value, json};

/// A body in JSON, with an example.
fn body(is_required: bool, schema: &Value, example: &Value) -> Value {
    json!({"required": is_required, "content": {"application/json": {"schema": schema, "example": example}}})
}

pub(super) fn script() -> Value {
    let code = "const answer = await requestUserInput({type: 'confirm', message: 'Deploy?'}); return answer.response";
    body(true, &schema::body::<ScriptBody>(), &json!({"code": code, "room": "shop"}))
}

pub(super) fn delivery() -> Value {
    body(true, &schema::body::<DeliveryBody>(), &json!({"delivered": true}))
}

pub(super) fn ask() -> Value {
    let example = json!({
        "room": "shop", "title": "Before I touch production", "key": "deploy-2.4", "timeout": 3600,
        "context": [{"type": "command", "title": "what I will run", "text": "./deploy --env production"}],
        "questions": [
            {"id": "ok", "type": "approval", "message": "Deploy version 2.4 to production?"},
            {"id": "region", "type": "choice", "message": "Which region first?", "options": ["eu-west", "us-east"]},
        ],
    });
    body(true, &reference("Request"), &example)
}

pub(super) fn answer() -> Value {
    body(true, &schema::body::<AnswerBody>(), &json!({"responses": ["approve", "eu-west"]}))
}

pub(super) fn decline() -> Value {
    body(false, &schema::body::<DeclineBody>(), &json!({"reason": "Which of the two regions do you mean?"}))
}

pub(super) fn cancel() -> Value {
    body(false, &schema::body::<CancelBody>(), &json!({"reason": "The build has failed meanwhile."}))
}

pub(super) fn dismiss() -> Value {
    body(true, &schema::body::<DismissBody>(), &json!({"unwaitedFor": 86_400, "room": "shop"}))
}

pub(super) fn login_link() -> Value {
    body(false, &schema::body::<LoginLinkBody>(), &json!({"path": "/history"}))
}

pub(super) fn session() -> Value {
    let example = json!({"code": "askback_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG", "redeem": false});
    body(true, &schema::body::<SessionBody>(), &example)
}

pub(super) fn token() -> Value {
    body(true, &schema::body::<TokenBody>(), &json!({"role": "asker", "name": "ci", "room": "shop"}))
}
