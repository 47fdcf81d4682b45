//! What other settings and permissions of a running world change of fees.

use super::{MARCH, charged, holding, still};
use crate::common::{Bench, GLOBAL, amount, id};
use sim::input::{Act, Input};
use sim::money::{Percent, Units};
use sim::query;
use sim::records::{AccountType, FeeMode, FeeTerms, Permissions};
use sim::settings::Settings;
use std::sync::Arc;

fn take(bench: &mut Bench, act: Act) {
    let now = bench.world.now();
    bench.world.submit(1_000, &Input::new(now, act));
}

fn configure(bench: &mut Bench, change: impl FnOnce(&mut Settings)) {
    let mut settings = bench.world.setup().settings.clone();
    change(&mut settings);
    take(bench, Act::Configure(Arc::new(settings)));
}

/// Ten days without a partner fee.
fn forbid_for_ten_days(bench: &mut Bench) {
    let client = bench.scope.client;
    let known = query::client(&bench.world, client).expect("the client").permissions.clone();
    take(bench, Act::Permit(client, Box::new(Permissions { partner_fee: false, ..known.clone() })));
    bench.to("2026-03-22T12:00:00+01:00");
    take(bench, Act::Permit(client, Box::new(known)));
}

/// (rule: calendar/settings-change, fees/distribution-fee, fees/insurance-charges, clients/client-permissions)
#[test]
fn rates_that_change_count_from_the_day_on_which_they_do() {
    type Change = fn(&mut Bench);
    let insurance = AccountType::Insurance;
    // Of 100,000: ten days at the rate before, twenty at the one after.
    let rows: [(&str, AccountType, Change, &str); 5] = [
        ("as it was", AccountType::Isk, |_| {}, "ServiceFee 2026Q1 12.33"),
        (
            "twice the distribution fee",
            AccountType::Isk,
            |bench| configure(bench, |settings| settings.distribution_fee = 30),
            "ServiceFee 2026Q1 20.55",
        ),
        ("no partner fee for ten days", AccountType::Isk, forbid_for_ten_days, "PartnerFee 2026Q1 54.79"),
        (
            "no insurer's fee any more",
            insurance,
            |bench| configure(bench, |settings| settings.insurance_fee = 0),
            "InsuranceFee 2026Q1 2.74",
        ),
        (
            "a setting that is no rate",
            AccountType::Isk,
            |bench| configure(bench, |settings| settings.kyc_years = 9),
            "ServiceFee 2026Q1 12.33",
        ),
    ];
    for (what, kind, change, expected) in rows {
        let mut setup = still();
        let partner = FeeTerms { basis_points: 100, mode: FeeMode::Withdrawn };
        setup.partners[0].clients[0].fees.partner = partner;
        let mut bench = Bench::of(&setup, 1, MARCH);
        let anna = holding(&mut bench, kind, "100000", &[]);
        bench.to("2026-03-12T12:00:00+01:00");
        change(&mut bench);
        bench.to("2026-04-01T06:00:00+02:00");
        let charged = charged(&bench, &anna);
        assert!(charged.contains(&format!("Fee {expected}")), "{what}: {charged:?}");
    }
}

/// (rule: calendar/settings-change, fees/currency-fee)
#[test]
fn a_purchase_buys_for_what_was_booked_whatever_changing_money_costs_by_then() {
    let fee = |text: &str| Percent::parse(text).expect("a percent");
    let mut setup = still();
    setup.settings.fx_fee = fee("0.5");
    let mut bench = Bench::of(&setup, 1, MARCH);
    let anna = bench.account(bench.open("10000"));
    let order = bench.order(bench.buy(&anna, GLOBAL, "1000.30"));
    bench.to("2026-03-02T08:00:01+01:00");
    configure(&mut bench, |settings| settings.fx_fee = fee("9"));
    bench.to("2026-03-06T12:00:00+01:00");
    let units = Units::bought_for(amount("995.30"), "629.925".parse().expect("a price"), 4);
    assert_eq!(bench.read(&order).units, Some(units));
    assert_eq!(bench.again(&anna).position(id(GLOBAL)).expect("bought").cost, amount("995.30").get());
}

/// (rule: calendar/settings-change, orders/confirmed-is-inside-sent)
#[test]
fn how_an_order_is_shown_changes_at_once() {
    let mut bench = Bench::of(&still(), 1, MARCH);
    let anna = bench.account(bench.open("10000"));
    let order = bench.order(bench.buy(&anna, GLOBAL, "1000"));
    while bench.read(&order).units.is_none() {
        let (next, _) = bench.world.next_timer().expect("it goes on");
        bench.world.advance(next);
    }
    let shown = |bench: &Bench| bench.read(&order).state.shown(&bench.world.setup().settings);
    assert_eq!(shown(&bench), "sent");
    configure(&mut bench, |settings| settings.expose_confirmed = true);
    assert_eq!(shown(&bench), "confirmed");
}
