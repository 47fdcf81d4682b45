//! A server with worlds of its own, in memory or kept in a folder (`--data`).
//!
//! Invariant: what was taken is in the folder before the process ends as it should. Absent on purpose: several servers (`several.rs`).

use super::banner;
use super::config::Config;
use super::data::{self, Data};
use super::key;
use super::plan::{Plan, reach, since_epoch};
use super::serving::{Serving, Signals, announce};
use super::telling::Telling;
use super::tls::Secured;
use crate::exit::WELL;
use feed::transport::TransportClock;
use hosting::credentials::Kept;
use hosting::metrics::Metrics;
use hosting::worlds::{WorldHandle, Worlds};
use std::net::SocketAddr;
use std::sync::Arc;
use surface::Surface;
use tokio::net::TcpListener;

/// Serves until signals end it.
pub(super) async fn serve(config: &Config, plan: Plan, listener: TcpListener, signals: Signals) -> Result<u8, String> {
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    let Built { surface, world, telling, credentials, data, kept, secured } = build(plan, config, address).await?;
    announce(config, surface.app(), &world, &credentials, kept.as_ref(), secured.as_ref())?;
    let worlds = surface.app().worlds.clone();
    let mut serving =
        Serving { listener: Some(surface::server::tcp(listener)), secured: secured.map(Arc::new), signals };
    let code = serving.serve(surface, std::future::ready(())).await;
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
                code = serving.signals.next() => code,
            }
        }
    };
    telling.finish();
    Ok(code)
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

async fn build(mut plan: Plan, config: &Config, address: SocketAddr) -> Result<Built, String> {
    let is_private = plan.operator_token.is_none() && !config.open && !reach(config, address).is_by_others();
    let data = config.data.as_deref().map(Data::open).transpose()?;
    let (key, origin) = key::of(config, data.as_ref(), is_private)?;
    let secured = Secured::of(config, address.ip(), data.as_ref().map(Data::folder), since_epoch())?;
    let is_foreign = |kept: &Kept| !kept.is_of(&key);
    let are_new = plan.brought.as_ref().is_some_and(|it| it.credentials.as_ref().is_none_or(is_foreign));
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
    let surface = plan.surface(config, address, secured.as_ref(), &metrics)?;
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
        (None, None) => plan.first_world(config, &worlds).await?,
    };
    let credentials = banner::Credentials { origin, are_new };
    Ok(Built { surface: sandbox::app(worlds, surface), world, telling, credentials, data, kept, secured })
}
