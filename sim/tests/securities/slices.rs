//! Corporate actions that concern many accounts, cut into slices: no slice changes more accounts than it may, and between two of
//! them each account is seen before the action or after it.

use super::{START, liquidation, merger, split};
use crate::common::{Bench, DAILY, GLOBAL, T_PLUS_ONE, amount, at, id, units, written_and_read};
use crate::journeys::answers;
use crate::plans::changes::with_both_plans;
use sim::command::{Book, Booked, OpenAccount};
use sim::event::{Change, Delta};
use sim::input::{Act, InputOutcome, Origin};
use sim::query;
use sim::records::{
    Account, Allocation, CashRefType, CashType, CorporateAct, FundRefType, FundType, JourneyStep, Order,
};
use sim::time::Instant;
use sim::timers::Timer;
use sim::{Command, Event, Input, Refusal, Reply, World};
use std::collections::BTreeSet;
use std::sync::Arc;

const HOLDERS: usize = 20;
const MOST: u32 = 3;
/// The holder that has a bank account.
const PAID_OUT: usize = HOLDERS - 1;
const DAY: &str = "2026-03-03T09:15:00+01:00";
const AFTER: &str = "2026-03-03T12:00:00+01:00";

/// An action that is announced for a fund that many accounts hold, and the log that leads on from there.
struct Cut {
    bench: Bench,
    holders: Vec<Arc<Account>>,
    parked: Arc<Order>,
    begin: World,
    inputs: Vec<Input>,
}

fn acts() -> [CorporateAct; 5] {
    [split("3"), split("0.3"), merger(T_PLUS_ONE, Some("1.2345")), merger(T_PLUS_ONE, None), liquidation(None)]
}

impl Cut {
    /// The first account has both plans, with the fund in each, and holds nothing; the last one has an order of the fund that was
    /// parked after its cut-off.
    fn new(act: CorporateAct) -> Self {
        let mut bench = Bench::new(7, START);
        let amounts = answers(&[("amount.SE0SBX000016SEK", "500"), ("amount.LU0SBX000058EUR", "750.50"), ("day", "5")]);
        let planned = bench.walk(with_both_plans(), &[(JourneyStep::SavingsPlan, amounts)]);
        let mut holders = vec![bench.account_of(&planned)];
        for held in 1..=HOLDERS {
            let positions = vec![(id(DAILY), units(&format!("{held}.1234")))];
            let bank_accounts =
                if held == PAID_OUT { vec![bench.bank("SE9350000000050000000094")] } else { Vec::new() };
            holders.push(bench.account(OpenAccount { positions, bank_accounts, ..bench.open("100") }));
        }
        let parked = bench.order(bench.sell(&holders[HOLDERS], DAILY, "1"));
        bench.to("2026-03-02T14:00:00+01:00");
        bench.announce(DAILY, act).expect("it can be announced");
        let partner = bench.scope.partner;
        bench.pull(Command::HoldOrder { partner, order: parked.id }).expect("it can be parked");
        bench.world.forget_events();
        let begin = bench.world.clone();
        Self { bench, holders, parked, begin, inputs: Vec::new() }
    }

    /// In the middle: some accounts have had their turn, and the last has not.
    fn within(act: CorporateAct) -> Self {
        let mut cut = Self::new(act);
        while !cut.is_done(1) {
            cut.slice(at(DAY));
        }
        assert!(cut.bench.world.is_within_instant() && cut.bench.world.now() == at(DAY));
        assert!(!cut.is_done(HOLDERS), "{act:?}");
        cut
    }

    fn submit(&mut self, input: Input) -> InputOutcome {
        self.inputs.push(input.clone());
        self.bench.world.submit(self.begin.last_input() + self.inputs.len() as u64, &input)
    }

    /// A command at the world's now, as a host gives it.
    fn ask(&mut self, command: Command) -> Result<Reply, Refusal> {
        match self.submit(Input::new(self.bench.world.now(), Act::Apply(Box::new(command)))) {
            InputOutcome::Applied(answer) => answer,
            other => panic!("a command is answered by {other:?}"),
        }
    }

    fn slice(&mut self, to: Instant) {
        self.submit(Input::new(to, Act::AdvanceBy(MOST)));
    }

    fn reach_the_end(&mut self) {
        while self.bench.world.now() < at(AFTER) || self.bench.world.is_within_instant() {
            self.slice(at(AFTER));
        }
    }

    fn holder(&self, at: usize) -> Arc<Account> {
        self.bench.again(&self.holders[at])
    }

    /// Whether the account no longer holds what it held at first.
    fn is_done(&self, at: usize) -> bool {
        let settled = |account: &Account| account.position(id(DAILY)).map(|held| held.settled);
        settled(&self.holder(at)) != settled(&self.holders[at])
    }

