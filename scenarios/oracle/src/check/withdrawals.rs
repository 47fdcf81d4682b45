//! Laws of what partners take out: that a withdrawal is what was asked for, and that limits read as they are.

use super::{Claim, Fact, Judge, Law};
use crate::model::Payout;
use crate::model::figures;
use sim::World;
use sim::command::Withdraw;
use sim::query;
use sim::records::{Account, CashRefType, CashTransaction, CashType};
use sim::time::Instant;
use std::sync::Arc;

impl Judge {
    /// A payout that a partner has asked for is on its way.
    pub(super) fn withdrawn(&mut self, at: Instant, cash: &CashTransaction) {
        self.model.outside.to_be_paid += figures::ore(cash.amount);
        let payout = Payout::asked_at(at, self.bounces(cash));
        self.model.payouts.insert(cash.id, payout);
        self.model.expect_payout(cash.id);
    }

    /// Law 33: over what was asked, to a bank account that has passed its check, signed where that is needed.
    pub(super) fn withdrawn_as_asked(&mut self, at: Instant, asked: &Withdraw, cash: &CashTransaction) {
        if let Some(mut signed) = self.model.signatures(asked.scope.client, asked.account, at) {
            self.ensure(!signed.is_empty(), Law::ValidatedMeansChecked, at, || {
                format!("withdrawal {} has no signature", cash.id)
            });
            signed.drain(..1.min(signed.len()));
            self.model.grants.insert(asked.account, signed);
        }
        let Some(account) = self.model.accounts.get(&asked.account) else { return };
        let whole = asked.amount.map_or(account.spendable() == 0, |amount| amount == cash.amount);
        let target = account.last.bank_accounts.iter().find(|bank| bank.id == asked.bank_account);
        let validated = target.is_some_and(|bank| bank.validated) && cash.payout_to == Some(asked.bank_account);
        let named = (cash.kind, cash.ref_type, cash.reference.as_deref())
            == (CashType::Withdrawal, CashRefType::Text, Some("withdrawal"));
        let copied = (&cash.client_ref, cash.executor) == (&asked.client_ref, Some(asked.executor));
        let fits = whole && validated && named && copied && cash.account == asked.account && cash.settlement.is_none();
        self.ensure(fits, Law::ValidatedMeansChecked, at, || {
            format!("withdrawal {} is not what was asked for", cash.id)
        });
    }

    /// Law 33: the limits that a partner is shown.
    pub(super) fn limits_stand(&mut self, world: &World, account: &Arc<Account>) {
        let Some(file) = self.model.accounts.get(&account.id) else { return };
        let (least, most) = self.model.limits_shown(world.now(), file);
        let got = query::withdrawal_limits(world, account);
        let got = (figures::ore(got.min), figures::ore(got.max));
        if (least, most) != got {
            let path = format!("/account/{}/withdrawal/limit", account.id);
            let claim = Claim::Read(account.id, path, vec![("min", Fact::money(least)), ("max", Fact::money(most))]);
            let what = || {
                let [least, most, min, max] = [least, most, got.0, got.1].map(figures::amount);
                format!("account {}: the withdrawal limits are {least} to {most}, shown as {min} to {max}", account.id)
            };
            self.fail(Law::ValidatedMeansChecked, world.now(), what, Some(claim));
        }
    }
}
