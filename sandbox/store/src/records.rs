//! Reading the log: batch by batch.
//!
//! Invariant: a log is surveyed when it is opened, which follows its chain from the first batch to the last. A later reader checks that the
//! bytes of each batch are as they were written, and that it is in its place. Absent on purpose: waiting for what is still to come.

use std::io;
use std::sync::Arc;

use rare::Point;

use crate::ahead::in_parts;
use crate::engine::Engine;
use crate::envelope::{self, Body, Place, Unplaced};
use crate::refusal::{Damaged, Position, ReadError};

/// The batches after a place, in order.
#[derive(Debug)]
pub(crate) struct Batches {
    engine: Arc<Engine>,
    place: Place,
    /// No batch is read that begins after this record.
    end: u64,
    /// Whether the chain of the log was followed when it was opened.
    is_surveyed: bool,
}

/// A batch as it was read.
#[derive(Debug)]
pub(crate) struct ReadBatch {
    /// The position of the record before the first.
    pub(crate) before: u64,
    /// Its records.
    pub(crate) body: Body,
}

impl Batches {
    /// The batches with the records after `after`, up to `end`; the first of them may begin earlier. The chain is not followed
    /// where the log `is_surveyed`.
    ///
    /// # Errors
    /// When the batch before cannot be read.
    pub(crate) fn after(engine: &Arc<Engine>, after: u64, end: u64, is_surveyed: bool) -> Result<Self, ReadError> {
        let before = if after == 0 { None } else { engine.batch_until(after).map_err(ReadError::Unreadable)? };
        let place = match before.map(|(last, bytes)| (last, envelope::place_of(last, &bytes))) {
            None => Place::default(),
            Some((_, Ok(place))) => place,
            Some((last, Err(what))) => {
                let earlier = engine.batch_until(last.saturating_sub(1)).map_err(ReadError::Unreadable)?;
                let after = Position(earlier.map_or(0, |(last, _)| last));
                return Err(damaged(engine, Damaged { after, what }));
            }
        };
        Ok(Self { engine: Arc::clone(engine), place, end, is_surveyed })
    }

    /// The next batch.
    ///
    /// # Errors
    /// When it is damaged or cannot be read: the store is sealed then.
    pub(crate) fn next(&mut self) -> Result<Option<ReadBatch>, ReadError> {
        let before = self.place;
        if before.position >= self.end {
            return Ok(None);
        }
        let found = self.engine.batch_after(before.position).map_err(ReadError::Unreadable)?;
        let Some((last, bytes)) = found.filter(|(last, _)| *last <= self.end) else {
            return Ok(None);
        };
        let opened = Unplaced::read(last, &bytes);
        let read = opened.and_then(|it| if self.is_surveyed { it.placed_after(before) } else { it.following(before) });
        let (place, body) =
            read.map_err(|what| damaged(&self.engine, Damaged { after: Position(before.position), what }))?;
        self.place = place;
        Ok(Some(ReadBatch { before: before.position, body }))
    }
}

fn damaged(engine: &Engine, damaged: Damaged) -> ReadError {
    engine.seal(damaged.to_string());
    ReadError::Damaged(damaged)
}

/// What reading a whole log found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Survey {
    /// The end of what can be read.
    pub(crate) place: Place,
    pub(crate) batches: u64,
    pub(crate) bytes: u64,
    /// Why there is nothing to read behind that, though there may be something.
    pub(crate) damaged: Option<Damaged>,
}

/// Why there is nothing to read behind a place.
enum Stop {
    Damaged(String),
    Unreadable(String),
}

