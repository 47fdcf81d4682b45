//! A command that breaks several rules is refused for the first of them, in the order of `Class` (rule: orders/precedence,
//! wire/error-body).
//!
//! Every command is a family: one that is accepted, and its faults. Each fault alone is refused as its class; any two of them,
//! as the earlier class.

use crate::common::{Bench, DAILY, GLOBAL, T_PLUS_ONE, amount, id, units};
use crate::journeys::{ANNA, START, about, answers, moving, opening_by, ssn, transfer_of};
use sim::command::{
    Book, Booked, CreateClient, CreateMobilePayment, CustodianAct, Decision, NewPayment, Patch, PatchClient,
    PayByBankgiro, PlaceOrder, Purgeable, Scope, ScreeningHit, SetClientFees, SetPrice, SetTrading, SignOutcome,
    Withdraw, WithdrawalType,
};
use sim::identity::OrganisationNumber;
use sim::ids::{AccountId, AllocationPlanId, BankAccountId, ClientId, JourneyId, MobilePaymentId, OrderId, PartnerId};
use sim::money::{Amount, Percent, Price, Ratio};
use sim::records::{
    Account, AccountType, Allocation, AllocationPlanConfiguration, Answers, Autogiro, AutogiroEnforce, Configuration,
    CorporateAct, ErrorCode, FeeMode, FeeTerms, FundRefType, FundType, InstructionType, JourneyStep, JourneyType,
    MandateStatus, MobilePaymentError, MobilePaymentType, OwnerKey, PaymentReason, Periodicity, Proceeds, QrFormat,
    SavingsPlanConfiguration, ServiceType,
};
use sim::store::Window;
use sim::{Class, Command, Refusal, Reply, query};
use std::collections::BTreeSet;
use std::sync::Arc;

const HAPPY: &str = "SE8150000000050000000019";
const OTHER: &str = "200002292399";
const UNKNOWN: &str = "SE0SBX000081SEK";

/// One way of breaking a command.
struct Fault {
    class: Class,
    /// The fields that it changes or depends on; a command cannot have two faults of one field.
    field: String,
    make: Box<dyn Fn(&mut Command)>,
}

/// Faults of a command, each as its class, the field and its wrong value.
macro_rules! faults {
    ($command:ident { $($class:ident $field:ident = $value:expr;)* }) => {
        vec![$({
            let value = $value;
            let make = move |command: &mut Command| {
                let Command::$command { $field, .. } = command else { panic!("another command") };
                *$field = value.clone();
            };
            Fault { class: Class::$class, field: stringify!($field).to_owned(), make: Box::new(make) }
        },)*]
    };
    ($command:ident ( $($class:ident $($field:ident).+ = $value:expr;)* )) => {
        vec![$({
            let value = $value;
            let make = move |command: &mut Command| {
                let Command::$command(asked) = command else { panic!("another command") };
                asked.$($field).+ = value.clone();
            };
            Fault { class: Class::$class, field: stringify!($($field).+).to_owned(), make: Box::new(make) }
        },)*]
    };
}

/// What is wrong with `fields` is known only where what the command names is.
fn leaning(mut faults: Vec<Fault>, fields: &[&str]) -> Vec<Fault> {
    let leans = |fault: &&mut Fault| fault.class == Class::Unknown || fields.contains(&fault.field.as_str());
    faults.iter_mut().filter(leans).for_each(|fault| fault.field.push_str(" known"));
    faults
}

/// Checks the family of a command, whose `leaning` fields can be judged only where what it names is known.
macro_rules! family {
    ($held:ident, $bench:ident, $command:expr, $name:ident $faults:tt) => {
        family!($held, $bench, $command, leaning [], $name $faults)
    };
    ($held:ident, $bench:ident, $command:expr, leaning [$($field:literal)*], $name:ident $faults:tt) => {
        $held.push(holds($bench, &$command, &leaning(faults!($name $faults), &[$($field),*])))
    };
}

