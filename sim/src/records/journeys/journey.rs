//! A journey: a hosted, time-limited flow that an end customer walks, and what it produced.
//!
//! Invariant: `result` is set if and only if the journey is complete; `error_code` if and only if it was canceled or
//! failed (invariant 27). The configuration never changes after creation. Absent on purpose: the link's secret token,
//! which belongs to the surface, and labels, which belong to the pages.

use crate::identity::{Iban, InstrumentId, PersonalNumber};
use crate::ids::{AccountId, BankAccountId, ClientId, JourneyId, SortedId, SubmissionId};
use crate::machines::Current;
use crate::machines::bank_account;
use crate::machines::journey::State;
use crate::money::Amount;
use crate::records::{
    AccountStatus, AccountType, Allocation, Configuration, JourneyType, Questionnaire, ServiceType, Stamp,
    SubmissionStatus,
};
use crate::time::{Date, Instant};
use crate::timers::TimerKey;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A page of a journey; its name is the `context` of an exit (rule: journeys/error-codes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum JourneyStep {
    /// Says what is going to happen.
    Welcome,
    /// Electronic identity.
    Authentication,
    /// Type, category, name; the company of a legal-entity account.
    AccountDetails,
    /// What the register says of the company.
    Company,
    /// Who owns or controls the company.
    BeneficialOwners,
    /// Know your customer.
    Kyc,
    /// Transfers from other custodians.
    Transfer,
    /// Bank account and autogiro mandate.
    BankAccount,
    /// How deposits are distributed.
    AllocationPlan,
    /// Monthly purchases.
    SavingsPlan,
    /// What will be signed.
    Agreement,
    /// Electronic signature.
    Signing,
}

impl JourneyStep {
    /// Every step, in the order in which journeys show them.
    pub const ALL: [Self; 12] = [
        Self::Welcome,
        Self::Authentication,
        Self::AccountDetails,
        Self::Company,
        Self::BeneficialOwners,
        Self::Kyc,
        Self::Transfer,
        Self::BankAccount,
        Self::AllocationPlan,
        Self::SavingsPlan,
        Self::Agreement,
        Self::Signing,
    ];

    /// What its fields are called; a field about one fund or one transfer has more in its name (`allocation.FUND`,
    /// `transfers[0].accounts[0].selected`, `owners[0].fullName`, `pep.NUMBER`).
    #[must_use]
    pub fn asks(self) -> Vec<&'static str> {
        match self {
            Self::Welcome | Self::Signing => Vec::new(),
            Self::Authentication => vec!["ssn", "firstName", "lastName"],
            Self::AccountDetails => vec![
                "accountType",
                "category",
                "accountName",
                "email",
                "serviceType",
                "signatories",
                "crn",
                "companyName",
            ],
            Self::Company => vec![
                "registeredName",
                "legalForm",
                "address",
                "board",
                "signing",
                "signatories",
                "cosignatories",
                "confirmed",
            ],
            Self::BeneficialOwners => {
                vec!["none", "fullName", "ssn", "birthDate", "country", "share", "control"]
            }
            Self::Kyc => {
                let person = Questionnaire::Person.questions().iter().map(|question| question.qid);
                let company = Questionnaire::Company.questions().iter().map(|question| question.qid);
                person.chain(company.filter(|qid| Questionnaire::Person.question(qid).is_none())).collect()
            }
            Self::Transfer => vec![
                "skip",
                "selected",
                "accountNumber",
                "sourceAccountType",
                "closeAccountAndSavingsplans",
                "untransferableUnitsOutput",
                "defaultUnitsOutput",
                "balanceOutput",
                "instruments",
            ],
            Self::BankAccount => vec!["skip", "bankAccount", "iban", "name", "mandate"],
            Self::AllocationPlan => vec!["depositType", "periodicity", "allocation"],
            Self::SavingsPlan => vec!["amount", "day", "startDate"],
            Self::Agreement => vec!["accept"],
        }
    }

    /// The public name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Welcome => "welcome",
            Self::Authentication => "authentication",
            Self::AccountDetails => "accountDetails",
            Self::Company => "company",
            Self::BeneficialOwners => "beneficialOwners",
            Self::Kyc => "kyc",
            Self::Transfer => "transfer",
            Self::BankAccount => "bankAccount",
            Self::AllocationPlan => "allocationPlan",
            Self::SavingsPlan => "savingsPlan",
            Self::Agreement => "agreement",
            Self::Signing => "signing",
        }
    }

    /// The step of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.name() == name)
    }
}

/// Why a journey ended without completing (callback `error.code`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ErrorCode {
    /// The end customer aborted.
    User,
    /// The end customer could not be authenticated.
    Auth,
    /// The KYC process refused.
    Kyc,
    /// A required transfer was refused; the account is rejected.
    Transfer,
    /// Signing failed.
    Sign,
    /// Unspecified.
    Other,
}

impl ErrorCode {
    /// Every code.
    pub const ALL: [Self; 6] = [Self::User, Self::Auth, Self::Kyc, Self::Transfer, Self::Sign, Self::Other];

    /// The public word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::User => "USER_ERROR",
            Self::Auth => "AUTH_ERROR",
            Self::Kyc => "KYC_ERROR",
            Self::Transfer => "TRANSFER_ERROR",
            Self::Sign => "SIGN_ERROR",
            Self::Other => "OTHER_ERROR",
        }
    }
}

/// What a person filled in: field name to one or several texts, in order of entry. Names are those of
/// `query::FieldView`; a form and a script give the same shape.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Answers(pub Vec<(Arc<str>, Vec<Arc<str>>)>);

