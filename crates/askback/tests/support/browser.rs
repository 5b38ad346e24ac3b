//! A browser that logs in with a link, for tests that read one from a screen.

use askback_screen::Screen;
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// How long something may take on a machine that has much to do.
const PATIENCE: Duration = Duration::from_secs(20);

/// The login link that a program has printed, without a break.
pub(crate) fn printed_link(screen: &mut Screen) -> String {
    screen.wait_for("/login#code=");
    screen.wait_for("product pages are slow");
    let raw = String::from_utf8_lossy(screen.raw()).into_owned();
    let start = raw.find("http://127.0.0.1:").unwrap();
    raw[start..].split(|c: char| c.is_control()).next().unwrap().to_owned()
}

/// The address in a link, as one connects to it.
pub(crate) fn address(link: &str) -> &str {
    link.strip_prefix("http://").unwrap().split('/').next().unwrap()
}

/// One call: its status, its head and its body.
pub(crate) fn call(address: &str, call: &str, headers: &str, body: &str) -> (u16, String, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let length = body.len();
    write!(
        stream,
        "{call} HTTP/1.1\r\nhost: {address}\r\n{headers}connection: close\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, head.to_owned(), body.to_owned())
}

/// Somebody who is logged in, and calls the API as the page does.
#[derive(Clone)]
pub(crate) struct Browser {
    pub(crate) address: String,
    session: String,
}

impl Browser {
    /// Logs in with a link, as the page does.
    pub(crate) fn open(link: &str) -> Self {
        let (address, (status, body)) = (address(link), redeem(link));
        assert_eq!(status, 201, "{body}");
        let session: Value = serde_json::from_str(&body).unwrap();
        Self { address: address.to_owned(), session: session["secret"].as_str().unwrap().to_owned() }
    }

    pub(crate) fn call(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let headers = format!("authorization: Bearer {}\r\norigin: http://{}\r\n", self.session, self.address);
        let (status, _, body) = call(&self.address, &format!("{method} /api/v1{path}"), &headers, body);
        (status, body)
    }

    pub(crate) fn get(&self, path: &str) -> Value {
        serde_json::from_str(&self.call("GET", path, "").1).unwrap()
    }

    /// What waits for an answer.
    pub(crate) fn pending(&self) -> Vec<Value> {
        self.get("/requests?status=pending")["items"].as_array().unwrap().clone()
    }

    /// The one question that waits for an answer, once it does.
    #[track_caller]
    pub(crate) fn question(&self) -> Value {
        let until = Instant::now() + PATIENCE;
        loop {
            match self.pending().as_slice() {
                [question] => return question.clone(),
                others => assert!(Instant::now() < until, "one question was to be pending: {others:?}"),
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Answers it.
    #[track_caller]
    pub(crate) fn answer(&self, question: &Value, response: &str) {
        let body = serde_json::json!({ "responses": [response] }).to_string();
        let (status, body) =
            self.call("POST", &format!("/requests/{}/answer", question["id"].as_str().unwrap()), &body);
        assert_eq!(status, 200, "{body}");
    }
}

/// Redeems the code of a link.
pub(crate) fn redeem(link: &str) -> (u16, String) {
    let (address, (_, code)) = (address(link), link.split_once("#code=").unwrap());
    let body = serde_json::json!({"code": code, "redeem": true}).to_string();
    let (status, _, body) = call(address, "POST /api/v1/sessions", &format!("origin: http://{address}\r\n"), &body);
    (status, body)
}
