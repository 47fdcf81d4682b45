//! Companies: the register, who owns them, what they are asked, and whose listing counts for them.

use super::{ANNA, START, about, answers, entity_opening, opening, ssn};
use crate::common::{Bench, DAILY};
use sim::command::{ScreeningHit, SignOutcome};
use sim::machines::journey::State;
use sim::records::{
    Account, AccountType, Answers, Company, Configuration, ErrorCode, Journey, JourneyStep, JourneyType, KycAnswer,
    OwnerControl, OwnerIdentity, OwnerKey, SigningRule,
};
use sim::{Command, query};
use std::sync::Arc;

const PEP: &str = "197001012389";
const SANCTIONED: &str = "197001022388";

fn by_anna() -> Configuration {
    Configuration { ssn: Some(ssn(ANNA)), ..entity_opening() }
}

fn of_company(crn: &str) -> (JourneyStep, Answers) {
    (JourneyStep::AccountDetails, answers(&[("crn", crn)]))
}

fn opened(bench: &mut Bench, crn: &str, more: &[(JourneyStep, Answers)]) -> Arc<Journey> {
    let mut given = vec![of_company(crn)];
    given.extend_from_slice(more);
    bench.walk(by_anna(), &given)
}

fn owners(pairs: &[(&str, &str)]) -> (JourneyStep, Answers) {
    (JourneyStep::BeneficialOwners, answers(pairs))
}

fn company(bench: &Bench, account: &Account) -> Arc<Company> {
    Arc::clone(query::company(&bench.world, account.id).expect("the journey established it"))
}

fn status(bench: &Bench, account: &Account) -> &'static str {
    query::account_status(bench.again(account).status())
}

/// What is wrong with an answer, as the customer's page reads it.
fn complaint(bench: &mut Bench, crn: &str, step: JourneyStep, given: Answers) -> String {
    let journey = bench.opened(by_anna());
    bench.answer(journey, JourneyStep::Authentication, answers(&[])).expect("authenticates");
    let named = bench.answer(journey, JourneyStep::AccountDetails, of_company(crn).1);
    if step == JourneyStep::AccountDetails {
        return named.err().map_or_else(String::new, |refusal| refusal.to_string());
    }
    named.expect("the register has it");
    if step == JourneyStep::BeneficialOwners {
        bench.answer(journey, JourneyStep::Company, answers(&[("confirmed", "yes")])).expect("confirms");
    }
    bench.answer(journey, step, given).err().map_or_else(String::new, |refusal| refusal.to_string())
}

/// (rule: journeys/company-steps, accounts/companies)
#[test]
fn a_companys_journey_keeps_what_the_register_says_and_the_customer_confirms() {
    let mut bench = Bench::new(1, START);
    let done = opened(&mut bench, "5599900015", &[]);
    let account = bench.account_of(&done);
    let known = company(&bench, &account);
    let drawn = sim::register::extract(bench.world.seed(), known.extract.crn);
    assert_eq!((&known.extract, &known.owners, known.signing), (&drawn, &drawn.owners, SigningRule::Alone));
    assert_eq!(known.signatories, [ssn(ANNA)]);
    assert!(known.board.iter().any(|member| member.ssn == ssn(ANNA)), "who signs is listed");
    assert_eq!(known.board.len(), drawn.board.len() + 1);
    assert!(known.people().all(|one| known.pep.iter().any(|answer| answer.ssn == Some(one))), "{known:?}");
}

