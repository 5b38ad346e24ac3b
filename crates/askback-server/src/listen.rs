//! Accepts connections over TCP and over the Unix socket.

use crate::app::{App, Connection};
use crate::connection_slots::{ConnectionSlot, ConnectionSlots};
use crate::drained_body::DrainedBody;
use crate::limits::{
    CONNECTIONS, FEW_CONNECTIONS, HEAD_BYTES, HEAD_TIMEOUT, LOCAL_CONNECTIONS, OTHER_FILES, STOP_TIMEOUT,
};
use crate::routes::router;
use crate::stall_timeout::StallTimeout;
use axum::Router;
use axum::body::Body;
use axum::http::header::CONNECTION;
use axum::http::{HeaderValue, Request, Response};
use futures_util::FutureExt;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, UnixListener};
use tower_service::Service;

/// Serves until `stop` completes. Then running calls are finished, and waiting calls are refused as transient.
pub(super) async fn serve(
    app: Arc<App>,
    tcp: TcpListener,
    local: Option<UnixListener>,
    stop: impl Future<Output = ()>,
) {
    let limits = ConnectionLimits::of_this_process();
    if limits.are_few() {
        let ConnectionLimits { tcp, local } = limits;
        tracing::warn!(
            "the limit of open files allows only {tcp} connections over TCP and {local} of this machine's commands at the same \
             time: raise it (`ulimit -n`, LimitNOFILE=), and start the hub again"
        );
    }
    let (tcp_slots, local_slots) =
        (ConnectionSlots::new(CONNECTIONS, limits.tcp), ConnectionSlots::new(LOCAL_CONNECTIONS, limits.local));
    let server = Server { router: router(Arc::clone(&app)), app };
    // Each listener has its own slots: a flood on one does not block the other.
    let over_tcp = server.accept(&tcp_slots, || async {
        let (stream, address) = tcp.accept().await?;
        // Small responses are sent at once.
        let _ = stream.set_nodelay(true);
        Ok((stream, Connection::Tcp(address)))
    });
    let over_socket = server.accept(&local_slots, || async {
        match &local {
            Some(local) => Ok((local.accept().await?.0, Connection::Local)),
            None => std::future::pending().await,
        }
    });
    tokio::select! {
        () = stop => {}
        () = over_tcp => {}
        () = over_socket => {}
    }
    drop((tcp, local));
    let ended = async {
        tcp_slots.all_free().await;
        local_slots.all_free().await;
    };
    if tokio::time::timeout(STOP_TIMEOUT, ended).await.is_err() {
        tracing::warn!("some connections did not end in time, and are cut");
    }
}

/// How many connections a server can have at the same time. Further ones wait in the system's queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// Over TCP.
    pub tcp: usize,
    /// Over the Unix socket, for the commands of this machine.
    pub local: usize,
}

impl ConnectionLimits {
    /// The limits of this process, within the open files that the system allows it.
    pub fn of_this_process() -> Self {
        Self::within(allowed_files())
    }

    fn within(files: usize) -> Self {
        // Of few files, the larger part: the database and the listeners need about 30.
        let files = files.saturating_sub(OTHER_FILES.min(files / 8 * 5));
        Self {
            tcp: CONNECTIONS.total.min(files - files / 4).max(1),
            local: LOCAL_CONNECTIONS.total.min(files / 4).max(1),
        }
    }

    /// Whether the system allows so few open files that calls soon wait for each other.
    pub fn are_few(self) -> bool {
        self.tcp < FEW_CONNECTIONS
    }
}

/// The maximum number of open files of this process, after raising it as far as the system allows.
pub fn allowed_files() -> usize {
    let limit = getrlimit(Resource::Nofile);
    let wanted = Rlimit { current: limit.maximum, maximum: limit.maximum };
    // A refusal leaves the limit unchanged.
    let _ = setrlimit(Resource::Nofile, wanted);
    let current = getrlimit(Resource::Nofile).current;
    current.map_or(usize::MAX, |files| usize::try_from(files).unwrap_or(usize::MAX))
}

