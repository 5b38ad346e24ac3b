//! A model on a local server, a person in a real terminal: what is asked, and what the model reads of it (Q6, Q7).

use super::{CONTROL_C, CONTROL_D, DOWN, ESCAPE, Folder, READY, decide, say};
use askback_testkit::model::{Answer, ModelServer, Reply};
use serde_json::{Value, json};

fn questions() -> Value {
    json!({"questions": [
        {"question": "Which database should we use?", "header": "Database", "multiSelect": false, "options": [
            {"label": "PostgreSQL (Recommended)", "description": "Rich features"}, {"label": "SQLite", "description": "One file"}]},
        {"question": "Which features should we enable?", "header": "Features", "multiSelect": true, "options": [
            {"label": "TypeScript", "description": "Types"}, {"label": "Tailwind CSS", "description": "Styles"}]},
    ]})
}

/// A model that calls a tool, and says something when it has the result.
fn calling(name: &str, input: &Value) -> ModelServer {
    let call = Answer::new().text("I have to ask. ").call("toolu_1", name, input).end();
    let thanks = Answer::new().text("Thank you, that helps.").end();
    ModelServer::start([Reply::InPieces(call, 7), Reply::Answer(thanks)]).unwrap()
}

/// What the model read of its call.
fn result(server: &ModelServer) -> Value {
    let body = server.wait_for(1).body;
    let messages = body["messages"].as_array().unwrap().clone();
    let last = messages.last().unwrap();
    assert_eq!(last["role"], "user");
    let result = last["content"][0].clone();
    assert_eq!((&result["type"], &result["tool_use_id"]), (&json!("tool_result"), &json!("toolu_1")));
    result
}

// Q6, Q7
#[test]
fn two_questions_are_answered_and_the_model_reads_the_answers() {
    let (folder, server) = (Folder::new(), calling("AskUserQuestion", &questions()));
    let mut screen = folder.chat_with_model(&server);
    say(&mut screen, "set it up");
    screen.wait_for("Question 1 of 2");
    screen.keys(DOWN);
    screen.keys("\r");
    screen.wait_for("Question 2 of 2");
    screen.keys(" ");
    screen.keys(DOWN);
    screen.keys(" ");
    screen.keys(DOWN);
    screen.keys(" ");
    screen.wait_for("Please specify");
    screen.keys("my own\r");
    screen.wait_for("Other: my own");
    screen.keys("\r");
    screen.wait_for("> Submit");
    screen.keys("\r");
    screen.wait_for("Thank you, that helps.");
    let result = result(&server);
    assert_eq!(
        result["content"],
        "User answered the following questions:\n\n\
         1. Database (Which database should we use?)\n   Selected: SQLite\n\n\
         2. Features (Which features should we enable?)\n   Selected: TypeScript, Tailwind CSS, my own\n\n\
         Proceeding with user selections."
    );
    assert_eq!(result["is_error"], false);
    let shown = screen.history();
    for text in [
        "I have to ask.",
        "• AskUserQuestion 2 question(s)",
        "✔ Database: SQLite",
        "✔ Features: TypeScript, Tailwind CSS, my own",
    ] {
        assert_eq!(shown.matches(text).count(), 1, "{text}: {shown}");
    }
}

// L5, L7, Q6
#[test]
fn a_question_back_escape_and_control_d_go_to_the_model_and_the_turn_goes_on() {
    for (keys, reads) in [
        ("?", "The user declined to answer. Reason: which region?"),
        (ESCAPE, "The question was cancelled before anyone answered. Do not assume an answer."),
        (CONTROL_D, "The question was cancelled before anyone answered. Do not assume an answer."),
    ] {
        let (folder, server) = (Folder::new(), calling("AskUserQuestion", &questions()));
        let mut screen = folder.chat_with_model(&server);
        say(&mut screen, "set it up");
        screen.wait_for("Question 1 of 2");
        screen.keys(keys);
        if keys == "?" {
            screen.wait_for("enter send");
            screen.keys("which region?\r");
        }
        screen.wait_for("Thank you, that helps.");
        assert_eq!(result(&server)["content"], reads);
    }
}

