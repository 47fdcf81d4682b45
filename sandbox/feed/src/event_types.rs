//! The names of what is sent to the outside: the types of events, callbacks and test messages.

/// The events there are, as a filter names them.
pub const EVENT_TYPES: [&str; 17] = [
    "account.create",
    "account.update",
    "account.delete",
    "client.update",
    "client.delete",
    "cashTransaction.create",
    "cashTransaction.update",
    "cashTransaction.delete",
    "fundTransaction.create",
    "fundTransaction.update",
    "fundTransaction.delete",
    "order.create",
    "order.update",
    "order.delete",
    "instrument.reloaded",
    "journey.update",
    "journey.delete",
];

/// What a journey callback is called in its `event-type` header: no event has this name, since its body is its own.
pub const CALLBACK: &str = "journey.callback";

/// What a test message is called in its `event-type` header.
pub const TEST: &str = "webhook.test";

/// The event types of these names.
#[must_use]
pub fn event_types(names: &[String]) -> Vec<&'static str> {
    names.iter().filter_map(|name| event_type(name)).collect()
}

/// The event type of this name.
#[must_use]
pub fn event_type(name: &str) -> Option<&'static str> {
    EVENT_TYPES.into_iter().find(|known| *known == name)
}
