//! How tables are written: columns as wide as they need, settings in the same words everywhere.

use std::fmt::{Display, Write as _};

pub(super) fn add(text: &mut String, more: std::fmt::Arguments<'_>) {
    // A string takes everything.
    text.write_fmt(more).unwrap_or_default();
}

pub(super) fn columns<const N: usize>(head: &[&str; N], rows: &[[String; N]]) -> String {
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0).max(head[at].len());
    let mut text = String::new();
    let line = |text: &mut String, cells: &[&dyn Display]| {
        for (at, cell) in cells.iter().enumerate() {
            if at + 1 == N {
                add(text, format_args!("{cell}"));
            } else {
                let width = width(at) + 2;
                add(text, format_args!("{:<width$}", cell.to_string()));
            }
        }
        text.push('\n');
    };
    let head: Vec<&dyn Display> = head.iter().map(|cell| cell as &dyn Display).collect();
    line(&mut text, &head);
    for row in rows {
        let row: Vec<&dyn Display> = row.iter().map(|cell| cell as &dyn Display).collect();
        line(&mut text, &row);
    }
    text
}

pub(super) fn bounds(kind: sim::settings::SettingType) -> String {
    use sim::settings::SettingType;
    match kind {
        SettingType::Flag => "true or false".to_owned(),
        SettingType::Whole(least, most) => format!("{least} to {most}"),
        SettingType::OneOf(choices) => choices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        SettingType::Amount => "SEK from 0".to_owned(),
        SettingType::Percent(most) => format!("percent from 0 to {most}"),
    }
}

/// What a setting does; the rule that it cites is for readers of the code.
pub(super) fn about<S>(row: &sim::settings::SettingRow<S>) -> &'static str {
    row.about.trim().split(" (").next().unwrap_or_default().trim_end_matches('.')
}
