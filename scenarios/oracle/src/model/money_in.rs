//! Money on its way in: instructions, charges, savings plans, bankgiro; what must be booked, when, and as what.
//!
//! Owns: the rules of charging written a second time (rule: payments/payment-due-day, payments/charged-bank-account,
//! payments/payment-reason-codes, plans/savings-run, payments/bankgiro-deposit). Invariant: what is due is rolled forward in
//! order of its instants, ties in order of planning, and each leaves what events must show. Of the world it reads which plan
//! an account has, which only commands change. Absent on purpose: what plans buy, which is `plan_runs`.

use super::books::Model;
use super::calendar::{self, Day};
use super::expected::Expected;
use super::figures::{self, Ore};
use super::money_files::{
    Batch, Booking, ChargeOutcome, Code, Due, ExpectedInstruction, Instructed, PaymentFile, PaymentState, Reason,
    Savings,
};
use super::outcomes;
use crate::laws::Law;
use sim::World;
use sim::command::Scope;
use sim::identity::InstrumentId;
use sim::ids::{AccountId, BankAccountId, ClientId, InstructionId, PartnerId, PaymentId};
use sim::query;
use sim::records::{
    AccountStatus, BankgiroItem, Instruction, InstructionType, MandateStatus, Payment, PaymentReason, SavingsPlan,
};
use sim::refusal::Class;
use sim::time::{Date, Instant};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How often a charge is tried.
const ATTEMPTS: u32 = 4;

impl Model {
    fn plan_money(&mut self, at: Instant, due: Due) {
        let money = &mut self.money_in;
        money.due.insert((at, money.planned), due);
        money.planned += 1;
    }

    /// An account that money can be booked on.
    fn takes_money(&self, id: AccountId) -> bool {
        let file = self.accounts.get(&id);
        file.is_some_and(|file| file.last.status() == AccountStatus::Active && file.last.deleted.is_none())
    }

    /// What an instruction should lead to, in its order of precedence.
    pub(super) fn instruct(&self, create: &sim::command::CreateInstruction) -> (Law, Expected) {
        let refused = |class| (Law::RefusalsChangeNothing, Expected::Refused(class));
        let scope: Scope = create.scope;
        let permitted = self.clients.get(&scope.client).is_some_and(|client| client.permissions.autogiro);
        if self.partner_of(scope.client) != Some(scope.partner) || !permitted {
            return refused(Class::OutOfScope);
        }
        let mut texts = BTreeSet::new();
        let formed = (1..=1_000).contains(&create.payments.len())
            && create.payments.iter().all(|payment| {
                let length = payment.client_ref.chars().count();
                figures::ore(payment.amount) > 0
                    && (1..=255).contains(&length)
                    && texts.insert(&payment.client_ref)
                    && !self.money_in.refs.contains(&(scope.client, Arc::clone(&payment.client_ref)))
            });
        if !formed {
            return refused(Class::Malformed);
        }
        let owned = |id| self.accounts.get(&id).is_some_and(|file| file.last.client == scope.client);
        if !create.payments.iter().all(|payment| owned(payment.account)) {
            return refused(Class::Unknown);
        }
        if !create.payments.iter().all(|payment| self.takes_money(payment.account)) {
            return refused(Class::AccountNotActive);
        }
        (Law::DepositOnce, Expected::Accepted)
    }

    /// An instruction was taken now.
    pub fn instructed(&mut self, now: Instant, instruction: &Instruction, payments: &[Arc<Payment>]) {
        let batch = self.money_in.batches.len();
        let charged = instruction.kind == InstructionType::Autogiro;
        let mut places = Vec::new();
        for payment in payments {
            places.push(self.money_in.payments.len());
            self.money_in.by_id.insert(payment.id, self.money_in.payments.len());
            self.money_in.refs.extend(payment.client_ref.clone().map(|text| (payment.client, text)));
            self.money_in.payments.push(PaymentFile {
                id: Some(payment.id),
                batch,
                client: payment.client,
                account: payment.account,
                ore: figures::ore(payment.amount),
                client_ref: payment.client_ref.clone(),
                savings: None,
                charged,
                bank: None,
                due: None,
                attempts: 0,
                place: PaymentState::New,
                code: None,
            });
        }
        let (client, reference) = (instruction.client, instruction.reference);
        let id = Some(instruction.id);
        self.money_in.batches.push(Batch { id, is_cut: false, client, payments: places, reference });
        self.money_in.moved.insert(batch);
        if charged {
            self.plan_money(file_after(now), Due::Cut(batch));
        }
    }

