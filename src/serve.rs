//! `fundsim serve`: one world behind one address, until it is stopped.
//!
//! Owns: the only places where the wall clock and the operating system's randomness enter the program. Invariant: nothing
//! is printed on standard output before the port accepts; beyond loopback nobody listens without an operator's token
//! unless a flag says so explicitly.

mod banner;
mod config;
pub(crate) mod data;
#[cfg(feature = "otel")]
mod export;
mod key;
mod memory;
mod printer;
mod telling;
mod tls;

use crate::args::{Output, Serve};
use crate::exit::{UNUSABLE, WELL};
use crate::{out, run};
use config::Config;
use data::Data;
use deliveries::connector::Tcp;
use deliveries::egress::Egress;
use deliveries::egress_client::EgressClient;
use deliveries::reach::Reach;
use feed::transport::{Limits, TransportClock};
use hosting::clock::Mode;
use hosting::credentials::{Kept, Source};
use hosting::long_work::LongWork;
use hosting::memory::Memory;
use hosting::metrics::Metrics;
use hosting::secrets::Secret;
use hosting::setup::{self, WorldSetup};
use hosting::snapshot_file::{self, Brought};
use hosting::telemetry::Telemetry;
use hosting::worlds::{NewWorld, WorldHandle, WorldOrigin, Worlds};
use sim::rng::Seed;
use sim::time::Instant;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use surface::admission::{HostName, HostNames};
use surface::{Surface, SurfaceConfig};
use telling::Telling;
use tls::Secured;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Serves until Ctrl-C, SIGTERM or SIGHUP; with a certificate of files, SIGHUP has it read again.
pub(crate) fn serve(flags: &Serve) -> u8 {
    let config = match Config::of(flags) {
        Ok(config) => config,
        Err(config::Unusable::Faults(faults)) => {
            out::faults(&faults);
            return UNUSABLE;
        }
        Err(config::Unusable::Why(why)) => return out::refuse(&why),
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return out::refuse(&format!("no runtime: {error}")),
    };
    let code = match runtime.block_on(listen(&config)) {
        Ok(code) => code,
        Err(why) => out::refuse(&why),
    };
    // Whatever is still at work has had its time: a stop waits for nobody.
    runtime.shutdown_background();
    code
}

async fn listen(config: &Config) -> Result<u8, String> {
    let plan = Plan::of(config)?;
    let addresses = tokio::net::lookup_host(&config.listen).await;
    let addresses: Vec<SocketAddr> =
        addresses.map_err(|error| format!("--listen {}: {error}", config.listen))?.collect();
    guard(config, &addresses, plan.operator_token.is_some())?;
    let listener = TcpListener::bind(addresses.as_slice()).await;
    let listener = listener.map_err(|error| format!("cannot listen on {}: {error}", config.listen))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    // From here on a signal stops the server as it should, not the process.
    let mut signals = Signals::new()?;

    let Built { surface, world, telling, credentials, data, kept, secured } = plan.build(config, address).await?;
    let mut line = sandbox::planes::operator::line(surface.app(), &world).map_err(|error| error.description)?;
    if let (Some(secured), Some(line)) = (&secured, line.as_object_mut()) {
        line.insert("tls".to_owned(), secured.json());
    }
    let worlds = surface.app().worlds.clone();
    match config.output {
        Output::Json => out::say(&format!("{line}\n")),
        Output::Text => out::say(&banner::text(&line, world.mode(), &credentials, kept.as_ref(), secured.as_ref())),
    }
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let listener = surface::server::tcp(listener);
    let certificate = secured.as_ref().map(Secured::tls);
    let mut serving = pin!(surface::serve_by(listener, certificate, surface, async { drop(stopped.await) }));
    let of_files = secured.as_ref().filter(|secured| secured.is_of_files());
    loop {
        tokio::select! {
            biased;
            () = serving.as_mut() => return Ok(WELL),
            asked = signals.next() => match (asked, of_files) {
                (HANG_UP, Some(secured)) => secured.reload(since_epoch()),
                _ => break,
            }
        }
    }
    out::note_when_read("closing: sockets are closed, connections finish; another signal stops immediately\n");
    drop(stop);
    let code = loop {
        tokio::select! {
            biased;
            () = serving.as_mut() => break WELL,
            code = signals.next() => match (code, of_files) {
                // A server that closes takes no new connections.
                (HANG_UP, Some(_)) => {}
                _ => break code,
            }
        }
    };
    let code = match data.filter(|_| code == WELL) {
        None => code,
        Some(data) => {
            worlds.seal();
            let kept = async {
                worlds.stopped().await;
                // Whatever it says, nothing more can be done about it.
                drop(tokio::task::spawn_blocking(move || data.finish()).await);
            };
            // A disk that does not answer holds nobody up who has said it twice.
            tokio::select! {
                biased;
                () = kept => WELL,
                code = signals.next() => code,
            }
        }
    };
    telling.finish();
    Ok(code)
}

