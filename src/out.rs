//! Standard output and standard error, the only places where the program speaks.
//!
//! Invariant: a reader that goes away (`fundsim explain | head`) is no error; a disk that is full is one, whatever else went
//! well. Results go to standard output, everything else to standard error.

use crate::paint;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a result could not be written.
static LOST: AtomicBool = AtomicBool::new(false);

/// Says a result.
pub(crate) fn say(text: &str) {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => {}
        // The reader of the output has gone.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        Err(error) => {
            if !LOST.swap(true, Ordering::Relaxed) {
                note(&format!("fundsim: standard output: {error}\n"));
            }
        }
    }
}

/// Says a result in colour, where standard output gets any.
pub(crate) fn show(text: &str) {
    if paint::is_wanted(io::stdout().is_terminal()) { say(&paint::painted(text)) } else { say(text) }
}

/// `code`, or that of failure when a result could not be written.
pub(crate) fn code(code: u8) -> u8 {
    if LOST.load(Ordering::Relaxed) { crate::exit::UNUSABLE } else { code }
}

/// Says what is not a result: progress, faults, logs.
pub(crate) fn note(text: &str) {
    let mut out = io::stderr().lock();
    drop(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}

/// Writes it as soon as it can be read: standard error may be a full pipe, and a stop does not wait for that.
pub(crate) fn note_when_read(text: &'static str) {
    // Without another thread it stays unsaid.
    drop(std::thread::Builder::new().name("note".to_owned()).spawn(move || note(text)));
}

/// Whether what is no result is coloured.
pub(crate) fn is_colourful() -> bool {
    paint::is_wanted(io::stderr().is_terminal())
}

/// One line of refusal.
pub(crate) fn refuse(why: &str) -> u8 {
    note(&format!("fundsim: {why}\n"));
    crate::exit::UNUSABLE
}

/// Shows faults of files.
pub(crate) fn faults(faults: &[language::diagnostic::Diagnostic]) {
    let colour = is_colourful();
    for fault in faults {
        note(&fault.render(colour));
    }
}
