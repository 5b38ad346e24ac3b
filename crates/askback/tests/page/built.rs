//! The built files of the live page, whatever they are this time: they come to anybody, as they are, and nothing else does.

use crate::ASKBACK;
use askback_testkit::http::Reply;
use askback_testkit::hub_process::HubProcess;
use flate2::read::GzDecoder;
use std::fs;
use std::io::Read;
use std::path::Path;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../askback-server/assets/page");

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'; trusted-types 'none'";

/// Paths and contents of all files there are.
fn files() -> Vec<(String, Vec<u8>)> {
    fn list(folder: &Path, before: &str, files: &mut Vec<(String, Vec<u8>)>) {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = format!("{before}/{}", entry.file_name().into_string().unwrap());
            if entry.file_type().unwrap().is_dir() {
                list(&entry.path(), &path, files);
            } else {
                files.push((path, fs::read(entry.path()).unwrap()));
            }
        }
    }
    let mut files = Vec::new();
    list(Path::new(FOLDER), "", &mut files);
    files
}

fn index() -> Vec<u8> {
    fs::read(Path::new(FOLDER).join("index.html")).unwrap()
}

/// As somebody who is not logged in.
fn get(hub: &HubProcess, path: &str, headers: &[(&str, &str)]) -> Reply {
    headers.iter().fold(hub.get(path), |call, (name, value)| call.header(name, value)).send()
}

fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut content = Vec::new();
    GzDecoder::new(bytes).read_to_end(&mut content).unwrap();
    content
}

// S4
#[test]
fn every_place_of_the_page_is_the_page() {
    let hub = HubProcess::start(ASKBACK);
    let long = format!("/r/{}", "x".repeat(197));
    for place in [
        "/",
        "/audit",
        "/history",
        "/login",
        "/settings",
        "/r/019a8b3c-0000-7000-8000-000000000000",
        "/r/019a8b3c-0000-7000-8000-000000000000?from=chat",
        "/r/019A8B3C-0000-7000-8000-000000000000",
        "/r/junk",
        "/r/%22%3E%3Cscript%3E",
        "/r/%ff%00",
        "/r/..",
        &long,
    ] {
        let page = get(&hub, place, &[]);
        assert_eq!((page.status, page.bytes == index()), (200, true), "{place}");
        for (name, value) in [
            ("content-type", "text/html; charset=utf-8"),
            ("content-security-policy", POLICY),
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("referrer-policy", "no-referrer"),
            ("x-dns-prefetch-control", "off"),
            ("cache-control", "no-cache"),
            ("vary", "accept-encoding"),
        ] {
            assert_eq!(page.header(name), Some(value), "{place}: {name}");
        }
        assert_eq!(page.header("set-cookie"), None);
        let head = hub.call("HEAD", place).send();
        assert_eq!((head.status, head.bytes.len()), (200, 0), "{place}");
        for name in ["content-length", "content-type", "etag", "cache-control", "content-security-policy"] {
            assert_eq!(head.header(name), page.header(name), "{place}: {name}");
        }
        assert_eq!(hub.call("POST", place).send().status, 405, "{place}");
    }
}

