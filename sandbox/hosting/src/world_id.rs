//! What a world is called in its process.

use std::fmt;
use std::str::FromStr;

/// Names a world in this process; text is `world-` and a number from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorldId(u64);

impl WorldId {
    /// What its text begins with.
    pub(crate) const PREFIX: &'static str = "world-";

    /// The id with this number.
    #[must_use]
    pub const fn from_number(number: u64) -> Self {
        Self(number)
    }

    /// The number.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for WorldId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", Self::PREFIX, self.0)
    }
}

/// The text names no world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorldIdError;

impl FromStr for WorldId {
    type Err = WorldIdError;

    fn from_str(text: &str) -> Result<Self, WorldIdError> {
        let digits = text.strip_prefix(Self::PREFIX).ok_or(WorldIdError)?;
        let number: u64 = digits.parse().map_err(|_| WorldIdError)?;
        if number.to_string() == digits { Ok(Self(number)) } else { Err(WorldIdError) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_back_and_nothing_else_is() {
        assert_eq!("world-12".parse(), Ok(WorldId::from_number(12)));
        assert_eq!(WorldId::from_number(12).to_string(), "world-12");
        for text in ["", "12", "world-", "world-012", "world-+1", "world--1", "World-1", "world-18446744073709551616"] {
            assert_eq!(text.parse::<WorldId>(), Err(WorldIdError), "{text}");
        }
    }
}
