//! What every shared log does, and what the journal of an instance that leads does on it, for the tests of each.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::Instant;
use uuid::Uuid;

use crate::appender::Appender;
use crate::lead::{Ended, Leading, answered};
use crate::lease::Lease;
use crate::log::{Head, Leader, SharedLog, Term};
use feed::input_log::LogError;
use feed::transport::{TransportClock, TransportTime};
use hosting::journal::Journal;
use hosting::testing::journals::{self, Doing, TestedJournal};
use store::{Body, Place};

/// A batch of one record after `before`.
fn batch(before: Place, record: &[u8]) -> (Place, Vec<u8>) {
    let mut body = Body::default();
    body.push(record).expect("room");
    body.pack(before).expect("a batch")
}

/// Holds a log without entries to what all logs do.
///
/// # Panics
/// When it does something else.
pub async fn holds(log: &dyn SharedLog) {
    let shows = TransportTime(7);
    let leader = |number| Leader { instance: Uuid::from_u128(number), url: format!("http://instance-{number}") };
    let (one, two) = (leader(1), leader(2));
    let empty = log.head().await.expect("a head");
    assert_eq!((empty.place, &empty.leader), (Place::default(), &None), "a new log");
    assert!(log.after(0).await.expect("no batches").is_empty());
    let (first, bytes) = batch(empty.place, b"one");
    let append = async |term, before, after, bytes: &[u8]| log.append(term, before, after, bytes, shows).await;
    let of_one = |epoch| Term { epoch, instance: one.instance };
    assert_eq!(append(of_one(empty.epoch), empty.place, first, &bytes).await, Ok(false), "nobody leads");

    assert_eq!(log.claim(&empty, &one).await, Ok(true));
    assert_eq!(log.claim(&empty, &two).await, Ok(false), "the head is another one now");
    let head = log.head().await.expect("a head");
    assert_eq!((head.epoch, head.leader.as_ref()), (empty.epoch + 1, Some(&one)));
    let term = of_one(head.epoch);
    let of_another = Term { instance: two.instance, ..term };
    assert_eq!(append(of_another, empty.place, first, &bytes).await, Ok(false), "the term is another's");
    assert_eq!(log.beat(of_another, empty.place, shows).await, Ok(false));
    assert_eq!(log.release(of_another, shows).await, Ok(false));
    assert_eq!(append(term, empty.place, first, &bytes).await, Ok(true));
    assert_eq!(append(term, empty.place, first, &bytes).await, Ok(false), "a repeated batch is there already");
    let (second, more) = batch(first, b"two");
    let other = Place { chain: [9; 16], ..first };
    assert_eq!(append(term, other, second, &more).await, Ok(false), "the log does not end there");
    assert_eq!(append(term, first, second, &more).await, Ok(true));
    assert_eq!(log.after(0).await, Ok(vec![(1, bytes.clone()), (2, more.clone())]));
    assert_eq!(log.after(1).await, Ok(vec![(2, more)]));

    let seen = log.head().await.expect("a head");
    assert_eq!((seen.place, seen.shows), (second, shows));
    assert_eq!(log.beat(term, second, TransportTime(8)).await, Ok(true));
    assert_eq!(log.claim(&seen, &two).await, Ok(false), "the leader has given a sign of life");
    assert_eq!(log.beat(term, first, shows).await, Ok(false), "the log does not end there");
    let seen = log.head().await.expect("a head");
    assert_eq!(log.claim(&seen, &two).await, Ok(true));
    let (third, late) = batch(second, b"late");
    assert_eq!(append(term, second, third, &late).await, Ok(false), "the term is over");
    assert_eq!(log.beat(term, second, shows).await, Ok(false));
    assert_eq!(log.release(term, shows).await, Ok(false));
    let next = Term { epoch: term.epoch + 1, instance: two.instance };
    assert_eq!(append(next, second, third, &late).await, Ok(true));
    assert_eq!(log.release(next, TransportTime(9)).await, Ok(true));
    let head = log.head().await.expect("a head");
    assert_eq!((head.leader.as_ref(), head.shows, head.place), (None, TransportTime(9), third));
    assert_eq!(log.beat(next, third, shows).await, Ok(false), "a term that was given up is over");
    assert_eq!(log.claim(&head, &one).await, Ok(true), "the next begins at once");

    assert_eq!(log.value("key").await, Ok(None));
    assert_eq!(log.keep("key", b"first").await, Ok(b"first".to_vec()));
    assert_eq!(log.keep("key", b"second").await, Ok(b"first".to_vec()), "what is kept stays");
    assert_eq!(log.value("key").await, Ok(Some(b"first".to_vec())));
    assert_eq!((log.count("starts").await, log.count("starts").await), (Ok(0), Ok(1)));
    assert_eq!(log.count("others").await, Ok(0));
}

