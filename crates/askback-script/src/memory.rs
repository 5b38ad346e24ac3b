//! The memory of one script: counted, bounded, and all of it given back.
//!
//! Asking for memory is also where the engine's own functions can be stopped that never look whether they should: once a
//! script must not go on, it gets none.

use crate::ended::Ended;
use crate::limits::{BLOCK_OVERHEAD_BYTES, GRACE_BLOCK_BYTES, GRACE_BLOCKS, LARGEST_BLOCK_BYTES, LAST_WORDS_BYTES};
use crate::meter::Meter;
use rquickjs::allocator::{Allocator, RustAllocator};
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

    /// Bytes that the script holds, with what the allocator adds to each block.
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
        if bytes > LARGEST_BLOCK_BYTES {
            return false;
        }
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

    /// Counts a block of this usable size.
    fn add(&self, size: usize) {
        self.held.fetch_add(size + BLOCK_OVERHEAD_BYTES, Relaxed);
    }

    fn subtract(&self, size: usize) {
        self.held.fetch_sub(size + BLOCK_OVERHEAD_BYTES, Relaxed);
    }
}

/// Where an engine gets a script's memory from.
pub(crate) struct Blocks(Arc<Memory>);

impl Blocks {
    pub(crate) fn new(memory: &Arc<Memory>) -> Self {
        Self(Arc::clone(memory))
    }
}

// SAFETY: every block is one of `RustAllocator`, which keeps the promises of the trait, or null, which is allowed.
#[allow(unsafe_code)]
unsafe impl Allocator for Blocks {
    fn alloc(&mut self, size: usize) -> *mut u8 {
        if !self.0.admit(size) {
            return ptr::null_mut();
        }
        let block = RustAllocator.alloc(size);
        if !block.is_null() {
            // SAFETY: the allocator has just returned it.
            self.0.add(unsafe { RustAllocator::usable_size(block) });
        }
        block
    }

    fn calloc(&mut self, count: usize, size: usize) -> *mut u8 {
        let Some(bytes) = count.checked_mul(size) else { return ptr::null_mut() };
        let block = self.alloc(bytes);
        if !block.is_null() {
            // SAFETY: the block has at least as many bytes, and nothing else refers to it yet.
            unsafe { block.write_bytes(0, bytes) };
        }
        block
    }

    unsafe fn dealloc(&mut self, block: *mut u8) {
        // SAFETY: the caller has it from here, and so from `RustAllocator`.
        unsafe {
            self.0.subtract(RustAllocator::usable_size(block));
            RustAllocator.dealloc(block);
        }
    }

    unsafe fn realloc(&mut self, block: *mut u8, new_size: usize) -> *mut u8 {
        if block.is_null() {
            return self.alloc(new_size);
        }
        // SAFETY: the caller has it from here, and so from `RustAllocator`.
        unsafe {
            let old_size = RustAllocator::usable_size(block);
            if new_size > old_size && !self.0.admit(new_size - old_size) {
                return ptr::null_mut();
            }
            let moved = RustAllocator.realloc(block, new_size);
            if !moved.is_null() {
                self.0.subtract(old_size);
                self.0.add(RustAllocator::usable_size(moved));
            }
            moved
        }
    }

    unsafe fn usable_size(block: *mut u8) -> usize {
        // SAFETY: the caller has it from here, and so from `RustAllocator`.
        unsafe { RustAllocator::usable_size(block) }
    }
}