    /// What a partner sees of an account's positions and worth.
    fn shown(world: &World, account: &Account) -> String {
        let account = query::every_account(world).find(|known| known.id == account.id).expect("it is there");
        format!("{:?} {}", query::positions(world, account, world.now()), query::value(world, account))
    }

    fn book(&self, at: usize, what: Booked) -> Command {
        let account = self.holders[at].id;
        Command::Book(Box::new(Book { partner: self.bench.scope.partner, account, what, text: None }))
    }

    fn gift(&self, at: usize) -> Command {
        self.book(at, Booked::Cash { kind: CashType::Deposit, ref_type: CashRefType::Gift, amount: amount("1") })
    }
}

fn whole(begin: &World) -> (World, Vec<Event>) {
    let mut whole = begin.clone();
    whole.advance(at(AFTER));
    let events = whole.take_events();
    (whole, events)
}

/// Events as they are sent, without the numbers of the inputs that led to them.
fn events_without_causes(events: &[Event]) -> Vec<String> {
    events.iter().map(|event| format!("{:?} {:?} {:?}", event.at, event.change, event.cause.by)).collect()
}

/// (rule: calendar/slices)
#[test]
fn no_slice_carries_an_action_out_for_more_accounts_than_it_may() {
    for act in acts() {
        let mut cut = Cut::new(act);
        let mut slices = BTreeSet::new();
        let mut events = Vec::new();
        while cut.bench.world.now() < at(AFTER) || cut.bench.world.is_within_instant() {
            cut.slice(at(AFTER));
            let emitted = cut.bench.world.take_events();
            let changed = |event: &&Event| matches!(event.change, Change::Account(Delta::Updated { .. }));
            slices.insert(emitted.iter().filter(changed).count());
            events.extend(emitted);
        }
        assert_eq!(slices.last(), Some(&(MOST as usize)), "{act:?}");
        let (whole, all) = whole(&cut.begin);
        assert!((1..=HOLDERS).all(|at| cut.is_done(at)), "{act:?}");
        assert_eq!(events_without_causes(&events), events_without_causes(&all), "{act:?}");
        assert_eq!(whole.differing_parts(&cut.bench.world), Vec::<&str>::new(), "{act:?}");
    }
}

/// (rule: calendar/slices)
#[test]
fn between_slices_each_account_is_seen_before_the_action_or_after_it() {
    for act in acts() {
        let mut cut = Cut::new(act);
        let mut before = cut.begin.clone();
        before.advance(Instant::from_ms(at(DAY).ms() - 1));
        let mut after = cut.begin.clone();
        after.advance(at(DAY));
        let mut seen_in_the_middle = 0;
        while cut.bench.world.now() < at(DAY) || cut.bench.world.is_within_instant() {
            cut.slice(at(DAY));
            let world = &cut.bench.world;
            if world.now() < at(DAY) {
                continue;
            }
            let mut has_begun = [false, false];
            // The last one has a state between the two: its order is canceled, and its turn has not come.
            for account in &cut.holders[..HOLDERS] {
                let sides = [&before, &after].map(|side| Cut::shown(side, account) == Cut::shown(world, account));
                assert!(sides[0] || sides[1], "{act:?}: {}", Cut::shown(world, account));
                has_begun = [has_begun[0] || !sides[0], has_begun[1] || !sides[1]];
            }
            seen_in_the_middle += usize::from(has_begun == [true, true]);
        }
        assert!(seen_in_the_middle > 3, "{act:?}: {seen_in_the_middle}");
    }
}

/// (rule: calendar/slices)
#[test]
fn an_account_that_a_command_changes_has_its_turn_before_that_and_only_once() {
    for act in acts() {
        let mut cut = Cut::within(act);
        let (after, _) = whole(&cut.begin);
        cut.bench.world.forget_events();
        let command = cut.gift(HOLDERS);
        cut.ask(command).expect("cash comes at any time");
        assert!(cut.bench.world.is_within_instant() && cut.is_done(HOLDERS), "{act:?}");
        assert!(!cut.is_done(HOLDERS - 1), "{act:?}: nobody else");
        let events = cut.bench.world.take_events();
        let by_timer = |event: &Event| matches!(event.cause.by, Origin::Timer(Timer::CarryOut(_)));
        let turns = events.iter().take_while(|event| by_timer(event)).count();
        assert!(turns >= 2 && events[turns..].iter().all(|event| !by_timer(event)), "{act:?}: {events:?}");
        cut.reach_the_end();
        for at in 1..=HOLDERS {
            let held = |world: &World| {
                let account = query::every_account(world).find(|known| known.id == cut.holders[at].id);
                account.expect("it is there").positions.clone()
            };
            assert_eq!(held(&cut.bench.world), held(&after), "{act:?}");
        }
    }
}

