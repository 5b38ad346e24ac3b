//! Email (F7): one address, whose domain is a key away where only one will do.

use super::field::{Field, below};
use super::{Body, Machine, Step};
use crate::input::{Input, Key, Lines};
use crate::line::Line;
use crate::page::Page;
use crate::theme::Alphabet;
use askback_core::kind::email::Email;
use askback_core::{Answer, Question};

pub(crate) struct EmailPrompt<'q> {
    field: Field<'q>,
    email: &'q Email,
}

impl<'q> EmailPrompt<'q> {
    pub(super) fn open(question: &'q Question, email: &'q Email) -> Self {
        Self { field: Field::open(question, Lines::One), email }
    }

    /// What → would add: the rest of the address, where it is known and the cursor is at its place.
    fn rest(&self) -> Option<String> {
        let (editor, domain) = (&self.field.editor, self.email.domain()?);
        let typed = editor.text();
        let is_begun = !typed.is_empty() && editor.at() == typed.len();
        let after = match typed.split_once('@') {
            None => return is_begun.then(|| format!("@{domain}")),
            Some((_, after)) => after,
        };
        let begins = domain.get(..after.len()).is_some_and(|start| start.eq_ignore_ascii_case(after));
        (is_begun && begins && after.len() < domain.len()).then(|| domain[after.len()..].to_owned())
    }
}

impl Machine for EmailPrompt<'_> {
    fn update(&mut self, input: &Input) -> Step {
        match (input, self.rest()) {
            (Input::Key(Key::Right), Some(rest)) => {
                let text = format!("{}{rest}", self.field.editor.text());
                self.field.write(&text, text.len())
            }
            _ => self.field.update(input),
        }
    }

    fn view(&self, page: &Page, rows: usize) -> Body {
        let expected = self.email.expected();
        let mut body = self.field.body(Some(&expected), page);
        if let Some(domain) = self.email.domain() {
            body.append(below(&format!("an address at {domain}"), page));
        }
        body.clipped(rows, page)
    }

    fn told(&self, alphabet: Alphabet) -> Vec<Line> {
        let at = self.email.domain().map(|domain| format!("an address at {domain}, such as name@{domain}"));
        self.field.told(&at.unwrap_or_else(|| self.email.expected()), alphabet)
    }

    fn leave(&mut self) -> Option<Answer> {
        self.field.leave()
    }

    fn hints(&self, page: &Page) -> Vec<String> {
        let rest = self.rest().map(|rest| format!("{} adds {rest}", page.signs().right));
        rest.into_iter().chain(["enter submit".to_owned()]).collect()
    }

    fn takes_letters(&self) -> bool {
        true
    }
}
