//! The life of an instance: it follows the log, takes a term when nobody leads, leads, and begins anew when it has lost that.
//!
//! Invariant: a leader begins with worlds that all entries of the log were done again in, and no others; a world that an instance had when it lost
//! its term is never answered of again. Absent on purpose: how worlds are made, which is the host's.

use std::collections::BTreeSet;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep};
use uuid::Uuid;

use crate::TARGET;
use crate::appender::Appender;
use crate::front::Instance;
use crate::lead::{Ended, Term, went_back};
use crate::lease::{Lease, SILENCE};
use crate::log::{Fault, Head, Leader, SharedLog};
use feed::signal::Signal;
use feed::transport::TransportTime;
use hosting::journal::{Entry, What, Writer};
use hosting::worlds::Worlds;
use hosting::worlds::recovery::Recovery;
use store::Place;
use surface::Surface;

/// How often a follower looks for entries.
const LOOK: Duration = Duration::from_millis(150);
/// After a log that was not reached.
const PAUSE: Duration = Duration::from_millis(500);
/// Entries that are done again without letting others work.
const AT_ONCE: usize = 64;
/// Nobody led for longer than this: no instance ran.
const DOWN: Duration = Duration::from_secs(30);
/// How long requests that are being answered have when a leader stops.
const QUIET: Duration = Duration::from_secs(1);
/// The number of lives, over all instances.
const LIVES: &str = "starts";

/// What an instance serves.
pub trait Host: Send + Sync + 'static {
    /// No worlds yet, of the `life`th life of an instance.
    fn worlds(&self, life: u32) -> Worlds;

    /// Makes the first world, where the log has none.
    fn first_world<'a>(&'a self, worlds: &'a Worlds) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'a>>;

    /// The surface of worlds that take inputs.
    fn surface(&self, worlds: Worlds) -> Surface;
}

/// An instance that lives.
pub struct Life {
    /// What answers its requests.
    pub instance: Instance,
    /// What it serves.
    pub host: Arc<dyn Host>,
    /// The log.
    pub log: Arc<dyn SharedLog>,
    /// Where other instances reach it.
    pub url: String,
    /// Whether paced clocks stand while no instance runs.
    pub clocks_stand: bool,
    /// The worlds that it has at the moment.
    pub worlds: Arc<Mutex<Option<Worlds>>>,
    /// Raised when it is to end.
    pub stop: Signal,
    /// Raised when it takes no more part: it leads no longer, and requests that still come are forwarded.
    pub handed_over: Signal,
}

/// How a part of a life has ended.
enum Next {
    /// The instance was to end.
    Stopped,
    /// It begins anew.
    Anew,
}

/// A follower's knowledge of the log.
struct Following<'w> {
    recovery: Recovery<'w>,
    place: Place,
    /// The last sign of life of the leader: its term, its count, the end of the log; and when it was seen.
    sign: Option<(u64, u64, Place)>,
    since: Instant,
}

/// Why a follower does not go on.
enum Broken {
    /// It can be tried again.
    Fault(Fault),
    /// The log is another one than it was.
    Other(String),
}

impl From<Fault> for Broken {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl Life {
    /// Lives until it is to end, and then points to whoever leads for as long as it is awaited.
    ///
    /// # Errors
    /// When there is no first world to make.
    pub async fn live(self) -> Result<(), String> {
        let me = Uuid::from_bytes(drawn()?);
        while let Next::Anew = self.part(me).await? {
            // A leader that is lost at once again and again does not make a loop of it.
            sleep(PAUSE).await;
        }
        self.handed_over.raise();
        loop {
            match self.log.head().await {
                Ok(Head { leader: Some(leader), epoch, .. }) if leader.instance != me => {
                    self.instance.follows(epoch, &leader.url);
                }
                Ok(_) | Err(_) => self.instance.waits(),
            }
            sleep(LOOK).await;
        }
    }