/// Reads a whole log, and has `look` see each record that can be read. A thread reads and decompresses the batches that come next.
///
/// # Errors
/// When the system gives no thread.
pub(crate) fn survey(engine: &Arc<Engine>, mut look: impl FnMut(&[u8])) -> io::Result<Survey> {
    let mut survey = Survey::default();
    let stop = in_parts(
        unplaced(engine),
        |read| read.as_ref().map_or(0, |(batch, _)| batch.length()),
        |batches| {
            for read in batches {
                let (batch, stored) = read?;
                let (place, body) = batch.following(survey.place).map_err(Stop::Damaged)?;
                survey.place = place;
                survey.batches += 1;
                survey.bytes += stored;
                body.records().for_each(&mut look);
            }
            Ok(())
        },
    )?;
    let after = Position(survey.place.position);
    survey.damaged = match stop {
        Ok(()) => engine.damage().map(|what| Damaged { after, what: what.to_owned() }),
        Err(Stop::Damaged(what)) => {
            let damaged = Damaged { after, what };
            engine.seal(damaged.to_string());
            Some(damaged)
        }
        Err(Stop::Unreadable(what)) => Some(Damaged { after, what }),
    };
    Ok(survey)
}

/// All batches, each with the bytes that it has in the file; nothing after one that cannot be read.
fn unplaced(engine: &Engine) -> impl Iterator<Item = Result<(Unplaced, u64), Stop>> {
    let mut position = Some(0);
    std::iter::from_fn(move || {
        let read = match engine.batch_after(position.take()?) {
            Ok(None) => return None,
            Ok(Some((last, batch))) => {
                let opened = Unplaced::read(last, &batch).map_err(Stop::Damaged);
                position = opened.is_ok().then_some(last);
                opened.map(|opened| (opened, batch.len() as u64))
            }
            Err(what) => Err(Stop::Unreadable(what)),
        };
        Some(read)
    })
}

/// The records after a position, in order, up to the last one that was durable when reading began. After an error there are no more.
#[derive(Debug)]
pub struct Records {
    batches: Result<Batches, Option<ReadError>>,
    after: u64,
    /// The batch that is being read, the position before its next record, and the byte at which that begins.
    current: Option<(ReadBatch, u64, usize)>,
}

impl Records {
    /// Of a log that was not surveyed, whose chain is followed on the way.
    pub(crate) fn all(engine: &Arc<Engine>) -> Self {
        Self::read(engine, Position(0), Position(u64::MAX), false)
    }

    /// Of a log that was surveyed.
    pub(crate) fn surveyed_after(engine: &Arc<Engine>, after: Position, head: Position) -> Self {
        Self::read(engine, after, head, true)
    }

    fn read(engine: &Arc<Engine>, after: Position, head: Position, is_surveyed: bool) -> Self {
        let batches = Batches::after(engine, after.0, head.0, is_surveyed).map_err(Some);
        Self { batches, after: after.0, current: None }
    }

    /// Finds its place again, as a reader does that is opened there.
    fn begin_again(&mut self) {
        if let (Ok(Batches { engine, end, is_surveyed, .. }), Some((_, position, _))) = (&self.batches, &self.current) {
            *self = Self::read(&Arc::clone(engine), Position(*position), Position(*end), *is_surveyed);
        }
    }
}

impl Iterator for Records {
    type Item = Result<(Position, Vec<u8>), ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.current.is_some() && rare::happens(Point::RecordsReadAgain) {
            self.begin_again();
        }
        loop {
            if let Some((batch, position, at)) = &mut self.current {
                while let Some((record, next)) = batch.body.record_at(*at) {
                    (*position, *at) = (*position + 1, next);
                    if *position > self.after {
                        return Some(Ok((Position(*position), record.to_vec())));
                    }
                }
                self.current = None;
            }
            let next = match &mut self.batches {
                Ok(batches) => batches.next(),
                Err(error) => return error.take().map(Err),
            };
            match next {
                Ok(batch) => self.current = batch.map(|batch| (batch.before, batch)).map(|(at, batch)| (batch, at, 0)),
                Err(error) => self.batches = Err(Some(error)),
            }
            if self.current.is_none() && self.batches.is_ok() {
                return None;
            }
        }
    }
}
