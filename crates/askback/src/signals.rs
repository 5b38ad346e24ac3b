//! Running a command's future, until a signal ends it.

use crate::error::CliError;
use std::io;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Runs a future. Its work in other threads, such as the start of a hub or a name look-up, is not worth waiting for.
pub(crate) fn block_on<F: Future>(future: F) -> io::Result<F::Output> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let output = runtime.block_on(future);
    runtime.shutdown_background();
    Ok(output)
}

/// The signals that are to end this program: heard from the moment this is made, so that none of them ends it before it has
/// put the terminal back.
pub(crate) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hangup: Signal,
    quit: Signal,
}

impl Signals {
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
            quit: signal(SignalKind::quit())?,
        })
    }

    pub(crate) async fn next(&mut self) -> SignalKind {
        tokio::select! {
            _ = self.interrupt.recv() => SignalKind::interrupt(),
            _ = self.terminate.recv() => SignalKind::terminate(),
            _ = self.hangup.recv() => SignalKind::hangup(),
            _ = self.quit.recv() => SignalKind::quit(),
        }
    }
}

/// What a future comes to, unless a signal ends it first: then it is dropped, which puts the terminal back.
pub(crate) async fn unless_signalled<F: Future>(future: F) -> Result<F::Output, CliError> {
    let mut signals = Signals::listen()?;
    tokio::select! {
        output = future => Ok(output),
        kind = signals.next() => Err(CliError::Ended(kind.into())),
    }
}