    async fn part(&self, me: Uuid) -> Result<Next, String> {
        let Some(life) = self.count().await else { return Ok(Next::Stopped) };
        let worlds = self.host.worlds(life);
        *self.worlds.lock().unwrap_or_else(PoisonError::into_inner) = Some(worlds.clone());
        let leader = Leader { instance: me, url: self.url.clone() };
        let mut following = Following {
            recovery: worlds.recover(BTreeSet::new()),
            place: Place::default(),
            sign: None,
            since: Instant::now(),
        };
        let mut is_well = true;
        let (head, sent) = loop {
            if self.stop.is_raised() {
                return Ok(Next::Stopped);
            }
            match self.follow(&mut following, &leader).await {
                Ok(Some(claimed)) => break claimed,
                Ok(None) => is_well = true,
                Err(Broken::Fault(fault)) => {
                    if std::mem::replace(&mut is_well, false) {
                        tracing::warn!(target: TARGET, "the log is not reached: {fault}");
                    }
                    following.sign = None;
                    self.pause(PAUSE).await;
                }
                Err(Broken::Other(why)) => {
                    tracing::error!(target: TARGET, "{why}; the worlds are made again from the log as it is now");
                    self.instance.waits();
                    worlds.abandon();
                    return Ok(Next::Anew);
                }
            }
        };
        self.lead(&worlds, following, &head, sent).await
    }

    async fn count(&self) -> Option<u32> {
        let mut is_well = true;
        while !self.stop.is_raised() {
            match self.log.count(LIVES).await {
                Ok(life) => return Some(u32::try_from(life).unwrap_or(u32::MAX)),
                Err(fault) => {
                    if std::mem::replace(&mut is_well, false) {
                        tracing::warn!(target: TARGET, "the log is not reached: {fault}");
                    }
                    self.pause(PAUSE).await;
                }
            }
        }
        None
    }

    async fn pause(&self, most: Duration) {
        tokio::select! {
            biased;
            () = self.stop.raised() => {}
            () = sleep(most) => {}
        }
    }

    /// Looks at the log once, and takes the next term where nobody leads; answers the head that shows it, and when it was asked for.
    async fn follow(&self, following: &mut Following<'_>, me: &Leader) -> Result<Option<(Head, Instant)>, Broken> {
        let head = following.catch_up(&*self.log).await?;
        match &head.leader {
            // A term that was begun without an answer.
            Some(leader) if leader.instance == me.instance => {
                self.instance.waits();
                let sent = Instant::now();
                if self.log.beat(head.epoch, head.place, head.shows).await? {
                    return Ok(Some((head, sent)));
                }
                return Ok(None);
            }
            Some(leader) => self.instance.follows(head.epoch, &leader.url),
            None => self.instance.waits(),
        }
        if head.leader.is_some() && !following.is_silent(&head) {
            self.pause(LOOK).await;
            return Ok(None);
        }
        let sent = Instant::now();
        if !self.log.claim(&head, me).await? {
            return Ok(None);
        }
        let head = Head { epoch: head.epoch + 1, leader: Some(me.clone()), ..head };
        Ok(Some((head, sent)))
    }

    async fn lead(
        &self,
        worlds: &Worlds,
        following: Following<'_>,
        head: &Head,
        sent: Instant,
    ) -> Result<Next, String> {
        self.instance.waits();
        let lease = Arc::new(Lease::default());
        lease.renew(sent);
        let appender = Appender::default();
        let clock = worlds.clock().clone();
        let term = Term {
            log: Arc::clone(&self.log),
            epoch: head.epoch,
            place: following.place,
            lease: Arc::clone(&lease),
            appender: appender.clone(),
            clock: clock.clone(),
        };
        let mut leading = tokio::spawn(term.lead());
        let begun = self.begin(worlds, following.recovery, &appender, head.shows);
        let surface = tokio::select! {
            biased;
            ended = &mut leading => return Ok(self.lost(worlds, None, ended.ok())),
            begun = begun => begun?,
        };
        tracing::info!(target: TARGET, epoch = head.epoch, "this instance leads");
        surface.start();
        self.instance.leads(&surface, &lease);
        tokio::select! {
            biased;
            ended = &mut leading => return Ok(self.lost(worlds, Some(&surface), ended.ok())),
            () = self.stop.raised() => {}
        }
        // New requests wait for the next leader; those that are being answered have a while.
        self.instance.waits();
        self.instance.is_quiet(QUIET).await;
        worlds.seal();
        surface.stop();
        worlds.stopped().await;
        appender.close("the server is closing");
        drop(leading.await);
        Ok(Next::Stopped)
    }

