//! The person here acts.

use super::{Fate, NEVER, Way, answered, fates, on_hub, run, run_asking, settle, told};
use super::{id, name, request, room};
use crate::race::{RaceError, Raced, SurfaceError};
use askback_core::PromptEnd;
use askback_core::{Resolution, State};

// L1
#[tokio::test]
async fn the_prompt_is_painted_before_the_hub_is_reached() {
    let way = Way::new().await;
    run(&way, 10, answered()).await;
    assert_eq!(way.log.lock().unwrap()[..3], ["paint", "connect", "ask"]);
}

// L1
#[tokio::test]
async fn an_answer_before_the_hub_is_reached_counts_and_the_hub_never_hears_of_it() {
    let way = Way::new().await;
    fates(&way.connect, &[Fate::Late(500)]);
    let course = run(&way, 10, answered()).await;
    assert_eq!(told(&course), ("here".to_owned(), false, false));
    assert_eq!(on_hub(&way).await, "unknown");
    assert!(!way.log.lock().unwrap().contains(&"ask"));
}

// L1
#[tokio::test]
async fn without_a_hub_the_person_here_is_asked_alone() {
    let way = Way::new().await;
    fates(&way.connect, &[Fate::Lost]);
    assert_eq!(told(&run(&way, 60_000, answered()).await), ("here".to_owned(), false, false));
    assert_eq!(*way.log.lock().unwrap(), ["paint", "connect"]);
}

// L1
#[tokio::test]
async fn an_answer_after_the_request_was_sent_is_a_proposal() {
    let way = Way::new().await;
    fates(&way.ask, &[Fate::Late(300)]);
    let course = run(&way, 10, answered()).await;
    assert_eq!(told(&course), ("here".to_owned(), false, false));
    assert_eq!(on_hub(&way).await, "here", "which the hub took");
    assert_eq!(way.log.lock().unwrap().iter().filter(|message| **message == "ask").count(), 1, "and it was sent once");
}

// L1
#[tokio::test]
async fn an_answer_on_an_acknowledged_request_counts_when_the_hub_says_so() {
    let way = Way::new().await;
    fates(&way.propose, &[Fate::Late(200)]);
    let course = run(&way, 1_000, answered()).await;
    assert_eq!(told(&course), ("here".to_owned(), false, false));
    assert_eq!(on_hub(&way).await, "here");
}

// L1
#[tokio::test]
async fn a_proposal_that_is_lost_on_the_way_there_or_back_counts_once() {
    let way = Way::new().await;
    fates(&way.propose, &[Fate::Lost, Fate::AnswerLost, Fate::Lost]);
    let course = run(&way, 1_000, answered()).await;
    assert_eq!(told(&course), ("here".to_owned(), false, false), "the retry replays and is not late");
    assert_eq!(on_hub(&way).await, "here");
}

// L1
#[tokio::test]
async fn an_answer_counts_though_the_hub_knows_the_person_by_another_name() {
    tokio::time::pause();
    for fate in [Fate::Late(0), Fate::AnswerLost] {
        let way = Way { known_as: Some(name("ada's token")), ..Way::another().await };
        fates(&way.propose, &[fate]);
        let course = run(&way, 1_000, answered()).await;
        assert_eq!(told(&course), ("here".to_owned(), false, false), "{fate:?}");
        let Ok(Raced::Ended { outcome, .. }) = course.raced else { panic!("{:?}", course.raced) };
        assert_eq!(outcome.by(), "ada's token", "and the outcome says what the hub does");
    }
}

// L1
#[tokio::test]
async fn a_proposal_that_nobody_acknowledges_is_no_answer() {
    let way = Way::new().await;
    fates(&way.propose, &[Fate::Silence]);
    let course = run(&way, 1_000, answered()).await;
    let error = course.raced.unwrap_err();
    assert!(matches!(&error, RaceError::Unsettled { id: of, .. } if *of == id(1)), "{error}");
    assert!(error.to_string().contains("did not say whether the answer counts"), "{error}");
}

// L1
#[tokio::test]
async fn where_the_hub_never_acknowledges_the_person_here_decides_and_the_request_is_taken_away() {
    tokio::time::pause();
    for fate in [Fate::Silence, Fate::AnswerLost, Fate::Lost] {
        let way = Way::another().await;
        fates(&way.ask, &[fate]);
        fates(&way.connect, &[Fate::Late(0)]);
        // After the first time the hub can't be reached for a long while.
        fates(&way.connect, &[Fate::Lost; 100]);
        let course = run(&way, 1_000, answered()).await;
        assert_eq!(told(&course), ("here".to_owned(), false, true), "{fate:?}");
        assert_ne!(on_hub(&way).await, "here");
        // On reconnect it is cancelled by its id.
        settle(&way, &course).await;
        assert_eq!(on_hub(&way).await, "cancelled", "{fate:?}");
        // And a message that was still on its way finds it cancelled.
        let late = askback_hub::Ask::new(super::question("?"), name("agent"), room("shop")).with_id(id(1));
        assert!(matches!(way.hub.ask(late).await, Ok(askback_hub::Asked::Known(_))), "{fate:?}");
    }
}

