//! Reading, listing and writing files.

use crate::support::{Act, Desk, answer, decline};
use crate::{Work, failed, succeeded};
use askback_agent::limits::{FILE_BYTES, FOLDER_ENTRIES, TOOL_OUTPUT};
use askback_core::{Form, Request};
use serde_json::{Value, json};
use std::time::Duration;

fn write(content: &str) -> Value {
    json!({"path": "notes.txt", "content": content})
}

fn once() -> Desk {
    Desk::with([answer("approve"), answer("Only this time")])
}

/// What was shown beside an approval.
fn shown(request: &Request) -> (Form, &str) {
    let [piece] = request.context() else { panic!("{}", request.to_json()) };
    (piece.form(), piece.text())
}

// S5
#[tokio::test]
async fn a_new_file_is_shown_whole_and_then_written() {
    let (work, desk) = (Work::new(), once());
    let output = work.run("write_file", json!({"path": "a/b/new.txt", "content": "one\ntwo"}), &desk).await;
    assert_eq!(succeeded(&output), "Wrote 7 bytes to \"a/b/new.txt\".");
    assert_eq!(work.folder.read("a/b/new.txt"), "one\ntwo");
    let asked = desk.asked();
    assert_eq!(asked[0].questions()[0].kind().name(), "approval");
    assert_eq!(asked[0].questions()[0].message(), "Create a/b/new.txt?");
    let difference = "--- /dev/null\n+++ a/b/new.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n\\ No newline at end of file\n";
    assert_eq!(shown(&asked[0]), (Form::Diff, difference));
    // An empty one as well.
    let (desk, input) = (once(), json!({"path": "empty", "content": ""}));
    succeeded(&work.run("write_file", input, &desk).await);
    assert!(work.folder.file("empty").exists() && shown(&desk.asked()[0]).1.contains("an empty file"));
}

// S5
#[tokio::test]
async fn a_change_is_shown_as_a_difference() {
    let (work, desk) = (Work::new(), once());
    work.folder.write("notes.txt", "one\ntwo\nthree\n");
    succeeded(&work.run("write_file", write("one\n2\nthree\n"), &desk).await);
    assert_eq!(desk.asked()[0].questions()[0].message(), "Change notes.txt?");
    let difference = "--- notes.txt\n+++ notes.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";
    assert_eq!(shown(&desk.asked()[0]), (Form::Diff, difference));
    assert_eq!(work.folder.read("notes.txt"), "one\n2\nthree\n");
    // What is there already needs nobody's approval.
    let same = work.run_unasked("write_file", write("one\n2\nthree\n")).await;
    assert!(succeeded(&same).contains("Nothing was written"));
}

// S5, L5, L7
#[tokio::test]
async fn without_consent_nothing_is_written_and_the_model_learns_why() {
    let work = Work::new();
    for (acts, said) in [
        (vec![answer("reject")], "Nothing was done. The user rejected this."),
        (vec![decline("Not there.")], "Nothing was done. The user rejected this. Reason: Not there."),
        (
            vec![Act::Cancel],
            "Nothing was done. The question was cancelled before anyone answered. Do not assume an answer.",
        ),
        (vec![answer("approve"), Act::Cancel], "Nothing was done. The question was cancelled before anyone answered."),
        (vec![Act::Leave], "Nothing was done. The question could not be asked: nobody can be asked"),
    ] {
        let output = work.run("write_file", write("x"), &Desk::with(acts)).await;
        assert!(failed(&output).starts_with(said), "{}", output.text);
        assert!(!work.folder.file("notes.txt").exists());
    }
}

// S5
#[tokio::test]
async fn a_file_that_changed_meanwhile_is_left_alone() {
    let work = Work::new();
    let path = work.folder.write("notes.txt", "one\n");
    let desk = once().meanwhile(move || std::fs::write(path, "somebody else's\n").unwrap());
    let output = work.run("write_file", write("two\n"), &desk).await;
    assert!(failed(&output).contains("changed while it was being approved"), "{}", output.text);
    assert_eq!(work.folder.read("notes.txt"), "somebody else's\n");
}

