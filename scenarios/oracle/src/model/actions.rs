//! Corporate actions and bookings of the back office, reckoned a second time (rule: securities/split, securities/merger,
//! securities/liquidation, accounts/corrections).
//!
//! Invariant: what an action books is known before the event of its first booking, from the model's own holdings, prices and
//! rates, in whole numbers. Absent on purpose: plans, which no event shows.

use super::books::Model;
use super::calendar;
use super::figures::{self, Ore, RATIO, Steps, divided, narrow, ratio, units_after};
use super::legs::{Action, Cost, Leg};
use super::{Expected, Fund, Status};
use rust_decimal::Decimal;
use sim::command::{Book, Booked};
use sim::identity::InstrumentId;
use sim::ids::{AccountId, OrderId};
use sim::records::{CashRefType, CashType, CorporateAct, FundRefType, FundType, Universe};
use sim::refusal::Class;
use sim::time::Instant;
use std::sync::Arc;

/// The next instant after `now` at which actions are carried out.
fn next_look(now: Instant) -> Instant {
    let today = calendar::local_day(now);
    let at = |day| calendar::at_local(day, 9, 15);
    if calendar::is_bank_day(today) && now < at(today) { at(today) } else { at(calendar::bank_days_after(today, 1)) }
}

impl Model {
    /// The action that concerns a fund, if one is announced.
    #[must_use]
    pub fn action_on(&self, fund: InstrumentId) -> Option<&Action> {
        self.actions.iter().find(|action| action.fund == fund || action.act.successor() == Some(fund))
    }

    /// Whether orders of a fund are between their cut-off and their settlement.
    fn is_under_way(&self, fund: InstrumentId, at: Instant) -> bool {
        let mut orders = self.orders.values().filter(|order| order.last.instrument == fund);
        orders.any(|order| order.status == Status::Sent || order.is_taken(at))
    }

    /// Orders of a fund that an announcement cancels.
    pub(super) fn stopped_orders(&self, fund: InstrumentId, now: Instant) -> Vec<(OrderId, Status)> {
        let stops = |status, taken: bool| match status {
            Status::Received | Status::Hold => true,
            Status::Pending => !taken,
            Status::Sent | Status::Settled | Status::Canceled => false,
        };
        let orders = self.orders.iter().filter(|(_, order)| order.last.instrument == fund);
        let orders = orders.filter(|(_, order)| stops(order.status, order.is_taken(now)));
        orders.map(|(id, _)| (*id, Status::Canceled)).collect()
    }

    /// What an announcement should lead to.
    pub(super) fn announcement(
        &self,
        now: Instant,
        fund: InstrumentId,
        act: &CorporateAct,
    ) -> Result<Vec<(OrderId, Status)>, Expected> {
        let unless = |fine: bool, class| if fine { Ok(()) } else { Err(Expected::Refused(class)) };
        let within = |number: Decimal| (RATIO / 1_000..=RATIO * 1_000).contains(&ratio(number));
        unless(
            match act {
                CorporateAct::Split { factor } => within(factor.get()) && ratio(factor.get()) != RATIO,
                CorporateAct::Merge { into, ratio } => *into != fund && ratio.is_none_or(|ratio| within(ratio.get())),
                CorporateAct::Liquidate { price } => price.is_none_or(|price| figures::millionths(price) > 0),
            },
            Class::Malformed,
        )?;
        let funds: Vec<InstrumentId> = std::iter::once(fund).chain(act.successor()).collect();
        unless(funds.iter().all(|fund| self.funds.contains_key(fund)), Class::Unknown)?;
        unless(funds.iter().all(|fund| !self.funds[fund].has_ended), Class::Conflict)?;
        unless(funds.iter().all(|fund| self.close(*fund).is_some()), Class::OutsideLimits)?;
        let known = &self.funds[&fund];
        match act {
            CorporateAct::Split { factor } => {
                let bears = Self::bears_split(known, factor.get()).ok_or(Expected::Unsure)?;
                unless(bears, Class::OutsideLimits)?;
            }
            CorporateAct::Merge { into, ratio: None } => {
                let ratio = self.ratio_of(fund, *into).ok_or(Expected::Unsure)?;
                unless((RATIO / 1_000..=RATIO * 1_000).contains(&ratio), Class::OutsideLimits)?;
            }
            CorporateAct::Liquidate { price: Some(price) } => {
                let (low, high) = Self::price_bounds(known, known.next.0).ok_or(Expected::Unsure)?;
                let price = figures::millionths(*price);
                unless(low <= price && price <= high, Class::OutsideLimits)?;
            }
            CorporateAct::Merge { .. } | CorporateAct::Liquidate { .. } => {}
        }
        unless(funds.iter().all(|fund| self.action_on(*fund).is_none()), Class::Conflict)?;
        Ok(self.stopped_orders(fund, now))
    }

