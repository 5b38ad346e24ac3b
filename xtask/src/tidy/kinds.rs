//! No match over the kinds of question has a catch-all arm: a new kind must fail to compile wherever it matters.

pub(super) mod matches;

use super::Complaint;
use crate::production::ProductionFile;
use matches::kind_matches;

pub(super) fn check(files: &[ProductionFile<'_>]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for file in files {
        let code = file.code();
        for found in kind_matches(file.path, &code.text) {
            complaints.extend(found.catch_alls().map(|arm| {
                format!(
                    "{}:{}: `{}` catches every other kind of question: name the kinds, so that a new one does not compile \
                     here, or ask a method of Kind",
                    file.path,
                    code.line(arm.offset),
                    arm.pattern
                )
            }));
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::production::production;
    use crate::tidy::tree;

    /// The complaints about a function with a match of these arms.
    fn complaints(arms: &str) -> Vec<String> {
        let source = format!("//! B.\nfn b(kind: &Kind) {{\n    match kind {{\n{arms}\n    }}\n}}\n");
        let tree = tree(&[("crates/a/src/b.rs", &source), ("crates/a/src/tests.rs", &source)]);
        check(&production(&tree))
    }

    #[test]
    fn wildcard_arm_over_kinds_is_refused_with_its_line() {
        let found = complaints("Kind::Date(date) => {\n    f(date, 1)\n}\n_ => g(),");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("crates/a/src/b.rs:7: `_` catches every other kind"), "{found:?}");
    }

    #[test]
    fn every_form_of_a_catch_all_is_refused() {
        for arm in ["_", "other", "&_", "_ if f()", "other if f(other)", "Kind::Text(_) | _", "(_, Look::Stream)"] {
            assert_eq!(complaints(&format!("Kind::Date(_) => 1,\n{arm} => 2,")).len(), 1, "{arm}");
        }
        assert_eq!(complaints("Some(crate::Kind::Date(_)) => 1,\nSome(_) => 2,\nNone => 3,").len(), 1);
        assert_eq!(complaints("Answer::Date(_) => 1,\n_ => 2,").len(), 1);
    }

    #[test]
    fn match_that_names_kinds_or_matches_something_else_passes() {
        for arms in [
            "Kind::Date(date) if f(date) => 1,\nKind::Date(_) | Kind::Text(_) => 2,",
            "(Kind::Date(_), Look::Stream) => 1,\n(Kind::Date(_), _) => 2,",
            "Some(Kind::Date(_)) => 1,\nNone => 2,",
            "other @ (Kind::Date(_) | Kind::Text(_)) => f(other),",
            "Kind::Date(_) => match f() {\n    1 => 2,\n    _ => 3,\n},",
            "ErrorKind::Date(_) => 1,\n_ => 2,",
            "Answer::Ended(_) => 1,\n_ => 2,",
            "_ => Kind::Date(date),",
        ] {
            assert!(complaints(arms).is_empty(), "{arms}");
        }
    }

    #[test]
    fn match_over_self_is_one_over_kinds_in_the_file_of_kind() {
        let source =
            "//! K.\nfn k(&self) {\n    match self {\n        Self::Date(_) => 1,\n        _ => 2,\n    }\n}\n";
        let tree = tree(&[("crates/askback-core/src/kind.rs", source), ("crates/a/src/b.rs", source)]);
        let found = check(&production(&tree));
        assert!(found.len() == 1 && found[0].starts_with("crates/askback-core/src/kind.rs:5"), "{found:?}");
    }
}
