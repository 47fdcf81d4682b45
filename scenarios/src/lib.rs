//! Stories about the fund-distribution service: how they are written, carried out, judged and reported.
//!
//! One abstract story (`ast`) is read from a file (`parse`) or generated, and carried out by `runner` through one of the
//! `drivers`: in process, over a simulated network, or against a live server. Absent on purpose: any knowledge of how a
//! rule of the service is implemented.
//!
//! # Files
//!
//! > A file becomes a story, a story becomes requests, and whatever comes back is told and judged.
//!
//! | file | owns |
//! |---|---|
//! | `words/` | every word of the language, once, a row each: parser, writer, schema, hints, `explain` and requests follow it |
//! | `ast/` `parse/` `write.rs` | a story as data, from a file and back to an equal one |
//! | `routes.rs` `fields.rs` | where calls lead, and which names are slips of fields |
//! | `template.rs` `expression.rs` `path.rs` | `{name.path}` in texts, exact sums, paths and queries into values |
//! | `parse/late.rs` `filled.rs` | steps that are read when they run, since a name stands where their meaning is decided |
//! | `runner/blocks.rs` `events.rs` `awaited.rs` | steps in turn, repeated or on conditions, soft failures; frames and words of the connection |
//! | `runner/session.rs` `session/` | one story in one world: who asks with which token, sockets, names, the order of a step, why a failed one failed |
//! | `runner/requests.rs` `judge.rs` `clock.rs` | what a row sends, whether the response is as expected, how the clock moves |
//! | `page/` `runner/browser.rs` `pages.rs` | the customer's browser: reads hosted pages by labels and legends, fills forms in, follows redirects |
//! | `runner/received_posts.rs` `posts.rs` `callbacks.rs` `webhooks.rs` | what the partner's own server got, each post taken once, its signature checked |
//! | `foreign/` `runner/foreign.rs` `foreign_run.rs` `heard.rs` `references.rs` | a server that is no fundsim: its partners, the description of the API as a judge of answers and events, counts by chapter; which steps it can be asked; what its sockets have told; references of a run's own |
//! | `drivers/` | carrying requests, frames and posts: in process, over a simulated network, over TCP; `probe.rs`, what a server that is no fundsim is asked first; `planted.rs`, faults of the surface that only tests can plant |
//! | `transcript.rs` `runner/suite.rs` `report/` | what was said as stable text; goldens; what people and machines are shown |
//! | `transcript/body.rs` `differences.rs` `due.rs` `wrap.rs` `masks.rs` | how a body, two bodies, due things, a long line and a secret are shown |
//! | `transcript/exchanges.rs` | the same requests, answers and events whole, for tests that judge bodies |
//! | `transcript/moments.rs` `report/html/` | what can be drawn of a run; where it stands on a line of simulated time (`timeline.rs`), and as SVG (`svg.rs`) |

pub mod ast;
pub mod check;
pub mod consumer;
pub mod diagnostic;
pub mod drivers;
pub mod exact;
pub mod expression;
pub mod fields;
pub mod foreign;
pub mod fuzz;
pub mod generate;
pub mod lint;
pub mod matching;
pub mod model;
mod page;
pub mod parse;
pub mod path;
pub mod record;
pub mod report;
pub mod routes;
pub mod runner;
pub mod schema;
pub mod shrink;
pub mod template;
pub mod transcript;
pub mod tree;
pub mod words;
pub mod write;
