//! The demo's page: a private hub, on which every question can be answered as well as in the terminal.

use super::{ASKBACK, CONTROL_C, Folder, USUAL};
use askback_testkit::browser::{Browser, address, printed_link, redeem};
use askback_testkit::http::{Call, is_listening};
use askback_testkit::screen::{Screen, Size};
use rustix::process::Signal;
use std::path::Path;

fn demo(variables: &[(&str, &str)]) -> Screen {
    Screen::run(USUAL, variables, ASKBACK, &["demo"]).unwrap()
}

/// Whether somebody listens there.
fn is_open(link: &str) -> bool {
    is_listening(address(link))
}

// L1, T3
#[test]
fn a_question_is_answered_on_the_page_and_the_next_in_the_terminal() {
    let mut screen = demo(&[]);
    let link = printed_link(&mut screen);
    let browser = Browser::open(&link);
    assert_eq!(redeem(&link).status, 401, "the link works once");
    assert_eq!(browser.get("/me")["name"], "reviewer");
    screen.wait_for("Where should rendered pages be kept?");
    let asked = browser.question();
    assert_eq!(asked["room"], "demo", "{asked}");
    browser.answer(&asked, "In memory");
    screen.wait_for("answered by reviewer (page)");
    screen.wait_for("You chose: In memory");
    screen.wait_for("What may be kept?");
    let asked = browser.question();
    screen.keys(" \r");
    screen.wait_for("lru_cache");
    let outcome = browser.get(&format!("/requests/{}", asked["id"].as_str().unwrap()));
    assert_eq!((&outcome["surface"], &outcome["answeredBy"]), (&"terminal".into(), &"reviewer".into()), "{outcome}");
    screen.keys(CONTROL_C);
    assert_eq!(screen.exit_status(), 130);
    assert!(screen.is_at_rest());
    assert!(!is_open(&link), "the hub is gone");
}

// L5, T6
#[test]
fn whoever_looks_at_the_page_hears_how_it_ended() {
    let mut screen = demo(&[]);
    let browser = Browser::open(&printed_link(&mut screen));
    screen.wait_for("Where should rendered pages be kept?");
    let asked = browser.question();
    let follower = browser.clone();
    let following = std::thread::spawn(move || follower.call("GET", "/events").send().body);
    let is_followed = |_: &Screen| metric(&browser, "askback_event_streams") == "1";
    screen.wait_until("somebody follows", is_followed);
    screen.keys(CONTROL_C);
    assert_eq!(screen.exit_status(), 130);
    let heard = following.join().unwrap();
    let ended = heard.lines().find(|line| line.contains("cancelled") && line.contains(asked["id"].as_str().unwrap()));
    assert!(ended.is_some(), "{heard}");
}

/// What the server counts under a name.
fn metric(browser: &Browser, name: &str) -> String {
    let text = Call::new(&browser.address, "GET", "/metrics").send().body;
    let lines = text.lines().filter_map(|line| line.strip_prefix(name));
    lines.map(|value| value.trim().to_owned()).next().unwrap_or(text.clone())
}

// S4
#[test]
fn two_demos_do_not_meet_and_leave_nothing_behind() {
    let folder = Folder::new();
    let (data, temporary) = (folder.0.join("data"), folder.work());
    let places = |path: &Path| path.to_str().unwrap().to_owned();
    let (data, temporary) = (places(&data), places(&temporary));
    let variables = [("ASKBACK_DATA", data.as_str()), ("TMPDIR", temporary.as_str()), ("HOME", temporary.as_str())];
    let (mut one, mut other) = (demo(&variables), demo(&variables));
    let links = [printed_link(&mut one), printed_link(&mut other)];
    assert_ne!(address(&links[0]), address(&links[1]));
    // The link of the one opens nothing of the other's, and is not used up by that.
    assert_eq!(redeem(&links[0].replace(address(&links[0]), address(&links[1]))).status, 401);
    let browsers = links.clone().map(|link| Browser::open(&link));
    let asked = browsers[0].question();
    browsers[0].answer(&asked, "No cache");
    one.wait_for("answered by reviewer (page)");
    assert_ne!(browsers[1].question()["id"], asked["id"]);
    other.wait_for("Where should rendered pages be kept?");
    one.signal(Signal::TERM);
    other.signal(Signal::TERM);
    assert_eq!((one.exit_status(), other.exit_status()), (143, 143));
    assert!(!links.iter().any(|link| is_open(link)));
    assert!(one.is_at_rest() && other.is_at_rest());
    assert!(!Path::new(&data).exists());
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0);
}

// Q3
#[test]
fn a_code_is_shown_where_there_is_room_for_it_and_the_story() {
    let shown = |columns, rows, locale| {
        let size = Size { columns, rows };
        let mut screen = Screen::run(size, &[("LANG", locale)], ASKBACK, &["demo"]).unwrap();
        let link = printed_link(&mut screen);
        assert!(screen.history().contains("Answer here, or on the page"), "{}", screen.history());
        assert!(link.len() > 80, "too long for most windows, and yet whole: {link}");
        let has_code = screen.history().contains("█▀▀▀▀▀█");
        assert_eq!(has_code, screen.history().contains("A phone can't reach this machine"), "{}", screen.history());
        screen.keys(CONTROL_C);
        assert_eq!(screen.exit_status(), 130);
        has_code
    };
    assert!(shown(120, 40, "C.UTF-8"));
    assert!(!shown(80, 24, "C.UTF-8"));
    assert!(!shown(40, 60, "C.UTF-8"));
    assert!(!shown(120, 40, "C"));
}
