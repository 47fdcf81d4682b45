//! The kinds of money that come into investors' accounts, and that leave them: each booking has one.
//!
//! Invariant: every kind of booking is in one row. Absent on purpose: amounts.

use crate::frame::ink::{self, Ink};
use sim::records::{CashBooking, PlatformAccount};

/// Why money comes into accounts, or leaves them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MoneyKind {
    Before,
    Opening,
    Bankgiro,
    Mobile,
    Instructed,
    Custodians,
    Gifts,
    Returned,
    FromSuspense,
    MovedIn,
    Sales,
    ActionsPaid,
    Retrocessions,
    Endowments,
    CorrectedUp,
    Purchases,
    Withdrawals,
    Refunds,
    Donations,
    MovedOut,
    PlatformFees,
    Exchange,
    PartnerFees,
    YieldTax,
    InsurerFees,
    Heirs,
    CorrectedDown,
    After,
}

use MoneyKind::{
    ActionsPaid, After, Bankgiro, Before, CorrectedDown, CorrectedUp, Custodians, Donations, Endowments, Exchange,
    FromSuspense, Gifts, Heirs, Instructed, InsurerFees, Mobile, MovedIn, MovedOut, Opening, PartnerFees, PlatformFees,
    Purchases, Refunds, Retrocessions, Returned, Sales, Withdrawals, YieldTax,
};

impl MoneyKind {
    /// The kind of a booking.
    pub(super) const fn of(booking: CashBooking) -> Self {
        match booking {
            CashBooking::Opening => Opening,
            CashBooking::Bankgiro => Bankgiro,
            CashBooking::MobilePayment => Mobile,
            CashBooking::Instructed => Instructed,
            CashBooking::TransferredIn => Custodians,
            CashBooking::Gift | CashBooking::Inheritance => Gifts,
            CashBooking::PayoutReturned => Returned,
            CashBooking::FromSuspense => FromSuspense,
            CashBooking::SaleMovedIn => MovedIn,
            CashBooking::Sale => Sales,
            CashBooking::ActionPaid | CashBooking::Dividend => ActionsPaid,
            CashBooking::Retrocession => Retrocessions,
            CashBooking::Endowment => Endowments,
            CashBooking::Compensation | CashBooking::CorrectedUp => CorrectedUp,
            CashBooking::Purchase => Purchases,
            CashBooking::SalePayout | CashBooking::ClosingPayout | CashBooking::PartnerWithdrawal => Withdrawals,
            CashBooking::ChargeRefunded => Refunds,
            CashBooking::Donation => Donations,
            CashBooking::SaleMovedOut => MovedOut,
            CashBooking::ServiceFee => PlatformFees,
            CashBooking::PurchaseFxFee | CashBooking::SaleFxFee => Exchange,
            CashBooking::PartnerFee | CashBooking::ClientFee => PartnerFees,
            CashBooking::InsuranceTax => YieldTax,
            CashBooking::InsuranceFee | CashBooking::RiskPremium => InsurerFees,
            CashBooking::HeirsPaid => Heirs,
            CashBooking::CorrectedDown => CorrectedDown,
        }
    }

    /// Whether it comes into accounts.
    pub(super) fn comes(self) -> bool {
        self < Purchases
    }

    /// What pictures and texts call it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Before => "cash before",
            Opening => "opening balances",
            Bankgiro => "bankgiro payments",
            Mobile => "mobile payments",
            Instructed => "instructed payments",
            Custodians => "transfers in",
            Gifts => "gifts, inheritances",
            Returned => "returned payouts",
            FromSuspense => "out of suspense",
            MovedIn => "from other accounts",
            Sales => "sales of funds",
            ActionsPaid => "dividends, actions",
            Retrocessions => "retrocessions",
            Endowments => "endowments",
            CorrectedUp => "compensations",
            Purchases => "purchases of funds",
            Withdrawals => "withdrawals",
            Refunds => "refunded charges",
            Donations => "donations",
            MovedOut => "to other accounts",
            PlatformFees => "platform fees",
            Exchange => "currency exchange",
            PartnerFees => "partner fees",
            YieldTax => "yield tax",
            InsurerFees => "insurer's fees",
            Heirs => "paid to heirs",
            CorrectedDown => "corrections",
            After => "cash after",
        }
    }

    pub(super) const fn ink(self) -> &'static Ink {
        match self {
            Before | After => &ink::VALUE,
            Opening | Bankgiro | Mobile | Instructed | Custodians | Gifts | Returned | FromSuspense | Endowments => {
                &ink::DEPOSIT
            }
            MovedIn | MovedOut | CorrectedUp | CorrectedDown => &ink::OTHER,
            Sales | ActionsPaid => &ink::SELL,
            Retrocessions => &ink::RETROCESSION,
            Purchases => &ink::BUY,
            Withdrawals | Refunds | Donations | Heirs => &ink::WITHDRAWAL,
            PlatformFees | Exchange | PartnerFees | YieldTax | InsurerFees => &ink::FEE,
        }
    }
}

/// What a picture calls one of the platform's accounts where no fund is known.
pub(super) const fn outsider(account: PlatformAccount) -> &'static str {
    match account {
        PlatformAccount::Bank => "bank",
        PlatformAccount::FundOrders => "fund companies",
        PlatformAccount::Fees => "platform",
        PlatformAccount::PartnerFees => "partners",
        PlatformAccount::Insurer => "insurer",
        PlatformAccount::InternalTransfers => "internal transfers",
        PlatformAccount::Suspense => "suspense",
        PlatformAccount::Opening => "before the world",
    }
}