impl Answers {
    /// The first text of a field, if it has one that is not blank.
    #[must_use]
    pub fn one(&self, name: &str) -> Option<&str> {
        self.many(name).first().map(AsRef::as_ref).filter(|text| !text.trim().is_empty())
    }

    /// All texts of a field.
    #[must_use]
    pub fn many(&self, name: &str) -> &[Arc<str>] {
        self.0.iter().find(|(known, _)| known.as_ref() == name).map_or(&[], |(_, values)| values.as_slice())
    }

    /// Whether the field was filled in at all.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known.as_ref() == name)
    }

    /// Sets a field.
    pub fn set(&mut self, name: impl Into<Arc<str>>, values: Vec<Arc<str>>) {
        let name = name.into();
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = values,
            None => self.0.push((name, values)),
        }
    }

    /// These answers with one more field of one text.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.set(name, vec![Arc::from(value)]);
        self
    }
}

/// How far the customer has come. Answers are kept a step, so that going back loses nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Progress {
    /// Accepted answers, by step.
    pub answers: Vec<(JourneyStep, Arc<Answers>)>,
    /// Who has authenticated.
    pub signer: Option<PersonalNumber>,
}

impl Progress {
    /// The accepted answers of a step.
    #[must_use]
    pub fn of(&self, step: JourneyStep) -> Option<&Arc<Answers>> {
        self.answers.iter().find(|(known, _)| *known == step).map(|(_, answers)| answers)
    }

    /// Keeps the answers of a step.
    pub fn keep(&mut self, step: JourneyStep, answers: Arc<Answers>) {
        match self.answers.iter_mut().find(|(known, _)| *known == step) {
            Some((_, old)) => *old = answers,
            None => self.answers.push((step, answers)),
        }
    }

    /// Drops the answers of a step, which has to be answered again.
    pub fn forget(&mut self, step: JourneyStep) {
        self.answers.retain(|(known, _)| *known != step);
    }
}

/// What a complete journey produced; a part it did not produce is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct JourneyResult {
    /// The account, as it was at completion.
    pub account: Option<AccountResult>,
    /// Bank accounts, with their present status (rule: journeys/journey-result).
    pub bank_accounts: Option<Vec<BankAccountResult>>,
    /// Transfers, one an account at a custodian.
    pub transfers: Option<Vec<TransferResult>>,
    /// The allocation plan.
    pub allocation_plan: Option<AllocationPlanResult>,
    /// The savings plan.
    pub savings_plan: Option<SavingsPlanResult>,
    /// The submission, as it was at completion.
    pub submission: Option<SubmissionResult>,
}

/// An account in a result.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AccountResult {
    /// Extra key that links journey and account (rule: journeys/result-account-id).
    pub id: AccountId,
    /// Status at completion.
    pub status: AccountStatus,
    /// Kind.
    pub account_type: AccountType,
    /// Service.
    pub service_type: ServiceType,
}

/// A bank account in a result.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BankAccountResult {
    /// Which one; not public.
    pub id: BankAccountId,
    /// Present status.
    pub status: bank_account::State,
    /// ISO 13616.
    pub iban: Iban,
}

/// What a transfer brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum TransferKind {
    /// Cash only.
    Cash,
    /// Units, and perhaps cash.
    Units,
}

/// A transfer in a result.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TransferResult {
    /// Account number at the custodian.
    pub account: Arc<str>,
    /// What it brings.
    pub kind: TransferKind,
}

/// An allocation plan in a result.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AllocationPlanResult {
    /// Bank account that is charged, if any.
    pub payment_account: Option<Iban>,
    /// Shares.
    pub instruments: Vec<Allocation>,
}

/// A savings plan in a result.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SavingsPlanResult {
    /// Day of the month.
    pub day: i8,
    /// Amount a fund, SEK.
    pub instruments: Vec<(InstrumentId, Amount)>,
    /// First day on which it may run.
    pub start: Date,
}

/// A submission in a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SubmissionResult {
    /// Which one.
    pub id: SubmissionId,
    /// Status at completion.
    pub status: SubmissionStatus,
}

/// A journey.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Journey {
    /// Public id.
    pub id: JourneyId,
    /// Position in listings.
    pub sorted_id: SortedId,
    /// Client that started it.
    pub client: ClientId,
    /// What was configured.
    pub configuration: Arc<Configuration>,
    /// Place in the table.
    pub state: Current<State>,
    /// When the link stops working.
    pub expiry: Instant,
    /// Submission that a legal-entity journey created or that this journey signs.
    pub submission: Option<SubmissionId>,
    /// Receives one POST at the end.
    pub callback_url: Arc<str>,
    /// Back to the partner's app after mobile signing.
    pub redirect_url: Option<Arc<str>>,
    /// Where the browser goes after completion.
    pub completion_redirect_url: Option<Arc<str>>,
    /// Partner data, echoed byte for byte.
    pub scope: Option<Arc<str>>,
    /// Why it ended, unless complete or expired.
    pub error_code: Option<ErrorCode>,
    /// Where the customer left, unless complete or expired.
    pub context: Option<JourneyStep>,
    /// What it produced.
    pub result: Option<Arc<JourneyResult>>,
    /// When it was purged.
    pub deleted: Option<Instant>,
    /// Creation and change.
    pub stamp: Stamp,
    /// How far the customer has come; not public.
    pub progress: Arc<Progress>,
    /// The timer of its expiry.
    pub timer: Option<TimerKey>,
}

impl Journey {
    /// Its type.
    #[must_use]
    pub fn journey_type(&self) -> JourneyType {
        self.configuration.journey_type
    }
}
