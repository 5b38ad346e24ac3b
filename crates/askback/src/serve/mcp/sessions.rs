//! Sessions of clients of the older protocol. A client that initialized once goes on after the hub was started again, without noticing; so
//! does one that was silent for longer than its place in memory was kept. Each belongs to the token that made it.

use crate::mcp::limits::{SESSION_AGE, SESSIONS_KEPT};
use axum::http::HeaderMap;
use rmcp::transport::streamable_http_server::session::{SessionState, SessionStore, SessionStoreError};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;
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
    owners: Mutex<HashMap<String, u64>>,
}

impl Sessions {
    pub(super) fn open(folder: Option<&Path>) -> Self {
        if let Some(folder) = folder {
            forget_old(folder);
        }
        Self { folder: folder.map(Path::to_owned), owners: Mutex::default() }
    }

    /// Whether the session that a call names, if any, is this token's, as far as it is known.
    pub(super) fn may_use(&self, headers: &HeaderMap, owner: u64) -> bool {
        let named = headers.get(HEADER).and_then(|value| value.to_str().ok());
        let known = named.and_then(|id| self.owners.lock().unwrap_or_else(PoisonError::into_inner).get(id).copied());
        known.is_none_or(|known| known == owner)
    }

    fn keep_owner(&self, id: &str, owner: u64) {
        self.owners.lock().unwrap_or_else(PoisonError::into_inner).insert(id.to_owned(), owner);
    }

    /// The file of a session. What is no id of ours is no name of a file either.
    fn file(&self, id: &str) -> Option<PathBuf> {
        let id = Uuid::parse_str(id).ok()?;
        Some(self.folder.as_ref()?.join(format!("{id}.json")))
    }

    fn read(&self, id: &str) -> Option<(u64, SessionState)> {
        let text = fs::read_to_string(self.file(id)?).ok()?;
        let mut kept: Value = serde_json::from_str(&text).ok()?;
        let owner = kept.get("token")?.as_u64()?;
        Some((owner, serde_json::from_value(kept.get_mut("session")?.take()).ok()?))
    }
}

#[async_trait::async_trait]
impl SessionStore for Sessions {
    async fn load(&self, id: &str) -> Result<Option<SessionState>, SessionStoreError> {
        let Some((owner, state)) = self.read(id) else { return Ok(None) };
        if OWNER.try_with(|caller| *caller) != Ok(owner) {
            return Ok(None);
        }
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
        let text = json!({"token": owner, "session": state}).to_string();
        let mut options = fs::OpenOptions::new();
        let written = options.create(true).write(true).truncate(true).mode(0o600).open(file);
        // One that is not kept has to be begun again, and no more.
        if let Err(error) = written.and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes())) {
            tracing::warn!(%error, "a session of an MCP client can't be kept");
        }
        Ok(())
    }

    async fn delete(&self, id: &str) -> Result<(), SessionStoreError> {
        self.owners.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
        if let Some(file) = self.file(id) {
            let _ = fs::remove_file(file);
        }
        Ok(())
    }
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
}
