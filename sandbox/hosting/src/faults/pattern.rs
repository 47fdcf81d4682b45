//! What a rule hits by name: paths of requests and receivers, and types of events.
//!
//! Invariant: a pattern means all of itself; the whole path or name has to fit the whole pattern. Absent on purpose: what
//! becomes of what fits.

use serde::{Deserialize, Serialize};

use feed::event_types::{CALLBACK, EVENT_TYPES, TEST};

/// A path with wildcards: `*` or `{name}` matches one segment that is not empty, `**` for any number of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pattern(String);

impl Pattern {
    /// A pattern from its text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Why no path of a request or a receiver could ever fit; `None` when one could.
    #[must_use]
    pub fn fault(&self) -> Option<&'static str> {
        let is_whole = |segment: &str| {
            matches!(segment, "*" | "**") || (segment.len() > 2 && segment.starts_with('{') && segment.ends_with('}'))
        };
        let is_plain = |segment: &str| !segment.contains(['*', '{', '}']);
        if !self.0.starts_with('/') {
            Some("must begin with a slash")
        } else if self.0.contains(['?', '#']) {
            Some("is a path, without a query")
        } else if self.0.split('/').any(|segment| !is_whole(segment) && !is_plain(segment)) {
            Some("has `*`, `**` and `{name}` as whole segments only")
        } else {
            None
        }
    }

    /// Whether `path` matches whole.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        let wanted: Vec<&str> = self.0.split('/').collect();
        let segments: Vec<&str> = path.split('/').collect();
        fits(&wanted, &segments)
    }
}

/// Whether the segments fit, in steps bounded by the product of both lengths: only the last `**` met is ever widened.
fn fits(wanted: &[&str], segments: &[&str]) -> bool {
    let (mut at, mut segment) = (0, 0);
    let mut widened = None;
    while segment < segments.len() {
        match wanted.get(at) {
            Some(&"**") => {
                widened = Some((at, segment));
                at += 1;
            }
            Some(one) if fits_one(one, segments[segment]) => (at, segment) = (at + 1, segment + 1),
            _ => {
                let Some((star, taken)) = widened else { return false };
                widened = Some((star, taken + 1));
                (at, segment) = (star + 1, taken + 1);
            }
        }
    }
    wanted[at..].iter().all(|rest| *rest == "**")
}

fn fits_one(wanted: &str, segment: &str) -> bool {
    let is_wild = wanted == "*" || (wanted.starts_with('{') && wanted.ends_with('}'));
    wanted == segment || (is_wild && !segment.is_empty())
}

/// Types of events: one by its name, all of a noun (`order.*`), or all (`*`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventPattern(String);

impl EventPattern {
    /// A pattern from its text; `None` when no event could ever fit.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let pattern = Self(text.to_owned());
        let known = EVENT_TYPES.into_iter().chain([CALLBACK, TEST]).any(|known| pattern.matches(known));
        known.then_some(pattern)
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether a socket could send such an event.
    #[must_use]
    pub fn is_of_sockets(&self) -> bool {
        EVENT_TYPES.into_iter().any(|known| self.matches(known))
    }

    /// Whether an event of this type fits.
    #[must_use]
    pub fn matches(&self, event_type: &str) -> bool {
        match self.0.strip_suffix('*') {
            Some("") => true,
            Some(noun) => noun.ends_with('.') && event_type.starts_with(noun),
            None => self.0 == event_type,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_segment_by_segment_and_whole() {
        for (pattern, path, matches) in [
            ("/ping", "/ping", true),
            ("/ping", "/ping/", false),
            ("/ping", "/", false),
            ("/a/*/c", "/a/b/c", true),
            ("/a/{id}/c", "/a/b/c", true),
            ("/a/*/c", "/a//c", false),
            ("/a/*", "/a/b/c", false),
            ("/a/**", "/a/b/c", true),
            ("/a/**", "/a", true),
            ("/a/**", "/b/b/c", false),
            ("/**", "/", true),
            ("/**/zzz", "/client", false),
            ("/**/zzz", "/zzz", true),
            ("/**/zzz", "/a/b/zzz", true),
            ("/**/zzz", "/a/zzz/b", false),
            ("/a/**/b/**/c", "/a/b/x/b/y/c", true),
            ("/a/**/b/**/c", "/a/x/y/c", false),
            ("/**/*/c", "/c", false),
            ("/**/*/c", "/b/c", true),
        ] {
            assert_eq!(Pattern::new(pattern).matches(path), matches, "{pattern} {path}");
        }
    }

    /// (rule: events/fault-rules)
    #[test]
    fn a_pattern_that_no_path_fits_is_found_out() {
        for pattern in ["/", "/a/*/b", "/**", "/a/{id}/b", "/a/**/b", "/a//b"] {
            assert_eq!(Pattern::new(pattern).fault(), None, "{pattern}");
        }
        for pattern in ["a", "", "/a?b=c", "/a#b", "/a*", "/a/**b", "/{id", "/x{id}", "/{}", "/***"] {
            assert!(Pattern::new(pattern).fault().is_some(), "{pattern}");
        }
    }

    #[test]
    fn a_pattern_of_many_wildcards_is_answered_at_once() {
        let (pattern, path) = ("/**/a".repeat(200), "/a".repeat(2_000));
        assert!(Pattern::new(&pattern).matches(&path));
        assert!(!Pattern::new(&format!("{pattern}/b")).matches(&path));
    }

    #[test]
    fn types_of_events_are_named_one_by_one_by_noun_or_all_together() {
        for (pattern, kind, matches) in [
            ("order.update", "order.update", true),
            ("order.update", "order.create", false),
            ("order.*", "order.create", true),
            ("order.*", "account.create", false),
            ("*", "journey.update", true),
            ("journey.callback", "journey.callback", true),
            ("webhook.test", "webhook.test", true),
        ] {
            let read = EventPattern::read(pattern).expect(pattern);
            assert_eq!(read.matches(kind), matches, "{pattern} {kind}");
        }
        for nothing in ["ordr.*", "order", "order*", "", "order.updated", "**"] {
            assert_eq!(EventPattern::read(nothing), None, "{nothing}");
        }
    }
}
