//! `/_sandbox`: the machinery of worlds, clocks, faults and looking back. No part of the partner API.
//!
//! Invariant: a partner's token opens the partner's own world and nothing else; the operator's opens everything, and without one
//! set, a caller without a token is the operator (binding beyond loopback then needs `--open`).
//! Absent on purpose: any change that a partner, a customer or an outsider could cause; those are commands, and so is what
//! the operator decides of money in suspense.

mod advance;
mod books;
mod clock;
mod company;
mod compare;
mod deliveries;
mod faults;
mod fees;
mod health;
mod inspect;
mod journeys;
mod past;
mod picture;
mod recording;
mod request;
mod search;
mod settings;
mod stream;
mod suspense;
mod values;
mod webhooks;
mod why;
mod worlds;

#[cfg(test)]
mod tests;

pub use self::worlds::line;
use hosting::partners_may::WorldAct;
use surface::auth::ScopeDemand;
use surface::route::{Route, RouteOwner, delete, file, get, many, one, patch, post, put};
use wire::instruction::SuspenseItem;

const WORLDS: &str = "Machinery: worlds";
const CLOCK: &str = "Machinery: clock";
const FAULTS: &str = "Machinery: faults";
const SETTINGS: &str = "Machinery: settings";
const LOOKING_BACK: &str = "Machinery: looking back";
const DELIVERIES: &str = "Machinery: deliveries";
const SUSPENSE: &str = "Machinery: suspense";
const HEALTH: &str = "Machinery: health";

/// The routes, a row each: who may call it, its handler, its description.
pub(crate) fn routes() -> Vec<Route> {
    let asked = [of_health(), of_worlds(), of_clock(), of_settings(), of_faults()];
    let told = [of_looking_back(), of_deliveries(), of_suspense()];
    asked.into_iter().chain(told).flatten().collect()
}

fn of_health() -> Vec<Route> {
    vec![
        get("/healthz", health::lives)
            .open()
            .operation(HEALTH, "readHealth", "Ask whether the process answers")
            .rules("wire/health")
            .gives(one::<health::Health>("It does."))
            .fails(&[]),
        get("/readyz", health::is_ready)
            .open()
            .operation(HEALTH, "readReadiness", "Ask whether the process takes requests")
            .rules("wire/health")
            .gives(one::<health::Health>("It does."))
            .fails(&[]),
        get("/metrics", health::metrics)
            .all_worlds()
            .operation(HEALTH, "readMetrics", "Read the figures of the process")
            .rules("wire/health")
            .gives(file(health::OPEN_METRICS, "The figures, as Prometheus reads them.")),
    ]
}

