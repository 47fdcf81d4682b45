//! Where the server may connect to on somebody else's request.
//!
//! Owns: the rule that keeps callbacks from being used to reach what only the server can reach. Invariant: the rule
//! judges the very address that is dialled, after names were resolved, so a name that changes its mind gains nothing.
//! An IPv4 address inside an IPv6 one is judged as itself. Absent on purpose: a rule about ports, because receivers under
//! test listen anywhere, and about names, because a name says nothing about where it leads.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// A block of addresses, written `10.0.0.0/8`, `fd00::/8` or as one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    first: IpAddr,
    bits: u8,
}

/// Why a text is no block of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotABlock;

impl fmt::Display for NotABlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("must be an address or a block of addresses such as 10.0.0.0/8 or fd00::/8")
    }
}

impl std::error::Error for NotABlock {}

impl FromStr for Block {
    type Err = NotABlock;

    fn from_str(text: &str) -> Result<Self, NotABlock> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse::<u8>().map_err(|_| NotABlock)?)),
            None => (text, None),
        };
        let first: IpAddr = address.parse().map_err(|_| NotABlock)?;
        let all = if first.is_ipv4() { 32 } else { 128 };
        let bits = bits.unwrap_or(all);
        if bits <= all { Ok(Self { first, bits }) } else { Err(NotABlock) }
    }
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.first, self.bits)
    }
}

impl Block {
    /// Whether `address` lies in it.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        let cut = |bits: u128, all: u8| bits.checked_shr(u32::from(all - self.bits)).unwrap_or(0);
        match (self.first, address) {
            (IpAddr::V4(first), IpAddr::V4(address)) => {
                cut(first.to_bits().into(), 32) == cut(address.to_bits().into(), 32)
            }
            (IpAddr::V6(first), IpAddr::V6(address)) => cut(first.to_bits(), 128) == cut(address.to_bits(), 128),
            _ => false,
        }
    }
}

/// What kind of place an address is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// This machine.
    Loopback,
    /// The local network, a provider's metadata service, a group, nowhere: not the public internet.
    Inside,
    /// The public internet.
    Public,
}

/// Not the public internet, IPv4; loopback is told apart before.
const INSIDE_V4: [(Ipv4Addr, u8); 13] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),       // this network; Linux dials itself
    (Ipv4Addr::new(10, 0, 0, 0), 8),      // private
    (Ipv4Addr::new(100, 64, 0, 0), 10),   // shared by carriers; metadata of some providers
    (Ipv4Addr::new(169, 254, 0, 0), 16),  // link-local; metadata of most providers
    (Ipv4Addr::new(172, 16, 0, 0), 12),   // private
    (Ipv4Addr::new(192, 0, 0, 0), 24),    // protocol assignments; metadata of one provider
    (Ipv4Addr::new(192, 0, 2, 0), 24),    // documentation
    (Ipv4Addr::new(192, 168, 0, 0), 16),  // private
    (Ipv4Addr::new(198, 18, 0, 0), 15),   // benchmarks
    (Ipv4Addr::new(198, 51, 100, 0), 24), // documentation
    (Ipv4Addr::new(203, 0, 113, 0), 24),  // documentation
    (Ipv4Addr::new(224, 0, 0, 0), 4),     // multicast
    (Ipv4Addr::new(240, 0, 0, 0), 4),     // reserved, broadcast
];

/// Not the public internet, IPv6; what carries an IPv4 address is taken out before.
const INSIDE_V6: [(u128, u8); 9] = [
    (0, 8),                            // unspecified and reserved
    (0x0064_ff9b_0001_u128 << 80, 48), // translation within a network
    (0x0100_u128 << 112, 64),          // discard
    (0x2001_u128 << 112, 23),          // protocol assignments, Teredo
    (0x2001_0db8_u128 << 96, 32),      // documentation
    (0x3fff_u128 << 112, 20),          // documentation
    (0xfc00_u128 << 112, 7),           // unique local; metadata of one provider
    (0xfe80_u128 << 112, 9),           // link-local, and site-local of old
    (0xff00_u128 << 112, 8),           // multicast
];

impl Place {
    /// What kind of place `address` is.
    #[must_use]
    pub fn of(address: IpAddr) -> Self {
        match plain(address) {
            address if address.is_loopback() => Self::Loopback,
            IpAddr::V4(address) => {
                let inside =
                    |&(first, bits): &(Ipv4Addr, u8)| Block { first: first.into(), bits }.contains(address.into());
                if INSIDE_V4.iter().any(inside) { Self::Inside } else { Self::Public }
            }
            IpAddr::V6(address) => {
                let first = |first: u128| IpAddr::V6(Ipv6Addr::from_bits(first));
                let inside =
                    |&(bits, length): &(u128, u8)| Block { first: first(bits), bits: length }.contains(address.into());
                if INSIDE_V6.iter().any(inside) { Self::Inside } else { Self::Public }
            }
        }
    }
}

