//! Worlds that are opened from a file with all that led to them.

use super::journal::digest;
use super::*;
use crate::worlds::capsule::Capsule;
use sim::ids::ClientId;

/// The worlds that the capsule of `world` makes, and the capsule as text.
async fn opened(world: &Arc<WorldHandle>) -> (Worlds, String) {
    let file = world.capsule().expect("a capsule").write().expect("a file");
    let capsule = Capsule::read(&file).expect("a capsule");
    let worlds = worlds();
    capsule.open(&worlds).await.expect("a world");
    (worlds, String::from_utf8(file).expect("text"))
}

/// What is opened from the capsule of `world` is that world, now and at each of these moments.
async fn is_the_same(world: &Arc<WorldHandle>, moments: impl IntoIterator<Item = u64>) -> Worlds {
    let (worlds, _) = opened(world).await;
    let again = worlds.oldest_well().expect("a world");
    assert_eq!((again.identity.id(), again.last_now()), (world.identity.id(), world.last_now()));
    let capsule = world.capsule().expect("a capsule");
    assert_eq!((digest(&again), capsule.now), (digest(world), world.last_now()));
    assert_eq!(capsule.digest, digest(&again).to_string());
    for moment in moments.into_iter().map(|input| Moment::Input(Position(input))) {
        let [was, is] = [world, &again].map(|world| world.stood_at(moment).now().expect("a past").1);
        assert_eq!((was.digest(), was.now()), (is.digest(), is.now()), "{moment:?}");
    }
    worlds
}

async fn register(world: &Arc<WorldHandle>, client: ClientId, key: &str) {
    let (url, key) = ("http://127.0.0.1:9/hook?token=of-the-partner".to_owned(), Some(key.to_owned()));
    world.decide(&HostDecision::Register { client, url, key, events: None }).await.expect("a webhook");
}

/// (rule: wire/capsules)
#[tokio::test(start_paused = true)]
async fn a_capsule_opens_as_the_world_that_was_written_with_its_past() {
    let hosted = Hosted::new();
    let world = &hosted.world;
    let account = hosted.account(0);
    hosted.subscribe(0, account);
    let input = world.last_input();
    let settings = SurfaceSettings { socket_cap: Duration::from_secs(7), ..world.edge.settings() };
    world.decide(&HostDecision::Settings(Box::new(settings))).await.expect("settings");
    while !world.jump(world.last_now().plus(Millis::days(3)), &mut Vec::new()).now().expect("a jump") {}
    hosted.subscribe(0, account);
    world.rewind(Moment::Input(Position(input))).await.expect("rewound");
    hosted.account(0);
    let worlds = is_the_same(world, 0..=world.last_input()).await;
    let again = worlds.oldest_well().expect("a world");
    assert_eq!(again.edge.settings(), world.edge.settings());

    let fork = hosted.worlds.fork(world, None).await.expect("a fork");
    is_the_same(&fork, 0..=fork.last_input()).await;
    // It can be continued by who has opened it.
    again.reset().await.expect("its start");
    assert_eq!(again.last_now(), again.identity.origin().start);
}

/// (rule: wire/capsules)
#[tokio::test(start_paused = true)]
async fn a_capsule_of_a_world_that_a_file_or_a_long_log_began_goes_back_as_far_as_the_world() {
    let hosted = Hosted::new();
    let account = hosted.account(0);
    hosted.subscribe(0, account);
    let brought = hosted.world.copy().expect("a world");
    let (origin, begin) = (hosted.world.identity.origin().clone(), brought.last_input());
    let new = NewWorld { origin, ..new_world(Mode::Frozen) };
    let taken = hosted.worlds.take_in(new, brought).await.expect("a world");
    is_the_same(&taken, [begin]).await;
    while !taken.jump(taken.last_now().plus(Millis::days(2)), &mut Vec::new()).now().expect("a jump") {}
    is_the_same(&taken, begin..=taken.last_input()).await;
}

/// (rule: wire/capsules)
#[tokio::test(start_paused = true)]
async fn an_opened_world_is_frozen_whatever_its_clock_was() {
    let hosted = Hosted::with(mode("3600"));
    hosted.account(0);
    tokio::time::advance(Duration::from_secs(60)).await;
    let (worlds, _) = opened(&hosted.world).await;
    let again = worlds.oldest_well().expect("a world");
    assert_eq!((again.mode(), again.last_now()), (Mode::Frozen, hosted.world.last_now()));
    tokio::time::advance(Duration::from_secs(600)).await;
    assert_eq!(again.copy().expect("a world").now(), again.last_now(), "it stands");
    assert!(hosted.world.copy().expect("a world").now() > again.last_now(), "the other one goes on");
}

/// (rule: wire/capsules)
#[tokio::test(start_paused = true)]
async fn a_capsule_has_no_key_that_signs_what_webhooks_are_sent() {
    let hosted = Hosted::new();
    let key = "whsec_c2VjcmV0LW9mLXRoZS1vd25lci1vZi10aGUtaG9vaw==";
    register(&hosted.world, hosted.scope(0).client, key).await;
    let (_, text) = opened(&hosted.world).await;
    assert!(!text.contains(key) && text.contains("of-the-partner"), "what partners wrote is there, as in a snapshot");
    let credentials = hosted.world.identity.credentials();
    for secret in credentials.iter().filter_map(|shown| shown.secret.known()) {
        assert!(!text.contains(secret.reveal()), "{text}");
    }
}

/// (rule: wire/capsules)
#[test]
fn what_is_no_capsule_is_refused_in_words() {
    for (file, words) in [
        ("", "it is no capsule"),
        ("[]", "it is no capsule"),
        (r#"{"kind":"fundsim snapshot","format":1}"#, "its kind is not `fundsim capsule`"),
        (r#"{"kind":"fundsim capsule","format":2}"#, "its format is 2, and 1 is what this version reads"),
        (r#"{"kind":"fundsim capsule","format":1}"#, "it is no whole capsule"),
    ] {
        let refused = Capsule::read(file.as_bytes()).expect_err("it is refused");
        assert!(refused.contains(words), "{file}: {refused}");
    }
}
