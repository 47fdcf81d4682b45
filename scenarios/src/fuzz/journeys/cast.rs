//! What a step about journeys asks of a world.
//!
//! Invariant: a step turns into the same command whenever the run so far was the same. Absent on purpose: what should come
//! of it.

use super::draw::PEOPLE;
use super::step::{JourneyNo, Start, Walk, options};
use crate::check::made_by;
use sim::command::{AskedProceeds, CreateJourney, Decision, PlaceOrder, Scope};
use sim::identity::PersonalNumber;
use sim::ids::{CustodianId, JourneyId};
use sim::machines::mandate;
use sim::money::Amount;
use sim::query;
use sim::records::{
    Account, AccountOptions, AccountStatus, AccountType, AllocationPlanConfiguration, Answers, Autogiro,
    AutogiroEnforce, BankAccount, Category, Configuration, CustodianTransfers, ErrorCode, Journey, JourneyStep,
    JourneyType, Output, OwnerKey, OwnerType, Periodicity, SavingsPlanConfiguration, ServiceType, Side,
    TransferAccount, TransferConfiguration, TransferEnforce, WelcomeScreen,
};
use sim::rng::{Seed, Stream};
use sim::store::Window;
use sim::time::{Instant, Millis};
use sim::{Command, Reply, World};
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

/// What a step asks.
#[allow(clippy::large_enum_variant, reason = "a deed is made and done at once, never kept in numbers")]
pub(in crate::fuzz) enum Deed {
    /// A command.
    Do(Command),
    /// To let the time pass until then.
    Wait(Instant),
}

/// The names of a run.
#[derive(Clone, Debug)]
pub(in crate::fuzz) struct Cast {
    scope: Scope,
    journeys: Vec<Option<JourneyId>>,
}

impl Cast {
    pub(in crate::fuzz) fn new(world: &World) -> Self {
        let client = query::clients(world).next().expect("the demo world has a client");
        Self { scope: Scope { partner: client.partner, client: client.id }, journeys: Vec::new() }
    }

    /// What `walk` asks of `world`; nothing when it is about what was never made.
    pub(in crate::fuzz) fn act(&self, world: &World, walk: &Walk) -> Option<Deed> {
        let (scope, partner) = (self.scope, self.scope.partner);
        Some(Deed::Do(match *walk {
            Walk::Start(start) => Command::CreateJourney(Box::new(self.create(world, &start))),
            Walk::Open(journey) => Command::OpenJourney { journey: self.id(journey)?, partner: Some(partner) },
            Walk::Link(journey) => {
                let journey = self.journey(world, journey)?;
                // A link that leads nowhere any more shows a page that says so.
                let open = !journey.state.is_terminal();
                open.then_some(Command::OpenJourney { journey: journey.id, partner: None })?
            }
            Walk::Answer(journey, pick) => {
                let journey = self.id(journey)?;
                let step = query::journey_current(world, journey).unwrap_or(JourneyStep::Kyc);
                Command::AnswerStep { journey, step, answers: answers(world, journey, step, pick) }
            }
            Walk::Sign(journey, outcome) => {
                let journey = self.journey(world, journey)?;
                let signer = journey.progress.signer.or(journey.configuration.ssn).unwrap_or_else(|| person(0));
                Command::SignJourney { journey: journey.id, signer, outcome }
            }
            Walk::Complete(journey, pick) => {
                let journey = self.id(journey)?;
                Command::CompleteJourney { partner, journey, answers: all_answers(world, journey, pick) }
            }
            Walk::Cancel(journey) => Command::CancelJourney { partner, journey: self.id(journey)?, context: None },
            Walk::Fail(journey, code) => {
                let code = ErrorCode::ALL[usize::from(code) % ErrorCode::ALL.len()];
                Command::FailJourney { partner, journey: self.id(journey)?, code, context: None }
            }
            Walk::Expire(journey) => Command::ExpireJourney { partner, journey: self.id(journey)? },
            Walk::Decide(journey, decision) => {
                let account = self.account(world, journey)?;
                // Who would approve of an account that waits for signatures gives these first.
                let signs = decision == Decision::Approve && account.status() == AccountStatus::Confirm;
                let decision = if signs { Decision::Confirm } else { decision };
                Command::DecideAccount { partner, account: account.id, decision }
            }
            Walk::Check(journey, passes) => {
                Command::CheckBankAccount { partner, bank_account: self.bank(world, journey)?.id, passes }
            }
            Walk::Advise(journey, code) => self.advise(world, journey, code)?,
            Walk::Custodian(journey, act) => {
                let account = self.account(world, journey)?.id;
                let all = query::transfers(world, account, &Window::default());
                let transfer = all.iter().find(|transfer| !transfer.state.is_terminal())?.id;
                Command::MoveTransfer { partner, transfer, act }
            }
            Walk::Screen(who, hit) => Command::Screen { owner: OwnerKey::Ssn(person(who)), hit },
            Walk::Buy(journey) => self.buy(world, journey)?,
            Walk::Close(journey) => Command::CloseAccount { scope, account: self.account(world, journey)?.id },
            Walk::Wait(hours, ms) => {
                let span = Millis(i64::from(hours) * 3_600_000 + i64::from(ms));
                return Some(Deed::Wait(world.now().plus(span)));
            }
        }))
    }

