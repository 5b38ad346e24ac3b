//! Signals that end a program, raced with what it does.

use crate::exit::Exit;
use std::io;
use tokio::signal::unix::{SignalKind, signal};

/// What a future comes to, unless a signal ends it first: then it is dropped, which puts the terminal back.
pub(crate) async fn unless_signalled<F: Future>(future: F) -> io::Result<Result<F::Output, Exit>> {
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup(), SignalKind::quit()];
    let [mut interrupt, mut terminate, mut hangup, mut quit] =
        [signal(kinds[0])?, signal(kinds[1])?, signal(kinds[2])?, signal(kinds[3])?];
    let kind = tokio::select! {
        output = future => return Ok(Ok(output)),
        _ = interrupt.recv() => kinds[0],
        _ = terminate.recv() => kinds[1],
        _ = hangup.recv() => kinds[2],
        _ = quit.recv() => kinds[3],
    };
    Ok(Err(Exit::Signal(u8::try_from(kind.as_raw_value()).unwrap_or(0))))
}
