//! The memory of one script: counted, bounded, and all of it given back.
//!
//! Asking for memory is also where the engine's own functions can be stopped that never look whether they should: once a
//! script must not go on, it gets none.

use crate::ended::Ended;
use crate::limits::{GRACE_BLOCK_BYTES, GRACE_BLOCKS, LAST_WORDS_BYTES};
use crate::meter::Meter;
use rquickjs::allocator::{Allocator, RustAllocator};
use std::collections::HashSet;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

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

    /// Whether the script wanted memory that it did not get.
    pub(crate) fn has_refused(&self) -> bool {
        self.has_refused.load(Relaxed)
    }

    /// How a script ends that wanted too much.
    pub(crate) fn explain(&self) -> Ended {
        Ended::Limit(format!("it needs more than {} MB of memory", self.bytes >> 20))
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
pub(crate) struct Blocks {
    memory: Arc<Memory>,
    /// All that were not given back.
    live: HashSet<*mut u8>,
}

impl Blocks {
    pub(crate) fn new(memory: &Arc<Memory>) -> Self {
        Self { memory: Arc::clone(memory), live: HashSet::new() }
    }

    fn note(&mut self, block: *mut u8) -> *mut u8 {
        if !block.is_null() {
            self.live.insert(block);
            self.memory.held.fetch_add(size(block), Relaxed);
        }
        block
    }

    fn forget(&mut self, block: *mut u8) {
        self.live.remove(&block);
        self.memory.held.fetch_sub(size(block), Relaxed);
    }
}

#[allow(unsafe_code)]
fn size(block: *mut u8) -> usize {
    // SAFETY: only called for blocks of `RustAllocator` that are live.
    unsafe { RustAllocator::usable_size(block) }
}

// SAFETY: every block comes from `RustAllocator`, which keeps the promises, or is null, which they allow.
#[allow(unsafe_code)]
unsafe impl Allocator for Blocks {
    fn alloc(&mut self, size: usize) -> *mut u8 {
        if self.memory.admit(size) { self.note(RustAllocator.alloc(size)) } else { ptr::null_mut() }
    }

    fn calloc(&mut self, count: usize, size: usize) -> *mut u8 {
        match count.checked_mul(size) {
            Some(bytes) if self.memory.admit(bytes) => self.note(RustAllocator.calloc(count, size)),
            _ => ptr::null_mut(),
        }
    }

    unsafe fn dealloc(&mut self, block: *mut u8) {
        self.forget(block);
        // SAFETY: the caller has it from here, and so from `RustAllocator`.
        unsafe { RustAllocator.dealloc(block) }
    }

    unsafe fn realloc(&mut self, block: *mut u8, new_size: usize) -> *mut u8 {
        if block.is_null() {
            return self.alloc(new_size);
        }
        let old_size = size(block);
        if new_size > old_size && !self.memory.admit(new_size - old_size) {
            return ptr::null_mut();
        }
        self.forget(block);
        // SAFETY: the caller has it from here, and so from `RustAllocator`.
        let moved = unsafe { RustAllocator.realloc(block, new_size) };
        // Where there is no other, the old one is still there.
        if moved.is_null() {
            self.note(block);
            return moved;
        }
        self.note(moved)
    }

    unsafe fn usable_size(block: *mut u8) -> usize {
        size(block)
    }
}

impl Drop for Blocks {
    /// The engine loses values when it runs out of memory at the wrong moment. The script has ended, and nobody has them.
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        for block in std::mem::take(&mut self.live) {
            // SAFETY: it is live, and the engine that it belonged to is gone.
            unsafe { RustAllocator.dealloc(block) }
        }
    }
}
