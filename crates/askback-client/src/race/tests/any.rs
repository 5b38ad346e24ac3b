//! Any race: its outcome is the hub's, or the request that it left on the hub can be cancelled.

use super::id;
use super::{Fate, NEVER, Way, answered, fates, on_hub, run, settle, told};
use crate::race::{PromptResult, Raced, SurfaceError};
use askback_core::PromptEnd;
use askback_core::Resolution;
use proptest::collection::vec;
use proptest::prelude::*;

fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        4 => (0..800_u64).prop_map(Fate::Late),
        2 => Just(Fate::Lost),
        2 => Just(Fate::AnswerLost),
        1 => Just(Fate::Silence),
        1 => Just(Fate::Refused),
        1 => Just(Fate::NotNow),
    ]
}

fn local() -> impl Strategy<Value = PromptResult> {
    prop_oneof![
        4 => Just(answered()),
        1 => Just(Ok(PromptEnd::Decided(Resolution::declined(None)))),
        1 => Just(Ok(PromptEnd::Interrupted)),
        1 => Just(Err(SurfaceError::Lost("the terminal is gone".to_owned()))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    // L1, L2
    #[test]
    fn a_race_never_says_what_the_hub_does_not(
        connect in vec(fate(), 0..3),
        ask in vec(fate(), 0..3),
        wait in vec(fate(), 0..3),
        propose in vec(fate(), 0..3),
        here in (0..2_000_u64, local()),
        page in proptest::option::of(0..2_000_u64),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let way = Way::new().await;
            fates(&way.connect, &connect);
            fates(&way.ask, &ask);
            fates(&way.wait, &wait);
            fates(&way.propose, &propose);
            way.page_answers(&id(1), page.unwrap_or(NEVER));
            let course = run(&way, here.0, here.1.clone()).await;
            let hub = on_hub(&way).await;
            match &course.raced {
                Ok(Raced::Ended { leftover: None, .. }) => {
                    let said = told(&course).0;
                    prop_assert!(hub == "unknown" || hub == said, "the race says {said}, the hub says {hub}");
                }
                Ok(Raced::Ended { leftover: Some(_), .. }) => {
                    // Once the hub takes it.
                    [&way.connect, &way.ask, &way.propose].iter().for_each(|fates| fates.lock().unwrap().clear());
                    settle(&way, &course).await;
                    let hub = on_hub(&way).await;
                    prop_assert!(hub != "pending" && hub != "unknown", "it is settled: {hub}");
                }
                Ok(Raced::Detached(_)) => {
                    prop_assert!(matches!(here.1, Err(SurfaceError::Lost(_))) && hub != "unknown", "it is {hub}");
                }
                // Which says so, and assumes nothing.
                Err(_) => {}
            }
            Ok(())
        })?;
    }
}
