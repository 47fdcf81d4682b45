//! What is sold where the cash does not reach: for charges, and for what payers have back (rule: fees/forced-redemption).
//!
//! Owns: which sales must be placed and with how many units, and when the last has ended. Absent on purpose: what they pay
//! for, which is `fees`.

use super::books::Model;
use super::fee_files::{Sale, Sales, TO_BE_MET};
use super::figures::{self, Ore, Steps};
use super::files::AccountFile;
use sim::identity::InstrumentId;
use sim::ids::AccountId;
use sim::records::{Order, Side};
use sim::time::Instant;
use std::cmp::Reverse;

impl Model {
    /// Which sales must be placed now, the largest position first (rule: fees/forced-redemption).
    pub(super) fn plan_sales(&mut self, id: AccountId, sales: &mut Sales) {
        let Some(account) = self.accounts.get(&id) else { return };
        let tried = |fund: InstrumentId| sales.made.iter().any(|sale| sale.instrument == fund);
        let planned_for = |fund: InstrumentId| {
            let planned = account.fees.sales().filter(|sale| sale.order.is_none() && sale.instrument == fund);
            planned.map(|sale| sale.steps).sum::<Steps>()
        };
        let mut found: Vec<_> = account
            .holdings
            .iter()
            .map(|held| (held, held.units - held.reserved - planned_for(held.instrument)))
            .filter(|(held, sellable)| *sellable > 0 && !tried(held.instrument))
            .filter_map(|(held, sellable)| {
                let fund = self.funds.get(&held.instrument).filter(|fund| !fund.is_closed(Side::Redemption))?;
                let (price, rate) = self.close(held.instrument)?;
                let worth = figures::worth(held.units, price, rate);
                let grain = 10_i128.pow(7 - fund.facts.decimals_units);
                Some((Reverse(worth), held.instrument, sellable, (price, rate), grain))
            })
            .collect();
        found.sort_unstable_by_key(|found| (found.0, found.1));
        for (_, instrument, sellable, (price, rate), grain) in found {
            if sales.need <= 0 {
                break;
            }
            let close = figures::in_sek(price, rate);
            let enough = (sales.need + close * grain - 1).div_euclid(close * grain) * grain;
            let steps = figures::narrow(enough.min(i128::from(sellable)));
            if figures::worth(steps, price, rate) == 0 {
                continue;
            }
            let covers = i128::from(steps) * close;
            sales.need -= covers;
            sales.made.push(Sale { order: None, instrument, steps, covers, ended: None });
            self.fees.waiting.insert(id);
        }
    }

    /// An order of the platform's own on an active account: a sale that was to come, if it is one; otherwise what was.
    ///
    /// # Errors
    /// The sales that were to come.
    pub fn placed_for_fees(&mut self, at: Instant, order: &Order) -> Result<(), Vec<(InstrumentId, Steps)>> {
        if self.fees.looks.remove(&(at, order.account)) {
            self.look_at_sales(order.account);
        }
        let Some(account) = self.accounts.get_mut(&order.account) else { return Err(Vec::new()) };
        let got = (order.side == Side::Redemption).then_some(order.units).flatten().map(figures::steps);
        let fits =
            |sale: &&mut Sale| sale.order.is_none() && sale.instrument == order.instrument && got == Some(sale.steps);
        if let Some(sale) = account.fees.sales_mut().find(fits) {
            sale.order = Some(order.id);
            return Ok(());
        }
        let planned = account.fees.sales().filter(|sale| sale.order.is_none());
        Err(planned.map(|sale| (sale.instrument, sale.steps)).collect())
    }

    /// An order has ended: if it was a sale for charges or a refund, they are looked at in the same instant.
    pub fn ended_for_fees(&mut self, at: Instant, order: &Order, fell: bool) {
        let Some(account) = self.accounts.get_mut(&order.account) else { return };
        let Some(sale) = account.fees.sales_mut().find(|sale| sale.order == Some(order.id)) else { return };
        sale.ended = Some(fell);
        self.fees.looks.insert((at, order.account));
    }

    /// Sales have ended: what fell moves on to the next position; whether all are over.
    pub(super) fn go_on(&mut self, id: AccountId, sales: &mut Sales) -> bool {
        let open = self.accounts.get(&id).is_some_and(AccountFile::is_open);
        if sales.fell() && open {
            self.fees.meet(TO_BE_MET[2]);
            self.plan_sales(id, sales);
        }
        sales.are_over()
    }

    /// Looks at the sales that have ended by now.
    pub fn look_at_sales_of(&mut self, now: Instant) {
        while let Some(&(at, account)) = self.fees.looks.first().filter(|(at, _)| *at <= now) {
            self.fees.looks.remove(&(at, account));
            self.look_at_sales(account);
        }
    }

    /// Sales have ended: refunds first, then charges.
    pub(super) fn look_at_sales(&mut self, id: AccountId) {
        let Some(account) = self.accounts.get_mut(&id) else { return };
        let mut refunds = std::mem::take(&mut account.fees.refunds);
        for refund in refunds.iter_mut().filter(|refund| !refund.is_arrears) {
            if !self.go_on(id, &mut refund.sales) {
                continue;
            }
            refund.is_arrears = true;
            let part = refund.left.min(self.left_to_take(id));
            refund.left -= part;
            self.give_back_part(id, refund.payment, part);
        }
        refunds.retain(|refund| refund.left > 0);
        if let Some(account) = self.accounts.get_mut(&id) {
            account.fees.refunds = refunds;
        }
        let due = self.accounts.get_mut(&id).and_then(|account| account.fees.due.take());
        if let Some(mut due) = due {
            self.go_on(id, &mut due.sales);
            if let Some(account) = self.accounts.get_mut(&id) {
                account.fees.due = Some(due);
            }
        }
        self.book_when_sold(id);
    }

    pub(super) fn book_when_sold(&mut self, id: AccountId) {
        let Some(account) = self.accounts.get_mut(&id) else { return };
        if account.fees.due.as_ref().is_none_or(|due| !due.sales.are_over()) {
            return;
        }
        let Some(due) = account.fees.due.take() else { return };
        account.reserved -= due.reserved;
        self.take(id, due.quarter, due.amounts, due.refunds);
    }

    /// Cash that can be spent once all transactions that events must show now are booked.
    pub(super) fn left_to_take(&self, id: AccountId) -> Ore {
        let Some(account) = self.accounts.get(&id) else { return 0 };
        account.spendable() + account.fees.takings.iter().map(|taking| taking.signed()).sum::<Ore>()
    }
}
