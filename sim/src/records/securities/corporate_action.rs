//! A corporate action: a fund is split, merged into another, or liquidated (rule: securities/corporate-action-day).
//!
//! Invariant: a fund has at most one that is not carried out; until then the fund is closed on both sides. Absent on
//! purpose: positions, which are looked at when it is carried out.

use crate::identity::InstrumentId;
use crate::ids::CorporateActionId;
use crate::money::{Price, Ratio};
use crate::time::Instant;
use serde::{Deserialize, Serialize};

/// What is done to a fund.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CorporateAct {
    /// One unit becomes so many.
    Split {
        /// How many.
        factor: Ratio,
    },
    /// Its units become units of another fund.
    Merge {
        /// The fund that remains.
        into: InstrumentId,
        /// Units of it for one unit; the ratio of the prices when none is given.
        ratio: Option<Ratio>,
    },
    /// Its units become cash.
    Liquidate {
        /// The final price in the fund's currency; the last published one when none is given.
        price: Option<Price>,
    },
}

impl CorporateAct {
    /// The fund that remains after a merger.
    #[must_use]
    pub const fn successor(&self) -> Option<InstrumentId> {
        match self {
            Self::Merge { into, .. } => Some(*into),
            Self::Split { .. } | Self::Liquidate { .. } => None,
        }
    }
}

/// Which sides of a fund are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Trading {
    /// Open for subscriptions.
    pub is_buyable: bool,
    /// Open for redemptions.
    pub is_sellable: bool,
    /// Not suspended.
    pub is_tradable: bool,
}

impl Trading {
    /// Closed on both sides.
    pub const STOPPED: Self = Self { is_buyable: false, is_sellable: false, is_tradable: false };
}

/// A corporate action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CorporateAction {
    /// What its bookings refer to.
    pub id: CorporateActionId,
    /// The fund.
    pub instrument: InstrumentId,
    /// What is done to it.
    pub act: CorporateAct,
    /// When it was announced.
    pub announced: Instant,
    /// How the fund was open before; a split opens it again.
    pub trading_before: Trading,
    /// When it was carried out.
    pub carried_out: Option<Instant>,
}
