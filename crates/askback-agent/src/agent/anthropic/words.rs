//! Ids and names of calls as the Messages protocol takes them: made of few characters, and no id twice. A conversation may
//! have begun with another agent, which had its own idea of them.

use std::collections::HashSet;

/// The longest id or name.
const LENGTH: usize = 64;

/// The ids of a conversation, as they are told.
#[derive(Debug, Default)]
pub(super) struct Ids {
    used: HashSet<String>,
    /// Those of the last message's calls, in their order.
    open: Vec<String>,
}

impl Ids {
    /// A message of the model begins.
    pub(super) fn begin(&mut self) {
        self.open.clear();
    }

    /// The id of its next call.
    pub(super) fn call(&mut self, id: &str) -> String {
        let id = word(id);
        let again = (2..).map(|number: usize| format!("{id}_{number}"));
        let id = std::iter::once(id.clone()).chain(again).find(|id| !self.used.contains(id)).unwrap_or(id);
        self.used.insert(id.clone());
        self.open.push(id.clone());
        id
    }

    /// The id that the call of this position, from 0, was told under.
    pub(super) fn result(&self, position: usize, id: &str) -> String {
        self.open.get(position).cloned().unwrap_or_else(|| word(id))
    }
}

/// A text made of nothing but letters, digits, `_` and `-`.
pub(super) fn word(text: &str) -> String {
    let fits = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let word: String = text.chars().take(LENGTH).map(fits).collect();
    if word.is_empty() { "_".to_owned() } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Q7
    #[test]
    fn every_call_has_an_id_of_its_own_and_its_result_has_the_same() {
        let mut ids = Ids::default();
        ids.begin();
        assert_eq!(
            [ids.call("toolu_1"), ids.call("1.a"), ids.call("1.a"), ids.call("")],
            ["toolu_1", "1_a", "1_a_2", "_"]
        );
        assert_eq!([ids.result(0, "toolu_1"), ids.result(2, "1.a")], ["toolu_1", "1_a_2"]);
        ids.begin();
        assert_eq!(ids.call("toolu_1"), "toolu_1_2");
        assert_eq!(ids.result(0, "toolu_1"), "toolu_1_2");
    }
}
