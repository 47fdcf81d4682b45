//! A log in etcd: four keys are its head, and batches are keys by the position of their last record.
//!
//! Invariant: the head moves and the batch is put by one transaction, which compares term and place and does nothing where they are not what the
//! writer knows. A batch that one request cannot take is put in parts before that, each by a transaction that compares the same, so none is put after
//! the term; the next term begins by deleting parts that no batch names. Reads are linearizable. Absent on purpose: leases and watches (followers
//! look often, and clocks of etcd decide nothing), compaction, which is the cluster's own.
//!
//! | key below the prefix | value |
//! |---|---|
//! | `head/place` | the end: position and chain |
//! | `head/sign` | what the clock of the leader showed; each revision of it is a sign of life |
//! | `head/term` | the number of the last term, and its leader |
//! | `head/url` | where that one is reached |
//! | `batch/POSITION` | a batch, or how many parts it has |
//! | `part/POSITION/NUMBER` | a part of the batch that ends there |
//! | `value/NAME`, `count/NAME` | what is kept, and counted |

use std::fmt::Write as _;

use etcd_client::{Compare, CompareOp, GetOptions, KeyValue, Txn, TxnOp, TxnOpResponse};
use uuid::Uuid;

use crate::address::Address;
use crate::log::{Batch, Head, Leader, SharedLog, Term};
use crate::members::Members;
#[cfg(test)]
use crate::planted::Planted;
use deliveries::trust::Trust;
use feed::input_log::{LogError, Pending};
use feed::transport::TransportTime;
use store::Place;

/// Bytes of a part: a request of etcd has 1.5 MiB at most, unless its operator says more.
const PART: usize = 1 << 20;
/// A batch up to this length is in the value of its key; so a page of batches has a bound.
const INLINE: usize = 64 << 10;
/// Batches of a page, and parts that are read at once.
const PAGE: i64 = 64;
const PARTS_AT_ONCE: i64 = 8;
/// Bytes of batches that are read at once, about.
const READ_AT_ONCE: usize = 4 << 20;
/// The form of keys and values.
const FORMAT: &[u8] = b"1";
/// How a batch's value begins: the batch follows, or the number of its parts.
const WHOLE: u8 = 0;
const IN_PARTS: u8 = 1;
/// How often a number is counted up that others count up, too.
const TRIES: usize = 16;
const NOBODY: &str = "-";

/// A log in a cluster.
pub struct Etcd {
    members: Members,
    prefix: String,
}

impl Etcd {
    /// The log of the cluster at `url`, whose keys are made where they are absent.
    ///
    /// # Errors
    /// Why it cannot be used, in words.
    pub async fn open(url: &str, trust: &Trust) -> Result<Self, String> {
        let address = Address::read(url)?;
        let prefix = address.prefix.clone();
        let log = Self { members: Members::new(address, trust), prefix };
        log.members.open().await?;
        let format = log.make().await.map_err(|fault| fault.to_string())?;
        if format != FORMAT {
            let format = String::from_utf8_lossy(&format);
            return Err(format!("its keys under {} have format {format}, and this build knows 1", log.prefix));
        }
        Ok(log)
    }

    fn key(&self, rest: &str) -> Vec<u8> {
        format!("{}{rest}", self.prefix).into_bytes()
    }

    /// Keys of numbers are in the order of the numbers.
    fn numbered(&self, folder: &str, position: u64) -> String {
        format!("{}{folder}/{position:020}", self.prefix)
    }

    /// What is after the last key of a folder.
    fn end(&self, folder: &str) -> Vec<u8> {
        // The byte after the slash.
        self.key(&format!("{folder}0"))
    }

    fn put(&self, rest: &str, value: impl Into<Vec<u8>>) -> TxnOp {
        TxnOp::put(self.key(rest), value, None)
    }

    fn sign(&self, shows: TransportTime) -> TxnOp {
        self.put("head/sign", shows.0.to_string())
    }

    fn is_value(&self, rest: &str, value: String) -> Compare {
        Compare::value(self.key(rest), CompareOp::Equal, value)
    }

    fn is_absent(&self, rest: &str) -> Compare {
        Compare::create_revision(self.key(rest), CompareOp::Equal, 0)
    }

