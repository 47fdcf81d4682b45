//! What a partner configures for a journey, and which type of journey takes which field
//! (rule: journeys/configuration-fields).
//!
//! Every field is optional here, and null is the same as absent: whether a field must be, may be or must not be there is
//! `FIELDS`, one row a field. Absent on purpose: checking, which is a flow.

use crate::identity::{Iban, InstrumentId, PersonalNumber};
use crate::ids::{AccountId, CustodianId, SubmissionId};
use crate::money::{Percent, Units};
use crate::partial::partly;
use crate::records::{AccountType, Category, KycAnswer, OwnerType, ServiceType};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The eight kinds of journey (rule: journeys/journey-types).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum JourneyType {
    /// Opens an account of a natural person.
    CreateAccount,
    /// Opens an account of a legal entity; its signatories sign a submission.
    CreateLegalEntityAccount,
    /// Connects a bank account.
    AddBankAccount,
    /// Signs one withdrawal.
    SignWithdrawal,
    /// Replaces the allocation plan.
    UpdateAllocationPlan,
    /// Replaces the savings plan.
    UpdateSavingsPlan,
    /// A further signatory signs a submission.
    SignSubmission,
    /// Answers the KYC questions anew.
    KycRenewal,
}

impl JourneyType {
    /// Every type, in the order of `FIELDS`.
    pub const ALL: [Self; 8] = [
        Self::CreateAccount,
        Self::CreateLegalEntityAccount,
        Self::AddBankAccount,
        Self::SignWithdrawal,
        Self::UpdateAllocationPlan,
        Self::UpdateSavingsPlan,
        Self::SignSubmission,
        Self::KycRenewal,
    ];

    /// The public name, which permissions list too.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::CreateAccount => "createAccount",
            Self::CreateLegalEntityAccount => "createLegalEntityAccount",
            Self::AddBankAccount => "addBankAccount",
            Self::SignWithdrawal => "signWithdrawal",
            Self::UpdateAllocationPlan => "updateAllocationPlan",
            Self::UpdateSavingsPlan => "updateSavingsPlan",
            Self::SignSubmission => "signSubmission",
            Self::KycRenewal => "kycRenewal",
        }
    }

    /// Whether it opens an account.
    #[must_use]
    pub const fn opens_account(self) -> bool {
        matches!(self, Self::CreateAccount | Self::CreateLegalEntityAccount)
    }

    /// Whether several people may have to sign, so that it stays open for two weeks (rule: journeys/journey-life).
    #[must_use]
    pub const fn is_long(self) -> bool {
        matches!(self, Self::CreateLegalEntityAccount | Self::SignSubmission)
    }
}

/// Whether a journey type takes a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Presence {
    /// It must be given.
    Required,
    /// It must be given when the client permits more than one value; it may be given otherwise.
    RequiredIfOpen,
    /// It may be given.
    Optional,
    /// It must be left out.
    Refused,
}

use Presence::{Optional as O, Refused as X, Required as R, RequiredIfOpen as C};

/// Whether a configuration gives a field; `None` when its value cannot be read.
pub type IsGiven = fn(&PartialConfiguration) -> Option<bool>;

fn is_given<T>(field: &Option<Option<T>>) -> Option<bool> {
    field.as_ref().map(Option::is_some)
}

/// Every field with its presence, in the order of `JourneyType::ALL`, and whether a configuration gives it.
#[rustfmt::skip]
pub const FIELDS: &[(&str, [Presence; 8], IsGiven)] = &[
    //                      create  legal  bank  with-   alloc.  savings  sub-     kyc
    //                      Account Entity Acc.  drawal  Plan    Plan     mission  Renewal
    ("accountTypes",       [R,      X,     X,    X,      X,      X,       X,       X], |it| is_given(&it.account_types)),
    ("accountServiceType", [R,      R,     X,    X,      X,      X,       X,       X], |it| is_given(&it.account_service_type)),
    ("accountCategories",  [C,      X,     X,    X,      X,      X,       X,       X], |it| is_given(&it.account_categories)),
    ("accountOptions",     [X,      R,     X,    X,      X,      X,       X,       X], |it| is_given(&it.account_options)),
    ("accountName",        [O,      O,     X,    X,      X,      X,       X,       X], |it| is_given(&it.account_name)),
    ("email",              [O,      O,     X,    X,      X,      X,       X,       X], |it| is_given(&it.email)),
    ("ssn",                [O,      O,     O,    O,      O,      O,       R,       O], |it| is_given(&it.ssn)),
    ("account",            [X,      X,     R,    R,      R,      R,       X,       R], |it| is_given(&it.account)),
    ("submission",         [X,      O,     X,    X,      X,      X,       R,       X], |it| is_given(&it.submission)),
    ("autogiro",           [O,      O,     O,    X,      X,      X,       X,       X], |it| is_given(&it.autogiro)),
    ("instruments",        [O,      O,     X,    X,      O,      O,       X,       X], |it| is_given(&it.instruments)),
    ("paymentAccount",     [O,      O,     X,    X,      O,      O,       X,       X], |it| is_given(&it.payment_account)),
    ("allocationPlan",     [O,      O,     X,    X,      O,      X,       X,       X], |it| is_given(&it.allocation_plan)),
    ("savingsPlan",        [O,      O,     X,    X,      X,      R,       X,       X], |it| is_given(&it.savings_plan)),
    ("kycs",               [O,      O,     X,    X,      X,      X,       X,       O], |it| is_given(&it.kycs)),
    ("transfer",           [O,      X,     X,    X,      X,      X,       X,       X], |it| is_given(&it.transfer)),
    ("welcomeScreen",      [O,      X,     X,    X,      X,      X,       X,       X], |it| is_given(&it.welcome_screen)),
];

