//! The values of the map `answers` that an update sets: of each key the last value, unless it is deleted.
//!
//! An item that sets a key for the first time names the map and the key. An item that overwrites a key names neither, only
//! the overwritten item: its origin. So an item with an origin is in the map, or in any text or list: wherever its origin
//! is. Of several items with the same origin, Yjs puts that of the highest client last, with all items that follow it, and
//! the last of all is the key's value. So a chain leads from each item that names its key, or whose key is cached, to the
//! last item that follows. Nothing is integrated, and items without such a chain are ignored.

use crate::byte_reader::ByteReader;
use crate::error::DecodeError;
use crate::key_cache::KeyCache;
use crate::limits::CACHED_KEYS;
use crate::update::{self, ItemId, StructHeader, kind};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// The map of the proposals.
const ROOT: &str = "answers";

/// The value of a key after the update.
#[derive(Debug)]
pub(crate) struct MapValue {
    /// The bytes of the update that remain where its item starts.
    pub(crate) remaining: u32,
    pub(crate) key: KeySource,
}

/// Where a key is named.
#[derive(Debug, Clone)]
pub(crate) enum KeySource {
    /// In this update, in the item at whose start so many bytes remain.
    Update(u32),
    /// In an earlier update.
    Cache(Arc<str>),
}

impl KeySource {
    pub(crate) fn text<'a>(&'a self, update: &'a [u8]) -> Option<&'a str> {
        match self {
            Self::Update(remaining) => header(update, *remaining)?.0.key,
            Self::Cache(key) => Some(key),
        }
    }

    fn shared(&self, update: &[u8]) -> Option<Arc<str>> {
        match self {
            Self::Update(_) => self.text(update).map(Arc::from),
            Self::Cache(key) => Some(Arc::clone(key)),
        }
    }
}

/// An item that is in the map, or may be. An update may have one for every five of its bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MapItem {
    id: ItemId,
    /// The number of its clocks, at most `u32::MAX`: a value is not overwritten more often.
    length: u32,
    /// The bytes of the update that remain where it starts.
    remaining: u32,
    /// First the deleted ranges that begin at this item, less those that end here; then the number of ranges that cover it.
    deletions: i32,
    /// The index of the item that follows; its own, if none does.
    next: u32,
}

/// The items of one key, from the first known one to the last.
#[derive(Debug)]
struct Chain {
    first: u32,
    last: u32,
    key: KeySource,
    /// Whether the last item is a value that is not deleted.
    has_value: bool,
}

/// Reads an update, returns the values in the order in which each client wrote them, and caches the keys. A key whose last
/// value is deleted has none.
pub(crate) fn map_values(update: &[u8], keys: &mut KeyCache) -> Result<Vec<MapValue>, DecodeError> {
    if u32::try_from(update.len()).is_err() {
        return Err(DecodeError::UpdateTooLarge);
    }
    let mut reader = ByteReader::new(update);
    let (mut sets, mut followers) = (0, 0);
    update::structs(&mut reader, |found| {
        sets += usize::from(is_set(&found.header));
        followers += usize::from(found.header.origin.is_some());
    })?;
    // Most updates do not concern the map: a text has many items with origins.
    let may_have_values = sets > 0 || (followers > 0 && !keys.is_empty());
    let mut items = if may_have_values { items(update, sets + followers)? } else { Vec::new() };
    update::deletions(&mut reader, |client, clocks| note_deletion(&mut items, client, &clocks))?;
    reader.end()?;
    if items.is_empty() {
        return Ok(Vec::new());
    }
    count_deletions(&mut items);
    let continued = link(&mut items, update, keys);
    let mut chains = chains(&items, update, &continued, keys);
    // The fewer bytes remain, the later the item is.
    chains.sort_unstable_by_key(|chain| (chain.has_value, Reverse(items[chain.last as usize].remaining)));
    cache(keys, &items, update, &chains);
    let value = |chain: Chain| MapValue { remaining: items[chain.last as usize].remaining, key: chain.key };
    Ok(chains.into_iter().filter(|chain| chain.has_value).map(value).collect())
}

