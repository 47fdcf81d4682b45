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
mod coverage;
mod deliveries;
mod faults;
mod fees;
mod health;
mod inspect;
mod journeys;
mod past;
mod pictures;
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

use self::request::Target;
pub use self::worlds::line;
use drawing::table::PICTURES;
use hosting::partners_may::WorldAct;
use surface::auth::ScopeDemand;
use surface::extract::Query;
use surface::route::{Route, RouteOwner, delete, file, get, many, one, patch, post, put};
use wire::payments::suspense::SuspenseItem;

const WORLDS: &str = "Machinery: worlds";
const CLOCK: &str = "Machinery: clock";
const FAULTS: &str = "Machinery: faults";
const SETTINGS: &str = "Machinery: settings";
const LOOKING_BACK: &str = "Machinery: looking back";
const DELIVERIES: &str = "Machinery: deliveries";
const SUSPENSE: &str = "Machinery: suspense";
const HEALTH: &str = "Machinery: health";

/// The routes, a row each: who may call it, its handler, its description. `rows` are those of all planes.
pub(crate) fn routes(rows: fn() -> Vec<&'static Route>) -> Vec<Route> {
    let asked = [of_health(), of_worlds(), of_clock(), of_settings(), of_faults()];
    let groups = [of_looking_back(rows), of_deliveries(), of_suspense()];
    asked.into_iter().chain(groups).flatten().collect()
}

