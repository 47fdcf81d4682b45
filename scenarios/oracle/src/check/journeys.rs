//! Laws of journeys (27 to 30): their paths, callbacks, endings and results.
//!
//! Invariant: knows the table of journeys a second time, as pairs of words.

use super::{Acts, Cause, Claim, Ends, Fact, Judge, Law, updates};
use crate::model::outcomes::{self, Person};
use crate::model::words::{Word as _, listed, or_none, word_or_none};
use crate::model::{AccountFile, JourneyFile, asks_kyc, opens_account};
use sim::command::{Command, CreateJourney, Purgeable};
use sim::event::{Delta, Event};
use sim::identity::InstrumentId;
use sim::ids::{AccountId, JourneyId};
use sim::machines::bank_account;
use sim::machines::journey::State;
use sim::money::Percent;
use sim::outbox::Callback;
use sim::records::{
    AccountStatus, AccountType, Answers, ErrorCode, Journey, JourneyResult, JourneyStep, JourneyType, Owner,
    SubmissionStatus,
};
use sim::time::Instant;
use sim::{World, query};
use std::sync::Arc;

/// Moves from one status to another (rule: journeys/opening, journeys/error-codes).
const MOVES: &[(State, State)] = &[
    (State::New, State::Pending),
    (State::New, State::Error),
    (State::New, State::Expired),
    (State::Pending, State::Complete),
    (State::Pending, State::Canceled),
    (State::Pending, State::Error),
    (State::Pending, State::Expired),
];

impl Judge {
    /// A journey was started: new, with the time and the texts it was given.
    pub(super) fn journey_started(&mut self, now: Instant, create: &CreateJourney, journey: &Arc<Journey>) {
        let (id, kind) = (journey.id, create.configuration.journey_type);
        let expiry = self.model.journey_expiry(kind, now);
        let file = JourneyFile {
            client: create.scope.client,
            kind,
            state: State::New,
            expiry,
            scope: create.partner_data.clone(),
            url: Arc::clone(&create.callback_url),
            last: Arc::clone(journey),
            ended: None,
            callbacks: 0,
            accounts: Vec::new(),
            purged: false,
            agreed: None,
        };
        let known = self.model.journeys.insert(id, file);
        self.ensure(known.is_none(), Law::Identity, now, || format!("two journeys have the id {id}"));
        self.next_sorted(4, journey.sorted_id, now);
        self.created_now(now, &journey.stamp, || format!("journey {id}"));
        let asked = journey.client == create.scope.client
            && *journey.configuration == create.configuration
            && (&journey.redirect_url, &journey.completion_redirect_url)
                == (&create.redirect_url, &create.completion_redirect_url);
        self.ensure(asked, Law::RefusalsChangeNothing, now, || format!("journey {id} is not what was asked for"));
        self.ensure(journey.expiry == expiry, Law::JourneyPath, now, || {
            format!("journey {id} expires {}, not {expiry}", journey.expiry)
        });
        self.model.expect_journey(id);
        self.touched_journeys.push(id);
    }

    pub(super) fn on_journey(&mut self, world: &World, event: &Event, delta: &Delta<Journey>) {
        let (at, journey) = (event.at, delta.latest());
        let id = journey.id;
        self.touched_journeys.push(id);
        self.ensure(event.client == Some(journey.client), Law::Isolation, at, || {
            format!("journey {id}: an event was sent to another client")
        });
        match delta {
            Delta::Created(_) => {
                self.fail(Law::EventCorrespondence, at, || format!("journey {id} sent an event of its start"), None)
            }
            Delta::Updated { previous, current } => self.journey_moved(world, at, previous, current),
            Delta::Deleted(last) => {
                let asked = self.acts == Acts::Purges(Purgeable::Journey(id)) && last.state.is_terminal();
                self.ensure(asked, Law::JourneyPath, at, || format!("journey {id}, {}, was purged", last.state.name()));
                if let Some(file) = self.model.journeys.get_mut(&id) {
                    // A purged journey says so itself, and that it was changed.
                    Arc::make_mut(&mut file.last).stamp.touch(at);
                    file.purged = true;
                }
            }
        }
    }

