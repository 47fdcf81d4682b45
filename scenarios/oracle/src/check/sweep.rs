//! The full sweep: everything a world holds against everything the model knows.

use super::identifiers::{is_account_number, is_iban, is_instrument_id};
use super::{Judge, Law};
use crate::model::accruals::KINDS;
use crate::model::figures::{self, Ore, Steps};
use crate::model::prices::STANDING_PRICES;
use crate::model::words::{self, or_none};
use crate::model::{Status, calendar};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use sim::World;
use sim::identity::{AccountRef, InstrumentId};
use sim::ids::{AccountId, ClientId};
use sim::query::{self, OrderFilter, TransactionFilter};
use sim::records::{Account, CashType, LedgerAccount, PlatformAccount, Side};
use sim::store::{Map, Window};
use sim::time::Instant;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Sums over all that was read.
#[derive(Default)]
pub(super) struct Totals {
    ledger: Map<PlatformAccount, Ore>,
    credits: Ore,
    debits: Ore,
    settled: Map<InstrumentId, Steps>,
    /// Charges by account and kind.
    pub(super) charged: Map<AccountId, [Ore; KINDS.len()]>,
    /// Retrocessions by what they refer to.
    pub(super) given_back: BTreeMap<Arc<str>, Ore>,
    references: IndexSet<AccountRef, FxBuildHasher>,
    counts: [usize; 4],
}

impl Judge {
    /// Holds the whole world against the laws.
    pub fn sweep(&mut self, world: &World) {
        let now = world.now();
        let clients: Vec<ClientId> = self.model.clients.keys().copied().collect();
        self.clients_stand(world);
        self.model.compute_fees();
        let mut totals = Totals::default();
        for &client in &clients {
            self.sweep_accounts(world, client, &mut totals);
            self.sweep_cash(world, client, &mut totals);
            self.sweep_units(world, client, &mut totals);
            self.sweep_orders(world, client, &mut totals);
            self.listings(world, client);
        }
        let known = [
            self.model.accounts.len(),
            self.model.orders.values().filter(|file| !file.purged).count(),
            self.model.cash.values().filter(|file| !file.purged).count(),
            self.model.units.values().filter(|file| !file.purged).count(),
        ];
        let counts = totals.counts;
        self.ensure(counts == known, Law::EventCorrespondence, now, || {
            let [read, known] = [counts, known].map(|[accounts, orders, cash, units]| {
                format!("{accounts} accounts, {orders} orders, {cash} cash and {units} fund transactions")
            });
            format!("{read} can be read, {known} had events")
        });
        self.money_is_conserved(now, &totals);
        self.units_are_conserved(now, &totals);
        self.charges_add_up(now, &totals);
        self.check_calculated(world);
        self.all_is_given_back(now, &totals);
        self.reservations_add_up(now);
        self.check_suspense(world);
        self.sweep_payments(world);
        self.sweep_plans(world);
        self.pots_stand(world, |_| true);
        self.cut_offs(world);
        self.check_performance(world);
        self.sweep_journeys(world);
    }

    fn sweep_accounts(&mut self, world: &World, client: ClientId, totals: &mut Totals) {
        let now = world.now();
        for account in query::accounts(world, client, &Window::default(), None) {
            totals.counts[0] += 1;
            let id = account.id;
            self.ensure(account.client == client, Law::Isolation, now, || {
                format!("account {id} is listed for another client")
            });
            self.ensure(totals.references.insert(account.reference), Law::Identity, now, || {
                format!("two accounts have the number {}", account.reference)
            });
            let text = account.reference.to_string();
            self.ensure(is_account_number(&text), Law::Identity, now, || format!("{text} fails its own check"));
            let ibans = account.bank_accounts.iter().all(|bank| is_iban(bank.iban.as_str()));
            self.ensure(ibans, Law::Identifiers, now, || format!("account {id} has an IBAN that fails its check"));
            for position in &account.positions {
                *totals.settled.entry(position.instrument).or_default() += figures::steps(position.settled);
            }
            self.all_positions_agree(now, id);
            self.check_account(world, id);
            let expected = self.model.accounts.get(&id).map(|file| figures::amount(file.balance));
            self.ensure(expected == Some(account.balance), Law::BalanceIdentity, now, || {
                format!("account {id} has {}", account.balance)
            });
            self.is_worth(world, &account);
            self.limits_stand(world, &account);
            self.kyc_is_shown(world, &account);
        }
    }

    /// Law 44: balance, settled units at the last price, and subscriptions under way.
    fn is_worth(&mut self, world: &World, account: &Arc<Account>) {
        let Some(file) = self.model.accounts.get(&account.id) else { return };
        let worth = self.model.worth(file);
        let is_mixed = file.balance > 0 && file.subscribed > 0 && file.holdings.iter().any(|held| held.settled > 0);
        self.met.note_if(Law::ValueIdentity, is_mixed);
        let got = figures::ore(query::value(world, account));
        self.ensure(worth == got, Law::ValueIdentity, world.now(), || {
            format!("account {} is worth {}, not {}", account.id, figures::amount(worth), figures::amount(got))
        });
    }