/// The IPv4 address inside an IPv6 one (mapped, compatible, translated, 6to4), or the address itself.
fn plain(address: IpAddr) -> IpAddr {
    let IpAddr::V6(v6) = address else { return address };
    if v6.is_loopback() || v6.is_unspecified() {
        return address;
    }
    let [a, b, c, d, .., g, h] = v6.segments();
    let [e, f] = [v6.segments()[4], v6.segments()[5]];
    let low = (u32::from(g) << 16) | u32::from(h);
    match [a, b, c, d, e, f] {
        [0, 0, 0, 0, 0, 0 | 0xffff] | [0, 0, 0, 0, 0xffff, 0] | [0x64, 0xff9b, 0, 0, 0, 0] => {
            Ipv4Addr::from_bits(low).into()
        }
        [0x2002, ..] => Ipv4Addr::from_bits((u32::from(b) << 16) | u32::from(c)).into(),
        _ => address,
    }
}

/// The rule of one server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Egress {
    /// Whether private, link-local and other inner addresses are refused.
    pub guarded: bool,
    /// Whether this machine is refused too.
    pub refuse_loopback: bool,
    /// Blocks that are allowed whatever they are.
    pub allowed: Vec<Block>,
}

impl Default for Egress {
    /// The careful rule, for whoever does not say what the server listens on.
    fn default() -> Self {
        Self { guarded: true, refuse_loopback: false, allowed: Vec::new() }
    }
}

impl Egress {
    /// No rule: for a network that leads nowhere else, such as a simulated one.
    #[must_use]
    pub const fn open() -> Self {
        Self { guarded: false, refuse_loopback: false, allowed: Vec::new() }
    }

    /// The rule of a server that listens on `bound`: guarded as soon as others than this machine can reach it.
    #[must_use]
    pub fn of_listener(bound: IpAddr, allowed: Vec<Block>) -> Self {
        Self { guarded: Place::of(bound) != Place::Loopback, refuse_loopback: false, allowed }
    }

    /// Whether `address` may be dialled.
    #[must_use]
    pub fn allows(&self, address: IpAddr) -> bool {
        let address = plain(address);
        let by_place = match Place::of(address) {
            Place::Loopback => !self.refuse_loopback,
            Place::Inside => !self.guarded,
            Place::Public => true,
        };
        by_place || self.allowed.iter().any(|block| block.contains(address))
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
        use Place::{Inside, Loopback, Public};
        let rows = [
            ("127.0.0.1", Loopback),
            ("127.255.255.254", Loopback),
            ("::1", Loopback),
            ("::ffff:127.0.0.1", Loopback),
            ("::127.0.0.1", Loopback),
            ("64:ff9b::7f00:1", Loopback),
            ("2002:7f00:1::", Loopback),
            ("0.0.0.0", Inside),
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
            ("::", Inside),
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
            assert_eq!(Place::of(ip(address)), place, "{address}");
        }
    }

    /// (rule: events/egress)
    #[test]
    fn a_server_beyond_loopback_dials_only_the_public_internet_itself_and_what_is_allowed() {
        // bound to, blocks allowed, address, may it be dialled
        let rows = [
            ("127.0.0.1", "", "127.0.0.1", true),
            ("127.0.0.1", "", "10.0.0.1", true),
            ("127.0.0.1", "", "169.254.169.254", true),
            ("::1", "", "fd00::1", true),
            ("0.0.0.0", "", "127.0.0.1", true),
            ("0.0.0.0", "", "::ffff:127.0.0.1", true),
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
            let allowed = if block.is_empty() { vec![] } else { vec![block.parse().expect("a block")] };
            let egress = Egress::of_listener(ip(bound), allowed);
            assert_eq!(egress.allows(ip(address)), expected, "bound to {bound}, allowing {block}, dialling {address}");
        }
    }

    #[test]
    fn loopback_is_refused_where_that_is_asked_for() {
        let egress = Egress { refuse_loopback: true, ..Egress::of_listener(ip("0.0.0.0"), vec![]) };
        for address in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            assert!(!egress.allows(ip(address)), "{address}");
        }
        let but = Egress { allowed: vec!["127.0.0.1".parse().expect("a block")], ..egress };
        assert!(but.allows(ip("127.0.0.1")));
        assert!(!but.allows(ip("127.0.0.2")));
    }

    #[test]
    fn what_is_no_block_is_refused() {
        for text in
            ["", "/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0/8", "fd00::/129", "host/8", "10.0.0.0/8/8", "10.0.0.0/"]
        {
            assert_eq!(text.parse::<Block>(), Err(NotABlock), "{text}");
        }
        assert_eq!("10.0.0.1".parse::<Block>().expect("a block").to_string(), "10.0.0.1/32");
    }
}