    /// A payment over bankgiro was made now; whether it says rightly when it will be booked.
    pub fn paid_over_bankgiro(&mut self, now: Instant, item: &Arc<BankgiroItem>) -> bool {
        let today = calendar::local_day(now);
        let in_time = calendar::is_bank_day(today) && now < calendar::at_local(today, 15, 0);
        let at = calendar::at_local(calendar::bank_days_after(today, if in_time { 1 } else { 2 }), 9, 0);
        self.plan_money(at, Due::Bankgiro(Arc::clone(item)));
        item.books == at
    }

    /// A savings plan was stored now.
    pub fn saves(&mut self, world: &World, account: AccountId, now: Instant) {
        self.money_in.saving.entry(account).or_default().generation += 1;
        self.plan_run(world, account, now);
    }

    fn plan_run(&mut self, world: &World, account: AccountId, now: Instant) {
        let Some(plan) = query::savings_plan_of(world, account).map(Arc::clone) else { return };
        let saving = self.money_in.saving.entry(account).or_default();
        let (generation, ran) = (saving.generation, saving.ran);
        if let Some((month, at)) = next_run(now, &plan, ran) {
            self.plan_money(at, Due::Run(account, generation, month));
        }
    }

    /// Lets what is due until `until` happen.
    pub fn roll_money(&mut self, world: &World, until: Instant) {
        while let Some(entry) = self.money_in.due.first_entry().filter(|entry| entry.key().0 <= until) {
            let ((at, _), due) = entry.remove_entry();
            match due {
                Due::Cut(batch) => self.cut(world, at, batch),
                Due::Charge(payment) => self.charge(at, payment),
                Due::Run(account, generation, month) => self.run(world, at, account, generation, month),
                Due::Bankgiro(item) => self.bankgiro(at, &item),
            }
        }
    }

    fn cut(&mut self, world: &World, at: Instant, batch: usize) {
        let day = calendar::bank_days_after(calendar::local_day(at), 1);
        self.money_in.batches[batch].is_cut = true;
        self.money_in.moved.insert(batch);
        for place in self.money_in.batches[batch].payments.clone() {
            if self.money_in.payments[place].place != PaymentState::New {
                continue;
            }
            let bank = self.chosen(world, at, &self.money_in.payments[place]);
            let file = &mut self.money_in.payments[place];
            (file.bank, file.due) = (bank, Some(day));
            self.plan_money(calendar::at_local(day, 10, 0), Due::Charge(place));
        }
    }

    fn mandate(&self, at: Instant, bank: BankAccountId) -> Option<MandateStatus> {
        let mandate = self.banks.get(&bank).map(|file| *file.last.mandate);
        if self.money_in.revoked.get(&bank) == Some(&at) { Some(MandateStatus::Missing) } else { mandate }
    }

    /// The bank account that a payment charges, where its mandate is active.
    fn chosen(&self, world: &World, at: Instant, payment: &PaymentFile) -> Option<BankAccountId> {
        let is_active = |bank: &BankAccountId| self.mandate(at, *bank) == Some(MandateStatus::Active);
        let named = match &payment.savings {
            Some(savings) => {
                let plan = query::savings_plan_of(world, payment.account).filter(|plan| plan.id == savings.plan);
                Some(plan.map_or(savings.bank, |plan| plan.bank_account))
            }
            None => query::allocation_plan_of(world, payment.account).and_then(|plan| plan.bank_account),
        };
        match named {
            Some(bank) => Some(bank).filter(is_active),
            None => {
                let file = self.accounts.get(&payment.account)?;
                file.last.bank_accounts.iter().rev().map(|bank| bank.id).find(is_active)
            }
        }
    }

