//! What those who wait cost, and how long it takes to wake them all.

use crate::cast::{Cast, boundless};
use crate::commits::listen;
use crate::report::{Show, latency, rate, size};
use crate::times::Times;
use crate::{Done, crowd, on_runtime, resident};
use askback_core::{RequestId, State};
use askback_hub::Hub;
use serde_json::{Value, json};
use std::future::{Future, poll_fn};
use std::path::Path;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tokio::time::sleep;

const WAITERS: usize = 100_000;
/// Those who begin to wait at once: each reads its request first, and only so many reads may be under way.
const AT_ONCE: usize = 10_000;
/// When nobody has moved for this long, everybody sleeps.
const CALM: Duration = Duration::from_millis(100);

pub(crate) fn measure(folder: &Path) -> Done<Vec<Value>> {
    let commits = listen()?;
    on_runtime(async {
        let hub = askback_sqlite::open_hub(&folder.join("hub.db"), boundless()).await?;
        let cast = Arc::new(Cast::new(8, 8)?);
        let ids = ask(&hub, &cast, WAITERS).await?;
        // Read once before, so that the connections' own memory is not taken for the waiters'.
        let reading = hub.clone();
        let read = Arc::clone(&ids);
        crowd::each(WAITERS, move |number| {
            let (hub, ids) = (reading.clone(), Arc::clone(&read));
            async move { hub.record(&ids[number]).await.map(drop) }
        })
        .await?;
        let before = resident::bytes()?;
        let room = WaitingRoom::fill(&hub, ids.iter()).await?;
        let memory = (resident::bytes()? - before) / WAITERS as f64;
        let mut memory = size(Show::Headline, "one of 100,000 who wait, in memory", memory);
        memory["future_bytes"] = json!(size_of_val(&hub.wait(&ids[0], None)));

        let start = Instant::now();
        answer(&hub, &cast, &ids).await?;
        let answered = start.elapsed();
        let each = room.last_woken().await?.saturating_duration_since(start);
        let mut own =
            rate(Show::Detail, "100,000 answered and woken, each waiting for its own", &once(each, WAITERS), &[]);
        own["all_ns"] = json!(each.as_nanos() as f64);
        own["behind_the_last_answer_ns"] = json!(each.saturating_sub(answered).as_nanos() as f64);

        let one = ask(&hub, &cast, 1).await?;
        let room = WaitingRoom::fill(&hub, std::iter::repeat_n(&one[0], WAITERS)).await?;
        answer(&hub, &cast, &one).await?;
        let last = room.last_woken().await?;
        commits.fit(&hub).await?;
        let durable = commits.of(hub.last_event()).ok_or("the answer was never committed")?;
        let to_the_last = once(last.saturating_duration_since(durable), 1);
        let name = "from the commit of one answer to the last of 100,000 who wait for it";
        Ok(vec![memory, own, latency(Show::Headline, name, &to_the_last, &[])])
    })
}

/// What was done once, as the time of each of its pieces.
fn once(time: Duration, pieces: usize) -> Times {
    std::iter::once(time).collect::<Times>().divided_by(pieces as f64)
}

async fn ask(hub: &Hub, cast: &Arc<Cast>, count: usize) -> Done<Arc<Vec<RequestId>>> {
    let (hub, cast) = (hub.clone(), Arc::clone(cast));
    let asked = crowd::each(count, move |number| {
        let (hub, cast) = (hub.clone(), Arc::clone(&cast));
        async move { hub.ask(cast.ask(number)).await.map(|asked| asked.id().clone()) }
    });
    Ok(Arc::new(asked.await?))
}

async fn answer(hub: &Hub, cast: &Arc<Cast>, ids: &Arc<Vec<RequestId>>) -> Done<()> {
    let (hub, cast, all) = (hub.clone(), Arc::clone(cast), Arc::clone(ids));
    let answering = crowd::each(ids.len(), move |number| {
        let (hub, cast, ids) = (hub.clone(), Arc::clone(&cast), Arc::clone(&all));
        async move {
            cast.answer(&hub, &ids[number]).await?;
            Done::Ok(())
        }
    });
    answering.await.map(drop)
}

/// Those who wait at once, and what is known of them.
#[derive(Default)]
struct WaitingRoom {
    /// How often any of them was looked at by the runtime.
    polls: AtomicUsize,
    /// How many are still to be woken.
    inside: AtomicUsize,
    /// When the last of them was, or what went wrong.
    last: Mutex<Option<Result<Instant, String>>>,
    empty: Notify,
}

impl WaitingRoom {
    /// Lets tasks wait, and comes back when all of them sleep.
    async fn fill<'i>(hub: &Hub, ids: impl Iterator<Item = &'i RequestId>) -> Done<Arc<Self>> {
        let room = Arc::new(Self::default());
        room.inside.store(WAITERS, Ordering::Relaxed);
        for (number, id) in ids.enumerate() {
            if number % AT_ONCE == 0 {
                room.calm().await;
            }
            tokio::spawn(Arc::clone(&room).wait(hub.clone(), id.clone()));
        }
        room.calm().await;
        match &*room.last.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(early) => Err(format!("somebody left before the answer: {early:?}").into()),
            None => Ok(Arc::clone(&room)),
        }
    }

    async fn wait(self: Arc<Self>, hub: Hub, id: RequestId) {
        let mut waiting = pin!(hub.wait(&id, None));
        let waited = poll_fn(|context| {
            self.polls.fetch_add(1, Ordering::Relaxed);
            waiting.as_mut().poll(context)
        });
        let state = waited.await;
        let is_last = self.inside.fetch_sub(1, Ordering::Relaxed) == 1;
        let note = match state {
            Ok(State::Final(_)) if is_last => Ok(Instant::now()),
            Ok(State::Final(_)) => return,
            state => Err(format!("{state:?}")),
        };
        self.last.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(note);
        self.empty.notify_one();
    }

    async fn calm(&self) {
        loop {
            let before = self.polls.load(Ordering::Relaxed);
            sleep(CALM).await;
            if self.polls.load(Ordering::Relaxed) == before {
                return;
            }
        }
    }

    /// When the last one was woken.
    async fn last_woken(&self) -> Done<Instant> {
        self.empty.notified().await;
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner).take();
        Ok(last.ok_or("nobody was woken")??)
    }
}
