//! A view over memory behaves as the storage below it would, and leaves that as it is.

use super::*;
use crate::testing::{Rng, SimulatedDisk};

#[test]
fn a_view_over_memory_reads_as_the_storage_that_was_written_and_changes_none_of_it() {
    for seed in 0..60 {
        let mut rng = Rng(seed);
        let length = rng.below(20_000);
        let mut model = rng.bytes(length);
        let storage = SimulatedDisk::with(model.clone());
        let disk = Disk::new(storage.clone());
        let view = View::over(&disk);
        for step in 0..60 {
            let at = rng.below(model.len() + 1);
            match rng.below(6) {
                0 => {
                    let length = rng.below(24_000);
                    view.set_len(length as u64).expect("a length");
                    model.resize(length, 0);
                }
                1 | 2 => {
                    let count = rng.below(9_000);
                    let data = rng.bytes(count);
                    view.write(at as u64, &data).expect("a write");
                    model.resize(model.len().max(at + data.len()), 0);
                    model[at..at + data.len()].copy_from_slice(&data);
                }
                _ => {
                    let mut out = vec![1; rng.below(model.len() - at + 1)];
                    view.read(at as u64, &mut out).expect("a read");
                    assert_eq!(out, model[at..at + out.len()], "seed {seed}, step {step}");
                }
            }
            assert_eq!(view.len().expect("a length"), model.len() as u64, "seed {seed}, step {step}");
        }
        assert!(view.read(model.len() as u64, &mut [0]).is_err(), "nothing is behind the end");
        assert_eq!((storage.count(), storage.bytes().len()), (0, length), "seed {seed}");
    }
}

#[test]
fn a_sealed_disk_is_read_and_not_changed() {
    let storage = SimulatedDisk::with(vec![5; 10]);
    let disk = Disk::new(storage.clone());
    let view = View::through(&disk);
    view.write(3, &[6]).expect("a write");
    assert_eq!((disk.seal(|| "first".to_owned()), disk.seal(|| "second".to_owned())), ("first", "first"));
    let refused = [view.write(0, &[1]), view.set_len(0), view.sync_data()];
    assert!(refused.iter().all(|it| it.as_ref().is_err_and(|error| error.to_string() == "first")), "{refused:?}");
    let mut out = [0; 4];
    view.read(1, &mut out).expect("a read");
    assert_eq!((out, storage.count()), ([5, 5, 6, 5], 1));
}
