//! Bank accounts that journeys connect: the check, the mandate, and the result that follows them.

use crate::common::Bench;
use crate::journeys::{ANNA, START, about, answers, opening_by};
use sim::command::{Purgeable, SignOutcome};
use sim::ids::JourneyId;
use sim::machines::bank_account::State as Check;
use sim::records::{
    Account, AccountType, AgreementType, Autogiro, AutogiroEnforce, BankAccount, Configuration, JourneyStep,
    JourneyType, MandateStatus,
};
use sim::{Class, Command, Reply, query};
use std::sync::Arc;

const HAPPY: &str = "SE8150000000050000000019";
const CHECK_FAILS: &str = "SE5950000000050000000027";
const CHECK_PENDING: &str = "SE3750000000050000000035";
const REFUSED: &str = "SE1550000000050000000043";
/// Without its clearing number in the IBAN, and with one of five digits.
const OF_OTHER_FORMS: [&str; 2] = ["SE1760000000000400000105", "SE8580000832790000001230"];
const SILENT: &str = "SE9050000000050000000051";

fn asking(enforce: AutogiroEnforce) -> Option<Autogiro> {
    Some(Autogiro { enforce, force_new_bank_account: false })
}

/// An account opened by a journey that connects `iban` with a mandate.
fn connected(bench: &mut Bench, iban: &str) -> (JourneyId, Arc<Account>) {
    let configuration =
        Configuration { autogiro: asking(AutogiroEnforce::Required), ..opening_by(ANNA, AccountType::Depot) };
    let done = bench.walk(configuration, &[(JourneyStep::BankAccount, answers(&[("iban", iban), ("name", "Salary")]))]);
    (done.id, bench.account_of(&done))
}

fn bank(bench: &Bench, account: &Account) -> Arc<BankAccount> {
    Arc::clone(&bench.again(account).bank_accounts[0])
}

fn shown(bench: &Bench, journey: JourneyId) -> Check {
    let journey = bench.look(journey);
    let result = journey.result.as_ref().expect("complete");
    result.bank_accounts.as_ref().expect("a bank account")[0].status
}

/// (rule: journeys/journey-result, bank/bank-account-check)
#[test]
fn the_check_ends_after_thirty_seconds_and_the_result_follows_without_a_second_callback() {
    let fine = [HAPPY, OF_OTHER_FORMS[0], OF_OTHER_FORMS[1]].map(|iban| (iban, Check::Active, true));
    for (iban, status, validated) in fine.into_iter().chain([(CHECK_FAILS, Check::Rejected, false)]) {
        let mut bench = Bench::new(1, START);
        let (journey, account) = connected(&mut bench, iban);
        assert_eq!((shown(&bench, journey), bank(&bench, &account).validated), (Check::Pending, false));
        assert_eq!(bank(&bench, &account).name.as_deref(), Some("Salary"));
        assert_eq!(bench.callbacks().len(), 1);
        bench.wait("2026-03-02T08:00:29.999+01:00");
        assert_eq!(shown(&bench, journey), Check::Pending);
        let before = bench.look(journey);
        bench.event_kinds();
        bench.wait("2026-03-02T08:00:30+01:00");
        assert_eq!((shown(&bench, journey), bank(&bench, &account).validated), (status, validated));
        let expected: &[&str] = if validated { &["account.update", "journey.update"] } else { &["journey.update"] };
        assert_eq!(bench.event_kinds(), expected);
        let after = bench.look(journey);
        assert_eq!((after.state, after.stamp.modified), (before.state, bench.world.now()));
        assert!(bench.callbacks().is_empty(), "no second callback");
    }
}

/// (rule: accounts/purging)
#[test]
fn a_purged_journey_emits_no_events_and_its_bank_account_keeps_its_status() {
    let mut bench = Bench::new(1, START);
    let (journey, account) = connected(&mut bench, HAPPY);
    let purge = Command::Purge { partner: bench.scope.partner, what: Purgeable::Journey(journey) };
    bench.world.apply(bench.world.now(), purge).expect("a journey that has ended can be purged");
    bench.wait("2026-03-02T08:00:29.999+01:00");
    bench.event_kinds();
    bench.wait("2026-03-02T08:00:30+01:00");
    assert!(bank(&bench, &account).validated);
    assert_eq!(bench.event_kinds(), ["account.update"]);
    assert_eq!(shown(&bench, journey), Check::Pending);
}

