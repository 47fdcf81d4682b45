//! What is to be delivered, when, and with which outcome: a state machine without sockets, tasks or clocks.
//!
//! Owns: order, retries, the log of what was sent and its bounds (rule: events/delivery-retries). A delivery's life is
//! the table of `machine`.
//! Invariant: at most one delivery of an ordering key (one journey, or one resource of one webhook) is under way, and it
//! is the oldest that was queued; deliveries due together leave in the order in which they came. A receiver that asks to be
//! left alone is, however much is queued for it. Memory is bounded for each partner: the log forgets the oldest that has ended, and what comes
//! while all that is kept is queued becomes a dead letter at once.
//! Absent on purpose: chance in the waits, so that a run can be repeated.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use sim::ids::PartnerId;
use sim::machines::{Current, Visits};
use uuid::Uuid;

pub use super::delivery::{Attempt, Delivery, Number};
pub use super::machine::Status;
use super::machine::{Effect, Trigger};
use super::notification::{Notification, OrderingKey};
use super::outcome::{AttemptOutcome, DeliveryVerdict, Ended};
use super::positions::{DeliveryCursor, Positions};
use super::webhooks::LISTEN;
use crate::fault::DeliveryFault;
use feed::transport::TransportTime;

/// Waits before the second and later attempts (rule: events/delivery-retries).
pub const WAITS: [Duration; 8] = [
    Duration::from_secs(10),
    Duration::from_secs(30),
    Duration::from_secs(60),
    Duration::from_secs(5 * 60),
    Duration::from_secs(15 * 60),
    Duration::from_secs(60 * 60),
    Duration::from_secs(6 * 60 * 60),
    Duration::from_secs(24 * 60 * 60),
];

/// How one world's queue tries, and how much it keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Waits between the attempts of a round; a round makes one attempt more than there are waits.
    pub waits: Vec<Duration>,
    /// Attempts under way at once.
    pub at_once: usize,
    /// Of these, attempts at one receiver: one that hangs leaves room for the others.
    pub each: usize,
    /// Deliveries of each partner that are kept, whatever their state (rule: auth/quotas).
    pub rows: usize,
    /// Bytes of bodies kept of each partner.
    pub bytes: usize,
    /// Newest attempts kept for each delivery.
    pub attempts: usize,
}

impl Default for Policy {
    fn default() -> Self {
        Self { waits: WAITS.to_vec(), at_once: 64, each: 4, rows: 100_000, bytes: 64 * 1024 * 1024, attempts: 20 }
    }
}

/// Why a delivery cannot be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoReplay {
    /// It is not kept, or no longer.
    Unknown,
    /// Everything else that is kept is queued, and that is as much as may be.
    NoRoom,
    /// Its webhook was removed.
    NoWebhook,
}

/// What is kept of one partner's deliveries: what one has queued takes no room of another.
#[derive(Debug, Default)]
struct Share {
    rows: usize,
    bytes: usize,
    ended: BTreeSet<Number>,
}

/// The deliveries of one ordering key that have not ended.
#[derive(Debug, Default)]
struct Waiting {
    queued: BTreeSet<Number>,
    under_way: Option<Number>,
    /// The entry in `due` of this ordering key.
    offered: Option<(TransportTime, Number)>,
}

/// What is under way to one receiver: the host and port of its address.
#[derive(Debug, Default)]
struct Busy {
    under_way: usize,
    /// Offers that have come up while as many were under way as may be.
    held: BTreeSet<(TransportTime, Number)>,
}

/// What is known of an attempt that is done again.
pub(super) struct BegunAgain {
    /// When its delivery was queued, where that is known.
    pub queued: Option<TransportTime>,
    /// When it began.
    pub began: TransportTime,
    /// Where it went, when its webhook has another address by now.
    pub went_to: Option<Arc<str>>,
    /// Whether its webhook has changed since it began.
    pub is_stale: bool,
}

