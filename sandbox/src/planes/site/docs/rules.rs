//! The rules of `docs/rules`, which the program carries: a page for each chapter, an anchor for each rule.
//!
//! Invariant: the chapters are those of the folder, which a test compares. Absent on purpose: what holds a rule in the code.

use super::frame::Page;
use super::place::Place;
use super::text;
use maud::html;
use std::collections::BTreeSet;
use std::sync::LazyLock;

macro_rules! chapters {
    ($($topic:literal),*) => {
        /// Every chapter with its text.
        pub(super) const CHAPTERS: &[(&str, &str)] =
            &[$(($topic, include_str!(concat!("../../../../../docs/rules/", $topic, ".md")))),*];
    };
}

chapters!["calendar", "money", "orders", "journeys", "accounts", "payments", "wire", "events", "auth"];

/// What the chapters are about.
const CONTENTS: &str = include_str!("../../../../../docs/rules/README.md");

/// Every rule, as its chapter and its name.
static RULES: LazyLock<BTreeSet<(&str, &str)>> = LazyLock::new(|| {
    let of_chapter = |(topic, text): &(&'static str, &'static str)| {
        let topic = *topic;
        text.lines().filter_map(move |line| Some((topic, line.strip_prefix("### ")?.trim())))
    };
    CHAPTERS.iter().flat_map(of_chapter).collect()
});

/// Whether there is such a chapter.
pub(super) fn is_topic(topic: &str) -> bool {
    CHAPTERS.iter().any(|(known, _)| *known == topic)
}

/// Whether a chapter has such a rule.
pub(super) fn is_rule(topic: &str, name: &str) -> bool {
    RULES.contains(&(topic, name))
}

/// The names of a chapter's rules, in its order.
fn names(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter_map(|line| line.strip_prefix("### ")).map(str::trim)
}

/// `/docs/rules`
pub(super) fn contents(place: Place) -> Page {
    let main = html! {
        div.prose { (text::chapter(CONTENTS, place)) }
        @for (topic, text) in CHAPTERS {
            section {
                h2 { a href=(place.topic(topic)) { (topic) } }
                ul.inline { @for name in names(text) { li { a href=(place.rule(topic, name)) { (name) } } } }
            }
        }
    };
    Page { title: "The rules".to_owned(), current: "rules".to_owned(), main, aside: None }
}

/// `/docs/rules/{topic}`
pub(super) fn topic(place: Place, topic: &str) -> Option<Page> {
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
