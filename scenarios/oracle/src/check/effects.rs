//! What accepted commands do: what the model takes over from them, and whether they did what they were asked to.

use super::{Judge, Law};
use crate::model::money_files::PlanId;
use crate::model::words::{Word as _, listed, or_none};
use crate::model::{AccountFile, Model};
use sim::command::{Command, Patch, PatchClient, ScreeningHit};
use sim::records::{AllocationPlan, Client, ClientFees, DepositType, OwnerKey, ServiceCode, ServiceType};
use sim::time::Instant;
use sim::{Refusal, Reply};
use std::sync::Arc;

impl Judge {
    /// What the model itself takes over from an accepted command before its events are looked at.
    pub(super) fn before_effects(&mut self, now: Instant, command: &Command) {
        match command {
            Command::SetTrading(set) => {
                if let Some(fund) = self.model.funds.get_mut(&set.instrument) {
                    fund.set_trading(now, set.is_buyable, set.is_sellable, set.is_tradable);
                }
            }
            Command::DelayNav { instrument, bank_days } => {
                if let Some(fund) = self.model.funds.get_mut(instrument) {
                    fund.delay(now, *bank_days);
                }
                self.model.plan_next_event();
            }
            Command::SetPrice(set) => {
                if let Some(fund) = self.model.funds.get_mut(&set.instrument) {
                    let day = Model::price_day(fund, set);
                    fund.set_price(day, crate::model::figures::millionths(set.close_price), now);
                }
            }
            Command::OpenAccount(open) => {
                self.model.outside.opened_with_cash(crate::model::figures::ore(open.cash));
                for (instrument, units) in &open.positions {
                    self.model.outside.opened_with_units(*instrument, crate::model::figures::steps(*units));
                }
            }
            Command::Announce { instrument, act } => self.model.announced(now, *instrument, *act),
            Command::Book(book) => self.model.booked_by_hand(book),
            Command::Screen { owner, hit } => self.screened(*owner, *hit),
            Command::ReportDeath { ssn } => self.model.died(now, *ssn),
            Command::CloseAccount { account, .. }
                if self.model.accounts.get(account).is_some_and(AccountFile::is_closing) =>
            {
                self.model.closing_asked_again(now, *account);
            }
            Command::PatchClient(patch) => self.patched = self.model.patched(patch),
            Command::AllocateSuspense { item, .. } | Command::ReturnSuspense { item } => {
                self.model.released.insert(*item);
            }
            Command::AdviseMandate { bank_account, code, .. } => self.model.advised_unseen(*bank_account, code),
            Command::FailPayment { payment, reason, .. } => self.model.payment_failed(now, *payment, *reason),
            Command::RefundPayment { payment, .. } => self.model.payment_refunded(*payment),
            _ => self.mobile_payment_moved(now, command),
        }
    }

    /// An owner is found on a list, or cleared.
    fn screened(&mut self, owner: OwnerKey, hit: ScreeningHit) {
        let listed = self.model.screened.entry(owner).or_insert_with(|| Model::listed_by_number(owner));
        match hit {
            ScreeningHit::Pep => listed.0 = true,
            ScreeningHit::Sanctions => listed.1 = true,
            ScreeningHit::Clear => *listed = (false, false),
        }
        if hit == ScreeningHit::Pep {
            self.model.shorten_kyc(owner);
        }
        let accounts = self.model.accounts.iter().filter(|(_, file)| self.model.concerns(owner, &file.last));
        self.accounts.extend(accounts.map(|(id, _)| *id).collect::<Vec<_>>());
    }

