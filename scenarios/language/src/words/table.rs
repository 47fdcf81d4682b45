//! The rows: every word that begins a step.
//!
//! Owns: for a request its method, path and fields; for the others what may follow them. Invariant: an example reads, and
//! writes back to an equal step. Absent on purpose: code; a row that needs some adds a kind of field.

use super::{Field, Others, Sends, Takes, Usual, Word, WordFieldType, fixed, optional, required};
use hosting::faults::bundles::BUNDLES;
use sim::records::{
    AccountType, Category, ErrorCode, FIELDS, JourneyStep, JourneyType, MobilePaymentError, MobilePaymentRefusal,
    ServiceType,
};

const ACCOUNT: Field = required("account", WordFieldType::Reference, "the account");
const INSTRUMENT: Field = required("instrument", WordFieldType::Reference, "the fund");
const ORDER: Field = required("order", WordFieldType::Reference, "the order");
const JOURNEY: Field = required("journey", WordFieldType::Reference, "the journey");
const BANK: Field = required("bank account", WordFieldType::Reference, "the bank account");
const TRANSFER: Field = required("transfer", WordFieldType::Reference, "the transfer");
const MOBILE_PAYMENT: Field = required("payment", WordFieldType::Reference, "the mobile payment");
const WEBHOOK: Field = required("webhook", WordFieldType::Reference, "the webhook");
const TRANSACTION: Field = required("transaction", WordFieldType::Reference, "the transaction");
const PAYMENT: Field = required("payment", WordFieldType::Reference, "the payment");
const ITEM: Field = required("item", WordFieldType::Reference, "the money in suspense");
const UNITS: Field = required("units", WordFieldType::Units, "how many are sold; `everything` is the whole position");
const REDEMPTION: Field = fixed("orderType", "redemption");
const CLIENT_REF: Field = optional("clientRef", WordFieldType::Text, "the partner's own reference");
const EXECUTOR: Field = optional("executorRef", WordFieldType::Text, "who gives the order");
const AT: Field =
    optional("at", WordFieldType::OneOf(steps), "the step; by default the present one").sent_as("context");

const IDENTITY: &[Field] = &[
    optional("person", WordFieldType::Text, "the personal number; as the page has chosen unless given"),
    optional("outcome", WordFieldType::OneOf(|| vec!["done", "abort", "fail", "refuse"]), "how it ends"),
    optional("device", WordFieldType::OneOf(|| vec!["same", "other"]), "where the identity is"),
    optional("firstName", WordFieldType::Text, "the person's first name"),
    optional("lastName", WordFieldType::Text, "the person's last name"),
];

/// What may be written beside an expectation that finds something.
const FOUND: &[&str] = &["as", "save", "soft"];

const CLOSED: &[Field] = &[
    optional("socket", WordFieldType::Text, "which one; the first unless given"),
    optional("code", WordFieldType::Count, "the close code"),
];

/// Fields of a bank account that comes with an account.
pub const BANK_ACCOUNT: &[Field] = &[
    required("iban", WordFieldType::Text, "ISO 13616"),
    optional("validated", WordFieldType::Flag, "whether the account check has passed; by default yes"),
    optional("mandateStatus", WordFieldType::Text, "the autogiro mandate"),
];

