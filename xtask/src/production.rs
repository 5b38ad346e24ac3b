//! The production part of the crates' Rust sources: their lines without test code, with comments and literals masked.

mod mask;

pub(crate) use mask::mask;
use std::ops::Range;

/// A Rust file below `crates/<package>/src`, without its test code.
pub(crate) struct ProductionFile<'t> {
    /// The path from the project's root.
    pub(crate) path: &'t str,
    /// The crate's folder below `crates/`, which is also its name.
    pub(crate) package: &'t str,
    /// The path below the crate's `src`.
    pub(crate) below_src: &'t str,
    /// The lines that are not test code, comments and blank lines included.
    pub(crate) lines: Vec<Line<'t>>,
}

/// A line of a production file.
pub(crate) struct Line<'t> {
    /// Its number in the file, from 1.
    pub(crate) number: usize,
    /// Its text as it is in the file.
    pub(crate) text: &'t str,
    /// Its text with spaces in place of comments and of the contents of literals. Byte offsets are those of `text`.
    pub(crate) code: String,
}

/// The code of a production file as one text, which knows the line of each byte.
pub(crate) struct Code {
    pub(crate) text: String,
    /// The offset at which each line begins, and the line's number.
    starts: Vec<(usize, usize)>,
}

impl Code {
    /// The number of the line with the byte at an offset.
    pub(crate) fn line(&self, offset: usize) -> usize {
        self.starts[self.starts.partition_point(|(start, _)| *start <= offset).max(1) - 1].1
    }
}

impl ProductionFile<'_> {
    pub(crate) fn code(&self) -> Code {
        let (mut text, mut starts) = (String::new(), Vec::new());
        for line in &self.lines {
            starts.push((text.len(), line.number));
            text.push_str(&line.code);
            text.push('\n');
        }
        Code { text, starts }
    }
}

/// The production files of all crates, in the tree's order.
///
/// Test code is every item behind `#[cfg(test)]`, the files of a module that is declared so, and the files that
/// [`is_test_file`] knows by name.
pub(crate) fn production(tree: &[(String, String)]) -> Vec<ProductionFile<'_>> {
    let mut files = Vec::new();
    let mut test_modules = Vec::new();
    for (path, text) in tree {
        let Some((package, below_src)) = locate(path) else { continue };
        let masked = mask(text);
        let tests = test_items(&masked);
        test_modules.extend(tests.iter().filter_map(|item| declared_module(path, &masked[item.clone()])));
        files.push(ProductionFile { path, package, below_src, lines: lines_outside(&tests, text, &masked) });
    }
    let in_test_module = |path: &str| {
        let rest = test_modules.iter().filter_map(|module| path.strip_prefix(module.as_str()));
        rest.into_iter().any(|rest| rest == ".rs" || rest.starts_with('/'))
    };
    files.retain(|file| !is_test_file(file.below_src) && !in_test_module(file.path));
    files
}

/// The crate of a Rust source, and the source's path below the crate's `src`.
fn locate(path: &str) -> Option<(&str, &str)> {
    let (package, rest) = path.strip_prefix("crates/")?.split_once('/')?;
    let below_src = rest.strip_prefix("src/")?;
    path.ends_with(".rs").then_some((package, below_src))
}

/// Whether a file holds test code, by its name or its folder.
fn is_test_file(below_src: &str) -> bool {
    let mut parts = below_src.rsplit('/');
    let name = parts.next().unwrap_or_default();
    matches!(name, "tests.rs" | "testing.rs") || name.ends_with("_tests.rs") || parts.any(|folder| folder == "tests")
}

/// The module, by its path without `.rs`, that an item declares to be in a file of its own.
fn declared_module(path: &str, item: &str) -> Option<String> {
    let mut words = item.strip_suffix(';')?.rsplit(char::is_whitespace);
    let name = words.next()?;
    if words.next()? != "mod" {
        return None;
    }
    let folder = path.strip_suffix("/lib.rs").or_else(|| path.strip_suffix("/main.rs"));
    Some(format!("{}/{name}", folder.or_else(|| path.strip_suffix(".rs"))?))
}

/// The items of a masked source that only a test build has, each from its attribute to its end.
fn test_items(masked: &str) -> Vec<Range<usize>> {
    let mut items: Vec<Range<usize>> = Vec::new();
    for (start, attribute) in masked.match_indices("#[cfg(") {
        let condition = &masked[start + attribute.len()..];
        let is_test = condition.starts_with("test)]") || condition.starts_with("all(test,");
        if is_test && items.last().is_none_or(|item| item.end <= start) {
            items.push(start..item_end(masked, start));
        }
    }
    items
}

