//! `askback token`: giving tokens to agents and people, and taking them back.

use super::{person, run};
use crate::cli::{Runs, print};
use crate::client::HubArgs;
use crate::exit::Exit;
use askback_core::show::show_json;
use askback_core::{Json, Object};
use clap::{Args, Subcommand};
use std::io;

/// Make, list and revoke the tokens with which agents ask and people answer
#[derive(Debug, Args)]
#[command(after_help = "For example: askback token create --role asker --name ci --room shop")]
pub(crate) struct TokenArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Make a token, and print it; it can't be shown again
    #[command(after_help = "For example: askback token create --role answerer --name reviewer")]
    Create {
        /// What its holder may do: ask; answer; or answer and make tokens
        #[arg(long, value_parser = ["asker", "answerer", "admin"])]
        role: String,

        /// Who its holder is; what they ask and answer is signed with it
        #[arg(long)]
        name: String,

        /// The only room it is for. Without one an asker sees what it asked itself, and a person everything
        #[arg(long)]
        room: Option<String>,

        /// When it stops to count, such as 2026-12-31T00:00:00Z; never unless given
        #[arg(long, value_name = "MOMENT")]
        expires: Option<String>,

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

impl Runs for TokenArgs {
    const NAME: &'static str = "token";

    fn run(&self) -> io::Result<Exit> {
        match &self.what {
            What::Create { role, name, room, expires, hub } => run(async {
                let body = Object::new()
                    .put("role", role.as_str())
                    .put("name", name.as_str())
                    .put_some("room", room.as_deref())
                    .put_some("expiresAt", expires.as_deref());
                let (_, token) = person(hub)?.post("/tokens", &body.into()).await?;
                Ok(print(token.get("token").and_then(Json::as_str).unwrap_or_default())?)
            }),
            What::List { json, hub } => run(async {
                let tokens = person(hub)?.get("/tokens").await?;
                if *json {
                    return Ok(print(&show_json(&tokens.to_string()))?);
                }
                let rows = items(&tokens).iter().map(row).collect::<Vec<_>>();
                Ok(print(&rows.join("\n"))?)
            }),
            What::Revoke { token, hub } => run(async {
                let client = person(hub)?;
                let (tokens, own) = (client.get("/tokens").await?, number(&client.get("/me").await?));
                let is_number = token.bytes().all(|byte| byte.is_ascii_digit());
                let is_meant = |item: &&Json| {
                    if is_number {
                        return number(item) == *token;
                    }
                    item.get("name").and_then(Json::as_str) == Some(token.as_str()) && number(item) != own
                };
                let numbers: Vec<String> = items(&tokens).iter().filter(is_meant).map(number).collect();
                if numbers.is_empty() {
                    let token = askback_core::show::quote(token);
                    let why = format!("there is no token {token}: `askback token list` shows them");
                    return Err(io::Error::other(why).into());
                }
                for number in &numbers {
                    match client.delete(&format!("/tokens/{number}")).await {
                        // It went with another.
                        Err(error) if error.kind() == Some(crate::fault::Kind::NotFound) => {}
                        revoked => revoked?,
                    }
                }
                Ok(print(&format!("revoked {}", numbers.join(", ")))?)
            }),
        }
    }
}

fn items(tokens: &Json) -> &[Json] {
    tokens.get("items").and_then(Json::as_array).unwrap_or_default()
}

fn number(item: &Json) -> String {
    match item.get("number") {
        Some(Json::Number(number)) => format!("{number}"),
        _ => String::new(),
    }
}

fn row(item: &Json) -> String {
    let text = |name: &str| item.get(name).and_then(Json::as_str).map(super::line);
    let room = text("room").map_or_else(String::new, |room| format!("  room {room}"));
    let until = text("expiresAt").map_or_else(String::new, |until| format!("  until {until}"));
    let [purpose, role, name] = ["purpose", "role", "name"].map(|field| text(field).unwrap_or_default());
    format!("{:>4}  {role:<8}  {purpose:<7}  {name}{room}{until}", number(item))
}
