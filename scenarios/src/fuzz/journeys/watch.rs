//! What must hold of journeys and of what they leave behind, step by step.
//!
//! Invariant: knows the table of journeys a second time, as pairs of words; a step's checks look at what it touched, `all`
//! looks at everything. Absent on purpose: what makes the steps.

use super::cast::made_by;
use crate::check::{Claim, Fact, Violation, status_of};
use sim::command::{Command, CreateJourney, PlaceOrder};
use sim::event::{Change, Event};
use sim::ids::{AccountId, ClientId, JourneyId};
use sim::machines::bank_account;
use sim::machines::journey::State;
use sim::money::Percent;
use sim::outbox::Callback;
use sim::records::{Account, AccountStatus, ErrorCode, Journey, JourneyType};
use sim::refusal::Class;
use sim::store::Window;
use sim::time::Instant;
use sim::{Refusal, Reply, World, query};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The longest `scope` (`decisions 1.5/60`).
const LONGEST_SCOPE: usize = 768;

/// Ways from one status to another (`decisions 3.1`).
const WAYS: &[(State, State)] = &[
    (State::New, State::Pending),
    (State::New, State::Error),
    (State::New, State::Expired),
    (State::Pending, State::Complete),
    (State::Pending, State::Canceled),
    (State::Pending, State::Error),
    (State::Pending, State::Expired),
];

/// What is known of a journey.
#[derive(Clone, Debug)]
struct Known {
    state: State,
    scope: Option<Arc<str>>,
    told: u32,
    ended: Option<Arc<Journey>>,
    accounts: u32,
}

/// The checkers of one run.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    journeys: BTreeMap<JourneyId, Known>,
    found: Vec<Violation>,
}

impl Watch {
    /// Violations since the last call.
    pub(super) fn take(&mut self) -> Vec<Violation> {
        std::mem::take(&mut self.found)
    }

    fn fail(&mut self, invariant: u8, at: Instant, what: String, claim: Option<Claim>) {
        if self.found.len() < 8 {
            self.found.push(Violation { invariant, at, what, claim });
        }
    }

    fn ensure(&mut self, holds: bool, invariant: u8, at: Instant, what: impl FnOnce() -> String) {
        if !holds {
            self.fail(invariant, at, what(), None);
        }
    }

    /// What a command must be refused as, where these laws say it.
    pub(super) fn must_be_refused(world: &World, command: &Command) -> Option<(u8, Class)> {
        match command {
            Command::CreateJourney(create) => is_too_long(create).then_some((29, Class::Malformed)),
            Command::PlaceOrder(PlaceOrder { scope, account, .. }) => {
                let account = query::account(world, scope.client, *account)?;
                let active = account.status == AccountStatus::Active && account.deleted.is_none();
                (!active).then_some((31, Class::AccountNotActive))
            }
            Command::OpenJourney { journey, partner: Some(_) } => {
                let journey = query::journey_by_link(world, *journey)?;
                (journey.state != State::New).then_some((27, Class::Conflict))
            }
            _ => None,
        }
    }

    /// After a command: it came out as it had to, and a refusal has left no trace.
    pub(super) fn outcome(
        &mut self,
        world: &World,
        due: Option<(u8, Class)>,
        result: Result<&Reply, &Refusal>,
        events: &[Event],
        callbacks: &[Callback],
    ) {
        let now = world.now();
        let class = result.err().map(|refusal| refusal.class);
        if let Some((law, due)) = due.filter(|(_, due)| class != Some(*due)) {
            let got = class.map_or_else(|| "accepted".to_owned(), |class| format!("refused as {class:?}"));
            let what = format!("a command was {got}, expected: refused as {due:?}");
            self.fail(law, now, what, Some(Claim::Answer(status_of(due))));
        }
        let silent = events.is_empty() && callbacks.is_empty();
        self.ensure(class.is_none() || silent, 49, now, || "a refused command told something".to_owned());
    }

