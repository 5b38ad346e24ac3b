//! Answering, declining, cancelling and dismissing requests.

use super::{Caller, Service};
use crate::fault::Fault;
use askback_api::limits::DISMISS_SECONDS;
use askback_api::{AnswerBody, CancelBody, ClaimedSurface, DeclineBody, DismissBody, ProblemCode};
use askback_core::{AnswerInput, Name, Outcome, Path, Reason, Refusal, Room, Rule, Surface};
use askback_hub::{HubError, Query, Record, Role, Signature};
use std::sync::Arc;
use std::time::Duration;

/// A request and its outcome.
pub(crate) type Ended = (Arc<Record>, Arc<Outcome>);

/// The form of the answers in a body.
const ANSWERS: &str = "responses, one text for each question; or answers, each with selections and custom";

impl Service {
    /// Answers a request. Problems with the answers are reported only to a caller that may answer the request.
    pub(crate) async fn answer(&self, caller: &Caller, id: &str, body: AnswerBody) -> Result<Ended, Fault> {
        self.may_answer(caller)?;
        self.answer_visible(caller, self.visible(caller, id).await?, body).await
    }

    /// The same for a request that [`Service::visible`] returned to this caller, which is not read again.
    pub(crate) async fn answer_visible(
        &self,
        caller: &Caller,
        record: Arc<Record>,
        body: AnswerBody,
    ) -> Result<Ended, Fault> {
        self.may_answer(caller)?;
        let wrong = |path: Path, message: &str| {
            let refusal = Refusal { rule: Rule::Word, message: message.to_owned(), expected: ANSWERS.to_owned() };
            Fault::of_problem(ProblemCode::InvalidAnswer, refusal.at(path))
        };
        let field = |name: &str| Path::root().field(name);
        let (inputs, path): (Vec<AnswerInput>, Path) = match (body.responses, body.answers) {
            (Some(_), Some(_)) => return Err(wrong(field("answers"), "this stands beside responses")),
            (None, None) => return Err(wrong(field("responses"), "there are no answers")),
            (Some(texts), None) => (texts.into_iter().map(AnswerInput::from).collect(), field("responses")),
            (None, Some(items)) => {
                let each = items.into_iter().enumerate().map(|(index, item)| {
                    item.into_input().ok_or_else(|| wrong(field("answers").index(index), "this is not one answer"))
                });
                (each.collect::<Result<_, _>>()?, field("answers"))
            }
        };
        let signature = self.answering_signature(caller, &record, body.surface, body.client.as_deref())?;
        let signature = with_key(signature, ProblemCode::InvalidAnswer, body.key.as_deref())?;
        let ended = self.hub.answer(&record.id, &inputs, signature).await.map_err(|error| match error {
            HubError::NotAnswers(problems) => HubError::NotAnswers(problems.under(&path)),
            other => other,
        });
        settle(record, ended)
    }

    /// Declines to answer a request.
    pub(crate) async fn decline(&self, caller: &Caller, id: &str, body: DeclineBody) -> Result<Ended, Fault> {
        self.may_answer(caller)?;
        self.decline_visible(caller, self.visible(caller, id).await?, body).await
    }

    /// The same for a request that [`Service::visible`] returned to this caller, which is not read again.
    pub(crate) async fn decline_visible(
        &self,
        caller: &Caller,
        record: Arc<Record>,
        body: DeclineBody,
    ) -> Result<Ended, Fault> {
        self.may_answer(caller)?;
        let signature = self.answering_signature(caller, &record, body.surface, body.client.as_deref())?;
        let signature = with_key(signature, ProblemCode::InvalidParameter, body.key.as_deref())?;
        let reason = read_reason(body.reason.as_deref())?;
        let ended = self.hub.decline(&record.id, reason, signature).await;
        settle(record, ended)
    }

    /// Cancels a request. A person may cancel any, and an asker its own.
    pub(crate) async fn cancel(&self, caller: &Caller, id: &str, body: CancelBody) -> Result<Ended, Fault> {
        self.cancel_visible(caller, self.visible(caller, id).await?, body).await
    }

