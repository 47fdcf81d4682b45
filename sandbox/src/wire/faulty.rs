//! A request that cannot be read in whole, and how everything that is wrong with it is told in one answer.
//!
//! A shape stands harmless values in where it cannot read, the world judges the whole, and what it says about the stand-ins
//! is left out. Invariant: whoever repairs everything that is told has repaired what the request showed to be wrong.
//! Absent on purpose: the rules, which are the world's.

use super::fields::{self, Fields, Unknown, Unreadable};
use super::json::Node;
use crate::wire::error::ApiError;
use sim::{Fault, Problem};

/// Rules that look at other fields too: the path that a rule is told by, and what it leans on.
pub type Leans = &'static [(&'static str, &'static [&'static str])];

/// A request with something that cannot be read.
pub struct Faulty<T> {
    /// The request with harmless values where it cannot be read; `None` when nothing can be said about the rest.
    pub rest: Option<T>,
    faults: Vec<Unreadable>,
    leans: Leans,
    /// A path about which nothing is known.
    dark: Option<&'static str>,
}

/// Reads an object by `shape`, which stands harmless values in where it cannot read.
///
/// # Errors
/// What cannot be read, beside the rest.
pub fn read<T>(
    body: &Node<'_>,
    unknown: Unknown,
    shape: impl FnOnce(&mut Fields<'_, '_>) -> Option<T>,
) -> Result<T, Box<Faulty<T>>> {
    match fields::read_partly(body, unknown, shape) {
        (Some(whole), faults) if faults.is_empty() => Ok(whole),
        (rest, faults) => Err(Box::new(Faulty { rest, faults, leans: &[], dark: None })),
    }
}

impl<T> Faulty<T> {
    /// Leaves rules out that lean on something that cannot be read.
    #[must_use]
    pub const fn leaning(mut self, leans: Leans) -> Self {
        self.leans = leans;
        self
    }

    /// Leaves everything out that is told of `path` or what lies in it.
    #[must_use]
    pub const fn knowing_nothing_of(mut self, path: &'static str) -> Self {
        self.dark = Some(path);
        self
    }

    /// The answer: what cannot be read, joined with what `judge` finds wrong with the rest.
    pub fn refused(&self, judge: impl FnOnce(&T) -> Vec<Problem>) -> ApiError {
        let rest = self.rest.as_ref().map(judge).unwrap_or_default();
        let rest: Vec<_> = rest.iter().filter(|problem| self.is_news(problem)).map(ToString::to_string).collect();
        let faults = self.faults.iter().map(|fault| fault.text.as_str());
        let all: Vec<_> = faults.chain(rest.iter().map(String::as_str)).collect();
        fields::refused(all.into_iter())
    }

    /// Whether a problem is one of the request, not of the harmless values that stand in it.
    fn is_news(&self, problem: &Problem) -> bool {
        let field: &str = &problem.field;
        let is_whole =
            matches!(problem.fault, Fault::Missing | Fault::Empty | Fault::Duplicate | Fault::SumNotHundred { .. });
        let unreadable = |path: &str| self.faults.iter().any(|fault| lies_in(&fault.path, path));
        let inside = self.faults.iter().any(|fault| lies_in(field, &fault.path));
        let dark = self.dark.is_some_and(|path| lies_in(field, path));
        let mut leans = self.leans.iter().filter(|(rule, _)| *rule == field).flat_map(|(_, on)| *on);
        !(dark || inside || (is_whole && unreadable(field)) || leans.any(|on| unreadable(on)))
    }
}

/// Whether the path `inner` is `outer` or leads further into it.
fn lies_in(inner: &str, outer: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_lies_in_itself_and_in_what_leads_to_it() {
        for (inner, outer, lies) in [
            ("a.b", "a.b", true),
            ("a.b.c", "a.b", true),
            ("a.b[0].c", "a.b", true),
            ("a.bc", "a.b", false),
            ("a", "a.b", false),
        ] {
            assert_eq!(lies_in(inner, outer), lies, "{inner} in {outer}");
        }
    }
}
