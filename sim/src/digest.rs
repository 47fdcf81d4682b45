//! One number that says whether two states are the same.
//!
//! Owns: how a value's `Hash` becomes 128 bits.
//! Invariant: the same value gives the same digest on every machine; all integers are fed little-endian at fixed width.
//! Absent on purpose: any defence against a forger (the key is zero): digests compare runs, they protect nothing.

use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};
use siphasher::sip128::{Hasher128, SipHasher13};

/// A 128-bit digest. Text is 32 lower-case hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Digest(pub u128);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// The digest of anything that can be hashed.
///
/// What a type leaves out of its `Hash` (a decimal's scale, say) is left out here.
pub fn digest_of<T: Hash + ?Sized>(value: &T) -> Digest {
    let mut hasher = DigestHasher::new();
    value.hash(&mut hasher);
    hasher.digest()
}

/// SipHash-1-3 with 128 bits of output, made independent of the machine's word size and byte order.
///
/// Bytes are gathered before they are hashed: a world is mostly short fields, and a call of the hash for each would take
/// three times as long.
#[derive(Clone, Debug)]
pub struct DigestHasher {
    hash: SipHasher13,
    gathered: [u8; GATHER],
    count: usize,
}

/// How many bytes are gathered.
const GATHER: usize = 128;

impl DigestHasher {
    /// An empty hasher.
    pub fn new() -> DigestHasher {
        DigestHasher { hash: SipHasher13::new(), gathered: [0; GATHER], count: 0 }
    }

    /// The digest of all that was written so far. Writing may continue afterwards.
    pub fn digest(&self) -> Digest {
        let mut hash = self.hash;
        hash.write(&self.gathered[..self.count]);
        Digest(hash.finish128().as_u128())
    }
}

impl Default for DigestHasher {
    fn default() -> DigestHasher {
        DigestHasher::new()
    }
}

macro_rules! fixed_width {
    ($($write:ident: $int:ty),*) => {
        $(fn $write(&mut self, n: $int) {
            self.write(&n.to_le_bytes());
        })*
    };
}

impl Hasher for DigestHasher {
    fn finish(&self) -> u64 {
        let mut hash = self.hash;
        hash.write(&self.gathered[..self.count]);
        hash.finish()
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        if self.count + bytes.len() > GATHER {
            self.hash.write(&self.gathered[..self.count]);
            self.count = 0;
            if bytes.len() > GATHER {
                self.hash.write(bytes);
                return;
            }
        }
        self.gathered[self.count..self.count + bytes.len()].copy_from_slice(bytes);
        self.count += bytes.len();
    }

    fixed_width!(
        write_u8: u8, write_u16: u16, write_u32: u32, write_u64: u64, write_u128: u128,
        write_i8: i8, write_i16: i16, write_i32: i32, write_i64: i64, write_i128: i128
    );

    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }

    fn write_isize(&mut self, n: isize) {
        self.write_i64(n as i64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws;

    #[test]
    fn digests_stay_what_they_were() {
        for (digest, text) in [
            (digest_of(&()), "b91c5ed031fb33032134935d61d9b40d"),
            (digest_of(&(1_u8, 2_u32, 3_u64, -4_i64)), "996042e6d6708351ec4085edf35472ab"),
            (digest_of("fund"), "f0311f28dc754ea107bd15196eeb3314"),
            (digest_of(&vec![Some(7_u64), None]), "5c42e6517705ced6f65b09dab89390f5"),
        ] {
            assert_eq!(digest.to_string(), text);
        }
    }

    #[test]
    fn lengths_are_hashed_as_64_bits() {
        let mut by_width = DigestHasher::new();
        by_width.write_u64(5);
        assert_eq!(digest_of(&5_usize), by_width.digest());
    }

    #[test]
    fn how_bytes_are_cut_makes_no_difference() {
        laws::quick(|(bytes, cut): (Vec<u8>, usize)| {
            let bytes = bytes.repeat(20);
            let mut whole = DigestHasher::new();
            whole.write(&bytes);
            let mut parts = DigestHasher::new();
            bytes.chunks(1 + cut % 700).for_each(|part| parts.write(part));
            whole.digest() == parts.digest() && whole.finish() == parts.finish()
        });
    }

    #[test]
    fn different_values_have_different_digests() {
        laws::quick(|(a, b): (Vec<u64>, Vec<u64>)| (a == b) == (digest_of(&a) == digest_of(&b)));
        laws::quick(|a: u128| digest_of(&a) != digest_of(&a.wrapping_add(1)));
    }

    #[test]
    fn a_digest_is_always_32_digits() {
        assert_eq!(Digest(0xab).to_string(), "000000000000000000000000000000ab");
    }
}