/// (rule: calendar/slices, securities/corporate-action-day)
#[test]
fn the_turn_of_an_account_begins_with_its_parked_orders() {
    for act in acts() {
        let mut cut = Cut::new(act);
        while cut.bench.world.now() < at(DAY) {
            cut.submit(Input::new(at(DAY), Act::AdvanceBy(1)));
        }
        assert!(cut.bench.world.is_within_instant(), "{act:?}");
        assert!((1..=HOLDERS).all(|at| !cut.is_done(at)), "{act:?}");
        assert_eq!(cut.bench.status(&cut.parked), "hold", "{act:?}");
        let command = cut.gift(HOLDERS);
        cut.ask(command).expect("cash comes at any time");
        assert_eq!(cut.bench.status(&cut.parked), "canceled", "{act:?}");
        assert!(cut.is_done(HOLDERS) && !cut.is_done(1), "{act:?}");
        cut.reach_the_end();
        assert!((1..=HOLDERS).all(|at| cut.is_done(at)), "{act:?}");
    }
}

/// (rule: calendar/slices, securities/merger)
#[test]
fn plans_of_an_account_that_holds_nothing_follow_before_a_command_looks_at_them() {
    for (act, followed) in [(merger(T_PLUS_ONE, None), Some([T_PLUS_ONE, GLOBAL])), (liquidation(None), None)] {
        let mut cut = Cut::new(act);
        while cut.bench.world.now() < at(DAY) {
            cut.submit(Input::new(at(DAY), Act::AdvanceBy(1)));
        }
        let funds = |cut: &Cut| {
            let plan = query::allocation_plan_of(&cut.bench.world, cut.holders[0].id);
            plan.map(|plan| plan.instruments.iter().map(|share: &Allocation| share.instrument).collect::<Vec<_>>())
        };
        assert_eq!(funds(&cut), Some(vec![id(DAILY), id(GLOBAL)]), "its turn has not come");
        // A deposit buys by the plan.
        let command = cut.gift(0);
        cut.ask(command).expect("cash comes at any time");
        let followed = followed.map(|funds| funds.map(id).to_vec());
        assert_eq!(funds(&cut), followed, "{act:?}");
        assert!(cut.bench.world.is_within_instant() && !cut.is_done(1), "{act:?}");
        cut.reach_the_end();
        assert_eq!(funds(&cut), followed, "{act:?}");
    }
}

/// (rule: calendar/slices)
#[test]
fn a_withdrawal_of_everything_takes_what_the_action_pays_too() {
    let mut cut = Cut::within(liquidation(None));
    let account = cut.holder(PAID_OUT);
    let before = account.spendable();
    let withdraw = cut.bench.withdrawal(&account, None);
    cut.ask(Command::Withdraw(withdraw)).expect("cash can be taken out");
    assert!(cut.bench.world.is_within_instant() && cut.is_done(PAID_OUT));
    let account = cut.holder(PAID_OUT);
    assert!(account.spendable().is_zero(), "{:?} of {before:?} is left", account.spendable());
}

/// (rule: calendar/slices, securities/split)
#[test]
fn units_of_the_fund_are_booked_on_what_the_action_leaves() {
    for at in [1, HOLDERS] {
        let mut cut = Cut::within(split("0.3"));
        let (after, _) = whole(&cut.begin);
        let held = |world: &World| {
            let account = query::every_account(world).find(|known| known.id == cut.holders[at].id);
            account.and_then(|account| account.position(id(DAILY))).map(|held| held.units).expect("a position")
        };
        let reached = held(&after);
        let what = Booked::Units {
            kind: FundType::Subscription,
            ref_type: FundRefType::Gift,
            instrument: id(DAILY),
            units: units("10"),
            cost: None,
        };
        let command = cut.book(at, what);
        cut.ask(command).expect("units can be given");
        assert!(cut.bench.world.is_within_instant(), "others have not had their turn");
        cut.reach_the_end();
        let account = query::every_account(&cut.bench.world).find(|known| known.id == cut.holders[at].id);
        let units_now = account.and_then(|account| account.position(id(DAILY))).map(|held| held.units);
        assert_eq!(units_now, Some(reached + units("10")));
    }
}

/// (rule: calendar/slices, calendar/inputs)
#[test]
fn a_world_written_in_the_middle_of_an_action_continues_equally() {
    for act in acts() {
        let mut cut = Cut::within(act);
        let command = cut.gift(HOLDERS);
        cut.ask(command).expect("cash comes at any time");
        let read = written_and_read(&cut.bench.world);
        assert_eq!(read.differing_parts(&cut.bench.world), Vec::<&str>::new());
        let written = cut.inputs.len();
        cut.reach_the_end();
        for (begin, done) in [(cut.begin.clone(), 0), (read, written)] {
            let mut again = begin;
            let first = cut.begin.last_input() + 1;
            again.replay((first + done as u64..).zip(&cut.inputs[done..]));
            assert_eq!(again.differing_parts(&cut.bench.world), Vec::<&str>::new(), "{act:?}");
        }
    }
}
