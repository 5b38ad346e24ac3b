//! The server of a hub, from start to stop.

use crate::app::App;
use crate::gate::{Gate, PublicUrl};
use crate::listen;
use crate::on_request::{self, CommandLine, OnRequest};
use crate::service::Service;
use crate::service::audience::Audience;
use crate::webhook::{self, Hook, Hooks};
use askback_core::Status;
use askback_hub::Hub;
use askback_script::WorkerProgram;
use futures_util::future::OptionFuture;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::watch;

/// The options of a server.
#[derive(Debug, Default)]
pub struct ServerOptions {
    /// The public address, if it differs from the one the server listens on.
    pub public_url: Option<PublicUrl>,
    /// The command to run for every new request.
    pub on_request: Option<CommandLine>,
    /// The receivers of events.
    pub hooks: Vec<Arc<Hook>>,
    /// The names of the MCP clients whose own dialog is accepted as a surface (S1).
    pub dialogs: Vec<String>,
    /// The directory in which sessions of MCP clients survive a restart.
    pub mcp_sessions: Option<PathBuf>,
    /// The program that runs scripts, in processes of its own; without it there are no scripts.
    pub script_worker: Option<WorkerProgram>,
}

/// A server, which accepts calls once it is [run](Server::run).
pub struct Server {
    app: Arc<App>,
    hooks: Option<Hooks>,
    on_request: Option<OnRequest>,
    stopping: watch::Sender<bool>,
}

impl Server {
    /// The canonical origin of a server that listens on this address: links lead to it, and only its page logs browsers in.
    pub fn origin(listen: SocketAddr, options: &ServerOptions) -> String {
        Gate::new(listen, options.public_url.as_ref()).address
    }

    /// Starts the webhooks and the command of a server that listens on this address.
    pub async fn start(hub: &Hub, listen: SocketAddr, options: ServerOptions) -> io::Result<Self> {
        let gate = Gate::new(listen, options.public_url.as_ref());
        let url = gate.address.clone();
        let notified = options.hooks.iter().filter(|hook| hook.events.contains(&Status::Pending));
        let notified = notified.map(|hook| hook.room.clone()).chain(options.on_request.iter().map(|_| None));
        let (stopping, is_stopping) = watch::channel(false);
        let audience = Audience::notifying(notified.collect());
        let service = Service::new(hub.clone(), &url, options.dialogs, audience, is_stopping);
        let service = service.with_script_worker(options.script_worker);
        let hooks = webhook::start(hub, &options.hooks, &url).await?;
        let on_request = match options.on_request {
            Some(line) => Some(on_request::start(hub, line).await?),
            None => None,
        };
        let app = Arc::new(App::new(Arc::new(service), gate, options.mcp_sessions));
        Ok(Self { app, hooks, on_request, stopping })
    }

    /// Accepts calls until `stop` completes. Then running calls are finished, and waiting calls are refused as transient.
    pub async fn run(self, tcp: TcpListener, local: UnixListener, stop: impl Future<Output = ()>) {
        let Self { app, hooks, on_request, stopping } = self;
        let stop = async {
            stop.await;
            // Before anything else: a waiting call retries on the next hub.
            let _ = stopping.send(true);
        };
        listen::serve(app, tcp, Some(local), stop).await;
        tokio::join!(OptionFuture::from(hooks.map(Hooks::stop)), OptionFuture::from(on_request.map(OnRequest::stop)));
    }
}
