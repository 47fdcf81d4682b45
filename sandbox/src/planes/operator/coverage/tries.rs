//! What makes happen what was never met: operations of this server, a row each, with the body that does it.
//!
//! Invariant: a test holds each row against the operations that there are, and each body against what its operation reads. Absent on
//! purpose: words about operations, which their rows have.

use feed::session::Close;
use hosting::coverage::{RequestFault, SocketEnd};
use sim::Class;
use sim::machines::{account, journey, mandate, mobile_payment, order, payment, submission, transfer};
use sim::time::Date;

/// An operation by its name, with a body where a particular one is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Try {
    pub operation: &'static str,
    pub body: Option<String>,
}

fn plain(operation: &'static str) -> Try {
    Try { operation, body: None }
}

fn with(operation: &'static str, body: &str) -> Try {
    Try { operation, body: Some(body.to_owned()) }
}

fn all(operations: &[&'static str]) -> Vec<Try> {
    operations.iter().map(|operation| plain(operation)).collect()
}

/// A fault rule for requests of the partner API.
fn fault(verdict: &str) -> Vec<Try> {
    vec![with("addFault", &format!(r#"{{"match":{{"path":"/v2/**","times":1}},"verdict":{verdict}}}"#))]
}

/// A fault rule for deliveries.
fn of_deliveries(fault: &str) -> Vec<Try> {
    let body = format!(r#"{{"match":{{"times":1}},"verdict":{{"deliveries":"{fault}"}}}}"#);
    vec![plain("registerWebhook"), with("addFault", &body)]
}

/// What has any request answered with this status.
pub(super) fn of_status(status: u16) -> Vec<Try> {
    fault(&format!(r#"{{"answer":{{"status":{status}}}}}"#))
}

/// What does this to a request.
pub(super) fn of_fault(done: RequestFault) -> Vec<Try> {
    fault(match done {
        RequestFault::Late => r#"{"delay":{"ms":10000}}"#,
        RequestFault::DroppedBefore => r#"{"drop":"before"}"#,
        RequestFault::DroppedAfter => r#"{"drop":"after"}"#,
    })
}

/// What is refused in this class.
pub(super) fn of_refusal(class: Class) -> Vec<Try> {
    match class {
        Class::OutOfScope => all(&["readClient"]),
        Class::Malformed => vec![with("createOrder", r#"{"orderType":"subscription","amount":-1}"#)],
        Class::Unknown => all(&["readOrder"]),
        Class::AccountNotActive => all(&["closeAccount", "createOrder"]),
        Class::ExecutorMismatch => all(&["createOrderWithdrawal"]),
        Class::InstrumentUnknown | Class::NotInUniverse | Class::NotEligible | Class::OutsideLimits => {
            all(&["createOrder"])
        }
        Class::NotTradable => vec![with("setTrading", r#"{"isBuyable":false}"#), plain("createOrder")],
        Class::BadTarget => all(&["createRedemptionTransfer", "createWithdrawal"]),
        Class::Insufficient => all(&["createOrder", "createWithdrawal"]),
        Class::NotAllowedNow => vec![with("advance", r#"{"until":"cutOff"}"#), plain("cancelOrder")],
        Class::Conflict => all(&["releaseOrder"]),
    }
}

/// What repeats a `clientRef` that must be used once.
pub(super) fn of_repetition() -> Vec<Try> {
    all(&["createInstruction"])
}

/// What a record begins with.
pub(super) fn of_beginning(machine: &str) -> Vec<Try> {
    match machine {
        "order" => all(&["createOrder"]),
        "account" | "bankAccount" => all(&["openAccount", "createJourney"]),
        "mobilePayment" => all(&["createMobilePayment"]),
        "instruction" | "payment" => all(&["createInstruction"]),
        _ => all(&["createJourney", "completeJourney"]),
    }
}

/// A machine, a trigger, and what pulls it: operations with the bodies that matter.
type MoveRow = (&'static str, &'static str, &'static [(&'static str, Option<&'static str>)]);

/// What takes a row of a machine's table, by the trigger of the row.
#[rustfmt::skip]
const MOVES: &[MoveRow] = &[
    (order::TABLE.name, "Accept",   &[("advance", Some(r#"{"until":"next"}"#))]),
    (order::TABLE.name, "Park",     &[("holdOrder", None)]),
    (order::TABLE.name, "Release",  &[("releaseOrder", None)]),
    (order::TABLE.name, "Cancel",   &[("cancelOrder", None)]),
    (order::TABLE.name, "Stop",     &[("rejectOrder", None)]),
    (order::TABLE.name, "Lapse",    &[("holdOrder", None), ("advance", Some(r#"{"by":"10 bank days"}"#))]),
    (order::TABLE.name, "CutOff",   &[("advance", Some(r#"{"until":"cutOff"}"#))]),
    (order::TABLE.name, "Route",    &[("advance", Some(r#"{"by":"1 bank days"}"#))]),
    (order::TABLE.name, "Refuse",   &[("advance", Some(r#"{"until":"cutOff"}"#)), ("rejectOrder", None)]),
    (order::TABLE.name, "Price",    &[("advance", Some(r#"{"by":"3 bank days"}"#))]),
    (order::TABLE.name, "Void",     &[("createOrder", None), ("splitFund", Some(r#"{"factor":0.0001}"#))]),
    (order::TABLE.name, "Settle",   &[("advance", Some(r#"{"until":"settlement"}"#))]),
    (account::TABLE.name, "Sign",    &[("confirmAccount", None)]),
    (account::TABLE.name, "Refuse",  &[("rejectAccount", None)]),
    (account::TABLE.name, "Lapse",   &[("createJourney", None), ("advance", Some(r#"{"by":"P200D"}"#))]),
    (account::TABLE.name, "Approve", &[("approveAccount", None)]),
    (account::TABLE.name, "Close",   &[("closeAccount", None)]),
    (account::TABLE.name, "Delete",  &[("closeAccount", None)]),
    (account::TABLE.name, "Purge",   &[("rejectAccount", None), ("purgeAccount", None)]),
    (journey::TABLE.name, "Open",     &[("openJourney", None)]),
    (journey::TABLE.name, "Complete", &[("completeJourney", None)]),
    (journey::TABLE.name, "Abort",    &[("cancelJourney", None)]),
    (journey::TABLE.name, "Fail",     &[("failJourney", Some(r#"{"code":"OTHER_ERROR"}"#))]),
    (journey::TABLE.name, "Expire",   &[("expireJourney", None)]),
    (submission::TABLE.name, "Begin",  &[("createJourney", None), ("completeJourney", None)]),
    (submission::TABLE.name, "Finish", &[("confirmAccount", None)]),
    (submission::TABLE.name, "Refuse", &[("rejectAccount", None)]),
    (mandate::TABLE.name, "Sign",   &[("createJourney", None), ("completeJourney", None)]),
    (mandate::TABLE.name, "Accept", &[("adviseMandate", Some(r#"{"code":"32"}"#))]),
    (mandate::TABLE.name, "Refuse", &[("adviseMandate", Some(r#"{"code":"03"}"#))]),
    (mandate::TABLE.name, "Note",   &[("adviseMandate", Some(r#"{"code":"10"}"#))]),
    (mandate::TABLE.name, "Revoke", &[("adviseMandate", Some(r#"{"code":"02"}"#))]),
    (mandate::TABLE.name, "Close",  &[("adviseMandate", Some(r#"{"code":"98"}"#))]),
    ("bankAccount", "Pass", &[("checkBankAccount", Some(r#"{"outcome":"pass"}"#))]),
    ("bankAccount", "Fail", &[("checkBankAccount", Some(r#"{"outcome":"fail"}"#))]),
    (transfer::TABLE.name, "Send",     &[("advance", Some(r#"{"by":"2 bank days"}"#))]),
    (transfer::TABLE.name, "Accept",   &[("acceptTransfer", None)]),
    (transfer::TABLE.name, "Refuse",   &[("rejectTransfer", None)]),
    (transfer::TABLE.name, "Complete", &[("completeTransfer", None)]),
    (transfer::TABLE.name, "Cancel",   &[("rejectAccount", None)]),
    (mobile_payment::TABLE.name, "Pay",        &[("payMobilePayment", None)]),
    (mobile_payment::TABLE.name, "Decline",    &[("declineMobilePayment", None)]),
    (mobile_payment::TABLE.name, "Fail",       &[("failMobilePayment", Some(r#"{"errorCode":"RF07"}"#))]),
    (mobile_payment::TABLE.name, "TimeOut",    &[("advance", Some(r#"{"by":"PT10M"}"#))]),
    (mobile_payment::TABLE.name, "Cancel",     &[("closeAccount", None)]),
    (mobile_payment::TABLE.name, "LoseAnswer", &[("failMobilePayment", Some(r#"{"errorCode":"DS24"}"#))]),
    ("instruction", "Cut",    &[("createInstruction", None), ("advance", Some(r#"{"by":"1 bank days"}"#))]),
    ("instruction", "Finish", &[("createInstruction", None), ("advance", Some(r#"{"by":"3 bank days"}"#))]),
    (payment::TABLE.name, "Retry",  &[("createInstruction", None), ("advance", Some(r#"{"by":"3 bank days"}"#))]),
    (payment::TABLE.name, "Pay",    &[("createInstruction", None), ("advance", Some(r#"{"by":"3 bank days"}"#))]),
    (payment::TABLE.name, "Fail",   &[("failPayment", Some(r#"{"reasonCode":"03"}"#))]),
    (payment::TABLE.name, "Refund", &[("refundPayment", None)]),
];

/// What takes a row of `machine` on `trigger`.
pub(super) fn of_move(machine: &str, trigger: &str) -> Vec<Try> {
    let row = MOVES.iter().find(|(known, on, _)| *known == machine && *on == trigger);
    let tries = row.map(|(.., tries)| *tries).unwrap_or_default();
    tries.iter().map(|(operation, body)| Try { operation, body: body.map(str::to_owned) }).collect()
}

/// What gives this reason to a record of `machine`.
pub(super) fn of_reason(machine: &str, code: &str) -> Vec<Try> {
    use sim::records::{MobilePaymentRefusal, ParkingCheck, PaymentReason};
    if machine == order::TABLE.name {
        let check = ParkingCheck::ALL.into_iter().find(|check| check.name() == code);
        return match check {
            Some(ParkingCheck::Sanctions) => {
                vec![with("screen", r#"{"ssn":"191212121212","hit":"sanctions"}"#), plain("createOrder")]
            }
            Some(ParkingCheck::ClosedFund) => {
                vec![plain("createOrder"), with("setTrading", r#"{"isBuyable":false}"#)]
            }
            Some(ParkingCheck::ExpiredKyc) => vec![with("advance", r#"{"by":"P400D"}"#), plain("createOrder")],
            Some(ParkingCheck::LargeOrder) => {
                vec![with("changeSettings", r#"{"world":{"holdAbove":1000}}"#), plain("createOrder")]
            }
            Some(ParkingCheck::FundKnowledge) => {
                vec![with("openAccount", r#"{"fundKnowledge":false}"#), plain("createOrder")]
            }
            Some(ParkingCheck::BackOffice) | None => all(&["holdOrder"]),
        };
    }
    if machine == journey::TABLE.name {
        let fails = [with("failJourney", &format!(r#"{{"code":"{code}"}}"#))];
        return if code == "USER_ERROR" { all(&["cancelJourney"]) } else { fails.to_vec() };
    }
    if machine == payment::TABLE.name {
        return if PaymentReason::by_lever().any(|reason| reason.code() == code) {
            vec![with("failPayment", &format!(r#"{{"reasonCode":"{code}"}}"#))]
        } else {
            vec![plain("createInstruction"), with("advance", r#"{"by":"5 bank days"}"#)]
        };
    }
    let error = format!(r#"{{"errorCode":"{code}"}}"#);
    match code {
        _ if MobilePaymentRefusal::ALL.iter().any(|refusal| refusal.name() == code) => {
            vec![with("refusePayers", &error), plain("createMobilePayment")]
        }
        "DECLINED" => all(&["declineMobilePayment"]),
        "CANCELLED" => all(&["closeAccount"]),
        _ => vec![with("failMobilePayment", &error)],
    }
}

/// What has an event of this type sent.
pub(super) fn of_event(event_type: &str) -> Vec<Try> {
    let causes: &[&'static str] = match event_type {
        "account.create" => &["openAccount"],
        "account.update" | "order.create" | "cashTransaction.create" | "fundTransaction.create" => &["createOrder"],
        "account.delete" => &["closeAccount"],
        "client.update" => &["patchClient"],
        "client.delete" => &["purgeClient"],
        "cashTransaction.delete" => &["purgeCashTransaction"],
        "fundTransaction.delete" => &["purgeFundTransaction"],
        "order.update" => &["holdOrder"],
        "order.delete" => &["purgeOrder"],
        "instrument.reloaded" => &["setTrading"],
        "journey.update" => &["openJourney"],
        "journey.delete" => &["purgeJourney"],
        "journey.callback" => return all(&["createJourney", "completeJourney"]),
        "webhook.test" => return all(&["registerWebhook", "testWebhook"]),
        _ => return vec![plain("subscribe"), plain("createOrder"), with("advance", r#"{"until":"settlement"}"#)],
    };
    all(&["subscribe"]).into_iter().chain(all(causes)).collect()
}

/// What ends a socket so; nothing where it is not to be met.
pub(super) fn of_socket(end: SocketEnd) -> Vec<Try> {
    let how = match end {
        SocketEnd::Closed(Close::Cap) => "cap",
        SocketEnd::Closed(Close::GoingAway) => "graceful",
        SocketEnd::Cut => "close",
        SocketEnd::Stalled => "stall",
        SocketEnd::Closed(Close::TooSlow) | SocketEnd::Left | SocketEnd::Broken => return all(&["subscribe"]),
    };
    vec![plain("subscribe"), with("closeSockets", &format!(r#"{{"how":"{how}"}}"#))]
}

/// What has an attempt to deliver end so.
pub(super) fn of_delivery(outcome: &str) -> Vec<Try> {
    match outcome {
        // A webhook is gone once its receiver has answered 410.
        "received" | "gone" => all(&["registerWebhook", "testWebhook"]),
        "received after a failure" | "failed" => of_deliveries("fail"),
        "refused" => of_deliveries("refuse"),
        fault => of_deliveries(fault),
    }
}

/// What takes the clock to a day, at noon.
pub(super) fn of_day(day: Date) -> Vec<Try> {
    vec![with("advance", &format!(r#"{{"to":"{day}T12:00:00Z"}}"#))]
}
