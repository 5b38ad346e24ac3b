//! A room's document: its newest requests as a Yjs client reads them, in one list called `inputRequests`.
//!
//! The server is the only author, and the document follows from the log: the event of number n adds the item of clock n - 1, and
//! what other rooms' events would have added is deleted from the beginning. So whoever replays the log, from its beginning
//! or from a snapshot, writes the same bytes, and a client that comes back after a restart goes on where it was.

use super::author::Author;
use super::entry;
use crate::limits::{
    CHANGES_KEPT, FINAL_BYTES, FINAL_ENTRIES, PART_BYTES, PENDING_BYTES, PENDING_BYTES_OF_ASKER, PENDING_ENTRIES,
    PENDING_ENTRIES_OF_ASKER,
};
use crate::record::Event;
use askback_core::{Name, Status};
use askback_yjs::update::{HAS_ORIGIN, IN_ROOT, kind};
use askback_yjs::{ByteWriter, state_vector};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ops::Range;
use std::sync::Arc;

mod snapshot;
#[cfg(test)]
mod tests;

/// The root under which clients find the list.
const ROOT: &str = "inputRequests";

#[derive(Debug, Clone)]
pub(crate) struct Document {
    pub(super) author: Author,
    /// The clock after the last item, which is the number of the last event that it shows.
    pub(crate) end: u64,
    /// What is not deleted, by its clock.
    entries: BTreeMap<u64, Entry>,
    pending: Share,
    /// Of each asker with pending requests here.
    pending_by_asker: HashMap<Name, Share>,
    finals: Share,
    /// The newest changes, for those who are almost up to date.
    recent: VecDeque<Change>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    standing: Standing,
    asker: Name,
    /// Shared by the copies of a document, of which one is made to be written down.
    written: Arc<[u8]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Pending,
    Final,
}

/// How much of the document is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Share {
    entries: usize,
    bytes: usize,
}

impl Share {
    fn add(&mut self, entry: &Entry) {
        self.entries += 1;
        self.bytes += entry.written.len();
    }

    fn subtract(&mut self, entry: &Entry) {
        self.entries -= 1;
        self.bytes -= entry.written.len();
    }
}

/// What an event changed, besides adding its item.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Change {
    added: Range<u64>,
    deleted: Vec<u64>,
}

/// Items that stand one behind the other, and are all there or all deleted.
enum Run<'d> {
    Here(Vec<&'d Entry>),
    Deleted(Range<u64>),
}

impl Document {
    pub(crate) fn new(author: Author) -> Self {
        let (pending, finals) = (Share::default(), Share::default());
        let (entries, pending_by_asker, recent) = (BTreeMap::new(), HashMap::new(), VecDeque::new());
        Self { author, end: 0, entries, pending, pending_by_asker, finals, recent }
    }

    /// Forgets what has changed: nobody was told any of it.
    pub(crate) fn settle(&mut self) {
        self.recent = VecDeque::new();
    }

    /// Shows an event, unless it does already. Says whether it was new.
    pub(crate) fn apply(&mut self, event: &Event) -> bool {
        let Some(clock) = event.number.checked_sub(1).filter(|clock| *clock >= self.end) else { return false };
        let mut deleted = Vec::new();
        let standing = if event.status == Status::Pending { Standing::Pending } else { Standing::Final };
        // The event that made a request has put it there; what was pushed out since is not there to be deleted.
        let before = event.record.number.checked_sub(1).filter(|before| self.entries.contains_key(before));
        if let Some(before) = before {
            self.remove(before);
            deleted.push(before);
        }
        self.insert(clock, Entry { standing, asker: event.record.asker.clone(), written: entry::written(event) });
        while let Some(oldest) = self.too_many(standing) {
            self.remove(oldest);
            deleted.push(oldest);
        }
        self.recent.push_back(Change { added: self.end..clock + 1, deleted });
        if self.recent.len() > CHANGES_KEPT {
            self.recent.pop_front();
        }
        self.end = clock + 1;
        true
    }

    fn insert(&mut self, clock: u64, entry: Entry) {
        match entry.standing {
            Standing::Pending => {
                self.pending.add(&entry);
                self.pending_by_asker.entry(entry.asker.clone()).or_default().add(&entry);
            }
            Standing::Final => self.finals.add(&entry),
        }
        self.entries.insert(clock, entry);
    }

    fn remove(&mut self, clock: u64) {
        let Some(entry) = self.entries.remove(&clock) else { return };
        match entry.standing {
            Standing::Pending => {
                self.pending.subtract(&entry);
                if let Some(share) = self.pending_by_asker.get_mut(&entry.asker) {
                    share.subtract(&entry);
                    if share.entries == 0 {
                        self.pending_by_asker.remove(&entry.asker);
                    }
                }
            }
            Standing::Final => self.finals.subtract(&entry),
        }
    }

    /// The entry of a standing that gives way, if there are more of them than the document shows: the oldest, of pending ones the oldest of
    /// an asker that has more than its part. The newest always stays.
    fn too_many(&self, standing: Standing) -> Option<u64> {
        let (share, most, most_bytes) = match standing {
            Standing::Pending => (self.pending, PENDING_ENTRIES, PENDING_BYTES),
            Standing::Final => (self.finals, FINAL_ENTRIES, FINAL_BYTES),
        };
        let asker = if share.entries > most {
            self.asker_past(standing, PENDING_ENTRIES_OF_ASKER, |of_asker| of_asker.entries)
        } else if share.bytes > most_bytes && share.entries > 1 {
            self.asker_past(standing, PENDING_BYTES_OF_ASKER, |of_asker| of_asker.bytes)
        } else {
            return None;
        };
        let gives_way = |entry: &Entry| entry.standing == standing && asker.is_none_or(|asker| entry.asker == *asker);
        self.entries.iter().find(|(_, entry)| gives_way(entry)).map(|(clock, _)| *clock)
    }

