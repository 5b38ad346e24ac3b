//! The server held against its own description by Schemathesis, which makes up calls of every kind.

use crate::ASKBACK;
use askback_testkit::hub_process::HubProcess;
use std::path::Path;
use std::process::Command;

/// Whose calls are made up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    Nobody,
    Asker,
    Admin,
}

/// Runs it, and fails with its report unless every answer is as described. What is checked, and what is not and why, stands
/// in tests/schemathesis.
fn hold_to_the_contract(server: &HubProcess, who: Who, arguments: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = root.join("target/schemathesis/bin/schemathesis");
    assert!(program.is_file(), "{} is not there: `cargo xtask test` installs it", program.display());
    // It looks for its files where it runs, and leaves others there.
    let own = tempfile::tempdir().unwrap();
    for name in ["schemathesis.toml", "hooks.py"] {
        std::fs::copy(root.join("tests/schemathesis").join(name), own.path().join(name)).unwrap();
    }
    let mut command = Command::new(program.canonicalize().unwrap());
    command.arg("run").arg(format!("{}/api/v1/openapi.json", server.origin())).arg("--no-color").args(arguments);
    let secret = match who {
        Who::Nobody => None,
        Who::Asker => Some(&server.asker),
        Who::Admin => Some(&server.person),
    };
    if let Some(secret) = secret {
        command.arg("--header").arg(format!("Authorization: Bearer {secret}"));
    }
    let asker = if who == Who::Nobody { "" } else { &server.asker };
    command.env("ASKBACK_ASKER", asker);
    // Whatever proxy this machine has, this is no call for it.
    let output = command.current_dir(own.path()).env("NO_PROXY", "127.0.0.1").output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("No issues found"), "{said}");
    for secret in [&server.asker, &server.person] {
        server.get("/api/v1/me").token(secret).send().is(200);
    }
    let counted = server.get("/metrics").send().body;
    assert!(counted.contains("askback_responses_total{class=\"5xx\"} 0\n"), "{counted}");
}

/// How often this happened, so that a run that reached nothing does not count.
fn happened(server: &HubProcess, status: &str) -> usize {
    let page = server.get(&format!("/api/v1/audit?status={status}&limit=200")).token(&server.person).send().is(200);
    page["items"].as_array().unwrap().len()
}

// S3, S4, F15
#[test]
fn an_asker_finds_the_server_as_described() {
    let server = HubProcess::start(ASKBACK);
    // Every limit of every parameter is tried by the admin, who also asks.
    hold_to_the_contract(&server, Who::Asker, &["--phases", "examples,fuzzing,stateful"]);
    let (asked, cancelled) = (happened(&server, "pending"), happened(&server, "cancelled"));
    assert!(asked > 0 && cancelled > 0, "{asked} asked, {cancelled} cancelled");
    assert_eq!(happened(&server, "answered") + happened(&server, "declined"), 0, "an asker never answers");
}

// S3, S4, F15
#[test]
fn an_admin_finds_the_server_as_described() {
    let server = HubProcess::start(ASKBACK);
    hold_to_the_contract(&server, Who::Admin, &[]);
    for status in ["pending", "answered", "declined", "cancelled"] {
        assert!(happened(&server, status) > 0, "nothing was {status}");
    }
}

// S4, F15
#[test]
fn nobody_finds_the_server_as_described() {
    let server = HubProcess::start(ASKBACK);
    hold_to_the_contract(&server, Who::Nobody, &["--phases", "examples,fuzzing", "--max-examples", "5"]);
    assert_eq!(server.get("/healthz").send().is(200)["lastEvent"], 0, "and changes nothing");
}
