//! A server for a hub, from its start to its end.

use crate::app::App;
use crate::gate::{Gate, PublicUrl};
use crate::listen;
use crate::on_request::{self, CommandLine, OnRequest};
use crate::service::Service;
use crate::service::audience::Audience;
use crate::webhook::{self, Hook, Hooks};
use askback_core::Status;
use askback_hub::Hub;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::watch;

/// How a server is to be.
#[derive(Debug, Default)]
pub struct ServerOptions {
    /// The address that people know it by, if that is another than the one it listens on.
    pub public_url: Option<PublicUrl>,
    /// The command that is run for every new request.
    pub on_request: Option<CommandLine>,
    /// The receivers of events.
    pub hooks: Vec<Arc<Hook>>,
    /// MCP clients whose own dialog counts (S1), by what they call themselves.
    pub dialogs: Vec<String>,
    /// Where sessions of MCP clients are kept over a restart.
    pub mcp_sessions: Option<PathBuf>,
}

/// A server that takes calls once it is [run](Server::run).
pub struct Server {
    app: Arc<App>,
    hooks: Hooks,
    on_request: OnRequest,
    stopping: watch::Sender<bool>,
}

impl Server {
    /// The canonical origin of a server that listens here: the one that links lead to, and the only one whose page logs in.
    pub fn origin(listen: SocketAddr, options: &ServerOptions) -> String {
        Gate::new(listen, options.public_url.as_ref()).address().to_owned()
    }

    /// Starts the webhooks and the command of a server that listens here.
    pub async fn start(hub: &Hub, listen: SocketAddr, options: ServerOptions) -> io::Result<Self> {
        let gate = Gate::new(listen, options.public_url.as_ref());
        let url = gate.address().to_owned();
        let told = options.hooks.iter().filter(|hook| hook.events.contains(&Status::Pending));
        let told = told.map(|hook| hook.room.clone()).chain(options.on_request.iter().map(|_| None));
        let (stopping, is_stopping) = watch::channel(false);
        let audience = Audience::told_of(told.collect());
        let service = Service::new(hub.clone(), &url, options.dialogs, audience, is_stopping);
        let hooks = webhook::start(hub, &options.hooks, &url).await?;
        let on_request = on_request::start(hub, options.on_request.as_ref()).await?;
        let app = Arc::new(App::new(Arc::new(service), gate, options.mcp_sessions));
        Ok(Self { app, hooks, on_request, stopping })
    }

    /// Takes calls until `stop` completes; then calls under way are finished, and those that wait are told to come back.
    pub async fn run(self, tcp: TcpListener, local: UnixListener, stop: impl Future<Output = ()>) {
        let Self { app, hooks, on_request, stopping } = self;
        let stop = async {
            stop.await;
            // Before anything else: a call that waits is to come back to the next hub.
            let _ = stopping.send(true);
        };
        listen::serve(app, tcp, Some(local), stop).await;
        tokio::join!(hooks.stop(), on_request.stop());
    }
}
