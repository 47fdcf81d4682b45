//! What is wrong with a file, where, and what would be right.
//!
//! Owns: sources, spans, diagnostics and their rendering. Every fault of every file is shown through here, so that all
//! look alike. Absent on purpose: deciding what is a fault.

use ariadne::{CharSet, Config, IndexType, Label, Report, ReportKind};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A file's name and text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The path as the user named it.
    pub path: Arc<str>,
    /// All of it.
    pub text: Arc<str>,
}

/// A stretch of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// A step's place in its file, for failures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepPlace {
    /// The file.
    pub path: Arc<str>,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// The line as written.
    pub written: Arc<str>,
}

impl fmt::Display for StepPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.path, self.line, self.column)
    }
}

impl Source {
    /// A source of `text` that diagnostics call `path`.
    pub fn new(path: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        Self { path: path.into(), text: text.into() }
    }

    /// A span of `length` bytes at `offset`, cut to the line's end and to whole characters.
    #[must_use]
    pub fn span(&self, offset: usize, length: usize, line: u32, column: u32) -> Span {
        let start = self.floor(offset.min(self.text.len()));
        // No further than it reaches: a line may be as long as a file.
        let reach = self.floor(start.saturating_add(length).min(self.text.len())).max(start);
        let end = self.text[start..reach].find('\n').map_or(reach, |line_end| start + line_end);
        Span { start, end, line, column }
    }

    /// The byte at which a line and column begin.
    #[must_use]
    pub fn offset_of(&self, line: u32, column: u32) -> usize {
        let before: usize = self.text.split_inclusive('\n').take(line.saturating_sub(1) as usize).map(str::len).sum();
        let rest = self.text.get(before..).unwrap_or("");
        let within = rest.char_indices().nth(column.saturating_sub(1) as usize).map_or(rest.len(), |(at, _)| at);
        before + within
    }

    /// The place that a failing step reports.
    #[must_use]
    pub fn place(&self, span: &Span) -> StepPlace {
        let (begin, end) = self.line_around(span.start, span.start);
        let written = &self.text[begin..end];
        StepPlace { path: self.path.clone(), line: span.line, column: span.column, written: written.trim_end().into() }
    }

    /// Where the line begins that holds the byte `start`, and where the one ends that holds `end`.
    fn line_around(&self, start: usize, end: usize) -> (usize, usize) {
        let start = self.floor(start.min(self.text.len()));
        let end = self.floor(end.clamp(start, self.text.len()));
        let begin = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        (begin, self.text[end..].find('\n').map_or(self.text.len(), |at| end + at))
    }

    fn floor(&self, mut at: usize) -> usize {
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

/// One fault of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file it is in.
    pub source: Source,
    /// Where.
    pub span: Span,
    /// What is wrong, one line.
    pub message: String,
    /// A few words beside the underlined place.
    pub label: String,
    /// What would be right.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// A fault at `span`.
    pub fn new(source: &Source, span: Span, message: impl Into<String>) -> Self {
        Self { source: source.clone(), span, message: message.into(), label: "here".to_owned(), hint: None }
    }

    /// Says something beside the underlined place.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Says what would be right.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Says what would be right, if that is known.
    #[must_use]
    pub fn maybe_hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }

    /// The fault with the line it is in, underlined.
    #[must_use]
    pub fn render(&self, colour: bool) -> String {
        let config =
            Config::default().with_color(colour).with_index_type(IndexType::Byte).with_char_set(CharSet::Unicode);
        let id = self.source.path.to_string();
        // The line it is in is enough to show it, however long the file is; what is before it only counts lines.
        let (begin, end) = self.source.line_around(self.span.start, self.span.end);
        if end - begin > LONGEST_LINE {
            return self.on_long_line(begin, end);
        }
        let before = self.source.text[..begin].matches('\n').count();
        let moved = |at: usize| at - begin + before;
        let range: Range<usize> = moved(self.span.start)..moved(self.span.end.max(self.span.start));
        let shown = "\n".repeat(before) + &harmless(&self.source.text[begin..end]);
        let mut report = Report::build(ReportKind::Error, (id.clone(), range.clone()))
            .with_config(config)
            .with_message(harmless(&self.message))
            .with_label(Label::new((id.clone(), range)).with_message(harmless(&self.label)));
        if let Some(hint) = &self.hint {
            report = report.with_help(harmless(hint));
        }
        let mut out = Vec::new();
        match report.finish().write(ariadne::sources([(id, shown)]), &mut out) {
            Ok(()) => trim_lines(&String::from_utf8_lossy(&out)),
            Err(_) => self.to_string(),
        }
    }

    /// The fault with the part of its line that it begins in.
    fn on_long_line(&self, begin: usize, end: usize) -> String {
        let text = &self.source.text;
        let from = self.source.floor(self.span.start.saturating_sub(BESIDE).max(begin));
        let to = self.source.floor((self.span.start + 2 * BESIDE).min(end));
        let (before, after) = (if from > begin { "…" } else { "" }, if to < end { "…" } else { "" });
        let Span { line, column, .. } = self.span;
        let (message, excerpt) = (harmless(&self.message), harmless(text[from..to].trim()));
        let mut rendered =
            format!("Error: {message}\n   at {}:{line}:{column}\n    {before}{excerpt}{after}\n", self.source.path);
        if let Some(hint) = &self.hint {
            rendered += &format!("    Help: {}\n", harmless(hint));
        }
        rendered
    }
}

/// Of longer lines a part is shown, in bytes.
const LONGEST_LINE: usize = 400;

/// Bytes that are shown before the fault, and half of those that are shown from there on.
const BESIDE: usize = 80;

/// A text with every control character but line ends and tabs written out, so that none reaches a terminal or a document;
/// and with what no document may hold.
#[must_use]
pub fn printable(text: &str) -> String {
    let is_plain = |c: char| matches!(c, '\n' | '\t') || !(c.is_control() || is_misleading(c));
    if text.chars().all(is_plain) {
        return text.to_owned();
    }
    text.chars().map(|c| if is_plain(c) { c.to_string() } else { c.escape_default().to_string() }).collect()
}

/// Whether a character turns the direction of what follows it, or marks one: a reader sees other words than there are.
pub(crate) const fn turns_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// What no document may hold, and what turns the direction of a line, so that it reads as it is not.
const fn is_misleading(c: char) -> bool {
    matches!(c, '\u{fffe}' | '\u{ffff}') || turns_direction(c)
}

/// A text without control characters but line ends and tabs, as long in bytes as it was: a terminal must not obey a file.
fn harmless(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\t' => c,
        // Two bytes long, as the mark of Arabic letters is.
        '\u{61c}' => '\u{b7}',
        c if is_misleading(c) => '\u{fffd}',
        // Two bytes long, as those of the second block of controls are.
        c if c.is_control() => {
            if c.len_utf8() == 1 {
                '?'
            } else {
                '\u{b7}'
            }
        }
        c => c,
    };
    text.chars().map(shown).collect()
}

/// The renderer pads some lines; goldens and terminals are better off without.
fn trim_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.source.path, self.span.line, self.span.column, self.message)?;
        if let Some(hint) = &self.hint {
            write!(f, " ({hint})")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostic {}