    /// Remembers what a step has made.
    pub(in crate::fuzz) fn note(&mut self, walk: &Walk, reply: &Reply) {
        if let (Walk::Start(start), Reply::Journey(journey)) = (walk, reply) {
            let at = usize::from(start.name);
            self.journeys.resize(self.journeys.len().max(at + 1), None);
            self.journeys[at] = Some(journey.id);
        }
    }

    fn id(&self, name: JourneyNo) -> Option<JourneyId> {
        *self.journeys.get(usize::from(name))?
    }

    fn journey(&self, world: &World, name: JourneyNo) -> Option<Arc<Journey>> {
        query::journey(world, self.scope.client, self.id(name)?).cloned()
    }

    /// The account that a journey has opened, whatever became of either.
    pub(super) fn account(&self, world: &World, name: JourneyNo) -> Option<Arc<Account>> {
        let id = self.id(name)?;
        let all = query::accounts(world, self.scope.client, &Window::default(), None);
        all.into_iter().find(|account| made_by(world, account.id) == Some(id))
    }

    fn bank(&self, world: &World, name: JourneyNo) -> Option<Arc<BankAccount>> {
        self.account(world, name)?.bank_accounts.last().cloned()
    }

    /// Most codes are ones that the mandate can take now, each way as likely as any other.
    fn advise(&self, world: &World, name: JourneyNo, code: u8) -> Option<Command> {
        let (bank, code) = (self.bank(world, name)?, usize::from(code));
        let can = mandate::CODES.iter().filter(|row| bank.mandate.allows(row.1));
        let mut ways: Vec<mandate::Trigger> = can.map(|row| row.1).collect();
        ways.dedup();
        let way = (code != 0 && !ways.is_empty()).then(|| ways[code % ways.len()]);
        let fits = |row: &&(&str, mandate::Trigger, &str)| way.is_none_or(|way| row.1 == way);
        let codes: Vec<&str> = mandate::CODES.iter().filter(fits).map(|row| row.0).collect();
        let code = Arc::from(codes[code / 3 % codes.len()]);
        Some(Command::AdviseMandate { partner: self.scope.partner, bank_account: bank.id, code })
    }

    fn buy(&self, world: &World, name: JourneyNo) -> Option<Command> {
        Some(Command::PlaceOrder(PlaceOrder {
            scope: self.scope,
            account: self.account(world, name)?.id,
            side: Side::Subscription,
            instrument: world.setup().instruments.first()?.id,
            amount: Some(Amount::from_ore(60_000)),
            units: None,
            client_ref: None,
            executor: None,
            proceeds: AskedProceeds::Keep,
        }))
    }

    fn create(&self, world: &World, start: &Start) -> CreateJourney {
        let has = |bit| start.options & bit != 0;
        let scope = match start.options {
            _ if has(options::TOO_LONG_SCOPE) => "a".repeat(769),
            _ if has(options::LONG_SCOPE) => "a".repeat(768),
            _ => "YWJj".to_owned(),
        };
        CreateJourney {
            scope: self.scope,
            configuration: self.configuration(world, start),
            callback_url: Arc::from("http://receiver/callback"),
            redirect_url: None,
            completion_redirect_url: None,
            partner_data: Some(Arc::from(scope)),
        }
    }