/// The deliveries of one world.
#[derive(Debug)]
pub struct Queue {
    policy: Policy,
    rows: BTreeMap<Number, Delivery>,
    by_id: BTreeMap<Uuid, Number>,
    keys_waiting: BTreeMap<OrderingKey, Waiting>,
    due: BTreeSet<(TransportTime, Number)>,
    busy: BTreeMap<Box<str>, Busy>,
    /// Until when a receiver wants to be left alone: of whom, and at which host and port.
    left_alone: BTreeMap<(Uuid, Box<str>), TransportTime>,
    shares: BTreeMap<Option<PartnerId>, Share>,
    under_way: usize,
    next: u64,
    forgotten: u64,
    visits: Visits,
    positions: Positions,
    cleared: u64,
}

impl Queue {
    /// An empty queue.
    #[must_use]
    pub fn new(policy: Policy) -> Self {
        Self {
            policy,
            rows: BTreeMap::new(),
            by_id: BTreeMap::new(),
            keys_waiting: BTreeMap::new(),
            due: BTreeSet::new(),
            busy: BTreeMap::new(),
            left_alone: BTreeMap::new(),
            shares: BTreeMap::new(),
            under_way: 0,
            next: 0,
            forgotten: 0,
            visits: Visits::default(),
            positions: Positions::new(0),
            cleared: 0,
        }
    }

    /// How it tries and how much it keeps.
    #[must_use]
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Changes the waits between attempts, from the next attempt that fails on.
    pub fn set_waits(&mut self, waits: Vec<Duration>) {
        self.policy.waits = waits;
    }

    /// Takes `notification` in, due at once. One whose id is already kept is the same notification and changes nothing.
    pub fn add(&mut self, now: TransportTime, notification: Notification) {
        if self.by_id.contains_key(&notification.id) {
            return;
        }
        let number = Number(self.next);
        self.next += 1;
        let (partner, length) = (notification.partner, notification.body.len());
        let first = if self.make_room(partner, 1, length) { Status::Queued } else { Status::DeadLetter };
        let share = self.shares.entry(partner).or_default();
        (share.rows, share.bytes) = (share.rows + 1, share.bytes + length);
        self.by_id.insert(notification.id, number);
        let row = Delivery {
            bound_for: Arc::clone(&notification.url),
            notification,
            status: Current::first(first),
            queued: now,
            due: now,
            under_way: None,
            is_stale: false,
            again_as: None,
            made: 0,
            attempts: Vec::new(),
            failed: 0,
            was_put_off: false,
            put_off: None,
            is_overtaken: false,
            positions: Vec::new(),
        };
        self.rows.insert(number, row);
        self.came(number);
        if first == Status::Queued {
            self.enqueue(number);
        } else {
            self.has_ended(number);
        }
    }

    /// Whether so much more of a partner would fit.
    fn fits(&self, partner: Option<PartnerId>, rows: usize, bytes: usize) -> bool {
        let (has, held) = self.shares.get(&partner).map_or((0, 0), |share| (share.rows, share.bytes));
        has + rows <= self.policy.rows && held + bytes <= self.policy.bytes
    }

    /// Forgets what has ended of a partner, oldest first, until so much more fits or nothing more has ended; whether it fits.
    fn make_room(&mut self, partner: Option<PartnerId>, rows: usize, bytes: usize) -> bool {
        while !self.fits(partner, rows, bytes) {
            let Some(share) = self.shares.get_mut(&partner) else { return false };
            let Some(oldest) = share.ended.pop_first() else { return false };
            let row = self.rows.remove(&oldest).expect("what has ended is kept until it is forgotten");
            self.by_id.remove(&row.notification.id);
            self.positions.forget(row.positions.last().copied());
            (share.rows, share.bytes) = (share.rows - 1, share.bytes - row.notification.body.len());
            self.forgotten += 1;
        }
        true
    }

    /// What is kept of the partner of this delivery.
    fn share_of(&mut self, number: Number) -> Option<&mut Share> {
        let partner = self.rows.get(&number)?.notification.partner;
        self.shares.get_mut(&partner)
    }

