//! What makes happen what was never met: operations of this server, a row each, with the body that does it.
//!
//! Invariant: a test holds each row against the operations that there are, and each body against what its operation reads. Absent on
//! purpose: words about operations, which their rows have.

use feed::event_types::{CALLBACK, TEST};
use feed::session::Close;
use hosting::coverage::{RequestFault, SocketEnd};
use sim::Class;
use sim::identity::InstrumentId;
use sim::identity::iban::{FIXED_OUTCOMES, IbanOutcome};
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

/// A fault rule for deliveries, and one that meets it.
fn of_deliveries(fault: &str) -> Vec<Try> {
    let body = format!(r#"{{"match":{{"times":1}},"verdict":{{"deliveries":"{fault}"}}}}"#);
    vec![plain("registerWebhook"), with("addFault", &body), plain("testWebhook")]
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

/// Funds of a world that some orders are refused or parked for, one of each kind that it has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SpecialFunds {
    /// One that a client of the partner does not offer.
    pub outside_universe: Option<InstrumentId>,
    /// One for professionals alone.
    pub professional: Option<InstrumentId>,
    /// One that is bought by those alone who have shown knowledge of funds.
    pub complex: Option<InstrumentId>,
}

/// An order for that fund.
fn of_fund(fund: Option<InstrumentId>) -> Option<Try> {
    fund.map(|fund| with("createOrder", &format!(r#"{{"instrument":"{fund}"}}"#)))
}

/// What is refused in this class; nothing where the world has nothing that is.
pub(super) fn of_refusal(class: Class, funds: SpecialFunds) -> Vec<Try> {
    let order = |body: &str| vec![with("createOrder", body)];
    match class {
        Class::OutOfScope => all(&["readClient"]),
        Class::Malformed => order(r#"{"amount":-1}"#),
        Class::Unknown => all(&["readOrder"]),
        Class::AccountNotActive => all(&["closeAccount", "createOrder"]),
        Class::ExecutorMismatch => order(r#"{"executorRef":"200002292399"}"#),
        Class::InstrumentUnknown => order(r#"{"instrument":"SE9999999991SEK"}"#),
        Class::NotInUniverse => of_fund(funds.outside_universe).into_iter().collect(),
        Class::NotTradable => vec![with("setTrading", r#"{"isBuyable":false}"#), plain("createOrder")],
        Class::NotEligible => of_fund(funds.professional).into_iter().collect(),
        Class::OutsideLimits => order(r#"{"amount":0.01}"#),
        Class::BadTarget => {
            vec![with("createWithdrawal", r#"{"bankAccount":"00000000-0000-4000-8000-000000000000"}"#)]
        }
        Class::Insufficient => order(r#"{"amount":1000000000}"#),
        Class::NotAllowedNow => vec![with("advance", CUT_OFF), plain("cancelOrder")],
        // Only levers are refused so.
        Class::Conflict => Vec::new(),
    }
}

/// What repeats a `clientRef` that must be used once.
pub(super) fn of_repetition() -> Vec<Try> {
    all(&["createInstruction", "createInstruction"])
}

/// An account whose owner has a bank account that can be charged, with what its number decides.
fn charged_account(outcome: IbanOutcome) -> Try {
    let iban = FIXED_OUTCOMES.iter().find(|row| row.1 == outcome).map_or("", |row| row.0);
    with("openAccount", &format!(r#"{{"bankAccounts":[{{"iban":"{iban}","mandateStatus":"active"}}]}}"#))
}

/// What a record begins with.
pub(super) fn of_beginning(machine: &str) -> Vec<Try> {
    match machine {
        "order" => all(&["createOrder"]),
        "bankAccount" => {
            vec![with("openAccount", r#"{"bankAccounts":[{"iban":"SE3750000000050000000035","validated":false}]}"#)]
        }
        "mobilePayment" => all(&["createMobilePayment"]),
        "instruction" | "payment" => all(&["createInstruction"]),
        "journey" => all(&["createJourney"]),
        "transfer" => {
            let journey = r#"{"journey":{"journeyType":"createAccount","transfer":{"enforce":"required"}}}"#;
            vec![with("createJourney", journey), plain("completeJourney")]
        }
        // A company whose signatories sign together: its application waits for the second of them.
        _ => vec![
            with("createJourney", r#"{"journey":{"journeyType":"createLegalEntityAccount"}}"#),
            with("completeJourney", r#"{"answers":{"accountDetails":{"crn":"5599900072"}}}"#),
        ],
    }
}

/// Until anything happens: an order is accepted.
const NEXT: &str = r#"{"until":"next"}"#;

/// To the cut-off at which an order leaves for its fund.
const CUT_OFF: &str = r#"{"until":"cutOff","order":"{orderId}"}"#;

/// Until an order is settled.
const SETTLEMENT: &str = r#"{"until":"settlement","order":"{orderId}"}"#;

/// A machine, a trigger, and what pulls it: operations with the bodies that matter. A trigger that is pulled otherwise in one state
/// has a row of its own for that.
type MoveRow = (&'static str, &'static str, &'static [(&'static str, Option<&'static str>)]);

/// What takes a row of a machine's table from the row's first state, by the trigger of the row. An order that rounds to nothing at its
/// price has none: its fund deals in few decimals, and no request makes it so.
#[rustfmt::skip]
const MOVES: &[MoveRow] = &[
    (order::TABLE.name, "Accept",   &[("advance", Some(NEXT))]),
    (order::TABLE.name, "Park",     &[("holdOrder", None)]),
    (order::TABLE.name, "Release",  &[("releaseOrder", None)]),
    (order::TABLE.name, "Cancel",   &[("cancelOrder", None)]),
    (order::TABLE.name, "Stop",     &[("rejectOrder", None)]),
    (order::TABLE.name, "Lapse",    &[("advance", Some(r#"{"by":"11 bank days"}"#))]),
    (order::TABLE.name, "CutOff",   &[("advance", Some(CUT_OFF))]),
    (order::TABLE.name, "Route",    &[("advance", Some(r#"{"by":"1 bank days"}"#))]),
    (order::TABLE.name, "Refuse",   &[("rejectOrder", None)]),
    (order::TABLE.name, "Price",    &[("advance", Some(r#"{"by":"3 bank days"}"#))]),
    (order::TABLE.name, "Settle",   &[("advance", Some(SETTLEMENT))]),
    (account::TABLE.name, "Sign",    &[("confirmAccount", None)]),
    (account::TABLE.name, "Refuse",  &[("rejectAccount", None)]),
    (account::TABLE.name, "Lapse",   &[("advance", Some(r#"{"by":"P200D"}"#))]),
    (account::TABLE.name, "Approve", &[("approveAccount", None)]),
    (account::TABLE.name, "Close",   &[("closeAccount", None)]),
    (account::TABLE.name, "Delete",  &[("closeAccount", None), ("advance", Some(r#"{"by":"5 bank days"}"#))]),
    (account::TABLE.name, "Purge",   &[("purgeAccount", None)]),
    (journey::TABLE.name, "Open",     &[("openJourney", None)]),
    (journey::TABLE.name, "Complete", &[("completeJourney", None)]),
    (journey::TABLE.name, "Abort",    &[("cancelJourney", None)]),
    (journey::TABLE.name, "Fail",     &[("failJourney", Some(r#"{"code":"OTHER_ERROR"}"#))]),
    (journey::TABLE.name, "Expire",   &[("expireJourney", None)]),
    (submission::TABLE.name, "Begin",  &[("createJourney", Some(r#"{"journey":{"journeyType":"createLegalEntityAccount"}}"#)), ("completeJourney", Some(r#"{"answers":{"accountDetails":{"crn":"5599900072"}}}"#))]),
    (submission::TABLE.name, "New on Finish", &[("createJourney", Some(r#"{"journey":{"journeyType":"createLegalEntityAccount"}}"#)), ("completeJourney", None)]),
    (submission::TABLE.name, "Finish", &[("confirmAccount", None)]),
    (submission::TABLE.name, "Refuse", &[("rejectAccount", None)]),
    (mandate::TABLE.name, "Sign",   &[("createJourney", Some(r#"{"journey":{"journeyType":"addBankAccount","autogiro":{"enforce":"required"}}}"#)), ("completeJourney", None)]),
    (mandate::TABLE.name, "Accept", &[("adviseMandate", Some(r#"{"code":"32"}"#))]),
    (mandate::TABLE.name, "Refuse", &[("adviseMandate", Some(r#"{"code":"03"}"#))]),
    (mandate::TABLE.name, "Note",   &[("adviseMandate", Some(r#"{"code":"10"}"#))]),
    (mandate::TABLE.name, "Revoke", &[("adviseMandate", Some(r#"{"code":"02"}"#))]),
    (mandate::TABLE.name, "Close",  &[("adviseMandate", Some(r#"{"code":"98"}"#))]),
    ("bankAccount", "Pass", &[("checkBankAccount", Some(r#"{"outcome":"pass"}"#))]),
    ("bankAccount", "Fail", &[("checkBankAccount", Some(r#"{"outcome":"fail"}"#))]),
    (transfer::TABLE.name, "Send",     &[("approveAccount", None), ("advance", Some(r#"{"by":"2 bank days"}"#))]),
    (transfer::TABLE.name, "Accept",   &[("acceptTransfer", None)]),
    (transfer::TABLE.name, "Refuse",   &[("rejectTransfer", None)]),
    (transfer::TABLE.name, "Complete", &[("completeTransfer", None)]),
    (transfer::TABLE.name, "Cancel",   &[("closeAccount", None)]),
    (mobile_payment::TABLE.name, "Pay",        &[("payMobilePayment", None)]),
    (mobile_payment::TABLE.name, "Decline",    &[("declineMobilePayment", None)]),
    (mobile_payment::TABLE.name, "Fail",       &[("failMobilePayment", Some(r#"{"errorCode":"RF07"}"#))]),
    (mobile_payment::TABLE.name, "TimeOut",    &[("createMobilePayment", Some(r#"{"amount":100.07}"#)), ("advance", Some(r#"{"by":"PT10M"}"#))]),
    (mobile_payment::TABLE.name, "Cancel",     &[("closeAccount", None)]),
    (mobile_payment::TABLE.name, "LoseAnswer", &[("failMobilePayment", Some(r#"{"errorCode":"DS24"}"#))]),
    ("instruction", "Cut",    &[("advance", Some(r#"{"by":"1 bank days"}"#))]),
    ("instruction", "Finish", &[("failPayment", Some(r#"{"reasonCode":"03"}"#))]),
    (payment::TABLE.name, "Pay",    &[("advance", Some(r#"{"by":"3 bank days"}"#))]),
    (payment::TABLE.name, "Fail",   &[("failPayment", Some(r#"{"reasonCode":"03"}"#))]),
    (payment::TABLE.name, "Refund", &[("refundPayment", None)]),
];

/// What takes the row of `machine` that leads from `from` on `trigger`.
pub(super) fn of_move(machine: &str, from: &str, trigger: &str) -> Vec<Try> {
    if (machine, trigger) == (payment::TABLE.name, "Retry") {
        return charged(IbanOutcome::ChargesFail, &[], 3);
    }
    let find = |pulled: &str| MOVES.iter().find(|(known, on, _)| *known == machine && *on == pulled);
    let row = find(&format!("{from} on {trigger}")).or_else(|| find(trigger));
    let tries = row.map(|(.., tries)| *tries).unwrap_or_default();
    tries.iter().map(|(operation, body)| Try { operation, body: body.map(str::to_owned) }).collect()
}

/// A charge of a bank account whose number decides the outcome, with what is done before the bank is asked.
fn charged(outcome: IbanOutcome, before: &[Try], bank_days: u8) -> Vec<Try> {
    let asked = [charged_account(outcome), with("createInstruction", r#"{"type":"autogiro"}"#)];
    let advance = with("advance", &format!(r#"{{"by":"{bank_days} bank days"}}"#));
    asked.into_iter().chain(before.iter().cloned()).chain([advance]).collect()
}

/// What gives this reason to a record of `machine`.
pub(super) fn of_reason(machine: &str, code: &str, funds: SpecialFunds) -> Vec<Try> {
    use sim::records::{MobilePaymentRefusal, ParkingCheck, PaymentReason};
    if machine == order::TABLE.name {
        let check = ParkingCheck::ALL.into_iter().find(|check| check.name() == code);
        return match check {
            Some(ParkingCheck::Sanctions) => {
                vec![with("screen", r#"{"ssn":"{ssn}","hit":"sanctions"}"#), plain("createOrder")]
            }
            Some(ParkingCheck::ClosedFund) => {
                vec![plain("createOrder"), with("setTrading", r#"{"isBuyable":false}"#)]
            }
            Some(ParkingCheck::ExpiredKyc) => vec![with("advance", r#"{"by":"P1100D"}"#), plain("createOrder")],
            Some(ParkingCheck::LargeOrder) => {
                let order = with("createOrder", r#"{"amount":2000}"#);
                vec![with("changeSettings", r#"{"world":{"holdAbove":1000}}"#), order]
            }
            Some(ParkingCheck::FundKnowledge) => {
                let account = with("openAccount", r#"{"fundKnowledge":false}"#);
                of_fund(funds.complex).map(|order| vec![account, order]).unwrap_or_default()
            }
            Some(ParkingCheck::BackOffice) | None => all(&["holdOrder"]),
        };
    }
    if machine == journey::TABLE.name {
        let fails = with("failJourney", &format!(r#"{{"code":"{code}"}}"#));
        return if code == "USER_ERROR" { all(&["cancelJourney"]) } else { vec![fails] };
    }
    if machine == payment::TABLE.name {
        // The file with the charge has been sent by then.
        let advised = |advice: &str| {
            let advice = format!(r#"{{"code":"{advice}"}}"#);
            [with("advance", r#"{"by":"1 bank days"}"#), with("adviseMandate", &advice)]
        };
        return match PaymentReason::all().find(|reason| reason.code() == code) {
            Some(PaymentReason::NoMoney) => charged(IbanOutcome::ChargesFail, &[], 6),
            Some(PaymentReason::NoMoneyYet) => charged(IbanOutcome::ChargesFail, &[], 3),
            Some(PaymentReason::NoMandate) => charged(IbanOutcome::Happy, &advised("02"), 3),
            Some(PaymentReason::NotApproved) => charged(IbanOutcome::Happy, &advised("98"), 3),
            _ => vec![with("failPayment", &format!(r#"{{"reasonCode":"{code}"}}"#))],
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
    let advance = |until: &str| with("advance", until);
    let sale = || with("createOrder", r#"{"orderType":"redemption","units":1}"#);
    // What was booked when the order was accepted, and is taken back.
    let canceled = |order: Try| vec![order, advance(NEXT), plain("cancelOrder")];
    let and = |mut tries: Vec<Try>, last: &'static str| {
        tries.push(plain(last));
        tries
    };
    let causes = match event_type {
        "account.create" => all(&["openAccount"]),
        "account.update" | "cashTransaction.create" => vec![with("openAccount", r#"{"cash":1000}"#)],
        "account.delete" => vec![plain("closeAccount"), advance(r#"{"by":"5 bank days"}"#)],
        "client.update" => vec![with("patchClient", r#"{"displayName":"Another name"}"#)],
        "client.delete" => return all(&["createClient", "subscribe", "purgeClient"]),
        "cashTransaction.update" => canceled(plain("createOrder")),
        "cashTransaction.delete" => and(canceled(plain("createOrder")), "purgeCashTransaction"),
        "fundTransaction.create" => vec![plain("createOrder"), advance(SETTLEMENT)],
        "fundTransaction.update" => canceled(sale()),
        "fundTransaction.delete" => and(canceled(sale()), "purgeFundTransaction"),
        "order.create" => all(&["createOrder"]),
        "order.update" => all(&["createOrder", "holdOrder"]),
        "order.delete" => all(&["createOrder", "cancelOrder", "purgeOrder"]),
        "instrument.reloaded" => vec![with("setTrading", r#"{"isBuyable":false}"#)],
        "journey.update" => all(&["createJourney", "openJourney"]),
        "journey.delete" => all(&["createJourney", "cancelJourney", "purgeJourney"]),
        CALLBACK => return all(&["createJourney", "cancelJourney"]),
        TEST => return all(&["registerWebhook", "testWebhook"]),
        _ => return Vec::new(),
    };
    all(&["subscribe"]).into_iter().chain(causes).collect()
}

/// What ends a socket so; nothing where it is not to be met.
pub(super) fn of_socket(end: SocketEnd) -> Vec<Try> {
    let how = match end {
        SocketEnd::Closed(Close::Cap) => "cap",
        SocketEnd::Closed(Close::GoingAway) => "graceful",
        SocketEnd::Cut => "close",
        SocketEnd::Stalled => "stall",
        // More events at once than are kept.
        SocketEnd::Closed(Close::TooSlow) => {
            return vec![plain("subscribe"), with("changeSettings", r#"{"eventsKept":1}"#), plain("openAccount")];
        }
        SocketEnd::Left | SocketEnd::Broken => return all(&["subscribe"]),
    };
    vec![plain("subscribe"), with("closeSockets", &format!(r#"{{"how":"{how}"}}"#))]
}

/// What has an attempt to deliver end so.
pub(super) fn of_delivery(outcome: &str) -> Vec<Try> {
    match outcome {
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
