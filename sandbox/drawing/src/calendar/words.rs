//! What a calendar says in words: above it, to those who do not see it, and in a terminal.

use super::facts::{Day, DayKind, DueKind, Facts};
use crate::frame::lines::Lines;
use crate::frame::time_axis::{in_words, weekday};

/// What it is.
pub(super) fn title(_: &Facts) -> String {
    "Calendar".to_owned()
}

/// The one line below the title.
pub(super) fn subtitle(facts: &Facts) -> String {
    let mut parts = Vec::new();
    if let (Some(first), Some(last)) = (facts.days.first(), facts.days.last()) {
        parts.push(format!("{} to {}", in_words(first.date), in_words(last.date)));
    }
    parts.push(format!("today is {}", in_words(facts.now.local_date())));
    parts.push(format!("{} funds", facts.funds));
    if facts.funds_left_out > 0 {
        parts.push(format!("{} more funds are left out", facts.funds_left_out));
    }
    if facts.orders_left_out > 0 {
        parts.push(format!("{} older orders are left out", facts.orders_left_out));
    }
    parts.join("  ·  ")
}

/// What the picture shows, for those who do not see it.
pub(super) fn description(facts: &Facts) -> String {
    let mut text = format!("{}.", subtitle(facts));
    let bank_days = facts.days.iter().filter(|day| matches!(day.kind, DayKind::BankDay | DayKind::HalfDay)).count();
    text.push_str(&format!(" Bank days: {bank_days}."));
    for kind in DueKind::ALL {
        text.push_str(&format!(" {}: {}.", kind.name(), facts.sum(kind)));
    }
    for day in facts.days.iter().filter(|day| day.is_special()) {
        text.push_str(&format!(" {}.", spoken(day)));
    }
    text
}

/// A day with all that is due on it.
pub(super) fn spoken(day: &Day) -> String {
    let mut text = format!("{} {}: {}", weekday(day.date), in_words(day.date), day.holiday.unwrap_or(day.kind.name()));
    let due = due(day, &DueKind::ALL);
    if !due.is_empty() {
        text.push_str(&format!("; {due}"));
    }
    if let Some([first, last]) = &day.cut_offs_between {
        let between = if first == last { format!("at {first}") } else { format!("from {first} to {last}") };
        text.push_str(&format!("; cut-offs {between}"));
    }
    text
}

/// What is due of some kinds, in words of the world where there are any.
pub(super) fn due(day: &Day, kinds: &[DueKind]) -> String {
    let mut parts: Vec<String> = Vec::new();
    for kind in kinds {
        match (day.count(*kind), kind) {
            (0, _) | (_, DueKind::Payments | DueKind::Fees | DueKind::Other) => {}
            (1, kind) => parts.push(format!("1 {}", kind.name().trim_end_matches('s'))),
            (count, kind) => parts.push(format!("{count} {}", kind.name())),
        }
    }
    if kinds.contains(&DueKind::Payments) {
        let times = |count: usize| if count == 1 { String::new() } else { format!(" ×{count}") };
        parts.extend(day.what.iter().map(|(what, count)| format!("{what}{}", times(*count))));
    }
    parts.join(", ")
}

/// The calendar as text, a line for each day.
pub(super) fn text(facts: &Facts) -> String {
    let mut lines = Lines::titled(&title(facts), &subtitle(facts));
    let mut months: Vec<&[Day]> = facts.days.chunk_by(|one, other| one.date.month() == other.date.month()).collect();
    months.retain(|days| !days.is_empty());
    for days in months {
        lines.heading(&format!("{}-{:02}", days[0].date.year(), days[0].date.month()));
        let number = |count: usize| if count == 0 { String::new() } else { count.to_string() };
        let row = |day: &Day| {
            let today = if day.date == facts.now.local_date() { " today" } else { "" };
            let name = format!("{}{today}", day.holiday.unwrap_or(day.kind.name()));
            let hours = day
                .cut_offs_between
                .as_ref()
                .map(|[first, last]| if first == last { first.clone() } else { format!("{first} to {last}") });
            let [cut_offs, prices, settlements] =
                [DueKind::CutOffs, DueKind::Prices, DueKind::Settlements].map(|kind| number(day.count(kind)));
            let rest = due(day, &[DueKind::Payments, DueKind::Fees, DueKind::Other]);
            let date = format!("{} {:2}", weekday(day.date), day.date.day());
            [date, name, cut_offs, hours.unwrap_or_default(), prices, settlements, rest]
        };
        let rows: Vec<_> = days.iter().map(row).collect();
        lines.table(["day", "", "cut-offs", "at", "prices", "settlements", "due"], &rows);
    }
    lines.end()
}
