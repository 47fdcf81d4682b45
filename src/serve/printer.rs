//! Where the lines of the log go: standard error, by a thread of its own.
//!
//! Invariant: who logs never waits: what cannot be written in time is left out, and a line says how much that was.
//! Lines are gathered for a few milliseconds, so that a busy server neither wakes this thread nor writes for every line.
//! Absent on purpose: what a line says, which is the entry's.

use crate::args::LogFormat;
use feed::transport::TransportClock;
use hosting::log::{Lines, LogEntry, Wanted};
use hosting::metrics::Metrics;
use std::io::{self, BufWriter, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::time::Duration;

/// Entries that may wait to be written.
const WAITING: usize = 10_000;

/// How long the last lines may take when the program ends.
const LAST: Duration = Duration::from_millis(200);

/// How long lines are gathered before they are written.
const GATHERING: Duration = Duration::from_millis(4);

enum Work {
    Write(LogEntry),
    Finish(SyncSender<()>),
}

/// Writes the lines of the log.
pub(super) struct Printer(Option<SyncSender<Work>>);

impl Printer {
    /// Has events of `wanted` written by a thread; the layer that hands it over, where anything is.
    pub(super) fn start(
        wanted: &Wanted,
        format: LogFormat,
        clock: TransportClock,
        metrics: Metrics,
    ) -> (Self, Option<Lines<impl Fn(LogEntry) + Send + Sync + 'static>>) {
        if !wanted.is_something() {
            return (Self(None), None);
        }
        let (sender, work) = sync_channel(WAITING);
        let left_out = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&left_out);
        // Without another thread the server stays silent, which is no reason not to serve.
        let started = std::thread::Builder::new().name("log".to_owned()).spawn(move || print(&work, format, &counted));
        if started.is_err() {
            return (Self(None), None);
        }
        let queue = sender.clone();
        let lines = Lines::new(clock, move |entry| {
            if queue.try_send(Work::Write(entry)).is_err() {
                left_out.fetch_add(1, Ordering::Relaxed);
                metrics.left_out();
            }
        });
        (Self(Some(sender)), Some(lines))
    }

    /// Waits a little until what was logged so far is written.
    pub(super) fn finish(&self) {
        let Some(sender) = &self.0 else { return };
        let (done, wait) = sync_channel(1);
        if sender.try_send(Work::Finish(done)).is_ok() {
            // Lines that nobody reads in time are lost with the process.
            wait.recv_timeout(LAST).unwrap_or_default();
        }
    }
}

fn print(work: &Receiver<Work>, format: LogFormat, left_out: &AtomicU64) {
    let colour = format == LogFormat::Text && crate::out::is_colourful();
    let mut out = BufWriter::with_capacity(65_536, io::stderr());
    let mut next = work.recv().ok();
    while let Some(item) = next.take() {
        match item {
            Work::Write(entry) => {
                let line = match format {
                    LogFormat::Text => entry.text(colour),
                    LogFormat::Json => entry.json(),
                };
                // Who has closed standard error wants no lines.
                drop(out.write_all(line.as_bytes()).and_then(|()| out.write_all(b"\n")));
            }
            Work::Finish(done) => {
                drop(out.flush());
                // The thread that waited may have given up.
                done.send(()).unwrap_or_default();
            }
        }
        next = match work.try_recv() {
            Ok(item) => Some(item),
            Err(TryRecvError::Disconnected) => None,
            Err(TryRecvError::Empty) => {
                write_left_out(&mut out, left_out, format);
                drop(out.flush());
                let next = work.recv().ok();
                std::thread::sleep(GATHERING);
                next
            }
        };
    }
}

fn write_left_out(out: &mut impl io::Write, left_out: &AtomicU64, format: LogFormat) {
    let count = left_out.swap(0, Ordering::Relaxed);
    if count > 0 {
        drop(match format {
            LogFormat::Text => writeln!(out, "             warn  {count} lines were left out: standard error is slow"),
            LogFormat::Json => writeln!(out, r#"{{"level":"warn","kind":"leftOut","count":{count}}}"#),
        });
    }
}
