//! What bad receivers cost a server: nothing. And what two runs of one seed show of it: the same.

use super::*;
use deliveries::egress::Egress;
use deliveries::egress_client::EgressClient;
use feed::transport::TransportClock;
use hosting::secrets::ServerKey;
use hosting::worlds::{NewWorld, WorldHandle, WorldOrigin, Worlds};
use sim::command::{OpenAccount, PlaceOrder};
use sim::money::Amount;
use sim::records::{AccountType, Category, Proceeds, ServiceType, Side};
use sim::rng::Seed;
use sim::{Command, Reply};
use std::sync::Arc;
use std::time::UNIX_EPOCH;
use surface::SurfaceConfig;
use testing::Now as _;

const EPOCH: Duration = Duration::from_secs(1_767_225_600);

/// A demo world whose deliveries leave by the simulated network.
fn world(key: [u8; 32]) -> (Worlds, Arc<WorldHandle>) {
    let clock = TransportClock::given(|| EPOCH + ::turmoil::sim_elapsed().unwrap_or_default());
    let worlds = Worlds::new(ServerKey::fixed(&key), clock);
    let start = sim::time::Instant::parse("2026-03-02T07:00:00Z").expect("a moment");
    let origin = WorldOrigin { setup: Arc::new(hosting::setup::demo()), seed: Seed(42), start };
    let new = NewWorld::frozen(origin);
    let world = worlds.make(new).now().expect("a world");
    (worlds, world)
}

fn surface(worlds: &Worlds) -> surface::Surface {
    let egress_client = EgressClient::new(Arc::new(Simulated), Egress::open());
    sandbox::app(worlds.clone(), SurfaceConfig { egress_client, ..SurfaceConfig::default() })
}

/// One `order.create` of the first client.
fn order(world: &WorldHandle) {
    let scope = |world: &sim::World| {
        let client = sim::query::clients(world).next().expect("a client");
        sim::command::Scope { partner: client.partner, client: client.id }
    };
    let scope = world.read(scope).expect("a world");
    let open = OpenAccount {
        scope,
        account_type: AccountType::Isk,
        owner: None,
        name: None,
        service_type: ServiceType::ExecutionOnly,
        category: Category::Retail,
        cash: Amount::parse("10000").expect("an amount"),
        positions: Vec::new(),
        bank_accounts: Vec::new(),
        fund_knowledge: false,
    };
    let account = match world.submit(Command::OpenAccount(open), |_, reply| reply).now().expect("an account") {
        Reply::Account(account) => account.id,
        other => panic!("not an account: {other:?}"),
    };
    let order = PlaceOrder {
        scope,
        account,
        side: Side::Subscription,
        instrument: "SE0SBX000016SEK".parse().expect("a fund"),
        amount: Some(Amount::parse("1000").expect("an amount")),
        units: None,
        client_ref: None,
        executor: None,
        proceeds: Proceeds::Keep,
    };
    world.submit(Command::PlaceOrder(order), |_, _| ()).now().expect("an order");
}

fn register(world: &WorldHandle) {
    let client = world.read(|world| sim::query::clients(world).next().expect("a client").id).expect("a world");
    let url = format!("http://{HOST}/hook").into();
    world.subscribers.deliveries.register(world, (client, None), url, None, Some(vec!["order.create"])).expect("room");
}

