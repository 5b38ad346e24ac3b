//! The README's program: it is the example, and it runs.

use std::path::Path;
use std::process::Command;

// L1, L3
#[test]
fn the_readme_shows_a_program_that_works() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(root.join("examples/embedded.rs")).unwrap();
    let (_, code) = source.split_once("\n\n").unwrap();
    let readme = std::fs::read_to_string(root.join("../../README.md")).unwrap();
    assert!(readme.contains(&format!("```rust,no_run\n{code}```\n")), "the README has another program");
    assert!(code.lines().count() <= 30);

    let folder = tempfile::tempdir().unwrap();
    let program = std::env::current_exe().unwrap().with_file_name("").join("../examples/embedded");
    // The second run finds the database of the first.
    for _ in 0..2 {
        let output = Command::new(&program).current_dir(folder.path()).output().expect("the example is built");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "answered [\"yes\"] by reviewer\n");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
