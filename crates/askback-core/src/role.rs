//! What a token is for, and what its holder may do (S1).

use crate::problem::Refusal;
use crate::rule::Rule;
use crate::show;
use crate::word::{meaning_of, words};

words! {
    /// What a token's holder may do.
    pub enum Role {
        /// Asks, waits for the outcome, and takes its own questions away. Never answers.
        Asker = "asker",
        /// Sees, answers, declines and takes away.
        Answerer = "answerer",
        /// An answerer who also gives and takes tokens.
        Admin = "admin",
    }
}

impl Role {
    /// The role of this name.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        meaning_of(&Self::WORDS, text).ok_or_else(|| refuse(text, "asker, answerer or admin"))
    }

    /// Whether it may do what another role may.
    pub fn may_act_as(self, role: Self) -> bool {
        self == role || (self == Self::Admin && role == Self::Answerer)
    }
}

words! {
    /// What a token is for.
    pub enum Purpose {
        /// For a program, or for a person's command line.
        Token = "token",
        /// For the page in a browser.
        Session = "session",
        /// For the page without scripts in a browser.
        PlainSession = "plain-session",
        /// For a link that logs a browser in, once.
        Login = "login",
    }
}

impl Purpose {
    /// Whether it is for a browser that has logged in.
    pub fn is_session(self) -> bool {
        matches!(self, Self::Session | Self::PlainSession)
    }

    /// The purpose of this name.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        meaning_of(&Self::WORDS, text).ok_or_else(|| refuse(text, &Self::NAMES.join(", ")))
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
