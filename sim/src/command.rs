//! Everything that anyone can ask of a world: partner calls, customer acts, back-office acts, market acts.
//!
//! (setup, seed, start, list of (instant, command)) is a run; commands are serialisable so that a run can be kept.
//! Shapes only: whether a command is acceptable is decided by its flow.

use crate::identity::{Iban, InstrumentId, OrganisationNumber, PersonalNumber};
use crate::ids::{
    AccountId, AllocationPlanId, BankAccountId, CashTransactionId, ClientId, FundTransactionId, JourneyId, OrderId,
    PartnerId, TransferId,
};
use crate::money::{Amount, Price, Units};
use crate::records::{
    AccountType, Allocation, Answers, Category, ClientBankAccount, Configuration, ErrorCode, MandateStatus, Owner,
    OwnerKey, ServiceType, Side, Step,
};
use crate::time::Date;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Who asks, and under which client. The world refuses what lies outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Scope {
    /// The partner whose credentials were shown.
    pub partner: PartnerId,
    /// The client named in the request.
    pub client: ClientId,
}

/// A request to change the world.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Command {
    /// Partner: subscribe or redeem. Replies with the order.
    PlaceOrder(PlaceOrder),
    /// Partner: all checks of `PlaceOrder`, nothing created (`decisions 1.6/89`).
    ValidateOrder(PlaceOrder),
    /// Partner: cancel. Replies with the order.
    CancelOrder {
        /// Who asks.
        scope: Scope,
        /// Which order.
        order: OrderId,
    },
    /// Platform: an account at once, without a journey. Replies with the account.
    OpenAccount(OpenAccount),
    /// Back office: park an order. Replies with the order.
    HoldOrder {
        /// Who asks; only the order's own partner may.
        partner: PartnerId,
        /// Which order.
        order: OrderId,
    },
    /// Back office: let a parked order go on. Replies with the order.
    ReleaseOrder {
        /// Who asks.
        partner: PartnerId,
        /// Which order.
        order: OrderId,
    },
    /// Fund company: refuse the aggregated order that took it, or stop it before that. Replies with the order.
    RejectOrder {
        /// Who asks.
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
    /// Bank: a payout comes back (`decisions 2.14`). Replies with the correction.
    BouncePayout {
        /// Who asks.
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
        step: Step,
        /// What was filled in.
        answers: Answers,
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
    },
    /// Customer: leaves for good. Replies with the journey.
    AbortJourney {
        /// Which journey.
        journey: JourneyId,
        /// On which step; the one the journey stands at when absent.
        context: Option<Step>,
    },
    /// Lever: the customer walks the remaining steps and signs. Replies with the journey.
    CompleteJourney {
        /// Who asks.
        partner: PartnerId,
        /// Which journey.
        journey: JourneyId,
        /// Answers by step; sensible ones are made where none are given.
        answers: Vec<(Step, Answers)>,
    },
    /// Lever: the customer aborts. Replies with the journey.
    CancelJourney {
        /// Who asks.
        partner: PartnerId,
        /// Which journey.
        journey: JourneyId,
        /// On which step; the one the journey stands at when absent.
        context: Option<Step>,
    },
    /// Lever: it fails. Replies with the journey.
    FailJourney {
        /// Who asks.
        partner: PartnerId,
        /// Which journey.
        journey: JourneyId,
        /// Any code but the customer's own.
        code: ErrorCode,
        /// On which step; the one the journey stands at when absent.
        context: Option<Step>,
    },
    /// Lever: its time is up. Replies with the journey.
    ExpireJourney {
        /// Who asks.
        partner: PartnerId,
        /// Which journey.
        journey: JourneyId,
    },
    /// Lever: decide about an account that waits. Replies with the account.
    DecideAccount {
        /// Who asks.
        partner: PartnerId,
        /// Which account.
        account: AccountId,
        /// How.
        decision: Decision,
    },
    /// Partner: close an account. Replies with the account.
    CloseAccount {
        /// Who asks.
        scope: Scope,
        /// Which account.
        account: AccountId,
    },
    /// Bank: the account check ends. Replies with the bank account.
    CheckBankAccount {
        /// Who asks.
        partner: PartnerId,
        /// Which bank account.
        bank_account: BankAccountId,
        /// Whether name and ownership match.
        passes: bool,
    },
    /// Bank: a mandate advice. Replies with the bank account.
    AdviseMandate {
        /// Who asks.
        partner: PartnerId,
        /// Which bank account.
        bank_account: BankAccountId,
        /// Two digits (`decisions 2.5`).
        code: Arc<str>,
    },
    /// Custodian: move a transfer on. Replies with the transfer.
    MoveTransfer {
        /// Who asks.
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
    /// Platform: something that has ended is forgotten. Replies with it, as it was last.
    Purge {
        /// Who asks.
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
        /// Who asks.
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
        /// Who asks.
        scope: Scope,
        /// Which plan.
        plan: AllocationPlanId,
    },
    /// Partner: remove the savings plan of an account. Replies with the plan.
    DeleteSavingsPlan {
        /// Who asks.
        scope: Scope,
        /// Whose.
        account: AccountId,
    },
}

/// A new journey.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CreateJourney {
    /// Who asks.
    pub scope: Scope,
    /// What is configured; public `journey`.
    pub configuration: Configuration,
    /// Receives one POST at the end.
    pub callback_url: Arc<str>,
    /// Back to the partner's app after mobile signing.
    pub redirect_url: Option<Arc<str>>,
    /// Where the browser goes after completion.
    pub completion_redirect_url: Option<Arc<str>>,
    /// Partner data, echoed byte for byte; public `scope`.
    pub partner_data: Option<Arc<str>>,
}

