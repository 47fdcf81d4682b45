//! How two bodies differ.
//!
//! Invariant: items of lists that have keys are compared by these, so that one changed item is one difference; where the
//! order of items differs, the lists are compared as a whole.

use serde_json::{Map, Value as Json};
use std::collections::BTreeSet;

/// What items of lists are known by, the first that all of them have.
const KEYS: &[&str] = &["id", "instrument", "iban", "date", "priceDate", "currency"];

/// One difference, at a path such as `positions[SE0SBX000016SEK].units`.
pub(super) enum Difference<'a> {
    /// Another value.
    Changed(String, &'a Json, &'a Json),
    /// A field or an item that was not there.
    Added(String, &'a Json),
    /// A field or an item that is there no more.
    Gone(String, &'a Json),
}

impl Difference<'_> {
    /// Where.
    pub(super) fn path(&self) -> &str {
        let (Self::Changed(path, ..) | Self::Added(path, _) | Self::Gone(path, _)) = self;
        path
    }

    /// The item of a list that it is inside of.
    pub(super) fn item(&self) -> Option<&str> {
        let path = self.path();
        path.rfind("].").map(|end| &path[..=end])
    }
}

/// All differences, in the order of the later body.
pub(super) fn differences<'a>(before: &'a Json, after: &'a Json) -> Vec<Difference<'a>> {
    let mut out = Vec::new();
    differ("", before, after, &mut out);
    out
}

fn differ<'a>(path: &str, before: &'a Json, after: &'a Json, out: &mut Vec<Difference<'a>>) {
    if before == after {
        return;
    }
    match (before, after) {
        (Json::Object(before), Json::Object(after)) => objects(path, before, after, out),
        (Json::Array(old), Json::Array(new)) => match keyed(old, new) {
            Some((old, new)) => {
                let below = |key: &str| format!("{path}[{key}]");
                each(&old, &new, below, out);
            }
            None => out.push(Difference::Changed(path.to_owned(), before, after)),
        },
        _ => out.push(Difference::Changed(path.to_owned(), before, after)),
    }
}

fn objects<'a>(path: &str, before: &'a Map<String, Json>, after: &'a Map<String, Json>, out: &mut Vec<Difference<'a>>) {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    let pairs = |map: &'a Map<String, Json>| map.iter().map(|(key, value)| (key.as_str(), value)).collect::<Vec<_>>();
    each(&pairs(before), &pairs(after), below, out);
}

type Pairs<'a> = Vec<(&'a str, &'a Json)>;

fn each<'a>(before: &Pairs<'a>, after: &Pairs<'a>, below: impl Fn(&str) -> String, out: &mut Vec<Difference<'a>>) {
    let of = |pairs: &Pairs<'a>, key: &str| pairs.iter().find(|(known, _)| *known == key).map(|(_, value)| *value);
    for (key, value) in after {
        match of(before, key) {
            Some(old) => differ(&below(key), old, value, out),
            None => out.push(Difference::Added(below(key), value)),
        }
    }
    for (key, value) in before.iter().filter(|(key, _)| of(after, key).is_none()) {
        out.push(Difference::Gone(below(key), value));
    }
}

/// The items of both lists by their keys, where each has one of its own and those of both lists are in the same order.
fn keyed<'a>(before: &'a [Json], after: &'a [Json]) -> Option<(Pairs<'a>, Pairs<'a>)> {
    let name = KEYS.iter().find(|name| before.iter().chain(after).all(|item| item.get(**name).is_some()))?;
    let pairs = |items: &'a [Json]| -> Option<Pairs<'a>> {
        let pairs: Option<Pairs<'a>> = items.iter().map(|item| Some((item.get(*name)?.as_str()?, item))).collect();
        let pairs = pairs?;
        let keys: BTreeSet<_> = pairs.iter().map(|(key, _)| *key).collect();
        (keys.len() == pairs.len()).then_some(pairs)
    };
    let (before, after) = (pairs(before)?, pairs(after)?);
    let common = |of: &Pairs<'a>, other: &Pairs<'a>| -> Vec<&str> {
        of.iter().map(|(key, _)| *key).filter(|key| other.iter().any(|(known, _)| known == key)).collect()
    };
    (common(&before, &after) == common(&after, &before)).then_some((before, after))
}