    fn charge(&mut self, at: Instant, place: usize) {
        let file = &mut self.money_in.payments[place];
        if file.place != PaymentState::New {
            return;
        }
        // Nothing was sent where nothing could be charged.
        file.attempts += u32::from(file.bank.is_some());
        let (bank, attempts) = (file.bank, file.attempts);
        let known = bank.and_then(|bank| Some((bank, self.mandate(at, bank)?, self.banks.get(&bank)?.last.iban)));
        let (bank, iban) = match known {
            Some((bank, MandateStatus::Active, iban)) => (bank, iban),
            Some((_, MandateStatus::Invalid, _)) => {
                self.met(ChargeOutcome::InvalidMandate);
                return self.payment_fails(at, place, "02");
            }
            Some((_, MandateStatus::Missing | MandateStatus::Pending, _)) | None => {
                self.met(ChargeOutcome::NoMandate);
                return self.payment_fails(at, place, "01");
            }
        };
        let counts = self.money_in.charges.entry(bank).or_default();
        counts.0 += 1;
        if !outcomes::has_money(&iban, counts.0) {
            if attempts == ATTEMPTS {
                self.met(ChargeOutcome::NoMoney);
                self.payment_fails(at, place, "1");
            } else {
                self.met(ChargeOutcome::TriedAgain);
                self.set_payment_state(place, PaymentState::New, Some("9"));
                let next = calendar::bank_days_after(calendar::local_day(at), 1);
                self.plan_money(calendar::at_local(next, 10, 0), Due::Charge(place));
            }
            return;
        }
        counts.1 += 1;
        if counts.1 == 1 && outcomes::revokes(&iban) {
            self.money_in.revoked.insert(bank, at);
        }
        self.met(if attempts == 1 { ChargeOutcome::Paid } else { ChargeOutcome::PaidLater });
        self.pay(at, place);
    }

    fn met(&mut self, what: ChargeOutcome) {
        *self.money_in.met.entry(what).or_default() += 1;
    }

    /// Gives a payment another state.
    fn set_payment_state(&mut self, place: usize, at: PaymentState, code: Option<Code>) {
        let file = &mut self.money_in.payments[place];
        (file.place, file.code) = (at, code);
        self.money_in.moved.insert(file.batch);
    }

    /// A payment will not be paid.
    pub(super) fn payment_fails(&mut self, at: Instant, place: usize, code: Code) {
        self.set_payment_state(place, PaymentState::Failed, Some(code));
        let file = &self.money_in.payments[place];
        if let Some(Savings { plan, day, .. }) = file.savings {
            self.charge_failed(at, file.account, plan, day, code);
        }
    }

    /// The money of a payment comes.
    fn pay(&mut self, at: Instant, place: usize) {
        let file = &self.money_in.payments[place];
        let (savings, reason) = (file.savings.clone(), Reason::Payment(file.id));
        let booking =
            Booking { at, account: file.account, ore: file.ore, client_ref: file.client_ref.clone(), reason, savings };
        let deposited = self.arrives(booking);
        self.set_payment_state(place, if deposited { PaymentState::Deposited } else { PaymentState::Suspended }, None);
    }

    /// Money comes for an account: a deposit, or suspense.
    fn arrives(&mut self, booking: Booking) -> bool {
        let taken = self.takes_money(booking.account);
        if taken {
            self.outside.paid_in += booking.ore;
            self.money_in.bookings.push_back(booking);
        } else {
            self.money_in.suspense.push(booking.ore);
        }
        taken
    }

    fn run(&mut self, world: &World, at: Instant, account: AccountId, generation: u32, month: i32) {
        if self.money_in.saving.get(&account).is_none_or(|saving| saving.generation != generation) {
            return;
        }
        let Some(plan) = query::savings_plan_of(world, account).map(Arc::clone) else { return };
        if self.takes_money(account) {
            self.money_in.saving.entry(account).or_default().ran = Some(month);
            let parts: Vec<_> = plan.instruments.iter().map(|&(fund, amount)| (fund, figures::ore(amount))).collect();
            if !self.passed_over(at, account, plan.id, &parts) {
                self.charge_savings(at, account, &plan, parts);
            }
        }
        self.plan_run(world, account, at);
    }

    fn charge_savings(&mut self, at: Instant, account: AccountId, plan: &SavingsPlan, parts: Vec<(InstrumentId, Ore)>) {
        let Some(client) = self.accounts.get(&account).map(|file| file.last.client) else { return };
        let (place, batch) = (self.money_in.payments.len(), self.money_in.batches.len());
        self.money_in.payments.push(PaymentFile {
            id: None,
            batch,
            client,
            account,
            ore: parts.iter().map(|part| part.1).sum(),
            client_ref: None,
            savings: Some(Savings { plan: plan.id, bank: plan.bank_account, day: calendar::local_day(at), parts }),
            charged: true,
            bank: None,
            due: None,
            attempts: 0,
            place: PaymentState::New,
            code: None,
        });
        let payments = vec![place];
        self.money_in.batches.push(Batch { id: None, is_cut: false, client, payments, reference: None });
        self.plan_money(file_after(at), Due::Cut(batch));
    }

