//! A simulated network with the hosts `sandbox`, `partner`, `customer` and `receiver`, and those of a backend.
//!
//! Owns: the simulation, its fixed epoch and seed, and its outages. The partner's calls and sockets start at `partner`;
//! levers, the clock and the operator's calls start at `customer`, so that outages between partner and sandbox leaves the
//! world's own life alone. What answers at `sandbox` is a `Backend` (`backend.rs`): one server, unless a test has another.
//! Invariant: seed and epoch are always both set; ticks are whole milliseconds; the simulation
//! has an end. Absent on purpose: lost segments (`fail_rate`): streams without retransmission only ever stall by them.

mod backend;
mod leaps;

use super::http::Connection;
use super::receiver::{self, Receiver};
use super::{Doing, Driver, From, NoAnswer, Outage, Request, Response, Socket, Stream};
pub(super) use backend::surface;
pub use backend::{Backend, Hosts, Listener, PORT, alone, recording, served_by, server_key};
use feed::transport::TransportClock;
use futures_util::future::{join, join_all};
use hyper::HeaderMap;
use language::ast::{Network, Server};
use leaps::Leaps;
pub use leaps::{EPOCH, HOST};
use std::cell::RefCell;
use std::future::Future;
use std::io;
use std::rc::Rc;
use std::time::{Duration, UNIX_EPOCH};
use tokio::sync::{mpsc, oneshot};

/// A tick of stories.
pub const TICK: Duration = Duration::from_millis(1);

const LONGEST: Duration = Duration::from_secs(24 * 3600);
/// Segments in flight before a writer waits; small windows would make large answers slow.
const WINDOW: usize = 1024;

/// What the story asks of the simulation itself, between two ticks.
#[derive(Clone, Copy)]
enum Order {
    Server(Server),
    Latency(Duration),
}

type Orders = Rc<RefCell<Vec<Order>>>;
type PendingCall = (Request, oneshot::Sender<Result<Response, NoAnswer>>);

/// The story's end of the simulation.
pub struct Simulated {
    connection: Connection,
    requests: mpsc::UnboundedSender<PendingCall>,
    orders: Orders,
    receiver: Receiver,
    patience: Duration,
    tick: Duration,
    leaps: Rc<Leaps>,
}

/// Runs `story` on host `partner` before one server, with the network seeded by `seed`. In one `tick` every host has its turn
/// once and a message crosses the network: how long a run takes depends on how many there are, not on how long they last. Of a
/// wait only those ticks are run in which something happens. In builds that have rare points, `seed` draws them for the server,
/// too.
///
/// # Errors
/// When the simulation fails or does not end.
pub fn run<T, F>(seed: u64, tick: Duration, story: impl FnOnce(Simulated) -> F) -> io::Result<T>
where
    T: 'static,
    F: Future<Output = T> + 'static,
{
    run_before(&alone, seed, tick, story)
}

