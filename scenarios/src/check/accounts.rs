//! Laws of accounts: balance, positions, reservations, average acquisition value.

use super::{Checker, Claim};
use crate::model::figures;
use crate::model::{AccountFile, Holding};
use rust_decimal::Decimal;
use sim::World;
use sim::command::OpenAccount;
use sim::event::{Delta, Event};
use sim::ids::AccountId;
use sim::query;
use sim::records::{Account, Position};
use sim::time::Instant;
use std::sync::Arc;

impl Checker {
    pub(super) fn on_account(&mut self, event: &Event, delta: &Delta<Account>) {
        let at = event.at;
        match delta {
            Delta::Created(account) => {
                self.created_now(at, &account.stamp, || format!("account {}", account.id));
                self.next_sorted(0, account.sorted_id, at);
                let known = self.model.accounts.insert(account.id, AccountFile::new(account));
                self.ensure(known.is_none(), 37, at, || format!("two accounts have the id {}", account.id));
            }
            Delta::Updated { previous, current } => {
                let id = current.id;
                let Some(file) = self.model.accounts.get_mut(&id) else {
                    return self.fail(41, at, || format!("account {id} changed before it was told"), None);
                };
                let known = std::mem::replace(&mut file.last, Arc::clone(current));
                let continues = Arc::ptr_eq(previous, &known) || same(previous, &known);
                self.ensure(continues, 41, at, || format!("account {id}: an update began where no update had ended"));
                self.changed_now(at, &previous.stamp, &current.stamp, || format!("account {id}"));
                self.account_agrees(at, id);
                self.acquisition_values(at, id);
            }
            Delta::Deleted(_) => {}
        }
        let account = delta.latest();
        self.ensure(event.client == Some(account.client), 43, at, || {
            format!("account {} told to a stranger", account.id)
        });
        self.touch_account(account.id);
    }

    /// The account as told has the figures that its transactions add up to (laws 2, 5, 10).
    fn account_agrees(&mut self, at: Instant, id: AccountId) {
        let Some(file) = self.model.accounts.get(&id) else { return };
        let told = Arc::clone(&file.last);
        let (balance, deposited, withdrawn) = (file.balance, file.deposited, file.withdrawn);
        let got = figures::ore(told.balance);
        if got != balance {
            let claim = Claim::Cash(id, figures::amount(balance).to_string());
            let what = || {
                format!("account {id} has {} where its transactions make {}", told.balance, figures::amount(balance))
            };
            self.fail(2, at, what, Some(claim));
        }
        let sums = (figures::ore(told.deposited), figures::ore(told.withdrawn)) == (deposited, withdrawn);
        self.ensure(sums, 5, at, || {
            format!("account {id} shows {} deposited, {} withdrawn", told.deposited, told.withdrawn)
        });
        for position in &told.positions {
            self.position_agrees(at, id, position);
        }
        let Some(file) = self.model.accounts.get(&id) else { return };
        let shown = |held: &Holding| told.position(held.instrument).is_some();
        let missing = file.holdings.iter().find(|held| (held.units, held.settled) != (0, 0) && !shown(held));
        if let Some(&Holding { instrument, units, .. }) = missing {
            let claim = Claim::Units(id, instrument, figures::units(units).to_string());
            self.fail(10, at, || format!("account {id} does not show its units in {instrument}"), Some(claim));
        }
    }

    fn position_agrees(&mut self, at: Instant, id: AccountId, position: &Position) {
        let Some(file) = self.model.accounts.get(&id) else { return };
        let instrument = position.instrument;
        let (units, settled) = file.holding(instrument).map_or((0, 0), |held| (held.units, held.settled));
        if (figures::steps(position.units), figures::steps(position.settled)) != (units, settled) {
            let claim = Claim::Units(id, instrument, figures::units(units).to_string());
            let what = || {
                let (units, settled) = (figures::units(units), figures::units(settled));
                let told = (position.units, position.settled);
                format!(
                    "account {id} has {} ({} settled) in {instrument} where transactions make {units} ({settled})",
                    told.0, told.1
                )
            };
            self.fail(10, at, what, Some(claim));
        }
        let short = units < 0 || settled < units;
        self.ensure(!short, 11, at, || format!("account {id} is short in {instrument}"));
    }

    /// Law 16, for every holding that settlements have moved.
    fn acquisition_values(&mut self, at: Instant, id: AccountId) {
        let Some(file) = self.model.accounts.get_mut(&id) else { return };
        let told = Arc::clone(&file.last);
        let mut wrong = None;
        for held in &mut file.holdings {
            let Some(position) = told.position(held.instrument) else {
                held.moved = None;
                continue;
            };
            let moved = held.moved.take();
            if moved.is_none() && held.gav != Decimal::ZERO {
                continue;
            }
            let settled = position.settled.get();
            let now = if settled.is_zero() { Decimal::ZERO } else { position.cost / settled };
            if let Some((steps, cost)) = moved
                && !follows(held, now, steps, cost)
            {
                wrong = Some((held.instrument, held.gav, now));
            }
            held.gav = now;
        }
        if let Some((instrument, before, now)) = wrong {
            self.fail(16, at, || format!("account {id}: the gav of {instrument} went from {before} to {now}"), None);
        }
    }

