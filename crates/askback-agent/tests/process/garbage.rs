//! Lines that are no events.

use crate::Chat;
use askback_agent::TurnEnd;
use askback_agent::limits::GARBAGE_SHOWN;

// S3, T1
#[tokio::test]
async fn some_garbage_is_shown_and_the_rest_is_counted() {
    let mut chat = Chat::new();
    let program =
        "for n in range(10):\n  raw(b'garbage %d\\n' % n)\nraw(b'\\n  \\n')\nsend(type='text_delta', text='On.')";
    let (turn, log) = chat.turn(program, []).await;
    assert_eq!((turn.text().as_str(), &turn.end), ("On.", &TurnEnd::Done));
    let errors = log.errors();
    assert_eq!(errors.len(), GARBAGE_SHOWN + 1);
    assert!(errors[0].contains("garbage 0") && errors[0].contains("one line of JSON"), "{errors:?}");
    assert!(errors[3].contains("7 more lines"), "{errors:?}");
    // The next turn is counted by itself.
    let (_, log) = chat.turn("raw(b'garbage\\n')", []).await;
    assert_eq!(log.errors().len(), 1);
}

// S2, S3
#[tokio::test]
async fn bytes_that_are_no_text_do_no_harm() {
    let mut chat = Chat::new();
    let program = "raw(bytes(range(256)).replace(b'\\n', b'') + b'\\n')\nraw(b'\\x1b[2J\\x00\\xff\\xfe\\n')\n\
                   send(type='text_delta', text='On.')";
    let (turn, log) = chat.turn(program, []).await;
    assert_eq!((turn.text().as_str(), &turn.end), ("On.", &TurnEnd::Done));
    assert_eq!(log.errors().len(), 2);
    assert!(log.errors().iter().all(|error| !error.contains('\u{1b}') && error.len() < 500), "{:?}", log.errors());
}

// S3
#[tokio::test]
async fn a_line_that_is_too_long_is_passed_over() {
    let mut chat = Chat::new();
    let program = "raw(b'{\"type\": \"text_delta\", \"text\": \"' + b'x' * (9 << 20) + b'\"}\\n')\nsend(type='text_delta', text='On.')";
    let (turn, log) = chat.turn(program, []).await;
    assert_eq!((turn.text().as_str(), &turn.end), ("On.", &TurnEnd::Done));
    assert!(log.errors()[0].contains("too long"), "{:?}", log.errors());
}

// S3, T1
#[tokio::test]
async fn what_is_missing_in_an_event_is_said() {
    for (program, said) in [
        ("send(type='riddle')", "\"riddle\" is no type; expected one of text_delta"),
        ("send(kind='done')", "an object with a `type`"),
        ("raw(b'[1]\\n')", "an object with a `type`"),
        ("send(type='text_delta')", "a text `text`"),
        ("send(type='text_delta', text=1)", "a text `text`"),
        ("send(type='error')", "a text `message`"),
        ("send(type='tool_use_start', id='1')", "a text `name`"),
        ("send(type='ask_user', questions=[])", "an `id`"),
        ("raw(b'{\"type\": \"done\"} {}\\n')", "one line of JSON"),
    ] {
        let mut chat = Chat::new();
        let (turn, log) = chat.turn(program, []).await;
        assert_eq!(turn.end, TurnEnd::Done);
        assert!(matches!(log.errors().as_slice(), [error] if error.contains(said)), "{program}: {:?}", log.errors());
    }
}

// S3
#[tokio::test]
async fn an_agent_that_prints_nothing_but_garbage_is_ended() {
    let mut chat = Chat::new();
    let (turn, _) = chat.turn("raw(b'x\\n' * 20000)\nreceive()", []).await;
    assert!(matches!(&turn.end, TurnEnd::Failed(why) if why.contains("10000 lines")), "{:?}", turn.end);
    let (turn, _) = chat.turn("send(type='text_delta', text='Anew.')", []).await;
    assert_eq!((turn.text().as_str(), chat.pids().len()), ("Anew.", 2));
}

// S3
#[tokio::test]
async fn a_flood_of_text_is_stopped() {
    let mut chat = Chat::new();
    let (turn, _) = chat.turn("for n in range(40):\n  send(type='text_delta', text='x' * (1 << 20))", []).await;
    assert!(matches!(&turn.end, TurnEnd::Failed(why) if why.contains("8 MiB")), "{:?}", turn.end);
}
