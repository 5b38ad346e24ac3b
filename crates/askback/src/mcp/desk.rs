//! Where a tool takes what it asks: the hub, by its API, as one asker in one room. Whoever is lost on the way is found again by the id.

use super::limits::{ASK_PATIENCE, RETRY};
use crate::client::link::in_room;
use crate::client::record::{HubRecord, outcome};
use crate::client::{Absent, Client, ClientError, HubArgs, escaped};
use crate::fault::Kind;
use crate::serve::limits::WAIT_SECONDS;
use askback_core::{Json, Object, Outcome, Request, Status};
use askback_hub::{Room, new_id};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OnceCell;
use tokio::time::{Instant, sleep, timeout_at};

/// One asker's way to the hub.
#[derive(Clone)]
pub(crate) struct Desk {
    hub: Arc<Hub>,
    room: AskedIn,
}

/// The hub, found or started when it is first needed: a client that only wants to know which tools there are does not wait for it.
enum Hub {
    Known(Client),
    Sought { arguments: HubArgs, found: OnceCell<Client> },
}

/// Where a request that names no room is asked.
#[derive(Debug, Clone)]
pub(crate) enum AskedIn {
    /// There.
    Named(Room),
    /// In the room of the token, or else there: the folder that somebody works in (L8).
    Folder(Room),
    /// In the room of the token.
    Token,
}

/// Whether a question that was asked before is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// It is the same, if nobody has heard its outcome (S5).
    Attach,
    /// It is another.
    Anew,
}

/// Who is asking, as the hub says.
pub(crate) struct Me {
    name: String,
    room: Option<String>,
    /// The clients whose own dialog counts as a surface.
    dialogs: Vec<String>,
}

impl Desk {
    pub(crate) fn new(client: Client, room: AskedIn) -> Self {
        Self { hub: Arc::new(Hub::Known(client)), room }
    }

    /// With a hub that is started if need be.
    pub(crate) fn seeking(arguments: HubArgs, room: AskedIn) -> Self {
        Self { hub: Arc::new(Hub::Sought { arguments, found: OnceCell::new() }), room }
    }

    /// For what the agent wants to be done: a hub that was stopped is started again.
    pub(crate) async fn client(&self) -> Result<Client, ClientError> {
        self.waiting_client().await.map(Client::insisting)
    }

    /// For waiting: a hub that died is started again, but one that somebody stopped is waited for.
    async fn waiting_client(&self) -> Result<Client, ClientError> {
        match &*self.hub {
            Hub::Known(client) => Ok(client.clone()),
            Hub::Sought { arguments, found } => found.get_or_try_init(|| seek(arguments.clone())).await.cloned(),
        }
    }

    /// Who is asking, and what counts for them.
    pub(crate) async fn me(&self) -> Result<Me, ClientError> {
        let json = self.client().await?.get("/me").await?;
        let dialogs = json.get("dialogs").and_then(Json::as_array).unwrap_or_default();
        let name = json.get("name").and_then(Json::as_str);
        let name = name.ok_or_else(|| ClientError::Foreign("it does not say whose token this is".to_owned()))?;
        Ok(Me {
            name: name.to_owned(),
            room: json.get("room").and_then(Json::as_str).map(str::to_owned),
            dialogs: dialogs.iter().filter_map(Json::as_str).map(str::to_owned).collect(),
        })
    }

    /// Asks, once, however often the message has to be sent.
    pub(crate) async fn ask(&self, request: &Request, again: Again) -> Result<HubRecord, ClientError> {
        let client = self.client().await?;
        let until = Instant::now() + ASK_PATIENCE;
        let body = self.body(request, until).await?;
        // Its id is known before it is sent, so that sending it twice is asking once.
        // What is found is delivered at the border, like everything else: until then it can be found again.
        let attach = if again == Again::Attach { "&attach=true&deliverLater=true" } else { "" };
        let path = format!("/requests?id={}{attach}", new_id());
        let (_, json) = persist(until, || client.post(&path, &body)).await?;
        HubRecord::read(&json)
    }

    async fn body(&self, request: &Request, until: Instant) -> Result<Json, ClientError> {
        if request.room().is_some() {
            return Ok(request.to_json());
        }
        let room = self.room_to_name(until).await?;
        Ok(room.map_or_else(|| request.to_json(), |room| in_room(request, room.as_str())))
    }

    /// The room to name for what names none itself; none where the token's is meant.
    pub(super) async fn room_to_name(&self, until: Instant) -> Result<Option<Room>, ClientError> {
        match &self.room {
            AskedIn::Token => Ok(None),
            AskedIn::Named(room) => Ok(Some(room.clone())),
            AskedIn::Folder(room) => {
                // Only a token that somebody was given has a room; this machine's own has none.
                let has_own = !self.client().await?.is_local() && persist(until, || self.me()).await?.room.is_some();
                Ok(Some(room.clone()).filter(|_| !has_own))
            }
        }
    }

    /// The outcome, if there is one before then. A hub that is away in between is waited for.
    pub(crate) async fn wait(&self, record: &HubRecord, until: Instant) -> Result<Option<Outcome>, ClientError> {
        if let Some(outcome) = &record.outcome {
            return Ok(Some(outcome.clone()));
        }
        let path = format!("/requests/{}", escaped(&record.id));
        match self.look(&path, until, |json| outcome(json, &record.request)).await {
            // A hub that is away at the end of the time is no worse than a person who is.
            Err(error) if error.is_passing() => Ok(None),
            looked => looked,
        }
    }

