//! Carrying stories out, and runs that are drawn by chance: drivers, and what comes back.
//!
//! A story (`language`) is read from a file or generated, and carried out by `runner` through one of the `drivers`: in process, over
//! a simulated network, or against a live server. Absent on purpose: any knowledge of how a rule of the service is implemented.
//!
//! # Files
//!
//! | file | owns |
//! |---|---|
//! | `runner/blocks.rs` `events.rs` `awaited.rs` | steps in turn, repeated or on conditions, soft failures; frames and words of the connection |
//! | `runner/session.rs` `session/` | one story in one world: who asks with which token, sockets, names, the order of a step, why a failed one failed |
//! | `runner/requests.rs` `judge.rs` `clock.rs` | what a row sends, whether the response is as expected, how the clock moves |
//! | `runner/browser.rs` `pages.rs` | the customer's browser: fills forms in, follows redirects |
//! | `runner/received_posts.rs` `posts.rs` `callbacks.rs` `webhooks.rs` | what the partner's own server got, each post taken once, its signature checked |
//! | `foreign/` `runner/foreign.rs` `foreign_run.rs` `heard.rs` `references.rs` | a server that is no fundsim: its partners, the description of the API as a judge of answers and events, counts by chapter; which steps it can be asked; what its sockets have told; references of a run's own |
//! | `drivers/` | carrying requests, frames and posts: in process, over a simulated network, over TCP; `probe.rs`, what a server that is no fundsim is asked first; `planted.rs`, faults of the surface that only tests can plant |
//! | `transcript.rs` `runner/suite.rs` `report/` | what was said as stable text; goldens; what people and machines are shown |
//! | `transcript/body.rs` `differences.rs` `due.rs` `wrap.rs` `masks.rs` | how a body, two bodies, due things, a long line and a secret are shown |
//! | `transcript/exchanges.rs` | the same requests, answers and events whole, for tests that judge bodies |
//! | `transcript/moments.rs` `report/html/` | what can be drawn of a run; where it stands on a line of simulated time (`timeline.rs`), and as SVG (`svg.rs`) |

pub mod drivers;
pub mod foreign;
pub mod fuzz;
pub mod generate;
pub mod record;
pub mod report;
pub mod runner;
pub mod shrink;
pub mod transcript;
