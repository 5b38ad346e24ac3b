//! `askback open`: a link with which a person logs in, once.

use super::{find, person, record, run};
use crate::cli::{Runs, print};
use crate::client::HubArgs;
use crate::exit::Exit;
use crate::login_link;
use askback_core::{Json, Object};
use clap::Args;
use std::io::{self, IsTerminal};

/// Print a link that logs a browser in: it works once, for ten minutes
///
/// With a request it leads to that one. On a terminal it is also a QR code, for a phone that can reach the hub.
#[derive(Debug, Args)]
#[command(after_help = "For example: askback open 58fb8350")]
pub(crate) struct OpenArgs {
    /// The id of a request to go to, or the end of it; the inbox unless given
    id: Option<String>,

    /// Open the page without scripts, for browsers that run none
    #[arg(long)]
    plain: bool,

    #[command(flatten)]
    hub: HubArgs,
}

impl Runs for OpenArgs {
    const NAME: &'static str = "open";

    fn run(&self) -> io::Result<Exit> {
        run(async {
            let client = person(&self.hub)?;
            let path = match &self.id {
                Some(id) => Some(format!("/r/{}", record(&client, &find(&client, id).await?).await?.id)),
                None => None,
            };
            let body = Object::new().put_some("path", path).put("plain", self.plain);
            let (_, link) = client.post("/login-links", &body.into()).await?;
            let url = super::line(link.get("url").and_then(Json::as_str).unwrap_or_default());
            // Nothing but the link for a program.
            if io::stdout().is_terminal() {
                if let Some(code) = login_link::qr_code(&url) {
                    print(&code)?;
                }
                if let Some(warning) = login_link::warning(&url) {
                    print(&format!("{warning}\n"))?;
                }
            }
            Ok(print(&url)?)
        })
    }
}