/// Every word that begins a step.
#[rustfmt::skip]
pub const STEPS: &[Word] = &[
    post("open account", "/simulations/account", "opens an account without a journey",
        "open account: { as: anna, type: isk, cash: 10000 }", &[
            optional("clientId", WordFieldType::Text, "the client").usually(Usual::Client),
            optional("type", WordFieldType::OneOf(account_types), "its type").sent_as("accountType").usually(Usual::Text("isk")),
            optional("cash", WordFieldType::Number, "opening cash"),
            optional("positions", WordFieldType::Positions, "opening positions"),
            optional("bank accounts", WordFieldType::BankAccounts, "bank accounts of the owner").or_written("bank account").sent_as("bankAccounts"),
            optional("owner", WordFieldType::Map, "a person or an organisation, as the API shows it"),
            optional("name", WordFieldType::Text, "its name"),
            optional("serviceType", WordFieldType::OneOf(service_types), "the investment service"),
            optional("category", WordFieldType::OneOf(categories), "the owner's category"),
            optional("fundKnowledge", WordFieldType::Flag, "whether the owner has shown knowledge of funds"),
        ]).makes().or("account"),
    post("subscribe", "/order", "the partner orders units for an amount",
        "subscribe: { as: order, account: anna, instrument: SE0SBX000016SEK, amount: 10000 }", &[
            fixed("orderType", "subscription"), ACCOUNT, INSTRUMENT, required("amount", WordFieldType::Number, "in the fund's currency"),
            CLIENT_REF, EXECUTOR,
        ]).makes(),
    post("redeem", "/order", "the partner sells units; `everything` is the whole position",
        "redeem: { as: sale, account: anna, instrument: SE0SBX000016SEK, units: everything }", &[
            REDEMPTION, ACCOUNT, INSTRUMENT, UNITS, CLIENT_REF, EXECUTOR,
        ]).makes(),
    post("sell and withdraw", "/order/withdrawal", "sells units and pays the money out to a bank account",
        "sell and withdraw: { as: sale, account: anna, instrument: SE0SBX000016SEK, units: 10 }", &[
            REDEMPTION, ACCOUNT, INSTRUMENT, UNITS,
            optional("bank account", WordFieldType::Reference, "where to; the account's first unless given").sent_as("bankAccount").usually(Usual::BankAccount),
            CLIENT_REF, EXECUTOR.usually(Usual::Owner),
        ]).makes(),
    post("withdraw", "/account/{account}/withdrawal", "the partner has cash paid out to a bank account; `full` takes all that can be spent",
        "withdraw: { as: payout, account: anna, amount: 500 }", &[
            ACCOUNT,
            optional("type", WordFieldType::OneOf(|| vec!["amount", "full"]), "`amount` unless given").sent_as("withdrawalType").usually(Usual::Text("amount")),
            optional("amount", WordFieldType::Number, "how much, unless it is all"),
            optional("bank account", WordFieldType::Reference, "where to; the account's first unless given").sent_as("bankAccount").usually(Usual::BankAccount),
            CLIENT_REF, EXECUTOR.usually(Usual::Owner),
        ]).makes(),
    post("sell and transfer", "/order/redemptionTransfer", "sells units and moves the money to another account of the owner",
        "sell and transfer: { as: sale, account: anna, to: savings, instrument: SE0SBX000016SEK, units: 10 }", &[
            REDEMPTION, ACCOUNT, INSTRUMENT, UNITS,
            required("to", WordFieldType::Reference, "the account that gets the money").sent_as("destinationAccount"),
            CLIENT_REF, EXECUTOR.usually(Usual::Owner),
        ]).makes(),
    sends("DELETE", "cancel", "/order/{order}", "the partner cancels an order", "cancel: order", &[ORDER]),
    post("hold", "/simulations/order/{order}/hold", "the back office puts an order on hold", "hold: order", &[ORDER]),
    post("release", "/simulations/order/{order}/release", "the back office releases an order from hold", "release: order", &[ORDER]),
    post("reject", "/simulations/order/{order}/reject", "the fund company refuses an order and all that were sent with it",
        "reject: order", &[ORDER]),
    post("set price", "/simulations/instrument/{instrument}/price", "the fund company publishes or corrects a price",
        "set price: { instrument: SE0SBX000016SEK, closePrice: 123.45 }", &[
            INSTRUMENT, required("closePrice", WordFieldType::Number, "in the fund's currency"),
            optional("priceDate", WordFieldType::Day, "its dealing day; the latest unless given"),
        ]),
    post("set trading", "/simulations/instrument/{instrument}/trading", "the fund company opens or closes trading",
        "set trading: { instrument: SE0SBX000016SEK, isBuyable: false }", &[
            INSTRUMENT, optional("isBuyable", WordFieldType::Flag, "whether units are sold"),
            optional("isSellable", WordFieldType::Flag, "whether units are taken back"),
            optional("isTradable", WordFieldType::Flag, "whether there is any trading"),
        ]).at_least(2),
    post("delay nav", "/simulations/instrument/{instrument}/delay-nav", "the fund company publishes its next price late",
        "delay nav: { instrument: SE0SBX000016SEK, bankDays: 1 }", &[
            INSTRUMENT, optional("bankDays", WordFieldType::Count, "how late; 1 unless given").usually(Usual::Number(1)),
        ]),
    post("split fund", "/simulations/instrument/{instrument}/split", "the fund company announces a split",
        "split fund: { instrument: SE0SBX000016SEK, factor: 3 }", &[
            INSTRUMENT, required("factor", WordFieldType::Number, "how many units one becomes"),
        ]),
    post("merge fund", "/simulations/instrument/{instrument}/merge", "the fund company announces a merger into another fund",
        "merge fund: { instrument: SE0SBX000016SEK, into: SE0SBX000024SEK }", &[
            INSTRUMENT, required("into", WordFieldType::Reference, "the fund that continues"),
            optional("ratio", WordFieldType::Number, "units of it for one; the ratio of the prices unless given"),
        ]),
    post("liquidate fund", "/simulations/instrument/{instrument}/liquidate", "the fund company announces a liquidation",
        "liquidate fund: { instrument: SE0SBX000016SEK }", &[
            INSTRUMENT, optional("price", WordFieldType::Number, "in the fund's currency; the last one unless given"),
        ]),
    post("book", "/simulations/account/{account}/book", "the back office books cash or units without an order",
        "book: { account: anna, transactionType: settlement, refType: dividend, amount: 100 }", &[
            ACCOUNT, required("transactionType", WordFieldType::Text, "in or out"), required("refType", WordFieldType::Text, "why"),
            optional("amount", WordFieldType::Number, "cash"), optional("instrument", WordFieldType::Reference, "the fund of units"),
            optional("units", WordFieldType::Number, "how many units"),
            optional("cost", WordFieldType::Number, "what units that come have cost; their worth unless given"),
            optional("text", WordFieldType::Text, "why, in words"),
        ]).at_least(4),
    post("bounce payout", "/simulations/withdrawal/{payout}/bounce", "the bank sends a payout back", "bounce payout: payout", &[
            required("payout", WordFieldType::Reference, "the cash transaction of the payout"),
        ]),
    post("start journey", "/journey", "the partner starts a journey; all fields but `type`, URLs and `scope` are its configuration",
        "start journey: { as: journey, type: addBankAccount, account: anna }", &[
            required("type", WordFieldType::OneOf(journey_types), "its type").or_written("journeyType").sent_as("journey.journeyType"),
            optional("callbackUrl", WordFieldType::TextOrNull, "the URL of its callback; by default the receiver's `/callback`").usually(Usual::Receiver("/callback")),
            optional("redirectUrl", WordFieldType::TextOrNull, "where the customer goes who leaves"),
            optional("completionRedirectUrl", WordFieldType::TextOrNull, "where the customer goes at the end"),
            optional("scope", WordFieldType::Text, "partner data, Base64"),
        ]).makes().with_others("journey", configuration),
    post("open journey", "/simulations/journey/{journey}/open", "the customer opens a journey, without a browser",
        "open journey: journey", &[JOURNEY]),
    post("complete journey", "/simulations/journey/{journey}/complete",
        "the customer walks all that remains, sensibly where no answer is given",
        "complete journey: { journey: journey, answers: { accountDetails: { accountType: isk } } }", &[
            JOURNEY, optional("answers", WordFieldType::Answers, "answers by step and field"),
        ]),
    post("cancel journey", "/simulations/journey/{journey}/cancel",
        "the customer leaves a journey, at the named step if one is named",
        "cancel journey: { journey: journey, at: kyc }", &[JOURNEY, AT]),
    post("fail journey", "/simulations/journey/{journey}/fail",
        "a journey fails: AUTH_ERROR, KYC_ERROR, TRANSFER_ERROR, SIGN_ERROR or OTHER_ERROR",
        "fail journey: { journey: journey, code: KYC_ERROR, at: kyc }", &[
            JOURNEY, required("code", WordFieldType::OneOf(codes), "why"), AT,
        ]),
    post("expire journey", "/simulations/journey/{journey}/expire", "a journey's time is up", "expire journey: journey", &[JOURNEY]),
    post("replay callback", "/_sandbox/worlds/current/deliveries/{journey}/replay",
        "the operator has a journey's callback sent again", "replay callback: journey", &[
            required("journey", WordFieldType::CallbackOf, "the journey"),
        ]),
    post("register webhook", "/_sandbox/worlds/current/webhooks",
        "the operator has the client's events posted to the partner's server; what fails is tried again by transport time (`wait`), and \
        with `settings: { virtualTransport: true }` by the business clock (`advance`)",
        "register webhook: { as: hook, events: ['order.*'] }", &[
            optional("client", WordFieldType::Text, "whose events; the acting client's unless given").usually(Usual::Client),
            optional("url", WordFieldType::TextOrNull, "where to; the receiver's `/webhook` unless given").usually(Usual::Receiver("/webhook")),
            optional("events", WordFieldType::EventTypes, "which; all unless given"),
        ]).makes(),
    sends("PATCH", "change webhook", "/_sandbox/worlds/current/webhooks/{webhook}",
        "the operator changes a webhook; one that has answered 410 is enabled again so", "change webhook: { webhook: hook, enabled: true }", &[
            WEBHOOK, optional("url", WordFieldType::Text, "where to"), optional("events", WordFieldType::EventTypes, "which"),
            optional("enabled", WordFieldType::Flag, "whether it receives events"),
        ]).at_least(2),
    post("rotate webhook secret", "/_sandbox/worlds/current/webhooks/{webhook}/rotate",
        "the operator gives a webhook another secret; for a while both sign", "rotate webhook secret: { webhook: hook, overlapSeconds: 3600 }", &[
            WEBHOOK, optional("secret", WordFieldType::Text, "`whsec_` and base64; drawn unless given"),
            optional("overlapSeconds", WordFieldType::Number, "for how long the one before signs, too; 86400 unless given"),
        ]),
    post("test webhook", "/_sandbox/worlds/current/webhooks/{webhook}/test", "the operator has a test message sent", "test webhook: hook", &[WEBHOOK]),
    post("replay webhook", "/_sandbox/worlds/current/webhooks/{webhook}/replay",
        "the operator replays all events since an instant", "replay webhook: { webhook: hook, since: '2026-03-02T08:00:00+01:00' }", &[
            WEBHOOK, required("since", WordFieldType::Text, "an instant of the business clock"),
        ]),
    post("close sockets", "/_sandbox/worlds/current/sockets/close", "the operator ends event sockets", "close sockets: { how: cutInFrame }", &[
            required("how", WordFieldType::OneOf(|| vec!["graceful", "close", "drop", "stall", "cutInFrame", "cap"]), "announced, cut, silent, cut in a frame, or as after an hour"),
        ]),
    post("add fault", "/_sandbox/worlds/current/faults", "a rule by which requests, sockets or deliveries go wrong",
        "add fault: { as: rule, match: { event: 'order.*', probability: 0.5 }, verdict: { deliveries: duplicate } }", &[
            optional("match", WordFieldType::Map, "what it hits: `method`, `path`, `event`, `nth`, `probability`, `times`; everything unless given"),
            required("verdict", WordFieldType::Map, "one of `answer`, `delay`, `drop`, `sockets` and `deliveries`"),
        ]).makes(),
    post("add fault bundle", "/_sandbox/worlds/current/faults/bundles", "rules that make a kind of day: `a bad day`, `a deploy`, `a slow partner`",
        "add fault bundle: a bad day", &[
            required("name", WordFieldType::OneOf(fault_bundles), "which"),
        ]),
    sends("DELETE", "remove fault", "/_sandbox/worlds/current/faults/{fault}", "a rule is taken away", "remove fault: rule", &[
            required("fault", WordFieldType::Reference, "the rule"),
        ]),
    sends("DELETE", "remove faults", "/_sandbox/worlds/current/faults", "all rules are taken away", "remove faults", &[]).alone(),
    post("approve account", "/simulations/account/{account}/approve", "the platform approves an account that waits",
        "approve account: anna", &[ACCOUNT]),
    post("reject account", "/simulations/account/{account}/reject", "the platform refuses an account that waits",
        "reject account: anna", &[ACCOUNT]),
    post("confirm account", "/simulations/account/{account}/confirm", "all missing signatures of an account are given",
        "confirm account: anna", &[ACCOUNT]),
    post("answer step", "/simulations/journey/{journey}/answer", "the customer fills one step of a journey in",
        "answer step: { journey: journey, step: kyc, answers: { pep: 'no' } }", &[
            JOURNEY, required("step", WordFieldType::OneOf(steps), "which step"), optional("answers", WordFieldType::Map, "answers by field"),
        ]),
    post("sign journey", "/simulations/journey/{journey}/sign", "the customer identifies or signs, without a browser",
        "sign journey: { journey: journey, outcome: abort }", &[
            JOURNEY, optional("signer", WordFieldType::Text, "the personal number; the known signer's unless given"),
            optional("outcome", WordFieldType::OneOf(|| vec!["sign", "abort", "fail", "refuse"]), "how it ends; `sign` unless given"),
        ]),
    post("check bank account", "/simulations/bankaccount/{bank account}/check", "the account check passes or fails",
        "check bank account: { bank account: '{anna.bankAccounts[0].id}', outcome: pass }", &[
            BANK, required("outcome", WordFieldType::OneOf(|| vec!["pass", "fail"]), "how it ends"),
        ]),
    post("advise mandate", "/simulations/bankaccount/{bank account}/mandate", "the bank answers on a mandate",
        "advise mandate: { bank account: '{anna.bankAccounts[0].id}', code: '32' }", &[
            BANK, required("code", WordFieldType::Text, "the code of the advice"),
        ]),
    post("accept transfer", "/simulations/transfer/{transfer}/accept", "the other custodian accepts a transfer",
        "accept transfer: transfer", &[TRANSFER]),
    post("reject transfer", "/simulations/transfer/{transfer}/reject", "the other custodian refuses a transfer",
        "reject transfer: transfer", &[TRANSFER]),
    post("complete transfer", "/simulations/transfer/{transfer}/complete", "the other custodian has moved everything",
        "complete transfer: transfer", &[TRANSFER]),
    post("ask for mobile payment", "/account/{account}/deposit/mobilepay", "the partner asks the payer for a mobile payment",
        "ask for mobile payment: { as: payment, account: anna, amount: 500 }", &[
            ACCOUNT, required("amount", WordFieldType::Number, "in SEK; its ore can decide how it ends"),
            optional("type", WordFieldType::OneOf(|| vec!["same_device", "other_device"]), "where the payer's app is; `same_device` unless given")
                .usually(Usual::Text("same_device")),
            optional("qrFormat", WordFieldType::OneOf(|| vec!["png", "jpg", "svg"]), "the form of the code for another device"),
        ]).makes(),
    post("pay mobile payment", "/simulations/mobilepay/{payment}/pay", "the payer pays, or a bank reports the payment late",
        "pay mobile payment: payment", &[MOBILE_PAYMENT]),
    post("decline mobile payment", "/simulations/mobilepay/{payment}/decline", "the payer declines",
        "decline mobile payment: payment", &[MOBILE_PAYMENT]),
    post("fail mobile payment", "/simulations/mobilepay/{payment}/fail", "a bank refuses, or does not answer (`DS24`)",
        "fail mobile payment: { payment: payment, errorCode: RF07 }", &[
            MOBILE_PAYMENT, required("errorCode", WordFieldType::OneOf(payment_failures), "why"),
        ]),
    post("refuse payers", "/simulations/account/{account}/mobilepay", "the banks start or stop refusing mobile payments into an account",
        "refuse payers: { account: anna, errorCode: ACMT03 }", &[
            ACCOUNT, optional("errorCode", WordFieldType::OneOf(payer_refusals), "reason of the refusal; left out, refusals end"),
        ]),
    post("screen", "/simulations/screening", "a screening of a person or an organisation hits, or clears",
        "screen: { ssn: '199001012385', hit: sanctions }", &[
            optional("ssn", WordFieldType::Text, "the person's number"), optional("crn", WordFieldType::Text, "the organisation's number"),
            required("hit", WordFieldType::OneOf(|| vec!["pep", "sanctions", "clear"]), "what was found"),
        ]).at_least(2),
    post("report death", "/simulations/death", "a person dies, and the person's insurances end",
        "report death: { ssn: '199001012385' }", &[required("ssn", WordFieldType::Text, "the person's number")]),
    post("instruct payments", "/instruction/payment", "the partner has money charged, or waits for the payer's transfer",
        "instruct payments: { as: batch, type: autogiro, payments: [{ account: '{anna.id}', amount: 500, clientRef: first }] }", &[
            required("type", WordFieldType::OneOf(|| vec!["autogiro", "bankTransfer"]), "how the money comes"),
            required("payments", WordFieldType::Value, "a list of `account`, `amount` and `clientRef`"),
        ]).makes(),
    post("pay by bankgiro", "/simulations/bankgiro", "a payer pays over bankgiro, by a reference",
        "pay by bankgiro: { ref: '{anna.ref}', amount: 1000 }", &[
            required("ref", WordFieldType::Text, "the OCR reference"), required("amount", WordFieldType::Number, "SEK"),
        ]),
    post("fail payment", "/simulations/payment/{payment}/fail", "the bank refuses a payment: 2, 03, 12 or 24",
        "fail payment: { payment: '{batch.payments[0].id}', reasonCode: '03' }", &[
            PAYMENT, required("reasonCode", WordFieldType::Text, "the code"),
        ]),
    post("refund payment", "/simulations/payment/{payment}/refund", "the payer has a paid charge back",
        "refund payment: { payment: '{batch.payments[0].id}' }", &[
            PAYMENT, optional("unauthorised", WordFieldType::Flag, "whether the payer never agreed to it"),
        ]),
    post("allocate suspense", "/_sandbox/worlds/current/suspense/{item}/allocate",
        "the operator allocates money in suspense to an account",
        "allocate suspense: { item: '{items[0].id}', account: anna }", &[
            ITEM, ACCOUNT,
        ]),
    post("return suspense", "/_sandbox/worlds/current/suspense/{item}/return",
        "the operator returns money in suspense to its payer", "return suspense: '{items[0].id}'", &[ITEM]),
    post("set fees", "/simulations/client/{client}/fees", "changes the fees of a client; absent fields stay unchanged",
        "set fees: { client: '{client.id}', partnerFee: { basisPoints: 50, mode: withdrawn } }", &[
            required("client", WordFieldType::Reference, "the client"),
            optional("partnerFee", WordFieldType::Value, "`basisPoints` a year and `mode`: none, calculated or withdrawn"),
            optional("clientFee", WordFieldType::Value, "the same for the client's own"),
        ]).at_least(2),
    post("purge client", "/simulations/client/{client}/purge", "the platform forgets a client",
        "purge client: client", &[required("client", WordFieldType::Reference, "the client")]),
    post("purge account", "/simulations/account/{account}/purge", "the platform deletes an account that was rejected", "purge account: anna", &[ACCOUNT]),
    post("purge journey", "/simulations/journey/{journey}/purge", "the platform forgets a journey", "purge journey: journey", &[JOURNEY]),
    post("purge order", "/simulations/order/{order}/purge", "the platform forgets an order", "purge order: order", &[ORDER]),
    post("purge cash transaction", "/simulations/cashTransaction/{transaction}/purge", "the platform forgets a cash transaction",
        "purge cash transaction: payout", &[TRANSACTION]),
    post("purge fund transaction", "/simulations/fundTransaction/{transaction}/purge", "the platform forgets a fund transaction",
        "purge fund transaction: payout", &[TRANSACTION]),
    step("call", Takes::Call, "any request; a path without `/v2` is under the client", "call: GET /order/{order}")
        .beside(&["as", "expect", "save", "soft", "body", "form", "text", "query", "headers"]),
    step("app", Takes::Call, "a request to the application under test, which `fundsim run --app URL` names; its path is the application's own",
        "app: POST /customers\nbody: { name: Anna }\nexpect: { status: 201 }\nsave: { customer: $.id }")
        .beside(&["expect", "save", "soft", "body", "form", "text", "query", "headers"]),
    step("expect app", Takes::Call, "the application under test is asked again until its answer is as expected, or until `within` has passed",
        "expect app: GET /portfolio/{anna}\nexpect: { body: { cash: '1000.00' } }\nwithin: 10 seconds")
        .beside(&["expect", "within", "save", "soft", "query", "headers"]),
    step("let", Takes::Names, "gives names to values", "let: { fund: SE0SBX000016SEK, amount: 10000 }"),
    step("advance", Takes::Text, "the business clock moves", "advance: 3 bank days").beside(&["as"]),
    step("wait", Takes::Shapes(super::WAITS, &["30 seconds"]),
        "transport time passes, for heartbeats, tokens, the life of a socket and tries to deliver; the business clock stands still; \
        with `settings: { virtualTransport: true }` those go by the business clock, and `advance` moves them", "wait: 30 seconds"),
    step("repeat", Takes::Rounds, "a block is done several times, or for each item of lists; `{round}` counts from 1",
        "repeat: { fund: [SE0SBX000016SEK, SE0SBX000024SEK] }\nsteps: [{ subscribe: { account: anna, instrument: '{fund}', amount: '{100 * round}' } }]")
        .beside(&["steps"]),
    step("when", Takes::Conditions, "a block is done where saved values or `settings` are so",
        "when: { settings.exposeConfirmed: true }\nsteps: [{ 'expect order {order}': confirmed }]\notherwise: [{ 'expect order {order}': sent }]")
        .beside(&["steps", "otherwise"]),
    step("expect event", Takes::Events, "an event came to the client's socket",
        "expect event: { order.update: { payload.current.status: sent } }").beside(&["as", "on", "save", "soft"]),
    step("expect events", Takes::Events, "events came, in this order", "expect events: [order.create, order.update]")
        .beside(&["as", "on", "save", "soft"]),
    step("expect events in any order", Takes::Events, "events came, in whatever order",
        "expect events in any order: [order.update, account.update]").beside(&["as", "on", "save", "soft"]),
    step("nothing else happens", Takes::EventTypes, "no event came but those expected before", "nothing else happens")
        .beside(&["as", "soft"]).or("expect no other event").alone(),
    step("forget events", Takes::Nothing, "events so far no longer count", "forget events").alone(),
    expect("expect order ORDER", "an order's status, or part of it", "expect order {order}: settled"),
    expect("expect account ACCOUNT", "part of an account", "expect account {anna}: { status: active }"),
    expect("expect journey JOURNEY", "a journey's status, or part of it", "expect journey {journey}: complete"),
    expect("expect cash of ACCOUNT", "an account's balance", "expect cash of {anna}: 0.00"),
    expect("expect units of ACCOUNT in INSTRUMENT", "an account's units in a fund",
        "expect units of {anna} in SE0SBX000016SEK: 81.0044"),
    expect("expect position of ACCOUNT in INSTRUMENT", "a position, or `absent`",
        "expect position of {anna} in SE0SBX000016SEK: { unitsSettled: 81.0044 }"),
    expect("expect instrument INSTRUMENT", "part of an instrument", "expect instrument SE0SBX000016SEK: { isBuyable: true }"),
    expect("expect cash transaction of order ORDER", "the one cash transaction of an order, or `absent`",
        "expect cash transaction of order {order}: { settlementDate: null }"),
    expect("expect fund transaction of order ORDER", "the one fund transaction of an order, or `absent`",
        "expect fund transaction of order {order}: absent"),
    expect("expect cash transactions of order ORDER", "all cash transactions of an order",
        "expect cash transactions of order {order}: [{ transactionType: redemption }, { transactionType: withdrawal }]"),
    expect("expect fund transactions of order ORDER", "all fund transactions of an order",
        "expect fund transactions of order {order}: []"),
    expect("expect cash transactions of account ACCOUNT", "all cash transactions of an account",
        "expect cash transactions of account {anna}: { length: 2 }"),
    expect("expect fund transactions of account ACCOUNT", "all fund transactions of an account",
        "expect fund transactions of account {anna}: []"),
    expect("expect clock", "the business clock", "expect clock: 2026-03-04T08:00:00.000Z"),
    expect("expect value VALUE", "a saved value", "expect value {order.amount}: 10000"),
    step("open page", Takes::Fields(&[
            required("journey", WordFieldType::Reference, "the journey, or an address on the server"),
            optional("language", WordFieldType::Text, "what the browser asks for; English unless given"),
        ]), "the customer opens a journey's link in the browser", "open page: journey"),
    step("fill in", Takes::Names, "the customer fills in the page's form and continues; without values, the form is sent unchanged",
        "fill in: { accountName: For the summer, email: anna@example.com }").alone(),
    step("identify", Takes::Fields(IDENTITY), "the customer identifies: bare, by number, or `abort` or `fail`",
        "identify: 191212121212").alone(),
    step("sign", Takes::Fields(IDENTITY), "the customer signs: bare, by number, or `abort`, `fail` or `refuse`",
        "sign: { person: 191212121212, device: other }").alone(),
    step("press", Takes::Text, "the customer presses a button or link by its words", "press: Svenska"),
    step("send again", Takes::Nothing, "the customer's last form goes out once more, as when a page is loaded again",
        "send again").alone(),
    step("go back", Takes::Nothing, "the customer goes back a step", "go back").alone(),
    step("leave journey", Takes::Nothing, "the customer cancels, and confirms", "leave journey").alone(),
    step("expect page", Takes::Page, "the page in the browser: its name, or what it shows and asks",
        "expect page: { name: kyc, asks: { contains: purpose }, errors: { purpose: any } }").beside(&["save", "soft"]),
    step("receiver", Takes::Shapes(&["is down", "recovers", "redirects", "hangs", "closes", "dribbles", "floods",
            "answers [2-5][0-9][0-9]", "answers [2-5][0-9][0-9] after [0-9]+ (minute|second|millisecond)s?"], super::RECEIVER_BEHAVIOURS),
        "how the partner's server takes posts: is down, recovers, answers 503, answers 200 after 11 seconds, hangs, ...",
        "receiver: answers 503"),
    expect("expect callback of JOURNEY", "exactly one new signed callback of a journey has arrived; its status, or part of its body",
        "expect callback of {journey}: complete"),
    step("no callback", Takes::Nothing, "no new callback of a journey has arrived", "no callback").beside(&["as", "soft"]).alone(),
    step("no callback of JOURNEY", Takes::Nothing, "no new callback of this journey has arrived", "no callback of {journey}")
        .beside(&["as", "soft"]).alone(),
    step("expect webhook", Takes::Events, "new signed posts of these events have arrived; their bodies have `current` and `previous`",
        "expect webhook: { order.update: { current.status: sent } }").beside(FOUND),
    step("no webhook", Takes::Nothing, "no new post of an event has arrived", "no webhook").beside(&["as", "soft"]).alone(),
    expect("expect delivery of JOURNEY", "the delivery of a journey's callback: its status, or part of its row",
        "expect delivery of {journey}: { status: queued, attemptsMade: 2 }"),
    step("open socket", Takes::Text, "a further socket of the client", "open socket: second").beside(&["as"]).alone(),
    step("close socket", Takes::Text, "closes a socket", "close socket: second").beside(&["as"]).alone(),
    step("expect socket closed", Takes::Fields(CLOSED), "the server has closed a socket", "expect socket closed: { code: 1001 }")
        .beside(&["as", "soft"]).alone(),
    step("network", Takes::Shapes(&["cut", "repaired", "held", "released", "latency [0-9]+ ms"], super::NETWORK_STATES),
        "the network between partner and sandbox: cut, repaired, held, released, latency 200 ms", "network: latency 200 ms"),
    step("server", Takes::Shapes(super::SERVER, super::SERVER), "the server crashes, restarts or restarts empty", "server: restarts"),
    step("use", Takes::Text, "the steps of another file", "use: funded-account.yaml").beside(&["with"]),
];

