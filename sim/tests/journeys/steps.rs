//! Which steps are shown, what they ask, and how a customer moves between them.

use super::{ANNA, MANDATES, START, about, answers, entity_opening, moving, opening, ssn, transfer_of};
use crate::common::{Bench, DAILY, GLOBAL, id};
use sim::command::SignOutcome;
use sim::identity::Iban;
use sim::money::Percent;
use sim::query::{self, FieldView, StepState};
use sim::records::{
    AccountType, Allocation, AllocationPlanConfiguration, Autogiro, AutogiroEnforce, Category, Configuration,
    DepositType, JourneyStep, JourneyType, KycAnswer, MandateStatus, Output, Periodicity, SavingsPlanConfiguration,
    TransferAccount, WelcomeScreen,
};
use sim::{Class, Command};
use std::sync::Arc;

fn names(bench: &Bench, journey: sim::ids::JourneyId) -> Vec<&'static str> {
    query::journey_steps(&bench.world, journey).iter().map(|view| view.step.name()).collect()
}

fn field(bench: &Bench, journey: sim::ids::JourneyId, step: JourneyStep, name: &str) -> Option<FieldView> {
    let views = query::journey_steps(&bench.world, journey);
    let view = views.into_iter().find(|view| view.step == step)?;
    view.fields.into_iter().find(|field| field.name.as_ref() == name)
}

fn texts(values: &[Arc<str>]) -> Vec<&str> {
    values.iter().map(AsRef::as_ref).collect()
}

/// Answers the steps before `step` as the lever would.
fn reach(bench: &mut Bench, journey: sim::ids::JourneyId, step: JourneyStep) {
    for view in query::journey_steps(&bench.world, journey).into_iter().take_while(|view| view.step != step) {
        let usual = view.fields.into_iter().fold(answers(&[]), |mut all, field| {
            all.set(field.name, field.suggestion);
            all
        });
        bench.answer(journey, view.step, usual).expect("sensible answers");
    }
}

fn mandate(enforce: AutogiroEnforce) -> Option<Autogiro> {
    Some(Autogiro { enforce, force_new_bank_account: false })
}

fn monthly() -> Option<SavingsPlanConfiguration> {
    Some(SavingsPlanConfiguration { periodicity: Some(Periodicity::Monthly), instruments: None })
}

/// (rule: journeys/null-hides, journeys/bank-account-step)
#[test]
fn the_configuration_shows_and_hides_steps() {
    let mut bench = Bench::new(1, START);
    let mut open = bench.open("1000");
    open.owner = Some(bench.owner(ANNA));
    let account = bench.account(open);
    let iban = Iban::parse("SE8150000000050000000019").expect("an iban");
    let plain = || opening(AccountType::Depot);
    let about = |kind| about(&account, kind);
    let transfer = || Some(transfer_of(vec![moving(AccountType::Depot)]));
    let rows = [
        (plain(), "authentication accountDetails kyc agreement signing"),
        (
            Configuration { transfer: transfer(), ..plain() },
            "authentication accountDetails kyc transfer agreement signing",
        ),
        (
            Configuration { transfer: transfer(), welcome_screen: Some(WelcomeScreen::Transfer), ..plain() },
            "welcome authentication accountDetails kyc transfer agreement signing",
        ),
        (
            Configuration { autogiro: mandate(AutogiroEnforce::None), ..plain() },
            "authentication accountDetails kyc agreement signing",
        ),
        (
            Configuration { autogiro: mandate(AutogiroEnforce::Optional), ..plain() },
            "authentication accountDetails kyc bankAccount agreement signing",
        ),
        (
            Configuration { payment_account: Some(iban), ..plain() },
            "authentication accountDetails kyc bankAccount agreement signing",
        ),
        (
            Configuration { allocation_plan: Some(AllocationPlanConfiguration::default()), ..plain() },
            "authentication accountDetails kyc allocationPlan agreement signing",
        ),
        (
            Configuration { savings_plan: monthly(), ..plain() },
            "authentication accountDetails kyc bankAccount savingsPlan agreement signing",
        ),
        (entity_opening(), "authentication accountDetails company beneficialOwners kyc agreement signing"),
        (about(JourneyType::AddBankAccount), "authentication bankAccount signing"),
        (
            Configuration { autogiro: mandate(AutogiroEnforce::Required), ..about(JourneyType::AddBankAccount) },
            "authentication bankAccount agreement signing",
        ),
        (about(JourneyType::SignWithdrawal), "authentication signing"),
        (about(JourneyType::UpdateAllocationPlan), "authentication allocationPlan agreement signing"),
        (
            Configuration { savings_plan: monthly(), ..about(JourneyType::UpdateSavingsPlan) },
            "authentication bankAccount savingsPlan agreement signing",
        ),
        (about(JourneyType::KycRenewal), "authentication kyc signing"),
    ];
    for (configuration, expected) in rows {
        let journey = bench.journey(configuration);
        assert_eq!(names(&bench, journey).join(" "), expected);
    }
}

