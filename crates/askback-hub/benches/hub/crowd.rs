//! Many clients at once, for work that is only to be done.

use crate::{Done, Failure};
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::task::JoinSet;

const CLIENTS: usize = 2_000;

/// Does the work for every number up to the count, each client taking the next one. The results come in any order.
pub(crate) async fn each<T, E, F>(count: usize, work: impl Fn(usize) -> F + Clone + Send + 'static) -> Done<Vec<T>>
where
    T: Send + 'static,
    E: Into<Failure>,
    F: Future<Output = Result<T, E>> + Send,
{
    let next = Arc::new(AtomicUsize::new(0));
    let mut working = JoinSet::new();
    for _ in 0..CLIENTS {
        let (next, work) = (Arc::clone(&next), work.clone());
        working.spawn(async move {
            let mut done = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count {
                    return Done::Ok(done);
                }
                done.push(work(number).await.map_err(Into::into)?);
            }
        });
    }
    let mut all = Vec::new();
    while let Some(done) = working.join_next().await {
        all.extend(done??);
    }
    Ok(all)
}
