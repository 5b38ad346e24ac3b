//! Sessions of clients of the older protocol. A session survives a restart of the hub and its eviction from memory without the client
//! noticing. Each belongs to the token that created it.

use askback_mcp::limits::{SESSION_AGE, SESSION_NOTED, SESSIONS_KEPT, SESSIONS_LOOKED_AFTER};
use axum::http::HeaderMap;
use rmcp::transport::streamable_http_server::session::{SessionState, SessionStore, SessionStoreError};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime};
use uuid::Uuid;

tokio::task_local! {
        /// The number of the caller's token.
    pub(super) static OWNER: u64;
}

/// The header with the id of a session.
const HEADER: &str = "mcp-session-id";

/// The owners and the initial states of sessions, in a directory or in memory alone.
pub(super) struct Sessions {
    directory: Option<PathBuf>,
    in_memory: Mutex<InMemory>,
}

/// The sessions in memory, and perhaps some that were evicted.
#[derive(Default)]
struct InMemory {
    sessions: HashMap<String, Session>,
    /// Counts uses, to order sessions by their last use.
    uses: u64,
    /// Counts new sessions, to remove old files every so often.
    created: u64,
}

struct Session {
    owner: u64,
    last_use: u64,
    /// The number of responses that are being sent.
    responses: usize,
    /// The time at which its use was last persisted.
    persisted_at: Instant,
}

/// Keeps a session in memory while a response is being sent.
pub(super) struct SessionLease {
    sessions: Arc<Sessions>,
    id: String,
}

impl Drop for SessionLease {
    fn drop(&mut self) {
        if let Some(session) = self.sessions.lock().sessions.get_mut(&self.id) {
            session.responses = session.responses.saturating_sub(1);
        }
    }
}

impl Sessions {
    pub(super) fn open(directory: Option<&Path>) -> Self {
        if let Some(directory) = directory {
            remove_old(directory);
        }
        Self { directory: directory.map(Path::to_owned), in_memory: Mutex::default() }
    }

    /// Whether the session of a call, if it is in memory, belongs to this token.
    pub(super) fn may_use(&self, headers: &HeaderMap, owner: u64) -> bool {
        session_id(headers).is_none_or(|id| self.lock().sessions.get(id).is_none_or(|session| session.owner == owner))
    }

    /// Leases the session in the headers of a call or of its response.
    pub(super) fn lease(self: &Arc<Self>, headers: &HeaderMap) -> Option<SessionLease> {
        let id = session_id(headers)?;
        let mut in_memory = self.lock();
        in_memory.uses += 1;
        let last_use = in_memory.uses;
        let session = in_memory.sessions.get_mut(id)?;
        session.last_use = last_use;
        session.responses += 1;
        if session.persisted_at.elapsed() > SESSION_NOTED {
            session.persisted_at = Instant::now();
            self.persist_use(id);
        }
        Some(SessionLease { sessions: Arc::clone(self), id: id.to_owned() })
    }

    /// The session in memory that was idle for the longest time. Sessions that are no longer in memory are forgotten.
    pub(super) fn longest_idle(&self, is_in_memory: impl Fn(&str) -> bool) -> Option<String> {
        let mut in_memory = self.lock();
        in_memory.sessions.retain(|id, session| session.responses > 0 || is_in_memory(id));
        let idle = in_memory.sessions.iter().filter(|(_, session)| session.responses == 0);
        idle.min_by_key(|(_, session)| session.last_use).map(|(id, _)| id.clone())
    }

    /// Forgets a session that was evicted from memory. It can be restored.
    pub(super) fn forget(&self, id: &str) {
        self.lock().sessions.remove(id);
    }

    /// Persists the last use of a session as the modification time of its file.
    fn persist_use(&self, id: &str) {
        if let Some(file) = self.file(id).and_then(|file| fs::File::options().write(true).open(file).ok()) {
            let _ = file.set_modified(SystemTime::now());
        }
    }

    fn keep_owner(&self, id: &str, owner: u64) {
        let mut in_memory = self.lock();
        in_memory.uses += 1;
        let last_use = in_memory.uses;
        let session = in_memory.sessions.entry(id.to_owned());
        session.or_insert(Session { owner, last_use, responses: 0, persisted_at: Instant::now() }).last_use = last_use;
    }

    fn lock(&self) -> MutexGuard<'_, InMemory> {
        self.in_memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file of a session. Only a UUID becomes a file name.
    fn file(&self, id: &str) -> Option<PathBuf> {
        let id = Uuid::parse_str(id).ok()?;
        Some(self.directory.as_ref()?.join(format!("{id}.json")))
    }

    fn read(&self, id: &str) -> Option<SessionFile<SessionState>> {
        serde_json::from_str(&fs::read_to_string(self.file(id)?).ok()?).ok()
    }
}

/// The file of a session.
#[derive(Serialize, Deserialize)]
struct SessionFile<S> {
    /// The number of the token that created it.
    token: u64,
    session: S,
}

#[async_trait::async_trait]
impl SessionStore for Sessions {
    async fn load(&self, id: &str) -> Result<Option<SessionState>, SessionStoreError> {
        let Some(SessionFile { token, session }) = self.read(id) else { return Ok(None) };
        if OWNER.try_with(|caller| *caller) != Ok(token) {
            return Ok(None);
        }
        self.persist_use(id);
        self.keep_owner(id, token);
        Ok(Some(session))
    }

