//! Requests to the application under test, which uses the world that the story plays in.
//!
//! Absent on purpose: where the application is, which the command line says.

use super::Call;
use std::time::Duration;

/// A request to the application under test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApplicationRequest {
    /// What is sent. Its path is the application's own.
    pub call: Call,
    /// How often it is sent.
    pub tries: Tries,
}

/// How often a request is sent to the application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tries {
    /// Once.
    Once,
    /// Until the answer is as expected, at most for this long in real time.
    Until(Duration),
}

impl Tries {
    /// How long an application gets to become as expected, unless the step says otherwise.
    pub const USUAL: Duration = Duration::from_secs(5);
}
