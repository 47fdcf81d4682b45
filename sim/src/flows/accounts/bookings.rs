//! What the back office books on an account by lever: corrections, gifts, inheritances, donations, dividends,
//! compensations (rule: accounts/corrections, accounts/dividends).
//!
//! Invariant: what goes out is never more than orders have left. No plan runs on such a booking. Absent on purpose: what a
//! kind of booking means, which is its row in `records/accounts/booking.rs`.

use crate::command::{Book, Booked, cash_booking, unit_booking};
use crate::flows::securities;
use crate::ledger::{NewCash, NewFund};
use crate::money::{Amount, Units, product};
use crate::records::{Account, FundType};
use crate::refusal::{Class, Fault, Problem, Refusal};
use crate::reply::Reply;
use crate::world::World;
use std::sync::Arc;

/// Longest text of a booking.
const MAX_TEXT: usize = 255;

/// `Book`.
pub(crate) fn book(world: &mut World, book: Book) -> Result<Reply, Refusal> {
    Refusal::unless_empty(Class::Malformed, problems(&book))?;
    let account = world.account_of_partner(book.partner, book.account)?;
    check_fund(world, &book)?;
    check_account(&account, &book)?;
    // Nothing below can fail.
    match book.what {
        Booked::Cash { kind, ref_type, amount } => {
            let booking = cash_booking(kind, ref_type).expect("checked: a lever can make it");
            let new = NewCash { text: book.text, ..NewCash::new(account.id, booking, amount) };
            let booked = world.change_account(account.id, |world| world.book_cash(new));
            Ok(Reply::CashTransaction(Arc::clone(world.cash.known(booked))))
        }
        Booked::Units { kind, ref_type, instrument, units, cost } => {
            let booking = unit_booking(kind, ref_type).expect("checked: a lever can make it");
            let close = world.market.known(instrument).close(world.now).expect("checked: the fund has a price");
            let in_sek = world.market.close_in_sek(instrument, world.now).expect("a fund with a price has one in SEK");
            let new = NewFund {
                reference: book.text,
                trade: Some((close.price, close.day)),
                cost: cost.map_or_else(|| product(units.get(), in_sek), Amount::get),
                ..NewFund::new(account.id, booking, instrument, units)
            };
            let booked = world.change_account(account.id, |world| world.book_fund(new));
            Ok(Reply::FundTransaction(Arc::clone(world.funds.known(booked))))
        }
    }
}

fn problems(book: &Book) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut known = |known: bool| {
        if !known {
            let because = "no lever books this `transactionType` with this `refType`";
            problems.push(Problem::new("refType", Fault::Invalid { because }));
        }
    };
    match book.what {
        Booked::Cash { kind, ref_type, amount } => {
            known(cash_booking(kind, ref_type).is_some());
            if !amount.is_positive() {
                problems.push(Problem::new("amount", Fault::NotPositive));
            }
        }
        Booked::Units { kind, ref_type, units, cost, .. } => {
            known(unit_booking(kind, ref_type).is_some());
            if !units.is_positive() {
                problems.push(Problem::new("units", Fault::NotPositive));
            }
            match (kind, cost) {
                (FundType::Redemption, Some(_)) => {
                    let because = "units that go take their share of the cost along";
                    problems.push(Problem::new("cost", Fault::Forbidden { because }));
                }
                (FundType::Subscription, Some(cost)) if cost.is_negative() => {
                    problems.push(Problem::new("cost", Fault::NotPositive));
                }
                _ => {}
            }
        }
    }
    if book.text.iter().any(|text| text.chars().count() > MAX_TEXT) {
        problems.push(Problem::new("text", Fault::TooLong { max: MAX_TEXT }));
    }
    problems
}

/// Units need a fund that has a price and has not ended.
fn check_fund(world: &World, book: &Book) -> Result<(), Refusal> {
    let Booked::Units { instrument, units, .. } = book.what else { return Ok(()) };
    match world.market.quote(instrument).map(|quote| quote.close(world.now)) {
        None => Err(Refusal::one(Class::InstrumentUnknown, "instrument", Fault::NotFound)),
        Some(None) => Err(Refusal::one(Class::InstrumentUnknown, "instrument", Fault::NoPriceYet)),
        Some(Some(_)) => {
            securities::fund_checks::check_not_ended(world, instrument, "instrument")?;
            securities::fund_checks::check_fits_api(world, instrument, units, "units")
        }
    }
}

/// The account is open, and what goes out is there and not set aside for orders.
fn check_account(account: &Account, book: &Book) -> Result<(), Refusal> {
    if !account.is_active() {
        let status = account.state.name();
        return Err(Refusal::conflict("accountId", Fault::NotActive { status }, status, Vec::new()));
    }
    match book.what {
        Booked::Cash { kind, amount, .. } if !kind.is_credit() && amount > account.spendable() => {
            let available = account.spendable();
            let current = format!("{available} SEK to spend");
            Err(Refusal::conflict("amount", Fault::NotEnoughCash { available }, current, Vec::new()))
        }
        Booked::Units { kind: FundType::Redemption, instrument, units, .. } => {
            let available = account.position(instrument).map_or(Units::ZERO, |position| position.sellable());
            if units <= available {
                return Ok(());
            }
            let current = format!("{available} units to sell");
            Err(Refusal::conflict("units", Fault::NotEnoughUnits { available }, current, Vec::new()))
        }
        Booked::Cash { .. } | Booked::Units { .. } => Ok(()),
    }
}
