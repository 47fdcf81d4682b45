//! One of several instances, which share the log of a database: `--log`.
//!
//! Invariant: all instances have the keys of the first, which the log keeps; nothing is printed before the instance leads or knows who does,
//! and has the worlds. Absent on purpose: following and leading, which is `instances`'.

use super::banner;
use super::config::{Config, Log};
use super::data::{ENTRIES, LASTING, PASSING, key_of};
use super::key::{Origin, named};
use super::plan::{Plan, since_epoch, url_of};
use super::serving::{Serving, Signals, announce};
use super::telling::Telling;
use super::tls::Secured;
use crate::exit::WELL;
use deliveries::connector::Tcp;
use feed::signal::Signal;
use feed::transport::TransportClock;
use hosting::journal::FORMAT;
use hosting::log::SERVER;
use hosting::metrics::Metrics;
use hosting::secrets::{KEY_LENGTH, ServerKey, drawn};
use hosting::worlds::{WorldHandle, Worlds};
use instances::{Host, Instance, Life, SharedLog};
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use surface::{Surface, SurfaceConfig};
use tokio::net::TcpListener;

/// Between two looks for the first world.
const LOOK: Duration = Duration::from_millis(20);

/// Serves as one of several instances until it is stopped.
pub(super) async fn serve(
    config: &Config,
    log: &Log,
    plan: Plan,
    listener: TcpListener,
    signals: Signals,
) -> Result<u8, String> {
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    let unusable = |why: String| format!("--log: {why}");
    let secured = Secured::of(config, address.ip(), None, since_epoch())?;
    let url = advertised(log, address, secured.is_some())?;
    let clock = TransportClock::starting_at(since_epoch());
    let metrics = Metrics::default();
    let telling = Telling::begin(config, clock.clone(), metrics.clone())?;
    if let Some(secured) = &secured {
        secured.warn();
    }
    let shared = instances::open(&log.url, &config.trust).await.map_err(unusable)?;
    let key = key(&*shared, config).await.map_err(unusable)?;
    let surface = plan.surface(config, address, secured.as_ref(), &metrics)?;
    let bare = sandbox::app(Worlds::new(key.clone(), clock.clone()), surface.clone());
    let app = bare.app().clone();
    let instance = Instance::new(bare, key.passphrase(), &config.trust, Arc::new(Tcp));
    let worlds = Arc::new(Mutex::new(None));
    let (stop, handed_over) = (Signal::default(), Signal::default());
    let life = Life {
        instance: instance.clone(),
        host: Arc::new(Sandbox { config: config.clone(), plan: tokio::sync::Mutex::new(plan), surface, key, clock }),
        log: shared,
        url,
        clocks_stand: config.clocks_stand,
        worlds: Arc::clone(&worlds),
        stop: stop.clone(),
        wall: since_epoch,
        handed_over: handed_over.clone(),
    };
    let mut living = tokio::spawn(life.live());
    let secured = secured.map(Arc::new);
    let announced = secured.clone();
    let announcing = async {
        let (leader, world) = ready(instance.clone(), worlds).await;
        let credentials = banner::Credentials { origin: Origin::Log(leader), are_new: false };
        if let Err(why) = announce(config, &app, &world, &credentials, None, announced.as_deref()) {
            tracing::error!(target: SERVER, world = world.identity.id().number(), "{}: {why}", world.identity.id());
        }
        // What is said once is all.
        std::future::pending::<()>().await;
    };
    let mut serving = Serving { listener: Some(surface::server::tcp(listener)), secured, signals };
    let hand_over = async {
        stop.raise();
        handed_over.raised().await;
    };
    // The port is served from the beginning: a caller who comes too early waits, or learns that nobody leads.
    let served = tokio::select! {
        biased;
        ended = &mut living => Err(match ended {
            Ok(Err(why)) => why,
            Ok(Ok(())) | Err(_) => "the instance has failed; the log says why".to_owned(),
        }),
        code = serving.serve(instance.clone(), hand_over) => Ok(code),
        () = announcing => Ok(WELL),
    };
    telling.finish();
    served
}

/// Why a log of another format cannot be used.
pub(super) fn other_format() -> String {
    format!("its entries have another format than this build knows, which is {FORMAT}")
}

/// Where other instances reach the server that listens at `address`.
fn advertised(log: &Log, address: SocketAddr, is_secure: bool) -> Result<String, String> {
    match &log.advertise {
        Some(url) => Ok(url.clone()),
        None if address.ip().is_unspecified() => Err(format!(
            "--log: the server listens on all addresses ({address}); say with --advertise URL at which of them other instances \
             reach it"
        )),
        None => Ok(url_of(address, is_secure)),
    }
}

/// The key that all instances have: that of the first one, or of the file that each of them names.
async fn key(log: &dyn SharedLog, config: &Config) -> Result<ServerKey, String> {
    let format = log.keep(ENTRIES, &u64::from(FORMAT).to_be_bytes()).await.map_err(|fault| fault.to_string())?;
    if format != u64::from(FORMAT).to_be_bytes() {
        return Err(other_format());
    }
    let named = named(config)?;
    let half = async |name: &str, named: Option<[u8; KEY_LENGTH]>| {
        let new = named.map_or_else(|| drawn().map_err(|error| format!("no randomness for secrets: {error}")), Ok)?;
        let kept = log.keep(name, &new).await.map_err(|fault| fault.to_string())?;
        key_of(kept).ok_or_else(|| format!("{name} is no key"))
    };
    let lasting = half(LASTING, named).await?;
    if named.is_some_and(|named| named != lasting) {
        return Err("its worlds were made with another key than --key-file holds".to_owned());
    }
    Ok(ServerKey::of_halves(&lasting, &half(PASSING, None).await?))
}

/// The leader's URL, if it is another one, and the oldest world, once there is one.
async fn ready(instance: Instance, worlds: Arc<Mutex<Option<Worlds>>>) -> (Option<Arc<str>>, Arc<WorldHandle>) {
    loop {
        let leader = instance.ready().await;
        let present = worlds.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(world) = present.and_then(|worlds| worlds.all().first().cloned()) {
            return (leader, world);
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// What an instance serves.
struct Sandbox {
    config: Config,
    plan: tokio::sync::Mutex<Plan>,
    surface: SurfaceConfig,
    key: ServerKey,
    clock: TransportClock,
}

impl Host for Sandbox {
    fn worlds(&self, life: u32) -> Worlds {
        let worlds = Worlds::continuing(self.key.clone(), self.clock.clone(), life);
        // What is done again may have links in it.
        worlds.set_public_url(&self.surface.public_url);
        worlds
    }

    fn first_world<'a>(&'a self, worlds: &'a Worlds) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'a>> {
        Box::pin(async move { self.plan.lock().await.first_world(&self.config, worlds).await.map(drop) })
    }

    fn surface(&self, worlds: Worlds) -> Surface {
        sandbox::app(worlds, self.surface.clone())
    }
}
