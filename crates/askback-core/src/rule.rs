//! The names of the rules a request or an answer can break: stable words that a program can branch on.

use crate::problem::Refusal;

macro_rules! rules {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal,)+) => {
        /// A rule that a request or an answer can break.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Rule { $($(#[doc = $doc])+ $name,)+ }

        impl Rule {
            /// Every rule.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// Its name in JSON.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }

            /// What it says, in one sentence.
            pub fn summary(self) -> &'static str {
                match self { $(Self::$name => concat!($($doc),+).trim_ascii(),)+ }
            }
        }
    };
}

rules! {
    /// The text is one JSON value in UTF-8, at most 127 levels deep.
    Json = "json",
    /// The text is not larger than the limit.
    Size = "size",
    /// An object names each field once.
    DuplicateField = "duplicate-field",
    /// A field has the JSON type it needs.
    Type = "type",
    /// A field that is needed is there.
    Required = "required",
    /// Every field is one we know, and stands where it means something.
    UnknownField = "unknown-field",
    /// A word from a closed list is one of the list.
    Word = "word",
    /// A text is neither too short nor too long.
    Length = "length",
    /// A list is neither too short nor too long.
    Count = "count",
    /// A text shows something.
    Blank = "blank",
    /// A text has no control characters, except where its kind allows tab or line feed.
    Control = "control",
    /// What tells things apart (ids, options, labels, questions of a tool call) is not repeated.
    Unique = "unique",
    /// A name that askback keeps for itself is not used.
    Reserved = "reserved",
    /// A number in a request lies where it makes sense.
    Range = "range",
    /// Some answer would pass.
    Unanswerable = "unanswerable",
    /// The options of a choice of many can be told apart again when joined by ", ".
    Decodable = "decodable",
    /// Silence is never consent: no default for an approval, only "no" for a confirm, none without a timeout.
    Default = "default",
    /// Approvals and confirms start with nothing chosen.
    Initial = "initial",
    /// There is one answer for each question, and as many selections as the question takes.
    Answers = "answers",
    /// The answer is one of the options, and not a disabled one.
    Option = "option",
    /// No option is selected twice.
    Repeat = "repeat",
    /// Other comes with its text, once, where the question offers it.
    Other = "other",
    /// A number is written as HTML writes floating-point numbers, and is finite.
    Number = "number",
    /// A number is whole.
    Integer = "integer",
    /// Not below the minimum.
    Min = "min",
    /// Not above the maximum.
    Max = "max",
    /// A whole number of steps from the minimum, or from 0.
    Step = "step",
    /// An address is what HTML takes in an email field.
    Email = "email",
    /// An address is at the domain that was asked for.
    Domain = "domain",
    /// A date is a real calendar day, written YYYY-MM-DD.
    Date = "date",
}

impl Rule {
    /// Passes if `kept`; otherwise refuses with what is wrong and what would pass.
    pub(crate) fn unless<W: Into<String>, E: Into<String>>(
        self,
        kept: bool,
        says: impl FnOnce() -> (W, E),
    ) -> Result<(), Refusal> {
        if kept || !self.is_enforced() {
            return Ok(());
        }
        let (message, expected) = says();
        Err(Refusal::new(self, message, expected))
    }

    #[cfg(not(test))]
    pub(crate) fn is_enforced(self) -> bool {
        true
    }

    #[cfg(test)]
    pub(crate) fn is_enforced(self) -> bool {
        mutation::is_enforced(self)
    }

    #[cfg(not(test))]
    pub(crate) fn as_reported(self) -> Self {
        self
    }

    /// What can't be skipped, because there is no value to go on with, is reported as another rule instead.
    #[cfg(test)]
    pub(crate) fn as_reported(self) -> Self {
        match (self.is_enforced(), self) {
            (true, _) => self,
            (false, Self::Size) => Self::Json,
            (false, _) => Self::Size,
        }
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A switch that turns one rule off, so that a test can show that some vector misses it.
#[cfg(test)]
pub(crate) mod mutation {
    use super::Rule;
    use std::cell::Cell;

    thread_local!(static DISABLED: Cell<Option<Rule>> = const { Cell::new(None) });

    pub(super) fn is_enforced(rule: Rule) -> bool {
        DISABLED.get() != Some(rule)
    }

    /// Runs `body` with `rule` turned off on this thread.
    pub(crate) fn without<T>(rule: Rule, body: impl FnOnce() -> T) -> T {
        DISABLED.set(Some(rule));
        let result = body();
        DISABLED.set(None);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::Rule;
    use std::collections::HashSet;

    // F15
    #[test]
    fn every_rule_has_a_name_of_its_own_and_a_sentence() {
        let names: HashSet<_> = Rule::ALL.iter().map(|rule| rule.name()).collect();
        assert_eq!(names.len(), Rule::ALL.len());
        assert!(Rule::ALL.iter().all(|rule| rule.summary().ends_with('.')));
    }
}
