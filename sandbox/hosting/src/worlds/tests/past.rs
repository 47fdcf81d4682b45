//! Worlds as they were before: going back again and again, long jumps that others come in between, and of what
//! the surface was set to.

use super::*;
use sim::time::Instant as BusinessTime;

fn jump(world: &Arc<WorldHandle>, to: BusinessTime) {
    while !world.jump(to, &mut Vec::new()).now().expect("a jump") {}
}

async fn then(world: &WorldHandle, moment: Moment) -> World {
    world.stood_at(moment).await.expect("a past").1
}

fn accounts(world: &World) -> usize {
    sim::query::every_account(world).count()
}

/// (rule: calendar/advance-stops)
#[test]
fn a_jump_of_which_the_last_timer_ends_a_slice_gets_there() {
    for slice in 1..=8 {
        let hosted = Hosted::new();
        let account = hosted.account(0);
        for _ in 0..4 {
            hosted.subscribe(0, account);
        }
        let goal = hosted.world.last_now().plus(Millis(600_000));
        let mut fired = Vec::new();
        while !hosted.world.jump_by(slice, goal, &mut fired).now().expect("a jump") {}
        assert_eq!((hosted.world.last_now(), fired.len()), (goal, 4), "slices of {slice}");
    }
}

/// (rule: calendar/history)
#[tokio::test(start_paused = true)]
async fn what_came_between_the_slices_of_a_jump_is_there_at_its_instant() {
    let hosted = Hosted::new();
    let world = &hosted.world;
    let goal = world.last_now().plus(Millis::days(30));
    let mut seen = Vec::new();
    let account = hosted.account(0);
    hosted.subscribe(0, account);
    while !world.jump_by(1, goal, &mut Vec::new()).now().expect("a jump") {
        hosted.account(0);
        if seen.len() < 8 {
            hosted.subscribe(0, account);
        }
        let now = world.last_now();
        seen.retain(|(at, _)| *at != now);
        seen.push((now, world.read(accounts).expect("a world")));
    }
    assert!(seen.len() > 5, "{seen:?}");
    for (at, count) in seen {
        // What was opened at this instant is there, and time has passed no further.
        let stood = then(world, Moment::Instant(at)).await;
        assert_eq!((stood.now(), accounts(&stood)), (at, count));
        let later = then(world, Moment::Instant(at.plus(Millis(1)))).await;
        assert_eq!((later.now(), accounts(&later)), (at.plus(Millis(1)), count));
    }
}

/// (rule: calendar/history)
#[tokio::test(start_paused = true)]
async fn going_back_again_and_again_carries_out_no_more_inputs_than_the_first_time() {
    let hosted = Hosted::new();
    let world = &hosted.world;
    let account = hosted.account(0);
    for _ in 0..5 {
        hosted.subscribe(0, account);
    }
    jump(world, world.last_now().plus(Millis::days(1)));
    let (input, now) = (Position(world.last_input()), world.last_now());
    let first = digest(world);
    for _ in 0..40 {
        jump(world, now.plus(Millis::days(1)));
        hosted.subscribe(0, account);
        jump(world, now.plus(Millis::days(2)));
        world.rewind(Moment::Instant(now)).await.expect("rewound");
        assert_eq!(digest(world), first);
        assert_eq!(world.carried_out_for(Moment::Instant(now)), input.0);
    }
    let of_fork = hosted.worlds.fork(world, None).now().expect("a fork");
    assert_eq!(of_fork.carried_out_for(Moment::Instant(now)), input.0);
    for _ in 0..40 {
        hosted.account(0);
        world.reset().await.expect("a start");
        assert_eq!(world.carried_out_for(Moment::Input(Position(world.last_input()))), 0);
    }
}

