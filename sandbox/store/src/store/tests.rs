//! What a store keeps, in which order, and what it does when the disk fails.

mod failures;
mod power;

use std::fs;
use std::sync::{Arc, Barrier};
use std::thread;

use super::*;
use crate::engine::KNOWN;
use crate::testing::{SimulatedDisk, TestFolder, folder_with, outcome, outcome_now};

fn opened(dir: &TestFolder) -> Store {
    let opened = Store::open(dir.path()).expect("a store");
    assert_eq!(opened.damaged, None);
    opened.store
}

/// What a store has after a position: its records as text, each with its place.
fn read(store: &Store, after: u64) -> Vec<(u64, String)> {
    let records = store.records(Position(after)).map(|record| record.expect("a record"));
    records.map(|(at, record)| (at.0, String::from_utf8(record).expect("text"))).collect()
}

/// A store whose batches are written by hand, on a disk in memory.
fn by_hand(limits: Limits) -> (Store, Committer) {
    Store::by_hand(Disk::new(SimulatedDisk::default()), limits).expect("a store")
}

/// Writes all that waits; how many records each batch had.
fn write_all(committer: &mut Committer) -> Vec<usize> {
    let mut sizes = Vec::new();
    while let Some(batch) = committer.queue.take_now() {
        sizes.push(batch.iter().filter(|work| work.record().is_some()).count());
        committer.write(batch);
    }
    sizes
}

#[test]
fn records_of_many_threads_have_each_position_once_and_keep_the_order_of_their_thread() {
    const THREADS: u64 = 8;
    const EACH: u64 = 150;
    let store = Store::on(SimulatedDisk::default()).expect("a store").store;
    let start = Arc::new(Barrier::new(8));
    let threads: Vec<_> = (0..THREADS)
        .map(|thread| {
            let (store, start) = (store.clone(), Arc::clone(&start));
            thread::spawn(move || {
                start.wait();
                let mut positions = Vec::new();
                for number in 0..EACH {
                    let record = format!("{thread} {number}").into_bytes();
                    if number % 3 == 0 {
                        store.note(record);
                    } else {
                        positions.push((number, store.append(record)));
                    }
                }
                positions.into_iter().map(|(number, kept)| (number, outcome(kept).expect("kept"))).collect::<Vec<_>>()
            })
        })
        .collect();
    let kept: Vec<_> = threads.into_iter().map(|thread| thread.join().expect("a thread")).collect();
    store.finish();
    let records = read(&store, 0);
    assert_eq!(records.len() as u64, THREADS * EACH);
    assert_eq!(store.head(), Position(THREADS * EACH));
    assert!(records.iter().zip(1..).all(|((at, _), expected)| *at == expected), "no position is left out");
    for (thread, kept) in kept.iter().enumerate() {
        let own = format!("{thread} ");
        let numbers: Vec<u64> = records.iter().filter_map(|(_, text)| text.strip_prefix(&own)?.parse().ok()).collect();
        assert_eq!(numbers, (0..EACH).collect::<Vec<_>>(), "thread {thread}");
        for (number, at) in kept {
            assert_eq!(records[usize::try_from(at.0).expect("a place") - 1].1, format!("{thread} {number}"));
        }
    }
}

#[test]
fn a_store_that_is_opened_again_has_all_records_and_values_and_continues() {
    let dir = TestFolder::new("again");
    let store = opened(&dir);
    assert_eq!((store.head(), read(&store, 0)), (Position(0), vec![]));
    for (text, expected) in [("a", 1), ("", 2), ("c", 3)] {
        assert_eq!(outcome(store.append(text.into())), Ok(Position(expected)));
    }
    store.note(b"d".to_vec());
    store.set_meta("key", b"value").expect("a value");
    assert_eq!(store.head(), Position(4), "what was appended before a value is durable with it");
    store.set_meta("key", b"other").expect("a value");
    drop(store);
    let store = opened(&dir);
    let text = |at: u64, text: &str| (at, text.to_owned());
    assert_eq!(read(&store, 0), [text(1, "a"), text(2, ""), text(3, "c"), text(4, "d")]);
    assert_eq!(read(&store, 2), [text(3, "c"), text(4, "d")]);
    assert_eq!(read(&store, 4), []);
    assert_eq!(read(&store, 9), []);
    assert_eq!(store.meta("key"), Ok(Some(b"other".to_vec())));
    assert_eq!(store.meta("none"), Ok(None));
    assert_eq!(store.set_meta("format", b"2"), Err(StoreError::Reserved("format")));
    assert_eq!(outcome(store.append(b"e".to_vec())), Ok(Position(5)));
}

