//! The imports between the top-level modules of each crate, as its production code has them.

use crate::production::{ProductionFile, is_identifier};
use std::collections::{BTreeMap, BTreeSet};

/// The place of an import.
pub(super) struct Site<'t> {
    pub(super) path: &'t str,
    pub(super) line: usize,
}

/// The modules that each module of a crate imports, with the first place of each import.
pub(super) type Imports<'t> = BTreeMap<&'t str, BTreeMap<&'t str, Site<'t>>>;

/// The imports of each crate, by the crate's name.
///
/// A module is `src/<name>.rs` with the files below `src/<name>/`. The crate's root, `lib.rs` or `main.rs`, is none.
pub(super) fn imports_of_crates<'t>(files: &[ProductionFile<'t>]) -> BTreeMap<&'t str, Imports<'t>> {
    let mut modules: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in files {
        modules.entry(file.package).or_default().extend(top_level_module(file));
    }
    let mut crates: BTreeMap<&str, Imports<'t>> = BTreeMap::new();
    for file in files {
        let imports = crates.entry(file.package).or_default();
        let Some(from) = top_level_module(file) else { continue };
        for (name, line) in names_in_root(file) {
            let to = modules.get(file.package).and_then(|modules| modules.get(name.as_str()).copied());
            if let Some(to) = to.filter(|to| *to != from) {
                let site = Site { path: file.path, line };
                imports.entry(from).or_default().entry(to).or_insert(site);
            }
        }
    }
    crates
}

/// The top-level module that a file belongs to.
fn top_level_module<'t>(file: &ProductionFile<'t>) -> Option<&'t str> {
    let first = file.below_src.split('/').next()?;
    let name = first.strip_suffix(".rs").unwrap_or(first);
    (!matches!(name, "lib" | "main")).then_some(name)
}

/// The names that a file uses from its crate's root, `b` in `crate::b::B` or `use super::{b, c}`, each with its line.
fn names_in_root(file: &ProductionFile<'_>) -> Vec<(String, usize)> {
    let code = file.code();
    let depth = file.below_src.split('/').count();
    let names = root_paths(&code.text, depth).into_iter().flat_map(|path| first_names(&code.text, path));
    names.map(|(offset, name)| (name.to_owned(), code.line(offset))).collect()
}

/// The offsets behind every `crate::`, and behind every `super::` that leads from a file at this depth to the root.
fn root_paths(code: &str, depth: usize) -> Vec<usize> {
    let starts_word = |offset: usize| !code[..offset].ends_with(|char| is_identifier(char) || char == ':');
    let keyword = |word: &'static str| code.match_indices(word).filter(move |(offset, _)| starts_word(*offset));
    let from_crate = keyword("crate::").map(|(offset, word)| offset + word.len());
    let from_super = keyword("super::").filter_map(|(offset, _)| {
        let rest = code[offset..].trim_start_matches("super::");
        let end = code.len() - rest.len();
        let climbs = (end - offset) / "super::".len();
        (climbs == depth + inline_modules(&code[..offset])).then_some(end)
    });
    from_crate.chain(from_super).collect()
}

/// How many inline modules (`mod name { … }`) are open at the end of the code.
fn inline_modules(code: &str) -> usize {
    let mut blocks = Vec::new();
    let mut header = 0;
    for (offset, char) in code.char_indices() {
        match char {
            '{' => {
                let mut words = code[header..offset].split_whitespace().rev();
                blocks.push(words.nth(1) == Some("mod"));
            }
            '}' => {
                blocks.pop();
            }
            ';' => {}
            _ => continue,
        }
        header = offset + 1;
    }
    blocks.into_iter().filter(|is_module| *is_module).count()
}

/// The name at an offset, or the first name of each path of the brace list there.
fn first_names(code: &str, start: usize) -> Vec<(usize, &str)> {
    let name = |offset: usize| {
        let end = code[offset..].find(|char| !is_identifier(char)).map_or(code.len(), |length| offset + length);
        (offset, &code[offset..end])
    };
    if !code[start..].starts_with('{') {
        return vec![name(start)];
    }
    let mut names = Vec::new();
    let mut depth = 0_usize;
    for (offset, char) in code[start..].char_indices() {
        match char {
            '{' => depth += 1,
            '}' if depth == 1 => break,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 1 && matches!(char, '{' | ',') {
            let next = start + offset + 1;
            let rest = &code[next..];
            names.push(name(next + rest.len() - rest.trim_start().len()));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::imports_of_crates;
    use crate::production::production;
    use crate::tidy::tree;

    /// The imports of module `a` as `module:line`, when `a` has this source and the crate also has `b`, `c` and `d`.
    fn imports_of_a(path: &str, source: &str) -> Vec<String> {
        let others = ["b", "c", "d"].map(|name| (format!("crates/x/src/{name}.rs"), String::new()));
        let tree = [tree(&[(path, source)]), others.to_vec()].concat();
        let files = production(&tree);
        let imports = imports_of_crates(&files);
        let of_a = imports["x"].get("a").into_iter().flatten();
        of_a.map(|(module, site)| format!("{module}:{}", site.line)).collect()
    }

    #[test]
    fn path_from_the_crate_root_is_an_import() {
        for source in ["use crate::b;", "use crate::b::B;", "fn a() -> crate::b::B {}", "use {crate::b};"] {
            assert_eq!(imports_of_a("crates/x/src/a.rs", source), ["b:1"], "{source}");
        }
        for source in ["use crate::bc;", "use my_crate::b;", "// crate::b", "f(\"crate::b\")", "use crate::a::b;"] {
            assert!(imports_of_a("crates/x/src/a.rs", source).is_empty(), "{source}");
        }
    }

    #[test]
    fn brace_list_over_several_lines_imports_the_first_name_of_each_path() {
        let source = "use crate::{\n    b::{c, x},\n    y,\n    d,\n};";
        assert_eq!(imports_of_a("crates/x/src/a.rs", source), ["b:2", "d:4"]);
        assert_eq!(imports_of_a("crates/x/src/a.rs", "use crate::{b, c::d};"), ["b:1", "c:1"]);
    }

    #[test]
    fn super_is_an_import_where_it_leads_to_the_root() {
        assert_eq!(imports_of_a("crates/x/src/a.rs", "use super::b;\nuse super::{c, d};"), ["b:1", "c:2", "d:2"]);
        assert!(imports_of_a("crates/x/src/a/inner.rs", "use super::b;").is_empty());
        assert_eq!(imports_of_a("crates/x/src/a/inner.rs", "use super::super::b;"), ["b:1"]);
        let inline = "mod inner {\n    use super::b;\n    use super::super::c;\n}\nuse super::d;";
        assert_eq!(imports_of_a("crates/x/src/a.rs", inline), ["c:3", "d:5"]);
    }
}