    fn sweep_cash(&mut self, world: &World, client: ClientId, totals: &mut Totals) {
        let now = world.now();
        let all = query::cash_transactions(world, client, &Window::default(), &TransactionFilter::default());
        totals.counts[2] += all.len();
        for cash in all {
            let file = self.model.cash.get(&cash.id);
            let same = file.is_some_and(|file| Arc::ptr_eq(&file.last, &cash) || *file.last == *cash);
            self.ensure(same, Law::NoMutation, now, || format!("cash {} differs from its events", cash.id));
            if cash.aborted.is_some() {
                continue;
            }
            let ore = figures::ore(cash.amount);
            totals.credits += ore;
            totals.debits += ore;
            if let Some(kind) = KINDS.iter().position(|kind| *kind == cash.ref_type) {
                totals.charged.entry(cash.account).or_default()[kind] += ore;
            }
            if cash.kind == CashType::Retrocession {
                *totals.given_back.entry(cash.reference.clone().unwrap_or_default()).or_default() += ore;
            }
            let counts = !crate::model::is_credit(cash.kind) || cash.settlement.is_some();
            for (side, sign) in [(cash.credit, 1), (cash.debit, -1)] {
                match side {
                    LedgerAccount::Platform(account) if counts => {
                        *totals.ledger.entry(account).or_default() += sign * ore
                    }
                    LedgerAccount::Platform(_) | LedgerAccount::Investor(_) => {}
                }
            }
            let pending_payout = cash.kind == CashType::Withdrawal && cash.settlement.is_none();
            if pending_payout {
                self.ensure(self.model.payouts.contains_key(&cash.id), Law::DepositOnce, now, || {
                    format!("payout {} is unknown", cash.id)
                });
            }
        }
    }

    fn sweep_units(&mut self, world: &World, client: ClientId, totals: &mut Totals) {
        let now = world.now();
        let all = query::fund_transactions(world, client, &Window::default(), &TransactionFilter::default());
        totals.counts[3] += all.len();
        for units in all {
            let file = self.model.units.get(&units.id);
            let same = file.is_some_and(|file| Arc::ptr_eq(&file.last, &units) || *file.last == *units);
            self.ensure(same, Law::NoMutation, now, || format!("units {} differ from their events", units.id));
        }
    }

    fn sweep_orders(&mut self, world: &World, client: ClientId, totals: &mut Totals) {
        let all = query::orders(world, client, &Window::default(), &OrderFilter::default());
        totals.counts[1] += all.len();
        for order in all {
            let file = self.model.orders.get(&order.id);
            if file.is_some_and(|file| Arc::ptr_eq(&file.last, &order) && self.model.is_swept(&order.id)) {
                continue;
            }
            self.check_order(world, order.id);
            let over = Status::of(*order.state).is_over();
            if over {
                self.model.note_swept(order.id);
            }
        }
    }

    /// Laws 41 and 38: clients read as in their last events.
    fn clients_stand(&mut self, world: &World) {
        let expected = self.model.clients.values().filter(|client| !self.model.forgotten.contains(&client.id));
        let same = query::clients(world).eq(expected);
        self.ensure(same, Law::EventCorrespondence, world.now(), || "clients differ from their events".to_owned());
    }

    /// Law 1: the ledger against the outside's own books.
    fn money_is_conserved(&mut self, now: Instant, totals: &Totals) {
        let ledger = |account| totals.ledger.get(&account).copied().unwrap_or(0);
        let outside = &self.model.outside;
        self.met.note_if(Law::MoneyConservation, outside.on_its_way > 0);
        let rows = [
            ("opening", ledger(PlatformAccount::Opening), -outside.opening),
            ("fund orders", ledger(PlatformAccount::FundOrders), outside.on_its_way + outside.with_companies),
            (
                "bank",
                ledger(PlatformAccount::Bank),
                outside.paid_out + outside.to_be_paid - outside.transferred_in - outside.paid_in - outside.given,
            ),
            ("suspense", ledger(PlatformAccount::Suspense), -outside.released),
            ("fees", ledger(PlatformAccount::Fees), outside.fees),
            ("insurer", ledger(PlatformAccount::Insurer), -outside.insurer),
            ("partner fees", ledger(PlatformAccount::PartnerFees), outside.partner_fees),
            ("internal transfers", ledger(PlatformAccount::InternalTransfers), 0),
            ("credits less debits", totals.credits - totals.debits, 0),
        ];
        for (name, ours, theirs) in rows {
            self.ensure(ours == theirs, Law::MoneyConservation, now, || {
                format!("{name}: the ledger has {}, the outside {}", figures::amount(ours), figures::amount(theirs))
            });
        }
        let investors: Ore = self.model.accounts.values().map(|account| account.balance).sum();
        let platform: Ore = totals.ledger.values().sum();
        self.ensure(investors + platform == 0, Law::MoneyConservation, now, || {
            format!("accounts hold {} against {}", figures::amount(investors), figures::amount(platform))
        });
    }

