//! The choices of an agent's stream. They are the agent's own texts and go back as they came, so any text will do; the person
//! sees an option for each that is safe and unlike the others.

use crate::answer::OTHER_PLACEHOLDER;
use crate::fields::{Fields, wrong_type};
use crate::json::Json;
use crate::options::ChoiceOption;
use crate::path::Place;
use crate::problem::Refusal;
use crate::rule::Rule;
use crate::show::{Layout, Purpose, show};
use crate::text::{has_control, is_blank, length, trim};
use std::collections::HashSet;

/// The texts of a list, or nothing if one of them is no text or too long.
pub(super) fn read<'j>(fields: &mut Fields<'j, '_>, items: &'j [Json], place: Place<'_>) -> Option<Vec<&'j str>> {
    let longest = fields.limits.value_length;
    let read = |(index, item): (usize, &'j Json)| {
        check(item, longest).map_err(|refusal| fields.refuse(refusal, place.index(index))).ok()
    };
    // All are looked at, so that every problem is reported.
    let texts: Vec<Option<&str>> = items.iter().enumerate().map(read).collect();
    texts.into_iter().collect()
}

fn check(item: &Json, longest: usize) -> Result<&str, Refusal> {
    let Json::String(text) = item else {
        return Err(wrong_type(item, "a text"));
    };
    let found = length(text);
    Rule::Length.unless(found <= longest, || {
        (format!("{found} characters are too many"), format!("at most {longest} characters"))
    })?;
    Ok(text)
}

/// An option for each choice. Its value is the choice as it is shown; a text that is there already gets the choice's number.
pub(super) fn options(choices: &[&str]) -> Vec<ChoiceOption> {
    let mut taken = HashSet::from([OTHER_PLACEHOLDER.to_owned()]);
    let option = |(index, choice): (usize, &&str)| {
        let mut value = shown(choice);
        if taken.contains(&value) {
            let number = format!(" (choice {})", index + 1);
            value = format!("\"{value}\"{number}");
            // The agent may have written the same.
            while taken.contains(&value) {
                value.push_str(&number);
            }
        }
        taken.insert(value.clone());
        ChoiceOption::new(&value)
    };
    choices.iter().enumerate().map(option).collect()
}

/// One line that can be seen: without padding, with a mark for each control character, and in quotes if nothing else would
/// be left.
fn shown(choice: &str) -> String {
    let text = trim(choice);
    if is_blank(text) {
        return format!("\"{}\"", show(choice, Layout::Line, Purpose::Exact));
    }
    if has_control(text) { show(text, Layout::Line, Purpose::Prose) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(choices: &[&str]) -> Vec<String> {
        options(choices).iter().map(|option| option.value().to_owned()).collect()
    }

    // T8
    #[test]
    fn padded_repeated_blank_and_control_laden_choices_are_shown_safely_and_told_apart() {
        assert_eq!(values(&[" left ", "right\n"]), ["left", "right"]);
        assert_eq!(values(&["a", " a", "b", "a"]), ["a", "\"a\" (choice 2)", "b", "\"a\" (choice 4)"]);
        assert_eq!(values(&["\u{1b}[2J", "one\ntwo", "\u{9b}31m"]), ["<U+001B>[2J", "one<U+000A>two", "<U+009B>31m"]);
        assert_eq!(values(&["", "  ", "\u{200b}", "\n"]), ["\"\"", "\"  \"", "\"<U+200B>\"", "\"<U+000A>\""]);
        assert_eq!(values(&["__other__"]), ["\"__other__\" (choice 1)"]);
    }

    // T8
    #[test]
    fn a_choice_that_has_the_text_of_a_numbered_one_gets_a_number_itself() {
        let found = values(&["\"a\" (choice 3)", "a", "a", "\"a\" (choice 5)", "a"]);
        let expected =
            ["\"a\" (choice 3)", "a", "\"a\" (choice 3) (choice 3)", "\"a\" (choice 5)", "\"a\" (choice 5) (choice 5)"];
        assert_eq!(found, expected);
    }

    proptest::proptest! {
        // T8
        #[test]
        fn options_differ_and_act_on_nothing(
            choices in proptest::collection::vec(proptest::prop_oneof!["[ab\\x1b \\u{200b}]{0,3}", proptest::prelude::any::<String>()], 1..9),
        ) {
            let choices: Vec<&str> = choices.iter().map(String::as_str).collect();
            let values = values(&choices);
            proptest::prop_assert_eq!(values.len(), choices.len());
            proptest::prop_assert_eq!(values.iter().collect::<HashSet<_>>().len(), values.len());
            proptest::prop_assert!(values.iter().all(|value| !has_control(value) && !is_blank(value) && trim(value) == value));
        }
    }
}