    /// That a command did what it was asked to.
    pub(super) fn after_effects(&mut self, now: Instant, command: &Command, result: Result<&Reply, &Refusal>) {
        match (command, result) {
            (Command::PlaceOrder(place), Ok(Reply::Order(order))) => self.placed_as_asked(now, place, order),
            (Command::CreateClient(create), Ok(Reply::Client(client))) => {
                self.created_now(now, &client.stamp, || format!("client {}", client.id));
                let services = client.service_types.iter().map(|service| service.service_type);
                let is_as_asked = self.model.created(create, client).is_some_and(|expected| expected == **client)
                    && services.eq(create.service_types.iter().copied());
                self.ensure(is_as_asked, Law::RefusalsChangeNothing, now, || {
                    format!("client {} is not what was asked for, beside its partner's first client", client.id)
                });
                self.codes_are_new(now, client);
                let known = self.model.clients.insert(client.id, Arc::clone(client));
                self.ensure(known.is_none(), Law::Identity, now, || format!("two clients have the id {}", client.id));
            }
            (Command::PatchClient(patch), Ok(Reply::Client(client))) => {
                let same = self.model.clients.get(&client.id).is_some_and(|known| known == client);
                let right = if patch.is_empty() { same } else { client.stamp.modified == now };
                self.ensure(right, Law::ModifiedDate, now, || {
                    format!("client {} is of {} after a patch", client.id, client.stamp.modified)
                });
                self.patched_as_asked(now, patch, client);
            }
            (Command::CheckBankAccount { bank_account, passes: false, .. }, _) => {
                if let Some(bank) = self.model.banks.get_mut(bank_account) {
                    (bank.passed, bank.check_at) = (Some(false), None);
                }
            }
            (Command::Book(book), Ok(reply)) => self.booked_as_asked(now, book, reply),
            (Command::CreateMobilePayment(_), Ok(Reply::MobilePaymentAsked(payment))) => {
                self.model.new_mobile_payment(payment, now);
            }
            (Command::OpenAccount(open), Ok(Reply::Account(account))) => self.opened_as_asked(now, open, account),
            (Command::SetClientFees(set), Ok(Reply::Client(client))) => {
                let before = self.model.clients.get(&client.id).map(|known| known.fees);
                let due = before.map(|before| ClientFees {
                    partner: set.partner.unwrap_or(before.partner),
                    client: set.client.unwrap_or(before.client),
                });
                self.ensure(due == Some(client.fees), Law::RefusalsChangeNothing, now, || {
                    format!("client {} takes other fees than was asked", client.id)
                });
                if let Some(known) = self.model.clients.get_mut(&client.id) {
                    Arc::make_mut(known).fees = client.fees;
                }
            }
            (_, Ok(Reply::SavingsPlan(plan))) => {
                self.ensure(plan.deleted == Some(now), Law::OnePlan, now, || {
                    format!("savings plan {} was to be deleted and says: {}", plan.id, or_none(plan.deleted))
                });
                self.check_run(now, PlanId::Savings(plan.id), plan.last_run.as_ref(), plan.stamp, None);
            }
            (_, Ok(Reply::AllocationPlan(plan))) => {
                self.plan_is_as_asked(now, command, plan);
                self.check_run(now, PlanId::Allocation(plan.id), plan.last_run.as_ref(), plan.stamp, None);
            }
            (Command::ReportDeath { .. }, _) => self.endowments_stand(now),
            (Command::Withdraw(asked), Ok(Reply::CashTransaction(cash))) => self.withdrawn_as_asked(now, asked, cash),
            (Command::PayByBankgiro(_), Ok(Reply::BankgiroItem(item))) => {
                let right = self.model.paid_over_bankgiro(now, item);
                self.ensure(right, Law::DepositOnce, now, || {
                    format!("bankgiro item {} is booked at {}", item.id, item.books)
                });
            }
            _ => {}
        }
    }

    /// A patched client has what the patch names, and what it had; services that stay keep their codes.
    fn patched_as_asked(&mut self, now: Instant, patch: &PatchClient, client: &Client) {
        let Some(due) = self.patched.take() else { return };
        let services: Vec<ServiceType> = match &patch.service_types {
            Patch::Set(services) => services.clone(),
            Patch::Keep | Patch::Clear => due.service_types.iter().map(|service| service.service_type).collect(),
        };
        let keeps = |service: &ServiceCode| {
            let known = due.service_types.iter().find(|known| known.service_type == service.service_type);
            known.is_none_or(|known| known.code == service.code)
        };
        let is_as_asked = client.service_types.iter().map(|service| service.service_type).eq(services)
            && client.service_types.iter().all(keeps);
        let expected = Client { service_types: client.service_types.clone(), stamp: client.stamp, ..due };
        self.ensure(is_as_asked && expected == *client, Law::RefusalsChangeNothing, now, || {
            format!("client {} is not what its patch asked for", client.id)
        });
        self.codes_are_new(now, client);
    }

    fn codes_are_new(&mut self, now: Instant, client: &Client) {
        let are_new = self.model.are_new_codes(client.id, &client.service_types);
        self.ensure(are_new, Law::Identity, now, || {
            let codes = client.service_types.iter().map(|service| &service.code);
            format!(
                "client {} has the activation codes {}, which must be six digits and its own",
                client.id,
                listed(codes)
            )
        });
    }

    /// A patched allocation plan has what the patch names; a deleted one says so.
    fn plan_is_as_asked(&mut self, now: Instant, command: &Command, plan: &AllocationPlan) {
        let is_as_asked = match command {
            Command::PatchAllocationPlan { bank_account, instruments, .. } => {
                let bank = match bank_account {
                    Patch::Keep => true,
                    Patch::Clear => (plan.bank_account, plan.deposit_type) == (None, DepositType::Manual),
                    Patch::Set(id) => (plan.bank_account, plan.deposit_type) == (Some(*id), DepositType::Autogiro),
                };
                let shares = match instruments {
                    Patch::Set(shares) => *shares == plan.instruments,
                    Patch::Keep | Patch::Clear => true,
                };
                let is_changed = (bank_account.is_keep() && instruments.is_keep()) || plan.stamp.modified == now;
                bank && shares && is_changed && plan.deleted.is_none()
            }
            Command::DeleteAllocationPlan { .. } => plan.deleted == Some(now),
            _ => true,
        };
        self.ensure(is_as_asked, Law::OnePlan, now, || {
            let shares = plan.instruments.iter().map(|share| format!("{} % {}", share.percent, share.instrument));
            let (shares, bank) = (listed(shares), or_none(plan.bank_account));
            let (kind, modified, deleted) = (plan.deposit_type.word(), plan.stamp.modified, or_none(plan.deleted));
            format!(
                "allocation plan {} is not what was asked for: {shares}; bank account {bank}, {kind}, modified {modified}, deleted {deleted}",
                plan.id
            )
        });
    }
}
