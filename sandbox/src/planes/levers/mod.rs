//! Levers: what people and companies outside the partner API cause, under `/simulations` and with a partner's token
//! (rule: auth/lever-scope). By topic, as the partner API.
//!
//! Invariant: every lever is a command and answers the changed resource in its public shape; what the state does not
//! allow is 409 and changes nothing. Absent on purpose: shortcuts into the world, and the machinery of the sandbox itself,
//! which is `operator`.

pub mod accounts;
pub mod bank;
pub mod fees;
pub mod journeys;
pub mod orders;
pub mod payments;
pub mod purge;
pub mod securities;

use surface::auth::Resource;
use surface::route::{Route, RouteOwner, get, many, one, post};
use wire::accounts::Account;
use wire::accounts::transactions::{CashTransaction, FundTransaction};
use wire::bank::BankAccount;
use wire::clients::Client;
use wire::journeys::Journey;
use wire::journeys::steps::StepDescription;
use wire::orders::Order;
use wire::payments::bankgiro::BankgiroItem;
use wire::payments::instructions::Payment;
use wire::payments::mobile::MobilePayment;
use wire::securities::instruments::Instrument;
use wire::securities::transfers::Transfer;

const CUSTOMERS: &str = "Levers: customers";
const BANKS: &str = "Levers: banks";
const FUND_COMPANIES: &str = "Levers: fund companies";
const CUSTODIANS: &str = "Levers: custodians";
const PLATFORM: &str = "Levers: platform";

/// The routes, a row each: who may call it, its handler, its description.
pub(crate) fn routes() -> Vec<Route> {
    let groups = [customers(), banks(), fund_companies(), custodians(), platform(), purges()];
    groups.into_iter().flatten().map(Route::conflicts).collect()
}

