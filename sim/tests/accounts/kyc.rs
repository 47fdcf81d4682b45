//! KYC: how long answers hold, and how they are renewed.

use crate::common::{Bench, COMPLEX};
use crate::journeys::{ANNA, START, about, answers, opening_by};
use sim::command::ScreeningHit;
use sim::records::{Account, AccountType, JourneyStep, JourneyType, KycStatus, OwnerKey};
use sim::{Command, query};
use std::sync::Arc;

fn opened(bench: &mut Bench, number: &str, pep: &str) -> Arc<Account> {
    let given = [(JourneyStep::Kyc, answers(&[("pep", pep)]))];
    let done = bench.walk(opening_by(number, AccountType::Depot), &given);
    bench.account_of(&done)
}

fn kyc(bench: &Bench, account: &Account) -> query::KycView {
    query::kyc_status(&bench.world, &bench.again(account))
}

/// (rule: accounts/kyc-renewal)
#[test]
fn answers_hold_three_years_and_one_for_the_exposed() {
    let rows = [(ANNA, "no", "2029-03-02"), (ANNA, "yes", "2027-03-02"), ("197001012389", "no", "2027-03-02")];
    for (number, pep, expiry) in rows {
        let mut bench = Bench::new(1, START);
        let account = opened(&mut bench, number, pep);
        assert_eq!(kyc(&bench, &account).status, KycStatus::Pending);
        bench.wait("2026-03-02T08:00:05+01:00");
        let view = kyc(&bench, &account);
        assert_eq!((view.status, view.expiry.to_string().as_str()), (KycStatus::Valid, expiry), "{number} {pep}");
        assert_eq!((view.last_updated, view.renewal_required), (crate::common::at(START), false));
    }
}

#[test]
fn a_screening_hit_shortens_them() {
    let mut bench = Bench::new(1, START);
    let account = opened(&mut bench, ANNA, "no");
    let owner = OwnerKey::Ssn(crate::journeys::ssn(ANNA));
    bench.does(Command::Screen { owner, hit: ScreeningHit::Pep }).expect("screens");
    assert_eq!(kyc(&bench, &account).expiry.to_string(), "2027-03-02");
}

/// (rule: accounts/kyc-renewal)
#[test]
fn they_expire_sixty_days_after_the_warning_and_a_renewal_makes_them_valid_again() {
    let mut bench = Bench::new(1, START);
    let account = opened(&mut bench, ANNA, "yes");
    let rows = [
        ("2026-12-31T12:00:00+01:00", KycStatus::Valid, false),
        ("2027-01-01T00:00:00+01:00", KycStatus::Expiring, true),
        ("2027-03-02T23:59:59+01:00", KycStatus::Expiring, true),
        ("2027-03-03T00:00:00+01:00", KycStatus::Expired, true),
    ];
    for (instant, status, renew) in rows {
        bench.wait(instant);
        assert_eq!(
            (kyc(&bench, &account).status, kyc(&bench, &account).renewal_required),
            (status, renew),
            "{instant}"
        );
    }
    let configuration = about(&account, JourneyType::KycRenewal);
    let journey = bench.journey(configuration);
    assert_eq!(kyc(&bench, &account).status, KycStatus::Expired, "not yet opened");
    bench.does(Command::OpenJourney { journey, partner: None }).expect("opens");
    assert_eq!(kyc(&bench, &account).status, KycStatus::Pending);
    let view = query::journey_steps(&bench.world, journey).into_iter().find(|view| view.step == JourneyStep::Kyc);
    let pep = view.expect("shown").fields.into_iter().find(|field| field.key == "pep").expect("asked");
    assert_eq!((pep.values.first().map(AsRef::as_ref), pep.read_only), (Some("yes"), false), "as answered before");
    let done = bench.complete(journey, &[(JourneyStep::Kyc, answers(&[("pep", "no")]))]);
    assert_eq!(done.result.as_deref(), Some(&sim::records::JourneyResult::default()));
    let view = kyc(&bench, &account);
    assert_eq!((view.status, view.expiry.to_string().as_str()), (KycStatus::Valid, "2030-03-03"));
    assert_eq!(view.last_updated, bench.world.now());
}

/// (rule: securities/complex-funds)
#[test]
fn the_appropriateness_answer_opens_complex_funds() {
    for (answer, status) in [("no", "hold"), ("yes", "pending")] {
        let mut bench = Bench::new(1, START);
        let mut open = bench.open("10000");
        open.owner = Some(bench.owner(ANNA));
        open.fund_knowledge = false;
        let account = bench.account(open);
        bench.walk(
            about(&account, JourneyType::KycRenewal),
            &[(JourneyStep::Kyc, answers(&[("fundKnowledge", answer)]))],
        );
        let order = bench.order(bench.buy(&account, COMPLEX, "1000"));
        bench.wait("2026-03-02T08:00:02+01:00");
        assert_eq!(bench.status(&order), status);
    }
}

/// (rule: accounts/kyc-renewal)
#[test]
fn kyc_is_pending_while_a_renewal_of_that_account_is_open_and_no_other_journey() {
    for (kind, opened, expected) in [
        (JourneyType::KycRenewal, true, KycStatus::Pending),
        (JourneyType::KycRenewal, false, KycStatus::Valid),
        (JourneyType::SignWithdrawal, true, KycStatus::Valid),
    ] {
        let mut bench = Bench::new(1, START);
        let mut open = bench.open("0");
        open.bank_accounts = vec![bench.bank("SE8150000000050000000019")];
        let (account, other) = (bench.account(open), bench.account(bench.open("0")));
        let journey = bench.journey(about(&account, kind));
        if opened {
            bench.does(Command::OpenJourney { journey, partner: None }).expect("a new journey");
        }
        assert_eq!(kyc(&bench, &account).status, expected, "{kind:?}");
        assert_eq!(kyc(&bench, &other).status, KycStatus::Valid, "{kind:?}");
        bench.complete(journey, &[]);
        assert_eq!(kyc(&bench, &account).status, KycStatus::Valid, "{kind:?}");
    }
}

/// (rule: accounts/kyc-renewal)
#[test]
fn a_renewal_that_says_nothing_new_keeps_what_was_answered_before() {
    let mut bench = Bench::new(1, START);
    let before = answers(&[("income", "over1000000"), ("originOfFunds", "salary|savings"), ("taxResidency", "NO|SE")]);
    let done = bench.walk(opening_by(ANNA, AccountType::Depot), &[(JourneyStep::Kyc, before.clone())]);
    let account = bench.account_of(&done);
    bench.wait("2026-03-02T08:00:05+01:00");
    let kept = |bench: &Bench| query::standing(&bench.world, account.id).expect("a journey opened it").kyc.clone();
    let first = kept(&bench);
    for (name, texts) in &before.0 {
        assert!(first.iter().any(|answer| answer.qid == *name && answer.answer == *texts), "{name}");
    }
    let journey = bench.journey(about(&account, JourneyType::KycRenewal));
    let view = query::journey_steps(&bench.world, journey).into_iter().find(|view| view.step == JourneyStep::Kyc);
    for field in view.expect("shown").fields {
        assert_eq!(field.suggestion, field.values, "{} is suggested as it was answered", field.name);
    }
    bench.complete(journey, &[]);
    assert_eq!(kept(&bench), first);
}