/// (rule: calendar/history)
#[tokio::test(start_paused = true)]
async fn the_way_to_a_moment_begins_at_a_copy_near_it_and_leads_to_what_was_there() {
    let hosted = Hosted::new();
    let account = hosted.account(0);
    let mut world = Arc::clone(&hosted.world);
    let mut moments = Vec::new();
    for round in 0..6 {
        for _ in 0..2_500 {
            jump(&world, world.last_now().plus(Millis::MINUTE));
        }
        world.submit(hosted.order(0, account), |_, _| ()).now().expect("an order");
        moments.push((world.last_now(), world.last_input(), digest(&world)));
        if round == 3 {
            // What was left is not mixed with what comes.
            let (at, ..) = moments.remove(1);
            world.rewind(Moment::Instant(at)).await.expect("rewound");
            moments.truncate(1);
        }
        if round == 4 {
            world = hosted.worlds.fork(&world, None).now().expect("a fork");
        }
    }
    for (at, input, was) in &moments {
        assert_eq!(then(&world, Moment::Instant(*at)).await.digest(), *was, "{at}");
        assert_eq!(then(&world, Moment::Input(Position(*input))).await.digest(), *was, "{at}");
    }
    let last = Moment::Input(Position(world.last_input()));
    assert!(world.carried_out_for(last) < 6_000, "{}", world.carried_out_for(last));
    let again = replay(world.identity.origin(), None, &logged(&world)).expect("a world");
    assert_eq!(again.digest(), digest(&world), "its log leads to where it stands");
}

/// (rule: calendar/history)
#[tokio::test(start_paused = true)]
async fn a_fork_of_a_fork_has_the_past_of_both() {
    let hosted = Hosted::new();
    let worlds = &hosted.worlds;
    let (start, account) = (hosted.world.last_now(), hosted.account(0));
    let hours = |count: i64| start.plus(Millis(count * 3_600_000));
    let mut moments = Vec::new();
    let mut world = Arc::clone(&hosted.world);
    for day in 0..6 {
        world.submit(hosted.order(0, account), |_, _| ()).now().expect("an order");
        jump(&world, hours(24 * day + 12));
        moments.push((world.last_now(), digest(&world)));
        jump(&world, hours(24 * day + 24));
        // As it was some hours ago, or as it is.
        let back = if day % 2 == 0 { 24 } else { 18 };
        let place = worlds.reserve().expect("room");
        let stood = world.stood_at(Moment::Instant(hours(24 * day + back))).await.expect("a past");
        world = worlds.fork_as(place, &world, stood, None).now().expect("a fork");
        for (at, was) in &moments {
            assert_eq!(then(&world, Moment::Instant(*at)).await.digest(), *was, "{at} in {}", world.identity.id());
        }
        let again = replay(world.identity.origin(), None, &logged(&world)).expect("a world");
        assert_eq!(again.digest(), digest(&world), "its log leads to where it stands");
        jump(&world, hours(24 * day + 24));
    }
    let (at, was) = moments[1];
    world.rewind(Moment::Instant(at)).await.expect("rewound");
    assert_eq!((world.last_now(), digest(&world)), (at, was));
}

/// (rule: calendar/what-goes-back)
#[tokio::test(start_paused = true)]
async fn the_surface_is_set_to_what_it_was_where_a_world_is_put_back_to() {
    let hosted = Hosted::new();
    let world = &hosted.world;
    let decide = |decision| drop(world.decide(&decision).now().expect("decided"));
    let set = |kept: usize, market: bool| {
        let settings = SurfaceSettings {
            requests_kept: kept,
            operator_market: market,
            strict_bodies: true,
            ..world.edge.settings()
        };
        decide(HostDecision::Settings(Box::new(settings)));
    };
    let first = world.edge.settings();
    let state_of = |world: &WorldHandle| (world.edge.settings().requests_kept, world.surface().waits[0].as_secs());
    let begun = state_of(world);
    set(5, false);
    decide(HostDecision::Waits(vec![Duration::from_secs(77)]));
    let five = Moment::Input(Position(world.last_input()));
    decide(HostDecision::Keep("five".into()));
    hosted.account(0);
    set(6, true);
    decide(HostDecision::Waits(vec![Duration::from_secs(88)]));
    decide(HostDecision::Allowlist(vec!["192.0.2.0/24".parse().expect("a network")]));
    let six = Moment::Input(Position(world.last_input()));
    let place = hosted.worlds.reserve().expect("room");
    let stood = world.stood_at(five).await.expect("a past");
    let fork = hosted.worlds.fork_as(place, world, stood, None).now().expect("a fork");
    assert_eq!(state_of(&fork), (5, 77));
    world.rewind(five).await.expect("rewound");
    assert_eq!(state_of(world), (5, 77));
    world.rewind(six).await.expect("rewound");
    assert_eq!(state_of(world), (6, 88));
    decide(HostDecision::Restore("five".into()));
    assert_eq!(state_of(world), (5, 77));
    for world in [world, &fork] {
        world.reset().await.expect("a start");
        assert_eq!((state_of(world), world.edge.settings().strict_bodies), (begun, first.strict_bodies));
        // What is the operator's to decide stays as it was decided last.
        assert_eq!((world.edge.settings().operator_market, world.edge.allowlist.list().len()), (true, 1));
    }
}