/// What a simulation in a thread of its own makes of `story`, which runs on the host of the sandbox.
fn simulate<T, F>(receiver: Receiver, story: impl FnOnce(Arc<WorldHandle>) -> F + Send + 'static) -> T
where
    T: Send + 'static,
    F: Future<Output = T> + 'static,
{
    let run = move || {
        let (worlds, world) = world([7; 32]);
        let outcome = std::rc::Rc::new(std::cell::RefCell::new(None));
        let shared_outcome = std::rc::Rc::clone(&outcome);
        let mut simulation = ::turmoil::Builder::new()
            .rng_seed(42)
            .epoch(UNIX_EPOCH + EPOCH)
            .tick_duration(Duration::from_millis(50))
            .simulation_duration(Duration::from_secs(24 * 3_600))
            .tcp_capacity(1_024)
            .build();
        simulation.host(HOST, move || receiver.clone().host());
        simulation.client("sandbox", async move {
            let _surface = surface(&worlds);
            let result = story(world).await;
            *shared_outcome.borrow_mut() = Some(result);
            Ok(())
        });
        simulation.run().expect("the simulation ends well");
        outcome.take().expect("the story ends")
    };
    std::thread::spawn(run).join().expect("the thread ends")
}

#[test]
fn no_behaviour_of_a_receiver_costs_more_than_one_attempt_and_the_next_one_arrives() {
    // behaviour, seconds until the good second attempt, attempts
    let rows = [
        (Behaviour::Status(204), 0, 1),
        (Behaviour::Status(400), 0, 1),
        (Behaviour::Flood, 0, 1),
        (Behaviour::Status(500), 10, 2),
        (Behaviour::Redirect, 10, 2),
        (Behaviour::Close, 10, 2),
        (Behaviour::Slow(200, Duration::from_secs(9)), 0, 1),
        (Behaviour::Slow(200, Duration::from_secs(11)), 20, 2),
        (Behaviour::Hang, 20, 2),
        (Behaviour::Dribble, 20, 2),
    ];
    for (behaviour, second, attempts) in rows {
        let receiver = Receiver::default();
        receiver.answer_next([behaviour]);
        simulate(receiver.clone(), move |world| async move {
            register(&world);
            order(&world);
            tokio::time::sleep(Duration::from_secs(40)).await;
        });
        let (_, posts) = receiver.posts();
        let last = posts.last().expect("a post");
        assert_eq!(
            (posts.len(), (last.at + Duration::from_millis(500)).as_secs()),
            (attempts, second),
            "{behaviour:?}"
        );
        assert!(posts.iter().all(|post| post.path == "/hook"), "{behaviour:?}: nobody follows a redirect");
        let (connections, sent) = receiver.cost();
        assert_eq!(connections, attempts, "{behaviour:?}: one connection an attempt");
        assert!(sent <= 4 * 1024 * 1024, "{behaviour:?}: {sent} bytes were taken");
    }
}

#[test]
fn a_receiver_that_cannot_be_reached_is_tried_again_until_it_can() {
    let receiver = Receiver::default();
    let log = simulate(receiver.clone(), |world| async move {
        register(&world);
        ::turmoil::partition("sandbox", HOST);
        order(&world);
        tokio::time::sleep(Duration::from_secs(30)).await;
        ::turmoil::repair("sandbox", HOST);
        ::turmoil::hold("sandbox", HOST);
        tokio::time::sleep(Duration::from_secs(30)).await;
        ::turmoil::release("sandbox", HOST);
        tokio::time::sleep(Duration::from_secs(300)).await;
        world.subscribers.deliveries.look(|queue| queue.rows().map(|row| (*row.status, row.made)).collect::<Vec<_>>())
    });
    assert_eq!(log, [(deliveries::queue::Status::Delivered, 4)]);
    assert!(!receiver.posts().1.is_empty());
}

#[test]
fn one_seed_posts_the_same_bytes_at_the_same_moments_in_every_run() {
    let run = || {
        let receiver = Receiver::default();
        let habits =
            [Behaviour::Status(500), Behaviour::Hang, Behaviour::Close, Behaviour::Status(200), Behaviour::Redirect];
        receiver.answer_next(habits.into_iter().cycle().take(40));
        simulate(receiver.clone(), |world| async move {
            register(&world);
            for _ in 0..20 {
                order(&world);
                tokio::time::sleep(Duration::from_secs(3)).await;
            }
            tokio::time::sleep(Duration::from_secs(600)).await;
        });
        receiver.posts().1
    };
    let first = run();
    assert!(first.len() >= 30, "{}", first.len());
    assert_eq!(first, run());
}
