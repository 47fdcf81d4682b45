//! What a world at a glance says in words: above it, to those who do not see it, and in a terminal.

use super::facts::{Facts, FailingRequest, HookHealth, NextThing};
use crate::frame::lines::{Lines, bar};
use crate::frame::numbers::grouped;
use crate::frame::time_axis::{clock, in_words};

/// Whose world it is.
pub(super) fn title(facts: &Facts) -> String {
    format!("World  ·  {}", facts.name)
}

/// The one line below the title.
pub(super) fn subtitle(facts: &Facts) -> String {
    let world = &facts.world;
    let mut parts = vec![
        format!("{} {}", in_words(world.now.local_date()), clock(world.now)),
        format!("{} accounts", world.accounts + world.accounts_left_out),
        format!("{} orders", world.orders.iter().map(|row| row.count).sum::<usize>()),
    ];
    if world.accounts_left_out > 0 {
        parts.push(format!("the values of {} newer accounts are left out", world.accounts_left_out));
    }
    parts.join("  ·  ")
}

/// What is said of the values.
pub(super) fn value(facts: &Facts) -> String {
    facts.world.days.last().map_or_else(
        || "No day of an account is over yet.".to_owned(),
        |day| format!("{} SEK at the end of {}", grouped(day.value), in_words(day.date)),
    )
}

/// What is said of the requests.
pub(super) fn requests(facts: &Facts) -> String {
    let requests = &facts.requests;
    format!("{} of the last {} failed, of {} in all", requests.failed(), requests.looked_at, requests.total)
}

/// A row of failing requests: what was asked, and how it was answered.
pub(super) fn failing(row: &FailingRequest) -> String {
    let status = row.status.map_or_else(|| "dropped".to_owned(), |status| status.to_string());
    format!("{} {} {status}", row.method, row.path)
}

/// A receiver with the numbers of its deliveries.
pub(super) fn health(hook: &HookHealth) -> String {
    let HookHealth { delivered, queued, refused, dead_letters, .. } = hook;
    format!("{delivered} delivered, {queued} queued, {refused} refused, {dead_letters} given up")
}

/// When something comes, and what.
pub(super) fn next(thing: &NextThing) -> String {
    let count = if thing.count > 1 { format!("  ×{}", thing.count) } else { String::new() };
    format!("{} {}  {}{count}", in_words(thing.at.local_date()), &clock(thing.at)[..5], thing.what)
}

/// How many rows are not drawn.
pub(super) fn more(all: usize, most: usize, what: &str) -> Option<String> {
    (all > most).then(|| format!("{} more {what} are left out", all - most))
}

/// What the picture shows, for those who do not see it.
pub(super) fn description(facts: &Facts) -> String {
    let world = &facts.world;
    let orders: Vec<_> = world.orders.iter().map(|row| format!("{} {}", row.count, row.state)).collect();
    let failing: Vec<_> = facts
        .requests
        .failing
        .iter()
        .take(Facts::MOST_ROWS)
        .map(|row| format!("{} times {}", row.count, failing(row)))
        .collect();
    let hooks: Vec<_> =
        facts.webhooks.iter().take(Facts::MOST_ROWS).map(|hook| format!("{}: {}", hook.name, health(hook))).collect();
    let next: Vec<_> = world.next.iter().map(next).collect();
    format!(
        "{}. Value of all accounts: {}. Orders: {}. Requests: {}; {}. Deliveries: {}. Next: {}.",
        subtitle(facts),
        value(facts),
        orders.join(", "),
        requests(facts),
        failing.join("; "),
        hooks.join("; "),
        next.join("; "),
    )
}

/// The world as text.
pub(super) fn text(facts: &Facts) -> String {
    let world = &facts.world;
    let mut lines = Lines::titled(&title(facts), &subtitle(facts));
    lines.heading(&format!("Value of all accounts: {}", value(facts)));
    let most = world.days.iter().map(|day| day.value).max().unwrap_or(0);
    let last = world.days.len().saturating_sub(1);
    let shown =
        world.days.iter().enumerate().filter(|(at, day)| last - at < 10 || day.date == day.date.last_of_month());
    let rows: Vec<_> =
        shown.map(|(_, day)| [day.date.to_string(), grouped(day.value), bar(day.value, most, 50)]).collect();
    if !rows.is_empty() {
        lines.table(["", "SEK", ""], &rows);
    }
    lines.heading("Orders");
    let most = world.orders.iter().map(|row| row.count).max().unwrap_or(0);
    let length = |count: usize, most: usize| {
        let [count, most] = [count, most].map(|count| i64::try_from(count).unwrap_or(i64::MAX));
        bar(count, most, 50)
    };
    let rows: Vec<_> =
        world.orders.iter().map(|row| [row.state.to_owned(), row.count.to_string(), length(row.count, most)]).collect();
    lines.table([""; 3], &rows);
    lines.heading(&format!("Requests: {}", requests(facts)));
    let failing_rows: Vec<_> =
        facts.requests.failing.iter().take(Facts::MOST_ROWS).map(|row| [row.count.to_string(), failing(row)]).collect();
    lines.table([""; 2], &failing_rows);
    lines.wrapped(&more(facts.requests.failing.len(), Facts::MOST_ROWS, "kinds").unwrap_or_default());
    lines.heading("Deliveries");
    let rows: Vec<_> = facts
        .webhooks
        .iter()
        .take(Facts::MOST_ROWS)
        .map(|hook| [hook.name.clone(), if hook.enabled { String::new() } else { "disabled".to_owned() }, health(hook)])
        .collect();
    lines.table([""; 3], &rows);
    lines.wrapped(&more(facts.webhooks.len(), Facts::MOST_ROWS, "receivers").unwrap_or_default());
    if rows.is_empty() {
        lines.line("Nothing is sent: there are no webhooks and no callbacks.");
    }
    lines.heading("Next");
    for thing in &world.next {
        lines.line(&next(thing));
    }
    if world.next_left_out > 0 {
        lines.line(&format!("{} later ones are left out", world.next_left_out));
    }
    lines.end()
}
