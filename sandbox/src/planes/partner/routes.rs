//! The partner API, a row for each route, in the order of its specification: who may call it, its handler, its description.

use super::subscribe::{socket, subscription};
use super::{accounts, clients, journeys, orders, payments, plans, securities, system};
use surface::auth::Resource;
use surface::route::{Route, delete, file, get, many, nothing, one, patch, post};
use surface::token_endpoint::{self, Token, TokenError, TokenRequest};
use wire::accounts::performance::PerformanceEntry;
use wire::accounts::standing::{AgreementType, Kyc};
use wire::accounts::transactions::{CashTransaction, FundTransaction};
use wire::accounts::{Account, AccountValue};
use wire::clients::{Client, ClientPatch, ClientRequest};
use wire::error::ErrorBody;
use wire::journeys::{Journey, JourneyRequest};
use wire::orders::{Order, OrderRequest, OrderWithdrawalRequest, RedemptionTransferRequest, STATUSES};
use wire::payments::instructions::{Instruction, InstructionRequest, Payment};
use wire::payments::mobile::{MobilePayment, MobilePaymentRequest, MobilePaymentSession};
use wire::payments::withdrawals::{WithdrawalLimit, WithdrawalRequest};
use wire::ping::Pong;
use wire::plans::{AllocationPlan, AllocationPlanPatch, SavingsPlan};
use wire::query::window;
use wire::securities::instruments::{HistoricalPrice, Instrument};
use wire::securities::transfers::{Custodian, Transfer};

