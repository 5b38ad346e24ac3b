//! An answer elsewhere comes first, or the hub refuses.

use super::{Fate, NEVER, Way, answered, fates, on_hub, run, run_asking, told};
use super::{id, name, request, room};
use crate::race::{RaceError, Raced, SurfaceError};
use askback_core::Surface;
use askback_hub::HubLimits;
use askback_hub::{Ask, Signature};

// L1
#[tokio::test]
async fn an_answer_elsewhere_takes_the_prompt_away_and_says_who_it_was() {
    let way = Way::new().await;
    way.page_answers(&id(1), 500);
    let course = run(&way, NEVER, answered()).await;
    assert_eq!(told(&course), ("there".to_owned(), false, false));
    assert_eq!(course.notice.as_deref(), Some("answered by rita (page)"));
}

// L1
#[tokio::test]
async fn an_answer_here_that_comes_after_one_elsewhere_is_told_to_be_late() {
    let way = Way::new().await;
    // The page answers while our proposal is on its way.
    fates(&way.propose, &[Fate::Late(300)]);
    way.page_answers(&id(1), 1_100);
    let course = run(&way, 1_000, answered()).await;
    assert_eq!(told(&course), ("there".to_owned(), true, false));
}

// L1
#[tokio::test]
async fn an_answer_that_looks_like_ours_is_still_another_one() {
    let way = Way::new().await;
    fates(&way.propose, &[Fate::Late(300)]);
    let hub = way.hub.clone();
    tokio::spawn(async move {
        tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
        let signature = Signature::new(name("ada"), Surface::Terminal);
        hub.answer(&id(1), &["here".into()], signature).await.unwrap();
    });
    let course = run(&way, 1_000, answered()).await;
    assert_eq!(told(&course), ("here".to_owned(), true, false), "given in another window, before this one");
}

// L1
#[tokio::test]
async fn an_answer_elsewhere_before_the_acknowledgement_counts() {
    let way = Way::new().await;
    // Created at 300, acknowledged at 600; the page answers in between, the person here before.
    fates(&way.ask, &[Fate::Late(300)]);
    way.page_answers(&id(1), 400);
    let course = run(&way, 200, answered()).await;
    assert_eq!(told(&course), ("there".to_owned(), true, false));
}

// L1
#[tokio::test]
async fn both_in_the_same_moment_come_to_one_outcome() {
    tokio::time::pause();
    for offset in 0..20 {
        let way = Way::another().await;
        way.page_answers(&id(1), 990 + offset);
        let course = run(&way, 1_000, answered()).await;
        let (outcome, late, _) = told(&course);
        assert_eq!(outcome, on_hub(&way).await);
        assert!(!late || outcome == "there");
    }
}

// L1, L2
#[tokio::test]
async fn a_hub_that_goes_away_and_comes_back_still_has_the_outcome() {
    let way = Way::new().await;
    fates(&way.wait, &[Fate::Lost, Fate::Lost, Fate::AnswerLost, Fate::Lost]);
    way.page_answers(&id(1), 500);
    assert_eq!(told(&run(&way, NEVER, answered()).await).0, "there");
}

// L3
#[tokio::test]
async fn a_request_that_was_answered_before_is_not_asked_again() {
    let way = Way::new().await;
    let keyed = || request(r#"{"type": "text", "message": "?", "key": "k"}"#);
    let other = way.hub.ask(Ask::new(keyed(), name("agent"), room("shop"))).await.unwrap().id().clone();
    let signature = Signature::new(name("rita"), Surface::Page);
    way.hub.answer(&other, &["before".into()], signature).await.unwrap();
    let course = run_asking(&way, NEVER, answered(), keyed()).await;
    assert_eq!(told(&course), ("before".to_owned(), false, false));
}

// S3
#[tokio::test]
async fn where_the_hub_refuses_the_person_here_is_asked_alone() {
    let way = Way::new().await;
    fates(&way.ask, &[Fate::Refused]);
    let course = run(&way, 1_000, answered()).await;
    assert_eq!(told(&course), ("here".to_owned(), false, false));
    assert!(matches!(course.raced, Ok(Raced::Ended { apart: Some(why), .. }) if why.contains("not you")));
    assert_eq!(on_hub(&way).await, "unknown");
}

// S3
#[tokio::test]
async fn a_hub_at_its_limit_is_asked_again_now_and_then_and_holds_nobody_up() {
    tokio::time::pause();
    let way = Way::with(HubLimits { pending: 0, ..HubLimits::DEFAULT }).await;
    let course = run(&way, 60_000, answered()).await;
    assert_eq!(told(&course), ("here".to_owned(), false, false), "nothing is left over: it was never there");
    assert!(matches!(course.raced, Ok(Raced::Ended { apart: Some(why), .. }) if why.contains("the limit is 0")));
    let asked = way.log.lock().unwrap().iter().filter(|message| **message == "ask").count();
    assert!((2..=62).contains(&asked), "{asked}");
    let course = run(&way, 0, Err(SurfaceError::Missing("there is no terminal here".to_owned()))).await;
    assert!(matches!(course.raced, Err(RaceError::Nobody(why)) if why.contains("the limit is 0")));
}

// L1
#[tokio::test]
async fn a_hub_that_is_too_busy_to_let_us_wait_is_asked_again() {
    let way = Way::new().await;
    fates(&way.wait, &[Fate::NotNow, Fate::Refused, Fate::NotNow]);
    way.page_answers(&id(1), 500);
    assert_eq!(told(&run(&way, NEVER, answered()).await).0, "there");
}

// L1
#[tokio::test]
async fn without_a_terminal_the_hub_is_asked_alone() {
    let way = Way::new().await;
    way.page_answers(&id(1), 60_000);
    let course = run(&way, 0, Err(SurfaceError::Missing("there is no terminal here".to_owned()))).await;
    assert_eq!(told(&course), ("there".to_owned(), false, false));
}

// L1
#[tokio::test]
async fn with_neither_nobody_can_be_asked_and_nothing_is_assumed() {
    tokio::time::pause();
    for (list, fate) in [("connect", Fate::Lost), ("ask", Fate::Refused)] {
        let way = Way::another().await;
        fates(if list == "connect" { &way.connect } else { &way.ask }, &[fate]);
        let error =
            run(&way, 0, Err(SurfaceError::Missing("there is no terminal here".to_owned()))).await.raced.unwrap_err();
        assert!(matches!(&error, RaceError::Nobody(why) if why.contains("no terminal here, and")), "{error}");
    }
}
