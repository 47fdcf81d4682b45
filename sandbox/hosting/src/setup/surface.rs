//! What the surface before a world starts with: its settings, the waits between the attempts of a delivery, and who may call.
//!
//! Invariant: the same keys are read here and where a running world is changed. Absent on purpose: what they do.

use std::sync::Arc;
use std::time::Duration;

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ArrayBuilder, Schema, Type};

use crate::partners_may::{WORLD_ACTS, WorldActs};
use deliveries::network::Network;
use deliveries::queue::Policy;
use feed::transport::SurfaceSettings;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};
use wire::rows::fields::{self, Cursor, FieldRow, Fields};
use wire::rows::shape::{FieldType as _, Readable as _, Schemas, described, plain};
use wire::setup::settings::{over, properties, shown};
use wire::words::of_words;

/// Longest wait that can be set, in seconds: a year.
const LONGEST: u64 = 366 * 86_400;

/// Most waits between the attempts of a delivery.
const MOST_WAITS: usize = 100;

const WAITS: FieldRow = FieldRow { name: "deliveryWaitsSeconds", about: "Waits between the attempts of a delivery." };
const ALLOWLIST: FieldRow =
    FieldRow { name: "allowlist", about: "Networks from which the API may be called; all when empty." };

const PARTNERS_MAY: FieldRow = FieldRow {
    name: "partnersMay",
    about: "Actions on the whole world that partners sharing it may take. Only the operator may change this.",
};

/// What a world's surface starts with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// The most waits that a setup may name.
fn waits(cursor: Cursor<'_, '_>) -> Option<Vec<Duration>> {
    let seconds = cursor.list(fields::integer(1..=LONGEST))?;
    if seconds.len() > MOST_WAITS {
        return cursor.wrong(format_args!("must be at most {MOST_WAITS}"));
    }
    Some(seconds.into_iter().map(Duration::from_secs).collect())
}

fn schema_of_waits(_: &mut Schemas) -> RefOr<Schema> {
    let seconds = plain(Type::Integer).minimum(Some(0)).maximum(Some(LONGEST));
    ArrayBuilder::new().items(seconds).max_items(Some(MOST_WAITS)).into()
}

fn acts(cursor: Cursor<'_, '_>) -> Option<WorldActs> {
    let words = of_words(WORLD_ACTS.map(|(act, word, _)| (word, act)));
    cursor.list(|act| words.read(act)).map(WorldActs::from)
}

fn schema_of_acts(known: &mut Schemas) -> RefOr<Schema> {
    let words = of_words(WORLD_ACTS.map(|(act, word, _)| (word, act)));
    ArrayBuilder::new().items(words.schema(known)).description(Some(PARTNERS_MAY.about)).into()
}

fn networks(cursor: Cursor<'_, '_>) -> Option<Vec<Network>> {
    let texts = Vec::<Arc<str>>::read(cursor)?;
    let networks: Result<Vec<Network>, _> = texts.iter().map(|text| text.parse()).collect();
    networks.map_or_else(|error| cursor.wrong(error), Some)
}

fn schema_of_networks(_: &mut Schemas) -> RefOr<Schema> {
    ArrayBuilder::new()
        .items(plain(Type::String).description(Some("An address, or a network as in `10.0.0.0/8`.")))
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::settings::{self, SettingType, Settings, Value};
    use std::fmt::Debug;
    use wire::json::Node;
    use wire::rows::fields::Unknown;
    use wire::setup::settings::value;

    fn read<S: Clone + Default>(rows: &'static [settings::SettingRow<S>], given: &Json) -> Result<S, String> {
        let read = fields::read(&Node::of(given), Unknown::Refused, |given| over(given, rows, &S::default()));
        read.map_err(|error| error.description)
    }

    /// A value of the kind that differs from `usual`, and one outside its bounds.
    fn other_and_wrong(kind: SettingType, usual: Value) -> (Json, Json) {
        match (kind, usual) {
            (SettingType::Flag, Value::Flag(flag)) => ((!flag).into(), 1.into()),
            (SettingType::Whole(least, most), usual) => {
                (if usual == Value::Whole(least) { most } else { least }.into(), (most + 1).into())
            }
            (SettingType::OneOf(choices), usual) => {
                let other = choices.iter().find(|choice| Value::Whole(**choice) != usual);
                (other.copied().into(), (choices.iter().sum::<i64>()).into())
            }
            (SettingType::Amount, _) => (7.into(), "7".into()),
            (SettingType::Percent(most), _) => (json!(0.25), (most + 1).into()),
            (kind, usual) => panic!("{usual:?} is no {kind:?}"),
        }
    }

    fn every_row<S: Clone + Default + PartialEq + Debug>(rows: &'static [settings::SettingRow<S>]) {
        assert_eq!(read(rows, &Json::Object(Map::new())), Ok(S::default()));
        assert_eq!(read(rows, &shown(rows, &S::default()).into()), Ok(S::default()));
        for row in rows {
            let usual = (row.get)(&S::default());
            let (other, wrong) = other_and_wrong(row.kind, usual);
            let one = |given: &Json| Json::Object(Map::from_iter([(row.name.to_owned(), given.clone())]));
            let changed = read(rows, &one(&other)).expect(row.name);
            let back = shown(rows, &changed);
            assert_eq!(
                (value((row.get)(&changed)).to_string().parse::<f64>().ok(), back.len()),
                (other.to_string().parse().ok(), rows.len())
            );
            assert_ne!((row.get)(&changed), usual, "{}", row.name);
            assert_eq!(read(rows, &back.into()), Ok(changed), "{}", row.name);
            let refusal = read(rows, &one(&wrong)).expect_err(row.name);
            assert!(refusal.starts_with(&format!("{} must ", row.name)), "{refusal}");
        }
    }

    #[test]
    fn every_setting_reads_back_as_it_is_shown_has_its_default_and_refuses_what_lies_outside_its_bounds() {
        every_row(Settings::ROWS);
        every_row(SurfaceSettings::ROWS);
        assert_eq!((Settings::ROWS.len(), SurfaceSettings::ROWS.len()), (37, 17));
    }
}
