//! What every part of the parser needs: the source at hand, the faults found, the names known so far.

use super::files::Files;
use crate::diagnostic::{Diagnostic, Source, Span, StepPlace};
use crate::exact as figures;
use crate::template::{self, Piece};
use crate::tree::{self, Key, Node, NodeKind};
use crate::words;
use serde_json::{Map, Number, Value as Json};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

/// How deep files may use files.
const DEEPEST_USE: usize = 8;
/// Names that are there from the start, beside `partner N` and `client N`.
const FIRST_NAMES: &[&str] = &["partner", "client", "world", "now", "today", "driver", "receiver", "app"];

/// Faults of one file that are reported.
const MOST_FAULTS: usize = 100;

/// The parser's state.
pub(super) struct Reader<'f> {
    source: Source,
    files: &'f dyn Files,
    depth: usize,
    /// The files that are being read, each used by the one before it.
    using: Vec<Arc<str>>,
    faults: Vec<Diagnostic>,
    /// What was found beyond the most that are kept.
    beyond: usize,
    spare: Diagnostic,
    names: Vec<String>,
    /// Whether every name counts as known everywhere.
    all_known: bool,
    /// Whether it is one step without a story, so that nothing was saved before it.
    is_alone: bool,
    /// Names that others have saved.
    further: Option<&'f dyn Fn(&str) -> bool>,
}

impl<'f> Reader<'f> {
    pub(super) fn new(source: &Source, files: &'f dyn Files) -> Self {
        let names = FIRST_NAMES.iter().map(|name| (*name).to_owned()).collect();
        let spare = Diagnostic::new(source, source.span(0, 0, 1, 1), "");
        let using = vec![source.path.clone()];
        Self {
            source: source.clone(),
            files,
            depth: 0,
            using,
            faults: Vec::new(),
            beyond: 0,
            spare,
            names,
            all_known: false,
            is_alone: false,
            further: None,
        }
    }

    /// Takes every name for a known one.
    pub(super) const fn knowing_all(mut self) -> Self {
        self.all_known = true;
        self
    }

    /// Reads a step without a story.
    pub(super) const fn alone(mut self) -> Self {
        self.is_alone = true;
        self
    }

    /// Takes these names for known ones, too.
    pub(super) const fn knowing(mut self, further: &'f dyn Fn(&str) -> bool) -> Self {
        self.further = Some(further);
        self
    }

    pub(super) fn into_faults(mut self) -> Vec<Diagnostic> {
        if self.beyond > 0 {
            let message = "the rest was not checked: correct the mistakes above first".to_owned();
            self.faults.push(Diagnostic { message, hint: None, label: "here".to_owned(), ..self.spare });
        }
        self.faults
    }

    /// Whether so much is wrong that nobody wants to read of more.
    pub(super) const fn is_full(&self) -> bool {
        self.faults.len() >= MOST_FAULTS
    }

    /// Whether anything is wrong so far.
    pub(super) const fn is_faulty(&self) -> bool {
        !self.faults.is_empty()
    }

    /// How many faults were found so far.
    pub(super) const fn count(&self) -> usize {
        self.faults.len()
    }

    pub(super) fn place(&self, span: &Span) -> StepPlace {
        self.source.place(span)
    }

    /// Notes a fault; the caller may add a hint to it.
    pub(super) fn fault(&mut self, span: &Span, message: impl Into<String>) -> &mut Diagnostic {
        let fault = Diagnostic::new(&self.source, span.clone(), message);
        if self.is_full() {
            self.beyond += 1;
            self.spare = fault;
            return &mut self.spare;
        }
        self.faults.push(fault);
        let last = self.faults.len() - 1;
        &mut self.faults[last]
    }

    pub(super) fn unknown_word(&mut self, span: &Span, word: &str, known: &[&str]) {
        let hint = words::hint(word, known);
        let fault = self.fault(span, format!("unknown word `{word}`"));
        fault.label = "not known here".to_owned();
        fault.hint = hint;
    }

    pub(super) fn wrong_kind(&mut self, node: &Node, what: &str, wanted: &str) -> &mut Diagnostic {
        let got = node.kind.noun();
        let fault = self.fault(&node.span, format!("{what} must be {wanted}"));
        fault.label = format!("this is {got}");
        fault
    }

