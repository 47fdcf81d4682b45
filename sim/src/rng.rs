//! Chance, by name: every draw comes from a stream that a seed and a label give.
//!
//! Owns: how a seed and a label become a key, and the few ways of drawing from a stream.
//! Invariant: a stream depends on its seed, label and index alone, so a new draw in one place shifts nothing elsewhere.
//! Absent on purpose: the operating system's randomness, floats, and any stream without a label.

use std::convert::Infallible;
use std::hash::{Hash, Hasher};

use rand::{Rng, SeedableRng, TryRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use siphasher::sip128::{Hasher128, SipHasher13};

/// What a whole world is drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seed(pub u64);

impl Seed {
    /// The stream called `label`.
    pub fn stream(&self, label: &str) -> Stream {
        self.keyed(label, None)
    }

    /// The `index`-th of a family of streams called `label`; none of them is `stream(label)`.
    pub fn child(&self, label: &str, index: u64) -> Stream {
        self.keyed(label, Some(index))
    }

    /// The ChaCha key is two SipHash-1-3-128 values, keyed (seed, 0) and (seed, 1), over the label's length, the label and
    /// the index, integers little-endian in 8 bytes. A test pins the outcome.
    fn keyed(&self, label: &str, index: Option<u64>) -> Stream {
        let mut key = [0; 32];
        for (half, out) in (0..).zip(key.chunks_exact_mut(16)) {
            let mut hasher = SipHasher13::new_with_keys(self.0, half);
            hasher.write(&(label.len() as u64).to_le_bytes());
            hasher.write(label.as_bytes());
            if let Some(index) = index {
                hasher.write(&index.to_le_bytes());
            }
            out.copy_from_slice(&hasher.finish128().as_u128().to_le_bytes());
        }
        Stream(ChaCha8Rng::from_seed(key))
    }
}

/// A labelled sequence of draws (ChaCha8). Two streams are equal when all their coming draws are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Position", into = "Position")]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// A number in 0 up to but not including `bound`, each as likely.
    ///
    /// # Panics
    /// When `bound` is 0: a bug in the caller.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "nothing lies below 0");
        // The high half of draw x bound is the number; draws whose low half falls short of `reject` would favour some.
        let reject = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.0.next_u64()) * u128::from(bound);
            let [low, high] = [product & u128::from(u64::MAX), product >> 64];
            if low >= u128::from(reject) {
                return u64::try_from(high).expect("the high half of 128 bits");
            }
        }
    }

    /// A number in `lo` to `hi`, both included, each as likely.
    ///
    /// # Panics
    /// When `lo` is above `hi`, or the two span all 64 bits.
    pub fn between(&mut self, lo: i64, hi: i64) -> i64 {
        assert!(lo <= hi, "{lo} is above {hi}");
        let span = hi.abs_diff(lo).checked_add(1).expect("a span within 64 bits");
        lo.wrapping_add_unsigned(self.below(span))
    }

    /// True in `num` of `den` cases.
    pub fn chance(&mut self, num: u32, den: u32) -> bool {
        self.below(u64::from(den)) < u64::from(num)
    }

    /// One of `items`, each as likely.
    ///
    /// # Panics
    /// When there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        let at = self.below(items.len() as u64);
        &items[usize::try_from(at).expect("an index of the slice")]
    }

    /// `N` random bytes.
    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut out = [0; N];
        self.0.fill_bytes(&mut out);
        out
    }
}

impl TryRng for Stream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.0.next_u32())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.next_u64())
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        self.0.fill_bytes(out);
        Ok(())
    }
}

impl Hash for Stream {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write(&self.0.get_seed());
        state.write_u128(self.0.get_word_pos());
    }
}

/// What a stream is recorded as.
#[derive(Serialize, Deserialize)]
struct Position {
    key: [u8; 32],
    words: u64,
}

impl From<Stream> for Position {
    fn from(stream: Stream) -> Position {
        let words = u64::try_from(stream.0.get_word_pos()).expect("no world draws 2^64 words");
        Position { key: stream.0.get_seed(), words }
    }
}

impl From<Position> for Stream {
    fn from(at: Position) -> Stream {
        let mut rng = ChaCha8Rng::from_seed(at.key);
        rng.set_word_pos(u128::from(at.words));
        Stream(rng)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::digest::digest_of;
    use crate::laws;

    fn first(mut stream: Stream) -> [u64; 2] {
        [stream.next_u64(), stream.next_u64()]
    }

    #[test]
    fn streams_stay_what_they_were() {
        for (stream, draws) in [
            (Seed(0).stream(""), [14436091806139118054, 11639410690356195100]),
            (Seed(1).stream("orders"), [7296051144650538357, 6169485190890328548]),
            (Seed(u64::MAX).stream("orders"), [4584374580165743414, 752319415223481470]),
            (Seed(1).child("orders", 0), [2792717311958960711, 17703983456367689887]),
            (Seed(1).child("orders", 1), [15155642641318457760, 9947037575438792168]),
        ] {
            assert_eq!(first(stream), draws);
        }
        let mut stream = Seed(7).stream("draws");
        let drawn = (stream.below(100), stream.between(-5, 5), stream.chance(1, 2), *stream.pick(&['a', 'b', 'c']));
        assert_eq!(drawn, (90, 5, false, 'a'));
        assert_eq!(stream.bytes::<4>(), [229, 194, 9, 59]);
    }

    #[test]
    fn seed_label_and_index_each_give_another_stream() {
        let draws = [
            first(Seed(1).stream("a")),
            first(Seed(2).stream("a")),
            first(Seed(1).stream("b")),
            first(Seed(1).child("a", 0)),
            first(Seed(1).child("a", 1)),
            first(Seed(1).stream("a\0\0\0\0\0\0\0\0")),
        ];
        for (i, a) in draws.iter().enumerate() {
            assert!(!draws[i + 1..].contains(a), "stream {i} comes twice");
        }
    }

    #[test]
    fn draws_stay_within_their_bounds() {
        laws::holds((any::<u64>(), 1..=u64::MAX, any::<i64>(), any::<i64>()), |(seed, bound, a, b)| {
            let mut stream = Seed(seed).stream("bounds");
            prop_assert!(stream.below(bound) < bound);
            prop_assert_eq!(stream.below(1), 0);
            let (lo, hi) = (a.min(b), a.max(b));
            if hi.abs_diff(lo) < u64::MAX {
                prop_assert!((lo..=hi).contains(&stream.between(lo, hi)));
            }
            prop_assert!(stream.chance(3, 3) && !stream.chance(0, 3));
            Ok(())
        });
    }

    #[test]
    fn every_face_of_a_die_is_as_likely() {
        let mut stream = Seed(3).stream("die");
        let mut faces = [0_u32; 6];
        for _ in 0..60_000 {
            faces[usize::try_from(stream.below(6)).unwrap()] += 1;
        }
        assert!(faces.iter().all(|n| (9_600..10_400).contains(n)), "{faces:?}");
    }

    #[test]
    fn a_recorded_stream_continues_where_it_stopped() {
        laws::holds((any::<u64>(), 0..200_usize), |(seed, drawn)| {
            let mut stream = Seed(seed).stream("record");
            let fresh = digest_of(&stream);
            for _ in 0..drawn {
                stream.next_u32();
            }
            prop_assert_eq!(digest_of(&stream) == fresh, drawn == 0);
            let back = Stream::from(Position::from(stream.clone()));
            prop_assert_eq!(&back, &stream);
            prop_assert_eq!(digest_of(&back), digest_of(&stream));
            prop_assert_eq!(first(back), first(stream));
            Ok(())
        });
    }
}
