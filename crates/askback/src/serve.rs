//! `askback serve`: the hub, for every agent and every person.

use crate::config::Config;
use crate::error::CliError;
use crate::exit::Exit;
use crate::hub::credentials;
use crate::hub::data_dir::{DataDir, Info, Lock, data_folder};
use crate::hub::descriptors;
use crate::hub::store::{StoreUrl, open_hub};
use crate::log;
use crate::script_worker;
use crate::subcommand::Subcommand;
use askback_api::API_VERSION;
use askback_hub::{Hub, HubLimits, Timestamp};
use askback_server::{ConnectionLimits, PublicUrl, Server, ServerOptions};
use clap::Args;
use jiff::SignedDuration;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;
use tokio::net::{TcpListener, UnixListener};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The port that people know.
const LISTEN: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 4770);

/// How long an asker counts as there by the rules (L9).
const ATTENDED_FOR: SignedDuration = HubLimits::DEFAULT.attended_for;

/// How often a hub looks whether its folder is still there.
const LOOK: Duration = Duration::from_secs(2);

/// Run the hub in this terminal: HTTP for agents and browsers, a socket for the commands of this machine
///
/// Commands that need a hub start one in the background; this is for servers, and for looking on. It listens on this machine
/// alone. For other machines put a reverse proxy or a tunnel with TLS before it, and tell it its name with --public-url.
#[derive(Debug, Args)]
#[command(after_help = "For example: askback serve --listen 127.0.0.1:4771")]
pub(crate) struct ServeArgs {
    /// The address to listen on; port 0 takes any that is free
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,

    /// Listen beyond this machine, without TLS: for a network where everybody may read along
    #[arg(long)]
    beyond_loopback: bool,

    /// The address under which people reach it through a proxy or a tunnel, such as https://ask.example.com
    #[arg(long, value_name = "URL", value_parser = PublicUrl::parse)]
    public_url: Option<PublicUrl>,

    /// Where requests are kept: sqlite:PATH; the data folder's askback.db unless given
    #[arg(long, value_name = "STORE", value_parser = StoreUrl::parse)]
    store: Option<StoreUrl>,

    /// Print the description of the HTTP API (OpenAPI 3.1), and do nothing else
    #[arg(long)]
    openapi: bool,

    #[arg(long, hide = true)]
    background: bool,
}

impl Subcommand for ServeArgs {
    fn run(&self) -> Result<Exit, CliError> {
        if self.openapi {
            return crate::console::print(askback_server::openapi_text());
        }
        if self.background {
            // From here on the hub is nobody's child: what happens to a terminal or a job is no business of its.
            rustix::process::setsid().map_err(io::Error::from)?;
        }
        descriptors::close_on_exec();
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.enable_all().on_thread_start(askback_server::prepare_thread).build()?;
        let exit = runtime.block_on(self.serve());
        runtime.shutdown_background();
        exit
    }
}

