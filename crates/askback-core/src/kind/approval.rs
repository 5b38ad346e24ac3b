//! Approval (F0): `approve` or `reject`, under two labels.

use super::{Asked, Consent, choose_word};
use crate::answer::{AnswerInput, Written};
use crate::consent_words::{claims, has_bracketed_word, meaning, sets_off};
use crate::fields::{Fields, Shape};
use crate::fold::appearance;
use crate::json::{Json, Object};
use crate::key_marker::{has_gap, has_key_marker};
use crate::limits::{Imitations, Limits};
use crate::path::Place;
use crate::problem::Refusal;
use crate::rule::Rule;
use crate::show::quote;
use crate::text::trim;
use serde_json::{Value, json};

/// A question that is approved or rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    labels: [String; 2],
}

/// What the person decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Go on.
    Approve,
    /// Don't.
    Reject,
}

/// The text of a button: the asker's label, and its meaning unless the label is that word itself (S7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caption<'a> {
    /// The asker's label.
    pub label: &'a str,
    /// `approve` or `reject`, to be shown beside a label that is not the default one.
    pub word: Option<&'static str>,
}

impl std::fmt::Display for Caption<'_> {
    /// `Delete them (approve)`. The label is raw: a surface makes it safe to show.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.label)?;
        self.word.map_or(Ok(()), |word| write!(f, " ({word})"))
    }
}

impl Approval {
    /// The label of the button for a decision, and what it means.
    pub fn caption(&self, decision: Decision) -> Caption<'_> {
        let label = self.label(decision);
        let word = (label != decision.default_label()).then(|| decision.word());
        Caption { label, word }
    }

    /// The asker's label alone.
    pub(crate) fn label(&self, decision: Decision) -> &str {
        match decision {
            Decision::Approve => &self.labels[0],
            Decision::Reject => &self.labels[1],
        }
    }

    /// Makes an approval of the two labels that a dialect has read at `place`, or reports what is wrong with them.
    pub(crate) fn read_labels<'j>(fields: &mut Fields<'j, '_>, items: &'j [Json], place: Place<'_>) -> Option<Self> {
        let longest = fields.limits.line_length;
        let mut read = |index: usize| {
            let item = items.get(index)?;
            fields.text_at(item, place.index(index), Shape::Line, 1..=longest).map(trim)
        };
        let (approve, reject) = (read(0), read(1));
        if let (Some(approve), Some(reject)) = (approve, reject)
            && let Err(refusal) = check_apart(approve, reject, fields.limits)
        {
            fields.refuse(refusal, place);
            return None;
        }
        let meant = [(0, approve, Decision::Approve), (1, reject, Decision::Reject)].map(|(index, label, decision)| {
            let label = label?;
            check_meaning(label, decision, fields.limits)
                .and_then(|()| check_imitation(label, fields.limits))
                .map_err(|refusal| fields.refuse(refusal, place.index(index)))
                .ok()
        });
        let [Some(()), Some(())] = meant else { return None };
        Some(Self { labels: [approve?.to_owned(), reject?.to_owned()] })
    }
}

/// Two labels that a person can tell apart.
fn check_apart(approve: &str, reject: &str, limits: &Limits) -> Result<(), Refusal> {
    let differ = match limits.imitations {
        Imitations::Refused => appearance(approve) != appearance(reject),
        Imitations::Kept => approve != reject,
    };
    Rule::Unique.unless(differ, || {
        let message = if approve == reject { "both labels are the same" } else { "both labels look the same" };
        (message, "two different labels")
    })
}

/// A label that does not mean the other decision, in any language of the table and under any disguise.
fn check_meaning(label: &str, decision: Decision, limits: &Limits) -> Result<(), Refusal> {
    let opposite = decision.opposite();
    let is_opposite = limits.imitations == Imitations::Refused
        && (meaning(label) == Some(opposite) || claims(label, opposite) || sets_off(label, opposite));
    Rule::Opposite.unless(!is_opposite, || {
        let (word, other) = (decision.word(), opposite.word());
        let message = format!("{} says {other}, but this label is the one to {word}", quote(label));
        (
            message,
            format!("a label to {word}, such as {}; the first label approves, the second rejects", decision.example()),
        )
    })
}

