//! What stands under the keys of the map `answers` in the end, of all that an update brings.
//!
//! Whoever sets a fresh key names the map and the key. Whoever sets a key again names neither, only the item that stood
//! there: its origin. So an item with an origin may be in the map, or in any text or list: it is where its origin is. Of
//! several that were put after the same, without knowing each other, Yjs has the higher client's last, with all that
//! follows it; the last of all is what stands. So we go from each item that names its key, or whose key is remembered, to
//! the last that follows. Nothing is integrated, and what can't be followed is left alone.

use super::keys::Keys;
use super::reading::{Malformed, Reader};
use super::update::{self, Header, Id, kind};
use crate::limits::PROPOSAL_KEYS_REMEMBERED;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// The map that proposals are set in.
const ROOT: &str = "answers";

/// A value that stands under a key in the end.
#[derive(Debug)]
pub(super) struct Standing {
    /// Bytes that are left before it.
    pub(super) left: u32,
    pub(super) key: Key,
}

/// Where a key is written.
#[derive(Debug, Clone)]
pub(super) enum Key {
    /// In this update, in the item before which so many bytes are left.
    Here(u32),
    /// In an earlier one.
    Remembered(Arc<str>),
}

impl Key {
    pub(super) fn text<'a>(&'a self, update: &'a [u8]) -> Option<&'a str> {
        match self {
            Self::Here(left) => header(update, *left)?.0.key,
            Self::Remembered(key) => Some(key),
        }
    }

    fn shared(&self, update: &[u8]) -> Option<Arc<str>> {
        match self {
            Self::Here(_) => self.text(update).map(Arc::from),
            Self::Remembered(key) => Some(Arc::clone(key)),
        }
    }
}

/// An item that is in the map, or may be. There may be one for every five bytes of an update.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    id: Id,
    /// How many clocks it takes; nobody overwrites a value more often than this can say.
    length: u32,
    /// Bytes that are left before it.
    left: u32,
    /// Ranges of deleted clocks that begin here, less those that have ended here; at last, how many it is in.
    deletions: i32,
    /// Which place follows; itself, if none does.
    next: u32,
}

/// All that was set under a key, from the first that we know of to the last.
#[derive(Debug)]
struct Chain {
    first: u32,
    last: u32,
    key: Key,
    /// Whether the last is a value.
    stands: bool,
}

/// Reads an update, gives what stands in the order in which each client wrote it, and remembers the keys. Where the last
/// value is deleted, none stands.
pub(super) fn standing(update: &[u8], keys: &mut Keys) -> Result<Vec<Standing>, Malformed> {
    if u32::try_from(update.len()).is_err() {
        return Err(Malformed("the update is larger than any message"));
    }
    let mut reader = Reader::new(update);
    let (mut sets, mut followers) = (0, 0);
    update::structs(&mut reader, |found| {
        sets += usize::from(is_set(&found.header));
        followers += usize::from(found.header.origin.is_some());
    })?;
    // Most updates have nothing to do with the map: a text has many items with origins.
    let may_stand = sets > 0 || (followers > 0 && !keys.is_empty());
    let mut places = if may_stand { places(update, sets + followers)? } else { Vec::new() };
    update::deletions(&mut reader, |client, clocks| note_deletion(&mut places, client, &clocks))?;
    reader.end()?;
    if places.is_empty() {
        return Ok(Vec::new());
    }
    count_deletions(&mut places);
    let continued = link(&mut places, update, keys);
    let mut chains = chains(&places, update, &continued, keys);
    // The fewer bytes were left, the later it came.
    chains.sort_unstable_by_key(|chain| (chain.stands, Reverse(places[chain.last as usize].left)));
    remember(keys, &places, update, &chains);
    let stands = |chain: Chain| Standing { left: places[chain.last as usize].left, key: chain.key };
    Ok(chains.into_iter().filter(|chain| chain.stands).map(stands).collect())
}

/// What stands before the content of an item that was found before, and its content.
pub(super) fn header(update: &[u8], left: u32) -> Option<(Header<'_>, Reader<'_>)> {
    let start = update.len().checked_sub(left as usize)?;
    let mut reader = Reader::new(update.get(start..)?);
    Header::read(&mut reader).ok().map(|header| (header, reader))
}

/// Whether a struct sets a fresh key of the map, or has set it.
fn is_set(header: &Header<'_>) -> bool {
    header.root == Some(ROOT) && header.key.is_some()
}

/// So many places, in the order of ids. Of two with the same, the last is the one that counts.
fn places(update: &[u8], count: usize) -> Result<Vec<Place>, Malformed> {
    let mut places = Vec::with_capacity(count);
    update::structs(&mut Reader::new(update), |found| {
        if is_set(&found.header) || found.header.origin.is_some() {
            let length = u32::try_from(found.length).unwrap_or(u32::MAX);
            places.push(Place { id: found.id, length, left: found.left as u32, deletions: 0, next: 0 });
        }
    })?;
    places.sort_unstable_by_key(|place| (place.id, place.length, Reverse(place.left)));
    for (at, place) in places.iter_mut().enumerate() {
        place.next = at as u32;
    }
    Ok(places)
}

/// Notes at most two places for a range, however much it covers: an update may have very many very long ones.
fn note_deletion(places: &mut [Place], client: u64, clocks: &Range<u64>) {
    let first_from = |clock: u64| places.partition_point(|place| place.id < Id { client, clock });
    let (start, end) = (first_from(clocks.start), first_from(clocks.end));
    if start < end {
        places[start].deletions += 1;
        if let Some(place) = places.get_mut(end) {
            place.deletions -= 1;
        }
    }
}

fn count_deletions(places: &mut [Place]) {
    let mut under_way = 0;
    for place in places {
        under_way += place.deletions;
        place.deletions = under_way;
    }
}

