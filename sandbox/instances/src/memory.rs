//! A log in memory that fails as networks and servers do, by a seed: for tests.
//!
//! Invariant: with the same seed and the same calls it fails in the same places. Absent on purpose: threads and real time.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::sleep;

use crate::log::{Batch, Head, Leader, SharedLog, Term};
use feed::input_log::{LogError, Pending};
use feed::transport::TransportTime;
use store::Place;

/// How often things go wrong, in a thousand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Odds {
    /// A call does not reach the log.
    pub lost_calls: u64,
    /// A call happens, and its answer is lost.
    pub lost_answers: u64,
    /// A call whose answer was lost happens only later.
    pub late_calls: u64,
    /// A call takes up to two seconds.
    pub slow_calls: u64,
}

/// A log in memory. Clones are connections to the same one.
#[derive(Clone, Default)]
pub struct MemoryLog {
    kept: Arc<Mutex<Kept>>,
    /// Whether this connection reaches it.
    link: Arc<Mutex<Link>>,
}

#[derive(Default)]
struct Kept {
    head: Head,
    batches: Vec<Batch>,
    values: BTreeMap<String, Vec<u8>>,
    counts: BTreeMap<String, u64>,
}

struct Link {
    is_cut: bool,
    odds: Odds,
    draws: u64,
}

impl Default for Link {
    fn default() -> Self {
        Self { is_cut: false, odds: Odds::default(), draws: 1 }
    }
}

impl Link {
    /// The next draw below 1,000 (xorshift).
    fn draw(&mut self) -> u64 {
        self.draws ^= self.draws << 13;
        self.draws ^= self.draws >> 7;
        self.draws ^= self.draws << 17;
        self.draws % 1_000
    }

    fn happens(&mut self, odds: u64) -> bool {
        odds > 0 && self.draw() < odds
    }
}

/// What becomes of a call.
enum Fate {
    Lost,
    Late(Duration),
    Unanswered,
    Answered,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl MemoryLog {
    /// Another connection to the same log, which fails by these odds, from this seed.
    #[must_use]
    pub fn connection(&self, seed: u64, odds: Odds) -> Self {
        let link = Link { is_cut: false, odds, draws: seed | 1 };
        Self { kept: Arc::clone(&self.kept), link: Arc::new(Mutex::new(link)) }
    }

    /// Cuts this connection, or mends it.
    pub fn cut(&self, is_cut: bool) {
        locked(&self.link).is_cut = is_cut;
    }

    /// The log loses its last batches, as a standby does that did not have them when it took over.
    pub fn lose(&self, batches: usize) {
        let mut kept = locked(&self.kept);
        let left = kept.batches.len().saturating_sub(batches);
        kept.batches.truncate(left);
        kept.head.place = kept.place();
        kept.head.beats = kept.head.beats.saturating_sub(1);
    }

    /// The log loses the batch that ends at this record, and nothing else.
    #[cfg(test)]
    pub(crate) fn forget(&self, last: u64) {
        locked(&self.kept).batches.retain(|(kept, _)| *kept != last);
    }

    /// The head says that the log ends there.
    #[cfg(test)]
    pub(crate) fn ends_at(&self, place: Place) {
        locked(&self.kept).head.place = place;
    }

    /// All records that it has.
    ///
    /// # Errors
    /// What is wrong with a batch, in words.
    pub fn records(&self) -> Result<Vec<Vec<u8>>, String> {
        let mut place = Place::default();
        let mut records = Vec::new();
        for (last, bytes) in &locked(&self.kept).batches {
            let (next, body) = store::unpack(place, *last, bytes)?;
            records.extend(body.records().map(<[u8]>::to_vec));
            place = next;
        }
        Ok(records)
    }

    async fn call<T: Send + 'static>(&self, act: impl FnOnce(&mut Kept) -> T + Send + 'static) -> Result<T, LogError> {
        let lost = || Err(LogError::Retry("the connection was lost".to_owned()));
        let (fate, wait) = {
            let mut link = locked(&self.link);
            let Odds { lost_calls, lost_answers, late_calls, slow_calls } = link.odds;
            let is_slow = link.happens(slow_calls);
            let wait = Duration::from_millis(if is_slow { link.draw() * 2 } else { 1 });
            let fate = if link.is_cut || link.happens(lost_calls) {
                Fate::Lost
            } else if link.happens(late_calls) {
                Fate::Late(Duration::from_millis(link.draw() * 4))
            } else if link.happens(lost_answers) {
                Fate::Unanswered
            } else {
                Fate::Answered
            };
            (fate, wait)
        };
        sleep(wait).await;
        match fate {
            Fate::Lost => lost(),
            Fate::Late(wait) => {
                let kept = Arc::clone(&self.kept);
                tokio::spawn(async move {
                    sleep(wait).await;
                    act(&mut locked(&kept));
                });
                lost()
            }
            Fate::Unanswered => {
                act(&mut locked(&self.kept));
                lost()
            }
            Fate::Answered => Ok(act(&mut locked(&self.kept))),
        }
    }
}

