//! What is written anew is what was to be kept, and nothing is lost when that does not end.

use std::fs;

use super::*;
use crate::testing::{exported, folder_with};

fn of_numbers(name: &str) -> crate::testing::TestFolder {
    let records: Vec<_> = (0..300).map(|number: u64| number.to_string().into_bytes()).collect();
    folder_with(name, &records.iter().map(|record| &**record).collect::<Vec<_>>())
}

#[test]
fn a_store_that_is_written_anew_has_the_records_that_were_kept_its_values_and_a_smaller_file() {
    let dir = of_numbers("anew");
    let store = Store::open(dir.path()).expect("a store").store;
    store.set_meta("name", b"value").expect("it is kept");
    drop(store);
    let held = Held::of(dir.path(), |_| {}).expect("a store");
    assert_eq!(held.records().count(), 300);
    let mut anew = held.anew().expect("a file");
    held.records().map(|record| record.expect("a record").1).filter(|it| it.len() == 3).for_each(|it| anew.add(it));
    anew.add(b"more".to_vec());
    let (before, after) = anew.end().expect("it is written");
    drop(held);
    assert!(after < before, "{before} {after}");
    let (count, lines) = exported(dir.path());
    assert_eq!(count.expect("a store"), 201);
    assert!(lines.starts_with("100\n101\n") && lines.ends_with("299\nmore\n"), "{lines}");
    let store = Store::open(dir.path()).expect("a store").store;
    assert_eq!(store.meta("name").expect("it can be read").as_deref(), Some(&b"value"[..]));
}

#[test]
fn what_is_left_of_a_compaction_that_did_not_end_is_in_nobodys_way() {
    let dir = of_numbers("left");
    let (_, before) = exported(dir.path());
    let left = folder::file_of(dir.path()).with_extension("redb.new");
    fs::write(&left, "half of it").expect("a file");
    assert_eq!(exported(dir.path()).1, before);
    let held = Held::of(dir.path(), |_| {}).expect("a store");
    let mut anew = held.anew().expect("a file");
    anew.add(b"0".to_vec());
    drop(anew);
    drop(held);
    assert!(exported(dir.path()).1 == before && !left.exists(), "it was not ended");
    let held = Held::of(dir.path(), |_| {}).expect("a store");
    held.anew().expect("a file").end().expect("it is written");
    drop(held);
    assert_eq!(exported(dir.path()).1, "");
    assert!(!left.exists());
}

#[test]
fn nobody_else_opens_a_store_that_is_held() {
    let dir = of_numbers("held");
    let held = Held::of(dir.path(), |_| {}).expect("a store");
    assert!(matches!(Store::open(dir.path()), Err(OpenError::AlreadyOpen)));
    drop(held);
    assert!(Store::open(dir.path()).is_ok());
}
