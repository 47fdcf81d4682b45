//! What a picture says in words: above it, and to those who do not see it.
//!
//! Invariant: the text alternative says what the picture shows. Absent on purpose: the labels of bars and lines.

use super::facts::{CashKind, Facts, OrderState};
use crate::frame::lines::{Lines, bar};
use crate::frame::numbers::grouped;
use crate::frame::time_axis::in_words;
use sim::records::Side;

/// The text where nothing is drawn.
pub(super) const NOTHING: &str = "Nothing to draw yet: no day of this account is over.";

/// Whose account it is.
pub(super) fn title(facts: &Facts) -> String {
    format!("{}  ·  {}", facts.name, facts.owner)
}

/// The one line below the title.
pub(super) fn subtitle(facts: &Facts) -> String {
    let mut parts = vec![format!("{} {}", facts.kind, facts.reference)];
    if let (Some((first, last)), Some(end)) = (facts.span, facts.midnights.last()) {
        parts.push(format!("{} to {}", in_words(first), in_words(last)));
        parts.push(format!("worth {} SEK at its end", grouped(end.value)));
    }
    parts.extend(facts.gained.map(|percent| {
        let sign = if percent.is_sign_negative() && !percent.is_zero() { "−" } else { "+" };
        format!("return {sign}{:.2} %", percent.abs())
    }));
    parts.join("  ·  ")
}

/// What the picture shows, for those who do not see it.
pub(super) fn description(facts: &Facts) -> String {
    if facts.span.is_none() {
        return NOTHING.to_owned();
    }
    let mut text = format!("{}.", subtitle(facts));
    if let Some(most) = facts.midnights.iter().max_by_key(|midnight| midnight.value) {
        text.push_str(&format!(" Worth {} SEK at most.", grouped(most.value)));
    }
    for kind in CashKind::ALL {
        let (sum, count) = facts.sum(kind);
        if count > 0 {
            text.push_str(&format!(" {}, {count} in all: {} SEK.", capital(kind.name()), grouped(sum)));
        }
    }
    for (side, verb) in [(Side::Subscription, "buy"), (Side::Redemption, "sell")] {
        let own = || facts.orders.iter().filter(move |order| order.side == side);
        let settled = own().filter(|order| order.standing == OrderState::Settled).count();
        if own().next().is_some() {
            text.push_str(&format!(" Orders that {verb}: {}, {settled} of them settled.", own().count()));
        }
    }
    for (at, what) in &facts.actions {
        text.push_str(&format!(" {}: {what}.", in_words(at.local_date())));
    }
    text
}

/// The days that are written of an account's life: every change of money and of orders, and the value at the end of each month.
pub(super) fn text(facts: &Facts) -> String {
    let mut lines = Lines::titled(&title(facts), &subtitle(facts));
    if facts.span.is_none() {
        lines.wrapped(NOTHING);
        return lines.end();
    }
    lines.heading("Value at the ends of months, SEK");
    let most = facts.midnights.iter().map(|midnight| midnight.value).max().unwrap_or(0);
    let last = facts.midnights.len().saturating_sub(1);
    let is_shown = |at: usize, day: jiff::civil::Date| at == last || day.day() == 1;
    let ends = facts.midnights.iter().enumerate().skip(1);
    let ends = ends.filter(|(at, midnight)| is_shown(*at, midnight.at.local_date()));
    let rows: Vec<_> = ends
        .map(|(_, midnight)| {
            let day = midnight.at.local_date().yesterday().map(|day| day.to_string()).unwrap_or_default();
            [day, grouped(midnight.value), grouped(midnight.balance), bar(midnight.value, most, 40)]
        })
        .collect();
    lines.table(["day", "value", "in cash", ""], &rows);
    lines.heading("What came and went, SEK");
    let row = |it: &super::facts::Move| [it.day.to_string(), grouped(it.ore), it.kind.name().to_owned()];
    lines.table(["day", "amount", "kind"], &facts.moves.iter().map(row).collect::<Vec<_>>());
    lines.heading("Orders");
    let row = |order: &super::facts::Placed| {
        let until =
            if order.standing == OrderState::UnderWay { String::new() } else { order.until.local_date().to_string() };
        [order.at.local_date().to_string(), until, order.about.clone()]
    };
    lines.table(["placed", "ended", "what"], &facts.orders.iter().map(row).collect::<Vec<_>>());
    if !facts.actions.is_empty() {
        lines.heading("Corporate actions");
        let row = |(at, what): &(sim::time::Instant, String)| [at.local_date().to_string(), what.clone()];
        lines.table(["day", "what"], &facts.actions.iter().map(row).collect::<Vec<_>>());
    }
    lines.end()
}

fn capital(name: &str) -> String {
    name.chars().take(1).flat_map(char::to_uppercase).chain(name.chars().skip(1)).collect()
}