// L1, L2
#[tokio::test]
async fn request_whose_acknowledgement_was_lost_is_cancelled_although_its_retry_was_refused() {
    tokio::time::pause();
    for fate in [Fate::Refused, Fate::NotNow] {
        let way = Way::another().await;
        // The hub has the request; every later attempt is turned away.
        fates(&way.ask, &[Fate::AnswerLost]);
        fates(&way.ask, &[fate; 100]);
        let course = run(&way, 10_000, answered()).await;
        assert_eq!(told(&course), ("here".to_owned(), false, true), "{fate:?}");
        assert_eq!(on_hub(&way).await, "pending", "{fate:?}");
        way.ask.lock().unwrap().clear();
        settle(&way, &course).await;
        assert_eq!(on_hub(&way).await, "cancelled", "{fate:?}");
    }
}

// L1
#[tokio::test]
async fn where_the_page_answered_what_was_never_acknowledged_both_are_told() {
    let way = Way::new().await;
    fates(&way.ask, &[Fate::Silence]);
    way.page_answers(&id(1), 100);
    let course = run(&way, 1_000, answered()).await;
    assert_eq!(told(&course), ("here".to_owned(), false, true));
    assert_eq!(super::written(&settle(&way, &course).await), "there", "whoever settles it hears of it");
}

// L1
#[tokio::test]
async fn ctrl_c_takes_away_what_this_process_asked() {
    let way = Way::new().await;
    assert_eq!(told(&run(&way, 1_000, Ok(PromptEnd::Interrupted)).await), ("cancelled".to_owned(), false, false));
    assert_eq!(on_hub(&way).await, "cancelled");
}

// L1
#[tokio::test]
async fn ctrl_c_before_the_hub_is_reached_leaves_nothing() {
    let way = Way::new().await;
    fates(&way.connect, &[Fate::Late(500)]);
    assert_eq!(told(&run(&way, 10, Ok(PromptEnd::Interrupted)).await), ("cancelled".to_owned(), false, false));
    assert_eq!(on_hub(&way).await, "unknown");
}

// L1
#[tokio::test]
async fn ctrl_c_is_not_held_up_by_a_hub_that_does_not_answer() {
    tokio::time::pause();
    for (asked, proposed) in [(Fate::Silence, Fate::Late(0)), (Fate::Late(0), Fate::Silence)] {
        let way = Way::another().await;
        fates(&way.ask, &[asked]);
        fates(&way.propose, &[proposed]);
        let course = run(&way, 1_000, Ok(PromptEnd::Interrupted)).await;
        assert_eq!(told(&course), ("cancelled".to_owned(), false, true));
        settle(&way, &course).await;
        assert_eq!(on_hub(&way).await, "cancelled");
    }
}

// L1
#[tokio::test]
async fn ctrl_c_takes_away_what_was_ours_though_we_never_heard_so() {
    let way = Way::new().await;
    // Asked twice, because the first acknowledgement was lost: the hub knows it already.
    fates(&way.ask, &[Fate::AnswerLost]);
    assert_eq!(told(&run(&way, 1_000, Ok(PromptEnd::Interrupted)).await), ("cancelled".to_owned(), false, false));
    assert_eq!(on_hub(&way).await, "cancelled");
}

