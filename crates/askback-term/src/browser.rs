//! A list that changes while somebody looks at it, such as the requests that wait for an answer. Pure: inputs and moments go
//! in, frames, lines and what the person wants come out. What the person did not see is never what they act on.

use crate::editor::{Edit, Editor};
use crate::input::{Input, Key, Lines};
use crate::live::Tone;
use crate::prompt::list::walked;
use crate::prompt::{Note, is_fresh};
use crate::search::pattern;
use nucleo_matcher::pattern::AtomKind;
use nucleo_matcher::{Config, Matcher, Utf32String};
use std::collections::HashSet;
use std::time::Duration;
use told::Told;

#[cfg(test)]
mod tests;
mod told;
mod view;

/// Keys that the list has for itself, in one manner or the other; an action can't have them.
const RESERVED: [char; 5] = ['j', 'k', 'l', 'q', '/'];

/// Something in a list. Its texts may be anybody's: what could act on the terminal is shown as a mark, and each row is cut
/// to the window's width with a sign that says so.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BrowserItem {
    /// What it is known by: the focus stays on it while the list changes. Of two with one id, the first is shown.
    pub id: String,
    /// What it is.
    pub title: String,
    /// What else there is to say, muted in the row below: "project", "claude-code", "3 minutes ago".
    pub details: Vec<String>,
    /// What to look out for, before the details: "nobody is waiting".
    pub warning: Option<String>,
    /// Words by which the filter finds it besides those that are shown.
    pub keywords: String,
}

/// Something that can be done by pressing a letter, or in plain mode by typing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BrowserAction {
    key: char,
    label: &'static str,
    target: Target,
}

/// What an action is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Item,
    List,
}

impl BrowserAction {
    /// Done to one item: to the one in focus, or in plain mode to the one whose number follows, as in `d 2`. The keys `j`, `k`,
    /// `l`, `q` and `/` are the list's own; digits and spaces are none.
    pub const fn on_item(key: char, label: &'static str) -> Self {
        Self { key, label, target: Target::Item }
    }

    /// Done to no item in particular.
    pub const fn on_list(key: char, label: &'static str) -> Self {
        Self { key, label, target: Target::List }
    }
}

/// What the person wants of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Browsed {
    /// To open the item with this id. It is one of the items.
    Opened(String),
    /// To do something. The list is still on the screen.
    Acted {
        /// The action's key.
        key: char,
        /// The item that it is about; there is one exactly if the action is [`BrowserAction::on_item`].
        id: Option<String>,
    },
    /// To see no more of it. The list is gone.
    Closed,
}

/// What became of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Stay,
    /// Where it is told in lines, it is to be told again.
    Tell,
    /// The person wants the shell back for a while.
    Suspend,
    Ended(Browsed),
}

/// A list that [`crate::Live::browse`] shows, with all that is to survive from one call to the next: the items, which of them has the
/// focus, and the filter.
///
/// ```no_run
/// # async fn next_change() -> Vec<askback_term::BrowserItem> { Vec::new() }
/// # async fn example(live: &mut askback_term::Live) -> Result<(), askback_term::TermError> {
/// use askback_term::{Browsed, Browser, BrowserAction};
///
/// let mut browser = Browser::new([BrowserAction::on_item('d', "dismiss")]);
/// browser.set_empty_text("Nothing is waiting for you.");
/// loop {
///     tokio::select! {
///         browsed = live.browse(&mut browser) => match browsed? {
///             Browsed::Opened(id) => println!("open {id}"),
///             Browsed::Acted { key, id } => println!("{key} {id:?}"),
///             _ => return Ok(()),
///         },
///         items = next_change() => {
///             browser.set_heading(format!("{} pending", items.len()));
///             browser.set_items(items);
///         }
///     }
/// }
/// # }
/// ```
#[derive(Debug)]
pub struct Browser {
    actions: Vec<BrowserAction>,
    heading: String,
    empty: String,
    items: Vec<BrowserItem>,
    /// The places of the items that pass the filter, in their order.
    visible: Vec<usize>,
    /// The id of one that is visible; none exactly if none is.
    focus: Option<String>,
    filter: Editor,
    /// Whether the filter is being typed.
    is_typing: bool,
    note: Option<Note>,
    /// Since when the item in focus has been on the screen, where it came there without the person's doing.
    focus_seen: Option<Duration>,
    /// Since when the items have been on the screen in their order.
    list_seen: Option<Duration>,
    /// Where it is told in lines: what was told, by number.
    told: Vec<Told>,
    /// The first of those told last.
    told_from: usize,
}