    /// The same for a request that [`Service::visible`] returned to this caller, which is not read again.
    pub(crate) async fn cancel_visible(
        &self,
        caller: &Caller,
        record: Arc<Record>,
        body: CancelBody,
    ) -> Result<Ended, Fault> {
        may_cancel(caller, &record)?;
        let reason = read_reason(body.reason.as_deref())?;
        let signature = caller.signature(body.surface);
        let signature = with_key(signature, ProblemCode::InvalidParameter, body.key.as_deref())?;
        let ended = self.hub.cancel(&record.id, reason, signature).await;
        settle(record, ended)
    }

    /// Cancels pending requests that no asker has waited for in this time, nor in the last minute (L9). Returns their number.
    pub(crate) async fn dismiss(&self, caller: &Caller, body: DismissBody) -> Result<u64, Fault> {
        caller.answers()?;
        if !DISMISS_SECONDS.contains(&body.unwaited_for) {
            let expected = "a number of seconds, at least 1";
            return Err(Fault::parameter("unwaitedFor", "there is no such time", expected));
        }
        let room = room("room", body.room.as_deref())?;
        let among = caller.narrow(Query { room, ..Query::default() })?;
        let signature = caller.signature(body.surface);
        let unwaited_for = Duration::from_secs_f64(body.unwaited_for);
        let count = self.hub.dismiss(among, unwaited_for, read_reason(body.reason.as_deref())?, signature).await?;
        Ok(count as u64)
    }

    /// A request that the caller may cancel: a person any, and an asker what it asked itself.
    pub(crate) async fn cancellable(&self, caller: &Caller, id: &str) -> Result<Arc<Record>, Fault> {
        let record = self.visible(caller, id).await?;
        may_cancel(caller, &record)?;
        Ok(record)
    }

    /// Requires a person, or an asker if the hub accepts the dialog of any MCP client (S1).
    pub(crate) fn may_answer(&self, caller: &Caller) -> Result<(), Fault> {
        if caller.token.role == Role::Asker && !self.dialogs.is_empty() { Ok(()) } else { caller.answers() }
    }

    /// The signature of an answer: a person's, or that of an asker whose client's dialog a person answered in (S1).
    fn answering_signature(
        &self,
        caller: &Caller,
        record: &Record,
        surface: Option<ClaimedSurface>,
        client: Option<&str>,
    ) -> Result<Signature, Fault> {
        if caller.token.role != Role::Asker {
            return Ok(caller.signature(surface));
        }
        caller.owns(record, "show it in a dialog of its client's")?;
        if !self.dialogs.iter().any(|dialog| Some(dialog.as_str()) == client) {
            // The same refusal as without any dialogs.
            caller.answers()?;
        }
        if record.request.asks_approval() {
            return Err(Fault::new(ProblemCode::Forbidden, "an approval is never decided in a client's own dialog"));
        }
        Ok(Signature::by_token(&caller.token, Surface::Mcp))
    }
}

fn may_cancel(caller: &Caller, record: &Record) -> Result<(), Fault> {
    if caller.token.role == Role::Asker { caller.owns(record, "cancel it") } else { Ok(()) }
}

/// Adds the idempotency key of a call.
fn with_key(signature: Signature, code: ProblemCode, key: Option<&str>) -> Result<Signature, Fault> {
    Ok(name(code, "key", key)?.into_iter().fold(signature, Signature::with_key))
}

fn settle(record: Arc<Record>, ended: Result<Arc<Outcome>, HubError>) -> Result<Ended, Fault> {
    match ended {
        Ok(outcome) => Ok((record, outcome)),
        Err(error) => Err(Fault::from(error).about(&record)),
    }
}

/// The reason in a body.
fn read_reason(text: Option<&str>) -> Result<Option<Reason>, Fault> {
    Reason::parse(text.unwrap_or_default())
        .map_err(|refusal| Fault::refused(ProblemCode::InvalidParameter, "reason", refusal))
}

/// The name in a field of a body.
pub(super) fn name(code: ProblemCode, field: &str, text: Option<&str>) -> Result<Option<Name>, Fault> {
    text.map(Name::parse).transpose().map_err(|refusal| Fault::refused(code, field, refusal))
}

/// The room in a field of a body.
pub(super) fn room(field: &str, text: Option<&str>) -> Result<Option<Room>, Fault> {
    let room = text.map(Room::parse).transpose();
    room.map_err(|refusal| Fault::refused(ProblemCode::InvalidParameter, field, refusal))
}