impl ServeArgs {
    async fn serve(&self) -> Result<Exit, CliError> {
        let started_at = Timestamp::now();
        if started_at < Timestamp::UNIX_EPOCH {
            return Err(CliError::Wrong(format!(
                "this machine's clock says {started_at:.0}: set it, then start the hub again"
            )));
        }
        let data_dir = DataDir::make(&data_folder()?)?;
        let Some(lock) = data_dir.lock()? else {
            return if self.background { Ok(Exit::Done) } else { refuse_second(&data_dir) };
        };
        self.start_log(&data_dir);
        let config = Config::read(&data_dir.config())?;
        let listen = self.listen.or(config.listen);
        self.check_reach(listen.unwrap_or(LISTEN))?;
        let store = self.store.clone().unwrap_or_else(|| StoreUrl::Sqlite(data_dir.database()));
        let tcp = match self.bind(listen, &data_dir).await {
            Err(error)
                if error.kind() == io::ErrorKind::AddrInUse && listen.unwrap_or(LISTEN).port() == data_dir.port() =>
            {
                let hub = open_hub(&store, HubLimits::DEFAULT).await?;
                revoke_sessions(&hub).await?;
                hub.close().await?;
                return Err(error.into());
            }
            bound => bound?,
        };
        let address = tcp.local_addr()?;
        let limits = HubLimits { attended_for: config.attended_for.unwrap_or(ATTENDED_FOR), ..HubLimits::DEFAULT };
        if limits.attended_for < ATTENDED_FOR {
            tracing::warn!(
                "attended_for in config.toml is less than a minute: agents count as gone between two calls, and bulk \
                 dismissal takes away what they asked"
            );
        }
        let options = ServerOptions {
            public_url: self.public_url.clone().or(config.public_url),
            on_request: config.on_request,
            hooks: config.hooks,
            dialogs: config.dialogs,
            mcp_sessions: Some(data_dir.sessions()),
            script_worker: Some(script_worker::program()?),
        };
        let url = Server::origin(address, &options);
        let hub = credentials::open_hub(&store, limits, &data_dir).await?;
        let earlier = data_dir.origin();
        if earlier.as_ref().is_some_and(|earlier| *earlier != url) {
            revoke_sessions(&hub).await?;
        }
        // Only now: a hub that is killed before must find that it has moved when it starts again.
        if earlier.as_ref() != Some(&url) {
            data_dir.keep_origin(&url)?;
        }
        data_dir.keep_port(address.port());
        let socket = data_dir.socket()?;
        // The lock is ours, so that whoever made it is gone.
        let _ = std::fs::remove_file(&socket);
        let local = UnixListener::bind(&socket)
            .map_err(|error| CliError::Wrong(format!("the hub can't listen on {}: {error}", socket.display())))?;
        std::fs::set_permissions(&socket, std::fs::Permissions::from_mode(0o600))?;
        tracing::info!(%url, pid = std::process::id(), version = env!("CARGO_PKG_VERSION"), "the hub listens");
        let server = Server::start(&hub, address, options).await?;
        // Before it is announced: whoever reads the announcement may signal at once.
        let signals = StopSignals::listen()?;
        // Last of all, so that whoever reads it finds a hub that works; taken back however this ends.
        let announced = data_dir.announce(
            &Info {
                pid: std::process::id(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                api: API_VERSION,
                socket,
                url: Some(url.clone()),
                started_at: started_at.to_string(),
                few_connections: Some(ConnectionLimits::of_this_process())
                    .filter(|limits| limits.are_few())
                    .map(|limits| limits.tcp),
            },
            &lock,
        )?;
        if !self.background {
            // Whoever does not read it has a hub all the same.
            let _ = say_where(&url);
        }
        server.run(tcp, local, until_stopped(signals, &lock)).await;
        let closed = hub.close().await;
        drop(announced);
        tracing::info!("the hub has stopped");
        drop(lock);
        closed?;
        Ok(Exit::Done)
    }

    /// What should be known goes to standard error, which in the background is the log file.
    fn start_log(&self, data_dir: &DataDir) {
        if self.background {
            log::begin_anew(&data_dir.log());
        }
        log::start(if self.background { tracing::Level::INFO } else { tracing::Level::WARN });
    }

    fn check_reach(&self, address: SocketAddr) -> Result<(), CliError> {
        if address.ip().is_loopback() || self.beyond_loopback {
            return Ok(());
        }
        Err(CliError::Wrong(format!(
            "{address} can be reached from other machines, and without TLS anybody on the way reads tokens and answers: \
             listen on 127.0.0.1 and put a proxy or a tunnel with TLS before it (docs/security.md), or say --beyond-loopback"
        )))
    }

    async fn bind(&self, listen: Option<SocketAddr>, data_dir: &DataDir) -> io::Result<TcpListener> {
        let address = listen.unwrap_or(LISTEN);
        match TcpListener::bind(address).await {
            // Nobody said which port it should be.
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && listen.is_none() && self.background => {
                tracing::warn!(%address, "the usual port is taken by another program");
                // The one it had last, so that what people wrote down stays right, or else any.
                match TcpListener::bind(SocketAddr::new(address.ip(), data_dir.port())).await {
                    Err(_) => TcpListener::bind(SocketAddr::new(address.ip(), 0)).await,
                    listener => listener,
                }
            }
            Err(error) => Err(io::Error::new(
                error.kind(),
                format!("can't listen on {address}: {error}; --listen {}:0 takes any port that is free", address.ip()),
            )),
            listener => listener,
        }
    }
}

fn refuse_second(data_dir: &DataDir) -> Result<Exit, CliError> {
    let who = data_dir.info().map_or_else(String::new, |info| {
        format!(" (process {}, {})", info.pid, info.url.as_deref().unwrap_or("no address"))
    });
    let folder = data_dir.folder.display();
    let _ = writeln!(
        io::stderr(),
        "askback: a hub is running in {folder} already{who}: `askback hub stop` ends it, or set ASKBACK_DATA to another folder"
    );
    Ok(Exit::Nobody)
}

/// Revokes what browsers have kept for the origin that this hub had before. A program that listens there now is the same origin
/// to a browser, and can read it.
async fn revoke_sessions(hub: &Hub) -> Result<(), CliError> {
    let count = hub.revoke_sessions().await?;
    if count > 0 {
        tracing::warn!(count, "the hub does not have its earlier address any more: browsers must log in again");
    }
    Ok(())
}

fn say_where(url: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "askback is listening on {url}")?;
    writeln!(out, "`askback inbox` answers in a terminal, `askback open` in a browser; Ctrl+C stops it")?;
    out.flush()
}

/// The signals that stop the hub. They are caught from the moment this is made.
struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
}

impl StopSignals {
    fn listen() -> io::Result<Self> {
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }
}

/// Waits until a signal stops the hub, or its folder is removed and with it every way to find the hub.
async fn until_stopped(mut signals: StopSignals, lock: &Lock) {
    let removed = async {
        while lock.is_still_there() {
            tokio::time::sleep(LOOK).await;
        }
    };
    tokio::select! {
        _ = signals.interrupt.recv() => tracing::info!("interrupted"),
        _ = signals.terminate.recv() => tracing::info!("told to stop"),
        () = removed => tracing::warn!("the folder is gone"),
    }
}
