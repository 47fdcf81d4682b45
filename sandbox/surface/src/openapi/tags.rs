//! What operations are grouped by: the plane, and the resource or the outsider in it.

use utoipa::openapi::Tag;
use utoipa::openapi::tag::TagBuilder;

/// Every tag with its sentence; a test fails on a row whose tag is not here.
pub(super) const TAGS: &[(&str, &str)] = &[
    ("System", "Check that the service responds."),
    ("Authentication", "Access tokens by client credentials."),
    ("Accounts", "Investment accounts with their cash, positions and owners."),
    ("Payments", "Mobile payments into accounts."),
    ("Instructions", "Batches of payments into accounts."),
    ("Plans", "Allocation plans for deposits, and monthly savings plans."),
    ("Clients", "The legal entities that hold power of attorney over accounts."),
    ("Journeys", "Hosted, time-limited flows that an end customer completes."),
    ("Instruments", "Mutual funds, their trading rules and prices."),
    ("Orders", "Subscriptions and redemptions."),
    ("Transactions", "Cash transactions and fund transactions of accounts."),
    ("Events", "Events over a WebSocket."),
    ("Levers: customers", "Actions of end customers: complete journeys, make payments."),
    ("Levers: banks", "Actions of banks: check accounts, answer on mandates, execute payments."),
    ("Levers: fund companies", "Actions of fund companies and of order routing: orders, prices, corporate actions."),
    ("Levers: custodians", "Actions of ceding custodians on transfers."),
    ("Levers: platform", "Actions of the platform: approvals, corrections, fees, screening, deletion of records."),
    ("Machinery: worlds", "Create, read, reset, fork, snapshot and delete worlds."),
    ("Machinery: clock", "Read, change and advance the clock of a world."),
    ("Machinery: faults", "Rules that make requests, sockets and deliveries fail."),
    ("Machinery: settings", "Settings of a world and of its API."),
    ("Machinery: looking back", "Read requests, events, sockets, the ledger, fees and diagrams of accounts."),
    ("Machinery: deliveries", "Webhooks, and the deliveries to them and to callback URLs."),
    ("Machinery: suspense", "Money that could not be deposited into an account."),
    ("Machinery: health", "Health and metrics of the process."),
];

/// The tags as the document has them.
pub(super) fn all() -> impl Iterator<Item = Tag> {
    TAGS.iter().map(|(name, about)| TagBuilder::new().name(*name).description(Some(*about)).build())
}
