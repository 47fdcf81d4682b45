//! The index at the side: every operation by its tag, and the other pages.
//!
//! Invariant: it works without its filter, which the script shows. Absent on purpose: what an operation does beyond its
//! summary.

use super::description::{Operation, operations_of, tags};
use super::place::PathToRoot;
use maud::{Markup, html};
use wire::words::capital;

/// The planes: what their tags begin with, and their names.
const PLANES: [(&str, &str); 3] = [("", "Partner API"), ("Levers: ", "Levers"), ("Machinery: ", "Machinery")];

/// Pages beside those of operations: path, name.
const OTHERS: [(&str, &str, &str); 4] = [
    ("docs", "start", "Introduction"),
    ("docs/schemas", "schemas", "Schemas"),
    ("docs/webhooks", "webhooks", "Webhooks"),
    ("docs/rules", "rules", "Rules"),
];

/// A tag's plane and its name there.
fn plane_of(tag: &str) -> (&'static str, &str) {
    let found = PLANES.iter().skip(1).find_map(|(start, plane)| Some((*plane, tag.strip_prefix(start)?)));
    found.unwrap_or((PLANES[0].1, tag))
}

/// A tag of one plane.
pub(super) struct Group {
    /// Its name within the plane.
    pub(super) name: &'static str,
    /// Its sentence.
    pub(super) about: &'static str,
    /// Its operations.
    pub(super) operations: &'static [Operation],
}

/// The planes, each with its tags.
pub(super) fn planes() -> impl Iterator<Item = (&'static str, Vec<Group>)> {
    PLANES.iter().map(|(_, plane)| {
        let of_plane = tags().filter(|(tag, _)| plane_of(tag).0 == *plane);
        let grouped =
            of_plane.map(|(tag, about)| Group { name: plane_of(tag).1, about, operations: operations_of(tag) });
        (*plane, grouped.collect())
    })
}

/// The index; `current` is the id of the operation, or the name of the other page, that is shown.
pub(super) fn markup(place: PathToRoot, current: &str) -> Markup {
    html! {
        nav #index popover="auto" aria-label="All pages" {
            input #filter type="search" placeholder="Filter operations" aria-label="Filter operations" autocomplete="off" hidden;
            ul.others {
                @for (path, name, title) in OTHERS {
                    li { a href=(place.file(path)) aria-current=[(name == current).then_some("page")] { (title) } }
                }
            }
            @for (plane, tags) in planes() {
                p.plane { (plane) }
                @for Group { name, operations, .. } in tags {
                    details open[operations.iter().any(|operation| operation.id == current)] {
                        summary { (capital(name)) }
                        ul {
                            @for operation in operations {
                                li {
                                    a href=(place.operation(operation.id)) title=(operation.path)
                                        aria-current=[(operation.id == current).then_some("page")] {
                                        (method(operation.method)) span { (operation.summary) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            p #nothing hidden { "No operation has these words." }
        }
    }
}

/// A method as a badge.
pub(super) fn method(method: &str) -> Markup {
    let short = if method == "DELETE" { "DEL" } else { method };
    html! { span class={ "method " (method.to_lowercase()) } { (short) } }
}
