//! The client's own dialog as one more surface (S1): it races the hub and never replaces it, shows no approvals, and counts only where the
//! person has allowed it. A dialog that the client cancels is not an answer.

use crate::arguments::request_id;
use crate::call::ToolCall;
use crate::client_info::ClientInfo;
use crate::limits::{DIALOG_READ, DIALOG_TRIES};
use crate::result::{self, CallResult, OutcomeFields, failed};
use askback_api::{AnswerBody, AskerApi, DeclineBody, Record, RoomQuery};
use askback_core::dialect::elicitation::{self, Dialog};
use askback_core::{Json, Outcome, Problems};
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

/// The name of the input that the client returns with, in the era in which a server asks by its result.
const ANSWER: &str = "answer";

impl ClientInfo {
    /// The variant of forms that the client's dialog shows, if it shows forms.
    fn dialog(&self) -> Option<Dialog> {
        let offered = self.capabilities.elicitation.as_ref()?;
        // A client that names no mode means forms.
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

/// The result of a dialog.
enum DialogResult {
    /// The request has ended, by the dialog or before.
    Ended(Outcome),
    /// The input has problems.
    Invalid(Problems),
    /// No person entered anything.
    Dismissed,
}

impl ToolCall {
    /// The dialog for a request, if the client has one that may show the request and counts.
    async fn dialog_for(&self, api: &dyn AskerApi, record: &Record) -> Option<Dialog> {
        let (dialog, name) = (self.client.dialog()?, self.client.name.as_deref()?);
        if self.dismissed.contains(record.id.as_str())
            || elicitation::render(&record.request, record.asker.as_str(), dialog).is_err()
        {
            return None;
        }
        // An error of the hub is not fatal here: the call waits for the hub anyway.
        let me = api.me(RoomQuery::default()).await.ok()?;
        me.dialogs.iter().any(|client| client == name).then_some(dialog)
    }

    /// Waits until the person has answered in the client's dialog; for ever if there is none.
    pub(crate) async fn ask_in_dialog(&self, api: &dyn AskerApi, record: &Record) -> CallResult<Outcome> {
        if !self.client.asks_by_result()
            && let Some(dialog) = self.dialog_for(api, record).await
        {
            let mut problem = None;
            for _ in 0..DIALOG_TRIES {
                let Some(params) = form(record, dialog, problem.as_ref()) else { break };
                let shown_at = Instant::now();
                let Some(entered) = OpenDialog::show(&self.peer, params).await else { break };
                match self.submit(api, record, entered, shown_at.elapsed()).await? {
                    DialogResult::Ended(outcome) => return Ok(outcome),
                    DialogResult::Invalid(why) => problem = Some(why),
                    DialogResult::Dismissed => break,
                }
            }
            self.dismissed.insert(record.id.as_str());
        }
        std::future::pending().await
    }

    /// The result that shows a dialog, in the era in which a server asks by its result, if the client has a dialog that counts.
    pub(crate) async fn ask_by_result(&self, api: &dyn AskerApi, record: &Record) -> Option<CallToolResponse> {
        if !self.client.asks_by_result() {
            return None;
        }
        let dialog = self.dialog_for(api, record).await?;
        form(record, dialog, None).map(|params| required(params, record.id.as_str(), 1))
    }

    /// Takes the input of a client that returns from a dialog, and waits on if that is no answer; nothing for any other call.
    pub(crate) async fn resume(
        &self,
        api: &dyn AskerApi,
        fields: OutcomeFields,
        params: CallToolRequestParams,
        until: Instant,
    ) -> CallResult<Option<CallToolResponse>> {
        let (Some(mut responses), Some(state)) = (params.input_responses, params.request_state) else {
            return Ok(None);
        };
        // The state is untrusted: the request must be visible to this asker, and the client controls its own dialog anyway.
        let mut parts = state.split('/');
        let (Some(id), Some(Ok(round)), Some(Ok(shown_at))) =
            (parts.next(), parts.next().map(str::parse::<u32>), parts.next().map(str::parse::<Timestamp>))
        else {
            return Ok(None);
        };
        let record = api.show(&request_id(Some(id))?).await.map_err(failed)?;
        let entered = responses.remove(ANSWER).and_then(|entered| serde_json::from_value(entered).ok());
        let after = Duration::try_from(Timestamp::now().duration_since(shown_at)).unwrap_or_default();
        let submitted = match entered {
            Some(entered) => self.submit(api, &record, entered, after).await?,
            None => DialogResult::Dismissed,
        };
        match submitted {
            DialogResult::Ended(outcome) => return Ok(Some(result::ended(&record, &outcome, fields).into())),
            DialogResult::Invalid(why) if round < DIALOG_TRIES => {
                if let Some(params) = self.client.dialog().and_then(|dialog| form(&record, dialog, Some(&why))) {
                    return Ok(Some(required(params, record.id.as_str(), round + 1)));
                }
            }
            DialogResult::Invalid(_) | DialogResult::Dismissed => {}
        }
        self.dismissed.insert(record.id.as_str());
        Ok(Some(self.wait(api, &record, fields, until).await?.into()))
    }

    /// Sends the input of a dialog to the hub, which decides.
    async fn submit(
        &self,
        api: &dyn AskerApi,
        record: &Record,
        entered: ElicitResult,
        after: Duration,
    ) -> CallResult<DialogResult> {
        let client = self.client.name.clone();
        let key = Some(Uuid::new_v4().to_string());
        let ended = match entered.action {
            ElicitationAction::Accept => {
                let content = Json::from(entered.content.unwrap_or_default());
                match elicitation::read(&record.request, &content) {
                    Ok(answers) => {
                        let body = AnswerBody { key, client, ..AnswerBody::of_answers(&answers) };
                        api.answer_in_dialog(record.as_ref(), body).await
                    }
                    Err(problems) => return Ok(DialogResult::Invalid(problems)),
                }
            }
            // Some clients decline by themselves where there is no person, who has to read first.
            ElicitationAction::Decline if after < DIALOG_READ => return Ok(DialogResult::Dismissed),
            ElicitationAction::Decline => {
                let body = DeclineBody { key, client, ..DeclineBody::default() };
                api.decline_in_dialog(record.as_ref(), body).await
            }
            // Also for actions of later revisions: only a person accepts or declines.
            _ => return Ok(DialogResult::Dismissed),
        };
        result::outcome_of(ended).map(DialogResult::Ended)
    }
}

/// The form of a dialog, with the problems of the last input.
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

/// A dialog on the client's screen. Dropping it cancels the dialog.
pub(crate) struct OpenDialog {
    peer: Peer<RoleServer>,
    /// The id of its request, until the client has responded.
    id: Option<RequestId>,
}

impl OpenDialog {
    pub(crate) async fn show(peer: &Peer<RoleServer>, params: ElicitRequestParams) -> Option<ElicitResult> {
        let request = ServerRequest::ElicitRequest(ElicitRequest::new(params));
        let handle = peer.send_cancellable_request(request, PeerRequestOptions::no_options()).await.ok()?;
        let mut dialog = Self { peer: peer.clone(), id: Some(handle.id.clone()) };
        let response = handle.await_response().await;
        dialog.id = None;
        match response {
            Ok(ClientResult::ElicitResult(entered)) => Some(entered),
            _ => None,
        }
    }
}

impl Drop for OpenDialog {
    fn drop(&mut self) {
        if let (Some(id), Ok(runtime)) = (self.id.take(), tokio::runtime::Handle::try_current()) {
            let peer = self.peer.clone();
            runtime.spawn(async move {
                let reason = "the question no longer waits here".to_owned();
                let _ = peer.notify_cancelled(CancelledNotificationParam::new(Some(id), Some(reason))).await;
            });
        }
    }
}
