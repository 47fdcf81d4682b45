//! Events as they travel on the socket: `eventType`, `eventId`, `payload` with `current` and `previous`.
//!
//! Invariant: the same event gives the same bytes whenever it is rendered. What an account's positions are worth is
//! taken from the prices known when the event happened, not when it is read.
//! Absent on purpose: `hello`, `heartbeat`, `server_closing`, which are the socket's own.

use crate::accounts::Account;
use crate::accounts::transactions::{CashTransaction, FundTransaction};
use crate::clients::Client;
use crate::journeys::Journey;
use crate::journeys::links::JourneyLinks;
use crate::orders::Order;
use crate::rows::shape::{Schemas, reference};
use crate::values::text::{Id, InstrumentId, Timestamp};
use bytes::Bytes;
use serde::Serialize;
use sim::query;
use sim::{Change, Delta, Event, World, records};
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

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

/// Funds whose terms have changed, to be read again.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InstrumentsReloaded)]
struct Reloaded {
    instruments: Vec<InstrumentId>,
    reloaded_date: Timestamp,
}

/// What an event of this type carries: a reference to the schema of its resource, which is added to `known`. `None` for a
/// type that nobody knows.
#[must_use]
pub fn resource_of(event_type: &str, known: &mut Schemas) -> Option<RefOr<Schema>> {
    let noun = event_type.split('.').next()?;
    Some(match noun {
        "account" => reference::<Account<'_>>(known),
        "order" => reference::<Order<'_>>(known),
        "cashTransaction" => reference::<CashTransaction<'_>>(known),
        "fundTransaction" => reference::<FundTransaction<'_>>(known),
        "journey" => reference::<Journey<'_>>(known),
        "client" => reference::<Client<'_>>(known),
        "instrument" => reference::<Reloaded>(known),
        _ => return None,
    })
}