    pub(super) fn map<'n>(&mut self, node: &'n Node, what: &str) -> &'n [(Key, Node)] {
        match &node.kind {
            NodeKind::Map(entries) => entries,
            _ => {
                self.wrong_kind(node, what, "a map of words and values");
                &[]
            }
        }
    }

    pub(super) fn list<'n>(&mut self, node: &'n Node, what: &str) -> &'n [Node] {
        match &node.kind {
            NodeKind::List(items) => items,
            _ => {
                self.wrong_kind(node, what, "a list");
                &[]
            }
        }
    }

    /// A list, or one item for a list of one.
    pub(super) fn one_or_many<'n>(&self, node: &'n Node) -> &'n [Node] {
        match &node.kind {
            NodeKind::List(items) => items,
            _ => std::slice::from_ref(node),
        }
    }

    /// A text in which braces mean nothing.
    pub(super) fn raw_text(&mut self, node: &Node, what: &str) -> Option<String> {
        match &node.kind {
            NodeKind::Text(text) | NodeKind::Number(text) => Some(text.clone()),
            _ => self.text(node, what),
        }
    }

    /// A text; digits and truth values are taken as they are written.
    pub(super) fn text(&mut self, node: &Node, what: &str) -> Option<String> {
        match &node.kind {
            NodeKind::Text(text) | NodeKind::Number(text) => {
                self.check_names(text, &node.span);
                Some(text.clone())
            }
            NodeKind::Bool(value) => Some(value.to_string()),
            NodeKind::Map(entries) if entries.len() == 1 && entries[0].1.kind == NodeKind::Null => {
                let name = entries[0].0.text.clone();
                self.fault(&node.span, format!("{what} is a text")).hint =
                    Some(format!("a text that begins with a brace needs quotes: \"{{{name}}}\""));
                None
            }
            _ => {
                self.wrong_kind(node, what, "a text");
                None
            }
        }
    }

    pub(super) fn whole(&mut self, node: &Node, what: &str) -> Option<u64> {
        let parsed = match &node.kind {
            NodeKind::Number(text) | NodeKind::Text(text) => text.parse().ok(),
            _ => None,
        };
        if parsed.is_none() {
            self.wrong_kind(node, what, "a whole number");
        }
        parsed
    }

    pub(super) fn truth(&mut self, node: &Node, what: &str) -> Option<bool> {
        if let NodeKind::Bool(value) = node.kind {
            return Some(value);
        }
        self.wrong_kind(node, what, "true or false");
        None
    }

    /// A number, also a quoted one, or a text that is one `{name}`.
    pub(super) fn quantity(&mut self, node: &Node, what: &str) -> Option<Json> {
        match &node.kind {
            NodeKind::Number(text) => Some(exact(text)),
            NodeKind::Text(text) if figures::is_json_number(text) => Some(exact(text)),
            NodeKind::Text(text) if text.contains('{') => {
                self.check_names(text, &node.span);
                Some(Json::String(text.clone()))
            }
            _ => {
                self.wrong_kind(node, what, "a number");
                None
            }
        }
    }

    /// A value as JSON.
    pub(super) fn json(&mut self, node: &Node) -> Json {
        match &node.kind {
            NodeKind::Null => Json::Null,
            NodeKind::Bool(value) => Json::Bool(*value),
            NodeKind::Number(text) => exact(text),
            NodeKind::Text(text) => {
                self.check_names(text, &node.span);
                Json::String(text.clone())
            }
            NodeKind::List(items) => Json::Array(items.iter().map(|item| self.json(item)).collect()),
            NodeKind::Map(entries) => {
                let mut map = Map::new();
                for (key, value) in entries {
                    map.insert(key.text.clone(), self.json(value));
                }
                Json::Object(map)
            }
        }
    }

    /// What names an id: a saved name with or without braces, or the id itself.
    pub(super) fn reference(&mut self, node: &Node, what: &str) -> Option<String> {
        let text = self.text(node, what)?;
        if !text.contains('{') {
            self.check_reference(&text, &node.span);
        }
        Some(text)
    }

    /// Complains about a bare word that is neither a saved name nor shaped like an id, and about unknown names in braces.
    pub(super) fn check_reference(&mut self, text: &str, span: &Span) {
        if text.contains('{') {
            self.check_names(text, span);
        } else if !self.knows(text) && !looks_like_id(text) {
            self.unknown_name(text, span);
        }
    }

    /// Complains about names in braces that nothing has saved.
    pub(super) fn check_names(&mut self, text: &str, span: &Span) {
        match template::pieces(text) {
            Ok(pieces) => {
                for piece in pieces {
                    let Piece::Value(expression) = piece else { continue };
                    if expression.references().is_empty()
                        && let Err(error) = expression.value(&|_| Err(template::TemplateError::NoFigure(String::new())))
                    {
                        self.fault(span, error.to_string());
                    }
                    for reference in expression.references() {
                        if !self.knows(reference.name) {
                            self.unknown_name(reference.name, span);
                        }
                    }
                }
            }
            Err(error) => {
                self.fault(span, error.to_string()).hint =
                    Some("a brace that is only a brace is written twice: `{{`".to_owned());
            }
        }
    }

    fn unknown_name(&mut self, name: &str, span: &Span) {
        let near = words::nearest(name, self.names.iter().map(String::as_str)).map(str::to_owned);
        if self.is_alone {
            let fault = self.fault(span, format!("`{name}` is neither an id nor a name of the world"));
            fault.label = "not known here".to_owned();
            fault.hint = Some(match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => "an id is as in 15a0b3a4-2b27-4772-9aa8-8ced5a0b2e72; names are as in `client 2`, `partner`, `today`".to_owned(),
            });
            return;
        }
        let fault = self.fault(span, format!("nothing is saved as `{name}` before this step"));
        fault.label = "not known yet".to_owned();
        fault.hint = Some(match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => "a step saves its answer with `as:` or `save:`".to_owned(),
        });
    }

    fn knows(&self, name: &str) -> bool {
        let counted = |prefix: &str| {
            name.strip_prefix(prefix).is_some_and(|rest| rest.trim().parse::<usize>().is_ok_and(|number| number > 0))
        };
        let is_first = || self.names.iter().any(|known| known == name) || counted("partner ") || counted("client ");
        self.all_known || is_first() || self.further.is_some_and(|knows| knows(name))
    }

    /// From here on, `name` is saved.
    pub(super) fn learn(&mut self, name: &str) {
        if !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_owned());
        }
    }

    /// Works with further names, which are forgotten afterwards; what is saved meanwhile stays.
    pub(super) fn with_names<T>(&mut self, names: &[String], work: impl FnOnce(&mut Self) -> T) -> T {
        let new: Vec<String> = names.iter().filter(|name| !self.names.contains(name)).cloned().collect();
        new.iter().for_each(|name| self.learn(name));
        let result = work(self);
        self.names.retain(|name| !new.contains(name));
        result
    }

    /// Reads a file named in this one.
    pub(super) fn other_file(&mut self, path: &str, span: &Span) -> Option<(Source, Node)> {
        if self.depth >= DEEPEST_USE {
            too_deep(self, span);
            return None;
        }
        let full = beside(&self.source, path);
        if self.using.iter().any(|using| **using == *full.to_string_lossy()) {
            self.fault(span, "a file cannot use itself").label = format!("`{path}` is being read here");
            return None;
        }
        match self.files.read(&full) {
            Ok(text) => {
                let source = Source::new(full.display().to_string(), text);
                match tree::read(&source) {
                    Ok(root) => Some((source, root)),
                    Err(fault) => {
                        self.faults.push(*fault);
                        None
                    }
                }
            }
            Err(error) => {
                let full = full.display().to_string();
                self.fault(span, format!("`{path}` cannot be read: {error}")).hint =
                    Some(format!("paths are seen from the file that names them; looked for {full}"));
                None
            }
        }
    }

    /// Works within another file; names that are known stay known.
    pub(super) fn within<T>(&mut self, source: &Source, work: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.source, source.clone());
        self.depth += 1;
        self.using.push(source.path.clone());
        let result = work(self);
        self.using.pop();
        self.depth -= 1;
        self.source = outer;
        result
    }
}