    /// Laws 27, 38 and 41: the status goes a way of the table, by whom and when it may.
    fn journey_moved(&mut self, world: &World, at: Instant, previous: &Arc<Journey>, current: &Arc<Journey>) {
        let (id, to) = (current.id, current.state);
        let Some(file) = self.model.journeys.get_mut(&id) else {
            return self.fail(
                Law::EventCorrespondence,
                at,
                || format!("journey {id} changed before it was started"),
                None,
            );
        };
        let purged = file.purged;
        let (from, known, expiry) = (file.state, std::mem::replace(&mut file.last, Arc::clone(current)), file.expiry);
        file.state = *to;
        if from != *to && to.is_terminal() && file.ended.is_none() {
            file.ended = Some(Arc::clone(current));
        }
        self.ensure(!purged, Law::EventCorrespondence, at, || format!("journey {id} was updated after it was purged"));
        let continues = updates::shown(previous) == updates::shown(&known) && previous.result == known.result;
        self.ensure(continues, Law::EventCorrespondence, at, || {
            format!("journey {id}: an update began where no update had ended")
        });
        self.changed_now(at, &previous.stamp, &current.stamp, || format!("journey {id}"));
        if from != *to && !MOVES.contains(&(from, *to)) {
            let what = || format!("journey {id} went from {} to {}", from.name(), to.name());
            return self.fail(Law::JourneyPath, at, what, Some(status_claim(id, from)));
        }
        let due = match (&self.cause, self.acts) {
            (Cause::Clock, _) if from == *to => to == State::Complete,
            (Cause::Clock, _) => to == State::Expired && at == expiry,
            (_, Acts::Journey(acting, _)) => acting == id,
            (_, Acts::Checks(..)) => from == *to && to == State::Complete,
            _ => false,
        };
        self.ensure(due, Law::JourneyPath, at, || {
            format!("journey {id} became {} at {at}, unasked and not due", to.name())
        });
        if from != *to && to.is_terminal() {
            self.met.note_if(Law::JourneyPath, to != State::Complete);
            if matches!(self.acts, Acts::Journey(_, Ends::Refuses)) {
                self.refused_to_sign(at, current);
            }
            let wrong = self.wrong_ending(at, current);
            self.ensure(wrong.is_none(), Law::JourneyPath, at, || {
                format!("journey {id}: {}", wrong.unwrap_or_default())
            });
        }
        if from != *to && to == State::Complete {
            if let (JourneyType::SignWithdrawal, Some(account)) =
                (current.journey_type(), current.configuration.account)
            {
                self.model.grants.entry(account).or_default().push(at);
            }
            self.completed(world, at, current);
        }
    }

    /// Law 27: what is signed is what was agreed to, by what the customer has answered (rule: journeys/steps-in-order). Nothing is known
    /// where a lever has walked the rest.
    pub(super) fn agreement_holds(&mut self, world: &World, command: &Command) {
        let (id, agrees) = match command {
            Command::AnswerStep { journey, step, .. } => (*journey, *step == JourneyStep::Agreement),
            Command::SignJourney { journey, .. } => (*journey, false),
            Command::CompleteJourney { journey, .. } => {
                self.model.journeys.entry(*journey).and_modify(|file| file.agreed = None);
                return;
            }
            _ => return,
        };
        let Some(journey) = query::journey_by_link(world, id) else { return };
        let is_earlier = |step: &JourneyStep| place_of(*step) < place_of(JourneyStep::Agreement);
        let mut answered: Vec<_> =
            journey.progress.answers.iter().filter(|(step, _)| is_earlier(step)).cloned().collect();
        answered.sort_unstable_by_key(|(step, _)| place_of(*step));
        let complete = *journey.state == State::Complete;
        let Some(file) = self.model.journeys.get_mut(&id) else { return };
        if agrees {
            file.agreed = Some(answered);
        } else if let Some(agreed) = file.agreed.take_if(|_| complete) {
            let differs = |(step, answers): &&(JourneyStep, Arc<Answers>)| {
                agreed.iter().find(|(known, _)| known == step).is_none_or(|(_, known)| known != answers)
            };
            let other = answered.iter().find(differs).map(|(step, _)| step.name());
            self.ensure(other.is_none(), Law::JourneyPath, world.now(), || {
                format!(
                    "journey {id} was signed after `{}` had changed since it was agreed to",
                    other.unwrap_or_default()
                )
            });
        }
    }