    /// Looks at something until it is what is waited for, or until then.
    pub(super) async fn look<T>(
        &self,
        path: &str,
        until: Instant,
        read: impl Fn(&Json) -> Result<Option<T>, ClientError>,
    ) -> Result<Option<T>, ClientError> {
        let client = self.waiting_client().await?;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            // Whole seconds, of which the last may be cut short.
            let seconds = left.as_secs().saturating_add(1).min(WAIT_SECONDS);
            let address = format!("{path}?wait={seconds}");
            let looked = timeout_at(until, client.get(&address));
            let begun = Instant::now();
            match looked.await {
                Ok(Ok(json)) => {
                    if let Some(found) = read(&json)? {
                        return Ok(Some(found));
                    }
                }
                Ok(Err(error)) if !error.is_passing() => return Err(error),
                Ok(Err(error)) if Instant::now() >= until => return Err(error),
                Ok(Err(_)) => {}
                Err(_) => return Ok(None),
            }
            if Instant::now() >= until {
                return Ok(None);
            }
            // A hub that does not wait is not to be asked without a pause.
            if begun.elapsed() < Duration::from_secs(1) {
                sleep(RETRY).await;
            }
        }
    }

    /// A request with everything that is known of it.
    pub(crate) async fn record(&self, id: &str) -> Result<HubRecord, ClientError> {
        HubRecord::read(&self.get(&format!("/requests/{}/request", escaped(id))).await?)
    }

    /// The newest requests of this asker.
    pub(crate) async fn list(&self, status: Option<Status>, most: u64) -> Result<Vec<HubRecord>, ClientError> {
        let status = status.map_or_else(String::new, |status| format!("&status={}", status.name()));
        let until = Instant::now() + ASK_PATIENCE;
        let room = self.room_to_name(until).await?;
        let room = room.map_or_else(String::new, |room| format!("&room={}", escaped(room.as_str())));
        // Others may ask in the same room; what they asked is not delivered here.
        let asker = escaped(&persist(until, || self.me()).await?.name);
        let json = self.get(&format!("/requests?limit={most}&asker={asker}{status}{room}")).await?;
        json.get("items").and_then(Json::as_array).unwrap_or_default().iter().map(HubRecord::read).collect()
    }

    /// Takes a request away; the outcome that counts.
    pub(crate) async fn cancel(&self, record: &HubRecord, reason: Option<&str>) -> Result<Ended, ClientError> {
        let key = new_id().to_string();
        let body = Object::new().put_some("reason", reason).put("key", key);
        self.end(record, "cancel", &body.into()).await
    }

    /// Ends a request in one of the ways of the API, once, however often it has to be said.
    pub(super) async fn end(&self, record: &HubRecord, how: &str, body: &Json) -> Result<Ended, ClientError> {
        let client = self.client().await?;
        let path = format!("/requests/{}/{how}", escaped(&record.id));
        let unreadable = || ClientError::Foreign("it says that what has ended is pending".to_owned());
        match persist(Instant::now() + ASK_PATIENCE, || client.post(&path, body)).await {
            Ok((_, json)) => outcome(&json, &record.request)?.map(Ended::ByUs).ok_or_else(unreadable),
            Err(ClientError::Refused { kind: Kind::AlreadyEnded, problem, .. }) => {
                let json = problem.get("outcome").cloned().unwrap_or(Json::Null);
                outcome(&json, &record.request)?.map(Ended::Before).ok_or_else(unreadable)
            }
            Err(error) => Err(error),
        }
    }

    /// What is at an address of the API.
    pub(super) async fn get(&self, path: &str) -> Result<Json, ClientError> {
        let client = self.client().await?;
        persist(Instant::now() + ASK_PATIENCE, || client.get(path)).await
    }

    /// Says something that may be said twice.
    pub(super) async fn post(&self, path: &str, body: &Json) -> Result<Json, ClientError> {
        let client = self.client().await?;
        Ok(persist(Instant::now() + ASK_PATIENCE, || client.post(path, body)).await?.1)
    }
}

/// What became of an outcome on its way to the asker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivery {
    Made,
    Failed,
}

/// How a request ended that was to be ended.
pub(crate) enum Ended {
    ByUs(Outcome),
    Before(Outcome),
}

impl Me {
    /// Whether the person lets this client's own dialog count (S1).
    pub(crate) fn lets_dialog_count(&self, client: &str) -> bool {
        self.dialogs.iter().any(|name| name == client)
    }
}

async fn seek(arguments: HubArgs) -> Result<Client, ClientError> {
    let found = tokio::task::spawn_blocking(move || arguments.asker(Absent::Start)).await;
    let found = found.map_err(|error| ClientError::Nobody(error.to_string()))??;
    found.ok_or_else(|| ClientError::Nobody("there is no hub, and none could be started".to_owned()))
}

/// Tries until it works, fails for good, or it is too late.
async fn persist<T, F>(until: Instant, mut attempt: impl FnMut() -> F) -> Result<T, ClientError>
where
    F: Future<Output = Result<T, ClientError>>,
{
    loop {
        match attempt().await {
            Err(error) if error.is_passing() && Instant::now() + RETRY < until => sleep(RETRY).await,
            result => return result,
        }
    }
}
