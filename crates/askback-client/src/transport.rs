//! HTTP connections over a local socket, TCP or TLS, for the client of a hub and for webhooks.

use crate::limits::CONNECT;
use http_body_util::Full;
use hyper::Uri;
use hyper::body::Bytes;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use rustls_platform_verifier::ConfigVerifierExt;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

/// The sending half of a connection, for one call at a time.
pub type Sender = SendRequest<Full<Bytes>>;

/// The server that a connection leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A local socket.
    Local(PathBuf),
    /// A server over TCP.
    Http {
        /// Its name or address.
        host: String,
        /// Its port.
        port: u16,
    },
    /// The same with TLS.
    Https {
        /// Its name or address.
        host: String,
        /// Its port.
        port: u16,
    },
}

impl Target {
    /// Parses the address of a hub, which has no path.
    pub fn parse(url: &str) -> Result<Self, String> {
        match Address::parse(url) {
            Some(Address { target, path }) if path == "/" => Ok(target),
            _ => Err(format!("{url} is no address of a hub: expected one such as https://ask.example.com")),
        }
    }

    /// The `Host` header, as a browser would send it.
    pub fn host(&self) -> String {
        let named = |host: &str, port: u16, usual: u16| {
            let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
            if port == usual { host } else { format!("{host}:{port}") }
        };
        match self {
            Self::Local(_) => "localhost".to_owned(),
            Self::Http { host, port } => named(host, *port, 80),
            Self::Https { host, port } => named(host, *port, 443),
        }
    }
}

/// A URL to which something is sent.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    /// The server.
    pub target: Target,
    /// The path, from its slash on, with the query.
    pub path: String,
}

impl Address {
    /// Parses `http://…` or `https://…`. User information is rejected, since it would not be sent.
    pub fn parse(url: &str) -> Option<Self> {
        let uri: Uri = url.parse().ok()?;
        // A fragment would not be sent.
        if url.contains('#') {
            return None;
        }
        let authority = uri.authority().filter(|authority| !authority.as_str().contains('@'))?;
        let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_owned();
        // A port that is not a number is not part of the host either.
        let written = authority.as_str().strip_prefix(authority.host())?;
        let port = match written.strip_prefix(':') {
            Some(port) => Some(port.parse().ok()?),
            None => None,
        };
        if host.is_empty() {
            return None;
        }
        let target = match uri.scheme_str()? {
            "http" => Target::Http { host, port: port.unwrap_or(80) },
            "https" => Target::Https { host, port: port.unwrap_or(443) },
            _ => return None,
        };
        Some(Self { target, path: uri.path_and_query().map_or("/", |path| path.as_str()).to_owned() })
    }
}

/// Leaves out the path, which often is the secret of a webhook, so that it reaches no log.
impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Address").field("target", &self.target).finish_non_exhaustive()
    }
}

/// Connects to a server; an error if that takes too long.
pub async fn connect(target: &Target) -> io::Result<Sender> {
    let connecting = async {
        match target {
            Target::Local(path) => http(UnixStream::connect(path).await?).await,
            Target::Http { host, port } => http(tcp(host, *port).await?).await,
            Target::Https { host, port } => {
                let name = host.clone().try_into().map_err(io::Error::other)?;
                let stream = tcp(host, *port).await?;
                http(TlsConnector::from(tls_config()?).connect(name, stream).await?).await
            }
        }
    };
    let silent = |_| Err(io::Error::new(io::ErrorKind::TimedOut, "it does not answer"));
    timeout(CONNECT, connecting).await.unwrap_or_else(silent)
}

/// The TLS configuration with the certificates that this machine trusts. Created once, since reading them takes a while.
fn tls_config() -> io::Result<Arc<ClientConfig>> {
    static CONFIG: OnceLock<Arc<ClientConfig>> = OnceLock::new();
    if let Some(config) = CONFIG.get() {
        return Ok(Arc::clone(config));
    }
    // Fails where a provider is installed already, which does as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let config = ClientConfig::with_platform_verifier().map_err(io::Error::other)?;
    Ok(Arc::clone(CONFIG.get_or_init(|| Arc::new(config))))
}

async fn tcp(host: &str, port: u16) -> io::Result<TcpStream> {
    let stream = TcpStream::connect((host, port)).await?;
    let _ = stream.set_nodelay(true);
    Ok(stream)
}

/// Starts HTTP on a stream, in a task that ends with the connection.
async fn http(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) -> io::Result<Sender> {
    let (sender, connection) = handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
    // An error reaches the sender of each call, too.
    tokio::spawn(connection);
    Ok(sender)
}

#[cfg(test)]
mod tests {
    use super::*;

    // S4
    #[test]
    fn an_address_says_how_to_get_there() {
        let http = |host: &str, port| Ok(Target::Http { host: host.to_owned(), port });
        assert_eq!(Target::parse("http://127.0.0.1:4770/"), http("127.0.0.1", 4770));
        assert_eq!(Target::parse("http://[::1]:4770"), http("::1", 4770));
        assert_eq!(Target::parse("http://[::1]"), http("::1", 80));
        let https = Target::parse("https://ask.example.com").unwrap();
        assert_eq!(https, Target::Https { host: "ask.example.com".to_owned(), port: 443 });
        assert_eq!(https.host(), "ask.example.com");
        assert_eq!(Target::parse("http://[::1]:4770").unwrap().host(), "[::1]:4770");
        let wrong =
            ["", "ask.example.com", "ftp://x", "http://", "http://a/b", "http://a:x", "http://me@a", "http://a?b"];
        for url in wrong {
            assert!(Target::parse(url).is_err(), "{url}");
        }
    }

    // S3
    #[test]
    fn a_path_and_a_query_belong_to_an_address_and_stay_out_of_logs() {
        let address = Address::parse("https://hooks.example.com:8443/services/T0?x=1").unwrap();
        assert_eq!(address.target, Target::Https { host: "hooks.example.com".to_owned(), port: 8443 });
        assert_eq!(address.path, "/services/T0?x=1");
        assert!(!format!("{address:?}").contains("T0"));
        assert_eq!(Address::parse("http://a").unwrap().path, "/");
        for url in
            ["http://a:/x", "http://a:99999", "http://a b/", "http://:80/", "http://a/#b", "/x", "https:x", "http://é/"]
        {
            assert_eq!(Address::parse(url), None, "{url}");
        }
    }
}
