//! What an access token may do: the `scope` of the token request (rule: auth/token-scope).
//!
//! Grammar: `<resource>:read` or `<resource>:write`, separated by commas, spaces or both; empty means everything.
//! Invariant: a write right does not include the read right, which is asked for beside it.

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
        let rights = words.map(right).try_fold(0, |all, right| right.map(|bit| all | bit))?;
        Ok(if rights == 0 { Self::ALL } else { Self(rights) })
    }

    /// Whether `access` to `resource` is among them.
    #[must_use]
    pub const fn allow(self, resource: Resource, access: Access) -> bool {
        self.0 & bit(resource, access) != 0
    }
}

const fn bit(resource: Resource, access: Access) -> u32 {
    1 << (resource as u32 * 2 + access as u32)
}

fn right(word: &str) -> Result<u32, UnknownScope> {
    let unknown = || UnknownScope(word.to_owned());
    let (noun, verb) = word.split_once(':').ok_or_else(unknown)?;
    let access = match verb {
        "read" => Access::Read,
        "write" => Access::Write,
        _ => return Err(unknown()),
    };
    let resource = RESOURCES.iter().find(|(_, name)| *name == noun).ok_or_else(unknown)?.0;
    Ok(bit(resource, access))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_scope_means_everything() {
        for scope in ["", " ", ",", " , "] {
            assert_eq!(Rights::parse(scope), Ok(Rights::ALL), "{scope:?}");
        }
        for (resource, _) in RESOURCES {
            assert!(Rights::ALL.allow(resource, Access::Read) && Rights::ALL.allow(resource, Access::Write));
        }
    }

    /// (rule: auth/token-scope)
    #[test]
    fn a_scope_gives_what_it_names_and_no_more() {
        for scope in ["order:read,account:write", "order:read account:write", "account:write , order:read,,"] {
            let rights = Rights::parse(scope).expect("a scope");
            for (resource, _) in RESOURCES {
                assert_eq!(rights.allow(resource, Access::Read), resource == Resource::Order);
                assert_eq!(rights.allow(resource, Access::Write), resource == Resource::Account);
            }
        }
    }

    #[test]
    fn an_unknown_word_is_named() {
        for word in ["order", "order:", ":read", "order:delete", "Order:read", "orders:read", "order:read:write"] {
            assert_eq!(Rights::parse(&format!("account:read,{word}")), Err(UnknownScope(word.to_owned())));
        }
    }
}
