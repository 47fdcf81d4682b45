// Made from `fundsim openapi` by `tools/types.mjs`. Do not edit.
export interface paths {
    "/ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the service responds
         * @description (rule: wire/pong)
         */
        get: operations["ping"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue an access token
         * @description The OAuth 2.0 client credentials grant. A JSON body with the same members is accepted too. (rule: auth/token-request, auth/token-refusals, auth/token-scope, auth/token-life)
         */
        post: operations["issueToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List clients
         * @description (rule: clients/client-shape)
         */
        get: operations["listClients"];
        put?: never;
        /**
         * Create a client
         * @description The new client may do what the partner's first client may. (rule: clients/client-identity, clients/client-permissions)
         */
        post: operations["createClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a client
         * @description (rule: clients/client-shape)
         */
        get: operations["readClient"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a client
         * @description (rule: clients/client-patch, clients/client-permissions)
         */
        patch: operations["patchClient"];
        trace?: never;
    };
    "/v2/partner/client/{clientId}/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List accounts
         * @description (rule: clients/client-shape, wire/start, wire/modified-from, wire/ssn-filter)
         */
        get: operations["listAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/account/{accountId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an account
         * @description (rule: money/balance, money/value, accounts/positions, accounts/deleted-accounts)
         */
        get: operations["readAccount"];
        put?: never;
        post?: never;
        /**
         * Close an account
         * @description An account with cash, units or open orders becomes `closing`: what it holds is sold and paid out to the newest validated bank account, then it is deleted. Historical data stays readable. (rule: accounts/closing, accounts/payout-of-closing-returns, accounts/fractions-at-closing)
         */
        delete: operations["closeAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/account/{accountId}/agreement-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the agreement types of an account
         * @description (rule: accounts/agreements)
         */
        get: operations["listAgreementTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/account/{accountId}/agreement/{agreementTypeKey}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an agreement as a PDF
         * @description In Swedish, or in English if `Accept-Language` prefers English. (rule: accounts/agreements)
         */
        get: operations["readAgreement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/account/{accountId}/deposit/mobilepay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a mobile payment
         * @description Asks the payer for money. The token opens the payer's app, or `/pay/{token}` here. With `other_device` the response has the token as a QR code, too. The ore of the amount can determine the outcome: `.01` is refused, `.02` to `.10` fail with defined error codes. (rule: payments/mobile-payment-session, payments/mobile-payment-outcomes, payments/payment-permissions)
         */
        post: operations["createMobilePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/account/{accountId}/performance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the daily returns of an account
         * @description Time-weighted returns. An account that is not known is answered with 404. (rule: accounts/time-weighted-return, accounts/performance-entries, accounts/performance-query)
         */
        get: operations["readPerformanceOfAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/account/{accountId}/savingsplan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the savings plan of an account
         * @description (rule: plans/savings-plan-shape, plans/savings-run, plans/last-run)
         */
        get: operations["readSavingsPlan"];
        put?: never;
        post?: never;
        /**
         * Delete the savings plan of an account
         * @description (rule: plans/deleting-plans)
         */
        delete: operations["deleteSavingsPlan"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/account/{accountId}/transaction/cash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the cash transactions of an account
         * @description (rule: money/cash-types, money/cash-ref-types, wire/transaction-filters)
         */
        get: operations["listCashTransactionsOfAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/account/{accountId}/transaction/fund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the fund transactions of an account
         * @description (rule: money/fund-transaction-fields, money/fund-ref-types, wire/transaction-filters)
         */
        get: operations["listFundTransactionsOfAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/account/{accountId}/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List transfers from other custodians
         * @description (rule: securities/transfer-shape, securities/transfer-timing)
         */
        get: operations["listTransfers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/account/{accountId}/value": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the value of an account
         * @description (rule: money/value, wire/value-shape)
         */
        get: operations["valueAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/account/{accountId}/withdrawal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay cash out
         * @description The cash leaves the account at once and reaches the bank on one of the next two bank days. Where the client's customers sign withdrawals, a `signWithdrawal` journey of the last 24 hours is needed for each. (rule: payments/withdrawal-request, payments/withdrawal-precedence, payments/withdrawal-limits, payments/withdrawal-timing)
         */
        post: operations["createWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/account/{accountId}/withdrawal/limit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the withdrawal limits of an account
         * @description (rule: payments/withdrawal-limits, payments/limits-are-inclusive)
         */
        get: operations["readWithdrawalLimit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/allocationplan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List allocation plans
         * @description (rule: plans/allocation-plan-shape)
         */
        get: operations["listAllocationPlans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/allocationplan/account/{accountId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the allocation plan of an account
         * @description (rule: plans/allocation-plan-shape, plans/allocation-run)
         */
        get: operations["readAllocationPlanOfAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/allocationplan/{allocationPlanId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an allocation plan
         * @description (rule: plans/allocation-plan-shape, plans/allocation-run)
         */
        get: operations["readAllocationPlan"];
        put?: never;
        post?: never;
        /**
         * Delete an allocation plan
         * @description (rule: plans/deleting-plans)
         */
        delete: operations["deleteAllocationPlan"];
        options?: never;
        head?: never;
        /**
         * Change an allocation plan
         * @description (rule: plans/allocation-plan-shape, money/split-by-percent)
         */
        patch: operations["patchAllocationPlan"];
        trace?: never;
    };
    "/v2/partner/client/{clientId}/custodian": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List custodians
         * @description (rule: journeys/transfer-configuration)
         */
        get: operations["listCustodians"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/instruction/payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Instruct payments into accounts
         * @description All payments are accepted, or none. Payments by `autogiro` are charged on the bank day after the file of the day closes at 15:00. Payments by `bankTransfer` wait for the exact total with `bankTransferRef`. (rule: payments/payment-instruction, payments/payment-client-ref, payments/payment-due-day, payments/payment-by-transfer)
         */
        post: operations["createInstruction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/instruction/{instructionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payment instruction
         * @description (rule: payments/payment-states, payments/payment-reason-codes)
         */
        get: operations["readInstruction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/instruction/{instructionId}/payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the payments of an instruction
         * @description (rule: payments/payment-states, payments/payment-reason-codes)
         */
        get: operations["listPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/instrument": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the instruments that a client offers
         * @description (rule: securities/universe, securities/tradable)
         */
        get: operations["listInstrumentsOfClient"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/instrument/{instrumentId}/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List historical prices
         * @description Give both dates, or neither for the latest 365 days. Days without a price are left out. (rule: wire/price-range, calendar/price-publication)
         */
        get: operations["listPrices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/journey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a journey
         * @description The journey's `url` is for the end customer. When the journey becomes `canceled`, `error` or `complete`, `callbackUrl` receives one POST. (rule: journeys/journey-types, journeys/configuration-fields, journeys/callback-url, journeys/journey-link)
         */
        post: operations["createJourney"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/journey/{journeyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a journey
         * @description (rule: journeys/journey-life, journeys/journey-result, journeys/error-codes)
         */
        get: operations["readJourney"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/kycstatus/account/{accountId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the KYC status of an account
         * @description (rule: accounts/kyc-status, accounts/kyc-renewal)
         */
        get: operations["readKycStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders
         * @description (rule: wire/order-filters, orders/order-states)
         */
        get: operations["listOrders"];
        put?: never;
        /**
         * Subscribe or redeem
         * @description (rule: orders/amount-or-units, orders/precedence, orders/acceptance, orders/validate-only)
         */
        post: operations["createOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/order/redemptionTransfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem and move the proceeds to another account of the owner
         * @description (rule: orders/redemption-transfer, orders/precedence)
         */
        post: operations["createRedemptionTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/order/withdrawal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem and pay the proceeds out
         * @description (rule: orders/order-withdrawal, orders/precedence, payments/withdrawal-limits)
         */
        post: operations["createOrderWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/order/{orderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an order
         * @description (rule: orders/order-states, orders/filled-in-later, orders/hold-reasons)
         */
        get: operations["readOrder"];
        put?: never;
        post?: never;
        /**
         * Cancel an order
         * @description Possible until the cut-off of the order. Canceling a canceled order changes nothing. (rule: orders/cancel-window)
         */
        delete: operations["cancelOrder"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/performance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the daily returns of an owner
         * @description Time-weighted returns of all accounts that the owner has with this client, as if they were one. Exactly one of `ssn` and `crn` names the owner; one without accounts has no entries. (rule: accounts/time-weighted-return, accounts/performance-entries, accounts/performance-query)
         */
        get: operations["readPerformanceOfOwner"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/subscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Receive events as they happen
         * @description A WebSocket. Every message is a JSON object with `eventType`; messages about data also have `eventId`, to be deduplicated on, and `payload` with `current` and `previous`. They are sent to tokens that may read their resource. (rule: events/events-named, events/event-order, events/heartbeat, events/socket-end, events/consumer-pattern)
         */
        get: operations["subscribe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/transaction/cash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List cash transactions
         * @description (rule: money/cash-types, money/cash-ref-types, wire/transaction-filters)
         */
        get: operations["listCashTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/transaction/cash/{transactionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a cash transaction
         * @description (rule: money/cash-types, money/aborted)
         */
        get: operations["readCashTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/transaction/fund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List fund transactions
         * @description (rule: money/fund-transaction-fields, money/fund-ref-types, wire/transaction-filters)
         */
        get: operations["listFundTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/client/{clientId}/transaction/fund/{transactionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a fund transaction
         * @description (rule: money/fund-transaction-fields, money/units-without-orders)
         */
        get: operations["readFundTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/deposit/mobilepay/{mobilepayId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the status of a mobile payment
         * @description (rule: payments/mobile-payment-states, payments/mobile-payment-late)
         */
        get: operations["readMobilePayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/instrument": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all instruments
         * @description (rule: securities/tradable, securities/fund-rules)
         */
        get: operations["listInstruments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/partner/instrument/{instrumentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an instrument
         * @description (rule: securities/fund-rules, calendar/next-cut-off-shown)
         */
        get: operations["readInstrument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @enum {string} */
        AbortedReason: "referenced_order_canceled";
        /** @description An investment account. */
        Account: {
            id: components["schemas"]["Id"];
            sortedId: components["schemas"]["SortedId"];
            ref: components["schemas"]["AccountRef"];
            /** @description Name chosen by the partner or the end customer. */
            name: string;
            accountType: components["schemas"]["AccountType"];
            status: components["schemas"]["AccountStatus"];
            serviceType: components["schemas"]["ServiceType"];
            owner: components["schemas"]["Owner"];
            /** @description Cash free for use: settled credits minus all debits that are not aborted, settled or not. */
            balance: components["schemas"]["Money"];
            amounts: components["schemas"]["Amounts"];
            /** @description One entry for each instrument held, ordered by instrument. */
            positions: components["schemas"]["Position"][];
            category: components["schemas"]["Category"];
            /** @description Whether the account is closed for good; it stays readable. */
            deleted: boolean;
            clientId: components["schemas"]["Id"];
            /** @description Bank accounts that the owner has connected with this client. */
            bankAccounts: components["schemas"]["BankAccount"][];
            currency: components["schemas"]["Currency"];
            createdDate: components["schemas"]["Timestamp"];
            modifiedDate: components["schemas"]["Timestamp"];
            deletedDate?: components["schemas"]["Timestamp"];
        };
        /** @description The result of the account check. */
        AccountCheckRequest: {
            /** @enum {string} */
            outcome: "pass" | "fail";
        };
        /** @description The fees of an account, explained. */
        AccountFees: {
            account: components["schemas"]["Id"];
            at: components["schemas"]["Timestamp"];
            accruing: components["schemas"]["FeesAccruing"];
            charging: components["schemas"]["FeesCharging"] | null;
            refunds: components["schemas"]["FeeRefunding"][];
            lastCharge: components["schemas"]["FeesCharged"] | null;
            isFinal: boolean;
            retrocessions: components["schemas"]["Retrocessions"];
            transactions: components["schemas"]["FeeTransaction"][];
        };
        /**
         * @description Account number, usable as OCR reference of a bankgiro payment.
         * @example 160367146695159
         */
        AccountRef: string;
        /** @description An account to open. */
        AccountSetup: {
            /** @description Type of the account. */
            accountType: components["schemas"]["AccountType"];
            owner?: (components["schemas"]["NaturalPersonOwner"] | components["schemas"]["LegalEntityOwner"]) | null;
            /** @description Display name. */
            name?: string | null;
            /** @description Service that the client offers for it. Default: `executionOnly`. */
            serviceType?: components["schemas"]["ServiceType"] | null;
            /** @description Investor protection category of the owner. Default: `retail`. */
            category?: components["schemas"]["Category"] | null;
            /** @description Cash in SEK. Default: none. */
            cash?: components["schemas"]["Money"] | null;
            /** @description Fund units in it. Default: none. */
            positions?: components["schemas"]["PositionSetup"][] | null;
            /** @description Bank accounts for payouts and autogiro charges. Default: none. */
            bankAccounts?: components["schemas"]["BankAccountSetup"][] | null;
            /** @description Whether the owner has answered the question on complex funds. Default: true. */
            fundKnowledge?: boolean | null;
        };
        /** @enum {string} */
        AccountStatus: "pending" | "active" | "rejected" | "confirm" | "closing";
        /** @enum {string} */
        AccountType: "isk" | "depot" | "insurance";
        /** @description Total market value of an account. */
        AccountValue: {
            /** @description Cash, settled positions at last price, and subscriptions on their way. */
            value: components["schemas"]["Money"];
            /** @description Always the account's currency. */
            currency: components["schemas"]["Currency"];
        };
        AccruedRetrocession: {
            quarter: string;
            instrument: components["schemas"]["InstrumentId"];
            accrued: components["schemas"]["Number"];
        };
        /** @description Postal address of an organisation. */
        Address: {
            streetAddress: string;
            zipCode: string;
            city: string;
            country: string;
        };
        /** @description Postal address of an organisation. */
        AddressSetup: {
            /** @description Street and number. */
            streetAddress: string;
            /** @description Postal code. */
            zipCode: string;
            /** @description City. */
            city: string;
            /** @description Its country. */
            country: string;
        };
        /** @description How far to advance: exactly one of `by`, `to` and `until`. */
        AdvanceRequest: {
            /** @description A period of ISO 8601, such as `P1D` or `PT90M`, or bank days, such as `3 bank days`. */
            by?: string | null;
            /** @description A timestamp, not before now. */
            to?: string | null;
            /** @description `next`, `cutOff`, `settlement` or `booking`. */
            until?: string | null;
            /** @description With `cutOff` and `settlement`. */
            instrument?: components["schemas"]["InstrumentId"] | null;
            /** @description With `cutOff` and `settlement`: that of the order. */
            order?: components["schemas"]["Id"] | null;
            /** @description With `booking`, which is the next one on it. */
            account?: components["schemas"]["Id"] | null;
            /** @description List only timers of this client, account, fund or other resource. */
            of?: string | null;
            /** @description List only timers of these kinds. */
            what?: ("order accepted or parked" | "order on hold lapses" | "cut-off" | "aggregated order routed" | "price published" | "executions confirmed" | "subscriptions settled" | "redemptions settled" | "exchange rate published" | "payout sent" | "payout returned" | "journey expires" | "account approved or rejected" | "account lapses without signatures" | "closing account looked at" | "bank account checked" | "mandate answered" | "transfer sent" | "transfer answered" | "transfer completed" | "fees charged" | "retrocessions paid" | "sale for fees ended" | "mobile payment answered" | "mobile payment times out" | "bankgiro payment booked" | "payment file closed" | "payment charged" | "savings plan runs" | "corporate action looked at")[] | null;
        };
        /** @description The timers that fired. On a shared world, only those of the caller's clients. */
        Advanced: {
            now: components["schemas"]["Timestamp"];
            /** @description The first thousand timers that match `of` and `what`. */
            happened: components["schemas"]["Happened"][];
            /** @description Number of timers of each kind, listed or not. */
            kinds: components["schemas"]["HappenedKind"][];
            /**
             * Format: int64
             * @description Number of timers, listed or not.
             */
            count: number;
        };
        /** @enum {string} */
        AgreementKey: "account" | "power_of_attorney" | "insurance" | "autogiro";
        /** @description An agreement type of an account. */
        AgreementType: {
            key: components["schemas"]["AgreementKey"];
            /** @description The Swedish name. */
            swe: string;
        };
        /** @description The account for money in suspense. */
        AllocateRequest: {
            /** @description An active account. */
            account: components["schemas"]["Id"];
        };
        /** @description A fund's share of every deposit. */
        Allocation: {
            instrument: components["schemas"]["InstrumentId"];
            /** @description Percent, at most two decimals; exactly 100 together. */
            allocation: components["schemas"]["Number"];
        };
        /** @description How deposits into an account are distributed. */
        AllocationPlan: {
            id: components["schemas"]["Id"];
            clientId: components["schemas"]["Id"];
            account: components["schemas"]["Id"];
            bankAccount: components["schemas"]["Id"] | null;
            instruments: components["schemas"]["Allocation"][];
            lastRun: components["schemas"]["PlanRun"] | null;
            createdDate: components["schemas"]["Timestamp"];
            modifiedDate: components["schemas"]["Timestamp"];
        };
        /** @description Changes an allocation plan: a merge patch (RFC 7396). */
        AllocationPlanPatch: {
            /** @description A bank account of the owner with an active or pending mandate; null ends automatic charging. */
            bankAccount?: components["schemas"]["Id"] | null;
            /** @description Replaces all shares. */
            instruments?: components["schemas"]["Allocation"][];
        };
        /** @description Lifetime sums of an account. */
        Amounts: {
            /** @description Settled deposits and transfers in. */
            deposited: components["schemas"]["Money"];
            /** @description Withdrawals and transfers out that are not aborted. */
            withdrawn: components["schemas"]["Money"];
        };
        /** @description The customer fills in one step. */
        AnswerRequest: {
            step: components["schemas"]["JourneyStep"];
            /** @description Answers by field. */
            answers?: {
                [key: string]: (string | number | boolean | null) | (string | number | boolean)[];
            } | null;
        };
        /** @enum {string} */
        AutogiroEnforce: "required" | "optional" | "none";
        /** @description A bank account of the owner. */
        BankAccount: {
            id: components["schemas"]["Id"];
            iban: components["schemas"]["Iban"];
            /** @description The number as used within the country. */
            bban: string;
            /** @description Name of the bank. */
            bank: string;
            /** @description The owner's name for it. */
            name: string | null;
            createdDate: components["schemas"]["Timestamp"];
            modifiedDate: components["schemas"]["Timestamp"];
            /** @description Whether the account check has confirmed name and ownership; withdrawals need it. */
            validated: boolean;
            mandateStatus: components["schemas"]["MandateStatus"];
        };
        /** @description A bank account of the owner. */
        BankAccountSetup: {
            /** @description Its IBAN. */
            iban: components["schemas"]["Iban"];
            /** @description The owner's name for it. */
            name?: string | null;
            /** @description Whether the bank has confirmed the owner. Default: true. */
            validated?: boolean | null;
            /** @description The state of its autogiro mandate. Default: `missing`. */
            mandateStatus?: components["schemas"]["MandateStatus"] | null;
        };
        /** @description An accepted bankgiro payment. */
        BankgiroItem: {
            id: components["schemas"]["Id"];
            /** @description The bankgiro number that receives the payment. */
            bankgiro: string;
            ref: components["schemas"]["Ocr"];
            amount: components["schemas"]["Money"];
            /** @description When it is booked. */
            bookingDate: components["schemas"]["Timestamp"];
            createdDate: components["schemas"]["Timestamp"];
        };
        /** @description A payment over bankgiro. */
        BankgiroRequest: {
            ref: components["schemas"]["Ocr"];
            amount: components["schemas"]["Money"];
        };
        /** @description Sums that an account has paid and received. */
        BookEntry: {
            debit: components["schemas"]["Money"];
            credit: components["schemas"]["Money"];
            balance: components["schemas"]["Money"];
        };
        BookTotals: {
            platform: components["schemas"]["BookEntry"];
            investors: components["schemas"]["BookEntry"];
            all: components["schemas"]["BookEntry"];
        };
        /** @description The ledger of a world. */
        Books: {
            at: components["schemas"]["Timestamp"];
            /** @description The platform's own accounts. */
            platform: components["schemas"]["PlatformLine"][];
            /** @description The partners' customers' accounts. */
            investors: components["schemas"]["InvestorLine"][];
            totals: components["schemas"]["BookTotals"];
        };
        /** @description A bundle of rules to add. */
        BundleRequest: {
            /** @description Its name, such as `a bad day`. */
            name: string;
        };
        /**
         * Format: date
         * @description A calendar day.
         * @example 2026-03-02
         */
        CalendarDate: string;
        /** @description The customer cancels the journey. */
        CancelRequest: {
            /** @description Where. */
            context?: components["schemas"]["JourneyStep"] | null;
        };
        /** @description Cash that is booked on an account. */
        CashBookingRequest: {
            transactionType: components["schemas"]["CashTransactionType"];
            refType: components["schemas"]["CashRefType"];
            /** @description Negative if the cash leaves the account. */
            amount: components["schemas"]["Money"];
            /** @description Text of the transaction. */
            text?: string | null;
        };
        /** @enum {string} */
        CashRefType: "client_fee" | "correction" | "gift" | "compensations" | "inheritance" | "dividend" | "donation" | "endowment_101" | "partner_fee" | "service_fee" | "insurance_tax" | "insurance_fee" | "riskpremia_fee" | "transfer" | "text" | "order" | "payment" | "ca" | "internal" | "external";
        /** @description A movement of cash between an investor's account and one of the platform's own. */
        CashTransaction: {
            id: components["schemas"]["Id"];
            sortedId: components["schemas"]["SortedId"];
            transactionType: components["schemas"]["CashTransactionType"];
            /** @description Whether the transaction was undone before it settled and counts for nothing. */
            aborted: boolean;
            abortedReason?: components["schemas"]["AbortedReason"];
            /** @description Id of what `refType` names, or free text. */
            ref?: string;
            refType: components["schemas"]["CashRefType"];
            /** @description The partner's own reference. */
            clientRef?: string;
            executorRef?: components["schemas"]["Ssn"];
            /** @description The account that pays. */
            debitAccount: components["schemas"]["Id"];
            /** @description The account that receives. */
            creditAccount: components["schemas"]["Id"];
            amount: components["schemas"]["Money"];
            currency: components["schemas"]["Currency"];
            text?: string;
            createdDate: components["schemas"]["Timestamp"];
            modifiedDate: components["schemas"]["Timestamp"];
            settlementDate: components["schemas"]["Day"] | null;
        };
        /** @enum {string} */
        CashTransactionType: "deposit" | "withdrawal" | "subscription" | "redemption" | "transfer_in" | "transfer_out" | "fee" | "retrocession" | "fxFee" | "settlement";
        /** @enum {string} */
        Category: "retail" | "pro";
        /** @description The legal entity that holds power of attorney over end-investor accounts. */
        Client: {
            id: components["schemas"]["Id"];
            sortedId: components["schemas"]["SortedId"];
            name: string;
            /** @description Name shown to end customers. */
            displayName: string;
            crn: components["schemas"]["Crn"];
            /** @description ISO 3166-1 alpha-2. */
            country: string;
            /** @description Bank accounts that receive fees, one for each kind of fee. */
            bankAccounts: components["schemas"]["ClientBankAccount"][];
            serviceTypes: components["schemas"]["ClientServiceType"][];
            permissions: components["schemas"]["Permissions"];
            createdDate: components["schemas"]["Timestamp"];
            modifiedDate: components["schemas"]["Timestamp"];
        };
        /** @description The bank account that receives one kind of fee. */
        ClientBankAccount: {
            feeType: components["schemas"]["FeeType"];
            iban: components["schemas"]["Iban"];
        };
        /** @description Fees taken for clients, and payments of them. */
        ClientFees: {
            clients: components["schemas"]["FeesOfClient"][];
            taken: components["schemas"]["TakenFees"][];
        };
        /** @description Fees of a client beside the platform's: at least one of the two. Absent fields stay unchanged. */
        ClientFeesRequest: {
            partnerFee?: components["schemas"]["FeeTermsSetup"] | null;
            clientFee?: components["schemas"]["FeeTermsSetup"] | null;
        };
        /** @description Changes a client: a merge patch (RFC 7396). Lists are replaced whole; `id` and `crn` cannot change. */
        ClientPatch: {
            name?: string;
            displayName?: string;
            country?: string;
            /** @description Null removes all. */
            bankAccounts?: components["schemas"]["ClientBankAccount"][] | null;
            /** @description Services that stay keep their code. */
            serviceTypes?: components["schemas"]["OfferedService"][];
        };
        /** @description Creates a client. */
        ClientRequest: {
            /** @description Id of the client; generated when left out. */
            id?: components["schemas"]["Id"] | null;
            name: string;
            /** @description Name shown to end customers. */
            displayName: string;
            /** @description Unique within the partner. */
            crn: components["schemas"]["Crn"];
            /** @description ISO 3166-1 alpha-2. */
            country: string;
            /** @description One account for each kind of fee. */
            bankAccounts?: components["schemas"]["ClientBankAccount"][] | null;
            /** @description Codes are assigned by the platform. */
            serviceTypes: components["schemas"]["OfferedService"][];
        };
        /** @description A service that the client offers. */
        ClientServiceType: {
            accountServiceType: components["schemas"]["ServiceType"];
            /** @description Activation code of six digits, assigned by the platform. */
            code: string;
        };
        /** @description A company that holds power of attorney for its customers. */
        ClientSetup: {
            /** @description Its id. Default: drawn from the seed. */
            id?: components["schemas"]["Id"] | null;
            /** @description Its registered name. */
            name: string;
            /** @description Name shown to customers. Default: the name. */
            displayName?: string | null;
            /** @description Its organisation number, ten digits. */
            crn: components["schemas"]["Crn"];
            /** @description Where it is registered. Default: `SE`. */
            country?: string | null;
            /** @description Bank accounts that receive its fees. */
            bankAccounts?: components["schemas"]["ClientBankAccount"][] | null;
            /** @description Services that it offers for accounts. Default: all. */
            serviceTypes?: components["schemas"]["ServiceType"][] | null;
            /** @description Permissions. Default: all. */
            permissions?: components["schemas"]["PermissionsSetup"] | null;
            /** @description Fee of its partner. Default: none. */
            partnerFee?: components["schemas"]["FeeTermsSetup"] | null;
            /** @description Its own fee. Default: none. */
            clientFee?: components["schemas"]["FeeTermsSetup"] | null;
            /** @description Whether its partner may only instruct withdrawals that the customer has signed. */
            withdrawalNeedsSignature?: boolean | null;
            /** @description The funds it offers. Default: all. */
            universe?: components["schemas"]["InstrumentId"][] | null;
            /** @description Accounts that exist at the start. */
            accounts?: components["schemas"]["AccountSetup"][] | null;
        };
        /** @description Terms of a client as in a setup. Absent fields stay unchanged. */
        ClientTermsPatch: {
            /** @description Whether its partner may only instruct withdrawals that the customer has signed. */
            withdrawalNeedsSignature?: boolean | null;
        };
        /** @description Time and mode of a world's clock. */
        Clock: {
            now: components["schemas"]["Timestamp"];
            next: components["schemas"]["Happened"] | null;
            /** @description The mode in one word, as for `--clock`. */
            clock: string;
            /** @example frozen */
            mode: string;
            factor: components["schemas"]["Number"] | null;
        };
        /** @description Mode of the clock: in one word, or as mode and factor (rule: calendar/clock-words). */
        ClockRequest: {
            /** @description The mode in one word, as for `--clock`: `frozen`, `real`, or world seconds for each real second. */
            clock?: string | number | null;
            /** @description `frozen`, `real` or `paced`. */
            mode?: string | null;
            /** @description World seconds for each real second. */
            factor?: string | number | null;
        };
        /**
         * @description Local time in Stockholm.
         * @example 14:00
         */
        ClockTime: string;
        /** @description Which sockets to close, and how. Default: all sockets. */
        CloseRequest: {
            /**
             * @description `graceful` when left out.
             * @enum {string|null}
             */
            how?: "graceful" | "close" | "drop" | "stall" | "cutInFrame" | "cap" | null;
            /** @description Only this client's. */
            client?: components["schemas"]["Id"] | null;
            /** @description Only the socket with this id. */
            id?: number | null;
        };
        CompanyAddress: {
            streetAddress: string;
            zipCode: string;
            city: string;
            country: string;
        };
        CompanyAnswer: {
            qid: string;
            answer: string[];
        };
        CompanyMember: {
            name: string;
            ssn: string;
            /** @description `chair`, `member` or `signatory`. */
            role: string;
        };
        /** @description A person with `ssn`, or with `birthDate` and `country`. */
        CompanyOwner: {
            name: string;
            ssn?: string | null;
            birthDate?: components["schemas"]["CalendarDate"] | null;
            country?: string | null;
            share?: components["schemas"]["Number"] | null;
            /** @description `shares`, `votes`, `board` or `other`. */
            control: string;
        };
        CompanyPep: {
            name: string;
            ssn?: string | null;
            exposed: boolean;
        };
        /** @description Company data. */
        CompanyShown: {
            account: components["schemas"]["Id"];
            /** @description When the journey that confirmed the data was signed. */
            confirmed: components["schemas"]["Timestamp"];
            crn: string;
            name: string;
            companyType: string;
            address: components["schemas"]["CompanyAddress"];
            /** @description Name in the company register. */
            registeredName: string;
            board: components["schemas"]["CompanyMember"][];
            /** @description `alone` or `together`. */
            signing: string;
            /** @description Personal numbers. */
            signatories: string[];
            /** @description Beneficial owners as the customer confirmed or corrected them; empty if the board counts instead. */
            beneficialOwners: components["schemas"]["CompanyOwner"][];
            /** @description Beneficial owners in the company register. */
            registeredOwners: components["schemas"]["CompanyOwner"][];
            boardInsteadOfOwners: boolean;
            /** @description One entry for each question. */
            answers: components["schemas"]["CompanyAnswer"][];
            /** @description One entry for each person. */
            pep: components["schemas"]["CompanyPep"][];
        };
        /** @description Comparison of this world with another. */
        Comparison: {
            /** @description Whether the digests of the two worlds are equal. */
            same: boolean;
            now: components["schemas"]["Timestamp"];
            otherNow: components["schemas"]["Timestamp"];
            /** @description Parts of the worlds that differ, such as `now`, `timers` or `market`, also those that no resource shows. */
            parts: string[];
            /** @description Number of equal and of different resources, by kind. */
            counts: components["schemas"]["ComparisonCount"][];
            /** @description The differences, up to the requested limit. */
            differences: components["schemas"]["ComparisonDifference"][];
        };
        ComparisonCount: {
            /** @example order */
            resource: string;
            alike: number;
            different: number;
            /** @description Number that only this world has. */
            onlyHere: number;
            /** @description Number that only the other world has. */
            onlyThere: number;
        };
        ComparisonDifference: {
            /** @example order */
            resource: string;
            /** @description Id of the resource; `world` for settings. */
            id: string;
            /**
             * @description `here` or `there`, when only one of the worlds has it.
             * @example here
             */
            only?: string;
            /** @description The fields that differ, when both have it. */
            fields?: components["schemas"]["ComparisonField"][];
        };
        ComparisonField: {
            /** @description Path in the resource, such as `messages[0].text`. */
            path: string;
            /** @description Value in that world; null when absent. */
            here: unknown;
            /** @description Value in that world; null when absent. */
            there: unknown;
        };
        /** @description The customer's answers. Absent answers get suitable defaults. */
        CompleteRequest: {
            /** @description Answers by step and field. */
            answers?: {
                welcome?: {
                    [key: string]: (string | number | boolean | null) | (string | number | boolean)[];
                };
                authentication?: {
                    [key: string]: (string | number | boolean | null) | (string | number | boolean)[];
                };
                accountDetails?: {
                    [key: string]: (string | number | boolean | null) | (string | number | boolean)[];
                };
                company?: {
                    [key: string]: (string | number | boolean | null) | (string | number | boolean)[];
                };
                beneficialOwners?: {
                    [key: string]: (string | number | boolean | null) | (string | number | boolean)[];
                };
                kyc?: {
                    [key: string]: (string | number | boolean | null) | (string | number | boolean)[];
                };
                transfer?: {
                    [key: string]: (string | number | boolean | null) | (string | number | boolean)[];
                };
                bankAccount?: {
                    [key: string]: (string | number | boolean | null) | (string | number | boolean)[];
                };
                allocationPlan?: {
                    [key: string]: (string | number | boolean | null) | (string | number | boolean)[];
                };
                savingsPlan?: {
                    [key: string]: (string | number | boolean | null) | (string | number | boolean)[];
                };
                agreement?: {
                    [key: string]: (string | number | boolean | null) | (string | number | boolean)[];
                };
                signing?: {
                    [key: string]: (string | number | boolean | null) | (string | number | boolean)[];
                };
            } | null;
        };
        /** @description The error body of a conflict (rule: wire/conflicts). */
        ConflictBody: {
            /**
             * @description Always `conflict`.
             * @example conflict
             */
            error: string;
            /**
             * @description The reason for the conflict.
             * @example order does not allow this while it is settled
             */
            error_description: string;
            /** @description Present state of the resource, if the state is the reason. */
            current?: string;
            /** @description Actions that this state allows. */
            allowed?: string[];
        };
        /** @description Contact person of an organisation. */
        ContactPerson: {
            name: string;
            phone: string;
            email: string;
        };
        /** @description Contact person of an organisation. */
        ContactPersonSetup: {
            /** @description Full name. */
            name: string;
            /** @description Phone number. */
            phone: string;
            /** @description Email address. */
            email: string;
        };
        /** @description Costs in percent, a year or an event. */
        Cost: {
            entryFee: components["schemas"]["Number"];
            exitFee: components["schemas"]["Number"];
            ongoingFee: components["schemas"]["Number"];
            transactionFee: components["schemas"]["Number"];
            performanceFee: components["schemas"]["Number"];
        };
        /** @description What a fund costs, in percent. */
        CostSetup: {
            /** @description Fee on a purchase. */
            entryFee?: number | null;
            /** @description Fee on a sale. */
            exitFee?: number | null;
            /** @description Ongoing fee, a year. */
            ongoingFee?: number | null;
            /** @description Cost of the fund's own trades, a year. */
            transactionFee?: number | null;
            /** @description Fee on the fund's gains. */
            performanceFee?: number | null;
        };
        /** @description What has been met of a world, and what never. */
        Coverage: {
            /** @description Time of the world's clock. */
            at: components["schemas"]["Timestamp"];
            /** @description The partners whose integrations are counted. */
            partners: components["schemas"]["Id"][];
            /**
             * Format: int64
             * @description The mean of the groups' shares, in whole percent, rounded down.
             */
            share: number;
            /** @description Rows that have been met, in all groups. */
            met: number;
            /** @description Rows that can be met, in all groups. */
            rows: number;
            groups: components["schemas"]["CoverageGroup"][];
        };
        /** @description One kind of what can be met. */
        CoverageGroup: {
            /** @description Its name. */
            name: string;
            /** @description What it counts. */
            about: string;
            /**
             * Format: int64
             * @description How many of its rows have been met, in whole percent, rounded down.
             */
            share: number;
            /** @description What was never met. */
            never: components["schemas"]["NeverMet"][];
            /** @description What was met, in the order of its table. */
            met: components["schemas"]["Met"][];
        };
        /** @description A request that helps to meet something. */
        CoverageTry: {
            /** @description The operation, as the description of the server calls it. */
            operation: string;
            method: string;
            /** @description Its path, with names in braces for ids. */
            path: string;
            /** @description What the operation does. */
            about: string;
            /** @description The fields that matter here, where particular ones do, with names in braces for ids. */
            body?: unknown;
        };
        /**
         * @description A company registration number of ten digits.
         * @example 5599900007
         */
        Crn: string;
        /**
         * @description A currency code (ISO 4217).
         * @example SEK
         */
        Currency: string;
        /** @description An institution that holdings can be transferred from. */
        Custodian: {
            id: string;
            name: string;
        };
        /** @description An institution that holdings can be transferred from. */
        CustodianSetup: {
            /** @description Its id. */
            id: string;
            /** @description Its name. */
            name: string;
        };
        /**
         * Format: date-time
         * @description A calendar day, written as its midnight UTC.
         * @example 2026-03-04T00:00:00.000Z
         */
        Day: string;
        /** @description A person has died. */
        DeathRequest: {
            ssn: components["schemas"]["Ssn"];
        };
        /** @description A delay of a fund's prices. */
        DelayRequest: {
            bankDays: number;
        };
        /** @description A delivery of an event or a callback, with its attempts. */
        Delivery: {
            id: components["schemas"]["Id"];
            /** @description `queued`, `delivered`, `refused` or `deadLetter`. */
            status: string;
            eventType: string;
            /** @description Receivers deduplicate by this id. */
            webhookId: components["schemas"]["Id"];
            webhook: components["schemas"]["Id"] | null;
            /** @description The journey, for its callback. */
            journey?: components["schemas"]["Id"];
            /** @description Resource of the event, for a webhook. */
            resource?: components["schemas"]["Id"];
            /** @description The client of the journey, or of the webhook. */
            client: components["schemas"]["Id"];
            /** @description URL of the next attempt, or of the last one. */
            url: string;
            /** @description Time of the world's clock. */
            occurred: components["schemas"]["Timestamp"];
            queued: components["schemas"]["Timestamp"];
            nextAttempt: components["schemas"]["Timestamp"] | null;
            /** @description Whether the next attempt is due. */
            due: boolean;
            /** @description Whether a fault rule lets later deliveries overtake this one. */
            overtaken: boolean;
            /** @description Delay by a fault rule before the next attempt. */
            putOff?: components["schemas"]["PutOff"];
            underWaySince: components["schemas"]["Timestamp"] | null;
            /** Format: int32 */
            attemptsMade: number;
            /**
             * Format: int32
             * @description How often it was sent again: a listener forwards it once for each of these, and once before.
             */
            sentAgain: number;
            /** @description The latest attempts. */
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** @description Body of the delivery. */
            body: Record<string, never>;
        };
        DeliveryAttempt: {
            at: components["schemas"]["Timestamp"];
            /** Format: int64 */
            tookMs: number;
            /**
             * Format: int32
             * @description Status that the receiver answered.
             */
            status: number | null;
            /** @description Why the receiver did not answer. */
            error: string | null;
            /** @description The error in words. */
            errorDescription: string | null;
            /**
             * Format: int64
             * @description Seconds in the receiver's `retry-after`.
             */
            retryAfter?: number;
            /** @description Effect of a fault rule on it: `refuse`, `fail`, `drop`, `duplicate` or `corruptSignature`. */
            fault?: string;
            /** @description Delay by a fault rule before this attempt. */
            putOff?: components["schemas"]["PutOff"];
        };
        /** @description Deliveries, newest first; oldest first with `after`. */
        DeliveryList: {
            /** @description Names this log. Another one begins where the world is put back, which forgets deliveries. */
            log: components["schemas"]["Id"];
            /** @description `after` for the next request, which shows what comes from now on; with `after`, what came behind the last one shown. */
            next: string;
            /**
             * @description Only with `after`: whether nothing that came after the cursor is missing here, or is here once more. Otherwise the list begins with
             *     the oldest delivery that is kept.
             */
            isWhole?: boolean;
            /** @description Number that match the query. */
            total: number;
            /**
             * Format: int64
             * @description Number that are no longer kept.
             */
            forgotten: number;
            /**
             * Format: int64
             * @description Events that were dropped before they were delivered.
             */
            missed: number;
            /**
             * Format: int64
             * @description Events that are not processed yet.
             */
            unread: number;
            deliveries: components["schemas"]["Delivery"][];
        };
        /** @description A delivery as its receiver gets it. */
        DeliveryMessage: {
            /** @description Always `POST`. */
            method: string;
            /** @description URL of the next attempt, or of the last one. */
            url: string;
            /** @description Names in lower case; those of the connection are left out. */
            headers: {
                [key: string]: string;
            };
            /** @description The body, to be sent as it is: the signatures are those of its bytes in UTF-8. */
            body: string;
        };
        /** @enum {string} */
        DepositType: "autogiro" | "manual";
        /** @description The fingerprint of a world. */
        Digest: {
            now: components["schemas"]["Timestamp"];
            /** @description Equal for equal worlds. */
            digest: string;
        };
        /** @description The error body of the partner API. */
        ErrorBody: {
            /**
             * @description Kind of error.
             * @example invalid_request
             */
            error: string;
            /**
             * @description One sentence for each problem, joined with "; ", each beginning with the path of its field.
             * @example amount must be greater than zero; account is not known
             */
            error_description: string;
        };
        /** @enum {string} */
        ErrorCode: "USER_ERROR" | "AUTH_ERROR" | "KYC_ERROR" | "TRANSFER_ERROR" | "SIGN_ERROR" | "OTHER_ERROR";
        /** @description One event. */
        EventLine: {
            /** Format: int64 */
            number: number;
            at: components["schemas"]["Timestamp"];
            client: components["schemas"]["Id"] | null;
            /** @description The message as sockets receive it. */
            event: Record<string, never>;
        };
        /** @description Events that happened. */
        EventList: {
            /**
             * Format: int64
             * @description Number of the first that is kept.
             */
            first: number;
            /** Format: int64 */
            kept: number;
            /** @description Number of events kept at most. */
            limit: number;
            /**
             * Format: int64
             * @description Number that are no longer kept.
             */
            forgotten: number;
            /**
             * Format: int64
             * @description Number of events since the start.
             */
            total: number;
            /**
             * Format: int64
             * @description Number that match the query and are no longer kept.
             */
            missed: number;
            /**
             * Format: int64
             * @description With `search`: number of the first event searched. Continue with it as `before`.
             */
            lookedFrom?: number;
            events: components["schemas"]["EventLine"][];
        };
        /** @description Events kept of a world, and the number no longer kept (rule: events/events-kept). */
        EventLog: {
            /**
             * Format: int64
             * @description Number of the first that is kept.
             */
            first: number;
            /** Format: int64 */
            kept: number;
            /** @description Number of events kept at most. */
            limit: number;
            /**
             * Format: int64
             * @description Number that are no longer kept.
             */
            forgotten: number;
        };
        /** @description The journey fails. */
        FailRequest: {
            code: components["schemas"]["ErrorCode"];
            /** @description Where. */
            context?: components["schemas"]["JourneyStep"] | null;
        };
        /** @description A fault rule with its counts. */
        Fault: {
            /** Format: int64 */
            id: number;
            /** @description The partner that the rule belongs and applies to; absent for a rule about all partners. */
            partner?: components["schemas"]["Id"];
            match: components["schemas"]["FaultMatchShown"];
            verdict: Record<string, never>;
            /**
             * Format: int64
             * @description Requests, socket events or deliveries that matched its method, path or event.
             */
            seen: number;
            /**
             * Format: int64
             * @description Number of these that the rule changed.
             */
            hits: number;
        };
        /** @description A status to answer with. */
        FaultAnswer: {
            status: number;
            /** @description Seconds for the header `retry-after`. */
            retryAfter?: number | null;
        };
        /** @description A named set of fault rules. */
        FaultBundle: {
            name: string;
            /** @description What the rules simulate. */
            about: string;
            /** @description Number of rules. */
            rules: number;
        };
        /** @description Delay of an answer. */
        FaultDelay: {
            ms: number;
        };
        /** @description What a rule applies to. All given conditions must hold. */
        FaultMatch: {
            /** @description Method of the request: `GET`, `POST`, `PUT`, `PATCH`, `DELETE`, `HEAD` or `OPTIONS`. */
            method?: string | null;
            /** @description Path of the request, or of the receiver, without a query: `*` or `{name}` stands for one segment, `**` for any number of them. */
            path?: string | null;
            /** @description Type of the event that a socket or a delivery sends: `order.update`, `order.*`, `*`; for deliveries also `journey.callback` and `webhook.test`. */
            event?: string | null;
            /** @description Only the nth match, counted from 1. */
            nth?: number | null;
            /** @description Probability that the rule applies, drawn from the world's seed. */
            probability?: number | null;
            /** @description How many times the rule applies. */
            times?: number | null;
        };
        FaultMatchShown: {
            method: string | null;
            path: string | null;
            event: string | null;
            /** Format: int64 */
            nth: number | null;
            probability: components["schemas"]["Number"] | null;
            /** Format: int64 */
            times: number | null;
        };
        /** @description A rule to add. */
        FaultRequest: {
            /** @description What it applies to; everything when left out. */
            match?: components["schemas"]["FaultMatch"] | null;
            /** @description Effect of the rule. */
            verdict: components["schemas"]["FaultVerdict"];
        };
        /**
         * @description Effect of a rule: exactly one of these.
         * @example {
         *       "answer": {
         *         "status": 503,
         *         "retryAfter": 30
         *       }
         *     }
         * @example {
         *       "delay": {
         *         "ms": 2000
         *       }
         *     }
         * @example {
         *       "drop": "after"
         *     }
         * @example {
         *       "sockets": "close"
         *     }
         * @example {
         *       "deliveries": "delay",
         *       "ms": 60000
         *     }
         */
        FaultVerdict: {
            /** @description The server answers with this status instead. */
            answer?: components["schemas"]["FaultAnswer"] | null;
            /** @description The answer comes late. */
            delay?: components["schemas"]["FaultDelay"] | null;
            /**
             * @description The connection breaks before or after the request is executed.
             * @enum {string|null}
             */
            drop?: "before" | "after" | null;
            /**
             * @description How event sockets close: with `match.event` the socket that is about to send such an event, otherwise all.
             * @enum {string|null}
             */
            sockets?: "graceful" | "close" | "stall" | "cutInFrame" | "cap" | null;
            /**
             * @description What happens to callbacks and webhooks.
             * @enum {string|null}
             */
            deliveries?: "refuse" | "fail" | "drop" | "duplicate" | "delay" | "reorder" | "corruptSignature" | null;
            /** @description Milliseconds by which `delay` and `reorder` put a delivery off; 5000 when left out. */
            ms?: number | null;
        };
        FeeAccruing: {
            refType: string;
            /** Format: int32 */
            basisPoints: number;
            mode: components["schemas"]["FeeMode"] | null;
            accrued: components["schemas"]["Number"];
            /** @description Amount accrued in mode `calculated`. It is not part of `accrued`, and never charged. */
            calculated: components["schemas"]["Number"];
            carry: components["schemas"]["Number"];
            arrears: components["schemas"]["Money"];
        };
        FeeAmount: {
            refType: string;
            amount: components["schemas"]["Money"];
        };
        FeeCharged: {
            refType: string;
            mode: components["schemas"]["FeeMode"];
            carried: components["schemas"]["Number"];
            accrued: components["schemas"]["Number"];
            amount: components["schemas"]["Money"];
            /** @description Amount accrued in mode `calculated`. It is not part of `amount`. */
            calculated: components["schemas"]["Money"];
            arrears: components["schemas"]["Money"];
        };
        /** @enum {string} */
        FeeMode: "none" | "calculated" | "withdrawn";
        FeeRefund: {
            payment: components["schemas"]["Id"];
            amount: components["schemas"]["Money"];
        };
        FeeRefunding: {
            payment: components["schemas"]["Id"];
            left: components["schemas"]["Money"];
            inArrears: boolean;
            sales: components["schemas"]["FeeSale"][];
        };
        /** @description Units that are sold for fees. */
        FeeSale: {
            order: components["schemas"]["Id"];
            instrument: components["schemas"]["InstrumentId"];
            units: components["schemas"]["Number"] | null;
            status: string;
            covers: components["schemas"]["Number"];
        };
        FeeTerms: {
            /** Format: int32 */
            basisPoints: number;
            mode: components["schemas"]["FeeMode"];
        };
        /** @description A fee of a client beside the platform's. */
        FeeTermsSetup: {
            /** @description Basis points of the value, a year. */
            basisPoints: number;
            /** @description What happens to the fee on the day of fees. */
            mode: components["schemas"]["FeeMode"];
        };
        FeeTransaction: {
            id: components["schemas"]["Id"];
            transactionType: components["schemas"]["CashTransactionType"];
            refType: components["schemas"]["CashRefType"];
            ref: string | null;
            amount: components["schemas"]["Money"];
            createdDate: components["schemas"]["Timestamp"];
        };
        /** @enum {string} */
        FeeType: "client_fee" | "partner_fee" | "service_fee";
        FeesAccruing: {
            from: components["schemas"]["CalendarDate"];
            through: components["schemas"]["CalendarDate"] | null;
            chargedAt: components["schemas"]["Timestamp"] | null;
            kinds: components["schemas"]["FeeAccruing"][];
        };
        FeesCharged: {
            ref: string;
            from: components["schemas"]["CalendarDate"];
            through: components["schemas"]["CalendarDate"];
            kinds: components["schemas"]["FeeCharged"][];
        };
        FeesCharging: {
            ref: string;
            amounts: components["schemas"]["FeeAmount"][];
            refunds: components["schemas"]["FeeRefund"][];
            reserved: components["schemas"]["Money"];
            sales: components["schemas"]["FeeSale"][];
        };
        /** @description Fees of one client. */
        FeesOfClient: {
            client: components["schemas"]["Id"];
            partnerFee: components["schemas"]["FeeTerms"];
            clientFee: components["schemas"]["FeeTerms"];
        };
        /** @description The world and the moment that a fork began from. */
        Fork: {
            worldId: string;
            /** Format: int64 */
            input: number;
            at: components["schemas"]["Timestamp"];
        };
        /** @description Name of a fork, and the moment it begins from: now when neither `at` nor `input` is given. */
        ForkRequest: {
            /** @description Generated when left out. */
            name?: string | null;
            /** @description A timestamp: the fork begins when the world's clock showed this, after everything of that instant. */
            at?: string | null;
            /** @description Number of an input: the fork begins after it. */
            input?: number | null;
        };
        /** @enum {string} */
        FundRefType: "text" | "correction" | "transfer" | "order" | "ca" | "internal" | "external" | "gift" | "compensations" | "inheritance" | "dividend" | "endowment_101";
        /** @description A movement of units into or out of an account. */
        FundTransaction: {
            id: components["schemas"]["Id"];
            sortedId: components["schemas"]["SortedId"];
            transactionType: components["schemas"]["FundTransactionType"];
            /** @description Whether the transaction was undone before it settled and counts for nothing. */
            aborted: boolean;
            abortedReason?: components["schemas"]["AbortedReason"];
            /** @description Id of what `refType` names, or free text. */
            ref?: string;
            refType: components["schemas"]["FundRefType"];
            /** @description The partner's own reference. */
            clientRef?: string;
            executorRef?: components["schemas"]["Ssn"];
            account: components["schemas"]["Id"];
            instrument: components["schemas"]["InstrumentId"];
            /** @description The instrument's ISIN. */
            identifier: components["schemas"]["Isin"];
            units: components["schemas"]["Number"];
            price: components["schemas"]["Number"] | null;
            currency: components["schemas"]["Currency"];
            createdDate: components["schemas"]["Timestamp"];
            modifiedDate: components["schemas"]["Timestamp"];
            tradeDate: components["schemas"]["Day"] | null;
            settlementDate: components["schemas"]["Day"] | null;
        };
        /** @enum {string} */
        FundTransactionType: "subscription" | "redemption";
        /** @description A timer: one that fired, or the next to fire. */
        Happened: {
            at: components["schemas"]["Timestamp"];
            what: string;
            /** @description Id of the resource. */
            resource: string;
        };
        /** @description Number of timers of one kind. */
        HappenedKind: {
            what: string;
            /** Format: int64 */
            count: number;
        };
        /** @description Health of the process. */
        Health: {
            /** @description `ok` of `/healthz`, `ready` of `/readyz`. */
            status: string;
        };
        /** @description One historical price. */
        HistoricalPrice: {
            priceDate: components["schemas"]["CalendarDate"];
            /** @description In the fund's currency. */
            closePrice: components["schemas"]["Number"];
        };
        /** @description Accounts with a history before the start: opening, deposits, purchases and sales, drawn from the seed. */
        HistorySetup: {
            /** @description Number of accounts, distributed over all clients in turn. Times `days` it is at most 1,830,000. */
            accounts: number;
            /** @description How many days before its start the world begins. */
            days: number;
        };
        /**
         * @description An IBAN (ISO 13616) without spaces.
         * @example SE8150000000050000000019
         */
        Iban: string;
        /**
         * Format: uuid
         * @description A UUID.
         * @example 0b5b3c1e-5f0a-4d0e-9b56-3f3f5a0d6c11
         */
        Id: string;
        /** @description A batch of payments into accounts. */
        Instruction: {
            id: components["schemas"]["Id"];
            type: components["schemas"]["InstructionType"];
            payments: components["schemas"]["Payment"][];
            bankTransferRef: components["schemas"]["AccountRef"] | null;
            status: components["schemas"]["InstructionStatus"];
        };
        /** @description A batch of payments. All are accepted, or none. */
        InstructionRequest: {
            type: components["schemas"]["InstructionType"];
            /** @description 1 to 1,000 payments. */
            payments: components["schemas"]["PaymentRequest"][];
        };
        /** @enum {string} */
        InstructionStatus: "new" | "processing" | "completed";
        /** @enum {string} */
        InstructionType: "autogiro" | "bankTransfer";
        /** @description A mutual fund with its present data. */
        Instrument: {
            id: components["schemas"]["InstrumentId"];
            isincode: components["schemas"]["Isin"];
            name: string;
            currency: components["schemas"]["Currency"];
            closePrice: components["schemas"]["Number"] | null;
            priceDate: components["schemas"]["Day"] | null;
            kiid: components["schemas"]["KeyDocument"][];
            isBuyable: boolean;
            isSellable: boolean;
            isTradable: boolean;
            cost: components["schemas"]["Cost"];
            /** @description Basis points of the holding's value that are rebated to the customer each year. */
            rebate: components["schemas"]["Number"];
            /**
             * Format: int32
             * @description Largest number of decimals of ordered units.
             */
            decimalsUnits: number;
            minInvestmentAmountSEK: components["schemas"]["Money"];
            /** @description Minimum of a first purchase, where it differs from `minInvestmentAmountSEK`. */
            minInitialAmountSek?: components["schemas"]["Money"];
            /** @description Minimum of later purchases, where it differs from `minInvestmentAmountSEK`. */
            minSubsequentAmountSek?: components["schemas"]["Money"];
            /** @description Whether buying needs an appropriateness answer. */
            isComplex: boolean;
            /** @description Whether the fund is open to professional clients only. */
            isRaif: boolean;
            cutOffTime: components["schemas"]["ClockTime"];
            /**
             * Format: int32
             * @description Bank days from trade to settlement.
             */
            subscriptionSettlementDays: number;
            /**
             * Format: int32
             * @description Bank days from trade to settlement.
             */
            redemptionSettlementDays: number;
            cutOffDateSub: components["schemas"]["Timestamp"] | null;
            cutOffDateRed: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @description An ISIN followed by a currency code.
         * @example SE0SBX000016SEK
         */
        InstrumentId: string;
        /** @description A fund. */
        InstrumentSetup: {
            /** @description ISIN with its check digit, followed by a currency code. */
            id: components["schemas"]["InstrumentId"];
            /** @description Its name. */
            name: string;
            /** @description Price of a unit on the first day, in the fund's currency. */
            firstPrice: components["schemas"]["Number"];
            /** @description How much a price moves on a usual day, in hundredths of a percent. Default: 90. */
            volatilityBp?: number | null;
            /** @description Cut-off for orders of the day, local time. Default: 14:00. */
            cutOffTime?: string | null;
            /** @description Bank days from the cut-off to the settlement of a purchase. Default: 2. */
            subscriptionSettlementDays?: number | null;
            /** @description Bank days from the cut-off to the settlement of a sale. Default: 2. */
            redemptionSettlementDays?: number | null;
            /** @description 0: priced on the dealing day at 18:30; 1: on the next bank day at 10:00, and so on. Default: 0. */
            navLagDays?: number | null;
            dealing?: ("daily" | {
                weekly: number;
            } | {
                monthly: number;
            }) | null;
            /** @description Markets on whose holidays it is closed. */
            calendars?: ("US" | "LU" | "GB")[] | null;
            /** @description Other days on which it is closed. */
            closedDays?: components["schemas"]["CalendarDate"][] | null;
            /** @description Decimals of its units. Default: 4. */
            decimalsUnits?: number | null;
            /** @description Smallest purchase in SEK. */
            minInvestmentAmountSEK?: components["schemas"]["Money"] | null;
            /** @description Smallest first purchase in SEK, where that differs. */
            minInitialAmountSek?: components["schemas"]["Money"] | null;
            /** @description Smallest later purchase in SEK, where that differs. */
            minSubsequentAmountSek?: components["schemas"]["Money"] | null;
            /** @description Whether buying needs an appropriateness answer. */
            isComplex?: boolean | null;
            /** @description Whether it is for professional clients only. */
            isRaif?: boolean | null;
            /** @description Whether it can be bought. Default: true. */
            isBuyable?: boolean | null;
            /** @description Whether it can be sold. Default: true. */
            isSellable?: boolean | null;
            /** @description Whether it can be traded at all. Default: true. */
            isTradable?: boolean | null;
            /** @description Percent of its fee that is rebated, a year. */
            rebate?: number | null;
            /** @description Costs in percent. Default: none. */
            cost?: components["schemas"]["CostSetup"] | null;
            /** @description Its key documents. */
            kiid?: components["schemas"]["KeyDocumentSetup"][] | null;
        };
        InvestorLine: {
            account: components["schemas"]["Id"];
            ref: components["schemas"]["AccountRef"];
            debit: components["schemas"]["Money"];
            credit: components["schemas"]["Money"];
            balance: components["schemas"]["Money"];
        };
        /**
         * @description An ISIN (ISO 6166).
         * @example SE0SBX000016
         */
        Isin: string;
        /** @description A hosted, time-limited flow that an end customer completes. */
        Journey: {
            id: components["schemas"]["Id"];
            sortedId: components["schemas"]["SortedId"];
            /** @description As `journey.journeyType`. */
            type: components["schemas"]["JourneyType"];
            status: components["schemas"]["JourneyStatus"];
            clientId: components["schemas"]["Id"];
            /** @description Link for the end customer, valid for this journey only, until `expiryDate`. */
            url: string;
            expiryDate: components["schemas"]["Timestamp"];
            journey: components["schemas"]["JourneyConfiguration"];
            submission: components["schemas"]["Id"] | null;
            callbackUrl: string;
            redirectUrl: string | null;
            completionRedirectUrl: string | null;
            errorCode: components["schemas"]["ErrorCode"] | null;
            context: components["schemas"]["JourneyStep"] | null;
            /** @description The value given at creation, byte for byte. */
            scope: string | null;
            result: components["schemas"]["JourneyResult"] | null;
            deleted: boolean;
            createdDate: components["schemas"]["Timestamp"];
            modifiedDate: components["schemas"]["Timestamp"];
            deletedDate: components["schemas"]["Timestamp"] | null;
        };
        /** @description Choices of a legal entity. */
        JourneyAccountOptions: {
            /** @description Always `legal_entity`. */
            ownerType: components["schemas"]["OwnerType"];
            /** @description Service types to choose from. */
            serviceTypes: components["schemas"]["ServiceType"][];
            /** @description Account types to choose from. */
            accountTypes: components["schemas"]["AccountType"][];
            /** @description Categories to choose from. */
            accountCategories: components["schemas"]["Category"][];
        };
        /** @description A fund's share of every deposit. */
        JourneyAllocation: {
            /** @description The fund. */
            instrument: components["schemas"]["InstrumentId"];
            /** @description Percent, at most two decimals. */
            allocation: components["schemas"]["Number"];
        };
        /** @description How deposits are distributed. */
        JourneyAllocationPlan: {
            /** @description How money is deposited. */
            depositType?: components["schemas"]["DepositType"] | null;
            /** @description Whether money is deposited every month or once. */
            periodicity?: components["schemas"]["Periodicity"] | null;
            /** @description The bank account to charge. */
            paymentAccount?: components["schemas"]["JourneyPaymentAccount"] | null;
            /** @description Exactly 100 percent together; the customer picks when they are left out. */
            instruments?: components["schemas"]["JourneyAllocation"][] | null;
        };
        /** @description Whether a mandate is asked for. */
        JourneyAutogiro: {
            /** @description `none` when left out. */
            enforce?: components["schemas"]["AutogiroEnforce"] | null;
            /** @description Whether a new bank account must be connected; false when left out. */
            forceNewBankAccount?: boolean | null;
        };
        /** @description Configuration of a journey. The journey type determines which fields are required, allowed and refused. */
        JourneyConfiguration: components["schemas"]["CreateAccountConfiguration"] | components["schemas"]["CreateLegalEntityAccountConfiguration"] | components["schemas"]["AddBankAccountConfiguration"] | components["schemas"]["SignWithdrawalConfiguration"] | components["schemas"]["UpdateAllocationPlanConfiguration"] | components["schemas"]["UpdateSavingsPlanConfiguration"] | components["schemas"]["SignSubmissionConfiguration"] | components["schemas"]["KycRenewalConfiguration"];
        /** @description A fund. */
        JourneyInstrument: {
            /** @description The fund. */
            instrument: components["schemas"]["InstrumentId"];
        };
        /** @description An answer known beforehand. */
        JourneyKycAnswer: {
            /** @description Id of the question. */
            qid: string;
            /** @description One text, or several. */
            answer: components["schemas"]["JourneyKycTexts"];
        };
        /** @description One text, or a list of them, as given. */
        JourneyKycTexts: string | string[];
        /** @description Journeys that were started. */
        JourneyList: {
            /** @description Number that match the query, whatever the limit. */
            total: number;
            journeys: components["schemas"]["Journey"][];
        };
        /** @description Bank account to charge. */
        JourneyPaymentAccount: {
            /** @description Its IBAN. */
            iban: components["schemas"]["Iban"];
        };
        /** @description Starts a journey. */
        JourneyRequest: {
            journey: components["schemas"]["JourneyConfiguration"];
            /** @description Receives one POST when the journey becomes `canceled`, `error` or `complete`; https in production, no fragment. */
            callbackUrl: string;
            /** @description Address that the electronic-identity app returns to. Schemes that can run code are refused. */
            redirectUrl?: string | null;
            /** @description Address that the browser goes to after completion. Schemes that can run code are refused. */
            completionRedirectUrl?: string | null;
            /** @description Base64 value that the callback returns. */
            scope?: string | null;
        };
        /** @description Result of a complete journey. */
        JourneyResult: {
            journeyType: string;
            account?: components["schemas"]["JourneyResultAccount"];
            /** @description Bank accounts that were connected. */
            bankAccounts?: components["schemas"]["JourneyResultBankAccount"][];
            /** @description One item for each account at a custodian. */
            transfers?: components["schemas"]["JourneyResultTransfer"][];
            allocationPlan?: components["schemas"]["JourneyResultAllocationPlan"];
            savingsplan?: components["schemas"]["JourneyResultSavingsPlan"];
            submission?: components["schemas"]["JourneyResultSubmission"];
        };
        /** @description The account, as it was at completion. */
        JourneyResultAccount: {
            /** @description Left out where the world's `resultAccountId` is off. */
            id?: components["schemas"]["Id"];
            status: components["schemas"]["AccountStatus"];
            accountType: components["schemas"]["AccountType"];
            serviceType: components["schemas"]["ServiceType"];
        };
        /** @description A fund's share of every deposit. */
        JourneyResultAllocation: {
            instrument: components["schemas"]["InstrumentId"];
            /** @description Percent. */
            allocation: components["schemas"]["Number"];
        };
        /** @description How deposits are distributed from now on. */
        JourneyResultAllocationPlan: {
            /** @description Bank account that is charged, if any. */
            paymentAccount?: components["schemas"]["JourneyResultPaymentAccount"];
            instruments: components["schemas"]["JourneyResultAllocation"][];
        };
        /** @description A bank account, with its present status. */
        JourneyResultBankAccount: {
            /**
             * @example pending
             * @example rejected
             * @example active
             */
            status: string;
            iban: components["schemas"]["Iban"];
        };
        /** @description A bank account that is charged. */
        JourneyResultPaymentAccount: {
            iban: components["schemas"]["Iban"];
        };
        /** @description Monthly amount for one fund. */
        JourneyResultSaving: {
            instrument: components["schemas"]["InstrumentId"];
            /** @description SEK. */
            amount: components["schemas"]["Money"];
        };
        /** @description Monthly purchases. */
        JourneyResultSavingsPlan: {
            periodicity: string;
            /**
             * Format: int32
             * @description Day of the month.
             */
            day: number;
            instruments: components["schemas"]["JourneyResultSaving"][];
            startDate: components["schemas"]["CalendarDate"];
        };
        /** @description Signatures of a legal entity. */
        JourneyResultSubmission: {
            id: components["schemas"]["Id"];
            /**
             * @example new
             * @example pending
             * @example complete
             * @example rejected
             */
            status: string;
        };
        /** @description An account at a custodian whose holdings are transferred. */
        JourneyResultTransfer: {
            /** @description Account number at the institution. */
            account: string;
            /**
             * @description `cash`, or `units` when units move too.
             * @example cash
             * @example units
             */
            type: string;
        };
        /** @description Monthly purchases. */
        JourneySavingsPlan: {
            /**
             * @description Always `monthly`.
             * @enum {string}
             */
            periodicity: "monthly";
            /** @description Funds offered; the client's universe when left out. */
            instruments?: components["schemas"]["JourneyInstrument"][] | null;
        };
        /** @enum {string} */
        JourneyStatus: "new" | "pending" | "canceled" | "error" | "complete" | "expired";
        /** @enum {string} */
        JourneyStep: "welcome" | "authentication" | "accountDetails" | "company" | "beneficialOwners" | "kyc" | "transfer" | "bankAccount" | "allocationPlan" | "savingsPlan" | "agreement" | "signing";
        /** @description Transfers from other custodians. */
        JourneyTransfer: {
            /** @description Whether the customer may skip the step. */
            enforce: components["schemas"]["TransferEnforce"];
            /** @description One entry for each custodian; a custodian may be named again. */
            transfers: components["schemas"]["JourneyTransferCustodian"][];
        };
        /** @description An account at a custodian. In every list, one entry locks the choice and several let the customer pick. */
        JourneyTransferAccount: {
            /** @description Null lets the customer enter it; at most one null for each custodian. */
            accountNumber: string | null;
            /** @description Account type at the custodian. */
            sourceAccountType: components["schemas"]["AccountType"][];
            /** @description Null lets the customer decide. */
            closeAccountAndSavingsplans: boolean | null;
            /** @description Whether the customer must complete this transfer. */
            required: boolean;
            /** @description For units that cannot be transferred: `cash` or `ignore`. */
            untransferableUnitsOutput: components["schemas"]["Output"][];
            /** @description For funds that `instruments` does not list. */
            defaultUnitsOutput: components["schemas"]["Output"][];
            /** @description For the cash: `cash` or `ignore`. */
            balanceOutput: components["schemas"]["Output"][];
            /** @description Whether the customer may add funds. */
            allowInstrumentSelection: boolean;
            /** @description Funds to transfer as units; when left out, `defaultUnitsOutput` applies to all. */
            instruments?: components["schemas"]["JourneyTransferInstrument"][] | null;
        };
        /** @description Transfers from one custodian. */
        JourneyTransferCustodian: {
            /** @description Id from the client's list of custodians. */
            custodian: string;
            /** @description The accounts there. */
            accounts: components["schemas"]["JourneyTransferAccount"][];
        };
        /** @description A fund to transfer. */
        JourneyTransferInstrument: {
            /** @description The fund. */
            instrument: components["schemas"]["InstrumentId"];
            /** @description Units to transfer; null means all. */
            units?: components["schemas"]["Number"] | null;
        };
        /** @enum {string} */
        JourneyType: "createAccount" | "createLegalEntityAccount" | "addBankAccount" | "signWithdrawal" | "updateAllocationPlan" | "updateSavingsPlan" | "signSubmission" | "kycRenewal";
        /** @description A key information document. */
        KeyDocument: {
            /** @description ISO 639-1. */
            language: string;
            url: string;
        };
        /** @description A key document. */
        KeyDocumentSetup: {
            /** @description Two letters. */
            language: string;
            /** @description Address of the document. */
            url: string;
        };
        /** @description KYC status of an account. */
        Kyc: {
            account: components["schemas"]["Id"];
            status: components["schemas"]["KycStatus"];
            lastUpdatedDate: components["schemas"]["Timestamp"];
            /** @description Last day on which the answers are valid. */
            expiryDate: components["schemas"]["Day"];
            /** @description Whether it is time to renew the answers. */
            renewalRequired: boolean;
        };
        /** @enum {string} */
        KycStatus: "valid" | "expiring" | "expired" | "pending";
        /** @description An organisation that owns an account. */
        LegalEntity: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            ownerType: "legal_entity";
            name: string;
            crn: components["schemas"]["Crn"];
            /** @description Legal form, such as `aktiebolag`. */
            type?: string;
            /** @description ISO 3166-1 alpha-2. */
            registrationCountry: string | null;
            /** @description ISO 3166-1 alpha-2 each. */
            countriesOfTaxation: string[] | null;
            address: components["schemas"]["Address"] | null;
            contactPerson: components["schemas"]["ContactPerson"] | null;
            /** @description Groups of persons who sign together. */
            signatoryGroups: components["schemas"]["Signatory"][];
        };
        /** @description An organisation that owns an account. */
        LegalEntityOwner: {
            /**
             * @description Type of the owner. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            ownerType: "legal_entity";
            /** @description The registered name. */
            name: string;
            /** @description The organisation number, ten digits. */
            crn: components["schemas"]["Crn"];
            /** @description Its legal form. */
            type?: string | null;
            /** @description Where it is registered. */
            registrationCountry?: string | null;
            /** @description Countries of taxation. */
            countriesOfTaxation?: string[] | null;
            /** @description Postal address. */
            address?: components["schemas"]["AddressSetup"] | null;
            /** @description Its contact person. */
            contactPerson?: components["schemas"]["ContactPersonSetup"] | null;
            /** @description Its signatories. Default: none. */
            signatoryGroups?: components["schemas"]["SignatorySetup"][] | null;
        };
        /** @description A liquidation of a fund. */
        LiquidationRequest: {
            /** @description Price paid for a unit; the price of the day when left out. */
            price?: components["schemas"]["Number"] | null;
        };
        /** @description A body, within bounds and without secrets. */
        LoggedBody: {
            /** Format: int64 */
            length: number;
            /** @description The whole body, if it is JSON. */
            json?: unknown;
            /** @description The beginning of the body, otherwise. */
            text?: string;
            /** @description Whether the body is complete here. */
            isWhole?: boolean;
        };
        /** @description The world to create. Every field has a default. */
        MakeRequest: {
            /** @description Display name. */
            name?: string | null;
            /** @description Seed of the world; drawn when left out. The same seed gives the same course of events. */
            seed?: number | null;
            /** @description A timestamp; now when left out. */
            start?: string | null;
            /** @description Setup of the world; the demo world when left out. */
            setup?: components["schemas"]["SetupFile"] | null;
            /** @description `frozen`, `real`, or world seconds for each real second; the server's `--clock` when left out. */
            clock?: string | number | null;
        };
        /** @description The bank's answer on a mandate. */
        MandateAdviceRequest: {
            /** @description The scheme's code. */
            code: string;
        };
        /** @enum {string} */
        MandateStatus: "missing" | "invalid" | "pending" | "active";
        /** @description A merger of a fund into another. */
        MergerRequest: {
            into: components["schemas"]["InstrumentId"];
            /** @description Units of the other fund for each unit; determined by the prices of the day when left out. */
            ratio?: components["schemas"]["Number"] | null;
        };
        /** @description Something that was met. */
        Met: {
            /** @description As in what was never met. */
            of: string;
            what: string;
            /**
             * Format: int64
             * @description How often.
             */
            count: number;
            /** @description More about it: what a code means, or by which ways an event was sent. */
            about?: string;
        };
        /** @description Status of a mobile payment session. */
        MobilePayment: {
            id: components["schemas"]["Id"];
            paymentId: string;
            type: components["schemas"]["MobilePaymentType"];
            /** @description The account that receives the money. */
            account: components["schemas"]["Id"];
            amount: components["schemas"]["Money"];
            status: components["schemas"]["MobilePaymentStatus"];
            errorCode?: components["schemas"]["MobilePaymentErrorCode"] | null;
            createdDate: components["schemas"]["Timestamp"];
            modifiedDate: components["schemas"]["Timestamp"];
        };
        /** @enum {string} */
        MobilePaymentErrorCode: "DECLINED" | "CANCELLED" | "RF07" | "BANKIDCL" | "BANKIDONGOING" | "BANKIDUNKN" | "FF10" | "TM01" | "DS24";
        /** @description A mobile payment fails. */
        MobilePaymentFailure: {
            /** @enum {string} */
            errorCode: "RF07" | "BANKIDCL" | "BANKIDONGOING" | "BANKIDUNKN" | "FF10" | "TM01" | "DS24";
        };
        /** @description Asks the payer for a mobile payment. */
        MobilePaymentRequest: {
            type: components["schemas"]["MobilePaymentType"];
            /** @description From 1.00 to 150,000.00 SEK. */
            amount: components["schemas"]["Money"];
            /** @description Form of the QR code, with `other_device` only; `png` when absent. */
            qrFormat?: components["schemas"]["QrFormat"] | null;
        };
        /** @description A new mobile payment session. */
        MobilePaymentSession: {
            id: components["schemas"]["Id"];
            /** @description Token that opens the payer's app. */
            token: string;
            /** @description The token as a QR code, as a data address; with `other_device` only. */
            qrImage?: string;
            /** @description Id of the payment. The deposit refers to it. */
            paymentId: string;
        };
        /**
         * @description Whether the payment is paid. A failed session stays `pending` with an `errorCode`; it is `error` if the world's `exposeMobilePaymentError` is on.
         * @enum {string}
         */
        MobilePaymentStatus: "pending" | "paid" | "error";
        /** @enum {string} */
        MobilePaymentType: "same_device" | "other_device";
        /**
         * @description An amount of money with two decimals.
         * @example 10000
         */
        Money: number;
        /** @description Name of a snapshot. */
        NameRequest: {
            /** @description Generated when left out. */
            name?: string | null;
        };
        /** @description A person who owns an account. */
        NaturalPerson: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            ownerType: "natural_person";
            firstName: string;
            lastName: string;
            fullName: string;
            ssn: components["schemas"]["Ssn"];
        };
        /** @description A person who owns an account. */
        NaturalPersonOwner: {
            /**
             * @description Type of the owner. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            ownerType: "natural_person";
            /** @description The first name. */
            firstName: string;
            /** @description The last name. */
            lastName: string;
            /** @description The personal identity number, twelve digits. */
            ssn: components["schemas"]["Ssn"];
        };
        /** @description Something that was never met. */
        NeverMet: {
            /** @description What it is a part of: an operation, a resource, a way of sending. */
            of: string;
            /** @description What it is: a status, a state, a row of a state table, a code. */
            what: string;
            /** @description More about it: what a code means, or what came nearest to a row of a state table. */
            about?: string;
            /** @description What makes it happen: these requests, in this order. A row of a state table is taken from its first state. */
            try: components["schemas"]["CoverageTry"][];
        };
        /**
         * @description A decimal number, without exponent.
         * @example 81.0044
         */
        Number: number;
        /**
         * @description OCR reference of a payment: 2 to 25 digits, the last a check digit, the one before it the last of their number.
         * @example 160367146695159
         */
        Ocr: string;
        /** @description A service for a client to offer. */
        OfferedService: {
            accountServiceType: components["schemas"]["ServiceType"];
        };
        /** @description An account to open without a journey. */
        OpenAccountRequest: {
            clientId: components["schemas"]["Id"];
            /** @description Type of the account. */
            accountType: components["schemas"]["AccountType"];
            owner?: (components["schemas"]["NaturalPersonOwner"] | components["schemas"]["LegalEntityOwner"]) | null;
            /** @description Display name. */
            name?: string | null;
            /** @description Service that the client offers for it. Default: `executionOnly`. */
            serviceType?: components["schemas"]["ServiceType"] | null;
            /** @description Investor protection category of the owner. Default: `retail`. */
            category?: components["schemas"]["Category"] | null;
            /** @description Cash in SEK. Default: none. */
            cash?: components["schemas"]["Money"] | null;
            /** @description Fund units in it. Default: none. */
            positions?: components["schemas"]["PositionSetup"][] | null;
            /** @description Bank accounts for payouts and autogiro charges. Default: none. */
            bankAccounts?: components["schemas"]["BankAccountSetup"][] | null;
            /** @description Whether the owner has answered the question on complex funds. Default: true. */
            fundKnowledge?: boolean | null;
        };
        /** @description An event socket that is open. */
        OpenSocket: {
            /** Format: int64 */
            id: number;
            client: components["schemas"]["Id"];
            opened: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description Messages that the server has sent on it.
             */
            sent: number;
            /** @description Whether a fault rule or a request has silenced it. */
            stalled: boolean;
        };
        /** @description A fund order. */
        Order: components["schemas"]["SubscriptionOrder"] | components["schemas"]["RedemptionOrder"];
        /** @description Places a subscription or a redemption. */
        OrderRequest: components["schemas"]["SubscriptionRequest"] | components["schemas"]["RedemptionRequest"];
        /**
         * @description Status of an order. `confirmed` appears only if the world's `exposeConfirmed` is on.
         * @enum {string}
         */
        OrderStatus: "received" | "pending" | "sent" | "confirmed" | "settled" | "hold" | "canceled";
        /** @enum {string} */
        OrderType: "subscription" | "redemption";
        /** @description Sells units and pays the proceeds out to a bank account of the owner. */
        OrderWithdrawalRequest: {
            /**
             * @description Always `redemption`.
             * @enum {string}
             */
            orderType: "redemption";
            account: components["schemas"]["Id"];
            instrument: components["schemas"]["InstrumentId"];
            units: components["schemas"]["Number"];
            /** @description Your own reference. */
            clientRef?: string | null;
            /** @description The owner, or a signatory of the owner. */
            executorRef: components["schemas"]["Ssn"];
            /** @description A validated bank account of the owner. */
            bankAccount: components["schemas"]["Id"];
            /** @description Accepted and ignored. */
            paymentAccount?: components["schemas"]["Id"] | null;
        };
        /** @enum {string} */
        Output: "cash" | "units" | "ignore";
        /** @description Who owns the account. */
        Owner: components["schemas"]["NaturalPerson"] | components["schemas"]["LegalEntity"];
        /** @enum {string} */
        OwnerType: "natural_person" | "legal_entity";
        PaidFee: {
            amount: components["schemas"]["Money"];
            iban: components["schemas"]["Iban"];
            at: components["schemas"]["Timestamp"];
        };
        /** @description A partner with its clients. */
        PartnerSetup: {
            /** @description Its name. */
            name: string;
            /** @description Its clients. */
            clients: components["schemas"]["ClientSetup"][];
            /**
             * Format: uuid
             * @description Client id for token requests: a UUID that no other partner of the server has. Default: derived from the server's key.
             * @example 0b5b3c1e-5f0a-4d0e-9b56-3f3f5a0d6c11
             */
            clientId?: string | null;
            /** @description Client secret, never shown in responses of the world. Default: derived from the server's key. */
            clientSecret?: string | null;
        };
        /** @description Refusal of the mobile payments into an account. */
        PayerRefusal: {
            /**
             * @description Reason of the refusal; when left out, refusals end.
             * @enum {string|null}
             */
            errorCode?: "ACMT03" | "ACMT07" | "BE18" | "RP06" | null;
        };
        /** @description One payment of an instruction. */
        Payment: {
            id: components["schemas"]["Id"];
            /** @description The account that receives the money. */
            account: components["schemas"]["Id"];
            amount: components["schemas"]["Money"];
            /** @description The partner's own reference, copied to the transaction. */
            clientRef?: string;
            status: components["schemas"]["PaymentStatus"];
            /** @description Why it failed or is not paid yet; null if it is paid or was not attempted yet. */
            reasonCode: string | null;
            /** @description The error in words. */
            reason: string | null;
        };
        /** @description A charge is refused. */
        PaymentFailure: {
            /**
             * @description The scheme's code.
             * @enum {string}
             */
            reasonCode: "2" | "03" | "12" | "24";
        };
        /** @description One payment. */
        PaymentRequest: {
            account: components["schemas"]["Id"];
            amount: components["schemas"]["Money"];
            /** @description Your own reference, never used before for this client. */
            clientRef: string;
        };
        /** @enum {string} */
        PaymentStatus: "new" | "completed";
        /** @description Return of one calendar day. */
        PerformanceEntry: {
            date: components["schemas"]["CalendarDate"];
            /** @description The day's return, with flows at the end of the day: 0.01 is 1 %. */
            dayReturn: components["schemas"]["Number"];
            /** @description Result of the day, in SEK. */
            dayResult: components["schemas"]["Money"];
            /** @description The returns chained from the first entry shown. */
            cumulativeReturn: components["schemas"]["Number"];
        };
        /** @enum {string} */
        Periodicity: "monthly" | "once";
        /** @description Permissions of the client; read-only. */
        Permissions: {
            accountTypes: components["schemas"]["AccountType"][];
            accountServiceTypes: components["schemas"]["ServiceType"][];
            accountCategories: components["schemas"]["Category"][];
            ownerTypes: components["schemas"]["OwnerType"][];
            /** @description Journeys that the client may start. */
            journeyTypes: string[];
            /** @description Transfers from custodians. */
            transfers: boolean;
            /** @description Autogiro mandates and charges. */
            autogiro: boolean;
            /** @description Mobile-payment deposits. */
            mobilePayment: boolean;
            withdrawals: boolean;
            partnerFee: boolean;
        };
        /** @description Permissions of a client. Absent fields stay unchanged. */
        PermissionsPatch: {
            /** @description Account types. */
            accountTypes?: components["schemas"]["AccountType"][] | null;
            /** @description Service types of accounts. */
            accountServiceTypes?: components["schemas"]["ServiceType"][] | null;
            /** @description Investor protection categories. */
            accountCategories?: components["schemas"]["Category"][] | null;
            /** @description Types of owners. */
            ownerTypes?: components["schemas"]["OwnerType"][] | null;
            /** @description Journey types that it may start. */
            journeyTypes?: ("createAccount" | "createLegalEntityAccount" | "addBankAccount" | "signWithdrawal" | "updateAllocationPlan" | "updateSavingsPlan" | "signSubmission" | "kycRenewal")[] | null;
            /** @description Whether transfers from custodians are allowed. */
            transfers?: boolean | null;
            /** @description Whether autogiro mandates and charges are allowed. */
            autogiro?: boolean | null;
            /** @description Whether mobile payments are allowed. */
            mobilePayment?: boolean | null;
            /** @description Whether withdrawals are allowed. */
            withdrawals?: boolean | null;
            /** @description Whether its partner may take a fee. */
            partnerFee?: boolean | null;
        };
        /** @description Permissions of a client. Default of each: all. */
        PermissionsSetup: {
            /** @description Account types. */
            accountTypes?: components["schemas"]["AccountType"][] | null;
            /** @description Service types of accounts. */
            accountServiceTypes?: components["schemas"]["ServiceType"][] | null;
            /** @description Investor protection categories. */
            accountCategories?: components["schemas"]["Category"][] | null;
            /** @description Types of owners. */
            ownerTypes?: components["schemas"]["OwnerType"][] | null;
            /** @description Journey types that it may start. */
            journeyTypes?: ("createAccount" | "createLegalEntityAccount" | "addBankAccount" | "signWithdrawal" | "updateAllocationPlan" | "updateSavingsPlan" | "signSubmission" | "kycRenewal")[] | null;
            /** @description Whether transfers from custodians are allowed. */
            transfers?: boolean | null;
            /** @description Whether autogiro mandates and charges are allowed. */
            autogiro?: boolean | null;
            /** @description Whether mobile payments are allowed. */
            mobilePayment?: boolean | null;
            /** @description Whether withdrawals are allowed. */
            withdrawals?: boolean | null;
            /** @description Whether its partner may take a fee. */
            partnerFee?: boolean | null;
        };
        /** @description What a picture is asked with. */
        PictureParameter: {
            /** @example accountId */
            name: string;
            /** @description Whether there is no picture without it. */
            required: boolean;
        };
        /** @description A picture that a world has. */
        PictureShown: {
            /**
             * @description Its name in the path.
             * @example account
             */
            name: string;
            title: string;
            /** @description The question that it answers. */
            answers: string;
            /** @description Its query parameters, besides `format` and `width`. */
            parameters: components["schemas"]["PictureParameter"][];
        };
        /** @description Result of a plan's last run (rule: plans/last-run). */
        PlanRun: {
            /** @description The local day of the run. */
            date: components["schemas"]["CalendarDate"];
            /** @description `done`, `partly` or `skipped`. */
            status: string;
            /** @description Why parts of the run were skipped: one sentence for each fund or cause. */
            reasons: string[];
        };
        PlatformLine: {
            account: string;
            debit: components["schemas"]["Money"];
            credit: components["schemas"]["Money"];
            balance: components["schemas"]["Money"];
        };
        /** @description The answer to a ping. */
        Pong: {
            /** @description The present time of the caller's world, or of the sandbox's first one for callers without a token. */
            pong: components["schemas"]["Timestamp"];
        };
        /** @description An account's holding in one instrument. */
        Position: {
            instrument: components["schemas"]["InstrumentId"];
            /** @description Settled units plus and minus pending units. */
            units: components["schemas"]["Number"];
            unitsSettled: components["schemas"]["Number"];
            value: components["schemas"]["Money"] | null;
            closePrice: components["schemas"]["Number"] | null;
            /** @description Average acquisition value of a unit. */
            gav: components["schemas"]["Number"];
        };
        /** @description Units of a fund. */
        PositionSetup: {
            /** @description The fund. */
            instrument: components["schemas"]["InstrumentId"];
            /** @description Number of units. */
            units: components["schemas"]["Number"];
        };
        /** @description A price of a fund. */
        PriceRequest: {
            closePrice: components["schemas"]["Number"];
            /** @description Day of the price; the last possible day when left out. */
            priceDate?: components["schemas"]["CalendarDate"] | null;
        };
        /** @description A delay by a fault rule. */
        PutOff: {
            /** @description `delay` or `reorder`. */
            by: string;
            /**
             * Format: int64
             * @description Milliseconds of the delay.
             */
            ms: number;
        };
        /** @enum {string} */
        QrFormat: "png" | "jpg" | "svg";
        /** @description First rate of a currency. */
        RateSetup: {
            /** @description The currency. */
            currency: components["schemas"]["Currency"];
            /** @description SEK for one unit of the currency. */
            rate: number;
            /** @description How much a price moves on a usual day, in hundredths of a percent. Default: 40. */
            volatilityBp?: number | null;
        };
        /** @description Extent of a recording. */
        RecordingKept: {
            /** @description Number of recorded requests, from the start of the world. */
            requests: number;
            /**
             * Format: int64
             * @description Number of later requests that did not fit into the recording.
             */
            missing: number;
        };
        /** @description Sells units and moves the proceeds to another account of the same owner and client. */
        RedemptionTransferRequest: {
            /**
             * @description Always `redemption`.
             * @enum {string}
             */
            orderType: "redemption";
            account: components["schemas"]["Id"];
            instrument: components["schemas"]["InstrumentId"];
            units: components["schemas"]["Number"];
            /** @description Your own reference. */
            clientRef?: string | null;
            /** @description The owner, or a signatory of the owner. */
            executorRef?: components["schemas"]["Ssn"] | null;
            destinationAccount: components["schemas"]["Id"];
        };
        /** @description The payer demands a refund of a charge. */
        RefundRequest: {
            /** @description Whether the payer denies having authorised the charge. */
            unauthorised?: boolean | null;
        };
        /** @description Where a replay of events to a webhook begins. */
        ReplayRequest: {
            /** @description An instant of the world's clock. */
            since: components["schemas"]["Timestamp"];
            /** @description Number of the event to continue with: `restFrom` of the previous answer. */
            from?: number | null;
        };
        /** @description Result of a replay. */
        ReplayShown: {
            /** @description Number of events queued, some of them possibly for the first time. */
            events: number;
            rest: components["schemas"]["Timestamp"] | null;
            /**
             * Format: int64
             * @description `from` for the next request: the next event of that instant.
             */
            restFrom?: number;
            /** @description Whether events since that instant are no longer kept. */
            cut: boolean;
        };
        /** @description One request. */
        RequestLine: {
            /**
             * Format: int64
             * @description The `request-id` of its answer.
             */
            requestId: number;
            at: components["schemas"]["Timestamp"];
            method: string;
            /** @description Path and query, without secrets. */
            path: string;
            /**
             * Format: int32
             * @description Status of the answer; null if the connection was dropped.
             */
            status: number | null;
            /**
             * Format: int64
             * @description Duration in milliseconds.
             */
            milliseconds: number;
            sent: components["schemas"]["LoggedBody"] | null;
            answered: components["schemas"]["LoggedBody"] | null;
        };
        /** @description Requests that the world has received. */
        RequestLog: {
            /**
             * Format: int64
             * @description Number of requests since the start.
             */
            total: number;
            /**
             * Format: int64
             * @description The number to continue with as `start`.
             */
            next: number;
            /** @description With `start`: whether all requests from there on are still kept. */
            isWhole?: boolean;
            requests: components["schemas"]["RequestLine"][];
        };
        Retrocessions: {
            paidAt: components["schemas"]["Timestamp"] | null;
            accrued: components["schemas"]["AccruedRetrocession"][];
        };
        /** @description Where to rewind a world to: exactly one of `to` and `input`. */
        RewindRequest: {
            /** @description A timestamp that its clock has shown. */
            to?: string | null;
            /** @description Number of an input. */
            input?: number | null;
        };
        /** @description Another secret for a webhook. */
        RotateRequest: {
            /** @description `whsec_` and 24 to 64 bytes in base64; drawn when left out. */
            secret?: string | null;
            /** @description Seconds for which the previous secret also signs; 86400 when left out. */
            overlapSeconds?: number | null;
        };
        /** @description Monthly amount for one fund. */
        Saving: {
            instrument: components["schemas"]["InstrumentId"];
            /** @description SEK. */
            amount: components["schemas"]["Money"];
        };
        /** @description Monthly purchases for an account. */
        SavingsPlan: {
            id: components["schemas"]["Id"];
            sortedId: components["schemas"]["SortedId"];
            account: components["schemas"]["Id"];
            /** @description Bank account that is charged. */
            bankAccount: components["schemas"]["Id"];
            /** @description Always `monthly`. */
            periodicity: string;
            /**
             * Format: int32
             * @description Day of the month, 1 to 28.
             */
            day: number;
            instruments: components["schemas"]["Saving"][];
            /** @description First day on which it may run. */
            startDate: components["schemas"]["CalendarDate"];
            lastRun: components["schemas"]["PlanRun"] | null;
            createdDate: components["schemas"]["Timestamp"];
            modifiedDate: components["schemas"]["Timestamp"];
        };
        /** @enum {string} */
        ScreeningHit: "pep" | "sanctions" | "clear";
        /** @description Screening result of an owner. Give exactly one of `ssn` and `crn`. */
        ScreeningRequest: {
            ssn?: components["schemas"]["Ssn"] | null;
            crn?: components["schemas"]["Crn"] | null;
            hit: components["schemas"]["ScreeningHit"];
        };
        /** @enum {string} */
        ServiceType: "portfolioManagement" | "investmentAdvise" | "executionOnly";
        Settings: {
            /** @description Seconds between two heartbeats on a socket. */
            heartbeatSeconds: number;
            /** @description Lifetime of a socket in seconds. */
            socketCapSeconds: number;
            /** @description Seconds after which a socket whose client reads nothing is closed. */
            socketStallSeconds: number;
            /** @description Lifetime of an access token in seconds. */
            tokenLifeSeconds: number;
            /** @description Whether tokens and sockets go by the world's clock instead of transport time. */
            virtualTransport: boolean;
            /** @description Whether only the operator may use levers that act on the whole world (funds, screening, deaths) */
            operatorMarket: boolean;
            /** @description Number of events kept. */
            eventsKept: number;
            /** @description Number of inputs kept for rewinding, at least. More are kept, down to the latest stored copy of the world before them. */
            inputsKept: number;
            /** @description Number of requests kept for each partner. */
            requestsKept: number;
            /** @description Bytes kept of each body, of requests and of their answers; 0 keeps none. */
            requestBodyBytes: number;
            /** @description Bytes kept of all bodies of each partner; the oldest go first. */
            requestBodiesBytes: number;
            /** @description Bytes of requests and answers recorded from the world's start, for its export as a scenario; 0 records none. */
            recordingBytes: number;
            /** @description Open sockets for one client at the same time. */
            socketsPerClient: number;
            /** @description Open sockets for one partner at the same time. */
            socketsPerPartner: number;
            /** @description Valid access tokens for one partner at the same time. The oldest token expires first. */
            tokensPerPartner: number;
            /** @description Whether the partner API refuses unknown fields of a body and unknown query parameters instead of ignoring them. */
            strictBodies: boolean;
            /**
             * @description Status of the answer to an unknown id.
             * @enum {integer}
             */
            unknownResourceStatus: 400 | 403 | 404;
            deliveryWaitsSeconds: number[];
            allowlist: string[];
            /** @description Actions on the whole world that partners sharing it may take. Only the operator may change this. */
            partnersMay: ("drop" | "reset" | "rewind" | "restore" | "clock" | "advance" | "settings" | "snapshots")[];
            permissions: {
                [key: string]: {
                    accountTypes: components["schemas"]["AccountType"][];
                    accountServiceTypes: components["schemas"]["ServiceType"][];
                    accountCategories: components["schemas"]["Category"][];
                    ownerTypes: components["schemas"]["OwnerType"][];
                    /** @description Journeys that the client may start. */
                    journeyTypes: string[];
                    /** @description Transfers from custodians. */
                    transfers: boolean;
                    /** @description Autogiro mandates and charges. */
                    autogiro: boolean;
                    /** @description Mobile-payment deposits. */
                    mobilePayment: boolean;
                    withdrawals: boolean;
                    partnerFee: boolean;
                };
            };
            clients: {
                [key: string]: {
                    /** @description Whether its partner may only instruct withdrawals that the customer has signed. */
                    withdrawalNeedsSignature: boolean;
                };
            };
            world: {
                /** @description From `received` to the first check */
                acceptanceDelayMs: number;
                /** @description From the cut-off to the answer of the routing intermediary */
                routingDelayMs: number;
                /** @description From the publication of a price to the confirmation */
                confirmationDelayMs: number;
                /** @description From the publication of a late price to the posting */
                latePostingDelayMs: number;
                /** @description Orders above this go to `hold` */
                holdAbove: number;
                /** @description Bank days on hold after which an order is canceled */
                holdBankDays: number;
                /** @description Whether organisation numbers must pass Luhn */
                strictIdentifiers: boolean;
                /** @description Years for which KYC answers are valid */
                kycYears: number;
                /** @description Whether an order whose price is known shows as `confirmed` until it settles */
                exposeConfirmed: boolean;
                /** @description Distribution fee in basis points of the value a year */
                distributionFeeBp: number;
                /** @description The insurer's fee in basis points a year */
                insuranceFeeBp: number;
                /** @description Risk premium of an insurer for persons of 65 years or more, in basis points a year. */
                riskPremiumBp: number;
                /** @description The government loan rate of 30 November in basis points, by which insurers are taxed. */
                governmentLoanRateBp: number;
                /** @description Percent of the yield of an insurance that is tax. */
                insuranceTaxPercent: number;
                /** @description Smallest lack of cash for charges, in SEK, for which units are sold */
                smallestForcedSale: number;
                /** @description Currency exchange fee, in percent of an order in a fund of another currency */
                fxFee: number;
                /** @description Years for which KYC answers of a politically exposed person are valid. */
                kycHighRiskYears: number;
                /** @description Days before the expiry date from which KYC is `expiring`. */
                kycExpiringDays: number;
                /** @description Lifetime of a journey's link */
                journeyLifeMs: number;
                /** @description Lifetime of the link of a journey with several signatories: days, until 09:00 local time. */
                longJourneyDays: number;
                /** @description Whether callbacks must be https, as in production */
                httpsCallbacksOnly: boolean;
                /** @description From `pending` to the approval of an account */
                approvalDelayMs: number;
                /** @description Days for which an account waits in `confirm`, until 09:00 local time. */
                confirmDays: number;
                /** @description From the connection of a bank account to the result of its check */
                accountCheckDelayMs: number;
                /** @description Bank days until a bank answers on a mandate, at 08:00 local */
                mandateBankDays: number;
                /** @description Bank days until a mandate without an answer is removed. */
                mandateSilenceBankDays: number;
                /** @description Bank days until a transfer is sent, at 09:00 local */
                transferSendBankDays: number;
                /** @description Bank days from there to the answer of the ceding custodian. */
                transferAcceptBankDays: number;
                /** @description Bank days from there to the delivery. */
                transferCompleteBankDays: number;
                /** @description How long after signing a withdrawal may be requested */
                withdrawalGrantMs: number;
                /** @description Whether a journey's result has the id of the account that it opened */
                resultAccountId: boolean;
                /** @description Whether mobile payments are paid automatically. */
                autoPay: boolean;
                /** @description Whether the ore of an amount determines the outcome of a mobile payment. */
                magicAmounts: boolean;
                /** @description From the request for a mobile payment to its automatic outcome. */
                mobilePaymentAnswerDelayMs: number;
                /** @description How long a mobile payment waits for the payer */
                mobilePaymentLifeMs: number;
                /** @description From an unknown outcome to the banks' late answer. */
                mobilePaymentLateDelayMs: number;
                /** @description Whether a mobile payment that has failed shows as `error` */
                exposeMobilePaymentError: boolean;
            };
        };
        /** @description Settings of one world. Absent fields stay unchanged. */
        SettingsPatch: {
            /** @description Seconds between two heartbeats on a socket. */
            heartbeatSeconds?: number | null;
            /** @description Lifetime of a socket in seconds. */
            socketCapSeconds?: number | null;
            /** @description Seconds after which a socket whose client reads nothing is closed. */
            socketStallSeconds?: number | null;
            /** @description Lifetime of an access token in seconds. */
            tokenLifeSeconds?: number | null;
            /** @description Whether tokens and sockets go by the world's clock instead of transport time. */
            virtualTransport?: boolean | null;
            /** @description Whether only the operator may use levers that act on the whole world (funds, screening, deaths) (rule: auth/market-levers). */
            operatorMarket?: boolean | null;
            /** @description Number of events kept. */
            eventsKept?: number | null;
            /** @description Number of inputs kept for rewinding, at least. More are kept, down to the latest stored copy of the world before them. */
            inputsKept?: number | null;
            /** @description Number of requests kept for each partner. */
            requestsKept?: number | null;
            /** @description Bytes kept of each body, of requests and of their answers; 0 keeps none. */
            requestBodyBytes?: number | null;
            /** @description Bytes kept of all bodies of each partner; the oldest go first. */
            requestBodiesBytes?: number | null;
            /** @description Bytes of requests and answers recorded from the world's start, for its export as a scenario; 0 records none. */
            recordingBytes?: number | null;
            /** @description Open sockets for one client at the same time. */
            socketsPerClient?: number | null;
            /** @description Open sockets for one partner at the same time. */
            socketsPerPartner?: number | null;
            /** @description Valid access tokens for one partner at the same time. The oldest token expires first. */
            tokensPerPartner?: number | null;
            /** @description Whether the partner API refuses unknown fields of a body and unknown query parameters instead of ignoring them. */
            strictBodies?: boolean | null;
            /**
             * @description Status of the answer to an unknown id.
             * @enum {integer|null}
             */
            unknownResourceStatus?: 400 | 403 | 404 | null;
            /** @description Waits between the attempts of a delivery. */
            deliveryWaitsSeconds?: number[] | null;
            /** @description Networks from which the API may be called; all when empty. */
            allowlist?: string[] | null;
            /** @description Actions on the whole world that partners sharing it may take. Only the operator may change this. */
            partnersMay?: ("drop" | "reset" | "rewind" | "restore" | "clock" | "advance" | "settings" | "snapshots")[] | null;
            /** @description Settings of the world itself. */
            world?: components["schemas"]["WorldSettingsPatch"] | null;
            /** @description Permissions by the client's id. Absent fields stay unchanged. */
            permissions?: {
                [key: string]: components["schemas"]["PermissionsPatch"];
            } | null;
            /** @description Other terms of clients as in a setup, by the client's id. Absent fields stay unchanged. */
            clients?: {
                [key: string]: components["schemas"]["ClientTermsPatch"];
            } | null;
            /** @description Whether to accept an `allowlist` that excludes the address of this request. */
            force?: boolean | null;
        };
        /** @description Setup of a world. Absent fields are as in the demo world. */
        SetupFile: {
            /** @description Display name of the world. Default: `demo`. */
            name?: string | null;
            /** @description Users of the API. Default: those of the demo world. */
            partners?: components["schemas"]["PartnerSetup"][] | null;
            /** @description Funds. Default: those of the demo world. */
            instruments?: components["schemas"]["InstrumentSetup"][] | null;
            /** @description First exchange rates. Default: those of the demo world. */
            rates?: components["schemas"]["RateSetup"][] | null;
            /** @description Institutions that holdings can be transferred from. Default: those of the demo world. */
            custodians?: components["schemas"]["CustodianSetup"][] | null;
            /** @description More accounts beside those of the clients, with a history of orders and payments drawn from the seed. Default: none. */
            history?: components["schemas"]["HistorySetup"] | null;
            /** @description Settings of the world and of its API. Each has a default. */
            settings?: {
                /** @description From `received` to the first check */
                acceptanceDelayMs?: number;
                /** @description From the cut-off to the answer of the routing intermediary */
                routingDelayMs?: number;
                /** @description From the publication of a price to the confirmation */
                confirmationDelayMs?: number;
                /** @description From the publication of a late price to the posting */
                latePostingDelayMs?: number;
                /** @description Orders above this go to `hold` */
                holdAbove?: number;
                /** @description Bank days on hold after which an order is canceled */
                holdBankDays?: number;
                /** @description Whether organisation numbers must pass Luhn */
                strictIdentifiers?: boolean;
                /** @description Years for which KYC answers are valid */
                kycYears?: number;
                /** @description Whether an order whose price is known shows as `confirmed` until it settles */
                exposeConfirmed?: boolean;
                /** @description Distribution fee in basis points of the value a year */
                distributionFeeBp?: number;
                /** @description The insurer's fee in basis points a year */
                insuranceFeeBp?: number;
                /** @description Risk premium of an insurer for persons of 65 years or more, in basis points a year. */
                riskPremiumBp?: number;
                /** @description The government loan rate of 30 November in basis points, by which insurers are taxed. */
                governmentLoanRateBp?: number;
                /** @description Percent of the yield of an insurance that is tax. */
                insuranceTaxPercent?: number;
                /** @description Smallest lack of cash for charges, in SEK, for which units are sold */
                smallestForcedSale?: number;
                /** @description Currency exchange fee, in percent of an order in a fund of another currency */
                fxFee?: number;
                /** @description Years for which KYC answers of a politically exposed person are valid. */
                kycHighRiskYears?: number;
                /** @description Days before the expiry date from which KYC is `expiring`. */
                kycExpiringDays?: number;
                /** @description Lifetime of a journey's link */
                journeyLifeMs?: number;
                /** @description Lifetime of the link of a journey with several signatories: days, until 09:00 local time. */
                longJourneyDays?: number;
                /** @description Whether callbacks must be https, as in production */
                httpsCallbacksOnly?: boolean;
                /** @description From `pending` to the approval of an account */
                approvalDelayMs?: number;
                /** @description Days for which an account waits in `confirm`, until 09:00 local time. */
                confirmDays?: number;
                /** @description From the connection of a bank account to the result of its check */
                accountCheckDelayMs?: number;
                /** @description Bank days until a bank answers on a mandate, at 08:00 local */
                mandateBankDays?: number;
                /** @description Bank days until a mandate without an answer is removed. */
                mandateSilenceBankDays?: number;
                /** @description Bank days until a transfer is sent, at 09:00 local */
                transferSendBankDays?: number;
                /** @description Bank days from there to the answer of the ceding custodian. */
                transferAcceptBankDays?: number;
                /** @description Bank days from there to the delivery. */
                transferCompleteBankDays?: number;
                /** @description How long after signing a withdrawal may be requested */
                withdrawalGrantMs?: number;
                /** @description Whether a journey's result has the id of the account that it opened */
                resultAccountId?: boolean;
                /** @description Whether mobile payments are paid automatically. */
                autoPay?: boolean;
                /** @description Whether the ore of an amount determines the outcome of a mobile payment. */
                magicAmounts?: boolean;
                /** @description From the request for a mobile payment to its automatic outcome. */
                mobilePaymentAnswerDelayMs?: number;
                /** @description How long a mobile payment waits for the payer */
                mobilePaymentLifeMs?: number;
                /** @description From an unknown outcome to the banks' late answer. */
                mobilePaymentLateDelayMs?: number;
                /** @description Whether a mobile payment that has failed shows as `error` */
                exposeMobilePaymentError?: boolean;
                /** @description Seconds between two heartbeats on a socket. */
                heartbeatSeconds?: number;
                /** @description Lifetime of a socket in seconds. */
                socketCapSeconds?: number;
                /** @description Seconds after which a socket whose client reads nothing is closed. */
                socketStallSeconds?: number;
                /** @description Lifetime of an access token in seconds. */
                tokenLifeSeconds?: number;
                /** @description Whether tokens and sockets go by the world's clock instead of transport time. */
                virtualTransport?: boolean;
                /** @description Whether only the operator may use levers that act on the whole world (funds, screening, deaths) */
                operatorMarket?: boolean;
                /** @description Number of events kept. */
                eventsKept?: number;
                /** @description Number of inputs kept for rewinding, at least. More are kept, down to the latest stored copy of the world before them. */
                inputsKept?: number;
                /** @description Number of requests kept for each partner. */
                requestsKept?: number;
                /** @description Bytes kept of each body, of requests and of their answers; 0 keeps none. */
                requestBodyBytes?: number;
                /** @description Bytes kept of all bodies of each partner; the oldest go first. */
                requestBodiesBytes?: number;
                /** @description Bytes of requests and answers recorded from the world's start, for its export as a scenario; 0 records none. */
                recordingBytes?: number;
                /** @description Open sockets for one client at the same time. */
                socketsPerClient?: number;
                /** @description Open sockets for one partner at the same time. */
                socketsPerPartner?: number;
                /** @description Valid access tokens for one partner at the same time. The oldest token expires first. */
                tokensPerPartner?: number;
                /** @description Whether the partner API refuses unknown fields of a body and unknown query parameters instead of ignoring them. */
                strictBodies?: boolean;
                /**
                 * @description Status of the answer to an unknown id.
                 * @enum {integer}
                 */
                unknownResourceStatus?: 400 | 403 | 404;
                deliveryWaitsSeconds?: number[];
                allowlist?: string[];
                /** @description Actions on the whole world that partners sharing it may take. Only the operator may change this. */
                partnersMay?: ("drop" | "reset" | "rewind" | "restore" | "clock" | "advance" | "settings" | "snapshots")[];
            } | null;
        };
        /** @enum {string} */
        SignOutcome: "sign" | "abort" | "fail" | "refuse";
        /** @description The customer uses the electronic identity. */
        SignRequest: {
            /** @description Personal number of the signer; the journey's own person when left out. */
            signer?: components["schemas"]["Ssn"] | null;
            outcome?: components["schemas"]["SignOutcome"] | null;
        };
        /** @description A signatory of an organisation. */
        Signatory: {
            name: string;
            ssn: components["schemas"]["Ssn"];
            email: string | null;
        };
        /** @description A signatory of an organisation. */
        SignatorySetup: {
            /** @description Full name. */
            name: string;
            /** @description The personal identity number, twelve digits. */
            ssn: components["schemas"]["Ssn"];
            /** @description Email address for invitations to sign. */
            email?: string | null;
        };
        /** @description A named copy of a world. */
        Snapshot: {
            /** @description Name. For the operator, the name of a partner's snapshot begins with the partner's id. */
            id: string;
            /** @description The time of the world when the snapshot was taken. */
            now: components["schemas"]["Timestamp"];
        };
        /** @description How many sockets were closed. */
        SocketsClosed: {
            closed: number;
        };
        /**
         * @description Position in listings: a ULID, increasing with creation.
         * @example 01KJNV6G00SANDB0X000000000
         */
        SortedId: string;
        /** @description A split of a fund. */
        SplitRequest: {
            /** @description New units for each unit. */
            factor: components["schemas"]["Number"];
        };
        /**
         * @description A personal or coordination number of twelve digits.
         * @example 199001012385
         */
        Ssn: string;
        /** @description One step that a journey shows. */
        StepDescription: {
            step: components["schemas"]["JourneyStep"];
            /** @description `done`, `current` or `ahead`. */
            state: string;
            fields: components["schemas"]["StepField"][];
        };
        /** @description One field of a step. */
        StepField: {
            /** @description Its name among the answers of the step. */
            name: string;
            /** @description Subject of the question, such as a fund. */
            subject?: string;
            /** @description Type of the answer. */
            kind: string;
            choices?: string[];
            /** @description Present answers. */
            values: string[];
            readOnly: boolean;
            required: boolean;
            /** @description Answer that the `complete` lever gives. */
            suggestion: string[];
        };
        /** @description Money that no account could take, as the operator sees it. */
        SuspenseItem: {
            id: components["schemas"]["Id"];
            /** @description Reference that the payer gave: an OCR reference, or the id of a payment. */
            ref: string;
            amount: components["schemas"]["Money"];
            /** @description The local day of arrival. */
            day: components["schemas"]["CalendarDate"];
            /** @description Why it is in suspense. */
            reason: string;
            status: string;
            account: components["schemas"]["Id"] | null;
            cashTransaction: components["schemas"]["Id"] | null;
            createdDate: components["schemas"]["Timestamp"];
            modifiedDate: components["schemas"]["Timestamp"];
        };
        /** @description Fees of one kind taken for one client. */
        TakenFees: {
            client: components["schemas"]["Id"];
            feeType: components["schemas"]["FeeType"];
            /** @description Taken and not yet paid to the client. */
            waiting: components["schemas"]["Money"];
            paid: components["schemas"]["PaidFee"][];
        };
        /**
         * Format: date-time
         * @description A moment in UTC with milliseconds.
         * @example 2026-03-02T13:00:00.000Z
         */
        Timestamp: string;
        /** @description An access token. */
        Token: {
            access_token: string;
            /** @description Always `bearer`. */
            token_type: string;
            /**
             * Format: int32
             * @description Seconds for which the token is valid.
             */
            expires_in: number;
            /** @description As sent. */
            state?: string;
        };
        /** @description Why no token was issued. */
        TokenError: {
            /** @description One of `invalid_request`, `invalid_client`, `unsupported_grant_type`, `unauthorized_client`, `invalid_scope`. */
            error: string;
            error_description?: string;
        };
        /** @description Client credentials grant. HTTP Basic may carry the credentials instead of the body. */
        TokenRequest: {
            /**
             * @description Always `client_credentials`.
             * @example client_credentials
             */
            grant_type: string;
            client_id?: string;
            client_secret?: string;
            /** @description Rights such as `account:read`, separated by commas or spaces; all rights when left out. */
            scope?: string;
            /** @description Echoed in the answer. */
            state?: string;
        };
        /** @description Whether a fund can be bought, sold or traded at all: at least one of the three. Absent fields stay unchanged. */
        TradingRequest: {
            isBuyable?: boolean | null;
            isSellable?: boolean | null;
            isTradable?: boolean | null;
        };
        /** @description A transfer of holdings from another custodian. */
        Transfer: {
            id: components["schemas"]["Id"];
            sortedId: components["schemas"]["SortedId"];
            /** @description The receiving account. */
            account: components["schemas"]["Id"];
            /** @description Id of the ceding custodian. */
            custodian: string;
            /** @description Reference at the custodian, once the transfer is sent. */
            externalRef?: string;
            status: components["schemas"]["TransferStatus"];
            createdDate: components["schemas"]["Timestamp"];
            modifiedDate: components["schemas"]["Timestamp"];
        };
        /** @enum {string} */
        TransferEnforce: "required" | "optional";
        /** @enum {string} */
        TransferStatus: "new" | "sent" | "accepted" | "completed" | "rejected" | "canceled";
        /** @description Units that are booked on an account. */
        UnitBookingRequest: {
            transactionType: components["schemas"]["FundTransactionType"];
            refType: components["schemas"]["FundRefType"];
            instrument: components["schemas"]["InstrumentId"];
            units: components["schemas"]["Number"];
            /** @description Cost of the units. */
            cost?: components["schemas"]["Money"] | null;
            /** @description Text of the transaction. */
            text?: string | null;
        };
        /** @description A webhook. */
        Webhook: {
            id: components["schemas"]["Id"];
            client: components["schemas"]["Id"];
            url: string;
            /** @description Secret that signs deliveries. Only the operator and the caller who registers the webhook see all of it. */
            secret: string;
            /** @description Event types; null for all. */
            events: string[] | null;
            /** @description Whether it receives events. */
            enabled: boolean;
            disabledSince: components["schemas"]["Timestamp"] | null;
            previousSecretUntil: components["schemas"]["Timestamp"] | null;
        };
        /** @description Changes to a webhook. Absent fields stay unchanged. */
        WebhookPatch: {
            /** @description An http or https URL, or `listen:`. */
            url?: string | null;
            /** @description Event types by name, or all of a noun, such as `order.*`; null means all. */
            events?: string[] | null;
            /** @description Whether it receives events. A webhook that has answered 410 is disabled until it is enabled again. */
            enabled?: boolean | null;
        };
        /** @description A webhook to register. */
        WebhookRequest: {
            /** @description Client whose events it receives. */
            client: components["schemas"]["Id"];
            /** @description An http or https URL, or `listen:` where `fundsim listen` fetches what is sent. */
            url: string;
            /** @description `whsec_` and 24 to 64 bytes in base64; drawn when left out. */
            secret?: string | null;
            /** @description Event types by name, or all of a noun, such as `order.*`; all when left out. */
            events?: string[] | null;
        };
        /** @enum {string} */
        WelcomeScreen: "transfer";
        /** @description Explanation of the state of a resource, an event or a delivery. */
        Why: {
            id: components["schemas"]["Id"];
            /**
             * @description What the id names: `event`, `delivery`, `webhook`, or a resource such as `order`.
             * @example order
             */
            what: string;
            /** @description The resource whose changes these are. */
            resource: components["schemas"]["Id"];
            /** @description Number of kept changes. */
            total: number;
            /**
             * Format: int64
             * @description Number of earlier events that are no longer kept. Changes among them are unknown.
             */
            forgotten: number;
            /** @description Why there are no changes, when there are none. */
            note?: string;
            /** @description The delivery, when the id names one. */
            delivery?: components["schemas"]["WhyDelivery"];
            /** @description Why the resource is in its state; absent without an explanation. */
            explanations: components["schemas"]["WhyExplanation"][];
            /** @description The day on which an order settles, or is expected to. */
            settlementDay?: string;
            /** @description The last changes, oldest first. */
            changes: components["schemas"]["WhyChange"][];
        };
        /** @description A booking in the ledger: cash from one account to another, or units in or out of one. */
        WhyBooking: {
            transaction: components["schemas"]["Id"];
            /** @description Who pays: the id of an account, or the platform's account as the books call it; null where units come from a fund. */
            debit: string | null;
            /** @description Who receives; null where units go to a fund. */
            credit: string | null;
            /** @description SEK, of cash. */
            amount?: components["schemas"]["Money"];
            /** @description The fund, of units. */
            instrument?: string;
            units?: components["schemas"]["Number"];
            /** @description What one unit was worth, once that is known. */
            price?: components["schemas"]["Number"];
            /**
             * @description `pending`, `settled` or `aborted`.
             * @example settled
             */
            state: string;
        };
        /** @description One change, and what caused it. */
        WhyChange: {
            /** @description Time of the world's clock. */
            at: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description Number of the input that caused it, which `fork` and `rewind` take where it is not from before a fork; null when nobody knows
             *     any more.
             */
            input: number | null;
            /**
             * @description What the input is: `command`, `time passes`, `settings`, `permissions`, `opening`, or the name of a decision of the host; null
             *     when it is no longer kept.
             */
            act: string | null;
            /** @description The command, in the program's words. */
            command: string | null;
            /** @description What fired when time passed; null when the input itself did it. */
            timer: string | null;
            request: components["schemas"]["WhyRequest"] | null;
            /** @description What was booked, or settled, or aborted. */
            bookings: components["schemas"]["WhyBooking"][];
            /** @description The events of the change; none when it has no event, or when they are no longer kept. */
            events: components["schemas"]["WhyEvent"][];
        };
        /** @description Something that helps. */
        WhyCure: {
            /** @description What it does. */
            says: string;
            /** @description The operation, as the description of the server calls it; null where a person does it on the hosted pages. */
            operation: string | null;
        };
        WhyDelivery: {
            id: components["schemas"]["Id"];
            /** @description `queued`, `delivered`, `refused` or `deadLetter`. */
            status: string;
            url: string;
            queued: components["schemas"]["Timestamp"];
            /** Format: int32 */
            attemptsMade: number;
            /** @description What a fault rule did to it last, such as `drop` or `delay`. */
            fault?: string;
        };
        WhyEvent: {
            /** Format: int64 */
            number: number;
            eventId: components["schemas"]["Id"];
            /** @example order.update */
            eventType: string;
            /** @description The id of what changed. */
            resource: components["schemas"]["Id"];
            /** @description Its status afterwards, where it has one. */
            status: string | null;
            /** @description Its status before. */
            previousStatus: string | null;
            /**
             * Format: double
             * @description The amount of a transaction.
             */
            amount?: number;
            /** @description What else became different, where something changed. */
            changed: components["schemas"]["WhyField"][];
            /** @description The rows of the table of states that were taken, in order. */
            moves: components["schemas"]["WhyMove"][];
            /** @description Callbacks and webhooks that deliver it. */
            deliveries: components["schemas"]["WhyDelivery"][];
        };
        /** @description One reason why something is in its state. */
        WhyExplanation: {
            /**
             * @description What kind of reason it is.
             * @example closedFund
             */
            reason: string;
            /** @description What is in the state: the resource, or something of it, such as a bank account of an account. */
            about: components["schemas"]["Id"];
            /** @description The reason in words. */
            says: string;
            until: components["schemas"]["Timestamp"] | null;
            /** @description Effect of the rule. */
            then: string | null;
            /** @description What helps. */
            cures: components["schemas"]["WhyCure"][];
        };
        /** @description A field of what changed, but for its status and the instant of the change. */
        WhyField: {
            /** @description Its path in the resource, such as `positions[0].units`. */
            path: string;
            /** @description Null when it was not there. */
            before: unknown;
            /** @description Null when it is not there any more. */
            after: unknown;
        };
        /** @description A row of a table of states, as `fundsim explain` shows it. */
        WhyMove: {
            /**
             * @description The table: what `explain` calls it.
             * @example orders
             */
            table: string;
            from: string;
            on: string;
            to: string;
            /** @description What the move does besides. */
            effect: string;
        };
        WhyRequest: {
            /** Format: int64 */
            requestId: number;
            /** @description The route that answered it. */
            route: string | null;
            /** @description What the log of requests has of it, which keeps those that show a partner's token. */
            logged?: components["schemas"]["WhyRequestLogged"];
        };
        WhyRequestLogged: {
            at: components["schemas"]["Timestamp"];
            method: string;
            /** @description Path and query, without secrets. */
            path: string;
            /**
             * Format: int32
             * @description Status of the answer; null if the connection was dropped.
             */
            status: number | null;
        };
        /** @description How much may be taken out of an account; both limits are allowed. */
        WithdrawalLimit: {
            /** @description The least that a withdrawal may be. */
            min: components["schemas"]["Money"];
            /** @description The most; less than `min` when nothing can be taken out. */
            max: components["schemas"]["Money"];
            /** @description Always the account's currency. */
            currency: components["schemas"]["Currency"];
        };
        /** @description Pays cash out to a bank account of the owner. */
        WithdrawalRequest: {
            withdrawalType: components["schemas"]["WithdrawalType"];
            /** @description SEK; required with `amount`, forbidden with `full`. */
            amount?: components["schemas"]["Money"] | null;
            /** @description A validated bank account of the owner. */
            bankAccount: components["schemas"]["Id"];
            /** @description Your own reference. */
            clientRef?: string | null;
            /** @description The owner, or a signatory of the owner. */
            executorRef: components["schemas"]["Ssn"];
        };
        /** @enum {string} */
        WithdrawalType: "amount" | "full";
        /** @description A world. */
        World: {
            url: string;
            worldId: string;
            name: string;
            /** Format: int64 */
            seed: number;
            start: components["schemas"]["Timestamp"];
            now: components["schemas"]["Timestamp"];
            /** @description Event sockets that are open; of those of a partner that others share the world with, its own. */
            sockets: number;
            /**
             * Format: int64
             * @description Events that happened.
             */
            events: number;
            eventLog: components["schemas"]["EventLog"];
            /**
             * Format: int64
             * @description Number of the last input, which `fork` and `rewind` take; 0 is the start.
             */
            input: number;
            /**
             * Format: int64
             * @description Number of the first input that they can go back to.
             */
            firstInput: number;
            /** @description How its clock goes, as `--clock` takes it. */
            clock: string;
            mode: string;
            factor: components["schemas"]["Number"] | null;
            /** @description Left out when the world has failed. */
            partners?: components["schemas"]["WorldPartner"][];
            /** @description The moment of another world that it began as, when it is a fork. */
            forkOf?: components["schemas"]["Fork"];
            /** @description What is kept of its session, which `scenario` writes as a story. */
            recording: components["schemas"]["RecordingKept"];
            /** @description What went wrong, when the world has failed. */
            failure?: components["schemas"]["WorldFailure"];
        };
        WorldClient: {
            id: components["schemas"]["Id"];
            name: string;
        };
        /** @description How a world failed: a fault of this program. */
        WorldFailure: {
            at: components["schemas"]["Timestamp"];
            message: string;
            command: string | null;
        };
        /** @description Where a world is, and who may use it. */
        WorldLine: {
            url: string;
            worldId: string;
            /** Format: int64 */
            seed: number;
            now: components["schemas"]["Timestamp"];
            partners: components["schemas"]["WorldPartner"][];
        };
        /** @description A partner of a world. */
        WorldPartner: {
            name: string;
            /** @description For the token endpoint. */
            clientId: components["schemas"]["Id"];
            /**
             * @description In full to the operator, and to the caller who makes, forks or resets a world; by its beginning to others who may read
             *     it. Left out where the setup named it and the world came from a snapshot file, which keeps no secret.
             */
            clientSecret?: string;
            /** @description Signs callbacks of journeys. */
            callbackSecret?: string;
            clients: components["schemas"]["WorldClient"][];
        };
        /** @description What a world decides by; what is left out stays. */
        WorldSettingsPatch: {
            /** @description From `received` to the first check (rule: orders/acceptance). */
            acceptanceDelayMs?: number | null;
            /** @description From the cut-off to the answer of the routing intermediary (rule: orders/aggregation). */
            routingDelayMs?: number | null;
            /** @description From the publication of a price to the confirmation (rule: orders/confirmed-is-inside-sent). */
            confirmationDelayMs?: number | null;
            /** @description From the publication of a late price to the posting (rule: calendar/settlement-day). */
            latePostingDelayMs?: number | null;
            /** @description Orders above this go to `hold` (rule: orders/hold-reasons). */
            holdAbove?: number | null;
            /** @description Bank days on hold after which an order is canceled (rule: orders/hold-lapses). */
            holdBankDays?: number | null;
            /** @description Whether organisation numbers must pass Luhn (rule: money/organisation-number). */
            strictIdentifiers?: boolean | null;
            /** @description Years for which KYC answers are valid (rule: accounts/kyc-renewal). */
            kycYears?: number | null;
            /** @description Whether an order whose price is known shows as `confirmed` until it settles (rule: orders/confirmed-is-inside-sent). */
            exposeConfirmed?: boolean | null;
            /** @description Distribution fee in basis points of the value a year (rule: fees/distribution-fee). */
            distributionFeeBp?: number | null;
            /** @description The insurer's fee in basis points a year (rule: fees/insurance-charges). */
            insuranceFeeBp?: number | null;
            /** @description Risk premium of an insurer for persons of 65 years or more, in basis points a year. */
            riskPremiumBp?: number | null;
            /** @description The government loan rate of 30 November in basis points, by which insurers are taxed. */
            governmentLoanRateBp?: number | null;
            /** @description Percent of the yield of an insurance that is tax. */
            insuranceTaxPercent?: number | null;
            /** @description Smallest lack of cash for charges, in SEK, for which units are sold (rule: fees/smallest-forced-sale). */
            smallestForcedSale?: number | null;
            /** @description Currency exchange fee, in percent of an order in a fund of another currency (rule: fees/currency-fee). */
            fxFee?: number | null;
            /** @description Years for which KYC answers of a politically exposed person are valid. */
            kycHighRiskYears?: number | null;
            /** @description Days before the expiry date from which KYC is `expiring`. */
            kycExpiringDays?: number | null;
            /** @description Lifetime of a journey's link (rule: journeys/journey-life). */
            journeyLifeMs?: number | null;
            /** @description Lifetime of the link of a journey with several signatories: days, until 09:00 local time. */
            longJourneyDays?: number | null;
            /** @description Whether callbacks must be https, as in production (rule: journeys/callback-url). */
            httpsCallbacksOnly?: boolean | null;
            /** @description From `pending` to the approval of an account (rule: accounts/approval). */
            approvalDelayMs?: number | null;
            /** @description Days for which an account waits in `confirm`, until 09:00 local time. */
            confirmDays?: number | null;
            /** @description From the connection of a bank account to the result of its check (rule: bank/bank-account-check). */
            accountCheckDelayMs?: number | null;
            /** @description Bank days until a bank answers on a mandate, at 08:00 local (rule: bank/mandate-answer). */
            mandateBankDays?: number | null;
            /** @description Bank days until a mandate without an answer is removed. */
            mandateSilenceBankDays?: number | null;
            /** @description Bank days until a transfer is sent, at 09:00 local (rule: securities/transfer-timing). */
            transferSendBankDays?: number | null;
            /** @description Bank days from there to the answer of the ceding custodian. */
            transferAcceptBankDays?: number | null;
            /** @description Bank days from there to the delivery. */
            transferCompleteBankDays?: number | null;
            /** @description How long after signing a withdrawal may be requested (rule: journeys/sign-withdrawal). */
            withdrawalGrantMs?: number | null;
            /** @description Whether a journey's result has the id of the account that it opened (rule: journeys/result-account-id). */
            resultAccountId?: boolean | null;
            /** @description Whether mobile payments are paid automatically. */
            autoPay?: boolean | null;
            /** @description Whether the ore of an amount determines the outcome of a mobile payment. */
            magicAmounts?: boolean | null;
            /** @description From the request for a mobile payment to its automatic outcome. */
            mobilePaymentAnswerDelayMs?: number | null;
            /** @description How long a mobile payment waits for the payer (rule: payments/mobile-payment-states). */
            mobilePaymentLifeMs?: number | null;
            /** @description From an unknown outcome to the banks' late answer. */
            mobilePaymentLateDelayMs?: number | null;
            /** @description Whether a mobile payment that has failed shows as `error` (rule: payments/mobile-payment-states). */
            exposeMobilePaymentError?: boolean | null;
        };
        /** @description What is posted to `callbackUrl` when a journey becomes canceled, error or complete. */
        CallbackBody: {
            /** @description Journey. */
            id: components["schemas"]["Id"];
            status: string;
            /** @description Where the user left. */
            context?: string | null;
            error?: components["schemas"]["CallbackError"] | null;
            /** @description The value given at creation, byte for byte. */
            scope?: string | null;
            result?: components["schemas"]["JourneyResult"] | null;
        };
        /** @description Why it was canceled or failed. */
        CallbackError: {
            code: string;
            journeyType: string;
        };
        /** @description Funds whose terms have changed, to be read again. */
        InstrumentsReloaded: {
            instruments: components["schemas"]["InstrumentId"][];
            reloadedDate: components["schemas"]["Timestamp"];
        };
        /** @description An order that buys for an amount. */
        SubscriptionOrder: {
            id: components["schemas"]["Id"];
            sortedId: components["schemas"]["SortedId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            orderType: "subscription";
            status: components["schemas"]["OrderStatus"];
            account: components["schemas"]["Id"];
            clientId: components["schemas"]["Id"];
            /** @description The partner's own reference, copied to the order's transactions. */
            clientRef?: string;
            /** @description Who gave the order. */
            executorRef?: components["schemas"]["Ssn"];
            instrument: components["schemas"]["InstrumentId"];
            /** @description Ordered amount of a subscription; a redemption's is filled when its price is known. */
            amount: components["schemas"]["Money"];
            /** @description Ordered units of a redemption; a subscription's are filled when its price is known. */
            units?: components["schemas"]["Number"];
            createdDate: components["schemas"]["Timestamp"];
            modifiedDate: components["schemas"]["Timestamp"];
            canceledDate?: components["schemas"]["Timestamp"];
        };
        /** @description An order that sells units. */
        RedemptionOrder: {
            id: components["schemas"]["Id"];
            sortedId: components["schemas"]["SortedId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            orderType: "redemption";
            status: components["schemas"]["OrderStatus"];
            account: components["schemas"]["Id"];
            clientId: components["schemas"]["Id"];
            /** @description The partner's own reference, copied to the order's transactions. */
            clientRef?: string;
            /** @description Who gave the order. */
            executorRef?: components["schemas"]["Ssn"];
            instrument: components["schemas"]["InstrumentId"];
            /** @description Ordered amount of a subscription; a redemption's is filled when its price is known. */
            amount?: components["schemas"]["Money"];
            /** @description Ordered units of a redemption; a subscription's are filled when its price is known. */
            units: components["schemas"]["Number"];
            createdDate: components["schemas"]["Timestamp"];
            modifiedDate: components["schemas"]["Timestamp"];
            canceledDate?: components["schemas"]["Timestamp"];
        };
        /** @description Buys for an amount. */
        SubscriptionRequest: {
            account: components["schemas"]["Id"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            orderType: "subscription";
            instrument: components["schemas"]["InstrumentId"];
            /** @description Required on a subscription, forbidden on a redemption. */
            amount: components["schemas"]["Money"];
            /** @description Your own reference. */
            clientRef?: string | null;
            /** @description The owner, or a signatory of the owner. */
            executorRef?: components["schemas"]["Ssn"] | null;
        };
        /** @description Sells units. */
        RedemptionRequest: {
            account: components["schemas"]["Id"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            orderType: "redemption";
            instrument: components["schemas"]["InstrumentId"];
            /** @description Required on a redemption, forbidden on a subscription. */
            units: components["schemas"]["Number"];
            /** @description Your own reference. */
            clientRef?: string | null;
            /** @description The owner, or a signatory of the owner. */
            executorRef?: components["schemas"]["Ssn"] | null;
        };
        /** @description Configuration of a `createAccount` journey. */
        CreateAccountConfiguration: {
            /**
             * @description What kind of journey it is. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            journeyType: "createAccount";
            /** @description Account types to choose from; one locks the choice. */
            accountTypes: components["schemas"]["AccountType"][];
            /** @description What the client does for the account. */
            accountServiceType: components["schemas"]["ServiceType"];
            /** @description Categories to choose from; required when the client permits both. */
            accountCategories?: components["schemas"]["Category"][] | null;
            /** @description Name of the account; the customer chooses when it is left out. */
            accountName?: string | null;
            /** @description The customer's e-mail address. */
            email?: string | null;
            /** @description Who signs. */
            ssn?: components["schemas"]["Ssn"] | null;
            /** @description Whether a mandate is asked for. */
            autogiro?: components["schemas"]["JourneyAutogiro"] | null;
            /** @description Funds the owner wants to buy, offered in the plans. */
            instruments?: components["schemas"]["JourneyInstrument"][] | null;
            /** @description The bank account to charge. */
            paymentAccount?: components["schemas"]["JourneyPaymentAccount"] | null;
            /** @description Null hides the step. */
            allocationPlan?: components["schemas"]["JourneyAllocationPlan"] | null;
            /** @description What is bought every month; null hides the step of a journey that does not require it. */
            savingsPlan?: components["schemas"]["JourneySavingsPlan"] | null;
            /** @description Answers known beforehand. */
            kycs?: components["schemas"]["JourneyKycAnswer"][] | null;
            /** @description Null hides the step. */
            transfer?: components["schemas"]["JourneyTransfer"] | null;
            /** @description Only together with `transfer`. */
            welcomeScreen?: components["schemas"]["WelcomeScreen"] | null;
        };
        /** @description Configuration of a `createLegalEntityAccount` journey. */
        CreateLegalEntityAccountConfiguration: {
            /**
             * @description What kind of journey it is. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            journeyType: "createLegalEntityAccount";
            /** @description What the client does for the account. */
            accountServiceType: components["schemas"]["ServiceType"];
            /** @description Name of the account; the customer chooses when it is left out. */
            accountName?: string | null;
            /** @description The customer's e-mail address. */
            email?: string | null;
            /** @description Choices of a legal entity. */
            accountOptions: components["schemas"]["JourneyAccountOptions"];
            /** @description Who signs. */
            ssn?: components["schemas"]["Ssn"] | null;
            /** @description The submission that is signed, or that made the account. */
            submission?: components["schemas"]["Id"] | null;
            /** @description Whether a mandate is asked for. */
            autogiro?: components["schemas"]["JourneyAutogiro"] | null;
            /** @description Funds the owner wants to buy, offered in the plans. */
            instruments?: components["schemas"]["JourneyInstrument"][] | null;
            /** @description The bank account to charge. */
            paymentAccount?: components["schemas"]["JourneyPaymentAccount"] | null;
            /** @description Null hides the step. */
            allocationPlan?: components["schemas"]["JourneyAllocationPlan"] | null;
            /** @description What is bought every month; null hides the step of a journey that does not require it. */
            savingsPlan?: components["schemas"]["JourneySavingsPlan"] | null;
            /** @description Answers known beforehand. */
            kycs?: components["schemas"]["JourneyKycAnswer"][] | null;
        };
        /** @description Configuration of a `addBankAccount` journey. */
        AddBankAccountConfiguration: {
            /**
             * @description What kind of journey it is. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            journeyType: "addBankAccount";
            /** @description Who signs. */
            ssn?: components["schemas"]["Ssn"] | null;
            /** @description The account that the journey is about. */
            account: components["schemas"]["Id"];
            /** @description Whether a mandate is asked for. */
            autogiro?: components["schemas"]["JourneyAutogiro"] | null;
        };
        /** @description Configuration of a `signWithdrawal` journey. */
        SignWithdrawalConfiguration: {
            /**
             * @description What kind of journey it is. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            journeyType: "signWithdrawal";
            /** @description Who signs. */
            ssn?: components["schemas"]["Ssn"] | null;
            /** @description The account that the journey is about. */
            account: components["schemas"]["Id"];
        };
        /** @description Configuration of a `updateAllocationPlan` journey. */
        UpdateAllocationPlanConfiguration: {
            /**
             * @description What kind of journey it is. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            journeyType: "updateAllocationPlan";
            /** @description Who signs. */
            ssn?: components["schemas"]["Ssn"] | null;
            /** @description The account that the journey is about. */
            account: components["schemas"]["Id"];
            /** @description Funds the owner wants to buy, offered in the plans. */
            instruments?: components["schemas"]["JourneyInstrument"][] | null;
            /** @description The bank account to charge. */
            paymentAccount?: components["schemas"]["JourneyPaymentAccount"] | null;
            /** @description Null hides the step. */
            allocationPlan?: components["schemas"]["JourneyAllocationPlan"] | null;
        };
        /** @description Configuration of a `updateSavingsPlan` journey. */
        UpdateSavingsPlanConfiguration: {
            /**
             * @description What kind of journey it is. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            journeyType: "updateSavingsPlan";
            /** @description Who signs. */
            ssn?: components["schemas"]["Ssn"] | null;
            /** @description The account that the journey is about. */
            account: components["schemas"]["Id"];
            /** @description Funds the owner wants to buy, offered in the plans. */
            instruments?: components["schemas"]["JourneyInstrument"][] | null;
            /** @description The bank account to charge. */
            paymentAccount?: components["schemas"]["JourneyPaymentAccount"] | null;
            /** @description What is bought every month; null hides the step of a journey that does not require it. */
            savingsPlan: components["schemas"]["JourneySavingsPlan"];
        };
        /** @description Configuration of a `signSubmission` journey. */
        SignSubmissionConfiguration: {
            /**
             * @description What kind of journey it is. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            journeyType: "signSubmission";
            /** @description Who signs. */
            ssn: components["schemas"]["Ssn"];
            /** @description The submission that is signed, or that made the account. */
            submission: components["schemas"]["Id"];
        };
        /** @description Configuration of a `kycRenewal` journey. */
        KycRenewalConfiguration: {
            /**
             * @description What kind of journey it is. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            journeyType: "kycRenewal";
            /** @description Who signs. */
            ssn?: components["schemas"]["Ssn"] | null;
            /** @description The account that the journey is about. */
            account: components["schemas"]["Id"];
            /** @description Answers known beforehand. */
            kycs?: components["schemas"]["JourneyKycAnswer"][] | null;
        };
    };
    responses: {
        /** @description The resource is in a state that does not allow the action. Nothing has changed. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConflictBody"];
            };
        };
        /** @description The client is outside the scope of the token, the token lacks a right, or the request comes from a page of another origin. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The request or one of its parameters is wrong, or the resource's state does not allow it. */
        InvalidRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The request names another host than this server. */
        Misdirected: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description There is nothing at this path. Ids of the partner API that name nothing are 400, unless the world's setting `unknownResource` says otherwise. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The server failed. */
        ServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The service is not available now. */
        ServiceUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Credentials are missing or invalid. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    ping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service responds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pong": "2026-03-02T07:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Pong"];
                };
            };
            403: components["responses"]["Forbidden"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    issueToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "grant_type": "client_credentials",
                 *       "client_id": "ebf6f9ec-5087-45cb-b7f9-5724da960b78",
                 *       "client_secret": "gaTARNKD2qzaaab7AJIhbPb-VI9N_gfzSVWTz0vT5aA"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description A token. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "0f64c7b0-62ba-4056-8d6e-8ece98534fc3",
                     *       "token_type": "bearer",
                     *       "expires_in": 3600
                     *     }
                     */
                    "application/json": components["schemas"]["Token"];
                };
            };
            /** @description The request is wrong, or the credentials are. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            /** @description The credentials of HTTP Basic are wrong. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            403: components["responses"]["Forbidden"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listClients: {
        parameters: {
            query?: {
                /** @description The `sortedId` to start from, inclusive. */
                start?: string;
                /** @description How many to list at most; all when left out. */
                limit?: number;
                /** @description Only what was modified at this moment or later. */
                modifiedFrom?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The partner's clients, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01",
                     *         "sortedId": "01KJPNHFC0FVK25ZYWDP905MSS",
                     *         "name": "Lingonberget Spar AB",
                     *         "displayName": "Lingonberget Spar",
                     *         "crn": "5599900007",
                     *         "country": "SE",
                     *         "bankAccounts": [
                     *           {
                     *             "feeType": "client_fee",
                     *             "iban": "SE8150000000050000000019"
                     *           },
                     *           {
                     *             "feeType": "partner_fee",
                     *             "iban": "SE1760000000000400000105"
                     *           }
                     *         ],
                     *         "serviceTypes": [
                     *           {
                     *             "accountServiceType": "portfolioManagement",
                     *             "code": "064241"
                     *           },
                     *           {
                     *             "accountServiceType": "investmentAdvise",
                     *             "code": "435054"
                     *           },
                     *           {
                     *             "accountServiceType": "executionOnly",
                     *             "code": "725745"
                     *           }
                     *         ],
                     *         "permissions": {
                     *           "accountTypes": [
                     *             "isk",
                     *             "depot",
                     *             "insurance"
                     *           ],
                     *           "accountServiceTypes": [
                     *             "portfolioManagement",
                     *             "investmentAdvise",
                     *             "executionOnly"
                     *           ],
                     *           "accountCategories": [
                     *             "retail",
                     *             "pro"
                     *           ],
                     *           "ownerTypes": [
                     *             "natural_person",
                     *             "legal_entity"
                     *           ],
                     *           "journeyTypes": [
                     *             "createAccount",
                     *             "createLegalEntityAccount",
                     *             "addBankAccount",
                     *             "signWithdrawal",
                     *             "updateAllocationPlan",
                     *             "updateSavingsPlan",
                     *             "signSubmission",
                     *             "kycRenewal"
                     *           ],
                     *           "transfers": true,
                     *           "autogiro": true,
                     *           "mobilePayment": true,
                     *           "withdrawals": true,
                     *           "partnerFee": true
                     *         },
                     *         "createdDate": "2026-03-02T07:00:00.000Z",
                     *         "modifiedDate": "2026-03-02T07:00:00.000Z"
                     *       },
                     *       {
                     *         "id": "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f02",
                     *         "sortedId": "01KJPNHFC0FVK25ZYWDP905MST",
                     *         "name": "Lingonberget Pension AB",
                     *         "displayName": "Lingonberget Pension",
                     *         "crn": "5599900015",
                     *         "country": "SE",
                     *         "bankAccounts": [],
                     *         "serviceTypes": [
                     *           {
                     *             "accountServiceType": "portfolioManagement",
                     *             "code": "073439"
                     *           },
                     *           {
                     *             "accountServiceType": "investmentAdvise",
                     *             "code": "369850"
                     *           },
                     *           {
                     *             "accountServiceType": "executionOnly",
                     *             "code": "111116"
                     *           }
                     *         ],
                     *         "permissions": {
                     *           "accountTypes": [
                     *             "isk",
                     *             "depot",
                     *             "insurance"
                     *           ],
                     *           "accountServiceTypes": [
                     *             "portfolioManagement",
                     *             "investmentAdvise",
                     *             "executionOnly"
                     *           ],
                     *           "accountCategories": [
                     *             "retail",
                     *             "pro"
                     *           ],
                     *           "ownerTypes": [
                     *             "natural_person",
                     *             "legal_entity"
                     *           ],
                     *           "journeyTypes": [
                     *             "createAccount",
                     *             "createLegalEntityAccount",
                     *             "addBankAccount",
                     *             "signWithdrawal",
                     *             "updateAllocationPlan",
                     *             "updateSavingsPlan",
                     *             "signSubmission",
                     *             "kycRenewal"
                     *           ],
                     *           "transfers": true,
                     *           "autogiro": true,
                     *           "mobilePayment": true,
                     *           "withdrawals": true,
                     *           "partnerFee": true
                     *         },
                     *         "createdDate": "2026-03-02T07:00:00.000Z",
                     *         "modifiedDate": "2026-03-02T07:00:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Client"][];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createClient: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Short AB",
                 *       "displayName": "Short",
                 *       "crn": "5567000003",
                 *       "country": "SE",
                 *       "serviceTypes": [
                 *         {
                 *           "accountServiceType": "executionOnly"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ClientRequest"];
            };
        };
        responses: {
            /** @description The client. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "6bafce54-f1ba-43e0-9bbe-7aa69a93bca8",
                     *       "sortedId": "01KJPNHM88QCW78V6VRMK22FG0",
                     *       "name": "Short AB",
                     *       "displayName": "Short",
                     *       "crn": "5567000003",
                     *       "country": "SE",
                     *       "bankAccounts": [],
                     *       "serviceTypes": [
                     *         {
                     *           "accountServiceType": "executionOnly",
                     *           "code": "018446"
                     *         }
                     *       ],
                     *       "permissions": {
                     *         "accountTypes": [
                     *           "isk",
                     *           "depot",
                     *           "insurance"
                     *         ],
                     *         "accountServiceTypes": [
                     *           "portfolioManagement",
                     *           "investmentAdvise",
                     *           "executionOnly"
                     *         ],
                     *         "accountCategories": [
                     *           "retail",
                     *           "pro"
                     *         ],
                     *         "ownerTypes": [
                     *           "natural_person",
                     *           "legal_entity"
                     *         ],
                     *         "journeyTypes": [
                     *           "createAccount",
                     *           "createLegalEntityAccount",
                     *           "addBankAccount",
                     *           "signWithdrawal",
                     *           "updateAllocationPlan",
                     *           "updateSavingsPlan",
                     *           "signSubmission",
                     *           "kycRenewal"
                     *         ],
                     *         "transfers": true,
                     *         "autogiro": true,
                     *         "mobilePayment": true,
                     *         "withdrawals": true,
                     *         "partnerFee": true
                     *       },
                     *       "createdDate": "2026-03-02T07:00:05.000Z",
                     *       "modifiedDate": "2026-03-02T07:00:05.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Client"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The client. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01",
                     *       "sortedId": "01KJPNHFC01XJ8KE33PP0HYWRT",
                     *       "name": "Lingonberget Spar AB",
                     *       "displayName": "Lingonberget Spar",
                     *       "crn": "5599900007",
                     *       "country": "SE",
                     *       "bankAccounts": [
                     *         {
                     *           "feeType": "client_fee",
                     *           "iban": "SE8150000000050000000019"
                     *         },
                     *         {
                     *           "feeType": "partner_fee",
                     *           "iban": "SE1760000000000400000105"
                     *         }
                     *       ],
                     *       "serviceTypes": [
                     *         {
                     *           "accountServiceType": "portfolioManagement",
                     *           "code": "375141"
                     *         },
                     *         {
                     *           "accountServiceType": "investmentAdvise",
                     *           "code": "870735"
                     *         },
                     *         {
                     *           "accountServiceType": "executionOnly",
                     *           "code": "505050"
                     *         }
                     *       ],
                     *       "permissions": {
                     *         "accountTypes": [
                     *           "isk",
                     *           "depot",
                     *           "insurance"
                     *         ],
                     *         "accountServiceTypes": [
                     *           "portfolioManagement",
                     *           "investmentAdvise",
                     *           "executionOnly"
                     *         ],
                     *         "accountCategories": [
                     *           "retail",
                     *           "pro"
                     *         ],
                     *         "ownerTypes": [
                     *           "natural_person",
                     *           "legal_entity"
                     *         ],
                     *         "journeyTypes": [
                     *           "createAccount",
                     *           "createLegalEntityAccount",
                     *           "addBankAccount",
                     *           "signWithdrawal",
                     *           "updateAllocationPlan",
                     *           "updateSavingsPlan",
                     *           "signSubmission",
                     *           "kycRenewal"
                     *         ],
                     *         "transfers": true,
                     *         "autogiro": true,
                     *         "mobilePayment": true,
                     *         "withdrawals": true,
                     *         "partnerFee": true
                     *       },
                     *       "createdDate": "2026-03-02T07:00:00.000Z",
                     *       "modifiedDate": "2026-03-02T07:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Client"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    patchClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "bankAccounts": [
                 *         {
                 *           "feeType": "client_fee",
                 *           "iban": "SE1760000000000400000105"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ClientPatch"];
            };
        };
        responses: {
            /** @description The changed client. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "09675311-3852-4bed-af5b-e2fd59e9ad52",
                     *       "sortedId": "01KDW5PBC04D16KSJ9N9S1M9PS",
                     *       "name": "Savings AB",
                     *       "displayName": "Savings AB",
                     *       "crn": "5599900007",
                     *       "country": "SE",
                     *       "bankAccounts": [
                     *         {
                     *           "feeType": "client_fee",
                     *           "iban": "SE1760000000000400000105"
                     *         }
                     *       ],
                     *       "serviceTypes": [
                     *         {
                     *           "accountServiceType": "portfolioManagement",
                     *           "code": "493797"
                     *         },
                     *         {
                     *           "accountServiceType": "investmentAdvise",
                     *           "code": "452222"
                     *         },
                     *         {
                     *           "accountServiceType": "executionOnly",
                     *           "code": "212629"
                     *         }
                     *       ],
                     *       "permissions": {
                     *         "accountTypes": [
                     *           "isk",
                     *           "depot",
                     *           "insurance"
                     *         ],
                     *         "accountServiceTypes": [
                     *           "portfolioManagement",
                     *           "investmentAdvise",
                     *           "executionOnly"
                     *         ],
                     *         "accountCategories": [
                     *           "retail",
                     *           "pro"
                     *         ],
                     *         "ownerTypes": [
                     *           "natural_person",
                     *           "legal_entity"
                     *         ],
                     *         "journeyTypes": [
                     *           "createAccount",
                     *           "createLegalEntityAccount",
                     *           "addBankAccount",
                     *           "signWithdrawal",
                     *           "updateAllocationPlan",
                     *           "updateSavingsPlan",
                     *           "signSubmission",
                     *           "kycRenewal"
                     *         ],
                     *         "transfers": true,
                     *         "autogiro": true,
                     *         "mobilePayment": true,
                     *         "withdrawals": true,
                     *         "partnerFee": true
                     *       },
                     *       "createdDate": "2026-01-01T07:00:00.000Z",
                     *       "modifiedDate": "2026-07-01T04:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Client"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAccounts: {
        parameters: {
            query?: {
                /** @description The `sortedId` to start from, inclusive. */
                start?: string;
                /** @description How many to list at most; all when left out. */
                limit?: number;
                /** @description Only what was modified at this moment or later. */
                modifiedFrom?: string;
                /** @description Only accounts of this natural person. */
                ssn?: string;
            };
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The accounts, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "380c779c-69f9-4f87-908b-04c6bef7817b",
                     *         "sortedId": "01KJPNHFC0YR457YHB42RCSZMW",
                     *         "ref": "177243480000051",
                     *         "name": "Astrids ISK",
                     *         "accountType": "isk",
                     *         "status": "active",
                     *         "serviceType": "executionOnly",
                     *         "owner": {
                     *           "ownerType": "natural_person",
                     *           "firstName": "Astrid",
                     *           "lastName": "Provsson",
                     *           "fullName": "Astrid Provsson",
                     *           "ssn": "199001012385"
                     *         },
                     *         "balance": 25000,
                     *         "amounts": {
                     *           "deposited": 25000,
                     *           "withdrawn": 0
                     *         },
                     *         "positions": [
                     *           {
                     *             "instrument": "SE0SBX000016SEK",
                     *             "units": 120.5,
                     *             "unitsSettled": 120.5,
                     *             "value": 14875.73,
                     *             "closePrice": 123.45,
                     *             "gav": 123.45
                     *           },
                     *           {
                     *             "instrument": "SE0SBX000024SEK",
                     *             "units": 40,
                     *             "unitsSettled": 40,
                     *             "value": 9826.8,
                     *             "closePrice": 245.67,
                     *             "gav": 245.67
                     *           }
                     *         ],
                     *         "category": "retail",
                     *         "deleted": false,
                     *         "clientId": "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01",
                     *         "bankAccounts": [
                     *           {
                     *             "id": "658fa003-39b6-41e2-a2d1-f64678326c0a",
                     *             "iban": "SE8150000000050000000019",
                     *             "bban": "50000000019",
                     *             "bank": "Skepparbanken",
                     *             "name": "Lönekonto",
                     *             "createdDate": "2026-03-02T07:00:00.000Z",
                     *             "modifiedDate": "2026-03-02T07:00:00.000Z",
                     *             "validated": true,
                     *             "mandateStatus": "active"
                     *           }
                     *         ],
                     *         "currency": "SEK",
                     *         "createdDate": "2026-03-02T07:00:00.000Z",
                     *         "modifiedDate": "2026-03-02T07:00:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Account"][];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the account. */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "2edb1125-b218-469b-85d9-3cc9de072089",
                     *       "sortedId": "01KJPNHFC0EBY1T22QS3K4DRCC",
                     *       "ref": "177243480000952",
                     *       "name": "Depå",
                     *       "accountType": "depot",
                     *       "status": "active",
                     *       "serviceType": "executionOnly",
                     *       "owner": {
                     *         "ownerType": "natural_person",
                     *         "firstName": "Valter",
                     *         "lastName": "Dahlberg",
                     *         "fullName": "Valter Dahlberg",
                     *         "ssn": "197806249814"
                     *       },
                     *       "balance": 1130,
                     *       "amounts": {
                     *         "deposited": 1000,
                     *         "withdrawn": 0
                     *       },
                     *       "positions": [
                     *         {
                     *           "instrument": "SE0SBX000016SEK",
                     *           "units": 10,
                     *           "unitsSettled": 10,
                     *           "value": 1234.5,
                     *           "closePrice": 123.45,
                     *           "gav": 123.45
                     *         }
                     *       ],
                     *       "category": "retail",
                     *       "deleted": false,
                     *       "clientId": "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01",
                     *       "bankAccounts": [],
                     *       "currency": "SEK",
                     *       "createdDate": "2026-03-02T07:00:00.000Z",
                     *       "modifiedDate": "2026-03-02T07:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    closeAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the account. */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account, closing or deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "1a28d4be-71b9-4a39-b8a6-7f2748f07653",
                     *       "sortedId": "01KJPNHFC0FQAQTK6448KHZ3ST",
                     *       "ref": "177243480000952",
                     *       "name": "ISK",
                     *       "accountType": "isk",
                     *       "status": "closing",
                     *       "serviceType": "executionOnly",
                     *       "owner": {
                     *         "ownerType": "natural_person",
                     *         "firstName": "Arvid",
                     *         "lastName": "Falk",
                     *         "fullName": "Arvid Falk",
                     *         "ssn": "197112049817"
                     *       },
                     *       "balance": 250,
                     *       "amounts": {
                     *         "deposited": 250,
                     *         "withdrawn": 0
                     *       },
                     *       "positions": [
                     *         {
                     *           "instrument": "SE0SBX000016SEK",
                     *           "units": 40,
                     *           "unitsSettled": 40,
                     *           "value": 4938,
                     *           "closePrice": 123.45,
                     *           "gav": 123.45
                     *         }
                     *       ],
                     *       "category": "retail",
                     *       "deleted": false,
                     *       "clientId": "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01",
                     *       "bankAccounts": [
                     *         {
                     *           "id": "1a171451-f2d4-4e42-ab51-8f9f04b87891",
                     *           "iban": "SE8150000000050000000019",
                     *           "bban": "50000000019",
                     *           "bank": "Skepparbanken",
                     *           "name": null,
                     *           "createdDate": "2026-03-02T07:00:00.000Z",
                     *           "modifiedDate": "2026-03-02T07:00:00.000Z",
                     *           "validated": true,
                     *           "mandateStatus": "missing"
                     *         }
                     *       ],
                     *       "currency": "SEK",
                     *       "createdDate": "2026-03-02T07:00:00.000Z",
                     *       "modifiedDate": "2026-03-02T07:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAgreementTypes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the account. */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agreement types of the account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "key": "account",
                     *         "swe": "Kontoavtal"
                     *       },
                     *       {
                     *         "key": "power_of_attorney",
                     *         "swe": "Fullmakt"
                     *       },
                     *       {
                     *         "key": "insurance",
                     *         "swe": "Försäkringsavtal"
                     *       },
                     *       {
                     *         "key": "autogiro",
                     *         "swe": "Autogiromedgivande"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["AgreementType"][];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readAgreement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the account. */
                accountId: string;
                /** @description Key of the agreement type. */
                agreementTypeKey: "account" | "power_of_attorney" | "insurance" | "autogiro";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agreement. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createMobilePayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the account. */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": 100.02,
                 *       "type": "same_device"
                 *     }
                 */
                "application/json": components["schemas"]["MobilePaymentRequest"];
            };
        };
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dfcf2377-ee35-499c-b7d5-487e02ffde07",
                     *       "token": "KySlj2H1LgT1ji3bbwwGAXKEi2KJMkqc",
                     *       "paymentId": "DBE0333555EC73B1F694DC9E53E45F35"
                     *     }
                     */
                    "application/json": components["schemas"]["MobilePaymentSession"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readPerformanceOfAccount: {
        parameters: {
            query?: {
                /** @description First day; needs `end`. */
                start?: string;
                /** @description Last day; days that are not over are left out. */
                end?: string;
            };
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the account. */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One entry a calendar day, from the first flow to yesterday. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "date": "2028-02-28",
                     *         "dayReturn": 0,
                     *         "dayResult": 0,
                     *         "cumulativeReturn": 0
                     *       },
                     *       {
                     *         "date": "2028-02-29",
                     *         "dayReturn": 0.01,
                     *         "dayResult": 100,
                     *         "cumulativeReturn": 0.01
                     *       },
                     *       {
                     *         "date": "2028-03-01",
                     *         "dayReturn": 0,
                     *         "dayResult": 0,
                     *         "cumulativeReturn": 0.01
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["PerformanceEntry"][];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The account does not exist. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readSavingsPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the account. */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The savings plan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "fcf7e827-67d3-4472-88ba-26288a10f314",
                     *       "sortedId": "01KJPNHFC0V07389V9MRKRN6KC",
                     *       "account": "5400fe2e-0e76-496e-834a-73628091befc",
                     *       "bankAccount": "d1370f79-7ca9-4530-a417-c29ac9a96046",
                     *       "periodicity": "monthly",
                     *       "day": 10,
                     *       "instruments": [
                     *         {
                     *           "instrument": "SE0SBX000016SEK",
                     *           "amount": 1000
                     *         }
                     *       ],
                     *       "startDate": "2026-03-06",
                     *       "lastRun": null,
                     *       "createdDate": "2026-03-02T07:00:00.000Z",
                     *       "modifiedDate": "2026-03-02T07:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SavingsPlan"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteSavingsPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the account. */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted plan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "fcf7e827-67d3-4472-88ba-26288a10f314",
                     *       "sortedId": "01KJPNHFC0V07389V9MRKRN6KC",
                     *       "account": "5400fe2e-0e76-496e-834a-73628091befc",
                     *       "bankAccount": "d1370f79-7ca9-4530-a417-c29ac9a96046",
                     *       "periodicity": "monthly",
                     *       "day": 10,
                     *       "instruments": [
                     *         {
                     *           "instrument": "SE0SBX000016SEK",
                     *           "amount": 1000
                     *         }
                     *       ],
                     *       "startDate": "2026-03-06",
                     *       "lastRun": {
                     *         "date": "2026-03-10",
                     *         "status": "done",
                     *         "reasons": []
                     *       },
                     *       "createdDate": "2026-03-02T07:00:00.000Z",
                     *       "modifiedDate": "2026-03-11T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SavingsPlan"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCashTransactionsOfAccount: {
        parameters: {
            query?: {
                /** @description The `sortedId` to start from, inclusive. */
                start?: string;
                /** @description How many to list at most; all when left out. */
                limit?: number;
                /** @description Only what was modified at this moment or later. */
                modifiedFrom?: string;
                /** @description Created on this day or later, in Stockholm time. */
                dateFrom?: string;
                /** @description Created on this day or earlier. */
                dateTo?: string;
                /** @description Only with exactly this `ref`. */
                ref?: string;
                /** @description Only in this instrument. */
                instrument?: string;
                /** @description Only of this type. */
                transactionType?: "deposit" | "withdrawal" | "subscription" | "redemption" | "transfer_in" | "transfer_out" | "fee" | "retrocession" | "fxFee" | "settlement";
                /** @description Only with this `refType`. */
                refType?: "client_fee" | "correction" | "gift" | "compensations" | "inheritance" | "dividend" | "donation" | "endowment_101" | "partner_fee" | "service_fee" | "insurance_tax" | "insurance_fee" | "riskpremia_fee" | "transfer" | "text" | "order" | "payment" | "ca" | "internal" | "external";
            };
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the account. */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cash transactions, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "52a318ad-e72e-4a48-8f8b-822bc4fdd026",
                     *         "sortedId": "01KJPNHFC0TTWDF723VZE742D7",
                     *         "transactionType": "deposit",
                     *         "aborted": false,
                     *         "ref": "opening",
                     *         "refType": "text",
                     *         "debitAccount": "00000000-0000-4000-8000-000000000008",
                     *         "creditAccount": "1a28d4be-71b9-4a39-b8a6-7f2748f07653",
                     *         "amount": 250,
                     *         "currency": "SEK",
                     *         "createdDate": "2026-03-02T07:00:00.000Z",
                     *         "modifiedDate": "2026-03-02T07:00:00.000Z",
                     *         "settlementDate": "2026-03-02T00:00:00.000Z"
                     *       },
                     *       {
                     *         "id": "16530097-83a5-4752-8017-d629828195ca",
                     *         "sortedId": "01KJVXRS00VFHY2WG5P8B4CD2B",
                     *         "transactionType": "redemption",
                     *         "aborted": false,
                     *         "ref": "13b0ee5b-7494-4d6a-a212-8a89f2f23d19",
                     *         "refType": "order",
                     *         "debitAccount": "00000000-0000-4000-8000-000000000002",
                     *         "creditAccount": "1a28d4be-71b9-4a39-b8a6-7f2748f07653",
                     *         "amount": 5000,
                     *         "currency": "SEK",
                     *         "createdDate": "2026-03-04T08:00:00.000Z",
                     *         "modifiedDate": "2026-03-04T08:00:00.000Z",
                     *         "settlementDate": "2026-03-04T00:00:00.000Z"
                     *       },
                     *       {
                     *         "id": "e77212e1-1b3e-4fcc-b198-bdf5a7f946ec",
                     *         "sortedId": "01KJVZFPT06G9E228Z32M48BBM",
                     *         "transactionType": "fee",
                     *         "aborted": false,
                     *         "ref": "2026Q1",
                     *         "refType": "service_fee",
                     *         "debitAccount": "1a28d4be-71b9-4a39-b8a6-7f2748f07653",
                     *         "creditAccount": "00000000-0000-4000-8000-000000000003",
                     *         "amount": 0.04,
                     *         "currency": "SEK",
                     *         "createdDate": "2026-03-04T08:30:00.000Z",
                     *         "modifiedDate": "2026-03-04T08:30:00.000Z",
                     *         "settlementDate": "2026-03-04T00:00:00.000Z"
                     *       },
                     *       {
                     *         "id": "3c7690fc-fe87-4c0e-827b-361a6be6f21b",
                     *         "sortedId": "01KJVZFPT06G9E228Z32M48BBN",
                     *         "transactionType": "withdrawal",
                     *         "aborted": false,
                     *         "ref": "closing",
                     *         "refType": "text",
                     *         "debitAccount": "1a28d4be-71b9-4a39-b8a6-7f2748f07653",
                     *         "creditAccount": "00000000-0000-4000-8000-000000000001",
                     *         "amount": 5249.96,
                     *         "currency": "SEK",
                     *         "createdDate": "2026-03-04T08:30:00.000Z",
                     *         "modifiedDate": "2026-03-04T08:30:00.000Z",
                     *         "settlementDate": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["CashTransaction"][];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listFundTransactionsOfAccount: {
        parameters: {
            query?: {
                /** @description The `sortedId` to start from, inclusive. */
                start?: string;
                /** @description How many to list at most; all when left out. */
                limit?: number;
                /** @description Only what was modified at this moment or later. */
                modifiedFrom?: string;
                /** @description Created on this day or later, in Stockholm time. */
                dateFrom?: string;
                /** @description Created on this day or earlier. */
                dateTo?: string;
                /** @description Only with exactly this `ref`. */
                ref?: string;
                /** @description Only in this instrument. */
                instrument?: string;
                /** @description Only of this type. */
                transactionType?: "subscription" | "redemption";
                /** @description Only with this `refType`. */
                refType?: "text" | "correction" | "transfer" | "order" | "ca" | "internal" | "external" | "gift" | "compensations" | "inheritance" | "dividend" | "endowment_101";
            };
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the account. */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fund transactions, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "50feaed8-c1f2-4e85-be4e-b193e7e5cd39",
                     *         "sortedId": "01KM544900Z15ZSE2J7R3TQHZ1",
                     *         "transactionType": "subscription",
                     *         "aborted": false,
                     *         "ref": "781bcbe4-b097-4d39-9f88-261d2526e97d",
                     *         "refType": "transfer",
                     *         "account": "ffe31a06-5796-42e9-a6ad-1454641768f9",
                     *         "instrument": "SE0SBX000016SEK",
                     *         "identifier": "SE0SBX000016",
                     *         "units": 40,
                     *         "price": 132.0001,
                     *         "currency": "SEK",
                     *         "createdDate": "2026-03-20T08:00:00.000Z",
                     *         "modifiedDate": "2026-03-20T08:00:00.000Z",
                     *         "tradeDate": "2026-03-19T00:00:00.000Z",
                     *         "settlementDate": "2026-03-20T00:00:00.000Z"
                     *       },
                     *       {
                     *         "id": "7c087743-0f5e-437c-bf27-db3399ac4a15",
                     *         "sortedId": "01KM544900Z15ZSE2J7R3TQHZ2",
                     *         "transactionType": "subscription",
                     *         "aborted": false,
                     *         "ref": "781bcbe4-b097-4d39-9f88-261d2526e97d",
                     *         "refType": "transfer",
                     *         "account": "ffe31a06-5796-42e9-a6ad-1454641768f9",
                     *         "instrument": "SE0SBX000099SEK",
                     *         "identifier": "SE0SBX000099",
                     *         "units": 69.5804,
                     *         "price": 194.5468,
                     *         "currency": "SEK",
                     *         "createdDate": "2026-03-20T08:00:00.000Z",
                     *         "modifiedDate": "2026-03-20T08:00:00.000Z",
                     *         "tradeDate": "2026-03-18T00:00:00.000Z",
                     *         "settlementDate": "2026-03-20T00:00:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["FundTransaction"][];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTransfers: {
        parameters: {
            query?: {
                /** @description The `sortedId` to start from, inclusive. */
                start?: string;
                /** @description How many to list at most; all when left out. */
                limit?: number;
                /** @description Only what was modified at this moment or later. */
                modifiedFrom?: string;
            };
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the account. */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transfers to the account, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "ce932f8d-cb56-4459-9612-bd4af95d290d",
                     *         "sortedId": "01KJPNHFC0DNT9YSPAV3JJ14DC",
                     *         "account": "054f198d-90da-489a-8154-651392213d01",
                     *         "custodian": "skepparbanken",
                     *         "status": "new",
                     *         "createdDate": "2026-03-02T07:00:00.000Z",
                     *         "modifiedDate": "2026-03-02T07:00:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Transfer"][];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    valueAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the account. */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The total market value. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "value": 13345,
                     *       "currency": "SEK"
                     *     }
                     */
                    "application/json": components["schemas"]["AccountValue"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the account. */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "withdrawalType": "amount",
                 *       "amount": 100,
                 *       "bankAccount": "86e16bc5-6dab-4251-9c03-505aac273b95",
                 *       "executorRef": "194710112394"
                 *     }
                 */
                "application/json": components["schemas"]["WithdrawalRequest"];
            };
        };
        responses: {
            /** @description The payout, not settled yet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5a036611-0d87-4712-9043-dbea158a45c7",
                     *       "sortedId": "01KJPNHFC02Q1ZY34MJTZQJ4DK",
                     *       "transactionType": "withdrawal",
                     *       "aborted": false,
                     *       "ref": "withdrawal",
                     *       "refType": "text",
                     *       "executorRef": "194710112394",
                     *       "debitAccount": "e6241d33-8ee0-4994-a2b7-51ae4bf8b16e",
                     *       "creditAccount": "00000000-0000-4000-8000-000000000001",
                     *       "amount": 100,
                     *       "currency": "SEK",
                     *       "createdDate": "2026-03-02T07:00:00.000Z",
                     *       "modifiedDate": "2026-03-02T07:00:00.000Z",
                     *       "settlementDate": null
                     *     }
                     */
                    "application/json": components["schemas"]["CashTransaction"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readWithdrawalLimit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the account. */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The smallest and the largest amount; both are allowed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "min": 0,
                     *       "max": 0,
                     *       "currency": "SEK"
                     *     }
                     */
                    "application/json": components["schemas"]["WithdrawalLimit"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAllocationPlans: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The client's allocation plans, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "add2dfc1-b95a-4609-b774-2cc38aefe037",
                     *         "clientId": "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01",
                     *         "account": "9f9ffd2f-8bf8-4124-81b3-484285f08495",
                     *         "bankAccount": null,
                     *         "instruments": [
                     *           {
                     *             "instrument": "IE0SBX000074USD",
                     *             "allocation": 100
                     *           }
                     *         ],
                     *         "lastRun": null,
                     *         "createdDate": "2026-03-02T07:00:00.000Z",
                     *         "modifiedDate": "2026-03-02T07:00:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["AllocationPlan"][];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readAllocationPlanOfAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the account. */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The allocation plan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "1daee5aa-b411-4e4e-955b-02a6c8df7844",
                     *       "clientId": "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01",
                     *       "account": "c1df09cf-15a0-4662-801d-1412f8a7630b",
                     *       "bankAccount": null,
                     *       "instruments": [
                     *         {
                     *           "instrument": "SE0SBX000016SEK",
                     *           "allocation": 33.33
                     *         },
                     *         {
                     *           "instrument": "SE0SBX000024SEK",
                     *           "allocation": 33.33
                     *         },
                     *         {
                     *           "instrument": "LU0SBX000058EUR",
                     *           "allocation": 33.34
                     *         }
                     *       ],
                     *       "lastRun": {
                     *         "date": "2026-03-03",
                     *         "status": "done",
                     *         "reasons": []
                     *       },
                     *       "createdDate": "2026-03-02T07:00:00.000Z",
                     *       "modifiedDate": "2026-03-03T08:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AllocationPlan"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readAllocationPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the allocation plan. */
                allocationPlanId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The allocation plan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "add2dfc1-b95a-4609-b774-2cc38aefe037",
                     *       "clientId": "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01",
                     *       "account": "9f9ffd2f-8bf8-4124-81b3-484285f08495",
                     *       "bankAccount": null,
                     *       "instruments": [
                     *         {
                     *           "instrument": "IE0SBX000074USD",
                     *           "allocation": 100
                     *         }
                     *       ],
                     *       "lastRun": null,
                     *       "createdDate": "2026-03-02T07:00:00.000Z",
                     *       "modifiedDate": "2026-03-02T07:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AllocationPlan"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteAllocationPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the allocation plan. */
                allocationPlanId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted plan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "811673f2-ad3c-4eb1-9ac4-3c0bb7a70911",
                     *       "clientId": "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01",
                     *       "account": "92877930-a176-49a3-af90-3146b07103e2",
                     *       "bankAccount": null,
                     *       "instruments": [
                     *         {
                     *           "instrument": "SE0SBX000016SEK",
                     *           "allocation": 50
                     *         },
                     *         {
                     *           "instrument": "SE0SBX000024SEK",
                     *           "allocation": 50
                     *         }
                     *       ],
                     *       "lastRun": null,
                     *       "createdDate": "2026-03-02T07:00:00.000Z",
                     *       "modifiedDate": "2026-03-02T07:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AllocationPlan"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    patchAllocationPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the allocation plan. */
                allocationPlanId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "instruments": [
                 *         {
                 *           "instrument": "SE0SBX000016SEK",
                 *           "allocation": 50
                 *         },
                 *         {
                 *           "instrument": "SE0SBX000024SEK",
                 *           "allocation": 50
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["AllocationPlanPatch"];
            };
        };
        responses: {
            /** @description The changed plan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "811673f2-ad3c-4eb1-9ac4-3c0bb7a70911",
                     *       "clientId": "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01",
                     *       "account": "92877930-a176-49a3-af90-3146b07103e2",
                     *       "bankAccount": null,
                     *       "instruments": [
                     *         {
                     *           "instrument": "SE0SBX000016SEK",
                     *           "allocation": 50
                     *         },
                     *         {
                     *           "instrument": "SE0SBX000024SEK",
                     *           "allocation": 50
                     *         }
                     *       ],
                     *       "lastRun": null,
                     *       "createdDate": "2026-03-02T07:00:00.000Z",
                     *       "modifiedDate": "2026-03-02T07:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AllocationPlan"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCustodians: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The custodians that holdings can be transferred from. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "havsviksbanken",
                     *         "name": "Havsviksbanken"
                     *       },
                     *       {
                     *         "id": "gillesbanken",
                     *         "name": "Gillesbanken"
                     *       },
                     *       {
                     *         "id": "grastensbanken",
                     *         "name": "Gråstensbanken"
                     *       },
                     *       {
                     *         "id": "polstjarnan",
                     *         "name": "Polstjärnan Bank"
                     *       },
                     *       {
                     *         "id": "skepparbanken",
                     *         "name": "Skepparbanken"
                     *       },
                     *       {
                     *         "id": "vindrosen",
                     *         "name": "Vindrosen Fondkommission"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Custodian"][];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createInstruction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "autogiro",
                 *       "payments": [
                 *         {
                 *           "account": "4167c522-0424-4de3-aa64-a0e90f532648",
                 *           "amount": 500,
                 *           "clientRef": "first"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["InstructionRequest"];
            };
        };
        responses: {
            /** @description The instruction. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7487a40e-8539-4c16-abd6-64051ed57986",
                     *       "type": "autogiro",
                     *       "payments": [
                     *         {
                     *           "id": "1dc4adae-c037-4412-9d0b-22045818fc32",
                     *           "account": "4167c522-0424-4de3-aa64-a0e90f532648",
                     *           "amount": 500,
                     *           "clientRef": "first",
                     *           "status": "new",
                     *           "reasonCode": null,
                     *           "reason": null
                     *         }
                     *       ],
                     *       "bankTransferRef": null,
                     *       "status": "new"
                     *     }
                     */
                    "application/json": components["schemas"]["Instruction"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readInstruction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the instruction. */
                instructionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The instruction with its payments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "96362dc8-270a-4b16-ad81-c08870a7e10e",
                     *       "type": "autogiro",
                     *       "payments": [
                     *         {
                     *           "id": "91da3963-411f-4c9c-a263-2893ce6f834c",
                     *           "account": "255977e3-41b9-4046-b263-b8d8100cfa34",
                     *           "amount": 500,
                     *           "clientRef": "march",
                     *           "status": "completed",
                     *           "reasonCode": "02",
                     *           "reason": "the account is closed or not approved"
                     *         }
                     *       ],
                     *       "bankTransferRef": null,
                     *       "status": "completed"
                     *     }
                     */
                    "application/json": components["schemas"]["Instruction"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPayments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the instruction. */
                instructionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payments, in the order of the request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "e12067e2-4053-4d38-a60c-4891ca88830d",
                     *         "account": "b531b1a0-d91b-46a2-a816-e48d2825a091",
                     *         "amount": 500,
                     *         "clientRef": "of anna",
                     *         "status": "new",
                     *         "reasonCode": "9",
                     *         "reason": "not enough money so far, the charge is tried again"
                     *       },
                     *       {
                     *         "id": "f751139a-2f44-4864-a792-768e121b0023",
                     *         "account": "5d930b72-4c0e-4b36-8eab-bceccad24796",
                     *         "amount": 500,
                     *         "clientRef": "of bert",
                     *         "status": "completed",
                     *         "reasonCode": "01",
                     *         "reason": "there is no mandate"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Payment"][];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listInstrumentsOfClient: {
        parameters: {
            query?: {
                /** @description The id to start from, inclusive. */
                start?: string;
                /** @description How many to list at most; all when left out. */
                limit?: number;
                /** @description Only what was modified at this moment or later. */
                modifiedFrom?: string;
            };
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The client's universe, ordered by id. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "IE0SBX000074USD",
                     *         "isincode": "IE0SBX000074",
                     *         "name": "Norrlid US Growth",
                     *         "currency": "USD",
                     *         "closePrice": 64.12,
                     *         "priceDate": "2026-02-26T00:00:00.000Z",
                     *         "kiid": [
                     *           {
                     *             "language": "sv",
                     *             "url": "https://funds.example/IE0SBX000074/kiid.sv.pdf"
                     *           },
                     *           {
                     *             "language": "en",
                     *             "url": "https://funds.example/IE0SBX000074/kiid.en.pdf"
                     *           }
                     *         ],
                     *         "isBuyable": true,
                     *         "isSellable": true,
                     *         "isTradable": true,
                     *         "cost": {
                     *           "entryFee": 0,
                     *           "exitFee": 0,
                     *           "ongoingFee": 1.7,
                     *           "transactionFee": 0.05,
                     *           "performanceFee": 0
                     *         },
                     *         "rebate": 85,
                     *         "decimalsUnits": 3,
                     *         "minInvestmentAmountSEK": 500,
                     *         "isComplex": false,
                     *         "isRaif": false,
                     *         "cutOffTime": "15:00",
                     *         "subscriptionSettlementDays": 2,
                     *         "redemptionSettlementDays": 2,
                     *         "cutOffDateSub": "2026-03-02T14:00:00.000Z",
                     *         "cutOffDateRed": "2026-03-02T14:00:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Instrument"][];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPrices: {
        parameters: {
            query?: {
                /** @description First day; needs `end`. */
                start?: string;
                /** @description Last day, at most 365 days after `start`. */
                end?: string;
            };
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the instrument. */
                instrumentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The prices, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "priceDate": "2026-02-23",
                     *         "closePrice": 120.6268
                     *       },
                     *       {
                     *         "priceDate": "2026-02-24",
                     *         "closePrice": 122.646
                     *       },
                     *       {
                     *         "priceDate": "2026-02-25",
                     *         "closePrice": 124.2709
                     *       },
                     *       {
                     *         "priceDate": "2026-02-26",
                     *         "closePrice": 123.3089
                     *       },
                     *       {
                     *         "priceDate": "2026-02-27",
                     *         "closePrice": 123.45
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["HistoricalPrice"][];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createJourney: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "journey": {
                 *         "journeyType": "createAccount",
                 *         "accountTypes": [
                 *           "insurance"
                 *         ],
                 *         "accountServiceType": "executionOnly",
                 *         "accountCategories": [
                 *           "retail"
                 *         ],
                 *         "autogiro": {
                 *           "enforce": "required"
                 *         }
                 *       },
                 *       "callbackUrl": "http://127.0.0.1:9090/callback"
                 *     }
                 */
                "application/json": components["schemas"]["JourneyRequest"];
            };
        };
        responses: {
            /** @description The journey. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "49002e95-d2a1-4b85-9760-77dffc37dcfb",
                     *       "sortedId": "01KJPNHFC0SXWJ4RKK646DWWQG",
                     *       "type": "createAccount",
                     *       "status": "new",
                     *       "clientId": "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01",
                     *       "url": "http://127.0.0.1:8080/journey/Zt3Wb8nQxKc5VyRj7LdMf2HsPg9TaEu4XoCi6BkNwJmSvDqYrA",
                     *       "expiryDate": "2026-03-03T07:00:00.000Z",
                     *       "journey": {
                     *         "journeyType": "createAccount",
                     *         "accountTypes": [
                     *           "insurance"
                     *         ],
                     *         "accountServiceType": "executionOnly",
                     *         "accountCategories": [
                     *           "retail"
                     *         ],
                     *         "email": null,
                     *         "autogiro": {
                     *           "enforce": "required",
                     *           "forceNewBankAccount": false
                     *         },
                     *         "allocationPlan": null,
                     *         "savingsPlan": null,
                     *         "kycs": null,
                     *         "transfer": null
                     *       },
                     *       "submission": null,
                     *       "callbackUrl": "http://127.0.0.1:9090/callback",
                     *       "redirectUrl": null,
                     *       "completionRedirectUrl": null,
                     *       "errorCode": null,
                     *       "context": null,
                     *       "scope": null,
                     *       "result": null,
                     *       "deleted": false,
                     *       "createdDate": "2026-03-02T07:00:00.000Z",
                     *       "modifiedDate": "2026-03-02T07:00:00.000Z",
                     *       "deletedDate": null
                     *     }
                     */
                    "application/json": components["schemas"]["Journey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readJourney: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the journey. */
                journeyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The journey. A complete journey has its result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ec2b1144-c967-4883-9b90-661bb46552ec",
                     *       "sortedId": "01KJPNHFC0FE1AFKH652EM0Z8F",
                     *       "type": "addBankAccount",
                     *       "status": "complete",
                     *       "clientId": "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01",
                     *       "url": "http://127.0.0.1:8080/journey/Zt3Wb8nQxKc5VyRj7LdMf2HsPg9TaEu4XoCi6BkNwJmSvDqYrA",
                     *       "expiryDate": "2026-03-03T07:00:00.000Z",
                     *       "journey": {
                     *         "journeyType": "addBankAccount",
                     *         "account": "dd0877cd-ceb7-43e3-a2c4-53a501aa4e96",
                     *         "autogiro": {
                     *           "enforce": "required",
                     *           "forceNewBankAccount": false
                     *         }
                     *       },
                     *       "submission": null,
                     *       "callbackUrl": "http://127.0.0.1:9090/callback",
                     *       "redirectUrl": null,
                     *       "completionRedirectUrl": null,
                     *       "errorCode": null,
                     *       "context": null,
                     *       "scope": null,
                     *       "result": {
                     *         "journeyType": "addBankAccount",
                     *         "bankAccounts": [
                     *           {
                     *             "status": "active",
                     *             "iban": "SE8150000000050000000019"
                     *           }
                     *         ]
                     *       },
                     *       "deleted": false,
                     *       "createdDate": "2026-03-02T07:00:00.000Z",
                     *       "modifiedDate": "2026-03-02T07:00:30.000Z",
                     *       "deletedDate": null
                     *     }
                     */
                    "application/json": components["schemas"]["Journey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readKycStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the account. */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The KYC status. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "account": "f3b491a2-b12d-4120-b33d-165354a9b2b6",
                     *       "status": "valid",
                     *       "lastUpdatedDate": "2026-03-02T07:00:00.000Z",
                     *       "expiryDate": "2029-03-02T00:00:00.000Z",
                     *       "renewalRequired": false
                     *     }
                     */
                    "application/json": components["schemas"]["Kyc"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOrders: {
        parameters: {
            query?: {
                /** @description The `sortedId` to start from, inclusive. */
                start?: string;
                /** @description How many to list at most; all when left out. */
                limit?: number;
                /** @description Only what was modified at this moment or later. */
                modifiedFrom?: string;
                /** @description Only of this account. */
                account?: string;
                /** @description Only with this status. */
                status?: "received" | "pending" | "sent" | "settled" | "hold" | "canceled";
                /** @description Only of this type. */
                orderType?: "subscription" | "redemption";
                /** @description Only in this instrument. */
                instrument?: string;
                /** @description Only with exactly this reference. */
                clientRef?: string;
            };
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The orders, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "13b0ee5b-7494-4d6a-a212-8a89f2f23d19",
                     *         "sortedId": "01KJPNHFC0FHXZW0GZNTBP7BZY",
                     *         "orderType": "redemption",
                     *         "status": "received",
                     *         "account": "1a28d4be-71b9-4a39-b8a6-7f2748f07653",
                     *         "clientId": "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01",
                     *         "instrument": "SE0SBX000016SEK",
                     *         "units": 40,
                     *         "createdDate": "2026-03-02T07:00:00.000Z",
                     *         "modifiedDate": "2026-03-02T07:00:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Order"][];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createOrder: {
        parameters: {
            query?: {
                /** @description Only check the order; nothing is created. */
                "validate-only"?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "orderType": "subscription",
                 *       "account": "0f4933e4-358a-4b99-b39c-1681696fa3e3",
                 *       "instrument": "SE0SBX000016SEK",
                 *       "amount": 500
                 *     }
                 */
                "application/json": components["schemas"]["OrderRequest"];
            };
        };
        responses: {
            /** @description The order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "1fd26721-7785-4693-b507-7154ea42c430",
                     *       "sortedId": "01KJPNHFC01P3WRAY76MXSC6T2",
                     *       "orderType": "subscription",
                     *       "status": "received",
                     *       "account": "0f4933e4-358a-4b99-b39c-1681696fa3e3",
                     *       "clientId": "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01",
                     *       "instrument": "SE0SBX000016SEK",
                     *       "amount": 500,
                     *       "createdDate": "2026-03-02T07:00:00.000Z",
                     *       "modifiedDate": "2026-03-02T07:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
                };
            };
            /** @description The order would be accepted; answered when `validate-only` is true. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createRedemptionTransfer: {
        parameters: {
            query?: {
                /** @description Only check the order; nothing is created. */
                "validate-only"?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "orderType": "redemption",
                 *       "account": "2156624f-6d42-4b9e-bae7-cb9e2a36ee4c",
                 *       "instrument": "SE0SBX000016SEK",
                 *       "units": 20,
                 *       "destinationAccount": "fd26c46a-32bb-4122-8fe8-4d428c556fef",
                 *       "executorRef": "199001012385"
                 *     }
                 */
                "application/json": components["schemas"]["RedemptionTransferRequest"];
            };
        };
        responses: {
            /** @description The order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ce3efdd7-7c14-442e-a1bd-141de29d5cb3",
                     *       "sortedId": "01KJPNHFC09YJ3DNP0Y2Y9ZCSM",
                     *       "orderType": "redemption",
                     *       "status": "received",
                     *       "account": "2156624f-6d42-4b9e-bae7-cb9e2a36ee4c",
                     *       "clientId": "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01",
                     *       "executorRef": "199001012385",
                     *       "instrument": "SE0SBX000016SEK",
                     *       "units": 20,
                     *       "createdDate": "2026-03-02T07:00:00.000Z",
                     *       "modifiedDate": "2026-03-02T07:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
                };
            };
            /** @description The order would be accepted; answered when `validate-only` is true. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createOrderWithdrawal: {
        parameters: {
            query?: {
                /** @description Only check the order; nothing is created. */
                "validate-only"?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "orderType": "redemption",
                 *       "account": "57695e28-7fc9-4062-b64e-a06ef8f77312",
                 *       "instrument": "SE0SBX000016SEK",
                 *       "units": 40,
                 *       "bankAccount": "dcd4ce6f-40db-4040-b160-45c3c01a04e0",
                 *       "executorRef": "196608229818"
                 *     }
                 */
                "application/json": components["schemas"]["OrderWithdrawalRequest"];
            };
        };
        responses: {
            /** @description The order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ce92d347-8173-4737-89bf-53d37491b8e5",
                     *       "sortedId": "01KJPNHFC0HAQCGSW89ZYC4BZ9",
                     *       "orderType": "redemption",
                     *       "status": "received",
                     *       "account": "57695e28-7fc9-4062-b64e-a06ef8f77312",
                     *       "clientId": "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01",
                     *       "executorRef": "196608229818",
                     *       "instrument": "SE0SBX000016SEK",
                     *       "units": 40,
                     *       "createdDate": "2026-03-02T07:00:00.000Z",
                     *       "modifiedDate": "2026-03-02T07:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
                };
            };
            /** @description The order would be accepted; answered when `validate-only` is true. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the order. */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "1fd26721-7785-4693-b507-7154ea42c430",
                     *       "sortedId": "01KJPNHFC01P3WRAY76MXSC6T2",
                     *       "orderType": "subscription",
                     *       "status": "settled",
                     *       "account": "0f4933e4-358a-4b99-b39c-1681696fa3e3",
                     *       "clientId": "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01",
                     *       "instrument": "SE0SBX000016SEK",
                     *       "amount": 500,
                     *       "units": 4.089,
                     *       "createdDate": "2026-03-02T07:00:00.000Z",
                     *       "modifiedDate": "2026-03-04T08:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the order. */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The canceled order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "c85d62da-1381-4af1-adb6-fd0d325e12b4",
                     *       "sortedId": "01KJPNHFC009T1YJRJ2SNESC9R",
                     *       "orderType": "subscription",
                     *       "status": "canceled",
                     *       "account": "002825c6-ec79-4b6d-b65b-50ee3582d9d7",
                     *       "clientId": "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01",
                     *       "instrument": "SE0SBX000016SEK",
                     *       "amount": 1000,
                     *       "createdDate": "2026-03-02T07:00:00.000Z",
                     *       "modifiedDate": "2026-03-02T12:59:59.000Z",
                     *       "canceledDate": "2026-03-02T12:59:59.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readPerformanceOfOwner: {
        parameters: {
            query?: {
                /** @description The owner, a natural person; or `crn`. */
                ssn?: string;
                /** @description The owner, an organisation; or `ssn`. */
                crn?: string;
                /** @description First day; needs `end`. */
                start?: string;
                /** @description Last day; days that are not over are left out. */
                end?: string;
            };
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One entry a calendar day, up to yesterday. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "date": "2026-03-02",
                     *         "dayReturn": 0,
                     *         "dayResult": 0,
                     *         "cumulativeReturn": 0
                     *       },
                     *       {
                     *         "date": "2026-03-03",
                     *         "dayReturn": 0.1,
                     *         "dayResult": 2000,
                     *         "cumulativeReturn": 0.1
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["PerformanceEntry"][];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    subscribe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection is a WebSocket from here on. */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The request is not a WebSocket handshake. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCashTransactions: {
        parameters: {
            query?: {
                /** @description The `sortedId` to start from, inclusive. */
                start?: string;
                /** @description How many to list at most; all when left out. */
                limit?: number;
                /** @description Only what was modified at this moment or later. */
                modifiedFrom?: string;
                /** @description Only of this account. */
                account?: string;
                /** @description Created on this day or later, in Stockholm time. */
                dateFrom?: string;
                /** @description Created on this day or earlier. */
                dateTo?: string;
                /** @description Only with exactly this `ref`. */
                ref?: string;
                /** @description Only in this instrument. */
                instrument?: string;
                /** @description Only of this type. */
                transactionType?: "deposit" | "withdrawal" | "subscription" | "redemption" | "transfer_in" | "transfer_out" | "fee" | "retrocession" | "fxFee" | "settlement";
                /** @description Only with this `refType`. */
                refType?: "client_fee" | "correction" | "gift" | "compensations" | "inheritance" | "dividend" | "donation" | "endowment_101" | "partner_fee" | "service_fee" | "insurance_tax" | "insurance_fee" | "riskpremia_fee" | "transfer" | "text" | "order" | "payment" | "ca" | "internal" | "external";
            };
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cash transactions, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "b1583f8d-e117-43ce-a824-9333d4debc88",
                     *         "sortedId": "01KJPNHFC07XC1BDQBS03N0ETF",
                     *         "transactionType": "withdrawal",
                     *         "aborted": false,
                     *         "ref": "closing",
                     *         "refType": "text",
                     *         "debitAccount": "0149ebba-8e61-447d-b3d7-5a3d68a98988",
                     *         "creditAccount": "00000000-0000-4000-8000-000000000001",
                     *         "amount": 900,
                     *         "currency": "SEK",
                     *         "createdDate": "2026-03-02T07:00:00.000Z",
                     *         "modifiedDate": "2026-03-03T08:00:00.000Z",
                     *         "settlementDate": "2026-03-03T00:00:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["CashTransaction"][];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readCashTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the transaction. */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cash transaction. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "2787a856-9b53-40a6-a53e-78e8488288f6",
                     *       "sortedId": "01KJPNHFC04S9E5JNPQYP3YB52",
                     *       "transactionType": "withdrawal",
                     *       "aborted": false,
                     *       "ref": "withdrawal",
                     *       "refType": "text",
                     *       "clientRef": "rent",
                     *       "executorRef": "198206272398",
                     *       "debitAccount": "d0e63513-4182-4f49-86ce-9769da3927ae",
                     *       "creditAccount": "00000000-0000-4000-8000-000000000001",
                     *       "amount": 400.5,
                     *       "currency": "SEK",
                     *       "createdDate": "2026-03-02T07:00:00.000Z",
                     *       "modifiedDate": "2026-03-03T08:00:00.000Z",
                     *       "settlementDate": "2026-03-03T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CashTransaction"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listFundTransactions: {
        parameters: {
            query?: {
                /** @description The `sortedId` to start from, inclusive. */
                start?: string;
                /** @description How many to list at most; all when left out. */
                limit?: number;
                /** @description Only what was modified at this moment or later. */
                modifiedFrom?: string;
                /** @description Only of this account. */
                account?: string;
                /** @description Created on this day or later, in Stockholm time. */
                dateFrom?: string;
                /** @description Created on this day or earlier. */
                dateTo?: string;
                /** @description Only with exactly this `ref`. */
                ref?: string;
                /** @description Only in this instrument. */
                instrument?: string;
                /** @description Only of this type. */
                transactionType?: "subscription" | "redemption";
                /** @description Only with this `refType`. */
                refType?: "text" | "correction" | "transfer" | "order" | "ca" | "internal" | "external" | "gift" | "compensations" | "inheritance" | "dividend" | "endowment_101";
            };
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fund transactions, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "a90f2173-2966-4c06-a195-b3e78f2fa0cf",
                     *         "sortedId": "01KNNY82C0ZDNQ5J1TPVJGB9Q1",
                     *         "transactionType": "subscription",
                     *         "aborted": false,
                     *         "ref": "c6259936-23d2-4b87-b3a7-8b34b5e70277",
                     *         "refType": "order",
                     *         "account": "ce395f21-ae45-445d-9e3a-3abcd1a6ddf5",
                     *         "instrument": "SE0SBX000016SEK",
                     *         "identifier": "SE0SBX000016",
                     *         "units": 8.0878,
                     *         "price": 123.6425,
                     *         "currency": "SEK",
                     *         "createdDate": "2026-04-08T07:00:00.000Z",
                     *         "modifiedDate": "2026-04-08T07:00:00.000Z",
                     *         "tradeDate": "2026-04-02T00:00:00.000Z",
                     *         "settlementDate": "2026-04-08T00:00:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["FundTransaction"][];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readFundTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
                /** @description Id of the transaction. */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fund transaction. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "53af8c8e-8278-404e-b554-f0a90e9977d0",
                     *       "sortedId": "01KJPNHFC0FSMH8XRPDTVAHS0A",
                     *       "transactionType": "subscription",
                     *       "aborted": false,
                     *       "ref": "opening",
                     *       "refType": "text",
                     *       "account": "c9a4f208-c3b7-4440-86b0-439e0bf545bd",
                     *       "instrument": "SE0SBX000016SEK",
                     *       "identifier": "SE0SBX000016",
                     *       "units": 10,
                     *       "price": 123.45,
                     *       "currency": "SEK",
                     *       "createdDate": "2026-03-02T07:00:00.000Z",
                     *       "modifiedDate": "2026-03-02T07:00:00.000Z",
                     *       "tradeDate": "2026-02-27T00:00:00.000Z",
                     *       "settlementDate": "2026-03-02T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["FundTransaction"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readMobilePayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the mobile payment. */
                mobilepayId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dfcf2377-ee35-499c-b7d5-487e02ffde07",
                     *       "paymentId": "DBE0333555EC73B1F694DC9E53E45F35",
                     *       "type": "same_device",
                     *       "account": "5c2582de-9f2d-43c8-a71d-b096b7890eab",
                     *       "amount": 100.02,
                     *       "status": "pending",
                     *       "errorCode": "RF07",
                     *       "createdDate": "2026-03-02T07:00:00.000Z",
                     *       "modifiedDate": "2026-03-02T07:00:04.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["MobilePayment"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listInstruments: {
        parameters: {
            query?: {
                /** @description The id to start from, inclusive. */
                start?: string;
                /** @description How many to list at most; all when left out. */
                limit?: number;
                /** @description Only what was modified at this moment or later. */
                modifiedFrom?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All instruments on the platform, ordered by id. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "IE0SBX000074USD",
                     *         "isincode": "IE0SBX000074",
                     *         "name": "Norrlid US Growth",
                     *         "currency": "USD",
                     *         "closePrice": 64.12,
                     *         "priceDate": "2026-02-26T00:00:00.000Z",
                     *         "kiid": [
                     *           {
                     *             "language": "sv",
                     *             "url": "https://funds.example/IE0SBX000074/kiid.sv.pdf"
                     *           },
                     *           {
                     *             "language": "en",
                     *             "url": "https://funds.example/IE0SBX000074/kiid.en.pdf"
                     *           }
                     *         ],
                     *         "isBuyable": true,
                     *         "isSellable": true,
                     *         "isTradable": true,
                     *         "cost": {
                     *           "entryFee": 0,
                     *           "exitFee": 0,
                     *           "ongoingFee": 1.7,
                     *           "transactionFee": 0.05,
                     *           "performanceFee": 0
                     *         },
                     *         "rebate": 85,
                     *         "decimalsUnits": 3,
                     *         "minInvestmentAmountSEK": 500,
                     *         "isComplex": false,
                     *         "isRaif": false,
                     *         "cutOffTime": "15:00",
                     *         "subscriptionSettlementDays": 2,
                     *         "redemptionSettlementDays": 2,
                     *         "cutOffDateSub": "2026-03-02T14:00:00.000Z",
                     *         "cutOffDateRed": "2026-03-02T14:00:00.000Z"
                     *       },
                     *       {
                     *         "id": "IE0SBX000215EUR",
                     *         "isincode": "IE0SBX000215",
                     *         "name": "Norrlid World Screened",
                     *         "currency": "EUR",
                     *         "closePrice": 21.4503,
                     *         "priceDate": "2026-02-26T00:00:00.000Z",
                     *         "kiid": [
                     *           {
                     *             "language": "sv",
                     *             "url": "https://funds.example/IE0SBX000215/kiid.sv.pdf"
                     *           },
                     *           {
                     *             "language": "en",
                     *             "url": "https://funds.example/IE0SBX000215/kiid.en.pdf"
                     *           }
                     *         ],
                     *         "isBuyable": true,
                     *         "isSellable": true,
                     *         "isTradable": true,
                     *         "cost": {
                     *           "entryFee": 0,
                     *           "exitFee": 0,
                     *           "ongoingFee": 0.65,
                     *           "transactionFee": 0.05,
                     *           "performanceFee": 0
                     *         },
                     *         "rebate": 20,
                     *         "decimalsUnits": 5,
                     *         "minInvestmentAmountSEK": 500,
                     *         "isComplex": false,
                     *         "isRaif": false,
                     *         "cutOffTime": "14:30",
                     *         "subscriptionSettlementDays": 2,
                     *         "redemptionSettlementDays": 2,
                     *         "cutOffDateSub": "2026-03-02T13:30:00.000Z",
                     *         "cutOffDateRed": "2026-03-02T13:30:00.000Z"
                     *       },
                     *       {
                     *         "id": "IE0SBX000264USD",
                     *         "isincode": "IE0SBX000264",
                     *         "name": "Norrlid Biotech",
                     *         "currency": "USD",
                     *         "closePrice": 143.882,
                     *         "priceDate": "2026-02-26T00:00:00.000Z",
                     *         "kiid": [
                     *           {
                     *             "language": "sv",
                     *             "url": "https://funds.example/IE0SBX000264/kiid.sv.pdf"
                     *           },
                     *           {
                     *             "language": "en",
                     *             "url": "https://funds.example/IE0SBX000264/kiid.en.pdf"
                     *           }
                     *         ],
                     *         "isBuyable": true,
                     *         "isSellable": true,
                     *         "isTradable": true,
                     *         "cost": {
                     *           "entryFee": 0,
                     *           "exitFee": 0,
                     *           "ongoingFee": 1.8,
                     *           "transactionFee": 0.05,
                     *           "performanceFee": 0.6
                     *         },
                     *         "rebate": 92,
                     *         "decimalsUnits": 4,
                     *         "minInvestmentAmountSEK": 500,
                     *         "isComplex": true,
                     *         "isRaif": false,
                     *         "cutOffTime": "15:00",
                     *         "subscriptionSettlementDays": 2,
                     *         "redemptionSettlementDays": 2,
                     *         "cutOffDateSub": "2026-03-02T14:00:00.000Z",
                     *         "cutOffDateRed": "2026-03-02T14:00:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Instrument"][];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readInstrument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the instrument. */
                instrumentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The instrument. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "SE0SBX000016SEK",
                     *       "isincode": "SE0SBX000016",
                     *       "name": "Tallhed Sverige Index",
                     *       "currency": "SEK",
                     *       "closePrice": 128.799,
                     *       "priceDate": "2027-01-04T00:00:00.000Z",
                     *       "kiid": [
                     *         {
                     *           "language": "sv",
                     *           "url": "https://funds.example/SE0SBX000016/kiid.sv.pdf"
                     *         }
                     *       ],
                     *       "isBuyable": true,
                     *       "isSellable": true,
                     *       "isTradable": true,
                     *       "cost": {
                     *         "entryFee": 0,
                     *         "exitFee": 0,
                     *         "ongoingFee": 0.2,
                     *         "transactionFee": 0.05,
                     *         "performanceFee": 0
                     *       },
                     *       "rebate": 0,
                     *       "decimalsUnits": 4,
                     *       "minInvestmentAmountSEK": 100,
                     *       "isComplex": false,
                     *       "isRaif": false,
                     *       "cutOffTime": "14:00",
                     *       "subscriptionSettlementDays": 2,
                     *       "redemptionSettlementDays": 2,
                     *       "cutOffDateSub": "2027-01-07T13:00:00.000Z",
                     *       "cutOffDateRed": "2027-01-07T13:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Instrument"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["Misdirected"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
