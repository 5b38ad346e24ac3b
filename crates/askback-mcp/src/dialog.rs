//! The client's own dialog as one more surface (S1): it races the hub and never replaces it, shows nothing that must be approved, and counts
//! only where the person lets it. That a client cancels it means that nobody is there, which is no answer.

use crate::arguments::request_id;
use crate::call::ToolCall;
use crate::client_info::ClientInfo;
use crate::limits::{DIALOG_READ, DIALOG_TRIES};
use crate::result::{self, Called, OutcomeFields, failed};
use askback_api::{AnswerBody, ApiError, AskerApi, DeclineBody, Record, RoomQuery};
use askback_core::dialect::elicitation::{self, Dialog};
use askback_core::{Answers, Json, Outcome, Problems};
use jiff::Timestamp;
use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelledNotificationParam, ClientResult, ElicitRequest,
    ElicitRequestParams, ElicitResult, ElicitationAction, InputRequest, InputRequests, InputRequiredResult, RequestId,
    ServerRequest,
};
use rmcp::service::{Peer, PeerRequestOptions};
use std::time::Duration;
use tokio::time::Instant;
use uuid::Uuid;

/// What the client is to come back with, in the era in which a server asks by its result.
const ANSWER: &str = "answer";

impl ClientInfo {
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
pub(crate) struct Resumed {
    record: Record,
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

impl ToolCall {
    /// The dialog for a request, if there is one that may be shown and counts.
    async fn dialog_for(&self, api: &dyn AskerApi, record: &Record) -> Option<Dialog> {
        let (dialog, name) = (self.client.dialog()?, self.client.name.as_deref()?);
        if self.dismissed.has(record.id.as_str())
            || elicitation::render(&record.request, record.asker.as_str(), dialog).is_err()
        {
            return None;
        }
        // A hub that can't be asked just now is no reason to fail: it is waited for anyway.
        let me = api.me(RoomQuery::default()).await.ok()?;
        me.dialogs.iter().any(|client| client == name).then_some(dialog)
    }

    /// Until the person has answered in the client's dialog; for ever if there is none.
    pub(crate) async fn in_dialog(&self, api: &dyn AskerApi, record: &Record) -> Called<Outcome> {
        if !self.client.asks_by_result()
            && let Some(dialog) = self.dialog_for(api, record).await
        {
            let mut problem = None;
            for _ in 0..DIALOG_TRIES {
                let Some(params) = form(record, dialog, problem.as_ref()) else { break };
                let shown_at = Instant::now();
                let Some(entered) = Shown::show(&self.peer, params).await else { break };
                match self.take(api, record, &entered, shown_at.elapsed()).await? {
                    Came::Ended(outcome) => return Ok(outcome),
                    Came::Wrong(why) => problem = Some(why),
                    Came::Nobody => break,
                }
            }
            self.dismissed.keep(record.id.as_str());
        }
        std::future::pending().await
    }

    /// In the era in which a server asks by its result: that result, if the client has a dialog that counts.
    pub(crate) async fn ask_by_result(&self, api: &dyn AskerApi, record: &Record) -> Option<CallToolResponse> {
        if !self.client.asks_by_result() {
            return None;
        }
        let dialog = self.dialog_for(api, record).await?;
        form(record, dialog, None).map(|params| required(params, record.id.as_str(), 1))
    }

    /// The request that a client comes back to.
    pub(crate) async fn resumed(&self, api: &dyn AskerApi, params: &CallToolRequestParams) -> Called<Option<Resumed>> {
        let (Some(_), Some(state)) = (&params.input_responses, &params.request_state) else { return Ok(None) };
        // It names a request that this asker sees, or nothing: there is nothing in it to be trusted.
        let mut parts = state.split('/');
        let (Some(id), Some(Ok(round)), Some(Ok(shown_at))) =
            (parts.next(), parts.next().map(str::parse), parts.next().map(str::parse::<Timestamp>))
        else {
            return Ok(None);
        };
        let id = request_id(Some(id))?;
        Ok(Some(Resumed { record: api.show(&id).await.map_err(failed)?, round, shown_at }))
    }

