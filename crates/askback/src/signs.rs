//! The signs before what is shown in a conversation and in the inbox.

use askback_term::{Alphabet, Caps, Manner};

/// The signs of one alphabet.
pub(crate) struct Signs {
    pub(crate) message: &'static str,
    pub(crate) tool: &'static str,
    pub(crate) result: &'static str,
    pub(crate) done: &'static str,
    pub(crate) error: &'static str,
    pub(crate) bar: &'static str,
}

/// The signs of a terminal's alphabet; in plain mode words, for they are read aloud.
pub(crate) fn signs(caps: Caps) -> &'static Signs {
    match (caps.manner, caps.alphabet) {
        (Manner::Plain, _) => {
            &Signs { message: "You:", tool: "Tool:", result: "Result:", done: "ok:", error: "Error:", bar: "|" }
        }
        (_, Alphabet::Unicode) => {
            &Signs { message: "›", tool: "•", result: "└", done: "✔", error: "✘", bar: "│" }
        }
        (_, Alphabet::Ascii) => &Signs { message: ">", tool: "*", result: "\\", done: "[ok]", error: "[no]", bar: "|" },
    }
}
