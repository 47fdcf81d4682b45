//! One instant at which much is due, cut into slices: no slice does more than it may, and between two of them others have
//! their turn.

use crate::common::{Bench, DAILY, at, id, written_and_read};
use sim::command::OpenAccount;
use sim::identity::InstrumentId;
use sim::ids::OrderId;
use sim::input::{Act, InputOutcome};
use sim::machines::order::State;
use sim::records::{Account, Order};
use sim::rng::Seed;
use sim::time::Instant;
use sim::{Command, Input, Refusal, Reply, World, query};
use std::sync::Arc;

const START: &str = "2026-03-02T08:00:00Z";
/// 14:00 in Stockholm.
const CUT_OFF: &str = "2026-03-02T13:00:00Z";
const AFTER: &str = "2026-03-09T13:00:00Z";
const ORDERS: usize = 40;
const MOST: u32 = 3;

/// A world with an account that has placed many orders for one fund, and the log that leads on from there.
struct Cut {
    bench: Bench,
    account: Arc<Account>,
    orders: Vec<OrderId>,
    inputs: Vec<Input>,
    begin: World,
}

impl Cut {
    fn new() -> Self {
        let mut bench = Bench::new(11, START);
        let open = OpenAccount { positions: Vec::new(), ..bench.open("90000") };
        let account = bench.account(open);
        let orders = (0..ORDERS).map(|_| bench.order(bench.buy(&account, DAILY, "700")).id).collect();
        let begin = bench.world.clone();
        Self { bench, account, orders, inputs: Vec::new(), begin }
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

    /// One slice on the way to `to`; how many orders changed in it.
    fn slice(&mut self, to: Instant) -> usize {
        let before: Vec<State> = self.states();
        self.submit(Input::new(to, Act::AdvanceBy(MOST)));
        self.states().iter().zip(before).filter(|(now, before)| **now != *before).count()
    }

    fn order(&self, order: OrderId) -> &Order {
        query::order(&self.bench.world, self.bench.scope.client, order).expect("it is there")
    }

    fn states(&self) -> Vec<State> {
        self.orders.iter().map(|order| *self.order(*order).state).collect()
    }

    /// Slices to the cut-off, until some of its orders are taken and some are not.
    fn enter_the_cut_off(&mut self) {
        let taken = |states: &[State]| states.iter().filter(|state| **state == State::Aggregated).count();
        while taken(&self.states()) == 0 {
            self.slice(at(CUT_OFF));
        }
        assert!(taken(&self.states()) < ORDERS && self.bench.world.is_within_instant());
        assert_eq!(self.bench.world.now(), at(CUT_OFF));
    }

    fn reach_the_end(&mut self) {
        while self.bench.world.now() < at(AFTER) || self.bench.world.is_within_instant() {
            self.slice(at(AFTER));
        }
    }

    fn place(&mut self) -> Result<OrderId, Refusal> {
        let place = self.bench.buy(&self.account, DAILY, "700");
        match self.ask(Command::PlaceOrder(place))? {
            Reply::Order(order) => Ok(order.id),
            other => panic!("an order is answered by {other:?}"),
        }
    }
}

/// What the day's book says of the order: the day at whose price it is executed.
fn traded(cut: &Cut, order: OrderId) -> String {
    cut.order(order).trade.expect("it was executed").date.to_string()
}

fn fund() -> InstrumentId {
    id(DAILY)
}

/// (rule: calendar/slices)
#[test]
fn no_slice_changes_more_orders_than_it_may() {
    let mut cut = Cut::new();
    let (mut most, mut changed) = (0, 0);
    while cut.bench.world.now() < at(AFTER) || cut.bench.world.is_within_instant() {
        let orders = cut.slice(at(AFTER));
        (most, changed) = (most.max(orders), changed + orders);
    }
    assert!(most <= MOST as usize, "a slice changed {most} orders");
    assert!(changed >= 4 * ORDERS, "{changed}: each is accepted, taken, sent, confirmed and settled");
    assert!(cut.states().iter().all(|state| *state == State::Settled));
    let mut whole = cut.begin.clone();
    whole.advance(at(AFTER));
    assert_eq!(whole.digest(), cut.bench.world.digest());
}

/// (rule: calendar/slices)
#[test]
fn an_order_that_comes_in_the_middle_of_a_cut_off_waits_for_the_next() {
    let mut cut = Cut::new();
    let timely = cut.orders[ORDERS - 1];
    cut.enter_the_cut_off();
    let late = cut.place().expect("an order is taken at any time");
    assert_eq!(*cut.order(late).state, State::Received);
    assert!(cut.bench.world.is_within_instant(), "the order does not wait for what is due");
    cut.reach_the_end();
    assert_eq!((traded(&cut, timely), traded(&cut, late)), ("2026-03-02".to_owned(), "2026-03-03".to_owned()));
}

/// (rule: calendar/slices, orders/cancel-window)
#[test]
fn in_the_middle_of_a_cut_off_the_orders_it_takes_cannot_be_canceled_and_later_ones_can() {
    let mut cut = Cut::new();
    cut.enter_the_cut_off();
    let scope = cut.bench.scope;
    for order in [cut.orders[0], cut.orders[ORDERS - 1]] {
        let digest = cut.bench.world.digest();
        let refused = cut.ask(Command::CancelOrder { scope, order }).expect_err("the cut-off takes it");
        assert!(format!("{refused:?}").contains("already taken by the cut-off"), "{refused:?}");
        assert_eq!(cut.bench.world.digest(), digest);
    }
    let late = cut.place().expect("an order is taken at any time");
    cut.ask(Command::CancelOrder { scope, order: late }).expect("it waits for the next cut-off");
    cut.reach_the_end();
    assert_eq!(*cut.order(late).state, State::CanceledUnbooked);
}

/// (rule: calendar/slices)
#[test]
fn what_concerns_a_fund_waits_for_the_end_of_the_instant() {
    let mut cut = Cut::new();
    cut.enter_the_cut_off();
    let order = cut.orders[ORDERS - 1];
    let partner = cut.bench.scope.partner;
    cut.ask(Command::RejectOrder { partner, order }).expect("the fund company refuses them all");
    assert!(!cut.bench.world.is_within_instant());
    let canceled = |state: &State| matches!(state, State::CanceledBooked | State::CanceledUnbooked);
    assert!(cut.states().iter().all(canceled), "the orders of an aggregate fall together: {:?}", cut.states());
}

/// (rule: calendar/slices, calendar/inputs)
#[test]
fn a_log_with_commands_between_slices_of_one_instant_makes_the_same_world_again() {
    let mut cut = Cut::new();
    cut.enter_the_cut_off();
    let read = written_and_read(&cut.bench.world);
    assert!(read.is_within_instant() && read.digest() == cut.bench.world.digest());
    let written = cut.inputs.len();
    for _ in 0..2 {
        cut.place().expect("an order is taken at any time");
        cut.slice(at(CUT_OFF));
    }
    cut.reach_the_end();
    for (begin, done) in [(cut.begin.clone(), 0), (read, written)] {
        let mut again = begin;
        let first = cut.begin.last_input() + 1;
        again.replay((first + done as u64..).zip(&cut.inputs[done..]));
        assert_eq!(again.differing_parts(&cut.bench.world), Vec::<&str>::new());
    }
    assert!(query::instrument(&cut.bench.world, fund()).is_some() && cut.begin.seed() == Seed(11));
}
