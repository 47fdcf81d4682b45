//! The spelling of steps that hold steps.

use super::tree::{Yaml, YamlEntry, entry, expected, fields, json};
use crate::ast::{Repeat, Rounds, When};

pub(super) fn repeat(block: &Repeat, steps: Yaml) -> Vec<YamlEntry> {
    let rounds = match &block.rounds {
        Rounds::Times(times) => json(times),
        Rounds::Each(lists) => fields(lists).short(),
    };
    vec![entry("repeat", rounds), entry("steps", steps)]
}

pub(super) fn when(block: &When, steps: Yaml, otherwise: Yaml) -> Vec<YamlEntry> {
    let conditions = block.conditions.iter().map(|(name, is)| entry(name, expected(is))).collect();
    let mut entries = vec![entry("when", Yaml::Map(conditions, false).short()), entry("steps", steps)];
    if !block.otherwise.is_empty() {
        entries.push(entry("otherwise", otherwise));
    }
    entries
}
