//! Which addresses the server may connect to for a partner.
//!
//! Owns: the rule that keeps callbacks from being used to reach what only the server can reach. Invariant: the rule
//! judges the very address that is dialled, after names were resolved, so a name that changes its mind gains nothing.
//! An IPv4 address inside an IPv6 one is judged as itself (`network`). Absent on purpose: a rule about ports, because receivers under
//! test listen anywhere, and about names, because a name says nothing about where it leads.

use crate::reach::Reach;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

use crate::network::{Network, plain};

/// The network that an address is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkZone {
    /// This machine.
    Loopback,
    /// The local network, a provider's metadata service, a group, nowhere: not the public internet.
    Inside,
    /// The public internet.
    Public,
}

/// Not the public internet, IPv4; loopback is handled before.
const INSIDE_V4: [Ipv4Net; 13] = [
    v4([0, 0, 0, 0], 8),       // this network; Linux dials itself
    v4([10, 0, 0, 0], 8),      // private
    v4([100, 64, 0, 0], 10),   // shared by carriers; metadata of some providers
    v4([169, 254, 0, 0], 16),  // link-local; metadata of most providers
    v4([172, 16, 0, 0], 12),   // private
    v4([192, 0, 0, 0], 24),    // protocol assignments; metadata of one provider
    v4([192, 0, 2, 0], 24),    // documentation
    v4([192, 168, 0, 0], 16),  // private
    v4([198, 18, 0, 0], 15),   // benchmarks
    v4([198, 51, 100, 0], 24), // documentation
    v4([203, 0, 113, 0], 24),  // documentation
    v4([224, 0, 0, 0], 4),     // multicast
    v4([240, 0, 0, 0], 4),     // reserved, broadcast
];

/// Not the public internet, IPv6; what carries an IPv4 address is taken out before.
const INSIDE_V6: [Ipv6Net; 9] = [
    v6(0, 8),                            // unspecified and reserved
    v6(0x0064_ff9b_0001_u128 << 80, 48), // translation within a network
    v6(0x0100_u128 << 112, 64),          // discard
    v6(0x2001_u128 << 112, 23),          // protocol assignments, Teredo
    v6(0x2001_0db8_u128 << 96, 32),      // documentation
    v6(0x3fff_u128 << 112, 20),          // documentation
    v6(0xfc00_u128 << 112, 7),           // unique local; metadata of one provider
    v6(0xfe80_u128 << 112, 9),           // link-local, and site-local of old
    v6(0xff00_u128 << 112, 8),           // multicast
];

const fn v4([a, b, c, d]: [u8; 4], bits: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), bits)
}

const fn v6(first: u128, bits: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::from_bits(first), bits)
}

impl NetworkZone {
    /// What kind of place `address` is.
    #[must_use]
    pub fn of(address: IpAddr) -> Self {
        let address = plain(address);
        let inside = match &address {
            // To dial the unspecified address is to dial this machine.
            address if address.is_loopback() || address.is_unspecified() => return Self::Loopback,
            IpAddr::V4(address) => INSIDE_V4.iter().any(|network| network.contains(address)),
            IpAddr::V6(address) => INSIDE_V6.iter().any(|network| network.contains(address)),
        };
        if inside { Self::Inside } else { Self::Public }
    }
}

/// The rule of one server.
#[derive(Clone, Debug)]
pub struct Egress {
    /// Whether others can reach the server: they then reach neither this machine nor its network through it.
    pub reach: Reach,
    /// Whether private, link-local and other inner addresses are refused.
    pub guarded: bool,
    /// Whether this machine is refused too.
    pub refuse_loopback: bool,
    /// Networks that are allowed whatever they are.
    pub allowed: Vec<Network>,
}

impl Default for Egress {
    /// The careful rule, where nothing says what the server listens on.
    fn default() -> Self {
        Self { reach: Reach::default(), guarded: true, refuse_loopback: false, allowed: Vec::new() }
    }
}

impl Egress {
    /// No rule: for a network that leads nowhere else, such as a simulated one.
    #[must_use]
    pub fn open() -> Self {
        Self { reach: Reach::default(), guarded: false, refuse_loopback: false, allowed: Vec::new() }
    }

    /// The rule of a server of this reach. It changes at the moment in which others are found to reach the server.
    #[must_use]
    pub fn of(reach: Reach, allowed: Vec<Network>) -> Self {
        Self { reach, guarded: false, refuse_loopback: false, allowed }
    }

