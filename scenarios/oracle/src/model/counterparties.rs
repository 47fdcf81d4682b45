//! The outside as it would keep its own books: banks and fund companies.
//!
//! Invariant: fed by what was ordered, executed and opened, never by the transactions of the ledger it is compared with.
//! Fund companies book an aggregated order as one.

use super::figures::{Ore, Steps};
use sim::identity::InstrumentId;
use sim::ids::PartnerId;
use sim::records::Side;
use sim::store::Map;

/// Money and units outside the platform.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CounterpartyBooks {
    /// Cash that accounts were opened with.
    pub opening: Ore,
    /// Cash that other custodians have sent.
    pub transferred_in: Ore,
    /// Cash that came as gifts and inheritances, less donations.
    pub given: Ore,
    /// Distribution fees and corrections at customers' cost, less corrections in their favour and compensations.
    pub fees: Ore,
    /// Fees of partners and clients that wait for them.
    pub partner_fees: Ore,
    /// Cash that banks were paid, less what came back.
    pub paid_out: Ore,
    /// Cash that payers and their banks have sent, suspense aside.
    pub paid_in: Ore,
    /// Cash that was in suspense and has found its account.
    pub released: Ore,
    /// Cash that the insurer has added, less what it has taken and what it was given for heirs.
    pub insurer: Ore,
    /// Payouts asked for and not yet paid.
    pub to_be_paid: Ore,
    /// Booked subscriptions on their way to fund companies.
    pub on_its_way: Ore,
    /// Cash that fund companies hold.
    pub with_companies: Ore,
    /// Units that fund companies have registered, opening positions included.
    pub register: Map<InstrumentId, Steps>,
    /// Aggregated orders as the fund companies settled them.
    pub sheets: Map<(PartnerId, InstrumentId, Side, i32), AggregateBooking>,
}

/// One aggregated order as its fund company booked it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AggregateBooking {
    /// Orders in it.
    pub orders: u32,
    /// Cash in or out.
    pub ore: Ore,
    /// Units issued or redeemed.
    pub steps: Steps,
}

impl CounterpartyBooks {
    /// An account brought cash along.
    pub const fn opened_with_cash(&mut self, ore: Ore) {
        self.opening += ore;
    }

    /// An account brought units along.
    pub fn opened_with_units(&mut self, instrument: InstrumentId, steps: Steps) {
        *self.register.entry(instrument).or_default() += steps;
    }

    /// A fund company settles an order as part of its aggregated order.
    pub fn settled(&mut self, key: (PartnerId, InstrumentId, Side, i32), ore: Ore, steps: Steps) {
        let sheet = self.sheets.entry(key).or_default();
        sheet.orders += 1;
        sheet.ore += ore;
        sheet.steps += steps;
        let register = self.register.entry(key.1).or_default();
        match key.2 {
            Side::Subscription => {
                self.with_companies += ore;
                self.on_its_way -= ore;
                *register += steps;
            }
            Side::Redemption => {
                self.with_companies -= ore;
                *register -= steps;
            }
        }
    }
}
