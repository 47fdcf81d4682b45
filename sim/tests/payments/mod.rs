//! Money in: payment instructions, charges, mobile payments, bankgiro, suspense; and withdrawals.

mod bankgiro;
mod charges;
mod instructions;
mod meetings;
mod mobile;
mod withdrawals;

use crate::common::{Bench, DAILY, amount};
use crate::journeys::{ANNA, about, answers};
use sim::command::{CreateInstruction, NewPayment, OpenBankAccount, PayByBankgiro};
use sim::identity::Ocr;
use sim::machines::payment::State;
use sim::records::{
    Account, CashTransaction, Configuration, Instruction, InstructionType, JourneyStep, JourneyType, MandateStatus,
    Payment, Periodicity, SavingsPlan, SavingsPlanConfiguration, SuspenseItem,
};
use sim::store::Window;
use sim::{Command, Refusal, Reply, query};
use std::sync::Arc;

pub const HAPPY: &str = "SE8150000000050000000019";
pub const ALWAYS_POOR: &str = "SE4050000000050000000078";
pub const FIRST_POOR: &str = "SE1850000000050000000086";
pub const REVOKES: &str = "SE0650000000050000000108";

/// Something of everything that this chapter sets timers for.
pub fn under_way(bench: &mut Bench) {
    let account = bench.payer(FIRST_POOR, MandateStatus::Active);
    bench.instruct(&account, &[("100", "one"), ("200.50", "two")]);
    bench.instruction(InstructionType::BankTransfer, &account, &[("300", "three")]).expect("taken");
    bench.saves(&account, "10");
    let reference = account.reference;
    bench.pays(reference, "75.25");
    bench.pays(Ocr::parse("1234574").expect("a reference"), "5");
}

impl Bench {
    /// An account of Anna's with a bank account.
    pub fn payer(&mut self, iban: &str, mandate: MandateStatus) -> Arc<Account> {
        let mut open = self.open("0");
        open.owner = Some(self.owner(ANNA));
        open.bank_accounts = vec![OpenBankAccount { mandate, ..self.bank(iban) }];
        self.account(open)
    }

    pub fn asked_to_pay(
        &self,
        kind: InstructionType,
        account: &Account,
        payments: &[(&str, &str)],
    ) -> CreateInstruction {
        let payment = |&(sum, client_ref): &(&str, &str)| NewPayment {
            account: account.id,
            amount: amount(sum),
            client_ref: Arc::from(client_ref),
        };
        CreateInstruction { scope: self.scope, kind, payments: payments.iter().map(payment).collect() }
    }

    pub fn instruction(
        &mut self,
        kind: InstructionType,
        account: &Account,
        payments: &[(&str, &str)],
    ) -> Result<Arc<Instruction>, Refusal> {
        let create = self.asked_to_pay(kind, account, payments);
        match self.does(Command::CreateInstruction(create))? {
            Reply::Instruction(instruction) => Ok(instruction),
            other => panic!("no instruction: {other:?}"),
        }
    }

    /// An autogiro instruction that is taken.
    pub fn instruct(&mut self, account: &Account, payments: &[(&str, &str)]) -> Arc<Instruction> {
        self.instruction(InstructionType::Autogiro, account, payments).expect("taken")
    }

    pub fn instruction_again(&self, instruction: &Instruction) -> Arc<Instruction> {
        let found = query::instruction(&self.world, instruction.client, instruction.id);
        Arc::clone(found.expect("the instruction exists"))
    }

    /// The payments of an instruction as they are.
    pub fn payments(&self, instruction: &Instruction) -> Vec<Arc<Payment>> {
        query::payments_of(&self.world, instruction)
    }

    /// The state of the only payment of an instruction, with its code.
    pub fn outcome(&self, instruction: &Instruction) -> (State, Option<&'static str>) {
        let payment = &self.payments(instruction)[0];
        (*payment.state, payment.reason.map(|reason| reason.code()))
    }

    pub fn pays(&mut self, reference: impl Into<Ocr>, sum: &str) {
        let reference = reference.into();
        let pay = PayByBankgiro { partner: self.scope.partner, reference, amount: amount(sum) };
        let reply = self.does(Command::PayByBankgiro(pay));
        assert!(matches!(reply, Ok(Reply::BankgiroItem(_))), "{reply:?}");
    }

    /// Gives the account a savings plan of 500 a month.
    pub fn saves(&mut self, account: &Account, day: &str) -> Arc<SavingsPlan> {
        let plan = SavingsPlanConfiguration { periodicity: Some(Periodicity::Monthly), instruments: None };
        let configuration =
            Configuration { savings_plan: Some(plan), ..about(account, JourneyType::UpdateSavingsPlan) };
        let given = answers(&[(&format!("amount.{DAILY}"), "500"), ("day", day)]);
        self.walk(configuration, &[(JourneyStep::SavingsPlan, given)]);
        self.plan(account)
    }

    pub fn plan(&self, account: &Account) -> Arc<SavingsPlan> {
        Arc::clone(query::savings_plan_of(&self.world, account.id).expect("stored"))
    }

    pub fn cash_of(&self, account: &Account) -> Vec<Arc<CashTransaction>> {
        let all = query::cash_transactions(&self.world, self.scope.client, &Window::default(), &Default::default());
        all.into_iter().filter(|cash| cash.account == account.id).collect()
    }

    pub fn suspense(&self) -> Vec<Arc<SuspenseItem>> {
        query::suspense(&self.world).map(Arc::clone).collect()
    }
}
