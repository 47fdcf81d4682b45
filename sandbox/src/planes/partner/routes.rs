//! The partner API, a row a route, in the order of its specification: who may call it, who answers, what is said about it.

use super::subscribe::{socket, subscription};
use super::{
    accounts, agreements, clients, instructions, instruments, journeys, mobile_payments, orders, performance, plans,
    system, transactions, withdrawals,
};
use crate::http::auth::Resource;
use crate::http::auth::endpoint::{self, Token, TokenError, TokenRequest};
use crate::http::route::{Route, delete, file, get, many, nothing, one, patch, post};
use crate::wire::account::{Account, AccountValue};
use crate::wire::client::{Client, ClientPatch, ClientRequest};
use crate::wire::error::ErrorBody;
use crate::wire::instruction::{Instruction, InstructionRequest, Payment};
use crate::wire::instrument::{HistoricalPrice, Instrument};
use crate::wire::journey::{Journey, JourneyRequest};
use crate::wire::mobile_payment::{MobilePayment, MobilePaymentRequest, MobilePaymentSession};
use crate::wire::order::{self, Order, OrderRequest, OrderWithdrawalRequest, RedemptionTransferRequest};
use crate::wire::performance::PerformanceEntry;
use crate::wire::ping::Pong;
use crate::wire::plan::{AllocationPlan, AllocationPlanPatch, SavingsPlan};
use crate::wire::query::window;
use crate::wire::standing::{AgreementType, Kyc};
use crate::wire::transaction::{CashTransaction, FundTransaction};
use crate::wire::transfer::{Custodian, Transfer};
use crate::wire::withdrawal::{WithdrawalLimit, WithdrawalRequest};

