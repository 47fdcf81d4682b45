//! Accounts that journeys open: approval, signatures, rejection.

use crate::common::{Bench, DAILY, amount};
use crate::journeys::{ANNA, START, answers, moving, opening, opening_by, transfer_of};
use sim::command::{Decision, ScreeningHit};
use sim::identity::OrganisationNumber;
use sim::machines::journey::State;
use sim::records::{
    Account, AccountType, AgreementType, Configuration, ErrorCode, JourneyStep, KycStatus, LegalEntity, Owner,
    OwnerKey, Proceeds, ServiceType, Signatory,
};
use sim::{Class, Command, Reply, query};
use std::sync::Arc;

fn status(bench: &Bench, account: &Account) -> &'static str {
    query::account_status(bench.again(account).status())
}

fn decide(bench: &mut Bench, account: &Account, decision: Decision) -> Result<Reply, sim::Refusal> {
    let partner = bench.scope.partner;
    bench.does(Command::DecideAccount { partner, account: account.id, decision })
}

#[test]
fn the_answers_make_the_account() {
    let mut bench = Bench::new(1, START);
    let mut configuration = opening_by(ANNA, AccountType::Isk);
    configuration.account_service_type = Some(ServiceType::InvestmentAdvise);
    let given = [
        (JourneyStep::Authentication, answers(&[("firstName", "Anna"), ("lastName", "Prov")])),
        (JourneyStep::AccountDetails, answers(&[("accountName", "Rainy days"), ("email", "anna@example.com")])),
        (JourneyStep::Kyc, answers(&[("fundKnowledge", "no"), ("originOfFunds", "salary|savings")])),
    ];
    let done = bench.walk(configuration, &given);
    let account = bench.account_of(&done);
    assert_eq!(account.name.as_ref(), "Rainy days");
    assert_eq!((account.account_type, account.service_type), (AccountType::Isk, ServiceType::InvestmentAdvise));
    assert!(!account.fund_knowledge);
    assert_eq!(account.owner.as_ref(), &{
        let sim::records::Owner::NaturalPerson(mut person) = bench.owner(ANNA) else { panic!("a person") };
        person.first_name = Arc::from("Anna");
        sim::records::Owner::NaturalPerson(person)
    });
    let standing = query::standing(&bench.world, account.id).expect("a journey opened it");
    assert_eq!(standing.email.as_deref(), Some("anna@example.com"));
    let funds = standing.kyc.iter().find(|answer| answer.qid.as_ref() == "originOfFunds").expect("answered");
    assert_eq!(funds.answer.len(), 2);
    let result = done.result.as_ref().and_then(|result| result.account.as_ref()).expect("an account");
    assert_eq!((result.id, query::account_status(result.status)), (account.id, "pending"));
}

/// (rule: money/made-up-people)
#[test]
fn the_same_person_has_the_same_name_in_every_account() {
    let mut bench = Bench::new(1, START);
    let first = bench.walk(opening_by(ANNA, AccountType::Isk), &[]);
    let named = [(JourneyStep::Authentication, answers(&[("firstName", "Somebody"), ("lastName", "Else")]))];
    let second = bench.walk(opening_by(ANNA, AccountType::Depot), &named);
    assert_eq!(bench.account_of(&first).owner, bench.account_of(&second).owner);
}

/// (rule: accounts/default-name)
#[test]
fn an_account_nobody_named_is_called_by_its_type() {
    for (kind, name) in
        [(AccountType::Isk, "ISK"), (AccountType::Depot, "Depå"), (AccountType::Insurance, "Kapitalförsäkring")]
    {
        let mut bench = Bench::new(1, START);
        let done = bench.walk(opening(kind), &[]);
        assert_eq!(bench.account_of(&done).name.as_ref(), name);
        let given = Configuration { account_name: Some(Arc::from("Mine")), ..opening(kind) };
        let done = bench.walk(given, &[]);
        assert_eq!(bench.account_of(&done).name.as_ref(), "Mine");
    }
}