    /// That the leader of this term may act, for whom the log ends there.
    fn is_led_to(&self, term: Term, place: Place) -> Vec<Compare> {
        #[cfg(test)]
        if Planted::TakesAll.is_here() {
            return Vec::new();
        }
        vec![self.is_led(term), self.is_value("head/place", of_place(place))]
    }

    fn is_led(&self, term: Term) -> Compare {
        self.is_value("head/term", of_term(term.epoch, Some(term.instance)))
    }

    /// Makes the head of an empty log, where there is none; answers the form of the keys.
    async fn make(&self) -> Result<Vec<u8>, LogError> {
        let making = Txn::new().when([self.is_absent("head/term")]).and_then([
            self.put("head/term", of_term(0, None)),
            self.put("head/place", of_place(Place::default())),
            self.sign(TransportTime(0)),
            self.put("head/url", ""),
            self.put("value/format", FORMAT),
        ]);
        self.members.ask(0, async |mut kv| kv.txn(making).await).await?;
        let format = self.range(self.key("value/format"), GetOptions::new(), 0).await?;
        Ok(format.first().map(|kept| kept.value().to_vec()).unwrap_or_default())
    }

    /// Does `acts` in one transaction if all of `if_so` is so; answers whether it was.
    async fn act(&self, bytes: usize, if_so: Vec<Compare>, acts: Vec<TxnOp>) -> Result<bool, LogError> {
        let transaction = Txn::new().when(if_so).and_then(acts);
        Ok(self.members.ask(bytes, async |mut kv| kv.txn(transaction).await).await?.succeeded())
    }

    async fn range(&self, from: Vec<u8>, options: GetOptions, bytes: usize) -> Result<Vec<KeyValue>, LogError> {
        Ok(self.members.ask(bytes, async |mut kv| kv.get(from, Some(options)).await).await?.take_kvs())
    }

    /// A batch by the value of its key.
    async fn batch(&self, last: u64, value: &[u8]) -> Result<Vec<u8>, LogError> {
        let parts = match value.split_first() {
            Some((&WHOLE, batch)) => return Ok(batch.to_vec()),
            Some((&IN_PARTS, count)) => std::str::from_utf8(count).ok().and_then(|count| count.parse().ok()),
            _ => None,
        };
        let parts: usize = parts.ok_or_else(|| unreadable(&format!("batch {last}")))?;
        let folder = self.numbered("part", last);
        let (mut from, end) = (format!("{folder}/").into_bytes(), format!("{folder}0").into_bytes());
        let (mut batch, mut read) = (Vec::new(), 0);
        while read < parts {
            let options = GetOptions::new().with_range(end.clone()).with_limit(PARTS_AT_ONCE);
            let page = self.range(from, options, PART * 8).await?;
            let Some(next) = page.last() else {
                return Err(LogError::Never(format!("batch {last} of the log has lost some of its parts")));
            };
            // The least key after that one.
            from = [next.key(), &[0]].concat();
            read += page.len();
            page.iter().for_each(|part| batch.extend_from_slice(part.value()));
        }
        Ok(batch)
    }

    /// The operations that put a batch, but for parts that have to be put before, with how many those are.
    fn puts(&self, last: u64, batch: &[u8]) -> (Vec<TxnOp>, Vec<(String, Vec<u8>)>) {
        let key = self.numbered("batch", last);
        if batch.len() <= INLINE {
            return (vec![TxnOp::put(key, [&[WHOLE], batch].concat(), None)], Vec::new());
        }
        let folder = self.numbered("part", last);
        let parts = batch.chunks(PART).enumerate();
        let parts: Vec<_> = parts.map(|(number, part)| (format!("{folder}/{number:06}"), part.to_vec())).collect();
        let named = [&[IN_PARTS], parts.len().to_string().as_bytes()].concat();
        (vec![TxnOp::put(key, named, None)], parts)
    }
}

fn of_place(place: Place) -> String {
    let mut text = format!("{} ", place.position);
    for byte in place.chain {
        // Text takes it.
        write!(text, "{byte:02x}").unwrap_or_default();
    }
    text
}

