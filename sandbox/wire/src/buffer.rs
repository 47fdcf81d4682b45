//! Buffers that a thread writes into again and again.
//!
//! Invariant: a buffer of the size that answers have by now need not grow; a thread keeps one for each level at which objects hold
//! objects, and none that is larger than `LARGEST`. Absent on purpose: what is written.

use std::cell::RefCell;

/// The largest buffer that a thread keeps.
pub(crate) const LARGEST: usize = 256 * 1_024;

thread_local! {
    static SPARE: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// Has `write` write into an empty buffer, which it may take away.
pub(crate) fn with<R>(write: impl FnOnce(&mut Vec<u8>) -> R) -> R {
    let mut buffer = SPARE.with_borrow_mut(Vec::pop).unwrap_or_default();
    let written = write(&mut buffer);
    if buffer.capacity() <= LARGEST {
        buffer.clear();
        SPARE.with_borrow_mut(|spare| spare.push(buffer));
    }
    written
}
