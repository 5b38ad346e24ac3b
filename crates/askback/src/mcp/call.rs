//! One call of a tool, from its arguments to its result.

use super::arguments::{Arguments, Asks};
use super::desk::{Again, Desk, Ended};
use super::dialog::SentAway;
use super::limits::{LISTED, LISTED_MOST, LONGEST_WAIT, PROGRESS_EVERY};
use super::result::{self, Shape};
use super::server::Client;
use super::tools::{ENDED, Name};
use crate::client::ClientError;
use crate::client::record::HubRecord;
use crate::fault::Kind;
use askback_core::{Outcome, Question, Request, Status};
use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult, ProgressNotificationParam, ProgressToken};
use rmcp::service::Peer;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

/// A call, and who made it.
pub(crate) struct Call {
    pub(crate) desk: Desk,
    pub(crate) client: Client,
    /// Under which the client wants to hear of progress.
    pub(crate) progress: Option<ProgressToken>,
    /// How long it may wait for a person.
    pub(crate) budget: Duration,
    pub(crate) peer: Peer<RoleServer>,
    /// Completes when the client no longer wants the result.
    pub(crate) cancelled: CancellationToken,
    /// Completes when the client is gone.
    pub(crate) hung_up: CancellationToken,
    pub(crate) sent_away: SentAway,
}

/// A result, or one that stands in the way of it.
pub(super) type Called<T> = Result<T, Box<CallToolResult>>;

impl From<ClientError> for Box<CallToolResult> {
    fn from(error: ClientError) -> Self {
        Self::new(result::failed(&error))
    }
}

impl Call {
    pub(crate) async fn run(&self, name: Name, params: CallToolRequestParams) -> CallToolResponse {
        // Whoever no longer wants to hear it leaves; what was asked stays as it is.
        tokio::select! {
            biased;
            () = self.cancelled.cancelled() => result::refused("The call was cancelled.").into(),
            response = self.answer(name, params) => response.unwrap_or_else(|stopped| (*stopped).into()),
        }
    }

    async fn answer(&self, name: Name, mut params: CallToolRequestParams) -> Called<CallToolResponse> {
        let given = params.arguments.take().unwrap_or_default();
        match name {
            Name::AskUserQuestion => {
                let Asks { request, again } = Arguments::asking_in_options(given, &self.client)?;
                self.ask(request, again, Shape::AskUserQuestion, params).await
            }
            Name::RequestUserInput => {
                let Asks { request, again } = Arguments::asking(given, &self.client)?;
                self.ask(request, again, Shape::Outcome, params).await
            }
            Name::WaitForAnswer => {
                let mut arguments = Arguments::new(given, &["request_id", "max_wait_s"])?;
                let (id, most) = (arguments.id("request_id")?, arguments.seconds("max_wait_s", LONGEST_WAIT)?);
                let until = Instant::now() + most.map_or(self.budget, |most| most.min(self.budget));
                Ok(self.wait_for(&id, until).await?.into())
            }
            Name::ListRequests => {
                let mut arguments = Arguments::new(given, &["status", "limit"])?;
                let (status, most) = (arguments.status()?, arguments.count("limit", LISTED_MOST)?.unwrap_or(LISTED));
                let mut records = self.desk.list(status, most).await?;
                if matches!(status, Some(Status::Answered | Status::Declined)) {
                    records.retain(|record| !keeps_its_end(record));
                }
                Ok(listed(&records).into())
            }
            Name::CancelRequest => {
                let mut arguments = Arguments::new(given, &["request_id", "reason"])?;
                let (id, reason) = (arguments.id("request_id")?, arguments.text("reason")?);
                Ok(self.cancel(&id, reason.as_deref()).await?.into())
            }
            Name::ExecuteCode => {
                let mut arguments = Arguments::new(given, &["code", "ask_again"])?;
                let (code, again) = (arguments.code()?, arguments.again()?);
                Ok(self.execute(&code, again).await?.into())
            }
        }
    }

    /// Asks, and waits for as long as the client does.
    async fn ask(
        &self,
        request: Request,
        again: Again,
        shape: Shape,
        params: CallToolRequestParams,
    ) -> Called<CallToolResponse> {
        let until = Instant::now() + self.budget;
        // A client that comes back with what its dialog said means what it asked before.
        if let Some(resumed) = self.resumed(&params).await? {
            return self.resume(&resumed, shape, params, until).await;
        }
        let record = self.desk.ask(&request, again).await?;
        if let Some(outcome) = &record.outcome {
            return Ok(result::found(&record, outcome, shape).into());
        }
        if let Some(asked) = self.ask_by_result(&record).await? {
            return Ok(asked);
        }
        Ok(self.wait(&record, shape, until).await?.into())
    }

