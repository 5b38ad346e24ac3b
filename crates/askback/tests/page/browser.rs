//! A browser on the page without scripts.

use crate::form::forms;
use askback_testkit::http::{Call, Reply};
use askback_testkit::hub_process::HubProcess;
use serde_json::{Value, json};

/// The path of a login link for the page without scripts.
pub(crate) fn plain_link(hub: &HubProcess, body: &Value) -> String {
    let mut body = body.clone();
    body["plain"] = true.into();
    let link = hub.post("/api/v1/login-links", &body).token(&hub.person).send().json();
    link["url"].as_str().unwrap().strip_prefix(&hub.origin()).unwrap().to_owned()
}

/// A browser that is logged in: it sends its cookie below the cookie's path, and names the page that a form was on.
pub(crate) struct Browser<'h> {
    hub: &'h HubProcess,
    /// As it was set, with its attributes.
    pub(crate) cookie: String,
    /// The path of the list.
    pub(crate) home: String,
    /// The path to which logging in has led.
    pub(crate) start: String,
}

impl<'h> Browser<'h> {
    /// Logs in with the link of `askback open --plain`.
    pub(crate) fn log_in(hub: &'h HubProcess) -> Self {
        Self::log_in_with(hub, &plain_link(hub, &json!({})))
    }

    /// Logs in with a link.
    pub(crate) fn log_in_with(hub: &'h HubProcess, link: &str) -> Self {
        let page = hub.get(link).send();
        assert_eq!((page.status, page.header("set-cookie")), (200, None), "{}", page.body);
        let form = forms(&page.body).swap_remove(0);
        let call = form_call(hub, "/plain/login").header("origin", &hub.origin());
        let reply = call.body(form.posted()).send();
        assert_eq!(reply.status, 303, "{}", reply.body);
        let cookie = reply.header("set-cookie").unwrap().to_owned();
        let start = reply.header("location").unwrap().to_owned();
        let home = start[..=start.rfind('/').unwrap()].to_owned();
        Self { hub, cookie, home, start }
    }

    /// The cookie's name and value.
    pub(crate) fn pair(&self) -> &str {
        self.cookie.split(';').next().unwrap()
    }

    /// Opens a page below the path of the session.
    pub(crate) fn get(&self, path: &str) -> Reply {
        self.hub.get(&format!("{}{path}", self.home)).header("cookie", self.pair()).send()
    }

    pub(crate) fn post(&self, path: &str, body: &str) -> Reply {
        self.post_from(Some(&self.hub.origin()), path, body)
    }

    pub(crate) fn post_from(&self, origin: Option<&str>, path: &str, body: &str) -> Reply {
        let call = form_call(self.hub, &format!("{}{path}", self.home)).header("cookie", self.pair()).body(body);
        origin.into_iter().fold(call, |call, origin| call.header("origin", origin)).send()
    }
}

/// A call that posts a form.
fn form_call(hub: &HubProcess, path: &str) -> Call {
    hub.call("POST", path).header("content-type", "application/x-www-form-urlencoded")
}