const fn step(word: &'static str, takes: Takes, about: &'static str, example: &'static str) -> Word {
    Word { word, alias: None, about, example, takes, alone: false, beside: &[] }
}

const fn expect(word: &'static str, about: &'static str, example: &'static str) -> Word {
    step(word, Takes::Expected, about, example).beside(FOUND)
}

const fn sends(
    method: &'static str,
    word: &'static str,
    path: &'static str,
    about: &'static str,
    example: &'static str,
    fields: &'static [Field],
) -> Word {
    let sends = Sends { method, path, fields, others: None, least: 0, makes: false };
    step(word, Takes::Request(sends), about, example).beside(&["as", "expect", "save", "soft"])
}

const fn post(
    word: &'static str,
    path: &'static str,
    about: &'static str,
    example: &'static str,
    fields: &'static [Field],
) -> Word {
    sends("POST", word, path, about, example, fields)
}

impl Word {
    /// What it makes takes a name.
    const fn makes(mut self) -> Self {
        if let Takes::Request(sends) = &mut self.takes {
            sends.makes = true;
        }
        self
    }

    /// So many fields must be given.
    const fn at_least(mut self, least: usize) -> Self {
        if let Takes::Request(sends) = &mut self.takes {
            sends.least = least;
        }
        self
    }

