//! The words of the table, plain and disguised.

use super::*;
use proptest::prelude::*;

// F0
#[test]
fn no_word_means_both() {
    for (word, decision) in words() {
        for cased in [word.to_owned(), word.to_lowercase(), word.to_uppercase()] {
            assert_eq!(meaning(&cased), Some(decision), "{cased}");
        }
    }
}

// F0
#[test]
fn disguised_words_keep_their_meaning() {
    let rejects = [
        "Reject",
        "REJECT",
        "reject",
        "Reјect",
        "Ｒｅｊｅｃｔ",
        "R E J E C T",
        "✗ Reject!",
        "[r] Reject",
        "r) Reject",
        "1. Reject",
        "Re\u{200b}ject",
        "Reject\u{2800}",
        "…Cancel…",
        "CanceI",
        "ϲancel",
        "NEIN",
        "hayır",
        "HAYIR",
        "НЕТ",
        "HET",
        "否",
        "いいえ",
        "아니요",
        "لا",
        "नहीं",
        "👎",
        "👎🏽",
        "❌",
        "✖\u{fe0f}",
        "«Reject»",
        "(Reject)",
        "*Reject*",
        "Reject [r]",
        "I reject",
    ];
    for label in rejects {
        assert_eq!(meaning(label), Some(Decision::Reject), "{label} {:?}", forms(label));
    }
    for label in ["Approve", "✅ Approve", "[a] Approve", "ОК", "Ok.", "Так", "Oui", "同意", "👍", "✓ Yes"]
    {
        assert_eq!(meaning(label), Some(Decision::Approve), "{label}");
    }
}

// F0
#[test]
fn ordinary_labels_mean_nothing_by_themselves() {
    let labels = [
        "Ship it",
        "Hold",
        "Delete",
        "Delete them",
        "Keep",
        "Keep them",
        "Apply it",
        "Leave it",
        "Not now",
        "Cancel the order",
        "Stop the server",
        "Later",
        "Yes, stop it",
        "No, continue without it",
        "Skip",
        "Run",
        "Write",
        "+1",
        "-1",
        "B",
        "Löschen",
        "🚀",
        "不 同意它",
    ];
    for label in labels {
        assert_eq!(meaning(label), None, "{label} {:?}", forms(label));
        assert!([Decision::Approve, Decision::Reject].iter().all(|decision| !claims(label, *decision)), "{label}");
    }
}

// F0
#[test]
fn claims_in_brackets_are_read() {
    for label in
        ["Keep them (approve)", "Keep them (APPROVE)", "Keep them [approve", "Keep（аpprove）", "(approve) Keep them"]
    {
        assert!(claims(label, Decision::Approve), "{label}");
    }
    assert!(claims("Delete (reject)", Decision::Reject));
    assert!(claims("Later (reject) (approve)", Decision::Approve), "each of them");
    assert!(!claims("Delete (3 files)", Decision::Approve));
}

// F0
#[test]
fn words_that_a_sign_sets_off_are_read() {
    let rejects = [
        "Keep them ✗ reject",
        "Delete – reject",
        "Delete-reject",
        "Delete ⦇reject⦈",
        "Delete /reject/",
        "Delete: no",
        "Delete, no",
        "Delete | Nein!",
        "Delete ✗ r e j e c t",
        "Delete → Reјect",
        "Delete x reject",
        "Delete ✗ reject ✓ fine",
        "Yes – cancel",
        "Yes, reject",
    ];
    for label in rejects {
        assert!(sets_off(label, Decision::Reject), "{label}");
        assert!(!sets_off(label, Decision::Approve), "{label}");
    }
    for label in ["Don't reject", "Yes, delete", "Yes, stop", "Yes. Stop!", "Reject", "«Reject»", "Delete them", "A-n"]
    {
        assert!(!sets_off(label, Decision::Reject), "{label}");
    }
    for label in ["No-go", "No. Continue", "No, continue", "Open Q&A", "Ne pas approuver", "Let's not"] {
        assert!(!sets_off(label, Decision::Approve), "{label}");
    }
}

