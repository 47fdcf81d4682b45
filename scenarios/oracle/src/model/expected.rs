//! What a command should lead to: whether it is refused and as what, and which orders it moves.
//!
//! Owns: the rules of precedence, written a second time (rule: orders/precedence). Invariant: decided before the world is
//! asked, from the model's own books. Absent on purpose: what only a world can know (a price that is struck and not
//! published); there the answer is `Unsure`.

use super::calendar::Day;
use super::figures::{self, Ore, Steps};
use super::{KeptSteps, Model, Status, prices};
use crate::laws::Law;
use sim::World;
use sim::command::{Command, OpenAccount, PlaceOrder, Scope, ScreeningHit, SetPrice};
use sim::identity::InstrumentId;
use sim::ids::{AccountId, OrderId, PartnerId};
use sim::machines::transfer::State as TransferState;
use sim::records::{AccountStatus, AccountType, CashType, Category, Order, Owner, PlacedBy, Proceeds, Side};
use sim::refusal::Class;
use sim::time::Instant;

/// Whether a command will be accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// It will.
    Accepted,
    /// It will be refused as this.
    Refused(Class),
    /// The model does not know.
    Unsure,
}

impl Expected {
    /// The law that says so: what is another's, or is not there, is refused by the law of isolation.
    pub(super) const fn by(self, law: Law) -> Law {
        match self {
            Self::Refused(Class::OutOfScope | Class::Unknown) => Law::Isolation,
            _ => law,
        }
    }
}

/// What a command should lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Whether it is accepted.
    pub expected: Expected,
    /// The law that says so.
    pub law: Law,
    /// Orders that it moves, and where to, if it is accepted. Nothing else moves.
    pub moves: Vec<(OrderId, Status)>,
    /// Whether the model knows nothing of what the command moves.
    pub free: bool,
    /// What a journey keeps of the answers to its steps, if it is accepted and that is known.
    pub keeps: Option<KeptSteps>,
}

pub(super) type Verdict = Result<Vec<(OrderId, Status)>, Expected>;

pub(super) fn refuse<T>(class: Class) -> Result<T, Expected> {
    Err(Expected::Refused(class))
}

pub(super) fn unless(fine: bool, class: Class) -> Result<(), Expected> {
    if fine { Ok(()) } else { refuse(class) }
}

impl Model {
    /// What `command` should lead to, asked for now.
    #[must_use]
    pub fn plan(&self, world: &World, command: &Command) -> Plan {
        let now = world.now();
        let verdict = match command {
            Command::PlaceOrder(place) | Command::ValidateOrder(place) => self.place(now, place),
            Command::CancelOrder { scope, order } => self.cancel(now, *scope, *order),
            Command::OpenAccount(open) => self.open(open),
            Command::HoldOrder { partner, order } => self.hold(*partner, *order),
            Command::ReleaseOrder { partner, order } => self.release(*partner, *order),
            Command::RejectOrder { partner, order } => self.reject(now, *partner, *order),
            Command::SetPrice(set) => self.price(now, set),
            Command::SetTrading(set) => self.trading(set),
            Command::Announce { instrument, act } => self.announcement(now, *instrument, act),
            Command::Book(book) => self.booking(book),
            Command::DelayNav { instrument, bank_days } => unless((1..=30).contains(bank_days), Class::Malformed)
                .and_then(|()| unless(self.funds.contains_key(instrument), Class::Unknown))
                .and_then(|()| unless(!self.funds[instrument].has_ended, Class::Conflict))
                .map(|()| Vec::new()),
            Command::BouncePayout { partner, transaction } => self.bounce(*partner, *transaction),
            Command::CloseAccount { scope, account } => self.close_account(now, *scope, *account),
            Command::Screen { owner, hit } => Ok(self.screen(*owner, *hit)),
            Command::ReportDeath { ssn } => self.death(now, *ssn),
            Command::Withdraw(withdraw) => self.withdraw(now, withdraw),
            Command::RefundPayment { partner, payment, unauthorised } => {
                let (law, expected) = self.refund_payment(now, *partner, *payment, *unauthorised);
                return Plan { expected, law, moves: Vec::new(), free: true, keeps: None };
            }
            Command::AnswerStep { journey, step, answers, partner } => {
                return in_journey(self.answer_step(world, *journey, *step, answers, *partner));
            }
            Command::SignJourney { journey, signer, outcome, partner } => {
                return in_journey(self.sign_journey(world, *journey, *signer, *outcome, *partner));
            }
            Command::CompleteJourney { partner, journey, answers } => {
                return in_journey(self.complete_journey(world, *partner, *journey, answers));
            }
            // Commands that no order is about.
            _ => {
                let (law, expected) = self.of_others(world, command);
                return Plan { expected, law, moves: Vec::new(), free: true, keeps: None };
            }
        };
        let (expected, moves) = match verdict {
            Ok(moves) => (Expected::Accepted, moves),
            Err(expected) => (expected, Vec::new()),
        };
        let law = if matches!(command, Command::Withdraw(_)) {
            Law::ValidatedMeansChecked
        } else {
            Law::RefusalsChangeNothing
        };
        let moves = match command {
            // Whether its price is within bounds only the world knows; what it stops is known.
            Command::Announce { instrument, .. } if expected == Expected::Unsure => {
                self.stopped_orders(*instrument, now)
            }
            _ => moves,
        };
        Plan { expected, law, moves, free: false, keeps: None }
    }

