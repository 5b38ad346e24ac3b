//! The memory of one script: counted, bounded, and all of it given back.
//!
//! Asking for memory is also where the engine's own functions can be stopped that never look whether they should: once a
//! script must not go on, it gets none.

use crate::ended::Ended;
use crate::heap::{self, Heap};
use crate::limits::{GRACE_BLOCK_BYTES, GRACE_BLOCKS, LAST_WORDS_BYTES};
use crate::meter::Meter;
use rquickjs::allocator::Allocator;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Written by the thread that runs the script, and by no other at that time.
#[derive(Debug)]
pub(crate) struct Memory {
    meter: Arc<Meter>,
    bytes: usize,
    /// What the script may hold now.
    limit: AtomicUsize,
    held: AtomicUsize,
    /// Blocks that may be had although there is no memory, or no time.
    grace: AtomicUsize,
    has_refused: AtomicBool,
    heap: Mutex<Heap>,
}

impl Memory {
    /// Memory for a script that may hold this much when it runs.
    pub(crate) fn new(meter: Arc<Meter>, bytes: usize) -> Self {
        Self {
            meter,
            bytes,
            limit: AtomicUsize::new(usize::MAX),
            held: AtomicUsize::new(0),
            grace: AtomicUsize::new(0),
            has_refused: AtomicBool::new(false),
            heap: Mutex::new(Heap::new()),
        }
    }

    /// The script runs from now on. Until then nothing was refused: the engine's parser does not survive that, and what it
    /// can need is bounded by the code.
    pub(crate) fn bound(&self) {
        self.limit.store(self.bytes, Relaxed);
    }

    /// Lets the script's values be read although it may have used up its memory.
    pub(crate) fn bound_last_words(&self) {
        self.limit.store(self.bytes + LAST_WORDS_BYTES, Relaxed);
    }

    /// The script is about to be interrupted. That takes an error, without memory for which it could just go on.
    pub(crate) fn grant_grace(&self) {
        self.grace.store(GRACE_BLOCKS, Relaxed);
    }

    /// Bytes that the script holds.
    pub(crate) fn held(&self) -> usize {
        self.held.load(Relaxed)
    }

    /// Bytes that it takes from the system, which is more: where values were there is room.
    pub(crate) fn taken(&self) -> usize {
        self.heap().taken()
    }

    /// Whether the script wanted memory that it did not get.
    pub(crate) fn has_refused(&self) -> bool {
        self.has_refused.load(Relaxed)
    }

    /// How a script ends that wanted too much.
    pub(crate) fn explain(&self) -> Ended {
        Ended::Limit(format!("it needs more than {} MB of memory", self.bytes >> 20))
    }

    /// Packs what the script holds, if that can be done, and says how many bytes it takes now. The engine must not run until it is unpacked,
    /// nor be dropped.
    pub(crate) fn pack(&self) -> usize {
        let mut heap = self.heap();
        heap.pack().unwrap_or_else(|| heap.taken())
    }

    pub(crate) fn unpack(&self) {
        self.heap().unpack();
    }

    fn heap(&self) -> MutexGuard<'_, Heap> {
        self.heap.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn admit(&self, bytes: usize) -> bool {
        let limit = self.limit.load(Relaxed);
        if limit == usize::MAX {
            return true;
        }
        let grace = self.grace.load(Relaxed);
        if grace > 0 && bytes <= GRACE_BLOCK_BYTES {
            self.grace.store(grace - 1, Relaxed);
            return true;
        }
        let is_admitted = self.held().saturating_add(bytes) <= limit && !self.meter.is_over();
        if !is_admitted {
            self.has_refused.store(true, Relaxed);
        }
        is_admitted
    }
}

/// Where an engine gets a script's memory from.
pub(crate) struct Blocks(Arc<Memory>);

impl Blocks {
    pub(crate) fn new(memory: &Arc<Memory>) -> Self {
        Self(Arc::clone(memory))
    }
}

// SAFETY: every block comes from `Heap`, which has as many bytes as it was asked for, so aligned, or is null, which is allowed.
#[allow(unsafe_code)]
unsafe impl Allocator for Blocks {
    fn alloc(&mut self, size: usize) -> *mut u8 {
        if !self.0.admit(size) {
            return ptr::null_mut();
        }
        let block = self.0.heap().alloc(size);
        if !block.is_null() {
            self.0.held.fetch_add(size, Relaxed);
        }
        block
    }

    fn calloc(&mut self, count: usize, size: usize) -> *mut u8 {
        let Some(bytes) = count.checked_mul(size) else { return ptr::null_mut() };
        let block = self.alloc(bytes);
        if !block.is_null() {
            // SAFETY: it has as many bytes, and is nobody else's.
            unsafe { block.write_bytes(0, bytes) };
        }
        block
    }

    unsafe fn dealloc(&mut self, block: *mut u8) {
        // SAFETY: the caller has it from here, and so from the heap.
        unsafe {
            self.0.held.fetch_sub(heap::size(block), Relaxed);
            self.0.heap().dealloc(block);
        }
    }

    unsafe fn realloc(&mut self, block: *mut u8, new_size: usize) -> *mut u8 {
        if block.is_null() {
            return self.alloc(new_size);
        }
        // SAFETY: the caller has it from here, and so from the heap.
        let old_size = unsafe { heap::size(block) };
        if new_size > old_size && !self.0.admit(new_size - old_size) {
            return ptr::null_mut();
        }
        // SAFETY: as before; and whoever gets a new one has given the old one up.
        let moved = unsafe { self.0.heap().realloc(block, new_size) };
        if !moved.is_null() {
            self.0.held.fetch_add(new_size, Relaxed);
            self.0.held.fetch_sub(old_size, Relaxed);
        }
        moved
    }

    unsafe fn usable_size(block: *mut u8) -> usize {
        // SAFETY: the caller has it from here, and so from the heap.
        unsafe { heap::size(block) }
    }
}
