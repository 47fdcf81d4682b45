//! Money on its way in: instructions, charges, savings plans, bankgiro; what must be booked, when, and as what.
//!
//! Owns: the rules of charging told a second time (rule: payments/payment-due-day, payments/charged-bank-account,
//! payments/savings-run, payments/bankgiro-deposit). Invariant: what is due is rolled forward in order of its instants, ties
//! in order of planning, and each leaves what must be told. Of the world it reads which plan an account has, which only
//! commands change.

use super::books::Model;
use super::calendar::{self, Day};
use super::figures::{self, Ore};
use super::money_files::{Batch, Booking, Due, PaymentFile, Place, Reason, Savings};
use super::outcomes;
use super::outlook::Outlook;
use sim::World;
use sim::command::{PlaceOrder, Scope};
use sim::identity::InstrumentId;
use sim::ids::{AccountId, BankAccountId, ClientId, PartnerId, PaymentId};
use sim::query;
use sim::records::{
    AccountStatus, BankgiroItem, Instruction, InstructionType, MandateStatus, Payment, Proceeds, SavingsPlan, Side,
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

    /// What should come of an instruction, in its order of precedence.
    pub(super) fn instruct(&self, create: &sim::command::CreateInstruction) -> (u8, Outlook) {
        let refused = |class| (49, Outlook::Refused(class));
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
        (9, Outlook::Accepted)
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
                client: payment.client,
                account: payment.account,
                ore: figures::ore(payment.amount),
                client_ref: payment.client_ref.clone(),
                savings: None,
                charged,
                bank: None,
                due: None,
                attempts: 0,
                place: Place::New,
            });
        }
        let (client, reference) = (instruction.client, instruction.reference);
        self.money_in.batches.push(Batch { client, payments: places, reference });
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
        for place in self.money_in.batches[batch].payments.clone() {
            if self.money_in.payments[place].place != Place::New {
                continue;
            }
            let bank = self.chosen(world, at, &self.money_in.payments[place]);
            let file = &mut self.money_in.payments[place];
            (file.bank, file.due) = (bank, Some(day));
            self.plan_money(calendar::at_local(day, 10, 0), Due::Charge(place));
        }
    }

    fn mandate(&self, at: Instant, bank: BankAccountId) -> Option<MandateStatus> {
        let told = self.banks.get(&bank).map(|file| *file.last.mandate);
        if self.money_in.revoked.get(&bank) == Some(&at) { Some(MandateStatus::Missing) } else { told }
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
        if file.place != Place::New {
            return;
        }
        file.attempts += 1;
        let (bank, attempts) = (file.bank, file.attempts);
        let active = bank.filter(|bank| self.mandate(at, *bank) == Some(MandateStatus::Active));
        let Some((bank, iban)) = active.and_then(|bank| Some((bank, self.banks.get(&bank)?.last.iban))) else {
            self.money_in.payments[place].place = Place::Failed;
            return;
        };
        let counts = self.money_in.charges.entry(bank).or_default();
        counts.0 += 1;
        if !outcomes::has_money(&iban, counts.0) {
            if attempts == ATTEMPTS {
                self.money_in.payments[place].place = Place::Failed;
            } else {
                let next = calendar::bank_days_after(calendar::local_day(at), 1);
                self.plan_money(calendar::at_local(next, 10, 0), Due::Charge(place));
            }
            return;
        }
        counts.1 += 1;
        if counts.1 == 1 && outcomes::revokes(&iban) {
            self.money_in.revoked.insert(bank, at);
        }
        self.pay(at, place);
    }

    /// The money of a payment comes.
    fn pay(&mut self, at: Instant, place: usize) {
        let file = &self.money_in.payments[place];
        let parts = file.savings.as_ref().map(|savings| savings.parts.clone());
        let reason = Reason::Payment(file.id);
        let booking =
            Booking { at, account: file.account, ore: file.ore, client_ref: file.client_ref.clone(), reason, parts };
        let deposited = self.arrives(booking);
        self.money_in.payments[place].place = if deposited { Place::Deposited } else { Place::Suspended };
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
            if parts.iter().any(|&part| self.is_bought(at, account, part, false)) {
                self.charge_savings(at, account, &plan, parts);
            }
        }
        self.plan_run(world, account, at);
    }

    fn charge_savings(&mut self, at: Instant, account: AccountId, plan: &SavingsPlan, parts: Vec<(InstrumentId, Ore)>) {
        let Some(client) = self.accounts.get(&account).map(|file| file.last.client) else { return };
        let place = self.money_in.payments.len();
        self.money_in.payments.push(PaymentFile {
            id: None,
            client,
            account,
            ore: parts.iter().map(|part| part.1).sum(),
            client_ref: None,
            savings: Some(Savings { plan: plan.id, bank: plan.bank_account, parts }),
            charged: true,
            bank: None,
            due: None,
            attempts: 0,
            place: Place::New,
        });
        let batch = self.money_in.batches.len();
        self.money_in.batches.push(Batch { client, payments: vec![place], reference: None });
        self.plan_money(file_after(at), Due::Cut(batch));
    }

    /// Whether a plan's part can be bought, and, where `paid`, with the account's cash.
    fn is_bought(&self, at: Instant, account: AccountId, (instrument, ore): (InstrumentId, Ore), paid: bool) -> bool {
        let Some(client) = self.accounts.get(&account).map(|file| file.last.client) else { return false };
        let Some(partner) = self.clients.get(&client).map(|client| client.partner) else { return false };
        let order = PlaceOrder {
            scope: Scope { partner, client },
            account,
            side: Side::Subscription,
            instrument,
            amount: Some(figures::amount(ore)),
            units: None,
            client_ref: None,
            executor: None,
            proceeds: Proceeds::Keep,
        };
        match self.placed_by_plan(at, &order) {
            None => true,
            Some(Class::Insufficient) => !paid,
            Some(_) => false,
        }
    }

    fn bankgiro(&mut self, at: Instant, item: &BankgiroItem) {
        let own = |client: ClientId| self.partner_of(client) == Some(item.partner);
        let waits = |batch: &&Batch| {
            batch.reference == Some(item.reference)
                && own(batch.client)
                && batch.payments.iter().any(|&place| self.money_in.payments[place].place == Place::New)
        };
        if let Some(batch) = self.money_in.batches.iter().find(waits) {
            let payments = batch.payments.clone();
            let total: Ore = payments.iter().map(|&place| self.money_in.payments[place].ore).sum();
            if total == figures::ore(item.amount) {
                for place in payments {
                    if self.money_in.payments[place].place == Place::New {
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
        let found = self.accounts.values().find(|file| file.last.reference == item.reference);
        match found.filter(|file| own(file.last.client)).map(|file| file.last.id) {
            Some(account) => {
                let text = Arc::from(item.reference.to_string());
                let reason = Reason::Other(Arc::from(item.id.to_string()), text);
                let ore = figures::ore(item.amount);
                self.arrives(Booking { at, account, ore, client_ref: None, reason, parts: None });
            }
            None => self.money_in.suspense.push(figures::ore(item.amount)),
        }
    }

    /// A booking was told: what its plan must buy with it now.
    pub fn booked_in(&mut self, world: &World, booking: &Booking) {
        match (&booking.reason, &booking.parts) {
            (_, Some(parts)) => self.buys(booking.at, booking.account, self.parts_of_today(parts)),
            (_, None) => self.deposited(world, booking.at, booking.account, booking.ore),
        }
    }

    /// A deposit was told that the account's allocation plan, if it has one, must divide now.
    pub fn deposited(&mut self, world: &World, at: Instant, account: AccountId, ore: Ore) {
        let Some(plan) = query::allocation_plan_of(world, account) else { return };
        let shares: Vec<_> = plan.instruments.iter().map(|share| share.percent.get()).collect();
        let funds = plan.instruments.iter().map(|share| share.instrument);
        let parts = funds.zip(figures::split(ore, &shares)).filter(|part| part.1 > 0).collect();
        self.buys(at, account, parts);
    }

    /// What each part's fund has become by mergers; what falls on one fund is one part, where the first of it stood
    /// (rule: payments/savings-run-amounts).
    fn parts_of_today(&self, parts: &[(InstrumentId, Ore)]) -> Vec<(InstrumentId, Ore)> {
        let mut today: Vec<(InstrumentId, Ore)> = Vec::new();
        for &(mut fund, ore) in parts {
            while let Some(into) = self.funds.get(&fund).and_then(|known| known.became) {
                fund = into;
            }
            match today.iter_mut().find(|part| part.0 == fund) {
                Some(part) => part.1 += ore,
                None => today.push((fund, ore)),
            }
        }
        today
    }

    fn buys(&mut self, at: Instant, account: AccountId, parts: Vec<(InstrumentId, Ore)>) {
        for part in parts {
            if self.is_bought(at, account, part, true) {
                self.money_in.orders.push_back((account, part.0, part.1));
            }
        }
    }

    fn payment_of(&self, partner: PartnerId, id: PaymentId) -> Option<&PaymentFile> {
        let file = self.money_in.by_id.get(&id).map(|&place| &self.money_in.payments[place])?;
        (self.clients.get(&file.client).map(|client| client.partner) == Some(partner)).then_some(file)
    }

    /// What should come of a refusal by the bank.
    pub(super) fn fail_payment(&self, partner: PartnerId, id: PaymentId) -> (u8, Outlook) {
        match self.payment_of(partner, id) {
            None => (43, Outlook::Refused(Class::Unknown)),
            Some(file) if file.place == Place::New && file.charged => (9, Outlook::Accepted),
            Some(_) => (9, Outlook::Refused(Class::Conflict)),
        }
    }

    /// What should come of a wish to have a payment back.
    pub(super) fn refund_payment(
        &self,
        now: Instant,
        partner: PartnerId,
        id: PaymentId,
        unauthorised: bool,
    ) -> (u8, Outlook) {
        let Some(file) = self.payment_of(partner, id) else { return (43, Outlook::Refused(Class::Unknown)) };
        let account = self.accounts.get(&file.account);
        let there = account.is_some_and(|account| account.last.deleted.is_none());
        let until = file.due.map(|day| if unauthorised { thirteen_months_after(day) } else { day + 56 });
        let timely = until.is_some_and(|until| calendar::local_day(now) <= until);
        let possible = file.place == Place::Deposited && file.charged && there && timely;
        (9, if possible { Outlook::Accepted } else { Outlook::Refused(Class::Conflict) })
    }

    /// A payment was refused by the bank.
    pub fn payment_failed(&mut self, id: PaymentId) {
        if let Some(&place) = self.money_in.by_id.get(&id) {
            self.money_in.payments[place].place = Place::Failed;
        }
    }

    /// A payment is paid back now.
    pub fn payment_refunded(&mut self, id: PaymentId) {
        let Some(&place) = self.money_in.by_id.get(&id) else { return };
        let file = &mut self.money_in.payments[place];
        file.place = Place::Refunded;
        let (account, ore) = (file.account, file.ore);
        self.refunded(account, id, ore);
    }

    /// Money in suspense goes to an account now.
    pub fn allocated(&mut self, at: Instant, account: AccountId, ore: Ore, item: &str, text: &Arc<str>) {
        self.outside.released += ore;
        let reason = Reason::Other(Arc::from(item), Arc::clone(text));
        self.money_in.bookings.push_back(Booking { at, account, ore, client_ref: None, reason, parts: None });
    }

    /// Whether a payment into the account is still to come.
    #[must_use]
    pub fn awaits_payments(&self, account: AccountId) -> bool {
        self.money_in.payments.iter().any(|file| file.account == account && file.place == Place::New)
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
