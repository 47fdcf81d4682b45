//! What journeys have set in motion and others must answer: accounts that wait, bank accounts under check, mandates,
//! transfers, and the journeys themselves.
//!
//! Invariant: what happens next by itself is noted with its instant, and the instants are the model's own. Absent on
//! purpose: what is kept of each (`journey_files`).

use super::books::{Item, Model};
use super::calendar;
use super::journey_files::{BankFile, TransferFile};
use super::outcomes::{self, Person};
use sim::identity::PersonalNumber;
use sim::ids::{AccountId, BankAccountId, JourneyId, TransferId};
use sim::machines::transfer::State as TransferState;
use sim::records::{
    Account, AccountStatus, BankAccount, Journey, JourneyStep, JourneyType, MandateStatus, Owner, OwnerKey, Transfer,
};
use sim::time::Instant;
use std::cmp::Reverse;
use std::sync::Arc;

impl Model {
    /// The account to which a `signSubmission` journey adds a signature.
    pub(crate) fn signed_for(&self, journey: JourneyId) -> Option<AccountId> {
        let signing = self.journeys.get(&journey).filter(|file| file.kind == JourneyType::SignSubmission)?;
        let submission = signing.last.submission?;
        let openers = self.journeys.values().filter(|file| {
            file.kind == JourneyType::CreateLegalEntityAccount && file.last.submission == Some(submission)
        });
        openers.flat_map(|file| &file.accounts).next().copied()
    }

    /// When the link of a journey started now stops working.
    #[must_use]
    pub fn journey_expiry(&self, kind: JourneyType, now: Instant) -> Instant {
        let settings = &self.settings.journeys;
        match kind {
            JourneyType::CreateLegalEntityAccount | JourneyType::SignSubmission => {
                at_nine_after(now, settings.long_journey_days)
            }
            _ => now.plus(settings.journey_life),
        }
    }

    /// Everybody whose listing counts for an account beside its owner's own number.
    #[must_use]
    pub fn people(&self, account: &Account) -> Vec<PersonalNumber> {
        let mut people = match account.owner.as_ref() {
            Owner::NaturalPerson(person) => vec![person.ssn],
            Owner::LegalEntity(entity) => entity.signatories.iter().map(|one| one.ssn).collect(),
        };
        people.extend(self.companies.get(&account.id).into_iter().flatten().copied());
        people
    }

    /// Whether the owner of an account or somebody of its company is on the list of politically exposed people, and on
    /// that of sanctions.
    #[must_use]
    pub fn listed(&self, account: &Account) -> (bool, bool) {
        let people = self.people(account).into_iter().map(OwnerKey::Ssn);
        let all = people.chain([account.owner.key()]);
        all.fold((false, false), |(exposed, sanctioned), key| {
            let known = self.screened.get(&key).copied().unwrap_or_else(|| Self::listed_by_number(key));
            (exposed || known.0, sanctioned || known.1)
        })
    }

    /// The people of an account are on the lists that their numbers name, unless somebody was screened before.
    pub fn note_owner(&mut self, account: &Account) {
        for key in self.people(account).into_iter().map(OwnerKey::Ssn) {
            let found = Self::listed_by_number(key);
            if found != (false, false) {
                self.screened.entry(key).or_insert(found);
            }
        }
    }

    /// Whether a listing of that number counts for an account.
    #[must_use]
    pub fn concerns(&self, owner: OwnerKey, account: &Account) -> bool {
        account.owner.key() == owner || self.people(account).into_iter().any(|ssn| OwnerKey::Ssn(ssn) == owner)
    }

    /// Notes who a company's people are, as the customer of a journey has confirmed them.
    pub fn know_company(&mut self, account: &Account, journey: &Journey) {
        if !matches!(*account.owner, Owner::LegalEntity(_)) {
            return;
        }
        let company = journey.progress.of(JourneyStep::Company).into_iter().flat_map(|answers| &answers.0);
        let owners = journey.progress.of(JourneyStep::BeneficialOwners).into_iter().flat_map(|answers| &answers.0);
        let named = company.filter(|(name, _)| matches!(name.as_ref(), "board" | "signatories" | "cosignatories"));
        let owning = owners.filter(|(name, _)| name.ends_with("].ssn"));
        // A line of the board ends with the number.
        let number = |text: &Arc<str>| PersonalNumber::parse(text.rsplit(' ').next().unwrap_or_default()).ok();
        let people = named.chain(owning).flat_map(|(_, texts)| texts).filter_map(number).collect();
        self.companies.insert(account.id, people);
        self.note_owner(account);
    }

    /// What a number alone says of its owner.
    #[must_use]
    pub fn listed_by_number(owner: OwnerKey) -> (bool, bool) {
        match owner {
            OwnerKey::Ssn(ssn) => {
                (outcomes::person(ssn) == Person::Exposed, outcomes::person(ssn) == Person::Sanctioned)
            }
            OwnerKey::Crn(_) => (false, false),
        }
    }

    /// Notes what an account that a journey has opened waits for since `now`.
    pub fn expect_account(&mut self, id: AccountId, now: Instant) {
        let Some(account) = self.accounts.get(&id).map(|file| Arc::clone(&file.last)) else { return };
        let settings = &self.settings.journeys;
        let due = match account.status() {
            _ if account.deleted.is_some() => None,
            AccountStatus::Pending => {
                let never = outcomes::any(&account.owner, Person::NeverApproved);
                (!never).then(|| now.plus(settings.approval_delay))
            }
            AccountStatus::Confirm => Some(at_nine_after(now, settings.confirm_days)),
            AccountStatus::Active | AccountStatus::Rejected | AccountStatus::Closing => None,
        };
        let Some(file) = self.accounts.get_mut(&id) else { return };
        file.waits_until = due;
        if let Some(at) = due {
            self.note_due(at, Item::Account(id));
        }
    }