/// (rule: journeys/kyc-catalogue)
#[test]
fn a_company_is_asked_a_companys_questions_and_a_person_a_persons() {
    let mut bench = Bench::new(1, START);
    let journey = bench.opened(by_anna());
    bench.answer(journey, JourneyStep::Authentication, answers(&[])).expect("authenticates");
    bench.answer(journey, JourneyStep::AccountDetails, of_company("5599900015").1).expect("names the company");
    let steps = query::journey_steps(&bench.world, journey);
    let kyc = steps.iter().find(|view| view.step == JourneyStep::Kyc).expect("a step");
    let mut keys: Vec<_> = kyc.fields.iter().map(|field| field.key).collect();
    keys.dedup();
    let expected = "businessActivity purpose originOfFunds turnover expectedDeposits taxResidency crsClassification \
                    fatcaClassification fundKnowledge riskTolerance pep";
    assert_eq!(keys.join(" "), expected);
    let people: Vec<_> = kyc.fields.iter().filter(|field| field.key == "pep").collect();
    assert!(people.len() > 1 && people.iter().all(|field| field.subject.is_some()), "a question for each person");

    let kyc = |qid: &str, answer: &str| {
        Some(vec![KycAnswer { qid: Arc::from(qid), answer: vec![Arc::from(answer)], is_list: false }])
    };
    let legal = |qid, answer| Configuration { kycs: kyc(qid, answer), ..by_anna() };
    let person = |qid, answer| Configuration { kycs: kyc(qid, answer), ..opening(AccountType::Depot) };
    for (configuration, expected) in [
        (legal("turnover", "under1000000"), ""),
        (legal("employment", "employed"), "journey.kycs[0].qid must be left out: a company is not asked it"),
        (legal("purpose", "pension"), "journey.kycs[0].answer is not one of the choices"),
        (person("turnover", "under1000000"), "journey.kycs[0].qid must be left out: only a company is asked it"),
        (person("purpose", "pension"), ""),
        (legal("shoeSize", "43"), "journey.kycs[0].qid is not known"),
    ] {
        assert_eq!(bench.complaint(configuration), expected);
    }
}

/// (rule: journeys/kyc-catalogue)
#[test]
fn a_renewal_asks_by_whose_account_it_is() {
    let mut bench = Bench::new(1, START);
    let done = opened(&mut bench, "5599900015", &[]);
    let account = bench.account_of(&done);
    bench.wait("2026-03-02T08:00:05+01:00");
    let answer = |qid: &str, answer: &str| {
        Some(vec![KycAnswer { qid: Arc::from(qid), answer: vec![Arc::from(answer)], is_list: false }])
    };
    let renewal = || about(&account, JourneyType::KycRenewal);
    let of_a_person = Configuration { kycs: answer("employment", "employed"), ..renewal() };
    assert_eq!(bench.complaint(of_a_person), "journey.kycs[0].qid must be left out: a company is not asked it");

    let changed = owners(&[("owners[0].fullName", "Kim Ny"), ("owners[0].ssn", PEP), ("owners[1].fullName", "")]);
    bench.walk(Configuration { kycs: answer("turnover", "under1000000"), ..renewal() }, &[changed]);
    let known = company(&bench, &account);
    let named: Vec<_> = known.owners.iter().map(|owner| (owner.name.as_ref(), owner.identity.ssn())).collect();
    assert_eq!(named, [("Kim Ny", Some(ssn(PEP)))]);
    let standing = query::standing(&bench.world, account.id).expect("a journey opened it");
    let turnover = standing.kyc.iter().find(|answer| answer.qid.as_ref() == "turnover").expect("answered");
    assert_eq!(turnover.answer, [Arc::from("under1000000")]);
    // An exposed owner means high risk: a year.
    assert_eq!(bench.again(&account).kyc_valid_until.to_string(), "2027-03-02");
}

/// (rule: journeys/company-steps)
#[test]
fn owners_are_confirmed_corrected_or_left_out() {
    let mut bench = Bench::new(1, START);
    let abroad = [
        ("owners[0].fullName", "Ola Nordmann"),
        ("owners[0].ssn", ""),
        ("owners[0].birthDate", "1970-05-17"),
        ("owners[0].country", "no"),
        ("owners[0].share", "60,5"),
        ("owners[0].control", "votes"),
        ("owners[1].fullName", ""),
    ];
    let done = opened(&mut bench, "5599900015", &[owners(&abroad)]);
    let known = company(&bench, &bench.account_of(&done));
    let [owner] = known.owners.as_slice() else { panic!("one owner: {:?}", known.owners) };
    assert_eq!((owner.name.as_ref(), owner.control), ("Ola Nordmann", OwnerControl::Votes));
    let OwnerIdentity::Born { date, country } = &owner.identity else { panic!("no number: {owner:?}") };
    assert_eq!((date.to_string().as_str(), country.as_ref()), ("1970-05-17", "NO"));
    assert_eq!(owner.share.map(|share| share.to_string()).as_deref(), Some("60.50"));

    let done = opened(&mut bench, "5599900015", &[owners(&[("none", "yes")])]);
    assert!(company(&bench, &bench.account_of(&done)).names_board_instead());
    let done = opened(&mut bench, "5599900080", &[]);
    assert!(company(&bench, &bench.account_of(&done)).names_board_instead(), "as the register says");
}

