//! Reading the log: batch by batch, each of them checked, one in memory at a time.
//!
//! Invariant: a record is given only after the batch that has it was found as it was written, and to follow the one before it.
//! Absent on purpose: waiting for what is still to come.

use std::sync::Arc;

use rare::Point;

use crate::engine::Engine;
use crate::envelope::{self, Body, Place};
use crate::refusal::{Damaged, Position, ReadError};

/// The batches after a place, in order.
#[derive(Debug)]
pub(crate) struct Batches {
    engine: Arc<Engine>,
    place: Place,
    /// No batch is read that begins after this record.
    end: u64,
}

/// A batch as it was read.
#[derive(Debug)]
pub(crate) struct ReadBatch {
    /// The position of the record before the first.
    pub(crate) before: u64,
    /// Its records.
    pub(crate) body: Body,
    /// Bytes that it has in the file.
    pub(crate) stored: u64,
}

impl Batches {
    /// All batches from the beginning.
    pub(crate) fn all(engine: &Arc<Engine>) -> Self {
        Self { engine: Arc::clone(engine), place: Place::default(), end: u64::MAX }
    }

    /// The batches with the records after `after`, up to `end`; the first of them may begin earlier.
    ///
    /// # Errors
    /// When the batch before cannot be read.
    pub(crate) fn after(engine: &Arc<Engine>, after: u64, end: u64) -> Result<Self, ReadError> {
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
        Ok(Self { engine: Arc::clone(engine), place, end })
    }

    /// Where the last batch led.
    pub(crate) const fn place(&self) -> Place {
        self.place
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
        let (place, body) = envelope::unpack(before, last, &bytes)
            .map_err(|what| damaged(&self.engine, Damaged { after: Position(before.position), what }))?;
        self.place = place;
        Ok(Some(ReadBatch { before: before.position, body, stored: bytes.len() as u64 }))
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

/// Reads a whole log, and has `look` see each record that can be read.
pub(crate) fn survey(engine: &Arc<Engine>, mut look: impl FnMut(&[u8])) -> Survey {
    let (mut batches, mut survey) = (Batches::all(engine), Survey::default());
    loop {
        match batches.next() {
            Ok(Some(batch)) => {
                survey.batches += 1;
                survey.bytes += batch.stored;
                let mut at = 0;
                while let Some((record, next)) = batch.body.record_at(at) {
                    look(record);
                    at = next;
                }
            }
            Ok(None) => break,
            Err(ReadError::Damaged(damaged)) => {
                survey.damaged = Some(damaged);
                break;
            }
            Err(ReadError::Unreadable(what)) => {
                survey.damaged = Some(Damaged { after: Position(batches.place().position), what });
                break;
            }
        }
    }
    survey.place = batches.place();
    let end = Position(survey.place.position);
    let of_engine = engine.damage().map(|what| Damaged { after: end, what: what.to_owned() });
    survey.damaged = survey.damaged.or(of_engine);
    survey
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
    pub(crate) fn after(engine: &Arc<Engine>, after: Position, head: Position) -> Self {
        let batches = Batches::after(engine, after.0, head.0).map_err(Some);
        Self { batches, after: after.0, current: None }
    }

    /// Finds its place again, as a reader does that is opened there.
    fn begin_again(&mut self) {
        if let (Ok(Batches { engine, end, .. }), Some((_, position, _))) = (&self.batches, &self.current) {
            *self = Self::after(&Arc::clone(engine), Position(*position), Position(*end));
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
