//! The words of each reason, what ends it by itself, and what helps: a row each (rule: events/explanations).
//!
//! Invariant: what helps is an operation that this server has. Absent on purpose: which reasons there are, which is the world's.

use sim::machines::order::Trigger;
use sim::query::Reason;
use sim::records::{ParkingCheck, SuspenseReason};

/// The words of a reason.
pub(super) struct ReasonRow {
    /// Its name in answers.
    pub name: &'static str,
    /// Why, with `{}` where the figure or word belongs.
    pub says: &'static str,
    /// What happens at the instant at which it ends by itself; nothing where it never does.
    pub then: Option<&'static str>,
    /// What helps, in the order in which it is to be tried.
    pub cures: &'static [Cure],
}

/// Something that helps: the operation that does it (none where a person does it on the hosted pages), and what it does here.
pub(super) type Cure = (Option<&'static str>, &'static str);

const fn row(name: &'static str, says: &'static str, then: Option<&'static str>, cures: &'static [Cure]) -> ReasonRow {
    ReasonRow { name, says, then, cures }
}

const CANCELS: Option<&str> = Some("the order is canceled");
const RELEASE: Cure = (Some("releaseOrder"), "release the order");
const CANCEL: Cure = (Some("cancelOrder"), "cancel the order");
const RENEW: Cure = (None, "a completed kycRenewal journey renews it, for later orders too");
const ALLOCATE: Cure = (Some("allocateSuspense"), "give the money to an active account");
const RETURN: Cure = (Some("returnSuspense"), "send the money back to its payer");

/// The row of a reason.
pub(super) const fn row_of(reason: Reason) -> ReasonRow {
    match reason {
        Reason::FirstCheck => {
            row("firstCheck", "it waits for its first check", Some("it is accepted or put on hold"), &[CANCEL])
        }
        Reason::Parked(check) => on_hold(check),
        Reason::CutOff => {
            row("cutOff", "it waits for the cut-off of its fund", Some("the cut-off takes it"), &[CANCEL])
        }
        Reason::Routing => row("routing", "it waits for the routing intermediary's answer", None, &[]),
        Reason::Price => row(
            "price",
            "it waits for the price of its dealing day",
            Some("the price is published"),
            &[(Some("setPrice"), "publish the price")],
        ),
        Reason::Settlement => row("settlement", "it waits for its settlement", Some("units and cash are posted"), &[]),
        Reason::Canceled(on) => canceled(on),
        Reason::Approval => row(
            "approval",
            "it waits for the platform's approval",
            Some("the platform decides"),
            &[(Some("approveAccount"), "approve it"), (Some("rejectAccount"), "refuse it")],
        ),
        Reason::Signatures => row(
            "signatures",
            "it waits for signatures",
            Some("the application is refused"),
            &[(Some("confirmAccount"), "give every signature that is missing")],
        ),
        Reason::ApplicationRefused => row("applicationRefused", "the application was refused", None, &[]),
        Reason::Closing => row(
            "closing",
            "it is being closed: it waits until everything is sold and paid out",
            Some("the platform looks at it again"),
            &[],
        ),
        Reason::PayoutReturned => row(
            "payoutReturned",
            "its last payout came back",
            Some("the payout is tried again"),
            &[
                (None, "a connectBankAccount journey gives another bank account"),
                (Some("closeAccount"), "try the payout on the next bank day"),
            ],
        ),
        Reason::OwnerSanctioned => row(
            "ownerSanctioned",
            "the owner is on a list of sanctions: orders are put on hold, payouts are refused",
            None,
            &[(Some("screen"), "take the owner off the lists")],
        ),
        Reason::KycExpired => row(
            "kycExpired",
            "the KYC answers held until {}: orders are put on hold",
            None,
            &[(None, "a completed kycRenewal journey renews them")],
        ),
        Reason::Suspense(why) => suspended(why),
        _ => of_others(reason),
    }
}

const fn on_hold(check: ParkingCheck) -> ReasonRow {
    match check {
        ParkingCheck::Sanctions => row(
            "sanctions",
            "the owner is on a list of sanctions",
            CANCELS,
            &[(Some("screen"), "take the owner off the lists"), RELEASE, CANCEL],
        ),
        ParkingCheck::ClosedFund => row(
            "closedFund",
            "the fund is closed on this side",
            CANCELS,
            &[(Some("setTrading"), "open the fund"), RELEASE, CANCEL],
        ),
        ParkingCheck::ExpiredKyc => {
            row("expiredKyc", "the owner's KYC answers held until {}", CANCELS, &[RELEASE, RENEW, CANCEL])
        }
        ParkingCheck::LargeOrder => {
            row("largeOrder", "the order is above {} SEK (setting holdAbove)", CANCELS, &[RELEASE, CANCEL])
        }
        ParkingCheck::FundKnowledge => row(
            "fundKnowledge",
            "the fund is complex, and the owner has not shown knowledge of such funds",
            CANCELS,
            &[RELEASE, (None, "a kycRenewal journey that shows the knowledge, for later orders"), CANCEL],
        ),
        ParkingCheck::BackOffice => row("backOffice", "the back office put it on hold", CANCELS, &[RELEASE, CANCEL]),
    }
}

const fn canceled(on: Trigger) -> ReasonRow {
    let says = match on {
        Trigger::Cancel => "the partner canceled it",
        Trigger::Lapse => "it was not released from hold in time",
        Trigger::Refuse => "the routing intermediary refused the aggregated order",
        Trigger::Void => "at its price it comes to zero units",
        _ => "the platform stopped it: its fund, its account or the back office",
    };
    let name = match on {
        Trigger::Cancel => "canceledByPartner",
        Trigger::Lapse => "holdLapsed",
        Trigger::Refuse => "refusedByIntermediary",
        Trigger::Void => "roundsToNothing",
        _ => "stopped",
    };
    row(name, says, None, &[])
}

