//! A partner's own copy of what the service holds, kept true by sockets or webhooks over any network: the pattern to copy.
//!
//! Owns: what a consumer does with an event (`copy`), what it asks the service for (`ask`), how it checks a webhook (`webhook`),
//! and when it connects and reads (`follow`). It is plain on purpose: `copy` decides and sends nothing by itself, and the
//! service is known only through the few requests of `Service`. Invariant: whatever is lost, doubled, late, out of order or forged on the way, the copy
//! equals the service's state once the way is clear and everything was read once (rule: events/consumer-pattern).
//!
//! # Files
//!
//! | file | owns |
//! |---|---|
//! | `copy.rs` | the copy itself: what an event or an answer makes of it, and what is to be asked then |
//! | `ask.rs` | the resources that can be asked for, and where |
//! | `webhook.rs` | whether a post is the service's, new and of this hour |
//! | `follow.rs` | when to connect and what to read, by sockets or by webhooks |
//!
//! It never knows anything that only this simulator offers: no crate of it, no storage, no threads.
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! ask
//! copy
//! follow, webhook
//! ```

pub mod ask;
pub mod copy;
pub mod follow;
pub mod webhook;