#[test]
fn one_entry_locks_several_let_the_user_pick_and_prefilled_values_are_read_only() {
    let mut bench = Bench::new(1, START);
    let shares = [(DAILY, "60"), (GLOBAL, "40")];
    let share = |(fund, percent): (&str, &str)| Allocation {
        instrument: id(fund),
        percent: Percent::parse(percent).expect("a percent"),
    };
    let picks = TransferAccount {
        account_number: None,
        source_account_type: vec![AccountType::Isk, AccountType::Depot],
        close_account_and_savingsplans: None,
        required: false,
        default_units_output: vec![Output::Units, Output::Cash],
        ..moving(AccountType::Depot)
    };
    let journey = bench.journey(Configuration {
        ssn: Some(ssn(ANNA)),
        account_types: Some(vec![AccountType::Depot, AccountType::Isk]),
        account_categories: Some(vec![Category::Pro]),
        account_name: Some(Arc::from("Fixed")),
        email: Some(Arc::from("anna@example.com")),
        payment_account: Some(Iban::parse("SE8150000000050000000019").expect("an iban")),
        kycs: Some(vec![KycAnswer { qid: Arc::from("pep"), answer: vec![Arc::from("no")], is_list: false }]),
        allocation_plan: Some(AllocationPlanConfiguration {
            instruments: Some(shares.map(share).to_vec()),
            ..AllocationPlanConfiguration::default()
        }),
        transfer: Some(transfer_of(vec![moving(AccountType::Depot), picks])),
        ..opening(AccountType::Depot)
    });
    let fixed = [
        (JourneyStep::Authentication, "ssn", ANNA),
        (JourneyStep::AccountDetails, "category", "pro"),
        (JourneyStep::AccountDetails, "email", "anna@example.com"),
        (JourneyStep::Kyc, "pep", "no"),
        (JourneyStep::BankAccount, "iban", "SE8150000000050000000019"),
        (JourneyStep::BankAccount, "mandate", "yes"),
        (JourneyStep::AllocationPlan, "allocation.SE0SBX000016SEK", "60.00"),
        (JourneyStep::Transfer, "transfers[0].accounts[0].selected", "yes"),
        (JourneyStep::Transfer, "transfers[0].accounts[0].accountNumber", "1234-567"),
        (JourneyStep::Transfer, "transfers[0].accounts[0].sourceAccountType", "depot"),
        (JourneyStep::Transfer, "transfers[0].accounts[0].closeAccountAndSavingsplans", "no"),
        (JourneyStep::Transfer, "transfers[0].accounts[0].defaultUnitsOutput", "units"),
        (JourneyStep::Transfer, "transfers[0].accounts[1].balanceOutput", "cash"),
    ];
    for (step, name, value) in fixed {
        let field = field(&bench, journey, step, name).unwrap_or_else(|| panic!("{name} is shown"));
        assert!(field.read_only, "{name}");
        assert_eq!(texts(&field.values), [value], "{name}");
    }
    let open = [
        (JourneyStep::AccountDetails, "accountType", &["depot", "isk"][..]),
        (JourneyStep::Transfer, "transfers[0].accounts[1].sourceAccountType", &["isk", "depot"]),
        (JourneyStep::Transfer, "transfers[0].accounts[1].defaultUnitsOutput", &["units", "cash"]),
        (JourneyStep::Transfer, "transfers[0].accounts[1].accountNumber", &[]),
        (JourneyStep::Transfer, "transfers[0].accounts[1].closeAccountAndSavingsplans", &[]),
        (JourneyStep::Transfer, "transfers[0].accounts[1].selected", &[]),
        (JourneyStep::AllocationPlan, "periodicity", &["monthly", "once"]),
    ];
    for (step, name, choices) in open {
        let field = field(&bench, journey, step, name).unwrap_or_else(|| panic!("{name} is shown"));
        assert!(!field.read_only, "{name}");
        assert_eq!(field.choices.iter().map(|choice| choice.value.as_ref()).collect::<Vec<_>>(), choices, "{name}");
    }
    assert!(field(&bench, journey, JourneyStep::AccountDetails, "accountName").is_none(), "a given name is hidden");
}