const fn suspended(why: SuspenseReason) -> ReasonRow {
    match why {
        SuspenseReason::UnknownReference => row(
            "unknownReference",
            "{} SEK is in suspense: the reference belongs to no account and no payment",
            None,
            &[ALLOCATE, RETURN],
        ),
        SuspenseReason::AccountNotActive => row(
            "accountNotActive",
            "{} SEK is in suspense: the account was not active when it came",
            None,
            &[ALLOCATE, RETURN],
        ),
        SuspenseReason::OtherAmount => row(
            "otherAmount",
            "{} SEK is in suspense: the payment with this reference is over another amount",
            None,
            &[ALLOCATE, RETURN],
        ),
    }
}

/// Bank accounts, transfers, payments and journeys.
const fn of_others(reason: Reason) -> ReasonRow {
    match reason {
        Reason::BankCheck => row(
            "bankCheck",
            "the bank account waits for its check",
            Some("the check ends"),
            &[(Some("checkBankAccount"), "finish the check")],
        ),
        Reason::BankCheckFailed => row(
            "bankCheckFailed",
            "the check of the bank account failed: it receives no payouts",
            None,
            &[(None, "a connectBankAccount journey gives another bank account")],
        ),
        Reason::MandateAnswer => row(
            "mandateAnswer",
            "the autogiro mandate waits for the bank",
            Some("the bank answers"),
            &[(Some("adviseMandate"), "answer as the bank, with code 32")],
        ),
        Reason::MandateRefused => row(
            "mandateRefused",
            "the bank refused the autogiro mandate, or closed its account: nothing can be charged",
            None,
            &[(None, "a connectBankAccount journey signs another mandate")],
        ),
        Reason::TransferSend => {
            row("transferSend", "the transfer waits for its account to be active", Some("it is sent"), &[])
        }
        Reason::TransferAnswer => row(
            "transferAnswer",
            "the transfer waits for the ceding custodian's answer",
            Some("the custodian agrees"),
            &[(Some("acceptTransfer"), "agree as the custodian"), (Some("rejectTransfer"), "refuse as the custodian")],
        ),
        Reason::TransferDelivery => row(
            "transferDelivery",
            "the transfer waits for the ceding custodian's delivery",
            Some("units and cash arrive"),
            &[(Some("completeTransfer"), "deliver as the custodian")],
        ),
        Reason::TransferRefused => row("transferRefused", "the ceding custodian refused the transfer", None, &[]),
        Reason::TransferCanceled => {
            row("transferCanceled", "the account of the transfer was refused or closed", None, &[])
        }
        Reason::BankgiroBooking => {
            row("bankgiroBooking", "the payment waits for its booking", Some("it is booked"), &[])
        }
        Reason::PaymentFile => row(
            "paymentFile",
            "it waits for the file of the day, or for the payer's transfer",
            None,
            &[(Some("payByBankgiro"), "pay a bank transfer by its reference")],
        ),
        Reason::Charge => row(
            "charge",
            "it waits for its charge",
            Some("the bank account is charged"),
            &[(Some("failPayment"), "refuse the charge as the bank")],
        ),
        Reason::ChargeAgain => row(
            "chargeAgain",
            "the bank answered: {}",
            Some("the bank account is charged again"),
            &[(Some("failPayment"), "refuse the charge as the bank")],
        ),
        Reason::PaymentFailed => row("paymentFailed", "the bank answered: {}", None, &[]),
        Reason::Payer => row(
            "payer",
            "it waits for the payer",
            Some("the payer's time is up"),
            &[(Some("payMobilePayment"), "pay"), (Some("declineMobilePayment"), "decline")],
        ),
        Reason::LateAnswer => row(
            "lateAnswer",
            "the banks have not answered: money may still come",
            Some("the banks answer late"),
            &[(Some("payMobilePayment"), "answer as the banks")],
        ),
        Reason::MobilePaymentFailed => row("mobilePaymentFailed", "it ended with the error {}", None, &[]),
        Reason::Customer => row(
            "customer",
            "it waits for the customer, at the step {}",
            Some("the link expires"),
            &[(Some("completeJourney"), "walk the remaining steps"), (Some("cancelJourney"), "leave as the customer")],
        ),
        Reason::CustomerLeft => row("customerLeft", "the customer left, with the error code {}", None, &[]),
        Reason::JourneyFailed => row("journeyFailed", "it failed with the error code {}", None, &[]),
        _ => row("journeyExpired", "the customer did not finish before the link expired", None, &[]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use surface::route::Route;

    /// (rule: events/explanations)
    #[test]
    fn every_reason_has_words_of_its_own_and_all_that_helps_is_an_operation_of_this_server() {
        let operations: BTreeSet<_> = crate::rows().filter_map(Route::operation_id).collect();
        let rows: Vec<_> = Reason::all().into_iter().map(row_of).collect();
        let names: BTreeSet<_> = rows.iter().map(|row| row.name).collect();
        assert_eq!(names.len(), rows.len(), "a reason has no name of its own");
        for row in rows {
            assert!(!row.says.is_empty() && row.says.matches("{}").count() <= 1, "{}", row.name);
            for (operation, _) in row.cures {
                assert!(operation.is_none_or(|id| operations.contains(id)), "{}: {operation:?}", row.name);
            }
        }
    }
}