    fn place(&self, now: Instant, place: &PlaceOrder) -> Verdict {
        let client = self.in_scope(place.scope)?;
        let pays_out = matches!(place.proceeds, Proceeds::PayOut(_));
        unless(!pays_out || client.permissions.withdrawals, Class::OutOfScope)?;
        unless(is_well_formed(place), Class::Malformed)?;
        let own = |id| self.accounts.get(&id).filter(|file| file.last.client == place.scope.client);
        let account = own(place.account).ok_or(Expected::Refused(Class::Unknown))?;
        let destination = match place.proceeds {
            Proceeds::Transfer(to) => Some(own(to).ok_or(Expected::Refused(Class::Unknown))?),
            Proceeds::Keep | Proceeds::PayOut(_) => None,
        };
        for party in [Some(account), destination].into_iter().flatten() {
            let open = party.last.status() == AccountStatus::Active && party.last.deleted.is_none();
            unless(open, Class::AccountNotActive)?;
        }
        let acts = place.executor.is_none_or(|person| may_act(&account.last.owner, person));
        unless(acts, Class::ExecutorMismatch)?;
        let fund = self.funds.get(&place.instrument).ok_or(Expected::Refused(Class::InstrumentUnknown))?;
        unless(client.universe.contains(place.instrument), Class::NotInUniverse)?;
        let refuses = fund.refuses_until.is_some_and(|until| now < until);
        unless(!fund.is_closed(place.side) && !refuses, Class::NotTradable)?;
        let subscribes = place.side == Side::Subscription;
        let barred = subscribes && fund.facts.is_raif && account.last.category != Category::Pro;
        unless(!barred, Class::NotEligible)?;

        let (ore, steps) = (place.amount.map_or(0, figures::ore), place.units.map_or(0, figures::steps));
        let sellable = account.sellable(place.instrument);
        let (price, rate) = self.close(place.instrument).ok_or(Expected::Refused(Class::OutsideLimits))?;
        let decimals = fund.facts.decimals_units;
        let worthwhile = if subscribes {
            let least = if self.is_known_to(account, place.instrument) {
                fund.facts.min_subsequent
            } else {
                fund.facts.min_initial
            };
            ore >= figures::ore(least.unwrap_or(fund.facts.min_investment))
                && figures::bought(ore - self.fx_fee(place.instrument, ore), price, rate, decimals) > 0
        } else {
            (figures::decimals(steps) <= decimals || steps == sellable) && figures::proceeds(steps, price, rate) > 0
        };
        let worthwhile = worthwhile && (!pays_out || self.may_be_paid_out(now, account, place.instrument, steps));
        unless(worthwhile, Class::OutsideLimits)?;
        let target = match place.proceeds {
            Proceeds::Keep => true,
            Proceeds::PayOut(to) => {
                let sanctioned = self.listed(&account.last).1;
                !sanctioned && account.last.bank_accounts.iter().any(|bank| bank.id == to && bank.validated)
            }
            Proceeds::Transfer(to) => {
                to != place.account && destination.is_some_and(|file| file.last.owner.key() == account.last.owner.key())
            }
        };
        unless(target, Class::BadTarget)?;
        let enough = if subscribes { ore <= account.spendable() } else { steps <= sellable };
        unless(enough, Class::Insufficient)?;
        let unsigned = self.signatures(place.scope.client, place.account, now).is_some_and(|signed| signed.is_empty());
        unless(!(pays_out && unsigned), Class::NotAllowedNow).map(|()| Vec::new())
    }

