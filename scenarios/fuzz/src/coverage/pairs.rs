//! Pairs that runs have met: a command beside the instant of a timer, a command and the state of what it is about, and a change of one
//! thing while work on another waits.
//!
//! Owns: the three tables of pairs and their sizes. Invariant: beside timers and amid work only commands that were accepted count; in
//! states those that were refused do, too, since the refusal is what such a state is for. Absent on purpose: which pairs a run should
//! have, which its profile says.

use oracle::check::name_of;
use oracle::model::{Model, SessionState, Status};
use sim::World;
use sim::command::{Command, Purgeable};
use sim::ids::AccountId;
use sim::machines::{journey, transfer};
use sim::records::{AccountStatus, Proceeds, Side};
use sim::time::{Instant, Millis};
use sim::timers::Timer;
use std::collections::{BTreeMap, BTreeSet};

/// How far from the instant of a timer a command still counts as beside it.
const REACH: Millis = Millis::days(1);
/// How many kinds of timers there are.
const KINDS: usize = Timer::ALL_WHAT.len();
/// Where a command can stand to the instant of a timer, in order of time.
pub const SIDES: [&str; 5] =
    ["up to a day before", "a millisecond before", "at the instant", "a millisecond after", "up to a day after"];

/// States of accounts, orders, journeys, mobile payments, transfers and funds, as a command finds what it is about.
pub const STATES: &[&str] = &[
    "account waits for signatures",
    "account waits for approval",
    "account active",
    "account closing",
    "account rejected",
    "account deleted",
    "order received",
    "order on hold",
    "order pending",
    "order sent",
    "order settled",
    "order canceled",
    "journey new",
    "journey pending",
    "journey ended",
    "mobile payment waits",
    "mobile payment paid",
    "mobile payment failed",
    "mobile payment unanswered",
    "transfer new",
    "transfer sent",
    "transfer accepted",
    "fund open",
    "fund closed on a side",
    "fund suspended",
    "fund ended",
];

/// Work that waits for an account or a fund while a command changes it.
pub const WORK: &[&str] = &[
    "a purchase not yet checked",
    "a purchase on hold",
    "a purchase before its cut-off",
    "a purchase sent",
    "a sale not yet checked",
    "a sale on hold",
    "a sale before its cut-off",
    "a sale sent",
    "a sale whose cash goes to its bank",
    "a sale whose cash goes to another account",
    "a sale elsewhere whose cash comes to it",
    "a payout",
    "a transfer",
    "a mobile payment",
    "a journey",
];

/// Commands that change something which work of others waits for.
pub const CHANGES: &[&str] = &[
    "a price",
    "a change of trading",
    "a delay",
    "a split",
    "a merger",
    "a liquidation",
    "a booking",
    "a decision about an account",
    "a closing",
    "a check of a bank account",
    "an advice of a mandate",
    "a screening",
    "a death",
    "a refusal of payers",
    "a withdrawal",
];

/// The last instants of timers that have passed, by kind.
#[derive(Clone, Debug)]
pub struct Passed([Option<Instant>; KINDS]);

impl Default for Passed {
    fn default() -> Self {
        Self([None; KINDS])
    }
}

impl Passed {
    /// Notes the timers that a move of the clock will pass. What is set on the way is not known here.
    pub fn note(&mut self, world: &World, to: Instant) {
        for (at, timer) in world.timers().take_while(|(at, _)| *at <= to) {
            self.0[kind_of(timer)] = Some(at);
        }
    }
}

/// What a command meets, before it is carried out.
#[derive(Clone, Debug)]
pub struct Scene {
    command: &'static str,
    /// By kind of timer, a bit for each side.
    beside: [u8; KINDS],
    state: Option<&'static str>,
    work: BTreeSet<&'static str>,
}

impl Scene {
    /// What a command is about to meet.
    #[must_use]
    pub fn of(world: &World, passed: &Passed, model: &Model, command: &Command) -> Self {
        let (now, name) = (world.now(), name_of(command));
        let mut beside = [0; KINDS];
        for (at, timer) in world.timers().take_while(|(at, _)| *at <= now.plus(REACH)) {
            beside[kind_of(timer)] |= 1 << side(at, now);
        }
        for (kind, at) in passed.0.iter().enumerate() {
            if let Some(at) = at.filter(|at| now.since(*at) <= REACH) {
                beside[kind] |= 1 << side(at, now);
            }
        }
        let work = if CHANGES.contains(&name) { work_amid(model, command) } else { BTreeSet::new() };
        Self { command: name, beside, state: state_met(model, command), work }
    }
}

/// The place of a timer's kind.
fn kind_of(timer: &Timer) -> usize {
    let what = timer.what();
    Timer::ALL_WHAT.iter().position(|known| *known == what).unwrap_or_default()
}

