//! What the picture of money says in words.
//!
//! Invariant: the text alternative says what the picture shows.

use super::facts::{Day, Facts, Flow};
use crate::frame::numbers::grouped;
use crate::frame::time_axis::in_words;

/// The text where nothing is drawn.
pub(super) const NOTHING: &str = "Nothing to draw: no account has cash, and none has moved, in this period.";

/// Which period it is.
pub(super) fn title(facts: &Facts) -> String {
    let day = |day: Day| in_words(day.0);
    match (facts.from.map(day), facts.to.map(day)) {
        (Some(from), Some(to)) => format!("Money from {from} to {to}"),
        (Some(from), None) => format!("Money since {from}"),
        (None, Some(to)) => format!("Money up to {to}"),
        (None, None) => format!("Money up to {}", in_words(facts.now.local_date())),
    }
}

/// An amount with its öre: `1 234.50`.
pub(super) fn plain(ore: i64) -> String {
    let text = grouped(ore).replace('\u{a0}', " ");
    if ore % 100 == 0 { format!("{text}.00") } else { text }
}

/// The one line below the title.
pub(super) fn subtitle(facts: &Facts) -> String {
    let through: i64 = facts.column(2).map(|node| node.ore).sum();
    let mut parts = vec![format!("{} SEK through accounts, cash before and after included", grouped(through))];
    parts.extend(left_out(facts));
    parts.join("  ·  ")
}

/// What shares a node.
pub(super) fn left_out(facts: &Facts) -> Option<String> {
    let parts = [(facts.other_accounts, "account"), (facts.other_funds, "fund")].map(|(count, what)| match count {
        0 => None,
        1 => Some(format!("1 {what}")),
        _ => Some(format!("{count} {what}s")),
    });
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("{} summed up as others", parts.join(" and ")))
}

/// A flow for who points at it.
pub(super) fn flow(facts: &Facts, flow: &Flow) -> String {
    let times = match flow.postings {
        0 => String::new(),
        1 => ", 1 posting".to_owned(),
        many => format!(", {many} postings"),
    };
    format!("{} to {}: {} SEK{times}", facts.name_of(&flow.from), facts.name_of(&flow.to), grouped(flow.ore))
}

/// What the picture shows, for those who do not see it.
pub(super) fn description(facts: &Facts) -> String {
    if facts.nodes.is_empty() {
        return NOTHING.to_owned();
    }
    let mut text = format!("{}.", subtitle(facts));
    for (verb, column) in [("comes in", 1), ("leaves", 3)] {
        for kind in facts.column(column) {
            text.push_str(&format!(" {} SEK {verb} as {}.", grouped(kind.ore), kind.name));
        }
    }
    text
}
