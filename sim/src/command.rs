//! Everything that anyone can ask of a world: partner calls, customer acts, back-office acts, market acts.
//!
//! Commands are serialisable, since the log of inputs keeps them (`input`).
//! Shapes only: whether a command is acceptable is decided by its flow.

mod accounts;
mod clients;
mod fees;
mod journeys;
mod orders;
mod payments;
mod purge;
mod securities;

pub use accounts::{Book, Booked, CASH_BOOKINGS, Decision, OpenAccount, OpenBankAccount, ScreeningHit, UNIT_BOOKINGS};
pub(crate) use accounts::{cash_booking, unit_booking};
pub use clients::{CreateClient, PartialClient, PartialClientPatch, Patch, PatchClient};
pub use fees::SetClientFees;
pub use journeys::{CreateJourney, PartialJourney, SignOutcome};
pub use orders::{PartialOrder, PlaceOrder};
pub use payments::{
    CreateInstruction, CreateMobilePayment, NewPayment, PartialInstruction, PartialMobilePayment, PartialNewPayment,
    PartialWithdrawal, PayByBankgiro, Withdraw, WithdrawalType,
};
pub use purge::Purgeable;
pub use securities::{CustodianAct, MAX_LATE_BANK_DAYS, SetPrice, SetTrading};

