//! Starting, waiting for and stopping scripts. They run in worker processes of the hub and outlive the call and the client that started them. They end with
//! the hub, and their requests stay.

use super::ending::{name, room};
use super::script_host::ScriptAsker;
use super::script_registry::{NewScript, TrackedScript};
use super::{AskPermit, Caller, Service};
use crate::fault::Fault;
use askback_api::{DeliveryBody, ProblemCode, Script, ScriptBody, ScriptQuery};
use askback_core::{RequestId, Status, show};
use askback_hub::{Query, new_id};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// The source in the metadata of scripts' requests.
pub(super) const SOURCE: &str = "execute_code";

const _: () = assert!(askback_api::limits::SCRIPT_BYTES == askback_script::limits::CODE_BYTES);

impl Service {
    /// Starts a script, or finds one that was started before. Returns whether it was found.
    pub(crate) fn start_script(
        self: &Arc<Self>,
        caller: &Caller,
        _: AskPermit,
        body: ScriptBody,
        query: ScriptQuery,
    ) -> Result<(Script, bool), Fault> {
        caller.asks()?;
        if body.code.is_empty() {
            return Err(Fault::parameter("code", "there is none", "JavaScript: the body of an async function"));
        }
        let room = caller.narrow_room(room("room", body.room.as_deref())?)?;
        let claim = name(ProblemCode::InvalidParameter, "from", body.from.as_deref())?;
        let ScriptQuery { id, attach } = query;
        let id = id.unwrap_or_else(new_id);
        let (owner, only_room) = (Arc::clone(&caller.token), body.only_room);
        let new = NewScript { id, owner, room, only_room, claim, code: body.code, attach };
        let (script, is_known) = self.scripts.start(new, self, |workers, code, script| {
            let host = ScriptAsker::new(Arc::downgrade(self), caller.clone(), Arc::downgrade(script));
            workers.start(caller.name().as_str(), code, Arc::new(host))
        })?;
        Ok((script.to_api(), is_known))
    }

    /// The state of a script, once it has ended or after this time.
    pub(crate) async fn wait_for_script(&self, caller: &Caller, id: &str, at_most: Duration) -> Result<Script, Fault> {
        let script = self.find_script(caller, id).await?;
        let _waiting = self.waiting.enter();
        let _attending = self.attending_call(caller);
        let waiting = pin!(async {
            tokio::select! {
                biased;
                _ = timeout(at_most, script.finished()) => Ok(()),
                () = self.stopped() => {
                    Err(Fault::new(ProblemCode::Stopping, "the hub is stopping, and its scripts end with it"))
                }
            }
        });
        caller.while_valid(waiting).await?;
        Ok(script.to_api())
    }

    /// Stops a script. Its pending requests are cancelled.
    pub(crate) async fn stop_script(&self, caller: &Caller, id: &str) -> Result<Script, Fault> {
        let script = self.find_script(caller, id).await?;
        script.stop("it was cancelled");
        script.finished().await;
        Ok(script.to_api())
    }

    /// Records a delivery report of a script's end. Returns whether it changed anything.
    pub(crate) async fn deliver_script(&self, caller: &Caller, id: &str, body: &DeliveryBody) -> Result<bool, Fault> {
        self.find_script(caller, id).await?.deliver(body)
    }

    /// A script of this asker; any other is refused as unknown.
    async fn find_script(&self, caller: &Caller, id: &str) -> Result<Arc<TrackedScript>, Fault> {
        caller.asks()?;
        let found = RequestId::parse(id).ok().and_then(|id| self.scripts.get(&id));
        match found.filter(|script| script.belongs_to(caller.name(), caller.token.room.as_ref())) {
            Some(script) => Ok(script),
            None => Err(self.no_such_script(caller, id).await),
        }
    }

    /// The refusal of an unknown script. A restarted hub has none, so it lists the pending requests of scripts, as often as the caller may
    /// read a list.
    async fn no_such_script(&self, caller: &Caller, id: &str) -> Fault {
        let mut detail = format!(
            "there is no request and no script {} that this token may see. A script ends with the hub that runs it, and what it returned is kept for a day, \
             or until there is too much of it: run the script once more",
            show::quote(id)
        );
        let query = Query { status: Some(Status::Pending), asker: Some(caller.name().clone()), ..Query::default() };
        if self.admit_list(caller).is_ok()
            && let Ok(query) = caller.narrow(query)
            && let Ok(page) = self.hub.list(query).await
        {
            let left = page.items.iter().filter(|listed| listed.record.request.source() == Some(SOURCE));
            let left: Vec<String> = left
                .map(|listed| {
                    let message = listed.record.request.questions().first().map_or("", |question| question.message());
                    format!("{} ({})", listed.record.id, show::quote(message))
                })
                .collect();
            if !left.is_empty() {
                detail.push_str(&format!(
                    "; it finds again what scripts have asked and is still pending: {}",
                    left.join(", ")
                ));
            }
        }
        Fault::new(ProblemCode::NotFound, detail)
    }
}