/// What customers do, on pages or with their bank.
fn customers() -> Vec<Route> {
    vec![
        post("/simulations/journey/{journeyId}/open", journeys::open)
            .writes(Resource::Journey)
            .of(RouteOwner::Partner)
            .operation(CUSTOMERS, "openJourney", "Open the link of a journey")
            .rules("journeys/journey-levers, journeys/journey-link")
            .gives(one::<Journey<'_>>("The changed journey.")),
        get("/simulations/journey/{journeyId}/steps", journeys::steps)
            .reads(Resource::Journey)
            .of(RouteOwner::Partner)
            .operation(CUSTOMERS, "listJourneySteps", "List the steps that a journey shows")
            .rules("journeys/steps-in-order, journeys/long-steps")
            .gives(many::<StepDescription<'_>>("The steps with their fields.")),
        post("/simulations/journey/{journeyId}/answer", journeys::answer)
            .writes(Resource::Journey)
            .of(RouteOwner::Partner)
            .operation(CUSTOMERS, "answerJourneyStep", "Fill in one step of a journey")
            .rules("journeys/steps-in-order, journeys/journey-levers")
            .takes::<journeys::AnswerRequest>()
            .gives(one::<Journey<'_>>("The changed journey.")),
        post("/simulations/journey/{journeyId}/sign", journeys::sign)
            .writes(Resource::Journey)
            .of(RouteOwner::Partner)
            .operation(CUSTOMERS, "signJourney", "Authenticate or sign with the electronic identity")
            .rules("journeys/what-is-signed, journeys/one-signer")
            .may_take::<journeys::SignRequest>()
            .gives(one::<Journey<'_>>("The changed journey.")),
        post("/simulations/journey/{journeyId}/complete", journeys::complete)
            .writes(Resource::Journey)
            .of(RouteOwner::Partner)
            .operation(CUSTOMERS, "completeJourney", "Complete the remaining steps of a journey")
            .rules("journeys/completion-effects, journeys/journey-levers")
            .may_take::<journeys::CompleteRequest>()
            .gives(one::<Journey<'_>>("The changed journey.")),
        post("/simulations/journey/{journeyId}/cancel", journeys::cancel)
            .writes(Resource::Journey)
            .of(RouteOwner::Partner)
            .operation(CUSTOMERS, "cancelJourney", "Cancel a journey")
            .rules("journeys/journey-levers, journeys/journey-life")
            .may_take::<journeys::CancelRequest>()
            .gives(one::<Journey<'_>>("The changed journey.")),
        post("/simulations/journey/{journeyId}/fail", journeys::fail)
            .writes(Resource::Journey)
            .of(RouteOwner::Partner)
            .operation(CUSTOMERS, "failJourney", "Make a journey fail")
            .rules("journeys/error-codes, journeys/journey-levers")
            .takes::<journeys::FailRequest>()
            .gives(one::<Journey<'_>>("The changed journey.")),
        post("/simulations/journey/{journeyId}/expire", journeys::expire)
            .writes(Resource::Journey)
            .of(RouteOwner::Partner)
            .operation(CUSTOMERS, "expireJourney", "Expire the link of a journey")
            .rules("journeys/journey-life, journeys/journey-levers")
            .gives(one::<Journey<'_>>("The changed journey.")),
        post("/simulations/mobilepay/{mobilepayId}/pay", payments::mobile::pay)
            .writes(Resource::Account)
            .of(RouteOwner::Partner)
            .operation(CUSTOMERS, "payMobilePayment", "Pay a mobile payment, also after an unknown outcome")
            .rules("payments/mobile-payment-states")
            .gives(one::<MobilePayment<'_>>("The changed session.")),
        post("/simulations/mobilepay/{mobilepayId}/decline", payments::mobile::decline)
            .writes(Resource::Account)
            .of(RouteOwner::Partner)
            .operation(CUSTOMERS, "declineMobilePayment", "Decline a mobile payment")
            .rules("payments/mobile-payment-states, payments/mobile-payment-outcomes")
            .gives(one::<MobilePayment<'_>>("The changed session.")),
        post("/simulations/mobilepay/{mobilepayId}/fail", payments::mobile::fail)
            .writes(Resource::Account)
            .of(RouteOwner::Partner)
            .operation(CUSTOMERS, "failMobilePayment", "Make a mobile payment fail")
            .rules("payments/mobile-payment-states, payments/mobile-payment-outcomes")
            .takes::<payments::mobile::MobilePaymentFailure>()
            .gives(one::<MobilePayment<'_>>("The changed session.")),
        post("/simulations/account/{accountId}/mobilepay", payments::mobile::refuse_payers)
            .writes(Resource::Account)
            .of(RouteOwner::Partner)
            .operation(CUSTOMERS, "refusePayers", "Start or stop refusing mobile payments into an account")
            .rules("payments/mobile-payment-refused-payers")
            .may_take::<payments::mobile::PayerRefusal>()
            .gives(one::<Account<'_>>("The changed account.")),
    ]
}

/// What banks answer, and payments that they carry.
fn banks() -> Vec<Route> {
    vec![
        post("/simulations/bankaccount/{bankAccountId}/check", bank::check)
            .writes(Resource::Account)
            .of(RouteOwner::Partner)
            .operation(BANKS, "checkBankAccount", "Finish the account check")
            .rules("bank/bank-account-check")
            .takes::<bank::AccountCheckRequest>()
            .gives(one::<BankAccount<'_>>("The changed bank account.")),
        post("/simulations/bankaccount/{bankAccountId}/mandate", bank::mandate)
            .writes(Resource::Account)
            .of(RouteOwner::Partner)
            .operation(BANKS, "adviseMandate", "Answer on an autogiro mandate")
            .rules("bank/mandate-answer, bank/mandate-codes")
            .takes::<bank::MandateAdviceRequest>()
            .gives(one::<BankAccount<'_>>("The changed bank account.")),
        post("/simulations/bankgiro", payments::bankgiro)
            .writes(Resource::Account)
            .of(RouteOwner::Partner)
            .operation(BANKS, "payByBankgiro", "Pay over bankgiro")
            .rules("payments/bankgiro-deposit, payments/deposit-or-suspense")
            .takes::<payments::BankgiroRequest>()
            .gives(one::<BankgiroItem>(
                "The accepted payment, also if its reference belongs to no account of the partner.",
            )),
        post("/simulations/payment/{paymentId}/fail", payments::fail)
            .writes(Resource::Instruction)
            .of(RouteOwner::Partner)
            .operation(BANKS, "failPayment", "Refuse the charge of a payment")
            .rules("payments/payment-reason-codes, payments/payment-states")
            .takes::<payments::PaymentFailure>()
            .gives(one::<Payment<'_>>("The changed payment.")),
        post("/simulations/payment/{paymentId}/refund", payments::refund)
            .writes(Resource::Instruction)
            .of(RouteOwner::Partner)
            .operation(BANKS, "refundPayment", "Refund the charge of a payment")
            .rules("payments/payment-refund")
            .may_take::<payments::RefundRequest>()
            .gives(one::<CashTransaction<'_>>("The transaction that pays it back.")),
        post("/simulations/withdrawal/{transactionId}/bounce", bank::bounce)
            .writes(Resource::Account)
            .of(RouteOwner::Partner)
            .operation(BANKS, "bouncePayout", "Bounce a payout")
            .rules("payments/bounced-payout")
            .gives(one::<CashTransaction<'_>>("The transaction that brings the money back.")),
    ]
}

/// What fund companies and the routing to them do.
fn fund_companies() -> Vec<Route> {
    vec![
        post("/simulations/order/{orderId}/hold", orders::hold)
            .writes(Resource::Order)
            .of(RouteOwner::Partner)
            .operation(FUND_COMPANIES, "holdOrder", "Put an order on hold")
            .rules("orders/hold-reasons, orders/parked-leaves-aggregate")
            .gives(one::<Order<'_>>("The changed order.")),
        post("/simulations/order/{orderId}/release", orders::release)
            .writes(Resource::Order)
            .of(RouteOwner::Partner)
            .operation(FUND_COMPANIES, "releaseOrder", "Release an order from hold")
            .rules("orders/release")
            .gives(one::<Order<'_>>("The changed order.")),
        post("/simulations/order/{orderId}/reject", orders::reject)
            .writes(Resource::Order)
            .of(RouteOwner::Partner)
            .operation(FUND_COMPANIES, "rejectOrder", "Reject an order")
            .rules("orders/reject-lever")
            .gives(one::<Order<'_>>("The changed order.")),
        post("/simulations/instrument/{instrumentId}/price", securities::instruments::price)
            .writes_anything()
            .of(RouteOwner::Market)
            .operation(FUND_COMPANIES, "setPrice", "Publish a price")
            .rules("securities/set-price, securities/price-bounds")
            .takes::<securities::instruments::PriceRequest>()
            .gives(one::<Instrument<'_>>("The changed fund.")),
        post("/simulations/instrument/{instrumentId}/trading", securities::instruments::trading)
            .writes_anything()
            .of(RouteOwner::Market)
            .operation(FUND_COMPANIES, "setTrading", "Open or close a fund")
            .rules("orders/suspension, securities/tradable")
            .takes::<securities::instruments::TradingRequest>()
            .gives(one::<Instrument<'_>>("The changed fund.")),
        post("/simulations/instrument/{instrumentId}/delay-nav", securities::instruments::delay_nav)
            .writes_anything()
            .of(RouteOwner::Market)
            .operation(FUND_COMPANIES, "delayNav", "Delay the prices of a fund")
            .rules("securities/prices-in-order, calendar/price-publication")
            .takes::<securities::instruments::DelayRequest>()
            .gives(one::<Instrument<'_>>("The changed fund.")),
        post("/simulations/instrument/{instrumentId}/split", securities::actions::split)
            .writes_anything()
            .of(RouteOwner::Market)
            .operation(FUND_COMPANIES, "splitFund", "Split a fund")
            .rules("securities/split, securities/corporate-action-day")
            .takes::<securities::actions::SplitRequest>()
            .gives(one::<Instrument<'_>>("The changed fund.")),
        post("/simulations/instrument/{instrumentId}/merge", securities::actions::merge)
            .writes_anything()
            .of(RouteOwner::Market)
            .operation(FUND_COMPANIES, "mergeFund", "Merge a fund into another")
            .rules("securities/merger, securities/corporate-action-day, securities/ended-funds")
            .takes::<securities::actions::MergerRequest>()
            .gives(one::<Instrument<'_>>("The changed fund.")),
        post("/simulations/instrument/{instrumentId}/liquidate", securities::actions::liquidate)
            .writes_anything()
            .of(RouteOwner::Market)
            .operation(FUND_COMPANIES, "liquidateFund", "Liquidate a fund")
            .rules("securities/liquidation, securities/corporate-action-day, securities/ended-funds")
            .may_take::<securities::actions::LiquidationRequest>()
            .gives(one::<Instrument<'_>>("The changed fund.")),
    ]
}

/// What ceding custodians do.
fn custodians() -> Vec<Route> {
    vec![
        post("/simulations/transfer/{transferId}/accept", securities::transfers::accept)
            .writes(Resource::Account)
            .of(RouteOwner::Partner)
            .operation(CUSTODIANS, "acceptTransfer", "Accept a transfer")
            .rules("securities/transfer-timing")
            .gives(one::<Transfer<'_>>("The changed transfer.")),
        post("/simulations/transfer/{transferId}/reject", securities::transfers::reject)
            .writes(Resource::Account)
            .of(RouteOwner::Partner)
            .operation(CUSTODIANS, "rejectTransfer", "Reject a transfer")
            .rules("securities/transfer-timing")
            .gives(one::<Transfer<'_>>("The changed transfer.")),
        post("/simulations/transfer/{transferId}/complete", securities::transfers::complete)
            .writes(Resource::Account)
            .of(RouteOwner::Partner)
            .operation(CUSTODIANS, "completeTransfer", "Complete a transfer")
            .rules("securities/transfer-deliveries, journeys/untransferable-units")
            .gives(one::<Transfer<'_>>("The changed transfer.")),
    ]
}

/// What the platform decides and knows.
fn platform() -> Vec<Route> {
    vec![
        post("/simulations/account", accounts::open)
            .writes(Resource::Account)
            .of(RouteOwner::Partner)
            .operation(PLATFORM, "openAccount", "Open an account without a journey")
            .rules("accounts/how-accounts-open, accounts/owners")
            .takes::<accounts::OpenAccountRequest>()
            .gives(one::<Account<'_>>("The changed account.")),
        post("/simulations/account/{accountId}/approve", accounts::approve)
            .writes(Resource::Account)
            .of(RouteOwner::Partner)
            .operation(PLATFORM, "approveAccount", "Approve a pending account")
            .rules("accounts/approval")
            .gives(one::<Account<'_>>("The changed account.")),
        post("/simulations/account/{accountId}/reject", accounts::reject)
            .writes(Resource::Account)
            .of(RouteOwner::Partner)
            .operation(PLATFORM, "rejectAccount", "Reject a pending account")
            .rules("accounts/approval")
            .gives(one::<Account<'_>>("The changed account.")),
        post("/simulations/account/{accountId}/confirm", accounts::confirm)
            .writes(Resource::Account)
            .of(RouteOwner::Partner)
            .operation(PLATFORM, "confirmAccount", "Give all missing signatures")
            .rules("journeys/confirm-lever, accounts/approval")
            .gives(one::<Account<'_>>("The changed account.")),
        post("/simulations/account/{accountId}/book", accounts::bookings::book)
            .writes(Resource::Account)
            .of(RouteOwner::Partner)
            .operation(PLATFORM, "book", "Book cash or units on an account")
            .rules("accounts/corrections, accounts/dividends, money/units-without-orders")
            .takes_either::<accounts::bookings::CashBookingRequest, accounts::bookings::UnitBookingRequest>()
            .gives(
                one::<CashTransaction<'_>>("The transaction: of cash, or of units.").or_one::<FundTransaction<'_>>(),
            ),
        post("/simulations/screening", accounts::screening::screen)
            .writes(Resource::Account)
            .of(RouteOwner::Market)
            .operation(PLATFORM, "screen", "Set the screening result of an owner")
            .rules("accounts/screening")
            .takes::<accounts::screening::ScreeningRequest>()
            .gives(many::<Account<'_>>("The owner's accounts with the caller's own clients.")),
        post("/simulations/death", accounts::death::report)
            .writes(Resource::Account)
            .of(RouteOwner::Market)
            .operation(PLATFORM, "reportDeath", "Report a death")
            .rules("fees/insurance-charges")
            .takes::<accounts::death::DeathRequest>()
            .gives(many::<Account<'_>>("The insurances that end, with the caller's own clients.")),
        post("/simulations/client/{clientId}/fees", fees::set)
            .writes(Resource::Client)
            .of(RouteOwner::Partner)
            .operation(PLATFORM, "setClientFees", "Set the fees of a client")
            .rules("fees/fees-together, fees/partner-fee")
            .takes::<fees::ClientFeesRequest>()
            .gives(one::<Client<'_>>("The changed client.")),
    ]
}

/// What has ended is forgotten.
fn purges() -> Vec<Route> {
    vec![
        post("/simulations/client/{clientId}/purge", purge::client)
            .writes(Resource::Client)
            .of(RouteOwner::Partner)
            .operation(PLATFORM, "purgeClient", "Forget a client")
            .gives(one::<Client<'_>>("The deleted record.")),
        post("/simulations/account/{accountId}/purge", purge::account)
            .writes(Resource::Account)
            .of(RouteOwner::Partner)
            .operation(PLATFORM, "purgeAccount", "Forget an account")
            .gives(one::<Account<'_>>("The deleted record.")),
        post("/simulations/journey/{journeyId}/purge", purge::journey)
            .writes(Resource::Journey)
            .of(RouteOwner::Partner)
            .operation(PLATFORM, "purgeJourney", "Forget a journey")
            .gives(one::<Journey<'_>>("The deleted record.")),
        post("/simulations/order/{orderId}/purge", purge::order)
            .writes(Resource::Order)
            .of(RouteOwner::Partner)
            .operation(PLATFORM, "purgeOrder", "Forget an order")
            .gives(one::<Order<'_>>("The deleted record.")),
        post("/simulations/cashTransaction/{transactionId}/purge", purge::cash_transaction)
            .writes(Resource::Transaction)
            .of(RouteOwner::Partner)
            .operation(PLATFORM, "purgeCashTransaction", "Forget a cash transaction")
            .gives(one::<CashTransaction<'_>>("The deleted record.")),
        post("/simulations/fundTransaction/{transactionId}/purge", purge::fund_transaction)
            .writes(Resource::Transaction)
            .of(RouteOwner::Partner)
            .operation(PLATFORM, "purgeFundTransaction", "Forget a fund transaction")
            .gives(one::<FundTransaction<'_>>("The deleted record.")),
    ]
}
