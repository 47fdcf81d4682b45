//! The table of fields, every field of every type; and every rule of a configuration, one row a rule broken.

use super::{ANNA, MANDATES, START, about, entity_opening, moving, opening, ssn, transfer_of};
use crate::common::{Bench, DAILY, GLOBAL, id};
use sim::identity::Iban;
use sim::ids::{AccountId, SubmissionId};
use sim::money::Percent;
use sim::records::{
    Account, AccountOptions, AccountType, Allocation, AllocationPlanConfiguration, Autogiro, AutogiroEnforce, Category,
    Configuration, DepositType, JourneyType, KycAnswer, OwnerType, Periodicity, SavingsPlanConfiguration, ServiceType,
    WelcomeScreen,
};
use sim::{Class, Command};
use std::sync::Arc;

/// The table of fields (rule: journeys/configuration-fields), typed again: R required, C required when the client
/// permits both, O optional, - refused.
const TABLE: &str = "
accountTypes        R - - - - - - -
accountServiceType  R R - - - - - -
accountCategories   C - - - - - - -
accountOptions      - R - - - - - -
accountName         O O - - - - - -
email               O O - - - - - -
ssn                 O O O O O O R O
account             - - R R R R - R
submission          - O - - - - R -
autogiro            O O O - - - - -
instruments         O O - - O O - -
paymentAccount      O O - - O O - -
allocationPlan      O O - - O - - -
savingsPlan         O O - - - R - -
kycs                O O - - - - - O
transfer            O - - - - - - -
welcomeScreen       O - - - - - - -
";

const IBAN: &str = "SE8150000000050000000019";

fn iban() -> Iban {
    Iban::parse(IBAN).expect("an iban")
}

fn savings() -> SavingsPlanConfiguration {
    SavingsPlanConfiguration { periodicity: Some(Periodicity::Monthly), instruments: None }
}

fn share(fund: &str, percent: &str) -> Allocation {
    Allocation { instrument: id(fund), percent: Percent::parse(percent).expect("a percent") }
}

fn kyc(qid: &str, answer: &str) -> KycAnswer {
    KycAnswer { qid: Arc::from(qid), answer: vec![Arc::from(answer)], is_list: false }
}

/// What the fields of a base refer to.
struct Known {
    account: Arc<Account>,
    new_submission: SubmissionId,
    pending_submission: SubmissionId,
}

/// Somebody with an account, and two submissions by two signatories: one filled in, one signed by the first.
fn known(bench: &mut Bench) -> Known {
    let mut open = bench.open("0");
    open.owner = Some(bench.owner(ANNA));
    let account = bench.account(open);
    let submit = |bench: &mut Bench, sign: bool| {
        let configuration = Configuration { ssn: Some(ssn(ANNA)), ..entity_opening() };
        let details = super::answers(&[("signatories", "197001082382"), ("crn", "5599900015")]);
        let journey = bench.opened(configuration);
        if sign {
            let done = bench.complete(journey, &[(sim::records::JourneyStep::AccountDetails, details)]);
            return done.submission.expect("a submission");
        }
        bench.sign(journey, ANNA, sim::command::SignOutcome::Sign).expect("authenticates");
        let details =
            details.with("accountType", "depot").with("category", "retail").with("serviceType", "executionOnly");
        bench.answer(journey, sim::records::JourneyStep::AccountDetails, details).expect("describes the company");
        bench.look(journey).submission.expect("a submission")
    };
    let new_submission = submit(bench, false);
    let pending_submission = submit(bench, true);
    Known { account, new_submission, pending_submission }
}

fn base(kind: JourneyType, known: &Known) -> Configuration {
    match kind {
        JourneyType::CreateAccount => opening(AccountType::Depot),
        JourneyType::CreateLegalEntityAccount => entity_opening(),
        JourneyType::UpdateSavingsPlan => {
            Configuration { savings_plan: Some(savings()), ..about(&known.account, kind) }
        }
        JourneyType::SignSubmission => Configuration {
            ssn: Some(ssn("197001082382")),
            submission: Some(known.pending_submission),
            ..Configuration::empty(kind)
        },
        _ => about(&known.account, kind),
    }
}

