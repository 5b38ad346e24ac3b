//! Number (F6): typed, or reached by its steps, which are exact.

use super::field::{Field, FieldKind, below};
use super::{Body, Note, Step, Way};
use crate::input::{Input, Key};
use crate::line::Role;
use crate::page::Page;
use askback_core::kind::number::Number;

/// Steps that Page Up and Page Down take at once.
const PAGE: i32 = 10;

impl FieldKind for &Number {
    fn update(&self, field: &mut Field<'_>, input: &Input) -> Step {
        match input {
            Input::Key(Key::Up) => step(self, field, 1),
            Input::Key(Key::Down) => step(self, field, -1),
            input => field.update(input),
        }
    }

    fn view(&self, field: &Field<'_>, page: &Page) -> Body {
        let expected = self.expected();
        if self.min().is_none() && self.max().is_none() && self.step().is_none() {
            return field.body(Some(&expected), page);
        }
        let mut body = field.body(None, page);
        body.append(below(&expected, Role::Muted, page));
        body
    }

    fn told(&self) -> String {
        self.expected()
    }

    fn hints(&self, _: &Field<'_>, page: &Page) -> Vec<String> {
        vec![format!("{} by steps", page.signs().up_down)]
    }

    fn page(&self, field: &mut Field<'_>, way: Way) {
        // What is no number stays as it is; Enter says why.
        step(self, field, if way == Way::Up { PAGE } else { -PAGE });
    }
}

/// So many steps up or down. What is typed may lie outside the bounds, but it must be a number.
fn step(number: &Number, field: &mut Field<'_>, count: i32) -> Step {
    let typed = field.editor.text();
    let Some(reached) = number.stepped(typed, count) else {
        return field.submit();
    };
    if reached == typed {
        let end = if count > 0 { "as high as it goes" } else { "as low as it goes" };
        return Step::Say(Note::hint(format!("this is {end}: please give {}", number.expected())));
    }
    field.write(&reached, reached.len())
}
