//! A JSON text that is changed where it has to be and nowhere else: all other bytes stay as they are.
//!
//! Reading it into values and writing those again would lose what values don't hold: numbers beyond a double, escapes, how it is laid
//! out, and which of it is somebody's own habit.

use super::limits::FILE_BYTES;
use crate::locate::Places;
use askback_core::{Json, Limits, Path, Step};
use std::ops::Range;

pub(super) struct JsonText {
    text: String,
    json: Json,
}

/// Errors name the place in the text, and a form that would pass.
impl JsonText {
    /// Reads a text. One that says nothing is an object without fields.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let text = if text.trim().is_empty() { "{}\n" } else { text };
        Ok(Self { text: text.to_owned(), json: parse(text)? })
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// The value at a path, if there is one; not if what is on the way is no object or list, or there twice.
    pub(super) fn get(&self, path: &Path) -> Result<Option<&Json>, String> {
        let mut json = &self.json;
        let mut here = Path::root();
        for step in path.steps() {
            let Some(inner) = inner(json, &here, step)? else { return Ok(None) };
            json = inner;
            here = below(&here, step);
        }
        Ok(Some(json))
    }

    /// Puts a value at a path. What is missing on the way is made.
    pub(super) fn set(&mut self, path: &Path, value: &Json) -> Result<(), String> {
        let mut here = Path::root();
        for (depth, step) in path.steps().iter().enumerate() {
            let next = below(&here, step);
            if self.get(&next)?.is_none() {
                let rest = path.steps()[depth + 1..].iter().rev();
                let value = rest.fold(value.clone(), |value, step| wrapped(step, value));
                return self.insert(&here, step, &value);
            }
            here = next;
        }
        let place = self.place(path)?;
        let value = self.style().written(value, self.indentation(place.start));
        self.replace(place, &value)
    }

    /// Adds an item to the list at a path, which is made if it is missing.
    pub(super) fn push(&mut self, path: &Path, value: &Json) -> Result<(), String> {
        match self.get(path)? {
            None => self.set(path, &Json::Array(vec![value.clone()])),
            Some(Json::Array(items)) => self.insert(path, &Step::Index(items.len()), value),
            Some(_) => Err(format!("{path} is no list: `[…]` would pass")),
        }
    }

    /// Adds an item to an object or a list, as the last one.
    fn insert(&mut self, around: &Path, step: &Step, value: &Json) -> Result<(), String> {
        let place = self.place(around)?;
        let (start, end) = (place.start + 1, place.end - 1);
        let (inner, style) = (&self.text[start..end], self.style());
        let named = |value: String, colon: &str| match step {
            Step::Field(name) => format!("{}{colon}{value}", Json::from(name.as_str())),
            Step::Index(_) => value,
        };
        let space = &inner[..inner.len() - inner.trim_start().len()];
        let (place, item) = if space.len() == inner.len() {
            match &style {
                Style::Line => (start..end, named(value.to_string(), ": ")),
                Style::Lines { newline, unit } => {
                    let outer = self.indentation(start);
                    let own = format!("{outer}{unit}");
                    let item = named(style.written(value, &own), ": ");
                    (start..end, format!("{newline}{own}{item}{newline}{outer}"))
                }
            }
        } else {
            let last = start + inner.trim_end().len();
            let item = match space.rsplit_once('\n') {
                Some((_, own)) => {
                    let newline = if space.contains("\r\n") { "\r\n" } else { "\n" };
                    format!(",{newline}{own}{}", named(style.written(value, own), ": "))
                }
                None => format!(", {}", named(value.to_string(), ": ")),
            };
            (last..last, item)
        };
        self.replace(place, &item)
    }

    fn replace(&mut self, place: Range<usize>, value: &str) -> Result<(), String> {
        self.text.replace_range(place, value);
        self.json = parse(&self.text)?;
        Ok(())
    }

    /// The bytes of a value that is there.
    fn place(&self, path: &Path) -> Result<Range<usize>, String> {
        let place = Places::find(&self.text, std::iter::once(path)).value(path);
        place.ok_or_else(|| format!("{path} is not found in the text"))
    }

    /// What the line begins with in which something stands.
    fn indentation(&self, at: usize) -> &str {
        let line = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let line = &self.text[line..at];
        &line[..line.len() - line.trim_start().len()]
    }