    /// Units of one fund for a unit of another by their prices, in ten-billionths.
    fn ratio_of(&self, left: InstrumentId, joined: InstrumentId) -> Option<i128> {
        let worth = |(price, rate): (i64, i64)| i128::from(price) * i128::from(rate);
        Some(divided(worth(self.close(left)?) * RATIO, worth(self.close(joined)?)))
    }

    /// Whether a split leaves the prices that it divides from 0.01 to 10^14; `None` where one of them is not out and may be
    /// on either side.
    fn bears_split(fund: &Fund, factor: Decimal) -> Option<bool> {
        let factor = ratio(factor);
        let fits = |price: i64| (10_000 * factor..=10_i128.pow(20) * factor).contains(&(i128::from(price) * RATIO));
        let close = fund.prices.close()?.price;
        let ahead = fund.prices.set_ahead().filter(|&(day, _)| !fund.is_coming(day));
        let known = ahead.map(|(_, price)| price).chain([close]).all(fits);
        // Each price that is struck is half to double of another one.
        let steps = 3 + u32::try_from(fund.coming().count()).unwrap_or(u32::MAX);
        let far = |price: Option<i64>| price.is_some_and(fits);
        let clear = fund.coming().next().is_none()
            || (far(close.checked_shr(steps))
                && far(2_i64.checked_pow(steps).and_then(|times| close.checked_mul(times))));
        if known && !clear { None } else { Some(known) }
    }

    /// An action was announced: trading stops.
    pub fn announced(&mut self, now: Instant, fund: InstrumentId, act: CorporateAct) {
        let Some(known) = self.funds.get_mut(&fund) else { return };
        let before = (known.facts.is_buyable, known.facts.is_sellable, known.facts.is_tradable);
        known.set_trading(now, Some(false), Some(false), Some(false));
        known.modified = now;
        self.actions.push(Action { fund, act, before, look: next_look(now), legs: None });
    }

    /// Actions that had to be carried out before `now` and were not; the others are looked at again.
    pub fn actions_missed(&mut self, now: Instant) -> Vec<(Instant, InstrumentId)> {
        let mut missed = Vec::new();
        for at in 0..self.actions.len() {
            while self.actions[at].look < now {
                let (look, fund) = (self.actions[at].look, self.actions[at].fund);
                if !self.is_under_way(fund, look) {
                    missed.push((look, fund));
                }
                self.actions[at].look = next_look(look);
            }
        }
        missed
    }

    /// Whether an action on the fund is carried out at `at`: what is parked is canceled with it.
    #[must_use]
    pub fn ends_orders(&self, fund: InstrumentId, at: Instant) -> bool {
        self.actions.iter().any(|action| action.fund == fund && action.look == at)
    }

    /// Reckons what the actions of this instant must book, before the first of it is taken over.
    pub fn begin_actions(&mut self, at: Instant) {
        for place in 0..self.actions.len() {
            let action = &self.actions[place];
            if action.look == at && action.legs.is_none() && !self.is_under_way(action.fund, at) {
                let legs = self.legs_of(action);
                self.actions[place].legs = Some(legs);
            }
        }
    }

