//! Laws of journeys and of the accounts that come from them: their paths, callbacks and results.
//!
//! Invariant: knows the table of journeys a second time, as pairs of words.

use super::{Claim, Fact, Judge};
use sim::command::CreateJourney;
use sim::event::{Delta, Event};
use sim::ids::{AccountId, JourneyId};
use sim::machines::bank_account;
use sim::machines::journey::State;
use sim::money::Percent;
use sim::outbox::Callback;
use sim::records::{Account, ErrorCode, Journey, JourneyType};
use sim::time::Instant;
use sim::{World, query};
use std::sync::Arc;

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
pub(super) struct JourneyFile {
    state: State,
    scope: Option<Arc<str>>,
    told: u32,
    ended: Option<Arc<Journey>>,
    accounts: u32,
}

impl Judge {
    /// A journey was started.
    pub(super) fn journey_started(&mut self, create: &CreateJourney, journey: &Journey) {
        let scope = create.partner_data.clone();
        let file = JourneyFile { state: State::New, scope, told: 0, ended: None, accounts: 0 };
        self.journeys.insert(journey.id, file);
    }

    /// Law 27: the status goes a way of the table.
    pub(super) fn on_journey(&mut self, event: &Event, delta: &Delta<Journey>) {
        let (at, journey) = (event.at, delta.latest());
        let (id, to) = (journey.id, journey.state);
        self.touched_journeys.push(id);
        let Some(file) = self.journeys.get_mut(&id) else {
            return self.fail(41, at, || format!("journey {id} changed before it was started"), None);
        };
        let from = std::mem::replace(&mut file.state, to);
        if from != to && !WAYS.contains(&(from, to)) {
            let what = || format!("journey {id} went from {} to {}", from.name(), to.name());
            self.fail(27, at, what, Some(status_claim(id, from)));
        }
    }

    /// Law 28: one callback, of the state at the end.
    pub(super) fn on_callback(&mut self, callback: &Callback) {
        let (id, state) = (callback.journey, callback.body.state);
        self.touched_journeys.push(id);
        let Some(file) = self.journeys.get_mut(&id) else { return };
        file.told += 1;
        let (times, now) = (file.told, file.state);
        if times > 1 {
            let claim = Claim::Callback(id, state.name());
            self.fail(28, callback.at, || format!("journey {id} has {times} callbacks"), Some(claim));
        }
        self.ensure(state == now, 28, callback.at, || {
            format!("the callback of journey {id} says {}, it is {}", state.name(), now.name())
        });
    }

    /// What can be read of a journey (laws 27 to 29).
    pub(super) fn journey_stands(&mut self, world: &World, id: JourneyId) {
        let now = world.now();
        let Some(journey) = query::journey_by_link(world, id).cloned() else {
            return self.fail(41, now, || format!("journey {id} cannot be read"), None);
        };
        let Some(file) = self.journeys.get(&id).cloned() else { return };
        let state = journey.state;
        if journey.result.is_some() != (state == State::Complete) {
            let what = || format!("journey {id} is {} with result {:?}", state.name(), journey.result);
            let shown = if state == State::Complete { None } else { Some(("result", Fact::Null)) };
            self.fail(27, now, what, Some(Claim::Journey(id, shown.into_iter().collect())));
        }
        let failed = matches!(state, State::Canceled | State::Error);
        self.ensure(journey.error_code.is_some() == failed, 27, now, || {
            format!("journey {id} is {} with error code {:?}", state.name(), journey.error_code)
        });
        self.ensure(journey.scope == file.scope, 29, now, || format!("journey {id} has another scope than it got"));
        let due = u32::from(failed || state == State::Complete);
        self.ensure(file.told == due, 28, now, || {
            format!("journey {id}, {}, has {} callbacks", state.name(), file.told)
        });
        if state.is_terminal() {
            self.journey_is_frozen(now, id, &journey);
        }
    }

    /// What has ended stays: only the status of a bank account in its result may still move.
    fn journey_is_frozen(&mut self, now: Instant, id: JourneyId, journey: &Arc<Journey>) {
        let Some(file) = self.journeys.get_mut(&id) else { return };
        let ended = Arc::clone(file.ended.get_or_insert_with(|| Arc::clone(journey)));
        let mut same = Journey::clone(journey);
        (same.result, same.stamp) = (ended.result.clone(), ended.stamp);
        let claim = Some(status_claim(id, ended.state));
        if same != *ended {
            self.fail(27, now, || format!("journey {id} changed after it was {}", ended.state.name()), claim);
        }
    }

    /// Law 30: accounts come from journeys, one from each, unless the platform opens them.
    pub(super) fn account_made(&mut self, world: &World, at: Instant, id: AccountId) {
        if self.opens_account {
            return;
        }
        let Some(file) = made_by(world, id).and_then(|journey| self.journeys.get_mut(&journey)) else {
            return self.fail(30, at, || format!("account {id} comes from no journey"), None);
        };
        file.accounts += 1;
        let once = file.accounts == 1;
        self.ensure(once, 30, at, || format!("account {id} is not the only one of its journey"));
    }

    /// Laws 30, 32 and the bank accounts of 3.5.
    pub(super) fn account_is_sound(&mut self, world: &World, account: &Account) {
        let (now, id) = (world.now(), account.id);
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
        } else {
            // A deleted account stays as it was, whatever its bank says later.
            self.banks_stand(world, account);
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

    /// Everything that journeys have left behind.
    pub(super) fn sweep_journeys(&mut self, world: &World) {
        let known: Vec<JourneyId> = self.journeys.keys().copied().collect();
        known.into_iter().for_each(|id| self.journey_stands(world, id));
        let clients: Vec<_> = self.model.clients.keys().copied().collect();
        for client in clients {
            let plans = query::allocation_plans(world, client);
            for plan in &plans {
                let sum: Percent = plan.instruments.iter().map(|share| share.percent).sum();
                let whole = sum == Percent::WHOLE;
                self.ensure(whole, 35, world.now(), || format!("the shares of plan {} make {sum:?}", plan.id));
                let same = plans.iter().filter(|other| other.account == plan.account).count();
                self.ensure(same == 1, 36, world.now(), || format!("account {} has {same} plans", plan.account));
            }
        }
    }
}

/// The journey that an account came from.
pub(crate) fn made_by(world: &World, account: AccountId) -> Option<JourneyId> {
    query::standing(world, account).and_then(|standing| standing.journey)
}

fn status_claim(id: JourneyId, state: State) -> Claim {
    Claim::Journey(id, vec![("status", Fact::Text(state.name().to_owned()))])
}