/// How the use of an electronic identity ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum SignOutcome {
    /// The person identified or signed.
    Sign,
    /// The person aborted.
    Abort,
    /// It failed.
    Fail,
}

/// A decision about an account that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Decision {
    /// The platform approves.
    Approve,
    /// The application or a signature is refused.
    Reject,
    /// Every signature that is missing is given: the insurer's, and those of further signatories.
    Confirm,
}

/// What a ceding custodian does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum CustodianAct {
    /// Agrees.
    Accept,
    /// Refuses.
    Reject,
    /// Delivers.
    Complete,
}

/// What screening finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ScreeningHit {
    /// Politically exposed: high risk, KYC holds a year.
    Pep,
    /// Sanctioned: orders go to hold, no withdrawals.
    Sanctions,
    /// No longer on any list.
    Clear,
}

/// What can be purged (`decisions 1.13/186`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Purgeable {
    /// A client without open accounts and running journeys.
    Client(ClientId),
    /// A journey that has ended; it stays readable and says that it is deleted.
    Journey(JourneyId),
    /// An order that is settled or canceled.
    Order(OrderId),
    /// An aborted cash transaction.
    CashTransaction(CashTransactionId),
    /// An aborted fund transaction.
    FundTransaction(FundTransactionId),
}

/// A field of a merge patch (RFC 7396).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Patch<T> {
    /// Left out: stays as it is.
    #[default]
    Keep,
    /// Null: is removed.
    Clear,
    /// Is replaced.
    Set(T),
}

impl<T> Patch<T> {
    /// Whether the field was left out.
    #[must_use]
    pub const fn is_keep(&self) -> bool {
        matches!(self, Self::Keep)
    }
}

/// A new client (`decisions 1.4/44-48`). It may do what the partner's first client may.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CreateClient {
    /// Who asks.
    pub partner: PartnerId,
    /// Chosen id; drawn when absent.
    pub id: Option<ClientId>,
    /// Registered name.
    pub name: Arc<str>,
    /// Name shown to end customers.
    pub display_name: Arc<str>,
    /// Company registration number.
    pub crn: OrganisationNumber,
    /// ISO 3166-1 alpha-2.
    pub country: Arc<str>,
    /// Where fees are paid.
    pub bank_accounts: Vec<ClientBankAccount>,
    /// Services, each of which gets a code.
    pub service_types: Vec<ServiceType>,
}

