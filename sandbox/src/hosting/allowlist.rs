//! Addresses that a world admits: networks in CIDR notation, everyone when there are none (rule: auth/allowlist).

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};

use serde::{Deserialize, Serialize};

/// A network such as `10.0.0.0/8`, or a single address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Network {
    base: u128,
    prefix: u32,
    shown: (IpAddr, u8),
}

/// The text is no network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkError;

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("must be a network such as 10.0.0.0/8 or an address")
    }
}

impl FromStr for Network {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<Self, NetworkError> {
        let (address, prefix) = text.split_once('/').map_or((text, None), |(address, prefix)| (address, Some(prefix)));
        let address: IpAddr = address.parse().map_err(|_| NetworkError)?;
        let width: u8 = if address.is_ipv4() { 32 } else { 128 };
        let shown = prefix.map_or(Ok(width), str::parse).map_err(|_| NetworkError)?;
        if shown > width {
            return Err(NetworkError);
        }
        let prefix = u32::from(shown) + 128 - u32::from(width);
        Ok(Self { base: bits(address) & mask(prefix), prefix, shown: (address, shown) })
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.shown.0, self.shown.1)
    }
}

impl Network {
    /// Whether `address` lies in it; an IPv4 address is the same in its IPv6 clothes.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        bits(address) & mask(self.prefix) == self.base
    }
}

fn bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(v4) => v4.to_ipv6_mapped().to_bits(),
        IpAddr::V6(v6) => Ipv6Addr::to_bits(v6),
    }
}

const fn mask(prefix: u32) -> u128 {
    if prefix == 0 { 0 } else { u128::MAX << (128 - prefix) }
}

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
        !self.on.load(Ordering::Acquire)
            || peer.is_some_and(|peer| self.list().iter().any(|network| network.contains(peer)))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_holds_its_addresses_and_no_others() {
        for (network, address, inside) in [
            ("10.0.0.0/8", "10.255.0.1", true),
            ("10.0.0.0/8", "11.0.0.1", false),
            ("10.0.0.0/8", "::ffff:10.1.2.3", true),
            ("192.0.2.7", "192.0.2.7", true),
            ("192.0.2.7", "192.0.2.8", false),
            ("192.0.2.9/31", "192.0.2.8", true),
            ("0.0.0.0/0", "203.0.113.1", true),
            ("0.0.0.0/0", "2001:db8::1", false),
            ("::/0", "203.0.113.1", true),
            ("2001:db8::/32", "2001:db8:ffff::1", true),
            ("2001:db8::/32", "2001:db9::1", false),
        ] {
            let network: Network = network.parse().expect("a network");
            assert_eq!(network.contains(address.parse().expect("an address")), inside, "{network} {address}");
        }
        for text in ["", "10.0.0.0/33", "::/129", "10.0.0/8", "10.0.0.0/", "10.0.0.0/-1", "host/8"] {
            assert_eq!(text.parse::<Network>(), Err(NetworkError), "{text}");
        }
    }

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
