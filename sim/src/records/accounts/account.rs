//! An investment account, its owner, its positions and the bank accounts its owner has connected.
//!
//! Invariant: `balance` and positions are written by the ledger alone; `reserved` fields are what accepted orders will
//! take once they are booked. Absent on purpose: market values, which change without the account changing.

use crate::identity::{AccountRef, InstrumentId, OrganisationNumber, PersonalNumber};
use crate::ids::{AccountId, ClientId, LookupKey, SortedId};
use crate::machines::Current;
use crate::machines::account::State;
use crate::money::{Amount, Units};
use crate::records::{BankAccount, Stamp};
use crate::time::{Date, Instant};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The kinds of account the platform opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum AccountType {
    /// Investment savings account; natural persons only (rule: accounts/account-types).
    Isk,
    /// Ordinary custody account.
    Depot,
    /// Endowment insurance; the insurer is the legal owner of the units.
    Insurance,
}

impl AccountType {
    /// Every type.
    pub const ALL: [Self; 3] = [Self::Isk, Self::Depot, Self::Insurance];

    /// The public word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Isk => "isk",
            Self::Depot => "depot",
            Self::Insurance => "insurance",
        }
    }
}

/// The public words for the state of an account (rule: accounts/approval).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum AccountStatus {
    /// Created, waiting for approval.
    Pending,
    /// Open for business.
    Active,
    /// The application was refused.
    Rejected,
    /// Waiting for further signatures.
    Confirm,
    /// Being closed, or closed when `deleted` is set.
    Closing,
}

impl From<State> for AccountStatus {
    fn from(state: State) -> Self {
        match state {
            State::Pending | State::PendingDeleted => Self::Pending,
            State::Active => Self::Active,
            State::Rejected | State::RejectedDeleted => Self::Rejected,
            State::Confirm | State::ConfirmDeleted => Self::Confirm,
            State::Closing | State::Closed => Self::Closing,
        }
    }
}

/// Investment service under which the account is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ServiceType {
    /// Discretionary portfolio management.
    PortfolioManagement,
    /// Investment advice.
    InvestmentAdvise,
    /// Execution only.
    ExecutionOnly,
}

impl ServiceType {
    /// Every service.
    pub const ALL: [Self; 3] = [Self::PortfolioManagement, Self::InvestmentAdvise, Self::ExecutionOnly];

    /// The public word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PortfolioManagement => "portfolioManagement",
            Self::InvestmentAdvise => "investmentAdvise",
            Self::ExecutionOnly => "executionOnly",
        }
    }
}

/// MiFID II client classification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Category {
    /// Retail: most protection; the default (rule: accounts/category).
    Retail,
    /// Professional.
    Pro,
}

impl Category {
    /// Every category.
    pub const ALL: [Self; 2] = [Self::Retail, Self::Pro];

    /// The public word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Retail => "retail",
            Self::Pro => "pro",
        }
    }
}

/// Who owns an account.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Owner {
    /// A person.
    NaturalPerson(NaturalPerson),
    /// A company, foundation, association.
    LegalEntity(Arc<LegalEntity>),
}

/// The identity under which a client knows an owner; bank accounts hang on (client, owner)
/// (rule: bank/bank-account-identity).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum OwnerKey {
    /// A person's number.
    Ssn(PersonalNumber),
    /// An organisation's number.
    Crn(OrganisationNumber),
}

impl LookupKey for OwnerKey {}

/// A natural person as owner.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NaturalPerson {
    /// Given name.
    pub first_name: Arc<str>,
    /// Family name.
    pub last_name: Arc<str>,
    /// Twelve-digit personal number.
    pub ssn: PersonalNumber,
}

/// A legal entity as owner.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LegalEntity {
    /// Registered name.
    pub name: Arc<str>,
    /// Company registration number, ten digits.
    pub crn: OrganisationNumber,
    /// Legal form, free text on read (rule: accounts/owners).
    pub form: Option<Arc<str>>,
    /// ISO 3166-1 alpha-2.
    pub registration_country: Option<Arc<str>>,
    /// Country codes.
    pub countries_of_taxation: Option<Vec<Arc<str>>>,
    /// Registered address.
    pub address: Option<Address>,
    /// Whom to call.
    pub contact_person: Option<ContactPerson>,
    /// All of these must sign together (rule: accounts/signatory-groups).
    pub signatories: Vec<Signatory>,
}

/// Postal address of a legal entity.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Address {
    /// Street and number.
    pub street_address: Arc<str>,
    /// Postal code.
    pub zip_code: Arc<str>,
    /// Town.
    pub city: Arc<str>,
    /// Country.
    pub country: Arc<str>,
}

/// Contact person of a legal entity.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ContactPerson {
    /// Full name.
    pub name: Arc<str>,
    /// Telephone.
    pub phone: Arc<str>,
    /// E-mail.
    pub email: Arc<str>,
}

/// Somebody who may sign for a legal entity.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Signatory {
    /// Full name.
    pub name: Arc<str>,
    /// Personal number.
    pub ssn: PersonalNumber,
    /// E-mail, when known.
    pub email: Option<Arc<str>>,
}

impl Owner {
    /// The number under which this owner is known.
    #[must_use]
    pub fn key(&self) -> OwnerKey {
        match self {
            Self::NaturalPerson(person) => OwnerKey::Ssn(person.ssn),
            Self::LegalEntity(entity) => OwnerKey::Crn(entity.crn),
        }
    }

