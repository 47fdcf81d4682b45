//! What the head of every page of `/docs` and of `/guide` has.
//!
//! Absent on purpose: styles and scripts that only some of them have, which they hand in.

use maud::{Markup, html};
use pages::marks;

/// The head of a page from which `root` leads up to the root of the server.
pub(super) fn head(title: &str, root: &str, more: &Markup) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            title { (title) " \u{2013} fundsim" }
            link rel="icon" href=(marks::ICON);
            link rel="stylesheet" href={ (root) "docs/style.css" };
            (more)
        }
    }
}
