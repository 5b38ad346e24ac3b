//! A call that is refused before its body was read: the response arrives, and the connection can be used again.

use crate::ASKBACK;
use askback_testkit::http::Connection;
use askback_testkit::hub_process::HubProcess;
use std::io::Read;

/// Reads one response; its status.
fn read_reply(connection: &mut Connection) -> u16 {
    let head = connection.read_head().to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap().parse().unwrap();
    connection.read_exact(&mut vec![0; length]).unwrap();
    head.split(' ').nth(1).unwrap().parse().unwrap()
}

fn head(method: &str, path: &str, host: &str, headers: &str) -> String {
    format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n")
}

// S3
#[test]
fn connection_is_kept_after_a_body_that_was_refused_unread() {
    let hub = HubProcess::start(ASKBACK);
    let host = hub.address.to_string();
    let known = format!("Authorization: Bearer {}\r\n", hub.asker);
    let body = vec![b'x'; 9 << 20];
    for (path, token, status) in
        [("/api/v1/requests", "", 401), ("/api/v1/requests", &*known, 413), ("/nowhere", &*known, 404)]
    {
        let mut connection = Connection::open(hub.address).unwrap();
        for _ in 0..2 {
            let length = format!("{token}Content-Length: {}\r\n", body.len());
            connection.send(head("POST", path, &host, &length).as_bytes()).unwrap();
            // As a client that reads nothing before it has sent everything.
            connection.send(&body).unwrap_or_else(|error| panic!("{path} {status}: {error}"));
            assert_eq!(read_reply(&mut connection), status, "{path}");
        }
        connection.send(head("GET", "/api/v1/me", &host, &known).as_bytes()).unwrap();
        assert_eq!(read_reply(&mut connection), 200, "the next call over the same connection");
    }
}

// S3
#[test]
fn client_that_expects_to_be_told_to_continue_sends_no_refused_body() {
    let hub = HubProcess::start(ASKBACK);
    let mut connection = Connection::open(hub.address).unwrap();
    let headers = "Expect: 100-continue\r\nContent-Length: 100000\r\n";
    connection.send(head("POST", "/api/v1/requests", &hub.address.to_string(), headers).as_bytes()).unwrap();
    assert_eq!(read_reply(&mut connection), 401);
    assert_eq!(connection.read(&mut [0]).unwrap(), 0, "what comes next could be the body or another call");
}
