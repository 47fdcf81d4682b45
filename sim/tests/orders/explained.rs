//! Why an order is in its state, until when, and on which day it settles.

use super::rows::{lever, trading};
use crate::common::{Bench, COMPLEX, DAILY, at, setup};
use sim::command::{Command, ScreeningHit};
use sim::machines::order::Trigger;
use sim::query::{self, Fact, Reason, explanations, settlement_day};
use sim::records::{Order, ParkingCheck};
use sim::time::Instant;
use std::sync::Arc;

const START: &str = "2026-03-02T08:00:00+01:00";
/// The fifth bank day after the start.
const LAPSE: &str = "2026-03-09T09:00:00+01:00";

fn reasons(bench: &Bench, order: &Order) -> Vec<(Reason, Option<Instant>)> {
    let found = explanations(&bench.world, order.id.as_uuid());
    found.iter().map(|one| (one.reason, one.until)).collect()
}

fn expected(bench: &Bench, order: &Order) -> Option<String> {
    settlement_day(&bench.world, order.id).map(|day| day.to_string())
}

fn ordered(bench: &mut Bench, amount: &str, fund: &str, knows: bool) -> Arc<Order> {
    let mut open = bench.open("10000000");
    open.fund_knowledge = knows;
    let anna = bench.account(open);
    bench.order(bench.buy(&anna, fund, amount))
}

/// (rule: events/explanations, orders/hold-reasons)
#[test]
fn an_order_on_hold_says_every_check_that_parked_it_also_when_the_cause_is_gone() {
    let mut bench = Bench::new(11, START);
    let order = ordered(&mut bench, "6000000", COMPLEX, false);
    assert_eq!(reasons(&bench, &order), [(Reason::FirstCheck, Some(at("2026-03-02T08:00:01+01:00")))]);
    bench.to("2026-03-02T08:00:01+01:00");
    let parked = |check| (Reason::Parked(check), Some(at(LAPSE)));
    assert_eq!(reasons(&bench, &order), [parked(ParkingCheck::LargeOrder), parked(ParkingCheck::FundKnowledge)]);
    let found = explanations(&bench.world, order.id.as_uuid());
    assert_eq!(found[0].fact, Some(Fact::Amount(bench.world.setup().settings.hold_above)));
    assert_eq!(expected(&bench, &order), None, "nobody knows when it is released");

    // Sanctions that are lifted have parked it all the same, until it is released.
    let order = ordered(&mut bench, "1000", DAILY, true);
    let account = query::account(&bench.world, bench.scope.client, order.account).expect("its account");
    let owner = account.owner.key();
    let screen = |bench: &mut Bench, hit| {
        let now = bench.world.now();
        bench.world.apply(now, Command::Screen { owner, hit }).expect("screens");
    };
    screen(&mut bench, ScreeningHit::Sanctions);
    screen(&mut bench, ScreeningHit::Clear);
    assert_eq!(reasons(&bench, &order), [parked(ParkingCheck::Sanctions)]);
    lever(&mut bench, &order, "release");
    assert_eq!(reasons(&bench, &order), [(Reason::CutOff, Some(at("2026-03-02T14:00:00+01:00")))]);
    lever(&mut bench, &order, "hold");
    assert_eq!(reasons(&bench, &order), [parked(ParkingCheck::BackOffice)]);
    lever(&mut bench, &order, "release");
    trading(&mut bench, Some(false), None);
    assert_eq!(reasons(&bench, &order), [parked(ParkingCheck::ClosedFund)]);
    bench.to(LAPSE);
    assert_eq!(reasons(&bench, &order), [(Reason::Canceled(Trigger::Lapse), None)]);
}

/// (rule: events/explanations, calendar/settlement-day)
#[test]
fn an_order_says_what_it_waits_for_and_the_day_on_which_it_then_settles() {
    let mut bench = Bench::of(&setup(), 11, START);
    let order = ordered(&mut bench, "1000", DAILY, true);
    let rows = [
        ("2026-03-02T08:00:01+01:00", Some(Reason::CutOff), Some("2026-03-02T14:00:00+01:00")),
        ("2026-03-02T14:00:00+01:00", Some(Reason::Routing), None),
        ("2026-03-02T14:01:00+01:00", Some(Reason::Price), Some("2026-03-02T18:30:00+01:00")),
        ("2026-03-02T18:35:00+01:00", Some(Reason::Settlement), Some("2026-03-04T09:00:00+01:00")),
        ("2026-03-04T09:00:00+01:00", None, None),
    ];
    for (instant, reason, until) in rows {
        bench.to(instant);
        let wanted: Vec<_> = reason.map(|reason| (reason, until.map(at))).into_iter().collect();
        assert_eq!(reasons(&bench, &order), wanted, "at {instant}");
        assert_eq!(expected(&bench, &order).as_deref(), Some("2026-03-04"), "at {instant}");
    }
    assert_eq!(bench.status(&order), "settled");
}

/// (rule: events/explanations)
#[test]
fn a_canceled_order_says_by_what() {
    for (act, on) in [("cancel", Trigger::Cancel), ("reject", Trigger::Stop)] {
        let mut bench = Bench::new(11, START);
        let order = ordered(&mut bench, "1000", DAILY, true);
        lever(&mut bench, &order, act);
        assert_eq!(reasons(&bench, &order), [(Reason::Canceled(on), None)], "{act}");
        assert_eq!(expected(&bench, &order), None, "{act}");
    }
}