/// The name of every command; a new one has to be listed, and to have a family.
macro_rules! commands {
    ($($name:ident),* $(,)?) => {
        const NAMES: &[&str] = &[$(stringify!($name)),*];

        fn name(command: &Command) -> &'static str {
            #[allow(unreachable_patterns, reason = "one pattern fits both forms of a variant")]
            match command { $(Command::$name { .. } => stringify!($name),)* }
        }
    };
}

commands!(
    PlaceOrder,
    ValidateOrder,
    CancelOrder,
    OpenAccount,
    HoldOrder,
    ReleaseOrder,
    RejectOrder,
    SetPrice,
    SetTrading,
    DelayNav,
    Announce,
    Book,
    BouncePayout,
    CreateJourney,
    OpenJourney,
    AnswerStep,
    SignJourney,
    AbortJourney,
    CompleteJourney,
    CancelJourney,
    FailJourney,
    ExpireJourney,
    DecideAccount,
    CloseAccount,
    CheckBankAccount,
    AdviseMandate,
    MoveTransfer,
    Screen,
    ReportDeath,
    Purge,
    CreateClient,
    PatchClient,
    PatchAllocationPlan,
    DeleteAllocationPlan,
    DeleteSavingsPlan,
    AllocateSuspense,
    CreateInstruction,
    CreateMobilePayment,
    DeclineMobilePayment,
    FailMobilePayment,
    FailPayment,
    OpenMobilePayment,
    PayByBankgiro,
    PayMobilePayment,
    RefundPayment,
    RefusePayers,
    ReturnSuspense,
    SetClientFees,
    Withdraw,
);

fn refused(bench: &Bench, command: Command) -> Option<Class> {
    let mut world = bench.world.clone();
    let answer: Result<Reply, Refusal> = world.apply(world.now(), command);
    answer.err().map(|refusal| refusal.class)
}

/// Checks a family; gives its name.
fn holds(bench: &Bench, command: &Command, faults: &[Fault]) -> &'static str {
    let name = name(command);
    assert_eq!(refused(bench, command.clone()), None, "{name}");
    for (at, first) in faults.iter().enumerate() {
        for second in &faults[at..] {
            let shares = |field| first.field.split(' ').any(|other| other == field);
            if second.field.split(' ').any(shares) && !std::ptr::eq(first, second) {
                continue;
            }
            let mut broken = command.clone();
            (first.make)(&mut broken);
            (second.make)(&mut broken);
            let expected = first.class.min(second.class);
            let what = format!("{name} with {} {:?} and {} {:?}", first.field, first.class, second.field, second.class);
            assert_eq!(refused(bench, broken), Some(expected), "{what}");
        }
    }
    name
}

/// A world in which every command has something to work on.
struct Stage {
    bench: Bench,
    nobody: Scope,
    other_partner: PartnerId,
    anna: Arc<Account>,
    closing: AccountId,
    settled: OrderId,
}

impl Stage {
    fn new() -> Self {
        let mut bench = Bench::new(1, START);
        let mut open = bench.open("10000");
        open.owner = Some(bench.owner(ANNA));
        open.positions = vec![(id(DAILY), units("10"))];
        let mut bank = bench.bank(HAPPY);
        bank.mandate = MandateStatus::Active;
        open.bank_accounts = vec![bank];
        let anna = bench.account(open.clone());
        let closing = bench.account(open);
        let settled = bench.order(bench.buy(&anna, DAILY, "600")).id;
        let paid = PlaceOrder {
            executor: Some(ssn(ANNA)),
            proceeds: Proceeds::PayOut(anna.bank_accounts[0].id),
            ..bench.sell(&anna, DAILY, "1")
        };
        bench.order(paid);
        bench.to("2026-03-06T10:00:00+01:00");
        let account = closing.id;
        bench.does(Command::CloseAccount { scope: bench.scope, account }).expect("it can be closed");
        let nobody = Scope { client: ClientId::from_u128(1), ..bench.scope };
        Self { nobody, other_partner: PartnerId::from_u128(1), anna, closing: closing.id, settled, bench }
    }