    /// How the text is laid out, as its first field tells.
    fn style(&self) -> Style {
        let usual = Style::Lines { newline: "\n", unit: "  ".to_owned() };
        let Some((_, inner)) = self.text.split_once('{') else { return usual };
        let space = &inner[..inner.len() - inner.trim_start().len()];
        match space.rsplit_once('\n') {
            _ if inner[space.len()..].starts_with('}') => usual,
            Some((before, unit)) => {
                let newline = if before.ends_with('\r') { "\r\n" } else { "\n" };
                Style::Lines { newline, unit: unit.to_owned() }
            }
            None => Style::Line,
        }
    }
}

enum Style {
    /// All on one line.
    Line,
    /// A line for each item, indented by so much.
    Lines { newline: &'static str, unit: String },
}

impl Style {
    /// A value whose first line is indented as given.
    fn written(&self, value: &Json, indentation: &str) -> String {
        let Self::Lines { newline, unit } = self else { return value.to_string() };
        let pretty = value.to_pretty();
        // Within texts, line breaks are escapes: each line begins with two spaces for each level and nothing else.
        let lines = pretty.lines().enumerate().map(|(number, line)| {
            let item = line.trim_start_matches(' ');
            let levels = (line.len() - item.len()) / 2;
            if number == 0 { item.to_owned() } else { format!("{indentation}{}{item}", unit.repeat(levels)) }
        });
        lines.collect::<Vec<_>>().join(newline)
    }
}

fn parse(text: &str) -> Result<Json, String> {
    let limits = Limits { request_bytes: FILE_BYTES, ..Limits::DEFAULT };
    Json::parse(text.as_bytes(), &limits).map_err(|problems| {
        // It is about the whole text, which goes without saying.
        let said = problems.to_string();
        said.strip_prefix("$: ").unwrap_or(&said).to_owned()
    })
}

/// What is one step below, if there is something.
fn inner<'j>(json: &'j Json, here: &Path, step: &Step) -> Result<Option<&'j Json>, String> {
    match (json, step) {
        (Json::Object(fields), Step::Field(name)) => {
            let mut found = fields.iter().filter(|(field, _)| field == name).map(|(_, value)| value);
            match (found.next(), found.next()) {
                (_, Some(_)) => Err(format!("{} stands there twice: once would pass", below(here, step))),
                (found, None) => Ok(found),
            }
        }
        (Json::Array(items), Step::Index(index)) => Ok(items.get(*index)),
        (_, Step::Field(_)) => Err(format!("{here} is no object: `{{…}}` would pass")),
        (_, Step::Index(_)) => Err(format!("{here} is no list: `[…]` would pass")),
    }
}

fn below(path: &Path, step: &Step) -> Path {
    match step {
        Step::Field(name) => path.field(name),
        Step::Index(index) => path.index(*index),
    }
}

