//! What steps about journeys, and about accounts that wait for others, ask of a world.
//!
//! Invariant: a step turns into the same command whenever the run so far was the same. Absent on purpose: what the command
//! should lead to.

use super::Bindings;
use super::configurations::{ACCOUNT_NUMBER, another_account, changed};
use super::people::{PEOPLE, fixed_person};
use crate::generate::step::{Journey as Act, Name, Start, options};
use sim::command::{CreateJourney, Decision, Scope};
use sim::identity::InstrumentId;
use sim::ids::{CustodianId, JourneyId};
use sim::machines::journey::State;
use sim::machines::mandate;
use sim::query::{self, FieldKind, FieldView};
use sim::records::{
    AccountOptions, AccountStatus, AccountType, AllocationPlanConfiguration, Answers, Autogiro, AutogiroEnforce,
    BankAccount, Category, Configuration, CustodianTransfers, ErrorCode, JourneyStep, JourneyType, Output, OwnerKey,
    OwnerType, Periodicity, SavingsPlanConfiguration, ServiceType, TransferAccount, TransferConfiguration,
    TransferEnforce, WelcomeScreen,
};
use sim::rng::{Seed, Stream};
use sim::time::{Date, Instant, Millis};
use sim::{Command, World};
use std::sync::Arc;

/// IBANs by what the banks do with them (rule: money/fixed-outcomes-of-ibans).
const IBANS: &[&str] = &[
    "SE8150000000050000000019",
    "SE5950000000050000000027",
    "SE3750000000050000000035",
    "SE1550000000050000000043",
    "SE9050000000050000000051",
    "SE9350000000050000000094",
];

/// Companies by what the register does with them (rule: accounts/company-register); the first comes most often.
const COMPANIES: &[&str] = &[
    "5599900015",
    "5599900015",
    "5599900023",
    "5599900049",
    "5599900056",
    "5599900064",
    "5599900072",
    "5599900080",
    "5599900098",
    "5599900106",
    "5598880009",
];

/// One in so many steps whose moment has passed, or who lack what they are about, are asked for all the same.
const MOSTLY: u16 = 5;

/// Partner's data in either alphabet of base64 with their padding, and texts that are nearly that.
const SCOPES: [&str; 10] = ["YW+/", "YW+_", "YW-_", "Y===", "YWI=", "YWI", "YQ==", "YW Jj===", "", "YWÅj"];
/// One journey in so many has one of these.
const ODD_SCOPE: usize = 19;
/// Addresses that a customer can be sent to.
const LEADING: [&str; 3] = ["https://partner.example/back?a=1", "http://127.0.0.1:9/x", "myapp://done"];
/// Addresses that no page may lead to (rule: journeys/redirect-urls).
const MISLEADING: [&str; 8] = [
    "javascript://%0aalert(1)",
    "Data:text/html,x",
    "file:///etc/passwd",
    "view-source:https://partner.example/",
    "ws://partner.example/",
    "myapp:done",
    "mailto:anna@partner.example",
    "https://",
];
/// One journey in so many names an address of the second kind.
const MISLED: usize = 47;

/// Where the customer goes then: mostly nowhere, and now and then where nobody may be sent. It follows from the step.
fn redirect(start: &Start, which: usize) -> Option<Arc<str>> {
    let number = usize::from(start.name) * 2 + which;
    let addresses = if number % MISLED == 13 { &MISLEADING[..] } else { &LEADING[..] };
    let chosen = number % MISLED == 13 || number.is_multiple_of(5);
    chosen.then(|| Arc::from(addresses[number / MISLED % addresses.len()]))
}