    fn legs_of(&self, action: &Action) -> Vec<Leg> {
        let fund = action.fund;
        let held = self.accounts.iter().filter_map(|(id, account)| Some((*id, *account.holding(fund)?)));
        let mut legs = Vec::new();
        for (account, holding) in held.filter(|(_, holding)| holding.settled != 0) {
            let Some((price, rate)) = self.close(fund) else { continue };
            let units =
                |instrument, kind, steps, price, cost| Leg::Units { account, instrument, kind, steps, price, cost };
            let cash = |ore: Ore| (ore > 0).then_some(Leg::Cash(account, ore));
            match action.act {
                CorporateAct::Split { factor } => {
                    let after = units_after(holding.settled, factor.get());
                    let (kind, difference) = match after - holding.settled {
                        more if more > 0 => (FundType::Subscription, more),
                        less => (FundType::Redemption, -less),
                    };
                    legs.extend((difference != 0).then(|| units(fund, kind, difference, 0, Cost::Stays)));
                }
                CorporateAct::Merge { into, ratio: given } => {
                    let Some((joined, joined_rate)) = self.close(into) else { continue };
                    let right = i128::from(joined) * i128::from(joined_rate);
                    let given = given.map(|given| ratio(given.get()));
                    let Some(ratio) = given.or_else(|| self.ratio_of(fund, into)) else { continue };
                    let exact = i128::from(holding.settled) * ratio;
                    let decimals = self.funds.get(&into).map_or(0, |fund| fund.facts.decimals_units);
                    let unit = 10_i128.pow(17 - decimals);
                    let (whole, rest) = (exact / unit, exact % unit);
                    // 17 decimals of units, 6 of a price, 4 of a rate; 2 of an amount.
                    legs.extend(cash(narrow(divided(rest * right, 10_i128.pow(25)))));
                    legs.push(units(fund, FundType::Redemption, holding.settled, price, Cost::Goes));
                    let steps = narrow(whole * 10_i128.pow(7 - decimals));
                    let comes = Cost::Comes(holding.cost);
                    legs.extend((steps > 0).then(|| units(into, FundType::Subscription, steps, joined, comes)));
                }
                CorporateAct::Liquidate { price: given } => {
                    let price = given.map_or(price, figures::millionths);
                    legs.extend(cash(figures::proceeds(holding.settled, price, rate)));
                    legs.push(units(fund, FundType::Redemption, holding.settled, price, Cost::Goes));
                }
            }
        }
        legs
    }

    /// Units that an action still has to move in a holding; more of them come where that is positive.
    #[must_use]
    pub fn still_to_move(&self, of: AccountId, fund: InstrumentId) -> Steps {
        let legs = self.actions.iter().filter_map(|action| action.legs.as_ref()).flatten();
        legs.map(|leg| match *leg {
            Leg::Units { account, instrument, kind, steps, .. } if (account, instrument) == (of, fund) => {
                if kind == FundType::Subscription { steps } else { -steps }
            }
            Leg::Units { .. } | Leg::Cash(..) => 0,
        })
        .sum()
    }

    /// The cash that actions which have begun still owe an account.
    pub fn cash_of_actions(&self, whose: AccountId) -> impl Iterator<Item = Ore> {
        let legs = self.actions.iter().filter_map(|action| action.legs.as_ref()).flatten();
        legs.filter_map(move |leg| match *leg {
            Leg::Cash(account, ore) if account == whose => Some(ore),
            _ => None,
        })
    }

    /// Takes the leg that `fits` off the actions that have begun; the outside books it too.
    pub fn take_leg(&mut self, fits: impl Fn(&Leg) -> bool) -> Option<Leg> {
        let legs = self.actions.iter_mut().filter_map(|action| action.legs.as_mut());
        let leg = legs.filter_map(|legs| legs.iter().position(&fits).map(|at| legs.swap_remove(at))).next()?;
        match leg {
            Leg::Cash(_, ore) => self.outside.with_companies -= ore,
            Leg::Units { instrument, kind, steps, .. } => {
                let sign = if kind == FundType::Subscription { 1 } else { -1 };
                *self.outside.register.entry(instrument).or_default() += sign * steps;
            }
        }
        Some(leg)
    }

    /// An event at `at` shows that an action on `fund` is over: the fund and its clients are what it makes of them. What it
    /// has left undone; `None` where no action was due.
    pub fn action_over(&mut self, at: Instant, fund: InstrumentId) -> Option<Vec<Leg>> {
        self.begin_actions(at);
        let place = self.actions.iter().position(|action| action.fund == fund && action.look == at)?;
        let action = self.actions.remove(place);
        let legs = action.legs?;
        let known = self.funds.get_mut(&fund)?;
        match action.act {
            CorporateAct::Split { factor } => {
                let (buyable, sellable, tradable) = action.before;
                known.split(factor.get(), at);
                known.set_trading(at, Some(buyable), Some(sellable), Some(tradable));
            }
            CorporateAct::Merge { into, .. } => {
                known.end(at, Some(into));
                if let Some(joined) = self.funds.get_mut(&into) {
                    joined.refuses_until = Some(calendar::at_local(calendar::local_day(at) + 1, 0, 0));
                }
                self.follow(fund, into);
            }
            CorporateAct::Liquidate { .. } => known.end(at, None),
        }
        self.plan_next_event();
        Some(legs)
    }