    /// Whether `address` may be dialled. `own` says that it is one of this machine's, whatever it looks like.
    #[must_use]
    pub fn allows(&self, address: IpAddr, own: bool) -> bool {
        let place = if own { NetworkZone::Loopback } else { NetworkZone::of(address) };
        let by_place = match place {
            NetworkZone::Loopback => !(self.refuse_loopback || self.reach.is_by_others()),
            NetworkZone::Inside => !(self.guarded || self.reach.is_by_others()),
            NetworkZone::Public => true,
        };
        by_place || self.allowed.iter().any(|network| network.contains(address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap_or_else(|_| panic!("{text} is an address"))
    }

    #[test]
    fn every_address_has_its_place() {
        use NetworkZone::{Inside, Loopback, Public};
        let rows = [
            ("127.0.0.1", Loopback),
            ("127.255.255.254", Loopback),
            ("::1", Loopback),
            ("::ffff:127.0.0.1", Loopback),
            ("::127.0.0.1", Loopback),
            ("64:ff9b::7f00:1", Loopback),
            ("2002:7f00:1::", Loopback),
            ("0.0.0.0", Loopback),
            ("::ffff:0.0.0.0", Loopback),
            ("0.1.2.3", Inside),
            ("10.0.0.0", Inside),
            ("10.255.255.255", Inside),
            ("100.63.255.255", Public),
            ("100.64.0.0", Inside),
            ("100.100.100.200", Inside),
            ("100.128.0.0", Public),
            ("169.253.255.255", Public),
            ("169.254.169.254", Inside),
            ("172.15.255.255", Public),
            ("172.16.0.0", Inside),
            ("172.31.255.255", Inside),
            ("172.32.0.0", Public),
            ("192.0.0.192", Inside),
            ("192.0.2.1", Inside),
            ("192.167.255.255", Public),
            ("192.168.0.1", Inside),
            ("192.169.0.0", Public),
            ("198.17.255.255", Public),
            ("198.18.0.0", Inside),
            ("198.20.0.0", Public),
            ("198.51.100.7", Inside),
            ("203.0.113.7", Inside),
            ("223.255.255.255", Public),
            ("224.0.0.1", Inside),
            ("239.255.255.250", Inside),
            ("240.0.0.1", Inside),
            ("255.255.255.255", Inside),
            ("8.8.8.8", Public),
            ("::", Loopback),
            ("::2", Inside),
            ("::ffff:10.0.0.1", Inside),
            ("::ffff:169.254.169.254", Inside),
            ("::ffff:8.8.8.8", Public),
            ("::ffff:0:10.0.0.1", Inside),
            ("64:ff9b::a00:1", Inside),
            ("64:ff9b::808:808", Public),
            ("64:ff9b:1::808:808", Inside),
            ("100::1", Inside),
            ("2001::1", Inside),
            ("2001:db8::1", Inside),
            ("2001:4860:4860::8888", Public),
            ("2002:a00:1::", Inside),
            ("2002:808:808::", Public),
            ("2a00:1450::1", Public),
            ("3fff::1", Inside),
            ("fbff::1", Public),
            ("fc00::1", Inside),
            ("fd00:ec2::254", Inside),
            ("fe7f::1", Public),
            ("fe80::1", Inside),
            ("febf::1", Inside),
            ("fec0::1", Inside),
            ("ff02::1", Inside),
        ];
        for (address, place) in rows {
            assert_eq!(NetworkZone::of(ip(address)), place, "{address}");
        }
    }

    /// (rule: events/egress)
    #[test]
    fn a_server_beyond_loopback_dials_only_the_public_internet_and_what_is_allowed() {
        // bound to, blocks allowed, address, may it be dialled
        let rows = [
            ("127.0.0.1", "", "127.0.0.1", true),
            ("127.0.0.1", "", "10.0.0.1", true),
            ("127.0.0.1", "", "169.254.169.254", true),
            ("::1", "", "fd00::1", true),
            ("0.0.0.0", "", "127.0.0.1", false),
            ("0.0.0.0", "", "::ffff:127.0.0.1", false),
            ("0.0.0.0", "127.0.0.0/8", "127.0.0.1", true),
            ("0.0.0.0", "127.0.0.0/8", "::1", false),
            ("0.0.0.0", "", "10.0.0.1", false),
            ("0.0.0.0", "", "::ffff:10.0.0.1", false),
            ("0.0.0.0", "", "169.254.169.254", false),
            ("0.0.0.0", "", "0.0.0.0", false),
            ("0.0.0.0", "", "8.8.8.8", true),
            ("::", "", "fe80::1", false),
            ("10.1.2.3", "", "10.1.2.3", false),
            ("10.1.2.3", "10.1.2.3", "10.1.2.3", true),
            ("10.1.2.3", "10.1.2.3", "10.1.2.4", false),
            ("0.0.0.0", "10.0.0.0/8", "10.9.9.9", true),
            ("0.0.0.0", "10.0.0.0/8", "::ffff:10.9.9.9", true),
            ("0.0.0.0", "10.0.0.0/8", "192.168.0.1", false),
            ("0.0.0.0", "fd00::/8", "fd12::1", true),
            ("0.0.0.0", "fd00::/8", "fc12::1", false),
            ("0.0.0.0", "0.0.0.0/0", "192.168.0.1", true),
            ("0.0.0.0", "0.0.0.0/0", "fd00::1", false),
        ];
        for (bound, block, address, expected) in rows {
            let allowed = if block.is_empty() { vec![] } else { vec![block.parse().expect("a network")] };
            let egress = Egress::of(Reach::of([ip(bound)], [], None), allowed);
            assert_eq!(
                egress.allows(ip(address), false),
                expected,
                "bound to {bound}, allowing {block}, dialling {address}"
            );
        }
    }

    /// (rule: events/egress)
    #[test]
    fn loopback_is_refused_where_the_rule_says_so_and_every_address_of_this_machine_is_loopback() {
        let egress = Egress { refuse_loopback: true, ..Egress::of(Reach::default(), vec![]) };
        for address in ["127.0.0.1", "::1", "::ffff:127.0.0.1", "0.0.0.0", "::", "::ffff:0.0.0.0"] {
            assert!(!egress.allows(ip(address), false), "{address}");
        }
        for address in ["10.1.2.3", "8.8.8.8", "2a00:1450::1"] {
            assert!(egress.allows(ip(address), false), "{address}");
            assert!(!egress.allows(ip(address), true), "{address} is this machine's own");
        }
        let but = Egress { allowed: vec!["127.0.0.1".parse().expect("a network")], ..egress };
        assert!(but.allows(ip("127.0.0.1"), true));
        assert!(!but.allows(ip("127.0.0.2"), true));
    }
}
