//! Every operation of the partner API, in the order of its specification.

use super::parameters::{self, Query};
use super::schemas::{collect, reference};
use super::token::{Token, TokenError, TokenRequest};
use crate::wire::account::{Account, AccountValue};
use crate::wire::client::{Client, ClientPatch, ClientRequest};
use crate::wire::error::ErrorBody;
use crate::wire::instrument::{HistoricalPrice, Instrument};
use crate::wire::journey::{Journey, JourneyRequest};
use crate::wire::order::{Order, OrderRequest, OrderWithdrawalRequest, RedemptionTransferRequest};
use crate::wire::ping::Pong;
use crate::wire::plan::{AllocationPlan, AllocationPlanPatch, SavingsPlan};
use crate::wire::shape::{Schemas, Shape, describe};
use crate::wire::standing::{AgreementType, Kyc};
use crate::wire::transaction::{CashTransaction, FundTransaction};
use crate::wire::transfer::{Custodian, Transfer};
use utoipa::ToSchema;
use utoipa::openapi::request_body::{RequestBody, RequestBodyBuilder};
use utoipa::openapi::schema::{ArrayBuilder, KnownFormat, ObjectBuilder, Schema, SchemaFormat, Type};
use utoipa::openapi::{ContentBuilder, RefOr, Required, Response, ResponseBuilder};

/// Where tokens are issued.
pub(super) const TOKEN: &str = "/v2/partner/auth/token";

/// One operation.
pub(super) struct Operation {
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    /// Unique name that generated clients use.
    pub(super) id: &'static str,
    pub(super) tag: &'static str,
    pub(super) summary: &'static str,
    pub(super) description: Option<&'static str>,
    /// The scope that a token needs; none for operations without a token.
    pub(super) right: Option<&'static str>,
    /// Groups of query parameters.
    pub(super) query: &'static [&'static [Query]],
    pub(super) takes: Option<Takes>,
    /// Good answers by status.
    pub(super) gives: &'static [(&'static str, Gives)],
    /// Statuses of the failures it may answer with.
    pub(super) failures: &'static [&'static str],
}

/// Makes the schema of a body.
type Make = fn() -> RefOr<Schema>;
/// Adds the named schemas that a body refers to.
type Collect = fn(&mut Vec<(String, RefOr<Schema>)>);

/// A request body.
pub(super) struct Takes {
    content_type: &'static str,
    schema: Make,
    collect: Collect,
}

fn gather<S: Shape>(known: &mut Schemas) {
    describe::<S>(known);
}

/// A good answer.
pub(super) struct Gives {
    description: &'static str,
    content_type: &'static str,
    body: Option<(Make, Collect)>,
}

const JSON: &str = "application/json";

