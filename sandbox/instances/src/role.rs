//! What an instance does at the moment.
//!
//! Invariant: what answers asks here first. Absent on purpose: what makes it change (`life.rs`).

use std::sync::Arc;

use tokio::sync::watch;

use crate::lease::Lease;
use surface::Surface;

/// What an instance does.
#[derive(Clone, Default)]
pub(crate) enum Role {
    /// It knows no leader.
    #[default]
    Waits,
    /// Another instance leads, in this term, and is reached there.
    Follows { epoch: u64, url: Arc<str> },
    /// It leads.
    Leads { surface: Surface, lease: Arc<Lease> },
}

impl Role {
    /// Whether requests still go where they went by `earlier`.
    pub(crate) fn is_as(&self, earlier: &Self) -> bool {
        match (self, earlier) {
            (Self::Waits, Self::Waits) => true,
            (Self::Follows { epoch, url }, Self::Follows { epoch: before, url: there }) => {
                epoch == before && url == there
            }
            (Self::Leads { lease, .. }, Self::Leads { lease: before, .. }) => Arc::ptr_eq(lease, before),
            _ => false,
        }
    }
}

/// The role of an instance, for those who wait for it. Clones share it.
#[derive(Clone)]
pub(crate) struct Roles(watch::Sender<Role>);

impl Default for Roles {
    fn default() -> Self {
        Self(watch::Sender::new(Role::default()))
    }
}

impl Roles {
    /// The present one.
    pub(crate) fn now(&self) -> Role {
        self.0.borrow().clone()
    }

    /// Takes another.
    pub(crate) fn set(&self, role: Role) {
        self.0.send_if_modified(|now| {
            let is_other = !now.is_as(&role);
            *now = role;
            is_other
        });
    }

    /// Waits until it is another one than `role`.
    pub(crate) async fn is_other_than(&self, role: &Role) {
        let mut roles = self.0.subscribe();
        // The sender is `self`.
        drop(roles.wait_for(|now| !now.is_as(role)).await);
    }
}
