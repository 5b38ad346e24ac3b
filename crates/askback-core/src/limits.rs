//! Every limit on what may be asked and answered (S3), in one place.

use std::ops::RangeInclusive;

/// How much a request may hold. A port reads with [`Limits::DEFAULT`]; a store reads back what a port
/// once accepted with [`Limits::STORED`], so that lowering a limit never loses a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of JSON text.
    pub request_bytes: usize,
    /// Questions in one request.
    pub questions: usize,
    /// The fewest options of a choice.
    pub choice_options_min: usize,
    /// Options of a choice of one, or of a dropdown.
    pub options: usize,
    /// Comma-separated parts of all options of a choice of many: they are joined and read back, which costs more
    /// than a lookup (F11).
    pub multi_select_parts: usize,
    /// The fewest code points of a question's message: only the prompt of an agent's stream may be empty.
    pub message_length_min: usize,
    /// Code points of a question's message, and of an option's description.
    pub message_length: usize,
    /// Code points of a one-line text: title, from, room, key, placeholder, a label, an end of a scale.
    pub line_length: usize,
    /// Code points of a question's header, which is shown as a chip.
    pub header_length: usize,
    /// Code points of a question's id.
    pub id_length: usize,
    /// Code points of an option's value.
    pub value_length: usize,
    /// Code points of an option's preview.
    pub preview_length: usize,
    /// Pieces of context.
    pub context_items: usize,
    /// Code points of one piece of context.
    pub context_length: usize,
    /// Seconds until a request expires.
    pub timeout_s: u32,
    /// How texts that imitate askback's own controls are treated.
    pub imitations: Imitations,
}

/// How a label that means the opposite of what it does (F0) is treated, and an option or a header that looks like a
/// control of ours (F12). A request that was persisted before these rules must stay readable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Imitations {
    /// They are refused.
    Refused,
    /// They are kept; surfaces show what is ours beside them.
    Kept,
}

impl Limits {
    /// What a port accepts.
    pub const DEFAULT: Self = Self {
        request_bytes: 8 << 20,
        questions: 50,
        choice_options_min: 2,
        options: 100_000,
        multi_select_parts: 2_000,
        message_length_min: 1,
        message_length: 10_000,
        line_length: 200,
        header_length: 40,
        id_length: 64,
        value_length: 1_000,
        preview_length: 20_000,
        context_items: 50,
        context_length: 1_000_000,
        timeout_s: 366 * 24 * 60 * 60,
        imitations: Imitations::Refused,
    };

    /// What was accepted once stays readable, whatever the limits are today.
    pub const STORED: Self = Self {
        request_bytes: usize::MAX,
        questions: usize::MAX,
        choice_options_min: 1,
        options: usize::MAX,
        multi_select_parts: usize::MAX,
        message_length_min: 0,
        message_length: usize::MAX,
        line_length: usize::MAX,
        header_length: usize::MAX,
        id_length: usize::MAX,
        value_length: usize::MAX,
        preview_length: usize::MAX,
        context_items: usize::MAX,
        context_length: usize::MAX,
        timeout_s: u32::MAX,
        imitations: Imitations::Kept,
    };
}

/// Code points of free text that a person types, unless the question sets less (F14).
pub const FREE_TEXT_LENGTH: usize = 10_000;

/// Levels of lists and objects in each other; serde_json's own limit, which keeps the stack small.
pub const JSON_DEPTH: usize = 127;

/// Characters of somebody's text that a message of ours quotes.
pub const QUOTED_LENGTH: usize = 60;

/// The ends of the widest rating, which keep its places short to read.
pub const RATING_BOUNDS: RangeInclusive<i64> = -1_000_000..=1_000_000;

/// Values on a rating's scale (F10).
pub const RATING_STEPS: i64 = 21;

/// Code points of the name of whoever ended a request, and of a field's name in a path.
pub const NAME_LENGTH: usize = 200;

/// Code points of the reason a person gives for declining, or of a question back (L7).
pub const REASON_LENGTH: usize = FREE_TEXT_LENGTH;

/// Problems reported for one request; the rest is counted.
pub const PROBLEMS: usize = 100;

/// Options named in a message before it says how many more there are.
pub const OPTIONS_IN_MESSAGE: usize = 6;

/// The AskUserQuestion tool's own limits (Q1), the same in the schema the model sees and in the parser.
pub mod tool {
    use super::RangeInclusive;

    /// Questions in one call.
    pub const QUESTIONS: RangeInclusive<usize> = 1..=4;
    /// Options of one question, not counting the Other that is always added.
    pub const OPTIONS: RangeInclusive<usize> = 2..=4;
    /// Code points of a header.
    pub const HEADER: RangeInclusive<usize> = 1..=12;
    /// Code points of an option's label.
    pub const LABEL: RangeInclusive<usize> = 1..=50;
    /// Code points of an option's description.
    pub const DESCRIPTION: RangeInclusive<usize> = 1..=200;
}

/// What fits into the dialog of an MCP client, which shows one field after the other and scrolls badly.
pub mod dialog {
    /// Questions. With more than nine their fields' names would no longer sort as they were asked, and some clients sort them.
    pub const QUESTIONS: usize = 9;
    /// Options of one question.
    pub const OPTIONS: usize = 50;
    /// Code points of everything there is to read before the fields.
    pub const MESSAGE_LENGTH: usize = 2_000;
}