#[test]
fn every_file_comes_as_it_was_built() {
    let hub = HubProcess::start(ASKBACK);
    for (path, content) in files().into_iter().filter(|(path, _)| path != "/index.html") {
        let file = get(&hub, &path, &[("accept-encoding", "br, gzip;q=0")]);
        assert_eq!((file.status, file.bytes == content), (200, true), "{path}");
        assert_eq!(file.header("content-encoding"), None, "{path}");
        let kept = if path.starts_with("/assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
        assert_eq!(file.header("cache-control"), Some(kept), "{path}");
        assert_eq!(file.header("content-security-policy"), Some(POLICY), "{path}");
        let expected = match path.rsplit_once('.').unwrap().1 {
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "svg" => "image/svg+xml",
            "webmanifest" => "application/manifest+json",
            _ => continue,
        };
        assert_eq!(file.header("content-type"), Some(expected), "{path}");
    }
}

#[test]
fn whoever_takes_gzip_gets_fewer_bytes() {
    let hub = HubProcess::start(ASKBACK);
    let mut packed = 0;
    for (path, content) in files() {
        let path = if path == "/index.html" { "/".to_owned() } else { path };
        let file = get(&hub, &path, &[("accept-encoding", "gzip, deflate, br, zstd")]);
        assert_eq!(file.header("content-length"), Some(file.bytes.len().to_string().as_str()), "{path}");
        if file.header("content-encoding") == Some("gzip") {
            assert!(file.bytes.len() < content.len() && unpacked(&file.bytes) == content, "{path}");
            assert_eq!(file.header("vary"), Some("accept-encoding"), "{path}");
            packed += 1;
        } else {
            assert!(file.bytes == content, "{path}");
        }
        assert_eq!(file.header("etag"), get(&hub, &path, &[]).header("etag"), "{path}: it is the same content");
    }
    assert!(packed >= 2, "the page and its script, at least: {packed}");
}

#[test]
fn what_a_browser_has_is_not_sent_again() {
    let hub = HubProcess::start(ASKBACK);
    let built = files().into_iter().map(|(path, _)| path.replace("/index.html", "/"));
    for path in built.chain(["/r/019a8b3c-0000-7000-8000-000000000000".to_owned()]) {
        let tag = get(&hub, &path, &[]).header("etag").unwrap().to_owned();
        for known in [tag.clone(), tag.replace("W/", ""), format!("\"other\", {tag}"), "*".to_owned()] {
            let same = get(&hub, &path, &[("if-none-match", &known), ("accept-encoding", "gzip")]);
            assert_eq!((same.status, same.bytes.len()), (304, 0), "{path}: {known}");
            assert_eq!(same.header("etag"), Some(tag.as_str()), "{path}");
            assert_eq!(same.header("content-security-policy"), Some(POLICY), "{path}");
            assert_ne!(same.header("cache-control"), Some("no-store"), "{path}");
        }
        let other = get(&hub, &path, &[("if-none-match", "\"other\"")]);
        assert_eq!(other.status, 200, "{path}");
    }
}

// S4
#[test]
fn nothing_else_is_there() {
    let hub = HubProcess::start(ASKBACK);
    let long = format!("/r/{}", "x".repeat(198));
    for path in [
        "/index.html",
        "/assets",
        "/assets/",
        "/assets/../index.html",
        "/assets/../../Cargo.toml",
        "/assets/%2e%2e/index.html",
        "/assets/..%2findex.html",
        "/assets/no-such-file.js",
        "/../index.html",
        "//",
        "/r",
        "/r/",
        "/r/a/b",
        "/history/",
        "/history/x",
        "/requests/019a8b3c-0000-7000-8000-000000000000",
        "/page.css",
        "/page.rs",
        "/demo.toml",
        &long,
    ] {
        let reply = get(&hub, path, &[]);
        assert_eq!(reply.status, 404, "{path}");
        assert_eq!(reply.header("content-type"), Some("application/problem+json"), "{path}");
    }
}

// S4
#[test]
fn browser_at_an_unknown_path_gets_the_page_and_a_program_a_problem() {
    let hub = HubProcess::start(ASKBACK);
    let navigation = ("accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");
    let long = format!("/r/{}", "x".repeat(198));
    for path in ["/r", "/r/", "/r/a/b", "/history/", "/inbox", "/index.html", "/requests/1?a=b", "//", "/%ff", &long] {
        let page = get(&hub, path, &[navigation]);
        assert_eq!((page.status, page.bytes == index()), (404, true), "{path}");
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"), "{path}");
        assert_eq!(page.header("content-security-policy"), Some(POLICY), "{path}");
        assert_eq!(page.header("cache-control"), Some("no-store"), "{path}");
        assert_eq!(page.header("vary"), Some("accept, accept-encoding"), "{path}");
        let head = hub.call("HEAD", path).header(navigation.0, navigation.1).send();
        assert_eq!((head.status, head.bytes.len()), (404, 0), "{path}");
        assert_eq!(get(&hub, path, &[("accept", "*/*")]).header("content-type"), Some("application/problem+json"));
    }
    for path in ["/api/v1/nothing", "/assets/no-such-file.js", "/sync/", "/mcp/x"] {
        let reply = get(&hub, path, &[navigation]);
        assert_eq!(reply.header("content-type"), Some("application/problem+json"), "{path}");
    }
    let posted = hub.call("POST", "/inbox").header(navigation.0, navigation.1).send();
    assert_eq!((posted.status, posted.header("content-type")), (404, Some("application/problem+json")));
}

#[test]
fn apple_touch_icon_and_icons_of_the_manifest_are_png() {
    let hub = HubProcess::start(ASKBACK);
    let manifest = get(&hub, "/manifest.webmanifest", &[]).json();
    let icons = manifest["icons"].as_array().unwrap().iter();
    let named: Vec<(String, String)> = icons
        .filter(|icon| icon["type"] == "image/png")
        .map(|icon| (icon["src"].as_str().unwrap().to_owned(), icon["sizes"].as_str().unwrap().to_owned()))
        .chain([("/apple-touch-icon.png".to_owned(), "180x180".to_owned())])
        .collect();
    assert!(named.len() >= 4, "{named:?}");
    for (path, sizes) in named {
        let icon = get(&hub, &path, &[]);
        assert_eq!((icon.status, icon.header("content-type")), (200, Some("image/png")), "{path}");
        let side = |from: usize| u32::from_be_bytes(icon.bytes[from..from + 4].try_into().unwrap());
        assert_eq!(format!("{}x{}", side(16), side(20)), sizes, "{path}: the size in its header");
        assert!(icon.bytes.len() < 16_000, "{path}: {} bytes", icon.bytes.len());
    }
    assert!(String::from_utf8(index()).unwrap().contains("rel=\"apple-touch-icon\""));
}

#[test]
fn a_browser_that_looks_for_an_icon_makes_no_noise() {
    let hub = HubProcess::start(ASKBACK);
    let icon = get(&hub, "/favicon.ico", &[]);
    assert!([200, 204].contains(&icon.status), "{}", icon.status);
    let icon = files().into_iter().any(|(path, _)| path == "/icon.svg");
    assert!(icon && get(&hub, "/icon.svg", &[]).status == 200, "the page has one");
}

/// A browser without scripts is led to the page without them.
#[test]
fn who_has_no_scripts_is_led_on() {
    let page = String::from_utf8(index()).unwrap();
    let (_, after) = page.split_once("<noscript>").unwrap();
    let (inside, _) = after.split_once("</noscript>").unwrap();
    assert!(inside.contains("http-equiv=\"refresh\"") && inside.contains("url=/plain"), "{inside}");
}
