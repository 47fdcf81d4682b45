//! Carrying stories out: what sends a story's requests, judges what comes back, and shows what was exchanged.
//!
//! One abstract story (`language::ast`) is carried out by `run` through one of the `drivers`: in process, over a simulated network, or
//! against a live server. A server that is no fundsim is met through `foreign`.
//!
//! # Files
//!
//! | file | owns |
//! |---|---|
//! | `run/blocks.rs` `events.rs` `awaited.rs` `frames.rs` | steps in turn, repeated or on conditions, soft failures; frames and words of the connection; frames as generated runs take them |
//! | `run/session.rs` `session/` | one story in one world: who asks with which token, sockets, names, the order of a step, why a failed one failed |
//! | `run/requests.rs` `judge.rs` `clock.rs` | what a row sends, whether the response is as expected, how the clock moves |
//! | `run/browser.rs` `pages.rs` | the customer's browser: fills forms in, follows redirects |
//! | `run/received_posts.rs` `posts.rs` `callbacks.rs` `webhooks.rs` | what the partner's own server got, each post taken once, its signature checked |
//! | `run/application.rs` `joined_world.rs` `session/joining.rs` | an application under test: what it is asked, what it asked of the sandbox; the world that it uses, joined and left |
//! | `run/visit.rs` `caller.rs` | one step in a world that runs on a server, and by whom |
//! | `foreign/` `run/foreign.rs` `foreign_run.rs` `received_frames.rs` `references.rs` | a server that is no fundsim: its partners, the description of the API as a judge of answers and events, counts by chapter; which steps it can be asked; what its sockets have sent; references of a run's own |
//! | `drivers/` | carrying requests, frames and posts: in process, over a simulated network, over TCP; `probe.rs`, what a server that is no fundsim is asked first; `application.rs`, an application under test, and real time; `planted.rs`, faults of the surface that only tests can plant |
//! | `transcript.rs` `suite.rs` `report/` | what was exchanged, as stable text; goldens; what people and machines are shown |
//! | `report/readiness.rs` `readiness/` | what an integration has met of a world, from a server's answer: as text, and as a page |
//! | `transcript/body.rs` `differences.rs` `due.rs` `wrap.rs` `masks.rs` | how a body, two bodies, due things, a long line and a secret are shown |
//! | `transcript/exchanges.rs` | the same requests, answers and events whole, for tests that judge bodies |
//! | `transcript/moments.rs` `report/html/` | what can be drawn of a run; its place on a line of simulated time (`timeline.rs`), and as SVG (`svg.rs`); the sequence of one that failed (`pictures.rs`) |
//! | `report/picture.rs` | a picture in a page, for a desk and for a phone |
//!
//! It never knows how a rule of the service is implemented, nor how a story came about: read from a file, drawn or shrunk.
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! foreign, transcript
//! drivers
//! run
//! suite
//! report
//! ```

pub mod drivers;
pub mod foreign;
pub mod report;
pub mod run;
pub mod suite;
pub mod transcript;

pub use run::{Extras, Failure, Run, play, remote, visit};
