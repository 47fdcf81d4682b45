//! What an integration has met, as one page that a partner can hand in: what was never met first, then each group as a table.
//!
//! Invariant: nothing is fetched and there is no script, so that the page can be kept and mailed; each number that is drawn as a
//! shade is written there, too.

use super::{Coverage, Group, NeverMet, Try};
use crate::report::frame::{NUMBERS, STILL, framed};
use crate::report::printable;
use maud::{Markup, html};
use sim::machines::MACHINES;

const STYLE: &str = include_str!("page.css");

/// What the page says of the world that was asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About<'a> {
    /// The world.
    pub world: &'a str,
    /// The server.
    pub url: &'a str,
    /// Version of the program.
    pub version: &'a str,
    /// The share that was asked for, in percent.
    pub wanted: Option<u64>,
}

/// The page.
#[must_use]
pub fn page(coverage: &Coverage, about: &About<'_>) -> String {
    let head = format!("{} % ready", coverage.share);
    let body = html! {
        main {
            (top(coverage, about, &head))
            (shares(coverage))
            section {
                h2 id="never" { "Never met" }
                @if coverage.groups.iter().all(|group| group.never.is_empty()) {
                    p { "Everything that this page lists was met." }
                }
                @for group in coverage.groups.iter().filter(|group| !group.never.is_empty()) { (never(group)) }
            }
            @for group in &coverage.groups { (whole(group)) }
        }
    };
    printable(&framed(&format!("fundsim readiness: {head}"), STILL, &[NUMBERS, STYLE], &body))
}

fn top(coverage: &Coverage, about: &About<'_>, head: &str) -> Markup {
    let is_short = about.wanted.is_some_and(|wanted| coverage.share < wanted);
    html! {
        header {
            h1 { (head) }
            dl {
                dt { "Met" } dd { (coverage.met) " of " (coverage.rows) }
                @if let Some(wanted) = about.wanted { dt { "Wanted" } dd.bad[is_short] { (wanted) " %" } }
                dt { @if coverage.partners.len() == 1 { "Partner" } @else { "Partners" } }
                dd { @for partner in &coverage.partners { div { (partner) } } }
                dt { "World" } dd { (about.world) ", its clock at " (coverage.at) }
                dt { "Server" } dd { (about.url) }
                dt { "Version" } dd { "fundsim " (about.version) }
            }
        }
    }
}

fn shares(coverage: &Coverage) -> Markup {
    html! {
        section {
            h2 { "Shares" }
            ul.shares {
                @for group in &coverage.groups {
                    li {
                        a href={ "#" (group.name) } { (group.name) }
                        meter min="0" max="100" value=(group.share) { (group.share) " %" }
                        span.number { (group.share) " %" }
                        span.note { (group.met.len()) " of " (group.met.len() + group.never.len()) }
                    }
                }
            }
            p.note { "The whole is the mean of the groups. Every row counts as much as another of its group." }
        }
    }
}

/// What a group has that was never met.
fn never(group: &Group) -> Markup {
    html! {
        details open[group.never.len() <= 20] {
            summary { (group.name) ", " (group.never.len()) " never met" }
            ul.never {
                @for row in &group.never { (never_row(row)) }
            }
        }
    }
}

fn never_row(row: &NeverMet) -> Markup {
    html! {
        li {
            span.of { (row.of) } " " strong { (row.what) }
            @if let Some(about) = &row.about { div.note { (about) } }
            @for (number, one) in row.helpful().enumerate() { (step(number, one, &row.of)) }
        }
    }
}

fn step(number: usize, one: &Try, of: &str) -> Markup {
    html! {
        div.try {
            @if number == 0 { "try " } @else { "then " }
            @if let Some(word) = one.word() { span.word { (word) } " " }
            @if let Some(request) = one.request_beside(of) { code { (request) } }
        }
    }
}

/// A group with all its rows: as a map where its rows are in two dimensions, as a list otherwise.
fn whole(group: &Group) -> Markup {
    html! {
        section id=(group.name) {
            h2 { (group.name) }
            p.note { (group.about) " " (group.met.len()) " of " (group.met.len() + group.never.len()) " met." }
            @match group.name.as_str() {
                "answers" => (answers(group)),
                "moves" => @for machine in parts(group) { h3 { (machine) } (state_table(group, machine)) },
                _ => (list(group)),
            }
        }
    }
}

