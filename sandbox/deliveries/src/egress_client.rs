//! The way out of a process: one client for all worlds, and how much of it may be used at once.

use std::sync::Arc;

use tokio::sync::Semaphore;

use super::client::Client;
use super::connector::{Connector, Tcp};
use super::egress::Egress;
use crate::trust::Trust;

/// Attempts under way at once in the whole process.
pub const MOST_AT_ONCE: usize = 64;

/// The way out. Clones share it.
#[derive(Clone, Debug)]
pub struct EgressClient {
    pub(super) client: Client,
    pub(super) slots: Arc<Semaphore>,
}

impl EgressClient {
    /// Out through `connector`, as far as `egress` allows, to https receivers that the machine trusts.
    #[must_use]
    pub fn new(connector: Arc<dyn Connector>, egress: Egress) -> Self {
        Self::trusting(connector, egress, Trust::default())
    }

    /// The same, to https receivers that `trust` says.
    #[must_use]
    pub fn trusting(connector: Arc<dyn Connector>, egress: Egress, trust: Trust) -> Self {
        Self { client: Client::new(connector, egress, trust), slots: Arc::new(Semaphore::new(MOST_AT_ONCE)) }
    }
}

impl Default for EgressClient {
    /// The machine's own network under the careful rule.
    fn default() -> Self {
        Self::new(Arc::new(Tcp), Egress::default())
    }
}