/// The end of the item, field or statement that begins at `start`: behind its semicolon, its block or its comma.
fn item_end(masked: &str, start: usize) -> usize {
    let (mut depth, mut angles) = (0_usize, 0_usize);
    let mut previous = ' ';
    for (offset, char) in masked[start..].char_indices() {
        let here = start + offset;
        match char {
            '(' | '[' | '{' => depth += 1,
            // The enclosing block ends: the item was its last, without a comma or a semicolon.
            ')' | ']' | '}' if depth == 0 => return masked[..here].trim_end().len(),
            '}' if depth == 1 => return here + 1,
            ')' | ']' | '}' => depth -= 1,
            ';' if depth == 0 => return here + 1,
            ',' if depth == 0 && angles == 0 && !has_where_clause(&masked[start..here]) => return here + 1,
            '<' if depth == 0 => angles += 1,
            '>' if depth == 0 && !matches!(previous, '-' | '=') => angles = angles.saturating_sub(1),
            _ => {}
        }
        previous = char;
    }
    masked.len()
}

fn has_where_clause(header: &str) -> bool {
    header.split(|char: char| !is_identifier(char)).any(|word| word == "where")
}

/// Whether a character may be part of an identifier.
pub(crate) fn is_identifier(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

/// The lines that no item touches.
fn lines_outside<'t>(items: &[Range<usize>], text: &'t str, masked: &str) -> Vec<Line<'t>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for (number, (text, code)) in (1..).zip(text.lines().zip(masked.split('\n'))) {
        let end = start + code.len();
        if !items.iter().any(|item| item.start <= end && start < item.end) {
            lines.push(Line { number, text, code: code.to_owned() });
        }
        start = end + 1;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::production;
    use crate::tidy::tree;

    /// The numbers of the production lines of the only file.
    fn numbers(text: &str) -> Vec<usize> {
        let tree = tree(&[("crates/a/src/b.rs", text)]);
        production(&tree)[0].lines.iter().map(|line| line.number).collect()
    }

    #[test]
    fn test_module_in_the_middle_is_left_out_and_the_rest_counted() {
        let text = "//! B.\n\n#[cfg(test)]\nmod tests {\n    const BRACE: &str = \"}\"; // }\n}\nfn b() {}\n";
        assert_eq!(numbers(text), [1, 2, 7]);
    }

    #[test]
    fn guarded_item_ends_with_its_block_its_semicolon_or_its_comma() {
        assert_eq!(numbers("#[cfg(test)]\nconst LONG: &str =\n    \"a\";\nfn b() {}"), [4]);
        assert_eq!(
            numbers("#[cfg(test)]\n#[allow(x)]\nfn a<T, U>(t: T) -> U\nwhere\n    T: X, U: Y,\n{\n}\nfn b() {}"),
            [8]
        );
        assert_eq!(numbers("struct A {\n    #[cfg(test)]\n    a: Map<B, C>,\n    b: B,\n}"), [1, 4, 5]);
        assert_eq!(numbers("struct A {\n    b: B,\n    #[cfg(test)]\n    a: B\n}"), [1, 2, 5]);
        assert_eq!(numbers("#[cfg(feature = \"x\")]\nfn a() {}\n#[cfg(all(test, unix))]\nfn b() {}"), [1, 2]);
    }

    #[test]
    fn files_of_tests_are_left_out_by_name_and_by_declaration() {
        let tree = tree(&[
            ("crates/a/src/lib.rs", "#[cfg(test)]\nmod vectors;\nmod store;"),
            ("crates/a/src/vectors.rs", ""),
            ("crates/a/src/vectors/one.rs", ""),
            ("crates/a/src/vectors_of_all.rs", ""),
            ("crates/a/src/store.rs", "#[cfg(test)]\npub(crate) mod story;"),
            ("crates/a/src/store/story.rs", ""),
            ("crates/a/src/store/tests.rs", ""),
            ("crates/a/src/store/tests/one.rs", ""),
            ("crates/a/src/wire_tests.rs", ""),
            ("crates/a/src/testing.rs", ""),
            ("crates/a/tests/all.rs", ""),
            ("xtask/src/main.rs", ""),
        ]);
        let paths: Vec<&str> = production(&tree).iter().map(|file| file.below_src).collect();
        assert_eq!(paths, ["lib.rs", "vectors_of_all.rs", "store.rs"]);
    }
}