/// Prepares a thread of the runtime for connections; to be called as the thread starts. The library of HTTP formats the date when
/// a thread serves its first connection, and panics if the clock is before 1970 by then: a call that took effect would have
/// no reply. Formatted once, the date is kept until the clock is past it.
pub fn prepare_thread() {
    if SystemTime::now() < SystemTime::UNIX_EPOCH {
        return;
    }
    let never =
        hyper::service::service_fn(|_: Request<Incoming>| std::future::pending::<Result<Response<Body>, Infallible>>());
    let closed = TokioIo::new(tokio::io::empty());
    // It has no client, and ends at once.
    let _ = http1::Builder::new().header_read_timeout(None).serve_connection(closed, never).now_or_never();
}

struct Server {
    app: Arc<App>,
    router: Router,
}

impl Server {
    /// Accepts connections while there are free slots.
    async fn accept<S, F>(&self, slots: &ConnectionSlots, accept: impl Fn() -> F)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
        F: Future<Output = io::Result<(S, Connection)>>,
    {
        let mut is_failing = false;
        loop {
            let Some(slot) = slots.take().await else { return };
            match accept().await {
                Ok((stream, connection)) => {
                    is_failing = false;
                    self.serve(stream, connection, slot);
                }
                Err(error) => {
                    // Most likely too many open files. Logged once, not twenty times a second.
                    if !std::mem::replace(&mut is_failing, true) {
                        tracing::warn!(%error, "connections can't be taken");
                    }
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        }
    }

    fn serve<S>(&self, stream: S, connection: Connection, slot: ConnectionSlot)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let router = self.router.clone();
        // Until now, the slot waited for a connection.
        slot.note_use();
        let slot = Arc::new(slot);
        let held = Arc::clone(&slot);
        let service = hyper::service::service_fn(move |request: Request<Incoming>| {
            let (parts, body) = request.into_parts();
            let body = DrainedBody::new(body, &parts.headers);
            let mut request = Request::from_parts(parts, body);
            request.extensions_mut().insert(connection.clone());
            request.extensions_mut().insert(Arc::clone(&held));
            held.note_use();
            let (held, mut router) = (Arc::clone(&held), router.clone());
            async move {
                let mut response = router.call(request).await?;
                if held.is_refused() {
                    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
                }
                Ok::<_, Infallible>(response)
            }
        });
        let serving = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIMEOUT)
            .max_buf_size(HEAD_BYTES)
            .serve_connection(TokioIo::new(StallTimeout::new(stream)), service)
            .with_upgrades();
        let app = Arc::clone(&self.app);
        tokio::spawn(async move {
            let _open = app.counters.connections.enter();
            tokio::pin!(serving);
            // A client that disconnects in the middle is not worth a log line.
            let _ = tokio::select! {
                served = serving.as_mut() => served,
                () = slot.gives_way() => Ok(()),
                () = app.service.stopped() => {
                                        // The running call is finished, and no other accepted.
                    serving.as_mut().graceful_shutdown();
                    serving.await
                }
            };
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // S3
    #[test]
    fn open_files_are_shared_between_connections_and_the_rest() {
        let within = |files| ConnectionLimits::within(files);
        assert_eq!(within(64), ConnectionLimits { tcp: 18, local: 6 });
        assert_eq!(within(1_024), ConnectionLimits { tcp: 720, local: 240 });
        assert_eq!(within(usize::MAX), ConnectionLimits { tcp: CONNECTIONS.total, local: LOCAL_CONNECTIONS.total });
        assert!(within(64).are_few() && within(256).are_few() && !within(1_024).are_few());
        assert!((0..64).map(within).all(|limits| limits.tcp > 0 && limits.local > 0));
    }
}
