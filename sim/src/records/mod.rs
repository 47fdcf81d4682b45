//! The records a world keeps: one file a resource.
//!
//! A record is what was stored, never what can be derived from something that changes without it (prices, values,
//! cut-off dates). Records sit behind `Arc` so that an event can carry the state before and after at the cost of one
//! copy. Field names follow the partner API's nouns; spelling on the wire is the surface's business.

mod account;
mod agreement;
mod bankgiro;
mod booking;
mod client;
mod company;
mod configuration;
mod corporate_action;
mod fees;
mod instruction;
mod instrument;
mod journey;
mod kyc;
mod mobile_payment;
mod order;
mod plan;
mod standing;
mod submission;
mod suspense;
mod transaction;
mod transfer;

pub use account::{
    Account, AccountStatus, AccountType, Address, BankAccount, Category, ContactPerson, LegalEntity, NaturalPerson,
    Owner, OwnerKey, Position, ServiceType, Signatory,
};
pub use agreement::{AgreementType, Signature};
pub use bankgiro::BankgiroItem;
pub use booking::{
    BookedCost, Born, CashBooking, CashRefType, CashTerms, CashType, Counts, FundBooking, FundRefType, FundTerms,
    FundType, PlatformAccount,
};
pub use client::{Client, ClientBankAccount, OwnerType, Partner, Permissions, ServiceCode, Universe};
pub use company::{
    BeneficialOwner, BoardMember, BoardRole, Company, Extract, OwnerControl, OwnerIdentity, PepAnswer, SigningRule,
};
pub(crate) use configuration::may_be_given;
pub use configuration::{
    AccountOptions, Allocation, AllocationPlanConfiguration, Autogiro, AutogiroEnforce, Configuration,
    CustodianTransfers, DepositType, FIELDS, JourneyType, Output, PartialAccountOptions, PartialAllocation,
    PartialAllocationPlan, PartialAutogiro, PartialConfiguration, PartialCustodianTransfers, PartialSavingsPlan,
    PartialTransferAccount, PartialTransferConfiguration, PartialTransferInstrument, Periodicity, Presence,
    SavingsPlanConfiguration, TransferAccount, TransferConfiguration, TransferEnforce, TransferInstrument,
    WelcomeScreen,
};
pub use corporate_action::{CorporateAct, CorporateAction, Trading};
pub use fees::{
    Ahead, Calculated, CalculatedFees, Charge, Charges, ClientFees, DueCharges, DueRefund, FeeFile, FeeMode,
    FeePayment, FeePot, FeeSale, FeeTerms, FeeType, Owed, Reckoned, Sales, Statement,
};
pub use instruction::{Instruction, InstructionType, Payment, PaymentReason, SavingsPart};
pub use instrument::{Cost, DealingDays, Instrument, KeyDocument};
pub use journey::{
    AccountResult, AllocationPlanResult, Answers, BankAccountResult, ErrorCode, Journey, JourneyResult, JourneyStep,
    Progress, SavingsPlanResult, SubmissionResult, TransferKind, TransferResult,
};
pub use kyc::{Answering, KycAnswer, KycStatus, PartialKycAnswer, Question, Questionnaire};
pub use mobile_payment::{
    MobilePayment, MobilePaymentError, MobilePaymentOutcome, MobilePaymentRefusal, MobilePaymentType, QrFormat,
};
pub use order::{Order, ParkedBy, ParkingCheck, PlacedBy, Proceeds, Side, Trade};
pub use plan::{AllocationPlan, PlanRun, PlanRunStatus, SavingsPlan};
pub use standing::{BankFile, Standing};
pub use submission::Submission;
pub use suspense::{SuspenseItem, SuspenseReason};
pub use transaction::{AbortReason, CashTransaction, FundTransaction, LedgerAccount};
pub use transfer::{Transfer, TransferOrder};

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
