//! An answerer over HTTP: it answers, declines or cancels what it is given, against others that do the same.

use super::asker::verdict;
use crate::Failure;
use crate::ledger::Action;
use crate::load::{Job, Load, Token};
use crate::random::Random;
use serde_json::{Value, json};

/// Answers the jobs of the answerer with this number.
pub(crate) fn run(load: &Load, number: usize, mut random: Random) -> Result<(), Failure> {
    while load.answering.goes_on() {
        if let Some(job) = load.jobs[number].pop() {
            end_one(load, number, job, &mut random)?;
        }
    }
    Ok(())
}

fn end_one(load: &Load, number: usize, job: Job, random: &mut Random) -> Result<(), Failure> {
    let token = &load.answerers[number];
    let action = choose_action(random);
    let (ending, text) = load.ledger.end(job.mark, &token.name, action);
    let mut body = fields(action, &text);
    // Without a key it is not sent again: another answer is made, which may be late for the first.
    let is_repeated = !random.one_in(4);
    if is_repeated {
        body["key"] = format!("key {text}").into();
    }
    let call = load.api.post(&format!("/api/v1/requests/{}/{}", job.id, action.name()), &token.secret, &body);
    let response = if is_repeated {
        load.api.send_until_decided(&call)?
    } else {
        match load.api.send(&call) {
            Ok(response) if !crate::api::is_transient(response.status) => response,
            _ => {
                load.jobs[number].push(job);
                return Ok(());
            }
        }
    };
    load.ledger.decided(ending, verdict(load, &response.json(), response.status)?);
    Ok(())
}

pub(crate) fn choose_action(random: &mut Random) -> Action {
    match random.below(12) {
        0 => Action::Decline,
        1 => Action::Cancel,
        _ => Action::Answer,
    }
}

/// The body of an ending over HTTP.
fn fields(action: Action, text: &str) -> Value {
    match action {
        Action::Answer => json!({"responses": [text]}),
        Action::Decline | Action::Cancel => json!({"reason": text}),
    }
}

/// Ends everything that is still pending, so that no request is left that can't be ended.
pub(crate) fn end_all_pending(load: &Load, token: &Token) -> Result<(), Failure> {
    loop {
        let call = load.api.call("GET", "/api/v1/requests?status=pending&limit=200", &token.secret);
        let page = load.api.send_until_decided(&call)?.json();
        let items = page["items"].as_array().map(Vec::as_slice).unwrap_or_default();
        if items.is_empty() {
            return Ok(());
        }
        for item in items {
            let question = item["request"]["questions"][0]["message"].as_str().unwrap_or_default();
            let mark = crate::ledger::read_mark(question).ok_or_else(|| format!("nobody asked {item}"))?;
            let id = item["id"].as_str().unwrap_or_default();
            let (ending, text) = load.ledger.end(mark, &token.name, Action::Answer);
            let body = json!({"responses": [text], "key": format!("key {text}")});
            let path = format!("/api/v1/requests/{id}/answer");
            let response = load.api.send_until_decided(&load.api.post(&path, &token.secret, &body))?;
            load.ledger.decided(ending, verdict(load, &response.json(), response.status)?);
        }
    }
}
