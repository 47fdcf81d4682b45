//! The life of an instance: it follows the log, takes a term when nobody leads, leads, and begins anew when it has lost that.
//!
//! Invariant: a leader begins with worlds that all entries of the log were done again in, and no others; a world that an instance had when it lost
//! its term is never answered of again. Absent on purpose: how worlds are made, which is the host's.

use std::collections::BTreeSet;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};
use uuid::Uuid;

use crate::appender::Appender;
use crate::front::Instance;
use crate::lead::{Ended, Leading, went_back};
use crate::lease::{Lease, SILENCE, Wall};
use crate::log::{Head, Leader, SharedLog, Term};
use feed::input_log::LogError;
use feed::signal::Signal;
use feed::transport::TransportTime;
use hosting::journal::{Entry, Journal as _, What, Writer};
use hosting::log::SERVER;
use hosting::secrets::drawn;
use hosting::worlds::Worlds;
use hosting::worlds::recovery::Recovery;
use rare::Point;
use store::Place;
use surface::Surface;

/// How often a follower looks for entries.
pub(crate) const LOOK: Duration = Duration::from_millis(150);
/// After a log that was not reached.
const PAUSE: Duration = Duration::from_millis(500);
/// Entries that are done again without letting others work.
const AT_ONCE: usize = 64;
/// Nobody led for longer than this: no instance ran.
const DOWN: Duration = Duration::from_secs(30);
/// How long requests that are being answered have when a leader stops, and then the log for what they have led to.
const QUIET: Duration = Duration::from_secs(1);
const LAST: Duration = Duration::from_secs(2);
/// How often a leader looks whether it may still believe in its term.
const LOOK_AT_LEASE: Duration = Duration::from_millis(250);
/// The longest pause of an instance that begins anew again and again for the same reason.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
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
    /// The wall clock.
    pub wall: Wall,
    /// Raised when it takes no more part: it leads no longer, and requests that still come are forwarded.
    pub handed_over: Signal,
}

/// How a part of a life has ended.
enum Next {
    /// The instance was to end.
    Stopped,
    /// It begins anew, after a while.
    Anew(Duration),
    /// The same, and the log is not what it was, for this reason.
    Other(String),
}

/// A follower's knowledge of the log.
struct Following<'w> {
    recovery: Recovery<'w>,
    place: Place,
    /// The last sign of life of the leader: its term, its count, the end of the log; and when it was seen.
    sign: Option<(u64, u64, Place)>,
    since: Instant,
    /// Whether it has seen the sign before that, so that `since` is about when the last one was given.
    has_seen_it_come: bool,
    /// The last term that it knows of.
    epoch: u64,
    /// What it knew in an earlier part of its life, as long as it has not come there again.
    known: Option<Place>,
}

/// Why a follower does not go on.
enum Broken {
    /// It can be tried again.
    Log(LogError),
    /// The log is another one than it was.
    Other(String),
}

impl From<LogError> for Broken {
    fn from(fault: LogError) -> Self {
        Self::Log(fault)
    }
}

impl Life {
    /// Lives until it is to end, and then points to the leader for as long as it is awaited.
    ///
    /// # Errors
    /// When there is no first world to make.
    pub async fn live(self) -> Result<(), String> {
        // The end of the log, as this instance knew it when it led last.
        let known = Arc::new(Mutex::new(Place::default()));
        let (mut last, mut pause) = (String::new(), PAUSE);
        loop {
            match self.part(&known).await? {
                Next::Stopped => break,
                Next::Anew(wait) => self.pause(wait).await,
                Next::Other(why) => {
                    // A leader of the log that was may believe in its term for a while.
                    pause = if why == last { (pause * 2).min(LONGEST_PAUSE) } else { SILENCE };
                    if why != last {
                        tracing::error!(target: SERVER, "{why}; the worlds are made again from the log as it is now");
                    }
                    last = why;
                    self.pause(pause).await;
                }
            }
        }
        self.handed_over.raise();
        loop {
            match self.log.head().await {
                Ok(Head { leader: Some(leader), epoch, .. }) if leader.url != self.url => {
                    self.instance.follows(epoch, &leader.url);
                }
                Ok(_) | Err(_) => self.instance.waits(),
            }
            sleep(LOOK).await;
        }
    }