partly! {
    /// What a partner configures. Which fields a type requires, allows or refuses is `FIELDS`; a field that is null
    /// or absent is `None`, and hides what it would have shown.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub struct Configuration or PartialConfiguration {
        /// Kind of journey.
        pub journey_type: JourneyType,
        /// Account types to choose from; one locks the choice.
        pub account_types: Option<Vec<AccountType>>,
        /// Investment service of the account.
        pub account_service_type: Option<ServiceType>,
        /// Categories to choose from; one locks the choice.
        pub account_categories: Option<Vec<Category>>,
        /// Name of the account; the customer does not choose one then.
        pub account_name: Option<Arc<str>>,
        /// The customer's e-mail.
        pub email: Option<Arc<str>>,
        /// Choices of a legal entity.
        pub account_options: Option<AccountOptions>,
        /// Who signs.
        pub ssn: Option<PersonalNumber>,
        /// Which account.
        pub account: Option<AccountId>,
        /// Which submission.
        pub submission: Option<SubmissionId>,
        /// Whether a mandate is wanted.
        pub autogiro: Option<Autogiro>,
        /// Funds the owner wants to buy, offered in the plans.
        pub instruments: Option<Vec<InstrumentId>>,
        /// Bank account to charge.
        pub payment_account: Option<Iban>,
        /// How deposits are distributed.
        pub allocation_plan: Option<AllocationPlanConfiguration>,
        /// Monthly purchases.
        pub savings_plan: Option<SavingsPlanConfiguration>,
        /// KYC answers known beforehand.
        pub kycs: Option<Vec<KycAnswer>>,
        /// Transfers from other custodians.
        pub transfer: Option<TransferConfiguration>,
        /// Whether a first page shows the transfer.
        pub welcome_screen: Option<WelcomeScreen>,
    }
}

impl Configuration {
    /// A configuration of `journey_type` with nothing set.
    #[must_use]
    pub const fn empty(journey_type: JourneyType) -> Self {
        Self {
            journey_type,
            account_types: None,
            account_service_type: None,
            account_categories: None,
            account_name: None,
            email: None,
            account_options: None,
            ssn: None,
            account: None,
            submission: None,
            autogiro: None,
            instruments: None,
            payment_account: None,
            allocation_plan: None,
            savings_plan: None,
            kycs: None,
            transfer: None,
            welcome_screen: None,
        }
    }
}

/// Whether an optional field is there, or cannot be read.
pub(crate) const fn may_be_given<T>(field: &Option<Option<T>>) -> bool {
    !matches!(field, Some(None))
}

partly! {
    /// The legal-entity variant of what can be chosen.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub struct AccountOptions or PartialAccountOptions {
        /// Always a legal entity.
        pub owner_type: Option<OwnerType>,
        /// Services to choose from.
        pub service_types: Option<Vec<ServiceType>>,
        /// Account types to choose from.
        pub account_types: Option<Vec<AccountType>>,
        /// Categories to choose from.
        pub account_categories: Option<Vec<Category>>,
    }
}

/// Whether the customer has to sign an autogiro mandate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum AutogiroEnforce {
    /// The journey cannot be completed without.
    Required,
    /// The customer may skip it.
    Optional,
    /// No mandate is wanted; the default.
    None,
}

