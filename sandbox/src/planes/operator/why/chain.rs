//! What has happened to something, change by change: the events that belong together, inputs without events, and bookings whose
//! events are not kept.
//!
//! Invariant: in the order in which it happened. Absent on purpose: how it is shown.

use std::collections::BTreeSet;
use std::sync::Arc;

use sim::event::Change;
use sim::records::{CashTransaction, FundTransaction};
use sim::time::Instant;
use sim::{Event, World};
use uuid::Uuid;

use super::subject::{Subject, account_of, reference_of};
use deliveries::webhooks::resource;
use feed::log::Numbered;
use hosting::worlds::{InputOrigin, WorldHandle};
use wire::error::ApiError;

/// A transaction as it was booked.
#[derive(Clone, Debug)]
pub(super) enum Booking {
    Cash(Arc<CashTransaction>),
    Units(Arc<FundTransaction>),
}

impl Booking {
    fn of(event: &Event) -> Option<Self> {
        match &event.change {
            Change::CashTransaction(delta) => Some(Self::Cash(Arc::clone(delta.latest()))),
            Change::FundTransaction(delta) => Some(Self::Units(Arc::clone(delta.latest()))),
            _ => None,
        }
    }

    pub(super) fn id(&self) -> Uuid {
        match self {
            Self::Cash(record) => record.id.as_uuid(),
            Self::Units(record) => record.id.as_uuid(),
        }
    }

    fn created(&self) -> Instant {
        match self {
            Self::Cash(record) => record.stamp.created,
            Self::Units(record) => record.stamp.created,
        }
    }

    fn reference(&self) -> Option<Uuid> {
        let reference = match self {
            Self::Cash(record) => record.reference.as_deref(),
            Self::Units(record) => record.reference.as_deref(),
        };
        reference.and_then(|reference| Uuid::try_parse(reference).ok())
    }
}

/// One change.
#[derive(Debug)]
pub(super) struct Link {
    pub at: Instant,
    /// The number of its input; none when nobody knows any more.
    pub input: Option<u64>,
    /// The input, where there was no event.
    pub origin: Option<InputOrigin>,
    pub events: Vec<Numbered>,
    pub bookings: Vec<Booking>,
}

/// The changes of the subject, oldest first, each with what else it changed of what the subject names or what names it.
pub(super) fn links(world: &WorldHandle, subject: &Subject, entries: &[Numbered]) -> Result<Vec<Link>, ApiError> {
    let mut found = links_from_events(subject, entries);
    let until = subject.until.and_then(|until| entries.iter().find(|(number, _)| *number == until));
    let last = match (subject.until, until) {
        (None, _) => u64::MAX,
        (Some(_), Some((_, entry))) => entry.event.cause.input,
        (Some(_), None) => 0,
    };
    for (at, origin) in unannounced_inputs(world, subject).into_iter().filter(|(_, origin)| origin.number <= last) {
        let number = origin.number;
        if !found.iter().any(|link| link.input == Some(number)) {
            let place = found.iter().position(|link| link.input > Some(number)).unwrap_or(found.len());
            let (events, bookings) = (Vec::new(), Vec::new());
            found.insert(place, Link { at, input: Some(number), origin: Some(origin), events, bookings });
        }
    }
    let (opening, later): (Vec<_>, Vec<_>) =
        bookings_without_events(world, subject, entries)?.into_iter().partition(|link| link.input == Some(0));
    let mut all: Vec<Link> = opening.into_iter().chain(found).chain(later).collect();
    // Of one instant they stay as they are.
    all.sort_by_key(|link| link.at);
    Ok(all)
}

/// The number of changes that have events, and the last `most` of them.
pub(super) fn latest_links(entries: &[Numbered], most: usize) -> (usize, Vec<Link>) {
    let changes: Vec<_> = entries.chunk_by(|(_, one), (_, other)| one.event.cause == other.event.cause).collect();
    let last = changes.iter().skip(changes.len().saturating_sub(most)).filter_map(|change| {
        let first = &change.first()?.1.event;
        let bookings = change.iter().filter_map(|(_, entry)| Booking::of(&entry.event)).collect();
        let (at, input) = (first.at, Some(first.cause.input));
        Some(Link { at, input, origin: None, events: change.to_vec(), bookings })
    });
    (changes.len(), last.collect())
}

