//! Accounts at once: their owners and bank accounts.

use super::{Bindings, signed, units};
use crate::generate::step::{Bank, HolderKind, Open};
use sim::Command;
use sim::command::{OpenAccount, OpenBankAccount};
use sim::identity::Iban;
use sim::money::Amount;
use sim::records::{AccountType, Category, MandateStatus, ServiceType};

/// IBANs by what the banks do with them (rule: money/fixed-outcomes-of-ibans).
const GOOD_IBAN: &str = "SE8150000000050000000019";
const BOUNCING_IBAN: &str = "SE9350000000050000000094";
const UNCHECKED_IBAN: &str = "SE3750000000050000000035";
const POOR_IBAN: &str = "SE4050000000050000000078";
const POOR_AT_FIRST_IBAN: &str = "SE1850000000050000000086";
const REVOKING_IBAN: &str = "SE0650000000050000000108";

impl Bindings {
    pub(super) fn open(&self, open: &Open) -> Command {
        let owner = match (open.kind, open.owner) {
            (HolderKind::Company | HolderKind::CompanyIsk, _) => Some(self.company.clone()),
            (_, 0) => None,
            (_, regular) => Some(self.regulars[(usize::from(regular) - 1) % self.regulars.len()].clone()),
        };
        let funds = (0..open.holdings.count).filter_map(|at| self.fund(open.holdings.from.saturating_add(at)));
        Command::OpenAccount(OpenAccount {
            scope: self.scope(open.client),
            account_type: match open.kind {
                HolderKind::Retail | HolderKind::Unaware | HolderKind::CompanyIsk => AccountType::Isk,
                HolderKind::Pro | HolderKind::Company => AccountType::Depot,
                HolderKind::Insured => AccountType::Insurance,
            },
            owner,
            name: None,
            service_type: ServiceType::ExecutionOnly,
            category: if open.kind == HolderKind::Pro { Category::Pro } else { Category::Retail },
            cash: Amount::from_ore(signed(open.ore)),
            positions: funds.map(|fund| (fund, units(open.holdings.steps))).collect(),
            bank_accounts: bank(open.bank).into_iter().collect(),
            fund_knowledge: open.kind != HolderKind::Unaware,
        })
    }
}

fn bank(bank: Bank) -> Option<OpenBankAccount> {
    use MandateStatus::{Active, Missing};
    let (iban, validated, mandate) = match bank {
        Bank::None => return None,
        Bank::Good => (GOOD_IBAN, true, Missing),
        Bank::Bounces => (BOUNCING_IBAN, true, Missing),
        Bank::Unchecked => (UNCHECKED_IBAN, false, Missing),
        Bank::Pays => (GOOD_IBAN, true, Active),
        Bank::Poor => (POOR_IBAN, true, Active),
        Bank::PoorAtFirst => (POOR_AT_FIRST_IBAN, true, Active),
        Bank::Revokes => (REVOKING_IBAN, true, Active),
    };
    let iban = Iban::parse(iban).expect("a constant");
    Some(OpenBankAccount { iban, name: None, validated, mandate })
}
