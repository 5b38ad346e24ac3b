//! The command line as a client of a hub: the one of this machine, or one behind an address.

use crate::data;
use crate::exit::Exit;
use crate::fault::Kind;
use crate::hub::background;
use crate::hub::place::{Place, Whose};
use crate::transport::Target;
use askback_core::{Json, Limits};
use clap::Args;
use connection::{Connection, Within};
use hyper::Method;
use std::io;
use std::sync::Arc;
use thiserror::Error;

pub(crate) mod connection;
mod events;
pub(crate) mod link;
pub(crate) mod record;

pub(crate) use events::{EventStream, Told};

/// Which hub.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Hub")]
pub(crate) struct HubArgs {
    /// The hub to talk to; the one of this machine unless given. Its token is in ASKBACK_TOKEN
    #[arg(long = "hub", value_name = "URL", env = "ASKBACK_HUB", hide_env_values = true)]
    url: Option<String>,
}

/// What to do where no hub is running on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Absent {
    Start,
    Leave,
}

/// Why a call did not work.
#[derive(Debug, Clone, Error)]
pub(crate) enum ClientError {
    /// Nobody knows whether it arrived.
    #[error("the hub can't be reached: {0}")]
    Lost(String),
    /// The hub says no.
    #[error("{detail}")]
    Refused { kind: Kind, detail: String, problem: Box<Json> },
    /// What came back is no answer of a hub.
    #[error("this is no hub of askback's kind: {0}")]
    Foreign(String),
    /// There is nobody to be, or no hub.
    #[error("{0}")]
    Nobody(String),
    /// What was asked for is not there.
    #[error("{0}")]
    Usage(String),
}

impl ClientError {
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Refused { kind, .. } => kind.exit(),
            Self::Lost(_) | Self::Nobody(_) => Exit::Nobody,
            Self::Foreign(_) | Self::Usage(_) => Exit::Wrong,
        }
    }

    /// Whether the same may work in a moment.
    pub(crate) fn is_passing(&self) -> bool {
        match self {
            Self::Lost(_) => true,
            Self::Refused { kind, .. } => matches!(kind, Kind::Stopping | Kind::TooMany | Kind::StoreFailed),
            Self::Foreign(_) | Self::Nobody(_) | Self::Usage(_) => false,
        }
    }

    pub(crate) fn kind(&self) -> Option<Kind> {
        match self {
            Self::Refused { kind, .. } => Some(*kind),
            _ => None,
        }
    }
}

impl From<io::Error> for ClientError {
    fn from(error: io::Error) -> Self {
        Self::Nobody(error.to_string())
    }
}

/// Somebody who talks to a hub.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    connection: Connection,
    /// Where browsers find the hub.
    pub(crate) url: Option<String>,
}

impl HubArgs {
    /// Whether a hub was named, by an argument or by the environment.
    pub(crate) fn is_remote(&self) -> bool {
        self.url.is_some()
    }

    /// The hub of this machine.
    pub(crate) fn of_this_machine() -> Self {
        Self { url: None }
    }

    /// The two sides of a race with the terminal, if a hub runs: who asks, and who may answer here.
    pub(crate) fn racers(&self) -> Result<Option<(Client, Client)>, ClientError> {
        let Some(asker) = self.asker(Absent::Leave)? else { return Ok(None) };
        Ok(self.person(Absent::Leave)?.map(|person| (asker, person)))
    }

    /// A client that asks.
    pub(crate) fn asker(&self, absent: Absent) -> Result<Option<Client>, ClientError> {
        self.client(Whose::Asker, absent)
    }

    /// A client that answers. Where there is no terminal there is no person, and an agent must not be one: then only a token
    /// that was given counts.
    pub(crate) fn person(&self, absent: Absent) -> Result<Option<Client>, ClientError> {
        if given_token().is_none() && !self.is_remote() && !askback_term::is_person_here() {
            return Err(ClientError::Nobody(
                "there is no terminal, so nobody here can be taken for a person: set ASKBACK_TOKEN to a person's token \
                 (`askback token create --role answerer --name NAME`, at a terminal, makes one)"
                    .to_owned(),
            ));
        }
        self.client(Whose::Person, absent)
    }

    /// A client that looks: the person, where there is one, or else the asker.
    pub(crate) fn anybody(&self, absent: Absent) -> Result<Option<Client>, ClientError> {
        let is_person = given_token().is_some() || askback_term::is_person_here();
        let whose = if is_person { Whose::Person } else { Whose::Asker };
        self.client(whose, absent)
    }