    /// The asker with the most of what is pending, if that is more than its part. Of two with the same, always the same one: whoever replays
    /// the log writes the same bytes.
    fn asker_past(&self, standing: Standing, part: usize, amount: impl Fn(&Share) -> usize) -> Option<&Name> {
        let of_askers = self.pending_by_asker.iter().filter(|_| standing == Standing::Pending);
        let most = of_askers
            .map(|(asker, share)| (amount(share), asker.as_str(), asker))
            .max_by_key(|(amount, name, _)| (*amount, *name));
        most.filter(|(amount, ..)| *amount > part).map(|(.., asker)| asker)
    }

    /// What a client lacks that says it knows what is before a clock: a Yjs update, the first of several where it is long, and the
    /// clock up to which it then knows everything. The last one says whatever is deleted, too.
    pub(crate) fn part_since(&self, known: u64) -> (Vec<u8>, u64) {
        let end = self.end_of_part(known);
        let deleted = if end == self.end { self.deleted() } else { Vec::new() };
        (self.update(known..end, &deleted), end)
    }

    /// Where a message ends that begins at a clock, so that none is so long that a slow client takes it for silence.
    fn end_of_part(&self, known: u64) -> u64 {
        let mut bytes = 0;
        let mut entries = self.entries.range(known..);
        let last = entries.find(|(_, entry)| {
            bytes += entry.written.len();
            bytes >= PART_BYTES
        });
        last.map_or(self.end, |(clock, _)| clock + 1)
    }

    /// What has changed for a client that was told everything up to this clock, as one Yjs update; none if that is too much
    /// for one, or too long ago.
    pub(crate) fn news_since(&self, known: u64) -> Option<Vec<u8>> {
        match self.recent.front() {
            _ if self.end_of_part(known) < self.end => None,
            Some(oldest) if oldest.added.start <= known => {
                let news = self.recent.iter().rev().take_while(|change| change.added.end > known);
                // What came and went since is not told at all.
                let mut deleted: Vec<u64> =
                    news.flat_map(|change| change.deleted.iter().copied()).filter(|clock| *clock < known).collect();
                deleted.sort_unstable();
                Some(self.update(known..self.end, &ranges(&deleted)))
            }
            _ => None,
        }
    }

    /// The state vector: what a client that knows everything knows.
    pub(crate) fn state_vector(&self) -> Vec<u8> {
        let known = (self.author.number(), self.end);
        if self.end == 0 { state_vector::write(&[]) } else { state_vector::write(&[known]) }
    }

    fn update(&self, clocks: Range<u64>, deleted: &[Range<u64>]) -> Vec<u8> {
        let mut writer = ByteWriter::default();
        let mut clock = clocks.start;
        let runs = self.runs(clocks);
        writer.unsigned(u64::from(!runs.is_empty()));
        if !runs.is_empty() {
            writer.unsigned(runs.len() as u64);
            writer.unsigned(self.author.number());
            writer.unsigned(clock);
            for run in &runs {
                self.write_run(&mut writer, clock, run);
                clock += run.len();
            }
        }
        writer.unsigned(u64::from(!deleted.is_empty()));
        if !deleted.is_empty() {
            writer.unsigned(self.author.number());
            writer.unsigned(deleted.len() as u64);
            for range in deleted {
                writer.unsigned(range.start);
                writer.unsigned(range.end - range.start);
            }
        }
        writer.into_vec()
    }

    /// Every item stands behind the one before it, which this author wrote, too.
    fn write_run(&self, writer: &mut ByteWriter, clock: u64, run: &Run<'_>) {
        let content = match run {
            Run::Here(_) => kind::ANY,
            Run::Deleted(_) => kind::DELETED,
        };
        match clock.checked_sub(1) {
            Some(before) => {
                writer.byte(content | HAS_ORIGIN);
                writer.unsigned(self.author.number());
                writer.unsigned(before);
            }
            None => {
                writer.byte(content);
                writer.unsigned(IN_ROOT);
                writer.text(ROOT);
            }
        }
        writer.unsigned(run.len());
        if let Run::Here(entries) = run {
            entries.iter().for_each(|entry| writer.encoded(&entry.written));
        }
    }

    fn runs(&self, clocks: Range<u64>) -> Vec<Run<'_>> {
        let mut runs = Vec::new();
        let Range { start: mut next, end } = clocks;
        for (clock, entry) in self.entries.range(next..end) {
            if *clock > next {
                runs.push(Run::Deleted(next..*clock));
            }
            match runs.last_mut() {
                Some(Run::Here(entries)) => entries.push(entry),
                _ => runs.push(Run::Here(vec![entry])),
            }
            next = clock + 1;
        }
        if next < end {
            runs.push(Run::Deleted(next..end));
        }
        runs
    }

    fn deleted(&self) -> Vec<Range<u64>> {
        let runs = self.runs(0..self.end).into_iter();
        let deleted = runs.filter_map(|run| match run {
            Run::Deleted(range) => Some(range),
            Run::Here(_) => None,
        });
        deleted.collect()
    }
}

impl Run<'_> {
    fn len(&self) -> u64 {
        match self {
            Self::Here(entries) => entries.len() as u64,
            Self::Deleted(range) => range.end - range.start,
        }
    }
}

fn ranges(clocks: &[u64]) -> Vec<Range<u64>> {
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for clock in clocks {
        match ranges.last_mut() {
            Some(last) if last.end == *clock => last.end += 1,
            _ => ranges.push(*clock..clock + 1),
        }
    }
    ranges
}
