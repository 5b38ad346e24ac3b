//! The client's own dialog as one more surface (S1): it races the hub and never replaces it, shows nothing that must be approved, and counts
//! only where the person lets it. That a client cancels it means that nobody is there, which is no answer.

use super::call::{Call, Called};
use super::desk::Ended;
use super::limits::{DIALOG_READ, DIALOG_TRIES, DIALOGS_REMEMBERED};
use super::result::{self, Shape};
use super::server::Client;
use crate::client::link::given;
use crate::client::record::HubRecord;
use askback_core::dialect::elicitation::{self, Dialog};
use askback_core::{Answers, Json, Limits, Object, Outcome, Problems};
use askback_hub::{Timestamp, new_id};
use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelledNotificationParam, ClientResult, ElicitRequest,
    ElicitRequestParams, ElicitResult, ElicitationAction, InputRequest, InputRequests, InputRequiredResult, RequestId,
    ServerRequest,
};
use rmcp::service::{Peer, PeerRequestOptions};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// What the client is to come back with, in the era in which a server asks by its result.
const ANSWER: &str = "answer";

/// Dialogs that a client has sent away: nobody is there, or nobody wants to be asked there.
#[derive(Clone, Default)]
pub(crate) struct SentAway(Arc<Mutex<HashSet<String>>>);

impl SentAway {
    /// Past the limit all are forgotten together: one is then shown once more, and no harm done.
    fn keep(&self, id: &str) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= DIALOGS_REMEMBERED {
            known.clear();
        }
        known.insert(id.to_owned());
    }

    fn has(&self, id: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(id)
    }
}

impl Client {
    /// What its dialog can draw, if it has one for forms.
    fn dialog(&self) -> Option<Dialog> {
        let offered = self.capabilities.elicitation.as_ref()?;
        // One that names no mode means forms.
        if offered.form.is_none() && offered.url.is_some() {
            return None;
        }
        let is_first = self.version.as_ref().is_some_and(|version| version.as_str() <= "2025-06-18");
        Some(match self.name.as_deref() {
            Some(name) if name.starts_with("codex") => Dialog::Plain,
            _ if is_first => Dialog::First,
            _ => Dialog::Full,
        })
    }
}

/// A dialog that a client comes back from.
pub(super) struct Resumed {
    record: HubRecord,
    round: u32,
    /// A client may say what it likes here: it can answer in its own dialog anyway.
    shown_at: Timestamp,
}

/// What came of a dialog.
enum Came {
    /// The request has ended, by it or before.
    Ended(Outcome),
    /// What was entered does not pass, and why.
    Wrong(Problems),
    /// Nobody was there.
    Nobody,
}

impl Call {
    /// The dialog for a request, if there is one that may be shown and counts.
    async fn dialog_for(&self, record: &HubRecord) -> Option<Dialog> {
        let (dialog, name) = (self.client.dialog()?, self.client.name.as_deref()?);
        if self.sent_away.has(&record.id) || elicitation::render(&record.request, &record.asker, dialog).is_err() {
            return None;
        }
        // A hub that can't be asked just now is no reason to fail: it is waited for anyway.
        self.desk.me().await.ok().filter(|me| me.lets_dialog_count(name)).map(|_| dialog)
    }

    /// Until the person has answered in the client's dialog; for ever if there is none.
    pub(super) async fn in_dialog(&self, record: &HubRecord) -> Called<Outcome> {
        if !self.client.asks_by_result()
            && let Some(dialog) = self.dialog_for(record).await
        {
            let mut problem = None;
            for _ in 0..DIALOG_TRIES {
                let Some(params) = form(record, dialog, problem.as_ref()) else { break };
                let shown_at = Instant::now();
                let Some(entered) = Shown::show(&self.peer, params).await else { break };
                match self.take(record, &entered, shown_at.elapsed()).await? {
                    Came::Ended(outcome) => return Ok(outcome),
                    Came::Wrong(why) => problem = Some(why),
                    Came::Nobody => break,
                }
            }
            self.sent_away.keep(&record.id);
        }
        std::future::pending().await
    }

    /// In the era in which a server asks by its result: that result, if the client has a dialog that counts.
    pub(super) async fn ask_by_result(&self, record: &HubRecord) -> Called<Option<CallToolResponse>> {
        if !self.client.asks_by_result() {
            return Ok(None);
        }
        let Some(dialog) = self.dialog_for(record).await else { return Ok(None) };
        Ok(form(record, dialog, None).map(|params| required(params, &record.id, 1)))
    }

    /// The request that a client comes back to.
    pub(super) async fn resumed(&self, params: &CallToolRequestParams) -> Called<Option<Resumed>> {
        let (Some(_), Some(state)) = (&params.input_responses, &params.request_state) else { return Ok(None) };
        // It names a request that this asker sees, or nothing: there is nothing in it to be trusted.
        let mut parts = state.split('/');
        let (Some(id), Some(Ok(round)), Some(Ok(shown_at))) =
            (parts.next(), parts.next().map(str::parse), parts.next().map(str::parse::<Timestamp>))
        else {
            return Ok(None);
        };
        Ok(Some(Resumed { record: self.desk.record(id).await?, round, shown_at }))
    }

