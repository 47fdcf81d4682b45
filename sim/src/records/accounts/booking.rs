//! Kinds of bookings: why cash or units move, and all that follows from it.
//!
//! Owns the API's words for them, and one table for cash and one for units, a row a kind. Invariant: what a transaction is
//! called, its counterparty, whether it is settled from the start, and where it is counted are in its row and nowhere
//! else. Absent on purpose: amounts, and what a transaction refers to.

use Born::{Pending, Settled};
use CashRefType::{
    Ca, Compensations, Correction, Dividend, Donation, Endowment101, Gift, Inheritance, Order, Payment, Text, Transfer,
};
use CashType::{Deposit, Fee, FxFee, Redemption, Settlement, Subscription, TransferIn, TransferOut, Withdrawal};
use Counts::{Deposited, Nowhere, OnItsWay, Unwithdrawn, Withdrawn};
use PlatformAccount::{Bank, Fees, FundOrders, Insurer, InternalTransfers, PartnerFees, Suspense};
use serde::{Deserialize, Serialize};

/// Kinds of cash transaction (rule: money/cash-types).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are the API's own")]
pub enum CashType {
    Deposit,
    Withdrawal,
    Subscription,
    Redemption,
    TransferIn,
    TransferOut,
    Fee,
    Retrocession,
    FxFee,
    Settlement,
}

impl CashType {
    /// Whether the investor receives.
    #[must_use]
    pub const fn is_credit(self) -> bool {
        matches!(self, Self::Deposit | Self::Redemption | Self::TransferIn | Self::Retrocession | Self::Settlement)
    }
}

/// What a cash transaction refers to (rule: money/cash-ref-types).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are the API's own")]
pub enum CashRefType {
    ClientFee,
    Correction,
    Gift,
    Compensations,
    Inheritance,
    Dividend,
    Donation,
    Endowment101,
    PartnerFee,
    ServiceFee,
    InsuranceTax,
    InsuranceFee,
    RiskpremiaFee,
    Transfer,
    Text,
    Order,
    Payment,
    Ca,
    Internal,
    External,
}

/// Kinds of fund transaction: units in, units out (rule: money/units-without-orders).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum FundType {
    /// Units in.
    Subscription,
    /// Units out.
    Redemption,
}

/// What a fund transaction refers to (rule: money/fund-ref-types).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are the API's own")]
pub enum FundRefType {
    Text,
    Correction,
    Transfer,
    Order,
    Ca,
    Internal,
    External,
    Gift,
    Compensations,
    Inheritance,
    Dividend,
    Endowment101,
}

/// The platform's own accounts, the other side of every investor posting (rule: money/double-entry).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PlatformAccount {
    /// Money at banks.
    Bank,
    /// Money on its way to and from fund companies.
    FundOrders,
    /// Fees of the platform.
    Fees,
    /// Fees of partners and clients.
    PartnerFees,
    /// The insurer.
    Insurer,
    /// Clearing of transfers between two investor accounts.
    InternalTransfers,
    /// Money whose owner is not known.
    Suspense,
    /// What accounts held before the world began.
    Opening,
}

impl PlatformAccount {
    /// Every one.
    pub const ALL: [Self; 8] = [
        Self::Bank,
        Self::FundOrders,
        Self::Fees,
        Self::PartnerFees,
        Self::Insurer,
        Self::InternalTransfers,
        Self::Suspense,
        Self::Opening,
    ];

    /// The word that the books use for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bank => "bank",
            Self::FundOrders => "fundOrders",
            Self::Fees => "fees",
            Self::PartnerFees => "partnerFees",
            Self::Insurer => "insurer",
            Self::InternalTransfers => "internalTransfers",
            Self::Suspense => "suspense",
            Self::Opening => "opening",
        }
    }
}

/// Whether a transaction is settled from the moment at which it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Born {
    /// It is settled or aborted later.
    Pending,
    /// It is settled on the day on which it is made.
    Settled,
}

/// Where cash is counted besides the balance (rule: money/lifetime-amounts).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// Nowhere.
    Nowhere,
    /// While it is pending, among the purchases on their way.
    OnItsWay,
    /// Once it is settled, among all that was deposited.
    Deposited,
    /// Unless it is aborted, among all that was withdrawn.
    Withdrawn,
    /// Once it is settled, against all that was withdrawn.
    Unwithdrawn,
}

/// What follows from the kind of a cash booking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CashTerms {
    /// The public type, which decides the direction.
    pub kind: CashType,
    /// The public word for what it refers to.
    pub ref_type: CashRefType,
    /// The platform's side.
    pub against: PlatformAccount,
    /// Whether it is settled at once.
    pub born: Born,
    /// Where it is counted.
    pub counts: Counts,
}

