//! The inputs that a log in memory keeps, of which a fork's log shares all that both have.
//!
//! Invariant: in chunks of [`SIZE`], of which only the first may lack its beginning and only the last its end. Absent on purpose:
//! positions, which the log counts.

use std::collections::VecDeque;
use std::sync::Arc;

use sim::Input;

/// Inputs that share one allocation: a fork counts one holder for so many, and the next input copies as many holders.
const SIZE: usize = 1_024;

/// Inputs in order.
#[derive(Clone, Default)]
pub(super) struct KeptInputs {
    chunks: VecDeque<Arc<Vec<Arc<Input>>>>,
    /// How many of the first chunk were let go.
    gone: usize,
    len: usize,
}

impl KeptInputs {
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) fn push(&mut self, input: Arc<Input>) {
        match self.chunks.back_mut().filter(|last| last.len() < SIZE) {
            Some(last) => Arc::make_mut(last).push(input),
            None => self.chunks.push_back(Arc::new(vec![input])),
        }
        self.len += 1;
    }

    /// Those from `at` on, counted from the first that is kept.
    pub(super) fn from(&self, at: usize) -> impl Iterator<Item = &Arc<Input>> {
        (self.gone + at..self.gone + self.len).map(|at| &self.chunks[at / SIZE][at % SIZE])
    }

    /// Lets the first `count` go.
    pub(super) fn drop_first(&mut self, count: usize) {
        let count = count.min(self.len);
        self.len -= count;
        self.gone += count;
        if self.len == 0 {
            (self.chunks, self.gone) = (VecDeque::new(), 0);
        }
        while self.gone >= SIZE {
            self.chunks.pop_front();
            self.gone -= SIZE;
        }
    }

    /// The first `count` of them; none when there are fewer.
    pub(super) fn first(&self, count: usize) -> Option<Self> {
        if count > self.len {
            return None;
        }
        let end = self.gone + count;
        let mut chunks: VecDeque<_> = self.chunks.iter().take(end.div_ceil(SIZE)).cloned().collect();
        if let Some(last) = chunks.back_mut()
            && !end.is_multiple_of(SIZE)
            && last.len() > end % SIZE
        {
            *last = Arc::new(last[..end % SIZE].to_vec());
        }
        Some(Self { chunks, gone: self.gone, len: count })
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
