//! Connections for HTTP: through a socket of this machine, TCP, or TLS. The client of a hub and the webhooks use them.

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

/// One end of a connection, for one call after the other.
pub type Sender = SendRequest<Full<Bytes>>;

/// The other end of a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A socket of this machine.
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
    /// The address of a hub, which has no path.
    pub fn parse(url: &str) -> Result<Self, String> {
        match Address::parse(url) {
            Some(Address { target, path }) if path == "/" => Ok(target),
            _ => Err(format!("{url} is no address of a hub: expected one such as https://ask.example.com")),
        }
    }

    /// What a browser would send as the name of the host.
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

/// Where something is sent: the other end of the connection, and the path there.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    /// The other end of the connection.
    pub target: Target,
    /// The path, from its slash on, with the query.
    pub path: String,
}

impl Address {
    /// Reads `http://…` or `https://…`; a name and a password in it would be lost, so that there may be none.
    pub fn parse(url: &str) -> Option<Self> {
        let uri: Uri = url.parse().ok()?;
        // What follows would never be sent.
        if url.contains('#') {
            return None;
        }
        let authority = uri.authority().filter(|authority| !authority.as_str().contains('@'))?;
        let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_owned();
        // A port that is no number is no part of the host either.
        let said = authority.as_str().strip_prefix(authority.host())?;
        let port = match said.strip_prefix(':') {
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

/// The path is often all that keeps others from using it, so that it is in no log.
impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Address").field("target", &self.target).finish_non_exhaustive()
    }
}

/// A connection, if it is made in time.
pub async fn connect(target: &Target) -> io::Result<Sender> {
    let connecting = async {
        match target {
            Target::Local(path) => talk(UnixStream::connect(path).await?).await,
            Target::Http { host, port } => talk(tcp(host, *port).await?).await,
            Target::Https { host, port } => {
                let name = host.clone().try_into().map_err(io::Error::other)?;
                let stream = tcp(host, *port).await?;
                talk(TlsConnector::from(trusted()?).connect(name, stream).await?).await
            }
        }
    };
    let silent = |_| Err(io::Error::new(io::ErrorKind::TimedOut, "it does not answer"));
    timeout(CONNECT, connecting).await.unwrap_or_else(silent)
}

/// Whom this machine trusts. Read once: reading every certificate there is takes a while.
fn trusted() -> io::Result<Arc<ClientConfig>> {
    static TRUSTED: OnceLock<Arc<ClientConfig>> = OnceLock::new();
    if let Some(config) = TRUSTED.get() {
        return Ok(Arc::clone(config));
    }
    // Where one is there already, it will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let config = ClientConfig::with_platform_verifier().map_err(io::Error::other)?;
    Ok(Arc::clone(TRUSTED.get_or_init(|| Arc::new(config))))
}

async fn tcp(host: &str, port: u16) -> io::Result<TcpStream> {
    let stream = TcpStream::connect((host, port)).await?;
    let _ = stream.set_nodelay(true);
    Ok(stream)
}

/// Speaks HTTP on a stream, in a task of its own that ends with it.
async fn talk<S>(stream: S) -> io::Result<Sender>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (sender, connection) = handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
    tokio::spawn(async move {
        // Whoever sent something hears what became of it.
        let _ = connection.await;
    });
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
