//! The socket of a browser's page, and how it ends with the session.

use crate::ASKBACK;
use crate::limits::allow_open_files;
use crate::logins::session;
use askback_testkit::http::Connection;
use askback_testkit::hub_process::HubProcess;
use serde_json::json;
use std::io::Read;
use std::time::{Duration, Instant};

/// The purpose of the last frame.
const CLOSE: u8 = 8;

/// The purpose of a frame with a message of Yjs.
const BINARY: u8 = 2;

/// The bit of a frame that is the last of its message.
const FINAL: u8 = 0x80;

/// A page's connection to its inbox.
struct Socket(Connection);

impl Socket {
    /// Opens it as a browser does, which says which page it is.
    fn open(server: &HubProcess, session: &str) -> Self {
        Self::enter(server, session, "@inbox")
    }

    /// The connection of a page or a program in a room.
    fn enter(server: &HubProcess, secret: &str, room: &str) -> Self {
        let mut connection = Connection::open(server.address).unwrap();
        let (host, origin) = (server.address, server.origin());
        let head = format!(
            "GET /sync/{room} HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\n\
             Sec-WebSocket-Protocol: askback.v1, askback.bearer.{secret}\r\n\
             Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Extensions: permessage-deflate\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        connection.send(head.as_bytes()).unwrap();
        let answer = connection.read_head();
        assert!(answer.starts_with("HTTP/1.1 101 "), "{answer}");
        assert!(answer.contains("sec-websocket-protocol: askback.v1\r\n") && !answer.contains(secret), "{answer}");
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

    /// Sends the first bytes of a binary message of this length of more than 125, whose mask changes nothing. A connection that is refused may be closed
    /// meanwhile.
    fn send_part(&mut self, length: usize, part: &[u8]) {
        let length = match u16::try_from(length) {
            Ok(short) => [&[0x80 | 126][..], &short.to_be_bytes()].concat(),
            Err(_) => [&[0x80 | 127][..], &(length as u64).to_be_bytes()].concat(),
        };
        let head = [&[FINAL | BINARY][..], &length, &[0; 4]].concat();
        let _ = self.0.send(&[&head, part].concat());
    }

    /// The code with which it is closed, whatever is told before.
    fn closed(&mut self) -> u16 {
        self.closed_with_reason().0
    }

    fn closed_with_reason(&mut self) -> (u16, String) {
        loop {
            if let (CLOSE, carried) = self.frame() {
                let reason = String::from_utf8_lossy(&carried[2..]).into_owned();
                return (u16::from_be_bytes([carried[0], carried[1]]), reason);
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

/// A number as lib0 writes it.
fn number(mut value: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn text(value: &str) -> Vec<u8> {
    [number(value.len()), value.as_bytes().to_vec()].concat()
}

/// The message of a Yjs client that sets a key of the map `answers` to an answer.
fn proposal(id: &str, response: &str) -> Vec<u8> {
    const STRING: &[u8] = &[119];
    // One item of client 5, with a parent in the root and an object of two fields as its content; nothing is deleted.
    let item = [&[1, 1, 5, 0, 0x28, 1][..], &text("answers"), &text("key"), &[1, 118, 2]].concat();
    let id = [&text("requestId"), STRING, &text(id)].concat();
    let response = [&text("response"), STRING, &text(response)].concat();
    let update = [&item[..], &id, &response, &[0]].concat();
    [&[0, 2][..], &number(update.len()), &update].concat()
}

// S3, S8
#[test]
fn half_sent_messages_of_askers_in_a_room_do_not_delay_the_answer_of_a_person_there() {
    const MESSAGE: usize = 1 << 20;
    allow_open_files();
    let server = HubProcess::start(ASKBACK);
    let askers =
        ["blue", "red"].map(|name| server.issue(&json!({"role": "asker", "name": name, "room": "shop"})).secret);
    let id = server.ask(&askers[0], "shop");
    let session = session(&server, &server.person);
    let mut person = Socket::enter(&server, &session, "shop");
    let part = vec![0; MESSAGE / 4 * 3];
    let mut sockets: Vec<Socket> = (0..600)
        .map(|number| {
            let mut socket = Socket::enter(&server, &askers[number % 2], "shop");
            socket.send_part(MESSAGE, &part);
            socket
        })
        .collect();
    for refused in &mut sockets[500..] {
        let (code, reason) = refused.closed_with_reason();
        assert!(code == 1013 && reason.contains("bytes in flight"), "{code}: {reason}");
    }
    let proposal = proposal(&id, &"x".repeat(9_000));
    let asked_at = Instant::now();
    person.send_part(proposal.len(), &proposal);
    let verdict = loop {
        let (purpose, carried) = person.frame();
        assert_ne!(purpose, CLOSE, "{}", String::from_utf8_lossy(&carried));
        // The type of a verdict is 100.
        if carried.first() == Some(&100) {
            break String::from_utf8_lossy(&carried).into_owned();
        }
    };
    assert!(verdict.contains("\"success\":true"), "{verdict}");
    assert!(
        asked_at.elapsed() < Duration::from_secs(10),
        "less than the askers have time to send: {:?}",
        asked_at.elapsed()
    );
    let record = server.get(&format!("/api/v1/requests/{id}/request")).token(&server.person).send().is(200);
    assert_eq!(record["status"], "answered");
}
