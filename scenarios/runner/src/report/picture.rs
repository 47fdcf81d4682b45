//! A picture as a part of a page that is written as one file.
//!
//! Invariant: the page shows the layout that it has room for, and needs no script for that. Absent on purpose: what is drawn (`drawing`).

use drawing::Width;
use maud::{Markup, PreEscaped, html};

/// The style of pictures, after that of all surfaces.
pub const STYLE: &str = include_str!("picture.css");

/// A picture for a desk and for a phone, as `part` draws it under an id of its own and in a width.
#[must_use]
pub fn both(id: &str, label: &str, part: impl Fn(&str, Width) -> String) -> Markup {
    let of = |layout: &str, width| PreEscaped(part(&format!("{id}-{layout}"), width));
    html! {
        div.picture role="group" aria-label=(label) tabindex="0" {
            div.wide { (of("wide", Width::USUAL)) }
            div.narrow { (of("narrow", Width::PHONE_COLUMN)) }
        }
    }
}
