//! The names of the rules a request or an answer can break: stable words that a program can branch on.

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

            /// What is wrong when it is broken, in one sentence.
            pub fn summary(self) -> &'static str {
                match self { $(Self::$name => concat!($($doc),+).trim_ascii(),)+ }
            }
        }
    };
}

rules! {
    /// The text is not one JSON value in UTF-8, or is nested too deeply.
    Json = "json",
    /// The text is larger than a request may be.
    Size = "size",
    /// An object names a field twice.
    DuplicateField = "duplicate-field",
    /// A value is of another JSON type than its field takes.
    Type = "type",
    /// A field is missing that can't be left out.
    Required = "required",
    /// A field is unknown, or does not belong to this kind of question.
    UnknownField = "unknown-field",
    /// A word is not one of those its place takes.
    Word = "word",
    /// A text is too short or too long.
    Length = "length",
    /// A list is too short or too long.
    Count = "count",
    /// A text shows nothing.
    Blank = "blank",
    /// A text has control characters that its place does not take.
    Control = "control",
    /// Something that tells things apart stands twice: an id, an option, a label, a question of a tool call.
    Unique = "unique",
    /// A name or a text is used that askback keeps for itself.
    Reserved = "reserved",
    /// A label of an approval means the opposite of what its button does.
    Opposite = "opposite",
    /// A number lies where it makes no sense.
    Range = "range",
    /// No answer could pass.
    Unanswerable = "unanswerable",
    #[doc = "The options of a choice of many could not be told apart again when joined by \", \"."]
    Decodable = "decodable",
    /// A default would make silence mean consent, or has no timeout to wait for.
    Default = "default",
    /// Something is chosen at first where nothing may be: in an approval or a confirm.
    Initial = "initial",
    /// There are more or fewer answers than questions, or selections than the question takes.
    Answers = "answers",
    /// The answer is not one of the options, or one that is disabled.
    Option = "option",
    /// An option is selected twice.
    Repeat = "repeat",
    /// Other comes without its text, twice, or where the question has none.
    Other = "other",
    /// The text is not a finite number as HTML writes them.
    Number = "number",
    /// The number is not whole.
    Integer = "integer",
    /// The number or the day is below the minimum.
    Min = "min",
    /// The number or the day is above the maximum.
    Max = "max",
    /// The number lies between two steps.
    Step = "step",
    /// The text is not an address that HTML would take in an email field.
    Email = "email",
    /// The address is at another domain, or the domain that is asked for is none.
    Domain = "domain",
    /// The text is not a day of the calendar written YYYY-MM-DD.
    Date = "date",
}

impl Rule {
    #[cfg(not(test))]
    pub(crate) fn is_enforced(self) -> bool {
        true
    }

    #[cfg(test)]
    pub(crate) fn is_enforced(self) -> bool {
        crate::vectors::mutation::is_enforced(self)
    }

    /// What can't be skipped in a test, because there is no value to go on with, is reported as another rule instead.
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