impl Bindings {
    pub(super) fn journey_act(&self, world: &World, name: Name, act: Act) -> Option<Command> {
        let (client, journey) = self.journey(name)?;
        let partner = self.scope(client).partner;
        let record = query::journey(world, self.scope(client).client, journey);
        Some(match act {
            Act::Open => Command::OpenJourney { journey, partner: Some(partner) },
            // A link that leads nowhere any more shows a page that says so.
            Act::Link => {
                record.filter(|record| !record.state.is_terminal())?;
                Command::OpenJourney { journey, partner: None }
            }
            // The pages of the electronic identity have an abort of their own.
            Act::Leave => {
                record.filter(|record| *record.state == State::Pending)?;
                query::journey_current(world, journey)
                    .filter(|step| !matches!(step, JourneyStep::Authentication | JourneyStep::Signing))?;
                Command::AbortJourney { journey, context: None }
            }
            Act::Answer(pick)
                if !pick.is_multiple_of(MOSTLY) && record.is_none_or(|it| *it.state != State::Pending) =>
            {
                return None;
            }
            Act::Complete(pick) if !pick.is_multiple_of(MOSTLY) && record.is_none_or(|it| it.state.is_terminal()) => {
                return None;
            }
            Act::Answer(pick) => {
                let step = query::journey_current(world, journey).unwrap_or(JourneyStep::Kyc);
                Command::AnswerStep {
                    partner: Some(partner),
                    journey,
                    step,
                    answers: answers(world, journey, step, pick),
                }
            }
            Act::Next => {
                record.filter(|record| *record.state == State::Pending)?;
                let step = query::journey_current(world, journey)
                    .filter(|step| !matches!(step, JourneyStep::Authentication | JourneyStep::Signing))?;
                Command::AnswerStep { partner: Some(partner), journey, step, answers: answers(world, journey, step, 0) }
            }
            Act::Again(back, pick) => {
                record.filter(|record| *record.state == State::Pending)?;
                let current = query::journey_current(world, journey)?;
                let before = query::journey_steps(world, journey).into_iter().map(|view| view.step);
                let asks = |step: &JourneyStep| !matches!(step, JourneyStep::Authentication | JourneyStep::Agreement);
                let before: Vec<_> = before.take_while(|step| *step != current).filter(asks).collect();
                let step = *before.get(usize::from(back).checked_rem(before.len())?)?;
                Command::AnswerStep {
                    partner: Some(partner),
                    journey,
                    step,
                    answers: answers(world, journey, step, pick),
                }
            }
            Act::Sign(outcome) => {
                let record = record?;
                let signer = record.progress.signer.or(record.configuration.ssn).unwrap_or_else(|| fixed_person(0));
                Command::SignJourney { partner: Some(partner), journey, signer, outcome }
            }
            Act::Complete(pick) => {
                Command::CompleteJourney { partner, journey, answers: all_answers(world, journey, pick) }
            }
            Act::Cancel => Command::CancelJourney { partner, journey, context: None },
            Act::Fail(code) => {
                let code = ErrorCode::ALL[usize::from(code) % ErrorCode::ALL.len()];
                Command::FailJourney { partner, journey, code, context: None }
            }
            Act::Expire => Command::ExpireJourney { partner, journey },
        })
    }

    pub(super) fn decide(&self, world: &World, name: Name, decision: Decision) -> Option<Command> {
        let (client, id) = self.account(name)?;
        let scope = self.scope(client);
        let account = query::account(world, scope.client, id)?;
        // Who would approve of an account that waits for signatures gives these first.
        let signs = decision == Decision::Approve && account.status() == AccountStatus::Confirm;
        let decision = if signs { Decision::Confirm } else { decision };
        Some(Command::DecideAccount { partner: scope.partner, account: id, decision })
    }

    pub(super) fn newest_bank(&self, world: &World, name: Name) -> Option<(Scope, Arc<BankAccount>)> {
        let (client, account) = self.account(name)?;
        let scope = self.scope(client);
        Some((scope, query::account(world, scope.client, account)?.bank_accounts.last().cloned()?))
    }

    /// Most codes are ones that the mandate can take now, each way as likely as any other.
    pub(super) fn advise(&self, world: &World, name: Name, code: u8) -> Option<Command> {
        let ((scope, bank), code) = (self.newest_bank(world, name)?, usize::from(code));
        let can = mandate::CODES.iter().filter(|row| bank.mandate.allows(row.1));
        let mut ways: Vec<mandate::Trigger> = can.map(|row| row.1).collect();
        ways.dedup();
        let way = (code != 0 && !ways.is_empty()).then(|| ways[code % ways.len()]);
        let fits = |row: &&(&str, mandate::Trigger, &str)| way.is_none_or(|way| row.1 == way);
        let codes: Vec<&str> = mandate::CODES.iter().filter(fits).map(|row| row.0).collect();
        let code = Arc::from(codes[code / 3 % codes.len()]);
        Some(Command::AdviseMandate { partner: scope.partner, bank_account: bank.id, code })
    }