fn of_worlds() -> Vec<Route> {
    vec![
        get("/_sandbox/worlds", worlds::list).all_worlds().operation(WORLDS, "listWorlds", "List worlds").gives(many::<
            worlds::World,
        >(
            "The worlds, without secrets.",
        )),
        post("/_sandbox/worlds", worlds::make)
            .all_worlds()
            .operation(WORLDS, "makeWorld", "Make a world")
            .may_take::<worlds::MakeRequest>()
            .conflicts()
            .gives(one::<worlds::WorldLine>("Where it is, and who may use it.")),
        get("/_sandbox/worlds/{worldId}", worlds::read)
            .own_world(ScopeDemand::Token, RouteOwner::Partner)
            .operation(WORLDS, "readWorld", "Read a world")
            .gives(one::<worlds::World>("The world.")),
        delete("/_sandbox/worlds/{worldId}", worlds::remove)
            .own_world(ScopeDemand::Everything, RouteOwner::World(WorldAct::Drop))
            .operation(WORLDS, "dropWorld", "Drop a world")
            .gives(one::<worlds::World>("The world that is gone.")),
        post("/_sandbox/worlds/{worldId}/reset", worlds::reset)
            .own_world(ScopeDemand::Everything, RouteOwner::World(WorldAct::Reset))
            .operation(WORLDS, "resetWorld", "Put a world back to its start")
            .rules("calendar/what-goes-back")
            .about("Credentials and tokens stay good. Settings are as they were first; fault rules, webhooks and snapshots stay.")
            .gives(one::<worlds::World>("The world as it began.")),
        post("/_sandbox/worlds/{worldId}/fork", past::fork)
            .own_world(ScopeDemand::Everything, RouteOwner::Partner)
            .operation(WORLDS, "forkWorld", "Make a fork of a world, as it is or as it was")
            .rules("calendar/fork-names, auth/worlds-apart")
            .about(
                "The fork has credentials of its own, the settings of that moment and all that led to it; fault rules, webhooks and \
                 snapshots it has none.",
            )
            .may_take::<past::ForkRequest>()
            .conflicts()
            .gives(one::<worlds::WorldLine>("Where the fork is, and who may use it.")),
        post("/_sandbox/worlds/{worldId}/rewind", past::rewind)
            .own_world(ScopeDemand::Everything, RouteOwner::World(WorldAct::Rewind))
            .operation(WORLDS, "rewindWorld", "Put a world back to where it stood")
            .rules("calendar/history, calendar/what-goes-back")
            .about(
                "Credentials and tokens stay good. Sockets are told to leave. Settings are as they were then; fault rules, webhooks \
                 and snapshots stay.",
            )
            .takes::<past::RewindRequest>()
            .conflicts()
            .gives(one::<worlds::World>("The world as it was.")),
        get("/_sandbox/worlds/{worldId}/compare/{otherId}", compare::show)
            .all_worlds()
            .operation(WORLDS, "compareWorlds", "See what differs between two worlds")
            .rules("wire/comparison")
            .query(compare::wanted)
            .gives(one::<compare::Comparison>("What differs, by resource and by part of the world.")),
        get("/_sandbox/worlds/{worldId}/digest", worlds::digest)
            .own_world(ScopeDemand::Token, RouteOwner::Everybody)
            .operation(WORLDS, "readDigest", "Read the fingerprint of a world")
            .gives(one::<worlds::DigestShown>("Equal for equal worlds.")),
        get("/_sandbox/worlds/{worldId}/snapshots", worlds::snapshots)
            .own_world(ScopeDemand::Token, RouteOwner::Partner)
            .operation(WORLDS, "listSnapshots", "List snapshots")
            .gives(many::<worlds::Snapshot>("The snapshots of the world.")),
        post("/_sandbox/worlds/{worldId}/snapshots", worlds::snapshot)
            .own_world(ScopeDemand::Everything, RouteOwner::Partner)
            .operation(WORLDS, "keepSnapshot", "Keep a snapshot")
            .rules("calendar/snapshot-files")
            .may_take::<worlds::NameRequest>()
            .conflicts()
            .gives(one::<worlds::Snapshot>("The snapshot.")),
        get("/_sandbox/worlds/{worldId}/snapshots/{snapshotId}/file", past::file)
            .operator()
            .operation(WORLDS, "readSnapshotFile", "Read a snapshot as a file")
            .rules("calendar/snapshot-files")
            .about(
                "To be kept, or taken to another server. It holds no secrets of the server; what partners have written is in it, such \
                 as callback URLs with their queries.",
            )
            .gives(file("application/json", "The file.")),
        put("/_sandbox/worlds/{worldId}/snapshots/{snapshotId}/file", past::bring)
            .operator()
            .operation(WORLDS, "bringSnapshotFile", "Keep a snapshot from a file")
            .rules("calendar/snapshot-files")
            .about("The file of a world of the same seed, start and setup, from whichever server.")
            .takes_file()
            .conflicts()
            .gives(one::<worlds::Snapshot>("The snapshot.")),
        post("/_sandbox/worlds/{worldId}/snapshots/{snapshotId}/restore", worlds::restore)
            .own_world(ScopeDemand::Everything, RouteOwner::World(WorldAct::Restore))
            .operation(WORLDS, "restoreSnapshot", "Put a world back to a snapshot")
            .rules("calendar/what-goes-back")
            .gives(one::<worlds::World>("The world as it was.")),
    ]
}

fn of_clock() -> Vec<Route> {
    vec![
        get("/_sandbox/worlds/{worldId}/clock", clock::show)
            .own_world(ScopeDemand::Token, RouteOwner::Partner)
            .operation(CLOCK, "readClock", "Read the clock")
            .rules("calendar/virtual-clock")
            .gives(one::<clock::ClockShown>("The clock.")),
        patch("/_sandbox/worlds/{worldId}/clock", clock::change)
            .own_world(ScopeDemand::Everything, RouteOwner::World(WorldAct::Clock))
            .operation(CLOCK, "changeClock", "Change how time passes")
            .rules("calendar/clock-words")
            .may_take::<clock::ClockRequest>()
            .gives(one::<clock::ClockShown>("The clock.")),
        post("/_sandbox/worlds/{worldId}/clock/advance", clock::advance)
            .own_world(ScopeDemand::Everything, RouteOwner::World(WorldAct::Advance))
            .operation(CLOCK, "advance", "Let time pass at once")
            .rules("calendar/advance-until, calendar/advance-answer, calendar/advance-reach, calendar/advance-stops")
            .about("Exactly one of `by`, `to` and `until`. Every timer on the way fires at its own instant.")
            .may_take::<advance::AdvanceRequest>()
            .gives(one::<advance::Advanced>("What happened on the way."))
            .conflicts(),
    ]
}

