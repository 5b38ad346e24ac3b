//! Answers before validation, and the properties of every valid answer.

use crate::problem::Refusal;
use crate::rule::Rule;

/// Where Other stands in a list of selections that arrives with Other's text beside it (F13).
pub const OTHER_PLACEHOLDER: &str = "__other__";

/// An answer before it is validated, in one of its two forms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerInput {
    /// The written form.
    Response(String),
    /// A list, with Other's text beside it. The list may contain Other's place as [`OTHER_PLACEHOLDER`] or as the text itself;
    /// otherwise Other comes last.
    Selections {
        /// Values of options, in the order selected.
        selections: Vec<String>,
        /// Other's text; an empty one is none.
        custom: Option<String>,
    },
}

impl From<&str> for AnswerInput {
    fn from(response: &str) -> Self {
        Self::Response(response.to_owned())
    }
}

impl From<&String> for AnswerInput {
    fn from(response: &String) -> Self {
        Self::Response(response.clone())
    }
}

impl From<String> for AnswerInput {
    fn from(response: String) -> Self {
        Self::Response(response)
    }
}

impl AnswerInput {
    /// The text of a kind that has neither a list nor Other.
    pub(crate) fn single(&self) -> Result<&str, Refusal> {
        match self {
            Self::Response(text) => Ok(text),
            Self::Selections { custom: Some(custom), .. } if !custom.is_empty() => {
                Err(Refusal::new(Rule::Answers, "the question has no Other", "one text, and no custom one"))
            }
            Self::Selections { selections, .. } => match selections.as_slice() {
                [only] => Ok(only),
                several => {
                    let message = format!("{} selections for a question that takes one answer", several.len());
                    Err(Refusal::new(Rule::Answers, message, "one text"))
                }
            },
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
