//! A browser that logs in with a link, as the page does, and calls the API with its session.

use crate::http::{Call, Reply};
use crate::screen::Screen;
use crate::wait::wait_for;
use serde_json::{Value, json};

/// The login link that a demo has printed, without a line break.
pub fn printed_link(screen: &mut Screen) -> String {
    screen.wait_for("/login#code=");
    screen.wait_for("product pages are slow");
    let raw = String::from_utf8_lossy(screen.raw()).into_owned();
    let start = raw.find("http://127.0.0.1:").unwrap();
    raw[start..].split(|c: char| c.is_control()).next().unwrap().to_owned()
}

/// The host and port of a link.
pub fn address(link: &str) -> &str {
    link.strip_prefix("http://").unwrap().split('/').next().unwrap()
}

/// Redeems the code of a link.
pub fn redeem(link: &str) -> Reply {
    let (address, (_, code)) = (address(link), link.split_once("#code=").unwrap());
    let call = Call::new(address, "POST", "/api/v1/sessions").header("Origin", &format!("http://{address}"));
    call.body(json!({"code": code, "redeem": true}).to_string()).send()
}

/// A logged-in browser.
#[derive(Debug, Clone)]
pub struct Browser {
    /// The hub's host and port.
    pub address: String,
    session: String,
}

impl Browser {
    /// Logs in with a link.
    #[track_caller]
    pub fn open(link: &str) -> Self {
        let session = redeem(link).is(201);
        Self { address: address(link).to_owned(), session: session["secret"].as_str().unwrap().to_owned() }
    }

    /// A call of the API that is not sent yet.
    pub fn call(&self, method: &str, path: &str) -> Call {
        Call::new(&self.address, method, &format!("/api/v1{path}")).session(&self.session)
    }

    /// The JSON at a path of the API.
    #[track_caller]
    pub fn get(&self, path: &str) -> Value {
        self.call("GET", path).send().json()
    }

    /// The pending requests.
    pub fn pending(&self) -> Vec<Value> {
        self.get("/requests?status=pending")["items"].as_array().unwrap().clone()
    }

    /// Waits until exactly one request is pending, and returns it.
    #[track_caller]
    pub fn question(&self) -> Value {
        let pending = wait_for("one request is pending", || Some(self.pending()).filter(|pending| pending.len() == 1));
        pending[0].clone()
    }

    /// Answers a request.
    #[track_caller]
    pub fn answer(&self, question: &Value, response: &str) {
        let path = format!("/requests/{}/answer", question["id"].as_str().unwrap());
        self.call("POST", &path).body(json!({ "responses": [response] }).to_string()).send().is(200);
    }
}
