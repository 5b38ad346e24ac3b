//! The error of every reader.

/// Why bytes are not what they claim to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// A length or a count claims more bytes than there are.
    #[error("it ends too early")]
    UnexpectedEnd,
    /// There are bytes after the end of the message.
    #[error("there are bytes after its end")]
    TrailingBytes,
    /// A number is larger than JavaScript's largest safe integer.
    #[error("a number is larger than 2^53 - 1")]
    NumberTooLarge,
    /// A number is not in its shortest form.
    #[error("a number has more bytes than it needs")]
    OverlongNumber,
    /// A text is not UTF-8.
    #[error("a text is not UTF-8")]
    NotUtf8,
    /// A value has an unknown tag.
    #[error("a value is of no known kind")]
    UnknownValue,
    /// A value has more levels than [`VALUE_DEPTH`](crate::limits::VALUE_DEPTH).
    #[error("values are nested too deeply")]
    NestedTooDeeply,
    /// A struct has an unknown kind of content.
    #[error("a struct is of no known kind")]
    UnknownStruct,
    /// A shared type has an unknown kind.
    #[error("a shared type is of no known kind")]
    UnknownSharedType,
    /// A clock is larger than JavaScript's largest safe integer.
    #[error("a clock is larger than 2^53 - 1")]
    ClockTooLarge,
    /// A state vector has more than [`STATE_VECTOR_CLIENTS`](crate::limits::STATE_VECTOR_CLIENTS).
    #[error("the state vector names too many clients")]
    TooManyClients,
    /// An update has more than 4 GiB.
    #[error("the update is larger than any message")]
    UpdateTooLarge,
}
