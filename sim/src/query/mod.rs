//! Reading a world: listings, filters and values derived from something that changes without the record changing.
//!
//! Invariant: nothing here changes anything, and the same world gives the same answer. Absent on purpose: spelling on
//! the wire, except the public names of states, which refusals quote.

mod accounts;
mod bank;
mod books;
mod clients;
mod everything;
mod explanation;
mod fees;
mod journeys;
mod named;
mod newest;
mod orders;
mod payments;
mod plans;
mod securities;
mod timers;

pub use accounts::history::{AccountHistory, HistoryDay, history};
pub use accounts::performance::{DailyReturn, Range, account_performance, owner_performance};
pub use accounts::shown::{PositionView, account, account_status, accounts, positions};
pub use accounts::standing::{
    AgreementFacts, KycView, agreement, agreement_types, company, kyc_status, standing, submission,
};
pub use accounts::transactions::{TransactionFilter, cash_transactions, fund_transactions};
pub use bank::bank_file;
pub use books::{LedgerEntry, LedgerView, Posting, PostingReason, books, postings};
pub use clients::{client, client_patch_problems, client_problems, clients, clients_of, partners};
pub use everything::{
    every_account, every_allocation_plan, every_cash_transaction, every_fund_transaction, every_instruction,
    every_journey, every_order, every_payment, every_savings_plan, every_transfer,
};
pub use explanation::{Explanation, Fact, Reason, explanations, settlement_day};
pub use fees::{FeesView, fee_pots, fees, fees_of, sale};
pub use journeys::{
    StepState, StepView, journey, journey_bank_account, journey_by_link, journey_company, journey_current,
    journey_problems, journey_step, journey_step_with, journey_steps, journeys,
};
pub use named::{Named, named, transactions_of};
pub use newest::{
    newest_allocation_plans, newest_cash_transactions, newest_fund_transactions, newest_journeys,
    newest_mobile_payments, newest_orders, newest_payments, newest_transfers,
};
pub use orders::{OrderFilter, aggregate, order, order_problems, order_refusal, orders};
pub use payments::{
    MAX_PAYMENTS, PLATFORM_NUMBER, WithdrawalLimits, has_payment_ref, has_withdrawal_grant, instruction,
    instruction_problems, mobile_payment, mobile_payment_by_id, mobile_payment_by_token, mobile_payment_problems,
    mobile_payments, payments_of, suspense, withdrawal_limits, withdrawal_problems, withdrawal_refusal,
};
pub use plans::{allocation_plan, allocation_plan_of, allocation_plans, savings_plan_of};
pub use securities::{
    InstrumentView, custodians, instrument, instruments, price_of_day, prices, rate, rate_of_day, transfer, transfers,
    year_return,
};
pub use timers::{About, Concerned, Dealings, about, concerned};

pub use crate::flows::accounts::open::registered_person;
pub use crate::flows::journeys::{Choice, FieldKind, FieldView, is_redirect};
pub use crate::scope::{cash_transaction, fund_transaction};
pub use crate::valuation::value;
