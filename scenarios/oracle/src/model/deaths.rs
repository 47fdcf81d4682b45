//! Deaths: which insurances end, what the insurer adds to each, and where the rest may go (rule: accounts/endowment).
//!
//! Invariant: what must be added is known before any event. Absent on purpose: how accounts close, which no death changes.

use super::expected::{Verdict, unless};
use super::figures::Ore;
use super::money_files::{PaymentFile, PaymentState};
use super::{AccountFile, Model};
use sim::identity::PersonalNumber;
use sim::ids::AccountId;
use sim::records::{AccountType, OwnerKey};
use sim::refusal::Class;
use sim::time::Instant;

impl Model {
    /// The insurances of a person that are in force.
    fn insurances(&self, ssn: PersonalNumber) -> Vec<AccountId> {
        let insured = |file: &&AccountFile| {
            file.last.account_type == AccountType::Insurance
                && file.last.owner.key() == OwnerKey::Ssn(ssn)
                && file.is_open()
        };
        self.accounts.values().filter(insured).map(|file| file.last.id).collect()
    }

    /// What a death should lead to, and the orders that end with the insurances.
    pub(super) fn death(&self, now: Instant, ssn: PersonalNumber) -> Verdict {
        let ended = self.insurances(ssn);
        unless(!ended.is_empty(), Class::Conflict)?;
        Ok(ended.into_iter().flat_map(|account| self.ended_with(now, account)).collect())
    }

    /// A death is reported now: what the insurer must add, and the payments that no bank has.
    pub fn died(&mut self, now: Instant, ssn: PersonalNumber) {
        for id in self.insurances(ssn) {
            let Some(file) = self.accounts.get(&id) else { continue };
            let credit: Ore = (self.worth(file) + 50) / 100;
            if credit > 0 {
                self.endowments.insert(id, credit);
            }
            if let Some(file) = self.accounts.get_mut(&id) {
                file.ended_by_death = true;
            }
            let unsent = |file: &PaymentFile| (file.account, file.place, file.due) == (id, PaymentState::New, None);
            let payments = self.money_in.payments.iter().enumerate().filter(|(_, file)| unsent(file));
            let unsent: Vec<usize> = payments.map(|(place, _)| place).collect();
            unsent.into_iter().for_each(|place| self.payment_fails(now, place, "02"));
            self.withdraw_mobile_payments(id, now);
        }
    }

    /// Whether the death of its owner has ended an account.
    #[must_use]
    pub fn is_ended_by_death(&self, account: AccountId) -> bool {
        self.accounts.get(&account).is_some_and(|file| file.ended_by_death)
    }
}
