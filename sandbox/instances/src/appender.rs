//! The journal of an instance that leads: entries wait here, in order, until the log has them.
//!
//! Invariant: an entry that was taken is answered once, after all before it, and `Ok` only when the log has it. After the term has ended
//! nothing is taken. Absent on purpose: the log itself (`lead.rs`).

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError};
#[cfg(not(test))]
use std::sync::{Mutex, MutexGuard};

use tokio::sync::{Notify, oneshot};

#[cfg(test)]
use crate::switching::{Mutex, MutexGuard};
use feed::input_log::{LogError, Pending, ready};
use hosting::journal::Journal;
use rare::Point;
use store::Body;

/// Bytes that may wait.
const ROOM: usize = 64 << 20;
/// A batch takes no further entry from here on.
pub(crate) const BATCH: usize = 1 << 20;
/// Bytes of the largest entry: one that takes seconds to write would look like silence.
pub const LARGEST: usize = 32 << 20;
/// What an entry that waits costs beside its bytes.
const OVERHEAD: usize = 64;

/// Takes entries. Clones share what waits.
#[derive(Clone, Default)]
pub struct Appender {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    news: Notify,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Entry>,
    bytes: usize,
    /// Why nothing is taken any more.
    ended: Option<String>,
}

struct Entry {
    record: Vec<u8>,
    asker: oneshot::Sender<Result<(), LogError>>,
}

/// Entries that become one batch.
pub(crate) struct Group {
    entries: Vec<Entry>,
    /// Their records.
    pub(crate) body: Body,
}

impl Group {
    /// Answers all of them.
    pub(crate) fn answer(self, outcome: &Result<(), LogError>) {
        // Who no longer waits does not need the answer.
        self.entries.into_iter().for_each(|entry| drop(entry.asker.send(outcome.clone())));
    }
}

#[cfg(test)]
impl Group {
    /// The fault: who waits is answered before the log has it.
    pub(crate) fn answered_at_once(self) -> Self {
        self.entries.into_iter().for_each(|entry| drop(entry.asker.send(Ok(()))));
        Self { entries: Vec::new(), body: self.body }
    }
}

impl Appender {
    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for entries and takes as many as one batch has; none once it has ended and nothing waits.
    pub(crate) async fn next(&self) -> Option<Group> {
        loop {
            let news = self.shared.news.notified();
            {
                let mut state = self.state();
                if let Some(group) = state.group() {
                    return Some(group);
                }
                if state.ended.is_some() {
                    return None;
                }
            }
            news.await;
        }
    }

    /// Takes nothing any more; what waits is written.
    pub(crate) fn close(&self, why: &str) {
        self.state().ended.get_or_insert_with(|| why.to_owned());
        self.shared.news.notify_one();
    }

    /// Takes nothing any more, and refuses what waits.
    pub(crate) fn abandon(&self, why: &str) {
        self.close(why);
        let waiting = std::mem::take(&mut self.state().waiting);
        for entry in waiting {
            drop(entry.asker.send(Err(LogError::Never(why.to_owned()))));
        }
    }
}

impl State {
    fn group(&mut self) -> Option<Group> {
        let (mut entries, mut body, mut bytes) = (Vec::new(), Body::default(), 0);
        while let Some(next) = self.waiting.front() {
            bytes += next.record.len();
            if !entries.is_empty() && (bytes > BATCH || rare::happens(Point::EntryByItself)) {
                break;
            }
            let entry = self.waiting.pop_front()?;
            self.bytes = self.bytes.saturating_sub(entry.record.len() + OVERHEAD);
            match body.push(&entry.record) {
                Ok(()) => entries.push(entry),
                Err(error) => drop(entry.asker.send(Err(LogError::Never(error.to_string())))),
            }
        }
        (!entries.is_empty()).then_some(Group { entries, body })
    }

    /// Why an entry of so many bytes is not taken. Where there is no room the term ends: some entries are written by callers who do not
    /// wait, and the log may not lack one of them while later ones are there.
    fn refusal(&mut self, length: usize) -> Option<LogError> {
        if self.bytes + length > ROOM && length <= LARGEST {
            self.ended.get_or_insert_with(|| "too much waits for the log of the server".to_owned());
        }
        if let Some(why) = &self.ended {
            return Some(LogError::Never(why.clone()));
        }
        if length > LARGEST {
            let why = format!("an entry has {length} bytes, and a log of several instances takes {LARGEST} at most");
            return Some(LogError::Never(why));
        }
        None
    }
}

