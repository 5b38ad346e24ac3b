//! What a token is for, and what its holder may do (S1).

use crate::problem::Refusal;
use crate::rule::Rule;
use crate::show;
use crate::word::{meaning_of, word_of, words_of};

/// What a token's holder may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Asks, waits for the outcome, and takes its own questions away. Never answers.
    Asker,
    /// Sees, answers, declines and takes away.
    Answerer,
    /// An answerer who also gives and takes tokens.
    Admin,
}

impl Role {
    const WORDS: [(&'static str, Self); 3] =
        [("asker", Self::Asker), ("answerer", Self::Answerer), ("admin", Self::Admin)];

    /// Every role.
    pub const ALL: [Self; 3] = [Self::Asker, Self::Answerer, Self::Admin];

    /// Its name in JSON and on the command line.
    pub fn name(self) -> &'static str {
        word_of(&Self::WORDS, &self)
    }

    /// The role of this name.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        meaning_of(&Self::WORDS, text).ok_or_else(|| refuse(text, "asker, answerer or admin"))
    }

    /// Whether it may do what another role may.
    pub fn may_act_as(self, role: Self) -> bool {
        self == role || (self == Self::Admin && role == Self::Answerer)
    }
}

/// What a token is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// For a program, or for a person's command line.
    Token,
    /// For the page in a browser.
    Session,
    /// For the page without scripts in a browser.
    PlainSession,
    /// For a link that logs a browser in, once.
    Login,
}

impl Purpose {
    const WORDS: [(&'static str, Self); 4] = [
        ("token", Self::Token),
        ("session", Self::Session),
        ("plain-session", Self::PlainSession),
        ("login", Self::Login),
    ];

    /// Every purpose.
    pub const ALL: [Self; 4] = [Self::Token, Self::Session, Self::PlainSession, Self::Login];

    /// Whether it is for a browser that has logged in.
    pub fn is_session(self) -> bool {
        matches!(self, Self::Session | Self::PlainSession)
    }

    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        word_of(&Self::WORDS, &self)
    }

    /// The purpose of this name.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        meaning_of(&Self::WORDS, text).ok_or_else(|| refuse(text, &words_of(&Self::WORDS).join(", ")))
    }
}

fn refuse(text: &str, expected: &str) -> Refusal {
    Refusal::new(Rule::Word, format!("{} is not one of these words", show::quote(text)), expected)
}

#[cfg(test)]
mod tests {
    use super::{Purpose, Role};

    // S1
    #[test]
    fn asker_never_answers_and_answerer_never_asks() {
        let may = |role: Role| Role::ALL.into_iter().filter(|other| role.may_act_as(*other)).collect::<Vec<_>>();
        assert_eq!(may(Role::Asker), [Role::Asker]);
        assert_eq!(may(Role::Answerer), [Role::Answerer]);
        assert_eq!(may(Role::Admin), [Role::Answerer, Role::Admin]);
    }

    #[test]
    fn roles_and_purposes_are_read_as_they_are_written() {
        for role in Role::ALL {
            assert_eq!(Role::parse(role.name()), Ok(role));
        }
        for purpose in Purpose::ALL {
            assert_eq!(Purpose::parse(purpose.name()), Ok(purpose));
        }
        for word in ["", "Admin", "root", "admin "] {
            assert!(Role::parse(word).unwrap_err().to_string().contains("asker, answerer or admin"));
            assert!(Purpose::parse(word).is_err());
        }
    }
}