#[test]
fn a_fixed_answer_may_be_left_out_or_repeated_but_not_changed() {
    let mut bench = Bench::new(1, START);
    let journey = bench.opened(Configuration { ssn: Some(ssn(ANNA)), ..opening(AccountType::Depot) });
    let other = bench.answer(journey, JourneyStep::Authentication, answers(&[("ssn", "197001012389")]));
    assert_eq!(other.expect_err("locked").to_string(), "ssn is fixed and cannot be changed");
    bench
        .answer(journey, JourneyStep::Authentication, answers(&[("ssn", "19900101-2385")]))
        .expect("the same, as people write it");
    bench.answer(journey, JourneyStep::Authentication, answers(&[])).expect("left out");
}

/// (rule: journeys/steps-in-order)
#[test]
fn steps_are_answered_in_order_and_going_back_loses_nothing() {
    let mut bench = Bench::new(1, START);
    let journey = bench.opened(Configuration {
        account_types: Some(vec![AccountType::Depot, AccountType::Isk]),
        ..opening(AccountType::Depot)
    });
    let early = bench.answer(journey, JourneyStep::Kyc, answers(&[])).expect_err("not reached");
    assert_eq!(early.class, Class::NotAllowedNow);
    assert_eq!(early.to_string(), "step has not been reached; the journey is at authentication");
    bench.answer(journey, JourneyStep::Authentication, answers(&[("ssn", ANNA)])).expect("authenticates");
    bench.answer(journey, JourneyStep::AccountDetails, answers(&[("accountType", "isk")])).expect("chooses");
    assert_eq!(query::journey_current(&bench.world, journey), Some(JourneyStep::Kyc));
    let kyc = query::journey_steps(&bench.world, journey).into_iter().find(|view| view.step == JourneyStep::Kyc);
    let mut usual = answers(&[]);
    for field in kyc.expect("shown").fields {
        usual.set(field.name, field.suggestion);
    }
    // (rule: journeys/prefilled-answers, wire/countries)
    for (name, text, fault) in [
        ("income", "plenty", "income is not one of the choices"),
        ("taxResidency", "XK", "taxResidency is not acceptable: country codes of ISO 3166-1 are expected"),
    ] {
        let bad = bench.answer(journey, JourneyStep::Kyc, usual.clone().with(name, text));
        assert_eq!(bad.expect_err(fault).to_string(), fault);
    }
    bench.answer(journey, JourneyStep::Kyc, usual.clone().with("income", "over1000000")).expect("answers");
    let digest = bench.world.digest();
    let bad = bench.answer(journey, JourneyStep::AccountDetails, answers(&[("accountType", "insurance")]));
    assert_eq!(bad.expect_err("not offered").to_string(), "accountType is not one of the choices");
    assert_eq!(bench.world.digest(), digest);
    // Back to the details, and on again: the KYC answers are still there.
    bench.answer(journey, JourneyStep::AccountDetails, answers(&[("accountType", "depot")])).expect("changes its mind");
    assert_eq!(query::journey_current(&bench.world, journey), Some(JourneyStep::Agreement));
    let income = field(&bench, journey, JourneyStep::Kyc, "income").expect("shown");
    assert_eq!(texts(&income.values), ["over1000000"]);
    let states: Vec<StepState> = query::journey_steps(&bench.world, journey).iter().map(|view| view.state).collect();
    use StepState::{Ahead, Current, Done};
    assert_eq!(states, [Done, Done, Done, Current, Ahead]);
}