partly! {
    /// Autogiro part of a configuration.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub struct Autogiro or PartialAutogiro {
        /// Whether a mandate is wanted.
        pub enforce: AutogiroEnforce,
        /// Whether the customer must connect a new bank account rather than pick one.
        pub force_new_bank_account: bool,
    }
}

/// Where the money of an allocation plan comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum DepositType {
    /// Charged by autogiro.
    Autogiro,
    /// Deposited by the customer.
    Manual,
}

impl DepositType {
    /// Every source.
    pub const ALL: [Self; 2] = [Self::Autogiro, Self::Manual];

    /// The public word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Autogiro => "autogiro",
            Self::Manual => "manual",
        }
    }
}

/// How often money is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Periodicity {
    /// Every month.
    Monthly,
    /// Once.
    Once,
}

impl Periodicity {
    /// Every rhythm.
    pub const ALL: [Self; 2] = [Self::Monthly, Self::Once];

    /// The public word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Monthly => "monthly",
            Self::Once => "once",
        }
    }
}

partly! {
    /// A fund's share of every deposit.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub struct Allocation or PartialAllocation {
        /// The fund.
        pub instrument: InstrumentId,
        /// Greater than 0.
        pub percent: Percent,
    }
}

partly! {
    /// Allocation plan part of a configuration.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub struct AllocationPlanConfiguration or PartialAllocationPlan {
        /// Fixed when given.
        pub deposit_type: Option<DepositType>,
        /// Fixed when given.
        pub periodicity: Option<Periodicity>,
        /// Bank account to charge.
        pub payment_account: Option<Iban>,
        /// Fixed allocations; the customer picks when absent.
        pub instruments: Option<Vec<Allocation>>,
    }
}

partly! {
    /// Savings plan part of a configuration.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub struct SavingsPlanConfiguration or PartialSavingsPlan {
        /// Must be monthly.
        pub periodicity: Option<Periodicity>,
        /// Funds offered; the client's universe when absent.
        pub instruments: Option<Vec<InstrumentId>>,
    }
}

/// Whether the customer may skip the transfers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum TransferEnforce {
    /// The step must be completed.
    Required,
    /// The step may be skipped.
    Optional,
}

partly! {
    /// Transfer part of a configuration.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub struct TransferConfiguration or PartialTransferConfiguration {
        /// Whether the step may be skipped.
        pub enforce: TransferEnforce,
        /// One entry a custodian; a custodian may be named again.
        pub transfers: Vec<CustodianTransfers>,
    }
}

partly! {
    /// What one custodian is to transfer.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub struct CustodianTransfers or PartialCustodianTransfers {
        /// The ceding custodian.
        pub custodian: CustodianId,
        /// Its accounts.
        pub accounts: Vec<TransferAccount>,
    }
}

/// What becomes of holdings or cash at the ceding custodian.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Output {
    /// Sold, or sent, as cash.
    Cash,
    /// Moved as units.
    Units,
    /// Left behind.
    Ignore,
}

impl Output {
    /// Every output.
    pub const ALL: [Self; 3] = [Self::Cash, Self::Units, Self::Ignore];

    /// The public word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cash => "cash",
            Self::Units => "units",
            Self::Ignore => "ignore",
        }
    }
}

partly! {
    /// One account at a ceding custodian. Every list is a choice: one entry locks it.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub struct TransferAccount or PartialTransferAccount {
        /// Read-only when given; the customer enters it otherwise.
        pub account_number: Option<Arc<str>>,
        /// Kind of the account there, and of the account here (rule: journeys/like-for-like).
        pub source_account_type: Vec<AccountType>,
        /// Whether it is closed afterwards; the customer decides when absent.
        pub close_account_and_savingsplans: Option<bool>,
        /// Whether the customer may leave it out.
        pub required: bool,
        /// Units that cannot move: `Cash` or `Ignore`.
        pub untransferable_units_output: Vec<Output>,
        /// Funds that `instruments` does not list.
        pub default_units_output: Vec<Output>,
        /// Cash there: `Cash` or `Ignore`.
        pub balance_output: Vec<Output>,
        /// Whether the customer may add funds.
        pub allow_instrument_selection: bool,
        /// Funds to move as units; all are handled by `default_units_output` when absent.
        pub instruments: Option<Vec<TransferInstrument>>,
    }
}

partly! {
    /// A fund to be moved as units.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub struct TransferInstrument or PartialTransferInstrument {
        /// The fund.
        pub instrument: InstrumentId,
        /// How many units; all when absent.
        pub units: Option<Units>,
    }
}

/// The only welcome screen there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum WelcomeScreen {
    /// It explains the transfer.
    Transfer,
}
