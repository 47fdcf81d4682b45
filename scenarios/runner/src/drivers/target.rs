//! The address of a running server, and whom its certificate is trusted by.
//!
//! Absent on purpose: reaching it.

use deliveries::trust::Trust;

/// Where a server is, and whom its certificate is trusted by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// `http://host:port` or `https://host:port`, with a path perhaps.
    pub url: String,
    /// Decides about its certificate where it shows one.
    pub trust: Trust,
}
