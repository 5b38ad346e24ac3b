//! Agents that end, or don't.

use crate::support::{Act, Person, Seen, is_alive, until};
use crate::{Chat, PLAYER};
use askback_agent::TurnEnd;
use std::time::Duration;

fn failed(end: &TurnEnd) -> &str {
    let TurnEnd::Failed(why) = end else { panic!("{end:?}") };
    why
}

// T3
#[tokio::test]
async fn an_agent_that_dies_is_told_about_with_its_last_words() {
    let mut chat = Chat::with("echo oops >&2; exit 3");
    let (turn, log) = chat.turn("hi", []).await;
    assert!(failed(&turn.end).contains("exit status: 3") && failed(&turn.end).ends_with("oops"), "{:?}", turn.end);
    assert_eq!(log.errors(), [failed(&turn.end)]);
    let mut chat = Chat::with("no-such-command-here");
    let (turn, _) = chat.turn("hi", []).await;
    assert!(failed(&turn.end).contains("127") && failed(&turn.end).contains("not found"), "{:?}", turn.end);
}

// T3, T6
#[tokio::test]
async fn an_agent_that_dies_in_the_middle_leaves_what_it_said_and_starts_anew() {
    let mut chat = Chat::new();
    let program = "send(type='text_delta', text='Half')\nsys.stderr.write('x' * 9000 + 'the end')\nsys.stderr.flush()\nos._exit(4)";
    let (turn, _) = chat.turn(program, []).await;
    assert_eq!(turn.text(), "Half");
    let why = failed(&turn.end);
    assert!(why.contains("exit status: 4") && why.ends_with("xthe end") && why.len() < 2_200, "{why}");
    let (turn, log) = chat.turn("send(type='text_delta', text='Whole.')", []).await;
    assert_eq!((turn.text().as_str(), &turn.end, log.errors()), ("Whole.", &TurnEnd::Done, vec![]));
    assert_eq!(chat.pids().len(), 2);
}

// T3
#[tokio::test]
async fn the_prompt_of_an_agent_that_dies_is_taken_away() {
    for ask in [
        "send(type='input_request', id='1', prompt='Go?', choices=['Yes', 'No'])",
        "send(type='ask_user', id='1', questions=[{'type': 'text', 'message': 'Name?'}])",
    ] {
        let mut chat = Chat::new();
        let die = chat.folder.file("die");
        let person = Person::who(move |_| {
            std::fs::write(&die, "").unwrap();
            Act::Wait
        });
        let (turn, log) = chat.turn_with(&format!("{ask}\nuntil('die')\nos._exit(5)"), person).await;
        assert!(failed(&turn.end).contains("exit status: 5"), "{:?}", turn.end);
        assert!(log.entries().contains(&Seen::Withdrawn));
        assert!(log.infos()[0].starts_with("The agent took its question back: "));
        let asked = turn.questions().next().unwrap();
        assert_eq!(asked.outcome, Err("the agent took the question back".to_owned()));
    }
}

// T3
#[tokio::test]
async fn an_agent_that_ends_between_turns_is_started_anew() {
    let mut chat = Chat::new();
    chat.turn("send(type='done')\nos._exit(0)", []).await;
    let pid = chat.pids()[0].clone();
    until("it has ended", || (!is_alive(&pid)).then_some(())).await;
    // Its shell may take a moment longer, and says so in a turn of its own.
    let (mut turn, mut log) = chat.turn("send(type='text_delta', text='Hi.')", []).await;
    if turn.end != TurnEnd::Done {
        assert!(failed(&turn.end).contains("it ended"), "{:?}", turn.end);
        (turn, log) = chat.turn("send(type='text_delta', text='Hi.')", []).await;
    }
    assert_eq!((turn.text().as_str(), &turn.end, log.errors()), ("Hi.", &TurnEnd::Done, vec![]));
}

// T6
#[tokio::test]
async fn an_agent_that_stops_when_told_to_goes_on_with_the_next_turn() {
    let mut chat = Chat::new();
    let person = Person::watches();
    let (interrupt, log) = (person.interrupt(), person.log());
    let stop = tokio::spawn(async move {
        until("the text is there", || (!log.entries().is_empty()).then_some(())).await;
        interrupt.notify_one();
    });
    let (turn, _) =
        chat.turn_with("send(type='text_delta', text='Wait. ')\nassert receive()['type'] == 'cancel'", person).await;
    stop.await.unwrap();
    assert_eq!((turn.text().as_str(), &turn.end), ("Wait. ", &TurnEnd::Cancelled));
    let (turn, log) = chat.turn("send(type='text_delta', text='Again.')", []).await;
    assert_eq!((turn.text().as_str(), &turn.end, log.errors()), ("Again.", &TurnEnd::Done, vec![]));
    assert_eq!(chat.pids().len(), 1);
}