    /// Who refuses to sign before having done so leaves no account behind that still waits for it.
    fn refused_to_sign(&mut self, at: Instant, journey: &Journey) {
        let Some(account) = self.model.signed_for(journey.id) else { return };
        let waits = self
            .model
            .accounts
            .get(&account)
            .is_some_and(|file| file.last.status() == AccountStatus::Confirm && file.last.deleted.is_none());
        let signer = journey.progress.signer;
        let signed = self.model.journeys.values().any(|file| {
            let done = file.state == State::Complete && file.last.submission == journey.submission;
            done && file.last.progress.signer == signer
        });
        self.ensure(signed || !waits, Law::AccountPath, at, || {
            format!("account {account} waits for a signature that was refused")
        });
    }

    /// Whether an application needs no signature of this person any more: it was given before, or the account was refused
    /// (rule: journeys/submissions).
    fn signs_too_late(&self, journey: &Journey) -> bool {
        let kind = journey.journey_type();
        let signer = journey.progress.signer;
        let complete = self.model.journeys.values().filter(|file| {
            let is_other = file.last.id != journey.id && file.state == State::Complete;
            is_other && journey.submission.is_some() && file.last.submission == journey.submission
        });
        let account = self.model.signed_for(journey.id).and_then(|id| self.model.accounts.get(&id));
        let is_refused = account.is_some_and(|file| file.last.status() == AccountStatus::Rejected);
        match kind {
            JourneyType::SignSubmission => {
                is_refused || complete.map(|file| file.last.progress.signer).any(|other| other == signer)
            }
            // The first signature opens the account.
            JourneyType::CreateLegalEntityAccount => complete.map(|file| file.kind).any(|other| other == kind),
            _ => false,
        }
    }

    /// What is wrong with the way a journey has ended, if anything is: the code that is due, where the person left.
    fn wrong_ending(&self, at: Instant, journey: &Journey) -> Option<String> {
        let ends = match self.acts {
            Acts::Journey(_, ends) => ends,
            _ => Ends::Walks,
        };
        let signer = journey.progress.signer.or(journey.configuration.ssn);
        let person = signer.map_or(Person::Plain, outcomes::person);
        let target = journey.configuration.account.and_then(|account| self.model.accounts.get(&account));
        let gives_bank = journey.journey_type() == JourneyType::AddBankAccount;
        let gone = target.is_some_and(|file| {
            let takes = file.last.status() == AccountStatus::Active || (gives_bank && file.is_closing());
            !takes || file.last.deleted.is_some_and(|deleted| deleted <= at)
        }) || journey.submission.is_some();
        let code = journey.error_code;
        let company = self.company_code(journey);
        let fits = match *journey.state {
            State::Expired => code.is_none(),
            State::Canceled => {
                let refused = matches!(ends, Ends::Refuses) && journey.context == Some(JourneyStep::Signing);
                (matches!(ends, Ends::Leaves) || refused) && code == Some(ErrorCode::User)
            }
            State::Error => match ends {
                Ends::Fails(asked) => code == Some(asked),
                Ends::FailsToSign => match journey.context {
                    Some(JourneyStep::Authentication) => code == Some(ErrorCode::Auth),
                    _ => code == Some(ErrorCode::Sign),
                },
                _ => {
                    code == person.code()
                        || (company.is_some() && code == company)
                        || (gone && code == Some(ErrorCode::Other))
                }
            },
            State::Complete if company.is_some() || self.signs_too_late(journey) => false,
            // Nobody signs for money that has no place to go to.
            State::Complete
                if journey.journey_type() == JourneyType::SignWithdrawal
                    && target.is_none_or(|file| !file.last.bank_accounts.iter().any(|bank| bank.validated)) =>
            {
                false
            }
            State::Complete => match person {
                Person::FailsAuthentication | Person::FailsSigning | Person::FailsOtherwise => false,
                Person::FailsKyc => !asks_kyc(journey.journey_type()),
                Person::TransferRefused => !requires_transfer(journey),
                _ => true,
            },
            State::New | State::Pending => true,
        };
        let left = matches!(*journey.state, State::Canceled | State::Error);
        let fits = fits && journey.context.is_some() == left;
        (!fits).then(|| {
            format!(
                "it ended {} at step {} with {} after {ends} by {person}",
                journey.state.word(),
                word_or_none(journey.context),
                word_or_none(code)
            )
        })
    }