/// A label that has nothing in it that would pass for a second button or for our own word beside it.
fn check_imitation(label: &str, limits: &Limits) -> Result<(), Refusal> {
    let found = match limits.imitations {
        Imitations::Kept => None,
        Imitations::Refused if has_key_marker(label) => Some(("a key", "a label without a key such as [a] or r)")),
        Imitations::Refused if has_bracketed_word(label) => {
            Some(("askback's own word in brackets", "the label alone; askback shows (approve) or (reject) beside it"))
        }
        Imitations::Refused if has_gap(label) => Some(("a gap", "single spaces between words")),
        Imitations::Refused => None,
    };
    Rule::Reserved.unless(found.is_none(), || {
        let (what, expected) = found.unwrap_or_default();
        (format!("{} contains {what}", quote(label)), expected)
    })
}

impl Default for Approval {
    fn default() -> Self {
        Self { labels: Decision::BOTH.map(|decision| decision.default_label().to_owned()) }
    }
}

impl Asked for Approval {
    const NAME: &'static str = "approval";
    const SUMMARY: &'static str = "Go ahead or not. Rejecting makes the outcome `declined`.";
    const WRITTEN: &'static str = "`approve` or `reject`";
    const FIELDS: &'static [&'static str] = &["labels"];
    const RULES: &'static [Rule] = &[Rule::Word, Rule::Answers];
    const CONSENT: Consent = Consent::Approval;
    type Answer = Decision;

    fn read(fields: &mut Fields<'_, '_>) -> Option<Self> {
        let items = fields.counted_array("labels", 2..=2, "texts, first to approve, then to reject");
        let here = fields.place();
        let labels = items.and_then(|items| Self::read_labels(fields, items, here.field("labels")));
        fields.or("labels", labels, Self::default())
    }

    fn write(&self, object: Object) -> Object {
        let labels = (*self != Self::default()).then(|| self.labels.to_vec());
        object.put_some("labels", labels)
    }

    fn properties(limits: &Limits) -> Value {
        json!({"labels": {
            "description": "What the two buttons say: first to approve, then to reject. `Approve` and `Reject` by default. Neither may say the opposite.",
            "type": "array", "minItems": 2, "maxItems": 2,
            "items": {"type": "string", "minLength": 1, "maxLength": limits.line_length},
        }})
    }

    fn parse_answer(&self, input: &AnswerInput) -> Result<Decision, Refusal> {
        choose_word(input.single()?, &Decision::BOTH.map(|decision| (decision.word(), decision)))
    }
}

impl Decision {
    pub(crate) const BOTH: [Self; 2] = [Self::Approve, Self::Reject];

    /// The word that stands for it: the answer's written form, and what is shown beside an asker's label.
    pub fn word(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Reject => "reject",
        }
    }

    /// The default label of its button.
    pub fn default_label(self) -> &'static str {
        match self {
            Self::Approve => "Approve",
            Self::Reject => "Reject",
        }
    }

    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::Approve => Self::Reject,
            Self::Reject => Self::Approve,
        }
    }

    fn example(self) -> &'static str {
        match self {
            Self::Approve => "\"Delete the files\"",
            Self::Reject => "\"Keep the files\"",
        }
    }
}

impl Written for Decision {
    fn written(&self) -> String {
        self.word().to_owned()
    }

