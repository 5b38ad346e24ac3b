//! The socket of a browser's page, and how it ends with the session.

use crate::logins::session;
use crate::process::{PATIENCE, Server};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;

/// The purpose of the last frame.
const CLOSE: u8 = 8;

/// A page's connection to its inbox.
struct Socket(TcpStream);

impl Socket {
    fn open(server: &Server, cookie: &str) -> Self {
        Self::open_at(server, "/sync/@inbox", cookie)
    }

    /// Opens it as a browser does, which says which page it is.
    fn open_at(server: &Server, path: &str, cookie: &str) -> Self {
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (host, origin) = (server.address, server.origin());
        let head = format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nCookie: askback_session={cookie}\r\n\
             Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            answer.extend(byte);
        }
        assert!(answer.starts_with(b"HTTP/1.1 101 "), "{}", String::from_utf8_lossy(&answer));
        Self(stream)
    }

    fn bytes<const COUNT: usize>(&mut self) -> [u8; COUNT] {
        let mut bytes = [0; COUNT];
        self.0.read_exact(&mut bytes).unwrap();
        bytes
    }

    /// One frame: what it is for, and what it carries.
    fn frame(&mut self) -> (u8, Vec<u8>) {
        let [first, length] = self.bytes();
        let length = match length {
            126 => u64::from(u16::from_be_bytes(self.bytes())),
            127 => u64::from_be_bytes(self.bytes()),
            short => short.into(),
        };
        let mut carried = vec![0; usize::try_from(length).unwrap()];
        self.0.read_exact(&mut carried).unwrap();
        (first & 0x0f, carried)
    }

    /// The code with which it is closed, whatever is told before.
    fn closed(&mut self) -> u16 {
        loop {
            if let (CLOSE, carried) = self.frame() {
                return u16::from_be_bytes([carried[0], carried[1]]);
            }
        }
    }

    /// The code with which it is closed, and why, where nothing is told before.
    fn refused(&mut self) -> (u16, String) {
        let (purpose, carried) = self.frame();
        assert_eq!(purpose, CLOSE, "{carried:?}");
        let (code, reason) = carried.split_at(2);
        (u16::from_be_bytes([code[0], code[1]]), String::from_utf8(reason.to_vec()).unwrap())
    }
}

// S1, S4
#[test]
fn a_session_that_ends_closes_its_socket() {
    let server = Server::start();
    let issuer = server.give(&json!({"role": "answerer", "name": "grace"}));
    let [logs_out, revoked, kept] = [(); 3].map(|()| session(&server, &server.person));
    let of_issuer = session(&server, &issuer.secret);
    let mut sockets = [&logs_out, &revoked, &of_issuer, &kept].map(|cookie| Socket::open(&server, cookie));
    server.until("room_connections", 4);

    let out = server.call("POST", "/api/v1/logout").cookie(&logs_out).header("Origin", &server.origin()).send();
    assert_eq!((out.status, sockets[0].closed()), (204, 4401));

    let number = server.get("/api/v1/me").cookie(&revoked).send().is(200)["number"].clone();
    let gone = server.call("DELETE", &format!("/api/v1/tokens/{number}")).token(&server.person).send();
    assert_eq!((gone.status, sockets[1].closed()), (204, 4401));

    // With a token goes whatever it has issued.
    server.revoke(&issuer);
    assert_eq!(sockets[2].closed(), 4401);

    server.until("room_connections", 1);
    assert_eq!(server.get("/api/v1/me").cookie(&kept).send().status, 200, "the others have not suffered");
}

// S1, S4
#[test]
fn nobody_connects_in_the_name_of_another() {
    let server = Server::start();
    // The second is for a room alone: that it is another person counts before what they may see.
    let [ada, grace] =
        [json!({"name": "ada \u{e9}&="}), json!({"name": "grace", "room": "garden"})].map(|mut token| {
            token["role"] = "answerer".into();
            session(&server, &server.give(&token).secret)
        });
    let at = |query: &str, cookie: &str| Socket::open_at(&server, &format!("/sync/shop{query}"), cookie);
    let kept = [at("?as=ada+%C3%A9%26%3D", &ada), at("", &ada)];
    server.until("room_connections", 2);
    let why = |name: &str| (4401, format!("another person is logged in here: \"{name}\""));
    assert_eq!(at("?as=ada+%C3%A9%26%3D", &grace).refused(), why("grace"), "the login of the same browser was changed");
    assert_eq!(at("?as=grace", &ada).refused(), why("ada \u{e9}&="));
    assert_eq!(at("?as=ADA+%C3%A9%26%3D", &ada).refused().0, 4401, "it is not the same name");
    assert_eq!(at("?as=", &ada).refused().0, 4400);
    assert_eq!(at("?as=ada&as=grace", &grace).refused().0, 4400);
    server.until("room_connections", 2);
    drop(kept);
}

// S1
#[test]
fn a_program_says_as_whom_it_connects_too() {
    let server = Server::start();
    let grace = server.give(&json!({"role": "answerer", "name": "grace"})).secret;
    let at = |name: &str| Socket::open_at(&server, &format!("/sync/shop?token={grace}&as={name}"), "");
    assert_eq!(at("ada").refused().0, 4401);
    let kept = at("grace");
    server.until("room_connections", 1);
    drop(kept);
}
