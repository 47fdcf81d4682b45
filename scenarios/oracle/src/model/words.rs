//! The words of the API's closed vocabularies, and how messages write values: as the API does, and "none" where there is none.
//!
//! Invariant: nothing here is taken from the surface, so that a mistake there shows.

use super::figures::{self, Ore, Steps};
use rust_decimal::Decimal;
use sim::machines::{bank_account, journey, transfer};
use sim::records::{
    AbortReason, AccountStatus, AccountType, AutogiroEnforce, CashRefType, CashType, Category, DepositType, ErrorCode,
    FeeType, FundRefType, FundType, InstructionType, JourneyStep, JourneyType, KycStatus, LedgerAccount, MandateStatus,
    MobilePaymentError, MobilePaymentType, Output, OwnerType, Periodicity, ServiceType, Side, SubmissionStatus,
    TransferEnforce, TransferKind, WelcomeScreen,
};
use sim::refusal::Class;
use std::fmt::Display;

/// A value of a closed vocabulary.
pub trait Word: Copy {
    /// What the API calls it.
    fn word(self) -> &'static str;
}

macro_rules! vocabularies {
    ($($name:ty { $($variant:ident $word:literal)* })*) => {$(
        impl Word for $name {
            fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),*
                }
            }
        }
    )*};
}

vocabularies! {
    AccountType { Isk "isk" Depot "depot" Insurance "insurance" }
    AccountStatus { Pending "pending" Active "active" Rejected "rejected" Confirm "confirm" Closing "closing" }
    ServiceType {
        PortfolioManagement "portfolioManagement" InvestmentAdvise "investmentAdvise" ExecutionOnly "executionOnly"
    }
    Category { Retail "retail" Pro "pro" }
    OwnerType { NaturalPerson "natural_person" LegalEntity "legal_entity" }
    MandateStatus { Missing "missing" Invalid "invalid" Pending "pending" Active "active" }
    FeeType { ClientFee "client_fee" PartnerFee "partner_fee" ServiceFee "service_fee" }
    Side { Subscription "subscription" Redemption "redemption" }
    CashType {
        Deposit "deposit" Withdrawal "withdrawal" Subscription "subscription" Redemption "redemption"
        TransferIn "transfer_in" TransferOut "transfer_out" Fee "fee" Retrocession "retrocession" FxFee "fxFee"
        Settlement "settlement"
    }
    CashRefType {
        ClientFee "client_fee" Correction "correction" Gift "gift" Compensations "compensations"
        Inheritance "inheritance" Dividend "dividend" Donation "donation" Endowment101 "endowment_101"
        PartnerFee "partner_fee" ServiceFee "service_fee" InsuranceTax "insurance_tax" InsuranceFee "insurance_fee"
        RiskpremiaFee "riskpremia_fee" Transfer "transfer" Text "text" Order "order" Payment "payment" Ca "ca"
        Internal "internal" External "external"
    }
    FundType { Subscription "subscription" Redemption "redemption" }
    FundRefType {
        Text "text" Correction "correction" Transfer "transfer" Order "order" Ca "ca" Internal "internal"
        External "external" Gift "gift" Compensations "compensations" Inheritance "inheritance" Dividend "dividend"
        Endowment101 "endowment_101"
    }
    MobilePaymentType { SameDevice "same_device" OtherDevice "other_device" }
    MobilePaymentError {
        Declined "DECLINED" Cancelled "CANCELLED" Rf07 "RF07" BankIdCl "BANKIDCL" BankIdOngoing "BANKIDONGOING"
        BankIdUnkn "BANKIDUNKN" Ff10 "FF10" Tm01 "TM01" Ds24 "DS24"
    }
    InstructionType { Autogiro "autogiro" BankTransfer "bankTransfer" }
    AbortReason { ReferencedOrderCanceled "referenced_order_canceled" }
    KycStatus { Valid "valid" Expiring "expiring" Expired "expired" Pending "pending" }
    JourneyType {
        CreateAccount "createAccount" CreateLegalEntityAccount "createLegalEntityAccount"
        AddBankAccount "addBankAccount" SignWithdrawal "signWithdrawal" UpdateAllocationPlan "updateAllocationPlan"
        UpdateSavingsPlan "updateSavingsPlan" SignSubmission "signSubmission" KycRenewal "kycRenewal"
    }
    JourneyStep {
        Welcome "welcome" Authentication "authentication" AccountDetails "accountDetails" Company "company" BeneficialOwners "beneficialOwners" Kyc "kyc"
        Transfer "transfer" BankAccount "bankAccount" AllocationPlan "allocationPlan" SavingsPlan "savingsPlan"
        Agreement "agreement" Signing "signing"
    }
    ErrorCode {
        User "USER_ERROR" Auth "AUTH_ERROR" Kyc "KYC_ERROR" Transfer "TRANSFER_ERROR" Sign "SIGN_ERROR"
        Other "OTHER_ERROR"
    }
    journey::State {
        New "new" Pending "pending" Canceled "canceled" Error "error" Complete "complete" Expired "expired"
    }
    transfer::State {
        New "new" Sent "sent" Accepted "accepted" Completed "completed" Rejected "rejected" Canceled "canceled"
    }
    bank_account::State { Pending "pending" Active "active" Rejected "rejected" }
    SubmissionStatus { New "new" Pending "pending" Complete "complete" Rejected "rejected" }
    TransferKind { Cash "cash" Units "units" }
    DepositType { Autogiro "autogiro" Manual "manual" }
    Periodicity { Monthly "monthly" Once "once" }
    AutogiroEnforce { Required "required" Optional "optional" None "none" }
    TransferEnforce { Required "required" Optional "optional" }
    Output { Cash "cash" Units "units" Ignore "ignore" }
    WelcomeScreen { Transfer "transfer" }
}

/// A value, or that there is none.
pub(crate) fn or_none(value: Option<impl Display>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| value.to_string())
}

/// The word of a value, or that there is none.
pub(crate) fn word_or_none(value: Option<impl Word>) -> &'static str {
    value.map_or("none", Word::word)
}

/// Values one after the other, or that there are none.
pub(crate) fn listed(values: impl IntoIterator<Item = impl Display>) -> String {
    let all: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}

/// That a command is accepted, or why it is refused.
pub(crate) fn outcome(class: Option<Class>) -> String {
    class.map_or_else(|| "accepted".to_owned(), |class| format!("refused: {}", class.about()))
}

/// Cash in SEK.
pub(crate) fn cash(ore: Ore) -> String {
    format!("{} SEK", figures::amount(ore))
}

/// Units of a fund.
pub(crate) fn units_of(steps: Steps, instrument: impl Display) -> String {
    format!("{} of {instrument}", figures::units(steps))
}

/// A price that is kept in millionths.
pub(crate) fn price(millionths: i64) -> String {
    Decimal::new(millionths, 6).normalize().to_string()
}

/// A share or a sum that is kept in steps of 10^-10.
pub(crate) fn ten_billionths(number: i128) -> String {
    Decimal::try_from_i128_with_scale(number, 10)
        .map_or_else(|_| format!("{number}e-10"), |it| it.normalize().to_string())
}

/// An account of the platform, or an investor's.
pub(crate) fn side_of(account: LedgerAccount) -> String {
    match account {
        LedgerAccount::Investor(id) => format!("account {id}"),
        LedgerAccount::Platform(account) => format!("the platform's account {}", account.name()),
    }
}