use crate::identity::{InstrumentId, PersonalNumber};
use crate::ids::{
    AccountId, AllocationPlanId, BankAccountId, CashTransactionId, ClientId, JourneyId, MobilePaymentId, OrderId,
    PartnerId, PaymentId, SuspenseItemId, TransferId,
};
use crate::partial::undivided;
use crate::records::{
    Allocation, Answers, CorporateAct, ErrorCode, JourneyStep, MobilePaymentError, MobilePaymentRefusal, OwnerKey,
    PaymentReason,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The caller, and under which client. The world refuses what lies outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Scope {
    /// The partner whose credentials were shown.
    pub partner: PartnerId,
    /// The client named in the request.
    pub client: ClientId,
}

undivided! { Scope }

/// A request to change the world.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Command {
    /// Partner: subscribe or redeem. Replies with the order.
    PlaceOrder(PlaceOrder),
    /// Partner: all checks of `PlaceOrder`, nothing created (rule: orders/validate-only).
    ValidateOrder(PlaceOrder),
    /// Partner: cancel. Replies with the order.
    CancelOrder {
        /// The caller.
        scope: Scope,
        /// Which order.
        order: OrderId,
    },
    /// Platform: an account at once, without a journey. Replies with the account.
    OpenAccount(OpenAccount),
    /// Back office: park an order. Replies with the order.
    HoldOrder {
        /// The caller; only the order's own partner may.
        partner: PartnerId,
        /// Which order.
        order: OrderId,
    },
    /// Back office: release a parked order. Replies with the order.
    ReleaseOrder {
        /// The caller.
        partner: PartnerId,
        /// Which order.
        order: OrderId,
    },
    /// Fund company: refuse the aggregated order that took it, or stop it before that. Replies with the order.
    RejectOrder {
        /// The caller.
        partner: PartnerId,
        /// Which order.
        order: OrderId,
    },
    /// Fund company: publish or correct a price. Replies with the instrument.
    SetPrice(SetPrice),
    /// Fund company: open or close trading. Replies with the instrument.
    SetTrading(SetTrading),
    /// Fund company: publish the next price late. Replies with the instrument.
    DelayNav {
        /// Which fund.
        instrument: InstrumentId,
        /// How many bank days late; at least 1.
        bank_days: u32,
    },
    /// Fund company: announce a corporate action. Replies with the instrument.
    Announce {
        /// Which fund.
        instrument: InstrumentId,
        /// What will be done to it.
        act: CorporateAct,
    },
    /// Back office: book cash or units on an account, without an order (rule: accounts/corrections, accounts/dividends).
    /// Replies with the transaction.
    Book(Box<Book>),
    /// Bank: a payout comes back (rule: payments/bounced-payout). Replies with the correction.
    BouncePayout {
        /// The caller.
        partner: PartnerId,
        /// The payout's cash transaction.
        transaction: CashTransactionId,
    },
    /// Partner: start a journey. Replies with the journey.
    CreateJourney(Box<CreateJourney>),
    /// Customer: the link is opened; harmless when it was before. Replies with the journey.
    OpenJourney {
        /// Which journey.
        journey: JourneyId,
        /// The partner, when it pulls the lever; then a second opening is a conflict.
        partner: Option<PartnerId>,
    },
    /// Customer: one step is filled in. Replies with the journey.
    AnswerStep {
        /// Which journey.
        journey: JourneyId,
        /// Which step; one that has been answered before may be answered again.
        step: JourneyStep,
        /// What was filled in.
        answers: Answers,
        /// The partner, when it pulls the lever.
        partner: Option<PartnerId>,
    },
    /// Customer: the electronic identity was used, to authenticate or to sign, whichever the journey waits for. Replies
    /// with the journey.
    SignJourney {
        /// Which journey.
        journey: JourneyId,
        /// Who.
        signer: PersonalNumber,
        /// How it ended.
        outcome: SignOutcome,
        /// The partner, when it pulls the lever.
        partner: Option<PartnerId>,
    },
    /// Customer: leaves for good. Replies with the journey.
    AbortJourney {
        /// Which journey.
        journey: JourneyId,
        /// On which step; the journey's present one when absent.
        context: Option<JourneyStep>,
    },
    /// Lever: the customer walks the remaining steps and signs. Replies with the journey.
    CompleteJourney {
        /// The caller.
        partner: PartnerId,
        /// Which journey.
        journey: JourneyId,
        /// Answers by step; sensible ones are made where none are given.
        answers: Vec<(JourneyStep, Answers)>,
    },
    /// Lever: the customer aborts. Replies with the journey.
    CancelJourney {
        /// The caller.
        partner: PartnerId,
        /// Which journey.
        journey: JourneyId,
        /// On which step; the journey's present one when absent.
        context: Option<JourneyStep>,
    },
    /// Lever: it fails. Replies with the journey.
    FailJourney {
        /// The caller.
        partner: PartnerId,
        /// Which journey.
        journey: JourneyId,
        /// Any code but the customer's own.
        code: ErrorCode,
        /// On which step; the journey's present one when absent.
        context: Option<JourneyStep>,
    },
    /// Lever: its time is up. Replies with the journey.
    ExpireJourney {
        /// The caller.
        partner: PartnerId,
        /// Which journey.
        journey: JourneyId,
    },
    /// Lever: decide about an account that waits. Replies with the account.
    DecideAccount {
        /// The caller.
        partner: PartnerId,
        /// Which account.
        account: AccountId,
        /// How.
        decision: Decision,
    },
    /// Partner: close an account. Replies with the account.
    CloseAccount {
        /// The caller.
        scope: Scope,
        /// Which account.
        account: AccountId,
    },
    /// Bank: the account check ends. Replies with the bank account.
    CheckBankAccount {
        /// The caller.
        partner: PartnerId,
        /// Which bank account.
        bank_account: BankAccountId,
        /// Whether name and ownership match.
        passes: bool,
    },
    /// Bank: a mandate advice. Replies with the bank account.
    AdviseMandate {
        /// The caller.
        partner: PartnerId,
        /// Which bank account.
        bank_account: BankAccountId,
        /// Two digits (rule: bank/mandate-codes).
        code: Arc<str>,
    },
    /// Custodian: move a transfer on. Replies with the transfer.
    MoveTransfer {
        /// The caller.
        partner: PartnerId,
        /// Which transfer.
        transfer: TransferId,
        /// Where to.
        act: CustodianAct,
    },
    /// Platform: an owner is found on a list, or cleared. Replies with the owner's accounts.
    Screen {
        /// Whom.
        owner: OwnerKey,
        /// What was found.
        hit: ScreeningHit,
    },
    /// Platform: a person has died (rule: accounts/endowment). Replies with the person's insurances that end.
    ReportDeath {
        /// Who.
        ssn: PersonalNumber,
    },
    /// Platform: something that has ended is forgotten. Replies with it, as it was last.
    Purge {
        /// The caller.
        partner: PartnerId,
        /// What.
        what: Purgeable,
    },
    /// Partner: a new client. Replies with the client.
    CreateClient(Box<CreateClient>),
    /// Partner: change a client. Replies with the client.
    PatchClient(Box<PatchClient>),
    /// Partner: change an allocation plan. Replies with the plan.
    PatchAllocationPlan {
        /// The caller.
        scope: Scope,
        /// Which plan.
        plan: AllocationPlanId,
        /// The bank account to charge; `Clear` ends automatic charging.
        bank_account: Patch<BankAccountId>,
        /// New shares.
        instruments: Patch<Vec<Allocation>>,
    },
    /// Partner: remove an allocation plan. Replies with the plan.
    DeleteAllocationPlan {
        /// The caller.
        scope: Scope,
        /// Which plan.
        plan: AllocationPlanId,
    },
    /// Partner: remove the savings plan of an account. Replies with the plan.
    DeleteSavingsPlan {
        /// The caller.
        scope: Scope,
        /// Whose.
        account: AccountId,
    },
    /// Partner: ask for a mobile payment. Replies with the session.
    CreateMobilePayment(CreateMobilePayment),
    /// Payer: looks at a mobile payment; harmless when it was done before. Replies with the session.
    OpenMobilePayment {
        /// Which session.
        payment: MobilePaymentId,
    },
    /// Payer: pays; or a bank reports late that the payer has. Replies with the session.
    PayMobilePayment {
        /// Which session.
        payment: MobilePaymentId,
        /// The partner, when it pulls the lever.
        partner: Option<PartnerId>,
    },
    /// Payer: declines. Replies with the session.
    DeclineMobilePayment {
        /// Which session.
        payment: MobilePaymentId,
        /// The partner, when it pulls the lever.
        partner: Option<PartnerId>,
    },
    /// Banks: a mobile payment fails, or they do not answer. Replies with the session.
    FailMobilePayment {
        /// Which session.
        payment: MobilePaymentId,
        /// How; one of `MobilePaymentError::FAILURES`.
        error: MobilePaymentError,
        /// The partner, when it pulls the lever.
        partner: Option<PartnerId>,
    },
    /// Banks: payments to an account are refused at once, or no longer. Replies with the account.
    RefusePayers {
        /// The caller.
        partner: PartnerId,
        /// Which account.
        account: AccountId,
        /// Why; nothing lets payers be asked again.
        refusal: Option<MobilePaymentRefusal>,
    },
    /// Partner: payments into accounts, charged by autogiro or sent by the payer. Replies with the instruction.
    CreateInstruction(CreateInstruction),
    /// Payer: a payment over bankgiro. Replies with the item.
    PayByBankgiro(PayByBankgiro),
    /// Bank: a payment is refused. Replies with the payment.
    FailPayment {
        /// The caller.
        partner: PartnerId,
        /// Which payment.
        payment: PaymentId,
        /// Why; only those that come by lever (rule: payments/payment-reason-codes).
        reason: PaymentReason,
    },
    /// Payer: a paid charge is wanted back. Replies with the transaction that pays it.
    RefundPayment {
        /// The caller.
        partner: PartnerId,
        /// Which payment.
        payment: PaymentId,
        /// Whether the payer never agreed to it.
        unauthorised: bool,
    },
    /// Operator: money in suspense goes to an account. Replies with the item.
    AllocateSuspense {
        /// Which money.
        item: SuspenseItemId,
        /// To which account.
        account: AccountId,
    },
    /// Operator: money in suspense goes back to its payer. Replies with the item.
    ReturnSuspense {
        /// Which money.
        item: SuspenseItemId,
    },
    /// Partner: what a client takes itself. Replies with the client.
    SetClientFees(SetClientFees),
    /// Partner: cash out to a bank account. Replies with the cash transaction.
    Withdraw(Withdraw),
}

impl Command {
    /// Whether it concerns a fund, or orders that proceed together: within an instant that a slice has cut, it waits for the
    /// instant's end, since it must find all of them in one state (rule: calendar/slices).
    pub(crate) const fn concerns_many(&self) -> bool {
        matches!(
            self,
            Self::HoldOrder { .. }
                | Self::ReleaseOrder { .. }
                | Self::RejectOrder { .. }
                | Self::SetPrice(_)
                | Self::SetTrading(_)
                | Self::DelayNav { .. }
                | Self::Announce { .. }
                | Self::SetClientFees(_)
        )
    }
}
