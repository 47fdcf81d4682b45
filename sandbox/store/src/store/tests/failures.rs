//! A disk that fails and a batch that is damaged seal the store; what was durable before can still be read.

use super::*;
use crate::refusal::ReadError;
use crate::testing::Rng;

#[test]
fn after_a_failed_write_or_sync_nothing_is_written_and_what_was_durable_is_read() {
    let (mut sealed, mut unopened) = (0, 0);
    for count in 0..60 {
        let disk = SimulatedDisk::default();
        disk.fail_after(count);
        let Ok(opened) = Store::on(disk.clone()) else {
            unopened += 1;
            continue;
        };
        let store = opened.store;
        let kept: Vec<_> = (1..=12).map(|number| outcome(store.append(format!("{number}").into_bytes()))).collect();
        let Some(why) = store.why_sealed() else {
            continue;
        };
        sealed += 1;
        let tried = disk.count();
        let answered = kept.iter().take_while(|kept| kept.is_ok()).count();
        let refused = Err(StoreError::Sealed(why.clone()));
        assert!(kept[answered..].iter().all(|kept| *kept == refused), "{count}: {kept:?}");
        assert!(why.contains("the simulated disk fails"), "{count}: {why}");
        assert_eq!(outcome_now(store.append(b"later".to_vec())), Some(refused.clone()));
        assert_eq!(store.set_meta("later", b""), refused.map(drop));
        store.note(b"later".to_vec());
        let expected: Vec<_> = (1..=answered as u64).map(|at| (at, at.to_string())).collect();
        assert_eq!(read(&store, 0), expected, "{count}");
        assert_eq!(store.head(), Position(answered as u64));
        assert_eq!(store.meta("format"), Ok(Some(b"1".to_vec())));
        store.finish();
        drop(store);
        assert_eq!(disk.count(), tried, "{count}: nothing was tried after the failure");
    }
    assert!(sealed > 20 && unopened > 3, "{sealed} stores were sealed, {unopened} did not open");
}

#[test]
fn all_who_wait_for_a_batch_that_fails_are_refused() {
    let disk = SimulatedDisk::default();
    let (store, mut committer) = Store::by_hand(Disk::new(disk.clone()), Limits::default()).expect("a store");
    let first = store.append(b"first".to_vec());
    write_all(&mut committer);
    disk.fail_after(0);
    let waiting: Vec<_> = (0..5).map(|_| store.append(b"waits".to_vec())).collect();
    write_all(&mut committer);
    let why = store.why_sealed().expect("a seal");
    assert_eq!(outcome_now(first), Some(Ok(Position(1))));
    for kept in waiting {
        assert_eq!(outcome_now(kept), Some(Err(StoreError::Sealed(why.clone()))));
    }
}

#[test]
fn a_thread_that_ends_leaves_nobody_waiting() {
    let (store, committer) = by_hand(Limits::default());
    let kept = store.append(b"waits".to_vec());
    drop(committer);
    let ended = Err(StoreError::Sealed("the thread that writes has ended".to_owned()));
    assert_eq!((outcome_now(kept), outcome_now(store.append(vec![]))), (Some(ended), Some(Err(StoreError::Finished))));
    store.finish();
}

/// A disk with these batches, each of some records.
fn with_batches(sizes: &[usize]) -> SimulatedDisk {
    let disk = SimulatedDisk::default();
    let (store, mut committer) = Store::by_hand(Disk::new(disk.clone()), Limits::default()).expect("a store");
    let mut number = 0;
    for size in sizes {
        for _ in 0..*size {
            number += 1;
            drop(store.append(format!("record {number}").into_bytes()));
        }
        assert_eq!(write_all(&mut committer), [*size]);
    }
    disk
}

/// Changes the batch that ends at `last`; none takes it away.
fn change(disk: &SimulatedDisk, last: u64, mut change: impl FnMut(Vec<u8>) -> Option<Vec<u8>>) {
    const BATCHES: redb::TableDefinition<'_, u64, &[u8]> = redb::TableDefinition::new("batches");
    let database = redb::Builder::new().create_with_backend(disk.clone()).expect("a file");
    let write = database.begin_write().expect("a write");
    let mut table = write.open_table(BATCHES).expect("a table");
    let bytes = table.remove(last).expect("a table").expect("a batch").value().to_vec();
    if let Some(changed) = change(bytes) {
        table.insert(last, &*changed).expect("a batch");
    }
    drop(table);
    write.commit().expect("a commit");
}

