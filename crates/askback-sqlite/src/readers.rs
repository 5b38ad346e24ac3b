//! Connections that read, each used by one query at a time.

use crate::failure::explain;
use crate::limits::{READERS, READS_WAITING};
use crate::lock;
use crate::open_file::open_reader;
use askback_hub::StoreError;
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

#[derive(Debug)]
pub(crate) struct Readers {
    path: PathBuf,
    idle: Arc<Mutex<Vec<Connection>>>,
    free: Arc<Semaphore>,
    places: Semaphore,
}

impl Readers {
    pub(crate) fn open(path: &Path) -> Result<Self, StoreError> {
        let idle = (0..READERS).map(|_| open_reader(path)).collect::<Result<Vec<_>, _>>()?;
        let idle = Arc::new(Mutex::new(idle));
        let (free, places) = (Arc::new(Semaphore::new(READERS)), Semaphore::new(READS_WAITING));
        Ok(Self { path: path.to_owned(), idle, free, places })
    }

    /// Waits for those who read, and lets nobody else.
    pub(crate) async fn close(&self) {
        // Were it closed at once, a query that runs would keep its connection for a while.
        let all = self.free.acquire_many(READERS as u32).await;
        self.free.close();
        drop(all);
        lock(&self.idle).clear();
    }

    /// Runs a query where it may wait for the disk.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let busy = StoreError::Busy { what: "reads waiting for the store", limit: READS_WAITING };
        let _place = self.places.try_acquire().map_err(|_| busy)?;
        let free = Arc::clone(&self.free).acquire_owned().await.map_err(|_| StoreError::Closed)?;
        let idle = Arc::clone(&self.idle);
        let path = self.path.clone();
        let reading = spawn_blocking(move || {
            let taken = lock(&idle).pop();
            // One is missing only after a query that panicked.
            let connection = taken.map_or_else(|| open_reader(&path), Ok)?;
            let read = query(&connection).map_err(|error| match error {
                rusqlite::Error::FromSqlConversionFailure(_, _, error) => StoreError::Unreadable(error.to_string()),
                error => match explain(&path, &error) {
                    StoreError::Failed(why) => StoreError::Unreadable(why),
                    explained => explained,
                },
            });
            lock(&idle).push(connection);
            // Once begun, a query ends by itself, even if nobody waits for it any more.
            drop(free);
            read
        });
        reading.await.map_err(|error| StoreError::Failed(error.to_string()))?
    }
}
