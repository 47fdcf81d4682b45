//! Generated runs: whatever is done in whatever order, what journeys promise holds, and every row of the five tables is
//! taken by some run.

use super::{START, answers, entity_opening, moving, opening, ssn, transfer_of};
use crate::common::{Bench, DAILY, GLOBAL, amount};
use sim::command::{CustodianAct, Decision, Purgeable, ScreeningHit, SignOutcome};
use sim::ids::{JourneyId, TransferId};
use sim::machines::journey::{State, TABLE};
use sim::machines::{MACHINES, Machine, Visits, mandate};
use sim::money::Percent;
use sim::query;
use sim::records::{
    AccountStatus, AccountType, AllocationPlanConfiguration, Answers, Autogiro, AutogiroEnforce, Configuration,
    ErrorCode, Journey, JourneyStep, JourneyType, OwnerKey, Periodicity, SavingsPlanConfiguration, TransferAccount,
    TransferEnforce, WelcomeScreen,
};
use sim::rng::{Seed, Stream};
use sim::store::Window;
use sim::time::Millis;
use sim::{Change, Command, World};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Every test makes so many runs, and more until every row was taken.
const RUNS: u64 = 16;
const MOST_RUNS: u64 = 200;
const STEPS: usize = 160;

const PEOPLE: &[&str] = &[
    "199001012385",
    "199001012385",
    "200002292399",
    "191212121212",
    "197001012389",
    "197001022388",
    "197001032387",
    "197001042386",
    "197001052385",
    "197001062384",
    "197001072383",
    "197001082382",
];

const IBANS: &[&str] = &[
    "SE8150000000050000000019",
    "SE5950000000050000000027",
    "SE3750000000050000000035",
    "SE1550000000050000000043",
    "SE9050000000050000000051",
    "SE9350000000050000000094",
];

fn first_seed() -> u64 {
    std::env::var("FUNDSIM_TEST_SEED").map_or(5_000, |text| text.parse().expect("FUNDSIM_TEST_SEED is a whole number"))
}

/// What a run has seen of every journey.
#[derive(Default)]
struct Seen {
    states: BTreeMap<JourneyId, State>,
    ended: BTreeMap<JourneyId, Arc<Journey>>,
    callbacks: BTreeMap<JourneyId, u32>,
}

struct Run {
    bench: Bench,
    draw: Stream,
    seen: Seen,
}

fn some<'a, T>(draw: &mut Stream, items: &'a [T]) -> Option<&'a T> {
    if items.is_empty() { None } else { Some(draw.pick(items)) }
}

impl Run {
    fn new(seed: u64) -> Self {
        Self { bench: Bench::new(seed, START), draw: Seed(seed).stream("generated journeys"), seen: Seen::default() }
    }

    fn journeys(&self) -> Vec<Arc<Journey>> {
        query::journeys(&self.bench.world, self.bench.scope.client, &Window::default())
    }

    fn journey(&mut self) -> Option<Arc<Journey>> {
        let all = self.journeys();
        // The newest ones are the ones under way.
        let recent = &all[all.len().saturating_sub(4)..];
        some(&mut self.draw, recent).cloned()
    }

    fn account(&mut self) -> Option<Arc<sim::records::Account>> {
        let all = query::accounts(&self.bench.world, self.bench.scope.client, &Window::default(), None);
        let recent = &all[all.len().saturating_sub(3)..];
        some(&mut self.draw, recent).cloned()
    }

    /// The newest bank account of some recent account that has one.
    fn bank(&mut self) -> Option<Arc<sim::records::BankAccount>> {
        let all = query::accounts(&self.bench.world, self.bench.scope.client, &Window::default(), None);
        let with: Vec<_> = all.iter().rev().filter_map(|account| account.bank_accounts.last()).take(3).collect();
        some(&mut self.draw, &with).map(|bank| Arc::clone(bank))
    }

    /// A transfer that is under way, if there is one.
    fn transfer(&mut self) -> Option<TransferId> {
        let all = query::accounts(&self.bench.world, self.bench.scope.client, &Window::default(), None);
        let of =
            |account: &Arc<sim::records::Account>| query::transfers(&self.bench.world, account.id, &Window::default());
        let open: Vec<_> = all.iter().flat_map(of).filter(|one| !one.state.is_terminal()).map(|one| one.id).collect();
        some(&mut self.draw, &open).copied()
    }