    /// The code with which the register ends the journey of a company, if it does (rule: accounts/company-register).
    fn company_code(&self, journey: &Journey) -> Option<ErrorCode> {
        let described = journey.progress.of(JourneyStep::AccountDetails).and_then(|answers| answers.one("crn"));
        let owned = journey.configuration.account.and_then(|id| self.model.accounts.get(&id));
        let owned = owned.and_then(|file| match file.last.owner.as_ref() {
            Owner::LegalEntity(entity) if journey.journey_type() == JourneyType::KycRenewal => Some(entity.crn),
            _ => None,
        });
        let crn = described.map(str::to_owned).or_else(|| owned.map(|crn| crn.to_string()))?;
        outcomes::company(&crn)
    }

    /// The result of a completed journey names what the journey has made.
    fn completed(&mut self, world: &World, at: Instant, journey: &Journey) {
        let id = journey.id;
        let Some(result) = journey.result.clone() else { return };
        let made = self.model.journeys.get(&id).map(|file| file.accounts.clone()).unwrap_or_default();
        if let Some(account) =
            made.first().copied().or(journey.configuration.account).filter(|_| result.savings_plan.is_some())
        {
            self.model.saves(world, account, at);
        }
        let kind = journey.journey_type();
        let account = result.account.as_ref().map(|account| account.id);
        let opened = match kind {
            JourneyType::CreateAccount | JourneyType::CreateLegalEntityAccount => {
                made.len() == 1 && account == made.first().copied()
            }
            JourneyType::SignSubmission => {
                let complete = result.submission.is_some_and(|filed| filed.status == SubmissionStatus::Complete);
                made.is_empty() && account.is_some() == complete && result.submission.is_some()
            }
            _ => made.is_empty() && account.is_none(),
        };
        self.ensure(opened, Law::AccountsComeFromJourneys, at, || {
            format!("journey {id} names account {}, it opened {}", or_none(account), listed(&made))
        });
        if let Some((shown, file)) =
            result.account.as_ref().and_then(|shown| Some((shown, self.model.accounts.get(&shown.id)?)))
        {
            let last = Arc::clone(&file.last);
            let same = (shown.status, shown.account_type, shown.service_type)
                == (last.status(), last.account_type, last.service_type);
            self.ensure(same, Law::AccountsComeFromJourneys, at, || {
                let got = [shown.status.word(), shown.account_type.word(), shown.service_type.word()];
                let due = [last.status().word(), last.account_type.word(), last.service_type.word()];
                format!("journey {id} says of its account: {}, expected: {}", listed(got), listed(due))
            });
        }
        let bare = matches!(kind, JourneyType::SignWithdrawal | JourneyType::KycRenewal);
        self.ensure(!bare || *result == JourneyResult::default(), Law::JourneyPath, at, || {
            format!("journey {id} has a result")
        });
        let connects = kind != JourneyType::AddBankAccount || result.bank_accounts.is_some();
        if let (JourneyType::AddBankAccount, Some(account)) = (kind, journey.configuration.account) {
            self.model.bank_account_given(account);
        }
        self.ensure(connects, Law::JourneyPath, at, || format!("journey {id} connected no bank account"));
        if let (JourneyType::KycRenewal, Some(account)) = (kind, journey.configuration.account) {
            if let Some(file) = self.model.accounts.get(&account).map(|file| Arc::clone(&file.last)) {
                self.model.know_company(&file, journey);
            }
            self.model.know_answers(world, account, journey);
            self.model.renew_kyc(world, account, at);
            self.touch_account(account);
        }
    }