/// As `run`, before what `backend` makes, which has this clock.
///
/// # Errors
/// As `run`.
pub fn run_before<T, F>(
    backend: &dyn Fn(TransportClock) -> Rc<dyn Backend>,
    seed: u64,
    tick: Duration,
    story: impl FnOnce(Simulated) -> F,
) -> io::Result<T>
where
    T: 'static,
    F: Future<Output = T> + 'static,
{
    let _points = rare::begin(seed);
    let orders: Orders = Orders::default();
    let (requests, inbox) = mpsc::unbounded_channel();
    let outcome: Rc<RefCell<Option<T>>> = Rc::default();
    let shared_outcome = Rc::clone(&outcome);
    let leaps = Rc::new(Leaps::new(tick));
    let clock = leaps.clock();
    let backend = backend(clock.clone());
    let driver = Simulated {
        connection: Connection::default(),
        requests,
        orders: Rc::clone(&orders),
        receiver: Receiver::default(),
        patience: PATIENCE,
        tick,
        leaps: Rc::clone(&leaps),
    };
    let receiver = driver.receiver.clone();
    // Stories are large, and every host that carries one would move it.
    let story = Box::pin(story(driver));

    let mut simulation = ::turmoil::Builder::new()
        .rng_seed(seed)
        .epoch(UNIX_EPOCH + EPOCH)
        .tick_duration(tick)
        .simulation_duration(LONGEST)
        .min_message_latency(tick)
        .max_message_latency(tick)
        .tcp_capacity(WINDOW)
        .build();
    backend.begin(&mut Hosts::new(&mut simulation, &leaps));
    simulation.client("customer", Leaps::carried(&leaps, carry(inbox)));
    let partner = async move {
        let result = story.await;
        *shared_outcome.borrow_mut() = Some(result);
        Ok(())
    };
    simulation.client("partner", Leaps::carried(&leaps, partner));
    simulation.host(receiver::HOST, || Leaps::carried(&leaps, receiver.clone().host()));
    loop {
        if simulation.step().map_err(|error| io::Error::other(error.to_string()))? {
            break;
        }
        if backend.may_leap() {
            leaps.plan(&simulation, &clock, &receiver);
        }
        let mut hosts = Hosts::new(&mut simulation, &leaps);
        backend.ticked(&mut hosts);
        let due: Vec<_> = orders.borrow_mut().drain(..).collect();
        for order in due {
            match order {
                Order::Latency(latency) => hosts.set_latency("partner", HOST, latency),
                Order::Server(server) => backend.server(server, &mut hosts),
            }
        }
    }
    let result = outcome.borrow_mut().take();
    result.ok_or_else(|| io::Error::other("the simulation ended before the story"))
}

/// Sends what comes from outside until the story has ended: over one connection, and over a fresh one where that is busy.
async fn carry(mut inbox: mpsc::UnboundedReceiver<PendingCall>) -> ::turmoil::Result {
    let usual = Rc::new(tokio::sync::Mutex::new(Connection::default()));
    while let Some((request, answer)) = inbox.recv().await {
        let usual = Rc::clone(&usual);
        tokio::task::spawn_local(async move {
            let outcome = match usual.try_lock() {
                Ok(mut connection) => connection.call(request, HOST, PATIENCE, dial).await,
                Err(_) => Connection::default().call(request, HOST, PATIENCE, dial).await,
            };
            // The story may have given up on it.
            drop(answer.send(outcome));
        });
    }
    Ok(())
}

const PATIENCE: Duration = Duration::from_secs(10);

/// A further line gives up sooner: its user tries again.
const LINE_PATIENCE: Duration = Duration::from_secs(2);

async fn dial() -> io::Result<Box<dyn Stream>> {
    let stream = ::turmoil::net::TcpStream::connect((HOST, PORT)).await?;
    Ok(Box::new(stream))
}

/// Sends a request from where it starts: the partner's over its connection, all others from outside.
async fn send(
    request: Request,
    connection: &mut Connection,
    outside: &mpsc::UnboundedSender<PendingCall>,
    patience: Duration,
) -> Result<Response, NoAnswer> {
    if request.from == From::Partner {
        return connection.call(request, HOST, patience, dial).await;
    }
    let (answer, outcome) = oneshot::channel();
    outside.send((request, answer)).map_err(|_| NoAnswer("the network has stopped".to_owned()))?;
    outcome.await.unwrap_or_else(|_| Err(NoAnswer("the network has stopped".to_owned())))
}