    /// How an order of a plan would be refused, if it would.
    pub(super) fn placed_by_plan(&self, now: Instant, place: &PlaceOrder) -> Option<Class> {
        match self.place(now, place) {
            Err(Expected::Refused(class)) => Some(class),
            Ok(_) | Err(Expected::Accepted | Expected::Unsure) => None,
        }
    }

    /// Whether an account has ever been given or bought units of a fund, or is about to buy some (rule: orders/minimums).
    pub(super) fn is_known_to(&self, account: &super::AccountFile, fund: InstrumentId) -> bool {
        let own = |order: &&super::OrderFile| (order.last.account, order.last.instrument) == (account.last.id, fund);
        let buys = |order: &super::OrderFile| order.last.side == Side::Subscription && order.status != Status::Canceled;
        // What has moved once keeps its entry among the holdings, empty or not.
        account.holding(fund).is_some() || self.orders.values().filter(own).any(buys)
    }

    fn cancel(&self, now: Instant, scope: Scope, id: OrderId) -> Verdict {
        self.in_scope(scope)?;
        let order = self.orders.get(&id).filter(|order| !order.purged && order.last.client == scope.client);
        let order = order.ok_or(Expected::Refused(Class::Unknown))?;
        match order.status {
            Status::Canceled => Ok(Vec::new()),
            // What the platform has placed is not the partner's to cancel.
            _ if order.last.placed_by == PlacedBy::Platform => refuse(Class::NotAllowedNow),
            Status::Received | Status::Hold => Ok(vec![(id, Status::Canceled)]),
            Status::Pending if !order.is_taken(now) => Ok(vec![(id, Status::Canceled)]),
            Status::Pending | Status::Sent | Status::Settled => refuse(Class::NotAllowedNow),
        }
    }

    /// Closing cancels what can be canceled; what is left goes to a bank account that has passed its check.
    fn close_account(&self, now: Instant, scope: Scope, id: AccountId) -> Verdict {
        self.in_scope(scope)?;
        let account = self.accounts.get(&id).filter(|file| file.last.client == scope.client);
        let account = account.ok_or(Expected::Refused(Class::Unknown))?;
        match account.last.status() {
            _ if account.last.deleted.is_some() => return Ok(Vec::new()),
            // One that waits is deleted at once.
            AccountStatus::Closing | AccountStatus::Pending | AccountStatus::Confirm => return Ok(Vec::new()),
            AccountStatus::Rejected => return refuse(Class::NotAllowedNow),
            AccountStatus::Active => {}
        }
        let open = self.open_orders(id).next().is_some();
        let holds = account.holdings.iter().any(|held| (held.units, held.settled, held.reserved) != (0, 0, 0));
        let target = account.last.bank_accounts.iter().any(|bank| bank.validated);
        let comes = self.is_given_back(account) || self.expects_a_transfer(now, id);
        let left = holds || account.balance != 0 || open || comes;
        unless(target || !left, Class::BadTarget)?;
        unless(!self.awaits_payments(id), Class::NotAllowedNow)?;
        Ok(self.ended_with(now, id))
    }