    /// What becomes of an account that has waited long enough.
    #[must_use]
    pub fn after_waiting(&self, account: &Account) -> AccountStatus {
        let sanctioned = self.listed(account).1;
        match account.status() {
            AccountStatus::Pending if !sanctioned => AccountStatus::Active,
            _ => AccountStatus::Rejected,
        }
    }

    /// A bank account that was connected now by a journey, or was there before.
    pub fn new_bank(&mut self, bank: &Arc<BankAccount>, account: AccountId, connected: Option<Instant>) {
        let decides = outcomes::check_passes(&bank.iban).is_some();
        let check_at = connected.filter(|_| decides && !bank.validated);
        let check_at = check_at.map(|now| now.plus(self.settings.journeys.account_check_delay));
        let passed = bank.validated.then_some(true);
        let file = BankFile { last: Arc::clone(bank), account, passed, check_at, answer_at: None };
        self.banks.insert(bank.id, file);
        if let Some(at) = check_at {
            self.note_due(at, Item::Check(bank.id));
        }
    }

    /// The bank has answered on a mandate that no account shows: no event follows, and nothing more is due.
    pub fn advised_unseen(&mut self, id: BankAccountId, code: &str) {
        let Some(bank) = self.banks.get(&id).filter(|bank| !self.is_shown(bank)) else { return };
        let waits_on = outcomes::advised(*bank.last.mandate, code) == Some(MandateStatus::Pending);
        if let Some(bank) = self.banks.get_mut(&id).filter(|_| !waits_on) {
            bank.answer_at = None;
        }
    }

    /// Whether a client that was not forgotten has an account that shows the bank account: only there its changes cause
    /// events.
    #[must_use]
    pub fn is_shown(&self, bank: &BankFile) -> bool {
        self.accounts.get(&bank.account).is_some_and(|file| !self.forgotten.contains(&file.last.client))
    }

    /// A mandate was signed now.
    pub fn expect_mandate(&mut self, id: BankAccountId, now: Instant) {
        let Some(bank) = self.banks.get_mut(&id) else { return };
        let (_, bank_days) = outcomes::mandate(&bank.last.iban, &self.settings.journeys);
        let at = outcomes::bank_days_on(now, bank_days, 8);
        bank.answer_at = Some(at);
        self.note_due(at, Item::Mandate(id));
    }

    /// A transfer that has just been ordered; it waits for its account.
    pub fn new_transfer(&mut self, transfer: &Transfer) {
        let Some(account) = self.accounts.get(&transfer.account) else { return };
        let refused = outcomes::any(&account.last.owner, Person::TransferRefused)
            && matches!(*account.last.owner, sim::records::Owner::NaturalPerson(_));
        let file = TransferFile {
            account: transfer.account,
            state: TransferState::New,
            since: transfer.stamp.created,
            due: None,
            refused,
            delivery: None,
        };
        self.transfers.insert(transfer.id, file);
    }

    /// The account of transfers is active now, or will never be: they are sent, or canceled.
    pub fn account_settled(&mut self, account: AccountId, status: AccountStatus, now: Instant) {
        let days = self.settings.journeys.transfer_send_bank_days;
        for file in self.transfers.values_mut().filter(|file| file.account == account) {
            match (status, file.state) {
                (AccountStatus::Active, TransferState::New) => {
                    file.due = Some((outcomes::bank_days_on(now, days, 9), TransferState::Sent));
                }
                (AccountStatus::Active, _) => {}
                (_, TransferState::New | TransferState::Sent) => file.move_to(TransferState::Canceled, now, None),
                _ => {}
            }
        }
    }

    /// Lets a transfer's instants up to `now` pass.
    pub fn roll_transfer(&mut self, id: TransferId, now: Instant) {
        while let Some((at, state)) = self.transfers.get(&id).and_then(|file| file.due).filter(|due| due.0 <= now) {
            self.move_transfer(id, state, at);
        }
    }

    /// A transfer moves.
    pub fn move_transfer(&mut self, id: TransferId, state: TransferState, at: Instant) {
        let settings = &self.settings.journeys;
        let (accept, complete) = (settings.transfer_accept_bank_days, settings.transfer_complete_bank_days);
        let Some(file) = self.transfers.get_mut(&id) else { return };
        let due = match state {
            TransferState::Sent => {
                let answer = if file.refused { TransferState::Rejected } else { TransferState::Accepted };
                Some((outcomes::bank_days_on(at, accept, 9), answer))
            }
            TransferState::Accepted => Some((outcomes::bank_days_on(at, complete, 9), TransferState::Completed)),
            _ => None,
        };
        file.move_to(state, at, due);
    }

    fn note_due(&mut self, at: Instant, item: Item) {
        self.agenda.push(Reverse((at, item)));
    }

    /// Notes when the time of a journey is up.
    pub fn expect_journey(&mut self, id: JourneyId) {
        if let Some(expiry) = self.journeys.get(&id).map(|file| file.expiry) {
            self.note_due(expiry, Item::Journey(id));
        }
    }
}

/// At 09:00, so many days after the day of an instant: what days that name no time of day mean.
fn at_nine_after(now: Instant, days: u32) -> Instant {
    let day = calendar::local_day(now) + i32::try_from(days).unwrap_or(0);
    calendar::at_local(day, 9, 0)
}

/// Whether a mandate can be signed.
#[must_use]
pub const fn can_sign(mandate: MandateStatus) -> bool {
    matches!(mandate, MandateStatus::Missing | MandateStatus::Invalid)
}