    fn bankgiro(&mut self, at: Instant, item: &BankgiroItem) {
        let own = |client: ClientId| self.partner_of(client) == Some(item.partner);
        let text = item.reference.to_string();
        let waits = |batch: &&Batch| {
            batch.reference.is_some_and(|reference| reference.to_string() == text)
                && own(batch.client)
                && batch.payments.iter().any(|&place| self.money_in.payments[place].place == PaymentState::New)
        };
        if let Some(batch) = self.money_in.batches.iter().find(waits) {
            let payments = batch.payments.clone();
            let total: Ore = payments.iter().map(|&place| self.money_in.payments[place].ore).sum();
            if total == figures::ore(item.amount) {
                for place in payments {
                    if self.money_in.payments[place].place == PaymentState::New {
                        self.pay(at, place);
                    } else {
                        // It ended with its account, before the money came.
                        self.money_in.suspense.push(self.money_in.payments[place].ore);
                    }
                }
            } else {
                self.money_in.suspense.push(figures::ore(item.amount));
            }
            return;
        }
        let found = self.accounts.values().find(|file| file.last.reference.to_string() == text);
        match found.filter(|file| own(file.last.client)).map(|file| file.last.id) {
            Some(account) => {
                let reason = Reason::Other(Arc::from(item.id.to_string()), Arc::from(text));
                let ore = figures::ore(item.amount);
                self.arrives(Booking { at, account, ore, client_ref: None, reason, savings: None });
            }
            None => self.money_in.suspense.push(figures::ore(item.amount)),
        }
    }

    fn payment_of(&self, partner: PartnerId, id: PaymentId) -> Option<&PaymentFile> {
        let file = self.money_in.by_id.get(&id).map(|&place| &self.money_in.payments[place])?;
        (self.clients.get(&file.client).map(|client| client.partner) == Some(partner)).then_some(file)
    }

    /// What a refusal by the bank should lead to.
    pub(super) fn fail_payment(&self, partner: PartnerId, id: PaymentId) -> (Law, Expected) {
        match self.payment_of(partner, id) {
            None => (Law::Isolation, Expected::Refused(Class::Unknown)),
            Some(file) if file.place == PaymentState::New && file.charged => (Law::DepositOnce, Expected::Accepted),
            Some(_) => (Law::DepositOnce, Expected::Refused(Class::Conflict)),
        }
    }

    /// What a wish to have a payment back should lead to.
    pub(super) fn refund_payment(
        &self,
        now: Instant,
        partner: PartnerId,
        id: PaymentId,
        unauthorised: bool,
    ) -> (Law, Expected) {
        let Some(file) = self.payment_of(partner, id) else {
            return (Law::Isolation, Expected::Refused(Class::Unknown));
        };
        let account = self.accounts.get(&file.account);
        let there = account.is_some_and(|account| account.last.deleted.is_none());
        let until = file.due.map(|day| if unauthorised { thirteen_months_after(day) } else { day + 56 });
        let timely = until.is_some_and(|until| calendar::local_day(now) <= until);
        let possible = file.place == PaymentState::Deposited && file.charged && there && timely;
        (Law::DepositOnce, if possible { Expected::Accepted } else { Expected::Refused(Class::Conflict) })
    }

    /// A payment was refused by the bank.
    pub fn payment_failed(&mut self, now: Instant, id: PaymentId, reason: PaymentReason) {
        if let (Some(&place), Some(code)) = (self.money_in.by_id.get(&id), code_of_lever(reason)) {
            self.payment_fails(now, place, code);
        }
    }

    /// A payment is paid back now.
    pub fn payment_refunded(&mut self, id: PaymentId) {
        let Some(&place) = self.money_in.by_id.get(&id) else { return };
        self.set_payment_state(place, PaymentState::Refunded, None);
        let file = &self.money_in.payments[place];
        let (account, ore) = (file.account, file.ore);
        self.refunded(account, id, ore);
    }