    /// After a step: what can be read of the account is what was told last, and its reservations are its orders'.
    pub(super) fn account_stands(&mut self, world: &World, id: AccountId) {
        let now = world.now();
        let Some(file) = self.model.accounts.get(&id) else { return };
        let Some(record) = query::account(world, file.last.client, id) else {
            return self.fail(41, now, || format!("account {id} was told and cannot be read"), None);
        };
        let told = Arc::ptr_eq(record, &file.last) || same(record, &file.last);
        let (balance, reserved, subscribed) = (file.balance, file.reserved, file.subscribed);
        let off = record.positions.iter().find(|position| {
            let held = file.holding(position.instrument).map_or(0, |held| held.reserved);
            figures::steps(position.reserved) != held
        });
        if let Some(position) = off {
            let sellable = figures::units(file.sellable(position.instrument)).to_string();
            let claim = Claim::Sellable(id, position.instrument, sellable);
            let (instrument, set_aside) = (position.instrument, position.reserved);
            let what =
                || format!("account {id} has set aside {set_aside} units in {instrument}, not what its orders ask");
            self.fail(11, now, what, Some(claim));
        }
        self.ensure(told, 41, now, || format!("account {id} reads otherwise than it was told"));
        if figures::ore(record.reserved) != reserved {
            let claim = Claim::Spendable(id, figures::amount(balance - reserved).to_string());
            let (is, should) = (record.reserved, figures::amount(reserved));
            self.fail(3, now, || format!("account {id} has set aside {is} for orders that ask {should}"), Some(claim));
        }
        let under_way = figures::ore(record.subscribed) == subscribed;
        self.ensure(under_way, 44, now, || format!("account {id} counts {} under way", record.subscribed));
        self.ensure(balance >= reserved && balance >= 0, 3, now, || {
            format!("account {id} has {} with {} set aside", figures::amount(balance), figures::amount(reserved))
        });
    }

    pub(super) fn opened_as_asked(&mut self, at: Instant, open: &OpenAccount, account: &Account) {
        let owner = open.owner.as_ref().is_none_or(|owner| *owner == *account.owner);
        let kind = (account.client, account.account_type, account.service_type, account.category)
            == (open.scope.client, open.account_type, open.service_type, open.category);
        let units = |instrument| account.position(instrument).map(|position| (position.units, position.settled));
        let positions = open.positions.iter().all(|&(instrument, asked)| units(instrument) == Some((asked, asked)))
            && account.positions.len() == open.positions.len();
        let cash = account.balance == open.cash && account.deposited == open.cash;
        let banks = open.bank_accounts.iter().all(|bank| account.bank_accounts.iter().any(|b| b.iban == bank.iban));
        let fits = owner && kind && positions && cash && banks;
        self.ensure(fits, 49, at, || format!("account {} is not what was asked for", account.id));
    }
}

/// What the public sees of two states of an account is the same.
fn same(one: &Account, other: &Account) -> bool {
    let shown = |account: &Account| {
        let seen = |position: &&Position| !position.units.is_zero() || !position.settled.is_zero();
        let fields = |p: &Position| (p.instrument, p.units, p.settled, p.cost);
        account.positions.iter().filter(seen).map(fields).collect::<Vec<_>>()
    };
    (one.id, one.sorted_id, one.client, one.stamp) == (other.id, other.sorted_id, other.client, other.stamp)
        && (one.status, one.deleted) == (other.status, other.deleted)
        && (one.balance, one.deposited, one.withdrawn) == (other.balance, other.deposited, other.withdrawn)
        && one.name == other.name
        && one.reference == other.reference
        && one.bank_accounts == other.bank_accounts
        && shown(one) == shown(other)
}

/// Units out leave the average where it was, units in move it towards their own (law 16).
fn follows(held: &Holding, now: Decimal, steps: i64, cost: Decimal) -> bool {
    let grain = Decimal::new(2, 6);
    if held.settled == 0 {
        return true;
    }
    if steps <= 0 {
        // Costs keep 12 decimals, which tells on the value of a sliver of a unit.
        let sliver = Decimal::new(1, 5) / figures::units(held.settled).get().min(Decimal::ONE);
        return cost > Decimal::ZERO || (now - held.gav).abs() <= grain.max(sliver * Decimal::new(1, 6));
    }
    let paid = cost / figures::units(steps).get();
    let first = held.settled == steps;
    let (low, high) = if first { (paid, paid) } else { (paid.min(held.gav), paid.max(held.gav)) };
    low - grain <= now && now <= high + grain
}
