//! The socket of a browser's page, and how it ends with the session.

use crate::ASKBACK;
use crate::logins::session;
use askback_testkit::http::Connection;
use askback_testkit::hub_process::HubProcess;
use serde_json::json;
use std::io::Read;

/// The purpose of the last frame.
const CLOSE: u8 = 8;

/// The bit of a frame that is the last of its message.
const FINAL: u8 = 0x80;

/// A page's connection to its inbox.
struct Socket(Connection);

impl Socket {
    /// Opens it as a browser does, which says which page it is.
    fn open(server: &HubProcess, session: &str) -> Self {
        let mut connection = Connection::open(server.address).unwrap();
        let (host, origin) = (server.address, server.origin());
        let head = format!(
            "GET /sync/@inbox HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\n\
             Sec-WebSocket-Protocol: askback.v1, askback.bearer.{session}\r\n\
             Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Extensions: permessage-deflate\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        connection.send(head.as_bytes()).unwrap();
        let answer = connection.read_head();
        assert!(answer.starts_with("HTTP/1.1 101 "), "{answer}");
        assert!(answer.contains("sec-websocket-protocol: askback.v1\r\n") && !answer.contains(session), "{answer}");
        assert!(!answer.contains("sec-websocket-extensions"), "compression is not offered: {answer}");
        Self(connection)
    }

    /// One frame: what it is for, and what it carries.
    fn frame(&mut self) -> (u8, Vec<u8>) {
        let [first, length] = self.0.read_bytes();
        let length = match length {
            126 => u64::from(u16::from_be_bytes(self.0.read_bytes())),
            127 => u64::from_be_bytes(self.0.read_bytes()),
            short => short.into(),
        };
        let mut carried = vec![0; usize::try_from(length).unwrap()];
        self.0.read_exact(&mut carried).unwrap();
        (first & 0x0f, carried)
    }

    /// Sends a frame of at most 125 bytes, whose mask changes nothing.
    fn send(&mut self, first: u8, payload: &[u8]) {
        let length = u8::try_from(payload.len()).unwrap();
        self.0.send(&[&[first, 0x80 | length, 0, 0, 0, 0], payload].concat()).unwrap();
    }

    /// The code with which it is closed, whatever is told before.
    fn closed(&mut self) -> u16 {
        loop {
            if let (CLOSE, carried) = self.frame() {
                return u16::from_be_bytes([carried[0], carried[1]]);
            }
        }
    }
}

// W3
#[test]
fn close_frame_with_an_invalid_code_or_reason_is_answered_with_an_error_code() {
    let server = HubProcess::start(ASKBACK);
    let session = session(&server, &server.person);
    let reply = |payload: &[u8]| {
        let mut socket = Socket::open(&server, &session);
        socket.send(FINAL | CLOSE, payload);
        socket.closed()
    };
    for code in [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999_u16] {
        assert_eq!(reply(&code.to_be_bytes()), 1002, "{code}");
    }
    for code in [1000, 1011, 1014, 3000, 4999_u16] {
        assert_eq!(reply(&code.to_be_bytes()), 1000, "{code}");
    }
    assert_eq!(reply(b""), 1000);
    assert_eq!(reply(b"\x03"), 1002, "half a code");
    assert_eq!(reply(b"\x03\xe8\xff"), 1007, "a reason that is not UTF-8");
}

// W3
#[test]
fn frame_against_the_protocol_closes_with_1002_and_text_closes_with_4400() {
    let server = HubProcess::start(ASKBACK);
    let session = session(&server, &server.person);
    let reply = |first: u8, payload: &[u8]| {
        let mut socket = Socket::open(&server, &session);
        socket.send(first, payload);
        socket.closed()
    };
    assert_eq!(reply(FINAL | 0x42, b"x"), 1002, "a reserved bit");
    assert_eq!(reply(FINAL | 0x03, b"x"), 1002, "a reserved opcode");
    assert_eq!(reply(FINAL, b"x"), 1002, "a continuation of no message");
    assert_eq!(reply(FINAL | 0x01, b"\xff"), 1007, "a text that is not UTF-8");
    assert_eq!(reply(FINAL | 0x01, b"text"), 4400);
    assert_eq!(reply(FINAL | 0x02, b"\xff"), 4400, "no message of Yjs");
}

// S1, S4
#[test]
fn a_session_that_ends_closes_its_socket() {
    let server = HubProcess::start(ASKBACK);
    let issuer = server.issue(&json!({"role": "answerer", "name": "grace"}));
    let [logs_out, revoked, kept] = [(); 3].map(|()| session(&server, &server.person));
    let of_issuer = session(&server, &issuer.secret);
    let mut sockets = [&logs_out, &revoked, &of_issuer, &kept].map(|session| Socket::open(&server, session));
    server.wait_for_metric("room_connections", 4);

    let out = server.call("POST", "/api/v1/logout").session(&logs_out).send();
    assert_eq!((out.status, sockets[0].closed()), (204, 4401));

    let number = server.get("/api/v1/me").session(&revoked).send().is(200)["number"].clone();
    let gone = server.call("DELETE", &format!("/api/v1/tokens/{number}")).token(&server.person).send();
    assert_eq!((gone.status, sockets[1].closed()), (204, 4401));

    // With a token goes whatever it has issued.
    server.revoke(&issuer);
    assert_eq!(sockets[2].closed(), 4401);

    server.wait_for_metric("room_connections", 1);
    assert_eq!(server.get("/api/v1/me").session(&kept).send().status, 200, "the others have not suffered");
}
