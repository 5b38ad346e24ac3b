//! `cargo xtask captures`: pictures of real prompts, taken from the emulator behind a real pty, and of the page in a real browser,
//! for the README.

use crate::Done;
use crate::project::{read, root, run};
use askback_screen::{Screen, Size};
use std::process::{Command, Stdio};
use std::time::Duration;

mod page;

const FOLDER: &str = "docs/captures";
const WINDOW: Size = Size { columns: 76, rows: 30 };

/// A picture: what is run in a shell, and what is done before it is taken.
struct Capture {
    name: &'static str,
    title: &'static str,
    /// What is run in a shell first, unseen.
    before: &'static str,
    command: &'static str,
    steps: &'static [Step],
}

enum Step {
    /// Until the screen shows this.
    Wait(&'static str),
    Keys(&'static str),
    /// Until an approval takes keys.
    Calm,
}

use Step::{Calm, Keys, Wait};

const DOWN: &str = "\x1b[B";
const UP: &str = "\x1b[A";

const CAPTURES: &[Capture] = &[
    Capture {
        name: "demo",
        title: "The demo: an agent asks instead of guessing",
        before: "",
        command: "askback demo",
        steps: &[
            Wait("Where should rendered pages be kept?"),
            Keys(DOWN),
            Keys("\r"),
            Wait("What may be kept?"),
            Keys(" "),
            Keys("\r"),
            Wait("lru_cache"),
            Wait("a/1 or r/2"),
        ],
    },
    Capture {
        name: "chat",
        title: "A conversation with an agent of one's own",
        before: "",
        command: "askback chat --agent 'process:python3 examples/agents/agent.py'",
        steps: &[
            Wait("Type a message"),
            Keys("Plan the launch, please.\r"),
            Wait("a/1 or r/2"),
            Calm,
            Keys("a\r"),
            Wait("How large?"),
            Keys(DOWN),
            Wait("▸ 2) large"),
        ],
    },
    Capture {
        name: "inbox",
        title: "What waits for an answer, live",
        before: "askback hub start
                 ask() { askback \"$@\" --via hub </dev/null >/dev/null 2>&1 & sleep 0.3; }
                 ask confirm 'Deploy version 2.4 to production?' --room shop
                 ask choice 'Which database?' PostgreSQL SQLite --room shop
                 ask ask examples/deploy.json --room api --timeout 1h
                 sleep 0.7",
        command: "askback inbox",
        steps: &[Wait("3 pending"), Keys(DOWN), Wait("> Which database?")],
    },
    Capture {
        name: "agent",
        title: "A coding agent asks by MCP, and is answered from the inbox",
        before: "askback hub start
                 { cat examples/mcp.jsonl; sleep 60; } | askback mcp --room shop >/dev/null 2>&1 &
                 sleep 1",
        command: "askback inbox",
        steps: &[
            Wait("1 pending"),
            Calm,
            Keys("\r"),
            Wait("Redis (Recommended)"),
            Keys(DOWN),
            Wait("> ● 2. PostgreSQL"),
        ],
    },
    Capture {
        name: "approve",
        title: "An approval with a diff to look at",
        before: "",
        command: "askback approve 'Apply this patch?' --header Cleanup --context examples/plan.diff",
        steps: &[Wait("? ask back"), Calm, Keys("\r"), Wait("then Enter")],
    },
    Capture {
        name: "choice",
        title: "One of several options",
        before: "",
        command: "askback ask examples/features.json",
        steps: &[Wait("ask back"), Keys(DOWN), Wait("> ● 2. SQLite")],
    },
    Capture {
        name: "features",
        title: "Several options, and one of the person's own",
        before: "",
        command: "askback ask examples/features.json",
        steps: &[
            Wait("ask back"),
            Keys("\r"),
            Wait("Question 2 of 2"),
            Keys(" "),
            Keys(DOWN),
            Keys(" "),
            Keys(DOWN),
            Keys(DOWN),
            Keys(" "),
            Wait("Please specify"),
            Keys("Storybook"),
            Wait("Storybook"),
        ],
    },
    Capture {
        name: "dropdown",
        title: "One of many options, found by some letters",
        before: "",
        command: "bash examples/release.sh",
        steps: &[Wait("ask back"), Keys("fe"), Wait("(2 of 5)"), Keys(DOWN), Wait("> ● feature/search")],
    },
    Capture {
        name: "script",
        title: "A script that asks",
        before: "",
        command: "bash examples/release.sh",
        steps: &[
            Wait("ask back"),
            Keys("cache\r"),
            Wait("What has to pass"),
            Keys(" "),
            Keys(DOWN),
            Keys(" \r"),
            Wait("Ship on"),
            Keys("2026-12-01\r"),
            Wait("How many percent"),
            Keys(UP),
            Keys(UP),
            Wait("> 20"),
        ],
    },
    Capture {
        name: "plain",
        title: "The same in lines",
        before: "",
        command: "askback choice --plain 'Which database?' SQLite PostgreSQL --other",
        steps: &[
            Wait("cancels.\n>"),
            Keys("4\r"),
            Wait("There is no option 4; type a number from 1 to 3.\n>"),
            Keys("2\r"),
            Wait("ok: "),
            Wait("PostgreSQL\n$"),
        ],
    },
    Capture {
        name: "review",
        title: "The answers of a form before they are submitted",
        before: "",
        command: "askback ask examples/deploy.json",
        steps: &[
            Wait("ask back"),
            Calm,
            Keys("a\r"),
            Wait("Question 2 of 3"),
            Keys("\r"),
            Wait("Question 3 of 3"),
            Keys("0.05\r"),
            Wait("> Submit"),
        ],
    },
    Capture {
        name: "answered",
        title: "What stays on the screen",
        before: "",
        command: "askback ask examples/features.json",
        steps: &[
            Wait("ask back"),
            Keys("\r"),
            Wait("Question 2 of 2"),
            Keys(" "),
            Keys(DOWN),
            Keys(" \r"),
            Wait("Submit"),
            Keys("\r"),
            Wait("✔ Features"),
            Wait("TypeScript, ESLint + Prettier\n$"),
        ],
    },
];

/// Takes every picture.
pub(crate) fn write() -> Done {
    page::write()?;
    for (path, svg) in all()? {
        std::fs::write(root().join(&path), svg).map_err(|error| format!("can't write {path}: {error}"))?;
        println!("{path}");
    }
    Ok(())
}

/// Fails if a committed picture is not what the prompts look like, or not of the page as it is.
pub(crate) fn check() -> Done {
    page::check()?;
    let stale: Vec<String> =
        all()?.into_iter().filter(|(path, svg)| read(path).as_ref() != Ok(svg)).map(|(path, _)| path).collect();
    if stale.is_empty() {
        return Ok(());
    }
    Err(format!("stale: {}; run `cargo xtask captures`, look at them, and commit them", stale.join(", ")))
}

fn all() -> Result<Vec<(String, String)>, String> {
    run("cargo", &["build", "--quiet", "--package", "askback"])?;
    std::fs::create_dir_all(root().join(FOLDER)).map_err(|error| format!("{FOLDER}: {error}"))?;
    CAPTURES.iter().map(|capture| Ok((format!("{FOLDER}/{}.svg", capture.name), take(capture)?))).collect()
}

/// Types the command in a shell, as a person would, and does the steps.
fn take(capture: &Capture) -> Result<String, String> {
    let folder = root();
    let path = format!("{}:{}", folder.join("target/debug").display(), std::env::var("PATH").unwrap_or_default());
    let start = format!("cd '{}' && PS1='$ ' exec bash --norc --noprofile -i", folder.display());
    let data = folder.join("target/captures").to_string_lossy().into_owned();
    let variables = [("PATH", path.as_str()), ("ASKBACK_DATA", data.as_str())];
    let _stage = Stage::set(capture.before, &variables)?;
    let mut screen = Screen::run(WINDOW, &variables, "bash", &["-c", &start])
        .map_err(|error| format!("{}: {error}", capture.name))?;
    screen.wait_for("$");
    screen.keys(&format!("{}\r", capture.command));
    for step in capture.steps {
        match step {
            Wait(text) => screen.wait_for(text),
            Keys(keys) => screen.keys(keys),
            Calm => screen.settle(Duration::from_millis(350)),
        }
    }
    screen.settle(Duration::from_millis(150));
    Ok(screen.svg(capture.title))
}

/// What was done before a picture, undone after it.
struct Stage<'a> {
    variables: &'a [(&'a str, &'a str)],
}

impl<'a> Stage<'a> {
    fn set(before: &str, variables: &'a [(&'a str, &'a str)]) -> Result<Option<Self>, String> {
        if before.is_empty() {
            return Ok(None);
        }
        let data = variables.iter().find(|(name, _)| *name == "ASKBACK_DATA").map_or("", |(_, value)| value);
        // What an earlier run left there would be in the picture.
        let _ = std::fs::remove_dir_all(data);
        let stage = Self { variables };
        stage.shell(before)?;
        Ok(Some(stage))
    }

    fn shell(&self, script: &str) -> Result<(), String> {
        let mut shell = Command::new("bash");
        shell.args(["-c", script]).current_dir(root()).envs(self.variables.iter().copied()).env("USER", "reviewer");
        let status = shell.stdout(Stdio::null()).status().map_err(|error| error.to_string())?;
        if status.success() { Ok(()) } else { Err(format!("{script}: {status}")) }
    }
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        // The questions go with the hub: whoever waits for one is interrupted.
        let _ = self.shell("askback list --json | grep -o '\"id\":\"0[^\"]*' | cut -d'\"' -f4 | xargs -n 1 askback cancel; askback hub stop");
    }
}
