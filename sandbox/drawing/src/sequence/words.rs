//! What a sequence says in words: above it, to those who do not see it, and in a terminal.

use super::facts::{Facts, Step, StepKind};
use crate::frame::lines::Lines;
use crate::frame::time_axis::{clock, in_words};

/// The text where nothing is drawn.
pub(super) const NOTHING: &str = "Nothing to draw: nothing has happened, or nothing of it is kept.";

/// What it is about.
pub(super) fn title(facts: &Facts) -> String {
    format!("Sequence  ·  {}", facts.about)
}

/// The one line below the title.
pub(super) fn subtitle(facts: &Facts) -> String {
    let mut parts: Vec<String> = facts.id.iter().cloned().collect();
    if let (Some(first), Some(last)) = (facts.changes.first(), facts.changes.last()) {
        let [first, last] = [first, last].map(|change| in_words(change.at.local_date()));
        parts.push(if first == last { first } else { format!("{first} to {last}") });
    }
    let refused = facts.changes.iter().filter(|change| change.is_refused()).count();
    for (count, what) in [(facts.changes.len() - refused, "change"), (refused, "refused request")] {
        match count {
            0 if what != "change" => {}
            1 => parts.push(format!("1 {what}")),
            many => parts.push(format!("{many} {what}s")),
        }
    }
    parts.extend(left_out(facts));
    parts.join("  ·  ")
}

/// What is not shown, in words.
fn left_out(facts: &Facts) -> Option<String> {
    let mut parts = Vec::new();
    if facts.left_out > 0 {
        parts.push(format!("{} earlier changes are left out", facts.left_out));
    }
    if facts.refused_left_out > 0 {
        parts.push(format!("{} refused requests are left out", facts.refused_left_out));
    }
    if facts.steps_left_out > 0 {
        parts.push(format!("{} steps are left out", facts.steps_left_out));
    }
    if facts.forgotten > 0 {
        parts.push(format!("{} earlier events are no longer kept", facts.forgotten));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// A step in words, with its lanes.
pub(super) fn spoken(step: &Step) -> String {
    let lanes = if step.from == step.to {
        step.from.name().to_owned()
    } else {
        format!("{} to {}", step.from.name(), step.to.name())
    };
    format!("{lanes}, {}: {}", step.kind.name(), step.label())
}

/// What the picture shows, for those who do not see it.
pub(super) fn description(facts: &Facts) -> String {
    if facts.changes.is_empty() {
        return NOTHING.to_owned();
    }
    let mut text = format!("{}.", subtitle(facts));
    for kind in [StepKind::Request, StepKind::Refused, StepKind::Delivery, StepKind::Money, StepKind::Units] {
        let count = facts.steps().filter(|step| step.kind == kind).count();
        if count > 0 {
            text.push_str(&format!(" Steps of the kind {}: {count}.", kind.name()));
        }
    }
    for change in &facts.changes {
        let at = change.at;
        text.push_str(&format!(" {} {}, {}:", in_words(at.local_date()), clock(at), change.cause));
        let steps: Vec<_> = change.steps.iter().map(spoken).collect();
        text.push_str(&format!(" {}.", steps.join("; ")));
    }
    text
}

/// The sequence as text.
pub(super) fn text(facts: &Facts) -> String {
    let mut lines = Lines::titled(&title(facts), &subtitle(facts));
    if facts.changes.is_empty() {
        lines.wrapped(NOTHING);
    }
    for change in &facts.changes {
        let input = change.input.map(|input| format!("  (input {input})")).unwrap_or_default();
        lines.heading(&format!("{} {}  {}{input}", change.at.local_date(), clock(change.at), change.cause));
        let row = |step: &Step| {
            let lanes = if step.from == step.to { String::new() } else { format!("→ {}", step.to.name()) };
            // As wide in each change, so that the lanes of all are below each other.
            let (from, kind) = (step.from.name(), step.kind.name());
            [format!("  {from:<12}"), format!("{lanes:<14}"), format!("{kind:<8}"), step.label()]
        };
        lines.table([""; 4], &change.steps.iter().map(row).collect::<Vec<_>>());
    }
    lines.end()
}
