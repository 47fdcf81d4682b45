//! What has ever changed what accounts are worth: money and units that came to count, or no longer do.
//!
//! Owns: the movements of each account, and which of them come from outside. Invariant: they follow from the transactions, so
//! no snapshot has them; they are in order of time. They are gathered at the first query, and kept up by the ledger
//! from then on: read over from the transactions for every fee, they would cost more the longer a world lives. Absent on
//! purpose: what they are worth.

use crate::canary::{Canary, Planted};
use crate::identity::InstrumentId;
use crate::ids::AccountId;
use crate::money::{Amount, Units};
use crate::records::{CashRefType, CashTransaction, CashType, Counts, FundRefType, FundTransaction, FundType};
use crate::store::{Map, SharedMap, Store};
use crate::time::Instant;
use std::sync::{Arc, OnceLock};

/// Something that changed what an account is worth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Movement {
    /// When.
    pub(crate) at: Instant,
    /// What came or, below zero, went.
    pub(crate) what: Moved,
    /// Whether it came from outside or went there (rule: accounts/external-flows).
    pub(crate) external: bool,
}

/// What moved.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Moved {
    /// Money.
    Cash(Amount),
    /// Units of a fund.
    Units(InstrumentId, Units),
}

/// The movements of all accounts, after the first query.
#[derive(Clone, Debug, Default)]
pub(crate) struct Movements(OnceLock<SharedMap<AccountId, Arc<Vec<Movement>>>>);

impl Movements {
    /// Those of `account`, in order of time.
    pub(crate) fn of(
        &self,
        account: AccountId,
        cash: &Store<CashTransaction>,
        funds: &Store<FundTransaction>,
        planted: &Planted,
    ) -> &[Movement] {
        let known = self.0.get_or_init(|| gathered(cash, funds, planted));
        known.get(&account).map_or(&[], |own| own.as_slice())
    }

    /// A cash transaction was made.
    pub(crate) fn cash_created(&mut self, cash: &CashTransaction, planted: &Planted) {
        self.add(cash.account, cash_created(cash, planted));
    }

    /// A cash transaction was settled.
    pub(crate) fn cash_settled(&mut self, cash: &CashTransaction, planted: &Planted) {
        self.add(cash.account, cash_settled(cash, planted));
    }

    /// A cash transaction was aborted.
    pub(crate) fn cash_aborted(&mut self, cash: &CashTransaction, planted: &Planted) {
        self.add(cash.account, cash_aborted(cash, planted));
    }

    /// Units were settled.
    pub(crate) fn units_settled(&mut self, units: &FundTransaction) {
        self.add(units.account, Some(units_settled(units)));
    }

    fn add(&mut self, account: AccountId, movement: Option<Movement>) {
        if let (Some(known), Some(movement)) = (self.0.get_mut(), movement) {
            Arc::make_mut(known.or_default(account)).push(movement);
        }
    }
}

/// The movements that follow from transactions.
fn gathered(
    cash: &Store<CashTransaction>,
    funds: &Store<FundTransaction>,
    planted: &Planted,
) -> SharedMap<AccountId, Arc<Vec<Movement>>> {
    let mut known: Map<AccountId, Vec<Movement>> = Map::default();
    for cash in cash.iter() {
        let settled = cash.settlement.and_then(|_| cash_settled(cash, planted));
        let aborted = cash.aborted.and_then(|_| cash_aborted(cash, planted));
        let all = cash_created(cash, planted).into_iter().chain(settled).chain(aborted);
        known.entry(cash.account).or_default().extend(all);
    }
    for units in funds.iter().filter(|units| units.settlement.is_some()) {
        known.entry(units.account).or_default().push(units_settled(units));
    }
    // A stable sort: what happened at one instant stays in order.
    known.values_mut().for_each(|movements| movements.sort_by_key(|movement| movement.at));
    known.into_iter().map(|(account, movements)| (account, Arc::new(movements))).collect()
}

fn cash_moved(cash: &CashTransaction, at: Instant, amount: Amount, planted: &Planted) -> Movement {
    let gain = cash.kind == CashType::Deposit && planted.is(Canary::DepositIsGain);
    Movement { at, what: Moved::Cash(amount), external: is_external(cash.kind, cash.ref_type) && !gain }
}

/// Whether it counts from the moment on in which it is made: debits do, but for purchases, which still count while they are
/// on their way. What does not counts once it is settled.
fn counts_at_once(cash: &CashTransaction) -> bool {
    !cash.kind.is_credit() && cash.booking.terms().counts != Counts::OnItsWay
}

fn cash_created(cash: &CashTransaction, planted: &Planted) -> Option<Movement> {
    counts_at_once(cash).then(|| cash_moved(cash, cash.stamp.created, -cash.amount, planted))
}

fn cash_settled(cash: &CashTransaction, planted: &Planted) -> Option<Movement> {
    let amount = if cash.kind.is_credit() { cash.amount } else { -cash.amount };
    (!counts_at_once(cash)).then(|| cash_moved(cash, cash.stamp.modified, amount, planted))
}

/// What counted comes back.
fn cash_aborted(cash: &CashTransaction, planted: &Planted) -> Option<Movement> {
    counts_at_once(cash).then(|| cash_moved(cash, cash.stamp.modified, cash.amount, planted))
}

fn units_settled(fund: &FundTransaction) -> Movement {
    let units = match fund.kind {
        FundType::Subscription => fund.units,
        FundType::Redemption => -fund.units,
    };
    let what = Moved::Units(fund.instrument, units);
    Movement { at: fund.stamp.modified, what, external: brings_units(fund.ref_type) }
}

/// Whether cash of this kind comes from outside or goes there (rule: accounts/external-flows).
const fn is_external(kind: CashType, ref_type: CashRefType) -> bool {
    match kind {
        CashType::Deposit | CashType::Withdrawal | CashType::TransferIn | CashType::TransferOut => true,
        CashType::Fee => matches!(ref_type, CashRefType::InsuranceTax),
        CashType::Subscription
        | CashType::Redemption
        | CashType::Retrocession
        | CashType::FxFee
        | CashType::Settlement => false,
    }
}

/// Whether units of this kind come from outside or go there (rule: accounts/external-flows).
const fn brings_units(ref_type: FundRefType) -> bool {
    match ref_type {
        FundRefType::Text | FundRefType::Transfer | FundRefType::Gift | FundRefType::Inheritance => true,
        FundRefType::Correction
        | FundRefType::Order
        | FundRefType::Ca
        | FundRefType::Internal
        | FundRefType::External
        | FundRefType::Compensations
        | FundRefType::Dividend
        | FundRefType::Endowment101 => false,
    }
}
