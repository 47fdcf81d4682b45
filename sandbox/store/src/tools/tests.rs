//! Tools change nothing that they only read, and lines are the records that they were.

use super::*;
use crate::compaction::Held;
use crate::testing::{TestFolder, exported, folder_with};

#[test]
fn records_that_are_written_out_and_taken_in_are_the_same() {
    for (name, lines) in [("lines", "{\"a\":1}\n\n{\"å\":2}\r\n"), ("none", ""), ("open", "one\ntwo")] {
        let dir = TestFolder::new(&format!("import-{name}"));
        let count = lines.lines().count() as u64;
        assert_eq!(import(dir.path(), lines.as_bytes()).expect(name), count);
        let expected = if lines.is_empty() || lines.ends_with('\n') { lines.to_owned() } else { format!("{lines}\n") };
        let (written, text) = exported(dir.path());
        assert_eq!((written.expect(name), text), (count, expected));
    }
}

#[test]
fn lines_are_taken_into_an_empty_folder_only_and_are_text() {
    let full = folder_with("full", &[b"a"]);
    let refused = import(full.path(), &b"b\n"[..]).expect_err("not empty").to_string();
    assert!(refused.ends_with("is not empty; name a folder that is empty or absent"), "{refused}");
    let dir = TestFolder::new("bytes");
    let refused = import(dir.path(), &b"a\n\xff\n"[..]).expect_err("no text");
    assert_eq!(refused.to_string(), "record 2 is not one line of UTF-8");
}

#[test]
fn a_record_that_is_no_line_is_refused_with_its_position() {
    for (name, record) in [("break", &b"b\nc"[..]), ("utf8", &[0xff])] {
        let dir = folder_with(name, &[b"a", record]);
        let (error, text) = exported(dir.path());
        assert_eq!(
            (error.expect_err(name).to_string(), &*text),
            ("record 2 is not one line of UTF-8".to_owned(), "a\n")
        );
    }
}

#[test]
fn a_check_counts_what_there_is_and_changes_nothing() {
    let dir = folder_with("check", &[b"a", b"b", b"c"]);
    let before = fs::read(folder::file_of(dir.path())).expect("a file");
    let checked = check(dir.path()).expect("a store");
    assert_eq!((checked.batches, checked.records, checked.damaged), (3, 3, None));
    assert_eq!((checked.file_bytes, checked.bytes > 3 * 48), (before.len() as u64, true));
    assert_eq!(exported(dir.path()).1, "a\nb\nc\n");
    assert!(fs::read(folder::file_of(dir.path())).expect("a file") == before, "no byte is another one");
}

#[test]
fn a_folder_without_a_store_is_left_as_it_is() {
    let dir = TestFolder::new("missing");
    for refused in [check(dir.path()).map(drop), Held::of(dir.path(), |_| {}).map(drop)] {
        assert!(matches!(refused, Err(OpenError::Missing(_))), "{refused:?}");
    }
    assert!(matches!(exported(dir.path()).0, Err(TransferError::Open(OpenError::Missing(_)))));
    assert!(!dir.path().exists());
}
