//! What the surface before a world starts with: its settings, the waits between the attempts of a delivery, and who may call.
//!
//! Invariant: the same keys are read here and where a running world is changed. Absent on purpose: what they do.

use std::sync::Arc;
use std::time::Duration;

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ArrayBuilder, Schema, Type};

use super::settings::{over, properties, shown};
use crate::hosting::deliveries::queue::Policy;
use crate::hosting::network::Network;
use crate::hosting::partners_may::{WORLD_ACTS, WorldActs};
use crate::hosting::transport::SurfaceSettings;
use crate::wire::fields::{self, Fields, Row, Spot};
use crate::wire::shape::{Kind as _, Readable as _, Schemas, described, plain};
use crate::wire::words::of_words;
use serde_json::{Map, Value as Json, json};

/// Longest wait that can be set, in seconds: a year.
const LONGEST: u64 = 366 * 86_400;

/// Most waits between the attempts of a delivery.
const MOST_WAITS: usize = 100;

const WAITS: Row = Row { name: "deliveryWaitsSeconds", about: "Waits between the attempts of a delivery." };
const ALLOWLIST: Row = Row { name: "allowlist", about: "Networks from which the API may be called; all when empty." };

const PARTNERS_MAY: Row = Row {
    name: "partnersMay",
    about: "What partners that share the world may do to all of it; the operator's to change.",
};

/// What a world's surface starts with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SurfaceSetup {
    /// Its tunables.
    pub settings: SurfaceSettings,
    /// Waits between the attempts of a delivery.
    pub waits: Vec<Duration>,
    /// Networks from which the API may be called; all when empty (rule: auth/allowlist).
    pub allowlist: Vec<Network>,
    /// What partners that share the world may do to all of it (rule: auth/shared-worlds).
    pub partners_may: WorldActs,
}

impl Default for SurfaceSetup {
    fn default() -> Self {
        Self {
            settings: SurfaceSettings::default(),
            waits: Policy::default().waits,
            allowlist: Vec::new(),
            partners_may: WorldActs::default(),
        }
    }
}

impl SurfaceSetup {
    /// Reads it; what is left out stays as it is in `self`.
    pub fn over(&self, given: &mut Fields<'_, '_>) -> Option<Self> {
        let settings = over(given, SurfaceSettings::ROWS, &self.settings);
        let waits = given.optional(WAITS, described(waits, schema_of_waits));
        let allowlist = given.optional(ALLOWLIST, described(networks, schema_of_networks));
        let partners_may = given.or(PARTNERS_MAY, self.partners_may, described(acts, schema_of_acts));
        Some(Self {
            settings: settings?,
            waits: waits?.unwrap_or_else(|| self.waits.clone()),
            allowlist: allowlist?.unwrap_or_else(|| self.allowlist.clone()),
            partners_may: partners_may?,
        })
    }

    /// As it is shown, under the same keys.
    #[must_use]
    pub fn shown(&self) -> Map<String, Json> {
        let Self { settings, waits, allowlist, partners_may } = self;
        let mut all = shown(SurfaceSettings::ROWS, settings);
        all.insert(WAITS.name.to_owned(), waits.iter().map(Duration::as_secs).collect::<Vec<_>>().into());
        all.insert(ALLOWLIST.name.to_owned(), json!(allowlist.iter().map(ToString::to_string).collect::<Vec<_>>()));
        all.insert(PARTNERS_MAY.name.to_owned(), json!(partners_may));
        all
    }

    /// The schema of each key.
    pub fn properties(known: &mut Schemas) -> Vec<(String, RefOr<Schema>)> {
        let mut all = properties(SurfaceSettings::ROWS, known);
        all.push((WAITS.name.to_owned(), schema_of_waits(known)));
        all.push((ALLOWLIST.name.to_owned(), schema_of_networks(known)));
        all.push((PARTNERS_MAY.name.to_owned(), schema_of_acts(known)));
        all
    }
}

/// As many waits as somebody wants to wait for.
fn waits(spot: Spot<'_, '_>) -> Option<Vec<Duration>> {
    let seconds = spot.list(fields::integer(1..=LONGEST))?;
    if seconds.len() > MOST_WAITS {
        return spot.wrong(format_args!("must be at most {MOST_WAITS}"));
    }
    Some(seconds.into_iter().map(Duration::from_secs).collect())
}

fn schema_of_waits(_: &mut Schemas) -> RefOr<Schema> {
    let seconds = plain(Type::Integer).minimum(Some(0)).maximum(Some(LONGEST));
    ArrayBuilder::new().items(seconds).max_items(Some(MOST_WAITS)).into()
}

fn acts(spot: Spot<'_, '_>) -> Option<WorldActs> {
    let words = of_words(WORLD_ACTS.map(|(act, word, _)| (word, act)));
    spot.list(|act| words.read(act)).map(WorldActs::from)
}

fn schema_of_acts(known: &mut Schemas) -> RefOr<Schema> {
    let words = of_words(WORLD_ACTS.map(|(act, word, _)| (word, act)));
    ArrayBuilder::new().items(words.schema(known)).description(Some(PARTNERS_MAY.about)).into()
}

fn networks(spot: Spot<'_, '_>) -> Option<Vec<Network>> {
    let texts = Vec::<Arc<str>>::read(spot)?;
    let networks: Result<Vec<Network>, _> = texts.iter().map(|text| text.parse()).collect();
    networks.map_or_else(|error| spot.wrong(error), Some)
}

fn schema_of_networks(_: &mut Schemas) -> RefOr<Schema> {
    ArrayBuilder::new()
        .items(plain(Type::String).description(Some("An address, or a network as in `10.0.0.0/8`.")))
        .into()
}
