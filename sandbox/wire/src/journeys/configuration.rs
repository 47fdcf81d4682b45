//! What a partner configures for a journey, as it is shown back.
//!
//! Invariant: what was given comes back; what was left out stays out, except the fields that the specification calls "or
//! null", which are there wherever the journey type takes them (rule: wire/absent-and-null,
//! journeys/configuration-echo). Its schema comes from the rows that read it. Absent on purpose: which field belongs to
//! which type, and every other rule, which are the world's.

mod read;
mod transfer;

use crate::rows::shape::{Schemas, Shape as _, describe};
use crate::values::number::Number;
use crate::values::text::{Iban, Id, InstrumentId, Ssn};
use crate::words::{
    AccountType, AutogiroEnforce, Category, DepositType, JourneyType, OwnerType, Periodicity, ServiceType,
    WelcomeScreen, each,
};
use serde::Serialize;
use sim::records::{self, FIELDS, PartialConfiguration, Presence};
use std::borrow::Cow;
use std::sync::Arc;
use transfer::Transfer;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// Configuration of a journey; `read` describes it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Configuration<'a> {
    journey_type: JourneyType,
    #[serde(skip_serializing_if = "Option::is_none")]
    account_types: Option<Vec<AccountType>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    account_service_type: Option<ServiceType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    account_categories: Option<Vec<Category>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    account_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<Option<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    account_options: Option<AccountOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    submission: Option<Id>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ssn: Option<Ssn>,
    #[serde(skip_serializing_if = "Option::is_none")]
    account: Option<Id>,
    #[serde(skip_serializing_if = "Option::is_none")]
    autogiro: Option<Autogiro>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instruments: Option<Vec<Fund>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payment_account: Option<PaymentAccount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    allocation_plan: Option<Option<AllocationPlan>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    savings_plan: Option<Option<SavingsPlan>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kycs: Option<Option<Vec<KycAnswer<'a>>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transfer: Option<Option<Transfer<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    welcome_screen: Option<WelcomeScreen>,
}

/// Choices of a legal entity.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AccountOptions {
    #[serde(skip_serializing_if = "Option::is_none")]
    service_types: Option<Vec<ServiceType>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    account_types: Option<Vec<AccountType>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    account_categories: Option<Vec<Category>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner_type: Option<OwnerType>,
}

/// Whether a mandate is asked for.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Autogiro {
    enforce: AutogiroEnforce,
    force_new_bank_account: bool,
}

/// A fund.
#[derive(Serialize)]
struct Fund {
    instrument: InstrumentId,
}

/// Bank account to charge.
#[derive(Serialize)]
struct PaymentAccount {
    iban: Iban,
}

/// How deposits are distributed.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AllocationPlan {
    #[serde(skip_serializing_if = "Option::is_none")]
    deposit_type: Option<DepositType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    periodicity: Option<Periodicity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payment_account: Option<PaymentAccount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instruments: Option<Vec<Allocation>>,
}

/// A fund's share of every deposit.
#[derive(Serialize)]
struct Allocation {
    instrument: InstrumentId,
    allocation: Number,
}

/// Monthly purchases.
#[derive(Serialize)]
struct SavingsPlan {
    #[serde(skip_serializing_if = "Option::is_none")]
    periodicity: Option<Periodicity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instruments: Option<Vec<Fund>>,
}

/// An answer known beforehand.
#[derive(Serialize)]
struct KycAnswer<'a> {
    qid: &'a str,
    answer: Texts<'a>,
}

/// One text, or a list of them, as given.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = JourneyKycTexts)]
enum Texts<'a> {
    One(&'a str),
    Several(Vec<&'a str>),
}

impl PartialSchema for Configuration<'_> {
    fn schema() -> RefOr<Schema> {
        described().pop().map_or_else(RefOr::default, |(_, schema)| schema)
    }
}

impl ToSchema for Configuration<'_> {
    fn name() -> Cow<'static, str> {
        PartialConfiguration::NAME.into()
    }

    fn schemas(known: &mut Schemas) {
        known.append(&mut described());
    }
}

/// What a configuration refers to, and itself at the end.
fn described() -> Schemas {
    let mut known = Vec::new();
    describe::<PartialConfiguration>(&mut known);
    known
}

