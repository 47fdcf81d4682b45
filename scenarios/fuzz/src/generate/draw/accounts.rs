//! Accounts, their plans, clients, and what is forgotten.

use super::{Generator, MOST_NEW_CLIENTS, REGULARS, small, units};
use crate::generate::step::{
    Bank, ClientChange, ClientFlaw, Forgotten, HolderKind, Holdings, Journey, Name, NewClient, Open, PlanChange, Step,
    Wait,
};
use sim::records::JourneyType;

impl Generator {
    pub(super) fn open(&mut self) -> Step {
        let name = self.next_name();
        let s = &mut self.stream;
        let kind = match s.below(16) {
            0 => HolderKind::Unaware,
            1 | 2 => HolderKind::Pro,
            3 => HolderKind::Company,
            4 if s.chance(1, 8) => HolderKind::CompanyIsk,
            5 | 6 => HolderKind::Insured,
            _ => HolderKind::Retail,
        };
        let holdings =
            Holdings { from: small(s.below(u64::from(self.profile.funds))), count: small(s.below(4)), steps: units(s) };
        let funds = holdings.from..holdings.from.saturating_add(holdings.count).min(self.profile.funds);
        self.holdings.extend(funds.map(|fund| (name, fund)));
        let bank = match s.below(12) {
            8 | 9 => Bank::Pays,
            10 => Bank::PoorAtFirst,
            11 => {
                if s.chance(1, 2) {
                    Bank::Revokes
                } else {
                    Bank::Poor
                }
            }
            0..3 => Bank::Good,
            3 | 4 => Bank::Bounces,
            5 => Bank::Unchecked,
            _ => Bank::None,
        };
        let client = small(s.below(u64::from(self.profile.clients)));
        self.owners.push((name, client));
        self.open.push(name);
        Step::Open(Open {
            name,
            client,
            owner: if s.chance(1, 2) { small(1 + s.below(REGULARS)) } else { 0 },
            kind,
            ore: if s.chance(1, 12) { s.below(2) * 1_000 } else { 500_000 + s.below(100_000_000) },
            holdings,
            bank,
        })
    }

    pub(super) fn close(&mut self) -> Step {
        let name = self.account();
        self.open.retain(|open| *open != name);
        self.holdings.retain(|(account, _)| *account != name);
        self.steps_after_closing(name);
        Step::Close(name)
    }

    /// What follows a closing: the bank sends the last payout back, the customer gives another bank account, and now and then
    /// the partner asks again. Draws nothing.
    fn steps_after_closing(&mut self, name: Name) {
        if self.profile.journeys == 0 {
            return;
        }
        let start = self.start_about(name, JourneyType::AddBankAccount, 0);
        let wait = |bank_days| Step::Wait(Wait::BankDays(bank_days));
        let again = (name.is_multiple_of(2)).then_some(Step::Close(name));
        let given = [Step::Start(start), Step::Journey(start.name, Journey::Complete(0))];
        let next = [wait(3), Step::SendBack(name), wait(2), Step::SendBack(name)].into_iter().chain(given).chain(again);
        let mut next: Vec<Step> = next.chain([wait(6), wait(3)]).collect();
        next.reverse();
        self.plot.extend(next);
    }

    pub(super) fn plan_change(&mut self) -> PlanChange {
        match self.stream.below(8) {
            0..4 => PlanChange::Shares(small(self.stream.below(20))),
            4 => PlanChange::Paid,
            5 => PlanChange::Unpaid,
            6 => PlanChange::DeleteAllocation,
            _ => PlanChange::DeleteSavings,
        }
    }

    pub(super) fn client(&mut self) -> Step {
        let beside = small(self.stream.below(u64::from(self.profile.clients)));
        if self.clients < self.profile.clients + MOST_NEW_CLIENTS && self.stream.chance(1, 3) {
            let flaws = [
                ClientFlaw::None,
                ClientFlaw::None,
                ClientFlaw::TakenCrn,
                ClientFlaw::EmptyName,
                ClientFlaw::ServiceTwice,
            ];
            let flaw = *self.stream.pick(&flaws);
            let number = self.clients;
            if flaw == ClientFlaw::None {
                self.clients += 1;
                if self.stream.chance(1, 4) {
                    self.plot.push(Step::Purge(Forgotten::Client(number)));
                }
            }
            return Step::NewClient(NewClient { beside, number, flaw });
        }
        let client = small(self.stream.below(u64::from(self.clients)));
        let change = match self.stream.below(12) {
            0..3 => ClientChange::Name(small(self.stream.below(5))),
            3 | 4 => ClientChange::Country(small(self.stream.below(4))),
            5 if client % 2 == 0 => ClientChange::Nothing,
            5 => ClientChange::Ignored,
            6 => ClientChange::Crn,
            7 => ClientChange::NoBankAccounts,
            8 => ClientChange::BankAccounts,
            9 => ClientChange::ClientFee(small(self.stream.below(60))),
            _ => ClientChange::PartnerFee(small(self.stream.below(60))),
        };
        Step::ChangeClient(client, change)
    }

    pub(super) fn purge(&mut self) -> Step {
        Step::Purge(match self.stream.below(12) {
            0..4 => Forgotten::Order(self.order()),
            4 => Forgotten::Cash(self.order()),
            5 => Forgotten::Units(self.order()),
            6 | 7 => Forgotten::Journey(self.journey()),
            8 | 9 => Forgotten::Account(self.account()),
            // Those of the setup have accounts.
            _ => Forgotten::Client(self.clients.saturating_sub(small(1 + self.stream.below(2)))),
        })
    }
}