// L1, L3
#[tokio::test]
async fn a_leftover_of_what_somebody_else_asked_is_left_alone() {
    let way = Way::new().await;
    let keyed = || request(r#"{"type": "text", "message": "?", "key": "k"}"#);
    let other = askback_hub::Ask::new(keyed(), name("agent"), room("shop"));
    let other = way.hub.ask(other).await.unwrap().id().clone();
    fates(&way.ask, &[Fate::Silence]);
    let course = run_asking(&way, 1_000, answered(), keyed()).await;
    let Ok(Raced::Ended { leftover: Some(leftover), .. }) = &course.raced else { panic!("{:?}", course.raced) };
    assert_eq!(leftover.settle(&way, &way).await, Ok(None));
    assert_eq!(way.hub.outcome(&other).await.unwrap(), State::Pending(other));
}

// L1, L3
#[tokio::test]
async fn ctrl_c_leaves_alone_what_somebody_else_asked() {
    let way = Way::new().await;
    let keyed = || request(r#"{"type": "text", "message": "?", "key": "k"}"#);
    let other = askback_hub::Ask::new(keyed(), name("agent"), room("shop"));
    let other = way.hub.ask(other).await.unwrap().id().clone();
    let course = run_asking(&way, 1_000, Ok(PromptEnd::Interrupted), keyed()).await;
    assert!(matches!(course.raced.unwrap(), Raced::Detached(of) if of == other), "it goes by the other's id");
    assert_eq!(way.hub.outcome(&other).await.unwrap(), State::Pending(other));
}

// L1
#[tokio::test]
async fn a_lost_terminal_leaves_the_request_pending() {
    let way = Way::new().await;
    let course = run(&way, 1_000, Err(SurfaceError::Lost("the terminal is gone".to_owned()))).await;
    assert!(matches!(course.raced.unwrap(), Raced::Detached(of) if of == id(1)));
    assert_eq!(on_hub(&way).await, "pending");
}

// L1
#[tokio::test]
async fn a_terminal_that_is_lost_early_still_leaves_the_request_on_the_hub() {
    let way = Way::new().await;
    fates(&way.connect, &[Fate::Late(500)]);
    let course = run(&way, 10, Err(SurfaceError::Lost("the terminal is gone".to_owned()))).await;
    assert!(matches!(course.raced.unwrap(), Raced::Detached(_)));
    assert_eq!(on_hub(&way).await, "pending");
}

// L1
#[tokio::test]
async fn a_lost_terminal_without_a_hub_is_no_answer() {
    tokio::time::pause();
    for fate in [Fate::Lost, Fate::Silence] {
        let way = Way::another().await;
        fates(&way.connect, &[fate; 2]);
        let error =
            run(&way, 1_000, Err(SurfaceError::Lost("the terminal is gone".to_owned()))).await.raced.unwrap_err();
        assert!(matches!(&error, RaceError::Nobody(why) if why.starts_with("the terminal is gone, and")), "{error}");
    }
}

// L1
#[tokio::test]
async fn a_terminal_that_is_lost_while_the_request_is_out_says_where_to_look() {
    let way = Way::new().await;
    fates(&way.ask, &[Fate::Silence]);
    let error = run(&way, 1_000, Err(SurfaceError::Lost("the terminal is gone".to_owned()))).await.raced.unwrap_err();
    assert!(matches!(error, RaceError::Unsettled { id: of, .. } if of == id(1)), "it may be pending there");
}

// L1
#[tokio::test]
async fn nobody_is_asked_whose_answer_could_not_be_written_down() {
    let way = Way::new().await;
    let person =
        super::Person { after_ms: 0, does: answered(), notice: std::sync::Mutex::default(), log: way.log.clone() };
    let signer = crate::race::Signer { by: name("askback"), surface: askback_core::Surface::Hub };
    let race = crate::race::Race {
        asker: &way,
        person: &way,
        surface: &person,
        clock: &jiff::Timestamp::now,
        signer,
        replies: crate::race::HubReplies::default(),
    };
    let raced = race.run(std::sync::Arc::new(super::question("?")), id(1)).await;
    assert!(matches!(raced, Err(RaceError::Signature(_))));
    assert!(way.log.lock().unwrap().is_empty());
}

// L4
#[tokio::test]
async fn the_clock_here_counts_only_where_there_is_no_hub() {
    let timed = || request(r#"{"type": "text", "message": "?", "timeout": 10}"#);
    let silence = || Ok(PromptEnd::Decided(Resolution::from_silence(&timed())));
    let way = Way::new().await;
    fates(&way.connect, &[Fate::Lost]);
    assert_eq!(told(&run_asking(&way, 10_000, silence(), timed()).await), ("expired".to_owned(), false, false));

    // The hub's clock is a moment behind, and an answer that came in between counts.
    let way = Way::another().await;
    way.page_answers(&id(1), 9_500);
    let course = run_asking(&way, 9_000, silence(), timed()).await;
    assert_eq!(told(&course).0, "there");

    // The hub was reached late, and counts from when the person was asked.
    let way = Way::another().await;
    fates(&way.connect, &[Fate::Late(4_000)]);
    let course = run_asking(&way, 10_000, silence(), timed()).await;
    assert_eq!((told(&course).0, on_hub(&way).await), ("expired".to_owned(), "expired".to_owned()));

    let way = Way::another().await;
    let course = run_asking(&way, 9_000, silence(), timed()).await;
    assert_eq!((told(&course).0, on_hub(&way).await), ("expired".to_owned(), "expired".to_owned()));
}

// L1
#[tokio::test]
async fn a_dropped_race_decides_nothing() {
    let way = Way::new().await;
    let racing = run(&way, NEVER, answered());
    assert!(tokio::time::timeout(std::time::Duration::from_secs(60), racing).await.is_err());
    assert_eq!(on_hub(&way).await, "pending");
}
