//! Imports between the top-level modules of a crate form no cycle, but for the cycles listed in `allowed.rs`.

mod allowed;
mod imports;

use super::Complaint;
use crate::production::ProductionFile;
use allowed::{Allowed, LIST, SMALL};
use imports::{Imports, imports_of_crates};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

pub(super) fn check(files: &[ProductionFile<'_>]) -> Vec<Complaint> {
    check_with(files, &Allowed::LISTED)
}

fn check_with(files: &[ProductionFile<'_>], allowed: &Allowed<'_>) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    let mut cycles = BTreeSet::new();
    for (package, imports) in imports_of_crates(files) {
        for modules in components(&imports) {
            if !allowed.contains(package, &modules) {
                complaints.push(complaint(package, &modules, &imports));
            }
            cycles.insert((package, modules));
        }
    }
    complaints.extend(allowed.stale(&cycles));
    complaints
}

fn complaint(package: &str, modules: &[&str], imports: &Imports<'_>) -> Complaint {
    let advice = if modules.len() <= SMALL {
        format!("cut one of these imports, or add the cycle to SMALL_CYCLES of {LIST} with its reason")
    } else {
        format!("cut it: move what the modules share into one that imports none of them; at most {SMALL} may be listed")
    };
    let cycle = shortest_cycle(modules, imports);
    let hops = cycle.iter().zip(cycle.iter().cycle().skip(1));
    let hops: Vec<String> = hops
        .filter_map(|(from, to)| {
            let site = imports.get(from)?.get(to)?;
            Some(format!("\n  {from} imports {to}: {}:{}", site.path, site.line))
        })
        .collect();
    format!(
        "crates/{package}: the {} modules {} import each other in a cycle: {advice}{}",
        modules.len(),
        modules.join(", "),
        hops.concat()
    )
}

/// The strongly connected components of two or more modules, each sorted.
fn components<'t>(imports: &Imports<'t>) -> Vec<Vec<&'t str>> {
    let reachable: BTreeMap<&str, BTreeSet<&str>> =
        imports.keys().map(|module| (*module, reachable(module, imports))).collect();
    let mut components = BTreeSet::new();
    for (module, reached) in &reachable {
        let back = reached.iter().filter(|other| reachable.get(**other).is_some_and(|back| back.contains(module)));
        let component: Vec<&str> = back.copied().collect();
        if component.len() > 1 {
            components.insert(component);
        }
    }
    components.into_iter().collect()
}

/// The modules that a module imports, directly or through others.
fn reachable<'t>(module: &'t str, imports: &Imports<'t>) -> BTreeSet<&'t str> {
    let mut reached = BTreeSet::new();
    let mut pending = vec![module];
    while let Some(module) = pending.pop() {
        let targets = imports.get(module).into_iter().flat_map(BTreeMap::keys);
        pending.extend(targets.filter(|target| reached.insert(**target)));
    }
    reached
}

/// The shortest cycle through the first module of a component.
fn shortest_cycle<'t>(component: &[&'t str], imports: &Imports<'t>) -> Vec<&'t str> {
    let Some(first) = component.first() else { return Vec::new() };
    let mut visited = BTreeSet::new();
    let mut paths = VecDeque::from([vec![*first]]);
    while let Some(path) = paths.pop_front() {
        for target in path.last().and_then(|last| imports.get(last)).into_iter().flat_map(BTreeMap::keys) {
            if target == first {
                return path;
            }
            if visited.insert(*target) {
                paths.push_back([path.as_slice(), &[*target]].concat());
            }
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::allowed::AllowedCycle;
    use super::{Allowed, check_with};
    use crate::production::production;
    use crate::tidy::tree;

    const NONE: Allowed<'static> = Allowed(&[]);

    fn check(files: &[(&str, &str)], allowed: &Allowed<'_>) -> Vec<String> {
        check_with(&production(&tree(files)), allowed)
    }

    const FOUR: [(&str, &str); 6] = [
        ("crates/x/src/lib.rs", "use crate::a::A;\nmod a;"),
        ("crates/x/src/a.rs", "//! A.\nuse crate::b::B;"),
        ("crates/x/src/b.rs", "use super::c;"),
        ("crates/x/src/c/inner.rs", "fn c() { crate::d::d() }"),
        ("crates/x/src/c.rs", "mod inner;"),
        ("crates/x/src/d.rs", "use crate::{\n    a::A,\n};"),
    ];

    #[test]
    fn cycle_of_four_modules_is_refused_with_its_imports() {
        let found = check(&FOUR, &NONE);
        assert_eq!(found.len(), 1, "{found:?}");
        let expected = [
            "crates/x: the 4 modules a, b, c, d import",
            "a imports b: crates/x/src/a.rs:2",
            "b imports c: crates/x/src/b.rs:1",
            "c imports d: crates/x/src/c/inner.rs:1",
            "d imports a: crates/x/src/d.rs:2",
        ];
        assert!(expected.iter().all(|part| found[0].contains(part)), "{}", found[0]);
    }

    #[test]
    fn cycle_of_four_modules_is_refused_even_if_it_is_listed() {
        let listed = [AllowedCycle { package: "x", modules: &["a", "b", "c", "d"], reason: "one idea" }];
        let found = check(&FOUR, &Allowed(&listed));
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn small_cycle_is_refused_unless_it_is_listed() {
        let files = [
            ("crates/x/src/a.rs", "use crate::b;"),
            ("crates/x/src/b.rs", "use crate::c;"),
            ("crates/x/src/c.rs", "use crate::a;"),
        ];
        let found = check(&files, &NONE);
        assert!(found.len() == 1 && found[0].contains("add the cycle to SMALL_CYCLES"), "{found:?}");
        let listed = [AllowedCycle { package: "x", modules: &["a", "b", "c"], reason: "one idea" }];
        assert!(check(&files, &Allowed(&listed)).is_empty());
        let found = check(&files[..2], &Allowed(&listed));
        assert!(found.len() == 1 && found[0].contains("no cycle has exactly these"), "{found:?}");
    }

    #[test]
    fn cycle_through_test_code_or_comments_passes() {
        let files = [
            ("crates/x/src/a.rs", "use crate::b;"),
            ("crates/x/src/b.rs", "// crate::a\n#[cfg(test)]\nmod tests {\n    use crate::a;\n}"),
            ("crates/x/src/b/tests.rs", "use crate::a;"),
            ("crates/y/src/b.rs", "use crate::a;"),
        ];
        assert!(check(&files, &NONE).is_empty());
    }
}
