//! Addresses that a page may lead to.
//!
//! Invariant: an address from outside becomes a link only as `ExternalLink`, whose scheme can run nothing. Creation of a
//! journey refuses such addresses already; here it is checked again, because this is where they would do harm.
//! Absent on purpose: absolute addresses of our own. Ours are relative to `/journey/{token}/`, so any prefix works.

use super::lang::Lang;
use sim::query::is_redirect;

/// An address given by a partner that is safe to link to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalLink(String);

impl ExternalLink {
    /// The address, where a journey may have it (rule: journeys/redirect-urls).
    #[must_use]
    pub fn checked(address: &str) -> Option<Self> {
        is_redirect(address).then(|| Self(address.to_owned()))
    }

    /// The address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// One of our own pages, as seen from another page of the same journey.
#[must_use]
pub fn page(name: &str, lang: Lang) -> String {
    let join = if name.contains('?') { '&' } else { '?' };
    format!("{name}{join}lang={}", lang.tag())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_that_can_run_nothing_become_links() {
        let good =
            ["https://partner.example/back?a=1&b=%22", "http://127.0.0.1:1/x", "myapp://done", "com.partner.app://x"];
        for address in good {
            assert_eq!(ExternalLink::checked(address).expect(address).as_str(), address);
        }
        let bad = [
            "",
            "done",
            "//host/x",
            "/path",
            ":x",
            "1app://x",
            "my app://x",
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            "java\nscript:alert(1)",
            " javascript:alert(1)",
            "\u{1}javascript:alert(1)",
            "javascript://%0aalert(1)",
            "mailto:a@b.example",
            "com.partner.app:/x",
            "ws://host/x",
            "data:text/html,x",
            "VBSCRIPT:x",
            "file:///etc/passwd",
            "blob:https://x/1",
            "filesystem:https://x/temporary/1",
            "about:blank",
            "View-Source:https://x/",
            "https://x/\u{a0}",
            "https://x/\n",
            "åpp://x",
        ];
        for address in bad {
            assert_eq!(ExternalLink::checked(address), None, "{address:?}");
        }
        assert_eq!(ExternalLink::checked(&format!("https://x/{}", "a".repeat(4_096))), None);
    }
}
