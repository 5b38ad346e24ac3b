//! `askback open`: a link with which a person logs in, once.

use super::{person, run};
use crate::cli::{Runs, print};
use crate::client::HubArgs;
use crate::exit::Exit;
use crate::login_link;
use askback_core::{Json, Object};
use clap::Args;
use std::io::{self, IsTerminal};

/// Print a link that logs a browser in: it works once, for ten minutes
///
/// On a terminal also as a QR code, for a phone that can reach the hub.
#[derive(Debug, Args)]
#[command(after_help = "For example: askback open")]
pub(crate) struct OpenArgs {
    #[command(flatten)]
    hub: HubArgs,
}

impl Runs for OpenArgs {
    const NAME: &'static str = "open";

    fn run(&self) -> io::Result<Exit> {
        run(async {
            let (_, link) = person(&self.hub)?.post("/login-links", &Object::new().into()).await?;
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
