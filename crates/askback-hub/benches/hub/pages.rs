//! Pages of an inbox with a million pending requests. The goal: 99 of 100 within a millisecond.

use crate::cast::Cast;
use crate::million::{ASKERS, REQUESTS, ROOMS, TIMES};
use crate::report::{Show, latency};
use crate::times::repeat;
use crate::{Done, crowd};
use askback_core::{Name, Status};
use askback_hub::{Cursor, Hub, HubError, Query, Record, limits};
use serde_json::Value;
use std::sync::Arc;

/// The room in which half of all requests are.
pub(crate) const BUSY_ROOM: usize = 0;
/// Somebody whose few requests are the oldest there.
pub(crate) const RARE_ASKER: &str = "rare-agent";
const ITEMS: usize = 50;
/// As many as a screen shows.
const SCREEN: usize = 20;
const ANSWERED: usize = 10_000;

/// What is looked for, by a number that goes through rooms, askers and places.
type Looking<'c> = Box<dyn Fn(usize) -> Done<Query> + Send + 'c>;

/// A kind of page, by name.
struct Kind<'c> {
    name: &'static str,
    show: Show,
    query: Looking<'c>,
}

pub(crate) async fn measure(hub: &Hub, cast: &Arc<Cast>) -> Done<Vec<Value>> {
    let mut results = look(hub, pending(cast)).await?;
    answer_some(hub, cast).await?;
    results.extend(look(hub, history(cast)).await?);
    Ok(results)
}

async fn look(hub: &Hub, kinds: Vec<Kind<'_>>) -> Done<Vec<Value>> {
    let mut results = Vec::new();
    for Kind { name, show, query } in kinds {
        let mut numbers = 0..;
        let times = repeat(TIMES, || {
            let query = query(numbers.next().unwrap_or_default());
            async { Done::Ok(hub.list(query?).await?) }
        });
        results.push(latency(show, &format!("1,000,000 pending: {name}"), &times.await?, &[]));
    }
    Ok(results)
}

fn kind<'c>(name: &'static str, show: Show, query: impl Fn(usize) -> Done<Query> + Send + 'c) -> Kind<'c> {
    Kind { name, show, query: Box::new(query) }
}

/// Pages of what is pending.
fn pending(cast: &Cast) -> Vec<Kind<'_>> {
    let all = || Query { status: Some(Status::Pending), limit: ITEMS, ..Query::default() };
    let room = |number: usize| Some(cast.room(1 + number % (ROOMS - 1)));
    let asker = |number: usize| Some(cast.asker(number % ASKERS));
    let screen = move || Query { limit: SCREEN, ..all() };
    vec![
        kind("the newest 20", Show::Headline, move |_| Ok(screen())),
        kind("the newest 20 of a room", Show::Headline, move |number| Ok(Query { room: room(number), ..screen() })),
        kind("20 from somewhere", Show::Headline, move |number| {
            Ok(Query { after: Some(somewhere(number)?), ..screen() })
        }),
        kind("the newest 50", Show::Detail, move |_| Ok(all())),
        kind("the newest of them", Show::Detail, move |_| Ok(Query { limit: 1, ..all() })),
        kind("the newest 50 of a room", Show::Detail, move |number| Ok(Query { room: room(number), ..all() })),
        kind("the newest 50 of an asker", Show::Detail, move |number| Ok(Query { asker: asker(number), ..all() })),
        kind("the newest 50 of an asker in a room", Show::Detail, move |number| {
            Ok(Query { room: room(number), asker: asker(number), ..all() })
        }),
        kind("50 from somewhere", Show::Detail, move |number| Ok(Query { after: Some(somewhere(number)?), ..all() })),
        kind("50 of a room from somewhere", Show::Detail, move |number| {
            Ok(Query { room: room(number), after: Some(somewhere(number)?), ..all() })
        }),
        kind("the only 10 of an asker in a room of 500,000, the oldest", Show::Detail, move |_| {
            Ok(Query { room: Some(cast.room(BUSY_ROOM)), asker: Some(Name::parse(RARE_ASKER)?), ..all() })
        }),
    ]
}

/// Pages of what was, once some have been answered.
fn history(cast: &Cast) -> Vec<Kind<'_>> {
    let all = || Query { limit: ITEMS, ..Query::default() };
    let answered = move || Query { status: Some(Status::Answered), ..all() };
    let room = |number: usize| Some(cast.room(1 + number % (ROOMS - 1)));
    let asker = |number: usize| Some(cast.asker(number % ASKERS));
    vec![
        kind("the newest 50 with those that have ended", Show::Detail, move |_| Ok(all())),
        kind("the newest 50 of 10,000 answered", Show::Detail, move |_| Ok(answered())),
        kind("the newest 50 answered of a room", Show::Detail, move |number| {
            Ok(Query { room: room(number), ..answered() })
        }),
        kind("the newest 50 answered of an asker", Show::Detail, move |number| {
            Ok(Query { asker: asker(number), ..answered() })
        }),
        kind("all 10 of an asker, pending or not", Show::Detail, move |_| {
            Ok(Query { asker: Some(Name::parse(RARE_ASKER)?), ..all() })
        }),
    ]
}

/// A place among all requests, another for each number.
fn somewhere(number: usize) -> Done<Cursor> {
    // A prime steps through all of them, far at each step.
    after((number * 611_953 % REQUESTS).max(ITEMS))
}

/// The cursor that a page gives which ends with the request of this number. That this is how it is written is nobody's
/// business; but to get there page by page would take longer than all that is measured.
fn after(number: usize) -> Done<Cursor> {
    Ok(Cursor::parse(&format!("c{number:x}"))?)
}

/// Some of the oldest, which nobody has in memory any more.
pub(crate) async fn oldest(hub: &Hub) -> Done<Vec<Record>> {
    let after = Some(after(REQUESTS / 10)?);
    let query = Query { status: Some(Status::Pending), limit: limits::PAGE_ITEMS, after, ..Query::default() };
    Ok(hub.list(query).await?.items.into_iter().map(|listed| listed.record).collect())
}

/// Answers some from everywhere.
async fn answer_some(hub: &Hub, cast: &Arc<Cast>) -> Done<()> {
    let (hub, cast) = (hub.clone(), Arc::clone(cast));
    let answered = crowd::each(ANSWERED, move |number| {
        let (hub, cast) = (hub.clone(), Arc::clone(&cast));
        async move {
            let after = Some(after(REQUESTS - number * (REQUESTS / 2 / ANSWERED))?);
            let query = Query { status: Some(Status::Pending), limit: 1, after, ..Query::default() };
            let page = hub.list(query).await?;
            let record = &page.items.first().ok_or("nothing is pending there")?.record;
            match cast.answer(&hub, &record.id).await {
                // Two may find the same one.
                Ok(_) | Err(HubError::AlreadyEnded(_)) => Done::Ok(()),
                Err(error) => Err(error.into()),
            }
        }
    });
    answered.await.map(drop)
}
