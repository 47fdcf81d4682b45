//! A picture as text for a terminal: headings, tables and bars that have room in a hundred columns.
//!
//! Invariant: no line is longer than `COLUMNS`; what is cut off ends in an ellipsis. Absent on purpose: what is written.

/// How wide a terminal is at least.
pub(crate) const COLUMNS: usize = 100;
/// Between the columns of a table.
const GAP: &str = "  ";

/// A text that grows line by line.
#[derive(Default)]
pub(crate) struct Lines {
    text: String,
}

impl Lines {
    /// A text that begins with a title and what it says below it.
    pub(crate) fn titled(title: &str, below: &str) -> Self {
        let mut lines = Self::default();
        lines.line(title);
        lines.wrapped(below);
        lines
    }

    /// One line, cut off where it is too long.
    pub(crate) fn line(&mut self, line: &str) {
        self.text.push_str(cut(line, COLUMNS).trim_end());
        self.text.push('\n');
    }

    /// An empty line, then a heading.
    pub(crate) fn heading(&mut self, heading: &str) {
        self.text.push('\n');
        self.line(heading);
    }

    /// Words on as many lines as they need.
    pub(crate) fn wrapped(&mut self, words: &str) {
        let mut line = String::new();
        for word in words.split_whitespace() {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > COLUMNS {
                self.line(&std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        if !line.is_empty() {
            self.line(&line);
        }
    }

    /// A table: each column as wide as its widest cell, the widest cut off where the line would be too long. Columns of numbers
    /// have their digits below each other.
    pub(crate) fn table<const N: usize>(&mut self, headings: [&str; N], rows: &[[String; N]]) {
        let width = |at: usize| {
            rows.iter().map(|row| row[at].chars().count()).chain([headings[at].chars().count()]).max().unwrap_or(0)
        };
        let mut widths: [usize; N] = std::array::from_fn(width);
        let room = COLUMNS.saturating_sub(GAP.len() * N.saturating_sub(1));
        while widths.iter().sum::<usize>() > room {
            let Some(widest) = widths.iter_mut().max() else { break };
            *widest -= 1;
        }
        let is_number = |cell: &str| cell.starts_with(|first: char| first.is_ascii_digit() || first == '−');
        let numbers: [bool; N] = std::array::from_fn(|at| {
            rows.iter().any(|row| is_number(&row[at]))
                && rows.iter().all(|row| row[at].is_empty() || (is_number(&row[at]) && !row[at].contains(['-', ':'])))
        });
        let headings = headings.map(str::to_owned);
        let headed = headings.iter().any(|heading| !heading.is_empty());
        for row in headed.then_some(&headings).into_iter().chain(rows) {
            let cells = row.iter().zip(widths).zip(numbers).map(|((cell, width), is_number)| {
                let cell = cut(cell, width);
                let space = " ".repeat(width - cell.chars().count());
                if is_number { format!("{space}{cell}") } else { format!("{cell}{space}") }
            });
            self.line(&cells.collect::<Vec<_>>().join(GAP));
        }
    }

    /// The text.
    pub(crate) fn end(self) -> String {
        self.text
    }
}

/// The first letters of a text.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// A bar of a share of `most`, in eighths of a letter, at most `columns` long.
pub(crate) fn bar(value: i64, most: i64, columns: i64) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = if most <= 0 { 0 } else { i128::from(value.max(0)) * i128::from(columns) * 8 / i128::from(most) };
    let (whole, rest) = (usize::try_from(eighths / 8).unwrap_or(0), usize::try_from(eighths % 8).unwrap_or(0));
    // What is there is seen, however little it is.
    let part = if value > 0 && whole == 0 && rest == 0 { PARTS[1] } else { PARTS[rest] };
    "█".repeat(whole) + part
}
