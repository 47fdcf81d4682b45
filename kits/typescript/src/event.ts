// Made from `/asyncapi.json` of a running server by `tools/types.mjs`. Do not edit.
export type paths = Record<string, never>;
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
        /**
         * @description Account number, usable as OCR reference of a bankgiro payment.
         * @example 160367146695159
         */
        AccountRef: string;
        /** @enum {string} */
        AccountStatus: "pending" | "active" | "rejected" | "confirm" | "closing";
        /** @enum {string} */
        AccountType: "isk" | "depot" | "insurance";
        /** @description Configuration of a `addBankAccount` journey. */
        AddBankAccountConfiguration: {
            /**
             * @description What kind of journey it is.
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
        /** @description Postal address of an organisation. */
        Address: {
            streetAddress: string;
            zipCode: string;
            city: string;
            country: string;
        };
        /** @description Lifetime sums of an account. */
        Amounts: {
            /** @description Settled deposits and transfers in. */
            deposited: components["schemas"]["Money"];
            /** @description Withdrawals and transfers out that are not aborted. */
            withdrawn: components["schemas"]["Money"];
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
        /**
         * Format: date
         * @description A calendar day.
         * @example 2026-03-02
         */
        CalendarDate: string;
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
        /** @description A service that the client offers. */
        ClientServiceType: {
            accountServiceType: components["schemas"]["ServiceType"];
            /** @description Activation code of six digits, assigned by the platform. */
            code: string;
        };
        /** @description Contact person of an organisation. */
        ContactPerson: {
            name: string;
            phone: string;
            email: string;
        };
        /** @description Configuration of a `createAccount` journey. */
        CreateAccountConfiguration: {
            /**
             * @description What kind of journey it is.
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
             * @description What kind of journey it is.
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
        /**
         * Format: date-time
         * @description A calendar day, written as its midnight UTC.
         * @example 2026-03-04T00:00:00.000Z
         */
        Day: string;
        /** @enum {string} */
        DepositType: "autogiro" | "manual";
        /** @enum {string} */
        ErrorCode: "USER_ERROR" | "AUTH_ERROR" | "KYC_ERROR" | "TRANSFER_ERROR" | "SIGN_ERROR" | "OTHER_ERROR";
        /** @enum {string} */
        FeeType: "client_fee" | "partner_fee" | "service_fee";
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
        /**
         * @description An ISIN followed by a currency code.
         * @example SE0SBX000016SEK
         */
        InstrumentId: string;
        /** @description Funds whose terms have changed, to be read again. */
        InstrumentsReloaded: {
            instruments: components["schemas"]["InstrumentId"][];
            reloadedDate: components["schemas"]["Timestamp"];
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
        /** @description Bank account to charge. */
        JourneyPaymentAccount: {
            /** @description Its IBAN. */
            iban: components["schemas"]["Iban"];
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
        /** @description Configuration of a `kycRenewal` journey. */
        KycRenewalConfiguration: {
            /**
             * @description What kind of journey it is.
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
        /** @description An organisation that owns an account. */
        LegalEntity: {
            /** @enum {string} */
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
        /** @enum {string} */
        MandateStatus: "missing" | "invalid" | "pending" | "active";
        /**
         * @description An amount of money with two decimals.
         * @example 10000
         */
        Money: number;
        /** @description A person who owns an account. */
        NaturalPerson: {
            /** @enum {string} */
            ownerType: "natural_person";
            firstName: string;
            lastName: string;
            fullName: string;
            ssn: components["schemas"]["Ssn"];
        };
        /**
         * @description A decimal number, without exponent.
         * @example 81.0044
         */
        Number: number;
        /** @description A fund order. */
        Order: components["schemas"]["SubscriptionOrder"] | components["schemas"]["RedemptionOrder"];
        /**
         * @description Status of an order. `confirmed` appears only if the world's `exposeConfirmed` is on.
         * @enum {string}
         */
        OrderStatus: "received" | "pending" | "sent" | "confirmed" | "settled" | "hold" | "canceled";
        /** @enum {string} */
        Output: "cash" | "units" | "ignore";
        /** @description Who owns the account. */
        Owner: components["schemas"]["NaturalPerson"] | components["schemas"]["LegalEntity"];
        /** @enum {string} */
        OwnerType: "natural_person" | "legal_entity";
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
        /** @description An order that sells units. */
        RedemptionOrder: {
            id: components["schemas"]["Id"];
            sortedId: components["schemas"]["SortedId"];
            /** @enum {string} */
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
        /** @enum {string} */
        ServiceType: "portfolioManagement" | "investmentAdvise" | "executionOnly";
        /** @description Configuration of a `signSubmission` journey. */
        SignSubmissionConfiguration: {
            /**
             * @description What kind of journey it is.
             * @enum {string}
             */
            journeyType: "signSubmission";
            /** @description Who signs. */
            ssn: components["schemas"]["Ssn"];
            /** @description The submission that is signed, or that made the account. */
            submission: components["schemas"]["Id"];
        };
        /** @description Configuration of a `signWithdrawal` journey. */
        SignWithdrawalConfiguration: {
            /**
             * @description What kind of journey it is.
             * @enum {string}
             */
            journeyType: "signWithdrawal";
            /** @description Who signs. */
            ssn?: components["schemas"]["Ssn"] | null;
            /** @description The account that the journey is about. */
            account: components["schemas"]["Id"];
        };
        /** @description A signatory of an organisation. */
        Signatory: {
            name: string;
            ssn: components["schemas"]["Ssn"];
            email: string | null;
        };
        /**
         * @description Position in listings: a ULID, increasing with creation.
         * @example 01KJNV6G00SANDB0X000000000
         */
        SortedId: string;
        /**
         * @description A personal or coordination number of twelve digits.
         * @example 199001012385
         */
        Ssn: string;
        /** @description An order that buys for an amount. */
        SubscriptionOrder: {
            id: components["schemas"]["Id"];
            sortedId: components["schemas"]["SortedId"];
            /** @enum {string} */
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
        /**
         * Format: date-time
         * @description A moment in UTC with milliseconds.
         * @example 2026-03-02T13:00:00.000Z
         */
        Timestamp: string;
        /** @enum {string} */
        TransferEnforce: "required" | "optional";
        /** @description Configuration of a `updateAllocationPlan` journey. */
        UpdateAllocationPlanConfiguration: {
            /**
             * @description What kind of journey it is.
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
             * @description What kind of journey it is.
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
        /** @enum {string} */
        WelcomeScreen: "transfer";
        "event:account.create": {
            /** @constant */
            eventType: "account.create";
            /**
             * Format: uuid
             * @description Deduplicate on it.
             */
            eventId: string;
            payload: {
                current: components["schemas"]["Account"];
            };
        };
        "event:account.update": {
            /** @constant */
            eventType: "account.update";
            /**
             * Format: uuid
             * @description Deduplicate on it.
             */
            eventId: string;
            payload: {
                current: components["schemas"]["Account"];
                previous: components["schemas"]["Account"];
            };
        };
        "event:account.delete": {
            /** @constant */
            eventType: "account.delete";
            /**
             * Format: uuid
             * @description Deduplicate on it.
             */
            eventId: string;
            payload: {
                previous: components["schemas"]["Account"];
            };
        };
        "event:client.update": {
            /** @constant */
            eventType: "client.update";
            /**
             * Format: uuid
             * @description Deduplicate on it.
             */
            eventId: string;
            payload: {
                current: components["schemas"]["Client"];
                previous: components["schemas"]["Client"];
            };
        };
        "event:client.delete": {
            /** @constant */
            eventType: "client.delete";
            /**
             * Format: uuid
             * @description Deduplicate on it.
             */
            eventId: string;
            payload: {
                previous: components["schemas"]["Client"];
            };
        };
        "event:cashTransaction.create": {
            /** @constant */
            eventType: "cashTransaction.create";
            /**
             * Format: uuid
             * @description Deduplicate on it.
             */
            eventId: string;
            payload: {
                current: components["schemas"]["CashTransaction"];
            };
        };
        "event:cashTransaction.update": {
            /** @constant */
            eventType: "cashTransaction.update";
            /**
             * Format: uuid
             * @description Deduplicate on it.
             */
            eventId: string;
            payload: {
                current: components["schemas"]["CashTransaction"];
                previous: components["schemas"]["CashTransaction"];
            };
        };
        "event:cashTransaction.delete": {
            /** @constant */
            eventType: "cashTransaction.delete";
            /**
             * Format: uuid
             * @description Deduplicate on it.
             */
            eventId: string;
            payload: {
                previous: components["schemas"]["CashTransaction"];
            };
        };
        "event:fundTransaction.create": {
            /** @constant */
            eventType: "fundTransaction.create";
            /**
             * Format: uuid
             * @description Deduplicate on it.
             */
            eventId: string;
            payload: {
                current: components["schemas"]["FundTransaction"];
            };
        };
        "event:fundTransaction.update": {
            /** @constant */
            eventType: "fundTransaction.update";
            /**
             * Format: uuid
             * @description Deduplicate on it.
             */
            eventId: string;
            payload: {
                current: components["schemas"]["FundTransaction"];
                previous: components["schemas"]["FundTransaction"];
            };
        };
        "event:fundTransaction.delete": {
            /** @constant */
            eventType: "fundTransaction.delete";
            /**
             * Format: uuid
             * @description Deduplicate on it.
             */
            eventId: string;
            payload: {
                previous: components["schemas"]["FundTransaction"];
            };
        };
        "event:order.create": {
            /** @constant */
            eventType: "order.create";
            /**
             * Format: uuid
             * @description Deduplicate on it.
             */
            eventId: string;
            payload: {
                current: components["schemas"]["Order"];
            };
        };
        "event:order.update": {
            /** @constant */
            eventType: "order.update";
            /**
             * Format: uuid
             * @description Deduplicate on it.
             */
            eventId: string;
            payload: {
                current: components["schemas"]["Order"];
                previous: components["schemas"]["Order"];
            };
        };
        "event:order.delete": {
            /** @constant */
            eventType: "order.delete";
            /**
             * Format: uuid
             * @description Deduplicate on it.
             */
            eventId: string;
            payload: {
                previous: components["schemas"]["Order"];
            };
        };
        "event:instrument.reloaded": {
            /** @constant */
            eventType: "instrument.reloaded";
            /**
             * Format: uuid
             * @description Deduplicate on it.
             */
            eventId: string;
            payload: {
                current: components["schemas"]["InstrumentsReloaded"];
            };
        };
        "event:journey.update": {
            /** @constant */
            eventType: "journey.update";
            /**
             * Format: uuid
             * @description Deduplicate on it.
             */
            eventId: string;
            payload: {
                current: components["schemas"]["Journey"];
                previous: components["schemas"]["Journey"];
            };
        };
        "event:journey.delete": {
            /** @constant */
            eventType: "journey.delete";
            /**
             * Format: uuid
             * @description Deduplicate on it.
             */
            eventId: string;
            payload: {
                previous: components["schemas"]["Journey"];
            };
        };
        "event:hello": {
            /** @constant */
            eventType: "hello";
            /** Format: uuid */
            instanceId: string;
        };
        "event:heartbeat": {
            /** @constant */
            eventType: "heartbeat";
        };
        "event:server_closing": {
            /** @constant */
            eventType: "server_closing";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;

/** Everything that the event socket sends. */
export type SocketMessage = components["schemas"]["event:account.create"] | components["schemas"]["event:account.update"] | components["schemas"]["event:account.delete"] | components["schemas"]["event:client.update"] | components["schemas"]["event:client.delete"] | components["schemas"]["event:cashTransaction.create"] | components["schemas"]["event:cashTransaction.update"] | components["schemas"]["event:cashTransaction.delete"] | components["schemas"]["event:fundTransaction.create"] | components["schemas"]["event:fundTransaction.update"] | components["schemas"]["event:fundTransaction.delete"] | components["schemas"]["event:order.create"] | components["schemas"]["event:order.update"] | components["schemas"]["event:order.delete"] | components["schemas"]["event:instrument.reloaded"] | components["schemas"]["event:journey.update"] | components["schemas"]["event:journey.delete"] | components["schemas"]["event:hello"] | components["schemas"]["event:heartbeat"] | components["schemas"]["event:server_closing"];

/** What the event socket sends about a resource. */
export type ResourceEvent = Extract<SocketMessage, { payload: unknown }>;