    fn configuration(&self, world: &World, start: &Start) -> Configuration {
        let has = |bit| start.options & bit != 0;
        let kind = JourneyType::ALL[usize::from(start.kind) % JourneyType::ALL.len()];
        let enforce = match start.options {
            _ if has(options::MANDATE) => Some(AutogiroEnforce::Required),
            _ if has(options::MANDATE_OFFERED) => Some(AutogiroEnforce::Optional),
            _ => None,
        };
        let autogiro = enforce.map(|enforce| Autogiro { enforce, force_new_bank_account: has(options::NEW_BANK) });
        let savings = SavingsPlanConfiguration { periodicity: Some(Periodicity::Monthly), instruments: None };
        let plain = Configuration { ssn: Some(person(start.person)), ..Configuration::empty(kind) };
        match kind {
            JourneyType::CreateAccount => Configuration {
                autogiro,
                allocation_plan: has(options::ALLOCATION).then(AllocationPlanConfiguration::default),
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
                let submission = self.journey(world, start.of).and_then(|journey| journey.submission);
                let filed = submission.and_then(|id| query::submission(world, self.scope.client, id));
                let missing = filed.and_then(|filed| filed.missing().next());
                Configuration { submission, ssn: missing.or(plain.ssn), ..plain }
            }
            _ => Configuration {
                account: self.account(world, start.of).map(|account| account.id),
                ssn: None,
                autogiro: autogiro.filter(|_| kind == JourneyType::AddBankAccount),
                savings_plan: Some(savings).filter(|_| kind == JourneyType::UpdateSavingsPlan),
                ..plain
            },
        }
    }
}

/// The configuration of an account of a natural person, with its transfer.
fn opening(plain: Configuration, start: &Start) -> Configuration {
    let has = |bit| start.options & bit != 0;
    let kind = [AccountType::Isk, AccountType::Depot, AccountType::Insurance][usize::from(start.account) % 3];
    let units = if kind == AccountType::Insurance { Output::Cash } else { Output::Units };
    let account = TransferAccount {
        account_number: Some(Arc::from("1234-567")),
        source_account_type: vec![kind],
        close_account_and_savingsplans: Some(false),
        required: !has(options::SOURCE_OPTIONAL),
        untransferable_units_output: vec![Output::Cash],
        default_units_output: vec![units],
        balance_output: vec![Output::Cash],
        allow_instrument_selection: false,
        instruments: None,
    };
    let transfer = has(options::TRANSFER).then(|| TransferConfiguration {
        enforce: if has(options::TRANSFER_OPTIONAL) { TransferEnforce::Optional } else { TransferEnforce::Required },
        transfers: vec![CustodianTransfers {
            custodian: CustodianId::parse("fjordbanken").expect("a constant"),
            accounts: vec![account],
        }],
    });
    Configuration {
        account_types: Some(vec![kind]),
        account_service_type: Some(ServiceType::ExecutionOnly),
        account_categories: Some(vec![Category::Retail]),
        welcome_screen: (transfer.is_some() && has(options::WELCOME)).then_some(WelcomeScreen::Transfer),
        transfer,
        ..plain
    }
}

fn person(place: u8) -> PersonalNumber {
    PersonalNumber::parse(PEOPLE[usize::from(place) % PEOPLE.len()]).expect("a constant")
}

/// Answers to some of the steps that are to come, where they are not simply what is suggested.
fn all_answers(world: &World, journey: JourneyId, pick: u16) -> Vec<(JourneyStep, Answers)> {
    if pick == 0 {
        return Vec::new();
    }
    let shown = query::journey_steps(world, journey);
    let mut given = Vec::new();
    for (step, bit) in [(JourneyStep::AccountDetails, 1), (JourneyStep::BankAccount, 2), (JourneyStep::Transfer, 4)] {
        if pick & bit != 0 && shown.iter().any(|view| view.step == step) {
            given.push((step, answers(world, journey, step, pick)));
        }
    }
    given
}

/// What a customer fills in: what is suggested, or choices of its own here and there, now and then something unknown.
fn answers(world: &World, journey: JourneyId, step: JourneyStep, pick: u16) -> Answers {
    let mut draw = Seed(u64::from(pick)).stream("what a customer fills in");
    let view = query::journey_steps(world, journey).into_iter().find(|view| view.step == step);
    let mut given = Answers::default();
    for field in view.map(|view| view.fields).unwrap_or_default() {
        if field.read_only {
            continue;
        }
        let choice = |draw: &mut Stream| (!field.choices.is_empty()).then(|| draw.pick(&field.choices).value.clone());
        let own = match field.key {
            "iban" => Some(Arc::from(*draw.pick(IBANS))),
            "signatories" => Some(Arc::from(*draw.pick(PEOPLE))),
            _ => choice(&mut draw),
        };
        match own.filter(|_| pick != 0 && draw.chance(2, 3)) {
            Some(own) => given.set(field.name, vec![own]),
            None => given.set(field.name, field.suggestion),
        }
    }
    if pick != 0 && draw.chance(1, 20) {
        given.set("shoeSize", vec![Arc::from("43")]);
    }
    given
}