    /// Whether a ceding custodian has agreed to something that has not come yet.
    pub(super) fn expects_a_transfer(&self, now: Instant, account: AccountId) -> bool {
        self.transfers.values().filter(|file| file.account == account).any(|file| {
            let moved = file.due.filter(|due| due.0 <= now);
            moved.map_or(file.state, |due| due.1) == TransferState::Accepted
        })
    }

    pub(super) fn open_orders(&self, account: AccountId) -> impl Iterator<Item = (&OrderId, &super::OrderFile)> {
        self.orders.iter().filter(move |(_, order)| order.last.account == account && !order.status.is_over())
    }

    /// The orders that end when their account begins to close now.
    pub(super) fn ended_with(&self, now: Instant, account: AccountId) -> Vec<(OrderId, Status)> {
        let ends = |order: &super::OrderFile| order.status != Status::Sent && !order.is_taken(now);
        let ended = self.open_orders(account).filter(|(_, order)| ends(order));
        ended.map(|(id, _)| (*id, Status::Canceled)).collect()
    }

    fn of_partner(&self, partner: PartnerId, id: OrderId) -> Result<&super::OrderFile, Expected> {
        let own = |order: &&super::OrderFile| self.partner_of(order.last.client) == Some(partner);
        let order = self.orders.get(&id).filter(|order| !order.purged && own(order));
        order.ok_or(Expected::Refused(Class::Unknown))
    }

    fn hold(&self, partner: PartnerId, id: OrderId) -> Verdict {
        let order = self.of_partner(partner, id)?;
        unless(matches!(order.status, Status::Received | Status::Pending), Class::Conflict)?;
        Ok(vec![(id, Status::Hold)])
    }

    fn release(&self, partner: PartnerId, id: OrderId) -> Verdict {
        let order = self.of_partner(partner, id)?;
        let closed = self.funds.get(&order.last.instrument).is_none_or(|fund| fund.is_closed(order.last.side));
        unless(order.status == Status::Hold && !closed, Class::Conflict)?;
        Ok(vec![(id, Status::Pending)])
    }

    fn reject(&self, now: Instant, partner: PartnerId, id: OrderId) -> Verdict {
        let order = self.of_partner(partner, id)?;
        if order.is_taken(now) {
            return Ok(self.together_with(order).into_iter().map(|member| (member, Status::Canceled)).collect());
        }
        unless(matches!(order.status, Status::Received | Status::Pending | Status::Hold), Class::Conflict)?;
        Ok(vec![(id, Status::Canceled)])
    }

    fn open(&self, open: &OpenAccount) -> Verdict {
        self.in_scope(open.scope)?;
        let distinct = |at: usize| !open.positions[..at].iter().any(|(other, _)| *other == open.positions[at].0);
        let company_isk = matches!(open.owner, Some(Owner::LegalEntity(_))) && open.account_type == AccountType::Isk;
        let well_formed = figures::ore(open.cash) >= 0
            && open.positions.iter().all(|(_, units)| figures::steps(*units) > 0)
            && (0..open.positions.len()).all(distinct)
            && !company_isk;
        unless(well_formed, Class::Malformed)?;
        let is_open = |fund| self.funds.get(&fund).is_some_and(|fund| !fund.has_ended);
        let priced = open.positions.iter().all(|(fund, _)| self.close(*fund).is_some() && is_open(*fund));
        unless(priced, Class::InstrumentUnknown).map(|()| Vec::new())
    }

    /// The dealing day that a price is set for: the one named, or that of the last close.
    pub(crate) fn price_day(fund: &super::Fund, set: &SetPrice) -> Day {
        let latest = || fund.prices.close().map_or(fund.next.0, |close| close.day);
        set.price_date.map_or_else(latest, super::calendar::day_of)
    }