/// The header of an item that was found before, and a reader of its content.
pub(crate) fn header(update: &[u8], remaining: u32) -> Option<(StructHeader<'_>, ByteReader<'_>)> {
    let start = update.len().checked_sub(remaining as usize)?;
    let mut reader = ByteReader::new(update.get(start..)?);
    StructHeader::read(&mut reader).ok().map(|header| (header, reader))
}

/// Whether a struct sets a key of the map for the first time.
fn is_set(header: &StructHeader<'_>) -> bool {
    header.root == Some(ROOT) && header.key.is_some()
}

/// The items that may be in the map, in the order of their ids. Of two with the same id, the last counts.
fn items(update: &[u8], count: usize) -> Result<Vec<MapItem>, DecodeError> {
    let mut items = Vec::with_capacity(count);
    update::structs(&mut ByteReader::new(update), |found| {
        if is_set(&found.header) || found.header.origin.is_some() {
            let length = u32::try_from(found.length).unwrap_or(u32::MAX);
            items.push(MapItem { id: found.id, length, remaining: found.remaining as u32, deletions: 0, next: 0 });
        }
    })?;
    items.sort_unstable_by_key(|item| (item.id, item.length, Reverse(item.remaining)));
    for (at, item) in items.iter_mut().enumerate() {
        item.next = at as u32;
    }
    Ok(items)
}

/// Marks at most two items for a range, however many it covers: an update may have very many very long ranges.
fn note_deletion(items: &mut [MapItem], client: u64, clocks: &Range<u64>) {
    let first_from = |clock: u64| items.partition_point(|item| item.id < ItemId { client, clock });
    let (start, end) = (first_from(clocks.start), first_from(clocks.end));
    if start < end {
        items[start].deletions += 1;
        if let Some(item) = items.get_mut(end) {
            item.deletions -= 1;
        }
    }
}

fn count_deletions(items: &mut [MapItem]) {
    let mut covering = 0;
    for item in items {
        covering += item.deletions;
        item.deletions = covering;
    }
}

/// Links each item to the one that follows. Returns the items that follow cached ones, by the cached item.
fn link(items: &mut [MapItem], update: &[u8], keys: &KeyCache) -> BTreeMap<ItemId, u32> {
    let mut continued = BTreeMap::new();
    for at in 0..items.len() {
        let Some(origin) = origin(&items[at], update) else { continue };
        if let Some(before) = index_of(items, origin) {
            let MapItem { id, length, next, .. } = items[before];
            let rival = (next as usize != before).then(|| items[next as usize]);
            if before != at && is_last_after(id, length, origin, &items[at], rival.as_ref(), update) {
                items[before].next = at as u32;
            }
        } else if let Some((id, length)) = keys.item_with(origin) {
            let rival = continued.get(&id).map(|next: &u32| items[*next as usize]);
            if is_last_after(id, length, origin, &items[at], rival.as_ref(), update) {
                continued.insert(id, at as u32);
            }
        }
    }
    continued
}

/// Whether `item` follows the item `id`, and is the last of those that do; `rival` is the last one so far, of a lower id.
///
/// An item of several clocks is as many values, each inserted after the one before. An item that was inserted after an early
/// value competes with the rest of them; if it is later than these, it is later than all that were inserted after these.
fn is_last_after(
    id: ItemId,
    length: u32,
    origin: ItemId,
    item: &MapItem,
    rival: Option<&MapItem>,
    update: &[u8],
) -> bool {
    let is_at_its_end = origin.clock - id.clock + 1 == u64::from(length);
    let rival = rival.and_then(|rival| self::origin(rival, update));
    (is_at_its_end || item.id > id) && rival.is_none_or(|rival| origin.clock <= rival.clock)
}

fn origin(item: &MapItem, update: &[u8]) -> Option<ItemId> {
    header(update, item.remaining)?.0.origin
}