/// The place of the side on which `now` stands to an instant within reach.
fn side(at: Instant, now: Instant) -> usize {
    match now.since(at).0 {
        ..-1 => 0,
        -1 => 1,
        0 => 2,
        1 => 3,
        _ => 4,
    }
}

/// The state of what a command is about, where it is about one thing that the model knows.
fn state_met(model: &Model, command: &Command) -> Option<&'static str> {
    match command {
        Command::CancelOrder { order, .. }
        | Command::HoldOrder { order, .. }
        | Command::ReleaseOrder { order, .. }
        | Command::RejectOrder { order, .. }
        | Command::Purge { what: Purgeable::Order(order), .. } => {
            model.orders.get(order).map(|file| order_state(file.status))
        }
        Command::OpenJourney { journey, .. }
        | Command::AnswerStep { journey, .. }
        | Command::SignJourney { journey, .. }
        | Command::AbortJourney { journey, .. }
        | Command::CompleteJourney { journey, .. }
        | Command::CancelJourney { journey, .. }
        | Command::FailJourney { journey, .. }
        | Command::ExpireJourney { journey, .. }
        | Command::Purge { what: Purgeable::Journey(journey), .. } => {
            model.journeys.get(journey).map(|file| match file.state {
                journey::State::New => "journey new",
                journey::State::Pending => "journey pending",
                _ => "journey ended",
            })
        }
        Command::OpenMobilePayment { payment }
        | Command::PayMobilePayment { payment, .. }
        | Command::DeclineMobilePayment { payment, .. }
        | Command::FailMobilePayment { payment, .. } => {
            model.mobile_payments.get(payment).map(|file| match file.state {
                SessionState::Waiting => "mobile payment waits",
                SessionState::Paid => "mobile payment paid",
                SessionState::Failed(_) => "mobile payment failed",
                SessionState::Silent => "mobile payment unanswered",
            })
        }
        Command::MoveTransfer { transfer, .. } => model.transfers.get(transfer).and_then(|file| match file.state {
            transfer::State::Sent => Some("transfer sent"),
            transfer::State::Accepted => Some("transfer accepted"),
            transfer::State::New => Some("transfer new"),
            _ => None,
        }),
        Command::SetPrice(set) => model.funds.get(&set.instrument).map(fund_state),
        Command::SetTrading(set) => model.funds.get(&set.instrument).map(fund_state),
        Command::DelayNav { instrument, .. } | Command::Announce { instrument, .. } => {
            model.funds.get(instrument).map(fund_state)
        }
        _ => account_of(command).and_then(|id| model.accounts.get(&id)).map(|file| {
            match (file.last.deleted, file.last.status()) {
                (Some(_), _) => "account deleted",
                (_, AccountStatus::Confirm) => "account waits for signatures",
                (_, AccountStatus::Pending) => "account waits for approval",
                (_, AccountStatus::Active) => "account active",
                (_, AccountStatus::Closing) => "account closing",
                (_, AccountStatus::Rejected) => "account rejected",
            }
        }),
    }
}

const fn order_state(status: Status) -> &'static str {
    match status {
        Status::Received => "order received",
        Status::Hold => "order on hold",
        Status::Pending => "order pending",
        Status::Sent => "order sent",
        Status::Settled => "order settled",
        Status::Canceled => "order canceled",
    }
}

fn fund_state(fund: &oracle::model::Fund) -> &'static str {
    match (fund.has_ended, fund.facts.is_tradable, fund.facts.is_buyable && fund.facts.is_sellable) {
        (true, ..) => "fund ended",
        (_, false, _) => "fund suspended",
        (.., false) => "fund closed on a side",
        _ => "fund open",
    }
}

/// The account that a command is about.
fn account_of(command: &Command) -> Option<AccountId> {
    match command {
        Command::PlaceOrder(place) | Command::ValidateOrder(place) => Some(place.account),
        Command::Book(book) => Some(book.account),
        Command::Withdraw(withdraw) => Some(withdraw.account),
        Command::CreateMobilePayment(create) => Some(create.account),
        Command::CreateInstruction(create) => create.payments.first().map(|payment| payment.account),
        Command::CreateJourney(create) => create.configuration.account,
        Command::DecideAccount { account, .. }
        | Command::CloseAccount { account, .. }
        | Command::DeleteSavingsPlan { account, .. }
        | Command::RefusePayers { account, .. }
        | Command::AllocateSuspense { account, .. }
        | Command::Purge { what: Purgeable::Account(account), .. } => Some(*account),
        _ => None,
    }
}

