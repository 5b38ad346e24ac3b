//! Sessions of clients of the older protocol. A session survives a restart of the hub and its eviction from memory without the client
//! noticing. Each belongs to the token that created it, and each token has its share of them.

use crate::fault::Fault;
use askback_api::ProblemCode;
use askback_mcp::limits::{
    SESSION_AGE, SESSION_NOTED, SESSIONS_IN_MEMORY, SESSIONS_IN_MEMORY_OF_TOKEN, SESSIONS_KEPT, SESSIONS_KEPT_OF_TOKEN,
    SESSIONS_LOOKED_AFTER,
};
use axum::http::HeaderMap;
use rmcp::transport::streamable_http_server::session::{SessionState, SessionStore, SessionStoreError};
use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use uuid::Uuid;

tokio::task_local! {
        /// The number of the caller's token.
    pub(super) static OWNER: u64;
}

/// The header with the id of a session.
pub(super) const HEADER: &str = "mcp-session-id";

/// The owners and the initial states of sessions, in a directory or in memory alone.
pub(super) struct Sessions {
    /// It has a directory for each token, with a file for each session.
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
            self.persist_use(session.owner, id);
        }
        Some(SessionLease { sessions: Arc::clone(self), id: id.to_owned() })
    }

    /// The session that must leave memory before another one of this token may enter it: one of its own if it has its share, or else one
    /// of the token that has the most. It is the session that was idle for the longest time. Sessions that are no longer in memory are
    /// forgotten.
    pub(super) fn to_evict(&self, owner: u64, is_in_memory: impl Fn(&str) -> bool) -> Result<Option<String>, AllInUse> {
        let mut in_memory = self.lock();
        in_memory.sessions.retain(|id, session| session.responses > 0 || is_in_memory(id));
        let mut counts: HashMap<u64, usize> = HashMap::new();
        for session in in_memory.sessions.values() {
            *counts.entry(session.owner).or_default() += 1;
        }
        let longest_idle = |owner: u64| {
            let own = in_memory.sessions.iter().filter(|(_, session)| session.owner == owner && session.responses == 0);
            own.min_by_key(|(_, session)| session.last_use).map(|(id, _)| id.clone())
        };
        if counts.get(&owner).is_some_and(|count| *count >= SESSIONS_IN_MEMORY_OF_TOKEN) {
            return longest_idle(owner).map(Some).ok_or(AllInUse::OfToken);
        }
        if in_memory.sessions.len() < SESSIONS_IN_MEMORY {
            return Ok(None);
        }
        let mut owners: Vec<(usize, u64)> = counts.into_iter().map(|(owner, count)| (count, owner)).collect();
        owners.sort_unstable_by(|one, other| other.cmp(one));
        owners.into_iter().find_map(|(_, owner)| longest_idle(owner)).map(Some).ok_or(AllInUse::Total)
    }

    /// Forgets a session that was evicted from memory. It can be restored.
    pub(super) fn forget(&self, id: &str) {
        self.lock().sessions.remove(id);
    }

    /// Persists the last use of a session as the modification time of its file.
    fn persist_use(&self, owner: u64, id: &str) {
        if let Some(file) = self.file(owner, id).and_then(|file| fs::File::options().write(true).open(file).ok()) {
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
        let Ok(owner) = OWNER.try_with(|caller| *caller) else { return Ok(None) };
        let text = self.file(owner, id).and_then(|file| fs::read_to_string(file).ok());
        let Some(state) = text.and_then(|text| serde_json::from_str(&text).ok()) else { return Ok(None) };
        self.persist_use(owner, id);
        self.keep_owner(id, owner);
        Ok(Some(state))
    }

    async fn store(&self, id: &str, state: &SessionState) -> Result<(), SessionStoreError> {
        let owner = OWNER.try_with(|caller| *caller)?;
        self.keep_owner(id, owner);
        let (Some(directory), Some(file)) = (&self.directory, self.file(owner, id)) else { return Ok(()) };
        fs::create_dir_all(directory.join(owner.to_string()))?;
        let created = {
            let mut in_memory = self.lock();
            in_memory.created += 1;
            in_memory.created
        };
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
        let in_memory = self.lock().sessions.get(id).map(|session| session.owner);
        let Some(owner) = OWNER.try_with(|caller| *caller).ok().or(in_memory) else { return Ok(()) };
        // A caller can't end the session of another.
        if in_memory.is_some_and(|other| other != owner) {
            return Ok(());
        }
        self.forget(id);
        if let Some(file) = self.file(owner, id) {
            let _ = fs::remove_file(file);
        }
        Ok(())
    }
}

