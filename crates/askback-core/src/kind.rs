//! The kinds of question: a closed set, one file each, one line in the registry.

use crate::answer::{AnswerInput, Checked, Written};
use crate::fields::Fields;
use crate::json::Object;
use crate::limits::Limits;
use crate::options::Options;
use crate::problem::Refusal;
use crate::rule::Rule;
use crate::show::quote;
use crate::word::{meaning_of, words_of};
use serde_json::Value;

pub mod approval;
pub mod choice;
pub mod confirm;
pub mod date;
pub mod dropdown;
pub mod email;
pub mod number;
pub mod rating;
pub mod text;

/// What a kind of question knows: its fields, its schema, its answers.
pub(crate) trait Asked: Sized {
    /// Its `type` in JSON.
    const NAME: &'static str;
    /// What it asks for, in a sentence.
    const SUMMARY: &'static str;
    /// The form its answers are written in.
    const WRITTEN: &'static str;
    /// The rules an answer can break.
    const RULES: &'static [Rule];
    /// The fields of its own.
    const FIELDS: &'static [&'static str];
    /// Those of them that must be there.
    const REQUIRED: &'static [&'static str] = &[];
    /// The consent that its answers give.
    const CONSENT: Consent;
    /// An answer that passed.
    type Answer: Written;

    /// Reads the fields of its own, reporting what is wrong with them.
    fn read(fields: &mut Fields<'_, '_>) -> Option<Self>;
    /// Writes the fields of its own.
    fn write(&self, object: Object) -> Object;
    /// The fields of its own as JSON Schema properties.
    fn properties(limits: &Limits) -> Value;
    /// An answer that passes, or the rule it breaks.
    fn parse_answer(&self, input: &AnswerInput) -> Result<Self::Answer, Refusal>;

    /// The options to choose from, for a kind that has them.
    fn options(&self) -> Option<&Options> {
        None
    }
}

/// The consent that the answers of a kind give. Consent covers exactly what was shown and counts once (S5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Consent {
    /// None: the answer is information.
    Absent,
    /// A yes or a no, of which silence may stand for the no (L4).
    Confirmation,
    /// The approval or the rejection of an action, which silence never stands for (L4).
    Approval,
}

/// What the registry knows of a kind without a question at hand.
pub struct KindEntry {
    /// Its `type` in JSON.
    pub name: &'static str,
    /// What it asks for, in a sentence.
    pub summary: &'static str,
    /// The form its answers are written in.
    pub written: &'static str,
    /// The rules an answer can break.
    pub rules: &'static [Rule],
    /// The fields of its own.
    pub fields: &'static [&'static str],
    /// Those of them that must be there.
    pub required: &'static [&'static str],
    /// Whether nothing may be chosen at first, so that `initial` is refused.
    pub starts_open: bool,
    /// The fields of its own as JSON Schema properties.
    pub properties: fn(&Limits) -> Value,
    pub(crate) read: fn(&mut Fields<'_, '_>) -> Option<Kind>,
}

macro_rules! registry {
    ($($variant:ident: $type:path => $answer:path,)+) => {
        /// A question's kind with everything that is its own.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Kind {
            $(#[doc = concat!("See [`", stringify!($type), "`].")] $variant($type),)+
        }

        /// An answer that passed its question's rules, as [`crate::Question::parse_answer`] gives it. What it holds can't be
        /// made elsewhere.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Answer {
            $(#[doc = concat!("To [`", stringify!($type), "`].")] $variant($answer),)+
        }

        /// Every kind there is.
        pub static KINDS: &[KindEntry] = &[$(KindEntry {
            name: <$type as Asked>::NAME,
            summary: <$type as Asked>::SUMMARY,
            written: <$type as Asked>::WRITTEN,
            rules: <$type as Asked>::RULES,
            fields: <$type as Asked>::FIELDS,
            required: <$type as Asked>::REQUIRED,
            // A stray key must not decide (T7).
            starts_open: !matches!(<$type as Asked>::CONSENT, Consent::Absent),
            properties: <$type as Asked>::properties,
            read: |fields| <$type as Asked>::read(fields).map(Kind::$variant),
        },)+];

        impl Kind {
            /// Its `type` in JSON.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$variant(_) => <$type as Asked>::NAME,)+ }
            }

            fn consent(&self) -> Consent {
                match self { $(Self::$variant(_) => <$type as Asked>::CONSENT,)+ }
            }

            /// The options to choose from, for a kind that has them.
            pub fn options(&self) -> Option<&Options> {
                match self { $(Self::$variant(kind) => Asked::options(kind),)+ }
            }

            pub(crate) fn write(&self, object: Object) -> Object {
                match self { $(Self::$variant(kind) => kind.write(object),)+ }
            }

            pub(crate) fn parse_answer(&self, input: &AnswerInput) -> Result<Answer, Refusal> {
                match self { $(Self::$variant(kind) => kind.parse_answer(input).map(Answer::$variant),)+ }
            }
        }

        impl Answer {
            fn as_written(&self) -> &dyn Written {
                match self { $(Self::$variant(answer) => answer,)+ }
            }
        }
    };
}

registry! {
    Approval: approval::Approval => approval::Decision,
    Text: text::Text => Checked<String>,
    Multiline: text::Multiline => Checked<String>,
    Choice: choice::Choice => choice::Selections,
    Confirm: confirm::Confirm => confirm::Confirmation,
    Number: number::Number => number::Finite,
    Email: email::Email => Checked<String>,
    Date: date::Date => Checked<jiff::civil::Date>,
    Dropdown: dropdown::Dropdown => dropdown::Picked,
    Rating: rating::Rating => Checked<i64>,
}

impl Kind {
    /// Whether the answer approves or rejects an action.
    pub fn asks_approval(&self) -> bool {
        self.consent() == Consent::Approval
    }

    /// Whether the answer is consent, which covers exactly what was shown and counts once (S5).
    pub fn asks_consent(&self) -> bool {
        self.consent() != Consent::Absent
    }
}

/// A valid answer as input for the same question. A list stays a list, whether or not it has one item (F11).
impl From<&Answer> for AnswerInput {
    fn from(answer: &Answer) -> Self {
        match answer.selections().as_slice() {
            [] => Self::Response(answer.written()),
            selections => Self::Selections {
                selections: selections.iter().map(|selection| (*selection).to_owned()).collect(),
                custom: answer.custom().map(str::to_owned),
            },
        }
    }
}

impl Answer {
    /// The one string that stands for it everywhere (F).
    pub fn written(&self) -> String {
        self.as_written().written()
    }

    /// The options selected, in order, Other's text among them (F11); empty for kinds without options.
    pub fn selections(&self) -> Vec<&str> {
        self.as_written().selections()
    }

    /// Other's text, if Other was selected.
    pub fn custom(&self) -> Option<&str> {
        self.as_written().custom()
    }

    /// Why it can't be what silence means, if it can't (L4).
    pub(crate) fn refuses_silence(&self) -> Option<Refusal> {
        self.as_written().refuses_silence()
    }

    /// Whether it rejects an approval, and so makes the outcome declined (F0).
    pub fn rejects(&self) -> bool {
        self.as_written().rejects()
    }
}

/// The value of one of a few words, exactly as written.
fn choose_word<T: Copy>(given: &str, words: &[(&'static str, T)]) -> Result<T, Refusal> {
    meaning_of(words, given).ok_or_else(|| {
        let join = |with: &str| words_of(words).join(with);
        Refusal::new(Rule::Word, format!("{} is neither {}", quote(given), join(" nor ")), join(" or "))
    })
}
