//! Content negotiation: `Accept`, `Accept-Encoding` and `If-None-Match`.

use axum::http::HeaderValue;

/// Whether a client with these `Accept-Encoding` headers accepts gzip.
pub(super) fn accepts_gzip<'h>(accepted: impl IntoIterator<Item = &'h HeaderValue>) -> bool {
    let (mut gzip, mut others) = (None, None);
    for (name, weight) in items(accepted).map(weighted) {
        if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") {
            gzip = Some(weight);
        } else if name == "*" {
            others = Some(weight);
        }
    }
    // A named encoding takes precedence over `*`.
    gzip.or(others).is_some_and(|weight| weight > 0.0)
}

/// Whether a client with these `Accept` headers names HTML, as browsers do when they navigate. Programs accept anything.
pub(super) fn accepts_html<'h>(accepted: impl IntoIterator<Item = &'h HeaderValue>) -> bool {
    items(accepted).map(weighted).any(|(name, weight)| name.eq_ignore_ascii_case("text/html") && weight > 0.0)
}

/// The name and the weight of an item. An invalid weight is zero.
fn weighted(item: &str) -> (&str, f32) {
    let (name, parameters) = item.split_once(';').unwrap_or((item, ""));
    let weights = parameters.split(';').filter_map(|parameter| parameter.split_once('='));
    let weight =
        weights.filter(|(name, _)| name.trim().eq_ignore_ascii_case("q")).map(|(_, weight)| weight.trim()).next();
    (name.trim_end(), weight.map_or(1.0, |weight| weight.parse().unwrap_or(0.0)))
}

/// Whether a client with these `If-None-Match` headers has the content with this tag, by weak comparison (RFC 9110).
pub(super) fn matches_tag<'h>(known: impl IntoIterator<Item = &'h HeaderValue>, tag: &HeaderValue) -> bool {
    let opaque = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    let own = tag.to_str().map(opaque).unwrap_or_default();
    // Tags of this server contain no commas, and no part of another tag equals one of them.
    items(known).any(|item| item == "*" || opaque(item) == own)
}

/// The items of a list header, which may occur several times.
fn items<'h>(values: impl IntoIterator<Item = &'h HeaderValue>) -> impl Iterator<Item = &'h str> {
    let texts = values.into_iter().filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(',')).map(str::trim).filter(|item| !item.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(texts: &[&str]) -> Vec<HeaderValue> {
        texts.iter().map(|text| HeaderValue::from_str(text).unwrap()).collect()
    }

    #[test]
    fn gzip_is_for_those_who_take_it() {
        for taken in [
            &["gzip"][..],
            &["gzip, deflate, br, zstd"],
            &["br;q=1.0, GZIP ; Q=0.001"],
            &["deflate", "x-gzip"],
            &["*"],
            &["identity;q=0.5, *;q=0.1"],
            &["*;q=0, gzip"],
        ] {
            assert!(accepts_gzip(&values(taken)), "{taken:?}");
        }
        for refused in [
            &[][..],
            &[""],
            &["br"],
            &["gzip;q=0"],
            &["gzip; q=0.000, br"],
            &["*, gzip;q=0"],
            &["*;q=0"],
            &["gzip;q=much"],
            &["not-gzip"],
        ] {
            assert!(!accepts_gzip(&values(refused)), "{refused:?}");
        }
    }

    #[test]
    fn html_is_for_clients_that_name_it() {
        for taken in
            [&["text/html"][..], &["text/html,application/xhtml+xml,*/*;q=0.8"], &["image/png", "Text/HTML;q=0.1"]]
        {
            assert!(accepts_html(&values(taken)), "{taken:?}");
        }
        for refused in [&[][..], &["*/*"], &["text/*"], &["application/json"], &["text/html;q=0"]] {
            assert!(!accepts_html(&values(refused)), "{refused:?}");
        }
    }

    #[test]
    fn what_is_known_is_told_by_its_tag() {
        let tag = HeaderValue::from_static("W/\"abc\"");
        for known in [&["W/\"abc\""][..], &["\"abc\""], &["\"x\", W/\"abc\""], &["\"x\"", "\"abc\""], &["*"]] {
            assert!(matches_tag(&values(known), &tag), "{known:?}");
        }
        for unknown in [&[][..], &["\"abcd\""], &["abc"], &["\"ABC\""], &[""], &["W/"]] {
            assert!(!matches_tag(&values(unknown), &tag), "{unknown:?}");
        }
    }
}
