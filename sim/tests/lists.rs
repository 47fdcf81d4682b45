//! Lists and their filters.

use crate::common::{Bench, DAILY, GLOBAL, T_PLUS_ONE, id, units};
use crate::journeys::ssn;
use sim::Command;
use sim::ids::ClientId;
use sim::query::{self, OrderFilter, TransactionFilter};
use sim::records::{
    Account, CashRefType, CashTransaction, CashType, FundRefType, FundTransaction, FundType, Order, Side,
};
use sim::store::Window;
use std::sync::Arc;

const START: &str = "2026-03-02T08:00:00+01:00";
const ANNA: &str = "199001012385";
const BERT: &str = "191212121212";

/// Two owners who have bought and sold over a few days, and all that was listed of it in the end.
struct Stage {
    bench: Bench,
    accounts: Vec<Arc<Account>>,
    orders: Vec<Arc<Order>>,
    cash: Vec<Arc<CashTransaction>>,
    funds: Vec<Arc<FundTransaction>>,
}

impl Stage {
    fn new() -> Self {
        let mut bench = Bench::new(1, START);
        let anna = holding(&mut bench, ANNA, DAILY);
        let mut place = bench.buy(&anna, GLOBAL, "1000");
        place.client_ref = Some(Arc::from("first"));
        bench.order(place);
        let mut place = bench.sell(&anna, DAILY, "10");
        place.client_ref = Some(Arc::from("second"));
        bench.order(place);
        let canceled = bench.order(bench.buy(&anna, DAILY, "600"));
        bench.does(Command::CancelOrder { scope: bench.scope, order: canceled.id }).expect("in time");
        bench.to("2026-03-03T00:30:00+01:00");
        let bert = holding(&mut bench, BERT, GLOBAL);
        bench.to("2026-03-05T10:00:00+01:00");
        bench.order(bench.buy(&bert, T_PLUS_ONE, "700"));
        bench.to("2026-03-05T10:00:01+01:00");
        let (client, all, filter) = (bench.scope.client, Window::default(), TransactionFilter::default());
        Self {
            accounts: query::accounts(&bench.world, client, &all, None),
            orders: query::orders(&bench.world, client, &all, &OrderFilter::default()),
            cash: query::cash_transactions(&bench.world, client, &all, &filter),
            funds: query::fund_transactions(&bench.world, client, &all, &filter),
            bench,
        }
    }

    fn orders(&self, client: ClientId, filter: &OrderFilter) -> Vec<usize> {
        let listed = query::orders(&self.bench.world, client, &Window::default(), filter);
        places(&listed, &self.orders)
    }

    fn cash(&self, client: ClientId, filter: &TransactionFilter) -> Vec<usize> {
        let listed = query::cash_transactions(&self.bench.world, client, &Window::default(), filter);
        places(&listed, &self.cash)
    }

    fn funds(&self, client: ClientId, filter: &TransactionFilter) -> Vec<usize> {
        let listed = query::fund_transactions(&self.bench.world, client, &Window::default(), filter);
        places(&listed, &self.funds)
    }
}

fn holding(bench: &mut Bench, number: &str, fund: &str) -> Arc<Account> {
    let mut open = bench.open("5000");
    open.owner = Some(bench.owner(number));
    open.positions = vec![(id(fund), units("100"))];
    bench.account(open)
}

/// The positions of the listed ones in the whole list.
fn places<T: PartialEq>(listed: &[T], all: &[T]) -> Vec<usize> {
    listed.iter().map(|one| all.iter().position(|other| other == one).expect("in the whole list")).collect()
}

/// (rule: wire/ssn-filter)
#[test]
fn accounts_are_listed_by_the_person_who_owns_them() {
    let stage = Stage::new();
    let client = stage.bench.scope.client;
    let rows: [(Option<&str>, &[usize]); 4] =
        [(None, &[0, 1]), (Some(ANNA), &[0]), (Some(BERT), &[1]), (Some("200002292399"), &[])];
    for (number, expected) in rows {
        let listed = query::accounts(&stage.bench.world, client, &Window::default(), number.map(ssn));
        assert_eq!(places(&listed, &stage.accounts), expected, "{number:?}");
    }
}

/// (rule: wire/order-filters)
#[test]
fn orders_are_listed_by_every_filter_alone_and_by_all_of_them_together() {
    let stage = Stage::new();
    let client = stage.bench.scope.client;
    let (anna, bert) = (stage.accounts[0].id, stage.accounts[1].id);
    let any = OrderFilter::default;
    let text = |text: &str| Some(text.to_owned());
    let rows: [(OrderFilter, &[usize]); 16] = [
        (any(), &[0, 1, 2, 3]),
        (OrderFilter { account: Some(anna), ..any() }, &[0, 1, 2]),
        (OrderFilter { account: Some(bert), ..any() }, &[3]),
        (OrderFilter { status: text("settled"), ..any() }, &[0, 1]),
        (OrderFilter { status: text("canceled"), ..any() }, &[2]),
        (OrderFilter { status: text("pending"), ..any() }, &[3]),
        (OrderFilter { status: text("hold"), ..any() }, &[]),
        (OrderFilter { side: Some(Side::Subscription), ..any() }, &[0, 2, 3]),
        (OrderFilter { side: Some(Side::Redemption), ..any() }, &[1]),
        (OrderFilter { instrument: Some(id(GLOBAL)), ..any() }, &[0]),
        (OrderFilter { instrument: Some(id(DAILY)), ..any() }, &[1, 2]),
        (OrderFilter { client_ref: text("second"), ..any() }, &[1]),
        (OrderFilter { client_ref: text("third"), ..any() }, &[]),
        (OrderFilter { account: Some(anna), side: Some(Side::Subscription), ..any() }, &[0, 2]),
        (OrderFilter { account: Some(bert), side: Some(Side::Redemption), ..any() }, &[]),
        (
            OrderFilter {
                account: Some(anna),
                status: text("settled"),
                side: Some(Side::Subscription),
                instrument: Some(id(GLOBAL)),
                client_ref: text("first"),
            },
            &[0],
        ),
    ];
    for (filter, expected) in rows {
        assert_eq!(stage.orders(client, &filter), expected, "{filter:?}");
        assert_eq!(stage.orders(ClientId::from_u128(1), &filter), [0; 0], "another client's {filter:?}");
    }
}

