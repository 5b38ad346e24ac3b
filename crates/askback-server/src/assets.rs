//! The page: its built files, embedded in the program. They contain no data and need no login; the page then calls the API with
//! the browser's session.

use crate::app::App;
use crate::fault::Fault;
use crate::routes::not_found;
use askback_api::limits::PAGE_PATH_LENGTH;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::header::{
    ACCEPT, ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue,
    IF_NONE_MATCH, VARY,
};
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::io::Write;
use std::sync::{Arc, LazyLock, OnceLock};

mod negotiation;

/// The document of every path of the page.
const INDEX: &str = "index.html";

/// The directory of files whose names contain a hash of their content.
const NAMED_BY_CONTENT: &str = "assets/";

/// The paths of the page, besides that of a request. Its script renders them.
const PATHS: [&str; 5] = ["/", "/audit", "/history", "/login", "/settings"];

/// The roots of paths that only programs call, or that have pages of their own.
const PROGRAM_PATHS: [&str; 5] = ["/api", "/assets", "/mcp", "/plain", "/sync"];

/// Paths and contents, listed by build.rs.
const EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

static FILES: LazyLock<Vec<File>> =
    LazyLock::new(|| EMBEDDED.iter().map(|(path, content)| File::new(path, Bytes::from_static(content))).collect());

/// One route for each file, so that no path can lead anywhere else.
pub(super) fn routes() -> Router<Arc<App>> {
    let (index, others): (Vec<&File>, Vec<&File>) = FILES.iter().partition(|file| file.path == INDEX);
    let mut router = Router::new();
    for file in others {
        router = router.route(&format!("/{}", file.path), get(async |headers: HeaderMap| file.respond(&headers)));
    }
    for file in index {
        for path in PATHS {
            router = router.route(path, get(async |headers: HeaderMap| file.respond(&headers)));
        }
        // Any id: the page reports an invalid one.
        router = router.route("/r/{id}", get(async |uri: Uri, headers: HeaderMap| request(file, &uri, &headers)));
    }
    if FILES.iter().any(|file| file.path == "favicon.ico") {
        router
    } else {
        router.route("/favicon.ico", get(no_icon))
    }
}

/// `GET /r/{id}`
fn request(index: &File, uri: &Uri, headers: &HeaderMap) -> Result<Response, Fault> {
    if uri.path().len() > PAGE_PATH_LENGTH {
        return unknown_page(&Method::GET, uri, headers).ok_or_else(|| not_found(uri));
    }
    Ok(index.respond(headers))
}

/// The page at an unknown path, for a browser that navigates there: it shows that there is nothing, and a way back. Paths below
/// those of programs, and programs anywhere, get the problem instead.
pub(super) fn unknown_page(method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<Response> {
    let is_navigation =
        matches!(*method, Method::GET | Method::HEAD) && negotiation::accepts_html(headers.get_all(ACCEPT));
    let is_below =
        |root: &&str| uri.path().strip_prefix(*root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let is_of_programs = PROGRAM_PATHS.iter().any(is_below);
    let index = FILES.iter().find(|file| file.path == INDEX).filter(|_| is_navigation && !is_of_programs)?;
    let mut response = index.whole(headers);
    *response.status_mut() = StatusCode::NOT_FOUND;
    let own = response.headers_mut();
    own.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    own.insert(VARY, HeaderValue::from_static("accept, accept-encoding"));
    Some(response)
}

/// `GET /favicon.ico`: browsers request it by default, and the page links the real icon.
async fn no_icon() -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=86400"));
    response
}

/// A file of the page.
struct File {
    path: &'static str,
    content: Bytes,
    file_type: FileType,
    /// The ETag of the content, compressed or not. Computed on first use, like the next field.
    tag: OnceLock<HeaderValue>,
    /// The compressed content, if it is smaller.
    packed: OnceLock<Option<Bytes>>,
}

/// The type of a file, by its extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileType {
    content_type: &'static str,
    /// Whether gzip may make it smaller: some formats are compressed already.
    is_compressible: bool,
}

impl FileType {
    fn of(path: &str) -> Option<Self> {
        let (content_type, is_compressible) = match path.rsplit_once('.')?.1 {
            "html" => ("text/html; charset=utf-8", true),
            "js" => ("text/javascript; charset=utf-8", true),
            "css" => ("text/css; charset=utf-8", true),
            "svg" => ("image/svg+xml", true),
            "webmanifest" => ("application/manifest+json", true),
            "json" | "map" => ("application/json", true),
            "txt" => ("text/plain; charset=utf-8", true),
            "ico" => ("image/vnd.microsoft.icon", true),
            "png" => ("image/png", false),
            "webp" => ("image/webp", false),
            "woff2" => ("font/woff2", false),
            _ => return None,
        };
        Some(Self { content_type, is_compressible })
    }
}

impl File {
    fn new(path: &'static str, content: Bytes) -> Self {
        // A test requires that every embedded file has a known type.
        let unknown = FileType { content_type: "application/octet-stream", is_compressible: false };
        let file_type = FileType::of(path).unwrap_or(unknown);
        Self { path, content, file_type, tag: OnceLock::new(), packed: OnceLock::new() }
    }

    fn respond(&self, headers: &HeaderMap) -> Response {
        let tag = self.tag();
        let mut response = if negotiation::matches_tag(headers.get_all(IF_NONE_MATCH), tag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            self.whole(headers)
        };
        let kept =
            if self.path.starts_with(NAMED_BY_CONTENT) { "public, max-age=31536000, immutable" } else { "no-cache" };
        let own = response.headers_mut();
        own.insert(ETAG, tag.clone());
        own.insert(CACHE_CONTROL, HeaderValue::from_static(kept));
        if self.file_type.is_compressible {
            own.insert(VARY, HeaderValue::from_static("accept-encoding"));
        }
        response
    }

    fn whole(&self, headers: &HeaderMap) -> Response {
        let packed = if negotiation::accepts_gzip(headers.get_all(ACCEPT_ENCODING)) { self.packed() } else { None };
        let mut response = Response::new(Body::from(packed.unwrap_or(&self.content).clone()));
        let own = response.headers_mut();
        own.insert(CONTENT_TYPE, HeaderValue::from_static(self.file_type.content_type));
        if packed.is_some() {
            own.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response
    }

    /// A weak ETag: the same for the compressed and the original content.
    fn tag(&self) -> &HeaderValue {
        self.tag.get_or_init(|| {
            let text = format!("W/\"{}\"", BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(&self.content)));
            // Base64 is always a valid header value.
            HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static("W/\"\""))
        })
    }

    /// The compressed content, computed once: some milliseconds for the whole page.
    fn packed(&self) -> Option<&Bytes> {
        let pack = || {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            // Writing into memory never fails.
            encoder.write_all(&self.content).ok()?;
            let packed = encoder.finish().ok()?;
            (packed.len() < self.content.len()).then(|| packed.into())
        };
        self.packed.get_or_init(|| if self.file_type.is_compressible { pack() } else { None }).as_ref()
    }
}

#[cfg(test)]
mod tests;
