//! What a complete journey produced, as its `result` shows it.
//!
//! A part that the journey did not produce is left out; `journeyType` is always there (rule: journeys/journey-result).
//! The odd lower-case `savingsplan` is the specification's (rule: journeys/journey-result).

use serde::Serialize;
use sim::identity;
use sim::machines::bank_account;
use sim::money::Amount;
use sim::records;
use sim::settings::Settings;
use utoipa::ToSchema;

use crate::rows::shown::shown;
use crate::values::number::{Money, Number};
use crate::values::shows::Shows;
use crate::values::text::{CalendarDate, Iban, Id, InstrumentId};
use crate::words::{AccountStatus, AccountType, ServiceType};

shown! {
    /// Result of a complete journey.
    pub JourneyResult<'a> of records::JourneyResult, with journey_type: records::JourneyType, settings: &Settings {
        also kind: &'static str = "journeyType" by journey_type.name();
        account: Account = optional "account" by account.as_ref().map(|account| Account::of(account, settings));
        /// Bank accounts that were connected.
        bank_accounts: Vec<BankAccount> = optional "bankAccounts";
        /// One item for each account at a custodian.
        transfers: Vec<Transfer<'a>> = optional "transfers";
        allocation_plan: AllocationPlan = optional "allocationPlan";
        savings_plan: SavingsPlan = optional "savingsplan";
        submission: Submission = optional "submission";
    }
}

shown! {
    /// The account, as it was at completion.
    #[schema(as = JourneyResultAccount)]
    Account of records::AccountResult, with settings: &Settings {
        /// Left out where the world's `resultAccountId` is off.
        id: Id = optional "id" by settings.journeys.result_account_id.then(|| Id(id.as_uuid()));
        status: AccountStatus = "status";
        account_type: AccountType = "accountType";
        service_type: ServiceType = "serviceType";
    }
}

shown! {
    /// A bank account, with its present status.
    #[schema(as = JourneyResultBankAccount)]
    BankAccount of records::BankAccountResult {
        #[schema(value_type = String, examples("pending", "rejected", "active"))]
        status: &'static str = "status" by match status {
            bank_account::State::Pending => "pending",
            bank_account::State::Active => "active",
            bank_account::State::Rejected => "rejected",
        };
        iban: Iban = "iban";
        hidden id;
    }
}

shown! {
    /// An account at a custodian whose holdings are transferred.
    #[schema(as = JourneyResultTransfer)]
    Transfer<'a> of records::TransferResult {
        /// Account number at the institution.
        account: &'a str = "account";
        /// `cash`, or `units` when units move too.
        #[schema(value_type = String, examples("cash", "units"))]
        kind: &'static str = "type" by match kind {
            records::TransferKind::Cash => "cash",
            records::TransferKind::Units => "units",
        };
    }
}

shown! {
    /// How deposits are distributed from now on.
    #[schema(as = JourneyResultAllocationPlan)]
    AllocationPlan of records::AllocationPlanResult {
        /// Bank account that is charged, if any.
        payment_account: PaymentAccount = optional "paymentAccount";
        instruments: Vec<Allocation> = "instruments";
    }
}

/// A bank account that is charged.
#[derive(Serialize, ToSchema)]
#[schema(as = JourneyResultPaymentAccount)]
struct PaymentAccount {
    iban: Iban,
}

impl Shows<'_, identity::Iban> for PaymentAccount {
    fn shown(iban: &identity::Iban) -> Self {
        Self { iban: Iban(*iban) }
    }
}

shown! {
    /// A fund's share of every deposit.
    #[schema(as = JourneyResultAllocation)]
    Allocation of records::Allocation {
        instrument: InstrumentId = "instrument";
        /// Percent.
        percent: Number = "allocation";
    }
}

shown! {
    /// Monthly purchases.
    #[schema(as = JourneyResultSavingsPlan)]
    SavingsPlan of records::SavingsPlanResult {
        also periodicity: &'static str = "periodicity" by "monthly";
        /// Day of the month.
        day: i8 = "day";
        instruments: Vec<Saving> = "instruments";
        start: CalendarDate = "startDate";
    }
}

/// Monthly amount for one fund.
#[derive(Serialize, ToSchema)]
#[schema(as = JourneyResultSaving)]
struct Saving {
    instrument: InstrumentId,
    /// SEK.
    amount: Money,
}

impl Shows<'_, (identity::InstrumentId, Amount)> for Saving {
    fn shown(&(instrument, amount): &(identity::InstrumentId, Amount)) -> Self {
        Self { instrument: InstrumentId(instrument), amount: Money(amount) }
    }
}

shown! {
    /// Signatures of a legal entity.
    #[schema(as = JourneyResultSubmission)]
    Submission of records::SubmissionResult {
        id: Id = "id";
        #[schema(value_type = String, examples("new", "pending", "complete", "rejected"))]
        status: &'static str = "status" by status.name();
    }
}

/// What `journey` produced, in a world with these settings; `None` unless it is complete.
#[must_use]
pub fn of_journey<'a>(journey: &'a records::Journey, settings: &Settings) -> Option<JourneyResult<'a>> {
    let result = journey.result.as_deref()?;
    Some(JourneyResult::of(result, journey.journey_type(), settings))
}
