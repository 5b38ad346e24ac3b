//! The messages of Yjs, as far as a client needs them that counts what it is told, and one that appends to a list.

use crate::Done;
use serde_json::Value;

/// What a client says that has nothing: sync, step 1, an empty state vector.
pub(crate) const STEP_1: [u8; 4] = [0, 0, 1, 0];

const DELETED_CLIENT: u64 = 1;
const ANY: u8 = 8;
const HAS_ORIGIN: u8 = 0x80;
const HAS_KEY: u8 = 0x20;
const IN_ROOT: u64 = 1;

/// What a server said.
pub(crate) enum Told<'m> {
    /// The last part of what the client lacks: now it has the whole document.
    Document(&'m [u8]),
    /// Another part of it, or what is new in it.
    Update(&'m [u8]),
    /// What became of a proposal.
    Verdict(&'m [u8]),
    Other,
}

pub(crate) fn told(message: &[u8]) -> Done<Told<'_>> {
    Ok(match message {
        [0, 1, rest @ ..] => Told::Document(sized(rest)?),
        [0, 2, rest @ ..] => Told::Update(sized(rest)?),
        [100, rest @ ..] => Told::Verdict(sized(rest)?),
        _ => Told::Other,
    })
}

/// The bytes after their length.
fn sized(bytes: &[u8]) -> Done<&[u8]> {
    let digits = bytes.iter().position(|byte| byte & 0x80 == 0).ok_or("a message is cut off")? + 1;
    let length = bytes[..digits].iter().rev().fold(0, |length, byte| length << 7 | usize::from(byte & 0x7f));
    Ok(bytes.get(digits..digits + length).ok_or("a message is cut off")?)
}

/// A number that is found again wherever a text with it goes.
pub(crate) fn mark(number: usize) -> String {
    format!("#{number:08}#")
}

/// The numbers that are marked in a message, each once.
pub(crate) fn marked(message: &[u8]) -> impl Iterator<Item = usize> + '_ {
    let mut rest = message;
    std::iter::from_fn(move || {
        loop {
            let place = rest.iter().position(|byte| *byte == b'#')?;
            rest = &rest[place + 1..];
            if let Some((digits, [b'#', after @ ..])) = rest.split_at_checked(8)
                && digits.iter().all(u8::is_ascii_digit)
            {
                rest = after;
                return Some(digits.iter().fold(0, |number, digit| number * 10 + usize::from(digit - b'0')));
            }
        }
    })
}

/// The message with which an author appends its entry of this clock to a list, and deletes one of its own, if any.
pub(crate) fn append(author: u64, clock: u64, root: &str, entry: &Value, deleted: Option<u64>) -> Vec<u8> {
    let mut update = Writer::one_struct(author, clock);
    match clock.checked_sub(1) {
        Some(before) => {
            update.0.push(ANY | HAS_ORIGIN);
            update.unsigned(author);
            update.unsigned(before);
        }
        None => {
            update.0.push(ANY);
            update.unsigned(IN_ROOT);
            update.text(root);
        }
    }
    update.unsigned(1);
    update.any(entry);
    match deleted {
        Some(deleted) => [DELETED_CLIENT, author, 1, deleted, 1].into_iter().for_each(|number| update.unsigned(number)),
        None => update.unsigned(0),
    }
    update.into_message()
}

/// The message with which a client sets a key that nobody has set before.
pub(crate) fn set(client: u64, clock: u64, root: &str, key: &str, value: &Value) -> Vec<u8> {
    let mut update = Writer::one_struct(client, clock);
    update.0.push(ANY | HAS_KEY);
    update.unsigned(IN_ROOT);
    update.text(root);
    update.text(key);
    update.unsigned(1);
    update.any(value);
    update.unsigned(0);
    update.into_message()
}

struct Writer(Vec<u8>);

impl Writer {
    /// The beginning of an update of one client with one struct.
    fn one_struct(client: u64, clock: u64) -> Self {
        let mut update = Self(Vec::new());
        [1, 1, client, clock].into_iter().for_each(|number| update.unsigned(number));
        update
    }

    fn into_message(self) -> Vec<u8> {
        let mut message = Self(vec![0, 2]);
        message.unsigned(self.0.len() as u64);
        message.0.extend(self.0);
        message.0
    }

    fn unsigned(&mut self, mut number: u64) {
        while number > 0x7f {
            self.0.push(0x80 | (number & 0x7f) as u8);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn text(&mut self, text: &str) {
        self.unsigned(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    /// A value as lib0 writes it; numbers are not needed.
    fn any(&mut self, value: &Value) {
        match value {
            Value::Null | Value::Number(_) => self.0.push(126),
            Value::Bool(given) => self.0.push(if *given { 120 } else { 121 }),
            Value::String(text) => {
                self.0.push(119);
                self.text(text);
            }
            Value::Array(list) => {
                self.0.push(117);
                self.unsigned(list.len() as u64);
                list.iter().for_each(|value| self.any(value));
            }
            Value::Object(fields) => {
                self.0.push(118);
                self.unsigned(fields.len() as u64);
                for (name, value) in fields {
                    self.text(name);
                    self.any(value);
                }
            }
        }
    }
}
