//! A report as one page: what was never met first, then commands, state tables and pairs as maps of how often.
//!
//! Invariant: nothing is fetched and there is no script, so that the page can be kept and mailed. Each number that is drawn as a
//! shade is written there, too. Absent on purpose: the stories themselves, which are files of their own, and how state tables are drawn
//! (`drawing::machines`).

use super::{Report, Row, TableReport, laws};
use drawing::Picture as _;
use drawing::machines::Facts;
use maud::{Markup, html};
use runner::report::frame::{NUMBERS, STILL, framed};
use runner::report::picture;
use std::collections::BTreeSet;

const STYLE: &str = include_str!("html/page.css");

/// The page.
#[must_use]
pub fn html(report: &Report) -> String {
    let head = match report.failed {
        0 => format!("{} seeds, none failed", report.seeds),
        failed => format!("{} seeds, {failed} failed", report.seeds),
    };
    let never = never(report);
    let body = html! {
        main {
            (top(report, &head))
            @if !report.failures.is_empty() || !report.unfinished.is_empty() { (findings(report)) }
            section {
                h2 { "Never met" }
                @if never.is_empty() { p { "Every row, every refusal and every outcome that this page lists was met." } }
                @for (what, near) in &never {
                    p.never { strong { (what) } @if !near.is_empty() { span { (near) } } }
                }
            }
            @if report.looked_into_worlds() {
                section { h2 { "Commands and their refusals" } (commands(report)) }
            }
            @if !report.coverage.is_empty() {
                @let facts = state_tables(report);
                section {
                    h2 { "State tables" }
                    (picture::both("machines", "State tables", |id, width| facts.part(id, width)))
                }
            }
            @if !report.laws.is_empty() {
                section {
                    h2 { "Laws and their cases" }
                    p.note { "How often the case was met that puts a law to the test." }
                    (laws::table(&report.laws, cell))
                }
            }
            @if !report.pairs.is_empty() { (report.pairs.maps(cell_of)) }
            @for (title, counts) in
                [("Over the network", &report.network), ("Fees and closings", &report.fees), ("Charges of payments", &report.charges)]
            {
                @if counts.values().any(|&count| count > 0) {
                    section {
                        h2 { (title) }
                        table { @for (what, count) in counts { tr { th scope="row" { (what) } (cell(*count)) } } }
                    }
                }
            }
        }
    };
    framed(&format!("fundsim fuzz: {head}"), STILL, &[NUMBERS, picture::STYLE, STYLE], &body)
}

fn top(report: &Report, head: &str) -> Markup {
    let asked = &report.asked;
    let missing = if report.is_part() { Vec::new() } else { report.missing() };
    html! {
        header {
            h1 { (head) }
            dl {
                dt { "Level" } dd { (asked.level) ", machine " (asked.machine) }
                dt { "Seeds" } dd { "from " (asked.first_seed) @if let Some(end) = asked.end_seed { " to " (end - 1) } ", " (asked.steps_of_a_run) " steps each" }
                dt { "Steps" } dd { (report.steps) ", " (report.steps_per_second) " a second of each process" }
                dt { "Simulated" } dd { (report.simulated_seconds / 86_400) " days, the longest run " (report.longest_seconds / 86_400) }
                dt { "Digest" } dd { code { (report.digest) } }
                dt { "Version" } dd { (asked.version) }
                @if !missing.is_empty() { dt { "Missing" } dd.bad { (missing.join(", ")) } }
            }
        }
    }
}

fn findings(report: &Report) -> Markup {
    html! {
        section {
            h2 { "Findings" }
            @for (law, seeds) in &report.broken { p.bad { strong { (law) } span { (seeds) " seeds broke it first" } } }
            @for (seed, why) in &report.unfinished { p.bad { strong { "seed " (seed) } span { (why) } } }
            ul {
                @for found in &report.failures {
                    li {
                        "seed " (found.seed) ", " (found.invariant) ": " (found.what)
                        br;
                        code { (found.file) }
                        @if !found.story { " (a kept run: " code { "fundsim replay" } " repeats it)" }
                    }
                }
            }
        }
    }
}

/// What was never met, with what came nearest to it.
fn never(report: &Report) -> Vec<(String, String)> {
    let mut never = Vec::new();
    let tables = report.coverage.iter().filter(|_| report.looked_into_worlds());
    for (machine, table) in tables {
        for row in table.counts.iter().filter(|row| row.count == 0) {
            never.push((format!("{machine}: {}", row.shown()), nearest(table, row)));
        }
    }
    if report.looked_into_worlds() {
        for (name, ends) in report.commands.iter().filter(|(_, ends)| ends.accepted == 0) {
            let refused: u64 = ends.refused.values().sum();
            never.push((format!("{name} was never accepted"), format!("it was refused {refused} times")));
        }
        let refusals = report.refusals.iter().filter(|(_, count)| **count == 0);
        never.extend(refusals.map(|(class, _)| (format!("no command was refused as {class}"), String::new())));
    }
    never.extend(
        laws::never(&report.laws)
            .map(|law| (format!("the case of law {}, {law}", law.number()), law.case().to_owned())),
    );
    never.extend(report.pairs.never());
    for counts in [&report.fees, &report.charges] {
        if counts.values().any(|&count| count > 0) {
            never
                .extend(counts.iter().filter(|(_, count)| **count == 0).map(|(what, _)| (what.clone(), String::new())));
        }
    }
    never
}

/// How often the state before a row was entered, and what happened there instead.
fn nearest(table: &TableReport, row: &Row) -> String {
    let entered: u64 = table.counts.iter().filter(|other| other.to == row.from).map(|other| other.count).sum();
    let left: Vec<String> = table
        .counts
        .iter()
        .filter(|other| other.from == row.from && other.count > 0)
        .map(|other| format!("{} ({})", other.on, other.count))
        .collect();
    match (entered, left.is_empty()) {
        (0, true) => format!("{} was never entered", row.from),
        (entered, true) => format!("{} was entered {entered} times and never left", row.from),
        (entered, false) => format!("{} was entered {entered} times and left on {}", row.from, left.join(", ")),
    }
}

/// The state tables with how often each row was taken.
fn state_tables(report: &Report) -> Facts {
    Facts::of_runs(
        report.coverage.iter().map(|(name, table)| (name.as_str(), table.counts.iter().map(counted).collect())),
    )
}

fn counted(row: &Row) -> ([&str; 3], u64) {
    ([&row.from, &row.on, &row.to], row.count)
}

fn commands(report: &Report) -> Markup {
    let classes: BTreeSet<&String> = report.commands.values().flat_map(|ends| ends.refused.keys()).collect();
    html! {
        div.map {
            table {
                thead { tr { td {} th scope="col" { span { "accepted" } } th scope="col" { span { "not judged" } } @for class in &classes { th scope="col" { span { (class) } } } } }
                tbody {
                    @for (name, ends) in &report.commands {
                        tr {
                            th scope="row" { (name) }
                            (cell(ends.accepted))
                            @if ends.unjudged == 0 { td.none {} } @else { (cell(ends.unjudged)) }
                            @for class in &classes {
                                @match ends.refused.get(*class) { Some(count) => (cell(*count)), None => td.none {} }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn cell(count: u64) -> Markup {
    cell_of(count, "")
}

/// A count with the shade of its magnitude.
fn cell_of(count: u64, title: &str) -> Markup {
    let shade = count.checked_ilog10().map_or(0, |magnitude| magnitude.min(5) + 1);
    let title = (!title.is_empty()).then_some(title);
    html! { td class={ "heat-" (shade) } title=[title] { (count) } }
}
