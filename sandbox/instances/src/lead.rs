//! Leading: entries become batches of the log, and signs of life are given.
//!
//! Invariant: an outcome that is not known is looked up in the log, never guessed: a batch that the log has is answered as kept, also when the
//! term is over, and one that it has not is written again only where nothing else came in between. Absent on purpose: how a term begins.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until};

use crate::appender::{Appender, Group};
use crate::lease::{BEAT, Lease};
use crate::log::{Head, SharedLog, Term};
#[cfg(test)]
use crate::planted::Planted;
use feed::input_log::LogError;
use feed::transport::TransportClock;
use hosting::log::SERVER;
use rare::Point;
use store::Place;

/// How late a sign of life is where that is rare: shortly before the lease is over.
const LATE: Duration = Duration::from_millis(1_500);
/// Between two tries to learn what the log has.
const RETRY: Duration = Duration::from_millis(100);

/// When the next sign of life is given.
fn next_beat() -> Instant {
    let late = if rare::happens(Point::BeatLate) { LATE } else { Duration::ZERO };
    Instant::now() + BEAT + late
}

/// An instance that leads.
pub(crate) struct Leading {
    pub(crate) log: Arc<dyn SharedLog>,
    pub(crate) term: Term,
    /// The end of the log, as this instance knows it.
    pub(crate) place: Place,
    /// The same, for when it no longer leads.
    pub(crate) known: Arc<Mutex<Place>>,
    pub(crate) lease: Arc<Lease>,
    pub(crate) appender: Appender,
    pub(crate) clock: TransportClock,
}

/// How a term has ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// The instance gave it up; all that was taken is kept.
    Released,
    /// Another instance leads, or the log is not what it was.
    Lost(String),
    /// The log has lost entries that it had.
    Diverged(String),
}

/// What is found out about a batch whose outcome was not known.
enum Found {
    Kept,
    NotKept,
    Ended(Ended, bool),
}

impl Leading {
    /// Leads until the appender is closed, or the term is lost.
    pub(crate) async fn lead(mut self) -> Ended {
        let ended = self.work().await;
        if !matches!(ended, Ended::Released) {
            self.lease.end();
            self.appender.abandon(ended.words());
            return ended;
        }
        // Nobody is answered any more, so the next leader finds all that anybody has seen.
        self.lease.end();
        if let Err(fault) = self.log.release(self.term, self.clock.now()).await {
            tracing::debug!(target: SERVER, "the term was not given up, so it ends by silence: {fault}");
        }
        ended
    }

    async fn work(&mut self) -> Ended {
        let mut due = next_beat();
        loop {
            let group = tokio::select! {
                biased;
                group = self.appender.next() => group,
                () = sleep_until(due) => {
                    if let Err(ended) = self.beat_at(self.place).await {
                        return ended;
                    }
                    due = next_beat();
                    continue;
                }
            };
            let Some(group) = group else { return Ended::Released };
            if let Err(ended) = self.append(group).await {
                return ended;
            }
            due = next_beat();
        }
    }

    /// Gives a sign of life, where the log ends at `place`.
    async fn beat_at(&self, place: Place) -> Result<(), Ended> {
        let (sent, is_mine) = answered(async || {
            let sent = Instant::now();
            Ok((sent, self.log.beat(self.term, place, self.clock.now()).await?))
        })
        .await?;
        if is_mine {
            self.lease.renew(sent);
            return Ok(());
        }
        let head = answered(|| self.log.head()).await?;
        Err(self.over(place, &head))
    }

