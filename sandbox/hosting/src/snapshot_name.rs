//! What a snapshot is called in its world.

use std::fmt;

use serde::{Deserialize, Serialize};
use sim::ids::PartnerId;

/// What a snapshot is called, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SnapshotName {
    /// The partner that keeps it, where others share the world; otherwise nobody in particular.
    pub owner: Option<PartnerId>,
    /// The name.
    pub name: String,
}

impl From<&str> for SnapshotName {
    fn from(name: &str) -> Self {
        Self { owner: None, name: name.to_owned() }
    }
}

impl fmt::Display for SnapshotName {
    /// As the operator reads and writes it: no name has a colon in it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.owner {
            Some(owner) => write!(f, "{owner}:{}", self.name),
            None => f.write_str(&self.name),
        }
    }
}
