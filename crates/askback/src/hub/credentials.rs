//! The credentials of this machine: one of its person, and one of the agents that act for that person (S9).

use super::data_dir::{DataDir, LocalCredential};
use super::store::StoreUrl;
use crate::error::CliError;
use crate::sign;
use askback_core::Name;
use askback_hub::{Hub, HubError, HubLimits, Role, Secret, Token};
use std::io;
use std::sync::Arc;

/// Opens the hub of a data directory, whose credential files then hold what the hub knows.
pub(crate) async fn open_hub(store: &StoreUrl, limits: HubLimits, data_dir: &DataDir) -> Result<Hub, CliError> {
    let mut hub = super::store::open_hub(store, limits.clone()).await?;
    if let Some((agents, name)) = misnamed_agents(&hub, data_dir)? {
        tracing::info!(
            from = agents.name.as_str(),
            to = name.as_str(),
            "the agents of this machine get their own name"
        );
        hub.rename_asker(agents.number, name).await?;
        hub = super::store::open_hub(store, limits).await?;
    }
    for (credential, role, name) in [
        (LocalCredential::Asker, Role::Asker, sign::agents_name()?),
        (LocalCredential::Person, Role::Admin, sign::user_name()?),
    ] {
        if known(&hub, data_dir, credential, role)?.is_none() {
            let secret = issue(&hub, role, name).await?;
            data_dir.keep_token(credential, secret.as_str())?;
        }
    }
    Ok(hub)
}

/// Issues a credential of this machine, which replaces the one whose file was lost.
async fn issue(hub: &Hub, role: Role, name: Name) -> Result<Secret, CliError> {
    match hub.issue_local(role, name).await {
        // Another program's token has it, and the two would see each other's requests.
        Err(HubError::NameTaken(_)) => {
            Ok(hub.issue_local(role, sign::agents_of(&sign::user_name()?, "local agents")?).await?.1)
        }
        issued => Ok(issued?.1),
    }
}

/// The token in a credential file, if the hub knows it in this role.
fn known(hub: &Hub, data_dir: &DataDir, credential: LocalCredential, role: Role) -> io::Result<Option<Arc<Token>>> {
    let kept = data_dir.token(credential)?;
    Ok(kept.and_then(|secret| hub.authenticate(&secret)).filter(|token| token.role == role))
}

/// The asker's token of a data directory in which an older version issued it under the person's own name, and the name it should
/// have. It is renamed with all that was asked under it: the secret stays, so that running agents go on, and what they have asked
/// stays theirs. While another asker's token has the old name, it keeps that name: requests belong to a name, and renaming them
/// would take the other asker's away from it. Every start tries again.
fn misnamed_agents(hub: &Hub, data_dir: &DataDir) -> Result<Option<(Arc<Token>, Name)>, CliError> {
    let Some(agents) = known(hub, data_dir, LocalCredential::Asker, Role::Asker)? else { return Ok(None) };
    let person = known(hub, data_dir, LocalCredential::Person, Role::Admin)?.map(|person| person.name.clone());
    if Some(&agents.name) != person.as_ref() && agents.name != sign::user_name()? {
        return Ok(None);
    }
    if let Some(other) = hub.asker_of_same_name(&agents) {
        tracing::warn!(
            name = agents.name.as_str(),
            token = other.number,
            "the agents of this machine still act under the person's name, because another asker's token has it as well: \
             issue that token again under another name, revoke it, and restart the hub"
        );
        return Ok(None);
    }
    let name = sign::agents_of(&agents.name, "agents")?;
    // An asker without a room sees what was asked under its name: two of one name would see each other's.
    let is_taken = hub.tokens().iter().any(|token| token.role == Role::Asker && token.name == name);
    let name = if is_taken { sign::agents_of(&agents.name, "local agents")? } else { name };
    Ok(Some((agents, name)))
}
