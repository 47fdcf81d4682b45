//! A partner's own copy of what the service holds, kept true by sockets or webhooks in any weather: the pattern to copy.
//!
//! Owns: what a consumer does with an event, when it reads instead, when it connects, and how it checks a signature. It is
//! plain on purpose: `copy` decides and asks for nothing by itself, `follow` connects and reads, and both know the service
//! only through the few requests of `Service`. Invariant: whatever is lost, doubled, late, out of order or forged on the
//! way, the copy equals the service's state once the way is clear and one reconciliation is through (rule:
//! events/consumer-pattern). Absent on purpose: storage, threads, and anything that only this simulator offers.

pub mod copy;
pub mod follow;
