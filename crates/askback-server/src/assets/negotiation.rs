//! What a browser says that it takes, and that it has.

use axum::http::HeaderValue;

/// Whether somebody who sends this takes what is packed with gzip (`Accept-Encoding`).
pub(super) fn takes_gzip<'h>(accepted: impl IntoIterator<Item = &'h HeaderValue>) -> bool {
    let (mut gzip, mut others) = (None, None);
    for (name, weight) in items(accepted).map(weighed) {
        if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") {
            gzip = Some(weight);
        } else if name == "*" {
            others = Some(weight);
        }
    }
    // What is named counts before what stands for all that is not.
    gzip.or(others).is_some_and(|weight| weight > 0.0)
}

/// A name and its weight; one that can't be read is none.
fn weighed(item: &str) -> (&str, f32) {
    let (name, parameters) = item.split_once(';').unwrap_or((item, ""));
    let weights = parameters.split(';').filter_map(|parameter| parameter.split_once('='));
    let weight =
        weights.filter(|(name, _)| name.trim().eq_ignore_ascii_case("q")).map(|(_, weight)| weight.trim()).next();
    (name.trim_end(), weight.map_or(1.0, |weight| weight.parse().unwrap_or(0.0)))
}

/// Whether they have the content with this tag (`If-None-Match`), by weak comparison as RFC 9110 has it.
pub(super) fn knows<'h>(known: impl IntoIterator<Item = &'h HeaderValue>, tag: &HeaderValue) -> bool {
    let opaque = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    let own = tag.to_str().map(opaque).unwrap_or_default();
    // Tags of ours have no commas; those of others, taken apart, are still none of ours.
    items(known).any(|item| item == "*" || opaque(item) == own)
}

/// What is listed in a header, however often it is there.
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
            assert!(takes_gzip(&values(taken)), "{taken:?}");
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
            assert!(!takes_gzip(&values(refused)), "{refused:?}");
        }
    }

    #[test]
    fn what_is_known_is_told_by_its_tag() {
        let tag = HeaderValue::from_static("W/\"abc\"");
        for known in [&["W/\"abc\""][..], &["\"abc\""], &["\"x\", W/\"abc\""], &["\"x\"", "\"abc\""], &["*"]] {
            assert!(knows(&values(known), &tag), "{known:?}");
        }
        for unknown in [&[][..], &["\"abcd\""], &["abc"], &["\"ABC\""], &[""], &["W/"]] {
            assert!(!knows(&values(unknown), &tag), "{unknown:?}");
        }
    }
}
