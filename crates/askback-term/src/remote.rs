//! Reaching a prompt that is up: printing above it, and taking it away.

use crate::error::TermError;
use std::future::pending;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Texts waiting to be printed before whoever prints has to wait.
const WAITING: usize = 1_024;

/// What a prompt is told from outside.
#[derive(Debug)]
pub(crate) enum Order {
    Print(String),
    Withdraw(String),
}

/// A prompt's other end, for whoever does not sit at the terminal. It can be cloned and sent anywhere; when the prompt is
/// over, it does nothing.
#[derive(Debug, Clone)]
pub struct Remote {
    prints: Sender<String>,
    withdrawals: Sender<String>,
}

impl Remote {
    /// Prints whole lines above the prompt, into the scrollback. What could act on the terminal is shown as a mark. Waits
    /// while more is printed than the terminal can take.
    pub async fn print(&self, text: impl Into<String>) {
        // A prompt that is over shows nothing any more.
        let _ = self.prints.send(text.into()).await;
    }

    /// Takes the prompt away, leaving a line that says why: "answered by reviewer on the page". The first one counts.
    pub fn withdraw(&self, notice: impl Into<String>) {
        let _ = self.withdrawals.try_send(notice.into());
    }
}

/// The way to a prompt that is about to be shown on a terminal held for longer: made before, so that whoever may have to
/// take the prompt away can be told first. See [`crate::Live::ask_reachably`].
#[derive(Debug)]
pub struct Reach {
    remote: Remote,
    pub(crate) orders: Orders,
}

impl Reach {
    /// The way to a prompt that is not there yet. What is ordered before it is waits for it.
    pub fn new() -> Self {
        let (remote, orders) = connect();
        Self { remote, orders }
    }

    /// The end through which others can print above the prompt or take it away.
    pub fn remote(&self) -> Remote {
        self.remote.clone()
    }

    /// The same where leaving the prompt does not end the request: the line that stays says this instead of "cancelled".
    pub fn left_as(mut self, word: &'static str) -> Self {
        self.orders.left_as = word;
        self
    }
}

impl Default for Reach {
    fn default() -> Self {
        Self::new()
    }
}

/// The end that the prompt holds.
#[derive(Debug)]
pub(crate) struct Orders {
    prints: Receiver<String>,
    withdrawals: Receiver<String>,
    /// What is said of a request that the person leaves without an answer.
    pub(crate) left_as: &'static str,
}

pub(crate) fn connect() -> (Remote, Orders) {
    let (prints, printed) = channel(WAITING);
    let (withdrawals, withdrawn) = channel(1);
    (Remote { prints, withdrawals }, Orders { prints: printed, withdrawals: withdrawn, left_as: "cancelled" })
}

/// What can be done about orders just now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hearing {
    Everything,
    /// There is nowhere to print, so whoever prints has to wait.
    Withdrawals,
}

impl Orders {
    /// The next order; none will come when every remote is gone.
    pub(crate) async fn next(&mut self, hearing: Hearing) -> Order {
        tokio::select! {
            biased;
            // A withdrawal does not wait for whoever never stops printing.
            Some(notice) = self.withdrawals.recv() => Order::Withdraw(notice),
            Some(text) = self.prints.recv(), if hearing == Hearing::Everything => Order::Print(text),
            else => pending().await,
        }
    }

    /// Why the prompt is to be taken away, if it is before the terminal is ready to show it: while another program is in
    /// front the prompt can't be seen, and the answer may come from elsewhere.
    pub(crate) async fn withdrawal_before(
        &mut self,
        ready: impl Future<Output = Result<(), TermError>>,
    ) -> Result<Option<String>, TermError> {
        tokio::select! {
            biased;
            ready = ready => ready.map(|()| None),
            Some(notice) = self.withdrawals.recv() => Ok(Some(notice)),
        }
    }

    /// Why the prompt is to be taken away, if that is already known.
    pub(crate) fn next_withdrawal(&mut self) -> Option<String> {
        self.withdrawals.try_recv().ok()
    }

    /// All that is to be printed and already there.
    pub(crate) fn prints(&mut self) -> Vec<String> {
        // There is an end to it, even if somebody never stops.
        std::iter::from_fn(|| self.next_print()).take(WAITING).collect()
    }

    /// What is to be printed next, if it is already there.
    pub(crate) fn next_print(&mut self) -> Option<String> {
        self.prints.try_recv().ok()
    }
}
