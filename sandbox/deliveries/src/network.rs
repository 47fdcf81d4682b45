//! Networks in CIDR notation, and the one rule for IPv4 addresses inside IPv6 ones.
//!
//! Invariant: an IPv4 address counts as itself, however an IPv6 address carries it (`plain`). Absent on purpose: what a network
//! is for, which `allowlist` and `deliveries/egress` say.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};
use std::str::FromStr;

use ipnet::IpNet;
use serde::{Deserialize, Serialize};

/// A network such as `10.0.0.0/8`, or a single address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Network(IpNet);

/// The text is no network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkError;

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("must be a network such as 10.0.0.0/8 or an address")
    }
}

impl std::error::Error for NetworkError {}

impl FromStr for Network {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<Self, NetworkError> {
        // Some read `010.0.0.1` as octal: the standard library refuses it, the library of networks does not.
        let address: IpAddr = text.split('/').next().unwrap_or(text).parse().map_err(|_| NetworkError)?;
        let network = if text.contains('/') { text.parse().map_err(|_| NetworkError)? } else { address.into() };
        Ok(Self(network))
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Network {
    /// Whether `address` lies in it. An IPv6 network has the IPv4 addresses whose mapped forms it has.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = plain(address);
        let mapped = match address {
            IpAddr::V4(v4) => v4.to_ipv6_mapped().into(),
            IpAddr::V6(_) => address,
        };
        self.0.contains(&address) || self.0.contains(&mapped)
    }
}

/// The IPv4 address inside an IPv6 one (mapped, compatible, translated, 6to4), or the address itself.
pub fn plain(address: IpAddr) -> IpAddr {
    let IpAddr::V6(v6) = address else { return address };
    if v6.is_loopback() || v6.is_unspecified() {
        return address;
    }
    let pair = |high: u16, low: u16| Ipv4Addr::from_bits((u32::from(high) << 16) | u32::from(low)).into();
    match v6.segments() {
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low]
        | [0, 0, 0, 0, 0xffff, 0, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => pair(high, low),
        _ => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (rule: auth/allowlist, events/egress)
    #[test]
    fn a_network_holds_its_addresses_and_no_others() {
        for (network, address, inside) in [
            ("10.0.0.0/8", "10.255.0.1", true),
            ("10.0.0.0/8", "11.0.0.1", false),
            ("10.0.0.0/8", "::ffff:10.1.2.3", true),
            ("10.0.0.0/8", "::10.1.2.3", true),
            ("10.0.0.0/8", "64:ff9b::10.1.2.3", true),
            ("10.0.0.0/8", "2002:a01:203::1", true),
            ("::ffff:10.0.0.0/104", "10.1.2.3", true),
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
    }

    #[test]
    fn what_is_no_network_is_refused() {
        for text in [
            "",
            "/",
            "10.0.0.0/33",
            "::/129",
            "fd00::/129",
            "10.0.0/8",
            "10.0.0.0/",
            "10.0.0.0/-1",
            "10.0.0.0/8/8",
            "010.0.0.0/8",
            "host/8",
        ] {
            assert_eq!(text.parse::<Network>(), Err(NetworkError), "{text}");
        }
        for (text, shown) in [("10.0.0.1", "10.0.0.1/32"), ("10.0.0.1/8", "10.0.0.1/8"), ("fd00::", "fd00::/128")] {
            assert_eq!(text.parse::<Network>().expect("a network").to_string(), shown);
        }
    }
}
