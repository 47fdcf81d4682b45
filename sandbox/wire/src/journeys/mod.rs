//! A journey: its public shape, and the request that starts one.
//!
//! Invariant: what a partner handed in comes back as it was, `scope` byte for byte. Fields that the specification calls
//! "or null" are always there (rule: wire/absent-and-null). Absent on purpose: how far the customer has come.

pub mod answers;
pub mod callback;
pub mod configuration;
pub mod links;
pub mod result;
pub mod steps;

use crate::rows::shape::{shape, text_of};
use crate::rows::shown::shown;
use crate::values::text::{Id, SortedId, Timestamp};
use crate::words::{ErrorCode, JourneyStatus, JourneyStep, JourneyType};
use configuration::Configuration;
use links::JourneyLinks;
use result::JourneyResult;
use sim::command::PartialJourney;
use sim::records;
use sim::settings::Settings;

shown! {
    /// A hosted, time-limited flow that an end customer completes.
    pub Journey<'a> of records::Journey as journey, with links: &impl JourneyLinks, settings: &Settings {
        id: Id = "id";
        sorted_id: SortedId = "sortedId";
        /// As `journey.journeyType`.
        also kind: JourneyType = "type" by JourneyType(configuration.journey_type);
        state: JourneyStatus = "status";
        client: Id = "clientId";
        /// Link for the end customer, valid for this journey only, until `expiryDate`.
        also url: String = "url" by links.journey(*id);
        expiry: Timestamp = "expiryDate";
        configuration: Configuration<'a> = "journey" by Configuration::of(configuration);
        /// Submission that a legal-entity journey created, or that this journey signs.
        submission: Id = nullable "submission";
        callback_url: &'a str = "callbackUrl";
        redirect_url: &'a str = nullable "redirectUrl";
        completion_redirect_url: &'a str = nullable "completionRedirectUrl";
        /// Why it was canceled or failed.
        error_code: ErrorCode = nullable "errorCode";
        /// Step at which it was canceled or failed.
        context: JourneyStep = nullable "context";
        /// The value given at creation, byte for byte.
        scope: &'a str = nullable "scope";
        /// Result; null until the journey is complete.
        also outcome: JourneyResult<'a> = nullable "result" by result::of_journey(journey, settings);
        also is_deleted: bool = "deleted" by deleted.is_some();
        stamped;
        deleted: Timestamp = nullable "deletedDate";
        hidden result, progress, timer;
    }
}

shape! {
    /// Starts a journey.
    pub partial JourneyRequest of PartialJourney {
        configuration = required "journey";
        /// Receives one POST when the journey becomes `canceled`, `error` or `complete`; https in production, no fragment.
        callback_url = required "callbackUrl";
        /// Address that the electronic-identity app returns to. Schemes that can run code are refused.
        redirect_url = optional "redirectUrl";
        /// Address that the browser goes to after completion. Schemes that can run code are refused.
        completion_redirect_url = optional "completionRedirectUrl";
        /// Base64 value that the callback returns.
        partner_data = optional "scope" as text_of(768);
    }
}
