//! A question of a conversation, asked in its terminal and also on a hub.

use crate::ask::on_hub::{race, racers, say_late};
use crate::ask::terminal::ask_unless_taken;
use crate::error::CliError;
use crate::hub_args::HubArgs;
use askback_agent::Prompted;
use askback_api::{AskerApi, PersonApi};
use askback_client::limits::RACE_PATIENCE;
use askback_client::new_id;
use askback_client::race::{LocalSurface, Prompting, Raced, TakenAway};
use askback_core::{AskError, PromptEnd, PromptStyle, Request};
use askback_term::{Live, Reach};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Mutex;
use tokio::time::timeout;

/// The asker, and the person who answers here, on a hub.
type Racers = (Arc<dyn AskerApi>, Arc<dyn PersonApi>);

/// Where the questions of a conversation are asked, besides its terminal.
pub(crate) enum Beside {
    /// On the hub of this machine, if one runs.
    ThisMachine,
    /// On a hub in this process, by its asker, and with the person who answers here.
    Within(Arc<dyn AskerApi>, Arc<dyn PersonApi>),
    Nowhere,
}

impl Beside {
    /// The asker and the person on the hub, if one runs now. It may have been started since the last question.
    pub(super) fn racers(&self) -> Option<Racers> {
        match self {
            // A hub that can't be talked to is no reason not to ask.
            Self::ThisMachine => {
                let (asker, person) = racers(HubArgs::of_this_machine().racers().ok()??).ok()?;
                Some((Arc::new(asker), Arc::new(person)))
            }
            Self::Within(asker, person) => Some((Arc::clone(asker), Arc::clone(person))),
            Self::Nowhere => None,
        }
    }
}

/// Asks on both, until one outcome counts.
pub(super) async fn ask(
    live: &mut Live,
    request: &Request,
    look: PromptStyle,
    (asker, person): Racers,
) -> Result<Prompted, AskError> {
    let failed = |error: CliError| AskError::Failed(error.to_string());
    let held = Held { live: Mutex::new(live), look, was_interrupted: AtomicBool::new(false) };
    let raced = race(&*asker, &*person, &held).map_err(failed)?.run(Arc::new(request.clone()), new_id()).await;
    let was_interrupted = held.was_interrupted.load(Ordering::Relaxed);
    let live = held.live.into_inner();
    match raced {
        Ok(Raced::Ended { outcome, late, leftover, .. }) => {
            if late.is_some() {
                live.print(askback_term::Tone::Warning, &say_late(&outcome));
            }
            if let Some(leftover) = leftover {
                // In the background: the conversation goes on.
                tokio::spawn(async move { timeout(RACE_PATIENCE, leftover.settle(&*asker, &*person)).await.is_ok() });
            }
            Ok(if was_interrupted { Prompted::Interrupted(outcome) } else { Prompted::Ended(outcome) })
        }
        Ok(Raced::Detached(id)) => {
            Err(AskError::Nobody(format!("the terminal is gone; the question {id} stays on the hub")))
        }
        Err(error) => Err(AskError::Nobody(error.to_string())),
    }
}

/// The terminal, held for the conversation.
struct Held<'l> {
    live: Mutex<&'l mut Live>,
    look: PromptStyle,
    /// Ctrl+C there stops more than the question.
    was_interrupted: AtomicBool,
}

impl LocalSurface for Held<'_> {
    fn prompt<'a>(&'a self, request: &'a Request, taken_away: TakenAway) -> Prompting<'a> {
        Box::pin(async move {
            let mut live = self.live.lock().await;
            let reach = Reach::new();
            let remote = reach.remote();
            let local = ask_unless_taken(remote, taken_away, live.ask_reachably(request, self.look, reach)).await;
            self.was_interrupted.store(local == Ok(PromptEnd::Interrupted), Ordering::Relaxed);
            local
        })
    }
}
