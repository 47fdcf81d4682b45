//! What the accounts of a setup's history have lived through before a world's start: openings, payments, orders, withdrawals.
//!
//! Owns: when what happens, how much, and to whom it is drawn. Invariant: each account draws from a stream of its own, so one
//! more shifts nothing that another draws; every step is a command that the world checks like a partner's, at its own instant,
//! between the same timers. Absent on purpose: journeys and plans, which people have to sign; and every rule: a step is drawn
//! from what the account can do, and the world decides.

use crate::command::{
    Command, OpenAccount, OpenBankAccount, PayByBankgiro, PlaceOrder, Scope, Withdraw, WithdrawalType,
};
use crate::identity::{Iban, InstrumentId, Ocr, PersonalNumber};
use crate::ids::{AccountId, OrderId};
use crate::money::{Amount, Units, round_down};
use crate::people;
use crate::records::{Account, AccountType, Category, Instrument, MandateStatus, Owner, Proceeds, ServiceType, Side};
use crate::refusal::Refusal;
use crate::reply::Reply;
use crate::rng::Stream;
use crate::setup::HistorySetup;
use crate::time::{Instant, Millis};
use crate::world::World;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive as _;
use std::collections::BTreeSet;

/// Least that an account buys for, and most that it spends at once, in kronor.
const PURCHASE: (i64, i64) = (500, 25_000);
/// Payments into an account, in hundreds of kronor.
const PAYMENT: (i64, i64) = (10, 500);
/// Öre in a krona.
const KRONA: i64 = 100;
/// Days between two steps of an account.
const GAP_DAYS: (i64, i64) = (3, 24);
/// One purchase in so many is canceled a minute later.
const CANCELED: u32 = 20;

/// The steps of a world's history that are not carried out yet.
pub(crate) struct PlannedPast {
    end: Instant,
    scopes: Vec<Scope>,
    accounts: Vec<PastAccount>,
    steps: BTreeSet<(Instant, usize, Step)>,
    /// Whose step was drawn last, and what it was.
    drawn: Option<(usize, Step)>,
}

/// One account's.
struct PastAccount {
    stream: Stream,
    id: Option<AccountId>,
}

/// What an account does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    /// It is opened.
    Open,
    /// Money comes in.
    Pay,
    /// Whatever it can.
    Act,
    /// A purchase is canceled.
    Cancel(OrderId),
}

impl PlannedPast {
    /// The past of `world`, which is at its beginning, until `end`.
    pub(crate) fn new(world: &World, setup: &HistorySetup, end: Instant) -> Self {
        let scopes =
            world.clients.values().map(|client| Scope { partner: client.partner, client: client.id }).collect();
        let mut accounts: Vec<PastAccount> = (0..u64::from(setup.accounts))
            .map(|number| PastAccount { stream: world.seed().child("history", number), id: None })
            .collect();
        // The last third of the time sees no new accounts, so that each has a history.
        let minutes = end.since(world.now()).0 / Millis::MINUTE.0;
        let opened =
            |life: &mut PastAccount| world.now().plus(Millis::minutes(life.stream.between(0, minutes * 2 / 3)));
        let steps = accounts.iter_mut().enumerate().map(|(at, life)| (opened(life), at, Step::Open)).collect();
        Self { end, scopes, accounts, steps, drawn: None }
    }

    /// When the next step is due; `None` when all are done.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.steps.first().map(|step| step.0)
    }

    /// Draws the step that is due in `world`, whose clock has been brought there; `None` when there is nothing to do.
    pub(crate) fn draw(&mut self, world: &World) -> Option<Command> {
        let (_, at, step) = self.steps.pop_first()?;
        self.drawn = Some((at, step));
        let scope = self.scopes[at % self.scopes.len()];
        let PastAccount { stream, id } = &mut self.accounts[at];
        if !matches!(step, Step::Cancel(_)) {
            let gap = Millis::minutes(stream.between(GAP_DAYS.0 * 1_440, GAP_DAYS.1 * 1_440));
            let next = if step == Step::Open { (Millis::HOUR, Step::Pay) } else { (gap, Step::Act) };
            self.steps.extend(Some((world.now().plus(next.0), at, next.1)).filter(|next| next.0 < self.end));
        }
        match (step, *id) {
            (Step::Open, _) => Some(Command::OpenAccount(opening(world, scope, stream))),
            (Step::Cancel(order), _) => Some(Command::CancelOrder { scope, order }),
            (Step::Pay, Some(id)) => Some(payment(scope, world.accounts.known(id), stream)),
            (Step::Act, Some(id)) => act(world, scope, world.accounts.known(id), stream),
            (Step::Pay | Step::Act, None) => None,
        }
    }

    /// Notes the outcome of the step.
    pub(crate) fn note(&mut self, world: &World, answer: &Result<Reply, Refusal>) {
        let Some((at, _)) = self.drawn.take() else { return };
        let life = &mut self.accounts[at];
        match answer {
            Ok(Reply::Account(account)) => life.id = Some(account.id),
            Ok(Reply::Order(order))
                if order.side == Side::Subscription && order.canceled.is_none() && life.stream.chance(1, CANCELED) =>
            {
                self.steps.insert((world.now().plus(Millis::MINUTE), at, Step::Cancel(order.id)));
            }
            _ => {}
        }
    }
}

