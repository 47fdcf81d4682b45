//! Fees and retrocessions, computed again: day by day as midnights pass, charged and given back by the quarter.
//!
//! Owns: the rules of accrual, charging, sales and closing written a second time (rule: accounts/daily-value,
//! fees/distribution-fee, fees/fees-together, fees/forced-redemption, fees/fee-booking, fees/retrocession,
//! fees/insurance-charges). Invariant: whole numbers only; which transactions must be booked, and which sales must be placed,
//! is known beforehand. Absent on purpose: holding that against events, which is `check`.

use super::accruals::{Basis, KINDS, NightFund, Nights, OWN, Terms};
use super::booking::years_after;
use super::books::Model;
use super::calendar::{self, Day};
use super::fee_files::{
    self, Agreed, DueCharges, DueRefund, FeeFile, ORE, Quarter, Sales, TO_BE_MET, Taking, first_day, quarter_of,
};
use super::figures::{self, Ore, Steps};
use super::files::{AccountFile, is_credit};
use super::prices::Rates;
use sim::World;
use sim::identity::InstrumentId;
use sim::ids::{AccountId, PaymentId};
use sim::records::{AccountType, CashRefType, CashTransaction, CashType, Client, FeeMode, FeeTerms, Owner};
use sim::time::{Date, Instant, Millis};
use std::sync::Arc;

/// What a quarter of a year's tax is a part of: halves of an ore, the rate in hundredths of a basis point, fourths.
const TAX_PARTS: i128 = 2 * 1_000_000 * 4;

impl Model {
    /// Lets days end, charges fall due and retrocessions be paid up to `until`, and looks at sales that ended before it.
    pub fn roll_fees(&mut self, world: &World, until: Instant) {
        // Accounts change by events, and by what falls due between two midnights.
        let mut nothing_has_changed = false;
        loop {
            let midnight = calendar::at_local(self.fees.day + 1, 0, 0);
            let (charges, retrocessions) = (self.fees.charges.1, self.fees.retrocessions.1);
            let next = midnight.min(charges).min(retrocessions);
            if let Some(&(at, account)) = self.fees.looks.first().filter(|(at, _)| *at < until && *at < next) {
                self.fees.looks.remove(&(at, account));
                self.look_at_sales(account);
                nothing_has_changed = false;
                continue;
            }
            if next > until {
                return;
            }
            // Prices of the midnight itself are the next day's.
            self.roll(world, if next == midnight { next.plus(Millis(-1)) } else { next });
            let is_midnight = next == midnight;
            if is_midnight {
                self.end_day(nothing_has_changed);
            } else if next == charges {
                let quarter = self.fees.charges.0;
                self.fees.charges = (quarter + 1, fee_files::charges_due(quarter + 1));
                self.of_open_accounts(|model, id| model.charge_quarter(id, quarter));
            } else {
                let quarter = self.fees.retrocessions.0;
                self.fees.retrocessions = (quarter + 1, fee_files::retrocessions_due(quarter + 1));
                self.of_open_accounts(|model, id| {
                    model.pay_retrocessions(id, quarter);
                });
            }
            nothing_has_changed = is_midnight;
        }
    }

    fn of_open_accounts(&mut self, mut f: impl FnMut(&mut Self, AccountId)) {
        let open = self.accounts.iter().filter(|(_, file)| file.is_open());
        let open: Vec<AccountId> = open.map(|(id, _)| *id).collect();
        open.into_iter().for_each(|id| f(self, id));
    }

    /// A day ends: every account that is active or closing accrues by what it is worth now. What accrues is computed when
    /// something changes that it depends on, when a quarter ends, and when it is asked for.
    fn end_day(&mut self, nothing_has_changed: bool) {
        let day = self.fees.day;
        if !nothing_has_changed {
            self.look_at_bases(day);
        }
        self.fees.day += 1;
        let (funds, rates) = (&self.funds, &self.rates);
        self.fees.nights.note(funds.iter().map(|(instrument, fund)| {
            let rate = || rates.get(&instrument.currency()).map_or(figures::PAR, Rates::last);
            fund.prices.close().map_or(0, |close| figures::in_sek(close.price, rate()))
        }));
        if first_day(self.fees.quarter + 1) == self.fees.day {
            self.end_quarter();
        }
    }