    pub(crate) async fn resume(
        &self,
        api: &dyn AskerApi,
        Resumed { record, round, shown_at }: &Resumed,
        fields: OutcomeFields,
        params: CallToolRequestParams,
        until: Instant,
    ) -> Called<CallToolResponse> {
        let entered = params.input_responses.and_then(|mut responses| responses.remove(ANSWER));
        let entered = entered.and_then(|entered| serde_json::from_value::<ElicitResult>(entered).ok());
        let came = match &entered {
            Some(entered) => self.take(api, record, entered, since(*shown_at)).await?,
            None => Came::Nobody,
        };
        match came {
            Came::Ended(outcome) => return Ok(result::ended(record, &outcome, fields).into()),
            Came::Wrong(why) if *round < DIALOG_TRIES => {
                if let Some(params) = self.client.dialog().and_then(|dialog| form(record, dialog, Some(&why))) {
                    return Ok(required(params, record.id.as_str(), round + 1));
                }
            }
            Came::Wrong(_) | Came::Nobody => {}
        }
        self.dismissed.keep(record.id.as_str());
        Ok(self.wait(api, record, fields, until).await?.into())
    }

    /// Takes what a dialog brought to the hub, which decides.
    async fn take(&self, api: &dyn AskerApi, record: &Record, entered: &ElicitResult, after: Duration) -> Called<Came> {
        let client = self.client.name.clone();
        let key = Some(Uuid::now_v7().to_string());
        let ended = match entered.action {
            ElicitationAction::Accept => match read(record, entered) {
                Ok(answers) => {
                    let body = AnswerBody { key, client, ..AnswerBody::of_answers(&answers) };
                    api.answer_in_dialog(record.as_ref(), body).await
                }
                Err(problems) => return Ok(Came::Wrong(problems)),
            },
            // Some clients say no by themselves where nobody is; a person has to read first.
            ElicitationAction::Decline if after < DIALOG_READ => return Ok(Came::Nobody),
            ElicitationAction::Decline => {
                let body = DeclineBody { key, client, ..DeclineBody::default() };
                api.decline_in_dialog(record.as_ref(), body).await
            }
            // Also whatever else a client may say one day: only a yes and a no are a person's.
            _ => return Ok(Came::Nobody),
        };
        match ended {
            Ok(outcome) => Ok(Came::Ended(outcome)),
            Err(ApiError::AlreadyEnded { outcome, .. }) => Ok(Came::Ended(*outcome)),
            Err(error) => Err(failed(error)),
        }
    }
}

fn read(record: &Record, entered: &ElicitResult) -> Result<Answers, Problems> {
    elicitation::read(&record.request, &Json::from(entered.content.clone().unwrap_or_default()))
}

/// How long ago that was.
fn since(moment: Timestamp) -> Duration {
    Duration::try_from(Timestamp::now().duration_since(moment)).unwrap_or_default()
}

/// The dialog, with what was wrong before.
fn form(record: &Record, dialog: Dialog, problems: Option<&Problems>) -> Option<ElicitRequestParams> {
    let form = match problems {
        None => elicitation::render(&record.request, record.asker.as_str(), dialog),
        Some(problems) => elicitation::render_again(&record.request, record.asker.as_str(), dialog, problems),
    };
    serde_json::from_value(form.ok()?.into()).ok()
}

fn required(params: ElicitRequestParams, id: &str, round: u32) -> CallToolResponse {
    let asked = InputRequest::Elicitation(ElicitRequest::new(params));
    let asked = InputRequests::from([(ANSWER.to_owned(), asked)]);
    InputRequiredResult::new(Some(asked), Some(format!("{id}/{round}/{}", Timestamp::now()))).into()
}

/// A dialog on the client's screen, which is taken away when nobody needs it any more.
pub(crate) struct Shown {
    peer: Peer<RoleServer>,
    id: RequestId,
    is_over: bool,
}

impl Shown {
    pub(crate) async fn show(peer: &Peer<RoleServer>, params: ElicitRequestParams) -> Option<ElicitResult> {
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