impl Journal for Appender {
    fn append(&self, entry: Vec<u8>) -> Pending<'static, ()> {
        let (asker, asked) = oneshot::channel();
        let mut state = self.state();
        if let Some(refused) = state.refusal(entry.len()) {
            drop(state);
            self.shared.news.notify_one();
            return ready(Err(refused));
        }
        state.bytes += entry.len() + OVERHEAD;
        state.waiting.push_back(Entry { record: entry, asker });
        drop(state);
        self.shared.news.notify_one();
        Box::pin(async move {
            asked.await.unwrap_or_else(|_| Err(LogError::Never("the instance no longer leads".to_owned())))
        })
    }

    fn failure(&self) -> Option<String> {
        self.state().ended.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::switching::in_orders;
    use feed::input_log::if_ready;
    use shuttle::future::block_on;
    use shuttle::thread;

    /// Records, in the order in which a log got them.
    type Kept = Arc<std::sync::Mutex<Vec<Vec<u8>>>>;

    fn kept(kept: &Kept) -> std::sync::MutexGuard<'_, Vec<Vec<u8>>> {
        kept.lock().expect("no panics")
    }

    /// How the term ends while threads append.
    #[derive(Clone, Copy, PartialEq)]
    enum End {
        /// When all is answered.
        Late,
        /// It is closed at any time.
        Closed,
        /// It is lost after the first batch.
        Lost,
    }

    /// Two threads append two entries each, and a third one keeps and answers them.
    fn hand_over(end: End) {
        let (appender, log) = (Appender::default(), Kept::default());
        let (taking, taken) = (appender.clone(), Arc::clone(&log));
        let keeper = thread::spawn(move || {
            while let Some(group) = block_on(taking.next()) {
                kept(&taken).extend(group.body.records().map(<[u8]>::to_vec));
                group.answer(&Ok(()));
                if end == End::Lost {
                    return taking.abandon("another leads");
                }
            }
        });
        let writers = [b'a', b'b'].map(|name| {
            let (appender, log) = (appender.clone(), Arc::clone(&log));
            thread::spawn(move || {
                let entries = [[name, b'1'], [name, b'2']].map(Vec::from);
                let [mut first, second] = entries.clone().map(|entry| appender.append(entry));
                let second = block_on(second);
                let first = match if_ready(first.as_mut()) {
                    Some(first) => first,
                    None => {
                        assert!(second.is_err(), "an entry is kept after all before it");
                        block_on(first)
                    }
                };
                for (entry, answer) in entries.iter().zip([&first, &second]) {
                    let times = kept(&log).iter().filter(|kept| *kept == entry).count();
                    assert_eq!(times, usize::from(answer.is_ok()), "{entry:?} {answer:?}");
                }
                assert!(first.is_ok() || second.is_err(), "nothing is kept after an entry that is not");
                assert!(second.is_ok() || end != End::Late, "{second:?}");
            })
        });
        if end == End::Closed {
            appender.close("the server is closing");
        }
        writers.into_iter().for_each(|writer| writer.join().expect("no panics"));
        appender.close("all is answered");
        keeper.join().expect("no panics");
        let kept = kept(&log);
        for name in [b'a', b'b'] {
            assert!(kept.iter().filter(|entry| entry[0] == name).is_sorted(), "entries keep their order: {kept:?}");
        }
    }

    #[test]
    fn each_entry_is_answered_once_and_in_order_in_any_order_of_threads() {
        for hand_over in [|| hand_over(End::Late), || hand_over(End::Closed), || hand_over(End::Lost)] {
            in_orders(2_000, hand_over);
        }
    }

    #[tokio::test]
    async fn entries_are_grouped_in_their_order_and_answered_once() {
        let appender = Appender::default();
        let mut first = appender.append(b"one".to_vec());
        let mut second = appender.append(b"two".to_vec());
        let group = appender.next().await.expect("two wait");
        assert_eq!(group.body.records().collect::<Vec<_>>(), [b"one", b"two"]);
        assert_eq!(if_ready(first.as_mut()), None, "nothing is answered before the log has it");
        group.answer(&Ok(()));
        assert_eq!(if_ready(first.as_mut()), Some(Ok(())));
        assert_eq!(if_ready(second.as_mut()), Some(Ok(())));
    }

    #[tokio::test]
    async fn entries_that_are_written_by_themselves_keep_their_order_and_are_answered_once() {
        let mut met = rare::Tally::new();
        for seed in 0..20 {
            let _points = rare::begin(seed);
            let appender = Appender::default();
            let entries: Vec<Vec<u8>> = (0..9_u8).map(|entry| vec![entry]).collect();
            let answers: Vec<_> = entries.iter().map(|entry| appender.append(entry.clone())).collect();
            appender.close("all is appended");
            let mut written: Vec<Vec<u8>> = Vec::new();
            while let Some(group) = appender.next().await {
                written.extend(group.body.records().map(<[u8]>::to_vec));
                group.answer(&Ok(()));
            }
            for answer in answers {
                assert_eq!(answer.await, Ok(()), "seed {seed}");
            }
            assert_eq!(written, entries, "seed {seed}");
            met.add(&rare::tally());
        }
        assert!(met.counts().any(|(row, count)| row.point == Point::EntryByItself && count.happened > 0));
    }

    #[tokio::test]
    async fn what_waits_has_a_bound_at_which_the_term_ends_and_an_entry_has_one() {
        let appender = Appender::default();
        let refused = |mut answer: Pending<'static, ()>| if_ready(answer.as_mut());
        assert!(matches!(refused(appender.append(vec![0; LARGEST + 1])), Some(Err(LogError::Never(_)))));
        assert_eq!(appender.failure(), None, "an entry that is too large ends nothing");
        let _waiting = [appender.append(vec![0; LARGEST]), appender.append(vec![0; LARGEST - 1024])];
        assert_eq!(appender.next().await.expect("a group").body.count(), 1, "a large entry has a batch of its own");
        let _more = appender.append(vec![0; LARGEST]);
        assert!(matches!(refused(appender.append(vec![0; 2048])), Some(Err(LogError::Never(_)))), "no room");
        assert!(
            matches!(refused(appender.append(vec![0; 1])), Some(Err(LogError::Never(_)))),
            "nothing after it, either"
        );
        assert_eq!(appender.next().await.map(|group| group.body.count()), Some(1), "what was taken is written");
    }

    #[tokio::test]
    async fn an_ended_term_takes_nothing_and_refuses_what_waits() {
        let appender = Appender::default();
        let mut waiting = appender.append(b"one".to_vec());
        appender.abandon("another leads");
        assert_eq!(if_ready(waiting.as_mut()), Some(Err(LogError::Never("another leads".to_owned()))));
        assert_eq!(appender.failure().as_deref(), Some("another leads"));
        assert!(appender.next().await.is_none());
    }
}
