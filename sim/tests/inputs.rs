//! The one way in: numbers, repeated requests, instants, causes, formats, rules.

use crate::common::{Bench, DAILY, at};
use sim::ids::{ClientId, RequestId};
use sim::input::{Act, Cause, InputOutcome, Origin, REMEMBERED, RulesVersion};
use sim::query;
use sim::records::Permissions;
use sim::settings::Settings;
use sim::time::Millis;
use sim::{Command, Event, Input, Reply};
use std::sync::Arc;

const START: &str = "2026-03-02T08:00:00+01:00";

fn asked(bench: &Bench, request: Option<u128>, command: Command) -> Input {
    Input { request: request.map(RequestId::from_u128), ..Input::new(bench.world.now(), Act::Apply(Box::new(command))) }
}

/// Submits as the next input, and gives an accepted command's answer.
fn taken(bench: &mut Bench, input: &Input) -> Reply {
    match bench.world.submit(bench.world.last_input() + 1, input) {
        InputOutcome::Applied(Ok(reply)) => reply,
        other => panic!("not accepted: {other:?}"),
    }
}

/// (rule: calendar/repeated-inputs)
#[test]
fn a_request_that_is_repeated_gets_its_first_answer_and_changes_nothing() {
    let mut bench = Bench::new(1, START);
    let input = asked(&bench, Some(7), Command::OpenAccount(bench.open("100")));
    let first = taken(&mut bench, &input);
    let (digest, emitted) = (bench.world.digest(), bench.world.events().len());
    let later = Input { at: input.at.plus(Millis::DAY), ..input.clone() };
    assert_eq!(taken(&mut bench, &later), first);
    assert_eq!((bench.world.digest(), bench.world.events().len()), (digest, emitted));
    let other = Input { request: Some(RequestId::from_u128(8)), ..input };
    assert_ne!(taken(&mut bench, &other), first);
}

#[test]
fn a_refused_request_is_not_remembered() {
    let mut bench = Bench::new(1, START);
    let poor = bench.account(bench.open("100"));
    let input = asked(&bench, Some(7), Command::PlaceOrder(bench.buy(&poor, DAILY, "1000")));
    let before = bench.world.digest();
    let refused = bench.world.submit(2, &input);
    assert!(matches!(refused, InputOutcome::Applied(Err(_))), "{refused:?}");
    assert_eq!(bench.world.digest(), before);
    let accepted = asked(&bench, Some(7), Command::OpenAccount(bench.open("5")));
    assert!(matches!(taken(&mut bench, &accepted), Reply::Account(_)));
}

/// (rule: calendar/repeated-inputs)
#[test]
fn the_window_of_answered_requests_is_bounded_and_part_of_the_world() {
    let mut bench = Bench::new(1, START);
    let account = bench.account(bench.open("100000"));
    let check = |request| Command::ValidateOrder(bench.buy(&account, DAILY, request));
    let input = asked(&bench, Some(0), check("1000"));
    let before = bench.world.digest();
    taken(&mut bench, &input);
    assert_ne!(bench.world.digest(), before);
    let first = asked(&bench, Some(1), Command::OpenAccount(bench.open("1")));
    let account = taken(&mut bench, &first);
    for request in 2..=REMEMBERED as u128 {
        assert_eq!(taken(&mut bench, &first), account, "after {request} requests");
        let input = Input { request: Some(RequestId::from_u128(request)), ..input.clone() };
        taken(&mut bench, &input);
    }
    let last = Input { request: Some(RequestId::from_u128(u128::MAX)), ..input };
    taken(&mut bench, &last);
    assert_ne!(taken(&mut bench, &first), account, "a forgotten request is a new one");
}

/// (rule: calendar/inputs)
#[test]
fn an_input_of_the_past_happens_now() {
    let mut bench = Bench::new(1, START);
    bench.to("2026-03-03T12:00:00+01:00");
    let input = Input::new(at(START), Act::Apply(Box::new(Command::OpenAccount(bench.open("1")))));
    let Reply::Account(account) = taken(&mut bench, &input) else { panic!("no account") };
    assert_eq!(account.stamp.created, at("2026-03-03T12:00:00+01:00"));
    assert_eq!(bench.world.submit(9, &Input::new(at(START), Act::Advance)), InputOutcome::Advanced(Vec::new()));
    assert_eq!(bench.world.now(), at("2026-03-03T12:00:00+01:00"));
}

#[test]
fn an_input_of_an_unknown_format_changes_nothing() {
    let mut bench = Bench::new(1, START);
    let before = (bench.world.digest(), bench.world.last_input());
    let input = Input { format: Input::FORMAT + 1, ..Input::new(at("2027-01-01T00:00:00Z"), Act::Advance) };
    assert_eq!(bench.world.submit(1, &input), InputOutcome::Unreadable);
    assert_eq!((bench.world.digest(), bench.world.last_input()), before);
}

