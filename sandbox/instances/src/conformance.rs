//! What every shared log does, for the tests of each.

use uuid::Uuid;

use crate::log::{Leader, SharedLog, Term};
use feed::transport::TransportTime;
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
