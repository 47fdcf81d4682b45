//! Addresses that a world admits: networks in CIDR notation, everyone when there are none (rule: auth/allowlist).

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};

use deliveries::network::Network;

/// The networks of a world. Without any, looking costs one flag.
#[derive(Debug, Default)]
pub struct Allowlist {
    on: AtomicBool,
    networks: RwLock<Vec<Network>>,
}

impl Allowlist {
    /// Whether a request from `peer` is admitted. An unknown address is not, once there is a list.
    #[must_use]
    pub fn admits(&self, peer: Option<IpAddr>) -> bool {
        !self.on.load(Ordering::Acquire) || peer.is_some_and(|peer| admits(&self.list(), peer))
    }

    /// The networks.
    #[must_use]
    pub fn list(&self) -> Vec<Network> {
        self.networks.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the networks; none admits everyone.
    pub fn set(&self, networks: Vec<Network>) {
        let mut list = self.networks.write().unwrap_or_else(PoisonError::into_inner);
        self.on.store(!networks.is_empty(), Ordering::Release);
        *list = networks;
    }
}

/// Whether a world that admits `networks` admits a request from `peer`.
#[must_use]
pub fn admits(networks: &[Network], peer: IpAddr) -> bool {
    networks.is_empty() || networks.iter().any(|network| network.contains(peer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_list_everyone_is_admitted_and_with_one_only_its_addresses() {
        let list = Allowlist::default();
        assert!(list.admits(None));
        list.set(vec!["127.0.0.0/8".parse().expect("a network")]);
        assert!(list.admits("127.0.0.1".parse().ok()));
        assert!(!list.admits("192.0.2.1".parse().ok()) && !list.admits(None));
        list.set(vec![]);
        assert!(list.admits(None));
    }
}
