//! Laws of corporate actions and of what the back office books: instant, bookings, worth, acquisition cost
//! (rule: securities/corporate-action-day, securities/split, securities/merger, securities/liquidation).

use super::{Cause, Claim, Fact, Items, Judge, Law};
use crate::model::figures;
use crate::model::words::{listed, or_none};
use crate::model::{Cost, Leg};
use rust_decimal::Decimal;
use sim::Reply;
use sim::command::{Book, Booked};
use sim::identity::InstrumentId;
use sim::ids::AccountId;
use sim::records::{CashTransaction, FundTransaction, FundType};
use sim::time::Instant;

impl Judge {
    /// Actions that had to be carried out before `now` and were not.
    pub(super) fn actions_in_time(&mut self, now: Instant) {
        for (at, fund) in self.model.actions_missed(now) {
            self.fail(
                Law::CorporateActionValue,
                at,
                || format!("the corporate action on {fund} was not carried out at {at}"),
                None,
            );
        }
    }

    /// Cash that an action pays is what its account has coming.
    pub(super) fn action_pays(&mut self, at: Instant, cash: &CashTransaction) {
        self.model.begin_actions(at);
        let leg = Leg::Cash(cash.account, figures::ore(cash.amount));
        let due = self.model.take_leg(|due| *due == leg).is_some();
        let settled = cash.settlement == Some(at.local_date());
        self.met.note_if(Law::CorporateActionValue, due);
        if !due || !settled {
            let pays = |ore| vec![("refType", Fact::text("ca")), ("amount", Fact::money(ore))];
            let coming = self.model.cash_of_actions(cash.account).next();
            let claim = match coming {
                Some(ore) => Claim::Lists(cash.account, Items::Cash, pays(ore)),
                None => Claim::not_booked(cash),
            };
            let what = || {
                let coming = coming.map_or("nothing".to_owned(), |ore| figures::amount(ore).to_string());
                let day = if settled { "" } else { ", not settled today" };
                format!("cash {}: a corporate action pays {}{day}, where {coming} is still due", cash.id, cash.amount)
            };
            self.fail(Law::CorporateActionValue, at, what, (!due).then_some(claim));
        }
    }

    /// Units that an action moves are what its account's holding becomes; what that has cost moves with a merger only.
    pub(super) fn action_moves(&mut self, at: Instant, units: &FundTransaction, before: Decimal) {
        let moved = (units.account, units.instrument, units.kind, figures::steps(units.units));
        let got = units.price.map(figures::millionths);
        let leg = self.model.take_leg(|due| match *due {
            Leg::Units { account, instrument, kind, steps, price, .. } => {
                moved == (account, instrument, kind, steps) && got == Some(price)
            }
            Leg::Cash(..) => false,
        });
        let settled = units.settlement == Some(at.local_date());
        self.met.note_if(Law::CorporateActionValue, leg.is_some());
        if leg.is_none() || !settled {
            let claim = leg.is_none().then(|| self.units_claim(units.account, units.instrument, moved)).flatten();
            let what = || {
                let moved = format!("{} of {} of account {}", units.units, units.instrument, units.account);
                let wrong = if leg.is_none() { "which is not due" } else { "which is not settled today" };
                format!("a corporate action moves {moved} at {}, {wrong}", or_none(units.price))
            };
            self.fail(Law::CorporateActionValue, at, what, claim);
        }
        let Some(Leg::Units { cost, .. }) = leg else { return };
        match cost {
            Cost::Stays => {
                if let Some(account) = self.model.accounts.get_mut(&units.account) {
                    let holding = account.holding_mut(units.instrument);
                    holding.cost = if holding.settled == 0 { Decimal::ZERO } else { before };
                }
            }
            // It went with the booking.
            Cost::Goes => {}
            Cost::Comes(cost) => self.model.bought_in(units.account, units.instrument, cost),
        }
    }

    /// What a holding should be: as it was before `moved`, and then what the action has still to do.
    fn units_claim(
        &self,
        account: AccountId,
        fund: InstrumentId,
        moved: (AccountId, InstrumentId, FundType, i64),
    ) -> Option<Claim> {
        let now = self.model.accounts.get(&account)?.holding(fund).map_or(0, |holding| holding.units);
        let signed = if moved.2 == FundType::Subscription { moved.3 } else { -moved.3 };
        let due = now - signed + self.model.still_to_move(account, fund);
        Some(Claim::Units(account, fund, figures::units(due).to_string()))
    }

    /// Instruments were reloaded: where an action was due it is over, and has left nothing undone.
    pub(super) fn reloaded(&mut self, at: Instant, funds: &[InstrumentId]) {
        if !matches!(self.cause, Cause::Clock) {
            return;
        }
        let Some(&fund) = funds.first() else { return };
        match self.model.action_over(at, fund) {
            Some(left) => {
                let Some(first) = left.first() else { return };
                let claim = match *first {
                    Leg::Units { account, instrument, kind, steps, .. } => {
                        let held = self.model.accounts.get(&account).and_then(|account| account.holding(instrument));
                        let signed = if kind == FundType::Subscription { steps } else { -steps };
                        let due = held.map_or(0, |held| held.units) + signed;
                        Some(Claim::Units(account, instrument, figures::units(due).to_string()))
                    }
                    Leg::Cash(account, ore) => Some(Claim::Lists(
                        account,
                        Items::Cash,
                        vec![("refType", Fact::text("ca")), ("amount", Fact::money(ore))],
                    )),
                };
                self.fail(
                    Law::CorporateActionValue,
                    at,
                    || format!("the corporate action on {fund} has left undone: {}", listed(&left)),
                    claim,
                );
            }
            None => self.fail(
                Law::CorporateActionValue,
                at,
                || format!("{fund} was reloaded, and no corporate action was due"),
                None,
            ),
        }
    }

    /// The back office has booked what was asked, at once.
    pub(super) fn booked_as_asked(&mut self, at: Instant, book: &Book, reply: &Reply) {
        let today = Some(at.local_date());
        let fits = match (&book.what, reply) {
            (Booked::Cash { kind, ref_type, amount }, Reply::CashTransaction(cash)) => {
                (cash.account, cash.kind, cash.ref_type, cash.amount) == (book.account, *kind, *ref_type, *amount)
                    && cash.settlement == today
                    && cash.text == book.text
            }
            (Booked::Units { kind, ref_type, instrument, units: asked, .. }, Reply::FundTransaction(units)) => {
                let got = (units.account, units.kind, units.ref_type, units.instrument, units.units);
                got == (book.account, *kind, *ref_type, *instrument, *asked)
                    && units.settlement == today
                    && units.reference == book.text
            }
            _ => false,
        };
        self.ensure(fits, Law::RefusalsChangeNothing, at, || {
            format!("a booking on account {} did not become what it asked for", book.account)
        });
    }
}
