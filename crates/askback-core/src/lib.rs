//! The core of askback: what a request, a question, an answer and an outcome are.
//!
//! Text from outside becomes a [`Request`] once, by [`Request::parse`], or a report of everything that is wrong
//! with it; a person's reply becomes an [`Answer`] once, by [`Question::parse_answer`], or the rule it breaks.
//! Behind that edge nothing checks again. There is no clock here, no randomness, no file and no network.
//!
//! ```
//! use askback_core::{Limits, AnswerInput, Request};
//!
//! let text = br#"{"type": "number", "message": "Port?", "min": 1, "max": 65535, "integer": true}"#;
//! let request = Request::parse(text, &Limits::DEFAULT)?;
//! let question = &request.questions()[0];
//!
//! assert_eq!(question.parse_answer(&AnswerInput::from(" 8e3 "))?.written(), "8000");
//!
//! let refusal = question.parse_answer(&AnswerInput::from("0")).unwrap_err();
//! assert_eq!(refusal.to_string(), "0 is too small (expected a whole number from 1 to 65535)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod asker;
mod consent_words;
mod context;
pub mod controls;
mod decimal;
pub mod dialect;
mod fields;
mod fold;
pub mod format;
mod free_text;
mod hint;
mod joined;
mod json;
mod key_marker;
pub mod kind;
pub mod limits;
mod name;
mod options;
mod outcome;
mod path;
mod problem;
mod prompt;
mod question;
pub mod relative_time;
mod request;
mod role;
mod room;
mod rule;
pub mod schema;
mod serde_text;
pub mod show;
pub mod text;
pub mod tool;
#[cfg(test)]
mod vectors;
mod word;

pub use answer::{AnswerInput, Checked, OTHER_PLACEHOLDER};
pub use asker::{AskError, Asker, Asking, BoxFuture};
pub use context::{Context, Form};
pub use json::{Json, Object};
pub use kind::{Answer, Kind};
pub use limits::Limits;
pub use name::Name;
pub use options::{ChoiceOption, Options, Other};
pub use outcome::{AnswerJson, Outcome, OutcomeJson, Reason, RequestId, Resolution, State, Status, Surface};
pub use path::{Path, Step};
pub use problem::{Problem, Problems, Refusal};
pub use prompt::{PromptEnd, PromptStyle};
pub use question::Question;
pub use request::{Answers, Request};
pub use role::{Purpose, Role};
pub use room::Room;
pub use rule::Rule;
