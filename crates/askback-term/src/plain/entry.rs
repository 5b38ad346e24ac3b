//! What a terminal that edits its lines itself gives us, one reading at a time. Pure.

use crate::input::{Input, Key};
use crate::tty::{INTERRUPT, SUSPEND};

/// Bytes of a line that a terminal takes; what is typed beyond it is lost before we see it.
#[cfg(not(target_os = "macos"))]
const LONGEST: usize = 4_095;
#[cfg(target_os = "macos")]
const LONGEST: usize = 1_023;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Entry {
    Line(String),
    /// A line that can't be taken, and why.
    Refused(String),
    /// Ctrl+C.
    Interrupt,
    /// Ctrl+D.
    Close,
    /// Ctrl+Z.
    Suspend,
}

impl Entry {
    /// A terminal in line mode gives a line at a time, with what ended it; Ctrl+D ends it with nothing.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let line = match bytes.split_last() {
            Some((b'\n', line)) => line,
            Some((&INTERRUPT, _)) => return Self::Interrupt,
            Some((&SUSPEND, _)) => return Self::Suspend,
            _ => return Self::Close,
        };
        if line.len() >= LONGEST {
            return Self::Refused(format!(
                "this terminal takes no more than {LONGEST} bytes in a line, so the end may be missing; type less"
            ));
        }
        match std::str::from_utf8(line) {
            Ok(line) => Self::Line(line.to_owned()),
            Err(_) => Self::Refused("this line is not UTF-8 text; type it again".to_owned()),
        }
    }

    /// The input that this is to a form or a list, or why it is none.
    pub(super) fn input(self) -> Result<Input, String> {
        match self {
            Self::Line(line) => Ok(Input::Line(line)),
            Self::Refused(why) => Err(why),
            Self::Interrupt => Ok(Input::Key(Key::Interrupt)),
            Self::Close => Ok(Input::Key(Key::Close)),
            Self::Suspend => Ok(Input::Key(Key::Suspend)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Q4, Q10, F15
    #[test]
    fn a_line_is_known_by_what_ended_it() {
        assert_eq!(Entry::of(b"two\n"), Entry::Line("two".to_owned()));
        assert_eq!(Entry::of("日\n".as_bytes()), Entry::Line("日".to_owned()));
        assert_eq!(Entry::of(b"\n"), Entry::Line(String::new()));
        assert_eq!(Entry::of(b"tw\x03"), Entry::Interrupt);
        assert_eq!(Entry::of(b"\x1a"), Entry::Suspend);
        assert_eq!([Entry::of(b""), Entry::of(b"tw")], [Entry::Close, Entry::Close]);
        assert!(matches!(Entry::of(b"\xff\n"), Entry::Refused(_)));
        let long = [vec![b'x'; LONGEST], vec![b'\n']].concat();
        assert!(matches!(Entry::of(&long), Entry::Refused(_)), "what was cut is not taken for whole");
        assert!(matches!(Entry::of(&long[1..]), Entry::Line(_)));
    }
}
