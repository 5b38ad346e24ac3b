//! The changes of a set since they were last taken.

use std::collections::HashSet;
use std::hash::Hash;

/// The members of a set that were added or removed. A member that was added and removed again is in neither.
#[derive(Debug)]
pub(crate) struct SetChanges<K> {
    pub(crate) added: HashSet<K>,
    pub(crate) removed: HashSet<K>,
}

impl<K> Default for SetChanges<K> {
    fn default() -> Self {
        Self { added: HashSet::new(), removed: HashSet::new() }
    }
}

impl<K: Eq + Hash> SetChanges<K> {
    /// Records that a member was added to the set.
    pub(crate) fn add(&mut self, member: K) {
        if !self.removed.remove(&member) {
            self.added.insert(member);
        }
    }

    /// Records that a member was removed from the set.
    pub(crate) fn remove(&mut self, member: K) {
        if !self.added.remove(&member) {
            self.removed.insert(member);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SetChanges;

    #[test]
    fn member_that_is_back_where_it_was_is_no_change() {
        let mut changes = SetChanges::default();
        changes.add(1);
        changes.add(2);
        changes.remove(2);
        changes.remove(3);
        changes.remove(4);
        changes.add(4);
        assert_eq!((changes.added, changes.removed), ([1].into(), [3].into()));
    }
}
