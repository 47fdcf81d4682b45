//! What must be read of each resource: every field, by its name and how it is printed.
//!
//! Owns: one table a resource. Invariant: the tables are written from the specification and the rules, from records of the
//! world alone, the status of payments from the model; nothing of the surface is used, so that a mistake there shows. Absent
//! on purpose: the secret in a journey's link, which only the server knows.

mod account;
mod alike;
mod journey;
mod print;
mod value;

pub(super) use account::account;
pub(super) use alike::{is_text_of, take_links};
pub(super) use journey::journey;
pub(super) use oracle::model::words::Word;
pub(super) use value::Readable;

use oracle::model::Status;
use oracle::model::money_files::{ExpectedInstruction, Instructed, meaning};
use print::{body, constant, count, day, decimal, flag, list, moment, money, or_null, text, text_of, word, words};
use sim::World;
use sim::event::{Change, Delta, Event};
use sim::money::Price;
use sim::query::{DailyReturn, InstrumentView, KycView, WithdrawalLimits};
use sim::records::{
    AllocationPlan, CashTransaction, Client, FundTransaction, Instruction, Journey, LedgerAccount, MobilePayment,
    Order, Payment, Permissions, PlanRun, PlanRunStatus, PlatformAccount, SavingsPlan, Transfer,
};
use sim::time::Date;
use std::sync::Arc;

/// What an event shows: the resource as it is and as it was; `None` for an event about instruments, which has no such parts.
pub(super) fn payload(world: &World, event: &Event) -> Option<Readable> {
    Some(match &event.change {
        Change::Account(it) => before_and_after(it, |it| account(world, it, event.at)),
        Change::Order(it) => before_and_after(it, order),
        Change::CashTransaction(it) => before_and_after(it, cash),
        Change::FundTransaction(it) => before_and_after(it, units),
        Change::Journey(it) => before_and_after(it, |it| journey(world, it)),
        Change::Client(it) => before_and_after(it, client),
        Change::InstrumentsReloaded(_) => return None,
    })
}

fn before_and_after<T>(delta: &Delta<T>, of: impl Fn(&T) -> Readable) -> Readable {
    let (current, previous) = match delta {
        Delta::Created(current) => (Some(current), None),
        Delta::Updated { previous, current } => (Some(current), Some(previous)),
        Delta::Deleted(previous) => (None, Some(previous)),
    };
    body([("current", current.map(|it| of(it))), ("previous", previous.map(|it| of(it)))])
}

/// What is posted when a journey ended.
pub(super) fn callback(world: &World, it: &Journey) -> Readable {
    let error =
        it.error_code.map(|code| body([("code", word(code)), ("journeyType", word(it.configuration.journey_type))]));
    body([
        ("id", text(it.id)),
        ("status", word(*it.state)),
        ("context", or_null(it.context.and_then(word))),
        ("error", error),
        ("scope", or_null(text_of(it.scope.as_deref()))),
        ("result", or_null(journey::result(world, it))),
    ])
}

/// An order.
pub(super) fn order(it: &Order) -> Readable {
    body([
        ("id", text(it.id)),
        ("sortedId", text(it.sorted_id)),
        ("orderType", word(it.side)),
        ("status", constant(Status::of(*it.state).word())),
        ("account", text(it.account)),
        ("clientId", text(it.client)),
        ("clientRef", text_of(it.client_ref.as_deref())),
        ("executorRef", text_of(it.executor)),
        ("instrument", text(it.instrument)),
        ("amount", it.amount.and_then(money)),
        ("units", it.units.and_then(|units| decimal(units.get()))),
        ("createdDate", moment(it.stamp.created)),
        ("modifiedDate", moment(it.stamp.modified)),
        ("canceledDate", it.canceled.and_then(moment)),
    ])
}

/// A cash transaction.
pub(super) fn cash(it: &CashTransaction) -> Readable {
    body([
        ("id", text(it.id)),
        ("sortedId", text(it.sorted_id)),
        ("transactionType", word(it.kind)),
        ("aborted", flag(it.aborted.is_some())),
        ("abortedReason", it.aborted.and_then(word)),
        ("ref", text_of(it.reference.as_deref())),
        ("refType", word(it.ref_type)),
        ("clientRef", text_of(it.client_ref.as_deref())),
        ("executorRef", text_of(it.executor)),
        ("debitAccount", side(it.debit)),
        ("creditAccount", side(it.credit)),
        ("amount", money(it.amount)),
        ("currency", constant("SEK")),
        ("text", text_of(it.text.as_deref())),
        ("createdDate", moment(it.stamp.created)),
        ("modifiedDate", moment(it.stamp.modified)),
        ("settlementDate", or_null(it.settlement.and_then(day))),
    ])
}