#[test]
fn a_check_that_stays_pending_waits_for_the_lever() {
    for passes in [true, false] {
        let mut bench = Bench::new(1, START);
        let (journey, account) = connected(&mut bench, CHECK_PENDING);
        bench.wait("2026-03-20T08:00:00+01:00");
        assert_eq!(shown(&bench, journey), Check::Pending);
        let partner = bench.scope.partner;
        let bank_account = bank(&bench, &account).id;
        let check = Command::CheckBankAccount { partner, bank_account, passes };
        let Ok(Reply::BankAccount(changed)) = bench.does(check.clone()) else { panic!("checked") };
        assert_eq!(changed.validated, passes);
        assert_eq!(shown(&bench, journey), if passes { Check::Active } else { Check::Rejected });
        let again = bench.does(check).expect_err("it has ended");
        assert_eq!((again.class, again.conflict.expect("a conflict").allowed), (Class::Conflict, vec!["mandate"]));
    }
}

/// (rule: bank/mandate-answer)
#[test]
fn a_mandate_is_answered_on_the_third_bank_day_at_eight_and_silence_on_the_sixth() {
    // From Thursday over a weekend.
    let rows = [
        (HAPPY, "2026-03-10T07:59:59.999+01:00", "2026-03-10T08:00:00+01:00", MandateStatus::Active),
        (OF_OTHER_FORMS[0], "2026-03-10T07:59:59.999+01:00", "2026-03-10T08:00:00+01:00", MandateStatus::Active),
        (OF_OTHER_FORMS[1], "2026-03-10T07:59:59.999+01:00", "2026-03-10T08:00:00+01:00", MandateStatus::Active),
        (REFUSED, "2026-03-10T07:59:59.999+01:00", "2026-03-10T08:00:00+01:00", MandateStatus::Invalid),
        (SILENT, "2026-03-13T07:59:59.999+01:00", "2026-03-13T08:00:00+01:00", MandateStatus::Invalid),
    ];
    for (iban, before, after, status) in rows {
        let mut bench = Bench::new(1, "2026-03-05T16:00:00+01:00");
        let (_, account) = connected(&mut bench, iban);
        bench.wait(before);
        assert_eq!(bank(&bench, &account).mandate, MandateStatus::Pending, "{iban}");
        bench.event_kinds();
        bench.wait(after);
        assert_eq!(bank(&bench, &account).mandate, status, "{iban}");
        assert_eq!(bench.event_kinds(), ["account.update"]);
        assert!(query::agreement_types(&bench.again(&account)).contains(&AgreementType::Autogiro));
        let facts = query::agreement(&bench.world, &bench.again(&account), AgreementType::Autogiro).expect("signed");
        assert_eq!(facts.signatures[0].ssn.to_string(), ANNA);
        assert_eq!(facts.bank_accounts, [bank(&bench, &account).iban]);
    }
}

/// (rule: bank/mandate-codes)
#[test]
fn advices_of_the_bank_move_the_mandate_as_the_table_says() {
    let rows: &[(MandateStatus, &str, Option<MandateStatus>)] = &[
        (MandateStatus::Pending, "32", Some(MandateStatus::Active)),
        (MandateStatus::Pending, "05", Some(MandateStatus::Invalid)),
        (MandateStatus::Pending, "10", Some(MandateStatus::Pending)),
        (MandateStatus::Pending, "02", None),
        (MandateStatus::Active, "02", Some(MandateStatus::Missing)),
        (MandateStatus::Active, "98", Some(MandateStatus::Invalid)),
        (MandateStatus::Active, "32", None),
        (MandateStatus::Missing, "32", None),
    ];
    for (from, code, expected) in rows {
        let mut bench = Bench::new(1, START);
        let mut open = bench.open("0");
        let mut connected = bench.bank(HAPPY);
        connected.mandate = *from;
        open.bank_accounts = vec![connected];
        let account = bench.account(open);
        let advise = Command::AdviseMandate {
            partner: bench.scope.partner,
            bank_account: bank(&bench, &account).id,
            code: Arc::from(*code),
        };
        match (bench.does(advise), expected) {
            (Ok(_), Some(to)) => assert_eq!(bank(&bench, &account).mandate, *to, "{code}"),
            (Err(refusal), None) => assert_eq!(refusal.class, Class::Conflict, "{code}"),
            (other, _) => panic!("{from:?} {code}: {other:?}"),
        }
    }
    let mut bench = Bench::new(1, START);
    let (_, account) = connected(&mut bench, HAPPY);
    let advise = Command::AdviseMandate {
        partner: bench.scope.partner,
        bank_account: bank(&bench, &account).id,
        code: Arc::from("99"),
    };
    assert_eq!(bench.does(advise).expect_err("no such code").class, Class::Malformed);
}

