//! What an operator does with a shared log while no instance uses it: read all of it, write it out, take records in, append to it.
//!
//! Invariant: nothing is appended while an instance leads, or where the log is not the one that was read. Absent on purpose: what a record means;
//! compaction, since other readers count positions.

use std::fmt;

use tokio::time::{Instant, sleep};

use crate::appender::{BATCH, LARGEST};
use crate::lease::SILENCE;
use crate::life::{LOOK, id};
use crate::log::{Head, Leader, SharedLog, Term};
use feed::input_log::LogError;
use feed::transport::TransportTime;
use store::{Body, Damaged, Place, Position};

/// Why something cannot be done with a log.
#[derive(Debug, PartialEq, Eq)]
pub enum ToolError {
    /// The log is not reached, or refuses.
    Log(LogError),
    /// An instance leads: where it is reached.
    IsLed(String),
    /// An instance has led since the log was read.
    Changed,
    /// The log has records already: how many.
    NotEmpty(u64),
    /// A record is larger than a log of several instances takes: its number, and its bytes.
    TooLarge(u64, usize),
    /// The batches cannot be made, in words.
    Batch(String),
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Log(fault) => fault.fmt(f),
            Self::IsLed(url) => write!(f, "an instance uses it, at {url}: end all instances first"),
            Self::Changed => {
                f.write_str("an instance has used it meanwhile, so nothing was written: end all instances first")
            }
            Self::NotEmpty(records) => write!(f, "it has {records} records already"),
            Self::TooLarge(number, bytes) => {
                write!(f, "record {number} has {bytes} bytes, and a log of several instances takes {LARGEST} at most")
            }
            Self::Batch(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for ToolError {}

impl From<LogError> for ToolError {
    fn from(fault: LogError) -> Self {
        Self::Log(fault)
    }
}

impl From<ToolError> for String {
    fn from(error: ToolError) -> Self {
        error.to_string()
    }
}

/// What reading a whole log has found.
#[derive(Debug, PartialEq, Eq)]
pub struct Read {
    /// The head, when reading began.
    pub head: Head,
    /// The end of what could be read.
    pub place: Place,
    /// Batches that could be read.
    pub batches: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Why nothing behind that could be read, though there should be something.
    pub damaged: Option<Damaged>,
}

/// Reads the log up to where it ends now, checks each batch, and has `look` see each record with its position. Reading ends where `look` fails.
///
/// # Errors
/// When the log is not reached, and as `look`.
pub async fn read<E: From<ToolError>>(
    log: &dyn SharedLog,
    mut look: impl FnMut(u64, &[u8]) -> Result<(), E>,
) -> Result<Read, E> {
    let head = log.head().await.map_err(ToolError::from)?;
    let mut read = Read { place: Place::default(), batches: 0, bytes: 0, damaged: None, head };
    while read.place.position < read.head.place.position {
        let batches = log.after(read.place.position).await.map_err(ToolError::from)?;
        if batches.is_empty() {
            read.ends_here(format!("the log ends at record {}, and has nothing there", read.head.place.position));
            return Ok(read);
        }
        for (last, batch) in batches {
            let (place, body) = match store::unpack(read.place, last, &batch) {
                Ok(unpacked) => unpacked,
                Err(why) => {
                    read.ends_here(why);
                    return Ok(read);
                }
            };
            for (at, record) in (read.place.position + 1..).zip(body.records()) {
                look(at, record)?;
            }
            (read.place, read.batches) = (place, read.batches + 1);
            read.bytes += u64::try_from(batch.len()).unwrap_or(u64::MAX);
        }
    }
    // What was appended since the head was read belongs to the log as well.
    if read.place.position == read.head.place.position && read.place != read.head.place {
        read.ends_here("the head of the log is of another log than its batches".to_owned());
    }
    Ok(read)
}

impl Read {
    fn ends_here(&mut self, what: String) {
        self.damaged = Some(Damaged { after: Position(self.place.position), what });
    }
}

/// Makes sure that no instance leads: one that does gives signs of life.
///
/// # Errors
/// When one does, and when the log is not reached.
pub async fn is_free(log: &dyn SharedLog) -> Result<(), ToolError> {
    let (seen, since) = (log.head().await?, Instant::now());
    let Some(leader) = &seen.leader else { return Ok(()) };
    while since.elapsed() <= SILENCE {
        sleep(LOOK).await;
        if log.head().await? != seen {
            return Err(ToolError::IsLed(leader.url.clone()));
        }
    }
    Ok(())
}

/// Appends `records` to a log that ends as `head` says, in a term of their own; how many there were.
///
/// # Errors
/// When the log has changed since, when a record cannot be read or is too large, and when the log is not reached. Some of the records may be there then.
pub async fn append<E: From<ToolError>>(
    log: &dyn SharedLog,
    head: &Head,
    records: impl IntoIterator<Item = Result<Vec<u8>, E>>,
) -> Result<u64, E> {
    let leader = Leader { instance: id().map_err(ToolError::Batch)?, url: String::new() };
    if !log.claim(head, &leader).await.map_err(ToolError::from)? {
        return Err(ToolError::Changed.into());
    }
    let term = Term { epoch: head.epoch + 1, instance: leader.instance };
    let mut filling = Filling { log, term, place: head.place, shows: head.shows, body: Body::default(), bytes: 0 };
    let mut count = 0;
    for record in records {
        let record = record?;
        count += 1;
        if record.len() > LARGEST {
            return Err(ToolError::TooLarge(count, record.len()).into());
        }
        filling.add(&record).await?;
    }
    filling.write().await?;
    log.release(term, head.shows).await.map_err(ToolError::from)?;
    Ok(count)
}

/// What waits to be appended.
struct Filling<'log> {
    log: &'log dyn SharedLog,
    term: Term,
    place: Place,
    shows: TransportTime,
    body: Body,
    bytes: usize,
}

impl Filling<'_> {
    async fn add(&mut self, record: &[u8]) -> Result<(), ToolError> {
        if self.bytes + record.len() > BATCH {
            self.write().await?;
        }
        self.bytes += record.len();
        self.body.push(record).map_err(|error| ToolError::Batch(error.to_string()))
    }

