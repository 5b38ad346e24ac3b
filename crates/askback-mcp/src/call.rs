//! One call of a tool: its client, its budget, and the wait for a person.

use crate::asker_source::AskerSource;
use crate::client_info::ClientInfo;
use crate::dismissed_dialogs::DismissedDialogs;
use crate::limits::PROGRESS_EVERY;
use crate::result::{self, CallResult, OutcomeFields, failed};
use crate::unheard_answers::UnheardAnswers;
use askback_api::{AskAgain, AskQuery, AskerApi, Record};
use askback_core::{Outcome, Request, show};
use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult, ProgressNotificationParam, ProgressToken};
use rmcp::service::Peer;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

pub(crate) struct ToolCall {
    pub(crate) source: Arc<dyn AskerSource>,
    pub(crate) client: ClientInfo,
    /// The token for progress reports, if the client wants them.
    pub(crate) progress: Option<ProgressToken>,
    /// How long the call may wait for a person.
    pub(crate) budget: Duration,
    pub(crate) peer: Peer<RoleServer>,
    /// Cancelled when the client's connection is closed.
    pub(crate) hung_up: CancellationToken,
    pub(crate) dismissed: DismissedDialogs,
    /// The answers that a client which gives up silently may not have received.
    pub(crate) unheard: UnheardAnswers,
}

impl ToolCall {
    /// The API of the hub, as this asker.
    pub(crate) async fn api(&self) -> CallResult<Arc<dyn AskerApi>> {
        self.source.asker().await.map_err(failed)
    }

    /// Asks, and waits within the budget.
    pub(crate) async fn ask(
        &self,
        request: Request,
        again: AskAgain,
        fields: OutcomeFields,
        params: CallToolRequestParams,
    ) -> CallResult<CallToolResponse> {
        let until = Instant::now() + self.budget;
        let api = self.api().await?;
        // A client that returns from a dialog means the request that it asked before.
        if let Some(resumed) = self.resume(&*api, fields, params, until).await? {
            return Ok(resumed);
        }
        let request = Arc::new(request);
        if let Some(repeated) = self.repeated(&request, again, fields) {
            return Ok(repeated.into());
        }
        let query = AskQuery { again, ..AskQuery::default() };
        let asked = self.client.gives_up_silently().then(|| Arc::clone(&request));
        let record = api.ask(request, query).await.map_err(failed)?.record;
        if let Some(outcome) = &record.outcome {
            return Ok(result::found(&record, outcome, fields).into());
        }
        if let Some(asked) = self.ask_by_result(&*api, &record).await {
            return Ok(asked);
        }
        let outcome = match self.outcome(&*api, &record, until).await? {
            Some(outcome) => outcome,
            None => return Ok(result::pending(&record.id).into()),
        };
        if let Some(asked) = asked {
            self.unheard.insert(asked, &record, &outcome);
        }
        Ok(result::ended(&record, &outcome, fields).into())
    }

    /// The answer that the client may not have received, if it asks the same again.
    fn repeated(&self, request: &Request, again: AskAgain, fields: OutcomeFields) -> Option<CallToolResult> {
        let answer = self.unheard.take(request)?;
        (again != AskAgain::Anew).then(|| result::repeated(&answer.record, &answer.outcome, fields))
    }

    /// Waits for the outcome of a request, on the hub and in the client's own dialog if it has one that counts.
    pub(crate) async fn wait(
        &self,
        api: &dyn AskerApi,
        record: &Record,
        fields: OutcomeFields,
        until: Instant,
    ) -> CallResult<CallToolResult> {
        let ended = match &record.outcome {
            Some(outcome) => Some(outcome.as_ref().clone()),
            None => self.outcome(api, record, until).await?,
        };
        Ok(ended.map_or_else(|| result::pending(&record.id), |outcome| result::ended(record, &outcome, fields)))
    }

    /// The outcome of a pending request, if it comes in time.
    async fn outcome(&self, api: &dyn AskerApi, record: &Record, until: Instant) -> CallResult<Option<Outcome>> {
        let left = until.saturating_duration_since(Instant::now());
        let waiting = Box::pin(async {
            tokio::select! {
                outcome = api.wait(record.as_ref(), Some(left)) => match outcome {
                    // A hub that is away at the end of the budget is like a person who has not answered.
                    Err(error) if error.is_transient() => Ok(None),
                    outcome => outcome.map_err(failed),
                },
                outcome = self.ask_in_dialog(api, record) => outcome.map(Some),
                () = self.hung_up.cancelled() => Ok(None),
            }
        });
        self.report_progress_during(&record.title(), waiting).await
    }

    /// Runs a wait, and meanwhile sends progress to a client that wants it.
    pub(crate) async fn report_progress_during<T>(
        &self,
        about: &str,
        waiting: impl Future<Output = CallResult<T>>,
    ) -> CallResult<T> {
        let Some(token) = &self.progress else { return waiting.await };
        let reporting = async {
            let mut ticks = interval(PROGRESS_EVERY);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            let mut count = 0.0;
            loop {
                ticks.tick().await;
                let message = format!("Waiting for a person to answer: {}", show::quote(about));
                let progress = ProgressNotificationParam::new(token.clone(), count).with_message(message);
                // A client that does not take the report is about to close its connection.
                let _ = self.peer.notify_progress(progress).await;
                count += 1.0;
            }
        };
        tokio::select! {
            biased;
            never = reporting => match never {},
            done = waiting => done,
        }
    }
}
