//! Signals that end a program, raced with what it does.

use crate::exit::Exit;
use std::io;
use tokio::signal::unix::{Signal, SignalKind, signal};

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

    /// The next of them.
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
pub(crate) async fn unless_signalled<F: Future>(future: F) -> io::Result<Result<F::Output, Exit>> {
    let mut signals = Signals::listen()?;
    tokio::select! {
        output = future => Ok(Ok(output)),
        kind = signals.next() => Ok(Err(Exit::Signal(u8::try_from(kind.as_raw_value()).unwrap_or(0)))),
    }
}
