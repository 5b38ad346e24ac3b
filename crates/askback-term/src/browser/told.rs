//! A list in whole lines: the items by number, and what to type for them. A number means what was told under it, whatever has
//! changed since.

use super::view::shown;
use super::{Browsed, Browser, BrowserItem, Step, Target};
use crate::line::{Line, Role};
use crate::page::Page;
use crate::prompt::list::{TOLD_AT_ONCE, told_number};
use crate::prompt::{Note, sentence};
use askback_core::show::quote;

/// What was told under a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) id: String,
    title: String,
    warning: Option<String>,
}

impl Told {
    pub(super) fn of(item: &BrowserItem) -> Self {
        Self { id: item.id.clone(), title: item.title.clone(), warning: item.warning.clone() }
    }
}

impl Browser {
    /// Numbers what is visible anew.
    pub(super) fn begin_telling(&mut self) {
        self.told = self.visible.iter().map(|place| Told::of(&self.items[*place])).collect();
        self.told_from = 0;
    }

    /// The list, or the next part of it, and what to type.
    pub(crate) fn tell(&mut self, page: &Page) -> Vec<Line> {
        let mut lines = Vec::new();
        if self.told_from == 0 {
            lines.extend(self.told_head(page));
        }
        let last = (self.told_from + TOLD_AT_ONCE).min(self.told.len());
        for number in self.told_from..last {
            lines.extend(self.told_item(number, page));
        }
        if last < self.told.len() {
            lines.push(Line::of(format!("{} more; Enter alone goes on.", self.told.len() - last), Role::Plain));
        }
        lines.push(Line::of(self.what_to_type(), Role::Plain));
        lines.extend(self.told_note(page));
        lines
    }

    /// What is to be said, once.
    pub(crate) fn told_note(&mut self, page: &Page) -> Vec<Line> {
        let Some(note) = self.note.take() else {
            return Vec::new();
        };
        let is_sentence = note.text.ends_with(['.', '!', '?']);
        let text = if is_sentence { note.text } else { sentence(&note.text) };
        Note { text, role: Role::Plain }.rows(usize::MAX, page.alphabet)
    }

    fn told_head(&self, page: &Page) -> Vec<Line> {
        let mut lines = Vec::new();
        if !self.heading.trim().is_empty() {
            lines.push(told("", &self.heading, page));
        }
        if !self.filter.is_empty() {
            let count = format!("{} of {} match ", self.visible.len(), self.items.len());
            let line = told(&count, &quote(self.filter.text()), page);
            lines.push(line.with("; / alone shows all.", Role::Plain));
        }
        if self.items.is_empty() && !self.empty.trim().is_empty() {
            lines.push(told("", &self.empty, page));
        }
        lines
    }

    /// An item by its number, and below it what else there is to say. One that has gone since it was numbered is left out.
    fn told_item(&self, number: usize, page: &Page) -> Vec<Line> {
        let Some(item) = self.items.iter().find(|item| item.id == self.told[number].id) else {
            return Vec::new();
        };
        let mut lines = vec![told(&format!("{}. ", number + 1), &item.title, page)];
        let parts = item.warning.iter().chain(&item.details).map(String::as_str);
        let besides: Vec<&str> = parts.filter(|part| !part.trim().is_empty()).collect();
        if !besides.is_empty() {
            lines.push(told("   ", &besides.join(", "), page));
        }
        lines
    }

    fn what_to_type(&self) -> String {
        let mut ways = Vec::new();
        if !self.told.is_empty() {
            ways.push("a number to open it".to_owned());
        }
        let item_actions = self.actions.iter().filter(|action| action.target == Target::Item && !self.told.is_empty());
        ways.extend(item_actions.map(|action| format!("{} and a number to {}", action.key, action.label)));
        let list_actions = self.actions.iter().filter(|action| action.target == Target::List);
        ways.extend(list_actions.map(|action| format!("{} to {}", action.key, action.label)));
        if !self.items.is_empty() {
            ways.push("/ and some letters to filter".to_owned());
        }
        ways.push("l to list again".to_owned());
        format!("Type {}, or q to close.", ways.join(", "))
    }

    pub(super) fn take_line(&mut self, line: &str) -> Step {
        let typed = line.trim();
        if let Some(text) = typed.strip_prefix('/') {
            return self.look_for(text.trim());
        }
        match typed {
            "" => self.go_on(),
            "q" => Step::Ended(Browsed::Closed),
            "l" => {
                self.begin_telling();
                Step::Tell
            }
            typed => self.take_command(typed),
        }
    }

    /// A number, or the letter of an action and perhaps a number.
    fn take_command(&mut self, typed: &str) -> Step {
        let mut letters = typed.chars();
        let first = letters.next();
        let Some(action) = self.actions.iter().find(|action| Some(action.key) == first).copied() else {
            return match told_number(typed) {
                Some(number) => self.numbered(number, Browsed::Opened),
                None => self.refuse(typed),
            };
        };
        let (key, rest) = (action.key, letters.as_str().trim());
        match (action.target, told_number(rest)) {
            (Target::List, None) if rest.is_empty() => Step::Ended(Browsed::Acted { key, id: None }),
            (Target::Item, Some(number)) => self.numbered(number, |id| Browsed::Acted { key, id: Some(id) }),
            (Target::Item, None) if rest.is_empty() => {
                self.hint(format!("type {key} and a number to {}, such as {key} 1", action.label))
            }
            _ => self.refuse(typed),
        }
    }

    /// What was told under a number, if it is still what it was then.
    fn numbered(&mut self, number: usize, wanted: impl FnOnce(String) -> Browsed) -> Step {
        let Some(told) = number.checked_sub(1).and_then(|place| self.told.get(place)) else {
            return self.error(format!("there is no number {number}; type l to list again"));
        };
        if number > self.told_from + TOLD_AT_ONCE {
            return self.error(format!("number {number} was not told yet; Enter alone goes on"));
        }
        let Some(item) = self.items.iter().find(|item| item.id == told.id) else {
            return self.error(format!("number {number} is no longer there; type l to list again"));
        };
        let now = Told::of(item);
        if now != *told {
            let said =
                format!("number {number} has changed and is now {}; type it again if you mean that", quote(&now.title));
            self.told[number - 1] = now;
            return self.error(said);
        }
        let id = now.id;
        // Where keys come one by one again, the focus is where the person was.
        if self.visible_ids().any(|visible| visible == id) {
            self.focus = Some(id.clone());
        }
        Step::Ended(wanted(id))
    }

    fn look_for(&mut self, text: &str) -> Step {
        let before = self.filter.text().to_owned();
        self.write_filter(text);
        if self.visible.is_empty() && !text.is_empty() {
            self.write_filter(&before);
            return self.error(format!("nothing matches {}", quote(text)));
        }
        self.begin_telling();
        Step::Tell
    }

    /// An empty line goes on in a long list.
    fn go_on(&mut self) -> Step {
        if self.told_from + TOLD_AT_ONCE < self.told.len() {
            self.told_from += TOLD_AT_ONCE;
            return Step::Tell;
        }
        let hint = self.what_to_type();
        self.hint(hint)
    }

    fn refuse(&mut self, typed: &str) -> Step {
        let said = format!("{} means nothing here. {}", quote(typed), self.what_to_type());
        self.error(said)
    }

    fn error(&mut self, text: String) -> Step {
        self.note = Some(Note::error(text));
        Step::Stay
    }
}

/// An asker's text on one line, after our own.
fn told(lead: &str, text: &str, page: &Page) -> Line {
    Line::of(lead, Role::Plain).then(Line { spans: shown(text, Role::Plain, page) })
}
