//! Where a script's values are: a stretch of addresses that is the script's own, so that what is there can be packed while the script waits for
//! a person, and unpacked at the same addresses before it goes on. The engine asks for pages that it fills by and by, most of which are nearly
//! empty and much alike: packed, a script that waits takes a fraction of them.
//!
//! What is too large for the stretch, or comes when it is full, is kept apart; a script with such blocks is not packed.

use crate::limits::{PACKED_BLOCK_BYTES, STRETCH_BYTES};
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
#[cfg(target_os = "linux")]
use rustix::mm::{Advice, madvise};
use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};
use std::alloc::{Layout, alloc, dealloc, realloc};
use std::collections::HashSet;
use std::io::{Read, Write};
use std::{ptr, slice};

/// Bytes before every block that say how large it is, and of which class.
const HEADER: usize = size_of::<u64>();

/// What every block begins at a multiple of. The engine's largest value has as many bytes.
const ALIGN: usize = align_of::<u64>();

/// The largest block of each class, so that the engine's own pages, of up to 4,096 bytes, are all of one.
const CLASSES: [usize; 7] = [1 << 10, 2 << 10, 4104, 8 << 10, 16 << 10, 32 << 10, PACKED_BLOCK_BYTES];

/// The class of what is kept apart.
const APART: u64 = 0xff;

/// The memory of one script.
#[derive(Debug)]
pub(crate) struct Heap {
    /// Where the stretch begins, unless there was no room for one.
    stretch: *mut u8,
    /// Bytes of it that were ever used.
    used: usize,
    /// Blocks in it that were given back, by their classes.
    free: [Vec<*mut u8>; CLASSES.len()],
    /// Blocks that are not in it.
    apart: HashSet<*mut u8>,
    /// Bytes of these.
    apart_bytes: usize,
    /// What the stretch held, while it holds nothing.
    packed: Option<Vec<u8>>,
}

// SAFETY: it is the only owner of what its pointers point to.
#[allow(unsafe_code)]
unsafe impl Send for Heap {}

#[allow(unsafe_code)]
impl Heap {
    pub(crate) fn new() -> Self {
        // SAFETY: a new mapping, wherever the system likes, takes nothing from anybody.
        let mapped = unsafe {
            mmap_anonymous(ptr::null_mut(), STRETCH_BYTES, ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE)
        };
        let stretch: *mut u8 = mapped.map_or(ptr::null_mut(), <*mut _>::cast);
        #[cfg(target_os = "linux")]
        if !stretch.is_null() {
            // SAFETY: it is mapped with this length. A page of two megabytes, where the system likes such, would be all that there is.
            let _ = unsafe { madvise(stretch.cast(), STRETCH_BYTES, Advice::LinuxNoHugepage) };
        }
        Self { stretch, used: 0, free: Default::default(), apart: HashSet::new(), apart_bytes: 0, packed: None }
    }

    /// A block of so many bytes, which may hold anything; null if there is no memory.
    pub(crate) fn alloc(&mut self, size: usize) -> *mut u8 {
        let block = self.in_stretch(size);
        if block.is_null() { self.alloc_apart(size) } else { block }
    }

    fn in_stretch(&mut self, size: usize) -> *mut u8 {
        let Some(class) = CLASSES.iter().position(|most| size <= *most) else { return ptr::null_mut() };
        let block = match self.free[class].pop() {
            Some(block) => block,
            None => {
                let length = HEADER + CLASSES[class];
                if self.stretch.is_null() || self.used + length > STRETCH_BYTES {
                    return ptr::null_mut();
                }
                // SAFETY: the block ends before the stretch does.
                let block = unsafe { self.stretch.add(self.used + HEADER) };
                self.used += length;
                block
            }
        };
        // SAFETY: it is a block of this class, and nobody else's.
        unsafe { write_header(block, size, class as u64) };
        block
    }

    fn alloc_apart(&mut self, size: usize) -> *mut u8 {
        let Some(layout) = layout(size) else { return ptr::null_mut() };
        // SAFETY: the layout has room for the header at least.
        let begin = unsafe { alloc(layout) };
        if begin.is_null() {
            return begin;
        }
        // SAFETY: it was made for the header and the block, which follows it.
        let block = unsafe { begin.add(HEADER) };
        // SAFETY: as before.
        unsafe { write_header(block, size, APART) };
        self.apart.insert(block);
        self.apart_bytes += size;
        block
    }

    /// Takes a block back.
    ///
    /// # Safety
    /// It is a live one of this heap, and nobody uses it any more.
    pub(crate) unsafe fn dealloc(&mut self, block: *mut u8) {
        // SAFETY: it is live.
        let (size, class) = unsafe { read_header(block) };
        if class == APART {
            self.apart.remove(&block);
            self.apart_bytes -= size;
            // SAFETY: it was made with this very layout, from there on.
            unsafe { dealloc(block.sub(HEADER), layout_of(size)) }
        } else {
            self.free[class as usize].push(block);
        }
    }