    /// The newest account to which something has been sent for.
    fn sent_transfer(&self) -> Option<sim::ids::AccountId> {
        let all = query::accounts(&self.bench.world, self.bench.scope.client, &Window::default(), None);
        let is_sent = |account: &&Arc<sim::records::Account>| {
            let transfers = query::transfers(&self.bench.world, account.id, &Window::default());
            account.is_active() && transfers.iter().any(|one| one.state == sim::machines::transfer::State::Sent)
        };
        all.iter().rev().find(is_sent).map(|account| account.id)
    }

    fn configuration(&mut self) -> Configuration {
        let draw = &mut self.draw;
        let kind = *draw.pick(&[AccountType::Isk, AccountType::Depot, AccountType::Depot, AccountType::Insurance]);
        let journey_type = match draw.chance(1, 2) {
            true => JourneyType::CreateAccount,
            false => *draw.pick(&JourneyType::ALL),
        };
        let person = Some(ssn(draw.pick::<&str>(PEOPLE)));
        let enforce = *draw.pick(&[
            AutogiroEnforce::Required,
            AutogiroEnforce::Required,
            AutogiroEnforce::Optional,
            AutogiroEnforce::None,
        ]);
        let autogiro = Some(Autogiro { enforce, force_new_bank_account: draw.chance(1, 3) });
        let savings = SavingsPlanConfiguration { periodicity: Some(Periodicity::Monthly), instruments: None };
        let mut configuration = match journey_type {
            JourneyType::CreateAccount => {
                let mut configuration = Configuration { ssn: person, autogiro, ..opening(kind) };
                if draw.chance(1, 2) {
                    let mut account = TransferAccount { required: draw.chance(1, 2), ..moving(kind) };
                    if kind == AccountType::Insurance {
                        account.default_units_output = vec![sim::records::Output::Cash];
                    }
                    let mut transfer = transfer_of(vec![account]);
                    transfer.enforce = *draw.pick(&[TransferEnforce::Required, TransferEnforce::Optional]);
                    configuration.transfer = Some(transfer);
                    configuration.welcome_screen = draw.chance(1, 2).then_some(WelcomeScreen::Transfer);
                }
                configuration.allocation_plan = draw.chance(1, 3).then(AllocationPlanConfiguration::default);
                configuration.savings_plan = draw.chance(1, 3).then_some(savings);
                configuration
            }
            JourneyType::CreateLegalEntityAccount => Configuration { ssn: person, ..entity_opening() },
            other => Configuration::empty(other),
        };
        match journey_type {
            JourneyType::SignSubmission => {
                let waiting: Vec<_> = self.journeys().iter().filter_map(|journey| journey.submission).collect();
                configuration.submission = some(&mut self.draw, &waiting).copied();
                let client = self.bench.scope.client;
                let missing = configuration.submission.and_then(|id| query::submission(&self.bench.world, client, id));
                configuration.ssn = missing.and_then(|submission| submission.missing().next()).or(person);
            }
            JourneyType::CreateAccount | JourneyType::CreateLegalEntityAccount => {}
            _ => {
                configuration.account = self.account().map(|account| account.id);
                if journey_type == JourneyType::UpdateSavingsPlan {
                    configuration.savings_plan =
                        Some(SavingsPlanConfiguration { periodicity: Some(Periodicity::Monthly), instruments: None });
                }
                if journey_type == JourneyType::AddBankAccount {
                    configuration.autogiro = autogiro;
                }
            }
        }
        configuration
    }

    /// Sensible answers, with something of its own here and there, and now and then something wrong.
    fn answers(&mut self, journey: JourneyId, step: JourneyStep) -> Answers {
        let view = query::journey_steps(&self.bench.world, journey).into_iter().find(|view| view.step == step);
        let mut given = Answers::default();
        for field in view.map(|view| view.fields).unwrap_or_default() {
            if field.read_only {
                continue;
            }
            let own = match (field.key, some(&mut self.draw, &field.choices)) {
                ("iban", _) => Some(Arc::from(*self.draw.pick(IBANS))),
                ("ssn", _) if step == JourneyStep::BeneficialOwners => {
                    field.suggestion.first().map(|_| Arc::from(*self.draw.pick(PEOPLE)))
                }
                ("signatories", _) => Some(Arc::from(*self.draw.pick(PEOPLE))),
                (_, Some(choice)) => Some(Arc::clone(&choice.value)),
                _ => None,
            };
            match own.filter(|_| self.draw.chance(2, 3)) {
                Some(own) => given.set(field.name, vec![own]),
                None => given.set(field.name, field.suggestion),
            }
        }
        if self.draw.chance(1, 20) {
            given.set("shoeSize", vec![Arc::from("43")]);
        }
        given
    }

