//! Laws of mobile payments: the state of a session, and that its money is booked once (laws 9 and 31).
//!
//! Invariant: a deposit of a payment is held against the model's own file at the instant at which it comes. Absent on purpose:
//! money in suspense, which no event shows; what is checked is that the account does not get it.

use super::{Claim, Fact, Judge, Law};
use crate::model::{SessionState, figures};
use sim::World;
use sim::command::Command;
use sim::ids::MobilePaymentId;
use sim::query;
use sim::records::{CashTransaction, MobilePaymentError};
use sim::time::Instant;

impl Judge {
    /// What an accepted command does to sessions.
    pub(super) fn mobile_payment_moved(&mut self, now: Instant, command: &Command) {
        let model = &mut self.model;
        match command {
            Command::OpenMobilePayment { payment } => model.mobile_payment_opened(*payment, now),
            Command::PayMobilePayment { payment, .. } => model.move_mobile_payment(*payment, SessionState::Paid, now),
            Command::DeclineMobilePayment { payment, .. } => {
                model.move_mobile_payment(*payment, SessionState::Failed("DECLINED"), now);
            }
            Command::FailMobilePayment { payment, error: MobilePaymentError::Ds24, .. } => {
                model.move_mobile_payment(*payment, SessionState::Silent, now);
                if let Some(file) = model.mobile_payments.get_mut(payment) {
                    file.just_set = true;
                }
            }
            Command::FailMobilePayment { payment, error, .. } => {
                model.move_mobile_payment(*payment, SessionState::Failed(error.name()), now);
            }
            Command::RefusePayers { account, refusal: Some(_), .. } => {
                model.refused_payers.insert(*account);
            }
            Command::RefusePayers { account, refusal: None, .. } => {
                model.refused_payers.remove(account);
            }
            Command::CloseAccount { account, .. } => model.withdraw_mobile_payments(*account, now),
            _ => {}
        }
    }

    /// A deposit that refers to a payment: of a session that is paid at this instant, once, whole, and settled today.
    pub(super) fn mobile_payment_booked(&mut self, world: &World, at: Instant, cash: &CashTransaction) {
        let reference = cash.reference.as_deref();
        let found = self.model.mobile_payments.iter().find(|(_, file)| Some(&*file.payment_id) == reference);
        let Some(id) = found.map(|(id, _)| *id) else {
            return self.fail(Law::DepositOnce, at, || format!("cash {} comes from no payment", cash.id), None);
        };
        self.model.roll_mobile_payment(id, at);
        let Some(file) = self.model.mobile_payments.get_mut(&id) else { return };
        file.booked += 1;
        let (account, ore, booked) = (file.account, file.ore, file.booked);
        let due = file.state == SessionState::Paid && file.since == at && file.owed;
        self.model.outside.paid_in += if booked == 1 { ore } else { 0 };
        if !due || booked > 1 {
            let has = self.model.accounts.get(&cash.account).map_or(0, |account| account.balance);
            let without = figures::amount(has - figures::ore(cash.amount));
            let what = || format!("mobile payment {id} was booked {booked} times, last at {at}");
            self.fail(Law::DepositOnce, at, what, Some(Claim::Cash(cash.account, without.to_string())));
        }
        let fits = account == cash.account && figures::ore(cash.amount) == ore;
        self.ensure(fits, Law::DepositOnce, at, || format!("cash {} is not what mobile payment {id} brings", cash.id));
        self.ensure(cash.settlement == Some(at.local_date()), Law::DateOrder, at, || {
            format!("cash {} is not settled today", cash.id)
        });
        self.model.deposited(world, at, account, ore);
    }

    /// After a step: every session that may still move has its due state.
    pub(super) fn mobile_payments_stand(&mut self, world: &World) {
        let open: Vec<MobilePaymentId> = self.model.open_mobile_payments.iter().copied().collect();
        for id in open {
            let just_set = self.model.mobile_payments.get_mut(&id).map(|file| std::mem::take(&mut file.just_set));
            if just_set != Some(true) {
                self.model.roll_mobile_payment(id, world.now());
            }
            self.check_mobile_payment(world, id);
            if self.model.mobile_payments.get(&id).is_none_or(|file| !file.is_open()) {
                self.model.open_mobile_payments.remove(&id);
            }
        }
    }

    /// A session has its due state since the due instant, and its money is where it belongs.
    pub(super) fn check_mobile_payment(&mut self, world: &World, id: MobilePaymentId) {
        let now = world.now();
        let Some(file) = self.model.mobile_payments.get(&id) else { return };
        let Some(record) = query::mobile_payment_by_id(world, id) else {
            return self.fail(Law::EventCorrespondence, now, || format!("mobile payment {id} cannot be read"), None);
        };
        let got = (record.state.name(), record.error.map(MobilePaymentError::name));
        let (expected, since, booked) = (file.state.shown(), file.since, (file.booked, u32::from(file.owed)));
        let same = got == expected && record.stamp.modified == since;
        if !same {
            let path = format!("/v2/partner/deposit/mobilepay/{id}");
            let fields =
                vec![("status", Fact::text(expected.0)), ("errorCode", expected.1.map_or(Fact::Null, Fact::text))];
            let claim = (got != expected).then(|| Claim::Read(record.account, path, fields));
            let words = |(status, error): (&str, Option<&str>)| format!("{status} {}", error.unwrap_or_default());
            let what = || {
                let (got, expected) = (words(got), words(expected));
                format!("mobile payment {id} is {got} since {}, not {expected} since {since}", record.stamp.modified)
            };
            self.fail(Law::DepositOnce, now, what, claim);
        }
        self.ensure(booked.0 == booked.1, Law::DepositOnce, now, || {
            format!("mobile payment {id} was booked {} times, not {}", booked.0, booked.1)
        });
    }
}
