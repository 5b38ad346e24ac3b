//! Askers that follow the events, and so wait for whatever they have asked (L3, L9).

use super::Attendance;
use crate::limits::LISTENERS_KEPT;
use crate::mutex::Mutex;
use crate::set_changes::SetChanges;
use askback_core::Name;
use jiff::Timestamp;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::Notify;

#[derive(Debug)]
pub(crate) struct Listeners {
    known: Mutex<KnownListeners>,
    /// Notified when an asker begins or ceases to follow the events.
    changed: Arc<Notify>,
}

#[derive(Debug, Default)]
struct KnownListeners {
    by_name: HashMap<Name, Listener>,
    changes: SetChanges<Name>,
}

#[derive(Debug, Clone, Copy)]
enum Listener {
    /// So many streams are open.
    Here(usize),
    /// The last one ended then.
    Gone(Timestamp),
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
        known.by_name.insert(asker.clone(), Listener::Here(count));
        if count == 1 {
            known.changes.add(asker.clone());
            self.changed.notify_one();
        }
    }

    pub(crate) fn leave(&self, asker: &Name, now: Timestamp) {
        let KnownListeners { by_name, changes } = &mut *self.known.lock();
        match by_name.get_mut(asker) {
            Some(Listener::Here(count)) if *count > 1 => *count -= 1,
            Some(listener) => {
                *listener = Listener::Gone(now);
                changes.remove(asker.clone());
                self.changed.notify_one();
            }
            None => {}
        }
        if by_name.len() > LISTENERS_KEPT {
            // Who left is forgotten first; they are then as if they had never been there.
            by_name.retain(|_, listener| matches!(listener, Listener::Here(_)));
        }
    }

    pub(crate) fn attendance(&self, asker: &Name) -> Option<Attendance> {
        self.known.lock().by_name.get(asker).map(|listener| match listener {
            Listener::Here(_) => Attendance::Waiting,
            Listener::Gone(at) => Attendance::LastSeen(*at),
        })
    }

    /// Whether no asker follows the events.
    pub(crate) fn is_empty(&self) -> bool {
        !self.known.lock().by_name.values().any(|listener| matches!(listener, Listener::Here(_)))
    }

    /// All askers that follow the events. Later changes count from here.
    pub(crate) fn take_all(&self) -> SetChanges<Name> {
        let KnownListeners { by_name, changes } = &mut *self.known.lock();
        *changes = SetChanges::default();
        let here = by_name.iter().filter(|(_, listener)| matches!(listener, Listener::Here(_)));
        SetChanges { added: here.map(|(name, _)| name.clone()).collect(), ..SetChanges::default() }
    }

    /// The changes of the askers that follow the events, since they were last taken.
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
        assert_eq!(listeners.attendance(&asker), None);
        listeners.enter(&asker);
        listeners.enter(&asker);
        listeners.leave(&asker, moment(1));
        assert_eq!(listeners.attendance(&asker), Some(Attendance::Waiting));
        listeners.leave(&asker, moment(2));
        assert_eq!(listeners.attendance(&asker), Some(Attendance::LastSeen(moment(2))));
    }
}
