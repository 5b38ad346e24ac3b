//! Askers that follow the events or made a call recently: they count as there for everything they have asked (L3, L9). An asker is a
//! name, so that agents that share a token attend to each other's requests.

use crate::limits::LISTENERS_KEPT;
use crate::mutex::Mutex;
use crate::set_changes::SetChanges;
use askback_core::Name;
use jiff::{SignedDuration, Timestamp};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::Notify;

#[derive(Debug)]
pub(crate) struct Listeners {
    known: Mutex<KnownListeners>,
    /// Notified when an asker begins or ceases to be present.
    changed: Arc<Notify>,
}

#[derive(Debug, Default)]
struct KnownListeners {
    by_name: HashMap<Name, Listener>,
    changes: SetChanges<Name>,
}

/// The presence of one asker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Listener {
    /// This many streams are open.
    Here(usize),
    /// Its last call, or the end of its last stream. It counted as there when [`Listeners::expire`] was last called.
    Recent(Timestamp),
    /// Its last call, or the end of its last stream, after which it no longer counts as there.
    Gone(Timestamp),
}

impl Listener {
    /// Whether other nodes are told that the asker is present.
    fn is_present(self) -> bool {
        matches!(self, Self::Here(_) | Self::Recent(_))
    }
}

impl Listeners {
    pub(crate) fn new(changed: Arc<Notify>) -> Self {
        Self { known: Mutex::default(), changed }
    }

    pub(crate) fn enter(&self, asker: &Name) {
        let mut known = self.known.lock();
        let count = match known.by_name.get(asker) {
            Some(Listener::Here(count)) => count + 1,
            _ => 1,
        };
        self.set(&mut known, asker, Listener::Here(count));
    }

    pub(crate) fn leave(&self, asker: &Name, now: Timestamp) {
        let mut known = self.known.lock();
        let listener = match known.by_name.get(asker) {
            Some(Listener::Here(count)) if *count > 1 => Listener::Here(count - 1),
            Some(_) => Listener::Recent(now),
            None => return,
        };
        self.set(&mut known, asker, listener);
    }

    /// The asker made a call.
    pub(crate) fn heard(&self, asker: &Name, now: Timestamp) {
        let mut known = self.known.lock();
        match known.by_name.get_mut(asker) {
            Some(Listener::Here(_)) => {}
            Some(Listener::Recent(at)) => *at = now,
            Some(Listener::Gone(_)) | None => self.set(&mut known, asker, Listener::Recent(now)),
        }
    }

    /// Ends the presence of askers whose last call or stream was this long ago.
    pub(crate) fn expire(&self, now: Timestamp, attended_for: SignedDuration) {
        let KnownListeners { by_name, changes } = &mut *self.known.lock();
        for (asker, listener) in by_name {
            if let Listener::Recent(at) = *listener
                && now.duration_since(at) >= attended_for
            {
                *listener = Listener::Gone(at);
                changes.remove(asker.clone());
            }
        }
    }

    fn set(&self, known: &mut KnownListeners, asker: &Name, listener: Listener) {
        let before = known.by_name.insert(asker.clone(), listener);
        if !before.is_some_and(Listener::is_present) {
            known.changes.add(asker.clone());
            self.changed.notify_one();
        }
        if known.by_name.len() > LISTENERS_KEPT {
            // Who left is forgotten first; they are then as if they had never been there.
            known.by_name.retain(|_, listener| listener.is_present());
        }
    }

    pub(crate) fn presence(&self, asker: &Name) -> Option<Listener> {
        self.known.lock().by_name.get(asker).copied()
    }

    /// Whether no asker is present.
    pub(crate) fn is_empty(&self) -> bool {
        !self.known.lock().by_name.values().any(|listener| listener.is_present())
    }

    /// All askers that are present. Later changes count from here.
    pub(crate) fn take_all(&self) -> SetChanges<Name> {
        let KnownListeners { by_name, changes } = &mut *self.known.lock();
        *changes = SetChanges::default();
        let here = by_name.iter().filter(|(_, listener)| listener.is_present());
        SetChanges { added: here.map(|(name, _)| name.clone()).collect(), ..SetChanges::default() }
    }

    /// The changes of the askers that are present, since they were last taken.
    pub(crate) fn take_changes(&self) -> SetChanges<Name> {
        std::mem::take(&mut self.known.lock().changes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{moment, name};

    // L9
    #[test]
    fn an_asker_is_there_until_its_last_stream_ends() {
        let listeners = Listeners::new(Arc::default());
        let asker = name("agent");
        assert_eq!(listeners.presence(&asker), None);
        listeners.enter(&asker);
        listeners.enter(&asker);
        listeners.leave(&asker, moment(1));
        assert_eq!(listeners.presence(&asker), Some(Listener::Here(1)));
        listeners.leave(&asker, moment(2));
        assert_eq!(listeners.presence(&asker), Some(Listener::Recent(moment(2))));
    }

    // L9
    #[test]
    fn an_asker_that_calls_is_present_to_other_nodes_for_a_minute() {
        let minute = SignedDuration::from_secs(60);
        let listeners = Listeners::new(Arc::default());
        let asker = name("agent");
        listeners.heard(&asker, moment(1));
        assert_eq!(listeners.presence(&asker), Some(Listener::Recent(moment(1))));
        assert_eq!(listeners.take_changes().added, [asker.clone()].into());
        listeners.heard(&asker, moment(30));
        listeners.expire(moment(89), minute);
        assert!(!listeners.is_empty() && listeners.take_changes().removed.is_empty());
        listeners.expire(moment(90), minute);
        assert!(listeners.is_empty());
        assert_eq!(listeners.take_changes().removed, [asker.clone()].into());
        assert_eq!(listeners.presence(&asker), Some(Listener::Gone(moment(30))));
        // Calls end no stream.
        listeners.enter(&asker);
        listeners.heard(&asker, moment(91));
        assert_eq!(listeners.presence(&asker), Some(Listener::Here(1)));
    }
}