pub(super) fn session_id(headers: &HeaderMap) -> Option<&str> {
    headers.get(HEADER)?.to_str().ok()
}

/// Removes the files of sessions that were not used for long, and the oldest ones beyond the share of their token or beyond the limit.
fn remove_old(directory: &Path) {
    let mut kept = Vec::new();
    for path in paths_in(directory) {
        // Sessions of a version that had no share for each token.
        if path.is_file() {
            let _ = fs::remove_file(path);
            continue;
        }
        let (own, beyond) = split_by_age(paths_in(&path).collect(), SESSIONS_KEPT_OF_TOKEN);
        remove_all(beyond);
        kept.extend(own);
    }
    remove_all(split_by_age(kept, SESSIONS_KEPT).1);
}

fn paths_in(directory: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(directory).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()))
}

/// The files that stay, which are the newest so many and not too old, and the others.
fn split_by_age(files: Vec<PathBuf>, most: usize) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let now = SystemTime::now();
    let age = |path: &PathBuf| now.duration_since(path.metadata().ok()?.modified().ok()?).ok();
    let mut aged: Vec<_> = files.into_iter().map(|path| (age(&path).unwrap_or_default(), path)).collect();
    aged.sort();
    let stays = aged.iter().take(most).take_while(|(age, _)| *age <= SESSION_AGE).count();
    let beyond = aged.split_off(stays);
    let paths = |aged: Vec<(Duration, PathBuf)>| aged.into_iter().map(|(_, path)| path).collect();
    (paths(aged), paths(beyond))
}

fn remove_all(files: Vec<PathBuf>) {
    for file in files {
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
        fs::write(folder.path().join("x.json"), "{}").unwrap();
        let sessions = Sessions::open(Some(&folder.path().join("inner")));
        for id in ["../x", "x", "", "..", "/etc/passwd"] {
            assert!(OWNER.scope(7, sessions.load(id)).await.unwrap().is_none(), "{id}");
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
            OWNER.scope(owner, sessions.store(id, &state())).await.unwrap();
        }
        ids
    }

    fn headers(id: &str) -> HeaderMap {
        HeaderMap::from_iter([(HEADER.parse().unwrap(), id.parse().unwrap())])
    }

    // S3, S8
    #[tokio::test]
    async fn token_with_its_share_in_memory_evicts_its_own_longest_idle_session() {
        let sessions = Arc::new(Sessions::open(None));
        let other = begun(&sessions, 8, 1).await;
        let own = begun(&sessions, 7, SESSIONS_IN_MEMORY_OF_TOKEN).await;
        // The first has a response under way, and the second was used again.
        let lease = sessions.lease(&headers(&own[0]));
        drop(sessions.lease(&headers(&own[1])));
        assert_eq!(sessions.to_evict(8, |_| true), Ok(None), "another token has its own share");
        assert_eq!(sessions.to_evict(7, |_| true), Ok(Some(own[2].clone())));
        // One that left memory by itself makes room.
        assert_eq!(sessions.to_evict(7, |id| id != own[3]), Ok(None));
        let leases: Vec<_> = own.iter().map(|id| sessions.lease(&headers(id))).collect();
        begun(&sessions, 7, 1).await;
        let last = sessions.to_evict(7, |_| true).unwrap().unwrap();
        let last_lease = sessions.lease(&headers(&last));
        assert_eq!(sessions.to_evict(7, |_| true), Err(AllInUse::OfToken));
        assert_eq!(sessions.to_evict(8, |_| true), Ok(None));
        drop((lease, leases, last_lease, other));
    }

    // S3, S8
    #[tokio::test]
    async fn total_of_sessions_in_memory_is_kept_by_the_token_that_has_the_most() {
        let sessions = Sessions::open(None);
        let few = begun(&sessions, 1, 1).await;
        let tokens = SESSIONS_IN_MEMORY / (SESSIONS_IN_MEMORY_OF_TOKEN - 1) + 1;
        let mut firsts = Vec::new();
        for owner in 0..tokens as u64 {
            firsts.extend(begun(&sessions, 10 + owner, SESSIONS_IN_MEMORY_OF_TOKEN - 1).await.into_iter().next());
        }
        let evicted = sessions.to_evict(2, |_| true).unwrap().unwrap();
        assert!(firsts.contains(&evicted) && evicted != few[0]);
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
        drop(others);
    }
}
