//! The pages of the rules: one for each chapter, with an anchor for each rule.
//!
//! Absent on purpose: which chapters and rules there are, which is `chapters`.

use super::chapters::{CHAPTERS, names};
use super::frame::Page;
use super::place::PathToRoot;
use super::text;
use maud::html;

/// What the chapters are about.
const CONTENTS: &str = include_str!("../../../../../docs/rules/README.md");

/// `/docs/rules`
pub(super) fn contents(place: PathToRoot) -> Page {
    let main = html! {
        div.prose { (text::chapter(CONTENTS, place)) }
        @for (topic, text) in CHAPTERS.iter() {
            section {
                h2 { a href=(place.topic(topic)) { (topic) } }
                ul.inline { @for name in names(text) { li { a href=(place.rule(topic, name)) { (name) } } } }
            }
        }
    };
    Page { title: "The rules".to_owned(), current: "rules".to_owned(), main, aside: None }
}

/// `/docs/rules/{topic}`
pub(super) fn topic(place: PathToRoot, topic: &str) -> Option<Page> {
    let (topic, text) = CHAPTERS.iter().find(|(known, _)| *known == topic)?;
    let main = html! {
        p.crumbs { a href=(place.file("docs/rules")) { "Rules" } }
        div.prose { (text::chapter(text, place)) }
    };
    let aside = html! {
        nav aria-label="Rules of this chapter" {
            p.label { "In this chapter" }
            ul.plain { @for name in names(text) { li { a href={ "#" (name) } { (name) } } } }
        }
    };
    Some(Page { title: format!("Rules: {topic}"), current: "rules".to_owned(), main, aside: Some(aside) })
}
