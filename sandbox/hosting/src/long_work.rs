//! Where long calculations are carried out, such as the making of a large world or a jump of many days: on the spot, or on a
//! few threads of their own, so that other requests have their turn meanwhile.
//!
//! Invariant: the result is the same either way. On the spot nothing changes order, which is why it is so wherever a
//! course of events has to be the same twice. On threads, only so many run at once, and those that wait go in order of
//! arrival: work in short turns, such as slices of jumps, goes round all who ask for it. Absent on purpose: work that waits for
//! something.

use std::num::NonZero;
use std::sync::Arc;

use tokio::sync::Semaphore;

/// Where.
#[derive(Clone, Debug, Default)]
pub enum LongWork {
    /// Where it was asked for.
    #[default]
    OnTheSpot,
    /// On the threads that tokio has for blocking work, as far as there are places.
    OnThreads(Arc<Places>),
}

/// How much long work runs at once. Whole work, which may take seconds, and short turns have places apart, so that one does not
/// wait for the other.
#[derive(Debug)]
pub struct Places {
    whole: Arc<Semaphore>,
    turns: Arc<Semaphore>,
}

impl LongWork {
    /// On threads, with places for all cores of the machine but one, which requests are answered on.
    #[must_use]
    pub fn on_threads() -> Self {
        Self::on_places(std::thread::available_parallelism().map_or(1, NonZero::get).saturating_sub(1).max(1))
    }

    /// On threads, with so many places for whole work, and as many for turns.
    #[must_use]
    pub fn on_places(places: usize) -> Self {
        let places = || Arc::new(Semaphore::new(places));
        Self::OnThreads(Arc::new(Places { whole: places(), turns: places() }))
    }

    /// Carries `work` out. A panic in it continues in the caller.
    ///
    /// # Panics
    /// When `work` does, or its runtime ends meanwhile.
    pub async fn carry_out<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> T {
        match self {
            Self::OnTheSpot => work(),
            Self::OnThreads(places) => on_thread(&places.whole, work).await,
        }
    }

    /// As `carry_out`, of work that takes some milliseconds and is a piece of more: everybody who has some takes turns.
    ///
    /// # Panics
    /// As `carry_out`.
    pub async fn take_turn<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> T {
        match self {
            Self::OnTheSpot => work(),
            Self::OnThreads(places) => on_thread(&places.turns, work).await,
        }
    }
}

/// Waits for a place, which the work keeps until it ends, although nobody may wait for it any more.
async fn on_thread<T: Send + 'static>(places: &Arc<Semaphore>, work: impl FnOnce() -> T + Send + 'static) -> T {
    let place = Arc::clone(places).acquire_owned().await.expect("places are never closed");
    let span = tracing::Span::current();
    let working = tokio::task::spawn_blocking(move || {
        let done = span.in_scope(work);
        drop(place);
        done
    });
    match working.await {
        Ok(done) => done,
        Err(ended) => match ended.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(ended) => panic!("the runtime is ending: {ended}"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    #[tokio::test]
    async fn work_is_done_on_the_spot_or_on_another_thread() {
        let here = thread::current().id();
        for (place, is_here) in [(LongWork::OnTheSpot, true), (LongWork::on_threads(), false)] {
            let there =
                [place.carry_out(|| thread::current().id()).await, place.take_turn(|| thread::current().id()).await];
            assert_eq!(there.map(|there| there == here), [is_here; 2], "{place:?}");
        }
    }

    /// (rule: calendar/fair-advances)
    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn only_so_many_work_at_once_and_all_of_them_take_turns() {
        let work = LongWork::on_places(1);
        let (at_once, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let order = Arc::new(Mutex::new(Vec::new()));
        let begin = Arc::new(tokio::sync::Barrier::new(8));
        let workers = (0..8).map(|worker| {
            let (work, order, begin) = (work.clone(), Arc::clone(&order), Arc::clone(&begin));
            let (at_once, most) = (Arc::clone(&at_once), Arc::clone(&most));
            tokio::spawn(async move {
                begin.wait().await;
                for _ in 0..20 {
                    let (at_once, most, order) = (Arc::clone(&at_once), Arc::clone(&most), Arc::clone(&order));
                    let turn = move || {
                        most.fetch_max(at_once.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        thread::sleep(std::time::Duration::from_millis(1));
                        order.lock().expect("no panics").push(worker);
                        at_once.fetch_sub(1, Ordering::SeqCst);
                    };
                    work.take_turn(turn).await;
                }
            })
        });
        for worker in workers.collect::<Vec<_>>() {
            worker.await.expect("it ends");
        }
        assert_eq!(most.load(Ordering::SeqCst), 1);
        let order = order.lock().expect("no panics");
        // Somebody who is slow to ask again misses a turn now and then, and is never left behind.
        let half: Vec<usize> = order[..80].to_vec();
        let turns = (0..8).map(|worker| half.iter().filter(|turn| **turn == worker).count());
        assert!(turns.clone().all(|turns| turns >= 5), "{:?}", turns.collect::<Vec<_>>());
    }
}
