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
pub struct Place {
    /// The file.
    pub path: Arc<str>,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// The line as written.
    pub written: Arc<str>,
}

impl fmt::Display for Place {
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
        let rest = &self.text[start..];
        let line_end = rest.find('\n').unwrap_or(rest.len());
        let end = self.floor(start + length.min(line_end)).max(start);
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
    pub fn place(&self, span: &Span) -> Place {
        let written = self.text.lines().nth(span.line.saturating_sub(1) as usize).unwrap_or("");
        Place { path: self.path.clone(), line: span.line, column: span.column, written: written.trim_end().into() }
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
        let range: Range<usize> = self.span.start..self.span.end.max(self.span.start);
        let mut report = Report::build(ReportKind::Error, (id.clone(), range.clone()))
            .with_config(config)
            .with_message(&self.message)
            .with_label(Label::new((id.clone(), range)).with_message(&self.label));
        if let Some(hint) = &self.hint {
            report = report.with_help(hint);
        }
        let mut out = Vec::new();
        let cache = ariadne::sources([(id, self.source.text.to_string())]);
        match report.finish().write(cache, &mut out) {
            Ok(()) => trim_lines(&String::from_utf8_lossy(&out)),
            Err(_) => self.to_string(),
        }
    }
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
