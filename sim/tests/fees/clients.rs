//! What clients take themselves.

use super::{MARCH, charged, holding, still};
use crate::common::{Bench, amount};
use rust_decimal::Decimal;
use sim::command::{Patch, PatchClient, SetClientFees};
use sim::identity::Iban;
use sim::money::Amount;
use sim::records::{AccountType, ClientBankAccount, ClientFees, FeeMode, FeePot, FeeTerms, FeeType, PlatformAccount};
use sim::{Class, Command, query};

const OURS: &str = "SE8150000000050000000019";

fn terms(basis_points: u32, mode: FeeMode) -> FeeTerms {
    FeeTerms { basis_points, mode }
}

/// A world whose client takes these.
fn taking(partner: FeeTerms, client: FeeTerms) -> Bench {
    let mut setup = still();
    setup.settings.distribution_fee = 0;
    setup.partners[0].clients[0].fees = ClientFees { partner, client };
    Bench::of(&setup, 1, MARCH)
}

fn pots(bench: &Bench) -> Vec<(FeeType, FeePot)> {
    query::fee_pots(&bench.world, |_| true).map(|(_, kind, pot)| (kind, pot.clone())).collect()
}

fn books(bench: &Bench, account: PlatformAccount) -> sim::money::Amount {
    let books = query::books(&bench.world, |_| true, true);
    assert_eq!(books.total().balance(), amount("0"));
    books.platform.iter().find(|(role, _)| *role == account).expect("every one").1.balance()
}

fn give_account(bench: &mut Bench, fee_type: FeeType) {
    let accounts = vec![ClientBankAccount { fee_type, iban: Iban::parse(OURS).expect("an iban") }];
    let patch = PatchClient {
        scope: bench.scope,
        name: Patch::Keep,
        display_name: Patch::Keep,
        country: Patch::Keep,
        bank_accounts: Patch::Set(accounts),
        service_types: Patch::Keep,
        names_id: false,
        names_crn: false,
        names_others: false,
    };
    bench.does(Command::PatchClient(Box::new(patch))).expect("patched");
}

/// Sets the partner's terms from now on.
fn sets(bench: &mut Bench, partner: FeeTerms) {
    let set = SetClientFees { scope: bench.scope, partner: Some(partner), client: None };
    bench.does(Command::SetClientFees(set)).expect("set");
}

/// (rule: fees/partner-fee)
#[test]
fn only_what_accrues_in_mode_withdrawn_is_charged() {
    for (mode, charges, carry) in [
        (FeeMode::None, vec![], "0"),
        (FeeMode::Calculated, vec![], "0"),
        // 30 days at 0.50 %: 41.0958904110.
        (FeeMode::Withdrawn, vec!["Fee PartnerFee 2026Q1 41.10".to_owned()], "-0.0041095890"),
    ] {
        let mut bench = taking(terms(50, mode), FeeTerms::default());
        let anna = holding(&mut bench, AccountType::Isk, "100000", &[]);
        bench.to("2026-04-01T06:00:00+02:00");
        assert_eq!(charged(&bench, &anna), charges, "{mode:?}");
        let file = query::fees_of(&bench.world, anna.id).expect("a file");
        let reckoned = file.statement.as_ref().expect("charged").kinds[4];
        let calculated = if mode == FeeMode::Calculated { "41.10" } else { "0" };
        assert_eq!((reckoned.mode, reckoned.calculated), (mode, amount(calculated)));
        assert_eq!(file.owed[4].carry, carry.parse::<Decimal>().expect("a number"), "{mode:?}");
    }
}

/// (rule: fees/partner-fee)
#[test]
fn each_midnight_accrues_by_the_mode_of_that_midnight() {
    // Ten days in each mode; ten days of 100,000.00 at 0.50 % are 13.6986.
    for (modes, charge) in [
        ([FeeMode::Calculated, FeeMode::Calculated, FeeMode::Withdrawn], "13.70"),
        ([FeeMode::None, FeeMode::None, FeeMode::Withdrawn], "13.70"),
        ([FeeMode::None, FeeMode::Withdrawn, FeeMode::Calculated], "13.70"),
        ([FeeMode::Withdrawn, FeeMode::None, FeeMode::None], "13.70"),
        ([FeeMode::Withdrawn, FeeMode::Calculated, FeeMode::Withdrawn], "27.40"),
    ] {
        let mut bench = taking(terms(50, modes[0]), FeeTerms::default());
        let anna = holding(&mut bench, AccountType::Isk, "100000", &[]);
        for (at, mode) in [("2026-03-12T12:00:00+01:00", modes[1]), ("2026-03-22T12:00:00+01:00", modes[2])] {
            bench.to(at);
            sets(&mut bench, terms(50, mode));
        }
        bench.to("2026-04-01T06:00:00+02:00");
        assert_eq!(charged(&bench, &anna), [format!("Fee PartnerFee 2026Q1 {charge}")], "{modes:?}");
        let file = query::fees_of(&bench.world, anna.id).expect("a file");
        let calculated = file.statement.as_ref().expect("charged").kinds[4].calculated;
        let tens = modes.iter().filter(|mode| **mode == FeeMode::Calculated).count();
        assert_eq!(calculated, amount(["0", "13.70", "27.40"][tens]), "{modes:?}");
    }
}