fn of_settings() -> Vec<Route> {
    vec![
        get("/_sandbox/worlds/{worldId}/settings", settings::show_all)
            .own_world(ScopeDemand::Token, RouteOwner::Partner)
            .operation(SETTINGS, "readSettings", "Read settings")
            .gives(one::<settings::SettingsShown>("The settings; they can be sent back as they are.")),
        patch("/_sandbox/worlds/{worldId}/settings", settings::change)
            .own_world(ScopeDemand::Everything, RouteOwner::Partner)
            .operation(SETTINGS, "changeSettings", "Change settings")
            .rules("calendar/settings-change")
            .may_take::<settings::SettingsPatch>()
            .gives(one::<settings::SettingsShown>("The settings as they are now.")),
    ]
}

fn of_faults() -> Vec<Route> {
    vec![
        get("/_sandbox/worlds/{worldId}/faults", faults::list)
            .own_world(ScopeDemand::Token, RouteOwner::Partner)
            .operation(FAULTS, "listFaults", "List fault rules")
            .gives(many::<faults::Fault>("The rules, in the order in which they are tried.")),
        post("/_sandbox/worlds/{worldId}/faults", faults::add)
            .own_world(ScopeDemand::Everything, RouteOwner::Partner)
            .operation(FAULTS, "addFault", "Add a fault rule")
            .rules("events/fault-rules")
            .about("Where the machinery is shared, a partner's rule is about that partner alone.")
            .takes::<faults::FaultRequest>()
            .conflicts()
            .gives(one::<faults::Fault>("The rule.")),
        delete("/_sandbox/worlds/{worldId}/faults", faults::clear)
            .own_world(ScopeDemand::Everything, RouteOwner::Partner)
            .operation(FAULTS, "removeFaults", "Remove all fault rules")
            .gives(many::<faults::Fault>("The rules that are gone.")),
        get("/_sandbox/worlds/{worldId}/faults/bundles", faults::bundles)
            .own_world(ScopeDemand::Token, RouteOwner::Everybody)
            .operation(FAULTS, "listFaultBundles", "List bundles of fault rules")
            .gives(many::<faults::BundleShown>("What kinds of day there are.")),
        post("/_sandbox/worlds/{worldId}/faults/bundles", faults::add_bundle)
            .own_world(ScopeDemand::Everything, RouteOwner::Partner)
            .operation(FAULTS, "addFaultBundle", "Add a bundle of fault rules")
            .rules("events/fault-bundles")
            .takes::<faults::BundleRequest>()
            .conflicts()
            .gives(many::<faults::Fault>("The rules.")),
        get("/_sandbox/worlds/{worldId}/faults/{faultId}", faults::read)
            .own_world(ScopeDemand::Token, RouteOwner::Partner)
            .operation(FAULTS, "readFault", "Read a fault rule")
            .gives(one::<faults::Fault>("The rule, with what came of it.")),
        delete("/_sandbox/worlds/{worldId}/faults/{faultId}", faults::remove)
            .own_world(ScopeDemand::Everything, RouteOwner::Partner)
            .operation(FAULTS, "removeFault", "Remove a fault rule")
            .gives(one::<faults::Fault>("The rule that is gone.")),
    ]
}

