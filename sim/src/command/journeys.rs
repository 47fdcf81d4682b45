//! A request to start a journey, and how an electronic identity is used.

use super::Scope;
use crate::partial::partly;
use crate::records::Configuration;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

partly! {
    /// A new journey.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub struct CreateJourney or PartialJourney {
        /// The caller.
        pub scope: Scope,
        /// What is configured; public `journey`.
        pub configuration: Configuration,
        /// Receives one POST at the end.
        pub callback_url: Arc<str>,
        /// Back to the partner's app after mobile signing.
        pub redirect_url: Option<Arc<str>>,
        /// Where the browser goes after completion.
        pub completion_redirect_url: Option<Arc<str>>,
        /// Partner data, echoed byte for byte; public `scope`.
        pub partner_data: Option<Arc<str>>,
    }
}

/// How the use of an electronic identity ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum SignOutcome {
    /// The person identified or signed.
    Sign,
    /// The person aborted.
    Abort,
    /// It failed.
    Fail,
    /// The person will not sign, which ends an application that waits for the signature.
    Refuse,
}
