//! Reading in a thread what somebody works on in another.
//!
//! Invariant: items come in their order, and in parts, so that the threads seldom wait for each other; of each part only the last item
//! may be large. Absent on purpose: what is read.

use std::sync::mpsc::{self, SyncSender};
use std::{io, mem, thread};

/// A part ends with the item that brings it to so many bytes.
const PART: usize = 512 << 10;

/// Reads `items` in a thread, and hands them to `take` in this one; items that it does not take are not read further. At most three parts
/// are in memory: one is being read, one waits, and one is being taken.
///
/// # Errors
/// When the system gives no thread.
pub fn in_parts<T: Send, R>(
    items: impl Iterator<Item = T> + Send,
    length: impl Fn(&T) -> usize + Send,
    take: impl FnOnce(&mut dyn Iterator<Item = T>) -> R,
) -> io::Result<R> {
    thread::scope(|scope| {
        let (sender, parts) = mpsc::sync_channel(1);
        let reader = thread::Builder::new().name("fundsim-reader".to_owned());
        reader.spawn_scoped(scope, move || read(items, length, &sender))?;
        Ok(take(&mut parts.into_iter().flatten()))
    })
}

fn read<T>(items: impl Iterator<Item = T>, length: impl Fn(&T) -> usize, taker: &SyncSender<Vec<T>>) {
    let (mut part, mut bytes) = (Vec::new(), 0);
    for item in items {
        bytes += length(&item);
        part.push(item);
        if bytes >= PART {
            if taker.send(mem::take(&mut part)).is_err() {
                return;
            }
            bytes = 0;
        }
    }
    // Where nobody takes any more, nobody misses the last part.
    drop(taker.send(part));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_in_order_whether_they_are_small_or_large() {
        for large in [0, PART / 2, PART * 2] {
            let items = (0..1_000).map(|number: usize| (number, if number % 300 == 7 { large } else { 9 }));
            let taken =
                in_parts(items, |(_, length)| *length, |items| items.map(|(number, _)| number).collect::<Vec<_>>());
            assert_eq!(taken.expect("a thread"), (0..1_000).collect::<Vec<_>>());
        }
    }

    #[test]
    fn who_takes_no_more_ends_the_reading() {
        let endless = std::iter::repeat_n((), usize::MAX);
        let taken = in_parts(endless, |()| 100, |items| items.take(5).count());
        assert_eq!(taken.expect("a thread"), 5);
    }
}
