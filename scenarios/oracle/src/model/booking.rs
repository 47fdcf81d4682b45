//! What is booked on an account: transactions, what holdings have cost, and its KYC.
//!
//! Invariant: a figure changes by what the transaction that is booked says, and by nothing the world has summed up itself.

use super::books::Model;
use super::calendar;
use super::figures;
use super::files::{CashFile, UnitsFile, is_credit};
use rust_decimal::Decimal;
use sim::World;
use sim::identity::InstrumentId;
use sim::ids::{AccountId, CashTransactionId, OrderId};
use sim::machines::journey::State;
use sim::query;
use sim::records::{CashRefType, CashTransaction, CashType, FundTransaction, FundType, Journey, OwnerKey};
use sim::time::{Date, Instant};
use std::sync::Arc;

impl Model {
    /// Settled units were bought for so much.
    pub fn bought_in(&mut self, account: AccountId, instrument: InstrumentId, cost: Decimal) {
        if let Some(account) = self.accounts.get_mut(&account) {
            account.holding_mut(instrument).cost += cost;
        }
    }

    /// The KYC of a new account is given now.
    pub fn start_kyc(&mut self, account: AccountId, now: Instant, exposed: bool) {
        let years = if exposed { self.settings.journeys.kyc_high_risk_years } else { self.settings.kyc_years };
        let today = calendar::date_of(calendar::local_day(now));
        if let Some(account) = self.accounts.get_mut(&account) {
            (account.kyc_given, account.kyc_until) = (now, years_after(today, years));
        }
    }

    /// The KYC of an account is given anew; whether its owner knows funds is what was answered.
    pub fn renew_kyc(&mut self, world: &World, account: AccountId, now: Instant) {
        let Some(file) = self.accounts.get(&account) else { return };
        let exposed = self.says_exposed(account) || self.listed(&file.last).0;
        self.start_kyc(account, now, exposed);
        let Some(file) = self.accounts.get_mut(&account) else { return };
        let answered = query::account(world, file.last.client, account).map(|record| record.fund_knowledge);
        Arc::make_mut(&mut file.last).fund_knowledge = answered.unwrap_or(file.last.fund_knowledge);
    }

    /// The KYC of an account is what a journey has asked; of one whose transfer a lever has refused, what it would have asked.
    pub fn know_answers(&mut self, world: &World, account: AccountId, journey: &Journey) {
        let is_failed = *journey.state == State::Error;
        let form = self.form(world, journey, &journey.progress);
        let answers = form.map(|form| match is_failed.then(|| form.walked(&[]).ok()).flatten() {
            Some(walked) => form.with(&walked.progress).kyc_answers(),
            None => form.kyc_answers(),
        });
        if let (Some(file), Some(answers)) = (self.accounts.get_mut(&account), answers) {
            file.kyc = answers;
        }
    }

    /// Whether an owner, or one of a company's people, says to be politically exposed.
    #[must_use]
    pub fn says_exposed(&self, account: AccountId) -> bool {
        let answers = self.accounts.get(&account).map_or(&[][..], |file| &file.kyc);
        answers.iter().any(|answer| *answer.qid == *"pep" && answer.answer.iter().any(|text| **text == *"yes"))
    }

    /// The owner is found to be politically exposed: KYC holds a year from when it was given.
    pub fn shorten_kyc(&mut self, owner: OwnerKey) {
        let years = self.settings.journeys.kyc_high_risk_years;
        let concerned: Vec<_> =
            self.accounts.iter().filter(|(_, file)| self.concerns(owner, &file.last)).map(|(id, _)| *id).collect();
        for id in concerned {
            let Some(file) = self.accounts.get_mut(&id) else { continue };
            let given = calendar::date_of(calendar::local_day(file.kyc_given));
            file.kyc_until = file.kyc_until.min(years_after(given, years));
        }
    }

    /// Books a new cash transaction on its account (rule: money/balance, money/lifetime-amounts).
    pub fn book_cash(&mut self, cash: &Arc<CashTransaction>) {
        let order = (cash.ref_type == CashRefType::Order).then(|| order_of(cash.reference.as_deref())).flatten();
        self.cash.insert(cash.id, CashFile { last: Arc::clone(cash), order, purged: false });
        // By the payout that it names, not by its words: other corrections undo no withdrawal.
        let named = cash.reference.as_deref().and_then(|text| CashTransactionId::parse(text).ok());
        let returned = named.is_some_and(|payout| self.payouts.contains_key(&payout));
        let Some(account) = self.accounts.get_mut(&cash.account) else { return };
        let (ore, settled) = (figures::ore(cash.amount), cash.settlement.is_some());
        match (is_credit(cash.kind), settled) {
            (true, true) => account.balance += ore,
            (true, false) => {}
            (false, _) => account.balance -= ore,
        }
        Self::note_premium(account, cash);
        match cash.kind {
            CashType::Subscription if !settled => account.subscribed += ore,
            CashType::Deposit if returned => account.withdrawn -= ore,
            CashType::Deposit | CashType::TransferIn if settled => account.deposited += ore,
            CashType::Withdrawal | CashType::TransferOut => account.withdrawn += ore,
            _ => {}
        }
    }

    /// Books a new fund transaction on its account (rule: money/units-and-settled-units).
    pub fn book_units(&mut self, units: &Arc<FundTransaction>) {
        let order = order_of(units.reference.as_deref());
        self.units.insert(units.id, UnitsFile { last: Arc::clone(units), order, purged: false });
        let Some(account) = self.accounts.get_mut(&units.account) else { return };
        let holding = account.holding_mut(units.instrument);
        let steps = figures::steps(units.units);
        match (units.kind, units.settlement.is_some()) {
            (FundType::Subscription, true) => {
                holding.units += steps;
                holding.settled += steps;
            }
            (FundType::Subscription, false) => {}
            (FundType::Redemption, settled) => {
                holding.units -= steps;
                if settled {
                    holding.settle_out(steps);
                }
            }
        }
    }
}

/// The same day so many years later; 28 February where that year has no 29th.
pub(super) fn years_after(day: Date, years: u32) -> Date {
    let year = day.year() + i16::try_from(years).unwrap_or(0);
    Date::new(year, day.month(), day.day()).or_else(|_| Date::new(year, day.month(), 28)).unwrap_or(Date::MAX)
}

fn order_of(reference: Option<&str>) -> Option<OrderId> {
    OrderId::parse(reference?).ok()
}
