//! Laws of fees and retrocessions (3, 6, 7): what is charged is what accrued, what is sold for it is what must be, in order
//! and on time, what is taken for clients is paid on to them, and what fund companies give back goes to customers.

use super::sweep::Totals;
use super::{Claim, Fact, Fields, Items, Judge, Law};
use crate::model::accruals::{KIND_WORDS, KINDS, OWN};
use crate::model::fee_files::{ORE, Pot, Taking, written};
use crate::model::fees::MissingFees;
use crate::model::figures::{self, Steps};
use crate::model::words::{self, Word as _, listed, or_none};
use sim::World;
use sim::identity::InstrumentId;
use sim::ids::{AccountId, ClientId};
use sim::query;
use sim::records::{AccountStatus, CashTransaction, CashType, FeePot, Order, PlacedBy};
use sim::time::Instant;
use std::collections::BTreeMap;

impl Judge {
    /// A charge or a retrocession: the one that is due next, now, over its amount.
    pub(super) fn fee_taken(&mut self, at: Instant, cash: &CashTransaction) {
        let law = match cash.kind {
            CashType::Retrocession => Law::Retrocession,
            CashType::Withdrawal => Law::DepositOnce,
            _ => Law::FeeBound,
        };
        let settled = cash.settlement == Some(at.local_date());
        self.ensure(settled, Law::DateOrder, at, || format!("cash {} is not settled today", cash.id));
        let bare = (cash.client_ref.is_none() || law == Law::DepositOnce) && cash.executor.is_none();
        self.ensure(bare, law, at, || format!("cash {} carries a partner's references", cash.id));
        if let Err(due) = self.model.taken(cash) {
            let claim = instead_of(cash, &due);
            let what = || {
                let text = cash.reference.as_deref().unwrap_or_default();
                format!("account {}: {} for {text} is booked, where due is: {}", cash.account, cash.amount, all(&due))
            };
            self.fail(law, at, what, Some(claim));
        } else {
            self.model.taken_for_client(at, cash);
            self.met.note_if(Law::Retrocession, law == Law::Retrocession);
        }
    }

    /// An order of the platform's own on an active account is a sale for charges: the one that is due next.
    pub(super) fn platform_sold(&mut self, at: Instant, order: &Order) {
        let account = self.model.accounts.get(&order.account);
        let active = account.is_some_and(|account| account.last.status() == AccountStatus::Active);
        if order.placed_by != PlacedBy::Platform || !active {
            return;
        }
        let placed = self.model.placed_for_fees(at, order);
        self.met.note_if(Law::FeeBound, placed.is_ok());
        if let Err(due) = placed {
            let claim = due.first().map(|sale| sale_claim(order.account, *sale));
            let what = || {
                let units = order.units.unwrap_or_default();
                format!(
                    "order {} sells {units} of {} for charges, where due is: {}",
                    order.id,
                    order.instrument,
                    sold(&due)
                )
            };
            self.fail(Law::FeeBound, at, what, claim);
        }
        let bare = order.client_ref.is_none() && order.executor.is_none();
        self.ensure(bare, Law::FeeBound, at, || format!("order {} of the platform carries references", order.id));
    }

    /// After a step, nothing that was due is missing.
    pub(super) fn fees_stand(&mut self, world: &World) {
        let now = world.now();
        for MissingFees { account: id, takings, sales } in self.model.missing_fees() {
            let claim = takings.first().map(|taking| Claim::Lists(id, Items::Cash, booked(taking)));
            let claim = claim.or_else(|| sales.first().map(|sale| sale_claim(id, *sale)));
            let retrocession = matches!(takings.first(), Some(Taking::Retrocession(..)));
            let what = || {
                let (takings, sales) = (all(&takings), sold(&sales));
                format!("account {id}: due was and is not there: {takings}{sales}")
            };
            self.fail(if retrocession { Law::Retrocession } else { Law::FeeBound }, now, what, claim);
        }
        for client in self.model.fees_received() {
            self.pots_stand(world, |whose| whose == client);
        }
    }

    /// What was taken for these clients was paid on to their bank accounts, when it had to be, or waits.
    pub(super) fn pots_stand(&mut self, world: &World, of: impl Fn(ClientId) -> bool) {
        let got: BTreeMap<_, _> = query::fee_pots(world, |_| true)
            .filter(|(client, ..)| of(*client))
            .map(|(client, kind, pot)| ((client, kind), shown(pot)))
            .collect();
        let due: BTreeMap<_, _> = self.model.fees.pots.iter().filter(|((client, _), _)| of(*client)).collect();
        let differs = got.keys().chain(due.keys().copied()).find(|key| got.get(key) != due.get(key).copied()).copied();
        let Some(key) = differs else { return };
        let (got, due) = (got.get(&key).cloned(), due.get(&key).copied().cloned());
        let claim = due.as_ref().map(|due| Claim::FeesPaidOn(key.0, key.1.word(), due.clone()));
        let what = || {
            let [got, due] = [got, due].map(or_none);
            format!("`{}` of client {}: {got}, expected: {due}", key.1.word(), key.0)
        };
        self.fail(Law::FeeBound, world.now(), what, claim);
    }

