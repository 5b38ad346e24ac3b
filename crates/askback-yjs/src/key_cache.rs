//! What a connection's keys are: Yjs names a key when it is set first, and says only which item is overwritten when it is
//! set again, perhaps much later.

use super::update::Id;
use crate::limits::{PROPOSAL_KEY_BYTES_REMEMBERED, PROPOSAL_KEYS_REMEMBERED};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Items of a replica's map, with the keys that they are set to. The oldest are forgotten. Whoever never proposes has
/// none, and they take no memory.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    items: BTreeMap<Id, Item>,
    by_age: BTreeMap<u64, Id>,
    next_age: u64,
    /// Bytes of all items' keys.
    bytes: usize,
}

#[derive(Debug)]
struct Item {
    /// How many clocks it takes: overwritten values become one item.
    length: u32,
    key: Arc<str>,
    age: u64,
}

impl Keys {
    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The item that has this clock: its id and its length.
    pub(super) fn item_with(&self, id: Id) -> Option<(Id, u32)> {
        let (first, item) = self.items.range(..=id).next_back()?;
        let is_within = first.client == id.client && id.clock - first.clock < item.length.into();
        is_within.then_some((*first, item.length))
    }

    pub(super) fn key(&self, item: Id) -> Option<&Arc<str>> {
        self.items.get(&item).map(|item| &item.key)
    }

    pub(super) fn remember(&mut self, id: Id, length: u32, key: &Arc<str>) {
        if key.len() > PROPOSAL_KEY_BYTES_REMEMBERED {
            return;
        }
        self.forget(id);
        let age = self.next_age;
        self.next_age += 1;
        self.bytes += key.len();
        self.items.insert(id, Item { length, key: Arc::clone(key), age });
        self.by_age.insert(age, id);
        while self.items.len() > PROPOSAL_KEYS_REMEMBERED || self.bytes > PROPOSAL_KEY_BYTES_REMEMBERED {
            let Some((_, oldest)) = self.by_age.first_key_value() else { return };
            self.forget(*oldest);
        }
    }

    fn forget(&mut self, id: Id) {
        if let Some(item) = self.items.remove(&id) {
            self.by_age.remove(&item.age);
            self.bytes -= item.key.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Id, Keys, PROPOSAL_KEY_BYTES_REMEMBERED, PROPOSAL_KEYS_REMEMBERED};
    use std::collections::BTreeMap;

    impl Keys {
        /// How many items and bytes of keys there are.
        pub(in crate::room) fn extent(&self) -> (usize, usize) {
            (self.items.len(), self.bytes)
        }

        /// Whether what is kept of them agrees.
        pub(in crate::room) fn is_sound(&self) -> bool {
            let bytes: usize = self.items.values().map(|item| item.key.len()).sum();
            let ages = self.items.iter().map(|(id, item)| (item.age, *id)).collect::<BTreeMap<_, _>>();
            self.bytes == bytes && self.by_age == ages
        }
    }

    const fn id(client: u64, clock: u64) -> Id {
        Id { client, clock }
    }

    #[test]
    fn an_item_has_all_its_clocks_and_no_other() {
        let mut keys = Keys::default();
        keys.remember(id(5, 10), 3, &"k".into());
        keys.remember(id(5, 20), 0, &"none".into());
        for clock in 10..13 {
            assert_eq!(keys.item_with(id(5, clock)), Some((id(5, 10), 3)));
        }
        for other in [id(5, 9), id(5, 13), id(4, 10), id(6, 10), id(5, 20)] {
            assert_eq!(keys.item_with(other), None, "{other:?}");
        }
    }

    // S3
    #[test]
    fn the_oldest_are_forgotten() {
        let mut keys = Keys::default();
        let most = PROPOSAL_KEYS_REMEMBERED as u64;
        (0..most).for_each(|clock| keys.remember(id(5, clock), 1, &"k".into()));
        assert_eq!(keys.extent(), (PROPOSAL_KEYS_REMEMBERED, PROPOSAL_KEYS_REMEMBERED));
        // What is heard of again is new again.
        keys.remember(id(5, 0), 1, &"longer".into());
        keys.remember(id(5, most), 1, &"k".into());
        assert_eq!(keys.extent(), (PROPOSAL_KEYS_REMEMBERED, PROPOSAL_KEYS_REMEMBERED + 5));
        assert_eq!(keys.key(id(5, 0)).map(|key| &**key), Some("longer"));
        assert!(keys.key(id(5, 1)).is_none() && keys.key(id(5, 2)).is_some());

        let half = "x".repeat(PROPOSAL_KEY_BYTES_REMEMBERED / 2);
        (0..3).for_each(|clock| keys.remember(id(6, clock), 1, &half.as_str().into()));
        assert_eq!(keys.extent(), (2, PROPOSAL_KEY_BYTES_REMEMBERED));
        // One that is too long for all of them pushes none out.
        keys.remember(id(7, 0), 1, &half.repeat(3).into());
        assert_eq!(keys.extent(), (2, PROPOSAL_KEY_BYTES_REMEMBERED));
        assert!(keys.is_sound());
    }
}