    /// Waits for the outcome of a request, on the hub and in the client's own dialog if it has one that counts.
    pub(super) async fn wait(&self, record: &HubRecord, shape: Shape, until: Instant) -> Called<CallToolResult> {
        let waiting = Box::pin(async {
            tokio::select! {
                outcome = self.desk.wait(record, until) => Ok(outcome?),
                outcome = self.in_dialog(record) => outcome.map(Some),
                () = self.hung_up.cancelled() => Ok(None),
            }
        });
        let outcome: Option<Outcome> = self.telling(&record.title(), waiting).await?;
        Ok(outcome.map_or_else(|| result::pending(record), |outcome| result::ended(record, &outcome, shape)))
    }

    /// Does something that takes a while, and tells the client of it now and then.
    pub(super) async fn telling<T>(&self, about: &str, waiting: impl Future<Output = Called<T>>) -> Called<T> {
        let Some(token) = &self.progress else { return waiting.await };
        let telling = async {
            let mut ticks = interval(PROGRESS_EVERY);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            let mut count = 0.0;
            loop {
                ticks.tick().await;
                let message = format!("Waiting for a person to answer: {}", askback_core::show::quote(about));
                let progress = ProgressNotificationParam::new(token.clone(), count).with_message(message);
                // A client that does not hear it is one that is about to be gone.
                let _ = self.peer.notify_progress(progress).await;
                count += 1.0;
            }
        };
        tokio::select! {
            biased;
            never = telling => match never {},
            done = waiting => done,
        }
    }

    async fn wait_for(&self, id: &str, until: Instant) -> Called<CallToolResult> {
        match self.desk.record(id).await {
            Ok(record) => self.wait(&record, Shape::Outcome, until).await,
            Err(error) if error.kind() == Some(Kind::NoSuchRequest) => self.wait_for_script(id, until).await,
            Err(error) => Err(error.into()),
        }
    }

    async fn cancel(&self, id: &str, reason: Option<&str>) -> Called<CallToolResult> {
        let record = match self.desk.record(id).await {
            Err(error) if error.kind() == Some(Kind::NoSuchRequest) => return self.stop_script(id).await,
            record => record?,
        };
        Ok(match self.desk.cancel(&record, reason).await? {
            Ended::ByUs(outcome) | Ended::Before(outcome) => result::ended(&record, &outcome, Shape::Outcome),
        })
    }
}

/// What was asked here before, for whoever has forgotten. Without the answers: those are delivered one by one, and an approval only once (S5).
fn listed(records: &[HubRecord]) -> CallToolResult {
    let items: Vec<Value> = records.iter().map(listed_record).collect();
    let line = |record: &HubRecord| {
        let (title, asker) = (record.title(), record.asker_and_claim());
        format!("- {} {title} ({}), asked by {asker}", record.id, listed_status(record))
    };
    let text = match records {
        [] => "There is nothing that was asked here.".to_owned(),
        _ => format!(
            "Asked here, the newest first (wait_for_answer with an id gives its outcome):\n{}",
            records.iter().map(line).collect::<Vec<_>>().join("\n")
        ),
    };
    result::success(text, [("requests".to_owned(), items.into())])
}

/// Whether a list would tell what was decided if it said how the request ended: an approval that was answered is approved.
fn keeps_its_end(record: &HubRecord) -> bool {
    let approves = |question: &Question| matches!(question.kind(), askback_core::Kind::Approval(_));
    matches!(record.status(), Status::Answered | Status::Declined) && record.request.questions().iter().any(approves)
}

fn listed_status(record: &HubRecord) -> &'static str {
    if keeps_its_end(record) { ENDED } else { record.status().name() }
}

fn listed_record(record: &HubRecord) -> Value {
    let outcome = record.outcome.as_ref();
    let reason = outcome.filter(|_| !keeps_its_end(record)).and_then(|outcome| outcome.resolution().reason());
    let questions: Vec<&str> = record.request.questions().iter().map(askback_core::Question::message).collect();
    json!({
        "request_id": record.id, "status": listed_status(record), "room": record.room, "title": record.request.title(),
        "asker": record.asker, "from": record.request.from(),
        "createdAt": record.created_at, "expiresAt": record.expires_at, "questions": questions,
        "answeredBy": outcome.and_then(result::answerer),
        "reason": reason.map(askback_core::Reason::as_str),
    })
}
