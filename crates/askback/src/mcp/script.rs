//! `execute_code`: a script that runs on the hub, so that it outlives the call that started it.

use super::border::{Carried, What};
use super::call::{Call, Called};
use super::desk::{Again, Delivery, Desk};
use super::limits::ASK_PATIENCE;
use super::result;
use crate::client::{ClientError, escaped};
use crate::fault::Kind;
use askback_core::{Json, Object};
use rmcp::model::{CallToolResult, MetaObject};
use serde_json::Value;
use tokio::time::Instant;

/// Under which a result names the script whose end it carries.
pub(crate) const SCRIPT: &str = "askback/script";

/// What the hub says of a script.
struct State(Json);

impl State {
    fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Json::as_str)
    }

    fn id(&self) -> &str {
        self.text("id").unwrap_or_default()
    }

    fn is_running(&self) -> bool {
        self.text("status") == Some("running")
    }
}

impl Desk {
    async fn start_script(
        &self,
        code: &str,
        claim: Option<&str>,
        again: Again,
        until: Instant,
    ) -> Result<State, ClientError> {
        let room = self.room_to_name(until).await?;
        let body = Object::new().put("code", code).put_some("room", room.as_ref().map(askback_hub::Room::as_str));
        let body = body.put_some("from", claim);
        let attach = if again == Again::Attach { "&attach=true" } else { "" };
        let path = format!("/scripts?id={}{attach}", askback_hub::new_id());
        Ok(State(self.post(&path, &body.into()).await?))
    }

    async fn script(&self, id: &str) -> Result<State, ClientError> {
        Ok(State(self.get(&format!("/scripts/{}", escaped(id))).await?))
    }

    /// Its state when it has ended, if it does so before then.
    async fn wait_for_script(&self, id: &str, until: Instant) -> Result<Option<State>, ClientError> {
        let path = format!("/scripts/{}", escaped(id));
        let looked = self.look(&path, until, |json| Ok(Some(State(json.clone())).filter(|state| !state.is_running())));
        match looked.await {
            Err(error) if error.is_passing() => Ok(None),
            looked => looked,
        }
    }

    /// Says that something is about to reach its asker, or that it did not; whether that was news (S5).
    /// The key stands for one way there: what goes it may be said twice, and it alone takes back what it said.
    pub(crate) async fn deliver(&self, carried: &Carried, delivery: Delivery, key: &str) -> Result<bool, ClientError> {
        let kind = match carried.what {
            What::Outcome => "requests",
            What::ScriptResult => "scripts",
        };
        let path = format!("/{kind}/{}/delivery", escaped(&carried.id));
        let body: Json = Object::new().put("delivered", delivery == Delivery::Made).put("key", key).into();
        let json = match self.post(&path, &body).await {
            // A hub that was started again has forgotten it, and so can't hand it to anybody else.
            Err(error) if carried.what == What::ScriptResult && error.kind() == Some(Kind::NotFound) => {
                return Ok(false);
            }
            posted => posted?,
        };
        Ok(matches!(json.get("changed"), Some(Json::Bool(true))))
    }
}

impl Call {
    pub(super) async fn execute(&self, code: &str, again: Again) -> Called<CallToolResult> {
        let until = Instant::now() + self.budget;
        let until_begun = Instant::now() + ASK_PATIENCE;
        let state = self.desk.start_script(code, self.client.claim(), again, until_begun).await?;
        self.end_of(state, until).await
    }

    pub(super) async fn wait_for_script(&self, id: &str, until: Instant) -> Called<CallToolResult> {
        let state = self.desk.script(id).await?;
        self.end_of(state, until).await
    }

    pub(super) async fn stop_script(&self, id: &str) -> Called<CallToolResult> {
        let state = self.desk.post(&format!("/scripts/{}/stop", escaped(id)), &Object::new().into()).await?;
        Ok(shown(&State(state)))
    }

    async fn end_of(&self, state: State, until: Instant) -> Called<CallToolResult> {
        if !state.is_running() {
            return Ok(shown(&state));
        }
        let waiting = Box::pin(async {
            tokio::select! {
                ended = self.desk.wait_for_script(state.id(), until) => Ok(ended?),
                () = self.hung_up.cancelled() => Ok(None),
            }
        });
        match self.telling("a script", waiting).await? {
            Some(ended) => Ok(shown(&ended)),
            // What it has asked in the meantime is worth knowing; if the hub is away just now, it is not known.
            None => Ok(shown(&self.desk.script(state.id()).await.unwrap_or(state))),
        }
    }
}

fn shown(state: &State) -> CallToolResult {
    let list = |name: &str| state.0.get(name).and_then(Json::as_array).unwrap_or_default();
    let console = list("console").iter().filter_map(Json::as_str).collect::<Vec<_>>().join("\n");
    let console = if console.is_empty() { String::new() } else { format!("\n\nconsole:\n{console}") };
    let id = state.id();
    let fields = |status: &str, own: (&str, Value)| {
        let listed = |name: &str| list(name).iter().map(result::value_of).collect::<Value>();
        let fields = [("status", status.into()), (result::REQUEST_ID, id.into()), own];
        let fields = fields.into_iter().chain(["console", "requests"].map(|name| (name, listed(name))));
        fields.map(|(name, value)| (name.to_owned(), value)).collect::<Vec<_>>()
    };
    if state.is_running() {
        let waits =
            list("requests").iter().filter(|asked| asked.get("status").and_then(Json::as_str) == Some("pending"));
        let waits = waits.filter_map(|asked| asked.get("message").and_then(Json::as_str));
        let waits: String = waits.map(|message| format!("\n- {message}")).collect();
        let text = format!(
            "The script is still running, and waits for a person:{waits}\nTo go on waiting, call wait_for_answer with request_id {id}. \
             Do not assume an answer.{console}"
        );
        return result::success(text, fields("pending", ("next", result::next(id).into())));
    }
    let mut shown = match state.text("error") {
        Some(error) => {
            result::error(format!("The script failed: {error}{console}"), fields("failed", ("error", error.into())))
        }
        None => {
            let returned = state.0.get("result").map_or(Value::Null, result::value_of);
            let text = match &returned {
                Value::String(text) => text.clone(),
                other => serde_json::to_string_pretty(other).unwrap_or_default(),
            };
            result::success(format!("The script returned:\n{text}{console}"), fields("finished", ("result", returned)))
        }
    };
    let mut meta = MetaObject::new();
    meta.0.insert(SCRIPT.to_owned(), id.into());
    shown.meta = Some(meta);
    shown
}