/// An investor's account, or one of the platform's own, which are numbered.
fn side(account: LedgerAccount) -> Option<Readable> {
    let role = match account {
        LedgerAccount::Investor(account) => return text(account),
        LedgerAccount::Platform(role) => role,
    };
    let number = match role {
        PlatformAccount::Bank => 1,
        PlatformAccount::FundOrders => 2,
        PlatformAccount::Fees => 3,
        PlatformAccount::PartnerFees => 4,
        PlatformAccount::Insurer => 5,
        PlatformAccount::InternalTransfers => 6,
        PlatformAccount::Suspense => 7,
        PlatformAccount::Opening => 8,
    };
    text(format_args!("00000000-0000-4000-8000-{number:012}"))
}

/// A fund transaction.
pub(super) fn units(it: &FundTransaction) -> Readable {
    body([
        ("id", text(it.id)),
        ("sortedId", text(it.sorted_id)),
        ("transactionType", word(it.kind)),
        ("aborted", flag(it.aborted.is_some())),
        ("abortedReason", it.aborted.and_then(word)),
        ("ref", text_of(it.reference.as_deref())),
        ("refType", word(it.ref_type)),
        ("clientRef", text_of(it.client_ref.as_deref())),
        ("executorRef", text_of(it.executor)),
        ("account", text(it.account)),
        ("instrument", text(it.instrument)),
        ("identifier", text(it.instrument.isin())),
        ("units", decimal(it.units.get())),
        ("price", or_null(it.price.and_then(price))),
        ("currency", text(it.instrument.currency())),
        ("createdDate", moment(it.stamp.created)),
        ("modifiedDate", moment(it.stamp.modified)),
        ("tradeDate", or_null(it.trade.and_then(day))),
        ("settlementDate", or_null(it.settlement.and_then(day))),
    ])
}

fn price(price: Price) -> Option<Readable> {
    decimal(price.get())
}

/// A client.
pub(super) fn client(it: &Client) -> Readable {
    body([
        ("id", text(it.id)),
        ("sortedId", text(it.sorted_id)),
        ("name", text(&it.name)),
        ("displayName", text(&it.display_name)),
        ("crn", text(it.crn)),
        ("country", text(&it.country)),
        (
            "bankAccounts",
            list(&it.bank_accounts, |bank| Some(body([("feeType", word(bank.fee_type)), ("iban", text(bank.iban))]))),
        ),
        (
            "serviceTypes",
            list(&it.service_types, |service| {
                Some(body([("accountServiceType", word(service.service_type)), ("code", text(&service.code))]))
            }),
        ),
        ("permissions", Some(permissions(&it.permissions))),
        ("createdDate", moment(it.stamp.created)),
        ("modifiedDate", moment(it.stamp.modified)),
    ])
}

fn permissions(it: &Permissions) -> Readable {
    body([
        ("accountTypes", words(&it.account_types)),
        ("accountServiceTypes", words(&it.service_types)),
        ("accountCategories", words(&it.categories)),
        ("ownerTypes", words(&it.owner_types)),
        ("journeyTypes", list(&it.journey_types, text)),
        ("transfers", flag(it.transfers)),
        ("autogiro", flag(it.autogiro)),
        ("mobilePayment", flag(it.mobile_payment)),
        ("withdrawals", flag(it.withdrawals)),
        ("partnerFee", flag(it.partner_fee)),
    ])
}

/// A fund.
pub(super) fn instrument(view: &InstrumentView<'_>) -> Readable {
    let it = view.record;
    body([
        ("id", text(it.id)),
        ("isincode", text(it.id.isin())),
        ("name", text(&it.name)),
        ("currency", text(it.id.currency())),
        ("closePrice", or_null(view.close_price.and_then(price))),
        ("priceDate", or_null(view.price_date.and_then(day))),
        ("kiid", list(&it.kiid, |kiid| Some(body([("language", text(&kiid.language)), ("url", text(&kiid.url))])))),
        ("isBuyable", flag(it.is_buyable && it.is_tradable)),
        ("isSellable", flag(it.is_sellable && it.is_tradable)),
        ("isTradable", flag(it.is_tradable)),
        (
            "cost",
            Some(body([
                ("entryFee", decimal(it.cost.entry_fee)),
                ("exitFee", decimal(it.cost.exit_fee)),
                ("ongoingFee", decimal(it.cost.ongoing_fee)),
                ("transactionFee", decimal(it.cost.transaction_fee)),
                ("performanceFee", decimal(it.cost.performance_fee)),
            ])),
        ),
        ("rebate", decimal(it.rebate)),
        ("decimalsUnits", count(it.decimals_units)),
        ("minInvestmentAmountSEK", money(it.min_investment)),
        ("minInitialAmountSek", it.min_initial.and_then(money)),
        ("minSubsequentAmountSek", it.min_subsequent.and_then(money)),
        ("isComplex", flag(it.is_complex)),
        ("isRaif", flag(it.is_raif)),
        ("cutOffTime", text(format_args!("{:02}:{:02}", it.cut_off_hour, it.cut_off_minute))),
        ("subscriptionSettlementDays", count(it.subscription_settlement_days)),
        ("redemptionSettlementDays", count(it.redemption_settlement_days)),
        ("cutOffDateSub", or_null(view.cut_off_sub.and_then(moment))),
        ("cutOffDateRed", or_null(view.cut_off_red.and_then(moment))),
    ])
}

