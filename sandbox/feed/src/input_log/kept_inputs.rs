//! The inputs that a log in memory keeps, of which a fork's log shares all that both have.
//!
//! Absent on purpose: positions, which the log counts.

use std::sync::Arc;

use sim::Input;
use sim::store::Chunks;

/// Inputs in order.
#[derive(Clone, Default)]
pub(super) struct KeptInputs {
    inputs: Chunks<Arc<Input>>,
    /// How many of the first are let go, and share a chunk with one that is not.
    gone: usize,
}

impl KeptInputs {
    pub(super) const fn len(&self) -> usize {
        self.inputs.len() - self.gone
    }

    pub(super) fn push(&mut self, input: Arc<Input>) {
        self.inputs.push(input);
    }

    /// Those from `at` on, counted from the first that is kept.
    pub(super) fn from(&self, at: usize) -> impl Iterator<Item = &Arc<Input>> {
        self.inputs.from(self.gone + at)
    }

    /// Lets the first `count` go.
    pub(super) fn drop_first(&mut self, count: usize) {
        self.gone += count.min(self.len());
        if self.len() == 0 {
            *self = Self::default();
        }
        self.gone -= self.inputs.drop_whole(self.gone);
    }

    /// The first `count` of them; none when there are fewer.
    pub(super) fn first(&self, count: usize) -> Option<Self> {
        let Self { inputs, gone } = self;
        (count <= self.len()).then(|| Self { inputs: inputs.first(gone + count), gone: *gone })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::input::Act;
    use sim::time::Instant;

    fn read(kept: &KeptInputs, at: usize) -> Vec<i64> {
        kept.from(at).map(|input| input.at.ms()).collect()
    }

    /// Counts inputs, some of which are let go, and compares copies of it with lists.
    #[test]
    fn inputs_are_kept_and_copied_as_a_list_has_them_wherever_it_is_cut() {
        let mut kept = KeptInputs::default();
        let mut plain: Vec<i64> = Vec::new();
        let mut copies = Vec::new();
        for number in 0..5_000 {
            kept.push(Arc::new(Input::new(Instant::from_ms(number), Act::Advance)));
            plain.push(number);
            if number % 700 == 0 {
                let some = plain.len() * usize::try_from(number % 11).expect("few") / 10;
                let first = kept.first(some.min(plain.len())).expect("so many");
                copies.push((first, plain[..some.min(plain.len())].to_vec()));
            }
            if number % 900 == 899 {
                kept.drop_first(850);
                plain.drain(..850);
            }
        }
        copies.push((kept.clone(), plain));
        for (mut kept, mut plain) in copies {
            for at in [0, plain.len() / 3, plain.len()] {
                assert_eq!((read(&kept, at), kept.len()), (plain[at..].to_vec(), plain.len()));
            }
            assert!(kept.first(plain.len() + 1).is_none());
            kept.push(Arc::new(Input::new(Instant::from_ms(9_999), Act::Advance)));
            plain.push(9_999);
            assert_eq!(read(&kept, 0), plain);
            kept.drop_first(usize::MAX);
            assert_eq!((read(&kept, 0), kept.len()), (Vec::new(), 0));
        }
    }
}
