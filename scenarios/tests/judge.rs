//! The judge can fail: the events of one account, as they are and then with one of them changed. Every change is seen, as the
//! law that it breaks.

use fuzz::generate::{Act, Generator};
use fuzz::{Prepared, RunSetup};
use oracle::check::{Judge, Law};
use sim::command::{CreateJourney, PlaceOrder, Scope};
use sim::event::{Change, Delta, Event};
use sim::identity::PersonalNumber;
use sim::ids::{CustodianId, JourneyId};
use sim::machines::Current;
use sim::money::{Amount, Price};
use sim::outbox::Callback;
use sim::records::{
    AccountType, Autogiro, AutogiroEnforce, CashType, Category, Configuration, CustodianTransfers, ErrorCode,
    JourneyType, MandateStatus, Output, PaymentReason, Proceeds, ServiceType, Side, TransferAccount,
    TransferConfiguration, TransferEnforce,
};
use sim::time::Millis;
use sim::{Command, Reply, World, query};
use std::sync::Arc;

/// What a step has emitted.
#[derive(Default)]
struct Emitted {
    events: Vec<Event>,
    callbacks: Vec<Callback>,
}

/// A world with its judge, and a change to what the judge sees of it.
struct Life {
    world: World,
    judge: Judge,
    falsify: fn(&mut Emitted),
}

impl Life {
    fn emitted(&mut self) -> Emitted {
        let mut emitted = Emitted { events: self.world.take_events(), callbacks: self.world.take_callbacks() };
        (self.falsify)(&mut emitted);
        emitted
    }

    fn wait(&mut self, span: Millis) {
        let to = self.world.now().plus(span);
        self.world.advance(to);
        let emitted = self.emitted();
        self.judge.after_wait(&self.world, &emitted.events, &emitted.callbacks);
    }

    fn command(&mut self, command: &Command) -> Reply {
        let plan = self.judge.plan(&self.world, command);
        let result = self.world.apply(self.world.now(), command.clone());
        let emitted = self.emitted();
        self.judge.after_command(&self.world, command, plan, result.as_ref(), &emitted.events, &emitted.callbacks);
        result.unwrap_or_else(|refusal| panic!("{command:?}: {refusal:?}"))
    }
}

/// An account with a mandate and a transfer.
fn configuration() -> Configuration {
    let from = TransferAccount {
        account_number: Some(Arc::from("1234-567")),
        source_account_type: vec![AccountType::Isk],
        close_account_and_savingsplans: Some(false),
        required: true,
        untransferable_units_output: vec![Output::Cash],
        default_units_output: vec![Output::Units],
        balance_output: vec![Output::Cash],
        allow_instrument_selection: false,
        instruments: None,
    };
    let custodian = CustodianId::parse("havsviksbanken").expect("a constant");
    let transfers = vec![CustodianTransfers { custodian, accounts: vec![from] }];
    Configuration {
        ssn: Some(PersonalNumber::parse("199001012385").expect("a constant")),
        account_types: Some(vec![AccountType::Isk]),
        account_service_type: Some(ServiceType::ExecutionOnly),
        account_categories: Some(vec![Category::Retail]),
        autogiro: Some(Autogiro { enforce: AutogiroEnforce::Required, force_new_bank_account: true }),
        transfer: Some(TransferConfiguration { enforce: TransferEnforce::Required, transfers }),
        ..Configuration::empty(JourneyType::CreateAccount)
    }
}

/// The laws that did not hold if every step is reported like that.
fn laws_broken(falsify: fn(&mut Emitted)) -> Vec<Law> {
    let world = RunSetup::generated(11).world();
    let client = query::clients(&world).next().expect("a client");
    let scope = Scope { partner: client.partner, client: client.id };
    let mut life = Life { judge: Judge::new(&world), world, falsify };
    let create = CreateJourney {
        scope,
        configuration: configuration(),
        callback_url: Arc::from("http://receiver/callback"),
        redirect_url: None,
        completion_redirect_url: None,
        partner_data: Some(Arc::from("YWJj")),
    };
    let Reply::Journey(journey) = life.command(&Command::CreateJourney(Box::new(create))) else { panic!("a journey") };
    let journey: JourneyId = journey.id;
    life.command(&Command::CompleteJourney { partner: scope.partner, journey, answers: Vec::new() });
    life.wait(Millis::seconds(4));
    life.wait(Millis::seconds(40));
    life.wait(Millis::days(40));
    let accounts = query::accounts(&life.world, scope.client, &sim::store::Window::default(), None);
    let account = accounts.last().expect("the journey has opened one").id;
    life.command(&Command::PlaceOrder(PlaceOrder {
        scope,
        account,
        side: Side::Subscription,
        instrument: life.world.setup().instruments[0].id,
        amount: Some(Amount::from_ore(60_000)),
        units: None,
        client_ref: None,
        executor: None,
        proceeds: Proceeds::Keep,
    }));
    life.wait(Millis::days(8));
    life.judge.sweep(&life.world);
    life.judge.take().into_iter().map(|violation| violation.invariant).collect()
}

