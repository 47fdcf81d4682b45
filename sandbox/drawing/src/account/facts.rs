//! What a picture shows of an account: its days, the money that came and went, its orders, the funds that changed.
//!
//! Invariant: every transaction that moved money and is no leg of an order is here once, on the local day on which it moved
//! the balance, with its whole amount. Absent on purpose: today, which is not over.

use crate::frame::ink::{self, Ink};
use crate::frame::numbers::{decimal, grouped, ore, sek};
use crate::frame::time_axis::{begins, next};
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::Serialize;
use sim::machines::order::State;
use sim::query::AccountHistory;
use sim::records::{
    AccountType, CashRefType, CashTransaction, CashType, CorporateAct, CorporateAction, Order, Owner, Side,
};
use sim::time::Instant;
use sim::world::World;

/// Why money came or went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum CashKind {
    Deposit,
    Withdrawal,
    Fee,
    Retrocession,
    Other,
}

impl CashKind {
    pub(super) const ALL: [Self; 5] = [Self::Deposit, Self::Withdrawal, Self::Fee, Self::Retrocession, Self::Other];

    /// What the legend calls it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Deposit => "deposits",
            Self::Withdrawal => "withdrawals",
            Self::Fee => "fees and taxes",
            Self::Retrocession => "retrocessions",
            Self::Other => "transfers, corrections, dividends",
        }
    }

    pub(super) const fn ink(self) -> &'static Ink {
        match self {
            Self::Deposit => &ink::DEPOSIT,
            Self::Withdrawal => &ink::WITHDRAWAL,
            Self::Fee => &ink::FEE,
            Self::Retrocession => &ink::RETROCESSION,
            Self::Other => &ink::OTHER,
        }
    }

    /// The kind of a transaction; none for a leg of an order, which moves nothing in or out.
    const fn of(kind: CashType, ref_type: CashRefType) -> Option<Self> {
        Some(match (kind, ref_type) {
            (CashType::Subscription | CashType::Redemption, _) => return None,
            (CashType::Deposit | CashType::Withdrawal, CashRefType::Correction)
            | (CashType::TransferIn | CashType::TransferOut | CashType::Settlement, _) => Self::Other,
            (CashType::Deposit, _) => Self::Deposit,
            (CashType::Withdrawal, _) => Self::Withdrawal,
            (CashType::Fee | CashType::FxFee, _) => Self::Fee,
            (CashType::Retrocession, _) => Self::Retrocession,
        })
    }
}

/// Money that came, above zero, or went, below.
#[derive(Serialize)]
pub(super) struct Move {
    pub(super) day: Date,
    pub(super) kind: CashKind,
    #[serde(rename = "amount", serialize_with = "sek")]
    pub(super) ore: i64,
}

/// How far an order is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum OrderState {
    Settled,
    Canceled,
    UnderWay,
}

/// An order from its placing to its end, as far as it has come.
#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(super) struct Placed {
    pub(super) at: Instant,
    pub(super) until: Instant,
    pub(super) side: Side,
    #[serde(rename = "state")]
    pub(super) standing: OrderState,
    /// What it is, in words.
    pub(super) about: String,
}

/// A midnight with what the account was worth, and had in cash.
#[derive(Serialize)]
pub(super) struct Midnight {
    pub(super) at: Instant,
    #[serde(serialize_with = "sek")]
    pub(super) value: i64,
    #[serde(serialize_with = "sek")]
    pub(super) balance: i64,
}

/// All of it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Facts {
    pub(super) name: String,
    pub(super) owner: String,
    pub(super) kind: &'static str,
    pub(super) reference: String,
    /// The first and the last day shown; none while no day of the account is over.
    pub(super) span: Option<(Date, Date)>,
    /// Every midnight, the one before the first day included.
    pub(super) midnights: Vec<Midnight>,
    pub(super) moves: Vec<Move>,
    pub(super) orders: Vec<Placed>,
    pub(super) actions: Vec<(Instant, String)>,
    /// The return over all days, in percent.
    #[serde(rename = "return", serialize_with = "decimal")]
    pub(super) gained: Option<Decimal>,
}

