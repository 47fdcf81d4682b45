//! What operations are grouped by: the plane, and the resource or the outsider in it.

use utoipa::openapi::Tag;
use utoipa::openapi::tag::TagBuilder;

/// Every tag with its sentence; a test fails on a row whose tag is not here.
pub(super) const TAGS: &[(&str, &str)] = &[
    ("System", "Whether the service answers."),
    ("Authentication", "Access tokens by client credentials."),
    ("Accounts", "Investment accounts with their cash, positions and owners."),
    ("Payments", "Mobile payments into accounts."),
    ("Instructions", "Batches of payments into accounts."),
    ("Plans", "How deposits are distributed, and what is bought every month."),
    ("Clients", "The legal entities that hold power of attorney over accounts."),
    ("Journeys", "Hosted, time-limited flows that an end customer walks."),
    ("Instruments", "Mutual funds, their trading rules and prices."),
    ("Orders", "Subscriptions and redemptions."),
    ("Transactions", "What moved on the cash and the fund side of accounts."),
    ("Events", "What happens, as it happens."),
    ("Levers: customers", "What end customers do: walk journeys, pay."),
    ("Levers: banks", "What banks do: check accounts, advise on mandates, carry payments."),
    ("Levers: fund companies", "What fund companies and the routing to them do: orders, prices, corporate actions."),
    ("Levers: custodians", "What ceding custodians do with transfers."),
    ("Levers: platform", "What the platform decides and knows, and what it forgets."),
    ("Machinery: worlds", "Worlds: made, read, reset, forked, kept and dropped."),
    ("Machinery: clock", "How time passes in a world, and jumps."),
    ("Machinery: faults", "Rules by which requests, sockets and deliveries go wrong."),
    ("Machinery: settings", "What a world and its surface are set to."),
    ("Machinery: looking back", "Requests, events, sockets, books, fees and pictures."),
    ("Machinery: deliveries", "Webhooks, and what was told to whom."),
    ("Machinery: suspense", "Money that no account could take."),
    ("Machinery: health", "Whether the process is well, for those who host it."),
];

/// The tags as the document has them.
pub(super) fn all() -> impl Iterator<Item = Tag> {
    TAGS.iter().map(|(name, about)| TagBuilder::new().name(*name).description(Some(*about)).build())
}