/// (rule: accounts/account-types, accounts/approval)
#[test]
fn an_insurance_account_waits_for_the_insurer_then_for_the_approval() {
    let mut bench = Bench::new(1, START);
    let done = bench.walk(opening_by(ANNA, AccountType::Insurance), &[]);
    let account = bench.account_of(&done);
    assert_eq!(status(&bench, &account), "confirm");
    bench.wait("2026-03-10T08:00:00+01:00");
    assert_eq!(status(&bench, &account), "confirm");
    bench.event_kinds();
    decide(&mut bench, &account, Decision::Confirm).expect("the insurer signs");
    assert_eq!((status(&bench, &account), bench.event_kinds()), ("pending", vec!["account.update"]));
    bench.wait("2026-03-10T08:00:05+01:00");
    assert_eq!(status(&bench, &account), "active");
    bench.wait("2026-04-10T08:00:00+01:00");
    assert_eq!(status(&bench, &account), "active");
}

/// (rule: calendar/end-of-days, accounts/approval)
#[test]
fn an_account_without_all_signatures_is_rejected_after_two_weeks_at_nine() {
    let mut bench = Bench::new(1, START);
    let done = bench.walk(opening_by(ANNA, AccountType::Insurance), &[]);
    let account = bench.account_of(&done);
    bench.wait("2026-03-16T08:59:59.999+01:00");
    assert_eq!(status(&bench, &account), "confirm");
    bench.wait("2026-03-16T09:00:00+01:00");
    assert_eq!(status(&bench, &account), "rejected");
}

#[test]
fn approvals_follow_the_number_of_the_person() {
    for (number, after_5_s) in [(ANNA, "active"), ("197001022388", "rejected"), ("197001082382", "pending")] {
        let mut bench = Bench::new(1, START);
        let done = bench.walk(opening_by(number, AccountType::Depot), &[]);
        let account = bench.account_of(&done);
        bench.wait("2026-03-20T08:00:05+01:00");
        assert_eq!(status(&bench, &account), after_5_s, "{number}");
    }
}

#[test]
fn levers_decide_what_waits_and_conflict_with_what_does_not() {
    type Row = (&'static str, Decision, Result<&'static str, &'static [&'static str]>);
    let rows: &[Row] = &[
        ("pending", Decision::Approve, Ok("active")),
        ("pending", Decision::Reject, Ok("rejected")),
        ("pending", Decision::Confirm, Err(&["approve", "reject"])),
        ("confirm", Decision::Confirm, Ok("pending")),
        ("confirm", Decision::Reject, Ok("rejected")),
        ("confirm", Decision::Approve, Err(&["reject", "confirm"])),
        ("active", Decision::Reject, Err(&[])),
    ];
    for (from, decision, expected) in rows {
        let mut bench = Bench::new(1, START);
        let kind = if *from == "confirm" { AccountType::Insurance } else { AccountType::Depot };
        let done = bench.walk(opening_by("197001082382", kind), &[]);
        let account = bench.account_of(&done);
        if *from == "active" {
            decide(&mut bench, &account, Decision::Approve).expect("approved");
        }
        assert_eq!(status(&bench, &account), *from);
        match (decide(&mut bench, &account, *decision), expected) {
            (Ok(_), Ok(to)) => assert_eq!(status(&bench, &account), *to),
            (Err(refusal), Err(allowed)) => {
                let conflict = refusal.conflict.expect("a conflict");
                assert_eq!((conflict.current.as_str(), conflict.allowed.as_slice()), (*from, *allowed));
            }
            (other, _) => panic!("{from} {decision:?}: {other:?}"),
        }
        bench.wait("2026-03-20T08:00:00+01:00");
    }
}

