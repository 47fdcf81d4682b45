//! What hangs on an account beside money: KYC status and agreement types (rule: accounts/kyc-status,
//! accounts/agreements).

use crate::rows::shown::shown;
use crate::values::text::{Day, Id, Timestamp};
use crate::words::{AgreementKey, KycStatus};
use serde::Serialize;
use sim::query::KycView;
use sim::records;
use utoipa::ToSchema;

shown! {
    /// KYC status of an account.
    pub Kyc of KycView {
        account: Id = "account";
        status: KycStatus = "status";
        last_updated: Timestamp = "lastUpdatedDate";
        /// Last day on which the answers are valid.
        expiry: Day = "expiryDate";
        /// Whether it is time to renew the answers.
        renewal_required: bool = "renewalRequired";
    }
}

/// An agreement type of an account.
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