    /// Law 7, from the ledger: what was charged, what waits, arrears and carry are what has accrued.
    pub(super) fn charges_add_up(&mut self, now: Instant, totals: &Totals) {
        let off = self.model.accounts.iter().find_map(|(id, account)| {
            let booked = totals.charged.get(id).copied().unwrap_or_default();
            (0..KINDS.len()).find_map(|kind| {
                let sum = ORE * i128::from(booked[kind]) + account.fees.open(kind);
                (sum != account.fees.total(kind)).then(|| (*id, KINDS[kind], sum - account.fees.total(kind)))
            })
        });
        self.ensure(off.is_none(), Law::FeeBound, now, || {
            let off = off.map(|(account, kind, more)| {
                format!(
                    "account {account}: charges of `{}` are {} SEK more than has accrued",
                    kind.word(),
                    words::ten_billionths(more)
                )
            });
            or_none(off)
        });
    }

    /// Law 7, of what is never charged: what is shown as only calculated is what has accrued at the midnights of that mode (rule:
    /// fees/partner-fee).
    pub(super) fn check_calculated(&mut self, world: &World) {
        let open = self.model.accounts.iter().filter(|(_, account)| account.is_open());
        let off = open.map(|(id, account)| (*id, account.fees.calculated())).find_map(|(id, due)| {
            let shown = query::fees(world, id)
                .map(|view| [OWN, OWN + 1].map(|kind| figures::accrual_steps(view.calculated[kind])));
            (shown != Some(due)).then_some((id, shown, due))
        });
        self.ensure(off.is_none(), Law::FeeBound, world.now(), || {
            let off = off.map(|(account, shown, due)| {
                let [shown, due] = [shown, Some(due)].map(|both| listed(both.into_iter().flatten().map(words::ten_billionths)));
                format!("account {account} shows as only calculated of its partner's and its client's fee: {shown} SEK, expected: {due}")
            });
            or_none(off)
        });
    }

    /// Law 6: retrocessions credited, against what fund companies have given back, by fund and quarter.
    pub(super) fn all_is_given_back(&mut self, now: Instant, totals: &Totals) {
        let given = self.model.fees.given_back.iter();
        let off: Vec<_> = given
            .map(|((fund, quarter), ore)| (format!("{fund}-{}", written(*quarter)), *ore))
            .filter(|(text, ore)| totals.given_back.get(text.as_str()) != Some(ore))
            .collect();
        let (got, due) = (totals.given_back.len(), self.model.fees.given_back.len());
        let same = off.is_empty() && got == due;
        self.ensure(same, Law::Retrocession, now, || {
            let off = listed(off.into_iter().map(|(of, ore)| format!("{} for {of}", words::cash(ore))));
            format!("customers got {got} of {due} retrocessions, and other sums than fund companies gave for: {off}")
        });
    }
}

/// The transaction that a taking must be, in the words of the API.
fn booked(taking: &Taking) -> Fields {
    let (kind, refers, reference, ore) = match *taking {
        Taking::Charge(kind, ore, quarter) => ("fee", KIND_WORDS[kind], written(quarter), ore),
        Taking::Retrocession(fund, ore, quarter) => {
            ("retrocession", "text", format!("{fund}-{}", written(quarter)), ore)
        }
        Taking::Refund(payment, ore) => ("withdrawal", "correction", payment.to_string(), ore),
    };
    vec![
        ("transactionType", Fact::text(kind)),
        ("refType", Fact::text(refers)),
        ("ref", Fact::Text(reference)),
        ("amount", Fact::money(ore)),
    ]
}

/// What should be there instead of `cash`: what is due of its kind and time, or else nothing like it.
fn instead_of(cash: &CashTransaction, due: &[Taking]) -> Claim {
    let reference = Fact::text(cash.reference.as_deref().unwrap_or_default());
    let alike = |taking: &&Taking| match taking {
        Taking::Charge(kind, ..) => {
            KINDS[*kind] == cash.ref_type && booked(taking).contains(&("ref", reference.clone()))
        }
        _ => booked(taking).contains(&("ref", reference.clone())),
    };
    let instead = |taking: &Taking| Claim::Lists(cash.account, Items::Cash, booked(taking));
    due.iter().find(alike).map_or_else(|| Claim::not_booked(cash), instead)
}

fn sale_claim(account: AccountId, (fund, steps): (InstrumentId, Steps)) -> Claim {
    let units = Fact::Number(figures::units(steps).to_string());
    let fields = vec![("orderType", Fact::text("redemption")), ("instrument", Fact::text(fund)), ("units", units)];
    Claim::Lists(account, Items::Orders, fields)
}

fn all(takings: &[Taking]) -> String {
    let takings: Vec<String> = takings.iter().map(ToString::to_string).collect();
    if takings.is_empty() { "nothing".to_owned() } else { takings.join(", ") }
}

fn sold(sales: &[(InstrumentId, Steps)]) -> String {
    sales.iter().map(|(fund, steps)| format!("; a sale of {} of {fund}", figures::units(*steps))).collect()
}

fn shown(pot: &FeePot) -> Pot {
    let paid = pot.paid.iter().map(|payment| (payment.iban, figures::ore(payment.amount), payment.at));
    Pot { waiting: figures::ore(pot.waiting), paid: paid.collect() }
}
