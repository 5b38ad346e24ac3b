//! Bytes of a terminal become inputs: keys, and pastes told from keys by their brackets.
//!
//! Written here because the crates that do it read the terminal themselves, with a reader that lives as long as the
//! program; a prompt must be able to leave the terminal to others, and to discard what was typed before it.

use crate::input::{Input, Key};
use std::time::Duration;

/// Bytes kept of one paste: more than any answer may have. The rest is left out, and its end is still found.
const PASTE_BYTES: usize = 1 << 20;
/// Bytes of one sequence: a longer one is noise.
const SEQUENCE_BYTES: usize = 64;
/// Bytes of one reply of the terminal: they may carry texts.
const REPLY_BYTES: usize = 4_096;
/// How long an Escape waits to turn out to be the start of a sequence: a slow line may tear them apart.
const ESCAPE: Duration = Duration::from_millis(60);
/// How long a paste may pause before its end must have got lost.
const PASTE: Duration = Duration::from_secs(1);
const PASTE_END: &[u8] = b"\x1b[201~";

/// Remembers what is not yet whole between two reads.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    pending: Vec<u8>,
    paste: Option<Vec<u8>>,
    /// Whether the paste that is coming in was meant for something that is no longer there.
    stale: bool,
}

impl Decoder {
    /// The inputs in `bytes` and what was left before them.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Vec<Input> {
        let mut inputs = Vec::new();
        self.pending.extend_from_slice(bytes);
        loop {
            if self.paste.is_some() {
                match self.take_paste() {
                    Some(text) => inputs.extend(self.fresh(text)),
                    None => return inputs,
                }
            }
            match next(&self.pending) {
                Next::More => return inputs,
                Next::Key(length, key) => {
                    self.pending.drain(..length);
                    inputs.extend(key.map(Input::Key));
                }
                Next::PasteStart(length) => {
                    self.pending.drain(..length);
                    self.paste = Some(Vec::new());
                }
            }
        }
    }

    /// How long to wait for the rest of what has begun, if something has.
    pub(crate) fn patience(&self) -> Option<Duration> {
        match self.pending.first() {
            _ if self.paste.is_some() => Some(PASTE),
            Some(0x1b) => Some(ESCAPE),
            _ => None,
        }
    }

    /// Nothing followed. An Escape alone was the key; a paste whose end got lost is over; and a sequence that was begun is
    /// nothing anyone typed.
    pub(crate) fn give_up_waiting(&mut self) -> Vec<Input> {
        let pending = std::mem::take(&mut self.pending);
        match self.paste.take() {
            Some(paste) => {
                let text = String::from_utf8_lossy(&[paste, pending].concat()).into_owned();
                self.fresh(text).into_iter().collect()
            }
            None if pending == [0x1b] => vec![Input::Key(Key::Escape)],
            None => Vec::new(),
        }
    }

    /// What has come was not meant for what is shown from now on. The rest of a paste is not keys, however: it is left out
    /// up to its end.
    pub(crate) fn forget_typed(&mut self) {
        match &mut self.paste {
            Some(paste) => {
                paste.clear();
                self.stale = true;
            }
            None => self.pending.clear(),
        }
    }

    /// A paste that is over, unless it is to be left out.
    fn fresh(&mut self, text: String) -> Option<Input> {
        let stale = std::mem::take(&mut self.stale);
        (!stale).then_some(Input::Paste(text))
    }

    fn take_paste(&mut self) -> Option<String> {
        let paste = self.paste.as_mut()?;
        let end = self.pending.windows(PASTE_END.len()).position(|window| window == PASTE_END);
        // What may be the beginning of the end stays for the next read.
        let whole = end.unwrap_or_else(|| self.pending.len().saturating_sub(PASTE_END.len() - 1));
        let room = PASTE_BYTES.saturating_sub(paste.len());
        paste.extend_from_slice(&self.pending[..whole.min(room)]);
        self.pending.drain(..whole);
        end?;
        self.pending.drain(..PASTE_END.len());
        let paste = self.paste.take()?;
        Some(String::from_utf8_lossy(&paste).into_owned())
    }
}

enum Next {
    /// So many bytes are a key, or nothing we know.
    Key(usize, Option<Key>),
    PasteStart(usize),
    /// It is not whole.
    More,
}

fn next(bytes: &[u8]) -> Next {
    let Some(&first) = bytes.first() else {
        return Next::More;
    };
    match first {
        0x1b => escape(bytes),
        0..0x20 | 0x7f => Next::Key(1, control(first)),
        0x20..0x7f => Next::Key(1, Some(Key::Char(first.into()))),
        _ => letter(bytes),
    }
}