/// A price of the past.
pub(super) fn past_price(&(of, close): &(Date, Price)) -> Readable {
    body([("priceDate", text(of)), ("closePrice", price(close))])
}

/// What a day has returned.
pub(super) fn returned(it: &DailyReturn) -> Readable {
    body([
        ("date", text(it.date)),
        ("dayReturn", decimal(it.day_return)),
        ("dayResult", money(it.day_result)),
        ("cumulativeReturn", decimal(it.cumulative_return)),
    ])
}

/// How deposits are distributed.
pub(super) fn allocation_plan(it: &AllocationPlan) -> Readable {
    body([
        ("id", text(it.id)),
        ("clientId", text(it.client)),
        ("account", text(it.account)),
        ("bankAccount", or_null(text_of(it.bank_account))),
        ("instruments", journey::shares(&it.instruments)),
        ("lastRun", or_null(it.last_run.as_ref().map(plan_run))),
        ("createdDate", moment(it.stamp.created)),
        ("modifiedDate", moment(it.stamp.modified)),
    ])
}

/// The result of a plan's last run.
fn plan_run(run: &PlanRun) -> Readable {
    let status = match run.status {
        PlanRunStatus::Done => "done",
        PlanRunStatus::Partly => "partly",
        PlanRunStatus::Skipped => "skipped",
    };
    body([("date", text(run.date)), ("status", constant(status)), ("reasons", list(&run.reasons, text))])
}

/// Monthly purchases.
pub(super) fn savings_plan(it: &SavingsPlan) -> Readable {
    body([
        ("id", text(it.id)),
        ("sortedId", text(it.sorted_id)),
        ("account", text(it.account)),
        ("bankAccount", text(it.bank_account)),
        ("periodicity", constant("monthly")),
        ("day", count(it.day)),
        ("instruments", journey::savings(&it.instruments)),
        ("startDate", text(it.start)),
        ("lastRun", or_null(it.last_run.as_ref().map(plan_run))),
        ("createdDate", moment(it.stamp.created)),
        ("modifiedDate", moment(it.stamp.modified)),
    ])
}

/// The state of an account's knowledge of its owner.
pub(super) fn kyc(view: &KycView) -> Readable {
    body([
        ("account", text(view.account)),
        ("status", word(view.status)),
        ("lastUpdatedDate", moment(view.last_updated)),
        ("expiryDate", day(view.expiry)),
        ("renewalRequired", flag(view.renewal_required)),
    ])
}

/// How much may be taken out of an account.
pub(super) fn limits(it: &WithdrawalLimits) -> Readable {
    body([("min", money(it.min)), ("max", money(it.max)), ("currency", constant("SEK"))])
}

/// A mobile payment.
pub(super) fn mobile_payment(it: &MobilePayment) -> Readable {
    body([
        ("id", text(it.id)),
        ("paymentId", text(&it.payment_id)),
        ("type", word(it.kind)),
        ("account", text(it.account)),
        ("amount", money(it.amount)),
        ("status", constant(it.state.name())),
        ("errorCode", or_null(it.error.and_then(word))),
        ("createdDate", moment(it.stamp.created)),
        ("modifiedDate", moment(it.stamp.modified)),
    ])
}

/// A payment instruction, with the status that the model has.
pub(super) fn instruction(it: &Instruction, payments: &[Arc<Payment>], due: &Instructed) -> Readable {
    body([
        ("id", text(it.id)),
        ("type", word(it.kind)),
        ("payments", Some(self::payments(payments, due))),
        ("bankTransferRef", or_null(text_of(it.reference))),
        ("status", constant(due.status)),
    ])
}

/// The payments of an instruction, with the statuses that the model has.
pub(super) fn payments(payments: &[Arc<Payment>], due: &Instructed) -> Readable {
    payments.iter().zip(&due.payments).map(|(it, due)| payment(it, due)).collect()
}

fn payment(it: &Payment, due: &ExpectedInstruction) -> Readable {
    body([
        ("id", text(it.id)),
        ("account", text(it.account)),
        ("amount", money(it.amount)),
        ("clientRef", text_of(it.client_ref.as_deref())),
        ("status", constant(due.status)),
        ("reasonCode", or_null(due.code.and_then(text))),
        ("reason", or_null(due.code.map(meaning).and_then(text))),
    ])
}

/// A transfer from another custodian.
pub(super) fn transfer(it: &Transfer) -> Readable {
    body([
        ("id", text(it.id)),
        ("sortedId", text(it.sorted_id)),
        ("account", text(it.account)),
        ("custodian", text(&it.custodian)),
        ("externalRef", text_of(it.external_ref.as_deref())),
        ("status", word(*it.state)),
        ("createdDate", moment(it.stamp.created)),
        ("modifiedDate", moment(it.stamp.modified)),
    ])
}
