//! Every reader of bytes on what the fuzzer has kept, on good files, and on both with some bytes changed: none panics.

#[path = "../../fuzz/readers.rs"]
mod reader;

use reader::READERS;
use std::path::Path;

/// Changes of each entry that are tried.
const CHANGES: u64 = 40;
/// Bytes that are put in the place of others.
const ODD: &[u8] = b"0129-.eE\"{}[],:&*!|>'#%@`~ \t\n\\\x00\x7f\xc3\xff";

/// The next of a fixed row of numbers that look random.
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*state >> 33).expect("31 bits")
}

/// `bytes` with a few changes: bytes replaced, a part left out, a part repeated.
fn changed(bytes: &[u8], state: &mut u64) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    for _ in 0..=next(state) % 3 {
        let at = next(state) % changed.len().max(1);
        match next(state) % 4 {
            0 => changed.truncate(at),
            1 => {
                let part = changed[at..].to_vec();
                changed.extend(part.into_iter().take(64));
            }
            _ if at < changed.len() => changed[at] = ODD[next(state) % ODD.len()],
            _ => {}
        }
    }
    changed
}

/// The files of the repository for the reader.
fn entries(name: &str) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("fuzz/corpus").join(name);
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = files.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).expect("a file")).collect()
}

#[test]
fn no_reader_of_bytes_panics_whatever_the_bytes_are() {
    for (name, read) in READERS {
        let entries = entries(name);
        assert!(!entries.is_empty(), "fuzz/corpus/{name} keeps entries");
        let mut state = 20_260_302;
        for entry in entries {
            read(&entry);
            for _ in 0..CHANGES {
                read(&changed(&entry, &mut state));
            }
        }
    }
}