#[test]
fn an_append_has_its_place_before_it_is_polled_and_keeps_it_when_it_is_dropped() {
    let (store, mut committer) = by_hand(Limits::default());
    let first = store.append(b"first".to_vec());
    drop(store.append(b"second".to_vec()));
    store.note(b"third".to_vec());
    let fourth = store.append(b"fourth".to_vec());
    assert_eq!(outcome_now(store.append(b"fifth".to_vec())), None, "nothing is durable yet");
    assert_eq!((store.head(), write_all(&mut committer)), (Position(0), vec![5]));
    assert_eq!((outcome_now(fourth), outcome_now(first)), (Some(Ok(Position(4))), Some(Ok(Position(1)))));
    let texts: Vec<_> = read(&store, 0).into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, ["first", "second", "third", "fourth", "fifth"]);
}

#[test]
fn a_batch_ends_at_its_bound_and_a_larger_record_is_a_batch_alone() {
    let (store, mut committer) = by_hand(Limits { batch: 1_000, room: 100_000, record: 1_000_000 });
    for size in [200, 200, 200, 5_000, 10, 10, 150_000, 10] {
        drop(store.append(vec![b'x'; size]));
    }
    assert_eq!(write_all(&mut committer), [3, 1, 2, 1, 1]);
    let sizes: Vec<_> = read(&store, 0).into_iter().map(|(_, text)| text.len()).collect();
    assert_eq!(sizes, [200, 200, 200, 5_000, 10, 10, 150_000, 10]);
    assert_eq!(read(&store, 4).len(), 4, "reading begins in the middle of a batch");
}

#[test]
fn a_full_room_refuses_records_at_once_and_has_room_again_once_they_are_written() {
    let (store, mut committer) = by_hand(Limits { batch: 10_000, room: 1_000, record: 5_000 });
    let refused = |size: usize| outcome_now(store.append(vec![b'x'; size])).and_then(Result::err);
    assert_eq!([refused(400), refused(400)], [None, None]);
    assert_eq!([refused(400), refused(5_001)], [Some(StoreError::Busy), Some(StoreError::TooLarge(5_000))]);
    // One that is larger than the room waits beside it, alone.
    assert_eq!([refused(5_000), refused(3_000)], [None, Some(StoreError::Busy)]);
    // Notes have a room of their own; while it is full, records are refused.
    store.note(vec![b'n'; 800]);
    assert_eq!(refused(5), None);
    store.note(vec![b'n'; 800]);
    assert_eq!(refused(0), Some(StoreError::Busy));
    assert_eq!(store.why_sealed(), None);
    assert_eq!(write_all(&mut committer).iter().sum::<usize>(), 6);
    assert_eq!([refused(400), refused(400), refused(5_000)], [const { None }; 3]);
    assert_eq!(write_all(&mut committer).iter().sum::<usize>(), 3);
    assert_eq!(store.head(), Position(9));
}

#[test]
fn notes_without_any_room_end_the_log_so_that_none_is_left_out_in_the_middle() {
    let (store, mut committer) = by_hand(Limits { batch: 10_000, room: 1_000, record: 5_000 });
    drop(store.append(b"written".to_vec()));
    write_all(&mut committer);
    for _ in 0..7 {
        store.note(vec![b'n'; 900]);
    }
    let last = store.append(b"later".to_vec());
    let sealed = Some(Err(StoreError::Sealed(store.why_sealed().expect("a seal"))));
    write_all(&mut committer);
    assert_eq!((outcome_now(last), store.head()), (sealed, Position(1)));
    assert_eq!(read(&store, 0), [(1, "written".to_owned())]);
}

