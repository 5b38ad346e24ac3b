//! The values of one question's controls, and the error of its answer.

use askback_api::AnswerItem;
use askback_core::Problem;
use askback_core::text::is_blank;

/// The value of the control of Other; options have their position.
pub(super) const OTHER: &str = "other";

/// The name of a question's controls.
pub(super) fn field(index: usize) -> String {
    format!("q{index}")
}

/// The name of the text beside Other.
pub(super) fn other_field(index: usize) -> String {
    format!("q{index}.{OTHER}")
}

/// The values of the controls of one question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Controls {
    /// The typed text, or the chosen values.
    pub(super) values: Vec<String>,
    /// The text beside Other, if the form has that field.
    pub(super) other: Option<String>,
}

impl Controls {
    /// A single value.
    pub(super) fn of(value: String) -> Self {
        Self { values: vec![value], other: None }
    }

    /// The value of a single field.
    pub(super) fn typed(&self) -> &str {
        self.values.first().map_or("", String::as_str)
    }

    pub(super) fn contains(&self, value: &str) -> bool {
        self.values.iter().any(|chosen| chosen == value)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.values.iter().all(String::is_empty) && is_blank(self.own_text())
    }

    /// The text beside Other.
    pub(super) fn own_text(&self) -> &str {
        self.other.as_deref().unwrap_or_default()
    }

    /// The answer to a question that has neither options nor Other.
    pub(super) fn single_answer(&self) -> Option<AnswerItem> {
        match self.values.as_slice() {
            _ if self.other.is_some() => None,
            [] | [_] => Some(AnswerItem::written(self.typed().to_owned())),
            // The core refuses several values.
            several => Some(AnswerItem::selected(several.to_vec(), None)),
        }
    }
}

/// The error of one answer, and the expected one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Complaint {
    pub(super) message: String,
    pub(super) expected: String,
}

impl Complaint {
    /// The core's own message.
    pub(super) fn of(problem: &Problem) -> Self {
        Self { message: problem.message.clone(), expected: problem.expected.clone() }
    }
}