    /// A refusal has left another world behind (law 49).
    pub(super) fn changed_by_refusal(&mut self, now: Instant) {
        self.fail(49, now, "a refused command changed the world".to_owned(), None);
    }

    /// A journey was started.
    pub(super) fn started(&mut self, create: &CreateJourney, journey: &Journey) {
        let scope = create.partner_data.clone();
        let known = Known { state: State::New, scope, told: 0, ended: None, accounts: 0 };
        self.journeys.insert(journey.id, known);
    }

    /// After a step: everything that was told follows from what was known.
    pub(super) fn look(&mut self, world: &World, client: ClientId, events: &[Event], callbacks: &[Callback]) {
        let mut touched: Vec<JourneyId> = Vec::new();
        for event in events {
            match &event.change {
                Change::Journey(delta) => {
                    let journey = delta.latest();
                    self.moved(event.at, journey);
                    touched.push(journey.id);
                }
                Change::Account(delta) => {
                    let account = delta.latest().id;
                    if event.kind() == "account.create" {
                        self.account_made(world, event.at, account);
                    }
                    self.account_stands(world, client, account);
                }
                _ => {}
            }
        }
        for callback in callbacks {
            self.told(callback);
            touched.push(callback.journey);
        }
        touched.sort_unstable();
        touched.dedup();
        touched.into_iter().for_each(|id| self.stands(world, id));
    }

    /// Everything at once.
    pub(super) fn all(&mut self, world: &World, client: ClientId) {
        let known: Vec<JourneyId> = self.journeys.keys().copied().collect();
        known.into_iter().for_each(|id| self.stands(world, id));
        for account in query::accounts(world, client, &Window::default(), None) {
            self.account_stands(world, client, account.id);
        }
        let plans = query::allocation_plans(world, client);
        for plan in &plans {
            let sum: Percent = plan.instruments.iter().map(|share| share.percent).sum();
            let whole = sum == Percent::WHOLE;
            self.ensure(whole, 35, world.now(), || format!("the shares of plan {} make {sum:?}", plan.id));
            let same = plans.iter().filter(|other| other.account == plan.account).count();
            self.ensure(same == 1, 36, world.now(), || format!("account {} has {same} plans", plan.account));
        }
    }

    /// Law 27: the status goes a way of the table.
    fn moved(&mut self, at: Instant, journey: &Journey) {
        let (id, to) = (journey.id, journey.state);
        let Some(known) = self.journeys.get_mut(&id) else {
            return self.fail(41, at, format!("journey {id} changed before it was started"), None);
        };
        let from = std::mem::replace(&mut known.state, to);
        if from != to && !WAYS.contains(&(from, to)) {
            let what = format!("journey {id} went from {} to {}", from.name(), to.name());
            self.fail(27, at, what, Some(status_claim(id, from)));
        }
    }

    /// Law 28: one callback, of the state at the end.
    fn told(&mut self, callback: &Callback) {
        let (id, state) = (callback.journey, callback.body.state);
        let Some(known) = self.journeys.get_mut(&id) else { return };
        known.told += 1;
        let (times, now) = (known.told, known.state);
        if times > 1 {
            let claim = Claim::Callback(id, state.name());
            self.fail(28, callback.at, format!("journey {id} has {times} callbacks"), Some(claim));
        }
        self.ensure(state == now, 28, callback.at, || {
            format!("the callback of journey {id} says {}, it is {}", state.name(), now.name())
        });
    }

