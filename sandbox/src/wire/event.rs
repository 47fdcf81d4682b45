//! Events as they travel on the socket: `eventType`, `eventId`, `payload` with `current` and `previous`.
//!
//! Invariant: the same event gives the same bytes whenever it is rendered. What an account's positions are worth is
//! taken from the prices known when the event happened, not when somebody reads it.
//! Absent on purpose: `hello`, `heartbeat`, `server_closing`, which are the socket's own.

use super::account::Account;
use super::client::Client;
use super::journey::Journey;
use super::order::Order;
use super::text::{Id, InstrumentId, Timestamp};
use super::transaction::{CashTransaction, FundTransaction};
use bytes::Bytes;
use serde::Serialize;
use sim::query;
use sim::{Change, Delta, Event, World, records};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Message<T> {
    event_type: &'static str,
    event_id: Id,
    payload: Payload<T>,
}

#[derive(Serialize)]
struct Payload<T> {
    #[serde(skip_serializing_if = "Option::is_none")]
    current: Option<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous: Option<T>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Reloaded {
    instruments: Vec<InstrumentId>,
    reloaded_date: Timestamp,
}

/// The whole socket message of `event`.
#[must_use]
pub fn render(world: &World, event: &Event) -> Bytes {
    match &event.change {
        Change::Account(delta) => account(world, event, delta),
        Change::Order(delta) => message(world, event, payload(delta, Order::of)),
        Change::CashTransaction(delta) => message(world, event, payload(delta, CashTransaction::of)),
        Change::FundTransaction(delta) => message(world, event, payload(delta, FundTransaction::of)),
        Change::Journey(delta) => message(world, event, payload(delta, Journey::of)),
        Change::Client(delta) => message(world, event, payload(delta, Client::of)),
        Change::InstrumentsReloaded(instruments) => {
            let instruments = instruments.iter().copied().map(InstrumentId).collect();
            let current = Reloaded { instruments, reloaded_date: Timestamp(event.at) };
            message(world, event, Payload { current: Some(current), previous: None })
        }
    }
}

fn account(world: &World, event: &Event, delta: &Delta<records::Account>) -> Bytes {
    let valued = payload(delta, |account| (account, query::positions(world, account, event.at)));
    let current = valued.current.as_ref().map(|(account, positions)| Account::of(account, positions));
    let previous = valued.previous.as_ref().map(|(account, positions)| Account::of(account, positions));
    message(world, event, Payload { current, previous })
}

fn payload<'a, R, T>(delta: &'a Delta<R>, shape: impl Fn(&'a R) -> T) -> Payload<T> {
    match delta {
        Delta::Created(current) => Payload { current: Some(shape(current)), previous: None },
        Delta::Updated { previous, current } => {
            Payload { current: Some(shape(current)), previous: Some(shape(previous)) }
        }
        Delta::Deleted(previous) => Payload { current: None, previous: Some(shape(previous)) },
    }
}

fn message<T: Serialize>(world: &World, event: &Event, payload: Payload<T>) -> Bytes {
    let message = Message { event_type: event.kind(), event_id: Id(event.public_id(world.seed())), payload };
    super::to_json(&message)
}
