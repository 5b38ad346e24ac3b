//! A hub that is killed, again and again, at every stage of a durable write: what it acknowledged is there afterwards.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "what fails in a test should fail it")]

use acknowledged::check::Fault;
use acknowledged::clients::{Says, work};
use campaign::{Campaign, EXCHANGES, STAGES, Stage};
use std::path::PathBuf;

#[path = "../acknowledged/mod.rs"]
mod acknowledged;
mod campaign;
mod unsynced;

/// Kills in each campaign: as many at every stage.
const KILLS: usize = 26 * STAGES.len();

/// Campaigns that run side by side, each with a database of its own: the seed, and the kills between two checks. Where it is
/// checked often, what goes wrong is seen close to where it began. Where it is checked seldom, the children alone recover
/// what was left to them, and it grows long enough for one of them to move it into the database.
const CAMPAIGNS: [(u64, usize); 2] = [(1, 13), (2, 52)];

/// Kills after which a hub that lies must have been caught.
const KILLS_OF_A_LIAR: usize = 40;

/// What makes a test the child of another.
const CHILD: &str = "ASKBACK_CHILD";

// L1, L2
#[test]
fn what_was_acknowledged_survives_being_killed_at_every_stage() {
    let campaigns: Vec<Campaign> = std::thread::scope(|scope| {
        let running = CAMPAIGNS.map(|(seed, unchecked)| scope.spawn(move || campaign(seed, unchecked)));
        running.into_iter().map(|campaign| campaign.join().unwrap()).collect()
    });
    let faults: Vec<String> = campaigns.iter().flat_map(|campaign| &campaign.faults).map(Fault::to_string).collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));

    for stage in STAGES {
        let kills: Vec<_> = campaigns.iter().flat_map(|campaign| campaign.kills_at(stage)).collect();
        let sum = |count: fn(&campaign::Kill) -> usize| kills.iter().map(|kill| count(kill)).sum::<usize>();
        let (acknowledged, unheard) = (sum(|kill| kill.acknowledged), sum(|kill| kill.unheard));
        let (asking, answering) = (sum(|kill| kill.asking), sum(|kill| kill.answering));
        println!(
            "{}: {} kills, {acknowledged} acknowledged; {asking} asked and {answering} answered when it was killed, \
             of which {unheard} were kept",
            stage.name(),
            kills.len(),
        );
        assert_eq!(kills.len(), KILLS / STAGES.len() * CAMPAIGNS.len());
        assert!(acknowledged > 0 && asking > 0 && answering > 0, "nothing was at stake at {}", stage.name());
        if stage == Stage::AfterSync {
            // Whatever was synced is there, and nobody can have heard of it: the stage is where it says.
            assert!(kills.iter().all(|kill| kill.unheard > 0), "something that was synced is not there");
        }
    }
}

fn campaign(seed: u64, unchecked: usize) -> Campaign {
    let mut campaign = Campaign::new(seed, Says::Truly);
    for number in 1..=KILLS {
        campaign.kill(STAGES[number % STAGES.len()]);
        if number % unchecked == 0 {
            campaign.check();
        }
    }
    campaign
}

// L2: the control
#[test]
fn an_acknowledgement_that_came_too_early_is_found_to_be_lost() {
    let mut campaign = Campaign::new(3, Says::TooEarly);
    let is_caught = |campaign: &Campaign| campaign.faults.iter().any(|fault| matches!(fault, Fault::Lost(_)));
    for _ in 0..KILLS_OF_A_LIAR {
        campaign.kill(Stage::BeforeWrite);
        campaign.check();
        if is_caught(&campaign) {
            break;
        }
    }
    println!("lost after {} kills: {}", campaign.kills.len(), campaign.faults.len());
    assert!(is_caught(&campaign), "the check did not notice a hub that acknowledges too early");
}

/// What the other tests start and kill. By itself it does nothing.
#[test]
fn child() {
    let Ok(told) = std::env::var(CHILD) else { return };
    let [run, says, path] = told.splitn(3, ' ').collect::<Vec<_>>().try_into().unwrap();
    let says = if says == "early" { Says::TooEarly } else { Says::Truly };
    work(&PathBuf::from(path), run, says, EXCHANGES).unwrap();
}
