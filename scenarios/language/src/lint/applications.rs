//! What a story with an application under test cannot ask of its world, which is there before the story is played.

use crate::ast::{Act, Scenario};
use crate::diagnostic::{Diagnostic, Source};

/// Words of `world:` that only a world of the story's own can follow, and steps that only a simulated network can.
pub(super) fn of_a_world_that_is_there(scenario: &Scenario, source: &Source) -> Vec<Diagnostic> {
    if scenario.application_step().is_none() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let world = &scenario.world;
    for (word, is_there, hint) in [
        ("setup", world.setup.is_some(), "`fundsim serve --world FILE` starts a sandbox whose world has this setup"),
        ("seed", world.seed.is_some(), "`fundsim serve --seed N` starts a sandbox whose world has this seed"),
    ] {
        if is_there {
            let line = source.text.lines().position(|line| line.starts_with("world:")).unwrap_or_default();
            let line = u32::try_from(line).unwrap_or(u32::MAX).saturating_add(1);
            let span = source.span(source.offset_of(line, 1), "world:".len(), line, 1);
            let message = format!(
                "a story with an application under test plays in the application's world: it cannot have a `{word}`"
            );
            found.push(Diagnostic::new(source, span, message).label("here").hint(hint));
        }
    }
    let outage = scenario.all_steps().into_iter().find(|step| matches!(step.act, Act::Network(_) | Act::Server(_)));
    if let Some(place) = outage.and_then(|step| step.place.as_ref()).filter(|place| *place.path == *source.path) {
        let span =
            source.span(source.offset_of(place.line, place.column), place.written.len(), place.line, place.column);
        let message = "a story with an application under test plays over a real network, which nobody can cut";
        let hint = "`add fault` has the sandbox lose requests, answers, sockets and deliveries";
        found.push(Diagnostic::new(source, span, message).label("here").hint(hint));
    }
    found
}
