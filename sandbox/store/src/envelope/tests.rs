//! A batch is read as it was written, and each change of it is found.

use super::*;

fn body(records: &[&[u8]]) -> Body {
    let mut body = Body::default();
    records.iter().for_each(|record| body.push(record).expect("room"));
    body
}

/// Two batches, one after the other: the place before the second, that after it, and its bytes.
fn second() -> (Place, Place, Vec<u8>) {
    let (before, _) = body(&[b"first", b"second"]).pack(Place::default()).expect("a batch");
    let long = [7; 300];
    let (place, batch) = body(&[b"third", b"", &long]).pack(before).expect("a batch");
    (before, place, batch)
}

#[test]
fn what_is_unpacked_is_what_was_packed() {
    let (before, place, batch) = second();
    assert_eq!((before.position, place.position, batch.len() > HEAD), (2, 5, true));
    let (read, found) = unpack(before, 5, &batch).expect("a batch");
    assert_eq!((read, &found), (place, &body(&[b"third", b"", &[7; 300]])));
    assert_eq!(place_of(5, &batch), Ok(place));
    let (first, next) = found.record_at(0).expect("a record");
    assert_eq!((first, found.record_at(next).map(|(second, _)| second)), (&b"third"[..], Some(&b""[..])));
    assert_eq!(body(&[b"third", b"", &[7; 300]]).pack(before).expect("a batch"), (place, batch));
}

#[test]
fn each_flipped_bit_of_a_batch_is_detected() {
    let (before, _, batch) = second();
    for at in 0..batch.len() {
        for bit in 0..8 {
            let mut changed = batch.clone();
            changed[at] ^= 1 << bit;
            assert!(unpack(before, 5, &changed).is_err(), "bit {bit} of byte {at}");
        }
    }
    for length in 0..batch.len() {
        assert!(unpack(before, 5, &batch[..length]).is_err(), "{length} bytes of it");
    }
}

/// Changes bytes of a batch, and its crc32c with them, so that what is behind the crc32c is asked.
fn resealed(batch: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut changed = batch.to_vec();
    changed[at..at + bytes.len()].copy_from_slice(bytes);
    super::seal(&mut changed);
    changed
}

#[test]
fn a_batch_whose_crc32c_fits_is_still_checked_in_each_region() {
    let (before, place, batch) = second();
    let (other, _) = body(&[b"first", b"other"]).pack(Place::default()).expect("a batch");
    let length = u32::try_from(4 * 3 + 5 + 300).expect("a length");
    let longer = resealed(&batch, 40, &(length + 1).to_le_bytes());
    let huge = resealed(&batch, 40, &u32::MAX.to_le_bytes());
    let rows: [(&str, Place, u64, Vec<u8>, &str); 12] = [
        ("magic", before, 5, resealed(&batch, 0, b"X"), "it does not begin as a batch"),
        (
            "envelope",
            before,
            5,
            resealed(&batch, 2, &[2]),
            "its envelope is of version 2, and this build reads version 1",
        ),
        ("codec", before, 5, resealed(&batch, 3, &[9]), "its codec is 9, and this build reads codec 1"),
        ("count", before, 5, resealed(&batch, 4, &[4]), "it has 3 records, and its envelope says 4"),
        ("id", before, 5, resealed(&batch, 8, &[0; 16]), "its id is not that of its place"),
        ("chain", before, 5, resealed(&batch, 24, &[0; 16]), "it does not continue the batch before it"),
        (
            "length, shorter",
            before,
            5,
            resealed(&batch, 40, &(length - 1).to_le_bytes()),
            "its records cannot be decompressed into 316 bytes",
        ),
        ("length, longer", before, 5, longer, "it has 317 bytes of records, and its envelope says 318"),
        (
            "length, too long",
            before,
            5,
            huge,
            "it claims 4294967295 bytes of records, and at most 553648128 are possible",
        ),
        ("body", before, 5, resealed(&batch, HEAD, &[0; 4]), "its records cannot be decompressed into 317 bytes"),
        ("another log", other, 5, batch.clone(), "it does not continue the batch before it"),
        ("another place", before, 6, batch.clone(), "it ends at record 5, and is kept as if it ended at 6"),
    ];
    for (row, before, last, batch, expected) in rows {
        let error = unpack(before, last, &batch).expect_err(row);
        assert!(error.starts_with(expected), "{row}: {error}");
    }
    assert!(unpack(place, 8, &batch).is_err());
}

#[test]
fn a_body_that_grows_beyond_its_length_is_not_decompressed() {
    let (before, _, batch) = second();
    let bomb = zstd::bulk::compress(&vec![0; 50 << 20], 1).expect("a frame");
    let mut changed = batch[..HEAD].to_vec();
    changed.extend(bomb);
    super::seal(&mut changed);
    let error = unpack(before, 5, &changed).expect_err("too long");
    assert!(error.starts_with("its records cannot be decompressed into 317 bytes"), "{error}");
}

#[test]
fn records_that_do_not_fill_their_body_are_damage() {
    for (bytes, count, expected) in [
        (&[9, 0, 0, 0, 1][..], 1, "a record in it is longer than the batch"),
        (&[0, 0, 0], 1, "a record in it is longer than the batch"),
        (&[], 0, "it has 0 records, and its envelope says 0"),
    ] {
        let body = Body { bytes: bytes.to_vec(), count };
        let (_, batch) = body.pack(Place::default()).expect("a batch");
        assert_eq!(unpack(Place::default(), u64::from(count), &batch), Err(expected.to_owned()));
    }
}

#[test]
fn a_record_that_is_too_large_for_a_batch_is_refused() {
    let mut body = Body { bytes: vec![0; LARGEST_BODY - 10], count: 1 };
    assert_eq!((body.push(&[1; 6]).is_ok(), body.push(&[]).is_err(), body.count()), (true, true, 2));
}
