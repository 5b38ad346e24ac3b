//! The gate before every TCP call: checks the `Host` and `Origin` headers (S4).

use crate::fault::Fault;
use askback_api::ProblemCode;
use askback_core::show;
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::http::header::{COOKIE, HOST, ORIGIN, REFERER};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

/// The host names and origins of a server. A browser under DNS rebinding sends another host name, and a page of another site sends
/// its own origin.
#[derive(Debug, Clone)]
pub(crate) struct Gate {
    hosts: Vec<String>,
    origins: Vec<String>,
    /// Whether browsers connect over TLS.
    pub(super) is_secure: bool,
    /// The canonical origin: links lead to it, and only its page logs browsers in.
    pub(super) address: String,
}

impl Gate {
    /// The names of a server that listens on this address, and of its public address, if it has one.
    pub(crate) fn new(listen: SocketAddr, public_url: Option<&PublicUrl>) -> Self {
        let port = listen.port();
        // The bound address: another program may listen on another address of this machine.
        let bound = match listen {
            SocketAddr::V4(address) if address.ip().is_unspecified() => "127.0.0.1".to_owned(),
            SocketAddr::V6(address) if address.ip().is_unspecified() => "[::1]".to_owned(),
            SocketAddr::V4(address) => address.ip().to_string(),
            SocketAddr::V6(address) => format!("[{}]", address.ip()),
        };
        let names = ["localhost", "127.0.0.1", "[::1]", &bound];
        let mut hosts: Vec<String> = names.iter().map(|name| format!("{name}:{port}")).collect();
        let mut canonical = format!("http://{bound}:{port}");
        // Browsers omit the default port.
        if port == 80 {
            hosts.extend(names.map(str::to_owned));
            canonical = format!("http://{bound}");
        }
        let mut origins: Vec<String> = hosts.iter().map(|host| format!("http://{host}")).collect();
        if let Some(url) = public_url {
            hosts.push(url.host.clone());
            origins.push(url.origin());
        }
        let is_secure = public_url.is_some_and(|url| url.is_secure);
        let address = public_url.map_or(canonical, PublicUrl::origin);
        Self { hosts, origins, is_secure, address }
    }

    /// Requires that a call comes from a page of the canonical origin.
    pub(super) fn check_own_origin(&self, headers: &HeaderMap) -> Result<(), Fault> {
        let why = match headers.get(ORIGIN).map(|origin| origin.to_str().unwrap_or("null")) {
            Some(origin) if origin == self.address => return Ok(()),
            Some(origin) => format!("only a page of {} may do this, not one of {}", self.address, show::quote(origin)),
            None => format!("the call must have the header Origin: {}", self.address),
        };
        Err(Fault::new(ProblemCode::ForeignOrigin, why))
    }

    /// The same for a form: text browsers, which send no `Origin`, send the form's page as `Referer`.
    pub(super) fn check_own_form(&self, headers: &HeaderMap) -> Result<(), Fault> {
        let referer =
            headers.get(REFERER).filter(|_| !headers.contains_key(ORIGIN)).and_then(|page| page.to_str().ok());
        let path = referer.and_then(|page| page.strip_prefix(&self.address));
        if path.is_some_and(|path| path.starts_with('/')) { Ok(()) } else { self.check_own_origin(headers) }
    }

    /// The canonical address of a page that a browser opened under another name: browsers keep logins per origin.
    pub(crate) fn canonical(&self, request: &Request) -> Option<String> {
        let host = request.headers().get(HOST)?.to_str().ok()?;
        let is_canonical = self.address.split_once("://").is_some_and(|(_, own)| own.eq_ignore_ascii_case(host));
        let path = request.uri().path_and_query()?;
        (!is_canonical && request.method().is_safe()).then(|| format!("{}{path}", self.address))
    }