/// The routes.
pub(crate) fn routes() -> Vec<Route> {
    vec![
        get("/ping", system::ping)
            .open()
            .operation("System", "ping", "Ask whether the service answers")
            .gives(one::<Pong>("It does."))
            .fails(&[]),
        post(endpoint::PATH, endpoint::token)
            .open()
            .operation("Authentication", "issueToken", "Issue an access token")
            .about("The OAuth 2.0 client credentials grant. A JSON body with the same members is accepted too.")
            .takes_form::<TokenRequest>()
            .gives(one::<Token>("A token."))
            .gives(one::<TokenError>("The request is wrong, or the credentials are.").with_status("400"))
            .gives(one::<TokenError>("The credentials shown by HTTP Basic are wrong.").with_status("401"))
            .fails(&[]),
        get("/v2/partner/client/{clientId}/subscribe", socket::subscribe)
            .socket()
            .reads_any(subscription::TOLD_OF_A_CLIENT)
            .operation("Events", "subscribe", "Receive events as they happen")
            .about("A WebSocket. Every message is a JSON object with `eventType`; messages about data also have `eventId`, to be deduplicated on, and `payload` with `current` and `previous`. They are sent to tokens that may read their resource.")
            .gives(nothing("101", "The connection is a WebSocket from here on."))
            .gives(one::<ErrorBody<'_>>("The request is no WebSocket handshake.").with_status("404")),

        get("/v2/partner/client/{clientId}/account", accounts::list)
            .reads(Resource::Account)
            .operation("Accounts", "listAccounts", "List accounts")
            .query(accounts::filters)
            .gives(many::<Account<'_>>("The accounts, oldest first.")),
        get("/v2/partner/client/{clientId}/account/{accountId}", accounts::read)
            .reads(Resource::Account)
            .operation("Accounts", "readAccount", "Read an account")
            .gives(one::<Account<'_>>("The account.")),
        delete("/v2/partner/client/{clientId}/account/{accountId}", accounts::close)
            .writes(Resource::Account)
            .operation("Accounts", "closeAccount", "Close an account")
            .about("An account with cash, units or open orders becomes `closing`: what it holds is sold and paid out to the newest validated bank account, then it is deleted. Historical data stays readable.")
            .gives(one::<Account<'_>>("The account, closing or deleted.")),
        get("/v2/partner/client/{clientId}/account/{accountId}/value", accounts::value)
            .reads(Resource::Account)
            .operation("Accounts", "valueAccount", "Read what an account is worth")
            .gives(one::<AccountValue>("The total market value.")),
        post("/v2/partner/client/{clientId}/account/{accountId}/withdrawal", withdrawals::create)
            .writes(Resource::Account)
            .operation("Accounts", "createWithdrawal", "Pay cash out")
            .about("The cash leaves the account at once and reaches the bank on one of the next two bank days. Where the client's customers sign withdrawals, a `signWithdrawal` journey of the last 24 hours is needed for each.")
            .takes::<WithdrawalRequest>()
            .gives(one::<CashTransaction<'_>>("The payout, not settled yet.")),
        get("/v2/partner/client/{clientId}/account/{accountId}/withdrawal/limit", withdrawals::limit)
            .reads(Resource::Account)
            .operation("Accounts", "readWithdrawalLimit", "Read how much may be taken out of an account")
            .gives(one::<WithdrawalLimit>("The least and the most; both are allowed.")),
        get("/v2/partner/client/{clientId}/performance", performance::of_owner)
            .reads(Resource::Account)
            .operation("Accounts", "readPerformanceOfOwner", "Read the daily returns of an owner")
            .about("Time-weighted returns of all accounts that the owner has with this client, as if they were one. Exactly one of `ssn` and `crn` names the owner; one without accounts has no entries.")
            .query(performance::owner_and_range)
            .gives(many::<PerformanceEntry>("One entry a calendar day, up to yesterday.")),
        get("/v2/partner/client/{clientId}/account/{accountId}/performance", performance::of_account)
            .reads(Resource::Account)
            .operation("Accounts", "readPerformanceOfAccount", "Read the daily returns of an account")
            .about("Time-weighted returns. An account that is not known is answered with 404.")
            .query(performance::range)
            .gives(many::<PerformanceEntry>("One entry a calendar day, from the first flow to yesterday."))
            .gives(one::<ErrorBody<'_>>("The account is not known.").with_status("404")),
        get("/v2/partner/client/{clientId}/account/{accountId}/transaction/cash", transactions::cash_of_account)
            .reads(Resource::Transaction)
            .operation("Transactions", "listCashTransactionsOfAccount", "List the cash transactions of an account")
            .query(transactions::cash_filters_of_account)
            .gives(many::<CashTransaction<'_>>("The cash transactions, oldest first.")),
        get("/v2/partner/client/{clientId}/account/{accountId}/transaction/fund", transactions::fund_of_account)
            .reads(Resource::Transaction)
            .operation("Transactions", "listFundTransactionsOfAccount", "List the fund transactions of an account")
            .query(transactions::fund_filters_of_account)
            .gives(many::<FundTransaction<'_>>("The fund transactions, oldest first.")),

        get("/v2/partner/client/{clientId}/kycstatus/account/{accountId}", accounts::kyc)
            .reads(Resource::Account)
            .operation("Accounts", "readKycStatus", "Read where the knowledge of an account's owner stands")
            .gives(one::<Kyc>("The KYC status.")),
        get("/v2/partner/client/{clientId}/account/{accountId}/transfer", accounts::transfers)
            .reads(Resource::Account)
            .operation("Accounts", "listTransfers", "List transfers from other custodians")
            .query(window)
            .gives(many::<Transfer<'_>>("The transfers to the account, oldest first.")),
        post("/v2/partner/client/{clientId}/account/{accountId}/deposit/mobilepay", mobile_payments::create)
            .writes(Resource::Account)
            .operation("Payments", "createMobilePayment", "Ask for a mobile payment")
            .about("Asks the payer for money. The token opens the payer's app, or `/pay/{token}` here; with `other_device` it comes as a QR code too. The ore of the amount can decide how it ends: `.01` is refused, `.02` to `.10` fail in known ways.")
            .takes::<MobilePaymentRequest>()
            .gives(one::<MobilePaymentSession<'_>>("The session.")),
        get("/v2/partner/deposit/mobilepay/{mobilepayId}", mobile_payments::read)
            .reads(Resource::Account)
            .operation("Payments", "readMobilePayment", "Read where a mobile payment stands")
            .gives(one::<MobilePayment<'_>>("The session.")),
        get("/v2/partner/client/{clientId}/account/{accountId}/agreement-types", agreements::types)
            .reads(Resource::Account)
            .operation("Accounts", "listAgreementTypes", "List the kinds of agreement of an account")
            .gives(many::<AgreementType>("The kinds of agreement that the account has.")),
        get("/v2/partner/client/{clientId}/account/{accountId}/agreement/{agreementTypeKey}", agreements::read)
            .reads(Resource::Account)
            .operation("Accounts", "readAgreement", "Read an agreement as a PDF")
            .about("In Swedish, or in English where `Accept-Language` likes that better.")
            .gives(file("application/pdf", "The agreement.")),

        post("/v2/partner/client/{clientId}/instruction/payment", instructions::create)
            .writes(Resource::Instruction)
            .operation("Instructions", "createInstruction", "Instruct payments into accounts")
            .about("The payments are taken together or not at all. Those of `autogiro` are charged on the bank day after the file of the day is closed at 15:00; those of `bankTransfer` wait for the exact total with `bankTransferRef`.")
            .takes::<InstructionRequest>()
            .gives(one::<Instruction<'_>>("The instruction.")),
        get("/v2/partner/client/{clientId}/instruction/{instructionId}", instructions::read)
            .reads(Resource::Instruction)
            .operation("Instructions", "readInstruction", "Read a payment instruction")
            .gives(one::<Instruction<'_>>("The instruction with its payments.")),
        get("/v2/partner/client/{clientId}/instruction/{instructionId}/payment", instructions::payments)
            .reads(Resource::Instruction)
            .operation("Instructions", "listPayments", "List the payments of an instruction")
            .gives(many::<Payment<'_>>("The payments, as they were given.")),

        get("/v2/partner/client/{clientId}/allocationplan", plans::list)
            .reads(Resource::AllocationPlan)
            .operation("Plans", "listAllocationPlans", "List allocation plans")
            .gives(many::<AllocationPlan>("The client's allocation plans, oldest first.")),
        get("/v2/partner/client/{clientId}/allocationplan/{allocationPlanId}", plans::read)
            .reads(Resource::AllocationPlan)
            .operation("Plans", "readAllocationPlan", "Read an allocation plan")
            .gives(one::<AllocationPlan>("The allocation plan.")),
        patch("/v2/partner/client/{clientId}/allocationplan/{allocationPlanId}", plans::patch)
            .writes(Resource::AllocationPlan)
            .operation("Plans", "patchAllocationPlan", "Change an allocation plan")
            .takes::<AllocationPlanPatch>()
            .gives(one::<AllocationPlan>("The changed plan.")),
        delete("/v2/partner/client/{clientId}/allocationplan/{allocationPlanId}", plans::delete)
            .writes(Resource::AllocationPlan)
            .operation("Plans", "deleteAllocationPlan", "Delete an allocation plan")
            .gives(one::<AllocationPlan>("The plan that is gone.")),
        get("/v2/partner/client/{clientId}/allocationplan/account/{accountId}", plans::of_account)
            .reads(Resource::AllocationPlan)
            .operation("Plans", "readAllocationPlanOfAccount", "Read the allocation plan of an account")
            .gives(one::<AllocationPlan>("The allocation plan.")),
        get("/v2/partner/client/{clientId}/account/{accountId}/savingsplan", plans::savings)
            .reads(Resource::AllocationPlan)
            .operation("Plans", "readSavingsPlan", "Read the savings plan of an account")
            .gives(one::<SavingsPlan>("The savings plan.")),
        delete("/v2/partner/client/{clientId}/account/{accountId}/savingsplan", plans::delete_savings)
            .writes(Resource::AllocationPlan)
            .operation("Plans", "deleteSavingsPlan", "Delete the savings plan of an account")
            .gives(one::<SavingsPlan>("The plan that is gone.")),

        get("/v2/partner/client", clients::list)
            .reads(Resource::Client)
            .operation("Clients", "listClients", "List clients")
            .query(window)
            .gives(many::<Client<'_>>("The partner's clients, oldest first.")),
        post("/v2/partner/client", clients::create)
            .writes(Resource::Client)
            .operation("Clients", "createClient", "Create a client")
            .about("The new client may do what the partner's first client may.")
            .takes::<ClientRequest>()
            .gives(one::<Client<'_>>("The client.")),
        patch("/v2/partner/client/{clientId}", clients::patch)
            .writes(Resource::Client)
            .operation("Clients", "patchClient", "Change a client")
            .takes::<ClientPatch>()
            .gives(one::<Client<'_>>("The changed client.")),
        get("/v2/partner/client/{clientId}", clients::read)
            .reads(Resource::Client)
            .operation("Clients", "readClient", "Read a client")
            .gives(one::<Client<'_>>("The client.")),
        get("/v2/partner/client/{clientId}/instrument", instruments::universe)
            .reads(Resource::Instrument)
            .operation("Instruments", "listInstrumentsOfClient", "List the instruments that a client offers")
            .query(instruments::slice)
            .gives(many::<Instrument<'_>>("The client's universe, ordered by id.")),

        get("/v2/partner/client/{clientId}/custodian", clients::custodians)
            .reads(Resource::Client)
            .operation("Clients", "listCustodians", "List custodians")
            .gives(many::<Custodian<'_>>("The custodians that holdings can be transferred from.")),

        post("/v2/partner/client/{clientId}/journey", journeys::create)
            .writes(Resource::Journey)
            .operation("Journeys", "createJourney", "Start a journey")
            .about("The journey's `url` is for the end customer. When the journey becomes `canceled`, `error` or `complete`, `callbackUrl` receives one POST.")
            .takes::<JourneyRequest>()
            .gives(one::<Journey<'_>>("The journey.")),
        get("/v2/partner/client/{clientId}/journey/{journeyId}", journeys::read)
            .reads(Resource::Journey)
            .operation("Journeys", "readJourney", "Read a journey")
            .gives(one::<Journey<'_>>("The journey as it stands, with its result once it is complete.")),

        get("/v2/partner/instrument", instruments::list)
            .reads(Resource::Instrument)
            .operation("Instruments", "listInstruments", "List all instruments")
            .query(instruments::slice)
            .gives(many::<Instrument<'_>>("All instruments on the platform, ordered by id.")),
        get("/v2/partner/instrument/{instrumentId}", instruments::read)
            .reads(Resource::Instrument)
            .operation("Instruments", "readInstrument", "Read an instrument")
            .gives(one::<Instrument<'_>>("The instrument.")),
        get("/v2/partner/client/{clientId}/instrument/{instrumentId}/prices", instruments::prices)
            .reads(Resource::Instrument)
            .operation("Instruments", "listPrices", "List historical prices")
            .about("Give both dates, or neither for the latest 365 days. Days without a price are left out.")
            .query(instruments::range)
            .gives(many::<HistoricalPrice>("The prices, oldest first.")),

        post("/v2/partner/client/{clientId}/order", orders::create)
            .writes(Resource::Order)
            .operation("Orders", "createOrder", "Subscribe or redeem")
            .query(orders::validate_only)
            .takes::<OrderRequest>()
            .gives(one::<Order<'_>>("The order."))
            .gives(nothing("204", "The order would be accepted; answered when `validate-only` is true.")),
        get("/v2/partner/client/{clientId}/order", orders::list)
            .reads(Resource::Order)
            .operation("Orders", "listOrders", "List orders")
            .query(|query| orders::filters(query, order::STATUSES))
            .gives(many::<Order<'_>>("The orders, oldest first.")),
        get("/v2/partner/client/{clientId}/order/{orderId}", orders::read)
            .reads(Resource::Order)
            .operation("Orders", "readOrder", "Read an order")
            .gives(one::<Order<'_>>("The order.")),
        delete("/v2/partner/client/{clientId}/order/{orderId}", orders::cancel)
            .writes(Resource::Order)
            .operation("Orders", "cancelOrder", "Cancel an order")
            .about("Possible until the cut-off takes the order. Canceling a canceled order changes nothing.")
            .gives(one::<Order<'_>>("The canceled order.")),
        post("/v2/partner/client/{clientId}/order/withdrawal", orders::withdraw)
            .writes(Resource::Order)
            .operation("Orders", "createOrderWithdrawal", "Redeem and pay the proceeds out")
            .query(orders::validate_only)
            .takes::<OrderWithdrawalRequest>()
            .gives(one::<Order<'_>>("The order."))
            .gives(nothing("204", "The order would be accepted; answered when `validate-only` is true.")),
        post("/v2/partner/client/{clientId}/order/redemptionTransfer", orders::transfer)
            .writes(Resource::Order)
            .operation("Orders", "createRedemptionTransfer", "Redeem and move the proceeds to another account of the owner")
            .query(orders::validate_only)
            .takes::<RedemptionTransferRequest>()
            .gives(one::<Order<'_>>("The order."))
            .gives(nothing("204", "The order would be accepted; answered when `validate-only` is true.")),

        get("/v2/partner/client/{clientId}/transaction/cash", transactions::cash)
            .reads(Resource::Transaction)
            .operation("Transactions", "listCashTransactions", "List cash transactions")
            .query(transactions::cash_filters)
            .gives(many::<CashTransaction<'_>>("The cash transactions, oldest first.")),
        get("/v2/partner/client/{clientId}/transaction/cash/{transactionId}", transactions::cash_one)
            .reads(Resource::Transaction)
            .operation("Transactions", "readCashTransaction", "Read a cash transaction")
            .gives(one::<CashTransaction<'_>>("The cash transaction.")),
        get("/v2/partner/client/{clientId}/transaction/fund", transactions::fund)
            .reads(Resource::Transaction)
            .operation("Transactions", "listFundTransactions", "List fund transactions")
            .query(transactions::fund_filters)
            .gives(many::<FundTransaction<'_>>("The fund transactions, oldest first.")),
        get("/v2/partner/client/{clientId}/transaction/fund/{transactionId}", transactions::fund_one)
            .reads(Resource::Transaction)
            .operation("Transactions", "readFundTransaction", "Read a fund transaction")
            .gives(one::<FundTransaction<'_>>("The fund transaction.")),
    ]
}