fn flipped(at: usize) -> impl Fn(Vec<u8>) -> Option<Vec<u8>> {
    move |mut bytes| {
        let at = at.min(bytes.len() - 1);
        bytes[at] ^= 0x10;
        Some(bytes)
    }
}

#[test]
fn a_damaged_batch_is_where_the_log_ends_and_the_store_is_read_only() {
    let whole = with_batches(&[2, 3, 4]).bytes();
    type Change = Box<dyn Fn(Vec<u8>) -> Option<Vec<u8>>>;
    let rows: [(&str, u64, Change, u64, &str); 7] = [
        ("the first batch", 2, Box::new(flipped(60)), 0, "its crc32c does not fit its bytes"),
        ("the second batch", 5, Box::new(flipped(4)), 2, "its crc32c does not fit its bytes"),
        ("its last byte", 5, Box::new(flipped(usize::MAX)), 2, "its crc32c does not fit its bytes"),
        ("the last batch", 9, Box::new(flipped(0)), 5, "it does not begin as a batch"),
        ("nothing of it is left", 5, Box::new(|_| Some(vec![])), 2, "it is shorter than its envelope"),
        ("the second is missing", 5, Box::new(|_| None), 2, "it ends at record 6, and is kept as if it ended at 9"),
        ("the first is missing", 2, Box::new(|_| None), 0, "it ends at record 3, and is kept as if it ended at 5"),
    ];
    for (row, last, how, after, what) in rows {
        let disk = SimulatedDisk::with(whole.clone());
        change(&disk, last, how);
        let before = disk.bytes();
        let Opened { store, damaged } = Store::on(disk.clone()).expect("a store");
        let expected = Damaged { after: Position(after), what: what.to_owned() };
        assert_eq!((damaged.as_ref(), store.head()), (Some(&expected), Position(after)), "{row}");
        assert_eq!(read(&store, 0), (1..=after).map(|at| (at, format!("record {at}"))).collect::<Vec<_>>(), "{row}");
        let refused = StoreError::Sealed(format!("the log is damaged after record {after}: {what}"));
        assert_eq!(outcome_now(store.append(vec![])), Some(Err(refused.clone())), "{row}");
        assert_eq!(store.set_meta("name", b""), Err(refused), "{row}");
        drop(store);
        assert_eq!(before.len(), disk.bytes().len(), "{row}");
    }
}

/// A log whose second batch is whole, has as many records and is kept in the same place, and is of another log.
fn with_a_batch_of_another_log() -> SimulatedDisk {
    let other = with_batches(&[1, 1, 3, 4]);
    let mut batch = Vec::new();
    change(&other, 5, |bytes| {
        batch.clone_from(&bytes);
        Some(bytes)
    });
    let disk = with_batches(&[2, 3, 4]);
    change(&disk, 5, |_| Some(batch.clone()));
    disk
}

#[test]
fn a_batch_of_another_log_is_where_the_log_ends() {
    let disk = with_a_batch_of_another_log();
    let what = "it does not continue the batch before it";
    let expected = Damaged { after: Position(2), what: what.to_owned() };
    let Opened { store, damaged } = Store::on(disk.clone()).expect("a store");
    assert_eq!((damaged.as_ref(), store.head()), (Some(&expected), Position(2)));
    drop(store);
    let engine = Arc::new(Engine::read_only(Disk::new(disk.clone())).expect("a file"));
    let last = Records::all(&engine).last().expect("an end");
    assert!(matches!(&last, Err(ReadError::Damaged(damaged)) if *damaged == expected), "{last:?}");
}