    fn orders(&mut self) -> Vec<&'static str> {
        let Self { nobody, other_partner, settled, closing, .. } = *self;
        let (bench, anna, mut held) = (&mut self.bench, Arc::clone(&self.anna), Vec::new());
        let buy = PlaceOrder { executor: Some(ssn(ANNA)), ..bench.buy(&anna, DAILY, "600") };
        let sell = PlaceOrder { executor: Some(ssn(ANNA)), ..bench.sell(&anna, DAILY, "1") };
        let (waiting, parked) = (bench.order(buy.clone()).id, bench.order(buy.clone()).id);
        let (scope, partner) = (bench.scope, bench.scope.partner);
        bench.does(Command::HoldOrder { partner, order: parked }).expect("a new order can be held");
        let long = Some(Arc::<str>::from("x".repeat(256)));
        family! { held, bench, Command::PlaceOrder(buy.clone()), PlaceOrder(
            OutOfScope scope = nobody;
            Malformed amount = None;
            Malformed client_ref = long;
            Unknown account = AccountId::from_u128(1);
            AccountNotActive account = closing;
            ExecutorMismatch executor = Some(ssn(OTHER));
            InstrumentUnknown instrument = id(UNKNOWN);
            OutsideLimits amount = Some(amount("99.99"));
            Insufficient amount = Some(amount("99999"));
        ) }
        family! { held, bench, Command::PlaceOrder(sell), PlaceOrder(
            OutOfScope scope = nobody;
            AccountNotActive account = closing;
            ExecutorMismatch executor = Some(ssn(OTHER));
            OutsideLimits units = Some(units("1.00001"));
            BadTarget proceeds = Proceeds::PayOut(BankAccountId::from_u128(1));
            Insufficient units = Some(units("100"));
        ) }
        family! { held, bench, Command::ValidateOrder(buy), ValidateOrder(
            OutOfScope scope = nobody;
            Malformed amount = None;
            Unknown account = AccountId::from_u128(1);
            Insufficient amount = Some(amount("99999"));
        ) }
        family! { held, bench, Command::CancelOrder { scope, order: waiting }, CancelOrder {
            OutOfScope scope = nobody;
            Unknown order = OrderId::from_u128(1);
            NotAllowedNow order = settled;
        } }
        family! { held, bench, Command::HoldOrder { partner, order: waiting }, HoldOrder {
            Unknown partner = other_partner;
            Conflict order = settled;
        } }
        family! { held, bench, Command::ReleaseOrder { partner, order: parked }, ReleaseOrder {
            Unknown partner = other_partner;
            Conflict order = settled;
        } }
        family! { held, bench, Command::RejectOrder { partner, order: waiting }, RejectOrder {
            Unknown partner = other_partner;
            Conflict order = settled;
        } }
        held
    }

    fn market(&mut self) -> Vec<&'static str> {
        let other_partner = self.other_partner;
        let (bench, mut held) = (&mut self.bench, Vec::new());
        let (instrument, partner) = (id(DAILY), bench.scope.partner);
        let quote = query::instrument(&bench.world, instrument).expect("a fund");
        let price = |text: &str| Price::parse(text).expect("a price");
        let set = SetPrice { instrument, close_price: quote.close_price.expect("a price"), price_date: None };
        let flags = SetTrading { instrument, is_buyable: None, is_sellable: None, is_tradable: Some(false) };
        let day = |text| Some(sim::time::parse_date(text).expect("a date"));
        let all = query::TransactionFilter::default();
        let cash = query::cash_transactions(&bench.world, bench.scope.client, &Window::default(), &all);
        let paid = cash.iter().find(|one| one.payout_to.is_some() && one.settlement.is_some()).expect("a payout").id;
        family! { held, bench, Command::SetPrice(set), SetPrice(
            Malformed close_price = price("0");
            Unknown instrument = id(UNKNOWN);
            OutsideLimits price_date = day("2026-03-07");
            OutsideLimits close_price = price("9999999");
            Conflict price_date = day("2026-03-02");
        ) }
        family! { held, bench, Command::SetTrading(flags), SetTrading(Unknown instrument = id(UNKNOWN);) }
        family! { held, bench, Command::DelayNav { instrument, bank_days: 1 }, DelayNav {
            Malformed bank_days = 0;
            Unknown instrument = id(UNKNOWN);
        } }
        let (announced, busy) = (id(T_PLUS_ONE), id(GLOBAL));
        let split = CorporateAct::Split { factor: Ratio::parse("2").expect("a ratio") };
        for instrument in [announced, busy] {
            bench.does(Command::Announce { instrument, act: split }).expect("it can be announced");
        }
        let merged = |into| CorporateAct::Merge { into, ratio: None };
        family! { held, bench, Command::Announce { instrument, act: split }, Announce {
            Malformed act = CorporateAct::Split { factor: Ratio::ZERO };
            Unknown instrument = id(UNKNOWN);
            Unknown act = merged(id(UNKNOWN));
            OutsideLimits act = CorporateAct::Liquidate { price: Some(price("9999999")) };
            Conflict instrument = announced;
            Conflict act = merged(busy);
        } }
        let account = self.anna.id;
        let gift = |fund, text: &str| Booked::Units {
            kind: FundType::Redemption,
            ref_type: FundRefType::Gift,
            instrument: fund,
            units: units(text),
            cost: None,
        };
        let book = Book { partner, account, what: gift(instrument, "1"), text: None };
        let long = Some(Arc::<str>::from("x".repeat(256)));
        family! { held, bench, Command::Book(Box::new(book)), leaning ["what"], Book(
            Malformed text = long;
            Malformed what = gift(instrument, "0");
            Unknown partner = other_partner;
            Unknown account = AccountId::from_u128(1);
            InstrumentUnknown what = gift(id(UNKNOWN), "1");
            Conflict what = gift(instrument, "999");
        ) }
        family! { held, bench, Command::BouncePayout { partner, transaction: paid }, BouncePayout {
            Unknown partner = other_partner;
            Conflict transaction = cash[0].id;
        } }
        held
    }

    fn journeys(&mut self) -> Vec<&'static str> {
        let Self { nobody, other_partner, closing, .. } = *self;
        let (bench, anna, mut held) = (&mut self.bench, &self.anna, Vec::new());
        let (partner, unknown) = (bench.scope.partner, JourneyId::from_u128(1));
        let renewal = || Configuration { ssn: Some(ssn(ANNA)), ..about(anna, JourneyType::KycRenewal) };
        let create = bench.asked(renewal());
        let (new, ended) = (bench.journey(renewal()), bench.journey(renewal()));
        let (journey, far) = (bench.opened(renewal()), bench.opened(renewal()));
        bench.does(Command::ExpireJourney { partner, journey: ended }).expect("it can expire");
        bench.sign(far, ANNA, SignOutcome::Sign).expect("it stands at the authentication");
        family! { held, bench, Command::CreateJourney(Box::new(create)), CreateJourney(
            OutOfScope scope = nobody;
            Malformed callback_url = Arc::<str>::from("nonsense");
            Unknown configuration.account = Some(AccountId::from_u128(1));
            AccountNotActive configuration.account = Some(closing);
            ExecutorMismatch configuration.ssn = Some(ssn(OTHER));
        ) }
        family! { held, bench, Command::OpenJourney { journey: new, partner: Some(partner) }, OpenJourney {
            Unknown partner = Some(other_partner);
            Conflict journey = ended;
        } }
        let identified = answers(&[("ssn", ANNA)]);
        let answer =
            Command::AnswerStep { partner: None, journey, step: JourneyStep::Authentication, answers: identified };
        family! { held, bench, answer, leaning ["answers"], AnswerStep {
            Malformed step = JourneyStep::Signing;
            Malformed answers = answers(&[("ssn", "nobody")]);
            Unknown journey = unknown;
            Conflict journey = ended;
            Conflict journey = new;
        } }
        family! { held, bench, answer, leaning ["step"], AnswerStep {
            Malformed step = JourneyStep::Transfer;
            Unknown journey = unknown;
            Conflict journey = ended;
        } }
        // What a step asks is known once it has been reached.
        let ahead = Command::AnswerStep {
            partner: None,
            journey,
            step: JourneyStep::Kyc,
            answers: answers(&[("nosuch", "1")]),
        };
        assert_eq!(refused(bench, ahead), Some(Class::NotAllowedNow));
        let sign = Command::SignJourney { partner: None, journey, signer: ssn(ANNA), outcome: SignOutcome::Sign };
        family! { held, bench, sign, leaning ["signer"], SignJourney {
            Unknown journey = unknown;
            ExecutorMismatch signer = ssn(OTHER);
            NotAllowedNow journey = far;
            Conflict journey = ended;
            Conflict journey = new;
        } }
        let not_shown = Some(JourneyStep::Transfer);
        family! { held, bench, Command::AbortJourney { journey, context: None }, leaning ["context"], AbortJourney {
            Malformed context = not_shown;
            Unknown journey = unknown;
            Conflict journey = ended;
        } }
        let complete = Command::CompleteJourney { partner, journey, answers: Vec::new() };
        family! { held, bench, complete, leaning ["answers"], CompleteJourney {
            Malformed answers = vec![(JourneyStep::Signing, Answers::default())];
            Malformed answers = vec![(JourneyStep::Kyc, answers(&[("nosuch", "1")]))];
            Unknown partner = other_partner;
            Conflict journey = ended;
        } }
        let cancel = Command::CancelJourney { partner, journey, context: None };
        family! { held, bench, cancel, leaning ["context"], CancelJourney {
            Malformed context = not_shown;
            Unknown partner = other_partner;
            Conflict journey = ended;
        } }
        let fail = Command::FailJourney { partner, journey, code: ErrorCode::Other, context: None };
        family! { held, bench, fail, leaning ["context"], FailJourney {
            Malformed code = ErrorCode::User;
            Malformed context = not_shown;
            Unknown partner = other_partner;
            Conflict journey = ended;
        } }
        family! { held, bench, Command::ExpireJourney { partner, journey }, ExpireJourney {
            Unknown partner = other_partner;
            Conflict journey = ended;
        } }
        family! { held, bench, Command::Purge { partner, what: Purgeable::Journey(ended) }, Purge {
            Unknown partner = other_partner;
            Conflict what = Purgeable::Journey(journey);
        } }
        held
    }

    fn accounts(&mut self) -> Vec<&'static str> {
        let Self { nobody, other_partner, .. } = *self;
        let (bench, mut held) = (&mut self.bench, Vec::new());
        let (scope, partner, account) = (bench.scope, bench.scope.partner, self.anna.id);
        let configuration = Configuration {
            autogiro: Some(Autogiro { enforce: AutogiroEnforce::Required, force_new_bank_account: true }),
            transfer: Some(transfer_of(vec![moving(AccountType::Depot)])),
            ..opening_by("199001022392", AccountType::Depot)
        };
        let bank = answers(&[("iban", "SE1550000000050000000043")]);
        let done = bench.walk(configuration, &[(JourneyStep::BankAccount, bank)]);
        let waiting = bench.account_of(&done);
        let (connected, known) = (waiting.bank_accounts[0].id, self.anna.bank_accounts[0].id);
        let transfer = query::transfers(&bench.world, waiting.id, &Window::default())[0].id;
        family! { held, bench, Command::OpenAccount(bench.open("1")), OpenAccount(
            OutOfScope scope = nobody;
            Malformed cash = Amount::from_ore(-1);
            Malformed positions = vec![(id(DAILY), units("0"))];
            InstrumentUnknown positions = vec![(id(UNKNOWN), units("1"))];
        ) }
        family! { held, bench, Command::CloseAccount { scope, account }, CloseAccount {
            OutOfScope scope = nobody;
            Unknown account = AccountId::from_u128(1);
        } }
        let decide = Command::DecideAccount { partner, account: waiting.id, decision: Decision::Approve };
        family! { held, bench, decide, DecideAccount {
            Unknown partner = other_partner;
            Conflict decision = Decision::Confirm;
        } }
        let check = Command::CheckBankAccount { partner, bank_account: connected, passes: true };
        family! { held, bench, check, CheckBankAccount {
            Unknown partner = other_partner;
            Conflict bank_account = known;
        } }
        let advise = Command::AdviseMandate { partner, bank_account: connected, code: Arc::from("32") };
        family! { held, bench, advise, AdviseMandate {
            Malformed code = Arc::<str>::from("99");
            Unknown partner = other_partner;
            Conflict bank_account = known;
        } }
        let reject = Command::MoveTransfer { partner, transfer, act: CustodianAct::Reject };
        // A custodian can refuse once it has been asked, which it is a bank day later.
        let asked = &mut Bench { world: bench.world.clone(), scope };
        asked.wait("2026-03-09T10:00:00+01:00");
        family! { held, asked, reject, MoveTransfer {
            Unknown partner = other_partner;
            Conflict act = CustodianAct::Complete;
        } }
        let withdraw = Withdraw {
            scope,
            account,
            kind: WithdrawalType::Amount,
            amount: Some(amount("100")),
            bank_account: known,
            client_ref: None,
            executor: ssn(ANNA),
        };
        family! { held, bench, Command::Withdraw(withdraw), Withdraw(
            OutOfScope scope = nobody;
            Malformed amount = None;
            Unknown account = AccountId::from_u128(1);
            AccountNotActive account = waiting.id;
            ExecutorMismatch executor = ssn(OTHER);
            OutsideLimits amount = Some(amount("99999"));
            BadTarget bank_account = BankAccountId::from_u128(1);
        ) }
        let screen = Command::Screen { owner: OwnerKey::Ssn(ssn(ANNA)), hit: ScreeningHit::Pep };
        family! { held, bench, screen, Screen {} }
        let mut insured = bench.open("100");
        insured.account_type = AccountType::Insurance;
        insured.owner = Some(bench.owner(ANNA));
        bench.account(insured);
        family! { held, bench, Command::ReportDeath { ssn: ssn(ANNA) }, ReportDeath { Conflict ssn = ssn(OTHER); } }
        held
    }

    fn clients(&mut self) -> Vec<&'static str> {
        let Self { nobody, other_partner, .. } = *self;
        let (bench, mut held) = (&self.bench, Vec::new());
        let create = CreateClient {
            partner: bench.scope.partner,
            id: None,
            name: Arc::from("New AB"),
            display_name: Arc::from("New"),
            crn: OrganisationNumber::parse("5599900023").expect("a number"),
            country: Arc::from("SE"),
            bank_accounts: Vec::new(),
            service_types: vec![ServiceType::ExecutionOnly],
        };
        family! { held, bench, Command::CreateClient(Box::new(create)), CreateClient(
            OutOfScope partner = other_partner;
            Malformed country = Arc::<str>::from("Sweden");
        ) }
        let patch = PatchClient {
            scope: bench.scope,
            name: Patch::Set(Arc::from("Other AB")),
            display_name: Patch::Keep,
            country: Patch::Keep,
            bank_accounts: Patch::Keep,
            service_types: Patch::Keep,
            names_id: false,
            names_crn: false,
            names_others: false,
        };
        family! { held, bench, Command::PatchClient(Box::new(patch)), PatchClient(
            OutOfScope scope = nobody;
            Malformed names_id = true;
        ) }
        let terms = |basis_points| Some(FeeTerms { basis_points, mode: FeeMode::Withdrawn });
        let set = SetClientFees { scope: bench.scope, partner: terms(50), client: None };
        family! { held, bench, Command::SetClientFees(set), SetClientFees(
            OutOfScope scope = nobody;
            Malformed partner = terms(10_001);
        ) }
        held
    }

    fn plans(&mut self) -> Vec<&'static str> {
        let nobody = self.nobody;
        let (bench, anna, mut held) = (&mut self.bench, &self.anna, Vec::new());
        let (scope, account) = (bench.scope, anna.id);
        let share = Allocation { instrument: id(DAILY), percent: Percent::WHOLE };
        let shares = AllocationPlanConfiguration { instruments: Some(vec![share]), ..Default::default() };
        let monthly = SavingsPlanConfiguration { periodicity: Some(Periodicity::Monthly), instruments: None };
        let of = |kind| about(anna, kind);
        let allocation = of(JourneyType::UpdateAllocationPlan);
        bench.walk(Configuration { allocation_plan: Some(shares), ..allocation }, &[]);
        let savings = of(JourneyType::UpdateSavingsPlan);
        bench.walk(Configuration { savings_plan: Some(monthly), ..savings }, &[]);
        let plan = query::allocation_plans(&bench.world, scope.client)[0].id;
        let unknown = AllocationPlanId::from_u128(1);
        let (bank_account, instruments) = (Patch::Clear, Patch::Set(vec![share]));
        family! { held, bench, Command::PatchAllocationPlan { scope, plan, bank_account, instruments }, PatchAllocationPlan {
            OutOfScope scope = nobody;
            Malformed instruments = Patch::Set(Vec::new());
            Unknown plan = unknown;
            BadTarget bank_account = Patch::Set(BankAccountId::from_u128(1));
        } }
        family! { held, bench, Command::DeleteAllocationPlan { scope, plan }, DeleteAllocationPlan {
            OutOfScope scope = nobody;
            Unknown plan = unknown;
        } }
        family! { held, bench, Command::DeleteSavingsPlan { scope, account }, DeleteSavingsPlan {
            OutOfScope scope = nobody;
            Unknown account = AccountId::from_u128(1);
        } }
        held
    }

    fn mobile_payments(&mut self) -> Vec<&'static str> {
        let Self { nobody, other_partner, closing, .. } = *self;
        let (bench, account, mut held) = (&mut self.bench, self.anna.id, Vec::new());
        let create = CreateMobilePayment {
            scope: bench.scope,
            account,
            kind: MobilePaymentType::SameDevice,
            amount: amount("100"),
            qr_format: None,
        };
        let mut asked = || match bench.does(Command::CreateMobilePayment(create.clone())) {
            Ok(Reply::MobilePaymentAsked(payment)) => payment.id,
            other => panic!("no session: {other:?}"),
        };
        let (payment, ended) = (asked(), asked());
        bench.does(Command::PayMobilePayment { payment: ended, partner: None }).expect("it waits");
        let partner = Some(bench.scope.partner);
        let other_partner = Some(other_partner);
        family! { held, bench, Command::CreateMobilePayment(create), CreateMobilePayment(
            OutOfScope scope = nobody;
            Malformed amount = amount("0.99");
            Malformed qr_format = Some(QrFormat::Png);
            Unknown account = AccountId::from_u128(1);
            AccountNotActive account = closing;
            BadTarget amount = amount("100.01");
        ) }
        family! { held, bench, Command::OpenMobilePayment { payment }, OpenMobilePayment {
            Unknown payment = MobilePaymentId::from_u128(1);
        } }
        family! { held, bench, Command::PayMobilePayment { payment, partner }, PayMobilePayment {
            Unknown partner = other_partner;
            Conflict payment = ended;
        } }
        family! { held, bench, Command::DeclineMobilePayment { payment, partner }, DeclineMobilePayment {
            Unknown partner = other_partner;
            Conflict payment = ended;
        } }
        let own = bench.scope.partner;
        let refusal = None;
        family! { held, bench, Command::RefusePayers { partner: own, account, refusal }, RefusePayers {
            Unknown account = AccountId::from_u128(1);
            AccountNotActive account = closing;
        } }
        let error = MobilePaymentError::Rf07;
        family! { held, bench, Command::FailMobilePayment { payment, error, partner }, FailMobilePayment {
            Malformed error = MobilePaymentError::Declined;
            Unknown partner = other_partner;
            Conflict payment = ended;
        } }
        held
    }

    fn payments(&mut self) -> Vec<&'static str> {
        let Self { nobody, other_partner, closing, .. } = *self;
        let (bench, anna, mut held) = (&mut self.bench, &self.anna, Vec::new());
        let partner = bench.scope.partner;
        let paid = bench.instruct(anna, &[("10", "paid")]).payments[0];
        let reference = query::account(&bench.world, bench.scope.client, closing).expect("it exists").reference;
        bench.pays(reference, "10");
        bench.pays(reference, "20");
        bench.to("2026-03-10T12:00:00+01:00");
        let waiting = bench.instruct(anna, &[("10", "waiting")]).payments[0];
        let [item, returned] = [0, 1].map(|at| bench.suspense()[at].id);
        bench.does(Command::ReturnSuspense { item: returned }).expect("it is open");
        let create = bench.asked_to_pay(InstructionType::Autogiro, anna, &[("10", "new")]);
        let one = |account, sum, text| bench.asked_to_pay(InstructionType::Autogiro, account, &[(sum, text)]).payments;
        let to = |account| vec![NewPayment { account, ..create.payments[0].clone() }];
        family! { held, bench, Command::CreateInstruction(create.clone()), CreateInstruction(
            OutOfScope scope = nobody;
            Malformed payments = Vec::new();
            Malformed payments = one(anna, "0", "new");
            Malformed payments = one(anna, "10", "waiting");
            Unknown payments = to(AccountId::from_u128(1));
            AccountNotActive payments = to(closing);
        ) }
        let pay = PayByBankgiro { partner, reference: reference.into(), amount: amount("1") };
        family! { held, bench, Command::PayByBankgiro(pay), PayByBankgiro(Malformed amount = amount("0");) }
        let fail = Command::FailPayment { partner, payment: waiting, reason: PaymentReason::NoAccount };
        family! { held, bench, fail, FailPayment {
            Malformed reason = PaymentReason::NoMoney;
            Unknown partner = other_partner;
            Conflict payment = paid;
        } }
        let refund = Command::RefundPayment { partner, payment: paid, unauthorised: false };
        family! { held, bench, refund, RefundPayment {
            Unknown partner = other_partner;
            Conflict payment = waiting;
        } }
        family! { held, bench, Command::AllocateSuspense { item, account: anna.id }, AllocateSuspense {
            Unknown account = AccountId::from_u128(1);
            Conflict account = closing;
            Conflict item = returned;
        } }
        family! { held, bench, Command::ReturnSuspense { item }, ReturnSuspense { Conflict item = returned; } }
        held
    }
}

#[test]
fn any_two_faults_of_a_command_are_refused_as_the_earlier_class() {
    let parts: [fn(&mut Stage) -> Vec<&'static str>; 8] = [
        Stage::orders,
        Stage::market,
        Stage::journeys,
        Stage::accounts,
        Stage::clients,
        Stage::plans,
        Stage::mobile_payments,
        Stage::payments,
    ];
    let held: BTreeSet<&str> = parts.iter().flat_map(|part| part(&mut Stage::new())).collect();
    assert_eq!(held, NAMES.iter().copied().collect(), "every command has a family");
}