fn of_health() -> Vec<Route> {
    vec![
        get("/healthz", health::lives)
            .open()
            .operation(HEALTH, "readHealth", "Check that the process responds")
            .rules("wire/health")
            .gives(one::<health::Health>("The service responds."))
            .fails(&[]),
        get("/readyz", health::is_ready)
            .open()
            .operation(HEALTH, "readReadiness", "Check that the process accepts requests")
            .rules("wire/health")
            .gives(one::<health::Health>("The service responds."))
            .fails(&[]),
        get("/metrics", health::metrics)
            .all_worlds()
            .operation(HEALTH, "readMetrics", "Read the metrics of the process")
            .rules("wire/health")
            .gives(file(health::OPEN_METRICS, "The metrics in the Prometheus format.")),
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
            .operation(WORLDS, "makeWorld", "Create a world")
            .may_take::<worlds::MakeRequest>()
            .conflicts()
            .gives(one::<worlds::WorldLine>("The world, with its address and credentials.")),
        get("/_sandbox/worlds/{worldId}", worlds::read)
            .own_world(ScopeDemand::Token, RouteOwner::Partner)
            .operation(WORLDS, "readWorld", "Read a world")
            .gives(one::<worlds::World>("The world.")),
        delete("/_sandbox/worlds/{worldId}", worlds::remove)
            .own_world(ScopeDemand::Everything, RouteOwner::World(WorldAct::Drop))
            .operation(WORLDS, "dropWorld", "Delete a world")
            .gives(one::<worlds::World>("The deleted world.")),
        post("/_sandbox/worlds/{worldId}/reset", worlds::reset)
            .own_world(ScopeDemand::Everything, RouteOwner::World(WorldAct::Reset))
            .operation(WORLDS, "resetWorld", "Reset a world to its start")
            .rules("calendar/what-goes-back")
            .about("Credentials and tokens stay valid. Settings return to their first values. Fault rules, webhooks and snapshots stay.")
            .gives(one::<worlds::World>("The world at its start.")),
        post("/_sandbox/worlds/{worldId}/fork", past::fork)
            .own_world(ScopeDemand::Everything, RouteOwner::Partner)
            .operation(WORLDS, "forkWorld", "Fork a world, from now or from a past moment")
            .rules("calendar/fork-names, auth/worlds-apart")
            .about(
                "The fork has its own credentials, and the history and settings up to that moment. It has no fault rules, \
                 webhooks or snapshots.",
            )
            .may_take::<past::ForkRequest>()
            .conflicts()
            .gives(one::<worlds::WorldLine>("The fork, with its address and credentials.")),
        post("/_sandbox/worlds/{worldId}/rewind", past::rewind)
            .own_world(ScopeDemand::Everything, RouteOwner::World(WorldAct::Rewind))
            .operation(WORLDS, "rewindWorld", "Rewind a world to a past moment")
            .rules("calendar/history, calendar/what-goes-back")
            .about(
                "Credentials and tokens stay valid. The server closes all event sockets. Settings return to their values of \
                 that moment. Fault rules, webhooks and snapshots stay.",
            )
            .takes::<past::RewindRequest>()
            .conflicts()
            .gives(one::<worlds::World>("The world at that moment.")),
        get("/_sandbox/worlds/{worldId}/compare/{otherId}", compare::show)
            .all_worlds()
            .operation(WORLDS, "compareWorlds", "Compare two worlds")
            .rules("wire/comparison")
            .query(compare::wanted)
            .gives(one::<compare::Comparison>("The differences, by resource and by part of the world.")),
        get("/_sandbox/worlds/{worldId}/digest", worlds::digest)
            .own_world(ScopeDemand::Token, RouteOwner::Everybody)
            .operation(WORLDS, "readDigest", "Read the fingerprint of a world")
            .gives(one::<worlds::DigestShown>("Equal for equal worlds.")),
        get("/_sandbox/worlds/{worldId}/capsule", past::capsule)
            .operator()
            .operation(WORLDS, "readCapsule", "Download a world with all that led to it")
            .rules("wire/capsules")
            .about(
                "`fundsim open` serves the file. It contains no secrets of the server, but all that partners wrote, such as \
                 callback URLs with their queries.",
            )
            .gives(file("application/json", "The file.")),
        get("/_sandbox/worlds/{worldId}/snapshots", worlds::snapshots)
            .own_world(ScopeDemand::Token, RouteOwner::Partner)
            .operation(WORLDS, "listSnapshots", "List snapshots")
            .gives(many::<worlds::Snapshot>("The snapshots of the world.")),
        post("/_sandbox/worlds/{worldId}/snapshots", worlds::snapshot)
            .own_world(ScopeDemand::Everything, RouteOwner::Partner)
            .operation(WORLDS, "keepSnapshot", "Take a snapshot")
            .rules("calendar/snapshot-files")
            .may_take::<worlds::NameRequest>()
            .conflicts()
            .gives(one::<worlds::Snapshot>("The snapshot.")),
        get("/_sandbox/worlds/{worldId}/snapshots/{snapshotId}/file", past::file)
            .operator()
            .operation(WORLDS, "readSnapshotFile", "Download a snapshot as a file")
            .rules("calendar/snapshot-files")
            .about(
                "Another server accepts the file. It contains no secrets of the server, but all that partners wrote, such as \
                 callback URLs with their queries.",
            )
            .gives(file("application/json", "The file.")),
        put("/_sandbox/worlds/{worldId}/snapshots/{snapshotId}/file", past::bring)
            .operator()
            .operation(WORLDS, "bringSnapshotFile", "Upload a snapshot from a file")
            .rules("calendar/snapshot-files")
            .about("The file may come from any server. Its world must have the same seed, start and setup.")
            .takes_file()
            .conflicts()
            .gives(one::<worlds::Snapshot>("The snapshot.")),
        post("/_sandbox/worlds/{worldId}/snapshots/{snapshotId}/restore", worlds::restore)
            .own_world(ScopeDemand::Everything, RouteOwner::World(WorldAct::Restore))
            .operation(WORLDS, "restoreSnapshot", "Restore a snapshot")
            .rules("calendar/what-goes-back")
            .gives(one::<worlds::World>("The world at that moment.")),
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
            .operation(CLOCK, "changeClock", "Change the mode of the clock")
            .rules("calendar/clock-words")
            .may_take::<clock::ClockRequest>()
            .gives(one::<clock::ClockShown>("The clock.")),
        post("/_sandbox/worlds/{worldId}/clock/advance", clock::advance)
            .own_world(ScopeDemand::Everything, RouteOwner::World(WorldAct::Advance))
            .operation(CLOCK, "advance", "Advance the clock")
            .rules("calendar/advance-until, calendar/advance-answer, calendar/advance-reach, calendar/advance-stops")
            .about("Give exactly one of `by`, `to` and `until`. Every timer up to there fires at its own instant.")
            .may_take::<advance::AdvanceRequest>()
            .gives(one::<advance::Advanced>("The timers that fired."))
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
            .gives(one::<settings::SettingsShown>("The changed settings.")),
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
            .about("On a shared world, a partner's rule applies to that partner only.")
            .takes::<faults::FaultRequest>()
            .conflicts()
            .gives(one::<faults::Fault>("The rule.")),
        delete("/_sandbox/worlds/{worldId}/faults", faults::clear)
            .own_world(ScopeDemand::Everything, RouteOwner::Partner)
            .operation(FAULTS, "removeFaults", "Remove all fault rules")
            .gives(many::<faults::Fault>("The removed rules.")),
        get("/_sandbox/worlds/{worldId}/faults/bundles", faults::bundles)
            .own_world(ScopeDemand::Token, RouteOwner::Everybody)
            .operation(FAULTS, "listFaultBundles", "List bundles of fault rules")
            .gives(many::<faults::BundleShown>("The bundles.")),
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
            .gives(one::<faults::Fault>("The rule, with its counts.")),
        delete("/_sandbox/worlds/{worldId}/faults/{faultId}", faults::remove)
            .own_world(ScopeDemand::Everything, RouteOwner::Partner)
            .operation(FAULTS, "removeFault", "Remove a fault rule")
            .gives(one::<faults::Fault>("The removed rule.")),
    ]
}