/// Every row of a group with its count: what was met first.
fn rows(group: &Group) -> impl Iterator<Item = (&str, &str, u64, Option<&str>)> {
    let met = group.met.iter().map(|row| (row.of.as_str(), row.what.as_str(), row.count, row.about.as_deref()));
    let never = group.never.iter().map(|row| (row.of.as_str(), row.what.as_str(), 0, row.about.as_deref()));
    met.chain(never)
}

/// The names of what a group's rows are parts of, each once.
fn parts(group: &Group) -> Vec<&str> {
    let mut parts: Vec<&str> = Vec::new();
    for (of, ..) in rows(group) {
        if !parts.contains(&of) {
            parts.push(of);
        }
    }
    parts
}

/// A line for each operation, a column for each status.
fn answers(group: &Group) -> Markup {
    let mut statuses: Vec<&str> = Vec::new();
    for (_, what, ..) in rows(group) {
        if !statuses.contains(&what) {
            statuses.push(what);
        }
    }
    statuses.sort_unstable();
    let mut operations = parts(group);
    operations
        .sort_by_key(|operation| operation.split_once(' ').map(|(method, path)| (path.to_owned(), method.to_owned())));
    let count = |of: &str, status: &str| rows(group).find(|row| row.0 == of && row.1 == status).map(|row| row.2);
    html! {
        div.map.list {
            table {
                thead { tr { td {} @for status in &statuses { th scope="col" { (status) } } } }
                tbody {
                    @for operation in &operations {
                        tr {
                            th scope="row" { (short(operation)) }
                            @for status in &statuses {
                                @match count(operation, status) { Some(count) => (cell(count, "")), None => td.none {} }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A route without what all routes have in common.
fn short(operation: &str) -> String {
    operation.replacen("/v2/partner", "", 1).replacen("/client/{clientId}/", "/…/", 1)
}

/// A state table: a line for each state before, a column for each trigger.
fn state_table(group: &Group, machine: &str) -> Markup {
    let split = |row: (&str, &str, u64, Option<&str>)| {
        let (from, rest) = row.1.split_once(" on ")?;
        let (on, to) = rest.split_once(" -> ")?;
        Some((from.to_owned(), on.to_owned(), to.to_owned(), row.2))
    };
    let mut table: Vec<_> = rows(group).filter(|row| row.0 == machine).filter_map(split).collect();
    // In the order of a life, as far as this build knows the machine.
    let known = MACHINES.iter().find(|known| known.name() == machine).map(|known| known.rows()).unwrap_or_default();
    table.sort_by_key(|(from, on, ..)| known.iter().position(|row| row[0] == *from && row[1] == *on));
    let (mut lines, mut columns): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for (from, on, ..) in &table {
        if !lines.contains(&from.as_str()) {
            lines.push(from);
        }
        if !columns.contains(&on.as_str()) {
            columns.push(on);
        }
    }
    let at = |from: &str, on: &str| table.iter().find(|row| row.0 == from && row.1 == on);
    html! {
        div.map {
            table {
                thead { tr { td {} @for column in &columns { th scope="col" { span { (column) } } } } }
                tbody {
                    @for from in &lines {
                        tr {
                            th scope="row" { (from) }
                            @for on in &columns {
                                @match at(from, on) {
                                    Some((_, _, to, count)) => (cell(*count, &format!("{from} on {on} -> {to}"))),
                                    None => td.none {},
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn list(group: &Group) -> Markup {
    html! {
        div.map.list {
            table {
                tbody {
                    @for part in parts(group) {
                        @for (_, what, count, about) in rows(group).filter(|row| row.0 == part) {
                            tr {
                                th scope="row" { span.of { (part) } " " (what) @if let Some(about) = about { span.note { " " (about) } } }
                                (cell(count, ""))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A count with the shade of its magnitude.
fn cell(count: u64, title: &str) -> Markup {
    let shade = count.checked_ilog10().map_or(0, |magnitude| magnitude.min(5) + 1);
    let title = (!title.is_empty()).then_some(title);
    html! { td class={ "heat-" (shade) } title=[title] { (count) } }
}