#[test]
fn finish_waits_for_all_that_was_appended_and_takes_nothing_after() {
    let store = Store::on(SimulatedDisk::default()).expect("a store").store;
    let kept: Vec<_> = (0..100).map(|number| store.append(format!("{number}").into_bytes())).collect();
    store.finish();
    assert_eq!(store.head(), Position(100));
    assert!(kept.into_iter().zip(1..).all(|(kept, at)| outcome(kept) == Ok(Position(at))));
    assert_eq!(outcome_now(store.append(b"late".to_vec())), Some(Err(StoreError::Finished)));
    assert_eq!(store.set_meta("late", b""), Err(StoreError::Finished));
    store.note(b"late".to_vec());
    store.finish();
    assert_eq!((store.head(), read(&store, 0).len(), store.why_sealed()), (Position(100), 100, None));
}

#[test]
fn a_folder_is_open_once_until_nobody_reads_it_any_more() {
    let dir = TestFolder::new("once");
    let store = opened(&dir);
    for attempt in [
        Store::open(dir.path()).map(drop),
        crate::check(dir.path()).map(drop),
        crate::Held::of(dir.path(), |_| {}).map(drop),
    ] {
        assert!(matches!(attempt, Err(OpenError::AlreadyOpen)), "{attempt:?}");
    }
    assert_eq!(
        OpenError::AlreadyOpen.to_string(),
        "another process has this store open; stop it, or use another folder"
    );
    assert_eq!(outcome(store.append(b"a".to_vec())), Ok(Position(1)));
    let reading = store.records(Position(0));
    drop(store);
    assert!(matches!(Store::open(dir.path()), Err(OpenError::AlreadyOpen)), "records are still read");
    drop(reading);
    assert_eq!(opened(&dir).head(), Position(1));
}

#[cfg(unix)]
#[test]
fn only_the_owner_may_read_the_file_also_where_it_was_copied_with_more_rights() {
    use std::os::unix::fs::PermissionsExt;
    let dir = TestFolder::new("rights");
    let file = folder::file_of(dir.path());
    let rights = |path: &Path| std::fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    drop(opened(&dir));
    assert_eq!((rights(dir.path()), rights(&file)), (0o700, 0o600));
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o664)).expect("rights");
    drop(opened(&dir));
    assert_eq!(rights(&file), 0o600);
}

#[test]
fn reading_ends_at_the_record_that_was_durable_when_it_began() {
    let (store, mut committer) = by_hand(Limits::default());
    drop(store.append(b"a".to_vec()));
    write_all(&mut committer);
    let reading = store.records(Position(0));
    drop(store.append(b"b".to_vec()));
    write_all(&mut committer);
    assert_eq!((reading.count(), store.records(Position(0)).count()), (1, 2));
}

/// Where a file of each format of a store stays that was ever written, packed.
fn of_format(format: u32) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../fixtures/formats/store-{format}.redb.zst"))
}

#[test]
fn a_store_of_each_format_that_was_ever_written_can_be_read_and_continues() {
    let known: u32 = std::str::from_utf8(KNOWN).expect("text").parse().expect("a number");
    if std::env::var_os("FUNDSIM_TEST_BLESS").is_some() && !of_format(known).exists() {
        let dir = folder_with("format", &[b"{\"a\":1}", b"", "\u{e5}".as_bytes()]);
        opened(&dir).set_meta("name", b"value").expect("it is kept");
        let file = fs::read(folder::file_of(dir.path())).expect("a file");
        fs::write(of_format(known), zstd::bulk::compress(&file, 19).expect("it is packed")).expect("a file");
    }
    for format in 1..=known {
        let packed = fs::read(of_format(format))
            .unwrap_or_else(|error| panic!("{}: {error}; FUNDSIM_TEST_BLESS=1 writes it", of_format(format).display()));
        let dir = TestFolder::new(&format!("format-{format}"));
        fs::create_dir(dir.path()).expect("a folder");
        fs::write(folder::file_of(dir.path()), zstd::bulk::decompress(&packed, 64 << 20).expect("it is whole"))
            .expect("a file");
        let store = opened(&dir);
        let records = [(1, "{\"a\":1}"), (2, ""), (3, "\u{e5}")].map(|(at, record)| (at, record.to_owned()));
        assert_eq!(read(&store, 0), records, "format {format}");
        assert_eq!(store.meta("name").expect("it can be read").as_deref(), Some(&b"value"[..]), "format {format}");
        assert_eq!(outcome(store.append(b"more".to_vec())), Ok(Position(4)), "format {format}");
    }
}