    /// Law 28: one callback, with the state at the end, at that instant, to the address that was given.
    pub(super) fn on_callback(&mut self, callback: &Callback) {
        let (id, state) = (callback.journey, callback.body.state);
        self.touched_journeys.push(id);
        let Some(file) = self.model.journeys.get_mut(&id) else {
            return self.fail(
                Law::OneCallback,
                callback.at,
                || format!("a callback names journey {id}, which is unknown"),
                None,
            );
        };
        file.callbacks += 1;
        let (times, ended, client, url) = (file.callbacks, file.ended.clone(), file.client, Arc::clone(&file.url));
        if times > 1 {
            let claim = Claim::Callback(id, state.name());
            self.fail(Law::OneCallback, callback.at, || format!("journey {id} has {times} callbacks"), Some(claim));
        }
        let same = ended.as_ref().is_some_and(|ended| {
            updates::shown(ended) == updates::shown(&callback.body)
                && ended.result == callback.body.result
                && ended.stamp.modified == callback.at
        });
        self.ensure(same, Law::OneCallback, callback.at, || {
            let ended = word_or_none(ended.map(|ended| *ended.state));
            format!("the callback of journey {id} says {}, it ended {ended}; or its body is another", state.word())
        });
        self.ensure(callback.client == client && callback.url == url, Law::OneCallback, callback.at, || {
            format!("the callback of journey {id} goes to {}", callback.url)
        });
        let first = self.callbacks.insert(callback.id);
        self.met.note_if(Law::OneCallback, state != State::Complete);
        self.ensure(first, Law::OneCallback, callback.at, || format!("two callbacks have the id {}", callback.id));
    }

    /// What can be read of a journey (laws 27 to 29).
    pub(super) fn check_journey(&mut self, world: &World, id: JourneyId) {
        let now = world.now();
        let Some(journey) = query::journey_by_link(world, id).cloned() else {
            return self.fail(Law::EventCorrespondence, now, || format!("journey {id} cannot be read"), None);
        };
        let Some(file) = self.model.journeys.get(&id).cloned() else { return };
        let state = journey.state;
        if journey.result.is_some() != (state == State::Complete) {
            let what = || {
                let with = if journey.result.is_some() { "a" } else { "no" };
                format!("journey {id} is {} with {with} result", state.word())
            };
            let claimed = if state == State::Complete { None } else { Some(("result", Fact::Null)) };
            self.fail(Law::JourneyPath, now, what, Some(Claim::Journey(id, claimed.into_iter().collect())));
        }
        let failed = matches!(*state, State::Canceled | State::Error);
        self.ensure(journey.error_code.is_some() == failed, Law::JourneyPath, now, || {
            format!("journey {id} is {} with error code {}", state.word(), word_or_none(journey.error_code))
        });
        self.ensure(journey.scope == file.scope, Law::Scope, now, || {
            format!("journey {id} has another scope than it got")
        });
        let is_same = updates::shown(&journey) == updates::shown(&file.last)
            && journey.result == file.last.result
            && (journey.deleted.is_some() || journey.stamp == file.last.stamp);
        self.ensure(is_same, Law::EventCorrespondence, now, || format!("journey {id} differs from its events"));
        let due = u32::from(failed || state == State::Complete);
        self.ensure(file.callbacks == due, Law::OneCallback, now, || {
            format!("journey {id}, {}, has {} callbacks", state.name(), file.callbacks)
        });
        if let Some(ended) = &file.ended {
            let same = updates::shown(&journey) == updates::shown(ended) && journey.progress == ended.progress;
            let claim = Some(status_claim(id, *ended.state));
            if !same {
                self.fail(
                    Law::JourneyPath,
                    now,
                    || format!("journey {id} changed after it was {}", ended.state.name()),
                    claim,
                );
            }
        }
        if !file.purged {
            self.check_result(world, &journey);
        }
    }