/// Lets each place know which one follows. Gives those that follow what is remembered, by what they follow.
fn link(places: &mut [Place], update: &[u8], keys: &Keys) -> BTreeMap<Id, u32> {
    let mut continued = BTreeMap::new();
    for at in 0..places.len() {
        let Some(origin) = origin(&places[at], update) else { continue };
        if let Some(before) = place_with(places, origin) {
            let Place { id, length, next, .. } = places[before];
            let rival = (next as usize != before).then(|| places[next as usize]);
            if before != at && is_last_after(id, length, origin, &places[at], rival.as_ref(), update) {
                places[before].next = at as u32;
            }
        } else if let Some((id, length)) = keys.item_with(origin) {
            let rival = continued.get(&id).map(|next: &u32| places[*next as usize]);
            if is_last_after(id, length, origin, &places[at], rival.as_ref(), update) {
                continued.insert(id, at as u32);
            }
        }
    }
    continued
}

/// Whether a place comes after an item, and after all others that do: those of lower ids, of which this is the last so far.
///
/// An item of several clocks is as many values, each put after the one before. What was put after an early one competes
/// with the rest of them, and if it comes later, so it does than all that was put after these.
fn is_last_after(id: Id, length: u32, origin: Id, place: &Place, rival: Option<&Place>, update: &[u8]) -> bool {
    let is_at_its_end = origin.clock - id.clock + 1 == u64::from(length);
    let rival = rival.and_then(|rival| self::origin(rival, update));
    (is_at_its_end || place.id > id) && rival.is_none_or(|rival| origin.clock <= rival.clock)
}

fn origin(place: &Place, update: &[u8]) -> Option<Id> {
    header(update, place.left)?.0.origin
}

fn place_with(places: &[Place], id: Id) -> Option<usize> {
    let at = places.partition_point(|place| place.id <= id).checked_sub(1)?;
    let place = &places[at];
    (place.id.client == id.client && id.clock - place.id.clock < place.length.into()).then_some(at)
}

/// A place follows at most one other, and these begin with one that follows none: so no chain has a ring, and none meets
/// another.
fn chains(places: &[Place], update: &[u8], continued: &BTreeMap<Id, u32>, keys: &Keys) -> Vec<Chain> {
    let chain = |first: u32, key: Key| {
        let last = path(places, first).last().unwrap_or(first);
        Chain { first, last, key, stands: is_value(&places[last as usize], update) }
    };
    let here = (0..).zip(places).filter(|(_, place)| origin(place, update).is_none());
    let here = here.map(|(at, place)| chain(at, Key::Here(place.left)));
    let remembered = continued.iter().filter_map(|(id, first)| {
        let key = Arc::clone(keys.key(*id)?);
        Some(chain(*first, Key::Remembered(key)))
    });
    here.chain(remembered).collect()
}

/// A place, and those that follow.
fn path(places: &[Place], first: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(first), |at| {
        let next = places[*at as usize].next;
        (next != *at).then_some(next)
    })
}

fn is_value(place: &Place, update: &[u8]) -> bool {
    place.deletions == 0 && header(update, place.left).is_some_and(|(header, _)| header.kind != kind::DELETED)
}

/// What stands is overwritten next, so it is remembered last, and what is gone before it. Before them comes what was
/// overwritten already: somebody else may do so, too, who has not heard of it.
fn remember(keys: &mut Keys, places: &[Place], update: &[u8], chains: &[Chain]) {
    let mut remember = |at: u32, key: &Arc<str>| {
        let Place { id, length, .. } = places[at as usize];
        keys.remember(id, length, key);
    };
    let overwritten = |chain: &Chain| path(places, chain.first).count() - 1;
    let mut too_many = chains.iter().map(overwritten).sum::<usize>().saturating_sub(PROPOSAL_KEYS_REMEMBERED);
    for chain in chains.iter().filter(|chain| chain.first != chain.last) {
        let Some(key) = chain.key.shared(update) else { continue };
        for at in path(places, chain.first).take_while(|at| *at != chain.last) {
            match too_many.checked_sub(1) {
                Some(fewer) => too_many = fewer,
                None => remember(at, &key),
            }
        }
    }
    for chain in &chains[chains.len().saturating_sub(PROPOSAL_KEYS_REMEMBERED)..] {
        if let Some(key) = chain.key.shared(update) {
            remember(chain.last, &key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Keys, standing};

    /// How many bytes are left before what stands, after a key was set.
    fn after_a_set(item: &[u8]) -> Vec<u32> {
        let update = [&[1, 2, 5, 0, 0x28, 1, 7][..], b"answers", &[1, b'k', 1, 126], item, &[0]].concat();
        standing(&update, &mut Keys::default()).unwrap().into_iter().map(|standing| standing.left).collect()
    }

    #[test]
    fn only_what_was_put_last_overwrites() {
        // Whether Yjs says that it is under a key, or has forgotten to.
        assert_eq!(after_a_set(&[0xa8, 5, 0, 1, 126]), [6]);
        assert_eq!(after_a_set(&[0x88, 5, 0, 1, 126]), [6]);
        // Before something, before and after it, and after something else.
        let first = |item: &[u8]| 14 + item.len() as u32 + 1;
        for item in
            [&[0x68, 5, 0, 1, 126][..], &[0xe8, 5, 0, 5, 0, 1, 126], &[0xa8, 6, 0, 1, 126], &[0xa8, 5, 1, 1, 126]]
        {
            assert_eq!(after_a_set(item), [first(item)], "{item:?}");
        }
        assert!(after_a_set(&[0xa1, 5, 0, 1]).is_empty(), "something was, and was deleted");
    }
}
