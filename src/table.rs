//! Tables for terminals: columns as wide as they need.
//!
//! Absent on purpose: colours, and what is in them.

use std::fmt::{Display, Write as _};

/// Adds to a text.
pub(crate) fn add(text: &mut String, more: std::fmt::Arguments<'_>) {
    // A string takes everything.
    text.write_fmt(more).unwrap_or_default();
}

/// Rows below their heads.
pub(crate) fn columns<const N: usize>(head: &[&str; N], rows: &[[String; N]]) -> String {
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
        text.truncate(text.trim_end_matches(' ').len());
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