fn place_of(text: &str) -> Option<Place> {
    let (position, digits) = text.split_once(' ')?;
    let mut chain = [0; 16];
    if digits.len() != 2 * chain.len() || !digits.is_ascii() {
        return None;
    }
    for (byte, pair) in chain.iter_mut().zip(digits.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(Place { position: position.parse().ok()?, chain })
}

fn of_term(epoch: u64, instance: Option<Uuid>) -> String {
    let instance = instance.map_or_else(|| NOBODY.to_owned(), |instance| instance.to_string());
    format!("{epoch} {instance}")
}

fn term_of(text: &str) -> Option<(u64, Option<Uuid>)> {
    let (epoch, instance) = text.split_once(' ')?;
    let instance = if instance == NOBODY { None } else { Some(Uuid::parse_str(instance).ok()?) };
    Some((epoch.parse().ok()?, instance))
}

fn unreadable(what: &str) -> LogError {
    LogError::Never(format!("{what} of the log cannot be read: something else has written there"))
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

fn head_of(prefix: &str, kept: &[KeyValue]) -> Option<Head> {
    let of = |name: &str| {
        let is_it = |kept: &&KeyValue| kept.key().strip_prefix(prefix.as_bytes()) == Some(name.as_bytes());
        let found = kept.iter().find(is_it)?;
        Some((std::str::from_utf8(found.value()).ok()?, found.mod_revision()))
    };
    let (epoch, instance) = term_of(of("head/term")?.0)?;
    let (shows, revision) = of("head/sign")?;
    let url = of("head/url")?.0;
    Some(Head {
        place: place_of(of("head/place")?.0)?,
        epoch,
        beats: unsigned(revision),
        leader: instance.map(|instance| Leader { instance, url: url.to_owned() }),
        shows: TransportTime(shows.parse().ok()?),
    })
}

impl SharedLog for Etcd {
    fn head(&self) -> Pending<'_, Head> {
        Box::pin(async {
            let kept = self.range(self.key("head/"), GetOptions::new().with_prefix(), 0).await?;
            head_of(&self.prefix, &kept).ok_or_else(|| unreadable("the head"))
        })
    }

    fn after(&self, position: u64) -> Pending<'_, Vec<Batch>> {
        Box::pin(async move {
            let from = self.numbered("batch", position.saturating_add(1));
            let options = GetOptions::new().with_range(self.end("batch")).with_limit(PAGE);
            let page = self.range(from.into_bytes(), options, READ_AT_ONCE).await?;
            let (mut batches, mut bytes) = (Vec::new(), 0);
            for kept in page {
                let last = kept.key().rsplit(|byte| *byte == b'/').next().and_then(|it| std::str::from_utf8(it).ok());
                let last = last.and_then(|last| last.parse().ok()).ok_or_else(|| unreadable("a batch"))?;
                let batch = self.batch(last, kept.value()).await?;
                bytes += batch.len();
                batches.push((last, batch));
                if bytes > READ_AT_ONCE {
                    break;
                }
            }
            Ok(batches)
        })
    }

    fn append<'a>(
        &'a self,
        term: Term,
        before: Place,
        after: Place,
        batch: &'a [u8],
        shows: TransportTime,
    ) -> Pending<'a, bool> {
        Box::pin(async move {
            let (mut acts, parts) = self.puts(after.position, batch);
            let mut if_so = self.is_led_to(term, before);
            let mut last = 0;
            if let [(key, part)] = &parts[..] {
                // One part has room beside the rest.
                last = part.len();
                acts.push(TxnOp::put(key.as_str(), part.as_slice(), None));
            } else {
                for (key, part) in parts {
                    // Each is a sign of life, too.
                    if_so.push(Compare::version(key.as_str(), CompareOp::Greater, 0));
                    let length = part.len();
                    let puts = vec![TxnOp::put(key, part, None), self.sign(shows)];
                    if !self.act(length, self.is_led_to(term, before), puts).await? {
                        return Ok(false);
                    }
                }
            }
            acts.extend([self.put("head/place", of_place(after)), self.sign(shows)]);
            self.act(last.max(batch.len().min(INLINE)), if_so, acts).await
        })
    }

    fn claim<'a>(&'a self, seen: &'a Head, leader: &'a Leader) -> Pending<'a, bool> {
        Box::pin(async move {
            let led = seen.leader.as_ref().map(|leader| leader.instance);
            let beats = i64::try_from(seen.beats).unwrap_or(i64::MAX);
            let if_so = vec![
                self.is_value("head/term", of_term(seen.epoch, led)),
                self.is_value("head/place", of_place(seen.place)),
                Compare::mod_revision(self.key("head/sign"), CompareOp::Equal, beats),
            ];
            let left = self.numbered("part", seen.place.position.saturating_add(1));
            let all = etcd_client::DeleteOptions::new().with_range(self.end("part"));
            let acts = vec![
                self.put("head/term", of_term(seen.epoch.saturating_add(1), Some(leader.instance))),
                self.put("head/url", leader.url.as_str()),
                self.sign(seen.shows),
                TxnOp::delete(left, Some(all)),
            ];
            self.act(0, if_so, acts).await
        })
    }

    fn beat(&self, term: Term, place: Place, shows: TransportTime) -> Pending<'_, bool> {
        Box::pin(async move { self.act(0, self.is_led_to(term, place), vec![self.sign(shows)]).await })
    }

    fn release(&self, term: Term, shows: TransportTime) -> Pending<'_, bool> {
        Box::pin(async move {
            let acts =
                vec![self.put("head/term", of_term(term.epoch, None)), self.put("head/url", ""), self.sign(shows)];
            self.act(0, vec![self.is_led(term)], acts).await
        })
    }

    fn keep<'a>(&'a self, name: &'a str, value: &'a [u8]) -> Pending<'a, Vec<u8>> {
        Box::pin(async move {
            let name = format!("value/{name}");
            let keeping = Txn::new().when([self.is_absent(&name)]).and_then([self.put(&name, value)]);
            let keeping = keeping.or_else([TxnOp::get(self.key(&name), None)]);
            let kept = self.members.ask(0, async |mut kv| kv.txn(keeping).await).await?;
            if kept.succeeded() {
                return Ok(value.to_vec());
            }
            match kept.op_responses().first() {
                Some(TxnOpResponse::Get(found)) if !found.kvs().is_empty() => Ok(found.kvs()[0].value().to_vec()),
                _ => Err(unreadable(&name)),
            }
        })
    }

    fn value<'a>(&'a self, name: &'a str) -> Pending<'a, Option<Vec<u8>>> {
        Box::pin(async move {
            let name = format!("value/{name}");
            let reading = Txn::new().and_then([TxnOp::get(self.key(&name), None)]);
            let read = self.members.ask(0, async |mut kv| kv.txn(reading).await).await?;
            match read.op_responses().first() {
                Some(TxnOpResponse::Get(found)) => Ok(found.kvs().first().map(|kept| kept.value().to_vec())),
                _ => Err(unreadable(&name)),
            }
        })
    }

    fn count<'a>(&'a self, name: &'a str) -> Pending<'a, u64> {
        Box::pin(async move {
            let name = format!("count/{name}");
            for _ in 0..TRIES {
                let kept = self.range(self.key(&name), GetOptions::new(), 0).await?;
                let (count, is_same) = match kept.first() {
                    None => (0, self.is_absent(&name)),
                    Some(kept) => {
                        let text = std::str::from_utf8(kept.value()).ok();
                        let count: u64 = text.and_then(|it| it.parse().ok()).ok_or_else(|| unreadable(&name))?;
                        (count, self.is_value(&name, count.to_string()))
                    }
                };
                let next = self.put(&name, count.saturating_add(1).to_string());
                if self.act(0, vec![is_same], vec![next]).await? {
                    return Ok(count);
                }
            }
            Err(LogError::Retry(format!("others count {name} up all the time")))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// The cluster that `tests/instances/run.sh` makes, without a prefix.
    const CLUSTER: &str = "FUNDSIM_TEST_ETCD";

    async fn log_under(prefix: &str) -> Etcd {
        let cluster = std::env::var(CLUSTER).expect("tests/instances/run.sh names it");
        Etcd::open(&format!("{cluster}/{prefix}-{}", std::process::id()), &Trust::default()).await.expect("a log")
    }

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
    }

    #[tokio::test]
    #[ignore = "needs a cluster: tests/instances/run.sh makes one"]
    async fn a_log_in_etcd_does_what_every_log_does() {
        crate::conformance::holds(&log_under("conformance").await).await;
        let (log, again) = (log_under("conformance").await, log_under("conformance").await);
        assert_eq!(again.head().await, log.head().await, "another session finds the same");
    }

    #[tokio::test]
    #[ignore = "needs a cluster: tests/instances/run.sh makes one"]
    async fn the_journal_of_a_leader_in_etcd_does_what_every_journal_does() {
        crate::conformance::journal_holds(std::sync::Arc::new(log_under("journal").await)).await;
    }

    #[test]
    #[ignore = "needs a cluster: tests/instances/run.sh makes one"]
    fn an_append_that_compares_nothing_is_found() {
        let found = Planted::during(Some(Planted::TakesAll), || {
            let holds = || runtime().block_on(async { crate::conformance::holds(&log_under("planted").await).await });
            catch_unwind(AssertUnwindSafe(holds))
        });
        let words = found.expect_err("a log that takes every batch is held to be one");
        let words = words.downcast_ref::<String>().cloned().unwrap_or_default();
        assert!(words.contains("nobody leads"), "{words}");
    }

    #[tokio::test]
    #[ignore = "needs a cluster: tests/instances/run.sh makes one"]
    async fn batches_of_every_length_are_read_as_they_were_appended_and_parts_of_a_lost_term_go() {
        let log = log_under("lengths").await;
        let leader = |number| Leader { instance: Uuid::from_u128(number), url: "http://instance".to_owned() };
        let mut head = log.head().await.expect("a head");
        assert_eq!(log.claim(&head, &leader(1)).await, Ok(true));
        head = log.head().await.expect("a head");
        let term = Term { epoch: head.epoch, instance: leader(1).instance };
        let mut place = head.place;
        let next = |place: Place| Place { position: place.position + 1, chain: [place.chain[0].wrapping_add(1); 16] };
        let lengths = [0, 1, INLINE, INLINE + 1, PART, PART + 1, 3 * PART, crate::appender::LARGEST + 1_000];
        let batches: Vec<Vec<u8>> = lengths.iter().map(|length| (0..=250).cycle().take(*length).collect()).collect();
        for batch in &batches {
            assert_eq!(
                log.append(term, place, next(place), batch, head.shows).await,
                Ok(true),
                "{} bytes",
                batch.len()
            );
            place = next(place);
        }
        let mut read: Vec<Batch> = Vec::new();
        while read.len() < batches.len() {
            let more = log.after(read.last().map_or(0, |(last, _)| *last)).await.expect("batches");
            assert!(!more.is_empty());
            read.extend(more);
        }
        assert!(read.iter().map(|(_, batch)| batch).eq(batches.iter()), "what was appended is read");

        let parts = async || {
            let options = GetOptions::new().with_range(log.end("part")).with_keys_only();
            log.range(log.key("part/"), options, 0).await.expect("keys").len()
        };
        let named = parts().await;
        // The leader puts a part of a batch, and dies.
        let left = vec![TxnOp::put(log.numbered("part", place.position + 1) + "/000000", vec![1; 9], None)];
        assert_eq!(log.act(0, log.is_led_to(term, place), left).await, Ok(true));
        assert_eq!(parts().await, named + 1);
        let seen = log.head().await.expect("a head");
        assert_eq!(log.claim(&seen, &leader(2)).await, Ok(true));
        assert_eq!(parts().await, named, "parts that no batch names are gone");
        let large = vec![7; 2 * PART];
        assert_eq!(log.append(term, place, next(place), &large, head.shows).await, Ok(false), "the term is over");
        assert_eq!(parts().await, named, "and none of its parts is put");
    }

    #[tokio::test]
    async fn what_cannot_be_reached_is_refused_in_words() {
        for (url, words) in [
            ("etcd://127.0.0.1:1", "127.0.0.1:1: "),
            ("etcds://127.0.0.1:1", "127.0.0.1:1: "),
            ("etcd://127.0.0.1:perhaps", "no port"),
        ] {
            let refused = Etcd::open(url, &Trust::default()).await.map(drop);
            assert!(refused.as_ref().is_err_and(|why| why.contains(words)), "{url}: {refused:?}");
        }
    }

    #[test]
    fn a_head_is_read_as_it_was_written() {
        let place = Place { position: u64::MAX, chain: [0xa5; 16] };
        assert_eq!(place_of(&of_place(place)), Some(place));
        for instance in [None, Some(Uuid::from_u128(7))] {
            assert_eq!(term_of(&of_term(9, instance)), Some((9, instance)));
        }
        for text in ["", "1", "1 ", "1 zz", "x 00000000000000000000000000000000", "1 0000000000000000000000000000000é"]
        {
            assert_eq!(place_of(text), None, "{text}");
        }
    }
}
