//! Corporate actions and bookings of the back office: factors, ratios and kinds by their places.

use super::days::{day_before, days_after, sunday_after};
use super::orders::{grain_of, least_of, part_of_units};
use super::{Bindings, signed, units, unknown_fund};
use crate::generate::step::{Action, Booked, FundNo, Name, PriceDay, SetPrice, Share, Trading};
use oracle::model::figures;
use sim::command::{self, Book, CASH_BOOKINGS, UNIT_BOOKINGS};
use sim::money::{Amount, Price, Ratio, Units};
use sim::records::{CashRefType, CashType, CorporateAct, FundRefType, FundType};
use sim::time::Instant;
use sim::{Command, World, query};
use std::sync::Arc;

/// Factors of splits; the last three are refused.
pub const FACTORS: &[&str] = &["2", "3", "0.5", "1.2345678", "0.1", "10", "0.3333333333", "1", "0", "1000.1"];
/// Ratios of mergers; the last is refused.
pub const RATIOS: &[&str] = &["1", "1.2345", "0.0123456789", "40", "0"];

impl Bindings {
    pub(super) fn price(&self, world: &World, set: &SetPrice) -> Option<Command> {
        let instrument = self.fund(set.fund)?;
        let view = query::instrument(world, instrument)?;
        let close = view.close_price?;
        let next = view.cut_off_sub.or(view.cut_off_red).map(Instant::local_date);
        let price_date = match set.day {
            PriceDay::Latest => None,
            PriceDay::Next => Some(next?),
            PriceDay::Last => Some(day_before(next?)),
            PriceDay::Sunday => Some(sunday_after(world.now().local_date())),
            PriceDay::Dealt(order) => {
                let (client, order) = self.order(order)?;
                Some(query::order(world, self.scope(client).client, order)?.trade?.date)
            }
            PriceDay::FarAhead => Some(days_after(world.now().local_date(), 730)),
        };
        let moved = close.get() * rust_decimal::Decimal::new(i64::from(set.of_close), 4);
        let close_price = Price::from_decimal_exact(moved.round_dp(4)).unwrap_or(close);
        Some(Command::SetPrice(sim::command::SetPrice { instrument, close_price, price_date }))
    }

    pub(super) fn trading(&self, trading: &Trading) -> Command {
        Command::SetTrading(sim::command::SetTrading {
            instrument: self.fund(trading.fund).unwrap_or_else(unknown_fund),
            is_buyable: trading.buyable,
            is_sellable: trading.sellable,
            is_tradable: trading.tradable,
        })
    }

    pub(super) fn announce(&self, world: &World, fund: FundNo, action: Action) -> Option<Command> {
        let ratio = |list: &[&str], at: u8| Ratio::parse(list[usize::from(at) % list.len()]).expect("a constant");
        let instrument = self.fund(fund)?;
        let act = match action {
            Action::Split(at) => CorporateAct::Split { factor: ratio(FACTORS, at) },
            Action::Merge(into, at) => {
                CorporateAct::Merge { into: self.fund(into)?, ratio: at.checked_sub(1).map(|at| ratio(RATIOS, at)) }
            }
            Action::Liquidate(0) => CorporateAct::Liquidate { price: None },
            Action::Liquidate(of_close) => {
                let close = query::instrument(world, instrument)?.close_price?;
                let price = close.get() * rust_decimal::Decimal::new(i64::from(of_close), 4);
                CorporateAct::Liquidate { price: Price::from_decimal_exact(price.round_dp(6)) }
            }
        };
        Some(Command::Announce { instrument, act })
    }

    pub(super) fn book(&self, world: &World, name: Name, booked: Booked) -> Option<Command> {
        let (client, account) = self.account(name)?;
        let scope = self.scope(client);
        let what = match booked {
            Booked::Cash(kind, ore) => {
                let terms = CASH_BOOKINGS.get(usize::from(kind)).map(|booking| booking.terms());
                let (kind, ref_type) =
                    terms.map_or((CashType::Deposit, CashRefType::Payment), |t| (t.kind, t.ref_type));
                command::Booked::Cash { kind, ref_type, amount: Amount::from_ore(signed(ore)) }
            }
            Booked::Units { kind, fund, share, cost } => {
                let instrument = self.fund(fund)?;
                let record = query::account(world, scope.client, account)?;
                let sellable = record.position(instrument).map_or(Units::ZERO, |position| position.sellable());
                let terms = UNIT_BOOKINGS.get(usize::from(kind)).map(|booking| booking.terms());
                let (kind, ref_type) =
                    terms.map_or((FundType::Redemption, FundRefType::Dividend), |t| (t.kind, t.ref_type));
                let units = match share {
                    Share::Steps(steps) => units(steps),
                    Share::Part(part) => part_of_units(world, instrument, sellable, part)?,
                    Share::Least => least_of(world, instrument)?,
                    Share::Everything => sellable,
                    Share::TooMuch => sellable + units(1),
                    Share::AllBut => sellable - figures::units(grain_of(world, instrument)?),
                    Share::TooFew => least_of(world, instrument)? - figures::units(grain_of(world, instrument)?),
                };
                let cost = cost.map(|ore| Amount::from_ore(i64::from(ore)));
                command::Booked::Units { kind, ref_type, instrument, units, cost }
            }
        };
        // As long as it may be, and a character longer: by the account, so that other steps stay as they are.
        let text = Some(match name % 31 {
            7 => Arc::from("x".repeat(255)),
            8 => Arc::from("x".repeat(256)),
            _ => Arc::from("booked by hand"),
        });
        Some(Command::Book(Box::new(Book { partner: scope.partner, account, what, text })))
    }
}