/// (rule: fees/partner-fee, fees/fees-shown)
#[test]
fn what_is_only_calculated_is_shown_beside_what_will_be_charged() {
    let mut bench = taking(terms(50, FeeMode::Calculated), FeeTerms::default());
    let anna = holding(&mut bench, AccountType::Isk, "100000", &[]);
    let shown = |bench: &Bench| {
        let view = query::fees(&bench.world, anna.id).expect("it was active");
        [view.calculated[4], view.accrued[4]].map(|sum| format!("{:.2}", sim::money::round_half_up(sum, 2)))
    };
    bench.to("2026-03-12T12:00:00+01:00");
    assert_eq!(shown(&bench), ["13.70", "0.00"]);
    sets(&mut bench, terms(50, FeeMode::Withdrawn));
    assert_eq!(shown(&bench), ["13.70", "0.00"], "the new mode begins with the next midnight");
    bench.to("2026-03-13T00:00:00+01:00");
    assert_eq!(shown(&bench), ["13.70", "1.37"]);
    sets(&mut bench, terms(50, FeeMode::None));
    bench.to("2026-03-31T12:00:00+02:00");
    assert_eq!(shown(&bench), ["13.70", "1.37"], "nothing accrues any more");
    bench.to("2026-04-01T12:00:00+02:00");
    assert_eq!(
        (charged(&bench, &anna), shown(&bench)),
        (vec!["Fee PartnerFee 2026Q1 1.37".into()], ["0.00".into(), "0.00".into()])
    );
}

/// (rule: fees/partner-fee)
#[test]
fn a_mode_that_begins_between_a_quarters_end_and_its_fee_day_takes_nothing_of_that_quarter() {
    let mut bench = taking(terms(50, FeeMode::Calculated), FeeTerms::default());
    let anna = holding(&mut bench, AccountType::Isk, "100000", &[]);
    bench.to("2027-01-02T12:00:00+01:00");
    sets(&mut bench, terms(50, FeeMode::Withdrawn));
    bench.to("2027-01-04T06:00:00+01:00");
    assert_eq!(charged(&bench, &anna), [""; 0], "the fourth quarter and 1 January were only calculated");
    bench.to("2027-04-01T06:00:00+02:00");
    // 89 days.
    assert_eq!(charged(&bench, &anna), ["Fee PartnerFee 2027Q1 121.92"]);
}

/// (rule: fees/partner-fee)
#[test]
fn what_is_withdrawn_waits_for_a_bank_account_of_its_kind_and_goes_there() {
    let mut bench = taking(terms(50, FeeMode::Withdrawn), terms(20, FeeMode::Withdrawn));
    let anna = holding(&mut bench, AccountType::Isk, "100000", &[]);
    give_account(&mut bench, FeeType::ClientFee);
    bench.to("2026-04-01T06:00:00+02:00");
    assert_eq!(charged(&bench, &anna), ["Fee PartnerFee 2026Q1 41.10", "Fee ClientFee 2026Q1 16.44"]);
    let [(FeeType::PartnerFee, waits), (FeeType::ClientFee, paid)] = &pots(&bench)[..] else { panic!("two") };
    assert_eq!((waits.waiting, waits.paid.len()), (amount("41.10"), 0));
    assert_eq!((paid.waiting, paid.paid[0].amount), (amount("0"), amount("16.44")));
    assert_eq!(paid.paid[0].iban.to_string(), OURS);
    assert_eq!(books(&bench, PlatformAccount::PartnerFees), amount("41.10"));
    assert_eq!(books(&bench, PlatformAccount::Bank), amount("16.44"));
    give_account(&mut bench, FeeType::PartnerFee);
    assert_eq!(pots(&bench)[0].1.waiting, amount("0"), "it is paid on at once");
    assert_eq!(books(&bench, PlatformAccount::PartnerFees), amount("0"));
}

/// (rule: fees/partner-fee)
#[test]
fn the_fees_of_all_accounts_of_an_instant_are_paid_on_together() {
    let mut bench = taking(terms(50, FeeMode::Withdrawn), FeeTerms::default());
    give_account(&mut bench, FeeType::PartnerFee);
    holding(&mut bench, AccountType::Isk, "100000", &[]);
    holding(&mut bench, AccountType::Depot, "100000", &[]);
    bench.to("2026-04-01T06:00:00+02:00");
    let paid = &pots(&bench)[0].1.paid;
    assert_eq!((paid.len(), paid[0].amount), (1, amount("82.20")));
}

