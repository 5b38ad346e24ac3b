//! Real MCP clients before the real hub: the SDKs, the conformance suite, Claude Code, Codex and Qwen Code. The stories are in `tests/mcp`.

use askback_testkit::story::Stories;

const MCP: Stories = Stories {
    program: env!("CARGO_BIN_EXE_askback"),
    package: "tests/mcp",
    folder: ".",
    needs: &[
        ("tests/mcp/node_modules/@modelcontextprotocol/client", "cargo xtask needs"),
        ("target/mcp-python-v1/installed.txt", "cargo xtask needs"),
        ("target/mcp-python-v2/installed.txt", "cargo xtask needs"),
        ("target/node-conformance/installed.txt", "cargo xtask needs"),
        ("target/qwen/installed.txt", "cargo xtask needs"),
        ("clients/typescript/node_modules/yjs", "cargo xtask needs"),
    ],
};

// L9
#[test]
fn live_sessions_attend_to_what_they_asked() {
    MCP.story("attended");
}

// Q6, L3, L5, F15, S5
#[test]
fn the_first_typescript_sdk_asks() {
    MCP.story("typescript-v1");
}

// Q6, L3, L5, F15, S5
#[test]
fn the_second_typescript_sdk_asks() {
    MCP.story("typescript-v2");
}

// Q6, L3, L5, F15, S5
#[test]
fn the_first_python_sdk_asks() {
    MCP.story("python-v1");
}

// Q6, L3, L5, F15, S5
#[test]
fn the_second_python_sdk_asks() {
    MCP.story("python-v2");
}

// S1, L1, L5, F15
#[test]
fn dialogs_of_clients_are_one_more_place_to_answer() {
    MCP.story("dialogs");
}

// L3, S5
#[test]
fn whoever_is_killed_finds_the_answer_again() {
    MCP.story("killed");
}

// S1, S2, S3, S4, F15
#[test]
fn what_is_hostile_harms_nobody() {
    MCP.story("hostile");
}

// L3, S1
#[test]
fn codex_asks_again_when_its_time_was_up() {
    MCP.story("codex");
}

// Q6, L3
#[test]
fn claude_code_waits_longer_than_a_minute() {
    MCP.story("claude-code");
}

// Q6, L4, L5, S5
#[test]
fn models_are_sent_the_tools_and_the_text_of_every_outcome() {
    MCP.story("model-requests");
}

// Q6, L2
#[test]
fn the_readme_and_its_script_work() {
    MCP.story("readme");
}

// F15, Q6, S5
#[test]
fn claude_code_codex_and_qwen_code_read_what_is_set_up_for_them() {
    MCP.story("setup");
}

// F4, F11, F13, L1, L4, L5, L9, S5
#[test]
fn claude_code_asks_people_by_its_hook() {
    MCP.story("claude-code-hook");
}

// L1, L4, L9, S5
#[test]
fn claude_code_asks_in_its_terminal_and_on_the_hub() {
    MCP.story("claude-code-terminal");
}

// S4
#[test]
#[cfg_attr(not(feature = "conformance"), ignore = "the suite's fixtures are only there with --features conformance")]
fn the_conformance_suite_finds_nothing() {
    MCP.story("conformance");
}

#[test]
fn no_story_is_left_untold() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/mcp");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let stories = files.filter_map(|file| file.strip_suffix(".test.mjs").map(str::to_owned));
    let is_told = |story: &String| include_str!("main.rs").contains(&format!("MCP.story(\"{story}\")"));
    let untold: Vec<String> = stories.filter(|story| !is_told(story)).collect();
    assert!(untold.is_empty(), "{untold:?}");
}