    /// The bank accounts of a result show their present status.
    fn check_result(&mut self, world: &World, journey: &Journey) {
        let shown = journey.result.iter().flat_map(|result| result.bank_accounts.iter().flatten());
        let wrong = shown.filter(|shown| {
            let passed = self.model.banks.get(&shown.id).map(|bank| bank.passed);
            let expected = passed.map(|passed| match passed {
                Some(true) => bank_account::State::Active,
                Some(false) => bank_account::State::Rejected,
                None => bank_account::State::Pending,
            });
            // A check that has failed by itself is noted when its instant is looked at.
            expected.is_some_and(|expected| expected != shown.status && expected != bank_account::State::Pending)
        });
        let wrong = wrong.count();
        self.ensure(wrong == 0, Law::JourneyPath, world.now(), || {
            format!("journey {} shows another status than its bank account has", journey.id)
        });
    }

    pub(super) fn journey_overdue(&mut self, at: Instant, id: JourneyId) {
        let over = self.model.journeys.get(&id).is_none_or(|file| file.state.is_terminal());
        self.ensure(over, Law::JourneyPath, at, || format!("the time of journey {id} was up at {at}"));
    }

    /// Law 30: accounts come from journeys, one from each, unless the platform opens them.
    pub(super) fn account_made(&mut self, world: &World, at: Instant, id: AccountId) {
        if self.acts == Acts::Opens {
            return;
        }
        let maker =
            made_by(world, id).filter(|maker| matches!(self.acts, Acts::Journey(acting, _) if acting == *maker));
        let Some(file) = maker.and_then(|journey| self.model.journeys.get_mut(&journey)) else {
            return self.fail(
                Law::AccountsComeFromJourneys,
                at,
                || format!("account {id} comes from no journey"),
                None,
            );
        };
        file.accounts.push(id);
        let (kind, once, journey) = (file.kind, file.accounts.len() == 1, Arc::clone(&file.last));
        self.ensure(once && opens_account(kind), Law::AccountsComeFromJourneys, at, || {
            format!("account {id} is not the only one of journey {}, `{}`", journey.id, kind.word())
        });
        self.opened_by(world, at, id, journey.id);
    }

    /// The account that a journey opens waits for whom it must, and its KYC holds as long as it may.
    fn opened_by(&mut self, world: &World, at: Instant, id: AccountId, journey: JourneyId) {
        let Some(account) = self.model.accounts.get(&id).map(|file| Arc::clone(&file.last)) else { return };
        let Some(journey) = query::journey_by_link(world, journey).cloned() else { return };
        let several = match account.owner.as_ref() {
            Owner::NaturalPerson(_) => false,
            Owner::LegalEntity(entity) => entity.signatories.len() > 1,
        };
        let waits = several || account.account_type == AccountType::Insurance;
        let rejected = journey.error_code == Some(ErrorCode::Transfer);
        self.met.note_if(Law::AccountsComeFromJourneys, rejected);
        let expected = if waits && !rejected { AccountStatus::Confirm } else { AccountStatus::Pending };
        self.ensure(account.status() == expected, Law::AccountPath, at, || {
            format!("account {id} began as {}, expected: {}", account.status().word(), expected.word())
        });
        self.model.note_owner(&account);
        self.model.know_company(&account, &journey);
        self.model.know_answers(world, id, &journey);
        let exposed = self.model.listed(&account).0 || self.model.says_exposed(id);
        self.model.start_kyc(id, at, exposed);
        self.model.expect_account(id, at);
        self.new_accounts.push(id);
    }