#[test]
fn no_order_is_taken_before_the_account_is_active() {
    let mut bench = Bench::new(1, START);
    let done = bench.walk(opening_by(ANNA, AccountType::Depot), &[]);
    let account = bench.account_of(&done);
    let place = bench.buy(&account, DAILY, "1000");
    let refusal = bench.does(Command::PlaceOrder(place.clone())).expect_err("not yet");
    assert_eq!(refusal.class, Class::AccountNotActive);
    bench.wait("2026-03-02T08:00:05+01:00");
    let refusal = bench.does(Command::PlaceOrder(place)).expect_err("no cash");
    assert_eq!(refusal.class, Class::Insufficient);
}

/// (rule: journeys/fixed-outcomes-strike)
#[test]
fn a_refused_required_transfer_leaves_a_rejected_account_and_a_rejected_transfer() {
    let mut bench = Bench::new(1, START);
    let configuration = Configuration {
        transfer: Some(transfer_of(vec![moving(AccountType::Isk)])),
        ..opening_by("197001062384", AccountType::Isk)
    };
    let journey = bench.walk(configuration, &[]);
    assert_eq!(journey.state, State::Error);
    assert_eq!((journey.error_code, journey.context), (Some(ErrorCode::Transfer), Some(JourneyStep::Signing)));
    assert_eq!(journey.result, None);
    assert_eq!(bench.event_kinds(), ["journey.update", "account.create", "account.update", "journey.update"]);
    let accounts = query::accounts(&bench.world, bench.scope.client, &sim::store::Window::default(), None);
    assert_eq!(accounts.len(), 1);
    assert_eq!(status(&bench, &accounts[0]), "rejected");
    let transfers = query::transfers(&bench.world, accounts[0].id, &sim::store::Window::default());
    assert_eq!(transfers.iter().map(|transfer| transfer.state.name()).collect::<Vec<_>>(), ["rejected"]);
    assert_eq!(bench.callbacks().len(), 1);
    bench.wait("2026-04-20T08:00:00+02:00");
    assert_eq!(status(&bench, &accounts[0]), "rejected");
}

#[test]
fn the_lever_s_transfer_failure_rejects_an_account_too() {
    let mut bench = Bench::new(1, START);
    let partner = bench.scope.partner;
    let configuration =
        Configuration { transfer: Some(transfer_of(vec![moving(AccountType::Isk)])), ..opening(AccountType::Isk) };
    let journey = bench.journey(configuration);
    let fail = Command::FailJourney { partner, journey, code: ErrorCode::Transfer, context: None };
    bench.does(fail).expect("fails");
    let accounts = query::accounts(&bench.world, bench.scope.client, &sim::store::Window::default(), None);
    assert_eq!(accounts.iter().map(|account| status(&bench, account)).collect::<Vec<_>>(), ["rejected"]);
}

/// (rule: accounts/screening)
#[test]
fn a_sanctions_hit_parks_orders_stops_payouts_and_can_be_cleared() {
    let mut bench = Bench::new(1, START);
    let mut open = bench.open("10000");
    open.owner = Some(bench.owner(ANNA));
    open.positions = vec![(crate::common::id(DAILY), crate::common::units("50"))];
    open.bank_accounts = vec![bench.bank("SE8150000000050000000019")];
    let account = bench.account(open);
    let waiting = bench.order(bench.buy(&account, DAILY, "1000"));
    bench.wait("2026-03-02T08:00:02+01:00");
    assert_eq!(bench.status(&waiting), "pending");
    let owner = OwnerKey::Ssn(crate::journeys::ssn(ANNA));
    let screened = bench.does(Command::Screen { owner, hit: ScreeningHit::Sanctions }).expect("screens");
    assert!(matches!(screened, Reply::Accounts(accounts) if accounts.len() == 1));
    assert_eq!(bench.status(&waiting), "hold");
    let later = bench.order(bench.buy(&account, DAILY, "1000"));
    bench.wait("2026-03-02T08:00:04+01:00");
    assert_eq!(bench.status(&later), "hold");
    let mut payout = bench.sell(&account, DAILY, "10");
    payout.proceeds = Proceeds::PayOut(account.bank_accounts[0].id);
    payout.executor = Some(crate::journeys::ssn(ANNA));
    let refusal = bench.does(Command::PlaceOrder(payout.clone())).expect_err("stopped");
    assert_eq!(refusal.class, Class::BadTarget);
    bench.does(Command::Screen { owner, hit: ScreeningHit::Clear }).expect("clears");
    bench.does(Command::PlaceOrder(payout)).expect("goes again");
    let free = bench.order(bench.buy(&account, DAILY, "1000"));
    bench.wait("2026-03-02T08:00:06+01:00");
    assert_eq!(bench.status(&free), "pending");
    assert_eq!(bench.again(&account).balance, amount("8000"));
}

