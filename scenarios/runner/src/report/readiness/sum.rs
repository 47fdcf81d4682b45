//! The coverage of several worlds as one: what a whole suite of tests has met, and what none of its tests has (rule: wire/coverage).
//!
//! Invariant: a row was met where one world has met it, as often as all have together; the shares are counted as a server counts them.
//! What comes out has the form of a server's answer, and is the same in whatever order the worlds come, but for the order of rows.
//! Absent on purpose: where the answers are kept.

use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// The sum of servers' answers.
///
/// # Errors
/// When there is none, or when one is no coverage.
pub fn sum(answers: &[Json]) -> Result<Json, String> {
    let first = answers.first().ok_or("there is no coverage to add up")?;
    let mut at = "";
    let mut partners = BTreeSet::new();
    for answer in answers {
        at = at.max(answer["at"].as_str().ok_or("it is no coverage of a world: it has no `at`")?);
        partners.extend(texts(&answer["partners"]));
    }
    let mut names = Vec::new();
    for group in answers.iter().flat_map(|answer| list(&answer["groups"])) {
        let name = group["name"].as_str().unwrap_or_default();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let groups: Vec<Group<'_>> = names.into_iter().map(|name| Group::of(name, answers)).collect();
    let met: usize = groups.iter().map(|group| group.met.len()).sum();
    let rows: usize = groups.iter().map(Group::rows).sum();
    // In hundredths of a percent, so that the mean is rounded once.
    let shares: usize = groups.iter().map(|group| group.percent(100)).sum();
    let share = (shares / 100).checked_div(groups.len()).unwrap_or(100);
    let groups: Vec<_> = groups.iter().map(Group::shown).collect();
    let mut summed = first.clone();
    summed["at"] = json!(at);
    summed["partners"] = json!(partners);
    for (key, value) in [("share", json!(share)), ("met", json!(met)), ("rows", json!(rows)), ("groups", json!(groups))]
    {
        summed[key] = value;
    }
    Ok(summed)
}

/// A group of all worlds.
struct Group<'a> {
    name: &'a str,
    about: &'a Json,
    /// What was met, with how often.
    met: Vec<(&'a Json, u64)>,
    never: Vec<&'a Json>,
}

impl<'a> Group<'a> {
    fn of(name: &'a str, answers: &'a [Json]) -> Self {
        let groups = answers.iter().flat_map(|answer| list(&answer["groups"])).filter(|group| group["name"] == name);
        let groups: Vec<_> = groups.collect();
        let mut counts = BTreeMap::new();
        let mut met = Vec::new();
        for row in groups.iter().flat_map(|group| list(&group["met"])) {
            let count = counts.entry(key(row)).or_insert_with(|| {
                met.push(row);
                0_u64
            });
            *count += row["count"].as_u64().unwrap_or_default();
        }
        let met: Vec<_> = met.into_iter().map(|row| (row, counts[&key(row)])).collect();
        let mut known: BTreeSet<_> = counts.keys().copied().collect();
        let mut never: Vec<_> = groups.iter().flat_map(|group| list(&group["never"])).collect();
        never.retain(|row| known.insert(key(row)));
        Self { name, about: groups.first().map_or(&Json::Null, |group| &group["about"]), met, never }
    }

    fn rows(&self) -> usize {
        self.met.len() + self.never.len()
    }

    /// The share of what was met, in parts of a percent.
    fn percent(&self, parts: usize) -> usize {
        (self.met.len() * 100 * parts).checked_div(self.rows()).unwrap_or(100)
    }

    fn shown(&self) -> Json {
        let met = self.met.iter().map(|(row, count)| {
            let mut row = row.as_object().cloned().unwrap_or_else(Map::new);
            row.insert("count".to_owned(), json!(count));
            row
        });
        json!({
            "name": self.name, "about": self.about, "share": self.percent(1), "never": self.never,
            "met": met.collect::<Vec<_>>(),
        })
    }
}

/// What a row is: of what, and what of it.
fn key(row: &Json) -> (&str, &str) {
    (row["of"].as_str().unwrap_or_default(), row["what"].as_str().unwrap_or_default())
}

fn list(value: &Json) -> impl Iterator<Item = &Json> {
    value.as_array().into_iter().flatten()
}

fn texts(value: &Json) -> impl Iterator<Item = &str> {
    list(value).filter_map(Json::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world(at: &str, partner: &str, met: &[(&str, u64)], never: &[&str]) -> Json {
        let met: Vec<_> =
            met.iter().map(|(what, count)| json!({ "of": "order", "what": what, "count": count })).collect();
        let never: Vec<_> = never.iter().map(|what| json!({ "of": "order", "what": what, "try": [] })).collect();
        let share = met.len() * 100 / (met.len() + never.len());
        let group = json!({ "name": "states", "about": "States.", "share": share, "never": never, "met": met });
        json!({
            "at": at, "partners": [partner], "share": share, "met": met.len(), "rows": met.len() + never.len(),
            "groups": [group],
        })
    }

    /// (rule: wire/coverage)
    #[test]
    fn what_one_world_has_met_is_met_and_what_none_has_is_never_met() {
        let one = world("2026-03-02T07:00:00.000Z", "p-1", &[("Received", 2)], &["Pending", "Settled"]);
        let other = world("2026-03-05T07:00:00.000Z", "p-2", &[("Received", 1), ("Pending", 4)], &["Settled"]);
        for worlds in [[one.clone(), other.clone()], [other.clone(), one.clone()]] {
            let summed = sum(&worlds).expect("a sum");
            let expected = world("2026-03-05T07:00:00.000Z", "p-1", &[("Received", 3), ("Pending", 4)], &["Settled"]);
            assert_eq!(summed["groups"], expected["groups"]);
            assert_eq!((&summed["share"], &summed["met"], &summed["rows"]), (&json!(66), &json!(2), &json!(3)));
            assert_eq!((&summed["at"], &summed["partners"]), (&expected["at"], &json!(["p-1", "p-2"])));
        }
        assert_eq!(sum(std::slice::from_ref(&one)), Ok(one), "one world is its own sum");
        assert!(sum(&[]).is_err() && sum(&[json!({})]).is_err());
    }
}