impl Browser {
    /// An empty list, with what can be done besides opening an item.
    ///
    /// # Panics
    ///
    /// In debug builds, where a key is one that the list has for itself.
    pub fn new(actions: impl IntoIterator<Item = BrowserAction>) -> Self {
        let is_free = |key: char| !RESERVED.contains(&key) && !key.is_ascii_digit() && !key.is_whitespace();
        let mut actions: Vec<BrowserAction> = actions.into_iter().collect();
        debug_assert!(actions.iter().all(|action| is_free(action.key)), "an action has a key of the list's own");
        // What would never happen is not offered.
        actions.retain(|action| is_free(action.key));
        Self {
            actions,
            heading: String::new(),
            empty: String::new(),
            items: Vec::new(),
            visible: Vec::new(),
            focus: None,
            filter: Editor::new("", Lines::One),
            is_typing: false,
            note: None,
            focus_seen: None,
            list_seen: None,
            told: Vec::new(),
            told_from: 0,
        }
    }

    /// What stands above the list: "3 pending". The filter is shown without it.
    pub fn set_heading(&mut self, heading: impl Into<String>) {
        self.heading = heading.into();
    }

    /// What stands in place of the list where there are no items: "Nothing is waiting for you."
    pub fn set_empty_text(&mut self, text: impl Into<String>) {
        self.empty = text.into();
    }

    /// The items from now on, in the order in which they are to be shown. The focus stays on the same id; if that is gone, it goes to the
    /// one that came after it, or else before it.
    pub fn set_items(&mut self, items: impl IntoIterator<Item = BrowserItem>) {
        let before: Vec<String> = self.visible_ids().map(str::to_owned).collect();
        let focused = self.item(self.focus_row()).map(Told::of);
        let mut ids = HashSet::new();
        self.items = items.into_iter().filter(|item| ids.insert(item.id.clone())).collect();
        self.sift(&before);
        if !before.iter().map(String::as_str).eq(self.visible_ids()) {
            self.list_seen = None;
        }
        if self.item(self.focus_row()).map(Told::of) != focused {
            self.focus_seen = None;
        }
    }