impl<'a> Configuration<'a> {
    /// The public shape of `configuration`.
    #[must_use]
    pub fn of(configuration: &'a records::Configuration) -> Self {
        let records::Configuration {
            journey_type,
            account_types,
            account_service_type,
            account_categories,
            account_name,
            email,
            account_options,
            ssn,
            account,
            submission,
            autogiro,
            instruments,
            payment_account,
            allocation_plan,
            savings_plan,
            kycs,
            transfer,
            welcome_screen,
        } = configuration;
        let kind = *journey_type;
        Self {
            journey_type: JourneyType(kind),
            account_types: account_types.as_deref().map(each),
            account_service_type: account_service_type.map(ServiceType),
            account_categories: account_categories.as_deref().map(each),
            account_name: account_name.as_deref(),
            email: takes(kind, "email", email.as_deref()),
            account_options: account_options.as_ref().map(AccountOptions::of),
            submission: submission.map(|submission| Id(submission.as_uuid())),
            ssn: ssn.map(Ssn),
            account: account.map(|account| Id(account.as_uuid())),
            autogiro: autogiro.as_ref().map(Autogiro::of),
            instruments: instruments.as_deref().map(funds),
            payment_account: payment_account.map(PaymentAccount::of),
            allocation_plan: takes(kind, "allocationPlan", allocation_plan.as_ref().map(AllocationPlan::of)),
            savings_plan: takes(kind, "savingsPlan", savings_plan.as_ref().map(SavingsPlan::of)),
            kycs: takes(kind, "kycs", kycs.as_ref().map(|kycs| kycs.iter().map(KycAnswer::of).collect())),
            transfer: takes(kind, "transfer", transfer.as_ref().map(Transfer::of)),
            welcome_screen: welcome_screen.map(WelcomeScreen),
        }
    }
}

/// A field that may be null: shown whenever it is given, or the type takes it.
fn takes<T>(kind: records::JourneyType, field: &str, value: Option<T>) -> Option<Option<T>> {
    let column = records::JourneyType::ALL.iter().position(|known| *known == kind);
    let row = FIELDS.iter().find(|row| row.0 == field);
    let refused = row.zip(column).is_none_or(|(row, column)| row.1[column] == Presence::Refused);
    (value.is_some() || !refused).then_some(value)
}

fn funds(instruments: &[sim::identity::InstrumentId]) -> Vec<Fund> {
    instruments.iter().map(|instrument| Fund { instrument: InstrumentId(*instrument) }).collect()
}

impl AccountOptions {
    fn of(options: &records::AccountOptions) -> Self {
        let records::AccountOptions { owner_type, service_types, account_types, account_categories } = options;
        Self {
            service_types: service_types.as_deref().map(each),
            account_types: account_types.as_deref().map(each),
            account_categories: account_categories.as_deref().map(each),
            owner_type: owner_type.map(OwnerType),
        }
    }
}

impl Autogiro {
    fn of(autogiro: &records::Autogiro) -> Self {
        let records::Autogiro { enforce, force_new_bank_account } = autogiro;
        Self { enforce: AutogiroEnforce(*enforce), force_new_bank_account: *force_new_bank_account }
    }
}

impl PaymentAccount {
    fn of(iban: sim::identity::Iban) -> Self {
        Self { iban: Iban(iban) }
    }
}

impl AllocationPlan {
    fn of(plan: &records::AllocationPlanConfiguration) -> Self {
        let records::AllocationPlanConfiguration { deposit_type, periodicity, payment_account, instruments } = plan;
        let share = |share: &records::Allocation| {
            let records::Allocation { instrument, percent } = share;
            Allocation { instrument: InstrumentId(*instrument), allocation: Number(percent.get()) }
        };
        Self {
            deposit_type: deposit_type.map(DepositType),
            periodicity: periodicity.map(Periodicity),
            payment_account: payment_account.map(PaymentAccount::of),
            instruments: instruments.as_ref().map(|shares| shares.iter().map(share).collect()),
        }
    }
}

impl SavingsPlan {
    fn of(plan: &records::SavingsPlanConfiguration) -> Self {
        let records::SavingsPlanConfiguration { periodicity, instruments } = plan;
        Self { periodicity: periodicity.map(Periodicity), instruments: instruments.as_deref().map(funds) }
    }
}

impl<'a> KycAnswer<'a> {
    fn of(kyc: &'a records::KycAnswer) -> Self {
        let records::KycAnswer { qid, answer, is_list } = kyc;
        let answer = match answer.as_slice() {
            [one] if !is_list => Texts::One(one),
            several => Texts::Several(several.iter().map(Arc::as_ref).collect()),
        };
        Self { qid, answer }
    }
}
