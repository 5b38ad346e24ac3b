//! Reading a TOML file so that everything that is wrong with it is said at once, each with its line.

use askback_core::show;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The problems found so far, with their lines.
pub(super) struct Reading<'t> {
    text: &'t str,
    problems: Vec<(usize, String)>,
}

/// A place in the file: where it begins, and what it is called.
#[derive(Debug, Clone)]
pub(super) struct Place {
    offset: usize,
    pub(super) name: String,
}

impl<'t> Reading<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, problems: Vec::new() }
    }

    /// Something is not as it should be. What is there is not repeated: it may be a secret.
    pub(super) fn refuse(&mut self, at: &Place, message: impl std::fmt::Display, expected: &str) {
        self.problems.push((self.line(at.offset), format!("{}: {message}; expected {expected}", at.name)));
    }

    pub(super) fn refuse_syntax(&mut self, error: &toml::de::Error) {
        let line = self.line(error.span().map_or(0, |span| span.start));
        self.problems.push((line, format!("this is no TOML: {}", error.message())));
    }

    fn line(&self, offset: usize) -> usize {
        1 + self.text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
    }

    /// Everything, in the order of the lines.
    pub(super) fn problems(mut self) -> Vec<String> {
        self.problems.sort_by_key(|(line, _)| *line);
        self.problems.into_iter().map(|(line, said)| format!("line {line}: {said}")).collect()
    }
}

#[derive(Clone)]
pub(super) struct Section<'t> {
    table: &'t DeTable<'t>,
    pub(super) place: Place,
}

pub(super) struct Found<'t> {
    pub(super) text: &'t str,
    pub(super) place: Place,
}

impl<'t> Section<'t> {
    pub(super) fn root(table: &'t DeTable<'t>) -> Self {
        Self { table, place: Place { offset: 0, name: String::new() } }
    }

    fn get(&self, key: &str) -> Option<&'t Spanned<DeValue<'t>>> {
        self.table.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value)
    }

    /// The place of a key, or where it would be.
    pub(super) fn at(&self, key: &str) -> Place {
        self.place_of(key, self.get(key).map_or(self.place.offset, |value| value.span().start))
    }

    fn place_of(&self, key: &str, offset: usize) -> Place {
        let name = if self.place.name.is_empty() { key.to_owned() } else { format!("{}, {key}", self.place.name) };
        Place { offset, name }
    }

    /// Refuses every key that is not one of these.
    pub(super) fn only(&self, known: &[&str], reading: &mut Reading<'_>) {
        for (key, _) in self.table.iter().filter(|(key, _)| !known.contains(&key.get_ref().as_ref())) {
            let place = self.place_of(&show::quote(key.get_ref()), key.span().start);
            reading.refuse(&place, "there is no such key", &any_of(known));
        }
    }

    /// Refuses that a key is not there; one that is wrong was refused already.
    pub(super) fn need(&self, key: &str, expected: &str, reading: &mut Reading<'_>) {
        if self.get(key).is_none() {
            reading.refuse(&self.at(key), "this is missing", expected);
        }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    pub(super) fn section(&self, key: &str, reading: &mut Reading<'_>) -> Option<Self> {
        let value = self.get(key)?;
        match value.get_ref() {
            DeValue::Table(table) => Some(Self { table, place: self.at(key) }),
            other => {
                reading.refuse(&self.at(key), described(other), &format!("a table: [{key}]"));
                None
            }
        }
    }

    /// Tables of one name, in their order.
    pub(super) fn sections(&self, key: &str, reading: &mut Reading<'_>) -> Vec<Self> {
        let expected = format!("tables: [[{key}]]");
        let Some(value) = self.get(key) else { return Vec::new() };
        let DeValue::Array(items) = value.get_ref() else {
            reading.refuse(&self.at(key), described(value.get_ref()), &expected);
            return Vec::new();
        };
        let mut sections = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let place = self.place_of(&format!("{key} {}", index + 1), item.span().start);
            match item.get_ref() {
                DeValue::Table(table) => sections.push(Self { table, place }),
                other => reading.refuse(&place, described(other), &expected),
            }
        }
        sections
    }

    pub(super) fn text(&self, key: &str, reading: &mut Reading<'_>) -> Option<Found<'t>> {
        found(self.get(key)?, self.at(key), reading)
    }

    /// A list of texts, with nothing where one is none.
    pub(super) fn texts(&self, key: &str, reading: &mut Reading<'_>) -> Option<Vec<Option<Found<'t>>>> {
        let value = self.get(key)?;
        let DeValue::Array(items) = value.get_ref() else {
            reading.refuse(&self.at(key), described(value.get_ref()), "a list of texts: [\"…\", \"…\"]");
            return None;
        };
        Some(items.iter().map(|item| found(item, self.place_of(key, item.span().start), reading)).collect())
    }
}

fn found<'t>(value: &'t Spanned<DeValue<'t>>, place: Place, reading: &mut Reading<'_>) -> Option<Found<'t>> {
    match value.get_ref() {
        DeValue::String(text) => Some(Found { text, place }),
        other => {
            reading.refuse(&place, described(other), "a text in quotes");
            None
        }
    }
}

fn described(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "this is a text",
        DeValue::Integer(_) | DeValue::Float(_) => "this is a number",
        DeValue::Boolean(_) => "this is true or false",
        DeValue::Datetime(_) => "this is a date or a time",
        DeValue::Array(_) => "this is a list",
        DeValue::Table(_) => "this is a table",
    }
}

/// `a, b or c`
pub(super) fn any_of(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}
