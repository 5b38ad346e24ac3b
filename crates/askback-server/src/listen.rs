//! Taking connections, over TCP and through the socket of this machine, until it is time to stop.

use crate::app::{App, Connection, ConnectionSlot};
use crate::limits::{CONNECTIONS, HEAD_BYTES, HEAD_PATIENCE, LOCAL_CONNECTIONS, OTHER_FILES, STOP_PATIENCE};
use crate::routes::router;
use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::Semaphore;
use tower_service::Service;

/// Serves until `stop` completes, also by a socket if there is one; then calls under way are finished, and those that wait are told to come back.
pub(super) async fn serve(
    app: Arc<App>,
    tcp: TcpListener,
    local: Option<UnixListener>,
    stop: impl Future<Output = ()>,
) {
    let (for_all, for_commands) = places();
    let server = Server { router: router(Arc::clone(&app)), app };
    let places = [for_all.available_permits(), for_commands.available_permits()];
    // Each has places of its own: whoever floods the one does not keep anybody from the other.
    let over_tcp = async {
        let mut trouble = Trouble::default();
        loop {
            let Ok(place) = Arc::clone(&for_all).acquire_owned().await else { return };
            match tcp.accept().await {
                Ok((stream, address)) => {
                    trouble.is_over();
                    // Small answers are not to wait for more of them.
                    let _ = stream.set_nodelay(true);
                    server.attend(stream, Connection::Tcp(address), place);
                }
                Err(error) => trouble.pause(&error).await,
            }
        }
    };
    let by_socket = async {
        let Some(local) = &local else { return std::future::pending().await };
        let mut trouble = Trouble::default();
        loop {
            let Ok(place) = Arc::clone(&for_commands).acquire_owned().await else { return };
            match local.accept().await {
                Ok((stream, _)) => {
                    trouble.is_over();
                    server.attend(stream, Connection::Local, place);
                }
                Err(error) => trouble.pause(&error).await,
            }
        }
    };
    tokio::select! {
        () = stop => {}
        () = over_tcp => {}
        () = by_socket => {}
    }
    drop((tcp, local));
    let ended = async {
        // A connection has its place until it is closed, whatever became of it.
        for (places, all) in [&for_all, &for_commands].into_iter().zip(places) {
            let _ = places.acquire_many(u32::try_from(all).unwrap_or(u32::MAX)).await;
        }
    };
    if tokio::time::timeout(STOP_PATIENCE, ended).await.is_err() {
        tracing::warn!("some connections did not end in time, and are cut");
    }
}

/// Places for connections over TCP and by the socket, of the open files that the system allows. Who comes when all are taken
/// waits in the system's queue.
fn places() -> (Arc<Semaphore>, Arc<Semaphore>) {
    let files = allowed_files().saturating_sub(OTHER_FILES);
    let for_commands = LOCAL_CONNECTIONS.min(files / 4).max(1);
    let for_all = CONNECTIONS.min(files - files / 4).max(1);
    (Arc::new(Semaphore::new(for_all)), Arc::new(Semaphore::new(for_commands)))
}

/// The open files that this process may have, after asking for as many as it can get.
pub fn allowed_files() -> usize {
    let limit = getrlimit(Resource::Nofile);
    let wanted = Rlimit { current: limit.maximum, maximum: limit.maximum };
    // What is refused leaves it as it was.
    let _ = setrlimit(Resource::Nofile, wanted);
    let current = getrlimit(Resource::Nofile).current;
    current.map_or(usize::MAX, |files| usize::try_from(files).unwrap_or(usize::MAX))
}

/// Connections that can't be taken: too many open files, most likely. It is said once, not twenty times a second.
#[derive(Default)]
struct Trouble {
    was_told: bool,
}

impl Trouble {
    async fn pause(&mut self, error: &io::Error) {
        if !std::mem::replace(&mut self.was_told, true) {
            tracing::warn!(%error, "connections can't be taken");
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }

    fn is_over(&mut self) {
        self.was_told = false;
    }
}

struct Server {
    app: Arc<App>,
    router: Router,
}

impl Server {
    fn attend<S>(&self, stream: S, connection: Connection, place: ConnectionSlot)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let router = self.router.clone();
        let place = Arc::new(place);
        let held = Arc::clone(&place);
        let service = hyper::service::service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(connection.clone());
            request.extensions_mut().insert(Arc::clone(&held));
            router.clone().call(request)
        });
        let serving = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_PATIENCE)
            .max_buf_size(HEAD_BYTES)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        let app = Arc::clone(&self.app);
        tokio::spawn(async move {
            let _place = place;
            let _open = app.counters.connections.enter();
            tokio::pin!(serving);
            // Clients come and go; that one went in the middle is nothing to tell.
            let _ = tokio::select! {
                served = serving.as_mut() => served,
                () = app.service.stopped() => {
                    // The call under way is finished, and no other taken.
                    serving.as_mut().graceful_shutdown();
                    serving.await
                }
            };
        });
    }
}
