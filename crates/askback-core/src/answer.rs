//! Answers as they arrive, and what every answer can tell of itself.

use crate::problem::Refusal;
use crate::rule::Rule;

/// Where Other stands in a list of selections that arrives with Other's text beside it (F13).
pub const OTHER_PLACEHOLDER: &str = "__other__";

/// An answer nobody has checked yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RawAnswer<'a> {
    /// The written form.
    Response(&'a str),
    /// A list, with Other's text beside it. The list may say where Other stands by [`OTHER_PLACEHOLDER`]
    /// or by the text itself; otherwise Other comes last.
    Selections {
        /// Values of options, in the order selected.
        selections: &'a [String],
        /// Other's text; an empty one is none.
        custom: Option<&'a str>,
    },
}

impl<'a> RawAnswer<'a> {
    /// An answer as an outcome holds it: by its selections if it has some, else by its written form.
    pub(crate) fn of_parts(written: &'a str, selections: &'a [String], custom: Option<&'a str>) -> Self {
        match selections {
            [] => Self::Response(written),
            selections => Self::Selections { selections, custom },
        }
    }

    /// The one text of a kind that has neither a list nor Other.
    pub(crate) fn single(self) -> Result<&'a str, Refusal> {
        match self {
            Self::Response(text) => Ok(text),
            Self::Selections { selections: [only], custom: None | Some("") } => Ok(only),
            Self::Selections { custom: Some(custom), .. } if !custom.is_empty() => {
                Err(Refusal::new(Rule::Answers, "the question has no Other", "one text, and no custom one"))
            }
            Self::Selections { selections, .. } => {
                let message = format!("{} selections for a question that takes one answer", selections.len());
                Err(Refusal::new(Rule::Answers, message, "one text"))
            }
        }
    }
}

/// What an answer of any kind can say of itself.
pub(crate) trait Written {
    /// The one string that stands for it everywhere (F).
    fn written(&self) -> String;

    /// The options selected, in order, Other's text among them (F11); empty for kinds without options.
    fn selections(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Other's text, if Other was selected.
    fn custom(&self) -> Option<&str> {
        None
    }

    /// Whether it refuses what was asked, and so makes the outcome declined (F0).
    fn rejects(&self) -> bool {
        false
    }

    /// Why it can't be declared as what silence means, if it can't (L4).
    fn refuses_silence(&self) -> Option<Refusal> {
        None
    }
}

/// A value that passed its question's rules. Only the core makes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checked<T>(pub(crate) T);

impl<T: Copy> Checked<T> {
    /// The value.
    pub fn get(self) -> T {
        self.0
    }
}

impl<T: std::fmt::Display> Written for Checked<T> {
    fn written(&self) -> String {
        self.0.to_string()
    }
}
