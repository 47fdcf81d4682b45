//! What plans do when they run, and what they must show of it: bought, passed over, or charged in vain (rule: plans/last-run,
//! plans/savings-run-amounts, plans/allocation-run, plans/plan-orders).
//!
//! Invariant: every part that stays as cash has its reason, in the order of the parts; a sentence is put together from the
//! model's own class of refusal and its own figures. Absent on purpose: when plans run and what is charged for them, which
//! is `money_in`.

use super::books::Model;
use super::calendar::{self, Day};
use super::figures::{self, Ore};
use super::money_files::{Booking, Code, PlanId, Run, meaning};
use super::words;
use sim::World;
use sim::command::{PlaceOrder, Scope};
use sim::identity::InstrumentId;
use sim::ids::{AccountId, SavingsPlanId};
use sim::query;
use sim::records::{PlanRunStatus, Proceeds, Side};
use sim::refusal::Class;
use sim::time::Instant;

/// What one fund is to get.
type Part = (InstrumentId, Ore);

impl Model {
    /// A savings plan runs now: whether it passes this month over, since no part of it could be bought.
    pub(super) fn passed_over(&mut self, at: Instant, account: AccountId, plan: SavingsPlanId, parts: &[Part]) -> bool {
        // The cash for it is still to come.
        let refused = |part: &Part| self.refused(at, account, *part).filter(|class| *class != Class::Insufficient);
        let refusals: Vec<_> = parts.iter().filter_map(|part| Some((*part, refused(part)?))).collect();
        if refusals.len() < parts.len() {
            return false;
        }
        let reasons = refusals.into_iter().map(|(part, class)| self.reason(account, part, class)).collect();
        let run = Run { at, day: calendar::local_day(at), status: PlanRunStatus::Skipped, reasons };
        self.note_run(account, PlanId::Savings(plan), run);
        true
    }

    /// The charge of a savings plan has failed: the run of that day has bought nothing.
    pub(super) fn charge_failed(&mut self, at: Instant, account: AccountId, plan: SavingsPlanId, day: Day, code: Code) {
        let reasons = vec![format!("the charge failed with {code}: {}", meaning(code))];
        self.note_run(account, PlanId::Savings(plan), Run { at, day, status: PlanRunStatus::Skipped, reasons });
    }

    /// An event has shown a booking: what its plan must buy with it now.
    pub fn booked_in(&mut self, world: &World, booking: &Booking) {
        let (at, account) = (booking.at, booking.account);
        match &booking.savings {
            Some(savings) => {
                let run = self.buys(at, account, self.parts_of_today(&savings.parts));
                self.note_run(account, PlanId::Savings(savings.plan), Run { day: savings.day, ..run });
            }
            None => self.deposited(world, at, account, booking.ore),
        }
    }

    /// An event has shown a deposit that the account's allocation plan, if it has one, must divide now.
    pub fn deposited(&mut self, world: &World, at: Instant, account: AccountId, ore: Ore) {
        let Some(plan) = query::allocation_plan_of(world, account) else { return };
        let shares: Vec<_> = plan.instruments.iter().map(|share| share.percent.get()).collect();
        let funds = plan.instruments.iter().map(|share| share.instrument);
        let parts = funds.zip(figures::split(ore, &shares)).filter(|part| part.1 > 0).collect();
        let run = self.buys(at, account, parts);
        self.note_run(account, PlanId::Allocation(plan.id), run);
    }

    /// Accounts whose plans have run since the last call.
    pub fn plans_ran(&mut self) -> impl Iterator<Item = AccountId> + use<> {
        std::mem::take(&mut self.money_in.ran).into_iter()
    }

    fn note_run(&mut self, account: AccountId, plan: PlanId, run: Run) {
        self.money_in.runs.insert(plan, run);
        self.money_in.ran.insert(account);
    }