/// (rule: orders/parked-leaves-aggregate, accounts/screening)
#[test]
fn a_sanctions_hit_parks_an_order_between_its_cut_off_and_its_routing() {
    let mut bench = Bench::new(1, START);
    let mut open = bench.open("10000");
    open.owner = Some(bench.owner(ANNA));
    let account = bench.account(open);
    let order = bench.order(bench.buy(&account, DAILY, "1000"));
    bench.wait("2026-03-02T14:00:10+01:00");
    assert_eq!(bench.read(&order).state, sim::machines::order::State::Aggregated);
    let owner = OwnerKey::Ssn(crate::journeys::ssn(ANNA));
    bench.does(Command::Screen { owner, hit: ScreeningHit::Sanctions }).expect("screens");
    assert_eq!(bench.status(&order), "hold");
}

#[test]
fn agreements_name_who_signed_and_when() {
    let mut bench = Bench::new(1, START);
    let done = bench.walk(opening_by(ANNA, AccountType::Insurance), &[]);
    let account = bench.account_of(&done);
    let keys = |account: &Account| query::agreement_types(account).iter().map(|kind| kind.key()).collect::<Vec<_>>();
    assert_eq!(keys(&account), ["account", "power_of_attorney", "insurance"]);
    let facts = query::agreement(&bench.world, &account, AgreementType::PowerOfAttorney).expect("signed");
    assert_eq!((facts.signatures.len(), facts.signatures[0].at), (1, crate::common::at(START)));
    assert_eq!(facts.signatures[0].ssn.to_string(), ANNA);
    assert_eq!(facts.client.as_ref(), "Client AB");
    assert_eq!(query::agreement(&bench.world, &account, AgreementType::Autogiro), None);
    let plain = bench.account(bench.open("0"));
    assert_eq!(keys(&plain), ["account", "power_of_attorney"]);
    let facts = query::agreement(&bench.world, &plain, AgreementType::Account).expect("from the start");
    assert_eq!(facts.signatures[0].at, plain.stamp.created);
    let kyc = query::kyc_status(&bench.world, &account);
    assert_eq!(kyc.status, KycStatus::Pending);
}

/// (rule: journeys/sign-withdrawal)
#[test]
fn a_signed_withdrawal_covers_one_withdrawal_within_a_day() {
    let mut setup = crate::common::setup();
    setup.partners[0].clients[0].withdrawal_needs_signature = true;
    let mut bench = Bench::of(&setup, 1, START);
    let mut open = bench.open("0");
    open.owner = Some(bench.owner(ANNA));
    open.positions = vec![(crate::common::id(DAILY), crate::common::units("50"))];
    open.bank_accounts = vec![bench.bank("SE8150000000050000000019")];
    let account = bench.account(open);
    let mut payout = bench.sell(&account, DAILY, "10");
    payout.proceeds = Proceeds::PayOut(account.bank_accounts[0].id);
    payout.executor = Some(crate::journeys::ssn(ANNA));
    let payout = Command::PlaceOrder(payout);
    let sign = || crate::journeys::about(&account, sim::records::JourneyType::SignWithdrawal);
    assert_eq!(bench.does(payout.clone()).expect_err("not signed").class, Class::NotAllowedNow);
    bench.walk(sign(), &[]);
    bench.does(payout.clone()).expect("signed");
    assert_eq!(bench.does(payout.clone()).expect_err("used").class, Class::NotAllowedNow);
    bench.walk(sign(), &[]);
    bench.wait("2026-03-03T08:00:00.001+01:00");
    assert_eq!(bench.does(payout.clone()).expect_err("a day later").class, Class::NotAllowedNow);
    bench.walk(sign(), &[]);
    bench.does(payout).expect("signed again");
    let sale = bench.sell(&account, DAILY, "5");
    bench.does(Command::PlaceOrder(sale)).expect("a sale needs no signature");
}