    fn client(&self, whose: Whose, absent: Absent) -> Result<Option<Client>, ClientError> {
        if let Some(url) = &self.url {
            let token = given_token().ok_or_else(|| {
                ClientError::Nobody(format!("{url} needs a token: set ASKBACK_TOKEN to one that its admin made"))
            })?;
            return Client::at(url, token).map(Some);
        }
        let folder = match (data::folder(), absent) {
            (Ok(folder), _) => folder,
            // Where nothing can be kept, no hub is running.
            (Err(_), Absent::Leave) => return Ok(None),
            (Err(error), Absent::Start) => return Err(error.into()),
        };
        let place = Place::at(&folder);
        let info = match absent {
            Absent::Start => Some(background::running_or_started(&place)?),
            Absent::Leave => background::running(&place)?,
        };
        let Some(info) = info else { return Ok(None) };
        // A token in the environment says which person one is; who asks here is this machine's user.
        let token = match given_token().filter(|_| whose == Whose::Person) {
            Some(token) => token,
            None => place.token(whose)?.ok_or_else(|| {
                let folder = place.folder().display();
                ClientError::Nobody(format!(
                    "the hub's credentials are not in {folder}: start it again with `askback hub stop`"
                ))
            })?,
        };
        Ok(Some(Client { connection: Connection::local(&info, token, place), url: info.url }))
    }
}

/// The token in the environment.
pub(crate) fn given_token() -> Option<String> {
    std::env::var("ASKBACK_TOKEN").ok().filter(|token| !token.is_empty())
}

impl Client {
    /// To the hub behind an address.
    pub(crate) fn at(url: &str, token: String) -> Result<Self, ClientError> {
        let target = Target::parse(url).map_err(ClientError::Nobody)?;
        Ok(Self { connection: Connection::new(target, token), url: Some(url.to_owned()) })
    }

    /// To the hub that this process is, by its API.
    pub(crate) fn within(api: Arc<dyn Within>, token: String) -> Self {
        Self { connection: Connection::within(api, token), url: None }
    }

    /// The same for what must not be lost, such as an answer that a person has given: a hub that was stopped is started.
    pub(crate) fn insisting(self) -> Self {
        Self { connection: self.connection.insisting(), ..self }
    }

    /// Whether it talks to the hub of this machine.
    pub(crate) fn is_local(&self) -> bool {
        self.connection.is_local()
    }

    /// Whether the hub can be reached at all.
    pub(crate) async fn connect(&self) -> Result<(), ClientError> {
        self.connection.connect().await
    }

    pub(crate) async fn get(&self, path: &str) -> Result<Json, ClientError> {
        Ok(self.call(Method::GET, path, None).await?.1)
    }

    pub(crate) async fn post(&self, path: &str, body: &Json) -> Result<(u16, Json), ClientError> {
        self.call(Method::POST, path, Some(body.to_string())).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Result<(), ClientError> {
        self.call(Method::DELETE, path, None).await.map(drop)
    }

    /// What happens from now on, or after an event.
    pub(crate) async fn events(&self, query: &str, after: Option<u64>) -> Result<EventStream, ClientError> {
        let path = format!("/api/v1/events{query}");
        EventStream::open(self.connection.stream(&path, after).await?).await
    }

    async fn call(&self, method: Method, path: &str, body: Option<String>) -> Result<(u16, Json), ClientError> {
        // On the heap, since whoever waits for many answers at once would carry it along in each of its own branches.
        let path = format!("/api/v1{path}");
        let (status, bytes) = Box::pin(self.connection.call(method, &path, body)).await?;
        if status == 204 {
            return Ok((status, Json::Null));
        }
        let json = Json::parse(&bytes, &Limits::STORED).map_err(|_| foreign(status))?;
        if (200..300).contains(&status) { Ok((status, json)) } else { Err(refused(status, json)) }
    }
}

fn refused(status: u16, problem: Json) -> ClientError {
    let Some(kind) = Kind::of_problem(&problem) else { return foreign(status) };
    let detail = problem.get("detail").and_then(Json::as_str).unwrap_or("it does not say why").to_owned();
    ClientError::Refused { kind, detail, problem: Box::new(problem) }
}

/// What is no answer of a hub. A proxy before one that is being started again says so by its status, and nobody knows then
/// whether the call had arrived.
fn foreign(status: u16) -> ClientError {
    match status {
        408 | 429 | 500..=599 => ClientError::Lost(format!("something on the way answers {status}")),
        _ => ClientError::Foreign(format!("it answers {status}, and not as a hub does")),
    }
}

/// A value for a path or a query.
pub(crate) fn escaped(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}
