//! A journey as its events tell it: where it stands.
//!
//! Absent so far: configuration, result and link, which come with the journey's own endpoints.

use super::text::{Id, SortedId, Timestamp};
use serde::Serialize;
use sim::records;

/// A journey.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Journey<'a> {
    id: Id,
    sorted_id: SortedId,
    r#type: &'static str,
    status: &'static str,
    client_id: Id,
    expiry_date: Timestamp,
    error_code: Option<&'static str>,
    context: Option<&'static str>,
    scope: Option<&'a str>,
    created_date: Timestamp,
    modified_date: Timestamp,
}

impl<'a> Journey<'a> {
    /// The public shape of `journey`.
    #[must_use]
    pub fn of(journey: &'a records::Journey) -> Self {
        Self {
            id: Id(journey.id.as_uuid()),
            sorted_id: SortedId(journey.sorted_id),
            r#type: journey.journey_type().name(),
            status: journey.state.name(),
            client_id: Id(journey.client.as_uuid()),
            expiry_date: Timestamp(journey.expiry),
            error_code: journey.error_code.map(records::ErrorCode::name),
            context: journey.context.map(records::Step::name),
            scope: journey.scope.as_deref(),
            created_date: Timestamp(journey.stamp.created),
            modified_date: Timestamp(journey.stamp.modified),
        }
    }
}
