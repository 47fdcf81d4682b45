//! A journey: its public shape, and the request that starts one.
//!
//! Invariant: what a partner handed in comes back as it was, `scope` byte for byte. Fields that the specification calls
//! "or null" are always there (rule: wire/absent-and-null). Absent on purpose: how far the customer has come.

use super::configuration::Configuration;
use super::journey_result::JourneyResult;
use super::link::JourneyLinks;
use super::shape::{shape, text_of};
use super::text::{Id, SortedId, Timestamp};
use super::words::{ErrorCode, JourneyStatus, JourneyStep, JourneyType};
use serde::Serialize;
use sim::command::PartialJourney;
use sim::records::{self, Stamp};
use sim::settings::Settings;
use utoipa::ToSchema;

/// A hosted, time-limited flow that an end customer walks.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Journey<'a> {
    id: Id,
    sorted_id: SortedId,
    /// As `journey.journeyType`.
    r#type: JourneyType,
    status: JourneyStatus,
    client_id: Id,
    /// What the end customer opens; good for this journey only, until `expiryDate`.
    url: String,
    expiry_date: Timestamp,
    journey: Configuration<'a>,
    /// Submission that a legal-entity journey created, or that this journey signs.
    #[schema(required = true)]
    submission: Option<Id>,
    callback_url: &'a str,
    #[schema(required = true)]
    redirect_url: Option<&'a str>,
    #[schema(required = true)]
    completion_redirect_url: Option<&'a str>,
    /// Why it was canceled or failed.
    #[schema(required = true)]
    error_code: Option<ErrorCode>,
    /// Where the customer left, when it was canceled or failed.
    #[schema(required = true)]
    context: Option<JourneyStep>,
    /// As given at creation, byte for byte.
    #[schema(required = true)]
    scope: Option<&'a str>,
    /// What it produced; null until it is complete.
    #[schema(required = true)]
    result: Option<JourneyResult<'a>>,
    deleted: bool,
    created_date: Timestamp,
    modified_date: Timestamp,
    #[schema(required = true)]
    deleted_date: Option<Timestamp>,
}

impl<'a> Journey<'a> {
    /// The public shape of `journey`, which `links` lead to, in a world with these settings.
    #[must_use]
    pub fn of(journey: &'a records::Journey, links: &impl JourneyLinks, settings: &Settings) -> Self {
        let records::Journey {
            id,
            sorted_id,
            client,
            configuration,
            state,
            expiry,
            submission,
            callback_url,
            redirect_url,
            completion_redirect_url,
            scope,
            error_code,
            context,
            result: _,
            deleted,
            stamp: Stamp { created, modified, revision: _ },
            progress: _,
            timer: _,
        } = journey;
        Self {
            id: Id(id.as_uuid()),
            sorted_id: SortedId(*sorted_id),
            r#type: JourneyType(configuration.journey_type),
            status: JourneyStatus(**state),
            client_id: Id(client.as_uuid()),
            url: links.journey(*id),
            expiry_date: Timestamp(*expiry),
            journey: Configuration::of(configuration),
            submission: submission.map(|submission| Id(submission.as_uuid())),
            callback_url,
            redirect_url: redirect_url.as_deref(),
            completion_redirect_url: completion_redirect_url.as_deref(),
            error_code: error_code.map(ErrorCode),
            context: context.map(JourneyStep),
            scope: scope.as_deref(),
            result: JourneyResult::of(journey, settings),
            deleted: deleted.is_some(),
            created_date: Timestamp(*created),
            modified_date: Timestamp(*modified),
            deleted_date: deleted.map(Timestamp),
        }
    }
}

shape! {
    /// Starts a journey.
    pub partial JourneyRequest of PartialJourney {
        configuration = required "journey";
        /// Receives one POST when the journey becomes `canceled`, `error` or `complete`; https in production, no fragment.
        callback_url = required "callbackUrl";
        /// Where the electronic-identity app returns to; any scheme that can run nothing.
        redirect_url = optional "redirectUrl";
        /// Where the browser goes after completion; any scheme that can run nothing.
        completion_redirect_url = optional "completionRedirectUrl";
        /// Base64 that comes back in the callback.
        partner_data = optional "scope" as text_of(768);
    }
}