/// (rule: journeys/steps-in-order, journeys/like-for-like)
#[test]
fn a_later_answer_that_no_longer_holds_is_asked_for_again() {
    let mut bench = Bench::new(1, START);
    let picks = TransferAccount {
        account_number: None,
        source_account_type: vec![AccountType::Isk, AccountType::Depot],
        ..moving(AccountType::Depot)
    };
    let journey = bench.opened(Configuration {
        account_types: Some(vec![AccountType::Depot, AccountType::Isk]),
        transfer: Some(transfer_of(vec![picks])),
        ..opening(AccountType::Depot)
    });
    bench.answer(journey, JourneyStep::Authentication, answers(&[("ssn", ANNA)])).expect("authenticates");
    bench.answer(journey, JourneyStep::AccountDetails, answers(&[("accountType", "isk")])).expect("chooses");
    let kyc = query::journey_steps(&bench.world, journey).into_iter().find(|view| view.step == JourneyStep::Kyc);
    let mut usual = answers(&[]);
    kyc.expect("shown").fields.into_iter().for_each(|field| usual.set(field.name, field.suggestion));
    bench.answer(journey, JourneyStep::Kyc, usual).expect("answers");
    let prefix = "transfers[0].accounts[0].";
    let chosen = |kind: &str| {
        answers(&[]).with(&format!("{prefix}accountNumber"), "9-8").with(&format!("{prefix}sourceAccountType"), kind)
    };
    let unlike = bench.answer(journey, JourneyStep::Transfer, chosen("depot")).expect_err("like for like");
    let expected = "is not acceptable: it must be the type of the account that is opened";
    assert_eq!(unlike.to_string(), format!("{prefix}sourceAccountType {expected}"));
    bench.answer(journey, JourneyStep::Transfer, chosen("isk")).expect("like for like");
    assert_eq!(query::journey_current(&bench.world, journey), Some(JourneyStep::Agreement));
    bench.answer(journey, JourneyStep::AccountDetails, answers(&[("accountType", "depot")])).expect("changes its mind");
    assert_eq!(query::journey_current(&bench.world, journey), Some(JourneyStep::Transfer));
    let sign = bench.sign(journey, ANNA, SignOutcome::Sign).expect_err("not yet");
    assert_eq!(sign.class, Class::NotAllowedNow);
}