    /// A block of another size with what was in this one, which may be this one; null, and nothing has changed, if there is no memory.
    ///
    /// # Safety
    /// It is a live one of this heap, and nobody uses it any more unless nothing has changed.
    pub(crate) unsafe fn realloc(&mut self, block: *mut u8, new_size: usize) -> *mut u8 {
        // SAFETY: it is live.
        let (size, class) = unsafe { read_header(block) };
        if class == APART && new_size > PACKED_BLOCK_BYTES {
            let Some(new) = layout(new_size) else { return ptr::null_mut() };
            // SAFETY: it was made with this very layout, from there on, and the new size is one that a layout can have.
            let begin = unsafe { realloc(block.sub(HEADER), layout_of(size), new.size()) };
            if begin.is_null() {
                return begin;
            }
            self.apart.remove(&block);
            // SAFETY: it has room for the header and the block, which follows it.
            let moved = unsafe { begin.add(HEADER) };
            // SAFETY: as before.
            unsafe { write_header(moved, new_size, APART) };
            self.apart.insert(moved);
            self.apart_bytes = self.apart_bytes - size + new_size;
            return moved;
        }
        if class != APART && new_size <= CLASSES[class as usize] {
            // SAFETY: a block of this class has room for it.
            unsafe { write_header(block, new_size, class) };
            return block;
        }
        let moved = self.alloc(new_size);
        if !moved.is_null() {
            // SAFETY: both have as many bytes, and the new one is nowhere in the old one, which is live until it is given back here.
            unsafe {
                ptr::copy_nonoverlapping(block, moved, size.min(new_size));
                self.dealloc(block);
            }
        }
        moved
    }

    /// Bytes that it takes from the system: what was given back within the stretch is still the script's.
    pub(crate) fn taken(&self) -> usize {
        self.apart_bytes + self.packed.as_ref().map_or(self.used, Vec::len)
    }

    /// Packs what is there, if it can be: nobody may look at any block until it is unpacked. Gives how many bytes that takes.
    #[cfg(target_os = "linux")]
    pub(crate) fn pack(&mut self) -> Option<usize> {
        if !self.apart.is_empty() || self.packed.is_some() || self.used == 0 {
            return None;
        }
        // SAFETY: all of it is mapped, was zero at first, and is written by nobody now.
        let used = unsafe { slice::from_raw_parts(self.stretch, self.used) };
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        let written = encoder.write_all(used);
        let mut packed = written.and_then(|()| encoder.finish()).ok()?;
        packed.shrink_to_fit();
        // SAFETY: what is there is in `packed`, nobody looks at it until it is put back, and there is nothing behind it.
        unsafe { madvise(self.stretch.cast(), STRETCH_BYTES, Advice::LinuxDontNeed) }.ok()?;
        Some(self.packed.insert(packed).len())
    }

    /// Elsewhere no memory can be given back whose addresses are kept.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn pack(&mut self) -> Option<usize> {
        None
    }

    /// Puts everything back to where it was.
    pub(crate) fn unpack(&mut self) {
        let Some(packed) = self.packed.take() else { return };
        // SAFETY: all of it is mapped, and nobody looks at it as long as it is packed.
        let used = unsafe { slice::from_raw_parts_mut(self.stretch, self.used) };
        let unpacked = DeflateDecoder::new(packed.as_slice()).read_exact(used);
        // What was packed in this process is whole. If it were not, nobody could even end the engine whose memory it is.
        if unpacked.is_err() {
            std::process::abort();
        }
    }
}

impl Drop for Heap {
    /// The engine loses values when it runs out of memory at the wrong moment. The script has ended, and nobody has them.
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        for block in std::mem::take(&mut self.apart) {
            // SAFETY: it is live, and the engine that it belonged to is gone.
            unsafe {
                let (size, _) = read_header(block);
                dealloc(block.sub(HEADER), layout_of(size));
            }
        }
        if !self.stretch.is_null() {
            // SAFETY: it was mapped here, with this length, and the engine whose blocks are in it is gone.
            let _ = unsafe { munmap(self.stretch.cast(), STRETCH_BYTES) };
        }
    }
}

/// How many bytes a block was asked for with.
///
/// # Safety
/// It is a live one of a heap that is not packed.
#[allow(unsafe_code)]
pub(crate) unsafe fn size(block: *mut u8) -> usize {
    // SAFETY: as is said above.
    unsafe { read_header(block).0 }
}

/// # Safety
/// There is a header before the block.
#[allow(unsafe_code)]
unsafe fn read_header(block: *mut u8) -> (usize, u64) {
    // SAFETY: the header was written there, and blocks are aligned like it.
    let header = unsafe { block.sub(HEADER).cast::<u64>().read() };
    // Sizes are those of memory that could be had.
    ((header & (u64::MAX >> 8)) as usize, header >> 56)
}

/// # Safety
/// There is room for a header before the block.
#[allow(unsafe_code)]
unsafe fn write_header(block: *mut u8, size: usize, class: u64) {
    // SAFETY: as is said above, and blocks are aligned like it.
    unsafe { block.sub(HEADER).cast::<u64>().write(size as u64 | class << 56) }
}

/// What a block that is kept apart is made with.
fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size.checked_add(HEADER)?, ALIGN).ok().filter(|layout| layout.size() >> 56 == 0)
}

