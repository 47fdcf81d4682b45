//! Parameters in paths and queries, each described once.

use crate::wire::text::{CalendarDate, Id, InstrumentId, SortedId, Ssn, Timestamp};
use crate::wire::words::{CashRefType, CashTransactionType, FundRefType, FundTransactionType, OrderType};
use utoipa::PartialSchema;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::{RefOr, Required};

/// A query parameter.
pub(super) struct Query {
    name: &'static str,
    description: &'static str,
    schema: fn() -> RefOr<Schema>,
}

impl Query {
    /// As OpenAPI has it.
    pub(super) fn build(&self) -> Parameter {
        ParameterBuilder::new()
            .name(self.name)
            .parameter_in(ParameterIn::Query)
            .required(Required::False)
            .description(Some(self.description))
            .schema(Some((self.schema)()))
            .build()
    }
}

/// The parameters that a path names in braces.
pub(super) fn in_path(path: &str) -> impl Iterator<Item = Parameter> + '_ {
    path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).map(|name| {
        let (description, schema) = match name {
            "instrumentId" => ("Id of the instrument.", InstrumentId::schema()),
            "clientId" => ("Id of the client.", Id::schema()),
            "accountId" => ("Id of the account.", Id::schema()),
            "journeyId" => ("Id of the journey.", Id::schema()),
            "allocationPlanId" => ("Id of the allocation plan.", Id::schema()),
            "agreementTypeKey" => ("Key of the agreement type.", string()),
            "orderId" => ("Id of the order.", Id::schema()),
            _ => ("Id of the transaction.", Id::schema()),
        };
        ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Path)
            .required(Required::True)
            .description(Some(description))
            .schema(Some(schema))
            .build()
    })
}

fn string() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).into()
}

fn flag() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::Boolean).into()
}

fn count() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1_u32)).into()
}

const LIMIT: Query =
    Query { name: "limit", description: "How many to list at most; all when left out.", schema: count };
const MODIFIED_FROM: Query = Query {
    name: "modifiedFrom",
    description: "Only what was modified at this moment or later.",
    schema: Timestamp::schema,
};
const ACCOUNT: Query = Query { name: "account", description: "Only of this account.", schema: Id::schema };
const INSTRUMENT: Query =
    Query { name: "instrument", description: "Only in this instrument.", schema: InstrumentId::schema };

pub(super) const WINDOW: &[Query] = &[
    Query { name: "start", description: "The `sortedId` to start from, inclusive.", schema: SortedId::schema },
    LIMIT,
    MODIFIED_FROM,
];

pub(super) const INSTRUMENTS: &[Query] = &[
    Query { name: "start", description: "The id to start from, inclusive.", schema: InstrumentId::schema },
    LIMIT,
    MODIFIED_FROM,
];

pub(super) const OWNER: &[Query] =
    &[Query { name: "ssn", description: "Only accounts of this natural person.", schema: Ssn::schema }];

pub(super) const RANGE: &[Query] = &[
    Query { name: "start", description: "First day; needs `end`.", schema: CalendarDate::schema },
    Query { name: "end", description: "Last day, at most 365 days after `start`.", schema: CalendarDate::schema },
];

pub(super) const VALIDATE_ONLY: &[Query] =
    &[Query { name: "validate-only", description: "Only check the order; nothing is created.", schema: flag }];

pub(super) const ORDERS: &[Query] = &[
    ACCOUNT,
    Query { name: "status", description: "Only with this status.", schema: crate::wire::order::OrderStatus::schema },
    Query { name: "orderType", description: "Only of this type.", schema: OrderType::schema },
    INSTRUMENT,
    Query { name: "clientRef", description: "Only with exactly this reference.", schema: string },
];

pub(super) const OF_ANY_ACCOUNT: &[Query] = &[ACCOUNT];

pub(super) const TRANSACTIONS: &[Query] = &[
    Query {
        name: "dateFrom",
        description: "Created on this day or later, by Stockholm's calendar.",
        schema: CalendarDate::schema,
    },
    Query { name: "dateTo", description: "Created on this day or earlier.", schema: CalendarDate::schema },
    Query { name: "ref", description: "Only with exactly this `ref`.", schema: string },
    INSTRUMENT,
];

pub(super) const CASH: &[Query] = &[
    Query { name: "refType", description: "Only with this `refType`.", schema: CashRefType::schema },
    Query { name: "transactionType", description: "Only of this type.", schema: CashTransactionType::schema },
];

pub(super) const FUND: &[Query] = &[
    Query { name: "refType", description: "Only with this `refType`.", schema: FundRefType::schema },
    Query { name: "transactionType", description: "Only of this type.", schema: FundTransactionType::schema },
];
