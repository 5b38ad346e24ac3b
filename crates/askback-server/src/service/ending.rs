//! Ending a request: who may answer, decline, cancel and dismiss, and how that is signed.

use super::{Caller, Service};
use crate::fault::Fault;
use askback_api::limits::DISMISS_SECONDS;
use askback_api::{AnswerBody, AnswerItem, CancelBody, DeclineBody, DismissBody, GivenAnswers, ProblemCode};
use askback_core::{Kind, Name, Outcome, Path, RawAnswer, Reason, Room, Surface};
use askback_hub::{HubError, Query, Record, Role, Scope, Signature};
use std::sync::Arc;
use std::time::Duration;

/// A request and its outcome.
pub(crate) type Ended = (Arc<Record>, Arc<Outcome>);

/// What a call says of how it is signed, besides its token.
#[derive(Debug, Clone, Default)]
pub(crate) struct Signing {
    /// With which the same call may be made again.
    pub(crate) key: Option<Name>,
    /// Where the person is.
    pub(crate) surface: Option<Surface>,
    /// The MCP client in whose own dialog the person answered.
    pub(crate) client: Option<String>,
    /// The part of the inbox that the call may act on, if not on all that the caller sees.
    pub(crate) within: Option<Scope>,
}

impl Service {
    /// Answers with the body of a call.
    pub(crate) async fn answer(&self, caller: &Caller, id: &str, body: AnswerBody) -> Result<Ended, Fault> {
        self.may_answer(caller)?;
        let given = body.given().map_err(|problem| Fault::of_problem(ProblemCode::InvalidAnswer, problem));
        let key = name(ProblemCode::InvalidAnswer, "key", body.key.as_deref())?;
        let signing = Signing { key, surface: body.surface.map(Into::into), client: body.client, within: None };
        self.answer_with(caller, id, given, signing).await
    }

    /// Answers a request: by a program, by a proposal in a room, or by the form of a page. What is wrong with the answers is told only to
    /// a caller that may answer the request.
    pub(crate) async fn answer_with(
        &self,
        caller: &Caller,
        id: &str,
        given: Result<GivenAnswers, Fault>,
        signing: Signing,
    ) -> Result<Ended, Fault> {
        self.may_answer(caller)?;
        let record = self.within(caller, id, signing.within.as_ref()).await?;
        let given = given?;
        let signature = self.answering_signature(caller, &record, signing)?;
        let raw: Vec<RawAnswer<'_>> = given.items.iter().filter_map(AnswerItem::raw).collect();
        let answers = record.request.parse_answers(&raw, &Path::root().field(given.field)).map_err(|problems| {
            // Too late is too late, whatever the answer says.
            match &record.outcome {
                Some(outcome) => Fault::already_ended(&record, outcome),
                None => Fault::of_problems(ProblemCode::InvalidAnswer, &problems),
            }
        })?;
        let ended = self.hub.answer(&record.id, answers, signature).await;
        settle(record, ended)
    }

    /// Declines with the body of a call.
    pub(crate) async fn decline(&self, caller: &Caller, id: &str, body: DeclineBody) -> Result<Ended, Fault> {
        let key = name(ProblemCode::InvalidParameter, "key", body.key.as_deref());
        let signing =
            key.map(|key| Signing { key, surface: body.surface.map(Into::into), client: body.client, within: None });
        self.may_answer(caller)?;
        self.decline_with(caller, id, read_reason(body.reason.as_deref())?, signing?).await
    }

    pub(crate) async fn decline_with(
        &self,
        caller: &Caller,
        id: &str,
        reason: Option<Reason>,
        signing: Signing,
    ) -> Result<Ended, Fault> {
        self.may_answer(caller)?;
        let record = self.within(caller, id, signing.within.as_ref()).await?;
        let signature = self.answering_signature(caller, &record, signing)?;
        let ended = self.hub.decline(&record.id, reason, signature).await;
        settle(record, ended)
    }