    fn price(&self, now: Instant, set: &SetPrice) -> Verdict {
        let price = figures::millionths(set.close_price);
        unless(price > 0, Class::Malformed)?;
        let fund = self.funds.get(&set.instrument).ok_or(Expected::Refused(Class::Unknown))?;
        unless(!fund.has_ended, Class::Conflict)?;
        let day = Self::price_day(fund, set);
        unless(day - super::calendar::day_of(now.local_date()) <= 366, Class::OutsideLimits)?;
        let struck = fund.prices.of(day).is_some() || fund.is_coming(day);
        let ahead = day >= fund.next.0 && super::calendar::is_dealing_day(&fund.facts, day);
        unless(struck || ahead, Class::OutsideLimits)?;
        unless(!fund.prices.is_history(day), Class::Conflict)?;
        let (low, high) = Self::price_bounds(fund, day).ok_or(Expected::Unsure)?;
        unless(low <= price && price <= high, Class::OutsideLimits)?;
        unless(!fund.executed.contains(&day), Class::Conflict).map(|()| Vec::new())
    }

    /// Half to double of the struck prices beside a day; `None` where one of them is not out.
    pub(super) fn price_bounds(fund: &super::Fund, day: Day) -> Option<(i64, i64)> {
        let before = Self::struck_before(fund, day)?;
        let (mut low, mut high) = prices::bounds(before);
        let out = fund.prices.after(day);
        let coming = fund.coming().filter(|&coming| coming > day).min();
        let after = match (out, coming) {
            (Some((out, price)), coming) if coming.is_none_or(|coming| out < coming) => Some(price),
            (_, Some(coming)) => Some(Self::struck(fund, coming)?),
            _ => None,
        };
        if let Some(after) = after {
            let (least, most) = prices::bounds(after);
            (low, high) = (low.max(least), high.min(most));
        }
        Some((low, high))
    }

    /// The struck price before a day, if it is known.
    fn struck_before(fund: &super::Fund, day: Day) -> Option<i64> {
        match fund.coming().filter(|&coming| coming < day).max() {
            Some(coming) => Self::struck(fund, coming),
            None => fund.prices.price_before(day),
        }
    }

    /// The price of a day that is struck and not out, if it is known.
    fn struck(fund: &super::Fund, day: Day) -> Option<i64> {
        fund.prices.set_for(day, Self::struck_before(fund, day)?)
    }

    fn trading(&self, set: &sim::command::SetTrading) -> Verdict {
        let known = self.funds.get(&set.instrument).ok_or(Expected::Refused(Class::Unknown))?;
        unless(!known.has_ended && self.action_on(set.instrument).is_none(), Class::Conflict)?;
        let flags = |fund: &super::Fund| (fund.facts.is_buyable, fund.facts.is_sellable, fund.facts.is_tradable);
        let mut fund = known.clone();
        fund.set_trading(Instant::MIN, set.is_buyable, set.is_sellable, set.is_tradable);
        let mut moves = Vec::new();
        if flags(&fund) == flags(known) {
            return Ok(moves);
        }
        for &id in &known.waiting {
            let Some(order) = self.orders.get(&id).filter(|order| fund.is_closed(order.last.side)) else { continue };
            let to = match order.status {
                Status::Received if !fund.facts.is_tradable => Status::Canceled,
                Status::Pending => Status::Hold,
                _ => continue,
            };
            if !moves.contains(&(id, to)) {
                moves.push((id, to));
            }
        }
        Ok(moves)
    }

    fn bounce(&self, partner: PartnerId, id: sim::ids::CashTransactionId) -> Verdict {
        let cash = self.cash.get(&id).filter(|cash| !cash.purged && self.partner_of(cash.last.client) == Some(partner));
        let cash = cash.ok_or(Expected::Refused(Class::Unknown))?;
        let returned = self.payouts.get(&id).is_none_or(|payout| payout.returned);
        // Nothing can come back to an account that is gone.
        let gone = self.accounts.get(&cash.last.account).is_none_or(|account| account.last.deleted.is_some());
        let possible = !gone && cash.last.kind == CashType::Withdrawal && cash.last.settlement.is_some() && !returned;
        unless(possible, Class::Conflict).map(|()| Vec::new())
    }