/// Gives the field a value that is fine where the field is.
fn give(configuration: &mut Configuration, field: &str, known: &Known) {
    let legal = configuration.journey_type == JourneyType::CreateLegalEntityAccount;
    match field {
        "accountTypes" => configuration.account_types = Some(vec![AccountType::Depot]),
        "accountServiceType" => configuration.account_service_type = Some(ServiceType::ExecutionOnly),
        "accountCategories" => configuration.account_categories = Some(vec![Category::Retail]),
        "accountOptions" => configuration.account_options = entity_opening().account_options,
        "accountName" => configuration.account_name = Some(Arc::from("My account")),
        "email" => configuration.email = Some(Arc::from("anna@example.com")),
        "ssn" => configuration.ssn = Some(configuration.ssn.unwrap_or(ssn(ANNA))),
        "account" => configuration.account = Some(known.account.id),
        "submission" => {
            configuration.submission = Some(if legal { known.new_submission } else { known.pending_submission });
        }
        "autogiro" => {
            configuration.autogiro =
                Some(Autogiro { enforce: AutogiroEnforce::Optional, force_new_bank_account: true });
        }
        "instruments" => configuration.instruments = Some(vec![id(DAILY)]),
        "paymentAccount" => configuration.payment_account = Some(iban()),
        "allocationPlan" => configuration.allocation_plan = Some(AllocationPlanConfiguration::default()),
        "savingsPlan" => configuration.savings_plan = Some(savings()),
        "kycs" => configuration.kycs = Some(vec![kyc("purpose", if legal { "surplus" } else { "savings" })]),
        "transfer" => configuration.transfer = Some(transfer_of(vec![moving(AccountType::Depot)])),
        "welcomeScreen" => {
            configuration.transfer = Some(transfer_of(vec![moving(AccountType::Depot)]));
            configuration.welcome_screen = Some(WelcomeScreen::Transfer);
        }
        other => panic!("no field {other}"),
    }
}

fn take(configuration: &mut Configuration, field: &str) {
    match field {
        "accountTypes" => configuration.account_types = None,
        "accountServiceType" => configuration.account_service_type = None,
        "accountCategories" => configuration.account_categories = None,
        "accountOptions" => configuration.account_options = None,
        "ssn" => configuration.ssn = None,
        "account" => configuration.account = None,
        "submission" => configuration.submission = None,
        "savingsPlan" => configuration.savings_plan = None,
        other => panic!("{other} is nowhere required"),
    }
}

/// (rule: journeys/configuration-fields, journeys/journey-types, journeys/account-options)
#[test]
fn every_field_is_required_optional_or_refused_as_its_table_says() {
    let mut bench = Bench::new(1, START);
    let known = known(&mut bench);
    let mut seen = 0;
    for line in TABLE.lines().filter(|line| !line.is_empty()) {
        let mut words = line.split_whitespace();
        let field = words.next().expect("a field");
        for (kind, presence) in JourneyType::ALL.into_iter().zip(words) {
            seen += 1;
            let case = format!("{field} of {}", kind.name());
            let mut with = base(kind, &known);
            give(&mut with, field, &known);
            let complaint = bench.complaint(with);
            if presence == "-" {
                let expected = format!("journey.{field} must be left out: this type of journey does not take it");
                assert!(complaint.split("; ").any(|one| one == expected), "{case}: {complaint:?}");
                continue;
            }
            assert_eq!(complaint, "", "{case}");
            if presence == "O" {
                assert_eq!(bench.complaint(base(kind, &known)), "", "{case} left out");
                continue;
            }
            let mut without = base(kind, &known);
            take(&mut without, field);
            let complaint = bench.complaint(without);
            let expected = format!("journey.{field} is required");
            assert!(complaint.split("; ").any(|one| one == expected), "{case}: {complaint:?}");
        }
    }
    assert_eq!(seen, 17 * 8);
}

#[test]
fn the_table_of_the_code_is_the_one_typed_here() {
    use sim::records::{FIELDS, Presence};
    let letter = |presence: &Presence| match presence {
        Presence::Required => "R",
        Presence::RequiredIfOpen => "C",
        Presence::Optional => "O",
        Presence::Refused => "-",
    };
    let lines = TABLE.lines().filter(|line| !line.is_empty());
    for (line, (field, row, _)) in lines.zip(FIELDS) {
        let ours = format!("{field} {}", row.iter().map(letter).collect::<Vec<_>>().join(" "));
        assert_eq!(line.split_whitespace().collect::<Vec<_>>().join(" "), ours);
    }
    assert_eq!(FIELDS.len(), 17);
}

