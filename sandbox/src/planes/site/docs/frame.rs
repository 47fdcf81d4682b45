//! What all pages share: the head, the bar at the top, the index, and the parts that a page fills.
//!
//! Absent on purpose: what a page says.

use super::index;
use super::place::PathToRoot;
use crate::planes::site::head::head;
use maud::{DOCTYPE, Markup, html};
use pages::marks;

/// A page, as far as it differs from others.
pub(super) struct Page {
    /// What the tab shows.
    pub(super) title: String,
    /// What the index marks: the id of an operation, or the name of another page.
    pub(super) current: String,
    /// What it says.
    pub(super) main: Markup,
    /// What is shown beside that on wide screens and below it on others.
    pub(super) aside: Option<Markup>,
}

/// The page of an address that leads nowhere.
pub(super) fn missing() -> Page {
    let main = html! {
        h1 { "This page does not exist" }
        p { "No operation, schema, webhook or chapter of the rules has this name. The index lists all of them." }
    };
    Page { title: "No such page".to_owned(), current: String::new(), main, aside: None }
}

/// The whole document.
pub(super) fn whole(page: &Page, place: PathToRoot) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" data-root=(place.root()) {
            (head(&page.title, place.root(), &html! {
                link rel="stylesheet" href=(place.file("docs/style.css"));
                script type="module" src=(place.file("docs/try.js")) {}
            }))
            body {
                a.skip href="#main" { "To the text" }
                header.bar {
                    button.menu type="button" popovertarget="index" { "Index" }
                    a.brand href=(place.root()) { (marks::brand()) "fundsim" }
                    nav aria-label="Elsewhere" {
                        a href=(place.file("docs")) { "API" }
                        a href=(place.file("docs/rules")) { "Rules" }
                        a href=(place.file("console")) { "Console" }
                        a href=(place.file("openapi.json")) { "openapi.json" }
                    }
                }
                div.page {
                    (index::markup(place, &page.current))
                    main #main tabindex="-1" class=[page.aside.as_ref().map(|_| "two")] {
                        div.text { (page.main) }
                        @if let Some(aside) = &page.aside { div.aside { (aside) } }
                    }
                }
            }
        }
    }
}
