//! The page: its built files, which are part of the program. They are the same for everybody and hold no data, so that nobody
//! has to log in for them; the page then calls the API as whoever is logged in.

use crate::app::App;
use crate::fault::Fault;
use crate::routes::nothing;
use askback_api::limits::PAGE_PATH_LENGTH;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH, VARY,
};
use axum::http::{StatusCode, Uri};
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

/// What the page begins with, wherever somebody enters it.
const INDEX: &str = "index.html";

/// The folder of files whose names say what is in them: another content has another name.
const NAMED_BY_CONTENT: &str = "assets/";

/// The places of the page, besides that of a request. What is there, its script shows.
const PLACES: [&str; 4] = ["/", "/history", "/login", "/settings"];

/// Paths and contents, as build.rs lists them.
const EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

static FILES: LazyLock<Vec<File>> =
    LazyLock::new(|| EMBEDDED.iter().map(|(path, content)| File::new(path, Bytes::from_static(content))).collect());

/// Nothing but the files there are has a route: no path leads anywhere else.
pub(super) fn routes() -> Router<Arc<App>> {
    let (index, others): (Vec<&File>, Vec<&File>) = FILES.iter().partition(|file| file.path == INDEX);
    let mut router = Router::new();
    for file in others {
        router = router.route(&format!("/{}", file.path), get(async |headers: HeaderMap| file.answer(&headers)));
    }
    for file in index {
        for place in PLACES {
            router = router.route(place, get(async |headers: HeaderMap| file.answer(&headers)));
        }
        // Whatever its id is like, the page says what is wrong with it.
        router = router.route("/r/{id}", get(async |uri: Uri, headers: HeaderMap| request(file, &uri, &headers).await));
    }
    if FILES.iter().any(|file| file.path == "favicon.ico") {
        router
    } else {
        router.route("/favicon.ico", get(no_icon))
    }
}

/// `GET /r/{id}`
async fn request(index: &File, uri: &Uri, headers: &HeaderMap) -> Result<Response, Fault> {
    if uri.path().len() > PAGE_PATH_LENGTH {
        return Err(nothing(uri.clone()).await);
    }
    Ok(index.answer(headers))
}

/// `GET /favicon.ico`: every browser asks for it, and finds the real one in the page.
async fn no_icon() -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=86400"));
    response
}

/// A file of the page.
struct File {
    path: &'static str,
    content: Bytes,
    form: Form,
    /// What tells its content from any other, however it is sent; made when it is first asked for, as is what follows.
    tag: OnceLock<HeaderValue>,
    /// The same in fewer bytes, if they are fewer.
    packed: OnceLock<Option<Bytes>>,
}

/// What a file is, by the end of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Form {
    content_type: &'static str,
    packing: Packing,
}

/// Whether it is worth a try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Packing {
    Gzip,
    /// Its format has done that.
    Never,
}

impl Form {
    fn of(path: &str) -> Option<Self> {
        let (content_type, packing) = match path.rsplit_once('.')?.1 {
            "html" => ("text/html; charset=utf-8", Packing::Gzip),
            "js" => ("text/javascript; charset=utf-8", Packing::Gzip),
            "css" => ("text/css; charset=utf-8", Packing::Gzip),
            "svg" => ("image/svg+xml", Packing::Gzip),
            "webmanifest" => ("application/manifest+json", Packing::Gzip),
            "json" | "map" => ("application/json", Packing::Gzip),
            "txt" => ("text/plain; charset=utf-8", Packing::Gzip),
            "ico" => ("image/vnd.microsoft.icon", Packing::Gzip),
            "png" => ("image/png", Packing::Never),
            "webp" => ("image/webp", Packing::Never),
            "woff2" => ("font/woff2", Packing::Never),
            _ => return None,
        };
        Some(Self { content_type, packing })
    }
}

impl File {
    fn new(path: &'static str, content: Bytes) -> Self {
        // A test asks for the type of whatever is there.
        let unknown = Form { content_type: "application/octet-stream", packing: Packing::Never };
        let form = Form::of(path).unwrap_or(unknown);
        Self { path, content, form, tag: OnceLock::new(), packed: OnceLock::new() }
    }

    /// What a browser gets that sends these headers.
    fn answer(&self, headers: &HeaderMap) -> Response {
        let tag = self.tag();
        let mut response = if negotiation::knows(headers.get_all(IF_NONE_MATCH), tag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            self.whole(headers)
        };
        let kept =
            if self.path.starts_with(NAMED_BY_CONTENT) { "public, max-age=31536000, immutable" } else { "no-cache" };
        let own = response.headers_mut();
        own.insert(ETAG, tag.clone());
        own.insert(CACHE_CONTROL, HeaderValue::from_static(kept));
        if self.form.packing == Packing::Gzip {
            own.insert(VARY, HeaderValue::from_static("accept-encoding"));
        }
        response
    }

    fn whole(&self, headers: &HeaderMap) -> Response {
        let packed = if negotiation::takes_gzip(headers.get_all(ACCEPT_ENCODING)) { self.packed() } else { None };
        let mut response = Response::new(Body::from(packed.unwrap_or(&self.content).clone()));
        let own = response.headers_mut();
        own.insert(CONTENT_TYPE, HeaderValue::from_static(self.form.content_type));
        if packed.is_some() {
            own.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response
    }

    /// A weak one: packed or not, it is the same content.
    fn tag(&self) -> &HeaderValue {
        self.tag.get_or_init(|| {
            let text = format!("W/\"{}\"", BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(&self.content)));
            // Letters and digits are always a header.
            HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static("W/\"\""))
        })
    }

    /// Once, for all who ask: some milliseconds for all of the page.
    fn packed(&self) -> Option<&Bytes> {
        let pack = || {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            // Into memory, which never fails.
            encoder.write_all(&self.content).ok()?;
            let packed = encoder.finish().ok()?;
            (packed.len() < self.content.len()).then(|| packed.into())
        };
        let is_worth_it = self.form.packing == Packing::Gzip;
        self.packed.get_or_init(|| if is_worth_it { pack() } else { None }).as_ref()
    }
}

#[cfg(test)]
mod tests;