fn of_looking_back() -> Vec<Route> {
    vec![
        get("/_sandbox/worlds/{worldId}/stream", stream::show)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(LOOKING_BACK, "watchWorld", "Be told when something is new")
            .rules("wire/stream")
            .about("Server-sent events: each says how far the clock, inputs, events, requests and deliveries go.")
            .gives(file("text/event-stream", "A message at once, and then whenever something is new.")),
        get("/_sandbox/worlds/{worldId}/requests", inspect::requests)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(LOOKING_BACK, "listRequests", "List requests")
            .rules("wire/request-log")
            .query(inspect::wanted)
            .gives(one::<inspect::RequestLog>("The last ones, newest first.")),
        get("/_sandbox/worlds/{worldId}/events", inspect::events)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(LOOKING_BACK, "listEvents", "List events")
            .rules("events/search, events/events-kept")
            .query(inspect::window)
            .gives(one::<inspect::EventList>("The events, oldest first.")),
        get("/_sandbox/worlds/{worldId}/journeys", journeys::list)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(LOOKING_BACK, "listJourneys", "List journeys")
            .about("The partner API reads a journey by its id alone.")
            .query(journeys::filters)
            .gives(one::<journeys::JourneyList<'_>>("The last ones, newest first.")),
        get("/_sandbox/worlds/{worldId}/books", books::show)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(LOOKING_BACK, "readBooks", "Read the ledger")
            .rules("money/books, money/double-entry")
            .gives(
                one::<books::BooksShown>(
                    "Every account with what it paid and received; as text for those who accept `text/plain`.",
                )
                .or_file("text/plain"),
            ),
        get("/_sandbox/worlds/{worldId}/accounts/{accountId}/picture.svg", picture::show)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(LOOKING_BACK, "drawAccount", "Draw the life of an account")
            .gives(file("image/svg+xml", "The picture.")),
        get("/_sandbox/worlds/{worldId}/accounts/{accountId}/company", company::show)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(LOOKING_BACK, "readCompany", "Read what is known of the company that owns an account")
            .rules("accounts/company-register")
            .about("What the register says, what the customer confirmed or corrected, and the answers of the questionnaire.")
            .gives(one::<company::CompanyShown>("The company as it was last confirmed.")),
        get("/_sandbox/worlds/{worldId}/fees", fees::of_clients)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(LOOKING_BACK, "listFees", "Read what was taken for clients")
            .gives(one::<fees::ClientFees>("What each client takes, what was taken, and where it went.")),
        get("/_sandbox/worlds/{worldId}/fees/{accountId}", fees::of_account)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(LOOKING_BACK, "readFees", "Read why the fees of an account are what they are")
            .gives(one::<fees::AccountFees>("What accrues, what was charged, what comes back.")),
        get("/_sandbox/worlds/{worldId}/why/{id}", why::show)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(LOOKING_BACK, "readWhy", "See how something came to be as it is")
            .rules("events/why, events/explanations")
            .about("The id is that of an event, of an order, a transaction, an account, a journey or a client, or of a delivery.")
            .query(values::limit)
            .gives(one::<why::Why>("The changes that made it so, each with what caused it.")),
        get("/_sandbox/worlds/{worldId}/scenario", recording::show)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(LOOKING_BACK, "readScenario", "Read what a world has seen, as a scenario file")
            .about(
                "Requests, levers, moves of the clock and pages in the order in which they were carried out, with what was \
                 answered; `fundsim run` plays it. Secrets are left out.",
            )
            .gives(file("application/yaml", "The file.")),
        get("/_sandbox/worlds/{worldId}/sockets", inspect::sockets)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(LOOKING_BACK, "listSockets", "List event sockets")
            .gives(many::<inspect::OpenSocket>("Those that are open.")),
        post("/_sandbox/worlds/{worldId}/sockets/close", inspect::close_sockets)
            .own_world(ScopeDemand::Everything, RouteOwner::Partner)
            .operation(LOOKING_BACK, "closeSockets", "Close event sockets")
            .rules("events/socket-end")
            .may_take::<inspect::CloseRequest>()
            .gives(one::<inspect::SocketsClosed>("How many.")),
    ]
}

fn of_deliveries() -> Vec<Route> {
    vec![
        get("/_sandbox/worlds/{worldId}/deliveries", deliveries::list)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(DELIVERIES, "listDeliveries", "List deliveries")
            .rules("events/delivery-retries, events/delivery-answer")
            .query(deliveries::filters)
            .gives(one::<deliveries::DeliveryList>("Newest first.")),
        get("/_sandbox/worlds/{worldId}/deliveries/{deliveryId}", deliveries::read)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(DELIVERIES, "readDelivery", "Read a delivery")
            .gives(one::<deliveries::DeliveryShown>("The delivery, with its attempts.")),
        post("/_sandbox/worlds/{worldId}/deliveries/{deliveryId}/replay", deliveries::replay)
            .own_world(ScopeDemand::Everything, RouteOwner::Partner)
            .operation(DELIVERIES, "replayDelivery", "Deliver once more")
            .about("To where its webhook is told now, at once.")
            .conflicts()
            .gives(one::<deliveries::DeliveryShown>("The delivery, queued again.")),
        get("/_sandbox/worlds/{worldId}/webhooks", webhooks::list)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(DELIVERIES, "listWebhooks", "List webhooks")
            .gives(many::<webhooks::WebhookShown>("The webhooks.")),
        post("/_sandbox/worlds/{worldId}/webhooks", webhooks::register)
            .own_world(ScopeDemand::Everything, RouteOwner::Partner)
            .operation(DELIVERIES, "registerWebhook", "Register a webhook")
            .rules("events/webhooks, events/signatures, events/egress")
            .takes::<webhooks::WebhookRequest>()
            .conflicts()
            .gives(one::<webhooks::WebhookShown>("The webhook, with its secret.")),
        delete("/_sandbox/worlds/{worldId}/webhooks", webhooks::clear)
            .own_world(ScopeDemand::Everything, RouteOwner::Partner)
            .operation(DELIVERIES, "removeWebhooks", "Remove all webhooks")
            .gives(many::<webhooks::WebhookShown>("What was removed.")),
        get("/_sandbox/worlds/{worldId}/webhooks/{webhookId}", webhooks::read)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(DELIVERIES, "readWebhook", "Read a webhook")
            .gives(one::<webhooks::WebhookShown>("The webhook.")),
        patch("/_sandbox/worlds/{worldId}/webhooks/{webhookId}", webhooks::change)
            .own_world(ScopeDemand::Everything, RouteOwner::Partner)
            .operation(DELIVERIES, "changeWebhook", "Change a webhook")
            .about(
                "One that has answered 410 is enabled again so; it is told what happens from then on. With another URL, what \
                 is queued for it goes there, too.",
            )
            .may_take::<webhooks::WebhookPatch>()
            .gives(one::<webhooks::WebhookShown>("The webhook as it is now.")),
        post("/_sandbox/worlds/{worldId}/webhooks/{webhookId}/rotate", webhooks::rotate)
            .own_world(ScopeDemand::Everything, RouteOwner::Partner)
            .operation(DELIVERIES, "rotateWebhookSecret", "Give a webhook another secret")
            .rules("events/secret-rotation")
            .about("Until the overlap ends, all that is sent carries a signature of each.")
            .may_take::<webhooks::RotateRequest>()
            .gives(one::<webhooks::WebhookShown>("The webhook, with its new secret.")),
        post("/_sandbox/worlds/{worldId}/webhooks/{webhookId}/test", webhooks::test)
            .own_world(ScopeDemand::Everything, RouteOwner::Partner)
            .operation(DELIVERIES, "testWebhook", "Send a webhook a test message")
            .about("Its `event-type` is `webhook.test`.")
            .gives(one::<deliveries::DeliveryShown>("The delivery, queued.")),
        post("/_sandbox/worlds/{worldId}/webhooks/{webhookId}/replay", webhooks::replay)
            .own_world(ScopeDemand::Everything, RouteOwner::Partner)
            .operation(DELIVERIES, "replayWebhook", "Tell a webhook once more what happened")
            .about("All that is kept since an instant, in the order in which it happened, what it was not told of included.")
            .takes::<webhooks::ReplayRequest>()
            .gives(one::<webhooks::ReplayShown>("How much.")),
        delete("/_sandbox/worlds/{worldId}/webhooks/{webhookId}", webhooks::remove)
            .own_world(ScopeDemand::Everything, RouteOwner::Partner)
            .operation(DELIVERIES, "removeWebhook", "Remove a webhook")
            .rules("events/webhook-gone")
            .gives(one::<webhooks::WebhookShown>("What was removed.")),
    ]
}

fn of_suspense() -> Vec<Route> {
    vec![
        get("/_sandbox/worlds/{worldId}/suspense", suspense::list)
            .operator()
            .operation(SUSPENSE, "listSuspense", "List money in suspense")
            .rules("payments/suspense")
            .gives(many::<SuspenseItem<'_>>("In the order in which it came.")),
        post("/_sandbox/worlds/{worldId}/suspense/{suspenseId}/allocate", suspense::allocate)
            .operator()
            .operation(SUSPENSE, "allocateSuspense", "Give money in suspense to an account")
            .rules("payments/suspense")
            .takes::<suspense::AllocateRequest>()
            .gives(one::<SuspenseItem<'_>>("The item, allocated."))
            .conflicts(),
        post("/_sandbox/worlds/{worldId}/suspense/{suspenseId}/return", suspense::give_back)
            .operator()
            .operation(SUSPENSE, "returnSuspense", "Send money in suspense back to its payer")
            .rules("payments/suspense")
            .gives(one::<SuspenseItem<'_>>("The item, returned."))
            .conflicts(),
    ]
}