/// The journal of instances that lead one after the other.
struct Led {
    log: Arc<dyn SharedLog>,
    /// The last record before the test.
    begin: Place,
    leaders: u128,
    leading: Option<JoinHandle<Ended>>,
}

/// Holds the journal of an instance that leads `log` to what all journals do.
///
/// # Panics
/// When it does something else.
pub async fn journal_holds(log: Arc<dyn SharedLog>) {
    let begin = asked(|| log.head()).await.place;
    journals::holds(&mut Led { log, begin, leaders: 0, leading: None }).await;
}

/// What the log answers in the end.
async fn asked<T, F: Future<Output = Result<T, LogError>>>(ask: impl Fn() -> F) -> T {
    answered(ask).await.expect("the log can be asked")
}

impl Led {
    /// Another instance takes the next term.
    async fn claimed(&mut self) -> (Head, Term) {
        self.leaders += 1;
        let me = Leader { instance: Uuid::from_u128(self.leaders), url: "http://instance".to_owned() };
        loop {
            let head = asked(|| self.log.head()).await;
            if head.leader.as_ref() == Some(&me) {
                let term = Term { epoch: head.epoch, instance: me.instance };
                return (head, term);
            }
            // Whether it was accepted, the head says.
            drop(self.log.claim(&head, &me).await);
        }
    }
}

impl TestedJournal for Led {
    fn open(&mut self) -> Doing<'_, Arc<dyn Journal>> {
        Box::pin(async {
            // The process before is gone, with what it was about to send.
            self.leading.take().inspect(JoinHandle::abort);
            let (head, term) = self.claimed().await;
            let appender = Appender::default();
            let lease = Arc::new(Lease::new(|| Duration::ZERO));
            lease.renew(Instant::now());
            let leading = Leading {
                log: Arc::clone(&self.log),
                term,
                place: head.place,
                known: Arc::new(Mutex::new(head.place)),
                lease,
                appender: appender.clone(),
                clock: TransportClock::starting_at(Duration::ZERO),
            };
            self.leading = Some(tokio::spawn(leading.lead()));
            Arc::new(appender) as Arc<dyn Journal>
        })
    }

    fn entries(&mut self) -> Doing<'_, Vec<Vec<u8>>> {
        Box::pin(async {
            let end = asked(|| self.log.head()).await.place;
            let (mut place, mut entries) = (self.begin, Vec::new());
            while place != end {
                let batches = asked(|| self.log.after(place.position)).await;
                assert!(!batches.is_empty() && place.position < end.position, "the log has no way to its end");
                for (last, batch) in batches {
                    let (next, body) = store::unpack(place, last, &batch).expect("a batch that follows");
                    entries.extend(body.records().map(<[u8]>::to_vec));
                    place = next;
                }
            }
            entries
        })
    }

    fn fail(&mut self) -> Doing<'_, bool> {
        Box::pin(async {
            self.claimed().await;
            true
        })
    }
}
