//! Reads JSON text, and explains what keeps a text from being JSON.

use super::Json;
use crate::limits::JSON_DEPTH;
use crate::problem::Refusal;
use crate::rule::Rule;

/// The value in the bytes, or what is wrong with them and how to mend it.
pub(super) fn read(bytes: &[u8]) -> Result<Json, Refusal> {
    let refuse = |message: &str, expected: &str| Err(Refusal::new(Rule::Json, message, expected));
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let message = format!("the bytes are not UTF-8 from byte {} on", error.valid_up_to());
            return refuse(&message, "JSON text in UTF-8");
        }
    };
    if text.starts_with('\u{feff}') {
        return refuse("a byte order mark stands before the JSON", "UTF-8 without one");
    }
    if text.trim().is_empty() {
        return refuse("there is nothing here", "a request in JSON");
    }
    serde_json::from_str(text).or_else(|error| {
        let said = error.to_string();
        let what = said.split(" at line ").next().unwrap_or_default();
        let message = format!("this is not JSON (line {}, column {}): {what}", error.line(), error.column());
        refuse(&message, &mending(what))
    })
}

/// What would pass, as far as the reader's own words tell.
fn mending(what: &str) -> String {
    match what {
        "trailing comma" => "no comma before a closing bracket".to_owned(),
        "trailing characters" => "one JSON value and nothing after it".to_owned(),
        "recursion limit exceeded" => format!("at most {JSON_DEPTH} levels of lists and objects"),
        "number out of range" => "a number that fits a double, at most 1.7976931348623157e308".to_owned(),
        "invalid escape" => {
            "a backslash written as \\\\, and otherwise only \\\" \\/ \\b \\f \\n \\r \\t and \\u with four digits"
                .to_owned()
        }
        what if what.starts_with("EOF") => "the rest: the text ends too early".to_owned(),
        what if what.starts_with("control character") => {
            "line breaks and tabs in a text written as \\n and \\t".to_owned()
        }
        what if ["surrogate", "code point", "hex escape"].iter().any(|word| what.contains(word)) => {
            "characters beyond U+FFFF written as a pair of \\u escapes, or as they are".to_owned()
        }
        _ => "plain JSON: double quotes, no comments, no code fences, true, false and null in lower case".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    // F15, S3
    #[test]
    fn what_is_not_json_is_explained() {
        let explained = |text: &str| read(text.as_bytes()).unwrap_err().to_string();
        for (text, says) in [
            ("", "there is nothing here"),
            ("\u{feff}{}", "byte order mark"),
            ("[1,]", "no comma before a closing bracket"),
            ("{'a': 1}", "double quotes"),
            ("```json\n{}\n```", "no code fences"),
            ("{\"a\": True}", "in lower case"),
            ("{\"a\": \"b\nc\"}", "written as \\n"),
            ("{\"a\": 1e400}", "fits a double"),
            ("{\"a\": ", "ends too early"),
            ("{} {}", "nothing after it"),
            ("\"\\x\"", "a backslash written as"),
            ("\"\\ud800\"", "a pair of \\u escapes"),
            (&"[".repeat(200), "at most 127 levels"),
        ] {
            assert!(explained(text).contains(says), "{text:?}: {}", explained(text));
        }
        assert!(read(b"\xff").unwrap_err().message.contains("not UTF-8 from byte 0 on"));
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(read(nested(crate::limits::JSON_DEPTH).as_bytes()).is_ok());
        assert!(read(nested(crate::limits::JSON_DEPTH + 1).as_bytes()).is_err());
    }
}