/// The whole socket message of `event`; `links` makes the link of a journey.
#[must_use]
pub fn render(world: &World, links: &impl JourneyLinks, event: &Event) -> Bytes {
    match &event.change {
        Change::Account(delta) => account(world, event, delta),
        Change::Order(delta) => {
            message(world, event, payload(delta, |order| Order::of(order, &world.setup().settings)))
        }
        Change::CashTransaction(delta) => message(world, event, payload(delta, CashTransaction::of)),
        Change::FundTransaction(delta) => message(world, event, payload(delta, FundTransaction::of)),
        Change::Journey(delta) => {
            message(world, event, payload(delta, |journey| Journey::of(journey, links, &world.setup().settings)))
        }
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
    crate::to_json(&message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::command::{CreateJourney, OpenAccount, Scope, SetTrading};
    use sim::identity;
    use sim::money::{Amount, Units};
    use sim::records::{AccountType, Category, ServiceType};
    use sim::rng::Seed;
    use sim::{Command, Reply};
    use testing::{FUND, at};

    struct Links;

    impl JourneyLinks for Links {
        fn journey(&self, journey: sim::ids::JourneyId) -> String {
            format!("https://sandbox.example/{journey}")
        }
    }

    /// A world in which an account has just been opened, and the events of that.
    fn opened() -> (World, Vec<Event>) {
        let start = at("2026-03-02T07:00:00Z");
        let mut setup = testing::setup();
        setup.partners[0].clients[0].permissions.journey_types = vec!["createAccount".into()];
        let mut world = World::new(&setup, Seed(42), start).expect("a world");
        let client = query::clients(&world).next().expect("a client");
        let open = OpenAccount {
            scope: Scope { partner: client.partner, client: client.id },
            account_type: AccountType::Isk,
            owner: None,
            name: None,
            service_type: ServiceType::ExecutionOnly,
            category: Category::Retail,
            cash: Amount::ZERO,
            positions: vec![(identity::InstrumentId::parse(FUND).expect("a fund"), Units::parse("2").expect("units"))],
            bank_accounts: Vec::new(),
            fund_knowledge: true,
        };
        world.apply(start, Command::OpenAccount(open)).expect("an account");
        let events = world.take_events();
        (world, events)
    }

    fn tree(world: &World, event: &Event) -> serde_json::Value {
        serde_json::from_slice(&render(world, &Links, event)).expect("JSON")
    }

    #[test]
    fn a_message_names_its_type_and_its_id_before_its_payload() {
        let (world, events) = opened();
        let kinds: Vec<&str> = events.iter().map(Event::kind).collect();
        assert_eq!(kinds, ["account.create", "fundTransaction.create", "account.update"]);
        let created = events.iter().find(|event| event.kind() == "fundTransaction.create").expect("an event");
        insta::assert_snapshot!(serde_json::to_string_pretty(&tree(&world, created)).expect("JSON"), @r#"
        {
          "eventType": "fundTransaction.create",
          "eventId": "1aac3a50-38b4-5815-920c-7f12e579e103",
          "payload": {
            "current": {
              "id": "6a10fea0-b0f0-4a69-9327-bde33b6e2cc9",
              "sortedId": "01KJPNHFC096GA1PWEQG3XRX44",
              "transactionType": "subscription",
              "aborted": false,
              "ref": "opening",
              "refType": "text",
              "account": "83a481ac-0f8e-46d6-aefe-9843bee9c454",
              "instrument": "SE0SBX000016SEK",
              "identifier": "SE0SBX000016",
              "units": 2,
              "price": 100,
              "currency": "SEK",
              "createdDate": "2026-03-02T07:00:00.000Z",
              "modifiedDate": "2026-03-02T07:00:00.000Z",
              "tradeDate": "2026-02-27T00:00:00.000Z",
              "settlementDate": "2026-03-02T00:00:00.000Z"
            }
          }
        }
        "#);
    }

    #[test]
    fn an_update_carries_both_states_and_a_creation_one() {
        let (world, events) = opened();
        let created = tree(&world, &events[0]);
        assert!(created["payload"].get("previous").is_none());
        let updated = tree(&world, events.last().expect("an update"));
        assert_eq!(updated["payload"]["previous"], created["payload"]["current"]);
        assert_eq!(updated["payload"]["current"]["positions"][0]["units"].to_string(), "2");
    }

    #[test]
    fn an_update_of_a_journey_carries_the_journey_with_its_link_before_and_after() {
        let (mut world, _) = opened();
        let client = query::clients(&world).next().expect("a client");
        let mut configuration = records::Configuration::empty(records::JourneyType::CreateAccount);
        configuration.account_types = Some(vec![AccountType::Isk]);
        configuration.account_service_type = Some(ServiceType::ExecutionOnly);
        configuration.account_categories = Some(vec![Category::Retail]);
        let create = CreateJourney {
            scope: Scope { partner: client.partner, client: client.id },
            configuration,
            callback_url: "https://partner.example/callback".into(),
            redirect_url: None,
            completion_redirect_url: None,
            partner_data: Some("c2NvcGU=".into()),
        };
        let now = world.now();
        let reply = world.apply(now, Command::CreateJourney(Box::new(create))).expect("a journey");
        let Reply::Journey(journey) = reply else { panic!("no journey: {reply:?}") };
        assert_eq!(world.take_events(), [], "its creation is not emitted");
        let open = Command::OpenJourney { journey: journey.id, partner: None };
        world.apply(now, open).expect("opened");
        let events = world.take_events();
        let [opened] = events.as_slice() else { panic!("one event: {events:?}") };
        let rendered = tree(&world, opened);
        assert_eq!(rendered["eventType"], "journey.update");
        let (previous, current) = (&rendered["payload"]["previous"], &rendered["payload"]["current"]);
        assert_eq!((&previous["status"], &current["status"]), (&"new".into(), &"pending".into()));
        for state in [previous, current] {
            assert_eq!(state["url"], Links.journey(journey.id));
            assert_eq!(state["scope"], "c2NvcGU=");
            assert_eq!(state["journey"]["journeyType"], "createAccount");
        }
    }

    #[test]
    fn an_event_is_the_same_bytes_whenever_it_is_rendered() {
        let (mut world, events) = opened();
        let then: Vec<Bytes> = events.iter().map(|event| render(&world, &Links, event)).collect();
        world.advance(at("2026-03-20T12:00:00Z"));
        let later: Vec<Bytes> = events.iter().map(|event| render(&world, &Links, event)).collect();
        assert_eq!(then, later);
    }

    /// (rule: events/instrument-reloaded)
    #[test]
    fn reloaded_instruments_are_named_with_the_moment() {
        let (mut world, _) = opened();
        let instrument = identity::InstrumentId::parse(FUND).expect("a fund");
        let set = SetTrading { instrument, is_buyable: Some(false), is_sellable: None, is_tradable: None };
        world.apply(world.now(), Command::SetTrading(set)).expect("a closed fund");
        let event = world.take_events().pop().expect("an event");
        let message = tree(&world, &event);
        assert_eq!(message["eventType"], "instrument.reloaded");
        assert_eq!(
            message["payload"],
            serde_json::json!({"current": {"instruments": [FUND], "reloadedDate": "2026-03-02T07:00:00.000Z"}})
        );
    }
}