/// The index of the item that has this clock.
fn index_of(items: &[MapItem], id: ItemId) -> Option<usize> {
    let at = items.partition_point(|item| item.id <= id).checked_sub(1)?;
    let item = &items[at];
    (item.id.client == id.client && id.clock - item.id.clock < item.length.into()).then_some(at)
}

/// The chains of all keys. An item follows at most one other, and a chain begins with one that follows none: so no chain has a
/// ring, and none meets another.
fn chains(items: &[MapItem], update: &[u8], continued: &BTreeMap<ItemId, u32>, keys: &KeyCache) -> Vec<Chain> {
    let chain = |first: u32, key: KeySource| {
        let last = path(items, first).last().unwrap_or(first);
        Chain { first, last, key, has_value: is_value(&items[last as usize], update) }
    };
    let named = (0..).zip(items).filter(|(_, item)| origin(item, update).is_none());
    let named = named.map(|(at, item)| chain(at, KeySource::Update(item.remaining)));
    let cached = continued.iter().filter_map(|(id, first)| {
        let key = Arc::clone(keys.key(*id)?);
        Some(chain(*first, KeySource::Cache(key)))
    });
    named.chain(cached).collect()
}

/// An item, and those that follow.
fn path(items: &[MapItem], first: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(first), |at| {
        let next = items[*at as usize].next;
        (next != *at).then_some(next)
    })
}

fn is_value(item: &MapItem, update: &[u8]) -> bool {
    item.deletions == 0 && header(update, item.remaining).is_some_and(|(header, _)| header.kind != kind::DELETED)
}

/// Caches the keys of the items. Values are overwritten next, so they are added last, and deleted items before them. Overwritten
/// items come first: another client that has not seen the newer item may overwrite them, too.
fn cache(keys: &mut KeyCache, items: &[MapItem], update: &[u8], chains: &[Chain]) {
    let mut insert = |at: u32, key: &Arc<str>| {
        let MapItem { id, length, .. } = items[at as usize];
        keys.insert(id, length, key);
    };
    let overwritten = |chain: &Chain| path(items, chain.first).count() - 1;
    let mut too_many = chains.iter().map(overwritten).sum::<usize>().saturating_sub(CACHED_KEYS);
    for chain in chains.iter().filter(|chain| chain.first != chain.last) {
        let Some(key) = chain.key.shared(update) else { continue };
        for at in path(items, chain.first).take_while(|at| *at != chain.last) {
            match too_many.checked_sub(1) {
                Some(fewer) => too_many = fewer,
                None => insert(at, &key),
            }
        }
    }
    for chain in &chains[chains.len().saturating_sub(CACHED_KEYS)..] {
        if let Some(key) = chain.key.shared(update) {
            insert(chain.last, &key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{KeyCache, map_values};

    /// Where the values start after a key was set and this item was read.
    fn after_a_set(item: &[u8]) -> Vec<u32> {
        let update = [&[1, 2, 5, 0, 0x28, 1, 7][..], b"answers", &[1, b'k', 1, 126], item, &[0]].concat();
        map_values(&update, &mut KeyCache::default()).unwrap().into_iter().map(|value| value.remaining).collect()
    }

    #[test]
    fn item_overwrites_only_if_it_follows_without_a_right_neighbour() {
        // With and without the mark that it has a key.
        assert_eq!(after_a_set(&[0xa8, 5, 0, 1, 126]), [6]);
        assert_eq!(after_a_set(&[0x88, 5, 0, 1, 126]), [6]);
        // With a right neighbour, with both, and after another item.
        let first = |item: &[u8]| 14 + item.len() as u32 + 1;
        for item in
            [&[0x68, 5, 0, 1, 126][..], &[0xe8, 5, 0, 5, 0, 1, 126], &[0xa8, 6, 0, 1, 126], &[0xa8, 5, 1, 1, 126]]
        {
            assert_eq!(after_a_set(item), [first(item)], "{item:?}");
        }
        assert!(after_a_set(&[0xa1, 5, 0, 1]).is_empty(), "the overwriting item is deleted");
    }
}
