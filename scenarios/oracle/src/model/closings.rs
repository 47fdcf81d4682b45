//! Accounts that close, as far as their payouts go: which bank account gets the last of the cash, and when one that has sent it
//! back is followed by another (rule: accounts/payout-of-closing-returns).
//!
//! Invariant: when the platform must pay again is noted before it does. Absent on purpose: what is sold and charged, which is
//! the fees' and the orders'.

use super::books::{Item, Model};
use super::calendar;
use sim::ids::{AccountId, BankAccountId, CashTransactionId};
use sim::time::{Date, Instant};
use std::cmp::Reverse;

/// Something that runs should meet.
pub const TO_BE_MET: &[&str] = &[PAID_AGAIN, TAKEN_BACK, GIVEN, ASKED_AGAIN];

const TAKEN_BACK: &str = "a payout of a closing that comes back";
const PAID_AGAIN: &str = "a closing that is paid again";
const GIVEN: &str = "a bank account given to a closing account";
const ASKED_AGAIN: &str = "a closing that is asked for again";

impl Model {
    /// The bank account that takes what is left: the newest that is checked and has sent back nothing of the closing.
    #[must_use]
    pub fn taker(&self, account: AccountId) -> Option<BankAccountId> {
        let file = self.accounts.get(&account)?;
        let sent_back = |bank| {
            file.closing_payouts.iter().any(|id| {
                let returned = self.payouts.get(id).is_some_and(|payout| payout.returned);
                returned && self.cash.get(id).is_some_and(|cash| cash.last.payout_to == Some(bank))
            })
        };
        file.last.bank_accounts.iter().rev().find(|bank| bank.validated && !sent_back(bank.id)).map(|bank| bank.id)
    }

    /// The last of the cash leaves; whether it may do so already.
    pub fn closing_is_paid(&mut self, at: Instant, account: AccountId, payout: Option<CashTransactionId>) -> bool {
        let Some(file) = self.accounts.get_mut(&account) else { return false };
        file.closing_payouts.extend(payout);
        let due = file.pay_again.take();
        if due.is_some() {
            self.fees.meet(PAID_AGAIN);
        }
        due.is_none_or(|due| due <= at)
    }

    /// A payout has come back: where it was a closing's, the platform pays again on the fifth bank day.
    pub fn closing_payout_returned(&mut self, at: Instant, payout: CashTransactionId) {
        let mut files = self.accounts.iter_mut().filter(|(_, file)| file.last.deleted.is_none());
        let Some((&id, file)) = files.find(|(_, file)| file.closing_payouts.contains(&payout)) else { return };
        let due = half_past_nine(at, 5);
        file.pay_again = Some(due);
        self.fees.meet(TAKEN_BACK);
        self.agenda.push(Reverse((due, Item::PaidAgain(id))));
    }

    /// The partner asks to close an account that is closing: it is paid again no later than on the next bank day.
    pub fn closing_asked_again(&mut self, now: Instant, id: AccountId) {
        let next = half_past_nine(now, 1);
        let Some(file) = self.accounts.get_mut(&id).filter(|file| file.pay_again.is_some_and(|due| due > next)) else {
            return;
        };
        file.pay_again = Some(next);
        self.fees.meet(ASKED_AGAIN);
        self.agenda.push(Reverse((next, Item::PaidAgain(id))));
    }

    /// A payout of an account that can come back at `at`: it is not paid, or no bank day has begun since (rule: accounts/closing-rounds).
    #[must_use]
    pub fn may_come_back(&self, at: Instant, account: AccountId) -> Option<CashTransactionId> {
        let is_final =
            |paid: Date| at >= calendar::at_local(calendar::bank_days_after(calendar::day_of(paid), 1), 9, 0);
        let own = self.payouts.keys().filter_map(|id| self.cash.get(id)).map(|file| &file.last);
        let mut own = own.filter(|cash| cash.account == account && cash.payout_to.is_some() && cash.aborted.is_none());
        own.find(|cash| !cash.settlement.is_some_and(is_final)).map(|cash| cash.id)
    }

    /// A journey has connected a bank account to an account.
    pub fn bank_account_given(&mut self, id: AccountId) {
        if self.accounts.get(&id).is_some_and(super::AccountFile::is_closing) {
            self.fees.meet(GIVEN);
        }
    }

    /// Whether a closing account should have been paid again at `at` and was not. Where something stood against it, it is
    /// looked at anew on the next bank day.
    pub fn is_paid_too_late(&mut self, at: Instant, id: AccountId) -> bool {
        let Some(file) = self.accounts.get(&id).filter(|file| file.pay_again == Some(at)) else { return false };
        if file.last.deleted.is_some() || file.balance == 0 {
            if let Some(file) = self.accounts.get_mut(&id) {
                file.pay_again = None;
            }
            return false;
        }
        let unchanged = file.last.stamp.modified < at;
        let holds = file.holdings.iter().any(|held| (held.units, held.settled, held.reserved) != (0, 0, 0));
        let waits = holds || self.open_orders(id).next().is_some() || self.expects_a_transfer(at, id);
        let sure = unchanged && !waits && !self.parks_orders(file);
        let late = sure && (self.taker(id).is_some() || file.ended_by_death);
        let next = half_past_nine(at, 1);
        if let Some(file) = self.accounts.get_mut(&id) {
            file.pay_again = Some(next);
        }
        self.agenda.push(Reverse((next, Item::PaidAgain(id))));
        late
    }
}

/// 09:30 so many bank days later.
fn half_past_nine(now: Instant, bank_days: u32) -> Instant {
    calendar::at_local(calendar::bank_days_after(calendar::local_day(now), bank_days), 9, 30)
}