#[tokio::test(start_paused = true)]
async fn a_sealed_world_has_nothing_to_catch_up_with_and_none_is_made_any_more() {
    let hosted = Hosted::with(mode("real"));
    let worlds = &hosted.worlds;
    let account = hosted.account(0);
    hosted.subscribe(0, account);
    let fork = worlds.fork(&hosted.world, None).now().expect("a fork");
    worlds.seal();
    tokio::time::advance(Duration::from_secs(5)).await;
    assert!(hosted.world.catch_up() && fork.catch_up());
    let refused = worlds.make(new_world(Mode::Frozen)).now().expect_err("closing");
    assert_eq!((refused.status.as_u16(), &*refused.description), (503, "the server is closing"));
}

#[tokio::test(start_paused = true)]
async fn who_waits_for_a_change_or_watches_uses_a_world() {
    let worlds = worlds();
    worlds.set_bounds(WorldBounds { idle: Some(Duration::from_secs(600)), ..WorldBounds::default() });
    let [first, second, third] = [(); 3].map(|()| worlds.make(new_world(Mode::Frozen)).now().expect("a world"));
    assert!(worlds.remove(first.identity.id()).now().expect("no journal"));
    let gate = second.pass_gate().await;
    let watcher = third.watch();
    tokio::time::sleep(Duration::from_secs(700)).await;
    assert_eq!(worlds.drop_idle().now(), []);
    drop((gate, watcher));
    assert_eq!(worlds.drop_idle().now(), [], "they have just left");
    tokio::time::sleep(Duration::from_secs(700)).await;
    assert_eq!(
        worlds.drop_idle().now(),
        [second.identity.id(), third.identity.id()],
        "the first of all is gone, and none takes its place"
    );
}

#[test]
fn a_world_for_which_there_is_no_room_is_not_made() {
    let worlds = worlds();
    worlds.set_bounds(WorldBounds { most: 2, ..WorldBounds::default() });
    let first = worlds.make(new_world(Mode::Frozen)).now().expect("a world");
    let place = worlds.reserve().expect("room");
    let mut unsound = new_world(Mode::Frozen);
    unsound.origin.setup = Arc::new(sim::setup::Setup {
        partners: Vec::new(),
        ..sim::setup::Setup::clone(&first.identity.origin().setup)
    });
    assert_eq!(worlds.make(unsound.clone()).now().expect_err("no room").status.as_u16(), 503, "it was not looked at");
    assert_eq!(worlds.fork(&first, None).now().expect_err("no room").status.as_u16(), 503);
    assert_eq!(first.last_input(), 0, "nothing was decided");
    drop(place);
    assert_eq!(worlds.make(unsound).now().expect_err("unsound").status.as_u16(), 400);
    assert!(worlds.fork(&first, None).now().is_ok(), "the place of what was not made is free");
}

/// Numbers that only look random.
struct Draws(u64);

impl Draws {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % end
    }
}

/// What a world was like: after its inputs, and when its clock showed an instant of the line that it is on.
struct Seen {
    inputs: Vec<(u64, sim::digest::Digest)>,
    line: Vec<(BusinessTime, sim::digest::Digest)>,
}

impl Seen {
    fn note(&mut self, world: &WorldHandle) {
        let (input, now, digest) = (world.last_input(), world.last_now(), digest(world));
        self.inputs.retain(|(at, _)| *at != input);
        self.inputs.push((input, digest));
        self.line.retain(|(at, _)| *at < now);
        self.line.push((now, digest));
    }
}