    /// A delivery has come, or is sent again: it takes the last place. What a listener fetches comes with its attempt.
    fn came(&mut self, number: Number) {
        if self.rows.get(&number).is_some_and(|row| *row.notification.url != *LISTEN) {
            self.take_position(number);
        }
    }

    fn take_position(&mut self, number: Number) {
        let Some(row) = self.rows.get_mut(&number) else { return };
        let (id, partner) = (row.notification.id, row.notification.partner);
        let last = row.positions.last().copied();
        row.positions.push(self.positions.take(id, partner, last));
        let surplus = row.positions.len().saturating_sub(self.policy.attempts.max(1));
        row.positions.drain(..surplus);
    }

    /// What came after `cursor`, oldest first, and whether nothing that came after it is missing or is there once more. Where a cursor
    /// does not hold, what comes begins with the oldest that is kept.
    pub fn onwards(&self, cursor: DeliveryCursor, reads_all: bool) -> (bool, impl Iterator<Item = &Delivery>) {
        let after = self.number_of(cursor, reads_all);
        let is_whole = after.is_some() || (cursor == DeliveryCursor::Beginning && self.forgotten == 0);
        (is_whole, self.positions.after(after).filter_map(|id| self.get(id)))
    }

    /// The number of the place that a cursor names, where the same came before it.
    fn number_of(&self, cursor: DeliveryCursor, reads_all: bool) -> Option<u64> {
        let DeliveryCursor::Behind { id, .. } = cursor else { return None };
        let positions = &self.get(id)?.positions;
        let found = positions.iter().find(|position| position.cursor(id, reads_all) == cursor)?;
        Some(found.number())
    }

    /// Everything kept, what came last first.
    pub fn by_arrival(&self) -> impl Iterator<Item = &Delivery> {
        self.positions.after(None).rev().filter_map(|id| self.get(id))
    }

    /// It may be forgotten.
    fn has_ended(&mut self, number: Number) {
        if let Some(share) = self.share_of(number) {
            share.ended.insert(number);
        }
    }

    /// It is to be attempted, and may not be forgotten.
    fn has_not_ended(&mut self, number: Number) {
        if let Some(share) = self.share_of(number) {
            share.ended.remove(&number);
        }
    }

    /// Takes the table's row for `on`, with what it does besides.
    fn move_delivery(&mut self, number: Number, on: Trigger) {
        let Some(row) = self.rows.get_mut(&number) else { return };
        let moved = self.visits.take(&mut row.status, on, None);
        match moved.effect {
            Effect::End => self.has_ended(number),
            Effect::Wait => {
                row.failed += 1;
                self.enqueue(number);
            }
            Effect::NewRound => {
                (row.failed, row.was_put_off, row.put_off) = (0, false, None);
                self.enqueue(number);
            }
        }
    }

    /// Lets a delivery wait for its turn.
    fn enqueue(&mut self, number: Number) {
        let Some(row) = self.rows.get_mut(&number) else { return };
        let ordering_key = row.place();
        self.has_not_ended(number);
        self.keys_waiting.entry(ordering_key).or_default().queued.insert(number);
        self.offer(ordering_key);
    }

    /// Brings the entry of `ordering_key` in `due` up to date.
    fn offer(&mut self, ordering_key: OrderingKey) {
        let Some(waiting) = self.keys_waiting.get_mut(&ordering_key) else { return };
        if let Some(old) = waiting.offered.take() {
            self.withdraw(old);
        }
        let Some(waiting) = self.keys_waiting.get_mut(&ordering_key) else { return };
        match (waiting.under_way, waiting.queued.first()) {
            (None, Some(first)) => {
                let offer = (self.rows[first].due, *first);
                waiting.offered = Some(offer);
                self.due.insert(offer);
            }
            (None, None) => drop(self.keys_waiting.remove(&ordering_key)),
            (Some(_), _) => {}
        }
    }