    /// Everything that journeys have left behind.
    pub(super) fn sweep_journeys(&mut self, world: &World) {
        let known: Vec<JourneyId> = self.model.journeys.keys().copied().collect();
        for id in known {
            self.check_journey(world, id);
            self.steps_are_shown(world, id, true);
        }
        let clients: Vec<_> = self.model.clients.keys().copied().collect();
        for client in clients {
            let plans = query::allocation_plans(world, client);
            for plan in &plans {
                let sum: Percent = plan.instruments.iter().map(|share| share.percent).sum();
                let whole = sum == Percent::WHOLE;
                self.ensure(whole, Law::WholePlans, world.now(), || {
                    format!("the shares of plan {} make {sum} %", plan.id)
                });
                let same = plans.iter().filter(|other| other.account == plan.account).count();
                self.ensure(same == 1, Law::OnePlan, world.now(), || {
                    format!("account {} has {same} plans", plan.account)
                });
                self.plan_names(plan.instruments.iter().map(|share| share.instrument), world.now());
            }
        }
        let accounts: Vec<AccountId> = self.model.accounts.keys().copied().collect();
        for account in accounts {
            let Some(plan) = query::savings_plan_of(world, account) else { continue };
            let ends = |status| matches!(status, AccountStatus::Closing | AccountStatus::Rejected);
            let lives = |file: &AccountFile| file.last.deleted.is_none() && !ends(file.last.status());
            let open = self.model.accounts.get(&account).is_some_and(lives);
            self.ensure((1..=28).contains(&plan.day), Law::OnePlan, world.now(), || {
                format!("a plan saves on day {}", plan.day)
            });
            self.plan_names(plan.instruments.iter().map(|part| part.0), world.now());
            self.ensure(open, Law::ActiveAccountsOnly, world.now(), || {
                format!("a plan of account {account} outlives it")
            });
        }
    }
}

impl Judge {
    /// No plan names a fund that has ended (rule: securities/ended-funds).
    fn plan_names(&mut self, funds: impl Iterator<Item = InstrumentId>, now: Instant) {
        for fund in funds {
            let ended = self.model.funds.get(&fund).is_none_or(|known| known.has_ended);
            self.ensure(!ended, Law::OnePlan, now, || format!("a plan names {fund}, which has ended"));
        }
    }
}

/// The journey that an account came from.
fn made_by(world: &World, account: AccountId) -> Option<JourneyId> {
    query::standing(world, account).and_then(|standing| standing.journey)
}

/// The place of a step among all steps.
fn place_of(step: JourneyStep) -> usize {
    JourneyStep::ALL.iter().position(|known| *known == step).unwrap_or_default()
}

/// Whether the configuration asks for a transfer that cannot be left out.
fn requires_transfer(journey: &Journey) -> bool {
    use sim::records::TransferEnforce::Required;
    let asked = journey.configuration.transfer.as_ref();
    asked.is_some_and(|transfer| {
        transfer.enforce == Required
            && transfer.transfers.iter().any(|from| from.accounts.iter().any(|account| account.required))
    })
}

pub(super) fn status_claim(id: JourneyId, state: State) -> Claim {
    Claim::Journey(id, vec![("status", Fact::Text(state.name().to_owned()))])
}