/// (rule: journeys/steps-in-order)
#[test]
fn what_was_agreed_is_agreed_again_once_an_earlier_answer_differs() {
    let (isk, depot) = (&[("accountType", "isk")][..], &[("accountType", "depot")][..]);
    let rich = &[("income", "over1000000")][..];
    let named = &[("ssn", ANNA), ("firstName", "Maj")][..];
    let rows = [
        ("the same details", JourneyStep::AccountDetails, isk, JourneyStep::Signing),
        ("the same person", JourneyStep::Authentication, &[("ssn", ANNA)][..], JourneyStep::Signing),
        ("the agreement itself", JourneyStep::Agreement, &[("accept", "yes")][..], JourneyStep::Signing),
        ("another account type", JourneyStep::AccountDetails, depot, JourneyStep::Agreement),
        ("another income", JourneyStep::Kyc, rich, JourneyStep::Agreement),
        ("another name", JourneyStep::Authentication, named, JourneyStep::Agreement),
    ];
    for (what, step, given, expected) in rows {
        let mut bench = Bench::new(1, START);
        let types = Some(vec![AccountType::Depot, AccountType::Isk]);
        let journey = bench.opened(Configuration { account_types: types, ..opening(AccountType::Depot) });
        let usual = |bench: &Bench| {
            let kyc =
                query::journey_steps(&bench.world, journey).into_iter().find(|view| view.step == JourneyStep::Kyc);
            let fields = kyc.expect("shown").fields.into_iter();
            fields.fold(answers(&[]), |mut all, field| {
                all.set(field.name, field.suggestion);
                all
            })
        };
        bench.answer(journey, JourneyStep::Authentication, answers(&[("ssn", ANNA)])).expect("authenticates");
        bench.answer(journey, JourneyStep::AccountDetails, answers(isk)).expect("chooses");
        let kyc = usual(&bench);
        bench.answer(journey, JourneyStep::Kyc, kyc.clone()).expect("answers");
        bench.answer(journey, JourneyStep::Agreement, answers(&[("accept", "yes")])).expect("accepts");
        assert_eq!(query::journey_current(&bench.world, journey), Some(JourneyStep::Signing), "{what}");

        let base = if step == JourneyStep::Kyc { kyc } else { answers(&[]) };
        let given = given.iter().fold(base, |all, (name, text)| all.with(name, text));
        bench.answer(journey, step, given).expect("answers again");
        assert_eq!(query::journey_current(&bench.world, journey), Some(expected), "{what}");
        let accepted = field(&bench, journey, JourneyStep::Agreement, "accept").expect("shown");
        assert_eq!(accepted.values.is_empty(), expected == JourneyStep::Agreement, "{what}");
        if expected == JourneyStep::Agreement {
            let early = bench.sign(journey, ANNA, SignOutcome::Sign).expect_err("not agreed to");
            assert_eq!(early.class, Class::NotAllowedNow, "{what}");
            bench.answer(journey, JourneyStep::Agreement, answers(&[("accept", "yes")])).expect("accepts again");
        }
        bench.sign(journey, ANNA, SignOutcome::Sign).expect("agreed to what it is now");
        let opened = bench.account_of(&bench.look(journey)).account_type;
        assert_eq!(opened == AccountType::Depot, what == "another account type", "{what}");
    }
}

#[test]
fn refused_answers_are_shown_with_what_is_wrong_beside_each_field() {
    let mut bench = Bench::new(1, START);
    let journey = bench.opened(opening(AccountType::Depot));
    bench.answer(journey, JourneyStep::Authentication, answers(&[("ssn", ANNA)])).expect("authenticates");
    let given = answers(&[("email", "nobody"), ("accountName", "")]);
    let view = query::journey_step_with(&bench.world, journey, JourneyStep::AccountDetails, &given).expect("shown");
    let email = view.fields.iter().find(|field| field.key == "email").expect("asked");
    assert_eq!(texts(&email.values), ["nobody"]);
    let error = email.error.as_ref().expect("it is wrong").to_string();
    assert_eq!(error, "is not acceptable: an e-mail address is expected");
    assert!(view.fields.iter().filter(|field| field.key != "email").all(|field| field.error.is_none()));
    assert_eq!(query::journey_step_with(&bench.world, journey, JourneyStep::Transfer, &given), None);
}

