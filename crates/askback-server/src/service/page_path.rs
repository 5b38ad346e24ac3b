//! The path to open after a login, which always stays on this server.

use askback_api::limits::PAGE_PATH_LENGTH;
use askback_core::{Refusal, Rule, show};

/// A path on this server. Browsers take `//name` and `/\name` for the address of another server, and drop characters that are not
/// printable before they parse it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PagePath(String);

impl PagePath {
    pub(crate) fn parse(text: &str) -> Result<Self, Refusal> {
        let refused = |rule: Rule, message: String| {
            let expected = format!("a path on this server of at most {PAGE_PATH_LENGTH} letters, such as / or /r/ID");
            Refusal { rule, message, expected }
        };
        if text.len() > PAGE_PATH_LENGTH {
            return Err(refused(Rule::Length, format!("it has {} bytes", text.len())));
        }
        let is_path = text.starts_with('/')
            && !text.contains("//")
            && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
        if is_path {
            Ok(Self(text.to_owned()))
        } else {
            Err(refused(Rule::Word, format!("{} is none", show::quote(text))))
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    // S4
    #[test]
    fn it_leads_nowhere_else() {
        let long = format!("/{}", "x".repeat(PAGE_PATH_LENGTH - 1));
        for path in
            ["/", "/r/019a8b3c-0000-7000-8000-000000000000", "/history?room=a&b=%2F#c", "/a/", "/@:;='\"<>", &long]
        {
            assert_eq!(PagePath::parse(path).map(|path| path.0), Ok(path.to_owned()));
        }
        let longer = format!("{long}x");
        for path in [
            "",
            "r/1",
            "//evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "/a//b",
            "/a\\b",
            "/\t/evil.example",
            "/\n/evil.example",
            " /",
            "/ ",
            "/é",
            "http://evil.example/",
            "javascript:alert(1)",
            "/\u{7f}",
            &longer,
        ] {
            let refusal = PagePath::parse(path).unwrap_err();
            assert!(refusal.expected.contains("such as / or /r/ID"), "{path:?}: {refusal:?}");
        }
    }

    proptest! {
        // S4
        #[test]
        fn whatever_passes_begins_with_one_slash(text in "[/\\\\a.:@ \t\n?#é]{0,8}") {
            if let Ok(path) = PagePath::parse(&text) {
                let rest = path.as_str().strip_prefix('/').unwrap();
                prop_assert!(!rest.starts_with(['/', '\\']) && rest.bytes().all(|byte| byte.is_ascii_graphic()));
            }
        }
    }
}
