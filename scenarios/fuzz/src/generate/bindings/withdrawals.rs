//! What a withdrawal asks of a world.

use super::orders::part_of_cash;
use super::{Bindings, executor, signed};
use crate::generate::step::{Name, Taken, Withdraw, WithdrawalSlip};
use sim::command::{self, WithdrawalType};
use sim::ids::{AccountId, BankAccountId, CashTransactionId};
use sim::money::Amount;
use sim::query::{self, TransactionFilter};
use sim::records::{CashRefType, CashType};
use sim::store::Window;
use sim::{Command, World};
use std::sync::Arc;

impl Bindings {
    /// Nothing for an account without a bank account.
    pub(super) fn withdraw(&self, world: &World, asked: Withdraw) -> Option<Command> {
        let (client, account) = self.account(asked.account)?;
        let scope = self.scope(client);
        let record = query::account(world, scope.client, account)?;
        let limits = query::withdrawal_limits(world, record);
        let ore = Amount::from_ore(1);
        let amount = match asked.sum {
            Taken::Ore(ore) => Some(Amount::from_ore(signed(ore))),
            Taken::Part(part) => Some(part_of_cash(record.spendable(), part)?),
            Taken::Full => None,
            Taken::Least => Some(limits.min),
            Taken::TooLittle => Some(limits.min - ore),
            Taken::Most => Some(limits.max),
            Taken::TooMuch => Some(limits.max + ore),
        };
        let withdraw = command::Withdraw {
            scope,
            account,
            kind: if amount.is_some() { WithdrawalType::Amount } else { WithdrawalType::Full },
            amount,
            bank_account: record.bank_accounts.first()?.id,
            client_ref: None,
            executor: executor(&record.owner),
        };
        Some(Command::Withdraw(self.odd(withdraw, asked.slip)))
    }

    fn odd(&self, mut withdraw: command::Withdraw, slip: WithdrawalSlip) -> command::Withdraw {
        match slip {
            WithdrawalSlip::None => {}
            WithdrawalSlip::Referenced => withdraw.client_ref = Some(Arc::clone(&self.reference)),
            WithdrawalSlip::LongReference => withdraw.client_ref = Some(Arc::clone(&self.long_reference)),
            WithdrawalSlip::ForeignBank => withdraw.bank_account = BankAccountId::from_u128(0),
            WithdrawalSlip::OtherClient => withdraw.executor = self.other_person,
            WithdrawalSlip::OtherPartner => {
                let partner = withdraw.scope.partner;
                let other = self.scopes.iter().find(|scope| scope.partner != partner);
                withdraw.scope.partner = other.map_or(partner, |scope| scope.partner);
            }
            WithdrawalSlip::UnknownAccount => withdraw.account = AccountId::from_u128(0),
            WithdrawalSlip::NoAmount => (withdraw.kind, withdraw.amount) = (WithdrawalType::Amount, None),
            WithdrawalSlip::Twice => {
                let amount = withdraw.amount.unwrap_or_else(|| Amount::from_ore(100));
                (withdraw.kind, withdraw.amount) = (WithdrawalType::Full, Some(amount));
            }
        }
        withdraw
    }

    /// The newest withdrawal of an account, sent back.
    pub(super) fn send_back(&self, world: &World, name: Name) -> Option<Command> {
        let (client, account) = self.account(name)?;
        let scope = self.scope(client);
        let transaction = newest(world, scope.client, account)?;
        Some(Command::BouncePayout { partner: scope.partner, transaction })
    }
}

fn newest(world: &World, client: sim::ids::ClientId, account: AccountId) -> Option<CashTransactionId> {
    let filter = TransactionFilter {
        account: Some(account),
        cash_type: Some(CashType::Withdrawal),
        cash_ref_type: Some(CashRefType::Text),
        ..TransactionFilter::default()
    };
    query::cash_transactions(world, client, &Window::default(), &filter).last().map(|payout| payout.id)
}
