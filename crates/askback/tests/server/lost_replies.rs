//! A hub that is killed after it has stored an answer and before its reply arrives.

use crate::process::{PATIENCE, Server};
use askback_api::{AnswerBody, HubApi, PersonApi};
use askback_client::Client;
use askback_core::RequestId;
use serde_json::json;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

/// A proxy that swallows the reply to the first answer.
struct Proxy {
    address: SocketAddr,
    target: Arc<Mutex<Option<SocketAddr>>>,
    swallowed: Receiver<()>,
}

impl Proxy {
    fn start() -> Self {
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
                    std::thread::spawn(move || relay(client, server, &swallow));
                }
            }
        });
        Self { address, target, swallowed }
    }
}

/// Passes one connection on. The first reply to an answer is read from the server, and both ends are closed instead.
fn relay(mut client: TcpStream, mut server: TcpStream, swallow: &Mutex<Option<Sender<()>>>) {
    let (mut replies, mut back) = (server.try_clone().unwrap(), client.try_clone().unwrap());
    let is_answer = Arc::new(Mutex::new(None));
    let armed = Arc::clone(&is_answer);
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
        if String::from_utf8_lossy(&bytes[..read]).contains("/answer ") {
            *is_answer.lock().unwrap() = swallow.lock().unwrap().take();
        }
        if server.write_all(&bytes[..read]).is_err() {
            break;
        }
    }
    let _ = server.shutdown(Shutdown::Both);
    let _ = backwards.join();
}

/// Starts the hub behind the proxy, whose address is its public one.
fn serve(folder: &Path, proxy: &Proxy) -> Server {
    let address = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).unwrap();
    let public = format!("http://{}", proxy.address);
    let mut server = Server::start_in(folder, &["--listen", &address.to_string(), "--public-url", &public]);
    server.address = address;
    *proxy.target.lock().unwrap() = Some(address);
    server
}

// L1, L2
#[test]
fn answer_whose_reply_was_lost_with_the_hub_is_recognised_on_retry_without_key() {
    let (folder, proxy) = (tempfile::tempdir().unwrap(), Proxy::start());
    let mut server = serve(folder.path(), &proxy);
    let id = server.ask(&server.asker, "shop");
    let client = Client::at(&format!("http://{}", proxy.address), server.person.clone()).unwrap().retrying(PATIENCE);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let id = RequestId::parse(&id).unwrap();
    let record = runtime.block_on(client.show(&id)).unwrap();
    let answering = runtime.spawn(async move {
        let body = AnswerBody { responses: Some(vec!["Atlas".to_owned()]), ..AnswerBody::default() };
        client.answer(record.as_ref(), body).await
    });
    proxy.swallowed.recv_timeout(PATIENCE).unwrap();
    server.kill();
    let server = serve(folder.path(), &proxy);
    let outcome = runtime.block_on(answering).unwrap().unwrap();
    assert_eq!(outcome.responses(), ["Atlas"]);

    // The control: a repeated call without a key is a late answer.
    let late = server.answer(&server.person, id.as_str(), "Atlas");
    assert_eq!(late.status, 409, "{late:?}");
    let log = server.get(&format!("/api/v1/audit?id={id}")).token(&server.person).send().json();
    assert_eq!(log["items"].as_array().unwrap().len(), 2, "it was asked once and answered once: {}", json!(log));
}