/// The same for one that was made.
fn layout_of(size: usize) -> Layout {
    layout(size).expect("the block was made with it")
}

#[cfg(test)]
#[allow(unsafe_code)]
mod tests {
    use super::{ALIGN, Heap, PACKED_BLOCK_BYTES, STRETCH_BYTES, size};
    use proptest::prelude::*;
    use std::slice;

    /// What is done to a heap, with what a block is filled with, or which of the live ones is meant.
    #[derive(Debug, Clone)]
    enum Deed {
        Alloc(usize, u8),
        Realloc(usize, usize, u8),
        Dealloc(usize),
        Pack,
    }

    fn sizes() -> impl Strategy<Value = usize> {
        prop_oneof![0..600_usize, 500..5_000_usize, 4_000..70_000_usize, 60_000..200_000_usize]
    }

    fn deeds() -> impl Strategy<Value = Vec<Deed>> {
        let deed = prop_oneof![
            4 => (sizes(), any::<u8>()).prop_map(|(size, fill)| Deed::Alloc(size, fill)),
            3 => (any::<usize>(), sizes(), any::<u8>()).prop_map(|(which, size, fill)| Deed::Realloc(which, size, fill)),
            2 => any::<usize>().prop_map(Deed::Dealloc),
            2 => Just(Deed::Pack),
        ];
        prop::collection::vec(deed, 1..120)
    }

    /// A live block, and what is to be in it.
    struct Live {
        block: *mut u8,
        holds: Vec<u8>,
    }

    impl Live {
        fn bytes(&self) -> &[u8] {
            // SAFETY: it is live, and has as many bytes.
            unsafe { slice::from_raw_parts(self.block, self.holds.len()) }
        }

        /// Fills it from there on.
        fn fill(&mut self, from: usize, with: u8) {
            for at in from..self.holds.len() {
                self.holds[at] = with.wrapping_add(at as u8);
                // SAFETY: it is live, and has more bytes than that.
                unsafe { self.block.add(at).write(self.holds[at]) };
            }
        }
    }

    proptest! {
        // S3
        #[test]
        fn what_is_in_a_block_stays_there_whatever_happens_around_it(deeds in deeds()) {
            let mut heap = Heap::new();
            let mut all: Vec<Live> = Vec::new();
            for deed in deeds {
                match deed {
                    Deed::Alloc(bytes, fill) => {
                        let mut live = Live { block: heap.alloc(bytes), holds: vec![0; bytes] };
                        live.fill(0, fill);
                        all.push(live);
                    }
                    Deed::Realloc(which, bytes, fill) if !all.is_empty() => {
                        let which = which % all.len();
                        let live = &mut all[which];
                        // SAFETY: it is live, and used no more.
                        live.block = unsafe { heap.realloc(live.block, bytes) };
                        let kept = live.holds.len().min(bytes);
                        live.holds.resize(bytes, 0);
                        prop_assert_eq!(&live.bytes()[..kept], &live.holds[..kept]);
                        live.fill(kept, fill);
                    }
                    Deed::Dealloc(which) if !all.is_empty() => {
                        let live = all.swap_remove(which % all.len());
                        // SAFETY: it is live, and used no more.
                        unsafe { heap.dealloc(live.block) };
                    }
                    Deed::Pack => {
                        heap.pack();
                        heap.unpack();
                    }
                    Deed::Realloc(..) | Deed::Dealloc(_) => {}
                }
                for live in &all {
                    prop_assert!(live.block.addr().is_multiple_of(ALIGN));
                    // SAFETY: it is live.
                    prop_assert_eq!(unsafe { size(live.block) }, live.holds.len());
                    prop_assert!(live.bytes() == live.holds);
                }
            }
        }
    }

    // S3
    #[test]
    fn what_is_packed_gives_its_memory_back_and_what_is_apart_stays() {
        let mut heap = Heap::new();
        let block = heap.alloc(4_000);
        // SAFETY: it is live, and has as many bytes.
        unsafe { block.write_bytes(7, 4_000) };
        let packed = heap.pack().unwrap();
        assert!(packed < 400, "{packed}");
        assert_eq!(heap.pack(), None, "it is packed already");
        // SAFETY: the address is still mapped.
        assert_eq!(unsafe { block.read() }, 0, "what was there is given back");
        heap.unpack();
        // SAFETY: it is live, and has as many bytes.
        assert!(unsafe { slice::from_raw_parts(block, 4_000) }.iter().all(|byte| *byte == 7));

        let large = heap.alloc(PACKED_BLOCK_BYTES + 1);
        assert_eq!(heap.pack(), None);
        // SAFETY: it is live, and used no more.
        unsafe { heap.dealloc(large) };
        assert!(heap.pack().is_some());
        heap.unpack();
        while heap.used + PACKED_BLOCK_BYTES <= STRETCH_BYTES {
            heap.alloc(PACKED_BLOCK_BYTES);
        }
        heap.alloc(PACKED_BLOCK_BYTES);
        assert_eq!(heap.pack(), None, "there is more than fits");
    }
}