    /// Further fields, which go into this one.
    const fn with_others(mut self, into: &'static str, fields: fn() -> Vec<Field>) -> Self {
        if let Takes::Request(sends) = &mut self.takes {
            sends.others = Some(Others { into, fields });
        }
        self
    }

    const fn or(mut self, alias: &'static str) -> Self {
        self.alias = Some(alias);
        self
    }

    const fn alone(mut self) -> Self {
        self.alone = true;
        self
    }

    const fn beside(mut self, words: &'static [&'static str]) -> Self {
        self.beside = words;
        self
    }
}

fn account_types() -> Vec<&'static str> {
    AccountType::ALL.iter().map(|kind| kind.name()).collect()
}

fn service_types() -> Vec<&'static str> {
    ServiceType::ALL.iter().map(|kind| kind.name()).collect()
}

fn categories() -> Vec<&'static str> {
    Category::ALL.iter().map(|kind| kind.name()).collect()
}

fn journey_types() -> Vec<&'static str> {
    JourneyType::ALL.iter().map(|kind| kind.name()).collect()
}

fn codes() -> Vec<&'static str> {
    ErrorCode::ALL.iter().map(|code| code.name()).collect()
}

fn payment_failures() -> Vec<&'static str> {
    MobilePaymentError::FAILURES.iter().map(|error| error.name()).collect()
}

fn payer_refusals() -> Vec<&'static str> {
    MobilePaymentRefusal::ALL.iter().map(|refusal| refusal.name()).collect()
}

fn fault_bundles() -> Vec<&'static str> {
    BUNDLES.iter().map(|bundle| bundle.name).collect()
}

fn steps() -> Vec<&'static str> {
    JourneyStep::ALL.iter().map(|step| step.name()).collect()
}

/// Fields of a journey's configuration, of which some name what was saved.
fn configuration() -> Vec<Field> {
    let kind =
        |name| if matches!(name, "account" | "submission") { WordFieldType::Reference } else { WordFieldType::Value };
    FIELDS.iter().map(|(name, ..)| optional(name, kind(*name), "of the configuration")).collect()
}