    async fn part(&self, known: &Arc<Mutex<Place>>) -> Result<Next, String> {
        let Some(life) = self.count().await else { return Ok(Next::Stopped) };
        let worlds = self.host.worlds(life);
        *self.worlds.lock().unwrap_or_else(PoisonError::into_inner) = Some(worlds.clone());
        let leader = Leader { instance: id()?, url: self.url.clone() };
        let mut following = Following {
            recovery: worlds.recover(BTreeSet::new()),
            place: Place::default(),
            sign: None,
            since: Instant::now(),
            has_seen_it_come: false,
            epoch: 0,
            known: Some(*known.lock().unwrap_or_else(PoisonError::into_inner)),
        };
        let mut unreached = None;
        let (head, sent) = loop {
            if self.stop.is_raised() {
                return Ok(Next::Stopped);
            }
            match self.follow(&worlds, &mut following, &leader).await {
                Ok(Some(claimed)) => break claimed,
                Ok(None) => unreached = None,
                Err(Broken::Log(fault)) => {
                    let began = *unreached.get_or_insert_with(|| {
                        tracing::warn!(target: SERVER, "the log is not reached: {fault}");
                        Instant::now()
                    });
                    // Without the log nobody knows for long who leads.
                    if began.elapsed() > SILENCE {
                        self.instance.waits();
                    }
                    following.sign = None;
                    self.pause(PAUSE).await;
                }
                Err(Broken::Other(why)) => {
                    self.instance.waits();
                    worlds.abandon();
                    return Ok(Next::Other(why));
                }
            }
        };
        let next = self.lead(&worlds, following, (&head, sent), known).await?;
        if let Next::Other(_) = next {
            *known.lock().unwrap_or_else(PoisonError::into_inner) = Place::default();
        }
        Ok(next)
    }