/// (rule: events/event-cause)
#[test]
fn every_event_names_the_input_and_the_request_or_timer_behind_it() {
    let mut bench = Bench::new(1, START);
    let account = bench.account(bench.open("10000"));
    bench.world.forget_events();
    let place = asked(&bench, Some(7), Command::PlaceOrder(bench.buy(&account, DAILY, "1000")));
    assert!(matches!(bench.world.submit(40, &place), InputOutcome::Applied(Ok(_))));
    let by_request = Cause { input: 40, by: Origin::Request(Some(RequestId::from_u128(7))) };
    assert!(!bench.world.events().is_empty());
    assert!(bench.world.events().iter().all(|event| event.cause == by_request));
    bench.world.forget_events();
    let open = Command::OpenAccount(bench.open("1"));
    let much_later = Input::new(at("2026-03-06T12:00:00+01:00"), Act::Apply(Box::new(open)));
    assert!(matches!(bench.world.submit(41, &much_later), InputOutcome::Applied(Ok(_))));
    let events = bench.world.take_events();
    let (of_timers, own): (Vec<Event>, _) =
        events.into_iter().partition(|event| matches!(event.cause.by, Origin::Timer(_)));
    assert!(of_timers.len() > 3 && of_timers.iter().all(|event| event.cause.input == 41));
    assert!(!own.is_empty() && own.iter().all(|event| event.cause == Cause { input: 41, by: Origin::Request(None) }));
}

#[test]
fn a_world_follows_its_new_settings_and_shows_them_in_its_digest() {
    let mut bench = Bench::new(1, START);
    let account = bench.account(bench.open("10000"));
    let (now, before) = (bench.world.now(), bench.world.digest());
    let settings = Settings { acceptance_delay: Millis::HOUR, ..Settings::default() };
    let outcome = bench.world.submit(2, &Input::new(now, Act::Configure(Arc::new(settings))));
    assert_eq!(outcome, InputOutcome::Noted);
    assert_ne!(bench.world.digest(), before);
    let order = bench.order(bench.buy(&account, DAILY, "1000"));
    bench.world.advance(now.plus(Millis::MINUTE));
    assert_eq!(bench.status(&order), "received");
    bench.world.advance(now.plus(Millis::HOUR));
    assert_eq!(bench.status(&order), "pending");
}

/// (rule: clients/client-permissions, calendar/inputs)
#[test]
fn a_reduced_permission_emits_one_event_and_is_replayed() {
    let mut bench = Bench::new(1, START);
    let (mut other, start, client) = (bench.world.clone(), bench.world.now(), bench.scope.client);
    bench.world.forget_events();
    let known = query::client(&bench.world, client).expect("the client").permissions.clone();
    let less = Permissions { withdrawals: false, ..known.clone() };
    let later = start.plus(Millis::HOUR);
    let permit =
        |client, permissions: &Permissions| Input::new(later, Act::Permit(client, Box::new(permissions.clone())));
    let inputs = [permit(client, &less), permit(client, &less), permit(ClientId::from_u128(1), &less)];
    for (number, input) in (5..).zip(&inputs) {
        assert_eq!(bench.world.submit(number, input), InputOutcome::Noted);
        other.replay([(number, input)]);
    }
    let now = query::client(&bench.world, client).expect("the client");
    assert_eq!((&now.permissions, now.stamp.modified, now.stamp.revision), (&less, later, 1));
    let events = bench.world.take_events();
    let updates: Vec<_> = events.iter().filter(|event| event.kind() == "client.update").collect();
    assert_eq!(updates.len(), 1, "what was so already is no change, and no event is about a client that nobody knows");
    assert_eq!((updates[0].cause, updates[0].client), (Cause { input: 5, by: Origin::Request(None) }, Some(client)));
    assert_eq!(bench.world.digest(), other.digest());
    bench.world.submit(8, &permit(client, &known));
    assert_eq!(query::client(&bench.world, client).expect("the client").permissions, known);
}

#[test]
fn a_decision_of_the_host_only_moves_the_clock() {
    let mut bench = Bench::new(1, START);
    let mut other = bench.world.clone();
    let instant = at("2026-03-03T12:00:00+01:00");
    assert_eq!(bench.world.submit(1, &Input::new(instant, Act::Surface("a fault".into()))), InputOutcome::Noted);
    other.advance(instant);
    assert_eq!(bench.world.digest(), other.digest());
}

/// (rule: calendar/inputs)
#[test]
fn a_list_of_inputs_replayed_is_the_same_world() {
    let mut bench = Bench::new(1, START);
    let mut inputs = vec![asked(&bench, Some(1), Command::OpenAccount(bench.open("10000")))];
    let Reply::Account(account) = taken(&mut bench, &inputs[0]) else { panic!("no account") };
    inputs.push(asked(&bench, Some(2), Command::PlaceOrder(bench.buy(&account, DAILY, "1000"))));
    inputs.push(asked(&bench, Some(2), Command::PlaceOrder(bench.buy(&account, DAILY, "1000"))));
    inputs.push(asked(&bench, Some(3), Command::PlaceOrder(bench.buy(&account, DAILY, "1000000"))));
    inputs.push(Input::new(at("2026-03-12T12:00:00+01:00"), Act::Advance));
    for (number, input) in (2..).zip(&inputs[1..]) {
        bench.world.submit(number, input);
    }
    let mut again = Bench::new(1, START);
    again.world.replay((1..).zip(&inputs));
    assert_eq!(again.world.digest(), bench.world.digest());
    assert_eq!(again.world.last_input(), 5);
}

#[test]
fn rules_of_a_later_version_are_not_known_and_no_world_is_made_by_earlier_ones() {
    let current = u32::from(RulesVersion::CURRENT);
    assert_eq!(RulesVersion::try_from(current), Ok(RulesVersion::CURRENT));
    assert_eq!(RulesVersion::try_from(0), Ok(RulesVersion::BEFORE_THE_FIRST));
    assert_eq!(
        RulesVersion::try_from(current + 1),
        Err(format!("rules of version {} are not known here", current + 1))
    );
}