    /// Ends what was done again, so that the worlds take inputs.
    async fn begin(
        &self,
        worlds: &Worlds,
        mut recovery: Recovery<'_>,
        appender: &Appender,
        shown: TransportTime,
    ) -> Result<Surface, String> {
        let clock = worlds.clock().clone();
        clock.not_before(shown);
        let writer = Writer::new(Arc::new(appender.clone()), clock.clone());
        let stood = self.clocks_stand && clock.now().since(shown) > DOWN;
        if stood && shown > recovery.last() {
            // Clocks went on after the last entry, for as long as there was a leader.
            let stopped = Entry { at: shown, what: What::Stopped }.write();
            drop(hosting::journal::Journal::append(appender, stopped.clone()).await);
            recovery.redo(&stopped).map_err(|error| error.to_string())?;
        }
        recovery.end(writer, stood).await;
        if worlds.all().is_empty() && worlds.unreadable().is_empty() {
            self.host.first_world(worlds).await?;
        }
        Ok(self.host.surface(worlds.clone()))
    }

    /// The term is lost: nobody is answered of these worlds any more.
    fn lost(&self, worlds: &Worlds, surface: Option<&Surface>, ended: Option<Ended>) -> Next {
        self.instance.waits();
        match ended {
            Some(Ended::Diverged(why)) => {
                tracing::error!(target: TARGET, "{why}; the worlds are made again from the log as it is now");
            }
            Some(ended) => tracing::warn!(target: TARGET, "this instance no longer leads: {}", ended.words()),
            None => tracing::error!(target: TARGET, "this instance no longer leads: its term has failed"),
        }
        if let Some(surface) = surface {
            surface.stop();
        }
        self.instance.forgets();
        worlds.abandon();
        if self.stop.is_raised() { Next::Stopped } else { Next::Anew }
    }
}

impl Following<'_> {
    /// Does all entries again that the log has, up to the end that the answered head shows.
    async fn catch_up(&mut self, log: &dyn SharedLog) -> Result<Head, Broken> {
        loop {
            let head = log.head().await?;
            if let Some(why) = went_back(self.place, &head) {
                return Err(Broken::Other(why));
            }
            if head.place == self.place {
                self.see(&head);
                return Ok(head);
            }
            for (last, bytes) in log.after(self.place.position).await? {
                let (place, body) = store::unpack(self.place, last, &bytes).map_err(|why| {
                    Broken::Other(format!("what comes after entry {} does not follow it: {why}", self.place.position))
                })?;
                for (done, record) in body.records().enumerate() {
                    self.recovery.redo(record).map_err(|error| Broken::Other(error.to_string()))?;
                    if done % AT_ONCE == 0 {
                        tokio::task::yield_now().await;
                    }
                }
                self.place = place;
            }
        }
    }

    fn see(&mut self, head: &Head) {
        let sign = Some((head.epoch, head.beats, head.place));
        if self.sign != sign {
            (self.sign, self.since) = (sign, Instant::now());
        }
    }

    /// Whether the leader has given no sign of life for so long that another one leads.
    fn is_silent(&self, head: &Head) -> bool {
        self.sign == Some((head.epoch, head.beats, head.place)) && self.since.elapsed() > SILENCE
    }
}

/// Bytes from the operating system.
fn drawn() -> Result<[u8; 16], String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| format!("no randomness for an instance: {error}"))?;
    Ok(bytes)
}