/// (rule: journeys/account-categories)
#[test]
fn a_client_that_permits_one_category_may_leave_it_out() {
    let mut setup = crate::common::setup();
    setup.partners[0].clients[0].permissions.categories = vec![Category::Retail];
    let mut bench = Bench::of(&setup, 1, START);
    let mut configuration = opening(AccountType::Depot);
    configuration.account_categories = None;
    assert_eq!(bench.complaint(configuration), "");
    let mut entity = entity_opening();
    entity.account_options.as_mut().expect("options").account_categories = None;
    assert_eq!(bench.complaint(entity), "");
}

type Change = fn(&mut Configuration);

fn options(configuration: &mut Configuration) -> &mut AccountOptions {
    configuration.account_options.as_mut().expect("options")
}

fn plan(shares: &[(&str, &str)]) -> Option<AllocationPlanConfiguration> {
    Some(AllocationPlanConfiguration {
        instruments: Some(shares.iter().map(|(fund, percent)| share(fund, percent)).collect()),
        ..AllocationPlanConfiguration::default()
    })
}

/// What each broken rule is called; every row breaks one rule of a valid base.
const PERSON: &[(Change, &str)] = &[
    (|c| c.account_types = Some(vec![]), "journey.accountTypes must not be empty"),
    (|c| c.account_types = Some(vec![AccountType::Isk, AccountType::Isk]), "journey.accountTypes[1] is given twice"),
    (|c| c.account_categories = Some(vec![]), "journey.accountCategories must not be empty"),
    (
        |c| c.account_categories = Some(vec![Category::Pro, Category::Pro]),
        "journey.accountCategories[1] is given twice",
    ),
    (|c| c.account_categories = None, "journey.accountCategories is required"),
    (|c| c.account_name = Some(Arc::from("  ")), "journey.accountName must not be empty"),
    (|c| c.account_name = Some(Arc::from("x".repeat(51))), "journey.accountName must be at most 50 characters long"),
    (
        |c| c.account_name = Some(Arc::from("a\u{7}b")),
        "journey.accountName is not acceptable: it must have no control characters",
    ),
    (|c| c.email = Some(Arc::from("anna@")), "journey.email is not acceptable: an e-mail address is expected"),
    (
        |c| c.payment_account = Some(Iban::parse("DE89370400440532013000").expect("an iban")),
        "journey.paymentAccount.iban is not acceptable: a Swedish bank account is expected",
    ),
    (|c| c.instruments = Some(vec![]), "journey.instruments must not be empty"),
    (|c| c.instruments = Some(vec![id(DAILY), id(DAILY)]), "journey.instruments[1] is given twice"),
    (|c| c.instruments = Some(vec![id("SE0SBX000081SEK")]), "journey.instruments[0].instrument is not known"),
    (
        |c| c.allocation_plan = plan(&[(DAILY, "33.33"), (GLOBAL, "66.66")]),
        "journey.allocationPlan.instruments must add up to exactly 100.00 percent; the sum is 99.99",
    ),
    (
        |c| c.allocation_plan = plan(&[(DAILY, "50"), (GLOBAL, "50.01")]),
        "journey.allocationPlan.instruments must add up to exactly 100.00 percent; the sum is 100.01",
    ),
    (
        |c| c.allocation_plan = plan(&[(DAILY, "50"), (DAILY, "50")]),
        "journey.allocationPlan.instruments[1].instrument is given twice",
    ),
    (
        |c| c.allocation_plan = plan(&[(DAILY, "100"), (GLOBAL, "0")]),
        "journey.allocationPlan.instruments[1].allocation must be greater than zero",
    ),
    (|c| c.allocation_plan = plan(&[]), "journey.allocationPlan.instruments must not be empty"),
    (
        |c| c.allocation_plan = plan(&[("SE0SBX000081SEK", "100")]),
        "journey.allocationPlan.instruments[0].instrument is not known",
    ),
    (
        |c| {
            c.allocation_plan = Some(AllocationPlanConfiguration {
                deposit_type: Some(DepositType::Autogiro),
                ..AllocationPlanConfiguration::default()
            });
        },
        "journey.allocationPlan.paymentAccount.iban is required",
    ),
    (
        |c| {
            c.payment_account = Some(iban());
            c.allocation_plan = Some(AllocationPlanConfiguration {
                payment_account: Some(Iban::parse("SE5950000000050000000027").expect("an iban")),
                ..AllocationPlanConfiguration::default()
            });
        },
        "journey.allocationPlan.paymentAccount.iban is not acceptable: it differs from `paymentAccount.iban`",
    ),
    (
        |c| c.savings_plan = Some(SavingsPlanConfiguration { periodicity: None, instruments: None }),
        "journey.savingsPlan.periodicity is required",
    ),
    (
        |c| {
            c.savings_plan = Some(SavingsPlanConfiguration { periodicity: Some(Periodicity::Once), instruments: None });
        },
        "journey.savingsPlan.periodicity is not acceptable: only `monthly` fits here",
    ),
    (
        |c| c.savings_plan = Some(SavingsPlanConfiguration { instruments: Some(vec![]), ..savings() }),
        "journey.savingsPlan.instruments must not be empty",
    ),
    (|c| c.kycs = Some(vec![kyc("shoeSize", "43")]), "journey.kycs[0].qid is not known"),
    (|c| c.kycs = Some(vec![kyc("pep", "no"), kyc("pep", "yes")]), "journey.kycs[1].qid is given twice"),
    (
        |c| c.kycs = Some(vec![KycAnswer { answer: vec![], ..kyc("pep", "") }]),
        "journey.kycs[0].answer must not be empty",
    ),
    (
        |c| c.kycs = Some(vec![kyc("purpose", &"x".repeat(256))]),
        "journey.kycs[0].answer must be at most 255 characters long",
    ),
    (
        |c| c.kycs = Some(vec![KycAnswer { answer: vec![Arc::from("salary"); 21], ..kyc("originOfFunds", "") }]),
        "journey.kycs[0].answer must have at most 20 entries",
    ),
    // Answers that the customer could not give (rule: journeys/prefilled-answers).
    (|c| c.kycs = Some(vec![kyc("pep", "perhaps")]), "journey.kycs[0].answer is not one of the choices"),
    (|c| c.kycs = Some(vec![kyc("pep", "No")]), "journey.kycs[0].answer is not one of the choices"),
    (
        |c| c.kycs = Some(vec![KycAnswer { answer: vec![Arc::from("no"); 2], is_list: true, ..kyc("pep", "") }]),
        "journey.kycs[0].answer must have at most one entry",
    ),
    (
        |c| {
            let answer = vec![Arc::from("salary"), Arc::from("lottery")];
            c.kycs = Some(vec![KycAnswer { answer, is_list: true, ..kyc("originOfFunds", "") }]);
        },
        "journey.kycs[0].answer is not one of the choices",
    ),
    (
        |c| c.kycs = Some(vec![kyc("purpose", "pension"), kyc("taxResidency", "XK")]),
        "journey.kycs[1].answer is not acceptable: country codes of ISO 3166-1 are expected",
    ),
    (
        |c| c.welcome_screen = Some(WelcomeScreen::Transfer),
        "journey.welcomeScreen is not acceptable: it is only allowed together with `transfer`",
    ),
];