/// Changes every record of one kind, in every event that has one.
macro_rules! change {
    ($emitted:expr, $kind:ident, $f:expr) => {
        for event in &mut $emitted.events {
            if let Change::$kind(Delta::Created(record) | Delta::Updated { current: record, .. }) = &mut event.change {
                let f: &dyn Fn(&mut _) = &$f;
                f(Arc::make_mut(record));
            }
        }
    };
}

#[test]
fn a_correctly_reported_course_breaks_no_law() {
    assert_eq!(laws_broken(|_| {}), Vec::<Law>::new());
}

#[test]
fn every_false_report_breaks_its_law() {
    type Lie = (&'static str, Law, fn(&mut Emitted));
    let lies: &[Lie] = &[
        ("transferred cash is doubled", Law::TransfersBringWhatWasThere, |emitted| {
            change!(emitted, CashTransaction, |cash: &mut sim::records::CashTransaction| {
                if cash.kind == CashType::TransferIn {
                    cash.amount = cash.amount + cash.amount;
                }
            });
        }),
        ("transferred units cost nothing", Law::AverageAcquisitionValue, |emitted| {
            change!(emitted, Account, |account: &mut sim::records::Account| {
                account.positions.iter_mut().for_each(|position| position.cost = Default::default());
            });
        }),
        ("a callback is left out", Law::OneCallback, |emitted| emitted.callbacks.clear()),
        ("a callback is made twice", Law::OneCallback, |emitted| {
            let again = emitted.callbacks.clone();
            emitted.callbacks.extend(again);
        }),
        ("a callback goes elsewhere", Law::OneCallback, |emitted| {
            emitted.callbacks.iter_mut().for_each(|callback| callback.url = Arc::from("http://elsewhere/"));
        }),
        ("a callback tells an error", Law::OneCallback, |emitted| {
            for callback in &mut emitted.callbacks {
                Arc::make_mut(&mut callback.body).error_code = Some(ErrorCode::Other);
            }
        }),
        ("a journey ends with a code", Law::JourneyPath, |emitted| {
            change!(emitted, Journey, |journey: &mut sim::records::Journey| journey.error_code = Some(ErrorCode::Sign));
        }),
        ("a journey shows no account", Law::AccountsComeFromJourneys, |emitted| {
            change!(emitted, Journey, |journey: &mut sim::records::Journey| {
                if let Some(result) = &mut journey.result {
                    Arc::make_mut(result).account = None;
                }
            });
        }),
        ("an account is approved a second late", Law::AccountPath, |emitted| {
            for event in &mut emitted.events {
                if let Change::Account(Delta::Updated { previous, current }) = &event.change
                    && previous.status() != current.status()
                {
                    event.at = event.at.plus(Millis::SECOND);
                }
            }
        }),
        ("an account begins as confirm", Law::AccountPath, |emitted| {
            for event in &mut emitted.events {
                if let Change::Account(Delta::Created(account)) = &mut event.change {
                    Arc::make_mut(account).state = Current::first(sim::machines::account::State::Confirm);
                }
            }
        }),
        ("an approval is not emitted", Law::AccountPath, |emitted| {
            emitted.events.retain(|event| {
                !matches!(&event.change, Change::Account(Delta::Updated { previous, current })
                    if previous.status() != current.status())
            });
        }),
        ("a bank account is validated at birth", Law::ValidatedMeansChecked, |emitted| {
            change!(emitted, Account, |account: &mut sim::records::Account| {
                for bank in Arc::make_mut(&mut account.bank_accounts) {
                    Arc::make_mut(bank).validated = true;
                }
            });
        }),
        ("a mandate is refused", Law::ChargesNeedAMandate, |emitted| {
            change!(emitted, Account, |account: &mut sim::records::Account| {
                for bank in Arc::make_mut(&mut account.bank_accounts) {
                    if bank.mandate == MandateStatus::Active {
                        Arc::make_mut(bank).mandate = Current::first(MandateStatus::Invalid);
                    }
                }
            });
        }),
        ("an account is emitted to nobody's client", Law::Isolation, |emitted| {
            emitted.events.iter_mut().for_each(|event| event.client = None);
        }),
        ("an event is left out", Law::EventIdentity, |emitted| {
            if emitted.events.len() > 2 {
                emitted.events.remove(1);
            }
        }),
        ("an execution has another price", Law::OnePriceForAll, |emitted| {
            change!(emitted, Order, |order: &mut sim::records::Order| {
                if let Some(trade) = &mut order.trade {
                    trade.price = Price::parse("1.5").expect("a price");
                }
            });
        }),
        ("a subscription gets a unit too many", Law::SubscriptionExecution, |emitted| {
            change!(emitted, Order, |order: &mut sim::records::Order| {
                if order.trade.is_some() {
                    order.units = order.units.map(|units| units + sim::money::Units::parse("1").expect("units"));
                }
            });
        }),
        ("a change is not stamped", Law::ModifiedDate, |emitted| {
            change!(emitted, Order, |order: &mut sim::records::Order| order.stamp.modified = order.stamp.created);
        }),
    ];
    for (what, law, falsify) in lies {
        let broken = laws_broken(*falsify);
        assert!(broken.contains(law), "{what}: law {law} should be broken, broken are {broken:?}");
    }
}

/// Generated runs from a first seed on, each up to where the judge is seen to say so of a lie: its laws before the lie and
/// after it.
fn laws_broken_in_a_run(first: u64, lie: fn(&World, &mut Judge)) -> Option<(Vec<Law>, Vec<Law>)> {
    let swept = |world: &World, mut judge: Judge| {
        judge.sweep(world);
        judge.take().into_iter().map(|violation| violation.invariant).collect::<Vec<_>>()
    };
    for seed in first..first + 40 {
        let stage = RunSetup::generated(seed);
        let Prepared { mut world, mut bindings, mut judge, .. } = stage.prepare();
        for (at, step) in Generator::new(seed, stage.profile).take(400).enumerate() {
            let now = world.now();
            let act = bindings.act(&world, &step);
            if world.next_timer().is_some_and(|(at, _)| at <= now) || matches!(act, Some(Act::Wait(_))) {
                world.advance(if let Some(Act::Wait(to)) = act { to } else { now });
                judge.after_wait(&world, world.events(), world.callbacks());
            }
            let emitted = world.take_events();
            bindings.observe(&world, &emitted);
            world.take_callbacks();
            let Some(Act::Do(command)) = act else { continue };
            let plan = judge.plan(&world, &command);
            let result = world.apply(now, command.clone());
            judge.after_command(&world, &command, plan, result.as_ref(), world.events(), world.callbacks());
            if let Ok(reply) = &result {
                bindings.note(&step, reply);
            }
            let emitted = world.take_events();
            bindings.observe(&world, &emitted);
            world.take_callbacks();
            if at % 40 != 39 {
                continue;
            }
            let mut deceived = judge.clone();
            lie(&world, &mut deceived);
            let after = swept(&world, deceived);
            if !after.is_empty() {
                return Some((swept(&world, judge), after));
            }
        }
    }
    None
}

/// (rule: plans/last-run, payments/payment-reason-codes, fees/partner-fee)
#[test]
fn a_state_that_the_judge_does_not_expect_breaks_its_law() {
    /// Few runs meet fees that are paid on.
    const PAID_ON: u64 = 138;
    type Lie = (&'static str, Law, u64, fn(&World, &mut Judge));
    let lies: &[Lie] = &[
        ("a plan ran a day later", Law::OnePlan, 0, |_, judge| {
            judge.model.money_in.runs.values_mut().for_each(|run| run.day += 1);
        }),
        ("a plan has more to say", Law::OnePlan, 0, |_, judge| {
            judge.model.money_in.runs.values_mut().for_each(|run| run.reasons.push("it rained".to_owned()));
        }),
        ("a plan was changed by a run of tomorrow", Law::ModifiedDate, 0, |world, judge| {
            let tomorrow = world.now().plus(Millis::days(1));
            judge.model.money_in.runs.values_mut().for_each(|run| run.at = tomorrow);
        }),
        ("a payment failed for a wrong date", Law::ChargesNeedAMandate, 0, |world, judge| {
            let all: Vec<_> = judge.model.instructions().collect();
            let records = all.iter().filter_map(|it| query::instruction(world, it.client, it.id));
            for payment in records.flat_map(|record| query::payments_of(world, record)) {
                judge.model.payment_failed(world.now(), payment.id, PaymentReason::WrongDate);
            }
        }),
        ("an ore more of a client's fees waits", Law::FeeBound, 0, |_, judge| {
            judge.model.fees.pots.values_mut().for_each(|pot| pot.waiting += 1);
        }),
        ("an ore more of a client's fees was paid on", Law::FeeBound, PAID_ON, |_, judge| {
            judge.model.fees.pots.values_mut().flat_map(|pot| &mut pot.paid).for_each(|paid| paid.1 += 1);
        }),
    ];
    for (what, law, first, lie) in lies {
        let (before, after) = laws_broken_in_a_run(*first, *lie).unwrap_or_else(|| panic!("{what}: no run shows it"));
        assert_eq!((before.as_slice(), after.contains(law)), (&[][..], true), "{what}: broken are {after:?}");
    }
}