    /// Takes back an offer; another one at the same receiver that was held comes up in its place.
    fn withdraw(&mut self, offer: (TransportTime, Number)) {
        let receiver = self.rows.get(&offer.1).map(|row| receiver(&row.notification.url));
        if !self.due.remove(&offer) {
            if let Some(busy) = receiver.and_then(|receiver| self.busy.get_mut(receiver)) {
                busy.held.remove(&offer);
            }
        } else if let Some(first) = receiver.and_then(|receiver| self.busy.get_mut(receiver)?.held.pop_first()) {
            self.due.insert(first);
        }
    }

    /// The next delivery to attempt at `now`, which is under way from then on; `None` when nothing is due, or as many are
    /// under way as may be.
    pub fn begin(&mut self, now: TransportTime) -> Option<(Number, Notification)> {
        while self.has_room() {
            let offer = self.due.first().copied().filter(|(due, _)| *due <= now)?;
            if self.waits_for_its_receiver(offer.1, now) {
                continue;
            }
            let notification = self.rows.get(&offer.1)?.notification.clone();
            let busy = self.busy.entry(receiver(&notification.url).into()).or_default();
            self.due.remove(&offer);
            if busy.under_way >= self.policy.each {
                busy.held.insert(offer);
                continue;
            }
            let (_, number) = offer;
            self.set_out(number, now, Arc::clone(&notification.url), false)?;
            return Some((number, notification));
        }
        None
    }

    /// An attempt at what waits for its turn begins, whose offer was taken.
    fn set_out(&mut self, number: Number, now: TransportTime, to: Arc<str>, is_stale: bool) -> Option<()> {
        let row = self.rows.get_mut(&number)?;
        (row.under_way, row.is_stale, row.bound_for) = (Some(now), is_stale, to);
        self.busy.entry(receiver(&row.bound_for).into()).or_default().under_way += 1;
        let place = row.place();
        let waiting = self.keys_waiting.get_mut(&place)?;
        waiting.offered = None;
        waiting.queued.remove(&number);
        waiting.under_way = Some(number);
        self.under_way += 1;
        self.offer(place);
        Some(())
    }

    /// An attempt at the delivery `id` begins again; none when the delivery does not wait for one.
    pub(super) fn begin_again(&mut self, id: Uuid, begun: BegunAgain) -> Option<Number> {
        let BegunAgain { queued, began, went_to, is_stale } = begun;
        let number = *self.by_id.get(&id)?;
        let row = self.rows.get_mut(&number).filter(|row| row.status == Status::Queued && row.under_way.is_none())?;
        row.queued = queued.unwrap_or(row.queued);
        let place = row.place();
        if let Some(offer) = self.keys_waiting.get_mut(&place)?.offered.take() {
            self.withdraw(offer);
        }
        let to = went_to.unwrap_or_else(|| Arc::clone(&self.rows[&number].notification.url));
        self.set_out(number, began, to, is_stale)?;
        Some(number)
    }

    /// Makes what is due wait for as long as its receiver wants to be left alone; whether it does.
    fn waits_for_its_receiver(&mut self, number: Number, now: TransportTime) -> bool {
        let Some(row) = self.rows.get_mut(&number) else { return false };
        let whom = (row.owner(), receiver(&row.notification.url).into());
        match self.left_alone.get(&whom) {
            Some(until) if *until > now => {
                row.due = *until;
                let place = row.place();
                self.offer(place);
                true
            }
            Some(_) => {
                self.left_alone.remove(&whom);
                false
            }
            None => false,
        }
    }

    const fn has_room(&self) -> bool {
        self.under_way < self.policy.at_once
    }

    /// When `begin` has something to give, unless something is added or reported before.
    #[must_use]
    pub fn wake_at(&self) -> Option<TransportTime> {
        self.due.first().filter(|_| self.has_room()).map(|(due, _)| *due)
    }