// S5, S2
#[tokio::test]
async fn a_place_that_became_a_link_meanwhile_is_not_followed() {
    let (work, outside) = (Work::new(), Work::new());
    let (link, target) = (work.folder.file("notes.txt"), outside.folder.file("secret"));
    let desk = once().meanwhile(move || std::os::unix::fs::symlink(target, link).unwrap());
    failed(&work.run("write_file", write("two\n"), &desk).await);
    assert!(!outside.folder.file("secret").exists());
}

// S5
#[tokio::test]
async fn what_was_approved_for_the_session_is_asked_once_and_nothing_else_is() {
    let work = Work::new();
    let desk = Desk::with([answer("approve"), answer("For this session")]);
    succeeded(&work.run("write_file", write("one\n"), &desk).await);
    std::fs::remove_file(work.folder.file("notes.txt")).unwrap();
    succeeded(&work.run_unasked("write_file", write("one\n")).await);
    std::fs::remove_file(work.folder.file("notes.txt")).unwrap();
    let again = Desk::with([answer("reject")]);
    failed(&work.run("write_file", write("one!\n"), &again).await);
    let elsewhere = Desk::with([answer("reject")]);
    failed(&work.run("write_file", json!({"path": "other.txt", "content": "one\n"}), &elsewhere).await);
    // What was approved once is asked again.
    succeeded(&work.run("write_file", write("two\n"), &once()).await);
    std::fs::remove_file(work.folder.file("notes.txt")).unwrap();
    failed(&work.run("write_file", write("two\n"), &Desk::with([answer("reject")])).await);
}

// S2, S3
#[tokio::test]
async fn what_cannot_be_written_is_not_asked() {
    let work = Work::new();
    work.folder.write("image", [0xff, 0xfe, 0]);
    std::fs::create_dir(work.folder.file("inner")).unwrap();
    let large = "x".repeat(FILE_BYTES + 1);
    for (path, content, said) in [
        ("../out.txt", "x", "outside of the folder"),
        ("/etc/passwd", "x", "outside of the folder"),
        ("image", "x", "not a text file"),
        ("inner", "x", "is not a file"),
        ("notes.txt", large.as_str(), "at most"),
    ] {
        let output = work.run_unasked("write_file", json!({"path": path, "content": content})).await;
        assert!(failed(&output).contains(said), "{path}: {}", output.text);
    }
    for input in [json!({"path": "x"}), json!({"path": "x", "content": "x", "mode": 1}), json!("x"), Value::Null] {
        assert!(failed(&work.run_unasked("write_file", input).await).contains("schema"));
    }
}

// S2
#[tokio::test]
async fn hostile_text_is_passed_on_as_it_is() {
    let (work, desk) = (Work::new(), Desk::with([answer("reject")]));
    let hostile = "\u{1b}[2Jx\u{202e}y\u{7}\u{200b}\r\n";
    failed(&work.run("write_file", write(hostile), &desk).await);
    assert!(shown(&desk.asked()[0]).1.contains(&format!("+{hostile}")));
    let desk = Desk::with([answer("reject")]);
    failed(&work.run("run_command", json!({"command": hostile}), &desk).await);
    assert_eq!(shown(&desk.asked()[0]), (Form::Command, hostile));
}