    /// Cancels with the body of a call.
    pub(crate) async fn cancel(&self, caller: &Caller, id: &str, body: CancelBody) -> Result<Ended, Fault> {
        let key = name(ProblemCode::InvalidParameter, "key", body.key.as_deref())?;
        let signing = Signing { key, surface: body.surface.map(Into::into), ..Signing::default() };
        self.cancel_with(caller, id, read_reason(body.reason.as_deref())?, signing).await
    }

    /// Cancels a request: a person any, and an asker what it asked itself.
    pub(crate) async fn cancel_with(
        &self,
        caller: &Caller,
        id: &str,
        reason: Option<Reason>,
        signing: Signing,
    ) -> Result<Ended, Fault> {
        let record = self.within(caller, id, signing.within.as_ref()).await?;
        if caller.token.role == Role::Asker {
            caller.owns(&record, "cancel it")?;
        }
        let signature = with_key(caller.signature(signing.surface), signing.key);
        let ended = self.hub.cancel(&record.id, reason, signature).await;
        settle(record, ended)
    }

    /// Cancels what is pending and no asker has waited for in this time (L9); tells how many they were.
    pub(crate) async fn dismiss(&self, caller: &Caller, body: DismissBody) -> Result<u64, Fault> {
        caller.answers()?;
        if !DISMISS_SECONDS.contains(&body.unwaited_for) {
            let expected = "a number of seconds, at least 1";
            return Err(Fault::parameter("unwaitedFor", "there is no such time", expected));
        }
        let room = room("room", body.room.as_deref())?;
        let among = caller.narrow(Query { room, ..Query::default() })?;
        let signature = caller.signature(body.surface.map(Into::into));
        let unwaited_for = Duration::from_secs_f64(body.unwaited_for);
        let count = self.hub.dismiss(among, unwaited_for, read_reason(body.reason.as_deref())?, signature).await?;
        Ok(count as u64)
    }

    /// A request that the caller may see, in this part of the inbox.
    async fn within(&self, caller: &Caller, id: &str, scope: Option<&Scope>) -> Result<Arc<Record>, Fault> {
        let record = self.visible(caller, id).await?;
        if scope.is_some_and(|scope| !scope.shows(&record.room)) {
            return Err(Fault::new(ProblemCode::NoSuchRequest, "there is no such request in this room"));
        }
        Ok(record)
    }

    /// A person may answer; an asker only where the dialogs of MCP clients count, of which there must be one (S1).
    pub(crate) fn may_answer(&self, caller: &Caller) -> Result<(), Fault> {
        if caller.token.role == Role::Asker && !self.dialogs.is_empty() { Ok(()) } else { caller.answers() }
    }

    /// How an answer is signed: by a person, or by the asker in whose client's dialog a person gave it (S1).
    fn answering_signature(&self, caller: &Caller, record: &Record, signing: Signing) -> Result<Signature, Fault> {
        if caller.token.role != Role::Asker {
            return Ok(with_key(caller.signature(signing.surface), signing.key));
        }
        caller.owns(record, "show it in a dialog of its client's")?;
        let client = signing.client.unwrap_or_default();
        if !self.dialogs.contains(&client) {
            // As if there were none at all.
            caller.answers()?;
        }
        if record.request.questions().iter().any(|question| matches!(question.kind(), Kind::Approval(_))) {
            return Err(Fault::new(ProblemCode::Forbidden, "an approval is never decided in a client's own dialog"));
        }
        Ok(with_key(Signature::by_token(&caller.token, Surface::Mcp), signing.key))
    }
}

fn with_key(signature: Signature, key: Option<Name>) -> Signature {
    key.into_iter().fold(signature, Signature::with_key)
}

fn settle(record: Arc<Record>, ended: Result<Arc<Outcome>, HubError>) -> Result<Ended, Fault> {
    match ended {
        Ok(outcome) => Ok((record, outcome)),
        Err(error) => Err(Fault::from(error).about(&record)),
    }
}

/// The reason in a body.
pub(crate) fn read_reason(text: Option<&str>) -> Result<Option<Reason>, Fault> {
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