    /// Says something below the list until the next key; in plain mode it is said once.
    pub fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.note = Some(Note { text: text.into(), role: tone.into() });
    }

    /// It is about to be on the screen, or to be told, after something else was.
    pub(crate) fn appear(&mut self) {
        self.focus_seen = None;
        self.list_seen = None;
        self.is_typing = false;
        self.begin_telling();
    }

    /// It is on the screen as it is.
    pub(crate) fn be_seen(&mut self, now: Duration) {
        self.focus_seen.get_or_insert(now);
        self.list_seen.get_or_insert(now);
    }

    pub(crate) fn update(&mut self, input: &Input, now: Duration) -> Step {
        self.note = None;
        match input {
            Input::Key(Key::Interrupt | Key::Close) => Step::Ended(Browsed::Closed),
            Input::Key(Key::Suspend) => Step::Suspend,
            Input::Line(line) => self.take_line(line),
            _ if self.is_typing => self.type_filter(input, now),
            Input::Paste(_) => self.hint("a paste does nothing here"),
            Input::Key(key) => self.press(*key, now),
        }
    }

    fn press(&mut self, key: Key, now: Duration) -> Step {
        match key {
            Key::Char('k') => self.walk(Key::Up, now),
            Key::Char('j') => self.walk(Key::Down, now),
            Key::Char('q') => return Step::Ended(Browsed::Closed),
            Key::Char('/') => self.is_typing = true,
            Key::Escape if !self.filter.is_empty() => self.clear_filter(),
            Key::Escape => return Step::Ended(Browsed::Closed),
            Key::Enter => return self.act(now, |id| id.map(Browsed::Opened)),
            Key::Char(c) => {
                if let Some(action) = self.actions.iter().find(|action| action.key == c).copied() {
                    return self.act(now, |id| match (action.target, id) {
                        (Target::List, _) => Some(Browsed::Acted { key: c, id: None }),
                        (Target::Item, id) => id.map(|id| Browsed::Acted { key: c, id: Some(id) }),
                    });
                }
            }
            key => self.walk(key, now),
        }
        Step::Stay
    }

    /// Does something to what has the focus, if the person can have seen what that is.
    fn act(&mut self, now: Duration, act: impl FnOnce(Option<String>) -> Option<Browsed>) -> Step {
        if is_fresh(self.focus_seen, now) {
            return self.hint("the list has only just changed; look again");
        }
        match act(self.focus.clone()) {
            Some(browsed) => Step::Ended(browsed),
            None => self.hint("there is nothing in the list"),
        }
    }

    /// Moves the focus. Where the list has only just changed, it may go to something that was not there before.
    fn walk(&mut self, key: Key, now: Duration) {
        let Some(row) = walked(key, self.focus_row(), self.visible.len()) else {
            return;
        };
        self.focus = self.item(row).map(|item| item.id.clone());
        if is_fresh(self.list_seen, now) {
            self.focus_seen = self.list_seen.map(|_| now);
        }
    }

    fn type_filter(&mut self, input: &Input, now: Duration) -> Step {
        match input {
            Input::Key(Key::Enter) => self.is_typing = false,
            Input::Key(Key::Escape) => self.clear_filter(),
            Input::Key(Key::Backspace) if self.filter.is_empty() => self.is_typing = false,
            Input::Key(key @ (Key::Up | Key::Down | Key::PageUp | Key::PageDown)) => self.walk(*key, now),
            input => {
                if let Edit::Said(text) = self.filter.update(input) {
                    self.note = Some(Note::hint(text));
                }
                self.sift(&[]);
            }
        }
        Step::Stay
    }

    fn clear_filter(&mut self) {
        self.is_typing = false;
        self.write_filter("");
    }

    fn write_filter(&mut self, text: &str) {
        self.filter.write(text, text.len());
        self.sift(&[]);
    }

    fn hint(&mut self, text: impl Into<String>) -> Step {
        self.note = Some(Note::hint(text));
        Step::Stay
    }

    /// Finds the items that pass the filter, and sees that one of them has the focus: the same, or the nearest of those that
    /// were visible before, or the first.
    fn sift(&mut self, before: &[String]) {
        let words = pattern(self.filter.text(), AtomKind::Substring);
        self.visible = if words.atoms.is_empty() {
            (0..self.items.len()).collect()
        } else {
            let mut matcher = Matcher::new(Config::DEFAULT);
            let mut passes = |item: &BrowserItem| {
                let shown = [&item.title, &item.keywords].into_iter().chain(&item.details).chain(&item.warning);
                let text = shown.map(String::as_str).collect::<Vec<_>>().join("\n");
                words.score(Utf32String::from(text).slice(..), &mut matcher).is_some()
            };
            (0..self.items.len()).filter(|place| passes(&self.items[*place])).collect()
        };
        let ids: HashSet<&str> = self.visible_ids().collect();
        let here = before.iter().position(|id| Some(id) == self.focus.as_ref());
        let (above, below) = before.split_at(here.unwrap_or(before.len()));
        let near = self.focus.iter().chain(below).chain(above.iter().rev());
        let kept = near.map(String::as_str).find(|id| ids.contains(id)).map(str::to_owned);
        self.focus = kept.or_else(|| self.visible_ids().next().map(str::to_owned));
    }

    fn visible_ids(&self) -> impl Iterator<Item = &str> {
        self.visible.iter().map(|place| self.items[*place].id.as_str())
    }

    /// The item in a row of what is visible.
    fn item(&self, row: usize) -> Option<&BrowserItem> {
        self.visible.get(row).map(|place| &self.items[*place])
    }

    fn focus_row(&self) -> usize {
        self.visible_ids().position(|id| Some(id) == self.focus.as_deref()).unwrap_or(0)
    }
}
