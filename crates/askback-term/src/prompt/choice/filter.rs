//! Filtering as one types: the options in which every word typed can be found.

use crate::editor::{Edit, Editor};
use crate::input::{Input, Lines};
use askback_core::Options;

pub(super) struct Filter {
    editor: Editor,
    /// What is looked through: labels and descriptions in lower case.
    texts: Vec<String>,
    visible: Vec<usize>,
}

impl Filter {
    pub(super) fn new(options: &Options) -> Self {
        let text = |option: &askback_core::ChoiceOption| {
            let mut text = option.label().to_lowercase();
            if let Some(description) = option.description() {
                text.push('\n');
                text.push_str(&description.to_lowercase());
            }
            text
        };
        let texts: Vec<String> = options.iter().map(text).collect();
        Self { editor: Editor::new("", Lines::One), visible: (0..texts.len()).collect(), texts }
    }

    pub(super) fn editor(&self) -> &Editor {
        &self.editor
    }

    pub(super) fn count(&self) -> usize {
        self.visible.len()
    }

    /// The option that stands in a row.
    pub(super) fn option(&self, row: usize) -> usize {
        self.visible.get(row).copied().unwrap_or_default()
    }

    /// Takes an input; whether other options are visible now is the editor's to say.
    pub(super) fn update(&mut self, input: &Input) -> Filtered {
        let before = self.editor.text().to_owned();
        match self.editor.update(input) {
            Edit::Ignored => return Filtered::Ignored,
            _ if self.editor.text() == before => return Filtered::Same,
            _ => {}
        }
        let typed = self.editor.text().to_lowercase();
        let words: Vec<&str> = typed.split_whitespace().collect();
        let matches = |text: &String| words.iter().all(|word| text.contains(word));
        self.visible =
            self.texts.iter().enumerate().filter(|(_, text)| matches(text)).map(|(index, _)| index).collect();
        Filtered::Anew
    }
}

/// What an input did to a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Filtered {
    /// Nothing: it is no editing key.
    Ignored,
    /// The cursor moved.
    Same,
    /// Other options may be visible.
    Anew,
}