const ENTITY: &[(Change, &str)] = &[
    (|c| options(c).owner_type = None, "journey.accountOptions.ownerType is required"),
    (
        |c| options(c).owner_type = Some(OwnerType::NaturalPerson),
        "journey.accountOptions.ownerType is not acceptable: only `legal_entity` fits here",
    ),
    (|c| options(c).service_types = None, "journey.accountOptions.serviceTypes is required"),
    (
        |c| options(c).service_types = Some(vec![ServiceType::PortfolioManagement]),
        "journey.accountServiceType is not acceptable: it must be one of `accountOptions.serviceTypes`",
    ),
    (|c| options(c).account_types = None, "journey.accountOptions.accountTypes is required"),
    (|c| options(c).account_types = Some(vec![]), "journey.accountOptions.accountTypes must not be empty"),
    (
        |c| options(c).account_types = Some(vec![AccountType::Depot, AccountType::Isk]),
        "journey.accountOptions.accountTypes[1] does not fit the account type: only a natural person can own an ISK",
    ),
    (|c| options(c).account_categories = None, "journey.accountOptions.accountCategories is required"),
];

/// (rule: journeys/kyc-catalogue, journeys/allocation-of-plans)
#[test]
fn every_rule_of_a_configuration_is_refused_by_the_name_of_its_field() {
    let mut bench = Bench::new(1, START);
    assert_eq!(bench.complaint(opening(AccountType::Depot)), "");
    assert_eq!(bench.complaint(entity_opening()), "");
    let person = PERSON.iter().map(|(change, expected)| (opening(AccountType::Depot), change, expected));
    let entity = ENTITY.iter().map(|(change, expected)| (entity_opening(), change, expected));
    for (mut configuration, change, expected) in person.chain(entity) {
        change(&mut configuration);
        assert_eq!(&bench.complaint(configuration), expected);
    }
}

