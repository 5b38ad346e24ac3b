//! A hub in a folder of its own, as a process, with the calls of agents and of people.

use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long a hub may take to start.
const PATIENCE: Duration = Duration::from_secs(20);

/// A hub that runs, until it is dropped.
pub(crate) struct Hub {
    child: Child,
    pub(crate) address: String,
    folder: TempDir,
}

/// What came back.
pub(crate) struct Reply {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: String,
    /// The same, also where it is no text.
    pub(crate) bytes: Vec<u8>,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

impl Hub {
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_askback"))
            .args(["serve", "--listen", "127.0.0.1:0"])
            .env("ASKBACK_DATA", folder.path())
            .env_remove("ASKBACK_TOKEN")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let until = Instant::now() + PATIENCE;
        loop {
            let info = std::fs::read(folder.path().join("hub.json")).ok();
            if let Some(info) = info.and_then(|info| serde_json::from_slice::<Value>(&info).ok()) {
                let address = info["url"].as_str().unwrap().strip_prefix("http://").unwrap().to_owned();
                return Self { child, address, folder };
            }
            assert!(child.try_wait().unwrap().is_none() && Instant::now() < until, "the hub does not start");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// The token of this machine's asker or person.
    pub(crate) fn token(&self, whose: &str) -> String {
        let file = self.folder.path().join(format!("{whose}.token"));
        std::fs::read_to_string(file).unwrap().trim().to_owned()
    }

    /// A call of the API with a token.
    pub(crate) fn api(&self, token: &str, method: &str, path: &str, body: &str) -> Reply {
        self.call(method, path, &[("authorization", &format!("Bearer {token}"))], body)
    }

    /// Asks, and says by which id.
    pub(crate) fn ask(&self, request: &Value) -> String {
        let reply = self.api(&self.token("asker"), "POST", "/api/v1/requests", &request.to_string());
        assert_eq!(reply.status, 201, "{}", reply.body);
        reply.json()["id"].as_str().unwrap().to_owned()
    }

    /// What the asker hears.
    pub(crate) fn outcome(&self, id: &str) -> Value {
        self.api(&self.token("asker"), "GET", &format!("/api/v1/requests/{id}"), "").json()
    }

    /// The path of a login link for the page without scripts.
    pub(crate) fn plain_link(&self, body: &Value) -> String {
        let mut body = body.clone();
        body["plain"] = true.into();
        let link = self.api(&self.token("person"), "POST", "/api/v1/login-links", &body.to_string()).json();
        link["url"].as_str().unwrap().strip_prefix(&format!("http://{}", self.address)).unwrap().to_owned()
    }

    /// A browser that has logged in with the link of `askback open --plain`.
    pub(crate) fn browser(&self) -> Browser<'_> {
        self.browser_at(&self.plain_link(&serde_json::json!({})))
    }

    /// A browser that has logged in with a link.
    pub(crate) fn browser_at(&self, link: &str) -> Browser<'_> {
        let page = self.call("GET", link, &[], "");
        assert_eq!((page.status, page.header("set-cookie")), (200, None), "{}", page.body);
        let form = crate::form::forms(&page.body).swap_remove(0);
        let origin = format!("http://{}", self.address);
        let headers = [("origin", origin.as_str()), ("content-type", "application/x-www-form-urlencoded")];
        let reply = self.call("POST", "/plain/login", &headers, &form.posted());
        assert_eq!(reply.status, 303, "{}", reply.body);
        let cookie = reply.header("set-cookie").unwrap().to_owned();
        let start = reply.header("location").unwrap().to_owned();
        let home = start[..=start.rfind('/').unwrap()].to_owned();
        Browser { hub: self, cookie, home, start }
    }

    pub(crate) fn call(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nhost: {}\r\n{headers}connection: close\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .unwrap();
        let mut response = Vec::new();
        stream.read_to_end(&mut response).unwrap();
        let end = response.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(response[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let bytes = response[end + 4..].to_vec();
        Reply { status, head, body: String::from_utf8_lossy(&bytes).into_owned(), bytes }
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A browser that is logged in: it sends its cookie below the path of that, and says which page a form was on.
pub(crate) struct Browser<'h> {
    hub: &'h Hub,
    /// As it was set, with its attributes.
    pub(crate) cookie: String,
    /// The path of the list.
    pub(crate) home: String,
    /// Where logging in has led to.
    pub(crate) start: String,
}

impl Browser<'_> {
    /// The cookie's name and value.
    pub(crate) fn pair(&self) -> &str {
        self.cookie.split(';').next().unwrap()
    }

    /// Opens a page below the path of the session.
    pub(crate) fn get(&self, path: &str) -> Reply {
        self.hub.call("GET", &format!("{}{path}", self.home), &[("cookie", self.pair())], "")
    }

    pub(crate) fn post(&self, path: &str, body: &str) -> Reply {
        self.post_from(Some(&format!("http://{}", self.hub.address)), path, body)
    }

    pub(crate) fn post_from(&self, origin: Option<&str>, path: &str, body: &str) -> Reply {
        let mut headers = vec![("cookie", self.pair()), ("content-type", "application/x-www-form-urlencoded")];
        headers.extend(origin.map(|origin| ("origin", origin)));
        self.hub.call("POST", &format!("{}{path}", self.home), &headers, body)
    }
}
