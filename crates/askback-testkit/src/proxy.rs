//! Proxies before a hub that lose replies or fail calls.

use crate::wait::PATIENCE;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

/// A TCP proxy that swallows the first reply to a call whose bytes contain a text, and closes both connections instead.
#[derive(Debug)]
pub struct LossyProxy {
    /// Where it listens.
    pub address: SocketAddr,
    target: Arc<Mutex<Option<SocketAddr>>>,
    swallowed: Receiver<()>,
}

impl LossyProxy {
    /// Starts one without a target; it closes connections until it has one.
    pub fn start(losing: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let target: Arc<Mutex<Option<SocketAddr>>> = Arc::default();
        let (swallow, swallowed) = channel();
        let (shared, swallow) = (Arc::clone(&target), Arc::new(Mutex::new(Some(swallow))));
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let to = *shared.lock().unwrap();
                if let Some(server) = to.and_then(|to| TcpStream::connect(to).ok()) {
                    let swallow = Arc::clone(&swallow);
                    std::thread::spawn(move || relay(client, server, losing, &swallow));
                }
            }
        });
        Self { address, target, swallowed }
    }

    /// Relays connections to this server from now on.
    pub fn relay_to(&self, target: SocketAddr) {
        *self.target.lock().unwrap() = Some(target);
    }

    /// Waits until the reply was swallowed.
    #[track_caller]
    pub fn wait_for_loss(&self) {
        self.swallowed.recv_timeout(PATIENCE).expect("the proxy swallows a reply");
    }
}

/// Relays one connection.
fn relay(mut client: TcpStream, mut server: TcpStream, losing: &str, swallow: &Mutex<Option<Sender<()>>>) {
    let (mut replies, mut back) = (server.try_clone().unwrap(), client.try_clone().unwrap());
    let is_lost = Arc::new(Mutex::new(None));
    let armed = Arc::clone(&is_lost);
    let backwards = std::thread::spawn(move || {
        let mut bytes = [0; 8192];
        while let Ok(read @ 1..) = replies.read(&mut bytes) {
            if let Some(swallow) = Option::<Sender<()>>::take(&mut armed.lock().unwrap()) {
                let _ = swallow.send(());
                break;
            }
            if back.write_all(&bytes[..read]).is_err() {
                break;
            }
        }
        let _ = back.shutdown(Shutdown::Both);
        let _ = replies.shutdown(Shutdown::Both);
    });
    let mut bytes = [0; 8192];
    while let Ok(read @ 1..) = client.read(&mut bytes) {
        if String::from_utf8_lossy(&bytes[..read]).contains(losing) {
            *is_lost.lock().unwrap() = swallow.lock().unwrap().take();
        }
        if server.write_all(&bytes[..read]).is_err() {
            break;
        }
    }
    let _ = server.shutdown(Shutdown::Both);
    let _ = backwards.join();
}

/// An HTTP proxy of which every other call fails with 502, as one does whose hub is being restarted.
#[derive(Debug)]
pub struct FailingGateway {
    /// Its URL.
    pub url: String,
}

impl FailingGateway {
    /// Starts one before a hub.
    pub fn before(hub: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let own = listener.local_addr().unwrap().to_string();
        let url = format!("http://{own}");
        std::thread::spawn(move || {
            for (number, stream) in listener.incoming().enumerate() {
                let mut stream = stream.unwrap();
                let mut request = vec![0; 65_536];
                // The client's calls are small, and arrive in one piece.
                let length = stream.read(&mut request).unwrap_or(0);
                if number % 2 == 0 {
                    let _ = stream
                        .write_all(b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 3\r\nconnection: close\r\n\r\nno\n");
                    continue;
                }
                let request = String::from_utf8_lossy(&request[..length]).replace(&own, &hub);
                let request = request.replacen("\r\n", "\r\nconnection: close\r\n", 1);
                let mut behind = TcpStream::connect(&hub).unwrap();
                behind.write_all(request.as_bytes()).unwrap();
                let _ = std::io::copy(&mut behind, &mut stream);
            }
        });
        Self { url }
    }
}