    /// The quarter of the day that has just ended ends with it.
    fn end_quarter(&mut self) {
        self.compute_fees();
        let quarter = self.fees.quarter;
        let year = (quarter % 4 == 3).then_some(quarter / 4 + 1);
        for file in self.accounts.values_mut().map(|account| &mut account.fees) {
            let Some(basis) = &file.basis else { continue };
            file.began.extend(year.map(|year| (year, basis.worth())));
            file.calculated_ended
                .iter_mut()
                .zip(&mut file.calculated)
                .for_each(|(sum, day)| *sum += std::mem::take(day));
            file.end_quarter(quarter);
        }
        self.fees.quarter += 1;
        self.fees.nights.begin_again(self.fees.day);
    }

    /// Finds the accounts whose accrual will not continue as it did before the night of `day`.
    fn look_at_bases(&mut self, day: Day) {
        let same_terms = self.fees.agreed.are(self.clients.values(), self.funds.values().map(|fund| &fund.facts));
        if !same_terms {
            self.compute_fees();
            let funds = self.funds.iter().map(|(id, fund)| NightFund::new(*id, fund.facts.rebate));
            self.fees.nights = Nights::beginning(day, funds.collect());
            self.fees.agreed = Agreed {
                clients: self.clients.values().cloned().collect(),
                funds: self.funds.values().map(|fund| Arc::clone(&fund.facts)).collect(),
            };
        }
        let mut accounts = std::mem::take(&mut self.accounts);
        for account in accounts.values_mut() {
            let accrues = account.is_open() || account.is_closing();
            let known = account.fees.basis.as_ref();
            if known.map_or(!accrues, |basis| same_terms && accrues && basis.is_still_of(account.accruing())) {
                continue;
            }
            self.fees.compute(&mut account.fees);
            account.fees.basis =
                accrues.then(|| Basis::new(account.accruing(), day, &self.fees.nights, self.fee_terms(account)));
        }
        self.accounts = accounts;
    }

    /// Adds what has accrued on all accounts by the last midnight.
    pub fn compute_fees(&mut self) {
        self.accounts.values_mut().for_each(|account| self.fees.compute(&mut account.fees));
    }

    /// What an account pays a year.
    fn fee_terms(&self, account: &AccountFile) -> Terms {
        let insured = account.last.account_type == AccountType::Insurance;
        let settings = &self.settings;
        let terms = self.clients.get(&account.last.client).map(|client| client_terms(client)).unwrap_or_default();
        let of_client = |terms: FeeTerms| if terms.mode == FeeMode::None { 0 } else { terms.basis_points };
        let rates = KINDS.map(|kind| match kind {
            CashRefType::PartnerFee => of_client(terms[0]),
            CashRefType::ClientFee => of_client(terms[1]),
            CashRefType::ServiceFee => settings.distribution_fee,
            CashRefType::InsuranceFee if insured => settings.insurance_fee,
            CashRefType::RiskpremiaFee if insured => settings.risk_premium,
            _ => 0,
        });
        let old_from = if insured { old_from(&account.last.owner) } else { Day::MAX };
        Terms { rates, modes: terms.map(|terms| terms.mode), old_from }
    }

    /// An account has become active today.
    pub fn begin_fees(&mut self, id: AccountId, now: Instant) {
        let quarter = quarter_of(calendar::local_day(now));
        if let Some(account) = self.accounts.get_mut(&id) {
            account.fees.taxed_through.get_or_insert(quarter - 1);
        }
    }

