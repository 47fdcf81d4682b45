//! Ctrl-C, and the signal by which schedulers end a job, in jobs that end in their own way.
//!
//! Invariant: the first one asks, the second one ends the process at once, with the exit code that shells know it by. Absent
//! on purpose: what a job does when it is asked.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use tokio::signal::unix::{SignalKind, signal};

/// The exit code of a process that Ctrl-C has ended: 128 and the signal's number.
pub(crate) const INTERRUPTED: u8 = 130;

/// Whether an interrupt was requested.
static ASKED: AtomicBool = AtomicBool::new(false);

/// Whether the job should end.
pub(crate) fn is_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// From here on Ctrl-C or a termination asks, and calls `then` once.
///
/// # Errors
/// When the system gives no thread or no signals.
pub(crate) fn listen(then: impl FnOnce() + Send + 'static) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let (mut interrupts, mut terminations) = {
        let _inside = runtime.enter();
        let of = |kind| signal(kind).map_err(|error| error.to_string());
        (of(SignalKind::interrupt())?, of(SignalKind::terminate())?)
    };
    let wait = move || {
        runtime.block_on(async {
            let mut next = async || {
                tokio::select! {
                    biased;
                    _ = interrupts.recv() => {}
                    _ = terminations.recv() => {}
                }
            };
            next().await;
            ASKED.store(true, Ordering::Relaxed);
            then();
            next().await;
            std::process::exit(i32::from(INTERRUPTED));
        });
    };
    thread::Builder::new().name("interrupt".to_owned()).spawn(wait).map(drop).map_err(|error| error.to_string())
}