    /// Whether the orders of an account are parked because its owner, or somebody of its company, is sanctioned.
    pub(super) fn parks_orders(&self, account: &super::AccountFile) -> bool {
        self.listed(&account.last).1
    }

    /// Orders that somebody's sanction parks.
    fn screen(&self, owner: sim::records::OwnerKey, hit: ScreeningHit) -> Vec<(OrderId, Status)> {
        if hit != ScreeningHit::Sanctions {
            return Vec::new();
        }
        let parked = self.orders.iter().filter(|(_, order)| {
            let account = self.accounts.get(&order.last.account);
            matches!(order.status, Status::Received | Status::Pending)
                && account.is_some_and(|account| self.concerns(owner, &account.last))
        });
        parked.map(|(id, _)| (*id, Status::Hold)).collect()
    }

    /// Whether the first check at `at` parks the order; `None` when a price in between decides
    /// (rule: orders/hold-reasons).
    #[must_use]
    pub fn is_parked(&self, order: &super::OrderFile, at: Instant) -> Option<bool> {
        let (account, fund) = (self.accounts.get(&order.last.account)?, self.funds.get(&order.last.instrument)?);
        if fund.is_closed(order.last.side) || self.parks_orders(account) {
            return Some(true);
        }
        if order.last.placed_by == PlacedBy::Platform {
            return Some(false);
        }
        let unaware = order.last.side == Side::Subscription && fund.facts.is_complex && !account.last.fund_knowledge;
        let expired = super::calendar::local_day(at) > super::calendar::day_of(account.kyc_until);
        if unaware || expired { Some(true) } else { order.large }
    }

    /// Whether an order placed now is larger than orders may be; `None` when a price decides that is still to come.
    #[must_use]
    pub fn is_large(&self, order: &Order) -> Option<bool> {
        let limit: Ore = figures::ore(self.settings.hold_above);
        if let Some(amount) = order.amount {
            return Some(figures::ore(amount) > limit);
        }
        let steps: Steps = order.units.map_or(0, figures::steps);
        let (price, rate) = self.close(order.instrument)?;
        // Until the first check a price may double or halve, and a rate may move.
        match figures::proceeds(steps, price, rate) {
            low if low < limit / 3 => Some(false),
            high if high > limit.saturating_mul(3) => Some(true),
            _ => None,
        }
    }
}

/// What an act in a journey should lead to: what it keeps of its answers, or a refusal.
fn in_journey(kept: Result<KeptSteps, Expected>) -> Plan {
    let (keeps, expected) = match kept {
        Ok(keeps) => (Some(keeps), Expected::Accepted),
        Err(expected) => (None, expected),
    };
    let law = expected.by(Law::JourneyPath);
    Plan { expected, law, moves: Vec::new(), free: true, keeps }
}

fn is_well_formed(place: &PlaceOrder) -> bool {
    let positive = match place.side {
        Side::Subscription => place.units.is_none() && place.amount.is_some_and(|amount| figures::ore(amount) > 0),
        Side::Redemption => place.amount.is_none() && place.units.is_some_and(|units| figures::steps(units) > 0),
    };
    let routed = match place.proceeds {
        Proceeds::Keep => true,
        Proceeds::Transfer(_) => place.side == Side::Redemption,
        Proceeds::PayOut(_) => place.side == Side::Redemption && place.executor.is_some(),
    };
    positive && routed && place.client_ref.as_ref().is_none_or(|text| text.chars().count() <= 255)
}

pub(super) fn may_act(owner: &Owner, person: sim::identity::PersonalNumber) -> bool {
    match owner {
        Owner::NaturalPerson(owner) => owner.ssn == person,
        Owner::LegalEntity(entity) => entity.signatories.iter().any(|signatory| signatory.ssn == person),
    }
}
