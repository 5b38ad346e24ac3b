//! Sessions of clients of the older protocol. A client that initialized once goes on after the hub was started again, without noticing; so
//! does one that was silent for longer than its place in memory was kept. Each belongs to the token that made it.

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
    /// The number of the token whose call it is.
    pub(super) static OWNER: u64;
}

/// The header by which a client names its session.
const HEADER: &str = "mcp-session-id";

/// Whose sessions are whose, and what they began with: in a folder, or in memory alone.
pub(super) struct Sessions {
    folder: Option<PathBuf>,
    known: Mutex<Known>,
}

/// The sessions that are in memory, and perhaps some that were.
#[derive(Default)]
struct Known {
    sessions: HashMap<String, Session>,
    /// Counts uses, so that it can be said which was before which.
    uses: u64,
    /// Counts beginnings, after some of which it is looked whether too many are kept.
    begun: u64,
}

struct Session {
    owner: u64,
    last_use: u64,
    /// Answers to it that are on their way.
    answers: usize,
    /// When it was last written down that it is used.
    noted_at: Instant,
}

/// A session that an answer is on its way to. As long as there is one, it keeps its place in memory.
pub(super) struct InUse {
    sessions: Arc<Sessions>,
    id: String,
}

impl Drop for InUse {
    fn drop(&mut self) {
        if let Some(session) = self.sessions.lock().sessions.get_mut(&self.id) {
            session.answers = session.answers.saturating_sub(1);
        }
    }
}

impl Sessions {
    pub(super) fn open(folder: Option<&Path>) -> Self {
        if let Some(folder) = folder {
            forget_old(folder);
        }
        Self { folder: folder.map(Path::to_owned), known: Mutex::default() }
    }

    /// Whether the session that a call names, if any, is this token's, as far as it is known.
    pub(super) fn may_use(&self, headers: &HeaderMap, owner: u64) -> bool {
        let known = named(headers).and_then(|id| self.lock().sessions.get(id).map(|session| session.owner));
        known.is_none_or(|known| known == owner)
    }

    /// The session that these headers name, of a call or of its answer, as long as that answer is on its way.
    pub(super) fn using(self: &Arc<Self>, headers: &HeaderMap) -> Option<InUse> {
        let id = named(headers)?;
        let mut known = self.lock();
        known.uses += 1;
        let now = known.uses;
        let session = known.sessions.get_mut(id)?;
        session.last_use = now;
        session.answers += 1;
        if session.noted_at.elapsed() > SESSION_NOTED {
            session.noted_at = Instant::now();
            self.note_use(id);
        }
        Some(InUse { sessions: Arc::clone(self), id: id.to_owned() })
    }

    /// The session that was silent for the longest time, of those that are in memory. What is not there is forgotten.
    pub(super) fn longest_silent(&self, is_in_memory: impl Fn(&str) -> bool) -> Option<String> {
        let mut known = self.lock();
        known.sessions.retain(|id, session| session.answers > 0 || is_in_memory(id));
        let silent = known.sessions.iter().filter(|(_, session)| session.answers == 0);
        silent.min_by_key(|(_, session)| session.last_use).map(|(id, _)| id.clone())
    }

    /// Forgets a session that has no place in memory any more. It can be restored.
    pub(super) fn forget(&self, id: &str) {
        self.lock().sessions.remove(id);
    }

    /// Its file is as old as its last use, more or less.
    fn note_use(&self, id: &str) {
        if let Some(file) = self.file(id).and_then(|file| fs::File::options().write(true).open(file).ok()) {
            let _ = file.set_modified(SystemTime::now());
        }
    }

    fn keep_owner(&self, id: &str, owner: u64) {
        let mut known = self.lock();
        known.uses += 1;
        let last_use = known.uses;
        let session = known.sessions.entry(id.to_owned());
        session.or_insert(Session { owner, last_use, answers: 0, noted_at: Instant::now() }).last_use = last_use;
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file of a session. What is no id of ours is no name of a file either.
    fn file(&self, id: &str) -> Option<PathBuf> {
        let id = Uuid::parse_str(id).ok()?;
        Some(self.folder.as_ref()?.join(format!("{id}.json")))
    }

    fn read(&self, id: &str) -> Option<(u64, SessionState)> {
        let text = fs::read_to_string(self.file(id)?).ok()?;
        let KeptSession { token, session } = serde_json::from_str(&text).ok()?;
        Some((token, session))
    }
}

/// A session as its file holds it.
#[derive(Serialize, Deserialize)]
struct KeptSession<S> {
    /// The number of the token that made it.
    token: u64,
    session: S,
}

#[async_trait::async_trait]
impl SessionStore for Sessions {
    async fn load(&self, id: &str) -> Result<Option<SessionState>, SessionStoreError> {
        let Some((owner, state)) = self.read(id) else { return Ok(None) };
        if OWNER.try_with(|caller| *caller) != Ok(owner) {
            return Ok(None);
        }
        self.note_use(id);
        self.keep_owner(id, owner);
        Ok(Some(state))
    }

    async fn store(&self, id: &str, state: &SessionState) -> Result<(), SessionStoreError> {
        let owner = OWNER.try_with(|caller| *caller)?;
        self.keep_owner(id, owner);
        let Some(file) = self.file(id) else { return Ok(()) };
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        let begun = {
            let mut known = self.lock();
            known.begun += 1;
            known.begun
        };
        // Not each time: it looks at all of them.
        if let (Some(folder), true) = (&self.folder, begun.is_multiple_of(SESSIONS_LOOKED_AFTER)) {
            forget_old(folder);
        }
        let text = serde_json::to_string(&KeptSession { token: owner, session: state })?;
        let mut options = fs::OpenOptions::new();
        let written = options.create(true).write(true).truncate(true).mode(0o600).open(file);
        // One that is not kept has to be begun again, and no more.
        if let Err(error) = written.and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes())) {
            tracing::warn!(%error, "a session of an MCP client can't be kept");
        }
        Ok(())
    }

    async fn delete(&self, id: &str) -> Result<(), SessionStoreError> {
        let caller = OWNER.try_with(|caller| *caller).ok();
        // What is not its own it can't see, and so not end.
        if self.read(id).is_some_and(|(owner, _)| caller.is_some_and(|caller| caller != owner)) {
            return Ok(());
        }
        self.forget(id);
        if let Some(file) = self.file(id) {
            let _ = fs::remove_file(file);
        }
        Ok(())
    }
}

/// The session that is named.
pub(super) fn named(headers: &HeaderMap) -> Option<&str> {
    headers.get(HEADER)?.to_str().ok()
}

/// Forgets sessions that nobody came back to, and the oldest of too many.
fn forget_old(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
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
        // The first has an answer on its way, the second has come again, the last is in memory no more.
        let in_use = sessions.using(&headers(&ids[0]));
        drop(sessions.using(&headers(&ids[1])));
        let is_in_memory = |id: &str| id != ids[3];
        let forgotten = || sessions.longest_silent(is_in_memory).inspect(|id| sessions.forget(id));
        assert_eq!(forgotten().as_ref(), Some(&ids[2]));
        assert_eq!(forgotten().as_ref(), Some(&ids[1]));
        assert_eq!(forgotten(), None);
        drop(in_use);
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