/// (rule: accounts/opening-events)
#[test]
fn an_account_that_opens_with_cash_emits_its_creation_then_its_cash_then_its_update() {
    let mut bench = Bench::new(1, START);
    bench.event_kinds();
    bench.account(bench.open("1000"));
    assert_eq!(bench.event_kinds(), ["account.create", "cashTransaction.create", "account.update"]);
}

/// (rule: journeys/advice-needs-risk-tolerance)
#[test]
fn advice_needs_to_know_how_much_risk_the_customer_bears() {
    for (service, needed) in [
        (ServiceType::InvestmentAdvise, true),
        (ServiceType::PortfolioManagement, true),
        (ServiceType::ExecutionOnly, false),
    ] {
        let mut bench = Bench::new(1, START);
        let mut configuration = opening_by(ANNA, AccountType::Depot);
        configuration.account_service_type = Some(service);
        let journey = bench.opened(configuration);
        let steps = query::journey_steps(&bench.world, journey);
        let kyc = steps.iter().find(|view| view.step == JourneyStep::Kyc).expect("shown");
        let risk = kyc.fields.iter().find(|field| field.key == "riskTolerance").expect("asked");
        assert_eq!(risk.required, needed, "{service:?}");
    }
}

/// (rule: money/fixed-outcomes-of-people, accounts/screening)
#[test]
fn the_numbers_of_sanctioned_persons_park_orders_and_stop_payouts_without_a_hit() {
    const SANCTIONED: &str = "197001022388";
    let person =
        |number: &str| Signatory { name: Arc::from("Anna Prov"), ssn: crate::journeys::ssn(number), email: None };
    let company = |numbers: &[&str]| {
        Owner::LegalEntity(Arc::new(LegalEntity {
            name: Arc::from("Prov AB"),
            crn: OrganisationNumber::parse("5599900015").expect("a number"),
            form: None,
            registration_country: None,
            countries_of_taxation: None,
            address: None,
            contact_person: None,
            signatories: numbers.iter().map(|number| person(number)).collect(),
        }))
    };
    let bench = Bench::new(1, START);
    for (owner, stopped) in [
        (bench.owner(ANNA), false),
        (bench.owner(SANCTIONED), true),
        (bench.owner("197001012389"), false),
        (company(&[ANNA]), false),
        (company(&[ANNA, SANCTIONED]), true),
    ] {
        let mut bench = Bench::new(1, START);
        let mut open = bench.open("10000");
        let signer = match &owner {
            Owner::NaturalPerson(person) => person.ssn,
            Owner::LegalEntity(entity) => entity.signatories[0].ssn,
        };
        open.owner = Some(owner.clone());
        open.positions = vec![(crate::common::id(DAILY), crate::common::units("50"))];
        open.bank_accounts = vec![bench.bank("SE8150000000050000000019")];
        let account = bench.account(open);
        let order = bench.order(bench.buy(&account, DAILY, "1000"));
        let mut payout = bench.sell(&account, DAILY, "10");
        payout.proceeds = Proceeds::PayOut(account.bank_accounts[0].id);
        payout.executor = Some(signer);
        let refused = bench.does(Command::PlaceOrder(payout)).err().map(|refusal| refusal.class);
        assert_eq!(refused, stopped.then_some(Class::BadTarget), "{owner:?}");
        bench.wait("2026-03-02T08:00:02+01:00");
        assert_eq!(bench.status(&order), if stopped { "hold" } else { "pending" }, "{owner:?}");
    }
}