    /// Clients that offer `fund` offer `into` as well.
    fn follow(&mut self, fund: InstrumentId, into: InstrumentId) {
        for client in self.clients.values_mut().filter(|client| client.universe.contains(fund)) {
            if let Universe::Only(funds) = &mut Arc::make_mut(client).universe {
                funds.insert(into);
            }
        }
    }

    /// What a booking of the back office should lead to.
    pub(super) fn booking(&self, book: &Book) -> Result<Vec<(OrderId, Status)>, Expected> {
        let unless = |fine: bool, class| if fine { Ok(()) } else { Err(Expected::Refused(class)) };
        let text = book.text.as_ref().is_none_or(|text| text.chars().count() <= 255);
        let positive = match book.what {
            Booked::Cash { amount, .. } => figures::ore(amount) > 0,
            Booked::Units { kind, units, cost, .. } => {
                let cost = cost.is_none_or(|cost| kind == FundType::Subscription && figures::ore(cost) >= 0);
                figures::steps(units) > 0 && cost
            }
        };
        unless(text && positive && is_booked_by_hand(&book.what), Class::Malformed)?;
        let own = |client| self.partner_of(client) == Some(book.partner);
        let account = self.accounts.get(&book.account).filter(|account| own(account.last.client));
        let account = account.ok_or(Expected::Refused(Class::Unknown))?;
        if let Booked::Units { instrument, .. } = book.what {
            let fund = self.funds.get(&instrument).filter(|fund| fund.prices.close().is_some());
            let fund = fund.ok_or(Expected::Refused(Class::InstrumentUnknown))?;
            unless(!fund.has_ended, Class::Conflict)?;
        }
        let enough = match book.what {
            Booked::Cash { kind, amount, .. } => super::is_credit(kind) || figures::ore(amount) <= account.spendable(),
            Booked::Units { kind, instrument, units, .. } => {
                kind == FundType::Subscription || figures::steps(units) <= account.sellable(instrument)
            }
        };
        unless(account.is_open() && enough, Class::Conflict).map(|()| Vec::new())
    }

    /// The outside takes a booking of the back office over.
    pub fn booked_by_hand(&mut self, book: &Book) {
        match book.what {
            Booked::Cash { kind, ref_type, amount } => {
                let ore = figures::ore(amount) * if super::is_credit(kind) { -1 } else { 1 };
                match ref_type {
                    CashRefType::Dividend => self.outside.with_companies += ore,
                    CashRefType::Gift | CashRefType::Inheritance | CashRefType::Donation => self.outside.given -= ore,
                    _ => self.outside.fees += ore,
                }
            }
            Booked::Units { kind, instrument, units, .. } => {
                let sign = if kind == FundType::Subscription { 1 } else { -1 };
                *self.outside.register.entry(instrument).or_default() += sign * figures::steps(units);
            }
        }
    }
}

/// Whether the back office books such a thing (rule: accounts/corrections, accounts/dividends).
fn is_booked_by_hand(what: &Booked) -> bool {
    match what {
        Booked::Cash { kind, ref_type, .. } => matches!(
            (kind, ref_type),
            (CashType::Settlement, CashRefType::Correction | CashRefType::Dividend | CashRefType::Compensations)
                | (CashType::Fee, CashRefType::Correction)
                | (CashType::Deposit, CashRefType::Gift | CashRefType::Inheritance)
                | (CashType::Withdrawal, CashRefType::Donation)
        ),
        Booked::Units { kind, ref_type, .. } => match ref_type {
            FundRefType::Correction | FundRefType::Gift | FundRefType::Inheritance => true,
            FundRefType::Dividend | FundRefType::Compensations => *kind == FundType::Subscription,
            _ => false,
        },
    }
}