/// What the whole lists are, for the tests below.
#[test]
fn every_movement_of_cash_and_units_is_listed_in_order_of_its_creation() {
    let stage = Stage::new();
    let day = |at: sim::time::Instant| at.local_date().to_string();
    let cash: Vec<_> = stage.cash.iter().map(|one| (one.kind, day(one.stamp.created))).collect();
    let expected = [
        (CashType::Deposit, "2026-03-02".to_owned()),
        (CashType::Subscription, "2026-03-02".to_owned()),
        (CashType::Deposit, "2026-03-03".to_owned()),
        (CashType::Redemption, "2026-03-04".to_owned()),
        (CashType::Subscription, "2026-03-05".to_owned()),
    ];
    assert_eq!(cash, expected);
    let funds: Vec<_> = stage.funds.iter().map(|one| (one.kind, day(one.stamp.created))).collect();
    let expected = [
        (FundType::Subscription, "2026-03-02".to_owned()),
        (FundType::Redemption, "2026-03-02".to_owned()),
        (FundType::Subscription, "2026-03-03".to_owned()),
        (FundType::Subscription, "2026-03-04".to_owned()),
    ];
    assert_eq!(funds, expected);
}

/// (rule: wire/transaction-filters)
#[test]
fn transactions_are_listed_by_every_filter_alone_and_by_several_together() {
    let stage = Stage::new();
    let client = stage.bench.scope.client;
    let (anna, bert) = (stage.accounts[0].id, stage.accounts[1].id);
    let any = TransactionFilter::default;
    let day = |text: &str| Some(sim::time::parse_date(text).expect("a day"));
    let sold = stage.orders[1].id.to_string();
    // What is listed of cash, and of units.
    let rows: [(TransactionFilter, &[usize], &[usize]); 19] = [
        (any(), &[0, 1, 2, 3, 4], &[0, 1, 2, 3]),
        (TransactionFilter { account: Some(anna), ..any() }, &[0, 1, 3], &[0, 1, 3]),
        (TransactionFilter { account: Some(bert), ..any() }, &[2, 4], &[2]),
        (TransactionFilter { date_from: day("2026-03-03"), ..any() }, &[2, 3, 4], &[2, 3]),
        (TransactionFilter { date_to: day("2026-03-03"), ..any() }, &[0, 1, 2], &[0, 1, 2]),
        (TransactionFilter { date_from: day("2026-03-03"), date_to: day("2026-03-03"), ..any() }, &[2], &[2]),
        (TransactionFilter { date_from: day("2026-03-06"), ..any() }, &[], &[]),
        (TransactionFilter { date_to: day("2026-03-01"), ..any() }, &[], &[]),
        (TransactionFilter { reference: Some("opening".to_owned()), ..any() }, &[0, 2], &[0, 2]),
        (TransactionFilter { reference: Some(sold.clone()), ..any() }, &[3], &[1]),
        (TransactionFilter { cash_ref_type: Some(CashRefType::Text), ..any() }, &[0, 2], &[0, 1, 2, 3]),
        (TransactionFilter { cash_ref_type: Some(CashRefType::Order), ..any() }, &[1, 3, 4], &[0, 1, 2, 3]),
        (TransactionFilter { fund_ref_type: Some(FundRefType::Order), ..any() }, &[0, 1, 2, 3, 4], &[1, 3]),
        (TransactionFilter { cash_type: Some(CashType::Subscription), ..any() }, &[1, 4], &[0, 1, 2, 3]),
        (TransactionFilter { fund_type: Some(FundType::Redemption), ..any() }, &[0, 1, 2, 3, 4], &[1]),
        (TransactionFilter { instrument: Some(id(DAILY)), ..any() }, &[3], &[0, 1]),
        (TransactionFilter { instrument: Some(id(GLOBAL)), ..any() }, &[1], &[2, 3]),
        (TransactionFilter { instrument: Some(id(T_PLUS_ONE)), ..any() }, &[4], &[]),
        (
            TransactionFilter {
                account: Some(anna),
                instrument: Some(id(GLOBAL)),
                date_to: day("2026-03-04"),
                ..any()
            },
            &[1],
            &[3],
        ),
    ];
    for (filter, cash, funds) in rows {
        assert_eq!(
            (stage.cash(client, &filter), stage.funds(client, &filter)),
            (cash.to_vec(), funds.to_vec()),
            "{filter:?}"
        );
        let other = ClientId::from_u128(1);
        assert_eq!((stage.cash(other, &filter), stage.funds(other, &filter)), (vec![], vec![]), "another's {filter:?}");
    }
}
