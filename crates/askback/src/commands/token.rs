//! `askback token`: giving tokens to agents and people, and taking them back.

use super::{json_text, moment_parser};
use crate::console::{line, print};
use crate::error::CliError;
use crate::exit::Exit;
use crate::hub_args::{Caller, HubArgs};
use crate::signals::block_on;
use crate::subcommand::Subcommand;
use askback_api::{HubApi, PersonApi, ProblemCode, RoomQuery, TokenBody, TokenInfo};
use askback_core::Role;
use askback_core::show::quote;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use jiff::Timestamp;

/// Make, list and revoke the tokens with which agents ask and people answer
#[derive(Debug, Args)]
#[command(after_help = "For example: askback token create --role asker --name ci --room shop")]
pub(crate) struct TokenArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Make a token, and print it; it can't be shown again
    #[command(after_help = "For example: askback token create --role answerer --name reviewer")]
    Create {
        /// What its holder may do: ask; answer; or answer and make tokens
        #[arg(long, value_parser = role_parser())]
        role: Role,

        /// Who its holder is; what they ask and answer is signed with it
        #[arg(long)]
        name: String,

        /// The only room it is for. Without one an asker sees what it asked itself, and a person everything
        #[arg(long)]
        room: Option<String>,

        /// When it stops to count, such as 2026-12-31T00:00:00Z; never unless given
        #[arg(long, value_name = "MOMENT", value_parser = moment_parser)]
        expires: Option<Timestamp>,

        #[command(flatten)]
        hub: HubArgs,
    },
    /// List the tokens that count, and who is logged in
    #[command(after_help = "For example: askback token list --json")]
    List {
        /// Print them as JSON
        #[arg(long)]
        json: bool,

        #[command(flatten)]
        hub: HubArgs,
    },
    /// Take a token back, and end whatever it is used for at this moment
    #[command(after_help = "For example: askback token revoke 3")]
    Revoke {
        /// Its number on the list, or the name whose tokens are all to be taken back, but for the one that says so
        token: String,

        #[command(flatten)]
        hub: HubArgs,
    },
}

impl Subcommand for TokenArgs {
    fn run(&self) -> Result<Exit, CliError> {
        match &self.what {
            What::Create { role, name, room, expires, hub } => block_on(async {
                let body = TokenBody { role: *role, name: name.clone(), room: room.clone(), expires_at: *expires };
                print(&hub.client(Caller::Person)?.issue_token(body).await?.token)
            })?,
            What::List { json, hub } => block_on(async {
                let tokens = hub.client(Caller::Person)?.tokens().await?;
                if *json {
                    return print(&json_text(&tokens)?);
                }
                print(&tokens.items.iter().map(row).collect::<Vec<_>>().join("\n"))
            })?,
            What::Revoke { token, hub } => block_on(async {
                let client = hub.client(Caller::Person)?;
                let tokens = client.tokens().await?.items;
                let own = client.me(RoomQuery::default()).await?.token.number;
                let is_number = token.bytes().all(|byte| byte.is_ascii_digit());
                let is_meant = |item: &&TokenInfo| match is_number {
                    true => item.number.to_string() == *token,
                    false => item.name.as_str() == token && item.number != own,
                };
                let numbers: Vec<u64> = tokens.iter().filter(is_meant).map(|item| item.number).collect();
                if numbers.is_empty() {
                    let why = format!("there is no token {}: `askback token list` shows them", quote(token));
                    return Err(CliError::Wrong(why));
                }
                for number in &numbers {
                    match client.revoke_token(*number).await {
                        // It went with another.
                        Err(error) if error.code() == Some(ProblemCode::NotFound) => {}
                        revoked => revoked?,
                    }
                }
                let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
                print(&format!("revoked {}", numbers.join(", ")))
            })?,
        }
    }
}

fn row(item: &TokenInfo) -> String {
    let room = item.room.as_ref().map_or_else(String::new, |room| format!("  room {}", line(room.as_str())));
    let until = item.expires_at.map_or_else(String::new, |until| format!("  until {until}"));
    let (role, purpose, name) = (item.role.name(), item.purpose.name(), line(item.name.as_str()));
    format!("{:>4}  {role:<8}  {purpose:<7}  {name}{room}{until}", item.number)
}

fn role_parser() -> impl TypedValueParser<Value = Role> {
    PossibleValuesParser::new(Role::ALL.map(Role::name)).try_map(|name| Role::parse(&name))
}