impl Kept {
    fn place(&self) -> Place {
        let mut place = Place::default();
        for (last, bytes) in &self.batches {
            place = store::unpack(place, *last, bytes).map_or(place, |(next, _)| next);
        }
        place
    }

    fn is_led(&self, term: Term) -> bool {
        let leader = self.head.leader.as_ref().map(|leader| leader.instance);
        self.head.epoch == term.epoch && leader == Some(term.instance)
    }

    /// Whether the leader of this term may act, for whom the log ends there.
    fn is_led_to(&self, term: Term, place: Place) -> bool {
        #[cfg(test)]
        if crate::planted::Planted::TakesAll.is_here() {
            return true;
        }
        self.is_led(term) && self.head.place == place
    }
}

impl SharedLog for MemoryLog {
    fn head(&self) -> Pending<'_, Head> {
        Box::pin(self.call(|kept| kept.head.clone()))
    }

    fn after(&self, position: u64) -> Pending<'_, Vec<Batch>> {
        Box::pin(
            self.call(move |kept| kept.batches.iter().filter(|(last, _)| *last > position).take(8).cloned().collect()),
        )
    }

    fn append<'a>(
        &'a self,
        term: Term,
        before: Place,
        after: Place,
        batch: &'a [u8],
        shows: TransportTime,
    ) -> Pending<'a, bool> {
        let batch = batch.to_vec();
        Box::pin(self.call(move |kept| {
            let is_next = kept.is_led_to(term, before);
            if is_next {
                kept.batches.push((after.position, batch));
                kept.head = Head { place: after, beats: kept.head.beats + 1, shows, ..kept.head.clone() };
            }
            is_next
        }))
    }

    fn claim<'a>(&'a self, seen: &'a Head, leader: &'a Leader) -> Pending<'a, bool> {
        let (seen, leader) = (seen.clone(), leader.clone());
        Box::pin(self.call(move |kept| {
            let is_same = kept.head == seen;
            if is_same {
                let (epoch, beats) = (seen.epoch + 1, seen.beats + 1);
                kept.head = Head { epoch, beats, leader: Some(leader), ..seen };
            }
            is_same
        }))
    }

    fn beat(&self, term: Term, place: Place, shows: TransportTime) -> Pending<'_, bool> {
        Box::pin(self.call(move |kept| {
            let leads = kept.is_led_to(term, place);
            if leads {
                kept.head = Head { beats: kept.head.beats + 1, shows, ..kept.head.clone() };
            }
            leads
        }))
    }

    fn release(&self, term: Term, shows: TransportTime) -> Pending<'_, bool> {
        Box::pin(self.call(move |kept| {
            let leads = kept.is_led(term);
            if leads {
                kept.head = Head { leader: None, beats: kept.head.beats + 1, shows, ..kept.head.clone() };
            }
            leads
        }))
    }

    fn keep<'a>(&'a self, name: &'a str, value: &'a [u8]) -> Pending<'a, Vec<u8>> {
        let (name, value) = (name.to_owned(), value.to_vec());
        Box::pin(self.call(move |kept| kept.values.entry(name).or_insert(value).clone()))
    }

    fn value<'a>(&'a self, name: &'a str) -> Pending<'a, Option<Vec<u8>>> {
        let name = name.to_owned();
        Box::pin(self.call(move |kept| kept.values.get(&name).cloned()))
    }

    fn count<'a>(&'a self, name: &'a str) -> Pending<'a, u64> {
        let name = name.to_owned();
        Box::pin(self.call(move |kept| {
            let count = kept.counts.entry(name).or_default();
            *count += 1;
            *count - 1
        }))
    }
}
