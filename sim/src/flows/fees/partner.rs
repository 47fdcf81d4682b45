//! What clients take themselves: their terms, and paying on what was taken (rule: fees/partner-fee).
//!
//! Invariant: what was taken for a client is paid on or waits in partner fees. Absent on purpose: what accrues, and taking it
//! from accounts.

use super::accruals;
use crate::command::SetClientFees;
use crate::identity::Iban;
use crate::ids::{AccountId, ClientId};
use crate::money::Amount;
use crate::quarter::Quarter;
use crate::records::{Account, Charge, Client, ClientFees, FeePayment, FeeTerms, FeeType};
use crate::refusal::{Class, Fault, Problem, Refusal};
use crate::reply::Reply;
use crate::time::Date;
use crate::valuation::Closings;
use crate::world::World;
use std::sync::Arc;

/// `SetClientFees`: from today on.
pub(crate) fn set(world: &mut World, set: SetClientFees) -> Result<Reply, Refusal> {
    let SetClientFees { scope, partner, client } = set;
    let current = world.client_that_may(scope, |permissions| permissions.partner_fee || partner.is_none())?;
    let fees =
        ClientFees { partner: partner.unwrap_or(current.fees.partner), client: client.unwrap_or(current.fees.client) };
    let too_much = [("partnerFee.basisPoints", fees.partner), ("clientFee.basisPoints", fees.client)];
    let too_much = too_much.into_iter().filter(|(_, terms)| terms.basis_points > FeeTerms::MOST);
    let because = "a whole number from 0 to 10000 is expected";
    let problems = too_much.map(|(field, _)| Problem::new(field, Fault::Invalid { because })).collect();
    Refusal::unless_empty(Class::Malformed, problems)?;
    // Nothing below can fail.
    let id = scope.client;
    rates_change(world, |account| account.client == id);
    let client = world.clients.get_mut(&id).expect("in scope");
    Arc::make_mut(client).fees = fees;
    Ok(Reply::Client(Arc::clone(client)))
}

/// Rates or modes of these accounts are about to change: what has accrued until yesterday did so by those before.
pub(crate) fn rates_change(world: &mut World, of: impl Fn(&Account) -> bool) {
    let yesterday = world.now.local_date().yesterday().expect("dates stay within the calendar");
    let known = |id: &&AccountId| of(world.accounts.known(**id));
    let accounts: Vec<AccountId> = world.fees.keys().filter(known).copied().collect();
    let mut closings = Closings::default();
    accounts.into_iter().for_each(|account| accrue(world, account, yesterday, &mut closings));
}

/// Lets what has not accrued up to `last` accrue. Days of quarters after the one that is charged next are kept apart.
pub(crate) fn accrue(world: &mut World, id: AccountId, last: Date, closings: &mut Closings) {
    let file = &world.fees[&id];
    let last = file.last.map_or(last, |end| end.min(last));
    let charged_next = Quarter::of(file.since);
    closings.cover(file.next, last);
    while world.fees[&id].next <= last {
        let quarter = Quarter::of(world.fees[&id].next).max(charged_next);
        let until = quarter.last_day().min(last);
        let accrued = accruals::fees(world, id, until, closings);
        let client = Arc::clone(&world.clients[&world.accounts.known(id).client]);
        let file = world.fee_file_mut(id);
        file.next = until.tomorrow().expect("dates stay within the calendar");
        let calculated = Charge::ALL.map(|kind| accruals::is_calculated(&client, kind));
        for ((kind, accrued), _) in Charge::ALL.into_iter().zip(accrued).zip(calculated).filter(|found| found.1) {
            file.calculate(Quarter::of(until), kind, accrued);
        }
        let owed = if quarter == charged_next { &mut file.owed } else { file.owed_ahead(quarter) };
        for ((owed, accrued), _) in owed.iter_mut().zip(accrued).zip(calculated).filter(|(_, calculated)| !calculated) {
            owed.carry += accrued;
            owed.accrued += accrued;
        }
    }
}

/// Something was taken for a client: it goes to its bank account for such fees, or waits.
pub(crate) fn receive(world: &mut World, client: ClientId, kind: FeeType, amount: Amount) {
    world.fee_pots.entry((client, kind)).or_default().waiting += amount;
    pay_on(world, client, kind);
}

/// Pays on what waits, where the client has a bank account for it.
pub(crate) fn pay_on(world: &mut World, id: ClientId, kind: FeeType) {
    let now = world.now;
    let Some(iban) = account_for(&world.clients[&id], kind) else { return };
    let Some(pot) = world.fee_pots.get_mut(&(id, kind)) else { return };
    let amount = std::mem::take(&mut pot.waiting);
    match pot.paid.last_mut() {
        _ if amount.is_zero() => {}
        Some(last) if last.at == now && last.iban == iban => last.amount += amount,
        _ => pot.paid.push(FeePayment { iban, amount, at: now }),
    }
}

fn account_for(client: &Client, kind: FeeType) -> Option<Iban> {
    client.bank_accounts.iter().find(|account| account.fee_type == kind).map(|account| account.iban)
}
