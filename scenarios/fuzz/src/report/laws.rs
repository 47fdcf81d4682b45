//! Laws in a report: how often the case of each was met, and which were never put to the test.
//!
//! Invariant: a report counts the laws that its level checks, and no other. Absent on purpose: what a case is, which `oracle` says.

use crate::failure::Level;
use maud::{Markup, html};
use oracle::check::{Law, Met};
use std::collections::BTreeMap;

/// How often the case of each law was met that is checked at a level.
pub(super) fn met(met: &Met, level: Level) -> BTreeMap<String, u64> {
    Law::all().filter(|law| level.judges(*law)).map(|law| (law.to_string(), met.times(law))).collect()
}

/// Laws whose case was never met.
pub(super) fn never(times: &BTreeMap<String, u64>) -> impl Iterator<Item = Law> + '_ {
    Law::all().filter(|law| times.get(law.name()) == Some(&0))
}

/// Every law with its case, by its number, with `cell` for a count.
pub(super) fn table(times: &BTreeMap<String, u64>, cell: impl Fn(u64) -> Markup) -> Markup {
    let rows = Law::all().filter_map(|law| Some((law, *times.get(law.name())?)));
    html! {
        table.laws {
            @for (law, times) in rows { tr { th scope="row" { (law) } (cell(times)) td.case { (law.case()) } } }
        }
    }
}