/// What follows from the kind of a fund booking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FundTerms {
    /// The public type, which is the direction (rule: money/units-without-orders).
    pub kind: FundType,
    /// The public word for what it refers to.
    pub ref_type: FundRefType,
    /// Whether it is settled at once.
    pub born: Born,
    /// What units that go take along of the acquisition cost.
    pub cost: BookedCost,
}

/// What units that go take along of the acquisition cost (rule: money/average-acquisition-value).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookedCost {
    /// Their share: the average stays.
    Share,
    /// Nothing: what stays has cost as much as all of it.
    Nothing,
}

const fn cash(
    kind: CashType,
    ref_type: CashRefType,
    against: PlatformAccount,
    born: Born,
    counts: Counts,
) -> CashTerms {
    let fits = match counts {
        Nowhere => true,
        Deposited | Unwithdrawn => kind.is_credit(),
        OnItsWay | Withdrawn => !kind.is_credit(),
    };
    assert!(fits, "what comes is not counted with what goes");
    CashTerms { kind, ref_type, against, born, counts }
}

/// Units that come are settled at once: they exist from their settlement only (rule: money/units-and-settled-units).
const fn units_in(ref_type: FundRefType) -> FundTerms {
    FundTerms { kind: FundType::Subscription, ref_type, born: Settled, cost: BookedCost::Share }
}

const fn units_out(ref_type: FundRefType, born: Born) -> FundTerms {
    FundTerms { kind: FundType::Redemption, ref_type, born, cost: BookedCost::Share }
}

/// Units that a split makes fewer (rule: securities/split).
const fn units_joined(ref_type: FundRefType) -> FundTerms {
    FundTerms { kind: FundType::Redemption, ref_type, born: Settled, cost: BookedCost::Nothing }
}