    async fn store(&self, id: &str, state: &SessionState) -> Result<(), SessionStoreError> {
        let owner = OWNER.try_with(|caller| *caller)?;
        self.keep_owner(id, owner);
        let (Some(directory), Some(file)) = (&self.directory, self.file(id)) else { return Ok(()) };
        fs::create_dir_all(directory)?;
        let created = {
            let mut in_memory = self.lock();
            in_memory.created += 1;
            in_memory.created
        };
        // Not each time, since it reads the whole directory.
        if created.is_multiple_of(SESSIONS_LOOKED_AFTER) {
            remove_old(directory);
        }
        let text = serde_json::to_string(&SessionFile { token: owner, session: state })?;
        let mut options = fs::OpenOptions::new();
        let written = options.create(true).write(true).truncate(true).mode(0o600).open(file);
        // The client of a session that is not persisted has to initialize again after a restart.
        if let Err(error) = written.and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes())) {
            tracing::warn!(%error, "a session of an MCP client can't be kept");
        }
        Ok(())
    }

    async fn delete(&self, id: &str) -> Result<(), SessionStoreError> {
        let caller = OWNER.try_with(|caller| *caller).ok();
        // A caller can't end the session of another.
        if self.read(id).is_some_and(|file| caller.is_some_and(|caller| caller != file.token)) {
            return Ok(());
        }
        self.forget(id);
        if let Some(file) = self.file(id) {
            let _ = fs::remove_file(file);
        }
        Ok(())
    }
}

pub(super) fn session_id(headers: &HeaderMap) -> Option<&str> {
    headers.get(HEADER)?.to_str().ok()
}

/// Removes the files of sessions that were not used for long, and the oldest ones beyond the limit.
fn remove_old(directory: &Path) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    let now = SystemTime::now();
    let aged = entries.filter_map(|entry| {
        let entry = entry.ok()?;
        let age = now.duration_since(entry.metadata().ok()?.modified().ok()?).unwrap_or_default();
        Some((age, entry.path()))
    });
    let mut aged: Vec<_> = aged.collect();
    aged.sort();
    for (position, (age, path)) in aged.into_iter().enumerate() {
        if age > SESSION_AGE || position >= SESSIONS_KEPT {
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::InitializeRequestParams;

    fn state() -> SessionState {
        SessionState::new(InitializeRequestParams::default())
    }

    // S1
    #[tokio::test]
    async fn a_session_outlives_the_hub_and_is_its_makers_alone() {
        let folder = tempfile::tempdir().unwrap();
        let id = Uuid::now_v7().to_string();
        let made = Sessions::open(Some(folder.path()));
        OWNER.scope(7, made.store(&id, &state())).await.unwrap();
        let named = |id: &str| HeaderMap::from_iter([(HEADER.parse().unwrap(), id.parse().unwrap())]);
        assert!(made.may_use(&named(&id), 7) && !made.may_use(&named(&id), 8));
        let again = Sessions::open(Some(folder.path()));
        assert!(OWNER.scope(8, again.load(&id)).await.unwrap().is_none());
        OWNER.scope(8, again.delete(&id)).await.unwrap();
        assert!(OWNER.scope(7, again.load(&id)).await.unwrap().is_some());
        assert!(!again.may_use(&named(&id), 8));
        again.delete(&id).await.unwrap();
        assert!(OWNER.scope(7, again.load(&id)).await.unwrap().is_none());
    }

    // S3
    #[tokio::test]
    async fn what_is_no_id_names_no_file() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("x.json"), r#"{"token": 7, "session": {}}"#).unwrap();
        let sessions = Sessions::open(Some(&folder.path().join("inner")));
        for id in ["../x", "x", "", "..", "/etc/passwd"] {
            assert!(OWNER.scope(7, sessions.load(id)).await.unwrap().is_none(), "{id}");
            assert!(sessions.file(id).is_none(), "{id}");
        }
    }

    // S3
    #[tokio::test]
    async fn the_one_that_was_silent_for_the_longest_time_gives_its_place_up() {
        let sessions = Arc::new(Sessions::open(None));
        let ids: Vec<String> = (0..4).map(|_| Uuid::now_v7().to_string()).collect();
        for id in &ids {
            OWNER.scope(7, sessions.store(id, &state())).await.unwrap();
        }
        let headers = |id: &str| HeaderMap::from_iter([(HEADER.parse().unwrap(), id.parse().unwrap())]);
        // The first has a response under way, the second was used again, the last is no longer in memory.
        let lease = sessions.lease(&headers(&ids[0]));
        drop(sessions.lease(&headers(&ids[1])));
        let is_in_memory = |id: &str| id != ids[3];
        let forgotten = || sessions.longest_idle(is_in_memory).inspect(|id| sessions.forget(id));
        assert_eq!(forgotten().as_ref(), Some(&ids[2]));
        assert_eq!(forgotten().as_ref(), Some(&ids[1]));
        assert_eq!(forgotten(), None);
        drop(lease);
        assert_eq!(forgotten().as_ref(), Some(&ids[0]));
        assert!(sessions.lock().sessions.is_empty());
    }

    // S3
    #[tokio::test]
    async fn no_more_are_kept_than_may_be() {
        let folder = tempfile::tempdir().unwrap();
        let sessions = Sessions::open(Some(folder.path()));
        for _ in 0..SESSIONS_KEPT + 3 * SESSIONS_LOOKED_AFTER as usize {
            OWNER.scope(7, sessions.store(&Uuid::now_v7().to_string(), &state())).await.unwrap();
        }
        let kept = fs::read_dir(folder.path()).unwrap().count();
        assert!((SESSIONS_KEPT..=SESSIONS_KEPT + SESSIONS_LOOKED_AFTER as usize).contains(&kept), "{kept}");
    }
}