/// (rule: journeys/company-steps)
#[test]
fn wrong_answers_about_owners_are_refused() {
    let named = |more: &[(&str, &str)]| {
        let mut pairs = vec![("owners[0].fullName", "Kim Ny"), ("owners[0].control", "shares")];
        pairs.extend_from_slice(more);
        answers(&pairs)
    };
    let anna = ("owners[0].ssn", ANNA);
    for (given, expected) in [
        (answers(&[]), "none is not acceptable: an owner is to be named, or `none` to be answered with yes"),
        (named(&[("owners[0].share", "60")]), "owners[0].ssn is required"),
        (named(&[("owners[0].share", "60"), ("owners[0].country", "NO")]), "owners[0].birthDate is required"),
        (named(&[("owners[0].share", "60"), ("owners[0].birthDate", "1970-05-17")]), "owners[0].country is required"),
        (named(&[anna]), "owners[0].share is required"),
        (named(&[anna, ("owners[0].share", "25")]), "owners[0].share is not acceptable: more than 25 % is expected"),
        (named(&[anna, ("owners[0].share", "101")]), "owners[0].share is not acceptable: it is more than 100 %"),
        (answers(&[("owners[3].ssn", ANNA)]), "owners[3].fullName is required"),
        (
            named(&[
                anna,
                ("owners[0].share", "60"),
                ("owners[1].fullName", "Kim Ny"),
                ("owners[1].control", "shares"),
                ("owners[1].ssn", ANNA),
                ("owners[1].share", "60"),
            ]),
            "owners[1].ssn is given twice, owners[1].share is not acceptable: the shares are more than 100 % together",
        ),
    ] {
        let mut bench = Bench::new(1, START);
        let text = complaint(&mut bench, "5599900015", JourneyStep::BeneficialOwners, given);
        for part in expected.split(", owners") {
            assert!(text.contains(part), "{text:?} has no {part:?}");
        }
    }
}

/// (rule: accounts/company-register)
#[test]
fn the_register_decides_by_the_last_digits_how_a_journey_goes() {
    let mut bench = Bench::new(1, START);
    let text = complaint(&mut bench, "5599900049", JourneyStep::AccountDetails, Answers::default());
    assert_eq!(text, "crn is not acceptable: the company register does not have it");
    let text = complaint(&mut bench, "5599900015", JourneyStep::Company, Answers::default());
    assert!(text.contains("confirmed is required"), "{text}");

    for (crn, code, context) in
        [("5599900056", ErrorCode::Kyc, JourneyStep::Company), ("5599900064", ErrorCode::Sign, JourneyStep::Signing)]
    {
        let done = opened(&mut bench, crn, &[]);
        let ended = (*done.state, done.error_code, done.context);
        assert_eq!(ended, (State::Error, Some(code), Some(context)), "{crn}");
    }

    let done = opened(&mut bench, "5599900072", &[]);
    let account = bench.account_of(&done);
    assert_eq!(status(&bench, &account), "confirm", "the second signatory has not signed");
    let known = company(&bench, &account);
    assert_eq!((known.signing, known.signatories.len()), (SigningRule::Together, 2));
    let submission = done.submission.expect("a submission");
    let second = known.signatories[1];
    assert!(known.extract.board.iter().any(|member| member.ssn == second), "from the board");
    let signing = Configuration {
        ssn: Some(second),
        submission: Some(submission),
        ..Configuration::empty(JourneyType::SignSubmission)
    };
    bench.walk(signing, &[]);
    assert_eq!(status(&bench, &account), "pending");
}

/// (rule: accounts/company-register)
#[test]
fn a_board_chosen_for_another_company_is_asked_for_again() {
    let mut bench = Bench::new(1, START);
    let journey = bench.opened(by_anna());
    bench.answer(journey, JourneyStep::Authentication, answers(&[])).expect("authenticates");
    bench.answer(journey, JourneyStep::AccountDetails, of_company("5599900072").1).expect("names the company");
    let steps = query::journey_steps(&bench.world, journey);
    let view = steps.iter().find(|view| view.step == JourneyStep::Company).expect("a step");
    let field = view.fields.iter().find(|field| field.key == "cosignatories").expect("two sign together");
    let chosen = answers(&[("cosignatories", &field.suggestion[0]), ("confirmed", "yes")]);
    bench.answer(journey, JourneyStep::Company, chosen).expect("confirms");
    bench.answer(journey, JourneyStep::AccountDetails, of_company("5599900015").1).expect("another company");
    assert_eq!(query::journey_current(&bench.world, journey), Some(JourneyStep::Company));
    let done = bench.complete(journey, &[(JourneyStep::Company, answers(&[("confirmed", "yes")]))]);
    assert_eq!(company(&bench, &bench.account_of(&done)).signatories, [ssn(ANNA)]);
}