    fn rejects(&self) -> bool {
        *self == Self::Reject
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(labels: [&str; 2], limits: &Limits) -> Result<Approval, Vec<(String, Rule)>> {
        let question = json!({"type": "approval", "message": "?", "labels": labels});
        let request = crate::Request::from_json(&Json::from(question), limits);
        let request = request.map_err(|found| {
            found.iter().map(|problem| (problem.path.to_string(), problem.rule)).collect::<Vec<_>>()
        })?;
        match request.questions()[0].kind() {
            crate::Kind::Approval(approval) => Ok(approval.clone()),
            other => panic!("{other:?}"),
        }
    }

    // F0
    #[test]
    fn labels_of_the_opposite_meaning_are_refused_where_they_stand() {
        let opposite = |path: &str| (path.to_owned(), Rule::Opposite);
        let refused = read(["Reject", "Approve"], &Limits::DEFAULT).unwrap_err();
        assert_eq!(refused, [opposite("labels[0]"), opposite("labels[1]")]);
        assert_eq!(read(["Delete (reject)", "Keep"], &Limits::DEFAULT).unwrap_err(), [opposite("labels[0]")]);
        assert_eq!(read(["Delete", "Keep (approve)"], &Limits::DEFAULT).unwrap_err(), [opposite("labels[1]")]);
        let alike = read(["Delete", "Dеlete"], &Limits::DEFAULT).unwrap_err();
        assert_eq!(alike, [("labels".to_owned(), Rule::Unique)]);
        assert!(read(["Yes", "No"], &Limits::DEFAULT).is_ok());
    }

    // F0
    #[test]
    fn labels_that_imitate_a_control_are_refused() {
        for (labels, rule) in [
            (["Go", "Later (reject)  [a] Keep all"], Rule::Reserved),
            (["Show details      [r] Reject", "Delete"], Rule::Opposite),
            (["Show details      [r] Back", "Delete"], Rule::Reserved),
            (["Delete (approve)", "Keep"], Rule::Reserved),
            (["Delete", "Keep ⦇reject⦈"], Rule::Reserved),
            (["Delete  all", "Keep"], Rule::Reserved),
            (["[r]", "[a]"], Rule::Opposite),
            (["r", "a"], Rule::Opposite),
            (["N", "Y"], Rule::Opposite),
            (["Keep them ✗ reject", "Delete them ✓ approve"], Rule::Opposite),
            (["Delete – reject", "Keep"], Rule::Opposite),
            (["Delete ⦇reject⦈", "Keep"], Rule::Opposite),
            (["Delete /reject/", "Keep"], Rule::Opposite),
            (["Delete: no", "Keep"], Rule::Opposite),
            (["Delete x reject", "Keep"], Rule::Opposite),
        ] {
            let refused = read(labels, &Limits::DEFAULT).unwrap_err();
            assert!(refused.iter().all(|(_, found)| *found == rule), "{labels:?}: {refused:?}");
        }
    }

    // F0
    #[test]
    fn ordinary_labels_are_accepted() {
        for labels in [
            ["Delete them", "Keep them"],
            ["Yes, delete", "Keep"],
            ["Ship it", "Not yet"],
            ["Go", "No-go"],
            ["Go", "No. Continue"],
            ["Merge", "Leave open"],
            ["Apply it", "Leave it"],
            ["Allow once", "Deny this"],
            ["Approve", "Reject"],
            ["OK", "Cancel"],
            ["Yes", "No"],
            ["Y", "N"],
            ["a", "r"],
            ["Yes, stop", "No, continue"],
            ["Delete (3)", "Keep file(s)"],
        ] {
            assert!(read(labels, &Limits::DEFAULT).is_ok(), "{labels:?}: {:?}", read(labels, &Limits::DEFAULT));
        }
    }

    // F0, S7
    #[test]
    fn a_stored_approval_with_opposite_labels_stays_readable_and_says_what_they_do() {
        let approval = read(["Reject", "Approve"], &Limits::STORED).unwrap();
        assert_eq!(approval.caption(Decision::Approve).to_string(), "Reject (approve)");
        assert_eq!(approval.caption(Decision::Reject).to_string(), "Approve (reject)");
        assert_eq!(Approval::default().caption(Decision::Approve).to_string(), "Approve");
    }

    // F0
    #[test]
    fn only_the_two_words_decide() {
        let approval = Approval::default();
        let decide = |text| approval.parse_answer(&AnswerInput::from(text)).map(|decision| decision.rejects());
        assert_eq!(decide("approve"), Ok(false));
        assert_eq!(decide("reject"), Ok(true));
        for text in ["", "Approve", "approve ", "yes", "a", "1"] {
            assert_eq!(decide(text).unwrap_err().rule, Rule::Word, "{text:?}");
        }
    }
}
