//! The chapters of `docs/rules`, which the program carries, and the rules in them by name.
//!
//! Invariant: the chapters are those of the folder, which a test compares. Absent on purpose: how they are shown.

use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Every chapter with its text, in the order of the guide, which carries them.
pub static CHAPTERS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let chapter = |(document, text): &(&'static str, &'static str)| {
        let topic = document.strip_prefix("rules/")?.strip_suffix(".md")?;
        (topic != "README").then_some((topic, *text))
    };
    guide::SOURCES.iter().filter_map(chapter).collect()
});

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
pub(super) fn names(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter_map(|line| line.strip_prefix("### ")).map(str::trim)
}
