//! Sessions of clients of the older protocol. A session survives a restart of the hub and its eviction from memory without the client
//! noticing. Each belongs to the token that created it, and each token has its share of them.

use crate::fault::Fault;
use askback_api::ProblemCode;
use askback_mcp::limits::{
    SESSION_AGE, SESSIONS_IN_MEMORY, SESSIONS_IN_MEMORY_OF_TOKEN, SESSIONS_KEPT, SESSIONS_KEPT_OF_TOKEN,
    SESSIONS_LOOKED_AFTER,
};
use axum::http::HeaderMap;
use rmcp::transport::streamable_http_server::session::{SessionState, SessionStore, SessionStoreError};
use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use table::SessionTable;
use uuid::Uuid;

mod table;

tokio::task_local! {
    /// The caller, as the library's calls of the store find it.
    pub(super) static CALLER: SessionCaller;
}

/// The caller that uses the store.
#[derive(Clone, Copy)]
pub(super) struct SessionCaller {
    /// The number of its token.
    owner: u64,
    /// The number of the reservation for a session that enters memory.
    reservation: Option<u64>,
}

impl SessionCaller {
    pub(super) fn new(owner: u64, reservation: Option<&Reservation>) -> Self {
        Self { owner, reservation: reservation.map(|reservation| reservation.number) }
    }
}

/// The header with the id of a session.
pub(super) const HEADER: &str = "mcp-session-id";

/// The owners and the initial states of sessions, in a directory or in memory alone.
pub(super) struct Sessions {
    /// It has a directory for each token, with a file for each session.
    directory: Option<PathBuf>,
    table: Mutex<SessionTable>,
    /// Counts new sessions, to remove old files every so often.
    created: AtomicU64,
}

/// No session can leave memory, since each of these has a response under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AllInUse {
    /// The token's share.
    OfToken,
    Total,
}

impl From<AllInUse> for Fault {
    fn from(all: AllInUse) -> Self {
        let why = match all {
            AllInUse::OfToken => {
                format!("this token has {SESSIONS_IN_MEMORY_OF_TOKEN} sessions in use: end one, or try again later")
            }
            AllInUse::Total => format!("{SESSIONS_IN_MEMORY} sessions are in use: try again later"),
        };
        Self::new(ProblemCode::TooMany, why)
    }
}

/// Keeps a session in memory while a call is handled or a response is being sent.
pub(super) struct SessionLease {
    sessions: Arc<Sessions>,
    id: String,
}

impl Drop for SessionLease {
    fn drop(&mut self) {
        self.sessions.lock().release(&self.id);
    }
}

/// A place in memory for a session that is beginning or being restored, while its call is handled.
pub(super) struct Reservation {
    sessions: Arc<Sessions>,
    number: u64,
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.sessions.lock().end_reservation(self.number);
    }
}

impl Sessions {
    pub(super) fn open(directory: Option<&Path>) -> Self {
        if let Some(directory) = directory {
            remove_old(directory);
        }
        Self { directory: directory.map(Path::to_owned), table: Mutex::default(), created: AtomicU64::new(0) }
    }

    /// Whether the session of a call, if it is in memory, belongs to this token.
    pub(super) fn may_use(&self, headers: &HeaderMap, owner: u64) -> bool {
        session_id(headers).and_then(|id| self.lock().owner(id)).is_none_or(|other| other == owner)
    }

    /// Leases a session that is in memory.
    pub(super) fn lease(self: &Arc<Self>, id: &str) -> Option<SessionLease> {
        let used = self.lock().lease(id)?;
        let lease = SessionLease { sessions: Arc::clone(self), id: id.to_owned() };
        if used.is_to_persist {
            self.persist_use(used.owner, id);
        }
        Some(lease)
    }

    /// Reserves a place in memory for another session of this token. The sessions that are returned must leave memory first.
    pub(super) fn reserve(
        self: &Arc<Self>,
        owner: u64,
        in_memory: &HashSet<&str>,
    ) -> (Vec<String>, Result<Reservation, AllInUse>) {
        let (leaving, reserved) = self.lock().reserve(owner, in_memory);
        (leaving, reserved.map(|number| Reservation { sessions: Arc::clone(self), number }))
    }