// L4, L5, Q6
#[test]
fn silence_expires_and_the_model_is_told() {
    let request = json!({"questions": [{"type": "text", "message": "Still there?"}], "timeout": 1});
    let (folder, server) = (Folder::new(), calling("request_user_input", &request));
    let mut screen = folder.chat_with_model(&server);
    say(&mut screen, "wait for me");
    screen.wait_for("Still there?");
    screen.wait_for("Thank you, that helps.");
    assert_eq!(result(&server)["content"], "Nobody answered within 1s. Do not assume an answer.");
}

// T6
#[test]
fn control_c_in_a_tools_question_cancels_the_turn() {
    let (folder, server) = (Folder::new(), calling("AskUserQuestion", &questions()));
    let mut screen = folder.chat_with_model(&server);
    say(&mut screen, "set it up");
    screen.wait_for("Question 1 of 2");
    screen.keys(CONTROL_C);
    screen.wait_for("Cancelled.");
    screen.wait_for(READY);
    assert_eq!(server.received().len(), 1, "the model was not asked to go on");
    // It is told with the next message.
    say(&mut screen, "never mind");
    let body = server.wait_for(1).body;
    let messages = body["messages"].as_array().unwrap();
    assert_eq!(messages[2]["content"][0]["tool_use_id"], "toolu_1");
    assert_eq!(messages[3]["content"], "[The person cancelled your answer.]\n\nnever mind");
}

// T6
#[test]
fn control_c_while_the_model_answers_ends_its_call() {
    let folder = Folder::new();
    let server = ModelServer::start([Reply::Hang(Answer::new().text("I begin and "))]).unwrap();
    let mut screen = folder.chat_with_model(&server);
    say(&mut screen, "tell me");
    screen.wait_for("I begin and");
    screen.keys(CONTROL_C);
    screen.wait_for("Cancelled.");
    server.wait_for_hang_ups(1);
    say(&mut screen, "go on");
    screen.wait_for("The script is over.");
}

// T7, S5
#[test]
fn a_command_runs_only_when_approved_and_again_only_if_that_was_said() {
    let folder = Folder::new();
    let run =
        |id: &str| Reply::Answer(Answer::new().call(id, "run_command", &json!({"command": "echo hi >> made"})).end());
    let end = || Reply::Answer(Answer::new().text("So be it.").end());
    let server = ModelServer::start([run("a"), end(), run("b"), end(), run("c"), end()]).unwrap();
    let made = || std::fs::read_to_string(folder.work().join("made")).unwrap_or_default();
    let mut screen = folder.chat_with_model(&server);
    say(&mut screen, "first");
    screen.wait_for("[a] Run it (approve)\n│ [r] Reject");
    screen.wait_for("echo hi >> made");
    screen.settle(super::CALM);
    screen.keys("?");
    screen.wait_for("enter send");
    screen.keys("use printf instead\r");
    screen.wait_for("So be it.");
    assert_eq!(made(), "", "it was rejected");
    let read = server.wait_for(1).body["messages"][2]["content"][0].clone();
    assert_eq!(read["is_error"], true);
    assert!(read["content"].as_str().unwrap().contains("Reason: use printf instead"), "{read}");
    say(&mut screen, "second");
    screen.wait_until("a second prompt", |screen| screen.history().matches("[a] Run it").count() == 1);
    decide(&mut screen, "a");
    screen.wait_for("For how long do you approve");
    screen.keys("2");
    screen.wait_until("a second end", |screen| screen.history().matches("So be it.").count() == 2);
    assert_eq!(made(), "hi\n");
    say(&mut screen, "third");
    screen.wait_until("a third end", |screen| screen.history().matches("So be it.").count() == 3);
    assert_eq!(made(), "hi\nhi\n", "this exact command was approved for the session");
}

// S5
#[test]
fn a_file_is_written_only_as_it_was_shown() {
    let folder = Folder::new();
    std::fs::write(folder.work().join("greeting.txt"), "hello\nworld\n").unwrap();
    let call =
        Answer::new().call("a", "write_file", &json!({"path": "greeting.txt", "content": "hello\nthere\n"})).end();
    let server = ModelServer::start([Reply::Answer(call)]).unwrap();
    let mut screen = folder.chat_with_model(&server);
    say(&mut screen, "change it");
    screen.wait_for("Change greeting.txt?");
    screen.wait_for("-world");
    screen.wait_for("+there");
    decide(&mut screen, "a");
    screen.wait_for("For how long do you approve");
    screen.keys("\r");
    screen.wait_for("The script is over.");
    assert_eq!(std::fs::read_to_string(folder.work().join("greeting.txt")).unwrap(), "hello\nthere\n");
}

