//! One call of a tool: who made it, how long it may take, and waiting for a person.

use crate::asker_source::AskerSource;
use crate::client_info::ClientInfo;
use crate::dismissed_dialogs::DismissedDialogs;
use crate::limits::PROGRESS_EVERY;
use crate::result::{self, Called, OutcomeFields, failed};
use askback_api::{AskAgain, AskQuery, AskerApi, Record};
use askback_core::{Outcome, Request, show};
use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult, ProgressNotificationParam, ProgressToken};
use rmcp::service::Peer;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

/// A call, and the client that made it.
pub(crate) struct ToolCall {
    pub(crate) source: Arc<dyn AskerSource>,
    pub(crate) client: ClientInfo,
    /// Under which the client wants to hear of progress.
    pub(crate) progress: Option<ProgressToken>,
    /// How long it may wait for a person.
    pub(crate) budget: Duration,
    pub(crate) peer: Peer<RoleServer>,
    /// Cancelled when the client no longer wants the result.
    pub(crate) cancelled: CancellationToken,
    /// Cancelled when the client's connection is closed.
    pub(crate) hung_up: CancellationToken,
    pub(crate) dismissed: DismissedDialogs,
}

impl ToolCall {
    /// The hub, as this asker.
    pub(crate) async fn api(&self) -> Called<Arc<dyn AskerApi>> {
        self.source.asker().await.map_err(failed)
    }

    /// When the time of this call is over.
    pub(crate) fn deadline(&self) -> Instant {
        Instant::now() + self.budget
    }

    /// Asks, and waits for as long as the client does.
    pub(crate) async fn ask(
        &self,
        request: Request,
        again: AskAgain,
        fields: OutcomeFields,
        params: CallToolRequestParams,
    ) -> Called<CallToolResponse> {
        let until = self.deadline();
        let api = self.api().await?;
        // A client that comes back with what its dialog said means what it asked before.
        if let Some(resumed) = self.resumed(&*api, &params).await? {
            return self.resume(&*api, &resumed, fields, params, until).await;
        }
        let query = AskQuery { again, ..AskQuery::default() };
        let record = api.ask(Arc::new(request), query).await.map_err(failed)?.record;
        if let Some(outcome) = &record.outcome {
            return Ok(result::found(&record, outcome, fields).into());
        }
        if let Some(asked) = self.ask_by_result(&*api, &record).await {
            return Ok(asked);
        }
        Ok(self.wait(&*api, &record, fields, until).await?.into())
    }

    /// Waits for the outcome of a request, on the hub and in the client's own dialog if it has one that counts.
    pub(crate) async fn wait(
        &self,
        api: &dyn AskerApi,
        record: &Record,
        fields: OutcomeFields,
        until: Instant,
    ) -> Called<CallToolResult> {
        if let Some(outcome) = &record.outcome {
            return Ok(result::ended(record, outcome, fields));
        }
        let left = until.saturating_duration_since(Instant::now());
        let waiting = Box::pin(async {
            tokio::select! {
                outcome = api.wait(record.as_ref(), Some(left)) => match outcome {
                    // A hub that is away at the end of the time is no worse than a person who is.
                    Err(error) if error.is_transient() => Ok(None),
                    outcome => outcome.map_err(failed),
                },
                outcome = self.in_dialog(api, record) => outcome.map(Some),
                () = self.hung_up.cancelled() => Ok(None),
            }
        });
        let outcome: Option<Outcome> = self.reporting_progress(&record.title(), waiting).await?;
        Ok(outcome.map_or_else(|| result::pending(&record.id), |outcome| result::ended(record, &outcome, fields)))
    }

    /// Does something that takes a while, and sends progress to a client that wants to hear of it.
    pub(crate) async fn reporting_progress<T>(
        &self,
        about: &str,
        waiting: impl Future<Output = Called<T>>,
    ) -> Called<T> {
        let Some(token) = &self.progress else { return waiting.await };
        let reporting = async {
            let mut ticks = interval(PROGRESS_EVERY);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            let mut count = 0.0;
            loop {
                ticks.tick().await;
                let message = format!("Waiting for a person to answer: {}", show::quote(about));
                let progress = ProgressNotificationParam::new(token.clone(), count).with_message(message);
                // A client that does not take it is about to close its connection.
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