    /// Notes the outcome of an attempt. A number that is not under way, such as one from before `clear`, changes nothing.
    pub fn report(&mut self, number: Number, now: TransportTime, ended: impl Into<Ended>) {
        let Ended { outcome, retry_after, fault, signed_at } = ended.into();
        let Some(row) = self.rows.get_mut(&number) else { return };
        let Some(began) = row.under_way else { return };
        let put_off = row.put_off.take();
        row.note(Attempt { began, ended: now, outcome, retry_after, fault, put_off, signed_at }, self.policy.attempts);
        let is_fetched = *row.bound_for == *LISTEN;
        let wait = self.policy.waits.get(row.failed).copied();
        let on = match outcome.verdict() {
            DeliveryVerdict::Received => Trigger::Receive,
            DeliveryVerdict::Refused => Trigger::Refuse,
            DeliveryVerdict::Gone if row.notification.ordering_key.webhook.is_some() && !row.is_stale => {
                Trigger::Disable
            }
            DeliveryVerdict::Gone | DeliveryVerdict::Failed if wait.is_some() => Trigger::Fail,
            DeliveryVerdict::Gone | DeliveryVerdict::Failed => Trigger::Exhaust,
        };
        let goes_elsewhere = row.bound_for != row.notification.url;
        let pause = retry_after.filter(|_| !goes_elsewhere).unwrap_or_default();
        row.due = if goes_elsewhere { now } else { now.plus(wait.unwrap_or_default().max(pause)) };
        if outcome.verdict() == DeliveryVerdict::Failed && !pause.is_zero() {
            let whom = (row.owner(), receiver(&row.bound_for).into());
            let until = self.left_alone.entry(whom).or_insert(now);
            *until = now.plus(pause).max(*until);
            self.left_alone.retain(|_, until| *until > now);
        }
        let ordering_key = self.release(number);
        if is_fetched {
            self.take_position(number);
        }
        self.move_delivery(number, on);
        self.go_behind(number, now);
        ordering_key.into_iter().for_each(|ordering_key| self.offer(ordering_key));
        let partner = self.rows.get(&number).and_then(|row| row.notification.partner);
        self.make_room(partner, 0, 0);
    }

    /// What is under way no longer is; its ordering key.
    fn release(&mut self, number: Number) -> Option<OrderingKey> {
        let row = self.rows.get_mut(&number)?;
        row.under_way = None;
        let ordering_key = row.place();
        if let Some(busy) = self.busy.get_mut(receiver(&row.bound_for)) {
            busy.under_way -= 1;
            match busy.held.pop_first() {
                Some(first) => drop(self.due.insert(first)),
                None if busy.under_way == 0 => drop(self.busy.remove(receiver(&row.bound_for))),
                None => {}
            }
        }
        self.keys_waiting.entry(ordering_key).or_default().under_way = None;
        self.under_way -= 1;
        Some(ordering_key)
    }

    /// Sends a delivery again from the first attempt on, due at once, to the present address of its webhook; one under way begins
    /// its round anew. Its receiver is no longer left alone, since the replay was requested.
    ///
    /// # Errors
    /// When it is not kept, or when there was no room for it and there still is none.
    pub fn replay(&mut self, id: Uuid, now: TransportTime, url: Option<&Arc<str>>) -> Result<&Delivery, NoReplay> {
        let number = *self.by_id.get(&id).ok_or(NoReplay::Unknown)?;
        let partner = self.rows.get(&number).ok_or(NoReplay::Unknown)?.notification.partner;
        let fits = self.fits(partner, 0, 0);
        let row = self.rows.get_mut(&number).ok_or(NoReplay::Unknown)?;
        if row.under_way.is_none() && row.status != Status::Queued && !fits {
            return Err(NoReplay::NoRoom);
        }
        if row.under_way.is_some() {
            (row.failed, row.was_put_off) = (0, false);
        } else {
            self.begin_round(number, number, now, url);
        }
        self.came(number);
        let row = self.rows.get(&number).ok_or(NoReplay::Unknown)?;
        self.left_alone.remove(&(row.owner(), receiver(&row.notification.url).into()));
        Ok(row)
    }