/// (rule: journeys/account-categories, clients/client-permissions)
#[test]
fn permissions_bound_what_a_journey_may_be() {
    type Permissions = sim::records::Permissions;
    type Row = (fn(&mut Permissions), Configuration, &'static str);
    let rows: &[Row] = &[
        (
            |p| p.journey_types.clear(),
            opening(AccountType::Depot),
            "journey.journeyType is not permitted for this client",
        ),
        (
            |p| p.owner_types = vec![OwnerType::LegalEntity],
            opening(AccountType::Depot),
            "journey.journeyType is not permitted for this client",
        ),
        (
            |p| p.owner_types = vec![OwnerType::NaturalPerson],
            entity_opening(),
            "journey.journeyType is not permitted for this client",
        ),
        (
            |p| p.account_types = vec![AccountType::Isk],
            opening(AccountType::Depot),
            "journey.accountTypes[0] is not permitted for this client",
        ),
        (
            |p| p.service_types = vec![ServiceType::InvestmentAdvise],
            opening(AccountType::Depot),
            "journey.accountServiceType is not permitted for this client",
        ),
        (
            |p| p.categories = vec![Category::Pro],
            opening(AccountType::Depot),
            "journey.accountCategories[0] is not permitted for this client",
        ),
        (
            |p| p.transfers = false,
            Configuration {
                transfer: Some(transfer_of(vec![moving(AccountType::Depot)])),
                ..opening(AccountType::Depot)
            },
            "journey.transfer is not permitted for this client",
        ),
        (
            |p| p.autogiro = false,
            Configuration {
                autogiro: Some(Autogiro { enforce: AutogiroEnforce::Required, force_new_bank_account: false }),
                ..opening(AccountType::Depot)
            },
            "journey.autogiro.enforce is not permitted for this client",
        ),
        (
            |p| p.autogiro = false,
            Configuration { savings_plan: Some(savings()), ..opening(AccountType::Depot) },
            "journey.savingsPlan is not permitted for this client",
        ),
    ];
    for (change, configuration, expected) in rows {
        let mut setup = crate::common::setup();
        change(&mut setup.partners[0].clients[0].permissions);
        let mut bench = Bench::of(&setup, 1, START);
        assert_eq!(&bench.complaint(configuration.clone()), expected);
    }
}

/// (rule: journeys/configuration-problems-at-once)
#[test]
fn all_problems_are_listed_at_once_and_in_one_class() {
    let mut bench = Bench::new(1, START);
    let mut create = bench.asked(Configuration {
        account_types: None,
        email: Some(Arc::from("nobody")),
        account: Some(AccountId::from_u128(7)),
        welcome_screen: Some(WelcomeScreen::Transfer),
        ..opening(AccountType::Depot)
    });
    create.callback_url = Arc::from("ftp://partner.example");
    create.redirect_url = Some(Arc::from("javascript:alert(1)"));
    create.partner_data = Some(Arc::from("x".repeat(769)));
    let refusal = bench.ask(create).expect_err("full of mistakes");
    assert_eq!(refusal.class, Class::Malformed);
    let fields: Vec<&str> = refusal.problems.iter().map(|problem| problem.field.as_ref()).collect();
    let expected = [
        "journey.accountTypes",
        "journey.account",
        "journey.email",
        "journey.welcomeScreen",
        "callbackUrl",
        "redirectUrl",
        "scope",
    ];
    assert_eq!(fields, expected);
}

/// (rule: journeys/one-signer)
#[test]
fn what_a_configuration_refers_to_must_exist_be_active_and_be_the_signer_s() {
    let mut bench = Bench::new(1, START);
    let known = known(&mut bench);
    let other_person = Some(ssn("197001082382"));
    let kyc = |account| Configuration { account: Some(account), ..Configuration::empty(JourneyType::KycRenewal) };
    let sign = |submission, number: &str| Configuration {
        submission: Some(submission),
        ssn: Some(ssn(number)),
        ..Configuration::empty(JourneyType::SignSubmission)
    };
    let pending = bench.walk(super::opening_by("197001082382", AccountType::Depot), &[]);
    let pending = bench.account_of(&pending).id;
    let rows = [
        (kyc(AccountId::from_u128(1)), Class::Unknown, "journey.account is not known"),
        (kyc(pending), Class::AccountNotActive, "journey.account must be an active account; it is pending"),
        (
            Configuration { ssn: other_person, ..kyc(known.account.id) },
            Class::ExecutorMismatch,
            "journey.ssn must be the account's owner or one of its signatories",
        ),
        (sign(SubmissionId::from_u128(1), ANNA), Class::Unknown, "journey.submission is not known"),
        (
            sign(known.new_submission, ANNA),
            Class::NotAllowedNow,
            "journey.submission does not allow this while it is new",
        ),
        (
            sign(known.pending_submission, ANNA),
            Class::NotAllowedNow,
            "journey.ssn is not acceptable: it has signed already",
        ),
        (
            sign(known.pending_submission, "197001012389"),
            Class::ExecutorMismatch,
            "journey.ssn must be the account's owner or one of its signatories",
        ),
        (
            Configuration { submission: Some(known.pending_submission), ..entity_opening() },
            Class::NotAllowedNow,
            "journey.submission does not allow this while it is pending",
        ),
    ];
    for (configuration, class, expected) in rows {
        let create = bench.asked(configuration);
        let refusal = bench.does(Command::CreateJourney(Box::new(create))).expect_err(expected);
        assert_eq!((refusal.class, refusal.to_string().as_str()), (class, expected));
    }
}

#[test]
fn a_question_takes_twenty_countries() {
    let mut bench = Bench::new(1, START);
    let answer = sim::identity::country::codes().take(20).map(Arc::from).collect();
    let kycs = Some(vec![KycAnswer { answer, is_list: true, ..kyc("taxResidency", "") }]);
    assert_eq!(bench.complaint(Configuration { kycs, ..opening(AccountType::Depot) }), "");
}

/// (rule: journeys/allocation-of-plans)
#[test]
fn a_charged_plan_needs_a_payment_account_or_a_mandate_that_exists() {
    let missing = "journey.allocationPlan.paymentAccount.iban is required";
    let charged = Some(AllocationPlanConfiguration { deposit_type: Some(DepositType::Autogiro), ..Default::default() });
    for (mandate, usable) in MANDATES {
        let mut bench = Bench::new(1, START);
        let account = bench.account_charged_by(mandate);
        let update =
            Configuration { allocation_plan: charged.clone(), ..about(&account, JourneyType::UpdateAllocationPlan) };
        let of_owner = if usable { "" } else { missing };
        assert_eq!(bench.complaint(update.clone()), of_owner, "{mandate:?}");
        assert_eq!(bench.complaint(Configuration { payment_account: Some(iban()), ..update }), "");

        let ask = |number: Option<&str>| Configuration {
            ssn: number.map(ssn),
            allocation_plan: charged.clone(),
            ..opening(AccountType::Depot)
        };
        assert_eq!(bench.complaint(ask(Some(ANNA))), of_owner, "{mandate:?}");
        assert_eq!(bench.complaint(ask(Some("197001082382"))), missing, "somebody else's mandate");
        assert_eq!(bench.complaint(ask(None)), missing);
        for (enforce, expected) in
            [(AutogiroEnforce::Required, ""), (AutogiroEnforce::Optional, ""), (AutogiroEnforce::None, missing)]
        {
            let autogiro = Some(Autogiro { enforce, force_new_bank_account: false });
            assert_eq!(bench.complaint(Configuration { autogiro, ..ask(None) }), expected, "{enforce:?}");
        }
    }
}