    pub(super) fn start(&self, world: &World, start: &Start) -> Option<CreateJourney> {
        let kind = JourneyType::ALL[usize::from(start.kind) % JourneyType::ALL.len()];
        let client = query::client(world, self.scope(start.client).client);
        let offered = |fund: &&InstrumentId| client.is_some_and(|client| client.universe.contains(**fund));
        let funds: Vec<_> = self.funds.iter().filter(offered).copied().take(2).collect();
        let configuration = changed(self.configuration(world, start, kind), start, &funds);
        let about = kind.opens_account() || configuration.account.is_some() || configuration.submission.is_some();
        (about || start.name.is_multiple_of(MOSTLY)).then_some(())?;
        let has = |bit| start.options & bit != 0;
        let number = usize::from(start.name) + usize::from(start.options);
        let scope = match start.options {
            _ if has(options::TOO_LONG_SCOPE) => "a".repeat(769),
            _ if has(options::LONG_SCOPE) => "a".repeat(768),
            _ if number % ODD_SCOPE == 7 => SCOPES[number / ODD_SCOPE % SCOPES.len()].to_owned(),
            _ => "YWJj".to_owned(),
        };
        Some(CreateJourney {
            scope: self.scope(start.client),
            configuration,
            callback_url: Arc::from("http://receiver/callback"),
            redirect_url: redirect(start, 0),
            completion_redirect_url: redirect(start, 1),
            partner_data: Some(Arc::from(scope)),
        })
    }

    fn configuration(&self, world: &World, start: &Start, kind: JourneyType) -> Configuration {
        let has = |bit| start.options & bit != 0;
        let enforce = match start.options {
            _ if has(options::MANDATE) => Some(AutogiroEnforce::Required),
            _ if has(options::MANDATE_OFFERED) => Some(AutogiroEnforce::Optional),
            _ => None,
        };
        let autogiro = enforce.map(|enforce| Autogiro { enforce, force_new_bank_account: has(options::NEW_BANK) });
        let savings = SavingsPlanConfiguration { periodicity: Some(Periodicity::Monthly), instruments: None };
        let ssn = match self.person(start.person) {
            OwnerKey::Ssn(ssn) => ssn,
            OwnerKey::Crn(_) => fixed_person(0),
        };
        let plain = Configuration { ssn: Some(ssn), ..Configuration::empty(kind) };
        match kind {
            JourneyType::CreateAccount => Configuration {
                autogiro,
                allocation_plan: has(options::ALLOCATION).then(|| self.allocation(world, start)),
                savings_plan: has(options::SAVINGS).then_some(savings),
                ..opening(plain, start)
            },
            JourneyType::CreateLegalEntityAccount => Configuration {
                account_service_type: Some(ServiceType::ExecutionOnly),
                account_options: Some(AccountOptions {
                    owner_type: Some(OwnerType::LegalEntity),
                    service_types: Some(vec![ServiceType::ExecutionOnly]),
                    account_types: Some(vec![AccountType::Depot]),
                    account_categories: Some(vec![Category::Retail]),
                }),
                ..plain
            },
            JourneyType::SignSubmission => {
                let client = self.scope(start.client).client;
                let of = self.journey(start.of).and_then(|(_, journey)| query::journey(world, client, journey));
                let submission = of.and_then(|journey| journey.submission);
                let filed = submission.and_then(|id| query::submission(world, client, id));
                let missing = filed.and_then(|filed| filed.missing().next());
                Configuration { submission, ssn: missing.or(plain.ssn), ..plain }
            }
            _ => Configuration {
                account: self.account(start.of).map(|(_, account)| account),
                ssn: None,
                autogiro: autogiro.filter(|_| kind == JourneyType::AddBankAccount),
                savings_plan: Some(savings).filter(|_| kind == JourneyType::UpdateSavingsPlan),
                ..plain
            },
        }
    }

    fn allocation(&self, world: &World, start: &Start) -> AllocationPlanConfiguration {
        let split = 1 + u8::try_from(start.name % 200).unwrap_or(0);
        let given = (start.options & options::SHARES != 0).then(|| self.shares(world, start.client, split));
        AllocationPlanConfiguration { instruments: given, ..AllocationPlanConfiguration::default() }
    }
}

