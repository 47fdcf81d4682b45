//! The frame of each page that is written as one file.
//!
//! Invariant: nothing is fetched, so that a page can be kept and mailed. Absent on purpose: what a page shows, and its style.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The policy of a page without a script: no page may be changed by what it shows.
pub const STILL: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// A page with this title, under a content security policy.
#[must_use]
pub fn framed(title: &str, policy: &str, style: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="content-security-policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(style)) }
            }
            body { (body) }
        }
    };
    page.into_string()
}