/// (rule: plans/first-purchase-in-plans)
#[test]
fn answers_are_taken_in_the_forms_that_people_write() {
    let mut bench = Bench::new(1, START);
    let mut open = bench.open("1000");
    open.owner = Some(bench.owner(ANNA));
    let account = bench.account(open);
    let savings = Configuration { savings_plan: monthly(), ..about(&account, JourneyType::UpdateSavingsPlan) };
    let rows = [
        ("amount.SE0SBX000016SEK", "1 000,50", "1000.50", ""),
        ("amount.SE0SBX000016SEK", "1000.505", "", "must have at most 2 decimals"),
        ("amount.SE0SBX000016SEK", "-5", "", "must be greater than zero"),
        ("amount.SE0SBX000016SEK", "many", "", "is not acceptable: a number is expected"),
        ("amount.SE0SBX000016SEK", "499.99", "", "must be at least 500.00 SEK for this purchase"),
        ("day", "28", "28", ""),
        ("day", "29", "", "is not acceptable: a day from 1 to 28 is expected"),
        ("startDate", "2026-03-06", "2026-03-06", ""),
        (
            "startDate",
            "2026-03-05",
            "",
            "is not acceptable: it lies before the first day on which the mandate can be used",
        ),
        ("startDate", "2028-03-06", "", "is too far away"),
        ("startDate", "soon", "", "is not acceptable: a date as YYYY-MM-DD is expected"),
    ];
    for (name, text, kept, complaint) in rows {
        let journey = bench.opened(savings.clone());
        bench.answer(journey, JourneyStep::Authentication, answers(&[])).expect("authenticates");
        let bank = answers(&[("iban", "se81 5000 0000 0500 0000 0019")]);
        bench.answer(journey, JourneyStep::BankAccount, bank).expect("connects");
        let mut given = answers(&[("amount.SE0SBX000016SEK", "500"), ("day", "25"), ("startDate", "2026-03-09")]);
        given.set(name, vec![Arc::from(text)]);
        match bench.answer(journey, JourneyStep::SavingsPlan, given) {
            Ok(_) => {
                let field = field(&bench, journey, JourneyStep::SavingsPlan, name).expect("shown");
                assert_eq!((texts(&field.values), complaint), (vec![kept], ""), "{text}");
            }
            Err(refusal) => assert_eq!(refusal.to_string(), format!("{name} {complaint}"), "{text}"),
        }
        let iban = field(&bench, journey, JourneyStep::BankAccount, "iban").expect("shown");
        assert_eq!(texts(&iban.values), ["SE8150000000050000000019"]);
    }
}

#[test]
fn unknown_fields_steps_that_are_hidden_and_the_signature_are_no_answers() {
    let mut bench = Bench::new(1, START);
    let journey = bench.opened(opening(AccountType::Depot));
    let rows = [
        (JourneyStep::Authentication, answers(&[("ssn", ANNA), ("shoeSize", "43")]), "shoeSize is not known"),
        (JourneyStep::Authentication, answers(&[]), "ssn is required"),
        (
            JourneyStep::Authentication,
            answers(&[("ssn", "199001012386")]),
            "ssn is not acceptable: a valid personal number of twelve digits is expected",
        ),
        (JourneyStep::Transfer, answers(&[]), "step is not acceptable: this journey does not show it"),
        (JourneyStep::Signing, answers(&[]), "step is not acceptable: it is answered by an electronic signature"),
    ];
    for (step, given, expected) in rows {
        let digest = bench.world.digest();
        let refusal = bench.answer(journey, step, given).expect_err(expected);
        assert_eq!((refusal.class, refusal.to_string().as_str()), (Class::Malformed, expected));
        assert_eq!(bench.world.digest(), digest);
    }
}

#[test]
fn the_completing_lever_names_every_wrong_answer_by_its_step_and_changes_nothing() {
    let mut bench = Bench::new(1, START);
    let journey = bench.journey(opening(AccountType::Depot));
    let digest = bench.world.digest();
    let wrong = vec![
        (JourneyStep::AccountDetails, answers(&[("email", "nobody")])),
        (JourneyStep::Kyc, answers(&[("income", "enough"), ("shoeSize", "43")])),
        (JourneyStep::Transfer, answers(&[])),
    ];
    let partner = bench.scope.partner;
    let refusal = bench.does(Command::CompleteJourney { partner, journey, answers: wrong }).expect_err("wrong");
    let fields: Vec<&str> = refusal.problems.iter().map(|problem| problem.field.as_ref()).collect();
    assert_eq!(
        fields,
        ["answers.transfer", "answers.accountDetails.email", "answers.kyc.shoeSize", "answers.kyc.income"]
    );
    assert_eq!(bench.world.digest(), digest, "not even opened");
    assert!(bench.world.events().is_empty());
}

