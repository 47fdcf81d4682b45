//! Faults that tests plant, to see that they are found.
//!
//! Invariant: without a test that plants one there is none. Absent on purpose: everything else.

use std::cell::Cell;

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Planted {
    /// Callers are answered before the log has what they asked for.
    AnswersFirst,
    /// An outcome that is not known is taken for a success.
    Guesses,
    /// A leader believes in its term until it learns that it is over.
    LeadsForEver,
    /// The log takes batches of every term, wherever they are to follow.
    TakesAll,
}

thread_local! {
    static HERE: Cell<Option<Planted>> = const { Cell::new(None) };
}

impl Planted {
    /// Whether it is planted in this thread.
    pub(crate) fn is_here(self) -> bool {
        HERE.get() == Some(self)
    }

    /// Does `f` with this fault, or without any.
    pub(crate) fn during<R>(fault: Option<Self>, f: impl FnOnce() -> R) -> R {
        HERE.set(fault);
        let done = f();
        HERE.set(None);
        done
    }
}