    /// Draws up what is charged of each kind: what has accrued up to the end of `quarter`, to the ore, and arrears.
    fn draw_up(&mut self, id: AccountId, quarter: Quarter) -> [Ore; KINDS.len()] {
        let loan_rate = i128::from(self.settings.government_loan_rate);
        let rate = (loan_rate + 100).max(125) * i128::from(self.settings.insurance_tax_share);
        let Some(account) = self.accounts.get_mut(&id) else { return [0; KINDS.len()] };
        let insured = account.last.account_type == AccountType::Insurance;
        let file = &mut account.fees;
        let first = file.taxed_through.map_or(quarter, |through| through + 1);
        for quarter in first..=quarter {
            file.taxed_through = Some(quarter);
            if quarter % 4 == 0 {
                file.taxed = 0;
            }
            let so_far = if insured { tax(file, quarter, rate) } else { 0 };
            let more = (so_far - file.taxed).max(0);
            file.taxed += more;
            file.carry[0] += ORE * i128::from(more);
            file.total[0] += ORE * i128::from(more);
        }
        file.calculated_ended = [0; 2];
        let mut amounts = [0; KINDS.len()];
        for (kind, amount) in amounts.iter_mut().enumerate() {
            file.carry[kind] += file.take_ended(quarter, kind);
            // Less than half an ore stays, whatever its sign.
            let whole = (file.carry[kind] + ORE / 2).div_euclid(ORE).max(0);
            file.carry[kind] -= ORE * whole;
            *amount = figures::narrow(whole) + std::mem::take(&mut file.arrears[kind]);
        }
        amounts
    }

    /// What payers have back and waits for the next day of fees.
    fn asked_again(&mut self, id: AccountId) -> Vec<(PaymentId, Ore)> {
        let Some(account) = self.accounts.get_mut(&id) else { return Vec::new() };
        let (asked, left) = std::mem::take(&mut account.fees.refunds).into_iter().partition(|refund| refund.is_arrears);
        account.fees.refunds = left;
        let asked: Vec<DueRefund> = asked;
        asked.into_iter().map(|refund| (refund.payment, refund.left)).collect()
    }

    /// The charges of a quarter fall due.
    fn charge_quarter(&mut self, id: AccountId, quarter: Quarter) {
        let amounts = self.draw_up(id, quarter);
        let Some(account) = self.accounts.get_mut(&id) else { return };
        if account.fees.due.is_some() {
            account.fees.arrears.iter_mut().zip(amounts).for_each(|(arrears, amount)| *arrears += amount);
            return;
        }
        let refunds = self.asked_again(id);
        let total = amounts.iter().chain(refunds.iter().map(|refund| &refund.1)).sum::<Ore>();
        let Some(account) = self.accounts.get_mut(&id).filter(|_| total > 0) else { return };
        let reserved = account.spendable().min(total);
        account.reserved += reserved;
        let short = total - reserved;
        let is_sold_for = short >= figures::ore(self.settings.smallest_forced_sale);
        let met = match short {
            0 => TO_BE_MET[0],
            _ if is_sold_for => TO_BE_MET[1],
            _ => TO_BE_MET[10],
        };
        self.fees.meet(met);
        let mut sales = Sales::default();
        if is_sold_for {
            sales = Sales::worth(short);
            self.plan_sales(id, &mut sales);
        }
        if let Some(account) = self.accounts.get_mut(&id) {
            account.fees.due = Some(DueCharges { quarter, amounts, refunds, reserved, sales });
        }
        self.book_when_sold(id);
    }

    pub(super) fn give_back_part(&mut self, id: AccountId, payment: PaymentId, part: Ore) {
        let Some(account) = self.accounts.get_mut(&id).filter(|_| part > 0) else { return };
        account.fees.takings.push_back(Taking::Refund(payment, part));
        self.outside.paid_out += part;
        self.fees.waiting.insert(id);
    }

    /// What payers have back, and charges, are taken from the cash, in their order; the rest is in arrears.
    pub(super) fn take(
        &mut self,
        id: AccountId,
        quarter: Quarter,
        amounts: [Ore; KINDS.len()],
        refunds: Vec<(PaymentId, Ore)>,
    ) {
        for (payment, amount) in refunds {
            let part = amount.min(self.left_to_take(id));
            self.give_back_part(id, payment, part);
            let left = amount - part;
            if let Some(account) = self.accounts.get_mut(&id).filter(|_| left > 0) {
                account.fees.refunds.push(DueRefund { payment, left, sales: Sales::default(), is_arrears: true });
            }
        }
        let mut cash = self.left_to_take(id);
        let Some(account) = self.accounts.get_mut(&id) else { return };
        for (kind, amount) in amounts.into_iter().enumerate() {
            let paid = amount.min(cash);
            cash -= paid;
            account.fees.arrears[kind] += amount - paid;
            if amount > paid {
                self.fees.meet(TO_BE_MET[3]);
            }
            if paid > 0 && account.fees.is_final {
                self.fees.meet(TO_BE_MET[4]);
            }
            if paid > 0 && kind >= OWN {
                self.fees.meet(TO_BE_MET[7]);
            }
            if paid > 0 {
                account.fees.takings.push_back(Taking::Charge(kind, paid, quarter));
                self.fees.waiting.insert(id);
                match KINDS[kind] {
                    CashRefType::ServiceFee => self.outside.fees += paid,
                    CashRefType::PartnerFee | CashRefType::ClientFee => self.outside.partner_fees += paid,
                    _ => self.outside.insurer -= paid,
                }
            }
        }
    }