fn wrapped(step: &Step, value: Json) -> Json {
    match step {
        Step::Field(name) => Json::Object(vec![(name.clone(), value)]),
        Step::Index(_) => Json::Array(vec![value]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn path(fields: &[&str]) -> Path {
        fields.iter().fold(Path::root(), |path, field| path.field(field))
    }

    fn set(text: &str, fields: &[&str], value: &str) -> String {
        let mut json = JsonText::read(text).unwrap();
        json.set(&path(fields), &parse(value).unwrap()).unwrap();
        json.into_text()
    }

    // F15
    #[test]
    fn a_text_keeps_its_layout() {
        let value = r#"{"x":[1]}"#;
        for (before, after) in [
            ("", "{\n  \"a\": {\n    \"b\": {\n      \"x\": [\n        1\n      ]\n    }\n  }\n}\n"),
            ("{ }", "{\n  \"a\": {\n    \"b\": {\n      \"x\": [\n        1\n      ]\n    }\n  }\n}"),
            ("{\"z\": 1}\n", "{\"z\": 1, \"a\": {\"b\":{\"x\":[1]}}}\n"),
            ("{\"a\": {}}", "{\"a\": {\"b\": {\"x\":[1]}}}"),
            ("{\n\t\"a\": {}\n}", "{\n\t\"a\": {\n\t\t\"b\": {\n\t\t\t\"x\": [\n\t\t\t\t1\n\t\t\t]\n\t\t}\n\t}\n}"),
            (
                "{\r\n    \"a\": {\r\n        \"c\": 1\r\n    }\r\n}\r\n",
                "{\r\n    \"a\": {\r\n        \"c\": 1,\r\n        \"b\": {\r\n            \"x\": [\r\n                1\r\n            ]\r\n        }\r\n    }\r\n}\r\n",
            ),
            ("{\n \"a\": {\"c\": 1}\n}", "{\n \"a\": {\"c\": 1, \"b\": {\"x\":[1]}}\n}"),
            (
                "{\n  \"a\": {\"b\": null , \"c\":2}}",
                "{\n  \"a\": {\"b\": {\n    \"x\": [\n      1\n    ]\n  } , \"c\":2}}",
            ),
        ] {
            assert_eq!(set(before, &["a", "b"], value), after, "{before:?}");
        }
    }

    // F15
    #[test]
    fn everything_else_stays_to_the_byte() {
        let text = "{\n  \"big\": 12345678901234567890123, \"e\": 1.50E+02,\n\n  \"t\": \"\\u00e9\\/ \\ud83d\\ude00\", \"a\": {\"b\": 1}\n  }\n\n";
        assert_eq!(set(text, &["a", "b"], "2"), text.replace("\"b\": 1", "\"b\": 2"));
        assert_eq!(set(text, &["a", "c"], "2"), text.replace("\"b\": 1", "\"b\": 1, \"c\": 2"));
    }

    // F15
    #[test]
    fn lists_grow_at_their_end() {
        let push = |text: &str| {
            let mut json = JsonText::read(text).unwrap();
            json.push(&path(&["l"]), &"x".into()).map(|()| json.into_text())
        };
        assert_eq!(push("{\"l\": [\"a\", \"b\"]}").unwrap(), "{\"l\": [\"a\", \"b\", \"x\"]}");
        assert_eq!(push("{\n  \"l\": [\n    1\n  ]\n}").unwrap(), "{\n  \"l\": [\n    1,\n    \"x\"\n  ]\n}");
        assert_eq!(push("{\"l\":[]}").unwrap(), "{\"l\":[\"x\"]}");
        assert_eq!(push("{}").unwrap(), "{\n  \"l\": [\n    \"x\"\n  ]\n}");
        assert!(push("{\"l\": {}}").unwrap_err().contains("l is no list"));
    }

    // F15
    #[test]
    fn what_can_not_be_changed_says_what_would_pass() {
        let refused = |text: &str| {
            let set = JsonText::read(text).and_then(|mut json| json.set(&path(&["a", "b"]), &1_u32.into()));
            set.unwrap_err()
        };
        for (text, says) in [
            ("{\"a\": 1,}", "no comma before a closing bracket"),
            ("// mine\n{}", "no comments"),
            ("[]", "$ is no object"),
            ("{\"a\": []}", "a is no object: `{…}` would pass"),
            ("{\"a\": null}", "a is no object"),
            ("{\"a\": {}, \"a\": {}}", "a stands there twice"),
            ("{\"a\": {\"b\": 1, \"\\u0062\": 2}}", "a.b stands there twice"),
        ] {
            assert!(refused(text).contains(says), "{text}: {}", refused(text));
        }
    }

    fn any_json() -> impl Strategy<Value = Json> {
        let leaf = prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::from),
            any::<u32>().prop_map(Json::from),
            ".{0,6}".prop_map(Json::from)
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Json::Array),
                proptest::collection::btree_map("[ab\"{}\\[\\]\\n,]{0,2}", inner, 0..4)
                    .prop_map(|fields| Json::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        // F15
        #[test]
        fn what_is_set_is_there_and_nothing_else_has_changed(mut json in any_json(), value in any_json(), pretty in any::<bool>()) {
            let text = if pretty { json.to_pretty() } else { json.to_string() };
            let mut changed = JsonText::read(&text).unwrap();
            let fields = path(&["a", "b"]);
            if changed.set(&fields, &value).is_ok() {
                prop_assert_eq!(changed.get(&fields), Ok(Some(&value)));
                let Json::Object(outer) = &mut json else { panic!("only objects have fields") };
                let mut inner = match outer.iter().position(|(name, _)| name == "a") {
                    Some(index) => outer[index].1.clone(),
                    None => { outer.push(("a".to_owned(), Json::Object(Vec::new()))); Json::Object(Vec::new()) }
                };
                let Json::Object(fields) = &mut inner else { panic!("only objects have fields") };
                match fields.iter_mut().find(|(name, _)| name == "b") {
                    Some((_, old)) => *old = value,
                    None => fields.push(("b".to_owned(), value)),
                }
                for (name, field) in outer.iter_mut().filter(|(name, _)| name == "a") { let _ = name; *field = inner.clone(); }
                prop_assert_eq!(parse(&changed.into_text()).unwrap(), json);
            }
        }
    }
}
