//! Mobile payments as they should go: what changes each by itself, by its payer, by banks, and by a closing account, written
//! a second time (rule: payments/mobile-payment-states, payments/mobile-payment-outcomes, payments/mobile-payment-late).
//!
//! Invariant: the instants are the model's own. Absent on purpose: what is kept of each (`mobile_payment_files`), and the deposits, which
//! `check` holds against that.

use super::books::Model;
use super::figures::{self, Ore};
use super::mobile_payment_files::{MobilePaymentFile, SessionState};
use crate::laws::Law;
use sim::command::CreateMobilePayment;
use sim::ids::{AccountId, MobilePaymentId};
use sim::records::{AccountStatus, CashTransaction, MobilePayment, MobilePaymentType};
use sim::refusal::Class;
use sim::settings::MobilePaymentSettings;
use sim::time::Instant;
use std::sync::Arc;

/// What the ore say of an amount; nothing where they say nothing.
fn by_ore(settings: &MobilePaymentSettings, ore: Ore) -> Option<&'static str> {
    let code = match ore % 100 {
        1 => "ACMT07",
        2 => "RF07",
        3 => "BANKIDCL",
        4 => "BANKIDONGOING",
        5 => "BANKIDUNKN",
        6 => "FF10",
        7 => "TM01",
        8 | 9 => "DS24",
        10 => "DECLINED",
        _ => return None,
    };
    settings.magic_amounts.then_some(code)
}

impl Model {
    /// Why a session is refused, if it is, with the law that says so.
    #[must_use]
    pub fn mobile_payment_refused(&self, create: &CreateMobilePayment) -> Option<(Law, Class)> {
        let scope = create.scope;
        let client = self.clients.get(&scope.client).filter(|_| self.partner_of(scope.client) == Some(scope.partner));
        let Some(client) = client.filter(|client| client.permissions.mobile_payment) else {
            return Some((Law::Isolation, Class::OutOfScope));
        };
        let ore = figures::ore(create.amount);
        let has_no_code = create.kind == MobilePaymentType::SameDevice;
        if !(100..=15_000_000).contains(&ore) || has_no_code && create.qr_format.is_some() {
            return Some((Law::DepositOnce, Class::Malformed));
        }
        let account = self.accounts.get(&create.account).filter(|file| file.last.client == client.id);
        let Some(account) = account else { return Some((Law::Isolation, Class::Unknown)) };
        if account.last.status() != AccountStatus::Active || account.last.deleted.is_some() {
            return Some((Law::ActiveAccountsOnly, Class::AccountNotActive));
        }
        let not_enrolled = by_ore(&self.settings.mobile_payments, ore) == Some("ACMT07");
        (not_enrolled || self.refused_payers.contains(&create.account)).then_some((Law::DepositOnce, Class::BadTarget))
    }

    /// Whether a deposit refers to a mobile payment.
    #[must_use]
    pub fn is_mobile(&self, cash: &CashTransaction) -> bool {
        let reference = cash.reference.as_deref();
        self.mobile_payments.values().any(|file| Some(&*file.payment_id) == reference)
    }

    /// A session was asked for now.
    pub fn new_mobile_payment(&mut self, payment: &MobilePayment, now: Instant) {
        let settings = &self.settings.mobile_payments;
        let ore = figures::ore(payment.amount);
        let answers_at = now.plus(settings.answer_delay);
        let answer = match by_ore(settings, ore) {
            Some("TM01") => None,
            Some("DS24") => Some(SessionState::Silent),
            Some(code) => Some(SessionState::Failed(code)),
            None => settings.auto_pay.then_some(SessionState::Paid),
        };
        let file = MobilePaymentFile {
            client: payment.client,
            account: payment.account,
            ore,
            payment_id: Arc::clone(&payment.payment_id),
            state: SessionState::Waiting,
            since: now,
            owed: false,
            booked: 0,
            just_set: true,
            answer: answer.map(|state| (answers_at, state)),
            lapse: now.plus(settings.life),
            pays_late: settings.magic_amounts && ore % 100 == 8,
        };
        self.mobile_payments.insert(payment.id, file);
        self.open_mobile_payments.insert(payment.id);
    }

    /// Lets a session's instants up to `now` pass.
    pub fn roll_mobile_payment(&mut self, id: MobilePaymentId, now: Instant) {
        while let Some((at, state)) =
            self.mobile_payments.get(&id).and_then(MobilePaymentFile::due).filter(|due| due.0 <= now)
        {
            self.move_mobile_payment(id, state, at);
        }
    }

    /// A session comes into this state.
    pub fn move_mobile_payment(&mut self, id: MobilePaymentId, state: SessionState, at: Instant) {
        let late = at.plus(self.settings.mobile_payments.late_delay);
        let Some(file) = self.mobile_payments.get_mut(&id) else { return };
        (file.state, file.since, file.answer) = (state, at, None);
        match state {
            SessionState::Paid => {
                let account = self.accounts.get(&file.account).map(|account| &account.last);
                file.owed = account.is_some_and(|it| it.status() == AccountStatus::Active && it.deleted.is_none());
                if !file.owed {
                    self.money_in.suspense.push(file.ore);
                }
            }
            SessionState::Silent if file.pays_late => file.answer = Some((late, SessionState::Paid)),
            SessionState::Silent | SessionState::Waiting | SessionState::Failed(_) => {}
        }
    }

    /// The payer looks at a session: it is not paid by itself any more.
    pub fn mobile_payment_opened(&mut self, id: MobilePaymentId, now: Instant) {
        let Some(file) = self.mobile_payments.get_mut(&id) else { return };
        if file.state == SessionState::Waiting && file.answer.is_some_and(|(_, state)| state == SessionState::Paid) {
            (file.answer, file.since) = (None, now);
        }
    }

    /// An account begins to close: its sessions that wait are withdrawn (rule: payments/mobile-payment-and-closing).
    pub fn withdraw_mobile_payments(&mut self, account: AccountId, now: Instant) {
        let waits = |file: &MobilePaymentFile| file.account == account && file.state == SessionState::Waiting;
        let waiting: Vec<_> = self.mobile_payments.iter().filter(|(_, file)| waits(file)).map(|(id, _)| *id).collect();
        waiting.into_iter().for_each(|id| self.move_mobile_payment(id, SessionState::Failed("CANCELLED"), now));
    }
}