/// (rule: journeys/allocation-of-plans)
#[test]
fn charging_is_a_choice_where_there_is_or_will_be_a_mandate() {
    let offered = |bench: &Bench, journey| {
        let deposit = field(bench, journey, JourneyStep::AllocationPlan, "depositType").expect("shown");
        let choices: Vec<String> = deposit.choices.iter().map(|choice| choice.value.to_string()).collect();
        (choices.join(" "), deposit.read_only)
    };
    let (manual, both) = (("manual".to_owned(), true), ("manual autogiro".to_owned(), false));
    for (mandate, usable) in MANDATES {
        let mut bench = Bench::new(1, START);
        let account = bench.account_charged_by(mandate);
        let journey = bench.journey(about(&account, JourneyType::UpdateAllocationPlan));
        assert_eq!(offered(&bench, journey), if usable { both.clone() } else { manual.clone() }, "{mandate:?}");
    }
    for (given, expected) in [
        (&[("skip", "yes")][..], &manual),
        (&[("iban", "SE8150000000050000000019"), ("mandate", "no")], &manual),
        (&[("iban", "SE8150000000050000000019"), ("mandate", "yes")], &both),
    ] {
        let mut bench = Bench::new(1, START);
        let journey = bench.opened(Configuration {
            autogiro: mandate(AutogiroEnforce::Optional),
            allocation_plan: Some(AllocationPlanConfiguration::default()),
            ..opening(AccountType::Depot)
        });
        reach(&mut bench, journey, JourneyStep::BankAccount);
        bench.answer(journey, JourneyStep::BankAccount, answers(given)).expect("answers");
        assert_eq!(&offered(&bench, journey), expected, "{given:?}");
    }
}

/// (rule: journeys/bank-account-step)
#[test]
fn a_new_bank_account_needs_its_number_and_a_known_one_does_not() {
    let mut bench = Bench::new(1, START);
    let mut open = bench.open("0");
    open.owner = Some(bench.owner(ANNA));
    open.bank_accounts = vec![bench.bank("SE8150000000050000000019")];
    let account = bench.account(open);
    let known = account.bank_accounts[0].id.to_string();
    let missing = Some("iban is required");
    let rows = [
        (answers(&[]), missing),
        (answers(&[("bankAccount", "new")]), missing),
        (answers(&[("skip", "no")]), missing),
        (answers(&[("skip", "yes")]), None),
        (answers(&[("bankAccount", &known)]), None),
        (answers(&[("bankAccount", "new"), ("iban", "SE5950000000050000000027")]), None),
    ];
    for (given, expected) in rows {
        let journey = bench.opened(Configuration {
            ssn: Some(ssn(ANNA)),
            autogiro: mandate(AutogiroEnforce::Optional),
            ..opening(AccountType::Depot)
        });
        reach(&mut bench, journey, JourneyStep::BankAccount);
        let complaint = bench.answer(journey, JourneyStep::BankAccount, given.clone()).err();
        assert_eq!(complaint.map(|refusal| refusal.to_string()).as_deref(), expected, "{given:?}");
    }
}

#[test]
fn a_box_that_is_left_empty_is_a_no_and_one_that_must_be_ticked_is_missing() {
    let mut bench = Bench::new(1, START);
    let journey =
        bench.opened(Configuration { autogiro: mandate(AutogiroEnforce::Optional), ..opening(AccountType::Depot) });
    reach(&mut bench, journey, JourneyStep::BankAccount);
    let bank = answers(&[("iban", "SE8150000000050000000019")]);
    bench.answer(journey, JourneyStep::BankAccount, bank).expect("connects");
    for name in ["skip", "mandate"] {
        let values = field(&bench, journey, JourneyStep::BankAccount, name).expect("shown").values;
        assert_eq!(texts(&values), ["no"], "{name}");
    }
    for (given, expected) in [
        (answers(&[]), "accept is required"),
        (answers(&[("accept", "no")]), "accept is not acceptable: the agreements must be accepted"),
    ] {
        let refusal = bench.answer(journey, JourneyStep::Agreement, given).expect_err(expected);
        assert_eq!(refusal.to_string(), expected);
    }
    let done = bench.complete(journey, &[]);
    assert_eq!(bench.account_of(&done).bank_accounts[0].mandate, MandateStatus::Missing, "the lever keeps the answer");
}

