//! Email (F7): one address, whose domain is a key away where only one will do.

use super::field::{Field, FieldKind, below};
use super::{Body, Step};
use crate::editor::Editor;
use crate::input::{Input, Key};
use crate::line::Role;
use crate::page::Page;
use askback_core::kind::email::Email;

impl FieldKind for &Email {
    fn update(&self, field: &mut Field<'_>, input: &Input) -> Step {
        match (input, rest(self, &field.editor)) {
            (Input::Key(Key::Right), Some(rest)) => {
                let text = format!("{}{rest}", field.editor.text());
                field.write(&text, text.len())
            }
            _ => field.update(input),
        }
    }

    fn view(&self, field: &Field<'_>, page: &Page) -> Body {
        let mut body = field.body(Some(&self.expected()), page);
        if let Some(domain) = self.domain() {
            body.append(below(&format!("an address at {domain}"), Role::Muted, page));
        }
        body
    }

    fn told(&self) -> String {
        let at = self.domain().map(|domain| format!("an address at {domain}, such as name@{domain}"));
        at.unwrap_or_else(|| self.expected())
    }

    fn hints(&self, field: &Field<'_>, page: &Page) -> Vec<String> {
        let rest = rest(self, &field.editor);
        rest.map(|rest| format!("{} adds {rest}", page.signs().right)).into_iter().collect()
    }
}

/// What → would add: the rest of the address, where it is known and the cursor is at its place.
fn rest(email: &Email, editor: &Editor) -> Option<String> {
    let (typed, domain) = (editor.text(), email.domain()?);
    if typed.is_empty() || editor.at() != typed.len() {
        return None;
    }
    let Some((_, after)) = typed.split_once('@') else {
        return Some(format!("@{domain}"));
    };
    let begins = domain.get(..after.len()).is_some_and(|start| start.eq_ignore_ascii_case(after));
    (begins && after.len() < domain.len()).then(|| domain[after.len()..].to_owned())
}