/// The configuration of an account of a natural person, with its transfer.
fn opening(plain: Configuration, start: &Start) -> Configuration {
    let has = |bit| start.options & bit != 0;
    let kind = [AccountType::Isk, AccountType::Depot, AccountType::Insurance][usize::from(start.account) % 3];
    let units = if kind == AccountType::Insurance { Output::Cash } else { Output::Units };
    // Without a number the customer chooses the type, and with it what becomes of the units.
    let open = has(options::SOURCE_OPTIONAL);
    let types: Vec<AccountType> = if open { all_from(kind) } else { vec![kind] };
    let account = TransferAccount {
        account_number: (!open).then(|| Arc::from(ACCOUNT_NUMBER)),
        source_account_type: types.clone(),
        close_account_and_savingsplans: Some(false),
        required: !open,
        untransferable_units_output: vec![Output::Cash],
        default_units_output: if open { vec![Output::Units, Output::Cash] } else { vec![units] },
        balance_output: vec![Output::Cash],
        allow_instrument_selection: false,
        instruments: None,
    };
    let transfer = has(options::TRANSFER).then(|| TransferConfiguration {
        enforce: if has(options::TRANSFER_OPTIONAL) { TransferEnforce::Optional } else { TransferEnforce::Required },
        transfers: vec![CustodianTransfers {
            custodian: CustodianId::parse("havsviksbanken").expect("a constant"),
            accounts: vec![account],
        }],
    });
    // What moves over need not come from the first type that is offered.
    let offered = if start.name % 4 == 1 { types.into_iter().rev().collect() } else { types };
    let mut configuration = Configuration {
        account_types: Some(if transfer.is_some() { offered } else { vec![kind] }),
        account_service_type: Some(ServiceType::ExecutionOnly),
        account_categories: Some(vec![Category::Retail]),
        welcome_screen: (transfer.is_some() && has(options::WELCOME)).then_some(WelcomeScreen::Transfer),
        transfer,
        ..plain
    };
    // A customer may name the number of the other account there.
    if !open && start.name % 4 == 2 {
        another_account(&mut configuration, None);
    }
    configuration
}

/// All types of accounts, beginning with `kind`.
fn all_from(kind: AccountType) -> Vec<AccountType> {
    std::iter::once(kind).chain(AccountType::ALL.into_iter().filter(|other| *other != kind)).collect()
}

/// Answers to some of the steps that are to come, where they are not simply what is suggested.
fn all_answers(world: &World, journey: JourneyId, pick: u16) -> Vec<(JourneyStep, Answers)> {
    if pick == 0 {
        return Vec::new();
    }
    let shown = query::journey_steps(world, journey);
    let mut given = Vec::new();
    for (step, bit) in [
        (JourneyStep::AccountDetails, 1),
        (JourneyStep::BankAccount, 2),
        (JourneyStep::Transfer, 4),
        (JourneyStep::BeneficialOwners, 8),
    ] {
        if pick & bit != 0 && shown.iter().any(|view| view.step == step) {
            given.push((step, answers(world, journey, step, pick)));
        }
    }
    given
}

/// What a customer fills in: what is suggested, or choices of its own here and there, now and then something unknown.
fn answers(world: &World, journey: JourneyId, step: JourneyStep, pick: u16) -> Answers {
    let mut draw = Seed(u64::from(pick)).stream("what a customer fills in");
    let view = query::journey_step(world, journey, step);
    let mut given = Answers::default();
    let fields: Vec<_> = view.map(|view| view.fields).unwrap_or_default();
    let open: Vec<_> = fields.into_iter().filter(|field| !field.read_only).collect();
    for field in &open {
        let choice = |draw: &mut Stream| (!field.choices.is_empty()).then(|| draw.pick(&field.choices).value.clone());
        let own = match field.key {
            "iban" => Some(Arc::from(*draw.pick(IBANS))),
            "signatories" => Some(Arc::from(*draw.pick(PEOPLE))),
            "crn" => Some(Arc::from(*draw.pick(COMPANIES))),
            "accountName" => Some(Arc::from(format!("Account {}", draw.below(9)))),
            // Somebody else is named where the register names somebody.
            "ssn" if step == JourneyStep::BeneficialOwners && !field.suggestion.is_empty() => {
                Some(Arc::from(*draw.pick(PEOPLE)))
            }
            _ => choice(&mut draw),
        };
        match own.filter(|_| pick != 0 && draw.chance(2, 3)) {
            Some(own) => given.set(Arc::clone(&field.name), vec![own]),
            None => given.set(Arc::clone(&field.name), field.suggestion.clone()),
        }
    }
    if pick != 0 && draw.chance(1, 20) {
        given.set("shoeSize", vec![Arc::from("43")]);
    }
    if pick != 0 && !open.is_empty() && draw.chance(1, 5) {
        let field = draw.pick(&open);
        given.set(Arc::clone(&field.name), nearly_right(field, &mut draw).into_iter().map(Arc::from).collect());
    }
    // Few runs come to owners.
    if pick != 0 && (step == JourneyStep::BeneficialOwners || draw.chance(1, 3)) {
        together(step, &open, &mut given, &mut draw);
    }
    given
}

