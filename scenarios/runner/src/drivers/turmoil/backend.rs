//! What answers at the host `sandbox`: its hosts, and what a crash means there.
//!
//! Invariant: a backend draws nothing but from the simulation's seed. Absent on purpose: who asks it.

use super::leaps::{HOST, Leaps};
use crate::drivers::receiver;
use deliveries::connector::Connector;
use deliveries::egress::Egress;
use deliveries::egress_client::EgressClient;
use feed::transport::TransportClock;
use hosting::recording::ScenarioWriter;
use hosting::secrets::ServerKey;
use hosting::worlds::Worlds;
use language::ast::Server;
use std::cell::{Cell, RefCell};
use std::future::{Future, pending};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use surface::{Surface, SurfaceConfig};

/// Where servers listen.
pub const PORT: u16 = 80;

/// What answers at the host `sandbox`.
pub trait Backend {
    /// Adds its hosts.
    fn begin(&self, hosts: &mut Hosts<'_, '_>);

    /// Carries out what a story asks of the server.
    fn server(&self, server: Server, hosts: &mut Hosts<'_, '_>);

    /// Called after each tick: outages of its own.
    fn ticked(&self, _: &mut Hosts<'_, '_>) {}

    /// Whether time in which nothing is due may pass in one tick.
    fn may_leap(&self) -> bool {
        true
    }
}

/// The hosts of a simulation.
pub struct Hosts<'s, 'h> {
    simulation: &'s mut ::turmoil::Sim<'h>,
    leaps: &'s Rc<Leaps>,
}

impl<'s, 'h> Hosts<'s, 'h> {
    pub(super) const fn new(simulation: &'s mut ::turmoil::Sim<'h>, leaps: &'s Rc<Leaps>) -> Self {
        Self { simulation, leaps }
    }

    /// Adds a host whose process is `work`, anew each time that it starts.
    pub fn add<F>(&mut self, name: &str, work: impl Fn() -> F + 'h)
    where
        F: Future<Output = ::turmoil::Result> + 'static,
    {
        let leaps = Rc::clone(self.leaps);
        self.simulation.host(name, move || Leaps::carried(&leaps, work()));
    }

    /// The process of a host is gone.
    pub fn crash(&mut self, name: &str) {
        self.simulation.crash(name);
    }

    /// The process of a host is gone, and another one starts.
    pub fn start_again(&mut self, name: &str) {
        self.simulation.bounce(name);
    }

    /// Nothing gets through between two hosts, and what was on its way is lost.
    pub fn cut(&mut self, one: &str, other: &str) {
        self.simulation.partition(one, other);
    }

    /// Everything waits between two hosts.
    pub fn hold(&mut self, one: &str, other: &str) {
        self.simulation.hold(one, other);
    }

    /// All is well between two hosts; what waited arrives.
    pub fn mend(&mut self, one: &str, other: &str) {
        self.simulation.release(one, other);
        self.simulation.repair(one, other);
    }

    /// How long a message takes between two hosts.
    pub fn set_latency(&mut self, one: &str, other: &str, latency: Duration) {
        self.simulation.set_link_latency(one, other, latency);
    }

    /// How long the simulation has run.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.simulation.elapsed()
    }
}

/// One server; its worlds outlive a crash unless they are forgotten.
#[derive(Clone)]
struct Alone {
    worlds: Rc<RefCell<Worlds>>,
    lives: Rc<Cell<u32>>,
    clock: TransportClock,
    scenario_writer: Option<ScenarioWriter>,
}

impl Alone {
    /// A server without worlds, on this clock.
    fn new(clock: TransportClock, scenario_writer: Option<ScenarioWriter>) -> Self {
        let worlds = Rc::new(RefCell::new(worlds_of(clock.clone(), 0)));
        Self { worlds, lives: Rc::default(), clock, scenario_writer }
    }

    fn forget(&self) {
        self.lives.set(self.lives.get() + 1);
        *self.worlds.borrow_mut() = worlds_of(self.clock.clone(), self.lives.get());
    }

    async fn serve(self) -> ::turmoil::Result {
        let listener = Listener::bind().await?;
        let served = written_by(self.scenario_writer, self.worlds.borrow().clone());
        surface::serve(listener, served, pending()).await;
        Ok(())
    }
}

/// One server as what answers in a run.
#[must_use]
pub fn alone(clock: TransportClock) -> Rc<dyn Backend> {
    Rc::new(Alone::new(clock, None))
}

/// One server that writes with `scenario_writer` what its worlds have seen.
pub fn recording(scenario_writer: ScenarioWriter) -> impl Fn(TransportClock) -> Rc<dyn Backend> {
    move |clock| Rc::new(Alone::new(clock, Some(scenario_writer)))
}

impl Backend for Alone {
    fn begin(&self, hosts: &mut Hosts<'_, '_>) {
        let server = self.clone();
        hosts.add(HOST, move || server.clone().serve());
    }

    fn server(&self, server: Server, hosts: &mut Hosts<'_, '_>) {
        match server {
            Server::Crashes => hosts.crash(HOST),
            Server::Restarts => hosts.start_again(HOST),
            Server::RestartsEmpty => {
                self.forget();
                hosts.start_again(HOST);
            }
        }
    }
}

/// The server key of runs. Known on purpose: equal runs make equal secrets, and transcripts mask them.
const SERVER_KEY: [u8; 32] = *b"fundsim: stories, never in earn.";

/// The key of every server of a run.
#[must_use]
pub fn server_key() -> ServerKey {
    ServerKey::fixed(&SERVER_KEY)
}

/// Empty worlds on the simulation's clock. A server that comes back empty issues other secrets than before.
fn worlds_of(clock: TransportClock, life: u32) -> Worlds {
    Worlds::incarnation(server_key(), clock, life)
}

/// A surface as runs use it: fixed key, silent log.
pub(in crate::drivers) fn surface(clock: TransportClock, way_out: impl Connector) -> Surface {
    sandbox::app(Worlds::new(server_key(), clock), config(way_out))
}

/// The surface of these worlds on the simulated network.
#[must_use]
pub fn served_by(worlds: Worlds) -> Surface {
    written_by(None, worlds)
}

/// The same, which writes with `scenario_writer` what its worlds have seen.
fn written_by(scenario_writer: Option<ScenarioWriter>, worlds: Worlds) -> Surface {
    sandbox::app(worlds, SurfaceConfig { scenario_writer, ..config(receiver::Simulated) })
}

/// Whatever network leads out leads nowhere else, so that nothing needs to be kept from it.
fn config(way_out: impl Connector) -> SurfaceConfig {
    let egress_client = EgressClient::new(Arc::new(way_out), Egress::open());
    SurfaceConfig { public_url: format!("http://{HOST}"), egress_client, ..SurfaceConfig::default() }
}

/// The simulated network's listener, as a server wants listeners.
pub struct Listener(::turmoil::net::TcpListener);

impl Listener {
    /// Listens at all addresses of the host.
    ///
    /// # Errors
    /// As the simulated network.
    pub async fn bind() -> io::Result<Self> {
        ::turmoil::net::TcpListener::bind((IpAddr::V4(Ipv4Addr::UNSPECIFIED), PORT)).await.map(Self)
    }
}

impl axum::serve::Listener for Listener {
    type Io = ::turmoil::net::TcpStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, SocketAddr) {
        loop {
            match self.0.accept().await {
                Ok(accepted) => return accepted,
                // Nothing but a passing fault of one connection; the next one may do better.
                Err(_) => tokio::time::sleep(Duration::from_millis(1)).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.local_addr()
    }
}