    async fn append(&mut self, group: Group) -> Result<(), Ended> {
        let (after, batch) = match group.body.pack(self.place) {
            Ok(packed) => packed,
            Err(error) => {
                group.answer(&Err(LogError::Never(error.to_string())));
                return Err(Ended::Lost(format!("a batch cannot be written: {error}")));
            }
        };
        #[cfg(test)]
        let group = match Planted::AnswersFirst.is_here() {
            true => group.answered_at_once(),
            false => group,
        };
        loop {
            let sent = Instant::now();
            let found = match self.log.append(self.term, self.place, after, &batch, self.clock.now()).await {
                Ok(true) => {
                    self.lease.renew(sent);
                    Ok(Found::Kept)
                }
                Ok(false) => self.look_up(after, &batch).await,
                #[cfg(test)]
                Err(LogError::Retry(_)) if Planted::Guesses.is_here() => Ok(Found::Kept),
                Err(LogError::Retry(_)) => {
                    sleep(RETRY).await;
                    self.look_up(after, &batch).await
                }
                Err(LogError::Never(why)) => Err(Ended::Lost(why)),
            };
            match found {
                Ok(Found::Kept) => {
                    self.place = after;
                    *self.known.lock().unwrap_or_else(PoisonError::into_inner) = after;
                    group.answer(&Ok(()));
                    return Ok(());
                }
                Ok(Found::NotKept) => {}
                Ok(Found::Ended(ended, is_kept)) => {
                    let refused = LogError::Never(ended.words().to_owned());
                    group.answer(&if is_kept { Ok(()) } else { Err(refused) });
                    return Err(ended);
                }
                Err(ended) => {
                    group.answer(&Err(LogError::Never(ended.words().to_owned())));
                    return Err(ended);
                }
            }
        }
    }

    /// Whether the log has the batch that leads to `after`.
    async fn look_up(&self, after: Place, batch: &[u8]) -> Result<Found, Ended> {
        let head = answered(|| self.log.head()).await?;
        if self.is_led(&head) && head.place == after {
            // The log may show what its standby does not have yet; an accepted sign of life comes after it there, too.
            self.beat_at(after).await?;
            return Ok(Found::Kept);
        }
        if self.is_led(&head) && head.place == self.place {
            return Ok(Found::NotKept);
        }
        let batches = answered(|| self.log.after(self.place.position)).await?;
        let is_kept = batches.first().is_some_and(|(last, kept)| *last == after.position && kept == batch);
        let place = if is_kept { after } else { self.place };
        Ok(Found::Ended(self.over(place, &head), is_kept))
    }

    /// Why the term is over, by a head that is not that of a log which this instance leads and which ended at `place`.
    fn over(&self, place: Place, head: &Head) -> Ended {
        if let Some(why) = went_back(place, head) {
            return Ended::Diverged(why);
        }
        match &head.leader {
            Some(leader) if !self.is_led(head) => Ended::Lost(format!("the instance at {} leads", leader.url)),
            _ => Ended::Lost("another instance leads".to_owned()),
        }
    }

    /// Whether the head is of this instance's term.
    fn is_led(&self, head: &Head) -> bool {
        let leader = head.leader.as_ref().map(|leader| leader.instance);
        head.epoch == self.term.epoch && leader == Some(self.term.instance)
    }
}

/// What the log answers, asked as often as it takes.
pub(crate) async fn answered<T, F>(ask: impl Fn() -> F) -> Result<T, Ended>
where
    F: Future<Output = Result<T, LogError>>,
{
    loop {
        match ask().await {
            Ok(answer) => return Ok(answer),
            Err(LogError::Retry(_)) => sleep(RETRY).await,
            Err(LogError::Never(why)) => return Err(Ended::Lost(why)),
        }
    }
}

/// Why a log with this head cannot be the one that had `place`, if that is so.
pub(crate) fn went_back(place: Place, head: &Head) -> Option<String> {
    let is_other = head.place.position == place.position && head.place != place;
    (is_other || head.place.position < place.position).then(|| {
        format!(
            "the log ends at entry {}, and entry {} is known: its server has lost what it had acknowledged",
            head.place.position, place.position
        )
    })
}

impl Ended {
    pub(crate) fn words(&self) -> &str {
        match self {
            Self::Released => "the instance no longer leads",
            Self::Lost(why) | Self::Diverged(why) => why,
        }
    }
}
