//! What the head of every page of `/docs`, of `/guide` and of `/look` has.
//!
//! Absent on purpose: styles and scripts that only some of them have, which they hand in.

use maud::{Markup, html};

/// The head of a page from which `root` leads up to the root of the server.
pub(super) fn head(title: &str, root: &str, more: &Markup) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            title { (title) " \u{2013} fundsim" }
            link rel="icon" href=(look::icon());
            link rel="stylesheet" href={ (root) "look/style.css" };
            (more)
        }
    }
}