/// Everybody who can reach the port can work the machinery, unless a token guards it.
fn guard(config: &Config, addresses: &[SocketAddr], has_token: bool) -> Result<(), String> {
    if has_token || config.open {
        return Ok(());
    }
    let refuse = |what: String| {
        Err(format!(
            "{what} can be reached from other machines, and so could the operator's plane: name a token with \
             --operator-token-env, or say --open"
        ))
    };
    let is_by_others = |address: &&SocketAddr| Reach::of([address.ip()], [], None).is_by_others();
    if let Some(address) = addresses.iter().find(is_by_others) {
        return refuse(address.to_string());
    }
    let is_by_name = |name: &&HostName| Reach::of([], [name.as_str()], None).is_by_others();
    if let Some(name) = config.allow_host.iter().find(is_by_name) {
        return refuse(format!("a server with --allow-host {}", name.as_str()));
    }
    match &config.public_url {
        Some(url) if Reach::of([], [], Some(url)).is_by_others() => refuse(format!("a server with --public-url {url}")),
        _ => Ok(()),
    }
}

/// Who can reach a server with this configuration at `address`.
fn reach(config: &Config, address: SocketAddr) -> Reach {
    Reach::of([address.ip()], config.allow_host.iter().map(HostName::as_str), config.public_url.as_deref())
}

/// What has to be right before anything is opened.
struct Plan {
    setup: WorldSetup,
    start: Instant,
    /// What the file holds that the server is to continue from.
    brought: Option<Brought>,
    mode: Mode,
    operator_token: Option<String>,
}

impl Plan {
    fn of(config: &Config) -> Result<Self, String> {
        let setup = match &config.setup {
            Some((path, value)) if snapshot_file::is_one(value) => {
                return Err(format!("{}: this is a snapshot of a world; give it as --snapshot", path.display()));
            }
            Some((path, value)) => {
                setup::parse(value).map_err(|error| format!("{}: {}", path.display(), error.description))?
            }
            None => WorldSetup::default(),
        };
        let start = match &config.start {
            Some(text) => Instant::parse(text)
                .map_err(|error| format!("--start {text}: {error}; as in 2026-03-02T08:00:00+01:00"))?,
            None => present(),
        };
        let clock = config.clock.as_deref().unwrap_or("real");
        let mode = clock.parse().map_err(|error| format!("--clock {clock}: it {error}"))?;
        let operator_token = run::operator_token(config.operator_token_env.as_deref())?;
        let brought = config.snapshot.as_deref().map(brought).transpose()?;
        Ok(Self { setup, start, brought, mode, operator_token })
    }

    async fn build(self, config: &Config, address: SocketAddr) -> Result<Built, String> {
        let reach = reach(config, address);
        let is_private = self.operator_token.is_none() && !config.open && !reach.is_by_others();
        let data = config.data.as_deref().map(Data::open).transpose()?;
        let (key, origin) = key::of(config, data.as_ref(), is_private)?;
        let secured = Secured::of(config, address.ip(), data.as_ref().map(Data::folder), since_epoch())?;
        let is_foreign = |kept: &Kept| !kept.is_of(&key);
        let are_new = self.brought.as_ref().is_some_and(|it| it.credentials.as_ref().is_none_or(is_foreign));
        let clock = TransportClock::starting_at(since_epoch());
        let metrics = Metrics::default();
        let telling = Telling::begin(config, clock.clone(), metrics.clone())?;
        if let Some(secured) = &secured {
            secured.warn();
        }
        let worlds = match &data {
            Some(data) => Worlds::continuing(key, clock, data.count_start()?),
            None => Worlds::new(key, clock),
        };
        let limits = Limits::default();
        let surface = SurfaceConfig {
            limits: Limits { stop: config.stop_within.unwrap_or(limits.stop), ..limits },
            public_url: config.public_url.clone().unwrap_or_else(|| url_of(address, secured.is_some())),
            operator_token: self.operator_token.clone().map(Secret::new),
            telemetry: Telemetry { metrics },
            default_clock: self.mode,
            worlds: config.worlds,
            egress_client: egress_client(config, reach.clone()),
            reach,
            open: config.open,
            hosts: HostNames { listening: Some(address.ip()), allowed: config.allow_host.clone() },
            scenario_writer: Some(record::file),
            long_work: LongWork::on_threads(),
            memory: memory::bounded(config.max_memory, config.max_world_memory).map_err(|error| error.to_string())?,
        };
        // What is made again may have links in it.
        worlds.set_public_url(&surface.public_url);
        let kept = match &data {
            Some(data) => Some(data.recover(&worlds, config.clocks_stand).await?),
            None => None,
        };
        let world = match (worlds.oldest_well(), worlds.unreadable().first()) {
            (Some(world), _) => world,
            // No other world takes the place of one that a partner relies on.
            (None, Some((world, why))) => {
                return Err(format!("none of the worlds that are kept can be served: {world}: {}", why.description));
            }
            (None, None) => self.first_world(config, &worlds).await?,
        };
        let credentials = banner::Credentials { origin, are_new };
        Ok(Built { surface: sandbox::app(worlds, surface), world, telling, credentials, data, kept, secured })
    }

