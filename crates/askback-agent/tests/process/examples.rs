//! The example agents, as they stand.

use crate::Chat;
use crate::support::{Act, answer, answers};
use askback_agent::TurnEnd;

fn example(name: &str) -> String {
    format!("{}/../../examples/agents/{name}", env!("CARGO_MANIFEST_DIR"))
}

// T1, T2, T4
#[tokio::test]
async fn the_example_in_python_asks_everything_and_makes_its_plan() {
    let mut chat = Chat::with(&format!("python3 {}", example("agent.py")));
    let acts = [answer("approve"), answer("large"), answer("Mars"), answers(&["2026-11-15", "no"])];
    let (turn, log) = chat.turn("Plan it \"well\"", acts).await;
    assert_eq!((&turn.end, log.errors()), (&TurnEnd::Done, vec![]));
    let plan = "The plan: Mars, large, shipped on 2026-11-15. Team told: no.";
    assert_eq!(turn.text(), format!("You said: Plan it \"well\"\n{plan}"));
    // A rejection ends the turn; the next one begins as if nothing were.
    let (turn, _) = chat.turn("Again", [answer("approve"), Act::Decline(None)]).await;
    assert_eq!((turn.text().as_str(), &turn.end), ("You said: Again\n", &TurnEnd::Rejected));
    let acts = [answer("approve"), answer("small"), answer("reject"), Act::Cancel];
    let (turn, log) = chat.turn("Once more", acts).await;
    assert_eq!((turn.text().as_str(), &turn.end, log.errors()), ("You said: Once more\n", &TurnEnd::Done, vec![]));
}

// T1, T2, T4
#[tokio::test]
async fn the_example_in_shell_asks_before_it_tidies_up() {
    let mut chat = Chat::with(&format!("sh {}", example("agent.sh")));
    for _ in 0..2 {
        let (turn, log) = chat.turn("go", [answer("approve")]).await;
        assert_eq!((&turn.end, log.errors()), (&TurnEnd::Done, vec![]));
        assert_eq!(turn.text(), "I would like to tidy up. Done: it is empty.");
        let (turn, log) = chat.turn("go", [answer("reject")]).await;
        assert_eq!((turn.text().as_str(), &turn.end), ("I would like to tidy up. ", &TurnEnd::Rejected));
        assert_eq!(log.errors(), Vec::<String>::new());
    }
}
