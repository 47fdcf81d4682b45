//! What a well-formed story may still lack.
//!
//! Invariant: a story that passes can fail: it asserts something. Absent on purpose: matters of taste.

mod applications;
mod funds;
mod steps;

use crate::ast::{
    Act, Actor, ApplicationRequest, Example, ExpectedResponse, Scenario, SocketAct, StoryStep, Tries, WorldBlock,
};
use crate::diagnostic::{Diagnostic, Source};
use crate::routes;
use hosting::setup;
use sim::setup::Setup;
use sim::time::Instant;
use std::path::Path;

/// Faults of a story that its grammar does not forbid.
#[must_use]
pub fn faults(scenario: &Scenario, source: &Source) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if !scenario.fragment && !scenario.all_steps().into_iter().any(asserts) {
        let span = source.span(0, source.text.lines().next().map_or(0, str::len), 1, 1);
        let fault = Diagnostic::new(source, span, "this story asserts nothing, so it cannot fail")
            .label("no expectation in the whole file")
            .hint("add an `expect` to a request, or a step such as `expect order ORDER: settled`");
        found.push(fault);
    }
    found.extend(applications::of_a_world_that_is_there(scenario, source));
    found.extend(rows(scenario, source));
    found.extend(lost(scenario, source));
    if let Some(setup) = setup_of(scenario) {
        let clients: Vec<usize> = setup.partners.iter().map(|partner| partner.clients.len()).collect();
        let strangers = scenario.all_steps().into_iter().filter_map(|step| nobody_there(step, &clients, source));
        found.extend(strangers);
        found.extend(funds::missing(scenario, &setup, source));
    }
    found
}

/// Calls that should succeed, and cannot.
#[must_use]
pub fn lost(scenario: &Scenario, source: &Source) -> Vec<Diagnostic> {
    scenario.all_steps().into_iter().filter_map(|step| no_route(step, source)).collect()
}

/// What the story's world starts from, where that is known before it is played.
fn setup_of(scenario: &Scenario) -> Option<Setup> {
    Some(match &scenario.world.setup {
        // The world of an application is made before the story, and known when it is played.
        _ if scenario.fragment || scenario.application_step().is_some() => return None,
        None => setup::demo(),
        Some(setup) if setup.as_str() == Some("demo") => setup::demo(),
        Some(setup) => setup::parse(setup).ok()?.world,
    })
}

/// A step of a partner or a client that the story's world does not have.
fn nobody_there(step: &StoryStep, clients: &[usize], source: &Source) -> Option<Diagnostic> {
    let (Actor::Client { partner, client }, Some(place)) = (step.actor, &step.place) else { return None };
    let has = clients.get(partner.checked_sub(1)?).copied();
    if has.is_some_and(|has| client <= has) || *place.path != *source.path {
        return None;
    }
    let span = source.span(source.offset_of(place.line, place.column), place.written.len(), place.line, place.column);
    let count = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let (message, hint) = match has {
        None => (format!("the world has no partner {partner}"), count(clients.len(), "partner")),
        Some(has) => (format!("partner {partner} has no client {client}"), count(has, "client")),
    };
    let fault = Diagnostic::new(source, span, message).label("of this step");
    Some(fault.hint(format!("its setup has {hint}; `world: {{ setup: … }}` can have more")))
}

/// Rows of examples that lack what others have, or that make no world.
fn rows(scenario: &Scenario, source: &Source) -> Vec<Diagnostic> {
    let line = source.text.lines().position(|line| line.starts_with("examples:")).unwrap_or_default();
    let line = u32::try_from(line).unwrap_or(u32::MAX).saturating_add(1);
    let span = source.span(source.offset_of(line, 1), "examples:".len(), line, 1);
    let row_fault = |message: String| Diagnostic::new(source, span.clone(), message).label("here");
    let has = |row: &Example, name: &str| row.values.iter().any(|(known, _)| known == name);
    let mut found = Vec::new();
    for (number, row) in (1..).zip(&scenario.examples) {
        let others = scenario.examples.iter().flat_map(|other| &other.values);
        if let Some((name, _)) = others.into_iter().find(|(name, _)| !has(row, name)) {
            found.push(
                row_fault(format!("row {number} has no `{name}`, as others have")).hint("`null` is not a value here"),
            );
            continue;
        }
        match scenario.world.filled(row) {
            Err(error) => found.push(row_fault(format!("row {number} makes no world: {error}"))),
            Ok(WorldBlock { start: Some(start), .. }) if Instant::parse(&start).is_err() => {
                let hint = "an instant has a day, a time and an offset, as in 2026-03-02T08:00:00+01:00";
                found.push(row_fault(format!("row {number} makes no world: `{start}` is not an instant")).hint(hint));
            }
            Ok(_) => {}
        }
    }
    found
}

/// A call that should succeed, and cannot: the service has nothing there.
fn no_route(step: &StoryStep, source: &Source) -> Option<Diagnostic> {
    let (Act::Call(call), Some(place)) = (&step.act, &step.place) else { return None };
    if !steps::succeeds(step.expect.as_ref()) || *place.path != *source.path {
        return None;
    }
    let near = routes::missing(&call.method, &call.path)?;
    let span = source.span(source.offset_of(place.line, place.column), place.written.len(), place.line, place.column);
    let fault =
        Diagnostic::new(source, span, format!("the service has no `{} {}`", call.method, call.path)).label("here");
    Some(match near {
        Some(near) => fault.hint(format!("did you mean `{near}`? If it must fail, add `expect: 404`")),
        None => fault.hint("`fundsim explain routes` lists them; if it must fail, add `expect: 404`"),
    })
}

/// Whether a step says something that could turn out wrong.
#[must_use]
pub fn asserts(step: &StoryStep) -> bool {
    match &step.act {
        Act::Expect(_)
        | Act::Socket(SocketAct::Closed { .. })
        | Act::Application(ApplicationRequest { tries: Tries::Until(_), .. }) => true,
        Act::Deferred(late) => late.word.starts_with("expect"),
        Act::Request(_) | Act::Call(_) | Act::Application(_) => {
            step.expect.as_ref().is_some_and(|expected| *expected != ExpectedResponse::default())
        }
        _ => false,
    }
}

/// Reads a file and looks for everything that can be found without running it.
///
/// # Errors
/// All faults, at least one.
pub fn check(path: &Path) -> Result<Scenario, Vec<Diagnostic>> {
    let source = crate::parse::source(path)?;
    let scenario = crate::parse::parse(&source, &crate::parse::OnDisk)?;
    let found = faults(&scenario, &source);
    if found.is_empty() { Ok(scenario) } else { Err(found) }
}
