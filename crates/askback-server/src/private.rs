//! The private hub of one program: in memory, on a free port of this machine, for as long as the program needs it. It has no data
//! directory, so that no other command finds it and it leaves no files behind.

use crate::app::App;
use crate::gate::Gate;
use crate::limits::{PRIVATE_DRAIN, PRIVATE_STOP_TIMEOUT};
use crate::listen;
use crate::service::audience::Audience;
use crate::service::{Caller, CallerSession, Service};
use askback_api::{ApiError, AskerApi, PersonApi};
use askback_core::{Name, Purpose, Role, Room};
use askback_hub::{Hub, HubOptions, NewToken};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

/// A hub in memory and its server, which stops when this is dropped.
pub struct PrivateHub {
    hub: Hub,
    app: Arc<App>,
    stopping: watch::Sender<bool>,
    serving: JoinHandle<()>,
}

impl PrivateHub {
    /// Starts the hub on a free port of this machine.
    pub async fn start() -> io::Result<Self> {
        Self::start_at(Ipv4Addr::LOCALHOST).await
    }

    async fn start_at(address: Ipv4Addr) -> io::Result<Self> {
        let tcp = TcpListener::bind(SocketAddr::from((address, 0))).await?;
        let gate = Gate::new(tcp.local_addr()?, None);
        let hub = Hub::in_memory(HubOptions::default()).await.map_err(io::Error::other)?;
        let (stopping, is_stopping) = watch::channel(false);
        let service = Service::new(hub.clone(), &gate.address, Vec::new(), Audience::default(), is_stopping);
        let app = Arc::new(App::new(Arc::new(service), gate, None));
        let served = Arc::clone(&app);
        let serving = tokio::spawn(async move {
            listen::serve(Arc::clone(&served), tcp, None, served.service.stopped()).await;
        });
        Ok(Self { hub, app, stopping, serving })
    }

    /// An asker with this name, whose requests go to this room unless they name another.
    pub async fn asker(&self, name: Name, room: Room) -> Result<Arc<dyn AskerApi>, ApiError> {
        Ok(Arc::new(self.session(Role::Asker, name, Some(room)).await?))
    }

    /// A person with this name, who may answer.
    pub async fn person(&self, name: Name) -> Result<Arc<dyn PersonApi>, ApiError> {
        Ok(Arc::new(self.session(Role::Answerer, name, None).await?))
    }

    async fn session(&self, role: Role, name: Name, room: Option<Room>) -> Result<CallerSession, ApiError> {
        let new = NewToken { purpose: Purpose::Token, role, name, room: None, expires_at: None, issued_by: None };
        let (token, _) = self.hub.issue(new).await.map_err(|error| ApiError::Unavailable(error.to_string()))?;
        Ok(CallerSession::new(Arc::clone(&self.app.service), Caller::program(token), room))
    }

    /// The address for browsers on this machine.
    pub fn address(&self) -> &str {
        &self.app.gate.address
    }

    /// Stops the hub. Connected clients get a short time to receive the last events.
    pub async fn stop(self) {
        if self.app.counters.connections.get() > 0 {
            sleep(PRIVATE_DRAIN).await;
        }
        let _ = self.stopping.send(true);
        // Clients that are still connected then are cut off.
        let _ = timeout(PRIVATE_STOP_TIMEOUT, self.serving).await;
        // The memory is freed either way.
        let _ = self.hub.close().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use askback_core::{Limits, Request, Surface};
    use askback_hub::{Ask, Signature};
    use askback_testkit::http::{Call, is_listening};
    use askback_testkit::wait::wait_for_async;

    fn is_open(address: &str) -> bool {
        is_listening(address.strip_prefix("http://").unwrap())
    }

    // S4
    #[tokio::test(flavor = "multi_thread")]
    async fn it_listens_on_this_machine_until_it_is_stopped_or_dropped() {
        let (one, other) = (PrivateHub::start().await.unwrap(), PrivateHub::start().await.unwrap());
        let addresses = [one.address().to_owned(), other.address().to_owned()];
        assert!(addresses.iter().all(|address| address.starts_with("http://127.0.0.1:") && is_open(address)));
        one.stop().await;
        assert!(!is_open(&addresses[0]) && is_open(&addresses[1]));
        drop(other);
        while is_open(&addresses[1]) {
            tokio::task::yield_now().await;
        }
    }

    /// Everything that a client receives which follows the events of a hub until it stops.
    fn follow(address: &str, secret: &str) -> String {
        let host = address.strip_prefix("http://").unwrap();
        Call::new(host, "GET", "/api/v1/events").token(secret).open().read_until_closed()
    }

    // L5. In one thread, in which no follower runs while the hub is stopped.
    #[tokio::test]
    async fn whoever_looks_hears_what_happened_last() {
        const FOLLOWERS: u64 = 8;
        let private = PrivateHub::start().await.unwrap();
        let name = Name::parse("reviewer").unwrap();
        let (purpose, role) = (Purpose::Token, Role::Answerer);
        let token = NewToken { purpose, role, name: name.clone(), room: None, expires_at: None, issued_by: None };
        let (_, secret) = private.hub.issue(token).await.unwrap();
        let request = br#"{"type": "confirm", "message": "Deploy?"}"#;
        let request = Request::parse(request, &Limits::DEFAULT).unwrap();
        let asked = private.hub.ask(Ask::new(request, name.clone(), Room::parse("demo").unwrap())).await.unwrap();
        let follower = || {
            let (address, secret) = (private.address().to_owned(), secret.as_str().to_owned());
            std::thread::spawn(move || follow(&address, &secret))
        };
        let followers: Vec<_> = (0..FOLLOWERS).map(|_| follower()).collect();
        wait_for_async("all follow", || async { (private.app.counters.following.get() == FOLLOWERS).then_some(()) })
            .await;
        private.hub.cancel(asked.id(), None, Signature::new(name, Surface::Terminal)).await.unwrap();
        private.stop().await;
        for follower in followers {
            let heard = follower.join().unwrap();
            assert!(heard.contains("cancelled"), "{heard}");
        }
    }

    // S4
    #[tokio::test]
    async fn where_nothing_can_listen_it_says_so() {
        // An address for documentation, which no machine has.
        assert!(PrivateHub::start_at(Ipv4Addr::new(192, 0, 2, 1)).await.is_err());
    }
}
