//! Who, where, when: what makes an outcome of a resolution.

use crate::error::CliError;
use askback_client::new_id;
use askback_core::limits::NAME_LENGTH;
use askback_core::{Name, Outcome, Resolution, Status, Surface};

/// An outcome with a fresh id, signed by the user of this machine, now.
pub(crate) fn sign(resolution: Resolution, surface: Surface) -> Result<Outcome, CliError> {
    let (id, at) = (new_id(), jiff::Timestamp::now());
    // Where nobody did anything, no person is named for it.
    let (by, surface) = match resolution.status() {
        Status::Expired => ("askback".to_owned(), Surface::Hub),
        _ => (user(), surface),
    };
    let outcome = Outcome::new(id.clone(), resolution.clone(), &by, surface, at);
    // A user's name is text like any other; one that can't stand in an outcome is not worth losing an answer.
    outcome.or_else(|_| Outcome::new(id, resolution, "user", surface, at)).map_err(CliError::wrong)
}

/// What the user of this machine is called.
fn user() -> String {
    let named = ["USER", "LOGNAME"].iter().find_map(|name| std::env::var(name).ok().filter(|name| !name.is_empty()));
    named.unwrap_or_else(|| "user".to_owned())
}

/// The same as a name, which requests and tokens have.
pub(crate) fn user_name() -> Result<Name, CliError> {
    Name::parse(&user()).or_else(|_| Name::parse("user")).map_err(CliError::wrong)
}

/// The name of this machine's agents: they act for its user, and never under the user's own name (S9).
pub(crate) fn agents_name() -> Result<Name, CliError> {
    agents_of(&user_name()?, "agents")
}

/// The name of a person's agents, which are called by a noun. A person's name too long for that is cut.
pub(crate) fn agents_of(person: &Name, noun: &str) -> Result<Name, CliError> {
    let end = format!("'s {noun}");
    let person: String = person.as_str().chars().take(NAME_LENGTH - end.len()).collect();
    Name::parse(&format!("{person}{end}")).map_err(CliError::wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    // S9
    #[test]
    fn agents_have_a_name_of_their_own_however_long_the_persons_is() {
        let named = |text: &str| agents_of(&Name::parse(text).unwrap(), "agents").unwrap().as_str().to_owned();
        assert_eq!(named("ada"), "ada's agents");
        let longest = "é".repeat(NAME_LENGTH);
        let agents = named(&longest);
        assert!(agents.ends_with("é's agents") && agents.chars().count() == NAME_LENGTH, "{agents}");
    }
}
