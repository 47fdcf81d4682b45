//! Steps that hold steps, and steps whose meaning is only known when they run.
//!
//! Invariant: a block adds nothing to what its steps can do. Absent on purpose: carrying them out (`runner::blocks`).

use super::{Expected, StoryStep};
use serde_json::Value as Json;

/// Steps that are done several times. In each round `{round}` is its number, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// How often.
    pub rounds: Rounds,
    /// What is done in each round.
    pub steps: Vec<StoryStep>,
}

/// How often something is repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rounds {
    /// So many times: a whole number, or a text that becomes one.
    Times(Json),
    /// Once for each item of these lists, which are equally long; a round has its items under these names. A text that
    /// becomes a list may take its place.
    Each(Vec<(String, Json)>),
}

/// Steps that are done where something is so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct When {
    /// What must be so of saved values, by their names and paths. `settings` are the world's own.
    pub conditions: Vec<(String, Expected)>,
    /// What is done then.
    pub steps: Vec<StoryStep>,
    /// What is done otherwise.
    pub otherwise: Vec<StoryStep>,
}

/// A step that is read when it runs, since the value of a name decides what it means: `advance: "{n} bank days"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deferred {
    /// Its word.
    pub word: String,
    /// What follows it, as it is written.
    pub value: Json,
}
