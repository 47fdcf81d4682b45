//! Worlds beside each other, as those who ask for them see them.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::http::{HeaderValue, Method};
use feed::rights::Rights;
use hosting::clock::Mode;
use hosting::decision::HostDecision;
use hosting::world_id::WorldId;
use hosting::worlds::WorldBounds;
use sim::Command;
use sim::time::Millis;
use surface::SurfaceConfig;
use testing::Now as _;

use crate::testing::{Bench, new_world, request};

#[tokio::test(start_paused = true)]
async fn a_world_that_nobody_uses_is_dropped_but_the_first() {
    let bounds = WorldBounds { idle: Some(Duration::from_secs(600)), ..WorldBounds::default() };
    let bench = Bench::with(Mode::Frozen, SurfaceConfig { worlds: bounds, ..SurfaceConfig::default() });
    let worlds = bench.worlds.clone();
    let names = || worlds.all().iter().map(|world| world.identity.id().number()).collect::<Vec<_>>();
    let asked = |world: u64| format!("/_sandbox/worlds/world-{world}/clock");
    let (unused, used, watched) = (2, 3, 4);
    for _ in [unused, used, watched] {
        worlds.make(new_world(Mode::Frozen)).now().expect("a world");
    }
    let listening = worlds.get(WorldId::from_number(watched)).expect("a world");
    let client = listening.read(|world| sim::query::clients(world).next().map(|client| (client.partner, client.id)));
    let (partner, client) = client.expect("a world").expect("a client");
    let socket = listening.subscribers.feed.enter(
        partner,
        client,
        listening.transport_clock().now(),
        Rights::ALL,
        &listening.edge.settings(),
    );
    let socket = socket.expect("room");
    let over = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let is_over = {
        let over = Arc::clone(&over);
        move || over.load(Ordering::Relaxed)
    };
    let dropping = tokio::spawn(worlds.clone().keep_dropping_idle(is_over));
    tokio::time::sleep(Duration::from_secs(500)).await;
    bench.ask(request(Method::GET, &asked(used), None, None)).await;
    tokio::time::sleep(Duration::from_secs(200)).await;
    assert_eq!(names(), [1, used, watched]);
    listening.subscribers.feed.leave(socket.id);
    tokio::time::sleep(Duration::from_secs(700)).await;
    assert_eq!(names(), [1]);
    over.store(true, Ordering::Relaxed);
    dropping.await.expect("it ends");
}

#[tokio::test]
async fn a_panic_while_changing_closes_the_world_and_no_other() {
    let bench = Bench::new();
    let token = bench.token(0).await;
    let account = bench.account(0);
    let order = bench.subscribe(0, account);
    let fork = bench.worlds.fork(&bench.world, None).now().expect("a fork");
    let digest = fork.read(sim::World::digest).expect("a digest");
    let command = Command::CancelOrder { scope: bench.scope(0), order };
    let broken = bench.world.break_for_test("as intended");
    assert_eq!((broken.status.as_u16(), broken.error), (503, "service_unavailable"));
    let refused = bench.world.submit(command, |_, _| ()).now().expect_err("closed");
    assert_eq!((refused.status.as_u16(), bench.world.read(|_| ()).is_err()), (503, true));
    let failure = bench.world.failure().expect("a failure");
    assert_eq!((failure.message.as_str(), failure.at), ("as intended", bench.world.last_now()));
    let shown = bench.ask(request(Method::GET, "/_sandbox/worlds/current", Some(&token), None)).await;
    assert_eq!((shown.status, shown.body["failure"]["message"].as_str()), (200, Some("as intended")));
    let given = bench.ask(request(Method::GET, "/_sandbox/worlds/current/requests", Some(&token), None)).await;
    assert_eq!((given.status, given.body["total"].as_u64()), (200, Some(2)), "its record is kept");
    assert_eq!(fork.read(sim::World::digest), Ok(digest), "the others go on");
    bench.world.decide(&HostDecision::Reset).now().expect("a start");
    assert!(bench.world.failure().is_none());
    bench.account(0);
}

#[tokio::test]
async fn tokens_of_a_dropped_world_open_nothing_and_those_of_a_reset_one_stay() {
    let bench = Bench::new();
    let token = bench.token(0).await;
    let whoami = || bench.ask(request(Method::GET, "/whoami", Some(&token), None));
    bench.world.decide(&HostDecision::Reset).now().expect("a start");
    assert_eq!(whoami().await.status, 200);
    bench.worlds.remove(bench.world.identity.id()).now().expect("no journal");
    assert_eq!(whoami().await.status, 401);
    assert_eq!(bench.worlds.tokens().count(), 0);
}

/// (rule: wire/memory)
#[tokio::test(start_paused = true)]
async fn a_world_at_its_bound_refuses_what_would_grow_and_is_read_and_reset() {
    use hosting::memory::{Memory, MemoryBounds};
    let taken = Arc::new(std::sync::atomic::AtomicU64::new(0));
    let server = Arc::clone(&taken);
    let bounds = MemoryBounds { world: 30_000, server: 1_000_000 };
    let memory = Memory::new(bounds, move || server.load(std::sync::atomic::Ordering::Relaxed));
    let bench = Bench::with(Mode::Frozen, SurfaceConfig { memory, ..Default::default() });
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
    let other = bench.worlds.make(new_world(Mode::Frozen)).now().expect("another world has room");
    assert!(other.jump(other.last_now().plus(Millis(1)), &mut Vec::new()).now().expect("room"));
    bench.world.decide(&HostDecision::Reset).now().expect("it can be reset");
    assert_eq!(bench.ask(advance()).await.status, 200);
    taken.store(1_000_000, std::sync::atomic::Ordering::Relaxed);
    let made = bench.worlds.make(new_world(Mode::Frozen)).now().expect_err("the server is full");
    assert_eq!(made.status.as_u16(), 503);
    assert_eq!(bench.ask(advance()).await.status, 503);
    assert_eq!(bench.ask(request(Method::GET, "/whoami", Some(&token), None)).await.status, 200);
}

/// (rule: wire/observers)
#[tokio::test(start_paused = true)]
async fn who_only_looks_on_keeps_no_world_from_expiring() {
    let bounds = WorldBounds { idle: Some(Duration::from_secs(60)), ..Default::default() };
    let config = SurfaceConfig { worlds: bounds, ..Default::default() };
    let bench = Bench::with(Mode::Frozen, config);
    let worlds = &bench.surface.app().worlds;
    let other = worlds.make(new_world(Mode::Frozen)).now().expect("a world");
    for (says, is_used) in [("false", true), ("true", false)] {
        tokio::time::advance(Duration::from_secs(59)).await;
        let mut sent = request(Method::GET, &format!("/_sandbox/worlds/{}/clock", other.identity.id()), None, None);
        sent.headers_mut().insert("fundsim-observer", HeaderValue::from_static(says));
        assert_eq!(bench.ask(sent).await.status, 200);
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_eq!(worlds.drop_idle().now(), if is_used { vec![] } else { vec![other.identity.id()] });
    }
}