#[test]
fn an_advice_by_lever_leaves_nothing_for_the_bank_to_answer() {
    let mut bench = Bench::new(1, START);
    let (_, account) = connected(&mut bench, HAPPY);
    let (partner, bank_account) = (bench.scope.partner, bank(&bench, &account).id);
    bench.does(Command::AdviseMandate { partner, bank_account, code: Arc::from("05") }).expect("refused");
    bench.wait("2026-03-20T08:00:00+01:00");
    assert_eq!(bank(&bench, &account).mandate, MandateStatus::Invalid);
}

#[test]
fn an_existing_bank_account_can_be_picked_unless_a_new_one_is_forced() {
    let mut bench = Bench::new(1, START);
    let mut open = bench.open("0");
    open.owner = Some(bench.owner(ANNA));
    open.bank_accounts = vec![bench.bank(HAPPY)];
    let account = bench.account(open);
    let known = bank(&bench, &account).id.to_string();
    let ask = |force_new_bank_account| Configuration {
        autogiro: Some(Autogiro { enforce: AutogiroEnforce::Required, force_new_bank_account }),
        ..about(&account, JourneyType::AddBankAccount)
    };
    let field = |bench: &Bench, journey| {
        let views = query::journey_steps(&bench.world, journey);
        let view = views.into_iter().find(|view| view.step == JourneyStep::BankAccount).expect("shown");
        view.fields.into_iter().find(|field| field.key == "bankAccount")
    };
    let forced = bench.journey(ask(true));
    assert_eq!(field(&bench, forced), None);
    let open = bench.journey(ask(false));
    let choices = field(&bench, open).expect("offered").choices;
    assert_eq!(choices.iter().map(|choice| choice.value.as_ref()).collect::<Vec<_>>(), [known.as_str(), "new"]);
    let done = bench.complete(open, &[(JourneyStep::BankAccount, answers(&[("bankAccount", &known)]))]);
    let result = done.result.as_ref().and_then(|result| result.bank_accounts.clone()).expect("a bank account");
    assert_eq!((result.len(), result[0].status), (1, Check::Active));
    let banks = bench.again(&account).bank_accounts.clone();
    assert_eq!((banks.len(), *banks[0].mandate), (1, MandateStatus::Pending));
}

/// (rule: bank/bank-account-identity)
#[test]
fn a_bank_account_is_shared_by_all_accounts_of_its_owner_and_connected_once() {
    let mut bench = Bench::new(1, START);
    let (_, first) = connected(&mut bench, HAPPY);
    let second = bench.walk(opening_by(ANNA, AccountType::Isk), &[]);
    let second = bench.account_of(&second);
    assert_eq!(bench.again(&first).bank_accounts, second.bank_accounts);
    bench.wait("2026-03-02T08:00:40+01:00");
    let again = bench
        .walk(about(&second, JourneyType::AddBankAccount), &[(JourneyStep::BankAccount, answers(&[("iban", HAPPY)]))]);
    let result = again.result.as_ref().and_then(|result| result.bank_accounts.clone()).expect("a bank account");
    assert_eq!(result[0].status, Check::Active, "known and checked before");
    assert_eq!(bench.again(&second).bank_accounts.len(), 1);
}

/// (rule: journeys/autogiro-enforcement)
#[test]
fn an_optional_mandate_may_be_skipped_and_a_required_one_may_not() {
    let mut bench = Bench::new(1, START);
    let optional =
        Configuration { autogiro: asking(AutogiroEnforce::Optional), ..opening_by(ANNA, AccountType::Depot) };
    let done = bench.walk(optional.clone(), &[(JourneyStep::BankAccount, answers(&[("skip", "yes")]))]);
    assert_eq!(done.result.as_ref().expect("complete").bank_accounts, None);
    let done = bench.walk(optional, &[(JourneyStep::BankAccount, answers(&[("mandate", "no")]))]);
    let account = bench.account_of(&done);
    assert_eq!(bank(&bench, &account).mandate, MandateStatus::Missing);
    let required =
        Configuration { autogiro: asking(AutogiroEnforce::Required), ..opening_by(ANNA, AccountType::Depot) };
    let journey = bench.journey(required);
    let partner = bench.scope.partner;
    for (name, expected) in [("skip", "is not known"), ("mandate", "is fixed and cannot be changed")] {
        let value = if name == "skip" { "yes" } else { "no" };
        let given = vec![(JourneyStep::BankAccount, answers(&[(name, value)]))];
        let refusal = bench.does(Command::CompleteJourney { partner, journey, answers: given }).expect_err(name);
        assert_eq!(refusal.to_string(), format!("answers.bankAccount.{name} {expected}"));
    }
}

