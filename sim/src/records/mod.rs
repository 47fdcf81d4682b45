//! The records a world keeps: by topic, one file a resource.
//!
//! A record is what was stored, never what can be derived from something that changes without it (prices, values,
//! cut-off dates). Records sit behind `Arc` so that an event can carry the state before and after at the cost of one
//! copy. Field names follow the partner API's nouns; spelling on the wire is the surface's business.

mod accounts;
mod bank;
mod clients;
mod fees;
mod journeys;
mod orders;
mod payments;
mod plans;
mod securities;

pub use accounts::account::{
    Account, AccountStatus, AccountType, Address, Category, ContactPerson, LegalEntity, NaturalPerson, Owner, OwnerKey,
    Position, ServiceType, Signatory,
};
pub use accounts::agreement::{AgreementType, Signature};
pub use accounts::booking::{
    BookedCost, Born, CashBooking, CashRefType, CashTerms, CashType, Counts, FundBooking, FundRefType, FundTerms,
    FundType, PlatformAccount,
};
pub use accounts::company::{
    BeneficialOwner, BoardMember, BoardRole, Company, Extract, OwnerControl, OwnerIdentity, PepAnswer, SigningRule,
};
pub use accounts::kyc::{Answering, KycAnswer, KycStatus, PartialKycAnswer, Question, Questionnaire};
pub use accounts::standing::{AccountOrigin, BankFile};
pub use accounts::submission::Submission;
pub use accounts::transaction::{AbortReason, CashTransaction, FundTransaction, LedgerAccount};
pub use bank::BankAccount;
pub use clients::{Client, ClientBankAccount, OwnerType, Partner, Permissions, ServiceCode, Universe};
pub use fees::{
    Ahead, Calculated, CalculatedFees, Charge, Charges, ClientFees, DueCharges, DueRefund, FeeFile, FeeMode,
    FeePayment, FeePot, FeeSale, FeeTerms, FeeType, Owed, Reckoned, Sales, Statement,
};
pub(crate) use journeys::configuration::may_be_given;
pub use journeys::configuration::{
    AccountOptions, Allocation, AllocationPlanConfiguration, Autogiro, AutogiroEnforce, Configuration,
    CustodianTransfers, DepositType, FIELDS, JourneyType, Output, PartialAccountOptions, PartialAllocation,
    PartialAllocationPlan, PartialAutogiro, PartialConfiguration, PartialCustodianTransfers, PartialSavingsPlan,
    PartialTransferAccount, PartialTransferConfiguration, PartialTransferInstrument, Periodicity, Presence,
    SavingsPlanConfiguration, TransferAccount, TransferConfiguration, TransferEnforce, TransferInstrument,
    WelcomeScreen,
};
pub use journeys::journey::{
    AccountResult, AllocationPlanResult, Answers, BankAccountResult, ErrorCode, Journey, JourneyResult, JourneyStep,
    Progress, SavingsPlanResult, SubmissionResult, TransferKind, TransferResult,
};
pub use orders::{Order, ParkedBy, ParkingCheck, PlacedBy, Proceeds, Side, Trade};
pub use payments::bankgiro::BankgiroItem;
pub use payments::instruction::{Instruction, InstructionType, Payment, PaymentReason, SavingsPart};
pub use payments::mobile::{
    MobilePayment, MobilePaymentError, MobilePaymentOutcome, MobilePaymentRefusal, MobilePaymentType, QrFormat,
};
pub use payments::suspense::{SuspenseItem, SuspenseReason};
pub use plans::{AllocationPlan, PlanRun, PlanRunStatus, SavingsPlan};
pub use securities::corporate_action::{CorporateAct, CorporateAction, Trading};
pub use securities::instrument::{Cost, DealingDays, Instrument, KeyDocument};
pub use securities::transfer::{Transfer, TransferOrder};

pub use crate::machines::mandate::State as MandateStatus;
pub use crate::machines::submission::State as SubmissionStatus;

use crate::partial::undivided;
use crate::time::Instant;
use serde::{Deserialize, Serialize};

undivided! {
    AccountType, AutogiroEnforce, Category, ClientBankAccount, DepositType, InstructionType, JourneyType, Output, OwnerType, Periodicity,
    Proceeds, ServiceType, Side, TransferEnforce, WelcomeScreen,
}

/// When a record came to be, when a stored field last changed, and how often it has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stamp {
    /// The instant of creation.
    pub created: Instant,
    /// The instant of the last change of a stored field; never decreases (invariant 38).
    pub modified: Instant,
    /// 0 at creation, one more with every change; part of the event's public id (rule: events/event-id).
    pub revision: u32,
}

impl Stamp {
    /// A stamp for a record that comes to be at `now`.
    #[must_use]
    pub const fn new(now: Instant) -> Self {
        Self { created: now, modified: now, revision: 0 }
    }

    /// Notes a change of a stored field at `now`.
    pub const fn touch(&mut self, now: Instant) {
        self.modified = now;
        self.revision += 1;
    }
}
