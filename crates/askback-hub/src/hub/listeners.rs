//! Askers that follow the events, and so wait for whatever they have asked (L3, L9).

use super::Attendance;
use crate::limits::LISTENERS_KEPT;
use crate::mutex::Mutex;
use askback_core::Name;
use jiff::Timestamp;
use std::collections::HashMap;

#[derive(Debug, Default)]
pub(crate) struct Listeners(Mutex<HashMap<Name, Listener>>);

#[derive(Debug, Clone, Copy)]
enum Listener {
    /// So many streams are open.
    Here(usize),
    /// The last one ended then.
    Gone(Timestamp),
}

impl Listeners {
    pub(crate) fn enter(&self, asker: &Name) {
        let mut known = self.0.lock();
        let count = match known.get(asker) {
            Some(Listener::Here(count)) => count + 1,
            _ => 1,
        };
        known.insert(asker.clone(), Listener::Here(count));
    }

    pub(crate) fn leave(&self, asker: &Name, now: Timestamp) {
        let mut known = self.0.lock();
        match known.get_mut(asker) {
            Some(Listener::Here(count)) if *count > 1 => *count -= 1,
            Some(listener) => *listener = Listener::Gone(now),
            None => {}
        }
        if known.len() > LISTENERS_KEPT {
            // Who left is forgotten first; they are then as if they had never been there.
            known.retain(|_, listener| matches!(listener, Listener::Here(_)));
        }
    }

    pub(crate) fn attendance(&self, asker: &Name) -> Option<Attendance> {
        self.0.lock().get(asker).map(|listener| match listener {
            Listener::Here(_) => Attendance::Waiting,
            Listener::Gone(at) => Attendance::LastSeen(*at),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{moment, name};

    // L9
    #[test]
    fn an_asker_is_there_until_its_last_stream_ends() {
        let listeners = Listeners::default();
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
