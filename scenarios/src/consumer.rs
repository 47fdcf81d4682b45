//! A partner's own copy of what the service holds, kept true by sockets or webhooks in any weather: the pattern to copy.
//!
//! Owns: what a consumer does with an event (`copy`), what it asks the service for (`ask`), how it checks a webhook (`webhook`),
//! and when it connects and reads (`follow`). It is plain on purpose: `copy` decides and sends nothing by itself, and the
//! service is known only through the few requests of `Service`. Invariant: whatever is lost, doubled, late, out of order or forged on the way, the copy
//! equals the service's state once the way is clear and everything was read once (rule: events/consumer-pattern).
//! Absent on purpose: storage, threads, and anything that only this simulator offers; nothing of it is used here.

pub mod ask;
pub mod copy;
pub mod follow;
pub mod webhook;