/// A merge patch of a client (`decisions 1.4/49`).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PatchClient {
    /// Who asks, and which client.
    pub scope: Scope,
    /// Registered name.
    pub name: Patch<Arc<str>>,
    /// Name shown to end customers.
    pub display_name: Patch<Arc<str>>,
    /// ISO 3166-1 alpha-2.
    pub country: Patch<Arc<str>>,
    /// Where fees are paid; replaced whole.
    pub bank_accounts: Patch<Vec<ClientBankAccount>>,
    /// Services; replaced whole, kept ones keep their code.
    pub service_types: Patch<Vec<ServiceType>>,
    /// Whether the patch named `id`, which cannot change.
    pub names_id: bool,
    /// Whether the patch named `crn`, which cannot change.
    pub names_crn: bool,
}

/// A subscription or a redemption, with what becomes of its cash.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PlaceOrder {
    /// Who asks.
    pub scope: Scope,
    /// Account to work on.
    pub account: AccountId,
    /// Subscription or redemption.
    pub side: Side,
    /// Fund, as asked for; may be unknown.
    pub instrument: InstrumentId,
    /// Required on a subscription, forbidden on a redemption.
    pub amount: Option<Amount>,
    /// Required on a redemption, forbidden on a subscription.
    pub units: Option<Units>,
    /// Free text up to 255 characters.
    pub client_ref: Option<Arc<str>>,
    /// Who gives the order.
    pub executor: Option<PersonalNumber>,
    /// Where a redemption's cash goes.
    pub proceeds: AskedProceeds,
}

/// What is asked to become of a redemption's cash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AskedProceeds {
    /// A plain order.
    Keep,
    /// `order/withdrawal`: requires an executor.
    PayOut(BankAccountId),
    /// `order/redemptionTransfer`: requires an executor.
    Transfer(AccountId),
}

/// An account at once.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct OpenAccount {
    /// Who asks.
    pub scope: Scope,
    /// Kind of account.
    pub account_type: AccountType,
    /// Owner; one is made from the seed when none is given.
    pub owner: Option<Owner>,
    /// Shown name; by type when none is given (`decisions 1.3/26`).
    pub name: Option<Arc<str>>,
    /// Investment service.
    pub service_type: ServiceType,
    /// MiFID II classification.
    pub category: Category,
    /// Opening cash; zero for none.
    pub cash: Amount,
    /// Opening positions.
    pub positions: Vec<(InstrumentId, Units)>,
    /// Bank accounts of the owner.
    pub bank_accounts: Vec<OpenBankAccount>,
    /// Whether the owner has answered the appropriateness question.
    pub fund_knowledge: bool,
}

/// A bank account that comes with an account.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct OpenBankAccount {
    /// ISO 13616.
    pub iban: Iban,
    /// The owner's name for it.
    pub name: Option<Arc<str>>,
    /// Whether the account check has passed.
    pub validated: bool,
    /// Autogiro mandate.
    pub mandate: MandateStatus,
}

/// A price by lever.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SetPrice {
    /// Which fund.
    pub instrument: InstrumentId,
    /// In the fund's currency; within half and double of the price before (`decisions 2.10`).
    pub close_price: Price,
    /// Its dealing day: a published day without executions is corrected, a coming one is set in advance and published
    /// at its time. Without it, the latest published day.
    pub price_date: Option<Date>,
}

/// Trading flags by lever; `None` leaves a flag as it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SetTrading {
    /// Which fund.
    pub instrument: InstrumentId,
    /// Open for subscriptions.
    pub is_buyable: Option<bool>,
    /// Open for redemptions.
    pub is_sellable: Option<bool>,
    /// Not suspended. `false` closes both sides.
    pub is_tradable: Option<bool>,
}