// S3
#[tokio::test]
async fn only_text_files_of_a_size_can_be_read() {
    let work = Work::new();
    work.folder.write("notes.txt", "é\u{1b}[2J\n");
    work.folder.write("image", [0xff, 0xfe, 0]);
    work.folder.write("large", "x".repeat(FILE_BYTES + 1));
    work.folder.write("longer", "x".repeat(TOOL_OUTPUT * 2));
    let output = work.run_unasked("read_file", json!({"path": "notes.txt"})).await;
    assert_eq!(succeeded(&output), "é\u{1b}[2J\n");
    let output = work.run_unasked("read_file", json!({"path": "longer"})).await;
    assert!(succeeded(&output).contains("bytes left out") && output.text.len() < TOOL_OUTPUT + 100);
    for (path, said) in [
        ("image", "not UTF-8"),
        ("large", "too much"),
        ("missing", "There is no file"),
        ("notes.txt/x", "can't be"),
        (".", "is not a file"),
        ("../x", "outside"),
        ("", "empty"),
    ] {
        let output = work.run_unasked("read_file", json!({"path": path})).await;
        assert!(failed(&output).contains(said), "{path}: {}", output.text);
    }
}

// S3
#[tokio::test]
async fn a_pipe_and_a_device_keep_nobody_waiting() {
    let work = Work::new();
    let made = std::process::Command::new("mkfifo").arg(work.folder.file("pipe")).status().unwrap();
    assert!(made.success());
    for (tool, input) in
        [("read_file", json!({"path": "pipe"})), ("write_file", json!({"path": "pipe", "content": "x"}))]
    {
        let output = tokio::time::timeout(Duration::from_secs(5), work.run_unasked(tool, input)).await.unwrap();
        assert!(failed(&output).contains("is not a file"), "{}", output.text);
    }
}

// S3
#[tokio::test]
async fn a_folder_is_listed_in_order_and_up_to_a_limit() {
    let work = Work::new();
    let list = async |path: &str| work.run_unasked("list_files", json!({"path": path})).await;
    assert_eq!(succeeded(&work.run_unasked("list_files", json!({})).await), "The folder is empty.");
    std::fs::create_dir(work.folder.file("inner")).unwrap();
    work.folder.write("b", "");
    work.folder.write("a", "");
    assert_eq!(succeeded(&list(".").await), "a\nb\ninner/");
    for (path, said) in [("a", "can't be listed"), ("missing", "can't be listed"), ("..", "outside")] {
        assert!(failed(&list(path).await).contains(said), "{path}");
    }
    for number in 0..=FOLDER_ENTRIES {
        std::fs::write(work.folder.file("inner").join(number.to_string()), "").unwrap();
    }
    let output = list("inner").await;
    assert_eq!(succeeded(&output).lines().count(), FOLDER_ENTRIES + 1);
    assert!(output.text.ends_with("[there are more than 1000]"));
}

// S5
#[tokio::test]
async fn a_link_is_shown_as_the_file_it_leads_to() {
    let (work, desk) = (Work::new(), once());
    work.folder.write("hook", "old\n");
    std::os::unix::fs::symlink("hook", work.folder.file("notes.txt")).unwrap();
    succeeded(&work.run("write_file", write("new\n"), &desk).await);
    assert_eq!(desk.asked()[0].questions()[0].message(), "Change hook?");
    assert!(shown(&desk.asked()[0]).1.contains("+++ hook"));
    assert_eq!(work.folder.read("hook"), "new\n");
    assert!(work.folder.file("notes.txt").is_symlink(), "the link is still one");
}

// S5
#[tokio::test]
async fn a_file_keeps_its_permissions_and_leaves_nothing_beside_it() {
    use std::os::unix::fs::PermissionsExt;
    let (work, desk) = (Work::new(), once());
    work.folder.write("notes.txt", "old\n");
    let mode = std::fs::Permissions::from_mode(0o750);
    std::fs::set_permissions(work.folder.file("notes.txt"), mode.clone()).unwrap();
    succeeded(&work.run("write_file", write("new\n"), &desk).await);
    assert_eq!(std::fs::metadata(work.folder.file("notes.txt")).unwrap().permissions().mode() & 0o777, 0o750);
    assert_eq!(std::fs::read_dir(work.folder.path()).unwrap().count(), 1);
}