    /// The world that the server begins with, where it continues from none.
    async fn first_world(self, config: &Config, worlds: &Worlds) -> Result<Arc<WorldHandle>, String> {
        let seed = Seed(config.seed.unwrap_or_else(|| worlds.draw_seed()));
        let WorldSetup { world: setup, surface: first, credentials } = self.setup;
        let new = |origin, credentials| NewWorld { name: None, origin, mode: self.mode, surface: first, credentials };
        let world = match self.brought {
            Some(Brought { origin, world, credentials }) => {
                let source = credentials.map_or_else(Source::default, Source::File);
                worlds.take_in(new(origin, source), world).await
            }
            None => {
                let origin = WorldOrigin { setup: Arc::new(setup), seed, start: self.start };
                worlds.make(new(origin, Source::Setup(credentials))).await
            }
        };
        let world = world.map_err(|error| error.description)?;
        world.edge.recording.begins_with(config.setup.as_ref().map(|(_, setup)| setup.clone()));
        Ok(world)
    }
}

/// What a start has made.
struct Built {
    surface: Surface,
    world: Arc<WorldHandle>,
    telling: Telling,
    credentials: banner::Credentials,
    /// Where worlds are kept, and what was found there.
    data: Option<Data>,
    kept: Option<data::Kept>,
    /// How TLS is spoken, where it is.
    secured: Option<Secured>,
}

/// The world in a file, and what it was made from.
fn brought(path: &Path) -> Result<Brought, String> {
    let unusable = |why: String| format!("{}: {why}", path.display());
    let bytes = std::fs::metadata(path).and_then(|metadata| match metadata.len() {
        length if !metadata.is_file() || length > snapshot_file::LARGEST as u64 => {
            Err(io::Error::other("it is not a file, or too large"))
        }
        _ => std::fs::read(path),
    });
    let bytes = bytes.map_err(|error| unusable(error.to_string()))?;
    snapshot_file::read(&bytes, &Memory::default()).map_err(|error| unusable(error.description))
}

/// How callbacks and webhooks leave: over this machine's network, under the rule that follows from who can reach the server.
fn egress_client(config: &Config, reach: Reach) -> EgressClient {
    let rule = Egress::of(reach, config.allow_egress.clone());
    EgressClient::trusting(
        Arc::new(Tcp),
        Egress { refuse_loopback: rule.refuse_loopback || config.no_loopback_egress, ..rule },
        config.trust.clone(),
    )
}

/// How a program on this machine reaches the address.
fn url_of(address: SocketAddr, is_secure: bool) -> String {
    let ip = match address {
        SocketAddr::V4(v4) if v4.ip().is_unspecified() => "127.0.0.1".to_owned(),
        SocketAddr::V6(v6) if v6.ip().is_unspecified() => "[::1]".to_owned(),
        SocketAddr::V4(v4) => v4.ip().to_string(),
        SocketAddr::V6(v6) => format!("[{}]", v6.ip()),
    };
    let scheme = if is_secure { "https" } else { "http" };
    format!("{scheme}://{ip}:{}", address.port())
}

fn present() -> Instant {
    Instant::from_ms(i64::try_from(since_epoch().as_millis()).unwrap_or(i64::MAX))
}

fn since_epoch() -> std::time::Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// The exit code of SIGHUP.
const HANG_UP: u8 = 129;

/// Ctrl-C, SIGTERM and SIGHUP, which a terminal sends that is closed; each with the exit code that shells know it by.
struct Signals {
    hang_up: Signal,
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    /// Listening for them begins at once.
    fn new() -> Result<Self, String> {
        let listen = |kind| signal(kind).map_err(|error| error.to_string());
        Ok(Self {
            hang_up: listen(SignalKind::hangup())?,
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
        })
    }

    /// The exit code of a process that the next signal ends: 128 and its number.
    async fn next(&mut self) -> u8 {
        tokio::select! {
            biased;
            _ = self.hang_up.recv() => HANG_UP,
            _ = self.interrupt.recv() => 130,
            _ = self.terminate.recv() => 143,
        }
    }
}