/// A node as JSON, braces and all.
pub(super) fn plain(node: &Node) -> Json {
    match &node.kind {
        NodeKind::Null => Json::Null,
        NodeKind::Bool(value) => Json::Bool(*value),
        NodeKind::Number(text) => exact(text),
        NodeKind::Text(text) => Json::String(text.clone()),
        NodeKind::List(items) => Json::Array(items.iter().map(plain).collect()),
        NodeKind::Map(entries) => {
            Json::Object(entries.iter().map(|(key, value)| (key.text.clone(), plain(value))).collect())
        }
    }
}

fn exact(text: &str) -> Json {
    Number::from_str(text).map_or_else(|_| Json::String(text.to_owned()), Json::Number)
}

/// A UUID, an instrument id, or anything else with digits and no spaces that nobody would choose as a name.
fn looks_like_id(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    !text.contains(' ') && text.len() >= 12 && digits >= 3
}

/// Where a used file lies: beside the one that uses it.
fn beside(source: &Source, path: &str) -> PathBuf {
    Path::new(&*source.path).parent().unwrap_or(Path::new("")).join(path)
}

/// Too deep, or in a circle.
fn too_deep(reader: &mut Reader<'_>, span: &Span) {
    reader.fault(span, "files use files too deeply").hint = Some("does a file use itself?".to_owned());
}