    fn command(&mut self) -> Option<Command> {
        let partner = self.bench.scope.partner;
        let scope = self.bench.scope;
        Some(match self.draw.below(29) {
            0..=5 => {
                let configuration = self.configuration();
                let mut create = self.bench.asked(configuration);
                if self.draw.chance(1, 20) {
                    create.partner_data = Some(Arc::from("a".repeat(769)));
                }
                Command::CreateJourney(Box::new(create))
            }
            6 | 7 => {
                Command::OpenJourney { journey: self.journey()?.id, partner: self.draw.chance(1, 2).then_some(partner) }
            }
            8..=11 => {
                let journey = self.journey()?.id;
                let step = match query::journey_current(&self.bench.world, journey) {
                    Some(step) if self.draw.chance(5, 6) => step,
                    _ => *self.draw.pick(&JourneyStep::ALL),
                };
                let answers = self.answers(journey, step);
                Command::AnswerStep { partner: None, journey, step, answers }
            }
            12 | 13 => {
                let journey = self.journey()?;
                let signer = journey.progress.signer.or(journey.configuration.ssn);
                let signer = signer.unwrap_or_else(|| ssn(PEOPLE[0]));
                let outcome =
                    *self.draw.pick(&[SignOutcome::Sign, SignOutcome::Sign, SignOutcome::Abort, SignOutcome::Fail]);
                Command::SignJourney { partner: None, journey: journey.id, signer, outcome }
            }
            14..=16 => {
                let journey = self.journey()?.id;
                let mut given = Vec::new();
                for step in [JourneyStep::AccountDetails, JourneyStep::BankAccount, JourneyStep::Transfer] {
                    let shown = query::journey_steps(&self.bench.world, journey).iter().any(|view| view.step == step);
                    if shown && self.draw.chance(1, 2) {
                        given.push((step, self.answers(journey, step)));
                    }
                }
                Command::CompleteJourney { partner, journey, answers: given }
            }
            17 => Command::AbortJourney { journey: self.journey()?.id, context: None },
            18 => match self.draw.below(3) {
                0 => {
                    Command::CancelJourney { partner, journey: self.journey()?.id, context: Some(JourneyStep::Signing) }
                }
                1 => Command::ExpireJourney { partner, journey: self.journey()?.id },
                _ => {
                    let (journey, code) = (self.journey()?.id, *self.draw.pick(&ErrorCode::ALL));
                    Command::FailJourney { partner, journey, code, context: None }
                }
            },
            19 => {
                let account = self.account()?;
                if account.status() == AccountStatus::Rejected {
                    let what = Purgeable::Account(account.id);
                    return Some(Command::Purge { partner, what });
                }
                let likely = match account.status() {
                    AccountStatus::Confirm => Decision::Confirm,
                    _ => Decision::Approve,
                };
                let decision = *self.draw.pick(&[likely, likely, Decision::Reject]);
                Command::DecideAccount { partner, account: account.id, decision }
            }
            20 | 25 => {
                let bank_account = self.bank()?.id;
                Command::CheckBankAccount { partner, bank_account, passes: self.draw.chance(1, 2) }
            }
            21 | 26 => {
                let bank = self.bank()?;
                let can = |row: &&(&str, mandate::Trigger, &str)| mandate::TABLE.step(*bank.mandate, row.1).is_some();
                let codes: Vec<&str> = match self.draw.chance(3, 4) {
                    true => mandate::CODES.iter().filter(can).map(|row| row.0).collect(),
                    false => mandate::CODES.iter().map(|row| row.0).collect(),
                };
                let code = Arc::from(*some(&mut self.draw, &codes)?);
                Command::AdviseMandate { partner, bank_account: bank.id, code }
            }
            22 | 27 => {
                let transfer = self.transfer()?;
                let act = *self.draw.pick(&[CustodianAct::Accept, CustodianAct::Reject, CustodianAct::Complete]);
                Command::MoveTransfer { partner, transfer, act }
            }
            23 => {
                let hit = *self.draw.pick(&[ScreeningHit::Pep, ScreeningHit::Sanctions, ScreeningHit::Clear]);
                Command::Screen { owner: OwnerKey::Ssn(ssn(self.draw.pick::<&str>(PEOPLE))), hit }
            }
            24 => {
                // A transfer that was sent continues only while its account is open.
                let account = match self.sent_transfer() {
                    Some(account) => account,
                    None if self.draw.chance(1, 3) => self.account()?.id,
                    None => return None,
                };
                Command::CloseAccount { scope, account }
            }
            _ => {
                let account = self.account()?;
                let fund = *self.draw.pick(&[DAILY, GLOBAL]);
                let mut place = self.bench.buy(&account, fund, "600");
                place.amount = Some(amount("600"));
                Command::PlaceOrder(place)
            }
        })
    }

