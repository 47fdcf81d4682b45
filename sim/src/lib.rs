//! The fund-distribution world: a pure function of its setup, seed, start and inputs.
//!
//! Owns every decision about money, units, states and days. Absent on purpose: async, sockets, JSON text, the wall
//! clock, operating-system randomness, floats and unordered maps.
//!
//! # Files
//!
//! | file | owns |
//! |---|---|
//! | `command.rs` `reply.rs` `refusal.rs` `event.rs` | the four closed vocabularies |
//! | `outbox.rs` | callbacks for the outside: journey callbacks |
//! | `setup.rs` `settings.rs` | what a world starts from; every tunable of the rules in one table |
//! | `input.rs` | the one way in: inputs, outcomes, causes, the version of the rules, the answers remembered |
//! | `engine.rs` | the opening of a world, `submit` and its short forms, `replay` |
//! | `history.rs` | what accounts of a setup's `history` have lived through before the start: commands drawn from the seed |
//! | `world.rs` `id_sources.rs` | the state, its digest, its events; names that no store draws: account references, codes, people |
//! | `store.rs` `store/` | one ordered collection per resource, with its indexes (positions by id, client and account) and the source of its ids; all in chunks that copies of a world share |
//! | `timers.rs` `timers/` | what is due when; ties by creation |
//! | `records/` | by topic, one file a resource: the record the world keeps and events carry (`Arc`, copied on change) |
//! | `machines/` | one life cycle, one file, one `const TABLE` |
//! | `flows/` | what a command or a timer does: checks in order of precedence, point of no return, step, book, emit |
//! | `ledger.rs` | double entry: the only writer of cash, units, balances and positions; what a booking means is its row in `records/accounts/booking.rs` |
//! | `movements.rs` | what has ever changed the worth of each account, in order of time: gathered from the transactions at the first query, kept up by the ledger from then on |
//! | `valuation.rs` `valuation/` | what accounts are worth now, and were at any midnight: their movements, with prices at midnights that many accounts share |
//! | `market.rs` `market/` | funds' dealing days, published prices and rates |
//! | `scope.rs` | what a partner or a client can reach by an id |
//! | `query/` | listing, filters, derived values; `explanation.rs`: why something is in its state, and until when |
//! | `time.rs calendar.rs money.rs identity/ ids.rs rng.rs walk.rs digest.rs` | parts with laws of their own |
//! | `people.rs` `people/` | made-up people and companies: `fake` draws them from a stream of the world's, from Swedish lists (`locales.rs`) |
//! | `partial.rs` `recorded.rs` | requests known in part; values recorded as text |
//! | `canary.rs` | faults that only tests can plant (feature `canaries`) |
//!
//! An [`Input`] is a command, time that passes, other settings or permissions, or a decision of the host in its own words; it carries a
//! format, an instant (the world's now where that is later) and perhaps a request id, whose accepted answer is remembered. Each event
//! names its cause: the input's number, and the request or timer behind it. A `World` that serde writes and reads back has
//! the same digest and continues equally.
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! digest, recorded, rng
//! canary, money, time
//! calendar, ids, refusal, settings, walk
//! identity, machines, quarter
//! id_sources, partial, timers
//! records
//! command, outbox, people, reply, store
//! input, movements, register
//! event, setup
//! market
//! world
//! history, ledger, scope, valuation
//! flows
//! engine, query
//! ```

pub mod calendar;
pub mod digest;
pub mod identity;
pub mod ids;
pub mod money;
mod movements;
pub mod rng;
pub mod time;
pub mod walk;

pub mod canary;
pub mod command;
mod engine;
pub mod event;
pub mod flows;
mod history;
mod id_sources;
pub mod input;
pub mod ledger;
pub mod machines;
pub mod market;
pub mod outbox;
pub mod partial;
pub mod people;
pub mod quarter;
pub mod query;
mod recorded;
pub mod records;
pub mod refusal;
pub mod register;
pub mod reply;
mod scope;
pub mod settings;
pub mod setup;
pub mod store;
pub mod timers;
mod valuation;
pub mod world;

pub use command::Command;
pub use event::{Change, Delta, Event};
pub use input::Input;
pub use outbox::Callback;
pub use refusal::{Class, Fault, Problem, Refusal};
pub use reply::Reply;
pub use world::World;

#[cfg(test)]
mod laws;