/// Letters that look like another, which the skeleton must bring back.
const CONFUSABLE: &[(char, &str)] = &[
    ('a', "аɑ𝐚ａ𝒶"),
    ('c', "сϲ𝐜ｃⅽ"),
    ('e', "еｅ𝐞ℯ"),
    ('i', "іｉ𝐢ⅰ"),
    ('j', "јｊ𝐣"),
    ('k', "ｋ𝐤"),
    ('l', "ｌⅼI"),
    ('n', "ｎ𝐧"),
    ('o', "оοｏ0𝐨"),
    ('p', "рｐ𝐩"),
    ('r', "ｒ𝐫"),
    ('s', "ѕｓ𝐬"),
    ('t', "ｔ𝐭"),
    ('x', "хｘ𝐱"),
    ('y', "уｙ𝐲"),
    ('A', "АΑＡ𝐀"),
    ('B', "ВΒＢ"),
    ('C', "СＣ𝐂"),
    ('E', "ЕΕＥ"),
    ('H', "НΗＨ"),
    ('J', "ЈＪ"),
    ('K', "КΚＫ"),
    ('N', "ΝＮ"),
    ('O', "ОΟＯ"),
    ('P', "РΡＰ"),
    ('R', "Ｒ𝐑"),
    ('S', "ЅＳ"),
    ('T', "ТΤＴ"),
    ('X', "ХΧＸ"),
    ('Y', "ΥＹ"),
];

const INVISIBLE: &[&str] =
    &["", "\u{200b}", "\u{ad}", "\u{2060}", "\u{fe0f}", "\u{e0041}", "\u{34f}", "\u{200d}", "\u{180e}"];
const BEFORE: &[&str] =
    &["", " ", "\u{3000}", "✗ ", "✅", "[r] ", "r) ", "1. ", "(a) ", "→ ", "«", "*", "– ", "[esc] ", "👍🏽 ", "2) "];
const AFTER: &[&str] = &["", " ", "\u{a0}", "!", "…", " ✗", " [r]", ".", "»", "*", " (2)", " 👎", "\u{301}"];

/// How one character is written.
#[derive(Debug, Clone)]
struct Disguise {
    upper: bool,
    look: prop::sample::Index,
    is_lookalike: bool,
    invisible: prop::sample::Index,
    is_spaced: bool,
}

fn disguise() -> impl Strategy<Value = Vec<Disguise>> {
    let one = (
        any::<bool>(),
        any::<prop::sample::Index>(),
        any::<bool>(),
        any::<prop::sample::Index>(),
        prop::bool::weighted(0.1),
    );
    let one = one.prop_map(|(upper, look, is_lookalike, invisible, is_spaced)| Disguise {
        upper,
        look,
        is_lookalike,
        invisible,
        is_spaced,
    });
    prop::collection::vec(one, 40)
}

fn disguised(word: &str, disguises: &[Disguise]) -> String {
    let letters = word.chars().zip(disguises.iter().cycle()).flat_map(|(letter, disguise)| {
        let cased: Vec<char> = if disguise.upper { letter.to_uppercase().collect() } else { vec![letter] };
        let look = |c: char| {
            let looks = CONFUSABLE.iter().find(|(known, _)| *known == c).filter(|_| disguise.is_lookalike);
            looks.map_or(c, |(_, looks)| *disguise.look.get(&looks.chars().collect::<Vec<_>>()))
        };
        let mut text: String = cased.into_iter().map(look).collect();
        text.push_str(INVISIBLE[disguise.invisible.index(INVISIBLE.len())]);
        text.push_str(if disguise.is_spaced { " " } else { "" });
        text.chars().collect::<Vec<_>>()
    });
    letters.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    // F0
    #[test]
    fn every_disguise_of_an_opposite_word_is_refused(
        word in any::<prop::sample::Index>(),
        disguises in disguise(),
        before in prop::sample::select(BEFORE),
        after in prop::sample::select(AFTER),
    ) {
        let all: Vec<_> = words().collect();
        let (word, decision) = *word.get(&all);
        let label = format!("{before}{}{after}", disguised(word, &disguises));
        prop_assert_eq!(meaning(&label), Some(decision), "{} for {}: {:?}", label, word, forms(&label));
        let labels = match decision {
            Decision::Approve => ["Delete them", label.as_str()],
            Decision::Reject => [label.as_str(), "Keep them"],
        };
        let question = serde_json::json!({"type": "approval", "message": "?", "labels": labels});
        let problems = crate::Request::from_json(&crate::Json::from(question), &crate::Limits::DEFAULT).unwrap_err();
        prop_assert!(problems.iter().any(|problem| problem.rule == crate::Rule::Opposite), "{}: {}", label, problems);
    }
}
