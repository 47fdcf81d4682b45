//! Worlds beside each other: credentials, clocks, forks, failures.

mod parallel;
mod past;

use std::time::Duration;

use axum::http::Method;
use sim::Command;
use sim::ids::OrderId;
use sim::time::Millis;
use tokio::time::Instant;

use super::*;
use crate::hosting::clock::Mode;
use crate::hosting::credentials::Named;
use crate::hosting::decision::HostDecision;
use crate::hosting::faults::{Match, Verdict};
use crate::hosting::input_log::{Entry, Position, at_once};
use crate::hosting::lineage::Moment;
use crate::hosting::replay::replay;
use crate::hosting::rights::Rights;
use crate::hosting::transport::SurfaceSettings;
use crate::testing::{Bench, at, new_world, request, worlds};

fn mode(text: &str) -> Mode {
    text.parse().expect("a mode")
}

fn cancel(bench: &Bench, order: OrderId) -> Result<(), ApiError> {
    bench.world.submit(Command::CancelOrder { scope: bench.scope(0), order }, |_, _| ())
}

#[test]
fn each_world_has_credentials_of_its_own_also_a_fork_and_a_dropped_worlds_mean_nothing() {
    let worlds = worlds();
    let first = worlds.make(new_world(Mode::Frozen)).expect("a world");
    let second = worlds.make(new_world(Mode::Frozen)).expect("a world");
    let fork = worlds.fork(&first, Some("fork".into())).expect("a fork");
    let all = [&first, &second, &fork].map(|world| world.credentials()[0].client_id);
    assert!(all[0] != all[1] && all[1] != all[2] && all[0] != all[2]);
    for (world, id) in [&first, &second, &fork].into_iter().zip(all) {
        assert_eq!(worlds.partner(id).expect("a partner").world.id(), world.id());
    }
    assert_eq!(worlds.all().iter().map(|world| world.id().number()).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(worlds.remove(second.id()) && !worlds.remove(second.id()));
    assert!(worlds.partner(all[1]).is_none() && worlds.get(second.id()).is_none());
    assert_eq!(worlds.make(new_world(Mode::Frozen)).expect("a world").id().number(), 4, "ids are not used again");
    assert_eq!((&**fork.name(), &**first.name()), ("fork", "test"));
}

#[test]
fn the_same_calls_make_the_same_credentials_and_another_incarnation_other_tokens() {
    let make = |incarnation| {
        let key = ServerKey::fixed(&[7; 32]);
        let worlds = Worlds::incarnation(key, TransportClock::starting_at(Duration::ZERO), incarnation);
        let world = worlds.make(new_world(Mode::Frozen)).expect("a world");
        let credentials = &world.credentials()[1];
        (
            credentials.client_id,
            credentials.secret.known().cloned(),
            world.new_token(),
            world.instance_id(),
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
    let partner = &world.credentials()[at];
    let secret = partner.secret.known().expect("a secret").reveal().to_owned();
    (partner.client_id, secret, partner.callback_key.reveal())
}

/// (rule: auth/named-credentials)
#[tokio::test]
async fn named_credentials_stay_over_a_reset_and_a_rewind_and_a_fork_has_others() {
    let worlds = worlds();
    let new = NewWorld { credentials: named(7), ..new_world(Mode::Frozen) };
    let world = worlds.make(new).expect("a world");
    let before = (shown(&world, 0), shown(&world, 1));
    assert_eq!((before.0.0, before.0.1.as_str()), (Uuid::from_u128(7), "a-secret-of-a-setup"));
    world.reset().await.expect("a reset");
    world.rewind(Moment::Input(Position(0))).await.expect("a rewind");
    assert_eq!((shown(&world, 0), shown(&world, 1)), before);
    let fork = worlds.fork(&world, None).expect("a fork");
    assert!(shown(&fork, 0).0 != before.0.0 && shown(&fork, 0).1 != before.0.1);
    let masks = fork.masks().expect("masks");
    assert_eq!(masks.over("it was a-secret-of-a-setup", "***"), "it was ***", "a fork knows what its parent gave out");
}

/// (rule: auth/named-credentials)
#[test]
fn a_client_id_is_one_partners_and_free_again_when_its_world_is_dropped() {
    let worlds = worlds();
    let make = |source| worlds.make(NewWorld { credentials: source, ..new_world(Mode::Frozen) });
    let first = make(named(7)).expect("a world");
    let refused = make(named(7)).expect_err("it is taken");
    assert_eq!((refused.status.as_u16(), refused.description.contains("is taken by another partner")), (409, true));
    // An id that the key would make for a world to come: no world is given that number.
    let foreseen = ServerKey::fixed(&[7; 32]).client_id(WorldId::from_number(4), 1);
    let thief = make(named(foreseen.as_u128())).expect("a world");
    assert_eq!((thief.id().number(), make(Source::default()).expect("a world").id().number()), (3, 5));
    assert_eq!(worlds.partner(foreseen).expect("a partner").world.id(), thief.id());
    assert!(worlds.remove(first.id()) && make(named(7)).is_ok());
    assert_eq!(worlds.all().len(), 3);
}

/// (rule: auth/server-key)
#[test]
fn a_world_from_a_file_has_the_credentials_it_had_and_no_other_world_is_given_them() {
    let make = |worlds: &Worlds, source| {
        let new = NewWorld { credentials: source, ..new_world(Mode::Frozen) };
        let world = new.origin.world().expect("a world");
        worlds.take_in(new, world).expect("a world")
    };
    let before = worlds();
    let three: Vec<_> = (0..3).map(|_| make(&before, Source::default())).collect();
    let kept = three[2].kept_credentials();
    let after = worlds();
    let brought = make(&after, Source::File(kept.clone()));
    assert_eq!(brought.id().number(), 1);
    assert_eq!([0, 1].map(|at| shown(&brought, at)), [0, 1].map(|at| shown(&three[2], at)));
    let others: Vec<_> = (0..3).map(|_| make(&after, Source::default())).collect();
    assert_eq!(others.iter().map(|world| world.id().number()).collect::<Vec<_>>(), [2, 4, 5]);
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
    let made = (0..5).filter(|_| worlds.make(new_world(Mode::Frozen)).is_ok()).count();
    assert_eq!(made, 3);
    let refused = worlds.make(new_world(Mode::Frozen)).expect_err("too many");
    assert_eq!((refused.status.as_u16(), refused.description.contains("3 worlds already")), (503, true));
    assert!(worlds.remove(WorldId::from_number(1)));
    assert!(worlds.make(new_world(Mode::Frozen)).is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_world_that_nobody_uses_is_dropped_but_the_first() {
    let bounds = WorldBounds { idle: Some(Duration::from_secs(600)), ..WorldBounds::default() };
    let bench = Bench::with(Mode::Frozen, crate::SurfaceConfig { worlds: bounds, ..crate::SurfaceConfig::default() });
    let worlds = bench.surface.app().worlds.clone();
    let names = || worlds.all().iter().map(|world| world.id().number()).collect::<Vec<_>>();
    let asked = |world: u64| format!("/_sandbox/worlds/world-{world}/clock");
    let (unused, used, heard) = (2, 3, 4);
    for _ in [unused, used, heard] {
        worlds.make(new_world(Mode::Frozen)).expect("a world");
    }
    let listening = worlds.get(WorldId::from_number(heard)).expect("a world");
    let client = listening.read(|world| sim::query::clients(world).next().map(|client| (client.partner, client.id)));
    let (partner, client) = client.expect("a world").expect("a client");
    let socket =
        listening.feed.enter(partner, client, listening.transport_clock().now(), Rights::ALL, &listening.settings());
    let socket = socket.expect("room");
    let over = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let is_over = {
        let over = Arc::clone(&over);
        move || over.load(Ordering::Relaxed)
    };
    let dropping = tokio::spawn(worlds.clone().keep_dropping_idle(is_over, Telemetry::default()));
    tokio::time::sleep(Duration::from_secs(500)).await;
    bench.ask(request(Method::GET, &asked(used), None, None)).await;
    tokio::time::sleep(Duration::from_secs(200)).await;
    assert_eq!(names(), [1, used, heard]);
    listening.feed.leave(socket.id);
    tokio::time::sleep(Duration::from_secs(700)).await;
    assert_eq!(names(), [1]);
    over.store(true, Ordering::Relaxed);
    dropping.await.expect("it ends");
}

#[test]
fn a_fork_goes_its_own_way_from_the_same_state() {
    let bench = Bench::new();
    let account = bench.account(0);
    let worlds = &bench.surface.app().worlds;
    let fork = worlds.fork(&bench.world, None).expect("a fork");
    let digest = |world: &WorldHandle| world.read(sim::World::digest).expect("a digest");
    assert_eq!(digest(&bench.world), digest(&fork));
    let before = digest(&fork);
    bench.subscribe(0, account);
    assert!(digest(&bench.world) != before && digest(&fork) == before);
}

/// (rule: auth/allowlist)
#[test]
fn a_fork_admits_whom_the_first_world_does_and_tries_deliveries_as_it_does() {
    let bench = Bench::new();
    let decide = |decision: HostDecision| bench.world.decide(&decision).expect("decided");
    decide(HostDecision::Allowlist(vec!["192.0.2.0/24".parse().expect("a network")]));
    decide(HostDecision::Waits(vec![Duration::from_secs(5)]));
    decide(HostDecision::Settings(Box::new(SurfaceSettings { requests_kept: 7, ..bench.world.settings() })));
    let fork = bench.surface.app().worlds.fork(&bench.world, None).expect("a fork");
    assert_eq!(fork.surface(), bench.world.surface());
    assert_eq!((fork.allowlist.admits(None), fork.surface().waits), (false, vec![Duration::from_secs(5)]));
}

#[tokio::test]
async fn a_panic_while_changing_closes_the_world_and_no_other() {
    let bench = Bench::new();
    let token = bench.token(0).await;
    let account = bench.account(0);
    let order = bench.subscribe(0, account);
    let fork = bench.surface.app().worlds.fork(&bench.world, None).expect("a fork");
    let digest = fork.read(sim::World::digest).expect("a digest");
    let command = Command::CancelOrder { scope: bench.scope(0), order };
    let broken = bench.world.break_for_test("as intended");
    assert_eq!((broken.status.as_u16(), broken.error), (503, "service_unavailable"));
    let refused = bench.world.submit(command, |_, _| ()).expect_err("closed");
    assert_eq!((refused.status.as_u16(), bench.world.read(|_| ()).is_err()), (503, true));
    let failure = bench.world.failure().expect("a failure");
    assert_eq!((failure.message.as_str(), failure.at), ("as intended", bench.world.last_now()));
    let shown = bench.ask(request(Method::GET, "/_sandbox/worlds/current", Some(&token), None)).await;
    assert_eq!((shown.status, shown.body["failure"]["message"].as_str()), (200, Some("as intended")));
    let given = bench.ask(request(Method::GET, "/_sandbox/worlds/current/requests", Some(&token), None)).await;
    assert_eq!((given.status, given.body["total"].as_u64()), (200, Some(2)), "its record is kept");
    assert_eq!(fork.read(sim::World::digest), Ok(digest), "the others go on");
    bench.world.decide(&HostDecision::Reset).expect("a start");
    assert!(bench.world.failure().is_none());
    bench.account(0);
}

#[test]
fn a_panic_while_rendering_costs_the_answer_only() {
    let bench = Bench::new();
    let read = bench.world.read(|_| panic!("as intended"));
    assert_eq!(read.map(|()| 0).expect_err("no answer").status.as_u16(), 500);
    let account = bench.account(0);
    let order = bench.subscribe(0, account);
    let command = Command::CancelOrder { scope: bench.scope(0), order };
    let answer = bench.world.submit(command, |_, _| panic!("as intended"));
    assert_eq!(answer.map(|()| 0).expect_err("no answer").status.as_u16(), 500);
    assert!(bench.world.failure().is_none());
    assert_eq!(cancel(&bench, order), Ok(()), "canceled it was, and canceling again is harmless");
}

#[tokio::test(start_paused = true)]
async fn a_paced_clock_follows_transport_time_and_a_frozen_one_stands() {
    for (mode_text, shown) in
        [("frozen", "2026-03-02T07:00:00Z"), ("real", "2026-03-02T07:01:00Z"), ("1440", "2026-03-03T07:00:00Z")]
    {
        let bench = Bench::with(mode(mode_text), crate::SurfaceConfig::default());
        tokio::time::sleep(Duration::from_secs(60)).await;
        assert_eq!(bench.world.read(sim::World::now), Ok(at(shown)), "{mode_text}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_paced_world_fires_its_timers_on_time_without_being_asked() {
    let bench = Bench::with(mode("real"), crate::SurfaceConfig::default());
    let account = bench.account(0);
    tokio::time::sleep(Duration::from_millis(250)).await;
    bench.subscribe(0, account);
    let log = bench.world.feed.log();
    let before = log.end();
    let start = Instant::now();
    let mut news = std::pin::pin!(log.news());
    news.as_mut().enable();
    news.await;
    assert_eq!(start.elapsed(), Duration::from_secs(1), "accepted after a second");
    assert!(log.end() > before);
    assert_eq!(bench.world.last_now(), at("2026-03-02T07:00:01.250Z"));
}

#[tokio::test(start_paused = true)]
async fn the_mode_can_change_and_time_goes_on_from_where_it_stands() {
    let bench = Bench::new();
    let now = || bench.world.read(sim::World::now).expect("a world");
    tokio::time::sleep(Duration::from_secs(10)).await;
    bench.world.set_mode(mode("60")).expect("a world");
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(now(), at("2026-03-02T07:01:00Z"));
    while !bench.world.jump(at("2026-03-05T07:00:00Z"), &mut Vec::new()).expect("a jump") {}
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(now(), at("2026-03-05T07:01:00Z"));
    bench.world.set_mode(Mode::Frozen).expect("a world");
    tokio::time::sleep(Duration::from_secs(9)).await;
    assert_eq!(now(), at("2026-03-05T07:01:00Z"));
}

#[tokio::test(start_paused = true)]
async fn the_driver_of_a_paced_world_ends_with_it() {
    let bench = Bench::with(mode("real"), crate::SurfaceConfig::default());
    tokio::time::sleep(Duration::from_secs(1)).await;
    let running = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    assert_eq!(running(), 1);
    assert!(bench.surface.app().worlds.remove(bench.world.id()));
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(running(), 0);
}

#[test]
fn a_far_jump_goes_in_slices_and_ends_as_one() {
    let (bench, other) = (Bench::new(), Bench::new());
    let goal = bench.world.last_now().plus(Millis::days(10 * 366));
    let (mut happened, mut slices) = (Vec::new(), 1);
    while !bench.world.jump(goal, &mut happened).expect("a jump") {
        assert!(happened.len() <= slices * SLICE);
        slices += 1;
    }
    assert!(slices > 2, "{} happenings in {slices}", happened.len());
    let whole = other.world.with_world_for_test(|world| world.advance(goal).len());
    assert_eq!(whole, happened.len());
    let digest = |world: &WorldHandle| world.read(sim::World::digest);
    assert_eq!(digest(&bench.world), digest(&other.world));
}

#[tokio::test]
async fn tokens_of_a_dropped_world_open_nothing_and_those_of_a_reset_one_stay() {
    let bench = Bench::new();
    let token = bench.token(0).await;
    let whoami = || bench.ask(request(Method::GET, "/whoami", Some(&token), None));
    bench.world.decide(&HostDecision::Reset).expect("a start");
    assert_eq!(whoami().await.status, 200);
    bench.surface.app().worlds.remove(bench.world.id());
    assert_eq!(whoami().await.status, 401);
    assert_eq!(bench.surface.app().worlds.tokens().count(), 0);
}

/// All that the log of a world keeps, from the beginning.
fn logged(world: &WorldHandle) -> Vec<Entry> {
    at_once(world.log().after(Position(0))).expect("a log that was never trimmed")
}

#[tokio::test(start_paused = true)]
async fn the_log_of_a_served_world_makes_the_same_world_again() {
    let bench = Bench::with(mode("60"), crate::SurfaceConfig::default());
    let world = &bench.world;
    let (token, decide) = (bench.token(0).await, |decision| world.decide(&decision).expect("a decision"));
    let account = bench.account(0);
    let first = bench.subscribe(0, account);
    tokio::time::sleep(Duration::from_secs(3)).await;
    decide(HostDecision::Keep("before".into()));
    decide(HostDecision::Settings(Box::new(SurfaceSettings { requests_kept: 7, ..world.settings() })));
    decide(HostDecision::Allowlist(vec!["192.0.2.0/24".parse().expect("a network")]));
    let on = Match { method: Some(Method::GET), ..Match::default() };
    decide(HostDecision::AddFaults(None, vec![(on, Verdict::DropAfter)]));
    cancel(&bench, first).expect("it can be canceled");
    cancel(&bench, OrderId::from_u128(1)).expect_err("there is none");
    while !world.jump(at("2026-03-06T07:00:00Z"), &mut Vec::new()).expect("a jump") {}
    assert_eq!(bench.ask(request(Method::GET, "/whoami", Some(&token), None)).await.status, 403);
    let replayed = || replay(world.origin(), None, &logged(world)).expect("a world").digest();
    assert_eq!(replayed(), world.read(World::digest).expect("a world"));
    decide(HostDecision::Restore("before".into()));
    bench.subscribe(0, account);
    assert_eq!(replayed(), world.read(World::digest).expect("a world"));
    decide(HostDecision::Reset);
    tokio::time::sleep(Duration::from_secs(1)).await;
    bench.account(0);
    assert_eq!(replayed(), world.read(World::digest).expect("a world"));
    let rule = &world.faults.list()[0];
    assert_eq!((&rule.on.method, rule.verdict), (&Some(Method::GET), Verdict::DropAfter));
    let first = SurfaceSettings::default().requests_kept;
    assert_eq!(
        (world.settings().requests_kept, world.allowlist.list().len()),
        (first, 1),
        "the list is the operator's"
    );
}

/// (rule: calendar/history)
#[test]
fn a_log_that_has_grown_keeps_places_to_begin_at_and_lets_the_oldest_inputs_go() {
    let bench = Bench::new();
    bench.world.set_settings(SurfaceSettings { inputs_kept: 1_000, ..bench.world.settings() });
    let start = bench.world.last_now();
    for ms in 1..=34_000 {
        bench.world.jump(start.plus(Millis(ms)), &mut Vec::new()).expect("a jump");
    }
    let log = bench.world.log();
    let (at, world) = at_once(log.snapshot(Position(34_000))).expect("a log").expect("a snapshot");
    assert!(at > Position(32_000) && at_once(log.after(Position(0))).is_err());
    let begin = at_once(log.begin()).expect("a log");
    assert!(begin > Position(16_000) && begin < at, "{begin:?} {at:?}");
    let rest = at_once(log.after(at)).expect("what came after");
    let rest: Vec<Entry> = rest.into_iter().chain(at_once(log.after(Position(at.0 + 1_000))).expect("more")).collect();
    let again = replay(bench.world.origin(), Some(&world), &rest).expect("a world");
    assert_eq!(again.digest(), bench.world.read(World::digest).expect("a world"));
}

fn digest(world: &WorldHandle) -> sim::digest::Digest {
    world.read(World::digest).expect("a world")
}

/// (rule: calendar/history)
#[tokio::test(start_paused = true)]
async fn a_world_stands_again_where_it_stood_at_any_input_and_at_any_instant() {
    let bench = Bench::new();
    let world = &bench.world;
    let account = bench.account(0);
    let start = world.last_now();
    // What it was like after each input, and at each instant at which somebody looked.
    let mut inputs = vec![(world.last_input(), digest(world))];
    let mut instants = vec![(start, digest(world))];
    for day in 1..=6 {
        bench.subscribe(0, account);
        inputs.push((world.last_input(), digest(world)));
        while !world.jump(start.plus(Millis::days(day)), &mut Vec::new()).expect("a jump") {}
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
async fn a_rewound_world_goes_on_from_there_and_its_log_makes_the_same_world_again() {
    let bench = Bench::new();
    let world = &bench.world;
    let replayed = || replay(world.origin(), None, &logged(world)).expect("a world").digest();
    let account = bench.account(0);
    let start = world.last_now();
    let days = |count| start.plus(Millis::days(count));
    let jump = |to| while !world.jump(to, &mut Vec::new()).expect("a jump") {};
    bench.subscribe(0, account);
    world.decide(&HostDecision::Keep("monday".into())).expect("kept");
    let monday = digest(world);
    jump(days(1));
    let tuesday = digest(world);
    bench.subscribe(0, account);
    jump(days(3));
    let thursday = world.last_input();
    let instance = world.instance_id();
    // Back to Tuesday, before the second order, and on by another way.
    let (point, _) = world.stood_at(Moment::Input(Position(thursday - 2))).await.expect("a past");
    assert_eq!(point.input.0, thursday - 2);
    world.rewind(Moment::Input(Position(thursday - 2))).await.expect("rewound");
    assert_eq!((digest(world), world.last_now()), (tuesday, days(1)));
    assert_ne!(world.instance_id(), instance, "who listens is told to leave");
    jump(days(2));
    let wednesday = digest(world);
    assert_eq!(replayed(), wednesday);
    // The line goes by Tuesday as it was, and no more by Thursday.
    assert_eq!(world.stood_at(Moment::Instant(days(1))).await.expect("a past").1.digest(), tuesday);
    assert_eq!(world.stood_at(Moment::Instant(days(3))).await.expect_err("none").status.as_u16(), 400);
    // What was left behind can be had by its number.
    let (_, left) = world.stood_at(Moment::Input(Position(thursday))).await.expect("a past");
    assert_eq!(left.now(), days(3));
    // Past a restore, and past a reset.
    world.decide(&HostDecision::Restore("monday".into())).expect("restored");
    bench.account(0);
    assert_eq!(world.stood_at(Moment::Instant(days(2))).await.expect_err("none").status.as_u16(), 400);
    world.rewind(Moment::Input(point.input)).await.expect("rewound");
    assert_eq!((digest(world), replayed()), (tuesday, tuesday));
    world.decide(&HostDecision::Reset).expect("a start");
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
        let bench = Bench::new();
        let settings = SurfaceSettings { events_kept: kept, ..bench.world.settings() };
        bench.world.set_settings(settings);
        let accounts: Vec<_> = (0..20).map(|_| bench.account(0)).collect();
        for account in accounts {
            bench.subscribe(0, account);
        }
        while !bench.world.jump(at("2026-03-09T07:00:00Z"), &mut Vec::new()).expect("a jump") {}
        (bench.world.feed.log().extent(), bench.world.read(sim::World::digest))
    };
    let (all, digest) = jumped(1_000_000);
    let (few, same) = jumped(7);
    assert_eq!((all.forgotten, few.kept, few.end, same), (0, 7, all.end, digest), "numbers count what was let go");
    assert_eq!(few.forgotten + few.kept, all.kept);
}

/// (rule: wire/memory)
#[tokio::test(start_paused = true)]
async fn a_world_at_its_bound_refuses_what_would_grow_and_is_read_and_reset() {
    use crate::hosting::memory::{Memory, MemoryBounds};
    let taken = Arc::new(std::sync::atomic::AtomicU64::new(0));
    let server = Arc::clone(&taken);
    let bounds = MemoryBounds { world: 30_000, server: 1_000_000 };
    let memory = Memory::new(bounds, move || server.load(std::sync::atomic::Ordering::Relaxed));
    let bench = Bench::with(Mode::Frozen, crate::SurfaceConfig { memory, ..Default::default() });
    let token = bench.token(0).await;
    let account = bench.account(0);
    let place = async || {
        let path = format!("/v2/partner/client/{}/order", bench.scope(0).client);
        let order = serde_json::json!({ "account": account, "orderType": "subscription", "instrument": "SE0SBX000016SEK", "amount": 700 });
        bench.ask(request(Method::POST, &path, Some(&token), Some(&order))).await
    };
    let mut placed = 0;
    let refused = loop {
        let answer = place().await;
        if answer.status != 200 {
            break answer;
        }
        placed += 1;
        assert!(placed < 100, "it grows without a bound");
    };
    assert!(placed > 3 && refused.status == 503, "{placed}: {:?}", refused.body);
    assert_eq!(refused.body["error"], "service_unavailable");
    let words = refused.body["error_description"].as_str().expect("words");
    assert!(words.starts_with("this world has all the memory that it may take"), "{words}");
    let advance = serde_json::json!({ "by": "P1D" });
    let advance = || request(Method::POST, "/_sandbox/worlds/world-1/clock/advance", None, Some(&advance));
    assert_eq!(bench.ask(advance()).await.status, 503);
    assert_eq!(bench.ask(request(Method::GET, "/whoami", Some(&token), None)).await.status, 200);
    let other =
        bench.surface.app().worlds.make(crate::testing::new_world(Mode::Frozen)).expect("another world has room");
    assert!(other.jump(other.last_now().plus(Millis(1)), &mut Vec::new()).expect("room"));
    bench.world.decide(&HostDecision::Reset).expect("it can be reset");
    assert_eq!(bench.ask(advance()).await.status, 200);
    taken.store(1_000_000, std::sync::atomic::Ordering::Relaxed);
    let made =
        bench.surface.app().worlds.make(crate::testing::new_world(Mode::Frozen)).expect_err("the server is full");
    assert_eq!(made.status.as_u16(), 503);
    assert_eq!(bench.ask(advance()).await.status, 503);
    assert_eq!(bench.ask(request(Method::GET, "/whoami", Some(&token), None)).await.status, 200);
}