    /// What can be read of a journey (laws 27 to 29).
    fn stands(&mut self, world: &World, id: JourneyId) {
        let now = world.now();
        let Some(journey) = query::journey_by_link(world, id).cloned() else {
            return self.fail(41, now, format!("journey {id} cannot be read"), None);
        };
        let Some(known) = self.journeys.get(&id).cloned() else { return };
        let state = journey.state;
        if journey.result.is_some() != (state == State::Complete) {
            let what = format!("journey {id} is {} with result {:?}", state.name(), journey.result);
            let shown = if state == State::Complete { None } else { Some(("result", Fact::Null)) };
            self.fail(27, now, what, Some(Claim::Journey(id, shown.into_iter().collect())));
        }
        let failed = matches!(state, State::Canceled | State::Error);
        self.ensure(journey.error_code.is_some() == failed, 27, now, || {
            format!("journey {id} is {} with error code {:?}", state.name(), journey.error_code)
        });
        self.ensure(journey.scope == known.scope, 29, now, || format!("journey {id} has another scope than it got"));
        let due = u32::from(failed || state == State::Complete);
        self.ensure(known.told == due, 28, now, || {
            format!("journey {id}, {}, has {} callbacks", state.name(), known.told)
        });
        if state.is_terminal() {
            self.is_frozen(now, id, &journey);
        }
    }

    /// What has ended stays: only the status of a bank account in its result may still move.
    fn is_frozen(&mut self, now: Instant, id: JourneyId, journey: &Arc<Journey>) {
        let Some(known) = self.journeys.get_mut(&id) else { return };
        let ended = Arc::clone(known.ended.get_or_insert_with(|| Arc::clone(journey)));
        let mut same = Journey::clone(journey);
        (same.result, same.stamp) = (ended.result.clone(), ended.stamp);
        let claim = Some(status_claim(id, ended.state));
        if same != *ended {
            self.fail(27, now, format!("journey {id} changed after it was {}", ended.state.name()), claim);
        }
    }

    /// Law 30: accounts come from journeys, one from each.
    fn account_made(&mut self, world: &World, at: Instant, id: AccountId) {
        let made = made_by(world, id);
        let Some(known) = made.and_then(|journey| self.journeys.get_mut(&journey)) else {
            return self.fail(30, at, format!("account {id} comes from no journey"), None);
        };
        known.accounts += 1;
        let once = known.accounts == 1;
        self.ensure(once, 30, at, || format!("account {id} is not the only one of its journey"));
    }

    /// Laws 30, 32 and the bank accounts of 3.5.
    fn account_stands(&mut self, world: &World, client: ClientId, id: AccountId) {
        let Some(account) = query::account(world, client, id).cloned() else { return };
        let now = world.now();
        if let Some(journey) = made_by(world, id).and_then(|id| query::journey_by_link(world, id)) {
            let opens = matches!(
                journey.configuration.journey_type,
                JourneyType::CreateAccount | JourneyType::CreateLegalEntityAccount
            );
            let done = journey.state == State::Complete || journey.error_code == Some(ErrorCode::Transfer);
            self.ensure(opens && done, 30, now, || format!("account {id} comes from a journey that is not over"));
        }
        if account.deleted.is_some() {
            let empty = account.balance.is_zero() && account.positions.iter().all(|position| position.is_empty());
            self.ensure(empty, 32, now, || format!("account {id} was deleted with something left in it"));
        }
        // A deleted account stays as it was, whatever its bank says later.
        if account.deleted.is_none() {
            self.banks_stand(world, &account);
        }
    }

    fn banks_stand(&mut self, world: &World, account: &Account) {
        for bank in account.bank_accounts.iter() {
            let Some(file) = query::bank_file(world, bank.id) else { continue };
            let passed = file.check == bank_account::State::Active;
            self.ensure(bank.validated == passed, 33, world.now(), || {
                format!("bank account {} is validated: {}, its check {:?}", bank.id, bank.validated, file.check)
            });
        }
    }
}

fn is_too_long(create: &CreateJourney) -> bool {
    create.partner_data.as_ref().is_some_and(|text| text.len() > LONGEST_SCOPE)
}

fn status_claim(id: JourneyId, state: State) -> Claim {
    Claim::Journey(id, vec![("status", Fact::Text(state.name().to_owned()))])
}