fn opening(world: &World, scope: Scope, stream: &mut Stream) -> OpenAccount {
    let account_type = *stream.pick(&[AccountType::Isk, AccountType::Isk, AccountType::Isk, AccountType::Depot]);
    let bank_account =
        OpenBankAccount { iban: Iban::draw(stream), name: None, validated: true, mandate: MandateStatus::Active };
    OpenAccount {
        scope,
        account_type,
        owner: Some(Owner::NaturalPerson(people::named(world.seed(), PersonalNumber::draw(stream)))),
        name: None,
        service_type: ServiceType::ExecutionOnly,
        category: Category::Retail,
        cash: Amount::ZERO,
        positions: Vec::new(),
        bank_accounts: vec![bank_account],
        fund_knowledge: true,
    }
}

fn payment(scope: Scope, account: &Account, stream: &mut Stream) -> Command {
    let reference = Ocr::parse(&account.reference.to_string()).expect("an account's reference can be paid to");
    let amount = Amount::from_ore(stream.between(PAYMENT.0, PAYMENT.1) * 100 * KRONA);
    Command::PayByBankgiro(PayByBankgiro { partner: scope.partner, reference, amount })
}

/// What an account does when it is free to choose: mostly it buys, and it pays in when it cannot.
fn act(world: &World, scope: Scope, account: &Account, stream: &mut Stream) -> Option<Command> {
    let chosen = match stream.below(100) {
        0..60 => purchase(world, scope, account, stream),
        60..75 => sale(world, scope, account, stream),
        75..85 => withdrawal(world, scope, account),
        _ => None,
    };
    Some(chosen.unwrap_or_else(|| payment(scope, account, stream)))
}

fn purchase(world: &World, scope: Scope, account: &Account, stream: &mut Stream) -> Option<Command> {
    let cash = round_down(account.spendable().get(), 0).to_i64()?;
    if cash < PURCHASE.0 {
        return None;
    }
    let amount = Amount::from_ore(stream.between(PURCHASE.0, cash.min(PURCHASE.1)) * KRONA);
    let universe = &world.clients[&account.client].universe;
    let funds: Vec<InstrumentId> = world
        .market
        .quotes()
        .filter(|quote| quote.close(world.now()).is_some() && !quote.refuses_orders(world.now()))
        .map(|quote| quote.instrument.as_ref())
        .filter(|fund| fund.is_buyable && fund.is_tradable && !fund.is_raif && universe.contains(fund.id))
        .filter(|fund| minimum(fund, account) <= amount)
        .map(|fund| fund.id)
        .collect();
    if funds.is_empty() {
        return None;
    }
    let order = blank(scope, account, Side::Subscription, *stream.pick(&funds));
    Some(Command::PlaceOrder(PlaceOrder { amount: Some(amount), ..order }))
}

fn minimum(fund: &Instrument, account: &Account) -> Amount {
    let is_held = account.position(fund.id).is_some_and(|position| !position.units.is_zero());
    let own = if is_held { fund.min_subsequent } else { fund.min_initial };
    own.unwrap_or(fund.min_investment)
}

/// All or half of something that it holds.
fn sale(world: &World, scope: Scope, account: &Account, stream: &mut Stream) -> Option<Command> {
    let can_be_sold = |instrument| {
        let quote = world.market.known(instrument);
        let universe = &world.clients[&account.client].universe;
        let fund = &quote.instrument;
        fund.is_sellable && fund.is_tradable && universe.contains(fund.id) && !quote.refuses_orders(world.now())
    };
    let held: Vec<(InstrumentId, Units)> = account
        .positions
        .iter()
        .map(|position| (position.instrument, position.sellable()))
        .filter(|&(instrument, units)| units.is_positive() && can_be_sold(instrument))
        .collect();
    if held.is_empty() {
        return None;
    }
    let &(instrument, all) = stream.pick(&held);
    let decimals = world.market.known(instrument).instrument.decimals_units;
    let half = Units::from_decimal_exact(round_down(all.get() / Decimal::TWO, decimals));
    let units = half.filter(|half| half.is_positive() && stream.chance(1, 2)).unwrap_or(all);
    let order = blank(scope, account, Side::Redemption, instrument);
    Some(Command::PlaceOrder(PlaceOrder { units: Some(units), ..order }))
}

const fn blank(scope: Scope, account: &Account, side: Side, instrument: InstrumentId) -> PlaceOrder {
    PlaceOrder {
        scope,
        account: account.id,
        side,
        instrument,
        amount: None,
        units: None,
        client_ref: None,
        executor: None,
        proceeds: Proceeds::Keep,
    }
}

/// All its cash, where the partner may ask for that without the owner's signature.
fn withdrawal(world: &World, scope: Scope, account: &Account) -> Option<Command> {
    let client = &world.clients[&account.client];
    let Owner::NaturalPerson(owner) = account.owner.as_ref() else { return None };
    let bank_account = account.bank_accounts.first()?.id;
    let is_free = client.permissions.withdrawals && !client.withdrawal_needs_signature;
    (is_free && account.spendable().is_positive()).then_some({
        Command::Withdraw(Withdraw {
            scope,
            account: account.id,
            kind: WithdrawalType::Full,
            amount: None,
            bank_account,
            client_ref: None,
            executor: owner.ssn,
        })
    })
}