    /// Whether `ssn` may act for this owner: the person itself, or one signatory (rule: orders/executor).
    #[must_use]
    pub fn may_be_executed_by(&self, ssn: PersonalNumber) -> bool {
        match self {
            Self::NaturalPerson(person) => person.ssn == ssn,
            Self::LegalEntity(entity) => entity.signatories.iter().any(|s| s.ssn == ssn),
        }
    }
}

/// What an account holds of one fund.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Position {
    /// The fund.
    pub instrument: InstrumentId,
    /// Settled units plus and minus unsettled, non-aborted ones (rule: money/units-and-settled-units).
    pub units: Units,
    /// Net of settled fund transactions.
    pub settled: Units,
    /// Acquisition cost of the settled units in SEK, 12 decimals; `gav` is `cost / settled`
    /// (rule: money/average-acquisition-value).
    #[serde(with = "crate::money::exact")]
    pub cost: Decimal,
    /// Units that accepted redemptions will take once booked (rule: money/reservations).
    pub reserved: Units,
}

impl Position {
    /// An empty position in `instrument`.
    #[must_use]
    pub const fn empty(instrument: InstrumentId) -> Self {
        Self { instrument, units: Units::ZERO, settled: Units::ZERO, cost: Decimal::ZERO, reserved: Units::ZERO }
    }

    /// Units a new redemption may use (rule: money/reservations).
    #[must_use]
    pub fn sellable(&self) -> Units {
        self.units - self.reserved
    }

    /// Whether nothing of it is left to show or to track.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.units.is_zero() && self.settled.is_zero() && self.reserved.is_zero()
    }
}

/// An investment account.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Account {
    /// Public id.
    pub id: AccountId,
    /// Position in listings.
    pub sorted_id: SortedId,
    /// Unique account number, usable as OCR reference (rule: money/account-ref).
    pub reference: AccountRef,
    /// Managing client.
    pub client: ClientId,
    /// Display name.
    pub name: Arc<str>,
    /// ISK, depot or insurance.
    pub account_type: AccountType,
    /// Investment service.
    pub service_type: ServiceType,
    /// MiFID II classification.
    pub category: Category,
    /// Legal or beneficial owner.
    pub owner: Arc<Owner>,
    /// The owner's bank accounts with this client, oldest first.
    pub bank_accounts: Arc<Vec<Arc<BankAccount>>>,
    /// Place in the table.
    pub state: Current<State>,
    /// When it was deleted; its public word then stays as it was (rule: accounts/deleted-accounts).
    pub deleted: Option<Instant>,
    /// Cash free for use: settled credits minus all non-aborted debits (rule: money/balance).
    pub balance: Amount,
    /// Lifetime sum of settled `deposit` and `transfer_in`, corrections of payouts aside
    /// (rule: money/lifetime-amounts).
    pub deposited: Amount,
    /// Lifetime sum of non-aborted `withdrawal` and `transfer_out`, less bounced payouts.
    pub withdrawn: Amount,
    /// One entry a held instrument, ordered by instrument id.
    pub positions: Vec<Position>,
    /// Cash that accepted orders will take once booked (rule: money/reservations).
    pub reserved: Amount,
    /// Sum of unsettled, non-aborted subscription transactions; part of the value (rule: money/value).
    pub subscribed: Amount,
    /// Last day on which the KYC answers hold; orders after it go to `hold` (rule: accounts/kyc-renewal).
    pub kyc_valid_until: Date,
    /// Whether the owner has answered the appropriateness question (rule: securities/complex-funds).
    pub fund_knowledge: bool,
    /// Creation and change.
    pub stamp: Stamp,
}

impl Account {
    /// The public word for its state.
    #[must_use]
    pub fn status(&self) -> AccountStatus {
        AccountStatus::from(*self.state)
    }

    /// Whether business can be done.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.state == State::Active
    }

    /// Cash a new subscription or withdrawal may use (rule: money/reservations).
    #[must_use]
    pub fn spendable(&self) -> Amount {
        self.balance - self.reserved
    }

    /// Whether everything that its readers see and that prices do not move is as in `other`: reservations and what the
    /// world knows of KYC are not shown.
    #[must_use]
    pub(crate) fn shows_the_same_as(&self, other: &Self) -> bool {
        let shown = |account: &Self| {
            let held = account.positions.iter().filter(|held| !held.units.is_zero() || !held.settled.is_zero());
            held.map(|held| (held.instrument, held.units, held.settled, held.cost)).collect::<Vec<_>>()
        };
        (self.status(), self.deleted, &self.name) == (other.status(), other.deleted, &other.name)
            && (self.balance, self.deposited, self.withdrawn) == (other.balance, other.deposited, other.withdrawn)
            && self.bank_accounts == other.bank_accounts
            && shown(self) == shown(other)
    }

    /// The position in `instrument`, if any.
    #[must_use]
    pub fn position(&self, instrument: InstrumentId) -> Option<&Position> {
        self.positions.binary_search_by(|p| p.instrument.cmp(&instrument)).ok().map(|at| &self.positions[at])
    }

    /// The position in `instrument`, made empty if there was none.
    pub fn position_mut(&mut self, instrument: InstrumentId) -> &mut Position {
        let at = match self.positions.binary_search_by(|p| p.instrument.cmp(&instrument)) {
            Ok(at) => at,
            Err(at) => {
                self.positions.insert(at, Position::empty(instrument));
                at
            }
        };
        &mut self.positions[at]
    }
}