    /// Laws 3 and 11 from the other side: what accounts have set aside is the sum over all reserving orders.
    fn reservations_add_up(&mut self, now: Instant) {
        let mut asked = (0, 0);
        for order in self.model.orders.values().filter(|order| order.reserves()) {
            match order.last.side {
                Side::Subscription => asked.0 += order.last.amount.map_or(0, figures::ore),
                Side::Redemption => asked.1 += order.last.units.map_or(0, figures::steps),
            }
        }
        let accounts = self.model.accounts.values();
        let set_aside = accounts.fold((0, 0), |sum: (Ore, Steps), account| {
            let units: Steps = account.holdings.iter().map(|held| held.reserved).sum();
            (sum.0 + account.reserved, sum.1 + units)
        });
        asked.0 += self.model.accounts.values().map(|account| account.fees.reserved()).sum::<Ore>();
        self.ensure(asked == set_aside, Law::NoNegativeCash, now, || {
            let [set_aside, asked] = [set_aside, asked]
                .map(|(ore, steps)| format!("{} and {} units", words::cash(ore), figures::units(steps)));
            format!("{set_aside} are set aside where orders and charges ask for {asked}")
        });
    }

    /// Law 12: customers' settled units against the fund companies' registers.
    fn units_are_conserved(&mut self, now: Instant, totals: &Totals) {
        let funds: Vec<InstrumentId> = self.model.funds.keys().copied().collect();
        let sent = self.model.orders.values().filter(|order| order.status == Status::Sent);
        let under_way: IndexSet<InstrumentId, FxBuildHasher> = sent.map(|order| order.last.instrument).collect();
        for fund in funds {
            let ours = totals.settled.get(&fund).copied().unwrap_or(0);
            let theirs = self.model.outside.register.get(&fund).copied().unwrap_or(0);
            self.met.note_if(Law::UnitsConservation, ours > 0 && under_way.contains(&fund));
            self.ensure(ours == theirs, Law::UnitsConservation, now, || {
                format!("{fund}: customers have {}, its company {}", figures::units(ours), figures::units(theirs))
            });
        }
    }

    /// Law 46: the next cut-off of every fund.
    fn cut_offs(&mut self, world: &World) {
        let now = world.now();
        let views = query::instruments(world, None);
        self.cut_offs.resize(views.len(), Instant::MIN);
        for (at, view) in views.iter().enumerate() {
            let id = view.record.id;
            self.ensure(is_instrument_id(&id.to_string()), Law::Identifiers, now, || format!("{id} fails its check"));
            let Some(fund) = self.model.funds.get(&id) else { continue };
            let (facts, next) = (&fund.facts, fund.next);
            let expected = |closed: bool| (!closed).then_some(next.1);
            let subscriptions = expected(!(facts.is_tradable && facts.is_buyable));
            let redemptions = expected(!(facts.is_tradable && facts.is_sellable));
            let ahead = next.1 > now && calendar::is_dealing_day(facts, next.0);
            let fits = (view.cut_off_sub, view.cut_off_red) == (subscriptions, redemptions);
            let close = fund.prices.close();
            let got = view.close_price.zip(view.price_date);
            let got = got.map(|(price, date)| (calendar::day_of(date), figures::millionths(price)));
            let known = got == close.map(|close| (close.day, close.price));
            let is_kept = fund.prices.newest(STANDING_PRICES).iter().all(|&(day, price)| {
                query::price_of_day(world, id, calendar::date_of(day)).map(figures::millionths) == Some(price)
            });
            let early = fund.coming().find(|&day| query::price_of_day(world, id, calendar::date_of(day)).is_some());
            let modified = fund.modified;
            let earlier = std::mem::replace(&mut self.cut_offs[at], next.1);
            let shown = (view.cut_off_sub, view.cut_off_red);
            self.met.note_if(Law::CutOffDates, subscriptions.is_some() != redemptions.is_some());
            self.ensure(fits && ahead && earlier <= next.1, Law::CutOffDates, now, || {
                let (shown, due) = ([shown.0, shown.1].map(or_none), [subscriptions, redemptions].map(or_none));
                format!(
                    "{id}: the next cut-offs of subscriptions and redemptions are shown as {} and {}, expected: {} and {}",
                    shown[0], shown[1], due[0], due[1]
                )
            });
            self.ensure(known && is_kept && early.is_none(), Law::OnePriceForAll, now, || {
                let of = |(day, price)| format!("{} of {}", words::price(price), calendar::date_of(day));
                let close = close.map(|close| (close.day, close.price));
                let [got, close] = [got, close].map(|price| or_none(price.map(of)));
                format!("{id}: the last price is shown as {got}, published is {close}; or an older one has changed")
            });
            self.ensure(view.modified == modified, Law::ModifiedDate, now, || {
                format!("{id}: changed at {}, not {modified}", view.modified)
            });
        }
    }
}