    /// Begins a new round of what is not under way, in the place of `as_number` and to `url`, where there is another.
    fn begin_round(&mut self, number: Number, as_number: Number, now: TransportTime, url: Option<&Arc<str>>) {
        self.dequeue(number);
        self.has_not_ended(number);
        let Some(mut row) = self.rows.remove(&number) else { return };
        (row.due, row.is_overtaken) = (now, false);
        if let Some(url) = url {
            row.notification.url = Arc::clone(url);
        }
        self.by_id.insert(row.notification.id, as_number);
        let has_come = !row.positions.is_empty();
        self.rows.insert(as_number, row);
        if !has_come {
            self.came(as_number);
        }
        self.move_delivery(as_number, Trigger::Replay);
    }

    /// Takes what waits for its turn out of its place; those behind it move up.
    fn dequeue(&mut self, number: Number) {
        let Some(place) = self.rows.get(&number).map(Delivery::place) else { return };
        if self.keys_waiting.get_mut(&place).is_some_and(|waiting| waiting.queued.remove(&number)) {
            self.offer(place);
        }
    }

    /// Puts off what was about to be attempted as `by` says; those behind it wait for it, unless they may overtake it.
    pub fn put_off(&mut self, number: Number, now: TransportTime, by: DeliveryFault) {
        let Some(place) = self.release(number) else { return };
        if let Some(row) = self.rows.get_mut(&number) {
            row.due = now.plus(by.puts_off().unwrap_or_default());
            (row.was_put_off, row.put_off) = (true, Some(by));
            row.is_overtaken |= matches!(by, DeliveryFault::Reorder(_));
        }
        self.enqueue(number);
        self.offer(place);
    }

    /// Sends a notification again, or for the first time, behind all that is queued: what waits comes behind the others that
    /// are sent again, and what is under way is sent once more after them. Whether there was room.
    pub fn resend(&mut self, now: TransportTime, notification: Notification) -> bool {
        let Some(&known) = self.by_id.get(&notification.id) else {
            let fits = self.make_room(notification.partner, 1, notification.body.len());
            if fits {
                self.add(now, notification);
            }
            return fits;
        };
        let number = Number(self.next);
        self.next += 1;
        match self.rows.get_mut(&known) {
            Some(row) if row.under_way.is_some() => row.again_as = Some(number),
            Some(row) => {
                row.notification.keys = notification.keys;
                self.begin_round(known, number, now, Some(&notification.url));
            }
            None => return false,
        }
        if let Some(&number) = self.by_id.get(&notification.id) {
            self.came(number);
        }
        true
    }

    /// Begins the round that was asked for while the last attempt was under way.
    fn go_behind(&mut self, number: Number, now: TransportTime) {
        if let Some(behind) = self.rows.get_mut(&number).and_then(|row| row.again_as.take()) {
            self.begin_round(number, behind, now, None);
        }
    }

    /// An attempt that is done again has ended at `now`: begins the round that was asked for while it was under way, for which the delivery
    /// has its place already.
    pub(super) fn go_behind_again(&mut self, number: Number, now: TransportTime) {
        self.begin_round(number, number, now, None);
    }

    /// What is queued for `webhook` goes to `url` from now on, from the first attempt on; the outcome of an attempt that went
    /// elsewhere says nothing of it.
    pub fn redirect(&mut self, webhook: Uuid, now: TransportTime, url: &Arc<str>) {
        self.left_alone.retain(|(whose, _), _| *whose != webhook);
        self.mark_stale(webhook);
        for number in self.unended(webhook) {
            match self.rows.get_mut(&number) {
                Some(row) if row.under_way.is_some() => {
                    (row.notification.url, row.failed) = (Arc::clone(url), 0);
                }
                Some(_) => self.begin_round(number, number, now, Some(url)),
                None => {}
            }
        }
    }