    fn step(&mut self) {
        if self.draw.chance(1, 4) {
            let hours = *self.draw.pick(&[0, 0, 1, 9, 24, 72, 400]);
            let span = Millis(hours * 3_600_000 + self.draw.between(0, 40_000));
            let to = self.bench.world.now().plus(span);
            self.bench.world.advance(to);
        } else if let Some(command) = self.command() {
            // A digest reads the whole world: every third refusal is looked at that closely.
            let before = self.draw.chance(1, 3).then(|| self.bench.world.digest());
            let refused = self.bench.does(command.clone()).is_err();
            if let Some(before) = before.filter(|_| refused) {
                assert_eq!(self.bench.world.digest(), before, "refused, and changed something: {command:?}");
            }
            assert!(!refused || self.bench.world.events().is_empty(), "refused, and told something: {command:?}");
        }
        self.look();
    }

    fn look(&mut self) {
        for event in self.bench.world.take_events() {
            if let Change::Journey(delta) = &event.change {
                let journey = delta.latest();
                let from = self.seen.states.insert(journey.id, *journey.state).unwrap_or(State::New);
                let moved = TABLE.rows.iter().any(|row| (row.from, row.to) == (from, *journey.state));
                assert!(moved || from == *journey.state, "{from:?} to {:?}", journey.state);
            }
        }
        for callback in self.bench.world.take_callbacks() {
            *self.seen.callbacks.entry(callback.journey).or_default() += 1;
            assert_eq!(self.seen.states[&callback.journey], *callback.body.state, "told as it ended");
        }
        for journey in self.journeys() {
            self.look_at(&journey);
        }
        look_at_world(&self.bench.world, &self.bench);
    }

    fn look_at(&mut self, journey: &Arc<Journey>) {
        use State::{Canceled, Complete, Error};
        assert_eq!(journey.result.is_some(), journey.state == Complete);
        assert_eq!(journey.error_code.is_some(), matches!(*journey.state, Canceled | Error));
        assert_eq!(journey.scope.as_deref(), Some("YWJj"));
        let callbacks = self.seen.callbacks.get(&journey.id).copied().unwrap_or(0);
        assert_eq!(callbacks, u32::from(matches!(*journey.state, Complete | Canceled | Error)), "{:?}", journey.state);
        if journey.state.is_terminal() {
            let ended = self.seen.ended.entry(journey.id).or_insert_with(|| Arc::clone(journey));
            let mut now = Journey::clone(journey);
            // Only the status of a bank account in the result may still move.
            (now.result, now.stamp) = (ended.result.clone(), ended.stamp);
            assert_eq!(&now, ended.as_ref());
        }
    }
}