/// (rule: calendar/history)
#[tokio::test(start_paused = true)]
async fn whatever_way_a_world_has_gone_each_of_its_moments_can_be_had() {
    for seed in 0..6 {
        let (hosted, mut draws) = (Hosted::new(), Draws(seed));
        let (world, worlds) = (&hosted.world, &hosted.worlds);
        let account = hosted.account(0);
        let mut kept: Vec<(String, Vec<(BusinessTime, sim::digest::Digest)>)> = Vec::new();
        let mut seen = Seen { inputs: Vec::new(), line: Vec::new() };
        seen.note(world);
        for step in 0..70 {
            match draws.below(10) {
                0 => drop(hosted.account(0)),
                1 | 2 => {
                    // Refused where the account is not there any more.
                    world.attempt(hosted.order(0, account), |_, _| ()).now().expect("a world").ok();
                }
                3 | 4 => {
                    let hours = [1, 6, 24, 24 * 9][draws.below(4)];
                    let to = world.last_now().plus(Millis(hours * 3_600_000));
                    let slice = 1 + draws.below(40);
                    while !world.jump_by(slice, to, &mut Vec::new()).now().expect("a jump") {}
                }
                5 => {
                    let name = format!("kept-{}", draws.below(3));
                    world.decide(&HostDecision::Keep(name.as_str().into())).now().expect("kept");
                    kept.retain(|(known, _)| *known != name);
                    kept.push((name, seen.line.clone()));
                }
                6 if !kept.is_empty() => {
                    let (name, line) = kept[draws.below(kept.len())].clone();
                    world.decide(&HostDecision::Restore(name.as_str().into())).now().expect("restored");
                    seen.line = line;
                }
                7 => {
                    let (input, was) = seen.inputs[draws.below(seen.inputs.len())];
                    world.rewind(Moment::Input(Position(input))).await.expect("rewound");
                    assert_eq!(digest(world), was, "seed {seed}, step {step}");
                    seen.line.clear();
                }
                8 => {
                    // More than once, to the same instant.
                    let (at, was) = seen.line[draws.below(seen.line.len())];
                    for _ in 0..=draws.below(4) {
                        world.rewind(Moment::Instant(at)).await.expect("rewound");
                        assert_eq!((world.last_now(), digest(world)), (at, was), "seed {seed}, step {step}");
                        let hour = at.plus(Millis(3_600_000));
                        while !world.jump_by(7, hour, &mut Vec::new()).now().expect("a jump") {}
                        hosted.account(0);
                    }
                    world.rewind(Moment::Instant(at)).await.expect("rewound");
                    seen.line.retain(|(earlier, _)| *earlier <= at);
                }
                9 => {
                    world.reset().await.expect("a start");
                    seen.line.clear();
                }
                _ => {}
            }
            seen.note(world);
            if step % 9 == 0 {
                let (input, was) = seen.inputs[draws.below(seen.inputs.len())];
                assert_eq!(then(world, Moment::Input(Position(input))).await.digest(), was, "seed {seed}, step {step}");
                let fork = worlds.fork(world, None).now().expect("a fork");
                for (at, was) in &seen.line {
                    for world in [world, &fork] {
                        let stood = then(world, Moment::Instant(*at)).await;
                        assert_eq!((stood.now(), stood.digest()), (*at, *was), "seed {seed}, step {step}");
                    }
                }
                worlds.remove(fork.identity.id()).now().expect("no journal");
            }
        }
        let whole = logged(world);
        let again = replay(world.identity.origin(), None, &whole).expect("a world");
        assert_eq!(again.digest(), digest(world), "seed {seed}");
        let last = Moment::Input(Position(world.last_input()));
        assert!(world.carried_out_for(last) < whole.len() as u64, "what was left is left out");
    }
}

/// (rule: calendar/history)
#[tokio::test(start_paused = true)]
async fn branches_say_what_began_them_when_and_how_many_inputs_they_have() {
    let hosted = Hosted::new();
    let world = &hosted.world;
    let start = world.last_now();
    let (monday, tuesday) = (start.plus(Millis::days(1)), start.plus(Millis::days(2)));
    let account = hosted.account(0);
    world.decide(&HostDecision::Keep("kept".into())).now().expect("kept");
    jump(world, monday);
    hosted.subscribe(0, account);
    let inputs = world.last_input();
    jump(world, tuesday);
    hosted.subscribe(0, account);
    let left = world.last_input();
    world.rewind(Moment::Input(Position(inputs))).await.expect("rewound");
    hosted.subscribe(0, account);
    world.decide(&HostDecision::Restore("kept".into())).now().expect("restored");
    world.decide(&HostDecision::Reset).now().expect("a start");
    let branch = |begin, at, continues, from, to, inputs| WorldBranch { begin, at, continues, from, to, inputs };
    let kept = world.snapshots.get(&"kept".into()).and_then(|kept| kept.origin).map(|(position, _)| position.0);
    assert_eq!(
        world.own_branches(),
        [
            branch(BranchBegin::Start, 0, None, start, tuesday, left),
            branch(BranchBegin::Rewind, left + 1, Some(inputs), monday, monday, 1),
            branch(BranchBegin::Restore, left + 3, kept, start, start, 0),
            branch(BranchBegin::Reset, left + 4, None, start, start, 0),
        ]
    );
}