// T6, S3
#[tokio::test]
async fn an_agent_that_never_stops_is_ended_and_the_next_turn_says_so() {
    let mut chat = Chat::new();
    let person = Person::watches();
    let (interrupt, log) = (person.interrupt(), person.log());
    let stop = tokio::spawn(async move {
        until("the text is there", || (!log.entries().is_empty()).then_some(())).await;
        interrupt.notify_one();
    });
    let program = "send(type='text_delta', text='For ever. ')\nsubprocess.Popen(['sleep', '1000'])\n\
                   while True:\n  send(type='text_delta', text='and ever')\n  time.sleep(0.001)";
    let (turn, _) = chat.turn_with(program, person).await;
    stop.await.unwrap();
    assert_eq!(turn.end, TurnEnd::Cancelled);
    let (turn, log) = chat.turn("send(type='text_delta', text='Anew.')", []).await;
    assert_eq!((turn.text().as_str(), &turn.end), ("Anew.", &TurnEnd::Done));
    assert!(log.errors()[0].contains("starts anew"), "{:?}", log.errors());
    let pids = chat.pids();
    assert_eq!((pids.len(), is_alive(&pids[0])), (2, false));
}

// S3
#[tokio::test]
async fn an_agent_that_reads_nothing_can_be_stopped() {
    let mut chat =
        Chat::with("echo '{\"type\": \"text_delta\", \"text\": \"Deaf.\"}'; echo $$ > pids; exec sleep 1000");
    let person = Person::watches();
    let (interrupt, log) = (person.interrupt(), person.log());
    let stop = tokio::spawn(async move {
        until("the text is there", || (!log.entries().is_empty()).then_some(())).await;
        interrupt.notify_one();
    });
    // More than a pipe holds.
    let (turn, _) = chat.turn_with(&"x".repeat(1 << 20), person).await;
    stop.await.unwrap();
    assert_eq!((turn.text().as_str(), &turn.end), ("Deaf.", &TurnEnd::Cancelled));
    let pid = until("its process is known", || chat.pids().first().cloned()).await;
    until("it is ended", || (!is_alive(&pid)).then_some(())).await;
}

// T3
#[tokio::test]
async fn an_agent_that_closes_its_output_is_done_for() {
    let mut chat = Chat::with("exec python3 player.py");
    chat.folder.write("player.py", PLAYER);
    let (turn, _) = chat.turn("os.close(1)\ntime.sleep(1000)", []).await;
    assert!(failed(&turn.end).contains("it closed its output"), "{:?}", turn.end);
    let pid = chat.pids()[0].clone();
    until("it is ended", || (!is_alive(&pid)).then_some(())).await;
}

// S3
#[tokio::test]
async fn nothing_an_agent_has_started_outlives_it() {
    let mut chat = Chat::new();
    let program = "child = subprocess.Popen(['sleep', '1000'])\nnote('child', f'{child.pid}\\n')";
    chat.turn(program, []).await;
    let pids = [chat.pids()[0].clone(), chat.folder.read("child")];
    assert!(pids.iter().all(|pid| is_alive(pid)));
    drop(chat.agent.take());
    until("both are gone", || pids.iter().all(|pid| !is_alive(pid)).then_some(())).await;
}

// S3
#[test]
fn nothing_an_agent_has_started_outlives_the_program_that_started_it() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (chat, pids) = runtime.block_on(async {
        let mut chat = Chat::new();
        let program = "child = subprocess.Popen(['sleep', '1000'])\nnote('child', f'{child.pid}\\n')\nreceive()";
        let turn = chat.turn(program, []);
        // In the middle of a turn.
        assert!(tokio::time::timeout(Duration::from_millis(10), turn).await.is_err());
        let pids = until("both run", || {
            let child = Some(chat.folder.read("child")).filter(|text| text.ends_with('\n'))?;
            Some([chat.pids().first()?.clone(), child])
        });
        let pids = pids.await;
        (chat, pids)
    });
    drop(runtime);
    let deadline = std::time::Instant::now() + Duration::from_secs(10);
    while pids.iter().any(|pid| is_alive(pid)) {
        assert!(std::time::Instant::now() < deadline, "{pids:?}");
        std::thread::yield_now();
    }
    drop(chat);
}