    /// Whether a token's session that is not in memory can be restored.
    pub(super) fn is_persisted(&self, owner: u64, id: &str) -> bool {
        self.file(owner, id).is_some_and(|file| file.exists())
    }

    /// Persists the last use of a session as the modification time of its file.
    fn persist_use(&self, owner: u64, id: &str) {
        if let Some(file) = self.file(owner, id).and_then(|file| fs::File::options().write(true).open(file).ok()) {
            let _ = file.set_modified(SystemTime::now());
        }
    }

    fn lock(&self) -> MutexGuard<'_, SessionTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file of a token's session. Only a UUID becomes a file name.
    fn file(&self, owner: u64, id: &str) -> Option<PathBuf> {
        let id = Uuid::parse_str(id).ok()?;
        Some(self.directory.as_ref()?.join(owner.to_string()).join(format!("{id}.json")))
    }
}

#[async_trait::async_trait]
impl SessionStore for Sessions {
    async fn load(&self, id: &str) -> Result<Option<SessionState>, SessionStoreError> {
        // Only the caller's own are looked for.
        let Ok(SessionCaller { owner, reservation }) = CALLER.try_with(|caller| *caller) else { return Ok(None) };
        let text = self.file(owner, id).and_then(|file| fs::read_to_string(file).ok());
        let Some(state) = text.and_then(|text| serde_json::from_str(&text).ok()) else { return Ok(None) };
        self.persist_use(owner, id);
        self.lock().enter(id, owner, reservation);
        Ok(Some(state))
    }

    async fn store(&self, id: &str, state: &SessionState) -> Result<(), SessionStoreError> {
        let SessionCaller { owner, reservation } = CALLER.try_with(|caller| *caller)?;
        self.lock().enter(id, owner, reservation);
        let (Some(directory), Some(file)) = (&self.directory, self.file(owner, id)) else { return Ok(()) };
        fs::create_dir_all(directory.join(owner.to_string()))?;
        let created = self.created.fetch_add(1, Relaxed) + 1;
        // Not each time, since it reads the whole directory.
        if created.is_multiple_of(SESSIONS_LOOKED_AFTER) {
            remove_old(directory);
        }
        let text = serde_json::to_string(state)?;
        let mut options = fs::OpenOptions::new();
        let written = options.create(true).write(true).truncate(true).mode(0o600).open(file);
        // The client of a session that is not persisted has to initialize again after a restart.
        if let Err(error) = written.and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes())) {
            tracing::warn!(%error, "a session of an MCP client can't be kept");
        }
        Ok(())
    }

    async fn delete(&self, id: &str) -> Result<(), SessionStoreError> {
        let in_memory = self.lock().owner(id);
        let Some(owner) = CALLER.try_with(|caller| caller.owner).ok().or(in_memory) else { return Ok(()) };
        // A caller can't end the session of another.
        if in_memory.is_some_and(|other| other != owner) {
            return Ok(());
        }
        self.lock().remove(id);
        if let Some(file) = self.file(owner, id) {
            let _ = fs::remove_file(file);
        }
        Ok(())
    }
}

pub(super) fn session_id(headers: &HeaderMap) -> Option<&str> {
    headers.get(HEADER)?.to_str().ok()
}

/// Removes the files of sessions that were not used for long, the oldest ones beyond the share of their token, and beyond the limit the
/// oldest ones of the token that has the most: no token takes the place of those that have few.
fn remove_old(directory: &Path) {
    let mut kept = Vec::new();
    for path in paths_in(directory) {
        // Sessions of a version that had no share for each token.
        if path.is_file() {
            let _ = fs::remove_file(path);
            continue;
        }
        let mut own = newest_first(paths_in(&path));
        let stays = own.iter().take(SESSIONS_KEPT_OF_TOKEN).take_while(|(age, _)| *age <= SESSION_AGE).count();
        remove_all(own.split_off(stays));
        kept.push(own);
    }
    let total: usize = kept.iter().map(Vec::len).sum();
    for _ in SESSIONS_KEPT..total {
        let largest = kept.iter_mut().max_by_key(|own| (own.len(), own.last().map(|(age, _)| *age)));
        remove_all(largest.and_then(Vec::pop));
    }
}

