//! Which hub a command talks to, and as whom: the hub of this machine, or one behind an address.

use crate::hub::background;
use crate::hub::data_dir::{DataDir, Info, LocalCredential, data_folder};
use askback_api::ApiError;
use askback_client::Client;
use askback_client::transport::Target;
use clap::Args;
use std::error::Error;
use std::sync::Arc;

/// Which hub.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Hub")]
pub(crate) struct HubArgs {
    /// The hub to talk to; the one of this machine unless given. Its token is in ASKBACK_TOKEN
    #[arg(long = "hub", value_name = "URL", env = "ASKBACK_HUB", hide_env_values = true)]
    url: Option<String>,
}

/// The identity under which a command talks to a hub.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Caller {
    /// The agents of this machine, for asking.
    Asker,
    /// The person of this machine, for answering. Where there is no terminal there is no person, and an agent must not be one:
    /// then only a token that was given counts.
    Person,
    /// The person, where there is one, or else the asker: for looking.
    Anybody,
}

impl HubArgs {
    /// Whether a hub was named, by an argument or by the environment.
    pub(crate) fn is_remote(&self) -> bool {
        self.url.is_some()
    }

    pub(crate) fn of_this_machine() -> Self {
        Self { url: None }
    }

    /// The two sides of a race with the terminal, if a hub runs: the asker, and the person who may answer here.
    pub(crate) fn racers(&self) -> Result<Option<(Client, Client)>, ApiError> {
        let Some(asker) = self.running_client(Caller::Asker)? else { return Ok(None) };
        Ok(self.running_client(Caller::Person)?.map(|person| (asker, person)))
    }

    /// A client of the hub. This machine's is started if need be: it keeps pending requests, running or not.
    pub(crate) fn client(&self, caller: Caller) -> Result<Client, ApiError> {
        let credential = self.credential(caller)?;
        if let Some(url) = &self.url {
            return remote_client(url);
        }
        let data_dir = DataDir::at(&data_folder().map_err(unavailable)?);
        let info = background::running_or_started(&data_dir).map_err(unavailable)?;
        local_client(data_dir, info, credential)
    }

    /// The same, without starting the hub of this machine.
    pub(crate) fn running_client(&self, caller: Caller) -> Result<Option<Client>, ApiError> {
        let credential = self.credential(caller)?;
        if let Some(url) = &self.url {
            return remote_client(url).map(Some);
        }
        // Where nothing can be kept, no hub is running.
        let Ok(folder) = data_folder() else { return Ok(None) };
        let data_dir = DataDir::at(&folder);
        let info = background::running(&data_dir).map_err(unavailable)?;
        info.map(|info| local_client(data_dir, info, credential)).transpose()
    }

    fn credential(&self, caller: Caller) -> Result<LocalCredential, ApiError> {
        let is_person = || given_token().is_some() || askback_term::is_person_here();
        match caller {
            Caller::Person if !self.is_remote() && !is_person() => Err(unavailable(
                "there is no terminal, so nobody here can be taken for a person: set ASKBACK_TOKEN to a person's token \
                 (`askback token create --role answerer --name NAME`, at a terminal, makes one)",
            )),
            Caller::Person => Ok(LocalCredential::Person),
            Caller::Anybody if is_person() => Ok(LocalCredential::Person),
            Caller::Anybody | Caller::Asker => Ok(LocalCredential::Asker),
        }
    }
}

fn remote_client(url: &str) -> Result<Client, ApiError> {
    let missing = || unavailable(format!("{url} needs a token: set ASKBACK_TOKEN to one that its admin made"));
    Client::at(url, given_token().ok_or_else(missing)?)
}

fn local_client(data_dir: DataDir, info: Info, credential: LocalCredential) -> Result<Client, ApiError> {
    // A token in the environment says which person one is; who asks here is this machine's user.
    let token = match given_token().filter(|_| credential == LocalCredential::Person) {
        Some(token) => token,
        None => data_dir.token(credential).map_err(unavailable)?.ok_or_else(|| {
            let folder = data_dir.folder.display();
            unavailable(format!("the hub's credentials are not in {folder}: start it again with `askback hub stop`"))
        })?,
    };
    Ok(Client::of_this_machine(Target::Local(info.socket), token, info.url, Arc::new(data_dir)))
}

pub(crate) fn unavailable(why: impl Into<Box<dyn Error + Send + Sync>>) -> ApiError {
    ApiError::Unavailable(why.into().to_string())
}

/// The token in the environment.
pub(crate) fn given_token() -> Option<String> {
    std::env::var("ASKBACK_TOKEN").ok().filter(|token| !token.is_empty())
}