    pub(crate) fn check(&self, headers: &HeaderMap) -> Result<(), Fault> {
        let mut hosts = headers.get_all(HOST).iter();
        let host = match (hosts.next(), hosts.next()) {
            (Some(host), None) => host.to_str().unwrap_or_default().to_ascii_lowercase(),
            _ => return Err(Fault::new(ProblemCode::UnknownHost, "the call has no Host header, or more than one")),
        };
        if !self.hosts.contains(&host) {
            let detail = format!(
                "{} is no name of this server: use http://{}, or tell the server its name with --public-url",
                show::quote(&host),
                self.hosts[0]
            );
            return Err(Fault::new(ProblemCode::UnknownHost, detail));
        }
        for origin in headers.get_all(ORIGIN) {
            let origin = origin.to_str().unwrap_or("null");
            if !self.origins.iter().any(|own| own == origin) {
                let detail = format!("a page of {} may not call this server", show::quote(origin));
                return Err(Fault::new(ProblemCode::ForeignOrigin, detail));
            }
        }
        Ok(())
    }
}

/// The public address of a server behind a proxy or a tunnel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl {
    is_secure: bool,
    host: String,
}

impl PublicUrl {
    /// Parses an address without a path.
    pub fn parse(text: &str) -> Result<Self, String> {
        const EXPECTED: &str = "expected an address without a path, such as https://ask.example.com";
        let (is_secure, host) = match text.split_once("://") {
            Some(("https", host)) => (true, host),
            Some(("http", host)) => (false, host),
            _ => return Err(EXPECTED.to_owned()),
        };
        let host = host.strip_suffix('/').unwrap_or(host).to_ascii_lowercase();
        let is_host = |c: char| c.is_ascii_alphanumeric() || ".-:[]".contains(c);
        if host.is_empty() || !host.chars().all(is_host) || !is_canonical_host(&host) {
            return Err(EXPECTED.to_owned());
        }
        // Browsers omit the default port.
        let default_port = if is_secure { ":443" } else { ":80" };
        let host = host.strip_suffix(default_port).unwrap_or(&host).to_owned();
        Ok(Self { is_secure, host })
    }

    pub(crate) fn origin(&self) -> String {
        let scheme = if self.is_secure { "https" } else { "http" };
        format!("{scheme}://{}", self.host)
    }
}

/// Whether a numeric host has the form that browsers send: they rewrite `127.1` to `127.0.0.1`.
fn is_canonical_host(host: &str) -> bool {
    if let Some((name, _)) = host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return name.parse::<Ipv6Addr>().is_ok_and(|address| address.to_string() == name);
    }
    let name = host.split(':').next().unwrap_or_default();
    let last = name.rsplit('.').next().unwrap_or_default();
    let is_number = !last.is_empty() && last.starts_with(|c: char| c.is_ascii_digit());
    !is_number || name.parse::<Ipv4Addr>().is_ok()
}