#[test]
fn a_batch_that_is_damaged_later_ends_reading_and_seals_the_store() {
    let disk = with_batches(&[2, 3, 4]);
    let (store, _committer) = Store::by_hand(Disk::new(disk.clone()), Limits::default()).expect("a store");
    // The file changes below the store, whose cache has no page of it any more.
    let other = SimulatedDisk::with(disk.bytes());
    change(&other, 5, flipped(50));
    // Nobody has surveyed the log as it is now.
    let damaged = Arc::new(Engine::open(Disk::new(other)).expect("a file"));
    assert_eq!(damaged.why_sealed(), None);
    let results: Vec<_> = Records::surveyed_after(&damaged, Position(1), store.head()).collect();
    let Some((Err(ReadError::Damaged(found)), whole)) = results.split_last() else {
        panic!("an error at the end: {results:?}");
    };
    assert_eq!((whole.len(), found.after), (1, Position(2)));
    assert_eq!(damaged.why_sealed(), Some(found.to_string()));
    // Reading that begins behind the damage does not need it, but that begins right behind it does.
    let from = |after| Records::surveyed_after(&damaged, Position(after), store.head()).filter(Result::is_ok).count();
    assert_eq!((from(0), from(4), from(5), from(9)), (2, 0, 0, 0));
}

#[test]
fn a_byte_that_changes_anywhere_in_the_file_gives_no_other_record_and_ends_no_process() {
    let closed = with_batches(&[4; 200]);
    // The same records in a file that was not closed. The engine leaves its last commit out when that is damaged, and no other one.
    let open = SimulatedDisk::with(closed.bytes());
    let (store, mut committer) = Store::by_hand(Disk::new(open.clone()), Limits::default()).expect("a store");
    drop(store.append(b"record 801".to_vec()));
    write_all(&mut committer);
    for (what, whole, count, least) in [("closed", closed.bytes(), 800, 800), ("not closed", open.bytes(), 801, 800)] {
        let mut rng = Rng(7);
        let (mut unopened, mut damaged, mut unchanged) = (0, 0, 0);
        for round in 0..120 {
            let mut bytes = whole.clone();
            let at = rng.below(if round < 40 { bytes.len() } else { 12 * 4096 });
            bytes[at] ^= 1 << rng.below(8);
            let disk = SimulatedDisk::with(bytes);
            let Ok(opened) = Store::on(disk.clone()) else {
                unopened += 1;
                continue;
            };
            let found = read(&opened.store, 0);
            let is_prefix = found.iter().zip(1..).all(|(found, at)| *found == (at, format!("record {at}")));
            assert!(is_prefix && found.len() <= count, "{what}, byte {at}");
            if opened.damaged.is_some() {
                damaged += 1;
                continue;
            }
            assert!(found.len() >= least, "{what}, byte {at}: {} records, and nothing is damaged", found.len());
            unchanged += 1;
            // What is written now does not destroy what is there.
            let more: Vec<_> = (0..4).map(|letter| String::from(char::from(b'a' + letter)).repeat(5_000)).collect();
            more.iter().for_each(|record| drop(outcome(opened.store.append(record.clone().into_bytes()))));
            drop(opened);
            let again = read(&Store::on(disk).expect("a store").store, 0);
            let expected = found.into_iter().map(|(_, text)| text).chain(more);
            assert!(again.into_iter().map(|(_, text)| text).eq(expected), "{what}, byte {at}: records were lost");
        }
        assert!(damaged > 5 && unchanged > 20 && unopened < 12, "{what}: {unopened} {damaged} {unchanged}");
    }
}

#[test]
fn a_file_of_another_format_and_a_file_that_is_no_store_are_refused() {
    let foreign = |name: &'static str, value: Option<&'static [u8]>| {
        let disk = SimulatedDisk::default();
        let database = redb::Builder::new().create_with_backend(disk.clone()).expect("a file");
        let write = database.begin_write().expect("a write");
        let mut table = write.open_table(redb::TableDefinition::<&str, &[u8]>::new(name)).expect("a table");
        if let Some(value) = value {
            table.insert("format", value).expect("a value");
        }
        drop(table);
        write.commit().expect("a commit");
        drop(database);
        disk
    };
    let rows = [
        (foreign("meta", Some(b"2")), "the store has format 2, and this build knows format 1"),
        (foreign("meta", None), "the file has no format of a store"),
        (foreign("other", Some(b"1")), "the file has no format of a store"),
        (SimulatedDisk::with(b"a text".to_vec()), "the file of the store cannot be opened: "),
    ];
    for (disk, expected) in rows {
        let before = disk.bytes().len();
        let error = Store::on(disk.clone()).expect_err(expected).to_string();
        assert!(error.starts_with(expected), "{error}");
        assert_eq!(disk.bytes().len(), before, "nothing was taken away");
    }
}