/// Declares kinds of bookings, each with its row.
macro_rules! bookings {
    ($(#[$doc:meta])* $name:ident, $terms:ident; $($(#[$kind_doc:meta])* $kind:ident => $row:expr;)+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name { $($(#[$kind_doc])* $kind,)+ }

        impl $name {
            /// The row of this kind.
            #[must_use]
            pub const fn terms(self) -> $terms {
                match self { $(Self::$kind => const { $row },)+ }
            }
        }
    };
}

bookings! {
    /// Why cash moves.
    CashBooking, CashTerms;
    //                      type          refType     against                   born     counts
    /// What an account holds from its first day.
    Opening        => cash(Deposit,      Text,       PlatformAccount::Opening, Settled, Deposited);
    /// An order buys.
    Purchase       => cash(Subscription, Order,      FundOrders,               Pending, OnItsWay);
    /// An order has sold.
    Sale           => cash(Redemption,   Order,      FundOrders,               Settled, Nowhere);
    /// An order that buys in another currency pays a fee for the exchange.
    PurchaseFxFee  => cash(FxFee,        Order,      Fees,                     Pending, Nowhere);
    /// An order that has sold in another currency pays a fee for the exchange.
    SaleFxFee      => cash(FxFee,        Order,      Fees,                     Settled, Nowhere);
    /// What an order has sold for leaves for a bank account.
    SalePayout     => cash(Withdrawal,   Order,      Bank,                     Pending, Withdrawn);
    /// What an order has sold for leaves for another account.
    SaleMovedOut   => cash(TransferOut,  Order,      InternalTransfers,        Settled, Withdrawn);
    /// What an order of another account has sold for comes in.
    SaleMovedIn    => cash(TransferIn,   Order,      InternalTransfers,        Settled, Deposited);
    /// What is left of an account that closes leaves for a bank account.
    ClosingPayout  => cash(Withdrawal,   Text,       Bank,                     Pending, Withdrawn);
    /// Cash that a partner asks out for a bank account.
    PartnerWithdrawal => cash(Withdrawal, Text,      Bank,                     Pending, Withdrawn);
    /// A payout comes back.
    PayoutReturned => cash(Deposit,      Correction, Bank,                     Settled, Unwithdrawn);
    /// A mobile payment.
    MobilePayment  => cash(Deposit,      Payment,    Bank,                     Settled, Deposited);
    /// A payment over bankgiro.
    Bankgiro       => cash(Deposit,      Payment,    Bank,                     Settled, Deposited);
    /// A payment of an instruction: charged by autogiro, or sent by the payer.
    Instructed     => cash(Deposit,      Payment,    Bank,                     Settled, Deposited);
    /// The payer has a charge back.
    ChargeRefunded => cash(Withdrawal,   Correction, Bank,                     Settled, Withdrawn);
    /// What the insurer adds when the insured dies.
    Endowment      => cash(Deposit,      Endowment101, PlatformAccount::Insurer, Settled, Deposited);
    /// What is left of an insurance after a death, where no bank account takes it: the insurer pays it to the heirs.
    HeirsPaid      => cash(Withdrawal,   Text,       PlatformAccount::Insurer, Settled, Withdrawn);
    /// Money in suspense has found its account.
    FromSuspense   => cash(Deposit,      Payment,    Suspense,                 Settled, Deposited);
    /// Cash from another custodian.
    TransferredIn  => cash(TransferIn,   Transfer,   Bank,                     Settled, Deposited);
    /// The distribution fee of a quarter.
    ServiceFee     => cash(Fee, CashRefType::ServiceFee,    Fees,              Settled, Nowhere);
    /// The yield tax that an insurer takes for a quarter.
    InsuranceTax   => cash(Fee, CashRefType::InsuranceTax,  Insurer,           Settled, Nowhere);
    /// The insurer's fee of a quarter.
    InsuranceFee   => cash(Fee, CashRefType::InsuranceFee,  Insurer,           Settled, Nowhere);
    /// The insurer's premium for the risk of a quarter.
    RiskPremium    => cash(Fee, CashRefType::RiskpremiaFee, Insurer,           Settled, Nowhere);
    /// What a partner takes for a quarter.
    PartnerFee     => cash(Fee, CashRefType::PartnerFee,    PartnerFees,       Settled, Nowhere);
    /// What a client takes for itself for a quarter.
    ClientFee      => cash(Fee, CashRefType::ClientFee,     PartnerFees,       Settled, Nowhere);
    /// What a fund company gives back of a quarter.
    Retrocession   => cash(CashType::Retrocession, Text,    FundOrders,        Settled, Nowhere);
    /// What a corporate action pays: a merger's fraction, a liquidation's proceeds.
    ActionPaid     => cash(Settlement,   Ca,         FundOrders,               Settled, Nowhere);
    /// A fund pays a dividend, gross.
    Dividend       => cash(Settlement,   Dividend,   FundOrders,               Settled, Nowhere);
    /// The platform makes good for something.
    Compensation   => cash(Settlement,   Compensations, Fees,                  Settled, Nowhere);
    /// A correction in the customer's favour.
    CorrectedUp    => cash(Settlement,   Correction, Fees,                     Settled, Nowhere);
    /// A correction at the customer's cost.
    CorrectedDown  => cash(Fee,          Correction, Fees,                     Settled, Nowhere);
    /// A gift to the customer.
    Gift           => cash(Deposit,      Gift,       Bank,                     Settled, Deposited);
    /// An inheritance.
    Inheritance    => cash(Deposit,      Inheritance, Bank,                    Settled, Deposited);
    /// A donation by the customer.
    Donation       => cash(Withdrawal,   Donation,   Bank,                     Settled, Withdrawn);
}

bookings! {
    /// Why units move.
    FundBooking, FundTerms;
    /// What an account holds from its first day.
    Opening        => units_in(FundRefType::Text);
    /// An order has bought.
    Purchase       => units_in(FundRefType::Order);
    /// An order sells.
    Sale           => units_out(FundRefType::Order, Pending);
    /// A fraction that cannot be sold goes when its account closes.
    WrittenOff     => units_out(FundRefType::Correction, Pending);
    /// Units from another custodian.
    TransferredIn  => units_in(FundRefType::Transfer);
    /// A split makes more of them.
    SplitUp        => units_in(FundRefType::Ca);
    /// A split makes fewer of them.
    SplitDown      => units_joined(FundRefType::Ca);
    /// Units of the fund that a merger leaves.
    MergedIn       => units_in(FundRefType::Ca);
    /// Units of a fund that ends.
    Ended          => units_out(FundRefType::Ca, Settled);
    /// A fund pays a dividend in units.
    Dividend       => units_in(FundRefType::Dividend);
    /// The platform makes good in units.
    Compensation   => units_in(FundRefType::Compensations);
    /// A correction in the customer's favour.
    CorrectedUp    => units_in(FundRefType::Correction);
    /// A correction at the customer's cost.
    CorrectedDown  => units_out(FundRefType::Correction, Settled);
    /// A gift to the customer.
    GiftIn         => units_in(FundRefType::Gift);
    /// A gift by the customer.
    GiftOut        => units_out(FundRefType::Gift, Settled);
    /// Units are inherited.
    InheritanceIn  => units_in(FundRefType::Inheritance);
    /// Units go to heirs.
    InheritanceOut => units_out(FundRefType::Inheritance, Settled);
}
