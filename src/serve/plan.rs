//! What a server is to begin with, put together from its configuration and the files that this names.
//!
//! Owns: the only place where the wall clock enters the program. Invariant: what a file holds is read, and refused, before anything is opened. Absent on
//! purpose: keys and folders.

use super::config::Config;
use super::memory;
use super::tls::Secured;
use crate::reference;
use crate::run;
use deliveries::connector::Tcp;
use deliveries::egress::Egress;
use deliveries::egress_client::EgressClient;
use deliveries::reach::Reach;
use feed::transport::Limits;
use hosting::clock::Mode;
use hosting::credentials::Source;
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
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use surface::SurfaceConfig;
use surface::admission::{HostName, HostNames};

/// Who can reach a server with this configuration at `address`.
pub(super) fn reach(config: &Config, address: SocketAddr) -> Reach {
    Reach::of([address.ip()], config.allow_host.iter().map(HostName::as_str), config.public_url.as_deref())
}

/// What has to be right before anything is opened.
pub(super) struct Plan {
    pub(super) setup: WorldSetup,
    start: Instant,
    /// What the file holds that the server is to continue from.
    pub(super) brought: Option<Brought>,
    mode: Mode,
    pub(super) operator_token: Option<String>,
}

impl Plan {
    pub(super) fn of(config: &Config) -> Result<Self, String> {
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

    /// How a server presents itself that listens there.
    pub(super) fn surface(
        &self,
        config: &Config,
        address: SocketAddr,
        secured: Option<&Secured>,
        metrics: &Metrics,
    ) -> Result<SurfaceConfig, String> {
        let reach = reach(config, address);
        let limits = Limits::default();
        Ok(SurfaceConfig {
            limits: Limits { stop: config.stop_within.unwrap_or(limits.stop), ..limits },
            public_url: config.public_url.clone().unwrap_or_else(|| url_of(address, secured.is_some())),
            operator_token: self.operator_token.clone().map(Secret::new),
            telemetry: Telemetry { metrics: metrics.clone() },
            default_clock: self.mode,
            worlds: config.worlds,
            egress_client: egress_client(config, reach.clone()),
            reach,
            open: config.open,
            hosts: HostNames { listening: Some(address.ip()), allowed: config.allow_host.clone() },
            scenario_writer: Some(record::file),
            reference: Some(reference::pages),
            long_work: LongWork::on_threads(),
            memory: memory::bounded(config.max_memory, config.max_world_memory).map_err(|error| error.to_string())?,
        })
    }

    /// The world that the server begins with, where it continues from none.
    pub(super) async fn first_world(&mut self, config: &Config, worlds: &Worlds) -> Result<Arc<WorldHandle>, String> {
        let seed = Seed(config.seed.unwrap_or_else(|| worlds.draw_seed()));
        let WorldSetup { world: setup, surface: first, credentials } = self.setup.clone();
        let new = |origin, credentials| NewWorld { name: None, origin, mode: self.mode, surface: first, credentials };
        let world = match self.brought.take() {
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
pub(super) fn url_of(address: SocketAddr, is_secure: bool) -> String {
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

/// The wall clock: time since 1970.
pub(super) fn since_epoch() -> std::time::Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