fn paths_in(directory: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(directory).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()))
}

/// The files with their ages.
fn newest_first(files: impl Iterator<Item = PathBuf>) -> Vec<(Duration, PathBuf)> {
    let now = SystemTime::now();
    let age = |path: &PathBuf| now.duration_since(path.metadata().ok()?.modified().ok()?).ok();
    let mut aged: Vec<_> = files.map(|path| (age(&path).unwrap_or_default(), path)).collect();
    aged.sort();
    aged
}

fn remove_all(files: impl IntoIterator<Item = (Duration, PathBuf)>) {
    for (_, file) in files {
        let _ = fs::remove_file(file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::InitializeRequestParams;

    fn state() -> SessionState {
        SessionState::new(InitializeRequestParams::default())
    }

    fn of(owner: u64) -> SessionCaller {
        SessionCaller::new(owner, None)
    }

    // S1
    #[tokio::test]
    async fn a_session_outlives_the_hub_and_is_its_makers_alone() {
        let folder = tempfile::tempdir().unwrap();
        let id = Uuid::now_v7().to_string();
        let made = Sessions::open(Some(folder.path()));
        CALLER.scope(of(7), made.store(&id, &state())).await.unwrap();
        let named = |id: &str| HeaderMap::from_iter([(HEADER.parse().unwrap(), id.parse().unwrap())]);
        assert!(made.may_use(&named(&id), 7) && !made.may_use(&named(&id), 8));
        let again = Sessions::open(Some(folder.path()));
        assert!(CALLER.scope(of(8), again.load(&id)).await.unwrap().is_none());
        CALLER.scope(of(8), again.delete(&id)).await.unwrap();
        assert!(CALLER.scope(of(7), again.load(&id)).await.unwrap().is_some());
        assert!(!again.may_use(&named(&id), 8));
        again.delete(&id).await.unwrap();
        assert!(CALLER.scope(of(7), again.load(&id)).await.unwrap().is_none());
    }

    // S3
    #[tokio::test]
    async fn what_is_no_id_names_no_file() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("x.json"), "{}").unwrap();
        let sessions = Sessions::open(Some(&folder.path().join("inner")));
        for id in ["../x", "x", "", "..", "/etc/passwd"] {
            assert!(CALLER.scope(of(7), sessions.load(id)).await.unwrap().is_none(), "{id}");
            assert!(sessions.file(7, id).is_none(), "{id}");
        }
    }

    fn new_id() -> String {
        Uuid::now_v7().to_string()
    }

    /// New sessions of a token.
    async fn begun(sessions: &Sessions, owner: u64, count: usize) -> Vec<String> {
        let ids: Vec<String> = (0..count).map(|_| new_id()).collect();
        for id in &ids {
            CALLER.scope(of(owner), sessions.store(id, &state())).await.unwrap();
        }
        ids
    }

    // S3, S8
    #[tokio::test]
    async fn persisted_sessions_of_one_token_leave_those_of_others() {
        let folder = tempfile::tempdir().unwrap();
        let sessions = Sessions::open(Some(folder.path()));
        let others = begun(&sessions, 8, 3).await;
        begun(&sessions, 7, 3 * SESSIONS_KEPT_OF_TOKEN).await;
        let kept = paths_in(&folder.path().join("7")).count();
        assert!((SESSIONS_KEPT_OF_TOKEN..=SESSIONS_KEPT_OF_TOKEN + SESSIONS_LOOKED_AFTER as usize).contains(&kept));
        for owner in 10..10 + (SESSIONS_KEPT / SESSIONS_KEPT_OF_TOKEN) as u64 {
            begun(&sessions, owner, SESSIONS_KEPT_OF_TOKEN).await;
        }
        remove_old(folder.path());
        let all = paths_in(folder.path()).flat_map(|token| paths_in(&token).collect::<Vec<_>>()).count();
        assert_eq!(all, SESSIONS_KEPT);
        let are_kept = others.iter().all(|id| sessions.is_persisted(8, id));
        assert!(are_kept, "the oldest of all, of a token that has few");
    }
}
