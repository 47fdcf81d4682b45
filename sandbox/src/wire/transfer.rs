//! Transfers from other custodians, and the custodians (rule: journeys/transfer-shape).
//!
//! Absent on purpose: what the customer decided, which the journey's configuration and result tell.

use super::text::{Id, SortedId, Timestamp};
use super::words::TransferStatus;
use serde::Serialize;
use sim::records::{self, Stamp};
use sim::setup;
use utoipa::ToSchema;

/// A transfer of holdings from another custodian.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Transfer<'a> {
    id: Id,
    sorted_id: SortedId,
    /// The receiving account.
    account: Id,
    /// Id of the ceding custodian.
    custodian: &'a str,
    /// Reference at the custodian, from the sending on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    external_ref: Option<&'a str>,
    status: TransferStatus,
    created_date: Timestamp,
    modified_date: Timestamp,
}

impl<'a> Transfer<'a> {
    /// The public shape of `transfer`.
    #[must_use]
    pub fn of(transfer: &'a records::Transfer) -> Self {
        let records::Transfer {
            id,
            sorted_id,
            client: _,
            account,
            custodian,
            external_ref,
            state,
            order: _,
            journey: _,
            stamp: Stamp { created, modified, revision: _ },
            timer: _,
        } = transfer;
        Self {
            id: Id(id.as_uuid()),
            sorted_id: SortedId(*sorted_id),
            account: Id(account.as_uuid()),
            custodian: custodian.as_str(),
            external_ref: external_ref.as_deref(),
            status: TransferStatus(**state),
            created_date: Timestamp(*created),
            modified_date: Timestamp(*modified),
        }
    }
}

/// An institution that holdings can be transferred from.
#[derive(Serialize, ToSchema)]
pub struct Custodian<'a> {
    id: &'a str,
    name: &'a str,
}

impl<'a> Custodian<'a> {
    /// The public shape of `custodian`.
    #[must_use]
    pub fn of(custodian: &'a setup::Custodian) -> Self {
        let setup::Custodian { id, name } = custodian;
        Self { id: id.as_str(), name }
    }
}