    /// The outcome of attempts under way for `webhook` no longer counts for it.
    pub fn mark_stale(&mut self, webhook: Uuid) {
        for number in self.unended(webhook) {
            self.rows.entry(number).and_modify(|row| row.is_stale |= row.under_way.is_some());
        }
    }

    /// What is queued or under way for `webhook`, oldest first.
    fn unended(&self, webhook: Uuid) -> BTreeSet<Number> {
        let of_webhook = self.keys_waiting.iter().filter(|(key, _)| key.webhook == Some(webhook));
        of_webhook.flat_map(|(_, waiting)| waiting.queued.iter().copied().chain(waiting.under_way)).collect()
    }

    fn under_way(&self) -> Vec<Number> {
        let under_way = |(number, row): (&Number, &Delivery)| row.under_way.map(|_| *number);
        self.rows.iter().filter_map(under_way).collect()
    }

    /// Takes what is under way for received, as a queue would that forgets it when its worker is gone
    /// (`Canary::PostLostAtRestart`).
    pub fn lose_what_is_under_way(&mut self, now: TransportTime) {
        self.under_way().into_iter().for_each(|number| self.report(number, now, AttemptOutcome::Lost));
    }

    /// Makes what was under way due again: its worker is gone, and how far it came is not known.
    pub fn recover(&mut self, now: TransportTime) {
        for number in self.under_way() {
            self.release(number);
            self.rows.entry(number).and_modify(|row| row.due = now);
            self.enqueue(number);
            self.go_behind(number, now);
        }
    }

    /// Forgets everything, what is under way included.
    pub fn clear(&mut self) {
        let (next, cleared) = (self.next, self.cleared + 1);
        let visits = std::mem::take(&mut self.visits);
        *self = Self { next, cleared, visits, positions: Positions::new(cleared), ..Self::new(self.policy.clone()) };
    }

    /// Drops what is queued for `webhook`; it stays in the log as dead letters. An attempt under way is the last.
    pub fn give_up(&mut self, webhook: Uuid) {
        let keys_waiting: Vec<OrderingKey> =
            self.keys_waiting.keys().filter(|ordering_key| ordering_key.webhook == Some(webhook)).copied().collect();
        for ordering_key in keys_waiting {
            let Some(waiting) = self.keys_waiting.get_mut(&ordering_key) else { continue };
            if let Some(row) = waiting.under_way.and_then(|number| self.rows.get_mut(&number)) {
                (row.failed, row.again_as) = (self.policy.waits.len(), None);
            }
            for number in std::mem::take(&mut waiting.queued) {
                self.move_delivery(number, Trigger::Abandon);
            }
            self.offer(ordering_key);
        }
    }

    /// Everything kept, newest first.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = &Delivery> {
        self.rows.values().rev()
    }

    /// The delivery with this number, while it is kept.
    pub(super) fn numbered(&self, number: Number) -> Option<&Delivery> {
        self.rows.get(&number)
    }

    /// One delivery.
    #[must_use]
    pub fn get(&self, id: Uuid) -> Option<&Delivery> {
        self.rows.get(self.by_id.get(&id)?)
    }

    /// How many deliveries wait or are under way.
    #[must_use]
    pub fn queued(&self) -> usize {
        self.rows.len() - self.shares.values().map(|share| share.ended.len()).sum::<usize>()
    }

    /// How often everything was forgotten.
    #[must_use]
    pub const fn cleared(&self) -> u64 {
        self.cleared
    }

    /// How often each row of the table has been taken.
    #[must_use]
    pub const fn visits(&self) -> &Visits {
        &self.visits
    }

    /// How many deliveries were forgotten to keep within the bounds.
    #[must_use]
    pub const fn forgotten(&self) -> u64 {
        self.forgotten
    }
}

/// Whose address it is: host and port.
fn receiver(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or(rest)
}

#[cfg(test)]
mod tests;