    async fn count(&self) -> Option<u32> {
        let mut is_well = true;
        while !self.stop.is_raised() {
            match self.log.count(LIVES).await {
                Ok(life) => return Some(u32::try_from(life).unwrap_or(u32::MAX)),
                Err(fault) => {
                    if std::mem::replace(&mut is_well, false) {
                        tracing::warn!(target: SERVER, "the log is not reached: {fault}");
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
    async fn follow(
        &self,
        worlds: &Worlds,
        following: &mut Following<'_>,
        me: &Leader,
    ) -> Result<Option<(Head, Instant)>, Broken> {
        let head = self.log.head().await?;
        following.sees(&head)?;
        match &head.leader {
            Some(leader) if leader.instance != me.instance => self.instance.follows(head.epoch, &leader.url),
            Some(_) | None => self.instance.waits(),
        }
        if head.place != following.place {
            following.catch_up(&*self.log).await?;
            return Ok(None);
        }
        // A term that was begun without an answer.
        if head.leader.as_ref().is_some_and(|leader| leader.instance == me.instance) {
            let sent = Instant::now();
            let term = Term { epoch: head.epoch, instance: me.instance };
            let leads = self.log.beat(term, head.place, head.shows).await?;
            return Ok(leads.then_some((head, sent)));
        }
        if head.leader.is_some() && !following.is_silent() {
            self.pause(LOOK).await;
            return Ok(None);
        }
        if worlds.oldest_well().is_none() && !worlds.unreadable().is_empty() {
            tracing::error!(target: SERVER, "this instance can make none of the worlds of the log, so it does not lead");
            self.pause(LONGEST_PAUSE).await;
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
        (head, sent): (&Head, Instant),
        known: &Arc<Mutex<Place>>,
    ) -> Result<Next, String> {
        self.instance.waits();
        let lease = Arc::new(Lease::new(self.wall));
        lease.renew(sent);
        let appender = Appender::default();
        let Some(me) = &head.leader else { return Ok(Next::Anew(PAUSE)) };
        let leading = Leading {
            log: Arc::clone(&self.log),
            term: Term { epoch: head.epoch, instance: me.instance },
            place: following.place,
            known: Arc::clone(known),
            lease: Arc::clone(&lease),
            appender: appender.clone(),
            clock: worlds.clock().clone(),
        };
        let mut leading = tokio::spawn(leading.lead());
        let begun = tokio::select! {
            biased;
            ended = &mut leading => return Ok(self.lost(worlds, None, ended.ok())),
            begun = self.begin(worlds, following, &appender, head.shows) => begun,
            () = self.stop.raised() => Err("the server is closing".to_owned()),
        };
        let surface = match begun {
            Ok(surface) => surface,
            Err(why) => {
                appender.abandon(&why);
                return match timeout(LAST, leading).await {
                    // What was refused was refused since the term was lost.
                    Ok(Ok(ended @ (Ended::Lost(_) | Ended::Diverged(_)))) => Ok(self.lost(worlds, None, Some(ended))),
                    _ => {
                        worlds.abandon();
                        if self.stop.is_raised() { Ok(Next::Stopped) } else { Err(why) }
                    }
                };
            }
        };
        tracing::info!(target: SERVER, epoch = head.epoch, "this instance leads");
        surface.start();
        self.instance.leads(&surface, &lease);
        tokio::select! {
            biased;
            ended = &mut leading => return Ok(self.lost(worlds, Some(&surface), ended.ok())),
            () = self.stop.raised() => {}
            () = unanswered(&lease) => {
                leading.abort();
                appender.abandon("this instance has not reached the log for too long");
                let why = Ended::Lost("it has not reached the log for too long".to_owned());
                return Ok(self.lost(worlds, Some(&surface), Some(why)));
            }
        }
        // New requests wait for the next leader; those that are being answered have a while.
        self.instance.waits();
        self.instance.is_quiet(QUIET).await;
        worlds.seal();
        surface.stop();
        let last = async {
            worlds.stopped().await;
            // From here on the next leader delivers.
            worlds.end_deliveries();
            appender.close("the server is closing");
            drop((&mut leading).await);
        };
        if timeout(LAST, last).await.is_err() {
            tracing::warn!(target: SERVER, "the log does not answer, so the term ends by silence");
            worlds.end_deliveries();
            leading.abort();
        }
        Ok(Next::Stopped)
    }

    /// Ends what was done again, so that the worlds take inputs.
    async fn begin(
        &self,
        worlds: &Worlds,
        following: Following<'_>,
        appender: &Appender,
        shown: TransportTime,
    ) -> Result<Surface, String> {
        let clock = worlds.clock().clone();
        let Following { mut recovery, since, has_seen_it_come, .. } = following;
        if has_seen_it_come {
            // The clock of the leader goes on, whatever that of this machine says.
            clock.show(shown.plus(since.elapsed()));
        }
        clock.not_before(shown);
        let writer = Writer::new(Arc::new(appender.clone()), clock.clone());
        let stood = self.clocks_stand && clock.now().since(shown) > DOWN;
        if stood && shown > recovery.last() {
            // Clocks went on after the last entry, for as long as there was a leader.
            let stopped = Entry { at: shown, what: What::Stopped }.write();
            appender.append(stopped.clone()).await.map_err(|error| error.to_string())?;
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
        if let Some(surface) = surface {
            surface.stop();
        }
        self.instance.forgets();
        worlds.abandon();
        match ended {
            _ if self.stop.is_raised() => Next::Stopped,
            Some(Ended::Diverged(why)) => Next::Other(why),
            Some(ended) => {
                tracing::warn!(target: SERVER, "this instance no longer leads: {}", ended.words());
                Next::Anew(PAUSE)
            }
            None => {
                tracing::error!(target: SERVER, "this instance no longer leads: its term has failed");
                Next::Anew(SILENCE)
            }
        }
    }
}

/// Waits until a leader cannot have been one for as long as others wait.
async fn unanswered(lease: &Lease) {
    let mut since = Instant::now();
    loop {
        sleep(LOOK_AT_LEASE).await;
        if lease.holds() {
            since = Instant::now();
        }
        if since.elapsed() > SILENCE {
            return;
        }
    }
}

impl Following<'_> {
    /// Notes what the head of the log is.
    fn sees(&mut self, head: &Head) -> Result<(), Broken> {
        if let Some(why) = went_back(self.place, head) {
            return Err(Broken::Other(why));
        }
        if head.epoch < self.epoch {
            let known = self.epoch;
            let why = format!(
                "the log is in term {}, and term {known} is known: its server has lost what it had",
                head.epoch
            );
            return Err(Broken::Other(why));
        }
        self.epoch = head.epoch;
        if let Some(why) = self.known.and_then(|known| went_back(known, head)) {
            self.is_another(&why);
        }
        let sign = Some((head.epoch, head.beats, head.place));
        if self.sign != sign {
            self.has_seen_it_come = self.sign.is_some();
            (self.sign, self.since) = (sign, Instant::now());
        }
        Ok(())
    }

    /// Does the next entries again that the log has.
    async fn catch_up(&mut self, log: &dyn SharedLog) -> Result<(), Broken> {
        let batches = log.after(self.place.position).await?;
        let does_not_follow = |place: Place, why: &str| {
            Broken::Other(format!("what comes after entry {} does not follow it: {why}", place.position))
        };
        if batches.is_empty() {
            return Err(does_not_follow(self.place, "the log ends later, and has nothing there"));
        }
        let is_short = batches.len() > 1 && rare::happens(Point::BatchByItself);
        for (last, bytes) in batches.into_iter().take(if is_short { 1 } else { usize::MAX }) {
            let (place, body) =
                store::unpack(self.place, last, &bytes).map_err(|why| does_not_follow(self.place, &why))?;
            for (done, record) in body.records().enumerate() {
                self.recovery.redo(record).map_err(|error| Broken::Other(error.to_string()))?;
                if done % AT_ONCE == 0 {
                    tokio::task::yield_now().await;
                }
            }
            self.place = place;
            match self.known {
                Some(known) if known.position > place.position => {}
                Some(known) if known.position > 0 && known != place => {
                    let position = known.position;
                    self.is_another(&format!("entry {position} of the log is another one than it was: its server has lost what it had acknowledged"));
                }
                Some(_) | None => self.known = None,
            }
        }
        Ok(())
    }

    /// The log is not the one that this instance has led.
    fn is_another(&mut self, why: &str) {
        self.known = None;
        tracing::error!(target: SERVER, "{why}; the worlds are made again from the log as it is now");
    }

    /// Whether the leader has given no sign of life for so long that another one leads.
    fn is_silent(&self) -> bool {
        self.since.elapsed() > SILENCE
    }
}

/// An id that no other instance has.
pub(crate) fn id() -> Result<Uuid, String> {
    let drawn = drawn().map_err(|error| format!("no randomness for an instance: {error}"))?;
    Uuid::from_slice(&drawn[..16]).map_err(|error| error.to_string())
}
