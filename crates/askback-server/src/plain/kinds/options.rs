//! Options as choice and dropdown have them: by position in the form, by label on the page.

use crate::plain::controls::OTHER;
use crate::plain::html::Html;
use askback_core::show::{Layout, Purpose};
use askback_core::{Answer, ChoiceOption, Options};

/// The control of a value: its option's, or Other's.
pub(super) fn position(options: &Options, value: &str) -> String {
    options.iter().position(|option| option.value() == value).map_or_else(|| OTHER.to_owned(), |at| at.to_string())
}

/// The value of the option at a position, if the page has offered that position.
pub(super) fn value<'o>(options: &'o Options, position: &str) -> Option<&'o str> {
    let at: usize = position.parse().ok()?;
    options.iter().nth(at).filter(|_| at.to_string() == position).map(ChoiceOption::value)
}

/// The labels of the selected options, and the text of Other.
pub(super) fn labels(options: &Options, answer: &Answer) -> String {
    let label = |value: &&str| options.find(value).map_or(*value, ChoiceOption::label).to_owned();
    answer.selections().iter().map(label).collect::<Vec<String>>().join(", ")
}

pub(super) fn preview(html: &mut Html, option: &ChoiceOption) {
    if let Some(preview) = option.preview() {
        html.markup("<details><summary>Preview of ").line(option.label(), Purpose::Prose).markup("</summary><pre>\n");
        html.shown(preview, Layout::Block, Purpose::Exact).markup("</pre></details>");
    }
}
