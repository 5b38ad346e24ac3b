//! `askback doctor`: what works here, and what to do about what does not.

use crate::console::{line, print};
use crate::error::CliError;
use crate::exit::Exit;
use crate::hub::data_dir::{DataDir, Holder, data_folder};
use crate::hub_args::{Caller, HubArgs, given_token};
use crate::signals::block_on;
use crate::subcommand::Subcommand;
use askback_api::{API_VERSION, ApiError, HubApi, RoomQuery};
use askback_client::Client;
use askback_term::Caps;
use clap::Args;
use std::io;
use std::os::unix::fs::MetadataExt;

/// Check what askback needs here: the data folder, the hub, its credentials, the terminal
#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 everything works · 1 something does not\n\nFor example: askback doctor")]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    hub: HubArgs,
}

enum Finding {
    Good(String),
    /// Worth knowing, and no reason to worry.
    Note(String),
    Bad(String),
}

impl Subcommand for DoctorArgs {
    fn run(&self) -> Result<Exit, CliError> {
        block_on(async {
            let mut findings =
                vec![Finding::Good(format!("askback {} (API {API_VERSION})", env!("CARGO_PKG_VERSION")))];
            match if self.hub.is_remote() { Ok(Vec::new()) } else { local() } {
                Ok(found) => {
                    findings.extend(found);
                    findings.extend(self.hub().await);
                }
                Err(unusable) => findings.push(Finding::Bad(unusable.to_string())),
            }
            findings.push(if askback_term::is_person_here() {
                Finding::Good("questions can be asked in this terminal".to_owned())
            } else {
                Finding::Note("there is no terminal here: questions go to the hub".to_owned())
            });
            let is_utf8 = Caps::from_environment().alphabet == askback_term::Alphabet::Unicode;
            let (good, bad) = if is_utf8 { ("✔", "✘") } else { ("[ok]", "[no]") };
            let mut exit = Exit::Done;
            for finding in findings {
                match finding {
                    Finding::Good(text) => print(&format!("{good} {text}"))?,
                    Finding::Note(text) => print(&format!("- {text}"))?,
                    Finding::Bad(text) => {
                        exit = Exit::Refused;
                        print(&format!("{bad} {text}"))?
                    }
                };
            }
            Ok(exit)
        })?
    }
}

/// The files of this machine; an error if the data directory can't be used.
fn local() -> Result<Vec<Finding>, CliError> {
    let folder = data_folder()?;
    let data_dir = DataDir::at(&folder);
    let mut findings = vec![match std::fs::metadata(&folder) {
        Ok(found) => {
            data_dir.check()?;
            if found.mode() & 0o077 == 0 {
                Finding::Good(format!("data is kept in {}", folder.display()))
            } else {
                let shown = folder.display();
                Finding::Bad(format!("others can look into {shown}, where the credentials are: chmod 700 it"))
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Finding::Note(format!("there is no {} yet: the hub makes it", folder.display()))
        }
        Err(error) => Finding::Bad(format!("{} can't be read: {error}", folder.display())),
    }];
    findings.push(match crate::config::Config::read(&data_dir.config()) {
        Ok(_) if data_dir.config().exists() => Finding::Good(format!("{} is well", data_dir.config().display())),
        Ok(_) => Finding::Note("there is no config.toml: everything is as it comes".to_owned()),
        Err(error) => Finding::Bad(error.to_string()),
    });
    let info = data_dir.info();
    let holder = data_dir.holder();
    let is_running = matches!(holder, Ok(Holder::Process(_)));
    let few = info.as_ref().and_then(|info| info.few_connections).filter(|_| is_running);
    findings.push(match (holder, info) {
        (Ok(Holder::Process(Some(pid))), Some(info)) => {
            let url = info.url.as_deref().unwrap_or("no address");
            Finding::Good(format!("the hub is running: askback {}, process {pid}, {url}", info.version))
        }
        (Ok(Holder::Process(_)), _) => Finding::Bad("a process has the hub's lock, but does not listen yet".to_owned()),
        (Ok(Holder::Nobody), _) => match data_dir.last_failure() {
            Some(why) => Finding::Bad(format!("no hub is running, and the last one ended with: {}", line(&why))),
            None => Finding::Note("no hub is running: the first command that needs one starts it".to_owned()),
        },
        (Err(error), _) => Finding::Bad(format!("the hub's lock can't be read: {error}")),
    });
    findings.extend(few.map(|connections| {
        Finding::Bad(format!(
            "the hub can have only {connections} connections at the same time, since it may open few files: raise the limit \
             (`ulimit -n`, LimitNOFILE=), then `askback hub stop`; the next command starts it again"
        ))
    }));
    Ok(findings)
}

impl DoctorArgs {
    /// Who we are there.
    async fn hub(&self) -> Vec<Finding> {
        if given_token().is_some() {
            let client = self.hub.running_client(Caller::Anybody);
            return who("the token in ASKBACK_TOKEN", client).await.into_iter().collect();
        }
        let asker = who("commands that ask", self.hub.running_client(Caller::Asker));
        let person = async {
            match self.hub.running_client(Caller::Person) {
                Err(error) if !askback_term::is_person_here() => Some(Finding::Note(error.to_string())),
                client => who("the person here", client).await,
            }
        };
        // At the same time: a hub that does not answer is waited for once.
        let (asker, person) = tokio::join!(asker, person);
        [asker, person].into_iter().flatten().collect()
    }
}

async fn who(what: &str, client: Result<Option<Client>, ApiError>) -> Option<Finding> {
    let client = match client {
        Ok(client) => client?,
        Err(error) => return Some(Finding::Bad(error.to_string())),
    };
    Some(match client.me(RoomQuery::default()).await {
        Ok(me) => Finding::Good(format!("{what}: {} ({})", line(me.token.name.as_str()), me.token.role.name())),
        Err(error) => Finding::Bad(format!("{what}: {error}")),
    })
}