    /// A payer has money back now: what can be spent at once, and sales for the rest.
    pub(super) fn refunded(&mut self, id: AccountId, payment: PaymentId, ore: Ore) {
        let part = ore.min(self.left_to_take(id));
        self.give_back_part(id, payment, part);
        let left = ore - part;
        if left == 0 {
            return;
        }
        self.fees.meet(TO_BE_MET[6]);
        let mut sales = Sales::worth(left);
        if self.accounts.get(&id).is_some_and(AccountFile::is_open) {
            self.plan_sales(id, &mut sales);
        }
        let is_arrears = sales.made.is_empty();
        if let Some(account) = self.accounts.get_mut(&id) {
            account.fees.refunds.push(DueRefund { payment, left, sales, is_arrears });
        }
    }

    /// Retrocessions of a quarter, and of any before it, are paid.
    fn pay_retrocessions(&mut self, id: AccountId, quarter: Quarter) {
        let Some(account) = self.accounts.get_mut(&id) else { return };
        let later = account.fees.retrocessions.keys().find(|key| key.0 > quarter).copied();
        let rest = later.map(|later| account.fees.retrocessions.split_off(&later)).unwrap_or_default();
        let paid = std::mem::replace(&mut account.fees.retrocessions, rest);
        for ((quarter, instrument), steps) in paid {
            let ore = to_the_ore(steps);
            if ore > 0 {
                account.fees.takings.push_back(Taking::Retrocession(instrument, ore, quarter));
                self.fees.meet(TO_BE_MET[5]);
                *self.fees.given_back.entry((instrument, quarter)).or_default() += ore;
                self.outside.with_companies -= ore;
                self.fees.waiting.insert(id);
            }
        }
    }

    /// Whether an account that closes has retrocessions to come.
    #[must_use]
    pub fn is_given_back(&self, account: &AccountFile) -> bool {
        let file = &account.fees;
        let waits = file.retrocessions.values().any(|&steps| to_the_ore(steps) > 0);
        waits || {
            let accrued = file.basis.as_ref().and_then(|basis| basis.accrued(&self.fees.nights, self.fees.day));
            accrued.is_some_and(|accrued| {
                accrued.retrocessions.into_iter().any(|(instrument, steps)| {
                    let known = file.retrocessions.get(&(self.fees.quarter, instrument)).copied().unwrap_or(0);
                    to_the_ore(known + steps) > 0
                })
            })
        }
    }

    /// A closing account is about to be paid out: what it is due comes first, then its last charges, quarter by quarter
    /// (rule: accounts/arrears-at-closing). Once, and again where cash has come back since.
    pub fn finish_fees(&mut self, id: AccountId) {
        let (today, last) = (self.fees.day, self.fees.day - 1);
        if let Some(account) = self.accounts.get_mut(&id) {
            self.fees.compute(&mut account.fees);
        }
        let Some(account) = self.accounts.get(&id).filter(|file| file.is_closing()) else { return };
        if account.fees.is_final && account.spendable() == 0 && !self.is_given_back(account) {
            return;
        }
        let Some(account) = self.accounts.get_mut(&id) else { return };
        account.fees.is_final = true;
        // An insurance is taxed for the quarter in which it closes, be it on the first day of it.
        let insured = account.last.account_type == AccountType::Insurance;
        let ended = quarter_of(if insured { today } else { last });
        let opened = account.fees.taxed_through.map_or(ended, |through| through + 1);
        let started = account.fees.finished_in.replace(quarter_of(today)).unwrap_or(opened).min(ended);
        self.pay_retrocessions(id, ended);
        self.look_at_sales(id);
        for quarter in started..=ended {
            if quarter == ended
                && let Some(account) = self.accounts.get_mut(&id)
            {
                account.fees.end_quarter(quarter);
            }
            let amounts = self.draw_up(id, quarter);
            let refunds = self.asked_again(id);
            self.take(id, quarter, amounts, refunds);
        }
    }