// S3
#[test]
fn a_model_that_misbehaves_leaves_the_session_alive() {
    let folder = Folder::new();
    let fifty: Vec<Value> = (0..50)
        .map(|number| json!({"question": format!("{number}?"), "header": "h", "multiSelect": false, "options": []}))
        .collect();
    let replies = [
        Reply::Answer(
            Answer::new()
                .call("a", "launch_rocket", &json!({}))
                .call_raw("b", "read_file", "{\"path\": ")
                .call("c", "AskUserQuestion", &json!({"questions": fifty}))
                .end(),
        ),
        Reply::Cut(Answer::new().text("It is cut in the middle ").end(), 420),
    ];
    let server = ModelServer::start(replies).unwrap();
    let mut screen = folder.chat_with_model(&server);
    say(&mut screen, "misbehave");
    screen.wait_for("There is no tool");
    screen.wait_for("not valid JSON");
    screen.wait_for("Nothing was asked");
    screen.wait_for("was cut");
    say(&mut screen, "go on");
    screen.wait_for("The script is over.");
    let told = server.wait_for(1).body["messages"][2]["content"].clone();
    assert!(told[2]["content"].as_str().unwrap().contains("1 to 4"), "{told}");
    for result in told.as_array().unwrap() {
        assert_eq!(result["is_error"], true);
    }
}

// S5
#[test]
fn what_was_approved_in_one_session_is_asked_again_in_another() {
    let folder = Folder::new();
    let run = || Reply::Answer(Answer::new().call("a", "run_command", &json!({"command": "echo hi >> made"})).end());
    let end = || Reply::Answer(Answer::new().text("So be it.").end());
    let server = ModelServer::start([end(), run(), end(), run(), end()]).unwrap();
    let mut screen = folder.chat_with_model(&server);
    say(&mut screen, "an older session");
    screen.wait_for("So be it.");
    say(&mut screen, "/quit");
    assert_eq!(screen.exit_status(), 0);
    let mut screen = folder.chat_with_model(&server);
    say(&mut screen, "run it");
    screen.wait_for("[a] Run it (approve)\n│ [r] Reject");
    decide(&mut screen, "a");
    screen.wait_for("For how long do you approve");
    screen.keys("2");
    screen.wait_for("So be it.");
    say(&mut screen, "/resume");
    screen.wait_for("resumed after 1 turn(s)");
    say(&mut screen, "run it here");
    screen.wait_for("[a] Run it (approve)\n│ [r] Reject");
    assert_eq!(std::fs::read_to_string(folder.work().join("made")).unwrap(), "hi\n", "nobody approved it here");
}

// S2, S6
#[test]
fn a_command_gets_neither_key_nor_token_nor_terminal() {
    let folder = Folder::new();
    let command = "echo \"secrets=<$ANTHROPIC_API_KEY$ASKBACK_TOKEN>\"; read -r line < /dev/tty || echo no terminal";
    let call = Answer::new().call("toolu_1", "run_command", &json!({"command": command})).end();
    let server = ModelServer::start([Reply::Answer(call)]).unwrap();
    let variables =
        [("ANTHROPIC_API_KEY", "a-key"), ("ANTHROPIC_BASE_URL", server.url()), ("ASKBACK_TOKEN", "a-token")];
    let mut screen = folder.chat_with(&variables, &[]);
    say(&mut screen, "try it");
    screen.wait_for("[a] Run it (approve)\n│ [r] Reject");
    decide(&mut screen, "a");
    screen.wait_for("For how long do you approve");
    screen.keys("\r");
    screen.wait_for("The script is over.");
    let content = result(&server)["content"].as_str().unwrap().to_owned();
    assert!(content.contains("secrets=<>") && content.contains("no terminal"), "{content}");
}
