//! What a complete journey produced, as its `result` shows it.
//!
//! A part that the journey did not produce is left out; `journeyType` is always there (rule: journeys/journey-result).
//! The odd lower-case `savingsplan` is the specification's (rule: journeys/journey-result).

use serde::Serialize;
use sim::machines::bank_account;
use sim::records;
use sim::settings::Settings;
use utoipa::ToSchema;

use super::number::{Money, Number};
use super::text::{CalendarDate, Iban, Id, InstrumentId};
use super::words::{AccountStatus, AccountType, ServiceType};

/// What a complete journey produced.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JourneyResult<'a> {
    journey_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    account: Option<Account>,
    /// Bank accounts that were connected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    bank_accounts: Option<Vec<BankAccount>>,
    /// One item for each account at a custodian.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    transfers: Option<Vec<Transfer<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    allocation_plan: Option<AllocationPlan>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    savingsplan: Option<SavingsPlan>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    submission: Option<Submission>,
}

/// The account, as it was at completion.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = JourneyResultAccount)]
struct Account {
    /// Left out where the world's `resultAccountId` is off.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    id: Option<Id>,
    status: AccountStatus,
    account_type: AccountType,
    service_type: ServiceType,
}

/// A bank account, with its present status.
#[derive(Serialize, ToSchema)]
#[schema(as = JourneyResultBankAccount)]
struct BankAccount {
    #[schema(value_type = String, examples("pending", "rejected", "active"))]
    status: &'static str,
    iban: Iban,
}

/// An account at a custodian whose holdings move.
#[derive(Serialize, ToSchema)]
#[schema(as = JourneyResultTransfer)]
struct Transfer<'a> {
    /// Account number at the institution.
    account: &'a str,
    /// `cash`, or `units` when units move too.
    #[schema(value_type = String, examples("cash", "units"))]
    r#type: &'static str,
}

/// How deposits are distributed from now on.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = JourneyResultAllocationPlan)]
struct AllocationPlan {
    /// Bank account that is charged, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    payment_account: Option<PaymentAccount>,
    instruments: Vec<Allocation>,
}

/// A bank account that is charged.
#[derive(Serialize, ToSchema)]
#[schema(as = JourneyResultPaymentAccount)]
struct PaymentAccount {
    iban: Iban,
}

/// A fund's share of every deposit.
#[derive(Serialize, ToSchema)]
#[schema(as = JourneyResultAllocation)]
struct Allocation {
    instrument: InstrumentId,
    /// Percent.
    allocation: Number,
}

/// What is bought every month.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = JourneyResultSavingsPlan)]
struct SavingsPlan {
    periodicity: &'static str,
    /// Day of the month.
    day: i8,
    instruments: Vec<Saving>,
    start_date: CalendarDate,
}

/// What is bought of one fund.
#[derive(Serialize, ToSchema)]
#[schema(as = JourneyResultSaving)]
struct Saving {
    instrument: InstrumentId,
    /// SEK.
    amount: Money,
}

/// Signatures of a legal entity.
#[derive(Serialize, ToSchema)]
#[schema(as = JourneyResultSubmission)]
struct Submission {
    id: Id,
    #[schema(value_type = String, examples("new", "pending", "complete", "rejected"))]
    status: &'static str,
}

impl<'a> JourneyResult<'a> {
    /// The public shape of what `journey` produced in a world with these settings; `None` unless it is complete.
    #[must_use]
    pub fn of(journey: &'a records::Journey, settings: &Settings) -> Option<Self> {
        let result = journey.result.as_deref()?;
        let records::JourneyResult { account, bank_accounts, transfers, allocation_plan, savings_plan, submission } =
            result;
        Some(Self {
            journey_type: journey.journey_type().name(),
            account: account.as_ref().map(|account| Account::of(account, settings)),
            bank_accounts: bank_accounts.as_ref().map(|all| all.iter().map(BankAccount::of).collect()),
            transfers: transfers.as_ref().map(|all| all.iter().map(Transfer::of).collect()),
            allocation_plan: allocation_plan.as_ref().map(AllocationPlan::of),
            savingsplan: savings_plan.as_ref().map(SavingsPlan::of),
            submission: submission.map(Submission::of),
        })
    }
}

impl Account {
    fn of(account: &records::AccountResult, settings: &Settings) -> Self {
        let records::AccountResult { id, status, account_type, service_type } = account;
        Self {
            id: settings.journeys.result_account_id.then(|| Id(id.as_uuid())),
            status: (*status).into(),
            account_type: (*account_type).into(),
            service_type: (*service_type).into(),
        }
    }
}

impl BankAccount {
    fn of(account: &records::BankAccountResult) -> Self {
        let records::BankAccountResult { id: _, status, iban } = account;
        let status = match status {
            bank_account::State::Pending => "pending",
            bank_account::State::Active => "active",
            bank_account::State::Rejected => "rejected",
        };
        Self { status, iban: Iban(*iban) }
    }
}

impl<'a> Transfer<'a> {
    fn of(transfer: &'a records::TransferResult) -> Self {
        let records::TransferResult { account, kind } = transfer;
        let r#type = match kind {
            records::TransferKind::Cash => "cash",
            records::TransferKind::Units => "units",
        };
        Self { account, r#type }
    }
}

impl AllocationPlan {
    fn of(plan: &records::AllocationPlanResult) -> Self {
        let records::AllocationPlanResult { payment_account, instruments } = plan;
        let share = |share: &records::Allocation| {
            let records::Allocation { instrument, percent } = share;
            Allocation { instrument: InstrumentId(*instrument), allocation: Number(percent.get()) }
        };
        Self {
            payment_account: payment_account.map(|iban| PaymentAccount { iban: Iban(iban) }),
            instruments: instruments.iter().map(share).collect(),
        }
    }
}

impl SavingsPlan {
    fn of(plan: &records::SavingsPlanResult) -> Self {
        let records::SavingsPlanResult { day, instruments, start } = plan;
        let saving =
            |(instrument, amount): &(_, _)| Saving { instrument: InstrumentId(*instrument), amount: Money(*amount) };
        Self {
            periodicity: "monthly",
            day: *day,
            instruments: instruments.iter().map(saving).collect(),
            start_date: CalendarDate(*start),
        }
    }
}

impl Submission {
    fn of(submission: records::SubmissionResult) -> Self {
        let records::SubmissionResult { id, status } = submission;
        Self { id: Id(id.as_uuid()), status: status.name() }
    }
}
