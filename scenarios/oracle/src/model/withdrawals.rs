//! What may be taken out of an account, and whether a withdrawal is taken (rule: payments/withdrawal-limits,
//! payments/withdrawal-precedence).
//!
//! Invariant: reckoned in whole ore from the model's own books.

use super::booking::years_after;
use super::expected::{Verdict, unless};
use super::figures::{self, Ore, Steps};
use super::{AccountFile, Model, calendar};
use sim::command::{Withdraw, WithdrawalType};
use sim::identity::InstrumentId;
use sim::ids::{AccountId, ClientId};
use sim::records::{Account, AccountType};
use sim::refusal::Class;
use sim::time::Instant;

/// The least that an insurer pays out.
const LEAST_OF_INSURER: Ore = 100_000;

impl Model {
    /// Whether a withdrawal that is asked for now is taken.
    pub(super) fn withdraw(&self, now: Instant, asked: &Withdraw) -> Verdict {
        let client = self.clients.get(&asked.scope.client);
        let own = self.partner_of(asked.scope.client) == Some(asked.scope.partner);
        unless(own && client.is_some_and(|client| client.permissions.withdrawals), Class::OutOfScope)?;
        unless(is_well_formed(asked), Class::Malformed)?;
        let account = self.accounts.get(&asked.account).filter(|file| file.last.client == asked.scope.client);
        let Some(account) = account else { return super::expected::refuse(Class::Unknown) };
        unless(account.is_open(), Class::AccountNotActive)?;
        unless(super::expected::may_act(&account.last.owner, asked.executor), Class::ExecutorMismatch)?;
        let (least, most) = self.limits(now, account);
        let ore = asked.amount.map_or(account.spendable(), figures::ore);
        unless(ore > 0 && (least..=most).contains(&ore), Class::OutsideLimits)?;
        let usable = account.last.bank_accounts.iter().any(|bank| bank.id == asked.bank_account && bank.validated);
        unless(usable && !self.is_sanctioned(&account.last), Class::BadTarget)?;
        unless(self.is_signed(now, asked.scope.client, asked.account), Class::NotAllowedNow)?;
        Ok(Vec::new())
    }

    fn is_sanctioned(&self, account: &Account) -> bool {
        self.listed(account).1
    }

    /// Whether a customer has signed a withdrawal, where that is needed.
    fn is_signed(&self, now: Instant, client: ClientId, account: AccountId) -> bool {
        self.signatures(client, account, now).is_none_or(|signed| !signed.is_empty())
    }

    /// The least and the most that may be taken out of an account, if anything may.
    fn limits(&self, now: Instant, account: &AccountFile) -> (Ore, Ore) {
        match self.insurer(now, account) {
            Some((least, most)) => (least, most.min(account.spendable())),
            None => (0, account.spendable()),
        }
    }

    /// The same as a partner is shown it.
    #[must_use]
    pub fn limits_shown(&self, now: Instant, account: &AccountFile) -> (Ore, Ore) {
        let (least, most) = self.limits(now, account);
        let stopped = !account.is_open() || self.is_sanctioned(&account.last);
        (least, if stopped { 0 } else { most })
    }

    /// Whether an insurer lets so many units be sold and paid out; everybody else does.
    pub(super) fn may_be_paid_out(
        &self,
        now: Instant,
        account: &AccountFile,
        fund: InstrumentId,
        steps: Steps,
    ) -> bool {
        let Some((least, most)) = self.insurer(now, account) else { return true };
        let estimate = self.close(fund).map_or(0, |(price, rate)| figures::worth(steps, price, rate));
        (least..=most).contains(&estimate)
    }

    /// What an insurer pays out: nothing in the first year, nine tenths of the value after it.
    fn insurer(&self, now: Instant, account: &AccountFile) -> Option<(Ore, Ore)> {
        if account.last.account_type != AccountType::Insurance {
            return None;
        }
        let opened = calendar::date_of(calendar::local_day(account.last.stamp.created));
        let first_year = calendar::local_day(now) < calendar::day_of(years_after(opened, 1));
        Some((LEAST_OF_INSURER, if first_year { 0 } else { self.worth(account) * 9 / 10 }))
    }

    /// What an account is worth: balance, settled units at the last price, and subscriptions under way.
    #[must_use]
    pub fn worth(&self, account: &AccountFile) -> Ore {
        let held = account.holdings.iter().filter(|held| held.settled != 0).map(|held| {
            self.close(held.instrument).map_or(0, |(price, rate)| figures::worth(held.settled, price, rate))
        });
        account.balance + account.subscribed + held.sum::<Ore>()
    }
}

fn is_well_formed(asked: &Withdraw) -> bool {
    let amount = match asked.kind {
        WithdrawalType::Amount => asked.amount.is_some_and(|amount| figures::ore(amount) > 0),
        WithdrawalType::Full => asked.amount.is_none(),
    };
    amount && asked.client_ref.as_ref().is_none_or(|text| text.chars().count() <= 255)
}