/// Answers that are right by themselves and around what rules want of them together.
fn together(step: JourneyStep, open: &[FieldView], given: &mut Answers, draw: &mut Stream) {
    let mut set = |name: &str, text: &str| {
        if let Some(field) = open.iter().find(|field| *field.name == *name) {
            given.set(
                Arc::clone(&field.name),
                Some(text).filter(|text| !text.is_empty()).map(Arc::from).into_iter().collect(),
            );
        }
    };
    match step {
        JourneyStep::AllocationPlan => {
            let mut shares = open.iter().filter(|field| field.key == "allocation");
            if let (Some(one), Some(other)) = (shares.next(), shares.next()) {
                set(&one.name, "60");
                set(&other.name, draw.pick::<&str>(&["40", "40", "39.99", "40,01"]));
            }
        }
        JourneyStep::BeneficialOwners => {
            // All else is right, so that these owners decide.
            open.iter().for_each(|field| set(&field.name, field.suggestion.first().map_or("", |text| text)));
            let control = *draw.pick(&["shares", "shares", "votes", "other"]);
            let other = draw.chance(1, 2).then(|| *draw.pick(&["40", "40.01"]));
            let share = if other.is_some() { "60" } else { *draw.pick(&["25", "25.01", "100.01"]) };
            for (row, (ssn, share)) in [(PEOPLE[0], Some(share)), (PEOPLE[1], other)].into_iter().enumerate() {
                let Some(share) = share else { continue };
                let answers = [("fullName", "Owner Owning"), ("ssn", ssn), ("share", share), ("control", control)];
                answers.iter().for_each(|(key, text)| set(&format!("owners[{row}].{key}"), text));
            }
        }
        // Amounts that some funds take as a first purchase, and others do not.
        JourneyStep::SavingsPlan => {
            let amount = *draw.pick(&["1 000", "5000", "100 000", "1 000 000"]);
            open.iter().filter(|field| field.key == "amount").for_each(|field| set(&field.name, amount));
        }
        // The number of another account there, which is fixed, or of this one.
        JourneyStep::Transfer if draw.chance(1, 2) => {
            let numbers = open.iter().filter(|field| field.key == "accountNumber");
            numbers.for_each(|field| set(&field.name, ACCOUNT_NUMBER));
        }
        JourneyStep::Transfer if !open.is_empty() => set(&draw.pick(open).name, ""),
        _ => {}
    }
}

/// Amounts around what funds want at least.
const AMOUNTS: &[&str] =
    &["0", "0,01", "99.99", "100", "199.99", "200", "499.99", "500", "1 000,50", "4999.99", "5 000"];
/// Shares around those that rules name.
const SHARES: &[&str] = &["0", "0.01", "25", "25.01", "50", "99.99", "100", "100.01"];
/// How many days a date is off what is suggested.
const DAYS_OFF: &[i64] = &[-400, -1, 1, 360, 366];

/// Texts beside what a field takes or what its rules want, and of kinds without such, texts that it refuses or none at all.
fn nearly_right(field: &FieldView, draw: &mut Stream) -> Vec<String> {
    let text = match field.kind {
        FieldKind::Text { max } => "x".repeat(max + 1),
        FieldKind::Choice | FieldKind::Choices | FieldKind::Flag => "perhaps".to_owned(),
        FieldKind::Day => "29".to_owned(),
        FieldKind::PersonalNumber => return vec!["197001012386".to_owned(); 2],
        FieldKind::Amount => (*draw.pick(AMOUNTS)).to_owned(),
        FieldKind::Percent => (*draw.pick(SHARES)).to_owned(),
        FieldKind::OrganisationNumber => "559990000".to_owned(),
        // The last digit of a number that fits is another.
        FieldKind::Iban => "SE4550000000058398257467".to_owned(),
        FieldKind::Date => match field.suggestion.first().and_then(|date| date.parse::<Date>().ok()) {
            Some(date) => {
                let day = Instant::at_utc_midnight(date).plus(Millis::days(*draw.pick(DAYS_OFF))).to_string();
                day.chars().take(10).collect()
            }
            None => "2001-02-29".to_owned(),
        },
        _ => return Vec::new(),
    };
    vec![text]
}