/// (rule: bank/mandate-answer, journeys/autogiro-enforcement)
#[test]
fn a_mandate_is_signed_anew_once_it_is_missing_or_invalid() {
    for from in [MandateStatus::Missing, MandateStatus::Invalid] {
        let mut bench = Bench::new(1, START);
        let account = bench.account_charged_by(from);
        assert_eq!(bank(&bench, &account).mandate, from);
        let known = bank(&bench, &account).id.to_string();
        let configuration = Configuration {
            autogiro: asking(AutogiroEnforce::Required),
            ..about(&account, JourneyType::AddBankAccount)
        };
        bench.walk(configuration, &[(JourneyStep::BankAccount, answers(&[("bankAccount", &known)]))]);
        assert_eq!(bank(&bench, &account).mandate, MandateStatus::Pending, "{from:?}");
        bench.wait("2026-03-05T07:59:59.999+01:00");
        assert_eq!(bank(&bench, &account).mandate, MandateStatus::Pending, "{from:?}");
        bench.wait("2026-03-05T08:00:00+01:00");
        assert_eq!(bank(&bench, &account).mandate, MandateStatus::Active, "{from:?}");
    }
}

/// (rule: accounts/deleted-accounts, bank/bank-account-identity)
#[test]
fn a_deleted_account_shows_a_shared_bank_account_as_it_is() {
    let mut bench = Bench::new(1, START);
    let (_, gone) = connected(&mut bench, HAPPY);
    bench.wait("2026-03-02T08:00:10+01:00");
    let (_, kept) = connected(&mut bench, HAPPY);
    let scope = bench.scope;
    bench.does(Command::CloseAccount { scope, account: gone.id }).expect("nothing is left");
    let before = bench.again(&gone);
    assert!(before.deleted.is_some());
    assert_eq!((before.bank_accounts.len(), before.bank_accounts[0].validated), (1, false));
    bench.wait("2026-03-02T08:00:29.999+01:00");
    bench.event_kinds();
    bench.wait("2026-03-02T08:00:30+01:00");
    let checked = bench.again(&gone);
    assert!(checked.bank_accounts[0].validated, "the check has ended");
    assert_eq!(checked.bank_accounts, bench.again(&kept).bank_accounts);
    assert_eq!(checked.stamp.modified, bench.world.now());
    assert_eq!(
        bench.event_kinds().into_iter().filter(|kind| *kind == "account.update").count(),
        2,
        "each account tells it"
    );
    bench.wait("2026-03-05T08:00:00+01:00");
    assert_eq!(*bank(&bench, &gone).mandate, MandateStatus::Active);
    // One that is connected later is not the deleted account's.
    bench.walk(about(&kept, JourneyType::AddBankAccount), &[(JourneyStep::BankAccount, answers(&[("iban", REFUSED)]))]);
    assert_eq!((bench.again(&gone).bank_accounts.len(), bench.again(&kept).bank_accounts.len()), (1, 2));
}

/// (rule: journeys/sign-withdrawal)
#[test]
fn a_withdrawal_is_signed_only_where_a_bank_account_is_confirmed() {
    let mut bench = Bench::new(1, START);
    let mut open = bench.open("1000");
    open.owner = Some(bench.owner(ANNA));
    let account = bench.account(open);
    let journey = bench.opened(about(&account, JourneyType::SignWithdrawal));
    bench.sign(journey, ANNA, SignOutcome::Sign).expect("authenticates");
    let (before, complaint) = (bench.world.digest(), "bankAccount must be a validated bank account of the owner");
    let partner = bench.scope.partner;
    let lever = Command::CompleteJourney { partner, journey, answers: Vec::new() };
    for (how, refused) in [("page", bench.sign(journey, ANNA, SignOutcome::Sign)), ("lever", bench.does(lever.clone()))]
    {
        let refusal = refused.expect_err(how);
        assert_eq!((refusal.class, refusal.problems[0].to_string()), (Class::BadTarget, complaint.to_owned()), "{how}");
    }
    assert_eq!(bench.world.digest(), before, "a refusal changes nothing");
    // A bank account is given, but not confirmed yet; then it is.
    let iban = answers(&[("iban", HAPPY)]);
    bench.walk(about(&account, JourneyType::AddBankAccount), &[(JourneyStep::BankAccount, iban)]);
    bench.sign(journey, ANNA, SignOutcome::Sign).expect_err("it is not confirmed");
    bench.wait("2026-03-02T08:00:30+01:00");
    bench.sign(journey, ANNA, SignOutcome::Sign).expect("it is confirmed");
    assert!(query::has_withdrawal_grant(&bench.world, account.id));
}