/// The work that waits for what a command changes.
fn work_amid(model: &Model, command: &Command) -> BTreeSet<&'static str> {
    let fund = match command {
        Command::SetPrice(set) => Some(set.instrument),
        Command::SetTrading(set) => Some(set.instrument),
        Command::DelayNav { instrument, .. } | Command::Announce { instrument, .. } => Some(*instrument),
        _ => None,
    };
    let one = account_of(command);
    let bank = match command {
        Command::CheckBankAccount { bank_account, .. } | Command::AdviseMandate { bank_account, .. } => {
            model.banks.get(bank_account).map(|file| file.account)
        }
        _ => None,
    };
    let concerns = |id: AccountId| match command {
        Command::Screen { owner, .. } => model.accounts.get(&id).is_some_and(|file| model.concerns(*owner, &file.last)),
        Command::ReportDeath { ssn } => {
            let key = sim::records::OwnerKey::Ssn(*ssn);
            model.accounts.get(&id).is_some_and(|file| file.last.owner.key() == key)
        }
        _ => one.or(bank) == Some(id),
    };
    let mut work = BTreeSet::new();
    let open = model.orders.values().filter(|file| !matches!(file.status, Status::Settled | Status::Canceled));
    for file in open {
        let order = &file.last;
        let is_own = fund.map_or_else(|| concerns(order.account), |fund| order.instrument == fund);
        if is_own {
            let buys = order.side == Side::Subscription;
            work.insert(match (file.status, buys) {
                (Status::Received, true) => "a purchase not yet checked",
                (Status::Received, false) => "a sale not yet checked",
                (Status::Hold, true) => "a purchase on hold",
                (Status::Hold, false) => "a sale on hold",
                (Status::Pending, true) => "a purchase before its cut-off",
                (Status::Pending, false) => "a sale before its cut-off",
                (_, true) => "a purchase sent",
                (_, false) => "a sale sent",
            });
        }
        match order.proceeds {
            Proceeds::PayOut(_) if is_own => _ = work.insert("a sale whose cash goes to its bank"),
            Proceeds::Transfer(_) if is_own => _ = work.insert("a sale whose cash goes to another account"),
            Proceeds::Transfer(to) if fund.is_none() && concerns(to) => {
                _ = work.insert("a sale elsewhere whose cash comes to it");
            }
            _ => {}
        }
    }
    if fund.is_some() {
        return work;
    }
    let under_way = [
        ("a payout", model.payouts.keys().filter_map(|id| Some(model.cash.get(id)?.last.account)).any(concerns)),
        ("a transfer", model.transfers.values().map(|file| file.account).any(concerns)),
        (
            "a mobile payment",
            model
                .mobile_payments
                .values()
                .filter(|file| file.state == SessionState::Waiting)
                .any(|file| concerns(file.account)),
        ),
        (
            "a journey",
            model
                .journeys
                .values()
                .filter(|file| !file.state.is_terminal())
                .filter_map(|file| file.last.configuration.account)
                .any(concerns),
        ),
    ];
    work.extend(under_way.into_iter().filter(|(_, waits)| *waits).map(|(what, _)| what));
    work
}

/// Counts of pairs over any number of runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// By kind of timer and command, how often on each side of the instant; what was never met is left out.
    pub timers: BTreeMap<(&'static str, &'static str), [u64; SIDES.len()]>,
    /// By state and command.
    pub states: BTreeMap<(&'static str, &'static str), u64>,
    /// By work that waits and the command that changes something then.
    pub work: BTreeMap<(&'static str, &'static str), u64>,
}

impl Pairs {
    /// Notes what a command has met, and whether it was accepted.
    pub fn note(&mut self, scene: &Scene, accepted: bool) {
        if let Some(state) = scene.state {
            *self.states.entry((state, scene.command)).or_default() += 1;
        }
        if !accepted {
            return;
        }
        for (what, sides) in Timer::ALL_WHAT.iter().zip(scene.beside).filter(|(_, sides)| *sides != 0) {
            let counts = self.timers.entry((what, scene.command)).or_default();
            for (side, count) in counts.iter_mut().enumerate() {
                *count += u64::from(sides >> side & 1);
            }
        }
        for work in &scene.work {
            *self.work.entry((work, scene.command)).or_default() += 1;
        }
    }

    /// Adds what other runs have met.
    pub fn add(&mut self, other: &Self) {
        for (pair, counts) in &other.timers {
            let own = self.timers.entry(*pair).or_default();
            own.iter_mut().zip(counts).for_each(|(own, more)| *own += more);
        }
        for (own, other) in [(&mut self.states, &other.states), (&mut self.work, &other.work)] {
            other.iter().for_each(|(pair, more)| *own.entry(*pair).or_default() += more);
        }
    }
}