/// (rule: fees/partner-fee)
#[test]
fn other_terms_count_from_the_day_on_which_they_are_set() {
    let mut bench = taking(terms(50, FeeMode::Calculated), FeeTerms::default());
    let anna = holding(&mut bench, AccountType::Isk, "100000", &[]);
    bench.to("2026-03-12T12:00:00+01:00");
    let set = SetClientFees { scope: bench.scope, partner: Some(terms(100, FeeMode::Withdrawn)), client: None };
    bench.does(Command::SetClientFees(set)).expect("set");
    bench.to("2026-04-01T06:00:00+02:00");
    // Ten days at 0.50 % were only calculated, twenty at 1 % are taken.
    assert_eq!(charged(&bench, &anna), ["Fee PartnerFee 2026Q1 54.79"]);
}

/// (rule: fees/partner-fee, fees/distribution-fee)
#[test]
fn terms_that_change_between_a_quarters_end_and_its_fee_day_leave_what_that_quarter_is_charged_as_it_was() {
    let run = |times: u8| {
        let mut bench = taking(terms(50, FeeMode::Withdrawn), FeeTerms::default());
        let anna = holding(&mut bench, AccountType::Isk, "100000", &[]);
        bench.to("2027-01-03T12:00:00+01:00");
        let before = bench.again(&anna).balance;
        for _ in 0..times {
            let set = SetClientFees { scope: bench.scope, partner: Some(terms(100, FeeMode::Withdrawn)), client: None };
            bench.does(Command::SetClientFees(set)).expect("set");
        }
        bench.to("2027-01-04T06:00:00+01:00");
        let after = bench.again(&anna).balance;
        bench.to("2027-04-01T06:00:00+02:00");
        (before, after, charged(&bench, &anna))
    };
    let (before, after, unchanged) = run(0);
    for times in [1, 2] {
        let (_, now, changed) = run(times);
        assert_eq!((now, &changed[..4]), (after, &unchanged[..4]), "set {times} times");
        // Two days at 0.50 %, one at 1 %, all before the charge; then 87 at 1 % of what it left.
        let of = |value: Amount, days: i64| value.get() * Decimal::from(days) / Decimal::from(200 * 365);
        let due = of(before, 2 + 2) + of(after, 2 * 87);
        let charged: Decimal = changed[4].rsplit(' ').next().expect("a number").parse().expect("a number");
        assert!((charged - due).abs() <= Decimal::new(1, 2), "{changed:?}, not {due}");
    }
}

/// (rule: fees/partner-fee, fees/distribution-fee)
#[test]
fn an_account_that_opens_between_a_quarters_end_and_its_fee_day_is_charged_nothing_for_that_quarter() {
    let run = |times: u8| {
        let mut setup = still();
        setup.partners[0].clients[0].fees.partner = terms(100, FeeMode::Withdrawn);
        let mut bench = Bench::of(&setup, 1, "2026-12-01T08:00:00+01:00");
        bench.to("2027-01-01T12:00:00+01:00");
        let anna = holding(&mut bench, AccountType::Isk, "100000", &[]);
        bench.to("2027-01-03T12:00:00+01:00");
        for _ in 0..times {
            let set = SetClientFees { scope: bench.scope, partner: Some(terms(100, FeeMode::Withdrawn)), client: None };
            bench.does(Command::SetClientFees(set)).expect("set");
        }
        bench.to("2027-04-01T06:00:00+02:00");
        charged(&bench, &anna)
    };
    // 90 days of 100,000.00, whether terms were set anew before the fee day or not.
    let expected = ["Fee ServiceFee 2027Q1 36.99", "Fee PartnerFee 2027Q1 246.58"];
    for times in 0..=2 {
        assert_eq!(run(times), expected, "set {times} times");
    }
}

/// (rule: fees/partner-fee, clients/client-permissions)
#[test]
fn without_the_permission_there_is_no_partner_fee() {
    let mut setup = still();
    let client = &mut setup.partners[0].clients[0];
    client.permissions.partner_fee = false;
    client.fees.partner = terms(50, FeeMode::Withdrawn);
    let mut bench = Bench::of(&setup, 1, MARCH);
    let anna = holding(&mut bench, AccountType::Isk, "100000", &[]);
    let set = |partner, client| Command::SetClientFees(SetClientFees { scope: bench.scope, partner, client });
    let (refused, taken) = (set(Some(FeeTerms::default()), None), set(None, Some(terms(10, FeeMode::Calculated))));
    assert_eq!(bench.does(refused).expect_err("no permission").class, Class::OutOfScope);
    bench.does(taken).expect("the client's own is another matter");
    bench.to("2026-04-01T06:00:00+02:00");
    assert_eq!(charged(&bench, &anna), ["Fee ServiceFee 2026Q1 12.33"]);
}
