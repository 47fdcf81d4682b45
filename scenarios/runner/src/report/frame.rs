//! The frame of each page that is written as one file.
//!
//! Owns: the style of pages of numbers, beside that of all surfaces (`look`). Invariant: nothing is fetched, so that a page can be kept
//! and mailed. Absent on purpose: what a page shows, and the style of that.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The policy of a page without a script: no page may be changed by what it shows.
pub const STILL: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// What pages of numbers have in common: lists, and maps whose cells are shaded.
pub const NUMBERS: &str = include_str!("numbers.css");

/// A page with this title, under a content security policy, with these rules after those of all surfaces.
#[must_use]
pub fn framed(title: &str, policy: &str, style: &[&str], body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="content-security-policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(look::SHEET)) @for part in style { (PreEscaped(part)) } }
            }
            body { (body) }
        }
    };
    page.into_string()
}
