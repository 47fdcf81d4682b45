//! Worlds beside each other: credentials, clocks, forks, failures.

mod capsule;
mod journal;
mod past;
mod unreadable;

use std::time::Duration;

use axum::http::Method;
use sim::Command;
use sim::ids::OrderId;
use sim::time::Millis;
use tokio::time::Instant;

use super::*;
use crate::clock::Mode;
use crate::credentials::Named;
use crate::decision::HostDecision;
use crate::faults::{FaultEffect, Match};
use crate::replay::replay;
use crate::testing::{Hosted, new_world, worlds};
use feed::input_log::{LoggedInput, Position, at_once};
use feed::lineage::Moment;
use feed::transport::SurfaceSettings;
use testing::{Now as _, at};

fn mode(text: &str) -> Mode {
    text.parse().expect("a mode")
}

fn cancel(hosted: &Hosted, order: OrderId) -> Result<(), ApiError> {
    hosted.world.submit(Command::CancelOrder { scope: hosted.scope(0), order }, |_, _| ()).now()
}

#[test]
fn each_world_has_credentials_of_its_own_also_a_fork_and_a_dropped_worlds_mean_nothing() {
    let worlds = worlds();
    let first = worlds.make(new_world(Mode::Frozen)).now().expect("a world");
    let second = worlds.make(new_world(Mode::Frozen)).now().expect("a world");
    let fork = worlds.fork(&first, Some("fork".into())).now().expect("a fork");
    let all = [&first, &second, &fork].map(|world| world.identity.credentials()[0].client_id);
    assert!(all[0] != all[1] && all[1] != all[2] && all[0] != all[2]);
    for (world, id) in [&first, &second, &fork].into_iter().zip(all) {
        assert_eq!(worlds.partner(id).expect("a partner").world.identity.id(), world.identity.id());
    }
    assert_eq!(worlds.all().iter().map(|world| world.identity.id().number()).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(
        worlds.remove(second.identity.id()).now().expect("no journal")
            && !worlds.remove(second.identity.id()).now().expect("no journal")
    );
    assert!(worlds.partner(all[1]).is_none() && worlds.get(second.identity.id()).is_none());
    assert_eq!(
        worlds.make(new_world(Mode::Frozen)).now().expect("a world").identity.id().number(),
        4,
        "ids are not used again"
    );
    assert_eq!((&**fork.identity.name(), &**first.identity.name()), ("fork", "test"));
}

#[test]
fn the_same_calls_make_the_same_credentials_and_another_incarnation_other_tokens() {
    let make = |incarnation| {
        let key = ServerKey::fixed(&[7; 32]);
        let worlds = Worlds::incarnation(key, TransportClock::starting_at(Duration::ZERO), incarnation);
        let world = worlds.make(new_world(Mode::Frozen)).now().expect("a world");
        let credentials = &world.identity.credentials()[1];
        (
            credentials.client_id,
            credentials.secret.known().cloned(),
            world.identity.new_token(),
            world.identity.instance_id(),
            worlds.draw_seed(),
        )
    };
    assert_eq!(make(0), make(0));
    let (first, second) = (make(0), make(1));
    assert_eq!((first.0, &first.1, first.4), (second.0, &second.1, second.4));
    assert!(first.2 != second.2 && first.3 != second.3);
}

fn named(id: u128) -> Source {
    let secret = Some(Secret::new("a-secret-of-a-setup"));
    Source::Setup(vec![Named { client_id: Some(Uuid::from_u128(id)), secret }])
}

/// What a partner shows, with the key of its callbacks.
fn shown(world: &WorldHandle, at: usize) -> (Uuid, String, String) {
    let partner = &world.identity.credentials()[at];
    let secret = partner.secret.known().expect("a secret").reveal().to_owned();
    (partner.client_id, secret, partner.callback_key.reveal())
}

/// (rule: auth/named-credentials)
#[tokio::test]
async fn named_credentials_stay_over_a_reset_and_a_rewind_and_a_fork_has_others() {
    let worlds = worlds();
    let new = NewWorld { credentials: named(7), ..new_world(Mode::Frozen) };
    let world = worlds.make(new).now().expect("a world");
    let before = (shown(&world, 0), shown(&world, 1));
    assert_eq!((before.0.0, before.0.1.as_str()), (Uuid::from_u128(7), "a-secret-of-a-setup"));
    world.reset().await.expect("a reset");
    world.rewind(Moment::Input(Position(0))).await.expect("a rewind");
    assert_eq!((shown(&world, 0), shown(&world, 1)), before);
    let fork = worlds.fork(&world, None).now().expect("a fork");
    assert!(shown(&fork, 0).0 != before.0.0 && shown(&fork, 0).1 != before.0.1);
    let masks = fork.masks().expect("masks");
    assert_eq!(masks.over("it was a-secret-of-a-setup", "***"), "it was ***", "a fork knows what its parent gave out");
}

/// (rule: auth/named-credentials)
#[test]
fn a_client_id_is_one_partners_and_free_again_when_its_world_is_dropped() {
    let worlds = worlds();
    let make = |source| worlds.make(NewWorld { credentials: source, ..new_world(Mode::Frozen) }).now();
    let first = make(named(7)).expect("a world");
    let refused = make(named(7)).expect_err("it is taken");
    assert_eq!((refused.status.as_u16(), refused.description.contains("is taken by another partner")), (409, true));
    // An id that the key would make for a world to come: no world is given that number.
    let foreseen = ServerKey::fixed(&[7; 32]).client_id(WorldId::from_number(4), 1);
    let thief = make(named(foreseen.as_u128())).expect("a world");
    assert_eq!(
        (thief.identity.id().number(), make(Source::default()).expect("a world").identity.id().number()),
        (3, 5)
    );
    assert_eq!(worlds.partner(foreseen).expect("a partner").world.identity.id(), thief.identity.id());
    assert!(worlds.remove(first.identity.id()).now().expect("no journal") && make(named(7)).is_ok());
    assert_eq!(worlds.all().len(), 3);
}

/// (rule: auth/server-key)
#[test]
fn a_world_from_a_file_has_the_credentials_it_had_and_no_other_world_is_given_them() {
    let make = |worlds: &Worlds, source| {
        let new = NewWorld { credentials: source, ..new_world(Mode::Frozen) };
        let world = new.origin.world().expect("a world");
        worlds.take_in(new, world).now().expect("a world")
    };
    let before = worlds();
    let three: Vec<_> = (0..3).map(|_| make(&before, Source::default())).collect();
    let kept = three[2].identity.kept_credentials();
    let after = worlds();
    let brought = make(&after, Source::File(kept.clone()));
    assert_eq!(brought.identity.id().number(), 1);
    assert_eq!([0, 1].map(|at| shown(&brought, at)), [0, 1].map(|at| shown(&three[2], at)));
    let others: Vec<_> = (0..3).map(|_| make(&after, Source::default())).collect();
    assert_eq!(others.iter().map(|world| world.identity.id().number()).collect::<Vec<_>>(), [2, 4, 5]);
    // A second world of that file has credentials of its own, and so has one of a server with another key.
    let second = make(&after, Source::File(kept.clone()));
    assert_ne!(shown(&second, 0), shown(&brought, 0));
    let foreign = Worlds::new(ServerKey::fixed(&[8; 32]), TransportClock::starting_at(Duration::ZERO));
    assert_ne!(shown(&make(&foreign, Source::File(kept)), 0), shown(&brought, 0));
}

#[test]
fn the_number_of_worlds_is_bounded() {
    let worlds = worlds();
    worlds.set_bounds(WorldBounds { most: 3, ..WorldBounds::default() });
    let made = (0..5).filter(|_| worlds.make(new_world(Mode::Frozen)).now().is_ok()).count();
    assert_eq!(made, 3);
    let refused = worlds.make(new_world(Mode::Frozen)).now().expect_err("too many");
    assert_eq!((refused.status.as_u16(), refused.description.contains("3 worlds already")), (503, true));
    assert!(worlds.remove(WorldId::from_number(1)).now().expect("no journal"));
    assert!(worlds.make(new_world(Mode::Frozen)).now().is_ok());
}

#[test]
fn a_fork_goes_its_own_way_from_the_same_state() {
    let hosted = Hosted::new();
    let account = hosted.account(0);
    let worlds = &hosted.worlds;
    let fork = worlds.fork(&hosted.world, None).now().expect("a fork");
    let digest = |world: &WorldHandle| world.read(sim::World::digest).expect("a digest");
    assert_eq!(digest(&hosted.world), digest(&fork));
    let before = digest(&fork);
    hosted.subscribe(0, account);
    assert!(digest(&hosted.world) != before && digest(&fork) == before);
}

/// (rule: auth/allowlist)
#[test]
fn a_fork_admits_whom_the_first_world_does_and_tries_deliveries_as_it_does() {
    let hosted = Hosted::new();
    let decide = |decision: HostDecision| hosted.world.decide(&decision).now().expect("decided");
    decide(HostDecision::Allowlist(vec!["192.0.2.0/24".parse().expect("a network")]));
    decide(HostDecision::Waits(vec![Duration::from_secs(5)]));
    decide(HostDecision::Settings(Box::new(SurfaceSettings { requests_kept: 7, ..hosted.world.edge.settings() })));
    let fork = hosted.worlds.fork(&hosted.world, None).now().expect("a fork");
    assert_eq!(fork.surface(), hosted.world.surface());
    assert_eq!((fork.edge.allowlist.admits(None), fork.surface().waits), (false, vec![Duration::from_secs(5)]));
}

#[test]
fn a_panic_while_rendering_costs_the_answer_only() {
    let hosted = Hosted::new();
    let read = hosted.world.read(|_| panic!("as intended"));
    assert_eq!(read.map(|()| 0).expect_err("no answer").status.as_u16(), 500);
    let account = hosted.account(0);
    let order = hosted.subscribe(0, account);
    let command = Command::CancelOrder { scope: hosted.scope(0), order };
    let answer = hosted.world.submit(command, |_, _| panic!("as intended")).now();
    assert_eq!(answer.map(|()| 0).expect_err("no answer").status.as_u16(), 500);
    assert!(hosted.world.failure().is_none());
    assert_eq!(cancel(&hosted, order), Ok(()), "canceled it was, and canceling again is harmless");
}

#[tokio::test(start_paused = true)]
async fn a_paced_clock_follows_transport_time_and_a_frozen_one_does_not() {
    for (mode_text, shown) in
        [("frozen", "2026-03-02T07:00:00Z"), ("real", "2026-03-02T07:01:00Z"), ("1440", "2026-03-03T07:00:00Z")]
    {
        let hosted = Hosted::with(mode(mode_text));
        tokio::time::sleep(Duration::from_secs(60)).await;
        assert_eq!(hosted.world.read(sim::World::now), Ok(at(shown)), "{mode_text}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_paced_world_fires_its_timers_on_time_without_being_asked() {
    let hosted = Hosted::with(mode("real"));
    let account = hosted.account(0);
    tokio::time::sleep(Duration::from_millis(250)).await;
    hosted.subscribe(0, account);
    let log = hosted.world.subscribers.feed.log();
    let before = log.end();
    let start = Instant::now();
    let mut news = std::pin::pin!(log.news());
    news.as_mut().enable();
    news.await;
    assert_eq!(start.elapsed(), Duration::from_secs(1), "accepted after a second");
    assert!(log.end() > before);
    assert_eq!(hosted.world.last_now(), at("2026-03-02T07:00:01.250Z"));
}

#[tokio::test(start_paused = true)]
async fn the_mode_can_change_and_time_continues_from_the_present() {
    let hosted = Hosted::new();
    let now = || hosted.world.read(sim::World::now).expect("a world");
    tokio::time::sleep(Duration::from_secs(10)).await;
    hosted.world.set_mode(mode("60")).now().expect("a world");
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(now(), at("2026-03-02T07:01:00Z"));
    while !hosted.world.jump(at("2026-03-05T07:00:00Z"), &mut Vec::new()).now().expect("a jump") {}
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(now(), at("2026-03-05T07:01:00Z"));
    hosted.world.set_mode(Mode::Frozen).now().expect("a world");
    tokio::time::sleep(Duration::from_secs(9)).await;
    assert_eq!(now(), at("2026-03-05T07:01:00Z"));
}

#[tokio::test(start_paused = true)]
async fn the_driver_of_a_paced_world_ends_with_it() {
    let hosted = Hosted::with(mode("real"));
    tokio::time::sleep(Duration::from_secs(1)).await;
    let running = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    assert_eq!(running(), 1);
    assert!(hosted.worlds.remove(hosted.world.identity.id()).now().expect("no journal"));
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(running(), 0);
}

#[test]
fn a_far_jump_goes_in_slices_and_ends_as_one() {
    let (hosted, other) = (Hosted::new(), Hosted::new());
    let goal = hosted.world.last_now().plus(Millis::days(10 * 366));
    let (mut happened, mut slices) = (Vec::new(), 1);
    while !hosted.world.jump(goal, &mut happened).now().expect("a jump") {
        slices += 1;
    }
    assert!(slices > 2, "{} happenings in {slices}", happened.len());
    let whole = other.world.with_world_for_test(|world| world.advance(goal).len());
    assert_eq!(whole, happened.len());
    let digest = |world: &WorldHandle| world.read(sim::World::digest);
    assert_eq!(digest(&hosted.world), digest(&other.world));
}

/// All that the log of a world keeps, from the beginning.
fn logged(world: &WorldHandle) -> Vec<LoggedInput> {
    let mut entries = Vec::new();
    while (entries.len() as u64) < world.last_input() {
        let last = Position(entries.len() as u64);
        entries.extend(at_once(world.log().after(last)).expect("a log that was never trimmed"));
    }
    entries
}

/// (rule: calendar/history)
#[test]
fn a_log_that_has_grown_keeps_places_to_begin_at_and_lets_the_oldest_inputs_go() {
    let hosted = Hosted::new();
    hosted.world.set_settings(SurfaceSettings { inputs_kept: 1_000, ..hosted.world.edge.settings() });
    let start = hosted.world.last_now();
    for ms in 1..=34_000 {
        hosted.world.jump(start.plus(Millis(ms)), &mut Vec::new()).now().expect("a jump");
    }
    let log = hosted.world.log();
    let (at, world) = at_once(log.snapshot(Position(34_000))).expect("a log").expect("a snapshot");
    assert!(at > Position(32_000) && at_once(log.after(Position(0))).is_err());
    let begin = at_once(log.begin()).expect("a log");
    assert!(begin > Position(16_000) && begin < at, "{begin:?} {at:?}");
    let rest = at_once(log.after(at)).expect("what came after");
    let rest: Vec<LoggedInput> =
        rest.into_iter().chain(at_once(log.after(Position(at.0 + 1_000))).expect("more")).collect();
    let again = replay(hosted.world.identity.origin(), Some(&world), &rest).expect("a world");
    assert_eq!(again.digest(), hosted.world.read(World::digest).expect("a world"));
}

fn digest(world: &WorldHandle) -> sim::digest::Digest {
    world.read(World::digest).expect("a world")
}

/// (rule: calendar/history)
#[tokio::test(start_paused = true)]
async fn a_world_can_be_put_back_to_any_input_and_any_instant() {
    let hosted = Hosted::new();
    let world = &hosted.world;
    let account = hosted.account(0);
    let start = world.last_now();
    // Its state after each input, and at each instant that was read.
    let mut inputs = vec![(world.last_input(), digest(world))];
    let mut instants = vec![(start, digest(world))];
    for day in 1..=6 {
        hosted.subscribe(0, account);
        inputs.push((world.last_input(), digest(world)));
        while !world.jump(start.plus(Millis::days(day)), &mut Vec::new()).now().expect("a jump") {}
        inputs.push((world.last_input(), digest(world)));
        instants.push((world.last_now(), digest(world)));
    }
    // The last look at the start came before the first order, which was of the same instant.
    instants.remove(0);
    for (input, digest) in inputs {
        let (point, again) = world.stood_at(Moment::Input(Position(input))).await.expect("a past");
        assert_eq!((point.input.0, again.digest()), (input, digest));
    }
    for (at, digest) in &instants[..instants.len() - 1] {
        let (_, again) = world.stood_at(Moment::Instant(*at)).await.expect("a past");
        // An order followed at that very instant.
        assert!(again.now() == *at && again.digest() != *digest);
    }
    let (at, last) = instants[instants.len() - 1];
    assert_eq!(world.stood_at(Moment::Instant(at)).await.expect("a past").1.digest(), last);
    // Between two inputs, time passes as it would have, whichever way it went.
    let noon = start.plus(Millis(36 * 3_600_000));
    let (_, halfway) = world.stood_at(Moment::Instant(noon)).await.expect("a past");
    assert_eq!(halfway.now(), noon);
    for (moment, status) in [
        (Moment::Instant(start.plus(Millis::days(7))), 400),
        (Moment::Instant(at_start_less_a_day(start)), 400),
        (Moment::Input(Position(world.last_input() + 1)), 400),
    ] {
        assert_eq!(world.stood_at(moment).await.expect_err("no past").status.as_u16(), status, "{moment:?}");
    }
}

fn at_start_less_a_day(start: sim::time::Instant) -> sim::time::Instant {
    sim::time::Instant::from_ms(start.ms() - 86_400_000)
}

/// (rule: calendar/history)
#[tokio::test(start_paused = true)]
async fn a_rewound_world_continues_from_there_and_its_log_replays_to_the_same_world() {
    let hosted = Hosted::new();
    let world = &hosted.world;
    let replayed = || replay(world.identity.origin(), None, &logged(world)).expect("a world").digest();
    let account = hosted.account(0);
    let start = world.last_now();
    let days = |count| start.plus(Millis::days(count));
    let jump = |to| while !world.jump(to, &mut Vec::new()).now().expect("a jump") {};
    hosted.subscribe(0, account);
    world.decide(&HostDecision::Keep("monday".into())).now().expect("kept");
    let monday = digest(world);
    jump(days(1));
    let tuesday = digest(world);
    hosted.subscribe(0, account);
    jump(days(3));
    let thursday = world.last_input();
    let instance = world.identity.instance_id();
    // Back to Tuesday, before the second order, and on by another way.
    let (point, _) = world.stood_at(Moment::Input(Position(thursday - 2))).await.expect("a past");
    assert_eq!(point.input.0, thursday - 2);
    world.rewind(Moment::Input(Position(thursday - 2))).await.expect("rewound");
    assert_eq!((digest(world), world.last_now()), (tuesday, days(1)));
    assert_ne!(world.identity.instance_id(), instance, "a listener is asked to leave");
    jump(days(2));
    let wednesday = digest(world);
    assert_eq!(replayed(), wednesday);
    // The lineage has Tuesday as it was, and Thursday no more.
    assert_eq!(world.stood_at(Moment::Instant(days(1))).await.expect("a past").1.digest(), tuesday);
    assert_eq!(world.stood_at(Moment::Instant(days(3))).await.expect_err("none").status.as_u16(), 400);
    // What was left behind can be read by the number of its input.
    let (_, left) = world.stood_at(Moment::Input(Position(thursday))).await.expect("a past");
    assert_eq!(left.now(), days(3));
    // Past a restore, and past a reset.
    world.decide(&HostDecision::Restore("monday".into())).now().expect("restored");
    hosted.account(0);
    assert_eq!(world.stood_at(Moment::Instant(days(2))).await.expect_err("none").status.as_u16(), 400);
    world.rewind(Moment::Input(point.input)).await.expect("rewound");
    assert_eq!((digest(world), replayed()), (tuesday, tuesday));
    world.decide(&HostDecision::Reset).now().expect("a start");
    let (_, opened) = world.stood_at(Moment::Instant(start)).await.expect("a past");
    assert_eq!(opened.digest(), digest(world));
    world.rewind(Moment::Instant(start)).await.expect("rewound");
    assert_eq!((digest(world), replayed() == digest(world)), (opened.digest(), true));
    assert_ne!(opened.digest(), monday);
}

/// (rule: events/events-kept)
#[tokio::test]
async fn a_big_jump_keeps_as_many_events_as_may_be_and_leads_to_the_same_world() {
    let jumped = |kept: usize| {
        let hosted = Hosted::new();
        let settings = SurfaceSettings { events_kept: kept, ..hosted.world.edge.settings() };
        hosted.world.set_settings(settings);
        let accounts: Vec<_> = (0..20).map(|_| hosted.account(0)).collect();
        for account in accounts {
            hosted.subscribe(0, account);
        }
        while !hosted.world.jump(at("2026-03-09T07:00:00Z"), &mut Vec::new()).now().expect("a jump") {}
        (hosted.world.subscribers.feed.log().extent(), hosted.world.read(sim::World::digest))
    };
    let (all, digest) = jumped(1_000_000);
    let (few, same) = jumped(7);
    assert_eq!((all.forgotten, few.kept, few.end, same), (0, 7, all.end, digest), "numbers count what was let go");
    assert_eq!(few.forgotten + few.kept, all.kept);
}

#[tokio::test(start_paused = true)]
async fn the_log_of_a_served_world_makes_the_same_world_again() {
    let hosted = Hosted::with(mode("60"));
    let world = &hosted.world;
    let decide = |decision| world.decide(&decision).now().expect("a decision");
    let account = hosted.account(0);
    let first = hosted.subscribe(0, account);
    tokio::time::sleep(Duration::from_secs(3)).await;
    decide(HostDecision::Keep("before".into()));
    decide(HostDecision::Settings(Box::new(SurfaceSettings { requests_kept: 7, ..world.edge.settings() })));
    decide(HostDecision::Allowlist(vec!["192.0.2.0/24".parse().expect("a network")]));
    let on = Match { method: Some(Method::GET), ..Match::default() };
    decide(HostDecision::AddFaults(None, vec![(on, FaultEffect::DropAfter)]));
    cancel(&hosted, first).expect("it can be canceled");
    cancel(&hosted, OrderId::from_u128(1)).expect_err("there is none");
    while !world.jump(at("2026-03-06T07:00:00Z"), &mut Vec::new()).now().expect("a jump") {}
    let replayed = || replay(world.identity.origin(), None, &logged(world)).expect("a world").digest();
    assert_eq!(replayed(), world.read(World::digest).expect("a world"));
    decide(HostDecision::Restore("before".into()));
    hosted.subscribe(0, account);
    assert_eq!(replayed(), world.read(World::digest).expect("a world"));
    decide(HostDecision::Reset);
    tokio::time::sleep(Duration::from_secs(1)).await;
    hosted.account(0);
    assert_eq!(replayed(), world.read(World::digest).expect("a world"));
    let rule = &world.edge.faults.list()[0];
    assert_eq!((&rule.on.method, rule.verdict), (&Some(Method::GET), FaultEffect::DropAfter));
    let first = SurfaceSettings::default().requests_kept;
    assert_eq!(
        (world.edge.settings().requests_kept, world.edge.allowlist.list().len()),
        (first, 1),
        "the list is the operator's"
    );
}
