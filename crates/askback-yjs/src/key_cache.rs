//! The keys of a connection's map items: Yjs names a key when it is set first, and only the overwritten item when it is set
//! again, perhaps much later.

use crate::limits::{CACHED_KEY_BYTES, CACHED_KEYS};
use crate::update::ItemId;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The newest items of a replica's map, with their keys. Without a proposal it is empty and takes no memory.
#[derive(Debug, Default)]
pub struct KeyCache {
    items: BTreeMap<ItemId, Item>,
    by_age: BTreeMap<u64, ItemId>,
    next_age: u64,
    /// Bytes of all items' keys.
    bytes: usize,
}

#[derive(Debug)]
struct Item {
    /// The number of its clocks: overwritten values become one item.
    length: u32,
    key: Arc<str>,
    age: u64,
}

impl KeyCache {
    /// The number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Bytes of the keys. A key of several items counts once for each.
    pub fn key_bytes(&self) -> usize {
        self.bytes
    }

    /// The item that has this clock, by its first id, and its length.
    pub(crate) fn item_with(&self, id: ItemId) -> Option<(ItemId, u32)> {
        let (first, item) = self.items.range(..=id).next_back()?;
        let is_within = first.client == id.client && id.clock - first.clock < item.length.into();
        is_within.then_some((*first, item.length))
    }

    pub(crate) fn key(&self, item: ItemId) -> Option<&Arc<str>> {
        self.items.get(&item).map(|item| &item.key)
    }

    /// Adds an item, and removes the oldest ones beyond the limits.
    pub(crate) fn insert(&mut self, id: ItemId, length: u32, key: &Arc<str>) {
        if key.len() > CACHED_KEY_BYTES {
            return;
        }
        self.remove(id);
        let age = self.next_age;
        self.next_age += 1;
        self.bytes += key.len();
        self.items.insert(id, Item { length, key: Arc::clone(key), age });
        self.by_age.insert(age, id);
        while self.items.len() > CACHED_KEYS || self.bytes > CACHED_KEY_BYTES {
            let Some((_, oldest)) = self.by_age.first_key_value() else { return };
            self.remove(*oldest);
        }
    }

    fn remove(&mut self, id: ItemId) {
        if let Some(item) = self.items.remove(&id) {
            self.by_age.remove(&item.age);
            self.bytes -= item.key.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CACHED_KEY_BYTES, CACHED_KEYS, ItemId, KeyCache};
    use std::collections::BTreeMap;

    impl KeyCache {
        /// The number of items, and the bytes of their keys.
        pub(crate) fn extent(&self) -> (usize, usize) {
            (self.len(), self.key_bytes())
        }

        /// Whether the indexes agree.
        pub(crate) fn is_sound(&self) -> bool {
            let bytes: usize = self.items.values().map(|item| item.key.len()).sum();
            let ages = self.items.iter().map(|(id, item)| (item.age, *id)).collect::<BTreeMap<_, _>>();
            self.bytes == bytes && self.by_age == ages
        }
    }

    const fn id(client: u64, clock: u64) -> ItemId {
        ItemId { client, clock }
    }

    #[test]
    fn item_is_found_by_each_of_its_clocks_and_by_no_other() {
        let mut keys = KeyCache::default();
        keys.insert(id(5, 10), 3, &"k".into());
        keys.insert(id(5, 20), 0, &"none".into());
        for clock in 10..13 {
            assert_eq!(keys.item_with(id(5, clock)), Some((id(5, 10), 3)));
        }
        for other in [id(5, 9), id(5, 13), id(4, 10), id(6, 10), id(5, 20)] {
            assert_eq!(keys.item_with(other), None, "{other:?}");
        }
    }

    // S3
    #[test]
    fn oldest_items_beyond_the_limits_are_removed() {
        let mut keys = KeyCache::default();
        let most = CACHED_KEYS as u64;
        (0..most).for_each(|clock| keys.insert(id(5, clock), 1, &"k".into()));
        assert_eq!(keys.extent(), (CACHED_KEYS, CACHED_KEYS));
        // An item that is inserted again is the newest.
        keys.insert(id(5, 0), 1, &"longer".into());
        keys.insert(id(5, most), 1, &"k".into());
        assert_eq!(keys.extent(), (CACHED_KEYS, CACHED_KEYS + 5));
        assert_eq!(keys.key(id(5, 0)).map(|key| &**key), Some("longer"));
        assert!(keys.key(id(5, 1)).is_none() && keys.key(id(5, 2)).is_some());

        let half = "x".repeat(CACHED_KEY_BYTES / 2);
        (0..3).for_each(|clock| keys.insert(id(6, clock), 1, &half.as_str().into()));
        assert_eq!(keys.extent(), (2, CACHED_KEY_BYTES));
        // A key that is longer than the limit removes none.
        keys.insert(id(7, 0), 1, &half.repeat(3).into());
        assert_eq!(keys.extent(), (2, CACHED_KEY_BYTES));
        assert!(keys.is_sound());
    }
}