    /// Before a transaction of fees or a last payout is booked: what of it is due in this instant.
    pub fn before_fees(&mut self, at: Instant, cash: &CashTransaction) {
        let id = cash.account;
        let Some(account) = self.accounts.get(&id) else { return };
        let closing = account.is_closing() && account.fees.takings.is_empty();
        // What is given back comes before sales that have ended are looked at.
        if closing && cash.kind == CashType::Retrocession {
            return self.finish_fees(id);
        }
        if self.fees.looks.remove(&(at, id)) {
            self.look_at_sales(id);
        }
        let none = self.accounts.get(&id).is_some_and(|account| account.fees.takings.is_empty());
        if closing && none {
            self.finish_fees(id);
        }
    }

    /// Takes a transaction of fees from an event, where it is one that was to come.
    ///
    /// # Errors
    /// What was to come.
    pub fn taken(&mut self, cash: &CashTransaction) -> Result<(), Vec<Taking>> {
        let Some(account) = self.accounts.get_mut(&cash.account) else { return Err(Vec::new()) };
        let takings = &mut account.fees.takings;
        let payment = |taking: &Taking| if let Taking::Refund(payment, _) = *taking { Some(payment) } else { None };
        let client_ref = |payment: PaymentId| (payment, self.money_in.client_ref(payment));
        let client_refs: Vec<_> = takings.iter().filter_map(payment).map(client_ref).collect();
        let (ore, text) = (figures::ore(cash.amount), cash.reference.as_deref().unwrap_or_default());
        let fits = |taking: &Taking| match *taking {
            Taking::Charge(kind, due, quarter) => {
                (cash.kind, cash.ref_type, ore) == (CashType::Fee, KINDS[kind], due)
                    && text == fee_files::written(quarter)
            }
            Taking::Refund(payment, due) => {
                (cash.kind, cash.ref_type, ore) == (CashType::Withdrawal, CashRefType::Correction, due)
                    && text == payment.to_string()
                    && client_refs.contains(&(payment, cash.client_ref.clone()))
            }
            Taking::Retrocession(fund, due, quarter) => {
                (cash.kind, cash.ref_type, ore) == (CashType::Retrocession, CashRefType::Text, due)
                    && text == format!("{fund}-{}", fee_files::written(quarter))
            }
        };
        // Charges come in their order, after what is given back.
        let first =
            takings.iter().position(|taking| !matches!(taking, Taking::Retrocession(..))).unwrap_or(takings.len());
        let reach = if is_credit(cash.kind) { 0..first } else { 0..takings.len().min(1) };
        match takings.range(reach).position(fits) {
            Some(place) => {
                takings.remove(place);
                Ok(())
            }
            None => Err(takings.iter().copied().collect()),
        }
    }

    /// What should have happened to accounts by now and has not: takings that were not booked, and sales that were not
    /// placed.
    pub fn missing_fees(&mut self) -> Vec<MissingFees> {
        let mut missing = Vec::new();
        for id in std::mem::take(&mut self.fees.waiting) {
            let Some(account) = self.accounts.get_mut(&id) else { continue };
            let takings: Vec<Taking> = account.fees.takings.drain(..).collect();
            let sales = account.fees.sales().filter(|sale| sale.order.is_none());
            let sales: Vec<_> = sales.map(|sale| (sale.instrument, sale.steps)).collect();
            if !takings.is_empty() || !sales.is_empty() {
                missing.push(MissingFees { account: id, takings, sales });
            }
        }
        missing
    }

    /// Money was paid into an insurance; what the insurer itself adds is no premium.
    pub(super) fn note_premium(account: &mut AccountFile, cash: &CashTransaction) {
        let comes = matches!(cash.kind, CashType::Deposit | CashType::TransferIn) && cash.settlement.is_some();
        let paid = cash.ref_type != CashRefType::Correction && cash.ref_type != CashRefType::Endowment101;
        if comes && paid && account.last.account_type == AccountType::Insurance {
            let day = calendar::local_day(cash.stamp.modified);
            account.fees.premiums.push((day, figures::ore(cash.amount)));
        }
    }
}