    /// What each part's fund has become by mergers; what falls on one fund is one part, where the first of it stood
    /// (rule: plans/savings-run-amounts).
    fn parts_of_today(&self, parts: &[Part]) -> Vec<Part> {
        let mut today: Vec<Part> = Vec::new();
        for &(mut fund, ore) in parts {
            while let Some(into) = self.funds.get(&fund).and_then(|known| known.became) {
                fund = into;
            }
            match today.iter_mut().find(|part| part.0 == fund) {
                Some(part) => part.1 += ore,
                None => today.push((fund, ore)),
            }
        }
        today
    }

    /// The orders that a plan must place now, and what it must show of that.
    fn buys(&mut self, at: Instant, account: AccountId, parts: Vec<Part>) -> Run {
        let (mut bought, mut reasons) = (0, Vec::new());
        for part in parts {
            match self.refused(at, account, part) {
                Some(class) => reasons.push(self.reason(account, part, class)),
                None => {
                    bought += 1;
                    self.money_in.orders.push_back((account, part.0, part.1));
                }
            }
        }
        let status = match (bought, reasons.is_empty()) {
            (0, _) => PlanRunStatus::Skipped,
            (_, true) => PlanRunStatus::Done,
            (_, false) => PlanRunStatus::Partly,
        };
        Run { at, day: calendar::local_day(at), status, reasons }
    }

    /// How an order of a plan for this part would be refused, if it would.
    fn refused(&self, at: Instant, account: AccountId, (instrument, ore): Part) -> Option<Class> {
        let client = self.accounts.get(&account).map(|file| file.last.client);
        let scope = client.and_then(|client| Some(Scope { partner: self.clients.get(&client)?.partner, client }));
        let Some(scope) = scope else { return Some(Class::OutOfScope) };
        let order = PlaceOrder {
            scope,
            account,
            side: Side::Subscription,
            instrument,
            amount: Some(figures::amount(ore)),
            units: None,
            client_ref: None,
            executor: None,
            proceeds: Proceeds::Keep,
        };
        self.placed_by_plan(at, &order)
    }

    /// Why a part is not bought, as a plan says it.
    fn reason(&self, id: AccountId, (instrument, ore): Part, class: Class) -> String {
        let (fund, account) = (self.funds.get(&instrument), self.accounts.get(&id));
        let facts = fund.map(|fund| &fund.facts);
        let text = match class {
            Class::OutOfScope => "clientId is not within the scope of this token".to_owned(),
            Class::InstrumentUnknown => "instrument is not known".to_owned(),
            Class::NotInUniverse => "instrument is not in the client's instrument universe".to_owned(),
            Class::NotTradable if facts.is_some_and(|facts| !facts.is_tradable) => {
                "instrument is suspended from trading".to_owned()
            }
            Class::NotTradable if facts.is_some_and(|facts| !facts.is_buyable) => {
                "instrument is closed for subscriptions".to_owned()
            }
            Class::NotTradable => {
                "instrument takes no orders before midnight, since another fund is merged into it".to_owned()
            }
            Class::NotEligible => "instrument is open to professional clients only".to_owned(),
            Class::OutsideLimits if self.close(instrument).is_none() => {
                "instrument has no published price yet".to_owned()
            }
            Class::OutsideLimits => {
                let holds = account.is_some_and(|account| self.is_known_to(account, instrument));
                let own = facts.and_then(|facts| if holds { facts.min_subsequent } else { facts.min_initial });
                match own.or(facts.map(|facts| facts.min_investment)).filter(|least| ore < figures::ore(*least)) {
                    Some(least) => format!("amount must be at least {least} SEK for this purchase"),
                    None => "amount is worth nothing at the last published price".to_owned(),
                }
            }
            Class::Insufficient => {
                let spendable = figures::amount(account.map_or(0, super::AccountFile::spendable));
                format!("amount exceeds the available cash of {spendable} SEK")
            }
            // No plan asks for anything that is refused so.
            Class::Malformed
            | Class::Unknown
            | Class::AccountNotActive
            | Class::ExecutorMismatch
            | Class::BadTarget
            | Class::NotAllowedNow
            | Class::Conflict => words::outcome(Some(class)),
        };
        format!("{instrument}: {text}")
    }
}