fn of_looking_back(rows: coverage::Rows) -> Vec<Route> {
    vec![
        get("/_sandbox/worlds/{worldId}/coverage", async move |target: Target, query: Query| {
            coverage::show(rows, target, query).await
        })
        .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
        .operation(LOOKING_BACK, "readCoverage", "Read what integrations have met, and what never")
        .rules("wire/coverage")
        .about(
            "Answers, refusals, states, reasons, events, deliveries and days, each group with what was never met first, and with \
             the requests that make it happen. A partner is shown its own.",
        )
        .query(coverage::wanted)
        .gives(one::<coverage::Coverage>("The groups, with what was met and what never.")),
        get("/_sandbox/worlds/{worldId}/stream", stream::show)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(LOOKING_BACK, "watchWorld", "Stream changes of a world")
            .rules("wire/stream")
            .about("Server-sent events. Each message has the clock's time and the last numbers of inputs, events, requests and deliveries.")
            .gives(file("text/event-stream", "One message immediately, then one for each change.")),
        get("/_sandbox/worlds/{worldId}/requests", inspect::requests)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(LOOKING_BACK, "listRequests", "List requests")
            .rules("wire/request-log")
            .query(inspect::wanted)
            .gives(one::<inspect::RequestLog>("The latest requests, newest first.")),
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
            .gives(one::<journeys::JourneyList<'_>>("The latest journeys, newest first.")),
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
        get("/_sandbox/worlds/{worldId}/pictures", pictures::list)
            .own_world(ScopeDemand::Token, RouteOwner::Everybody)
            .operation(LOOKING_BACK, "listPictures", "List the pictures of a world")
            .rules("wire/pictures")
            .gives(many::<pictures::PictureShown>("The pictures, with what each is asked with.")),
        get("/_sandbox/worlds/{worldId}/pictures/{pictureName}", pictures::show)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(LOOKING_BACK, "drawPicture", "Draw a picture of a world")
            .rules("wire/pictures")
            .words("pictureName", PICTURES.iter().map(|row| row.name))
            .query(pictures::wanted)
            .gives(file("image/svg+xml", "The picture.").or_file("text/plain").or_file("application/json")),
        get("/_sandbox/worlds/{worldId}/accounts/{accountId}/picture.svg", pictures::account::show)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(LOOKING_BACK, "drawAccount", "Draw the history of an account")
            .gives(file("image/svg+xml", "The diagram.")),
        get("/_sandbox/worlds/{worldId}/accounts/{accountId}/company", company::show)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(LOOKING_BACK, "readCompany", "Read the company data of the owner of an account")
            .rules("accounts/company-register")
            .about("The data of the company register, the customer's corrections to it, and the answers to the questionnaire.")
            .gives(one::<company::CompanyShown>("The company data as last confirmed.")),
        get("/_sandbox/worlds/{worldId}/fees", fees::of_clients)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(LOOKING_BACK, "listFees", "Read the fees of clients")
            .gives(one::<fees::ClientFees>("For each client: the terms of its fees, the fees taken, and the payments of them.")),
        get("/_sandbox/worlds/{worldId}/fees/{accountId}", fees::of_account)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(LOOKING_BACK, "readFees", "Explain the fees of an account")
            .gives(one::<fees::AccountFees>("Accruing fees, charged fees and rebates.")),
        get("/_sandbox/worlds/{worldId}/why/{id}", why::show)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(LOOKING_BACK, "readWhy", "Explain the state of a resource, an event or a delivery")
            .rules("events/why, events/explanations")
            .about("Takes the id of an event, an order, a transaction, an account, a journey, a client or a delivery.")
            .query(values::limit)
            .gives(one::<why::Why>("The changes, each with its cause.")),
        get("/_sandbox/worlds/{worldId}/scenario", recording::show)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(LOOKING_BACK, "readScenario", "Export the recording of a world as a scenario file")
            .about(
                "Requests, levers, advances of the clock and pages in the order of execution, each with its response. \
                 `fundsim run` plays the file. It contains no secrets.",
            )
            .gives(file("application/yaml", "The file.")),
        get("/_sandbox/worlds/{worldId}/sockets", inspect::sockets)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(LOOKING_BACK, "listSockets", "List event sockets")
            .gives(many::<inspect::OpenSocket>("The open sockets.")),
        post("/_sandbox/worlds/{worldId}/sockets/close", inspect::close_sockets)
            .own_world(ScopeDemand::Everything, RouteOwner::Partner)
            .operation(LOOKING_BACK, "closeSockets", "Close event sockets")
            .rules("events/socket-end")
            .may_take::<inspect::CloseRequest>()
            .gives(one::<inspect::SocketsClosed>("The number of closed sockets.")),
    ]
}

fn of_deliveries() -> Vec<Route> {
    vec![
        get("/_sandbox/worlds/{worldId}/deliveries", deliveries::list)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(DELIVERIES, "listDeliveries", "List deliveries")
            .rules("events/delivery-retries, events/delivery-answer, events/delivery-cursor")
            .query(deliveries::filters)
            .gives(one::<deliveries::DeliveryList>("Newest first; with `after`, oldest first.")),
        get("/_sandbox/worlds/{worldId}/deliveries/{deliveryId}", deliveries::read)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(DELIVERIES, "readDelivery", "Read a delivery")
            .gives(one::<deliveries::DeliveryShown>("The delivery, with its attempts.")),
        get("/_sandbox/worlds/{worldId}/deliveries/{deliveryId}/message", deliveries::message)
            .own_world(ScopeDemand::EveryRead, RouteOwner::Partner)
            .operation(DELIVERIES, "readDeliveryMessage", "Read a delivery as it is sent")
            .rules("events/delivery-message, events/signatures")
            .about(
                "Headers and body as the last attempt has sent them, or as the first one will. `fundsim listen` forwards them to a server \
                 that the sandbox does not reach.",
            )
            .conflicts()
            .gives(one::<deliveries::MessageShown>("The message, with its signatures.")),
        post("/_sandbox/worlds/{worldId}/deliveries/{deliveryId}/replay", deliveries::replay)
            .own_world(ScopeDemand::Everything, RouteOwner::Partner)
            .operation(DELIVERIES, "replayDelivery", "Replay a delivery")
            .about("The delivery is attempted immediately, at the present URL of its webhook.")
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
                "`enabled: true` enables a webhook again that has answered 410; it receives events from then on. Queued \
                 deliveries go to a changed URL, too.",
            )
            .may_take::<webhooks::WebhookPatch>()
            .gives(one::<webhooks::WebhookShown>("The changed webhook.")),
        post("/_sandbox/worlds/{worldId}/webhooks/{webhookId}/rotate", webhooks::rotate)
            .own_world(ScopeDemand::Everything, RouteOwner::Partner)
            .operation(DELIVERIES, "rotateWebhookSecret", "Rotate the secret of a webhook")
            .rules("events/secret-rotation")
            .about("Until the overlap ends, every delivery has a signature by each of the two secrets.")
            .may_take::<webhooks::RotateRequest>()
            .gives(one::<webhooks::WebhookShown>("The webhook, with its new secret.")),
        post("/_sandbox/worlds/{worldId}/webhooks/{webhookId}/test", webhooks::test)
            .own_world(ScopeDemand::Everything, RouteOwner::Partner)
            .operation(DELIVERIES, "testWebhook", "Send a webhook a test message")
            .about("Its `event-type` is `webhook.test`.")
            .gives(one::<deliveries::DeliveryShown>("The delivery, queued.")),
        post("/_sandbox/worlds/{worldId}/webhooks/{webhookId}/replay", webhooks::replay)
            .own_world(ScopeDemand::Everything, RouteOwner::Partner)
            .operation(DELIVERIES, "replayWebhook", "Replay events to a webhook")
            .about("Queues all kept events since an instant, in their order, including those that the webhook has never received.")
            .takes::<webhooks::ReplayRequest>()
            .gives(one::<webhooks::ReplayShown>("The number of queued events, and where to continue.")),
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
            .gives(many::<SuspenseItem<'_>>("Oldest first.")),
        post("/_sandbox/worlds/{worldId}/suspense/{suspenseId}/allocate", suspense::allocate)
            .operator()
            .operation(SUSPENSE, "allocateSuspense", "Allocate money in suspense to an account")
            .rules("payments/suspense")
            .takes::<suspense::AllocateRequest>()
            .gives(one::<SuspenseItem<'_>>("The item, allocated."))
            .conflicts(),
        post("/_sandbox/worlds/{worldId}/suspense/{suspenseId}/return", suspense::give_back)
            .operator()
            .operation(SUSPENSE, "returnSuspense", "Return money in suspense to its payer")
            .rules("payments/suspense")
            .gives(one::<SuspenseItem<'_>>("The item, returned."))
            .conflicts(),
    ]
}