/// What should have happened to an account and has not.
#[derive(Clone, Debug)]
pub struct MissingFees {
    /// The account.
    pub account: AccountId,
    /// Cash that was to be taken or given back.
    pub takings: Vec<Taking>,
    /// Funds of which so much was to be sold.
    pub sales: Vec<(InstrumentId, Steps)>,
}

/// The nearest ore, halves up.
fn to_the_ore(steps: i128) -> Ore {
    figures::narrow(figures::divided(steps, ORE))
}

/// What a client has agreed on: the partner's fee, where that is permitted, and its own.
fn client_terms(client: &Client) -> [FeeTerms; 2] {
    let partner = if client.permissions.partner_fee { client.fees.partner } else { FeeTerms::default() };
    [partner, client.fees.client]
}

/// The tax of a year by the end of a quarter of it.
fn tax(file: &FeeFile, quarter: Quarter, rate: i128) -> Ore {
    let year = quarter / 4;
    let days = first_day(4 * year)..first_day(quarter + 1);
    let second_half = first_day(4 * year + 2);
    let premiums = file.premiums.iter().filter(|(day, _)| days.contains(day));
    let halves: i128 = premiums.map(|&(day, ore)| i128::from(ore) * if day < second_half { 2 } else { 1 }).sum();
    let base = halves + 2 * i128::from(file.began.get(&year).copied().unwrap_or(0));
    figures::narrow(figures::divided(base * rate * i128::from(quarter % 4 + 1), TAX_PARTS))
}

/// The day of a person's 65th birthday; for others it never comes.
fn old_from(owner: &Owner) -> Day {
    let Owner::NaturalPerson(person) = owner else { return Day::MAX };
    let text = person.ssn.to_string();
    let part = |range: std::ops::Range<usize>| text.get(range).and_then(|part| part.parse::<i16>().ok()).unwrap_or(1);
    let (year, month, number) = (part(0..4), part(4..6), part(6..8));
    // Coordination numbers count their days from 61.
    let number = if number > 60 { number - 60 } else { number };
    let born = i8::try_from(month).ok().zip(i8::try_from(number).ok()).and_then(|(m, d)| Date::new(year, m, d).ok());
    born.map_or(Day::MAX, |born| calendar::day_of(years_after(born, 65)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::accruals::accrual;

    /// (rule: fees/distribution-fee)
    #[test]
    fn the_worked_examples_come_out() {
        let sum = |parts: &[(i128, Ore)]| parts.iter().map(|&(days, ore)| days * accrual(ore, 15)).sum::<i128>();
        for (days, charged) in [(90, 3_699), (91, 3_740), (92, 3_781)] {
            assert_eq!(to_the_ore(sum(&[(days, 10_000_000)])), charged, "{days} days");
        }
        let mixed = sum(&[(31, 5_000_000), (28, 5_250_050), (31, 0)]);
        assert_eq!((to_the_ore(mixed), figures::divided(mixed, 10_000)), (1_241, 12_411_016));
    }

    /// (rule: fees/retrocession)
    #[test]
    fn charges_and_retrocessions_fall_due_on_the_first_and_the_tenth_bank_day_after_a_quarter() {
        let rows = [
            ("2026Q1", "2026-04-01T04:00:00.000Z", "2026-04-16T07:00:00.000Z"),
            ("2026Q2", "2026-07-01T04:00:00.000Z", "2026-07-14T07:00:00.000Z"),
            ("2026Q3", "2026-10-01T04:00:00.000Z", "2026-10-14T07:00:00.000Z"),
            ("2026Q4", "2027-01-04T05:00:00.000Z", "2027-01-18T08:00:00.000Z"),
        ];
        for (quarter, (name, charges, retrocessions)) in (2026 * 4..).zip(rows) {
            assert_eq!(fee_files::written(quarter), name);
            assert_eq!(fee_files::charges_due(quarter).to_string(), charges, "{name}");
            assert_eq!(fee_files::retrocessions_due(quarter).to_string(), retrocessions, "{name}");
            assert_eq!(quarter_of(first_day(quarter + 1) - 1), quarter, "{name}");
        }
    }
}