    async fn write(&mut self) -> Result<(), ToolError> {
        let body = std::mem::take(&mut self.body);
        self.bytes = 0;
        if body.count() == 0 {
            return Ok(());
        }
        let (place, batch) = body.pack(self.place).map_err(|error| ToolError::Batch(error.to_string()))?;
        if !self.log.append(self.term, self.place, place, &batch, self.shows).await? {
            return Err(ToolError::Changed);
        }
        self.place = place;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::MemoryLog;

    async fn appended(log: &MemoryLog, records: &[&[u8]]) -> Result<u64, ToolError> {
        let head = log.head().await?;
        append(log, &head, records.iter().map(|record| Ok(record.to_vec()))).await
    }

    async fn records(log: &MemoryLog) -> (Vec<(u64, Vec<u8>)>, Read) {
        let mut found = Vec::new();
        let look = |at, record: &[u8]| {
            found.push((at, record.to_vec()));
            Ok::<_, ToolError>(())
        };
        let read = read(log, look).await.expect("a log");
        (found, read)
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_appended_is_read_with_its_positions_and_the_log_is_free_again() {
        let log = MemoryLog::default();
        let large = vec![7; BATCH];
        assert_eq!(appended(&log, &[b"one", &large, b"two"]).await, Ok(3));
        assert_eq!(appended(&log, &[]).await, Ok(0));
        assert_eq!(appended(&log, &[b"three"]).await, Ok(1));
        let (found, read) = records(&log).await;
        assert_eq!(found.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [1, 2, 3, 4]);
        assert_eq!((&*found[0].1, &*found[3].1), (&b"one"[..], &b"three"[..]));
        assert_eq!((read.batches, read.place, read.damaged), (4, read.head.place, None), "a large record is alone");
        assert_eq!(is_free(&log).await, Ok(()));
        let refused = appended(&log, &[b"four", &vec![0; LARGEST + 1]]).await;
        assert_eq!(refused, Err(ToolError::TooLarge(2, LARGEST + 1)));
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_is_appended_beside_an_instance_or_to_another_log_than_was_read() {
        let log = MemoryLog::default();
        let head = log.head().await.expect("a head");
        let leader = Leader { instance: id().expect("an id"), url: "http://instance".to_owned() };
        assert_eq!(log.claim(&head, &leader).await, Ok(true));
        let term = Term { epoch: head.epoch + 1, instance: leader.instance };
        let living = log.clone();
        let lives = tokio::spawn(async move {
            while living.beat(term, Place::default(), TransportTime(1)).await == Ok(true) {
                sleep(LOOK * 4).await;
            }
        });
        assert_eq!(is_free(&log).await, Err(ToolError::IsLed("http://instance".to_owned())));
        lives.abort();
        assert_eq!(is_free(&log).await, Ok(()), "a leader that gives no sign of life is none");
        let late = append(&log, &head, [Ok(b"one".to_vec())]).await;
        assert_eq!(late, Err(ToolError::Changed), "an instance has led since the head was read");
        assert_eq!(records(&log).await.0, []);
    }

    #[tokio::test(start_paused = true)]
    async fn a_lost_batch_and_a_head_of_another_log_are_damage() {
        let log = MemoryLog::default();
        assert_eq!(appended(&log, &[b"one"]).await, Ok(1));
        let before = log.head().await.expect("a head").place;
        assert_eq!(appended(&log, &[b"two"]).await, Ok(1));
        let damage = async |log: &MemoryLog| records(log).await.1.damaged.expect("damage");
        log.forget(2);
        let Damaged { after, what } = damage(&log).await;
        assert_eq!((after.0, &*what), (1, "the log ends at record 2, and has nothing there"));
        log.forget(1);
        assert_eq!(damage(&log).await.after.0, 0);
        let other = MemoryLog::default();
        assert_eq!(appended(&other, &[b"other"]).await, Ok(1));
        other.ends_at(before);
        assert_eq!(damage(&other).await.what, "the head of the log is of another log than its batches");
    }
}