/// (rule: journeys/autogiro-enforcement, journeys/bank-account-step)
#[test]
fn what_is_charged_leaves_no_way_round_the_mandate() {
    let plan = |deposit_type| AllocationPlanConfiguration { deposit_type, ..AllocationPlanConfiguration::default() };
    let plain = || Configuration { autogiro: mandate(AutogiroEnforce::Optional), ..opening(AccountType::Depot) };
    let iban = Iban::parse("SE8150000000050000000019").expect("an iban");
    for (configuration, charged) in [
        (plain(), false),
        (Configuration { allocation_plan: Some(plan(None)), ..plain() }, false),
        (Configuration { allocation_plan: Some(plan(Some(DepositType::Manual))), ..plain() }, false),
        (Configuration { allocation_plan: Some(plan(Some(DepositType::Autogiro))), ..plain() }, true),
        (Configuration { savings_plan: monthly(), ..plain() }, true),
        (Configuration { payment_account: Some(iban), ..plain() }, true),
    ] {
        let mut bench = Bench::new(1, START);
        let journey = bench.journey(configuration.clone());
        let skip = field(&bench, journey, JourneyStep::BankAccount, "skip");
        let mandate = field(&bench, journey, JourneyStep::BankAccount, "mandate").expect("asked");
        assert_eq!((skip.is_none(), mandate.read_only), (charged, charged), "{configuration:?}");
        assert_eq!(texts(&mandate.suggestion), ["yes"]);
    }
}

/// (rule: journeys/what-is-signed)
#[test]
fn a_picked_bank_account_leaves_nothing_of_another_one_to_be_signed() {
    let mut bench = Bench::new(1, START);
    let mut open = bench.open("0");
    open.owner = Some(bench.owner(ANNA));
    open.bank_accounts = vec![bench.bank("SE8150000000050000000019")];
    let account = bench.account(open);
    let known = account.bank_accounts[0].id.to_string();
    let other = "SE4550000000058398257466";
    type Given<'a> = &'a [(&'a str, &'a str)];
    let rows: [(Given<'_>, &[&str], &str); 2] = [
        (&[("bankAccount", &known), ("iban", other), ("name", "x")], &["bankAccount"], "SE8150000000050000000019"),
        (&[("bankAccount", "new"), ("iban", other), ("name", "x")], &["bankAccount", "iban", "name"], other),
    ];
    for (given, kept, iban) in rows {
        let configuration = Configuration {
            account: Some(account.id),
            autogiro: mandate(AutogiroEnforce::Optional),
            ..Configuration::empty(JourneyType::AddBankAccount)
        };
        let journey = bench.opened(configuration);
        bench.sign(journey, ANNA, SignOutcome::Sign).expect("authenticated");
        bench.answer(journey, JourneyStep::BankAccount, answers(given)).expect("answered");
        let steps = query::journey_steps(&bench.world, journey);
        let fields =
            steps.iter().find(|view| view.step == JourneyStep::BankAccount).expect("it is shown").fields.iter();
        let filled: Vec<_> =
            fields.filter(|field| !field.values.is_empty() && field.key != "mandate").map(|field| field.key).collect();
        assert_eq!(filled, kept);
        assert_eq!(
            query::journey_bank_account(&bench.world, journey).map(|iban| iban.to_string()).as_deref(),
            Some(iban)
        );
    }
}
