//! Laws of deaths (1, 9, 31): each insurance that ends gets its hundredth, once, and what no bank account takes goes to the
//! insurer, whole.

use super::{Judge, Law};
use crate::model::figures;
use crate::model::words::{self, listed, or_none};
use sim::records::{CashRefType, CashTransaction, CashType, LedgerAccount, PlatformAccount};
use sim::time::Instant;

const INSURER: LedgerAccount = LedgerAccount::Platform(PlatformAccount::Insurer);

impl Judge {
    /// Whether cash leaves for the insurer, who pays heirs.
    pub(super) fn is_for_heirs(cash: &CashTransaction) -> bool {
        cash.kind == CashType::Withdrawal && cash.ref_type == CashRefType::Text && cash.credit == INSURER
    }

    /// What the insurer adds when the insured dies: a hundredth of what the insurance was worth, to the ore (law 9).
    pub(super) fn endowed(&mut self, at: Instant, cash: &CashTransaction) {
        let due = self.model.endowments.shift_remove(&cash.account);
        let got = Some(figures::ore(cash.amount));
        self.ensure(due == got, Law::DepositOnce, at, || {
            format!(
                "cash {} adds {} SEK at a death where due is {}",
                cash.id,
                cash.amount,
                or_none(due.map(words::cash))
            )
        });
        let settled = cash.settlement == Some(at.local_date());
        self.ensure(settled && cash.debit == INSURER, Law::DepositOnce, at, || {
            format!("cash {} is not the insurer's", cash.id)
        });
        self.model.outside.insurer += figures::ore(cash.amount);
    }

    /// After a death was reported, nothing that is due is missing (law 9).
    pub(super) fn endowments_stand(&mut self, at: Instant) {
        let missing = std::mem::take(&mut self.model.endowments);
        self.ensure(missing.is_empty(), Law::DepositOnce, at, || {
            let due = missing.iter().map(|(account, ore)| format!("{} to account {account}", words::cash(*ore)));
            format!("the insurer should have added {}", listed(due))
        });
    }

    /// What is left of an insurance after a death, where no bank account takes it (law 31).
    pub(super) fn heirs_paid(&mut self, at: Instant, cash: &CashTransaction) {
        let id = cash.account;
        let account = self.model.accounts.get(&id);
        let whole = account.is_some_and(|account| account.is_closing() && account.spendable() == 0);
        let due = whole && self.model.is_ended_by_death(id) && self.model.taker(id).is_none();
        let due = self.model.closing_is_paid(at, id, None) && due;
        self.ensure(due, Law::ActiveAccountsOnly, at, || {
            format!("cash {} leaves account {id} for the insurer unasked", cash.id)
        });
        let settled = cash.settlement == Some(at.local_date()) && cash.payout_to.is_none();
        self.ensure(settled, Law::DateOrder, at, || format!("cash {} is not settled today", cash.id));
        self.model.outside.insurer -= figures::ore(cash.amount);
    }
}