/// The routes.
pub(crate) fn routes() -> Vec<Route> {
    vec![
        get("/ping", system::ping)
            .open()
            .operation("System", "ping", "Check that the service responds")
            .rules("wire/pong")
            .gives(one::<Pong>("The service responds."))
            .fails(&[]),
        post(token_endpoint::PATH, token_endpoint::token)
            .open()
            .operation("Authentication", "issueToken", "Issue an access token")
            .rules("auth/token-request, auth/token-refusals, auth/token-scope, auth/token-life")
            .about("The OAuth 2.0 client credentials grant. A JSON body with the same members is accepted too.")
            .takes_form::<TokenRequest>()
            .gives(one::<Token>("A token."))
            .gives(one::<TokenError>("The request is wrong, or the credentials are.").with_status("400"))
            .gives(one::<TokenError>("The credentials of HTTP Basic are wrong.").with_status("401"))
            .fails(&[]),
        get("/v2/partner/client/{clientId}/subscribe", socket::subscribe)
            .socket()
            .reads_any(subscription::RESOURCES_OF_A_CLIENT)
            .operation("Events", "subscribe", "Receive events as they happen")
            .rules("events/events-named, events/event-order, events/heartbeat, events/socket-end, events/consumer-pattern")
            .about("A WebSocket. Every message is a JSON object with `eventType`; messages about data also have `eventId`, to be deduplicated on, and `payload` with `current` and `previous`. They are sent to tokens that may read their resource.")
            .gives(nothing("101", "The connection is a WebSocket from here on."))
            .gives(one::<ErrorBody<'_>>("The request is not a WebSocket handshake.").with_status("404")),

        get("/v2/partner/client/{clientId}/account", accounts::list)
            .reads(Resource::Account)
            .operation("Accounts", "listAccounts", "List accounts")
            .rules("clients/client-shape, wire/start, wire/modified-from, wire/ssn-filter")
            .query(accounts::filters)
            .gives(many::<Account<'_>>("The accounts, oldest first.")),
        get("/v2/partner/client/{clientId}/account/{accountId}", accounts::read)
            .reads(Resource::Account)
            .operation("Accounts", "readAccount", "Read an account")
            .rules("money/balance, money/value, accounts/positions, accounts/deleted-accounts")
            .gives(one::<Account<'_>>("The account.")),
        delete("/v2/partner/client/{clientId}/account/{accountId}", accounts::close)
            .writes(Resource::Account)
            .operation("Accounts", "closeAccount", "Close an account")
            .rules("accounts/closing, accounts/payout-of-closing-returns, accounts/fractions-at-closing")
            .about("An account with cash, units or open orders becomes `closing`: what it holds is sold and paid out to the newest validated bank account, then it is deleted. Historical data stays readable.")
            .gives(one::<Account<'_>>("The account, closing or deleted.")),
        get("/v2/partner/client/{clientId}/account/{accountId}/value", accounts::value)
            .reads(Resource::Account)
            .operation("Accounts", "valueAccount", "Read the value of an account")
            .rules("money/value, wire/value-shape")
            .gives(one::<AccountValue>("The total market value.")),
        post("/v2/partner/client/{clientId}/account/{accountId}/withdrawal", payments::withdrawals::create)
            .writes(Resource::Account)
            .operation("Accounts", "createWithdrawal", "Pay cash out")
            .rules("payments/withdrawal-request, payments/withdrawal-precedence, payments/withdrawal-limits, payments/withdrawal-timing")
            .about("The cash leaves the account at once and reaches the bank on one of the next two bank days. Where the client's customers sign withdrawals, a `signWithdrawal` journey of the last 24 hours is needed for each.")
            .takes::<WithdrawalRequest>()
            .gives(one::<CashTransaction<'_>>("The payout, not settled yet.")),
        get("/v2/partner/client/{clientId}/account/{accountId}/withdrawal/limit", payments::withdrawals::limit)
            .reads(Resource::Account)
            .operation("Accounts", "readWithdrawalLimit", "Read the withdrawal limits of an account")
            .rules("payments/withdrawal-limits, payments/limits-are-inclusive")
            .gives(one::<WithdrawalLimit>("The smallest and the largest amount; both are allowed.")),
        get("/v2/partner/client/{clientId}/performance", accounts::performance::of_owner)
            .reads(Resource::Account)
            .operation("Accounts", "readPerformanceOfOwner", "Read the daily returns of an owner")
            .rules("accounts/time-weighted-return, accounts/performance-entries, accounts/performance-query")
            .about("Time-weighted returns of all accounts that the owner has with this client, as if they were one. Exactly one of `ssn` and `crn` names the owner; one without accounts has no entries.")
            .query(accounts::performance::owner_and_range)
            .gives(many::<PerformanceEntry>("One entry a calendar day, up to yesterday.")),
        get("/v2/partner/client/{clientId}/account/{accountId}/performance", accounts::performance::of_account)
            .reads(Resource::Account)
            .operation("Accounts", "readPerformanceOfAccount", "Read the daily returns of an account")
            .rules("accounts/time-weighted-return, accounts/performance-entries, accounts/performance-query")
            .about("Time-weighted returns. An account that is not known is answered with 404.")
            .query(accounts::performance::range)
            .gives(many::<PerformanceEntry>("One entry a calendar day, from the first flow to yesterday."))
            .gives(one::<ErrorBody<'_>>("The account does not exist.").with_status("404")),
        get("/v2/partner/client/{clientId}/account/{accountId}/transaction/cash", accounts::transactions::cash_of_account)
            .reads(Resource::Transaction)
            .operation("Transactions", "listCashTransactionsOfAccount", "List the cash transactions of an account")
            .rules("money/cash-types, money/cash-ref-types, wire/transaction-filters")
            .query(accounts::transactions::cash_transaction_filters_of_account)
            .gives(many::<CashTransaction<'_>>("The cash transactions, oldest first.")),
        get("/v2/partner/client/{clientId}/account/{accountId}/transaction/fund", accounts::transactions::fund_of_account)
            .reads(Resource::Transaction)
            .operation("Transactions", "listFundTransactionsOfAccount", "List the fund transactions of an account")
            .rules("money/fund-transaction-fields, money/fund-ref-types, wire/transaction-filters")
            .query(accounts::transactions::fund_transaction_filters_of_account)
            .gives(many::<FundTransaction<'_>>("The fund transactions, oldest first.")),

        get("/v2/partner/client/{clientId}/kycstatus/account/{accountId}", accounts::kyc)
            .reads(Resource::Account)
            .operation("Accounts", "readKycStatus", "Read the KYC status of an account")
            .rules("accounts/kyc-status, accounts/kyc-renewal")
            .gives(one::<Kyc>("The KYC status.")),
        get("/v2/partner/client/{clientId}/account/{accountId}/transfer", securities::transfers::list)
            .reads(Resource::Account)
            .operation("Accounts", "listTransfers", "List transfers from other custodians")
            .rules("securities/transfer-shape, securities/transfer-timing")
            .query(window)
            .gives(many::<Transfer<'_>>("The transfers to the account, oldest first.")),
        post("/v2/partner/client/{clientId}/account/{accountId}/deposit/mobilepay", payments::mobile::create)
            .writes(Resource::Account)
            .operation("Payments", "createMobilePayment", "Ask for a mobile payment")
            .rules("payments/mobile-payment-session, payments/mobile-payment-outcomes, payments/payment-permissions")
            .about("Asks the payer for money. The token opens the payer's app, or `/pay/{token}` here. With `other_device` the response has the token as a QR code, too. The ore of the amount can determine the outcome: `.01` is refused, `.02` to `.10` fail with defined error codes.")
            .takes::<MobilePaymentRequest>()
            .gives(one::<MobilePaymentSession<'_>>("The session.")),
        get("/v2/partner/deposit/mobilepay/{mobilepayId}", payments::mobile::read)
            .reads(Resource::Account)
            .operation("Payments", "readMobilePayment", "Read the status of a mobile payment")
            .rules("payments/mobile-payment-states, payments/mobile-payment-late")
            .gives(one::<MobilePayment<'_>>("The session.")),
        get("/v2/partner/client/{clientId}/account/{accountId}/agreement-types", accounts::agreements::types)
            .reads(Resource::Account)
            .operation("Accounts", "listAgreementTypes", "List the agreement types of an account")
            .rules("accounts/agreements")
            .gives(many::<AgreementType>("The agreement types of the account.")),
        get("/v2/partner/client/{clientId}/account/{accountId}/agreement/{agreementTypeKey}", accounts::agreements::read)
            .reads(Resource::Account)
            .operation("Accounts", "readAgreement", "Read an agreement as a PDF")
            .rules("accounts/agreements")
            .about("In Swedish, or in English if `Accept-Language` prefers English.")
            .gives(file("application/pdf", "The agreement.")),

        post("/v2/partner/client/{clientId}/instruction/payment", payments::instructions::create)
            .writes(Resource::Instruction)
            .operation("Instructions", "createInstruction", "Instruct payments into accounts")
            .rules("payments/payment-instruction, payments/payment-client-ref, payments/payment-due-day, payments/payment-by-transfer")
            .about("All payments are accepted, or none. Payments by `autogiro` are charged on the bank day after the file of the day closes at 15:00. Payments by `bankTransfer` wait for the exact total with `bankTransferRef`.")
            .takes::<InstructionRequest>()
            .gives(one::<Instruction<'_>>("The instruction.")),
        get("/v2/partner/client/{clientId}/instruction/{instructionId}", payments::instructions::read)
            .reads(Resource::Instruction)
            .operation("Instructions", "readInstruction", "Read a payment instruction")
            .rules("payments/payment-states, payments/payment-reason-codes")
            .gives(one::<Instruction<'_>>("The instruction with its payments.")),
        get("/v2/partner/client/{clientId}/instruction/{instructionId}/payment", payments::instructions::payments)
            .reads(Resource::Instruction)
            .operation("Instructions", "listPayments", "List the payments of an instruction")
            .rules("payments/payment-states, payments/payment-reason-codes")
            .gives(many::<Payment<'_>>("The payments, in the order of the request.")),

        get("/v2/partner/client/{clientId}/allocationplan", plans::list)
            .reads(Resource::AllocationPlan)
            .operation("Plans", "listAllocationPlans", "List allocation plans")
            .rules("plans/allocation-plan-shape")
            .gives(many::<AllocationPlan>("The client's allocation plans, oldest first.")),
        get("/v2/partner/client/{clientId}/allocationplan/{allocationPlanId}", plans::read)
            .reads(Resource::AllocationPlan)
            .operation("Plans", "readAllocationPlan", "Read an allocation plan")
            .rules("plans/allocation-plan-shape, plans/allocation-run")
            .gives(one::<AllocationPlan>("The allocation plan.")),
        patch("/v2/partner/client/{clientId}/allocationplan/{allocationPlanId}", plans::patch)
            .writes(Resource::AllocationPlan)
            .operation("Plans", "patchAllocationPlan", "Change an allocation plan")
            .rules("plans/allocation-plan-shape, money/split-by-percent")
            .takes::<AllocationPlanPatch>()
            .gives(one::<AllocationPlan>("The changed plan.")),
        delete("/v2/partner/client/{clientId}/allocationplan/{allocationPlanId}", plans::delete)
            .writes(Resource::AllocationPlan)
            .operation("Plans", "deleteAllocationPlan", "Delete an allocation plan")
            .rules("plans/deleting-plans")
            .gives(one::<AllocationPlan>("The deleted plan.")),
        get("/v2/partner/client/{clientId}/allocationplan/account/{accountId}", plans::of_account)
            .reads(Resource::AllocationPlan)
            .operation("Plans", "readAllocationPlanOfAccount", "Read the allocation plan of an account")
            .rules("plans/allocation-plan-shape, plans/allocation-run")
            .gives(one::<AllocationPlan>("The allocation plan.")),
        get("/v2/partner/client/{clientId}/account/{accountId}/savingsplan", plans::savings)
            .reads(Resource::AllocationPlan)
            .operation("Plans", "readSavingsPlan", "Read the savings plan of an account")
            .rules("plans/savings-plan-shape, plans/savings-run, plans/last-run")
            .gives(one::<SavingsPlan>("The savings plan.")),
        delete("/v2/partner/client/{clientId}/account/{accountId}/savingsplan", plans::delete_savings)
            .writes(Resource::AllocationPlan)
            .operation("Plans", "deleteSavingsPlan", "Delete the savings plan of an account")
            .rules("plans/deleting-plans")
            .gives(one::<SavingsPlan>("The deleted plan.")),

        get("/v2/partner/client", clients::list)
            .reads(Resource::Client)
            .operation("Clients", "listClients", "List clients")
            .rules("clients/client-shape")
            .query(window)
            .gives(many::<Client<'_>>("The partner's clients, oldest first.")),
        post("/v2/partner/client", clients::create)
            .writes(Resource::Client)
            .operation("Clients", "createClient", "Create a client")
            .rules("clients/client-identity, clients/client-permissions")
            .about("The new client may do what the partner's first client may.")
            .takes::<ClientRequest>()
            .gives(one::<Client<'_>>("The client.")),
        patch("/v2/partner/client/{clientId}", clients::patch)
            .writes(Resource::Client)
            .operation("Clients", "patchClient", "Change a client")
            .rules("clients/client-patch, clients/client-permissions")
            .takes::<ClientPatch>()
            .gives(one::<Client<'_>>("The changed client.")),
        get("/v2/partner/client/{clientId}", clients::read)
            .reads(Resource::Client)
            .operation("Clients", "readClient", "Read a client")
            .rules("clients/client-shape")
            .gives(one::<Client<'_>>("The client.")),
        get("/v2/partner/client/{clientId}/instrument", securities::instruments::universe)
            .reads(Resource::Instrument)
            .operation("Instruments", "listInstrumentsOfClient", "List the instruments that a client offers")
            .rules("securities/universe, securities/tradable")
            .query(securities::instruments::slice)
            .gives(many::<Instrument<'_>>("The client's universe, ordered by id.")),

        get("/v2/partner/client/{clientId}/custodian", securities::transfers::custodians)
            .reads(Resource::Client)
            .operation("Clients", "listCustodians", "List custodians")
            .rules("journeys/transfer-configuration")
            .gives(many::<Custodian<'_>>("The custodians that holdings can be transferred from.")),

        post("/v2/partner/client/{clientId}/journey", journeys::create)
            .writes(Resource::Journey)
            .operation("Journeys", "createJourney", "Start a journey")
            .rules("journeys/journey-types, journeys/configuration-fields, journeys/callback-url, journeys/journey-link")
            .about("The journey's `url` is for the end customer. When the journey becomes `canceled`, `error` or `complete`, `callbackUrl` receives one POST.")
            .takes::<JourneyRequest>()
            .gives(one::<Journey<'_>>("The journey.")),
        get("/v2/partner/client/{clientId}/journey/{journeyId}", journeys::read)
            .reads(Resource::Journey)
            .operation("Journeys", "readJourney", "Read a journey")
            .rules("journeys/journey-life, journeys/journey-result, journeys/error-codes")
            .gives(one::<Journey<'_>>("The journey. A complete journey has its result.")),

        get("/v2/partner/instrument", securities::instruments::list)
            .reads(Resource::Instrument)
            .operation("Instruments", "listInstruments", "List all instruments")
            .rules("securities/tradable, securities/fund-rules")
            .query(securities::instruments::slice)
            .gives(many::<Instrument<'_>>("All instruments on the platform, ordered by id.")),
        get("/v2/partner/instrument/{instrumentId}", securities::instruments::read)
            .reads(Resource::Instrument)
            .operation("Instruments", "readInstrument", "Read an instrument")
            .rules("securities/fund-rules, calendar/next-cut-off-shown")
            .gives(one::<Instrument<'_>>("The instrument.")),
        get("/v2/partner/client/{clientId}/instrument/{instrumentId}/prices", securities::instruments::prices)
            .reads(Resource::Instrument)
            .operation("Instruments", "listPrices", "List historical prices")
            .rules("wire/price-range, calendar/price-publication")
            .about("Give both dates, or neither for the latest 365 days. Days without a price are left out.")
            .query(securities::instruments::range)
            .gives(many::<HistoricalPrice>("The prices, oldest first.")),

        post("/v2/partner/client/{clientId}/order", orders::create)
            .writes(Resource::Order)
            .operation("Orders", "createOrder", "Subscribe or redeem")
            .rules("orders/amount-or-units, orders/precedence, orders/acceptance, orders/validate-only")
            .query(orders::validate_only)
            .takes::<OrderRequest>()
            .gives(one::<Order<'_>>("The order."))
            .gives(nothing("204", "The order would be accepted; answered when `validate-only` is true.")),
        get("/v2/partner/client/{clientId}/order", orders::list)
            .reads(Resource::Order)
            .operation("Orders", "listOrders", "List orders")
            .rules("wire/order-filters, orders/order-states")
            .query(|query| orders::filters(query, STATUSES))
            .gives(many::<Order<'_>>("The orders, oldest first.")),
        get("/v2/partner/client/{clientId}/order/{orderId}", orders::read)
            .reads(Resource::Order)
            .operation("Orders", "readOrder", "Read an order")
            .rules("orders/order-states, orders/filled-in-later, orders/hold-reasons")
            .gives(one::<Order<'_>>("The order.")),
        delete("/v2/partner/client/{clientId}/order/{orderId}", orders::cancel)
            .writes(Resource::Order)
            .operation("Orders", "cancelOrder", "Cancel an order")
            .rules("orders/cancel-window")
            .about("Possible until the cut-off of the order. Canceling a canceled order changes nothing.")
            .gives(one::<Order<'_>>("The canceled order.")),
        post("/v2/partner/client/{clientId}/order/withdrawal", orders::withdraw)
            .writes(Resource::Order)
            .operation("Orders", "createOrderWithdrawal", "Redeem and pay the proceeds out")
            .rules("orders/order-withdrawal, orders/precedence, payments/withdrawal-limits")
            .query(orders::validate_only)
            .takes::<OrderWithdrawalRequest>()
            .gives(one::<Order<'_>>("The order."))
            .gives(nothing("204", "The order would be accepted; answered when `validate-only` is true.")),
        post("/v2/partner/client/{clientId}/order/redemptionTransfer", orders::transfer)
            .writes(Resource::Order)
            .operation("Orders", "createRedemptionTransfer", "Redeem and move the proceeds to another account of the owner")
            .rules("orders/redemption-transfer, orders/precedence")
            .query(orders::validate_only)
            .takes::<RedemptionTransferRequest>()
            .gives(one::<Order<'_>>("The order."))
            .gives(nothing("204", "The order would be accepted; answered when `validate-only` is true.")),

        get("/v2/partner/client/{clientId}/transaction/cash", accounts::transactions::cash)
            .reads(Resource::Transaction)
            .operation("Transactions", "listCashTransactions", "List cash transactions")
            .rules("money/cash-types, money/cash-ref-types, wire/transaction-filters")
            .query(accounts::transactions::cash_transaction_filters)
            .gives(many::<CashTransaction<'_>>("The cash transactions, oldest first.")),
        get("/v2/partner/client/{clientId}/transaction/cash/{transactionId}", accounts::transactions::cash_one)
            .reads(Resource::Transaction)
            .operation("Transactions", "readCashTransaction", "Read a cash transaction")
            .rules("money/cash-types, money/aborted")
            .gives(one::<CashTransaction<'_>>("The cash transaction.")),
        get("/v2/partner/client/{clientId}/transaction/fund", accounts::transactions::fund)
            .reads(Resource::Transaction)
            .operation("Transactions", "listFundTransactions", "List fund transactions")
            .rules("money/fund-transaction-fields, money/fund-ref-types, wire/transaction-filters")
            .query(accounts::transactions::fund_transaction_filters)
            .gives(many::<FundTransaction<'_>>("The fund transactions, oldest first.")),
        get("/v2/partner/client/{clientId}/transaction/fund/{transactionId}", accounts::transactions::fund_one)
            .reads(Resource::Transaction)
            .operation("Transactions", "readFundTransaction", "Read a fund transaction")
            .rules("money/fund-transaction-fields, money/units-without-orders")
            .gives(one::<FundTransaction<'_>>("The fund transaction.")),
    ]
}
