//! Who writes requests, in a thread of its own, so that it is not kept by the thousand who read.

use crate::hub::Asker;
use crate::node::Pusher;
use crate::{Done, on_one_thread};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tokio::task::LocalSet;
use tokio::time::sleep_until;

/// What is written in one go, from one number to another, to all rooms in turn.
#[derive(Clone, Copy)]
pub(crate) struct Turn {
    pub(crate) first: usize,
    pub(crate) count: usize,
    /// The time between two of them; as fast as it goes if there is none.
    pub(crate) every: Duration,
}

/// Waits until one of them is due.
pub(crate) async fn due(start: Instant, number: usize, every: Duration) {
    if !every.is_zero() {
        sleep_until((start + every.mul_f64(number as f64)).into()).await;
    }
}

/// Who writes for which server.
pub(crate) enum Writer {
    Asker(Asker),
    Pusher(Pusher),
}

/// A turn whose connections are open.
pub(crate) struct Writing {
    thread: JoinHandle<Done<Vec<Instant>>>,
    go: Option<oneshot::Sender<()>>,
    written: oneshot::Receiver<()>,
    over: oneshot::Sender<()>,
}

impl Writing {
    /// Comes back when everything is ready to be written.
    pub(crate) async fn prepare(writer: Writer, turn: Turn) -> Done<Self> {
        let (ready, is_ready) = oneshot::channel();
        let (go, goes) = oneshot::channel();
        let (is_written, written) = oneshot::channel();
        let (over, is_over) = oneshot::channel();
        let cues = Cues { ready, goes, is_written, is_over };
        let thread = std::thread::spawn(move || on_one_thread(LocalSet::new().run_until(write(writer, turn, cues))));
        let writing = Self { thread, go: Some(go), written, over };
        match is_ready.await {
            Ok(()) => Ok(writing),
            Err(_) => writing.finish().and(Err("a writer has ended before it began".into())),
        }
    }

    pub(crate) fn go(&mut self) {
        self.go.take().map(|go| go.send(()));
    }

    /// Comes back when everything was sent, or can't be.
    pub(crate) async fn written(&mut self) {
        let _ = (&mut self.written).await;
    }

    /// When each was sent. Connections are closed by then.
    pub(crate) fn finish(self) -> Done<Vec<Instant>> {
        let _ = self.over.send(());
        self.thread.join().map_err(|_| "a writer has panicked")?
    }
}

/// What a writer and its measurer tell each other.
struct Cues {
    ready: oneshot::Sender<()>,
    goes: oneshot::Receiver<()>,
    is_written: oneshot::Sender<()>,
    is_over: oneshot::Receiver<()>,
}

async fn write(writer: Writer, turn: Turn, cues: Cues) -> Done<Vec<Instant>> {
    let Cues { ready, goes, is_written, is_over } = cues;
    match writer {
        Writer::Asker(asker) => {
            let asking = asker.open().await?;
            let _ = ready.send(());
            goes.await?;
            let sent = asker.write(asking, turn).await?;
            let _ = is_written.send(());
            Ok(sent)
        }
        Writer::Pusher(pusher) => {
            let mut pushing = pusher.open().await?;
            let _ = ready.send(());
            goes.await?;
            let sent = pusher.write(&mut pushing, turn).await?;
            let _ = is_written.send(());
            // Were it to hang up now, what it wrote last would not be sure to arrive.
            let _ = is_over.await;
            Ok(sent)
        }
    }
}