    /// Money in suspense goes to an account now.
    pub fn allocated(&mut self, at: Instant, account: AccountId, ore: Ore, item: &str, text: &Arc<str>) {
        self.outside.released += ore;
        let reason = Reason::Other(Arc::from(item), Arc::clone(text));
        self.money_in.bookings.push_back(Booking { at, account, ore, client_ref: None, reason, savings: None });
    }

    /// Instructions that partners can read and whose payments have moved since the last call.
    pub fn instructions_moved(&mut self) -> Vec<Instructed> {
        let moved = std::mem::take(&mut self.money_in.moved);
        moved.into_iter().filter_map(|batch| self.instruction_at(batch)).collect()
    }

    /// Every instruction that a partner can read.
    pub fn instructions(&self) -> impl Iterator<Item = Instructed> {
        (0..self.money_in.batches.len()).filter_map(|batch| self.instruction_at(batch))
    }

    /// An instruction of a partner's, by its id.
    #[must_use]
    pub fn instruction(&self, id: InstructionId) -> Option<Instructed> {
        let batch = self.money_in.batches.iter().position(|batch| batch.id == Some(id))?;
        self.instruction_at(batch)
    }

    fn instruction_at(&self, batch: usize) -> Option<Instructed> {
        let money = &self.money_in;
        let batch = &money.batches[batch];
        let standing = |place: &usize| {
            let file = &money.payments[*place];
            ExpectedInstruction {
                status: if file.place == PaymentState::New { "new" } else { "completed" },
                code: file.code,
                due: file.due.map(calendar::date_of),
                attempts: file.attempts,
                bank: file.bank,
            }
        };
        let waits = batch.payments.iter().any(|&place| money.payments[place].place == PaymentState::New);
        let status = match (waits, batch.is_cut) {
            (false, _) => "completed",
            (true, true) => "processing",
            (true, false) => "new",
        };
        let payments = batch.payments.iter().map(standing).collect();
        Some(Instructed { id: batch.id?, client: batch.client, status, payments })
    }

    /// Whether a payment into the account is still to come.
    #[must_use]
    pub fn awaits_payments(&self, account: AccountId) -> bool {
        self.money_in.payments.iter().any(|file| file.account == account && file.place == PaymentState::New)
    }
}

/// The code that a lever gives; none where only banks decide about it.
pub(super) const fn code_of_lever(reason: PaymentReason) -> Option<Code> {
    match reason {
        PaymentReason::NoAccount => Some("2"),
        PaymentReason::MandateStopped => Some("03"),
        PaymentReason::WrongDate => Some("12"),
        PaymentReason::AboveMaximum => Some("24"),
        PaymentReason::NoMoney | PaymentReason::NoMoneyYet | PaymentReason::NoMandate | PaymentReason::NotApproved => {
            None
        }
    }
}

/// The next 15:00 of a bank day, strictly after `now`.
fn file_after(now: Instant) -> Instant {
    let today = calendar::local_day(now);
    let closes = calendar::at_local(today, 15, 0);
    if calendar::is_bank_day(today) && now < closes {
        closes
    } else {
        calendar::at_local(calendar::bank_days_after(today, 1), 15, 0)
    }
}

/// The month, counted from year 0, and the instant of a plan's next run.
fn next_run(now: Instant, plan: &SavingsPlan, ran: Option<i32>) -> Option<(i32, Instant)> {
    let today = calendar::date_of(calendar::local_day(now));
    let this = i32::from(today.year()) * 12 + i32::from(today.month()) - 1;
    let start = calendar::day_of(plan.start);
    (this - 1..this + 1_200).find_map(|month| {
        let year = i16::try_from(month / 12).ok()?;
        let nominal = Date::new(year, i8::try_from(month % 12 + 1).ok()?, plan.day).ok()?;
        let mut due = calendar::day_of(nominal);
        while !calendar::is_bank_day(due) {
            due += 1;
        }
        let at = calendar::at_local(due, 6, 0);
        (ran.is_none_or(|ran| month > ran) && due >= start && at > now).then_some((month, at))
    })
}

fn thirteen_months_after(day: Day) -> Day {
    let date = calendar::date_of(day);
    let month = i32::from(date.month());
    let (year, month) = (i32::from(date.year()) + 1 + month / 12, month % 12 + 1);
    let of = |day| Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, day).ok();
    let last = (28..=date.day().max(28)).rev().find_map(of);
    let same = of(date.day()).or(last);
    same.map_or(Day::MAX, calendar::day_of)
}