fn control(byte: u8) -> Option<Key> {
    Some(match byte {
        b'\r' | b'\n' => Key::Enter,
        b'\t' => Key::Tab,
        0x7f | 0x08 => Key::Backspace,
        0x01 => Key::Home,
        0x05 => Key::End,
        0x02 => Key::Left,
        0x06 => Key::Right,
        0x10 => Key::Up,
        0x0e => Key::Down,
        0x03 | 0x1c => Key::Interrupt,
        0x04 => Key::Close,
        0x1a => Key::Suspend,
        0x0f => Key::AskBack,
        0x13 => Key::Submit,
        0x17 => Key::KillWord,
        0x15 => Key::KillToStart,
        0x0b => Key::KillToEnd,
        _ => return None,
    })
}

/// A letter beyond ASCII; what is no UTF-8 is nothing.
fn letter(bytes: &[u8]) -> Next {
    let start = &bytes[..bytes.len().min(4)];
    match start.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next()) {
        Some(c) => Next::Key(c.len_utf8(), (!c.is_control()).then_some(Key::Char(c))),
        None if std::str::from_utf8(start).is_err_and(|error| error.error_len().is_none()) => Next::More,
        None => Next::Key(1, None),
    }
}

fn escape(bytes: &[u8]) -> Next {
    match bytes.get(1) {
        None => Next::More,
        Some(b'[') => sequence(bytes),
        // Replies to what others have asked the terminal, such as its colours: nobody typed them.
        Some(b']' | b'P' | b'X' | b'^' | b'_') => reply(bytes),
        Some(b'O') => match bytes.get(2) {
            None => Next::More,
            Some(b'M') => Next::Key(3, Some(Key::Enter)),
            Some(&last) => Next::Key(3, arrow(last, Modifier::Other)),
        },
        Some(b'\r' | b'\n') => Next::Key(2, Some(Key::AltEnter)),
        Some(0x7f | 0x08) => Next::Key(2, Some(Key::KillWord)),
        Some(b'b' | b'B') => Next::Key(2, Some(Key::WordLeft)),
        Some(b'f' | b'F') => Next::Key(2, Some(Key::WordRight)),
        // Two Escapes are two Escapes.
        Some(0x1b) => Next::Key(1, Some(Key::Escape)),
        Some(0x20..0x7f) => Next::Key(2, None),
        Some(_) => Next::Key(1, Some(Key::Escape)),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Modifier {
    Alt,
    Control,
    /// None, or one that changes nothing.
    Other,
}

/// A text of the terminal's own, up to its end.
fn reply(bytes: &[u8]) -> Next {
    let bell = bytes.iter().position(|byte| *byte == 0x07).map(|at| at + 1);
    let end = bytes[2..].windows(2).position(|window| window == b"\x1b\\").map(|at| at + 4);
    match (bell.into_iter().chain(end).min(), bytes.len()) {
        (Some(length), _) => Next::Key(length, None),
        (None, length) if length > REPLY_BYTES => Next::Key(length, None),
        (None, _) => Next::More,
    }
}

fn sequence(bytes: &[u8]) -> Next {
    // Two that don't keep the rules: function keys of a Linux console, and mice of old.
    for (start, length) in [(b"\x1b[[".as_slice(), 4), (b"\x1b[M", 6)] {
        if bytes.starts_with(start) {
            return if bytes.len() < length { Next::More } else { Next::Key(length, None) };
        }
    }
    let Some(length) = bytes[2..].iter().position(|byte| (0x40..0x7f).contains(byte)) else {
        return if bytes.len() > SEQUENCE_BYTES { Next::Key(bytes.len(), None) } else { Next::More };
    };
    let length = length + 3;
    let (parameters, last) = (&bytes[2..length - 1], bytes[length - 1]);
    // Reports of the terminal begin with a sign of their own; nobody typed them.
    if parameters.first().is_some_and(|first| matches!(first, b'<'..=b'?')) {
        return Next::Key(length, None);
    }
    let text = std::str::from_utf8(parameters).unwrap_or_default();
    let numbers: Vec<u32> = text.split(';').map(|number| number.parse().unwrap_or(0)).collect();
    let modifier = match numbers.get(1).copied().unwrap_or(1).saturating_sub(1) {
        2 | 3 => Modifier::Alt,
        4..8 => Modifier::Control,
        _ => Modifier::Other,
    };
    let key = match (last, numbers[0]) {
        (b'~', 200) => return Next::PasteStart(length),
        (b'~', 1 | 7) => Some(Key::Home),
        (b'~', 4 | 8) => Some(Key::End),
        (b'~', 3) => Some(Key::Delete),
        (b'~', 5) => Some(Key::PageUp),
        (b'~', 6) => Some(Key::PageDown),
        (b'u', 13) if modifier == Modifier::Alt => Some(Key::AltEnter),
        (b'u', 13) => Some(Key::Enter),
        (b'u', 27) => Some(Key::Escape),
        (b'Z', _) => Some(Key::BackTab),
        (last, _) => arrow(last, modifier),
    };
    Next::Key(length, key)
}

fn arrow(last: u8, modifier: Modifier) -> Option<Key> {
    Some(match (last, modifier) {
        (b'A', _) => Key::Up,
        (b'B', _) => Key::Down,
        (b'C', Modifier::Alt | Modifier::Control) => Key::WordRight,
        (b'D', Modifier::Alt | Modifier::Control) => Key::WordLeft,
        (b'C', _) => Key::Right,
        (b'D', _) => Key::Left,
        (b'H', _) => Key::Home,
        (b'F', _) => Key::End,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn keys(bytes: &[u8]) -> Vec<Input> {
        Decoder::default().feed(bytes)
    }

    fn key(key: Key) -> Input {
        Input::Key(key)
    }

    // Q4
    #[test]
    fn keys_are_told_apart() {
        assert_eq!(
            keys(b"\x1b[A\x1bOB\x1b[1;5C\x1b\x7f\r"),
            [key(Key::Up), key(Key::Down), key(Key::WordRight), key(Key::KillWord), key(Key::Enter)]
        );
        assert_eq!(keys("é日".as_bytes()), [key(Key::Char('é')), key(Key::Char('日'))]);
        assert_eq!(keys(b"\x1b\r\x1b[13;3u\x1b[Z"), [key(Key::AltEnter), key(Key::AltEnter), key(Key::BackTab)]);
        assert_eq!(keys(b"\xff\x80a\x1b[?1;2c\x1b[<0;1;1M"), [key(Key::Char('a'))], "reports are no keys");
    }

    // Q4
    #[test]
    fn a_paste_is_one_input_whatever_is_in_it() {
        assert_eq!(
            keys(b"\x1b[200~2\r\x03\x1b[A\x1b[201~x"),
            [Input::Paste("2\r\x03\x1b[A".to_owned()), key(Key::Char('x'))]
        );
        let long = [b"\x1b[200~".as_slice(), &vec![b'a'; 3 << 20], PASTE_END, b"b"].concat();
        let inputs = keys(&long);
        assert!(matches!(&inputs[0], Input::Paste(text) if text.len() == PASTE_BYTES));
        assert_eq!(inputs[1..], [key(Key::Char('b'))]);
    }

    // Q4
    #[test]
    fn the_rest_of_a_forgotten_paste_is_left_out() {
        let mut decoder = Decoder::default();
        assert_eq!(decoder.feed(b"\x1b[200~one"), []);
        decoder.forget_typed();
        assert_eq!(decoder.feed(b"\ry\r\x1b[20"), []);
        assert_eq!(decoder.feed(b"1~x"), [key(Key::Char('x'))]);
        assert_eq!(decoder.feed(b"\x1b[200~two\x1b[201~"), [Input::Paste("two".to_owned())]);
        assert_eq!(decoder.feed(b"\x1b"), []);
        decoder.forget_typed();
        assert_eq!(decoder.feed(b"[A"), [key(Key::Char('[')), key(Key::Char('A'))]);
    }

    // Q4
    #[test]
    fn an_escape_alone_is_the_key_and_a_torn_sequence_is_none() {
        let after = |bytes: &[u8]| {
            let mut decoder = Decoder::default();
            assert_eq!(decoder.feed(bytes), []);
            assert!(decoder.patience().is_some());
            let inputs = decoder.give_up_waiting();
            assert_eq!(decoder.patience(), None);
            inputs
        };
        assert_eq!(after(b"\x1b"), [key(Key::Escape)]);
        assert_eq!(after(b"\x1b["), []);
        assert_eq!(after(b"\x1b[1;"), []);
        assert_eq!(after(b"\x1b]11;rgb:"), []);
        assert_eq!(after(b"\x1b[200~abc\x03"), [Input::Paste("abc\x03".to_owned())], "its end got lost");
    }

    // Q4
    #[test]
    fn what_a_terminal_replies_is_no_key() {
        for reply in [
            "\x1b]11;rgb:1e1e/1e1e/1e1e\x07",
            "\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\",
            "\x1bP>|xterm(2)\x1b\\",
            "\x1b_Gi=1;OK\x1b\\",
            "\x1b[M 1!",
            "\x1b[[A",
            "\x1b[?62;22c",
            "\x1b[12;40R",
        ] {
            assert_eq!(keys(format!("{reply}x").as_bytes()), [key(Key::Char('x'))], "{reply:?}");
        }
    }

    proptest! {
        // Q4
        #[test]
        fn where_a_read_ends_makes_no_difference(
            bytes in proptest::collection::vec(prop_oneof![Just(0x1bu8), Just(b'['), Just(b'2'), Just(b'0'), Just(b'1'), Just(b'~'), any::<u8>()], 0..40),
            cut in 0usize..40,
        ) {
            let cut = cut.min(bytes.len());
            let mut decoder = Decoder::default();
            let mut inputs = decoder.feed(&bytes[..cut]);
            inputs.extend(decoder.feed(&bytes[cut..]));
            prop_assert_eq!(inputs, keys(&bytes));
        }
    }
}