    pub(super) async fn resume(
        &self,
        Resumed { record, round, shown_at }: &Resumed,
        shape: Shape,
        params: CallToolRequestParams,
        until: Instant,
    ) -> Called<CallToolResponse> {
        let entered = params.input_responses.and_then(|mut responses| responses.remove(ANSWER));
        let entered = entered.and_then(|entered| serde_json::from_value::<ElicitResult>(entered).ok());
        let came = match &entered {
            Some(entered) => self.take(record, entered, since(*shown_at)).await?,
            None => Came::Nobody,
        };
        match came {
            Came::Ended(outcome) => return Ok(result::ended(record, &outcome, shape).into()),
            Came::Wrong(why) if *round < DIALOG_TRIES => {
                if let Some(params) = self.client.dialog().and_then(|dialog| form(record, dialog, Some(&why))) {
                    return Ok(required(params, &record.id, round + 1));
                }
            }
            Came::Wrong(_) | Came::Nobody => {}
        }
        self.sent_away.keep(&record.id);
        Ok(self.wait(record, shape, until).await?.into())
    }

    /// Takes what a dialog brought to the hub, which decides.
    async fn take(&self, record: &HubRecord, entered: &ElicitResult, after: Duration) -> Called<Came> {
        let client = self.client.name.as_deref().unwrap_or_default();
        let signed = || Object::new().put("client", client).put("key", new_id().to_string());
        let (how, body) = match entered.action {
            ElicitationAction::Accept => match read(record, entered) {
                Ok(answers) => ("answer", signed().put("answers", answers.iter().map(given).collect::<Vec<_>>())),
                Err(problems) => return Ok(Came::Wrong(problems)),
            },
            // Some clients say no by themselves where nobody is; a person has to read first.
            ElicitationAction::Decline if after < DIALOG_READ => return Ok(Came::Nobody),
            ElicitationAction::Decline => ("decline", signed()),
            // Also whatever else a client may say one day: only a yes and a no are a person's.
            _ => return Ok(Came::Nobody),
        };
        let (Ended::ByUs(outcome) | Ended::Before(outcome)) = self.desk.end(record, how, &body.into()).await?;
        Ok(Came::Ended(outcome))
    }
}

fn read(record: &HubRecord, entered: &ElicitResult) -> Result<Answers, Problems> {
    let content = entered.content.clone().unwrap_or_default().to_string();
    elicitation::read(&record.request, &Json::parse(content.as_bytes(), &Limits::DEFAULT)?)
}

/// How long ago that was.
fn since(moment: Timestamp) -> Duration {
    Duration::try_from(Timestamp::now().duration_since(moment)).unwrap_or_default()
}

/// The dialog, with what was wrong before.
fn form(record: &HubRecord, dialog: Dialog, problems: Option<&Problems>) -> Option<ElicitRequestParams> {
    let form = match problems {
        None => elicitation::render(&record.request, &record.asker, dialog),
        Some(problems) => elicitation::render_again(&record.request, &record.asker, dialog, problems),
    };
    serde_json::from_value(result::value_of(&form.ok()?)).ok()
}

fn required(params: ElicitRequestParams, id: &str, round: u32) -> CallToolResponse {
    let asked = InputRequest::Elicitation(ElicitRequest::new(params));
    let asked = InputRequests::from([(ANSWER.to_owned(), asked)]);
    InputRequiredResult::new(Some(asked), Some(format!("{id}/{round}/{}", Timestamp::now()))).into()
}

/// A dialog on the client's screen, which is taken away when nobody needs it any more.
pub(super) struct Shown {
    peer: Peer<RoleServer>,
    id: RequestId,
    is_over: bool,
}

impl Shown {
    pub(super) async fn show(peer: &Peer<RoleServer>, params: ElicitRequestParams) -> Option<ElicitResult> {
        let request = ServerRequest::ElicitRequest(ElicitRequest::new(params));
        let handle = peer.send_cancellable_request(request, PeerRequestOptions::no_options()).await.ok()?;
        let mut shown = Self { peer: peer.clone(), id: handle.id.clone(), is_over: false };
        let response = handle.await_response().await;
        shown.is_over = true;
        match response {
            Ok(ClientResult::ElicitResult(entered)) => Some(entered),
            _ => None,
        }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        let (peer, id) = (self.peer.clone(), self.id.clone());
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                let reason = "the question no longer waits here".to_owned();
                let _ = peer.notify_cancelled(CancelledNotificationParam::new(Some(id), Some(reason))).await;
            });
        }
    }
}
