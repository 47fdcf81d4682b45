//! Delta debugging: a failing list of steps made as short and plain as it can be while it fails in the same way.
//!
//! Invariant: what comes back fails; nothing that could still be taken away or made simpler alone was left. Works because
//! a step whose named thing is missing does nothing. Absent on purpose: what failing means; the caller says.

use std::time::{Duration, Instant};

/// A step that can be made simpler.
pub trait Shrink: Clone + PartialEq {
    /// Steps that might do in its place, plainest first.
    fn candidates(&self) -> Vec<Self>;

    /// How far it is from plain. Only a step that weighs less is put in its place, so that shrinking ends.
    fn weight(&self) -> u32;

    /// Its numbers, each with the least it should be.
    fn numbers(&self) -> Vec<(u64, u64)>;

    /// Itself with another value for the number at that place.
    #[must_use]
    fn with_number(&self, at: usize, value: u64) -> Self;

    /// One step in place of two, if one might do.
    fn folded(&self, next: &Self) -> Option<Self>;
}

/// A shrunk list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shrunk<T> {
    /// What is left.
    pub steps: Vec<T>,
    /// How often the list was tried.
    pub tries: usize,
}

/// How long a list is tried: one that shrinks slowly is better than none.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Most tries.
    most: usize,
    /// After that no try is begun.
    until: Option<Instant>,
}

/// Most tries of a list that is run on a world.
const MOST_ON_WORLDS: usize = 20_000;

impl Patience {
    /// At most so many tries, for about so long; a time that no clock reaches is no bound.
    #[must_use]
    pub fn of(most: usize, within: Duration) -> Self {
        Self { most, until: started().checked_add(within) }
    }

    /// For lists that are run on a world, about so long.
    #[must_use]
    pub fn on_worlds(within: Duration) -> Self {
        Self::of(MOST_ON_WORLDS, within)
    }

    fn is_over(self, tries: usize) -> bool {
        tries >= self.most || self.until.is_some_and(|until| started() >= until)
    }
}

#[allow(
    clippy::disallowed_methods,
    reason = "how long runs and their shrinking take is shown to people and bounded; no run sees it"
)]
pub(crate) fn started() -> Instant {
    Instant::now()
}

/// Shrinks `steps`, which fail, as long as they keep failing and `patience` lasts.
pub fn shrink<T: Shrink>(steps: Vec<T>, patience: Patience, fails: impl FnMut(&[T]) -> bool) -> Shrunk<T> {
    let mut work = Work { steps, tries: 0, patience, fails };
    loop {
        let before = work.steps.clone();
        work.cut();
        work.fold();
        work.plain();
        work.bisect();
        if work.steps == before || patience.is_over(work.tries) {
            return Shrunk { steps: work.steps, tries: work.tries };
        }
    }
}

struct Work<T, F> {
    steps: Vec<T>,
    tries: usize,
    patience: Patience,
    fails: F,
}

impl<T: Shrink, F: FnMut(&[T]) -> bool> Work<T, F> {
    /// Keeps `candidate` if it fails too.
    fn try_out(&mut self, candidate: Vec<T>) -> bool {
        if self.patience.is_over(self.tries) {
            return false;
        }
        self.tries += 1;
        let fails = (self.fails)(&candidate);
        if fails {
            self.steps = candidate;
        }
        fails
    }

    /// Takes away halves, quarters, ... single steps, from the end: what comes late depends on what came early.
    fn cut(&mut self) {
        let mut size = self.steps.len().div_ceil(2);
        while size > 0 {
            let mut end = self.steps.len();
            while end > 0 {
                let begin = end.saturating_sub(size);
                let mut candidate = self.steps.clone();
                candidate.drain(begin..end);
                self.try_out(candidate);
                end = begin.min(self.steps.len());
            }
            size /= 2;
        }
    }

    /// Puts one step in the place of two.
    fn fold(&mut self) {
        let mut at = 0;
        while at + 1 < self.steps.len() {
            let mut kept = false;
            if let Some(one) = self.steps[at].folded(&self.steps[at + 1]) {
                let mut candidate = self.steps.clone();
                candidate.splice(at..at + 2, [one]);
                kept = self.try_out(candidate);
            }
            at += usize::from(!kept);
        }
    }

    /// Makes every step as plain as it can be.
    fn plain(&mut self) {
        for at in 0..self.steps.len() {
            let weight = self.steps[at].weight();
            for candidates in self.steps[at].candidates() {
                if candidates.weight() < weight && self.put(at, candidates) {
                    break;
                }
            }
        }
    }

    fn put(&mut self, at: usize, step: T) -> bool {
        if self.steps[at] == step {
            return false;
        }
        let mut candidate = self.steps.clone();
        candidate[at] = step;
        self.try_out(candidate)
    }

    /// Bisects every number down to the least that still fails.
    fn bisect(&mut self) {
        for at in 0..self.steps.len() {
            for number in 0..self.steps[at].numbers().len() {
                let (value, least) = self.steps[at].numbers()[number];
                if value <= least || self.put(at, self.steps[at].with_number(number, least)) {
                    continue;
                }
                let (mut holds, mut fails) = (least, value);
                while fails - holds > 1 {
                    let middle = holds + (fails - holds) / 2;
                    if self.put(at, self.steps[at].with_number(number, middle)) {
                        fails = middle;
                    } else {
                        holds = middle;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A step that is a number.
    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Number(u64);

    impl Shrink for Number {
        fn candidates(&self) -> Vec<Self> {
            Vec::new()
        }
        fn weight(&self) -> u32 {
            0
        }
        fn numbers(&self) -> Vec<(u64, u64)> {
            vec![(self.0, 0)]
        }
        fn with_number(&self, _: usize, value: u64) -> Self {
            Self(value)
        }
        fn folded(&self, next: &Self) -> Option<Self> {
            Some(Self(self.0 + next.0))
        }
    }

    fn shrunk(steps: impl IntoIterator<Item = u64>, fails: impl Fn(&[u64]) -> bool) -> Vec<u64> {
        let steps = steps.into_iter().map(Number).collect();
        let of = |steps: &[Number]| steps.iter().map(|step| step.0).collect::<Vec<_>>();
        of(&shrink(steps, Patience::on_worlds(Duration::MAX), |steps| fails(&of(steps))).steps)
    }

    #[test]
    fn what_has_no_part_in_a_failure_is_taken_away() {
        let needs = |steps: &[u64]| steps.contains(&17) && steps.contains(&801);
        assert_eq!(shrunk(0..1_000, needs), [17, 801]);
    }

    #[test]
    fn numbers_come_down_to_the_least_that_fails() {
        assert_eq!(shrunk([3, 90_000, 5], |steps| steps.iter().any(|&step| step >= 4_321)), [4_321]);
    }

    #[test]
    fn two_steps_become_one_where_one_does() {
        assert_eq!(shrunk([40, 2, 35, 23], |steps| steps.iter().sum::<u64>() >= 100), [100]);
    }

    #[test]
    fn a_list_is_left_as_it_is_when_there_is_no_time_for_a_try() {
        let steps: Vec<Number> = (0..100).map(Number).collect();
        let left = shrink(steps.clone(), Patience::on_worlds(Duration::ZERO), |_| true);
        assert_eq!(left, Shrunk { steps, tries: 0 });
    }

    #[test]
    fn a_failure_that_needs_nothing_shrinks_to_nothing() {
        assert!(shrunk(0..50, |_| true).is_empty());
    }
}