impl Driver for Simulated {
    fn call(&mut self, request: Request) -> Doing<'_, Result<Response, NoAnswer>> {
        Box::pin(send(request, &mut self.connection, &self.requests, self.patience))
    }

    fn open_socket<'d>(&'d mut self, path: &'d str, headers: HeaderMap) -> Doing<'d, Result<Socket, NoAnswer>> {
        Box::pin(async move {
            let stream = match tokio::time::timeout(PATIENCE, dial()).await {
                Ok(stream) => stream.map_err(|error| NoAnswer(format!("cannot connect: {error}")))?,
                Err(_) => return Err(NoAnswer("cannot connect in time".to_owned())),
            };
            Socket::open(stream, HOST, path, headers, PATIENCE).await
        })
    }

    fn set_network(&mut self, network: Network) -> Doing<'_, Result<(), String>> {
        Box::pin(async move {
            match network {
                Network::Cut => ::turmoil::partition("partner", HOST),
                Network::Repaired => {
                    ::turmoil::repair("partner", HOST);
                    self.leaps.hold(false);
                }
                Network::Held => {
                    self.leaps.hold(true);
                    ::turmoil::hold("partner", HOST);
                }
                Network::Released => {
                    ::turmoil::release("partner", HOST);
                    self.leaps.hold(false);
                }
                Network::Latency { ms } => self.order(Order::Latency(Duration::from_millis(u64::from(ms)))).await,
            }
            Ok(())
        })
    }

    fn server(&mut self, server: Server) -> Doing<'_, Result<(), String>> {
        Box::pin(async move {
            self.order(Order::Server(server)).await;
            Ok(())
        })
    }

    fn pass(&mut self, span: Duration) -> Doing<'_, ()> {
        Box::pin(self.leaps.pass(span))
    }

    fn call_at_once(&mut self, requests: Vec<(Duration, Request)>) -> Doing<'_, Vec<Result<Response, NoAnswer>>> {
        Box::pin(async move {
            let (patience, outside) = (self.patience, self.requests.clone());
            // The first over the usual connection, the others over new ones.
            let mut fresh: Vec<Connection> = requests.iter().skip(1).map(|_| Connection::default()).collect();
            let connections = std::iter::once(&mut self.connection).chain(&mut fresh);
            let calls = requests.into_iter().zip(connections).map(|((pause, request), connection)| {
                let outside = &outside;
                async move {
                    tokio::time::sleep(pause).await;
                    send(request, connection, outside, patience).await
                }
            });
            join_all(calls).await
        })
    }

    fn call_struck(
        &mut self,
        request: Request,
        outage: Outage,
        pause: Duration,
    ) -> Doing<'_, Result<Result<Response, NoAnswer>, String>> {
        Box::pin(async move {
            let mut connection = std::mem::take(&mut self.connection);
            let (outside, patience) = (self.requests.clone(), self.patience);
            let strike = async {
                tokio::time::sleep(pause).await;
                match outage {
                    Outage::Cut => self.set_network(Network::Cut).await,
                    Outage::Held => self.set_network(Network::Held).await,
                    Outage::Crash => self.server(Server::Crashes).await,
                }
            };
            let (outcome, struck) = join(send(request, &mut connection, &outside, patience), strike).await;
            self.connection = connection;
            struck.map(|()| outcome)
        })
    }

    fn name(&self) -> &'static str {
        "turmoil"
    }

    fn receiver(&self) -> &Receiver {
        &self.receiver
    }

    fn patience(&self) -> Duration {
        self.patience
    }
}

/// A further line from where it is used to the server, beside the story's own.
#[derive(Default)]
pub struct SideConnection {
    connection: Connection,
}

impl SideConnection {
    /// Sends a request and waits, within bounds, for its answer.
    ///
    /// # Errors
    /// Why there was none.
    pub async fn call(&mut self, request: Request) -> Result<Response, NoAnswer> {
        self.connection.call(request, HOST, LINE_PATIENCE, dial).await
    }

    /// Opens an event socket.
    ///
    /// # Errors
    /// Why it did not open.
    pub async fn open_socket(&mut self, path: &str, headers: HeaderMap) -> Result<Socket, NoAnswer> {
        let stream = tokio::time::timeout(LINE_PATIENCE, dial()).await;
        let stream = stream.map_err(|_| NoAnswer("cannot connect in time".to_owned()))?;
        let stream = stream.map_err(|error| NoAnswer(format!("cannot connect: {error}")))?;
        Socket::open(stream, HOST, path, headers, LINE_PATIENCE).await
    }
}

impl Simulated {
    /// The partner waits no longer than this from now on.
    pub fn set_patience(&mut self, patience: Duration) {
        self.patience = patience;
    }

    /// Hands an order to the simulation and waits until it has been carried out.
    async fn order(&self, order: Order) {
        self.orders.borrow_mut().push(order);
        while !self.orders.borrow().is_empty() {
            tokio::time::sleep(self.tick).await;
        }
        // A tick more, so that a restarted server listens.
        tokio::time::sleep(self.tick * 2).await;
    }
}
