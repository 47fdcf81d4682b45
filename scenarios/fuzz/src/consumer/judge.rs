//! What must be so at the end of a run around a consumer.
//!
//! Invariant: the judge reads the service by itself and shares no rule with the consumer: the paths of lists, and what of a
//! record a copy need not know, are written here a second time. Absent on purpose: when it is asked.

use super::recorder::Recorder;
use consumer::copy::Copy;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

/// What is listed below a client: the noun of its events, and where.
pub(super) const LISTS: [(&str, &str); 4] = [
    ("account", "/account"),
    ("order", "/order"),
    ("cashTransaction", "/transaction/cash"),
    ("fundTransaction", "/transaction/fund"),
];

/// Records by noun and id.
pub(super) type Records = BTreeMap<(&'static str, String), Json>;

/// How exactly a copy is held against the service.
pub(super) struct Allowance<'a> {
    /// Records that may still be held though they are gone: only a list of everything shows that, and there was none since.
    pub(super) purged: &'a BTreeSet<String>,
    /// Records that may be missing: the service has answered more than once, untruly, that it does not know them.
    pub(super) denied: &'a BTreeSet<String>,
}

/// Adds a record as a copy should hold it: no event shows the worth of positions (rule: events/consumer-pattern).
pub(super) fn add(records: &mut Records, noun: &'static str, mut row: Json) {
    if let Some(Json::Array(positions)) = row.get_mut("positions") {
        for position in positions.iter_mut().filter_map(Json::as_object_mut) {
            position.retain(|name, _| name != "value" && name != "closePrice");
        }
    }
    let id = row.get("id").and_then(Json::as_str).unwrap_or_default().to_owned();
    records.insert((noun, id), row);
}

/// That the copy holds what the service has.
///
/// # Errors
/// The first difference, in words.
pub(super) fn compare(service: &Records, copy: &Copy, allowed: &Allowance<'_>) -> Result<(), String> {
    let held: BTreeMap<(&str, &str), &Json> =
        copy.held().iter().map(|((kind, id), row)| ((kind.noun(), id.as_str()), row)).collect();
    for ((noun, id), row) in service {
        match held.get(&(*noun, id.as_str())) {
            Some(held) if *held == row => {}
            Some(held) => return Err(format!("of {noun} {id} the copy holds {held} and the service {row}")),
            None if allowed.denied.contains(id) => {}
            None => return Err(format!("{noun} {id}: the copy has no record, the service has {row}")),
        }
    }
    let gone = |(noun, id): &&(&str, &str)| !service.keys().any(|(known, other)| known == noun && other == id);
    match held.keys().filter(gone).find(|(_, id)| !allowed.purged.contains(*id)) {
        Some(key) => Err(format!("{} {}: the copy has {}, the service has no record", key.0, key.1, held[key])),
        None => Ok(()),
    }
}

/// That the service has all that it said it had made, in whatever state, but for what was purged.
///
/// # Errors
/// One that it has not.
pub(super) fn check_kept(
    service: &Records,
    made: &BTreeSet<(&'static str, String)>,
    purged: &BTreeSet<String>,
) -> Result<(), String> {
    match made.iter().find(|record| !service.contains_key(record) && !purged.contains(&record.1)) {
        Some((noun, id)) => Err(format!("{noun} {id} was answered as made, and the service has no record")),
        None => Ok(()),
    }
}

/// That each event had one id and was taken once, and that hours did not leave the consumer without a socket.
///
/// # Errors
/// What was otherwise.
pub(super) fn check_received(recorder: &Recorder, copy: &Copy) -> Result<(), String> {
    if let Some(renamed) = &recorder.renamed {
        return Err(format!("an event has two ids: {renamed}"));
    }
    let (came, taken) = (recorder.ids.len() as u64, copy.events());
    if came != taken {
        return Err(format!("{came} events came, and {taken} were taken"));
    }
    if recorder.was_without_socket {
        return Err("the consumer had no socket for a moment, with no outage".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(service: &Json, shown: &Json, allowed: &Allowance<'_>) -> Option<String> {
        let (mut records, mut copy) = (Records::new(), Copy::of("c"));
        if service.is_object() {
            add(&mut records, "account", service.clone());
        }
        if shown.is_object() {
            copy.take_event("account.create", "1", &json!({ "current": shown }));
        }
        compare(&records, &copy, allowed).err()
    }

    #[test]
    fn what_was_answered_and_is_gone_is_found() {
        let mut records = Records::new();
        add(&mut records, "order", json!({ "id": "a" }));
        let (none, b) = (BTreeSet::new(), BTreeSet::from(["b".to_owned()]));
        let of = |noun, id: &str| BTreeSet::from([(noun, id.to_owned())]);
        assert_eq!(check_kept(&records, &of("order", "a"), &none), Ok(()));
        assert_eq!(check_kept(&records, &of("order", "b"), &b), Ok(()));
        for gone in [of("order", "b"), of("account", "a")] {
            assert!(check_kept(&records, &gone, &none).is_err());
        }
    }

    #[test]
    fn any_difference_is_found_except_what_positions_are_worth() {
        let (none, a) = (BTreeSet::new(), BTreeSet::from(["a".to_owned()]));
        let strict = Allowance { purged: &none, denied: &none };
        let account = json!({ "id": "a", "positions": [{ "units": 1, "value": 100, "closePrice": 100 }], "value": 1 });
        let worth = json!({ "id": "a", "positions": [{ "units": 1, "value": 200 }], "value": 1 });
        assert_eq!(found(&account, &worth, &strict), None);
        for other in [json!({ "id": "a", "positions": [{ "units": 1 }] }), json!({ "id": "b" }), Json::Null] {
            assert!(found(&account, &other, &strict).is_some(), "{other}");
        }
        assert!(found(&Json::Null, &account, &strict).is_some());
        assert_eq!(found(&Json::Null, &account, &Allowance { purged: &a, denied: &none }), None);
        assert_eq!(found(&account, &Json::Null, &Allowance { purged: &none, denied: &a }), None);
    }
}
