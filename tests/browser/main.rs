//! The hosted pages in a real Chromium, as a person meets them: every journey to every outcome its pages offer, on a
//! telephone and on a desk, in both languages, with scripts and without.
//!
//! They need Chromium, so plain `cargo test` leaves them out. To run them:
//!
//! ```text
//! tests/browser/install.sh
//! cargo test --test browser -- --ignored
//! ```
//!
//! With `FUNDSIM_SCREENSHOTS=1` the pictures of the README are made anew.

#![allow(clippy::print_stderr, reason = "a failure tells in which setting it happened")]

mod behaviour;
mod console;
mod description;
mod driver;
mod guide;
mod other_origins;
mod pages;
mod recorded;
mod site;
mod submission;
mod walks;