impl Facts {
    /// What a history holds of days that are over.
    #[must_use]
    pub fn of(world: &World, history: AccountHistory) -> Self {
        let account = &history.account;
        let span = history.days.first().zip(history.days.last()).map(|(first, last)| (first.date, last.date));
        let is_shown = |at: Instant| span.is_some_and(|(first, last)| (first..=last).contains(&at.local_date()));
        let end = span.map_or_else(|| world.now(), |(_, last)| begins(next(last)));
        let before = span.map(|(first, _)| Midnight { at: begins(first), value: 0, balance: 0 });
        let after = history.days.iter().map(|day| Midnight {
            at: begins(next(day.date)),
            value: ore(day.value),
            balance: ore(day.balance),
        });
        let performance = sim::query::account_performance(world, account.id, None);
        let hundred = |growth: Decimal| growth.checked_mul(Decimal::ONE_HUNDRED).map(|percent| percent.round_dp(2));
        Self {
            name: account.name.to_string(),
            owner: match account.owner.as_ref() {
                Owner::NaturalPerson(person) => format!("{} {}", person.first_name, person.last_name),
                Owner::LegalEntity(entity) => entity.name.to_string(),
            },
            kind: match account.account_type {
                AccountType::Isk => "ISK",
                AccountType::Depot => "depot",
                AccountType::Insurance => "endowment insurance",
            },
            reference: account.reference.to_string(),
            span,
            midnights: before.into_iter().chain(after).collect(),
            moves: history
                .cash
                .iter()
                .filter_map(|cash| moved(cash))
                .filter(|(at, _)| is_shown(*at))
                .map(|it| it.1)
                .collect(),
            orders: orders(world, &history, is_shown, end),
            actions: history.actions.iter().filter_map(describe_action).filter(|(at, _)| is_shown(*at)).collect(),
            gained: performance.last().and_then(|last| hundred(last.cumulative_return)),
        }
    }

    /// The sum of all moves of a kind, and how many there were.
    pub(super) fn sum(&self, kind: CashKind) -> (i64, usize) {
        let own = self.moves.iter().filter(|it| it.kind == kind);
        own.fold((0, 0), |(sum, count), it| (sum + it.ore, count + 1))
    }
}

/// When a transaction moved the balance, and by what; none for legs of orders, and for what is aborted or not settled yet.
fn moved(cash: &CashTransaction) -> Option<(Instant, Move)> {
    let kind = CashKind::of(cash.kind, cash.ref_type)?;
    let at = match (cash.kind.is_credit(), cash.aborted, cash.settlement) {
        (_, Some(_), _) | (true, _, None) => return None,
        (true, ..) => cash.stamp.modified,
        (false, ..) => cash.stamp.created,
    };
    let amount = ore(cash.amount);
    let signed = if cash.kind.is_credit() { amount } else { -amount };
    Some((at, Move { day: at.local_date(), kind, ore: signed }))
}

fn orders(world: &World, history: &AccountHistory, is_shown: impl Fn(Instant) -> bool, end: Instant) -> Vec<Placed> {
    let placed = |order: &Order| {
        let standing = match *order.state {
            State::Settled => OrderState::Settled,
            State::CanceledBooked | State::CanceledUnbooked => OrderState::Canceled,
            _ => OrderState::UnderWay,
        };
        // What became of it after the last day is not shown yet.
        let (until, standing) = match standing {
            OrderState::UnderWay => (end, standing),
            _ if order.stamp.modified >= end => (end, OrderState::UnderWay),
            _ => (order.stamp.modified, standing),
        };
        let state =
            if standing == OrderState::UnderWay { "under way" } else { order.state.shown(&world.setup().settings) };
        let units = order.units.map(|units| format!("{units} units")).unwrap_or_default();
        let amount = order.amount.map(|amount| format!("{} SEK", grouped(ore(amount)))).unwrap_or_default();
        let (verb, [first, second]) = match order.side {
            Side::Subscription => ("buys", [amount, units]),
            Side::Redemption => ("sells", [units, amount]),
        };
        let second = if second.is_empty() { second } else { format!(" ({second})") };
        Placed {
            at: order.stamp.created,
            until,
            side: order.side,
            standing,
            about: format!("{verb} {first}{second} of {}, {state}", order.instrument),
        }
    };
    let shown = history.orders.iter().filter(|order| is_shown(order.stamp.created));
    shown.map(|order| placed(order)).collect()
}

/// When an action was carried out, and what it did.
fn describe_action(action: &CorporateAction) -> Option<(Instant, String)> {
    let fund = action.instrument;
    let what = match action.act {
        CorporateAct::Split { factor } => format!("split 1:{factor} of {fund}"),
        CorporateAct::Merge { into, .. } => format!("{fund} merged into {into}"),
        CorporateAct::Liquidate { .. } => format!("{fund} liquidated"),
    };
    Some((action.carried_out?, what))
}
