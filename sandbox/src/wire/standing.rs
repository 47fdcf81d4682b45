//! What hangs on an account beside money: KYC status and agreement types (rule: accounts/kyc-status,
//! accounts/agreements).

use super::text::{Day, Id, Timestamp};
use super::words::{AgreementKey, KycStatus};
use serde::Serialize;
use sim::query::KycView;
use sim::records;
use utoipa::ToSchema;

/// Where the knowledge of an account's owner stands.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Kyc {
    account: Id,
    status: KycStatus,
    last_updated_date: Timestamp,
    /// Last day on which the answers hold.
    expiry_date: Day,
    /// Whether it is time to renew the answers.
    renewal_required: bool,
}

impl Kyc {
    /// The public shape of `view`.
    #[must_use]
    pub fn of(view: &KycView) -> Self {
        let KycView { account, status, last_updated, expiry, renewal_required } = view;
        Self {
            account: Id(account.as_uuid()),
            status: KycStatus(*status),
            last_updated_date: Timestamp(*last_updated),
            expiry_date: Day(*expiry),
            renewal_required: *renewal_required,
        }
    }
}

/// A kind of agreement that an account has.
#[derive(Serialize, ToSchema)]
pub struct AgreementType {
    key: AgreementKey,
    /// The Swedish name.
    swe: &'static str,
}

impl AgreementType {
    /// The public shape of `kind`.
    #[must_use]
    pub fn of(kind: records::AgreementType) -> Self {
        Self { key: AgreementKey(kind), swe: kind.swedish() }
    }
}