type Row = (&'static str, Gives);

impl Takes {
    const fn json<S: Shape>() -> Self {
        Self { content_type: "application/json", schema: || describe::<S>(&mut Vec::new()), collect: gather::<S> }
    }

    const fn form<T: ToSchema>() -> Self {
        Self { content_type: "application/x-www-form-urlencoded", schema: reference::<T>, collect: collect::<T> }
    }

    pub(super) fn body(&self) -> RequestBody {
        let content = ContentBuilder::new().schema(Some((self.schema)())).build();
        RequestBodyBuilder::new().required(Some(Required::True)).content(self.content_type, content).build()
    }

    pub(super) fn collect(&self, schemas: &mut Vec<(String, RefOr<Schema>)>) {
        (self.collect)(schemas);
    }
}

impl Gives {
    const fn one<T: ToSchema>(description: &'static str) -> Self {
        Self { description, content_type: JSON, body: Some((reference::<T>, collect::<T>)) }
    }

    const fn many<T: ToSchema>(description: &'static str) -> Self {
        Self { description, content_type: JSON, body: Some((list::<T>, collect::<T>)) }
    }

    const fn pdf(description: &'static str) -> Self {
        Self { description, content_type: "application/pdf", body: Some((binary, |_| ())) }
    }

    const fn nothing(description: &'static str) -> Self {
        Self { description, content_type: JSON, body: None }
    }

    pub(super) fn response(&self) -> Response {
        let response = ResponseBuilder::new().description(self.description);
        match self.body {
            Some((schema, _)) => {
                response.content(self.content_type, ContentBuilder::new().schema(Some(schema())).build()).build()
            }
            None => response.build(),
        }
    }

    pub(super) fn collect(&self, schemas: &mut Vec<(String, RefOr<Schema>)>) {
        if let Some((_, collect)) = self.body {
            collect(schemas);
        }
    }
}

/// Bytes that are no JSON.
fn binary() -> RefOr<Schema> {
    let format = SchemaFormat::KnownFormat(KnownFormat::Binary);
    ObjectBuilder::new().schema_type(Type::String).format(Some(format)).into()
}

fn list<T: ToSchema>() -> RefOr<Schema> {
    ArrayBuilder::new().items(reference::<T>()).into()
}

/// The failures of an operation that needs a token.
const ALL: &[&str] = &["400", "401", "403", "500", "503"];

/// An operation with a token, without body and query; the rows below say what differs.
const fn usual(
    (method, path): (&'static str, &'static str),
    id: &'static str,
    (tag, right): (&'static str, &'static str),
    summary: &'static str,
    gives: &'static [Row],
) -> Operation {
    Operation {
        method,
        path,
        id,
        tag,
        summary,
        description: None,
        right: Some(right),
        query: &[],
        takes: None,
        gives,
        failures: ALL,
    }
}

const ACCOUNTS: (&str, &str) = ("Accounts", "account:read");
const CLOSING: (&str, &str) = ("Accounts", "account:write");
const PLANS: (&str, &str) = ("Plans", "allocationplan:read");
const PLANNING: (&str, &str) = ("Plans", "allocationplan:write");
const CLIENTS: (&str, &str) = ("Clients", "client:read");
const FUNDS: (&str, &str) = ("Instruments", "instrument:read");
const MANAGING: (&str, &str) = ("Clients", "client:write");
const JOURNEYS: (&str, &str) = ("Journeys", "journey:read");
const STARTING: (&str, &str) = ("Journeys", "journey:write");
const ORDERS: (&str, &str) = ("Orders", "order:read");
const ORDERING: (&str, &str) = ("Orders", "order:write");
const TRANSACTIONS: (&str, &str) = ("Transactions", "transaction:read");

const CASH: &[Row] = &[("200", Gives::many::<CashTransaction<'static>>("The cash transactions, oldest first."))];
const FUND: &[Row] = &[("200", Gives::many::<FundTransaction<'static>>("The fund transactions, oldest first."))];
const PLACED: &[Row] = &[
    ("200", Gives::one::<Order<'static>>("The order.")),
    ("204", Gives::nothing("The order would be accepted; answered when `validate-only` is true.")),
];
const CANCELED: &[Row] = &[("200", Gives::one::<Order<'static>>("The canceled order."))];

/// Every operation, in the order of the specification.
#[rustfmt::skip]
pub(super) const OPERATIONS: &[Operation] = &[
    Operation {
        right: None,
        failures: &["500", "503"],
        ..usual(("get", "/ping"), "ping", ("System", ""), "Ask whether the service answers",
            &[("200", Gives::one::<Pong>("It does."))])
    },
    Operation {
        right: None,
        takes: Some(Takes::form::<TokenRequest>()),
        description: Some("The OAuth 2.0 client credentials grant. A JSON body with the same members is accepted too."),
        failures: &["403", "500", "503"],
        ..usual(("post", TOKEN), "issueToken", ("Authentication", ""), "Issue an access token", &[
            ("200", Gives::one::<Token>("A token.")),
            ("400", Gives::one::<TokenError>("The request is wrong, or the credentials are.")),
            ("401", Gives::one::<TokenError>("The credentials shown by HTTP Basic are wrong.")),
        ])
    },
    Operation {
        description: Some("A WebSocket. Every message is a JSON object with `eventType`; messages about data also have \
            `eventId`, to be deduplicated on, and `payload` with `current` and `previous`."),
        ..usual(("get", "/v2/partner/client/{clientId}/subscribe"), "subscribe", ("Events", "client:read"),
            "Receive events as they happen", &[
                ("101", Gives::nothing("The connection is a WebSocket from here on.")),
                ("404", Gives::one::<ErrorBody<'static>>("The request is no WebSocket handshake.")),
            ])
    },

    Operation {
        query: &[parameters::WINDOW, parameters::OWNER],
        ..usual(("get", "/v2/partner/client/{clientId}/account"), "listAccounts", ACCOUNTS, "List accounts",
            &[("200", Gives::many::<Account<'static>>("The accounts, oldest first."))])
    },
    usual(("get", "/v2/partner/client/{clientId}/account/{accountId}"), "readAccount", ACCOUNTS, "Read an account",
        &[("200", Gives::one::<Account<'static>>("The account."))]),
    Operation {
        description: Some("An account with cash, units or open orders becomes `closing`: what it holds is sold and paid out \
            to the newest validated bank account, then it is deleted. Historical data stays readable."),
        ..usual(("delete", "/v2/partner/client/{clientId}/account/{accountId}"), "closeAccount", CLOSING,
            "Close an account", &[("200", Gives::one::<Account<'static>>("The account, closing or deleted."))])
    },
    usual(("get", "/v2/partner/client/{clientId}/account/{accountId}/value"), "valueAccount", ACCOUNTS,
        "Read what an account is worth", &[("200", Gives::one::<AccountValue>("The total market value."))]),
    Operation {
        query: &[parameters::WINDOW, parameters::TRANSACTIONS, parameters::CASH],
        ..usual(("get", "/v2/partner/client/{clientId}/account/{accountId}/transaction/cash"),
            "listCashTransactionsOfAccount", TRANSACTIONS, "List the cash transactions of an account", CASH)
    },
    Operation {
        query: &[parameters::WINDOW, parameters::TRANSACTIONS, parameters::FUND],
        ..usual(("get", "/v2/partner/client/{clientId}/account/{accountId}/transaction/fund"),
            "listFundTransactionsOfAccount", TRANSACTIONS, "List the fund transactions of an account", FUND)
    },

    usual(("get", "/v2/partner/client/{clientId}/kycstatus/account/{accountId}"), "readKycStatus", ACCOUNTS,
        "Read where the knowledge of an account's owner stands", &[("200", Gives::one::<Kyc>("The KYC status."))]),
    Operation {
        query: &[parameters::WINDOW],
        ..usual(("get", "/v2/partner/client/{clientId}/account/{accountId}/transfer"), "listTransfers", ACCOUNTS,
            "List transfers from other custodians",
            &[("200", Gives::many::<Transfer<'static>>("The transfers to the account, oldest first."))])
    },
    usual(("get", "/v2/partner/client/{clientId}/account/{accountId}/agreement-types"), "listAgreementTypes", ACCOUNTS,
        "List the kinds of agreement of an account",
        &[("200", Gives::many::<AgreementType>("The kinds of agreement that the account has."))]),
    usual(("get", "/v2/partner/client/{clientId}/account/{accountId}/agreement/{agreementTypeKey}"), "readAgreement",
        ACCOUNTS, "Read an agreement as a PDF", &[("200", Gives::pdf("The agreement."))]),

    usual(("get", "/v2/partner/client/{clientId}/allocationplan"), "listAllocationPlans", PLANS, "List allocation plans",
        &[("200", Gives::many::<AllocationPlan>("The client's allocation plans, oldest first."))]),
    usual(("get", "/v2/partner/client/{clientId}/allocationplan/{allocationPlanId}"), "readAllocationPlan", PLANS,
        "Read an allocation plan", &[("200", Gives::one::<AllocationPlan>("The allocation plan."))]),
    Operation {
        takes: Some(Takes::json::<AllocationPlanPatch>()),
        ..usual(("patch", "/v2/partner/client/{clientId}/allocationplan/{allocationPlanId}"), "patchAllocationPlan",
            PLANNING, "Change an allocation plan", &[("200", Gives::one::<AllocationPlan>("The changed plan."))])
    },
    usual(("delete", "/v2/partner/client/{clientId}/allocationplan/{allocationPlanId}"), "deleteAllocationPlan", PLANNING,
        "Delete an allocation plan", &[("200", Gives::one::<AllocationPlan>("The plan that is gone."))]),
    usual(("get", "/v2/partner/client/{clientId}/allocationplan/account/{accountId}"), "readAllocationPlanOfAccount", PLANS,
        "Read the allocation plan of an account", &[("200", Gives::one::<AllocationPlan>("The allocation plan."))]),
    usual(("get", "/v2/partner/client/{clientId}/account/{accountId}/savingsplan"), "readSavingsPlan", PLANS,
        "Read the savings plan of an account", &[("200", Gives::one::<SavingsPlan>("The savings plan."))]),
    usual(("delete", "/v2/partner/client/{clientId}/account/{accountId}/savingsplan"), "deleteSavingsPlan", PLANNING,
        "Delete the savings plan of an account", &[("200", Gives::one::<SavingsPlan>("The plan that is gone."))]),

    Operation {
        query: &[parameters::WINDOW],
        ..usual(("get", "/v2/partner/client"), "listClients", CLIENTS, "List clients",
            &[("200", Gives::many::<Client<'static>>("The partner's clients, oldest first."))])
    },
    Operation {
        takes: Some(Takes::json::<ClientRequest>()),
        description: Some("The new client may do what the partner's first client may."),
        ..usual(("post", "/v2/partner/client"), "createClient", MANAGING, "Create a client",
            &[("200", Gives::one::<Client<'static>>("The client."))])
    },
    Operation {
        takes: Some(Takes::json::<ClientPatch>()),
        ..usual(("patch", "/v2/partner/client/{clientId}"), "patchClient", MANAGING, "Change a client",
            &[("200", Gives::one::<Client<'static>>("The changed client."))])
    },
    usual(("get", "/v2/partner/client/{clientId}"), "readClient", CLIENTS, "Read a client",
        &[("200", Gives::one::<Client<'static>>("The client."))]),
    Operation {
        query: &[parameters::INSTRUMENTS],
        ..usual(("get", "/v2/partner/client/{clientId}/instrument"), "listInstrumentsOfClient", FUNDS,
            "List the instruments that a client offers",
            &[("200", Gives::many::<Instrument<'static>>("The client's universe, ordered by id."))])
    },

    usual(("get", "/v2/partner/client/{clientId}/custodian"), "listCustodians", CLIENTS, "List custodians",
        &[("200", Gives::many::<Custodian<'static>>("The custodians that holdings can be transferred from."))]),

    Operation {
        takes: Some(Takes::json::<JourneyRequest>()),
        description: Some("The journey's `url` is for the end customer. When the journey becomes `canceled`, `error` or \
            `complete`, `callbackUrl` receives one POST."),
        ..usual(("post", "/v2/partner/client/{clientId}/journey"), "createJourney", STARTING, "Start a journey",
            &[("200", Gives::one::<Journey<'static>>("The journey."))])
    },
    usual(("get", "/v2/partner/client/{clientId}/journey/{journeyId}"), "readJourney", JOURNEYS, "Read a journey",
        &[("200", Gives::one::<Journey<'static>>("The journey as it stands, with its result once it is complete."))]),

    Operation {
        query: &[parameters::INSTRUMENTS],
        ..usual(("get", "/v2/partner/instrument"), "listInstruments", FUNDS, "List all instruments",
            &[("200", Gives::many::<Instrument<'static>>("All instruments on the platform, ordered by id."))])
    },
    usual(("get", "/v2/partner/instrument/{instrumentId}"), "readInstrument", FUNDS, "Read an instrument",
        &[("200", Gives::one::<Instrument<'static>>("The instrument."))]),
    Operation {
        query: &[parameters::RANGE],
        description: Some("Give both dates, or neither for the latest 365 days. Days without a price are left out."),
        ..usual(("get", "/v2/partner/client/{clientId}/instrument/{instrumentId}/prices"), "listPrices", FUNDS,
            "List historical prices", &[("200", Gives::many::<HistoricalPrice>("The prices, oldest first."))])
    },

    Operation {
        query: &[parameters::VALIDATE_ONLY],
        takes: Some(Takes::json::<OrderRequest>()),
        ..usual(("post", "/v2/partner/client/{clientId}/order"), "createOrder", ORDERING, "Subscribe or redeem", PLACED)
    },
    Operation {
        query: &[parameters::WINDOW, parameters::ORDERS],
        ..usual(("get", "/v2/partner/client/{clientId}/order"), "listOrders", ORDERS, "List orders",
            &[("200", Gives::many::<Order<'static>>("The orders, oldest first."))])
    },
    usual(("get", "/v2/partner/client/{clientId}/order/{orderId}"), "readOrder", ORDERS, "Read an order",
        &[("200", Gives::one::<Order<'static>>("The order."))]),
    Operation {
        description: Some("Possible until the cut-off takes the order. Canceling a canceled order changes nothing."),
        ..usual(("delete", "/v2/partner/client/{clientId}/order/{orderId}"), "cancelOrder", ORDERING, "Cancel an order",
            CANCELED)
    },
    Operation {
        query: &[parameters::VALIDATE_ONLY],
        takes: Some(Takes::json::<OrderWithdrawalRequest>()),
        ..usual(("post", "/v2/partner/client/{clientId}/order/withdrawal"), "createOrderWithdrawal", ORDERING,
            "Redeem and pay the proceeds out", PLACED)
    },
    Operation {
        query: &[parameters::VALIDATE_ONLY],
        takes: Some(Takes::json::<RedemptionTransferRequest>()),
        ..usual(("post", "/v2/partner/client/{clientId}/order/redemptionTransfer"), "createRedemptionTransfer", ORDERING,
            "Redeem and move the proceeds to another account of the owner", PLACED)
    },

    Operation {
        query: &[parameters::WINDOW, parameters::OF_ANY_ACCOUNT, parameters::TRANSACTIONS, parameters::CASH],
        ..usual(("get", "/v2/partner/client/{clientId}/transaction/cash"), "listCashTransactions", TRANSACTIONS,
            "List cash transactions", CASH)
    },
    usual(("get", "/v2/partner/client/{clientId}/transaction/cash/{transactionId}"), "readCashTransaction", TRANSACTIONS,
        "Read a cash transaction", &[("200", Gives::one::<CashTransaction<'static>>("The cash transaction."))]),
    Operation {
        query: &[parameters::WINDOW, parameters::OF_ANY_ACCOUNT, parameters::TRANSACTIONS, parameters::FUND],
        ..usual(("get", "/v2/partner/client/{clientId}/transaction/fund"), "listFundTransactions", TRANSACTIONS,
            "List fund transactions", FUND)
    },
    usual(("get", "/v2/partner/client/{clientId}/transaction/fund/{transactionId}"), "readFundTransaction", TRANSACTIONS,
        "Read a fund transaction", &[("200", Gives::one::<FundTransaction<'static>>("The fund transaction."))]),
];