fn look_at_world(world: &World, bench: &Bench) {
    let accounts = query::accounts(world, bench.scope.client, &Window::default(), None);
    for account in &accounts {
        let standing = query::standing(world, account.id).and_then(|standing| standing.journey);
        let journey = standing.and_then(|id| query::journey(world, bench.scope.client, id));
        let journey = journey.expect("every account here comes from a journey");
        assert!(journey.state == State::Complete || journey.error_code == Some(ErrorCode::Transfer));
        let plans = query::allocation_plans(world, bench.scope.client);
        let mine: Vec<_> = plans.iter().filter(|plan| plan.account == account.id).collect();
        assert!(mine.len() <= 1);
        for plan in mine {
            let sum: Percent = plan.instruments.iter().map(|share| share.percent).sum();
            assert_eq!(sum, Percent::WHOLE);
        }
        if account.deleted.is_some() {
            assert!(account.balance.is_zero() && account.positions.is_empty());
        }
        // A deleted account keeps the bank accounts as they were.
        for bank in account.bank_accounts.iter().filter(|_| account.deleted.is_none()) {
            let check = query::bank_file(world, bank.id).expect("filed").check;
            assert_eq!(bank.validated, check == sim::machines::bank_account::State::Active);
        }
    }
}

#[test]
fn generated_journeys_keep_every_promise_and_visit_every_row_of_their_tables() {
    let first = first_seed();
    let mut visits = Visits::default();
    for seed in first..first + MOST_RUNS {
        if seed >= first + RUNS && never_taken(&visits).is_empty() {
            break;
        }
        let mut run = Run::new(seed);
        let steps = std::panic::AssertUnwindSafe(|| (0..STEPS).for_each(|_| run.step()));
        if let Err(fault) = std::panic::catch_unwind(steps) {
            let text = fault.downcast_ref::<String>().cloned().unwrap_or_default();
            panic!(
                "{text}\nseed {seed}; repeat with: FUNDSIM_TEST_SEED={seed} cargo test -p fundsim-sim generated_journeys"
            );
        }
        visits.add(run.bench.world.visits());
    }
    assert_eq!(never_taken(&visits), Vec::<String>::new());
}

/// What journeys set in motion.
const SET_IN_MOTION: [&str; 6] = ["account", "journey", "submission", "mandate", "bankAccount", "transfer"];

/// Rows of those tables that no run has taken.
fn never_taken(visits: &Visits) -> Vec<String> {
    let machines = MACHINES.iter().filter(|machine| SET_IN_MOTION.contains(&machine.name()));
    let never = |machine: &&dyn Machine| {
        visits.never_taken(*machine).into_iter().map(|row| format!("{}: {row}", machine.name())).collect::<Vec<_>>()
    };
    machines.flat_map(never).collect()
}

#[test]
fn a_journey_s_world_is_the_same_in_one_step_or_many() {
    let run = |stops: &[&str]| {
        let mut bench = Bench::new(5, START);
        let configuration = Configuration {
            transfer: Some(transfer_of(vec![moving(AccountType::Isk)])),
            autogiro: Some(Autogiro { enforce: AutogiroEnforce::Required, force_new_bank_account: false }),
            savings_plan: Some(SavingsPlanConfiguration { periodicity: Some(Periodicity::Monthly), instruments: None }),
            ..opening(AccountType::Isk)
        };
        bench.walk(configuration, &[(JourneyStep::AccountDetails, answers(&[("accountName", "Same")]))]);
        bench.journey(opening(AccountType::Depot));
        stops.iter().for_each(|stop| bench.wait(stop));
        bench.world.digest()
    };
    let once = run(&["2026-05-04T08:00:00+02:00"]);
    let often = ["2026-03-02T08:00:05+01:00", "2026-03-02T08:00:30+01:00", "2026-03-03T08:00:00+01:00"];
    let end = ["2026-03-06T09:00:00+01:00", "2026-03-20T09:00:00+01:00", "2026-05-04T08:00:00+02:00"];
    assert_eq!(run(&[often, end].concat()), once);
}

#[cfg(feature = "canaries")]
#[test]
fn every_planted_fault_of_a_journey_is_caught() {
    use sim::canary::Canary;
    for fault in [
        Canary::SecondCallback,
        Canary::ResultBeforeCompletion,
        Canary::TerminalJourneyReopened,
        Canary::ScopeOneTooLong,
    ] {
        let caught = (0..RUNS).any(|seed| {
            let mut run = Run::new(seed);
            run.bench.world.plant(fault);
            let steps = std::panic::AssertUnwindSafe(|| (0..STEPS).for_each(|_| run.step()));
            std::panic::catch_unwind(steps).is_err()
        });
        assert!(caught, "{fault:?} was not noticed in {RUNS} runs");
    }
}