/// (rule: accounts/screening)
#[test]
fn a_listed_board_member_or_owner_stops_the_application() {
    for (crn, expected) in [("5599900015", "active"), ("5599900098", "rejected")] {
        let mut bench = Bench::new(1, START);
        let done = opened(&mut bench, crn, &[]);
        let account = bench.account_of(&done);
        bench.wait("2026-03-02T08:00:05+01:00");
        assert_eq!(status(&bench, &account), expected, "{crn}");
    }
    let mut bench = Bench::new(1, START);
    let owner = owners(&[("owners[0].ssn", SANCTIONED)]);
    let done = opened(&mut bench, "5599900015", &[owner]);
    let account = bench.account_of(&done);
    bench.wait("2026-03-02T08:00:05+01:00");
    assert_eq!(status(&bench, &account), "rejected");

    let mut bench = Bench::new(1, START);
    let done = opened(&mut bench, "5599900106", &[]);
    assert_eq!(bench.account_of(&done).kyc_valid_until.to_string(), "2027-03-02", "an exposed owner: a year");
}

/// (rule: accounts/screening)
#[test]
fn a_hit_on_an_owner_or_board_member_parks_the_companys_orders_and_stops_payouts() {
    for of_board in [true, false] {
        let mut bench = Bench::new(1, START);
        let done = opened(&mut bench, "5599900015", &[]);
        let account = bench.account_of(&done);
        let known = company(&bench, &account);
        let person = match of_board {
            true => known.extract.board.last().expect("a board").ssn,
            false => known.owners[0].identity.ssn().expect("an owner with a number"),
        };
        assert_ne!(person, ssn(ANNA));
        bench.wait("2026-03-02T08:00:05+01:00");
        bench.pays(account.reference, "100000");
        bench.wait("2026-03-04T10:00:00+01:00");
        let waiting = bench.order(bench.buy(&account, DAILY, "600"));
        let screen = |hit| Command::Screen { owner: OwnerKey::Ssn(person), hit };
        let Ok(sim::Reply::Accounts(found)) = bench.does(screen(ScreeningHit::Sanctions)) else { panic!("screened") };
        assert_eq!(found.iter().map(|one| one.id).collect::<Vec<_>>(), [account.id]);
        assert_eq!(bench.status(&waiting), "hold");
        let later = bench.order(bench.buy(&account, DAILY, "700"));
        bench.wait("2026-03-04T10:00:05+01:00");
        assert_eq!(bench.status(&later), "hold");
        let limits = query::withdrawal_limits(&bench.world, &bench.again(&account));
        assert!(limits.max.is_zero(), "nothing is paid out: {limits:?}");

        bench.does(screen(ScreeningHit::Clear)).expect("cleared");
        let limits = query::withdrawal_limits(&bench.world, &bench.again(&account));
        assert!(limits.max.is_positive(), "{limits:?}");
    }
}

/// (rule: journeys/company-steps)
#[test]
fn a_customer_who_comes_back_sees_what_was_answered_and_not_the_register_again() {
    let mut bench = Bench::new(1, START);
    let journey = bench.opened(by_anna());
    bench.answer(journey, JourneyStep::Authentication, answers(&[])).expect("authenticates");
    bench.answer(journey, JourneyStep::AccountDetails, of_company("5599900015").1).expect("names the company");
    bench.answer(journey, JourneyStep::Company, answers(&[("confirmed", "yes")])).expect("confirms");
    bench.answer(journey, JourneyStep::BeneficialOwners, answers(&[("none", "yes")])).expect("nobody");
    let steps = query::journey_steps(&bench.world, journey);
    let view = steps.iter().find(|view| view.step == JourneyStep::BeneficialOwners).expect("a step");
    let filled: Vec<_> = view.fields.iter().filter(|field| !field.values.is_empty()).map(|field| field.key).collect();
    assert_eq!(filled, ["none"]);
    bench.sign(journey, ANNA, SignOutcome::Sign).expect_err("there is more to answer");
    let done = bench.complete(journey, &[]);
    assert!(company(&bench, &bench.account_of(&done)).names_board_instead());
}
