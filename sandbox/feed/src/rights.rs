//! What an access token may do: the `scope` of the token request (rule: auth/token-scope).
//!
//! Grammar: `<resource>:read` or `<resource>:write`, separated by commas, spaces or both; empty means everything.
//! Invariant: a write right does not include the read right, which is requested beside it.

use std::fmt;

/// Resources that rights are given on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Resource {
    /// Accounts, their values, deposits and withdrawals.
    Account,
    /// Clients and custodians.
    Client,
    /// Journeys.
    Journey,
    /// Orders.
    Order,
    /// Cash and fund transactions.
    Transaction,
    /// Instruments and prices.
    Instrument,
    /// Payment instructions.
    Instruction,
    /// Allocation plans and savings plans.
    AllocationPlan,
}

/// Every resource with its spelling.
#[rustfmt::skip]
pub const RESOURCES: [(Resource, &str); 8] = [
    (Resource::Account,        "account"),
    (Resource::Client,         "client"),
    (Resource::Journey,        "journey"),
    (Resource::Order,          "order"),
    (Resource::Transaction,    "transaction"),
    (Resource::Instrument,     "instrument"),
    (Resource::Instruction,    "instruction"),
    (Resource::AllocationPlan, "allocationplan"),
];

/// What is done with a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// Reading it.
    Read,
    /// Making, changing or removing it.
    Write,
}

/// One right: what is done with which resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Right {
    /// The resource.
    pub resource: Resource,
    /// What is done with it.
    pub access: Access,
}

impl Right {
    /// Every right there is.
    pub fn all() -> impl Iterator<Item = Self> {
        RESOURCES
            .iter()
            .flat_map(|(resource, _)| [Access::Read, Access::Write].map(|access| Self { resource: *resource, access }))
    }

    const fn bit(self) -> u32 {
        1 << (self.resource as u32 * 2 + self.access as u32)
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(RESOURCES.iter().find(|(known, _)| known == self).map_or("", |(_, name)| name))
    }
}

impl fmt::Display for Right {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.access == Access::Read { "read" } else { "write" };
        write!(f, "{}:{verb}", self.resource)
    }
}

/// The rights of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rights(u32);

/// A word of a scope that means nothing here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownScope(pub String);

impl fmt::Display for UnknownScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word: String = self.0.chars().take(80).collect();
        write!(f, "scope {word:?} is not known")
    }
}

impl Rights {
    /// Everything.
    pub const ALL: Self = Self((1 << (RESOURCES.len() * 2)) - 1);

    /// Reads a scope.
    ///
    /// # Errors
    /// The first word that is not a right.
    pub fn parse(scope: &str) -> Result<Self, UnknownScope> {
        let words = scope.split([',', ' ']).filter(|word| !word.is_empty());
        let rights = words.map(right).try_fold(0, |all, right| right.map(|right| all | right.bit()))?;
        Ok(if rights == 0 { Self::ALL } else { Self(rights) })
    }

    /// As one number, for those who keep them.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The rights that a number holds which `bits` has made.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// Whether there is a right to write anything among them.
    #[must_use]
    pub fn allow_some_write(self) -> bool {
        Right::all().any(|right| right.access == Access::Write && self.allow(right))
    }

    /// Whether everything may be read.
    #[must_use]
    pub fn allow_every_read(self) -> bool {
        Right::all().filter(|right| right.access == Access::Read).all(|right| self.allow(right))
    }

    /// Whether `right` is among them.
    #[must_use]
    pub const fn allow(self, right: Right) -> bool {
        self.0 & right.bit() != 0
    }
}

fn right(word: &str) -> Result<Right, UnknownScope> {
    Right::all().find(|right| right.to_string() == word).ok_or_else(|| UnknownScope(word.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_scope_means_everything() {
        for scope in ["", " ", ",", " , "] {
            assert_eq!(Rights::parse(scope), Ok(Rights::ALL), "{scope:?}");
        }
        assert!(Right::all().all(|right| Rights::ALL.allow(right)));
    }

    /// (rule: auth/token-scope)
    #[test]
    fn a_scope_gives_what_it_names_and_no_more() {
        for scope in [
            "order:read,account:write",
            "order:read account:write",
            "account:write , order:read,,",
            "order:read,account:write,order:read",
        ] {
            let rights = Rights::parse(scope).expect("a scope");
            let allowed: Vec<_> =
                Right::all().filter(|right| rights.allow(*right)).map(|right| right.to_string()).collect();
            assert_eq!(allowed, ["account:write", "order:read"]);
        }
    }

    #[test]
    fn only_a_right_to_write_allows_some_write() {
        for right in Right::all() {
            let rights = Rights::parse(&right.to_string()).expect("a scope");
            assert_eq!(rights.allow_some_write(), right.access == Access::Write, "{right}");
        }
    }

    #[test]
    fn an_unknown_word_is_named() {
        for word in ["order", "order:", ":read", "order:delete", "Order:read", "orders:read", "order:read:write"] {
            assert_eq!(Rights::parse(&format!("account:read,{word}")), Err(UnknownScope(word.to_owned())));
        }
    }
}
