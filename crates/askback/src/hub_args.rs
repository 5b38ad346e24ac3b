//! Which hub a command talks to, and as whom: the hub of this machine, or one behind an address.

use crate::data;
use crate::hub::background;
use crate::hub::data_dir::{DataDir, LocalCredential};
use askback_api::ApiError;
use askback_client::Client;
use askback_client::transport::Target;
use clap::Args;
use std::sync::Arc;

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

impl HubArgs {
    /// Whether a hub was named, by an argument or by the environment.
    pub(crate) fn is_remote(&self) -> bool {
        self.url.is_some()
    }

    /// The hub of this machine.
    pub(crate) fn of_this_machine() -> Self {
        Self { url: None }
    }

    /// The two sides of a race with the terminal, if a hub runs: the asker, and the person who may answer here.
    pub(crate) fn racers(&self) -> Result<Option<(Client, Client)>, ApiError> {
        let Some(asker) = self.asker(Absent::Leave)? else { return Ok(None) };
        Ok(self.person(Absent::Leave)?.map(|person| (asker, person)))
    }

    /// A client that asks.
    pub(crate) fn asker(&self, absent: Absent) -> Result<Option<Client>, ApiError> {
        self.client(LocalCredential::Asker, absent)
    }

    /// A client that answers. Where there is no terminal there is no person, and an agent must not be one: then only a token
    /// that was given counts.
    pub(crate) fn person(&self, absent: Absent) -> Result<Option<Client>, ApiError> {
        if given_token().is_none() && !self.is_remote() && !askback_term::is_person_here() {
            return Err(ApiError::Unavailable(
                "there is no terminal, so nobody here can be taken for a person: set ASKBACK_TOKEN to a person's token \
                 (`askback token create --role answerer --name NAME`, at a terminal, makes one)"
                    .to_owned(),
            ));
        }
        self.client(LocalCredential::Person, absent)
    }

    /// A client that looks: the person, where there is one, or else the asker.
    pub(crate) fn anybody(&self, absent: Absent) -> Result<Option<Client>, ApiError> {
        let is_person = given_token().is_some() || askback_term::is_person_here();
        let credential = if is_person { LocalCredential::Person } else { LocalCredential::Asker };
        self.client(credential, absent)
    }

    fn client(&self, credential: LocalCredential, absent: Absent) -> Result<Option<Client>, ApiError> {
        if let Some(url) = &self.url {
            let token = given_token().ok_or_else(|| {
                ApiError::Unavailable(format!("{url} needs a token: set ASKBACK_TOKEN to one that its admin made"))
            })?;
            return Client::at(url, token).map(Some);
        }
        let unavailable = |error: std::io::Error| ApiError::Unavailable(error.to_string());
        let folder = match (data::folder(), absent) {
            (Ok(folder), _) => folder,
            // Where nothing can be kept, no hub is running.
            (Err(_), Absent::Leave) => return Ok(None),
            (Err(error), Absent::Start) => return Err(unavailable(error)),
        };
        let data_dir = DataDir::at(&folder);
        let info = match absent {
            Absent::Start => Some(background::running_or_started(&data_dir).map_err(unavailable)?),
            Absent::Leave => background::running(&data_dir).map_err(unavailable)?,
        };
        let Some(info) = info else { return Ok(None) };
        // A token in the environment says which person one is; who asks here is this machine's user.
        let token = match given_token().filter(|_| credential == LocalCredential::Person) {
            Some(token) => token,
            None => data_dir.token(credential).map_err(unavailable)?.ok_or_else(|| {
                let folder = data_dir.folder().display();
                ApiError::Unavailable(format!(
                    "the hub's credentials are not in {folder}: start it again with `askback hub stop`"
                ))
            })?,
        };
        Ok(Some(Client::of_this_machine(Target::Local(info.socket), token, info.url, Arc::new(data_dir))))
    }
}

/// The token in the environment.
pub(crate) fn given_token() -> Option<String> {
    std::env::var("ASKBACK_TOKEN").ok().filter(|token| !token.is_empty())
}