/// The values of all cookies with this name. Other ports of this host can set cookies with the same name.
pub(super) fn cookies<'a>(headers: &'a HeaderMap, name: &'a str) -> impl Iterator<Item = &'a str> {
    let pairs = headers.get_all(COOKIE).into_iter().flat_map(|value| value.as_bytes().split(|byte| *byte == b';'));
    // Parsed one by one: a cookie of another port may not be UTF-8.
    let pairs = pairs.filter_map(|pair| std::str::from_utf8(pair).ok()?.trim().split_once('='));
    pairs.filter(move |(other, _)| *other == name).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderName, HeaderValue};

    fn gate() -> Gate {
        let url = PublicUrl::parse("https://Ask.example.com:443/").unwrap();
        Gate::new("127.0.0.1:4770".parse().unwrap(), Some(&url))
    }

    fn check(host: &[&str], origin: Option<&str>) -> Option<ProblemCode> {
        let mut headers = HeaderMap::new();
        for host in host {
            headers.append(HOST, HeaderValue::from_str(host).unwrap());
        }
        if let Some(origin) = origin {
            headers.insert(ORIGIN, HeaderValue::from_str(origin).unwrap());
        }
        gate().check(&headers).err().map(|fault| fault.code)
    }

    // S4
    #[test]
    fn only_names_of_its_own_pass() {
        for host in ["127.0.0.1:4770", "localhost:4770", "LOCALHOST:4770", "[::1]:4770", "ask.example.com"] {
            assert_eq!(check(&[host], None), None, "{host}");
        }
        for host in [
            "localhost",
            "127.0.0.1:80",
            "evil.example:4770",
            "ask.example.com:4770",
            "127.0.0.1.evil.example:4770",
            "",
        ] {
            assert_eq!(check(&[host], None), Some(ProblemCode::UnknownHost), "{host}");
        }
        assert_eq!(check(&[], None), Some(ProblemCode::UnknownHost));
        assert_eq!(check(&["localhost:4770", "localhost:4770"], None), Some(ProblemCode::UnknownHost));
    }

    // S4
    #[test]
    fn only_its_own_pages_pass_to_the_port() {
        for origin in ["http://127.0.0.1:4770", "http://localhost:4770", "https://ask.example.com"] {
            assert_eq!(check(&["localhost:4770"], Some(origin)), None, "{origin}");
        }
        for origin in
            ["http://localhost", "http://localhost:3000", "https://localhost:4770", "http://ask.example.com", "null"]
        {
            assert_eq!(check(&["localhost:4770"], Some(origin)), Some(ProblemCode::ForeignOrigin), "{origin}");
        }
    }

    // S4
    #[test]
    fn a_public_address_is_an_origin() {
        for text in [
            "ask.example.com",
            "ftp://x",
            "https://",
            "https://a/b",
            "https://a b",
            "https://user@host",
            "http://127.1:4770",
            "http://0x7f.1",
            "http://[::0001]:4770",
        ] {
            assert!(PublicUrl::parse(text).is_err(), "{text}");
        }
        for text in ["http://127.0.0.1:4770", "http://[::1]:4770", "https://a1.example.com", "http://hub:80"] {
            assert!(PublicUrl::parse(text).is_ok(), "{text}");
        }
    }

    // S7
    #[test]
    fn canonical_origin_is_the_public_one_or_the_address_that_is_bound() {
        let canonical = |listen: &str, public: Option<&str>| {
            let public = public.map(|url| PublicUrl::parse(url).unwrap());
            Gate::new(listen.parse().unwrap(), public.as_ref()).address
        };
        assert_eq!(canonical("127.0.0.1:4770", None), "http://127.0.0.1:4770");
        assert_eq!(canonical("[::1]:4770", None), "http://[::1]:4770");
        assert_eq!(canonical("0.0.0.0:4770", None), "http://127.0.0.1:4770");
        assert_eq!(canonical("192.0.2.7:80", None), "http://192.0.2.7", "as browsers write it");
        assert_eq!(canonical("127.0.0.1:4770", Some("https://Ask.example.com:443/")), "https://ask.example.com");
    }

    // S7
    #[test]
    fn cookie_that_is_no_text_hides_no_other() {
        let mut headers = HeaderMap::new();
        headers
            .append(COOKIE, HeaderValue::from_bytes(b"theme=caf\xe9; askback_plain=one; askback_plain=two").unwrap());
        headers.append(COOKIE, HeaderValue::from_static("other=x;askback_plain=three"));
        assert_eq!(cookies(&headers, "askback_plain").collect::<Vec<_>>(), ["one", "two", "three"]);
    }

    // S7
    #[test]
    fn form_of_a_browser_without_origin_is_known_by_its_page() {
        let check = |name: HeaderName, value: &'static str| {
            gate().check_own_form(&HeaderMap::from_iter([(name, HeaderValue::from_static(value))])).is_ok()
        };
        assert!(
            check(ORIGIN, "https://ask.example.com") && check(REFERER, "https://ask.example.com/plain/login?code=x")
        );
        for page in ["https://ask.example.com.evil.example/", "https://ask.example.com", "https://evil.example/", ""] {
            assert!(!check(REFERER, page), "{page}");
        }
        assert!(!check(ORIGIN, "null"));
    }
}
