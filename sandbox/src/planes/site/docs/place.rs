//! Where a page is below the server's root, and the links that it writes from there.
//!
//! Invariant: links are relative, so they hold behind a proxy that cuts a path off. Absent on purpose: whether a link leads
//! somewhere, which a test asks of every page.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Characters of a path segment that need no escape.
pub(super) const PART: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A page's place: what leads from it up to the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathToRoot(&'static str);

impl PathToRoot {
    /// `/docs`
    pub(super) const START: Self = Self("./");
    /// `/docs/x`
    pub(super) const PAGE: Self = Self("../");
    /// `/docs/x/y`
    pub(super) const BELOW: Self = Self("../../");

    /// The root of the server.
    pub(super) const fn root(self) -> &'static str {
        self.0
    }

    /// Another page or file of the server, by its path without the first slash.
    pub(super) fn file(self, path: &str) -> String {
        format!("{}{path}", self.0)
    }

    /// The page of an operation.
    pub(super) fn operation(self, id: &str) -> String {
        self.file(&format!("docs/{}", part(id)))
    }

    /// The page of a schema.
    pub(super) fn schema(self, name: &str) -> String {
        self.file(&format!("docs/schemas/{}", part(name)))
    }

    /// The page of a webhook.
    pub(super) fn webhook(self, event: &str) -> String {
        self.file(&format!("docs/webhooks/{}", part(event)))
    }

    /// The page of a chapter of the rules.
    pub(super) fn topic(self, topic: &str) -> String {
        self.file(&format!("docs/rules/{}", part(topic)))
    }

    /// A rule, by its chapter and its name.
    pub(super) fn rule(self, topic: &str, name: &str) -> String {
        format!("{}#{}", self.topic(topic), part(name))
    }
}

/// A text as a part of a path.
pub(super) fn part(text: &str) -> String {
    utf8_percent_encode(text, PART).to_string()
}