/// Changes with events.
fn links_from_events(subject: &Subject, entries: &[Numbered]) -> Vec<Link> {
    let within = entries.iter().take_while(|(number, _)| subject.until.is_none_or(|until| *number <= until));
    let within: Vec<&Numbered> = within.collect();
    let mut found = Vec::new();
    for change in within.chunk_by(|(_, one), (_, other)| one.event.cause == other.event.cause) {
        let own: Vec<&Event> =
            change.iter().map(|(_, entry)| &entry.event).filter(|event| subject.is_about(event)).collect();
        let Some(first) = own.first() else { continue };
        let named: BTreeSet<Uuid> = own.iter().flat_map(|event| names(event)).collect();
        let belongs = |event: &Event| {
            subject.is_about(event)
                || named.contains(&resource(event))
                || names(event).any(|id| subject.own.contains(&id))
        };
        let events: Vec<Numbered> =
            change.iter().filter(|(_, entry)| belongs(&entry.event)).map(|one| (*one).clone()).collect();
        let bookings = events.iter().filter_map(|(_, entry)| Booking::of(&entry.event)).collect();
        found.push(Link { at: first.at, input: Some(first.cause.input), origin: None, events, bookings });
    }
    found
}

/// What a changed record names besides itself.
fn names(event: &Event) -> impl Iterator<Item = Uuid> {
    reference_of(event).into_iter().chain(account_of(event).map(|account| account.as_uuid()))
}

/// Inputs that made or changed the subject, or that caused its creation.
fn unannounced_inputs(world: &WorldHandle, subject: &Subject) -> Vec<(Instant, InputOrigin)> {
    let about = |id: &Uuid| {
        let inputs = world.inputs_about(*id).into_iter();
        inputs.filter_map(|origin| origin.request.map(|request| (request.at, origin)))
    };
    let mut found: Vec<_> = about(&subject.resource).collect();
    if let Some((created, made_by)) = &subject.made_by {
        found.extend(made_by.iter().flat_map(about).filter(|(at, _)| at == created));
    }
    found.sort_by_key(|(_, origin)| origin.number);
    found
}

/// Bookings of the subject whose events are not kept, those of the opening of its world among them: what was booked at one instant
/// is one change.
fn bookings_without_events(
    world: &WorldHandle,
    subject: &Subject,
    entries: &[Numbered],
) -> Result<Vec<Link>, ApiError> {
    let Some(account) = subject.account else { return Ok(Vec::new()) };
    let known: BTreeSet<Uuid> =
        entries.iter().filter_map(|(_, entry)| Booking::of(&entry.event)).map(|one| one.id()).collect();
    let of_account = |world: &World| {
        let (cash, units) = sim::query::transactions_of(world, account);
        let cash = cash.into_iter().map(Booking::Cash);
        cash.chain(units.into_iter().map(Booking::Units)).collect::<Vec<_>>()
    };
    let is_own = |booking: &Booking| {
        subject.own.contains(&account.as_uuid())
            || subject.own.contains(&booking.id())
            || booking.reference().is_some_and(|reference| subject.own.contains(&reference))
    };
    let mut own = world.read(of_account)?;
    own.retain(|booking| is_own(booking) && !known.contains(&booking.id()));
    own.sort_by_key(Booking::created);
    let start = world.identity.origin().start;
    let changes = own.chunk_by(|one, other| one.created() == other.created());
    Ok(changes
        .map(|change| {
            let at = change[0].created();
            let input = (at <= start && is_of_opening(change)).then_some(0);
            Link { at, input, origin: None, events: Vec::new(), bookings: change.to_vec() }
        })
        .collect())
}

/// Whether these are what accounts held before the world began.
fn is_of_opening(change: &[Booking]) -> bool {
    change.iter().all(|booking| match booking {
        Booking::Cash(record) => {
            let opening = sim::records::LedgerAccount::Platform(sim::records::PlatformAccount::Opening);
            record.debit == opening || record.credit == opening
        }
        Booking::Units(_) => true,
    })
}
